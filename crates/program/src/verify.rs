//! The verifier: what must hold of every [`Program`], checked in time linear in its size.
//!
//! A program goes in; all violations come out, each with the rule it breaks and its place. Front
//! ends produce regions whose graphs may be cyclic ([`Stage::Graph`]); after the loops are
//! extracted or cut, the stricter rules of [`Stage::Regions`] hold, and every engine relies on them.
//!
//! Ids ([`Rule::Id`])
//! - entries, callees, successors, assertions, files and parents are in range; terms belong to the store;
//! - every region has at least one block (the first is its entry).
//!
//! Names ([`Rule::Name`])
//! - region names are unique; block labels are unique in their region;
//! - no two variables that are visible in one region have the same name.
//!
//! Variables
//! - [`Rule::Declared`]: a variable is declared once: as a global, as a constant, or by a region. A
//!   loop may declare again what another region of the same procedure declares; an output may also
//!   be an input of the same region; nothing else is declared twice, and the parameter of a function
//!   is not a global or constant;
//! - [`Rule::Visible`]: terms of a region mention only globals, constants and the region's own
//!   variables, and have no loose bound index; axioms mention only constants; the body of a
//!   function only its parameters and constants;
//! - [`Rule::Target`]: assigned, havocked and result variables are globals or the region's own, and
//!   are different from each other in one statement.
//!
//! Sorts ([`Rule::Sort`])
//! - conditions and axioms are Boolean; an assigned term has its variable's sort; a box has one
//!   argument per input and one result per output of its callee, of the same sorts; parameters and
//!   body of a function have the declared sorts.
//!
//! Structure
//! - [`Rule::Function`]: a function has at most one definition, different parameters, and none of
//!   its own if it is a solver's builtin;
//! - [`Rule::Entry`]: entries are procedures, each listed once;
//! - [`Rule::Loop`]: the parent of a loop is an earlier region; a loop is boxed by its parent and by
//!   itself only; it boxes itself only in tail position: as the last statement of a block that
//!   returns, with its outputs as the results, in order;
//! - [`Rule::Reachable`] (regions only): every block can be reached from the entry;
//! - [`Rule::Acyclic`] (regions only): no block can reach itself (so the entry has no predecessor).

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

use lariat_term::{Op, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    cfg::{Cfg, UNREACHED},
    ir::{BlockId, Loc, Program, Region, RegionId, RegionKind, Stmt, StmtKind, Terminator},
};

/// Whether passes are checked in all builds.
static PARANOID: AtomicBool = AtomicBool::new(false);

/// From now on, [`check_pass`] checks in all builds.
pub fn be_paranoid() {
    PARANOID.store(true, Ordering::Relaxed);
}

/// Checks what a pass made of a program: in builds with debug assertions (those of the tests), and after
/// [`be_paranoid`].
///
/// # Panics
/// If the program breaks a rule. That is an error in the pass, whatever its input.
pub fn check_pass(pass: &str, program: &Program, terms: &Terms, stage: Stage) {
    if (cfg!(debug_assertions) || PARANOID.load(Ordering::Relaxed))
        && let Err(violations) = verify(program, terms, stage)
    {
        let list: Vec<String> = violations.iter().take(5).map(ToString::to_string).collect();
        panic!("the pass `{pass}` breaks a rule of programs: {}", list.join("; "));
    }
}

/// How far a program has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Fresh from a front end: graphs may be cyclic and have unreachable blocks.
    Graph,
    /// Finished: every region is acyclic and all its blocks are reachable.
    Regions,
}

/// The rules; the module comment says what each demands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Ids in range.
    Id,
    /// Unique names.
    Name,
    /// One declaration a variable.
    Declared,
    /// Terms use visible variables only.
    Visible,
    /// What may be assigned.
    Target,
    /// Sorts and numbers of arguments agree.
    Sort,
    /// Function definitions.
    Function,
    /// Entries of the program.
    Entry,
    /// Shape of loop regions.
    Loop,
    /// No unreachable block.
    Reachable,
    /// No cycle.
    Acyclic,
}

/// Where in the program something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProgramPoint {
    /// The region; `None` for the program's own tables.
    pub region: Option<RegionId>,
    /// The block.
    pub block: Option<BlockId>,
    /// The statement's index in its block; as many as there are statements for the terminator.
    pub stmt: Option<usize>,
}

/// A rule that a program breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which.
    pub rule: Rule,
    /// Where in the program.
    pub place: ProgramPoint,
    /// Where in the source, if known.
    pub loc: Loc,
    /// What exactly, with the names concerned.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.message)?;
        if let Some(r) = self.place.region {
            write!(f, " (region {}", r.0)?;
            if let Some(b) = self.place.block {
                write!(f, ", block {}", b.0)?;
            }
            if let Some(s) = self.place.stmt {
                write!(f, ", statement {s}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// Checks every rule of the module comment.
pub fn verify(program: &Program, terms: &Terms, stage: Stage) -> Result<(), Vec<Violation>> {
    let mut v = Verifier {
        program,
        terms,
        stage,
        shared: FxHashMap::default(),
        owner: FxHashMap::default(),
        root: Vec::new(),
        scope: FxHashSet::default(),
        seen: vec![0; terms.len()],
        stamp: 0,
        stack: Vec::new(),
        place: ProgramPoint::default(),
        loc: Loc::NONE,
        found: Vec::new(),
    };
    v.tables();
    for r in 0..program.regions.len() {
        v.region(RegionId(r as u32));
    }
    if v.found.is_empty() { Ok(()) } else { Err(v.found) }
}

/// Who declares a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Global,
    Constant,
    /// The procedure, for its loops too.
    Procedure(RegionId),
}

/// Which variables a term may mention.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Constants only.
    Constants,
    /// Constants and `Verifier::scope`.
    Function,
    /// Constants, globals and `Verifier::scope`.
    Region,
}

struct Verifier<'a> {
    /// Globals and constants by name.
    shared: FxHashMap<&'a str, Var>,
    program: &'a Program,
    terms: &'a Terms,
    stage: Stage,
    owner: FxHashMap<Var, Owner>,
    /// The procedure that each region belongs to.
    root: Vec<RegionId>,
    /// The variables of the region or function at hand.
    scope: FxHashSet<Var>,
    /// Per term, the stamp of the last walk that saw it: each region walks a shared term once.
    seen: Vec<u32>,
    stamp: u32,
    stack: Vec<Term>,
    place: ProgramPoint,
    loc: Loc,
    found: Vec<Violation>,
}

impl Verifier<'_> {
    fn report(&mut self, rule: Rule, message: String) {
        self.found.push(Violation { rule, place: self.place, loc: self.loc, message });
    }

    fn var(&self, v: Var) -> String {
        format!("`{}`", self.terms.var_name(v))
    }

    fn sort(&self, s: Sort) -> String {
        format!("{:?}", self.terms.sort_kind(s))
    }

    fn at(&mut self, loc: Loc) {
        self.loc = loc;
        // `Loc::NONE` needs no file
        if loc.line != 0 && loc.file.index() >= self.program.files.len() {
            self.report(Rule::Id, format!("there is no file {}", loc.file.0));
        }
    }

    // The program's tables

    fn tables(&mut self) {
        let program = self.program;
        for (list, owner) in [(&program.globals, Owner::Global), (&program.constants, Owner::Constant)] {
            for d in list {
                self.at(d.loc);
                if self.owner.insert(d.var, owner).is_some() {
                    self.report(Rule::Declared, format!("{} is declared twice", self.var(d.var)));
                }
            }
        }
        for d in program.globals.iter().chain(&program.constants) {
            self.at(d.loc);
            self.distinct_names(std::iter::once(d.var));
            self.shared.insert(self.terms.var_name(d.var), d.var);
        }
        for a in &program.assertions {
            self.at(a.loc);
        }
        self.functions();
        self.new_scope();
        for a in &program.axioms {
            self.at(a.loc);
            self.condition(a.term, Scope::Constants, "an axiom");
        }
        self.loc = Loc::NONE;
        let mut names = FxHashSet::default();
        for (i, r) in program.regions.iter().enumerate() {
            self.at(r.loc);
            self.place = ProgramPoint { region: Some(RegionId(i as u32)), ..ProgramPoint::default() };
            if !names.insert(r.name.as_str()) {
                self.report(Rule::Name, format!("two regions are named `{}`", r.name));
            }
            let root = match r.kind {
                RegionKind::Procedure => RegionId(i as u32),
                RegionKind::Loop { parent } if parent.index() < i => self.root[parent.index()],
                RegionKind::Loop { .. } => {
                    self.report(Rule::Loop, format!("the parent of loop `{}` is not an earlier region", r.name));
                    RegionId(i as u32)
                }
            };
            self.root.push(root);
        }
        self.place = ProgramPoint::default();
        self.loc = Loc::NONE;
        let mut entries = FxHashSet::default();
        for &e in &program.entries {
            match program.regions.get(e.index()) {
                None => self.report(Rule::Id, format!("there is no region {} to start in", e.0)),
                Some(r) if r.kind != RegionKind::Procedure => {
                    self.report(Rule::Entry, format!("the entry `{}` is a loop", r.name))
                }
                Some(r) if !entries.insert(e) => self.report(Rule::Entry, format!("`{}` is an entry twice", r.name)),
                Some(_) => {}
            }
        }
    }

    fn functions(&mut self) {
        let mut defined = FxHashSet::default();
        for d in &self.program.functions {
            self.at(d.loc);
            let decl = self.terms.func_decl(d.func).clone();
            let name = self.terms.name(decl.name).to_string();
            if !defined.insert(d.func) {
                self.report(Rule::Function, format!("function `{name}` is defined twice"));
            }
            if decl.builtin.is_some() {
                self.report(Rule::Function, format!("function `{name}` is a solver's own and cannot be defined"));
            }
            self.new_scope();
            for &p in &d.params {
                if !self.scope.insert(p) {
                    self.report(Rule::Function, format!("parameter {} of `{name}` occurs twice", self.var(p)));
                }
            }
            if let Some(&p) = d.params.iter().find(|p| self.owner.contains_key(p)) {
                self.report(
                    Rule::Declared,
                    format!("parameter {} of `{name}` is also a global or constant", self.var(p)),
                );
            }
            self.distinct_names(d.params.iter().copied());
            let sorts: Vec<Sort> = d.params.iter().map(|&p| self.terms.var_sort(p)).collect();
            if sorts != decl.params {
                self.report(Rule::Sort, format!("the parameters of `{name}` are not of the declared sorts"));
            }
            if self.term(d.body, Scope::Function) && self.terms.sort(d.body) != decl.result {
                self.report(Rule::Sort, format!("the body of `{name}` is not of the declared sort"));
            }
        }
    }

    // Terms

    fn new_scope(&mut self) {
        self.scope.clear();
        self.stamp += 1;
    }

    /// Reports what is wrong inside a term; `false` if it is not one of the store.
    fn term(&mut self, root: Term, scope: Scope) -> bool {
        if root.index() >= self.terms.len() {
            self.report(Rule::Id, format!("term {} is not of this store", root.index()));
            return false;
        }
        if self.terms.loose(root) > 0 {
            self.report(Rule::Visible, "a bound variable outside its quantifier".to_string());
        }
        self.stack.push(root);
        while let Some(t) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[t.index()], self.stamp) == self.stamp {
                continue;
            }
            let Op::Var(v) = self.terms.op(t) else {
                self.stack.extend_from_slice(self.terms.args(t));
                continue;
            };
            let visible = match self.owner.get(&v) {
                Some(Owner::Constant) => true,
                Some(Owner::Global) => scope == Scope::Region,
                _ => self.scope.contains(&v),
            };
            if !visible {
                self.report(Rule::Visible, format!("{} is not visible here", self.var(v)));
            }
        }
        true
    }

    fn condition(&mut self, t: Term, scope: Scope, what: &str) {
        if self.term(t, scope) && self.terms.sort(t) != Sort::BOOL {
            self.report(Rule::Sort, format!("{what} is not Boolean but {}", self.sort(self.terms.sort(t))));
        }
    }

    // Regions

    /// Variables of one list against each other and against the shared ones.
    fn distinct_names(&mut self, vars: impl Iterator<Item = Var>) {
        let mut names: FxHashMap<&str, Var> = FxHashMap::default();
        let terms = self.terms;
        for v in vars {
            let name = terms.var_name(v);
            let clash = |old: &Var| *old != v;
            if names.insert(name, v).as_ref().is_some_and(clash) || self.shared.get(name).is_some_and(clash) {
                self.report(Rule::Name, format!("two variables named {} are visible at once", self.var(v)));
            }
        }
    }

    fn declarations(&mut self, id: RegionId, r: &Region) {
        self.new_scope();
        let root = self.root[id.index()];
        let mut inputs = FxHashSet::default();
        for (list, is_output) in [(&r.inputs, false), (&r.outputs, true), (&r.locals, false)] {
            for d in list {
                self.at(d.loc);
                // A removed input is one that an output has used up, so a second one is still an error.
                let again = !(self.scope.insert(d.var) || is_output && inputs.remove(&d.var));
                let owner = *self.owner.entry(d.var).or_insert(Owner::Procedure(root));
                let elsewhere = owner != Owner::Procedure(root);
                if again || elsewhere {
                    self.report(Rule::Declared, format!("{} is declared twice", self.var(d.var)));
                }
                if std::ptr::eq(list, &r.inputs) {
                    inputs.insert(d.var);
                }
            }
        }
    }

    fn region(&mut self, id: RegionId) {
        let r = &self.program.regions[id.index()];
        self.place = ProgramPoint { region: Some(id), ..ProgramPoint::default() };
        self.declarations(id, r);
        self.at(r.loc);
        self.distinct_names(r.inputs.iter().chain(&r.outputs).chain(&r.locals).map(|d| d.var));
        if r.blocks.is_empty() {
            self.report(Rule::Id, format!("region `{}` has no block", r.name));
            return;
        }
        let mut labels = FxHashSet::default();
        let mut targets_ok = true;
        for (i, b) in r.blocks.iter().enumerate() {
            self.place.block = Some(BlockId(i as u32));
            self.place.stmt = None;
            self.loc = r.loc;
            if !labels.insert(b.label.as_str()) {
                self.report(Rule::Name, format!("two blocks are labelled `{}`", b.label));
            }
            for (j, s) in b.stmts.iter().enumerate() {
                self.place.stmt = Some(j);
                self.at(s.loc);
                self.statement(id, r, s, j + 1 == b.stmts.len() && b.next == Terminator::Return);
            }
            self.place.stmt = Some(b.stmts.len());
            if let Terminator::Branch { cond, .. } = b.next {
                self.condition(cond, Scope::Region, "a branch condition");
            }
            for s in b.next.successors() {
                if s.index() >= r.blocks.len() {
                    targets_ok = false;
                    self.report(Rule::Id, format!("`{}` goes to block {}, which does not exist", b.label, s.0));
                }
            }
        }
        if targets_ok && self.stage == Stage::Regions {
            self.shape(r);
        }
    }

    fn statement(&mut self, id: RegionId, r: &Region, s: &Stmt, tail: bool) {
        match &s.kind {
            StmtKind::Assume(t) => self.condition(*t, Scope::Region, "an assumption"),
            StmtKind::Assert { id, cond } => {
                if id.index() >= self.program.assertions.len() {
                    self.report(Rule::Id, format!("there is no assertion {}", id.0));
                }
                self.condition(*cond, Scope::Region, "an assertion");
            }
            StmtKind::Assign(pairs) => {
                for &(v, t) in pairs {
                    if self.term(t, Scope::Region) && self.terms.sort(t) != self.terms.var_sort(v) {
                        self.report(Rule::Sort, format!("{} is assigned a term of another sort", self.var(v)));
                    }
                }
            }
            StmtKind::Havoc(_) => {}
            StmtKind::Box { callee, args, results } => self.boxed(id, r, *callee, args, results, tail),
        }
        let mut targets = FxHashSet::default();
        s.kind.for_each_target(|v| {
            if self.owner.get(&v) != Some(&Owner::Global) && !self.scope.contains(&v) {
                self.report(Rule::Target, format!("{} cannot be assigned here", self.var(v)));
            }
            if !targets.insert(v) {
                self.report(Rule::Target, format!("{} is assigned twice at once", self.var(v)));
            }
        });
    }

    fn boxed(&mut self, id: RegionId, r: &Region, callee: RegionId, args: &[Term], results: &[Var], tail: bool) {
        let sorts: Vec<Option<Sort>> =
            args.iter().map(|&a| self.term(a, Scope::Region).then(|| self.terms.sort(a))).collect();
        let Some(c) = self.program.regions.get(callee.index()) else {
            self.report(Rule::Id, format!("there is no region {} to box", callee.0));
            return;
        };
        for (what, given, wanted) in
            [("argument", args.len(), c.inputs.len()), ("result", results.len(), c.outputs.len())]
        {
            if given != wanted {
                self.report(Rule::Sort, format!("`{}` has {wanted} {what}(s), not {given}", c.name));
            }
        }
        for (d, s) in c.inputs.iter().zip(sorts) {
            if s.is_some_and(|s| s != self.terms.var_sort(d.var)) {
                self.report(
                    Rule::Sort,
                    format!("the argument for {} of `{}` is of another sort", self.var(d.var), c.name),
                );
            }
        }
        for (d, &v) in c.outputs.iter().zip(results) {
            if self.terms.var_sort(v) != self.terms.var_sort(d.var) {
                self.report(Rule::Sort, format!("{} takes a result of `{}` of another sort", self.var(v), c.name));
            }
        }
        let RegionKind::Loop { parent } = c.kind else { return };
        if callee == id {
            if !tail || !r.outputs.iter().map(|d| d.var).eq(results.iter().copied()) {
                self.report(Rule::Loop, format!("loop `{}` boxes itself, but not in tail position", c.name));
            }
        } else if parent != id {
            self.report(Rule::Loop, format!("loop `{}` is boxed outside its parent", c.name));
        }
    }

    fn shape(&mut self, r: &Region) {
        let dfs = Cfg::new(r).dfs();
        self.loc = r.loc;
        self.place.stmt = None;
        for (i, b) in r.blocks.iter().enumerate() {
            if dfs.pre[i] == UNREACHED {
                self.place.block = Some(BlockId(i as u32));
                self.report(Rule::Reachable, format!("block `{}` cannot be reached", b.label));
            }
        }
        self.place.block = None;
        if dfs.cyclic {
            self.report(Rule::Acyclic, format!("the graph of `{}` has a cycle", r.name));
        }
    }
}

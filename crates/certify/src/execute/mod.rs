//! Symbolic execution of the trees of a certificate.
//!
//! A tree is executed once. Its boxes are expanded as the certificate says; a loop with an invariant is *cut*: a round of it starts with any values
//! of what the loop may change, and what it leaves is any value, too. What must not happen, under which condition, is collected on
//! the way as [`Target`]s.

mod induction;
mod walk;

use lariat_program::{AssertId, Effects, Program, Region, RegionId, Stmt, StmtKind, Terminator, recursive_regions};
use lariat_summary::Definitions;
use lariat_term::{Persist, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    certificate::{Certificate, Event, InstanceId, Site, Symbol, Tree},
    check::Goal,
};
pub(crate) use walk::topological;
use walk::{Here, Walk};

/// How many instances may be executed altogether.
const LIMIT: usize = 100_000;

/// Something that must not happen.
pub(crate) struct Target {
    /// The condition under which it happens.
    pub bad: Term,
    /// The innermost loop with an invariant around it, by its position in [`Execution::cuts`].
    pub owner: Option<usize>,
    pub goal: Goal,
}

/// A loop with an invariant.
pub(crate) struct Cut {
    /// The innermost one around it.
    pub owner: Option<usize>,
    /// The loop is reached.
    pub guard: Term,
    /// The invariant, of the start of a round.
    pub invariant: Term,
    /// What the loop never changes is what it was when the loop was entered.
    pub kept: Vec<Term>,
    /// The rounds before this one, for k-induction.
    pub history: Vec<Term>,
    /// The first target that a round can meet.
    pub first: usize,
    /// The symbol for: the loop has been left.
    pub left: Term,
    /// This round leaves the loop.
    pub exit: Term,
    /// What the loop leaves, and what it is if this round leaves it.
    pub results: Vec<(Term, Term)>,
}

impl Cut {
    /// If the loop has been left, some round has left it.
    pub fn last_round(&self, terms: &mut Terms) -> Term {
        let mut facts = vec![self.guard, self.invariant, self.exit];
        facts.extend(self.kept.iter().chain(&self.history));
        facts.extend(self.results.iter().map(|&(symbol, value)| terms.eq(symbol, value)));
        let facts = terms.and(&facts);
        terms.implies(self.left, facts)
    }
}

/// What came out of the execution of a tree.
#[derive(Default)]
pub(crate) struct Execution {
    pub cuts: Vec<Cut>,
    pub targets: Vec<Target>,
}

/// The trees cannot be executed: there are too many instances.
pub(crate) struct TooLarge;

/// What does not change from tree to tree.
pub(crate) struct Executor<'a> {
    pub program: &'a Program,
    pub terms: &'a mut Terms,
    definitions: Definitions,
    certificate: &'a Certificate,
    counts: &'a dyn Fn(AssertId) -> bool,
    effects: Effects,
    recursive: Vec<bool>,
    /// Regions in which something that counts might fail.
    fails: Vec<bool>,
    /// Regions of which a return can be reached, by control flow.
    returns: Vec<bool>,
    globals: FxHashMap<Var, usize>,
    /// Trees of procedures with a contract.
    contracts: FxHashMap<RegionId, usize>,
    facts: FxHashMap<RegionId, Vec<Term>>,
    symbols: FxHashMap<Symbol, Term>,
    /// The certificate's variables for a symbol.
    names: FxHashMap<Symbol, Vec<Var>>,
    /// The certificate's variables as the symbols above, or as what these are known to be.
    named: FxHashMap<Var, Term>,
    /// Of these, the symbols for loops having been left, as long as they have not been entered. What questions assume of these is no
    /// matter of the certificate: an invariant must not say that a loop is never left.
    not_left: FxHashSet<Var>,
    /// Instances that may still be executed.
    left: usize,
    // Of the tree that is executed.
    tree: usize,
    by_box: FxHashMap<(InstanceId, Site), InstanceId>,
    found: Execution,
}

/// What an instance does.
struct Exit {
    returns: Term,
    outputs: Vec<Term>,
    globals: Persist,
}

impl<'a> Executor<'a> {
    pub fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        certificate: &'a Certificate,
        counts: &'a dyn Fn(AssertId) -> bool,
    ) -> Executor<'a> {
        let mut definitions = Definitions::new(program, terms);
        let contracts = certificate.trees.iter().enumerate().filter(|(_, t)| t.contract.is_some());
        let recursive = recursive_regions(program);
        let returns = may_return(program, terms, &mut definitions, &recursive);
        let mut executor = Executor {
            program,
            definitions,
            certificate,
            counts,
            effects: Effects::new(program),
            fails: may_fail(program, counts),
            returns,
            recursive,
            globals: program.globals.iter().enumerate().map(|(i, d)| (d.var, i)).collect(),
            contracts: contracts.map(|(i, t)| (t.region, i)).collect(),
            facts: FxHashMap::default(),
            symbols: FxHashMap::default(),
            names: FxHashMap::default(),
            named: FxHashMap::default(),
            not_left: FxHashSet::default(),
            left: LIMIT,
            tree: 0,
            by_box: FxHashMap::default(),
            found: Execution::default(),
            terms,
        };
        for &(region, fact) in &certificate.facts {
            let fact = executor.definitions.expand(executor.terms, fact);
            executor.facts.entry(region).or_default().push(fact);
        }
        for &(var, symbol) in &certificate.symbols {
            executor.name(var, symbol);
            executor.names.entry(symbol).or_default().push(var);
        }
        executor
    }

    /// Gives a variable of the certificate the symbol that it stands for.
    fn name(&mut self, var: Var, symbol: Symbol) {
        let (name, sort) = (self.terms.var_name(var).to_owned(), self.terms.var_sort(var));
        let own = *self.symbols.entry(symbol).or_insert_with(|| self.terms.fresh_var(&name, sort));
        if self.terms.sort(own) == sort {
            self.named.insert(var, own);
            self.not_left.extend(self.terms.as_var(own).filter(|_| matches!(symbol.event, Event::Left(_))));
        }
    }

    /// What holds of the program's constants and functions.
    pub fn axioms(&mut self) -> Vec<Term> {
        let stated: Vec<Term> = self.program.axioms.iter().map(|a| a.term).collect();
        let mut axioms: Vec<Term> = stated.into_iter().map(|t| self.definitions.expand(self.terms, t)).collect();
        axioms.extend(self.definitions.axioms(self.program, self.terms));
        axioms
    }

    /// A term of the certificate, over the executor's symbols. A loop that has not been entered so far, or is in progress, has not been left.
    pub fn claimed(&mut self, t: Term) -> Term {
        let claimed = self.terms.substitute(t, &self.named);
        let mut early = FxHashMap::default();
        for v in self.terms.free_vars(&[claimed]) {
            if self.not_left.contains(&v) {
                early.insert(v, self.terms.bool(false));
            }
        }
        self.terms.substitute(claimed, &early)
    }

    /// Executes a tree. The values at its start are any.
    pub fn run(&mut self, tree: usize) -> Result<Execution, TooLarge> {
        let Tree { region, contract, .. } = self.certificate.trees[tree];
        self.tree = tree;
        self.by_box = self.certificate.trees[tree].by_box();
        self.found = Execution::default();
        let first = Some(Tree::FIRST);
        let here = Here {
            id: region,
            region: &self.program.regions[region.index()],
            instance: first,
            owner: None,
            round: None,
            unlisted: false,
        };
        let mut globals = Persist::new(self.program.globals.len());
        for (i, d) in self.program.globals.iter().enumerate() {
            globals.set(i, self.symbol(first, Event::Entry(d.var), d.var));
        }
        let inputs: Vec<Term> =
            here.region.inputs.iter().map(|d| self.symbol(first, Event::Entry(d.var), d.var)).collect();
        let yes = self.terms.bool(true);
        let exit = self.execute(here, yes, globals, &inputs)?;
        if let Some(contract) = contract {
            let mut map = FxHashMap::default();
            let exits = here.region.outputs.iter().map(|d| d.var).zip(exit.outputs.iter().copied());
            let changed: Vec<(Var, Term)> =
                self.changed(region).into_iter().filter_map(|(v, i)| Some((v, exit.globals.get(i)?))).collect();
            for (v, value) in exits.chain(changed) {
                let symbol = self.symbol(first, Event::Exit(v), v);
                map.extend(self.terms.as_var(symbol).map(|s| (s, value)));
            }
            let ensures = self.claimed(contract.ensures);
            let ensures = self.terms.substitute(ensures, &map);
            self.target(exit.returns, ensures, None, Goal::Ensures(region));
        }
        Ok(std::mem::take(&mut self.found))
    }

    /// The symbol for a value of an instance, of the sort of a variable.
    fn symbol(&mut self, instance: Option<InstanceId>, event: Event, like: Var) -> Term {
        let (name, sort) = (self.terms.var_name(like).to_owned(), self.terms.var_sort(like));
        self.symbol_of(instance, event, &name, sort)
    }

    fn symbol_of(&mut self, instance: Option<InstanceId>, event: Event, name: &str, sort: Sort) -> Term {
        let Some(instance) = instance else { return self.terms.fresh_var(name, sort) };
        let key = Symbol { tree: self.tree, instance, event };
        match self.symbols.get(&key) {
            // One of another sort is not what the certificate means.
            Some(&t) if self.terms.sort(t) == sort => t,
            _ => {
                let t = self.terms.fresh_var(name, sort);
                self.symbols.insert(key, t);
                t
            }
        }
    }

    /// Lets symbols that the certificate names stand for these values from now on.
    fn fix(&mut self, instance: InstanceId, values: &[(Event, Term)]) {
        for &(event, value) in values {
            let symbol = Symbol { tree: self.tree, instance, event };
            for var in self.names.get(&symbol).into_iter().flatten() {
                if self.terms.var_sort(*var) == self.terms.sort(value) {
                    self.named.insert(*var, value);
                }
            }
        }
    }

    /// The globals that a region may change, with their positions.
    fn changed(&self, region: RegionId) -> Vec<(Var, usize)> {
        self.effects.of(region).filter_map(|v| Some((v, *self.globals.get(&v)?))).collect()
    }

    /// Under this condition, this must hold.
    fn target(&mut self, guard: Term, holds: Term, owner: Option<usize>, goal: Goal) {
        let not = self.terms.not(holds);
        let bad = self.terms.and(&[guard, not]);
        if bad != self.terms.bool(false) {
            self.found.targets.push(Target { bad, owner, goal });
        }
    }

    /// Executes an instance of a region.
    fn execute(&mut self, here: Here<'_>, guard: Term, globals: Persist, inputs: &[Term]) -> Result<Exit, TooLarge> {
        Walk::new(here).run(self, guard, globals, inputs)
    }
}

/// Regions from which an assertion that counts can be reached.
fn may_fail(program: &Program, counts: &dyn Fn(AssertId) -> bool) -> Vec<bool> {
    let own = |r: &Region| {
        let mut stmts = r.blocks.iter().flat_map(|b| &b.stmts);
        stmts.any(|s| matches!(s.kind, StmtKind::Assert { id, .. } if counts(id)))
    };
    let mut fails: Vec<bool> = program.regions.iter().map(own).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.regions.len()];
    for (i, r) in program.regions.iter().enumerate() {
        r.callees().for_each(|c| callers[c.index()].push(i));
    }
    let mut work: Vec<usize> = (0..fails.len()).filter(|&r| fails[r]).collect();
    while let Some(r) = work.pop() {
        for &caller in &callers[r] {
            if !std::mem::replace(&mut fails[caller], true) {
                work.push(caller);
            }
        }
    }
    fails
}

/// Which regions return, by control flow and conditions that constants decide: recursion without an end does not. What is not recursive is
/// not looked at.
fn may_return(program: &Program, terms: &mut Terms, definitions: &mut Definitions, recursive: &[bool]) -> Vec<bool> {
    let mut returns: Vec<bool> = recursive.iter().map(|r| !r).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.regions.len()];
    for r in (0..recursive.len()).filter(|&r| recursive[r]) {
        program.regions[r].callees().for_each(|c| callers[c.index()].push(r));
    }
    let mut work: Vec<usize> = (0..recursive.len()).filter(|&r| recursive[r]).collect();
    while let Some(r) = work.pop() {
        if !returns[r] && reaches_return(&program.regions[r], terms, definitions, &returns) {
            returns[r] = true;
            work.extend(&callers[r]);
        }
    }
    returns
}

fn reaches_return(region: &Region, terms: &mut Terms, definitions: &mut Definitions, returns: &[bool]) -> bool {
    let ends = |s: &Stmt| matches!(s.kind, StmtKind::Box { callee, .. } if !returns[callee.index()]);
    let (mut seen, mut work) = (vec![false; region.blocks.len()], vec![0]);
    while let Some(b) = work.pop() {
        let block = &region.blocks[b];
        if std::mem::replace(&mut seen[b], true) || block.stmts.iter().any(ends) {
            continue;
        }
        match block.next {
            Terminator::Return => return true,
            Terminator::Branch { cond, yes, no } => {
                let cond = definitions.expand(terms, cond);
                work.extend((cond != terms.bool(false)).then_some(yes.index()));
                work.extend((cond != terms.bool(true)).then_some(no.index()));
            }
            Terminator::Goto(_) => work.extend(block.next.successors().map(|s| s.index())),
        }
    }
    false
}

//! Lowering: a checked Boogie program to a [`Program`] of regions over [`Terms`].
//!
//! In go an [`Ast`] and the tables of its check, without errors; out comes a program whose
//! procedure regions may still have loops (`lariat_program` cuts them out or at their invariants;
//! [`compile`](crate::compile) does it all).
//!
//! **Two readings.** [`Mode::Reach`] is about whole executions: each procedure is one region, a call
//! is a box, preconditions are asserted by callers, postconditions at returns. [`Mode::Modular`] is
//! what the `boogie` tool does: each implementation is an entry of its own, calls are replaced by
//! contracts, except those of procedures with `{:inline n}`, `n > 0`, which are boxes.
//!
//! **Decisions** (where the language leaves a choice or Lariat differs):
//!
//! - Functions are declared, and their definitions lowered, when something first uses them: a
//!   function that nothing uses is not part of the result. Axioms, constants and globals always are.
//! - A map without index (`[]T`) is its value. A map with several indices is a curried array.
//! - `==` and `!=` of floats compare values, as in Boogie: NaN equals itself and the two zeros differ.
//!   `{:builtin "fp.eq"}` is the comparison of IEEE 754.
//! - `hideable`, `reveal`, `hide` and `uses` make no difference: all axioms always hold.
//! - Termination measures, `push`, `pop`, `{:subsumption}`, `{:selective_checking}`, `{:split_here}`,
//!   `{:focus}` and the like do not change what a program means, and are ignored. The bound of
//!   `{:inline n}` is ignored too.
//! - `{:verify false}` takes an implementation out of the entries of [`Mode::Modular`].
//! - A type quantifier `forall<a>` is the conjunction over all types that the program uses in the
//!   places where the body uses `a`, and in addition over one type about which nothing is known,
//!   unless the quantifier is only assumed. Where it is assumed this is weaker than Boogie's
//!   quantifier, so a proof is a proof. Where a limit leaves instances out, a warning says so.
//! - Values of different types are different, where `==` compares them after instantiation.
//! - Calls in code expressions are not supported.
//! - A `where` clause of a parameter is assumed where a procedure is entered from outside; those of
//!   results and locals at each entry; those of globals when execution starts; and all of them
//!   after a `havoc`.
//!
//! What always holds: expressions of any depth are lowered without recursion over operators; the
//! result depends on the program text and options only; variable, function, constructor and
//! selector names are unique in the whole program.

mod assign;
mod axiom;
mod body;
mod builtin;
mod call;
mod code;
mod entry;
mod expr;
mod func;
mod lambda;
mod literal;
mod maps;
mod polarity;
mod proc;
mod quant;
mod seed;

use lariat_program::{AssertId, AssertKind, Assertion, Loc, Program, VarDecl};
use lariat_term::{Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::mono::{Known, Mono};
use crate::syntax::{Ast, Attr, AttrArg, Function, Id, Procedure, Quant, Slice, VarId};
use crate::typed::Typed;
use crate::types::{Ty, Types};
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, SourceMap, Span};

pub use entry::entry_of;

use func::FuncInst;
use polarity::Polarity;
use proc::ProcInst;
use quant::Asked;

/// How contracts, calls and entries are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Whole executions from an entry procedure.
    #[default]
    Reach,
    /// Each implementation on its own, against the contracts of what it calls.
    Modular,
}

/// How to lower a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LowerOptions {
    /// Whole executions or one implementation at a time.
    pub mode: Mode,
    /// With [`Mode::Modular`]: how many levels of calls are replaced by bodies, as with Boogie's `/inlineDepth`.
    pub inline_depth: u32,
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program; its regions may have loops.
    pub program: Program,
    /// The `where` clauses: what holds of a variable after it got an arbitrary value.
    pub wheres: FxHashMap<Var, Term>,
}

/// Lowers a program that was parsed and checked without errors.
///
/// `None` if it uses something that is not supported or exceeds a limit; `diagnostics` then has an
/// error. There may be warnings in any case.
pub fn lower(
    ast: &Ast,
    typed: &Typed,
    sources: &SourceMap,
    terms: &mut Terms,
    options: &LowerOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Lowered> {
    let mut types = typed.types.clone();
    let mut known = Known::default();
    let rehearse = needs_rehearsal(ast);
    if rehearse {
        seed::seed(ast, typed, &mut known);
    }
    let mut rounds = 0;
    loop {
        // What a polymorphic map or type quantifier stands for depends on the whole program, so a
        // run that meets something new is only a rehearsal for the next one.
        let mut copy = rehearse.then(|| terms.clone());
        let store = copy.as_mut().unwrap_or(&mut *terms);
        let mut lowerer = Lower::new(ast, typed, types, known, sources, store, *options);
        if rehearse && rounds == 0 {
            lowerer.foresee();
        }
        lowerer.run();
        let again = lowerer.missed_instances();
        let Lower { mono, program, diags, known_wheres: wheres, .. } = lowerer;
        if rehearse && again {
            (types, known) = (mono.types, mono.known);
            rounds += 1;
            if rounds > MAX_ROUNDS || known.len() > MAX_KNOWN {
                let span = ast.decls.iter().next().map_or(Span::default(), |(_, decl)| decl.span);
                let message = "the polymorphic types of this program need too many instances";
                diagnostics.error(DiagnosticKind::Limit, span, message);
                return None;
            }
            continue;
        }
        if let Some(copy) = copy {
            *terms = copy;
        }
        diagnostics.append(&diags);
        return (!diags.has_errors()).then_some(Lowered { program, wheres });
    }
}

/// How often to rehearse at most; each round finds the instances that depend on those of the one
/// before it.
const MAX_ROUNDS: usize = 12;
/// How many instances of polymorphic things there may be.
const MAX_KNOWN: usize = 50_000;

fn needs_rehearsal(ast: &Ast) -> bool {
    if ast.map_types.iter().any(|(_, map)| !map.type_params.is_empty()) {
        return true;
    }
    // Type quantifiers right at the top of axioms are instantiated one by one as types turn up.
    let mut inner = ast.quants.iter().filter(|(_, quant)| !quant.type_params.is_empty()).map(|(id, _)| id);
    let roots = axiom::root_quants(ast);
    inner.any(|id| !roots.contains(&id))
}

/// A procedure, the types for its type parameters, and which of its bodies.
type InstKey = (Id<Procedure>, Box<[Ty]>, u32, u32);

/// What a variable of the program is while its scope is lowered.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Unset,
    /// A constant, global, parameter or local.
    Term(Term),
    /// A bound variable: how many variables are bound outside of it.
    Bound {
        level: u32,
        sort: Sort,
    },
}

/// The state of lowering.
struct Lower<'a> {
    ast: &'a Ast,
    typed: &'a Typed,
    terms: &'a mut Terms,
    mono: Mono<'a>,
    diags: Diagnostics,
    mode: Mode,
    /// How many levels of calls are replaced by bodies in what is checked.
    levels: u32,
    program: Program,
    locs: Locs<'a>,
    slots: Vec<Slot>,
    /// The term of each `let` variable, and how many variables were bound where it was made.
    lets: Vec<Option<(Term, u32)>>,
    params: Vec<Option<Term>>,
    /// How many variables are bound at this place.
    depth: u32,
    /// Operands of the expression that is being lowered.
    values: Vec<Term>,
    plain_funcs: Vec<Option<u32>>,
    poly_funcs: FxHashMap<Id<Function>, FxHashMap<Box<[Ty]>, u32>>,
    funcs: Vec<FuncInst>,
    /// Functions whose definition is still to be lowered.
    func_queue: Vec<u32>,
    inline_depth: u32,
    insts: Vec<ProcInst>,
    inst_ids: FxHashMap<InstKey, u32>,
    region_queue: std::collections::VecDeque<u32>,
    /// The instance whose body or contract is being lowered.
    current: Option<u32>,
    /// The `where` clause of each variable that has one, as a term over the variables.
    wheres: FxHashMap<VarId, Term>,
    /// The same for the variables of the term store.
    known_wheres: FxHashMap<Var, Term>,
    /// How many type quantifiers and code expressions have been lowered: tells whether an
    /// expression has one, so that its role matters.
    roles_seen: usize,
    /// The type quantifiers inside of formulas, and how many instances they got.
    asked: Vec<Asked>,
    warned: FxHashSet<Id<Quant>>,
    patterns: FxHashMap<Id<Quant>, std::rc::Rc<Vec<quant::Pattern>>>,
}

impl<'a> Lower<'a> {
    fn new(
        ast: &'a Ast,
        typed: &'a Typed,
        types: Types,
        known: Known,
        sources: &'a SourceMap,
        terms: &'a mut Terms,
        options: LowerOptions,
    ) -> Lower<'a> {
        Lower {
            ast,
            typed,
            terms,
            mono: Mono::new(ast, typed, types, known),
            diags: Diagnostics::new(),
            mode: options.mode,
            levels: options.inline_depth,
            program: Program::default(),
            locs: Locs::new(sources),
            slots: vec![Slot::Unset; ast.vars.len()],
            lets: vec![None; ast.let_vars.len()],
            params: vec![None; ast.params.len()],
            depth: 0,
            values: Vec::new(),
            plain_funcs: vec![None; ast.functions.len()],
            poly_funcs: FxHashMap::default(),
            funcs: Vec::new(),
            func_queue: Vec::new(),
            inline_depth: 0,
            insts: Vec::new(),
            inst_ids: FxHashMap::default(),
            region_queue: std::collections::VecDeque::new(),
            current: None,
            wheres: FxHashMap::default(),
            known_wheres: FxHashMap::default(),
            roles_seen: 0,
            asked: Vec::new(),
            warned: FxHashSet::default(),
            patterns: FxHashMap::default(),
        }
    }

    fn run(&mut self) {
        self.program.files = self.locs.sources.files().map(|(_, file)| file.name().to_owned()).collect();
        self.state();
        let mut axioms = self.plain_axioms();
        self.unique_constants();
        self.entries();
        while let Some(inst) = self.region_queue.pop_front() {
            let inst_of = &self.insts[inst as usize];
            let (name, tys) = (self.ast[inst_of.proc].name, inst_of.tys.clone());
            if !self.mono.grows_forever(&mut self.diags, name, &tys) {
                self.region(inst);
            }
        }
        self.definitions();
        self.poly_axioms(&mut axioms);
    }

    /// Globals and constants, and the `where` clauses of globals.
    fn state(&mut self) {
        for &var in &self.typed.constants {
            let decl = self.declare(var, "");
            self.program.constants.push(decl);
        }
        for &var in &self.typed.globals {
            let decl = self.declare(var, "");
            self.program.globals.push(decl);
        }
        for &var in &self.typed.globals {
            self.where_clause(var);
        }
    }

    /// Makes a variable of the term store for a variable of the program.
    fn declare(&mut self, var: VarId, prefix: &str) -> VarDecl {
        let name = self.ast[var].name;
        let text = self.ast.text(name.name);
        let sort = self.var_sort(var);
        let unique = match prefix {
            "" => self.mono.names.unique(text),
            _ => self.mono.names.unique(&format!("{prefix}.{text}")),
        };
        let id = self.terms.variable(&unique, sort);
        self.slots[var.index()] = Slot::Term(self.terms.var_term(id));
        VarDecl { var: id, source: Some(text.to_owned()), loc: self.locs.of(name.span) }
    }

    /// A variable that the program does not have.
    fn made_up(&mut self, name: &str, sort: Sort) -> VarDecl {
        let name = self.mono.names.unique(name);
        VarDecl { var: self.terms.variable(&name, sort), source: None, loc: Loc::NONE }
    }

    fn var_sort(&mut self, var: VarId) -> Sort {
        let ty = self.typed.var_ty(self.ast, var);
        self.sort_of(ty, self.ast[var].name.span)
    }

    /// The sort of a type as written at this place.
    fn sort_of(&mut self, ty: Ty, span: Span) -> Sort {
        self.mono.sort_at(self.terms, &mut self.diags, ty, span)
    }

    /// The sort of a ground type.
    fn ground_sort(&mut self, ty: Ty, span: Span) -> Sort {
        self.mono.sort(self.terms, &mut self.diags, ty, span)
    }

    /// Lowers the `where` clause of a variable in scope, if it has one.
    fn where_clause(&mut self, var: VarId) {
        if let Some(cond) = self.ast[var].wher {
            let term = self.expr(cond, Polarity::Assumed);
            self.note_where(var, term);
        }
    }

    fn note_where(&mut self, var: VarId, term: Term) {
        self.wheres.insert(var, term);
        if let Some(variable) = self.term_var(var) {
            self.known_wheres.insert(variable, term);
        }
    }

    /// A new assertion.
    fn assertion(&mut self, kind: AssertKind, attrs: Slice<Attr>, span: Span) -> AssertId {
        let message = self.message(attrs);
        let id = AssertId(self.program.assertions.len() as u32);
        self.program.assertions.push(Assertion { kind, message, loc: self.locs.of(span) });
        id
    }

    /// The text of `{:msg "…"}`.
    fn message(&self, attrs: Slice<Attr>) -> Option<String> {
        let attr = self.ast.attr(attrs, "msg")?;
        match self.ast[attr.args] {
            [AttrArg::Str(text)] => Some(self.ast.text(text).to_owned()),
            _ => None,
        }
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(DiagnosticKind::Unsupported, span, message));
    }

    /// A term to go on with after an error.
    fn dummy(&mut self, sort: Sort) -> Term {
        self.terms.fresh_var("error", sort)
    }
}

/// Spans to positions.
struct Locs<'a> {
    sources: &'a SourceMap,
}

impl<'a> Locs<'a> {
    fn new(sources: &'a SourceMap) -> Locs<'a> {
        Locs { sources }
    }

    fn of(&self, span: Span) -> Loc {
        self.sources.position(span.start).unwrap_or(Loc::NONE)
    }
}

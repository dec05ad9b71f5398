//! Trace formulas: the derivation of an error as a tree of formulas whose conjunction is satisfiable if and only if an execution takes it.

use lariat_engine::Budget;
use lariat_horn::{Position, System, Taken};
use lariat_smt::{Answer, Model, Solver, SolverError};
use lariat_term::{Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    precision::{Precision, conjuncts, fixes},
    reachability::{Derivation, FactId, Tree},
};

/// How many steps a trace may have.
const STEPS: usize = 2_000;
/// Cores with at most so many formulas are made minimal.
const MINIMIZE: usize = 80;
/// So many nodes make a small block.
const SMALL: usize = 200;
/// Traces with at most so many formulas are short.
const FEW: usize = 24;

/// A step of a trace: a clause with symbols of its own.
#[derive(Clone, Debug)]
pub struct Step {
    /// The clause.
    pub clause: usize,
    /// The fact that it derives; nothing for the error.
    pub fact: Option<FactId>,
    /// The steps that derive the atoms of its body; they come before it.
    pub children: Vec<usize>,
    /// What the arguments of the head are called, each otherwise than the others. What it leaves as it is is called as before.
    pub symbols: Vec<Term>,
    /// The conjuncts of its formula.
    pub parts: Vec<Term>,
    /// What the variables of the clause are here.
    pub instance: Vec<(Var, Term)>,
    /// Does it derive that a procedure is entered?
    pub enters: bool,
    /// Does it derive what a procedure returns?
    pub returns: bool,
}

/// The steps that lead to an error, that of the error last.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps; each comes after those that it builds on.
    pub steps: Vec<Step>,
}

/// The symbols of steps, by their number in a trace and their clause. Traces share them, so that what they have in common are the same formulas.
#[derive(Default)]
pub struct Symbols {
    variables: FxHashMap<(usize, usize, Var), Term>,
    arguments: FxHashMap<(usize, usize, usize), Term>,
}

/// Is there an execution that takes a trace?
pub enum Feasible {
    /// There is.
    Yes(Model),
    /// There is none: these formulas contradict each other.
    No(Vec<Term>),
    /// It is not known.
    Unknown(String),
}

impl Trace {
    /// That of an error; `None` if it is too long.
    pub fn new(
        terms: &mut Terms,
        system: &System,
        tree: &Tree,
        error: &Derivation,
        symbols: &mut Symbols,
    ) -> Option<Trace> {
        let mut trace = Trace { steps: Vec::new() };
        // Derivations with the steps of their premises that were made, and the fact that they derive.
        let mut stack: Vec<(Derivation, Vec<usize>, Option<FactId>)> = vec![(error.clone(), Vec::new(), None)];
        while let Some((derivation, mut children, fact)) = stack.pop() {
            if trace.steps.len() + stack.len() > STEPS {
                return None;
            }
            if let Some(&premise) = derivation.premises.get(children.len()) {
                stack.push((derivation, children, fact));
                stack.push((tree.facts[premise].by.clone(), Vec::new(), Some(premise)));
                continue;
            }
            let step = trace.step(terms, system, derivation.clause, std::mem::take(&mut children), fact, symbols);
            trace.steps.push(step);
            let number = trace.steps.len() - 1;
            if let Some((_, children, _)) = stack.last_mut() {
                children.push(number);
            }
        }
        Some(trace)
    }

    fn step(
        &self,
        terms: &mut Terms,
        system: &System,
        number: usize,
        children: Vec<usize>,
        fact: Option<FactId>,
        shared: &mut Symbols,
    ) -> Step {
        let clause = &system.clauses[number];
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        let mut same = Vec::new();
        for (atom, &child) in clause.body.iter().zip(&children) {
            for (&arg, &symbol) in atom.args.iter().zip(&self.steps[child].symbols) {
                match terms.as_var(arg) {
                    Some(v) if !map.contains_key(&v) => _ = map.insert(v, symbol),
                    _ => same.push((arg, symbol)),
                }
            }
        }
        let atoms = clause.body.iter().chain(&clause.head);
        let mut roots: Vec<Term> = atoms.flat_map(|a| &a.args).copied().collect();
        roots.push(clause.condition);
        for v in terms.free_vars(&roots) {
            map.entry(v).or_insert_with(|| {
                *shared.variables.entry((self.steps.len(), number, v)).or_insert_with(|| {
                    let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
                    terms.fresh_var(&name, sort)
                })
            });
        }
        let mut instance: Vec<(Var, Term)> = map.iter().map(|(&v, &t)| (v, t)).collect();
        instance.sort_unstable_by_key(|(v, _)| *v);
        let mut rename = Substituter::new(terms, map);
        let condition = rename.apply(terms, clause.condition);
        let mut parts = conjuncts(terms, condition);
        for (arg, symbol) in same {
            let arg = rename.apply(terms, arg);
            parts.push(terms.eq(arg, symbol));
        }
        let args: &[Term] = clause.head.as_ref().map_or(&[], |a| &a.args);
        let small = terms.dag_size(&[clause.condition]) <= SMALL;
        let mut times: FxHashMap<Term, usize> = FxHashMap::default();
        args.iter().for_each(|&arg| *times.entry(arg).or_default() += 1);
        let mut symbols = Vec::new();
        for (at, &arg) in args.iter().enumerate() {
            let value = rename.apply(terms, arg);
            // What a small step leaves as it is has the same symbol before and after it. (Across large blocks, interpolants of separate symbols are better.)
            if small && terms.as_var(arg).is_some() && times[&arg] == 1 {
                symbols.push(value);
                continue;
            }
            let symbol = shared.arguments.entry((self.steps.len(), number, at));
            let symbol = *symbol.or_insert_with(|| terms.fresh_var("symbol", terms.sort(arg)));
            parts.push(terms.eq(symbol, value));
            symbols.push(symbol);
        }
        parts.retain(|&t| t != terms.bool(true));
        let position = clause.head.as_ref().map(|h| system.position(h.relation).1);
        let (enters, returns) = (position == Some(Position::Entered), position == Some(Position::Returns));
        Step { clause: number, fact, children, symbols, parts, instance, enters, returns }
    }

    /// Is each step built on one before it, if at all?
    pub fn is_linear(&self) -> bool {
        self.steps.iter().enumerate().all(|(i, s)| match s.children[..] {
            [] => i == 0,
            [child] => child + 1 == i,
            _ => false,
        })
    }

    /// The clauses of the steps with the values of their variables in a model, if each step is built on the one before it.
    pub fn taken(&self, terms: &Terms, model: &Model) -> Option<Vec<Taken>> {
        let values = |step: &Step| {
            let value = |&(v, t): &(Var, Term)| Some((v, model.value(terms, t).ok()?));
            (step.clause, step.instance.iter().filter_map(value).collect())
        };
        self.is_linear().then(|| self.steps.iter().map(values).collect())
    }

    /// All formulas, each once.
    pub(crate) fn parts(&self) -> Vec<Term> {
        self.parts_of(|_| true)
    }

    fn parts_of(&self, which: impl Fn(usize) -> bool) -> Vec<Term> {
        let steps = self.steps.iter().enumerate().filter(|(i, _)| which(*i));
        let mut seen = FxHashSet::default();
        steps.flat_map(|(_, s)| s.parts.iter().copied()).filter(|&t| seen.insert(t)).collect()
    }

    /// Which steps only show that a procedure is entered. Its caller has the same steps once more.
    pub fn before_calls(&self) -> Vec<bool> {
        let mut before: Vec<bool> = self.steps.iter().map(|s| s.enters).collect();
        for i in (0..self.steps.len()).rev().filter(|&i| before[i]).collect::<Vec<_>>() {
            let mut stack = self.steps[i].children.clone();
            while let Some(i) = stack.pop() {
                if !before[i] {
                    before[i] = true;
                    stack.extend(&self.steps[i].children);
                }
            }
        }
        before
    }

    /// Is there an execution that takes it? If not, some of its formulas that contradict each other.
    pub fn feasible(&self, terms: &mut Terms, solver: &mut dyn Solver) -> Result<Feasible, SolverError> {
        let all = self.parts();
        Ok(match solver.check(terms, &all)? {
            Answer::Sat(model) => Feasible::Yes(model),
            Answer::Unsat(core) => Feasible::No(core),
            Answer::Unknown(reason) => Feasible::Unknown(reason.to_string()),
        })
    }

    /// Leaves formulas out that are not needed to see that there is no execution, which these show. The solver is asked in a scope that is
    /// closed again.
    pub fn reduce(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
        mut needed: Vec<Term>,
    ) -> Result<(), SolverError> {
        solver.push()?;
        // What a procedure does is known best without how it was called (section 5.2): it then holds for all callers.
        let before = self.before_calls();
        if before.contains(&true) {
            let callers: FxHashSet<Term> = self.parts_of(|i| before[i]).into_iter().collect();
            let callees: FxHashSet<Term> = self.parts_of(|i| !before[i]).into_iter().collect();
            let without: Vec<Term> = self.parts().into_iter().filter(|t| callees.contains(t)).collect();
            if callers.iter().any(|t| needed.contains(t))
                && let Answer::Unsat(core) = solver.check(terms, &without)?
            {
                needed = core;
            }
        }
        // Later ones are left out first: earlier ones say what leads to an error. Whether a solver's core has these is chance, so short traces do without.
        let all = self.parts();
        if all.len() <= FEW && terms.dag_size(&all) <= SMALL && !before.contains(&true) {
            needed = all;
        }
        // Those that are not necessary are left out, one after the other.
        let mut necessary = 0;
        while necessary < needed.len() && needed.len() <= MINIMIZE && budget.used_up().is_none() {
            let at = needed.len() - necessary - 1;
            let without: Vec<Term> = needed[..at].iter().chain(&needed[at + 1..]).copied().collect();
            match solver.check(terms, &without)? {
                Answer::Unsat(core) => needed.retain(|t| core.contains(t)),
                _ => necessary += 1,
            }
        }
        solver.pop(1)?;
        self.keep(&needed);
        Ok(())
    }

    /// Leaves all other formulas out.
    pub fn keep(&mut self, needed: &[Term]) {
        let needed: FxHashSet<Term> = needed.iter().copied().collect();
        self.steps.iter_mut().for_each(|s| s.parts.retain(|t| needed.contains(t)));
    }

    /// The trace of only those executions that are in the cube of each fact on the way. A step knows the cubes before and after it, and its formulas are
    /// simplified by what these say: where a cube says which branch of a large block is taken, only that branch is left.
    pub fn within_cubes(&self, terms: &mut Terms, tree: &Tree, precision: &Precision) -> Trace {
        let mut cubes: Vec<Vec<Term>> = Vec::new();
        for step in &self.steps {
            let Some(fact) = step.fact.map(|f| &tree.facts[f]) else {
                cubes.push(Vec::new());
                continue;
            };
            let predicates = precision.about(terms, fact.relation, 0, &step.symbols);
            let mut literal = |&(i, holds): &(u32, bool)| {
                let t = predicates[i as usize];
                if holds { t } else { terms.not(t) }
            };
            cubes.push(fact.cube.iter().map(&mut literal).collect());
        }
        let mut within = self.clone();
        for (i, step) in within.steps.iter_mut().enumerate() {
            let known: Vec<Term> = step.children.iter().chain([&i]).flat_map(|&s| cubes[s].iter().copied()).collect();
            let values: FxHashMap<Var, Term> = known.iter().filter_map(|&t| fixes(terms, t)).collect();
            let mut simplify = Substituter::new(terms, values);
            let mut parts: Vec<Term> = known.iter().copied().filter(|&t| fixes(terms, t).is_some()).collect();
            for &t in known.iter().chain(&self.steps[i].parts) {
                let t = simplify.apply(terms, t);
                parts.extend(conjuncts(terms, t));
            }
            let (yes, mut seen) = (terms.bool(true), FxHashSet::default());
            parts.retain(|&t| t != yes && seen.insert(t));
            step.parts = parts;
        }
        within
    }
}

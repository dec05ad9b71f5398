//! Interpolants by strongest post-conditions along a minimised unsatisfiable core, for theories without proofs of our own (bit-vectors, arrays).
//!
//! From part to part: what is known and the part, with every variable that is dead behind it replaced by its definition; what still speaks of a dead
//! symbol is left out, and so is what the contradiction with the rest does not need. The same from the other end and negated
//! is the weakest pre-condition. No quantifier is made; where one would be needed, there is no answer.

use lariat_smt::{Answer, Interpolants, Interpolator, Interrupter, Limits, Nesting, Solver, SolverError, solvers};
use lariat_term::{Op, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

use crate::{
    arrays, check,
    problem::{Symbol, symbols},
    simplify,
    stop::{Control, Stop},
    tree::Tree,
};

/// Larger cores are taken as the solver gives them.
const MINIMISED: usize = 60;

/// The steps of Z3 after which a question is no quick one: a few tenths of a second.
const HASTE: u64 = 300_000;

/// Interpolants by post-conditions of cores.
pub struct CoreInterpolator {
    control: Control,
}

impl Default for CoreInterpolator {
    fn default() -> Self {
        CoreInterpolator::new()
    }
}

/// What comes of one direction.
enum Attempt {
    Formulas(Vec<Term>),
    Satisfiable,
    Nothing(String),
}

impl CoreInterpolator {
    /// One without limits.
    pub fn new() -> CoreInterpolator {
        CoreInterpolator { control: Control::new() }
    }

    fn solve(&mut self, terms: &mut Terms, parts: &[Term], tree: &Tree) -> Result<Interpolants, SolverError> {
        check::accept(terms, parts)?;
        let stop = self.control.start();
        let found = interpolants(terms, parts, tree, &stop)?;
        if let (true, Interpolants::Sequence(found)) = (cfg!(debug_assertions), &found) {
            check::refuse_wrong(self.name(), terms, parts, tree, found)?;
        }
        Ok(found)
    }
}

/// Interpolants of parts along a tree.
pub fn interpolants(terms: &mut Terms, parts: &[Term], tree: &Tree, stop: &Stop) -> Result<Interpolants, SolverError> {
    let mut solver = Refuter::new(stop.clone())?;
    let needed = match needed(terms, parts, &mut solver)? {
        Needed::Parts(needed) => needed,
        Needed::Satisfiable => return Ok(Interpolants::Satisfiable),
        Needed::Unknown => return Ok(Interpolants::Unknown("the solver does not know".into())),
    };
    let forward = posts(terms, &mut solver, &needed, tree)?;
    let mut backward = Attempt::Nothing(String::new());
    if tree.is_chain() {
        let reversed: Vec<Vec<Term>> = needed.iter().rev().cloned().collect();
        backward = posts(terms, &mut solver, &reversed, tree)?;
        if let Attempt::Formulas(all) = &mut backward {
            all.reverse();
            all.iter_mut().for_each(|t| *t = terms.not(*t));
        }
    }
    let size = |all: &[Term]| all.iter().map(|&t| terms.dag_size(&[t])).sum::<usize>();
    let found = match (forward, backward) {
        (Attempt::Formulas(f), Attempt::Formulas(b)) => {
            if size(&b) < size(&f) {
                b
            } else {
                f
            }
        }
        (Attempt::Formulas(one), _) | (_, Attempt::Formulas(one)) => one,
        (Attempt::Nothing(why), _) => return Ok(Interpolants::Unknown(why)),
        (Attempt::Satisfiable, _) => return Ok(Interpolants::Unknown("post-conditions are too weak".into())),
    };
    Ok(Interpolants::Sequence(simplify::tidy(terms, found)))
}

/// What a contradiction needs.
pub enum Needed {
    /// Of each part, the conjuncts.
    Parts(Vec<Vec<Term>>),
    /// There is none.
    Satisfiable,
    /// It is not known, or not in time.
    Unknown,
}

/// The conjuncts of parts that contradict each other.
pub fn needed(terms: &mut Terms, parts: &[Term], solver: &mut Refuter) -> Result<Needed, SolverError> {
    let split: Vec<Vec<Term>> = parts.iter().map(|&t| conjuncts(terms, &[t])).collect();
    let all: Vec<Term> = split.iter().flatten().copied().collect();
    let core: FxHashSet<Term> = match solver.core(terms, &[], &all)? {
        Refuted::Core(core) => core.into_iter().collect(),
        Refuted::Satisfiable => return Ok(Needed::Satisfiable),
        Refuted::Unknown => return Ok(Needed::Unknown),
    };
    let of_core = |p: Vec<Term>| p.into_iter().filter(|t| core.contains(t)).collect();
    Ok(Needed::Parts(split.into_iter().map(of_core).collect()))
}

/// Post-conditions along the tree.
fn posts(terms: &mut Terms, solver: &mut Refuter, parts: &[Vec<Term>], tree: &Tree) -> Result<Attempt, SolverError> {
    let n = parts.len();
    let own: Vec<BTreeSet<Symbol>> = parts.iter().map(|p| symbols(terms, p)).collect();
    let mut below: Vec<Vec<Term>> = vec![Vec::new(); n];
    let mut out = Vec::new();
    for i in 0..n - 1 {
        let mut facts = std::mem::take(&mut below[i]);
        facts.extend(&parts[i]);
        let above = tree.parent(i);
        if tree.cuts()[i].is_none() {
            out.push(terms.bool(true));
            below[above].extend(facts);
            continue;
        }
        let outside: BTreeSet<Symbol> = (0..n).filter(|&j| !tree.is_below(j, i)).flat_map(|j| own[j].clone()).collect();
        let known = project(terms, &facts, &outside);
        // What is known of other branches of the tree, and what is still to come.
        let rest: Vec<Term> = below.iter().flatten().copied().chain(parts[i + 1..].iter().flatten().copied()).collect();
        match solver.core(terms, &rest, &known)? {
            Refuted::Core(kept) => {
                out.push(terms.and(&kept));
                below[above].extend(kept);
            }
            Refuted::Satisfiable => return Ok(Attempt::Satisfiable),
            Refuted::Unknown => return Ok(Attempt::Nothing("the solver does not know".into())),
        }
    }
    Ok(Attempt::Formulas(out))
}

/// What comes of a search for a core.
pub enum Refuted {
    /// Those of the terms that are needed.
    Core(Vec<Term>),
    /// There is a model.
    Satisfiable,
    /// It is not known, or not in time.
    Unknown,
}

/// A solver that is asked for cores.
pub struct Refuter {
    solver: Box<dyn Solver>,
    stop: Stop,
    /// How many steps a check may take.
    resource: Option<u64>,
}

impl Refuter {
    /// A fresh one.
    pub fn new(stop: Stop) -> Result<Refuter, SolverError> {
        let solver = solvers::open("auto", None)?;
        stop.watch(&solver.interrupter());
        Ok(Refuter { solver, stop, resource: None })
    }

    /// One that gives up soon.
    pub fn hasty(stop: Stop) -> Result<Refuter, SolverError> {
        Ok(Refuter { resource: Some(HASTE), ..Refuter::new(stop)? })
    }

    fn check(&mut self, terms: &Terms, rest: &[Term], some: &[Term]) -> Result<Refuted, SolverError> {
        if self.stop.is_over() {
            return Ok(Refuted::Unknown);
        }
        let limits = self.stop.limits();
        self.solver.set_limits(Limits { resource: self.resource.or(limits.resource), ..limits });
        let all: Vec<Term> = some.iter().chain(rest).copied().collect();
        Ok(match self.solver.check(terms, &all)? {
            Answer::Unsat(core) => {
                let core: FxHashSet<Term> = core.into_iter().collect();
                Refuted::Core(some.iter().copied().filter(|t| core.contains(t) && !rest.contains(t)).collect())
            }
            Answer::Sat(_) => Refuted::Satisfiable,
            Answer::Unknown(_) => Refuted::Unknown,
        })
    }

    /// A set of terms, none of them superfluous, that contradicts the rest.
    pub fn core(&mut self, terms: &Terms, rest: &[Term], some: &[Term]) -> Result<Refuted, SolverError> {
        // What the rest says, too, is known there already.
        let mut core = match self.check(terms, rest, some)? {
            Refuted::Core(core) => core,
            other => return Ok(other),
        };
        if core.len() > MINIMISED {
            return Ok(Refuted::Core(core));
        }
        // Long ones first: short ones are the better predicates.
        let mut order = core.clone();
        order.sort_by_key(|&t| std::cmp::Reverse(terms.dag_size(&[t])));
        for t in order {
            if !core.contains(&t) {
                continue;
            }
            let without: Vec<Term> = core.iter().copied().filter(|&o| o != t).collect();
            if let Refuted::Core(smaller) = self.check(terms, rest, &without)? {
                core = smaller;
            }
        }
        Ok(Refuted::Core(core))
    }
}

/// The conjuncts of terms, each once.
fn conjuncts(terms: &mut Terms, all: &[Term]) -> Vec<Term> {
    let mut stack: Vec<Term> = all.iter().rev().copied().collect();
    let (mut out, mut seen) = (Vec::new(), FxHashSet::default());
    while let Some(t) = stack.pop() {
        match terms.op(t) {
            Op::And => stack.extend(terms.args(t).iter().rev()),
            Op::Not if terms.op(terms.args(t)[0]) == Op::Or => {
                let inner = terms.args(terms.args(t)[0]).to_vec();
                for a in inner.into_iter().rev() {
                    stack.push(terms.not(a));
                }
            }
            Op::True => {}
            _ if seen.insert(t) => out.push(t),
            _ => {}
        }
    }
    out
}

/// What facts say of these symbols, as far as definitions of the others tell; the facts imply it.
fn project(terms: &mut Terms, facts: &[Term], live: &BTreeSet<Symbol>) -> Vec<Term> {
    let mut facts = conjuncts(terms, facts);
    let is_live = |s: &Symbol| live.contains(s);
    loop {
        let definition = facts.iter().enumerate().find_map(|(k, &t)| {
            let dead: Vec<Var> = terms.free_vars(&[t]).into_iter().filter(|v| !is_live(&Symbol::Var(*v))).collect();
            dead.into_iter().find_map(|v| define(terms, t, v).map(|e| (k, v, e)))
        });
        if let Some((k, v, e)) = definition {
            facts.remove(k);
            let map: FxHashMap<Var, Term> = [(v, e)].into_iter().collect();
            let new = terms.substitute_all(&facts, &map);
            facts = conjuncts(terms, &new);
            continue;
        }
        let written = facts.iter().enumerate().find_map(|(k, &t)| {
            let (array, store) = arrays::written(terms, t)?;
            let v = terms.as_var(terms.args(store)[0])?;
            let dead = !is_live(&Symbol::Var(v)) && !terms.free_vars(&[array]).contains(&v);
            dead.then_some((k, v, array, store))
        });
        let Some((k, v, array, store)) = written else { break };
        facts.remove(k);
        let new = arrays::before(terms, &facts, v, array, store);
        facts = conjuncts(terms, &new);
    }
    let read = arrays::resolve_reads(terms, &facts);
    facts = conjuncts(terms, &read);
    facts.retain(|&t| symbols(terms, &[t]).iter().all(is_live));
    facts
}

/// What a variable is by this fact, if the fact says nothing else.
fn define(terms: &mut Terms, fact: Term, v: Var) -> Option<Term> {
    let x = terms.var_term(v);
    if fact == x {
        return Some(terms.bool(true));
    }
    let args = terms.args(fact).to_vec();
    match terms.op(fact) {
        Op::Not if args[0] == x => Some(terms.bool(false)),
        Op::Eq => {
            for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                if terms.free_vars(&[b]).contains(&v) {
                    continue;
                }
                if a == x {
                    return Some(b);
                }
                if let Some(e) = solve(terms, a, b, x) {
                    return Some(e);
                }
            }
            None
        }
        _ => None,
    }
}

/// From `sum = b`, a summand that occurs once.
fn solve(terms: &mut Terms, sum: Term, b: Term, x: Term) -> Option<Term> {
    let op = terms.op(sum);
    if !matches!(op, Op::Add | Op::BvAdd) {
        return None;
    }
    let args = terms.args(sum).to_vec();
    let at = args.iter().position(|&a| a == x)?;
    let v = terms.as_var(x)?;
    let mut e = b;
    for (k, &a) in args.iter().enumerate() {
        if k == at {
            continue;
        }
        if terms.free_vars(&[a]).contains(&v) {
            return None;
        }
        e = if matches!(terms.sort(x), Sort::INT | Sort::REAL) { terms.sub(e, a) } else { terms.bv_sub(e, a) };
    }
    Some(e)
}

impl Interpolator for CoreInterpolator {
    fn name(&self) -> &str {
        "core"
    }

    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError> {
        let tree = check::tree(parts, nesting)?;
        self.solve(terms, parts, &tree)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.control.interrupter()
    }
}

//! Interpolants for each step of an infeasible trace.
//!
//! A formula for each step but the last: implied by the formulas of the step and those below it, contradicting the others, and over the
//! symbols of the step that both have. They form an inductive sequence, or a tree where steps build on several others.

use std::time::Duration;

use lariat_engine::Budget;
use lariat_horn::{Atom, Clause, SpacerAnswer, SpacerMode, System, prove};
use lariat_interpolate::{CoreInterpolator, ProofInterpolator};
use lariat_smt::{Answer, Interpolants, Interpolator, Limits, Nesting, Solver, SolverError};
use lariat_term::{Op, Sort, Substituter, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::{
    precision::{atoms, conjuncts},
    trace::{Step, Trace},
};

/// How long one search for interpolants may take at first.
pub const TIME: Duration = Duration::from_secs(10);

/// So many atoms a step are simple.
const SIMPLE: usize = 3;
/// So many atoms of a step of a trace leave few cases.
const CASES: usize = 24;
/// So many branches in a step of a trace are many.
const BRANCHES: usize = 64;
/// So many conjuncts are made as few as possible.
const CONJUNCTS: usize = 24;
/// How long the search for a proof may take.
const PROOF: Duration = Duration::from_secs(2);

/// By step, an interpolant over its symbols; `Err` says why there are none.
pub type StepInterpolants = Result<Vec<Term>, String>;

/// The symbols of each step that its interpolant may be about: those that occur in it or below it, and elsewhere.
fn shared(terms: &Terms, trace: &Trace) -> Vec<Vec<Var>> {
    let mut used: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
    for (i, step) in trace.steps.iter().enumerate() {
        for v in terms.free_vars(&step.parts) {
            used.entry(v).or_default().push(i);
        }
    }
    // A step and those below it follow each other.
    let mut first: Vec<usize> = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        first.push(step.children.first().map_or(i, |&c| first[c]));
    }
    let own = |(i, step): (usize, &Step)| {
        let below = |at: &usize| (first[i]..=i).contains(at);
        let crosses = |v: &Var| used.get(v).is_some_and(|at| at.iter().any(below) && !at.iter().all(below));
        step.symbols.iter().filter_map(|&t| terms.as_var(t)).filter(crosses).collect()
    };
    trace.steps.iter().enumerate().map(own).collect()
}

/// Interpolants of a trace, by proofs where these are found and simple, and by Spacer elsewhere; by post-conditions of a core
/// where neither finds any. What later steps do not need is left out. Spacer has so much time.
pub fn interpolants(
    terms: &mut Terms,
    trace: &Trace,
    solver: &mut dyn Solver,
    budget: &Budget,
    time: Duration,
) -> Result<StepInterpolants, SolverError> {
    let mut proved = None;
    let sequence = Sequence::new(trace);
    // Proofs of steps with many cases are long.
    let plain = trace.steps.iter().all(|step| size(terms, &step.parts) <= CASES);
    if let (Some(sequence), true) = (&sequence, plain)
        && let Some(mut found) = sequence.interpolants(terms, trace, &mut ProofInterpolator::new(), budget)?
    {
        trim(terms, trace, &mut found, solver, budget)?;
        let size = size(terms, &found);
        if size <= SIMPLE * found.len() {
            return Ok(Ok(found));
        }
        proved = Some((size, found));
    }
    let mut answered = by_spacer(terms, trace, budget, time)?;
    if let (Err(_), None, Some(sequence)) = (&answered, &proved, &sequence)
        && let Some(found) = sequence.interpolants(terms, trace, &mut CoreInterpolator::new(), budget)?
    {
        answered = Ok(found);
    }
    if let Ok(found) = &mut answered {
        trim(terms, trace, found, solver, budget)?;
    }
    Ok(match (proved, answered) {
        (Some((size_of_proof, proved)), Ok(other)) if size_of_proof <= size(terms, &other) => Ok(proved),
        (Some((_, proved)), Err(_)) => Ok(proved),
        (_, answered) => answered,
    })
}

/// Has a step many cases: is it a large block with many branches?
pub fn has_many_cases(terms: &Terms, trace: &Trace) -> bool {
    let branches = |step: &Step| {
        let nodes = terms.post_order(&step.parts);
        nodes.into_iter().filter(|&t| matches!(terms.op(t), Op::Ite | Op::Or)).count()
    };
    trace.steps.iter().any(|step| branches(step) > BRANCHES)
}

/// How many atoms there are, over all steps.
fn size(terms: &mut Terms, found: &[Term]) -> usize {
    found.iter().map(|&t| atoms(terms, t).len()).sum()
}

/// An equation of numbers as two bounds, one of which may be enough.
fn halves(terms: &mut Terms, t: Term) -> Vec<Term> {
    match (terms.op(t), terms.args(t)) {
        (Op::Eq, &[a, b]) if matches!(terms.sort(a), Sort::INT | Sort::REAL) => vec![terms.le(a, b), terms.le(b, a)],
        _ => vec![t],
    }
}

/// Leaves conjuncts out that no later step needs, from the last step to the first.
fn trim(
    terms: &mut Terms,
    trace: &Trace,
    found: &mut [Term],
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<(), SolverError> {
    for (i, step) in trace.steps.iter().enumerate().rev() {
        let mut needed = Vec::new();
        for &child in &step.children {
            for t in conjuncts(terms, found[child]) {
                needed.extend(halves(terms, t).into_iter().map(|t| (child, t)));
            }
        }
        if needed.len() < 2 || budget.used_up().is_some() {
            continue;
        }
        solver.push()?;
        for &part in &step.parts {
            solver.assert(terms, part)?;
        }
        // An error is what must not follow.
        if let (Some(_), Some(&goal)) = (step.fact, found.get(i)) {
            let not = terms.not(goal);
            solver.assert(terms, not)?;
        }
        let assumed = |needed: &[(usize, Term)]| needed.iter().map(|n| n.1).collect::<Vec<Term>>();
        if let Answer::Unsat(core) = solver.check(terms, &assumed(&needed))? {
            needed.retain(|n| core.contains(&n.1));
            let mut necessary = 0;
            while necessary < needed.len() && needed.len() <= CONJUNCTS {
                let at = needed.len() - necessary - 1;
                let without: Vec<Term> = assumed(&[&needed[..at], &needed[at + 1..]].concat());
                match solver.check(terms, &without)? {
                    Answer::Unsat(core) => needed.retain(|n| core.contains(&n.1)),
                    _ => necessary += 1,
                }
            }
            for &child in &step.children {
                let kept: Vec<Term> = needed.iter().filter(|n| n.0 == child).map(|n| n.1).collect();
                found[child] = terms.and(&kept);
            }
        }
        solver.pop(1)?;
    }
    Ok(())
}

/// A trace in the order of its execution, where what procedures do is known without how they were called.
struct Sequence {
    /// The steps; nothing where a procedure is called.
    steps: Vec<Option<usize>>,
    nesting: Nesting,
}

impl Sequence {
    /// `None` if how a procedure was called is needed to know what it does.
    fn new(trace: &Trace) -> Option<Sequence> {
        let before = trace.before_calls();
        if (0..before.len()).any(|i| before[i] && !trace.steps[i].parts.is_empty()) {
            return None;
        }
        let mut sequence = Sequence { steps: Vec::new(), nesting: Nesting::default() };
        // Steps with how many of their children are done, and the call that they return from.
        let mut stack = vec![(trace.steps.len() - 1, 0, None)];
        while let Some((step, done, mut call)) = stack.pop() {
            let Step { children, enters, .. } = &trace.steps[step];
            if let (Some(&child), false) = (children.get(done), *enters) {
                if trace.steps[child].returns {
                    if call.is_some() {
                        return None;
                    }
                    call = Some(sequence.nesting.calls.len());
                    sequence.nesting.calls.push((sequence.steps.len(), None));
                    sequence.steps.push(None);
                } else if done > 0 {
                    return None;
                }
                stack.push((step, done + 1, call));
                stack.push((child, 0, None));
                continue;
            }
            if let Some(call) = call {
                sequence.nesting.calls[call].1 = Some(sequence.steps.len());
            }
            sequence.steps.push(Some(step));
        }
        Some(sequence)
    }

    /// By step, the formulas that an interpolator finds, well-scoped where there are calls.
    fn interpolants(
        &self,
        terms: &mut Terms,
        trace: &Trace,
        interpolator: &mut dyn Interpolator,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, SolverError> {
        let part = |step: &Option<usize>| step.map_or(&[][..], |i| &trace.steps[i].parts);
        let parts: Vec<Term> = self.steps.iter().map(|step| terms.and(part(step))).collect();
        budget.stop.watch(interpolator.interrupter());
        let time = budget.left().map_or(PROOF, |left| left.min(PROOF));
        interpolator.set_limits(Limits { time: Some(time), ..budget.solver_limits() });
        let found = match interpolator.scoped(terms, &parts, &self.nesting) {
            Ok(Interpolants::Sequence(found)) => found,
            Ok(Interpolants::Satisfiable | Interpolants::Unknown(_)) | Err(SolverError::Unsupported { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        // Nothing is to be known of steps that are left out.
        let mut by_step = vec![terms.bool(true); trace.steps.len()];
        for (step, t) in self.steps.iter().zip(found) {
            step.iter().for_each(|&i| by_step[i] = t);
        }
        Ok(Some(by_step))
    }
}

/// Those that Z3's Spacer finds: the steps are clauses without recursion over a relation for each step, and a solution of these is a set of interpolants.
fn by_spacer(
    terms: &mut Terms,
    trace: &Trace,
    budget: &Budget,
    time: Duration,
) -> Result<StepInterpolants, SolverError> {
    let shared = shared(terms, trace);
    let mut clauses = Vec::new();
    let mut relations: Vec<Vec<_>> =
        shared.iter().map(|vars| vars.iter().map(|&v| terms.var_sort(v)).collect()).collect();
    relations.pop();
    let atom = |terms: &mut Terms, i: usize| Atom {
        relation: i,
        args: shared[i].iter().map(|&v| terms.var_term(v)).collect(),
    };
    let last = trace.steps.len() - 1;
    for (i, step) in trace.steps.iter().enumerate() {
        let body = step.children.iter().map(|&c| atom(terms, c)).collect();
        let condition = terms.and(&step.parts);
        let head = (i < last).then(|| atom(terms, i));
        clauses.push(Clause { body, condition, head });
    }
    let system = System::of_clauses(relations, clauses);
    let mut z3 = SpacerMode::Local.open()?;
    budget.stop.watch(z3.interrupter());
    let time = budget.left().map_or(time, |left| left.min(time));
    Ok(match prove(&system, terms, &mut z3, Some(time))? {
        SpacerAnswer::Solution(solution) => {
            let mut found = Vec::new();
            for (claim, vars) in solution.claims.iter().zip(&shared) {
                let args = vars.iter().map(|&v| terms.var_term(v));
                let map: FxHashMap<Var, Term> = claim.params.iter().copied().zip(args).collect();
                found.push(Substituter::new(terms, map).apply(terms, claim.holds));
            }
            Ok(found)
        }
        SpacerAnswer::Nothing => Err("the trace is not refuted without recursion".into()),
        SpacerAnswer::Unknown => Err("no interpolants of a trace were found".into()),
    })
}

//! Whether interpolants are what they claim to be, by a solver that has nothing to do with how they were found.

use lariat_smt::{Answer, Limits, Nesting, Solver, SolverError, Unsound, Z3Solver};
use lariat_term::{Sort, Term, Terms};
use std::time::Duration;

use crate::{problem::symbols, tree::Tree};

/// How long one question of a check may take.
const TIME: Duration = Duration::from_secs(5);

/// At least one part, all Boolean and closed.
pub(crate) fn accept(terms: &Terms, parts: &[Term]) -> Result<(), SolverError> {
    if parts.is_empty() {
        return Err(SolverError::Misuse("interpolants of no parts".into()));
    }
    for &t in parts {
        if t.index() >= terms.len() || terms.sort(t) != Sort::BOOL || terms.loose(t) > 0 {
            return Err(SolverError::Misuse("a part that is no closed Boolean term of this store".into()));
        }
    }
    Ok(())
}

/// The tree of a trace with calls.
pub(crate) fn tree(parts: &[Term], nesting: &Nesting) -> Result<Tree, SolverError> {
    if parts.is_empty() {
        return Err(SolverError::Misuse("interpolants of no parts".into()));
    }
    Tree::nested(parts.len(), nesting).map_err(SolverError::Misuse)
}

/// What is wrong with the interpolants of a sequence of parts, if something is: each must follow from the one before (or nothing) and its part, the
/// last with the last part must have no model, and its symbols must occur on both sides. From this the rest follows: all parts up to
/// a cut imply its interpolant, and all others contradict it. `None` if nothing is found, be it only because the solver cannot tell.
pub fn wrong_sequence(terms: &mut Terms, parts: &[Term], found: &[Term]) -> Result<Option<String>, SolverError> {
    accept(terms, parts)?;
    wrong(terms, parts, &Tree::sequence(parts.len()), found)
}

/// As [`wrong_sequence`], for a trace with calls; see [`Interpolator::scoped`](lariat_smt::Interpolator::scoped).
pub fn wrong_scoped(
    terms: &mut Terms,
    parts: &[Term],
    nesting: &Nesting,
    found: &[Term],
) -> Result<Option<String>, SolverError> {
    accept(terms, parts)?;
    let tree = tree(parts, nesting)?;
    wrong(terms, parts, &tree, found)
}

pub(crate) fn wrong(
    terms: &mut Terms,
    parts: &[Term],
    tree: &Tree,
    found: &[Term],
) -> Result<Option<String>, SolverError> {
    let n = parts.len();
    if found.len() + 1 != n {
        return Ok(Some(format!("{} interpolants of {n} parts", found.len())));
    }
    for (i, cut) in tree.cuts().iter().enumerate() {
        let inside = |j: usize| cut.is_some_and(|node| tree.is_below(j, node));
        let (first, second): (Vec<usize>, Vec<usize>) = (0..n).partition(|&j| inside(j));
        let side = |side: &[usize]| symbols(terms, &side.iter().map(|&j| parts[j]).collect::<Vec<_>>());
        let (first, second) = (side(&first), side(&second));
        if let Some(s) = symbols(terms, &[found[i]]).iter().find(|s| !first.contains(s) || !second.contains(s)) {
            let text = terms.display(found[i]).to_string();
            return Ok(Some(format!("interpolant {i} has {s:?}, which is not on both sides: {text}")));
        }
    }
    let mut z3 = solver()?;
    // A call's part has no interpolant of its own: what holds before it and the part itself are left to the return.
    let mut below: Vec<Vec<Term>> = vec![Vec::new(); n];
    for i in 0..n {
        let mut facts = std::mem::take(&mut below[i]);
        facts.push(parts[i]);
        let above = tree.parent(i);
        let claim = match tree.cuts().get(i) {
            Some(Some(_)) => found[i],
            Some(None) => {
                below[above].extend(facts);
                continue;
            }
            None => terms.bool(false),
        };
        let not = terms.not(claim);
        let mut question = facts.clone();
        question.push(not);
        if has_model(&mut z3, terms, &question)? == Some(true) {
            let shown: Vec<String> = facts.iter().map(|&t| terms.display(t).to_string()).collect();
            let claim = terms.display(claim);
            return Ok(Some(format!("{} do not imply interpolant {i}: {claim}", shown.join(" and "))));
        }
        if above != i {
            below[above].push(claim);
        }
    }
    Ok(None)
}

/// An error if interpolants are wrong.
pub(crate) fn refuse_wrong(
    name: &str,
    terms: &mut Terms,
    parts: &[Term],
    tree: &Tree,
    found: &[Term],
) -> Result<(), SolverError> {
    match wrong(terms, parts, tree, found)? {
        None => Ok(()),
        Some(what) => {
            let query = parts.iter().map(|&t| terms.display(t).to_string() + "\n").collect();
            Err(SolverError::Unsound(Box::new(Unsound { solver: name.into(), what, query })))
        }
    }
}

/// Do these have a common model, as far as Z3 can tell?
pub(crate) fn satisfiable(terms: &Terms, all: &[Term]) -> Result<Option<bool>, SolverError> {
    has_model(&mut solver()?, terms, all)
}

fn solver() -> Result<Z3Solver, SolverError> {
    let mut z3 = Z3Solver::new(None)?;
    z3.set_limits(Limits::time(TIME));
    z3.set_checking(false);
    Ok(z3)
}

fn has_model(z3: &mut Z3Solver, terms: &Terms, all: &[Term]) -> Result<Option<bool>, SolverError> {
    z3.push()?;
    for &t in all {
        z3.assert(terms, t)?;
    }
    let answer = z3.check(terms, &[])?;
    z3.pop(1)?;
    Ok(match answer {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    })
}

//! Which values the arguments of a relation take after one step.

use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Op, SortKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{case_splits, explicit_values::Row};

/// How many values an argument may take before it is left open.
pub(crate) const STEP: usize = 16;
/// Bit-vectors of up to this width have few values, whatever they are.
const NARROW: u32 = 6;
/// How often cases are split in vain.
const HARD: usize = 4;
/// How many rows there may be.
const SUCCESSORS: usize = 2_000;

/// An argument whose values are to be listed, but for where it is `free`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct OpenArgument {
    /// Which argument.
    pub at: usize,
    pub arg: Term,
    pub free: Term,
}

impl OpenArgument {
    /// Has the argument this value, or is it free?
    fn is(self, terms: &mut Terms, value: Option<Term>) -> Term {
        let Some(value) = value else { return self.free };
        let (listed, equal) = (terms.not(self.free), terms.eq(self.arg, value));
        terms.and(&[listed, equal])
    }
}

/// The values that open arguments take together under a condition; those that take too many stay open, and become
/// `wide`. `None` if there are too many rows or the solver does not know. How often splitting cases was `too_hard` for such questions is counted.
pub(crate) fn successors(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    go_on: &dyn Fn() -> bool,
    condition: Term,
    open: &[OpenArgument],
    wide: &mut [bool],
    too_hard: &mut usize,
) -> Result<Option<Vec<Row>>, SolverError> {
    if open.is_empty() && condition == terms.bool(true) {
        return Ok(Some(vec![Row::new()]));
    }
    // Clauses that were too much a few times are so in most states.
    if *too_hard < HARD {
        let mut tried = false;
        if let Some(rows) = case_splits::successors(terms, condition, open, wide, &mut tried) {
            *too_hard = 0;
            return Ok(Some(rows));
        }
        *too_hard += usize::from(tried);
    }
    solver.push()?;
    let found = enumerate(terms, solver, go_on, condition, open, wide);
    solver.pop(1)?;
    found
}

fn enumerate(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    go_on: &dyn Fn() -> bool,
    condition: Term,
    open: &[OpenArgument],
    wide: &mut [bool],
) -> Result<Option<Vec<Row>>, SolverError> {
    solver.assert(terms, condition)?;
    let asked: Vec<OpenArgument> = open.iter().copied().filter(|o| !few(terms, o.arg) && !wide[o.at]).collect();
    let Some(too_many) = too_many(terms, solver, &asked)? else { return Ok(None) };
    asked.iter().zip(too_many).for_each(|(o, many)| wide[o.at] |= many);
    let mut listed = open.to_vec();
    for o in &mut listed {
        if wide[o.at] && !few(terms, o.arg) {
            o.free = unlisted(terms, o.arg);
        }
    }
    let mut rows = Vec::new();
    loop {
        let model = match solver.check(terms, &[])? {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Ok(Some(rows)),
            Answer::Unknown(_) => return Ok(None),
        };
        let mut row = Row::new();
        let mut same = Vec::new();
        for o in &listed {
            let free = model.value(terms, o.free)?;
            let value = if terms.value_term(&free) == terms.bool(true) {
                None
            } else {
                let value = model.value(terms, o.arg)?;
                Some(terms.value_term(&value))
            };
            same.push(o.is(terms, value));
            row.push(value);
        }
        rows.push(row);
        let again = terms.and(&same);
        if again == terms.bool(true) {
            return Ok(Some(rows));
        }
        if rows.len() > SUCCESSORS || !go_on() {
            return Ok(None);
        }
        let another = terms.not(again);
        solver.assert(terms, another)?;
    }
}

/// Which arguments take too many values? In each round all that may still do get new values at once; which of
/// them cannot is in the core. `None` if the solver does not know.
fn too_many(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    open: &[OpenArgument],
) -> Result<Option<Vec<bool>>, SolverError> {
    let mut wide: Vec<usize> = (0..open.len()).collect();
    let mut seen: Vec<Vec<Term>> = vec![Vec::new(); open.len()];
    while !wide.is_empty() && seen[wide[0]].len() <= STEP {
        let mut new = Vec::new();
        for &o in &wide {
            let other: Vec<Term> = seen[o].iter().map(|&v| terms.ne(open[o].arg, v)).collect();
            new.push(terms.and(&other));
        }
        match solver.check(terms, &new)? {
            Answer::Sat(model) => {
                for &o in &wide {
                    let value = model.value(terms, open[o].arg)?;
                    seen[o].push(terms.value_term(&value));
                }
            }
            Answer::Unsat(core) => {
                let before = wide.len();
                let mut new = new.into_iter();
                wide.retain(|_| new.next().is_none_or(|n| !core.contains(&n)));
                if wide.len() == before {
                    wide.clear();
                }
            }
            Answer::Unknown(_) => return Ok(None),
        }
    }
    let mut many = vec![false; open.len()];
    wide.into_iter().for_each(|o| many[o] = true);
    Ok(Some(many))
}

/// When is a term none of the values that it chooses among?
fn unlisted(terms: &mut Terms, t: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![t];
    while let Some(&t) = stack.last() {
        let result = if terms.op(t) == Op::Ite {
            let [condition, yes, no] = [0, 1, 2].map(|i| terms.args(t)[i]);
            match (done.get(&yes), done.get(&no)) {
                (Some(&yes), Some(&no)) => terms.ite(condition, yes, no),
                (first, _) => {
                    stack.push(if first.is_none() { yes } else { no });
                    continue;
                }
            }
        } else {
            let value = terms.is_value(t);
            terms.bool(!value)
        };
        done.insert(t, result);
        stack.pop();
    }
    done[&t]
}

/// Is it plain to see that a term has few values? Its sort has few, or it chooses among a few.
pub(crate) fn few(terms: &Terms, t: Term) -> bool {
    match terms.sort_kind(terms.sort(t)) {
        SortKind::Bool => return true,
        SortKind::BitVec(width) if width <= NARROW => return true,
        _ => {}
    }
    let (mut values, mut seen, mut stack) = (0, FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if terms.op(t) == Op::Ite {
            stack.extend(&terms.args(t)[1..]);
        } else if terms.is_value(t) && values < STEP {
            values += 1;
        } else {
            return false;
        }
    }
    true
}

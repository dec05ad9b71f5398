//! How often a loop goes round, where constants decide that.
//!
//! A loop region boxes itself; the condition of that box, and the values that the next round starts with, are terms in
//! its summary. A conjunct that depends only on variables whose next values depend on nothing else is a *counter*: for
//! constants, it can be run ahead of the loop. Other conjuncts may end the loop earlier.

use lariat_program::{Region, RegionEffects, RegionId};
use lariat_term::{Op, SortKind, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::Summary;

/// A counter of at most so many variables is looked for.
const VARIABLES: usize = 4;

/// Of the condition of a next round, so many conjuncts are looked at.
const CONJUNCTS: usize = 16;

/// What decides how often a loop goes round at most.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Variables of the loop, with what they are in the next round.
    next: Vec<(Var, Term)>,
    /// There can be a next round only if this holds.
    goes_on: Term,
}

impl Counter {
    /// The counters of a region that boxes itself in one place.
    pub(crate) fn of(
        terms: &Terms,
        id: RegionId,
        region: &Region,
        effects: &RegionEffects,
        summary: &Summary,
    ) -> Vec<Counter> {
        let mut own = summary.boxes.iter().filter(|b| b.callee == id);
        let (Some(site), None) = (own.next(), own.next()) else { return Vec::new() };
        let inputs = region.inputs.iter().map(|d| d.var).zip(site.args.iter().copied());
        let globals = effects.uses.iter().copied().zip(site.globals.iter().copied());
        let step: FxHashMap<Var, Term> = inputs.chain(globals).collect();
        let mut found = Vec::new();
        for goes_on in conjuncts(terms, site.guard) {
            if let Some(vars) = closure(terms, &step, goes_on) {
                found.push(Counter { next: vars.into_iter().map(|v| (v, step[&v])).collect(), goes_on });
            }
        }
        found
    }

    /// How often a loop with these counters goes round at most, starting with these values; `None` if they do not say,
    /// or more often than `limit`.
    pub fn rounds(
        counters: &[Counter],
        terms: &mut Terms,
        start: impl Fn(Var) -> Option<Term>,
        limit: u32,
    ) -> Option<u32> {
        let start = |terms: &Terms, &(v, _): &(Var, Term)| Some((v, start(v).filter(|&t| terms.is_value(t))?));
        let values = |c: &Counter| c.next.iter().map(|n| start(terms, n)).collect::<Option<FxHashMap<Var, Term>>>();
        let mut running: Vec<(&Counter, FxHashMap<Var, Term>)> =
            counters.iter().filter_map(|c| Some((c, values(c)?))).collect();
        let (yes, no) = (terms.bool(true), terms.bool(false));
        // All at once: the first one to end the loop is enough.
        for round in 0..=limit {
            let mut ends = false;
            running.retain_mut(|(counter, now)| {
                let goes_on = terms.substitute(counter.goes_on, now);
                ends |= goes_on == no;
                let next: Vec<Term> = counter.next.iter().map(|&(_, t)| t).collect();
                let values = terms.substitute_all(&next, now);
                let known = values.iter().all(|&t| terms.is_value(t));
                *now = counter.next.iter().map(|&(v, _)| v).zip(values).collect();
                goes_on == yes && known
            });
            if ends {
                return Some(round);
            }
            if running.is_empty() {
                return None;
            }
        }
        None
    }
}

/// Conjuncts of a term, those that were made first in front: conditions at the head of a loop are among them.
fn conjuncts(terms: &Terms, t: Term) -> Vec<Term> {
    let (mut found, mut stack) = (Vec::new(), vec![t]);
    while let Some(t) = stack.pop() {
        match terms.op(t) {
            Op::And => stack.extend(terms.args(t)),
            _ => found.push(t),
        }
    }
    found.sort_unstable();
    found.truncate(CONJUNCTS);
    found
}

/// The variables that a condition depends on in this round or a later one, if these are few, are the loop's, and are
/// numbers.
fn closure(terms: &Terms, step: &FxHashMap<Var, Term>, condition: Term) -> Option<Vec<Var>> {
    let mut found = terms.free_vars(&[condition]);
    let mut next = 0;
    while let Some(&v) = found.get(next) {
        next += 1;
        let scalar = !matches!(terms.sort_kind(terms.var_sort(v)), SortKind::Array(..));
        if found.len() > VARIABLES || !scalar {
            return None;
        }
        let then = terms.free_vars(&[*step.get(&v)?]);
        found.extend(then.into_iter().filter(|v| !found.contains(v)).collect::<Vec<_>>());
    }
    (!found.is_empty()).then_some(found)
}

//! What facts about arrays say without the array before a write, and without reads behind writes elsewhere.

use lariat_term::{Op, SortKind, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// From `array = store(…)`, the two sides.
pub fn written(terms: &Terms, fact: Term) -> Option<(Term, Term)> {
    if terms.op(fact) != Op::Eq {
        return None;
    }
    let args = terms.args(fact);
    let is_store = |t: Term| terms.op(t) == Op::Store;
    match (is_store(args[0]), is_store(args[1])) {
        (false, true) => Some((args[0], args[1])),
        (true, false) => Some((args[1], args[0])),
        _ => None,
    }
}

/// Facts without the array `v`, given that `array = store(v, i, e)`: `v` is `array` with some element at `i`, and `array` has `e` there.
pub fn before(terms: &mut Terms, facts: &[Term], v: Var, array: Term, store: Term) -> Vec<Term> {
    let (index, element) = (terms.args(store)[1], terms.args(store)[2]);
    let SortKind::Array(_, sort) = terms.sort_kind(terms.sort(array)) else { return facts.to_vec() };
    let old = terms.fresh_var("old", sort);
    let before = terms.store(array, index, old);
    let map: FxHashMap<Var, Term> = [(v, before)].into_iter().collect();
    let read = terms.select(array, index);
    let mut all = facts.to_vec();
    all.push(terms.eq(read, element));
    terms.substitute_all(&all, &map)
}

/// Facts in which a read behind a write to an index that a fact says to be another is one before the write.
pub fn resolve_reads(terms: &mut Terms, facts: &[Term]) -> Vec<Term> {
    let mut different: FxHashSet<(Term, Term)> = FxHashSet::default();
    for &t in facts {
        if terms.op(t) == Op::Not
            && let Some(&eq) = terms.args(t).first()
            && terms.op(eq) == Op::Eq
        {
            let (a, b) = (terms.args(eq)[0], terms.args(eq)[1]);
            different.extend([(a, b), (b, a)]);
        }
    }
    if different.is_empty() {
        return facts.to_vec();
    }
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for t in terms.post_order(facts) {
        let op = terms.op(t);
        if terms.loose(t) > 0 || matches!(op, Op::Forall(_) | Op::Exists(_) | Op::Lambda(_)) {
            map.insert(t, t);
            continue;
        }
        let mut args: Vec<Term> = terms.args(t).iter().map(|a| map[a]).collect();
        while op == Op::Select
            && terms.op(args[0]) == Op::Store
            && different.contains(&(terms.args(args[0])[1], args[1]))
        {
            args[0] = terms.args(args[0])[0];
        }
        let new = if args == terms.args(t) { t } else { terms.mk(op, &args) };
        map.insert(t, new);
    }
    facts.iter().map(|t| map[t]).collect()
}

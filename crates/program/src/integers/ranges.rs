//! What is known of variables at a block, and which ranges matter in a region.

use dashu_int::IBig;
use lariat_term::{Op, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{interval::Interval, interval_of, translate::Facts};
use crate::{
    ir::{Region, StmtKind, Terminator},
    walk::FreeVars,
};

/// More facts than this are not carried along.
const MAX_FACTS: usize = 64;

/// The blocks in an order in which each comes after its predecessors; `None` if there is a cycle.
pub(super) fn order(region: &Region) -> Option<Vec<usize>> {
    let mut waiting = vec![0u32; region.blocks.len()];
    for s in region.blocks.iter().flat_map(|b| b.next.successors()) {
        waiting[s.index()] += 1;
    }
    let mut order: Vec<usize> = (0..waiting.len()).filter(|&b| waiting[b] == 0).collect();
    let mut next = 0;
    while let Some(&b) = order.get(next) {
        next += 1;
        for s in region.blocks[b].next.successors() {
            waiting[s.index()] -= 1;
            if waiting[s.index()] == 0 {
                order.push(s.index());
            }
        }
    }
    (order.len() == waiting.len()).then_some(order)
}

/// Adds what is known on one more way to a block: what holds on all of them stays.
pub(super) fn join(known: &mut Option<Facts>, windows: &Facts, mut facts: Facts) {
    let Some(old) = known else {
        if facts.len() > MAX_FACTS {
            facts.clear();
        }
        *known = Some(facts);
        return;
    };
    old.retain(|t, range| {
        let Some(other) = facts.get(t) else { return false };
        *range = range.hull(other);
        windows.get(t).is_none_or(|w| w != range)
    });
}

/// Narrows the facts by a condition that holds (or does not).
pub(super) fn refine(terms: &Terms, windows: &Facts, facts: &mut Facts, condition: Term, holds: bool) {
    let mut work = vec![(condition, holds)];
    while let Some((t, holds)) = work.pop() {
        let args = terms.args(t);
        match (terms.op(t), holds) {
            (Op::Not, _) => work.push((args[0], !holds)),
            (Op::And, true) | (Op::Or, false) => work.extend(args.iter().map(|&a| (a, holds))),
            (Op::Le, true) => at_most(terms, windows, facts, args[0], args[1], 0),
            (Op::Lt, true) => at_most(terms, windows, facts, args[0], args[1], 1),
            (Op::Le, false) => at_most(terms, windows, facts, args[1], args[0], 1),
            (Op::Lt, false) => at_most(terms, windows, facts, args[1], args[0], 0),
            (Op::Eq, true) if terms.sort(args[0]) == Sort::INT => {
                at_most(terms, windows, facts, args[0], args[1], 0);
                at_most(terms, windows, facts, args[1], args[0], 0);
            }
            (Op::Eq, false) if terms.sort(args[0]) == Sort::INT => {
                let (x, other) = (args[0], interval_of(terms, windows, facts, args[1]));
                let (mut range, Some(v)) = (interval_of(terms, windows, facts, x), other.value()) else { continue };
                if range.lo.as_ref() == Some(v) {
                    range.lo = Some(v + IBig::ONE);
                } else if range.hi.as_ref() == Some(v) {
                    range.hi = Some(v - IBig::ONE);
                }
                narrow(terms, windows, facts, x, range);
            }
            _ => {}
        }
    }
}

/// `x + gap <= y` holds.
fn at_most(terms: &Terms, windows: &Facts, facts: &mut Facts, x: Term, y: Term, gap: i32) {
    if terms.sort(x) != Sort::INT {
        return;
    }
    let (low, high) = (interval_of(terms, windows, facts, x), interval_of(terms, windows, facts, y));
    narrow(terms, windows, facts, x, Interval { lo: None, hi: high.hi.map(|h| h - gap) });
    narrow(terms, windows, facts, y, Interval { lo: low.lo.map(|l| l + gap), hi: None });
}

fn narrow(terms: &Terms, windows: &Facts, facts: &mut Facts, t: Term, range: Interval) {
    if !matches!(terms.op(t), Op::Var(_) | Op::Select) || terms.loose(t) > 0 {
        return;
    }
    let old = interval_of(terms, windows, facts, t);
    let new = old.meet(&range);
    if new != old {
        facts.insert(t, new);
    }
}

/// The outputs and locals that may be read before they are set.
pub(super) fn live_in(region: &Region, terms: &Terms, free: &mut FreeVars) -> Vec<Var> {
    let inputs: FxHashSet<Var> = region.inputs.iter().map(|d| d.var).collect();
    let own = region.outputs.iter().chain(&region.locals).map(|d| d.var).filter(|v| !inputs.contains(v));
    let vars: Vec<Var> = own.collect();
    let index: FxHashMap<Var, usize> = vars.iter().enumerate().map(|(i, &v)| (v, i)).collect();
    let outputs: Vec<Var> = region.outputs.iter().map(|d| d.var).collect();
    let words = vars.len().div_ceil(64);
    let Some(order) = order(region) else { return vars };
    let mut live = vec![vec![0u64; words]; region.blocks.len()];
    for b in order.into_iter().rev() {
        let block = &region.blocks[b];
        let mut now = vec![0u64; words];
        let read = |now: &mut [u64], vars: &[Var]| {
            vars.iter().filter_map(|v| index.get(v)).for_each(|&i| now[i / 64] |= 1 << (i % 64));
        };
        match &block.next {
            Terminator::Return => read(&mut now, &outputs),
            next => {
                for s in next.successors() {
                    now.iter_mut().zip(&live[s.index()]).for_each(|(n, l)| *n |= l);
                }
            }
        }
        if let Terminator::Branch { cond, .. } = block.next {
            read(&mut now, free.of(terms, cond));
        }
        for s in block.stmts.iter().rev() {
            s.kind.for_each_target(|v| {
                if let Some(&i) = index.get(&v) {
                    now[i / 64] &= !(1 << (i % 64));
                }
            });
            s.kind.for_each_term(|t| read(&mut now, free.of(terms, t)));
        }
        live[b] = now;
    }
    let first = live.first().cloned().unwrap_or_default();
    vars.into_iter().enumerate().filter(|(i, _)| first[i / 64] >> (i % 64) & 1 == 1).map(|(_, v)| v).collect()
}

/// The variables whose range matters to what a region computes: those that are not just copied or compared
/// with a constant for equality.
pub(super) fn sensitive(region: &Region, terms: &Terms) -> FxHashSet<Var> {
    let mut roots = Vec::new();
    let mut copies: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    for block in &region.blocks {
        block.for_each_term(|t| roots.push(t));
        for s in &block.stmts {
            if let StmtKind::Assign(pairs) = &s.kind {
                for &(v, t) in pairs {
                    copied(terms, t, |from| copies.entry(v).or_default().push(from));
                }
            }
        }
    }
    let mut work = Vec::new();
    for t in terms.post_order(&roots) {
        let args = terms.args(t);
        for (i, &a) in args.iter().enumerate() {
            let Some(v) = terms.as_var(a) else { continue };
            let matters = match terms.op(t) {
                Op::Eq => !args.iter().any(|&o| terms.is_value(o)),
                Op::Ite => false,
                Op::Store => i == 1,
                _ => true,
            };
            if matters {
                work.push(v);
            }
        }
    }
    let mut found: FxHashSet<Var> = FxHashSet::default();
    while let Some(v) = work.pop() {
        if found.insert(v) {
            work.extend(copies.get(&v).into_iter().flatten());
        }
    }
    found
}

/// The variables whose value a term may be as it is, if it is a variable or a choice of some.
fn copied(terms: &Terms, t: Term, mut f: impl FnMut(Var)) {
    let mut work = vec![(t, 4)];
    while let Some((t, depth)) = work.pop() {
        match terms.op(t) {
            Op::Var(v) => f(v),
            Op::Ite if depth > 0 => work.extend(terms.args(t)[1..].iter().map(|&a| (a, depth - 1))),
            _ => {}
        }
    }
}

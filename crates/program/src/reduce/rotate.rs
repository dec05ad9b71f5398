//! Loops that are entered only for a round: the condition at their head moves to their boxes.
//!
//! `while (c) S` becomes `if (c) do S while (c)`. A loop that only leaves where it is entered, unless a condition over
//! its inputs holds, is boxed under that condition, and the values that it would leave with are assigned otherwise. So a
//! loop whose rounds are known has no instance after the last one, and one that is not entered has none at all.

use lariat_term::{Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Reduced, tidy};
use crate::{
    ir::{Block, BlockId, Program, Region, RegionId, RegionKind, Stmt, StmtKind, Terminator},
    origins::BlockOrigins,
};

/// What happens at the head of a loop, over its inputs and globals.
struct Head {
    /// There is a round.
    goes_on: Term,
    /// The block that a round starts with, after the first one.
    round: BlockId,
    /// Outputs, and globals that change, if there is no round.
    outputs: Vec<Term>,
    globals: Vec<(Var, Term)>,
}

/// Rotates the loops that `entry` reaches.
pub(super) fn rotate(reduced: &mut Reduced, terms: &mut Terms, entry: RegionId) {
    let program = &reduced.program;
    let reached = program.reached(entry);
    let globals: FxHashSet<Var> = program.globals.iter().chain(&program.constants).map(|d| d.var).collect();
    let mut heads: FxHashMap<RegionId, Head> = FxHashMap::default();
    for &r in &reached {
        let region = &program.regions[r.index()];
        if r != entry
            && matches!(region.kind, RegionKind::Loop { .. })
            && let Some(head) = head(terms, region, &globals)
        {
            heads.insert(r, head);
        }
    }
    for r in reached {
        let rotated = heads.get(&r);
        if let Some(head) = rotated {
            reduced.program.regions[r.index()].blocks[0].next = Terminator::Goto(vec![head.round]);
        }
        if rotated.is_some() || reduced.program.regions[r.index()].callees().any(|c| heads.contains_key(&c)) {
            boxes(reduced, terms, r, &heads);
        }
    }
}

/// What a loop does before it decides on a round, and where there is none.
fn head(terms: &mut Terms, region: &Region, globals: &FxHashSet<Var>) -> Option<Head> {
    let mut values: FxHashMap<Var, Term> = FxHashMap::default();
    assign(terms, &region.blocks[0], &mut values)?;
    let Terminator::Branch { cond, yes, no } = region.blocks[0].next else { return None };
    let (leaves, round, negated) = match (straight(region, yes), straight(region, no)) {
        (None, Some(path)) => (path, yes, false),
        (Some(path), None) => (path, no, true),
        _ => return None,
    };
    let cond = terms.substitute(cond, &values);
    let goes_on = if negated { terms.not(cond) } else { cond };
    for b in leaves {
        assign(terms, &region.blocks[b.index()], &mut values)?;
    }
    let outputs: Vec<Term> = region.outputs.iter().map(|d| value(terms, &values, d.var)).collect();
    let mut changed: Vec<(Var, Term)> =
        values.iter().filter(|(v, _)| globals.contains(v)).map(|(&v, &t)| (v, t)).collect();
    changed.sort_unstable();
    let known: FxHashSet<Var> = region.inputs.iter().map(|d| d.var).collect();
    let all: Vec<Term> = outputs.iter().copied().chain(changed.iter().map(|c| c.1)).chain([goes_on]).collect();
    let open = terms.free_vars(&all).into_iter().any(|v| !known.contains(&v) && !globals.contains(&v));
    (!open).then_some(Head { goes_on, round, outputs, globals: changed })
}

fn value(terms: &mut Terms, values: &FxHashMap<Var, Term>, v: Var) -> Term {
    values.get(&v).copied().unwrap_or_else(|| terms.var_term(v))
}

/// Runs a block that only assigns.
fn assign(terms: &mut Terms, block: &Block, values: &mut FxHashMap<Var, Term>) -> Option<()> {
    for s in &block.stmts {
        let StmtKind::Assign(pairs) = &s.kind else { return None };
        let new: Vec<(Var, Term)> = pairs.iter().map(|&(v, t)| (v, terms.substitute(t, values))).collect();
        values.extend(new);
    }
    Some(())
}

/// The blocks from here to a return, if there is one way only.
fn straight(region: &Region, from: BlockId) -> Option<Vec<BlockId>> {
    let mut path = vec![from];
    loop {
        let block = &region.blocks[path[path.len() - 1].index()];
        if !block.stmts.iter().all(|s| matches!(s.kind, StmtKind::Assign(_))) {
            return None;
        }
        match &block.next {
            Terminator::Return => return Some(path),
            Terminator::Goto(to) if to.len() == 1 => path.push(to[0]),
            _ => return None,
        }
    }
}

/// Puts the boxes of loops with such heads under their conditions.
fn boxes(reduced: &mut Reduced, terms: &mut Terms, r: RegionId, heads: &FxHashMap<RegionId, Head>) {
    let region = &mut reduced.program.regions[r.index()];
    let blocks = std::mem::take(&mut region.blocks);
    let mut origins = std::mem::take(&mut reduced.origins[r.index()]);
    let from = std::mem::take(&mut origins.blocks);
    let mut slots: Vec<tidy::Slot> = Vec::new();
    slots.resize_with(blocks.len(), || None);
    for (i, (block, from)) in blocks.into_iter().zip(from).enumerate() {
        split(&reduced.program, terms, &mut slots, i, block, from, heads);
    }
    let region = Region { blocks: Vec::new(), ..reduced.program.regions[r.index()].clone() };
    let (region, origins) = tidy::assemble(region, origins, slots);
    reduced.program.regions[r.index()] = region;
    reduced.origins[r.index()] = origins;
}

fn split(
    program: &Program,
    terms: &mut Terms,
    slots: &mut Vec<tidy::Slot>,
    at: usize,
    block: Block,
    from: BlockOrigins,
    heads: &FxHashMap<RegionId, Head>,
) {
    let (mut at, mut label) = (at, block.label.clone());
    let (mut stmts, mut places) = (Vec::new(), Vec::new());
    let count = block.stmts.len();
    for (i, (s, place)) in block.stmts.into_iter().zip(from.stmts).enumerate() {
        let (callee, head) = match &s.kind {
            StmtKind::Box { callee, .. } if heads.contains_key(callee) => (*callee, &heads[callee]),
            _ => {
                stmts.push(s);
                places.push(place);
                continue;
            }
        };
        let StmtKind::Box { args, results, .. } = &s.kind else { continue };
        let inputs = program.regions[callee.index()].inputs.iter().map(|d| d.var);
        let actual: FxHashMap<Var, Term> = inputs.zip(args.iter().copied()).collect();
        let goes_on = terms.substitute(head.goes_on, &actual);
        // Where a result is a global that changes, the result counts.
        let mut pairs: Vec<(Var, Term)> =
            results.iter().zip(&head.outputs).map(|(&v, &t)| (v, terms.substitute(t, &actual))).collect();
        for &(v, t) in head.globals.iter().filter(|(v, _)| !results.contains(v)) {
            pairs.push((v, terms.substitute(t, &actual)));
        }
        pairs.retain(|&(v, t)| terms.as_var(t) != Some(v));
        let skipped = Stmt { kind: StmtKind::Assign(pairs), loc: s.loc };
        if terms.is_value(goes_on) {
            if goes_on == terms.bool(true) {
                stmts.push(s);
                places.push(place);
            } else if !changes_nothing(&skipped) {
                stmts.push(skipped);
                places.push(place);
            }
            continue;
        }
        // A loop boxes itself right before it returns.
        let returns = i + 1 == count && block.next == Terminator::Return;
        let first = slots.len() as u32;
        let (round, none, rest) = (BlockId(first), BlockId(first + 1), BlockId(first + 2));
        let on = || if returns { Terminator::Return } else { Terminator::Goto(vec![rest]) };
        let origins = BlockOrigins { stmts: std::mem::take(&mut places), next: place };
        let next = Terminator::Branch { cond: goes_on, yes: round, no: none };
        let before = Block { label: std::mem::take(&mut label), stmts: std::mem::take(&mut stmts), next };
        slots[at] = Some((before, origins));
        for (what, stmt) in [("round", s), ("none", skipped)] {
            let label = format!("{}@{what}{first}", block.label);
            let (stmts, places) = if changes_nothing(&stmt) { (vec![], vec![]) } else { (vec![stmt], vec![place]) };
            let origins = BlockOrigins { stmts: places, next: place };
            slots.push(Some((Block { label, stmts, next: on() }, origins)));
        }
        slots.push(None);
        if returns {
            return;
        }
        at = rest.index();
        label = format!("{}@rest{}", block.label, rest.0);
    }
    slots[at] = Some((Block { label, stmts, next: block.next }, BlockOrigins { stmts: places, next: from.next }));
}

fn changes_nothing(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Assign(pairs) if pairs.is_empty())
}

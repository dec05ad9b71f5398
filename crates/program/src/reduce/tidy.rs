//! Puts the blocks of a region together again after a pass: blocks that only pass control on, or that nothing
//! reaches, go, and straight lines become one block.

use crate::{
    graph::reverse_postorder,
    ir::{Block, BlockId, Region, Terminator},
    origins::{BlockOrigins, Origins},
};

/// A block with its origins; `None` if the pass dropped it.
pub(super) type Slot = Option<(Block, BlockOrigins)>;

/// The region with these blocks, which are numbered as the terminators say. The first one is the entry; none that
/// is reached from it was dropped.
pub(super) fn assemble(mut region: Region, mut origins: Origins, mut slots: Vec<Slot>) -> (Region, Origins) {
    shorten(&mut slots);
    let mut count = vec![0u32; slots.len()];
    let order = reached(&slots, &mut count);
    // Blocks come after all their predecessors, so that a chain is met at its head.
    let mut head: Vec<usize> = (0..slots.len()).collect();
    for &b in &order {
        let h = head[b];
        let Some((block, _)) = &slots[h] else { continue };
        let Terminator::Goto(to) = &block.next else { continue };
        let [next] = to[..] else { continue };
        if count[next.index()] == 1 && next.0 != 0 {
            let Some((tail, tail_origins)) = slots[next.index()].take() else { continue };
            head[next.index()] = h;
            if let Some((block, origins)) = &mut slots[h] {
                block.stmts.extend(tail.stmts);
                block.next = tail.next;
                origins.stmts.extend(tail_origins.stmts);
                origins.next = tail_origins.next;
            }
        }
    }
    let mut number = vec![BlockId(0); slots.len()];
    let mut kept: Vec<usize> = order.into_iter().filter(|&b| head[b] == b).collect();
    // The blocks keep the order that the front end gave them.
    kept.sort_unstable();
    for (i, &b) in kept.iter().enumerate() {
        number[b] = BlockId(i as u32);
    }
    region.blocks = Vec::with_capacity(kept.len());
    origins.blocks = Vec::with_capacity(kept.len());
    for b in kept {
        if let Some((mut block, of_block)) = slots[b].take() {
            block.next.map_successors(|s| number[s.index()]);
            region.blocks.push(block);
            origins.blocks.push(of_block);
        }
    }
    (region, origins)
}

/// Lets edges lead past blocks that do nothing.
fn shorten(slots: &mut [Slot]) {
    let mut goal: Vec<Option<BlockId>> = vec![None; slots.len()];
    for b in 0..slots.len() {
        let mut chain = Vec::new();
        let mut at = BlockId(b as u32);
        // A chain cannot come back to itself: the graph has no cycle.
        let end = loop {
            if let Some(end) = goal[at.index()] {
                break end;
            }
            let next = match &slots[at.index()] {
                Some((Block { stmts, next: Terminator::Goto(to), .. }, _)) if stmts.is_empty() => match to[..] {
                    [next] => Some(next),
                    _ => None,
                },
                _ => None,
            };
            chain.push(at);
            match next {
                Some(next) => at = next,
                None => break at,
            }
        };
        chain.into_iter().for_each(|c| goal[c.index()] = Some(end));
    }
    let returns: Vec<bool> =
        slots.iter().map(|s| matches!(s, Some((b, _)) if b.stmts.is_empty() && b.next == Terminator::Return)).collect();
    for (block, _) in slots.iter_mut().flatten() {
        block.next.map_successors(|s| goal[s.index()].unwrap_or(s));
        let mut targets = block.next.successors();
        if let Some(first) = targets.next()
            && targets.all(|s| s == first)
        {
            drop(targets);
            block.next = if returns[first.index()] { Terminator::Return } else { Terminator::Goto(vec![first]) };
        }
    }
}

/// The reached blocks, each after all its predecessors; counts the edges to each.
fn reached(slots: &[Slot], count: &mut [u32]) -> Vec<usize> {
    let successors = |b: usize| -> Vec<usize> {
        slots[b].as_ref().map_or(Vec::new(), |(block, _)| block.next.successors().map(BlockId::index).collect())
    };
    let order = reverse_postorder(slots.len(), |b| successors(b).into_iter().rev());
    order.iter().flat_map(|&b| successors(b)).for_each(|s| count[s] += 1);
    order
}

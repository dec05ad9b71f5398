//! Small clean-ups of one region. Each is linear, keeps the meaning, and keeps the entry first.

use lariat_term::Terms;

use crate::{
    cfg::{Cfg, UNREACHED},
    ir::{AssertId, Block, BlockId, Loc, Region, Stmt, StmtKind, Terminator},
};

/// Drops the blocks that the entry cannot reach; the others keep their order.
pub fn remove_unreachable(region: &mut Region) {
    remove_unreachable_with(region);
}

/// The same; returns the graph of what is left.
pub(crate) fn remove_unreachable_with(region: &mut Region) -> Cfg {
    let cfg = Cfg::new(region);
    let pre = cfg.dfs().pre;
    if !pre.contains(&UNREACHED) {
        return cfg;
    }
    retain(region, |b| pre[b] != UNREACHED);
    Cfg::new(region)
}

/// Merges each block with the one it always goes on to, if nothing else goes there.
pub fn merge_straight_lines(region: &mut Region) {
    let cfg = Cfg::new(region);
    let n = region.blocks.len();
    // The block that each block is appended to.
    let mut head: Vec<u32> = (0..n as u32).collect();
    let mut merged = false;
    for b in cfg.dfs().order {
        let Terminator::Goto(to) = &region.blocks[b as usize].next else { continue };
        let [next] = to[..] else { continue };
        if next.0 != 0 && next.0 != b && cfg.pred(next.0).len() == 1 && head[b as usize] != next.0 {
            head[next.0 as usize] = head[b as usize];
            merged = true;
        }
    }
    if !merged {
        return;
    }
    // In depth-first order a chain is met from its head on.
    for b in cfg.dfs().order {
        let h = head[b as usize];
        if h != b {
            let stmts = std::mem::take(&mut region.blocks[b as usize].stmts);
            let next = std::mem::replace(&mut region.blocks[b as usize].next, Terminator::Return);
            region.blocks[h as usize].stmts.extend(stmts);
            region.blocks[h as usize].next = next;
        }
    }
    retain(region, |b| head[b] == b as u32);
}

/// Turns `goto A, B` into a branch where `A` and `B` start with complementary assumptions. The
/// assumptions stay: they follow from the branch, and keep the source location of the condition.
pub fn recognise_branches(region: &mut Region, terms: &mut Terms) {
    let first_assume = |b: &Block| match b.stmts.first()?.kind {
        StmtKind::Assume(t) => Some(t),
        _ => None,
    };
    let conditions: Vec<_> = region.blocks.iter().map(first_assume).collect();
    for b in &mut region.blocks {
        let Terminator::Goto(to) = &b.next else { continue };
        let [yes, no] = to[..] else { continue };
        let (Some(c), Some(d)) = (conditions[yes.index()], conditions[no.index()]) else { continue };
        if terms.not(c) == d || terms.not(d) == c {
            b.next = Terminator::Branch { cond: c, yes, no };
        }
    }
}

/// Lets an assertion take the place of a branch to a block that only fails one: what comes after it is then the only
/// way on. So an error inside a loop is no exit of it.
pub(crate) fn fail_at_branches(region: &mut Region, terms: &mut Terms) {
    let never = terms.bool(false);
    let fails = |b: &Block| match b.stmts.first()?.kind {
        StmtKind::Assert { id, cond } if cond == never => Some((id, b.stmts[0].loc)),
        _ => None,
    };
    let failing: Vec<Option<(AssertId, Loc)>> = region.blocks.iter().map(fails).collect();
    for b in &mut region.blocks {
        let Terminator::Branch { cond, yes, no } = b.next else { continue };
        let (id, loc, cond, next) = match (failing[yes.index()], failing[no.index()]) {
            (Some((id, loc)), _) => (id, loc, terms.not(cond), no),
            (None, Some((id, loc))) => (id, loc, cond, yes),
            (None, None) => continue,
        };
        b.stmts.push(Stmt { kind: StmtKind::Assert { id, cond }, loc });
        b.next = Terminator::Goto(vec![next]);
    }
}

/// Keeps some blocks, the entry among them; edges to the others must not matter any more.
fn retain(region: &mut Region, keep: impl Fn(usize) -> bool) {
    let mut new_id = vec![BlockId(0); region.blocks.len()];
    let mut count = 0;
    for (b, id) in new_id.iter_mut().enumerate() {
        if keep(b) {
            *id = BlockId(count);
            count += 1;
        }
    }
    let mut at = 0;
    region.blocks.retain(|_| {
        at += 1;
        keep(at - 1)
    });
    for b in &mut region.blocks {
        b.next.map_successors(|s| new_id[s.index()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// The text of the first region after a pass.
    fn after(source: &str, pass: impl Fn(&mut Region, &mut Terms)) -> String {
        let mut terms = Terms::new();
        let mut program = parse(source, &mut terms).unwrap();
        pass(&mut program.regions[0], &mut terms);
        print(&program, &terms)
    }

    #[test]
    fn unreachable_blocks_go() {
        let out = after("proc p() { a: goto c  b: goto a, c  c: return }", |r, _| remove_unreachable(r));
        assert!(!out.contains("b:"), "{out}");
        assert!(out.contains("goto c"), "{out}");
    }

    #[test]
    fn straight_lines_merge_and_loops_stay() {
        let source = "global x: Int
            proc p() { a: goto b  b: x := 1 goto c  c: x := 2 goto d, e  d: goto d  e: return }";
        let out = after(source, |r, _| merge_straight_lines(r));
        assert!(!out.contains("b:") && !out.contains("c:"), "{out}");
        assert!(out.find("x := 1") < out.find("x := 2"), "{out}");
        assert!(out.contains("goto d, e") && out.contains("goto d\n"), "{out}");
    }

    #[test]
    fn a_cycle_of_single_predecessors_is_not_merged_into_itself() {
        // Unreachable cycle: nothing may be lost or loop for ever.
        let out = after("proc p() { a: return  b: goto c  c: goto b }", |r, _| merge_straight_lines(r));
        assert!(out.contains("b:"), "{out}");
    }

    #[test]
    fn a_branch_to_a_failure_is_an_assertion() {
        let source = "global x: Int
            assertion #0 user
            proc p() { a: branch (< x 1) then b else c  b: assert #0 false stop  c: branch (< x 2) then d else b  d: return }";
        let out = after(source, |r, t| {
            fail_at_branches(r, t);
            remove_unreachable(r);
        });
        assert!(out.contains("assert #0 (<= 1 x)\n  goto c"), "{out}");
        assert!(out.contains("assert #0 (<= x 1)\n  goto d"), "{out}");
        assert!(!out.contains("false") && !out.contains("branch"), "{out}");
    }

    #[test]
    fn a_branch_to_what_may_not_fail_stays() {
        let source = "global x: Int
            assertion #0 user
            proc p() { a: branch (< x 1) then b else c  b: assert #0 (< x 0) stop  c: return }";
        assert!(after(source, fail_at_branches).contains("branch"));
    }

    #[test]
    fn complementary_assumptions_make_a_branch() {
        let source = "global x: Int
            proc p() { a: goto b, c  b: assume (< x 1) return  c: assume (not (< x 1)) return }";
        let out = after(source, recognise_branches);
        assert!(out.contains("branch"), "{out}");
        let other = source.replace("(not (< x 1))", "(< x 2)");
        assert!(!after(&other, recognise_branches).contains("branch"));
    }
}

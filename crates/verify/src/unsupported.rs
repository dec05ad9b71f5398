//! What is not supported, or only approximated: what can still be said.
//!
//! Which assertions come before all unsupported constructs, by control flow: that such a construct is reached says
//! nothing about these. Behind an unsupported construct anything may happen: it may start a thread, or jump back. What is certain is that
//! code which runs only once, and has run by then, does not run again. So only the entry, the procedures that it alone
//! calls and calls once, and their loops are looked at; whatever is elsewhere counts as behind.

use lariat_program::{AssertId, AssertKind, Program, RegionId, RegionKind, Stmt, StmtKind, Terminator};
use lariat_term::{Sort, Term, Terms};

/// The program with its exact executions alone, if some are approximate. Each statement stays where it is.
///
/// A check of the kind `Approximate` does not keep anything from going on: its condition has a variable that gets any value just
/// before. Without that, it says when an execution that meets it is one of the program.
pub(crate) fn exact(program: &Program, terms: &mut Terms) -> Option<Program> {
    let approximate = |a: AssertId| program.assertions[a.index()].kind == AssertKind::Approximate;
    if !(0..program.assertions.len() as u32).map(AssertId).any(approximate) {
        return None;
    }
    let never = terms.bool(false);
    let mut exact = program.clone();
    for block in exact.regions.iter_mut().flat_map(|r| &mut r.blocks) {
        for i in 0..block.stmts.len() {
            let StmtKind::Assert { id, cond } = block.stmts[i].kind else { continue };
            if !approximate(id) {
                continue;
            }
            let before = i.checked_sub(1).map(|i| &block.stmts[i].kind);
            let known = match before {
                Some(StmtKind::Havoc(vars)) if vars.len() == 1 && terms.var_sort(vars[0]) == Sort::BOOL => {
                    let go_on = vars[0];
                    block.stmts[i - 1].kind = StmtKind::Assign(vec![(go_on, never)]);
                    cond
                }
                _ => never,
            };
            block.stmts[i].kind = StmtKind::Assume(known);
        }
    }
    Some(exact)
}

/// The assertions that unsupported constructs may precede.
pub(crate) struct Behind {
    /// By assertion.
    behind: Vec<bool>,
}

impl Behind {
    /// In executions from `entry`; `never` is the term `false`.
    pub fn new(program: &Program, never: Term, entry: RegionId) -> Behind {
        let mut walk = Walk {
            program,
            entry,
            boxed: vec![Vec::new(); program.regions.len()],
            taints: vec![false; program.regions.len()],
            before: vec![false; program.regions.len()],
            behind: vec![false; program.assertions.len()],
        };
        let reached = program.reached(entry);
        for &r in &reached {
            program.regions[r.index()].callees().for_each(|c| walk.boxed[c.index()].push(r));
        }
        let unsupported = |r: &RegionId| walk.stmts(*r).any(|s| walk.is_unsupported(s));
        let mut work: Vec<RegionId> = reached.iter().copied().filter(unsupported).collect();
        if work.is_empty() {
            return Behind { behind: walk.behind };
        }
        while let Some(r) = work.pop() {
            if !std::mem::replace(&mut walk.taints[r.index()], true) {
                work.extend(&walk.boxed[r.index()]);
            }
        }
        let mut once = reached.iter().filter(|&&r| walk.is_once(root(program, r)));
        if !once.any(|&r| walk.leaves(r, never)) {
            walk.walk();
        }
        for &r in &reached {
            if !walk.before[r.index()] {
                walk.all_behind(r);
            }
        }
        Behind { behind: walk.behind }
    }

    /// May an unsupported construct come before this assertion?
    pub fn contains(&self, a: AssertId) -> bool {
        self.behind[a.index()]
    }
}

struct Walk<'a> {
    program: &'a Program,
    entry: RegionId,
    /// The regions that have boxes of each region, one for each box.
    boxed: Vec<Vec<RegionId>>,
    /// The regions from which an unsupported construct can be reached.
    taints: Vec<bool>,
    /// The regions of which it is known what comes before such a construct.
    before: Vec<bool>,
    behind: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn stmts(&self, r: RegionId) -> impl Iterator<Item = &'a Stmt> + use<'a> {
        let program = self.program;
        program.regions[r.index()].blocks.iter().flat_map(|b| &b.stmts)
    }

    fn is_unsupported(&self, s: &Stmt) -> bool {
        let unsupported = |id: AssertId| self.program.assertions[id.index()].kind == AssertKind::Unsupported;
        matches!(s.kind, StmtKind::Assert { id, .. } if unsupported(id))
    }

    fn is_behind(&mut self, s: &Stmt) {
        if let StmtKind::Assert { id, .. } = s.kind {
            self.behind[id.index()] = true;
        }
    }

    fn all_behind(&mut self, r: RegionId) {
        self.stmts(r).for_each(|s| self.is_behind(s));
    }

    /// Is this the entry, or a procedure with one box, in the entry?
    fn is_once(&self, r: RegionId) -> bool {
        let boxed = &self.boxed[r.index()];
        if r == self.entry { boxed.is_empty() } else { boxed[..] == [self.entry] && !is_loop(self.program, r) }
    }

    /// Is this a loop with one box outside of it?
    fn is_single_loop(&self, r: RegionId) -> bool {
        is_loop(self.program, r) && self.boxed[r.index()].iter().filter(|&&by| by != r).count() == 1
    }

    /// Walks over the code that runs only once, and its loops.
    fn walk(&mut self) {
        let mut work: Vec<RegionId> = if self.is_once(self.entry) { vec![self.entry] } else { Vec::new() };
        while let Some(r) = work.pop() {
            self.before[r.index()] = true;
            if is_loop(self.program, r) && self.taints[r.index()] {
                // The next round comes behind it.
                self.all_behind(r);
                continue;
            }
            let starts = self.blocks_behind(r);
            for (block, mut behind) in self.program.regions[r.index()].blocks.iter().zip(starts) {
                for s in &block.stmts {
                    behind |= self.is_unsupported(s);
                    if behind {
                        self.is_behind(s);
                    } else if let StmtKind::Box { callee, .. } = s.kind
                        && callee != r
                    {
                        if self.is_once(callee) || self.is_single_loop(callee) {
                            work.push(callee);
                        }
                        behind |= self.taints[callee.index()];
                    }
                }
            }
        }
    }

    /// Blocks at whose start an unsupported construct of this region, or inside one of its boxes, may have been met.
    fn blocks_behind(&self, r: RegionId) -> Vec<bool> {
        let blocks = &self.program.regions[r.index()].blocks;
        let taints = |s: &Stmt| match s.kind {
            StmtKind::Box { callee, .. } => self.taints[callee.index()],
            _ => self.is_unsupported(s),
        };
        let mut behind = vec![false; blocks.len()];
        let mut work: Vec<usize> = (0..blocks.len()).filter(|&b| blocks[b].stmts.iter().any(taints)).collect();
        while let Some(b) = work.pop() {
            for next in blocks[b].next.successors() {
                if !std::mem::replace(&mut behind[next.index()], true) {
                    work.push(next.index());
                }
            }
        }
        behind
    }

    /// Can it be that the region does not show where execution goes behind one of its unsupported constructs?
    fn leaves(&self, r: RegionId, never: Term) -> bool {
        let may_hold = |s: &Stmt| !matches!(s.kind, StmtKind::Assert { cond, .. } if cond == never);
        let mut blocks = self.program.regions[r.index()].blocks.iter();
        blocks.any(|b| {
            let stops = matches!(&b.next, Terminator::Goto(to) if to.is_empty());
            b.stmts.iter().any(|s| self.is_unsupported(s) && (stops || may_hold(s)))
        })
    }
}

fn is_loop(program: &Program, r: RegionId) -> bool {
    matches!(program.regions[r.index()].kind, RegionKind::Loop { .. })
}

/// The procedure that a loop stands in.
fn root(program: &Program, mut r: RegionId) -> RegionId {
    while let RegionKind::Loop { parent } = program.regions[r.index()].kind {
        r = parent;
    }
    r
}

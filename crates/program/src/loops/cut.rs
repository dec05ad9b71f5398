//! Loops are replaced by their invariants, as the `boogie` tool does for modular verification.
//!
//! The leading assertions and assumptions of a loop's header are its invariant. The assertions are
//! checked where the loop is entered and where it would be repeated; at the header everything that the
//! loop may change becomes arbitrary and the invariant is assumed; the back edges end there.
//! Leading assumptions (free invariants) are assumed at the header only.
//!
//! The checks keep the assertion id of the header's assertion, whose kind becomes
//! [`AssertKind::Invariant`] if it was [`AssertKind::User`].

use lariat_term::{Term, Var};
use rustc_hash::FxHashMap;

use super::{IrreducibleError, SPLIT_LIMIT, forest::NONE, loop_locs, prepare};
use crate::{
    effects::Effects,
    ir::{AssertId, AssertKind, Assertion, Block, BlockId, Program, Region, Stmt, StmtKind, Terminator, VarDecl},
};

/// What [`cut_loops`] is told about the program.
pub struct CutOptions<'a> {
    /// What is known of a variable whenever it gets an arbitrary value (a `where` clause); assumed
    /// after the loop's variables have become arbitrary.
    pub known: &'a dyn Fn(Var) -> Option<Term>,
    /// Makes a Boolean variable of its own and its term, if a loop that has no invariant only because its nodes had to be split is to
    /// count as approximate: what it leaves may be more than what it leaves in any execution.
    pub any: Option<&'a dyn Fn() -> (VarDecl, Term)>,
}

impl Default for CutOptions<'_> {
    fn default() -> Self {
        CutOptions { known: &|_| None, any: None }
    }
}

/// Cuts every loop of every region at its header; the result is acyclic.
pub fn cut_loops(program: &mut Program, options: &CutOptions) -> Result<(), IrreducibleError> {
    let effects = Effects::new(program);
    let mut budget = SPLIT_LIMIT;
    let globals: Vec<Var> = program.globals.iter().map(|d| d.var).collect();
    for region in &mut program.regions {
        cut_region(region, &mut program.assertions, &globals, &effects, options, &mut budget)?;
    }
    Ok(())
}

fn cut_region(
    region: &mut Region,
    assertions: &mut Vec<Assertion>,
    globals: &[Var],
    effects: &Effects,
    options: &CutOptions,
    budget: &mut usize,
) -> Result<(), IrreducibleError> {
    let before = *budget;
    let (cfg, forest, mut labels) = prepare(region, budget)?;
    let is_split = *budget < before;
    if forest.len() == 0 {
        return Ok(());
    }
    let mut changed = changed_in_loops(region, globals, effects, &forest);
    let mut entry = BlockId(0);
    let locs = loop_locs(region, &forest);
    for l in 0..forest.len() as u32 {
        let h = forest.header[l as usize];
        let loc = locs[l as usize];
        let label = region.blocks[h as usize].label.clone();
        let invariant = |s: &&Stmt| matches!(s.kind, StmtKind::Assert { .. } | StmtKind::Assume(_));
        let leading = region.blocks[h as usize].stmts.iter().take_while(invariant).count();
        let checks: Vec<Stmt> = region.blocks[h as usize].stmts[..leading]
            .iter()
            .filter(|s| matches!(s.kind, StmtKind::Assert { .. }))
            .cloned()
            .collect();
        let vars = std::mem::take(&mut changed[l as usize]);
        let known: Vec<Stmt> =
            vars.iter().filter_map(|&v| (options.known)(v)).map(|t| Stmt { kind: StmtKind::Assume(t), loc }).collect();
        let mut stmts = Vec::new();
        if !vars.is_empty() {
            stmts.push(Stmt { kind: StmtKind::Havoc(vars), loc });
        }
        stmts.extend(known);
        if let Some(any) = options.any.filter(|_| is_split && checks.is_empty()) {
            let id = AssertId(assertions.len() as u32);
            let message = Some("a loop with several entries and without an invariant at this one".to_owned());
            assertions.push(Assertion { kind: AssertKind::Approximate, message, loc });
            let (decl, cond) = any();
            stmts.push(Stmt { kind: StmtKind::Havoc(vec![decl.var]), loc });
            stmts.push(Stmt { kind: StmtKind::Assert { id, cond }, loc });
            region.locals.push(decl);
        }
        for (i, mut s) in std::mem::take(&mut region.blocks[h as usize].stmts).into_iter().enumerate() {
            if let StmtKind::Assert { id, cond } = s.kind
                && i < leading
            {
                if let Some(a) = assertions.get_mut(id.index()).filter(|a| a.kind == AssertKind::User) {
                    a.kind = AssertKind::Invariant;
                }
                s.kind = StmtKind::Assume(cond);
            }
            stmts.push(s);
        }
        region.blocks[h as usize].stmts = stmts;
        let enter = BlockId(region.blocks.len() as u32);
        let next = Terminator::Goto(vec![BlockId(h)]);
        region.blocks.push(Block { label: labels.fresh(&label), stmts: checks.clone(), next });
        let again = BlockId(region.blocks.len() as u32);
        region.blocks.push(Block { label: labels.fresh(&label), stmts: checks, next: Terminator::Goto(Vec::new()) });
        let mut sources = cfg.pred(h).to_vec();
        sources.sort_unstable();
        sources.dedup();
        for p in sources {
            let to = if forest.contains(l, p) { again } else { enter };
            region.blocks[p as usize].next.map_successors(|s| if s.0 == h { to } else { s });
        }
        if h == 0 {
            entry = enter;
        }
    }
    if entry != BlockId(0) {
        swap_blocks(region, entry);
    }
    Ok(())
}

/// Per loop: the globals and the region's variables that it may change, each once.
fn changed_in_loops(
    region: &Region,
    globals: &[Var],
    effects: &Effects,
    forest: &super::forest::Forest,
) -> Vec<Vec<Var>> {
    let own = region.inputs.iter().chain(&region.outputs).chain(&region.locals).map(|d| d.var);
    let mut order: FxHashMap<Var, usize> = FxHashMap::default();
    let mut vars: Vec<Var> = Vec::new();
    for v in globals.iter().copied().chain(own) {
        order.entry(v).or_insert_with(|| {
            vars.push(v);
            vars.len() - 1
        });
    }
    // (variable, innermost loop) pairs, sorted: then each variable climbs the tree once.
    let mut pairs: Vec<(usize, u32)> = Vec::new();
    for (b, block) in region.blocks.iter().enumerate() {
        let l = forest.innermost[b];
        if l == NONE {
            continue;
        }
        for s in &block.stmts {
            s.kind.for_each_target(|v| pairs.extend(order.get(&v).map(|&i| (i, l))));
            if let StmtKind::Box { callee, .. } = s.kind {
                pairs.extend(effects.of(callee).filter_map(|v| order.get(&v)).map(|&i| (i, l)));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut changed = vec![Vec::new(); forest.len()];
    let mut last = vec![usize::MAX; forest.len()];
    for (v, mut l) in pairs {
        while l != NONE && std::mem::replace(&mut last[l as usize], v) != v {
            changed[l as usize].push(vars[v]);
            l = forest.parent[l as usize];
        }
    }
    changed
}

/// Makes a block without predecessors the entry.
fn swap_blocks(region: &mut Region, entry: BlockId) {
    region.blocks.swap(0, entry.index());
    for b in &mut region.blocks {
        b.next.map_successors(|s| match s {
            BlockId(0) => entry,
            s if s == entry => BlockId(0),
            s => s,
        });
    }
}

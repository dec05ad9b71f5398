//! Small procedures in the place of their boxes.
//!
//! A procedure is put in place if it is small and boxes nothing, or if it has one box only and is not large. It is
//! never one that can come to box itself, and never one with loops (a loop stays with its parent). Callees come
//! first, so what was small stays small only if it did not grow. The program grows to its double and a little more at most.

use lariat_term::{Substituter, Terms, Var};
use rustc_hash::FxHashMap;

use super::{Reduced, tidy};
use crate::{
    effects::Components,
    ir::{Block, BlockId, Program, Region, RegionId, RegionKind, Stmt, StmtKind, Terminator, VarDecl},
    origins::{BlockOrigins, Frame, Origins, StmtOrigin},
};

/// Statements and blocks of what is put in place wherever it is boxed.
const SMALL: usize = 24;
/// The same for what is boxed only once.
const ONCE: usize = 60;
/// How much a program may grow, besides its own size.
const SPARE: usize = 200;
/// No region grows beyond this.
const LARGE: usize = 2000;

/// Puts small procedures in place; tells whether there were any.
pub(super) fn inline(reduced: &mut Reduced, terms: &mut Terms, entry: RegionId) -> bool {
    let program = &reduced.program;
    let reached = program.reached(entry);
    let mut sites = vec![0u32; program.regions.len()];
    for &r in &reached {
        program.regions[r.index()].callees().for_each(|c| sites[c.index()] += 1);
    }
    let mut budget = SPARE + reached.iter().map(|r| size(&program.regions[r.index()])).sum::<usize>();
    let mut wanted = vec![false; program.regions.len()];
    let Components { order, component, count } = Components::new(program);
    let mut members = vec![0u32; count];
    component.iter().for_each(|&c| members[c as usize] += 1);
    let mut is_reached = vec![false; program.regions.len()];
    reached.iter().for_each(|r| is_reached[r.index()] = true);
    let mut any = false;
    for r in order.into_iter().filter(|r| is_reached[r.index()]) {
        any |= into(reduced, terms, r, &wanted, &mut budget);
        let region = &reduced.program.regions[r.index()];
        let recursive = members[component[r.index()] as usize] > 1 || region.callees().any(|c| c == r);
        let loops = |c: RegionId| reduced.program.regions[c.index()].kind != RegionKind::Procedure;
        let plain = region.kind == RegionKind::Procedure && r != entry && !recursive && !region.callees().any(loops);
        let size = size(region);
        let leaf = region.callees().next().is_none();
        wanted[r.index()] = plain && (leaf && size <= SMALL || sites[r.index()] == 1 && size <= ONCE);
    }
    any
}

fn size(region: &Region) -> usize {
    region.blocks.iter().map(|b| 1 + b.stmts.len()).sum()
}

/// Puts what is wanted into one region.
fn into(reduced: &mut Reduced, terms: &mut Terms, r: RegionId, wanted: &[bool], budget: &mut usize) -> bool {
    if !reduced.program.regions[r.index()].callees().any(|c| wanted[c.index()]) {
        return false;
    }
    let (old, origins) = (&mut reduced.program.regions[r.index()], &mut reduced.origins[r.index()]);
    let blocks = std::mem::take(&mut old.blocks);
    let mut origins = std::mem::take(origins);
    let from = std::mem::take(&mut origins.blocks);
    let mut caller = Caller { slots: Vec::new(), origins, locals: Vec::new(), stmts: 0 };
    caller.stmts = blocks.iter().map(|b| 1 + b.stmts.len()).sum();
    caller.slots.resize_with(blocks.len(), || None);
    for (i, (block, from)) in blocks.into_iter().zip(from).enumerate() {
        caller.block(&reduced.program, &reduced.origins, terms, i, block, from, wanted, budget);
    }
    let region = Region { blocks: Vec::new(), ..std::mem::replace(&mut reduced.program.regions[r.index()], EMPTY) };
    let (mut region, origins) = tidy::assemble(region, caller.origins, caller.slots);
    region.locals.extend(caller.locals);
    reduced.program.regions[r.index()] = region;
    reduced.origins[r.index()] = origins;
    true
}

const EMPTY: Region = Region {
    name: String::new(),
    kind: RegionKind::Procedure,
    loc: crate::ir::Loc::NONE,
    inputs: Vec::new(),
    outputs: Vec::new(),
    locals: Vec::new(),
    blocks: Vec::new(),
};

/// The region that grows.
struct Caller {
    slots: Vec<tidy::Slot>,
    origins: Origins,
    locals: Vec<VarDecl>,
    /// Its size so far.
    stmts: usize,
}

impl Caller {
    #[allow(clippy::too_many_arguments)] // a block with its origins, and what the pass knows
    fn block(
        &mut self,
        program: &Program,
        all: &[Origins],
        terms: &mut Terms,
        at: usize,
        block: Block,
        from: BlockOrigins,
        wanted: &[bool],
        budget: &mut usize,
    ) {
        let mut at = at;
        let mut label = block.label.clone();
        let (mut stmts, mut places) = (Vec::new(), Vec::new());
        for (s, place) in block.stmts.into_iter().zip(from.stmts) {
            let callee = match &s.kind {
                StmtKind::Box { callee, .. } if wanted[callee.index()] => Some(&program.regions[callee.index()]),
                _ => None,
            };
            let cost = callee.map_or(0, |c| size(c) + 2);
            let (Some(region), true) = (callee, cost <= *budget && self.stmts + cost <= LARGE) else {
                stmts.push(s);
                places.push(place);
                continue;
            };
            *budget -= cost;
            self.stmts += cost;
            let StmtKind::Box { callee, args, results } = s.kind else { continue };
            let (map, frames) = self.frames(terms, region, callee, &all[callee.index()], place);
            let entry = self.slots.len();
            // The arguments, the body, and the results where it returns.
            let inputs: Vec<_> = region.inputs.iter().map(|d| map[&d.var]).zip(args).collect();
            if !inputs.is_empty() {
                stmts.push(Stmt { kind: StmtKind::Assign(inputs), loc: s.loc });
                places.push(place);
            }
            let rest = entry + region.blocks.len();
            let next = Terminator::Goto(vec![BlockId(entry as u32)]);
            let origins = BlockOrigins { stmts: std::mem::take(&mut places), next: place };
            let before = std::mem::take(&mut stmts);
            self.slots[at] = Some((Block { label: std::mem::take(&mut label), stmts: before, next }, origins));
            self.body(terms, region, &all[callee.index()], &map, &frames, rest);
            let outputs = region.outputs.iter().map(|d| terms.var_term(map[&d.var]));
            let outputs: Vec<_> = results.into_iter().zip(outputs).collect();
            if !outputs.is_empty() {
                stmts.push(Stmt { kind: StmtKind::Assign(outputs), loc: s.loc });
                places.push(place);
            }
            at = rest;
            label = self.label(&block.label);
            self.slots.push(None);
        }
        let origins = BlockOrigins { stmts: places, next: from.next };
        self.slots[at] = Some((Block { label, stmts, next: block.next }, origins));
    }

    /// A label that no other block has: the number of the slot makes it so.
    fn label(&self, of: &str) -> String {
        format!("{of}@{}", self.slots.len())
    }

    /// Fresh variables for those of the callee, and the numbers of its frames here.
    fn frames(
        &mut self,
        terms: &mut Terms,
        region: &Region,
        callee: RegionId,
        from: &Origins,
        site: StmtOrigin,
    ) -> (FxHashMap<Var, Var>, Vec<u32>) {
        let mut frames: Vec<u32> = Vec::new();
        for (i, frame) in from.frames.iter().enumerate() {
            frames.push(self.origins.frames.len() as u32);
            let site = match frame.site {
                Some(site) if i > 0 => StmtOrigin { frame: frames[site.frame as usize], ..site },
                _ => site,
            };
            let region = if i == 0 { callee } else { frame.region };
            self.origins.frames.push(Frame { region, site: Some(site) });
        }
        let mut map = FxHashMap::default();
        for d in region.inputs.iter().chain(&region.outputs).chain(&region.locals) {
            if map.contains_key(&d.var) {
                continue;
            }
            let (name, sort) = (terms.var_name(d.var).to_owned(), terms.var_sort(d.var));
            let term = terms.fresh_var(&name, sort);
            let Some(fresh) = terms.as_var(term) else { continue };
            map.insert(d.var, fresh);
            let (frame, of) = from.var(d.var);
            self.origins.vars.insert(fresh, (frames[frame as usize], of));
            self.locals.push(VarDecl { var: fresh, ..d.clone() });
        }
        (map, frames)
    }

    /// Copies the blocks of a callee; they return to the slot `rest`.
    fn body(
        &mut self,
        terms: &mut Terms,
        region: &Region,
        from: &Origins,
        map: &FxHashMap<Var, Var>,
        frames: &[u32],
        rest: usize,
    ) {
        let first = self.slots.len() as u32;
        let renaming = map.iter().map(|(&v, &fresh)| (v, terms.var_term(fresh))).collect();
        let mut renaming = Substituter::new(terms, renaming);
        let to = |v: &Var| map.get(v).copied().unwrap_or(*v);
        let here = |p: &StmtOrigin| StmtOrigin { frame: frames[p.frame as usize], ..*p };
        for (block, origins) in region.blocks.iter().zip(&from.blocks) {
            let mut apply = |t| renaming.apply(terms, t);
            let mut stmts = Vec::with_capacity(block.stmts.len());
            for s in &block.stmts {
                let kind = match &s.kind {
                    StmtKind::Assume(t) => StmtKind::Assume(apply(*t)),
                    StmtKind::Assert { id, cond } => StmtKind::Assert { id: *id, cond: apply(*cond) },
                    StmtKind::Assign(pairs) => {
                        StmtKind::Assign(pairs.iter().map(|(v, t)| (to(v), apply(*t))).collect())
                    }
                    StmtKind::Havoc(vars) => StmtKind::Havoc(vars.iter().map(to).collect()),
                    StmtKind::Box { callee, args, results } => StmtKind::Box {
                        callee: *callee,
                        args: args.iter().map(|&t| apply(t)).collect(),
                        results: results.iter().map(to).collect(),
                    },
                };
                stmts.push(Stmt { kind, loc: s.loc });
            }
            let mut next = match &block.next {
                Terminator::Return => Terminator::Goto(vec![BlockId(rest as u32)]),
                Terminator::Branch { cond, yes, no } => Terminator::Branch { cond: apply(*cond), yes: *yes, no: *no },
                Terminator::Goto(to) => Terminator::Goto(to.clone()),
            };
            if block.next != Terminator::Return {
                next.map_successors(|b| BlockId(first + b.0));
            }
            let origins = BlockOrigins { stmts: origins.stmts.iter().map(here).collect(), next: here(&origins.next) };
            let label = self.label(&block.label);
            self.slots.push(Some((Block { label, stmts, next }, origins)));
        }
    }
}

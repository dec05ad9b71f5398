//! Slicing: what can influence neither the condition of an assertion that counts nor whether it is reached goes.
//!
//! One walk backwards over the blocks of a region, with the variables whose values matter from here on (*live*)
//! and whether anything matters at all: whether an assertion that counts may follow (*path*). Where it may, an
//! assumption or a stop matters; a branch matters if something that is kept depends on it, and else control goes
//! on where its ways join. What a region is asked for (its outputs, the globals after it) and what it asks for
//! (its inputs, the globals before it) only grows, until nothing changes.
//!
//! A box that neither restricts executions nor changes anything live goes, even if it might not end.

use std::{borrow::Cow, collections::BTreeSet};

use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

use super::{
    Reduced,
    places::{Places, Slot},
    stub, tidy,
};
use crate::{
    cfg::Cfg,
    effects::{Components, Effects},
    ir::{AssertId, Block, BlockId, Program, Region, RegionId, Stmt, StmtKind, Terminator, VarDecl},
    origins::BlockOrigins,
    walk::FreeVars,
};

/// Slices the regions that `entry` reaches; the others become stubs.
pub(super) fn slice(
    reduced: &mut Reduced,
    terms: &Terms,
    vars: &mut FreeVars,
    entry: RegionId,
    counts: &dyn Fn(AssertId) -> bool,
) {
    let mut slicer = Slicer::new(&reduced.program, terms, vars, counts);
    slicer.solve(&reduced.program, entry);
    let mut found = vec![entry];
    let mut seen = vec![false; reduced.program.regions.len()];
    seen[entry.index()] = true;
    let mut next = 0;
    let mut slots: FxHashMap<RegionId, Vec<tidy::Slot>> = FxHashMap::default();
    while let Some(&r) = found.get(next) {
        next += 1;
        let region = &reduced.program.regions[r.index()];
        let mut kept = Kept::new(region, &reduced.origins[r.index()].blocks);
        slicer.walk(region, r, Some(&mut kept));
        found.extend(kept.callees.into_iter().filter(|c| !std::mem::replace(&mut seen[c.index()], true)));
        slots.insert(r, kept.slots);
    }
    for i in 0..reduced.program.regions.len() {
        let r = RegionId(i as u32);
        let (old, origins) = (&mut reduced.program.regions[i], &mut reduced.origins[i]);
        let empty = stub(old);
        let old = std::mem::replace(old, empty);
        let mut origins = std::mem::take(origins);
        let Some(slots) = slots.remove(&r) else { continue };
        origins.blocks.clear();
        let (region, origins) = tidy::assemble(Region { blocks: Vec::new(), ..old }, origins, slots);
        let region = slicer.declare(region, r);
        reduced.program.regions[i] = region;
        reduced.origins[i] = origins;
    }
    slicer.globals(&mut reduced.program);
}

/// A set of small numbers.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn add(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Adds what another set and a mask have in common; tells whether there was something new.
    fn extend(&mut self, other: &Bits, mask: Option<&Bits>) -> bool {
        let mut new = 0;
        for (i, (a, &b)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let b = b & mask.map_or(!0, |m| m.0[i]);
            new |= b & !*a;
            *a |= b;
        }
        new != 0
    }
}

/// The variables that matter at a place.
#[derive(Clone)]
struct Live {
    globals: Bits,
    own: Bits,
    /// May an assertion that counts follow? If not, nothing matters.
    path: bool,
}

/// What is asked of a region, and what it asks for.
#[derive(Clone)]
struct Demand {
    /// Does anything matter where it returns?
    path_out: bool,
    outputs: Bits,
    globals_out: Bits,
    inputs: Bits,
    globals_in: Bits,
}

/// What does not depend on what is asked.
struct Shape {
    order: Vec<u32>,
    /// The block where all ways from a block meet again; the number of blocks stands for the end.
    join: Vec<u32>,
    /// The region's own variables, inputs first; a variable's number is its position.
    own: Vec<Var>,
    /// The numbers of the outputs.
    outputs: Vec<usize>,
}

struct Slicer<'a> {
    terms: &'a Terms,
    counts: &'a dyn Fn(AssertId) -> bool,
    vars: &'a mut FreeVars,
    places: Places,
    /// How many globals there are.
    globals: usize,
    /// By region: does it hold an assertion that counts, can it end an execution, can it return, and what does it
    /// change? All with what it boxes.
    asserts: Vec<bool>,
    restricts: Vec<bool>,
    returns: Vec<bool>,
    modifies: Vec<Bits>,
    shapes: Vec<Option<Shape>>,
    demands: Vec<Demand>,
    callers: Vec<Vec<RegionId>>,
    /// The position of a region among all, callees first.
    rank: Vec<u32>,
    order: Vec<RegionId>,
    /// Does anybody ask for a region?
    asked: Vec<bool>,
    /// Regions to walk again.
    work: BTreeSet<u32>,
}

/// The code that is kept of a region.
struct Kept<'a> {
    old: &'a [BlockOrigins],
    slots: Vec<tidy::Slot>,
    callees: Vec<RegionId>,
}

impl<'a> Kept<'a> {
    fn new(region: &Region, old: &'a [BlockOrigins]) -> Kept<'a> {
        Kept { old, slots: region.blocks.iter().map(|_| None).collect(), callees: Vec::new() }
    }
}

impl<'a> Slicer<'a> {
    fn new(
        program: &Program,
        terms: &'a Terms,
        vars: &'a mut FreeVars,
        counts: &'a dyn Fn(AssertId) -> bool,
    ) -> Slicer<'a> {
        let n = program.regions.len();
        let globals = program.globals.len();
        let Components { order, .. } = Components::new(program);
        let mut rank = vec![0; n];
        order.iter().enumerate().for_each(|(i, r)| rank[r.index()] = i as u32);
        let effects = Effects::new(program);
        let mut modifies = Vec::with_capacity(n);
        let mut callers = vec![Vec::new(); n];
        let mut demands = Vec::with_capacity(n);
        for (i, region) in program.regions.iter().enumerate() {
            let r = RegionId(i as u32);
            modifies.push(Bits(effects.set(r).to_vec()));
            for c in region.callees() {
                callers[c.index()].push(r);
            }
            demands.push(Demand {
                path_out: false,
                outputs: Bits::new(region.outputs.len()),
                globals_out: Bits::new(globals),
                inputs: Bits::new(region.inputs.len()),
                globals_in: Bits::new(globals),
            });
        }
        for list in &mut callers {
            list.sort_unstable();
            list.dedup();
        }
        let asserts =
            closure(program, &callers, |s| matches!(s.kind, StmtKind::Assert { id, .. } if counts(id)), |_| false);
        let ends = |s: &Stmt| matches!(s.kind, StmtKind::Assert { .. } | StmtKind::Assume(_));
        let restricts = closure(program, &callers, ends, |b| matches!(&b.next, Terminator::Goto(to) if to.is_empty()));
        let returns = returns(program, &order);
        let shapes = (0..n).map(|_| None).collect();
        Slicer {
            terms,
            counts,
            vars,
            places: Places::new(program),
            globals,
            asserts,
            restricts,
            returns,
            modifies,
            shapes,
            demands,
            callers,
            rank,
            order,
            asked: vec![false; n],
            work: BTreeSet::new(),
        }
    }

    /// Walks regions until what is asked stays the same. What is asked for goes from callers to callees and comes back
    /// from callees to callers, so sweeps go down and up in turn, and a region is walked at most once a sweep (a loop,
    /// until it asks itself for nothing more): within a component, too, where starting over at its first region
    /// whenever something has grown would walk each region once for each growth of another one.
    fn solve(&mut self, program: &Program, entry: RegionId) {
        self.again(entry);
        let (mut at, mut down) = (self.rank[entry.index()], true);
        while !self.work.is_empty() {
            let next = if down { self.work.range(..=at).next_back() } else { self.work.range(at..).next() };
            let Some(&rank) = next else {
                down = !down;
                continue;
            };
            self.work.remove(&rank);
            at = rank;
            let r = self.order[rank as usize];
            self.walk(&program.regions[r.index()], r, None);
        }
    }

    fn again(&mut self, r: RegionId) {
        self.asked[r.index()] = true;
        self.work.insert(self.rank[r.index()]);
    }

    /// Walks a region backwards; with `kept`, notes what stays of it.
    fn walk(&mut self, region: &Region, r: RegionId, mut kept: Option<&mut Kept<'_>>) {
        let shape = match self.shapes[r.index()].take() {
            Some(shape) => shape,
            None => Shape::new(region),
        };
        self.places.enter(&shape.own);
        let n = region.blocks.len();
        let mut live: Vec<Option<Live>> = vec![None; n + 1];
        live[n] = Some(self.at_return(r, &shape));
        // Blocks where something is kept, so that it matters whether control comes there.
        let mut marked = vec![false; n + 1];
        for &b in shape.order.iter().rev() {
            let block = &region.blocks[b as usize];
            let (mut state, next, decides) = self.end(&shape, &live, &marked, b, block);
            let mut stmts = Vec::new();
            for (i, s) in block.stmts.iter().enumerate().rev() {
                if let Some(kind) = self.stmt(&mut state, &s.kind, kept.is_some()) {
                    marked[b as usize] = true;
                    if kept.is_some() {
                        stmts.push((i, Stmt { kind: kind.into_owned(), loc: s.loc }));
                    }
                }
            }
            let stops = matches!(&next, Terminator::Goto(to) if to.is_empty());
            marked[b as usize] |= decides || stops || !state.path;
            if let Some(kept) = &mut kept {
                stmts.reverse();
                let old = &kept.old[b as usize];
                let origins =
                    BlockOrigins { stmts: stmts.iter().map(|(i, _)| old.stmts[*i]).collect(), next: old.next };
                let stmts: Vec<Stmt> = stmts.into_iter().map(|(_, s)| s).collect();
                let boxed = |s: &Stmt| if let StmtKind::Box { callee, .. } = s.kind { Some(callee) } else { None };
                kept.callees.extend(stmts.iter().filter_map(boxed));
                kept.slots[b as usize] = Some((Block { label: block.label.clone(), stmts, next }, origins));
            }
            live[b as usize] = Some(state);
        }
        if let Some(start) = &live[0] {
            let demand = &mut self.demands[r.index()];
            let mut grown = demand.globals_in.extend(&start.globals, None);
            for i in (0..region.inputs.len()).filter(|&i| start.own.has(i)) {
                grown |= !demand.inputs.has(i);
                demand.inputs.add(i);
            }
            if grown {
                for i in 0..self.callers[r.index()].len() {
                    self.again_if_asked(self.callers[r.index()][i]);
                }
            }
        }
        self.shapes[r.index()] = Some(shape);
    }

    /// A caller that was never walked asks for nothing and need not be walked.
    fn again_if_asked(&mut self, caller: RegionId) {
        if self.asked[caller.index()] {
            self.again(caller);
        }
    }

    fn at_return(&self, r: RegionId, shape: &Shape) -> Live {
        let demand = &self.demands[r.index()];
        let mut own = Bits::new(shape.own.len());
        for (i, &output) in shape.outputs.iter().enumerate() {
            if demand.outputs.has(i) {
                own.add(output);
            }
        }
        Live { globals: demand.globals_out.clone(), own, path: demand.path_out }
    }

    /// What is live at the end of a block, where control goes on, and whether the block decides that.
    fn end(
        &mut self,
        shape: &Shape,
        live: &[Option<Live>],
        marked: &[bool],
        b: u32,
        block: &Block,
    ) -> (Live, Terminator, bool) {
        let end = live.len() - 1;
        let nothing = || Live { globals: Bits::new(self.globals), own: Bits::new(shape.own.len()), path: false };
        let at = |i: usize| live[i].clone().unwrap_or_else(nothing);
        if block.next == Terminator::Return {
            return (at(end), Terminator::Return, false);
        }
        if !block.next.successors().any(|s| live[s.index()].as_ref().is_some_and(|live| live.path)) {
            return (nothing(), Terminator::Goto(Vec::new()), false);
        }
        let join = shape.join[b as usize];
        let decides = block.next.successors().any(|s| {
            let mut at = s.0;
            while at != join && !marked[at as usize] {
                at = shape.join[at as usize];
            }
            at != join
        });
        if !decides {
            let next = if join as usize == end { Terminator::Return } else { Terminator::Goto(vec![BlockId(join)]) };
            return (at(join as usize), next, false);
        }
        let mut successors = block.next.successors();
        let mut state = successors.next().map_or_else(nothing, |s| at(s.index()));
        for other in successors.filter_map(|s| live[s.index()].as_ref()) {
            state.globals.extend(&other.globals, None);
            state.own.extend(&other.own, None);
            state.path |= other.path;
        }
        if let Terminator::Branch { cond, .. } = block.next {
            self.read(&mut state, cond);
        }
        (state, block.next.clone(), true)
    }

    /// Takes a statement into account; what stays of it, in full if this is the last walk.
    fn stmt<'s>(&mut self, live: &mut Live, kind: &'s StmtKind, last: bool) -> Option<Cow<'s, StmtKind>> {
        match kind {
            StmtKind::Assume(t) => {
                if !live.path {
                    return None;
                }
                self.read(live, *t);
            }
            StmtKind::Assert { id, cond } => {
                live.path |= (self.counts)(*id);
                if !live.path {
                    return None;
                }
                self.read(live, *cond);
            }
            StmtKind::Assign(pairs) => {
                let kept = pairs.iter().filter(|(v, _)| self.is_live(live, *v)).count();
                if kept == pairs.len() {
                    pairs.iter().for_each(|&(v, _)| self.kill(live, v));
                    pairs.iter().for_each(|&(_, t)| self.read(live, t));
                } else if kept > 0 {
                    let pairs: Vec<_> = pairs.iter().copied().filter(|&(v, _)| self.is_live(live, v)).collect();
                    pairs.iter().for_each(|&(v, _)| self.kill(live, v));
                    pairs.iter().for_each(|&(_, t)| self.read(live, t));
                    return Some(Cow::Owned(StmtKind::Assign(pairs)));
                } else {
                    return None;
                }
            }
            StmtKind::Havoc(vars) => {
                let kept = vars.iter().filter(|v| self.is_live(live, **v)).count();
                if kept < vars.len() && (last || kept == 0) {
                    let vars: Vec<Var> = vars.iter().copied().filter(|&v| self.is_live(live, v)).collect();
                    vars.iter().for_each(|&v| self.kill(live, v));
                    return (!vars.is_empty()).then_some(Cow::Owned(StmtKind::Havoc(vars)));
                }
                vars.iter().for_each(|&v| self.kill(live, v));
            }
            StmtKind::Box { callee, args, results } => {
                let c = callee.index();
                let matters = self.restricts[c]
                    || live.globals.meets(&self.modifies[c])
                    || results.iter().any(|&v| self.is_live(live, v));
                if !(self.asserts[c] || live.path && matters) {
                    return None;
                }
                self.ask(live, *callee, results);
                results.iter().for_each(|&v| self.kill(live, v));
                live.path = self.asserts[c] || live.path && self.returns[c];
                live.globals.extend(&self.demands[c].globals_in, None);
                for (i, &t) in args.iter().enumerate() {
                    if self.demands[c].inputs.has(i) {
                        self.read(live, t);
                    }
                }
                if last {
                    let Demand { inputs, outputs, .. } = &self.demands[c];
                    let args = args.iter().enumerate().filter(|(i, _)| inputs.has(*i)).map(|(_, &t)| t).collect();
                    let results =
                        results.iter().enumerate().filter(|(i, _)| outputs.has(*i)).map(|(_, &v)| v).collect();
                    return Some(Cow::Owned(StmtKind::Box { callee: *callee, args, results }));
                }
            }
        }
        Some(Cow::Borrowed(kind))
    }

    /// Asks a callee for what is live after a box of it.
    fn ask(&mut self, live: &Live, callee: RegionId, results: &[Var]) {
        let c = callee.index();
        let mut grown = self.demands[c].globals_out.extend(&live.globals, Some(&self.modifies[c]));
        for (i, &v) in results.iter().enumerate() {
            if !self.demands[c].outputs.has(i) && self.is_live(live, v) {
                grown = true;
                self.demands[c].outputs.add(i);
            }
        }
        let demand = &mut self.demands[c];
        grown |= live.path && !demand.path_out;
        demand.path_out |= live.path;
        if grown || !self.asked[c] {
            self.again(callee);
        }
    }

    fn is_live(&self, live: &Live, v: Var) -> bool {
        match self.places.of(v) {
            Some(Slot::Global(i)) => live.globals.has(i),
            Some(Slot::Own(i)) => live.own.has(i),
            None => false,
        }
    }

    fn kill(&self, live: &mut Live, v: Var) {
        match self.places.of(v) {
            Some(Slot::Global(i)) => live.globals.remove(i),
            Some(Slot::Own(i)) => live.own.remove(i),
            None => {}
        }
    }

    fn read(&mut self, live: &mut Live, t: lariat_term::Term) {
        for &v in self.vars.of(self.terms, t) {
            match self.places.of(v) {
                Some(Slot::Global(i)) => live.globals.add(i),
                Some(Slot::Own(i)) => live.own.add(i),
                None => {}
            }
        }
    }

    /// The region with the declarations that its code needs.
    fn declare(&mut self, region: Region, r: RegionId) -> Region {
        let mut used: FxHashMap<Var, ()> = FxHashMap::default();
        for block in &region.blocks {
            block.stmts.iter().for_each(|s| s.kind.for_each_target(|v| _ = used.insert(v, ())));
            block.for_each_term(|t| used.extend(self.vars.of(self.terms, t).iter().map(|&v| (v, ()))));
        }
        let demand = &self.demands[r.index()];
        let split = |list: Vec<VarDecl>, kept: &Bits| -> (Vec<VarDecl>, Vec<VarDecl>) {
            let (kept, rest): (Vec<_>, Vec<_>) = list.into_iter().enumerate().partition(|(i, _)| kept.has(*i));
            let strip = |list: Vec<(usize, VarDecl)>| list.into_iter().map(|(_, d)| d).collect();
            (strip(kept), strip(rest))
        };
        let (inputs, old_inputs) = split(region.inputs, &demand.inputs);
        let (outputs, old_outputs) = split(region.outputs, &demand.outputs);
        let mut declared: FxHashMap<Var, ()> = inputs.iter().chain(&outputs).map(|d| (d.var, ())).collect();
        let others = old_inputs.into_iter().chain(old_outputs).chain(region.locals);
        let locals = others.filter(|d| used.contains_key(&d.var) && declared.insert(d.var, ()).is_none()).collect();
        Region { inputs, outputs, locals, ..region }
    }

    /// Leaves the globals that are mentioned.
    fn globals(&mut self, program: &mut Program) {
        let mut used = Bits::new(self.globals);
        for block in program.regions.iter().flat_map(|r| &r.blocks) {
            let mut add = |v: Var| {
                if let Some(Slot::Global(i)) = self.places.of(v) {
                    used.add(i);
                }
            };
            block.stmts.iter().for_each(|s| s.kind.for_each_target(&mut add));
            block.for_each_term(|t| self.vars.of(self.terms, t).iter().for_each(|&v| add(v)));
        }
        let mut i = 0;
        program.globals.retain(|_| {
            i += 1;
            used.has(i - 1)
        });
    }
}

impl Shape {
    fn new(region: &Region) -> Shape {
        let order = Cfg::new(region).topological();
        let n = region.blocks.len();
        let end = n as u32;
        // All blocks that follow a block have their joins when it is its turn.
        let mut join = vec![end; n];
        let mut depth = vec![0u32; n + 1];
        for &b in order.iter().rev() {
            let mut meet = None;
            for s in region.blocks[b as usize].next.successors() {
                meet = Some(meet.map_or(s.0, |mut a: u32| {
                    let mut c = s.0;
                    while a != c {
                        if depth[a as usize] >= depth[c as usize] {
                            a = join[a as usize];
                        } else {
                            c = join[c as usize];
                        }
                    }
                    a
                }));
            }
            join[b as usize] = meet.unwrap_or(end);
            depth[b as usize] = depth[join[b as usize] as usize] + 1;
        }
        let mut numbers = FxHashMap::default();
        let mut own = Vec::new();
        for d in region.inputs.iter().chain(&region.outputs).chain(&region.locals) {
            numbers.entry(d.var).or_insert_with(|| {
                own.push(d.var);
                own.len() - 1
            });
        }
        let outputs = region.outputs.iter().map(|d| numbers[&d.var]).collect();
        Shape { order, join, own, outputs }
    }
}

/// The regions with such a statement or block, and all that box one of them.
fn closure(
    program: &Program,
    callers: &[Vec<RegionId>],
    stmt: impl Fn(&Stmt) -> bool,
    block: impl Fn(&Block) -> bool,
) -> Vec<bool> {
    let has = |r: &Region| r.blocks.iter().any(|b| block(b) || b.stmts.iter().any(&stmt));
    let mut found: Vec<bool> = program.regions.iter().map(has).collect();
    let mut work: Vec<usize> = (0..found.len()).filter(|&i| found[i]).collect();
    while let Some(i) = work.pop() {
        for c in &callers[i] {
            if !std::mem::replace(&mut found[c.index()], true) {
                work.push(c.index());
            }
        }
    }
    found
}

/// Which regions have a way from their start to a return. Boxes of regions that are not known yet (recursion) are
/// taken to return.
fn returns(program: &Program, order: &[RegionId]) -> Vec<bool> {
    let mut known = vec![true; program.regions.len()];
    for &r in order {
        let region = &program.regions[r.index()];
        let mut ends = vec![false; region.blocks.len()];
        for b in Cfg::new(region).topological().into_iter().rev() {
            let block = &region.blocks[b as usize];
            let passes = |s: &Stmt| !matches!(s.kind, StmtKind::Box { callee, .. } if !known[callee.index()]);
            let leads = block.next == Terminator::Return || block.next.successors().any(|s| ends[s.index()]);
            ends[b as usize] = leads && block.stmts.iter().all(passes);
        }
        known[r.index()] = ends.first().copied().unwrap_or(false);
    }
    known
}

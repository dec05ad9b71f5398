//! Constants in the place of the variables that hold them, and what follows: decided branches, assumptions and
//! assertions that hold, and code that nothing reaches.
//!
//! What is known of a variable is one value or nothing. Each region is walked with what is known where it is
//! entered (what all its boxes agree on) and, at its boxes, what is known where the callee returns. Returns are
//! found callees first and entries callers first, twice; regions that can box themselves start with nothing
//! known of what they return, and their entries are walked again until they stay.
//!
//! A region is walked again only if something has changed for it: what is known where it is entered of the globals that it or what it boxes uses,
//! or what is known where something that it boxes returns.

use std::rc::Rc;

use lariat_term::{Op, Persist, Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Reduced,
    places::{Places, Slot},
    tidy,
};
use crate::{
    cfg::Cfg,
    effects::{Components, Effects, recursive_regions},
    ir::{Block, BlockId, Program, Region, RegionId, RegionKind, Stmt, StmtKind, Terminator, VarDecl},
    origins::{BlockOrigins, Frame, Origins, StmtOrigin},
    walk::FreeVars,
};

/// How often the entries of regions that box each other are walked before nothing is assumed of them.
const ROUNDS: usize = 4;

/// Fills `reduced` with the regions that `entry` reaches in a program, whose parts come from `origins` (or are those
/// of the given program).
pub(super) fn propagate(
    program: &Program,
    origins: Option<&[Origins]>,
    terms: &mut Terms,
    vars: &mut FreeVars,
    entry: RegionId,
    reduced: &mut Reduced,
) {
    let Components { order, component, .. } = Components::new(program);
    let mut groups: Vec<Vec<RegionId>> = Vec::new();
    let mut reached = vec![false; program.regions.len()];
    program.reached(entry).iter().for_each(|r| reached[r.index()] = true);
    for r in order.into_iter().filter(|r| reached[r.index()]) {
        match groups.last_mut() {
            Some(g) if component[g[0].index()] == component[r.index()] => g.push(r),
            _ => groups.push(vec![r]),
        }
    }
    let top = terms.fresh_var("unknown", lariat_term::Sort::BOOL);
    let mut unknown = Persist::new(program.globals.len());
    (0..program.globals.len()).for_each(|i| unknown.set(i, top));
    let effects = Effects::new(program);
    let uses = effects.uses(program, terms, vars);
    let n = program.regions.len();
    let mut pass = Pass {
        program,
        terms,
        vars,
        effects,
        uses,
        component,
        recursive: recursive_regions(program),
        top,
        unknown,
        places: Places::new(program),
        shapes: vec![None; n],
        walked: vec![[const { None }; 3]; n],
        entries: vec![None; n],
        exits: vec![None; n],
        clock: 0,
        exit_changed: vec![0; n],
        settled: vec![None; groups.len()],
    };
    for r in groups.iter().flatten() {
        pass.entries[r.index()] = Some(pass.nothing_known(*r));
    }
    for _ in 0..2 {
        groups.iter().for_each(|g| pass.exits(g));
        pass.entries.iter_mut().for_each(|e| *e = None);
        pass.entries[entry.index()] = Some(pass.nothing_known(entry));
        groups.iter().enumerate().rev().for_each(|(i, g)| pass.entries(i, g));
    }
    for &r in groups.iter().flatten() {
        if pass.entries[r.index()].is_some() {
            let (region, origins) = pass.build(r, origins.map(|o| &o[r.index()]));
            reduced.program.regions[r.index()] = region;
            reduced.origins[r.index()] = origins;
            pass.list_known(r, &mut reduced.known);
        }
    }
}

/// What is known where a region is entered.
#[derive(Clone)]
struct Entry {
    globals: Persist,
    inputs: Vec<Term>,
}

/// What is known where a region returns.
#[derive(Clone)]
struct Exit {
    globals: Persist,
    outputs: Vec<Term>,
}

/// What is known at a place in a region.
#[derive(Clone)]
struct State {
    globals: Persist,
    own: Persist,
}

/// What is known on each of the ways that join at a place. They are met in pairs of the same number of ways, so
/// that n ways which each change something else cost n·log n and not n² steps.
#[derive(Default)]
struct Join(Vec<(u32, State)>);

impl Join {
    fn add(&mut self, state: State, top: &State) {
        let mut last = (1, state);
        while let Some((ways, state)) = self.0.pop_if(|(ways, _)| *ways == last.0) {
            last = (2 * ways, meet(state, &last.1, top));
        }
        self.0.push(last);
    }

    /// What is known on all of them; `None` if there is none.
    fn take(&mut self, top: &State) -> Option<State> {
        let (_, mut state) = self.0.pop()?;
        while let Some((_, other)) = self.0.pop() {
            state = meet(other, &state, top);
        }
        Some(state)
    }
}

fn meet(mut a: State, b: &State, top: &State) -> State {
    a.globals.meet(&b.globals, &top.globals);
    a.own.meet(&b.own, &top.own);
    a
}

/// What does not depend on what is known.
struct Shape {
    order: Vec<u32>,
    /// The region's own variables; a variable's number is its position.
    own: Vec<Var>,
    /// Nothing is known of any of them.
    unknown: Persist,
    /// What it boxes, each once.
    callees: Vec<RegionId>,
}

/// What a walk found, with what it knew.
struct Walked {
    entry: Entry,
    at: u64,
    exit: Option<Exit>,
    boxes: Vec<(RegionId, Entry)>,
}

/// What a walk takes the regions of its own component to return: one that was made under one of these is not used for another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Never,
    Anything,
    Found,
}

/// How the entries of a group were found.
#[derive(Clone)]
struct Settled {
    at: u64,
    from: Vec<Option<Entry>>,
    to: Vec<Option<Entry>>,
}

struct Pass<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    vars: &'a mut FreeVars,
    effects: Effects,
    /// What regions may read or change.
    uses: Effects,
    component: Vec<u32>,
    /// Which regions can box themselves.
    recursive: Vec<bool>,
    /// Stands for a value that is not known.
    top: Term,
    /// Nothing is known of any global.
    unknown: Persist,
    places: Places,
    shapes: Vec<Option<Rc<Shape>>>,
    /// The last walk over each region, by [`Within`].
    walked: Vec<[Option<Rc<Walked>>; 3]>,
    /// `None` where no execution gets.
    entries: Vec<Option<Entry>>,
    /// `None` where no execution returns.
    exits: Vec<Option<Exit>>,
    /// Counts the changes of exits.
    clock: u64,
    /// When the exit of a region was found to be another one.
    exit_changed: Vec<u64>,
    /// By group.
    settled: Vec<Option<Settled>>,
}

/// The walk over one region.
struct Walk<'a> {
    region: &'a Region,
    /// Nothing is known.
    top: State,
    /// What is known where blocks start.
    pending: Vec<Join>,
    /// What is known where it returns.
    returns: Join,
    /// The boxes that are met, with what is known there.
    boxes: Vec<(RegionId, Entry)>,
    built: Option<Built>,
}

/// The new code of a region.
struct Built {
    /// By the block's number in the given program.
    blocks: Vec<Option<(Block, BlockOrigins)>>,
    /// For blocks with one predecessor: the condition of the branch to them, and whether it holds.
    given: Vec<Option<(Term, bool)>>,
}

impl Walk<'_> {
    fn arrive(&mut self, at: BlockId, state: State) {
        self.pending[at.index()].add(state, &self.top);
    }
}

impl<'a> Pass<'a> {
    fn nothing_known(&self, r: RegionId) -> Entry {
        let inputs = self.program.regions[r.index()].inputs.len();
        Entry { globals: self.unknown.clone(), inputs: vec![self.top; inputs] }
    }

    /// Lists the constants at the start of a loop that it may change.
    fn list_known(&self, r: RegionId, known: &mut Vec<(RegionId, Var, Term)>) {
        let region = &self.program.regions[r.index()];
        let (RegionKind::Loop { .. }, Some(entry)) = (region.kind, &self.entries[r.index()]) else { return };
        let inputs = region.inputs.iter().map(|d| d.var).zip(entry.inputs.iter().copied());
        let globals = self.effects.of(r).filter_map(|v| match self.places.of(v)? {
            Slot::Global(i) => Some((v, entry.globals.get(i)?)),
            Slot::Own(_) => None,
        });
        known.extend(inputs.chain(globals).filter(|&(_, t)| t != self.top).map(|(v, t)| (r, v, t)));
    }

    /// Finds what is known where the regions of a group return.
    fn exits(&mut self, group: &[RegionId]) {
        let before: Vec<Option<Exit>> = group.iter().map(|r| self.exits[r.index()].take()).collect();
        let mut found: Vec<Option<Exit>> = group.iter().map(|&r| self.exit(r, Within::Never)).collect();
        let recursive = self.recursive[group[0].index()];
        // If none returns as long as none of them does, none ever does.
        if recursive && found.iter().any(Option::is_some) {
            for &r in group {
                let outputs = vec![self.top; self.program.regions[r.index()].outputs.len()];
                self.exits[r.index()] = Some(Exit { globals: self.unknown.clone(), outputs });
            }
            found = group.iter().map(|&r| self.exit(r, Within::Anything)).collect();
        }
        self.clock += 1;
        for ((&r, before), exit) in group.iter().zip(before).zip(found) {
            let same = match (&before, &exit) {
                (None, None) => true,
                (Some(a), Some(b)) => a.outputs == b.outputs && a.globals.agrees(&b.globals, self.effects.set(r)),
                _ => false,
            };
            if !same {
                self.exit_changed[r.index()] = self.clock;
            }
            self.exits[r.index()] = exit;
        }
    }

    fn exit(&mut self, r: RegionId, within: Within) -> Option<Exit> {
        self.walked(r, within)?.exit.clone()
    }

    /// What a walk over a region finds, if it is entered.
    fn walked(&mut self, r: RegionId, within: Within) -> Option<Rc<Walked>> {
        let entry = self.entries[r.index()].clone()?;
        let within = if self.recursive[r.index()] { within } else { Within::Found };
        if let Some(old) = &self.walked[r.index()][within as usize]
            && old.entry.inputs == entry.inputs
            && old.entry.globals.agrees(&entry.globals, self.uses.set(r))
            && !self.callee_changed(r, old.at, within)
        {
            return Some(old.clone());
        }
        let at = self.clock;
        let mut walk = self.walk(r, false)?;
        let exit = walk.returns.take(&walk.top).map(|State { globals, own }| {
            let output = |d: &VarDecl| match self.places.of(d.var) {
                Some(Slot::Own(i)) => own.get(i).unwrap_or(self.top),
                _ => self.top,
            };
            Exit { globals, outputs: walk.region.outputs.iter().map(output).collect() }
        });
        let boxes = if within == Within::Found { walk.boxes } else { Vec::new() };
        let found = Rc::new(Walked { entry, at, exit, boxes });
        self.walked[r.index()][within as usize] = Some(found.clone());
        Some(found)
    }

    /// Is something else known where one of the regions that this one boxes returns? Within its component, `within` says what is known.
    fn callee_changed(&self, r: RegionId, since: u64, within: Within) -> bool {
        let Some(shape) = &self.shapes[r.index()] else { return true };
        let fixed = |c: RegionId| within != Within::Found && self.component[c.index()] == self.component[r.index()];
        shape.callees.iter().any(|&c| self.exit_changed[c.index()] > since && !fixed(c))
    }

    /// Finds what is known where what the regions of a group box is entered. What is known of their own entries
    /// from outside is complete.
    fn entries(&mut self, number: usize, group: &[RegionId]) {
        if self.recursive[group[0].index()] {
            let from: Vec<Option<Entry>> = group.iter().map(|r| self.entries[r.index()].clone()).collect();
            match self.settled[number].clone().filter(|s| self.still_settled(s, group, &from)) {
                Some(settled) => {
                    group.iter().zip(settled.to).for_each(|(r, entry)| self.entries[r.index()] = entry);
                }
                None => {
                    let at = self.clock;
                    self.settle(group);
                    let to = group.iter().map(|r| self.entries[r.index()].clone()).collect();
                    self.settled[number] = Some(Settled { at, from, to });
                }
            }
        }
        for &r in group {
            let Some(walked) = self.walked(r, Within::Found) else { continue };
            for (callee, entry) in &walked.boxes {
                if self.component[callee.index()] != self.component[r.index()] {
                    self.enter(*callee, entry);
                }
            }
        }
    }

    /// Would a group be settled as it was before?
    fn still_settled(&self, old: &Settled, group: &[RegionId], from: &[Option<Entry>]) -> bool {
        group.iter().zip(old.from.iter().zip(from)).all(|(&r, entries)| {
            let same = match entries {
                (None, None) => true,
                (Some(a), Some(b)) => a.inputs == b.inputs && a.globals.agrees(&b.globals, self.uses.set(r)),
                _ => false,
            };
            same && !self.callee_changed(r, old.at, Within::Found)
        })
    }

    /// Finds what is known where regions that box each other are entered.
    fn settle(&mut self, group: &[RegionId]) {
        for round in 1.. {
            let mut changed = false;
            for &r in group {
                let Some(walked) = self.walked(r, Within::Found) else { continue };
                for (callee, entry) in &walked.boxes {
                    if self.component[callee.index()] == self.component[r.index()] {
                        changed |= self.enter(*callee, entry);
                    }
                }
            }
            if !changed {
                return;
            }
            if round == ROUNDS {
                break;
            }
        }
        for &r in group {
            self.entries[r.index()] = Some(self.nothing_known(r));
        }
    }

    /// One more way to enter a region; tells whether less is known now.
    fn enter(&mut self, r: RegionId, by: &Entry) -> bool {
        let top = self.top;
        let Some(known) = &mut self.entries[r.index()] else {
            self.entries[r.index()] = Some(by.clone());
            return true;
        };
        let mut changed = known.globals.meet(&by.globals, &self.unknown);
        for (a, &b) in known.inputs.iter_mut().zip(&by.inputs) {
            if *a != b && *a != top {
                *a = top;
                changed = true;
            }
        }
        changed
    }

    /// Walks a region that is entered.
    fn walk(&mut self, r: RegionId, build: bool) -> Option<Walk<'a>> {
        let program = self.program;
        let region = &program.regions[r.index()];
        let entry = self.entries[r.index()].clone()?;
        let shape = match &self.shapes[r.index()] {
            Some(shape) => shape.clone(),
            None => self.shapes[r.index()].insert(Rc::new(Shape::new(region, self.top))).clone(),
        };
        self.places.enter(&shape.own);
        let mut locals = shape.unknown.clone();
        let top = State { globals: self.unknown.clone(), own: locals.clone() };
        // Inputs come first.
        entry.inputs.iter().enumerate().for_each(|(i, &t)| locals.set(i, t));
        let n = region.blocks.len();
        let built = build.then(|| Built { blocks: (0..n).map(|_| None).collect(), given: given(region) });
        let pending = (0..n).map(|_| Join::default()).collect();
        let mut walk = Walk { region, top, pending, returns: Join::default(), boxes: Vec::new(), built };
        walk.pending[0].add(State { globals: entry.globals, own: locals }, &walk.top);
        for &b in &shape.order {
            if let Some(state) = walk.pending[b as usize].take(&walk.top) {
                self.block(&mut walk, BlockId(b), state);
            }
        }
        Some(walk)
    }

    fn block(&mut self, walk: &mut Walk<'_>, id: BlockId, mut state: State) {
        let region = walk.region;
        let block = &region.blocks[id.index()];
        let (yes, no) = (self.terms.bool(true), self.terms.bool(false));
        let place = |stmt: usize| StmtOrigin { frame: 0, block: id, stmt: stmt as u32 };
        let mut stmts: Vec<Stmt> = Vec::new();
        let mut places = Vec::new();
        let mut given = walk.built.as_ref().and_then(|b| b.given[id.index()]);
        let mut ends = false;
        for (i, s) in block.stmts.iter().enumerate() {
            let kind = match &s.kind {
                StmtKind::Assume(t) => {
                    let cond = self.eval(&state, *t);
                    self.learn(&mut state, cond);
                    ends = cond == no;
                    let implied = given.is_some_and(|(c, holds)| if holds { c == *t } else { self.terms.not(c) == *t });
                    if cond == yes || ends || implied {
                        if ends {
                            break;
                        }
                        continue;
                    }
                    StmtKind::Assume(cond)
                }
                StmtKind::Assert { id, cond } => {
                    let cond = self.eval(&state, *cond);
                    self.learn(&mut state, cond);
                    ends = cond == no;
                    if cond == yes {
                        continue;
                    }
                    StmtKind::Assert { id: *id, cond }
                }
                StmtKind::Assign(pairs) => {
                    let pairs: Vec<(Var, Term)> = pairs.iter().map(|&(v, t)| (v, self.eval(&state, t))).collect();
                    for &(v, t) in &pairs {
                        self.set(&mut state, v, t);
                    }
                    given = None;
                    StmtKind::Assign(pairs)
                }
                StmtKind::Havoc(vars) => {
                    vars.iter().for_each(|&v| self.set(&mut state, v, self.top));
                    given = None;
                    StmtKind::Havoc(vars.clone())
                }
                StmtKind::Box { callee, args, results } => {
                    let args: Vec<Term> = args.iter().map(|&t| self.eval(&state, t)).collect();
                    ends = !self.pass_box(walk, &mut state, *callee, &args, results);
                    given = None;
                    StmtKind::Box { callee: *callee, args, results: results.clone() }
                }
            };
            if walk.built.is_some() {
                stmts.push(Stmt { kind, loc: s.loc });
                places.push(place(i));
            }
            if ends {
                break;
            }
        }
        // A loop boxes itself at a return, also if it never comes to that.
        let boxes = |s: &Stmt| matches!(s.kind, StmtKind::Box { .. });
        let next = match &block.next {
            next if !ends => self.leave(walk, next, state),
            Terminator::Return if stmts.last().is_some_and(boxes) => Terminator::Return,
            _ => Terminator::Goto(Vec::new()),
        };
        if let Some(built) = &mut walk.built {
            let origins = BlockOrigins { stmts: places, next: place(block.stmts.len()) };
            built.blocks[id.index()] = Some((Block { label: block.label.clone(), stmts, next }, origins));
        }
    }

    /// Notes a box, and what is known after it; tells whether it can return.
    fn pass_box(
        &mut self,
        walk: &mut Walk<'_>,
        state: &mut State,
        callee: RegionId,
        args: &[Term],
        results: &[Var],
    ) -> bool {
        let inputs = args.iter().map(|&t| if self.constant(t) { t } else { self.top }).collect();
        walk.boxes.push((callee, Entry { globals: state.globals.clone(), inputs }));
        let Some(exit) = &self.exits[callee.index()] else { return false };
        state.globals.take(&exit.globals, self.effects.set(callee));
        for (&v, &t) in results.iter().zip(&exit.outputs) {
            self.set(state, v, t);
        }
        true
    }

    fn leave(&mut self, walk: &mut Walk<'_>, next: &Terminator, state: State) -> Terminator {
        match next {
            Terminator::Return => {
                walk.returns.add(state, &walk.top);
                Terminator::Return
            }
            Terminator::Goto(to) => {
                to.iter().for_each(|&b| walk.arrive(b, state.clone()));
                Terminator::Goto(to.clone())
            }
            Terminator::Branch { cond, yes, no } => {
                let cond = self.eval(&state, *cond);
                let not = self.terms.not(cond);
                let (always, never) = (self.terms.bool(true), self.terms.bool(false));
                if cond != never {
                    let mut state = state.clone();
                    self.learn(&mut state, cond);
                    walk.arrive(*yes, state);
                }
                if cond != always {
                    let mut state = state;
                    self.learn(&mut state, not);
                    walk.arrive(*no, state);
                }
                match (cond == always, cond == never) {
                    (true, _) => Terminator::Goto(vec![*yes]),
                    (_, true) => Terminator::Goto(vec![*no]),
                    _ => Terminator::Branch { cond, yes: *yes, no: *no },
                }
            }
        }
    }

    /// Is the term one that may stand where its variable did?
    fn constant(&self, t: Term) -> bool {
        let terms = &*self.terms;
        terms.is_value(t) || matches!(terms.op(t), Op::ConstArray(_)) && terms.is_value(terms.args(t)[0])
    }

    fn get(&self, state: &State, v: Var) -> Option<Term> {
        let found = match self.places.of(v)? {
            Slot::Global(i) => state.globals.get(i),
            Slot::Own(i) => state.own.get(i),
        };
        found.filter(|&t| t != self.top)
    }

    fn set(&self, state: &mut State, v: Var, t: Term) {
        let t = if self.constant(t) { t } else { self.top };
        match self.places.of(v) {
            Some(Slot::Global(i)) => set(&mut state.globals, i, t),
            Some(Slot::Own(i)) => set(&mut state.own, i, t),
            None => {}
        }
    }

    fn eval(&mut self, state: &State, t: Term) -> Term {
        if self.terms.is_value(t) {
            return t;
        }
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        for i in 0..self.vars.of(self.terms, t).len() {
            let v = self.vars.of(self.terms, t)[i];
            if let Some(known) = self.get(state, v) {
                map.insert(v, known);
            }
        }
        if map.is_empty() { t } else { Substituter::new(self.terms, map).apply(self.terms, t) }
    }

    /// Takes what a condition that holds says about variables.
    fn learn(&self, state: &mut State, cond: Term) {
        let terms = &*self.terms;
        let mut stack = vec![cond];
        while let Some(t) = stack.pop() {
            match (terms.op(t), terms.args(t)) {
                (Op::And, args) => stack.extend(args),
                (Op::Eq, &[a, b]) => {
                    for (x, value) in [(a, b), (b, a)] {
                        if let Some(v) = terms.as_var(x)
                            && self.constant(value)
                        {
                            self.set(state, v, value);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn build(&mut self, r: RegionId, from: Option<&Origins>) -> (Region, Origins) {
        let region = &self.program.regions[r.index()];
        let built = self.walk(r, true).and_then(|w| w.built);
        let mut blocks = built.map_or(Vec::new(), |b| b.blocks);
        let mut origins = Origins { frames: vec![Frame { region: r, site: None }], ..Origins::default() };
        if let Some(from) = from {
            for (_, of_block) in blocks.iter_mut().flatten() {
                let old = |p: &StmtOrigin| &from.blocks[p.block.index()];
                of_block.stmts.iter_mut().for_each(|p| *p = old(p).stmts[p.stmt as usize]);
                of_block.next = old(&of_block.next).next;
            }
            origins = Origins { frames: from.frames.clone(), blocks: Vec::new(), vars: from.vars.clone() };
        }
        let (name, kind, loc) = (region.name.clone(), region.kind, region.loc);
        let (inputs, outputs, locals) = (region.inputs.clone(), region.outputs.clone(), region.locals.clone());
        let region = Region { name, kind, loc, inputs, outputs, locals, blocks: Vec::new() };
        tidy::assemble(region, origins, blocks)
    }
}

/// For blocks with one predecessor, the condition of its branch and whether it holds there.
fn given(region: &Region) -> Vec<Option<(Term, bool)>> {
    let cfg = Cfg::new(region);
    let of = |b: u32| match (&region.blocks[*cfg.pred(b).first()? as usize].next, cfg.pred(b)) {
        (Terminator::Branch { cond, yes, .. }, [_]) => Some((*cond, yes.0 == b)),
        _ => None,
    };
    (0..region.blocks.len() as u32).map(of).collect()
}

impl Shape {
    fn new(region: &Region, top: Term) -> Shape {
        let mut seen = FxHashSet::default();
        let declared = region.inputs.iter().chain(&region.outputs).chain(&region.locals).map(|d| d.var);
        let own: Vec<Var> = declared.filter(|&v| seen.insert(v)).collect();
        let mut unknown = Persist::new(own.len());
        (0..own.len()).for_each(|i| unknown.set(i, top));
        let mut callees: Vec<RegionId> = region.callees().collect();
        callees.sort_unstable();
        callees.dedup();
        Shape { order: Cfg::new(region).topological(), own, unknown, callees }
    }
}

/// Sets what is known at an index; parts of the map stay shared if that was known before.
fn set(map: &mut Persist, index: usize, t: Term) {
    if map.get(index) != Some(t) {
        map.set(index, t);
    }
}

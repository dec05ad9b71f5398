//! The layout of memory: the groups of the points-to analysis as objects and cells.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{BlockRange, Ranges, Spot, spread};
use super::constraints::Constraints;
use super::objects::{Calls, unescaped};
use super::unify::{OUTSIDE, Ptr, reduce};
use super::{
    Arguments, Cell, CellId, Group, GroupId, Maker, Memory, Representation, Site, SiteId, Stored, Target, addresses,
};
use crate::module::{FuncId, Function, InstKind, Module, Operand, TypeKind};

/// The groups while they are laid out.
pub(super) struct Layout {
    group_of: FxHashMap<u32, usize>,
    nodes: Vec<Ptr>,
    /// What to subtract from offsets of a group's node.
    base: Vec<i64>,
    ranges: Vec<Ranges>,
}

impl Layout {
    pub fn new(constraints: &mut Constraints) -> Layout {
        let mut layout =
            Layout { group_of: FxHashMap::default(), nodes: Vec::new(), base: Vec::new(), ranges: Vec::new() };
        let objects = constraints.origins.iter().map(|o| o.at);
        let accesses = constraints.accesses.iter().map(|a| a.at);
        let blocks = constraints.blocks.iter().flat_map(|b| b.from.into_iter().chain([b.to]));
        let all: Vec<Ptr> = objects.chain(accesses).chain(blocks).collect();
        let sites = constraints.origins.len();
        for (k, p) in all.into_iter().enumerate() {
            let Some(p) = constraints.nodes.place(p) else { continue };
            let modulus = constraints.nodes.modulus(p);
            let count = layout.nodes.len();
            let group = *layout.group_of.entry(p.node).or_insert(count);
            if group == count {
                layout.nodes.push(p);
                layout.base.push(if k < sites { p.offset } else { 0 });
                layout.ranges.push(Ranges::new(modulus));
            } else if k < sites && modulus == 0 {
                layout.base[group] = layout.base[group].min(p.offset);
            }
        }
        layout
    }

    fn spot(&self, constraints: &mut Constraints, p: Ptr) -> Option<Spot> {
        let p = constraints.nodes.place(p)?;
        let group = *self.group_of.get(&p.node)?;
        let offset = reduce(p.offset - self.base[group], self.ranges[group].modulus);
        Some(Spot { group, offset })
    }

    pub fn spread(&mut self, module: &Module, constraints: &mut Constraints) -> Result<(), Ptr> {
        for k in 0..constraints.accesses.len() {
            let (at, ty, write) =
                (constraints.accesses[k].at, constraints.accesses[k].ty, constraints.accesses[k].write);
            if let Some(spot) = self.spot(constraints, at) {
                self.ranges[spot.group].add(spot.offset, module.ty(ty).store_size, Some(ty), write);
            }
        }
        let mut blocks = Vec::new();
        for k in 0..constraints.blocks.len() {
            let (to, from, bytes) = (constraints.blocks[k].to, constraints.blocks[k].from, constraints.blocks[k].bytes);
            if let Some(to) = self.spot(constraints, to) {
                blocks.push(BlockRange { to, from: from.and_then(|p| self.spot(constraints, p)), bytes });
            }
        }
        spread(&mut self.ranges, &blocks).map_err(|group| self.nodes[group])
    }

    pub fn finish(self, module: &Module, mut constraints: Constraints, lifetimes: bool) -> Memory {
        let mut memory = Memory {
            groups: self.ranges.iter().map(|r| Group { modulus: r.modulus, ..Group::default() }).collect(),
            parameters: module.functions.iter().map(|f| f.params.len()).collect(),
            convention: constraints.convention,
            ..Memory::default()
        };
        let calls = Calls::new(module, &constraints.calls);
        self.sites(module, &mut constraints, &calls, &mut memory);
        if lifetimes {
            self.lifetimes(module, &mut constraints, &calls, &mut memory);
        }
        if constraints.nodes.may_escape() {
            self.escapes(&mut constraints, &mut memory);
        }
        self.cells(module, &mut memory);
        memory.arguments = [1, 2].iter().filter_map(|&i| self.arguments(module, i, &mut constraints)).collect();
        addresses::find(module, &mut constraints, &mut memory);
        let target = |constraints: &mut Constraints, p: Ptr| {
            self.spot(constraints, p).map(|s| Target { group: GroupId(s.group as u32), offset: s.offset })
        };
        for values in std::mem::take(&mut constraints.values) {
            let targets = values.into_iter().map(|v| target(&mut constraints, v?)).collect();
            memory.targets.push(targets);
        }
        for (c, value) in std::mem::take(&mut constraints.consts) {
            if let Some(t) = value.and_then(|p| target(&mut constraints, p)) {
                memory.constants.insert(c, t);
            }
        }
        (memory.callees, memory.misfits) = (constraints.callees, constraints.misfits);
        memory
    }

    /// Where the vector of strings is that is this parameter of `main`.
    fn arguments(&self, module: &Module, parameter: usize, constraints: &mut Constraints) -> Option<Arguments> {
        let main = module.function("main")?;
        let is_pointer = module.ty(module.functions[main.index()].params.get(parameter)?.ty).kind == TypeKind::Ptr;
        let given = constraints.values[main.index()].get(parameter).copied().flatten().filter(|_| is_pointer)?;
        let vector = self.spot(constraints, given)?.group;
        let read = constraints.nodes.contents(self.nodes[vector]);
        let strings = read.into_iter().filter_map(|p| self.spot(constraints, p)).map(|spot| GroupId(spot.group as u32));
        let mut strings: Vec<GroupId> = strings.collect();
        strings.sort();
        strings.dedup();
        Some(Arguments { parameter, vector: GroupId(vector as u32), strings })
    }

    /// What undefined functions and inline assembly may change, and what leads to what.
    fn escapes(&self, constraints: &mut Constraints, memory: &mut Memory) {
        for (k, &node) in self.nodes.iter().enumerate() {
            memory.groups[k].escaped = constraints.nodes.escaped(node);
            for (at, bytes, to) in constraints.nodes.stored(node) {
                let (Some(at), Some(to)) = (self.spot(constraints, at), self.spot(constraints, to)) else { continue };
                let target = Target { group: GroupId(to.group as u32), offset: to.offset };
                memory.groups[k].stored.push(Stored { offset: at.offset, bytes, target });
            }
            memory.groups[k].stored.dedup();
        }
    }

    /// Finds the pointers that may outlive what they point to.
    fn lifetimes(&self, module: &Module, constraints: &mut Constraints, calls: &Calls, memory: &mut Memory) {
        let mut contents = Vec::with_capacity(self.nodes.len());
        for &node in &self.nodes {
            let read = constraints.nodes.contents(node);
            let mut groups: Vec<GroupId> = read
                .into_iter()
                .filter_map(|p| self.spot(constraints, p))
                .map(|spot| GroupId(spot.group as u32))
                .collect();
            groups.sort();
            groups.dedup();
            contents.push(groups);
        }
        let mut returned = FxHashSet::default();
        for (f, function) in module.functions.iter().enumerate() {
            for inst in &function.insts {
                let InstKind::Return(value) = inst.kind else { continue };
                let value = match value {
                    Operand::Inst(i) => constraints.values[f].get(function.params.len() + i.index()).copied().flatten(),
                    Operand::Param(k) => constraints.values[f].get(k as usize).copied().flatten(),
                    _ => None,
                };
                let spot = value.and_then(|p| self.spot(constraints, p));
                returned.extend(spot.map(|spot| (FuncId(f as u32), GroupId(spot.group as u32))));
            }
        }
        memory.separate_lifetimes(module, calls, &contents, &returned);
    }

    fn sites(&self, module: &Module, constraints: &mut Constraints, calls: &Calls, memory: &mut Memory) {
        let mut unescaped_in: FxHashMap<FuncId, Vec<bool>> = FxHashMap::default();
        for k in 0..constraints.origins.len() {
            let (maker, at, size) =
                (constraints.origins[k].maker, constraints.origins[k].at, constraints.origins[k].size);
            let Some(spot) = self.spot(constraints, at) else { continue };
            let constant_size = size.is_some();
            let (single, local) = match maker {
                Maker::Global(_) | Maker::Function(_) => (true, false),
                Maker::Alloca(f, i) => {
                    let once = constant_size && !calls.repeats(module, f, i);
                    let function: &Function = &module.functions[f.index()];
                    let unescaped = unescaped_in.entry(f).or_insert_with(|| unescaped(module, function));
                    let local = !calls.repeats(module, f, i) && unescaped[i.index()];
                    (once && !calls.recursive[f.index()], local)
                }
                Maker::Copy(f, _) | Maker::VarArgs(f) => (!calls.recursive[f.index()], false),
                Maker::Heap(f, i) => (calls.once[f.index()] && !calls.repeats(module, f, i), false),
                Maker::Outside => (false, false),
            };
            let id = SiteId(memory.sites.len() as u32);
            memory.site_of.insert(maker, id);
            memory.groups[spot.group].sites.push(id);
            let group = GroupId(spot.group as u32);
            memory.sites.push(Site { maker, size, group, start: spot.offset, single, local });
        }
        for (k, &node) in self.nodes.iter().enumerate() {
            if constraints.nodes.flags(node) & OUTSIDE != 0 {
                let id = SiteId(memory.sites.len() as u32);
                memory.site_of.entry(Maker::Outside).or_insert(id);
                memory.groups[k].sites.push(id);
                let group = GroupId(k as u32);
                let maker = Maker::Outside;
                memory.sites.push(Site { maker, size: None, group, start: 0, single: false, local: false });
            }
        }
        for group in &memory.groups {
            if group.sites.len() > 1 {
                for s in &group.sites {
                    memory.sites[s.index()].local = false;
                }
            }
        }
    }

    fn cells(&self, module: &Module, memory: &mut Memory) {
        for (k, ranges) in self.ranges.iter().enumerate() {
            let sites = &memory.groups[k].sites;
            let starts: Vec<i64> = match sites[..] {
                [] => vec![0],
                _ => sites.iter().map(|s| memory.sites[s.index()].start).collect(),
            };
            // A function has no memory.
            let mut data = sites.iter().filter(|s| !matches!(memory.sites[s.index()].maker, Maker::Function(_)));
            let place = match (data.next(), data.next()) {
                (Some(&s), None) if memory.sites[s.index()].single || memory.sites[s.index()].local => {
                    if ranges.modulus == 0 { Representation::Scalar(s) } else { Representation::Object(s) }
                }
                _ => Representation::Map,
            };
            let initialised = sites.iter().all(|s| match memory.sites[s.index()].maker {
                Maker::Global(g) => module.globals[g.index()].init.is_some(),
                Maker::Function(_) => true,
                _ => false,
            });
            // What cannot be written does not change by itself either.
            let fixed = sites.iter().all(|s| match memory.sites[s.index()].maker {
                Maker::Global(g) => module.globals[g.index()].constant,
                Maker::Function(_) => true,
                _ => false,
            });
            let changes = memory.groups[k].escaped && !fixed;
            for part in ranges.parts(&starts) {
                memory.groups[k].cells.push(CellId(memory.cells.len() as u32));
                memory.cells.push(Cell {
                    group: GroupId(k as u32),
                    offset: part.offset,
                    bytes: part.bytes,
                    content: part.content,
                    place,
                    written: part.written || changes,
                    constant: initialised && !part.written && !changes,
                });
            }
        }
    }
}

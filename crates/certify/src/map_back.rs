//! Maps certificates back: from one about a program that a pass made to one about the program that the pass was given.
//!
//! Instances and values are told at the places that they come from. What a pass has left out is not spoken about.

use lariat_program::{
    BlockId, Program, RegionId,
    origins::{Origins, StmtOrigin},
};
use rustc_hash::FxHashMap;

use crate::certificate::{Certificate, Event, Instance, InstanceId, Site, Symbol, Treatment, Tree};

/// The certificate for the program that a pass was given; `None` if it does not fit the origins.
pub fn map_back(certificate: &Certificate, made: &Program, origins: &[Origins]) -> Option<Certificate> {
    let mut mapped = Certificate { trees: Vec::new(), facts: certificate.facts.clone(), symbols: Vec::new() };
    for (number, tree) in certificate.trees.iter().enumerate() {
        let mut map = Map {
            made,
            origins,
            out: Tree { contract: tree.contract, ..Tree::new(tree.region) },
            known: FxHashMap::default(),
            instances: Vec::new(),
        };
        for instance in &tree.instances {
            map.instance(tree.region, instance)?;
        }
        for &(v, symbol) in certificate.symbols.iter().filter(|(_, s)| s.tree == number) {
            let (instance, event) = map.event(symbol.instance, symbol.event)?;
            mapped.symbols.push((v, Symbol { tree: number, instance, event }));
        }
        mapped.trees.push(map.out);
    }
    Some(mapped)
}

struct Map<'a> {
    made: &'a Program,
    origins: &'a [Origins],
    out: Tree,
    /// The instances of `out` by their boxes.
    known: FxHashMap<(InstanceId, BlockId, u32), InstanceId>,
    /// By instance of the made program: its region, and the instances that stand for its frames.
    instances: Vec<(RegionId, Vec<Option<InstanceId>>)>,
}

impl Map<'_> {
    fn instance(&mut self, first: RegionId, instance: &Instance) -> Option<()> {
        let (region, at) = match instance.boxed {
            None => (first, Tree::FIRST),
            Some((parent, site)) => {
                let region = self.instances.get(parent.index())?.0;
                let callee = self.made.callee(region, site.block, site.stmt)?;
                let place = self.place(region, site)?;
                let above = self.frame(parent, place.frame)?;
                (callee, self.add(above, place, instance.treatment))
            }
        };
        let mut frames = vec![None; self.origins[region.index()].frames.len().max(1)];
        frames[0] = Some(at);
        self.instances.push((region, frames));
        Some(())
    }

    fn place(&self, region: RegionId, site: Site) -> Option<StmtOrigin> {
        self.origins[region.index()].blocks.get(site.block.index())?.stmts.get(site.stmt as usize).copied()
    }

    fn add(&mut self, above: InstanceId, place: StmtOrigin, treatment: Treatment) -> InstanceId {
        let boxed = Some((above, Site { block: place.block, stmt: place.stmt }));
        // Several places of the made program may be one of the given program: the first one counts.
        let next = InstanceId(self.out.instances.len() as u32);
        let known = *self.known.entry((above, place.block, place.stmt)).or_insert(next);
        if known == next {
            self.out.instances.push(Instance { boxed, treatment });
        }
        known
    }

    /// The instance that stands for a frame of an instance; it is listed where it is not yet.
    fn frame(&mut self, instance: InstanceId, frame: u32) -> Option<InstanceId> {
        let (region, frames) = self.instances.get(instance.index())?;
        if let Some(&Some(known)) = frames.get(frame as usize) {
            return Some(known);
        }
        let region = *region;
        let site = self.origins[region.index()].frames.get(frame as usize)?.site?;
        // A frame comes after the one that it is boxed by.
        let above = self.frame(instance, site.frame)?;
        let at = self.add(above, site, Treatment::Expand);
        self.instances[instance.index()].1[frame as usize] = Some(at);
        Some(at)
    }

    fn event(&mut self, instance: InstanceId, event: Event) -> Option<(InstanceId, Event)> {
        let region = self.instances.get(instance.index())?.0;
        let from = &self.origins[region.index()];
        let (frame, event) = match event {
            Event::Entry(v) => {
                let (frame, v) = from.var(v);
                (frame, Event::Entry(v))
            }
            Event::Exit(v) => (0, Event::Exit(from.var(v).1)),
            Event::Havoc(site, v) => {
                let place = self.place(region, site)?;
                (place.frame, Event::Havoc(at(place), from.var(v).1))
            }
            Event::Result(site, v) => {
                let place = self.place(region, site)?;
                (place.frame, Event::Result(at(place), from.var(v).1))
            }
            Event::Left(site) => {
                let place = self.place(region, site)?;
                (place.frame, Event::Left(at(place)))
            }
            Event::Choice(block, way) => {
                let place = from.blocks.get(block.index())?.next;
                (place.frame, Event::Choice(place.block, way))
            }
        };
        Some((self.frame(instance, frame)?, event))
    }
}

fn at(place: StmtOrigin) -> Site {
    Site { block: place.block, stmt: place.stmt }
}

//! Maps certificates back: from one about a program that a pass made to one about the program that the pass was given.
//!
//! Instances and values are told at the places that they come from. What a pass has left out is not spoken about. Where it has made a region of a recursive one that is not
//! recursive, the instances of that are listed: of the given program they are not expanded without being told.

use lariat_program::{
    BlockId, Components, Program, RegionId, StmtKind,
    origins::{Origins, StmtOrigin},
    recursive_regions,
};
use rustc_hash::FxHashMap;

use crate::certificate::{Certificate, Event, Instance, InstanceId, Site, Symbol, Treatment, Tree};

/// How many instances are listed of regions that are recursive in the given program only.
const LIMIT: usize = 10_000;

/// The certificate for the program that a pass was given; `None` if it does not fit the origins. `recursive` says which regions of that program are.
pub fn map_back(
    certificate: &Certificate,
    made: &Program,
    origins: &[Origins],
    recursive: &[bool],
) -> Option<Certificate> {
    if let ([tree], true) = (&certificate.trees[..], certificate.by_execution)
        && tree.instances.len() == 1
    {
        return Some(Certificate { by_execution: true, ..Certificate::new(tree.region) });
    }
    let by_execution = certificate.by_execution;
    let mut mapped =
        Certificate { by_execution, trees: Vec::new(), facts: certificate.facts.clone(), symbols: Vec::new() };
    let unlisted = Unlisted::new(made, origins, recursive);
    for (number, tree) in certificate.trees.iter().enumerate() {
        let tree = &unlisted.listed(made, tree)?;
        let mut map = Map {
            made,
            origins,
            out: Tree { contract: tree.contract, ..Tree::new(tree.region) },
            recursive,
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
    recursive: &'a [bool],
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
        let id = InstanceId(self.instances.len() as u32 - 1);
        for (number, frame) in self.origins[region.index()].frames.iter().enumerate().skip(1) {
            if self.recursive.get(frame.region.index()) == Some(&true) {
                self.frame(id, number as u32)?;
            }
        }
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

/// The regions of the made program that are not recursive, but stand for one that is, or lead to such.
struct Unlisted(Vec<bool>);

impl Unlisted {
    fn new(made: &Program, origins: &[Origins], recursive: &[bool]) -> Unlisted {
        if !recursive.contains(&true) {
            return Unlisted(vec![false; made.regions.len()]);
        }
        let still = recursive_regions(made);
        let was = |r: usize| recursive.get(r) == Some(&true) && !still[r];
        let stands = |r: usize| was(r) || origins[r].frames.iter().skip(1).any(|f| was(f.region.index()));
        let mut leads: Vec<bool> = (0..made.regions.len()).map(stands).collect();
        // Callees come first.
        for r in Components::new(made).order {
            let below = made.regions[r.index()].callees().any(|c| !still[c.index()] && leads[c.index()]);
            leads[r.index()] |= below;
        }
        Unlisted((0..leads.len()).map(|r| leads[r] && !still[r]).collect())
    }

    /// The tree with instances of these regions; `None` if they are too many.
    fn listed(&self, made: &Program, tree: &Tree) -> Option<Tree> {
        let mut tree = tree.clone();
        if !self.0.contains(&true) {
            return Some(tree);
        }
        let most = tree.instances.len() + LIMIT;
        let known = tree.by_box();
        let mut regions = Vec::new();
        let mut at = 0;
        while let Some(instance) = tree.instances.get(at) {
            let region = match instance.boxed {
                None => tree.region,
                Some((parent, site)) => made.callee(*regions.get(parent.index())?, site.block, site.stmt)?,
            };
            regions.push(region);
            let id = InstanceId(at as u32);
            for (b, block) in made.regions[region.index()].blocks.iter().enumerate() {
                for (s, stmt) in block.stmts.iter().enumerate() {
                    let site = Site { block: BlockId(b as u32), stmt: s as u32 };
                    let StmtKind::Box { callee, .. } = stmt.kind else { continue };
                    if self.0[callee.index()] && !known.contains_key(&(id, site)) {
                        tree.instances.push(Instance { boxed: Some((id, site)), treatment: Treatment::Expand });
                    }
                }
            }
            at += 1;
            if tree.instances.len() > most {
                return None;
            }
        }
        Some(tree)
    }
}

fn at(place: StmtOrigin) -> Site {
    Site { block: place.block, stmt: place.stmt }
}

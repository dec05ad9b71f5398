//! Demand analysis: which outputs of an instance are needed.
//!
//! A region may change hundreds of globals of which its caller looks at two. So an instance is made with those outputs only that something
//! mentions which is itself needed: conditions, what boxes are given, or an output of the caller that is asked for. Nobody asks for outputs of the entry.

use std::rc::Rc;

use lariat_program::RegionId;
use lariat_summary::Summary;
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

/// Positions in the values of a box (outputs, then globals that change), in ascending order.
pub type Demand = Rc<[u32]>;

/// What the boxes of a region are asked for, in the order of the boxes.
type OfBoxes = Rc<[Demand]>;

/// The demands of all instances so far.
#[derive(Default)]
pub(crate) struct Demands {
    /// Everything is asked for.
    all: bool,
    /// By region and by what it is asked for itself.
    known: FxHashMap<(RegionId, Demand), OfBoxes>,
    /// By region: the placeholders that any instance needs.
    always: FxHashMap<RegionId, Rc<[Var]>>,
}

impl Demands {
    /// Demands of an unfolding in which all outputs of all boxes matter (`all`), or as few as possible.
    pub fn new(all: bool) -> Demands {
        Demands { all, ..Demands::default() }
    }

    /// What an instance of a region asks of its boxes.
    pub fn of_boxes(&mut self, terms: &Terms, region: RegionId, summary: &Summary, own: &Demand) -> OfBoxes {
        if let Some(known) = self.known.get(&(region, own.clone())) {
            return known.clone();
        }
        let found: OfBoxes = if self.all {
            summary.boxes.iter().map(|site| (0..site.values.len() as u32).collect()).collect()
        } else {
            let always = self.always.entry(region).or_insert_with(|| terms.free_vars(&summary.conditions()).into());
            let outputs: Vec<Term> = own.iter().map(|&i| summary.value(i as usize)).collect();
            let mut needed: Vec<Var> = terms.free_vars(&outputs);
            needed.extend(&**always);
            split(summary, needed)
        };
        self.known.insert((region, own.clone()), found.clone());
        found
    }
}

/// Which values of which boxes these variables are. A summary makes its placeholders in the order of its boxes.
fn split(summary: &Summary, mut needed: Vec<Var>) -> OfBoxes {
    needed.sort_unstable();
    needed.dedup();
    let mut rest = &needed[..];
    let of_box = |site: &lariat_summary::BoxSite| {
        let Some((&first, &last)) = site.values.first().zip(site.values.last()) else { return Demand::default() };
        debug_assert!(site.values.is_sorted());
        rest = &rest[rest.partition_point(|&v| v < first)..];
        let (mine, others) = rest.split_at(rest.partition_point(|&v| v <= last));
        rest = others;
        mine.iter().filter_map(|v| site.values.binary_search(v).ok()).map(|i| i as u32).collect()
    };
    summary.boxes.iter().map(of_box).collect()
}

//! Certificates as data.
//!
//! An instance of a region is named by the boxes that lead to it, and a value by the moment at which the program fixes it in an instance.
//! Regions are acyclic, so each moment comes at most once in an instance.

use lariat_program::{BlockId, RegionId};
use lariat_term::{Term, Var, ids};
use rustc_hash::FxHashMap;

ids! {
    /// An instance in a tree.
    InstanceId;
}

/// The statement of a region that a box or a havoc is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The block.
    pub block: BlockId,
    /// The position in it.
    pub stmt: u32,
}

/// A moment in an instance at which a value is fixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// What a variable is where the instance starts; for a loop with an invariant, where any round starts.
    Entry(Var),
    /// What an output or a global is where a procedure with a contract returns.
    Exit(Var),
    /// What a havoc statement gives a variable.
    Havoc(Site, Var),
    /// What a box leaves in a result or a global, if it is not expanded.
    Result(Site, Var),
    /// Whether a loop with an invariant has been left.
    Left(Site),
    /// Whether a jump to one of several blocks goes to this one of them, if it goes to none of those before it.
    Choice(BlockId, u32),
}

/// A value that the program fixes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol {
    /// In which tree.
    pub tree: usize,
    /// In which instance.
    pub instance: InstanceId,
    /// When.
    pub event: Event,
}

/// What becomes of a box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// The region's body stands in its place.
    Expand,
    /// It is a loop, and this holds of the start of each round, over [`Symbol`]s.
    Invariant(Term),
    /// The same, and nothing fails in a round before which there were this many others (k-induction).
    Induction(u32, Term),
}

impl Treatment {
    /// What holds of the start of each round, if it is a loop of which something is claimed.
    pub fn invariant(&self) -> Option<Term> {
        match *self {
            Treatment::Expand => None,
            Treatment::Invariant(t) | Treatment::Induction(_, t) => Some(t),
        }
    }

    /// The same, to be changed.
    pub fn invariant_mut(&mut self) -> Option<&mut Term> {
        match self {
            Treatment::Expand => None,
            Treatment::Invariant(t) | Treatment::Induction(_, t) => Some(t),
        }
    }
}

/// An instance of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The instance with the box, and the box; nothing for the first one.
    pub boxed: Option<(InstanceId, Site)>,
    /// What becomes of the box.
    pub treatment: Treatment,
}

/// What a procedure needs and gives, over the [`Symbol`]s [`Event::Entry`] and [`Event::Exit`] of its first instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contract {
    /// Holds wherever the procedure is entered.
    pub requires: Term,
    /// Holds wherever it returns.
    pub ensures: Term,
}

/// The instances that an execution of a region is made of.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The region of the first instance.
    pub region: RegionId,
    /// Its contract, if it may be boxed.
    pub contract: Option<Contract>,
    /// The instances, each after the one that boxes it. Boxes of regions that are not recursive are expanded without being listed, and so
    /// is a first round of a loop, or one more than are listed.
    pub instances: Vec<Instance>,
}

impl Tree {
    /// A tree with its first instance alone.
    pub fn new(region: RegionId) -> Tree {
        let first = Instance { boxed: None, treatment: Treatment::Expand };
        Tree { region, contract: None, instances: vec![first] }
    }

    /// The first instance.
    pub const FIRST: InstanceId = InstanceId(0);

    /// The instances by their boxes.
    pub(crate) fn by_box(&self) -> FxHashMap<(InstanceId, Site), InstanceId> {
        let ids = (0..self.instances.len() as u32).map(InstanceId);
        ids.zip(&self.instances).filter_map(|(id, i)| Some((i.boxed?, id))).collect()
    }
}

/// Why no execution fails.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// Following all executions on exact values shows it, what is left open being any value. If that does not do, the rest counts.
    pub by_execution: bool,
    /// That of the entry, and those of recursive procedures.
    pub trees: Vec<Tree>,
    /// What holds of the start of each round of a loop wherever it is entered, over the variables of the program: the loop's inputs
    /// and globals.
    pub facts: Vec<(RegionId, Term)>,
    /// The variables that the terms of the certificate are over, and what they stand for.
    pub symbols: Vec<(Var, Symbol)>,
}

impl Certificate {
    /// A certificate that says nothing of loops and recursion.
    pub fn new(entry: RegionId) -> Certificate {
        Certificate { by_execution: false, trees: vec![Tree::new(entry)], facts: Vec::new(), symbols: Vec::new() }
    }

    /// How many loops have an invariant or procedures a contract.
    pub fn invariants(&self) -> usize {
        let invariant = |i: &&Instance| i.treatment.invariant().is_some();
        self.trees
            .iter()
            .map(|t| t.instances.iter().filter(invariant).count() + usize::from(t.contract.is_some()))
            .sum()
    }

    /// How many instances are listed.
    pub fn instances(&self) -> usize {
        self.trees.iter().map(|t| t.instances.len()).sum()
    }
}

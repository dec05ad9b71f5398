//! An execution as the decisions that the program leaves open: what a replay needs to know.

use lariat_program::{AssertId, BlockId, RegionId};
use lariat_term::{Value, Var};
use rustc_hash::FxHashMap;

/// One execution, as all that the program leaves open.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The assertion that fails at its end.
    pub assertion: Option<AssertId>,
    /// The instances in the order in which they are entered; the first is that of the entry.
    pub instances: Vec<Instance>,
    /// The statement that fails: its instance, block and position there, where that was noted.
    pub end: Option<(usize, BlockId, u32)>,
}

/// What is decided in one instance of a region. Regions are acyclic, so a place in one is met at most once.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The region.
    pub region: RegionId,
    /// Initial values of locals that matter.
    pub locals: FxHashMap<Var, Value>,
    /// What havoc statements give.
    pub havoc: FxHashMap<(BlockId, u32, Var), Value>,
    /// Which target the nondeterministic goto at the end of a block takes.
    pub choices: FxHashMap<BlockId, usize>,
    /// Whether the condition of the branch at the end of a block holds, where that was noted: a replay finds out by itself.
    pub branches: FxHashMap<BlockId, bool>,
    /// Which instance a box enters.
    pub boxes: FxHashMap<(BlockId, u32), usize>,
}

impl Instance {
    /// An instance of which nothing is known.
    pub fn new(region: RegionId) -> Instance {
        let (locals, havoc, choices, branches, boxes) = Default::default();
        Instance { region, locals, havoc, choices, branches, boxes }
    }
}

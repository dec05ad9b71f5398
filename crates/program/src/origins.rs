//! Where the parts of a program come from that a pass made of another one.
//!
//! A pass that engines see the result of gives [`Origins`], so that what they find can be told of the program that
//! the pass was given: the same regions by number, and for each a place for each statement, jump and variable.

use lariat_term::Var;
use rustc_hash::FxHashMap;

use crate::ir::{BlockId, RegionId};

/// Where the parts of a region come from.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The instances of the given program that an instance of the region stands for: first that of the same
    /// region, then those of boxes that were put in place, each after the one it is boxed by.
    pub frames: Vec<Frame>,
    /// By block.
    pub blocks: Vec<BlockOrigins>,
    /// The variables that stand for one of another frame.
    pub vars: FxHashMap<Var, (u32, Var)>,
}

/// An instance of the given program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its region.
    pub region: RegionId,
    /// The box that enters it; `None` for the first one.
    pub site: Option<StmtOrigin>,
}

/// Where the parts of a block come from.
#[derive(Clone, Debug)]
pub struct BlockOrigins {
    /// By statement.
    pub stmts: Vec<StmtOrigin>,
    /// The block whose end this is; the statement means nothing.
    pub next: StmtOrigin,
}

/// A statement of the given program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StmtOrigin {
    /// Which of the [`Origins::frames`].
    pub frame: u32,
    /// The block.
    pub block: BlockId,
    /// The position in the block.
    pub stmt: u32,
}

impl Origins {
    /// The frame and the variable that a variable of the region stands for.
    pub fn var(&self, v: Var) -> (u32, Var) {
        self.vars.get(&v).copied().unwrap_or((0, v))
    }
}

//! The program representation that every front end produces and every engine reads.
//!
//! A [`Program`] is a set of globals, functions and axioms, and *regions*: procedure bodies and
//! loops (inertial-refinement paper, section III). A region has one entry, acyclic blocks, and
//! *boxes*: calls of other regions. A loop is a region that boxes itself at its end, so recursion and iteration are one
//! thing and every region's body is finite. Expressions are [`lariat_term::Term`]s over the
//! program's variables.

mod cfg;
mod clean;
pub mod concrete;
mod effects;
mod graph;
pub mod integers;
pub mod interp;
mod ir;
mod loops;
pub mod origins;
mod pattern;
pub mod reduce;
mod source_trace;
pub mod text;
mod verify;
mod walk;

pub use clean::{merge_straight_lines, recognise_branches, remove_unreachable};
pub use effects::{Components, Effects, RegionEffects, recursive_regions};
pub use graph::{on_cycles, reverse_postorder, strongly_connected};
pub use ir::{
    AssertId, AssertKind, Assertion, Axiom, Block, BlockId, FileId, FuncDef, Loc, Program, Region, RegionId,
    RegionKind, Stmt, StmtKind, Terminator, VarDecl,
};
pub use loops::{CutOptions, IrreducibleError, SPLIT_LIMIT, candidate, cut_loops, extract_loops, place_candidates};
pub use pattern::name_matches;
pub use source_trace::{Detail, RegionTracer, Tracer};
pub use verify::{ProgramPoint, Rule, Stage, Violation, be_paranoid, check_pass, verify};

//! The data of a program. The verifier's module comment states what must hold of it.
//!
//! Variables are [`Var`]s of the term store. Globals are shared by all regions and are not passed
//! to boxes. A region's own variables (inputs, outputs, locals) belong to it alone, except that a
//! loop region reuses the variables of the region it was cut out of: they never meet, because each
//! instance of a region has its own copy.

pub use lariat_source::{FileId, Loc};
use lariat_term::{Func, Term, Var, ids};

use crate::cfg::Cfg;

ids! {
    /// A region of a program.
    RegionId;
    /// A block of a region.
    BlockId;
    /// An assertion of a program.
    AssertId;
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of the source files.
    pub files: Vec<String>,
    /// State shared by all regions.
    pub globals: Vec<VarDecl>,
    /// Named constants: never assigned, arbitrary but for the axioms.
    pub constants: Vec<VarDecl>,
    /// Functions that have a definition (all others are uninterpreted).
    pub functions: Vec<FuncDef>,
    /// Facts that hold of the constants and functions.
    pub axioms: Vec<Axiom>,
    /// Procedure bodies and loops.
    pub regions: Vec<Region>,
    /// What is to be shown; statements refer to these by their index.
    pub assertions: Vec<Assertion>,
    /// Where execution may start.
    pub entries: Vec<RegionId>,
}

impl Program {
    /// The regions that executions from `entry` may enter, the entry first.
    pub fn reached(&self, entry: RegionId) -> Vec<RegionId> {
        let mut seen = vec![false; self.regions.len()];
        let mut found = vec![entry];
        seen[entry.index()] = true;
        let mut next = 0;
        while let Some(&r) = found.get(next) {
            next += 1;
            found.extend(self.regions[r.index()].callees().filter(|c| !std::mem::replace(&mut seen[c.index()], true)));
        }
        found
    }

    /// A region with a loop that is no region of its own ([`extract_loops`](crate::extract_loops) was not called), if there is one.
    pub fn cyclic_region(&self) -> Option<RegionId> {
        let cyclic = |region: &Region| Cfg::new(region).dfs().cyclic;
        self.regions.iter().position(cyclic).map(|r| RegionId(r as u32))
    }

    /// The region that a statement boxes, if it is a box.
    pub fn callee(&self, region: RegionId, block: BlockId, stmt: u32) -> Option<RegionId> {
        match self.regions.get(region.index())?.blocks.get(block.index())?.stmts.get(stmt as usize)?.kind {
            StmtKind::Box { callee, .. } => Some(callee),
            _ => None,
        }
    }

    /// Forgets all source positions and file names, so that programs from differently laid out
    /// sources can be compared.
    pub fn strip_locations(&mut self) {
        let strip = |decls: &mut Vec<VarDecl>| decls.iter_mut().for_each(|d| d.loc = Loc::NONE);
        self.files.clear();
        strip(&mut self.globals);
        strip(&mut self.constants);
        self.functions.iter_mut().for_each(|f| f.loc = Loc::NONE);
        self.axioms.iter_mut().for_each(|a| a.loc = Loc::NONE);
        self.assertions.iter_mut().for_each(|a| a.loc = Loc::NONE);
        for r in &mut self.regions {
            r.loc = Loc::NONE;
            [&mut r.inputs, &mut r.outputs, &mut r.locals].into_iter().for_each(strip);
            r.blocks.iter_mut().flat_map(|b| &mut b.stmts).for_each(|s| s.loc = Loc::NONE);
        }
    }
}

/// A variable with what a trace shows of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// The variable of the term store; unique in the program except between a loop and its parent.
    pub var: Var,
    /// The name in the source; `None` for a variable that the front end made up.
    pub source: Option<String>,
    /// Where it is declared.
    pub loc: Loc,
}

/// A function given by a term: `func(params) = body` for all arguments.
#[derive(Clone, Debug)]
pub struct FuncDef {
    /// The function.
    pub func: Func,
    /// Its parameters, free in the body.
    pub params: Vec<Var>,
    /// The definition; may mention the function itself.
    pub body: Term,
    /// Where it is defined.
    pub loc: Loc,
}

/// An axiom.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The Boolean term, over constants and functions only.
    pub term: Term,
    /// Where it stands.
    pub loc: Loc,
}

/// An assertion, whichever statement checks it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// What kind of check it is.
    pub kind: AssertKind,
    /// The user's own message or name, if any.
    pub message: Option<String>,
    /// Where the condition stands in the source (for a precondition: the `requires` clause; the
    /// statement's own location is then the call).
    pub loc: Loc,
}

/// The kinds of assertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssertKind {
    /// Written as a statement.
    User,
    /// A precondition, checked at a call.
    Requires,
    /// A postcondition, checked at a return.
    Ensures,
    /// A loop invariant, checked when the loop head is reached.
    Invariant,
    /// A loop invariant that the source only proposes: nothing that fails
    /// ([`place_candidates`](crate::place_candidates)).
    Candidate,
    /// A construct that Lariat does not support: reaching it makes the verdict unknown.
    Unsupported,
    /// What follows takes in more than what the construct really does: nothing that fails, but an error
    /// behind it may not be one.
    Approximate,
    /// Memory is accessed where there is none (any more).
    Deref,
    /// Something is freed that is not an allocated block.
    Free,
    /// Allocated memory is lost.
    Leak,
    /// The null pointer is dereferenced.
    Null,
    /// An array is indexed outside its bounds.
    Bounds,
    /// A signed integer overflows.
    Overflow,
    /// A division by zero.
    Division,
    /// A shift by a negative or too large distance.
    Shift,
    /// A value is used before it is set.
    Uninit,
    /// A float is converted to an integer type that cannot hold it.
    Cast,
    /// An access to an address that is not a multiple of the alignment.
    Alignment,
    /// Pointers into different objects are subtracted, or compared with `<` or its like.
    SameObject,
    /// Other undefined behaviour; the message says which.
    Undefined,
    /// A library function goes beyond a string or a block that it is given.
    String,
}

impl AssertKind {
    /// Does the program fail where such a check fails?
    pub fn fails(self) -> bool {
        !matches!(self, AssertKind::Approximate | AssertKind::Candidate)
    }

    /// All kinds.
    pub const ALL: [AssertKind; 21] = [
        AssertKind::User,
        AssertKind::Requires,
        AssertKind::Ensures,
        AssertKind::Invariant,
        AssertKind::Candidate,
        AssertKind::Unsupported,
        AssertKind::Approximate,
        AssertKind::Deref,
        AssertKind::Free,
        AssertKind::Leak,
        AssertKind::Null,
        AssertKind::Bounds,
        AssertKind::Overflow,
        AssertKind::Division,
        AssertKind::Shift,
        AssertKind::Uninit,
        AssertKind::Cast,
        AssertKind::Alignment,
        AssertKind::SameObject,
        AssertKind::Undefined,
        AssertKind::String,
    ];

    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            AssertKind::User => "user",
            AssertKind::Requires => "requires",
            AssertKind::Ensures => "ensures",
            AssertKind::Invariant => "invariant",
            AssertKind::Candidate => "candidate",
            AssertKind::Unsupported => "unsupported",
            AssertKind::Approximate => "approximate",
            AssertKind::Deref => "deref",
            AssertKind::Free => "free",
            AssertKind::Leak => "leak",
            AssertKind::Null => "null",
            AssertKind::Bounds => "bounds",
            AssertKind::Overflow => "overflow",
            AssertKind::Division => "division",
            AssertKind::Shift => "shift",
            AssertKind::Uninit => "uninit",
            AssertKind::Cast => "cast",
            AssertKind::Alignment => "alignment",
            AssertKind::SameObject => "same-object",
            AssertKind::Undefined => "undefined",
            AssertKind::String => "string",
        }
    }
}

/// A procedure body or a loop.
#[derive(Clone, Debug)]
pub struct Region {
    /// A unique name; that of a loop is made from its parent's.
    pub name: String,
    /// Procedure or loop.
    pub kind: RegionKind,
    /// Where it starts.
    pub loc: Loc,
    /// Parameters, initialised by the box's arguments; they may be assigned.
    pub inputs: Vec<VarDecl>,
    /// Results, copied to the box's result variables at the return. One that is also an input starts
    /// with the input's value, any other is arbitrary at the entry.
    pub outputs: Vec<VarDecl>,
    /// Further variables, arbitrary at the entry.
    pub locals: Vec<VarDecl>,
    /// The blocks; the entry is the first one.
    pub blocks: Vec<Block>,
}

/// What a region is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// The body of a procedure.
    Procedure,
    /// A loop, cut out of its parent.
    Loop {
        /// The region the loop stood in: a procedure or an outer loop.
        parent: RegionId,
    },
}

/// A straight piece of code.
#[derive(Clone, Debug)]
pub struct Block {
    /// A name, unique in the region.
    pub label: String,
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// Where control goes.
    pub next: Terminator,
}

/// A statement with its source position.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands in the source.
    pub loc: Loc,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Execution goes on only if the term holds.
    Assume(Term),
    /// Execution fails if the term does not hold, and goes on (assuming it) if it does.
    Assert {
        /// Which assertion it checks.
        id: AssertId,
        /// The condition.
        cond: Term,
    },
    /// Parallel assignment: all right sides are read first. The variables are different.
    Assign(Vec<(Var, Term)>),
    /// The variables get arbitrary values.
    Havoc(Vec<Var>),
    /// A box: runs an instance of another region (or of this one).
    Box {
        /// The region.
        callee: RegionId,
        /// One term per input of the callee.
        args: Vec<Term>,
        /// One variable per output of the callee, all different.
        results: Vec<Var>,
    },
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Goes on at one of these blocks, at will; with none, execution stops without failing.
    Goto(Vec<BlockId>),
    /// Goes on at `yes` if the condition holds, else at `no`.
    Branch {
        /// The condition.
        cond: Term,
        /// Taken if it holds.
        yes: BlockId,
        /// Taken if it does not.
        no: BlockId,
    },
    /// Ends the region.
    Return,
}

impl Terminator {
    /// The successor blocks, in order.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + '_ {
        let (list, pair) = match self {
            Terminator::Goto(to) => (to.as_slice(), None),
            Terminator::Branch { yes, no, .. } => (&[][..], Some([*yes, *no])),
            Terminator::Return => (&[][..], None),
        };
        list.iter().copied().chain(pair.into_iter().flatten())
    }
}

//! Statements.

use super::{Attr, ExprId, Ident};
use crate::syntax::arena::{Id, Slice};
use crate::syntax::intern::Name;
use lariat_source::Span;

/// A statement with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// What statement it is.
    pub kind: StmtKind,
    /// Its keyword, the `:=` of an assignment, or the name of a label.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// After a syntax error.
    Error,
    /// `name:` before the next statement.
    Label(Name),
    /// `assert e;`
    Assert {
        /// Attributes.
        attrs: Slice<Attr>,
        /// The condition.
        cond: ExprId,
    },
    /// `assume e;`
    Assume {
        /// Attributes.
        attrs: Slice<Attr>,
        /// The condition.
        cond: ExprId,
    },
    /// `havoc x, y;`
    Havoc(Slice<Ident>),
    /// `lhs, … := rhs, …;` The numbers may differ (a later stage checks).
    Assign {
        /// Attributes.
        attrs: Slice<Attr>,
        /// The targets.
        lhs: Slice<Lhs>,
        /// The values.
        rhs: Slice<ExprId>,
    },
    /// `C(x, y) := e;`
    Unpack(Id<Unpack>),
    /// `call …;`
    Call(Id<Call>),
    /// `if …`
    If(Id<If>),
    /// `while …`
    While(Id<While>),
    /// `break;`, `break label;`
    Break(Option<Ident>),
    /// `goto a, b;`
    Goto {
        /// Attributes.
        attrs: Slice<Attr>,
        /// The labels; never empty.
        labels: Slice<Ident>,
    },
    /// `return;`, and `return e;` in code expressions (only there, and always there).
    Return {
        /// Attributes.
        attrs: Slice<Attr>,
        /// The value of the code expression.
        value: Option<ExprId>,
    },
    /// `reveal f;`, `reveal *;`
    Reveal(Option<Ident>),
    /// `hide f;`, `hide *;`
    Hide(Option<Ident>),
    /// `measure e, …;` as a statement of its own, which is only right at the head of a loop.
    Measure {
        /// Attributes.
        attrs: Slice<Attr>,
        /// The expressions; never empty.
        exprs: Slice<ExprId>,
    },
    /// `push;`
    Push,
    /// `pop;`
    Pop,
}

/// A target of an assignment: a variable and the path into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lhs {
    /// The variable.
    pub base: Ident,
    /// The steps from left to right, for `m[i]->f[j] := e`.
    pub path: Slice<LhsStep>,
}

/// A step of the path of an [`Lhs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LhsStep {
    /// `[i, j]`
    Index {
        /// The indices.
        index: Slice<ExprId>,
        /// The bracket.
        span: Span,
    },
    /// `->f`
    Field(Ident),
}

/// `C(x, y) := e;`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unpack {
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// The constructor.
    pub ctor: Ident,
    /// The variables that get the fields.
    pub vars: Slice<Ident>,
    /// The value that is taken apart.
    pub value: ExprId,
}

/// A call statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// `async call`
    pub is_async: bool,
    /// `free call`: the precondition is not checked.
    pub is_free: bool,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// The variables that get the results.
    pub outs: Slice<Ident>,
    /// The procedure.
    pub proc: Ident,
    /// The arguments.
    pub args: Slice<ExprId>,
}

/// `if … else if … else …`: at least one arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct If {
    /// The guarded branches, in order.
    pub arms: Slice<IfArm>,
    /// The last branch.
    pub els: Option<Slice<Stmt>>,
}

/// A guarded branch of an [`If`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IfArm {
    /// Its `if`.
    pub span: Span,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// The condition; `None` for `*`.
    pub guard: Option<ExprId>,
    /// The branch.
    pub body: Slice<Stmt>,
}

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct While {
    /// The condition; `None` for `*`.
    pub guard: Option<ExprId>,
    /// The invariants.
    pub invariants: Slice<Invariant>,
    /// The termination measures.
    pub measures: Slice<Measure>,
    /// The body.
    pub body: Slice<Stmt>,
}

/// A termination measure `measure e, …;` of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Its keyword.
    pub span: Span,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// The expressions, most significant first; never empty.
    pub exprs: Slice<ExprId>,
}

/// A loop invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Its first keyword (`free` or `invariant`).
    pub span: Span,
    /// Assumed only, not checked.
    pub free: bool,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// The condition.
    pub cond: ExprId,
}

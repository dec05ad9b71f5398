//! Expressions.

use super::{Attr, ExprId, Ident, Stmt, TypeId};
use crate::syntax::arena::{Id, Slice};
use crate::syntax::intern::Name;
use lariat_source::Span;

/// An expression with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What expression it is.
    pub kind: ExprKind,
    /// The token that stands for it in messages (see the module comment).
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// After a syntax error.
    Error,
    /// `true`, `false`
    Bool(bool),
    /// An integer literal; the text is one or more decimal digits.
    Int(Name),
    /// A bit-vector literal such as `5bv32`.
    Bv {
        /// Decimal digits; may be too large for the width (a later stage says so).
        value: Name,
        /// The width, at most [`MAX_BV_WIDTH`](crate::syntax::MAX_BV_WIDTH).
        width: u32,
    },
    /// A real literal as written: `1.5`, `2e3`, `1.5e-3`.
    Real(Name),
    /// A float literal as written: `0x1.8e3f24e8`, `-0x…`, `0NaN24e8`, `0nan24e8`, `0+oo24e8`,
    /// `0-oo24e8`. See [`FloatLit::parse`](crate::syntax::FloatLit::parse).
    Float(Name),
    /// A string literal without its quotes, with escapes as written.
    Str(Name),
    /// A rounding mode.
    Rounding(RoundingMode),
    /// A variable, constant or bound variable.
    Var(Name),
    /// `f(args)`: a function, a datatype constructor, or in older programs a selector `f#C(e)` or
    /// a tester `is#C(e)`.
    Call {
        /// The name of the function.
        func: Name,
        /// The arguments.
        args: Slice<ExprId>,
    },
    /// `old(e)`
    Old(ExprId),
    /// `int(e)`: a real to an integer.
    ToInt(ExprId),
    /// `real(e)`: an integer to a real.
    ToReal(ExprId),
    /// `-e`, `!e`
    Unary {
        /// The operator.
        op: UnOp,
        /// The operand.
        arg: ExprId,
    },
    /// A binary operator.
    Binary {
        /// The operator.
        op: BinOp,
        /// Left operand as written.
        lhs: ExprId,
        /// Right operand as written.
        rhs: ExprId,
    },
    /// `e is C`
    Is {
        /// The value.
        arg: ExprId,
        /// The datatype constructor.
        ctor: Name,
    },
    /// `e->f`
    Field {
        /// The datatype value.
        arg: ExprId,
        /// The field.
        field: Name,
    },
    /// `e->(f := v)`
    FieldUpdate {
        /// The datatype value.
        arg: ExprId,
        /// The field.
        field: Name,
        /// Its new value.
        value: ExprId,
    },
    /// `m[i, j]`; there may be no index.
    Select {
        /// The map.
        map: ExprId,
        /// The indices.
        index: Slice<ExprId>,
    },
    /// `m[i, j := v]`
    Store {
        /// The map.
        map: ExprId,
        /// The indices, and as last element the new value; so never empty.
        index_and_value: Slice<ExprId>,
    },
    /// `e[hi:lo]`: the bits from `lo` (included) to `hi` (excluded).
    Extract {
        /// The bit-vector.
        arg: ExprId,
        /// Upper bound, excluded.
        hi: u32,
        /// Lower bound, included.
        lo: u32,
    },
    /// `e : T`
    Coerce {
        /// The expression.
        arg: ExprId,
        /// The type it must have.
        ty: TypeId,
    },
    /// `if c then a else b`
    Ite {
        /// Condition.
        cond: ExprId,
        /// Value if it is true.
        then: ExprId,
        /// Value if it is false.
        els: ExprId,
    },
    /// `(forall …)`, `(exists …)`, `(lambda …)`
    Quant(Id<Quant>),
    /// `(var x := e; body)`
    Let(Id<Let>),
    /// `|{ … }|`
    Code(Id<Code>),
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `<==`: the operands are kept as written, so `a <== b` has `a` as its left operand.
    Explies,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `++`: concatenation of bit-vectors.
    Concat,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `div`: integer division.
    Div,
    /// `mod`
    Mod,
    /// `/`: division of reals and floats.
    RealDiv,
    /// `**`
    Pow,
}

impl BinOp {
    /// How tightly the operator binds, from 1 (`<==>`) to 8 (`**`).
    ///
    /// Of two operators of one level, `&&` and `||`, `==>` and `<==`, and any two comparisons need
    /// parentheses.
    pub fn level(self) -> u8 {
        match self {
            BinOp::Iff => 1,
            BinOp::Implies | BinOp::Explies => 2,
            BinOp::And | BinOp::Or => 3,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 4,
            BinOp::Concat => 5,
            BinOp::Add | BinOp::Sub => 6,
            BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::RealDiv => 7,
            BinOp::Pow => 8,
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`; otherwise it is `(a op b) op c`.
    pub fn is_right_associative(self) -> bool {
        matches!(self, BinOp::Implies | BinOp::Pow)
    }

    /// Whether it is a comparison, which cannot be chained.
    pub fn is_relation(self) -> bool {
        self.level() == 4
    }

    /// The operator as text.
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Iff => "<==>",
            BinOp::Implies => "==>",
            BinOp::Explies => "<==",
            BinOp::And => "&&",
            BinOp::Or => "||",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::Concat => "++",
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "div",
            BinOp::Mod => "mod",
            BinOp::RealDiv => "/",
            BinOp::Pow => "**",
        }
    }
}

/// A rounding mode literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoundingMode {
    /// To the nearest, ties to even.
    Rne,
    /// To the nearest, ties away from zero.
    Rna,
    /// Toward plus infinity.
    Rtp,
    /// Toward minus infinity.
    Rtn,
    /// Toward zero.
    Rtz,
}

/// A declared variable, parameter, field, constant or bound variable.
///
/// `a, b: T where e` gives two variables that share the type and the `where` expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its attributes.
    pub attrs: Slice<Attr>,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeId,
    /// Its `where` clause.
    pub wher: Option<ExprId>,
}

/// Which binder a [`Quant`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuantKind {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`; it has no triggers.
    Lambda,
}

/// A quantifier or lambda.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quant {
    /// Which one.
    pub kind: QuantKind,
    /// Type parameters.
    pub type_params: Slice<Ident>,
    /// Bound variables; empty only if there are type parameters. They have no `where` clause.
    pub vars: Slice<Var>,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// Triggers.
    pub triggers: Slice<Trigger>,
    /// The body.
    pub body: ExprId,
}

/// A trigger of a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trigger {
    /// `{:nopats e}`: a term that must not be used as a trigger. It has exactly one pattern.
    pub negated: bool,
    /// The patterns, all of which must match.
    pub patterns: Slice<ExprId>,
    /// Its opening brace.
    pub span: Span,
}

/// `var x, y := e, f; body`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Let {
    /// The bound variables. Their number need not equal that of the values (a later stage checks).
    pub vars: Slice<LetVar>,
    /// The values, outside of the scope of the variables.
    pub values: Slice<ExprId>,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// The body.
    pub body: ExprId,
}

/// A variable bound by a [`Let`]; its type is that of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LetVar {
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// Its name.
    pub name: Ident,
}

/// A code expression: blocks that each start with a label and end in `goto` or `return e`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// Local variables.
    pub locals: Slice<Var>,
    /// The statements of all blocks, with [`StmtKind::Label`](super::StmtKind::Label) at the start of each block.
    pub stmts: Slice<Stmt>,
}

//! Declarations and contracts.

use super::{Attr, ExprId, Ident, Stmt, TypeId, Var};
use crate::syntax::arena::{Id, Slice};
use lariat_source::Span;

/// A top-level declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decl {
    /// What is declared.
    pub kind: DeclKind,
    /// The name that is declared, or the keyword where there is none or are several.
    pub span: Span,
    /// Attributes.
    pub attrs: Slice<Attr>,
}

/// What a top-level declaration declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclKind {
    /// `type C a b;`, `type S a = T;`; one declaration per name.
    Type {
        /// Its name.
        name: Ident,
        /// The parameters (any of them may be `_` or repeat in a constructor).
        params: Slice<Ident>,
        /// The definition of a synonym.
        synonym: Option<TypeId>,
    },
    /// `datatype D<a> { C(f: t), … }`
    Datatype {
        /// Its name.
        name: Ident,
        /// Its type parameters.
        params: Slice<Ident>,
        /// Its constructors; at least one.
        ctors: Slice<Ctor>,
    },
    /// `const a, b: T;`
    Const {
        /// `unique`: different from every other unique constant of its type.
        unique: bool,
        /// The constants.
        vars: Slice<Var>,
        /// The axioms of its `uses` clause.
        uses: Slice<Axiom>,
    },
    /// `function …`
    Function(Id<Function>),
    /// `axiom e;`
    Axiom(Axiom),
    /// `var x, y: T where e;`
    Var(Slice<Var>),
    /// `procedure …`
    Procedure(Id<Procedure>),
    /// `implementation …`
    Implementation(Id<Implementation>),
}

/// A constructor of a datatype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ctor {
    /// Its name.
    pub name: Ident,
    /// Its fields, without `where` clauses.
    pub fields: Slice<Var>,
}

/// An axiom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axiom {
    /// Its keyword.
    pub span: Span,
    /// `hideable`
    pub hideable: bool,
    /// Attributes (for a top-level axiom those of its [`Decl`] as well).
    pub attrs: Slice<Attr>,
    /// The formula.
    pub cond: ExprId,
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    /// `revealed`
    pub revealed: bool,
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub type_params: Slice<Ident>,
    /// Its parameters. Either none or all of them have a name.
    pub params: Slice<Param>,
    /// Its result.
    pub result: Param,
    /// Its body, whatever the attributes make of it (definition, inlining or an axiom).
    pub body: Option<ExprId>,
    /// The axioms of its `uses` clause.
    pub uses: Slice<Axiom>,
}

/// A parameter or result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// Its name if it has one.
    pub name: Option<Ident>,
    /// Its type.
    pub ty: TypeId,
}

/// A procedure, maybe with its implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// `pure`
    pub pure: bool,
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub type_params: Slice<Ident>,
    /// Its parameters.
    pub ins: Slice<Var>,
    /// Its results.
    pub outs: Slice<Var>,
    /// Its contract, in the order in which it is written.
    pub specs: Slice<Spec>,
    /// Its body if it is given right here.
    pub body: Option<Body>,
}

/// A separate implementation of a procedure. Its formals have no `where` clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Implementation {
    /// The name of the procedure.
    pub name: Ident,
    /// Its type parameters.
    pub type_params: Slice<Ident>,
    /// Its parameters.
    pub ins: Slice<Var>,
    /// Its results.
    pub outs: Slice<Var>,
    /// Its body.
    pub body: Body,
}

/// The body of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// Local variables.
    pub locals: Slice<Var>,
    /// The statements.
    pub stmts: Slice<Stmt>,
    /// The closing brace: where control falls off the end.
    pub end: Span,
}

/// A clause of a contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Its keyword (`requires`, not a `free` before it).
    pub span: Span,
    /// Attributes.
    pub attrs: Slice<Attr>,
    /// What it says.
    pub kind: SpecKind,
}

/// What a clause of a contract says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecKind {
    /// `requires e;`, `free requires e;`
    Requires {
        /// `free`
        free: bool,
        /// The condition.
        cond: ExprId,
    },
    /// `ensures e;`, `free ensures e;`
    Ensures {
        /// `free`
        free: bool,
        /// The condition.
        cond: ExprId,
    },
    /// `preserves e;`, `free preserves e;`: both a precondition and a postcondition.
    Preserves {
        /// `free`
        free: bool,
        /// The condition.
        cond: ExprId,
    },
    /// `modifies x, y;`; the list may be empty.
    Modifies(Slice<Ident>),
    /// `measure e, …;`: a termination measure.
    Measure(Slice<ExprId>),
}

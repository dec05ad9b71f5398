//! The syntax tree of a Boogie program.
//!
//! An [`Ast`] holds the declarations of one program, which may come from several files. All nodes
//! live in arenas inside it: write `ast[id]` for a node and `ast[slice]` for a list of nodes. A
//! list such as `Slice<ExprId>` is itself stored in an arena, so `ast[args]` is a `&[ExprId]`.
//!
//! What always holds:
//!
//! - The arena of expressions is in post-order: the operands of an expression have smaller ids than
//!   the expression. (Expressions inside the statements of a [`ExprKind::Code`] too.)
//! - Types, and the nesting of statements, are at most [`MAX_DEPTH`](super::MAX_DEPTH) deep.
//!   **Expressions may be much deeper**, because chains of operators, of postfix operators, of
//!   unary operators and of `else if` are chains of nodes: walk them with
//!   [`ExprWalk`](super::ExprWalk) or with a loop over ids, never by recursion. Binders (quantifiers,
//!   `let`, code expressions) are written in parentheses, so they nest at most `MAX_DEPTH` deep.
//! - Nothing is resolved: an identifier is just a [`Name`], except in [`TypeKind`], where the names
//!   of the built-in types (`bv32`, `float24e8`, `rmode`, `string`, `regex`) have their own kinds,
//!   because a program cannot declare them.
//! - Where the parser had to recover from an error, nodes of kind `Error` may appear; the
//!   diagnostics then contain an error, and later stages should pass over such nodes silently.
//!
//! **Spans** of expressions and statements are those of one token, the one that Boogie names in its
//! own error messages: the operator of a binary expression, the `[` of a map access, the `:=` of an
//! assignment, the name of a called function, the keyword of a quantifier or statement.
//! [`Ast::extent`] gives the whole text of an expression.

use std::ops::Index;

use super::arena::{Arena, Id, Slice};
use super::intern::{Interner, Name};
use lariat_source::Span;

mod decl;
mod expr;
mod stmt;

pub use decl::*;
pub use expr::*;
pub use stmt::*;

/// Refers to an expression.
pub type ExprId = Id<Expr>;
/// Refers to a type.
pub type TypeId = Id<Type>;
/// Refers to a declared variable (global, local, parameter, bound variable, field, constant).
pub type VarId = Id<Var>;
/// Refers to a top-level declaration.
pub type DeclId = Id<Decl>;

/// A name where it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name, without the `\` that may be written before it.
    pub name: Name,
    /// Where it is written.
    pub span: Span,
}

/// An attribute `{:name args}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attr {
    /// The name after the colon.
    pub name: Ident,
    /// The arguments.
    pub args: Slice<AttrArg>,
}

/// An argument of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrArg {
    /// A string literal, without its quotes and with escapes as written.
    Str(Name),
    /// Any other expression.
    Expr(ExprId),
}

/// A type with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    /// What type it is.
    pub kind: TypeKind,
    /// Its first token.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// After a syntax error.
    Error,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `bvN`; the width is at most [`MAX_BV_WIDTH`](super::MAX_BV_WIDTH).
    Bv(u32),
    /// `floatSeE`
    Float {
        /// Bits of the significand, the hidden one included.
        significand: u32,
        /// Bits of the exponent.
        exponent: u32,
    },
    /// `rmode`: the type of rounding modes.
    RMode,
    /// `string`
    String,
    /// `regex`
    RegEx,
    /// A type constructor, synonym, datatype or type variable with its arguments.
    Named {
        /// Its name.
        name: Name,
        /// Its arguments.
        args: Slice<TypeId>,
    },
    /// A map type `<a>[args]result`.
    Map(Id<MapType>),
}

/// A map type `<a>[args]result`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapType {
    /// Type parameters, for a polymorphic map.
    pub type_params: Slice<Ident>,
    /// Types of the indices; may be empty.
    pub args: Slice<TypeId>,
    /// Type of the values.
    pub result: TypeId,
}

macro_rules! ast {
    ($($(#[$doc:meta])* $field:ident: $node:ty,)*) => {
        /// A program: its declarations, and the arenas that their parts live in.
        #[derive(Clone, Default, Debug)]
        pub struct Ast {
            /// The names of the program.
            pub names: Interner,
            $($(#[$doc])* pub $field: Arena<$node>,)*
        }

        impl Ast {
            /// Gives back room that was kept for more nodes.
            pub fn shrink_to_fit(&mut self) {
                $(self.$field.shrink_to_fit();)*
            }
        }

        $(impl Index<Id<$node>> for Ast {
            type Output = $node;
            fn index(&self, id: Id<$node>) -> &$node {
                &self.$field[id]
            }
        }

        impl Index<Slice<$node>> for Ast {
            type Output = [$node];
            fn index(&self, slice: Slice<$node>) -> &[$node] {
                &self.$field[slice]
            }
        })*
    };
}

ast! {
    /// The declarations in the order of the source.
    decls: Decl,
    /// Expressions, operands before operators.
    exprs: Expr,
    /// Types.
    types: Type,
    /// Statements; those of one list are neighbours.
    stmts: Stmt,
    /// Variables; those of one list are neighbours.
    vars: Var,
    /// Lists of expressions.
    expr_lists: ExprId,
    /// Lists of types.
    type_lists: TypeId,
    /// Lists of identifiers.
    idents: Ident,
    /// Attributes.
    attrs: Attr,
    /// Arguments of attributes.
    attr_args: AttrArg,
    /// Map types.
    map_types: MapType,
    /// Quantifiers and lambdas.
    quants: Quant,
    /// Triggers.
    triggers: Trigger,
    /// `let` expressions.
    lets: Let,
    /// Variables of `let` expressions.
    let_vars: LetVar,
    /// Code expressions.
    codes: Code,
    /// Targets of assignments.
    lhss: Lhs,
    /// Steps of the paths of targets.
    lhs_steps: LhsStep,
    /// Unpack statements.
    unpacks: Unpack,
    /// Call statements.
    calls: Call,
    /// If statements.
    ifs: If,
    /// Arms of if statements.
    if_arms: IfArm,
    /// Loops.
    whiles: While,
    /// Loop invariants.
    invariants: Invariant,
    /// Measures of loops.
    measures: Measure,
    /// Constructors of datatypes.
    ctors: Ctor,
    /// Axioms of `uses` clauses.
    axioms: Axiom,
    /// Functions.
    functions: Function,
    /// Parameters of functions.
    params: Param,
    /// Procedures.
    procedures: Procedure,
    /// Implementations.
    implementations: Implementation,
    /// Clauses of contracts.
    specs: Spec,
}

impl Ast {
    /// An empty program.
    pub fn new() -> Ast {
        Ast::default()
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The first attribute of that name in a list.
    pub fn attr(&self, attrs: Slice<Attr>, name: &str) -> Option<&Attr> {
        let name = self.names.get(name)?;
        self[attrs].iter().find(|attr| attr.name.name == name)
    }

    /// Whether a flag such as `{:inline}` is set, by Boogie's rules: the last attribute of that
    /// name that has no argument, or one argument `true` or `false`, decides.
    pub fn flag(&self, attrs: Slice<Attr>, name: &str) -> bool {
        let Some(name) = self.names.get(name) else {
            return false;
        };
        let mut set = false;
        for attr in self[attrs].iter().filter(|attr| attr.name.name == name) {
            match self[attr.args] {
                [] => set = true,
                [AttrArg::Expr(arg)] => {
                    if let ExprKind::Bool(value) = self[arg].kind {
                        set = value;
                    }
                }
                _ => {}
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small() {
        assert_eq!(size_of::<Expr>(), 24);
        assert_eq!(size_of::<Type>(), 24);
        assert!(size_of::<Stmt>() <= 40);
    }
}

//! What resolution and type checking find out about a program: the input of lowering.
//!
//! A [`Typed`] is a set of tables beside the [`Ast`](crate::syntax::Ast), indexed by the ids of its
//! nodes. It says what every name refers to, which type every expression has, and how polymorphic
//! things are instantiated.
//!
//! What always holds if the check reported no error:
//!
//! - Every expression that is part of the program has a type without errors and proxies. (Arguments
//!   of attributes have one too.)
//! - Every name that can be resolved is: no [`NameRef::None`] where the table says that there is a
//!   reference.
//! - Both syntaxes of datatypes are unified: `type {:datatype}` with `function {:constructor}`, and
//!   `datatype D { … }` give the same [`Datatype`], [`Constructor`] and [`Field`] entries. A
//!   function that is a constructor has [`FunctionInfo::ctor`] set.
//! - Type variables are [`TyVar`]s, that is, the ids of the identifiers that declare them, so a
//!   monomorphiser maps the ids of a declaration's `type_params` to types.

use lariat_term::ids;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::{
    Call, DeclId, ExprId, Function, Id, Ident, Implementation, LetVar, Lhs, LhsStep, Name, Param, Procedure, Slice,
    Stmt, TypeId, VarId,
};
use crate::types::{Ty, TyVar, Types};

ids! {
    /// Refers to a [`Datatype`] of a [`Typed`].
    DatatypeId;
    /// Refers to a [`Constructor`] of a [`Typed`].
    CtorId;
    /// Refers to a [`Field`] of a [`Typed`].
    FieldId;
}

/// What a name refers to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum NameRef {
    /// Nothing: there is no name, or an error was reported.
    #[default]
    None,
    /// A global variable.
    Global(VarId),
    /// A constant.
    Const(VarId),
    /// A parameter, result or local variable of a procedure or implementation, or a local variable
    /// of a code expression.
    Local(VarId),
    /// A variable bound by a quantifier or lambda.
    Bound(VarId),
    /// A variable bound by `let`.
    Let(Id<LetVar>),
    /// A parameter of a function.
    Param(Id<Param>),
    /// A function that is not a constructor.
    Function(Id<Function>),
    /// A constructor of a datatype.
    Ctor(CtorId),
    /// A field of a datatype: `e->f`, or `f#C(e)` in the old syntax.
    Field(FieldId),
    /// The test whether a value was made by a constructor: `e is C`, or `is#C(e)`.
    Tester(CtorId),
    /// A label: the [`StmtKind::Label`](crate::syntax::StmtKind::Label) that declares it.
    Label(Id<Stmt>),
}

/// A datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// Its declaration ([`Datatype`](crate::syntax::DeclKind::Datatype), or
    /// [`Type`](crate::syntax::DeclKind::Type) in the old syntax).
    pub decl: DeclId,
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub params: Slice<Ident>,
    /// Its constructors, in the order of the source.
    pub ctors: Vec<CtorId>,
    /// Its fields.
    pub fields: Vec<FieldId>,
}

/// A constructor of a datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Ident,
    /// The datatype.
    pub datatype: DatatypeId,
    /// Its fields in order.
    pub fields: Vec<FieldId>,
    /// The function that declares it in the old syntax.
    pub function: Option<Id<Function>>,
}

/// A field of a datatype. In the new syntax several constructors may share a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, without the `#C` of the old syntax.
    pub name: Name,
    /// The datatype.
    pub datatype: DatatypeId,
    /// Its type, in terms of the datatype's type parameters.
    pub ty: Ty,
    /// The constructors that have it, and at which position.
    pub places: Vec<(CtorId, u32)>,
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionInfo {
    /// Its declaration.
    pub decl: DeclId,
    /// The type of its result. (That of a parameter is `type_ty` of the parameter's type.)
    pub result: Ty,
    /// Whether its body, if it has one, is of the right type. If not (which a warning told), the
    /// body is to be ignored.
    pub body: bool,
    /// The constructor that it is, if it is one (in the old syntax of datatypes).
    pub ctor: Option<CtorId>,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcedureInfo {
    /// Its declaration.
    pub decl: DeclId,
    /// The globals that it may modify: as declared, or inferred where modifies clauses are absent.
    /// Sorted, without duplicates.
    pub modifies: Vec<VarId>,
    /// Its separate implementations, in the order of the source. (A body that is part of the
    /// procedure is not among them.)
    pub implementations: Vec<Id<Implementation>>,
}

/// An implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImplementationInfo {
    /// Its declaration.
    pub decl: DeclId,
    /// Its procedure; `None` after an error. Parameters and results of both correspond by
    /// position, and contracts mention those of the procedure. For type parameters see
    /// [`Typed::impl_type_params`].
    pub procedure: Option<Id<Procedure>>,
}

/// The result of resolution and type checking.
#[derive(Clone, Default, Debug)]
pub struct Typed {
    /// All types.
    pub types: Types,
    /// The type of each expression, by [`ExprId`].
    pub expr_ty: Vec<Ty>,
    /// What each `Var`, `Call`, `Is`, `Field` or `FieldUpdate` expression refers to, by [`ExprId`].
    pub expr_ref: Vec<NameRef>,
    /// The meaning of each type that the program writes, by [`TypeId`].
    pub type_ty: Vec<Ty>,
    /// The type of each variable of a `let`.
    pub let_ty: Vec<Ty>,
    /// What an identifier in a list refers to, by `Id<Ident>`: the variables of `havoc`, of the
    /// left side of a call, of an unpack statement and of `modifies`, and the labels of `goto`.
    pub ident_ref: Vec<NameRef>,
    /// The variable of each target of an assignment.
    pub lhs_ref: Vec<NameRef>,
    /// The type of the value that each target of an assignment gets.
    pub lhs_ty: Vec<Ty>,
    /// The field of each step `->f` of a target.
    pub step_ref: Vec<NameRef>,
    /// The type of what each step of a target leads to.
    pub step_ty: Vec<Ty>,
    /// The procedure of each call statement.
    pub call_proc: Vec<Option<Id<Procedure>>>,
    /// The constructor of each unpack statement.
    pub unpack_ctor: Vec<Option<CtorId>>,
    /// For each `break` the `while` or `if` statement that it leaves.
    pub break_target: FxHashMap<Id<Stmt>, Id<Stmt>>,
    /// The global variables in the order of the source.
    pub globals: Vec<VarId>,
    /// The constants in the order of the source.
    pub constants: Vec<VarId>,
    /// The datatypes.
    pub datatypes: Vec<Datatype>,
    /// The constructors of all datatypes.
    pub ctors: Vec<Constructor>,
    /// The fields of all datatypes.
    pub fields: Vec<Field>,
    /// Declarations that count as absent, because they are `{:extern}` and another declaration of
    /// the same name is not.
    pub ignored: FxHashSet<DeclId>,
    /// The functions, by `Id<Function>`.
    pub functions: Vec<FunctionInfo>,
    /// The procedures, by `Id<Procedure>`.
    pub procedures: Vec<ProcedureInfo>,
    /// The implementations, by `Id<Implementation>`.
    pub implementations: Vec<ImplementationInfo>,
    pub(crate) impl_vars: FxHashMap<Id<Implementation>, Vec<TyVar>>,
    pub(crate) expr_inst: FxHashMap<ExprId, (u32, u32)>,
    pub(crate) call_inst: FxHashMap<Id<Call>, (u32, u32)>,
    pub(crate) step_inst: FxHashMap<Id<LhsStep>, (u32, u32)>,
    pub(crate) insts: Vec<Ty>,
}

impl Typed {
    /// The type of an expression.
    pub fn ty(&self, expr: ExprId) -> Ty {
        self.expr_ty[expr.index()]
    }

    /// What an expression refers to.
    pub fn reference(&self, expr: ExprId) -> NameRef {
        self.expr_ref[expr.index()]
    }

    /// The meaning of a type that the program writes; that of a variable is that of its `ty`.
    pub fn type_of(&self, ty: TypeId) -> Ty {
        self.type_ty[ty.index()]
    }

    /// How a polymorphic expression is instantiated; empty if it is not polymorphic.
    ///
    /// - `Call` of a function: one type for each of the function's `type_params`, in order.
    /// - `Call` of a constructor: one type for each parameter of the datatype, in order.
    /// - `Select` and `Store`: one type for each parameter of the map's type, as
    ///   [`Types::instantiate_map`] expects them.
    ///
    /// (For selectors and testers the type of the operand says it all.)
    pub fn inst(&self, expr: ExprId) -> &[Ty] {
        self.slice(self.expr_inst.get(&expr))
    }

    /// How the procedure of a call statement is instantiated: one type for each of its
    /// `type_params`.
    pub fn inst_of_call(&self, call: Id<Call>) -> &[Ty] {
        self.slice(self.call_inst.get(&call))
    }

    /// How the map of an index step of an assignment's target is instantiated.
    pub fn inst_of_step(&self, step: Id<LhsStep>) -> &[Ty] {
        self.slice(self.step_inst.get(&step))
    }

    fn slice(&self, range: Option<&(u32, u32)>) -> &[Ty] {
        match range {
            Some(&(start, end)) => &self.insts[start as usize..end as usize],
            None => &[],
        }
    }

    /// What an identifier in a list refers to.
    pub fn ident(&self, ident: Id<Ident>) -> NameRef {
        self.ident_ref[ident.index()]
    }

    /// The variable that a target of an assignment starts from.
    pub fn lhs(&self, lhs: Id<Lhs>) -> NameRef {
        self.lhs_ref[lhs.index()]
    }

    /// The type of a variable.
    pub fn var_ty(&self, ast: &crate::syntax::Ast, var: VarId) -> Ty {
        self.type_of(ast[var].ty)
    }

    /// A datatype.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        &self.datatypes[id.index()]
    }

    /// A constructor.
    pub fn ctor(&self, id: CtorId) -> &Constructor {
        &self.ctors[id.index()]
    }

    /// A field.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// A function.
    pub fn function(&self, id: Id<Function>) -> &FunctionInfo {
        &self.functions[id.index()]
    }

    /// A procedure.
    pub fn procedure(&self, id: Id<Procedure>) -> &ProcedureInfo {
        &self.procedures[id.index()]
    }

    /// An implementation.
    pub fn implementation(&self, id: Id<Implementation>) -> &ImplementationInfo {
        &self.implementations[id.index()]
    }

    /// The type parameter of an implementation that corresponds to each type parameter of its
    /// procedure, in the order of the latter. (They may be declared in another order.)
    pub fn impl_type_params(&self, id: Id<Implementation>) -> &[TyVar] {
        self.impl_vars.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The type of a field of a value of a datatype with these arguments.
    pub fn field_ty(&mut self, field: FieldId, args: &[Ty]) -> Ty {
        let field = &self.fields[field.index()];
        let params: Vec<TyVar> = self.datatypes[field.datatype.index()].params.ids().collect();
        self.types.subst(field.ty, &params, args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stay_small() {
        assert_eq!(size_of::<NameRef>(), 8);
    }
}

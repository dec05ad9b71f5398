//! Monomorphisation: every type that reaches the term store is ground.
//!
//! In go the types of the checked program and an environment that says what each type variable
//! stands for; out come [`Sort`]s. Each polymorphic thing is instantiated per use:
//!
//! - `C int` and `C bool` are two uninterpreted sorts, named after the types;
//! - `D int` and `D bool` are two datatypes;
//! - a polymorphic map `<a>[Ref, Field a]a` is a *bundle*: a datatype with one constructor that has
//!   one array per instantiation of `a` that the program uses, and one field of an uninterpreted
//!   sort that stands for all other instantiations (so that equal bundles are equal everywhere);
//! - a map with several indices is a curried array, and a map without index is its value.
//!
//! What always holds:
//!
//! - A type is grounded exactly once, with the environment of the place where it is written. A type
//!   variable that the environment does not know stands for itself, that is, for a type about which
//!   nothing is known; it has its own uninterpreted sort. So a polymorphic procedure is verified
//!   for an arbitrary type by lowering it with an empty environment.
//! - [`Known`] lists every instantiation that has been asked for, in the order of first use, so that
//!   the result does not depend on anything but the program.

mod known;
mod names;
mod sorts;

pub(crate) use known::{Head, Known, Match, match_ty};
pub(crate) use names::Names;

use lariat_term::{CtorId as TermCtor, Sort, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use sorts::Bundle;

use crate::syntax::{Ast, DeclId, Ident};
use crate::typed::{CtorId, Typed};
use crate::types::{Ty, TyVar, TypeNames, Types};
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, Span};

/// What the type variables of a place stand for.
#[derive(Clone, Default, Debug)]
pub(crate) struct TyEnv {
    vars: Vec<(TyVar, Ty)>,
    memo: FxHashMap<Ty, Ty>,
}

impl TyEnv {
    /// Each variable stands for the type at its position.
    pub fn new(vars: impl IntoIterator<Item = TyVar>, tys: &[Ty]) -> TyEnv {
        TyEnv { vars: vars.into_iter().zip(tys.iter().copied()).collect(), memo: FxHashMap::default() }
    }

    /// The same with more variables.
    pub fn extended(&self, more: &[(TyVar, Ty)]) -> TyEnv {
        let mut vars = self.vars.clone();
        vars.extend_from_slice(more);
        TyEnv { vars, memo: FxHashMap::default() }
    }

    fn get(&self, var: TyVar) -> Option<Ty> {
        // The last one counts, since inner binders come later.
        self.vars.iter().rev().find(|(other, _)| *other == var).map(|&(_, ty)| ty)
    }
}

/// The state of monomorphisation.
pub(crate) struct Mono<'a> {
    ast: &'a Ast,
    typed: &'a Typed,
    /// The types of the program, and those that instantiation adds.
    pub types: Types,
    /// The environment of the place that is being lowered.
    pub env: TyEnv,
    /// What has been instantiated how.
    pub known: Known,
    /// The names in use in the term store.
    pub names: Names,
    /// Bundles may only have the instantiations that were known when the run started; the first
    /// request for another one sets this.
    pub incomplete: bool,
    datatype_decls: Vec<DeclId>,
    sorts: Vec<Option<Sort>>,
    ctors: FxHashMap<(Ty, CtorId), TermCtor>,
    bundles: FxHashMap<Ty, Bundle>,
    /// Datatypes whose constructors are still to be declared.
    pending: Vec<Ty>,
    instances: usize,
    /// An endless sequence of instances was reported.
    grew: bool,
}

/// How deep the types of an instance may nest beyond which it is taken to grow for ever.
const MAX_TYPE_DEPTH: u32 = 64;

/// How many datatypes and bundles a program may have after instantiation.
const MAX_INSTANCES: usize = 20_000;

impl<'a> Mono<'a> {
    /// Starts with what an earlier run came to know.
    pub fn new(ast: &'a Ast, typed: &'a Typed, types: Types, known: Known) -> Mono<'a> {
        Mono {
            ast,
            typed,
            types,
            env: TyEnv::default(),
            known,
            names: Names::default(),
            incomplete: false,
            datatype_decls: typed.datatypes.iter().map(|data| data.decl).collect(),
            sorts: Vec::new(),
            ctors: FxHashMap::default(),
            bundles: FxHashMap::default(),
            pending: Vec::new(),
            instances: 0,
            grew: false,
        }
    }

    /// The type with the type variables of this place replaced.
    pub fn ground(&mut self, ty: Ty) -> Ty {
        if self.env.vars.is_empty() || !self.types.has_var(ty) {
            return ty;
        }
        if let Some(&done) = self.env.memo.get(&ty) {
            return done;
        }
        let env = &self.env;
        let done = self.types.subst_with(ty, &mut |var| env.get(var));
        self.env.memo.insert(ty, done);
        done
    }

    /// Grounds each type of a list.
    pub fn ground_all(&mut self, tys: &[Ty]) -> SmallVec<[Ty; 4]> {
        tys.iter().map(|&ty| self.ground(ty)).collect()
    }

    /// The sort of a type as written at this place.
    pub fn sort_at(&mut self, terms: &mut Terms, diags: &mut Diagnostics, ty: Ty, span: Span) -> Sort {
        let ty = self.ground(ty);
        self.sort(terms, diags, ty, span)
    }

    /// A name for an instance: injective, and short even for huge types.
    pub fn instance_name(&self, base: &str, tys: &[Ty]) -> String {
        if tys.is_empty() {
            return base.to_owned();
        }
        let tys: Vec<String> = tys.iter().map(|&ty| self.type_name(ty)).collect();
        format!("{base}<{}>", tys.join(", "))
    }

    /// The text of a type; a type with a very long text is abbreviated and numbered.
    pub fn type_name(&self, ty: Ty) -> String {
        const LIMIT: usize = 120;
        let names = TypeNames { ast: self.ast, datatypes: &self.datatype_decls, limit: 4 * LIMIT };
        let text = self.types.display(ty, &names).to_string();
        if text.len() <= LIMIT {
            return text;
        }
        let cut = text.char_indices().take_while(|(at, _)| *at < LIMIT).last().map_or(0, |(at, _)| at);
        format!("{}#{}", &text[..cut], ty.index())
    }

    /// Whether the types of an instance are so deep that the instances of it will never end; the
    /// first time that is an error.
    pub fn grows_forever(&mut self, diags: &mut Diagnostics, name: Ident, tys: &[Ty]) -> bool {
        let deep = tys.iter().any(|&ty| self.types.depth(ty) > MAX_TYPE_DEPTH);
        if deep && !std::mem::replace(&mut self.grew, true) {
            let name_text = self.ast.text(name.name);
            self.limit(diags, name.span, &format!("`{name_text}` needs instances for ever larger types"));
        }
        deep
    }

    fn limit(&self, diags: &mut Diagnostics, span: Span, message: &str) {
        diags.push(
            Diagnostic::error(DiagnosticKind::Limit, span, message)
                .with_hint("a type that grows with each instantiation cannot be monomorphised"),
        );
    }
}

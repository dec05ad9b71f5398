//! The types that a program writes: from [`crate::syntax::TypeKind`] to [`Ty`].

use super::{Checker, TypeEntry};
use crate::syntax::{DeclId, DeclKind, Id, Ident, MapType, Name, Slice, TypeId, TypeKind};
use crate::types::{Ty, TyVar};
use lariat_source::{Span, counted};

impl Checker<'_> {
    /// Brings type variables into scope, complaining about names that are taken if `report` is
    /// set. Ends with [`Checker::unbind_type_vars`].
    pub(super) fn bind_type_vars(&mut self, params: Slice<Ident>, report: bool) {
        for id in params.ids() {
            let ident = self.ast[id];
            let text = self.text(ident.name);
            let taken = self.type_names[ident.name.index()] != TypeEntry::None;
            let slot = &mut self.type_vars[ident.name.index()];
            if taken {
                if report {
                    let message = format!("`{text}` is a type and cannot be a type variable");
                    self.name_error(ident.span, message);
                }
            } else if slot.is_some() {
                if report {
                    let message = format!("the type variable `{text}` is declared more than once");
                    self.name_error(ident.span, message);
                }
            } else {
                *slot = Some(id);
            }
        }
    }

    /// Takes type variables out of scope.
    pub(super) fn unbind_type_vars(&mut self, params: Slice<Ident>) {
        for id in params.ids() {
            let slot = &mut self.type_vars[self.ast[id].name.index()];
            if *slot == Some(id) {
                *slot = None;
            }
        }
    }

    /// Whether this declaration of a type variable is the one in scope.
    pub(super) fn is_bound(&self, var: TyVar) -> bool {
        self.type_vars[self.ast[var].name.index()] == Some(var)
    }

    /// Complains about type parameters that occur in none of the types.
    pub(super) fn check_type_params_used(&mut self, params: Slice<Ident>, types: &[Ty], span: Span, what: &str) {
        if params.is_empty() {
            return;
        }
        let mut used = Vec::new();
        for &ty in types {
            self.out.types.for_each_var(ty, &mut |var| used.push(var));
        }
        for id in params.ids() {
            if self.is_bound(id) && !used.contains(&id) && !types.contains(&Ty::ERROR) {
                let text = self.text(self.ast[id].name);
                let message = format!("the type variable `{text}` does not occur in the {what}");
                self.name_error(span, message);
            }
        }
    }

    /// The meaning of a type, which is also put into the table.
    pub(super) fn resolve_type(&mut self, id: TypeId) -> Ty {
        let ast = self.ast;
        let node = &ast[id];
        let types = &mut self.out.types;
        let ty = match node.kind {
            TypeKind::Error => Ty::ERROR,
            TypeKind::Bool => Ty::BOOL,
            TypeKind::Int => Ty::INT,
            TypeKind::Real => Ty::REAL,
            TypeKind::Bv(width) => types.bv(width),
            TypeKind::Float { significand, exponent } => types.float(significand, exponent),
            TypeKind::RMode => Ty::RMODE,
            TypeKind::String => Ty::STRING,
            TypeKind::RegEx => Ty::REGEX,
            TypeKind::Named { name, args } if args.is_empty() => self.apply_type(name, &[], node.span),
            TypeKind::Named { name, args } => {
                let args = self.resolve_types(args);
                self.apply_type(name, &args, node.span)
            }
            TypeKind::Map(map) => self.resolve_map(map, node.span),
        };
        self.out.type_ty[id.index()] = ty;
        ty
    }

    /// The recursion is bounded by the depth to which the parser lets types nest.
    fn resolve_types(&mut self, list: Slice<TypeId>) -> Vec<Ty> {
        let ast = self.ast;
        stacker::maybe_grow(32 * 1024, 512 * 1024, || ast[list].iter().map(|&ty| self.resolve_type(ty)).collect())
    }

    fn resolve_map(&mut self, map: Id<MapType>, span: Span) -> Ty {
        let MapType { type_params, args, result } = self.ast[map];
        self.bind_type_vars(type_params, true);
        let mut all = self.resolve_types(args);
        let result = stacker::maybe_grow(32 * 1024, 512 * 1024, || self.resolve_type(result));
        all.push(result);
        self.check_type_params_used(type_params, &all, span, "map type");
        self.unbind_type_vars(type_params);
        all.pop();
        let params: Vec<TyVar> = type_params.ids().collect();
        let ty = self.out.types.map(&params, &all, result);
        self.check_overflow(span);
        ty
    }

    fn apply_type(&mut self, name: Name, args: &[Ty], span: Span) -> Ty {
        if let Some(var) = self.type_vars[name.index()] {
            if !args.is_empty() {
                let text = self.text(name);
                let message = format!("the type variable `{text}` cannot have arguments");
                self.name_error(span, message);
                return Ty::ERROR;
            }
            return self.out.types.var(var);
        }
        let arity = match self.type_names[name.index()] {
            TypeEntry::None => {
                self.unknown(span, "the type", name, |checker, other| {
                    checker.type_names[other.index()] != TypeEntry::None || checker.type_vars[other.index()].is_some()
                });
                return Ty::ERROR;
            }
            TypeEntry::Ctor { arity, .. } | TypeEntry::Data { arity, .. } => arity as usize,
            TypeEntry::Synonym(decl) => match self.ast[decl].kind {
                DeclKind::Type { params, .. } => params.len(),
                _ => 0,
            },
        };
        if arity != args.len() {
            let text = self.text(name);
            let message =
                format!("the type `{text}` takes {}, not {}", counted(arity, "argument", "arguments"), args.len());
            self.name_error(span, message);
            return Ty::ERROR;
        }
        if args.contains(&Ty::ERROR) {
            return Ty::ERROR;
        }
        let ty = match self.type_names[name.index()] {
            TypeEntry::Ctor { decl, .. } => self.out.types.ctor(decl, args),
            TypeEntry::Data { data, .. } => self.out.types.data(data, args),
            TypeEntry::Synonym(decl) => match self.synonyms.get(&decl) {
                Some(&(params, body)) => {
                    let params: Vec<TyVar> = params.ids().collect();
                    self.out.types.subst(body, &params, args)
                }
                None => Ty::ERROR,
            },
            TypeEntry::None => Ty::ERROR,
        };
        self.check_overflow(span);
        ty
    }

    /// Resolves the definitions of synonyms, each after those that it mentions.
    pub(super) fn resolve_type_decls(&mut self) {
        let ast = self.ast;
        let mut synonyms = Vec::new();
        for (id, decl) in ast.decls.iter() {
            if let DeclKind::Type { name, synonym: Some(body), .. } = decl.kind
                && self.type_names[name.name.index()] == TypeEntry::Synonym(id)
            {
                synonyms.push((id, body));
            }
        }
        if synonyms.is_empty() {
            return;
        }
        // Counts what each synonym waits for, and lists who waits for it.
        let mut waiting = rustc_hash::FxHashMap::<DeclId, usize>::default();
        let mut waiters = rustc_hash::FxHashMap::<DeclId, Vec<(DeclId, TypeId)>>::default();
        let mut ready = Vec::new();
        for &(id, body) in &synonyms {
            let mut count = 0;
            self.for_each_synonym(body, |on| {
                count += 1;
                waiters.entry(on).or_default().push((id, body));
            });
            match count {
                0 => ready.push((id, body)),
                _ => {
                    waiting.insert(id, count);
                }
            }
        }
        // The order of the source, so that errors come in it too.
        ready.reverse();
        while let Some((id, body)) = ready.pop() {
            self.resolve_synonym(id, Some(body));
            for (next, body) in waiters.remove(&id).unwrap_or_default() {
                let count = waiting.entry(next).or_insert(0);
                *count = count.saturating_sub(1);
                if *count == 0 {
                    waiting.remove(&next);
                    ready.push((next, body));
                }
            }
        }
        for (id, _) in synonyms {
            if waiting.contains_key(&id) {
                let DeclKind::Type { name, .. } = ast[id].kind else {
                    continue;
                };
                let message = format!("the type synonym `{}` is defined in terms of itself", self.text(name.name));
                self.name_error(name.span, message);
                self.resolve_synonym(id, None);
            }
        }
    }

    fn resolve_synonym(&mut self, id: DeclId, body: Option<TypeId>) {
        let DeclKind::Type { params, .. } = self.ast[id].kind else {
            return;
        };
        self.bind_type_vars(params, true);
        let ty = match body {
            Some(body) => self.resolve_type(body),
            None => Ty::ERROR,
        };
        self.unbind_type_vars(params);
        self.synonyms.insert(id, (params, ty));
    }

    /// Visits the synonyms that a type mentions.
    fn for_each_synonym(&self, ty: TypeId, mut visit: impl FnMut(DeclId)) {
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            match self.ast[ty].kind {
                TypeKind::Named { name, args } => {
                    if let TypeEntry::Synonym(decl) = self.type_names[name.index()] {
                        visit(decl);
                    }
                    stack.extend_from_slice(&self.ast[args]);
                }
                TypeKind::Map(map) => {
                    stack.push(self.ast[map].result);
                    stack.extend_from_slice(&self.ast[self.ast[map].args]);
                }
                _ => {}
            }
        }
    }
}

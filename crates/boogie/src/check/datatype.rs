//! Datatypes in both syntaxes: their constructors and fields.

use rustc_hash::FxHashSet;

use super::Checker;
use crate::syntax::{DeclId, DeclKind, Function, Id, Ident, Name};
use crate::typed::{Constructor, CtorId, Datatype, DatatypeId, Field, FieldId, NameRef};
use crate::types::{Ty, TyKind, TyVar};
use lariat_source::Span;

impl Checker<'_> {
    /// Adds the entry of a datatype and, in the new syntax, those of its constructors.
    pub(super) fn register_datatype(&mut self, id: DeclId) {
        let data = DatatypeId(self.out.datatypes.len() as u32);
        let (name, params, ctors) = match self.ast[id].kind {
            DeclKind::Datatype { name, params, ctors } => (name, params, ctors),
            DeclKind::Type { name, params, .. } => (name, params, Default::default()),
            _ => return,
        };
        self.out.datatypes.push(Datatype { decl: id, name, params, ctors: Vec::new(), fields: Vec::new() });
        for ctor in &self.ast[ctors] {
            if self.ctor_by_name.contains_key(&(data, ctor.name.name)) {
                let text = self.text(ctor.name.name);
                let message = format!("the datatype has two constructors named `{text}`");
                self.structure_error(ctor.name.span, message);
                continue;
            }
            let ctor_id = self.add_ctor(data, ctor.name, None);
            self.register_function(id, ctor.name, NameRef::Ctor(ctor_id));
        }
    }

    fn add_ctor(&mut self, datatype: DatatypeId, name: Ident, function: Option<Id<Function>>) -> CtorId {
        let id = CtorId(self.out.ctors.len() as u32);
        self.out.ctors.push(Constructor { name, datatype, fields: Vec::new(), function });
        self.out.datatypes[datatype.index()].ctors.push(id);
        self.ctor_by_name.insert((datatype, name.name), id);
        id
    }

    /// Resolves the fields of all datatypes.
    pub(super) fn resolve_datatypes(&mut self) {
        let ast = self.ast;
        for index in 0..self.out.datatypes.len() {
            let data = DatatypeId(index as u32);
            let decl = self.out.datatypes[index].decl;
            let DeclKind::Datatype { params, ctors, .. } = ast[decl].kind else {
                continue;
            };
            self.bind_type_vars(params, true);
            let mut ids = self.out.datatypes[index].ctors.clone().into_iter();
            let mut seen = FxHashSet::default();
            for ctor in &ast[ctors] {
                // A constructor that was rejected for its name has no entry.
                if !seen.insert(ctor.name.name) {
                    continue;
                }
                let Some(ctor_id) = ids.next() else {
                    break;
                };
                let mut names = FxHashSet::default();
                for (position, field) in ast[ctor.fields].iter().enumerate() {
                    let ty = self.resolve_type(field.ty);
                    if !names.insert(field.name.name) {
                        let text = self.text(field.name.name);
                        let message = format!("the constructor has two fields named `{text}`");
                        self.name_error(field.name.span, message);
                    }
                    self.add_field(data, ctor_id, position, field.name, ty);
                }
            }
            self.unbind_type_vars(params);
        }
        for (id, decl) in ast.decls.iter() {
            if let DeclKind::Function(function) = decl.kind
                && self.flag(decl.attrs, "constructor")
                && !self.out.ignored.contains(&id)
            {
                self.resolve_old_ctor(function);
            }
        }
    }

    fn add_field(&mut self, datatype: DatatypeId, ctor: CtorId, position: usize, name: Ident, ty: Ty) {
        let place = (ctor, position as u32);
        let known = self.field_by_name.get(&(datatype, name.name)).copied();
        let id = match known {
            Some(known) => {
                let first = self.out.fields[known.index()].ty;
                if first != ty && first != Ty::ERROR && ty != Ty::ERROR {
                    let message = format!(
                        "the field `{}` has type {} here but {} in another constructor",
                        self.text(name.name),
                        self.show(ty),
                        self.show(first)
                    );
                    self.type_error(name.span, message);
                }
                self.out.fields[known.index()].places.push(place);
                known
            }
            None => {
                let id = self.new_field(datatype, name.name, ty, place);
                self.field_by_name.insert((datatype, name.name), id);
                id
            }
        };
        self.out.ctors[ctor.index()].fields.push(id);
    }

    fn new_field(&mut self, datatype: DatatypeId, name: Name, ty: Ty, at: (CtorId, u32)) -> FieldId {
        let id = FieldId(self.out.fields.len() as u32);
        self.out.fields.push(Field { name, datatype, ty, places: vec![at] });
        self.out.datatypes[datatype.index()].fields.push(id);
        id
    }

    /// `function {:constructor} C(f: t, …): D;`
    fn resolve_old_ctor(&mut self, id: Id<Function>) {
        let function = &self.ast[id];
        self.bind_type_vars(function.type_params, false);
        let result = self.resolve_type(function.result.ty);
        let fields: Vec<Ty> = self.ast[function.params].iter().map(|param| self.resolve_type(param.ty)).collect();
        self.unbind_type_vars(function.type_params);
        let TyKind::Data { data, args } = self.out.types.kind(result) else {
            if result != Ty::ERROR {
                let message = "the result of a constructor must be a datatype";
                self.type_error(function.name.span, message);
            }
            return;
        };
        // The parameters of the function, in the order in which the result mentions them.
        let mut own: Vec<TyVar> = Vec::new();
        for &arg in self.out.types.list(args) {
            match self.out.types.kind(arg) {
                TyKind::Var(var) if !own.contains(&var) => own.push(var),
                _ => {
                    let message = "the arguments of a constructor's result must be distinct type \
                                   variables";
                    self.type_error(function.name.span, message);
                    return;
                }
            }
        }
        let params = self.out.datatypes[data.index()].params;
        let by: Vec<Ty> = params.ids().map(|var| self.out.types.var(var)).collect();
        let ctor = self.add_ctor(data, function.name, Some(id));
        self.out.functions[id.index()].ctor = Some(ctor);
        self.functions[function.name.name.index()] = NameRef::Ctor(ctor);
        let ctor_text = self.text(function.name.name);
        self.register_old_name(&format!("is#{ctor_text}"), NameRef::Tester(ctor));
        for (position, ty) in fields.into_iter().enumerate() {
            let ty = self.out.types.subst(ty, &own, &by);
            let name = self.ast[function.params][position].name;
            let name = name.unwrap_or(function.name).name;
            let at = (ctor, position as u32);
            let field = self.new_field(data, name, ty, at);
            self.out.ctors[ctor.index()].fields.push(field);
            self.field_by_name.entry((data, name)).or_insert(field);
            let selector = format!("{}#{ctor_text}", self.text(name));
            self.register_old_name(&selector, NameRef::Field(field));
        }
    }

    fn register_old_name(&mut self, text: &str, what: NameRef) {
        // A name that the program never mentions needs no entry.
        if let Some(name) = self.ast.names.get(text)
            && self.functions[name.index()] == NameRef::None
        {
            self.functions[name.index()] = what;
        }
    }

    /// Complains about datatypes without any finite value.
    pub(super) fn check_inhabited(&mut self) {
        let count = self.out.datatypes.len();
        let mut inhabited = vec![false; count];
        // For each constructor how many fields are not known to be inhabited, and for each
        // datatype the constructors that wait for it.
        let mut missing = vec![0_usize; self.out.ctors.len()];
        let mut waiters: Vec<Vec<CtorId>> = vec![Vec::new(); count];
        let mut ready = Vec::new();
        for (index, ctor) in self.out.ctors.iter().enumerate() {
            let id = CtorId(index as u32);
            for field in &ctor.fields {
                let ty = self.out.fields[field.index()].ty;
                if let TyKind::Data { data, .. } = self.out.types.kind(ty) {
                    missing[index] += 1;
                    waiters[data.index()].push(id);
                }
            }
            if missing[index] == 0 {
                ready.push(id);
            }
        }
        while let Some(ctor) = ready.pop() {
            let data = self.out.ctors[ctor.index()].datatype.index();
            if std::mem::replace(&mut inhabited[data], true) {
                continue;
            }
            for waiter in std::mem::take(&mut waiters[data]) {
                missing[waiter.index()] -= 1;
                if missing[waiter.index()] == 0 {
                    ready.push(waiter);
                }
            }
        }
        let empty: Vec<(Span, Name)> = (0..count)
            .filter(|&index| !inhabited[index])
            .map(|index| &self.out.datatypes[index])
            .filter(|data| !data.ctors.is_empty())
            .map(|data| (data.name.span, data.name.name))
            .collect();
        for (span, name) in empty {
            let message = format!(
                "the datatype `{}` has no finite value: every constructor needs another value of it",
                self.text(name)
            );
            self.name_error(span, message);
        }
    }
}

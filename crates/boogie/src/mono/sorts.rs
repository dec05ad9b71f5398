//! Ground types to sorts: uninterpreted sorts, datatypes, curried arrays and bundles.

use lariat_term::{CtorId as TermCtor, Sort, SortKind, Terms};
use rustc_hash::FxHashMap;

use super::{Head, MAX_INSTANCES, Mono};
use crate::syntax::{AttrArg, DeclId};
use crate::typed::CtorId;
use crate::types::{Ty, TyKind, TyVar};
use lariat_source::{DiagnosticKind, Diagnostics, Span};

/// How large a type may be. Types share their parts, but sorts are written out in the text of a
/// program and for solvers, where synonyms that double a type each would fill any memory.
const MAX_SORT_SIZE: u32 = 1 << 16;

/// How a polymorphic map is represented; see the comment of [`mono`](super).
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    /// The constructor; field 0 stands for all instantiations that are not listed.
    pub ctor: TermCtor,
    /// The instantiation of each field from field 1 on.
    pub insts: Vec<Box<[Ty]>>,
    /// The number of the field of each instantiation.
    fields: FxHashMap<Box<[Ty]>, u32>,
}

impl Mono<'_> {
    /// The sort of a ground type.
    pub fn sort(&mut self, terms: &mut Terms, diags: &mut Diagnostics, ty: Ty, span: Span) -> Sort {
        if let Some(&Some(sort)) = self.sorts.get(ty.index()) {
            return sort;
        }
        let sort = self.new_sort(terms, diags, ty, span);
        // Fields may mention any datatype, so constructors come after the sorts, one by one.
        while let Some(data) = self.pending.pop() {
            self.declare_ctors(terms, diags, data, span);
        }
        sort
    }

    fn new_sort(&mut self, terms: &mut Terms, diags: &mut Diagnostics, ty: Ty, span: Span) -> Sort {
        if let Some(&Some(sort)) = self.sorts.get(ty.index()) {
            return sort;
        }
        if self.types.written_size(ty) > MAX_SORT_SIZE {
            let message = format!("this type is too large: written out it has more than {MAX_SORT_SIZE} parts");
            diags.error(DiagnosticKind::Limit, span, message);
            return Sort::BOOL;
        }
        let sort = stacker::maybe_grow(32 * 1024, 512 * 1024, || match self.types.kind(ty) {
            TyKind::Error | TyKind::Bool | TyKind::Proxy(_) | TyKind::Bound { .. } => Sort::BOOL,
            TyKind::Int => Sort::INT,
            TyKind::Real => Sort::REAL,
            TyKind::Bv(0) => {
                let message = "bit-vectors of width 0 are not supported";
                diags.error(DiagnosticKind::Unsupported, span, message);
                terms.bv_sort(1)
            }
            TyKind::Bv(width) => terms.bv_sort(width),
            TyKind::Float { significand, exponent } => {
                // SMT-LIB asks for at least two bits of each.
                if significand < 2 || exponent < 2 {
                    let message = "floats need at least two bits of significand and of exponent";
                    diags.error(DiagnosticKind::Unsupported, span, message);
                }
                terms.float_sort(exponent.max(2), significand.max(2))
            }
            TyKind::RMode => Sort::ROUNDING_MODE,
            TyKind::String => terms.builtin_sort("String"),
            TyKind::RegEx => terms.builtin_sort("RegLan"),
            TyKind::Ctor { decl, args } => {
                let args = self.types.list(args).to_vec();
                self.known.add(Head::Type(decl), &args);
                match self.builtin_type(decl) {
                    Some(name) => {
                        let mut text = name.to_owned();
                        for &arg in &args {
                            let sort = self.new_sort(terms, diags, arg, span);
                            text = format!("{text} {}", terms.display_sort(sort));
                        }
                        let text = if args.is_empty() { text } else { format!("({text})") };
                        terms.builtin_sort(&text)
                    }
                    None => terms.uninterpreted_sort(&self.type_name(ty)),
                }
            }
            TyKind::Var(var) => {
                let name = self.var_name(var);
                let name = self.names.unique(&name);
                terms.uninterpreted_sort(&name)
            }
            TyKind::Data { data, args } => {
                let args = self.types.list(args).to_vec();
                self.known.add(Head::Data(data), &args);
                self.datatype_sort(terms, ty)
            }
            TyKind::Map { params: 0, args, result } => {
                let mut sort = self.new_sort(terms, diags, result, span);
                for at in (0..args.len()).rev() {
                    let arg = self.types.list(args)[at];
                    let index = self.new_sort(terms, diags, arg, span);
                    sort = terms.array_sort(index, sort);
                }
                sort
            }
            TyKind::Map { .. } => self.datatype_sort(terms, ty),
        });
        if self.sorts.len() <= ty.index() {
            self.sorts.resize(ty.index() + 1, None);
        }
        self.sorts[ty.index()] = Some(sort);
        sort
    }

    fn datatype_sort(&mut self, terms: &mut Terms, ty: Ty) -> Sort {
        let name = self.type_name(ty);
        let data = terms.declare_datatype(&name);
        self.pending.push(ty);
        terms.datatype_sort(data)
    }

    fn declare_ctors(&mut self, terms: &mut Terms, diags: &mut Diagnostics, ty: Ty, span: Span) {
        let Some(&Some(sort)) = self.sorts.get(ty.index()) else { return };
        let SortKind::Datatype(datatype) = terms.sort_kind(sort) else { return };
        self.instances += 1;
        let too_many = self.instances > MAX_INSTANCES;
        if self.instances == MAX_INSTANCES + 1 {
            self.limit(diags, span, "too many instances of datatypes");
        }
        match self.types.kind(ty) {
            TyKind::Data { data, args } => {
                let args = self.types.list(args).to_vec();
                let info = self.typed.datatype(data);
                let params: Vec<TyVar> = info.params.ids().collect();
                for &ctor in &info.ctors {
                    let ctor_name = self.ast.text(self.typed.ctor(ctor).name.name);
                    let name = self.instance_name(ctor_name, &args);
                    let mut fields = Vec::new();
                    for &field in &self.typed.ctor(ctor).fields {
                        let field = self.typed.field(field);
                        let field_ty = self.types.subst(field.ty, &params, &args);
                        let sort = if too_many { Sort::BOOL } else { self.new_sort(terms, diags, field_ty, span) };
                        let selector = format!("{}#{name}", self.ast.text(field.name));
                        fields.push((self.names.unique(&selector), sort));
                    }
                    let fields: Vec<(&str, Sort)> = fields.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
                    let name = self.names.unique(&name);
                    let id = terms.add_ctor(datatype, &name, &fields);
                    self.ctors.insert((ty, ctor), id);
                }
            }
            TyKind::Map { .. } => {
                let name = self.type_name(ty);
                let rest = self.names.unique(&format!("{name}#rest"));
                let insts = self.known.instances(Head::Map(ty)).to_vec();
                let mut fields = vec![(self.names.unique(&format!("rest#{name}")), terms.uninterpreted_sort(&rest))];
                for inst in &insts {
                    let Some((args, result)) = self.types.instantiate_map(ty, inst) else { continue };
                    let mut sort = if too_many { Sort::BOOL } else { self.new_sort(terms, diags, result, span) };
                    for &arg in args.iter().rev() {
                        let index = self.new_sort(terms, diags, arg, span);
                        sort = terms.array_sort(index, sort);
                    }
                    let field = self.instance_name(&format!("map#{name}"), inst);
                    fields.push((self.names.unique(&field), sort));
                }
                let fields: Vec<(&str, Sort)> = fields.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
                let name = self.names.unique(&format!("bundle#{name}"));
                let ctor = terms.add_ctor(datatype, &name, &fields);
                let at = insts.iter().cloned().zip(1..).collect();
                self.bundles.insert(ty, Bundle { ctor, insts, fields: at });
            }
            _ => {}
        }
    }

    /// The constructor of a ground datatype.
    pub fn ctor(&self, ty: Ty, ctor: CtorId) -> Option<TermCtor> {
        self.ctors.get(&(ty, ctor)).copied()
    }

    /// The bundle of a ground polymorphic map type whose sort has been made.
    pub fn bundle(&self, ty: Ty) -> Option<&Bundle> {
        self.bundles.get(&ty)
    }

    /// The field of an instantiation of a bundle. A new instantiation is noted for the next run.
    pub fn bundle_field(&mut self, ty: Ty, inst: &[Ty]) -> Option<(TermCtor, u32)> {
        let bundle = self.bundles.get(&ty)?;
        if let Some(&field) = bundle.fields.get(inst) {
            return Some((bundle.ctor, field));
        }
        self.known.add(Head::Map(ty), inst);
        self.incomplete = true;
        None
    }

    fn builtin_type(&self, decl: DeclId) -> Option<&str> {
        let attr = self.ast.attr(self.ast[decl].attrs, "builtin")?;
        match self.ast[attr.args] {
            [AttrArg::Str(name)] => Some(self.ast.text(name)),
            _ => None,
        }
    }

    fn var_name(&self, var: TyVar) -> String {
        self.ast.text(self.ast[var].name).to_owned()
    }
}

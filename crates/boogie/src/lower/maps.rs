//! Maps and datatypes: reading and updating parts of values.

use lariat_term::Term;

use super::Lower;
use crate::typed::{CtorId, FieldId};
use crate::types::{Ty, TyKind};

impl Lower<'_> {
    /// `map[index]` for a map of this ground type and instantiation.
    pub(super) fn select(&mut self, ty: Ty, inst: &[Ty], map: Term, index: &[Term]) -> Option<Term> {
        let mut value = match self.bundle_array(ty, inst, map) {
            Ok(array) => array?,
            Err(()) => return None,
        };
        for &at in index {
            value = self.terms.select(value, at);
        }
        Some(value)
    }

    /// `map[index := new]`
    pub(super) fn store(&mut self, ty: Ty, inst: &[Ty], map: Term, index: &[Term], new: Term) -> Option<Term> {
        let array = match self.bundle_array(ty, inst, map) {
            Ok(array) => array?,
            Err(()) => return None,
        };
        let array = self.store_array(array, index, new);
        if inst.is_empty() {
            return Some(array);
        }
        let (ctor, field) = self.mono.bundle_field(ty, inst)?;
        let count = self.terms.ctor_fields(ctor).len() as u32;
        let fields: Vec<Term> =
            (0..count).map(|at| if at == field { array } else { self.terms.selector(ctor, at, map) }).collect();
        Some(self.terms.ctor(ctor, &fields))
    }

    /// The array behind a map: the map itself, or the one of an instantiation of a bundle.
    fn bundle_array(&mut self, ty: Ty, inst: &[Ty], map: Term) -> Result<Option<Term>, ()> {
        if !matches!(self.mono.types.kind(ty), TyKind::Map { .. }) {
            return Err(());
        }
        if inst.is_empty() {
            return Ok(Some(map));
        }
        let field = self.mono.bundle_field(ty, inst);
        Ok(field.map(|(ctor, field)| self.terms.selector(ctor, field, map)))
    }

    fn store_array(&mut self, array: Term, index: &[Term], new: Term) -> Term {
        // Down to the innermost array, then up again.
        let mut arrays = Vec::with_capacity(index.len());
        let mut inner = array;
        for &at in index {
            arrays.push(inner);
            if arrays.len() < index.len() {
                inner = self.terms.select(inner, at);
            }
        }
        let mut value = new;
        for (&at, &array) in index.iter().zip(&arrays).rev() {
            value = self.terms.store(array, at, value);
        }
        value
    }

    /// `value->field` for a value of this ground datatype. If several constructors have the field,
    /// the value decides whose it is; for a value without the field the result is arbitrary.
    pub(super) fn field(&mut self, ty: Ty, field: FieldId, value: Term) -> Term {
        let places = &self.typed.field(field).places;
        let mut result = None;
        for &(ctor, at) in places.iter().rev() {
            let Some(ctor) = self.mono.ctor(ty, ctor) else { continue };
            let selected = self.terms.selector(ctor, at, value);
            result = Some(match result {
                None => selected,
                Some(other) => {
                    let is = self.terms.tester(ctor, value);
                    self.terms.ite(is, selected, other)
                }
            });
        }
        result.unwrap_or_else(|| self.dummy(lariat_term::Sort::BOOL))
    }

    /// `value->(field := new)`: the value built anew.
    pub(super) fn field_update(&mut self, ty: Ty, field: FieldId, value: Term, new: Term) -> Term {
        let places = &self.typed.field(field).places;
        let mut result = None;
        for &(ctor, at) in places.iter().rev() {
            let Some(updated) = self.rebuild(ty, ctor, at, value, new) else { continue };
            let Some(ctor) = self.mono.ctor(ty, ctor) else { continue };
            result = Some(match result {
                None => updated,
                Some(other) => {
                    let is = self.terms.tester(ctor, value);
                    self.terms.ite(is, updated, other)
                }
            });
        }
        result.unwrap_or(value)
    }

    fn rebuild(&mut self, ty: Ty, ctor: CtorId, field: u32, value: Term, new: Term) -> Option<Term> {
        let ctor = self.mono.ctor(ty, ctor)?;
        let count = self.terms.ctor_fields(ctor).len() as u32;
        let fields: Vec<Term> =
            (0..count).map(|at| if at == field { new } else { self.terms.selector(ctor, at, value) }).collect();
        Some(self.terms.ctor(ctor, &fields))
    }
}

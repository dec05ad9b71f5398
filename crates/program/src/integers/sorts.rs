//! Sorts of the integer program, and values back from it.

use dashu_int::{IBig, UBig};
use lariat_term::{ArrayValue, Sort, SortKind, Terms, Value};
use rustc_hash::FxHashSet;

use super::{
    Untranslatable,
    interval::{Interval, power, window},
};

/// Do values of the sort have bit-vectors in them?
pub(super) fn has_bits(terms: &Terms, sort: Sort) -> bool {
    let (mut work, mut seen) = (vec![sort], FxHashSet::default());
    while let Some(s) = work.pop() {
        match terms.sort_kind(s) {
            SortKind::BitVec(_) => return true,
            SortKind::Array(i, e) => work.extend([i, e]),
            SortKind::Datatype(d) if seen.insert(s) => {
                work.extend(terms.ctors(d).iter().flat_map(|&c| terms.ctor_fields(c)).map(|f| f.sort));
            }
            _ => {}
        }
    }
    false
}

/// The sort with integers for bit-vectors.
pub(super) fn twin_sort(terms: &mut Terms, sort: Sort) -> Result<Sort, Untranslatable> {
    match terms.sort_kind(sort) {
        _ if !has_bits(terms, sort) => Ok(sort),
        SortKind::BitVec(_) => Ok(Sort::INT),
        // Different maps of integers can stand for one map of bit-vectors.
        SortKind::Array(i, _) if has_bits(terms, i) && !matches!(terms.sort_kind(i), SortKind::BitVec(_)) => {
            Err(Untranslatable("a map whose indices have bit-vectors inside"))
        }
        SortKind::Array(i, e) => {
            let (i, e) = (twin_sort(terms, i)?, twin_sort(terms, e)?);
            Ok(terms.array_sort(i, e))
        }
        _ => Err(Untranslatable("a datatype with bit-vectors")),
    }
}

/// The value of the original sort that a value of the integer program stands for; one of that sort is itself.
pub(super) fn original(
    terms: &Terms,
    universe: &dyn Fn(Sort) -> Option<u32>,
    sort: Sort,
    value: &Value,
) -> Option<Value> {
    match (terms.sort_kind(sort), value) {
        (SortKind::BitVec(w), Value::Int(i)) => Some(Value::bv(w, residue(i, w)?)),
        (SortKind::Array(index, element), Value::Array(a)) if a.sort() != sort => {
            let default = original(terms, universe, element, a.default())?;
            let mut new = ArrayValue::constant(sort, terms.domain(index, universe), default);
            // No execution uses other indices.
            for (i, e) in a.entries().filter(|(i, _)| is_index(terms, index, i)) {
                new.set(original(terms, universe, index, i)?, original(terms, universe, element, e)?);
            }
            Some(Value::array(new))
        }
        _ => Some(value.clone()),
    }
}

/// Does the value stand for one of the sort as an index or argument, where numbers are unsigned?
pub(super) fn is_index(terms: &Terms, sort: Sort, value: &Value) -> bool {
    match (terms.sort_kind(sort), value) {
        (SortKind::BitVec(w), Value::Int(i)) => Interval::point(i.clone()).within(&window(w, false)),
        _ => true,
    }
}

/// The value of the integer program that stands for a value of a sort: a number is signed or not, and so are the
/// elements of a map; indices are unsigned.
pub(super) fn number(terms: &mut Terms, sort: Sort, value: &Value, signed: bool) -> Option<Value> {
    match (terms.sort_kind(sort), value) {
        (SortKind::BitVec(_), Value::BitVec(b)) => {
            Some(Value::Int(if signed { b.to_signed() } else { IBig::from(b.bits().clone()) }))
        }
        (SortKind::Array(index, element), Value::Array(a)) if has_bits(terms, sort) => {
            let (twin, twin_index) = (twin_sort(terms, sort).ok()?, twin_sort(terms, index).ok()?);
            let default = number(terms, element, a.default(), signed)?;
            let mut new = ArrayValue::constant(twin, terms.domain(twin_index, &|_| None), default);
            for (i, e) in a.entries() {
                let index = number(terms, index, i, false)?;
                new.set(index, number(terms, element, e, signed)?);
            }
            Some(Value::array(new))
        }
        _ => Some(value.clone()),
    }
}

fn residue(i: &IBig, width: u32) -> Option<UBig> {
    let m = power(width);
    let r = i % &m;
    UBig::try_from(if r < IBig::ZERO { r + m } else { r }).ok()
}

//! The set of values of a sort, as far as it is finite: for canonical arrays and for deciding
//! quantifiers by enumeration.

use std::sync::Arc;

use dashu_int::UBig;

use super::{ArrayValue, BitVec, Data, Float, Value};
use crate::{
    fold::no_universe,
    op::RoundingMode,
    sort::{CtorId, DatatypeId, Sort, SortKind},
    store::Terms,
};

/// All values of a sort. It describes itself, so that an array can carry the domain of its indices.
#[derive(Clone, Debug)]
pub struct Domain {
    size: Option<u64>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Infinite,
    Bool,
    RoundingMode,
    BitVec(u32),
    Float { exp: u32, sig: u32 },
    Elem(Sort),
    Data(Vec<(CtorId, Vec<Arc<Domain>>)>),
    Array { sort: Sort, index: Arc<Domain>, element: Arc<Domain> },
}

/// Sorts nested deeper than this count as infinite.
const MAX_DEPTH: usize = 64;

impl Domain {
    fn infinite() -> Domain {
        Domain { size: None, kind: Kind::Infinite }
    }

    /// How many values there are; `None` if infinite or beyond 64 bits.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The value of this number, for numbers below the size.
    pub fn nth(&self, n: u64) -> Option<Value> {
        if self.size.is_none_or(|size| n >= size) {
            return None;
        }
        Some(match &self.kind {
            Kind::Infinite => return None,
            Kind::Bool => Value::Bool(n == 1),
            Kind::RoundingMode => Value::RoundingMode(RoundingMode::ALL[n as usize]),
            Kind::BitVec(w) => Value::bv(*w, n),
            Kind::Float { exp, sig } => {
                // Every sign and magnitude up to infinity; the one NaN comes last.
                let per_sign = infinity(*exp, *sig)? + 1;
                if n == 2 * per_sign {
                    return Some(Value::Float(Float::nan(*exp, *sig)));
                }
                let sign = (n / per_sign) << (exp + sig - 1);
                Value::Float(Float::from_bits(*exp, *sig, UBig::from(sign | (n % per_sign))))
            }
            Kind::Elem(sort) => Value::Elem(*sort, n as u32),
            Kind::Data(ctors) => {
                let mut n = n;
                for (ctor, fields) in ctors {
                    let size = product(fields)?;
                    if n < size {
                        return Some(Value::Data(Arc::new(Data::new(*ctor, digits(fields, n)?))));
                    }
                    n -= size;
                }
                return None;
            }
            Kind::Array { sort, index, element } => {
                let (base, mut n) = (element.size?, n);
                let mut a = ArrayValue::constant(*sort, index.clone(), element.nth(0)?);
                let mut i = 0;
                while n > 0 {
                    a.set(index.nth(i)?, element.nth(n % base)?);
                    n /= base;
                    i += 1;
                }
                Value::array(a)
            }
        })
    }
}

/// The magnitude bits of infinity, if the format fits in 63 bits.
fn infinity(exp: u32, sig: u32) -> Option<u64> {
    (exp + sig <= 63).then(|| ((1u64 << exp) - 1) << (sig - 1))
}

fn product(fields: &[Arc<Domain>]) -> Option<u64> {
    fields.iter().try_fold(1u64, |n, f| n.checked_mul(f.size?))
}

fn digits(fields: &[Arc<Domain>], mut n: u64) -> Option<Vec<Value>> {
    let digit = |f: &Arc<Domain>| {
        let size = f.size?;
        let v = f.nth(n % size);
        n /= size;
        v
    };
    fields.iter().map(digit).collect()
}

impl Terms {
    /// The values of a sort. `universe` tells how many elements an uninterpreted sort has, where
    /// that is fixed.
    pub fn domain(&self, sort: Sort, universe: &dyn Fn(Sort) -> Option<u32>) -> Arc<Domain> {
        self.domain_inside(sort, universe, &mut Vec::new(), 0)
    }

    fn domain_inside(
        &self,
        sort: Sort,
        universe: &dyn Fn(Sort) -> Option<u32>,
        open: &mut Vec<DatatypeId>,
        depth: usize,
    ) -> Arc<Domain> {
        if depth > MAX_DEPTH {
            return Arc::new(Domain::infinite());
        }
        let domain = match self.sort_kind(sort) {
            SortKind::Bool => Domain { size: Some(2), kind: Kind::Bool },
            SortKind::RoundingMode => Domain { size: Some(5), kind: Kind::RoundingMode },
            SortKind::BitVec(w) if w < 64 => Domain { size: Some(1 << w), kind: Kind::BitVec(w) },
            SortKind::Float { exp, sig } => match infinity(exp, sig) {
                Some(inf) => Domain { size: Some(2 * (inf + 1) + 1), kind: Kind::Float { exp, sig } },
                None => Domain::infinite(),
            },
            SortKind::Uninterpreted(_) => match universe(sort) {
                Some(n) => Domain { size: Some(u64::from(n)), kind: Kind::Elem(sort) },
                None => Domain::infinite(),
            },
            SortKind::Array(i, e) => {
                let index = self.domain_inside(i, universe, open, depth + 1);
                let element = self.domain_inside(e, universe, open, depth + 1);
                let size = match (index.size, element.size) {
                    (_, Some(1)) => Some(1),
                    (Some(i), Some(e)) => u32::try_from(i).ok().and_then(|i| e.checked_pow(i)),
                    _ => None,
                };
                Domain { size, kind: Kind::Array { sort, index, element } }
            }
            SortKind::Datatype(d) if !open.contains(&d) => {
                open.push(d);
                let ctors = self.ctors(d).iter().map(|&c| {
                    let fields = self.ctor_fields(c).iter();
                    (c, fields.map(|f| self.domain_inside(f.sort, universe, open, depth + 1)).collect())
                });
                let ctors: Vec<(CtorId, Vec<Arc<Domain>>)> = ctors.collect();
                open.pop();
                let size = ctors.iter().try_fold(0u64, |n, (_, fields)| n.checked_add(product(fields)?));
                Domain { size, kind: Kind::Data(ctors) }
            }
            _ => Domain::infinite(),
        };
        Arc::new(domain)
    }

    /// A value of the sort, always the same: zero, false, the first element, the constant array, the
    /// first constructor that needs no value of its own datatype.
    ///
    /// `None` for a solver's own sorts, for datatypes without a finite value, and for sorts nested
    /// absurdly deep.
    pub fn default_value(&self, sort: Sort) -> Option<Value> {
        self.default_value_in(sort, &no_universe)
    }

    /// [`Terms::default_value`], where uninterpreted sorts have the given numbers of elements.
    pub fn default_value_in(&self, sort: Sort, universe: &dyn Fn(Sort) -> Option<u32>) -> Option<Value> {
        self.default_inside(sort, universe, &mut Vec::new(), 0)
    }

    fn default_inside(
        &self,
        sort: Sort,
        universe: &dyn Fn(Sort) -> Option<u32>,
        open: &mut Vec<DatatypeId>,
        depth: usize,
    ) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        Some(match self.sort_kind(sort) {
            SortKind::Bool => Value::Bool(false),
            SortKind::Int => Value::int(0),
            SortKind::Real => Value::real(dashu_int::IBig::ZERO),
            SortKind::RoundingMode => Value::RoundingMode(RoundingMode::Rne),
            SortKind::BitVec(w) => Value::BitVec(BitVec::zero(w)),
            SortKind::Float { exp, sig } => Value::Float(Float::from_bits(exp, sig, UBig::ZERO)),
            SortKind::Uninterpreted(_) => Value::Elem(sort, 0),
            SortKind::Builtin(_) => return None,
            SortKind::Array(i, e) => {
                let element = self.default_inside(e, universe, open, depth + 1)?;
                Value::array(ArrayValue::constant(sort, self.domain(i, universe), element))
            }
            SortKind::Datatype(d) => {
                if open.contains(&d) {
                    return None;
                }
                open.push(d);
                let value = self.ctors(d).iter().find_map(|&c| {
                    let fields = self.ctor_fields(c).iter();
                    let fields = fields
                        .map(|f| self.default_inside(f.sort, universe, open, depth + 1))
                        .collect::<Option<_>>()?;
                    Some(Value::data(c, fields))
                });
                open.pop();
                return value;
            }
        })
    }
}

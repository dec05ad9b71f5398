//! Values of datatypes. A list of a million elements is a million deep, so comparing, hashing and
//! dropping must not recurse: the hash is computed once, the others keep their own stack.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
    sync::Arc,
};

use rustc_hash::FxHasher;

use super::Value;
use crate::sort::CtorId;

/// A constructor applied to values.
#[derive(Clone)]
pub struct Data {
    ctor: CtorId,
    fields: Vec<Value>,
    hash: u64,
    nesting: u32,
}

impl Data {
    /// A constructor applied to values of its fields' sorts.
    pub fn new(ctor: CtorId, fields: Vec<Value>) -> Data {
        let mut h = FxHasher::default();
        ctor.hash(&mut h);
        fields.hash(&mut h);
        let nesting = fields.iter().map(Value::array_nesting).max().unwrap_or(0);
        Data { ctor, fields, hash: h.finish(), nesting }
    }

    /// The constructor.
    pub fn ctor(&self) -> CtorId {
        self.ctor
    }

    /// The fields' values.
    pub fn fields(&self) -> &[Value] {
        &self.fields
    }

    pub(crate) fn nesting(&self) -> u32 {
        self.nesting
    }
}

impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        let mut work = vec![(self, other)];
        while let Some((a, b)) = work.pop() {
            if std::ptr::eq(a, b) {
                continue;
            }
            if a.hash != b.hash || a.ctor != b.ctor || a.fields.len() != b.fields.len() {
                return false;
            }
            for pair in a.fields.iter().zip(&b.fields) {
                match pair {
                    (Value::Data(x), Value::Data(y)) => work.push((x, y)),
                    (x, y) if x != y => return false,
                    _ => {}
                }
            }
        }
        true
    }
}

impl Eq for Data {}

impl Hash for Data {
    fn hash<H: Hasher>(&self, h: &mut H) {
        h.write_u64(self.hash);
    }
}

impl PartialOrd for Data {
    fn partial_cmp(&self, other: &Data) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Data {
    fn cmp(&self, other: &Data) -> Ordering {
        // Lexicographic: (constructor, fields). The stack holds what is still to be compared, next on top.
        let mut work: Vec<(&[Value], &[Value])> = Vec::new();
        let enter = |a: &Data, b: &Data| {
            if std::ptr::eq(a, b) { Some(Ordering::Equal) } else { Some(a.ctor.cmp(&b.ctor)).filter(|o| o.is_ne()) }
        };
        if let Some(o) = enter(self, other) {
            return o;
        }
        work.push((&self.fields, &other.fields));
        while let Some((xs, ys)) = work.pop() {
            let ([x, xs @ ..], [y, ys @ ..]) = (xs, ys) else {
                match xs.len().cmp(&ys.len()) {
                    Ordering::Equal => continue,
                    o => return o,
                }
            };
            work.push((xs, ys));
            let order = match (x, y) {
                (Value::Data(x), Value::Data(y)) => enter(x, y).unwrap_or_else(|| {
                    work.push((&x.fields, &y.fields));
                    Ordering::Equal
                }),
                _ => x.cmp(y),
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        if !self.fields.iter().any(|f| matches!(f, Value::Data(_))) {
            return;
        }
        let mut work = std::mem::take(&mut self.fields);
        while let Some(v) = work.pop() {
            if let Value::Data(d) = v
                && let Ok(mut d) = Arc::try_unwrap(d)
            {
                work.append(&mut d.fields);
            }
        }
    }
}

/// One level only, since a value may be deep; see [`Value::display`] for all of it.
impl std::fmt::Debug for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut t = f.debug_tuple(&format!("{:?}", self.ctor));
        for v in &self.fields {
            match v {
                Value::Data(d) => t.field(&format_args!("{:?}(…)", d.ctor)),
                v => t.field(v),
            };
        }
        t.finish()
    }
}

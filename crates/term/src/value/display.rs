//! Values as SMT-LIB text.

use std::fmt;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{ArrayValue, BitVec, Data, Float, Value};
use crate::{
    op::RoundingMode,
    sort::{Sort, SortKind},
    store::Terms,
};

/// Displays a value in SMT-LIB's notation. Made by [`Value::display`].
pub struct ValueDisplay<'a> {
    terms: &'a Terms,
    value: &'a Value,
}

impl Value {
    /// The value in SMT-LIB's notation (names are not quoted).
    pub fn display<'a>(&'a self, terms: &'a Terms) -> ValueDisplay<'a> {
        ValueDisplay { terms, value: self }
    }
}

enum Step<'a> {
    Text(&'static str),
    Value(&'a Value),
}

impl fmt::Display for ValueDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = vec![Step::Value(self.value)];
        while let Some(step) = steps.pop() {
            let value = match step {
                Step::Text(s) => {
                    f.write_str(s)?;
                    continue;
                }
                Step::Value(v) => v,
            };
            match value {
                Value::Bool(b) => write!(f, "{b}")?,
                Value::Int(i) => integer(f, i)?,
                Value::Real(r) => real(f, r)?,
                Value::RoundingMode(m) => f.write_str(rounding_mode(*m))?,
                Value::BitVec(b) => bit_vector(f, b)?,
                Value::Float(x) => float(f, x)?,
                Value::Elem(s, n) => write!(f, "(as @{n} {})", SortDisplay(self.terms, *s))?,
                Value::Data(d) => data(f, self.terms, d, &mut steps)?,
                Value::Array(a) => array(f, self.terms, a, &mut steps)?,
            }
        }
        Ok(())
    }
}

fn data<'a>(f: &mut fmt::Formatter<'_>, terms: &Terms, d: &'a Data, steps: &mut Vec<Step<'a>>) -> fmt::Result {
    if d.fields().is_empty() {
        return f.write_str(terms.ctor_name(d.ctor()));
    }
    write!(f, "({}", terms.ctor_name(d.ctor()))?;
    steps.push(Step::Text(")"));
    for v in d.fields().iter().rev() {
        steps.push(Step::Value(v));
        steps.push(Step::Text(" "));
    }
    Ok(())
}

fn array<'a>(f: &mut fmt::Formatter<'_>, terms: &Terms, a: &'a ArrayValue, steps: &mut Vec<Step<'a>>) -> fmt::Result {
    for _ in 0..a.len() {
        f.write_str("(store ")?;
    }
    write!(f, "((as const {}) ", SortDisplay(terms, a.sort()))?;
    let entries: Vec<(&Value, &Value)> = a.entries().collect();
    for &(i, e) in entries.iter().rev() {
        steps.push(Step::Text(")"));
        steps.push(Step::Value(e));
        steps.push(Step::Text(" "));
        steps.push(Step::Value(i));
        steps.push(Step::Text(" "));
    }
    steps.push(Step::Text(")"));
    steps.push(Step::Value(a.default()));
    Ok(())
}

fn integer(f: &mut fmt::Formatter<'_>, i: &IBig) -> fmt::Result {
    if *i < IBig::ZERO { write!(f, "(- {})", -i.clone()) } else { write!(f, "{i}") }
}

fn real(f: &mut fmt::Formatter<'_>, r: &RBig) -> fmt::Result {
    let (num, den) = (r.numerator().clone(), r.denominator());
    let negative = num < IBig::ZERO;
    let num = if negative { -num } else { num };
    if negative {
        f.write_str("(- ")?;
    }
    if den.is_one() {
        write!(f, "{num}.0")?
    } else {
        write!(f, "(/ {num}.0 {den}.0)")?
    }
    if negative { f.write_str(")") } else { Ok(()) }
}

fn rounding_mode(m: RoundingMode) -> &'static str {
    match m {
        RoundingMode::Rne => "RNE",
        RoundingMode::Rna => "RNA",
        RoundingMode::Rtp => "RTP",
        RoundingMode::Rtn => "RTN",
        RoundingMode::Rtz => "RTZ",
    }
}

fn bit_vector(f: &mut fmt::Formatter<'_>, b: &BitVec) -> fmt::Result {
    let hexadecimal = b.width.is_multiple_of(4);
    let digits = if hexadecimal { b.bits.in_radix(16) } else { b.bits.in_radix(2) }.to_string();
    let length = if hexadecimal { b.width / 4 } else { b.width } as usize;
    f.write_str(if hexadecimal { "#x" } else { "#b" })?;
    // By hand, since the padding of `write!` ends at 65,535 characters.
    f.write_str(&"0".repeat(length.saturating_sub(digits.len())))?;
    f.write_str(&digits)
}

fn float(f: &mut fmt::Formatter<'_>, x: &Float) -> fmt::Result {
    if x.is_nan() {
        return write!(f, "(_ NaN {} {})", x.exp, x.sig);
    }
    let sign = if x.is_negative() { '-' } else { '+' };
    if x.is_infinite() {
        return write!(f, "(_ {sign}oo {} {})", x.exp, x.sig);
    }
    if x.is_zero() {
        return write!(f, "(_ {sign}zero {} {})", x.exp, x.sig);
    }
    let bits = BitVec { width: x.exp + x.sig, bits: x.bits.clone() };
    f.write_str("(fp ")?;
    bit_vector(f, &bits.extract(x.exp + x.sig - 1, x.exp + x.sig - 1))?;
    f.write_str(" ")?;
    bit_vector(f, &bits.extract(x.exp + x.sig - 2, x.sig - 1))?;
    f.write_str(" ")?;
    bit_vector(f, &bits.extract(x.sig - 2, 0))?;
    f.write_str(")")
}

/// A sort as SMT-LIB text.
struct SortDisplay<'a>(&'a Terms, Sort);

impl fmt::Display for SortDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.0;
        // What is still to be written: sorts, or text between them.
        let mut steps = vec![Ok(self.1)];
        while let Some(step) = steps.pop() {
            let sort = match step {
                Ok(sort) => sort,
                Err(text) => {
                    f.write_str(text)?;
                    continue;
                }
            };
            match terms.sort_kind(sort) {
                SortKind::Bool => f.write_str("Bool")?,
                SortKind::Int => f.write_str("Int")?,
                SortKind::Real => f.write_str("Real")?,
                SortKind::RoundingMode => f.write_str("RoundingMode")?,
                SortKind::BitVec(w) => write!(f, "(_ BitVec {w})")?,
                SortKind::Float { exp, sig } => write!(f, "(_ FloatingPoint {exp} {sig})")?,
                SortKind::Uninterpreted(s) | SortKind::Builtin(s) => f.write_str(terms.name(s))?,
                SortKind::Datatype(d) => f.write_str(terms.datatype_name(d))?,
                SortKind::Array(i, e) => {
                    f.write_str("(Array ")?;
                    steps.extend([Err(")"), Ok(e), Err(" "), Ok(i)]);
                }
            }
        }
        Ok(())
    }
}

//! Formulas of C, over the variables with their types.
//!
//! Three ways are tried. A comparison of sums that are exact, that is, whose bit-vectors are wide enough for all values of the variables, is one of
//! integers: it is solved so that nothing is subtracted, and computed in a type that is wide enough. An equation that holds modulo the width is
//! written in unsigned arithmetic. The rest is written operator by operator, with casts to the unsigned or signed type of the width.
//! In ACSL, arithmetic is that of integers: the first way needs no types there, and what wraps around is cast.

use std::collections::BTreeMap;

use lariat_term::{Op, Sort, SortKind, Term, Terms, Value};

use super::{DEPTH, Level, Names, Text, within};

pub(super) fn formula(terms: &Terms, t: Term, acsl: bool, name: Names<'_>) -> Option<String> {
    Writer { terms, acsl, name }.truth(t, DEPTH).map(|text| text.0)
}

/// How deep sums are looked into that might be exact: each level is tried with and without signs.
const NESTED: u32 = 8;

struct Writer<'a> {
    terms: &'a Terms,
    acsl: bool,
    name: Names<'a>,
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Equal,
    Unequal,
    /// At most, or less; of numbers with a sign or without.
    Most(bool),
    Less(bool),
}

impl Sign {
    fn text(self) -> &'static str {
        match self {
            Sign::Equal => "==",
            Sign::Unequal => "!=",
            Sign::Most(_) => "<=",
            Sign::Less(_) => "<",
        }
    }
}

/// An integer type of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Type {
    bits: u32,
    signed: bool,
}

impl Type {
    /// The least and the largest number.
    fn range(self) -> (i128, i128) {
        let bits = self.bits.min(126);
        if self.signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// What it becomes in an operation.
    fn promoted(self) -> Type {
        if self.bits < 32 { Type { bits: 32, signed: true } } else { self }
    }

    fn name(self) -> Option<&'static str> {
        Some(match (self.bits, self.signed) {
            (8, false) => "unsigned char",
            (8, true) => "signed char",
            (16, false) => "unsigned short",
            (16, true) => "short",
            (32, false) => "unsigned",
            (32, true) => "int",
            (64, false) => "unsigned long long",
            (64, true) => "long long",
            (128, true) => "__int128",
            _ => return None,
        })
    }
}

/// A number that a sum is made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Atom {
    text: String,
    level: Level,
    ty: Type,
}

/// A sum of products of numbers with their factors, as an integer.
#[derive(Clone, Default, Debug)]
struct Sum {
    parts: BTreeMap<Vec<Atom>, i128>,
    constant: i128,
}

impl Sum {
    fn number(n: i128) -> Sum {
        Sum { parts: BTreeMap::new(), constant: n }
    }

    fn atom(text: Text, ty: Type) -> Sum {
        let atom = Atom { text: text.0, level: text.1, ty };
        Sum { parts: BTreeMap::from([(vec![atom], 1)]), constant: 0 }
    }

    fn plus(mut self, other: &Sum, factor: i128) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (atoms, n) in &other.parts {
            let entry = self.parts.entry(atoms.clone()).or_default();
            *entry = entry.checked_add(n.checked_mul(factor)?)?;
        }
        self.parts.retain(|_, n| *n != 0);
        Some(self)
    }

    fn times(&self, other: &Sum) -> Option<Sum> {
        let mut product = Sum::number(self.constant.checked_mul(other.constant)?);
        for (atoms, n) in &self.parts {
            let one = Sum { parts: BTreeMap::from([(atoms.clone(), *n)]), constant: 0 };
            product = product.plus(&one, other.constant)?;
            for (others, m) in &other.parts {
                let mut both = [&atoms[..], others].concat();
                both.sort();
                let one = Sum { parts: BTreeMap::from([(both, n.checked_mul(*m)?)]), constant: 0 };
                product = product.plus(&one, 1)?;
            }
        }
        for (others, m) in &other.parts {
            let one = Sum { parts: BTreeMap::from([(others.clone(), *m)]), constant: 0 };
            product = product.plus(&one, self.constant)?;
        }
        Some(product)
    }

    /// Between which numbers it is.
    fn range(&self) -> Option<(i128, i128)> {
        let (mut least, mut most) = (self.constant, self.constant);
        for (atoms, &n) in &self.parts {
            let (mut low, mut high) = (n, n);
            for atom in atoms {
                let (a, b) = atom.ty.range();
                let corners = [low.checked_mul(a)?, low.checked_mul(b)?, high.checked_mul(a)?, high.checked_mul(b)?];
                low = corners.into_iter().min()?;
                high = corners.into_iter().max()?;
            }
            least = least.checked_add(low)?;
            most = most.checked_add(high)?;
        }
        Some((least, most))
    }

    /// A single number of C, or a constant.
    fn is_plain(&self) -> bool {
        match self.parts.iter().next() {
            None => true,
            Some((atoms, 1)) => self.parts.len() == 1 && atoms.len() == 1 && self.constant == 0,
            Some(_) => false,
        }
    }

    fn types(&self) -> impl Iterator<Item = Type> {
        self.parts.keys().flatten().map(|atom| atom.ty.promoted())
    }

    /// The parts that are added on the left and on the right of a comparison with 0.
    fn sides(&self) -> [Sum; 2] {
        let mut sides = [Sum::default(), Sum::default()];
        for (atoms, &n) in &self.parts {
            sides[usize::from(n < 0)].parts.insert(atoms.clone(), n.abs());
        }
        sides[usize::from(self.constant < 0)].constant = self.constant.abs();
        sides
    }
}

impl Writer<'_> {
    /// A truth value.
    fn truth(&self, t: Term, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let args = self.terms.args(t);
        match (self.terms.op(t), args) {
            (Op::True, _) => Some(("1".into(), Level::Atom)),
            (Op::False, _) => Some(("0".into(), Level::Atom)),
            (Op::Not, &[a]) => self.negation(a, depth),
            (Op::And | Op::Or, args) => {
                let sign = if self.terms.op(t) == Op::And { " && " } else { " || " };
                let part = |&a: &Term| Some(within(self.truth(a, depth)?, Level::Compare));
                let parts: Option<Vec<String>> = args.iter().map(part).collect();
                Some((parts?.join(sign), Level::Logic))
            }
            (Op::Eq, &[a, b]) => self.comparison(a, Sign::Equal, b, depth),
            (Op::Distinct, &[a, b]) => self.comparison(a, Sign::Unequal, b, depth),
            (Op::BvUle, &[a, b]) => self.comparison(a, Sign::Most(false), b, depth),
            (Op::BvUlt, &[a, b]) => self.comparison(a, Sign::Less(false), b, depth),
            (Op::BvSle, &[a, b]) => self.comparison(a, Sign::Most(true), b, depth),
            (Op::BvSlt, &[a, b]) => self.comparison(a, Sign::Less(true), b, depth),
            _ => None,
        }
    }

    fn negation(&self, a: Term, depth: u32) -> Option<Text> {
        match (self.terms.op(a), self.terms.args(a)) {
            (Op::Eq, &[x, y]) => self.comparison(x, Sign::Unequal, y, depth),
            (Op::BvUle, &[x, y]) => self.comparison(y, Sign::Less(false), x, depth),
            (Op::BvUlt, &[x, y]) => self.comparison(y, Sign::Most(false), x, depth),
            (Op::BvSle, &[x, y]) => self.comparison(y, Sign::Less(true), x, depth),
            (Op::BvSlt, &[x, y]) => self.comparison(y, Sign::Most(true), x, depth),
            _ => Some((format!("!{}", within(self.truth(a, depth)?, Level::Atom)), Level::Atom)),
        }
    }

    fn comparison(&self, a: Term, sign: Sign, b: Term, depth: u32) -> Option<Text> {
        if self.terms.sort(a) == Sort::BOOL {
            let [a, b] = [a, b].map(|t| Some(within(self.truth(t, depth)?, Level::Atom)));
            // Each is 0 or 1.
            return Some((format!("!{} {} !{}", a?, sign.text(), b?), Level::Compare));
        }
        let (a, b) = match sign {
            Sign::Equal | Sign::Unequal => self.narrowed(a, b),
            _ => (a, b),
        };
        let SortKind::BitVec(width) = self.terms.sort_kind(self.terms.sort(a)) else { return None };
        let readings: &[bool] = match sign {
            Sign::Most(signed) | Sign::Less(signed) => &[signed],
            Sign::Equal | Sign::Unequal => &[false, true],
        };
        let exact = readings.iter().filter_map(|&signed| {
            let depth = depth.min(NESTED);
            let sum = self.sum(a, signed, depth)?.plus(&self.sum(b, signed, depth)?, -1)?;
            self.exact(&sum, sign)
        });
        // Of two ways, the one with fewer casts.
        let exact = exact.min_by_key(|text| text.len());
        let modular = || match sign {
            Sign::Equal | Sign::Unequal => self.modular(a, b, width, sign, depth),
            _ => None,
        };
        let plain = || {
            let signed = matches!(sign, Sign::Most(true) | Sign::Less(true));
            let side = |t| Some(within(self.bits(t, Type { bits: width, signed }, depth)?, Level::Sum));
            Some(format!("{} {} {}", side(a)?, sign.text(), side(b)?))
        };
        exact.or_else(modular).or_else(plain).map(|text| (text, Level::Compare))
    }

    /// The sides of an equation without extensions that both have.
    fn narrowed(&self, mut a: Term, mut b: Term) -> (Term, Term) {
        while let (&[x], &[y]) = (self.terms.args(a), self.terms.args(b))
            && let (Op::SignExt(n), Op::SignExt(m)) | (Op::ZeroExt(n), Op::ZeroExt(m)) =
                (self.terms.op(a), self.terms.op(b))
            && n == m
        {
            (a, b) = (x, y);
        }
        (a, b)
    }

    /// A bit-vector as an integer, with a sign or without, if it is a sum that does not wrap around.
    fn sum(&self, t: Term, signed: bool, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        let own = Type { bits: self.terms.bv_width(t)?, signed };
        let args = self.terms.args(t);
        let fits = |sum: &Sum| {
            let (least, most) = own.range();
            own.bits <= 126 && sum.range().is_some_and(|(low, high)| least <= low && high <= most)
        };
        let over = |signed: bool| {
            let mut all = args.iter().map(|&a| self.sum(a, signed, depth));
            match self.terms.op(t) {
                Op::BvAdd => all.try_fold(Sum::default(), |sum, a| sum.plus(&a?, 1)),
                Op::BvMul => all.try_fold(Sum::number(1), |sum, a| sum.times(&a?)),
                Op::BvNeg => Sum::default().plus(&all.next()??, -1),
                _ => None,
            }
        };
        let found = match (self.terms.op(t), args) {
            (Op::BvAdd | Op::BvMul | Op::BvNeg, _) => over(true).filter(fits).or_else(|| over(false).filter(fits)),
            (Op::ZeroExt(_), &[inner]) => self.sum(inner, false, depth),
            (Op::SignExt(_), &[inner]) => self.sum(inner, true, depth),
            _ => match self.terms.term_value(t) {
                Some(Value::BitVec(b)) if own.bits <= 126 => {
                    let text = if signed { b.to_signed().to_string() } else { b.bits().to_string() };
                    text.parse().ok().map(Sum::number)
                }
                _ => None,
            },
        };
        let atom = || {
            // A sum that wraps around is no part of an exact one.
            let computed = matches!(self.terms.op(t), Op::BvAdd | Op::BvMul | Op::BvNeg);
            own.name().filter(|_| own.bits <= 64 && !computed)?;
            // A variable of the other sign is one with a cast.
            let text = self.bits(t, own, depth)?;
            Some(Sum::atom(text, own))
        };
        found.filter(fits).or_else(atom)
    }

    /// A comparison of an integer with 0.
    fn exact(&self, sum: &Sum, mut sign: Sign) -> Option<String> {
        let [mut left, mut right] = sum.sides();
        match sign {
            Sign::Most(s) if left.constant == 1 && !left.parts.is_empty() => {
                (left.constant, sign) = (0, Sign::Less(s));
            }
            Sign::Less(s) if right.constant == 1 && !right.parts.is_empty() => {
                (right.constant, sign) = (0, Sign::Most(s));
            }
            _ => {}
        }
        if self.acsl {
            let side = |sum: &Sum| self.added(sum, None);
            return Some(format!("{} {} {}", side(&left)?, sign.text(), side(&right)?));
        }
        let unsigned = |sum: &Sum| sum.types().any(|t| !t.signed);
        let negative = |sum: &Sum| sum.types().any(|t| t.signed);
        let longest = |sum: &Sum| sum.types().map(|t| t.bits).max().unwrap_or(0);
        let plain = left.is_plain() && right.is_plain();
        // Numbers of one sign are compared as they are, and so is one without a sign with a longer one.
        let alike = match (unsigned(&left) || unsigned(&right), negative(&left) || negative(&right)) {
            (true, true) => {
                let (with, without) = if negative(&left) { (&left, &right) } else { (&right, &left) };
                longest(with) > longest(without)
            }
            _ => true,
        };
        let ty = if plain && alike {
            None
        } else {
            let fits = |sum: &Sum| {
                let (least, most) = Type { bits: 64, signed: true }.range();
                sum.range().is_some_and(|(low, high)| least <= low && high <= most)
            };
            let long = [&left, &right].into_iter().all(|s| fits(s) && !s.types().any(|t| t.bits == 64 && !t.signed));
            Some(Type { bits: if long { 64 } else { 128 }, signed: true })
        };
        let side = |sum: &Sum| self.added(sum, ty.filter(|_| !sum.parts.is_empty()));
        Some(format!("{} {} {}", side(&left)?, sign.text(), side(&right)?))
    }

    /// A sum with positive factors, computed in a type; without one, as it stands.
    fn added(&self, sum: &Sum, ty: Option<Type>) -> Option<String> {
        let mut texts = Vec::new();
        for (atoms, &n) in &sum.parts {
            let mut factors: Vec<String> = Vec::new();
            match ty {
                _ if n == 1 => {}
                Some(Type { bits: 64, signed: true }) => factors.push(format!("{n}LL")),
                Some(ty @ Type { signed: true, .. }) => factors.push(format!("({}){}", ty.name()?, literal(n)?)),
                _ => factors.push(constant(n, ty)?),
            }
            for atom in atoms {
                let is_first = factors.is_empty();
                let text = if atom.level < Level::Product { format!("({})", atom.text) } else { atom.text.clone() };
                // What comes first decides about the rest.
                let cast = ty.filter(|ty| is_first && (texts.is_empty() || atoms.len() > 1) && *ty != atom.ty);
                factors.push(match cast {
                    Some(ty) => format!("({}){text}", ty.name()?),
                    None => text,
                });
            }
            texts.push(factors.join(" * "));
        }
        if sum.constant != 0 || texts.is_empty() {
            texts.push(constant(sum.constant, ty)?);
        }
        Some(texts.join(" + "))
    }

    /// An equation of bit-vectors as one of unsigned numbers, with what is subtracted on the other side.
    fn modular(&self, a: Term, b: Term, width: u32, sign: Sign, depth: u32) -> Option<String> {
        let unsigned = Type { bits: width, signed: false };
        if width != 32 && width != 64 {
            return None;
        }
        let mut sum = self.wrapping(a, depth)?.plus(&self.wrapping(b, depth)?, -1)?;
        let wrap = |n: i128| {
            let n = n.rem_euclid(1 << width);
            if n >= 1 << (width - 1) { n - (1 << width) } else { n }
        };
        sum.constant = wrap(sum.constant);
        sum.parts.values_mut().for_each(|n| *n = wrap(*n));
        sum.parts.retain(|_, n| *n != 0);
        let [left, right] = sum.sides();
        let side = |sum: &Sum| {
            let text = self.added(sum, Some(unsigned).filter(|_| !self.acsl && !sum.parts.is_empty()))?;
            let name = unsigned.name()?;
            Some(if self.acsl && !sum.is_plain() { format!("({name})({text})") } else { text })
        };
        Some(format!("{} {} {}", side(&left)?, sign.text(), side(&right)?))
    }

    /// A bit-vector as a sum modulo its width.
    fn wrapping(&self, t: Term, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        let own = Type { bits: self.terms.bv_width(t)?, signed: false };
        let mut all = self.terms.args(t).iter().map(|&a| self.wrapping(a, depth));
        match self.terms.op(t) {
            Op::BvAdd => all.try_fold(Sum::default(), |sum, a| sum.plus(&a?, 1)),
            Op::BvMul => all.try_fold(Sum::number(1), |sum, a| sum.times(&a?)),
            Op::BvNeg => Sum::default().plus(&all.next()??, -1),
            _ => match self.terms.term_value(t) {
                Some(Value::BitVec(b)) => b.to_signed().to_string().parse().ok().map(Sum::number),
                _ => Some(Sum::atom(self.bits(t, own, depth)?, own)),
            },
        }
    }

    /// A bit-vector operator by operator, as a number of a type of its width.
    fn bits(&self, t: Term, ty: Type, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let name = ty.name().filter(|_| ty.bits <= 64)?;
        if let Some(Value::BitVec(b)) = self.terms.term_value(t) {
            let text = if ty.signed { b.to_signed().to_string() } else { b.bits().to_string() };
            let n: i128 = text.parse().ok()?;
            // A number without a sign is one of an unsigned type, so that all is computed there.
            let suffix = match (ty.signed || self.acsl, ty.bits) {
                (false, 64) => "ULL",
                (false, 32) => "U",
                _ => "",
            };
            let text = if suffix.is_empty() { literal(n)? } else { format!("{n}{suffix}") };
            return Some((text, if n < 0 { Level::Product } else { Level::Atom }));
        }
        let args = self.terms.args(t);
        let cast = |text: String| Some((format!("({name}){text}"), Level::Product));
        let unsigned = Type { signed: false, ..ty };
        // Narrow operands would be promoted to signed ones.
        let computes = ty.bits == 32 || ty.bits == 64;
        let chain = |sign: &str, level: Level, wraps: bool| {
            let place = if level == Level::Sum { Level::Product } else { Level::Atom };
            let part = |&a: &Term| Some(within(self.bits(a, unsigned, depth)?, place));
            let parts: Option<Vec<String>> = args.iter().map(part).collect();
            let text = parts.filter(|_| computes)?.join(sign);
            if ty.signed || wraps && self.acsl { cast(format!("({text})")) } else { Some((text, level)) }
        };
        let extended = |signed: bool| {
            let inner = args.first().copied()?;
            let narrow = Type { bits: self.terms.bv_width(inner)?, signed };
            cast(within(self.bits(inner, narrow, depth)?, Level::Product))
        };
        match (self.terms.op(t), args) {
            (Op::Var(v), _) => {
                let name = (self.name)(v)?;
                if name.signed == Some(ty.signed) { Some((name.text, Level::Atom)) } else { cast(name.text) }
            }
            (Op::BvAdd, _) => chain(" + ", Level::Sum, true),
            (Op::BvMul, _) => chain(" * ", Level::Product, true),
            (Op::BvXor, _) => chain(" ^ ", Level::Logic, false),
            (Op::BvAnd, _) => chain(" & ", Level::Logic, false),
            (Op::BvOr, _) => chain(" | ", Level::Logic, false),
            (Op::ZeroExt(_), _) => extended(false),
            (Op::SignExt(_), _) => extended(true),
            (Op::Extract { lo: 0, .. }, &[a]) => {
                let whole = Type { bits: self.terms.bv_width(a)?, signed: false };
                cast(within(self.bits(a, whole, depth)?, Level::Atom))
            }
            _ => None,
        }
    }
}

/// A number that is computed with in a type.
fn constant(n: i128, ty: Option<Type>) -> Option<String> {
    match ty {
        Some(Type { signed: false, bits }) if n > 0x7fff_ffff => {
            Some(format!("{n}{}", if bits == 64 { "ULL" } else { "U" }))
        }
        _ => literal(n),
    }
}

/// A number as a constant of C; the least one of a type is none.
fn literal(n: i128) -> Option<String> {
    Some(match n {
        -0x7fff_ffff..=0x7fff_ffff => n.to_string(),
        _ if i64::try_from(n).is_ok_and(|n| n > i64::MIN) => format!("{n}LL"),
        _ if u64::try_from(n).is_ok() => format!("{n}ULL"),
        _ if n == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use lariat_term::{Op, Term, Terms};

    use super::formula;
    use crate::formula::Name;

    /// Variables that begin with `u` have no sign, those that begin with `x` no type.
    fn write(t: &Terms, f: Term, acsl: bool) -> Option<String> {
        formula(t, f, acsl, &|v| {
            let text = t.var_name(v).to_owned();
            let signed = (!text.starts_with('x')).then(|| !text.starts_with('u'));
            Some(Name { text, signed })
        })
    }

    #[test]
    fn comparisons_have_the_casts_that_they_need() {
        let mut t = Terms::new();
        let word = t.bv_sort(32);
        let [i, j, u, w, x] = ["i", "j", "u", "u2", "x"].map(|name| t.var(name, word));
        let mut check = |op: Op, a: Term, b: Term, text: &str| {
            let f = t.mk(op, &[a, b]);
            assert_eq!(write(&t, f, false).as_deref(), Some(text));
        };
        check(Op::BvSlt, i, j, "i < j");
        check(Op::BvUle, u, w, "u <= u2");
        check(Op::BvUle, i, u, "(unsigned)i <= u");
        check(Op::BvSle, x, i, "(int)x <= i");
        check(Op::Eq, i, j, "i == j");
        check(Op::Eq, u, i, "i == (int)u");
    }

    #[test]
    fn sums_are_exact_or_wrap_around() {
        let mut t = Terms::new();
        let (word, wide) = (t.bv_sort(32), t.bv_sort(43));
        let [i, u, w] = ["i", "u", "u2"].map(|name| t.var(name, word));
        let (two, minus) = (t.bv(32, 2u8), t.bv(43, (1u64 << 43) - 1));
        let double = t.mk(Op::BvMul, &[u, two]);
        let wraps = t.eq(w, double);
        assert_eq!(write(&t, wraps, false).as_deref(), Some("u2 == 2 * u"));
        assert_eq!(write(&t, wraps, true).as_deref(), Some("u2 == (unsigned)(2 * u)"));
        // 2 * u - u2 - 1 <= 0 in 43 bits.
        assert_eq!(t.sort(minus), wide);
        let [a, b] = [u, w].map(|v| t.mk(Op::ZeroExt(11), &[v]));
        let (two, zero) = (t.bv(43, 2u8), t.bv(43, 0u8));
        let (first, second) = (t.mk(Op::BvMul, &[two, a]), t.mk(Op::BvMul, &[minus, b]));
        let sum = t.mk(Op::BvAdd, &[first, second, minus]);
        let most = t.mk(Op::BvSle, &[sum, zero]);
        assert_eq!(write(&t, most, false).as_deref(), Some("2LL * u <= (long long)u2 + 1"));
        assert_eq!(write(&t, most, true).as_deref(), Some("2 * u <= u2 + 1"));
        // Numbers with a sign and without one.
        let c = t.mk(Op::SignExt(11), &[i]);
        let less = t.mk(Op::BvSlt, &[c, a]);
        assert_eq!(write(&t, less, false).as_deref(), Some("(long long)i < (long long)u"));
        let product = t.mk(Op::BvMul, &[a, c]);
        let unknown = t.mk(Op::BvSlt, &[product, b]);
        assert_eq!(write(&t, unknown, false), None, "the product may wrap around in 43 bits");
    }
}

//! Formulas in the language of the source, exactly: what cannot be written so that it means the same is not written.
//!
//! Boogie has the operators of numbers and truth values, and reads of maps with one index. In C, a bit-vector is an unsigned number of a type of its width,
//! with a cast where an operator takes it to be signed; widths beyond 64 come from proofs over integers, do not overflow, and are `__int128`.

use lariat_term::{Op, Sort, SortKind, Term, Terms, Value, Var};

/// How deep a formula may be.
const DEPTH: u32 = 24;
/// How long its text may become.
const LENGTH: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Boogie,
    C,
}

/// The text of a formula; `None` if it cannot be written, or would be too large to be read.
pub fn formula(terms: &Terms, t: Term, language: Language, name: &dyn Fn(Var) -> Option<String>) -> Option<String> {
    let writer = Writer { terms, language, name };
    writer.truth(t, DEPTH).map(|text| text.0).filter(|text| text.len() <= LENGTH)
}

/// How tightly an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Logic,
    Compare,
    Sum,
    Product,
    Atom,
}

type Text = (String, Level);

struct Writer<'a> {
    terms: &'a Terms,
    language: Language,
    name: &'a dyn Fn(Var) -> Option<String>,
}

fn within(text: Text, place: Level) -> String {
    if text.1 < place { format!("({})", text.0) } else { text.0 }
}

impl Writer<'_> {
    fn is_c(&self) -> bool {
        self.language == Language::C
    }

    /// A truth value.
    fn truth(&self, t: Term, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let args = self.terms.args(t);
        match (self.terms.op(t), args) {
            (Op::True, _) => Some((if self.is_c() { "1" } else { "true" }.into(), Level::Atom)),
            (Op::False, _) => Some((if self.is_c() { "0" } else { "false" }.into(), Level::Atom)),
            (Op::Var(v), _) if !self.is_c() => Some(((self.name)(v)?, Level::Atom)),
            (Op::Select, &[map, index]) if !self.is_c() => self.read(map, index, depth),
            (Op::Not, &[a]) => self.negation(a, depth),
            (Op::And | Op::Or, args) => {
                let sign = if self.terms.op(t) == Op::And { " && " } else { " || " };
                let parts: Option<Vec<String>> =
                    args.iter().map(|&a| Some(within(self.truth(a, depth)?, Level::Compare))).collect();
                Some((parts?.join(sign), Level::Logic))
            }
            (Op::Eq, &[a, b]) => self.comparison(a, "==", b, false, depth),
            (Op::Distinct, &[a, b]) => self.comparison(a, "!=", b, false, depth),
            (Op::Le, &[a, b]) if !self.is_c() => self.comparison(a, "<=", b, false, depth),
            (Op::Lt, &[a, b]) if !self.is_c() => self.comparison(a, "<", b, false, depth),
            (Op::BvUle, &[a, b]) => self.comparison(a, "<=", b, false, depth),
            (Op::BvUlt, &[a, b]) => self.comparison(a, "<", b, false, depth),
            (Op::BvSle, &[a, b]) => self.comparison(a, "<=", b, true, depth),
            (Op::BvSlt, &[a, b]) => self.comparison(a, "<", b, true, depth),
            _ => None,
        }
    }

    fn negation(&self, a: Term, depth: u32) -> Option<Text> {
        match (self.terms.op(a), self.terms.args(a)) {
            (Op::Eq, &[x, y]) => self.comparison(x, "!=", y, false, depth),
            (Op::Le, &[x, y]) if !self.is_c() => self.comparison(y, "<", x, false, depth),
            (Op::Lt, &[x, y]) if !self.is_c() => self.comparison(y, "<=", x, false, depth),
            (Op::BvUle, &[x, y]) => self.comparison(y, "<", x, false, depth),
            (Op::BvUlt, &[x, y]) => self.comparison(y, "<=", x, false, depth),
            (Op::BvSle, &[x, y]) => self.comparison(y, "<", x, true, depth),
            (Op::BvSlt, &[x, y]) => self.comparison(y, "<=", x, true, depth),
            _ => Some((format!("!{}", within(self.truth(a, depth)?, Level::Atom)), Level::Atom)),
        }
    }

    fn comparison(&self, a: Term, sign: &str, b: Term, signed: bool, depth: u32) -> Option<Text> {
        if self.terms.sort(a) == Sort::BOOL {
            let [a, b] = [a, b].map(|t| self.truth(t, depth));
            let (a, b) = (a?, b?);
            return Some(match self.is_c() {
                // Each is 0 or 1.
                true => (format!("!{} {sign} !{}", within(a, Level::Atom), within(b, Level::Atom)), Level::Compare),
                false => (format!("({}) {sign} ({})", a.0, b.0), Level::Compare),
            });
        }
        if let (false, SortKind::Int) = (self.is_c(), self.terms.sort_kind(self.terms.sort(a))) {
            let [left, right] = self.sides(a, b, depth)?;
            return Some((format!("{left} {sign} {right}"), Level::Compare));
        }
        let [a, b] = [a, b].map(|t| self.number(t, signed, depth).map(|text| within(text, Level::Sum)));
        Some((format!("{} {sign} {}", a?, b?), Level::Compare))
    }

    /// Two sums of integers that are compared, with what is subtracted on one side added on the other.
    fn sides(&self, a: Term, b: Term, depth: u32) -> Option<[String; 2]> {
        let mut sides: [Vec<String>; 2] = Default::default();
        for (own, t) in [a, b].into_iter().enumerate() {
            let summands = if self.terms.op(t) == Op::Add { self.terms.args(t).to_vec() } else { vec![t] };
            for t in summands {
                let text = self.integer(t, depth)?;
                match (text.0.strip_prefix("(-").or(text.0.strip_prefix('-')), self.terms.op(t)) {
                    // A product begins with its number.
                    (Some(rest), Op::Mul) => {
                        let rest = rest.replacen(") * ", " * ", 1);
                        sides[1 - own].push(rest.strip_prefix("1 * ").unwrap_or(&rest).to_owned());
                    }
                    (Some(rest), _) if self.terms.is_value(t) => sides[1 - own].push(rest.to_owned()),
                    _ if text.0 == "0" => {}
                    _ => sides[own].push(within(text, Level::Product)),
                }
            }
        }
        Some(sides.map(|side| if side.is_empty() { "0".to_owned() } else { side.join(" + ") }))
    }

    /// A number; in C, one of the signed or unsigned type of its width.
    fn number(&self, t: Term, signed: bool, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        match self.terms.sort_kind(self.terms.sort(t)) {
            SortKind::BitVec(width) if self.is_c() => self.bits(t, width, signed, depth),
            SortKind::Int | SortKind::Real if !self.is_c() => self.integer(t, depth),
            _ => None,
        }
    }

    /// What a map that has a name has at an index.
    fn read(&self, map: Term, index: Term, depth: u32) -> Option<Text> {
        let map = (self.name)(self.terms.as_var(map)?)?;
        let index = self.number(index, false, depth)?.0;
        Some((format!("{map}[{index}]"), Level::Atom))
    }

    /// An integer or a real number.
    fn integer(&self, t: Term, depth: u32) -> Option<Text> {
        if let Some(Value::Real(r)) = self.terms.term_value(t) {
            let (above, below) = (r.numerator().to_string(), r.denominator().to_string());
            return Some(match &below[..] {
                "1" if above.starts_with('-') => (format!("{above}.0"), Level::Product),
                "1" => (format!("{above}.0"), Level::Atom),
                _ => (format!("({above}.0 / {below}.0)"), Level::Atom),
            });
        }
        if let Some(Value::Int(n)) = self.terms.term_value(t) {
            let text = n.to_string();
            let level = if text.starts_with('-') { Level::Product } else { Level::Atom };
            return Some((text, level));
        }
        let args = self.terms.args(t);
        let part = |t: Term, place: Level| self.integer(t, depth.checked_sub(1)?).map(|text| within(text, place));
        let chain = |sign: &str, level: Level| {
            let place = if level == Level::Sum { Level::Product } else { Level::Atom };
            let parts: Option<Vec<String>> = args.iter().map(|&a| part(a, place)).collect();
            Some((parts?.join(sign), level))
        };
        match (self.terms.op(t), args) {
            (Op::Var(v), _) => Some(((self.name)(v)?, Level::Atom)),
            (Op::Select, &[map, index]) => self.read(map, index, depth),
            (Op::Add, _) => chain(" + ", Level::Sum),
            (Op::RealDiv, _) => chain(" / ", Level::Product),
            (Op::Mul, _) => chain(" * ", Level::Product),
            (Op::IntDiv, _) => chain(" div ", Level::Product),
            (Op::IntMod, _) => chain(" mod ", Level::Product),
            (Op::Ite, &[c, a, b]) => {
                let c = self.truth(c, depth)?.0;
                Some((format!("(if {c} then {} else {})", part(a, Level::Sum)?, part(b, Level::Sum)?), Level::Atom))
            }
            _ => None,
        }
    }

    fn bits(&self, t: Term, width: u32, signed: bool, depth: u32) -> Option<Text> {
        let ty = type_name(width, signed)?;
        if let Some(Value::BitVec(b)) = self.terms.term_value(t) {
            let text = if signed || width > 64 { b.to_signed().to_string() } else { b.bits().to_string() };
            // The smallest number of a type is no constant of it, and larger ones than of 64 bits are none.
            let fits = text.trim_start_matches('-').len() < 19;
            let suffix = match (signed, width) {
                (_, 65..) => "",
                (true, 64) => "LL",
                (false, 64) => "ULL",
                (false, 32) => "U",
                _ => "",
            };
            let level = if text.starts_with('-') { Level::Product } else { Level::Atom };
            return (fits && text != "-2147483648").then(|| (format!("{text}{suffix}"), level));
        }
        let args = self.terms.args(t);
        let cast = |text: String| Some((format!("({ty}){text}"), Level::Product));
        let wide = width > 64;
        // Narrow operands would be promoted to signed ones.
        let computes = wide || width == 32 || width == 64;
        let chain = |sign: &str, level: Level| {
            let place = if level == Level::Sum { Level::Product } else { Level::Atom };
            let part = |&a: &Term| Some(within(self.bits(a, width, false, depth.checked_sub(1)?)?, place));
            let parts: Option<Vec<String>> = args.iter().map(part).collect();
            let text = parts.filter(|_| computes)?.join(sign);
            if signed && !wide { cast(format!("({text})")) } else { Some((text, level)) }
        };
        let extended = |signed: bool| {
            let inner = args.first().copied()?;
            let narrow = self.terms.bv_width(inner)?;
            cast(within(self.bits(inner, narrow, signed, depth.checked_sub(1)?)?, Level::Product))
        };
        match (self.terms.op(t), args) {
            (Op::Var(v), _) => cast((self.name)(v)?),
            (Op::BvAdd, _) => chain(" + ", Level::Sum),
            (Op::BvMul, _) => chain(" * ", Level::Product),
            (Op::BvXor, _) if !wide => chain(" ^ ", Level::Logic),
            (Op::BvAnd, _) if !wide => chain(" & ", Level::Logic),
            (Op::BvOr, _) if !wide => chain(" | ", Level::Logic),
            (Op::ZeroExt(_), _) => extended(false),
            (Op::SignExt(_), _) => extended(true),
            (Op::Extract { lo: 0, .. }, &[a]) => {
                let whole = self.bits(a, self.terms.bv_width(a)?, false, depth.checked_sub(1)?)?;
                cast(within(whole, Level::Atom))
            }
            _ => None,
        }
    }
}

/// The type of C for numbers of a width.
fn type_name(width: u32, signed: bool) -> Option<&'static str> {
    Some(match (width, signed) {
        (8, false) => "unsigned char",
        (8, true) => "signed char",
        (16, false) => "unsigned short",
        (16, true) => "short",
        (32, false) => "unsigned",
        (32, true) => "int",
        (64, false) => "unsigned long long",
        (64, true) => "long long",
        (65..=128, _) => "__int128",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use lariat_term::{Op, Sort, Terms};

    use super::{Language, formula};

    #[test]
    fn formulas_are_written_in_the_language() {
        let mut t = Terms::new();
        let (x, y, minus) = (t.var("x", Sort::INT), t.var("y", Sort::INT), t.int(-2));
        let (product, three) = (t.mk(Op::Mul, &[minus, y]), t.int(3));
        let sum = t.add(&[x, product]);
        let (le, less) = (t.le(sum, three), t.lt(x, y));
        let either = t.or(&[le, less]);
        let not = t.not(either);
        let write = |t: &Terms, f, language| formula(t, f, language, &|v| Some(t.var_name(v).to_owned()));
        assert_eq!(write(&t, le, Language::Boogie).as_deref(), Some("x <= 2 * y + 3"));
        for f in [either, not] {
            let text = write(&t, f, Language::Boogie).expect("can be written");
            assert!(text.contains("x") && !text.contains('…'), "{text}");
        }
        let word = t.bv_sort(32);
        let (a, b) = (t.var("a", word), t.var("b", word));
        let below = t.mk(Op::BvUle, &[a, b]);
        let signed = t.mk(Op::BvSlt, &[a, b]);
        assert_eq!(write(&t, below, Language::C).as_deref(), Some("(unsigned)a <= (unsigned)b"));
        assert_eq!(write(&t, signed, Language::C).as_deref(), Some("(int)a < (int)b"));
        let reals = t.array_sort(Sort::INT, Sort::REAL);
        let (m, half) = (t.var("m", reals), t.real(dashu_ratio::RBig::from_parts((-1).into(), 2u8.into())));
        let read = t.select(m, x);
        let above = t.lt(half, read);
        assert_eq!(write(&t, above, Language::Boogie).as_deref(), Some("(-1.0 / 2.0) < m[x]"));
        // Truth values are no numbers in Boogie, nor are integers bit-vectors in C.
        assert_eq!(write(&t, below, Language::Boogie), None);
        assert_eq!(write(&t, le, Language::C), None);
    }
}

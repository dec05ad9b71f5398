//! Formulas of Boogie: the operators of numbers and truth values, quantifiers, reads of maps, and comparisons of bit-vectors by the functions
//! that the program has for them.

use lariat_term::{Binder, Op, Sort, SortKind, Term, Terms, Value};

use super::{DEPTH, Declared, Level, Names, Text, within};

pub(super) fn formula(terms: &Terms, t: Term, name: Names<'_>, declared: &Declared) -> Option<String> {
    let taken = terms.free_vars(&[t]).into_iter().filter_map(|v| Some(name(v)?.text)).collect();
    Writer { terms, name, declared, taken, bound: Vec::new() }.truth(t, DEPTH).map(|text| text.0)
}

struct Writer<'a> {
    terms: &'a Terms,
    name: Names<'a>,
    declared: &'a Declared,
    /// The names in the formula.
    taken: Vec<String>,
    /// Those of bound variables, the innermost last.
    bound: Vec<String>,
}

impl Writer<'_> {
    fn named(&self, v: lariat_term::Var) -> Option<String> {
        Some((self.name)(v)?.text)
    }

    /// A truth value.
    fn truth(&self, t: Term, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let args = self.terms.args(t);
        match (self.terms.op(t), args) {
            (Op::True, _) => Some(("true".into(), Level::Atom)),
            (Op::False, _) => Some(("false".into(), Level::Atom)),
            (Op::Var(v), _) => Some((self.named(v)?, Level::Atom)),
            (Op::Bound(index, _), _) => self.bound(index),
            (Op::Select, _) => self.read(t, depth),
            (Op::Not, &[a]) => self.negation(a, depth),
            (Op::Forall(b), &[body, ..]) => self.quantified("forall", self.terms.binder(b), body, depth),
            (Op::Exists(b), &[body, ..]) => self.quantified("exists", self.terms.binder(b), body, depth),
            (Op::And | Op::Or, args) => {
                let sign = if self.terms.op(t) == Op::And { " && " } else { " || " };
                let parts: Option<Vec<String>> =
                    args.iter().map(|&a| Some(within(self.truth(a, depth)?, Level::Compare))).collect();
                Some((parts?.join(sign), Level::Logic))
            }
            (Op::Eq, &[a, b]) => self.comparison(a, "==", b, depth),
            (Op::Distinct, &[a, b]) => self.comparison(a, "!=", b, depth),
            (Op::Le, &[a, b]) => self.comparison(a, "<=", b, depth),
            (Op::Lt, &[a, b]) => self.comparison(a, "<", b, depth),
            (Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt, &[a, b]) => self.order(self.terms.op(t), a, b, depth),
            _ => None,
        }
    }

    /// The order of two bit-vectors, by one of the four functions that can say it.
    fn order(&self, op: Op, a: Term, b: Term, depth: u32) -> Option<Text> {
        let width = self.terms.bv_width(a)?;
        // With the first name the order is said as it is, with the second turned around, with the others of the opposite.
        let names = match op {
            Op::BvSle => ["bvsle", "bvsge", "bvsgt", "bvslt"],
            Op::BvSlt => ["bvslt", "bvsgt", "bvsge", "bvsle"],
            Op::BvUle => ["bvule", "bvuge", "bvugt", "bvult"],
            _ => ["bvult", "bvugt", "bvuge", "bvule"],
        };
        let known = |i: usize| Some((i, self.declared.function(names[i], width)?));
        let (way, function) = (0..4).find_map(known)?;
        let [a, b] = [a, b].map(|t| self.number(t, depth).map(|text| text.0));
        let (a, b) = if way == 1 || way == 3 { (b?, a?) } else { (a?, b?) };
        let not = if way > 1 { "!" } else { "" };
        Some((format!("{not}{function}({a}, {b})"), Level::Atom))
    }

    fn quantified(&self, word: &str, binder: &Binder, body: Term, depth: u32) -> Option<Text> {
        let (mut taken, mut bound) = (self.taken.clone(), self.bound.clone());
        let mut list = Vec::new();
        for &(_, sort) in &binder.vars {
            let sort = match self.terms.sort_kind(sort) {
                SortKind::Int => "int".to_owned(),
                SortKind::Real => "real".to_owned(),
                SortKind::Bool => "bool".to_owned(),
                SortKind::BitVec(width) => format!("bv{width}"),
                _ => return None,
            };
            let letters = ["k", "l", "m"].map(str::to_owned).into_iter();
            let name = letters.chain((1..).map(|n| format!("k{n}"))).find(|name| !taken.contains(name))?;
            list.push(format!("{name}: {sort}"));
            taken.push(name.clone());
            bound.push(name);
        }
        let inner = Writer { taken, bound, ..*self };
        let (body, _) = inner.truth(body, depth)?;
        Some((format!("({word} {} :: {body})", list.join(", ")), Level::Atom))
    }

    fn bound(&self, index: u32) -> Option<Text> {
        let at = self.bound.len().checked_sub(1)?.checked_sub(index as usize)?;
        Some((self.bound.get(at)?.clone(), Level::Atom))
    }

    fn negation(&self, a: Term, depth: u32) -> Option<Text> {
        match (self.terms.op(a), self.terms.args(a)) {
            (Op::Eq, &[x, y]) => self.comparison(x, "!=", y, depth),
            (Op::Le, &[x, y]) => self.comparison(y, "<", x, depth),
            (Op::Lt, &[x, y]) => self.comparison(y, "<=", x, depth),
            _ => Some((format!("!{}", within(self.truth(a, depth)?, Level::Atom)), Level::Atom)),
        }
    }

    fn comparison(&self, a: Term, sign: &str, b: Term, depth: u32) -> Option<Text> {
        if self.terms.sort(a) == Sort::BOOL {
            let [a, b] = [a, b].map(|t| self.truth(t, depth));
            let (a, b) = (a?, b?);
            return Some((format!("({}) {sign} ({})", a.0, b.0), Level::Compare));
        }
        if self.terms.sort(a) == Sort::INT {
            let [left, right] = self.sides(a, b, depth)?;
            return Some((format!("{left} {sign} {right}"), Level::Compare));
        }
        let [a, b] = [a, b].map(|t| self.number(t, depth).map(|text| within(text, Level::Sum)));
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

    /// A number.
    fn number(&self, t: Term, depth: u32) -> Option<Text> {
        match self.terms.sort_kind(self.terms.sort(t)) {
            SortKind::Int | SortKind::Real | SortKind::BitVec(_) => self.integer(t, depth.checked_sub(1)?),
            _ => None,
        }
    }

    /// What a map that has a name has at one or more indices.
    fn read(&self, mut t: Term, depth: u32) -> Option<Text> {
        let mut indices = Vec::new();
        while let (Op::Select, &[map, index]) = (self.terms.op(t), self.terms.args(t)) {
            indices.push(self.number(index, depth)?.0);
            t = map;
        }
        let map = self.named(self.terms.as_var(t)?)?;
        // A map of several indices is one of maps, and looks the same here.
        let at_once = self.declared.indices(&map).or((indices.len() == 1).then_some(1))?;
        indices.reverse();
        let mut chunks = indices.chunks_exact(at_once);
        let reads: String = chunks.by_ref().map(|indices| format!("[{}]", indices.join(", "))).collect();
        chunks.remainder().is_empty().then(|| (format!("{map}{reads}"), Level::Atom))
    }

    /// An integer or a real number, or the name or the digits of a bit-vector.
    fn integer(&self, t: Term, depth: u32) -> Option<Text> {
        if let Some(Value::BitVec(bits)) = self.terms.term_value(t) {
            return Some((format!("{}bv{}", bits.bits(), bits.width()), Level::Atom));
        }
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
            (Op::Var(v), _) => Some((self.named(v)?, Level::Atom)),
            (Op::Bound(index, _), _) => self.bound(index),
            (Op::Select, _) => self.read(t, depth),
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
}

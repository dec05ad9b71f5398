//! Terms as expressions that a reader of the source understands.

use lariat_term::{Func, Op, Sort, Term, Terms, Value, Var};

/// How deep a term is shown.
const DEPTH: u32 = 40;

/// How many parts of a term are shown: shared parts are shown again and again.
const PARTS: u32 = 400;

/// How tightly an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implies,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

/// A term with these names for its variables, in infix notation. What is too large ends in `…`.
pub fn infix(terms: &Terms, t: Term, name: &dyn Fn(Var) -> String) -> String {
    Printer { terms, name, left: PARTS }.show(t, Level::Implies, DEPTH)
}

struct Printer<'a> {
    terms: &'a Terms,
    name: &'a dyn Fn(Var) -> String,
    left: u32,
}

impl Printer<'_> {
    /// A term where an expression of this level may stand.
    fn show(&mut self, t: Term, place: Level, depth: u32) -> String {
        if depth == 0 || self.left == 0 {
            return "…".into();
        }
        self.left -= 1;
        let (text, level) = self.expression(t, depth - 1);
        if level < place { format!("({text})") } else { text }
    }

    /// The text of a term, and its level. Recursive up to `depth`.
    fn expression(&mut self, t: Term, depth: u32) -> (String, Level) {
        if let Some(value) = self.terms.term_value(t) {
            return self.value(&value);
        }
        let args = self.terms.args(t).to_vec();
        match (self.terms.op(t), &args[..]) {
            (Op::Var(v), _) => ((self.name)(v), Level::Atom),
            (Op::App(f), []) => (self.function(f), Level::Atom),
            (Op::App(f), args) => {
                let name = self.function(f);
                self.call(&name, args, depth)
            }
            (Op::Not, &[a]) => self.negation(a, depth),
            (Op::And, args) => self.chain(args, " && ", Level::And, depth),
            (Op::Or, args) => self.disjunction(args, depth),
            (Op::Eq, &[a, b]) => {
                let sign = if self.terms.sort(a) == Sort::BOOL { " <==> " } else { " == " };
                self.pair(a, sign, b, Level::Compare, depth)
            }
            (Op::Distinct, &[a, b]) => self.pair(a, " != ", b, Level::Compare, depth),
            (Op::Le | Op::BvSle | Op::FpLe, &[a, b]) => self.pair(a, " <= ", b, Level::Compare, depth),
            (Op::Lt | Op::BvSlt | Op::FpLt, &[a, b]) => self.pair(a, " < ", b, Level::Compare, depth),
            (Op::BvUle, &[a, b]) => self.pair(a, " <=u ", b, Level::Compare, depth),
            (Op::BvUlt, &[a, b]) => self.pair(a, " <u ", b, Level::Compare, depth),
            (Op::FpEq, &[a, b]) => self.pair(a, " == ", b, Level::Compare, depth),
            (Op::Ite, &[c, a, b]) => {
                let [c, a, b] = [c, a, b].map(|x| self.show(x, Level::Implies, depth));
                (format!("(if {c} then {a} else {b})"), Level::Atom)
            }
            (Op::Add | Op::BvAdd, args) => self.sum(args, depth),
            (Op::Mul | Op::BvMul, args) => self.product(args, depth),
            (Op::IntDiv, &[a, b]) => self.pair(a, " div ", b, Level::Product, depth),
            (Op::IntMod, &[a, b]) => self.pair(a, " mod ", b, Level::Product, depth),
            (Op::RealDiv | Op::BvSdiv, &[a, b]) => self.pair(a, " / ", b, Level::Product, depth),
            (Op::BvSrem, &[a, b]) => self.pair(a, " % ", b, Level::Product, depth),
            (Op::BvNeg, &[a]) => (format!("-{}", self.show(a, Level::Atom, depth)), Level::Atom),
            (Op::Select, &[a, i]) => {
                let (a, i) = (self.show(a, Level::Atom, depth), self.show(i, Level::Implies, depth));
                (format!("{a}[{i}]"), Level::Atom)
            }
            (Op::Store, &[a, i, v]) => {
                let a = self.show(a, Level::Atom, depth);
                let [i, v] = [i, v].map(|x| self.show(x, Level::Implies, depth));
                (format!("{a}[{i} := {v}]"), Level::Atom)
            }
            (Op::Extract { hi, lo }, &[a]) => (format!("{}[{hi}:{lo}]", self.show(a, Level::Atom, depth)), Level::Atom),
            (Op::Bound(i, _), _) => (format!("bound{i}"), Level::Atom),
            (op, args) => {
                let name = format!("{op:?}");
                let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
                self.call(&name, args, depth)
            }
        }
    }

    fn function(&self, f: Func) -> String {
        self.terms.name(self.terms.func_decl(f).name).to_owned()
    }

    fn value(&self, value: &Value) -> (String, Level) {
        let text = match value {
            // As a C program would have it.
            Value::BitVec(b) => b.to_signed().to_string(),
            Value::Int(n) => n.to_string(),
            _ => value.display(self.terms).to_string(),
        };
        (text, Level::Atom)
    }

    fn call(&mut self, name: &str, args: &[Term], depth: u32) -> (String, Level) {
        let args: Vec<String> = args.iter().map(|&a| self.show(a, Level::Implies, depth)).collect();
        (format!("{name}({})", args.join(", ")), Level::Atom)
    }

    fn pair(&mut self, a: Term, sign: &str, b: Term, level: Level, depth: u32) -> (String, Level) {
        let (a, b) = (self.show(a, above(level), depth), self.show(b, above(level), depth));
        (format!("{a}{sign}{b}"), level)
    }

    fn chain(&mut self, args: &[Term], sign: &str, level: Level, depth: u32) -> (String, Level) {
        let args: Vec<String> = args.iter().map(|&a| self.show(a, above(level), depth)).collect();
        (args.join(sign), level)
    }

    fn negation(&mut self, a: Term, depth: u32) -> (String, Level) {
        let args = self.terms.args(a).to_vec();
        let opposite = match (self.terms.op(a), &args[..]) {
            (Op::Eq, &[x, y]) => Some((x, " != ", y)),
            (Op::Le | Op::BvSle, &[x, y]) => Some((y, " < ", x)),
            (Op::Lt | Op::BvSlt, &[x, y]) => Some((y, " <= ", x)),
            (Op::BvUle, &[x, y]) => Some((y, " <u ", x)),
            (Op::BvUlt, &[x, y]) => Some((y, " <=u ", x)),
            _ => None,
        };
        match opposite {
            Some((x, sign, y)) => self.pair(x, sign, y, Level::Compare, depth),
            None => (format!("!{}", self.show(a, Level::Atom, depth)), Level::Atom),
        }
    }

    /// A disjunction with negated parts, or with an equation, is an implication.
    fn disjunction(&mut self, args: &[Term], depth: u32) -> (String, Level) {
        let is = |t: Term, op: Op| self.terms.op(t) == op;
        let negated = args.iter().filter(|&&t| is(t, Op::Not)).count();
        let last = args.last().copied();
        let is_then = |t: Term| match negated {
            0 => is(t, Op::Eq),
            n if n == args.len() => Some(t) == last,
            _ => !is(t, Op::Not),
        };
        let (thens, ifs): (Vec<Term>, Vec<Term>) = args.iter().copied().partition(|&t| is_then(t));
        if ifs.is_empty() || thens.is_empty() {
            return self.chain(args, " || ", Level::Or, depth);
        }
        let place = if ifs.len() == 1 { Level::Or } else { Level::Compare };
        let ifs: Vec<String> = ifs.into_iter().map(|t| self.opposite(t, place, depth)).collect();
        let place = if thens.len() == 1 { Level::Or } else { Level::And };
        let thens: Vec<String> = thens.into_iter().map(|t| self.show(t, place, depth)).collect();
        (format!("{} ==> {}", ifs.join(" && "), thens.join(" || ")), Level::Implies)
    }

    /// The negation of a term where an expression of this level may stand.
    fn opposite(&mut self, t: Term, place: Level, depth: u32) -> String {
        if self.terms.op(t) == Op::Not {
            return self.show(self.terms.args(t)[0], place, depth);
        }
        let (text, level) = self.negation(t, depth);
        if level < place { format!("({text})") } else { text }
    }

    fn product(&mut self, args: &[Term], depth: u32) -> (String, Level) {
        let (text, level) = self.chain(args, " * ", Level::Product, depth);
        match text.strip_prefix("-1 * ") {
            Some(rest) => (format!("-{rest}"), level),
            None => (text, level),
        }
    }

    /// A sum; what is multiplied by a negative number is subtracted.
    fn sum(&mut self, args: &[Term], depth: u32) -> (String, Level) {
        let parts: Vec<String> = args.iter().map(|&a| self.show(a, Level::Product, depth)).collect();
        let mut out = String::new();
        for (i, part) in parts.iter().enumerate() {
            match part.strip_prefix('-') {
                Some(rest) if i > 0 => out.push_str(&format!(" - {rest}")),
                _ if i > 0 => out.push_str(&format!(" + {part}")),
                _ => out.push_str(part),
            }
        }
        (out, Level::Sum)
    }
}

fn above(level: Level) -> Level {
    match level {
        Level::Implies => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Compare,
        Level::Compare => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product | Level::Atom => Level::Atom,
    }
}

#[cfg(test)]
mod tests {
    use lariat_term::{Op, Sort, Terms};

    use super::infix;

    #[test]
    fn expressions_read_as_in_a_program() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let (b, zero, three) = (t.var("b", Sort::BOOL), t.int(0), t.int(3));
        let ints = t.array_sort(Sort::INT, Sort::INT);
        let m = t.var("m", ints);
        let (sum, difference) = (t.add(&[x, three]), t.sub(x, y));
        let (less, equal, different) = (t.lt(x, y), t.eq(y, zero), t.ne(x, y));
        let both = t.and(&[b, different]);
        let (read, written) = (t.select(m, x), t.store(m, x, sum));
        let choice = t.ite(b, x, zero);
        let implied = t.implies(less, equal);
        let named = t.implies(both, equal);
        let not_both = t.not(both);
        let (c, not_b) = (t.var("c", Sort::BOOL), t.not(b));
        let not_c = t.not(c);
        let neither = t.or(&[not_b, not_c]);
        let product = t.mk(Op::Mul, &[sum, y]);
        let cases = [
            (sum, "3 + x"),
            (difference, "x - y"),
            (product, "y * (3 + x)"),
            (read, "m[x]"),
            (written, "m[x := 3 + x]"),
            (choice, "(if b then x else 0)"),
            (named, "b && x != y ==> y == 0"),
            (implied, "x < y ==> y == 0"),
            (not_both, "!(b && x != y)"),
            (neither, "b ==> !c"),
        ];
        for (term, expected) in cases {
            let text = infix(&t, term, &|v| t.var_name(v).to_owned());
            // Commutative operators have no order of their own.
            let sorted = |s: &str| {
                let mut words: Vec<String> = s.split_whitespace().map(Into::into).collect();
                words.sort();
                words.join(" ")
            };
            assert_eq!(sorted(&text), sorted(expected), "{text}");
        }
    }

    #[test]
    fn what_is_too_large_is_cut() {
        let mut t = Terms::new();
        let mut x = t.var("x", Sort::INT);
        for i in 0..10_000 {
            let index = t.int(i);
            let (twice, other) = (t.mk(Op::Mul, &[x, x]), t.add(&[x, index]));
            x = t.add(&[twice, other]);
        }
        let text = infix(&t, x, &|v| t.var_name(v).to_owned());
        assert!(text.contains('…') && text.len() < 10_000, "{}", text.len());
    }
}

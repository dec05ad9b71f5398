//! Formulas in the language of the source, exactly: what cannot be written so that it means the same is not written.

mod boogie;
mod c;
mod declared;

pub use declared::Declared;

use lariat_term::{Term, Terms, Var};

/// How deep a formula may be.
const DEPTH: u32 = 24;
/// How long its text may become.
const LENGTH: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Boogie,
    C,
    /// C in annotations, where arithmetic is that of integers.
    Acsl,
}

/// What a variable is in the source.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    /// For a variable of an integer type of C: whether that has a sign.
    pub signed: Option<bool>,
}

/// Names of variables; those that the source has no name for have none.
pub type Names<'a> = &'a dyn Fn(Var) -> Option<Name>;

/// The text of a formula; `None` if it cannot be written, or would be too large to be read.
pub fn formula(terms: &Terms, t: Term, language: Language, name: Names<'_>, declared: &Declared) -> Option<String> {
    let text = match language {
        Language::Boogie => boogie::formula(terms, t, name, declared),
        Language::C | Language::Acsl => c::formula(terms, t, language == Language::Acsl, name),
    };
    text.filter(|text| text.len() <= LENGTH)
}

/// How tightly an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Logic,
    Compare,
    Sum,
    Product,
    Atom,
}

type Text = (String, Level);

fn within(text: Text, place: Level) -> String {
    if text.1 < place { format!("({})", text.0) } else { text.0 }
}

#[cfg(test)]
mod tests {
    use lariat_term::{Op, Sort, Terms};

    use super::{Declared, Language, Name, formula};

    #[test]
    fn formulas_are_written_in_the_language() {
        let mut t = Terms::new();
        let source = "function {:bvbuiltin \"bvule\"} LE(x: bv32, y: bv32) returns (bool); var g, grid: [int, int]int;";
        let declared = Declared::read(source, Language::Boogie);
        let (x, y, minus) = (t.var("x", Sort::INT), t.var("y", Sort::INT), t.int(-2));
        let (product, three) = (t.mk(Op::Mul, &[minus, y]), t.int(3));
        let sum = t.add(&[x, product]);
        let (le, less) = (t.le(sum, three), t.lt(x, y));
        let either = t.or(&[le, less]);
        let not = t.not(either);
        let write = |t: &Terms, f, language| {
            let name = |v| Some(Name { text: t.var_name(v).to_owned(), signed: None });
            formula(t, f, language, &name, &declared)
        };
        assert_eq!(write(&t, le, Language::Boogie).as_deref(), Some("x <= 2 * y + 3"));
        for f in [either, not] {
            let text = write(&t, f, Language::Boogie).expect("can be written");
            assert!(text.contains("x") && !text.contains('…'), "{text}");
        }
        let word = t.bv_sort(32);
        let (a, b) = (t.var("a", word), t.var("b", word));
        let below = t.mk(Op::BvUle, &[a, b]);
        let reals = t.array_sort(Sort::INT, Sort::REAL);
        let (m, half) = (t.var("m", reals), t.real(dashu_ratio::RBig::from_parts((-1).into(), 2u8.into())));
        let read = t.select(m, x);
        let above = t.lt(half, read);
        assert_eq!(write(&t, above, Language::Boogie).as_deref(), Some("(-1.0 / 2.0) < m[x]"));
        let five = t.bv(32, 5u32);
        let equal = t.eq(a, five);
        let other = t.not(equal);
        for f in [equal, other] {
            let text = write(&t, f, Language::Boogie).expect("can be written");
            assert!(text.contains("5bv32") && text.contains('a'), "{text}");
        }
        // Operators of bit-vectors have the names that the program gives them.
        assert_eq!(write(&t, below, Language::Boogie).as_deref(), Some("LE(a, b)"));
        let above = t.mk(Op::BvUlt, &[a, b]);
        assert_eq!(write(&t, above, Language::Boogie).as_deref(), Some("!LE(b, a)"));
        let less = t.mk(Op::BvSlt, &[a, b]);
        assert_eq!(write(&t, less, Language::Boogie), None);
        let row = t.array_sort(Sort::INT, Sort::INT);
        let rows = t.array_sort(Sort::INT, row);
        let (grid, others) = (t.var("grid", rows), t.var("others", rows));
        let k = t.variable("k", Sort::INT);
        for (map, text) in [(grid, Some("(forall k: int :: grid[x, k] < y)")), (others, None)] {
            let line = t.select(map, x);
            let k_term = t.var_term(k);
            let element = t.select(line, k_term);
            let body = t.lt(element, y);
            let all = t.forall(&[k], &[], body);
            assert_eq!(write(&t, all, Language::Boogie).as_deref(), text);
        }
        // Integers are no bit-vectors in C.
        assert_eq!(write(&t, le, Language::C), None);
    }
}

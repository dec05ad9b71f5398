//! Formulas in the language of the source, exactly: what cannot be written so that it means the same is not written.

mod boogie;
mod c;

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
pub fn formula(terms: &Terms, t: Term, language: Language, name: Names<'_>) -> Option<String> {
    let text = match language {
        Language::Boogie => boogie::formula(terms, t, name),
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

    use super::{Language, Name, formula};

    #[test]
    fn formulas_are_written_in_the_language() {
        let mut t = Terms::new();
        let (x, y, minus) = (t.var("x", Sort::INT), t.var("y", Sort::INT), t.int(-2));
        let (product, three) = (t.mk(Op::Mul, &[minus, y]), t.int(3));
        let sum = t.add(&[x, product]);
        let (le, less) = (t.le(sum, three), t.lt(x, y));
        let either = t.or(&[le, less]);
        let not = t.not(either);
        let write = |t: &Terms, f, language| {
            formula(t, f, language, &|v| Some(Name { text: t.var_name(v).to_owned(), signed: None }))
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
        // Truth values are no numbers in Boogie, nor are integers bit-vectors in C.
        assert_eq!(write(&t, below, Language::Boogie), None);
        assert_eq!(write(&t, le, Language::C), None);
    }
}

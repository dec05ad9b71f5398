//! Queries as text, for reports and for solvers that read text.

use lariat_term::{
    Term, Terms,
    smtlib::{Dialect, Printer},
};

/// A whole query in SMT-LIB.
pub(crate) fn text(terms: &Terms, assertions: &[Term], assumptions: &[Term]) -> String {
    let mut printer = Printer::new(Dialect::Z3);
    let mut out = String::new();
    for &t in assertions.iter().chain(assumptions) {
        printer.assert(terms, t, &mut out);
    }
    out + "(check-sat)\n"
}

/// A term for a message, cut if it is long.
pub(crate) fn term(terms: &Terms, t: Term) -> String {
    excerpt(&terms.display(t).to_string())
}

/// The beginning of a text, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 300;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

/// How many S-expressions a text has; `None` if it is not a sequence of whole ones.
pub(crate) fn sexpr_count(text: &str) -> Option<usize> {
    let (mut depth, mut count) = (0usize, 0usize);
    let mut in_atom = false;
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        let starts = depth == 0 && !in_atom;
        match b {
            b'(' => {
                count += usize::from(depth == 0);
                depth += 1;
                in_atom = false;
            }
            b')' => {
                depth = depth.checked_sub(1)?;
                in_atom = false;
            }
            b';' => return None,
            b'|' | b'"' => {
                count += usize::from(starts);
                bytes.by_ref().find(|&c| c == b)?;
                in_atom = true;
            }
            _ if b.is_ascii_whitespace() => in_atom = false,
            _ => {
                count += usize::from(starts);
                in_atom = true;
            }
        }
    }
    (depth == 0).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::sexpr_count;

    #[test]
    fn counts_whole_expressions_only() {
        for (text, count) in [
            ("", Some(0)),
            ("Int", Some(1)),
            ("(Seq Int)", Some(1)),
            ("(_ to_fp 8 24) RNE", Some(2)),
            ("|a )b| \"(\"", Some(2)),
            ("Int) (exit", None),
            ("(", None),
            ("|open", None),
            ("a ; b", None),
        ] {
            assert_eq!(sexpr_count(text), count, "{text}");
        }
    }
}

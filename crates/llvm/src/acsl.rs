//! Loop invariants in ACSL comments (`/*@ loop invariant i <= n; */` before a loop), as candidates.
//!
//! In: the text of a C file. Out: the text with `__LARIAT_invariant(…)` after the heads of these loops; everything else is where it was, but for what follows on the
//! line of the head. Of the language of annotations, the expressions that are those of C are read, with implications, equivalences and chains of comparisons.
//! What else a comment says (quantifiers, `assigns`, contracts of functions) is left out. Formulas are computed as C computes, not with
//! unbounded integers: they are candidates, so nothing depends on it.

/// What became of the annotations of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Annotated {
    /// The text with candidates, if it has any.
    pub text: Option<String>,
    /// Lines with invariants that are not taken as candidates, and why.
    pub skipped: Vec<(u32, String)>,
}

/// Puts candidates into a text.
pub(crate) fn annotated(text: &str) -> Annotated {
    let mut found = Annotated::default();
    let (code, comments) = without_comments(text);
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for (start, end) in comments {
        let comment = &text[start..end];
        let body =
            comment.strip_prefix("/*@").map(|c| c.strip_suffix("*/").unwrap_or(c)).or(comment.strip_prefix("//@"));
        let Some(body) = body else { continue };
        let line = text[..start].matches('\n').count() as u32 + 1;
        for clause in body.split(';') {
            let clause = clause.trim_start_matches(|c: char| c.is_whitespace() || c == '@').trim_end();
            let mut words = clause.splitn(3, char::is_whitespace);
            if (words.next(), words.next()) != (Some("loop"), Some("invariant")) {
                continue;
            }
            // Lines of a comment may begin with `@`.
            let lines = words.next().unwrap_or("").lines().map(|line| line.trim().trim_start_matches('@').trim());
            let formula = lines.collect::<Vec<_>>().join(" ");
            match (after_head(&code, end), expression(&formula)) {
                (Some(at), Ok(formula)) => insertions.push((at, format!(" __LARIAT_invariant({formula})"))),
                (None, _) => found.skipped.push((line, "no `while` or `for` loop follows".into())),
                (_, Err(why)) => found.skipped.push((line, why)),
            }
        }
    }
    if insertions.is_empty() {
        return found;
    }
    // Those of one loop stay in their order.
    insertions.sort_by_key(|(at, _)| *at);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (at, inserted) in insertions {
        out.push_str(&text[from..at]);
        out.push_str(&inserted);
        from = at;
    }
    out.push_str(&text[from..]);
    found.text = Some(out);
    found
}

/// The text with blanks in the place of comments and strings, and where the comments are.
pub(crate) fn without_comments(text: &str) -> (Vec<u8>, Vec<(usize, usize)>) {
    let source = text.as_bytes();
    let (mut code, mut comments, mut i) = (source.to_vec(), Vec::new(), 0);
    let find = |from: usize, what: &[u8]| source.get(from..)?.windows(what.len()).position(|w| w == what);
    while i < source.len() {
        let end = match source[i..] {
            [b'/', b'/', ..] => find(i, b"\n").map_or(source.len(), |n| i + n),
            [b'/', b'*', ..] => find(i + 2, b"*/").map_or(source.len(), |n| i + n + 4),
            [quote @ (b'"' | b'\''), ..] => {
                let mut j = i + 1;
                while j < source.len() && source[j] != quote && source[j] != b'\n' {
                    j += if source[j] == b'\\' { 2 } else { 1 };
                }
                (j + 1).min(source.len())
            }
            _ => {
                i += 1;
                continue;
            }
        };
        if source[i] == b'/' {
            comments.push((i, end));
        }
        code[i..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        i = end;
    }
    (code, comments)
}

/// What follows the head of the loop that begins here.
fn after_head(code: &[u8], from: usize) -> Option<usize> {
    let blanks = |from: usize| from + code[from..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let word = blanks(from);
    let rest = &code[word..];
    let length = [&b"while"[..], b"for"].into_iter().find(|w| rest.starts_with(w))?.len();
    let open = blanks(word + length);
    if code.get(open) != Some(&b'(') {
        return None;
    }
    let mut depth = 0usize;
    for (i, &b) in code.iter().enumerate().skip(open) {
        match b {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(i + 1),
            b')' => depth -= 1,
            b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// A formula as an expression of C; else, why it is none.
fn expression(formula: &str) -> Result<String, String> {
    let formula = formula.replace("\\true", "1").replace("\\false", "0");
    if let Some(at) = formula.find('\\') {
        let word: String =
            formula[at..].chars().take_while(|c| *c == '\\' || c.is_alphanumeric() || *c == '_').collect();
        return Err(format!("`{word}` is not read"));
    }
    if formula.trim().is_empty() || formula.contains(['{', '}', '"', '#', '@']) {
        return Err("it is no expression of C".into());
    }
    translated(&formula, 0)
}

/// How deep brackets may nest.
const DEPTH: u32 = 50;

/// A formula without implications, equivalences and chains.
fn translated(formula: &str, depth: u32) -> Result<String, String> {
    let formula = formula.trim();
    if depth > DEPTH {
        return Err("it is nested too deeply".into());
    }
    let part = |text: &str| translated(text, depth + 1);
    if let [first, rest] = &split(formula, &["<==>"], 2)?[..] {
        return Ok(format!("!({}) == !({})", part(first)?, part(rest)?));
    }
    if let [first, rest] = &split(formula, &["==>"], 2)?[..] {
        return Ok(format!("!({}) || ({})", part(first)?, part(rest)?));
    }
    for sign in ["||", "&&"] {
        let parts = split(formula, &[sign], usize::MAX)?;
        if parts.len() > 1 {
            let parts: Result<Vec<String>, String> = parts.into_iter().map(|p| Ok(format!("({})", part(p)?))).collect();
            return Ok(parts?.join(&format!(" {sign} ")));
        }
    }
    // Of a chain, each number is compared with the next one.
    let signs = ["<=", ">=", "==", "!=", "<", ">"];
    let operands = split(formula, &signs, usize::MAX)?;
    if operands.len() > 2 {
        let mut links = Vec::new();
        for pair in operands.windows(2) {
            let from = pair[0].as_ptr() as usize - formula.as_ptr() as usize;
            let to = pair[1].as_ptr() as usize - formula.as_ptr() as usize + pair[1].len();
            links.push(format!("({})", formula[from..to].trim()));
        }
        return Ok(links.join(" && "));
    }
    // A formula in brackets, or the negation of one.
    let (not, inner) = match formula.strip_prefix('!') {
        Some(rest) => ("!", rest.trim_start()),
        None => ("", formula),
    };
    match inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) if balanced(inside) => Ok(format!("{not}({})", part(inside)?)),
        _ => Ok(formula.to_owned()),
    }
}

/// Is each bracket closed, and none before it is opened?
pub(crate) fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    text.bytes().all(|b| {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        depth >= 0
    }) && depth == 0
}

/// The parts between operators that stand outside of brackets; at most so many.
pub(crate) fn split<'t>(text: &'t str, signs: &[&str], most: usize) -> Result<Vec<&'t str>, String> {
    let (mut parts, mut from, mut depth, mut i) = (Vec::new(), 0, 0i32, 0);
    let bytes = text.as_bytes();
    while i < bytes.len() {
        match bytes[i] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        // Longer operators hide what they contain.
        let operator = ["<==>", "==>", "<<=", ">>=", "<<", ">>", "->", "<=", ">=", "==", "!=", "||", "&&", "<", ">"]
            .into_iter()
            .find(|o| bytes[i..].starts_with(o.as_bytes()));
        if let Some(operator) = operator {
            if depth == 0 && signs.contains(&operator) && parts.len() + 1 < most {
                parts.push(&text[from..i]);
                from = i + operator.len();
            }
            i += operator.len();
        } else {
            i += 1;
        }
    }
    if depth != 0 {
        return Err("its brackets do not match".into());
    }
    parts.push(&text[from..]);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_expressions() {
        for (formula, c) in [
            ("i <= n", "i <= n"),
            ("0 <= i <= n", "(0 <= i) && (i <= n)"),
            ("i > 0 ==> s == 2 * i", "!(i > 0) || (s == 2 * i)"),
            ("0 <= i < n && (a ==> b)", "((0 <= i) && (i < n)) && ((!(a) || (b)))"),
            ("\\true", "1"),
            ("p->x <= 3", "p->x <= 3"),
            ("x << 2 == y", "x << 2 == y"),
        ] {
            assert_eq!(expression(formula).as_deref(), Ok(c));
        }
        for formula in ["\\forall integer k; 0 <= k", "", "f(x", "a; } int b = {"] {
            assert!(expression(formula).is_err(), "{formula}");
        }
    }

    #[test]
    fn invariants_stand_behind_the_head() {
        let text = "int f(int n) {\n  int i = 0;\n  /*@ loop invariant 0 <= i <= n;\n    @ loop assigns i;\n    @ loop invariant i >= 0; */\n  \
                    while (i < n) // @ loop invariant no;\n  { i++; }\n  //@ loop invariant \\at(i, Pre) == 0;\n  for (;;) { }\n}\n";
        let Annotated { text: Some(out), skipped } = annotated(text) else { panic!("no candidates") };
        assert!(
            out.contains("while (i < n) __LARIAT_invariant((0 <= i) && (i <= n)) __LARIAT_invariant(i >= 0) //"),
            "{out}"
        );
        assert_eq!(skipped, [(8, "`\\at` is not read".to_owned())]);
        assert_eq!(out.matches('\n').count(), text.matches('\n').count());
        assert_eq!(annotated("/* loop invariant x; */ \"/*@ loop invariant y; */\""), Annotated::default());
        assert_eq!(annotated("/*@ loop invariant x; */ i++;").skipped.len(), 1);
    }
}

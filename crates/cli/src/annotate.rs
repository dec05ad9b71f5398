//! Puts contracts into the text of a program.
//!
//! The text is looked at as far as that needs: comments and strings are skipped, parentheses are matched. What is not found is not
//! annotated.

use std::collections::BTreeMap;

/// Texts to be put in, by their offsets.
#[derive(Default)]
pub struct Insertions(BTreeMap<usize, String>);

impl Insertions {
    pub fn add(&mut self, at: usize, text: &str) {
        self.0.entry(at).or_default().push_str(text);
    }

    /// The text with all of them.
    pub fn apply(&self, text: &str) -> String {
        let (mut out, mut from) = (String::new(), 0);
        for (&at, inserted) in &self.0 {
            out.push_str(&text[from..at]);
            out.push_str(inserted);
            from = at;
        }
        out.push_str(&text[from..]);
        out
    }
}

/// The text with blanks in the place of comments and strings; every other byte is where it was.
pub fn without_comments(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut i = 0;
    while i < bytes.len() {
        let ends_at =
            |from: usize, end: &str| text.as_bytes()[from..].windows(end.len()).position(|w| w == end.as_bytes());
        let (end, blank) = match &text.as_bytes()[i..] {
            [b'/', b'/', ..] => (ends_at(i, "\n").map_or(bytes.len(), |n| i + n), true),
            [b'/', b'*', ..] => (ends_at(i + 2, "*/").map_or(bytes.len(), |n| i + n + 4), true),
            [quote @ (b'"' | b'\''), ..] => {
                let mut j = i + 1;
                while j < bytes.len() && text.as_bytes()[j] != *quote && text.as_bytes()[j] != b'\n' {
                    j += if text.as_bytes()[j] == b'\\' { 2 } else { 1 };
                }
                (j + 1, true)
            }
            _ => (i + 1, false),
        };
        let end = end.min(bytes.len());
        if blank {
            bytes[i..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        }
        i = end;
    }
    bytes
}

/// A loop of a Boogie program.
pub struct BoogieLoop {
    /// Its procedure.
    pub procedure: String,
    /// Where its invariants may begin: after the guard.
    pub after_guard: usize,
}

/// A procedure or an implementation of a Boogie program.
pub struct BoogieProcedure {
    pub name: String,
    /// Where attributes may stand.
    pub attributes: usize,
    /// Where a contract may stand; an implementation has none.
    pub contract: Option<usize>,
}

/// The `while` loops of a Boogie program, and its procedures and implementations, in order.
pub fn boogie(text: &str) -> (Vec<BoogieLoop>, Vec<BoogieProcedure>) {
    let code = without_comments(text);
    let (mut loops, mut procedures): (Vec<BoogieLoop>, Vec<BoogieProcedure>) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < code.len() {
        let end = word_end(&code, i);
        if end == i {
            i += 1;
            continue;
        }
        match &code[i..end] {
            b"procedure" | b"implementation" => {
                // Attributes stand between braces.
                let mut at = skip_blanks(&code, end);
                while code.get(at) == Some(&b'{') {
                    at = skip_blanks(&code, matching(&code, at, b'{', b'}').map_or(code.len(), |n| n + 1));
                }
                let name = String::from_utf8_lossy(&code[at..word_end(&code, at)]).into_owned();
                let declares = &code[i..end] == b"procedure";
                let contract = Some(word_end(&code, at)).filter(|_| declares).and_then(|at| after_signature(&code, at));
                procedures.push(BoogieProcedure { name, attributes: end, contract });
                i = word_end(&code, at).max(end);
            }
            b"while" => {
                let open = skip_blanks(&code, end);
                if let (Some(procedure), Some(close)) = (procedures.last(), matching(&code, open, b'(', b')')) {
                    loops.push(BoogieLoop { procedure: procedure.name.clone(), after_guard: close + 1 });
                }
                i = end;
            }
            _ => i = end,
        }
    }
    (loops, procedures)
}

/// Where the signature of a procedure ends whose name ends here, with the semicolon if it has one.
fn after_signature(code: &[u8], name_end: usize) -> Option<usize> {
    let parameters = skip_blanks(code, name_end);
    let mut end = matching(code, parameters, b'(', b')')? + 1;
    let next = skip_blanks(code, end);
    if &code[next..word_end(code, next)] == b"returns" {
        let results = skip_blanks(code, word_end(code, next));
        end = matching(code, results, b'(', b')')? + 1;
    }
    let next = skip_blanks(code, end);
    Some(if code.get(next) == Some(&b';') { next + 1 } else { end })
}

/// A loop of a C program.
pub struct CLoop {
    /// Its keyword.
    pub keyword: usize,
    /// What follows its head.
    pub after_head: usize,
    /// What follows the brace of its body, if it has one.
    pub in_body: Option<usize>,
}

/// The loop whose head has this offset in its parentheses.
pub fn c_loop(text: &str, at: usize) -> Option<CLoop> {
    let code = without_comments(text);
    let mut depth = 0;
    let mut open = None;
    for i in (0..=at.min(code.len().checked_sub(1)?)).rev() {
        match code[i] {
            b')' if i < at => depth += 1,
            b'(' if depth > 0 && i < at => depth -= 1,
            b'(' => {
                let end = (0..i).rev().find(|&j| !code[j].is_ascii_whitespace())? + 1;
                let start = (0..end).rev().take_while(|&j| is_word(code[j])).last()?;
                if matches!(&code[start..end], b"while" | b"for") {
                    open = Some((i, start));
                    break;
                }
            }
            b'{' | b'}' => return None,
            _ => {}
        }
    }
    let (open, keyword) = open?;
    let after_head = matching(&code, open, b'(', b')')? + 1;
    let next = skip_blanks(&code, after_head);
    // The end of a do loop has the condition, but no body.
    if code.get(next) == Some(&b';') {
        return None;
    }
    let in_body = (code.get(next) == Some(&b'{')).then_some(next + 1);
    Some(CLoop { keyword, after_head, in_body })
}

/// The line and the column, in bytes, of an offset.
pub fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    (before.matches('\n').count() as u32 + 1, before.rsplit('\n').next().map_or(0, str::len) as u32 + 1)
}

/// The offset of a position, both counted from 1, columns in bytes.
pub fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let start = match line {
        0 => return None,
        1 => 0,
        n => text.bytes().enumerate().filter(|(_, b)| *b == b'\n').nth(n as usize - 2)?.0 + 1,
    };
    Some(start + (column as usize).saturating_sub(1)).filter(|&at| at < text.len())
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_.$#'`~^?".contains(&b)
}

fn word_end(code: &[u8], from: usize) -> usize {
    from + code[from..].iter().take_while(|b| is_word(**b)).count()
}

fn skip_blanks(code: &[u8], from: usize) -> usize {
    from + code[from.min(code.len())..].iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The offset of the bracket that closes the one at an offset.
fn matching(code: &[u8], at: usize, open: u8, close: u8) -> Option<usize> {
    if code.get(at) != Some(&open) {
        return None;
    }
    let mut depth = 0usize;
    for (i, &b) in code.iter().enumerate().skip(at) {
        if b == open {
            depth += 1;
        } else if b == close {
            depth -= 1;
            if depth == 0 {
                return Some(i);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found() {
        let text = "procedure {:a \"while (\"} main() { /* while (x) */ while (f((i)) < n) { while (*) { } } }";
        let (loops, procedures) = boogie(text);
        let found: Vec<(&str, usize)> = procedures.iter().map(|p| (&p.name[..], p.attributes)).collect();
        assert_eq!(found, [("main", "procedure".len())]);
        assert_eq!(procedures[0].contract, text.find(" { /*"));
        for (text, after) in [
            (
                "procedure f(x: [int]int) returns (y: int); implementation f(x: [int]int) returns (y: int) { }",
                "(y: int);",
            ),
            ("procedure f(x: int)\n  returns (y: int)\n{ y := x; }", "(y: int)"),
        ] {
            let (_, procedures) = boogie(text);
            let at = procedures[0].contract.expect("a place");
            assert!(text[..at].ends_with(after) && procedures.iter().skip(1).all(|p| p.contract.is_none()));
        }
        let heads: Vec<&str> = loops.iter().map(|l| &text[..l.after_guard]).collect();
        assert!(heads[0].ends_with("(f((i)) < n)") && heads[1].ends_with("(*)") && heads.len() == 2);
        let c = "int f(int n) { for (int i = 0; g(i) && i < n; i++) /* { */ { n--; } }";
        let found = c_loop(c, c.find("i < n").expect("it is there")).expect("a loop");
        assert!(c[found.keyword..].starts_with("for") && c[..found.after_head].ends_with("i++)"));
        assert!(c[found.in_body.expect("a body")..].starts_with(" n--"));
        assert!(c_loop(c, c.find("n--").expect("it is there")).is_none());
        assert_eq!(offset("ab\ncd\n", 2, 2), Some(4));
    }
}

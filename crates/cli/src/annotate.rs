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

/// A function of a Boogie program that is an operator on bit-vectors.
pub struct BoogieFunction {
    pub name: String,
    /// The operator in SMT-LIB.
    pub builtin: String,
    /// How many bits its arguments have.
    pub width: u32,
}

/// The functions of a Boogie program with the attribute `bvbuiltin` or `builtin` whose arguments are bit-vectors of one width.
pub fn boogie_functions(text: &str) -> Vec<BoogieFunction> {
    let code = without_comments(text);
    let mut found = Vec::new();
    let mut i = 0;
    while i < code.len() {
        let end = word_end(&code, i);
        if end == i || &code[i..end] != b"function" {
            i = end.max(i + 1);
            continue;
        }
        i = end;
        // Strings are blanks in the code.
        let (mut at, mut builtin) = (skip_blanks(&code, end), None);
        while let Some(close) = matching(&code, at, b'{', b'}') {
            let mut parts = text.get(at..close).unwrap_or_default().split('"');
            let word = parts.next().unwrap_or_default().trim_matches(|c: char| "{: \t\n".contains(c));
            if matches!(word, "bvbuiltin" | "builtin") {
                builtin = parts.next();
            }
            at = skip_blanks(&code, close + 1);
        }
        let name_end = word_end(&code, at);
        let open = skip_blanks(&code, name_end);
        let (Some(builtin), Some(close)) = (builtin, matching(&code, open, b'(', b')')) else { continue };
        let width = |parameter: &[u8]| {
            let parameter = String::from_utf8_lossy(parameter);
            let sort = parameter.rsplit(':').next()?.trim();
            sort.strip_prefix("bv")?.parse::<u32>().ok()
        };
        let widths: Option<Vec<u32>> = code[open + 1..close].split(|b| *b == b',').map(width).collect();
        if let Some(&[width, other]) = widths.as_deref()
            && width == other
        {
            let name = String::from_utf8_lossy(&code[at..name_end]).into_owned();
            found.push(BoogieFunction { name, builtin: builtin.trim().to_owned(), width });
        }
    }
    found
}

/// The variables of a Boogie program that are declared as maps (`a, b: [int, int]bool`), each with the number of its indices.
pub fn boogie_maps(text: &str) -> Vec<(String, usize)> {
    let code = without_comments(text);
    let mut found = Vec::new();
    for colon in (0..code.len()).filter(|&i| code[i] == b':') {
        let open = skip_blanks(&code, colon + 1);
        let Some(close) = matching(&code, open, b'[', b']') else { continue };
        // A comma inside of brackets separates indices of a map that is an index.
        let mut depth = 0;
        let indices = code[open + 1..close].iter().fold(1, |n, b| {
            depth += i32::from(b"[<(".contains(b)) - i32::from(b"]>)".contains(b));
            n + usize::from(*b == b',' && depth == 0)
        });
        let mut end = colon;
        loop {
            let name_end = (0..end).rev().find(|&j| !code[j].is_ascii_whitespace()).map_or(0, |j| j + 1);
            let start = (0..name_end).rev().take_while(|&j| is_word(code[j])).last().unwrap_or(name_end);
            if start < name_end {
                found.push((String::from_utf8_lossy(&code[start..name_end]).into_owned(), indices));
            }
            match (0..start).rev().find(|&j| !code[j].is_ascii_whitespace()) {
                Some(comma) if code[comma] == b',' && start < name_end => end = comma,
                _ => break,
            }
        }
    }
    found
}

/// A loop of a C program.
pub struct CLoop {
    /// Its keyword.
    pub keyword: usize,
    /// What follows its head; a `do` loop has none.
    pub after_head: Option<usize>,
    /// What follows the brace of its body, if it has one.
    pub in_body: Option<usize>,
    /// Are the variables at the start of the body what they were at the head? So it is if the condition has no side effect.
    pub pure: bool,
}

/// The loop that has this offset in the condition of its head, or in the first statement of its body.
pub fn c_loop(text: &str, at: usize) -> Option<CLoop> {
    let code = without_comments(text);
    let word_before = |end: usize| {
        let end = (0..end).rev().find(|&j| !code[j].is_ascii_whitespace()).map_or(0, |j| j + 1);
        (0..end).rev().take_while(|&j| is_word(code[j])).last().map(|start| (start, end))
    };
    // The keyword of a loop whose head begins with this bracket.
    let head = |open: usize| {
        let (start, end) = word_before(open)?;
        matches!(&code[start..end], b"while" | b"for").then_some(start)
    };
    let mut depth = 0;
    for i in (0..=at.min(code.len().checked_sub(1)?)).rev() {
        match code[i] {
            b')' if i < at => depth += 1,
            b'(' if depth > 0 && i < at => depth -= 1,
            b'(' => {
                if let Some(keyword) = head(i) {
                    return headed(&code, keyword, i);
                }
            }
            b'{' => {
                let before = (0..i).rev().find(|&j| !code[j].is_ascii_whitespace())?;
                if code[before] == b')' {
                    let open = opening(&code, before)?;
                    return headed(&code, head(open)?, open);
                }
                let (start, end) = word_before(i)?;
                let found = CLoop { keyword: start, after_head: None, in_body: Some(i + 1), pure: true };
                return (&code[start..end] == b"do").then_some(found);
            }
            b'}' => return None,
            // The first statement of a body has nothing before it; conditions of `for` have.
            b';' if i < at
                && depth == 0
                && !(0..i).rev().any(|j| code[j] == b'(' && head(j).is_some() && closes_after(&code, j, at)) =>
            {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// Does the bracket that closes the one at an offset come after another offset?
fn closes_after(code: &[u8], open: usize, at: usize) -> bool {
    matching(code, open, b'(', b')').is_some_and(|close| close >= at)
}

/// The loop with this keyword whose head begins with this bracket.
fn headed(code: &[u8], keyword: usize, open: usize) -> Option<CLoop> {
    let close = matching(code, open, b'(', b')')?;
    let next = skip_blanks(code, close + 1);
    // The end of a do loop has the condition, but no body.
    if code.get(next) == Some(&b';') {
        return None;
    }
    let in_body = (code.get(next) == Some(&b'{')).then_some(next + 1);
    // Of the head of a `for`, only the part in the middle is evaluated before the body.
    let inside = &code[open + 1..close];
    let condition = if code[keyword..].starts_with(b"for") { inside.split(|b| *b == b';').nth(1)? } else { inside };
    Some(CLoop { keyword, after_head: Some(close + 1), in_body, pure: is_pure(condition) })
}

/// Has an expression no side effect, as far as its text tells?
fn is_pure(expression: &[u8]) -> bool {
    let calls = expression.windows(2).any(|w| is_word(w[0]) && w[1] == b'(');
    let counts = expression.windows(2).any(|w| w == b"++" || w == b"--");
    let at = |i: usize| expression.get(i).copied().unwrap_or(b' ');
    let assigns = (0..expression.len()).any(|i| {
        at(i) == b'='
            && at(i + 1) != b'='
            && (i == 0 || !b"=!<>".contains(&at(i - 1)) || i > 1 && b"<>".contains(&at(i - 2)))
    });
    !calls && !counts && !assigns
}

/// Is a variable in scope at an offset that is declared on a line? The text has no comments ([`without_comments`]).
pub fn in_scope(code: &[u8], name: &str, line: u32, at: usize) -> bool {
    let word = name.split(['.', '[']).next().unwrap_or(name).as_bytes();
    let Some(start) = line_start(code, line) else { return false };
    let end = start + code[start..].iter().take_while(|b| **b != b'\n').count();
    let whole = |i: usize| {
        code[i..].starts_with(word)
            && (i == 0 || !is_word(code[i - 1]))
            && !code.get(i + word.len()).is_some_and(|b| is_word(*b))
    };
    let Some(declared) = (start..end).find(|&i| whole(i)).filter(|&i| i < at && at < code.len()) else { return false };
    // One that is declared in the head of a loop or a function belongs to what follows the head.
    let (mut depth, mut brackets, mut in_head, mut after_head) = (0i32, 0i32, false, false);
    for &b in &code[declared..at] {
        match b {
            b'(' => brackets += 1,
            b')' => {
                brackets -= 1;
                if brackets < 0 && depth == 0 && !after_head {
                    (in_head, after_head, brackets) = (true, true, 0);
                }
            }
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth < 0 || in_head && depth == 0 {
                    return false;
                }
            }
            b';' if in_head && depth == 0 && brackets == 0 => return false,
            _ => {}
        }
    }
    true
}

/// Where the statement begins that an offset is in, or the condition in the head of a statement.
pub fn statement_start(text: &str, at: usize) -> Option<usize> {
    let code = without_comments(text);
    let word_before = |end: usize| {
        let end = (0..end).rev().find(|&j| !code[j].is_ascii_whitespace()).map_or(0, |j| j + 1);
        let start = (0..end).rev().take_while(|&j| is_word(code[j])).last().unwrap_or(end);
        (start, end)
    };
    let is_head = |open: usize| {
        let (start, end) = word_before(open);
        matches!(&code[start..end], b"if" | b"while" | b"for" | b"switch")
    };
    let mut i = at.min(code.len());
    // `i` is inside the statement; what stands before it decides.
    while let Some(before) = (0..i).rev().find(|&j| !code[j].is_ascii_whitespace()) {
        match code[before] {
            b';' | b'{' | b'}' => break,
            b'(' if is_head(before) => break,
            b')' => {
                let open = opening(&code, before)?;
                if is_head(open) {
                    break;
                }
                i = open;
            }
            // A label, unless it belongs to a conditional expression.
            b':' => {
                let from = (0..before).rev().find(|&j| b";{}".contains(&code[j])).map_or(0, |j| j + 1);
                if !code[from..before].contains(&b'?') {
                    break;
                }
                i = before;
            }
            c if is_word(c) => {
                let (start, end) = word_before(before + 1);
                if matches!(&code[start..end], b"else" | b"do") {
                    break;
                }
                i = start;
            }
            _ => i = before,
        }
    }
    Some(skip_blanks(&code, i)).filter(|&start| start <= at)
}

/// The offset of the bracket that the one at an offset closes.
fn opening(code: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for i in (0..=at).rev() {
        match code[i] {
            b')' => depth += 1,
            b'(' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// The line and the column, in bytes, of an offset.
pub fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    (before.matches('\n').count() as u32 + 1, before.rsplit('\n').next().map_or(0, str::len) as u32 + 1)
}

/// The offset of the beginning of a line, counted from 1.
fn line_start(text: &[u8], line: u32) -> Option<usize> {
    match line {
        0 => None,
        1 => Some(0),
        n => Some(text.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(n as usize - 2)?.0 + 1),
    }
}

/// The offset of a position, both counted from 1, columns in bytes.
pub fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let start = line_start(text.as_bytes(), line)?;
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
    fn statements_begin_where_they_do() {
        for (text, at, from) in [
            ("if (n == 11) p[n] = 1;", "= 1;", "p[n]"),
            ("f(); x = a[i] /* ; */ + 1;", "+ 1", "x ="),
            ("if (a[i] > 0) { }", "> 0", "a[i]"),
            ("if (c) ; else reach_error();", "reach", "reach"),
            ("L: y = c ? *p : g(1, 2);", "2)", "y ="),
            ("{ return f(*p); }", "*p", "return"),
        ] {
            let found = statement_start(text, text.find(at).expect("it is there"));
            assert_eq!(found, text.find(from), "{text}");
        }
    }

    #[test]
    fn variables_are_seen_in_their_blocks() {
        let code = "int g;\nint f(int n) {\nint a; {\nint b; } for (int i\n= 0; i < n; i++) a++;\nwhile (a) { int c;\nh(c); } }\nint k(void) { while (2) ; }";
        let sees =
            |name: &str, line: u32, at: &str| in_scope(code.as_bytes(), name, line, code.find(at).expect("there"));
        assert!(sees("n", 2, "i < n") && sees("a", 3, "i < n") && sees("i", 4, "i < n") && sees("g", 1, "2)"));
        assert!(!sees("b", 4, "i < n") && !sees("i", 4, "a) {") && sees("a", 3, "a) {") && !sees("c", 6, "2)"));
        assert!(!sees("n", 2, "2)") && !sees("c", 6, "a) {"));
    }

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
        assert!(c[found.keyword..].starts_with("for") && c[..found.after_head.expect("a head")].ends_with("i++)"));
        assert!(!found.pure, "g may do anything");
        assert!(c[found.in_body.expect("a body")..].starts_with(" n--"));
        assert!(c_loop(c, c.find("n--").expect("it is there")).is_some());
        let c = "void f(int n) { while (1) { if (n < 3) break; n = g(n); } do { n++; } while (n < 5); h(n); }";
        let at = |part: &str| c_loop(c, c.find(part).expect("it is there"));
        assert!(at("n < 3").is_some_and(|l| l.pure && c[l.keyword..].starts_with("while (1)")));
        assert!(at("n++").is_some_and(|l| l.after_head.is_none() && c[l.keyword..].starts_with("do")));
        assert!(at("n < 5").is_none() && at("g(n)").is_none() && at("h(n)").is_none());
        for (expression, pure) in [("a <= b && c != d", true), ("a = b", false), ("a <<= 1", false), ("i++ < n", false)]
        {
            assert_eq!(is_pure(expression.as_bytes()), pure, "{expression}");
        }
        assert_eq!(offset("ab\ncd\n", 2, 2), Some(4));
    }
}

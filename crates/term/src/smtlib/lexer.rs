//! Tokens and S-expressions, with byte offsets, and the balance of a stream.
//!
//! [`SExprs`] holds the tokens of a text in one flat vector in which each opening parenthesis knows
//! its closing one; [`SExpr`] is a cursor into it. So nesting costs no stack.

use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Byte offset into the text.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl SyntaxError {
    /// An error at a byte offset.
    pub fn new(offset: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError { offset, message: message.into() }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A simple symbol.
    Symbol,
    /// A symbol in bars.
    Quoted,
    /// `:name`
    Keyword,
    /// Digits.
    Numeral,
    /// Digits, a dot, digits.
    Decimal,
    /// `#x` and hexadecimal digits.
    Hex,
    /// `#b` and binary digits.
    Binary,
    /// A string in double quotes, in which `""` is one quote.
    String,
}

/// A token: its kind and its place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// The tokens of a text; comments and white space are skipped.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// The tokens of this text.
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b';' => {
                    self.at = bytes[self.at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| self.at + n)
                }
                _ => break,
            }
        }
    }

    fn take(&mut self, from: usize, ok: impl Fn(u8) -> bool) -> usize {
        let bytes = &self.text.as_bytes()[from..];
        from + bytes.iter().position(|&b| !ok(b)).unwrap_or(bytes.len())
    }

    fn token(&mut self) -> Result<Option<Token>, SyntaxError> {
        self.skip_blanks();
        let bytes = self.text.as_bytes();
        let start = self.at;
        let Some(&first) = bytes.get(start) else {
            return Ok(None);
        };
        let error = |message: &str| Err(SyntaxError::new(start, message));
        if u32::try_from(bytes.len()).is_err() {
            return error("the text is longer than 4 GB");
        }
        let symbol = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
        let (kind, end) = match first {
            b'(' => (TokenKind::Open, start + 1),
            b')' => (TokenKind::Close, start + 1),
            b'|' => match bytes[start + 1..].iter().position(|&b| b == b'|' || b == b'\\') {
                Some(n) if bytes[start + 1 + n] == b'|' => (TokenKind::Quoted, start + n + 2),
                Some(n) => return Err(SyntaxError::new(start + 1 + n, "a backslash in a quoted symbol")),
                None => return error("a quoted symbol without an end"),
            },
            b'"' => {
                let mut end = start + 1;
                loop {
                    match bytes[end..].iter().position(|&b| b == b'"') {
                        Some(n) if bytes.get(end + n + 1) == Some(&b'"') => end += n + 2,
                        Some(n) => break (TokenKind::String, end + n + 1),
                        None => return error("a string without an end"),
                    }
                }
            }
            b':' => {
                let end = self.take(start + 1, symbol);
                if end == start + 1 {
                    return error("a colon without a keyword");
                }
                (TokenKind::Keyword, end)
            }
            b'#' => {
                let (kind, end) = match bytes.get(start + 1) {
                    Some(b'x') => (TokenKind::Hex, self.take(start + 2, |b| b.is_ascii_hexdigit())),
                    Some(b'b') => (TokenKind::Binary, self.take(start + 2, |b| b == b'0' || b == b'1')),
                    _ => return error("`#` begins neither a hexadecimal nor a binary numeral"),
                };
                if end == start + 2 {
                    return error("a numeral without digits");
                }
                (kind, end)
            }
            b'0'..=b'9' => {
                let end = self.take(start, |b| b.is_ascii_digit());
                if bytes.get(end) == Some(&b'.') {
                    let stop = self.take(end + 1, |b| b.is_ascii_digit());
                    if stop == end + 1 {
                        return error("a decimal without digits after the dot");
                    }
                    (TokenKind::Decimal, stop)
                } else {
                    (TokenKind::Numeral, end)
                }
            }
            b if symbol(b) => (TokenKind::Symbol, self.take(start, symbol)),
            _ => return error("a character that begins no token"),
        };
        let word = !matches!(kind, TokenKind::Open | TokenKind::Close | TokenKind::Quoted | TokenKind::String);
        if word && bytes.get(end).is_some_and(|&b| symbol(b) || b == b'#') {
            return Err(SyntaxError::new(end, "a character that does not belong to the word before it"));
        }
        self.at = end;
        Ok(Some(Token { kind, start: start as u32, end: end as u32 }))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Result<Token, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        let token = self.token().transpose();
        if matches!(token, Some(Err(_))) {
            // One error ends it: what follows a wrong token means nothing.
            self.at = self.text.len();
        }
        token
    }
}

/// All S-expressions of a text.
#[derive(Clone, Debug)]
pub struct SExprs<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// For each token the index of the one after the expression that begins there.
    next: Vec<u32>,
}

/// One S-expression: an atom or a list.
#[derive(Clone, Copy)]
pub struct SExpr<'a> {
    all: &'a SExprs<'a>,
    at: u32,
}

impl<'a> SExprs<'a> {
    /// Reads a text; all parentheses must match.
    pub fn read(text: &'a str) -> Result<SExprs<'a>, SyntaxError> {
        let mut all = SExprs { text, tokens: Vec::new(), next: Vec::new() };
        let mut open: Vec<u32> = Vec::new();
        for token in Lexer::new(text) {
            let token = token?;
            let at = all.tokens.len() as u32;
            all.tokens.push(token);
            all.next.push(at + 1);
            match token.kind {
                TokenKind::Open => open.push(at),
                TokenKind::Close => match open.pop() {
                    Some(o) => all.next[o as usize] = at + 1,
                    None => return Err(SyntaxError::new(token.start as usize, "a `)` that nothing opened")),
                },
                _ => {}
            }
        }
        match open.pop() {
            Some(o) => Err(SyntaxError::new(all.tokens[o as usize].start as usize, "a `(` that nothing closes")),
            None => Ok(all),
        }
    }

    /// The expressions of the top level.
    pub fn iter(&self) -> impl Iterator<Item = SExpr<'_>> {
        self.between(0, self.tokens.len() as u32)
    }

    /// The only expression of the text.
    pub fn single(&self) -> Result<SExpr<'_>, SyntaxError> {
        let mut items = self.iter();
        match (items.next(), items.next()) {
            (Some(e), None) => Ok(e),
            (None, _) => Err(SyntaxError::new(self.text.len(), "an expression is missing")),
            (_, Some(e)) => Err(SyntaxError::new(e.offset(), "more text after the expression")),
        }
    }

    fn between(&self, from: u32, to: u32) -> impl Iterator<Item = SExpr<'_>> {
        let mut at = from;
        std::iter::from_fn(move || {
            let e = (at < to).then_some(SExpr { all: self, at })?;
            at = self.next[at as usize];
            Some(e)
        })
    }
}

impl<'a> SExpr<'a> {
    fn token(self) -> Token {
        self.all.tokens[self.at as usize]
    }

    /// The kind of its first token: `Open` for lists.
    pub fn kind(self) -> TokenKind {
        self.token().kind
    }

    /// Is it a list?
    pub fn is_list(self) -> bool {
        self.kind() == TokenKind::Open
    }

    /// Where it begins.
    pub fn offset(self) -> usize {
        self.token().start as usize
    }

    /// Its text as written.
    pub fn text(self) -> &'a str {
        let last = self.all.tokens[self.all.next[self.at as usize] as usize - 1];
        &self.all.text[self.offset()..last.end as usize]
    }

    /// The elements of a list; none for atoms.
    pub fn items(self) -> impl Iterator<Item = SExpr<'a>> {
        let end = if self.is_list() { self.all.next[self.at as usize] - 1 } else { 0 };
        self.all.between(self.at + 1, end)
    }

    /// The elements of a list, if there are exactly that many.
    pub fn list<const N: usize>(self) -> Option<[SExpr<'a>; N]> {
        let items: Vec<_> = self.items().take(N + 1).collect();
        if self.is_list() { items.try_into().ok() } else { None }
    }

    /// The symbol, without bars, if it is one.
    pub fn symbol(self) -> Option<&'a str> {
        let text = self.text();
        match self.kind() {
            TokenKind::Symbol => Some(text),
            TokenKind::Quoted => Some(&text[1..text.len() - 1]),
            _ => None,
        }
    }

    /// The first element of a list, if that is a simple symbol.
    pub fn head(self) -> Option<&'a str> {
        self.items().next().filter(|h| h.kind() == TokenKind::Symbol).map(SExpr::text)
    }

    /// An error about this expression.
    pub fn error(self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.offset(), message)
    }
}

impl fmt::Debug for SExpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Finds where expressions end in a stream that arrives in pieces, such as a solver's output.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    depth: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    #[default]
    Between,
    Word,
    Bars,
    Quotes,
    Comment,
}

impl Balance {
    /// A stream at its beginning.
    pub fn new() -> Balance {
        Balance::default()
    }

    /// Takes in more bytes. If an expression ends among them, says after how many of them, and is
    /// ready for the next expression, which begins with the bytes after. A word at the top level
    /// ends where something else begins, so at the end of a line at the latest; a string there ends
    /// at its second quote, even if that is the first of a pair.
    pub fn feed(&mut self, bytes: &[u8]) -> Option<usize> {
        for (i, &b) in bytes.iter().enumerate() {
            let top = self.depth == 0;
            match self.state {
                State::Bars | State::Quotes => {
                    if b == (if self.state == State::Bars { b'|' } else { b'"' }) {
                        self.state = State::Between;
                        if top {
                            return Some(i + 1);
                        }
                    }
                    continue;
                }
                State::Comment => {
                    if b == b'\n' {
                        self.state = State::Between;
                    }
                    continue;
                }
                State::Word if top && (b.is_ascii_whitespace() || b"()|\";".contains(&b)) => {
                    self.state = State::Between;
                    return Some(i);
                }
                State::Word | State::Between => {}
            }
            self.state = match b {
                b'|' => State::Bars,
                b'"' => State::Quotes,
                b';' => State::Comment,
                b'(' => {
                    self.depth += 1;
                    State::Between
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.state = State::Between;
                    if self.depth == 0 {
                        return Some(i + 1);
                    }
                    State::Between
                }
                b if b.is_ascii_whitespace() => State::Between,
                _ => State::Word,
            };
        }
        None
    }

    /// Is the stream between two expressions of the top level?
    pub fn is_between(&self) -> bool {
        self.depth == 0 && matches!(self.state, State::Between | State::Comment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds() {
        let text = "( ) x |a (b| :kw 12 1.50 #xaF #b01 \"a \"\"b\" ; comment )\n+";
        let kinds: Vec<_> = Lexer::new(text).map(|t| t.unwrap().kind).collect();
        use TokenKind::*;
        assert_eq!(kinds, [Open, Close, Symbol, Quoted, Keyword, Numeral, Decimal, Hex, Binary, String, Symbol]);
    }

    #[test]
    fn malformed() {
        for (text, at) in [
            ("|abc", 0),
            ("a |b\\c|", 4),
            ("\"x", 0),
            ("(a", 0),
            ("a)", 1),
            ("((a)", 0),
            ("#", 0),
            ("#x", 0),
            ("#b2", 0),
            ("1.", 0),
            (":", 0),
            ("é", 0),
            ("12a", 2),
            ("#b012", 4),
            ("x {", 2),
        ] {
            assert_eq!(SExprs::read(text).unwrap_err().offset, at, "{text}");
        }
    }

    #[test]
    fn lists_know_their_items() {
        let all = SExprs::read("(a (b c) |d| ()) e").unwrap();
        let top: Vec<_> = all.iter().collect();
        assert_eq!(top.len(), 2);
        let items: Vec<_> = top[0].items().map(|e| e.text().to_owned()).collect();
        assert_eq!(items, ["a", "(b c)", "|d|", "()"]);
        assert_eq!(top[0].items().nth(2).unwrap().symbol(), Some("d"));
        assert_eq!(top[0].head(), Some("a"));
        assert!(top[0].list::<3>().is_none() && top[0].list::<4>().is_some());
        assert_eq!(all.single().unwrap_err().offset, 17);
    }

    #[test]
    fn deep_nesting() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert_eq!(SExprs::read(&text).unwrap().iter().count(), 1);
    }

    #[test]
    fn balance_of_a_stream() {
        let mut b = Balance::new();
        assert_eq!(b.feed(b"  (a \"(\" |)|"), None);
        assert!(!b.is_between());
        assert_eq!(b.feed(b" (b) ; (\n"), None);
        assert_eq!(b.feed(b") sat\nx"), Some(1));
        assert!(b.is_between());
        assert_eq!(b.feed(b" sat\nx"), Some(4));
        assert_eq!(b.feed(b"\n"), None);
        assert_eq!(b.feed(b"\"er(r\" "), Some(6));
        assert_eq!(b.feed(b") x"), Some(1));
    }
}

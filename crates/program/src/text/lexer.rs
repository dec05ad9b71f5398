//! Tokens of the textual form, on demand: a term or sort is one piece of text up to its closing
//! parenthesis, which the SMT-LIB parser reads.

/// A token with its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A simple symbol.
    Word(&'a str),
    /// What stands between bars.
    Quoted(&'a str),
    /// What stands between double quotes, escapes and all.
    Text(&'a str),
    /// Digits.
    Number(&'a str),
    /// `#` and these digits.
    Hash(&'a str),
    /// `@` and what follows: digits and colons.
    At(&'a str),
    /// One of `( ) { } , : :=  |` and anything unexpected.
    Punct(&'a str),
    /// The end of the text.
    End,
}

/// A cursor over the text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Where the next token starts.
    pub at: usize,
}

fn symbol(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b)
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        let mut l = Lexer { text, at: 0 };
        l.skip_blanks();
        l
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn skip_blanks(&mut self) {
        while let Some(&b) = self.bytes().get(self.at) {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b';' => self.at = self.run(self.at, |b| b != b'\n'),
                _ => break,
            }
        }
    }

    fn run(&self, from: usize, ok: impl Fn(u8) -> bool) -> usize {
        let rest = &self.bytes()[from..];
        from + rest.iter().position(|&b| !ok(b)).unwrap_or(rest.len())
    }

    /// The next token and where it ends; nothing is consumed.
    fn scan(&self) -> (Token<'a>, usize) {
        let start = self.at;
        let Some(&first) = self.bytes().get(start) else { return (Token::End, start) };
        let digits = |from| self.run(from, |b| b.is_ascii_digit());
        let second = self.bytes().get(start + 1).copied().unwrap_or(0);
        match first {
            b'|' => match self.text[start + 1..].find('|') {
                Some(n) => (Token::Quoted(&self.text[start + 1..start + 1 + n]), start + n + 2),
                None => (Token::Punct("|"), start + 1),
            },
            b'"' => {
                let mut end = start + 1;
                loop {
                    match self.bytes().get(end) {
                        // Nothing after it can be trusted, and looking for its end again and
                        // again would be quadratic.
                        None => return (Token::Punct("\""), self.text.len()),
                        Some(b'"') => break,
                        Some(b'\\') => end += 2,
                        Some(_) => end += 1,
                    }
                }
                (Token::Text(&self.text[start + 1..end]), end + 1)
            }
            b'#' if second.is_ascii_digit() => {
                let end = digits(start + 1);
                (Token::Hash(&self.text[start + 1..end]), end)
            }
            b'@' if second.is_ascii_digit() => {
                let end = self.run(start + 1, |b| b.is_ascii_digit() || b == b':');
                (Token::At(&self.text[start + 1..end]), end)
            }
            b':' if second == b'=' => (Token::Punct(":="), start + 2),
            b if b.is_ascii_digit() => {
                let end = digits(start);
                (Token::Number(&self.text[start..end]), end)
            }
            b if symbol(b) => {
                let end = self.run(start, symbol);
                (Token::Word(&self.text[start..end]), end)
            }
            _ => {
                let len = self.text[start..].chars().next().map_or(1, char::len_utf8);
                (Token::Punct(&self.text[start..start + len]), start + len)
            }
        }
    }

    pub fn peek(&self) -> Token<'a> {
        self.scan().0
    }

    pub fn next(&mut self) -> Token<'a> {
        let (token, end) = self.scan();
        self.at = end;
        self.skip_blanks();
        token
    }

    /// One S-expression as text: an atom, or all up to the closing parenthesis.
    pub fn expression(&mut self) -> Option<&'a str> {
        let start = self.at;
        let mut depth = 0usize;
        let mut end = start;
        loop {
            let &b = self.bytes().get(end)?;
            end = match b {
                b'(' => {
                    depth += 1;
                    end + 1
                }
                b')' => {
                    depth = depth.checked_sub(1)?;
                    end + 1
                }
                b'|' => end + 2 + self.text[end + 1..].find('|')?,
                // SMT-LIB's strings: a doubled quote is two strings in a row here.
                b'"' => end + 2 + self.text[end + 1..].find('"')?,
                b';' => self.run(end, |b| b != b'\n'),
                b' ' | b'\t' | b'\n' | b'\r' => end + 1,
                b':' | b'#' => self.run(end + 1, symbol),
                b if symbol(b) => self.run(end, symbol),
                _ => return None,
            };
            if depth == 0 {
                break;
            }
        }
        self.at = end;
        self.skip_blanks();
        (end > start).then(|| &self.text[start..end])
    }
}

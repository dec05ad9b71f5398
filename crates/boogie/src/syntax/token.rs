//! The tokens of Boogie.

use logos::Logos;

/// The kind of a token.
///
/// The kinds up to [`TokenKind::Measure`] are identifiers, or words that are keywords only where
/// the grammar expects them: older programs use them as names (see [`TokenKind::is_ident`]).
#[derive(Logos, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[logos(skip r"[ \t\r\n]+")]
pub enum TokenKind {
    // Identifiers and contextual keywords.
    #[regex(r"\\?[A-Za-z'~#$^_.?`][A-Za-z'~#$^_.?`0-9]*")]
    Ident,
    #[token("action")]
    Action,
    #[token("async")]
    Async,
    #[token("asserts")]
    Asserts,
    #[token("atomic")]
    Atomic,
    #[token("both")]
    Both,
    #[token("creates")]
    Creates,
    #[token("datatype")]
    Datatype,
    #[token("hide")]
    Hide,
    #[token("hideable")]
    Hideable,
    #[token("left")]
    Left,
    #[token("par")]
    Par,
    #[token("pop")]
    Pop,
    #[token("preserves")]
    Preserves,
    #[token("pure")]
    Pure,
    #[token("push")]
    Push,
    #[token("refines")]
    Refines,
    #[token("reveal")]
    Reveal,
    #[token("revealed")]
    Revealed,
    #[token("right")]
    Right,
    #[token("uses")]
    Uses,
    #[token("using")]
    Using,
    #[token("yield")]
    Yield,
    #[token("measure")]
    Measure,

    // Keywords.
    #[token("assert")]
    Assert,
    #[token("assume")]
    Assume,
    #[token("axiom")]
    Axiom,
    #[token("bool")]
    Bool,
    #[token("break")]
    Break,
    #[token("call")]
    Call,
    #[token("const")]
    Const,
    #[token("div")]
    Div,
    #[token("else")]
    Else,
    #[token("ensures")]
    Ensures,
    #[token("exists")]
    #[token("∃")]
    Exists,
    #[token("false")]
    False,
    #[token("forall")]
    #[token("∀")]
    Forall,
    #[token("free")]
    Free,
    #[token("function")]
    Function,
    #[token("goto")]
    Goto,
    #[token("havoc")]
    Havoc,
    #[token("if")]
    If,
    #[token("implementation")]
    Implementation,
    #[token("int")]
    Int,
    #[token("invariant")]
    Invariant,
    #[token("is")]
    Is,
    #[token("lambda")]
    #[token("λ")]
    Lambda,
    // Not Boogie's, but that of Ultimate's programs in Boogie, where it means the same.
    #[token("mod")]
    #[token("%")]
    Mod,
    #[token("modifies")]
    Modifies,
    #[token("old")]
    Old,
    #[token("procedure")]
    Procedure,
    #[token("real")]
    Real,
    #[token("requires")]
    Requires,
    #[token("return")]
    Return,
    #[token("returns")]
    Returns,
    #[token("then")]
    Then,
    #[token("true")]
    True,
    #[token("type")]
    Type,
    #[token("unique")]
    Unique,
    #[token("var")]
    Var,
    #[token("where")]
    Where,
    #[token("while")]
    While,
    #[token("RNE")]
    #[token("roundNearestTiesToEven")]
    Rne,
    #[token("RNA")]
    #[token("roundNearestTiesToAway")]
    Rna,
    #[token("RTP")]
    #[token("roundTowardPositive")]
    Rtp,
    #[token("RTN")]
    #[token("roundTowardNegative")]
    Rtn,
    #[token("RTZ")]
    #[token("roundTowardZero")]
    Rtz,

    // Literals.
    #[regex(r"[0-9]+")]
    Digits,
    #[regex(r"[0-9]+bv[0-9]+")]
    BvLit,
    #[regex(r"[0-9]+e-?[0-9]+")]
    #[regex(r"[0-9]+\.[0-9]+(e-?[0-9]+)?")]
    Decimal,
    #[regex(r"-?0x[0-9A-Fa-f]+\.[0-9A-Fa-f]+e-?[0-9]+f[0-9]+e[0-9]+")]
    #[regex(r"0(NaN|nan|\+oo|-oo)[0-9]+e[0-9]+")]
    Float,
    #[regex(r#""([^"\r\n]|\\")*""#)]
    Str,

    // Punctuation and operators.
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("|{")]
    LCode,
    #[token("}|")]
    RCode,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token(":")]
    Colon,
    #[token("::")]
    #[token("•")]
    ColonColon,
    #[token(":=")]
    Assign,
    #[token("->")]
    Arrow,
    #[token("=")]
    Equals,
    #[token("|")]
    Bar,
    #[token("<==>")]
    #[token("⇔")]
    Iff,
    #[token("==>")]
    #[token("⇒")]
    Implies,
    #[token("<==")]
    #[token("⇐")]
    Explies,
    #[token("&&")]
    #[token("∧")]
    And,
    #[token("||")]
    #[token("∨")]
    Or,
    #[token("!")]
    #[token("¬")]
    Not,
    #[token("==")]
    EqEq,
    #[token("!=")]
    #[token("≠")]
    NotEq,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("≤")]
    LessEq,
    #[token(">")]
    Greater,
    #[token(">=")]
    #[token("≥")]
    GreaterEq,
    #[token("++")]
    PlusPlus,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("**")]
    StarStar,

    // Not for the parser: the lexer takes care of them.
    #[token("//")]
    LineComment,
    #[token("/*")]
    BlockComment,

    // Never matched by a pattern.
    /// Characters that form no token.
    Unknown,
    /// The end of the file.
    Eof,
}

impl TokenKind {
    /// Whether the token may be used as a name.
    #[inline]
    pub fn is_ident(self) -> bool {
        self <= TokenKind::Measure
    }

    /// Whether the token can only start a declaration, wherever it stands.
    pub fn starts_declaration(self) -> bool {
        matches!(
            self,
            TokenKind::Axiom
                | TokenKind::Const
                | TokenKind::Function
                | TokenKind::Implementation
                | TokenKind::Procedure
                | TokenKind::Type
        )
    }

    /// How a message names the kind where it is expected.
    pub fn describe(self) -> &'static str {
        match self {
            TokenKind::Ident => "an identifier",
            TokenKind::Digits => "a number",
            TokenKind::LParen => "`(`",
            TokenKind::RParen => "`)`",
            TokenKind::LBracket => "`[`",
            TokenKind::RBracket => "`]`",
            TokenKind::LBrace => "`{`",
            TokenKind::RBrace => "`}`",
            TokenKind::RCode => "`}|`",
            TokenKind::Comma => "`,`",
            TokenKind::Semi => "`;`",
            TokenKind::Colon => "`:`",
            TokenKind::ColonColon => "`::`",
            TokenKind::Assign => "`:=`",
            TokenKind::Greater => "`>`",
            TokenKind::Then => "`then`",
            TokenKind::Else => "`else`",
            TokenKind::Call => "`call`",
            TokenKind::Axiom => "`axiom`",
            TokenKind::Function => "`function`",
            TokenKind::Invariant => "`invariant`",
            TokenKind::Procedure => "`procedure`",
            TokenKind::Eof => "the end of the file",
            _ => "another token",
        }
    }
}

/// Whether a name must be written with a `\` before it: because it would be read as a keyword (by
/// Boogie itself, too), or as a directive if it were the first word on its line.
pub fn needs_escape(name: &str) -> bool {
    if name.starts_with('#') {
        return name.starts_with("#if") || name.starts_with("#elsif") || matches!(name, "#else" | "#endif");
    }
    let mut lexer = TokenKind::lexer(name);
    match lexer.next() {
        // Names in Boogie, too, wherever they may stand.
        Some(Ok(TokenKind::Ident | TokenKind::Atomic | TokenKind::Both | TokenKind::Left | TokenKind::Right)) => false,
        Some(Ok(_)) => lexer.span().len() == name.len(),
        _ => false,
    }
}

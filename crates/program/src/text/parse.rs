//! From text to a program: one pass, linear, without recursion.
//!
//! Labels and regions may be used before they are defined: they get provisional numbers that are
//! replaced at the end of the region or of the text. A mistake inside a term does not stop the
//! parser; after any other it goes on at the next declaration.

use lariat_term::{Sort, Term, Terms, Var, smtlib::decode_name};

use super::{
    TextError,
    lexer::{Lexer, Token},
    names::{Mistake, Provisional, positions},
    scope::Scope,
};
use crate::ir::{
    AssertId, AssertKind, Assertion, Axiom, Block, BlockId, FileId, FuncDef, Loc, Program, Region, RegionId,
    RegionKind, Stmt, StmtKind, Terminator, VarDecl,
};

/// More errors than this are not collected.
const MAX_ERRORS: usize = 100;

/// Reads a program, adding what it declares to the store. What parses need not satisfy
/// [`verify`](crate::verify()): that is for the caller to check.
pub fn parse(text: &str, terms: &mut Terms) -> Result<Program, Vec<TextError>> {
    let mut p = Parser {
        lexer: Lexer::new(text),
        scope: Scope::default(),
        terms,
        program: Program::default(),
        regions: Provisional::default(),
        announced: 0,
        errors: Vec::new(),
    };
    while p.errors.len() < MAX_ERRORS && p.lexer.peek() != Token::End {
        let start = p.lexer.at;
        if let Err(e) = p.declaration() {
            p.errors.push(e);
            if p.lexer.at == start {
                p.lexer.next();
            }
            p.recover();
        }
    }
    p.finish()
}

type Parsed<T> = Result<T, Mistake>;

struct Parser<'a, 't> {
    lexer: Lexer<'a>,
    scope: Scope,
    terms: &'t mut Terms,
    program: Program,
    regions: Provisional,
    /// The datatypes up to here have been announced.
    announced: usize,
    errors: Vec<Mistake>,
}

impl<'a> Parser<'a, '_> {
    fn finish(mut self) -> Result<Program, Vec<TextError>> {
        let places = &self.regions;
        for (name, at) in places.undefined() {
            self.errors.push(Mistake { at, message: format!("there is no region `{name}`") });
        }
        if !self.errors.is_empty() {
            return Err(positions(self.lexer.text(), self.errors));
        }
        for r in &mut self.program.regions {
            if let RegionKind::Loop { parent } = &mut r.kind {
                parent.0 = places.place(parent.0);
            }
            for s in r.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
                if let StmtKind::Box { callee, .. } = &mut s.kind {
                    callee.0 = places.place(callee.0);
                }
            }
        }
        self.program.entries.iter_mut().for_each(|e| e.0 = places.place(e.0));
        Ok(self.program)
    }

    // Errors

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Mistake { at: self.lexer.at, message: message.into() })
    }

    /// Skips to what looks like the start of a declaration: one of its words at the start of a line.
    fn recover(&mut self) {
        const STARTS: [&str; 13] = [
            "file",
            "sort",
            "datatype",
            "function",
            "const",
            "global",
            "define",
            "axiom",
            "assertion",
            "proc",
            "loop",
            "entry",
            "local",
        ];
        loop {
            let line_start = self.lexer.text()[..self.lexer.at].ends_with('\n');
            match self.lexer.peek() {
                Token::End => return,
                Token::Word(w) if line_start && STARTS.contains(&w) => return,
                _ => self.lexer.next(),
            };
        }
    }

    // Pieces

    fn is(&self, punct: &str) -> bool {
        self.lexer.peek() == Token::Punct(punct)
    }

    fn is_word(&self, word: &str) -> bool {
        self.lexer.peek() == Token::Word(word)
    }

    fn accept(&mut self, punct: &str) -> bool {
        let yes = self.is(punct);
        if yes {
            self.lexer.next();
        }
        yes
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let yes = self.is_word(word);
        if yes {
            self.lexer.next();
        }
        yes
    }

    fn expect(&mut self, punct: &str) -> Parsed<()> {
        if self.accept(punct) { Ok(()) } else { self.error(format!("expected `{punct}`")) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.error(format!("expected `{word}`")) }
    }

    /// A name, bars and escapes removed.
    fn name(&mut self) -> Parsed<String> {
        let (Token::Word(w) | Token::Quoted(w)) = self.lexer.peek() else { return self.error("expected a name") };
        match decode_name(w) {
            Some((name, None)) => {
                self.lexer.next();
                Ok(name)
            }
            _ => self.error("this name has a tilde that escapes nothing"),
        }
    }

    fn number(&mut self, digits: &str) -> Parsed<u32> {
        digits.parse().or_else(|_| self.error("expected a number below 2^32"))
    }

    fn string(&mut self) -> Parsed<Option<String>> {
        let Token::Text(raw) = self.lexer.peek() else { return Ok(None) };
        let mut out = String::with_capacity(raw.len());
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            match chars.next() {
                Some('n') => out.push('\n'),
                Some(c @ ('"' | '\\')) => out.push(c),
                Some('u') => {
                    let hex = chars.as_str().strip_prefix('{').and_then(|s| s.split_once('}'));
                    let Some((hex, rest)) = hex else { return self.error("expected `\\u{…}`") };
                    match u32::from_str_radix(hex, 16).ok().and_then(char::from_u32) {
                        Some(c) => out.push(c),
                        None => return self.error("this is no character"),
                    }
                    chars = rest.chars();
                }
                _ => return self.error("unknown escape in a string"),
            }
        }
        self.lexer.next();
        Ok(Some(out))
    }

    fn loc(&mut self) -> Parsed<Loc> {
        let Token::At(text) = self.lexer.peek() else { return Ok(Loc::NONE) };
        let parts: Option<Vec<u32>> = text.split(':').map(|p| p.parse().ok()).collect();
        let Some([file, line, column]) = parts.as_deref() else { return self.error("expected `@file:line:column`") };
        self.lexer.next();
        Ok(Loc { file: FileId(*file), line: *line, column: *column })
    }

    /// `item, item, …` up to a closing parenthesis.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("(")?;
        let mut items = Vec::new();
        while !self.accept(")") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn expression(&mut self, what: &str) -> Parsed<(usize, &'a str)> {
        let at = self.lexer.at;
        match self.lexer.expression() {
            Some(text) => Ok((at, text)),
            None => self.error(format!("expected {what}")),
        }
    }

    /// A term; one that is wrong is reported and replaced, for its end is known.
    fn term(&mut self) -> Parsed<Term> {
        let (at, text) = self.expression("a term")?;
        match self.scope.term(self.terms, text) {
            Ok(t) => Ok(t),
            Err(e) => {
                self.errors.push(Mistake { at: at + e.offset, message: e.message });
                Ok(self.terms.bool(true))
            }
        }
    }

    fn sort(&mut self) -> Parsed<Sort> {
        let (at, text) = self.expression("a sort")?;
        self.scope.sort(self.terms, text).map_err(|e| Mistake { at: at + e.offset, message: e.message })
    }

    /// `name: Sort`, as a variable.
    fn var_and_sort(&mut self) -> Parsed<(String, Var)> {
        let name = self.name()?;
        self.expect(":")?;
        let sort = self.sort()?;
        let term = self.terms.var(&name, sort);
        match self.terms.as_var(term) {
            Some(var) => Ok((name, var)),
            None => self.error("expected a variable"),
        }
    }

    fn decl(&mut self, own: bool) -> Parsed<VarDecl> {
        let (name, var) = self.var_and_sort()?;
        let source = self.string()?;
        let loc = self.loc()?;
        self.scope.add(name, var, own);
        Ok(VarDecl { var, source, loc })
    }

    /// A variable that is in scope.
    fn var(&mut self) -> Parsed<Var> {
        let at = self.lexer.at;
        let name = self.name()?;
        self.scope.var(&name).ok_or_else(|| Mistake { at, message: format!("there is no variable `{name}`") })
    }

    fn region_ref(&mut self) -> Parsed<RegionId> {
        let at = self.lexer.at;
        let name = self.name()?;
        Ok(RegionId(self.regions.number(name, at)))
    }

    // Declarations

    fn declaration(&mut self) -> Parsed<()> {
        let Token::Word(word) = self.lexer.peek() else { return self.error("expected a declaration") };
        match word {
            "file" => {
                self.lexer.next();
                match self.string()? {
                    Some(f) => self.program.files.push(f),
                    None => return self.error("expected a file name in quotes"),
                }
            }
            "sort" => {
                self.lexer.next();
                let name = self.name()?;
                self.scope.add_sort(self.terms, &name);
            }
            "datatype" => self.datatype()?,
            "function" => self.function()?,
            "const" => {
                self.lexer.next();
                let d = self.decl(false)?;
                self.program.constants.push(d);
            }
            "global" => {
                self.lexer.next();
                let d = self.decl(false)?;
                self.program.globals.push(d);
            }
            "define" => self.define()?,
            "axiom" => {
                self.lexer.next();
                let term = self.term()?;
                let loc = self.loc()?;
                self.program.axioms.push(Axiom { term, loc });
            }
            "assertion" => self.assertion()?,
            "proc" | "loop" => self.region(word == "loop")?,
            "entry" => {
                self.lexer.next();
                let r = self.region_ref()?;
                self.program.entries.push(r);
            }
            _ => return self.error(format!("`{word}` does not start a declaration")),
        }
        Ok(())
    }

    /// Datatypes that follow each other may use each other, so their names come first.
    fn announce_datatypes(&mut self) {
        let start = self.lexer.at;
        if start < self.announced {
            return;
        }
        while self.accept_word("datatype") {
            let Ok(name) = self.name() else { break };
            self.scope.announce_datatype(self.terms, &name);
            while !matches!(self.lexer.next(), Token::Punct("}") | Token::End) {}
            self.announced = self.lexer.at;
        }
        self.lexer.at = start;
    }

    fn datatype(&mut self) -> Parsed<()> {
        self.announce_datatypes();
        self.lexer.next();
        let at = self.lexer.at;
        let name = self.name()?;
        let Some(d) = self.scope.start_datatype(&name) else {
            return Err(Mistake { at, message: format!("datatype `{name}` is declared twice") });
        };
        self.expect("{")?;
        while !self.accept("}") {
            if !self.terms.ctors(d).is_empty() {
                self.expect(",")?;
            }
            let ctor = self.name()?;
            let fields = if self.is("(") {
                self.list(|p| {
                    let name = p.name()?;
                    p.expect(":")?;
                    Ok((name, p.sort()?))
                })?
            } else {
                Vec::new()
            };
            let fields: Vec<(&str, Sort)> = fields.iter().map(|(n, s)| (n.as_str(), *s)).collect();
            self.terms.add_ctor(d, &ctor, &fields);
        }
        self.scope.finish_datatype(self.terms, d);
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.lexer.next();
        let at = self.lexer.at;
        let name = self.name()?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.accept(")") {
            params.push(self.sort()?);
        }
        let result = self.sort()?;
        let builtin = if self.accept_word("builtin") { self.string()? } else { None };
        match self.terms.declare_func(&name, &params, result, builtin.as_deref()) {
            Ok(_) => Ok(()),
            Err(e) => Err(Mistake { at, message: e.0 }),
        }
    }

    fn define(&mut self) -> Parsed<()> {
        self.lexer.next();
        let at = self.lexer.at;
        let name = self.name()?;
        let Some(func) = self.terms.func(&name) else {
            return Err(Mistake { at, message: format!("there is no function `{name}`") });
        };
        self.scope.leave_region();
        let params = self.list(|p| {
            let (name, var) = p.var_and_sort()?;
            p.scope.add(name, var, true);
            Ok(var)
        })?;
        self.expect(":=")?;
        let body = self.term()?;
        let loc = self.loc()?;
        self.scope.leave_region();
        self.program.functions.push(FuncDef { func, params, body, loc });
        Ok(())
    }

    fn assertion(&mut self) -> Parsed<()> {
        self.lexer.next();
        match self.lexer.peek() {
            Token::Hash(n) if n.parse() == Ok(self.program.assertions.len()) => self.lexer.next(),
            _ => return self.error(format!("expected `#{}`", self.program.assertions.len())),
        };
        let Some(kind) = AssertKind::ALL.into_iter().find(|&k| self.is_word(k.name())) else {
            return self.error("expected a kind of assertion");
        };
        self.lexer.next();
        let message = self.string()?;
        let loc = self.loc()?;
        self.program.assertions.push(Assertion { kind, message, loc });
        Ok(())
    }

    // Regions

    fn region(&mut self, is_loop: bool) -> Parsed<()> {
        self.lexer.next();
        let at = self.lexer.at;
        let name = self.name()?;
        if !self.regions.define(name.clone(), at, self.program.regions.len() as u32) {
            self.errors.push(Mistake { at, message: format!("two regions are named `{name}`") });
        }
        let kind = if is_loop {
            self.expect_word("in")?;
            RegionKind::Loop { parent: self.region_ref()? }
        } else {
            RegionKind::Procedure
        };
        self.scope.leave_region();
        let inputs = self.list(|p| p.decl(true))?;
        let outputs = if self.accept_word("->") { self.list(|p| p.decl(true))? } else { Vec::new() };
        let loc = self.loc()?;
        self.expect("{")?;
        let mut locals = Vec::new();
        while self.is_word("local") {
            self.lexer.next();
            locals.push(self.decl(true)?);
        }
        let mut labels = Provisional::default();
        let mut blocks: Vec<Block> = Vec::new();
        while !self.accept("}") {
            let at = self.lexer.at;
            let label = self.name()?;
            self.expect(":")?;
            if !labels.define(label.clone(), at, blocks.len() as u32) {
                self.errors.push(Mistake { at, message: format!("two blocks are labelled `{label}`") });
            }
            let mut stmts = Vec::new();
            let next = loop {
                match self.terminator(&mut labels)? {
                    Some(next) => break next,
                    None => stmts.push(self.stmt()?),
                }
            };
            blocks.push(Block { label, stmts, next });
        }
        for (name, at) in labels.undefined() {
            self.errors.push(Mistake { at, message: format!("there is no block `{name}`") });
        }
        for b in &mut blocks {
            b.next.map_successors(|s| BlockId(labels.place(s.0)));
        }
        self.scope.leave_region();
        self.program.regions.push(Region { name, kind, loc, inputs, outputs, locals, blocks });
        Ok(())
    }

    fn label_ref(&mut self, labels: &mut Provisional) -> Parsed<BlockId> {
        let at = self.lexer.at;
        let name = self.name()?;
        Ok(BlockId(labels.number(name, at)))
    }

    fn terminator(&mut self, labels: &mut Provisional) -> Parsed<Option<Terminator>> {
        Ok(Some(match self.lexer.peek() {
            Token::Word("return") => {
                self.lexer.next();
                Terminator::Return
            }
            Token::Word("stop") => {
                self.lexer.next();
                Terminator::Goto(Vec::new())
            }
            Token::Word("goto") => {
                self.lexer.next();
                let mut to = vec![self.label_ref(labels)?];
                while self.accept(",") {
                    to.push(self.label_ref(labels)?);
                }
                Terminator::Goto(to)
            }
            Token::Word("branch") => {
                self.lexer.next();
                let cond = self.term()?;
                self.expect_word("then")?;
                let yes = self.label_ref(labels)?;
                self.expect_word("else")?;
                Terminator::Branch { cond, yes, no: self.label_ref(labels)? }
            }
            _ => return Ok(None),
        }))
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let kind = match self.lexer.peek() {
            Token::Word("assume") => {
                self.lexer.next();
                StmtKind::Assume(self.term()?)
            }
            Token::Word("assert") => {
                self.lexer.next();
                let Token::Hash(n) = self.lexer.peek() else {
                    return self.error("expected the number of an assertion");
                };
                let id = AssertId(self.number(n)?);
                self.lexer.next();
                StmtKind::Assert { id, cond: self.term()? }
            }
            Token::Word("havoc") => {
                self.lexer.next();
                let mut vars = Vec::new();
                if self.accept("(") {
                    self.expect(")")?;
                } else {
                    while vars.is_empty() || self.accept(",") {
                        vars.push(self.var()?);
                    }
                }
                StmtKind::Havoc(vars)
            }
            Token::Word("box") => {
                self.lexer.next();
                let callee = self.region_ref()?;
                let args = self.list(|p| p.term())?;
                let results = if self.accept_word("->") { self.list(|p| p.var())? } else { Vec::new() };
                StmtKind::Box { callee, args, results }
            }
            Token::Punct(":=") => {
                self.lexer.next();
                StmtKind::Assign(Vec::new())
            }
            _ => {
                let mut pairs = Vec::new();
                while pairs.is_empty() || self.accept(",") {
                    let v = self.var()?;
                    self.expect(":=")?;
                    pairs.push((v, self.term()?));
                }
                StmtKind::Assign(pairs)
            }
        };
        Ok(Stmt { kind, loc: self.loc()? })
    }
}

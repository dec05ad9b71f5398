//! Declarations.

use rustc_hash::FxHashSet;
use smallvec::{Array, SmallVec};

use super::{Parsed, Parser, Stop};
use crate::syntax::Name;
use crate::syntax::arena::Slice;
use crate::syntax::ast::{
    Attr, Axiom, Body, Ctor, Decl, DeclKind, Function, Ident, Implementation, Param, Procedure, Spec, SpecKind,
    TypeKind, Var,
};
use crate::syntax::token::TokenKind;
use lariat_source::Span;

/// A parameter of a function before it is known whether it is a name or a type.
struct RawParam {
    param: Param,
    /// The identifier that the type consists of, if it is just one.
    bare: Option<Ident>,
    /// An error was reported for it.
    wrong: bool,
}

impl Parser<'_> {
    pub(super) fn program(&mut self) {
        while !self.at(TokenKind::Eof) && !self.fatal {
            let start = self.tok.span;
            if self.decl().is_err() && !self.fatal {
                // Whatever the token is, it was reported: going on needs progress.
                if self.tok.span == start {
                    self.bump();
                }
                self.recover_decl();
            }
        }
    }

    fn decl(&mut self) -> Parsed<()> {
        match self.tok.kind {
            TokenKind::Const => self.constants(),
            TokenKind::Function => self.function(false),
            TokenKind::Revealed if self.peek() == TokenKind::Function => {
                self.bump();
                self.function(true)
            }
            TokenKind::Axiom | TokenKind::Hideable => {
                let axiom = self.axiom()?;
                self.push_decl(DeclKind::Axiom(axiom), axiom.span, axiom.attrs);
                Ok(())
            }
            TokenKind::Type => self.types(),
            TokenKind::Datatype => self.datatype(),
            TokenKind::Var => {
                let span = self.bump();
                let attrs = self.attrs()?;
                let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
                self.ids_type_where(attrs, None, &mut vars)?;
                while self.eat(TokenKind::Comma) {
                    self.ids_type_where(attrs, None, &mut vars)?;
                }
                self.semi()?;
                let vars = self.ast.vars.extend(vars);
                self.push_decl(DeclKind::Var(vars), span, attrs);
                Ok(())
            }
            TokenKind::Procedure => self.procedure(false),
            TokenKind::Pure if self.peek() == TokenKind::Procedure => {
                self.bump();
                self.procedure(true)
            }
            TokenKind::Implementation => self.implementation(),
            _ => match self.civl_decl() {
                true => Ok(()),
                false => Err(self.unexpected("a declaration")),
            },
        }
    }

    fn push_decl(&mut self, kind: DeclKind, span: Span, attrs: Slice<Attr>) {
        self.ast.decls.push(Decl { kind, span, attrs });
    }

    /// Parses `a, b: T where e`. `no_where` names the context in which `where` is not allowed.
    pub(super) fn ids_type_where<A: Array<Item = Var>>(
        &mut self,
        attrs: Slice<Attr>,
        no_where: Option<&str>,
        vars: &mut SmallVec<A>,
    ) -> Parsed<()> {
        let mut names: SmallVec<[Ident; 4]> = SmallVec::new();
        names.push(self.ident()?);
        while self.eat(TokenKind::Comma) {
            names.push(self.ident()?);
        }
        self.expect(TokenKind::Colon)?;
        let ty = self.ty()?;
        let mut wher = None;
        if self.eat(TokenKind::Where) {
            wher = Some(self.expr()?);
            if let Some(context) = no_where {
                wher = None;
                let message = format!("a where clause is not allowed on {context}");
                self.complain(self.prev, message);
            }
        }
        vars.extend(names.into_iter().map(|name| Var { attrs, name, ty, wher }));
        Ok(())
    }

    /// Parses one or more formals or bound variables, each group with its attributes.
    pub(super) fn formals(&mut self, no_where: Option<&str>) -> Parsed<Slice<Var>> {
        let mut vars: SmallVec<[Var; 4]> = SmallVec::new();
        loop {
            let attrs = self.attrs()?;
            self.ids_type_where(attrs, no_where, &mut vars)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(self.ast.vars.extend(vars))
    }

    /// Parses formals in parentheses.
    fn formal_list(&mut self, no_where: Option<&str>) -> Parsed<Slice<Var>> {
        self.expect(TokenKind::LParen)?;
        let vars = match self.at(TokenKind::RParen) {
            true => Slice::EMPTY,
            false => self.formals(no_where)?,
        };
        self.expect(TokenKind::RParen)?;
        Ok(vars)
    }

    fn constants(&mut self) -> Parsed<()> {
        let span = self.bump();
        let attrs = self.attrs()?;
        let unique = self.eat(TokenKind::Unique);
        let names = self.idents()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.ty()?;
        let names: SmallVec<[Ident; 4]> = self.ast[names].into();
        let vars = names.into_iter().map(|name| Var { attrs, name, ty, wher: None });
        let vars = self.ast.vars.extend(vars);
        let uses = match self.at(TokenKind::Uses) {
            true => self.uses()?,
            false => {
                self.semi()?;
                Slice::EMPTY
            }
        };
        let kind = DeclKind::Const { unique, vars, uses };
        self.push_decl(kind, span, attrs);
        Ok(())
    }

    /// Parses `uses { axiom …; }`.
    fn uses(&mut self) -> Parsed<Slice<Axiom>> {
        self.bump();
        self.expect(TokenKind::LBrace)?;
        let mut axioms: SmallVec<[Axiom; 2]> = SmallVec::new();
        while !self.eat(TokenKind::RBrace) {
            axioms.push(self.axiom()?);
        }
        Ok(self.ast.axioms.extend(axioms))
    }

    fn axiom(&mut self) -> Parsed<Axiom> {
        let hideable = self.eat(TokenKind::Hideable);
        let span = self.expect(TokenKind::Axiom)?;
        let attrs = self.attrs()?;
        let cond = self.expr()?;
        self.semi()?;
        Ok(Axiom { span, hideable, attrs, cond })
    }

    fn types(&mut self) -> Parsed<()> {
        self.bump();
        let attrs = self.attrs()?;
        loop {
            let name = self.ident()?;
            let mut params: SmallVec<[Ident; 4]> = SmallVec::new();
            while self.tok.kind.is_ident() {
                params.push(self.ident()?);
            }
            let synonym = match self.eat(TokenKind::Equals) {
                true => Some(self.ty()?),
                false => None,
            };
            let params = self.ast.idents.extend(params);
            let kind = DeclKind::Type { name, params, synonym };
            self.push_decl(kind, name.span, attrs);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.semi()
    }

    fn datatype(&mut self) -> Parsed<()> {
        self.bump();
        let attrs = self.attrs()?;
        let name = self.ident()?;
        let params = self.type_params()?;
        self.expect(TokenKind::LBrace)?;
        let mut ctors: SmallVec<[Ctor; 4]> = SmallVec::new();
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        loop {
            let name = self.ident()?;
            let fields = self.formal_list(Some("fields of datatypes"))?;
            if seen.insert(name.name) {
                ctors.push(Ctor { name, fields });
            } else {
                let text = self.ast.text(name.name).to_owned();
                let message = format!("this datatype has two constructors named `{text}`");
                self.complain(name.span, message);
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace)?;
        let ctors = self.ast.ctors.extend(ctors);
        let kind = DeclKind::Datatype { name, params, ctors };
        self.push_decl(kind, name.span, attrs);
        Ok(())
    }

    fn function(&mut self, revealed: bool) -> Parsed<()> {
        self.bump();
        let attrs = self.attrs()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        self.expect(TokenKind::LParen)?;
        let mut raw: SmallVec<[RawParam; 4]> = SmallVec::new();
        if !self.at(TokenKind::RParen) {
            raw.push(self.param()?);
            while self.eat(TokenKind::Comma) {
                raw.push(self.param()?);
            }
        }
        self.expect(TokenKind::RParen)?;
        let result = if self.eat(TokenKind::Returns) {
            self.expect(TokenKind::LParen)?;
            let result = self.param()?.param;
            self.expect(TokenKind::RParen)?;
            result
        } else if self.eat(TokenKind::Colon) {
            Param { attrs: Slice::EMPTY, name: None, ty: self.ty()? }
        } else {
            return Err(self.unexpected("`returns` or `:`"));
        };
        let mut body = None;
        let mut uses = Slice::EMPTY;
        if self.eat(TokenKind::LBrace) {
            body = Some(self.expr()?);
            self.expect(TokenKind::RBrace)?;
            if self.at(TokenKind::Uses) {
                uses = self.uses()?;
            }
        } else if self.at(TokenKind::Uses) {
            uses = self.uses()?;
        } else if self.at(TokenKind::Semi) {
            self.bump();
        } else {
            return Err(self.unexpected("`;` or a body"));
        }
        self.name_params(&mut raw);
        if body.is_some() && self.ast.flag(attrs, "define") {
            if self.ast.flag(attrs, "inline") {
                let message = "a function cannot have both `inline` and `define`";
                self.complain(self.prev, message);
            } else if !type_params.is_empty() {
                let message = "a function with `define` cannot have type parameters";
                self.complain(self.prev, message);
            }
        }
        let params = self.ast.params.extend(raw.into_iter().map(|raw| raw.param));
        let function = self.ast.functions.push(Function { revealed, name, type_params, params, result, body, uses });
        self.push_decl(DeclKind::Function(function), name.span, attrs);
        Ok(())
    }

    /// Parses `T` or `x: T`.
    fn param(&mut self) -> Parsed<RawParam> {
        let attrs = self.attrs()?;
        let first = self.tok;
        let mut ty = self.ty()?;
        let mut bare = None;
        if first.kind.is_ident() && self.prev == first.span {
            let text = self.source(first.span);
            let text = text.strip_prefix('\\').unwrap_or(text);
            bare = Some(Ident { name: self.ast.names.intern(text), span: first.span });
        }
        let mut name = None;
        let mut wrong = false;
        if self.eat(TokenKind::Colon) {
            name = bare.take();
            wrong = name.is_none();
            if wrong {
                self.complain(self.prev, "expected an identifier before `:`");
            }
            ty = self.ty()?;
        }
        let param = Param { attrs, name, ty };
        Ok(RawParam { param, bare, wrong })
    }

    /// If one parameter has a name, all have: in `x, y: int` the `x` is not a type.
    fn name_params(&mut self, params: &mut [RawParam]) {
        if params.iter().all(|raw| raw.param.name.is_none()) {
            return;
        }
        let mut later = None;
        for raw in params.iter_mut().rev() {
            if raw.param.name.is_some() || raw.wrong {
                later = Some(raw.param.ty);
                continue;
            }
            let span = self.ast[raw.param.ty].span;
            match (raw.bare, later) {
                (_, None) => {
                    self.complain(span, "the type of the last parameter is missing");
                    return;
                }
                (Some(name), Some(ty)) => {
                    raw.param.name = Some(name);
                    raw.param.ty = ty;
                }
                (None, _) => {
                    // An error was reported already if the type itself is wrong.
                    if self.ast[raw.param.ty].kind != TypeKind::Error {
                        self.complain(span, "expected an identifier as the name of the parameter");
                    }
                }
            }
        }
    }

    fn procedure(&mut self, pure: bool) -> Parsed<()> {
        self.bump();
        let attrs = self.attrs()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        let ins = self.formal_list(None)?;
        let outs = match self.eat(TokenKind::Returns) {
            true => self.formal_list(None)?,
            false => Slice::EMPTY,
        };
        let no_body = self.eat(TokenKind::Semi);
        let mut specs: SmallVec<[Spec; 8]> = SmallVec::new();
        while self.starts_clause() {
            match self.clause() {
                Ok(Some(spec)) => specs.push(spec),
                Ok(None) => {}
                Err(Stop) => self.recover_clause()?,
            }
        }
        let specs = self.ast.specs.extend(specs);
        let body = match no_body {
            true => None,
            false => Some(self.body()?),
        };
        let procedure = self.ast.procedures.push(Procedure { pure, name, type_params, ins, outs, specs, body });
        self.push_decl(DeclKind::Procedure(procedure), name.span, attrs);
        Ok(())
    }

    fn starts_clause(&self) -> bool {
        matches!(
            self.tok.kind,
            TokenKind::Requires
                | TokenKind::Ensures
                | TokenKind::Modifies
                | TokenKind::Free
                | TokenKind::Preserves
                | TokenKind::Measure
        )
    }

    /// Parses a clause of a contract; `None` if it was reported as not supported.
    fn clause(&mut self) -> Parsed<Option<Spec>> {
        let free = self.eat(TokenKind::Free);
        let keyword = self.tok.kind;
        let span = self.tok.span;
        match keyword {
            TokenKind::Requires | TokenKind::Ensures | TokenKind::Preserves => {
                self.bump();
                let attrs = self.attrs()?;
                if self.at(TokenKind::Call) {
                    self.unsupported_clause("yield invariants")?;
                    return Ok(None);
                }
                let cond = self.expr()?;
                self.semi()?;
                let kind = match keyword {
                    TokenKind::Requires => SpecKind::Requires { free, cond },
                    TokenKind::Ensures => SpecKind::Ensures { free, cond },
                    _ => SpecKind::Preserves { free, cond },
                };
                Ok(Some(Spec { span, attrs, kind }))
            }
            TokenKind::Modifies if !free => {
                self.bump();
                let names = match self.at(TokenKind::Semi) {
                    true => Slice::EMPTY,
                    false => self.idents()?,
                };
                self.semi()?;
                Ok(Some(Spec { span, attrs: Slice::EMPTY, kind: SpecKind::Modifies(names) }))
            }
            TokenKind::Measure if !free => {
                self.bump();
                let attrs = self.attrs()?;
                let exprs = self.exprs()?;
                self.semi()?;
                Ok(Some(Spec { span, attrs, kind: SpecKind::Measure(exprs) }))
            }
            _ => Err(self.unexpected("`requires` or `ensures`")),
        }
    }

    fn implementation(&mut self) -> Parsed<()> {
        self.bump();
        let attrs = self.attrs()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        let no_where = Some("the formals of an implementation");
        let ins = self.formal_list(no_where)?;
        let outs = match self.eat(TokenKind::Returns) {
            true => self.formal_list(no_where)?,
            false => Slice::EMPTY,
        };
        let body = self.body()?;
        let implementation = self.ast.implementations.push(Implementation { name, type_params, ins, outs, body });
        self.push_decl(DeclKind::Implementation(implementation), name.span, attrs);
        Ok(())
    }

    fn body(&mut self) -> Parsed<Body> {
        self.expect(TokenKind::LBrace)?;
        let locals = self.locals()?;
        let stmts = self.block_rest()?;
        Ok(Body { locals, stmts, end: self.prev })
    }
}

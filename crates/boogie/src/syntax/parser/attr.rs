//! Attributes and triggers.

use smallvec::SmallVec;

use super::{Parsed, Parser};
use crate::syntax::arena::Slice;
use crate::syntax::ast::{Attr, AttrArg, ExprId, Trigger};
use crate::syntax::token::TokenKind;

type Attrs = SmallVec<[Attr; 4]>;
type Triggers = SmallVec<[Trigger; 2]>;

impl Parser<'_> {
    /// Parses attributes, where a trigger is an error.
    #[inline]
    pub(super) fn attrs(&mut self) -> Parsed<Slice<Attr>> {
        if !self.at(TokenKind::LBrace) {
            return Ok(Slice::EMPTY);
        }
        let mut attrs = Attrs::new();
        let mut triggers = Triggers::new();
        while self.at(TokenKind::LBrace) {
            self.attr_or_trigger(&mut attrs, &mut triggers)?;
            if !triggers.is_empty() {
                triggers.clear();
                self.complain(self.prev, "only attributes, not triggers, are allowed here");
            }
        }
        Ok(self.ast.attrs.extend(attrs))
    }

    /// Parses the attributes and triggers of a quantifier.
    pub(super) fn attrs_and_triggers(&mut self) -> Parsed<(Slice<Attr>, Slice<Trigger>)> {
        let mut attrs = Attrs::new();
        let mut triggers = Triggers::new();
        while self.at(TokenKind::LBrace) {
            self.attr_or_trigger(&mut attrs, &mut triggers)?;
        }
        Ok((self.ast.attrs.extend(attrs), self.ast.triggers.extend(triggers)))
    }

    fn attr_or_trigger(&mut self, attrs: &mut Attrs, triggers: &mut Triggers) -> Parsed<()> {
        let span = self.expect(TokenKind::LBrace)?;
        if !self.eat(TokenKind::Colon) {
            let patterns = self.exprs()?;
            self.expect(TokenKind::RBrace)?;
            triggers.push(Trigger { negated: false, patterns, span });
            return Ok(());
        }
        let name = self.ident()?;
        let mut args: SmallVec<[AttrArg; 4]> = SmallVec::new();
        if !self.at(TokenKind::RBrace) {
            args.push(self.attr_arg()?);
            while self.eat(TokenKind::Comma) {
                args.push(self.attr_arg()?);
            }
        }
        if self.ast.text(name.name) == "nopats" {
            if let [AttrArg::Expr(pattern)] = args[..] {
                let patterns = self.ast.expr_lists.extend([pattern]);
                triggers.push(Trigger { negated: true, patterns, span });
            } else {
                self.complain(self.prev, "`nopats` takes exactly one expression");
            }
        } else {
            let args = self.ast.attr_args.extend(args);
            attrs.push(Attr { name, args });
        }
        self.expect(TokenKind::RBrace)?;
        Ok(())
    }

    fn attr_arg(&mut self) -> Parsed<AttrArg> {
        if self.at(TokenKind::Str) {
            let span = self.bump();
            return Ok(AttrArg::Str(self.string(span)));
        }
        Ok(AttrArg::Expr(self.expr()?))
    }

    /// Parses one or more expressions separated by commas.
    pub(super) fn exprs(&mut self) -> Parsed<Slice<ExprId>> {
        let mut list: SmallVec<[ExprId; 8]> = SmallVec::new();
        list.push(self.expr()?);
        while self.eat(TokenKind::Comma) {
            list.push(self.expr()?);
        }
        Ok(self.ast.expr_lists.extend(list))
    }

    /// Parses the rest of an argument list after its `(`, including the `)`.
    pub(super) fn args(&mut self) -> Parsed<Slice<ExprId>> {
        if self.eat(TokenKind::RParen) {
            return Ok(Slice::EMPTY);
        }
        let args = self.exprs()?;
        self.expect(TokenKind::RParen)?;
        Ok(args)
    }
}

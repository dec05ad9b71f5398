//! Types.

use smallvec::SmallVec;

use super::{Parsed, Parser};
use crate::syntax::arena::Slice;
use crate::syntax::ast::{MapType, Type, TypeId, TypeKind};
use crate::syntax::float::parse_sizes;
use crate::syntax::token::TokenKind;
use crate::syntax::{MAX_BV_WIDTH, MAX_FLOAT_BITS};
use lariat_source::Span;

impl Parser<'_> {
    /// Parses a type.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.nested(Self::ty_here)
    }

    fn new_type(&mut self, kind: TypeKind, span: Span) -> TypeId {
        self.ast.types.push(Type { kind, span })
    }

    fn ty_here(&mut self) -> Parsed<TypeId> {
        match self.tok.kind {
            TokenKind::Less | TokenKind::LBracket => self.map_type(),
            kind if kind.is_ident() => {
                let id = self.ident()?;
                let mut args: SmallVec<[TypeId; 4]> = SmallVec::new();
                // Arguments are atoms, except that a map type may be the last one.
                loop {
                    match self.tok.kind {
                        TokenKind::Less | TokenKind::LBracket => {
                            args.push(self.nested(Self::map_type)?);
                            break;
                        }
                        TokenKind::Int | TokenKind::Real | TokenKind::Bool | TokenKind::LParen => {
                            args.push(self.type_atom()?);
                        }
                        // A `uses` clause follows the type of a constant or function.
                        TokenKind::Uses => break,
                        kind if kind.is_ident() => {
                            let arg = self.ident()?;
                            let kind = self.named(arg.name, arg.span, Slice::EMPTY);
                            args.push(self.new_type(kind, arg.span));
                        }
                        _ => break,
                    }
                }
                let args = self.ast.type_lists.extend(args);
                let kind = self.named(id.name, id.span, args);
                Ok(self.new_type(kind, id.span))
            }
            _ => self.type_atom(),
        }
    }

    fn type_atom(&mut self) -> Parsed<TypeId> {
        let kind = match self.tok.kind {
            TokenKind::Int => TypeKind::Int,
            TokenKind::Real => TypeKind::Real,
            TokenKind::Bool => TypeKind::Bool,
            TokenKind::LParen => {
                self.bump();
                let ty = self.ty()?;
                self.expect(TokenKind::RParen)?;
                return Ok(ty);
            }
            _ => return Err(self.unexpected("a type")),
        };
        let span = self.bump();
        Ok(self.new_type(kind, span))
    }

    fn map_type(&mut self) -> Parsed<TypeId> {
        let span = self.tok.span;
        let type_params = self.type_params()?;
        self.expect(TokenKind::LBracket)?;
        let mut args: SmallVec<[TypeId; 4]> = SmallVec::new();
        if !self.at(TokenKind::RBracket) {
            args.push(self.ty()?);
            while self.eat(TokenKind::Comma) {
                args.push(self.ty()?);
            }
        }
        self.expect(TokenKind::RBracket)?;
        let result = self.ty()?;
        let args = self.ast.type_lists.extend(args);
        let map = self.ast.map_types.push(MapType { type_params, args, result });
        Ok(self.new_type(TypeKind::Map(map), span))
    }

    /// The kind of a type that is written as a name.
    fn named(&mut self, name: crate::syntax::Name, span: Span, args: Slice<TypeId>) -> TypeKind {
        if args.is_empty() {
            let text = self.source(span);
            let text = text.strip_prefix('\\').unwrap_or(text);
            if let Some(kind) = self.built_in(text, span) {
                return kind;
            }
        }
        TypeKind::Named { name, args }
    }

    fn built_in(&mut self, text: &str, span: Span) -> Option<TypeKind> {
        if let Some(width) = text.strip_prefix("bv")
            && !width.is_empty()
            && width.bytes().all(|b| b.is_ascii_digit())
        {
            return Some(TypeKind::Bv(self.width(width, span)));
        }
        if let Some(sizes) = text.strip_prefix("float")
            && sizes.starts_with(|c: char| c.is_ascii_digit())
        {
            let (significand, exponent) = parse_sizes(sizes)?;
            if significand > MAX_FLOAT_BITS || exponent > MAX_FLOAT_BITS {
                self.too_large(span, format!("the parts of a float have at most {MAX_FLOAT_BITS} bits"));
                return Some(TypeKind::Error);
            }
            return Some(TypeKind::Float { significand, exponent });
        }
        match text {
            "rmode" => Some(TypeKind::RMode),
            "string" => Some(TypeKind::String),
            "regex" => Some(TypeKind::RegEx),
            _ => None,
        }
    }

    /// Reads the digits of a bit-vector width; reports one that is too large and reads it as 0.
    pub(super) fn width(&mut self, digits: &str, span: Span) -> u32 {
        match digits.parse() {
            Ok(width) if width <= MAX_BV_WIDTH => width,
            _ => {
                self.too_large(span, format!("bit-vectors have at most {MAX_BV_WIDTH} bits"));
                0
            }
        }
    }
}

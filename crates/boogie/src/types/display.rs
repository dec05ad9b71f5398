//! Types as text, for messages.

use std::fmt;

use super::{Ty, TyKind, Types};
use crate::syntax::{Ast, DeclId, DeclKind};

impl Types {
    /// The type as Boogie text. What is longer than the limit of `names` ends in `…`, because the
    /// text of a type may be exponentially longer than the type.
    pub fn display<'a>(&'a self, ty: Ty, names: &'a TypeNames<'a>) -> impl fmt::Display + 'a {
        Shown { types: self, ty, names }
    }
}

/// Where [`Types::display`] finds the names of types.
#[derive(Clone, Copy, Debug)]
pub struct TypeNames<'a> {
    /// The program.
    pub ast: &'a Ast,
    /// The declaration of each datatype, by [`DatatypeId::index`](crate::typed::DatatypeId::index).
    pub datatypes: &'a [DeclId],
    /// About how many bytes to write at most.
    pub limit: usize,
}

impl TypeNames<'_> {
    fn decl(&self, decl: DeclId) -> &str {
        match self.ast[decl].kind {
            DeclKind::Type { name, .. } | DeclKind::Datatype { name, .. } => self.ast.text(name.name),
            _ => "?",
        }
    }
}

struct Shown<'a> {
    types: &'a Types,
    ty: Ty,
    names: &'a TypeNames<'a>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Item {
            Type(Ty, bool),
            Text(&'static str),
            Leave,
        }
        // Names for bound parameters: the parameters of the outermost map come first.
        let mut binders: Vec<u32> = Vec::new();
        let mut bound = 0;
        let mut written = 0;
        let mut stack = vec![Item::Type(self.ty, false)];
        let mut out = |f: &mut fmt::Formatter<'_>, text: &str| {
            written += text.len();
            f.write_str(text)?;
            Ok(written <= self.names.limit)
        };
        while let Some(item) = stack.pop() {
            let (ty, nested) = match item {
                Item::Type(ty, nested) => (ty, nested),
                Item::Text(text) => {
                    out(f, text)?;
                    continue;
                }
                Item::Leave => {
                    bound -= binders.pop().unwrap_or(0);
                    continue;
                }
            };
            let more = match self.types.kind(ty) {
                TyKind::Error => out(f, "?")?,
                TyKind::Bool => out(f, "bool")?,
                TyKind::Int => out(f, "int")?,
                TyKind::Real => out(f, "real")?,
                TyKind::RMode => out(f, "rmode")?,
                TyKind::String => out(f, "string")?,
                TyKind::RegEx => out(f, "regex")?,
                TyKind::Bv(width) => out(f, &format!("bv{width}"))?,
                TyKind::Float { significand, exponent } => out(f, &format!("float{significand}e{exponent}"))?,
                TyKind::Var(var) => out(f, self.names.ast.text(self.names.ast[var].name))?,
                TyKind::Bound { binder, index } => {
                    let inner = binders.iter().rev().take(binder as usize + 1);
                    let first = bound - inner.sum::<u32>().min(bound);
                    out(f, &bound_name(first + index))?
                }
                TyKind::Proxy(_) => out(f, "_")?,
                TyKind::Ctor { args, .. } | TyKind::Data { args, .. } => {
                    let parens = nested && !args.is_empty();
                    if parens {
                        out(f, "(")?;
                        stack.push(Item::Text(")"));
                    }
                    for &arg in self.types.list(args).iter().rev() {
                        stack.push(Item::Type(arg, true));
                        stack.push(Item::Text(" "));
                    }
                    let name = match self.types.kind(ty) {
                        TyKind::Ctor { decl, .. } => self.names.decl(decl),
                        TyKind::Data { data, .. } => match self.names.datatypes.get(data.index()) {
                            Some(&decl) => self.names.decl(decl),
                            None => "?",
                        },
                        _ => "?",
                    };
                    out(f, name)?
                }
                TyKind::Map { params, args, result } => {
                    if nested {
                        out(f, "(")?;
                        stack.push(Item::Text(")"));
                    }
                    if params > 0 {
                        let names: Vec<_> = (bound..bound + params).map(bound_name).collect();
                        out(f, &format!("<{}>", names.join(", ")))?;
                    }
                    binders.push(params);
                    bound += params;
                    stack.push(Item::Leave);
                    stack.push(Item::Type(result, false));
                    stack.push(Item::Text("]"));
                    for (index, &arg) in self.types.list(args).iter().enumerate().rev() {
                        stack.push(Item::Type(arg, false));
                        if index > 0 {
                            stack.push(Item::Text(", "));
                        }
                    }
                    out(f, "[")?
                }
            };
            if !more {
                return f.write_str("…");
            }
        }
        Ok(())
    }
}

fn bound_name(number: u32) -> String {
    match number {
        0..26 => char::from(b'a' + number as u8).to_string(),
        _ => format!("a{number}"),
    }
}

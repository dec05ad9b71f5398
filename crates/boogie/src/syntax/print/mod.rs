//! The tree as Boogie text again.
//!
//! Parsing the text gives the same tree, except for spans: parentheses are put where they are
//! needed and nowhere else, names that look like keywords are escaped, attributes are kept. The
//! layout is one line per statement and clause. A tree with `Error` nodes prints, but does not
//! parse.
//!
//! Printing is linear in the size of the tree. Expressions are printed with an explicit stack;
//! statements and types, whose nesting the parser limits, by recursion on a stack that grows.

mod decl;
mod expr;
mod stmt;

use super::ast::{Ast, Attr, AttrArg, Axiom, DeclId, ExprId, ExprKind, Ident, Param, Type, TypeId, TypeKind, Var};
use super::token::needs_escape;
use super::{Name, Slice};

/// A whole program as text.
///
/// ```
/// use lariat_source::{Diagnostics, SourceMap};
/// use lariat_boogie::{syntax::{Ast, parse, print}};
/// let mut map = SourceMap::new();
/// let text = "var  x:int; procedure P() modifies x; { x := (x*1) - (2-3); }";
/// let file = map.add("a.bpl", text).unwrap();
/// let (mut ast, mut diags) = (Ast::new(), Diagnostics::new());
/// parse(&mut ast, &map, file, &mut diags);
/// assert_eq!(
///     print(&ast),
///     "var x: int;\n\nprocedure P()\n  modifies x;\n{\n  x := x * 1 - (2 - 3);\n}\n"
/// );
/// ```
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer::new(ast);
    let mut last = None;
    for (_, decl) in ast.decls.iter() {
        printer.separate(last, decl);
        printer.decl(decl);
        last = Some(decl);
    }
    printer.out
}

/// One declaration as text.
pub fn print_decl(ast: &Ast, decl: DeclId) -> String {
    let mut printer = Printer::new(ast);
    printer.decl(&ast[decl]);
    printer.out
}

/// An expression as text.
pub fn print_expr(ast: &Ast, expr: ExprId) -> String {
    let mut printer = Printer::new(ast);
    printer.expr(expr);
    printer.out
}

/// A type as text.
pub fn print_type(ast: &Ast, ty: TypeId) -> String {
    let mut printer = Printer::new(ast);
    printer.ty(ty);
    printer.out
}

/// A program as text that shows its structure, with parentheses around every operand: two programs
/// with the same text are the same tree.
#[cfg(test)]
pub(super) fn print_structure(ast: &Ast) -> String {
    let mut printer = Printer::new(ast);
    printer.all_parens = true;
    for (_, decl) in ast.decls.iter() {
        printer.decl(decl);
    }
    printer.out
}

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
    /// How many blanks a new line starts with.
    indent: usize,
    /// Put parentheses around every operand: the structure is then visible in the text, which
    /// lets tests compare trees.
    all_parens: bool,
}

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast) -> Printer<'a> {
        Printer { ast, out: String::new(), indent: 0, all_parens: false }
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        // A limit keeps the text of deeply nested statements linear.
        let blanks = self.indent.min(80);
        self.out.extend(std::iter::repeat_n(' ', blanks));
    }

    fn name(&mut self, name: Name) {
        let text = self.ast.text(name);
        if needs_escape(text) {
            self.out.push('\\');
        }
        self.out.push_str(text);
    }

    fn idents(&mut self, idents: Slice<Ident>) {
        for (i, ident) in self.ast[idents].iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.name(ident.name);
        }
    }

    fn type_params(&mut self, params: Slice<Ident>) {
        if !params.is_empty() {
            self.text("<");
            self.idents(params);
            self.text(">");
        }
    }

    /// Prints attributes, each with a blank after it.
    fn attrs(&mut self, attrs: Slice<Attr>) {
        for attr in &self.ast[attrs] {
            self.text("{:");
            self.name(attr.name.name);
            for (i, arg) in self.ast[attr.args].iter().enumerate() {
                self.text(if i > 0 { ", " } else { " " });
                match *arg {
                    AttrArg::Str(text) => {
                        self.text("\"");
                        self.text(self.ast.text(text));
                        self.text("\"");
                    }
                    AttrArg::Expr(expr) => {
                        // A string at the start would be taken for the whole argument.
                        let parens = matches!(self.ast[self.leftmost(expr)].kind, ExprKind::Str(_));
                        self.text(if parens { "(" } else { "" });
                        self.expr(expr);
                        self.text(if parens { ")" } else { "" });
                    }
                }
            }
            self.text("} ");
        }
    }

    fn exprs(&mut self, exprs: Slice<ExprId>) {
        for (i, &expr) in self.ast[exprs].iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.expr(expr);
        }
    }

    /// Prints variables with their types, `own_attrs` if their attributes are not those of the
    /// whole declaration. Neighbours that were declared together stay together.
    fn vars(&mut self, vars: Slice<Var>, own_attrs: bool) {
        let mut last: Option<&Var> = None;
        for var in &self.ast[vars] {
            if let Some(last) = last {
                if (last.ty, last.wher, last.attrs) == (var.ty, var.wher, var.attrs) {
                    self.text(", ");
                    self.name(var.name.name);
                    continue;
                }
                self.type_and_where(last);
                self.text(", ");
            }
            if own_attrs {
                self.attrs(var.attrs);
            }
            self.name(var.name.name);
            last = Some(var);
        }
        if let Some(last) = last {
            self.type_and_where(last);
        }
    }

    fn type_and_where(&mut self, var: &Var) {
        self.text(": ");
        self.ty(var.ty);
        if let Some(wher) = var.wher {
            self.text(" where ");
            self.expr(wher);
        }
    }

    fn param(&mut self, param: &Param) {
        self.attrs(param.attrs);
        if let Some(name) = param.name {
            self.name(name.name);
            self.text(": ");
        }
        self.ty(param.ty);
    }

    fn axiom(&mut self, axiom: &Axiom) {
        if axiom.hideable {
            self.text("hideable ");
        }
        self.text("axiom ");
        self.attrs(axiom.attrs);
        self.expr(axiom.cond);
        self.text(";");
    }

    fn ty(&mut self, ty: TypeId) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.ty_here(&self.ast[ty]));
    }

    fn ty_here(&mut self, ty: &Type) {
        match ty.kind {
            TypeKind::Error => self.text("/* error */"),
            TypeKind::Bool => self.text("bool"),
            TypeKind::Int => self.text("int"),
            TypeKind::Real => self.text("real"),
            TypeKind::Bv(width) => {
                self.text("bv");
                self.text(&width.to_string());
            }
            TypeKind::Float { significand, exponent } => {
                self.text("float");
                self.text(&significand.to_string());
                self.text("e");
                self.text(&exponent.to_string());
            }
            TypeKind::RMode => self.text("rmode"),
            TypeKind::String => self.text("string"),
            TypeKind::RegEx => self.text("regex"),
            TypeKind::Named { name, args } => {
                self.name(name);
                for &arg in &self.ast[args] {
                    self.text(" ");
                    let parens = match self.ast[arg].kind {
                        TypeKind::Named { args, .. } => !args.is_empty(),
                        TypeKind::Map(_) => true,
                        _ => false,
                    };
                    if parens {
                        self.text("(");
                        self.ty(arg);
                        self.text(")");
                    } else {
                        self.ty(arg);
                    }
                }
            }
            TypeKind::Map(map) => {
                let map = &self.ast[map];
                self.type_params(map.type_params);
                self.text("[");
                for (i, &arg) in self.ast[map.args].iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.ty(arg);
                }
                self.text("]");
                self.ty(map.result);
            }
        }
    }
}

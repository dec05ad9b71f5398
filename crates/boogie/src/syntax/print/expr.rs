//! Expressions, with an explicit stack of what is still to be printed.

use super::Printer;
use crate::syntax::ast::{BinOp, ExprId, ExprKind, Quant, QuantKind, RoundingMode, TypeId, UnOp};
use crate::syntax::{Name, Slice};

/// Something still to be printed.
#[derive(Clone, Copy)]
enum Item {
    /// An expression that needs parentheses if it binds less tightly than the level.
    Expr(ExprId, u8),
    Text(&'static str),
    Name(Name),
    Type(TypeId),
    /// `[hi:lo]`
    Bounds(u32, u32),
}

// Levels above those of binary operators (1 to 8). An expression of level 0 takes everything that
// follows it, so it needs parentheses wherever something may follow.
const ANY: u8 = 0;
const IS: u8 = 9;
const UNARY: u8 = 10;
const POSTFIX: u8 = 12;
const ATOM: u8 = 13;

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: ExprId) {
        // The parts of a binder other than its body are printed by recursion.
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(expr));
    }

    fn expr_here(&mut self, expr: ExprId) {
        let mut stack = vec![Item::Expr(expr, ANY)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => self.text(text),
                Item::Name(name) => self.name(name),
                Item::Type(ty) => self.ty(ty),
                Item::Bounds(hi, lo) => self.text(&format!("[{hi}:{lo}]")),
                Item::Expr(expr, min) => {
                    let level = self.level(expr);
                    let parens = level < min || self.all_parens && level < ATOM;
                    if parens {
                        self.text("(");
                        stack.push(Item::Text(")"));
                    }
                    self.operands(expr, &mut stack);
                }
            }
        }
    }

    /// How tightly an expression binds.
    fn level(&self, expr: ExprId) -> u8 {
        match self.ast[expr].kind {
            ExprKind::Binary { op, .. } => op.level(),
            ExprKind::Is { .. } => IS,
            ExprKind::Unary { .. } => UNARY,
            // The type of a coercion would take what follows as its arguments.
            ExprKind::Coerce { .. } | ExprKind::Ite { .. } => ANY,
            ExprKind::Field { .. }
            | ExprKind::FieldUpdate { .. }
            | ExprKind::Select { .. }
            | ExprKind::Store { .. }
            | ExprKind::Extract { .. } => POSTFIX,
            _ => ATOM,
        }
    }

    /// The level that an operand of a binary operator needs.
    fn operand_level(&self, op: BinOp, operand: ExprId, left: bool) -> u8 {
        let level = op.level();
        if let ExprKind::Binary { op: inner, .. } = self.ast[operand].kind {
            let same = inner.level() == level && left != op.is_right_associative();
            let mixable = inner == op || level >= BinOp::Concat.level();
            if same && mixable && !op.is_relation() {
                return level;
            }
        }
        level + 1
    }

    /// Prints the start of an expression and pushes the rest.
    fn operands(&mut self, expr: ExprId, stack: &mut Vec<Item>) {
        match self.ast[expr].kind {
            ExprKind::Error => self.text("/* error */"),
            ExprKind::Bool(true) => self.text("true"),
            ExprKind::Bool(false) => self.text("false"),
            ExprKind::Int(text) | ExprKind::Real(text) | ExprKind::Float(text) => {
                self.text(self.ast.text(text));
            }
            ExprKind::Bv { value, width } => {
                self.text(self.ast.text(value));
                self.text("bv");
                self.text(&width.to_string());
            }
            ExprKind::Str(text) => {
                self.text("\"");
                self.text(self.ast.text(text));
                self.text("\"");
            }
            ExprKind::Rounding(mode) => self.text(match mode {
                RoundingMode::Rne => "RNE",
                RoundingMode::Rna => "RNA",
                RoundingMode::Rtp => "RTP",
                RoundingMode::Rtn => "RTN",
                RoundingMode::Rtz => "RTZ",
            }),
            ExprKind::Var(name) => self.name(name),
            ExprKind::Call { func, args } => {
                self.name(func);
                self.text("(");
                stack.push(Item::Text(")"));
                self.push_list(args, stack);
            }
            ExprKind::Old(arg) => self.keyword_call("old(", arg, stack),
            ExprKind::ToInt(arg) => self.keyword_call("int(", arg, stack),
            ExprKind::ToReal(arg) => self.keyword_call("real(", arg, stack),
            ExprKind::Unary { op, arg } => {
                self.text(match op {
                    UnOp::Neg => "-",
                    UnOp::Not => "!",
                });
                // `-` right before a float literal would be read as a part of it.
                if matches!(self.ast[self.leftmost(arg)].kind, ExprKind::Float(_)) {
                    self.text(" ");
                }
                stack.push(Item::Expr(arg, UNARY));
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let lhs_level = self.operand_level(op, lhs, true);
                let rhs_level = self.operand_level(op, rhs, false);
                stack.extend([
                    Item::Expr(rhs, rhs_level),
                    Item::Text(" "),
                    Item::Text(op.symbol()),
                    Item::Text(" "),
                    Item::Expr(lhs, lhs_level),
                ]);
            }
            ExprKind::Is { arg, ctor } => {
                stack.extend([Item::Name(ctor), Item::Text(" is "), Item::Expr(arg, UNARY)]);
            }
            ExprKind::Field { arg, field } => {
                stack.extend([Item::Name(field), Item::Text("->"), Item::Expr(arg, POSTFIX)]);
            }
            ExprKind::FieldUpdate { arg, field, value } => {
                stack.extend([
                    Item::Text(")"),
                    Item::Expr(value, ANY),
                    Item::Text(" := "),
                    Item::Name(field),
                    Item::Text("->("),
                    Item::Expr(arg, POSTFIX),
                ]);
            }
            ExprKind::Select { map, index } => {
                stack.push(Item::Text("]"));
                self.push_list(index, stack);
                stack.extend([Item::Text("["), Item::Expr(map, POSTFIX)]);
            }
            ExprKind::Store { map, index_and_value } => {
                stack.push(Item::Text("]"));
                if let [index @ .., value] = &self.ast[index_and_value] {
                    let assign = if index.is_empty() { ":= " } else { " := " };
                    stack.extend([Item::Expr(*value, ANY), Item::Text(assign)]);
                    push_exprs(index, stack);
                }
                stack.extend([Item::Text("["), Item::Expr(map, POSTFIX)]);
            }
            ExprKind::Extract { arg, hi, lo } => {
                stack.extend([Item::Bounds(hi, lo), Item::Expr(arg, POSTFIX)]);
            }
            ExprKind::Coerce { arg, ty } => {
                let level = match self.ast[arg].kind {
                    ExprKind::Coerce { .. } => ANY,
                    _ => POSTFIX,
                };
                stack.extend([Item::Type(ty), Item::Text(": "), Item::Expr(arg, level)]);
            }
            ExprKind::Ite { cond, then, els } => {
                self.text("if ");
                stack.extend([
                    Item::Expr(els, ANY),
                    Item::Text(" else "),
                    Item::Expr(then, ANY),
                    Item::Text(" then "),
                    Item::Expr(cond, ANY),
                ]);
            }
            ExprKind::Quant(quant) => {
                self.quantifier(&self.ast[quant]);
                stack.extend([Item::Text(")"), Item::Expr(self.ast[quant].body, ANY)]);
            }
            ExprKind::Let(let_id) => {
                let let_expr = &self.ast[let_id];
                self.text("(var ");
                for (i, var) in self.ast[let_expr.vars].iter().enumerate() {
                    self.text(if i > 0 { ", " } else { "" });
                    self.attrs(var.attrs);
                    self.name(var.name.name);
                }
                self.text(" := ");
                self.exprs(let_expr.values);
                self.text("; ");
                self.attrs(let_expr.attrs);
                stack.extend([Item::Text(")"), Item::Expr(let_expr.body, ANY)]);
            }
            ExprKind::Code(code) => {
                let code = &self.ast[code];
                self.text("|{");
                self.indent += 2;
                self.locals(code.locals);
                self.stmts(code.stmts);
                self.indent -= 2;
                self.new_line();
                self.text("}|");
            }
        }
    }

    /// Prints a quantifier up to its body.
    fn quantifier(&mut self, quant: &Quant) {
        self.text(match quant.kind {
            QuantKind::Forall => "(forall",
            QuantKind::Exists => "(exists",
            QuantKind::Lambda => "(lambda",
        });
        if !quant.type_params.is_empty() {
            self.text(" ");
            self.type_params(quant.type_params);
        }
        if !quant.vars.is_empty() {
            self.text(" ");
            self.vars(quant.vars, true);
        }
        self.text(" :: ");
        self.attrs(quant.attrs);
        for trigger in &self.ast[quant.triggers] {
            self.text(if trigger.negated { "{:nopats " } else { "{" });
            self.exprs(trigger.patterns);
            self.text("} ");
        }
    }

    /// The operand that the text of an expression starts with, if there are no parentheses.
    pub(super) fn leftmost(&self, mut expr: ExprId) -> ExprId {
        loop {
            expr = match self.ast[expr].kind {
                ExprKind::Binary { lhs: first, .. }
                | ExprKind::Is { arg: first, .. }
                | ExprKind::Field { arg: first, .. }
                | ExprKind::FieldUpdate { arg: first, .. }
                | ExprKind::Select { map: first, .. }
                | ExprKind::Store { map: first, .. }
                | ExprKind::Extract { arg: first, .. }
                | ExprKind::Coerce { arg: first, .. } => first,
                _ => return expr,
            };
        }
    }

    fn keyword_call(&mut self, start: &'static str, arg: ExprId, stack: &mut Vec<Item>) {
        self.text(start);
        stack.extend([Item::Text(")"), Item::Expr(arg, ANY)]);
    }

    fn push_list(&self, exprs: Slice<ExprId>, stack: &mut Vec<Item>) {
        push_exprs(&self.ast[exprs], stack);
    }
}

fn push_exprs(exprs: &[ExprId], stack: &mut Vec<Item>) {
    for (i, &expr) in exprs.iter().enumerate().rev() {
        stack.push(Item::Expr(expr, ANY));
        if i > 0 {
            stack.push(Item::Text(", "));
        }
    }
}

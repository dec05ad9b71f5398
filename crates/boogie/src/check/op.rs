//! The types of operators, coercions, maps and fields.

use super::{Access, Checker};
use crate::syntax::{BinOp, ExprId, Name, TypeId, UnOp};
use crate::typed::{FieldId, NameRef};
use crate::types::{Ty, TyKind, TyVar};
use lariat_source::{Span, counted};

impl Checker<'_> {
    /// Whether a type is, or can be made, one of the basic types.
    fn is(&mut self, ty: Ty, basic: Ty) -> bool {
        match self.out.types.kind(ty) {
            TyKind::Proxy(_) => self.unify(ty, basic),
            _ => ty == basic,
        }
    }

    fn same_float(&self, a: Ty, b: Ty) -> bool {
        a == b && matches!(self.out.types.kind(a), TyKind::Float { .. })
    }

    pub(super) fn binary(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId, span: Span) -> Ty {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if a == Ty::ERROR || b == Ty::ERROR {
            return Ty::ERROR;
        }
        let ty = match op {
            BinOp::And | BinOp::Or | BinOp::Implies | BinOp::Explies | BinOp::Iff => {
                (self.is(a, Ty::BOOL) && self.is(b, Ty::BOOL)).then_some(Ty::BOOL)
            }
            BinOp::Eq | BinOp::Ne => {
                let ok = a == b || self.infer.unifiable(&mut self.out.types, a, b);
                ok.then_some(Ty::BOOL)
            }
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => self.numeric(a, b).map(|_| Ty::BOOL),
            BinOp::Add | BinOp::Sub | BinOp::Mul => self.numeric(a, b),
            BinOp::Div | BinOp::Mod => (self.is(a, Ty::INT) && self.is(b, Ty::INT)).then_some(Ty::INT),
            BinOp::RealDiv => {
                let real =
                    (self.is(a, Ty::INT) || self.is(a, Ty::REAL)) && (self.is(b, Ty::INT) || self.is(b, Ty::REAL));
                match real {
                    true => Some(Ty::REAL),
                    false => self.same_float(a, b).then_some(a),
                }
            }
            BinOp::Pow => (self.is(a, Ty::REAL) && self.is(b, Ty::REAL)).then_some(Ty::REAL),
            BinOp::Concat => self.infer.concat(&mut self.out.types, a, b),
        };
        ty.unwrap_or_else(|| {
            let message = format!("the operator `{}` does not take {} and {}", op.symbol(), self.show(a), self.show(b));
            self.type_error(span, message);
            Ty::ERROR
        })
    }

    fn numeric(&mut self, a: Ty, b: Ty) -> Option<Ty> {
        if self.is(a, Ty::INT) && self.is(b, Ty::INT) {
            return Some(Ty::INT);
        }
        if self.is(a, Ty::REAL) && self.is(b, Ty::REAL) {
            return Some(Ty::REAL);
        }
        self.same_float(a, b).then_some(a)
    }

    pub(super) fn unary(&mut self, op: UnOp, arg: ExprId, span: Span) -> Ty {
        let ty = self.ty(arg);
        let result = match op {
            _ if ty == Ty::ERROR => return Ty::ERROR,
            UnOp::Not => self.is(ty, Ty::BOOL).then_some(Ty::BOOL),
            UnOp::Neg if self.is(ty, Ty::INT) => Some(Ty::INT),
            UnOp::Neg => self.is(ty, Ty::REAL).then_some(Ty::REAL),
        };
        result.unwrap_or_else(|| {
            let symbol = match op {
                UnOp::Neg => "-",
                UnOp::Not => "!",
            };
            let message = format!("the operator `{symbol}` does not take {}", self.show(ty));
            self.type_error(span, message);
            Ty::ERROR
        })
    }

    pub(super) fn convert(&mut self, arg: ExprId, from: Ty, to: Ty, span: Span) -> Ty {
        let ty = self.ty(arg);
        if ty == Ty::ERROR {
            return Ty::ERROR;
        }
        if !self.is(ty, from) {
            let message =
                format!("the conversion to {} takes {}, not {}", self.show(to), self.show(from), self.show(ty));
            self.type_error(span, message);
            return Ty::ERROR;
        }
        to
    }

    pub(super) fn coerce(&mut self, arg: ExprId, to: TypeId, span: Span) -> Ty {
        let to = self.out.type_ty[to.index()];
        let ty = self.ty(arg);
        if ty == Ty::ERROR || to == Ty::ERROR {
            return Ty::ERROR;
        }
        if !self.unify(to, ty) {
            let message = format!("an expression of type {} is not of type {}", self.show(ty), self.show(to));
            self.type_error(span, message);
            return Ty::ERROR;
        }
        to
    }

    pub(super) fn extract(&mut self, arg: ExprId, hi: u32, lo: u32, span: Span) -> Ty {
        let ty = self.ty(arg);
        if ty == Ty::ERROR {
            return Ty::ERROR;
        }
        let Some(width) = hi.checked_sub(lo) else {
            let message = format!("the upper bound {hi} is below the lower bound {lo}");
            self.type_error(span, message);
            return Ty::ERROR;
        };
        let wide = match self.out.types.kind(ty) {
            TyKind::Bv(bits) => bits >= hi,
            TyKind::Proxy(_) => {
                let bv = self.infer.fresh_bv(&mut self.out.types, hi);
                self.unify(ty, bv)
            }
            _ => false,
        };
        if !wide {
            let message = format!(
                "bits {lo} to {hi} can only be taken from a bit-vector of at least {hi} bits, \
                 not from {}",
                self.show(ty)
            );
            self.type_error(span, message);
            return Ty::ERROR;
        }
        self.out.types.bv(width)
    }

    pub(super) fn ite(&mut self, cond: ExprId, then: ExprId, els: ExprId, span: Span) -> Ty {
        let [c, a, b] = [cond, then, els].map(|id| self.ty(id));
        if [c, a, b].contains(&Ty::ERROR) {
            return Ty::ERROR;
        }
        if !self.is(c, Ty::BOOL) {
            let message = format!("the condition must be of type bool, not {}", self.show(c));
            self.type_error(span, message);
            return Ty::ERROR;
        }
        if !self.unify(a, b) {
            let message = format!("the branches have different types: {} and {}", self.show(a), self.show(b));
            self.type_error(span, message);
            return Ty::ERROR;
        }
        a
    }

    /// The value type of a map access, and the instantiation of the map's type parameters.
    pub(super) fn map_access(
        &mut self,
        map: Ty,
        map_span: Span,
        index: &[ExprId],
        span: Span,
    ) -> Option<(Ty, (u32, u32))> {
        let map = self.infer.shallow(&self.out.types, map);
        let failed = index.iter().any(|&id| self.ty(id) == Ty::ERROR);
        let (params, args, result) = match self.out.types.kind(map) {
            TyKind::Error => return None,
            _ if failed => return None,
            TyKind::Map { params, args, result } => (params, args, result),
            TyKind::Proxy(_) => {
                let args: Vec<Ty> = index.iter().map(|&id| self.ty(id)).collect();
                let Some(result) = self.infer.access(&mut self.out.types, map, &args) else {
                    let message = format!("this is not a map with {}", counted(args.len(), "index", "indices"));
                    self.type_error(map_span, message);
                    return None;
                };
                self.open_maps.push((map, args, result));
                // Which instantiation this is gets clear when the type of the map does.
                let later = u32::MAX - self.open_maps.len() as u32;
                return Some((result, (later, u32::MAX)));
            }
            _ => {
                let message = format!("this is not a map but of type {}", self.show(map));
                self.type_error(map_span, message);
                return None;
            }
        };
        if args.len() != index.len() {
            let message = format!("the map takes {}, not {}", counted(args.len(), "index", "indices"), index.len());
            self.type_error(span, message);
            return None;
        }
        if params == 0 {
            let mut ok = true;
            for (position, &id) in index.iter().enumerate() {
                let expected = self.out.types.list(args)[position];
                ok &= self.argument(id, expected, "index", position);
            }
            return ok.then_some((result, (0, 0)));
        }
        let insts: Vec<Ty> = (0..params).map(|_| self.infer.fresh(&mut self.out.types)).collect();
        let (args, result) = self.out.types.instantiate_map(map, &insts)?;
        let mut ok = true;
        for (position, &id) in index.iter().enumerate() {
            ok &= self.argument(id, args[position], "index", position);
        }
        let range = self.add_insts(&insts);
        ok.then_some((result, range))
    }

    /// Checks the type of an index or argument.
    pub(super) fn argument(&mut self, id: ExprId, expected: Ty, what: &str, position: usize) -> bool {
        let ty = self.ty(id);
        if self.unify(ty, expected) {
            return true;
        }
        let message = format!("{what} {} must be of type {}, not {}", position + 1, self.show(expected), self.show(ty));
        self.type_error(self.ast[id].span, message);
        false
    }

    pub(super) fn store(&mut self, id: ExprId, map: ExprId, rest: &[ExprId], span: Span) -> Ty {
        let Some((&value, index)) = rest.split_last() else {
            return Ty::ERROR;
        };
        let map_ty = self.out.expr_ty[map.index()];
        let value_ty = self.ty(value);
        if value_ty == Ty::ERROR {
            return Ty::ERROR;
        }
        let access = self.map_access(map_ty, self.ast[map].span, index, span);
        let Some((expected, insts)) = access else {
            return Ty::ERROR;
        };
        self.set_access(Access::Expr(id), insts);
        if !self.unify(expected, value_ty) {
            let message = format!("the new value must be of type {}, not {}", self.show(expected), self.show(value_ty));
            self.type_error(self.ast[value].span, message);
            return Ty::ERROR;
        }
        map_ty
    }

    /// The field of that name of a datatype, and its type.
    pub(super) fn field(&mut self, data: Ty, name: Name, span: Span) -> Option<(FieldId, Ty)> {
        let ty = self.infer.shallow(&self.out.types, data);
        let TyKind::Data { data, args } = self.out.types.kind(ty) else {
            if ty != Ty::ERROR {
                let message = format!("only datatypes have fields, and {} is none", self.show(ty));
                self.type_error(span, message);
            }
            return None;
        };
        let Some(&field) = self.field_by_name.get(&(data, name)) else {
            let message = format!("{} has no field `{}`", self.show(ty), self.text(name));
            self.type_error(span, message);
            return None;
        };
        let field_ty = self.out.fields[field.index()].ty;
        if args.is_empty() {
            return Some((field, field_ty));
        }
        let params: Vec<TyVar> = self.out.datatypes[data.index()].params.ids().collect();
        let args = self.out.types.list(args).to_vec();
        Some((field, self.out.types.subst(field_ty, &params, &args)))
    }

    pub(super) fn field_update(&mut self, id: ExprId, arg: ExprId, name: Name, value: ExprId, span: Span) -> Ty {
        let data = self.out.expr_ty[arg.index()];
        let value_ty = self.ty(value);
        let Some((field, expected)) = self.field(data, name, span) else {
            return Ty::ERROR;
        };
        self.out.expr_ref[id.index()] = NameRef::Field(field);
        if value_ty == Ty::ERROR {
            return Ty::ERROR;
        }
        if !self.unify(value_ty, expected) {
            let message = format!(
                "the field `{}` is of type {}, not {}",
                self.text(name),
                self.show(expected),
                self.show(value_ty)
            );
            self.type_error(span, message);
            return Ty::ERROR;
        }
        data
    }

    pub(super) fn is_ctor(&mut self, id: ExprId, arg: ExprId, name: Name, span: Span) -> Ty {
        let ty = self.ty(arg);
        let TyKind::Data { data, .. } = self.out.types.kind(ty) else {
            if ty != Ty::ERROR {
                let message = format!("only datatypes have constructors, and {} is none", self.show(ty));
                self.type_error(span, message);
            }
            return Ty::ERROR;
        };
        let Some(&ctor) = self.ctor_by_name.get(&(data, name)) else {
            let message = format!("{} has no constructor `{}`", self.show(ty), self.text(name));
            self.type_error(span, message);
            return Ty::ERROR;
        };
        self.out.expr_ref[id.index()] = NameRef::Tester(ctor);
        Ty::BOOL
    }
}

//! Which arguments an operator takes, and the sort of its result.

use crate::{
    op::Op,
    sort::{Sort, SortError, SortKind},
    store::{Term, Terms},
    value::Value,
};

impl Terms {
    /// Can `op` be applied to `args`? If not, why.
    pub fn check_app(&self, op: Op, args: &[Term]) -> Result<(), SortError> {
        let sorts: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
        self.fits(op, &sorts).map_err(|what| SortError(format!("{op:?} {what}")))
    }

    /// The sort of `op` applied to `args`, which must fit ([`Terms::check_app`]).
    pub(crate) fn sort_of_app(&mut self, op: Op, args: &[Term]) -> Sort {
        match self.result_of_app(op, args) {
            Ok(sort) => sort,
            Err(kind) => self.intern_sort(kind),
        }
    }

    /// The result's sort, or its kind where the sort may not be interned yet.
    fn result_of_app(&self, op: Op, args: &[Term]) -> Result<Sort, SortKind> {
        let width = |t: Term| match self.sort_kind(self.sort(t)) {
            SortKind::BitVec(w) => w,
            _ => 1,
        };
        Ok(match op {
            Op::Const(c) => match self.const_value(c) {
                Value::Int(_) => Sort::INT,
                Value::Real(_) => Sort::REAL,
                Value::BitVec(b) => return Err(SortKind::BitVec(b.width)),
                Value::Float(f) => return Err(SortKind::Float { exp: f.exp, sig: f.sig }),
                _ => Sort::BOOL,
            },
            Op::RoundingMode(_) => Sort::ROUNDING_MODE,
            Op::Elem(s, _) | Op::Bound(_, s) | Op::ConstArray(s) => s,
            Op::Var(v) => self.var_sort(v),
            Op::App(f) => self.func_decl(f).result,
            Op::Ite => self.sort(args[1]),
            Op::Add | Op::Mul | Op::Pow | Op::Store => self.sort(args[0]),
            Op::IntDiv | Op::IntMod | Op::ToInt | Op::BvToNat => Sort::INT,
            Op::RealDiv | Op::ToReal | Op::FpToReal => Sort::REAL,
            Op::Concat => return Err(SortKind::BitVec(width(args[0]) + width(args[1]))),
            Op::Extract { hi, lo } => return Err(SortKind::BitVec(hi - lo + 1)),
            Op::ZeroExt(n) | Op::SignExt(n) => return Err(SortKind::BitVec(width(args[0]) + n)),
            Op::BvNot
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr => self.sort(args[0]),
            Op::IntToBv(n) | Op::FpToUbv(n) | Op::FpToSbv(n) => return Err(SortKind::BitVec(n)),
            Op::FpFromBits { exp, sig }
            | Op::FpFromFp { exp, sig }
            | Op::FpFromReal { exp, sig }
            | Op::FpFromSbv { exp, sig }
            | Op::FpFromUbv { exp, sig } => return Err(SortKind::Float { exp, sig }),
            Op::FpToBits => match self.sort_kind(self.sort(args[0])) {
                SortKind::Float { exp, sig } => return Err(SortKind::BitVec(exp + sig)),
                _ => Sort::BOOL,
            },
            Op::FpAbs | Op::FpNeg | Op::FpRem | Op::FpMin | Op::FpMax => self.sort(args[0]),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpFma | Op::FpSqrt | Op::FpRoundToIntegral => {
                self.sort(args[1])
            }
            Op::Select => match self.sort_kind(self.sort(args[0])) {
                SortKind::Array(_, e) => e,
                _ => Sort::BOOL,
            },
            Op::Ctor(c) => self.datatype_sort(self.ctor_datatype(c)),
            Op::Selector(c, i) => self.ctor_fields(c)[i as usize].sort,
            Op::Lambda(b) => return Err(SortKind::Array(self.binder(b).vars[0].1, self.sort(args[0]))),
            Op::True
            | Op::False
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::Distinct
            | Op::Le
            | Op::Lt
            | Op::IsInt
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::FpLe
            | Op::FpLt
            | Op::FpEq
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive
            | Op::Tester(_)
            | Op::Forall(_)
            | Op::Exists(_) => Sort::BOOL,
        })
    }

    fn fits(&self, op: Op, args: &[Sort]) -> Result<(), String> {
        let kind = |i: usize| self.sort_kind(args[i]);
        let arity =
            |n: usize| if args.len() == n { Ok(()) } else { Err(format!("takes {n} argument(s), not {}", args.len())) };
        let at_least = |n: usize| if args.len() >= n { Ok(()) } else { Err(format!("takes at least {n} arguments")) };
        let need = |ok: bool, what: &str| if ok { Ok(()) } else { Err(format!("needs {what}")) };
        let same = |from: usize| args[from..].windows(2).all(|w| w[0] == w[1]);
        let is_bv = |i: usize| matches!(kind(i), SortKind::BitVec(_));
        let is_fp = |i: usize| matches!(kind(i), SortKind::Float { .. });
        let rounded = |n: usize| -> Result<(), String> {
            arity(n + 1)?;
            need(args[0] == Sort::ROUNDING_MODE, "a rounding mode first")?;
            need(is_fp(1) && same(1), "floats of one format")
        };
        let float_format =
            |exp: u32, sig: u32| need(exp > 1 && sig > 1, "a format of at least two exponent and significand bits");
        match op {
            Op::True | Op::False | Op::Const(_) | Op::RoundingMode(_) | Op::Elem(..) | Op::Var(_) | Op::Bound(..) => {
                arity(0)
            }
            Op::App(f) => {
                let params = &self.func_decl(f).params;
                arity(params.len())?;
                need(params == args, "arguments of the declared sorts")
            }
            Op::Not => arity(1).and_then(|()| need(args[0] == Sort::BOOL, "a Boolean")),
            Op::And | Op::Or => at_least(2).and_then(|()| need(args[0] == Sort::BOOL && same(0), "Booleans")),
            Op::Eq => arity(2).and_then(|()| need(same(0), "arguments of one sort")),
            Op::Distinct => at_least(2).and_then(|()| need(same(0), "arguments of one sort")),
            Op::Ite => {
                arity(3).and_then(|()| need(args[0] == Sort::BOOL && same(1), "a Boolean and two terms of one sort"))
            }
            Op::Add | Op::Mul => at_least(2).and_then(|()| need(same(0) && is_number(args[0]), "integers, or reals")),
            Op::Pow | Op::Le | Op::Lt => {
                arity(2).and_then(|()| need(same(0) && is_number(args[0]), "two integers, or two reals"))
            }
            Op::IntDiv | Op::IntMod => arity(2).and_then(|()| need(args[0] == Sort::INT && same(0), "two integers")),
            Op::RealDiv => arity(2).and_then(|()| need(args[0] == Sort::REAL && same(0), "two reals")),
            Op::ToReal | Op::IntToBv(_) => {
                arity(1)?;
                need(args[0] == Sort::INT, "an integer")?;
                need(!matches!(op, Op::IntToBv(0)), "a width of at least one")
            }
            Op::ToInt | Op::IsInt => arity(1).and_then(|()| need(args[0] == Sort::REAL, "a real")),
            Op::Concat => arity(2).and_then(|()| need(is_bv(0) && is_bv(1), "two bit-vectors")),
            Op::Extract { hi, lo } => {
                arity(1)?;
                need(matches!(kind(0), SortKind::BitVec(w) if lo <= hi && hi < w), "a bit-vector with those bits")
            }
            Op::ZeroExt(_) | Op::SignExt(_) | Op::BvNot | Op::BvNeg | Op::BvToNat => {
                arity(1).and_then(|()| need(is_bv(0), "a bit-vector"))
            }
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul => {
                at_least(2).and_then(|()| need(is_bv(0) && same(0), "bit-vectors of one width"))
            }
            Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle => arity(2).and_then(|()| need(is_bv(0) && same(0), "two bit-vectors of one width")),
            Op::FpFromBits { exp, sig } => {
                arity(1)?;
                float_format(exp, sig)?;
                need(kind(0) == SortKind::BitVec(exp + sig), "a bit-vector of the format's width")
            }
            Op::FpFromFp { exp, sig } => rounded(1).and_then(|()| float_format(exp, sig)),
            Op::FpFromReal { exp, sig } => {
                arity(2)?;
                float_format(exp, sig)?;
                need(args[0] == Sort::ROUNDING_MODE && args[1] == Sort::REAL, "a rounding mode and a real")
            }
            Op::FpFromSbv { exp, sig } | Op::FpFromUbv { exp, sig } => {
                arity(2)?;
                float_format(exp, sig)?;
                need(args[0] == Sort::ROUNDING_MODE && is_bv(1), "a rounding mode and a bit-vector")
            }
            Op::FpToUbv(n) | Op::FpToSbv(n) => rounded(1).and_then(|()| need(n > 0, "a width of at least one")),
            Op::FpSqrt | Op::FpRoundToIntegral => rounded(1),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => rounded(2),
            Op::FpFma => rounded(3),
            Op::FpToReal
            | Op::FpToBits
            | Op::FpAbs
            | Op::FpNeg
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive => arity(1).and_then(|()| need(is_fp(0), "a float")),
            Op::FpRem | Op::FpMin | Op::FpMax | Op::FpLe | Op::FpLt | Op::FpEq => {
                arity(2).and_then(|()| need(is_fp(0) && same(0), "two floats of one format"))
            }
            Op::Select => {
                arity(2)?;
                need(
                    matches!(kind(0), SortKind::Array(i, _) if i == args[1]),
                    "an array and an index of its index sort",
                )
            }
            Op::Store => {
                arity(3)?;
                need(kind(0) == SortKind::Array(args[1], args[2]), "an array, an index and an element of its sorts")
            }
            Op::ConstArray(s) => {
                arity(1)?;
                need(
                    matches!(self.sort_kind(s), SortKind::Array(_, e) if e == args[0]),
                    "an element of the array's element sort",
                )
            }
            Op::Ctor(c) => {
                let fields = self.ctor_fields(c);
                arity(fields.len())?;
                need(fields.iter().zip(args).all(|(f, &a)| f.sort == a), "arguments of the fields' sorts")
            }
            Op::Selector(c, i) => {
                arity(1)?;
                need((i as usize) < self.ctor_fields(c).len(), "an existing field")?;
                need(args[0] == self.datatype_sort(self.ctor_datatype(c)), "a term of the datatype")
            }
            Op::Tester(c) => arity(1)
                .and_then(|()| need(args[0] == self.datatype_sort(self.ctor_datatype(c)), "a term of the datatype")),
            Op::Forall(b) | Op::Exists(b) => {
                let binder = self.binder(b);
                arity(1 + binder.triggers.iter().map(|t| t.len as usize).sum::<usize>())?;
                need(args[0] == Sort::BOOL && !binder.vars.is_empty(), "a Boolean body and a bound variable")
            }
            Op::Lambda(b) => {
                let binder = self.binder(b);
                arity(1)?;
                need(binder.vars.len() == 1 && binder.triggers.is_empty(), "exactly one bound variable and no trigger")
            }
        }
    }
}

fn is_number(s: Sort) -> bool {
    s == Sort::INT || s == Sort::REAL
}

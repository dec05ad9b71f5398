//! Floating point: only what is exact for every value, NaN and both zeros included.

use super::{Args, Rule};
use crate::{
    op::Op,
    sort::SortKind,
    store::{Term, Terms},
};

impl Terms {
    pub(super) fn simplify_fp_unary(&mut self, op: Op, a: Term) -> Term {
        let inner = self.op(a);
        let sign_op = matches!(inner, Op::FpNeg | Op::FpAbs);
        match op {
            Op::FpNeg if inner == Op::FpNeg => self.by(Rule::FpNegNeg, self.args(a)[0]),
            Op::FpAbs if sign_op => {
                self.fire(Rule::FpAbsSign);
                let x = self.args(a)[0];
                self.intern(Op::FpAbs, &[x])
            }
            Op::FpIsNormal | Op::FpIsSubnormal | Op::FpIsZero | Op::FpIsInfinite | Op::FpIsNan if sign_op => {
                self.fire(Rule::FpClassSign);
                let x = self.args(a)[0];
                self.mk(op, &[x])
            }
            Op::FpIsNegative | Op::FpIsPositive if inner == Op::FpNeg => {
                self.fire(Rule::FpClassSign);
                let other = if op == Op::FpIsNegative { Op::FpIsPositive } else { Op::FpIsNegative };
                let x = self.args(a)[0];
                self.mk(other, &[x])
            }
            Op::FpIsNegative if inner == Op::FpAbs => self.by_bool(Rule::FpClassSign, false),
            Op::FpFromBits { exp, sig } if inner == Op::FpToBits => {
                let x = self.args(a)[0];
                if self.sort_kind(self.sort(x)) != (SortKind::Float { exp, sig }) {
                    return self.intern(op, &[a]);
                }
                self.by(Rule::FpFromBitsToBits, x)
            }
            _ => self.intern(op, &[a]),
        }
    }

    /// Operators with a rounding mode first.
    pub(super) fn simplify_fp_rounded(&mut self, op: Op, args: &[Term]) -> Term {
        match op {
            Op::FpFromFp { exp, sig } => {
                let (mode, x) = (args[0], args[1]);
                let format = SortKind::Float { exp, sig };
                if self.sort_kind(self.sort(x)) == format {
                    return self.by(Rule::FpFromFpSame, x);
                }
                // Widening is exact, so the way back is too.
                if let Op::FpFromFp { exp: e, sig: s } = self.op(x)
                    && e >= exp
                    && s >= sig
                {
                    let y = self.args(x)[1];
                    if self.sort_kind(self.sort(y)) == format {
                        return self.by(Rule::FpWidenNarrow, y);
                    }
                }
                self.intern(op, &[mode, x])
            }
            Op::FpAdd | Op::FpMul | Op::FpFma => {
                let mut args = Args::from_slice(args);
                self.commute(&mut args[1..3]);
                self.intern(op, &args)
            }
            _ => self.intern(op, args),
        }
    }

    pub(super) fn simplify_fp_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::FpLt if a == b => self.by_bool(Rule::FpLtSame, false),
            Op::FpMin | Op::FpMax if a == b => self.by(Rule::FpMinSame, a),
            Op::FpEq => {
                let mut args = [a, b];
                self.commute(&mut args);
                self.intern(op, &args)
            }
            // Of two zeros, which one is a function of both arguments in order: these do not commute.
            _ => self.intern(op, &[a, b]),
        }
    }
}

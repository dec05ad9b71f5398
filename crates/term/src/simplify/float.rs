//! Floating point: only what is exact for every value, NaN and both zeros included.

use dashu_int::ops::BitTest;

use super::{Args, Rule};
use crate::{
    Float, Value,
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
            Op::FpFromBits { exp, sig } if inner == Op::Ite => {
                let &[c, x, y] = self.args(a) else { return self.intern(op, &[a]) };
                let through = self.op(y) == Op::FpToBits && {
                    let number = self.args(y)[0];
                    self.sort_kind(self.sort(number)) == (SortKind::Float { exp, sig })
                };
                if !through {
                    return self.intern(op, &[a]);
                }
                self.fire(Rule::FpFromBitsIte);
                let (x, y) = (self.mk(op, &[x]), self.args(y)[0]);
                self.mk(Op::Ite, &[c, x, y])
            }
            Op::FpFromBits { exp, sig } if inner == Op::Concat && sig > 2 && self.has_ones(a, sig - 2, exp + 1) => {
                self.fire(Rule::FpFromBitsNan);
                self.value_term(&Value::Float(Float::nan(exp, sig)))
            }
            _ => self.intern(op, &[a]),
        }
    }

    /// Whether a concatenation plainly has this many ones from a bit on.
    fn has_ones(&self, concat: Term, from: u32, count: u32) -> bool {
        let mut pieces = vec![(concat, 0u32)];
        let mut found = 0;
        while let Some((t, at)) = pieces.pop() {
            let Some(width) = self.bv_width(t) else { return false };
            let (low, high) = (from.max(at), (from + count).min(at + width));
            if low >= high {
                continue;
            }
            if let (Op::Concat, &[upper, lower]) = (self.op(t), self.args(t)) {
                let Some(split) = self.bv_width(lower) else { return false };
                pieces.extend([(upper, at + split), (lower, at)]);
            } else if let Some(bits) = self.number_of(t).and_then(|value| value.as_bv()) {
                if (low..high).any(|i| !bits.bits().bit((i - at) as usize)) {
                    return false;
                }
                found += high - low;
            } else {
                return false;
            }
        }
        found == count
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

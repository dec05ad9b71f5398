//! Bit-vector operators of one or two arguments.

use dashu_base::PowerOfTwo;

use super::Rule;
use crate::{
    op::Op,
    store::{Term, Terms},
    value::{BitVec, Value},
};

impl Terms {
    fn bv_term(&mut self, b: BitVec) -> Term {
        self.number(Value::BitVec(b))
    }

    pub(super) fn simplify_bv_minus(&mut self, op: Op, a: Term) -> Term {
        if self.op(a) == op {
            let rule = if op == Op::BvNot { Rule::BvNotNot } else { Rule::BvNegNeg };
            return self.by(rule, self.args(a)[0]);
        }
        self.intern(op, &[a])
    }

    pub(super) fn simplify_bv_div(&mut self, op: Op, a: Term, b: Term) -> Term {
        let Some(c) = self.bv_numeral(b) else { return self.intern(op, &[a, b]) };
        let width = c.width();
        let (zero, one) = (c.is_zero(), c.bits().is_one());
        let power = (c.bits().is_power_of_two()).then(|| c.bits().trailing_zeros()).flatten();
        match op {
            Op::BvUdiv if zero => {
                self.fire(Rule::BvDivZero);
                self.bv_term(BitVec::ones(width))
            }
            Op::BvUrem if zero => self.by(Rule::BvDivZero, a),
            Op::BvUdiv | Op::BvSdiv if one => self.by(Rule::BvDivOne, a),
            Op::BvUrem | Op::BvSrem | Op::BvSmod if one => {
                self.fire(Rule::BvRemOne);
                self.bv_term(BitVec::zero(width))
            }
            Op::BvUdiv | Op::BvUrem => match power {
                Some(k) => {
                    self.fire(Rule::BvDivPow2);
                    if op == Op::BvUdiv {
                        let k = self.bv(width, k);
                        return self.mk(Op::BvLshr, &[a, k]);
                    }
                    let mask = self.bv_term(BitVec::new(width, dashu_int::UBig::ones(k)));
                    self.mk(Op::BvAnd, &[mask, a])
                }
                None => self.intern(op, &[a, b]),
            },
            _ => self.intern(op, &[a, b]),
        }
    }

    pub(super) fn simplify_shift(&mut self, op: Op, a: Term, b: Term) -> Term {
        if self.is_zero(a) || self.is_zero(b) {
            return self.by(Rule::BvShiftZero, a);
        }
        if let Some(c) = self.bv_numeral(b)
            && op != Op::BvAshr
            && *c.bits() >= dashu_int::UBig::from(c.width())
        {
            let zero = BitVec::zero(c.width());
            self.fire(Rule::BvShiftOut);
            return self.bv_term(zero);
        }
        self.intern(op, &[a, b])
    }

    pub(super) fn simplify_bv_compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        if a == b {
            return self.by_bool(Rule::BvCompareSame, !strict);
        }
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        // (is the least, is the greatest) bit-vector
        let bounds = |c: &BitVec| match signed {
            false => (c.is_zero(), c.is_ones()),
            true => (c.sign_bit() && c.bits().is_power_of_two(), !c.sign_bit() && c.not().bits().is_power_of_two()),
        };
        let (a_least, a_greatest) = self.bv_numeral(a).map_or((false, false), bounds);
        let (b_least, b_greatest) = self.bv_numeral(b).map_or((false, false), bounds);
        if strict {
            if b_least || a_greatest {
                return self.by_bool(Rule::BvCompareBound, false);
            }
            if op == Op::BvUlt && self.is_one(b) {
                let Some(w) = self.bv_width(a) else { return self.intern(op, &[a, b]) };
                self.fire(Rule::BvCompareBound);
                let zero = self.bv_term(BitVec::zero(w));
                return self.mk(Op::Eq, &[a, zero]);
            }
        } else {
            if a_least || b_greatest {
                return self.by_bool(Rule::BvCompareBound, true);
            }
            if b_least || a_greatest {
                self.fire(Rule::BvCompareBound);
                return self.mk(Op::Eq, &[a, b]);
            }
        }
        self.intern(op, &[a, b])
    }

    pub(super) fn simplify_concat(&mut self, a: Term, b: Term) -> Term {
        match (self.op(a), self.op(b)) {
            (Op::Extract { hi, lo }, Op::Extract { hi: h, lo: l })
                if lo == h + 1 && self.args(a)[0] == self.args(b)[0] =>
            {
                self.fire(Rule::ConcatExtracts);
                let x = self.args(a)[0];
                self.mk(Op::Extract { hi, lo: l }, &[x])
            }
            (Op::Const(_), Op::Concat) if self.number_of(self.args(b)[0]).is_some() => {
                let &[c, x] = self.args(b) else { return self.intern(Op::Concat, &[a, b]) };
                self.join_consts(a, c, |t, ac| t.mk(Op::Concat, &[ac, x]))
            }
            (Op::Concat, Op::Const(_)) if self.number_of(self.args(a)[1]).is_some() => {
                let &[x, c] = self.args(a) else { return self.intern(Op::Concat, &[a, b]) };
                self.join_consts(c, b, |t, cb| t.mk(Op::Concat, &[x, cb]))
            }
            (Op::Const(_), _) if self.is_zero(a) => {
                self.fire(Rule::ConcatZero);
                let n = self.bv_width(a).unwrap_or(0);
                self.mk(Op::ZeroExt(n), &[b])
            }
            _ => self.intern(Op::Concat, &[a, b]),
        }
    }

    fn join_consts(&mut self, a: Term, b: Term, then: impl FnOnce(&mut Terms, Term) -> Term) -> Term {
        match (self.bv_numeral(a), self.bv_numeral(b)) {
            (Some(x), Some(y)) => {
                let joined = x.concat(y);
                self.fire(Rule::ConcatConsts);
                let joined = self.bv_term(joined);
                then(self, joined)
            }
            _ => self.intern(Op::Concat, &[a, b]),
        }
    }

    pub(super) fn simplify_extract(&mut self, mut hi: u32, mut lo: u32, mut a: Term) -> Term {
        // One turn per node that is looked through: a chain of concatenations may be long.
        loop {
            let Some(width) = self.bv_width(a) else { return self.intern(Op::Extract { hi, lo }, &[a]) };
            if lo == 0 && hi + 1 == width {
                return self.by(Rule::ExtractAll, a);
            }
            match self.op(a) {
                Op::Const(_) => return self.mk(Op::Extract { hi, lo }, &[a]),
                Op::Extract { lo: l, .. } => {
                    self.fire(Rule::ExtractExtract);
                    (hi, lo) = (hi + l, lo + l);
                    a = self.args(a)[0];
                }
                Op::Concat => {
                    let &[high, low] = self.args(a) else { break };
                    let Some(w) = self.bv_width(low) else { break };
                    if hi < w {
                        a = low;
                    } else if lo >= w {
                        (hi, lo) = (hi - w, lo - w);
                        a = high;
                    } else {
                        break;
                    }
                    self.fire(Rule::ExtractConcat);
                }
                Op::ZeroExt(_) | Op::SignExt(_) => {
                    let (ext, x) = (self.op(a), self.args(a)[0]);
                    let Some(w) = self.bv_width(x) else { break };
                    if hi < w {
                        self.fire(Rule::ExtractExt);
                        a = x;
                    } else if lo >= w && matches!(ext, Op::ZeroExt(_)) {
                        self.fire(Rule::ExtractExt);
                        return self.bv_term(BitVec::zero(hi - lo + 1));
                    } else if lo == 0 {
                        self.fire(Rule::ExtractExt);
                        let n = hi + 1 - w;
                        return self
                            .mk(if matches!(ext, Op::ZeroExt(_)) { Op::ZeroExt(n) } else { Op::SignExt(n) }, &[x]);
                    } else {
                        break;
                    }
                }
                Op::BvAnd => {
                    let &[c, x] = self.args(a) else { break };
                    match self.bv_numeral(c) {
                        Some(c) if c.extract(hi, lo).is_ones() => {
                            self.fire(Rule::ExtractMask);
                            a = x;
                        }
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        self.intern(Op::Extract { hi, lo }, &[a])
    }

    pub(super) fn simplify_ext(&mut self, op: Op, n: u32, a: Term) -> Term {
        if n == 0 {
            return self.by(Rule::ExtZero, a);
        }
        let inner = self.op(a);
        let joined = match (op, inner) {
            (Op::ZeroExt(_), Op::ZeroExt(m)) => Op::ZeroExt(n + m),
            (Op::SignExt(_), Op::SignExt(m)) => Op::SignExt(n + m),
            // The sign bit is a zero that was put there.
            (Op::SignExt(_), Op::ZeroExt(m)) if m > 0 => Op::ZeroExt(n + m),
            _ => return self.intern(op, &[a]),
        };
        self.fire(Rule::ExtExt);
        let x = self.args(a)[0];
        self.intern(joined, &[x])
    }

    pub(super) fn simplify_bv_int(&mut self, op: Op, a: Term) -> Term {
        match (op, self.op(a)) {
            (Op::BvToNat, Op::IntToBv(n)) => {
                self.fire(Rule::BvToNatIntToBv);
                let modulus = self.int(dashu_int::IBig::ONE << n as usize);
                let x = self.args(a)[0];
                self.mk(Op::IntMod, &[x, modulus])
            }
            (Op::IntToBv(n), Op::BvToNat) => {
                let x = self.args(a)[0];
                let Some(w) = self.bv_width(x) else { return self.intern(op, &[a]) };
                self.fire(Rule::IntToBvBvToNat);
                if n >= w { self.mk(Op::ZeroExt(n - w), &[x]) } else { self.mk(Op::Extract { hi: n - 1, lo: 0 }, &[x]) }
            }
            _ => self.intern(op, &[a]),
        }
    }
}

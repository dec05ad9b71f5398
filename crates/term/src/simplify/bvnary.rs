//! Bit-vector operators of any number of arguments: the bitwise ones, sums and products. At most one
//! constant, which comes first.

use super::{Args, Rule};
use crate::{
    op::Op,
    store::{Term, Terms},
    value::{BitVec, Value},
};

impl Terms {
    pub(super) fn simplify_bv_nary(&mut self, op: Op, args: &[Term]) -> Term {
        let Some(width) = self.bv_width(args[0]) else { return self.intern(op, args) };
        let mut parts = Args::new();
        if self.flatten(op, args, &mut parts) {
            self.fire(Rule::BvFlatten);
        }
        let constant = self.take_bv_numerals(op, &mut parts);
        self.commute(&mut parts);
        match op {
            Op::BvAnd | Op::BvOr => {
                let before = parts.len();
                parts.dedup();
                if parts.len() < before {
                    self.fire(Rule::BvDuplicate);
                }
                if self.has_inverse(Op::BvNot, &parts) {
                    self.fire(Rule::BvComplement);
                    let v = if op == Op::BvAnd { BitVec::zero(width) } else { BitVec::ones(width) };
                    return self.number(Value::BitVec(v));
                }
            }
            Op::BvXor => self.drop_pairs(&mut parts),
            Op::BvAdd => self.drop_inverses(&mut parts),
            _ => {}
        }
        if let Some(c) = constant {
            let absorbs = match op {
                Op::BvAnd | Op::BvMul => c.is_zero(),
                Op::BvOr => c.is_ones(),
                _ => false,
            };
            let neutral = match op {
                Op::BvAnd => c.is_ones(),
                Op::BvMul => c.bits().is_one(),
                _ => c.is_zero(),
            };
            if absorbs {
                self.fire(Rule::BvAbsorb);
                return self.number(Value::BitVec(c));
            }
            if neutral && !parts.is_empty() {
                self.fire(Rule::BvNeutral);
            } else if op == Op::BvXor && c.is_ones() && parts.len() == 1 {
                self.fire(Rule::BvXorOnes);
                return self.mk(Op::BvNot, &parts);
            } else if op == Op::BvAnd && parts.len() == 1 && self.covers(&c, parts[0]) {
                return self.by(Rule::BvAndMaskExt, parts[0]);
            } else {
                let c = self.number(Value::BitVec(c));
                parts.insert(0, c);
            }
        }
        match parts[..] {
            [] => {
                let neutral = match op {
                    Op::BvAnd => BitVec::ones(width),
                    Op::BvMul => BitVec::new(width, 1u8.into()),
                    _ => BitVec::zero(width),
                };
                self.number(Value::BitVec(neutral))
            }
            [a] => a,
            _ => self.intern(op, &parts),
        }
    }

    fn take_bv_numerals(&mut self, op: Op, parts: &mut Args) -> Option<BitVec> {
        let mut total: Option<BitVec> = None;
        let mut merged = false;
        parts.retain(|p| {
            let Some(b) = self.bv_numeral(*p) else { return true };
            total = Some(match &total {
                None => b.clone(),
                Some(t) => {
                    merged = true;
                    match op {
                        Op::BvAnd => t.and(b),
                        Op::BvOr => t.or(b),
                        Op::BvXor => t.xor(b),
                        Op::BvAdd => t.add(b),
                        _ => t.mul(b),
                    }
                }
            });
            false
        });
        if merged {
            self.fire(Rule::BvConsts);
        }
        total
    }

    /// Does the mask keep all bits of a zero-extended term?
    fn covers(&self, mask: &BitVec, t: Term) -> bool {
        matches!(self.op(t), Op::ZeroExt(_))
            && self.bv_width(self.args(t)[0]).is_some_and(|w| mask.bits().trailing_ones() >= Some(w as usize))
    }

    /// Is there an argument `inverse(x)` next to `x`? The arguments are sorted.
    fn has_inverse(&self, inverse: Op, parts: &[Term]) -> bool {
        parts.iter().any(|&p| self.op(p) == inverse && parts.binary_search(&self.args(p)[0]).is_ok())
    }

    /// Equal arguments of an exclusive or cancel in pairs; they are sorted.
    fn drop_pairs(&mut self, parts: &mut Args) {
        if parts.windows(2).all(|w| w[0] != w[1]) {
            return;
        }
        self.fire(Rule::BvXorSame);
        let mut kept = Args::new();
        for &p in parts.iter() {
            if kept.last() == Some(&p) {
                kept.pop();
            } else {
                kept.push(p);
            }
        }
        *parts = kept;
    }

    /// `x` and `-x` in a sum cancel; the arguments are sorted.
    fn drop_inverses(&mut self, parts: &mut Args) {
        if !self.has_inverse(Op::BvNeg, parts) {
            return;
        }
        let mut i = 0;
        while let Some(&p) = parts.get(i) {
            if self.op(p) == Op::BvNeg
                && let Ok(j) = parts.binary_search(&self.args(p)[0])
            {
                self.fire(Rule::BvAddCancel);
                parts.remove(i.max(j));
                parts.remove(i.min(j));
                i = i.min(j);
            } else {
                i += 1;
            }
        }
    }
}

//! Integers and reals: sums with one constant (first) and one multiple of each term, products with
//! one constant (first), comparisons with the constant on one side.

use dashu_int::IBig;
use dashu_ratio::RBig;
use smallvec::SmallVec;

use super::{Args, Rule};
use crate::{
    fold,
    op::Op,
    sort::Sort,
    store::{Term, Terms},
    value::Value,
};

impl Terms {
    fn fold2(&self, op: Op, a: Value, b: Value) -> Option<Value> {
        fold::apply(self, op, &[a, b], &fold::no_universe).ok()
    }

    /// Takes the numerals out of `parts` and combines them into one.
    fn take_numerals(&mut self, op: Op, parts: &mut Args, rule: Rule) -> Option<Value> {
        let mut total: Option<Value> = None;
        let mut merged = false;
        let mut too_big = false;
        parts.retain(|p| {
            let Some(v) = self.number_of(*p) else { return true };
            match total.take() {
                None => total = Some(v.clone()),
                Some(t) => match self.fold2(op, t.clone(), v.clone()) {
                    Some(sum) => {
                        merged = true;
                        total = Some(sum);
                    }
                    None => {
                        too_big = true;
                        total = Some(t);
                    }
                },
            }
            too_big
        });
        if merged {
            self.fire(rule);
        }
        total
    }

    /// The term that a summand is a multiple of.
    fn base(&self, t: Term) -> Term {
        match (self.op(t), self.args(t)) {
            (Op::Mul, &[c, x]) if self.number_of(c).is_some() => x,
            _ => t,
        }
    }

    fn factor(&self, t: Term, base: Term, real: bool) -> Value {
        if t == base {
            return if real { Value::Real(RBig::ONE) } else { Value::Int(IBig::ONE) };
        }
        self.number_of(self.args(t)[0]).cloned().unwrap_or(Value::Bool(false))
    }

    pub(super) fn simplify_add(&mut self, args: &[Term]) -> Term {
        let real = self.sort(args[0]) == Sort::REAL;
        let mut parts = Args::new();
        if self.flatten(Op::Add, args, &mut parts) {
            self.fire(Rule::AddFlatten);
        }
        let constant = self.take_numerals(Op::Add, &mut parts, Rule::AddConsts);
        let mut summands: SmallVec<[(Term, Term); 8]> = parts.iter().map(|&p| (self.base(p), p)).collect();
        if !summands.is_sorted() {
            summands.sort_unstable();
            self.fire(Rule::Commute);
        }
        parts.clear();
        let mut i = 0;
        while let Some(&(base, first)) = summands.get(i) {
            let same = summands[i..].iter().take_while(|&&(b, _)| b == base).count();
            match same {
                1 => parts.push(first),
                _ => match self.like_terms(base, &summands[i..i + same], real) {
                    Some(None) => self.fire(Rule::AddLike),
                    Some(Some(t)) => {
                        self.fire(Rule::AddLike);
                        parts.push(t);
                    }
                    None => parts.extend(summands[i..i + same].iter().map(|&(_, t)| t)),
                },
            }
            i += same;
        }
        match constant {
            Some(c) if !is_zero(&c) || parts.is_empty() => {
                let c = self.number(c);
                parts.insert(0, c);
            }
            Some(_) => self.fire(Rule::AddZero),
            None if parts.is_empty() => {
                let zero = if real { Value::Real(RBig::ZERO) } else { Value::Int(IBig::ZERO) };
                parts.push(self.number(zero));
            }
            None => {}
        }
        match parts[..] {
            [a] => a,
            _ => self.intern(Op::Add, &parts),
        }
    }

    /// The sum of multiples of `base`: `Some(None)` is zero, `None` too big to compute.
    fn like_terms(&mut self, base: Term, terms: &[(Term, Term)], real: bool) -> Option<Option<Term>> {
        let mut sum = self.factor(terms[0].1, base, real);
        for &(_, t) in &terms[1..] {
            sum = self.fold2(Op::Add, sum, self.factor(t, base, real))?;
        }
        if is_zero(&sum) {
            return Some(None);
        }
        if is_one(&sum) {
            return Some(Some(base));
        }
        let c = self.number(sum);
        Some(Some(self.mk(Op::Mul, &[c, base])))
    }

    pub(super) fn simplify_mul(&mut self, args: &[Term]) -> Term {
        let mut parts = Args::new();
        if self.flatten(Op::Mul, args, &mut parts) {
            self.fire(Rule::MulFlatten);
        }
        let constant = self.take_numerals(Op::Mul, &mut parts, Rule::MulConsts);
        self.commute(&mut parts);
        match constant {
            Some(c) if is_zero(&c) => {
                self.fire(Rule::MulZero);
                return self.number(c);
            }
            Some(c) if is_one(&c) && !parts.is_empty() => self.fire(Rule::MulOne),
            Some(c) => {
                let c = self.number(c);
                if let [x] = parts[..]
                    && self.op(x) == Op::Add
                    && let &[d, y] = self.args(x)
                    && self.number_of(d).is_some()
                    && let Some(cd) = self.fold_values(Op::Mul, &[c, d])
                {
                    self.fire(Rule::MulOverOffset);
                    let cy = self.mk(Op::Mul, &[c, y]);
                    return self.mk(Op::Add, &[cd, cy]);
                }
                parts.insert(0, c);
            }
            None => {}
        }
        match parts[..] {
            [a] => a,
            _ => self.intern(Op::Mul, &parts),
        }
    }

    pub(super) fn simplify_div(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::IntDiv if self.is_one(b) => return self.by(Rule::DivOne, a),
            Op::IntMod if self.is_one(b) => {
                self.fire(Rule::ModOne);
                return self.int(0);
            }
            // The divisor is not zero, so the inner remainder is already below it.
            Op::IntMod
                if self.op(a) == Op::IntMod
                    && self.args(a)[1] == b
                    && self.number_of(b).is_some()
                    && !self.is_zero(b) =>
            {
                return self.by(Rule::ModMod, a);
            }
            Op::RealDiv => {
                if let Some(Value::Real(r)) = self.number_of(b)
                    && !r.is_zero()
                {
                    let inverse = RBig::ONE / r;
                    self.fire(Rule::RealDivConst);
                    let inverse = self.number(Value::Real(inverse));
                    return self.mk(Op::Mul, &[inverse, a]);
                }
            }
            Op::Pow if self.is_one(b) => return self.by(Rule::PowOne, a),
            _ => {}
        }
        self.intern(op, &[a, b])
    }

    pub(super) fn simplify_compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        if a == b {
            return match op {
                Op::Le => self.by_bool(Rule::LeReflexive, true),
                _ => self.by_bool(Rule::LtIrreflexive, false),
            };
        }
        if (self.op(a) == Op::Add || self.op(b) == Op::Add)
            && let Some((c, d)) = self.offsets(a, b)
        {
            let zero = if self.sort(a) == Sort::REAL { self.real(IBig::ZERO) } else { self.int(0) };
            self.fire(Rule::CompareSameBase);
            return self.mk(op, &[c.unwrap_or(zero), d.unwrap_or(zero)]);
        }
        if let Some((x, d)) = self.move_offset(a, b) {
            self.fire(Rule::CompareOffset);
            return self.mk(op, &[x, d]);
        }
        if let Some((x, d)) = self.move_offset(b, a) {
            self.fire(Rule::CompareOffset);
            return self.mk(op, &[d, x]);
        }
        if op == Op::Lt {
            if let Some(Value::Int(c)) = self.number_of(b) {
                let c = c - IBig::ONE;
                self.fire(Rule::IntStrict);
                let c = self.int(c);
                return self.intern(Op::Le, &[a, c]);
            }
            if let Some(Value::Int(c)) = self.number_of(a) {
                let c = c + IBig::ONE;
                self.fire(Rule::IntStrict);
                let c = self.int(c);
                return self.intern(Op::Le, &[c, b]);
            }
        }
        self.intern(op, &[a, b])
    }

    /// For `sum = c + x` and a numeral `d`: `x` and `d - c`.
    fn move_offset(&mut self, sum: Term, d: Term) -> Option<(Term, Term)> {
        self.number_of(d)?;
        if self.op(sum) != Op::Add {
            return None;
        }
        let &[c, ref rest @ ..] = self.args(sum) else { return None };
        self.number_of(c)?;
        let rest = Args::from_slice(rest);
        let d = self.difference(Op::Add, d, c)?;
        let x = if rest.len() == 1 { rest[0] } else { self.intern(Op::Add, &rest) };
        Some((x, d))
    }

    pub(super) fn simplify_to_int(&mut self, op: Op, a: Term) -> Term {
        match (op, self.op(a)) {
            (Op::ToInt, Op::ToReal) => self.by(Rule::ToIntToReal, self.args(a)[0]),
            (Op::IsInt, Op::ToReal) => self.by_bool(Rule::IsIntToReal, true),
            _ => self.intern(op, &[a]),
        }
    }
}

fn is_zero(v: &Value) -> bool {
    match v {
        Value::Int(i) => i.is_zero(),
        Value::Real(r) => r.is_zero(),
        _ => false,
    }
}

fn is_one(v: &Value) -> bool {
    match v {
        Value::Int(i) => i.is_one(),
        Value::Real(r) => r.is_one(),
        _ => false,
    }
}

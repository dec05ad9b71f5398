//! The simplifying constructor [`Terms::mk`]: cheap local rules, applied as a term is built.
//!
//! In: an operator and arguments (built in any way). Out: a term that is equal to the plain node
//! under every interpretation, the corners that SMT-LIB leaves open included. What always holds:
//! - the result has no more operators than the plain node would have (a constructor equation of
//!   three or more fields excepted);
//! - the cost is linear in the arguments, but for chains that are walked up to a fixed length and
//!   for reading from a lambda, which instantiates its body;
//! - rules that build further terms do so to a fixed depth, whatever the terms.
//!
//! Each rule has a name ([`Rule`]) and counts how often it fired ([`Terms::rule_count`]).

mod arith;
mod array;
mod bitvec;
mod bvnary;
pub mod catalog;
mod core;
mod datatype;
mod equality;
mod float;
mod rule;

use smallvec::SmallVec;

pub use self::rule::Rule;
pub(crate) use self::rule::RuleCounts;
use crate::{
    fold,
    op::Op,
    store::{Term, Terms},
    value::{BitVec, Value},
};

/// Arguments under construction.
pub(crate) type Args = SmallVec<[Term; 8]>;

/// Rules that build terms by further rules go no deeper than this.
const MAX_DEPTH: u32 = 40;

/// Nested nodes of at most this many arguments are spliced into their parent, so that chains built
/// one by one become nodes of bounded width.
const FLATTEN: usize = 4;

impl Terms {
    /// `op` applied to `args`, simplified.
    pub fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        if self.simplify_depth > MAX_DEPTH {
            return self.intern(op, args);
        }
        self.simplify_depth += 1;
        let t = self.simplify(op, args);
        self.simplify_depth -= 1;
        t
    }

    /// How often a rule fired in this store.
    pub fn rule_count(&self, r: Rule) -> u64 {
        self.rules.get(r)
    }

    #[inline]
    fn fire(&mut self, r: Rule) {
        self.rules.fire(r);
    }

    /// Counts the rule and gives the term: the shape of most rules.
    #[inline]
    fn by(&mut self, r: Rule, t: Term) -> Term {
        self.fire(r);
        t
    }

    fn by_bool(&mut self, r: Rule, b: bool) -> Term {
        self.fire(r);
        self.bool(b)
    }

    fn simplify(&mut self, op: Op, args: &[Term]) -> Term {
        match op {
            Op::True
            | Op::False
            | Op::Const(_)
            | Op::RoundingMode(_)
            | Op::Elem(..)
            | Op::Var(_)
            | Op::Bound(..)
            | Op::App(_)
            | Op::ConstArray(_) => self.intern(op, args),

            Op::Not => self.simplify_not(args[0]),
            Op::And | Op::Or => self.simplify_and_or(op, args),
            Op::Eq => self.simplify_eq(args[0], args[1]),
            Op::Distinct => self.simplify_distinct(args),
            Op::Ite => self.simplify_ite(args[0], args[1], args[2]),

            Op::Select => self.simplify_select(args[0], args[1]),
            Op::Store => self.simplify_store(args[0], args[1], args[2]),

            Op::Ctor(c) => self.simplify_ctor(c, args),
            Op::Selector(c, i) => self.simplify_selector(c, i, args[0]),
            Op::Tester(c) => self.simplify_tester(c, args[0]),
            Op::Forall(_) | Op::Exists(_) => self.simplify_quantifier(op, args),
            Op::Lambda(_) => self.simplify_lambda(op, args),

            _ => {
                if args.iter().all(|&a| self.is_value(a))
                    && let Some(t) = self.fold_values(op, args)
                {
                    return self.by(Rule::ConstFold, t);
                }
                self.simplify_theory(op, args)
            }
        }
    }

    /// Operators on numbers, of which at least one argument is no value (or the result is open).
    fn simplify_theory(&mut self, op: Op, args: &[Term]) -> Term {
        match op {
            Op::Add => self.simplify_add(args),
            Op::Mul => self.simplify_mul(args),
            Op::Le | Op::Lt => self.simplify_compare(op, args[0], args[1]),
            Op::IntDiv | Op::IntMod | Op::RealDiv | Op::Pow => self.simplify_div(op, args[0], args[1]),
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul => self.simplify_bv_nary(op, args),
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
                self.simplify_bv_div(op, args[0], args[1])
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.simplify_shift(op, args[0], args[1]),
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => self.simplify_bv_compare(op, args[0], args[1]),
            Op::Concat => self.simplify_concat(args[0], args[1]),
            Op::FpFromFp { .. } | Op::FpAdd | Op::FpMul | Op::FpFma => self.simplify_fp_rounded(op, args),
            Op::FpLt | Op::FpEq | Op::FpMin | Op::FpMax => self.simplify_fp_binary(op, args[0], args[1]),
            _ if args.len() == 1 => {
                let a = args[0];
                match self.op(a) {
                    Op::Ite => self.ite_unary(op, a),
                    _ => self.simplify_unary(op, a),
                }
            }
            _ => self.intern(op, args),
        }
    }

    /// Operators of one argument, which is no choice.
    fn simplify_unary(&mut self, op: Op, a: Term) -> Term {
        match op {
            Op::ToInt | Op::IsInt | Op::ToReal => self.simplify_to_int(op, a),
            Op::BvNot | Op::BvNeg => self.simplify_bv_minus(op, a),
            Op::Extract { hi, lo } => self.simplify_extract(hi, lo, a),
            Op::ZeroExt(n) | Op::SignExt(n) => self.simplify_ext(op, n, a),
            Op::BvToNat | Op::IntToBv(_) => self.simplify_bv_int(op, a),
            Op::FpNeg
            | Op::FpAbs
            | Op::FpFromBits { .. }
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive => self.simplify_fp_unary(op, a),
            _ => self.intern(op, &[a]),
        }
    }

    /// `op(ite(c, v, w))` for values `v` and `w`.
    fn ite_unary(&mut self, op: Op, ite: Term) -> Term {
        let &[c, v, w] = self.args(ite) else { return self.intern(op, &[ite]) };
        if self.is_value(v)
            && self.is_value(w)
            && let Some(v) = self.fold_values(op, &[v])
            && let Some(w) = self.fold_values(op, &[w])
        {
            self.fire(Rule::IteUnary);
            return self.mk(Op::Ite, &[c, v, w]);
        }
        self.simplify_unary(op, ite)
    }

    /// The operator on scalar values; `None` if the result is open or too big.
    fn fold_values(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let values: SmallVec<[Value; 3]> = args.iter().map(|&a| self.scalar(a)).collect::<Option<_>>()?;
        let v = fold::apply(self, op, &values, &fold::no_universe).ok()?;
        Some(self.value_term(&v))
    }

    /// The value of a term that is one, other than constructor terms.
    fn scalar(&self, t: Term) -> Option<Value> {
        Some(match self.op(t) {
            Op::Const(c) => self.const_value(c).clone(),
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::RoundingMode(m) => Value::RoundingMode(m),
            Op::Elem(s, n) => Value::Elem(s, n),
            _ => return None,
        })
    }

    /// The number that a term is.
    #[inline]
    fn number_of(&self, t: Term) -> Option<&Value> {
        match self.op(t) {
            Op::Const(c) => Some(self.const_value(c)),
            _ => None,
        }
    }

    fn bv_numeral(&self, t: Term) -> Option<&BitVec> {
        self.number_of(t).and_then(Value::as_bv)
    }

    fn is_zero(&self, t: Term) -> bool {
        match self.number_of(t) {
            Some(Value::Int(i)) => i.is_zero(),
            Some(Value::Real(r)) => r.is_zero(),
            Some(Value::BitVec(b)) => b.is_zero(),
            _ => false,
        }
    }

    fn is_one(&self, t: Term) -> bool {
        match self.number_of(t) {
            Some(Value::Int(i)) => i.is_one(),
            Some(Value::Real(r)) => r.is_one(),
            Some(Value::BitVec(b)) => b.bits().is_one(),
            _ => false,
        }
    }

    /// Splices small nodes of the same operator into `args`; says whether there were any.
    fn flatten(&self, op: Op, args: &[Term], out: &mut Args) -> bool {
        let mut any = false;
        for &a in args {
            if self.op(a) == op && self.args(a).len() <= FLATTEN {
                out.extend_from_slice(self.args(a));
                any = true;
            } else {
                out.push(a);
            }
        }
        any
    }

    /// Sorts the arguments of a commutative operator.
    fn commute(&mut self, args: &mut [Term]) {
        if !args.is_sorted() {
            args.sort_unstable();
            self.fire(Rule::Commute);
        }
    }

    /// Are two terms of one sort different under every interpretation, as far as one sees at once?
    pub(crate) fn decided_distinct(&self, a: Term, b: Term) -> bool {
        if a == b {
            return false;
        }
        if self.is_value(a) && self.is_value(b) {
            return true;
        }
        match (self.op(a), self.op(b)) {
            (Op::Ctor(c), Op::Ctor(d)) => c != d,
            (Op::Add | Op::BvAdd, _) | (_, Op::Add | Op::BvAdd) => {
                self.offsets(a, b).is_some_and(|(c, d)| !self.same_offset(c, d))
            }
            _ => false,
        }
    }

    /// The constant summands of two sums that are otherwise the same.
    fn offsets(&self, a: Term, b: Term) -> Option<(Option<Term>, Option<Term>)> {
        let (one_a, one_b) = ([a], [b]);
        let sum = if matches!(self.op(a), Op::Add | Op::BvAdd) { self.op(a) } else { self.op(b) };
        let split = |t: Term, one| {
            let parts = if self.op(t) == sum { self.args(t) } else { one };
            match parts {
                [c, rest @ ..] if !rest.is_empty() && self.number_of(*c).is_some() => (Some(*c), rest),
                _ => (None, parts),
            }
        };
        let ((c, rest_a), (d, rest_b)) = (split(a, &one_a), split(b, &one_b));
        (rest_a == rest_b).then_some((c, d))
    }

    fn same_offset(&self, c: Option<Term>, d: Option<Term>) -> bool {
        match (c, d) {
            (Some(c), Some(d)) => c == d,
            (Some(c), None) | (None, Some(c)) => self.is_zero(c),
            (None, None) => true,
        }
    }
}

//! Builders: one method an operator, plus the ones that SMT-LIB has and we reduce to others.
//!
//! All go through [`Terms::mk`], which simplifies. Arguments must fit (see [`Terms::check_app`]);
//! code that takes terms from a user checks first with [`Terms::try_mk`].

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{
    op::{Binder, Op, RoundingMode, Trigger},
    sort::{CtorId, Sort, SortError, SortKind},
    store::{Func, Term, Terms},
    value::{BitVec, Value},
};

impl Terms {
    /// Like [`Terms::mk`], for arguments that may not fit.
    pub fn try_mk(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        self.check_app(op, args)?;
        Ok(self.mk(op, args))
    }

    // Leaves

    /// `true` or `false`.
    pub fn bool(&mut self, b: bool) -> Term {
        self.intern(if b { Op::True } else { Op::False }, &[])
    }

    /// An integer numeral.
    pub fn int(&mut self, v: impl Into<IBig>) -> Term {
        self.number(Value::Int(v.into()))
    }

    /// A real numeral.
    pub fn real(&mut self, v: impl Into<RBig>) -> Term {
        self.number(Value::Real(v.into()))
    }

    /// A bit-vector numeral, modulo `2^width`.
    pub fn bv(&mut self, width: u32, v: impl Into<UBig>) -> Term {
        self.number(Value::BitVec(BitVec::new(width, v.into())))
    }

    /// An Int, Real, BitVec or Float numeral.
    pub fn number(&mut self, v: Value) -> Term {
        let c = self.intern_const(v);
        self.intern(Op::Const(c), &[])
    }

    /// A rounding mode.
    pub fn rounding_mode(&mut self, m: RoundingMode) -> Term {
        self.intern(Op::RoundingMode(m), &[])
    }

    /// A bound variable by its de Bruijn index (0 is the innermost).
    pub fn bound(&mut self, index: u32, sort: Sort) -> Term {
        self.intern(Op::Bound(index, sort), &[])
    }

    /// A declared function applied to arguments of its parameter sorts.
    pub fn app(&mut self, f: Func, args: &[Term]) -> Term {
        self.mk(Op::App(f), args)
    }

    // Core

    /// Negation.
    pub fn not(&mut self, a: Term) -> Term {
        self.mk(Op::Not, &[a])
    }

    /// Conjunction of any number of Booleans.
    pub fn and(&mut self, args: &[Term]) -> Term {
        match args {
            [] => self.bool(true),
            [a] => *a,
            _ => self.mk(Op::And, args),
        }
    }

    /// Disjunction of any number of Booleans.
    pub fn or(&mut self, args: &[Term]) -> Term {
        match args {
            [] => self.bool(false),
            [a] => *a,
            _ => self.mk(Op::Or, args),
        }
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    /// Equality; equivalence on Booleans.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Eq, &[a, b])
    }

    /// Disequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// Pairwise different.
    pub fn distinct(&mut self, args: &[Term]) -> Term {
        match args {
            [] | [_] => self.bool(true),
            _ => self.mk(Op::Distinct, args),
        }
    }

    /// If-then-else of any sort.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        self.mk(Op::Ite, &[c, a, b])
    }

    // Int and Real

    /// Sum of at least one integer or real.
    pub fn add(&mut self, args: &[Term]) -> Term {
        match args {
            [a] => *a,
            _ => self.mk(Op::Add, args),
        }
    }

    /// Product of at least one integer or real.
    pub fn mul(&mut self, args: &[Term]) -> Term {
        match args {
            [a] => *a,
            _ => self.mk(Op::Mul, args),
        }
    }

    /// Negative of an integer or real.
    pub fn neg(&mut self, a: Term) -> Term {
        let minus_one = if self.sort(a) == Sort::REAL { self.real(IBig::NEG_ONE) } else { self.int(-1) };
        self.mk(Op::Mul, &[minus_one, a])
    }

    /// Difference of integers or reals.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let minus_b = self.neg(b);
        self.mk(Op::Add, &[a, minus_b])
    }

    /// `a <= b` on integers or reals.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Le, &[a, b])
    }

    /// `a < b` on integers or reals.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Lt, &[a, b])
    }

    /// `a >= b` on integers or reals.
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b` on integers or reals.
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    // BitVec

    /// Bits `hi` down to `lo`.
    pub fn extract(&mut self, hi: u32, lo: u32, a: Term) -> Term {
        self.mk(Op::Extract { hi, lo }, &[a])
    }

    /// Difference of bit-vectors.
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        let minus_b = self.mk(Op::BvNeg, &[b]);
        self.mk(Op::BvAdd, &[a, minus_b])
    }

    /// The width of a bit-vector term.
    pub fn bv_width(&self, t: Term) -> Option<u32> {
        match self.sort_kind(self.sort(t)) {
            SortKind::BitVec(w) => Some(w),
            _ => None,
        }
    }

    // Array

    /// The element at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.mk(Op::Select, &[array, index])
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.mk(Op::Store, &[array, index, element])
    }

    /// The array of this array sort with the same element everywhere.
    pub fn const_array(&mut self, array_sort: Sort, element: Term) -> Term {
        self.mk(Op::ConstArray(array_sort), &[element])
    }

    // Datatypes

    /// A constructor applied to its fields.
    pub fn ctor(&mut self, c: CtorId, args: &[Term]) -> Term {
        self.mk(Op::Ctor(c), args)
    }

    /// The field of this number.
    pub fn selector(&mut self, c: CtorId, field: u32, a: Term) -> Term {
        self.mk(Op::Selector(c, field), &[a])
    }

    /// Is `a` built by this constructor?
    pub fn tester(&mut self, c: CtorId, a: Term) -> Term {
        self.mk(Op::Tester(c), &[a])
    }

    // Binders, over bodies that already use de Bruijn indices

    /// `forall` over a body in which the bound variables are indices (see [`Binder`]); each trigger
    /// is a group of terms. See `binding` for binding free variables by name.
    pub fn forall_bound(&mut self, vars: &[(&str, Sort)], triggers: &[Vec<Term>], body: Term) -> Term {
        let (b, args) = self.binder_args(vars, triggers, body);
        self.mk(Op::Forall(b), &args)
    }

    /// `exists`, like [`Terms::forall_bound`].
    pub fn exists_bound(&mut self, vars: &[(&str, Sort)], triggers: &[Vec<Term>], body: Term) -> Term {
        let (b, args) = self.binder_args(vars, triggers, body);
        self.mk(Op::Exists(b), &args)
    }

    /// The array whose element at index `Bound(0)` is `body`.
    pub fn lambda_bound(&mut self, var: (&str, Sort), body: Term) -> Term {
        let (b, args) = self.binder_args(&[var], &[], body);
        self.mk(Op::Lambda(b), &args)
    }

    fn binder_args(
        &mut self,
        vars: &[(&str, Sort)],
        triggers: &[Vec<Term>],
        body: Term,
    ) -> (crate::op::BinderId, Vec<Term>) {
        let vars = vars.iter().map(|&(n, s)| (self.symbol(n), s)).collect();
        let groups = triggers.iter().map(|g| Trigger { len: g.len() as u32, negative: false }).collect();
        let b = self.intern_binder(Binder { vars, triggers: groups, weight: None });
        let args = std::iter::once(body).chain(triggers.iter().flatten().copied()).collect();
        (b, args)
    }
}

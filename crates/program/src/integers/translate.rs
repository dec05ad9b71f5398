//! Terms over integers for terms over bit-vectors.
//!
//! A bit-vector of width `n` becomes an integer that is congruent to it modulo `2^n`, with an interval that it
//! lies in. So sums and products are plain ones; only where the number itself matters (comparisons, divisions,
//! what a variable holds) it is brought into the unsigned or signed range, and where the interval shows that it
//! is there, nothing is to be done.

use dashu_int::IBig;
use lariat_term::{Func, Op, Sort, SortKind, Term, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Untranslatable,
    interval::{Interval, power, window},
    signs::Signs,
    sorts::{has_bits, twin_sort},
};

/// What a term becomes: of a bit-vector a congruent integer, of other terms the same over integers.
#[derive(Clone, Debug)]
pub(super) struct Out {
    pub term: Term,
    pub range: Interval,
}

/// Intervals that hold here of terms of the integer program.
pub(super) type Facts = FxHashMap<Term, Interval>;

/// Translates terms.
pub(super) struct Translator<'a> {
    pub terms: &'a mut Terms,
    pub signs: &'a Signs,
    /// Names of variables without bit-vectors, and of twins.
    taken: FxHashSet<String>,
    twins: FxHashMap<Var, Var>,
    funcs: FxHashMap<Func, Func>,
    /// The functions that stand for others.
    made: FxHashSet<Func>,
    memo: FxHashMap<Term, Out>,
    /// What is known of variables and reads now.
    pub facts: Facts,
    /// Reads and function applications since the last time they were taken, with their ranges.
    reads: Vec<(Term, Interval)>,
    /// How often a term stays one of bit-vectors.
    pub conversions: usize,
}

type Result<T> = std::result::Result<T, Untranslatable>;

impl<'a> Translator<'a> {
    pub fn new(terms: &'a mut Terms, signs: &'a Signs, taken: FxHashSet<String>) -> Translator<'a> {
        Translator {
            terms,
            signs,
            taken,
            twins: FxHashMap::default(),
            funcs: FxHashMap::default(),
            made: FxHashSet::default(),
            memo: FxHashMap::default(),
            facts: FxHashMap::default(),
            reads: Vec::new(),
            conversions: 0,
        }
    }

    /// The variables that are signed, and the twins of variables and functions.
    pub fn finish(self) -> (FxHashSet<Var>, FxHashMap<Var, Var>, FxHashMap<Func, Func>) {
        let mut signed = FxHashSet::default();
        for &v in self.twins.keys() {
            let t = self.terms.var_term(v);
            if self.signs.signed(self.terms, t) {
                signed.insert(v);
            }
        }
        (signed, self.twins, self.funcs)
    }

    /// Forgets translations, since variables have changed or more is known of them.
    pub fn forget(&mut self) {
        self.memo.clear();
    }

    /// The ranges of what was read since the last time, as one condition.
    pub fn take_reads(&mut self) -> Option<Term> {
        let reads = std::mem::take(&mut self.reads);
        let bounds: Vec<Term> = reads.iter().map(|(t, range)| bounds(self.terms, *t, range)).collect();
        (!bounds.is_empty()).then(|| self.terms.and(&bounds))
    }

    /// The variable of the integer program.
    pub fn twin(&mut self, v: Var) -> Result<Var> {
        if let Some(&twin) = self.twins.get(&v) {
            return Ok(twin);
        }
        let sort = self.terms.var_sort(v);
        let twin_sort = twin_sort(self.terms, sort)?;
        let name = self.terms.var_name(v).to_owned();
        let taken = twin_sort != sort && !self.taken.insert(name.clone());
        let t = if taken { self.terms.fresh_var(&name, twin_sort) } else { self.terms.var(&name, twin_sort) };
        let twin = self.terms.as_var(t).unwrap_or(v);
        self.twins.insert(v, twin);
        Ok(twin)
    }

    /// The range that the variable's twin keeps, if it is a bit-vector.
    pub fn window_of(&mut self, v: Var) -> Option<Interval> {
        let t = self.terms.var_term(v);
        let width = self.terms.bv_width(t)?;
        Some(window(width, self.signs.signed(self.terms, t)))
    }

    /// The term for a variable to hold: in the variable's range.
    pub fn held(&mut self, v: Var, t: Term) -> Result<Out> {
        let out = self.term(t)?;
        Ok(match (self.window_of(v), self.terms.bv_width(t)) {
            (Some(range), Some(w)) => self.fitted(w, &range, &out),
            _ => out,
        })
    }

    /// The translation of a term.
    pub fn term(&mut self, root: Term) -> Result<Out> {
        let mut stack = vec![(root, false)];
        while let Some((t, entered)) = stack.pop() {
            if self.memo.contains_key(&t) {
                continue;
            }
            if !entered && !self.terms.args(t).is_empty() {
                stack.push((t, true));
                stack.extend(self.terms.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            let out = self.node(t)?;
            self.memo.insert(t, out);
        }
        Ok(self.memo[&root].clone())
    }

    fn node(&mut self, t: Term) -> Result<Out> {
        let op = self.terms.op(t);
        let old: Vec<Term> = self.terms.args(t).to_vec();
        let args: Vec<Out> = old.iter().map(|a| self.memo[a].clone()).collect();
        // Zero for what is no bit-vector.
        let widths: Vec<u32> = old.iter().map(|&a| self.terms.bv_width(a).unwrap_or(0)).collect();
        let w = self.terms.bv_width(t).unwrap_or(0);
        Ok(match op {
            Op::Const(c) => match self.terms.const_value(c).clone() {
                Value::BitVec(b) => self.numeral(b.to_signed()),
                Value::Int(i) => Out { term: t, range: Interval::point(i) },
                _ => plain(t),
            },
            Op::Var(v) if has_bits(self.terms, self.terms.sort(t)) => {
                let twin = self.twin(v)?;
                let term = self.terms.var_term(twin);
                let range = self.window_of(v).unwrap_or(Interval::ALL);
                self.known(term, range)
            }
            Op::Bound(_, sort) if has_bits(self.terms, sort) => return Err(Untranslatable("a bound bit-vector")),
            Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => {
                if self.terms.binder(b).vars.iter().any(|&(_, s)| has_bits(self.terms, s))
                    || has_bits(self.terms, self.terms.sort(t))
                {
                    return Err(Untranslatable("a bound bit-vector"));
                }
                self.rebuild(t, &old, &args)
            }
            Op::Ite => {
                let term = self.terms.ite(args[0].term, args[1].term, args[2].term);
                Out { term, range: args[1].range.hull(&args[2].range) }
            }
            Op::Eq if widths[0] > 0 => plain(self.equal(widths[0], &args[0], &args[1])),
            Op::Distinct if widths[0] > 0 => {
                let w = widths[0];
                let args: Vec<Term> = args.iter().map(|a| self.unsigned(w, a).term).collect();
                plain(self.terms.distinct(&args))
            }
            Op::Eq | Op::Distinct if has_bits(self.terms, self.terms.sort(old[0])) => {
                return Err(Untranslatable("an equation between maps"));
            }
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => plain(self.compare(op, widths[0], &args[0], &args[1])),
            Op::BvToNat => self.unsigned(widths[0], &args[0]),
            Op::IntToBv(_) => args[0].clone(),
            Op::BvAdd => self.fold(w, &args, Translator::add),
            Op::BvMul => self.fold(w, &args, Translator::mul),
            Op::BvAnd => self.fold(w, &args, |s, x, y| s.bitwise(Op::BvAnd, w, x, y)),
            Op::BvOr => self.fold(w, &args, |s, x, y| s.bitwise(Op::BvOr, w, x, y)),
            Op::BvXor => self.fold(w, &args, |s, x, y| s.bitwise(Op::BvXor, w, x, y)),
            Op::BvNeg => self.neg(&args[0]),
            Op::BvNot => {
                let minus = self.neg(&args[0]);
                let one = self.numeral(IBig::NEG_ONE);
                self.add(&minus, &one)
            }
            Op::BvUdiv | Op::BvUrem => self.divide_unsigned(op, w, &args[0], &args[1]),
            Op::BvSdiv | Op::BvSrem => self.divide_signed(op, w, &args[0], &args[1]),
            Op::BvShl | Op::BvLshr | Op::BvAshr => match self.shift(op, w, &args[0], &args[1]) {
                Some(out) => out,
                None => self.as_bits(t, &old, &args),
            },
            Op::Concat => {
                let (high, low) = (self.scale(&args[0], &power(widths[1])), self.unsigned(widths[1], &args[1]));
                self.add(&high, &low)
            }
            Op::Extract { lo, .. } => self.floor_div(&args[0], &power(lo)),
            Op::ZeroExt(_) => self.unsigned(widths[0], &args[0]),
            Op::SignExt(_) => self.signed(widths[0], &args[0]),
            Op::Select => {
                let index = self.index(old[1], &args[1]);
                let term = self.terms.select(args[0].term, index);
                self.read(t, term)?
            }
            Op::Store => {
                let index = self.index(old[1], &args[1]);
                let element = self.element(t, old[2], &args[2]);
                plain(self.terms.store(args[0].term, index, element))
            }
            Op::ConstArray(sort) if has_bits(self.terms, sort) => {
                let element = self.element(t, old[0], &args[0]);
                let sort = twin_sort(self.terms, sort)?;
                plain(self.terms.const_array(sort, element))
            }
            Op::App(f) => {
                let f = self.func(f)?;
                let args: Vec<Term> = old.iter().zip(&args).map(|(&o, a)| self.index(o, a)).collect();
                let term = self.terms.app(f, &args);
                self.read(t, term)?
            }
            Op::Ctor(_) | Op::Selector(..) | Op::Tester(_)
                if old.iter().chain([&t]).any(|&a| has_bits(self.terms, self.terms.sort(a))) =>
            {
                return Err(Untranslatable("a datatype with bit-vectors"));
            }
            _ if w > 0 || widths.iter().any(|&w| w > 0) => self.as_bits(t, &old, &args),
            _ => self.rebuild(t, &old, &args),
        })
    }

    fn rebuild(&mut self, t: Term, old: &[Term], args: &[Out]) -> Out {
        let new: Vec<Term> = args.iter().map(|a| a.term).collect();
        plain(if new == old { t } else { self.terms.mk(self.terms.op(t), &new) })
    }

    /// A term with the range that is known of it.
    fn known(&self, term: Term, range: Interval) -> Out {
        let range = self.facts.get(&term).map_or(range.clone(), |f| range.meet(f));
        Out { term, range }
    }

    /// A read or a function's result, whose range is a fact about the program, not about the term.
    fn read(&mut self, old: Term, term: Term) -> Result<Out> {
        let Some(w) = self.terms.bv_width(old) else { return Ok(plain(term)) };
        let range = window(w, self.signs.signed(self.terms, old));
        if self.terms.loose(term) > 0 {
            return Err(Untranslatable("a quantified read"));
        }
        if matches!(self.terms.op(term), Op::Select | Op::App(_) | Op::Ite) {
            self.reads.push((term, range.clone()));
        }
        Ok(self.known(term, range))
    }

    /// An index or argument: unsigned, if it is a bit-vector.
    fn index(&mut self, old: Term, x: &Out) -> Term {
        match self.terms.bv_width(old) {
            Some(w) => self.unsigned(w, x).term,
            None => x.term,
        }
    }

    /// An element of the map `map`, in the range that its elements have.
    fn element(&mut self, map: Term, old: Term, x: &Out) -> Term {
        match self.terms.bv_width(old) {
            Some(w) => {
                let range = window(w, self.signs.signed(self.terms, map));
                self.fitted(w, &range, x).term
            }
            None => x.term,
        }
    }

    /// The function of the integer program.
    pub fn func(&mut self, f: Func) -> Result<Func> {
        if let Some(&twin) = self.funcs.get(&f) {
            return Ok(twin);
        }
        let decl = self.terms.func_decl(f).clone();
        let all: Vec<Sort> = decl.params.iter().copied().chain([decl.result]).collect();
        let twin = if !all.iter().any(|&s| has_bits(self.terms, s)) {
            f
        } else {
            let scalar = |&s: &Sort| !has_bits(self.terms, s) || matches!(self.terms.sort_kind(s), SortKind::BitVec(_));
            if decl.builtin.is_some() || !all.iter().all(scalar) {
                return Err(Untranslatable("a function of maps, or one of the solver's own"));
            }
            let mut sorts = all.iter().map(|&s| twin_sort(self.terms, s)).collect::<Result<Vec<Sort>>>()?;
            let result = sorts.pop().unwrap_or(Sort::BOOL);
            // The program may have functions of that name.
            let mut name = self.terms.name(decl.name).to_owned();
            loop {
                name.push_str(".int");
                if let Ok(twin) = self.terms.declare_func(&name, &sorts, result, None)
                    && !self.signs.has(twin)
                    && self.made.insert(twin)
                {
                    break twin;
                }
            }
        };
        self.funcs.insert(f, twin);
        Ok(twin)
    }

    /// The operator on bit-vectors made from the integers, and back.
    fn as_bits(&mut self, t: Term, old: &[Term], args: &[Out]) -> Out {
        self.conversions += 1;
        let args: Vec<Term> = old
            .iter()
            .zip(args)
            .map(|(&o, a)| match self.terms.bv_width(o) {
                Some(w) => self.terms.mk(Op::IntToBv(w), &[a.term]),
                None => a.term,
            })
            .collect();
        let term = self.terms.mk(self.terms.op(t), &args);
        match self.terms.bv_width(t) {
            Some(w) => Out { term: self.terms.mk(Op::BvToNat, &[term]), range: window(w, false) },
            None => plain(term),
        }
    }

    pub(super) fn fold(&mut self, w: u32, args: &[Out], mut f: impl FnMut(&mut Self, &Out, &Out) -> Out) -> Out {
        let mut result = args[0].clone();
        for a in &args[1..] {
            let next = f(self, &result, a);
            result = self.capped(w, next);
        }
        result
    }

    /// Keeps numbers from growing without end.
    pub(super) fn capped(&mut self, w: u32, x: Out) -> Out {
        let limit = power(2 * w + 8);
        if x.range.magnitude().is_some_and(|m| m <= limit) { x } else { self.unsigned(w, &x) }
    }
}

fn plain(term: Term) -> Out {
    Out { term, range: Interval::ALL }
}

/// The condition that a term is in a range.
pub(super) fn bounds(terms: &mut Terms, t: Term, range: &Interval) -> Term {
    let mut parts = Vec::new();
    if let Some(lo) = &range.lo {
        let lo = terms.int(lo.clone());
        parts.push(terms.le(lo, t));
    }
    if let Some(hi) = &range.hi {
        let hi = terms.int(hi.clone());
        parts.push(terms.le(t, hi));
    }
    terms.and(&parts)
}

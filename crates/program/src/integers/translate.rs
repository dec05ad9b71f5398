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
    interval::{Interval, floor, power, window},
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
    /// Names of variables without bit-vectors.
    taken: FxHashSet<String>,
    twins: FxHashMap<Var, Var>,
    funcs: FxHashMap<Func, Func>,
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
            memo: FxHashMap::default(),
            facts: FxHashMap::default(),
            reads: Vec::new(),
            conversions: 0,
        }
    }

    /// The twins of variables and functions so far.
    pub fn into_twins(self) -> (FxHashMap<Var, Var>, FxHashMap<Func, Func>) {
        (self.twins, self.funcs)
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
        let twin_sort = twin_sort(self.terms, sort).ok_or(Untranslatable("a datatype with bit-vectors"))?;
        let name = self.terms.var_name(v).to_owned();
        let taken = twin_sort != sort && self.taken.contains(&name);
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
            (Some(range), Some(w)) => self.into_window(w, &range, &out),
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
                let sort = twin_sort(self.terms, sort).ok_or(Untranslatable("a datatype with bit-vectors"))?;
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
                self.into_window(w, &range, x).term
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
            let mut sorts = Vec::new();
            for &s in &all {
                sorts.push(twin_sort(self.terms, s).ok_or(Untranslatable("a datatype with bit-vectors"))?);
            }
            let name = format!("{}.int", self.terms.name(decl.name));
            let result = sorts.pop().unwrap_or(Sort::BOOL);
            let declared = self.terms.declare_func(&name, &sorts, result, None);
            declared.map_err(|_| Untranslatable("a function whose name is taken"))?
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

    fn fold(&mut self, w: u32, args: &[Out], mut f: impl FnMut(&mut Self, &Out, &Out) -> Out) -> Out {
        let mut result = args[0].clone();
        for a in &args[1..] {
            let next = f(self, &result, a);
            result = self.capped(w, next);
        }
        result
    }

    /// Keeps numbers from growing without end.
    fn capped(&mut self, w: u32, x: Out) -> Out {
        let limit = power(2 * w + 8);
        if x.range.magnitude().is_some_and(|m| m <= limit) { x } else { self.unsigned(w, &x) }
    }

    // Arithmetic on congruent integers

    pub fn numeral(&mut self, v: IBig) -> Out {
        Out { term: self.terms.int(v.clone()), range: Interval::point(v) }
    }

    fn add(&mut self, x: &Out, y: &Out) -> Out {
        Out { term: self.terms.add(&[x.term, y.term]), range: x.range.add(&y.range) }
    }

    fn sub(&mut self, x: &Out, y: &Out) -> Out {
        let minus = self.neg(y);
        self.add(x, &minus)
    }

    fn neg(&mut self, x: &Out) -> Out {
        Out { term: self.terms.neg(x.term), range: x.range.neg() }
    }

    fn mul(&mut self, x: &Out, y: &Out) -> Out {
        Out { term: self.terms.mul(&[x.term, y.term]), range: x.range.mul(&y.range) }
    }

    fn scale(&mut self, x: &Out, by: &IBig) -> Out {
        let by = self.numeral(by.clone());
        self.mul(&by, x)
    }

    /// The quotient by a positive number, rounded down.
    fn floor_div(&mut self, x: &Out, by: &IBig) -> Out {
        if *by == IBig::ONE {
            return x.clone();
        }
        let range = x.range.div(by);
        let term = match range.value() {
            Some(v) => self.terms.int(v.clone()),
            None => {
                let by = self.terms.int(by.clone());
                self.terms.mk(Op::IntDiv, &[x.term, by])
            }
        };
        Out { term, range }
    }

    fn remainder(&mut self, x: &Out, by: &IBig) -> Out {
        let range = Interval::new(0, by - IBig::ONE);
        if x.range.within(&range) {
            return x.clone();
        }
        let by = self.terms.int(by.clone());
        Out { term: self.terms.mk(Op::IntMod, &[x.term, by]), range }
    }

    pub fn unsigned(&mut self, w: u32, x: &Out) -> Out {
        self.into_window(w, &window(w, false), x)
    }

    pub fn signed(&mut self, w: u32, x: &Out) -> Out {
        self.into_window(w, &window(w, true), x)
    }

    /// The congruent number in a range of `2^w` numbers.
    fn into_window(&mut self, w: u32, range: &Interval, x: &Out) -> Out {
        let (Some((first, _)), size) = (range.bounds(), power(w)) else { return x.clone() };
        if x.range.within(range) {
            return x.clone();
        }
        if let Some((lo, hi)) = x.range.bounds() {
            let (low, high) = (floor(&(lo - first), &size), floor(&(hi - first), &size));
            if &high - &low <= IBig::from(2) {
                return self.wrap(range, &size, x, low, high);
            }
        }
        let offset = self.numeral(-first);
        let (from_zero, back) = (self.add(x, &offset), self.numeral(first.clone()));
        let rest = self.remainder(&from_zero, &size);
        self.add(&rest, &back)
    }

    /// One of few multiples of `size` is taken away: from number `low` to number `high`.
    fn wrap(&mut self, range: &Interval, size: &IBig, x: &Out, low: IBig, mut high: IBig) -> Out {
        let Some((first, _)) = range.bounds() else { return x.clone() };
        let at = |s: &mut Self, k: &IBig| {
            let shift = s.numeral(-(k * size));
            s.add(x, &shift).term
        };
        // The unlikely ones are tested first: most often nothing is to be done.
        let mut cases = Vec::new();
        let mut low = low;
        while low < high {
            if low < IBig::ZERO {
                let end = self.terms.int(first + (&low + IBig::ONE) * size);
                cases.push((self.terms.lt(x.term, end), at(self, &low)));
                low += IBig::ONE;
            } else {
                let start = self.terms.int(first + &high * size);
                cases.push((self.terms.le(start, x.term), at(self, &high)));
                high -= IBig::ONE;
            }
        }
        let mut term = at(self, &low);
        for (cond, value) in cases.into_iter().rev() {
            term = self.terms.ite(cond, value, term);
        }
        let mut moved = x.range.add(&Interval::point(-(&low * size)));
        if !moved.within(range) {
            moved = range.clone();
        }
        Out { term, range: moved }
    }

    // Conditions

    /// Are two numbers congruent?
    fn equal(&mut self, w: u32, x: &Out, y: &Out) -> Term {
        let size = power(w);
        if let (Some((a, b)), Some((c, d))) = (x.range.bounds(), y.range.bounds()) {
            // x - y is one of the multiples of 2^w between these.
            let (least, most) = (a - d, b - c);
            let (mut k, last) = (-floor(&-least, &size), floor(&most, &size));
            if &last - &k <= IBig::from(2) {
                let mut cases = Vec::new();
                while k <= last {
                    let shift = self.numeral(&k * &size);
                    let other = self.add(y, &shift);
                    cases.push(self.terms.eq(x.term, other.term));
                    k += IBig::ONE;
                }
                return self.terms.or(&cases);
            }
        }
        let signed = !x.range.nonnegative() || !y.range.nonnegative();
        let range = window(w, signed);
        let (x, y) = (self.into_window(w, &range, x), self.into_window(w, &range, y));
        self.terms.eq(x.term, y.term)
    }

    fn compare(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Term {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let less = |s: &mut Self, a: &Out, b: &Out| {
            let (l, h) = (&a.range, &b.range);
            // Decided by the ranges alone?
            if let (Some(ah), Some(bl)) = (&l.hi, &h.lo)
                && (ah < bl || (!strict && ah == bl))
            {
                return s.terms.bool(true);
            }
            if let (Some(al), Some(bh)) = (&l.lo, &h.hi)
                && (al > bh || (strict && al == bh))
            {
                return s.terms.bool(false);
            }
            if strict { s.terms.lt(a.term, b.term) } else { s.terms.le(a.term, b.term) }
        };
        if matches!(op, Op::BvSlt | Op::BvSle) {
            let (x, y) = (self.signed(w, x), self.signed(w, y));
            return less(self, &x, &y);
        }
        // A number that may be negative against one of the lower half: the negative ones are the large ones.
        let (all, half) = (window(w, true), Interval::new(0, power(w - 1) - IBig::ONE));
        let zero = self.numeral(IBig::ZERO);
        if x.range.within(&all) && !x.range.nonnegative() && y.range.within(&half) {
            let (natural, below) = (self.terms.le(zero.term, x.term), less(self, x, y));
            return self.terms.and(&[natural, below]);
        }
        if y.range.within(&all) && !y.range.nonnegative() && x.range.within(&half) {
            let (large, below) = (self.terms.lt(y.term, zero.term), less(self, x, y));
            return self.terms.or(&[large, below]);
        }
        let (x, y) = (self.unsigned(w, x), self.unsigned(w, y));
        less(self, &x, &y)
    }

    // Division

    fn divide_unsigned(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Out {
        let (x, y) = (self.unsigned(w, x), self.unsigned(w, y));
        let (int, by_zero) = match op {
            Op::BvUdiv => (Op::IntDiv, self.numeral(power(w) - IBig::ONE)),
            _ => (Op::IntMod, x.clone()),
        };
        let most = match (int, &x.range.hi, &y.range.hi) {
            (Op::IntMod, Some(a), Some(b)) => a.min(&(b - IBig::ONE)).clone(),
            (_, Some(a), _) => a.clone(),
            _ => power(w) - IBig::ONE,
        };
        let range = Interval::new(0, most.max(IBig::ZERO));
        let quotient = Out { term: self.terms.mk(int, &[x.term, y.term]), range };
        self.unless_zero(&y, by_zero, quotient)
    }

    fn divide_signed(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Out {
        let (x, y) = (self.signed(w, x), self.signed(w, y));
        let zero = self.terms.int(0);
        let int = if op == Op::BvSdiv { Op::IntDiv } else { Op::IntMod };
        // Euclidean division of a number that is not negative is what it should be.
        let up = self.terms.mk(int, &[x.term, y.term]);
        let minus = self.neg(&x);
        let down = self.terms.mk(int, &[minus.term, y.term]);
        let down = self.terms.neg(down);
        let natural = self.terms.le(zero, x.term);
        let term = match (x.range.nonnegative(), minus.range.nonnegative()) {
            (true, _) => up,
            (_, true) => down,
            _ => self.terms.ite(natural, up, down),
        };
        let mut most = x.range.magnitude().unwrap_or_else(|| power(w - 1));
        if op == Op::BvSrem
            && let Some(m) = y.range.magnitude()
        {
            most = most.min((m - IBig::ONE).max(IBig::ZERO));
        } else if let Some(c) = y.range.value().and_then(|_| y.range.magnitude()).filter(|c| *c > IBig::ZERO) {
            most /= c;
        }
        let mut range = Interval::new(-&most, most);
        if op == Op::BvSrem && x.range.nonnegative()
            || op == Op::BvSdiv && x.range.nonnegative() && y.range.nonnegative()
        {
            range.lo = Some(IBig::ZERO);
        }
        let by_zero = if op == Op::BvSdiv {
            let (one, minus) = (self.terms.int(1), self.terms.int(-1));
            Out { term: self.terms.ite(natural, minus, one), range: Interval::new(-1, 1) }
        } else {
            x
        };
        self.unless_zero(&y, by_zero, Out { term, range })
    }

    fn unless_zero(&mut self, divisor: &Out, by_zero: Out, other: Out) -> Out {
        let zero = Interval::point(IBig::ZERO);
        if divisor.range == zero {
            return by_zero;
        }
        if divisor.range.lo.as_ref().is_some_and(|l| *l > IBig::ZERO)
            || divisor.range.hi.as_ref().is_some_and(|h| *h < IBig::ZERO)
        {
            return other;
        }
        let none = self.terms.int(0);
        let is_zero = self.terms.eq(divisor.term, none);
        Out { term: self.terms.ite(is_zero, by_zero.term, other.term), range: by_zero.range.hull(&other.range) }
    }

    // Shifts and bits

    /// `None` if there are too many distances to tell apart.
    fn shift(&mut self, op: Op, w: u32, x: &Out, by: &Out) -> Option<Out> {
        let by = self.unsigned(w, by);
        let base = match op {
            Op::BvShl => x.clone(),
            Op::BvLshr => self.unsigned(w, x),
            _ => self.signed(w, x),
        };
        let at = |s: &mut Self, distance: u32| match op {
            Op::BvShl if distance >= w => s.numeral(IBig::ZERO),
            Op::BvShl => {
                let scaled = s.scale(&base, &power(distance));
                s.capped(w, scaled)
            }
            _ => s.floor_div(&base, &power(distance.min(w))),
        };
        let (lo, hi) = by.range.bounds()?;
        let (lo, hi) = (u32::try_from(lo).unwrap_or(w).min(w), u32::try_from(hi).unwrap_or(w).min(w));
        let limit = if base.range.value().is_some() { CONSTANT_DISTANCES } else { DISTANCES };
        if hi - lo > limit {
            return None;
        }
        let mut out = at(self, hi);
        for distance in (lo..hi).rev() {
            let (here, number) = (at(self, distance), self.terms.int(distance));
            let chosen = self.terms.eq(by.term, number);
            out = Out { term: self.terms.ite(chosen, here.term, out.term), range: here.range.hull(&out.range) };
        }
        Some(out)
    }

    /// `BvAnd`, `BvOr` or `BvXor`.
    fn bitwise(&mut self, op: Op, w: u32, x: &Out, y: &Out) -> Out {
        for (x, y) in [(x, y), (y, x)] {
            if let Some(c) = y.range.value() {
                let c = c.clone();
                if let Some(both) = self.mask(w, x, &c) {
                    return self.from_and(op, w, x, y, both);
                }
            }
        }
        let flag = Interval::new(0, 1);
        if x.range.within(&flag) && y.range.within(&flag) {
            let one = self.terms.int(1);
            let (a, b) = (self.terms.eq(x.term, one), self.terms.eq(y.term, one));
            let c = match op {
                Op::BvAnd => self.terms.and(&[a, b]),
                Op::BvOr => self.terms.or(&[a, b]),
                _ => self.terms.ne(a, b),
            };
            let zero = self.terms.int(0);
            return Out { term: self.terms.ite(c, one, zero), range: flag };
        }
        let few = |r: &Interval| r.nonnegative() && r.hi.as_ref().is_some_and(|h| *h < power(FEW_BITS));
        if few(&x.range) || few(&y.range) || w <= FEW_BITS {
            let both = self.and_by_bits(x, y, w.min(FEW_BITS));
            return self.from_and(op, w, x, y, both);
        }
        self.conversions += 1;
        let (a, b) = (self.terms.mk(Op::IntToBv(w), &[x.term]), self.terms.mk(Op::IntToBv(w), &[y.term]));
        let term = self.terms.mk(op, &[a, b]);
        Out { term: self.terms.mk(Op::BvToNat, &[term]), range: window(w, false) }
    }

    /// The bits of either, or of one of two numbers, from those of both.
    fn from_and(&mut self, op: Op, w: u32, x: &Out, y: &Out, both: Out) -> Out {
        match op {
            Op::BvAnd => both,
            _ => {
                let times = if op == Op::BvOr { 1 } else { 2 };
                let (sum, both) = (self.add(x, y), self.scale(&both, &IBig::from(times)));
                let mut out = self.sub(&sum, &both);
                if let (true, true, Some(a), Some(b)) =
                    (x.range.nonnegative(), y.range.nonnegative(), &x.range.hi, &y.range.hi)
                    && *a.max(b) < power(w)
                {
                    let bits = (0..w).find(|&k| *a.max(b) < power(k)).unwrap_or(w);
                    out.range = out.range.meet(&Interval::new(0, power(bits) - IBig::ONE));
                }
                out
            }
        }
    }

    fn and_by_bits(&mut self, x: &Out, y: &Out, bits: u32) -> Out {
        let mut sum = self.numeral(IBig::ZERO);
        for i in 0..bits {
            let (a, b) = (self.field(x, i, 1), self.field(y, i, 1));
            let (one, zero) = (self.terms.int(1), self.terms.int(0));
            let (a, b) = (self.terms.eq(a.term, one), self.terms.eq(b.term, one));
            let both = self.terms.and(&[a, b]);
            let bit = Out { term: self.terms.ite(both, one, zero), range: Interval::new(0, 1) };
            let bit = self.scale(&bit, &power(i));
            sum = self.add(&sum, &bit);
        }
        sum
    }

    /// `len` bits from bit `lo` on, as a number.
    fn field(&mut self, x: &Out, lo: u32, len: u32) -> Out {
        let shifted = self.floor_div(x, &power(lo));
        self.remainder(&shifted, &power(len))
    }

    /// The bits of a number that a constant has, too; `None` if the constant has too many runs of ones.
    fn mask(&mut self, w: u32, x: &Out, c: &IBig) -> Option<Out> {
        let c = c.clone() & (power(w) - IBig::ONE);
        let (ones, zeros) = (runs(w, &c), runs(w, &(power(w) - IBig::ONE - &c)));
        let inverse = zeros.len() < ones.len();
        let taken = if inverse { zeros } else { ones };
        if taken.len() > RUNS {
            return None;
        }
        let mut sum = self.numeral(IBig::ZERO);
        for (lo, len) in taken {
            // The highest bits need not be cut off: they make a multiple of 2^w.
            let bits = if lo + len == w && !x.range.nonnegative() {
                self.floor_div(x, &power(lo))
            } else {
                self.field(x, lo, len)
            };
            let part = self.scale(&bits, &power(lo));
            sum = self.add(&sum, &part);
        }
        Some(if inverse { self.sub(x, &sum) } else { sum })
    }
}

/// Shifts of a variable by a variable are told apart up to this many distances, of a constant up to more.
const DISTANCES: u32 = 8;
const CONSTANT_DISTANCES: u32 = 64;

/// Conjunctions with a number of at most this many bits are made bit by bit.
const FEW_BITS: u32 = 4;

/// Masks may have this many runs of ones.
const RUNS: usize = 4;

fn plain(term: Term) -> Out {
    Out { term, range: Interval::ALL }
}

/// The runs of ones: first bit and length.
fn runs(w: u32, c: &IBig) -> Vec<(u32, u32)> {
    let bit = |i: u32| (c >> i as usize) & IBig::ONE == IBig::ONE;
    let mut found: Vec<(u32, u32)> = Vec::new();
    for i in (0..w).filter(|&i| bit(i)) {
        match found.last_mut() {
            Some((lo, len)) if *lo + *len == i => *len += 1,
            _ => found.push((i, 1)),
        }
    }
    found
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

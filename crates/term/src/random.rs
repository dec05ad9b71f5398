//! Random terms, for tests that compare evaluation, simplification and solvers.
//!
//! Terms are built without simplification and avoid the corners that SMT-LIB leaves open (divisors
//! are non-zero constants, selectors are guarded by testers, and so on), so a closed term has one value.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{
    fold,
    op::{Op, RoundingMode},
    sort::{CtorId, Sort, SortKind},
    store::{Term, Terms},
    value::{ArrayValue, Float, Value},
};

/// Which operators and sorts a random term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Booleans only.
    Bool,
    /// Integers.
    Int,
    /// Reals and integers.
    Real,
    /// Bit-vectors of several widths.
    BitVec,
    /// Floats of several formats.
    Float,
    /// Arrays over integers, bit-vectors and Booleans.
    Array,
    /// Datatypes, recursive ones included.
    Datatype,
}

impl Theory {
    /// All theories.
    pub const ALL: [Theory; 7] =
        [Theory::Bool, Theory::Int, Theory::Real, Theory::BitVec, Theory::Float, Theory::Array, Theory::Datatype];
}

/// A random closed term of about `size` operators.
pub fn random_closed_term(t: &mut Terms, theory: Theory, size: u32, seed: u64) -> Term {
    Generator::new(t, theory, seed, 0).root(size)
}

/// A random term of about `size` operators in which some leaves are variables (at most `vars` a sort).
pub fn random_term(t: &mut Terms, theory: Theory, size: u32, vars: u32, seed: u64) -> Term {
    Generator::new(t, theory, seed, vars).root(size)
}

/// A random value of a sort (small numbers mostly); `None` for sorts without known values.
pub fn random_value(t: &Terms, sort: Sort, seed: u64) -> Option<Value> {
    Random::new(seed).value(t, sort, 3)
}

/// A small deterministic generator (SplitMix64).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0xa076_1d64_78bd_642f))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    fn int(&mut self) -> IBig {
        match self.below(8) {
            0 => IBig::from(self.next() as i64),
            1 => IBig::from(self.below(2000)) - IBig::from(1000),
            _ => IBig::from(self.below(12)) - IBig::from(5),
        }
    }

    fn bits(&mut self, width: u32) -> UBig {
        let words: Vec<u8> = (0..width.div_ceil(8)).map(|_| self.next() as u8).collect();
        let mut bits = UBig::from_le_bytes(&words);
        bits.clear_high_bits(width as usize);
        match self.below(6) {
            0 => UBig::ZERO,
            1 => UBig::ones(width as usize),
            2 => UBig::ONE << (width as usize - 1),
            3 => UBig::from(self.below(u64::from(width) + 2)) & UBig::ones(width as usize),
            _ => bits,
        }
    }

    fn float(&mut self, exp: u32, sig: u32) -> Float {
        let bits = self.bits(exp + sig);
        let fraction = sig as usize - 1;
        let sign = (self.next() & 1) << 1;
        match self.below(8) {
            0 => Float::zero(exp, sig, sign > 0),
            1 => Float::infinity(exp, sig, sign > 0),
            2 => Float::nan(exp, sig),
            // Near one, where sums and products neither vanish nor overflow.
            3..=5 => {
                let mut low = bits;
                low.clear_high_bits(fraction);
                let exponent = UBig::ones(exp as usize - 1) + UBig::from(self.below(3)) - UBig::ONE;
                Float::from_bits(exp, sig, low | (exponent << fraction))
            }
            _ => Float::from_bits(exp, sig, bits),
        }
    }

    fn value(&mut self, t: &Terms, sort: Sort, depth: u32) -> Option<Value> {
        Some(match t.sort_kind(sort) {
            SortKind::Bool => Value::Bool(self.next() & 1 == 1),
            SortKind::Int => Value::Int(self.int()),
            SortKind::Real => Value::Real(RBig::from_parts(self.int(), UBig::from(self.below(6) + 1))),
            SortKind::RoundingMode => Value::RoundingMode(self.pick(&RoundingMode::ALL)),
            SortKind::BitVec(w) => Value::bv(w, self.bits(w)),
            SortKind::Float { exp, sig } => Value::Float(self.float(exp, sig)),
            SortKind::Uninterpreted(_) => Value::Elem(sort, self.below(3) as u32),
            SortKind::Builtin(_) => return None,
            SortKind::Array(i, e) => {
                // cvc5 takes only values in its own normal form for the element of a constant array.
                let default = match t.sort_kind(e) {
                    SortKind::Array(..) => t.default_value(e)?,
                    _ => self.value(t, e, 0)?,
                };
                let mut a = ArrayValue::constant(sort, t.domain(i, &fold::no_universe), default);
                for _ in 0..self.below(4) {
                    a.set(self.value(t, i, 0)?, self.value(t, e, depth.saturating_sub(1))?);
                }
                Value::array(a)
            }
            SortKind::Datatype(d) => {
                if depth == 0 {
                    return t.default_value(sort);
                }
                let ctors = t.ctors(d);
                if ctors.is_empty() {
                    return None;
                }
                let c = self.pick(ctors);
                let fields = t.ctor_fields(c).iter().map(|f| self.value(t, f.sort, depth - 1));
                Value::data(c, fields.collect::<Option<_>>()?)
            }
        })
    }
}

struct Generator<'t> {
    t: &'t mut Terms,
    random: Random,
    vars: u32,
    /// The sorts of the root and of leaves; every one can be built.
    sorts: Vec<Sort>,
}

impl<'t> Generator<'t> {
    fn new(t: &'t mut Terms, theory: Theory, seed: u64, vars: u32) -> Generator<'t> {
        let sorts = match theory {
            Theory::Bool => vec![Sort::BOOL],
            Theory::Int => vec![Sort::INT, Sort::BOOL],
            Theory::Real => vec![Sort::REAL, Sort::INT, Sort::BOOL],
            Theory::BitVec => {
                let mut sorts: Vec<Sort> = [1, 3, 8, 32, 70].iter().map(|&w| t.bv_sort(w)).collect();
                sorts.push(Sort::BOOL);
                sorts
            }
            Theory::Float => {
                let mut sorts: Vec<Sort> =
                    // cvc5 1.0 is wrong about some operations on formats of two exponent bits.
                    [(3, 4), (4, 7), (5, 11), (8, 24), (11, 53)].iter().map(|&(e, s)| t.float_sort(e, s)).collect();
                sorts.push(Sort::BOOL);
                sorts.push(Sort::ROUNDING_MODE);
                sorts
            }
            Theory::Array => {
                let (one, four) = (t.bv_sort(1), t.bv_sort(4));
                let ints = t.array_sort(Sort::INT, Sort::INT);
                let bits = t.array_sort(one, four);
                let bools = t.array_sort(Sort::BOOL, Sort::INT);
                let nested = t.array_sort(four, ints);
                vec![ints, bits, bools, nested, Sort::INT, Sort::BOOL, four, one]
            }
            Theory::Datatype => vec![datatypes(t), Sort::INT, Sort::BOOL],
        };
        Generator { t, random: Random::new(seed), vars, sorts }
    }

    fn root(&mut self, size: u32) -> Term {
        let sort = self.random.pick(&self.sorts.clone());
        self.term(sort, size)
    }

    fn value(&mut self, sort: Sort) -> Term {
        let v = self.random.value(self.t, sort, 3);
        match v {
            Some(v) => self.t.value_term(&v),
            None => self.t.var("no-value", sort),
        }
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        if self.vars > 0 && self.random.below(3) > 0 {
            let n = self.random.below(u64::from(self.vars));
            return self.t.var(&format!("v{n}.{}", sort.index()), sort);
        }
        self.value(sort)
    }

    /// A term of the sort. Recursion is as deep as `size` is large, and sizes are small.
    fn term(&mut self, sort: Sort, size: u32) -> Term {
        if size == 0 {
            return self.leaf(sort);
        }
        if self.random.below(8) == 0 {
            return self.make(Op::Ite, &[Sort::BOOL, sort, sort], size);
        }
        match self.t.sort_kind(sort) {
            SortKind::Bool => self.boolean(size),
            SortKind::Int => self.integer(size),
            SortKind::Real => self.real(size),
            SortKind::BitVec(w) => self.bit_vector(sort, w, size),
            SortKind::Float { exp, sig } => self.float(sort, exp, sig, size),
            SortKind::Array(i, e) => match self.random.below(8) {
                0 => self.value(sort),
                _ => self.make(Op::Store, &[sort, i, e], size),
            },
            SortKind::Datatype(d) => {
                let ctors: Vec<CtorId> = self.t.ctors(d).to_vec();
                let c = self.random.pick(&ctors);
                match self.random.below(4) {
                    0 => self.field(sort, size),
                    _ => {
                        let sorts: Vec<Sort> = self.t.ctor_fields(c).iter().map(|f| f.sort).collect();
                        self.make(Op::Ctor(c), &sorts, size)
                    }
                }
            }
            _ => self.leaf(sort),
        }
    }

    /// An operator on random arguments that share the size.
    fn make(&mut self, op: Op, sorts: &[Sort], size: u32) -> Term {
        let share = (size - 1) / (sorts.len().max(1) as u32);
        let args: Vec<Term> = sorts.iter().map(|&s| self.term(s, share)).collect();
        self.t.intern(op, &args)
    }

    /// How many arguments an operator of any number gets.
    fn some(&mut self, sort: Sort) -> Vec<Sort> {
        vec![sort; 2 + self.random.below(8) as usize / 6]
    }

    fn has(&self, sort: Sort) -> bool {
        self.sorts.contains(&sort)
    }

    /// One of the sorts of this kind.
    fn sort_where(&mut self, f: impl Fn(SortKind) -> bool) -> Option<Sort> {
        let fitting: Vec<Sort> = self.sorts.iter().copied().filter(|&s| f(self.t.sort_kind(s))).collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }

    fn boolean(&mut self, size: u32) -> Term {
        let sort = self.random.pick(&self.sorts.clone());
        let equality = [Op::Eq, Op::Eq, Op::Distinct];
        match (self.t.sort_kind(sort), self.random.below(4)) {
            (SortKind::Bool, 0) => self.make(Op::Not, &[Sort::BOOL], size),
            (SortKind::Bool, _) => {
                let op = self.random.pick(&[Op::And, Op::Or, Op::Eq, Op::Distinct]);
                let sorts = if op == Op::Eq { vec![sort; 2] } else { self.some(sort) };
                self.make(op, &sorts, size)
            }
            (_, 0) => {
                let op = self.random.pick(&equality);
                let sorts = if op == Op::Eq { vec![sort; 2] } else { self.some(sort) };
                self.make(op, &sorts, size)
            }
            (SortKind::Int, _) => {
                let op = self.random.pick(&[Op::Le, Op::Lt]);
                self.make(op, &[sort; 2], size)
            }
            (SortKind::Real, 1) => self.make(Op::IsInt, &[sort], size),
            (SortKind::Real, _) => {
                let op = self.random.pick(&[Op::Le, Op::Lt]);
                self.make(op, &[sort; 2], size)
            }
            (SortKind::BitVec(_), _) => {
                let op = self.random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
                self.make(op, &[sort; 2], size)
            }
            (SortKind::Float { .. }, 1) => {
                let op = self.random.pick(&[
                    Op::FpIsNormal,
                    Op::FpIsSubnormal,
                    Op::FpIsZero,
                    Op::FpIsInfinite,
                    Op::FpIsNan,
                    Op::FpIsNegative,
                    Op::FpIsPositive,
                ]);
                self.make(op, &[sort], size)
            }
            (SortKind::Float { .. }, _) => {
                let op = self.random.pick(&[Op::FpLe, Op::FpLt, Op::FpEq]);
                self.make(op, &[sort; 2], size)
            }
            (SortKind::Datatype(d), _) => {
                let ctors: Vec<CtorId> = self.t.ctors(d).to_vec();
                let c = self.random.pick(&ctors);
                self.make(Op::Tester(c), &[sort], size)
            }
            _ => self.make(Op::Eq, &[sort; 2], size),
        }
    }

    /// An element of an array, or a field (guarded by a tester), of this sort.
    fn field(&mut self, sort: Sort, size: u32) -> Term {
        if let Some(array) = self.sort_where(|k| matches!(k, SortKind::Array(_, e) if e == sort))
            && let SortKind::Array(i, _) = self.t.sort_kind(array)
        {
            return self.make(Op::Select, &[array, i], size);
        }
        let Some(data) = self.sort_where(|k| matches!(k, SortKind::Datatype(_))) else { return self.leaf(sort) };
        let SortKind::Datatype(d) = self.t.sort_kind(data) else { return self.leaf(sort) };
        let fields: Vec<(CtorId, u32)> = self
            .t
            .ctors(d)
            .iter()
            .flat_map(|&c| self.t.ctor_fields(c).iter().enumerate().map(move |(i, f)| (c, i as u32, f.sort)))
            .filter(|&(_, _, s)| s == sort)
            .map(|(c, i, _)| (c, i))
            .collect();
        if fields.is_empty() {
            return self.leaf(sort);
        }
        let (c, i) = self.random.pick(&fields);
        let x = self.term(data, size.saturating_sub(3));
        let is = self.t.intern(Op::Tester(c), &[x]);
        let field = self.t.intern(Op::Selector(c, i), &[x]);
        let other = self.value(sort);
        self.t.intern(Op::Ite, &[is, field, other])
    }

    fn non_zero(&mut self) -> IBig {
        match self.random.int() {
            i if i.is_zero() => IBig::from(7),
            i => i,
        }
    }

    fn integer(&mut self, size: u32) -> Term {
        match self.random.below(8) {
            0 => {
                let op = self.random.pick(&[Op::IntDiv, Op::IntMod]);
                let a = self.term(Sort::INT, size - 1);
                let d = self.non_zero();
                let d = self.t.int(d);
                self.t.intern(op, &[a, d])
            }
            1 if self.has(Sort::REAL) => self.make(Op::ToInt, &[Sort::REAL], size),
            1 | 2 => self.field(Sort::INT, size),
            3 | 4 => {
                // Linear: products of terms are hard for solvers even where they are closed.
                let c = self.value(Sort::INT);
                let x = self.term(Sort::INT, size - 1);
                self.t.intern(Op::Mul, &[c, x])
            }
            _ => {
                let sorts = self.some(Sort::INT);
                self.make(Op::Add, &sorts, size)
            }
        }
    }

    fn real(&mut self, size: u32) -> Term {
        match self.random.below(6) {
            0 => self.make(Op::ToReal, &[Sort::INT], size),
            1 => {
                let a = self.term(Sort::REAL, size - 1);
                let d = RBig::from_parts(self.non_zero(), UBig::from(self.random.below(5) + 1));
                let d = self.t.real(d);
                self.t.intern(Op::RealDiv, &[a, d])
            }
            2 => {
                let c = self.value(Sort::REAL);
                let x = self.term(Sort::REAL, size - 1);
                self.t.intern(Op::Mul, &[x, c])
            }
            _ => {
                let sorts = self.some(Sort::REAL);
                self.make(Op::Add, &sorts, size)
            }
        }
    }

    fn bit_vector(&mut self, sort: Sort, w: u32, size: u32) -> Term {
        const BINARY: [Op; 8] =
            [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr];
        let other = self.sort_where(|k| matches!(k, SortKind::BitVec(_))).unwrap_or(sort);
        let v = match self.t.sort_kind(other) {
            SortKind::BitVec(v) => v,
            _ => w,
        };
        match self.random.below(8) {
            0 => {
                let op = self.random.pick(&[Op::BvNot, Op::BvNeg]);
                self.make(op, &[sort], size)
            }
            1 | 2 => {
                let op = self.random.pick(&BINARY);
                self.make(op, &[sort; 2], size)
            }
            3 if v < w => {
                let op = self.random.pick(&[Op::ZeroExt(w - v), Op::SignExt(w - v), Op::Concat]);
                if op == Op::Concat {
                    let high = self.t.bv_sort(w - v);
                    return self.make(op, &[high, other], size);
                }
                self.make(op, &[other], size)
            }
            3 if v > w => {
                let lo = self.random.below(u64::from(v - w + 1)) as u32;
                self.make(Op::Extract { hi: lo + w - 1, lo }, &[other], size)
            }
            4 if self.sort_where(|k| matches!(k, SortKind::Array(_, e) if e == sort)).is_some() => {
                self.field(sort, size)
            }
            _ => {
                let op = self.random.pick(&[Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul]);
                let sorts = self.some(sort);
                self.make(op, &sorts, size)
            }
        }
    }

    fn float(&mut self, sort: Sort, exp: u32, sig: u32, size: u32) -> Term {
        let mode = Sort::ROUNDING_MODE;
        match self.random.below(10) {
            0 => {
                let op = self.random.pick(&[Op::FpNeg, Op::FpAbs]);
                self.make(op, &[sort], size)
            }
            1 => {
                let op = self.random.pick(&[Op::FpSqrt, Op::FpRoundToIntegral]);
                self.make(op, &[mode, sort], size)
            }
            2 => {
                let other = self.sort_where(|k| matches!(k, SortKind::Float { .. })).unwrap_or(sort);
                self.make(Op::FpFromFp { exp, sig }, &[mode, other], size)
            }
            3 => {
                let bits = self.t.bv_sort(exp + sig);
                let bits = self.value(bits);
                self.t.intern(Op::FpFromBits { exp, sig }, &[bits])
            }
            4 => {
                let bits = self.t.bv_sort(12);
                let (m, bits) = (self.value(mode), self.value(bits));
                let op = self.random.pick(&[Op::FpFromSbv { exp, sig }, Op::FpFromUbv { exp, sig }]);
                self.t.intern(op, &[m, bits])
            }
            5 => {
                let (m, r) = (self.value(mode), self.value(Sort::REAL));
                self.t.intern(Op::FpFromReal { exp, sig }, &[m, r])
            }
            // A fused product of doubles takes a bit-blaster minutes.
            6 if sig <= 11 => self.make(Op::FpFma, &[mode, sort, sort, sort], size),
            7 if exp <= 4 => self.make(Op::FpRem, &[sort; 2], size),
            _ => {
                let op = self.random.pick(&[Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv]);
                self.make(op, &[mode, sort, sort], size)
            }
        }
    }
}

/// `Tree = leaf | node(value: Int, left: Tree, right: Tree) | flag(on: Bool)`, once a store.
fn datatypes(t: &mut Terms) -> Sort {
    if let Some(d) = t.datatypes().find(|&d| t.datatype_name(d) == "Random.Tree") {
        return t.datatype_sort(d);
    }
    let d = t.declare_datatype("Random.Tree");
    let tree = t.datatype_sort(d);
    t.add_ctor(d, "leaf", &[]);
    t.add_ctor(d, "node", &[("value", Sort::INT), ("left", tree), ("right", tree)]);
    t.add_ctor(d, "flag", &[("on", Sort::BOOL)]);
    tree
}

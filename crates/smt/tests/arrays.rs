//! Arrays by lemmas on demand: answers, models and cores against a solver that knows arrays.

use std::time::Duration;

use lariat_smt::{Answer, Declaration, LazyArrays, Limits, Reason, Solver, Z3Solver, arrays::Fragment};
use lariat_term::{Op, Sort, Term, Terms, Value};

fn lazy() -> LazyArrays {
    let mut s = LazyArrays::new().expect("Z3 is linked in");
    s.set_checking(true);
    s.set_limits(Limits::time(Duration::from_secs(60)));
    s
}

/// A small generator of numbers (an xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Random terms over a few variables of each sort. Few constants make equal indices likely. (With much
/// narrower sorts Z3 does not come back from making models of nested arrays.)
struct Maker {
    numbers: Numbers,
    index: Sort,
    element: Sort,
    flat: Sort,
    flags: Sort,
    nested: Sort,
    /// How many array variables there are of each sort.
    vars: u64,
}

impl Maker {
    fn new(t: &mut Terms, seed: u64) -> Maker {
        let (index, element) = (t.bv_sort(5), t.bv_sort(6));
        let flat = t.array_sort(index, element);
        let flags = t.array_sort(element, Sort::BOOL);
        let nested = t.array_sort(index, flat);
        Maker { numbers: Numbers(seed), index, element, flat, flags, nested, vars: 2 }
    }

    fn any(&mut self, t: &mut Terms, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.numbers.below(6) == 0 {
            let n = self.numbers.below(self.vars);
            return match self.numbers.below(3) {
                0 if sort == self.index => t.bv(5, self.numbers.below(3)),
                0 if sort == self.element => t.bv(6, self.numbers.below(3)),
                0 if sort == self.flat || sort == self.flags || sort == self.nested => self.constant(t, sort),
                _ => t.var(&format!("v{n} {}", sort.index()), sort),
            };
        }
        let depth = depth - 1;
        if self.numbers.below(5) == 0 {
            let (c, a, b) = (self.any(t, Sort::BOOL, depth), self.any(t, sort, depth), self.any(t, sort, depth));
            return t.ite(c, a, b);
        }
        if sort == Sort::BOOL {
            return match self.numbers.below(5) {
                0 => self.read(t, self.flags, self.element, depth),
                1 => {
                    let a = self.any(t, sort, depth);
                    t.not(a)
                }
                2 => {
                    let (a, b) = (self.any(t, sort, depth), self.any(t, sort, depth));
                    t.or(&[a, b])
                }
                _ => {
                    let s = if self.numbers.below(2) == 0 { self.index } else { self.element };
                    let (a, b) = (self.any(t, s, depth), self.any(t, s, depth));
                    let op = [Op::Eq, Op::BvUlt, Op::BvSle][self.numbers.below(3) as usize];
                    t.mk(op, &[a, b])
                }
            };
        }
        if sort == self.index {
            let a = self.any(t, self.element, depth);
            return t.extract(4, 0, a);
        }
        if sort == self.element {
            return match self.numbers.below(4) {
                0 => {
                    let (a, b) = (self.any(t, sort, depth), self.any(t, sort, depth));
                    t.mk(Op::BvAdd, &[a, b])
                }
                _ => self.read(t, self.flat, self.index, depth),
            };
        }
        // Arrays.
        match self.numbers.below(8) {
            0 => self.constant(t, sort),
            1 | 2 if sort == self.flat => self.read(t, self.nested, self.index, depth),
            _ => {
                let (index, element) = match sort {
                    s if s == self.flat => (self.index, self.element),
                    s if s == self.flags => (self.element, Sort::BOOL),
                    _ => (self.index, self.flat),
                };
                let (a, i, e) = (self.any(t, sort, depth), self.any(t, index, depth), self.any(t, element, depth));
                t.store(a, i, e)
            }
        }
    }

    fn constant(&mut self, t: &mut Terms, sort: Sort) -> Term {
        let element = match sort {
            s if s == self.flat => self.element,
            s if s == self.flags => Sort::BOOL,
            _ => self.flat,
        };
        let e = self.any(t, element, 0);
        t.const_array(sort, e)
    }

    fn read(&mut self, t: &mut Terms, array: Sort, index: Sort, depth: u32) -> Term {
        let (a, i) = (self.any(t, array, depth), self.any(t, index, depth));
        t.select(a, i)
    }

    /// An equation that defines an array variable which may be in use, or not; or any Boolean term.
    fn assertion(&mut self, t: &mut Terms, fresh: &mut u32) -> Term {
        let sort = [self.flat, self.flags, self.nested][self.numbers.below(3) as usize];
        match self.numbers.below(12) {
            0 => {
                let a = self.any(t, sort, 3);
                let v = t.var(&format!("v{} {}", self.vars - 1, sort.index()), sort);
                t.eq(v, a)
            }
            1..4 => {
                let a = self.any(t, sort, 3);
                *fresh += 1;
                let v = t.var(&format!("f{fresh}"), sort);
                let (i, e) = match sort {
                    s if s == self.flat => (self.index, self.element),
                    s if s == self.flags => (self.element, Sort::BOOL),
                    _ => (self.index, self.flat),
                };
                let definition = t.eq(v, a);
                // Used at once; a nested one is defined in terms of it.
                let i = self.any(t, i, 1);
                let used = if e == self.flat {
                    let i2 = self.any(t, self.index, 1);
                    let inside = t.select(v, i);
                    t.select(inside, i2)
                } else {
                    t.select(v, i)
                };
                let s = t.sort(used);
                let other = self.any(t, s, 2);
                let claim = t.eq(used, other);
                t.and(&[claim, definition])
            }
            _ => {
                let a = self.any(t, Sort::BOOL, 4);
                let b = self.any(t, Sort::BOOL, 4);
                if self.numbers.below(3) == 0 { t.or(&[a, b]) } else { t.and(&[a, b]) }
            }
        }
    }
}

#[test]
fn random_queries_agree_with_a_solver_that_knows_arrays() {
    let (mut sat, mut unsat, mut lazily, mut lemmas) = (0, 0, 0, 0);
    for seed in 1..=300u64 {
        let mut t = Terms::new();
        let mut maker = Maker::new(&mut t, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut ours = lazy();
        let mut theirs = Z3Solver::new(None).expect("Z3 is linked in");
        theirs.set_checking(false);
        let mut fresh = 0;
        let mut models: Vec<(Vec<Term>, lariat_smt::Model)> = Vec::new();
        let mut asserted = Vec::new();
        for _ in 0..4 {
            for _ in 0..1 + maker.numbers.below(2) {
                let a = maker.assertion(&mut t, &mut fresh);
                ours.assert(&t, a).unwrap();
                theirs.assert(&t, a).unwrap();
                asserted.push(a);
            }
            let assumptions: Vec<Term> =
                (0..maker.numbers.below(4)).map(|_| maker.any(&mut t, Sort::BOOL, 3)).collect();
            let expected = theirs.check(&t, &assumptions).unwrap();
            let answer = ours.check(&t, &assumptions).unwrap_or_else(|e| panic!("{seed}: {e}"));
            match (answer, expected) {
                (Answer::Sat(model), Answer::Sat(_)) => {
                    sat += 1;
                    models.push((asserted.iter().chain(&assumptions).copied().collect(), model));
                }
                (Answer::Unsat(core), Answer::Unsat(_)) => {
                    unsat += 1;
                    assert!(theirs.check(&t, &core).unwrap().is_unsat(), "{seed}: not a core");
                }
                other => panic!("{seed}: {other:?}"),
            }
        }
        // Models outlive what the solver does later.
        for (all, model) in models {
            for a in all {
                assert_eq!(model.is_true(&t, a), Ok(true), "{seed}");
            }
        }
        lazily += u32::from(ours.fragment() == Fragment::Bits);
        lemmas += ours.statistics().own.iter().find(|x| x.0 == "array lemmas").map_or(0, |x| x.1 as u64);
    }
    println!(
        "{sat} satisfiable, {unsat} unsatisfiable, {lazily} of 300 contexts without arrays inside, {lemmas} lemmas"
    );
    assert!(sat > 300 && unsat > 100 && lazily > 150 && lemmas > 300);
}

#[test]
fn scopes_take_definitions_away() {
    let mut t = Terms::new();
    let byte = t.bv_sort(8);
    let memory = t.array_sort(byte, byte);
    let (m, n, i) = (t.var("m", memory), t.var("n", memory), t.var("i", byte));
    let (one, two) = (t.bv(8, 1u8), t.bv(8, 2u8));
    let written = t.store(n, one, two);
    let definition = t.eq(m, written);
    let read = t.select(m, i);
    let (at_one, not_two) = (t.eq(i, one), t.ne(read, two));
    for with_integers in [false, true] {
        let mut s = lazy();
        if with_integers {
            let (x, zero) = (t.var("x", Sort::INT), t.int(0));
            let positive = t.lt(zero, x);
            s.assert(&t, positive).unwrap();
        }
        s.assert(&t, not_two).unwrap();
        s.push().unwrap();
        s.assert(&t, definition).unwrap();
        assert!(s.check(&t, &[at_one]).unwrap().is_unsat());
        assert!(s.check(&t, &[]).unwrap().is_sat());
        s.push().unwrap();
        s.assert(&t, at_one).unwrap();
        assert!(s.check(&t, &[]).unwrap().is_unsat());
        assert_eq!(s.depth(), 2);
        s.pop(1).unwrap();
        assert!(s.check(&t, &[]).unwrap().is_sat());
        s.pop(1).unwrap();
        assert!(s.check(&t, &[at_one]).unwrap().is_sat());
        assert!(s.pop(1).is_err());
        assert_eq!(s.fragment(), if with_integers { Fragment::All } else { Fragment::Bits });
    }
}

#[test]
fn what_it_cannot_do_goes_to_a_general_solver() {
    let mut t = Terms::new();
    let byte = t.bv_sort(8);
    let memory = t.array_sort(byte, byte);
    let (m, n, i) = (t.var("m", memory), t.var("n", memory), t.var("i", byte));
    let (read_m, read_n) = (t.select(m, i), t.select(n, i));
    let differ = t.ne(read_m, read_n);
    let equal = t.eq(m, n);
    let unequal = t.not(equal);
    let zero = t.bv(8, 0u8);
    let stored = t.store(m, zero, zero);
    let fixed = t.eq(m, stored);
    let bound = t.bound(0, byte);
    let element = t.select(m, bound);
    let all_zero = t.eq(element, zero);
    let quantified = t.forall_bound(&[("k", byte)], &[], all_zero);
    for (assertion, assumption, sat) in [
        (unequal, equal, false),
        (differ, equal, false),
        (differ, unequal, true),
        (fixed, differ, true),
        (quantified, differ, true),
    ] {
        let mut s = lazy();
        s.push().unwrap();
        s.assert(&t, differ).unwrap();
        s.push().unwrap();
        s.assert(&t, assertion).unwrap();
        let answer = s.check(&t, &[assumption]).unwrap();
        assert_eq!(answer.is_sat(), sat, "{answer:?}");
        assert_eq!(s.fragment(), Fragment::All);
        s.pop(2).unwrap();
        assert!(s.check(&t, &[]).unwrap().is_sat());
        assert_eq!(s.statistics().queries, 2);
    }
}

#[test]
fn a_variable_cannot_be_defined_by_itself() {
    let mut t = Terms::new();
    let byte = t.bv_sort(8);
    let memory = t.array_sort(byte, byte);
    let [a, b, c] = ["a", "b", "c"].map(|n| t.var(n, memory));
    let (zero, one) = (t.bv(8, 0u8), t.bv(8, 1u8));
    // a = b[0 := 1], b = c[1 := 1], c = a[0 := 0]: then a[0] would be 1 and 0.
    let (first, second, third) = (t.store(b, zero, one), t.store(c, one, one), t.store(a, zero, zero));
    let all = [t.eq(a, first), t.eq(b, second), t.eq(c, third)];
    let mut s = lazy();
    all.iter().for_each(|&x| s.assert(&t, x).unwrap());
    let (at_a, at_c) = (t.select(a, zero), t.select(c, zero));
    let claims = [t.eq(at_a, one), t.eq(at_c, zero)];
    let answer = s.check(&t, &claims).unwrap();
    assert_eq!(s.fragment(), Fragment::All);
    // c[0] = 0, so b[0] = 0 and a[0] = 1: no contradiction, but one needs the whole circle.
    assert!(answer.is_sat());
    let mut s = lazy();
    all.iter().for_each(|&x| s.assert(&t, x).unwrap());
    let c_one = t.select(c, one);
    let not = t.ne(c_one, one);
    assert!(s.check(&t, &[not]).unwrap().is_unsat());
    // An index that asks the array itself is no circle.
    let own = t.store(b, at_a, one);
    let definition = t.eq(a, own);
    let mut s = lazy();
    s.assert(&t, definition).unwrap();
    let not_one = t.ne(at_a, one);
    let is_zero = t.eq(at_a, zero);
    assert!(s.check(&t, &[not_one]).unwrap().is_sat());
    assert!(s.check(&t, &[is_zero]).unwrap().is_unsat());
    assert_eq!(s.fragment(), Fragment::Bits);
}

#[test]
fn elements_may_be_reads_of_the_same_array() {
    let mut t = Terms::new();
    let byte = t.bv_sort(8);
    let memory = t.array_sort(byte, byte);
    let (a, b) = (t.var("a", memory), t.var("b", memory));
    let [i, j, k] = ["i", "j", "k"].map(|n| t.var(n, byte));
    // a = b[i := a[j]][j := a[i]]: the two elements are equal.
    let (at_i, at_j, at_k) = (t.select(a, i), t.select(a, j), t.select(a, k));
    let first = t.store(b, i, at_j);
    let both = t.store(first, j, at_i);
    let definition = t.eq(a, both);
    let mut s = lazy();
    s.assert(&t, definition).unwrap();
    let (differ, i_is_k, k_is_j) = (t.ne(at_i, at_j), t.eq(i, k), t.eq(k, j));
    let (k_differs, apart) = (t.ne(at_k, at_i), t.ne(i, j));
    assert!(s.check(&t, &[apart, differ]).unwrap().is_unsat());
    assert!(s.check(&t, &[k_is_j, k_differs]).unwrap().is_unsat());
    assert!(s.check(&t, &[i_is_k, k_differs]).unwrap().is_unsat());
    assert!(s.check(&t, &[apart, k_differs]).unwrap().is_sat());
    assert_eq!(s.fragment(), Fragment::Bits);
}

#[test]
fn floats_in_arrays() {
    let mut t = Terms::new();
    let (word, single) = (t.bv_sort(32), t.float_sort(8, 24));
    let memory = t.array_sort(word, single);
    let (m, i, j) = (t.var("m", memory), t.var("i", word), t.var("j", word));
    let bits = t.var("bits", word);
    let x = t.mk(Op::FpFromBits { exp: 8, sig: 24 }, &[bits]);
    let written = t.store(m, i, x);
    let read = t.select(written, j);
    let nan = t.mk(Op::FpIsNan, &[read]);
    let infinite = t.mk(Op::FpIsInfinite, &[x]);
    let same = t.eq(i, j);
    let mut s = lazy();
    s.assert(&t, infinite).unwrap();
    s.assert(&t, nan).unwrap();
    assert!(s.check(&t, &[]).unwrap().is_sat());
    assert!(s.check(&t, &[same]).unwrap().is_unsat());
    assert_eq!(s.fragment(), Fragment::Floats);
    // A conversion that SMT-LIB leaves open: the model knows what the solver chose.
    let mode = t.rounding_mode(lariat_term::RoundingMode::Rtz);
    let converted = t.mk(Op::FpToSbv(8), &[mode, read]);
    let seven = t.bv(8, 7u8);
    let is_seven = t.eq(converted, seven);
    s.assert(&t, is_seven).unwrap();
    assert!(s.check(&t, &[]).unwrap().is_sat());
    assert_eq!(s.fragment(), Fragment::Floats);
}

#[test]
fn limits_and_interruption() {
    let mut t = Terms::new();
    let sort = t.bv_sort(64);
    let memory = t.array_sort(sort, sort);
    let m = t.var("m", memory);
    let [zero, one] = [0u8, 1].map(|n| t.bv(64, n));
    let (x, y) = (t.select(m, zero), t.select(m, one));
    let product = t.mk(Op::BvMul, &[x, y]);
    let target = t.bv(64, 18_446_744_030_759_878_681u64);
    let limit = t.bv(64, 1u64 << 32);
    let mut all = vec![t.eq(product, target)];
    for v in [x, y] {
        all.push(t.mk(Op::BvUlt, &[one, v]));
        all.push(t.mk(Op::BvUlt, &[v, limit]));
    }
    all.push(t.mk(Op::BvUlt, &[x, y]));
    let mut s = lazy();
    all.iter().for_each(|&a| s.assert(&t, a).unwrap());
    s.set_limits(Limits::time(Duration::from_millis(50)));
    assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Timeout))));
    s.set_limits(Limits { resource: Some(1000), ..Limits::default() });
    assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::ResourceLimit))));
    s.set_limits(Limits::time(Duration::from_secs(60)));
    let handle = s.interrupter();
    for pause in [0, 0, 1, 5, 20] {
        handle.reset();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(pause));
                handle.interrupt();
            });
            let answer = s.check(&t, &[]);
            assert!(matches!(answer, Ok(Answer::Unknown(Reason::Interrupted))), "{answer:?}");
        });
    }
    handle.reset();
    let no = t.ne(x, x);
    assert!(s.check(&t, &[no]).unwrap().is_unsat());
    let small = t.eq(x, one);
    assert!(s.check(&t, &[small]).unwrap().is_unsat());
}

#[test]
fn declared_variables_have_values() {
    let mut t = Terms::new();
    let byte = t.bv_sort(8);
    let memory = t.array_sort(byte, byte);
    let (m, x) = (t.var("m", memory), t.var("x", byte));
    let mut s = lazy();
    for v in [m, x] {
        let v = t.as_var(v).unwrap();
        s.declare(&t, Declaration::Var(v)).unwrap();
    }
    let Answer::Sat(model) = s.check(&t, &[]).unwrap() else { panic!("nothing is asserted") };
    assert!(matches!(model.value(&t, m), Ok(Value::Array(_))));
    assert!(matches!(model.value(&t, x), Ok(Value::BitVec(_))));
}

#[test]
fn long_chains_need_no_stack() {
    let mut t = Terms::new();
    let word = t.bv_sort(32);
    let memory = t.array_sort(word, word);
    let (mut m, c) = (t.var("m", memory), t.var("c", Sort::BOOL));
    let v = t.var("v", word);
    for i in 0..20_000u32 {
        let index = t.bv(32, i);
        let written = t.intern(Op::Store, &[m, index, v]);
        m = if i % 2 == 0 { written } else { t.intern(Op::Ite, &[c, written, m]) };
    }
    let far = t.bv(32, 1_000_000u32);
    let read = t.intern(Op::Select, &[m, far]);
    let differs = t.ne(read, v);
    let mut s = lazy();
    s.set_checking(false);
    s.assert(&t, differs).unwrap();
    let Answer::Sat(model) = s.check(&t, &[]).unwrap() else { panic!("the element was never written") };
    assert_eq!(model.is_true(&t, differs), Ok(true));
}

/// What the general solver proposes when it gives up can be had, too.
#[test]
fn proposals_of_the_general_solver() {
    let mut t = Terms::new();
    let power = t.declare_func("power", &[Sort::REAL, Sort::REAL], Sort::REAL, Some("^")).unwrap();
    let (x, two, three) = (t.var("x", Sort::REAL), t.real(2), t.real(3));
    let power = t.app(power, &[two, x]);
    let logarithm = t.eq(power, three);
    let mut s = lazy();
    s.assert(&t, logarithm).unwrap();
    assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Incomplete(_)))));
    assert!(s.candidate().is_some());
    assert!(s.candidate().is_none());
}

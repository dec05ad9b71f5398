//! Folding against native integers, canonical arrays, deep data, and the evaluator.

use dashu_int::IBig;
use lariat_term::{
    ArrayValue, BitVec, EvalError, Evaluator, FuncTable, Interpretation, Model, NotFixed, Op, Sort, Term, Terms, Value,
    fold,
};
use proptest::prelude::*;

fn apply(op: Op, args: &[Value]) -> Result<Value, NotFixed> {
    fold::apply(&Terms::new(), op, args, &|_| None)
}

fn bv8(v: u8) -> Value {
    Value::bv(8, v)
}

/// SMT-LIB's signed division, on native integers.
fn sdiv(a: i8, b: i8) -> i8 {
    match b {
        0 if a < 0 => 1,
        0 => -1,
        _ => a.wrapping_div(b),
    }
}

fn srem(a: i8, b: i8) -> i8 {
    if b == 0 { a } else { a.wrapping_rem(b) }
}

fn smod(a: i8, b: i8) -> i8 {
    match srem(a, b) {
        r if b == 0 || r == 0 || (r < 0) == (b < 0) => r,
        r => r + b,
    }
}

#[test]
fn eight_bit_operations_are_exhaustively_right() {
    for a in 0..=255u8 {
        for b in (0..=255u8).step_by(3).chain([1, 7, 127, 128, 255]) {
            let (x, y) = (a as i8, b as i8);
            let cases = [
                (Op::BvAdd, a.wrapping_add(b)),
                (Op::BvMul, a.wrapping_mul(b)),
                (Op::BvAnd, a & b),
                (Op::BvOr, a | b),
                (Op::BvXor, a ^ b),
                (Op::BvUdiv, a.checked_div(b).unwrap_or(255)),
                (Op::BvUrem, a.checked_rem(b).unwrap_or(a)),
                (Op::BvSdiv, sdiv(x, y) as u8),
                (Op::BvSrem, srem(x, y) as u8),
                (Op::BvSmod, smod(x, y) as u8),
                (Op::BvShl, if b < 8 { a << b } else { 0 }),
                (Op::BvLshr, if b < 8 { a >> b } else { 0 }),
                (Op::BvAshr, (x >> b.min(7)) as u8),
            ];
            for (op, expected) in cases {
                assert_eq!(apply(op, &[bv8(a), bv8(b)]), Ok(bv8(expected)), "{op:?} {a} {b}");
            }
            let bools = [(Op::BvUlt, a < b), (Op::BvUle, a <= b), (Op::BvSlt, x < y), (Op::BvSle, x <= y)];
            for (op, expected) in bools {
                assert_eq!(apply(op, &[bv8(a), bv8(b)]), Ok(Value::Bool(expected)), "{op:?} {a} {b}");
            }
            let wide = u16::from(a) << 8 | u16::from(b);
            assert_eq!(apply(Op::Concat, &[bv8(a), bv8(b)]), Ok(Value::bv(16, wide)));
        }
        assert_eq!(apply(Op::BvNot, &[bv8(a)]), Ok(bv8(!a)));
        assert_eq!(apply(Op::BvNeg, &[bv8(a)]), Ok(bv8(a.wrapping_neg())));
        assert_eq!(apply(Op::SignExt(8), &[bv8(a)]), Ok(Value::bv(16, a as i8 as i16 as u16)));
        assert_eq!(apply(Op::SignExt(0), &[bv8(a)]), Ok(bv8(a)));
        assert_eq!(apply(Op::ZeroExt(8), &[bv8(a)]), Ok(Value::bv(16, a)));
        assert_eq!(apply(Op::Extract { hi: 5, lo: 2 }, &[bv8(a)]), Ok(Value::bv(4, (a >> 2) & 15)));
        assert_eq!(apply(Op::BvToNat, &[bv8(a)]), Ok(Value::int(a)));
        assert_eq!(apply(Op::IntToBv(8), &[Value::int(i32::from(a) - 1000)]), Ok(bv8(a.wrapping_add(24))));
    }
}

proptest! {
    #[test]
    fn integers_agree_with_native(a in any::<i64>(), b in any::<i64>()) {
        let (x, y) = (Value::int(a), Value::int(b));
        let (wa, wb) = (i128::from(a), i128::from(b));
        prop_assert_eq!(apply(Op::Add, &[x.clone(), y.clone()]), Ok(Value::int(wa + wb)));
        prop_assert_eq!(apply(Op::Mul, &[x.clone(), y.clone()]), Ok(Value::int(wa * wb)));
        prop_assert_eq!(apply(Op::Le, &[x.clone(), y.clone()]), Ok(Value::Bool(a <= b)));
        prop_assert_eq!(apply(Op::Lt, &[x.clone(), y.clone()]), Ok(Value::Bool(a < b)));
        let (div, rem) = (apply(Op::IntDiv, &[x.clone(), y.clone()]), apply(Op::IntMod, &[x, y]));
        if b == 0 {
            prop_assert_eq!((div, rem), (Err(NotFixed::Unspecified), Err(NotFixed::Unspecified)));
        } else {
            prop_assert_eq!(div, Ok(Value::int(wa.div_euclid(wb))));
            prop_assert_eq!(rem, Ok(Value::int(wa.rem_euclid(wb))));
        }
    }

    #[test]
    fn wide_bit_vectors_agree_with_native(a in any::<u128>(), b in any::<u128>(), s in 0u32..140) {
        let (x, y) = (Value::bv(128, a), Value::bv(128, b));
        prop_assert_eq!(apply(Op::BvAdd, &[x.clone(), y.clone()]), Ok(Value::bv(128, a.wrapping_add(b))));
        prop_assert_eq!(apply(Op::BvMul, &[x.clone(), y.clone()]), Ok(Value::bv(128, a.wrapping_mul(b))));
        let shift = Value::bv(128, s);
        prop_assert_eq!(
            apply(Op::BvShl, &[x.clone(), shift.clone()]),
            Ok(Value::bv(128, a.checked_shl(s).unwrap_or(0)))
        );
        prop_assert_eq!(
            apply(Op::BvAshr, &[x.clone(), shift]),
            Ok(Value::bv(128, ((a as i128) >> s.min(127)) as u128))
        );
        prop_assert_eq!(apply(Op::BvSlt, &[x, y]), Ok(Value::Bool((a as i128) < (b as i128))));
    }
}

#[test]
fn reals_divide_and_round_down() {
    let half = apply(Op::RealDiv, &[Value::real(IBig::from(-1)), Value::real(IBig::from(2))]).unwrap();
    assert_eq!(apply(Op::ToInt, std::slice::from_ref(&half)), Ok(Value::int(-1)));
    assert_eq!(apply(Op::IsInt, std::slice::from_ref(&half)), Ok(Value::Bool(false)));
    let zero = Value::real(IBig::ZERO);
    assert_eq!(apply(Op::RealDiv, &[half.clone(), zero.clone()]), Err(NotFixed::Unspecified));
    let three = Value::real(IBig::from(-3));
    let eighth = apply(Op::RealDiv, &[Value::real(IBig::from(-8)), Value::real(IBig::ONE)]).unwrap();
    assert_eq!(apply(Op::Pow, &[half, three]), Ok(eighth));
    assert_eq!(apply(Op::Pow, &[zero.clone(), zero]), Err(NotFixed::Unspecified));
    assert_eq!(apply(Op::Pow, &[Value::int(3), Value::int(5)]), Ok(Value::int(243)));
    assert_eq!(apply(Op::Pow, &[Value::int(3), Value::int(u64::MAX)]), Err(NotFixed::TooBig));
}

#[test]
fn arrays_over_finite_indices_are_canonical() {
    let mut t = Terms::new();
    let bv2 = t.bv_sort(2);
    for index_sort in [Sort::BOOL, bv2] {
        let sort = t.array_sort(index_sort, Sort::INT);
        let domain = t.domain(index_sort, &|_| None);
        let size = domain.size().unwrap();
        // Every function into {0, 1, 2}, built from every default, in two orders.
        for code in 0..3u64.pow(size as u32) {
            let element = |i: u64| Value::int(code / 3u64.pow(i as u32) % 3);
            let mut all = Vec::new();
            for default in 0..4 {
                for reverse in [false, true] {
                    let mut a = ArrayValue::constant(sort, domain.clone(), Value::int(default));
                    for i in 0..size {
                        let i = if reverse { size - 1 - i } else { i };
                        a.set(domain.nth(i).unwrap(), element(i));
                    }
                    for i in 0..size {
                        assert_eq!(a.get(&domain.nth(i).unwrap()), &element(i));
                    }
                    all.push(Value::array(a));
                }
            }
            assert!(all.windows(2).all(|w| w[0] == w[1]), "{all:?}");
            let term = t.value_term(&all[0]);
            assert_eq!(t.term_value(term).as_ref(), Some(&all[0]));
        }
    }
}

#[test]
fn domains_list_every_value_once() {
    let mut t = Terms::new();
    let d = t.declare_datatype("Shape");
    t.add_ctor(d, "dot", &[]);
    let bv3 = t.bv_sort(3);
    t.add_ctor(d, "box", &[("w", bv3), ("filled", Sort::BOOL)]);
    let shape = t.datatype_sort(d);
    let float = t.float_sort(2, 3);
    let array = t.array_sort(Sort::BOOL, bv3);
    for (sort, size) in [(bv3, 8), (shape, 17), (float, 27), (array, 64), (Sort::ROUNDING_MODE, 5)] {
        let domain = t.domain(sort, &|_| None);
        assert_eq!(domain.size(), Some(size));
        let mut all: Vec<Value> = (0..size).map(|i| domain.nth(i).unwrap()).collect();
        assert!(all.contains(&t.default_value(sort).unwrap()));
        all.sort();
        all.dedup();
        assert_eq!(all.len() as u64, size);
        assert_eq!(domain.nth(size), None);
    }
    assert_eq!(t.domain(Sort::INT, &|_| None).size(), None);
}

fn list(t: &mut Terms) -> (Sort, lariat_term::CtorId, lariat_term::CtorId) {
    let d = t.declare_datatype("List");
    let sort = t.datatype_sort(d);
    let cons = t.add_ctor(d, "cons", &[("head", Sort::INT), ("tail", sort)]);
    let nil = t.add_ctor(d, "nil", &[]);
    (sort, cons, nil)
}

#[test]
fn deep_data_is_compared_converted_and_dropped_without_recursion() {
    let mut t = Terms::new();
    let (sort, cons, nil) = list(&mut t);
    assert_eq!(t.default_value(sort), Some(Value::data(nil, vec![])));
    let build = |last: i64| {
        let mut v = Value::data(nil, vec![]);
        for i in 0..300_000i64 {
            v = Value::data(cons, vec![Value::int(if i == 0 { last } else { i }), v]);
        }
        v
    };
    let (a, b, c) = (build(0), build(0), build(1));
    assert!(a == b && a != c && a < c && a.cmp(&b).is_eq());
    let term = t.value_term(&a);
    assert_eq!(t.term_value(term), Some(b));
    assert_eq!(t.eval(term, &Model::new()), Ok(a.clone()));
    assert!(a.display(&t).to_string().starts_with("(cons 299999 (cons 299998 "));
}

#[test]
fn values_display_as_smt_lib() {
    let mut t = Terms::new();
    let (_, cons, nil) = list(&mut t);
    let cell = Value::data(cons, vec![Value::int(-3), Value::data(nil, vec![])]);
    assert_eq!(cell.display(&t).to_string(), "(cons (- 3) nil)");
    assert_eq!(Value::bv(8, 10u8).display(&t).to_string(), "#x0a");
    assert_eq!(Value::bv(3, 2u8).display(&t).to_string(), "#b010");
    for (width, digits) in [(1_000_000, 250_000), (1_000_001, 1_000_001)] {
        let text = Value::bv(width, 1u8).display(&t).to_string();
        assert!(text.len() == digits + 2 && text.ends_with("01"));
    }
    let quarter = dashu_ratio::RBig::from_parts(IBig::from(-1), 4u8.into());
    assert_eq!(Value::Real(quarter).display(&t).to_string(), "(- (/ 1.0 4.0))");
    let sort = t.array_sort(Sort::INT, Sort::BOOL);
    let mut a = ArrayValue::constant(sort, t.domain(Sort::INT, &|_| None), Value::Bool(false));
    a.set(Value::int(2), Value::Bool(true));
    a.set(Value::int(1), Value::Bool(true));
    let text = "(store (store ((as const (Array Int Bool)) false) 1 true) 2 true)";
    assert_eq!(Value::array(a).display(&t).to_string(), text);
    let one = lariat_term::Float::from_bits(8, 24, 0x3f80_0000u32.into());
    assert_eq!(Value::Float(one).display(&t).to_string(), "(fp #b0 #x7f #b00000000000000000000000)");
}

#[test]
fn a_million_deep_chain_evaluates() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::INT);
    let one = t.int(1);
    let mut sum = x;
    let mut ite = x;
    for _ in 0..1_000_000 {
        sum = t.intern(Op::Add, &[sum, one]);
    }
    for _ in 0..100_000 {
        let c = t.intern(Op::Lt, &[ite, one]);
        ite = t.intern(Op::Ite, &[c, one, ite]);
    }
    let mut m = Model::new();
    m.set(t.as_var(x).unwrap(), Value::int(-5));
    assert_eq!(t.eval(sum, &m), Ok(Value::int(999_995)));
    assert_eq!(t.eval(ite, &m), Ok(Value::int(1)));
}

#[test]
fn connectives_need_only_what_decides_them() {
    let mut t = Terms::new();
    let unknown = t.var("unknown", Sort::BOOL);
    let (yes, no) = (t.bool(true), t.bool(false));
    let and = t.intern(Op::And, &[unknown, no]);
    let or = t.intern(Op::Or, &[unknown, yes]);
    let ite = t.intern(Op::Ite, &[yes, no, unknown]);
    let m = Model::new();
    assert_eq!(t.eval(and, &m), Ok(Value::Bool(false)));
    assert_eq!(t.eval(or, &m), Ok(Value::Bool(true)));
    assert_eq!(t.eval(ite, &m), Ok(Value::Bool(false)));
    let and = t.intern(Op::And, &[unknown, yes]);
    assert_eq!(t.eval(and, &m), Err(EvalError::Var(t.as_var(unknown).unwrap())));
    assert_eq!(t.eval(and, &Model::complete()), Ok(Value::Bool(false)));
}

#[test]
fn functions_and_open_corners_come_from_the_model() {
    let mut t = Terms::new();
    let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::INT, None).unwrap();
    let (one, two, zero) = (t.int(1), t.int(2), t.int(0));
    let (a, b) = (t.intern(Op::App(f), &[one, two]), t.intern(Op::App(f), &[two, one]));
    let div = t.intern(Op::IntDiv, &[two, zero]);
    let mut m = Model::new();
    assert_eq!(t.eval(a, &m), Err(EvalError::Func(f)));
    assert_eq!(t.eval(div, &m), Ok(Value::int(0)));
    let mut table = FuncTable { default: Some(Value::int(9)), ..FuncTable::default() };
    table.entries.insert(vec![Value::int(1), Value::int(2)], Value::int(7));
    m.set_func(f, table);
    m.set_open(Op::IntDiv, vec![Value::int(2), Value::int(0)], Value::int(42));
    assert_eq!(t.eval(a, &m), Ok(Value::int(7)));
    assert_eq!(t.eval(b, &m), Ok(Value::int(9)));
    assert_eq!(t.eval(div, &m), Ok(Value::int(42)));
}

/// `forall x y. x + y = y + x` over bit-vectors of a width, and `exists x y. x * y = 1 and x > 1`.
fn commutes(t: &mut Terms, width: u32) -> (Term, Term) {
    let s = t.bv_sort(width);
    let (x, y) = (t.bound(1, s), t.bound(0, s));
    let (a, b) = (t.intern(Op::BvAdd, &[x, y]), t.intern(Op::BvAdd, &[y, x]));
    let eq = t.intern(Op::Eq, &[a, b]);
    let forall = t.forall_bound(&[("x", s), ("y", s)], &[], eq);
    let one = t.bv(width, 1u8);
    let product = t.intern(Op::BvMul, &[x, y]);
    let (unit, greater) = (t.intern(Op::Eq, &[product, one]), t.intern(Op::BvUlt, &[one, x]));
    let both = t.intern(Op::And, &[unit, greater]);
    (forall, t.exists_bound(&[("x", s), ("y", s)], &[], both))
}

#[test]
fn quantifiers_over_small_domains_are_decided() {
    let mut t = Terms::new();
    let m = Model::new();
    for (width, exists) in [(1, false), (2, true), (4, true)] {
        let (f, e) = commutes(&mut t, width);
        assert_eq!(t.eval(f, &m), Ok(Value::Bool(true)));
        assert_eq!(t.eval(e, &m), Ok(Value::Bool(exists)), "width {width}");
    }
    let (wide, _) = commutes(&mut t, 64);
    assert_eq!(t.eval(wide, &m), Err(EvalError::Quantifier(wide)));
    let (f, _) = commutes(&mut t, 4);
    assert_eq!(Evaluator::new(&t, &m).limit_instances(255).eval(f), Err(EvalError::Quantifier(f)));
    // The body does not need the integer: false and anything.
    let (n, zero) = (t.bound(0, Sort::INT), t.int(0));
    let (less, no) = (t.intern(Op::Lt, &[n, zero]), t.bool(false));
    let and = t.intern(Op::And, &[less, no]);
    let q = t.forall_bound(&[("n", Sort::INT)], &[], and);
    assert_eq!(t.eval(q, &m), Ok(Value::Bool(false)));
}

#[test]
fn nested_quantifiers_see_the_outer_variable() {
    // forall x:bool exists y:bv2. (x => y = 3) and (not x => y = 0)
    let mut t = Terms::new();
    let bv2 = t.bv_sort(2);
    let (x, y) = (t.bound(1, Sort::BOOL), t.bound(0, bv2));
    let (three, zero) = (t.bv(2, 3u8), t.bv(2, 0u8));
    let pick = t.intern(Op::Ite, &[x, three, zero]);
    let eq = t.intern(Op::Eq, &[y, pick]);
    let exists = t.exists_bound(&[("y", bv2)], &[], eq);
    let both = t.forall_bound(&[("x", Sort::BOOL)], &[], exists);
    assert_eq!(t.eval(both, &Model::new()), Ok(Value::Bool(true)));
    let forall = t.forall_bound(&[("y", bv2)], &[], eq);
    let one = t.exists_bound(&[("x", Sort::BOOL)], &[], forall);
    assert_eq!(t.eval(one, &Model::new()), Ok(Value::Bool(false)));
}

#[test]
fn universes_make_quantifiers_over_uninterpreted_sorts_finite() {
    let mut t = Terms::new();
    let u = t.uninterpreted_sort("U");
    let p = t.declare_func("p", &[u], Sort::BOOL, None).unwrap();
    let x = t.bound(0, u);
    let px = t.intern(Op::App(p), &[x]);
    let all = t.forall_bound(&[("x", u)], &[], px);
    let mut m = Model::complete();
    m.func_mut(p).entries.insert(vec![Value::Elem(u, 0)], Value::Bool(true));
    assert_eq!(t.eval(all, &m), Err(EvalError::Quantifier(all)));
    m.set_universe(u, 1);
    assert_eq!(t.eval(all, &m), Ok(Value::Bool(true)));
    m.set_universe(u, 2);
    assert_eq!(t.eval(all, &m), Ok(Value::Bool(false)));
    // With two elements, replacing both makes a constant array of the other value.
    let sort = t.array_sort(u, Sort::INT);
    let (zero, one) = (t.int(0), t.int(1));
    let (e0, e1) = (t.intern(Op::Elem(u, 0), &[]), t.intern(Op::Elem(u, 1), &[]));
    let zeros = t.intern(Op::ConstArray(sort), &[zero]);
    let ones = t.intern(Op::ConstArray(sort), &[one]);
    let a = t.intern(Op::Store, &[zeros, e0, one]);
    let a = t.intern(Op::Store, &[a, e1, one]);
    let eq = t.intern(Op::Eq, &[a, ones]);
    assert_eq!(t.eval(eq, &m), Ok(Value::Bool(true)));
    m.set_universe(u, 3);
    assert_eq!(t.eval(eq, &m), Ok(Value::Bool(false)));
}

#[test]
fn lambdas_are_arrays_where_finite_and_selected_from_everywhere() {
    let mut t = Terms::new();
    let (n, one, five) = (t.bound(0, Sort::INT), t.int(1), t.int(5));
    let body = t.intern(Op::Add, &[n, one]);
    let next = t.lambda_bound(("n", Sort::INT), body);
    let m = Model::new();
    let direct = t.intern(Op::Select, &[next, five]);
    assert_eq!(t.eval(direct, &m), Ok(Value::int(6)));
    assert_eq!(t.eval(next, &m), Err(EvalError::Lambda(next)));
    let stored = t.intern(Op::Store, &[next, five, one]);
    let (at5, at1) = (t.intern(Op::Select, &[stored, five]), t.intern(Op::Select, &[stored, one]));
    assert_eq!(t.eval(at5, &m), Ok(Value::int(1)));
    assert_eq!(t.eval(at1, &m), Ok(Value::int(2)));
    let yes = t.bool(true);
    let ite = t.intern(Op::Ite, &[yes, stored, next]);
    let at1 = t.intern(Op::Select, &[ite, one]);
    assert_eq!(t.eval(at1, &m), Ok(Value::int(2)));

    let b = t.bound(0, Sort::BOOL);
    let not = t.intern(Op::Not, &[b]);
    let negation = t.lambda_bound(("b", Sort::BOOL), not);
    let sort = t.array_sort(Sort::BOOL, Sort::BOOL);
    let mut expected = ArrayValue::constant(sort, t.domain(Sort::BOOL, &|_| None), Value::Bool(true));
    expected.set(Value::Bool(true), Value::Bool(false));
    assert_eq!(t.eval(negation, &m), Ok(Value::array(expected)));
}

#[test]
fn an_interpretation_may_be_anything() {
    struct Lengths;
    impl Interpretation for Lengths {
        fn var(&self, terms: &Terms, v: lariat_term::Var) -> Option<Value> {
            Some(Value::int(terms.var_name(v).len()))
        }
        fn func(&self, _: &Terms, _: lariat_term::Func, _: &[Value]) -> Option<Value> {
            None
        }
    }
    let mut t = Terms::new();
    let (a, b) = (t.var("abc", Sort::INT), t.var("de", Sort::INT));
    let sum = t.intern(Op::Mul, &[a, b]);
    assert_eq!(t.eval(sum, &Lengths), Ok(Value::int(6)));
}

#[test]
fn bit_vectors_convert() {
    assert_eq!(BitVec::from_int(8, IBig::from(-1)), BitVec::ones(8));
    assert_eq!(BitVec::ones(8).to_signed(), IBig::from(-1));
    assert!(BitVec::ones(65).is_ones() && BitVec::zero(65).is_zero());
}

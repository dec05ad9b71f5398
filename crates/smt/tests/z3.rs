//! What only Z3 in this process has: its limits, its own functions, its models in odd corners.

use std::time::Duration;

use lariat_smt::{Answer, Declaration, Limits, Logic, Reason, Solver, SolverError, Z3Solver};
use lariat_term::{Float, Op, Sort, Term, Terms, Value};

fn z3() -> Z3Solver {
    let mut s = Z3Solver::new(None).expect("Z3 is linked in");
    s.set_checking(true);
    s.set_limits(Limits::time(Duration::from_secs(60)));
    s
}

/// The product of two 32-bit numbers above one is a large prime power: hard for every solver.
fn hard(t: &mut Terms) -> Vec<Term> {
    let sort = t.bv_sort(64);
    let (x, y) = (t.var("x", sort), t.var("y", sort));
    let product = t.mk(Op::BvMul, &[x, y]);
    let target = t.bv(64, 18_446_744_030_759_878_681u64);
    let (one, limit) = (t.bv(64, 1u8), t.bv(64, 1u64 << 32));
    let mut all = vec![t.eq(product, target)];
    for v in [x, y] {
        all.push(t.mk(Op::BvUlt, &[one, v]));
        all.push(t.mk(Op::BvUlt, &[v, limit]));
    }
    all.push(t.mk(Op::BvUlt, &[x, y]));
    all
}

#[test]
fn limits() {
    let mut t = Terms::new();
    let all = hard(&mut t);
    for logic in [None, Some(Logic::QF_BV)] {
        let mut s = Z3Solver::new(logic).unwrap();
        all.iter().for_each(|&a| s.assert(&t, a).unwrap());
        s.set_limits(Limits::time(Duration::from_millis(50)));
        assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Timeout))));
        s.set_limits(Limits::time(Duration::ZERO));
        assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Timeout))));
        s.set_limits(Limits { resource: Some(1000), ..Limits::default() });
        let answer = s.check(&t, &[]);
        assert!(matches!(answer, Ok(Answer::Unknown(Reason::ResourceLimit))), "{answer:?}");
        // The limits hold for one check each.
        s.set_limits(Limits::time(Duration::from_secs(60)));
        let no = t.bool(false);
        s.assert(&t, no).unwrap();
        assert!(s.check(&t, &[]).unwrap().is_unsat());
        assert_eq!(s.statistics().unknown, 3);
    }
}

#[test]
fn interruption() {
    let mut t = Terms::new();
    let all = hard(&mut t);
    let mut s = Z3Solver::new(Some(Logic::QF_BV)).unwrap();
    all.iter().for_each(|&a| s.assert(&t, a).unwrap());
    let handle = s.interrupter();
    // At many moments, the very start included.
    for pause in [0, 0, 0, 1, 5, 20] {
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
    // It holds until it is reset.
    assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Interrupted))));
    handle.reset();
    let no = t.bool(false);
    assert!(s.check(&t, &[no]).unwrap().is_unsat());
}

#[test]
fn a_solver_moves_between_threads() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::INT);
    let three = t.int(3);
    let eq = t.eq(x, three);
    let mut s = z3();
    s.assert(&t, eq).unwrap();
    let t2 = t.clone();
    let model = std::thread::spawn(move || {
        let Ok(Answer::Sat(model)) = s.check(&t2, &[]) else { panic!("sat") };
        model
    })
    .join()
    .unwrap();
    // The model outlives its solver.
    assert_eq!(model.value(&t, x), Ok(Value::int(3)));
}

#[test]
fn models_stay_what_they_are() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::INT);
    let numbers: Vec<Term> = (0..50).map(|i| t.int(i)).collect();
    let mut s = z3();
    let mut models = Vec::new();
    for &n in &numbers {
        let eq = t.eq(x, n);
        let Ok(Answer::Sat(model)) = s.check(&t, &[eq]) else { panic!("sat") };
        models.push(model);
    }
    for (i, m) in models.iter().enumerate() {
        assert_eq!(m.value(&t, x), Ok(Value::int(i as u32)));
    }
}

#[test]
fn irrational_numbers_have_no_value() {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::REAL), t.var("y", Sort::REAL));
    let (square, two) = (t.mul(&[x, x]), t.real(2));
    let (eq, y_two) = (t.eq(square, two), t.eq(y, two));
    let mut s = z3();
    s.assert(&t, eq).unwrap();
    s.assert(&t, y_two).unwrap();
    let Ok(Answer::Sat(model)) = s.check(&t, &[]) else { panic!("sat") };
    assert!(matches!(model.value(&t, x), Err(SolverError::NoValue { .. })));
    assert_eq!(model.value(&t, y), Ok(Value::real(2)));
}

#[test]
fn functions_of_its_own() {
    let mut t = Terms::new();
    let seq = t.builtin_sort("(Seq Int)");
    let len = t.declare_func("length", &[seq], Sort::INT, Some("seq.len")).unwrap();
    let empty = t.declare_func("empty", &[], seq, Some("(as seq.empty (Seq Int))")).unwrap();
    let s_var = t.var("s", seq);
    let length = t.app(len, &[s_var]);
    let nothing = t.app(empty, &[]);
    let (zero, three) = (t.int(0), t.int(3));
    let (is_three, is_empty) = (t.eq(length, three), t.eq(s_var, nothing));
    let mut s = z3();
    s.assert(&t, is_three).unwrap();
    assert!(s.check(&t, &[]).unwrap().is_sat());
    assert!(s.check(&t, &[is_empty]).unwrap().is_unsat());
    // A name that Z3 expands, and one with arguments of its own.
    let ge = t.declare_func("ge", &[Sort::INT, Sort::INT], Sort::BOOL, Some(">=")).unwrap();
    let ge = t.app(ge, &[zero, length]);
    assert!(s.check(&t, &[ge]).unwrap().is_unsat());
    let f32s = t.float_sort(8, 24);
    let to_fp = t.declare_func("to", &[Sort::REAL], f32s, Some("(_ to_fp 8 24) RNE")).unwrap();
    let one = t.real(1);
    let converted = t.app(to_fp, &[one]);
    let float_one = t.number(Value::Float(Float::from_bits(8, 24, 0x3f80_0000u32.into())));
    let differ = t.ne(converted, float_one);
    assert!(s.check(&t, &[differ]).unwrap().is_unsat());
    // What Z3 does not know is an error, whatever the text.
    for text in ["no.such", ")", "(exit)(", "+ (", "seq.len 3", "", "|", "\" "] {
        let f = t.declare_func(&format!("f{text}"), &[Sort::INT], Sort::BOOL, Some(text)).unwrap();
        let f = t.app(f, &[zero]);
        assert!(matches!(s.assert(&t, f), Err(SolverError::Unsupported { .. })), "{text}");
        let sort = t.builtin_sort(text);
        let v = t.var("v", sort);
        let eq = t.intern(Op::Eq, &[v, v]);
        assert!(matches!(s.assert(&t, eq), Err(SolverError::Unsupported { .. })), "{text}");
    }
    assert!(s.check(&t, &[]).unwrap().is_sat());
}

#[test]
fn deep_terms() {
    // Deep enough for every recursive walk to fail.
    const DEPTH: u32 = 100_000;
    let mut t = Terms::new();
    let sort = t.bv_sort(8);
    let x = t.var("x", sort);
    let mut deep = x;
    for i in 0..DEPTH {
        let y = t.var(&format!("y{}", i % 7), sort);
        deep = t.mk(if i % 2 == 0 { Op::BvXor } else { Op::BvAnd }, &[deep, y]);
    }
    let eq = t.eq(deep, x);
    let mut s = z3();
    s.set_limits(Limits { resource: Some(1), ..Limits::default() });
    s.assert(&t, eq).unwrap();
    assert!(s.check(&t, &[]).is_ok());
}

#[test]
fn declared_symbols_have_values() {
    let mut t = Terms::new();
    let x = t.variable("x", Sort::INT);
    let u = t.uninterpreted_sort("U");
    let y = t.variable("y", u);
    let f = t.declare_func("f", &[u], Sort::INT, None).unwrap();
    let mut s = z3();
    s.push().unwrap();
    s.declare(&t, Declaration::Var(x)).unwrap();
    s.declare(&t, Declaration::Var(y)).unwrap();
    s.declare(&t, Declaration::Func(f)).unwrap();
    let Ok(Answer::Sat(model)) = s.check(&t, &[]) else { panic!("sat") };
    let model = model.get(&t).unwrap();
    assert!(model.get(x).is_some() && model.get(y).is_some() && model.get_func(f).is_some());
}

#[test]
fn sets_as_lambdas_and_tables() {
    // Arrays to Booleans, whose tables Z3 likes to write as formulas.
    let mut t = Terms::new();
    let set = t.array_sort(Sort::INT, Sort::BOOL);
    let (a, b) = (t.var("a", set), t.var("b", set));
    let numbers: Vec<Term> = (0..6).map(|i| t.int(i)).collect();
    let mut s = z3();
    for (i, &n) in numbers.iter().enumerate() {
        let (in_a, in_b) = (t.select(a, n), t.select(b, n));
        let fact = match i % 3 {
            0 => t.and(&[in_a, in_b]),
            1 => t.ne(in_a, in_b),
            _ => t.or(&[in_a, in_b]),
        };
        s.assert(&t, fact).unwrap();
    }
    let differ = t.ne(a, b);
    s.assert(&t, differ).unwrap();
    let Ok(Answer::Sat(model)) = s.check(&t, &[]) else { panic!("sat") };
    assert_eq!(model.is_true(&t, differ), Ok(true));
}

#[test]
fn datatypes_of_several_groups() {
    // The second datatype mentions the first, which is in use already.
    let mut t = Terms::new();
    let first = t.declare_datatype("A");
    let first_sort = t.datatype_sort(first);
    let red = t.add_ctor(first, "red", &[]);
    t.add_ctor(first, "green", &[]);
    let x = t.var("x", first_sort);
    let is_red = t.tester(red, x);
    let mut s = z3();
    s.assert(&t, is_red).unwrap();
    assert!(s.check(&t, &[]).unwrap().is_sat());
    let second = t.declare_datatype("B");
    let second_sort = t.datatype_sort(second);
    let pair = t.add_ctor(second, "pair", &[("left", first_sort), ("right", first_sort)]);
    let y = t.var("y", second_sort);
    let left = t.selector(pair, 0, y);
    let differ = t.ne(left, x);
    s.assert(&t, differ).unwrap();
    let Ok(Answer::Sat(model)) = s.check(&t, &[]) else { panic!("sat") };
    assert_eq!(model.is_true(&t, differ), Ok(true));
    // A datatype without a finite value is refused.
    let endless = t.declare_datatype("Endless");
    let endless_sort = t.datatype_sort(endless);
    t.add_ctor(endless, "more", &[("rest", endless_sort)]);
    let z = t.var("z", endless_sort);
    let eq = t.intern(Op::Eq, &[z, z]);
    assert!(matches!(s.assert(&t, eq), Err(SolverError::Unsupported { .. })));
    assert!(s.check(&t, &[]).unwrap().is_sat());
}

#[test]
fn same_query_same_model() {
    let run = || {
        let mut t = Terms::new();
        let sort = t.bv_sort(16);
        let vars: Vec<Term> = (0..20).map(|i| t.var(&format!("v{i}"), sort)).collect();
        let distinct = t.distinct(&vars);
        let mut s = Z3Solver::new(Some(Logic::QF_BV)).unwrap();
        s.assert(&t, distinct).unwrap();
        let Ok(Answer::Sat(model)) = s.check(&t, &[]) else { panic!("sat") };
        vars.iter().map(|&v| model.value(&t, v).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// A check that was cut short, wherever, does not change what the next one says.
#[test]
fn answers_after_a_check_that_was_cut_short() {
    let mut cut = 0;
    for resource in (0..8).map(|i| 1 + i * i * 150) {
        let mut t = Terms::new();
        let sort = t.bv_sort(8);
        let (x, y, z) = (t.var("x", sort), t.var("y", sort), t.var("z", sort));
        let mut s = Z3Solver::new(Some(Logic::QF_BV)).unwrap();
        s.set_checking(true);
        let (xy, yx) = (t.intern(Op::BvMul, &[x, y]), t.intern(Op::BvAdd, &[y, x]));
        let both = t.mk(Op::BvXor, &[xy, yx]);
        let (is_z, nonzero) = (t.eq(both, z), t.ne(both, y));
        s.assert(&t, is_z).unwrap();
        s.push().unwrap();
        s.assert(&t, nonzero).unwrap();
        s.set_limits(Limits { resource: Some(resource), ..Limits::default() });
        // With an assumption, Z3 gives no reason.
        let assumed = t.var("assumed", Sort::BOOL);
        let is_cut = matches!(s.check(&t, &[assumed]), Ok(Answer::Unknown(_)));
        cut += u32::from(is_cut);
        s.set_limits(Limits::default());
        let big = t.bv(8, 77u32);
        let (small, far) = (t.mk(Op::BvUlt, &[z, big]), t.mk(Op::BvUle, &[big, both]));
        assert!(s.check(&t, &[small]).unwrap().is_sat());
        assert_eq!(s.statistics().restarts, u64::from(is_cut));
        assert!(s.check(&t, &[small, far]).unwrap().is_unsat(), "{resource}");
        s.pop(1).unwrap();
        let same = t.eq(both, y);
        assert!(s.check(&t, &[same, small]).unwrap().is_sat());
        assert!(s.check(&t, &[far, small]).unwrap().is_unsat());
    }
    assert!(cut > 1, "{cut}");
}

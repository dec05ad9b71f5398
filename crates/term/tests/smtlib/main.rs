//! Printing and parsing terms: round trips over every operator, scopes, sharing, solver answers and
//! malformed texts.

mod samples;

use std::collections::BTreeSet;

use lariat_term::{
    Op, RoundingMode, Sort, Term, Terms, Value,
    smtlib::{Dialect, Env, Parser, Printer, SExprs},
};
use samples::{OPERATORS, number, samples};

#[test]
fn every_operator_round_trips() {
    let mut t = Terms::new();
    let samples = samples(&mut t);
    let seen: BTreeSet<usize> = t.post_order(&samples).iter().map(|&n| number(t.op(n))).collect();
    let missing: Vec<_> = (0..OPERATORS).filter(|n| !seen.contains(n)).collect();
    assert!(missing.is_empty(), "operators without a sample: {missing:?}");
    let mut env = Env::of(&mut t);
    for &s in &samples {
        let text = t.display(s).to_string();
        let again = t.parse_term(&text, &mut env).unwrap_or_else(|e| panic!("{text}\n{e}"));
        assert_eq!(again, s, "{text}\n{}", t.display(again));
    }
    for s in t.sorts().collect::<Vec<_>>() {
        let text = t.display_sort(s).to_string();
        assert_eq!(t.parse_sort(&text, &mut env), Ok(s), "{text}");
    }
}

#[test]
fn scripts_declare_everything_once() {
    for dialect in [Dialect::Standard, Dialect::Z3, Dialect::Cvc5] {
        let mut t = Terms::new();
        let mut samples = samples(&mut t);
        samples.retain(|&s| t.loose(s) == 0);
        let mut printer = Printer::new(dialect);
        let mut script = String::new();
        for &s in &samples {
            printer.term(&t, s, &mut script);
        }
        let all = SExprs::read(&script).unwrap();
        let mut names = BTreeSet::new();
        for e in all.iter() {
            let items: Vec<_> = e.items().collect();
            match e.head() {
                Some("declare-fun" | "declare-sort") => {
                    assert!(names.insert(items[1].symbol().unwrap().to_owned()), "{e:?} twice");
                }
                Some("declare-datatypes") => {
                    assert_eq!(items[1].items().count(), 2);
                    let in_types = items[2].items().flat_map(|d| d.items());
                    for c in in_types {
                        assert!(names.insert(c.items().next().unwrap().symbol().unwrap().to_owned()), "{c:?}");
                        for f in c.items().skip(1) {
                            assert!(names.insert(f.items().next().unwrap().symbol().unwrap().to_owned()), "{f:?}");
                        }
                    }
                }
                Some("define-fun" | "assert") => {}
                _ => panic!("{e:?}"),
            }
        }
        let mut second = String::new();
        for &s in &samples {
            // The printer resolves its own symbols, whatever they are.
            let text = printer.term(&t, s, &mut second);
            if dialect == Dialect::Standard {
                assert_eq!(t.parse_term(&text, &mut printer), Ok(s), "{text}");
            }
        }
        assert!(!second.contains("declare"), "{second}");
    }
}

#[test]
fn scopes_forget_their_declarations() {
    let mut t = Terms::new();
    let s = t.uninterpreted_sort("S");
    let (x, y) = (t.var("x", s), t.var("y", s));
    let eq = t.eq(x, y);
    let xx = t.eq(x, x);
    let _ = xx;
    let mut printer = Printer::new(Dialect::Z3);
    let mut out = String::new();
    let e0 = t.intern(Op::Elem(s, 0), &[]);
    let e1 = t.intern(Op::Elem(s, 1), &[]);
    let is = t.intern(Op::Eq, &[x, e0]);
    printer.assert(&t, is, &mut out);
    printer.push();
    out.clear();
    let other = t.intern(Op::Eq, &[y, e1]);
    printer.assert(&t, other, &mut out);
    let want = "(declare-fun y () S)\n(declare-fun S~elem~1 () S)\n(assert (distinct S~elem~0 S~elem~1))\n(assert (= y S~elem~1))\n";
    assert_eq!(out, want);
    printer.pop();
    out.clear();
    printer.assert(&t, eq, &mut out);
    assert_eq!(out, "(declare-fun y () S)\n(assert (= x y))\n");
}

#[test]
fn same_names_are_told_apart() {
    let mut t = Terms::new();
    let (xi, xb) = (t.var("x", Sort::INT), t.var("x", Sort::BOOL));
    let zero = t.int(0);
    let pos = t.le(zero, xi);
    let both = t.and(&[xb, pos]);
    assert_eq!(t.display(both).to_string(), "(and (as x Bool) (<= 0 (as x Int)))");
    let mut env = Env::of(&mut t);
    let text = t.display(both).to_string();
    assert_eq!(t.parse_term(&text, &mut env), Ok(both));
    let mut out = String::new();
    let mut printer = Printer::new(Dialect::Z3);
    printer.assert(&t, both, &mut out);
    assert!(out.ends_with("(assert (and x (<= 0 x~1)))\n"), "{out}");
    assert_eq!(t.parse_term("x~1", &mut printer), Ok(xi));
}

#[test]
fn bound_names_do_not_capture() {
    let mut t = Terms::new();
    let f = t.declare_func("f", &[Sort::INT, Sort::INT, Sort::INT], Sort::BOOL, None).unwrap();
    let x = t.variable("x", Sort::INT);
    let xt = t.var_term(x);
    let b0 = t.bound(0, Sort::INT);
    let b1 = t.bound(1, Sort::INT);
    // Two binders of one name, both seen inside, and a free variable of that name
    let body = t.app(f, &[b0, b1, xt]);
    let inner = t.forall_bound(&[("x", Sort::INT)], &[], body);
    let outer = t.exists_bound(&[("x", Sort::INT)], &[], inner);
    let text = t.display(outer).to_string();
    assert_eq!(text, "(exists ((x~1 Int)) (forall ((x~2 Int)) (f x~2 x~1 x)))");
    let mut env = Env::of(&mut t);
    assert_eq!(t.parse_term(&text, &mut env), Ok(outer));
    // Shadowing in a text means the inner one
    let got = t.parse_term("(exists ((x Int)) (forall ((x Int)) (f x x x)))", &mut env).unwrap();
    let body = t.app(f, &[b0, b0, b0]);
    let inner = t.forall_bound(&[("x", Sort::INT)], &[], body);
    assert_eq!(got, t.exists_bound(&[("x", Sort::INT)], &[], inner));
    // A let outside of a binder, of a variable bound further out
    let got = t.parse_term("(exists ((y Int)) (let ((z y)) (forall ((y Int)) (f y z x))))", &mut env).unwrap();
    let body = t.app(f, &[b0, b1, xt]);
    let inner = t.forall_bound(&[("y", Sort::INT)], &[], body);
    assert_eq!(got, t.exists_bound(&[("y", Sort::INT)], &[], inner));
    // The bindings of one let do not see each other
    let got = t.parse_term("(let ((x 1) (y x)) (f x y y))", &mut env).unwrap();
    let one = t.int(1);
    assert_eq!(got, t.app(f, &[one, xt, xt]));
}

#[test]
fn shared_terms_below_binders_stay_there() {
    let mut t = Terms::new();
    let g = t.declare_func("g", &[Sort::INT, Sort::INT], Sort::INT, None).unwrap();
    let (x, y) = (t.variable("x", Sort::INT), t.variable("y", Sort::INT));
    let (xt, yt) = (t.var_term(x), t.var_term(y));
    let yy = t.app(g, &[yt, yt]);
    let xy = t.app(g, &[xt, yy]);
    let sum = t.app(g, &[xy, xy]);
    let both = t.app(g, &[sum, yy]);
    let eq = t.eq(xt, both);
    let q = t.forall(&[x], &[vec![xy]], eq);
    let all = t.exists(&[y], &[], q);
    for term in [q, all] {
        let text = t.display(term).to_string();
        let mut env = Env::of(&mut t);
        assert_eq!(t.parse_term(&text, &mut env), Ok(term), "{text}");
    }
    let text = t.display(q).to_string();
    assert_eq!(
        text,
        "(let ((?1 (g y y))) (forall ((x Int)) (! (let ((?2 (g x ?1))) (= x (g (g ?2 ?2) ?1))) :pattern ((g x ?1)))))"
    );
}

#[test]
fn text_is_linear_in_the_graph() {
    let mut t = Terms::new();
    let g = t.declare_func("g", &[Sort::INT, Sort::INT], Sort::INT, None).unwrap();
    let x = t.variable("x", Sort::INT);
    let mut a = t.var_term(x);
    for _ in 0..1000 {
        a = t.app(g, &[a, a]);
    }
    let lambda = t.lambda(x, a);
    for term in [a, lambda] {
        let text = t.display(term).to_string();
        assert!(text.len() < 1000 * 30, "{}", text.len());
        let mut env = Env::of(&mut t);
        assert_eq!(t.parse_term(&text, &mut env), Ok(term));
    }
    // Over many assertions too
    let one = t.var("p", Sort::BOOL);
    let mut printer = Printer::new(Dialect::Z3);
    let mut roots = Vec::new();
    let mut b = t.var_term(x);
    for _ in 0..2000 {
        b = t.app(g, &[b, a]);
        let eq = t.eq(a, b);
        roots.push(t.or(&[one, eq]));
    }
    for back in [false, true] {
        let mut script = String::new();
        let order: Vec<Term> = if back { roots.iter().rev().copied().collect() } else { roots.clone() };
        for r in order {
            printer.assert(&t, r, &mut script);
        }
        assert!(script.len() < 2000 * 600, "{}", script.len());
        printer = Printer::new(Dialect::Z3);
    }
}

#[test]
fn deep_terms() {
    let mut t = Terms::new();
    let g = t.declare_func("g", &[Sort::INT], Sort::INT, None).unwrap();
    let x = t.var("x", Sort::INT);
    let mut a = x;
    for _ in 0..1_000_000 {
        a = t.app(g, &[a]);
    }
    let text = t.display(a).to_string();
    let mut env = Env::of(&mut t);
    assert_eq!(t.parse_term(&text, &mut env), Ok(a));
    let mut s = Sort::INT;
    for _ in 0..100_000 {
        s = t.array_sort(Sort::BOOL, s);
    }
    let text = t.display_sort(s).to_string();
    assert_eq!(t.parse_sort(&text, &mut env), Ok(s));
    let nested = "(forall ((x Int)) ".repeat(2000) + "(< x 0)" + &")".repeat(2000);
    let q = t.parse_term(&nested, &mut env).unwrap();
    let text = t.display(q).to_string();
    assert_eq!(t.parse_term(&text, &mut env), Ok(q));
}

#[test]
fn answers_of_solvers() {
    let mut t = Terms::new();
    let s = t.uninterpreted_sort("T");
    let arr = t.array_sort(Sort::INT, Sort::INT);
    let k = t.declare_func("k!0", &[Sort::INT], Sort::INT, None).unwrap();
    let mut env = Env::of(&mut t);
    let mut read = |t: &mut Terms, text: &str| t.parse_term(text, &mut env).unwrap_or_else(|e| panic!("{text}: {e}"));
    let five = t.int(-5);
    assert_eq!(read(&mut t, "(- 5)"), five);
    let third = read(&mut t, "(- (/ 1 3))");
    let Op::Const(c) = t.op(third) else { panic!() };
    assert!(matches!(t.const_value(c), Value::Real(r) if r.to_string() == "-1/3"));
    let b = t.bv(32, 5u8);
    assert_eq!(read(&mut t, "(_ bv5 32)"), b);
    assert_eq!(read(&mut t, "#x00000005"), b);
    let rne = t.rounding_mode(RoundingMode::Rne);
    assert_eq!(read(&mut t, "RNE"), rne);
    let as_array = read(&mut t, "(_ as-array k!0)");
    let x = t.bound(0, Sort::INT);
    let body = t.app(k, &[x]);
    assert_eq!(t.args(as_array), [body]);
    assert_eq!(t.sort(as_array), arr);
    let one = t.int(1);
    let zeros = {
        let zero = t.int(0);
        t.const_array(arr, zero)
    };
    let stored = t.store(zeros, one, five);
    assert_eq!(read(&mut t, "(store ((as const (Array Int Int)) 0) 1 (- 5))"), stored);
    let lambda = read(&mut t, "(lambda ((x!1 Int)) (ite (= x!1 3) 4 (+ x!1 (- 5))))");
    assert_eq!(t.sort(lambda), arr);
    let (e0, e1) = (t.intern(Op::Elem(s, 0), &[]), t.intern(Op::Elem(s, 1), &[]));
    assert_eq!(read(&mut t, "T!val!7"), e0);
    assert_eq!(read(&mut t, "(as @a_0 T)"), e1);
    assert_eq!(read(&mut t, "T!val!7"), e0);
    assert_eq!(read(&mut t, "(as @elem!1 T)"), e1);
    // Definitions
    let text = "((define-fun k!0 ((x!0 Int) (x!1 T)) Real (ite (= x!0 1) 2 3)) (define-fun c () Int 4))";
    let all = SExprs::read(text).unwrap();
    let mut env = Env::of(&mut t);
    let mut parser = Parser::new(&mut env);
    let defs: Vec<_> = all.single().unwrap().items().collect();
    let err = parser.definition(&mut t, defs[0]).unwrap_err();
    assert!(err.message.contains("Real"), "{err}");
    let d = parser.definition(&mut t, defs[1]).unwrap();
    assert_eq!((d.symbol.as_str(), d.params.len(), d.result), ("c", 0, Sort::INT));
    let text = "(define-fun f ((x!0 Int) (x!1 T)) Bool (< x!0 7))";
    let d = parser.definition(&mut t, SExprs::read(text).unwrap().single().unwrap()).unwrap();
    let (b1, seven) = (t.bound(1, Sort::INT), t.int(7));
    assert_eq!(d.params, [Sort::INT, s]);
    assert_eq!(d.body, t.lt(b1, seven));
    // Names given from outside
    parser.give("here", seven);
    assert_eq!(parser.term(&mut t, SExprs::read("here").unwrap().single().unwrap()), Ok(seven));
}

#[test]
fn reduced_operators() {
    let mut t = Terms::new();
    let s = t.bv_sort(8);
    let (a, b) = (t.var("a", s), t.var("b", s));
    let (p, q) = (t.var("p", Sort::BOOL), t.var("q", Sort::BOOL));
    let (i, j) = (t.var("i", Sort::INT), t.var("j", Sort::INT));
    let mut env = Env::of(&mut t);
    let mut read = |t: &mut Terms, text: &str| t.parse_term(text, &mut env).unwrap_or_else(|e| panic!("{text}: {e}"));
    let not_p = t.not(p);
    let imp = t.or(&[not_p, q]);
    assert_eq!(read(&mut t, "(=> p q)"), imp);
    let nested = t.implies(q, imp);
    assert_eq!(read(&mut t, "(=> q p q)"), nested);
    let ne = t.ne(p, q);
    assert_eq!(read(&mut t, "(xor p q)"), ne);
    let sub = t.sub(i, j);
    assert_eq!(read(&mut t, "(- i j)"), sub);
    let ge = t.le(j, i);
    assert_eq!(read(&mut t, "(>= i j)"), ge);
    let zero = t.int(0);
    let (c, d) = (t.lt(j, i), t.lt(zero, j));
    let chain = t.and(&[c, d]);
    assert_eq!(read(&mut t, "(> i j 0)"), chain);
    let uge = t.mk(Op::BvUle, &[b, a]);
    assert_eq!(read(&mut t, "(bvuge a b)"), uge);
    let hi = t.extract(4, 0, a);
    let lo = t.extract(7, 5, a);
    let rot = t.mk(Op::Concat, &[hi, lo]);
    assert_eq!(read(&mut t, "((_ rotate_left 3) a)"), rot);
    assert_eq!(read(&mut t, "((_ rotate_right 5) a)"), rot);
    assert_eq!(read(&mut t, "((_ rotate_left 8) a)"), a);
    for (text, width) in [("((_ repeat 3) a)", 24), ("(bvcomp a b)", 1), ("(concat a b a)", 24), ("(bvnand a b)", 8)] {
        let got = read(&mut t, text);
        assert_eq!(t.bv_width(got), Some(width), "{text}");
    }
    for text in ["((_ divisible 3) i)", "(bvsaddo a b)", "(bvumulo a b)", "(bvnego a)", "(= a b a)", "(distinct i)"] {
        if let Ok(got) = t.parse_term(text, &mut Env::of(&mut t.clone())) {
            assert_eq!(t.sort(got), Sort::BOOL, "{text}");
        } else {
            assert_eq!(text, "(distinct i)");
        }
    }
}

#[test]
fn malformed_texts_say_where() {
    let mut t = Terms::new();
    t.var("x", Sort::INT);
    let s = t.bv_sort(8);
    t.var("a", s);
    t.declare_func("f", &[Sort::INT], Sort::INT, None).unwrap();
    let mut env = Env::of(&mut t);
    let mut wrong = Vec::new();
    for (text, at) in [
        ("", 0),
        ("x x", 2),
        ("()", 0),
        ("(+ x", 0),
        ("y", 0),
        ("(+ x y)", 5),
        ("(+ x a)", 0),
        ("(and x (+ x 1))", 0),
        ("(f x x)", 0),
        ("(x 1)", 0),
        ("(let ((z 1)) (z 2))", 13),
        ("(let ((z)) z)", 6),
        ("(let z z)", 7),
        ("(let ((z 1) (w z)) w)", 15),
        ("(forall () true)", 0),
        ("(forall ((z Foo)) true)", 12),
        ("(forall ((z Int)) z)", 0),
        ("(forall ((z Int)) (! (< z 0) :pattern ()))", 38),
        ("(forall ((z Int)) (! (< z 0) :weight x))", 37),
        ("(forall ((z Int)) (! (< z 0) :weight))", 29),
        ("(and (forall ((z Int)) (< z 0)) (< z 0))", 35),
        ("((_ extract 8 0) a)", 0),
        ("((_ extract 0 1) a)", 0),
        ("((_ zero_extend 4294967295) a)", 0),
        ("((_ repeat 4294967295) a)", 0),
        ("((_ repeat 0) a)", 0),
        ("((_ int_to_bv 0) x)", 0),
        ("((_ extract 99999999999 0) a)", 12),
        ("(_ bv300 8)", 0),
        ("(_ bv5 0)", 0),
        ("(_ bv5 99999999)", 0),
        ("(_ +oo 1 1)", 0),
        ("(_ +oo 4000000000 4000000000)", 0),
        ("((as const Int) 1)", 0),
        ("((as const (Array Int Bool)) 1)", 0),
        ("(as y Int)", 0),
        ("(as x Bool)", 0),
        ("(as @bound!4294967295 Int)", 0),
        ("((_ is Nope) x)", 0),
        ("(_ as-array g)", 0),
        ("\"text\"", 0),
        (":key", 0),
        ("(match x ((y y)))", 0),
        ("(lambda ((u Int) (v Int)) u)", 0),
        ("((x) 1)", 1),
        ("(fp #b0 #b1 #b1)", 0),
        ("(let ((z 1)) (+ z q))", 18),
        ("z", 0),
        ("(! )", 0),
        ("(_ )", 0),
    ] {
        match t.parse_term(text, &mut env) {
            Ok(got) => wrong.push(format!("{text} is {}", t.display(got))),
            Err(e) if e.offset != at => wrong.push(format!("{text}: {e}, not {at}")),
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for text in ["(_ BitVec 0)", "(_ BitVec 4000000000)", "(_ FloatingPoint 8 1)", "(Array Int)", "Foo", "()", "1"] {
        assert!(t.parse_sort(text, &mut env).is_err(), "{text}");
    }
}

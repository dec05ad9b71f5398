//! Terms with every operator, and values of every kind.

use lariat_term::{BinderBuilder, Op, RoundingMode, Sort, Term, Terms, smtlib::Env};

/// A number for each operator. Exhaustive, so that a new operator does not compile until it has one
/// (and raises the count below, and so needs a sample).
pub fn number(op: Op) -> usize {
    match op {
        Op::True => 0,
        Op::False => 1,
        Op::Const(_) => 2,
        Op::RoundingMode(_) => 3,
        Op::Elem(..) => 4,
        Op::Var(_) => 5,
        Op::Bound(..) => 6,
        Op::App(_) => 7,
        Op::Not => 8,
        Op::And => 9,
        Op::Or => 10,
        Op::Eq => 11,
        Op::Distinct => 12,
        Op::Ite => 13,
        Op::Add => 14,
        Op::Mul => 15,
        Op::IntDiv => 16,
        Op::IntMod => 17,
        Op::RealDiv => 18,
        Op::Le => 19,
        Op::Lt => 20,
        Op::ToReal => 21,
        Op::ToInt => 22,
        Op::IsInt => 23,
        Op::Pow => 24,
        Op::Concat => 25,
        Op::Extract { .. } => 26,
        Op::ZeroExt(_) => 27,
        Op::SignExt(_) => 28,
        Op::BvNot => 29,
        Op::BvNeg => 30,
        Op::BvAnd => 31,
        Op::BvOr => 32,
        Op::BvXor => 33,
        Op::BvAdd => 34,
        Op::BvMul => 35,
        Op::BvUdiv => 36,
        Op::BvUrem => 37,
        Op::BvSdiv => 38,
        Op::BvSrem => 39,
        Op::BvSmod => 40,
        Op::BvShl => 41,
        Op::BvLshr => 42,
        Op::BvAshr => 43,
        Op::BvUlt => 44,
        Op::BvUle => 45,
        Op::BvSlt => 46,
        Op::BvSle => 47,
        Op::BvToNat => 48,
        Op::IntToBv(_) => 49,
        Op::FpFromBits { .. } => 50,
        Op::FpFromFp { .. } => 51,
        Op::FpFromReal { .. } => 52,
        Op::FpFromSbv { .. } => 53,
        Op::FpFromUbv { .. } => 54,
        Op::FpToUbv(_) => 55,
        Op::FpToSbv(_) => 56,
        Op::FpToReal => 57,
        Op::FpToBits => 58,
        Op::FpAbs => 59,
        Op::FpNeg => 60,
        Op::FpAdd => 61,
        Op::FpSub => 62,
        Op::FpMul => 63,
        Op::FpDiv => 64,
        Op::FpFma => 65,
        Op::FpSqrt => 66,
        Op::FpRem => 67,
        Op::FpRoundToIntegral => 68,
        Op::FpMin => 69,
        Op::FpMax => 70,
        Op::FpLe => 71,
        Op::FpLt => 72,
        Op::FpEq => 73,
        Op::FpIsNormal => 74,
        Op::FpIsSubnormal => 75,
        Op::FpIsZero => 76,
        Op::FpIsInfinite => 77,
        Op::FpIsNan => 78,
        Op::FpIsNegative => 79,
        Op::FpIsPositive => 80,
        Op::Select => 81,
        Op::Store => 82,
        Op::ConstArray(_) => 83,
        Op::Ctor(_) => 84,
        Op::Selector(..) => 85,
        Op::Tester(_) => 86,
        Op::Forall(_) => 87,
        Op::Exists(_) => 88,
        Op::Lambda(_) => 89,
    }
}
/// How many operators there are.
pub const OPERATORS: usize = 90;

/// Terms with every operator.
pub fn samples(t: &mut Terms) -> Vec<Term> {
    let (bv8, f32) = (t.bv_sort(8), t.float_sort(8, 24));
    let s = t.uninterpreted_sort("S");
    let [p, q, r] = ["p", "q", "r"].map(|n| t.var(n, Sort::BOOL));
    let [i, j, k] = ["i", "j", "k"].map(|n| t.var(n, Sort::INT));
    let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::REAL));
    let [a, b] = ["a", "b"].map(|n| t.var(n, bv8));
    let [f, g, h] = ["f", "g", "h"].map(|n| t.var(n, f32));
    let [u, v] = ["u", "v"].map(|n| t.var(n, s));
    let m = t.var("m", Sort::ROUNDING_MODE);
    let bits = {
        let bv32 = t.bv_sort(32);
        t.var("w", bv32)
    };
    let mut out = vec![t.bool(true), t.bool(false), p];
    let (exp, sig) = (8, 24);
    let table: &[(Op, &[Term])] = &[
        (Op::Not, &[p]),
        (Op::And, &[p, q, r]),
        (Op::Or, &[p, q]),
        (Op::Eq, &[u, v]),
        (Op::Eq, &[p, q]),
        (Op::Eq, &[f, g]),
        (Op::Distinct, &[i, j, k]),
        (Op::Ite, &[p, i, j]),
        (Op::Add, &[i, j, k]),
        (Op::Add, &[x, y]),
        (Op::Mul, &[i, j]),
        (Op::IntDiv, &[i, j]),
        (Op::IntMod, &[i, j]),
        (Op::RealDiv, &[x, y]),
        (Op::Le, &[i, j]),
        (Op::Lt, &[x, y]),
        (Op::ToReal, &[i]),
        (Op::ToInt, &[x]),
        (Op::IsInt, &[x]),
        (Op::Pow, &[i, j]),
        (Op::Concat, &[a, b]),
        (Op::Extract { hi: 6, lo: 2 }, &[a]),
        (Op::ZeroExt(3), &[a]),
        (Op::SignExt(3), &[a]),
        (Op::BvNot, &[a]),
        (Op::BvNeg, &[a]),
        (Op::BvAnd, &[a, b]),
        (Op::BvOr, &[a, b]),
        (Op::BvXor, &[a, b]),
        (Op::BvAdd, &[a, b]),
        (Op::BvMul, &[a, b]),
        (Op::BvUdiv, &[a, b]),
        (Op::BvUrem, &[a, b]),
        (Op::BvSdiv, &[a, b]),
        (Op::BvSrem, &[a, b]),
        (Op::BvSmod, &[a, b]),
        (Op::BvShl, &[a, b]),
        (Op::BvLshr, &[a, b]),
        (Op::BvAshr, &[a, b]),
        (Op::BvUlt, &[a, b]),
        (Op::BvUle, &[a, b]),
        (Op::BvSlt, &[a, b]),
        (Op::BvSle, &[a, b]),
        (Op::BvToNat, &[a]),
        (Op::IntToBv(8), &[i]),
        (Op::FpFromBits { exp, sig }, &[bits]),
        (Op::FpFromFp { exp: 11, sig: 53 }, &[m, f]),
        (Op::FpFromReal { exp, sig }, &[m, x]),
        (Op::FpFromSbv { exp, sig }, &[m, a]),
        (Op::FpFromUbv { exp, sig }, &[m, a]),
        (Op::FpToUbv(16), &[m, f]),
        (Op::FpToSbv(16), &[m, f]),
        (Op::FpToReal, &[f]),
        (Op::FpToBits, &[f]),
        (Op::FpAbs, &[f]),
        (Op::FpNeg, &[f]),
        (Op::FpAdd, &[m, f, g]),
        (Op::FpSub, &[m, f, g]),
        (Op::FpMul, &[m, f, g]),
        (Op::FpDiv, &[m, f, g]),
        (Op::FpFma, &[m, f, g, h]),
        (Op::FpSqrt, &[m, f]),
        (Op::FpRem, &[f, g]),
        (Op::FpRoundToIntegral, &[m, f]),
        (Op::FpMin, &[f, g]),
        (Op::FpMax, &[f, g]),
        (Op::FpLe, &[f, g]),
        (Op::FpLt, &[f, g]),
        (Op::FpEq, &[f, g]),
        (Op::FpIsNormal, &[f]),
        (Op::FpIsSubnormal, &[f]),
        (Op::FpIsZero, &[f]),
        (Op::FpIsInfinite, &[f]),
        (Op::FpIsNan, &[f]),
        (Op::FpIsNegative, &[f]),
        (Op::FpIsPositive, &[f]),
        (Op::Elem(s, 3), &[]),
    ];
    for &(op, args) in table {
        out.push(t.try_mk(op, args).unwrap());
    }
    out.extend(RoundingMode::ALL.map(|m| t.rounding_mode(m)));
    out.extend(numerals(t));
    // Functions, with names that need care
    for name in ["fun", "a b", "and", "x|y", "back\\slash", "~tilde", "?1", "@at", "", "é", "bvadd", "#1'`"] {
        let fun = t.declare_func(name, &[Sort::INT], Sort::INT, None).unwrap();
        out.push(t.app(fun, &[i]));
        let c = t.declare_func(&format!("{name}.c"), &[], s, None).unwrap();
        out.push(t.app(c, &[]));
        out.push(t.var(&format!("{name}$v"), bv8));
        out.push(t.var(name, Sort::BOOL));
    }
    let builtin = t.builtin_sort("(Seq Int)");
    let len = t.declare_func("length", &[builtin], Sort::INT, Some("seq.len")).unwrap();
    let seq = t.var("seq", builtin);
    out.push(t.app(len, &[seq]));
    // Arrays
    let arr = t.array_sort(Sort::INT, bv8);
    let nested = t.array_sort(s, arr);
    let (ar, ne) = (t.var("arr", arr), t.var("nest", nested));
    out.push(t.select(ar, i));
    out.push(t.store(ar, i, a));
    let inner = t.select(ne, u);
    out.push(t.store(inner, j, b));
    out.push(t.const_array(arr, a));
    out.push(t.const_array(nested, ar));
    // Datatypes: mutually recursive, a field name in two constructors, a constructor name in two types
    let (tree, list) = (t.declare_datatype("Tree"), t.declare_datatype("List of Trees"));
    let (tree_sort, list_sort) = (t.datatype_sort(tree), t.datatype_sort(list));
    let node = t.add_ctor(tree, "Node", &[("value", Sort::INT), ("sub", list_sort)]);
    let leaf = t.add_ctor(tree, "Leaf", &[("value", bv8)]);
    let empty = t.add_ctor(tree, "Empty", &[]);
    let cons = t.add_ctor(list, "Cons", &[("head", tree_sort), ("tail", list_sort)]);
    let none = t.add_ctor(list, "Empty", &[]);
    let (tv, lv) = (t.var("tree", tree_sort), t.var("list", list_sort));
    out.push(t.ctor(node, &[i, lv]));
    out.push(t.ctor(leaf, &[a]));
    out.push(t.ctor(empty, &[]));
    out.push(t.ctor(none, &[]));
    out.push(t.ctor(cons, &[tv, lv]));
    out.push(t.selector(node, 0, tv));
    out.push(t.selector(leaf, 0, tv));
    out.push(t.selector(node, 1, tv));
    out.push(t.selector(cons, 0, lv));
    for c in [node, leaf, empty] {
        out.push(t.tester(c, tv));
    }
    out.push(t.tester(none, lv));
    // Binders
    let (iv, jv) = (t.variable("i", Sort::INT), t.variable("j", Sort::INT));
    let fun = t.declare_func("fun", &[Sort::INT], Sort::INT, None).unwrap();
    let fi = t.app(fun, &[i]);
    let fj = t.app(fun, &[j]);
    let le = t.le(fi, fj);
    out.push(t.forall(&[iv, jv], &[vec![fi, fj], vec![le]], le));
    out.push(t.exists(&[jv], &[], le));
    out.push(BinderBuilder::forall(&[iv]).no_trigger(fi).trigger(vec![fi]).weight(12).bind(t, le));
    out.push(BinderBuilder::exists(&[iv]).weight(0).bind(t, le));
    out.push(t.lambda(iv, fi));
    let inner = t.lambda(iv, fi);
    let at = t.select(inner, j);
    out.push(t.lambda(jv, at));
    let same_names = t.exists(&[iv], &[], le);
    let both = t.and(&[same_names, le]);
    out.push(t.forall(&[iv], &[], both));
    let loose = t.bound(4, Sort::INT);
    out.push(t.add(&[loose, i]));
    let lt = t.lt(i, loose);
    out.push(t.exists(&[iv], &[], lt));
    out
}

/// Values of every kind.
fn numerals(t: &mut Terms) -> Vec<Term> {
    let mut out: Vec<Term> = [0, 7, -7].map(|n| t.int(n)).to_vec();
    let texts = [
        "123456789012345678901234567890",
        "(- 123456789012345678901234567890)",
        "0.0",
        "1.5",
        "(- 2.25)",
        "(/ 1 3)",
        "(- (/ 1 3))",
        "(/ (- 1.0) 3.0)",
        "#b1",
        "#b0001010",
        "#x0f",
        "#xfedcba9876543210fedcba9876543210",
        "(_ bv5 7)",
        "(_ bv5 100000)",
        "(fp #b0 #b10000010 #b01000000000000000000000)",
        "(fp #b1 #x00 #b00000000000000000000001)",
        "(fp #b1 #b11111 #b0000000001)",
        "(_ NaN 5 11)",
        "(_ +oo 8 24)",
        "(_ -oo 8 24)",
        "(_ +zero 11 53)",
        "(_ -zero 11 53)",
        "(_ NaN 2 2)",
    ];
    let mut env = Env::new();
    for text in texts {
        let n = t.parse_term(text, &mut env).unwrap();
        assert!(t.is_value(n), "{text}");
        out.push(n);
    }
    out
}

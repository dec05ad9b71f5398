//! The simplifier against the evaluator, on an instance of every rule and on random terms.

use std::collections::BTreeSet;

use lariat_term::{
    Model, Op, Rule, Sort, Term, Terms, Value,
    random::{Theory, random_closed_term, random_term, random_value},
    rules_catalog::{instances, rebuild},
};

/// Random values for all variables of a term.
fn model(t: &Terms, term: Term, seed: u64) -> Model {
    let mut m = Model::complete();
    for (i, v) in t.free_vars(&[term]).into_iter().enumerate() {
        let value = random_value(t, t.var_sort(v), seed.wrapping_mul(1000).wrapping_add(i as u64));
        m.set(v, value.expect("a sort with values"));
    }
    m
}

fn assert_equal(t: &Terms, what: &str, a: Term, b: Term, rounds: u64) {
    for seed in 0..rounds {
        let m = model(t, a, seed);
        assert_eq!(t.eval(a, &m), t.eval(b, &m), "{what}: {:?} against {:?} under {m:?}", show(t, a), show(t, b));
    }
}

/// A term, flat, for messages.
fn show(t: &Terms, root: Term) -> Vec<String> {
    t.post_order(&[root]).iter().map(|&s| format!("{}={:?}{:?}", s.index(), t.op(s), t.args(s))).collect()
}

#[test]
fn every_rule_has_an_instance_on_which_it_fires() {
    let mut t = Terms::new();
    let all = instances(&mut t);
    let seen: BTreeSet<Rule> = all.iter().map(|i| i.rule).collect();
    let missing: Vec<&Rule> = Rule::ALL.iter().filter(|r| !seen.contains(r)).collect();
    assert!(missing.is_empty(), "rules without an instance: {missing:?}");
    let silent: Vec<_> = all.iter().filter(|i| !i.fired || i.raw == i.simplified).collect();
    let silent: Vec<_> = silent.iter().map(|i| format!("{:?} on {:?}", i.rule, show(&t, i.raw))).collect();
    assert!(silent.is_empty(), "rules that do not fire: {silent:#?}");
}

#[test]
fn both_sides_of_every_rule_evaluate_to_the_same() {
    let mut t = Terms::new();
    for i in instances(&mut t) {
        if matches!(t.op(i.raw), Op::Lambda(_)) {
            continue; // no value over an infinite domain; proved by the solver
        }
        assert_equal(&t, &format!("{:?}", i.rule), i.raw, i.simplified, 40);
    }
}

#[test]
fn rules_do_not_make_terms_larger() {
    let mut t = Terms::new();
    for i in instances(&mut t) {
        let (before, after) = (t.dag_size(&[i.raw]), t.dag_size(&[i.simplified]));
        // New constants may appear (`2 * x` for `x + x`): one node each.
        assert!(after <= before + 1, "{:?}: {before} to {after} nodes: {:?}", i.rule, show(&t, i.simplified));
    }
}

#[test]
fn random_terms_keep_their_value() {
    for theory in Theory::ALL {
        for seed in 0..400 {
            let mut t = Terms::new();
            let raw = random_term(&mut t, theory, 4 + seed as u32 % 40, 3, seed);
            let simplified = rebuild(&mut t, raw);
            assert_equal(&t, &format!("{theory:?} {seed}"), raw, simplified, 8);
        }
    }
}

#[test]
fn closed_terms_of_scalar_sorts_fold_to_their_value() {
    for theory in Theory::ALL {
        let mut t = Terms::new();
        for seed in 0..300 {
            let raw = random_closed_term(&mut t, theory, 5 + seed as u32 % 30, seed);
            let value = t.eval(raw, &Model::new()).unwrap_or_else(|e| panic!("{theory:?} {seed}: {e}"));
            let simplified = rebuild(&mut t, raw);
            assert_eq!(t.eval(simplified, &Model::new()), Ok(value.clone()));
            if matches!(theory, Theory::Bool | Theory::Int | Theory::Real | Theory::BitVec | Theory::Float) {
                assert_eq!(t.term_value(simplified), Some(value), "{theory:?} {seed}: {:?}", show(&t, simplified));
            }
        }
    }
}

/// Printing and parsing must give the same term again, so building a result again must change nothing.
#[test]
fn simplification_is_stable() {
    let mut unstable = Vec::new();
    let mut check = |t: &mut Terms, what: String, root: Term| {
        for s in t.post_order(&[root]) {
            let args = t.args(s).to_vec();
            let again = t.mk(t.op(s), &args);
            if again != s {
                unstable.push(format!("{what}: {:?} becomes {:?}", show(t, s), show(t, again)));
            }
        }
    };
    let mut t = Terms::new();
    for i in instances(&mut t) {
        check(&mut t, format!("{:?}", i.rule), i.simplified);
    }
    for theory in Theory::ALL {
        for seed in 0..400 {
            let mut t = Terms::new();
            let raw = random_term(&mut t, theory, 30, 3, seed);
            let simplified = rebuild(&mut t, raw);
            check(&mut t, format!("{theory:?} {seed}"), simplified);
        }
    }
    assert!(
        unstable.is_empty(),
        "{} results change when built again: {:#?}",
        unstable.len(),
        &unstable[..unstable.len().min(8)]
    );
}

#[test]
fn memories_written_in_any_order_are_one_term() {
    let mut t = Terms::new();
    let sort = t.array_sort(Sort::INT, Sort::INT);
    let m = t.var("m", sort);
    let indices: Vec<Term> = (0..4).map(|i| t.int(i)).collect();
    let mut results = BTreeSet::new();
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let mut a = m;
        for i in order {
            a = t.store(a, indices[i], indices[i]);
        }
        results.insert(a);
        for &i in &indices {
            assert_eq!(t.select(a, i), i);
        }
    }
    assert_eq!(results.len(), 1);
}

#[test]
fn open_corners_stay_open() {
    let mut t = Terms::new();
    let (one, zero) = (t.int(1), t.int(0));
    let div = t.mk(Op::IntDiv, &[one, zero]);
    assert_eq!(t.op(div), Op::IntDiv);
    let x = t.var("x", Sort::INT);
    let modulo = t.mk(Op::IntMod, &[x, zero]);
    let twice = t.mk(Op::IntMod, &[modulo, zero]);
    assert_eq!(t.op(twice), Op::IntMod);
    let (plus, minus) = (
        t.number(Value::Float(lariat_term::Float::zero(5, 11, false))),
        t.number(Value::Float(lariat_term::Float::zero(5, 11, true))),
    );
    let min = t.mk(Op::FpMin, &[plus, minus]);
    assert_eq!(t.op(min), Op::FpMin);
}

#[test]
fn deep_plain_terms_do_not_overflow_the_stack() {
    let mut t = Terms::new();
    let [p, q] = ["p", "q"].map(|n| t.var(n, Sort::BOOL));
    let x = t.var("x", Sort::INT);
    let one = t.int(1);
    let bv = t.bv_sort(8);
    let b = t.var("b", bv);
    let (mut not, mut sum, mut cat, mut ite) = (p, x, b, p);
    for _ in 0..200_000 {
        not = t.intern(Op::Not, &[not]);
        sum = t.intern(Op::Add, &[one, sum]);
        ite = t.intern(Op::Ite, &[ite, p, q]);
    }
    for _ in 0..50_000 {
        cat = t.intern(Op::Concat, &[b, cat]);
    }
    let two = t.int(2);
    t.mk(Op::Mul, &[two, sum]);
    t.mk(Op::Le, &[sum, two]);
    t.mk(Op::Eq, &[sum, two]);
    t.mk(Op::Ite, &[not, x, one]);
    t.mk(Op::Eq, &[not, ite]);
    let low = t.mk(Op::Extract { hi: 3, lo: 1 }, &[cat]);
    assert_eq!(t.args(low), [b]);
}

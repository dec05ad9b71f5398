//! Terms and their translations have the same values.

use dashu_int::IBig;
use lariat_term::{
    Evaluator, Model, Op, Term, Terms, Value,
    random::{Theory, random_term, random_value},
};

use super::{
    interval::{floor, power},
    signs::Signs,
    sorts::original,
    translate::{Out, Translator},
    *,
};

/// The translation of a term, its free variables and their twins with the ranges they keep.
struct Translated {
    out: Out,
    vars: Vec<(Var, Var)>,
    reads: Option<Term>,
    conversions: usize,
}

fn translate(terms: &mut Terms, roots: &[Term], t: Term) -> Result<Translated, Untranslatable> {
    let mut signs = Signs::default();
    signs.terms(terms, roots);
    let free = terms.free_vars(&[t]);
    let mut translator = Translator::new(terms, &signs, FxHashSet::default());
    let out = translator.term(t)?;
    let reads = translator.take_reads();
    let mut vars = Vec::new();
    for v in free {
        vars.push((v, translator.twin(v)?));
    }
    let conversions = translator.conversions;
    Ok(Translated { out, vars, reads, conversions })
}

/// The number, or map of numbers, of a value, as a variable read like this one holds it.
fn number(terms: &mut Terms, signs: &Signs, v: Var, value: &Value) -> Value {
    let t = terms.var_term(v);
    let signed = signs.signed(terms, t);
    sorts::number(terms, terms.var_sort(v), value, signed).unwrap()
}

/// Evaluates both and compares.
fn agree(terms: &mut Terms, roots: &[Term], t: Term, translated: &Translated, values: &[Value]) {
    let mut signs = Signs::default();
    signs.terms(terms, roots);
    let (mut old, mut new) = (Model::complete(), Model::complete());
    for (&(v, twin), value) in translated.vars.iter().zip(values) {
        let lifted = number(terms, &signs, v, value);
        assert_eq!(original(terms, &|_| None, terms.var_sort(v), &lifted).as_ref(), Some(value), "there and back");
        old.set(v, value.clone());
        new.set(twin, lifted);
    }
    let expected = Evaluator::new(terms, &old).eval(t).unwrap();
    let mut evaluator = Evaluator::new(terms, &new);
    let found = evaluator.eval(translated.out.term).unwrap();
    let shown = || text(terms, t);
    if let Some(reads) = translated.reads {
        assert_eq!(evaluator.eval(reads), Ok(Value::Bool(true)), "what is read is in its range");
    }
    match &expected {
        Value::BitVec(b) => {
            let Value::Int(i) = &found else { panic!("{found:?}") };
            let size = power(b.width());
            let rest = i - floor(i, &size) * &size;
            assert_eq!(rest, IBig::from(b.bits().clone()), "{} with {values:?}", shown());
            assert!(Interval::point(i.clone()).within(&translated.out.range), "{i} outside {:?}", translated.out.range);
        }
        Value::Bool(_) => assert_eq!(expected, found, "{} with {values:?}", shown()),
        _ => assert_eq!(Some(&expected), original(terms, &|_| None, terms.sort(t), &found).as_ref(), "{}", shown()),
    }
}

const BINARY: [Op; 18] = [
    Op::BvAdd,
    Op::BvMul,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::Concat,
];

/// All values of two variables of a width, and every way of reading these.
fn all_pairs(width: u32, op: Op, constant: Option<u32>) {
    for votes in 0..4 {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(width);
        let (x, y) = (terms.var("x", sort), terms.var("y", sort));
        let other = constant.map_or(y, |c| terms.bv(width, c));
        let t = terms.intern(op, &[x, other]);
        // Some comparison of values that do not flow into one another decides how each is read.
        let vote = |terms: &mut Terms, v, signed| {
            let sums: Vec<Term> = (0..9).map(|c| terms.bv(width, 1u32 + c)).collect();
            let op = if signed { Op::BvSlt } else { Op::BvUlt };
            sums.into_iter().map(|c| terms.intern(op, &[v, c])).collect::<Vec<_>>()
        };
        let mut roots = vote(&mut terms, x, votes & 1 == 1);
        roots.extend(vote(&mut terms, y, votes & 2 == 2));
        roots.push(t);
        let translated = translate(&mut terms, &roots, t).unwrap();
        for a in 0..1u32 << width {
            for b in 0..if constant.is_some() { 1 } else { 1u32 << width } {
                let values = [Value::bv(width, a), Value::bv(width, b)];
                agree(&mut terms, &roots, t, &translated, &values);
            }
        }
    }
}

#[test]
fn operators_agree_on_all_small_values() {
    for op in BINARY {
        for width in 1..=4 {
            all_pairs(width, op, None);
        }
        for c in 0..32 {
            all_pairs(5, op, Some(c));
        }
    }
}

#[test]
fn unary_operators_agree_on_all_small_values() {
    for width in 1..=6u32 {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(width);
        let x = terms.var("x", sort);
        let mut ops = vec![Op::BvNeg, Op::BvNot, Op::ZeroExt(3), Op::SignExt(3), Op::BvToNat];
        ops.extend((0..width).flat_map(|lo| (lo..width).map(move |hi| Op::Extract { hi, lo })));
        for op in ops {
            let t = terms.intern(op, &[x]);
            let translated = translate(&mut terms, &[t], t).unwrap();
            assert_eq!(translated.conversions, 0);
            for a in 0..1u32 << width {
                agree(&mut terms, &[t], t, &translated, &[Value::bv(width, a)]);
            }
        }
    }
}

#[test]
fn random_terms_agree() {
    let mut compared = 0;
    for seed in 0..2000 {
        let mut terms = Terms::new();
        let theory = if seed % 4 == 0 { Theory::Array } else { Theory::BitVec };
        let t = random_term(&mut terms, theory, 1 + (seed % 23) as u32, 3, seed);
        let Ok(translated) = translate(&mut terms, &[t], t) else { continue };
        for round in 0..8 {
            let value = |i: usize, v: Var| random_value(&terms, terms.var_sort(v), seed * 1000 + round * 40 + i as u64);
            let values: Option<Vec<Value>> =
                translated.vars.iter().enumerate().map(|(i, &(v, _))| value(i, v)).collect();
            agree(&mut terms, &[t], t, &translated, &values.unwrap());
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn where_nothing_can_wrap_nothing_wraps() {
    let mut terms = Terms::new();
    let (byte, word) = (terms.bv_sort(8), terms.bv_sort(32));
    let (a, b, x) = (terms.var("a", byte), terms.var("b", byte), terms.var("x", word));
    let (wide_a, wide_b) = (terms.mk(Op::ZeroExt(24), &[a]), terms.mk(Op::ZeroExt(24), &[b]));
    let sum = terms.mk(Op::BvAdd, &[wide_a, wide_b]);
    let hundred = terms.bv(32, 100u32);
    let below = terms.mk(Op::BvSlt, &[sum, hundred]);

    let out = translate(&mut terms, &[below], below).unwrap().out.term;
    assert_eq!(text(&terms, out), "(<= (+ b a) 99)");
    // A test of a flag is the condition that set it.
    let c = terms.mk(Op::BvUlt, &[x, hundred]);
    let (one, zero) = (terms.bv(32, 1u32), terms.bv(32, 0u32));
    let flag = terms.ite(c, one, zero);
    let set = terms.ne(flag, zero);
    let out = translate(&mut terms, &[set], set).unwrap().out.term;
    assert_eq!(text(&terms, out), "(<= x 99)");
}

#[test]
fn each_variable_has_a_twin_of_its_own_and_each_statement_an_origin() {
    let source = r#"
global m: (Array (_ BitVec 8) (_ BitVec 8))
assertion #0 user
proc main(x: (_ BitVec 8)) -> () {
  local y: (_ BitVec 16)
start:
  havoc y
  box other(y)
  y := (concat x (select m x))
  branch (= (select m x) #x00) then a else b
a:
  assert #0 (bvult y #x0100)
  return
b:
  return
}
proc other(x: (_ BitVec 16)) -> () {
start:
  assume (bvult x #x0005)
  return
}
"#;
    let mut terms = Terms::new();
    let program = crate::text::parse(source, &mut terms).unwrap();
    let integers = Integers::new(&program, &mut terms, &[RegionId(0)]).unwrap();
    assert_eq!(crate::verify(&integers.program, &terms, crate::Stage::Regions), Ok(()));
    let mut added = 0;
    for (i, (region, origins)) in integers.program.regions.iter().zip(&integers.origins).enumerate() {
        let old = &program.regions[i];
        for (d, of) in region.inputs.iter().chain(&region.locals).zip(old.inputs.iter().chain(&old.locals)) {
            assert_eq!(origins.var(d.var), (0, of.var));
        }
        for (b, (block, places)) in region.blocks.iter().zip(&origins.blocks).enumerate() {
            assert_eq!(block.stmts.len(), places.stmts.len());
            let mut met = 0;
            for (stmt, place) in block.stmts.iter().zip(&places.stmts) {
                assert_eq!((place.frame, place.block), (0, BlockId(b as u32)));
                let kind = std::mem::discriminant::<StmtKind>;
                let from = old.blocks[b].stmts.get(place.stmt as usize);
                if place.stmt == met && from.is_some_and(|s| kind(&s.kind) == kind(&stmt.kind)) {
                    met += 1;
                } else {
                    assert!(matches!(stmt.kind, StmtKind::Assume(_)));
                    added += 1;
                }
            }
            assert_eq!(met as usize, old.blocks[b].stmts.len());
        }
    }
    assert!(added >= 3, "{added}");
}

fn text(terms: &Terms, t: Term) -> String {
    lariat_term::smtlib::Printer::new(lariat_term::smtlib::Dialect::Z3).term(terms, t, &mut String::new())
}

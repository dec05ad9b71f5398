//! The reading over integers says the same as the program of bit-vectors.

mod common;

use common::{Language, Numbers, check, compiled, conclusive, fails};
use lariat_program::{
    AssertId, AssertKind, Assertion, Block, Loc, Program, Region, RegionId, RegionKind, Stage, Stmt, StmtKind,
    Terminator, VarDecl,
    integers::Integers,
    interp::{Asked, At, Interpreter, Options as RunOptions, Outcome, Query, TraceLevel, ValueSource},
};
use lariat_smt::solvers;
use lariat_term::{
    Func, Op, Sort, Term, Terms, Value, Var,
    random::{Theory, random_term, random_value},
};
use lariat_verify::{Arith, Fate, Options, Targets, Verdict};
use rustc_hash::FxHashMap;

/// `havoc vars; assert cond`.
fn program(terms: &Terms, cond: Term) -> (Program, Vec<Var>) {
    let vars = terms.free_vars(&[cond]);
    let stmt = |kind| Stmt { kind, loc: Loc::NONE };
    let block = Block {
        label: "start".into(),
        stmts: vec![stmt(StmtKind::Havoc(vars.clone())), stmt(StmtKind::Assert { id: AssertId(0), cond })],
        next: Terminator::Return,
    };
    let region = Region {
        name: "main".into(),
        kind: RegionKind::Procedure,
        loc: Loc::NONE,
        inputs: Vec::new(),
        outputs: Vec::new(),
        locals: vars.iter().map(|&var| VarDecl { var, source: None, loc: Loc::NONE }).collect(),
        blocks: vec![block],
    };
    let assertion = Assertion { kind: AssertKind::User, message: None, loc: Loc::NONE };
    let program = Program {
        regions: vec![region],
        assertions: vec![assertion],
        entries: vec![RegionId(0)],
        ..Program::default()
    };
    (program, vars)
}

/// A solver finds no values for which a term and its translation differ.
#[test]
fn a_solver_finds_no_difference() {
    let mut asked = 0;
    for seed in 0..60u64 {
        let mut terms = Terms::new();
        let t = random_term(&mut terms, Theory::BitVec, 1 + (seed % 6) as u32, 2, seed);
        let cond = if terms.sort(t) == Sort::BOOL {
            t
        } else {
            let zero = terms.default_value(terms.sort(t)).unwrap();
            let zero = terms.value_term(&zero);
            terms.intern(Op::Eq, &[t, zero])
        };
        let (program, vars) = program(&terms, cond);
        let integers = Integers::new(&program, &mut terms, &program.entries).unwrap();
        let violations = lariat_program::verify(&integers.program, &terms, Stage::Regions);
        assert!(violations.is_ok(), "{violations:?}");
        let mut solver = solvers::open("z3", None).unwrap();
        solver.set_limits(lariat_smt::Limits { resource: Some(200_000), ..Default::default() });
        for &v in &vars {
            let (x, n) = (terms.var_term(v), terms.var_term(integers.twin(v)));
            if let Some(w) = terms.bv_width(x) {
                let back = terms.mk(Op::IntToBv(w), &[n]);
                let same = terms.eq(back, x);
                solver.assert(&terms, same).unwrap();
            }
        }
        let mut translated = None;
        for s in &integers.program.regions[0].blocks[0].stmts {
            match &s.kind {
                StmtKind::Assume(t) => solver.assert(&terms, *t).unwrap(),
                StmtKind::Assert { cond, .. } => translated = Some(*cond),
                _ => {}
            }
        }
        let same = terms.intern(Op::Eq, &[cond, translated.unwrap()]);
        let differ = terms.intern(Op::Not, &[same]);
        solver.assert(&terms, differ).unwrap();
        let answer = solver.check(&terms, &[]).unwrap();
        assert!(!answer.is_sat(), "seed {seed}");
        asked += u32::from(answer.is_unsat());
    }
    assert!(asked > 30, "only {asked} answers");
}

const PRELUDE: &str = r#"
function {:bvbuiltin "bvadd"} add(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvsub"} sub(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvmul"} mul(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvand"} and(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvor"} or(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvudiv"} udiv(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvsrem"} srem(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvshl"} shl(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvashr"} ashr(a: bv4, b: bv4): bv4;
function {:bvbuiltin "bvult"} ult(a: bv4, b: bv4): bool;
function {:bvbuiltin "bvule"} ule(a: bv4, b: bv4): bool;
function {:bvbuiltin "bvslt"} slt(a: bv4, b: bv4): bool;
function {:bvbuiltin "bvsle"} sle(a: bv4, b: bv4): bool;
function f(a: bv4): bv4;
var g: bv4; var m: [bv4]bv4;
"#;

const BITS: Language = Language { prelude: PRELUDE, sort: "bv4", value: bits, condition };

fn bits(numbers: &mut Numbers, depth: u32) -> String {
    match numbers.below(if depth == 0 { 2 } else { 7 }) {
        0 => numbers.pick(&["x", "y", "g"]).into(),
        1 => format!("{}bv4", numbers.below(16)),
        2 | 3 => {
            let op = numbers.pick(&["add", "add", "sub", "sub", "mul", "and", "or", "udiv", "srem", "shl", "ashr"]);
            format!("{op}({}, {})", bits(numbers, depth - 1), bits(numbers, depth - 1))
        }
        4 => {
            let guard = condition(numbers, depth - 1);
            format!("(if {guard} then {} else {})", bits(numbers, depth - 1), bits(numbers, depth - 1))
        }
        5 => format!("f({})", bits(numbers, depth - 1)),
        _ => format!("m[{}]", bits(numbers, depth - 1)),
    }
}

fn condition(numbers: &mut Numbers, depth: u32) -> String {
    let (a, b) = (bits(numbers, depth), bits(numbers, depth));
    match numbers.pick(&["==", "!=", "ult", "ule", "slt", "sle"]) {
        op @ ("==" | "!=") => format!("({a} {op} {b})"),
        op => format!("{op}({a}, {b})"),
    }
}

/// The reading, and the variables and functions of the program by their twins.
type WayBack<'a> = (&'a Integers, &'a FxHashMap<Var, Var>, &'a FxHashMap<Func, Func>);

/// Values that depend on what is asked for alone, as the program or its reading over integers has them.
struct Chosen<'a> {
    seed: u64,
    havocs: u64,
    gotos: u64,
    integers: Option<WayBack<'a>>,
    /// Where values over integers are made.
    store: Terms,
}

impl ValueSource for Chosen<'_> {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let back = |v: Var| self.integers.map_or(v, |(_, vars, _)| vars[&v]);
        let (var, key) = match query.asked {
            Asked::Havoc(v) => {
                self.havocs += 1;
                (back(v), self.havocs)
            }
            Asked::Local(v) => (back(v), query.at.instance + 1000),
            Asked::Global(v) | Asked::Constant(v) | Asked::Input(v) => (back(v), 1),
            Asked::Function(f, args) => {
                let (f, args) = match self.integers {
                    Some((_, _, funcs)) => {
                        let sort = terms.func_decl(funcs[&f]).params[0];
                        (funcs[&f], vec![Integers::value(terms, &|_| None, sort, &args[0])?])
                    }
                    None => (f, args.to_vec()),
                };
                let sort = terms.func_decl(f).result;
                let bits = args[0].as_bv()?.bits().clone();
                let value = random_value(terms, sort, self.seed + u64::try_from(bits).ok()?)?;
                return match self.integers {
                    Some(_) => Integers::argument(&mut self.store, sort, &value),
                    None => Some(value),
                };
            }
            Asked::Unspecified(..) => return None,
        };
        let seed = self.seed * 1_000_003 + key * 101 + var.index() as u64;
        let value = random_value(terms, terms.var_sort(var), seed)?;
        match self.integers {
            Some((integers, ..)) => integers.number(&mut self.store, var, &value),
            None => Some(value),
        }
    }

    fn choose(&mut self, among: usize, _at: At) -> Option<usize> {
        self.gotos += 1;
        Some(((self.seed ^ self.gotos.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 7) as usize % among)
    }
}

/// Every run of a program is one of its reading over integers.
#[test]
fn runs_agree() {
    let mut numbers = Numbers(0xabcd_5eed);
    let mut ends = FxHashMap::default();
    for _ in 0..300 {
        let text = BITS.program(&mut numbers);
        let (program, mut terms, entry) = compiled(&text, "p0");
        let integers = Integers::new(&program, &mut terms, &[entry]).expect("nothing that cannot be translated");
        let violations = lariat_program::verify(&integers.program, &terms, Stage::Regions);
        assert!(violations.is_ok(), "{violations:?}\n{text}");
        let vars: FxHashMap<Var, Var> = terms.vars().map(|v| (integers.twin(v), v)).filter(|(t, v)| t != v).collect();
        let funcs: FxHashMap<Func, Func> =
            terms.funcs().map(|f| (integers.twin_func(f), f)).filter(|(t, f)| t != f).collect();
        let of_bits = |seed, steps| {
            let run = RunOptions { steps, trace: TraceLevel::Off, ..RunOptions::default() };
            let interpreter = Interpreter::new(&program, &terms, run).expect("a correct program");
            let mut source = Chosen { seed, havocs: 0, gotos: 0, integers: None, store: terms.clone() };
            interpreter.run(entry, &mut source).outcome
        };
        let of_integers = |seed, steps| {
            let run = RunOptions { steps, trace: TraceLevel::Off, ..RunOptions::default() };
            let interpreter = Interpreter::new(&integers.program, &terms, run).expect("a correct program");
            let known = Some((&integers, &vars, &funcs));
            let mut source = Chosen { seed, havocs: 0, gotos: 0, integers: known, store: terms.clone() };
            interpreter.run(entry, &mut source).outcome
        };
        for seed in 0..20 {
            let expected = of_bits(seed, 1_000);
            // Steps are the only difference: there are more assumptions.
            let found = of_integers(seed, 4_000);
            let end = match (&expected, &found) {
                (Outcome::StepLimit, _) => "long",
                (Outcome::Completed, Outcome::Completed) => "completed",
                (Outcome::Stopped, Outcome::Stopped) => "stopped",
                (Outcome::AssertionFailed { id: a, .. }, Outcome::AssertionFailed { id: b, .. }) if a == b => "failed",
                (Outcome::AssumeFailed { .. }, Outcome::AssumeFailed { .. }) => "assumed",
                _ => panic!("seed {seed}: {expected:?} became {found:?}\n{text}"),
            };
            *ends.entry(end).or_insert(0) += 1;
        }
    }
    assert!(ends["completed"] > 100 && ends["failed"] > 100 && ends["assumed"] > 100, "{ends:?}");
}

/// Both arithmetics give the same answers; errors found over integers are errors of the program.
#[test]
fn verdicts_agree() {
    let mut numbers = Numbers(0x1234_5eed);
    let (mut unsafe_ones, mut safe_ones) = (0, 0);
    for round in 0..60 {
        let text = BITS.program(&mut numbers);
        let (program, mut terms, entry) = compiled(&text, "p0");
        let fails = fails(&program, &terms, entry, 40);
        let reduce = round % 3 != 0;
        let targets = if round % 2 == 0 { Targets::Any } else { Targets::Each };
        let [of_bits, of_integers] = [Arith::Bits, Arith::Integers].map(|arith| {
            let options = Options { arith, reduce, targets: targets.clone(), ..Options::default() };
            check(&program, &mut terms, entry, options)
        });
        let (bits, ints) = (conclusive(&of_bits), conclusive(&of_integers));
        assert!(!(fails && ints == Some(true)), "called safe, but it fails:\n{text}");
        for (i, fates) in of_bits.assertions.iter().zip(&of_integers.assertions).enumerate() {
            let opposite = [(&Fate::Proved, &Fate::Failed), (&Fate::Failed, &Fate::Proved)];
            assert!(targets == Targets::Any || !opposite.contains(&fates), "#{i}: {fates:?}\n{text}");
        }
        if let (Some(bits), Some(ints)) = (bits, ints) {
            assert_eq!(bits, ints, "{text}");
            if bits { safe_ones += 1 } else { unsafe_ones += 1 }
        }
    }
    println!("{unsafe_ones} unsafe, {safe_ones} safe");
    assert!(unsafe_ones >= 15 && safe_ones >= 3, "{unsafe_ones} unsafe, {safe_ones} safe: too few to say much");
}

/// The verdict over integers on a procedure `main`, and why it is unknown.
fn over_integers(text: &str) -> Result<bool, String> {
    let (program, mut terms, entry) = compiled(text, "main");
    let options = Options { arith: Arith::Integers, ..Options::default() };
    let report = check(&program, &mut terms, entry, options);
    match report.verdict {
        Verdict::Unknown(why) => Err(why),
        Verdict::Bounded { .. } => Err("bounded".into()),
        Verdict::Safe => Ok(true),
        Verdict::Unsafe(_) => Ok(false),
    }
}

/// Functions take unsigned numbers, however their definitions read them.
#[test]
fn arguments_of_functions_are_unsigned() {
    let text = r#"
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
function {:bvbuiltin "bvslt"} slt(a: bv8, b: bv8): bool;
function negative(a: bv8, b: bv8): bool { slt(add(a, b), 0bv8) }
procedure main(a: bv8, b: bv8) { if (a == 200bv8 && b == 200bv8) { assert !negative(a, b); } }"#;
    assert_eq!(over_integers(text), Ok(false));
    assert_eq!(over_integers(&text.replace("assert !", "assert ")), Ok(true));
}

/// A function over integers may have the name that one would be given.
#[test]
fn functions_stay_apart() {
    let text = r#"
function {:bvbuiltin "bvult"} ult(a: bv4, b: bv4): bool;
function f(a: bv4): bv4;
function f.int(a: int): int;
procedure main() { if (ult(f(1bv4), 3bv4)) { assert f.int(1) >= 0; } }"#;
    assert_eq!(over_integers(text), Ok(false));
}

/// Axioms hold of what stands for a function, and are checked again when a bug is replayed.
#[test]
fn axioms_hold_over_integers() {
    let text = r#"
function {:bvbuiltin "bvult"} ult(a: bv4, b: bv4): bool;
function f(a: bv4): bv4;
const c: bv4;
axiom ult(f(3bv4), c);
axiom c == 9bv4;
procedure main(x: bv4) { if (x == 3bv4) { assert ult(f(x), 9bv4); } else { assert f(x) != 12bv4; } }"#;
    assert_eq!(over_integers(text), Ok(false));
    assert_eq!(over_integers(&text.replace("assert f(x) != 12bv4", "assert true")), Ok(true));
}

#[test]
fn what_cannot_be_read_over_integers_is_unknown() {
    let maps = r#"
var m: [[bv8]bv8]int;
procedure main(a: [bv8]bv8, b: [bv8]bv8) modifies m; { m[a] := 1; assert m[b] == 1; }"#;
    assert!(over_integers(maps).is_err_and(|why| why.contains("indices have bit-vectors")));
    let quantified = r#"
procedure main(a: [bv8]bv8) { assume (forall i: bv8 :: a[i] == 0bv8); assert a[3bv8] == 0bv8; }"#;
    assert!(over_integers(quantified).is_err_and(|why| why.contains("a bound bit-vector")));
}

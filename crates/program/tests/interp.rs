//! The interpreter: outcomes, values, questions, traces and limits.

mod common;

use common::read;
use lariat_program::{
    AssertId, Loc, RegionId, extract_loops,
    interp::{
        Asked, At, Axioms, Defaults, Event, Interpreter, Options, Outcome, Query, Random, Reason, Recorded, Run,
        TraceLevel, ValueSource,
    },
};
use lariat_term::{Sort, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

fn run_with(source: &str, options: Options, values: &mut dyn ValueSource) -> Run {
    let (program, terms) = read(source);
    Interpreter::new(&program, &terms, options).unwrap().run(RegionId(0), values)
}

fn run(source: &str) -> Run {
    run_with(source, Options::default(), &mut Defaults)
}

/// The only output of a run that completes.
fn result(source: &str) -> Value {
    let r = run(source);
    assert_eq!(r.outcome, Outcome::Completed);
    r.outputs[0].1.clone().unwrap()
}

fn int(v: i64) -> Value {
    Value::int(v)
}

#[test]
fn outcomes() {
    let at = |line| Loc { file: lariat_program::FileId(0), line, column: 1 };
    assert_eq!(run("proc p() { a: return }").outcome, Outcome::Completed);
    assert_eq!(run("proc p() { a: stop }").outcome, Outcome::Stopped);
    let fails =
        "file \"f\" assertion #0 user assertion #1 user proc p() { a: assert #0 true assert #1 false @0:3:1 return }";
    assert_eq!(run(fails).outcome, Outcome::AssertionFailed { id: AssertId(1), loc: at(3) });
    let blocked = "file \"f\" proc p() { a: assume false @0:4:1 return }";
    assert_eq!(run(blocked).outcome, Outcome::AssumeFailed { loc: at(4) });
    let limited = run_with("proc p() { a: goto a }", Options { steps: 1000, ..Options::default() }, &mut Defaults);
    assert_eq!((limited.outcome, limited.steps), (Outcome::StepLimit, 1000));
    let infinite = "file \"f\" function f (Int) Int
        proc p() { a: assume (forall ((i Int)) (> (f i) 0)) @0:6:1 return }";
    let Outcome::Stuck { reason: Reason::Eval(_), loc } = run(infinite).outcome else { panic!("not stuck") };
    assert_eq!(loc, at(6));
    let missing = Interpreter::new(&read("proc p() { a: return }").0, &Terms::new(), Options::default())
        .unwrap()
        .run(RegionId(7), &mut Defaults);
    assert_eq!(missing.outcome, Outcome::Stuck { reason: Reason::NoRegion, loc: Loc::NONE });
}

#[test]
fn what_is_approximated_is_remembered_without_a_trace() {
    let text = "assertion #0 approximate assertion #1 user proc p(c: Bool) { a: if c b d b: assert #0 true goto d d: assert #1 false return }";
    for (c, met) in [(true, Some(AssertId(0))), (false, None)] {
        let options = Options { trace: TraceLevel::Off, ..Options::default() };
        let text = text.replace("if c b d", if c { "goto b" } else { "goto d" });
        let run = run_with(&text, options, &mut Defaults);
        assert_eq!(run.approximated, met);
    }
}

#[test]
fn a_program_that_the_verifier_refuses_does_not_run() {
    let mut terms = Terms::new();
    let program = lariat_program::text::parse("proc p() { }", &mut terms).unwrap();
    assert!(Interpreter::new(&program, &terms, Options::default()).is_err());
}

#[test]
fn assignments_are_parallel() {
    let swap = "proc p() -> (r: Int) { local x: Int local y: Int
        a: x := 1, y := 2 x := y, y := x r := (+ (* 10 x) y) return }";
    assert_eq!(result(swap), int(21));
}

#[test]
fn boxes_pass_values_and_share_globals() {
    let source = "global g: Int
        proc p() -> (r: Int) { local s: Int
        a: g := 1 box q(5, 6) -> (r, s) r := (+ r (* 100 s) (* 10000 g)) return }
        proc q(x: Int, y: Int) -> (y: Int, d: Int) { a: y := (+ y x), d := x, g := (+ g 1) return }";
    assert_eq!(result(source), int(20511));
}

#[test]
fn recursion_is_as_deep_as_it_likes() {
    let source = "proc p() -> (r: Int) { a: box down(1000000) -> (r) return }
        proc down(n: Int) -> (s: Int) {
        a: branch (<= n 0) then z else more
        z: s := 0 return
        more: box down((- n 1)) -> (s) s := (+ s 1) return }";
    assert_eq!(result(source), int(1_000_000));
    let small = run_with(source, Options { stack: 1000, ..Options::default() }, &mut Defaults);
    assert!(matches!(small.outcome, Outcome::Stuck { reason: Reason::StackTooBig, .. }), "{:?}", small.outcome);
}

#[test]
fn loops_run_in_one_frame() {
    let source = "proc p() -> (i: Int) { local t: Int
        a: i := 0 goto h
        h: branch (< i 100000) then b else c
        b: t := i i := (+ t 1) goto h
        c: return }";
    assert_eq!(result(source), int(100_000));
    let (mut program, mut terms) = read(source);
    extract_loops(&mut program, &mut terms);
    let options = Options { stack: 10, trace: TraceLevel::Off, ..Options::default() };
    let run = Interpreter::new(&program, &terms, options).unwrap().run(RegionId(0), &mut Defaults);
    assert_eq!(run.outcome, Outcome::Completed);
    assert_eq!(run.outputs[0].1, Some(int(100_000)));
}

#[test]
fn theories_are_exact() {
    let arrays = "global m: (Array Int (Array Int Int)) proc p() -> (r: Int) {
        a: m := (store m 1 (store (select m 1) 2 30)) m := (store m 1 (store (select m 1) 3 40))
           r := (+ (select (select m 1) 2) (select (select m 1) 3) (select (select m 5) 5)) return }";
    assert_eq!(result(arrays), int(70));
    let bits = "proc p() -> (r: (_ BitVec 8)) { a: r := (bvadd #xf0 #x20) r := (bvudiv r #x00) return }";
    assert_eq!(result(bits), Value::bv(8, 255u32));
    let data = "datatype L { e, c(h: Int, t: L) } proc p() -> (r: Int) { local l: L
        a: l := (c 1 (c 2 e)) r := (ite ((_ is c) l) (h (t l)) 0) return }";
    assert_eq!(result(data), int(2));
    let floats = "proc p() -> (r: Bool) { local x: (_ FloatingPoint 8 24)
        a: x := ((_ to_fp 8 24) RNE 0.1) r := (fp.lt x (fp.add RNE x x)) return }";
    assert_eq!(result(floats), Value::Bool(true));
    let finite = "proc p() -> (r: Bool) { a: r := (forall ((b (_ BitVec 4))) (bvule b #xf)) return }";
    assert_eq!(result(finite), Value::Bool(true));
}

#[test]
fn what_does_not_matter_does_not_hurt() {
    let skipped = "function f (Int) Int proc p() -> (r: Bool) {
        a: r := (and (forall ((i Int)) (> (f i) 0)) false) return }";
    assert_eq!(result(skipped), Value::Bool(false));
}

#[test]
fn functions_are_functions() {
    // An uninterpreted function is asked once per argument tuple.
    let source = "function f (Int) Int proc p() -> (r: Bool) { local x: Int
        a: x := 1 r := (and (= (f x) (f 1)) (= (f 2) (f (+ x 1)))) return }";
    for seed in 0..20 {
        let r = run_with(source, Options::default(), &mut Random::new(seed));
        assert_eq!(r.outputs[0].1, Some(Value::Bool(true)), "seed {seed}");
    }
    // So is division by zero.
    let zero = "proc p(x: Int) -> (r: Bool) { local z: Int a: z := 0 r := (= (div x z) (div x 0)) return }";
    for seed in 0..20 {
        let r = run_with(zero, Options::default(), &mut Random::new(seed));
        assert_eq!(r.outputs[0].1, Some(Value::Bool(true)), "seed {seed}");
    }
}

#[test]
fn defined_functions_are_computed() {
    let source = "function fib (Int) Int
        define fib (n: Int) := (ite (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))
        proc p() -> (r: Int) { a: r := (fib 60) return }";
    assert_eq!(result(source), int(1_548_008_755_920));
    let deep = "function sum (Int) Int
        define sum (n: Int) := (ite (<= n 0) 0 (+ n (sum (- n 1))))
        proc p() -> (r: Int) { a: r := (sum 100000) return }";
    assert_eq!(result(deep), int(5_000_050_000));
    let circular = "function f (Int) Int define f (n: Int) := (+ 1 (f n))
        proc p() -> (r: Int) { a: r := (f 1) return }";
    assert!(matches!(run(circular).outcome, Outcome::Stuck { reason: Reason::CircularFunction, .. }));
    let endless = "function f (Int) Int define f (n: Int) := (+ 1 (f (+ n 1)))
        proc p() -> (r: Int) { a: r := (f 1) return }";
    let limited = run_with(endless, Options { steps: 1000, ..Options::default() }, &mut Defaults);
    assert_eq!(limited.outcome, Outcome::StepLimit);
    let builtin = "function len (Int) Int builtin \"str.len\" proc p() -> (r: Int) { a: r := (len 1) return }";
    assert!(matches!(run(builtin).outcome, Outcome::Stuck { reason: Reason::Builtin { .. }, .. }));
}

#[test]
fn axioms_define_constants_and_block_runs() {
    let defined =
        "const c: Int const d: Int axiom (and (= d (+ c 1)) (= c 41)) proc p() -> (r: Int) { a: r := d return }";
    assert_eq!(result(defined), int(42));
    let circular =
        "const c: Int const d: Int axiom (= c (- d 1)) axiom (= d (+ c 1)) proc p() -> (r: Int) { a: r := d return }";
    assert_eq!(result(circular), int(1));
    let violated = "file \"f\" const c: Int axiom (> c 0) @0:9:9 proc p() { a: return }";
    assert!(matches!(run(violated).outcome, Outcome::AssumeFailed { loc } if loc.line == 9));
    let ignored = run_with(violated, Options { axioms: Axioms::Only(Vec::new()), ..Options::default() }, &mut Defaults);
    assert_eq!(ignored.outcome, Outcome::Completed);
    let open = run("function f (Int) Int axiom true axiom (forall ((i Int)) (> (f i) i)) proc p() { a: return }");
    assert_eq!((open.outcome, open.unchecked_axioms), (Outcome::Completed, vec![1]));
}

/// Notes what it is asked and answers with defaults.
#[derive(Default)]
struct Noting(Vec<String>);

impl ValueSource for Noting {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let what = match query.asked {
            Asked::Havoc(_) => "havoc",
            Asked::Local(_) => "local",
            Asked::Global(_) => "global",
            Asked::Constant(_) => "constant",
            Asked::Input(_) => "input",
            Asked::Function(..) => "function",
            Asked::Unspecified(..) => "open",
        };
        self.0.push(format!("{what} {} {}", query.name, query.at.loc.line));
        terms.default_value(query.sort)
    }

    fn choose(&mut self, among: usize, at: At) -> Option<usize> {
        self.0.push(format!("choose {among} {} {}", at.region.0, at.loc.line));
        Some(among - 1)
    }
}

#[test]
fn questions_say_what_for() {
    let source = "file \"f\" function f (Int) Int const c: Int \"C\" global g: Int
        proc p(i: Int \"I\") -> (o: Int) @0:1:1 { local l: Int local unused: Int
        a: o := (- g 1) @0:2:1 o := (- c 1) @0:2:1 o := (+ l g) @0:3:1 havoc l @0:4:1 o := (f (div i 0)) @0:5:1 goto x, y
        x: return
        y: return }";
    let mut noting = Noting::default();
    run_with(source, Options::default(), &mut noting);
    let expected = [
        "input I 1",
        "global g 2",
        "constant C 2",
        "local l 3",
        "havoc l 4",
        "open  5",
        "function f 5",
        "choose 2 0 5",
    ];
    assert_eq!(noting.0, expected);
}

#[test]
fn recorded_answers_come_by_name_then_in_order() {
    let source = "proc p(a: Int, b: Int) -> (r: Int) { local c: Int
        s: havoc c r := (+ (* 100 a) (* 10 b) c) goto x, y
        x: r := 0 return
        y: return }";
    let mut answers = Recorded::new();
    answers.value(int(1));
    answers.named("b", int(2));
    answers.value(int(3));
    answers.choice(1);
    assert_eq!(run_with(source, Options::default(), &mut answers).outputs[0].1, Some(int(123)));
    let mut few = Recorded::new();
    few.value(int(1));
    let stuck = run_with(source, Options::default(), &mut few).outcome;
    assert!(matches!(stuck, Outcome::Stuck { reason: Reason::NoAnswer { name }, .. } if name == "b"));
    let mut wrong = Recorded::new();
    wrong.value(Value::Bool(true));
    let stuck = run_with(source, Options::default(), &mut wrong).outcome;
    assert!(matches!(stuck, Outcome::Stuck { reason: Reason::WrongSort { name }, .. } if name == "a"));
    let mut defaults = Defaults;
    let mut then = Recorded::new().otherwise(&mut defaults);
    then.value(int(5));
    then.choice(7);
    let no_such = run_with(source, Options::default(), &mut then).outcome;
    assert!(matches!(no_such, Outcome::Stuck { reason: Reason::NoTarget, .. }));
}

#[test]
fn random_runs_repeat_and_differ() {
    let source = "sort U datatype T { l, n(x: T, v: U) }
        proc p(a: Int, b: Bool, c: Real, d: (_ BitVec 70), e: (_ FloatingPoint 11 53), f: (Array Int Int), g: U, h: T, i: RoundingMode)
          -> (a: Int, b: Bool, c: Real, d: (_ BitVec 70), e: (_ FloatingPoint 11 53), f: (Array Int Int), g: U, h: T, i: RoundingMode)
        { s: return }";
    let outputs = |seed| {
        let r = run_with(source, Options::default(), &mut Random::new(seed));
        assert_eq!(r.outcome, Outcome::Completed);
        r.outputs
    };
    assert_eq!(outputs(1), outputs(1));
    for k in 0..9 {
        assert!((0..50).any(|s| outputs(s)[k].1 != outputs(0)[k].1), "variable {k} is always the same");
    }
}

#[test]
fn blocked_targets_are_left_out() {
    let source = "proc p(x: Int) -> (r: Int) {
        s: goto a, b, c
        a: assume (< x 0) r := 1 return
        b: assume (= x 0) r := 2 return
        c: assume (> x 0) r := 3 return }";
    assert_eq!(result(source), int(2));
    let blind = run_with(source, Options { look_ahead: false, ..Options::default() }, &mut Defaults);
    assert!(matches!(blind.outcome, Outcome::AssumeFailed { .. }));
}

#[test]
fn traces_tell_what_changed() {
    let source = "file \"f\" global g: Int
        proc p() { a: g := 1 @0:1:1 g := 1 @0:2:1 box q(5) @0:3:1 g := (ite (= g 5) g 6) @0:4:1 goto b, c
          b: return c: return }
        proc q(x: Int) { a: g := x @0:9:1 return }";
    let events = |level| -> Vec<Event> {
        let options = Options { trace: level, ..Options::default() };
        run_with(source, options, &mut Defaults).trace.events().cloned().collect()
    };
    assert!(events(TraceLevel::Off).is_empty());
    let changes = events(TraceLevel::Changes);
    let lines: Vec<String> = changes
        .iter()
        .map(|e| match e {
            Event::Enter { region, .. } => format!("enter {}", region.0),
            Event::Leave { region } => format!("leave {}", region.0),
            Event::Set { value, loc, .. } => format!("set {} {:?}", loc.line, value.as_int()),
            Event::Choice { target, .. } => format!("choice {}", target.0),
            other => format!("{other:?}"),
        })
        .collect();
    let set = |line: u32, v: i64| format!("set {line} {:?}", Some(Value::int(v)).as_ref().and_then(|v| v.as_int()));
    let expected = [
        "enter 0".into(),
        set(1, 1),
        // What is assigned is told, also where it was there before; an update that changes nothing is not.
        set(2, 1),
        "enter 1".into(),
        set(3, 5),
        set(9, 5),
        "leave 1".into(),
        "choice 1".into(),
        "leave 0".into(),
    ];
    assert_eq!(lines, expected);
    let full = events(TraceLevel::Full);
    assert_eq!(full.iter().filter(|e| matches!(e, Event::Stmt { .. })).count(), 5);
}

#[test]
fn traces_tell_havocs_and_elements_that_stay_the_same() {
    let source = "global g: Int global m: (Array Int (Array Int Int))
        proc p() { a: g := 0 havoc g m := (store m 1 (store (select m 1) 2 0)) return }";
    let run = run_with(source, Options::default(), &mut Defaults);
    let events: Vec<&Event> = run.trace.events().collect();
    assert!(matches!(events[2], Event::Havoc { value, .. } if *value == Value::int(0)), "{events:?}");
    assert!(matches!(events[3], Event::Found { value: Value::Array(_), .. }), "{events:?}");
    assert!(matches!(events[4], Event::Write { path, .. } if *path == [Value::int(1), Value::int(2)]), "{events:?}");
    assert!(matches!(events[5], Event::Set { value, old, .. } if Some(value) == old.as_ref()), "{events:?}");
}

#[test]
fn traces_are_bounded() {
    let source = "proc p() { local i: Int a: i := 0 goto h h: i := (+ i 1) branch (< i 5000) then h else b b: return }";
    let r = run_with(source, Options { trace_events: 100, ..Options::default() }, &mut Defaults);
    // The start of what is running is kept.
    assert_eq!(r.trace.events().count(), 102);
    assert!(r.trace.dropped() > 4000);
    assert!(matches!(r.trace.events().next_back(), Some(Event::Leave { .. })));
}

#[test]
fn arrays_are_bounded() {
    let source = "global m: (Array Int Int) proc p() { local i: Int a: i := 0 goto h
        h: m := (store m i 1) i := (+ i 1) branch (< i 5000) then h else b b: return }";
    let r = run_with(source, Options { array_entries: 1000, ..Options::default() }, &mut Defaults);
    assert!(matches!(r.outcome, Outcome::Stuck { reason: Reason::ArrayTooBig, .. }));
}

#[test]
fn an_undefined_result_stays_open() {
    let source = "proc p() -> (r: Int) { a: box q() -> (r) return } proc q() -> (s: Int) { a: return }";
    let r = run(source);
    assert_eq!((r.outcome, r.outputs[0].1.clone()), (Outcome::Completed, None));
    let (_, terms) = read(source);
    assert_eq!(terms.var_sort(r.outputs[0].0), Sort::INT);
}

/// Answers with defaults, and computes what it is told to.
struct Computing {
    answer: Option<Value>,
    asked: Vec<String>,
}

impl ValueSource for Computing {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        terms.default_value(query.sort)
    }

    fn choose(&mut self, _among: usize, _at: At) -> Option<usize> {
        Some(0)
    }

    fn compute(&mut self, terms: &Terms, term: Term, values: &FxHashMap<Var, Value>) -> Option<Value> {
        let mut names: Vec<&str> = values.keys().map(|&v| terms.var_name(v)).collect();
        names.sort_unstable();
        self.asked.push(format!("{} with {}", terms.display(term), names.join(" ")));
        self.answer.clone()
    }
}

#[test]
fn what_cannot_be_evaluated_is_left_to_the_source() {
    let source = "assertion #0 user function f (Int) Bool const c: Int global g: Int
        define f (n: Int) := (exists ((i Int)) (> (* i n) c))
        proc p(x: Int) { a: assume (forall ((i Int)) (> i x)) assert #0 (f g) return }";
    let outcome = |answer| {
        let mut computing = Computing { answer, asked: Vec::new() };
        (run_with(source, Options::default(), &mut computing).outcome, computing.asked)
    };
    let (yes, asked) = outcome(Some(Value::Bool(true)));
    assert_eq!(yes, Outcome::Completed);
    assert_eq!(asked, ["(forall ((i Int)) (< x i)) with x", "(f g) with c g"]);
    assert!(matches!(outcome(Some(Value::Bool(false))).0, Outcome::AssumeFailed { .. }));
    for answer in [None, Some(int(1))] {
        assert!(matches!(outcome(answer).0, Outcome::Stuck { reason: Reason::Eval(_), .. }));
    }
    let axiom = "axiom (forall ((i Int)) (> i 0)) proc p() { a: return }";
    let unchecked = |compute_axioms| {
        let mut computing = Computing { answer: Some(Value::Bool(true)), asked: Vec::new() };
        run_with(axiom, Options { compute_axioms, ..Options::default() }, &mut computing).unchecked_axioms.len()
    };
    assert_eq!((unchecked(true), unchecked(false)), (0, 1));
}

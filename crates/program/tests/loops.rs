//! Loops: their extraction and their cutting, on small programs and on random graphs.

mod common;

use common::{Rng, check, random_program, read};
use lariat_program::{
    CutOptions, Program, RegionId, RegionKind, Stage, StmtKind, Terminator, cut_loops, extract_loops,
    interp::{Asked, At, Interpreter, Options, Outcome, Query, TraceLevel, ValueSource},
    text,
};
use lariat_term::{Sort, Terms, Value};

fn extract(source: &str) -> (Program, Terms) {
    let (mut program, mut terms) = read(source);
    extract_loops(&mut program, &mut terms);
    check(&program, &terms, Stage::Regions);
    (program, terms)
}

fn extracted(source: &str) -> String {
    let (program, terms) = extract(source);
    text::print(&program, &terms)
}

#[test]
fn a_while_loop() {
    let got = extracted(
        "global g: Int
         proc p(n: Int) -> (s: Int) {
           local i: Int
           local t: Int
         start: i := 0, s := 0 goto head
         head: branch (< i n) then body else done
         body: t := (* i 2) s := (+ s t), g := i i := (+ i 1) goto head
         done: return
         }",
    );
    let expected = "\
global g: Int
proc p(n: Int) -> (s: Int) {
  local i: Int
start:
  i := 0, s := 0
  goto head
head:
  box p/head(n, s, i) -> (s)
  goto done
done:
  return
}
loop p/head in p (n: Int, s: Int, i: Int) -> (s: Int) {
  local t: Int
head:
  branch (< i n) then body else exit
body:
  t := (* 2 i)
  s := (+ s t), g := i
  i := (+ i 1)
  goto again
exit:
  return
again:
  box p/head(n, s, i) -> (s)
  return
}
";
    // Whether a product has its numeral first is the term store's affair.
    assert_eq!(got.replace("(* i 2)", "(* 2 i)").replace("(+ 1 i)", "(+ i 1)"), expected);
}

#[test]
fn nested_loops_are_nested_regions() {
    let (p, _) = extract(
        "proc p(n: Int) {
           local i: Int
           local j: Int
         a: i := 0 goto outer
         outer: branch (< i n) then pre else done
         pre: j := 0 goto inner
         inner: branch (< j i) then body else post
         body: j := (+ j 1) goto inner
         post: i := (+ i 1) goto outer
         done: return
         }",
    );
    let kinds: Vec<_> = p.regions.iter().map(|r| (r.name.as_str(), r.kind)).collect();
    assert_eq!(
        kinds,
        [
            ("p", RegionKind::Procedure),
            ("p/outer", RegionKind::Loop { parent: RegionId(0) }),
            ("p/inner", RegionKind::Loop { parent: RegionId(1) }),
        ]
    );
    let names = |r: usize| (p.regions[r].inputs.len(), p.regions[r].outputs.len(), p.regions[r].locals.len());
    // The outer loop needs n and i; j is its own. The inner one needs i and j; nothing of it is used after.
    assert_eq!(names(1), (2, 0, 1));
    assert_eq!(names(2), (2, 0, 0));
}

#[test]
fn several_exits_get_a_selector() {
    let source = "
        global g: Int
        assertion #0 user
        proc p(n: Int) -> (r: Int) {
          local i: Int
        head: i := (+ i 1) branch (< i n) then two else left
        two: branch (= i 7) then right else three
        three: branch (= i 9) then gone else head
        gone: r := 3 return
        left: g := 1 goto end
        right: g := 2 goto end
        end: r := i return
        }";
    let (p, terms) = extract(source);
    let l = &p.regions[1];
    let exit = l.outputs.last().unwrap();
    assert_eq!((terms.var_name(exit.var), terms.var_sort(exit.var)), ("p/exit", Sort::INT));
    assert!(exit.source.is_none());
    let branches = p.regions[0].blocks.iter().filter(|b| matches!(b.next, Terminator::Branch { .. })).count();
    assert_eq!(branches, 2, "three exits need two branches\n{}", text::print(&p, &terms));
    // `gone` cannot reach the header, so it is outside of the loop.
    assert!(p.regions[0].blocks.iter().any(|b| b.label == "gone"));
    same_runs(source, 200);
}

#[test]
fn the_selector_of_a_program_of_bit_vectors_is_one() {
    let source = "
        global m: (Array (_ BitVec 8) (_ BitVec 8))
        proc p(n: (_ BitVec 8)) -> (r: (_ BitVec 8)) {
          local i: (_ BitVec 8)
        head: i := (bvadd i #x01) branch (bvult i n) then two else left
        two: branch (= i #x07) then right else three
        three: branch (= i #x09) then gone else head
        gone: r := #x03 return
        left: m := (store m i #x01) goto end
        right: r := #x02 return
        end: r := (select m i) return
        }";
    let (p, mut terms) = extract(source);
    let exit = p.regions[1].outputs.last().unwrap();
    let two_bits = terms.bv_sort(2);
    assert_eq!((terms.var_name(exit.var), terms.var_sort(exit.var)), ("p/exit", two_bits));
    same_runs(source, 200);
}

#[test]
fn a_return_inside_and_a_break_to_the_outer_exit() {
    let source = "
        global g: Int
        proc p(n: Int) -> (r: Int) {
          local i: Int
          local j: Int
        a: i := 0 goto outer
        outer: branch (< i n) then pre else done
        pre: j := 0 goto inner
        inner: branch (< j i) then body else post
        body: j := (+ j 1) branch (= j 3) then done else more
        more: branch (= j 5) then outer else last
        last: branch (= i 6) then out else inner
        out: g := j return
        post: i := (+ i 1) goto outer
        done: r := (+ i j) return
        }";
    let (p, terms) = extract(source);
    let printed = text::print(&p, &terms);
    assert_eq!(p.regions.len(), 3, "{printed}");
    same_runs(source, 300);
}

#[test]
fn a_self_loop_and_a_loop_at_the_entry() {
    let source = "global g: Int proc p() { a: g := (+ g 1) branch (< g 5) then a else b b: return }";
    let (p, _) = extract(source);
    assert_eq!(p.regions.len(), 2);
    assert!(matches!(p.regions[0].blocks[0].stmts[0].kind, StmtKind::Box { .. }));
    same_runs(source, 20);
    // Without any exit, what follows the box is the end.
    let (p, terms) = extract("proc p() { a: goto a }");
    assert_eq!(p.regions[0].blocks[0].next, Terminator::Goto(vec![]), "{}", text::print(&p, &terms));
}

#[test]
fn irreducible_graphs_are_split() {
    let source = "
        global g: Int
        assertion #0 user @0:3:4
        file \"f\"
        proc p() -> (r: Int) {
          local i: Int
        a: i := 0 goto left, right
        left: i := (+ i 1), g := (+ g 1) assert #0 (< g 40) branch (< i 5) then right else done
        right: i := (+ i 2) branch (< i 9) then left else done
        done: r := i return
        }";
    let (p, terms) = extract(source);
    assert!(text::print(&p, &terms).contains("$1"), "a block was copied");
    same_runs(source, 100);
}

#[test]
fn splitting_has_a_limit() {
    // A complete graph: every block is entered from every other one.
    let n = 30;
    let all: Vec<String> = (0..n).map(|i| format!("b{i}")).collect();
    let mut source = format!("file \"f\" proc p() {{ start: goto {}\n", all.join(", "));
    for b in &all {
        source += &format!("{b}: assume true @0:7:3 goto {}\n", all.join(", "));
    }
    source += "}";
    let (mut p, mut terms) = read(&source);
    extract_loops(&mut p, &mut terms);
    let given_up = &p.assertions[0];
    assert_eq!(given_up.loc.line, 7);
    assert!(given_up.message.as_ref().is_some_and(|said| said.contains("in `p` has several entries")));
    let (mut p, _) = read(&source);
    let error = cut_loops(&mut p, &CutOptions::default()).unwrap_err();
    assert_eq!(error.region, "p");
}

#[test]
fn unreachable_loops_vanish() {
    let (p, _) = extract("proc p() { a: return b: goto c c: goto b, a }");
    assert_eq!((p.regions.len(), p.regions[0].blocks.len()), (1, 1));
}

#[test]
fn deep_nests_and_long_chains() {
    // 1,000 loops in each other, each of which can be left to the end; then 20,000 blocks in a row of loops.
    let depth = 1000;
    let mut source = String::from("global g: Int proc p() { local i: Int\n");
    for d in 0..depth {
        source += &format!("h{d}: i := (+ i 1) branch (< i {d}) then h{} else t{d}\n", d + 1);
    }
    source += &format!("h{depth}: g := i goto t{}\n", depth - 1);
    for d in (0..depth).rev() {
        let up = if d == 0 { "end".to_string() } else { format!("t{}", d - 1) };
        source += &format!("t{d}: goto h{d}, {up}\n");
    }
    source += "end: return }";
    let (p, _) = extract(&source);
    assert_eq!(p.regions.len(), depth + 1);
    let mut source = String::from("global g: Int proc p() {\n");
    for b in 0..10_000 {
        source += &format!("h{b}: g := (+ g 1) goto h{b}, m{b}\nm{b}: goto h{}\n", b + 1);
    }
    source += "h10000: return }";
    let (p, _) = extract(&source);
    assert_eq!(p.regions.len(), 10_001);
}

// Runs before and after

/// Answers by what is asked and how often it was asked before, so that two programs that ask in
/// another order get the same answers.
struct Keyed {
    seed: u64,
    asked: std::collections::HashMap<(u32, String), u64>,
}

impl Keyed {
    fn new(seed: u64) -> Keyed {
        Keyed { seed, asked: Default::default() }
    }

    fn number(&mut self, kind: u32, name: &str) -> u64 {
        let n = self.asked.entry((kind, name.to_string())).or_default();
        *n += 1;
        let mut h = Rng(self.seed ^ (u64::from(kind) << 32) ^ *n);
        for b in name.bytes() {
            h.0 ^= u64::from(b);
            h.next();
        }
        h.next()
    }
}

impl ValueSource for Keyed {
    fn value(&mut self, _: &Terms, query: &Query) -> Option<Value> {
        let kind = match query.asked {
            Asked::Havoc(_) => 0,
            Asked::Local(_) => 1,
            Asked::Global(_) => 2,
            _ => 3,
        };
        let n = self.number(kind, query.name);
        Some(if query.sort == Sort::BOOL { Value::Bool(n & 1 == 1) } else { Value::int(n % 9) })
    }

    fn choose(&mut self, among: usize, _: At) -> Option<usize> {
        Some((self.number(9, "") % among as u64) as usize)
    }
}

/// What a run shows of itself.
type Seen = (Outcome, Vec<Option<Value>>, Vec<Option<Value>>);

fn run(program: &Program, terms: &Terms, seed: u64, steps: u64) -> Seen {
    let options = Options { steps, trace: TraceLevel::Off, look_ahead: false, ..Options::default() };
    let interpreter = Interpreter::new(program, terms, options).unwrap();
    let run = interpreter.run(RegionId(0), &mut Keyed::new(seed));
    let values = |list: Vec<(_, Option<Value>)>| list.into_iter().map(|(_, v)| v).collect();
    (run.outcome, values(run.globals), values(run.outputs))
}

/// Runs the program as it is and with its loops extracted: all must be the same.
fn same_runs(source: &str, seeds: u64) -> (usize, usize) {
    let (before, before_terms) = read(source);
    let (after, after_terms) = extract(source);
    let (mut compared, mut failed) = (0, 0);
    for seed in 0..seeds {
        let one = run(&before, &before_terms, seed, 2000);
        if one.0 == Outcome::StepLimit {
            continue;
        }
        let two = run(&after, &after_terms, seed, 200_000);
        let settled = |(o, g, r): &Seen| {
            // A global or output that was never needed has no value; the extracted loop may need it.
            let values: Vec<_> = g.iter().chain(r).cloned().collect();
            (o.clone(), values)
        };
        let ((o1, v1), (o2, v2)) = (settled(&one), settled(&two));
        assert_eq!(o1, o2, "seed {seed}\n{source}\n{}", text::print(&after, &after_terms));
        for (a, b) in v1.iter().zip(&v2) {
            assert!(a == b || a.is_none(), "seed {seed}: {a:?} {b:?}\n{source}\n{}", text::print(&after, &after_terms));
        }
        compared += 1;
        failed += usize::from(matches!(o1, Outcome::AssertionFailed { .. }));
    }
    (compared, failed)
}

#[test]
fn random_graphs_run_the_same() {
    let (mut compared, mut failed, mut loops) = (0, 0, 0);
    for seed in 0..250 {
        let source = random_program(&mut Rng(seed));
        let (c, f) = same_runs(&source, 8);
        compared += c;
        failed += f;
        loops += extract(&source).0.regions.len() - 2;
    }
    // The programs are worth running: many end, some fail, and there are loops.
    assert!(compared > 800 && failed > 20 && loops > 120, "{compared} {failed} {loops}");
}

// Cutting

#[test]
fn a_loop_is_cut_at_its_invariant() {
    let (mut p, terms) = read(
        "file \"f\" global g: Int global k: Int
         assertion #0 user @0:5:1
         assertion #1 user
         proc p(n: Int) -> (s: Int) {
           local i: Int
         start: i := 0 goto head
         head: assert #0 (<= i n) @0:5:1 assume (<= 0 i) branch (< i n) then body else done
         body: assert #1 (< i n) box q() i := (+ i 1) goto head
         done: s := i return
         }
         proc q() { a: box r() return }
         proc r() { a: g := 1 return }",
    );
    cut_loops(&mut p, &CutOptions::default()).unwrap();
    check(&p, &terms, Stage::Regions);
    let printed = text::print(&p, &terms);
    assert!(printed.contains("assertion #0 invariant") && printed.contains("assertion #1 user"), "{printed}");
    let expected = "\
proc p(n: Int) -> (s: Int) {
  local i: Int
start:
  i := 0
  goto head$1
head:
  havoc g, i @0:5:1
  assume (<= i n) @0:5:1
  assume (<= 0 i)
  branch (< i n) then body else done
body:
  assert #1 (< i n)
  box q()
  i := (+ i 1)
  goto head$2
done:
  s := i
  return
head$1:
  assert #0 (<= i n) @0:5:1
  goto head
head$2:
  assert #0 (<= i n) @0:5:1
  stop
}
";
    assert!(printed.replace("(+ 1 i)", "(+ i 1)").contains(expected), "{printed}");
}

#[test]
fn known_facts_are_assumed_when_a_loop_is_cut() {
    let (mut p, mut terms) = read("global g: Int proc p() { a: g := 1 goto a, b b: return }");
    let g = terms.var("g", Sort::INT);
    let zero = terms.int(0);
    let fact = terms.le(zero, g);
    let g = terms.as_var(g).unwrap();
    cut_loops(&mut p, &CutOptions { known: &|v| (v == g).then_some(fact), any: None }).unwrap();
    check(&p, &terms, Stage::Regions);
    let entry = &p.regions[0].blocks[0];
    assert_eq!(entry.label, "a$1", "the entry has no predecessor");
    let head = p.regions[0].blocks.iter().find(|b| b.label == "a").unwrap();
    assert!(matches!(head.stmts[1].kind, StmtKind::Assume(t) if t == fact));
}

#[test]
fn random_graphs_can_be_cut() {
    for seed in 0..600 {
        let (mut p, terms) = read(&random_program(&mut Rng(seed)));
        cut_loops(&mut p, &CutOptions::default()).unwrap();
        check(&p, &terms, Stage::Regions);
    }
}

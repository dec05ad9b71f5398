//! How often loops go round.

use lariat_program::{RegionKind, extract_loops, text};
use lariat_summary::{Counter, Summaries};
use lariat_term::Terms;

/// What the counters of the only loop of a program say, if it starts with these values of `i` and `n`.
fn rounds(source: &str, i: i64, n: i64, limit: u32) -> Option<u32> {
    let mut terms = Terms::new();
    let mut program = text::parse(source, &mut terms).expect("a program");
    extract_loops(&mut program, &mut terms);
    let mut summaries = Summaries::new(&program, &mut terms);
    let is_loop = |r: &lariat_program::Region| matches!(r.kind, RegionKind::Loop { .. });
    let id = program.regions.iter().position(is_loop).expect("a loop");
    let summary = summaries.get(&program, &mut terms, lariat_program::RegionId(id as u32));
    let (i, n) = (terms.int(i), terms.int(n));
    let names: Vec<_> = ["i", "n"].into_iter().zip([i, n]).collect();
    let all: Vec<_> = program.globals.iter().chain(&program.regions[id].inputs).map(|d| d.var).collect();
    let values: Vec<_> = all
        .into_iter()
        .filter_map(|v| Some((v, names.iter().find(|(name, _)| *name == terms.var_name(v))?.1)))
        .collect();
    let start = |v| Some(values.iter().find(|(w, _)| *w == v)?.1);
    Counter::rounds(&summary.counters, &mut terms, start, limit)
}

const COUNTED: &str = "assertion #0 user
    proc p(i: Int, n: Int) { local x: Int local j: Int
      a: j := i goto h
      h: branch (< i n) then b else e
      b: havoc x assert #0 (< x j) branch (= x 7) then e else c
      c: i := (+ i 2) goto h
      e: return }";

#[test]
fn a_counter_is_run_ahead_of_its_loop() {
    assert_eq!(rounds(COUNTED, 0, 10, 100), Some(5));
    assert_eq!(rounds(COUNTED, 9, 10, 100), Some(1));
    assert_eq!(rounds(COUNTED, 10, 10, 100), Some(0));
}

#[test]
fn more_rounds_than_the_limit_are_not_counted() {
    assert_eq!(rounds(COUNTED, 0, 20, 10), Some(10));
    assert_eq!(rounds(COUNTED, 0, 21, 10), None);
}

#[test]
fn what_the_program_leaves_open_counts_nothing() {
    let open = COUNTED.replace("i := (+ i 2)", "i := (+ i x)");
    assert_eq!(rounds(&open, 0, 10, 100), None);
    let endless = COUNTED.replace("(< i n)", "(= x 2)");
    assert_eq!(rounds(&endless, 0, 10, 100), None);
}

#[test]
fn globals_count_too() {
    let source = COUNTED.replace("proc p(i: Int, n: Int)", "global i: Int proc p(n: Int)");
    assert_eq!(rounds(&source, 3, 10, 100), Some(4));
}

//! What is expanded without a query, and how many queries are asked. Nothing here is timed.

use std::sync::Arc;

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::entry_of,
};
use lariat_program::extract_loops;
use lariat_unfold::QueryKind;
use lariat_verify::{Engines, Options, Report, StrategyKind, Targets, Verdict, verify};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Expect {
    Safe,
    Unsafe,
}
use Expect::{Safe, Unsafe};

fn check(text: &str, bound: Option<u32>) -> Report {
    let compiled = compile([Source::new("test.bpl", text)], &compile::Options::default());
    let mut terms = compiled.terms;
    let mut program = compiled.program.expect("a program");
    extract_loops(&mut program, &mut terms);
    let entries = vec![entry_of(&program, "main").expect("a procedure main")];
    let (strategy, targets, solver) = (StrategyKind::Stratified, Targets::Any, "z3".into());
    let engines = Engines::unfold();
    let options = Options { entries, targets, engines, strategy, solver, bound, reduce: false, ..Options::default() };
    verify(&Arc::new(program.clone()), &mut terms, &options, &mut |_| {})
}

/// The queries of a run: under and over.
fn queries(text: &str, expected: Expect) -> (u64, u64) {
    let report = check(text, None);
    let found = match report.verdict {
        Verdict::Safe => Safe,
        Verdict::Unsafe(_) => Unsafe,
        other => panic!("{other:?}"),
    };
    assert_eq!(found, expected, "{text}");
    (report.stats.queries(QueryKind::Under).total(), report.stats.queries(QueryKind::Over).total())
}

#[test]
fn rounds_of_a_constant_loop_cost_no_query() {
    for (bad, expected) in [(1, Safe), (0, Unsafe)] {
        let program = |rounds: u32| {
            format!(
                "procedure main(x: int) {{
                   var i, s: int;
                   i, s := 0, x;
                   while (i < {rounds}) {{
                     s := s + i;
                     i := i + 1;
                   }}
                   assert s - x != {rounds} * ({rounds} - 1) div 2 + {bad};
                 }}"
            )
        };
        let few = queries(&program(3), expected);
        assert_eq!(queries(&program(1000), expected), few);
        assert!(few.0 + few.1 <= 1, "{few:?}");
    }
}

#[test]
fn rounds_of_constant_loops_cost_no_query_after_assumptions_either() {
    // No error needs a loop: there is one before them.
    let program = |rounds: u32, bad: u32| {
        format!(
            "procedure main(x: int) {{
               var i, s: int;
               assume x > 0;
               assert x > -1;
               i, s := 0, x;
               while (i < {rounds}) {{ s, i := s + 1, i + 1; }}
               i := 0;
               while (i < {rounds}) {{ s, i := s + 1, i + 1; }}
               assert s > 2 * {rounds} + {bad};
             }}"
        )
    };
    assert_eq!(queries(&program(100, 0), Safe), (1, 0));
    assert_eq!(queries(&program(100, 1), Unsafe), (1, 0));
}

/// Two nested loops that assert something of an input in each round.
fn asserting_loops(outer: u32, inner: u32, bad: u32) -> String {
    format!(
        "procedure main(x: int, y: int) {{
           var i, j, k, s: int;
           assume y >= 0;
           i, s := 0, x;
           while (i < {outer}) {{
             j := 0;
             while (j != {inner}) {{
               s, j := s + y, j + 1;
               assert s >= x;
               if (x == 0 || x == 5) {{ k := j; }}
             }}
             i := i + 1;
           }}
           assert s != x + {outer} * {inner} * y + {bad};
         }}"
    )
}

#[test]
fn rounds_that_constants_decide_cost_no_query_though_assertions_may_fail_before() {
    let few = queries(&asserting_loops(2, 2, 1), Safe);
    assert_eq!(queries(&asserting_loops(4, 8, 1), Safe), few);
    assert!(few.0 + few.1 <= 2, "{few:?}");
    let few = queries(&asserting_loops(4, 8, 0), Unsafe);
    assert!(few.0 + few.1 <= 2, "{few:?}");
}

#[test]
fn many_rounds_that_constants_decide_are_taken_in_growing_steps() {
    let (under, over) = queries(&asserting_loops(1, 400, 0), Unsafe);
    assert!((3..=20).contains(&(under + over)), "{under} and {over} queries");
}

#[test]
fn a_loop_that_constants_do_not_end_is_not_unrolled_unasked() {
    let text = "procedure main(x: int) {
       var i, y: int;
       i, y := 0, x;
       while (true) { assert i < 3 || x > 5; i := i + 1; }
     }";
    let report = check(text, None);
    assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
    assert!(report.stats.nodes < 20, "{:?}", report.stats);
}

#[test]
fn calls_that_every_error_needs_cost_no_query() {
    // No guard is constant: each call may block, and only if all return the assertion is reached.
    let program = |calls: usize, bad: i32| {
        let calls = "  call allocate(); call twice();\n".repeat(calls);
        format!(
            "var top: int;
             procedure allocate(); modifies top; ensures top > old(top);
             procedure twice() modifies top; {{ call allocate(); call allocate(); }}
             procedure main() modifies top; {{ var old_top: int; old_top := top; {calls}
             assert top > old_top + {bad}; }}"
        )
    };
    assert_eq!(queries(&program(1, 2), Safe), (1, 0));
    assert_eq!(queries(&program(30, 89), Safe), (1, 0));
    assert_eq!(queries(&program(30, 90), Unsafe), (1, 0));
}

#[test]
fn calls_that_every_error_needs_stay_within_the_bound() {
    let text = "procedure main(n: int) {\n call f(n);\n assert false;\n}
    procedure f(n: int) {\n assume n != 0;\n call f(n - 1);\n}";
    let bounded = check(text, Some(3));
    assert!(matches!(bounded.verdict, Verdict::Bounded { bound: 3, .. }), "{:?}", bounded.verdict);
    // Twice as many calls on each level; the first chain of calls is all that a proof needs.
    let mut text = String::from("var g: int;\n");
    for i in 0..60 {
        let next = i + 1;
        text += &format!("procedure p{i}(x: int) modifies g; {{ call p{next}(x); call p{next}(x); }}\n");
    }
    text += "procedure p60(x: int) modifies g; { assume x > 0; havoc g; }\n";
    text += "procedure main(x: int) modifies g; { call p0(x); assert x > 0; }\n";
    let report = check(&text, None);
    assert!(matches!(report.verdict, Verdict::Safe), "{:?}", report.verdict);
    assert!(report.stats.nodes < 20_000, "{:?}", report.stats);
}

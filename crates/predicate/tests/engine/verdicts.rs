//! Proofs, bugs, and predicates that are given.

use crate::common::{Said, explore, shown};
use lariat_predicate::{Blocks, Settings};

fn says(source: &str) -> Said {
    explore(source, Settings::default()).0
}

const COUNTERS: &str = "procedure main() {
  var lock, last, next: int;
  lock := 0; last := 0; next := 1;
  while (next != last) {
    assert lock == 0;
    lock := 1; last := next;
    if (*) { lock := 0; next := next + 1; }
  }
  assert lock == 1;
}";

#[test]
fn the_first_example_of_predicate_abstraction_is_proved() {
    assert_eq!(says(COUNTERS), Said::Proved);
    let statements = Settings { blocks: Blocks::Statements, ..Settings::default() };
    assert_eq!(explore(COUNTERS, statements).0, Said::Proved);
}

#[test]
fn saved_predicates_leave_nothing_to_refine() {
    let (_, first) = explore(COUNTERS, Settings::default());
    assert!(first.statistics.refinements > 0);
    let saved = Some(shown(&first).into());
    let (said, second) = explore(COUNTERS, Settings { saved, ..Settings::default() });
    assert_eq!((said, second.statistics.refinements), (Said::Proved, 0), "{}", shown(&first));
    assert!(second.notes.is_empty(), "{:?}", second.notes);
}

#[test]
fn saved_predicates_save_refinements_where_one_procedure_has_changed() {
    let program = |third: i32| {
        let (mut machines, mut start, mut steps) = (String::new(), String::new(), String::new());
        for (i, value) in [10, 11, third, 13].into_iter().enumerate() {
            machines.push_str(&format!(
                "var s{i}, c{i}: int;
                procedure step{i}() modifies s{i}, c{i}; {{
                  if (s{i} == 0) {{ c{i} := {value}; s{i} := 1; }}
                  else {{ if (s{i} == 1) {{ s{i} := 2; }} else {{ assert c{i} == {value}; s{i} := 0; }} }}
                }}\n"
            ));
            start.push_str(&format!("s{i} := 0; "));
            steps.push_str(&format!("call step{i}(); "));
        }
        let modified = (0..4).map(|i| format!("s{i}, c{i}")).collect::<Vec<_>>().join(", ");
        format!("{machines}procedure main() modifies {modified}; {{ {start} while (*) {{ {steps} }} }}")
    };
    let (said, before) = explore(&program(12), Settings::default());
    assert_eq!(said, Said::Proved);
    let (said, anew) = explore(&program(25), Settings::default());
    assert_eq!(said, Said::Proved);
    let saved = Some(shown(&before).into());
    let (said, again) = explore(&program(25), Settings { saved, ..Settings::default() });
    assert_eq!(said, Said::Proved);
    let (anew, again) = (anew.statistics.refinements, again.statistics.refinements);
    assert!(anew >= 6 && again * 3 <= anew, "{anew} {again}");
}

#[test]
fn predicates_that_do_not_fit_are_left_out_and_change_no_verdict() {
    let text = "(at |head of main/while| bits (= gone 3) (<= lock last) (+ lock 1)) (at nowhere bits true) (what) \
                (at |head of main/while| integers (= lock 0))";
    let wrong = COUNTERS.replace("assert lock == 1", "assert lock == 0");
    for (source, said) in [(COUNTERS, Said::Proved), (&wrong, Said::Refuted)] {
        let (found, explored) = explore(source, Settings { saved: Some(text.into()), ..Settings::default() });
        assert_eq!((found, explored.notes.len()), (said, 4), "{:?}", explored.notes);
    }
    let (said, explored) = explore(COUNTERS, Settings { saved: Some("(at |".into()), ..Settings::default() });
    assert_eq!((said, explored.notes.len()), (Said::Proved, 1));
}

#[test]
fn bounds_of_the_program_are_tracked_where_interpolants_only_count_rounds() {
    let source = "procedure main() {
      var i, j, unread: int;
      i := 0; j := 0;
      while (i < 600) {
        i := i + 1;
        havoc unread; assume unread < 7; havoc unread;
        while (j < 700) { j := j + 1; }
      }
      assert i == 600;
      assert j == 700;
    }";
    let (said, explored) = explore(source, Settings::default());
    assert_eq!(said, Said::Proved);
    assert!(explored.statistics.refinements < 40, "{:?}", explored.statistics);
}

#[test]
fn bugs_are_found_in_the_right_round_of_nested_loops() {
    let source = "procedure main() {
      var i, j, n, s: int;
      i := 0; s := 0;
      while (i < 2) {
        havoc n; assume 0 <= n && n <= i + 1;
        j := 0;
        while (j < n) {
          if (*) { s := s + 1; } else { havoc n; assume n == j + 1; }
          j := j + 1;
        }
        i := i + 1;
      }
      assert s < 3;
    }";
    assert_eq!(says(source), Said::Refuted);
    assert_eq!(says(&source.replace("s < 3", "s < 4")), Said::Proved);
    let statements = |source: &str| explore(source, Settings { blocks: Blocks::Statements, ..Settings::default() }).0;
    assert_eq!(
        statements("procedure main() { var i: int; i := 0; while (i < 2) { i := i + 1; } assert i != 2; }"),
        Said::Refuted
    );
}

#[test]
fn inputs_globals_constants_and_choices_are_those_of_the_trace() {
    let source = "const k: int; var g: int;
    procedure main(a: int) modifies g; {
      var x: int;
      while (*) { goto one, two, three; one: g := g + 1; goto done; two: g := g + a; goto done; three: x := x + k; done: }
      assert !(g == 17 && x == 5 && a == 4 && k == 2);
    }";
    assert_eq!(says(source), Said::Refuted);
}

#[test]
fn recursive_procedures_have_summaries() {
    let source = "procedure double(x: int) returns (r: int) {
      if (x <= 0) { r := 0; } else { call r := double(x - 1); r := r + 2; }
    }
    procedure main(n: int) { var r: int; call r := double(n); assert r >= 0; }";
    assert_eq!(says(source), Said::Proved);
    assert_ne!(says(&source.replace("r >= 0", "r >= 1")), Said::Proved);
}

#[test]
fn calls_are_clauses_with_two_atoms_where_states_are_at_each_statement() {
    let source = "var g: int;
    procedure bump(by: int) modifies g; { g := g + by; }
    procedure main() modifies g; {
      var i: int;
      g := 0; i := 0;
      while (i < 3) { call bump(2); i := i + 1; }
      assert g != 5;
    }";
    let statements = |source: &str| explore(source, Settings { blocks: Blocks::Statements, ..Settings::default() }).0;
    assert_eq!(statements(source), Said::Proved);
    assert_ne!(statements(&source.replace("g != 5", "g != 6")), Said::Proved);
}

//! The examples of *Abstractions from proofs*, with abstract states at each statement.

use crate::common::{Said, explore, follows, is_reached, shown};
use lariat_predicate::{Blocks, Scope, Settings};

fn statements() -> Settings {
    Settings { blocks: Blocks::Statements, ..Settings::default() }
}

#[test]
fn figure_2_tracks_at_each_location_what_the_rest_needs() {
    let source = "procedure main(c: int, m: int) {
      var x, y, ctr: int;
      x := ctr;
      ctr := ctr + 1;
      y := ctr;
      assume x == m;
      assert y == m + 1;
    }";
    let (said, explored) = explore(source, statements());
    assert_eq!(said, Said::Proved);
    for (line, formula) in [
        ("line 4", "(= x ctr)"),
        ("line 5", "(= x (- ctr 1))"),
        ("line 6", "(= x (- y 1))"),
        ("line 7", "(= y (+ m 1))"),
    ] {
        assert!(is_reached(&explored, line, formula), "{line} is not {formula}:\n{}", shown(&explored));
    }
    assert_eq!(explored.statistics.refinements, 1);
}

#[test]
fn figure_7_cuts_a_trace_of_arithmetic() {
    let source = "procedure main(b: int) {
      var a, c: int;
      assume b > 0;
      c := 2 * b;
      a := b;
      a := a - 1;
      assume a < b;
      assert a != c;
    }";
    let (said, explored) = explore(source, statements());
    assert_eq!(said, Said::Proved);
    assert!(is_reached(&explored, "line 7", "(<= a (- c 2))"), "{}", shown(&explored));
}

#[test]
fn figure_8_has_predicates_about_parameters_at_the_call() {
    let source = "procedure inc(p: int) returns (r: int) {
      var x: int;
      x := p;
      x := x + 1;
      r := x;
    }
    procedure main() {
      var a, b: int;
      a := 0;
      call b := inc(a);
      assert a == b - 1;
    }";
    let (said, explored) = explore(source, statements());
    assert_eq!(said, Said::Proved);
    // What the parameter was at the call has the same name with a number.
    assert!(is_reached(&explored, "line 5", "(= x (+ p@2 1))"), "{}", shown(&explored));
    assert!(is_reached(&explored, "return of inc", "(= r (+ p 1))"), "{}", shown(&explored));
}

/// A map is the memory, and its indices are pointers.
#[test]
fn figure_9_has_a_predicate_about_what_a_pointer_points_to() {
    let source = "var M: [int]int;
    procedure main(x: int) modifies M; {
      var y: int;
      assume x != y;
      M[x] := 0;
      y := x;
      M[y] := M[y] + 1;
      assert M[x] != 0;
    }";
    let (said, explored) = explore(source, statements());
    assert_eq!(said, Said::Proved);
    // Of the paper's *y = 0, the half that is needed.
    assert!(follows(&explored, "line 7", "(>= (select M y) 0)"), "{}", shown(&explored));
}

#[test]
fn figure_11_relates_what_a_parameter_points_to_with_what_it_was_at_the_call() {
    let source = "var M: [int]int;
    procedure inc(p: int) modifies M; {
      var x: int;
      x := p;
      M[x] := M[x] + 1;
    }
    procedure main(y: int) modifies M; {
      M[y] := 0;
      call inc(y);
      assert M[y] == 1;
    }";
    let (said, explored) = explore(source, statements());
    assert_eq!(said, Said::Proved);
    let one_more = "(= (select M@2 p) (+ (select M p) 1))";
    assert!(follows(&explored, "return of inc", one_more), "{}", shown(&explored));
}

/// The locking program of figure 1 with n conditions, each of which matters between two locations only.
fn locks(n: usize) -> String {
    let vars: Vec<String> = (1..=n).map(|i| format!("p{i}: bool")).collect();
    let mut body = String::new();
    for i in 1..=n {
        body.push_str(&format!(
            "havoc p{i}; if (p{i}) {{ assert !held; held := true; }} if (p{i}) {{ assert held; held := false; }}\n"
        ));
    }
    format!("procedure main() {{ var held: bool, {}; held := false; while (*) {{ {body} }} }}", vars.join(", "))
}

#[test]
fn figure_1_needs_a_number_of_states_that_is_linear_with_local_predicates() {
    let mut facts = Vec::new();
    for n in [1, 3, 5, 9] {
        let (said, explored) = explore(&locks(n), statements());
        assert_eq!(said, Said::Proved, "{n}");
        // p and held, nowhere more.
        assert!(explored.statistics.predicates.iter().all(|&k| k <= 2), "{}", shown(&explored));
        facts.push(explored.statistics.facts);
    }
    let [one, three, five, nine] = facts[..] else { unreachable!("four programs") };
    assert_eq!(five - three, three - one, "{facts:?}");
    assert_eq!(nine - five, (five - three) * 2, "{facts:?}");
}

#[test]
fn figure_1_needs_exponentially_many_with_global_ones() {
    let facts = |n, scope| {
        let (said, explored) = explore(&locks(n), Settings { scope, ..statements() });
        assert_eq!(said, Said::Proved, "{n}");
        explored.statistics.facts
    };
    let [two, three, four] = [2, 3, 4].map(|n| facts(n, Scope::Global));
    assert!(three > two * 3 / 2 && four > three * 3 / 2, "{two} {three} {four}");
    assert!(facts(4, Scope::Local) * 2 < four);
}

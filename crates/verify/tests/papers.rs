//! The examples of the papers, with the regions that each strategy is said to look into, and generated programs that show
//! what strategies leave out.

use std::sync::Arc;

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::entry_of,
};
use lariat_program::{AssertId, Program, extract_loops};
use lariat_term::Terms;
use lariat_verify::{Correction, Engines, Options, Report, StrategyKind, Targets, Verdict, verify};

/// Checks one assertion from one entry.
fn check(text: &str, entry: &str, assertion: u32, strategy: StrategyKind) -> Looked {
    let compiled = compile([Source::new("paper.bpl", text)], &compile::Options::default());
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let (mut program, mut terms): (Program, Terms) =
        (compiled.program.unwrap_or_else(|| panic!("{shown}")), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let options = Options {
        entries: vec![entry_of(&program, entry).expect("the entry")],
        targets: Targets::Only(vec![AssertId(assertion)]),
        engines: Engines::unfold(),
        strategy,
        reduce: false,
        ..Options::default()
    };
    let report = verify(&Arc::new(program.clone()), &mut terms, &options, &mut |_| {});
    Looked { program, report }
}

struct Looked {
    program: Program,
    report: Report,
}

impl Looked {
    /// How often a region was expanded, by the start of its name.
    fn times(&self, region: &str) -> u64 {
        let counts = self.program.regions.iter().zip(&self.report.stats.regions);
        counts.filter(|(r, _)| r.name.starts_with(region)).map(|(_, &n)| n).sum()
    }

    fn is_unsafe(&self) -> bool {
        matches!(self.report.verdict, Verdict::Unsafe(_))
    }

    fn is_safe(&self) -> bool {
        matches!(self.report.verdict, Verdict::Safe)
    }
}

/// Inertial refinement, figure 1.
const FOO: &str = "

procedure complex(p: int) returns (r: int) {
  r := p * p * p - 7 * p;
  while (r > 1000) { r := r - p * p; }
}
procedure neg(a: int) returns (r: int) {
  if (a > 0) { r := 0 - a; } else { r := a; }
}
procedure foo(p: int, c: int) {
  var x, y: int;
  if (p == 0) { x := c; } else { call x := complex(p); }
  assert x > c;
  if (x == c) { call y := neg(x); } else { y := 0; }
  assert y >= 0;
}";

#[test]
fn inertial_refinement_looks_into_nothing_for_the_first_assertion_of_foo() {
    let looked = check(FOO, "foo", 0, StrategyKind::Inertial(Correction::Cheapest));
    assert!(looked.is_unsafe());
    assert_eq!((looked.times("complex"), looked.times("neg"), looked.times("foo")), (0, 0, 1));
    for strategy in StrategyKind::ALL {
        assert!(check(FOO, "foo", 0, strategy).is_unsafe(), "{strategy:?}");
    }
}

#[test]
fn inertial_refinement_looks_into_neg_alone_for_the_second_assertion_of_foo() {
    let looked =
        check(&FOO.replace("assert x > c", "assume true"), "foo", 0, StrategyKind::Inertial(Correction::Cheapest));
    assert!(looked.is_unsafe());
    assert_eq!((looked.times("complex"), looked.times("neg"), looked.times("foo")), (0, 1, 1));
}

/// Inertial refinement, figure 1: fails for n >= 3 only.
const LOOPF: &str = "
procedure loopf(n: int) {
  var i, j: int;
  i := 0; j := 0;
  while (i < n) { j := j + 2 * i; i := i + 1; }
  assume n > 0;
  assert n >= 0 && j < 2 * n;
}";

#[test]
fn a_loop_is_unrolled_as_far_as_the_property_needs() {
    for strategy in StrategyKind::ALL {
        assert!(check(LOOPF, "loopf", 0, strategy).is_unsafe(), "{strategy:?}");
    }
    let looked = check(LOOPF, "loopf", 0, StrategyKind::Inertial(Correction::Cheapest));
    // The head is a region: three iterations and the exit.
    assert_eq!(looked.times("loopf"), 1 + 4);
}

/// Structural abstraction, section 3.
const SCALE: &str = "
var global1, global2: int;
procedure flip() returns (r: bool) modifies global2; {
  r := false;
  if (global2 < 0) { global2 := 0 - global2; r := true; }
}
procedure init(x: int) returns (r: int) {
  r := x;
  while (r > 10) { r := r - 3 * x + r * r; }
}
procedure scale() modifies global1, global2; {
  var flipped: bool;
  call global2 := init(global1);
  call flipped := flip();
  if (flipped) {
    assert global2 != 0;
    global1 := global1 div global2;
  }
}";

#[test]
fn scale_is_proved_by_flip_alone() {
    let looked = check(SCALE, "scale", 0, StrategyKind::Dcr);
    assert!(looked.is_safe());
    assert_eq!((looked.times("flip"), looked.times("init")), (1, 0));
}

/// Specification inference, figure 2, with lists as chains of a `next` map, the null list as 0.
const INTERSECT: &str = "
var next, val: [int]int;
var free_: int;
procedure make(v: int) returns (r: int) modifies next, val, free_; {
  r := free_;
  free_ := free_ + 1;
  val[r] := v;
  next[r] := 0;
}
procedure add(this: int, v: int) modifies next, val, free_; {
  var c, l: int;
  call c := make(v);
  l := this;
  while (next[l] != 0) { l := next[l]; }
  next[l] := c;
}
procedure contains(list: int, v: int) returns (r: bool) {
  var l: int;
  l := list;
  r := false;
  while (l != 0) {
    if (val[l] == v) { r := true; return; }
    l := next[l];
  }
}
procedure intersect(l1: int, l2: int) returns (res: int) modifies next, val, free_; {
  var l: int;
  var found: bool;
  l := l1;
  res := 0;
  if (l != 0) {
    call found := contains(l2, val[l]);
    if (found) {
      if (res == 0) { call res := make(val[l]); } else { call add(res, val[l]); }
    }
    l := next[l];
  }
}
procedure main(l1: int, l2: int) modifies next, val, free_; {
  var res: int;
  assume free_ > 0;
  call res := intersect(l1, l2);
  assert l1 == 0 || l2 == 0 ==> res == 0;
}";

#[test]
fn intersect_needs_a_specification_of_contains_alone() {
    let looked = check(INTERSECT, "main", 0, StrategyKind::Infer);
    assert!(looked.is_safe(), "{:?}", looked.report.verdict);
    assert!(looked.times("contains") > 0);
    assert_eq!((looked.times("make"), looked.times("add")), (0, 0));
}

#[test]
fn scale_needs_a_specification_of_flip_alone() {
    let looked = check(SCALE, "scale", 0, StrategyKind::Infer);
    assert!(looked.is_safe());
    assert_eq!((looked.times("flip"), looked.times("init")), (1, 0));
}

/// An error can be had by way of `large` or of `small`.
const EITHER: &str = "
procedure deep(a: int) returns (r: int) {
  r := a;
  while (r > 10) { r := r - 3; }
}
procedure large(a: int) returns (r: int) {
  var b: int;
  call b := deep(a);
  call r := deep(b);
  r := r + b;
}
procedure small(a: int) returns (r: int) { r := a + 1; }
procedure main(b: bool, x: int) {
  var y: int;
  if (b) { call y := large(x); } else { call y := small(x); }
  assert y != 5;
}";

#[test]
fn of_several_correction_sets_the_cheapest_is_taken() {
    for (text, name) in [(EITHER.to_owned(), "b"), (EITHER.replace("if (b)", "if (!b)"), "!b")] {
        for correction in [Correction::Cheapest, Correction::MaxSat] {
            let looked = check(&text, "main", 0, StrategyKind::Inertial(correction));
            assert!(looked.is_unsafe());
            let times = (looked.times("small"), looked.times("large"), looked.times("deep"));
            assert_eq!(times, (1, 0, 0), "{correction:?}, large if {name}");
            assert_eq!(looked.report.stats.correction_sizes, [1]);
        }
        for correction in Correction::ALL {
            assert!(check(&text, "main", 0, StrategyKind::Inertial(correction)).is_unsafe(), "{correction:?}");
        }
    }
}

/// A proof that needs one call, beside `k` large ones: each of them only happens for one value of `m` (`optional`), or
/// always, before the call that matters.
fn beside(k: u32, optional: bool) -> String {
    let mut text = String::new();
    for i in 0..k {
        let callee = format!(
            "procedure below{i}(a: int) returns (r: int) {{ r := a; while (r > {i}) {{ r := r - 2; }} }}
             procedure large{i}(a: int) returns (r: int) {{
               call r := below{i}(a); call r := below{i}(r + a); if (r < a) {{ r := a; }}
             }}\n"
        );
        text.push_str(&callee);
    }
    text.push_str("procedure neg(a: int) returns (r: int) { if (a > 0) { r := 0 - a; } else { r := a; } }\n");
    text.push_str("procedure main(x: int, m: int) {\n  var y, z: int;\n");
    for i in 0..k {
        let call = format!("call z := large{i}(x);");
        text.push_str(&if optional { format!("  if (m == {i}) {{ {call} }}\n") } else { format!("  {call}\n") });
    }
    text.push_str("  call y := neg(x);\n  assert y <= 0;\n}\n");
    text
}

#[test]
fn what_does_not_matter_is_not_looked_into_however_much_there_is() {
    let inertial = StrategyKind::Inertial(Correction::Cheapest);
    let regions = |k: u32, optional: bool, strategy: StrategyKind| {
        let looked = check(&beside(k, optional), "main", 0, strategy);
        assert!(looked.is_safe(), "{k} {strategy:?}");
        looked.report.stats.expanded
    };
    for k in [1, 2, 5] {
        // The entry, and the call that matters.
        assert_eq!(regions(k, true, inertial), 2, "{k}");
        assert_eq!(regions(k, true, StrategyKind::Infer), 2, "{k}");
        assert_eq!(regions(k, false, StrategyKind::Infer), 2, "{k}");
    }
    let naive = [1, 2, 5].map(|k| regions(k, true, StrategyKind::Naive));
    assert!(naive.windows(2).all(|w| w[0] < w[1]) && naive[2] > 5, "{naive:?}");
}

/// Procedures that each call the next one in either branch: 2^n instances, of which an execution enters n.
fn either_way(n: u32) -> String {
    let mut text = String::from("var g: int;\n");
    for i in 0..n {
        let next = i + 1;
        text.push_str(&format!(
            "procedure p{i}(b: bool) modifies g; {{ if (b) {{ call p{next}(b); }} else {{ call p{next}(b); }} }}\n"
        ));
    }
    text.push_str(&format!("procedure p{n}(b: bool) modifies g; {{ g := g + 1; }}\n"));
    text.push_str("procedure main(b: bool) modifies g; { g := 0; call p0(b); assert g == 1; }\n");
    text
}

#[test]
fn auto_asks_once_where_there_is_little() {
    for (text, entry) in [(FOO, "foo"), (SCALE, "scale"), (&either_way(6), "main")] {
        let looked = check(text, entry, 0, StrategyKind::Auto);
        let eager = check(text, entry, 0, StrategyKind::Eager);
        assert_eq!((looked.is_safe(), looked.is_unsafe()), (eager.is_safe(), eager.is_unsafe()));
        assert_eq!(looked.report.stats.expanded, eager.report.stats.expanded);
        assert_eq!(looked.report.stats.all_queries(), eager.report.stats.all_queries());
    }
}

#[test]
fn auto_goes_step_by_step_where_there_is_much_and_takes_turns() {
    let looked = check(&either_way(20), "main", 0, StrategyKind::Auto);
    assert!(looked.is_safe());
    assert!(looked.report.stats.expanded < 200, "{} regions", looked.report.stats.expanded);
    assert!(looked.report.stats.correction_sizes.is_empty());
    let looked = check(&either_way(50), "main", 0, StrategyKind::Auto);
    assert!(looked.is_safe());
    assert!(!looked.report.stats.correction_sizes.is_empty(), "minimal sets never had their turn");
}

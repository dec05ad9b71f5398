//! Reductions: what goes, what stays, and that the result is a program.

mod common;

use common::{Rng, check, random_program, read};
use lariat_program::{
    AssertId, Program, RegionId, Stage, StmtKind, extract_loops,
    reduce::{Boxes, Reduced, reduce},
    remove_unreachable, text,
};
use lariat_term::Terms;

fn reduced_if(source: &str, counts: &dyn Fn(AssertId) -> bool) -> (Reduced, Terms) {
    let (mut program, mut terms) = read(source);
    extract_loops(&mut program, &mut terms);
    let entry = program.entries.first().copied().unwrap_or(RegionId(0));
    let reduced = reduce(&program, &mut terms, entry, counts, Boxes::Inline).rotated(&mut terms, entry);
    check(&reduced.program, &terms, Stage::Regions);
    origins_fit(&program, &reduced);
    (reduced, terms)
}

/// Every statement comes from one of the same kind.
fn origins_fit(program: &Program, reduced: &Reduced) {
    for (region, origins) in reduced.program.regions.iter().zip(&reduced.origins) {
        if origins.frames.is_empty() {
            continue;
        }
        assert_eq!(region.blocks.len(), origins.blocks.len());
        for (block, from) in region.blocks.iter().zip(&origins.blocks) {
            assert_eq!(block.stmts.len(), from.stmts.len());
            for (stmt, place) in block.stmts.iter().zip(&from.stmts) {
                let of = &program.regions[origins.frames[place.frame as usize].region.index()];
                let old = &of.blocks[place.block.index()].stmts[place.stmt as usize];
                let kind = std::mem::discriminant::<StmtKind>;
                assert!(kind(&old.kind) == kind(&stmt.kind) || matches!(stmt.kind, StmtKind::Assign(_)));
            }
        }
    }
}

/// The text of the reduced program, without positions.
fn reduced(source: &str) -> String {
    let (reduced, terms) = reduced_if(source, &|_| true);
    text::print(&reduced.program, &terms)
}

/// Blocks of a procedure that is put in place, and what is left of a block behind a loop, get labels that no other has.
#[test]
fn labels_stay_apart() {
    for (tests, position) in (1..8).flat_map(|n| (0..n).map(move |p| (n, p))) {
        let label = |i| if i == position { "s".to_owned() } else { format!("b{i}") };
        let mut callee = String::from("proc f(a: Int) -> (r: Int) { start: r := 0 goto t0 ");
        for i in 0..tests {
            let (this, next) = (label(i), i + 1);
            callee +=
                &format!("t{i}: branch (= a {i}) then {this} else t{next} {this}: r := (+ r a {i}) goto t{next} ");
        }
        callee += &format!("t{tests}: return }}");
        // The reduced program is checked.
        reduced(&format!(
            "assertion #0 user {callee}
             proc main(c: Int) {{ local x: Int local n: Int
               s: havoc n, x goto head
               head: branch (< x c) then body else after
               body: x := (+ x 1) goto head
               after: box f(n) -> (n) assert #0 (<= n x) return }}
             entry main"
        ));
    }
}

#[test]
fn what_no_assertion_reads_goes() {
    let out = reduced(
        "assertion #0 user global g: Int global h: Int
         proc p(a: Int, b: Int) -> (r: Int) { local x: Int local y: Int
           s: x := a, y := b h := y g := x havoc y r := y assert #0 (<= g 5) h := 7 return }",
    );
    for gone in ["h", "y", "b", "r"] {
        assert!(!out.contains(&format!("{gone}:")) && !out.contains(&format!("{gone} :=")), "{gone} stays:\n{out}");
    }
    assert!(out.contains("x := a") && out.contains("g := x"), "{out}");
}

#[test]
fn a_branch_stays_only_if_something_depends_on_it() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(a: Int, b: Int) { local x: Int
           s: branch (<= a 0) then l else r  l: x := 1 goto m  r: x := 2 goto m
           m: branch (<= b 0) then u else v  u: g := 1 goto w  v: g := 2 goto w
           w: assert #0 (<= g 2) return }",
    );
    assert!(!out.contains("(<= a 0)") && !out.contains("x :="), "{out}");
    assert!(out.contains("(<= b 0)") && out.contains("g := 1") && out.contains("g := 2"), "{out}");
}

#[test]
fn stops_and_assumptions_before_an_assertion_stay() {
    let out = reduced(
        "assertion #0 user
         proc p(a: Int, b: Int, c: Int) { s: branch (<= a 0) then l else r  l: stop
           r: assume (<= b 0) assert #0 false assume (<= c 0) return }",
    );
    assert!(out.contains("(<= a 0)") && out.contains("(<= b 0)") && !out.contains("(<= c 0)"), "{out}");
}

#[test]
fn only_assertions_that_count_are_kept_for_their_own_sake() {
    let source = "assertion #0 user assertion #1 user
         proc p(a: Int, b: Int) { s: assert #0 (<= a 0) assert #1 (<= b 0) return }";
    let (first, terms) = reduced_if(source, &|a| a == AssertId(0));
    let out = text::print(&first.program, &terms);
    assert!(out.contains("(<= a 0)") && !out.contains("(<= b 0)"), "{out}");
    // The first one restricts executions that get to the second.
    let (second, terms) = reduced_if(source, &|a| a == AssertId(1));
    let out = text::print(&second.program, &terms);
    assert!(out.contains("(<= a 0)") && out.contains("(<= b 0)"), "{out}");
}

#[test]
fn boxes_without_an_effect_that_matters_go() {
    let out = reduced(
        "assertion #0 user global g: Int global log: Int
         proc p(a: Int) { local r: Int local q: Int
           s: box note(a) box both(a, 1) -> (r, q) box fails(a) assert #0 (<= r g) box note(3) return }
         proc note(n: Int) { s: log := (+ log n) return }
         proc both(m: Int, k: Int) -> (x: Int, y: Int) { s: x := m y := (+ log k) return }
         proc fails(l: Int) { s: assume (<= l 5) return }",
    );
    assert!(!out.contains("box note") && !out.contains("log") && !out.contains("y :="), "{out}");
    // What is left of the others is put in place.
    assert!(!out.contains("box ") && out.contains("5)") && out.contains("assert #0"), "{out}");
}

#[test]
fn a_loop_that_nothing_needs_goes_and_one_that_never_ends_stops() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(a: Int) { local i: Int
           s: i := 0 goto l  l: branch (<= i a) then b else m  b: i := (+ i 1) goto l
           m: assert #0 (<= g 0) return }",
    );
    assert!(!out.contains("box p"), "{out}");
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(a: Int) { s: goto l  l: g := 1 goto l }
         proc q(b: Int) { s: box p(b) assert #0 false return }
         entry q",
    );
    assert!(!out.contains("assert #0 false"), "{out}");
}

#[test]
fn the_counter_of_a_loop_is_no_result_if_nobody_reads_it() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(a: Int) { local i: Int local k: Int
           s: i := 0 k := 0 goto l  l: branch (<= i a) then b else m  b: i := (+ i 1) k := (+ k i) g := (+ g i) goto l
           m: assert #0 (<= g 0) k := i return }",
    );
    assert!(!out.contains("k :="), "{out}");
    let (program, _) = reduced_if(
        "assertion #0 user global g: Int
         proc p(a: Int) { local i: Int
           s: i := 0 goto l  l: branch (<= i a) then b else m  b: i := (+ i 1) g := (+ g i) goto l
           m: assert #0 (<= g 0) i := i return }",
        &|_| true,
    );
    let of_loop = &program.program.regions[1];
    assert_eq!((of_loop.inputs.len(), of_loop.outputs.len()), (2, 0));
}

#[test]
fn constants_decide_branches_across_boxes() {
    let out = reduced(
        "assertion #0 user assertion #1 user global mode: Int global x: Int
         proc main() { local r: Int s: mode := 1 box step(7) -> (r) assert #1 (= r 8) return }
         proc step(k: Int) -> (q: Int) { s: branch (= mode 1) then a else b  a: q := (+ k 1) return
           b: assert #0 false q := x return }
         entry main",
    );
    assert!(!out.contains("assert #"), "{out}");
}

#[test]
fn what_a_loop_changes_is_not_constant() {
    let out = reduced(
        "assertion #0 user assertion #1 user
         proc p() { local i: Int local k: Int
           s: i := 0 k := 3 goto l  l: branch (<= i 10) then b else m  b: assert #1 (= k 3) i := (+ i 1) goto l
           m: assert #0 (= i 10) return }",
    );
    assert!(out.contains("assert #0 (= i 10)") && !out.contains("assert #1 ("), "{out}");
}

#[test]
fn a_recursion_that_may_return_returns_anything() {
    let out = reduced(
        "assertion #0 user
         proc main() { local r: Int s: box f(3) -> (r) assert #0 (= r 0) return }
         proc f(n: Int) -> (q: Int) { local t: Int s: branch (<= n 0) then a else b  a: q := 0 return
           b: box f((- n 1)) -> (t) q := (+ t 1) return }
         entry main",
    );
    assert!(out.contains("assert #0 (= r 0)") && out.contains("box f"), "{out}");
}

#[test]
fn an_assumption_that_the_branch_states_goes() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(a: Int) { s: branch (<= a 0) then l else r  l: assume (<= a 0) goto m  r: assume (not (<= a 0)) goto m
           m: assert #0 (<= g 0) return }",
    );
    assert!(!out.contains("(<= a 0)"), "{out}");
}

#[test]
fn small_procedures_are_put_in_place() {
    let source = "assertion #0 user global g: Int
         proc main(a: Int) { local r: Int local q: Int
           s: box pick(a) -> (r) box twice(r) -> (q) box twice(q) -> (r) assert #0 (<= r g) return }
         proc pick(k: Int) -> (x: Int) { local l: Int
           s: goto u, v  u: havoc x return  v: x := (+ l k) return }
         proc twice(n: Int) -> (y: Int) { local t: Int s: box pick(n) -> (t) y := (+ t t) return }
         entry main";
    let (program, terms) = reduced_if(source, &|_| true);
    let out = text::print(&program.program, &terms);
    assert!(!out.contains("box "), "{out}");
    let origins = &program.origins[0];
    // main, pick, twice with its pick, twice with its pick
    let regions: Vec<u32> = origins.frames.iter().map(|f| f.region.0).collect();
    assert_eq!(regions.iter().filter(|&&r| r == 1).count(), 3, "{regions:?}");
    let main = &program.program.regions[0];
    let havocs = main.blocks.iter().flat_map(|b| &b.stmts).filter(|s| matches!(s.kind, StmtKind::Havoc(_))).count();
    assert_eq!(havocs, 3, "{out}");
}

#[test]
fn recursion_and_loops_are_not_put_in_place() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc main(a: Int) { s: box count(a) box down(a) assert #0 (<= g 0) return }
         proc count(n: Int) { s: goto l  l: branch (<= g n) then b else m  b: g := (+ g 1) goto l  m: return }
         proc down(k: Int) { s: branch (<= k 0) then l else r  l: return  r: g := (+ g k) box down((- k 1)) return }
         entry main",
    );
    assert!(out.contains("box count(a)") && out.contains("box down(a)"), "{out}");
}

#[test]
fn random_programs_stay_programs() {
    for seed in 0..300 {
        let source = random_program(&mut Rng(seed));
        let (mut program, mut terms) = read(&source);
        program.regions.iter_mut().for_each(remove_unreachable);
        extract_loops(&mut program, &mut terms);
        for only in [None, Some(0), Some(1)] {
            let counts = |a: AssertId| only.is_none_or(|o| o == a.0);
            let reduced = reduce(&program, &mut terms, RegionId(0), &counts, Boxes::Inline);
            let reduced = reduced.rotated(&mut terms, RegionId(0));
            check(&reduced.program, &terms, Stage::Regions);
            origins_fit(&program, &reduced);
        }
    }
}

#[test]
fn a_loop_is_boxed_under_the_condition_at_its_head() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(n: Int) { local i: Int local s: Int
           a: i := 0 s := 0 goto h
           h: branch (< i n) then b else e
           b: havoc g s := (+ s g) i := (+ i 1) goto h
           e: assert #0 (<= s i) return }",
    );
    let (parent, body) = out.split_once("loop ").expect("a loop");
    assert!(parent.contains("branch (<= 1 n)"), "the first round:\n{out}");
    // Only where the next round is decided on, and after the last statement of this one.
    assert_eq!(body.matches("branch").count(), 1, "{out}");
    assert!(body.find("havoc") < body.find("branch"), "{out}");
    assert!(body.contains("branch (< i n)") && !body.contains("i := i"), "{out}");
}

#[test]
fn what_a_loop_leaves_with_is_assigned_where_there_is_no_round() {
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(n: Int) { local r: Int
           a: r := n goto h
           h: g := (+ r 5) branch (< r 10) then b else e
           b: havoc r assume (< n r) goto h
           e: assert #0 (<= r g) return }",
    );
    assert_eq!(out.matches("branch (<= r 9)").count(), 2, "{out}");
    assert_eq!(out.matches("g := (+ r 5)").count(), 3, "at the head and where there is no round:\n{out}");
}

#[test]
fn a_loop_that_does_more_at_its_head_is_left() {
    // The condition is not one over the inputs of the loop: the head asks for a value.
    let out = reduced(
        "assertion #0 user global g: Int
         proc p(n: Int) { local i: Int local c: Int
           a: i := 0 goto h
           h: havoc c branch (< c n) then b else e
           b: i := (+ i c) goto h
           e: assert #0 (<= i 7) return }",
    );
    let (parent, body) = out.split_once("loop ").expect("a loop");
    assert!(!parent.contains("branch"), "{out}");
    assert!(body.contains("branch (< c n)"), "{out}");
}

//! Candidates for loop invariants: their code goes, and their formula comes to the head of the loop.

mod common;

use common::{check, read};
use lariat_program::{Stage, extract_loops, place_candidates, text};

/// The text of a program after its candidates were placed, and how many could not be.
fn placed(source: &str) -> (String, usize) {
    let (mut program, mut terms) = read(source);
    let marker = program.constants[0].var;
    let lost = place_candidates(&mut program, &mut terms, marker).len();
    check(&program, &terms, Stage::Graph);
    let graph = text::print(&program, &terms);
    extract_loops(&mut program, &mut terms);
    check(&program, &terms, Stage::Regions);
    (graph, lost)
}

#[test]
fn the_formula_is_told_at_the_head() {
    let (text, lost) = placed(
        "const marker: Bool
         assertion #0 candidate
         proc p(n: Int) {
           local i: Int
           local t: Int
           local phi: Bool
         start: i := 0 goto head
         head: t := (+ i 1) branch (< i n) then body else done
         body: branch marker then code else rest
         code: branch (< i 5) then left else right
         left: phi := (< t 7) goto joined
         right: phi := false goto joined
         joined: assert #0 phi goto rest
         rest: i := (+ i 1) goto head
         done: return
         }",
    );
    assert_eq!(lost, 0);
    assert!(text.contains("assert #0 (or p/any!0 (and (<= i 5) (<= i 4)))"), "{text}");
    assert!(!text.contains("marker"), "{text}");
}

#[test]
fn what_cannot_be_told_is_never_run() {
    let cases = [
        // In no loop.
        "start: branch marker then code else done code: assert #0 (< i n) goto done done: return",
        // About what the round has changed to any value.
        "start: goto head
         head: havoc i goto body
         body: branch marker then code else rest
         code: assert #0 (< i n) goto rest
         rest: branch (< i n) then head else done
         done: return",
        // The branch is not on the marker itself.
        "start: b := marker goto head
         head: branch b then code else rest
         code: assert #0 (< i n) goto rest
         rest: branch (< i n) then head else done
         done: return",
    ];
    for (i, case) in cases.into_iter().enumerate() {
        let source =
            format!("const marker: Bool assertion #0 candidate proc p(n: Int) {{ local i: Int local b: Bool {case} }}");
        let (text, lost) = placed(&source);
        assert_eq!(lost, usize::from(i < 2), "{text}");
        assert!(!text.contains("marker") && !text.contains("(or"), "{text}");
    }
}

//! Concrete execution with unknown values, on programs in textual form.

use std::sync::Arc;

use lariat_program::{
    AssertId, Program,
    concrete::{Explored, Explorer},
    extract_loops, text,
};
use lariat_term::Terms;

fn explore_from(mut program: Program, mut terms: Terms, counts: &[u32]) -> Explored {
    extract_loops(&mut program, &mut terms);
    let entry = program.entries[0];
    let asserts: Vec<AssertId> = counts.iter().map(|&a| AssertId(a)).collect();
    Explorer::new(Arc::new(program), Arc::new(terms), entry, asserts.into()).run(&|| false)
}

/// What comes of a body of `main` over some variables; assertion 0 counts.
fn explore(locals: &str, body: &str) -> Explored {
    let source = format!(
        "global m: (Array (_ BitVec 32) (Array (_ BitVec 32) (_ BitVec 8)))
         assertion #0 user assertion #1 user assertion #2 approximate assertion #3 candidate
         proc main() {{ {locals} start: {body} }}
         entry main"
    );
    let mut terms = Terms::new();
    let program = text::parse(&source, &mut terms).unwrap_or_else(|e| panic!("{e:?}\n{source}"));
    explore_from(program, terms, &[0])
}

const WORDS: &str = "local i: (_ BitVec 32) local j: (_ BitVec 32) local x: (_ BitVec 32) local b: Bool";

#[test]
fn loops_without_inputs_are_run_to_their_end() {
    let count = |last: &str| {
        format!(
            "i := #x00000000 goto head
             head: branch (bvult i #x00030000) then body else done
             body: m := (store m #x00000001 (store (select m #x00000001) i ((_ extract 7 0) i)))
               i := (bvadd i #x00000001) goto head
             done: assert #0 (= (select (select m #x00000001) #x00020304) {last}) return"
        )
    };
    assert_eq!(explore(WORDS, &count("#x04")), Explored::Safe);
    assert_eq!(explore(WORDS, &count("#x05")), Explored::Fails(AssertId(0)));
}

#[test]
fn what_depends_on_an_unknown_value_is_not_known() {
    let unknown = |found| matches!(found, Explored::Unknown(_));
    assert!(unknown(explore(WORDS, "assert #0 (= i i) assert #0 (= i j) return")));
    assert!(unknown(explore(WORDS, "m := (store m i (select m j)) assert #0 (= (select (select m j) i) #x00) return")));
    assert!(unknown(explore(WORDS, "i := #x00000001 havoc i assert #0 (= i #x00000001) return")));
    // What no execution decides otherwise is known.
    assert_eq!(explore(WORDS, "assert #0 (or b (= #x01 (bvand #x01 #x03))) return"), Explored::Safe);
    assert_eq!(explore(WORDS, "i := (ite b #x00000002 #x00000002) assert #0 (= i #x00000002) return"), Explored::Safe);
    // A store at an unknown index may be anywhere.
    let stores = "m := (store m #x00000001 (store (select m #x00000001) #x00000002 #x07))
      m := (store m #x00000001 (store (select m #x00000001) x #x08))
      assert #0 (= (select (select m #x00000001) #x00000002) #x07) return";
    assert!(unknown(explore(WORDS, stores)));
}

#[test]
fn both_ways_of_an_unknown_branch_are_followed() {
    let body = |last: &str| {
        format!(
            "branch b then yes else no
             yes: i := #x00000001 goto done
             no: i := #x00000002 goto done
             done: assert #0 (bvult i {last}) return"
        )
    };
    assert_eq!(explore(WORDS, &body("#x00000003")), Explored::Safe);
    // A failure on one of several paths may be on none that the program has.
    assert!(matches!(explore(WORDS, &body("#x00000002")), Explored::Unknown(_)));
    let choice =
        "i := #x00000000 goto one, two one: i := #x00000001 goto two two: assert #0 (bvult i #x00000002) return";
    assert_eq!(explore(WORDS, choice), Explored::Safe);
    let forever = "goto head head: branch (= i j) then head else done done: return";
    assert_eq!(explore(WORDS, forever), Explored::Unknown("there are too many paths"));
}

#[test]
fn assumptions_and_assertions_that_do_not_count_end_paths() {
    assert_eq!(explore(WORDS, "assume false assert #0 false return"), Explored::Safe);
    assert_eq!(explore(WORDS, "assert #1 false assert #0 false return"), Explored::Safe);
    // One that depends on an unknown value is left out: nothing behind it is certain.
    for before in ["assume (= i j)", "assert #1 (= i j)", "assert #2 false"] {
        let failed = explore(WORDS, &format!("{before} assert #0 false return"));
        assert_eq!(failed, Explored::Unknown("a failure depends on an unknown value"), "{before}");
        assert_eq!(explore(WORDS, &format!("{before} assert #0 true return")), Explored::Safe);
    }
    assert_eq!(explore(WORDS, "assert #3 false assert #0 false return"), Explored::Fails(AssertId(0)));
}

#[test]
fn regions_are_called_with_values() {
    let source = "assertion #0 user
      proc swap(x: (_ BitVec 8), y: (_ BitVec 8)) -> (x: (_ BitVec 8), y: (_ BitVec 8)) { start: x := y, y := x return }
      proc fill(a: (Array (_ BitVec 8) (_ BitVec 8)), n: (_ BitVec 8)) -> (a: (Array (_ BitVec 8) (_ BitVec 8))) {
        start: branch (= n #x00) then done else more
        more: n := (bvadd n #xff) a := (store a n n) box fill(a, n) -> (a) goto done
        done: return
      }
      proc main() {
        local a: (Array (_ BitVec 8) (_ BitVec 8)) local b: (Array (_ BitVec 8) (_ BitVec 8))
        local p: (_ BitVec 8) local q: (_ BitVec 8)
        start: p := #x01, q := #x02
          box swap(p, q) -> (p, q)
          assert #0 (and (= p #x02) (= q #x01))
          box fill(a, #x09) -> (a)
          b := a
          a := (ite (= p #x02) (store (store a #x03 #x44) #x05 (select a #x03)) a)
          assert #0 (and (= (select a #x03) #x44) (= (select a #x05) #x03) (= (select b #x03) #x03) (= (select a #x08) #x08))
          return
      }
      entry main";
    let mut terms = Terms::new();
    let program = text::parse(source, &mut terms).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(explore_from(program, terms, &[0]), Explored::Safe);
}

#[test]
fn it_pauses_and_goes_on() {
    let mut terms = Terms::new();
    let source = "assertion #0 user proc main() { local i: Int start: i := 0 goto head
      head: branch (< i 100000) then body else done body: i := (+ i 1) goto head
      done: assert #0 (= (* i i i i) 100000000000000000000) return } entry main";
    let mut program = text::parse(source, &mut terms).unwrap_or_else(|e| panic!("{e:?}"));
    extract_loops(&mut program, &mut terms);
    let entry = program.entries[0];
    let mut explorer = Explorer::new(Arc::new(program), Arc::new(terms), entry, Arc::new([AssertId(0)]));
    let mut pauses = 0;
    let found = loop {
        match explorer.run(&|| true) {
            Explored::Paused => pauses += 1,
            found => break found,
        }
    };
    assert_eq!(found, Explored::Safe);
    assert!(pauses > 10 && explorer.steps() > 100_000 && explorer.paths() == 1);
}

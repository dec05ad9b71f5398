//! Coverage-guided random search, on programs in textual form. Each failure that it finds is made again by the interpreter.

use std::{cell::Cell, sync::Arc};

use lariat_program::{
    AssertId,
    concrete::{Decided, Decisions, RandomSearch, Searched},
    extract_loops,
    interp::{Asked, At, Interpreter, Options, Outcome, Query, ValueSource},
    text,
};
use lariat_term::{Terms, Value};

/// Answers with what a search decided; zeros otherwise.
struct DecidedSource {
    decisions: Decisions,
    /// Where the instances of the run are among the decisions.
    instances: Vec<Option<usize>>,
}

impl DecidedSource {
    fn instance(&self, at: At) -> Option<&Decided> {
        self.decisions.instances.get(self.instances[at.instance as usize]?)
    }
}

impl ValueSource for DecidedSource {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let at = query.at;
        let found = match query.asked {
            Asked::Havoc(v) => {
                let mut havoc = self.instance(at)?.havoc.iter();
                havoc.find(|(place, _)| *place == (at.block, at.stmt, v)).map(|(_, value)| value.clone())
            }
            Asked::Local(v) | Asked::Input(v) => {
                self.instance(at)?.locals.iter().find(|(var, _)| *var == v).map(|(_, value)| value.clone())
            }
            Asked::Global(v) => {
                self.decisions.globals.iter().find(|(var, _)| *var == v).map(|(_, value)| value.clone())
            }
            _ => None,
        };
        found.or_else(|| terms.default_value(query.sort))
    }

    fn choose(&mut self, _among: usize, at: At) -> Option<usize> {
        self.instance(at)?.choices.iter().find(|(block, _)| *block == at.block).map(|(_, choice)| *choice)
    }

    fn enter(&mut self, from: At) {
        let entered = self.instance(from).and_then(|i| i.boxes.iter().find(|(at, _)| *at == (from.block, from.stmt)));
        self.instances.push(entered.map(|(_, number)| *number));
    }
}

/// Looks for a failure of assertion 0 in `main`, for so many questions whether to go on, and makes the run that fails again.
fn search(source: &str, patience: u32) -> bool {
    let mut terms = Terms::new();
    let mut program = text::parse(source, &mut terms).unwrap_or_else(|e| panic!("{e:?}\n{source}"));
    extract_loops(&mut program, &mut terms);
    let (entry, program, terms) = (program.entries[0], Arc::new(program), Arc::new(terms));
    let left = Cell::new(patience);
    let stopped = || {
        left.set(left.get().saturating_sub(1));
        left.get() == 0
    };
    let mut search = RandomSearch::new(program.clone(), terms.clone(), entry, [AssertId(0)].into());
    match search.run(&stopped) {
        Searched::Fails(id, decisions) => {
            let decisions = *decisions;
            let options = Options { look_ahead: false, settle_outputs: true, ..Options::default() };
            let interpreter = Interpreter::new(&program, &terms, options).expect("a correct program");
            let run = interpreter.run(entry, &mut DecidedSource { decisions, instances: vec![Some(0)] });
            assert!(
                matches!(run.outcome, Outcome::AssertionFailed { id: failed, .. } if failed == id),
                "{:?}",
                run.outcome
            );
            true
        }
        Searched::Paused => false,
        Searched::Stuck => panic!("the machine is stuck"),
    }
}

#[test]
fn a_long_sequence_of_inputs_is_found_step_by_step() {
    // A lock that opens after the digits 3, 1, 4, 1, 5, 9, 2, 6; a wrong one locks it again.
    let digits = [3, 1, 4, 1, 5, 9, 2, 6];
    let mut steps = String::new();
    for (k, digit) in digits.iter().enumerate() {
        let next = k + 1;
        steps += &format!(
            "try{k}: branch (= state #x0000000{k}) then is{k} else try{next}
             is{k}: branch (= x #x0000000{digit}) then right else wrong "
        );
    }
    let source = format!(
        "global state: (_ BitVec 32)
         assertion #0 user
         proc main() {{ local x: (_ BitVec 32)
         start: state := #x00000000 goto head
         head: havoc x goto try0
         {steps}
         try8: assert #0 false goto head
         right: state := (bvadd state #x00000001) goto head
         wrong: state := #x00000000 goto head
         }}
         entry main"
    );
    assert!(search(&source, 100_000));
}

#[test]
fn a_value_that_is_compared_with_is_tried() {
    let source = "global m: (Array (_ BitVec 32) (Array (_ BitVec 32) (_ BitVec 8)))
        assertion #0 user
        proc twice(a: (_ BitVec 32)) -> (r: (_ BitVec 32)) { start: r := (bvadd a a) return }
        proc main(x: (_ BitVec 32)) { local y: (_ BitVec 32) local z: (_ BitVec 32)
        start: box twice(#x091a2b3c) -> (z) goto head
        head: havoc y
          branch (= y z) then found else again
        again: goto head, out
        out: return
        found: branch (= (select (select m y) x) #x00) then bad else out
        bad: assert #0 false return }
        entry main";
    assert!(search(source, 100_000));
}

#[test]
fn a_failure_after_many_rounds_is_found_by_running() {
    let source = "assertion #0 user
        proc main() { local i: (_ BitVec 32) local s: (_ BitVec 32)
        start: i := #x00000000 s := #x00000000 goto head
        head: branch (bvult i #x00020000) then body else done
        body: s := (bvadd s i) i := (bvadd i #x00000001) goto head
        done: assert #0 (= i #x00000000) return }
        entry main";
    assert!(search(source, 100_000));
}

#[test]
fn nothing_fails_that_is_assumed_away_or_does_not_count() {
    let source = "assertion #0 user assertion #1 user assertion #2 approximate
        proc main() { local x: (_ BitVec 32) local y: (_ BitVec 32)
        start: havoc x goto one, two, three
        one: assume (bvult x #x00000003) assert #0 (bvult x #x00000003) return
        two: assert #1 (= x #x00000003) assert #0 (= x #x00000003) return
        three: assert #2 true assert #0 false return }
        entry main";
    assert!(!search(source, 2_000));
}

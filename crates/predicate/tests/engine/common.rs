//! Boogie programs for the tests, and the engine alone on them.

use std::sync::Arc;

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::{LowerOptions, Mode, entry_of},
};
use lariat_engine::{Answer, Budget, Engine, Questions, Reading, Stop, Task};
use lariat_predicate::{Blocks, Exploration, PredicateAbstraction, Settings, Tracked, write_predicates};
use lariat_program::{AssertId, extract_loops};
use lariat_smt::solvers;
use lariat_term::{Sort, Term, Terms};

/// What the engine says of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Proved,
    Refuted,
    Nothing,
}

/// The engine alone on a program with a procedure `main`. Proofs are checked.
pub fn explore(source: &str, settings: Settings) -> (Said, Exploration) {
    let options =
        compile::Options { lower: LowerOptions { mode: Mode::Reach, ..Default::default() }, ..Default::default() };
    let compiled = compile([Source::new("a.bpl", source)], &options);
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let (mut program, mut terms) = (compiled.program.unwrap_or_else(|| panic!("{shown}")), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let entry = entry_of(&program, "main").expect("a procedure main");
    let asserts: Vec<AssertId> = (0..program.assertions.len() as u32).map(AssertId).collect();
    let program = Arc::new(program);
    let task = Task {
        given: program.clone(),
        program,
        terms: Arc::new(terms),
        entry,
        asserts: asserts.into(),
        reading: Reading::Bits,
        solver: "z3".into(),
        shared: Arc::default(),
        stop: Stop::default(),
    };
    let large = settings.blocks == Blocks::Large;
    task.shared.options.post(Reading::Bits, Settings { report: true, ..settings });
    let mut session = PredicateAbstraction.start(&task).expect("clauses");
    let said = match session.run(&Budget::default()) {
        Answer::Proof(mut proof) => {
            let mut open = |_: Questions| solvers::open("z3", None);
            assert!(proof.check(&mut open).expect("the linked solver"), "a proof does not hold");
            let told = proof.certificate(session.terms()).is_some();
            assert_eq!(told, large, "large blocks have certificates");
            Said::Proved
        }
        // An execution is claimed only if it fails in the interpreter.
        Answer::Bug(bug) => {
            assert!(bug.execution.is_ok_and(|e| e.assertion.is_some()));
            Said::Refuted
        }
        _ => Said::Nothing,
    };
    let explored = task.shared.board.facts::<Exploration>(Reading::Bits).expect("something was explored");
    (said, (*explored).clone())
}

/// What is tracked at places that begin at a line of the source, or in the relation of this name.
pub fn at<'a>(explored: &'a Exploration, place: &str) -> Vec<&'a Tracked> {
    let line: Option<u32> = place.strip_prefix("line ").and_then(|n| n.parse().ok());
    let here = |t: &&Tracked| t.place.name == place || line == Some(t.place.loc.line);
    explored.tracked.iter().filter(here).collect()
}

/// Is what the facts of a place say together equivalent to this formula over the names of variables?
pub fn is_reached(explored: &Exploration, place: &str, formula: &str) -> bool {
    refuted(explored, place, formula, |terms, reached, formula| terms.ne(reached, formula))
}

/// Does this formula over the names of variables follow from what the facts of a place say together?
pub fn follows(explored: &Exploration, place: &str, formula: &str) -> bool {
    refuted(explored, place, formula, |terms, reached, formula| {
        let not = terms.not(formula);
        terms.and(&[reached, not])
    })
}

fn refuted(explored: &Exploration, place: &str, formula: &str, wrong: impl Fn(&mut Terms, Term, Term) -> Term) -> bool {
    at(explored, place).iter().any(|tracked| {
        let mut terms = explored.terms.clone();
        let Some(formula) = read(&mut terms, tracked, formula) else { return false };
        let wrong = wrong(&mut terms, tracked.reached, formula);
        let mut solver = solvers::open("z3", None).expect("the linked solver");
        solver.assert(&terms, wrong).expect("a formula");
        solver.check(&terms, &[]).expect("an answer").is_unsat()
    })
}

/// A formula over the names that variables have at a place, if it has them all.
fn read(terms: &mut Terms, tracked: &Tracked, formula: &str) -> Option<Term> {
    let mut env = lariat_term::smtlib::Env::new();
    for (&v, name) in &tracked.names {
        let t = terms.var_term(v);
        env.bind(name, t);
    }
    let t = terms.parse_term(formula, &mut env).ok()?;
    (terms.sort(t) == Sort::BOOL).then_some(t)
}

/// All that is tracked, for messages.
pub fn shown(explored: &Exploration) -> String {
    write_predicates(&mut explored.terms.clone(), Reading::Bits, &explored.tracked)
}

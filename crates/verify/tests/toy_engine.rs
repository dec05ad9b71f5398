//! A further engine is an implementation of the trait and a row of the schedule.

use std::sync::Arc;

use lariat_boogie::{
    analyze::Source,
    compile::{Options as CompileOptions, compile},
    lower::entry_of,
};
use lariat_engine::{Answer, Budget, Engine, OpenSolver, Proof, Reading, Session, Task};
use lariat_program::{AssertId, StmtKind, extract_loops};
use lariat_smt::SolverError;
use lariat_term::Terms;
use lariat_verify::{Engines, Options, Row, Verdict, row, verify};

/// Proves programs all of whose assertions are plainly true.
struct Plain;

impl Engine for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn about(&self) -> &'static str {
        "looks at assertions one by one"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        Some(Box::new(Work(task.clone())))
    }
}

struct Work(Task);

impl Session for Work {
    fn run(&mut self, _: &Budget) -> Answer {
        let task = &self.0;
        let counts = |id: &AssertId| task.asserts.binary_search(id).is_ok();
        let mut stmts = task.program.regions.iter().flat_map(|r| &r.blocks).flat_map(|b| &b.stmts);
        let holds = |kind: &StmtKind| !matches!(kind, StmtKind::Assert { id, cond } if counts(id) && *cond != Terms::clone(&task.terms).bool(true));
        if stmts.all(|s| holds(&s.kind)) {
            Answer::Proof(Box::new(Seen))
        } else {
            Answer::Nothing("an assertion is not plainly true".into())
        }
    }
}

/// There is nothing left to check.
struct Seen;

impl Proof for Seen {
    fn check(&mut self, _: OpenSolver<'_>) -> Result<bool, SolverError> {
        Ok(true)
    }
}

static WITH_A_TOY: &[Row] = &[row(&Plain, Reading::Bits, &[], 0, (1, 0), 1)];

fn verdict(text: &str) -> Verdict {
    let compiled = compile([Source::new("test.bpl", text)], &CompileOptions::default());
    let (mut program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let entries = vec![entry_of(&program, "main").expect("a procedure main")];
    let engines = Engines::Only(vec!["plain".into()]);
    let options = Options { entries, engines, schedule: WITH_A_TOY, reduce: false, ..Options::default() };
    verify(&Arc::new(program.clone()), &mut terms, &options, &mut |_| {}).verdict
}

#[test]
fn a_toy_engine_answers() {
    assert!(matches!(verdict("procedure main(x: int) { while (*) { assert x == x; } }"), Verdict::Safe));
    let not_plain = verdict("procedure main(x: int) { assert x * x >= 0; }");
    assert!(matches!(not_plain, Verdict::Unknown(why) if why.contains("plainly")));
}

//! One program against all that answers: every prover alone, unfolding under a strategy, and the whole portfolio, with
//! runs of the interpreter as the judge.

use std::time::{Duration, Instant};

use std::sync::Arc;

use lariat_boogie::{analyze::Source as File, compile::compile, lower::entry_of};
use lariat_engine::{Budget, Reading, Stop, Task};
use lariat_localize::{MinimizerKind, Settings, Track};
use lariat_program::{
    AssertId, Program, RegionId, extract_loops,
    interp::{At, Interpreter, Options as RunOptions, Outcome, Query, Random, TraceLevel, ValueSource},
    reduce::{Boxes, reduce},
};
use lariat_term::{SortKind, Terms, Value};
use lariat_verify::{
    Arith, Correction, Engines, Fate, Options, SCHEDULE, StrategyKind, Targets, Verdict,
    alone::{self, Said},
    verify,
};

/// How much to spend on a program.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For each prover.
    pub time: Duration,
    /// Random runs, and as many more that take all values in turn, of a program that something proves.
    pub runs: u64,
    /// This engine alone, and no unfolding.
    pub only: Option<&'static str>,
}

/// What came out for one program.
#[derive(Default, Debug)]
pub struct Results {
    /// Who proved it.
    pub proved: Vec<String>,
    /// Who found a bug.
    pub refuted: Vec<String>,
    /// Runs that fail, if there are any: the first assertions that do.
    pub failing: Vec<AssertId>,
    /// All values that the program asks for were tried.
    pub exhausted: bool,
    /// Answers that contradict each other or a run.
    pub defects: Vec<String>,
}

/// All values in turn, of bit-vectors at least: each run takes the next ones in the order of an odometer.
#[derive(Default)]
struct Odometer {
    /// What was taken, and how much there is to take, in the order of the questions.
    wheels: Vec<(u64, u64)>,
    at: usize,
}

impl Odometer {
    fn next(&mut self, among: u64) -> u64 {
        if self.at == self.wheels.len() {
            self.wheels.push((0, among));
        }
        self.at += 1;
        self.wheels[self.at - 1].0
    }

    /// Turns to the next run, if there is one.
    fn turn(&mut self) -> bool {
        self.wheels.truncate(self.at);
        self.at = 0;
        while let Some((taken, among)) = self.wheels.last_mut() {
            *taken += 1;
            if taken < among {
                return true;
            }
            self.wheels.pop();
        }
        false
    }
}

impl ValueSource for Odometer {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        match terms.sort_kind(query.sort) {
            SortKind::BitVec(w) => {
                let bits = self.next(1 << w.min(16));
                Some(Value::bv(w, bits))
            }
            SortKind::Bool => Some(Value::Bool(self.next(2) == 1)),
            SortKind::Int => Some(Value::int([0, 1, -1, 2, 3, 7, -2, 100][self.next(8) as usize])),
            _ => terms.default_value(query.sort),
        }
    }

    fn choose(&mut self, among: usize, _at: At) -> Option<usize> {
        Some(self.next(among as u64) as usize)
    }
}

/// A program as the engines take it.
struct Loaded {
    program: Program,
    terms: Terms,
    entry: RegionId,
}

impl Loaded {
    fn new(text: &str) -> Result<Loaded, String> {
        let compiled = compile([File::new("random.bpl", text)], &Default::default());
        let shown = compiled.diagnostics.display(&compiled.sources).to_string();
        let (mut program, mut terms) = (compiled.program.ok_or(shown)?, compiled.terms);
        extract_loops(&mut program, &mut terms);
        let entry = entry_of(&program, "p0").ok_or("there is no entry")?;
        Ok(Loaded { program, terms, entry })
    }

    fn interpreter(&self) -> Interpreter<'_> {
        let options = RunOptions { steps: 3_000, trace: TraceLevel::Off, ..RunOptions::default() };
        Interpreter::new(&self.program, &self.terms, options).expect("a program that passes the verifier")
    }

    /// Which assertions fail in random runs.
    fn random_runs(&self, seeds: std::ops::Range<u64>) -> Vec<AssertId> {
        let interpreter = self.interpreter();
        let failed = seeds.filter_map(|seed| match interpreter.run(self.entry, &mut Random::new(seed)).outcome {
            Outcome::AssertionFailed { id, .. } => Some(id),
            _ => None,
        });
        failed.take(20).collect()
    }

    /// Which assertions fail when all values are taken in turn, and whether there are no more.
    fn runs_in_turn(&self, runs: u64) -> (Vec<AssertId>, bool) {
        let interpreter = self.interpreter();
        let (mut source, mut failed) = (Odometer::default(), Vec::new());
        for _ in 0..runs {
            if let Outcome::AssertionFailed { id, .. } = interpreter.run(self.entry, &mut source).outcome {
                failed.push(id);
            }
            if !source.turn() {
                return (failed, true);
            }
        }
        (failed, false)
    }
}

/// Compares all answers on a program. The number decides which strategy unfolds, and such things.
pub fn compare(text: &str, number: u64, effort: Effort) -> Results {
    let mut results = Results::default();
    let mut loaded = match Loaded::new(text) {
        Ok(loaded) => loaded,
        Err(why) => {
            results.defects.push(format!("it does not compile: {why}"));
            return results;
        }
    };
    results.failing = loaded.random_runs(0..60);
    let all: Vec<AssertId> = (0..loaded.program.assertions.len() as u32).map(AssertId).collect();
    provers(&mut loaded, &all, number, effort, &mut results);
    if effort.only.is_none() {
        unfolding(&mut loaded, number, effort, &mut results);
    }
    if results.failing.is_empty() && !results.proved.is_empty() {
        results.failing = loaded.random_runs(60..60 + effort.runs);
    }
    if results.failing.is_empty() && !results.proved.is_empty() {
        let (failing, exhausted) = loaded.runs_in_turn(effort.runs);
        (results.failing, results.exhausted) = (failing, exhausted);
    }
    if let (Some(prover), Some(id)) = (results.proved.first(), results.failing.first()) {
        results.defects.push(format!("{prover} proves the program, and a run fails assertion {}", id.0));
    }
    if let (Some(prover), Some(other)) = (results.proved.first(), results.refuted.first()) {
        results.defects.push(format!("{prover} proves the program, and {other} finds a bug"));
    }
    results
}

/// Each prover alone, on the program as it is or as it is reduced.
fn provers(loaded: &mut Loaded, all: &[AssertId], number: u64, effort: Effort, results: &mut Results) {
    let Loaded { program, terms, entry } = loaded;
    let reduced = number.is_multiple_of(2).then(|| reduce(program, terms, *entry, &|_| true, Boxes::Inline));
    let is_reduced = reduced.is_some();
    let asked = Arc::new(reduced.map_or_else(|| program.clone(), |r| r.program));
    let terms = Arc::new(terms.clone());
    let asserts: Arc<[AssertId]> = all.into();
    let mut no_proof = None;
    for row in SCHEDULE.iter().filter(|row| effort.only.is_none_or(|only| row.engine.name() == only)) {
        let task = Task {
            given: asked.clone(),
            program: asked.clone(),
            terms: terms.clone(),
            entry: *entry,
            asserts: asserts.clone(),
            reading: Reading::Bits,
            solver: "auto".into(),
            shared: Arc::default(),
            stop: Stop::default(),
        };
        // Variable abstraction begins with nothing, or with what `auto` takes.
        let track = if number.is_multiple_of(3) { Track::Auto } else { Track::None };
        let minimizer = MinimizerKind::ALL[number as usize % MinimizerKind::ALL.len()];
        Settings { track, minimizer, ..Settings::default() }.tell(&task);
        let budget = Budget { deadline: Some(Instant::now() + effort.time), ..Budget::default() };
        // A solver that fails or runs out of time says nothing.
        match alone::ask(row, &task, &budget) {
            Said::Proved => results.proved.push(row.name()),
            // Runs of the reduced program may leave a loop that the given one stays in.
            Said::Refuted if !is_reduced => results.refuted.push(row.name()),
            Said::NoProof => no_proof = Some(row.name()),
            Said::Refuted | Said::Nothing => {}
        }
    }
    if let (Some(one), Some(other)) = (results.proved.first(), no_proof) {
        results.defects.push(format!("{one} proves the program, and {other} says that there is no proof"));
    }
}

/// Unfolding with a strategy and a bound, and the portfolio without one.
fn unfolding(loaded: &mut Loaded, number: u64, effort: Effort, results: &mut Results) {
    let others = [Correction::Linear, Correction::MaxSat].map(StrategyKind::Inertial);
    let strategies: Vec<StrategyKind> = StrategyKind::ALL.into_iter().chain(others).collect();
    let strategy = strategies[number as usize % strategies.len()];
    let arith = if number % 5 == 3 { Arith::Integers } else { Arith::Bits };
    let targets = if number % 3 == 1 { Targets::Each } else { Targets::Any };
    let deadline = |time| Some(Instant::now() + time);
    let reduce = number % 4 != 3;
    let entries = vec![loaded.entry];
    let budget = |time| Budget { deadline: deadline(time), ..Budget::default() };
    let bounded = Options {
        strategy,
        arith,
        reduce,
        engines: Engines::unfold(),
        targets: targets.clone(),
        budget: budget(effort.time * 2),
        bound: Some(4),
        eager_nodes: 100,
        entries: entries.clone(),
        ..Options::default()
    };
    let unbounded = Options { targets, budget: budget(effort.time * 6), entries, ..Options::default() };
    for (name, options) in [(format!("unfolding ({strategy:?})"), bounded), ("the portfolio".into(), unbounded)] {
        let whole = options.engines == Engines::Portfolio;
        if whole && !number.is_multiple_of(4) {
            continue;
        }
        let report = verify(&Arc::new(loaded.program.clone()), &mut loaded.terms, &options, &mut |_| {});
        for incident in &report.incidents {
            results.defects.push(format!("{name}: {}", incident.message));
        }
        match report.verdict {
            Verdict::Safe => results.proved.push(name.clone()),
            Verdict::Unsafe(_) => results.refuted.push(name.clone()),
            Verdict::Bounded { .. } | Verdict::Unknown(_) => {}
        }
        let failing = |a: &usize| results.failing.iter().any(|id| id.index() == *a);
        let proved = |a: &usize| report.assertions[*a] == Fate::Proved;
        if let Some(a) = (0..report.assertions.len()).find(|a| failing(a) && proved(a)) {
            results.defects.push(format!("{name} proves assertion {a}, and a run fails it"));
        }
    }
}

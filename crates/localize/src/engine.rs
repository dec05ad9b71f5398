//! Variable abstraction as an engine of the portfolio.

use std::time::{Duration, Instant};

use lariat_certify::Certificate;
use lariat_engine::{Answer, Budget, Candidate, Engine, OpenSolver, Proof, Reading, Session, Task};
use lariat_program::Program;
use lariat_smt::SolverError;
use lariat_term::{Terms, Var};
use lariat_unfold::{EngineError, Limits, StrategyKind};
use rustc_hash::FxHashSet;

use crate::{Localized, Localizer, MinimizerKind, Stats, Track, cone, localizer::Progress};

/// What the engine is told; it finds this in [`lariat_engine::Shared`].
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is tracked at first.
    pub track: Track,
    /// How a spurious counterexample is refuted.
    pub minimizer: MinimizerKind,
    /// Do all minimisers work on each spurious counterexample, to be compared?
    pub compare: bool,
    /// How unfolding chooses what to expand.
    pub strategy: StrategyKind,
    /// How often a region may occur on a stack.
    pub bound: Option<u32>,
    /// How many questions an unfolding may ask.
    pub queries: Option<u64>,
    /// How many nodes an unfolding may expand without a question.
    pub eager_nodes: u32,
    /// Does somebody else unfold the program with everything tracked?
    pub beside_unfolding: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            track: Track::default(),
            minimizer: MinimizerKind::default(),
            compare: false,
            strategy: StrategyKind::default(),
            bound: None,
            queries: None,
            eager_nodes: Limits::default().eager_nodes,
            beside_unfolding: false,
        }
    }
}

/// The first slice of `auto`, for refinement and for everything tracked each.
const SLICE: Duration = Duration::from_millis(500);

/// An abstraction that tracks more than this share of the variables (in tenths) is none.
const MOST: usize = 8;

/// Proves the program with a few of its globals, and adds those that spurious counterexamples need.
pub struct Localize;

impl Engine for Localize {
    fn name(&self) -> &'static str {
        "localize"
    }

    fn about(&self) -> &'static str {
        "unfolding with a few tracked globals, refined by spurious counterexamples (see --track)"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let settings = Settings::of(task);
        let globals = task.program.globals.len();
        // There is somebody who tracks everything.
        let pointless = settings.beside_unfolding && (settings.track == Track::All || globals == 0);
        (!pointless).then(|| {
            let tracked = initial(task, &settings);
            let (terms, whole) = (Terms::clone(&task.terms), None);
            Box::new(Work { task: task.clone(), settings, terms, whole, progress: (tracked, None) }) as Box<dyn Session>
        })
    }
}

impl Settings {
    /// What was said about a task.
    pub fn of(task: &Task) -> Settings {
        Settings::clone(&task.shared.get(Reading::Bits, Settings::default))
    }

    /// Says it. Whoever is first is heard.
    pub fn tell(self, task: &Task) {
        task.shared.get(Reading::Bits, || self);
    }
}

fn is_everything(tracked: usize, of: usize) -> bool {
    tracked * 10 > of * MOST
}

fn all(program: &Program) -> FxHashSet<Var> {
    program.globals.iter().map(|d| d.var).collect()
}

fn initial(task: &Task, settings: &Settings) -> FxHashSet<Var> {
    match &settings.track {
        Track::All => all(&task.program),
        Track::Auto => cone(&task.program, &task.terms, task.entry, &task.asserts),
        Track::None => FxHashSet::default(),
        // Names were looked up before; those of variables that slicing has left out matter to nobody.
        track @ Track::Names(_) => {
            let named = track.named(&task.given, &task.terms).unwrap_or_default();
            all(&task.program).intersection(&named).copied().collect()
        }
    }
}

struct Work {
    task: Task,
    settings: Settings,
    /// The store of bugs.
    terms: Terms,
    /// That of bugs with everything tracked, if they are found so.
    whole: Option<Terms>,
    progress: Progress,
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        self.whole = None;
        match self.try_run(budget) {
            Ok(answer) => answer,
            Err(error) => match budget.used_up() {
                Some(reason) => Answer::Paused(reason),
                None => Answer::Nothing(error.to_string()),
            },
        }
    }

    fn terms(&self) -> Option<&Terms> {
        Some(self.whole.as_ref().unwrap_or(&self.terms))
    }
}

impl Work {
    fn try_run(&mut self, budget: &Budget) -> Result<Answer, EngineError> {
        let Task { program, entry, asserts, solver, .. } = self.task.clone();
        let question = (entry, &asserts[..]);
        let nothing = FxHashSet::default();
        let mut refined = Localizer::new(&program, &mut self.terms, question, &solver, &self.settings, nothing);
        refined.resume(self.progress.clone());
        let auto = self.settings.track == Track::Auto;
        if !auto || self.settings.beside_unfolding {
            let board = &self.task.shared.board;
            let outcome = refined.run(budget, &mut |l| {
                // Whoever is ended before there is an answer has done something, too.
                board.post(Reading::Bits, l.stats());
                let (tracked, of) = l.share();
                !auto || !is_everything(tracked, of)
            })?;
            self.progress = refined.progress();
            return Ok(answer(&self.task, refined.stats(), outcome));
        }
        // Nobody else tracks everything: both take turns, with slices of the same length, so that neither costs more than twice the other.
        let mut whole_terms = Terms::clone(&self.task.terms);
        let everything = all(&program);
        let mut whole = Localizer::new(&program, &mut whole_terms, question, &solver, &self.settings, everything);
        let mut pays = true;
        let mut slice = SLICE;
        loop {
            if pays {
                let outcome = refined.run(&part(budget, slice), &mut |l| {
                    let (tracked, of) = l.share();
                    !is_everything(tracked, of)
                })?;
                match outcome {
                    Localized::Paused(reason) if budget.used_up().is_some() => {
                        self.progress = refined.progress();
                        return Ok(answer(&self.task, refined.stats(), Localized::Paused(reason)));
                    }
                    Localized::Paused(_) => self.progress = refined.progress(),
                    Localized::Nothing(_) => pays = false,
                    found => return Ok(answer(&self.task, refined.stats(), found)),
                }
            }
            let part = if pays { part(budget, slice) } else { budget.clone() };
            match whole.run(&part, &mut |_| true)? {
                Localized::Paused(reason) if budget.used_up().is_some() => return Ok(Answer::Paused(reason)),
                Localized::Paused(_) => {}
                // What is left to refinement may still be found.
                Localized::Nothing(why) if !pays => return Ok(Answer::Nothing(why)),
                Localized::Nothing(_) => {}
                found => {
                    let stats = whole.stats();
                    drop(whole);
                    self.whole = Some(whole_terms);
                    return Ok(answer(&self.task, stats, found));
                }
            }
            slice *= 2;
        }
    }
}

fn part(budget: &Budget, slice: Duration) -> Budget {
    let end = Instant::now() + slice;
    Budget { deadline: Some(budget.deadline.map_or(end, |d| d.min(end))), ..budget.clone() }
}

/// The answer, and what it took, for the report.
fn answer(task: &Task, stats: Stats, outcome: Localized) -> Answer {
    task.shared.board.post(Reading::Bits, stats);
    match outcome {
        Localized::Proof(certificate) => Answer::Proof(Box::new(LocalizedProof(certificate))),
        Localized::Bug(execution, model) => Answer::Bug(Box::new(Candidate {
            execution: Ok(execution),
            model,
            // The solver was told all of them.
            axioms: (0..task.given.axioms.len()).collect(),
            left_out: false,
            doubt: None,
        })),
        Localized::Bounded(bound, cut) => Answer::Bounded { bound, cut },
        Localized::Paused(reason) => Answer::Paused(reason),
        Localized::Nothing(why) => Answer::Nothing(why),
    }
}

/// A proof of the abstract program. The certificate says which instances of the given one were expanded; its check tracks everything.
struct LocalizedProof(Option<Certificate>);

impl Proof for LocalizedProof {
    fn check(&mut self, _: OpenSolver<'_>) -> Result<bool, SolverError> {
        Ok(true)
    }

    fn certificate(&mut self, terms: Option<&Terms>) -> Option<(Terms, Certificate)> {
        Some((terms?.clone(), self.0.clone()?))
    }
}

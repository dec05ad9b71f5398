//! The loop: abstract, unfold, follow the counterexample, refine.

use std::time::{Duration, Instant};

use lariat_certify::{Certificate, Instance, Site, Tree};
use lariat_engine::{Budget, Execution, Oracle};
use lariat_program::{AssertId, Loc, Program, RegionId, StmtKind, recursive_regions};
use lariat_smt::{Reason, SolverError, solvers};
use lariat_term::{Interpretation, Terms, Var};
use lariat_unfold::{CheckResult, EngineError, Limits, NodeId, Target, Unfolding, check};
use rustc_hash::FxHashSet;

use crate::{Abstraction, Concrete, MinimizerKind, Parameterized, Path, Settings, Track, is_minimal};

/// What was done, as figure 6 of the CORRAL paper tells it.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// The names of the tracked variables, in the program's order.
    pub tracked: Vec<String>,
    /// Was anything left out at first? If not, nothing is known about what is needed.
    pub abstracted: bool,
    /// How many globals the program has that the engine was given: what slicing has left.
    pub variables: usize,
    /// How often the program was abstracted.
    pub rounds: u64,
    /// Questions that minimisers asked.
    pub checks: u64,
    /// Spurious counterexamples.
    pub spurious: u64,
    /// Time for following counterexamples and refining.
    pub refining: Duration,
    /// Time for unfolding.
    pub searching: Duration,
    /// Instances that were expanded again without a question, since the last round had expanded them.
    pub reused: u64,
    /// What each minimiser did about each spurious counterexample, if they were to be compared.
    pub compared: Vec<Compared>,
    /// Counters of all unfoldings.
    pub unfolding: lariat_unfold::Stats,
    /// The minimiser.
    pub minimizer: &'static str,
}

/// What a minimiser did about a spurious counterexample.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// Which counterexample, by number.
    pub path: u64,
    /// The minimiser.
    pub minimizer: &'static str,
    /// How many variables could be added, and how many were.
    pub open: usize,
    /// See there.
    pub added: usize,
    /// Questions to the solver.
    pub checks: u64,
    /// Time, with that of making formulas.
    pub time: Duration,
    /// Is the set minimal, as further questions say?
    pub minimal: bool,
}

/// How a run ended.
pub enum Localized {
    /// No execution fails; with a certificate for the given program, if it can be told so.
    Proof(Option<Certificate>),
    /// An execution of the program, and the model that its values are from.
    Bug(Execution, lariat_term::Model),
    /// No execution fails that stays within a bound.
    Bounded(u32, Vec<(RegionId, Loc)>),
    /// The budget is used up.
    Paused(Reason),
    /// There is no answer, and why.
    Nothing(String),
}

/// A program that is proved with some of its globals.
pub struct Localizer<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    entry: RegionId,
    asserts: &'a [AssertId],
    solver: &'a str,
    settings: &'a Settings,
    tracked: FxHashSet<Var>,
    /// What the last round had expanded, at places of the given program.
    expanded: Option<Tree>,
    stats: Stats,
}

/// What is tracked, and what was expanded.
pub(crate) type Progress = (FxHashSet<Var>, Option<Tree>);

/// What a counterexample of the abstract program led to.
enum Followed {
    Ended(Localized),
    /// Further variables are tracked.
    Refined,
}

impl<'a> Localizer<'a> {
    /// Begins with a set of tracked globals.
    pub fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        (entry, asserts): (RegionId, &'a [AssertId]),
        solver: &'a str,
        settings: &'a Settings,
        tracked: FxHashSet<Var>,
    ) -> Localizer<'a> {
        let mut stats = Stats { variables: program.globals.len(), ..Stats::default() };
        stats.minimizer = settings.minimizer.get().name();
        stats.abstracted = settings.track != Track::All && program.globals.iter().any(|d| !tracked.contains(&d.var));
        Localizer { program, terms, entry, asserts, solver, settings, tracked, expanded: None, stats }
    }

    /// Goes on where another one has paused.
    pub(crate) fn resume(&mut self, (tracked, expanded): Progress) {
        self.tracked = tracked;
        self.expanded = expanded;
    }

    /// How far it is.
    pub(crate) fn progress(&self) -> Progress {
        (self.tracked.clone(), self.expanded.clone())
    }

    /// How many of the globals are tracked, and how many there are.
    pub fn share(&self) -> (usize, usize) {
        let globals = &self.program.globals;
        (globals.iter().filter(|d| self.tracked.contains(&d.var)).count(), globals.len())
    }

    /// What was done.
    pub fn stats(&self) -> Stats {
        let tracked = self.program.globals.iter().filter(|d| self.tracked.contains(&d.var));
        let tracked = tracked.map(|d| crate::shown_name(d, self.terms).to_owned()).collect();
        Stats { tracked, ..self.stats.clone() }
    }

    /// Works until there is an answer, the budget is used up, or `go_on` says no before another round. Asked again, it goes on.
    pub fn run(
        &mut self,
        budget: &Budget,
        go_on: &mut dyn FnMut(&Localizer<'_>) -> bool,
    ) -> Result<Localized, EngineError> {
        loop {
            if let Some(reason) = budget.used_up() {
                return Ok(Localized::Paused(reason));
            }
            if !go_on(self) {
                return Ok(Localized::Nothing("too many variables are needed for an abstraction".into()));
            }
            match self.round(budget)? {
                Followed::Ended(outcome) => return Ok(outcome),
                Followed::Refined => {}
            }
        }
    }

    fn round(&mut self, budget: &Budget) -> Result<Followed, EngineError> {
        self.stats.rounds += 1;
        let start = Instant::now();
        let abstraction = Abstraction::new(self.program, self.terms, &self.tracked);
        let open = || solvers::open(self.solver, None);
        let Settings { strategy, bound, queries, eager_nodes, .. } = *self.settings;
        let limits = Limits { budget: budget.clone(), eager_nodes, unasked: strategy.unasked(), bound, queries };
        let mut strategy = strategy.make(&open)?;
        let target = Target::Only(self.asserts.to_vec());
        let mut unfolding = Unfolding::new(&abstraction.program, self.terms, open()?, self.entry, target, limits)?;
        if let Some(tree) = &self.expanded {
            let before = unfolding.stats().expanded;
            unfolding.expand_tree(&moved(tree, self.program, &abstraction, Direction::Made))?;
            self.stats.reused += unfolding.stats().expanded - before;
        }
        let result = check(&mut unfolding, &mut *strategy, &mut |_, _| {})?;
        let certificate = unfolding.certificate();
        self.expanded =
            certificate.trees.first().map(|tree| moved(tree, &abstraction.program, &abstraction, Direction::Given));
        self.stats.searching += start.elapsed();
        self.stats.unfolding.add(unfolding.stats());
        let (model, doubt) = match result {
            CheckResult::Safe => {
                let recursive = recursive_regions(self.program);
                let mapped =
                    lariat_certify::map_back(&certificate, &abstraction.program, &abstraction.origins, &recursive);
                return Ok(Followed::Ended(Localized::Proof(mapped)));
            }
            CheckResult::Bounded(bound) => {
                let place = |&n: &NodeId| (unfolding.node(n).region, unfolding.box_loc(n));
                let mut cut: Vec<_> = bound.cut.iter().map(place).collect();
                cut.sort();
                cut.dedup();
                return Ok(Followed::Ended(Localized::Bounded(bound.bound, cut)));
            }
            CheckResult::Unknown(reason) => {
                let ended = budget.used_up().is_some() || matches!(reason, Reason::Timeout | Reason::Interrupted);
                let outcome = if ended { Localized::Paused(reason) } else { Localized::Nothing(reason.to_string()) };
                return Ok(Followed::Ended(outcome));
            }
            CheckResult::Unsafe(model) => (model, None),
            // What the solver proposed when it gave up is as good as any path to look at.
            CheckResult::Candidate(model, reason) => (model, Some(reason)),
        };
        let values = model.get(unfolding.terms())?;
        let mut oracle = Oracle::new(&abstraction.program, values, self.solver, budget);
        let compute = &mut |terms: &Terms, t| oracle.compute(terms, t, &|v| Interpretation::var(values, terms, v));
        let found = match unfolding.execution(&model, compute) {
            Ok(found) => found,
            Err(error) => {
                let why = doubt.map_or_else(|| error.to_string(), |reason| reason.to_string());
                return Ok(Followed::Ended(Localized::Nothing(why)));
            }
        };
        drop(unfolding);
        let start = Instant::now();
        let followed = self.follow(&found, &abstraction, doubt, budget);
        self.stats.refining += start.elapsed();
        Ok(followed?)
    }

    /// Is an execution of the abstract program one of the given program? If not, further variables are tracked.
    fn follow(
        &mut self,
        found: &Execution,
        abstraction: &Abstraction,
        doubt: Option<Reason>,
        budget: &Budget,
    ) -> Result<Followed, SolverError> {
        let nothing = |why: &str| Ok(Followed::Ended(Localized::Nothing(why.to_owned())));
        let Some(path) = Path::new(self.program, self.terms, found, &abstraction.origins) else {
            return nothing("a counterexample of the abstraction is no path of the program");
        };
        match Concrete::new(self.program, self.terms, &path, self.solver, budget)? {
            Concrete::Bug(execution, model) => return Ok(Followed::Ended(Localized::Bug(execution, model))),
            Concrete::Contradiction => {
                return nothing("an assertion fails, but the axioms of the program contradict each other");
            }
            Concrete::Unknown(reason) => {
                let outcome = match budget.used_up() {
                    Some(reason) => Localized::Paused(reason),
                    None => Localized::Nothing(reason.to_string()),
                };
                return Ok(Followed::Ended(outcome));
            }
            Concrete::Spurious => {}
        }
        self.stats.spurious += 1;
        let globals = path.globals(self.program, self.terms);
        let tracked: Vec<bool> = globals.iter().map(|v| self.tracked.contains(v)).collect();
        if self.settings.compare {
            self.compare(&path, (&globals, &tracked), budget)?;
        }
        let minimizer = self.settings.minimizer;
        let minimal = minimizer.refine(self.program, self.terms, &path, (&globals, &tracked), self.solver, budget)?;
        self.stats.checks += minimal.checks;
        let before = self.tracked.len();
        self.tracked.extend(globals.iter().zip(&minimal.tracked).filter(|(_, t)| **t).map(|(v, _)| *v));
        if self.tracked.len() > before {
            return Ok(Followed::Refined);
        }
        let outcome = match (budget.used_up(), doubt) {
            (Some(reason), _) => Localized::Paused(reason),
            (None, Some(reason)) => Localized::Nothing(reason.to_string()),
            (None, None) => Localized::Nothing("a spurious counterexample needs no further variable".into()),
        };
        Ok(Followed::Ended(outcome))
    }
}

impl Localizer<'_> {
    /// Lets all minimisers work on one path, and checks what they find.
    fn compare(
        &mut self,
        path: &Path,
        (globals, tracked): (&[Var], &[bool]),
        budget: &Budget,
    ) -> Result<(), SolverError> {
        for minimizer in MinimizerKind::ALL {
            let start = Instant::now();
            let found = minimizer.refine(self.program, self.terms, path, (globals, tracked), self.solver, budget)?;
            let time = start.elapsed();
            let mut check = Parameterized::new(self.program, self.terms, path, globals, self.solver, budget)?;
            let minimal = found.sure && is_minimal(&mut check, tracked, &found.tracked)?;
            if budget.used_up().is_some() {
                return Ok(());
            }
            let count = |set: &[bool]| set.iter().filter(|t| **t).count();
            self.stats.compared.push(Compared {
                path: self.stats.spurious,
                minimizer: minimizer.get().name(),
                open: globals.len() - count(tracked),
                added: count(&found.tracked) - count(tracked),
                checks: found.checks,
                time,
                minimal,
            });
        }
        Ok(())
    }
}

/// Which way places are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From the given program to the abstract one.
    Made,
    /// From the abstract program to the given one.
    Given,
}

/// A tree of expanded instances at the places of the other program; `program` is the one that the tree is of.
fn moved(tree: &Tree, program: &Program, abstraction: &Abstraction, to: Direction) -> Tree {
    let mut regions = Vec::with_capacity(tree.instances.len());
    let mut instances = Vec::with_capacity(tree.instances.len());
    for instance in &tree.instances {
        let Some((parent, site)) = instance.boxed else {
            regions.push(Some(tree.region));
            instances.push(*instance);
            continue;
        };
        let above: Option<RegionId> = regions.get(parent.index()).copied().flatten();
        let callee = above.and_then(|r| program.callee(r, site.block, site.stmt));
        regions.push(callee);
        let place = above.and_then(|r| {
            let origins = &abstraction.origins.get(r.index())?.blocks.get(site.block.index())?.stmts;
            let stmt = match to {
                Direction::Given => origins.get(site.stmt as usize)?.stmt,
                Direction::Made => {
                    let made = &abstraction.program.regions[r.index()].blocks[site.block.index()].stmts;
                    let is_box = |i: usize| matches!(made[i].kind, StmtKind::Box { .. });
                    origins.iter().enumerate().position(|(i, o)| o.stmt == site.stmt && is_box(i))? as u32
                }
            };
            Some(Site { block: site.block, stmt })
        });
        // Where there is no such box, the instance and those below it are at a place that nobody looks at.
        instances.push(Instance { boxed: Some((parent, place.unwrap_or(site))), treatment: instance.treatment });
    }
    Tree { region: tree.region, contract: None, instances }
}

//! Lazy predicate abstraction as an engine.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_engine::{Answer, Budget, Engine, Reading, Session, Task, for_many};
use lariat_horn::{
    Claim, Solution, candidate,
    engines::{Clauses, NoProof, Satisfied},
};
use lariat_smt::{Solver, SolverError};
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::{
    abstraction::Abstraction,
    drawing::dot,
    interpolants::{TIME, has_many_cases, interpolants},
    places::{names, places, source_names},
    precision::{Precision, Scope, atoms, conjuncts},
    reachability::{Derivation, Explored, Fact, FactId, Tree},
    saved::{self, Tracked},
    thresholds::Families,
    trace::{Feasible, Symbols, Trace},
};

/// Traces with more nodes have a solver of their own: it is faster if it has known no others.
const LARGE: usize = 1_000;

/// What the engine is asked to do otherwise than it would; in the options of [`lariat_engine::Shared`].
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where new predicates are tracked.
    pub scope: Scope,
    /// Where there are abstract states.
    pub blocks: Blocks,
    /// Predicates that are tracked from the start, as [`crate::write_predicates`] writes them.
    pub saved: Option<Arc<str>>,
    /// Does somebody want to see what was explored?
    pub report: bool,
}

/// Where there are abstract states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocks {
    /// At loop heads, after loops, and where recursive procedures are entered and return.
    #[default]
    Large,
    /// At each statement, as in the paper.
    Statements,
}

/// What the engine has explored in one reading; on the board of [`lariat_engine::Shared`].
#[derive(Clone, Default)]
pub struct Exploration {
    /// Counters.
    pub statistics: Statistics,
    /// The predicates that are tracked at each place, if that is [wanted](Settings::report), and the store of their terms.
    pub tracked: Vec<Tracked>,
    /// The store.
    pub terms: Terms,
    /// The abstract reachability tree for Graphviz, if that is wanted.
    pub drawing: String,
    /// What was left out of the predicates that were given.
    pub notes: Vec<String>,
}

/// What the engine has done so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// How often predicates were added.
    pub refinements: usize,
    /// By relation that has any, how many predicates there are.
    pub predicates: Vec<usize>,
    /// Facts in the tree at the end.
    pub facts: usize,
    /// Facts made, also those that were taken back.
    pub made: usize,
    /// Questions about abstract post-conditions.
    pub queries: u64,
}

impl std::fmt::Debug for Exploration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exploration").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

/// Explores abstract states over predicates, which come from interpolants of infeasible traces.
pub struct PredicateAbstraction;

impl Engine for PredicateAbstraction {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn about(&self) -> &'static str {
        "lazy predicate abstraction, refined by interpolants"
    }

    fn start(&self, task: &Task) -> Option<Box<dyn Session>> {
        let settings =
            task.shared.options.facts::<Settings>(Reading::Bits).map_or_else(Settings::default, |s| (*s).clone());
        let clauses = match settings.blocks {
            Blocks::Large => Clauses::of(task)?,
            Blocks::Statements if task.reading == Reading::Bits => Clauses::of_statements(task)?,
            Blocks::Statements => return None,
        };
        let mut terms = clauses.terms.clone();
        let mut precision = Precision::new(&clauses.system, &mut terms, settings.scope);
        let mut notes = Vec::new();
        if let Some(text) = &settings.saved {
            let program = clauses.integers().map_or(&*task.program, |i| &i.program);
            let (places, of) = (places(program, task.entry, &clauses.system), source_names(program));
            let names = |relation| names(&clauses.terms, &clauses.system, relation, &of);
            notes = saved::read(text, &mut terms, task.reading, &mut precision, &places, &names);
        }
        let tree = Tree::new(&clauses.system);
        let abstraction = Abstraction::new(for_many(&task.solver));
        let no_proof = NoProof::of(task);
        Some(Box::new(Work {
            task: task.clone(),
            settings,
            clauses,
            terms,
            precision,
            tree,
            abstraction,
            no_proof,
            refuted: Vec::new(),
            notes,
            patience: TIME,
            symbols: Symbols::default(),
            families: Families::default(),
            solver: None,
        }))
    }
}

struct Work {
    task: Task,
    settings: Settings,
    clauses: Arc<Clauses>,
    terms: Terms,
    precision: Precision,
    tree: Tree,
    abstraction: Abstraction,
    no_proof: Arc<NoProof>,
    /// The facts that errors seemed to follow from.
    refuted: Vec<Vec<FactId>>,
    notes: Vec<String>,
    /// How long Spacer may look for interpolants of a trace.
    patience: Duration,
    symbols: Symbols,
    families: Families,
    /// For questions about traces: nothing is asserted in it but in scopes.
    solver: Option<Box<dyn Solver>>,
}

impl Session for Work {
    fn run(&mut self, budget: &Budget) -> Answer {
        let answer = self.try_run(budget);
        self.post(self.settings.report);
        answer.unwrap_or_else(|error| nothing(budget, &error.to_string()))
    }

    fn terms(&self) -> Option<&Terms> {
        Some(&self.terms)
    }
}

/// What it means that nothing was found: the time is over, or the engine gives up.
fn nothing(budget: &Budget, why: &str) -> Answer {
    budget.used_up().map_or_else(|| Answer::Nothing(why.into()), Answer::Paused)
}

impl Work {
    fn try_run(&mut self, budget: &Budget) -> Result<Answer, SolverError> {
        let no_proof = self.no_proof.clone();
        let go_on = || budget.used_up().is_none() && !no_proof.is_known();
        let clauses = self.clauses.clone();
        loop {
            let explored = self.tree.explore(
                &mut self.terms,
                &clauses.system,
                &self.precision,
                &mut self.abstraction,
                budget,
                &go_on,
            )?;
            match explored {
                Explored::Closed => return Ok(Answer::Proof(Box::new(self.proof()))),
                Explored::TooMany => return Ok(Answer::Nothing("there are too many abstract states".into())),
                Explored::Paused => return Ok(nothing(budget, "there is no proof from the clauses")),
                Explored::Error(error) => {
                    if let Some(answer) = self.refine(budget, &error)? {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    /// The solver for a trace. Who takes it gives it back as it was; one that failed is lost.
    fn take_solver(&mut self, budget: &Budget, trace: &Trace) -> Result<Box<dyn Solver>, SolverError> {
        let large = self.terms.dag_size(&trace.parts()) > LARGE;
        match self.solver.take() {
            Some(mut solver) if !large => {
                solver.set_limits(budget.solver_limits());
                Ok(solver)
            }
            _ => budget.open(for_many(&self.task.solver)),
        }
    }

    /// Is there an execution that takes a trace?
    fn feasible(&mut self, budget: &Budget, trace: &Trace) -> Result<Feasible, SolverError> {
        let mut solver = self.take_solver(budget, trace)?;
        solver.push()?;
        let feasible = trace.feasible(&mut self.terms, &mut *solver)?;
        // A model may need its solver.
        if !matches!(feasible, Feasible::Yes(_)) {
            solver.pop(1)?;
        }
        self.solver = Some(solver);
        Ok(feasible)
    }

    /// Adds the predicates that refute the trace of an error; an answer if there are none.
    fn refine(&mut self, budget: &Budget, error: &Derivation) -> Result<Option<Answer>, SolverError> {
        let terms = &mut self.terms;
        let Some(trace) = Trace::new(terms, &self.clauses.system, &self.tree, error, &mut self.symbols) else {
            return Ok(Some(Answer::Nothing("a trace is too long".into())));
        };
        // Where blocks have many cases, those of the cubes on the way are refuted first: that takes less time, and fewer predicates. Now and then all are,
        // which is more general, and finds errors on other paths of the same length.
        if !self.refuted.len().is_power_of_two() && trace.is_linear() && has_many_cases(terms, &trace) {
            let within = trace.within_cubes(terms, &self.tree, &self.precision);
            if let Feasible::No(needed) = self.feasible(budget, &within)?
                && self.refute(budget, error, within, needed)?.is_ok()
            {
                return Ok(None);
            }
        }
        let needed = match self.feasible(budget, &trace)? {
            Feasible::Yes(model) => {
                let terms = &mut self.terms;
                if let Some(bug) =
                    trace.taken(terms, &model).and_then(|taken| candidate(&self.task, &self.clauses, terms, &taken))
                {
                    return Ok(Some(Answer::Bug(Box::new(bug))));
                }
                if self.clauses.exact {
                    self.no_proof.found();
                }
                return Ok(Some(Answer::Nothing("an error is in reach of the clauses".into())));
            }
            Feasible::No(needed) => needed,
            Feasible::Unknown(why) => return Ok(Some(nothing(budget, &why))),
        };
        let begun = Instant::now();
        Ok(match self.refute(budget, error, trace, needed)? {
            Ok(()) => None,
            // On a busy machine it takes longer: the error is found again, and there is more time then.
            Err(_) if begun.elapsed() >= self.patience => {
                self.patience *= 2;
                None
            }
            Err(why) => Some(nothing(budget, &why)),
        })
    }

    /// Tracks the interpolants of an infeasible trace, of which the given formulas contradict each other; `Err` says why that does not help.
    fn refute(
        &mut self,
        budget: &Budget,
        error: &Derivation,
        mut trace: Trace,
        needed: Vec<Term>,
    ) -> Result<Result<(), String>, SolverError> {
        let mut solver = self.take_solver(budget, &trace)?;
        let terms = &mut self.terms;
        trace.reduce(terms, &mut *solver, budget, needed)?;
        let found = interpolants(terms, &trace, &mut *solver, budget, self.patience)?;
        self.solver = Some(solver);
        let found = match found {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        self.refuted.push(error.premises.to_vec());
        self.post(false);
        // First the atoms; where these are tracked already, what is made of them.
        let new = [false, true].into_iter().any(|whole| self.track(&trace, &found, whole));
        Ok(new.then_some(()).ok_or_else(|| "the interpolants of a trace are tracked already".into()))
    }

    /// Tracks what interpolants are made of, and takes back facts that do not know it. Says whether there are any.
    fn track(&mut self, trace: &Trace, found: &[Term], whole: bool) -> bool {
        let terms = &mut self.terms;
        let (mut stale, mut elsewhere) = (Vec::new(), false);
        for (step, &interpolant) in trace.steps.iter().zip(found) {
            let Some(fact) = step.fact else { continue };
            let relation = self.tree.facts[fact].relation;
            if interpolant == terms.bool(true) {
                continue;
            }
            let formals: Vec<Term> = self.precision.formals(relation).iter().map(|&v| terms.var_term(v)).collect();
            let vars = step.symbols.iter().map(|&t| terms.as_var(t));
            let map: FxHashMap<_, _> = vars.zip(formals).filter_map(|(v, f)| Some((v?, f))).collect();
            let interpolant = terms.substitute(interpolant, &map);
            let predicates = if whole { conjuncts(terms, interpolant) } else { atoms(terms, interpolant) };
            for predicate in predicates {
                if self.precision.add(terms, relation, predicate) {
                    let system = &self.clauses.system;
                    for (at, bound) in self.families.note(terms, system, &self.precision, relation, predicate) {
                        elsewhere |= self.precision.add(terms, at, bound) && at != relation;
                    }
                }
            }
            if self.tree.facts[fact].tracked < self.precision.of(relation).len() {
                stale.push(fact);
            }
        }
        if elsewhere {
            let old = |f: &usize| self.tree.facts[*f].tracked < self.precision.of(self.tree.facts[*f].relation).len();
            stale.extend((0..self.tree.facts.len()).filter(old));
        }
        for &fact in &stale {
            self.tree.take_back(fact);
        }
        !stale.is_empty()
    }

    fn proof(&self) -> Satisfied {
        let mut terms = self.terms.clone();
        let claim = |relation| Claim {
            params: self.precision.formals(relation).to_vec(),
            holds: self.reached(&mut terms, relation),
        };
        let solution = Solution { claims: (0..self.precision.relations()).map(claim).collect() };
        Satisfied { clauses: self.clauses.clone(), entry: self.task.entry, terms, solution }
    }

    /// What the facts about a relation say together: one of them holds.
    fn reached(&self, terms: &mut Terms, relation: usize) -> Term {
        let predicates = self.precision.of(relation);
        let mut cubes = Vec::new();
        for fact in self.tree.of(relation) {
            let mut literals = Vec::new();
            for &(i, holds) in fact.cube.iter() {
                let t = predicates[i as usize];
                literals.push(if holds { t } else { terms.not(t) });
            }
            cubes.push(terms.and(&literals));
        }
        terms.or(&cubes)
    }

    /// Tells the board what was explored so far.
    fn post(&self, whole: bool) {
        let mut exploration =
            Exploration { statistics: self.statistics(), notes: self.notes.clone(), ..Exploration::default() };
        if whole {
            let (clauses, system) = (&self.clauses, &self.clauses.system);
            let program = clauses.integers().map_or(&*self.task.program, |i| &i.program);
            let (places, of) = (places(program, self.task.entry, system), source_names(program));
            let named = |relation: usize| -> FxHashMap<Var, String> {
                let formals = self.precision.formals(relation).iter();
                formals
                    .zip(names(&self.terms, system, relation, &of))
                    .filter_map(|(&v, name)| Some((v, name?)))
                    .collect()
            };
            exploration.terms = self.terms.clone();
            for (relation, place) in places.iter().enumerate() {
                let predicates = self.precision.of(relation).to_vec();
                if !predicates.is_empty() {
                    let reached = self.reached(&mut exploration.terms, relation);
                    exploration.tracked.push(Tracked {
                        place: place.clone(),
                        names: named(relation),
                        predicates,
                        reached,
                    });
                }
            }
            let all = 0..places.len();
            let by_relation: Vec<_> = all.map(named).collect();
            let facts = self.tree.facts.iter();
            let texts: Vec<String> =
                facts.map(|f| self.text(&mut exploration.terms, f, &by_relation[f.relation])).collect();
            exploration.drawing = dot(&self.tree, system, &places, &self.refuted, &texts);
        }
        self.task.shared.board.post(self.task.reading, exploration);
    }

    /// What a fact says, a line for each predicate.
    fn text(&self, terms: &mut Terms, fact: &Fact, names: &FxHashMap<Var, String>) -> String {
        let mut lines = Vec::new();
        for &(i, holds) in fact.cube.iter() {
            let predicate = self.precision.of(fact.relation)[i as usize];
            let predicate = if holds { predicate } else { terms.not(predicate) };
            let vars = terms.free_vars(&[predicate]).into_iter().filter_map(|v| Some((v, names.get(&v)?)));
            let map = vars.map(|(v, name)| (v, terms.var(name, terms.var_sort(v)))).collect();
            let named = terms.substitute(predicate, &map);
            lines.push(terms.display(named).to_string());
        }
        lines.join("\n")
    }

    fn statistics(&self) -> Statistics {
        let predicates = (0..self.precision.relations()).map(|r| self.precision.of(r).len()).filter(|&n| n > 0);
        Statistics {
            refinements: self.refuted.len(),
            predicates: predicates.collect(),
            facts: self.tree.size(),
            made: self.tree.facts.len(),
            queries: self.abstraction.queries,
        }
    }
}

//! The engines at work on one view of an entry, over all questions about it.

use std::{sync::Arc, time::Instant};

use lariat_engine::{Answer, Budget, Engine, Reading, Shared, Task};
use lariat_horn::{
    Rejection,
    engines::{Annotations, rejected},
};
use lariat_localize::Settings;
use lariat_predicate::{Exploration, PredicateAbstraction};
use lariat_program::{AssertId, AssertKind, RegionId};
use lariat_term::Terms;
use lariat_unfold::{EngineError, Limits, Specification, Stats, Target};

use crate::{
    engines::{Question, ShowUnfolding, UnfoldSession},
    options::Options,
    passes::View,
    portfolio::{Alone, First, Given, Portfolio},
    schedule::Row,
    validate::{Validated, Validator},
};

/// An unfolding that all questions about the entry share, and the engines that work beside it.
pub(crate) struct Search<'a> {
    /// What is unfolded.
    view: &'a View,
    /// What the other engines see.
    others: &'a View,
    entry: RegionId,
    options: &'a Options,
    session: Option<UnfoldSession<'a>>,
    /// The engines beside the unfolding, and the store for them.
    rows: Vec<&'static Row>,
    terms: Option<Arc<Terms>>,
    /// What predicate abstraction has explored, by reading.
    explorations: Vec<(Reading, Arc<Exploration>)>,
    /// Candidates that are not inductive.
    rejected: Vec<(AssertId, Rejection)>,
    /// What variable abstraction did about the last question.
    tracked: Option<Arc<lariat_localize::Stats>>,
}

impl<'a> Search<'a> {
    /// Begins to unfold. Engines beside it work where executions may go on without end; `others` is what they see.
    pub fn new(
        view: &'a View,
        others: &'a View,
        terms: &'a mut Terms,
        entry: RegionId,
        target: &Target,
        options: &'a Options,
    ) -> Result<Search<'a>, EngineError> {
        let rows = options.rows(view.program(), entry);
        let copy = (!rows.is_empty()).then(|| Arc::new(terms.clone()));
        let question = Question {
            given: &view.given,
            program: view.program(),
            leaves_out: view.leaves_out(),
            entry,
            target: target.clone(),
            solver: &options.solver,
            strategy: options.strategy,
        };
        let limits = Limits {
            budget: options.budget.clone(),
            bound: options.bound,
            queries: options.queries,
            eager_nodes: options.eager_nodes,
            ..Limits::default()
        };
        let session = if options.engines.unfolds() { Some(UnfoldSession::new(question, terms, limits)?) } else { None };
        Ok(Search {
            view,
            others,
            entry,
            options,
            session,
            rows,
            terms: copy,
            explorations: Vec::new(),
            rejected: Vec::new(),
            tracked: None,
        })
    }

    /// Makes only these (sorted) assertions count from now on.
    pub fn select(&mut self, which: &[AssertId]) {
        if let Some(session) = &mut self.session {
            session.select(which);
        }
    }

    /// Counters of the unfolding.
    pub fn stats(&self) -> Option<&Stats> {
        self.session.as_ref().map(UnfoldSession::stats)
    }

    /// What was used of callees.
    pub fn specifications(&self) -> Vec<Specification> {
        self.session.as_ref().map_or(Vec::new(), UnfoldSession::specifications)
    }

    /// Asks whether one of these (sorted) assertions fails, which must be those that count.
    pub fn ask(&mut self, asserts: &[AssertId], budget: &Budget, show: ShowUnfolding<'_>) -> Vec<Given> {
        let Options { jobs, certify, certificates_wanted, wait, .. } = *self.options;
        let solver: Arc<str> = self.options.solver.as_str().into();
        let asserts: Arc<[AssertId]> = asserts.into();
        let unfolded = Validator {
            view: self.view.clone(),
            entry: self.entry,
            asserts: asserts.clone(),
            certify,
            certificates_wanted,
            started: Instant::now(),
            second_opinion: self.options.second_opinion.clone(),
            solver: solver.clone(),
            budget: budget.clone(),
        };
        let validator = Validator { view: self.others.clone(), ..unfolded.clone() };
        let mut unfold = self.session.as_mut().map(|session| {
            move |budget: &Budget, alone: Alone<'_>| {
                let mut answer = Some(session.run(budget, show));
                let is_proof = matches!(answer, Some(Answer::Proof(_)));
                let mut validate = || match answer.take() {
                    Some(answer) => unfolded.validate(answer, Some(session.terms())),
                    None => Validated::Nothing(String::new()),
                };
                if is_proof { alone(&mut validate) } else { validate() }
            }
        });
        let Some(terms) = &self.terms else {
            return unfold.map_or(Vec::new(), |mut unfold| vec![("unfold".into(), unfold(budget, &|check| check()))]);
        };
        let shared = Arc::new(Shared::default());
        shared.options.post(Reading::Bits, self.options.predicates.clone());
        let task = Task {
            given: self.others.given.clone(),
            program: self.others.program().clone(),
            terms: terms.clone(),
            entry: self.entry,
            asserts,
            reading: Reading::Bits,
            solver,
            shared: shared.clone(),
            stop: budget.stop.clone(),
        };
        let Options { strategy, bound, queries, eager_nodes, minimizer, compare_minimizers: compare, .. } =
            *self.options;
        let beside_unfolding = self.options.engines.unfolds();
        let track = self.options.track.clone();
        Settings { track, minimizer, compare, strategy, bound, queries, eager_nodes, beside_unfolding }.tell(&task);
        let shared = task.shared.clone();
        let candidates = self.others.given.assertions.iter().any(|a| a.kind == AssertKind::Candidate);
        let asked =
            (candidates && self.rows.iter().any(|row| row.engine.name() == Annotations.name())).then(|| task.clone());
        let portfolio = Portfolio { task, rows: &self.rows, validator, jobs, wait };
        let first = unfold.as_mut().map(|unfold| unfold as First<'_>);
        let given = portfolio.run(budget, first);
        self.tracked = shared.board.facts::<lariat_localize::Stats>(Reading::Bits);
        let readings = self.rows.iter().filter(|row| row.engine.name() == PredicateAbstraction.name());
        let explored = readings.filter_map(|row| Some((row.reading, shared.board.facts::<Exploration>(row.reading)?)));
        self.explorations = explored.collect();
        // Whoever answered first, people want to know what became of their candidates.
        self.rejected = asked.map_or(Vec::new(), |task| rejected(&task));
        given
    }

    /// What variable abstraction did about the last question, if it was asked.
    pub fn tracked(&self) -> Option<Arc<lariat_localize::Stats>> {
        self.tracked.clone()
    }

    /// What predicate abstraction has explored for the last question, by reading.
    pub fn explorations(&self) -> &[(Reading, Arc<Exploration>)] {
        &self.explorations
    }

    /// Candidates for invariants that were found not to be inductive.
    pub fn rejected(&self) -> Vec<(AssertId, Rejection)> {
        let only =
            |&(a, _): &(AssertId, Rejection)| self.others.given.assertions[a.index()].kind == AssertKind::Candidate;
        self.rejected.iter().copied().filter(only).collect()
    }
}

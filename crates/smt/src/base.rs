//! What all solvers keep: the stack of assertions, counters, limits and the checks of answers.

use std::time::{Duration, Instant};

use lariat_term::{Evaluator, Interpretation, Op, Sort, SortKind, Term, Terms, Value};

use crate::{Answer, Declaration, Limits, Model, Solver, SolverError, Stats, Unsound};

/// How long the check of a core may take.
const RECHECK: Duration = Duration::from_secs(2);

/// The common state of a solver.
pub(crate) struct Base {
    pub(crate) assertions: Vec<Term>,
    pub(crate) declared: Vec<Declaration>,
    /// The sizes of the two above when each open scope was opened.
    scopes: Vec<(usize, usize)>,
    pub(crate) limits: Limits,
    pub(crate) stats: Stats,
    pub(crate) checking: bool,
}

impl Base {
    pub(crate) fn new() -> Base {
        Base {
            assertions: Vec::new(),
            declared: Vec::new(),
            scopes: Vec::new(),
            limits: Limits::default(),
            stats: Stats::default(),
            checking: cfg!(debug_assertions),
        }
    }

    pub(crate) fn push(&mut self) {
        self.scopes.push((self.assertions.len(), self.declared.len()));
    }

    pub(crate) fn pop(&mut self, n: u32) {
        let keep = self.scopes.len().saturating_sub(n as usize);
        if let Some(&(assertions, declared)) = self.scopes.get(keep) {
            self.assertions.truncate(assertions);
            self.declared.truncate(declared);
        }
        self.scopes.truncate(keep);
    }

    pub(crate) fn can_pop(&self, n: u32) -> Result<(), SolverError> {
        match self.scopes.len() {
            open if open < n as usize => Err(SolverError::Misuse(format!("closing {n} scopes of {open}"))),
            _ => Ok(()),
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.scopes.len() as u32
    }

    /// How many assertions and declarations there were when each open scope was opened.
    pub(crate) fn scope_starts(&self) -> &[(usize, usize)] {
        &self.scopes
    }

    /// Is this a closed Boolean term?
    pub(crate) fn accepts(&self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        if t.index() >= terms.len() {
            return Err(SolverError::Misuse("a term of another store".into()));
        }
        if terms.sort(t) != Sort::BOOL {
            return Err(SolverError::Misuse("a term that is not Boolean".into()));
        }
        if terms.loose(t) > 0 {
            return Err(SolverError::Misuse("a term with a bound variable outside its binder".into()));
        }
        Ok(())
    }

    /// The assumptions without `true` and duplicates, or `Err` with the assumption `false`.
    pub(crate) fn assumptions(&self, terms: &Terms, all: &[Term]) -> Result<Result<Vec<Term>, Term>, SolverError> {
        let mut out = Vec::with_capacity(all.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for &t in all {
            self.accepts(terms, t)?;
            match terms.op(t) {
                Op::True => {}
                Op::False => return Ok(Err(t)),
                _ if seen.insert(t) => out.push(t),
                _ => {}
            }
        }
        Ok(Ok(out))
    }

    /// Assertions and assumptions.
    pub(crate) fn roots(&self, assumptions: &[Term]) -> Vec<Term> {
        self.assertions.iter().chain(assumptions).copied().collect()
    }

    /// Counts a query and its outcome.
    pub(crate) fn count(&mut self, since: Instant, answer: &Result<Answer, SolverError>) {
        self.stats.queries += 1;
        self.stats.time += since.elapsed();
        *match answer {
            Ok(Answer::Sat(_)) => &mut self.stats.sat,
            Ok(Answer::Unsat(_)) => &mut self.stats.unsat,
            Ok(Answer::Unknown(_)) => &mut self.stats.unknown,
            Err(_) => &mut self.stats.errors,
        } += 1;
    }

    /// Passes an answer on if it can be true; see [`Solver::set_checking`](crate::Solver::set_checking).
    /// `fresh` makes a solver with an opinion of its own.
    pub(crate) fn checked(
        &mut self,
        terms: &Terms,
        solver: &str,
        assumptions: &[Term],
        answer: Answer,
        fresh: impl FnOnce() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<Answer, SolverError> {
        if !self.checking {
            return Ok(answer);
        }
        let wrong = match &answer {
            Answer::Sat(model) => self.wrong_model(terms, assumptions, model)?,
            Answer::Unsat(core) => self.wrong_core(terms, assumptions, core, fresh)?,
            Answer::Unknown(_) => return Ok(answer),
        };
        self.stats.checked += 1;
        match wrong {
            None => Ok(answer),
            Some(what) => Err(SolverError::Unsound(Box::new(Unsound {
                solver: solver.to_owned(),
                what,
                query: crate::query::text(terms, &self.assertions, assumptions),
            }))),
        }
    }

    fn wrong_model(&self, terms: &Terms, assumptions: &[Term], model: &Model) -> Result<Option<String>, SolverError> {
        let model = model.get(terms)?;
        // Two arrays that differ at no element of a small universe are equal to the solver, but not
        // to an evaluator that does not know the universe.
        let unknown_universe = |s: Sort| match terms.sort_kind(s) {
            SortKind::Array(i, _) => {
                matches!(terms.sort_kind(i), SortKind::Uninterpreted(_)) && model.universe(i).is_none()
            }
            _ => false,
        };
        let roots: Vec<Term> = self.roots(assumptions);
        if terms.used_sorts(&roots).into_iter().any(unknown_universe) {
            return Ok(None);
        }
        let mut evaluator = Evaluator::new(terms, model);
        for (i, &t) in self.assertions.iter().chain(assumptions).enumerate() {
            // A term without a value (a quantifier over integers, say) cannot be judged.
            if let Ok(Value::Bool(false)) = evaluator.eval(t) {
                let what = if i < self.assertions.len() { "assertion" } else { "assumption" };
                return Ok(Some(format!("{what} {i} is false in its model: {}", crate::query::term(terms, t))));
            }
        }
        Ok(None)
    }

    fn wrong_core(
        &self,
        terms: &Terms,
        assumptions: &[Term],
        core: &[Term],
        fresh: impl FnOnce() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<Option<String>, SolverError> {
        if let Some(&other) = core.iter().find(|t| !assumptions.contains(t)) {
            return Ok(Some(format!("its core has a term that was not assumed: {}", crate::query::term(terms, other))));
        }
        // A second opinion that cannot be had proves nothing.
        let Ok(mut second) = fresh() else { return Ok(None) };
        second.set_checking(false);
        second.set_limits(Limits::time(RECHECK));
        for &t in self.assertions.iter().chain(core) {
            if second.assert(terms, t).is_err() {
                return Ok(None);
            }
        }
        match second.check(terms, &[]) {
            Ok(Answer::Sat(_)) => Ok(Some("the assertions with its core are satisfiable".into())),
            _ => Ok(None),
        }
    }
}

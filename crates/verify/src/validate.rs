//! Validation of answers: bugs are replayed on the program as it was given, proofs are checked. This is
//! the one place where engines are believed.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_certify::Checked;
use lariat_engine::{Answer, Budget, Candidate, Proof, Questions, for_many};
use lariat_program::{AssertId, Loc, RegionId, interp::Run};
use lariat_smt::{Reason, SolverError};
use lariat_term::Terms;

use crate::{
    passes::View,
    report::{Certified, Incident},
};

/// The solver that certificates are checked with: no lemmas on demand, nothing of ours.
const CHECKER: &str = "z3";

/// An answer that can be relied on.
pub(crate) enum Validated {
    /// This run of the program as it was given fails.
    Bug(AssertId, Box<Run>),
    /// No execution fails; with the certificate, if one is wanted.
    Proof(Option<Box<Certified>>),
    /// No execution fails that stays within a bound.
    Bounded(u32, Vec<(RegionId, Loc)>),
    /// A bug does not replay, but something had been left out of the program.
    Lost,
    /// A bug does not replay: a fault of the solver or of Lariat.
    Incident(Box<Incident>),
    /// No answer, and why.
    Nothing(String),
}

impl Validated {
    /// Is there nothing more to look for?
    pub fn is_conclusive(&self) -> bool {
        !matches!(self, Validated::Nothing(_))
    }
}

/// The solver for what cannot be evaluated, as [`lariat_smt::solvers::open`] takes it, and its limits.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    pub solver: &'a str,
    pub budget: &'a Budget,
}

/// Where answers come from, and what replays and checks may use.
#[derive(Clone)]
pub(crate) struct Validator {
    pub view: View,
    pub entry: RegionId,
    /// The assertions that count, sorted.
    pub asserts: Arc<[AssertId]>,
    /// Are certificates wanted?
    pub certify: bool,
    /// Another solver for them.
    pub second_opinion: Option<Arc<str>>,
    /// The solver for what cannot be evaluated, as [`lariat_smt::solvers::open`] takes it.
    pub solver: Arc<str>,
    pub budget: Budget,
}

impl Validator {
    fn means(&self) -> Means<'_> {
        Means { solver: &self.solver, budget: &self.budget }
    }

    /// Replays or checks an answer. The store is that of a bug.
    pub fn validate(&self, answer: Answer, terms: Option<&Terms>) -> Validated {
        match answer {
            Answer::Bug(bug) => match terms {
                Some(terms) => self.replay(&bug, terms),
                None => Validated::Nothing("a bug came without its terms".into()),
            },
            Answer::Run(assertion, run) => Validated::Bug(assertion, run),
            Answer::Proof(mut proof) => {
                let Means { solver, budget } = self.means();
                let mut open = |questions| match questions {
                    Questions::Few => budget.open(solver),
                    Questions::Many => budget.open(for_many(solver)),
                };
                match proof.check(&mut open) {
                    Ok(true) => Validated::Proof(self.certify.then(|| Box::new(self.certified(&mut *proof, terms)))),
                    Ok(false) => Validated::Nothing(self.reason("a proof does not hold")),
                    Err(error) => Validated::Nothing(self.failed(&error)),
                }
            }
            Answer::Bounded { bound, cut } => Validated::Bounded(bound, cut),
            Answer::Paused(reason) => Validated::Nothing(reason.to_string()),
            Answer::Nothing(why) => Validated::Nothing(why),
        }
    }

    /// The proof as a certificate for the program as it was given, and what the checker says of it.
    fn certified(&self, proof: &mut dyn Proof, terms: Option<&Terms>) -> Certified {
        let start = Instant::now();
        let given = &self.view.given;
        let entry = self.entry;
        let made = proof.certificate(terms);
        let mapped = made.and_then(|(mut terms, c)| {
            let c = self.view.certificate(&mut terms, c)?;
            Some((terms, c))
        });
        let Some((terms, certificate)) = mapped else {
            let checked = Checked::Unknown("this kind of proof has no certificate".into());
            let (engine, making) = (String::new(), start.elapsed());
            return Certified {
                entry,
                engine,
                certificate: None,
                checked,
                second: None,
                making,
                checking: Duration::ZERO,
            };
        };
        let making = start.elapsed();
        let counts = |a: AssertId| self.asserts.binary_search(&a).is_ok();
        // That a proof is one must not be lost because nobody has the time to check it in this way, too.
        let half = |left: Duration| Instant::now() + left / 2;
        let mut check = |solver: &str| {
            let budget = Budget { deadline: self.budget.left().map(half), ..self.budget.clone() };
            let mut open = || budget.open(solver);
            let checked = lariat_certify::check(given, &mut terms.clone(), entry, &counts, &certificate, &mut open);
            checked.unwrap_or_else(|error| Checked::Unknown(error.to_string()))
        };
        let checked = check(CHECKER);
        let checking = start.elapsed() - making;
        let second = self.second_opinion.as_deref().filter(|_| checked == Checked::Proved).map(&mut check);
        let certificate = Some((terms, certificate));
        Certified { entry, engine: String::new(), certificate, checked, second, making, checking }
    }

    fn replay(&self, bug: &Candidate, terms: &Terms) -> Validated {
        match self.view.replayed(terms, self.entry, bug, self.means()) {
            Ok((assertion, run)) => Validated::Bug(assertion, Box::new(run)),
            Err(_) if bug.doubt.is_some() => {
                Validated::Nothing(self.reason(&bug.doubt.as_ref().map_or(String::new(), ToString::to_string)))
            }
            Err(_) if self.view.leaves_out() => Validated::Lost,
            Err(why) => {
                let message = format!("a counterexample did not replay: {why}");
                let name = |v| terms.var_name(v).to_owned();
                let mut values: Vec<(String, String)> =
                    bug.model.vars().map(|(v, value)| (name(v), value.display(terms).to_string())).collect();
                values.sort();
                Validated::Incident(Box::new(Incident { message, entry: self.entry, run: why.run(), values }))
            }
        }
    }

    /// Why there is no answer: the budget, if that is used up.
    fn reason(&self, said: &str) -> String {
        self.budget.used_up().map_or_else(|| said.to_owned(), |reason| reason.to_string())
    }

    fn failed(&self, error: &SolverError) -> String {
        let said = error.to_string();
        if said.contains("out of memory") { Reason::MemoryLimit.to_string() } else { self.reason(&said) }
    }
}

//! Validation of answers: bugs are replayed on the program as it was given, proofs are checked. This is
//! the one place where engines are believed.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_certify::{Certificate, Checked, Goal, expand_recursion, trivial_invariants};
use lariat_engine::{Answer, Budget, Candidate, Proof, Questions, for_many};
use lariat_program::{AssertId, Loc, RegionId, interp::Run, recursive_regions};
use lariat_smt::{Reason, SolverError};
use lariat_term::Terms;

use crate::{
    passes::View,
    report::{Certified, Incident},
};

/// The solver that certificates are checked with: no lemmas on demand, nothing of ours.
const CHECKER: &str = "z3";

/// How long the check of a certificate may always take, if there is so much time.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often recursion is expanded once more for a certificate that is not accepted.
const MORE_ROUNDS: u32 = 3;

/// An answer that can be relied on.
pub(crate) enum Validated {
    /// This run of the program as it was given fails.
    Bug(AssertId, Box<Run>),
    /// No execution fails; with the certificate, unless proofs are not told so.
    Proof(Option<Box<Certified>>),
    /// A proof whose certificate the checker does not accept: a fault of the engine, or of how its proof is told.
    Rejected(Box<Incident>),
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
        // Where a proof is rejected, others may still find one, or a bug.
        !matches!(self, Validated::Nothing(_) | Validated::Rejected(_))
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
    /// Are proofs told as certificates and checked?
    pub certify: bool,
    /// May that take long, since somebody wants to have them?
    pub certificates_wanted: bool,
    /// When the engines began.
    pub started: Instant,
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
            Answer::Proof(mut proof) => self.proof(&mut *proof, terms),
            Answer::Bounded { bound, cut } => Validated::Bounded(bound, cut),
            Answer::Paused(reason) => Validated::Nothing(reason.to_string()),
            Answer::Nothing(why) => Validated::Nothing(why),
        }
    }

    /// A proof counts if its certificate is accepted. Where there is none, or the check takes too long, it counts if it satisfies the
    /// engine's own conditions, and the report says so.
    fn proof(&self, proof: &mut dyn Proof, terms: Option<&Terms>) -> Validated {
        let certified = self.certify.then(|| Box::new(self.certified(proof, terms)));
        if certified.as_ref().is_some_and(|c| c.is_accepted()) {
            return Validated::Proof(certified);
        }
        let Means { solver, budget } = self.means();
        let mut open = |questions| match questions {
            Questions::Few => budget.open(solver),
            Questions::Many => budget.open(for_many(solver)),
        };
        match (proof.check(&mut open), certified) {
            (Ok(true), Some(certified)) if certified.is_rejected() => {
                Validated::Rejected(Box::new(self.rejected(*certified)))
            }
            (Ok(true), certified) => Validated::Proof(certified),
            (Ok(false), _) => Validated::Nothing(self.reason("a proof does not hold")),
            (Err(error), _) => Validated::Nothing(self.failed(&error)),
        }
    }

    fn rejected(&self, certified: Certified) -> Incident {
        let Certified { entry, certificate, checked, .. } = certified;
        let given = &self.view.given;
        let message = format!("a proof was not accepted by the checker of certificates: {}", checked.said(given));
        let text = certificate.map(|(mut terms, c)| lariat_certify::write(given, &mut [(&mut terms, &c)]));
        let values = text.map(|text| ("certificate".to_owned(), text)).into_iter().collect();
        Incident { message, entry, run: None, values }
    }

    /// When the check of a certificate has to end. A verdict must not be lost because nobody has the time to check it in this way, and
    /// nobody wants to wait for long.
    pub fn check_until(&self) -> Option<Instant> {
        let half = self.half();
        if self.certificates_wanted {
            return half;
        }
        let enough = Instant::now() + self.started.elapsed().max(PATIENCE);
        Some(half.map_or(enough, |half| half.min(enough)))
    }

    /// When half of the time that is left is over.
    fn half(&self) -> Option<Instant> {
        self.budget.left().map(|left| Instant::now() + left / 2)
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
        let Some((mut terms, mut certificate)) = mapped else {
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
        let truth = terms.bool(true);
        let mut check = |solver: &str, certificate: &Certificate| {
            let deadline = if certificate.by_execution { self.half() } else { self.check_until() };
            let budget = Budget { deadline, ..self.budget.clone() };
            let mut open = |logic| budget.open_for(solver, logic);
            let late = || budget.used_up().is_some();
            let checked = lariat_certify::check(given, &mut terms, entry, &counts, certificate, &mut open, &late);
            checked.unwrap_or_else(|error| Checked::Unknown(error.to_string()))
        };
        let mut checked = check(CHECKER, &certificate);
        let (mut rounds, mut listed_rounds) = (0..MORE_ROUNDS, true);
        while let Checked::Fails(goal) = checked {
            match goal {
                // What a pass knows of a loop holds wherever its program enters it. Where the given program enters it elsewhere, too
                // (in a call that was sliced away), it is no fact, and the proof is tried without.
                Goal::Entered(region, _) | Goal::Kept(region, _)
                    if certificate.facts.iter().any(|fact| fact.0 == region) =>
                {
                    certificate.facts.retain(|fact| fact.0 != region);
                }
                // What a pass has found calls to return has become constants, and recursion that is not needed then is not listed.
                _ if rounds.next().is_some()
                    && expand_recursion(given, &recursive_regions(given), &mut certificate) => {}
                // Or what is asserted in a loop has become true, and no round is needed for that.
                _ if listed_rounds && trivial_invariants(given, truth, &mut certificate) => {
                    (listed_rounds, rounds) = (false, 0..MORE_ROUNDS);
                }
                _ => break,
            }
            checked = check(CHECKER, &certificate);
        }
        let checking = start.elapsed() - making;
        let opinion = self.second_opinion.as_deref().filter(|_| checked == Checked::Proved);
        let second = opinion.map(|solver| check(solver, &certificate));
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

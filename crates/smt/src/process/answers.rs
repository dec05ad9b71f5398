//! What a process says after a check: its core, or why it does not know.

use std::time::Instant;

use lariat_term::{Term, smtlib::SExprs};
use rustc_hash::FxHashMap;

use super::{GRACE, ProcessSolver, child::Trouble};
use crate::{Answer, Reason, SolverError, query::excerpt};

impl ProcessSolver {
    /// The only answer to a question after a check.
    pub(super) fn one(&mut self, question: &str) -> Result<Result<String, Reason>, SolverError> {
        let deadline = self.base.limits.time.map(|t| Instant::now() + t + GRACE);
        match self.ask(question, deadline) {
            Ok(answers) => {
                self.no_error(&answers)?;
                match <[String; 1]>::try_from(answers) {
                    Ok([answer]) => Ok(Ok(answer)),
                    Err(other) => Err(self.nonsense(excerpt(&other.join(" ")))),
                }
            }
            Err(Trouble::Timeout) => {
                self.child = None;
                Ok(Err(Reason::Timeout))
            }
            Err(Trouble::Interrupted) => {
                self.child = None;
                Ok(Err(Reason::Interrupted))
            }
            Err(other) => Err(self.error(other)),
        }
    }

    /// An error that the process reports is one.
    pub(super) fn no_error(&self, answers: &[String]) -> Result<(), SolverError> {
        match answers.iter().find(|a| a.starts_with("(error")) {
            Some(e) => {
                let message = e.trim_start_matches("(error").trim_end_matches(')').trim().trim_matches('"');
                Err(SolverError::Failed { solver: self.name.clone(), message: excerpt(message) })
            }
            None => Ok(()),
        }
    }

    /// Why the process does not know.
    pub(super) fn reason(&mut self) -> Result<Answer, SolverError> {
        let why = match self.one("(get-info :reason-unknown)\n") {
            Ok(Ok(why)) => {
                why.trim_matches(['(', ')']).replace(":reason-unknown", "").trim().trim_matches('"').to_owned()
            }
            Ok(Err(reason)) => return Ok(Answer::Unknown(reason)),
            Err(SolverError::Failed { .. }) => String::new(),
            Err(e) => return Err(e),
        };
        let limits = self.base.limits;
        Ok(Answer::Unknown(match why.as_str() {
            w if w.contains("timeout") => Reason::Timeout,
            w if w.contains("memout") || w.contains("memory") => Reason::MemoryLimit,
            w if w.contains("resource") => Reason::ResourceLimit,
            w if w.contains("cancel") && limits.resource.is_some() => Reason::ResourceLimit,
            w if w.contains("cancel") && limits.time.is_some() => Reason::Timeout,
            _ => Reason::Incomplete(why),
        }))
    }

    /// The assumptions that the process needed.
    pub(super) fn core(&mut self, assumptions: &[Term], symbols: &[String]) -> Result<Answer, SolverError> {
        if assumptions.is_empty() {
            return Ok(Answer::Unsat(Vec::new()));
        }
        let text = match self.one("(get-unsat-assumptions)\n")? {
            Ok(text) => text,
            Err(reason) => return Ok(Answer::Unknown(reason)),
        };
        let wrong = || self.nonsense(format!("not a list of assumptions: {}", excerpt(&text)));
        let parsed = SExprs::read(&text).map_err(|_| wrong())?;
        let list = parsed.single().map_err(|_| wrong())?;
        if !list.is_list() {
            return Err(wrong());
        }
        let places: FxHashMap<&str, usize> = symbols.iter().enumerate().map(|(i, s)| (s.as_str(), i)).collect();
        let mut used = vec![false; symbols.len()];
        for e in list.items() {
            let place = e.symbol().and_then(|symbol| places.get(symbol)).ok_or_else(wrong)?;
            used[*place] = true;
        }
        Ok(Answer::Unsat(assumptions.iter().zip(used).filter(|x| x.1).map(|x| *x.0).collect()))
    }
}

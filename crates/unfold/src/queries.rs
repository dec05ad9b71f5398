//! The questions to the solver: they differ in their assumptions only.

use std::time::Instant;

use lariat_smt::{Answer, Model, Reason, Soft, SolverError};
use lariat_term::Term;
use rustc_hash::FxHashMap;

use crate::{
    instance::NodeId,
    stats::QueryKind,
    unfolding::{EngineError, Unfolding},
};

/// The answer to an over-query.
pub enum Over {
    /// There may be an error: here is what it would look like.
    Sat(Model),
    /// There is none, because of these blocked nodes; without any, there is none at all.
    Unsat(Vec<NodeId>),
    /// The solver does not know.
    Unknown(Reason),
}

impl Unfolding<'_> {
    /// Is there an error that needs no open node?
    pub fn under(&mut self) -> Result<Answer, EngineError> {
        let blocked = self.open().to_vec();
        self.ask(QueryKind::Under, &blocked, None).map(|(answer, _)| answer)
    }

    /// May there be an error that needs none of the `blocked` open nodes?
    pub fn over(&mut self, blocked: &[NodeId]) -> Result<Over, EngineError> {
        Ok(match self.ask(QueryKind::Over, blocked, None)? {
            (Answer::Sat(model), _) => Over::Sat(model),
            (Answer::Unknown(reason), _) => Over::Unknown(reason),
            (Answer::Unsat(core), of) => Over::Unsat(core.into_iter().filter_map(|t| of.get(&t).copied()).collect()),
        })
    }

    /// A query on the way to a correction set.
    pub(crate) fn ask_blocked(&mut self, blocked: &[NodeId], require: Option<Term>) -> Result<Answer, EngineError> {
        self.ask(QueryKind::Correction, blocked, require).map(|(answer, _)| answer)
    }

    /// An error that needs none of the `blocked` open nodes, and of the others those of the least total weight.
    /// `None` if there is none or the solver cannot tell.
    pub(crate) fn lightest(
        &mut self,
        blocked: &[NodeId],
        weights: &[(NodeId, u64)],
    ) -> Result<Option<Model>, EngineError> {
        self.assert_summary_facts()?;
        let (assumptions, _) = self.assume(blocked, None);
        let soft: Vec<Soft> = weights.iter().map(|&(n, weight)| (self.blocking(n), weight.max(1))).collect();
        if self.must_stop().is_some() {
            return Ok(None);
        }
        self.solver.set_limits(self.solver_limits());
        let start = Instant::now();
        let answer = match self.solver.optimize(self.terms, &assumptions, &soft) {
            Err(SolverError::Unsupported { .. }) => return Ok(None),
            answer => answer?,
        };
        self.stats.count(QueryKind::Correction, &answer, start.elapsed());
        Ok(if let Answer::Sat(model) = answer { Some(model) } else { None })
    }

    /// The open nodes past a bound.
    pub(crate) fn past(&self, bound: u32) -> Vec<NodeId> {
        self.open().iter().copied().filter(|&n| self.node(n).cost > bound).collect()
    }

    /// The blocking constraint of a node: it neither returns nor fails.
    pub(crate) fn blocking(&mut self, n: NodeId) -> Term {
        let node = &self.nodes[n.index()];
        let passes = self.terms.or(&[node.returns, node.fails]);
        self.terms.not(passes)
    }

    /// What one question may use.
    pub(crate) fn solver_limits(&self) -> lariat_smt::Limits {
        self.limits.budget.solver_limits()
    }

    /// The assumptions of a query that blocks these nodes, and which of them blocks which.
    fn assume(&mut self, blocked: &[NodeId], require: Option<Term>) -> (Vec<Term>, FxHashMap<Term, NodeId>) {
        let mut of = FxHashMap::default();
        let mut assumptions: Vec<Term> = require.into_iter().chain(self.target.assumptions.iter().copied()).collect();
        for &n in blocked {
            let not = self.blocking(n);
            of.insert(not, n);
            assumptions.push(not);
        }
        (assumptions, of)
    }

    fn ask(
        &mut self,
        kind: QueryKind,
        blocked: &[NodeId],
        require: Option<Term>,
    ) -> Result<(Answer, FxHashMap<Term, NodeId>), EngineError> {
        self.assert_summary_facts()?;
        let (assumptions, of) = self.assume(blocked, require);
        if let Some(reason) = self.must_stop() {
            return Ok((Answer::Unknown(reason), of));
        }
        self.solver.set_limits(self.solver_limits());
        let start = Instant::now();
        self.stats.first_query.get_or_insert(start);
        if self.limits.queries.is_some_and(|most| self.stats.all_queries() >= most) {
            return Ok((Answer::Unknown(Reason::ResourceLimit), of));
        }
        let mut answer = self.solver.check(self.terms, &assumptions)?;
        self.stats.count(kind, &answer, start.elapsed());
        self.stats.terms = self.terms.len() as u64;
        if let Answer::Unsat(core) = &mut answer {
            core.retain(|t| of.contains_key(t) || require == Some(*t));
        }
        Ok((answer, of))
    }
}

//! What is known of open nodes: the contracts of their regions, which stand in for the regions' bodies.
//!
//! A contract holds of boxes that executions reach. The instance of a region that is not reached has any inputs, and what it is found to do when it
//! is expanded need not keep the contract; so all is asserted under the condition that the node, and hence everything above it, is reached.

use lariat_certify::Certificate;
use lariat_houdini::Contracts;
use lariat_term::{Sort, Term};
use rustc_hash::FxHashMap;

use crate::{
    instance::NodeId,
    unfolding::{EngineError, Unfolding},
};

/// Contracts, and for which nodes they are asserted.
#[derive(Default)]
pub(crate) struct SummaryFacts {
    contracts: Option<Contracts>,
    /// Open nodes of which nothing is asserted yet.
    pending: Vec<NodeId>,
    /// Variables that are true where a node is reached.
    reached: FxHashMap<NodeId, Term>,
}

impl SummaryFacts {
    pub fn new(contracts: Option<Contracts>) -> SummaryFacts {
        SummaryFacts { contracts: contracts.filter(|c| !c.is_empty()), ..SummaryFacts::default() }
    }

    /// A node is open.
    pub fn left_open(&mut self, n: NodeId) {
        if self.contracts.is_some() {
            self.pending.push(n);
        }
    }
}

impl Unfolding<'_> {
    /// Adds the contracts to a certificate that lists the expanded instances.
    pub fn state_contracts(&mut self, certificate: &mut Certificate) {
        let Some(contracts) = &self.summary_facts.contracts else { return };
        let entry = self.nodes[0].region;
        let may_fail = |r| self.summaries.effects(r).asserts;
        contracts.state(self.program, self.terms, entry, &may_fail, certificate);
    }

    /// Asserts the contracts of nodes that have become open.
    pub(crate) fn assert_summary_facts(&mut self) -> Result<(), EngineError> {
        let Some(contracts) = self.summary_facts.contracts.take() else { return Ok(()) };
        let pending = std::mem::take(&mut self.summary_facts.pending);
        let result = pending.into_iter().try_for_each(|n| self.assert_contract(&contracts, n));
        self.summary_facts.contracts = Some(contracts);
        result
    }

    fn assert_contract(&mut self, contracts: &Contracts, n: NodeId) -> Result<(), EngineError> {
        let node = &self.nodes[n.index()];
        let contract = &contracts.regions[node.region.index()];
        if contract.is_empty() {
            return Ok(());
        }
        let effects = self.summaries.effects(node.region);
        let map = contracts.at_box(self.program, effects, node.region, &node.args, &node.globals, &node.values);
        let (returns, fails) = (node.returns, node.fails);
        let mut facts = self.terms.substitute_all(&contract.requires, &map);
        let ensures = self.terms.substitute_all(&contract.ensures, &map);
        let ensures = self.terms.and(&ensures);
        facts.push(self.terms.implies(returns, ensures));
        let safe = self.terms.substitute_all(&contract.safe, &map);
        let safe = self.terms.or(&safe);
        let not_fails = self.terms.not(fails);
        facts.push(self.terms.implies(safe, not_fails));
        let reached = self.is_reached(n)?;
        for fact in facts {
            let fact = self.terms.implies(reached, fact);
            self.solver.assert(self.terms, fact)?;
        }
        Ok(())
    }

    /// A term that is true where executions reach a node.
    fn is_reached(&mut self, n: NodeId) -> Result<Term, EngineError> {
        let mut way = Vec::new();
        let mut at = Some(n);
        let mut reached = self.terms.bool(true);
        while let Some(m) = at {
            if let Some(&known) = self.summary_facts.reached.get(&m) {
                reached = known;
                break;
            }
            way.push(m);
            at = self.nodes[m.index()].parent;
        }
        for m in way.into_iter().rev() {
            let here = self.terms.and(&[reached, self.nodes[m.index()].guard]);
            // One that holds wherever the one above does needs no variable of its own.
            if here != reached {
                let own = self.terms.fresh_var("reached", Sort::BOOL);
                let implied = self.terms.implies(here, own);
                self.solver.assert(self.terms, implied)?;
                reached = own;
            }
            self.summary_facts.reached.insert(m, reached);
        }
        Ok(reached)
    }
}

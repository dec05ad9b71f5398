//! A strategy that looks at the program first, and at how it gets on.
//!
//! What an entry can reach is unfolded at once as long as that is little: then one question decides, and a solver
//! that sees everything need not be led. Where loops, recursion or calls of calls make it too much, the
//! rest is looked into step by step, as [`Stratified`] does. If that goes on for long without a new bound, minimal
//! sets ([`Inertial`]) take turns with it. All of them work on the same unfolding, so that nothing is lost.

use lariat_program::{Components, Program, RegionId, StmtKind};
use lariat_smt::Model;

use super::{Correction, Inertial, Step, Strategy, Stratified};
use crate::{
    instance::NodeId,
    unfolding::{EngineError, Unfolding},
};

/// How many statements may be unfolded before the first question.
const AT_ONCE: u64 = 8_000;

/// How many rounds a strategy has at one bound before another one gets its turn.
const PATIENCE: u32 = 60;

/// Chooses for itself.
#[derive(Default)]
pub struct Auto {
    /// How much there is below each region, without what only recursion reaches; by number.
    sizes: Vec<u64>,
    /// What was unfolded at once.
    spent: u64,
    /// Is everything still unfolded at once?
    at_once: bool,
    /// At this bound,
    bound: u32,
    /// rounds so far.
    rounds: u32,
    inertial: Option<Inertial>,
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn before(&mut self, unfolding: &Unfolding<'_>, bound: u32) -> Vec<NodeId> {
        if self.sizes.is_empty() {
            self.sizes = sizes(unfolding.program());
            self.at_once = true;
        }
        if !self.at_once {
            return Vec::new();
        }
        // Rounds of a loop after the first one, and recursion, are let in by need.
        let first = |&n: &NodeId| unfolding.node(n).cost <= bound.min(1);
        let within: Vec<NodeId> = unfolding.open().iter().copied().filter(first).collect();
        let size = |&n: &NodeId| self.sizes[unfolding.node(n).region.index()];
        let all = within.iter().map(size).fold(0, u64::saturating_add);
        self.at_once = self.spent.saturating_add(all) <= AT_ONCE;
        if !self.at_once {
            return Vec::new();
        }
        let own = |&n: &NodeId| statements(unfolding.program(), unfolding.node(n).region);
        self.spent += within.iter().map(own).sum::<u64>();
        within
    }

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, bound: u32) -> Result<Step, EngineError> {
        if self.bound != bound {
            (self.bound, self.rounds) = (bound, 0);
        }
        self.rounds += 1;
        if (self.rounds / PATIENCE).is_multiple_of(2) {
            return Stratified.choose(unfolding, model, bound);
        }
        let inertial = self.inertial.get_or_insert_with(|| Inertial::new(Correction::Cheapest));
        inertial.choose(unfolding, model, bound)
    }
}

fn statements(program: &Program, region: RegionId) -> u64 {
    program.regions[region.index()].blocks.iter().map(|b| b.stmts.len() as u64 + 1).sum()
}

/// The statements of each region and of all instances below it, without those that only recursion makes.
fn sizes(program: &Program) -> Vec<u64> {
    let Components { order, component, .. } = Components::new(program);
    let mut sizes = vec![0; program.regions.len()];
    for r in order {
        let stmts = program.regions[r.index()].blocks.iter().flat_map(|b| &b.stmts);
        let boxes = stmts.filter_map(|s| if let StmtKind::Box { callee, .. } = s.kind { Some(callee) } else { None });
        let below = boxes.filter(|c| component[c.index()] != component[r.index()]);
        let below = below.map(|c| sizes[c.index()]).fold(0, u64::saturating_add);
        sizes[r.index()] = below.saturating_add(statements(program, r));
    }
    sizes
}

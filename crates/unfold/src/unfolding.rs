//! The unfolding in its solver context: adding and expanding nodes.

use std::rc::Rc;

use lariat_engine::Budget;
use lariat_houdini::Contracts;
use lariat_program::{AssertId, BlockId, Loc, Program, RegionEffects, RegionId, RegionKind};
use lariat_smt::{Model, Reason, Solver, SolverError};
use lariat_summary::{BoxSite, Summaries, Summary};
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::{
    demand::{Demand, Demands},
    forced::Forced,
    instance::{InstanceEffect, Node, NodeId, State},
    limits::{Limits, Unasked},
    specification::Specified,
    stats::Stats,
    summary_facts::SummaryFacts,
    target::{Selection, Target},
};

/// Why an unfolding cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// An unfolding in its solver context.
pub struct Unfolding<'a> {
    pub(crate) program: &'a Program,
    pub(crate) terms: &'a mut Terms,
    pub(crate) summaries: Summaries,
    pub(crate) nodes: Vec<Node>,
    pub(crate) target: Selection,
    pub(crate) limits: Limits,
    pub(crate) stats: Stats,
    pub(crate) forced: Forced,
    pub(crate) solver: Box<dyn Solver>,
    open: Vec<NodeId>,
    pub(crate) demands: Demands,
    /// Regions that can occur more than once on a stack.
    recursive: Vec<bool>,
    /// Placeholders that turned out to be constants.
    known: FxHashMap<Var, Term>,
    /// The error condition.
    pub(crate) condition: Term,
    /// What the placeholders of expanded nodes were found to be.
    pub(crate) definitions: FxHashMap<Var, Term>,
    /// Whose placeholder a variable is.
    pub(crate) owners: FxHashMap<Var, NodeId>,
    /// Open nodes that are instantiated, and what they were found to do.
    pub(crate) prepared: FxHashMap<NodeId, InstanceEffect>,
    /// What was asserted about open nodes.
    pub(crate) specified: Vec<Specified>,
    /// The axioms of the program that are asserted.
    axioms: Vec<usize>,
    /// What is known of regions that are not looked into.
    pub(crate) summary_facts: SummaryFacts,
    /// Up to which cost nodes may be expanded now.
    pub(crate) bound: u32,
}

impl<'a> Unfolding<'a> {
    /// An unfolding that starts in `entry`, with the program's axioms and the error condition
    /// asserted.
    pub fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        solver: Box<dyn Solver>,
        entry: RegionId,
        target: Target,
        limits: Limits,
    ) -> Result<Unfolding<'a>, EngineError> {
        Unfolding::with_contracts(program, terms, solver, entry, target, limits, None)
    }

    /// The same, with contracts that hold of all executions from the entry: they are the summaries of what is not looked into (CORRAL, figure 2, line 11).
    pub fn with_contracts(
        program: &'a Program,
        terms: &'a mut Terms,
        solver: Box<dyn Solver>,
        entry: RegionId,
        target: Target,
        limits: Limits,
        contracts: Option<Contracts>,
    ) -> Result<Unfolding<'a>, EngineError> {
        limits.budget.stop.watch(solver.interrupter());
        let summaries = Summaries::new(program, terms);
        let recursive = lariat_program::recursive_regions(program);
        let condition = terms.bool(true);
        let target = Selection::new(terms, target);
        let mut unfolding = Unfolding {
            program,
            terms,
            summaries,
            nodes: Vec::new(),
            target,
            limits,
            stats: Stats::default(),
            forced: Forced::default(),
            solver,
            open: Vec::new(),
            // Contracts speak of all outputs.
            demands: Demands::new(contracts.is_some()),
            recursive,
            known: FxHashMap::default(),
            condition,
            definitions: FxHashMap::default(),
            owners: FxHashMap::default(),
            prepared: FxHashMap::default(),
            specified: Vec::new(),
            axioms: Vec::new(),
            summary_facts: SummaryFacts::new(contracts),
            bound: 1,
        };
        let axioms = unfolding.summaries.axioms(program, unfolding.terms);
        let relevant = unfolding.summaries.relevant(program, unfolding.terms, entry, &axioms);
        for (i, (&axiom, _)) in axioms.iter().zip(&relevant).enumerate().filter(|(_, (_, kept))| **kept) {
            unfolding.solver.assert(unfolding.terms, axiom)?;
            if i < program.axioms.len() {
                unfolding.axioms.push(i);
            }
        }
        let inputs: Vec<Var> = program.regions[entry.index()].inputs.iter().map(|d| d.var).collect();
        let args = inputs.into_iter().map(|v| unfolding.terms.var_term(v)).collect();
        let uses = unfolding.summaries.effects(entry).uses.clone();
        let globals = uses.into_iter().map(|v| unfolding.terms.var_term(v)).collect();
        let yes = unfolding.terms.bool(true);
        let root = unfolding.add_node(entry, None, yes, args, globals, Demand::default());
        unfolding.instantiate(root);
        let fails = unfolding.nodes[root.index()].fails;
        unfolding.condition = fails;
        unfolding.solver.assert(unfolding.terms, fails)?;
        unfolding.forced.add(unfolding.terms, fails);
        Ok(unfolding)
    }

    /// Makes only these (sorted) assertions of [`Target::Selected`] count in the queries that follow. The
    /// others restrict execution, as an assume does. Nothing that was expanded is lost.
    pub fn select(&mut self, which: &[AssertId]) {
        self.target.select(self.terms, which);
        self.bound = 1;
    }

    /// Sets what it may use from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        budget.stop.watch(self.solver.interrupter());
        self.limits.budget = budget;
    }

    /// What the solver proposed as a model when it gave up in the last query.
    pub(crate) fn candidate(&mut self) -> Option<Model> {
        self.solver.candidate()
    }

    /// The root node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// A node.
    pub fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n.index()]
    }

    /// The positions of the program's axioms that matter to this unfolding and are asserted. Those
    /// left out share no symbol with the others or with the code.
    pub fn axioms(&self) -> &[usize] {
        &self.axioms
    }

    /// The same for another program with the same axioms.
    pub fn relevant_axioms(&mut self, program: &Program, entry: RegionId) -> Vec<usize> {
        let mut summaries = Summaries::new(program, self.terms);
        let axioms = summaries.axioms(program, self.terms);
        let relevant = summaries.relevant(program, self.terms, entry, &axioms);
        (0..program.axioms.len()).filter(|&i| relevant[i]).collect()
    }

    /// All axioms of the program and the definitions that are recursive, asserted or left out.
    pub fn all_axioms(&mut self) -> Vec<Term> {
        self.summaries.axioms(self.program, self.terms)
    }

    /// The box of a node: the node that it stands in, its block and its position there; nothing for the root.
    pub fn boxed(&self, n: NodeId) -> Option<(NodeId, BlockId, usize)> {
        let node = self.node(n);
        let parent = node.parent?;
        let site = self.summaries.ready(self.node(parent).region)?.boxes.get(node.site)?;
        Some((parent, site.block, site.stmt))
    }

    /// Where the box of a node stands in the source; the region's own place for the root.
    pub fn box_loc(&self, n: NodeId) -> Loc {
        let site = self.boxed(n).and_then(|(parent, block, stmt)| {
            let block = self.program.regions[self.node(parent).region.index()].blocks.get(block.index())?;
            Some(block.stmts.get(stmt)?.loc)
        });
        site.unwrap_or(self.program.regions[self.node(n).region.index()].loc)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The open nodes, in the order in which they were made.
    pub fn open(&self) -> &[NodeId] {
        &self.open
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The term store.
    pub fn terms(&self) -> &Terms {
        self.terms
    }

    /// The term store, to make terms.
    pub(crate) fn terms_mut(&mut self) -> &mut Terms {
        self.terms
    }

    /// The summary of a region.
    pub(crate) fn summary(&mut self, region: RegionId) -> Rc<Summary> {
        self.summaries.get(self.program, self.terms, region)
    }

    /// The side effects of a region.
    pub(crate) fn effects(&self, region: RegionId) -> &RegionEffects {
        self.summaries.effects(region)
    }

    /// An assertion of a region, or inside one of its boxes, fails: over the summary's variables.
    pub(crate) fn region_fails(&mut self, summary: &Summary) -> Term {
        let mut fails = Vec::new();
        for site in &summary.boxes {
            if let Some(inside) = site.fails {
                let inside = self.terms.var_term(inside);
                fails.push(self.terms.and(&[site.guard, inside]));
            }
        }
        for e in &summary.errors {
            if let Some(active) = self.target.active(self.terms, e.assertion) {
                fails.push(self.terms.and(&[active, e.condition]));
            }
        }
        self.terms.or(&fails)
    }

    /// Counters.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Was the unfolding told to stop, or is its time over?
    pub fn must_stop(&self) -> Option<Reason> {
        self.limits.budget.used_up()
    }

    pub(crate) fn add_node(
        &mut self,
        region: RegionId,
        place: Option<(NodeId, usize)>,
        guard: Term,
        args: Vec<Term>,
        globals: Vec<Term>,
        demand: Demand,
    ) -> NodeId {
        let no = self.terms.bool(false);
        let id = NodeId(self.nodes.len() as u32);
        let node = Node {
            region,
            parent: place.map(|(parent, _)| parent),
            site: place.map_or(0, |(_, site)| site),
            cost: self.cost_below(place.map(|(parent, _)| parent), region),
            depth: place.map_or(0, |(parent, _)| self.nodes[parent.index()].depth + 1),
            state: State::Expanded,
            guard,
            returns: no,
            fails: no,
            demand,
            values: Vec::new(),
            args,
            globals,
            choices: Vec::new(),
            children: Vec::new(),
            rounds: None,
        };
        self.nodes.push(node);
        self.nodes[id.index()].rounds = self.count_rounds(id);
        self.stats.nodes += 1;
        id
    }

    /// How often a region occurs on the stack of a new instance below `parent`.
    fn cost_below(&self, mut above: Option<NodeId>, region: RegionId) -> u32 {
        if !self.recursive[region.index()] {
            return 1;
        }
        while let Some(n) = above {
            let node = &self.nodes[n.index()];
            if node.region == region {
                return node.cost + 1;
            }
            above = node.parent;
        }
        1
    }

    /// May a node be expanded just because its box is certainly reached?
    pub(crate) fn may_expand_unasked(&self, n: NodeId) -> bool {
        let node = &self.nodes[n.index()];
        let is_loop = matches!(self.program.regions[node.region.index()].kind, RegionKind::Loop { .. });
        let wanted = self.limits.unasked == Unasked::All || is_loop;
        wanted && self.limits.bound.is_none_or(|bound| node.cost <= bound)
    }

    /// Gives a node fresh placeholders.
    pub(crate) fn leave_open(&mut self, n: NodeId, site: &BoxSite) {
        let fresh = |terms: &mut Terms, v: Var| {
            let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
            terms.fresh_var(&name, sort)
        };
        let returns = fresh(self.terms, site.returns);
        let fails = site.fails.map(|f| fresh(self.terms, f));
        let demand = self.nodes[n.index()].demand.clone();
        let values: Vec<Term> = demand.iter().map(|&i| fresh(self.terms, site.values[i as usize])).collect();
        let placeholders = [Some(returns), fails].into_iter().flatten().chain(values.iter().copied());
        self.owners.extend(placeholders.filter_map(|t| self.terms.as_var(t)).map(|v| (v, n)));
        let node = &mut self.nodes[n.index()];
        node.state = State::Open;
        node.returns = returns;
        self.forced.open(returns, n);
        if let Some(fails) = fails {
            node.fails = fails;
            self.forced.open(fails, n);
        }
        node.values = values;
        self.summary_facts.left_open(n);
        self.open.push(n);
        self.stats.open = self.open.len() as u64;
    }

    /// Expands open nodes: their placeholders are asserted to equal what the region does.
    pub fn expand(&mut self, nodes: &[NodeId]) -> Result<(), EngineError> {
        for &n in nodes {
            let node = &mut self.nodes[n.index()];
            if node.state == State::Expanded {
                continue;
            }
            let placeholders: Vec<Term> =
                [node.returns, node.fails].into_iter().chain(node.values.iter().copied()).collect();
            if !self.known.is_empty() {
                node.args = self.terms.substitute_all(&node.args, &self.known);
                node.globals = self.terms.substitute_all(&node.globals, &self.known);
            }
            self.reveal(n);
            let node = &self.nodes[n.index()];
            let found = [node.returns, node.fails].into_iter().chain(node.values.iter().copied());
            for (i, (placeholder, found)) in placeholders.into_iter().zip(found).enumerate() {
                if i < 2 {
                    self.forced.found(self.terms, placeholder, found);
                }
                if let Some(v) = self.terms.as_var(placeholder) {
                    self.definitions.insert(v, found);
                    if self.terms.is_value(found) {
                        self.known.insert(v, found);
                    }
                }
                let equal = self.terms.eq(placeholder, found);
                self.solver.assert(self.terms, equal)?;
            }
        }
        let all = &self.nodes;
        self.open.retain(|n| all[n.index()].state == State::Open);
        self.stats.open = self.open.len() as u64;
        Ok(())
    }

    /// Expands a node, the box of it that `below` names first, and so on down to the last box, which
    /// is left as it is. `None` if there is no such box or it is expanded already.
    pub(crate) fn expand_down(&mut self, mut n: NodeId, below: &[usize]) -> Result<Option<NodeId>, EngineError> {
        for &site in below {
            self.expand(&[n])?;
            let child = self.node(n).children.iter().copied().find(|&c| self.node(c).site == site);
            let Some(child) = child else { return Ok(None) };
            n = child;
        }
        Ok((self.node(n).state == State::Open).then_some(n))
    }

    /// Asserts some of what an open node does: terms over the variables of the region's summary and
    /// over `results`, which stand for π, ε (if something can fail) and λ. The node stays open. What speaks of outputs that nobody
    /// asks for is left out.
    pub(crate) fn specify(&mut self, n: NodeId, results: &[Var], conjuncts: &[Term]) -> Result<(), EngineError> {
        self.prepare(n);
        let summary = self.summaries.get(self.program, self.terms, self.nodes[n.index()].region);
        let mut map = self.instance_map(n, &summary);
        let node = &self.nodes[n.index()];
        map.extend(results.iter().copied().zip([node.returns, node.fails]));
        let outputs = results.get(2..).unwrap_or_default();
        map.extend(node.demand.iter().map(|&i| outputs[i as usize]).zip(node.values.iter().copied()));
        let mut conjuncts = conjuncts.to_vec();
        conjuncts.retain(|&c| self.terms.free_vars(&[c]).iter().all(|v| !outputs.contains(v) || map.contains_key(v)));
        for t in self.terms.substitute_all(&conjuncts, &map) {
            self.solver.assert(self.terms, t)?;
        }
        self.stats.specified += conjuncts.len() as u64;
        self.specified.push(Specified { node: n, results: results.to_vec(), conjuncts });
        Ok(())
    }
}

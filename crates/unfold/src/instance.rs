//! Nodes of the unfolding, and how one is made out of a region's summary.

use std::rc::Rc;

use lariat_program::{RegionId, RegionKind};
use lariat_summary::{Counter, Summary};
use lariat_term::{Substituter, Term, Terms, Var, ids};
use rustc_hash::FxHashMap;

use crate::{demand::Demand, unfolding::Unfolding};

ids! {
    /// A node of an unfolding; parents come before their children.
    NodeId;
}

/// So many rounds of loops that constants decide are taken at once in a small unfolding.
const ROUNDS: u32 = 64;

/// Rounds are counted up to here.
const COUNTED: u32 = 2_048;

/// How far a node is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Its placeholders are free.
    Open,
    /// Its summary is instantiated.
    Expanded,
}

/// An instance of a region.
#[derive(Debug)]
pub struct Node {
    /// The region.
    pub region: RegionId,
    /// The node whose box this is; `None` for the root.
    pub parent: Option<NodeId>,
    /// Which box of the parent's summary.
    pub site: usize,
    /// How often the region occurs on the stack, this node included.
    pub cost: u32,
    /// How many nodes are above it.
    pub depth: u32,
    /// Open or expanded.
    pub state: State,
    /// The box is reached, provided that the parent is.
    pub guard: Term,
    /// π, or what it was found to be.
    pub returns: Term,
    /// ε, or what it was found to be; `false` where nothing can fail.
    pub fails: Term,
    /// Which of its outputs are asked for.
    pub demand: Demand,
    /// λ, or what they were found to be, of the outputs that are asked for.
    pub values: Vec<Term>,
    /// The actual inputs.
    pub args: Vec<Term>,
    /// The actual values of the globals that the region uses.
    pub globals: Vec<Term>,
    /// The variables for what the summary leaves open, in the summary's order; empty while open.
    pub choices: Vec<Term>,
    /// The boxes of the instance that can be reached, in the order of the summary.
    pub children: Vec<NodeId>,
    /// For a loop: how often it goes round at most from here, if constants decide that.
    pub rounds: Option<u32>,
}

/// What an instance does: π, ε and λ as terms.
#[derive(Clone, Debug)]
pub(crate) struct InstanceEffect {
    returns: Term,
    fails: Term,
    values: Vec<Term>,
}

/// An instance under construction.
struct Frame {
    node: NodeId,
    summary: Rc<Summary>,
    /// What each box is asked for.
    demands: Rc<[Demand]>,
    substituter: Substituter,
    /// The next box to look at.
    next: usize,
    /// What can fail: own assertions and boxes.
    fails: Vec<Term>,
    /// The guard of the first box that can be reached.
    first: Option<Term>,
}

impl Node {
    fn effect(&self) -> InstanceEffect {
        InstanceEffect { returns: self.returns, fails: self.fails, values: self.values.clone() }
    }

    fn set_effect(&mut self, found: InstanceEffect) {
        (self.returns, self.fails, self.values) = (found.returns, found.fails, found.values);
    }
}

impl Unfolding<'_> {
    /// Instantiates the summary of a node whose inputs are known. Boxes that are certainly reached
    /// are instantiated along with it, and boxes that are certainly not are dropped, so that a loop
    /// with a constant number of iterations unfolds here without a query.
    ///
    /// Afterwards `returns`, `fails` and `values` of the node say what the instance does.
    pub(crate) fn instantiate(&mut self, node: NodeId) {
        let mut budget = self.limits.eager_nodes;
        // What is only likely to be needed may double the unfolding.
        let mut rounds = ROUNDS.max(self.nodes.len() as u32);
        let mut stack = vec![self.frame(node)];
        while let Some(frame) = stack.last_mut() {
            if budget > 0 && budget.is_multiple_of(16) && self.must_stop().is_some() {
                budget = 0;
            }
            if frame.next == frame.summary.boxes.len() {
                let done = frame.node;
                if let Some(frame) = stack.pop() {
                    self.finish(frame);
                }
                if let Some(parent) = stack.last_mut() {
                    self.bind_child(parent, done);
                }
                continue;
            }
            let site = &frame.summary.boxes[frame.next];
            let index = frame.next;
            frame.next += 1;
            let guard = frame.substituter.apply(self.terms, site.guard);
            if guard == self.terms.bool(false) {
                frame.substituter.bind(self.terms, site.returns, guard);
                continue;
            }
            let args = frame.substituter.apply_all(self.terms, &site.args);
            let globals = frame.substituter.apply_all(self.terms, &site.globals);
            let demand = frame.demands[index].clone();
            let child = self.add_node(site.callee, Some((frame.node, index)), guard, args, globals, demand);
            // The entry runs once. What its first box depends on is mostly what is assumed of the inputs, and
            // a box that depends on nothing else is as good as certain.
            let is_entry = self.nodes[frame.node.index()].parent.is_none();
            let certain = guard == self.terms.bool(true) || is_entry && *frame.first.get_or_insert(guard) == guard;
            let counted = rounds > 0 && self.is_counted(frame.node, child);
            if (certain || counted) && budget > 0 && self.may_expand_unasked(child) {
                budget -= 1;
                rounds -= u32::from(!certain);
                self.stats.unasked += 1;
                stack.push(self.frame(child));
            } else {
                self.leave_open(child, site);
                self.bind_child(frame, child);
            }
        }
    }

    /// Is this the next round of a loop that is known to end, or a loop in a round of one? Then only what is left out
    /// of a counter stands against it: mostly that no assertion failed before.
    fn is_counted(&self, parent: NodeId, child: NodeId) -> bool {
        self.nodes[parent.index()].rounds.is_some() && self.nodes[child.index()].rounds.is_some()
    }

    /// Counts the rounds of a loop that is about to be entered.
    pub(crate) fn count_rounds(&mut self, n: NodeId) -> Option<u32> {
        let node = &self.nodes[n.index()];
        let region = node.region;
        if let Some(parent) = node.parent.map(|p| &self.nodes[p.index()])
            && parent.region == region
        {
            return parent.rounds?.checked_sub(1);
        }
        if !matches!(self.program.regions[region.index()].kind, RegionKind::Loop { .. }) {
            return None;
        }
        let summary = self.summaries.get(self.program, self.terms, region);
        if summary.counters.is_empty() {
            return None;
        }
        let start = self.formal_map(n, &summary);
        Counter::rounds(&summary.counters, self.terms, |v| start.get(&v).copied(), COUNTED)
    }

    /// Instantiates an open node, but leaves it open: its placeholders stay free.
    pub(crate) fn prepare(&mut self, n: NodeId) {
        if self.prepared.contains_key(&n) || self.nodes[n.index()].state == State::Expanded {
            return;
        }
        let placeholders = self.nodes[n.index()].effect();
        self.instantiate(n);
        let node = &mut self.nodes[n.index()];
        let found = node.effect();
        node.set_effect(placeholders);
        node.state = State::Open;
        self.prepared.insert(n, found);
    }

    /// Instantiates an open node, or takes what it was found to do before.
    pub(crate) fn reveal(&mut self, n: NodeId) {
        match self.prepared.remove(&n) {
            None => self.instantiate(n),
            Some(found) => {
                let node = &mut self.nodes[n.index()];
                node.set_effect(found);
                node.state = State::Expanded;
            }
        }
    }

    fn frame(&mut self, node: NodeId) -> Frame {
        let region = self.nodes[node.index()].region;
        let summary = self.summaries.get(self.program, self.terms, region);
        let n = &mut self.nodes[node.index()];
        n.choices = fresh_choices(self.terms, &summary);
        n.state = State::Expanded;
        self.stats.expanded += 1;
        self.stats.regions.resize(self.program.regions.len(), 0);
        self.stats.regions[region.index()] += 1;
        let demands = self.demands.of_boxes(self.terms, region, &summary, &self.nodes[node.index()].demand);
        let substituter = Substituter::new(self.terms, self.formal_map(node, &summary));
        Frame { node, summary, demands, substituter, next: 0, fails: Vec::new(), first: None }
    }

    /// Puts what is known of a box into the instance around it.
    fn bind_child(&mut self, frame: &mut Frame, child: NodeId) {
        let n = &self.nodes[child.index()];
        let site = &frame.summary.boxes[n.site];
        frame.substituter.bind(self.terms, site.returns, n.returns);
        if let Some(fails) = site.fails {
            frame.substituter.bind(self.terms, fails, n.fails);
            let failing = self.terms.and(&[n.guard, n.fails]);
            frame.fails.push(failing);
        }
        for (&i, &value) in n.demand.iter().zip(&n.values) {
            frame.substituter.bind(self.terms, site.values[i as usize], value);
        }
        self.nodes[frame.node.index()].children.push(child);
    }

    fn finish(&mut self, mut frame: Frame) {
        let summary = &frame.summary;
        for e in &summary.errors {
            if let Some(active) = self.target.active(self.terms, e.assertion) {
                let condition = frame.substituter.apply(self.terms, e.condition);
                let failing = self.terms.and(&[active, condition]);
                frame.fails.push(failing);
            }
        }
        let returns = frame.substituter.apply(self.terms, summary.returns);
        let asked = self.nodes[frame.node.index()].demand.iter().map(|&i| summary.value(i as usize));
        let asked: Vec<Term> = asked.collect();
        let values = frame.substituter.apply_all(self.terms, &asked);
        let fails = self.terms.or(&frame.fails);
        let n = &mut self.nodes[frame.node.index()];
        (n.returns, n.fails, n.values) = (returns, fails, values);
    }

    /// The substitution that made the instance of an expanded node, boxes included.
    pub(crate) fn instance_map(&self, node: NodeId, summary: &Summary) -> FxHashMap<Var, Term> {
        let mut map = self.formal_map(node, summary);
        for child in &self.nodes[node.index()].children {
            let c = &self.nodes[child.index()];
            let site = &summary.boxes[c.site];
            map.insert(site.returns, c.returns);
            map.extend(c.demand.iter().map(|&i| site.values[i as usize]).zip(c.values.iter().copied()));
            map.extend(site.fails.map(|f| (f, c.fails)));
        }
        map
    }

    /// Formal inputs, globals and open choices with their actual terms.
    fn formal_map(&self, node: NodeId, summary: &Summary) -> FxHashMap<Var, Term> {
        let n = &self.nodes[node.index()];
        let inputs = self.program.regions[n.region.index()].inputs.iter().map(|d| d.var).zip(&n.args);
        let globals = self.summaries.effects(n.region).uses.iter().copied().zip(&n.globals);
        let open = summary.open.iter().map(|o| o.var).zip(&n.choices);
        inputs.chain(globals).chain(open).map(|(v, &t)| (v, t)).collect()
    }
}

fn fresh_choices(terms: &mut Terms, summary: &Summary) -> Vec<Term> {
    let fresh = |o: &lariat_summary::ChoiceVar| {
        let (name, sort) = (terms.var_name(o.var).to_owned(), terms.var_sort(o.var));
        terms.fresh_var(&name, sort)
    };
    summary.open.iter().map(fresh).collect()
}

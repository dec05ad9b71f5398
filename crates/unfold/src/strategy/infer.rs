//! Specification inference (Taghdiri, figures 8 and 9): a call site gets only the part of its callee
//! that refutes what a model claims of it.
//!
//! A model of the over-query claims inputs and results for each open node on its path, as far as the error depends
//! on them. The claims are checked against the callee's own summary, its boxes left open. If they cannot be, the
//! conjuncts of the summary that say so are asserted for that node, which stays open otherwise. If
//! they can, the node is expanded, and the claims about its own boxes are checked in turn.

use std::{collections::VecDeque, rc::Rc, time::Instant};

use lariat_program::RegionId;
use lariat_smt::{Answer, Limits, Model, Solver};
use lariat_summary::Summary;
use lariat_term::{Evaluator, Op, Sort, Term, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Step, Strategy};
use crate::{
    instance::NodeId,
    relevance::Amount,
    stats::QueryKind,
    unfolding::{EngineError, Unfolding},
};

/// How deep nested choices of a value are taken apart into conjuncts.
const DEPTH: u32 = 6;

/// How far below an open node claims are followed before the nodes above are expanded.
const BELOW: usize = 3;

/// What the check of a claim may cost, in the solver's own unit: a claim that is not refuted easily is followed.
const EFFORT: u64 = 200_000;

/// Specification inference, with a solver of its own for the claims.
pub struct Infer {
    solver: Box<dyn Solver>,
    contracts: FxHashMap<RegionId, Rc<Contract>>,
}

/// The summary of a region as conjuncts about variables for its results.
struct Contract {
    summary: Rc<Summary>,
    /// The inputs, then the globals that the region uses.
    inputs: Vec<Var>,
    /// For π, ε and λ.
    results: Vec<Var>,
    conjuncts: Vec<Term>,
    /// Each conjunct holds if its selector does.
    selectors: Vec<Term>,
}

/// A call site whose claims are to be checked: an open node, or one of the boxes that it would have.
struct Site {
    node: NodeId,
    /// Which box, which of its boxes, and so on.
    below: Vec<usize>,
    region: RegionId,
    claims: Claims,
}

/// Claimed values; `None` where nothing is claimed.
struct Claims {
    inputs: Vec<Option<Value>>,
    results: Vec<Option<Value>>,
}

enum Finding {
    /// The claims contradict these conjuncts, by position.
    Invalid(Vec<usize>),
    /// The claims are possible, with these claims about the boxes, by position.
    Valid(Vec<(usize, Claims)>),
}

impl Strategy for Infer {
    fn name(&self) -> &'static str {
        "infer"
    }

    fn choose(&mut self, unfolding: &mut Unfolding<'_>, model: &Model, bound: u32) -> Result<Step, EngineError> {
        let mut open = unfolding.open_on_path(model)?;
        open.retain(|&n| unfolding.node(n).cost <= bound);
        if open.is_empty() {
            return Ok(Step::Expand(open));
        }
        // First the nodes themselves, then what is below them in the order of the path.
        let (mut queue, mut deeper) = (VecDeque::new(), Vec::new());
        // What does not matter to the error is not claimed.
        let relevant: FxHashSet<Var> =
            unfolding.relevant_placeholders(model, Amount::All, bound)?.into_iter().collect();
        for &n in &open {
            let claims = claims(unfolding, model, n, &|v| relevant.contains(&v))?;
            if claims.results.iter().any(Option::is_some) {
                queue.push_back(Site { node: n, below: Vec::new(), region: unfolding.node(n).region, claims });
            }
        }
        // Something has to be found out about the path, though.
        let all = if queue.is_empty() { open } else { Vec::new() };
        for n in all {
            let claims = claims(unfolding, model, n, &|_| true)?;
            queue.push_back(Site { node: n, below: Vec::new(), region: unfolding.node(n).region, claims });
        }
        let mut valid = Vec::new();
        while let Some(site) = queue.pop_front().or_else(|| deeper.pop()) {
            let contract = self.contract(unfolding, site.region)?;
            match self.check(unfolding, &contract, &site.claims)? {
                Finding::Invalid(which) => {
                    let conjuncts: Vec<Term> = which.into_iter().map(|i| contract.conjuncts[i]).collect();
                    if let Some(n) = unfolding.expand_down(site.node, &site.below)? {
                        unfolding.specify(n, &contract.results, &conjuncts)?;
                    }
                    return Ok(Step::Refined);
                }
                Finding::Valid(boxes) => {
                    let at = if site.below.is_empty() { 0 } else { deeper.len() };
                    let follow = site.below.len() < BELOW;
                    for (i, claims) in boxes.into_iter().filter(|_| follow) {
                        let below = site.below.iter().copied().chain([i]).collect();
                        let region = contract.summary.boxes[i].callee;
                        deeper.insert(at, Site { node: site.node, below, region, claims });
                    }
                    valid.push((site.node, site.below));
                }
            }
            if unfolding.must_stop().is_some() {
                break;
            }
        }
        // Nothing speaks against the claims: they may be what the regions do.
        for (node, below) in valid {
            if let Some(n) = unfolding.expand_down(node, &below)?
                && unfolding.node(n).cost <= bound
            {
                unfolding.expand(&[n])?;
            }
        }
        Ok(Step::Refined)
    }
}

impl Infer {
    /// A strategy that checks claims with this solver.
    pub fn new(solver: Box<dyn Solver>) -> Infer {
        Infer { solver, contracts: FxHashMap::default() }
    }

    /// The contract of a region, asserted under its selectors.
    fn contract(&mut self, unfolding: &mut Unfolding<'_>, region: RegionId) -> Result<Rc<Contract>, EngineError> {
        if let Some(known) = self.contracts.get(&region) {
            return Ok(Rc::clone(known));
        }
        let summary = unfolding.summary(region);
        let fails = unfolding.region_fails(&summary);
        let inputs = unfolding.program().regions[region.index()].inputs.iter().map(|d| d.var);
        let inputs: Vec<Var> = inputs.chain(unfolding.effects(region).uses.iter().copied()).collect();
        let effects: Vec<Term> =
            [summary.returns, fails].iter().chain(&summary.outputs).chain(&summary.globals).copied().collect();
        let terms = unfolding.terms_mut();
        let (mut results, mut conjuncts, mut selectors) = (Vec::new(), Vec::new(), Vec::new());
        for effect in effects {
            let sort = terms.sort(effect);
            let result = terms.fresh_var("result", sort);
            results.extend(terms.as_var(result));
            take_apart(terms, result, effect, &mut conjuncts);
        }
        for &c in &conjuncts {
            let selector = terms.fresh_var("conjunct", Sort::BOOL);
            let guarded = terms.implies(selector, c);
            self.solver.assert(terms, guarded)?;
            selectors.push(selector);
        }
        let contract = Rc::new(Contract { summary, inputs, results, conjuncts, selectors });
        self.contracts.insert(region, Rc::clone(&contract));
        Ok(contract)
    }

    /// Are the claims possible?
    fn check(
        &mut self,
        unfolding: &mut Unfolding<'_>,
        contract: &Contract,
        claims: &Claims,
    ) -> Result<Finding, EngineError> {
        let start = Instant::now();
        self.solver.set_limits(Limits { resource: Some(EFFORT), ..unfolding.solver_limits() });
        let terms = unfolding.terms_mut();
        let vars = contract.inputs.iter().chain(&contract.results);
        let values = claims.inputs.iter().chain(&claims.results);
        let mut claimed = Vec::new();
        for (&var, value) in vars.zip(values) {
            if let Some(value) = value {
                let (var, value) = (terms.var_term(var), terms.value_term(value));
                claimed.push(terms.eq(var, value));
            }
        }
        let ask = |solver: &mut dyn Solver, terms: &Terms, selectors: &[Term]| {
            let assumptions: Vec<Term> = claimed.iter().chain(selectors).copied().collect();
            solver.check(terms, &assumptions)
        };
        let answer = ask(&mut *self.solver, terms, &contract.selectors)?;
        unfolding.stats.count(QueryKind::Claim, &answer, start.elapsed());
        let mut core = match answer {
            Answer::Sat(model) => return Ok(Finding::Valid(box_claims(unfolding.terms_mut(), contract, &model)?)),
            Answer::Unknown(_) => return Ok(Finding::Valid(Vec::new())),
            Answer::Unsat(core) => selectors_in(&core, &contract.selectors),
        };
        // Leave out what is not needed.
        let mut i = 0;
        while i < core.len() {
            let mut fewer = core.clone();
            fewer.remove(i);
            let start = Instant::now();
            let answer = ask(&mut *self.solver, unfolding.terms(), &fewer)?;
            unfolding.stats.count(QueryKind::Claim, &answer, start.elapsed());
            match answer {
                Answer::Unsat(smaller) => core = selectors_in(&smaller, &fewer),
                Answer::Sat(_) | Answer::Unknown(_) => i += 1,
            }
        }
        let core: FxHashSet<Term> = core.into_iter().collect();
        let position = |(i, s): (usize, &Term)| core.contains(s).then_some(i);
        Ok(Finding::Invalid(contract.selectors.iter().enumerate().filter_map(position).collect()))
    }
}

fn selectors_in(core: &[Term], selectors: &[Term]) -> Vec<Term> {
    let core: FxHashSet<Term> = core.iter().copied().collect();
    selectors.iter().copied().filter(|s| core.contains(s)).collect()
}

/// What the unfolding's model says about an open node, as far as it matters.
fn claims(
    unfolding: &Unfolding<'_>,
    model: &Model,
    n: NodeId,
    matters: &dyn Fn(Var) -> bool,
) -> Result<Claims, EngineError> {
    let node = unfolding.node(n);
    let mut evaluator = Evaluator::new(unfolding.terms(), model.get(unfolding.terms())?);
    let inputs = node.args.iter().chain(&node.globals).map(|&t| evaluator.eval(t).ok()).collect();
    let mut claim = |t: Term| evaluator.eval(t).ok().filter(|_| unfolding.terms().as_var(t).is_some_and(matters));
    let mut results = vec![claim(node.returns), claim(node.fails)];
    for (&i, &t) in node.demand.iter().zip(&node.values) {
        results.resize(2 + i as usize, None);
        results.push(claim(t));
    }
    Ok(Claims::new(inputs, results))
}

/// What a model of a contract says about the boxes that it enters.
fn box_claims(terms: &mut Terms, contract: &Contract, model: &Model) -> Result<Vec<(usize, Claims)>, EngineError> {
    let no = terms.bool(false);
    let sites = contract.summary.boxes.iter();
    let results = sites.map(|site| {
        let fails = site.fails.map_or(no, |f| terms.var_term(f));
        let values = site.values.iter().map(|&v| terms.var_term(v));
        let values: Vec<Term> = values.collect();
        [terms.var_term(site.returns), fails].into_iter().chain(values).collect()
    });
    let results: Vec<Vec<Term>> = results.collect();
    let mut evaluator = Evaluator::new(terms, model.get(terms)?);
    let mut found = Vec::new();
    for (i, (site, results)) in contract.summary.boxes.iter().zip(results).enumerate() {
        if evaluator.eval(site.guard) == Ok(Value::Bool(true)) {
            let inputs = site.args.iter().chain(&site.globals).map(|&t| evaluator.eval(t).ok()).collect();
            let results = results.into_iter().map(|t| evaluator.eval(t).ok()).collect();
            found.push((i, Claims::new(inputs, results)));
        }
    }
    Ok(found)
}

impl Claims {
    /// The values of a box that does not return mean nothing.
    fn new(inputs: Vec<Option<Value>>, mut results: Vec<Option<Value>>) -> Claims {
        if results.first() != Some(&Some(Value::Bool(true))) {
            results.iter_mut().skip(2).for_each(|r| *r = None);
        }
        Claims { inputs, results }
    }
}

/// `result = effect` as a list of weaker facts: one for each way that the value is chosen, one for
/// each condition of a path.
fn take_apart(terms: &mut Terms, result: Term, effect: Term, out: &mut Vec<Term>) {
    let args = terms.args(effect).to_vec();
    match terms.op(effect) {
        Op::And => {
            for &a in &args {
                out.push(terms.implies(result, a));
            }
            out.push(terms.implies(effect, result));
        }
        Op::Or => {
            for &a in &args {
                out.push(terms.implies(a, result));
            }
            out.push(terms.implies(result, effect));
        }
        _ => {
            let always = terms.bool(true);
            let mut stack = vec![(always, effect, 0)];
            while let Some((when, value, depth)) = stack.pop() {
                if let (Op::Ite, true) = (terms.op(value), depth < DEPTH) {
                    let [c, a, b] = *terms.args(value) else { continue };
                    let not = terms.not(c);
                    let (yes, no) = (terms.and(&[when, c]), terms.and(&[when, not]));
                    stack.push((no, b, depth + 1));
                    stack.push((yes, a, depth + 1));
                } else {
                    let equal = terms.eq(result, value);
                    out.push(terms.implies(when, equal));
                }
            }
        }
    }
}

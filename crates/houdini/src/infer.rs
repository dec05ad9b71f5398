//! The fixpoint: one local question about a region at a time.
//!
//! A question about a region takes for granted what is required of it and what is claimed of the regions that it boxes, and asks whether one of its own claims,
//! or what is required of a box, can be violated. A model drops all claims that it violates; an answer of unsatisfiable says by its core which
//! claims it rests on, and only when one of these is dropped is the question asked again.

use std::rc::Rc;

use lariat_engine::Budget;
use lariat_program::{AssertId, Components, Program, RegionId};
use lariat_smt::{Answer, Limits, Model, Solver, SolverError};
use lariat_summary::{Summaries, Summary};
use lariat_term::{Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Contracts;

/// What a question may cost, in the solver's own units, before claims are asked about one by one.
const RESOURCE: u64 = 3_000_000;
/// What a question about one claim may cost.
const SINGLE: u64 = 600_000;

/// What came out.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The claims that hold.
    pub contracts: Contracts,
    /// How many claims there were.
    pub candidates: usize,
    /// How many questions were asked.
    pub questions: u64,
}

#[expect(clippy::too_many_arguments, reason = "a question has that many parts")]
/// The largest set of these claims that is inductive for executions from `entry`; `None` if the budget is used up. Only assertions that count are failures.
pub fn infer(
    program: &Program,
    terms: &mut Terms,
    summaries: &mut Summaries,
    entry: RegionId,
    counts: &dyn Fn(AssertId) -> bool,
    candidates: Contracts,
    solver: &str,
    budget: &Budget,
) -> Result<Option<Inferred>, SolverError> {
    let mut axioms = summaries.axioms(program, terms);
    let relevant = summaries.relevant(program, terms, entry, &axioms);
    let mut kept = relevant.iter();
    axioms.retain(|_| kept.next() == Some(&true));
    let mut houdini = Houdini {
        program,
        terms,
        summaries,
        counts,
        solver,
        budget,
        axioms,
        contracts: candidates,
        claims: Vec::new(),
        of_region: vec![Vec::new(); program.regions.len()],
        users: vec![Vec::new(); program.regions.len()],
        questions: 0,
    };
    houdini.number();
    let candidates = houdini.claims.len();
    if !houdini.run(entry)? {
        return Ok(None);
    }
    let questions = houdini.questions;
    Ok(Some(Inferred { contracts: houdini.left(), candidates, questions }))
}

/// The kinds of claims of a contract.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Requires,
    Ensures,
    Safe,
}

/// A claim, dropped or not.
struct Claim {
    region: RegionId,
    kind: Kind,
    term: Term,
    /// Stands for it in assumptions.
    literal: Term,
    dropped: bool,
}

struct Houdini<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    summaries: &'a mut Summaries,
    counts: &'a dyn Fn(AssertId) -> bool,
    solver: &'a str,
    budget: &'a Budget,
    axioms: Vec<Term>,
    contracts: Contracts,
    claims: Vec<Claim>,
    /// The claims about a region.
    of_region: Vec<Vec<usize>>,
    /// The regions that box a region.
    users: Vec<Vec<RegionId>>,
    questions: u64,
}

/// The questions about one region.
struct Local {
    solver: Box<dyn Solver>,
    /// A claim, the literal under which it is violated, and the condition of that.
    goals: Vec<(usize, Term, Term)>,
    /// The claims that are taken for granted.
    assumed: Vec<usize>,
    /// Those that the last answer rests on; nothing while there is none.
    core: Option<FxHashSet<usize>>,
}

impl Houdini<'_> {
    fn number(&mut self) {
        for r in 0..self.program.regions.len() {
            let contract = std::mem::take(&mut self.contracts.regions[r]);
            let kinds =
                [(Kind::Requires, contract.requires), (Kind::Ensures, contract.ensures), (Kind::Safe, contract.safe)];
            for (kind, terms) in kinds {
                for term in terms {
                    let literal = self.terms.fresh_var("claim", Sort::BOOL);
                    self.of_region[r].push(self.claims.len());
                    self.claims.push(Claim { region: RegionId(r as u32), kind, term, literal, dropped: false });
                }
            }
        }
    }

    /// The contracts that are left.
    fn left(self) -> Contracts {
        let mut contracts = self.contracts;
        for claim in self.claims.into_iter().filter(|c| !c.dropped) {
            let contract = &mut contracts.regions[claim.region.index()];
            match claim.kind {
                Kind::Requires => contract.requires.push(claim.term),
                Kind::Ensures => contract.ensures.push(claim.term),
                Kind::Safe => contract.safe.push(claim.term),
            }
        }
        contracts
    }

    fn run(&mut self, entry: RegionId) -> Result<bool, SolverError> {
        let reached: FxHashSet<RegionId> = self.program.reached(entry).into_iter().collect();
        for &r in &reached {
            let mut callees: Vec<RegionId> = self.program.regions[r.index()].callees().collect();
            callees.sort_unstable();
            callees.dedup();
            callees.into_iter().for_each(|c| self.users[c.index()].push(r));
        }
        // Callees first, and again from the start whenever something was dropped.
        let order: Vec<RegionId> =
            Components::new(self.program).order.into_iter().filter(|r| reached.contains(r)).collect();
        let mut position = vec![0; self.program.regions.len()];
        order.iter().enumerate().for_each(|(i, r)| position[r.index()] = i);
        let mut pending: std::collections::BTreeSet<usize> = (0..order.len()).collect();
        let mut locals: FxHashMap<RegionId, Local> = FxHashMap::default();
        while let Some(i) = pending.pop_first() {
            let r = order[i];
            let mut local = match locals.remove(&r) {
                Some(local) => local,
                None => self.local(r)?,
            };
            let Some(dropped) = self.ask(&mut local)? else { return Ok(false) };
            locals.insert(r, local);
            for claim in dropped {
                let Claim { region, kind, .. } = self.claims[claim];
                let users = if kind == Kind::Requires { &[region][..] } else { &self.users[region.index()][..] };
                for user in users {
                    let rests = |local: &Local| local.core.as_ref().is_none_or(|core| core.contains(&claim));
                    if locals.get(user).is_none_or(rests) {
                        pending.insert(position[user.index()]);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Makes the questions about a region.
    fn local(&mut self, r: RegionId) -> Result<Local, SolverError> {
        let mut solver = self.budget.open(lariat_engine::for_many(self.solver))?;
        for &axiom in &self.axioms {
            solver.assert(self.terms, axiom)?;
        }
        let summary = self.summaries.get(self.program, self.terms, r);
        let (mut goals, mut assumed) = (Vec::new(), Vec::new());
        for (at, site) in summary.boxes.iter().enumerate() {
            let map = self.at_box(&summary, at);
            let returns = self.terms.var_term(site.returns);
            let returns = self.terms.and(&[site.guard, returns]);
            let fails = match site.fails {
                Some(fails) => self.terms.var_term(fails),
                None => self.terms.bool(false),
            };
            let not_fails = self.terms.not(fails);
            for &claim in &self.of_region[site.callee.index()] {
                let Claim { kind, term, literal, dropped, .. } = self.claims[claim];
                if dropped {
                    continue;
                }
                let here = self.terms.substitute(term, &map);
                let known = match kind {
                    Kind::Requires => {
                        let not = self.terms.not(here);
                        goals.push((claim, self.terms.and(&[site.guard, not])));
                        continue;
                    }
                    Kind::Ensures => self.terms.implies(returns, here),
                    Kind::Safe => {
                        let from = self.terms.and(&[site.guard, here]);
                        self.terms.implies(from, not_fails)
                    }
                };
                let known = self.terms.implies(literal, known);
                solver.assert(self.terms, known)?;
                assumed.push(claim);
            }
        }
        let fails = self.fails(&summary);
        let own = &self.program.regions[r.index()];
        let changed = self.summaries.effects(r).modifies.clone();
        let outputs = own.outputs.iter().map(|d| d.var).zip(summary.outputs.iter().copied());
        let left = outputs.chain(changed.into_iter().zip(summary.globals.iter().copied()));
        let exits = left.filter_map(|(v, t)| Some((*self.contracts.exits.get(&v)?, t))).collect();
        for &claim in &self.of_region[r.index()] {
            let Claim { kind, term, literal, dropped, .. } = self.claims[claim];
            if dropped {
                continue;
            }
            match kind {
                Kind::Requires => {
                    let known = self.terms.implies(literal, term);
                    solver.assert(self.terms, known)?;
                    assumed.push(claim);
                }
                Kind::Ensures => {
                    let holds = self.terms.substitute(term, &exits);
                    let not = self.terms.not(holds);
                    goals.push((claim, self.terms.and(&[summary.returns, not])));
                }
                Kind::Safe => goals.push((claim, self.terms.and(&[term, fails]))),
            }
        }
        assumed.sort_unstable();
        assumed.dedup();
        let no = self.terms.bool(false);
        let mut asked = Vec::new();
        for (claim, violated) in goals.into_iter().filter(|g| g.1 != no) {
            let literal = self.terms.fresh_var("violated", Sort::BOOL);
            let implied = self.terms.implies(literal, violated);
            solver.assert(self.terms, implied)?;
            asked.push((claim, literal, violated));
        }
        Ok(Local { solver, goals: asked, assumed, core: None })
    }

    fn at_box(&mut self, summary: &Summary, at: usize) -> FxHashMap<Var, Term> {
        let site = &summary.boxes[at];
        let values: Vec<Term> = site.values.iter().map(|&v| self.terms.var_term(v)).collect();
        let effects = self.summaries.effects(site.callee);
        self.contracts.at_box(self.program, effects, site.callee, &site.args, &site.globals, &values)
    }

    /// An assertion that counts fails in the region or in one of its boxes.
    fn fails(&mut self, summary: &Rc<Summary>) -> Term {
        let mut fails = Vec::new();
        for site in &summary.boxes {
            if let Some(inside) = site.fails {
                let inside = self.terms.var_term(inside);
                fails.push(self.terms.and(&[site.guard, inside]));
            }
        }
        fails.extend(summary.errors.iter().filter(|e| (self.counts)(e.assertion)).map(|e| e.condition));
        self.terms.or(&fails)
    }

    /// Drops claims until no question about the region drops one; gives those that it has dropped, or nothing if the budget is used up.
    fn ask(&mut self, local: &mut Local) -> Result<Option<Vec<usize>>, SolverError> {
        let mut dropped = Vec::new();
        loop {
            if self.budget.used_up().is_some() {
                return Ok(None);
            }
            let active: Vec<usize> =
                (0..local.goals.len()).filter(|&g| !self.claims[local.goals[g].0].dropped).collect();
            if active.is_empty() {
                local.core = Some(FxHashSet::default());
                return Ok(Some(dropped));
            }
            match self.question(local, &active, RESOURCE)? {
                Answer::Unsat(core) => {
                    let core: FxHashSet<Term> = core.into_iter().collect();
                    let used = local.assumed.iter().copied().filter(|&c| core.contains(&self.claims[c].literal));
                    local.core = Some(used.collect());
                    return Ok(Some(dropped));
                }
                Answer::Sat(model) => {
                    let before = dropped.len();
                    self.violated(local, &active, &model, &mut dropped)?;
                    if dropped.len() == before {
                        // Not to be: the model satisfies the question.
                        return Ok(None);
                    }
                }
                Answer::Unknown(_) => {
                    if self.budget.used_up().is_some() {
                        return Ok(None);
                    }
                    for g in active {
                        let claim = local.goals[g].0;
                        if self.claims[claim].dropped {
                            continue;
                        }
                        match self.question(local, &[g], SINGLE)? {
                            Answer::Unsat(_) => {}
                            Answer::Sat(_) | Answer::Unknown(_) => {
                                self.claims[claim].dropped = true;
                                dropped.push(claim);
                            }
                        }
                        if self.budget.used_up().is_some() {
                            return Ok(None);
                        }
                    }
                    // Each for itself holds; which of the others they rest on is not known.
                    local.core = None;
                    let rests_on_dropped = dropped.iter().any(|c| local.assumed.contains(c));
                    if !rests_on_dropped {
                        return Ok(Some(dropped));
                    }
                }
            }
        }
    }

    /// Can one of these goals be violated?
    fn question(&mut self, local: &mut Local, active: &[usize], resource: u64) -> Result<Answer, SolverError> {
        self.questions += 1;
        let literals: Vec<Term> = active.iter().map(|&g| local.goals[g].1).collect();
        let mut assumptions = Vec::new();
        if let [one] = literals[..] {
            assumptions.push(one);
        } else {
            let some = self.terms.or(&literals);
            let selected = self.terms.fresh_var("asked", Sort::BOOL);
            let implied = self.terms.implies(selected, some);
            local.solver.assert(self.terms, implied)?;
            assumptions.push(selected);
        }
        let kept = local.assumed.iter().filter(|&&c| !self.claims[c].dropped);
        assumptions.extend(kept.map(|&c| self.claims[c].literal));
        let limits = Limits { resource: Some(resource), ..self.budget.solver_limits() };
        local.solver.set_limits(limits);
        local.solver.check(self.terms, &assumptions)
    }

    /// Drops the claims that a model violates.
    fn violated(
        &mut self,
        local: &Local,
        active: &[usize],
        model: &Model,
        dropped: &mut Vec<usize>,
    ) -> Result<(), SolverError> {
        let yes = self.terms.bool(true);
        for &g in active {
            let (claim, literal, violated) = local.goals[g];
            if self.claims[claim].dropped {
                continue;
            }
            // Where the condition cannot be evaluated (quantifiers), the literal says what the solver chose.
            let is = |terms: &mut Terms, t: Term| model.value(terms, t).is_ok_and(|v| terms.value_term(&v) == yes);
            if is(self.terms, violated) || is(self.terms, literal) {
                self.claims[claim].dropped = true;
                dropped.push(claim);
            }
        }
        Ok(())
    }
}

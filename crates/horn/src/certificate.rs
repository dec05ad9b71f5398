//! Claims about regions, and the check that they hold together.

use lariat_program::RegionId;
use lariat_smt::{Solver, SolverError};
use lariat_summary::{BoxSite, Summaries, Summary};
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::Goal;

/// What is claimed of a region, over its inputs, the globals it uses and the program's constants.
#[derive(Clone, Debug)]
pub struct Claim {
    /// An assertion fails inside only if this holds.
    pub fails: Term,
    /// It returns only if this holds, of the values it returns, too.
    pub returns: Term,
    /// Variables of `returns` for the outputs, then the globals that the region may change.
    pub values: Vec<Var>,
}

/// Claims about all regions that executions from an entry can enter.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// By the region's index; `None` where no execution gets.
    pub claims: Vec<Option<Claim>>,
}

impl Certificate {
    /// Do the claims hold, and does it follow that the goal does?
    ///
    /// One question a region, each to a solver of its own: if what it boxes keeps its claims, does the
    /// region keep its own? By induction over the length of executions all claims then hold. Last, the
    /// claim about the entry must exclude that it fails.
    pub fn check(
        &self,
        goal: &Goal<'_>,
        terms: &mut Terms,
        open: &mut dyn FnMut() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<bool, SolverError> {
        let mut summaries = Summaries::new(goal.program, terms);
        let axioms = summaries.axioms(goal.program, terms);
        let relevant = summaries.relevant(goal.program, terms, goal.entry, &axioms);
        let axioms: Vec<Term> = axioms.into_iter().zip(relevant).filter(|(_, kept)| *kept).map(|(a, _)| a).collect();
        let mut refuted = |terms: &Terms, facts: &[Term]| -> Result<bool, SolverError> {
            let mut solver = open()?;
            for &t in axioms.iter().chain(facts) {
                solver.assert(terms, t)?;
            }
            Ok(solver.check(terms, &[])?.is_unsat())
        };
        for region in goal.program.reached(goal.entry) {
            let Some(claim) = self.of(region) else { return Ok(false) };
            let summary = summaries.get(goal.program, terms, region);
            let mut facts = Vec::new();
            for site in &summary.boxes {
                let Some(callee) = self.of(site.callee) else { return Ok(false) };
                self.assume(goal, terms, &summaries, site, callee, &mut facts);
            }
            let values = claim.values.iter().copied().zip(summary.outputs.iter().chain(&summary.globals).copied());
            let kept = terms.substitute(claim.returns, &values.collect());
            let broken =
                [(summary.returns, kept), (fails(goal, terms, &summary), claim.fails)].map(|(does, claimed)| {
                    let not = terms.not(claimed);
                    terms.and(&[does, not])
                });
            facts.push(terms.or(&broken));
            if !refuted(terms, &facts)? {
                return Ok(false);
            }
        }
        match self.of(goal.entry) {
            Some(claim) => refuted(terms, &[claim.fails]),
            None => Ok(false),
        }
    }

    fn of(&self, region: RegionId) -> Option<&Claim> {
        self.claims.get(region.index())?.as_ref()
    }

    /// What the claim about a box's region says of the box.
    fn assume(
        &self,
        goal: &Goal<'_>,
        terms: &mut Terms,
        summaries: &Summaries,
        site: &BoxSite,
        claim: &Claim,
        facts: &mut Vec<Term>,
    ) {
        let inputs = goal.program.regions[site.callee.index()].inputs.iter().map(|d| d.var);
        let uses = summaries.effects(site.callee).uses.iter().copied();
        let mut map: FxHashMap<Var, Term> =
            inputs.chain(uses).zip(site.args.iter().chain(&site.globals).copied()).collect();
        if let Some(fails) = site.fails {
            let (fails, claimed) = (terms.var_term(fails), terms.substitute(claim.fails, &map));
            facts.push(terms.implies(fails, claimed));
        }
        map.extend(claim.values.iter().copied().zip(site.values.iter().map(|&v| terms.var_term(v))));
        let (returns, claimed) = (terms.var_term(site.returns), terms.substitute(claim.returns, &map));
        facts.push(terms.implies(returns, claimed));
    }
}

/// The condition under which an assertion that counts fails in a region or in its boxes.
pub(crate) fn fails(goal: &Goal<'_>, terms: &mut Terms, summary: &Summary) -> Term {
    let own = summary.errors.iter().filter(|e| (goal.counts)(e.assertion)).map(|e| e.condition);
    let mut all: Vec<Term> = own.collect();
    for site in &summary.boxes {
        if let Some(fails) = site.fails {
            let fails = terms.var_term(fails);
            all.push(terms.and(&[site.guard, fails]));
        }
    }
    terms.or(&all)
}

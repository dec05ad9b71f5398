//! Which assertions count as errors.

use std::collections::BTreeMap;

use lariat_program::AssertId;
use lariat_term::{Sort, Term, Terms};

/// Which assertions count as errors. The others only restrict execution, as an assume does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Any assertion.
    Any,
    /// These, by a sorted list.
    Only(Vec<AssertId>),
    /// Those of this sorted list that are selected at the time of a query ([`Unfolding::select`](crate::Unfolding::select)); all
    /// at first.
    Selected(Vec<AssertId>),
}

impl Target {
    /// May the assertion's failure count?
    pub fn covers(&self, assertion: AssertId) -> bool {
        match self {
            Target::Any => true,
            Target::Only(list) | Target::Selected(list) => list.binary_search(&assertion).is_ok(),
        }
    }
}

/// Which assertions count, and when.
pub(crate) struct Selection {
    target: Target,
    /// A variable for each assertion that can be selected: whether its failure counts.
    selectors: BTreeMap<AssertId, Term>,
    /// What a query assumes so that the others do not count.
    pub assumptions: Vec<Term>,
}

impl Selection {
    pub fn new(terms: &mut Terms, target: Target) -> Selection {
        let list = if let Target::Selected(list) = &target { &list[..] } else { &[] };
        let selectors = list.iter().map(|&a| (a, terms.fresh_var("selected", Sort::BOOL))).collect();
        Selection { target, selectors, assumptions: Vec::new() }
    }

    /// When the assertion's failure counts; `None` if never.
    pub fn active(&self, terms: &mut Terms, assertion: AssertId) -> Option<Term> {
        let selector = || self.selectors.get(&assertion).copied();
        self.target.covers(assertion).then(|| selector().unwrap_or_else(|| terms.bool(true)))
    }

    /// Makes only these (sorted) assertions count.
    pub fn select(&mut self, terms: &mut Terms, which: &[AssertId]) {
        let others = self.selectors.iter().filter(|(a, _)| which.binary_search(a).is_err());
        self.assumptions = others.map(|(_, &selector)| terms.not(selector)).collect();
    }
}

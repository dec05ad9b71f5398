//! Solutions of clauses as certificates of the program that the clauses are about.
//!
//! The claim of a loop's relation is the loop's invariant, over the values that the relation's arguments stand for; those of the two
//! relations of a recursive procedure are its contract.

use lariat_certify::{Certificate, Contract, Instance, InstanceId, Site, Symbol, Treatment, Tree};
use lariat_program::RegionId;
use lariat_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    clauses::{Atom, Head, Point, System},
    solution::Solution,
};

/// The certificate that a solution is, or invariants with which nothing fails in a round after k others; `None` if it speaks about values that the program does not have.
pub(crate) fn certificate(
    system: &System,
    terms: &mut Terms,
    entry: RegionId,
    solution: &Solution,
    k: u32,
) -> Option<Certificate> {
    let mut made = Made {
        certificate: Certificate::new(entry),
        trees: FxHashMap::from_iter([(None, 0)]),
        paths: FxHashMap::from_iter([((0, Vec::new()), Tree::FIRST)]),
    };
    // A relation that no clause leads to any more was put in place: there is no second round.
    let reached: FxHashSet<usize> = system.clauses.iter().filter_map(|c| Some(c.head.as_ref()?.relation)).collect();
    let mut claims = Vec::new();
    for head in &system.heads {
        let Head { relation, procedure, point, args, bound, kept } = head;
        let tree = made.tree(*procedure);
        let claim = solution.says(terms, &Atom { relation: *relation, args: args.clone() });
        let claim = if bound.is_empty() { claim } else { terms.forall(bound, &[], claim) };
        let mut parts: Vec<Term> = kept.iter().map(|&(own, value)| terms.eq(own, value)).collect();
        parts.push(claim);
        let claim = terms.and(&parts);
        claims.push(claim);
        match point {
            Point::Loop(path) => {
                let instance = made.instance(tree, path);
                if reached.contains(relation) {
                    let treatment = if k == 0 { Treatment::Invariant(claim) } else { Treatment::Induction(k, claim) };
                    made.certificate.trees[tree].instances[instance.index()].treatment = treatment;
                }
            }
            Point::Entered => made.contract(terms, tree).requires = claim,
            Point::Returns => made.contract(terms, tree).ensures = claim,
        }
    }
    for v in terms.free_vars(&claims) {
        // Others are constants of the program.
        if let Some((procedure, moment)) = system.moments.get(&v) {
            let tree = made.tree(*procedure);
            let instance = made.instance(tree, &moment.path);
            made.certificate.symbols.push((v, Symbol { tree, instance, event: moment.event }));
        }
    }
    Some(made.certificate)
}

struct Made {
    certificate: Certificate,
    trees: FxHashMap<Option<RegionId>, usize>,
    paths: FxHashMap<(usize, Vec<Site>), InstanceId>,
}

impl Made {
    /// The tree of the entry, or of a recursive procedure.
    fn tree(&mut self, procedure: Option<RegionId>) -> usize {
        let next = self.certificate.trees.len();
        let tree = *self.trees.entry(procedure).or_insert(next);
        if let (true, Some(region)) = (tree == next, procedure) {
            self.certificate.trees.push(Tree::new(region));
            self.paths.insert((tree, Vec::new()), Tree::FIRST);
        }
        tree
    }

    fn contract(&mut self, terms: &mut Terms, tree: usize) -> &mut Contract {
        let yes = terms.bool(true);
        self.certificate.trees[tree].contract.get_or_insert(Contract { requires: yes, ensures: yes })
    }

    /// The instance that these boxes lead to.
    fn instance(&mut self, tree: usize, path: &[Site]) -> InstanceId {
        let mut at = Tree::FIRST;
        for n in 1..=path.len() {
            let instances = &mut self.certificate.trees[tree].instances;
            let boxed = Some((at, path[n - 1]));
            at = *self.paths.entry((tree, path[..n].to_vec())).or_insert_with(|| {
                instances.push(Instance { boxed, treatment: Treatment::Expand });
                InstanceId(instances.len() as u32 - 1)
            });
        }
        at
    }
}

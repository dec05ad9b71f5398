//! Linear arithmetic and equality with uninterpreted functions, for the literals that the search has assigned.
//!
//! A contradiction becomes a clause with a [`Lemma`] that says why. Integers are more than their rational relaxation: first their equations are
//! looked at alone, then the search branches on an unknown. Disequations of numbers are implied by neither side of their split,
//! which for rationals is enough, since these are convex; for integers the search splits. Congruence is in [`crate::congruence`].

use dashu_ratio::RBig;
use lariat_smt::SolverError;
use lariat_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    core::{Refuted, Refuter},
    diophantine,
    linear::{Constraint, Linear, Relation},
    problem::{Atom, Problem},
    sat::{Lit, Origin},
    simplex::{Certificate, Feasibility, Simplex},
    stop::Stop,
};

/// How often the search may branch on integers before it gives up.
const BRANCHES: usize = 120;

/// A sum of literals' constraints, each with its multiple.
pub type Sum = Vec<(Lit, RBig)>;

/// Why literals contradict each other in the theory.
#[derive(Clone, Debug)]
pub enum Lemma {
    /// The sum is a contradiction: rules COMB and CONTRA.
    Farkas(Sum),
    /// The disequation, once as less and once as greater with these multiples, contradicts these sums.
    Split {
        /// The disequation.
        lit: Lit,
        /// With what its form is not less than zero, and the form's multiple.
        below: (Sum, RBig),
        /// With what its form is not greater than zero, and its multiple.
        above: (Sum, RBig),
    },
    /// The sum of equations has integer coefficients, but its constant is none.
    Divisibility(Sum),
    /// Equal terms one after the other; the first and the last are different by the literal, or are different values.
    Chain {
        /// The terms.
        nodes: Vec<Term>,
        /// The equations between them.
        edges: Vec<Lit>,
        /// The disequation.
        closing: Option<Lit>,
    },
    /// A solver says so.
    Foreign(Vec<Lit>),
}

/// What a check gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Consistency {
    /// Nothing to object.
    Consistent,
    /// Clauses were added.
    Progress,
    /// It cannot be decided; why.
    GaveUp(String),
}

/// The theory's own state.
#[derive(Default)]
pub struct Theory {
    /// The tableau.
    pub simplex: Simplex,
    /// Why each clause of a lemma holds.
    pub lemmas: Vec<Lemma>,
    /// Variables that must get a value.
    pub wanted: Vec<usize>,
    pub(crate) instances: FxHashSet<(Term, Term)>,
    /// Congruences that cannot be expressed were passed over.
    pub(crate) passed_over: bool,
    solver: Option<Refuter>,
    splits: FxHashSet<usize>,
    branches: usize,
}

/// The literals about numbers.
pub struct Numbers {
    /// Which they are.
    pub lits: Vec<Lit>,
    /// What they say.
    pub constraints: Vec<Constraint>,
}

impl Numbers {
    /// Those that are assigned.
    pub fn assigned(p: &Problem) -> Numbers {
        let lits: Vec<Lit> = p.sat.trail().iter().copied().filter(|&l| p.meaning(l).is_some()).collect();
        let constraints = lits.iter().filter_map(|&l| p.meaning(l).cloned()).collect();
        Numbers { lits, constraints }
    }

    /// A certificate as multiples of literals, and of one more constraint behind them.
    pub fn sum(&self, certificate: Certificate) -> (Sum, RBig) {
        let mut extra = RBig::ZERO;
        let mut sum = Sum::new();
        for (i, m) in certificate {
            match self.lits.get(i) {
                Some(&l) => sum.push((l, m)),
                None => extra = m,
            }
        }
        (sum, extra)
    }
}

impl Theory {
    /// Looks for a contradiction. Only a full check does what is costly or adds something to decide.
    pub fn check(&mut self, p: &mut Problem, terms: &mut Terms, full: bool, stop: &Stop) -> Consistency {
        if self.equalities(p, terms) {
            return Consistency::Progress;
        }
        let numbers = Numbers::assigned(p);
        match self.simplex.check(&numbers.constraints, stop) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(c) => {
                let (sum, _) = numbers.sum(c);
                self.add(p, Lemma::Farkas(sum));
                return Consistency::Progress;
            }
            Feasibility::Stopped => return Consistency::GaveUp("out of time".into()),
        }
        if !full {
            return Consistency::Consistent;
        }
        if self.disequations(p, &numbers, stop) {
            return Consistency::Progress;
        }
        match self.integers(p, terms, &numbers) {
            Consistency::Consistent => self.congruence(p, terms, &numbers, stop),
            other => other,
        }
    }

    fn add(&mut self, p: &mut Problem, lemma: Lemma) {
        let mut lits: Vec<Lit> = match &lemma {
            Lemma::Farkas(sum) | Lemma::Divisibility(sum) => sum.iter().map(|(l, _)| !*l).collect(),
            Lemma::Split { lit, below, above } => {
                below.0.iter().chain(&above.0).map(|(l, _)| !*l).chain([!*lit]).collect()
            }
            Lemma::Chain { edges, closing, .. } => edges.iter().chain(closing).map(|&l| !l).collect(),
            Lemma::Foreign(all) => all.iter().map(|&l| !l).collect(),
        };
        lits.sort_unstable();
        lits.dedup();
        self.lemmas.push(lemma);
        p.sat.add(lits, Origin::Lemma(self.lemmas.len() - 1));
    }

    /// Lets a solver look at the literals: what our own theories leave open, it may decide.
    pub fn ask(&mut self, p: &mut Problem, terms: &mut Terms, stop: &Stop) -> Result<Consistency, SolverError> {
        let lits: Vec<Lit> = p.sat.trail().to_vec();
        let all: Vec<(Lit, Term)> = lits.into_iter().filter_map(|l| Some((l, p.literal_term(terms, l)?))).collect();
        let facts: Vec<Term> = all.iter().map(|&(_, t)| t).collect();
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => Refuter::new(stop.clone())?,
        };
        let answer = solver.core(terms, &[], &facts)?;
        self.solver = Some(solver);
        Ok(match answer {
            Refuted::Core(core) => {
                let core: FxHashSet<Term> = core.into_iter().collect();
                let lits = all.into_iter().filter(|(_, t)| core.contains(t)).map(|(l, _)| l).collect();
                self.add(p, Lemma::Foreign(lits));
                Consistency::Progress
            }
            Refuted::Satisfiable => Consistency::Consistent,
            Refuted::Unknown => Consistency::GaveUp("the solver does not know".into()),
        })
    }

    /// Two terms that a chain of equations makes equal and that are different.
    fn equalities(&mut self, p: &mut Problem, terms: &Terms) -> bool {
        let graph = Graph::assigned(p);
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for &t in &graph.order {
            if terms.is_value(t)
                && let Some(&other) = values.get(&graph.class(t))
            {
                let (nodes, edges) = graph.path(other, t);
                self.add(p, Lemma::Chain { nodes, edges, closing: None });
                return true;
            }
            if terms.is_value(t) {
                values.insert(graph.class(t), t);
            }
        }
        for &l in p.sat.trail() {
            if let (false, Atom::Same(a, b)) = (l.is_positive(), &p.atoms[l.var()])
                && graph.class(*a) == graph.class(*b)
            {
                let (nodes, edges) = graph.path(*a, *b);
                self.add(p, Lemma::Chain { nodes, edges, closing: Some(l) });
                return true;
            }
        }
        false
    }

    /// Is this form zero in all points? Then why it is neither less nor greater. A form in normal form may be taken as an integer.
    #[allow(clippy::type_complexity)]
    pub(crate) fn implied_zero(
        &mut self,
        p: &Problem,
        numbers: &Numbers,
        linear: &Linear,
        tight: bool,
        stop: &Stop,
    ) -> Option<((Sum, RBig), (Sum, RBig))> {
        let mut sides = Vec::new();
        for sign in [1, -1] {
            let linear = linear.clone().times(&RBig::from(sign));
            let mut all = numbers.constraints.clone();
            all.push(below_zero(p, linear, tight));
            match self.simplex.check(&all, stop) {
                Feasibility::Infeasible(c) => sides.push(numbers.sum(c)),
                _ => return None,
            }
        }
        let above = sides.pop()?;
        Some((sides.pop()?, above))
    }

    /// Disequations that the other literals contradict.
    fn disequations(&mut self, p: &mut Problem, numbers: &Numbers, stop: &Stop) -> bool {
        for (i, c) in numbers.constraints.iter().enumerate() {
            let value = self.simplex.value(&c.linear);
            if c.relation != Relation::Ne || !value.0.is_zero() || !value.1.is_zero() {
                continue;
            }
            if let Some((below, above)) = self.implied_zero(p, numbers, &c.linear, true, stop) {
                self.add(p, Lemma::Split { lit: numbers.lits[i], below, above });
                return true;
            }
            self.simplex.check(&numbers.constraints, stop);
        }
        false
    }

    /// Unknowns that should be integers and are not.
    fn integers(&mut self, p: &mut Problem, terms: &Terms, numbers: &Numbers) -> Consistency {
        if !p.integer.contains(&true) {
            return Consistency::Consistent;
        }
        let is_equation = |c: &Constraint| c.relation == Relation::Eq && p.integers(&c.linear);
        let which: Vec<usize> = (0..numbers.lits.len()).filter(|&i| is_equation(&numbers.constraints[i])).collect();
        let broken = (0..p.unknowns.len() as u32).find(|&u| {
            let value = self.simplex.value(&Linear::unknown(u));
            p.integer[u as usize] && !(value.0.is_int() && value.1.is_zero())
        });
        if let Some(u) = broken {
            let equations: Vec<Linear> = which.iter().map(|&i| numbers.constraints[i].linear.clone()).collect();
            if let Some(combination) = diophantine::refute(&equations) {
                let sum = combination.into_iter().map(|(k, m)| (numbers.lits[which[k]], m)).collect();
                self.add(p, Lemma::Divisibility(sum));
                return Consistency::Progress;
            }
            self.branches += 1;
            if self.branches > BRANCHES {
                return Consistency::GaveUp("too many cases of integers".into());
            }
            let mut linear = Linear::unknown(u);
            linear.constant = -RBig::from(self.simplex.value(&linear).0.floor());
            let place = p.linear_scope(terms, &linear).min().unwrap_or(0);
            return match p.constraint(Constraint { linear, relation: Relation::Le }, place) {
                Ok(l) => {
                    self.wanted.push(l.var());
                    Consistency::Progress
                }
                Err(_) => Consistency::GaveUp("an integer that is none".into()),
            };
        }
        let mut progress = false;
        for (&l, c) in numbers.lits.iter().zip(&numbers.constraints) {
            let value = self.simplex.value(&c.linear);
            let violated = c.relation == Relation::Ne && p.integers(&c.linear) && value.0.is_zero();
            if !violated || !self.splits.insert(l.var()) {
                continue;
            }
            progress = true;
            let place = p.places[l.var()];
            let mut clause = vec![!l];
            for sign in [1, -1] {
                let linear = c.linear.clone().times(&RBig::from(sign));
                clause.extend(p.constraint(Constraint { linear, relation: Relation::Lt }, place));
            }
            p.sat.add(clause, Origin::Part(place));
        }
        if progress { Consistency::Progress } else { Consistency::Consistent }
    }
}

/// A form is less than zero; with `tight`, by one at least if it is an integer.
pub fn below_zero(p: &Problem, mut linear: Linear, tight: bool) -> Constraint {
    if tight && p.integers(&linear) {
        linear.constant += RBig::ONE;
        return Constraint { linear, relation: Relation::Le };
    }
    Constraint { linear, relation: Relation::Lt }
}

/// The equations between terms that are neither Boolean nor numbers.
pub struct Graph {
    edges: FxHashMap<Term, Vec<(Term, Lit)>>,
    classes: FxHashMap<Term, Term>,
    /// The terms, in the order in which they came.
    pub order: Vec<Term>,
}

impl Graph {
    /// Those that are assigned.
    pub fn assigned(p: &Problem) -> Graph {
        let mut g = Graph { edges: FxHashMap::default(), classes: FxHashMap::default(), order: Vec::new() };
        for &l in p.sat.trail() {
            if let (true, Atom::Same(a, b)) = (l.is_positive(), &p.atoms[l.var()]) {
                for (x, y) in [(*a, *b), (*b, *a)] {
                    let edges = g.edges.entry(x).or_default();
                    if edges.is_empty() {
                        g.order.push(x);
                    }
                    edges.push((y, l));
                }
            }
        }
        for &t in &g.order {
            if g.classes.contains_key(&t) {
                continue;
            }
            let mut stack = vec![t];
            while let Some(s) = stack.pop() {
                if g.classes.insert(s, t).is_none() {
                    stack.extend(g.edges[&s].iter().map(|e| e.0).filter(|n| !g.classes.contains_key(n)));
                }
            }
        }
        g
    }

    /// The representative of a term.
    pub fn class(&self, t: Term) -> Term {
        self.classes.get(&t).copied().unwrap_or(t)
    }

    /// A shortest way between two terms of a class.
    pub fn path(&self, from: Term, to: Term) -> (Vec<Term>, Vec<Lit>) {
        let mut came: FxHashMap<Term, (Term, Option<Lit>)> = FxHashMap::default();
        came.insert(to, (to, None));
        let mut queue = std::collections::VecDeque::from([to]);
        while let Some(t) = queue.pop_front() {
            if t == from {
                break;
            }
            for &(next, l) in self.edges.get(&t).into_iter().flatten() {
                came.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    (t, Some(l))
                });
            }
        }
        let (mut nodes, mut edges) = (vec![from], Vec::new());
        let mut at = from;
        while let Some(&(next, Some(l))) = came.get(&at) {
            nodes.push(next);
            edges.push(l);
            at = next;
        }
        (nodes, edges)
    }
}

//! Congruence: equal arguments have equal values, as clauses on demand.
//!
//! A clause of two applications that both sides of some cut could not speak of at once would mix the sides. Then the way from
//! one to the other is cut into steps: for every cut on it, an application to arguments that both sides know (terms on the chain of equations, or
//! linear forms of what one side contributes to the equality of two numbers). Each step is a clause of one part, and the rules of the
//! propositional proof do the rest.

use dashu_ratio::RBig;
use lariat_term::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::{
    linear::{Constraint, Linear, Relation},
    problem::{Problem, is_number},
    sat::{Lit, Origin},
    simplex::Delta,
    stop::Stop,
    theory::{Consistency, Graph, Numbers, Sum, Theory},
};

/// How many clauses of congruence there may be.
const INSTANCES: usize = 5000;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Number(RBig, RBig),
    Term(Term),
    Truth(bool),
}

impl Theory {
    /// Adds the congruences that the point and the classes of equal terms violate.
    pub(crate) fn congruence(
        &mut self,
        p: &mut Problem,
        terms: &mut Terms,
        numbers: &Numbers,
        stop: &Stop,
    ) -> Consistency {
        let graph = Graph::assigned(p);
        let mut first: FxHashMap<(Op, Vec<Key>), (Term, Key)> = FxHashMap::default();
        let mut violated = Vec::new();
        for t in p.applications.clone() {
            let Some(value) = self.value(p, terms, &graph, t) else { continue };
            let mut keys = Vec::new();
            for a in terms.args(t).to_vec() {
                keys.push(match terms.sort(a) == Sort::BOOL {
                    true => Key::Term(a),
                    false => self.value(p, terms, &graph, a).unwrap_or(Key::Term(a)),
                });
            }
            match first.get(&(terms.op(t), keys.clone())) {
                None => _ = first.insert((terms.op(t), keys), (t, value)),
                Some((other, result)) if *result != value => violated.push((*other, t)),
                Some(_) => {}
            }
        }
        let before = self.instances.len();
        self.passed_over = false;
        for (a, b) in violated {
            if stop.is_over() {
                return Consistency::GaveUp("out of time".into());
            }
            if self.instances.len() > INSTANCES {
                return Consistency::GaveUp("too many congruences".into());
            }
            let mut common = p.scope(terms, a);
            common.intersect(&p.scope(terms, b));
            if common.min().is_some() {
                self.instance(p, terms, a, b);
            } else if let Some(steps) = self.steps(p, terms, &graph, numbers, a, b, stop) {
                for pair in steps.windows(2) {
                    self.instance(p, terms, pair[0], pair[1]);
                }
            } else {
                self.passed_over = true;
            }
        }
        if self.instances.len() > before {
            Consistency::Progress
        } else if self.passed_over {
            Consistency::GaveUp("equal arguments that no term stands between".into())
        } else {
            Consistency::Consistent
        }
    }

    /// The value of a term at the point, its class, or its truth.
    fn value(&mut self, p: &mut Problem, terms: &mut Terms, graph: &Graph, t: Term) -> Option<Key> {
        if is_number(terms, t) {
            let linear = p.linear(terms, t);
            let Delta(a, b) = self.simplex.value(&linear);
            return Some(Key::Number(a, b));
        }
        if terms.sort(t) != Sort::BOOL {
            return Some(Key::Term(graph.class(t)));
        }
        let l = p.atom(terms, t, None).ok()?;
        p.sat.value(l).map(Key::Truth)
    }

    /// Equal arguments, equal values: clauses of a part where both applications are in scope.
    fn instance(&mut self, p: &mut Problem, terms: &mut Terms, a: Term, b: Term) {
        if a == b || !self.instances.insert((a.min(b), a.max(b))) {
            return;
        }
        let mut common = p.scope(terms, a);
        common.intersect(&p.scope(terms, b));
        let Some(place) = common.min() else { return };
        let mut body: Vec<Lit> = Vec::new();
        let args: Vec<(Term, Term)> = terms.args(a).iter().copied().zip(terms.args(b).iter().copied()).collect();
        for (x, y) in args {
            if x == y {
                continue;
            }
            match equal(p, terms, x, y, place) {
                Ok(l) => body.push(!l),
                Err(true) => {}
                Err(false) => return,
            }
        }
        if terms.sort(a) == Sort::BOOL {
            if let (Ok(x), Ok(y)) = (p.atom(terms, a, Some(place)), p.atom(terms, b, Some(place))) {
                for (x, y) in [(!x, y), (x, !y)] {
                    p.sat.add(body.iter().copied().chain([x, y]).collect(), Origin::Part(place));
                }
            }
            return;
        }
        match equal(p, terms, a, b, place) {
            Ok(l) => body.push(l),
            Err(true) => return,
            Err(false) => {}
        }
        p.sat.add(body, Origin::Part(place));
    }

    /// Applications from one to the other, each with the next in scope of one node.
    #[allow(clippy::too_many_arguments)]
    fn steps(
        &mut self,
        p: &mut Problem,
        terms: &mut Terms,
        graph: &Graph,
        numbers: &Numbers,
        a: Term,
        b: Term,
        stop: &Stop,
    ) -> Option<Vec<Term>> {
        let (from, to) = (p.scope(terms, a), p.scope(terms, b));
        let (start, end) = (from.min()?, to.min()?);
        // The nodes on the way, from the last where the first application is in scope to the first where the other is.
        let mut nodes = vec![start];
        for cut in p.tree.way(start, end) {
            let last = *nodes.last()?;
            nodes.push(if last == cut { p.tree.parent(cut) } else { cut });
        }
        let leave = nodes.iter().rposition(|&n| from.contains(n))?;
        let enter = leave + nodes[leave..].iter().position(|&n| to.contains(n))?;
        let pairs: Vec<(Term, Term)> = terms.args(a).iter().copied().zip(terms.args(b).iter().copied()).collect();
        let mut between: Vec<Vec<Term>> = vec![Vec::new(); enter - leave];
        for (x, y) in pairs {
            if x == y {
                between.iter_mut().for_each(|args| args.push(x));
                continue;
            }
            if terms.sort(x) == Sort::BOOL {
                return None;
            }
            if !is_number(terms, x) {
                let (path, _) = graph.path(x, y);
                for (k, args) in between.iter_mut().enumerate() {
                    let (n, m) = (nodes[leave + k], nodes[leave + k + 1]);
                    let crosses = |p: &mut Problem, t: Term| {
                        let scope = p.scope(terms, t);
                        scope.contains(n) && scope.contains(m)
                    };
                    args.push(path.iter().copied().find(|&t| crosses(p, t))?);
                }
                continue;
            }
            let (left, right) = (p.linear(terms, x), p.linear(terms, y));
            let difference = left.clone().minus(&right);
            let constant = difference.is_constant();
            let below = match constant {
                true => (Sum::new(), RBig::ONE),
                false => {
                    let implied = self.implied_zero(p, numbers, &difference, false, stop);
                    // The point must stay what it was.
                    self.simplex.check(&numbers.constraints, stop);
                    implied?.0
                }
            };
            for (k, args) in between.iter_mut().enumerate() {
                let (n, m) = (nodes[leave + k], nodes[leave + k + 1]);
                let mut form = left.clone();
                for (l, multiple) in &below.0 {
                    let place = p.places[l.var()];
                    let first_side =
                        if p.tree.parent(n) == m { p.tree.is_below(place, n) } else { !p.tree.is_below(place, m) };
                    if first_side && let Some(c) = p.meaning(*l) {
                        form.add(&c.linear, &(multiple / &below.1));
                    }
                }
                let sort = terms.sort(x);
                let whole = form.terms.iter().all(|(_, c)| c.is_int()) && form.constant.is_int();
                let fits = p.integers(&form) && whole;
                let scope = p.linear_scope(terms, &form);
                if (sort == Sort::INT && !fits) || !scope.contains(n) || !scope.contains(m) {
                    return None;
                }
                args.push(p.number(terms, &form, sort));
            }
        }
        let mut steps = vec![a];
        let op = terms.op(a);
        for args in between {
            let t = terms.intern(op, &args);
            // The application must be known to whoever speaks of its value.
            p.leaf(terms, t);
            steps.push(t);
        }
        steps.push(b);
        Some(steps)
    }
}

/// The literal that says that two terms are equal, of a node where both are in scope.
fn equal(p: &mut Problem, terms: &mut Terms, x: Term, y: Term, place: usize) -> Result<Lit, bool> {
    if is_number(terms, x) {
        let (a, b): (Linear, Linear) = (p.linear(terms, x), p.linear(terms, y));
        return p.constraint(Constraint { linear: a.minus(&b), relation: Relation::Eq }, place);
    }
    if terms.sort(x) == Sort::BOOL {
        // Only syntactically equal Booleans are known to be equal.
        return Err(false);
    }
    p.same(terms, x, y, place)
}

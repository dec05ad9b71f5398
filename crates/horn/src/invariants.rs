//! Invariant inference in Houdini's way: simple facts about the arguments of relations that all clauses keep.
//!
//! Which bits of an argument never change, which numbers of the program bound it, which arguments are equal or
//! ordered, which linear equations they satisfy (`affine`), and which truth values exclude each other. The facts are those that hold where executions start, weakened
//! by one model after the other until every clause keeps them (Houdini). They need not decide a goal by themselves, but
//! may say enough about all states for an [`Induction`](crate::Induction) to go through.

use std::collections::BTreeMap;

use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Op, SortKind, Substituter, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::{
    affine::Affine,
    clauses::{Atom, Clause, System},
    solution::{Claim, Solution},
};

/// Among how many arguments of a relation pairs are compared: for equality, for truth, and for order.
const EQUAL: usize = 40;
const TRUE: usize = 48;
const ORDERED: usize = 12;
/// Among how many arguments of one width equations are looked for.
const EQUATIONS: usize = 16;
/// How many numbers of each width may be bounds.
const BOUNDS: usize = 12;

/// The strongest of the facts that the clauses keep; `None` if they are not linear, or if the solver or
/// `go_on` does not go on.
pub fn infer_invariants(
    system: &System,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Solution>, SolverError> {
    let mut search = Houdini { relations: Vec::new(), bounds: bounds(terms, system) };
    for sorts in &system.relations {
        let params: Vec<Term> = sorts.iter().map(|&s| terms.fresh_var("arg", s)).collect();
        search.relations.push(Relation { params, facts: None, affine: Vec::new(), equations: Vec::new() });
    }
    if !system.clauses.iter().all(|c| c.body.len() <= 1) || !search.run(system, terms, solver, go_on)? {
        return Ok(None);
    }
    let no = terms.bool(false);
    let mut claims = Vec::new();
    for Relation { params, facts, equations, .. } in search.relations {
        let holds = match facts {
            None => no,
            Some(facts) => terms.and(&[facts, equations].concat()),
        };
        claims.push(Claim { params: params.iter().filter_map(|&t| terms.as_var(t)).collect(), holds });
    }
    Ok(Some(Solution { claims }))
}

struct Relation {
    params: Vec<Term>,
    /// `None` while nothing is known to reach it.
    facts: Option<Vec<Term>>,
    /// Arguments of one width with the equations that they satisfy, and these as terms.
    affine: Vec<(Vec<usize>, Affine)>,
    equations: Vec<Term>,
}

impl Relation {
    /// Leaves the equations that hold of a state, too; the first one has all.
    fn join(&mut self, terms: &mut Terms, state: &[Option<u64>], first: bool) {
        if first {
            let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for (at, &param) in self.params.iter().enumerate() {
                if let (Some(width @ 2..), Some(_)) = (width(terms, param), state[at]) {
                    groups.entry(width).or_default().push(at);
                }
            }
            let groups = groups.into_iter().filter(|(_, args)| args.len() <= EQUATIONS);
            self.affine = groups.map(|(width, args)| (args.clone(), Affine::of(width, point(state, &args)))).collect();
        } else {
            self.affine.iter_mut().for_each(|(args, affine)| affine.join(&point(state, args)));
        }
        self.equations.clear();
        for (args, affine) in &self.affine {
            let vars: Vec<Term> = args.iter().map(|&at| self.params[at]).collect();
            self.equations.extend(affine.claims(terms, &vars));
        }
    }
}

fn point(state: &[Option<u64>], args: &[usize]) -> Vec<u64> {
    args.iter().map(|&at| state[at].unwrap_or(0)).collect()
}

struct Houdini {
    relations: Vec<Relation>,
    /// By width.
    bounds: FxHashMap<u32, Vec<Term>>,
}

/// A clause and what its atoms are of.
struct Rule<'a> {
    clause: &'a Clause,
    body: Option<Substituter>,
    head: (&'a Atom, Substituter),
}

impl Houdini {
    fn run(
        &mut self,
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<bool, SolverError> {
        let mut rules = Vec::new();
        let mut from = vec![Vec::new(); system.relations.len()];
        for clause in &system.clauses {
            let Some(head) = &clause.head else { continue };
            let mut of = |a: &Atom| Substituter::new(terms, self.binding(terms, a));
            let (body, to) = (clause.body.first().map(&mut of), of(head));
            clause.body.iter().for_each(|a| from[a.relation].push(rules.len()));
            rules.push(Rule { clause, body, head: (head, to) });
        }
        let mut pending = vec![true; rules.len()];
        // Facts first: they come without a body.
        let mut work: Vec<usize> = (0..rules.len()).collect();
        work.sort_by_key(|&i| rules[i].body.is_none());
        while let Some(i) = work.pop() {
            pending[i] = false;
            let rule = &mut rules[i];
            let to = rule.head.0.relation;
            let mut weakened = false;
            while let Some(question) = self.question(terms, rule) {
                if !go_on() {
                    return Ok(false);
                }
                let selected = terms.fresh_var("ask", terms.sort(question));
                let implied = terms.implies(selected, question);
                solver.assert(terms, implied)?;
                match solver.check(terms, &[selected])? {
                    Answer::Sat(model) => {
                        let mut values = FxHashMap::default();
                        let mut state = Vec::new();
                        for (&param, &arg) in self.relations[to].params.iter().zip(&rule.head.0.args) {
                            state.push(None);
                            if width(terms, param).is_some()
                                && let Some(v) = terms.as_var(param)
                            {
                                let value = model.value(terms, arg)?;
                                let word = value.as_bv().and_then(|b| u64::try_from(b.bits()).ok());
                                state.last_mut().into_iter().for_each(|s| *s = word);
                                values.insert(v, terms.value_term(&value));
                            }
                        }
                        if !self.weaken(terms, to, values, &state) {
                            return Ok(false);
                        }
                    }
                    Answer::Unsat(_) => break,
                    Answer::Unknown(_) => return Ok(false),
                }
                weakened = true;
            }
            if weakened {
                for &next in &from[to] {
                    if !std::mem::replace(&mut pending[next], true) {
                        work.push(next);
                    }
                }
            }
        }
        Ok(true)
    }

    fn binding(&self, terms: &Terms, atom: &Atom) -> FxHashMap<Var, Term> {
        let params = self.relations[atom.relation].params.iter();
        params.zip(&atom.args).filter_map(|(&p, &t)| Some((terms.as_var(p)?, t))).collect()
    }

    /// Where the clause leads out of what is known; `None` if plainly nowhere.
    fn question(&self, terms: &mut Terms, rule: &mut Rule<'_>) -> Option<Term> {
        let mut parts = vec![rule.clause.condition];
        if let (Some(atom), Some(body)) = (rule.clause.body.first(), &mut rule.body) {
            let Relation { facts, equations, .. } = &self.relations[atom.relation];
            parts.extend(body.apply_all(terms, facts.as_ref()?));
            parts.extend(body.apply_all(terms, equations));
        }
        let Relation { facts, equations, .. } = &self.relations[rule.head.0.relation];
        if let Some(facts) = facts {
            let mut facts = rule.head.1.apply_all(terms, facts);
            facts.extend(rule.head.1.apply_all(terms, equations));
            let all = terms.and(&facts);
            parts.push(terms.not(all));
        }
        let question = terms.and(&parts);
        (question != terms.bool(false)).then_some(question)
    }

    /// Drops what does not hold of a state that is reached; `false` if it is no news that it is.
    fn weaken(
        &mut self,
        terms: &mut Terms,
        relation: usize,
        values: FxHashMap<Var, Term>,
        state: &[Option<u64>],
    ) -> bool {
        let relation = &mut self.relations[relation];
        let (first, equations) = (relation.facts.is_none(), relation.equations.clone());
        relation.join(terms, state, first);
        let changed = equations != relation.equations;
        let Relation { params, facts, .. } = relation;
        let before = facts.as_ref().map(Vec::len);
        let mut left = facts.take().unwrap_or_else(|| candidates(terms, params, &self.bounds));
        let yes = terms.bool(true);
        let mut here = Substituter::new(terms, values);
        left.retain(|&t| here.apply(terms, t) == yes);
        let news = changed || before != Some(left.len());
        *facts = Some(left);
        news
    }
}

/// The number of bits, 0 for a truth value.
fn width(terms: &Terms, t: Term) -> Option<u32> {
    match terms.sort_kind(terms.sort(t)) {
        SortKind::Bool => Some(0),
        SortKind::BitVec(width) if width <= 64 => Some(width),
        _ => None,
    }
}

/// Everything that might be claimed of these arguments.
fn candidates(terms: &mut Terms, params: &[Term], bounds: &FxHashMap<u32, Vec<Term>>) -> Vec<Term> {
    let params: Vec<(Term, u32)> = params.iter().filter_map(|&p| Some((p, width(terms, p)?))).collect();
    let mut facts = Vec::new();
    let mut truths = Vec::new();
    for &(p, width) in &params {
        for bit in 0..width.max(1) {
            let set = if width == 0 { p } else { is_set(terms, p, bit) };
            facts.extend([set, terms.not(set)]);
            if bit == 0 && width <= 8 {
                truths.push(set);
            }
        }
    }
    let pairs = |all: usize, most: usize| {
        let all = if all <= most { all } else { 0 };
        (0..all).flat_map(move |i| (0..i).map(move |j| (i, j)))
    };
    for (i, j) in pairs(truths.len(), TRUE) {
        let (a, b) = (truths[i], truths[j]);
        let (not_a, not_b) = (terms.not(a), terms.not(b));
        facts.extend([(a, b), (a, not_b), (not_a, b), (not_a, not_b)].map(|(a, b)| terms.or(&[a, b])));
    }
    for (i, j) in pairs(params.len(), EQUAL) {
        if params[i].1 == params[j].1 {
            facts.push(terms.eq(params[i].0, params[j].0));
        }
    }
    let wide: Vec<(Term, u32)> = params.into_iter().filter(|p| p.1 > 1).collect();
    let mut order = |a: Term, b: Term| {
        let le = [(Op::BvUle, a, b), (Op::BvUle, b, a), (Op::BvSle, a, b), (Op::BvSle, b, a)];
        facts.extend(le.map(|(op, a, b)| terms.mk(op, &[a, b])));
    };
    for (i, j) in pairs(wide.len(), ORDERED) {
        if wide[i].1 == wide[j].1 {
            order(wide[i].0, wide[j].0);
        }
    }
    for &(p, width) in wide.iter().take(EQUAL) {
        bounds.get(&width).into_iter().flatten().for_each(|&b| order(p, b));
    }
    facts
}

/// The first numbers in the clauses.
fn bounds(terms: &Terms, system: &System) -> FxHashMap<u32, Vec<Term>> {
    let roots: Vec<Term> = system.clauses.iter().flat_map(Clause::roots).collect();
    let mut bounds: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
    for t in terms.post_order(&roots) {
        if let Some(width) = terms.bv_width(t)
            && terms.is_value(t)
        {
            let known = bounds.entry(width).or_default();
            if known.len() < BOUNDS {
                known.push(t);
            }
        }
    }
    bounds
}

fn is_set(terms: &mut Terms, t: Term, bit: u32) -> Term {
    let (bit, one) = (terms.extract(bit, bit, t), terms.bv(1, 1u8));
    terms.eq(bit, one)
}

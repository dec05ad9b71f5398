//! Proofs by k-induction.
//!
//! Let an execution be a chain of clauses from where executions start. No execution fails
//! - after fewer than k steps (the *base*), and
//! - after k steps from any state that is not known to be out of reach (the *step*):
//!
//! then none fails at all. What is known of the states that a step starts at is what a loop does not change: the
//! arguments that all its clauses keep are those that it was entered with. So the code around loops is followed as
//! it is, and only what a loop changes is any value.
//!
//! Nothing is generalised; so this goes where Spacer is weak: bit-vectors, and operators that it does not understand.
//! What helps is whatever else is [known](crate::infer_invariants) of all states.

use std::collections::BTreeMap;

use lariat_program::strongly_connected;
use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Sort, Substituter, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    clauses::{Atom, Clause, System},
    solution::Solution,
};

/// How many steps are tried at most.
const MOST: usize = 40;

/// A claim that no execution fails, by induction over so many steps.
#[derive(Clone, Debug)]
pub struct Induction {
    /// How many steps from any state end in no error. Only executions of fewer steps are looked at one by one.
    pub k: usize,
    /// What is claimed of all states that executions reach, so that a step need not start at others.
    pub known: Solution,
}

impl Induction {
    /// Is there anything to be said by induction? Clauses must be linear, and there must be a loop.
    pub fn is_for(system: &System) -> bool {
        Graph::new(system).is_some_and(|graph| !graph.facts.is_empty())
    }

    /// The fewest steps after which no error follows from any state of which this much is known, roughly: the more
    /// steps, the fewer are tried. Neither what is [known](crate::infer_invariants) nor shorter executions are looked at: that is for [`check`](Induction::check). `None` if there are too
    /// many steps, if the solver or `go_on` does not go on, or if clauses are not linear or there is no loop at all.
    pub fn find(
        system: &System,
        terms: &mut Terms,
        known: Solution,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<Induction>, SolverError> {
        let Some(graph) = Graph::new(system) else { return Ok(None) };
        if graph.facts.is_empty() {
            // Without a loop there is nothing to be said by induction.
            return Ok(None);
        }
        let mut states = graph.anywhere(terms, &known);
        let mut next = 0;
        for k in 0..=MOST {
            if !go_on() {
                break;
            }
            let (error, after) = graph.step(terms, &states);
            states = after;
            if k < next {
                continue;
            }
            next = k + 1 + k / 4;
            match ask(terms, solver, error)? {
                None | Some(Answer::Unsat(_)) => return Ok(Some(Induction { k, known })),
                Some(Answer::Sat(_)) => {}
                Some(Answer::Unknown(_)) => break,
            }
        }
        Ok(None)
    }

    /// Do base and step hold, and what is said to be known? Each is asked in a solver of its own.
    pub fn check(
        &self,
        system: &System,
        terms: &mut Terms,
        open: &mut dyn FnMut() -> Result<Box<dyn Solver>, SolverError>,
    ) -> Result<bool, SolverError> {
        let Some(graph) = Graph::new(system) else { return Ok(false) };
        if !self.known.satisfies(system.clauses.iter().filter(|c| c.head.is_some()), terms, open)? {
            return Ok(false);
        }
        let mut solver = open()?;
        let mut holds = |terms: &mut Terms, error: Term| -> Result<bool, SolverError> {
            Ok(ask(terms, &mut *solver, error)?.is_none_or(|answer| answer.is_unsat()))
        };
        let at_once: Vec<Term> =
            system.clauses.iter().filter(|c| c.body.is_empty() && c.head.is_none()).map(|c| c.condition).collect();
        let at_once = terms.or(&at_once);
        if !holds(terms, at_once)? {
            return Ok(false);
        }
        let mut states = graph.start(terms);
        for _ in 0..self.k {
            let (error, after) = graph.step(terms, &states);
            if !holds(terms, error)? {
                return Ok(false);
            }
            states = after;
        }
        let mut states = graph.anywhere(terms, &self.known);
        for _ in 0..self.k {
            states = graph.step(terms, &states).1;
        }
        let (error, _) = graph.step(terms, &states);
        Ok(ask(terms, &mut *open()?, error)?.is_none_or(|answer| answer.is_unsat()))
    }
}

/// Can this be, as things are? Nobody is asked if it plainly cannot. The solver keeps the term for later questions,
/// which are mostly about larger terms with the same parts.
fn ask(terms: &mut Terms, solver: &mut dyn Solver, t: Term) -> Result<Option<Answer>, SolverError> {
    if t == terms.bool(false) {
        return Ok(None);
    }
    let selected = terms.fresh_var("ask", Sort::BOOL);
    let implied = terms.implies(selected, t);
    solver.assert(terms, implied)?;
    solver.check(terms, &[selected]).map(Some)
}

/// The states of a relation after some steps.
struct State {
    /// An execution may be there.
    here: Term,
    /// What the arguments then are.
    args: Vec<Term>,
}

/// By relation.
type States = BTreeMap<usize, State>;

/// The ways to a relation: under which condition, and with which arguments.
type Arrivals = BTreeMap<usize, Vec<(Term, Vec<Term>)>>;

/// Linear clauses by where they start.
struct Graph<'a> {
    relations: &'a [Vec<Sort>],
    /// The clauses without a body that have a head.
    facts: Vec<&'a Clause>,
    /// For each relation, its clauses; those together whose body is the same term by term, so that they share variables.
    from: Vec<Vec<Vec<&'a Clause>>>,
    /// The relations that each follows from.
    before: Vec<Vec<u32>>,
}

impl<'a> Graph<'a> {
    /// The clauses that may lead to an error; `None` if a clause is not linear.
    fn new(system: &'a System) -> Option<Graph<'a>> {
        if system.clauses.iter().any(|c| c.body.len() > 1) {
            return None;
        }
        let n = system.relations.len();
        let mut before = vec![Vec::new(); n];
        let mut work = Vec::new();
        for clause in &system.clauses {
            match (&clause.body[..], &clause.head) {
                ([body], Some(head)) => before[head.relation].push(body.relation as u32),
                ([body], None) => work.push(body.relation),
                _ => {}
            }
        }
        let mut useful = vec![false; n];
        while let Some(r) = work.pop() {
            if !std::mem::replace(&mut useful[r], true) {
                work.extend(before[r].iter().map(|&r| r as usize));
            }
        }
        let mut graph = Graph { relations: &system.relations, facts: Vec::new(), from: vec![Vec::new(); n], before };
        let mut groups: FxHashMap<(usize, &[Term]), usize> = FxHashMap::default();
        for clause in system.clauses.iter().filter(|c| c.head.as_ref().is_none_or(|a| useful[a.relation])) {
            match &clause.body[..] {
                [body] => {
                    let of = &mut graph.from[body.relation];
                    let group = *groups.entry((body.relation, &body.args)).or_insert(of.len());
                    if group == of.len() {
                        of.push(Vec::new());
                    }
                    of[group].push(clause);
                }
                _ if clause.head.is_some() => graph.facts.push(clause),
                _ => {}
            }
        }
        Some(graph)
    }

    /// Where executions are at first.
    fn arrivals(&self, terms: &mut Terms) -> Arrivals {
        let mut arrivals = Arrivals::new();
        for &clause in &self.facts {
            let mut instance = Instance::of_fact(terms);
            instance.arrive(terms, clause, &mut arrivals);
        }
        arrivals
    }

    /// The states at which executions start.
    fn start(&self, terms: &mut Terms) -> States {
        let arrivals = self.arrivals(terms);
        merged(terms, arrivals)
    }

    /// The error condition of the states, and the states after one more step.
    fn step(&self, terms: &mut Terms, states: &States) -> (Term, States) {
        let (mut errors, mut arrivals) = (Vec::new(), Arrivals::new());
        for (&r, state) in states {
            for group in &self.from[r] {
                let mut instance = Instance::new(terms, group[0], state);
                for &clause in group {
                    errors.extend(instance.arrive(terms, clause, &mut arrivals));
                }
            }
        }
        (terms.or(&errors), merged(terms, arrivals))
    }

    /// States among which are all that executions reach: loops are entered as they are, and leave what they change
    /// open.
    fn anywhere(&self, terms: &mut Terms, known: &Solution) -> States {
        let (order, component, _) = strongly_connected(&self.before);
        let mut arrivals = self.arrivals(terms);
        let mut states = States::new();
        for members in order.chunk_by(|&a, &b| component[a as usize] == component[b as usize]) {
            let members: Vec<usize> = members.iter().map(|&r| r as usize).collect();
            let entries: Arrivals = members.iter().filter_map(|&r| Some((r, arrivals.remove(&r)?))).collect();
            let entries = merged(terms, entries);
            if entries.is_empty() {
                continue;
            }
            let inside = |r: usize| component[r] == component[members[0]];
            let internal: Vec<&Clause> = self.leaving(&members).filter(|c| leads(c, inside)).collect();
            if internal.is_empty() {
                states.extend(entries);
            } else {
                states.extend(self.left_open(terms, &members, &internal, &entries));
            }
            for &r in &members {
                let Some(state) = states.get(&r) else { continue };
                for group in &self.from[r] {
                    let mut instance = Instance::new(terms, group[0], state);
                    for &clause in group.iter().filter(|c| leads(c, |r| !inside(r))) {
                        instance.arrive(terms, clause, &mut arrivals);
                    }
                }
            }
        }
        for (&relation, state) in &mut states {
            let chosen = terms.fresh_var("start", Sort::BOOL);
            let holds = known.says(terms, &Atom { relation, args: state.args.clone() });
            state.here = terms.and(&[chosen, state.here, holds]);
        }
        states
    }

    /// The clauses that start at some relations.
    fn leaving(&self, relations: &[usize]) -> impl Iterator<Item = &'a Clause> {
        relations.iter().flat_map(|&r| &self.from[r]).flatten().copied()
    }

    /// The states of relations that follow from each other by these clauses, entered so: only what stays as it was
    /// on entry is known.
    fn left_open(&self, terms: &mut Terms, members: &[usize], internal: &[&Clause], entries: &States) -> States {
        let all: Vec<Term> = entries.values().map(|e| e.here).collect();
        let here = terms.or(&all);
        let kept = match entries.iter().next() {
            Some((&head, _)) if entries.len() == 1 => kept(head, self.relations[head].len(), internal),
            _ => FxHashMap::default(),
        };
        let known = entries.values().next();
        let mut states = States::new();
        for &r in members {
            let mut args = Vec::new();
            for (i, &sort) in self.relations[r].iter().enumerate() {
                let origin = kept.get(&r).and_then(|origins| origins[i]);
                let known = origin.and_then(|o| Some(known?.args[o]));
                args.push(known.unwrap_or_else(|| terms.fresh_var("any", sort)));
            }
            states.insert(r, State { here, args });
        }
        states
    }
}

/// Does a clause lead to such a relation?
fn leads(clause: &Clause, to: impl Fn(usize) -> bool) -> bool {
    clause.head.as_ref().is_some_and(|a| to(a.relation))
}

/// For each relation, which of its arguments are always what which argument of `head` was on entry, if executions
/// enter by `head` and go on by these clauses.
fn kept(head: usize, arity: usize, clauses: &[&Clause]) -> FxHashMap<usize, Vec<Option<usize>>> {
    let mut kept: FxHashMap<usize, Vec<Option<usize>>> = FxHashMap::default();
    kept.insert(head, (0..arity).map(Some).collect());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for clause in clauses {
            let ([body], Some(to)) = (&clause.body[..], &clause.head) else { continue };
            let Some(origins) = kept.get(&body.relation) else { continue };
            let of: FxHashMap<Term, usize> =
                body.args.iter().zip(origins).filter_map(|(&t, o)| Some((t, (*o)?))).collect();
            let arriving: Vec<Option<usize>> = to.args.iter().map(|t| of.get(t).copied()).collect();
            let known = kept.entry(to.relation).or_insert_with(|| {
                changed = true;
                arriving.clone()
            });
            for (known, arriving) in known.iter_mut().zip(arriving) {
                if known.is_some() && *known != arriving {
                    (*known, changed) = (None, true);
                }
            }
        }
    }
    kept
}

/// One state a relation: where there are several ways, it is open which is taken.
fn merged(terms: &mut Terms, arrivals: Arrivals) -> States {
    let mut states = States::new();
    for (r, mut ways) in arrivals {
        if ways.len() > 1 {
            for (guard, _) in &mut ways {
                let taken = terms.fresh_var("taken", Sort::BOOL);
                *guard = terms.and(&[taken, *guard]);
            }
        }
        let guards: Vec<Term> = ways.iter().map(|w| w.0).collect();
        let Some((_, mut args)) = ways.pop() else { continue };
        for (guard, way) in ways.into_iter().rev() {
            for (arg, other) in args.iter_mut().zip(way) {
                *arg = terms.ite(guard, other, *arg);
            }
        }
        states.insert(r, State { here: terms.or(&guards), args });
    }
    states
}

/// Clauses with the same body, at a state.
struct Instance {
    /// The state is there, and its arguments are those of the body.
    guard: Term,
    rename: Substituter,
}

impl Instance {
    fn of_fact(terms: &mut Terms) -> Instance {
        Instance { guard: terms.bool(true), rename: Substituter::new(terms, FxHashMap::default()) }
    }

    fn new(terms: &mut Terms, clause: &Clause, state: &State) -> Instance {
        let mut instance = Instance::of_fact(terms);
        let (mut other, mut bound) = (Vec::new(), FxHashSet::default());
        for (&arg, &value) in clause.body.iter().flat_map(|a| &a.args).zip(&state.args) {
            match terms.as_var(arg) {
                Some(v) if bound.insert(v) => instance.rename.bind(terms, v, value),
                _ => other.push((arg, value)),
            }
        }
        let mut facts = vec![state.here];
        for (arg, value) in other {
            let arg = instance.apply(terms, arg);
            facts.push(terms.eq(arg, value));
        }
        instance.guard = terms.and(&facts);
        instance
    }

    /// The term with the state's arguments, and with variables of its own for the others.
    fn apply(&mut self, terms: &mut Terms, t: Term) -> Term {
        for v in terms.free_vars(&[t]) {
            if !self.rename.map().contains_key(&v) {
                let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
                let own = terms.fresh_var(&name, sort);
                self.rename.bind(terms, v, own);
            }
        }
        self.rename.apply(terms, t)
    }

    /// Adds where the clause leads, or gives the condition of the error.
    fn arrive(&mut self, terms: &mut Terms, clause: &Clause, arrivals: &mut Arrivals) -> Option<Term> {
        let condition = self.apply(terms, clause.condition);
        let guard = terms.and(&[self.guard, condition]);
        let Some(head) = &clause.head else { return Some(guard) };
        if guard != terms.bool(false) {
            let args = head.args.iter().map(|&t| self.apply(terms, t)).collect();
            arrivals.entry(head.relation).or_default().push((guard, args));
        }
        None
    }
}

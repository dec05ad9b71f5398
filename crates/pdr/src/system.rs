//! Linear Horn clauses as a transition system over bits.
//!
//! A state is a *location* (where executions start, a relation, or the error), one bit for each of them, and a word for each *slot*: an argument of relations, which
//! is shared by those that are made from the same variable of the program. Slots that a relation does not have are 0 there. Each clause is a
//! transition. So there is one state at the start, with no other bit than that of its location, and the error is one bit.
//!
//! Besides its bits, a state has *observed* facts: comparisons of slots that the conditions of clauses are about. What is said about states may use them like bits.

use dashu_int::UBig;
use lariat_horn::{Claim, Clause, Solution, System};
use lariat_term::{Model, Op, Sort, Substituter, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Signal, Word, Words, width};

/// How many relations there may be.
const LOCATIONS: usize = 200;
/// How many bits of states times transitions there may be.
const WORK: usize = 4_000_000;
/// How many facts are observed at most.
const OBSERVED: usize = 300;

/// Things that hold, or not, together: what, and whether it does.
pub type Cube = Vec<(usize, bool)>;

/// The bit of the location where executions start.
pub const START: usize = 0;
/// The bit of the error.
pub const ERROR: usize = 1;

/// Where a relation's bit is.
fn location(relation: usize) -> usize {
    relation + 2
}

/// A clause as a step between states.
pub struct Transition {
    /// The clause.
    pub clause: usize,
    /// The location that it starts from, as a bit.
    pub from: usize,
    /// When it can be taken, as far as the state and inputs decide: without the location.
    pub condition: Signal,
    /// The bits of the state that it leads to.
    pub next: Word,
    /// Inputs: variables of the clause that the state does not fix, and what is no operation on bits.
    pub inputs: Vec<(Option<Var>, Word)>,
    /// Other variables of the clause, and the slots that they are.
    known: Vec<(Var, Word)>,
    /// The facts of the next state, once somebody asks.
    facts: FxHashMap<usize, Signal>,
}

/// A transition system.
pub struct Transitions {
    /// The circuit of all signals.
    pub circuit: Circuit,
    /// The bits of a state.
    pub state: Word,
    /// The bits of the state after a step.
    pub after: Word,
    /// The steps.
    pub all: Vec<Transition>,
    /// Locations with the bits that are 0 there.
    pub unused: Vec<(usize, Vec<usize>)>,
    /// How many bits are locations.
    pub locations: usize,
    /// What is observed of states: over the slots' variables, and as signals of the state and of the one after it.
    facts: Vec<(Term, Signal, Signal)>,
    /// The variable and the first bit of each slot.
    slots: Vec<(Var, usize)>,
    /// The slot of each argument of each relation.
    arguments: Vec<Vec<Option<usize>>>,
    /// Are its executions those of the clauses? Otherwise there are more.
    pub exact: bool,
}

impl Transitions {
    /// Those of clauses; nothing if they are not linear, have no bits, or are too many.
    pub fn new(system: &System, terms: &mut Terms) -> Option<Transitions> {
        if system.relations.len() > LOCATIONS || system.clauses.iter().any(|c| c.body.len() > 1) {
            return None;
        }
        let locations = location(system.relations.len());
        let mut made = Transitions {
            circuit: Circuit::default(),
            state: Vec::new(),
            after: Vec::new(),
            all: Vec::new(),
            unused: Vec::new(),
            locations,
            facts: Vec::new(),
            slots: Vec::new(),
            arguments: Vec::new(),
            exact: true,
        };
        let bits = made.slots(system, terms, locations);
        if bits == locations || bits.checked_mul(system.clauses.len())? > WORK {
            return None;
        }
        made.state = made.circuit.inputs(bits);
        made.after = made.circuit.inputs(bits);
        made.observe(system, terms)?;
        for (number, clause) in system.clauses.iter().enumerate() {
            let transition = made.transition(terms, number, clause)?;
            made.all.push(transition);
        }
        for (relation, arguments) in made.arguments.iter().enumerate() {
            let mut used = vec![false; bits];
            for &slot in arguments.iter().flatten() {
                made.bits_of(terms, slot).for_each(|b| used[b] = true);
            }
            let unused = (locations..bits).filter(|&b| !used[b]).collect();
            made.unused.push((location(relation), unused));
        }
        for at in [START, ERROR] {
            made.unused.push((at, (locations..bits).collect()));
        }
        Some(made)
    }

    /// Makes the slots; how many bits there are with them.
    fn slots(&mut self, system: &System, terms: &mut Terms, mut bits: usize) -> usize {
        let mut slots: FxHashMap<(Option<Var>, usize, usize, Sort), usize> = FxHashMap::default();
        for (relation, sorts) in system.relations.iter().enumerate() {
            let vars = system.arguments(relation);
            let mut seen: FxHashMap<Var, usize> = FxHashMap::default();
            let mut arguments = Vec::new();
            for (at, &sort) in sorts.iter().enumerate() {
                let Some(width) = width(terms, sort) else {
                    // It may be anything after each step.
                    self.exact = false;
                    arguments.push(None);
                    continue;
                };
                let key = match vars.get(at) {
                    Some(&v) => {
                        let times = seen.entry(v).or_default();
                        *times += 1;
                        (Some(v), 0, *times, sort)
                    }
                    None => (None, relation, at, sort),
                };
                let slot = *slots.entry(key).or_insert_with(|| {
                    let var = terms.fresh_var("slot", sort);
                    let var = terms.as_var(var).expect("a fresh variable is one");
                    self.slots.push((var, bits));
                    bits += width;
                    self.slots.len() - 1
                });
                arguments.push(Some(slot));
            }
            self.arguments.push(arguments);
        }
        bits
    }

    fn bits_of(&self, terms: &Terms, slot: usize) -> std::ops::Range<usize> {
        let (var, first) = self.slots[slot];
        first..first + width(terms, terms.var_sort(var)).unwrap_or(0)
    }

    /// Collects comparisons of slots, and with constants, from the clauses.
    fn observe(&mut self, system: &System, terms: &mut Terms) -> Option<()> {
        let mut found: Vec<Term> = Vec::new();
        for clause in &system.clauses {
            let Some(atom) = clause.body.first() else { continue };
            let mut map: FxHashMap<Var, Term> = FxHashMap::default();
            for (&arg, slot) in atom.args.iter().zip(&self.arguments[atom.relation]) {
                if let (Some(v), &Some(slot)) = (terms.as_var(arg), slot) {
                    let slot = terms.var_term(self.slots[slot].0);
                    map.entry(v).or_insert(slot);
                }
            }
            let mut roots: Vec<Term> = clause.head.iter().flat_map(|h| &h.args).copied().collect();
            roots.push(clause.condition);
            let comparisons: Vec<Term> = terms.post_order(&roots).into_iter().filter(|&t| compares(terms, t)).collect();
            let mut rename = Substituter::new(terms, map.clone());
            for t in comparisons {
                if found.len() < OBSERVED && terms.free_vars(&[t]).iter().all(|v| map.contains_key(v)) {
                    let fact = rename.apply(terms, t);
                    if !terms.is_value(fact) && !found.contains(&fact) {
                        found.push(fact);
                    }
                }
            }
        }
        let (mut now, mut then) = (Words::default(), Words::default());
        for (slot, &(var, _)) in self.slots.iter().enumerate() {
            let bits = self.bits_of(terms, slot);
            now.set(var, self.state[bits.clone()].to_vec());
            then.set(var, self.after[bits].to_vec());
        }
        for fact in found {
            let now = now.word(&mut self.circuit, terms, fact)?[0];
            let then = then.word(&mut self.circuit, terms, fact)?[0];
            // A single bit is known as such.
            if now.gate() > self.state.len() + self.after.len() {
                self.facts.push((fact, now, then));
            }
        }
        Some(())
    }

    fn transition(&mut self, terms: &Terms, number: usize, clause: &Clause) -> Option<Transition> {
        let mut words = Words::default();
        let mut equations = Vec::new();
        let mut known = Vec::new();
        let mut from = START;
        if let Some(atom) = clause.body.first() {
            from = location(atom.relation);
            for (at, &arg) in atom.args.iter().enumerate() {
                let Some(slot) = self.arguments[atom.relation][at] else { continue };
                let word = self.state[self.bits_of(terms, slot)].to_vec();
                match terms.as_var(arg) {
                    Some(v) if !words.has(v) => {
                        known.push((v, word.clone()));
                        words.set(v, word);
                    }
                    _ => equations.push((arg, word)),
                }
            }
        }
        let circuit = &mut self.circuit;
        let mut condition = words.word(circuit, terms, clause.condition)?[0];
        for (arg, word) in equations {
            let arg = words.word(circuit, terms, arg)?;
            let equal = circuit.equal(&arg, &word);
            condition = circuit.and(condition, equal);
        }
        let mut next = vec![Signal::FALSE; self.state.len()];
        let to = clause.head.as_ref().map_or(ERROR, |h| location(h.relation));
        next[to] = Signal::TRUE;
        if let Some(head) = &clause.head {
            for (at, &arg) in head.args.iter().enumerate() {
                let Some(slot) = self.arguments[head.relation][at] else { continue };
                let word = words.word(&mut self.circuit, terms, arg)?;
                let bits = self.bits_of(terms, slot);
                next.splice(bits, word);
            }
        }
        self.exact &= !words.open;
        let facts = FxHashMap::default();
        Some(Transition { clause: number, from, condition, next, inputs: words.free, known, facts })
    }

    /// How many things can be said of a state: its bits, and what is observed.
    pub fn len(&self) -> usize {
        self.state.len() + self.facts.len()
    }

    /// Is it observed, rather than a bit?
    pub fn is_fact(&self, at: usize) -> bool {
        at >= self.state.len()
    }

    /// The signal of something that can be said of a state.
    pub fn now(&self, at: usize) -> Signal {
        self.state.get(at).copied().unwrap_or_else(|| self.facts[at - self.state.len()].1)
    }

    /// The same of the state after a step.
    pub fn then(&self, at: usize) -> Signal {
        self.after.get(at).copied().unwrap_or_else(|| self.facts[at - self.state.len()].2)
    }

    /// The same of the state that a transition leads to, for its inputs and the state before.
    pub fn after(&mut self, terms: &Terms, transition: usize, at: usize) -> Option<Signal> {
        let step = &self.all[transition];
        if let Some(&signal) = step.next.get(at) {
            return Some(signal);
        }
        if let Some(&signal) = step.facts.get(&at) {
            return Some(signal);
        }
        let mut words = Words::default();
        for (slot, &(var, _)) in self.slots.iter().enumerate() {
            let bits = self.bits_of(terms, slot);
            words.set(var, step.next[bits].to_vec());
        }
        let fact = self.facts[at - self.state.len()].0;
        let signal = words.word(&mut self.circuit, terms, fact)?[0];
        self.all[transition].facts.insert(at, signal);
        Some(signal)
    }

    /// Does it hold where executions start?
    pub fn at_start(&self, terms: &Terms, at: usize) -> bool {
        if at < self.state.len() {
            return at == START;
        }
        let mut zeros = Model::complete();
        for &(var, _) in &self.slots {
            if let Some(value) = terms.default_value(terms.var_sort(var)) {
                zeros.set(var, value);
            }
        }
        let fact = self.facts[at - self.state.len()].0;
        terms.eval(fact, &zeros).ok().and_then(|v| v.as_bool()).unwrap_or(false)
    }

    /// The values of a clause's variables in a step.
    pub fn values(&self, terms: &Terms, transition: usize, value: &dyn Fn(Signal) -> bool) -> Vec<(Var, Value)> {
        let step = &self.all[transition];
        let of = |(v, word): (Var, &Word)| {
            let bits: Vec<bool> = word.iter().map(|&s| value(s)).collect();
            (v, as_value(terms.var_sort(v), &bits))
        };
        let inputs = step.inputs.iter().filter_map(|(v, word)| Some(((*v)?, word)));
        inputs.chain(step.known.iter().map(|(v, word)| (*v, word))).map(of).collect()
    }

    /// Sets of things that do not hold together, in any state, as what the relations are.
    pub fn solution(&self, system: &System, terms: &mut Terms, cubes: &[Cube]) -> Solution {
        let mut solution = Solution::nothing(system, terms);
        for (relation, claim) in solution.claims.iter_mut().enumerate() {
            let mut map: FxHashMap<Var, Term> = FxHashMap::default();
            for &(var, _) in &self.slots {
                let zero = terms.default_value(terms.var_sort(var)).map(|v| terms.value_term(&v));
                map.extend(zero.map(|zero| (var, zero)));
            }
            for (param, slot) in claim.params.iter().zip(&self.arguments[relation]) {
                if let &Some(slot) = slot {
                    let param = terms.var_term(*param);
                    map.insert(self.slots[slot].0, param);
                }
            }
            let excluded: Vec<Term> = cubes.iter().filter_map(|c| self.excluded(terms, relation, c, &map)).collect();
            *claim = Claim { params: std::mem::take(&mut claim.params), holds: terms.and(&excluded) };
        }
        solution
    }

    /// What it says of a relation that a cube does not hold; nothing if it never does there.
    fn excluded(
        &self,
        terms: &mut Terms,
        relation: usize,
        cube: &[(usize, bool)],
        map: &FxHashMap<Var, Term>,
    ) -> Option<Term> {
        let mut some = Vec::new();
        for &(at, value) in cube {
            if at < self.locations {
                if (at == location(relation)) != value {
                    return None;
                }
                continue;
            }
            let t = if self.is_fact(at) { self.facts[at - self.state.len()].0 } else { self.bit(terms, at) };
            let t = terms.substitute(t, map);
            some.push(if value { terms.not(t) } else { t });
        }
        Some(terms.or(&some))
    }

    /// A bit of a slot as a term.
    fn bit(&self, terms: &mut Terms, at: usize) -> Term {
        let slot = self.slots.partition_point(|&(_, first)| first <= at) - 1;
        let (var, first) = self.slots[slot];
        let word = terms.var_term(var);
        if terms.sort(word) == Sort::BOOL {
            return word;
        }
        let at = (at - first) as u32;
        let (bit, one) = (terms.extract(at, at, word), terms.bv(1, 1u8));
        terms.eq(bit, one)
    }
}

/// Is it a comparison that may tell states apart?
fn compares(terms: &Terms, t: Term) -> bool {
    let on_words = || terms.args(t).iter().all(|&a| width(terms, terms.sort(a)).is_some_and(|w| w > 1));
    matches!(terms.op(t), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) && on_words()
}

fn as_value(sort: Sort, bits: &[bool]) -> Value {
    if sort == Sort::BOOL {
        return Value::Bool(bits[0]);
    }
    let number = bits.iter().enumerate().filter(|(_, b)| **b).fold(UBig::ZERO, |n, (i, _)| n | (UBig::ONE << i));
    Value::bv(bits.len() as u32, number)
}

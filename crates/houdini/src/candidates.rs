//! Candidates for contracts, guessed from the program: what its variables are compared with and set to.
//!
//! For a variable that has to do with few numbers: which of them it is (its typestate), how a region leads from one to the other, and from which
//! of them nothing fails in the region (CORRAL, section 4.2). Furthermore bounds, what stays as it is or only grows, which variables are
//! equal or ordered, and what all elements of a map below a counter are.

use lariat_program::{Program, RegionEffects, RegionId};
use lariat_summary::Summaries;
use lariat_term::{BinderBuilder, Op, SortKind, Term, Terms, Var};

use crate::{Contracts, contracts::RegionContract, related::Related};

/// Of how many variables of a region something is guessed, and among how many pairs are compared.
const VARIABLES: usize = 32;
const PAIRS: usize = 10;
/// How many maps and counters are looked at for elements below a counter.
const MAPS: usize = 3;
const COUNTERS: usize = 3;
/// How many candidates a region may have.
const CANDIDATES: usize = 800;

/// Candidates for all regions that executions from the entry may enter. Nothing is required where they start.
pub fn candidates(program: &Program, terms: &mut Terms, summaries: &Summaries, entry: RegionId) -> Contracts {
    let related = Related::new(program, terms);
    let mut contracts = Contracts::new(program, terms);
    for r in program.reached(entry) {
        let effects = summaries.effects(r);
        let mut guess = Guess { terms, related: &related, found: Vec::new() };
        let contract = guess.contract(program, effects, r, &contracts);
        contracts.regions[r.index()] = contract;
    }
    contracts.regions[entry.index()].requires.clear();
    contracts
}

/// A variable in a contract: at the entry or at the exit.
#[derive(Clone, Copy)]
struct Value {
    var: Var,
    term: Term,
}

struct Guess<'a> {
    terms: &'a mut Terms,
    related: &'a Related,
    found: Vec<Term>,
}

impl Guess<'_> {
    fn contract(
        &mut self,
        program: &Program,
        effects: &RegionEffects,
        region: RegionId,
        contracts: &Contracts,
    ) -> RegionContract {
        let own = &program.regions[region.index()];
        let inputs = own.inputs.iter().map(|d| d.var).chain(effects.uses.iter().copied());
        let before: Vec<Value> = inputs.map(|var| Value { var, term: self.terms.var_term(var) }).collect();
        let outputs = own.outputs.iter().map(|d| d.var).chain(effects.modifies.iter().copied());
        let exits = outputs.filter_map(|var| Some((var, *contracts.exits.get(&var)?)));
        let after: Vec<Value> = exits.map(|(var, exit)| Value { var, term: self.terms.var_term(exit) }).collect();
        let safe = if effects.asserts { self.safe(&before) } else { Vec::new() };
        self.state(&before);
        let scalars = self.scalars(&before);
        self.elements(&before, &scalars);
        let requires = self.take();
        self.change(&before, &after);
        self.state(&after);
        let counters = [self.scalars(&after), scalars].concat();
        self.elements(&after, &counters);
        let ensures = self.take();
        RegionContract { requires, ensures, safe }
    }

    fn take(&mut self) -> Vec<Term> {
        let mut found = std::mem::take(&mut self.found);
        let (yes, no) = (self.terms.bool(true), self.terms.bool(false));
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|&t| t != yes && t != no && seen.insert(t));
        found.truncate(CANDIDATES);
        found
    }

    /// States from which nothing might fail.
    fn safe(&mut self, before: &[Value]) -> Vec<Term> {
        let mut safe = vec![self.terms.bool(true)];
        for v in self.scalars(before) {
            safe.extend(self.typestates(v));
        }
        safe.truncate(CANDIDATES / 4);
        safe
    }

    /// What might hold of these variables together.
    fn state(&mut self, values: &[Value]) {
        let scalars = self.scalars(values);
        for &v in &scalars {
            let states = self.typestates(v);
            let any = self.terms.or(&states);
            self.found.extend(states.iter().copied().chain([any]));
            for n in self.related.numbers(v.var).to_vec() {
                self.ordered(v.term, n);
            }
            let zero = self.zero(v.term);
            if let Some(zero) = zero {
                self.ordered(v.term, zero);
                let is = self.terms.eq(v.term, zero);
                let not = self.terms.not(is);
                self.found.push(not);
            }
        }
        let numbers: Vec<Value> = scalars.iter().copied().filter(|v| !self.is_bool(v.term)).take(PAIRS).collect();
        for (i, a) in numbers.iter().enumerate() {
            for b in &numbers[..i] {
                if self.terms.sort(a.term) == self.terms.sort(b.term) {
                    let same = self.terms.eq(a.term, b.term);
                    self.found.push(same);
                    self.ordered(a.term, b.term);
                }
            }
        }
    }

    /// What might become of variables.
    fn change(&mut self, before: &[Value], after: &[Value]) {
        for &v in after {
            if let Some(old) = before.iter().find(|old| old.var == v.var) {
                let same = self.terms.eq(old.term, v.term);
                self.found.push(same);
            }
        }
        for v in self.scalars(after) {
            let Some(&old) = before.iter().find(|old| old.var == v.var) else { continue };
            if !self.is_bool(v.term) {
                self.ordered(old.term, v.term);
            }
            for from in self.typestates(old) {
                for to in self.typestates(v) {
                    let leads = self.terms.implies(from, to);
                    self.found.push(leads);
                }
            }
        }
        let numbers: Vec<Value> = self.scalars(after).into_iter().filter(|v| !self.is_bool(v.term)).collect();
        let given: Vec<Value> = self.scalars(before).into_iter().filter(|v| !self.is_bool(v.term)).collect();
        for a in numbers.iter().take(PAIRS) {
            for b in given.iter().take(PAIRS).filter(|b| b.var != a.var) {
                if self.terms.sort(a.term) == self.terms.sort(b.term) {
                    let same = self.terms.eq(a.term, b.term);
                    self.found.push(same);
                    self.ordered(a.term, b.term);
                }
            }
        }
    }

    /// All elements of a map below a counter are the same number.
    fn elements(&mut self, values: &[Value], scalars: &[Value]) {
        let mut maps = 0;
        for m in values {
            let SortKind::Array(index, element) = self.terms.sort_kind(self.terms.sort(m.term)) else { continue };
            if maps == MAPS || !matches!(self.terms.sort_kind(index), SortKind::Int) {
                continue;
            }
            maps += 1;
            let counters = scalars.iter().filter(|v| self.terms.sort(v.term) == index).take(COUNTERS);
            let counters: Vec<Term> = counters.map(|v| v.term).collect();
            let Some(zero) = self.zero_of(element) else { continue };
            for counter in counters {
                let k = self.terms.fresh_var("k", index);
                let Some(bound) = self.terms.as_var(k) else { continue };
                let at = self.terms.select(m.term, k);
                let (from, to) = (self.terms.int(0), self.terms.mk(Op::Lt, &[k, counter]));
                let from = self.terms.le(from, k);
                let mut claims = vec![self.terms.eq(at, zero)];
                if self.terms.sort_kind(element) == SortKind::Int {
                    claims.push(self.terms.le(zero, at));
                }
                for holds in claims {
                    let within = self.terms.and(&[from, to]);
                    let body = self.terms.implies(within, holds);
                    let all = BinderBuilder::forall(&[bound]).trigger(vec![at]).bind(self.terms, body);
                    self.found.push(all);
                }
            }
        }
    }

    /// The first variables of which something is guessed.
    fn scalars(&self, values: &[Value]) -> Vec<Value> {
        let scalar = |v: &&Value| {
            let sort = self.terms.sort_kind(self.terms.sort(v.term));
            matches!(sort, SortKind::Bool | SortKind::Int) || matches!(sort, SortKind::BitVec(width) if width <= 64)
        };
        // Those that are compared with something matter most.
        let mut scalars: Vec<Value> = values.iter().filter(scalar).copied().collect();
        scalars.sort_by_key(|v| self.related.numbers(v.var).is_empty());
        scalars.truncate(VARIABLES);
        scalars
    }

    /// The variable is one of the numbers that it has to do with.
    fn typestates(&mut self, v: Value) -> Vec<Term> {
        if self.is_bool(v.term) {
            return vec![v.term, self.terms.not(v.term)];
        }
        let sort = self.terms.sort(v.term);
        let numbers = self.related.numbers(v.var).to_vec();
        let numbers: Vec<Term> = numbers.into_iter().filter(|&n| self.terms.sort(n) == sort).collect();
        numbers.into_iter().map(|n| self.terms.eq(v.term, n)).collect()
    }

    fn ordered(&mut self, a: Term, b: Term) {
        if self.terms.sort(a) != self.terms.sort(b) {
            return;
        }
        match self.terms.sort_kind(self.terms.sort(a)) {
            SortKind::Int => {
                let found = [self.terms.le(a, b), self.terms.le(b, a)];
                self.found.extend(found);
            }
            SortKind::BitVec(_) => {
                for op in [Op::BvUle, Op::BvSle] {
                    let found = [self.terms.mk(op, &[a, b]), self.terms.mk(op, &[b, a])];
                    self.found.extend(found);
                }
            }
            _ => {}
        }
    }

    fn zero(&mut self, like: Term) -> Option<Term> {
        self.zero_of(self.terms.sort(like))
    }

    fn zero_of(&mut self, sort: lariat_term::Sort) -> Option<Term> {
        match self.terms.sort_kind(sort) {
            SortKind::Int => Some(self.terms.int(0)),
            SortKind::BitVec(width) => Some(self.terms.bv(width, 0u8)),
            _ => None,
        }
    }

    fn is_bool(&self, t: Term) -> bool {
        self.terms.sort_kind(self.terms.sort(t)) == SortKind::Bool
    }
}

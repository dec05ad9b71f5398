//! Conflict-driven search for an assignment of literals that satisfies clauses, which keeps the resolution proof of everything it learns.
//!
//! Clauses can be added while the search stands anywhere. What always holds: each learned clause is the result of resolving the clauses of its
//! chain one after the other; a literal that is assigned at level 0 has a unit clause with a proof.

use crate::stop::Stop;

/// A literal: a variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The variable, or its negation.
    pub fn new(var: usize, positive: bool) -> Lit {
        Lit((var as u32) << 1 | u32::from(!positive))
    }

    /// The variable.
    pub fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it the variable itself?
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The number of a clause.
pub type ClauseId = usize;

/// Where a clause comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It belongs to this part: rule HYP.
    Part(usize),
    /// It holds in the theory: rule CONTRA, by the lemma of this number.
    Lemma(usize),
    /// The first clause, resolved with each of the others on a variable: rule RES.
    Resolution(ClauseId, Vec<(ClauseId, usize)>),
}

/// A clause with its origin.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its literals.
    pub lits: Vec<Lit>,
    /// Where it comes from.
    pub origin: Origin,
}

#[derive(Clone, Debug)]
struct Assigned {
    value: bool,
    level: usize,
    /// The clause that forced it; its unit clause, if the level is 0.
    reason: Option<ClauseId>,
}

/// The search.
#[derive(Clone, Debug, Default)]
pub struct Sat {
    clauses: Vec<Clause>,
    /// For each literal, the clauses that watch it: they look for another one when it becomes false.
    watches: Vec<Vec<ClauseId>>,
    assigned: Vec<Option<Assigned>>,
    phase: Vec<bool>,
    activity: Vec<f64>,
    increment: f64,
    trail: Vec<Lit>,
    /// How long the trail was when each level began.
    levels: Vec<usize>,
    head: usize,
    refutation: Option<ClauseId>,
}

impl Sat {
    /// No clauses.
    pub fn new() -> Sat {
        Sat { increment: 1.0, ..Sat::default() }
    }

    /// A new variable, to be tried with this value first.
    pub fn variable(&mut self, phase: bool) -> usize {
        self.watches.extend([Vec::new(), Vec::new()]);
        self.assigned.push(None);
        self.phase.push(phase);
        self.activity.push(0.0);
        self.assigned.len() - 1
    }

    /// All clauses.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The empty clause, once it is derived.
    pub fn refutation(&self) -> Option<ClauseId> {
        self.refutation
    }

    /// The literals that are assigned, in order.
    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// The value of a literal.
    pub fn value(&self, l: Lit) -> Option<bool> {
        self.assigned[l.var()].as_ref().map(|a| a.value == l.is_positive())
    }

    fn level_of(&self, l: Lit) -> usize {
        self.assigned[l.var()].as_ref().map_or(usize::MAX, |a| a.level)
    }

    /// Adds a clause. If it is false now, the conflict is dealt with.
    pub fn add(&mut self, mut lits: Vec<Lit>, origin: Origin) {
        lits.sort_unstable();
        lits.dedup();
        if self.refutation.is_some() || lits.windows(2).any(|w| w[0] == !w[1]) {
            return;
        }
        let id = self.clauses.len();
        // First what is not false, then what became false last: those are good to watch.
        lits.sort_by_key(|&l| match self.value(l) {
            Some(false) => usize::MAX - self.level_of(l).min(usize::MAX - 1),
            _ => 0,
        });
        self.clauses.push(Clause { lits: lits.clone(), origin });
        if lits.len() >= 2 {
            self.watches[lits[0].index()].push(id);
            self.watches[lits[1].index()].push(id);
        }
        let Some(&first) = lits.first() else {
            self.refutation = Some(id);
            return;
        };
        let second =
            lits.get(1).map_or(0, |&l| if self.value(l) == Some(false) { self.level_of(l) } else { usize::MAX });
        match self.value(first) {
            Some(true) => {}
            None if second == usize::MAX => {}
            None => {
                self.backtrack(second);
                self.assign(first, Some(id));
            }
            Some(false) => {
                self.backtrack(self.level_of(first));
                self.resolve_conflict(id);
            }
        }
    }

    fn assign(&mut self, l: Lit, reason: Option<ClauseId>) {
        let level = self.levels.len();
        let reason = match reason {
            Some(c) if level == 0 => Some(self.unit(l, c)),
            other => other,
        };
        self.assigned[l.var()] = Some(Assigned { value: l.is_positive(), level, reason });
        self.phase[l.var()] = l.is_positive();
        self.trail.push(l);
    }

    /// The unit clause of a literal that a clause forces at level 0.
    fn unit(&mut self, l: Lit, by: ClauseId) -> ClauseId {
        if self.clauses[by].lits.len() == 1 {
            return by;
        }
        let others: Vec<Lit> = self.clauses[by].lits.iter().copied().filter(|&o| o != l).collect();
        let chain = others.iter().filter_map(|o| self.reason(*o).map(|r| (r, o.var()))).collect();
        self.clauses.push(Clause { lits: vec![l], origin: Origin::Resolution(by, chain) });
        self.clauses.len() - 1
    }

    fn reason(&self, l: Lit) -> Option<ClauseId> {
        self.assigned[l.var()].as_ref().and_then(|a| a.reason)
    }

    fn backtrack(&mut self, level: usize) {
        if level >= self.levels.len() {
            return;
        }
        let start = self.levels[level];
        for l in self.trail.drain(start..) {
            self.assigned[l.var()] = None;
        }
        self.levels.truncate(level);
        self.head = self.head.min(self.trail.len());
    }

    /// Assigns what the clauses force, and learns from conflicts, until nothing more is forced. False if the clauses are refuted.
    pub fn propagate(&mut self, stop: &Stop) -> bool {
        while self.refutation.is_none() && !stop.is_over() {
            match self.unit_propagation() {
                None => return true,
                Some(conflict) => self.resolve_conflict(conflict),
            }
        }
        self.refutation.is_none()
    }

    fn unit_propagation(&mut self) -> Option<ClauseId> {
        while let Some(&l) = self.trail.get(self.head) {
            self.head += 1;
            let is_false = !l;
            let mut watching = std::mem::take(&mut self.watches[is_false.index()]);
            let mut kept = 0;
            let mut conflict = None;
            for i in 0..watching.len() {
                let id = watching[i];
                let lits = &mut self.clauses[id].lits;
                if lits[0] == is_false {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                let value = |l: Lit| self.assigned[l.var()].as_ref().map(|a| a.value == l.is_positive());
                if value(first) != Some(true)
                    && let Some(k) = (2..lits.len()).find(|&k| value(lits[k]) != Some(false))
                {
                    lits.swap(1, k);
                    let other = lits[1];
                    self.watches[other.index()].push(id);
                    continue;
                }
                let value = value(first);
                watching[kept] = id;
                kept += 1;
                match value {
                    Some(true) => {}
                    None => self.assign(first, Some(id)),
                    Some(false) => {
                        conflict = Some(id);
                        watching.copy_within(i + 1.., kept);
                        kept += watching.len() - i - 1;
                        break;
                    }
                }
            }
            watching.truncate(kept);
            self.watches[is_false.index()] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Learns the first unique implication point of a clause that is false, and goes back to where it is a unit.
    fn resolve_conflict(&mut self, conflict: ClauseId) {
        let level = self.levels.len();
        let mut chain: Vec<(ClauseId, usize)> = Vec::new();
        let mut seen = vec![false; self.assigned.len()];
        let (mut learned, mut bottom) = (Vec::new(), Vec::new());
        let mut open = 0;
        let mut position = self.trail.len();
        let mut clause = conflict;
        let mut resolved: Option<Lit> = None;
        let asserting = loop {
            for i in 0..self.clauses[clause].lits.len() {
                let l = self.clauses[clause].lits[i];
                if Some(l) == resolved || std::mem::replace(&mut seen[l.var()], true) {
                    continue;
                }
                self.bump(l.var());
                match self.level_of(l) {
                    0 => bottom.push(l),
                    k if k == level => open += 1,
                    _ => learned.push(l),
                }
            }
            if open == 0 {
                break None;
            }
            let next = loop {
                position -= 1;
                if seen[self.trail[position].var()] && self.level_of(self.trail[position]) == level {
                    break self.trail[position];
                }
            };
            open -= 1;
            match self.reason(next) {
                Some(reason) if open > 0 || level == 0 => {
                    chain.push((reason, next.var()));
                    resolved = Some(next);
                    clause = reason;
                }
                _ => break Some(!next),
            }
        };
        self.increment /= 0.95;
        // What was assigned at level 0 goes by its unit clauses.
        chain.extend(bottom.iter().filter_map(|l| self.reason(*l).map(|r| (r, l.var()))));
        let back = learned.iter().map(|&l| self.level_of(l)).max().unwrap_or(0);
        let second = learned.iter().position(|&l| self.level_of(l) == back);
        if let Some(k) = second {
            learned.swap(0, k);
        }
        let lits: Vec<Lit> = asserting.into_iter().chain(learned).collect();
        let id = if chain.is_empty() {
            conflict
        } else {
            self.clauses.push(Clause { lits: lits.clone(), origin: Origin::Resolution(conflict, chain) });
            if lits.len() >= 2 {
                self.watches[lits[0].index()].push(self.clauses.len() - 1);
                self.watches[lits[1].index()].push(self.clauses.len() - 1);
            }
            self.clauses.len() - 1
        };
        match asserting {
            None => self.refutation = Some(id),
            Some(l) => {
                self.backtrack(back);
                self.assign(l, Some(id));
            }
        }
    }

    fn bump(&mut self, var: usize) {
        self.activity[var] += self.increment;
        if self.activity[var] > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.increment *= 1e-100;
        }
    }

    /// Is every clause that was given satisfied?
    pub fn is_satisfied(&self) -> bool {
        let given = self.clauses.iter().filter(|c| !matches!(c.origin, Origin::Resolution(..)));
        given.into_iter().all(|c| c.lits.iter().any(|&l| self.value(l) == Some(true)))
    }

    /// Assigns one more variable: one of those that must have a value, or of a clause that is not satisfied. False if there is none.
    pub fn decide(&mut self, wanted: &[usize]) -> bool {
        let mut best: Option<usize> = None;
        let mut consider = |v: usize| {
            if self.assigned[v].is_none() && best.is_none_or(|b| self.activity[v] > self.activity[b]) {
                best = Some(v);
            }
        };
        for c in self.clauses.iter().filter(|c| !matches!(c.origin, Origin::Resolution(..))) {
            if !c.lits.iter().any(|&l| self.value(l) == Some(true)) {
                c.lits.iter().for_each(|l| consider(l.var()));
            }
        }
        wanted.iter().for_each(|&v| consider(v));
        let Some(v) = best else { return false };
        self.levels.push(self.trail.len());
        self.assign(Lit::new(v, self.phase[v]), None);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Is the clause what its chain gives?
    fn follows(sat: &Sat, id: ClauseId) -> bool {
        let Origin::Resolution(first, chain) = &sat.clauses[id].origin else { return true };
        let mut lits: BTreeSet<Lit> = sat.clauses[*first].lits.iter().copied().collect();
        for (c, v) in chain {
            let other = &sat.clauses[*c].lits;
            let Some(&pivot) = other.iter().find(|l| l.var() == *v) else { return false };
            if !lits.remove(&!pivot) {
                return false;
            }
            lits.extend(other.iter().filter(|l| l.var() != *v));
        }
        lits == sat.clauses[id].lits.iter().copied().collect()
    }

    #[test]
    fn random_clauses() {
        let mut seed = 1u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n) as usize
        };
        let mut unsat = 0;
        for _ in 0..500 {
            let n = 8;
            let mut sat = Sat::new();
            (0..n).for_each(|_| _ = sat.variable(false));
            let given: Vec<Vec<Lit>> = (0..8 + next(20))
                .map(|_| (0..1 + next(4)).map(|_| Lit::new(next(n as u64), next(2) == 0)).collect())
                .collect();
            let mut clauses = given.iter();
            for c in clauses.by_ref().take(given.len() / 2) {
                sat.add(c.clone(), Origin::Part(0));
            }
            // The others come while the search stands somewhere.
            let sat_found = loop {
                if !sat.propagate(&Stop::never()) {
                    break false;
                }
                if let Some(c) = clauses.next() {
                    sat.add(c.clone(), Origin::Part(0));
                    continue;
                }
                if !sat.decide(&[]) {
                    break true;
                }
            };
            let holds = |m: u32| given.iter().all(|c| c.iter().any(|l| (m >> l.var() & 1 == 1) == l.is_positive()));
            assert_eq!(sat_found, (0..1u32 << n).any(holds));
            unsat += usize::from(!sat_found);
            if let Some(empty) = sat.refutation() {
                assert!(sat.clauses[empty].lits.is_empty());
            }
            assert!((0..sat.clauses.len()).all(|c| follows(&sat, c)));
        }
        assert!(unsat > 50 && unsat < 450, "{unsat}");
    }
}

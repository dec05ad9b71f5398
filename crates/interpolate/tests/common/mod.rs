//! Random problems, partitioned at random, and the check of what an interpolator makes of them.
#![allow(dead_code)]

use lariat_interpolate::check;
use lariat_smt::{Answer, Interpolants, Interpolator, Limits, Nesting, Solver, Z3Solver};
use lariat_term::{Func, Op, Sort, Term, Terms};
use std::time::Duration;

/// Numbers that look random and are the same on each run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// What literals are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integers,
    Rationals,
    Equality,
    IntegersWithFunctions,
    Mixed,
    Bits,
    Arrays,
}

/// Those that the decision procedure of our own is for.
pub const KINDS: [Kind; 5] =
    [Kind::Integers, Kind::Rationals, Kind::Equality, Kind::IntegersWithFunctions, Kind::Mixed];

pub struct Generator {
    pub terms: Terms,
    kind: Kind,
    ints: Vec<Term>,
    reals: Vec<Term>,
    things: Vec<Term>,
    bools: Vec<Term>,
    bits: Vec<Term>,
    arrays: Vec<Term>,
    f: Func,
    g: Func,
    h: Func,
    p: Func,
}

impl Generator {
    pub fn new(kind: Kind) -> Generator {
        let mut terms = Terms::new();
        let thing = terms.uninterpreted_sort("T");
        let vars = |terms: &mut Terms, prefix: &str, n: usize, sort: Sort| {
            (0..n).map(|i| terms.var(&format!("{prefix}{i}"), sort)).collect::<Vec<_>>()
        };
        let (ints, reals) = (vars(&mut terms, "x", 5, Sort::INT), vars(&mut terms, "r", 4, Sort::REAL));
        let (things, bools) = (vars(&mut terms, "t", 5, thing), vars(&mut terms, "b", 3, Sort::BOOL));
        let (byte, array) = (terms.bv_sort(8), terms.array_sort(Sort::INT, Sort::INT));
        let (bits, arrays) = (vars(&mut terms, "v", 5, byte), vars(&mut terms, "a", 3, array));
        let f = terms.declare_func("f", &[Sort::INT], Sort::INT, None).unwrap();
        let g = terms.declare_func("g", &[thing], thing, None).unwrap();
        let h = terms.declare_func("h", &[thing, Sort::INT], thing, None).unwrap();
        let p = terms.declare_func("p", &[thing], Sort::BOOL, None).unwrap();
        Generator { terms, kind, ints, reals, things, bools, bits, arrays, f, g, h, p }
    }

    fn thing(&mut self, r: &mut Random, depth: usize) -> Term {
        if depth == 0 || r.below(5) < 3 {
            return self.things[r.below(self.things.len())];
        }
        let a = self.thing(r, depth - 1);
        if self.kind == Kind::Mixed && r.one_in(3) {
            let i = self.number(r, 1, false);
            return self.terms.app(self.h, &[a, i]);
        }
        self.terms.app(self.g, &[a])
    }

    fn number(&mut self, r: &mut Random, depth: usize, rational: bool) -> Term {
        let mut sum = Vec::new();
        for _ in 0..1 + r.below(2) {
            let with_functions = matches!(self.kind, Kind::IntegersWithFunctions | Kind::Mixed);
            let v = if rational {
                self.reals[r.below(self.reals.len())]
            } else if with_functions && depth > 0 && r.one_in(3) {
                let a = self.number(r, depth - 1, false);
                self.terms.app(self.f, &[a])
            } else {
                self.ints[r.below(self.ints.len())]
            };
            let c = [1, 1, 1, -1, -1, 2, -2, 3][r.below(8)];
            let c = if rational { self.terms.real(c) } else { self.terms.int(c) };
            sum.push(self.terms.mul(&[c, v]));
        }
        let c = [0, 0, 0, 1, -1, 2, -3][r.below(7)];
        sum.push(if rational { self.terms.real(c) } else { self.terms.int(c) });
        self.terms.add(&sum)
    }

    fn byte(&mut self, r: &mut Random, depth: usize) -> Term {
        if depth == 0 || r.one_in(2) {
            let constant = self.terms.bv(8, r.below(6) as u32);
            return if r.one_in(4) { constant } else { self.bits[r.below(self.bits.len())] };
        }
        let (a, b) = (self.byte(r, depth - 1), self.byte(r, depth - 1));
        let op = [Op::BvAdd, Op::BvAdd, Op::BvAnd, Op::BvXor][r.below(4)];
        self.terms.mk(op, &[a, b])
    }

    fn array(&mut self, r: &mut Random) -> Term {
        let a = self.arrays[r.below(self.arrays.len())];
        if r.one_in(2) {
            let (i, e) = (self.ints[r.below(3)], self.ints[r.below(5)]);
            return self.terms.store(a, i, e);
        }
        a
    }

    pub fn literal(&mut self, r: &mut Random) -> Term {
        if self.kind == Kind::Bits {
            let (a, b) = (self.byte(r, 2), self.byte(r, 1));
            let op = [Op::Eq, Op::Eq, Op::Eq, Op::BvUle, Op::BvSlt, Op::BvUlt][r.below(6)];
            let t = self.terms.mk(op, &[a, b]);
            return if r.one_in(4) { self.terms.not(t) } else { t };
        }
        if self.kind == Kind::Arrays {
            if r.one_in(3) {
                let (a, b) = (self.arrays[r.below(self.arrays.len())], self.array(r));
                return self.terms.eq(a, b);
            }
            let (a, i) = (self.array(r), self.ints[r.below(3)]);
            let (a, b) = (self.terms.select(a, i), self.ints[r.below(5)]);
            return if r.one_in(2) { self.terms.eq(a, b) } else { self.terms.lt(a, b) };
        }
        let things = match self.kind {
            Kind::Equality => true,
            Kind::Mixed => r.one_in(2),
            _ => false,
        };
        if things {
            if r.one_in(6) {
                let a = self.thing(r, 1);
                let t = self.terms.app(self.p, &[a]);
                return if r.one_in(2) { t } else { self.terms.not(t) };
            }
            let (a, b) = (self.thing(r, 2), self.thing(r, 1));
            return if r.one_in(4) { self.terms.ne(a, b) } else { self.terms.eq(a, b) };
        }
        let rational = self.kind == Kind::Rationals;
        let (a, b) = (self.number(r, 2, rational), self.number(r, 1, rational));
        match r.below(8) {
            0..3 => self.terms.eq(a, b),
            3 => self.terms.ne(a, b),
            4 | 5 => self.terms.le(a, b),
            6 => self.terms.lt(a, b),
            _ if rational => self.terms.lt(b, a),
            _ => {
                let k = self.terms.int(2 + r.below(2) as i32);
                let rest = self.terms.mk(Op::IntMod, &[a, k]);
                let c = self.terms.int(r.below(2) as i32);
                self.terms.eq(rest, c)
            }
        }
    }

    fn formula(&mut self, r: &mut Random, depth: usize) -> Term {
        if depth == 0 || r.one_in(4) {
            if r.one_in(5) {
                let b = self.bools[r.below(self.bools.len())];
                return if r.one_in(2) { b } else { self.terms.not(b) };
            }
            return self.literal(r);
        }
        let (a, b) = (self.formula(r, depth - 1), self.formula(r, depth - 1));
        match r.below(7) {
            0 | 1 => self.terms.and(&[a, b]),
            2..5 => self.terms.or(&[a, b]),
            5 => self.terms.eq(a, b),
            _ => {
                let c = self.formula(r, depth - 1);
                self.terms.ite(c, a, b)
            }
        }
    }

    /// A few parts, of literals only or with structure.
    pub fn parts(&mut self, r: &mut Random, boolean: bool) -> Vec<Term> {
        let n = 2 + r.below(4);
        let mut parts = vec![Vec::new(); n];
        for _ in 0..5 + r.below(8) {
            let t = if boolean { self.formula(r, 2) } else { self.literal(r) };
            parts[r.below(n)].push(t);
        }
        parts.iter().map(|p| self.terms.and(p)).collect()
    }
}

/// Calls that are properly nested.
pub fn nesting(r: &mut Random, n: usize) -> Nesting {
    let mut calls: Vec<(usize, Option<usize>)> = Vec::new();
    let mut open = Vec::new();
    for i in 0..n {
        match r.below(3) {
            0 => {
                open.push(calls.len());
                calls.push((i, None));
            }
            1 => {
                if let Some(k) = open.pop() {
                    calls[k].1 = Some(i);
                }
            }
            _ => {}
        }
    }
    Nesting { calls }
}

#[derive(Default, Debug)]
pub struct Counts {
    pub unsatisfiable: usize,
    pub satisfiable: usize,
    pub unknown: usize,
    pub unknown_unsatisfiable: usize,
    pub reasons: std::collections::BTreeMap<String, usize>,
}

/// Lets an interpolator answer for one problem, and checks the answer.
pub fn judge(
    by: &mut dyn Interpolator,
    terms: &mut Terms,
    parts: &[Term],
    nesting: Option<&Nesting>,
    counts: &mut Counts,
) -> Result<(), String> {
    let mut z3 = Z3Solver::new(None).map_err(|e| e.to_string())?;
    z3.set_limits(Limits::time(Duration::from_secs(5)));
    for &t in parts {
        z3.assert(terms, t).map_err(|e| e.to_string())?;
    }
    let truth = z3.check(terms, &[]).map_err(|e| e.to_string())?;
    // Half of the problems may be satisfiable ones.
    if truth.is_sat() && counts.satisfiable + counts.unknown > counts.unsatisfiable {
        return Ok(());
    }
    let found = match nesting {
        None => by.sequence(terms, parts),
        Some(n) => by.scoped(terms, parts, n),
    };
    match (found.map_err(|e| e.to_string())?, truth) {
        (Interpolants::Sequence(_), Answer::Sat(_)) => return Err("refuted, but Z3 has a model".into()),
        (Interpolants::Satisfiable, Answer::Unsat(_)) => return Err("satisfiable, but Z3 refutes it".into()),
        (Interpolants::Satisfiable, _) => counts.satisfiable += 1,
        (Interpolants::Unknown(why), truth) => {
            *counts.reasons.entry(why).or_default() += 1;
            counts.unknown += 1;
            counts.unknown_unsatisfiable += usize::from(truth.is_unsat());
        }
        (Interpolants::Sequence(found), _) => {
            counts.unsatisfiable += 1;
            let wrong = match nesting {
                None => check::wrong_sequence(terms, parts, &found),
                Some(n) => check::wrong_scoped(terms, parts, n, &found),
            };
            if let Some(wrong) = wrong.map_err(|e| e.to_string())? {
                return Err(wrong);
            }
        }
    }
    Ok(())
}

/// Problems of all kinds until so many were refuted.
pub fn run(
    by: &mut dyn Interpolator,
    seed: u64,
    wanted: usize,
    boolean: bool,
    calls: bool,
    kinds: &[Kind],
) -> Result<Counts, String> {
    let mut counts = Counts::default();
    let mut r = Random::new(seed);
    let mut i = 0;
    while counts.unsatisfiable < wanted {
        let mut g = Generator::new(kinds[i % kinds.len()]);
        let parts = g.parts(&mut r, boolean);
        let nesting = calls.then(|| nesting(&mut r, parts.len()));
        judge(by, &mut g.terms, &parts, nesting.as_ref(), &mut counts).map_err(|e| {
            let parts: Vec<String> = parts.iter().map(|&p| g.terms.display(p).to_string()).collect();
            format!("problem {i}, {nesting:?}: {e}\n{}", parts.join("\n"))
        })?;
        i += 1;
        if i > 100 * (wanted + 10) {
            return Err(format!("hardly anything is refuted: {counts:?}"));
        }
    }
    Ok(counts)
}

/// x0 = y0; then steps that change both alike, in one of several ways each; then x ≠ y. Of integers, or of bit-vectors.
pub fn blocks(terms: &mut Terms, steps: usize, ways: i32, bits: Option<u32>) -> Vec<Term> {
    let sort = bits.map_or(Sort::INT, |w| terms.bv_sort(w));
    let var = |terms: &mut Terms, n: &str, i: usize| terms.var(&format!("{n}{i}"), sort);
    let (x, y) = (var(terms, "x", 0), var(terms, "y", 0));
    let mut parts = vec![terms.eq(x, y)];
    for i in 0..steps {
        let (x, y) = (var(terms, "x", i), var(terms, "y", i));
        let (x1, y1) = (var(terms, "x", i + 1), var(terms, "y", i + 1));
        let mut cases = Vec::new();
        for k in 0..ways {
            let (k, add, le) = match bits {
                None => (terms.int(k), Op::Add, Op::Le),
                Some(w) => (terms.bv(w, k as u32), Op::BvAdd, Op::BvSle),
            };
            let (a, b) = (terms.mk(add, &[x, k]), terms.mk(add, &[y, k]));
            let (a, b) = (terms.eq(x1, a), terms.eq(y1, b));
            let guard = terms.mk(le, &[k, x]);
            cases.push(terms.and(&[guard, a, b]));
        }
        parts.push(terms.or(&cases));
    }
    let (x, y) = (var(terms, "x", steps), var(terms, "y", steps));
    parts.push(terms.ne(x, y));
    parts
}

//! Candidates for loop invariants that are read off the program and the proof, in the form that a person would write: conditions of the program,
//! bounds and pairs of variables, how far counters have come, and the equations behind bounds of a proof over integers.
//!
//! They are guesses: whether one holds, and whether it is needed, is asked afterwards.

use std::collections::BTreeSet;

use lariat_program::{Program, RegionId, StmtKind, Terminator};
use lariat_term::{Op, Sort, SortKind, Term, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Of how many variables of a loop something is guessed.
const VARIABLES: usize = 8;
/// Of how many indices it is guessed that they differ.
const PLACES: usize = 10;
/// How many guesses a loop has.
const GUESSES: usize = 160;

/// What is guessed of a loop, over these variables, the simplest first. `signed` says whether those that are bit-vectors are numbers with a sign.
pub(super) fn guesses(
    program: &Program,
    terms: &mut Terms,
    region: RegionId,
    visible: &[Var],
    signed: &dyn Fn(Var) -> Option<bool>,
) -> Vec<Term> {
    let listed = visible;
    let visible: FxHashSet<Var> = listed.iter().copied().collect();
    let mut guess = Guess { program, terms, signed, found: Vec::new() };
    let conditions = guess.conditions(&visible);
    conditions.into_iter().for_each(|t| guess.weakened(t));
    guess.truths(listed);
    guess.apart(&visible);
    let numbers = guess.numbers(&visible);
    // What the loop works with comes first.
    let mut own = guess.of_region(region, &visible);
    own.extend(listed.iter().filter(|v| !own.contains(v)).copied().collect::<Vec<_>>());
    own.retain(|v| guess.is_number(*v));
    own.truncate(VARIABLES);
    for (i, &a) in own.iter().enumerate() {
        for &n in numbers.get(&a).into_iter().flatten() {
            let a = guess.terms.var_term(a);
            guess.ordered(a, n);
        }
        for &b in &own[i + 1..] {
            let [a, b] = [a, b].map(|v| guess.terms.var_term(v));
            guess.ordered(a, b);
        }
    }
    guess.counters(region, &own, &numbers);
    guess.either(&visible);
    let Guess { terms, mut found, .. } = guess;
    let mut seen = FxHashSet::default();
    found.retain(|&t| !matches!(terms.op(t), Op::True | Op::False) && seen.insert(t));
    found.truncate(GUESSES);
    found
}

/// The equations behind the comparisons of a claim in bit-vectors that are wider than the variables: what they say modulo the width of those.
pub(super) fn equations(terms: &mut Terms, claim: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for t in terms.post_order(&[claim]) {
        let (&[a, b], Op::Eq | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt) = (terms.args(t), terms.op(t)) else {
            continue;
        };
        let vars = terms.free_vars(&[a, b]);
        let widths: BTreeSet<Option<u32>> = vars
            .iter()
            .map(|&v| match terms.sort_kind(terms.var_sort(v)) {
                SortKind::BitVec(width) => Some(width),
                _ => None,
            })
            .collect();
        let (Some(width), Some(&Some(narrow)), 1) = (terms.bv_width(a), widths.first(), widths.len()) else { continue };
        if narrow < width
            && let (Some(a), Some(b)) = (truncated(terms, a, narrow, 16), truncated(terms, b, narrow, 16))
        {
            found.push(terms.eq(a, b));
        }
    }
    found
}

/// A sum or product modulo a smaller width.
fn truncated(terms: &mut Terms, t: Term, width: u32, depth: u32) -> Option<Term> {
    let depth = depth.checked_sub(1)?;
    if terms.bv_width(t)? == width {
        return Some(t);
    }
    let args = terms.args(t).to_vec();
    match (terms.op(t), &args[..]) {
        (Op::ZeroExt(_) | Op::SignExt(_), &[inner]) if terms.bv_width(inner)? >= width => {
            truncated(terms, inner, width, depth)
        }
        (op @ (Op::BvAdd | Op::BvMul | Op::BvNeg), _) => {
            let args: Option<Vec<Term>> = args.iter().map(|&a| truncated(terms, a, width, depth)).collect();
            Some(terms.mk(op, &args?))
        }
        _ if terms.is_value(t) => Some(terms.extract(width - 1, 0, t)),
        _ => None,
    }
}

struct Guess<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    signed: &'a dyn Fn(Var) -> Option<bool>,
    found: Vec<Term>,
}

impl Guess<'_> {
    /// The comparisons in conditions and assertions of the program that are about these variables, and what is said there to hold of one or
    /// another.
    fn conditions(&self, visible: &FxHashSet<Var>) -> Vec<Term> {
        let mut roots = Vec::new();
        for block in self.program.regions.iter().flat_map(|r| &r.blocks) {
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Assert { cond, .. } => roots.insert(0, *cond),
                    StmtKind::Assume(cond) => roots.push(*cond),
                    _ => {}
                }
            }
            if let Terminator::Branch { cond, .. } = block.next {
                roots.push(cond);
            }
        }
        let mut found = Vec::new();
        for root in roots {
            for t in self.terms.post_order(&[root]) {
                let compares = matches!(
                    self.terms.op(t),
                    Op::Or | Op::Eq | Op::Le | Op::Lt | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt
                );
                // Conditions about overflows are none that people would write.
                let parts = if compares { self.terms.post_order(&[t]) } else { Vec::new() };
                let wide = |t: &Term| matches!(self.terms.op(*t), Op::SignExt(_) | Op::ZeroExt(_) | Op::Extract { .. });
                let vars = if compares && !parts.iter().any(wide) { self.terms.free_vars(&[t]) } else { Vec::new() };
                if !vars.is_empty() && vars.iter().all(|v| visible.contains(v)) && !found.contains(&t) {
                    found.push(t);
                }
            }
        }
        found
    }

    /// That one of two conditions holds that are about the same variables.
    fn either(&mut self, visible: &FxHashSet<Var>) {
        let conditions = self.conditions(visible);
        for (i, &a) in conditions.iter().enumerate() {
            for &b in &conditions[i + 1..] {
                if self.found.len() < GUESSES && self.terms.free_vars(&[a]) == self.terms.free_vars(&[b]) {
                    let either = self.terms.or(&[a, b]);
                    self.found.push(either);
                }
            }
        }
    }

    /// A comparison, and what is left of it and of its opposite where two numbers may be equal; an equation, and its opposite.
    fn weakened(&mut self, t: Term) {
        let (op, args) = (self.terms.op(t), self.terms.args(t).to_vec());
        let &[a, b] = &args[..] else { return };
        let (or_equal, other) = match op {
            Op::Lt | Op::Le => (Op::Le, Op::Le),
            Op::BvSlt | Op::BvSle => (Op::BvSle, Op::BvSle),
            Op::BvUlt | Op::BvUle => (Op::BvUle, Op::BvUle),
            _ => {
                let not = self.terms.not(t);
                self.found.extend([t, not]);
                return;
            }
        };
        let all = [self.terms.mk(or_equal, &[a, b]), self.terms.mk(other, &[b, a]), t, self.terms.eq(a, b)];
        self.found.extend(all);
    }

    /// What is a truth value, and its opposite.
    fn truths(&mut self, listed: &[Var]) {
        let truths: Vec<Var> = listed.iter().copied().filter(|&v| self.terms.var_sort(v) == Sort::BOOL).collect();
        for v in truths.into_iter().take(VARIABLES) {
            let t = self.terms.var_term(v);
            let not = self.terms.not(t);
            self.found.extend([t, not]);
        }
    }

    /// That two variables are different at which maps are read or written: then what is stored at the one place leaves the other as it was.
    fn apart(&mut self, visible: &FxHashSet<Var>) {
        let mut roots = Vec::new();
        for block in self.program.regions.iter().flat_map(|r| &r.blocks) {
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Assign(pairs) => roots.extend(pairs.iter().map(|p| p.1)),
                    StmtKind::Assert { cond, .. } | StmtKind::Assume(cond) => roots.push(*cond),
                    _ => {}
                }
            }
        }
        let mut places: Vec<Var> = Vec::new();
        for t in self.terms.post_order(&roots) {
            if let (Op::Select | Op::Store, &[_, index, ..]) = (self.terms.op(t), self.terms.args(t))
                && let Some(v) = self.terms.as_var(index).filter(|v| visible.contains(v))
                && !places.contains(&v)
            {
                places.push(v);
            }
        }
        places.truncate(PLACES);
        for (i, &a) in places.iter().enumerate() {
            for &b in &places[i + 1..] {
                if self.terms.var_sort(a) == self.terms.var_sort(b) {
                    let [a, b] = [a, b].map(|v| self.terms.var_term(v));
                    let equal = self.terms.eq(a, b);
                    let apart = self.terms.not(equal);
                    self.found.push(apart);
                }
            }
        }
    }

    fn is_number(&self, v: Var) -> bool {
        matches!(self.terms.sort_kind(self.terms.var_sort(v)), SortKind::Int | SortKind::BitVec(_))
    }

    /// Two numbers, equal or in an order.
    fn ordered(&mut self, a: Term, b: Term) {
        if self.terms.sort(a) != self.terms.sort(b) {
            return;
        }
        let of = |t: Term| self.terms.as_var(t).and_then(|v| (self.signed)(v));
        let order = match (self.terms.sort(a), of(a).or(of(b)), of(b).or(of(a))) {
            (Sort::INT, ..) => Some(Op::Le),
            (_, Some(true), Some(true)) => Some(Op::BvSle),
            (_, Some(false), Some(false)) => Some(Op::BvUle),
            _ => None,
        };
        if let Some(op) = order {
            let both = [self.terms.mk(op, &[a, b]), self.terms.mk(op, &[b, a])];
            self.found.extend(both);
        }
        let equal = self.terms.eq(a, b);
        self.found.push(equal);
    }

    /// The numbers that each variable is compared with or set to.
    fn numbers(&mut self, visible: &FxHashSet<Var>) -> FxHashMap<Var, Vec<Term>> {
        let mut found: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
        let mut add = |v: Option<Var>, n: Term| {
            if let Some(v) = v.filter(|v| visible.contains(v)) {
                let all = found.entry(v).or_default();
                if !all.contains(&n) {
                    all.push(n);
                }
            }
        };
        for t in self.conditions(visible) {
            if let &[a, b] = self.terms.args(t) {
                if self.terms.is_value(b) {
                    add(self.terms.as_var(a), b);
                }
                if self.terms.is_value(a) {
                    add(self.terms.as_var(b), a);
                }
            }
        }
        for stmt in self.program.regions.iter().flat_map(|r| &r.blocks).flat_map(|b| &b.stmts) {
            if let StmtKind::Assign(pairs) = &stmt.kind {
                for &(v, t) in pairs.iter().filter(|(_, t)| self.terms.is_value(*t)) {
                    add(Some(v), t);
                }
            }
        }
        found
    }

    /// The variables that a loop reads or writes, those that it writes first.
    fn of_region(&self, region: RegionId, visible: &FxHashSet<Var>) -> Vec<Var> {
        let own = &self.program.regions[region.index()];
        let outputs = own.outputs.iter().chain(&own.inputs).map(|d| d.var);
        let mut seen = FxHashSet::default();
        let mut found: Vec<Var> = outputs.filter(|v| visible.contains(v) && seen.insert(*v)).collect();
        for stmt in own.blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Assign(pairs) = &stmt.kind {
                found.extend(pairs.iter().map(|p| p.0).filter(|v| visible.contains(v) && seen.insert(*v)));
            }
        }
        found
    }

    /// What variables that grow or shrink by constant steps have in common.
    fn counters(&mut self, region: RegionId, own: &[Var], numbers: &FxHashMap<Var, Vec<Term>>) {
        let mut steps: Vec<(Var, Term)> = Vec::new();
        let program = self.program;
        for stmt in program.regions[region.index()].blocks.iter().flat_map(|b| &b.stmts) {
            let StmtKind::Assign(pairs) = &stmt.kind else { continue };
            for &(v, t) in pairs {
                let var = self.terms.var_term(v);
                let (op, args) = (self.terms.op(t), self.terms.args(t));
                if let (Op::Add | Op::BvAdd, &[a, b]) = (op, args)
                    && own.contains(&v)
                {
                    match (a == var, b == var) {
                        (true, _) if self.terms.is_value(b) => steps.push((v, b)),
                        (_, true) if self.terms.is_value(a) => steps.push((v, a)),
                        _ => {}
                    }
                }
            }
        }
        for (i, &(v, step)) in steps.iter().enumerate() {
            for &(w, other) in &steps[i + 1..] {
                let [a, b] = [v, w].map(|v| self.terms.var_term(v));
                if v == w || self.terms.sort(a) != self.terms.sort(b) {
                    continue;
                }
                let (add, mul) =
                    if self.terms.sort(a) == Sort::INT { (Op::Add, Op::Mul) } else { (Op::BvAdd, Op::BvMul) };
                let (left, right) = (self.terms.mk(mul, &[other, a]), self.terms.mk(mul, &[step, b]));
                let equal = self.terms.eq(left, right);
                self.found.push(equal);
                // The sum of two that move against each other stays what it was, and so does the difference of two that move together.
                let zero = self.terms.mk(add, &[step, other]);
                let against = is_zero(self.terms, zero);
                let kept = if against { self.terms.mk(add, &[a, b]) } else { a };
                let others = own.iter().filter(|x| **x != v && **x != w).map(|&x| self.terms.var_term(x));
                let numbers = [v, w].into_iter().filter_map(|v| numbers.get(&v)).flatten().copied();
                let others: Vec<Term> = others.chain(numbers).collect();
                for x in others {
                    if self.terms.sort(x) != self.terms.sort(a) || !against && step != other {
                        continue;
                    }
                    let sides = if against { vec![x] } else { vec![self.terms.mk(add, &[b, x])] };
                    for side in sides {
                        let equal = self.terms.eq(kept, side);
                        self.found.push(equal);
                    }
                    if !against {
                        let side = self.terms.mk(add, &[a, x]);
                        let equal = self.terms.eq(b, side);
                        self.found.push(equal);
                    }
                }
            }
        }
    }
}

fn is_zero(terms: &Terms, t: Term) -> bool {
    match terms.term_value(t) {
        Some(Value::BitVec(b)) => b.is_zero(),
        Some(Value::Int(n)) => n.is_zero(),
        _ => false,
    }
}

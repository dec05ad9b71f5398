//! Replacing variables: substitution of free variables, shifting and instantiating bound ones.
//!
//! In: terms, and what to put for their variables. Out: terms of the same store, rebuilt through
//! [`Terms::mk`], so they are simplified again where something changed; what did not change keeps
//! its id. All are iterative and visit each subterm once (once per binder depth where the result
//! depends on the depth), and none enters a subterm in which it could change nothing.
//!
//! Replacements may have loose bound indices. Such an index means the same binder wherever the
//! replacement lands: below `n` more bound variables it is shifted by `n`. Closed replacements, the
//! usual case, are put in as they are.

use rustc_hash::FxHashMap;

use crate::{
    op::Op,
    store::{Term, Terms, Var},
    walk::TermMap,
};

/// What a rewriting does with one subterm below `depth` bound variables.
pub(crate) enum Step {
    /// The result, which is final.
    Done(Term),
    /// Rewrite the arguments; the result does not depend on the depth.
    Enter,
    /// Rewrite the arguments; the result depends on the depth.
    EnterAtDepth,
}

/// A bottom-up rewriting that changes leaves only.
pub(crate) trait Rewrite {
    /// Decides about one subterm. Called at least once for each, and for leaves must be `Done`.
    fn step(&mut self, terms: &mut Terms, t: Term, depth: u32) -> Step;
}

/// What rewriting made of terms so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    anywhere: TermMap,
    at_root: TermMap,
    at_depth: FxHashMap<(Term, u32), Term>,
}

impl Memo {
    fn get(&self, t: Term, depth: Option<u32>) -> Option<Term> {
        match depth {
            None => self.anywhere.get(t).map(Term),
            Some(0) => self.at_root.get(t).map(Term),
            Some(depth) => self.at_depth.get(&(t, depth)).copied(),
        }
    }

    fn insert(&mut self, t: Term, depth: Option<u32>, result: Term) {
        match depth {
            None => _ = self.anywhere.insert(t, result.0),
            Some(0) => _ = self.at_root.insert(t, result.0),
            Some(depth) => _ = self.at_depth.insert((t, depth), result),
        }
    }
}

enum Frame {
    Enter {
        t: Term,
        depth: u32,
    },
    /// With the depth if the result depends on it.
    Exit {
        t: Term,
        depth: Option<u32>,
    },
}

/// Rewrites `root`, which is below `depth` bound variables.
pub(crate) fn rewrite(terms: &mut Terms, memo: &mut Memo, root: Term, depth: u32, r: &mut impl Rewrite) -> Term {
    let mut stack = vec![Frame::Enter { t: root, depth }];
    // The results of the arguments seen so far of all terms being rewritten.
    let mut results: Vec<Term> = Vec::new();
    while let Some(frame) = stack.pop() {
        match frame {
            Frame::Enter { t, depth } => {
                let key = match r.step(terms, t, depth) {
                    Step::Done(result) => {
                        results.push(result);
                        continue;
                    }
                    Step::Enter => None,
                    Step::EnterAtDepth => Some(depth),
                };
                if let Some(result) = memo.get(t, key) {
                    results.push(result);
                    continue;
                }
                stack.push(Frame::Exit { t, depth: key });
                let below = depth + terms.binds(t);
                stack.extend(terms.args(t).iter().rev().map(|&t| Frame::Enter { t, depth: below }));
            }
            Frame::Exit { t, depth } => {
                let old = terms.args(t);
                let start = results.len() - old.len();
                let result = if old == &results[start..] { t } else { terms.mk(terms.op(t), &results[start..]) };
                results.truncate(start);
                results.push(result);
                memo.insert(t, depth, result);
            }
        }
    }
    results[0]
}

/// A substitution of free variables that remembers what it did: applying it to many terms costs no
/// more than applying it once to all of them together.
#[derive(Clone, Debug)]
pub struct Substituter {
    map: FxHashMap<Var, Term>,
    /// Replacements with loose indices need care below binders.
    loose: bool,
    /// Terms that contain (1) or not (0) a variable whose replacement has loose indices.
    shifts: TermMap,
    memo: Memo,
}

impl Substituter {
    /// The simultaneous substitution of each variable by its term, which must have its sort.
    pub fn new(terms: &Terms, map: FxHashMap<Var, Term>) -> Substituter {
        debug_assert!(map.iter().all(|(&v, &t)| terms.var_sort(v) == terms.sort(t)));
        let loose = map.values().any(|&t| terms.loose(t) > 0);
        Substituter { map, loose, shifts: TermMap::new(), memo: Memo::default() }
    }

    /// Adds a replacement. The variable must occur in no term that was rewritten before.
    pub fn bind(&mut self, terms: &Terms, v: Var, t: Term) {
        debug_assert_eq!(terms.var_sort(v), terms.sort(t));
        self.loose |= terms.loose(t) > 0;
        self.map.insert(v, t);
    }

    /// The term with its variables replaced.
    pub fn apply(&mut self, terms: &mut Terms, t: Term) -> Term {
        if self.loose {
            let map = &self.map;
            let shifts = |terms: &Terms, v| map.get(&v).is_some_and(|&r| terms.loose(r) > 0);
            mark_users(terms, &mut self.shifts, t, shifts);
        }
        let mut replace = Replace { map: &self.map, shifts: self.loose.then_some(&self.shifts) };
        rewrite(terms, &mut self.memo, t, 0, &mut replace)
    }

    /// The terms with their variables replaced.
    pub fn apply_all(&mut self, terms: &mut Terms, ts: &[Term]) -> Vec<Term> {
        ts.iter().map(|&t| self.apply(terms, t)).collect()
    }

    /// What the variables are replaced by.
    pub fn map(&self) -> &FxHashMap<Var, Term> {
        &self.map
    }
}

struct Replace<'a> {
    map: &'a FxHashMap<Var, Term>,
    shifts: Option<&'a TermMap>,
}

impl Rewrite for Replace<'_> {
    #[inline]
    fn step(&mut self, terms: &mut Terms, t: Term, depth: u32) -> Step {
        if let Op::Var(v) = terms.op(t) {
            return Step::Done(match self.map.get(&v) {
                Some(&r) => terms.shift(r, depth),
                None => t,
            });
        }
        if terms.args(t).is_empty() {
            return Step::Done(t);
        }
        match self.shifts {
            Some(shifts) if depth > 0 && shifts.get(t) == Some(1) => Step::EnterAtDepth,
            _ => Step::Enter,
        }
    }
}

/// Notes for every term below `root` whether (1) or not (0) it contains a variable of interest.
/// Terms that are in the map already are taken to be right.
pub(crate) fn mark_users(terms: &Terms, marks: &mut TermMap, root: Term, wanted: impl Fn(&Terms, Var) -> bool) {
    let mut stack = vec![(root, false)];
    while let Some((t, done)) = stack.pop() {
        if marks.contains(t) {
            continue;
        }
        let args = terms.args(t);
        if !done && !args.is_empty() {
            stack.push((t, true));
            stack.extend(args.iter().map(|&a| (a, false)));
            continue;
        }
        let uses = match terms.op(t) {
            Op::Var(v) => wanted(terms, v),
            _ => args.iter().any(|&a| marks.get(a) == Some(1)),
        };
        marks.insert(t, uses as u32);
    }
}

impl Terms {
    /// How many variables the operator of this term binds in its arguments.
    #[inline]
    pub fn binds(&self, t: Term) -> u32 {
        match self.op(t) {
            Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => self.binder(b).vars.len() as u32,
            _ => 0,
        }
    }

    /// The term with each variable of the map replaced, all at once. For several terms, use one
    /// [`Substituter`].
    pub fn substitute(&mut self, t: Term, map: &FxHashMap<Var, Term>) -> Term {
        Substituter::new(self, map.clone()).apply(self, t)
    }

    /// The terms with each variable of the map replaced; what they share is done once.
    pub fn substitute_all(&mut self, ts: &[Term], map: &FxHashMap<Var, Term>) -> Vec<Term> {
        Substituter::new(self, map.clone()).apply_all(self, ts)
    }

    /// The term as it reads below `by` more bound variables: its loose indices grow by that much.
    pub fn shift(&mut self, t: Term, by: u32) -> Term {
        self.shift_from(t, by, 0)
    }

    /// Like [`Terms::shift`], for the loose indices of at least `from` only.
    pub fn shift_from(&mut self, t: Term, by: u32, from: u32) -> Term {
        if by == 0 || self.loose(t) <= from {
            return t;
        }
        rewrite(self, &mut Memo::default(), t, from, &mut Shift { by })
    }

    /// The body of a binder with terms in place of the binder's variables: `args` are in the order
    /// of [`Binder::vars`](crate::Binder::vars), so the last is for index 0. Larger indices refer
    /// to binders further out and fall by the number of arguments.
    pub fn instantiate(&mut self, body: Term, args: &[Term]) -> Term {
        self.instantiate_all(&[body], args).pop().unwrap_or(body)
    }

    /// Like [`Terms::instantiate`], for the body and the trigger terms of one binder.
    pub fn instantiate_all(&mut self, bodies: &[Term], args: &[Term]) -> Vec<Term> {
        let mut memo = Memo::default();
        let mut step = Instantiate { args };
        let mut result = Vec::with_capacity(bodies.len());
        for &b in bodies {
            result.push(if args.is_empty() { b } else { rewrite(self, &mut memo, b, 0, &mut step) });
        }
        result
    }
}

struct Shift {
    by: u32,
}

impl Rewrite for Shift {
    fn step(&mut self, terms: &mut Terms, t: Term, depth: u32) -> Step {
        if terms.loose(t) <= depth {
            return Step::Done(t);
        }
        match terms.op(t) {
            // The index is loose, because the term is.
            Op::Bound(i, s) => Step::Done(terms.bound(i + self.by, s)),
            _ => Step::EnterAtDepth,
        }
    }
}

struct Instantiate<'a> {
    args: &'a [Term],
}

impl Rewrite for Instantiate<'_> {
    fn step(&mut self, terms: &mut Terms, t: Term, depth: u32) -> Step {
        if terms.loose(t) <= depth {
            return Step::Done(t);
        }
        match terms.op(t) {
            Op::Bound(i, s) => {
                let (i, n) = (i - depth, self.args.len() as u32);
                Step::Done(if i < n {
                    terms.shift(self.args[(n - 1 - i) as usize], depth)
                } else {
                    terms.bound(i - n + depth, s)
                })
            }
            _ => Step::EnterAtDepth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    fn map(terms: &Terms, pairs: &[(Term, Term)]) -> FxHashMap<Var, Term> {
        pairs.iter().map(|&(v, t)| (terms.as_var(v).unwrap(), t)).collect()
    }

    #[test]
    fn substitution_is_simultaneous() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::INT, None).unwrap();
        let xy = t.app(f, &[x, y]);
        let yx = t.app(f, &[y, x]);
        let m = map(&t, &[(x, y), (y, x)]);
        assert_eq!(t.substitute(xy, &m), yx);
        assert_eq!(t.substitute_all(&[xy, yx], &m), [yx, xy]);
    }

    #[test]
    fn deep_chain_and_doubling() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::INT, None).unwrap();
        let (mut a, mut b) = (x, y);
        for _ in 0..1000 {
            a = t.app(f, &[a, a]);
            b = t.app(f, &[b, b]);
        }
        for _ in 0..1_000_000 {
            a = t.app(f, &[x, a]);
            b = t.app(f, &[y, b]);
        }
        let before = t.len();
        let m = map(&t, &[(x, y)]);
        assert_eq!(t.substitute(a, &m), b);
        assert_eq!(t.len(), before);
    }

    #[test]
    fn one_memo_for_many_roots() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::INT, None).unwrap();
        let mut roots = vec![x];
        for i in 0..3000 {
            let a = t.app(f, &[roots[i], x]);
            roots.push(a);
        }
        let m = map(&t, &[(x, y)]);
        let mut s = Substituter::new(&t, m.clone());
        let all = s.apply_all(&mut t, &roots);
        assert_eq!(all[0], y);
        for (i, w) in all.windows(2).enumerate() {
            assert_eq!(t.args(w[1]), [w[0], y], "root {i}");
        }
    }

    #[test]
    fn replacement_with_loose_index_is_shifted_below_binders() {
        let mut t = Terms::new();
        let x = t.var("x", Sort::INT);
        let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::BOOL, None).unwrap();
        // forall y. f(x, y), with x replaced by the variable of an enclosing binder
        let b0 = t.bound(0, Sort::INT);
        let b1 = t.bound(1, Sort::INT);
        let fx = t.app(f, &[x, b0]);
        let all = t.forall_bound(&[("y", Sort::INT)], &[], fx);
        let top = t.app(f, &[x, x]);
        let both = t.and(&[all, top]);
        let m = map(&t, &[(x, b0)]);
        let got = t.substitute(both, &m);
        let f10 = t.app(f, &[b1, b0]);
        let all = t.forall_bound(&[("y", Sort::INT)], &[], f10);
        let top = t.app(f, &[b0, b0]);
        let want = t.and(&[all, top]);
        assert_eq!(got, want);
        assert_eq!(t.loose(got), 1);
    }

    #[test]
    fn shift_leaves_inner_variables_alone() {
        let mut t = Terms::new();
        let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::BOOL, None).unwrap();
        let b = [0, 1, 4].map(|i| t.bound(i, Sort::INT));
        let f01 = t.app(f, &[b[0], b[1]]);
        let q = t.forall_bound(&[("y", Sort::INT)], &[], f01);
        let got = t.shift(q, 3);
        let f04 = t.app(f, &[b[0], b[2]]);
        let want = t.forall_bound(&[("y", Sort::INT)], &[], f04);
        assert_eq!(got, want);
        assert_eq!(t.shift_from(q, 3, 1), q);
    }

    #[test]
    fn instantiate_takes_arguments_outermost_first() {
        let mut t = Terms::new();
        let f = t.declare_func("f", &[Sort::INT, Sort::INT, Sort::INT], Sort::INT, None).unwrap();
        let b = [0, 1, 2].map(|i| t.bound(i, Sort::INT));
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        // variables (u, v): u is index 1, v is index 0; index 2 is of a binder further out
        let body = t.app(f, &[b[1], b[0], b[2]]);
        let got = t.instantiate(body, &[x, y]);
        let want = t.app(f, &[x, y, b[0]]);
        assert_eq!(got, want);
    }

    #[test]
    fn instantiate_below_a_binder_shifts_the_argument() {
        let mut t = Terms::new();
        let f = t.declare_func("f", &[Sort::INT, Sort::INT], Sort::BOOL, None).unwrap();
        let b = [0, 1, 3].map(|i| t.bound(i, Sort::INT));
        // body of u: exists w. f(w, u); put in index 2 of the world outside
        let inner = t.app(f, &[b[0], b[1]]);
        let body = t.exists_bound(&[("w", Sort::INT)], &[], inner);
        let arg = t.bound(2, Sort::INT);
        let got = t.instantiate(body, &[arg]);
        let inner = t.app(f, &[b[0], b[2]]);
        let want = t.exists_bound(&[("w", Sort::INT)], &[], inner);
        assert_eq!(got, want);
    }

    #[test]
    fn deep_nesting_of_binders() {
        let mut t = Terms::new();
        let f = t.declare_func("f", &[Sort::BOOL, Sort::INT], Sort::BOOL, None).unwrap();
        let (p, x) = (t.var("p", Sort::BOOL), t.var("x", Sort::INT));
        let mut a = p;
        for i in 0..2000 {
            let b = t.bound(2000 - i, Sort::INT);
            let body = t.app(f, &[a, b]);
            a = t.intern_forall(body);
        }
        assert_eq!(t.loose(a), 1);
        let got = t.instantiate(a, &[x]);
        assert_eq!(t.loose(got), 0);
    }

    impl Terms {
        fn intern_forall(&mut self, body: Term) -> Term {
            let name = self.symbol("v");
            let b = self.intern_binder(crate::Binder { vars: vec![(name, Sort::INT)], triggers: vec![], weight: None });
            self.intern(Op::Forall(b), &[body])
        }
    }
}

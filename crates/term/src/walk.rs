//! Walking the term graph: every node once, arguments before users, without recursion.
//!
//! In: a store and some roots. Out: nodes in post-order, free variables, used functions and sorts,
//! sizes. The cost is linear in the graph below the roots: a few small terms in a huge store do not
//! pay for the store, because [`TermMap`] hashes as long as few terms are in it and becomes a flat
//! array once many are.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    op::Op,
    sort::{Sort, SortKind},
    store::{Func, Term, Terms, Var},
};

/// How many times more ids than entries there may be before a [`TermMap`] becomes a flat array.
const SPARSE: usize = 16;

/// A map from terms to small numbers, fast for few terms and for many.
#[derive(Clone, Debug, Default)]
pub struct TermMap {
    sparse: FxHashMap<u32, u32>,
    /// One more than the number, so that fresh memory means "absent"; in use if not empty.
    dense: Vec<u32>,
}

impl TermMap {
    /// An empty map.
    pub fn new() -> TermMap {
        TermMap::default()
    }

    /// The number of a term.
    #[inline]
    pub fn get(&self, t: Term) -> Option<u32> {
        if self.dense.is_empty() {
            self.sparse.get(&t.0).copied()
        } else {
            self.dense.get(t.index()).and_then(|&v| v.checked_sub(1))
        }
    }

    /// Is the term in the map?
    #[inline]
    pub fn contains(&self, t: Term) -> bool {
        self.get(t).is_some()
    }

    /// Gives the term a number below `u32::MAX`; true if it had none.
    #[inline]
    pub fn insert(&mut self, t: Term, value: u32) -> bool {
        if self.dense.is_empty() {
            let new = self.sparse.insert(t.0, value).is_none();
            if self.sparse.len() * SPARSE > t.index().max(1024) {
                self.densify();
            }
            return new;
        }
        if t.index() >= self.dense.len() {
            let len = (t.index() + 1).max(self.dense.len() * 2);
            self.dense.resize(len, 0);
        }
        std::mem::replace(&mut self.dense[t.index()], value + 1) == 0
    }

    fn densify(&mut self) {
        let top = self.sparse.keys().max().map_or(0, |&m| m as usize);
        // Some room above, since users of a walk often make new terms.
        let mut dense = vec![0; top + 1 + top / 4];
        for (&t, &v) in &self.sparse {
            dense[t as usize] = v + 1;
        }
        self.dense = dense;
        self.sparse = FxHashMap::default();
    }
}

/// Post-order over the terms reachable from some roots: each once, arguments first, from left to
/// right. More roots can be added between steps; what was visited is not visited again.
pub struct PostOrder {
    visited: TermMap,
    /// Terms to enter, and terms (flag set) whose arguments are done.
    stack: Vec<(Term, bool)>,
}

impl PostOrder {
    /// A walk over everything below the roots.
    pub fn new(roots: &[Term]) -> PostOrder {
        let mut walk = PostOrder { visited: TermMap::new(), stack: Vec::new() };
        walk.add(roots);
        walk
    }

    /// Adds roots, to be visited before whatever is still to come.
    pub fn add(&mut self, roots: &[Term]) {
        self.stack.extend(roots.iter().rev().map(|&r| (r, false)));
    }

    /// The next term.
    pub fn next(&mut self, terms: &Terms) -> Option<Term> {
        while let Some((t, done)) = self.stack.pop() {
            if done {
                return Some(t);
            }
            if !self.visited.insert(t, 0) {
                continue;
            }
            let args = terms.args(t);
            if args.is_empty() {
                return Some(t);
            }
            self.stack.push((t, true));
            self.stack.extend(args.iter().rev().map(|&a| (a, false)));
        }
        None
    }
}

impl Terms {
    /// All terms reachable from the roots, each once, arguments before their users.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        let mut walk = PostOrder::new(roots);
        std::iter::from_fn(|| walk.next(self)).collect()
    }

    /// The free variables, in the order of their first occurrence from left to right.
    pub fn free_vars(&self, roots: &[Term]) -> Vec<Var> {
        let mut walk = PostOrder::new(roots);
        let mut vars = Vec::new();
        while let Some(t) = walk.next(self) {
            vars.extend(self.as_var(t));
        }
        vars
    }

    /// The declared functions that are applied, in the order of their first occurrence.
    pub fn used_funcs(&self, roots: &[Term]) -> Vec<Func> {
        let mut walk = PostOrder::new(roots);
        let (mut funcs, mut seen) = (Vec::new(), FxHashSet::default());
        while let Some(t) = walk.next(self) {
            if let Op::App(f) = self.op(t)
                && seen.insert(f)
            {
                funcs.push(f);
            }
        }
        funcs
    }

    /// The sorts of all subterms, bound variables, constructors' fields and functions' parameters,
    /// and the sorts that these are made of, each after those it is made of (but for the cycles of
    /// recursive datatypes).
    pub fn used_sorts(&self, roots: &[Term]) -> Vec<Sort> {
        let mut walk = PostOrder::new(roots);
        let mut found = SortWalk::default();
        while let Some(t) = walk.next(self) {
            found.add(self, self.sort(t));
            match self.op(t) {
                Op::App(f) => self.func_decl(f).params.iter().for_each(|&s| found.add(self, s)),
                Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => {
                    self.binder(b).vars.iter().for_each(|&(_, s)| found.add(self, s));
                }
                _ => {}
            }
        }
        found.order
    }

    /// How many different terms there are below (and among) the roots.
    pub fn dag_size(&self, roots: &[Term]) -> usize {
        let mut walk = PostOrder::new(roots);
        std::iter::from_fn(|| walk.next(self)).count()
    }
}

/// Sorts in post-order, each once.
#[derive(Default)]
pub(crate) struct SortWalk {
    seen: FxHashSet<Sort>,
    pub(crate) order: Vec<Sort>,
}

impl SortWalk {
    /// Adds a sort after the sorts it is made of, unless it is there.
    pub(crate) fn add(&mut self, terms: &Terms, sort: Sort) {
        let mut stack = vec![(sort, false)];
        while let Some((s, done)) = stack.pop() {
            if done {
                self.order.push(s);
                continue;
            }
            if !self.seen.insert(s) {
                continue;
            }
            stack.push((s, true));
            match terms.sort_kind(s) {
                SortKind::Array(i, e) => stack.extend([(e, false), (i, false)]),
                SortKind::Datatype(d) => {
                    let fields = terms.ctors(d).iter().flat_map(|&c| terms.ctor_fields(c));
                    stack.extend(fields.map(|f| (f.sort, false)));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn term_map_keeps_entries_when_it_becomes_dense() {
        let mut m = TermMap::new();
        for i in 0..10_000 {
            assert!(m.insert(Term(i * 3), i));
            assert!(!m.insert(Term(i * 3), i));
        }
        assert!(!m.dense.is_empty());
        for i in 0..10_000 {
            assert_eq!(m.get(Term(i * 3)), Some(i));
            assert_eq!(m.get(Term(i * 3 + 1)), None);
        }
    }

    #[test]
    fn sparse_in_a_huge_store() {
        let mut m = TermMap::new();
        m.insert(Term(1_000_000_000), 7);
        m.insert(Term(999_999_999), 8);
        assert!(m.dense.is_empty());
        assert_eq!(m.get(Term(999_999_999)), Some(8));
    }

    #[test]
    fn post_order_puts_arguments_first_and_each_once() {
        let mut t = Terms::new();
        let x = t.var("x", Sort::INT);
        let mut a = x;
        for _ in 0..1000 {
            a = t.intern(Op::Add, &[a, a]);
        }
        let order = t.post_order(&[a, x]);
        assert_eq!(order.len(), 1001);
        let mut at = TermMap::new();
        for (i, &n) in order.iter().enumerate() {
            assert!(t.args(n).iter().all(|&b| at.contains(b)));
            at.insert(n, i as u32);
        }
        assert_eq!(t.dag_size(&[a]), 1001);
    }

    #[test]
    fn deep_chain() {
        let mut t = Terms::new();
        let x = t.var("x", Sort::INT);
        let y = t.var("y", Sort::INT);
        let mut a = x;
        for _ in 0..1_000_000 {
            a = t.intern(Op::Add, &[y, a]);
        }
        assert_eq!(t.dag_size(&[a]), 1_000_002);
        let names: Vec<_> = t.free_vars(&[a]).iter().map(|&v| t.var_name(v).to_owned()).collect();
        assert_eq!(names, ["y", "x"]);
    }

    #[test]
    fn functions_and_sorts() {
        let mut t = Terms::new();
        let s = t.uninterpreted_sort("S");
        let arr = t.array_sort(s, Sort::INT);
        let f = t.declare_func("f", &[arr], Sort::BOOL, None).unwrap();
        let a = t.var("a", arr);
        let fa = t.app(f, &[a]);
        let not = t.not(fa);
        assert_eq!(t.used_funcs(&[not, fa]), [f]);
        let sorts = t.used_sorts(&[not]);
        let pos = |x| sorts.iter().position(|&y| y == x).unwrap();
        assert!(pos(s) < pos(arr) && pos(Sort::INT) < pos(arr));
        assert!(sorts.contains(&Sort::BOOL));
    }
}

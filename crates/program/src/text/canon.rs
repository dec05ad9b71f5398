//! Terms in an order that does not depend on their store.
//!
//! A store orders the arguments of commutative operators by their age, so the same program has other
//! texts in stores with other histories. Here they are ordered by what they are: variables by name,
//! then bigger terms by height and a hash of their structure, numerals last.

use std::{
    cmp::Ordering,
    hash::{DefaultHasher, Hash, Hasher},
};

use lariat_term::{Op, PostOrder, Term, Terms};
use rustc_hash::FxHashMap;

/// A copy of the store, in which terms are made anew with their arguments in order.
pub(super) struct Canon {
    terms: Terms,
    /// Per original term: the ordered one.
    done: FxHashMap<Term, Term>,
    /// Per ordered term: its place among others.
    keys: FxHashMap<Term, Key>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    class: Class,
    height: u32,
    hash: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Class {
    Variable,
    Other,
    Numeral,
}

impl Canon {
    pub fn new(terms: &Terms) -> Canon {
        Canon { terms: terms.clone(), done: FxHashMap::default(), keys: FxHashMap::default() }
    }

    /// The store of the ordered terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The term with all arguments in order.
    pub fn order(&mut self, root: Term) -> Term {
        if let Some(&t) = self.done.get(&root) {
            return t;
        }
        let mut walk = PostOrder::new(&[root]);
        while let Some(t) = walk.next(&self.terms) {
            if self.done.contains_key(&t) {
                continue;
            }
            let op = self.terms.op(t);
            let mut args: Vec<Term> = self.terms.args(t).iter().map(|a| self.done[a]).collect();
            let free = match op {
                Op::And
                | Op::Or
                | Op::Eq
                | Op::Distinct
                | Op::Add
                | Op::Mul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::FpEq => 0..args.len(),
                Op::FpAdd | Op::FpMul | Op::FpFma if args.len() > 2 => 1..3,
                _ => 0..0,
            };
            args[free].sort_by(|&a, &b| self.compare(a, b));
            // As it is: simplifying would put the arguments back.
            let ordered = self.terms.intern(op, &args);
            let key = self.key(op, ordered, &args);
            self.keys.insert(ordered, key);
            self.done.insert(t, ordered);
        }
        self.done[&root]
    }

    fn compare(&self, a: Term, b: Term) -> Ordering {
        if let (Some(v), Some(w)) = (self.terms.as_var(a), self.terms.as_var(b)) {
            return self.terms.var_name(v).cmp(self.terms.var_name(w));
        }
        self.keys[&a].cmp(&self.keys[&b])
    }

    fn key(&self, op: Op, t: Term, args: &[Term]) -> Key {
        let terms = &self.terms;
        let mut h = DefaultHasher::new();
        if args.is_empty() || matches!(op, Op::ConstArray(_)) {
            terms.display_sort(terms.sort(t)).to_string().hash(&mut h);
        }
        std::mem::discriminant(&op).hash(&mut h);
        // Names and values stand for the ids, which are the store's own.
        match op {
            Op::Const(c) => terms.const_value(c).hash(&mut h),
            Op::Var(v) => terms.var_name(v).hash(&mut h),
            Op::App(f) => terms.name(terms.func_decl(f).name).hash(&mut h),
            Op::Ctor(c) | Op::Tester(c) => terms.ctor_name(c).hash(&mut h),
            Op::Selector(c, i) => (terms.ctor_name(c), i).hash(&mut h),
            Op::Elem(_, n) | Op::Bound(n, _) => n.hash(&mut h),
            Op::ConstArray(_) => {}
            Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => {
                let b = terms.binder(b);
                for &(name, sort) in &b.vars {
                    (terms.name(name), terms.display_sort(sort).to_string()).hash(&mut h);
                }
                b.triggers.hash(&mut h);
                b.weight.hash(&mut h);
            }
            // What is left has numbers in it at most.
            op => op.hash(&mut h),
        }
        let class = match op {
            Op::Var(_) => Class::Variable,
            _ if terms.is_value(t) && args.is_empty() => Class::Numeral,
            _ => Class::Other,
        };
        let mut height = 0;
        for a in args {
            let k = self.keys[a];
            height = height.max(k.height + 1);
            k.hash.hash(&mut h);
        }
        Key { class, height, hash: h.finish() }
    }
}

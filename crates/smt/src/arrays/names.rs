//! Names for parts of terms, so that a solver which sees assertions one by one shares them.
//!
//! Z3's incremental solver for bit-vectors encodes a term anew in each assertion in which it occurs:
//! two copies of one comparison, or of one choice, have to be found equal by search (a query that takes
//! 0.02 s with names ran for more than 20 s without). So these are defined once, as variables, and
//! assertions speak about the variables. Arithmetic stays as it is: the solver's own simplifier does
//! more with whole sums than sharing them saves.

use lariat_term::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// What parts are called.
#[derive(Default)]
pub(super) struct Names {
    map: FxHashMap<Term, Term>,
    count: u32,
}

impl Names {
    /// The term with names for its parts. The definitions of names that are new are added to `new`.
    pub(super) fn name(&mut self, terms: &mut Terms, root: Term, new: &mut Vec<Term>) -> Term {
        self.parts(terms, root, new);
        self.map[&root]
    }

    /// The term with names for its parts, but itself as it is, to be the meaning of a variable. From now on the
    /// variable is its name, if it has no other.
    pub(super) fn define(&mut self, terms: &mut Terms, var: Term, meaning: Term, new: &mut Vec<Term>) -> Term {
        let args: Vec<Term> = terms.args(meaning).to_vec();
        for &a in &args {
            self.parts(terms, a, new);
        }
        let args: Vec<Term> = args.iter().map(|a| self.map[a]).collect();
        if deserves_a_name(terms, terms.op(meaning), meaning) {
            self.map.entry(meaning).or_insert(var);
        }
        terms.mk(terms.op(meaning), &args)
    }

    fn parts(&mut self, terms: &mut Terms, root: Term, new: &mut Vec<Term>) {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.map.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(t).iter().filter(|a| !self.map.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = terms.args(t).iter().map(|a| self.map[a]).collect();
            let op = terms.op(t);
            let mut named = if args == terms.args(t) { t } else { terms.mk(op, &args) };
            if deserves_a_name(terms, op, t) {
                let name = terms.var(&format!("n{}", self.count), terms.sort(t));
                self.count += 1;
                new.push(terms.eq(name, named));
                named = name;
            }
            self.map.insert(t, named);
        }
    }
}

/// Does it cost something to have two copies of this?
fn deserves_a_name(terms: &Terms, op: Op, t: Term) -> bool {
    match op {
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => true,
        Op::Eq => terms.sort(terms.args(t)[0]) != Sort::BOOL,
        Op::Ite => terms.sort(t) != Sort::BOOL,
        _ => false,
    }
}

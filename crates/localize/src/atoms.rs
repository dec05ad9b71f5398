//! Which parts of an expression are cut out where it reads something that is not tracked.
//!
//! Figure 3 gives up a whole expression. Here, Boolean structure, selections between values and stores into maps are kept, and only the *atoms* between
//! them are given up that read an untracked variable: `a && u > 0` may still be false because of `a`, and a store of an unknown value
//! changes one element only. What an atom is does not depend on what is tracked, so tracking more never allows more.

use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Knows which terms read a variable of a set.
pub(crate) struct Mentions<'a> {
    vars: &'a FxHashSet<Var>,
    known: FxHashMap<Term, bool>,
}

impl<'a> Mentions<'a> {
    pub fn new(vars: &'a FxHashSet<Var>) -> Mentions<'a> {
        Mentions { vars, known: FxHashMap::default() }
    }

    /// Does the term read one of the variables?
    pub fn any(&mut self, terms: &Terms, root: Term) -> bool {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = terms.args(t);
            let own = matches!(terms.op(t), Op::Var(v) if self.vars.contains(&v));
            let mut below = own;
            let mut complete = true;
            for a in args {
                match self.known.get(a) {
                    Some(&found) => below |= found,
                    None => complete = false,
                }
            }
            if below || complete {
                self.known.insert(t, below);
                stack.pop();
            } else {
                stack.extend(args.iter().filter(|a| !self.known.contains_key(a)));
            }
        }
        self.known.get(&root).copied().unwrap_or(true)
    }
}

/// The term with each atom that reads one of the variables replaced. Equal atoms of one statement have one value: `replaced` remembers them.
pub(crate) fn replace_atoms(
    terms: &mut Terms,
    mentions: &mut Mentions<'_>,
    replaced: &mut FxHashMap<Term, Term>,
    root: Term,
    new: &mut dyn FnMut(&mut Terms, Term) -> Term,
) -> Term {
    if !mentions.any(terms, root) {
        return root;
    }
    let mut stack = vec![root];
    while let Some(&t) = stack.last() {
        if replaced.contains_key(&t) {
            stack.pop();
            continue;
        }
        if !mentions.any(terms, t) {
            replaced.insert(t, t);
        } else if is_structure(terms.op(t)) {
            let args = terms.args(t).to_vec();
            let missing: Vec<Term> = args.iter().copied().filter(|a| !replaced.contains_key(a)).collect();
            if missing.is_empty() {
                let args: Vec<Term> = args.iter().map(|a| replaced[a]).collect();
                let made = terms.mk(terms.op(t), &args);
                replaced.insert(t, made);
            }
            stack.extend(missing);
        } else {
            let made = new(terms, t);
            replaced.insert(t, made);
        }
    }
    replaced[&root]
}

/// What is kept around atoms.
fn is_structure(op: Op) -> bool {
    matches!(op, Op::Not | Op::And | Op::Or | Op::Ite | Op::Store)
}

#[cfg(test)]
mod tests {
    use lariat_term::Sort;

    use super::*;

    #[test]
    fn atoms_are_replaced_and_structure_stays() {
        let mut terms = Terms::new();
        let a = terms.var("a", Sort::BOOL);
        let [u, x] = ["u", "x"].map(|name| terms.var(name, Sort::INT));
        let (zero, two) = (terms.int(0), terms.int(2));
        let positive = terms.gt(u, zero);
        let twice = terms.mul(&[two, u]);
        let (small, other) = (terms.lt(x, zero), terms.gt(twice, x));
        let whole = terms.and(&[a, positive, small]);
        let whole = terms.ite(other, whole, a);
        let vars: FxHashSet<Var> = terms.as_var(u).into_iter().collect();
        let mut mentions = Mentions::new(&vars);
        let mut cut = Vec::new();
        let made = replace_atoms(&mut terms, &mut mentions, &mut FxHashMap::default(), whole, &mut |terms, atom| {
            cut.push(atom);
            terms.fresh_var("any", terms.sort(atom))
        });
        cut.sort();
        let mut expected = vec![positive, other];
        expected.sort();
        assert_eq!(cut, expected);
        assert!(!Mentions::new(&vars).any(&terms, made));
        let mut none = |_: &mut Terms, t| t;
        assert_eq!(replace_atoms(&mut terms, &mut mentions, &mut FxHashMap::default(), small, &mut none), small);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let mut terms = Terms::new();
        let u = terms.var("u", Sort::BOOL);
        let mut t = u;
        for i in 0..100_000 {
            let x = terms.var(&format!("x{i}"), Sort::BOOL);
            let both = terms.intern(Op::And, &[x, t]);
            t = terms.intern(Op::Not, &[both]);
        }
        let vars: FxHashSet<Var> = terms.as_var(u).into_iter().collect();
        let made =
            replace_atoms(&mut terms, &mut Mentions::new(&vars), &mut FxHashMap::default(), t, &mut |terms, atom| {
                terms.fresh_var("any", terms.sort(atom))
            });
        assert!(!Mentions::new(&vars).any(&terms, made));
    }
}

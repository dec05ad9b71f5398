//! The fragment of terms that Spacer reads; anything may stand for the others.

use lariat_term::{Op, Term, TermMap, Terms};

/// Puts fresh variables in the place of what Spacer does not read: the same one for the same term.
#[derive(Default)]
pub(crate) struct Fragment {
    done: TermMap,
    results: Vec<Term>,
}

impl Fragment {
    pub fn apply(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut stack = vec![(root, false)];
        while let Some((t, entered)) = stack.pop() {
            if self.done.contains(t) {
                continue;
            }
            let args = terms.args(t).to_vec();
            let result = if unreadable(terms, t) {
                let sort = terms.sort(t);
                terms.fresh_var("any", sort)
            } else if args.is_empty() {
                t
            } else if !entered {
                stack.push((t, true));
                stack.extend(args.iter().map(|&a| (a, false)));
                continue;
            } else {
                let new: Vec<Term> = args.iter().map(|&a| self.result(a)).collect();
                if new == args { t } else { terms.mk(terms.op(t), &new) }
            };
            self.done.insert(t, self.results.len() as u32);
            self.results.push(result);
        }
        self.result(root)
    }

    fn result(&self, t: Term) -> Term {
        self.done.get(t).map_or(t, |i| self.results[i as usize])
    }

    /// Is there nothing to be replaced?
    pub fn reads(&mut self, terms: &mut Terms, t: Term) -> bool {
        self.apply(terms, t) == t
    }
}

fn unreadable(terms: &Terms, t: Term) -> bool {
    match terms.op(t) {
        Op::App(f) => terms.func_decl(f).builtin.is_none(),
        Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => true,
        _ => false,
    }
}

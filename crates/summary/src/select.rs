//! State merging: states that conditions choose among, merged at the end.
//!
//! Where n paths join one after the other (the cases of a `switch`), merging each into what is there would write down the variables of all cases before
//! it again: n² terms if each case sets a variable of its own. So the choices are kept as a tree first, and long chains of them are merged in
//! halves, by the disjunction of the conditions of the first half: n·log n terms.

use lariat_term::{Persist, Term, Terms};

/// Shorter chains are merged from their end, which gives plainer terms.
const LONG: usize = 64;

/// A state, or a choice of states.
pub(crate) struct Selected {
    tree: Tree,
    /// How many states there are.
    leaves: usize,
}

enum Tree {
    State(Persist),
    /// The first if the condition holds.
    Choice(Term, Box<[Selected; 2]>),
}

/// What a chain of choices has at one place: a state, and when it is chosen, unless one before it is.
struct Case {
    when: Term,
    state: Persist,
}

impl Selected {
    pub fn new(state: Persist) -> Selected {
        Selected { tree: Tree::State(state), leaves: 1 }
    }

    /// This one if the condition holds, else the other.
    pub fn unless(self, condition: Term, other: Selected) -> Selected {
        let leaves = self.leaves + other.leaves;
        Selected { tree: Tree::Choice(condition, Box::new([self, other])), leaves }
    }

    /// The state that is chosen, as one. Recursion is into the smaller side of a choice: as deep as a logarithm of the leaves.
    pub fn merged(self, terms: &mut Terms) -> Persist {
        let mut cases = Vec::new();
        let mut at = self;
        let last = loop {
            match at.tree {
                Tree::State(state) => break state,
                Tree::Choice(condition, sides) => {
                    let [yes, no] = *sides;
                    let (when, side, rest) =
                        if yes.leaves > no.leaves { (terms.not(condition), no, yes) } else { (condition, yes, no) };
                    let state = side.merged(terms);
                    cases.push(Case { when, state });
                    at = rest;
                }
            }
        };
        if cases.len() < LONG {
            return cases.into_iter().rev().fold(last, |rest, case| choose(terms, &case, &rest));
        }
        let when = terms.bool(true);
        cases.push(Case { when, state: last });
        while cases.len() > 1 {
            let mut halves = Vec::with_capacity(cases.len().div_ceil(2));
            let mut rest = cases.into_iter();
            while let Some(first) = rest.next() {
                halves.push(match rest.next() {
                    None => first,
                    Some(second) => {
                        let state = choose(terms, &first, &second.state);
                        Case { when: terms.or(&[first.when, second.when]), state }
                    }
                });
            }
            cases = halves;
        }
        // One is left of at least one.
        cases.pop().map_or_else(|| Persist::new(0), |case| case.state)
    }
}

fn choose(terms: &mut Terms, case: &Case, other: &Persist) -> Persist {
    case.state.merge(other, &mut |a, b| terms.ite(case.when, a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_term::Sort;

    /// A chain of `n` cases, of which each sets a variable of its own and one that all set.
    fn chain(t: &mut Terms, n: usize) -> (Vec<Term>, Persist) {
        let old: Vec<Term> = (0..n).map(|i| t.var(&format!("x{i}"), Sort::INT)).collect();
        let mut before = Persist::new(n + 1);
        old.iter().enumerate().for_each(|(i, &x)| before.set(i, x));
        let none = t.int(-1);
        before.set(n, none);
        let conditions: Vec<Term> = (0..n).map(|i| t.var(&format!("c{i}"), Sort::BOOL)).collect();
        let mut all = Selected::new(before.clone());
        for (i, &c) in conditions.iter().enumerate().rev() {
            let mut state = before.clone();
            let mine = t.int(i as i64);
            state.set(i, mine);
            state.set(n, mine);
            // Both ways around, as joins make them.
            all = if i.is_multiple_of(2) {
                Selected::new(state).unless(c, all)
            } else {
                let not = t.not(c);
                all.unless(not, Selected::new(state))
            };
        }
        (conditions, all.merged(t))
    }

    #[test]
    fn the_first_condition_that_holds_chooses() {
        for n in [1, 2, 3, 63, 64, 65, 100, 127] {
            let mut t = Terms::new();
            let (conditions, state) = chain(&mut t, n);
            for first in [0, 1, n / 2, n - 1, n] {
                let holds = |t: &mut Terms, i: usize| t.bool(i == first || i > first && i.is_multiple_of(3));
                let pairs: Vec<_> = conditions.iter().enumerate().map(|(i, &c)| (c, holds(&mut t, i))).collect();
                let map = pairs.into_iter().filter_map(|(c, value)| Some((t.as_var(c)?, value))).collect();
                let mut value = |i| t.substitute(state.get(i).unwrap(), &map);
                let chosen = [value(n), value(0)];
                let expected = if first < n { first as i64 } else { -1 };
                let own = if first == 0 { t.int(0) } else { t.var("x0", Sort::INT) };
                assert_eq!(chosen, [t.int(expected), own], "{first} of {n}");
            }
        }
    }

    #[test]
    fn long_chains_do_not_grow_with_the_square() {
        let sizes = [256, 1_024].map(|n| {
            let mut t = Terms::new();
            chain(&mut t, n);
            t.len()
        });
        assert!(sizes[1] < sizes[0] * 6, "{sizes:?}");
    }
}

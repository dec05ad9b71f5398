//! Path conditions as linked conjuncts, and the merging of paths.
//!
//! A path condition is a list of conjuncts that shares its tail with the conditions of the paths it
//! forked from. Where paths join, the common tail is kept and only what came after it is merged: so
//! after `if (c) {…} else {…}` the condition is again what it was before, and values are selected by
//! `c` alone, however long the way there was.
//!
//! Terms alone would not show that after `if (a || b) {…}`, whose ways cross. So each condition also knows its share
//! of the executions that pass the last assumption, assertion or box before it: a branch gives half to each side.
//! Where paths join whose shares add up to that of the place they forked at, all executions from there are back.

use std::collections::BinaryHeap;

use lariat_term::{Persist, Term, Terms};

use crate::select::Selected;

/// A path condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PathCondition(u32);

struct Link {
    head: Term,
    parent: PathCondition,
    depth: u32,
    /// The conjunction of the whole list.
    whole: Term,
    share: Share,
}

/// A part of the executions that satisfy a condition: `count / 2^halvings` of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Share {
    of: PathCondition,
    count: u64,
    halvings: u32,
}

impl Share {
    fn all(of: PathCondition) -> Share {
        Share { of, count: 1, halvings: 0 }
    }

    /// The sum, in lowest terms; `None` if the two are parts of different wholes, or it is not a small number.
    fn plus(self, other: Share) -> Option<Share> {
        let (fine, coarse) = if self.halvings >= other.halvings { (self, other) } else { (other, self) };
        let factor = 1u64.checked_shl(fine.halvings - coarse.halvings)?;
        let count = coarse.count.checked_mul(factor)?.checked_add(fine.count)?;
        let halve = count.trailing_zeros().min(fine.halvings);
        (fine.of == coarse.of).then_some(Share { of: fine.of, count: count >> halve, halvings: fine.halvings - halve })
    }
}

/// All path conditions of one region.
pub struct Paths {
    links: Vec<Link>,
}

/// A set of paths to one place, with the state they bring.
pub struct Arrival {
    pub path: PathCondition,
    pub state: Persist,
}

/// Like [`Arrival`], with what must hold besides the conjuncts of `path`.
struct Partial {
    extra: Term,
    /// The conjunct that was given up last, unless others were met since.
    fork: Option<Term>,
    state: Selected,
    share: Option<Share>,
}

impl Paths {
    /// Just the condition `true`.
    pub fn new(terms: &mut Terms) -> Paths {
        let yes = terms.bool(true);
        Paths {
            links: vec![Link {
                head: yes,
                parent: PathCondition(0),
                depth: 0,
                whole: yes,
                share: Share::all(PathCondition(0)),
            }],
        }
    }

    /// The condition `true`.
    pub fn start(&self) -> PathCondition {
        PathCondition(0)
    }

    /// The condition as one term.
    pub fn whole(&self, path: PathCondition) -> Term {
        self.links[path.0 as usize].whole
    }

    /// The condition with one more conjunct, which some executions may not satisfy.
    pub fn push(&mut self, terms: &mut Terms, path: PathCondition, head: Term) -> PathCondition {
        self.link(terms, path, head, None)
    }

    /// The condition of one of the two ways on from a place; that of the other has the negation of `head`.
    pub fn fork(&mut self, terms: &mut Terms, path: PathCondition, head: Term) -> PathCondition {
        let share = self.links[path.0 as usize].share;
        let half = share.halvings.checked_add(1).map(|halvings| Share { halvings, ..share });
        self.link(terms, path, head, half)
    }

    fn link(&mut self, terms: &mut Terms, path: PathCondition, head: Term, share: Option<Share>) -> PathCondition {
        if head == terms.bool(true) {
            return path;
        }
        let whole = terms.and(&[self.whole(path), head]);
        let depth = self.links[path.0 as usize].depth + 1;
        let new = PathCondition(self.links.len() as u32);
        self.links.push(Link { head, parent: path, depth, whole, share: share.unwrap_or(Share::all(new)) });
        new
    }

    /// One arrival for several whose conditions exclude each other; `None` for none.
    ///
    /// The deepest arrival gives up conjuncts until it meets another one at the same path.
    pub fn join(&mut self, terms: &mut Terms, arrivals: Vec<Arrival>) -> Option<Arrival> {
        if arrivals.len() < 2 {
            return arrivals.into_iter().next();
        }
        let yes = terms.bool(true);
        let mut partials: Vec<Option<Partial>> = Vec::new();
        let mut heap = BinaryHeap::new();
        for a in arrivals {
            heap.push((self.links[a.path.0 as usize].depth, a.path, partials.len()));
            let share = Some(self.links[a.path.0 as usize].share);
            partials.push(Some(Partial { extra: yes, fork: None, state: Selected::new(a.state), share }));
        }
        while let Some((depth, path, at)) = heap.pop() {
            let mut mine = partials[at].take()?;
            match heap.peek() {
                None => {
                    let path = self.link(terms, path, mine.extra, mine.share);
                    return Some(Arrival { path, state: mine.state.merged(terms) });
                }
                Some(&(_, other, j)) if other == path => {
                    let theirs = partials[j].take()?;
                    heap.pop();
                    let (extra, state) = (mine.extra, mine.state);
                    // On two sides of a branch its condition tells them apart; what else must hold does not matter.
                    let condition = match (mine.fork.take(), theirs.fork) {
                        (Some(a), Some(b)) if terms.not(a) == b => a,
                        _ => extra,
                    };
                    mine.state = state.unless(condition, theirs.state);
                    mine.share = mine.share.zip(theirs.share).and_then(|(a, b)| a.plus(b));
                    let all = mine.share == Some(self.links[path.0 as usize].share);
                    mine.extra = if all { yes } else { terms.or(&[extra, theirs.extra]) };
                    heap.push((depth, path, at));
                }
                Some(_) => {
                    let link = &self.links[path.0 as usize];
                    mine.extra = terms.and(&[link.head, mine.extra]);
                    mine.fork = Some(link.head);
                    heap.push((depth - 1, link.parent, at));
                }
            }
            partials[at] = Some(mine);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_term::Sort;

    #[test]
    fn a_diamond_leaves_no_trace_in_the_condition() {
        let mut t = Terms::new();
        let mut paths = Paths::new(&mut t);
        let (c, d) = (t.var("c", Sort::BOOL), t.var("d", Sort::BOOL));
        let (not_c, not_d) = (t.not(c), t.not(d));
        let (one, two, three) = (t.int(1), t.int(2), t.int(3));
        let start = paths.start();
        let state = |x| {
            let mut s = Persist::new(1);
            s.set(0, x);
            s
        };
        let yes = paths.push(&mut t, start, c);
        let no = paths.push(&mut t, start, not_c);
        let no_yes = paths.push(&mut t, no, d);
        let no_no = paths.push(&mut t, no, not_d);
        let arrivals = [(yes, one), (no_yes, two), (no_no, three)].map(|(path, x)| Arrival { path, state: state(x) });
        let joined = paths.join(&mut t, arrivals.into()).unwrap();
        assert_eq!(joined.path, start);
        let value = joined.state.get(0).unwrap();
        for (c_is, d_is, x) in [(true, false, one), (true, true, one), (false, true, two), (false, false, three)] {
            let map = [(c, c_is), (d, d_is)].map(|(v, b)| (t.as_var(v).unwrap(), t.bool(b))).into_iter().collect();
            assert_eq!(t.substitute(value, &map), x);
        }
    }

    /// The condition after `if (a || b) {}`, with what is assumed on the way where only `b` holds.
    fn after_crossing_ways(t: &mut Terms, assumed: Term) -> Term {
        let mut paths = Paths::new(t);
        let (a, b) = (t.var("a", Sort::BOOL), t.var("b", Sort::BOOL));
        let (not_a, not_b) = (t.not(a), t.not(b));
        let start = paths.start();
        let arrive = |path| Arrival { path, state: Persist::new(0) };
        let yes = paths.fork(t, start, a);
        let no = paths.fork(t, start, not_a);
        let no_yes = paths.fork(t, no, b);
        let no_yes = paths.push(t, no_yes, assumed);
        let no_no = paths.fork(t, no, not_b);
        let either = paths.join(t, vec![arrive(yes), arrive(no_yes)]).unwrap();
        let end = paths.join(t, vec![either, arrive(no_no)]).unwrap();
        paths.whole(end.path)
    }

    #[test]
    fn values_are_told_apart_by_the_branch_alone() {
        let mut t = Terms::new();
        let mut paths = Paths::new(&mut t);
        let (c, a) = (t.var("c", Sort::BOOL), t.var("a", Sort::BOOL));
        let not_c = t.not(c);
        let (one, two) = (t.int(1), t.int(2));
        let start = paths.start();
        let yes = paths.fork(&mut t, start, c);
        let yes = paths.push(&mut t, yes, a);
        let no = paths.fork(&mut t, start, not_c);
        let arrivals = [(yes, one), (no, two)].map(|(path, x)| {
            let mut state = Persist::new(1);
            state.set(0, x);
            Arrival { path, state }
        });
        let joined = paths.join(&mut t, arrivals.into()).unwrap();
        assert_eq!(joined.state.get(0), Some(t.ite(c, one, two)));
    }

    #[test]
    fn crossing_ways_leave_no_trace_in_the_condition() {
        let mut t = Terms::new();
        let yes = t.bool(true);
        assert_eq!(after_crossing_ways(&mut t, yes), yes);
    }

    #[test]
    fn what_is_assumed_on_crossing_ways_stays() {
        let mut t = Terms::new();
        let assumed = t.var("c", Sort::BOOL);
        let whole = after_crossing_ways(&mut t, assumed);
        for i in 0..8 {
            let [a, b, c] = [1, 2, 4].map(|bit| i & bit != 0);
            let map = [("a", a), ("b", b), ("c", c)].map(|(n, x)| (t.var(n, Sort::BOOL), x));
            let map = map.map(|(v, x)| (t.as_var(v).unwrap(), t.bool(x))).into_iter().collect();
            let expected = t.bool(a || !b || c);
            assert_eq!(t.substitute(whole, &map), expected, "{i:03b}");
        }
    }

    #[test]
    fn shares_add_up_to_the_whole_only_together() {
        let (of, other) = (PathCondition(0), PathCondition(1));
        let share = |count, halvings| Share { of, count, halvings };
        assert_eq!(share(1, 1).plus(share(1, 2)), Some(share(3, 2)));
        assert_eq!(share(3, 2).plus(share(1, 2)), Some(Share::all(of)));
        assert_eq!(share(1, 1).plus(Share { of: other, ..share(1, 1) }), None);
        assert_eq!(share(1, 1).plus(share(1, 90)), None, "too fine to tell");
    }

    #[test]
    fn what_a_branch_assumes_stays_in_the_condition() {
        let mut t = Terms::new();
        let mut paths = Paths::new(&mut t);
        let (c, a) = (t.var("c", Sort::BOOL), t.var("a", Sort::BOOL));
        let not_c = t.not(c);
        let start = paths.start();
        let yes = paths.push(&mut t, start, c);
        let yes = paths.push(&mut t, yes, a);
        let no = paths.push(&mut t, start, not_c);
        let arrivals = [yes, no].map(|path| Arrival { path, state: Persist::new(0) });
        let joined = paths.join(&mut t, arrivals.into()).unwrap();
        let whole = paths.whole(joined.path);
        for (c_is, a_is, expected) in [(true, true, true), (true, false, false), (false, false, true)] {
            let map = [(c, c_is), (a, a_is)].map(|(v, b)| (t.as_var(v).unwrap(), t.bool(b))).into_iter().collect();
            assert_eq!(t.substitute(whole, &map), t.bool(expected));
        }
    }
}

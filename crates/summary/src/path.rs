//! Path conditions as linked conjuncts, and the merging of paths.
//!
//! A path condition is a list of conjuncts that shares its tail with the conditions of the paths it
//! forked from. Where paths join, the common tail is kept and only what came after it is merged: so
//! after `if (c) {…} else {…}` the condition is again what it was before, and values are selected by
//! `c` alone, however long the way there was.

use std::collections::BinaryHeap;

use lariat_term::{Persist, Term, Terms};

/// A path condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell(u32);

struct Link {
    head: Term,
    parent: Cell,
    depth: u32,
    /// The conjunction of the whole list.
    whole: Term,
}

/// All path conditions of one region.
pub struct Paths {
    links: Vec<Link>,
}

/// A set of paths to one place, with the state they bring.
pub struct Arrival {
    pub cell: Cell,
    pub state: Persist,
}

/// Like [`Arrival`], with what must hold besides the conjuncts of `cell`.
struct Partial {
    extra: Term,
    state: Persist,
}

impl Paths {
    /// Just the condition `true`.
    pub fn new(terms: &mut Terms) -> Paths {
        let yes = terms.bool(true);
        Paths { links: vec![Link { head: yes, parent: Cell(0), depth: 0, whole: yes }] }
    }

    /// The condition `true`.
    pub fn start(&self) -> Cell {
        Cell(0)
    }

    /// The condition as one term.
    pub fn whole(&self, cell: Cell) -> Term {
        self.links[cell.0 as usize].whole
    }

    /// The condition with one more conjunct.
    pub fn push(&mut self, terms: &mut Terms, cell: Cell, head: Term) -> Cell {
        if head == terms.bool(true) {
            return cell;
        }
        let whole = terms.and(&[self.whole(cell), head]);
        let depth = self.links[cell.0 as usize].depth + 1;
        self.links.push(Link { head, parent: cell, depth, whole });
        Cell(self.links.len() as u32 - 1)
    }

    /// One arrival for several whose conditions exclude each other; `None` for none.
    ///
    /// The deepest arrival gives up conjuncts until it meets another one at the same cell.
    pub fn join(&mut self, terms: &mut Terms, arrivals: Vec<Arrival>) -> Option<Arrival> {
        if arrivals.len() < 2 {
            return arrivals.into_iter().next();
        }
        let yes = terms.bool(true);
        let mut partials: Vec<Option<Partial>> = Vec::new();
        let mut heap = BinaryHeap::new();
        for a in arrivals {
            heap.push((self.links[a.cell.0 as usize].depth, a.cell, partials.len()));
            partials.push(Some(Partial { extra: yes, state: a.state }));
        }
        while let Some((depth, cell, at)) = heap.pop() {
            let mut mine = partials[at].take()?;
            match heap.peek() {
                None => {
                    let cell = self.push(terms, cell, mine.extra);
                    return Some(Arrival { cell, state: mine.state });
                }
                Some(&(_, other, j)) if other == cell => {
                    let theirs = partials[j].take()?;
                    heap.pop();
                    let (extra, state) = (mine.extra, mine.state);
                    mine.state = state.merge(&theirs.state, &mut |a, b| terms.ite(extra, a, b));
                    mine.extra = terms.or(&[extra, theirs.extra]);
                    heap.push((depth, cell, at));
                }
                Some(_) => {
                    let link = &self.links[cell.0 as usize];
                    mine.extra = terms.and(&[link.head, mine.extra]);
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
        let arrivals = [(yes, one), (no_yes, two), (no_no, three)].map(|(cell, x)| Arrival { cell, state: state(x) });
        let joined = paths.join(&mut t, arrivals.into()).unwrap();
        assert_eq!(joined.cell, start);
        let value = joined.state.get(0).unwrap();
        for (c_is, d_is, x) in [(true, false, one), (true, true, one), (false, true, two), (false, false, three)] {
            let map = [(c, c_is), (d, d_is)].map(|(v, b)| (t.as_var(v).unwrap(), t.bool(b))).into_iter().collect();
            assert_eq!(t.substitute(value, &map), x);
        }
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
        let arrivals = [yes, no].map(|cell| Arrival { cell, state: Persist::new(0) });
        let joined = paths.join(&mut t, arrivals.into()).unwrap();
        let whole = paths.whole(joined.cell);
        for (c_is, a_is, expected) in [(true, true, true), (true, false, false), (false, false, true)] {
            let map = [(c, c_is), (a, a_is)].map(|(v, b)| (t.as_var(v).unwrap(), t.bool(b))).into_iter().collect();
            assert_eq!(t.substitute(whole, &map), t.bool(expected));
        }
    }
}

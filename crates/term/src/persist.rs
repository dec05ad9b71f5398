//! A persistent map from small indices to terms: cloning is O(1), setting O(log n), and merging two
//! maps costs only what differs between them.
//!
//! So the state of a piece of code with many variables is carried through many blocks and merged at
//! joins without ever touching the variables that the branches leave alone.

use std::rc::Rc;

use crate::Term;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone)]
enum Node {
    Inner(Rc<[Option<Node>; WIDTH]>),
    Leaf(Rc<[Option<Term>; WIDTH]>),
}

impl Node {
    fn same(&self, other: &Node) -> bool {
        match (self, other) {
            (Node::Inner(a), Node::Inner(b)) => Rc::ptr_eq(a, b),
            (Node::Leaf(a), Node::Leaf(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The map. Indices run from zero to the size it was made for.
#[derive(Clone)]
pub struct Persist {
    root: Option<Node>,
    /// Levels above the leaves.
    height: u32,
}

impl Persist {
    /// An empty map for indices below `size`.
    pub fn new(size: usize) -> Persist {
        let mut height = 0;
        while size > WIDTH << (BITS * height) {
            height += 1;
        }
        Persist { root: None, height }
    }

    /// The term at an index.
    pub fn get(&self, index: usize) -> Option<Term> {
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match node {
                Node::Inner(children) => {
                    node = children[slot(index, level)].as_ref()?;
                    level -= 1;
                }
                Node::Leaf(terms) => return terms[slot(index, 0)],
            }
        }
    }

    /// Sets the term at an index.
    pub fn set(&mut self, index: usize, term: Term) {
        set(&mut self.root, self.height, index, term);
    }

    /// A map with `pick(a, b)` at each index where the two differ. Both must be for the same size,
    /// and an index that one of them has the other must have too.
    pub fn merge(&self, other: &Persist, pick: &mut impl FnMut(Term, Term) -> Term) -> Persist {
        Persist { root: merge(&self.root, &other.root, pick), height: self.height }
    }
}

fn slot(index: usize, level: u32) -> usize {
    (index >> (BITS * level)) & (WIDTH - 1)
}

// The recursion below is as deep as the tree is high: at most 8 for 2^32 variables.

fn set(node: &mut Option<Node>, level: u32, index: usize, term: Term) {
    let node = node.get_or_insert_with(|| match level {
        0 => Node::Leaf(Rc::new([None; WIDTH])),
        _ => Node::Inner(Rc::new([const { None }; WIDTH])),
    });
    match node {
        Node::Inner(children) => set(&mut Rc::make_mut(children)[slot(index, level)], level - 1, index, term),
        Node::Leaf(terms) => Rc::make_mut(terms)[slot(index, 0)] = Some(term),
    }
}

fn merge(a: &Option<Node>, b: &Option<Node>, pick: &mut impl FnMut(Term, Term) -> Term) -> Option<Node> {
    let (Some(x), Some(y)) = (a, b) else { return a.clone().or_else(|| b.clone()) };
    if x.same(y) {
        return a.clone();
    }
    Some(match (x, y) {
        (Node::Inner(xs), Node::Inner(ys)) => {
            Node::Inner(Rc::new(std::array::from_fn(|i| merge(&xs[i], &ys[i], pick))))
        }
        (Node::Leaf(xs), Node::Leaf(ys)) => Node::Leaf(Rc::new(std::array::from_fn(|i| match (xs[i], ys[i]) {
            (Some(s), Some(t)) if s != t => Some(pick(s, t)),
            (s, t) => s.or(t),
        }))),
        // Both maps are of one size, so they have one shape.
        _ => x.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;

    #[test]
    fn merging_touches_only_what_differs() {
        let mut t = Terms::new();
        let size = 1000;
        let mut base = Persist::new(size);
        for i in 0..size {
            let n = t.int(i as i64);
            base.set(i, n);
        }
        let (mut a, mut b) = (base.clone(), base.clone());
        let (x, y) = (t.int(-1), t.int(-2));
        a.set(3, x);
        b.set(3, y);
        b.set(999, y);
        let mut picked = Vec::new();
        let m = a.merge(&b, &mut |s, u| {
            picked.push((s, u));
            s
        });
        assert_eq!(picked, [(x, y), (base.get(999).unwrap(), y)]);
        assert_eq!(m.get(3), Some(x));
        assert_eq!(m.get(500), base.get(500));
        assert_eq!(base.get(3), Some(t.int(3)));
    }
}

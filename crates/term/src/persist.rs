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

    /// Takes what another map has at the indices of a set (a bit each). Costs no more than a look at the set where the
    /// maps share their parts. Both must be for the same size, and have the same indices.
    pub fn take(&mut self, other: &Persist, set: &[u64]) {
        take(&mut self.root, &other.root, self.height, 0, set);
    }

    /// Do both maps have the same at all indices of a set (a bit each)? Costs no more than a look at the set where the maps share
    /// their parts. Both must be for the same size.
    pub fn agrees(&self, other: &Persist, set: &[u64]) -> bool {
        agrees(&self.root, &other.root, self.height, 0, set)
    }

    /// The meet in a lattice of constants: what `top` has at each index where this map and another differ. Tells
    /// whether anything has changed. Parts in which nothing is known are those of `top`, so they are met once.
    /// All must be for the same size, and have the same indices.
    pub fn meet(&mut self, other: &Persist, top: &Persist) -> bool {
        match (&mut self.root, &other.root, &top.root) {
            (Some(a), Some(b), Some(top)) => meet(a, b, top),
            _ => false,
        }
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

/// How many bits of a set are in a range that a node stands for.
fn covered(set: &[u64], start: usize, size: usize) -> usize {
    if size < 64 {
        return set.get(start / 64).map_or(0, |word| (word >> (start % 64) & ((1 << size) - 1)).count_ones() as usize);
    }
    let words = set.get(start / 64..).unwrap_or_default();
    words.iter().take(size / 64).map(|word| word.count_ones() as usize).sum()
}

fn take(a: &mut Option<Node>, b: &Option<Node>, level: u32, start: usize, set: &[u64]) {
    let (Some(x), Some(y)) = (a, b) else { return };
    let size = WIDTH << (BITS * level);
    let covered = covered(set, start, size);
    if covered == 0 || x.same(y) {
        return;
    }
    if covered == size {
        *x = y.clone();
        return;
    }
    match (x, y) {
        (Node::Inner(xs), Node::Inner(ys)) => {
            for (i, (x, y)) in Rc::make_mut(xs).iter_mut().zip(ys.iter()).enumerate() {
                take(x, y, level - 1, start + i * (size / WIDTH), set);
            }
        }
        (Node::Leaf(xs), Node::Leaf(ys)) => {
            let differs = |i: usize| set[(start + i) / 64] >> ((start + i) % 64) & 1 == 1 && xs[i] != ys[i];
            let differing: Vec<usize> = (0..WIDTH).filter(|&i| start + i < 64 * set.len() && differs(i)).collect();
            if !differing.is_empty() {
                let xs = Rc::make_mut(xs);
                differing.into_iter().for_each(|i| xs[i] = ys[i]);
            }
        }
        // Both maps are of one size, so they have one shape.
        _ => {}
    }
}

fn agrees(a: &Option<Node>, b: &Option<Node>, level: u32, start: usize, set: &[u64]) -> bool {
    let (Some(x), Some(y)) = (a, b) else { return a.is_none() && b.is_none() };
    let size = WIDTH << (BITS * level);
    if x.same(y) || covered(set, start, size) == 0 {
        return true;
    }
    let has = |i: usize| set.get((start + i) / 64).is_some_and(|word| word >> ((start + i) % 64) & 1 == 1);
    match (x, y) {
        (Node::Inner(xs), Node::Inner(ys)) => {
            let step = size / WIDTH;
            xs.iter().zip(ys.iter()).enumerate().all(|(i, (x, y))| agrees(x, y, level - 1, start + i * step, set))
        }
        (Node::Leaf(xs), Node::Leaf(ys)) => (0..WIDTH).all(|i| xs[i] == ys[i] || !has(i)),
        // Both maps are of one size, so they have one shape.
        _ => false,
    }
}

fn meet(x: &mut Node, y: &Node, top: &Node) -> bool {
    if x.same(y) || x.same(top) {
        return false;
    }
    match (&mut *x, y, top) {
        (Node::Inner(xs), Node::Inner(ys), Node::Inner(tops)) => {
            let mut changed = false;
            let xs = Rc::make_mut(xs);
            let mut all = true;
            for ((x, y), top) in xs.iter_mut().zip(ys.iter()).zip(tops.iter()) {
                let (Some(x), Some(y), Some(top)) = (x, y, top) else { continue };
                changed |= meet(x, y, top);
                all &= x.same(top);
            }
            if all {
                *x = top.clone();
            }
            changed
        }
        (Node::Leaf(xs), Node::Leaf(ys), Node::Leaf(tops)) => {
            let mut changed = false;
            if (0..WIDTH).any(|i| xs[i] != ys[i] && xs[i] != tops[i]) {
                changed = true;
                for (i, x) in Rc::make_mut(xs).iter_mut().enumerate() {
                    if *x != ys[i] {
                        *x = tops[i];
                    }
                }
            }
            if xs == tops {
                *x = top.clone();
            }
            changed
        }
        // All maps are of one size, so they have one shape.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;

    #[test]
    fn taking_and_meeting_agree_with_plain_lists() {
        let mut t = Terms::new();
        let values: Vec<Term> = (0..3).map(|i| t.int(i)).collect();
        let mut random = 1u64;
        let mut next = |n: u64| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) % n
        };
        for size in [1, 15, 16, 17, 100, 256, 700, 5000] {
            let make = |list: &[Term]| {
                let mut map = Persist::new(size);
                list.iter().enumerate().for_each(|(i, &term)| map.set(i, term));
                map
            };
            let list = |map: &Persist| (0..size).map(|i| map.get(i).unwrap()).collect::<Vec<Term>>();
            // Mostly like the first one, so that there are equal parts.
            let top = vec![values[0]; size];
            let mut draw = |like: &[Term], often: u64| -> Vec<Term> {
                like.iter().map(|&v| if next(often) == 0 { values[next(3) as usize] } else { v }).collect()
            };
            for often in [2, 20, 500] {
                let a = draw(&top, often);
                let b = draw(&a, often);
                let mut set = vec![0u64; size.div_ceil(64)];
                draw(&top, often).iter().enumerate().filter(|(_, v)| **v != top[0]).for_each(|(i, _)| {
                    set[i / 64] |= 1 << (i % 64);
                });
                for set in [set, vec![0; size.div_ceil(64)], vec![!0; size.div_ceil(64)]] {
                    let mut taken = make(&a);
                    taken.take(&make(&b), &set);
                    let has = |i: usize| set[i / 64] >> (i % 64) & 1 == 1;
                    let expected: Vec<Term> = (0..size).map(|i| if has(i) { b[i] } else { a[i] }).collect();
                    assert_eq!(list(&taken), expected);
                    let same = (0..size).all(|i| !has(i) || a[i] == b[i]);
                    assert_eq!(make(&a).agrees(&make(&b), &set), same);
                    assert!(taken.agrees(&make(&b), &set));
                }
                let mut met = make(&a);
                let changed = met.meet(&make(&b), &make(&top));
                let expected: Vec<Term> = (0..size).map(|i| if a[i] == b[i] { a[i] } else { top[i] }).collect();
                assert_eq!(list(&met), expected);
                assert_eq!(changed, expected != a);
            }
        }
    }

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

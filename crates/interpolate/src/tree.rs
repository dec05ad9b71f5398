//! How the parts of a trace hang together: the tree whose subtrees are the first sides of all cuts, and the scopes of symbols in it.
//!
//! A flat trace is a chain, part i below part i + 1: the subtree of part i is φ1 … φi. With calls (*Abstractions from proofs*, section
//! 5.2) a return has two below it, the call and the last part of the callee, so that the subtree of a part is what its own frame
//! has done so far. Interpolants from one proof are inductive along the tree: what is below a part and the part itself imply what is above.

use lariat_smt::Nesting;

/// The tree; node i is part i.
#[derive(Clone, Debug)]
pub struct Tree {
    parent: Vec<usize>,
    depth: Vec<usize>,
    /// The nodes of a subtree have consecutive numbers in an order from the leaves up: from here …
    first: Vec<usize>,
    /// … to that of its root.
    position: Vec<usize>,
    /// For each place between two parts, the node whose subtree is the first side; `None`: nothing is.
    cuts: Vec<Option<usize>>,
}

/// A set of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeSet(Vec<u64>);

impl NodeSet {
    fn empty(n: usize) -> NodeSet {
        NodeSet(vec![0; n.div_ceil(64)])
    }

    /// All of `n` nodes.
    pub fn all(n: usize) -> NodeSet {
        let mut set = NodeSet::empty(n);
        (0..n).for_each(|i| set.insert(i));
        set
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Is the node in it?
    pub fn contains(&self, i: usize) -> bool {
        self.0[i / 64] & (1 << (i % 64)) != 0
    }

    /// Keeps what is in the other, too.
    pub fn intersect(&mut self, other: &NodeSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    /// The least node.
    pub fn min(&self) -> Option<usize> {
        self.0.iter().enumerate().find(|(_, w)| **w != 0).map(|(i, w)| i * 64 + w.trailing_zeros() as usize)
    }
}

impl Tree {
    /// The chain of `n` parts.
    pub fn sequence(n: usize) -> Tree {
        let parent = (1..=n).map(|above| above.min(n - 1)).collect();
        Tree::new(parent, (0..n.saturating_sub(1)).map(Some).collect())
    }

    /// The tree of a trace of `n` parts with calls; why not, if they are not properly nested.
    pub fn nested(n: usize, nesting: &Nesting) -> Result<Tree, String> {
        let (mut call, mut return_of) = (vec![false; n], vec![None; n]);
        for &(c, r) in &nesting.calls {
            if c >= n || r.is_some_and(|r| r <= c || r >= n) || call[c] {
                return Err("a call that is not in the trace".into());
            }
            call[c] = true;
            if let Some(r) = r
                && return_of[r].replace(c).is_some()
            {
                return Err("a return from two calls".into());
            }
        }
        if (0..n).any(|i| call[i] && return_of[i].is_some()) {
            return Err("a part that is a call and a return".into());
        }
        let root = n - 1;
        let mut parent = vec![root; n];
        // The frames that are open, each with its last part so far; a frame that was left by no return ends at the root.
        let mut frames: Vec<(Option<usize>, Option<usize>)> = vec![(None, None)];
        for i in 0..n {
            if let Some(c) = return_of[i] {
                let Some((by, last)) = frames.pop() else { return Err("a return without a call".into()) };
                if by != Some(c) {
                    return Err("calls that are not nested".into());
                }
                if let Some(last) = last {
                    parent[last] = i;
                }
            }
            let Some(frame) = frames.last_mut() else { return Err("a return without a call".into()) };
            if let Some(last) = frame.1.replace(i) {
                parent[last] = i;
            }
            if call[i] {
                frames.push((Some(i), None));
            }
        }
        let cuts = (0..root).map(|i| (!call[i]).then_some(i)).collect();
        Ok(Tree::new(parent, cuts))
    }

    fn new(parent: Vec<usize>, cuts: Vec<Option<usize>>) -> Tree {
        let n = parent.len();
        let mut children = vec![Vec::new(); n];
        for i in 0..n.saturating_sub(1) {
            children[parent[i]].push(i);
        }
        let (mut depth, mut first, mut position) = (vec![0; n], vec![0; n], vec![0; n]);
        let mut stack = if n == 0 { Vec::new() } else { vec![(n - 1, false)] };
        let mut next = 0;
        while let Some((i, done)) = stack.pop() {
            if done {
                position[i] = next;
                next += 1;
                continue;
            }
            first[i] = next;
            stack.push((i, true));
            for &c in &children[i] {
                depth[c] = depth[i] + 1;
                stack.push((c, false));
            }
        }
        Tree { parent, depth, first, position, cuts }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Is each part above the one before it, and each place between two a cut? Then the reverse is such a tree, too.
    pub fn is_chain(&self) -> bool {
        (1..self.len()).all(|i| self.parent[i - 1] == i) && self.cuts.iter().all(Option::is_some)
    }

    /// The cuts; see the field.
    pub fn cuts(&self) -> &[Option<usize>] {
        &self.cuts
    }

    /// The node above; the root's is itself.
    pub fn parent(&self, node: usize) -> usize {
        self.parent[node]
    }

    /// Is the node in the subtree of this one?
    pub fn is_below(&self, node: usize, of: usize) -> bool {
        (self.first[of]..=self.position[of]).contains(&self.position[node])
    }

    /// The root of the least subtree that has all the nodes, which are at least one.
    pub fn join(&self, nodes: &[usize]) -> usize {
        let mut top = nodes.first().copied().unwrap_or(0);
        for &n in nodes {
            while !self.is_below(n, top) {
                top = self.parent[top];
            }
        }
        top
    }

    /// The scope of a symbol that occurs in these parts: the least connected set of nodes that has them all. Parts between two that have a
    /// symbol may speak of it, since it crosses every cut between them.
    pub fn scope(&self, occurrences: &[usize]) -> NodeSet {
        let mut set = NodeSet::empty(self.len());
        if occurrences.is_empty() {
            return NodeSet::all(self.len());
        }
        let top = self.join(occurrences);
        set.insert(top);
        for &o in occurrences {
            let mut n = o;
            while !set.contains(n) {
                set.insert(n);
                n = self.parent[n];
            }
        }
        set
    }

    /// The cuts, each by its node, on the way from one node to another, in order; the nodes that the way leads through from cut to cut
    /// are those between them.
    pub fn way(&self, from: usize, to: usize) -> Vec<usize> {
        let (mut a, mut b) = (from, to);
        let (mut up, mut down) = (Vec::new(), Vec::new());
        while a != b {
            if self.depth[a] >= self.depth[b] {
                up.push(a);
                a = self.parent[a];
            } else {
                down.push(b);
                b = self.parent[b];
            }
        }
        up.extend(down.into_iter().rev());
        up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_prefixes_as_subtrees() {
        let t = Tree::sequence(4);
        for i in 0..4 {
            for j in 0..4 {
                assert_eq!(t.is_below(i, j), i <= j);
            }
        }
        assert_eq!(t.cuts(), [Some(0), Some(1), Some(2)]);
        assert_eq!(t.join(&[1, 0]), 1);
        let scope = t.scope(&[0, 2]);
        assert!(scope.contains(1) && !scope.contains(3));
        assert_eq!(t.way(3, 1), [2, 1]);
    }

    #[test]
    fn a_return_joins_caller_and_callee() {
        // Figure 8: a := 0; call; x = φ; x := x + 1; r := x; return; assume.
        let t = Tree::nested(7, &Nesting { calls: vec![(1, Some(5))] }).unwrap();
        assert_eq!(t.cuts(), [Some(0), None, Some(2), Some(3), Some(4), Some(5)]);
        assert!(t.is_below(2, 3) && !t.is_below(1, 3) && t.is_below(1, 5) && t.is_below(4, 5));
        assert_eq!(t.way(3, 0), [3, 4, 1, 0]);
        // A call that does not return is the context of what it calls.
        let t = Tree::nested(4, &Nesting { calls: vec![(1, None)] }).unwrap();
        assert!(t.is_below(0, 1) && !t.is_below(1, 2) && t.is_below(1, 3));
        // Behind its last call a trace is no chain: nothing is claimed there.
        assert!(!Tree::nested(3, &Nesting { calls: vec![(1, None)] }).unwrap().is_chain());
        assert!(Tree::nested(5, &Nesting { calls: vec![(0, Some(2)), (1, Some(3))] }).is_err());
    }
}

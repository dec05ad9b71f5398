//! Abstract pointers and their unification.
//!
//! A *node* stands for a set of objects, or for nothing yet; a [`Ptr`] is a node and an offset in it.
//! Nodes form a weighted union-find: to unify two pointers is to lay one node over the other so
//! that the two offsets fall together. A node has a modulus; offsets in it are known modulo that.
//! What is stored in a node's memory is in its *slots*: for each range of bytes that is read or
//! written as one value, what values written and values read may point to. What is written to a
//! range is read from it whole, and from ranges that overlap it in pieces.
//!
//! A flow of values from one pointer to another is an *edge*. It unifies the two only when the source is *real*
//! (some object is known for it) and the destination is *used* (memory is accessed through it):
//! integers flow about everywhere and almost none of them is the address of anything.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;

use crate::module::FuncId;

/// Offsets beyond this are not told apart.
const FAR: i64 = 1 << 40;

/// Something is known that it points to.
pub(super) const REAL: u8 = 1;
/// Memory is accessed through it.
pub(super) const USED: u8 = 2;
/// It may point to memory that does not come from the program.
pub(super) const OUTSIDE: u8 = 4;
/// What is stored there may be `OUTSIDE` from the beginning.
pub(super) const HOLDS_OUTSIDE: u8 = 8;
/// It comes from an arbitrary integer; what is stored there is as arbitrary.
pub(super) const ARBITRARY: u8 = 16;

/// It may point anywhere into its objects where a value of the accessed type may lie.
pub(super) const LOOSE: u8 = 32;

/// Any of its memory may change by other means than accesses, and no known addresses are stored there.
const CHANGES: u8 = 64;

/// A stride that only accesses tell (see [`LOOSE`]).
pub(super) const ALIGNED: u64 = u64::MAX;

/// An abstract pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ptr {
    pub node: u32,
    pub offset: i64,
}

impl Ptr {
    /// So many bytes further.
    pub fn plus(self, bytes: i64) -> Ptr {
        Ptr { node: self.node, offset: self.offset.saturating_add(bytes) }
    }
}

/// What is stored in a range of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// All values that are written flow here.
    pub written: Ptr,
    /// All values that are read come from here.
    pub read: Ptr,
}

/// A copy of a block of memory; `bytes` is unknown if it is `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    pub to: Ptr,
    pub from: Ptr,
    pub bytes: Option<u64>,
}

/// What the nodes cannot do by themselves.
pub(super) enum Event {
    /// The callee of this call may be more functions.
    Call(u32),
    /// All is done.
    Done,
}

#[derive(Default)]
struct Node {
    flags: u8,
    /// How many nodes it has swallowed.
    size: usize,
    modulus: u64,
    slots: BTreeMap<(i64, u64), Slot>,
    /// The longest range of a slot.
    longest: u64,
    /// Edges that wait for this node to become real.
    out: Vec<u32>,
    /// Edges that wait for this node to become used.
    into: Vec<u32>,
    /// Copies from here.
    copies: Vec<u32>,
    /// Functions among the objects.
    functions: Vec<FuncId>,
    /// Calls of what this points to.
    calls: Vec<u32>,
    /// The undefined functions (by number) that may change this memory.
    escapes: Vec<u32>,
    /// The same, once memory is accessed through it.
    escapes_if_used: Vec<u32>,
    /// The undefined functions that may have stored here what they were given.
    holds: Vec<u32>,
}

impl Node {
    fn weight(&self) -> usize {
        self.size
            + self.slots.len()
            + self.out.len()
            + self.into.len()
            + self.copies.len()
            + self.functions.len()
            + self.calls.len()
    }
}

struct Edge {
    from: Ptr,
    to: Ptr,
    stride: u64,
    fired: bool,
    kind: FlowKind,
}

/// What becomes of an address along an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowKind {
    /// It stays one.
    Address,
    /// It stays one, or becomes a number that is computed from its bits.
    Either,
    /// It becomes a number.
    Number,
    /// It is stored in memory as a pointer.
    PointerStored,
    /// It is stored in memory as an integer.
    IntegerStored,
    /// It is read from memory as an integer.
    IntegerLoaded,
}

enum Task {
    Unify(Ptr, Ptr),
    Modulus(u32, u64),
    Flag(u32, u8),
    Out(Vec<u32>),
    Into(Vec<u32>),
    Copy(u32),
    Call(u32),
    /// An undefined function may change the memory of a node.
    Escape(u32, u32),
    /// The same, if memory is accessed through it.
    EscapeIfUsed(u32, u32),
    /// What an undefined function was given may be stored in a node.
    Hold(u32, u32),
}

/// All nodes, and what is still to be done with them.
#[derive(Default)]
pub(super) struct Nodes {
    parent: Vec<u32>,
    /// A union-find of the nodes that are one and the same value, where `parent` has also those that a flow unified.
    value: Vec<u32>,
    /// An offset in the node is so much more in its parent.
    shift: Vec<i64>,
    data: Vec<Node>,
    edges: Vec<Edge>,
    copies: Vec<Copy>,
    copy_queued: Vec<bool>,
    /// Pairs of slots that an edge joins already.
    joined: FxHashSet<(u32, u32, u64)>,
    tasks: VecDeque<Task>,
    /// The edges of integers that are read from memory, each with the place.
    integer_loads: Vec<(u32, Ptr)>,
    /// By undefined function: what it was given.
    given: Vec<Ptr>,
    /// By undefined function: whether what is stored in memory that it may change counts as given to it.
    follows: Vec<bool>,
    /// Some node has [`CHANGES`].
    changes: bool,
    /// The size of an address.
    word: u64,
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Nodes {
    /// No nodes; addresses have so many bytes.
    pub fn new(word: u64) -> Nodes {
        Nodes { word, ..Nodes::default() }
    }

    /// A new undefined function: its number. With `follows`, it is given also what is stored in the memory that it may
    /// change.
    pub fn undefined_function(&mut self, follows: bool) -> u32 {
        let given = self.fresh();
        self.given.push(given);
        self.follows.push(follows);
        self.given.len() as u32 - 1
    }

    /// Whether memory may change by other means than accesses: undefined functions, inline assembly and the like.
    pub fn may_escape(&self) -> bool {
        !self.given.is_empty() || self.changes
    }

    /// All of the memory that `p` points to may change, but no known addresses are stored there.
    pub fn change(&mut self, p: Ptr) {
        self.changes = true;
        self.flag(p, CHANGES);
    }

    /// What an undefined function was given.
    pub fn given(&self, function: u32) -> Ptr {
        self.given[function as usize]
    }

    /// An undefined function may change what `p` points to, and whatever that leads to. What it stores there is memory
    /// from outside or something that it was given.
    pub fn escape(&mut self, p: Ptr, function: u32) {
        self.tasks.push_back(Task::Escape(p.node, function));
    }

    /// What an undefined function was given may be stored in the memory that `p` points to.
    pub fn hold(&mut self, p: Ptr, function: u32) {
        self.tasks.push_back(Task::Hold(p.node, function));
    }

    /// Whether an undefined function or inline assembly may change what `p` points to.
    pub fn escaped(&mut self, p: Ptr) -> bool {
        let root = self.find(p.node).0;
        let node = &self.data[root as usize];
        !node.escapes.is_empty() || node.flags & CHANGES != 0
    }

    /// What is stored in the node of a pointer: where in it, how many bytes, and what it points to.
    pub fn stored(&mut self, p: Ptr) -> Vec<(Ptr, u64, Ptr)> {
        let root = self.find(p.node).0;
        let slots = self.data[root as usize].slots.iter();
        let both = |slot: &Slot| [slot.written, slot.read];
        let stored = slots.flat_map(|(&(offset, bytes), slot)| both(slot).map(|to| (offset, bytes, to)));
        stored.map(|(offset, bytes, to)| (Ptr { node: root, offset }, bytes, to)).collect()
    }

    fn set_escape(&mut self, root: u32, function: u32) {
        let node = &mut self.data[root as usize];
        if node.escapes.contains(&function) {
            return;
        }
        node.escapes.push(function);
        let slots: Vec<(u64, Slot)> = node.slots.iter().map(|(&(_, bytes), &slot)| (bytes, slot)).collect();
        for (bytes, slot) in slots {
            self.escape_stored(bytes, slot, function);
        }
        self.set_flags(root, USED | HOLDS_OUTSIDE);
        self.set_hold(root, function);
    }

    /// What the program has stored is given to the function; what the function has stored itself matters only where
    /// the program uses it.
    fn escape_stored(&mut self, bytes: u64, slot: Slot, function: u32) {
        if self.follows[function as usize] && bytes >= self.word {
            self.join(slot.read, self.given(function), ALIGNED);
        }
        self.tasks.push_back(Task::Escape(slot.written.node, function));
        self.tasks.push_back(Task::EscapeIfUsed(slot.read.node, function));
    }

    fn set_hold(&mut self, root: u32, function: u32) {
        let node = &mut self.data[root as usize];
        if node.holds.contains(&function) {
            return;
        }
        node.holds.push(function);
        let word = self.word;
        let slots: Vec<Ptr> = node.slots.iter().filter(|s| s.0.1 >= word).map(|(_, slot)| slot.read).collect();
        for slot in slots {
            self.join(self.given(function), slot, ALIGNED);
        }
        self.requeue_copies(root);
    }

    /// A new node.
    pub fn fresh(&mut self) -> Ptr {
        let node = self.parent.len() as u32;
        self.parent.push(node);
        self.value.push(node);
        self.shift.push(0);
        self.data.push(Node { size: 1, ..Node::default() });
        Ptr { node, offset: 0 }
    }

    /// The root of a node, and what to add to offsets.
    fn find(&mut self, mut node: u32) -> (u32, i64) {
        let mut shift = 0;
        while self.parent[node as usize] != node {
            let parent = self.parent[node as usize];
            let up = self.parent[parent as usize];
            if up != parent {
                self.shift[node as usize] += self.shift[parent as usize];
                self.parent[node as usize] = up;
            }
            shift += self.shift[node as usize];
            node = self.parent[node as usize];
        }
        (node, shift)
    }

    /// The same pointer at the root of its node, its offset reduced.
    pub fn normal(&mut self, p: Ptr) -> Ptr {
        let (node, shift) = self.find(p.node);
        let offset = p.offset.saturating_add(shift);
        let modulus = self.data[node as usize].modulus;
        if modulus == 0 && offset.abs() > FAR {
            self.set_modulus(node, 1);
            return Ptr { node, offset: 0 };
        }
        Ptr { node, offset: reduce(offset, modulus) }
    }

    /// Gives up the offsets of a node in which a pointer is too far away; says if it did.
    pub fn settle(&mut self, p: Ptr) -> bool {
        let far = self.place(p).is_none();
        self.normal(p);
        far
    }

    /// The same, without giving anything up: `None` if the offset is too far away.
    pub fn place(&mut self, p: Ptr) -> Option<Ptr> {
        let (node, shift) = self.find(p.node);
        let offset = reduce(p.offset.saturating_add(shift), self.data[node as usize].modulus);
        (offset.abs() <= FAR).then_some(Ptr { node, offset })
    }

    /// The modulus of the node of a pointer.
    pub fn modulus(&mut self, p: Ptr) -> u64 {
        let root = self.find(p.node).0;
        self.data[root as usize].modulus
    }

    /// What is known of the node of a pointer.
    pub fn flags(&mut self, p: Ptr) -> u8 {
        let root = self.find(p.node).0;
        self.data[root as usize].flags
    }

    /// What is read from the memory that a pointer points to.
    pub fn contents(&mut self, p: Ptr) -> Vec<Ptr> {
        let root = self.find(p.node).0;
        self.data[root as usize].slots.values().map(|slot| slot.read).collect()
    }

    /// The functions that a pointer may point to.
    pub fn functions(&mut self, p: Ptr) -> Vec<FuncId> {
        let root = self.find(p.node).0;
        self.data[root as usize].functions.clone()
    }

    /// The objects that `p` points to are functions, too.
    pub fn add_function(&mut self, p: Ptr, function: FuncId) {
        let root = self.find(p.node).0;
        self.data[root as usize].functions.push(function);
        self.flag(p, REAL);
        self.tasks.extend(self.data[root as usize].calls.iter().map(|&c| Task::Call(c)));
    }

    /// A call calls what `p` points to; an event comes whenever there are more functions.
    pub fn add_call(&mut self, p: Ptr, call: u32) {
        let root = self.find(p.node).0;
        self.data[root as usize].calls.push(call);
        self.flag(p, USED);
        self.tasks.push_back(Task::Call(call));
    }

    /// Two pointers are the same.
    pub fn unify(&mut self, a: Ptr, b: Ptr) {
        let (x, y) = (self.value(a), self.value(b));
        self.value[x as usize] = y;
        self.tasks.push_back(Task::Unify(a, b));
    }

    /// Any multiple of `stride` may be added to a pointer.
    pub fn stride(&mut self, p: Ptr, stride: u64) {
        self.tasks.push_back(Task::Modulus(p.node, stride));
    }

    /// More is known of a pointer.
    pub fn flag(&mut self, p: Ptr, flags: u8) {
        self.tasks.push_back(Task::Flag(p.node, flags));
    }

    /// What `from` points to, `to` may point to as well, plus any multiple of `stride`.
    pub fn flow(&mut self, from: Ptr, to: Ptr, stride: u64) {
        self.flow_as(from, to, stride, FlowKind::Address);
    }

    /// The same for the result of an operation.
    pub fn flow_as(&mut self, from: Ptr, to: Ptr, stride: u64, kind: FlowKind) {
        let edge = self.edges.len() as u32;
        self.edges.push(Edge { from, to, stride, fired: false, kind });
        let (source, target) = (self.find(from.node).0, self.find(to.node).0);
        let real = self.data[source as usize].flags & REAL != 0;
        let used = self.data[target as usize].flags & USED != 0;
        if !real {
            self.data[source as usize].out.push(edge);
        }
        if used {
            self.tasks.push_back(Task::Into(vec![edge]));
        } else {
            self.data[target as usize].into.push(edge);
        }
    }

    /// An integer is read from memory: from a slot at `at`.
    pub fn load_integer(&mut self, from: Ptr, to: Ptr, at: Ptr) {
        self.integer_loads.push((self.edges.len() as u32, at));
        self.flow_as(from, to, 0, FlowKind::IntegerLoaded);
    }

    /// Memory is copied.
    pub fn copy(&mut self, to: Ptr, from: Ptr, bytes: Option<u64>) {
        let id = self.copies.len() as u32;
        self.copies.push(Copy { to, from, bytes });
        self.copy_queued.push(true);
        for p in [to, from] {
            let root = self.find(p.node).0;
            self.data[root as usize].copies.push(id);
            self.flag(p, USED);
        }
        self.tasks.push_back(Task::Copy(id));
    }

    /// What is stored in the bytes that `p` points to.
    pub fn slot(&mut self, p: Ptr, bytes: u64) -> Slot {
        let p = self.normal(p);
        match self.data[p.node as usize].slots.get(&(p.offset, bytes)) {
            Some(&slot) => slot,
            None => {
                let slot = Slot { written: self.fresh(), read: self.fresh() };
                self.flow(slot.written, slot.read, 0);
                self.insert(p.node, p.offset, bytes, slot);
                slot
            }
        }
    }

    /// Forward taint analysis, if addresses of objects with these alignments flow from these pointers; unlike targets, it
    /// follows flows in their direction only. By value: what the
    /// addresses that reach it are aligned to (0: none reaches it), and whether numbers computed from bits of addresses do.
    ///
    /// In a node whose offsets are not known pointers and integers share a slot. There, what was stored as a pointer is not what
    /// is read as an integer: C has no such accesses but for unions.
    pub fn carried(&mut self, seeds: &[(Ptr, u32)]) -> (Vec<u32>, Vec<bool>) {
        let mut apart = FxHashSet::default();
        for i in 0..self.integer_loads.len() {
            let (edge, at) = self.integer_loads[i];
            let modulus = self.modulus(at);
            if !modulus.is_multiple_of(self.word) {
                apart.insert(edge);
            }
        }
        let mut out: Vec<Vec<(u32, FlowKind)>> = vec![Vec::new(); self.parent.len()];
        for e in 0..self.edges.len() {
            let Edge { from, to, kind, .. } = self.edges[e];
            let (from, to) = (self.value(from), self.value(to));
            let kind = match kind {
                FlowKind::IntegerLoaded if !apart.contains(&(e as u32)) => FlowKind::IntegerStored,
                kind => kind,
            };
            out[from as usize].push((to, kind));
        }
        // Of addresses as integers, and as pointers.
        let mut aligned = [vec![0; self.parent.len()], vec![0; self.parent.len()]];
        let mut work: Vec<(u32, u32, bool)> = seeds.iter().map(|&(p, align)| (self.value(p), align, true)).collect();
        while let Some((node, align, pointer)) = work.pop() {
            let old = &mut aligned[usize::from(pointer)][node as usize];
            if *old == 0 || *old > align {
                *old = align;
                for &(to, kind) in &out[node as usize] {
                    let pointer = match kind {
                        FlowKind::Address | FlowKind::Either => pointer,
                        FlowKind::PointerStored => true,
                        FlowKind::IntegerStored => false,
                        FlowKind::IntegerLoaded if !pointer => false,
                        FlowKind::IntegerLoaded | FlowKind::Number => continue,
                    };
                    work.push((to, align, pointer));
                }
            }
        }
        let [integers, pointers] = aligned;
        let least = |(a, b): (u32, u32)| if a == 0 || b == 0 { a.max(b) } else { a.min(b) };
        let aligned: Vec<u32> = integers.into_iter().zip(pointers).map(least).collect();
        let mut derived = vec![false; self.parent.len()];
        let mut work: Vec<u32> = Vec::new();
        for (out, _) in out.iter().zip(&aligned).filter(|(_, align)| **align != 0) {
            let computes = |kind: FlowKind| matches!(kind, FlowKind::Either | FlowKind::Number);
            work.extend(out.iter().filter(|(_, kind)| computes(*kind)).map(|&(to, _)| to));
        }
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut derived[node as usize], true) {
                work.extend(out[node as usize].iter().map(|&(to, _)| to));
            }
        }
        (aligned, derived)
    }

    /// By value: whether it may be a part of an address, or be made of such parts, as memory is read by other sizes than it was
    /// written. That is followed in nodes with exact offsets, and in those of `roots`. Where a number of the same size is written
    /// (`numbers`: node, offset, bytes), as in a union with a tag, it is the number that is read.
    pub fn parts(
        &mut self,
        aligned: &[u32],
        roots: &FxHashSet<u32>,
        numbers: &FxHashSet<(u32, i64, u64)>,
    ) -> Vec<bool> {
        let mut pairs: Vec<(Ptr, Ptr)> = Vec::new();
        for (root, node) in self.data.iter().enumerate() {
            let root = root as u32;
            if self.parent[root as usize] != root || node.modulus != 0 && !roots.contains(&root) {
                continue;
            }
            for (&(offset, bytes), slot) in &node.slots {
                overlapping(&node.slots, node.modulus, node.longest, offset, bytes, |key, other| {
                    if key != (offset, bytes) && !numbers.contains(&(root, key.0, key.1)) {
                        pairs.push((slot.written, other.read));
                    }
                });
            }
        }
        let mut overlaps: Vec<Vec<u32>> = vec![Vec::new(); self.parent.len()];
        let mut work = Vec::new();
        for (from, to) in pairs {
            let (from, to) = (self.value(from), self.value(to));
            overlaps[from as usize].push(to);
            work.extend((aligned[from as usize] != 0).then_some(to));
        }
        if work.is_empty() {
            return Vec::new();
        }
        for e in 0..self.edges.len() {
            let Edge { from, to, kind, .. } = self.edges[e];
            if kind != FlowKind::Number {
                let (from, to) = (self.value(from), self.value(to));
                overlaps[from as usize].push(to);
            }
        }
        let mut parts = vec![false; self.parent.len()];
        while let Some(value) = work.pop() {
            if !std::mem::replace(&mut parts[value as usize], true) {
                work.extend(&overlaps[value as usize]);
            }
        }
        parts
    }

    /// The value that a pointer is, as the taint analysis has it.
    pub fn value(&mut self, p: Ptr) -> u32 {
        let mut node = p.node;
        while self.value[node as usize] != node {
            let up = self.value[self.value[node as usize] as usize];
            self.value[node as usize] = up;
            node = up;
        }
        node
    }

    /// By value: whether it flows to one of these values, or one of them flows to it.
    pub fn around(&mut self, values: &[u32]) -> Vec<bool> {
        let mut ends = Vec::with_capacity(self.edges.len());
        for e in 0..self.edges.len() {
            let Edge { from, to, kind, .. } = self.edges[e];
            let (from, to) = (self.value(from), self.value(to));
            if kind != FlowKind::Number {
                ends.push((from, to));
            }
            // What is read twice is the same value.
            if kind == FlowKind::IntegerLoaded {
                ends.push((to, from));
            }
        }
        let mut around = vec![false; self.parent.len()];
        for forward in [true, false] {
            let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.parent.len()];
            for &(from, to) in &ends {
                let (a, b) = if forward { (from, to) } else { (to, from) };
                next[a as usize].push(b);
            }
            let mut seen = vec![false; self.parent.len()];
            let mut work = values.to_vec();
            while let Some(value) = work.pop() {
                if !std::mem::replace(&mut seen[value as usize], true) {
                    around[value as usize] = true;
                    work.extend(&next[value as usize]);
                }
            }
        }
        around
    }

    /// Works until nothing is left to do, or an event comes.
    pub fn run(&mut self) -> Event {
        while let Some(task) = self.tasks.pop_front() {
            match task {
                Task::Unify(a, b) => self.do_unify(a, b),
                Task::Modulus(node, stride) => {
                    let root = self.find(node).0;
                    self.set_modulus(root, stride);
                }
                Task::Flag(node, flags) => {
                    let root = self.find(node).0;
                    self.set_flags(root, flags);
                }
                Task::Out(edges) => {
                    for e in edges {
                        let target = self.find(self.edges[e as usize].to.node).0;
                        if self.data[target as usize].flags & USED != 0 {
                            self.fire(e);
                        }
                    }
                }
                Task::Into(edges) => {
                    for e in edges {
                        let source = self.find(self.edges[e as usize].from.node).0;
                        if self.data[source as usize].flags & REAL != 0 {
                            self.fire(e);
                        } else {
                            self.set_flags(source, USED);
                        }
                    }
                }
                Task::Copy(id) => self.do_copy(id),
                Task::Call(call) => return Event::Call(call),
                Task::Escape(node, function) => {
                    let root = self.find(node).0;
                    self.set_escape(root, function);
                }
                Task::EscapeIfUsed(node, function) => {
                    let root = self.find(node).0;
                    match self.data[root as usize].flags & USED {
                        0 => self.data[root as usize].escapes_if_used.push(function),
                        _ => self.set_escape(root, function),
                    }
                }
                Task::Hold(node, function) => {
                    let root = self.find(node).0;
                    self.set_hold(root, function);
                }
            }
        }
        Event::Done
    }

    fn fire(&mut self, edge: u32) {
        let e = &mut self.edges[edge as usize];
        if !std::mem::replace(&mut e.fired, true) {
            let (from, to, stride) = (e.from, e.to, e.stride);
            self.tasks.push_back(Task::Unify(from, to));
            match stride {
                0 => {}
                ALIGNED => self.flag(to, LOOSE),
                _ => self.stride(to, stride),
            }
        }
    }

    fn do_unify(&mut self, a: Ptr, b: Ptr) {
        // The first call may change the modulus of the second pointer's node.
        self.normal(a);
        self.normal(b);
        let (a, b) = (self.normal(a), self.normal(b));
        if a.node == b.node {
            self.set_modulus(a.node, a.offset.abs_diff(b.offset));
            return;
        }
        let heavier = self.data[a.node as usize].weight() >= self.data[b.node as usize].weight();
        let (root, child) = if heavier { (a, b) } else { (b, a) };
        let shift = root.offset - child.offset;
        let mut gone = std::mem::take(&mut self.data[child.node as usize]);
        self.parent[child.node as usize] = root.node;
        self.shift[child.node as usize] = shift;
        self.set_modulus(root.node, gone.modulus);

        let old = self.data[root.node as usize].flags;
        // Lists that the other node's flags make due.
        if gone.flags & REAL == 0 && old & REAL != 0 {
            self.tasks.push_back(Task::Out(std::mem::take(&mut gone.out)));
        }
        if gone.flags & USED == 0 && old & USED != 0 {
            self.tasks.push_back(Task::Into(std::mem::take(&mut gone.into)));
        }
        self.set_flags(root.node, gone.flags);

        let node = &mut self.data[root.node as usize];
        node.size += gone.size;
        node.out.append(&mut gone.out);
        node.into.append(&mut gone.into);
        let more_functions = !gone.functions.is_empty();
        let more_calls = !gone.calls.is_empty();
        if more_functions || more_calls && !node.functions.is_empty() {
            let calls = node.calls.iter().chain(&gone.calls);
            self.tasks.extend(calls.map(|&c| Task::Call(c)));
        }
        node.functions.append(&mut gone.functions);
        node.calls.append(&mut gone.calls);
        node.copies.append(&mut gone.copies);
        self.tasks.extend(gone.escapes.into_iter().map(|function| Task::Escape(root.node, function)));
        let waiting = gone.escapes_if_used.into_iter();
        self.tasks.extend(waiting.map(|function| Task::EscapeIfUsed(root.node, function)));
        self.tasks.extend(gone.holds.into_iter().map(|function| Task::Hold(root.node, function)));
        self.requeue_copies(root.node);
        for ((offset, bytes), slot) in gone.slots {
            self.insert(root.node, offset + shift, bytes, slot);
        }
    }

    fn set_flags(&mut self, root: u32, flags: u8) {
        let node = &mut self.data[root as usize];
        let flags = match flags {
            f if f & OUTSIDE != 0 => f | HOLDS_OUTSIDE | REAL,
            f if f & ARBITRARY != 0 => f | REAL,
            f => f,
        };
        let new = flags & !node.flags;
        node.flags |= flags;
        if new & REAL != 0 && !node.out.is_empty() {
            self.tasks.push_back(Task::Out(std::mem::take(&mut node.out)));
        }
        if new & USED != 0 {
            if !node.into.is_empty() {
                self.tasks.push_back(Task::Into(std::mem::take(&mut node.into)));
            }
            let waiting = std::mem::take(&mut node.escapes_if_used);
            self.tasks.extend(waiting.into_iter().map(|function| Task::Escape(root, function)));
        }
        if new & (HOLDS_OUTSIDE | ARBITRARY) != 0 {
            let held = held(new);
            self.tasks.extend(node.slots.values().map(|s| Task::Flag(s.read.node, held)));
            self.requeue_copies(root);
        }
    }

    fn set_modulus(&mut self, root: u32, stride: u64) {
        let node = &mut self.data[root as usize];
        let modulus = gcd(node.modulus, stride);
        if modulus == node.modulus {
            return;
        }
        node.modulus = modulus;
        let slots = std::mem::take(&mut node.slots);
        for ((offset, bytes), slot) in slots {
            self.insert(root, offset, bytes, slot);
        }
        self.requeue_copies(root);
    }

    fn requeue_copies(&mut self, root: u32) {
        for &c in &self.data[root as usize].copies {
            if !std::mem::replace(&mut self.copy_queued[c as usize], true) {
                self.tasks.push_back(Task::Copy(c));
            }
        }
    }

    /// Puts a slot into a node, where it meets other slots.
    fn insert(&mut self, root: u32, offset: i64, bytes: u64, slot: Slot) {
        let node = &mut self.data[root as usize];
        let modulus = node.modulus;
        let offset = reduce(offset, modulus);
        if let Some(&other) = node.slots.get(&(offset, bytes)) {
            self.unify(other.written, slot.written);
            self.unify(other.read, slot.read);
            return;
        }
        let mut meets = Vec::new();
        overlapping(&node.slots, modulus, node.longest, offset, bytes, |_, &other| meets.push(other));
        node.slots.insert((offset, bytes), slot);
        node.longest = node.longest.max(bytes);
        let flags = node.flags;
        if flags & (HOLDS_OUTSIDE | ARBITRARY) != 0 {
            self.flag(slot.read, held(flags));
        }
        for function in self.data[root as usize].escapes.clone() {
            self.escape_stored(bytes, slot, function);
        }
        if bytes >= self.word {
            for function in self.data[root as usize].holds.clone() {
                self.join(self.given(function), slot.read, ALIGNED);
            }
        }
        for other in meets {
            self.join(slot.written, other.read, 1);
            self.join(other.written, slot.read, 1);
        }
        self.requeue_copies(root);
    }

    /// An edge between two slots, once.
    fn join(&mut self, from: Ptr, to: Ptr, stride: u64) {
        if self.joined.insert((from.node, to.node, stride)) {
            // A part of an address is none; see `parts`.
            self.flow_as(
                from,
                to,
                stride,
                if matches!(stride, 0 | ALIGNED) { FlowKind::Address } else { FlowKind::Number },
            );
        }
    }

    fn do_copy(&mut self, id: u32) {
        self.copy_queued[id as usize] = false;
        let Copy { to, from, bytes } = self.copies[id as usize];
        self.normal(to);
        let (from, to) = (self.normal(from), self.normal(to));
        // What nobody has looked at in the source may be looked at in the copy.
        let held = self.flags(from) & HOLDS_OUTSIDE;
        if held & !self.flags(to) != 0 {
            self.set_flags(to.node, held);
        }
        for function in self.data[from.node as usize].holds.clone() {
            self.set_hold(to.node, function);
        }
        let (m_from, m_to) = (self.modulus(from), self.modulus(to));
        let several = |m: u64| m != 0 && bytes.is_none_or(|n| n > m);
        if several(m_from) || several(m_to) {
            // One period of a side meets several of the other: both get the same.
            if m_from != m_to {
                let m = gcd(m_from, m_to);
                self.set_modulus(from.node, m);
                let to = self.normal(to);
                self.set_modulus(to.node, m);
                return self.requeue_copy(id);
            }
        }
        if from.node == to.node && bytes.is_none() && from.offset != to.offset {
            let before = m_from;
            self.set_modulus(from.node, from.offset.abs_diff(to.offset));
            if self.modulus(from) != before {
                return self.requeue_copy(id);
            }
        }
        let mut found = Vec::new();
        let node = &self.data[from.node as usize];
        let window = bytes.unwrap_or(u64::MAX);
        overlapping(&node.slots, m_from, node.longest, from.offset, window, |(offset, len), &slot| {
            found.push((offset, len, slot));
        });
        for (offset, len, slot) in found {
            let mut distance = offset - from.offset;
            if m_from != 0 {
                // The nearest place that overlaps the window.
                distance = reduce(distance, m_from);
                if (distance as u64) >= window {
                    distance -= m_from as i64;
                }
            }
            if bytes.is_none() && self.modulus(to) == 0 && distance > 1 << 16 {
                self.set_modulus(to.node, 1);
                return self.requeue_copy(id);
            }
            let target = self.slot(to.plus(distance), len);
            self.join(slot.read, target.written, 0);
        }
    }

    fn requeue_copy(&mut self, id: u32) {
        if !std::mem::replace(&mut self.copy_queued[id as usize], true) {
            self.tasks.push_back(Task::Copy(id));
        }
    }
}

/// What the flags of a node say about what is stored in it.
fn held(flags: u8) -> u8 {
    let mut held = 0;
    if flags & HOLDS_OUTSIDE != 0 {
        held |= OUTSIDE;
    }
    if flags & ARBITRARY != 0 {
        held |= ARBITRARY;
    }
    held
}

/// An offset modulo a modulus; 0 means exactly.
pub(super) fn reduce(offset: i64, modulus: u64) -> i64 {
    match i64::try_from(modulus) {
        Ok(0) | Err(_) => offset,
        Ok(m) => offset.rem_euclid(m),
    }
}

/// Calls `meet` for each entry of an ordered map of ranges that overlaps the given range.
pub(super) fn overlapping<V>(
    ranges: &BTreeMap<(i64, u64), V>,
    modulus: u64,
    longest: u64,
    offset: i64,
    bytes: u64,
    mut meet: impl FnMut((i64, u64), &V),
) {
    if bytes == 0 {
        return;
    }
    if modulus != 0 && longest.saturating_add(bytes) >= modulus {
        for (&(o, n), v) in ranges {
            let after = reduce(o - offset, modulus) as u64;
            let before = reduce(offset - o, modulus) as u64;
            if after < bytes || before < n {
                meet((o, n), v);
            }
        }
        return;
    }
    let low = offset.saturating_sub_unsigned(longest);
    let high = offset.saturating_add_unsigned(bytes);
    let mut span = |shift: i64| {
        for (&(o, n), v) in ranges.range((low + shift, 0)..(high + shift, 0)) {
            if o.saturating_add_unsigned(n) > offset + shift {
                meet((o, n), v);
            }
        }
    };
    span(0);
    if modulus != 0 {
        span(modulus as i64);
        span(-(modulus as i64));
    }
}

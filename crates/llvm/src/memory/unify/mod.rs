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

mod escape;
mod slots;
mod taint;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;

use crate::module::FuncId;
use slots::held;
pub(super) use slots::overlapping;

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
}

/// An offset modulo a modulus; 0 means exactly.
pub(crate) fn reduce(offset: i64, modulus: u64) -> i64 {
    match i64::try_from(modulus) {
        Ok(0) | Err(_) => offset,
        Ok(m) => offset.rem_euclid(m),
    }
}

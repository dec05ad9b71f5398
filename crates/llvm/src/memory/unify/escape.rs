//! Escape analysis: memory that may change by other means than accesses, since an undefined function or inline
//! assembly was given its address.

use super::{ALIGNED, CHANGES, HOLDS_OUTSIDE, Nodes, Ptr, Slot, Task, USED};

impl Nodes {
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

    pub(super) fn set_escape(&mut self, root: u32, function: u32) {
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
    pub(super) fn escape_stored(&mut self, bytes: u64, slot: Slot, function: u32) {
        if self.follows[function as usize] && bytes >= self.word {
            self.join(slot.read, self.given(function), ALIGNED);
        }
        self.tasks.push_back(Task::Escape(slot.written.node, function));
        self.tasks.push_back(Task::EscapeIfUsed(slot.read.node, function));
    }

    pub(super) fn set_hold(&mut self, root: u32, function: u32) {
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
}

//! Which variable a name means at a place: scopes as an undo log over a table indexed by name.
//!
//! Entering a scope, looking a name up and leaving a scope again cost constant time per name.

use crate::syntax::Name;
use crate::typed::NameRef;

#[derive(Clone, Copy, Debug)]
struct Binding {
    what: NameRef,
    /// The scope that declares it: 1 for the outermost.
    depth: u32,
}

/// The variables that are in scope.
#[derive(Debug)]
pub(super) struct Scopes {
    table: Vec<Binding>,
    undo: Vec<(Name, Binding)>,
    /// Length of `undo` at the start of each scope but the outermost.
    marks: Vec<usize>,
}

impl Scopes {
    /// The outermost scope, for a program with this many names.
    pub(super) fn new(names: usize) -> Scopes {
        let unbound = Binding { what: NameRef::None, depth: 0 };
        Scopes { table: vec![unbound; names], undo: Vec::new(), marks: Vec::new() }
    }

    /// Starts an inner scope.
    pub(super) fn push(&mut self) {
        self.marks.push(self.undo.len());
    }

    /// Ends the innermost scope.
    pub(super) fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.undo.len() > mark {
            if let Some((name, before)) = self.undo.pop() {
                self.table[name.index()] = before;
            }
        }
    }

    /// What a name means; [`NameRef::None`] if nothing.
    pub(super) fn get(&self, name: Name) -> NameRef {
        self.table[name.index()].what
    }

    /// Declares a name in the innermost scope. If the scope already declares it, nothing happens
    /// and the answer is what it means.
    pub(super) fn declare(&mut self, name: Name, what: NameRef) -> Option<NameRef> {
        let depth = self.marks.len() as u32 + 1;
        let slot = &mut self.table[name.index()];
        if slot.depth == depth {
            return Some(slot.what);
        }
        if depth > 1 {
            self.undo.push((name, *slot));
        }
        *slot = Binding { what, depth };
        None
    }

    /// Declares a name in the innermost scope, whether or not it is declared there.
    pub(super) fn redeclare(&mut self, name: Name, what: NameRef) {
        if self.declare(name, what).is_some() {
            self.table[name.index()].what = what;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Id, Interner};

    #[test]
    fn inner_scopes_shadow_and_end() {
        let mut names = Interner::new();
        let (a, b) = (names.intern("a"), names.intern("b"));
        let mut scopes = Scopes::new(names.len());
        let var = |index| NameRef::Local(Id::from_index(index));
        assert_eq!(scopes.declare(a, var(0)), None);
        scopes.push();
        assert_eq!(scopes.declare(a, var(1)), None);
        assert_eq!(scopes.declare(a, var(2)), Some(var(1)));
        scopes.declare(b, var(3));
        assert_eq!((scopes.get(a), scopes.get(b)), (var(1), var(3)));
        scopes.pop();
        assert_eq!((scopes.get(a), scopes.get(b)), (var(0), NameRef::None));
    }
}

//! Interned names: all texts behind each other in one string, so that a store with a million names is copied at once and none
//! of them is an allocation of its own.

use std::{fmt::Write, hash::Hasher};

use rustc_hash::FxHasher;

use crate::{store::Symbol, table::Table};

/// The names of a store. Equal names have equal symbols.
#[derive(Clone)]
pub(crate) struct Names {
    text: String,
    /// Where each name ends in `text`; it starts where the one before ends.
    ends: Vec<usize>,
    table: Table,
}

impl Names {
    pub fn new() -> Names {
        Names { text: String::new(), ends: Vec::new(), table: Table::new() }
    }

    /// The text of a name.
    pub fn text(&self, s: Symbol) -> &str {
        let at = s.0 as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// The symbol of a name that is in use.
    pub fn known(&self, name: &str) -> Option<Symbol> {
        self.find(hash(name), name)
    }

    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash(name);
        if let Some(known) = self.find(hash, name) {
            return known;
        }
        self.text.push_str(name);
        self.add(hash)
    }

    /// The first name `prefix!n` that is not in use, for the numbers from `next` on.
    pub fn fresh(&mut self, prefix: &str, next: &mut u32) -> Symbol {
        let start = self.text.len();
        loop {
            self.text.push_str(prefix);
            // Writing to a string does not fail.
            let _ = write!(self.text, "!{next}");
            *next += 1;
            let name = &self.text[start..];
            let hash = hash(name);
            if self.find(hash, name).is_none() {
                return self.add(hash);
            }
            self.text.truncate(start);
        }
    }

    fn find(&self, hash: u32, name: &str) -> Option<Symbol> {
        self.table.find(hash, |s| self.text(Symbol(s)) == name).map(Symbol)
    }

    /// Makes what stands behind the last name the next one.
    fn add(&mut self, hash: u32) -> Symbol {
        let s = self.ends.len() as u32;
        self.ends.push(self.text.len());
        self.table.insert(hash, s);
        Symbol(s)
    }
}

#[inline]
fn hash(name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again_and_fresh_ones_are_in_no_use() {
        let mut names = Names::new();
        let empty = names.intern("");
        let all: Vec<Symbol> = (0..1_000).map(|i| names.intern(&format!("x!{i}"))).collect();
        let mut next = 990;
        let fresh = names.fresh("x", &mut next);
        assert_eq!((names.text(fresh), next), ("x!1000", 1_001));
        assert_eq!(names.intern("x!1000"), fresh);
        for (i, &s) in all.iter().enumerate() {
            assert_eq!(names.text(s), format!("x!{i}"));
            assert_eq!(names.intern(&format!("x!{i}")), s);
        }
        assert_eq!((names.intern(""), names.text(empty)), (empty, ""));
    }
}

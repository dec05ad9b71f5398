//! Names as small numbers: equal text gives equal [`Name`]s, so comparing and hashing are cheap.

use std::hash::Hasher;
use std::num::NonZeroU32;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// An interned piece of text; [`Interner::text`] gives the text back.
///
/// The order of names is the order in which they were first seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(NonZeroU32);

impl Name {
    /// The number of the name, counted from 0 without gaps: good for tables indexed by name.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The table of names.
#[derive(Clone, Default, Debug)]
pub struct Interner {
    text: String,
    /// End of each name in `text`; a name starts where the one before it ends.
    ends: Vec<u32>,
    table: HashTable<NonZeroU32>,
}

impl Interner {
    /// An empty table.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a text; the same text always gets the same name.
    ///
    /// The texts of one table stay below 4 GiB because they come from spans of one source map, or
    /// are a few names made up by a later stage.
    pub fn intern(&mut self, text: &str) -> Name {
        let hash = hash(text);
        let (all, ends) = (&self.text, &self.ends);
        if let Some(&id) = self.table.find(hash, |&id| lookup(all, ends, id).as_bytes() == text.as_bytes()) {
            return Name(id);
        }
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let id = NonZeroU32::new(self.ends.len() as u32).unwrap_or(NonZeroU32::MIN);
        let (all, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash, id, |&id| self::hash(lookup(all, ends, id)));
        Name(id)
    }

    /// The name of a text if it was interned before.
    pub fn get(&self, text: &str) -> Option<Name> {
        let found = self.table.find(hash(text), |&id| lookup(&self.text, &self.ends, id) == text);
        found.map(|&id| Name(id))
    }

    /// All names with their texts, in the order in which they were first seen.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &str)> {
        let ids = (1..=self.ends.len() as u32).filter_map(NonZeroU32::new);
        ids.map(|id| (Name(id), lookup(&self.text, &self.ends, id)))
    }

    /// The text of a name of this table.
    pub fn text(&self, name: Name) -> &str {
        lookup(&self.text, &self.ends, name.0)
    }
}

fn lookup<'a>(text: &'a str, ends: &[u32], id: NonZeroU32) -> &'a str {
    let index = id.get() as usize - 1;
    let start = match index {
        0 => 0,
        _ => ends[index - 1] as usize,
    };
    &text[start..ends[index] as usize]
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_text_same_name() {
        let mut names = Interner::new();
        let a = names.intern("a");
        let b = names.intern("b");
        let empty = names.intern("");
        assert_ne!(a, b);
        assert_eq!(names.intern("a"), a);
        assert_eq!(names.get("b"), Some(b));
        assert_eq!(names.get("c"), None);
        assert_eq!(names.text(b), "b");
        assert_eq!(names.text(empty), "");
        assert_eq!((a.index(), b.index(), names.len()), (0, 1, 3));
        for i in 0..1000 {
            names.intern(&format!("x{i}"));
        }
        for i in 0..1000 {
            let text = format!("x{i}");
            assert_eq!(names.text(names.get(&text).unwrap()), text);
        }
    }
}

//! Names in the term store: each variable, function, constructor and selector of a program gets
//! one that nothing else has, whatever its sort, because SMT-LIB has one name space for all.

use rustc_hash::FxHashMap;

/// The names in use, and how many variants of each were handed out.
#[derive(Clone, Default, Debug)]
pub(crate) struct Names {
    taken: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// The name itself if it is free, else the name with a number.
    pub fn unique(&mut self, wish: &str) -> String {
        let Some(count) = self.taken.get_mut(wish) else {
            self.taken.insert(wish.into(), 0);
            return wish.to_owned();
        };
        let mut number = *count;
        loop {
            number += 1;
            let name = format!("{wish}#{number}");
            if !self.taken.contains_key(name.as_str()) {
                self.taken.insert(wish.into(), number);
                self.taken.insert(name.as_str().into(), 0);
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_repeat() {
        let mut names = Names::default();
        assert_eq!(names.unique("x"), "x");
        assert_eq!(names.unique("x#1"), "x#1");
        assert_eq!(names.unique("x"), "x#2");
        assert_eq!(names.unique("x"), "x#3");
    }
}

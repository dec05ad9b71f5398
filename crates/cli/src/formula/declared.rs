//! What the text of a Boogie program declares, as far as formulas have to know it: which functions are operators of bit-vectors, and how many
//! indices maps have.
//!
//! The text is looked at as far as that needs. What is declared twice and differently is not known.

use std::collections::HashMap;

use super::Language;
use crate::annotate::{BoogieFunction, boogie_functions, boogie_maps};

#[derive(Default)]
pub struct Declared {
    /// By the name of an operator in SMT-LIB and the width of its arguments.
    functions: HashMap<(String, u32), String>,
    /// By the name of a map; nothing where that differs.
    indices: HashMap<String, Option<usize>>,
}

impl Declared {
    /// Of a program in Boogie; of others nothing.
    pub fn read(text: &str, language: Language) -> Declared {
        let mut declared = Declared::default();
        if language != Language::Boogie {
            return declared;
        }
        for BoogieFunction { name, builtin, width } in boogie_functions(text) {
            declared.functions.entry((builtin, width)).or_insert(name);
        }
        for (name, indices) in boogie_maps(text) {
            let known = declared.indices.entry(name).or_insert(Some(indices));
            *known = known.filter(|n| *n == indices);
        }
        declared
    }

    /// The function that is an operator on bit-vectors of a width.
    pub fn function(&self, builtin: &str, width: u32) -> Option<&str> {
        self.functions.get(&(builtin.to_owned(), width)).map(String::as_str)
    }

    /// How many indices a map has at once.
    pub fn indices(&self, map: &str) -> Option<usize> {
        *self.indices.get(map)?
    }
}

//! Which variables are tracked at first: what `--track` says.

use lariat_program::{Program, VarDecl, name_matches};
use lariat_term::{Terms, Var};
use rustc_hash::FxHashSet;

/// What is tracked at first. Refinement adds to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Track {
    /// The cone of the assertions; and refinement ends where it does not pay.
    #[default]
    Auto,
    /// Everything: there is no abstraction.
    All,
    /// Nothing.
    None,
    /// The variables that fit one of these names, in which `*` stands for any text.
    Names(Vec<String>),
}

/// A name that no variable has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariable {
    /// The name or pattern.
    pub name: String,
    /// Variables with names like it.
    pub similar: Vec<String>,
    /// How many variables there are.
    pub variables: usize,
}

impl std::fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no variable `{}` to track", self.name)?;
        match (&self.similar[..], self.variables) {
            (_, 0) => write!(f, ": the program has no globals"),
            ([], n) => write!(f, " among the {n} globals of the program"),
            (similar, _) => write!(f, "; did you mean {}?", similar.join(", ")),
        }
    }
}

/// How a variable is called: as in the source, if it is there.
pub fn shown_name<'a>(decl: &'a VarDecl, terms: &'a Terms) -> &'a str {
    decl.source.as_deref().unwrap_or_else(|| terms.var_name(decl.var))
}

impl Track {
    /// The globals that these names stand for; nothing for the kinds that name none.
    pub fn named(&self, program: &Program, terms: &Terms) -> Result<FxHashSet<Var>, UnknownVariable> {
        let mut found = FxHashSet::default();
        let Track::Names(names) = self else { return Ok(found) };
        for name in names {
            let fits =
                |d: &&VarDecl| name_matches(name, shown_name(d, terms)) || name_matches(name, terms.var_name(d.var));
            let before = found.len();
            let mut fitting = program.globals.iter().filter(fits).peekable();
            if fitting.peek().is_none() && before == found.len() {
                return Err(unknown(name, program, terms));
            }
            found.extend(fitting.map(|d| d.var));
        }
        Ok(found)
    }
}

fn unknown(name: &str, program: &Program, terms: &Terms) -> UnknownVariable {
    let plain = name.replace('*', "");
    let mut near: Vec<(usize, &str)> =
        program.globals.iter().map(|d| shown_name(d, terms)).map(|other| (distance(&plain, other), other)).collect();
    near.sort_unstable();
    near.dedup();
    let close = plain.chars().count() / 3 + 1;
    let contains = |other: &str| !plain.is_empty() && other.to_lowercase().contains(&plain.to_lowercase());
    let similar = near.into_iter().filter(|(d, other)| *d <= close || contains(other));
    let similar = similar.map(|(_, other)| format!("`{other}`")).take(5).collect();
    UnknownVariable { name: name.to_owned(), similar, variables: program.globals.len() }
}

/// Levenshtein's distance, of texts up to a length that names have.
fn distance(a: &str, b: &str) -> usize {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|text| text.chars().take(64).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = change.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}

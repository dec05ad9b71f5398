//! Predicates as text, to be tried first on the next version of a program (*Abstractions from proofs*, section 7).
//!
//! One expression for each place: `(at |head of main/while| integers (<= x 5) (= y x))`. Terms are SMT-LIB over the names that variables have in
//! the source. They are hints: what does not fit the program any more is left out, and what does not help is only tracked in vain.

use std::fmt::Write as _;

use lariat_engine::Reading;
use lariat_term::{
    Sort, Term, Terms, Var,
    smtlib::{Env, Parser, SExprs, quote_symbol},
};
use rustc_hash::FxHashMap;

use crate::precision::Precision;

/// What is tracked at a place.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The place.
    pub place: crate::Place,
    /// What the variables of the predicates are called in the source.
    pub names: FxHashMap<Var, String>,
    /// The predicates.
    pub predicates: Vec<Term>,
    /// What the facts about the place say together.
    pub reached: Term,
}

/// The predicates of a reading as text. Those about values that have no name in the source are left out.
pub fn write(terms: &mut Terms, reading: Reading, tracked: &[Tracked]) -> String {
    let mut out = String::new();
    for at in tracked {
        let mut texts = Vec::new();
        for &predicate in &at.predicates {
            let vars = terms.free_vars(&[predicate]);
            if !vars.iter().all(|v| at.names.contains_key(v)) {
                continue;
            }
            let map = vars.iter().map(|&v| (v, terms.var(&at.names[&v], terms.var_sort(v)))).collect();
            let named = terms.substitute(predicate, &map);
            texts.push(terms.display(named).to_string());
        }
        if !texts.is_empty() {
            let place = bar(&at.place.name);
            let _ = writeln!(out, "(at {place} {}\n  {})", bar(reading.name()), texts.join("\n  "));
        }
    }
    out
}

/// A name as a symbol.
fn bar(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !matches!(c, '|' | '\\')).collect();
    quote_symbol(&plain)
}

/// Tracks the predicates of a text that are about a reading; gives notes about what was left out. `places` are the names of relations, `names`
/// those of their arguments.
pub(crate) fn read(
    text: &str,
    terms: &mut Terms,
    reading: Reading,
    precision: &mut Precision,
    places: &[crate::Place],
    names: &dyn Fn(usize) -> Vec<Option<String>>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let expressions = match SExprs::read(text) {
        Ok(expressions) => expressions,
        Err(error) => return vec![format!("the predicates cannot be read: {error}")],
    };
    for e in expressions.iter() {
        let mut items = e.items();
        let head = [items.next(), items.next(), items.next()].map(|i| i.and_then(|i| i.symbol()));
        let [Some("at"), Some(place), Some(kind)] = head else {
            notes.push(format!("not of the form (at PLACE READING PREDICATE …): {}", excerpt(e.text())));
            continue;
        };
        if kind != reading.name() {
            continue;
        }
        let Some(relation) = places.iter().position(|p| bar(&p.name).trim_matches('|') == place) else {
            notes.push(format!("there is no place `{place}` any more"));
            continue;
        };
        let mut env = Env::new();
        let formals = precision.formals(relation).to_vec();
        for (name, v) in names(relation).iter().zip(formals) {
            if let Some(name) = name {
                let t = terms.var_term(v);
                env.bind(name, t);
            }
        }
        for predicate in items {
            match Parser::new(&mut env).term_of_sort(terms, predicate, Sort::BOOL) {
                Ok(t) => _ = precision.add(terms, relation, t),
                Err(error) => {
                    notes.push(format!("a predicate at `{place}` is left out: {error}: {}", excerpt(predicate.text())));
                }
            }
        }
    }
    notes
}

/// The beginning of a text.
fn excerpt(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

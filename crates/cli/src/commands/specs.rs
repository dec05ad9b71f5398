//! What was used of each call, for people and for programs.

use std::fmt::Write as _;

use lariat_program::{Loc, Program};
use lariat_term::{Terms, Var};
use lariat_unfold::Specification;
use lariat_verify::Report;
use serde_json::{Value, json};

use crate::{expr, trace};

/// One call site after the other, with its conjuncts below it.
pub fn text(program: &Program, terms: &Terms, report: &Report) -> String {
    let mut out = String::new();
    for s in &report.specifications {
        let (place, name) = (trace::place(program, s.loc), &program.regions[s.region.index()].name);
        let all = if s.expanded { ": all that it does" } else { "" };
        let _ = writeln!(out, "{place}: used of {name}{all}");
        for conjunct in conjuncts(terms, s) {
            let _ = writeln!(out, "  {conjunct}");
        }
    }
    out
}

/// An array; the fields are in docs/json.md.
pub fn as_json(program: &Program, terms: &Terms, report: &Report, location: &dyn Fn(Loc) -> Value) -> Value {
    let one = |s: &Specification| {
        json!({ "location": location(s.loc), "region": program.regions[s.region.index()].name,
                "expanded": s.expanded, "conjuncts": conjuncts(terms, s) })
    };
    report.specifications.iter().map(one).collect()
}

fn conjuncts(terms: &Terms, s: &Specification) -> Vec<String> {
    if s.expanded {
        return Vec::new();
    }
    let name = |v: Var| s.names.get(&v).cloned().unwrap_or_else(|| terms.var_name(v).to_owned());
    s.conjuncts.iter().map(|&c| expr::infix(terms, c, &name)).collect()
}

//! The abstract reachability tree as a graph for Graphviz.

use std::fmt::Write as _;

use lariat_horn::System;

use crate::{Place, reachability::Tree};

/// How many facts are drawn.
const LIMIT: usize = 2_000;

/// The tree: facts that count, those that were taken back (dotted), what covers what (dashed), and the refuted traces. `texts` say what facts are.
pub(crate) fn dot(tree: &Tree, system: &System, places: &[Place], refuted: &[Vec<usize>], texts: &[String]) -> String {
    let mut out = String::from("digraph art {\n  node [shape=box, fontname=\"monospace\"];\n  start [shape=circle];\n");
    for (id, fact) in tree.facts.iter().enumerate().take(LIMIT) {
        let label = format!("{id}: {}\n{}", places[fact.relation].name, texts[id]);
        let style = if fact.live { "" } else { ", style=dotted, color=gray, fontcolor=gray" };
        let _ = writeln!(out, "  n{id} [label={}{style}];", quoted(&label));
        edges(&mut out, &fact.by.premises, &format!("n{id}"), if fact.live { "" } else { " [color=gray]" });
        for covered in fact.covers() {
            edges(
                &mut out,
                &covered.premises,
                &format!("n{id}"),
                " [style=dashed, constraint=false, label=\"covered\"]",
            );
        }
    }
    for (number, trace) in refuted.iter().enumerate() {
        let _ = writeln!(
            out,
            "  e{number} [label={}, shape=octagon, color=red];",
            quoted(&format!("refuted {}", number + 1))
        );
        edges(&mut out, trace, &format!("e{number}"), " [color=red, style=dotted]");
    }
    let _ = writeln!(out, "  label={};", quoted(&format!("{} clauses, {} facts", system.clauses.len(), tree.size())));
    out.push_str("}\n");
    out
}

fn edges(out: &mut String, premises: &[usize], to: &str, style: &str) {
    if premises.is_empty() {
        let _ = writeln!(out, "  start -> {to}{style};");
    }
    for from in premises.iter().filter(|&&f| f < LIMIT) {
        let _ = writeln!(out, "  n{from} -> {to}{style};");
    }
}

/// A text as a string of Graphviz, with lines that begin at the left.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    let lines: Vec<&str> = escaped.lines().collect();
    format!("\"{}\\l\"", lines.join("\\l"))
}

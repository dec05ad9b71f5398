//! Format 1.0: a witness automaton in GraphML.
//!
//! The automaton of a violation is a path: an edge for each result of an input function, and one for the failure. That of a proof has a state for
//! any point of the program, and one for the head of each loop that has an invariant, which is left where the loop's condition is decided.

use std::fmt::Write;

use super::{SourcePosition, Task, Violation, utc};

/// The keys of data elements: their ids, names, types, and what they belong to.
const KEYS: [(&str, &str, &str, &str); 20] = [
    ("witness-type", "witness-type", "string", "graph"),
    ("witness-format-version", "witness-format-version", "string", "graph"),
    ("sourcecodelang", "sourcecodeLanguage", "string", "graph"),
    ("producer", "producer", "string", "graph"),
    ("specification", "specification", "string", "graph"),
    ("programfile", "programFile", "string", "graph"),
    ("programhash", "programHash", "string", "graph"),
    ("architecture", "architecture", "string", "graph"),
    ("creationtime", "creationTime", "string", "graph"),
    ("entry", "isEntryNode", "boolean", "node"),
    ("violation", "isViolationNode", "boolean", "node"),
    ("invariant", "invariant", "string", "node"),
    ("invariant.scope", "invariant.scope", "string", "node"),
    ("assumption", "assumption", "string", "edge"),
    ("assumption.scope", "assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "assumption.resultfunction", "string", "edge"),
    ("control", "control", "string", "edge"),
    ("startline", "startline", "int", "edge"),
    ("endline", "endline", "int", "edge"),
    ("enterLoopHead", "enterLoopHead", "boolean", "edge"),
];

pub(super) fn violation(task: &Task, violation: &Violation) -> String {
    let mut out = head("violation_witness", task);
    node(&mut out, 0, &[("entry", "true")]);
    let last = violation.results.len() + 1;
    for (i, result) in violation.results.iter().enumerate() {
        node(&mut out, i + 1, &[]);
        let (line, end) = (result.line.to_string(), result.end.line.to_string());
        let assumption = format!("\\result == {};", result.value);
        let data = [
            ("startline", &line[..]),
            ("endline", &end),
            ("assumption", &assumption),
            ("assumption.scope", &result.end.function),
            ("assumption.resultfunction", &result.from),
        ];
        edge(&mut out, i, i + 1, &data);
    }
    node(&mut out, last, &[("violation", "true")]);
    edge(&mut out, last - 1, last, &[("startline", &violation.target.line.to_string())]);
    out.push_str(" </graph>\n</graphml>\n");
    out
}

pub(super) fn correctness(task: &Task, invariants: &[(SourcePosition, &str)]) -> String {
    let mut out = head("correctness_witness", task);
    node(&mut out, 0, &[("entry", "true")]);
    for (i, (at, formula)) in invariants.iter().enumerate() {
        node(&mut out, i + 1, &[("invariant", formula), ("invariant.scope", &at.function)]);
        let line = at.line.to_string();
        edge(&mut out, 0, i + 1, &[("startline", &line), ("enterLoopHead", "true")]);
        for control in ["condition-true", "condition-false"] {
            edge(&mut out, i + 1, 0, &[("startline", &line), ("control", control)]);
        }
    }
    out.push_str(" </graph>\n</graphml>\n");
    out
}

fn head(kind: &str, task: &Task) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (id, name, ty, of) in KEYS {
        let default = if ty == "boolean" { "<default>false</default>" } else { "" };
        let _ = writeln!(out, " <key id=\"{id}\" attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\">{default}</key>");
    }
    out.push_str(" <graph edgedefault=\"directed\">\n");
    // The format knows one file: of several, the first.
    let (file, hash) = task.files.first().map_or(("", ""), |(file, hash)| (file, hash));
    let producer = format!("Lariat {}", env!("CARGO_PKG_VERSION"));
    let created = utc(task.created);
    let facts = [
        ("witness-type", kind),
        ("witness-format-version", "1.0"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &task.specification),
        ("programfile", file),
        ("programhash", hash),
        ("architecture", if task.narrow { "32bit" } else { "64bit" }),
        ("creationtime", &created),
    ];
    data(&mut out, "  ", &facts);
    out
}

fn node(out: &mut String, id: usize, facts: &[(&str, &str)]) {
    let _ = writeln!(out, "  <node id=\"N{id}\">");
    data(out, "   ", facts);
    out.push_str("  </node>\n");
}

fn edge(out: &mut String, from: usize, to: usize, facts: &[(&str, &str)]) {
    let _ = writeln!(out, "  <edge source=\"N{from}\" target=\"N{to}\">");
    data(out, "   ", facts);
    out.push_str("  </edge>\n");
}

fn data(out: &mut String, indent: &str, facts: &[(&str, &str)]) {
    for (key, value) in facts {
        let _ = writeln!(out, "{indent}<data key=\"{key}\">{}</data>", escaped(value));
    }
}

/// A text in XML; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

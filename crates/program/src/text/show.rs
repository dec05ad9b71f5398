//! Overviews for people: the tree of regions, and the graph of boxes in DOT.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{AssertKind, Loc, Program, Region, RegionId, RegionKind, StmtKind};

/// Procedures with the loops inside them, one line a region: its size, what it boxes, what it
/// checks, and where it stands.
pub fn tree(program: &Program) -> String {
    let n = program.regions.len();
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut roots = Vec::new();
    for (i, r) in program.regions.iter().enumerate() {
        match r.kind {
            RegionKind::Loop { parent } if parent.index() < i => inner[parent.index()].push(i),
            _ => roots.push(i),
        }
    }
    let mut out = String::new();
    let entries: FxHashSet<RegionId> = program.entries.iter().copied().collect();
    let mut work: Vec<(usize, usize)> = roots.into_iter().rev().map(|r| (r, 0)).collect();
    while let Some((i, depth)) = work.pop() {
        line(&mut out, program, &entries, i, depth);
        work.extend(inner[i].iter().rev().map(|&c| (c, depth + 1)));
    }
    out
}

fn line(out: &mut String, program: &Program, entries: &FxHashSet<RegionId>, i: usize, depth: usize) {
    let r = &program.regions[i];
    let what = match r.kind {
        RegionKind::Procedure if entries.contains(&RegionId(i as u32)) => "entry",
        RegionKind::Procedure => "procedure",
        RegionKind::Loop { .. } => "loop",
    };
    let stmts: usize = r.blocks.iter().map(|b| b.stmts.len()).sum();
    let _ = write!(out, "{:1$}{what} {2}", "", depth * 2, r.name);
    place(out, program, r.loc);
    let _ = write!(out, ": {}, {}", count(r.blocks.len(), "block"), count(stmts, "statement"));
    let boxes = boxes(r);
    if !boxes.is_empty() {
        out.push_str("; boxes ");
        for (k, &(callee, times)) in boxes.iter().enumerate() {
            let name = program.regions.get(callee.index()).map_or("?", |c| c.name.as_str());
            let name = if callee.index() == i { "itself" } else { name };
            let _ = write!(out, "{}{name}", if k > 0 { ", " } else { "" });
            if times > 1 {
                let _ = write!(out, " ×{times}");
            }
        }
    }
    let mut checks = Vec::new();
    for s in r.blocks.iter().flat_map(|b| &b.stmts) {
        if let StmtKind::Assert { id, .. } = s.kind {
            let a = program.assertions.get(id.index());
            checks.push((a.map_or(AssertKind::User, |a| a.kind), s.loc));
        }
    }
    if !checks.is_empty() {
        let _ = write!(out, "; {}", count(checks.len(), "assertion"));
        for (k, (kind, loc)) in checks.iter().enumerate() {
            let _ = write!(out, "{}{}", if k > 0 { ", " } else { " (" }, kind.name());
            if loc.line != 0 {
                let _ = write!(out, " line {}", loc.line);
            }
        }
        out.push(')');
    }
    out.push('\n');
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn place(out: &mut String, program: &Program, loc: Loc) {
    if loc.line != 0 {
        let file = program.files.get(loc.file.index()).map_or("?", |f| f.as_str());
        let _ = write!(out, " ({file}:{}:{})", loc.line, loc.column);
    }
}

/// The regions that a region boxes, in the order of their first box, and how often.
fn boxes(r: &Region) -> Vec<(RegionId, usize)> {
    let mut order: Vec<(RegionId, usize)> = Vec::new();
    let mut index = FxHashMap::default();
    for s in r.blocks.iter().flat_map(|b| &b.stmts) {
        if let StmtKind::Box { callee, .. } = s.kind {
            let k = *index.entry(callee).or_insert_with(|| {
                order.push((callee, 0));
                order.len() - 1
            });
            order[k].1 += 1;
        }
    }
    order
}

/// The graph of regions and boxes in Graphviz's DOT: procedures are boxes, loops are ellipses,
/// entries have a bold frame, and a label on an edge counts the boxes.
pub fn dot(program: &Program) -> String {
    let entries: FxHashSet<RegionId> = program.entries.iter().copied().collect();
    let mut out = String::from("digraph regions {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (i, r) in program.regions.iter().enumerate() {
        let name = r.name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let _ = write!(out, "  r{i} [label=\"{name}\"");
        if matches!(r.kind, RegionKind::Loop { .. }) {
            out.push_str(", shape=ellipse");
        }
        if entries.contains(&RegionId(i as u32)) {
            out.push_str(", style=bold");
        }
        out.push_str("];\n");
    }
    for (i, r) in program.regions.iter().enumerate() {
        for (callee, times) in boxes(r) {
            let _ = write!(out, "  r{i} -> r{}", callee.0);
            if times > 1 {
                let _ = write!(out, " [label=\"{times}\"]");
            }
            out.push_str(";\n");
        }
    }
    out.push_str("}\n");
    out
}

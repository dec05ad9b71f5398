//! Regions of a chosen size, for measuring their summaries.

use std::fmt::Write;

use lariat_program::{Program, RegionId, StmtKind, Terminator, text};
use lariat_summary::{Decision, Summaries};
use lariat_term::{Term, Terms};

/// A program text whose first region grows with the number.
type Shape = fn(usize) -> String;

/// The shapes by their names.
pub const SHAPES: [(&str, Shape); 4] =
    [("branches", branches), ("variables", variables), ("boxes", boxes), ("assertions", assertions)];

/// One `if` after the other on the same few variables.
fn branches(n: usize) -> String {
    let mut out = String::from("proc p(x: Int, y: Int) -> (r: Int) {\nb0:\n");
    for i in 0..n {
        let _ = writeln!(out, "  branch (< (+ x r) (+ y {i})) then t{i} else e{i}");
        let _ = writeln!(out, "t{i}:\n  r := (+ r x)\n  goto b{0}\ne{i}:\n  r := (- r y)\n  goto b{0}\nb{0}:", i + 1);
    }
    out + "  return\n}\n"
}

/// As many variables as branches, each changed in one of them.
fn variables(n: usize) -> String {
    let mut out = String::from("proc p(x: Int) -> (r: Int) {\n");
    (0..n).for_each(|i| writeln!(out, "  local v{i}: Int").unwrap_or_default());
    out += "b0:\n";
    for i in 0..n {
        let _ = writeln!(out, "  branch (< x (* {i} {i})) then t{i} else b{}", i + 1);
        let _ = writeln!(out, "t{i}:\n  v{i} := (+ v{i} x)\n  goto b{0}\nb{0}:\n  r := (+ r v{i})", i + 1);
    }
    out + "  return\n}\n"
}

/// Boxes that may block and change a global, some in branches.
fn boxes(n: usize) -> String {
    let mut out = String::from("global g: Int\nproc p(x: Int) -> (r: Int) {\nb0:\n");
    for i in 0..n {
        let _ = writeln!(out, "  box q((+ x r)) -> (r)\n  branch (< r {i}) then t{i} else b{}", i + 1);
        let _ = writeln!(out, "t{i}:\n  box q(g) -> (r)\n  goto b{0}\nb{0}:", i + 1);
    }
    out + "  return\n}\nproc q(a: Int) -> (s: Int) {\nb0:\n  assume (> a 0)\n  g := (+ g a), s := g\n  return\n}\n"
}

/// Assertions on the main path and in branches.
fn assertions(n: usize) -> String {
    let mut out = String::new();
    (0..2 * n).for_each(|i| writeln!(out, "assertion #{i} user").unwrap_or_default());
    out += "proc p(x: Int, y: Int) -> (r: Int) {\nb0:\n";
    for i in 0..n {
        let _ = writeln!(out, "  r := (+ r x)\n  assert #{} (< r {i})", 2 * i);
        let _ = writeln!(out, "  branch (< y r) then t{i} else b{}", i + 1);
        let _ = writeln!(out, "t{i}:\n  assert #{} (> (+ x y) {i})\n  goto b{1}\nb{1}:", 2 * i + 1, i + 1);
    }
    out + "  return\n}\n"
}

/// The sizes of a shape's first region and of its summary: statements, blocks and distinct nodes of
/// terms there; entries and distinct nodes of terms here.
pub fn sizes(source: &str) -> (usize, usize) {
    let mut terms = Terms::new();
    let program = text::parse(source, &mut terms).expect("the generated program parses");
    let region = region_size(&program, &terms);
    let summary = Summaries::new(&program, &mut terms).get(&program, &mut terms, RegionId(0));
    let mut roots = vec![summary.returns];
    roots.extend(summary.outputs.iter().chain(&summary.globals));
    roots.extend(summary.errors.iter().map(|e| e.condition));
    for b in &summary.boxes {
        roots.push(b.guard);
        roots.extend(b.args.iter().chain(&b.globals));
        roots.extend(b.values.iter().chain([&b.returns]).map(|&v| terms.var_term(v)));
    }
    for d in &summary.decisions {
        match d {
            Decision::None => {}
            Decision::Branch(t) => roots.push(*t),
            Decision::Goto(ts) => roots.extend(ts),
        }
    }
    (region, roots.len() + terms.dag_size(&roots))
}

fn region_size(program: &Program, terms: &Terms) -> usize {
    let blocks = &program.regions[0].blocks;
    let mut roots: Vec<Term> = Vec::new();
    let mut statements = 0;
    for block in blocks {
        statements += block.stmts.len();
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assume(t) | StmtKind::Assert { cond: t, .. } => roots.push(*t),
                StmtKind::Assign(pairs) => roots.extend(pairs.iter().map(|&(_, t)| t)),
                StmtKind::Box { args, .. } => roots.extend(args),
                StmtKind::Havoc(_) => {}
            }
        }
        if let Terminator::Branch { cond, .. } = block.next {
            roots.push(cond);
        }
    }
    blocks.len() + statements + terms.dag_size(&roots)
}

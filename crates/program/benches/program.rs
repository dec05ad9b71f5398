//! Throughput of the textual form, of loop extraction and of the interpreter.
//!
//! `cargo bench -p lariat-program`; read the figures as ratios between sizes and stages.

use std::fmt::Write;

use divan::{Bencher, counter::ItemsCount};
use lariat_program::{
    Program, RegionId, Stage, extract_loops,
    interp::{Defaults, Interpreter, Options, Outcome, TraceLevel},
    text, verify,
};
use lariat_term::Terms;

fn main() {
    divan::main();
}

/// A row of loops: `blocks` blocks, two a loop.
fn row(blocks: usize) -> String {
    let mut out = String::from("global g: Int\nproc p() {\n  local i: Int\n");
    for b in 0..blocks / 2 {
        let _ = writeln!(out, "h{b}:\n  g := (+ g (* i {b}))\n  i := (+ i 1)\n  goto h{b}, m{b}");
        let _ = writeln!(out, "m{b}:\n  assume (< i {b})\n  goto h{}", b + 1);
    }
    let _ = writeln!(out, "h{}:\n  return\n}}", blocks / 2);
    out
}

/// Loops in each other: `blocks` blocks, two a loop.
fn nest(blocks: usize) -> String {
    let depth = blocks / 2;
    let mut out = String::from("global g: Int\nproc p() {\n  local i: Int\n");
    for d in 0..depth {
        let _ = writeln!(out, "h{d}:\n  i := (+ i 1)\n  branch (< i {d}) then h{} else t{d}", d + 1);
    }
    let _ = writeln!(out, "h{depth}:\n  g := i\n  goto t{}", depth - 1);
    for d in (0..depth).rev() {
        let up = if d == 0 { "end".to_string() } else { format!("t{}", d - 1) };
        let _ = writeln!(out, "t{d}:\n  goto h{d}, {up}");
    }
    out.push_str("end:\n  return\n}\n");
    out
}

fn read(source: &str) -> (Program, Terms) {
    let mut terms = Terms::new();
    let program = text::parse(source, &mut terms).expect("the benchmark's own program parses");
    (program, terms)
}

#[divan::bench(args = [2_000, 20_000, 200_000])]
fn parse(bencher: Bencher, blocks: usize) {
    let source = row(blocks);
    bencher
        .counter(divan::counter::BytesCount::of_str(&source))
        .bench(|| text::parse(&source, &mut Terms::new()).map(|p| p.regions.len()));
}

#[divan::bench(args = [2_000, 20_000, 200_000])]
fn print(bencher: Bencher, blocks: usize) {
    let source = row(blocks);
    let (p, t) = read(&source);
    bencher.counter(divan::counter::BytesCount::of_str(&source)).bench(|| text::print(&p, &t).len());
}

#[divan::bench(args = [2_000, 20_000, 200_000])]
fn check(bencher: Bencher, blocks: usize) {
    let (p, t) = read(&row(blocks));
    bencher.counter(ItemsCount::new(blocks)).bench(|| verify(&p, &t, Stage::Graph).is_ok());
}

fn extract(bencher: Bencher, blocks: usize, source: String) {
    let (p, t) = read(&source);
    bencher.counter(ItemsCount::new(blocks)).with_inputs(|| (p.clone(), t.clone())).bench_local_values(
        |(mut p, mut t)| {
            extract_loops(&mut p, &mut t);
            p.regions.len()
        },
    );
}

#[divan::bench(args = [2_000, 20_000, 200_000])]
fn extract_row(bencher: Bencher, blocks: usize) {
    extract(bencher, blocks, row(blocks));
}

#[divan::bench(args = [2_000, 20_000, 200_000])]
fn extract_nest(bencher: Bencher, blocks: usize) {
    extract(bencher, blocks, nest(blocks));
}

const SUM: &str = "global m: (Array Int Int)
    proc p() -> (s: Int) { local i: Int
    a: i := 0, s := 0 goto h
    h: branch (< i 100000) then b else c
    b: s := (+ s (* i 3)) i := (+ i 1) goto h
    c: return }";

const MAP: &str = "global m: (Array Int Int)
    proc p() { local i: Int
    a: i := 0 goto h
    h: branch (< i 100000) then b else c
    b: m := (store m (mod (* i 7) 1000) (+ 1 (select m i))) i := (+ i 1) goto h
    c: return }";

/// Steps a second, with the loop as a graph or as a region.
fn run(bencher: Bencher, source: &str, regions: bool, trace: TraceLevel) {
    let (mut p, mut t) = read(source);
    if regions {
        extract_loops(&mut p, &mut t);
    }
    let interpreter =
        Interpreter::new(&p, &t, Options { trace, ..Options::default() }).expect("the benchmark's program is right");
    let steps = interpreter.run(RegionId(0), &mut Defaults).steps;
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        let run = interpreter.run(RegionId(0), &mut Defaults);
        assert_eq!(run.outcome, Outcome::Completed);
    });
}

#[divan::bench]
fn run_graph(bencher: Bencher) {
    run(bencher, SUM, false, TraceLevel::Off);
}

#[divan::bench]
fn run_regions(bencher: Bencher) {
    run(bencher, SUM, true, TraceLevel::Off);
}

#[divan::bench]
fn run_traced(bencher: Bencher) {
    run(bencher, SUM, false, TraceLevel::Changes);
}

#[divan::bench]
fn run_map(bencher: Bencher) {
    run(bencher, MAP, false, TraceLevel::Off);
}

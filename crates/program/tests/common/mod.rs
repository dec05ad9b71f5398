//! Shared by the tests: reading programs, and random ones.
#![allow(dead_code)] // each test file uses its own part

use std::fmt::Write;

use lariat_program::{Program, Stage, text, verify};
use lariat_term::Terms;

/// Reads a program that is right at the graph stage.
pub fn read(source: &str) -> (Program, Terms) {
    let mut terms = Terms::new();
    let program = text::parse(source, &mut terms).unwrap_or_else(|e| panic!("{e:?}\n{source}"));
    check(&program, &terms, Stage::Graph);
    (program, terms)
}

/// Fails with the text of the program if the verifier does.
pub fn check(program: &Program, terms: &Terms, stage: Stage) {
    if let Err(found) = verify(program, terms, stage) {
        let list: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", list.join("\n"), text::print(program, terms));
    }
}

/// Pseudo-random numbers (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const INTS: [&str; 5] = ["g", "a", "r", "i", "j"];
const BOOLS: [&str; 3] = ["h", "p", "q"];

fn int(rng: &mut Rng, depth: usize) -> String {
    match rng.below(if depth == 0 { 2 } else { 5 }) {
        0 => rng.pick(&INTS).to_string(),
        1 => rng.below(4).to_string(),
        2 => format!("(+ {} {})", int(rng, depth - 1), int(rng, depth - 1)),
        3 => format!("(- {} 1)", int(rng, depth - 1)),
        _ => format!("(ite {} {} {})", bool(rng, depth - 1), int(rng, depth - 1), int(rng, depth - 1)),
    }
}

fn bool(rng: &mut Rng, depth: usize) -> String {
    match rng.below(if depth == 0 { 1 } else { 5 }) {
        0 => rng.pick(&BOOLS).to_string(),
        1 => format!("(< {} {})", int(rng, depth - 1), int(rng, depth - 1)),
        2 => format!("(= {} {})", int(rng, depth - 1), int(rng, depth - 1)),
        3 => format!("(not {})", bool(rng, depth - 1)),
        _ => format!("(and {} {})", bool(rng, depth - 1), bool(rng, depth - 1)),
    }
}

fn statement(rng: &mut Rng, calls: bool, line: &mut u32) -> String {
    *line += 1;
    let text = match rng.below(if calls { 8 } else { 7 }) {
        0..=2 => format!("{} := {}", rng.pick(&INTS), int(rng, 2)),
        3 => format!("{} := {}, i := {}", rng.pick(&BOOLS), bool(rng, 2), int(rng, 1)),
        4 => format!("havoc {}", rng.pick(&[&INTS[..], &BOOLS[..]].concat())),
        5 => format!("assert #{} (or {} (< i 9))", rng.below(3), bool(rng, 2)),
        6 => format!("assume (or {} (< j 5))", bool(rng, 1)),
        _ => format!("box helper({}) -> ({})", int(rng, 1), rng.pick(&["i", "g", "r"])),
    };
    format!("{text} @0:{line}:1")
}

/// A program with one procedure with an arbitrary graph over a few variables, and a helper.
pub fn random_program(rng: &mut Rng) -> String {
    let n = 1 + rng.below(12);
    let mut line = 0;
    let mut out = String::from(
        "file \"r\"\nglobal g: Int\nglobal h: Bool \"H\"\n\
         assertion #0 user @0:1:1\nassertion #1 invariant \"m\"\nassertion #2 ensures\n\
         proc main(a: Int, p: Bool) -> (r: Int, q: Bool) @0:1:1 {\n  local i: Int\n  local j: Int\n",
    );
    for b in 0..n {
        let _ = writeln!(out, "b{b}:");
        for _ in 0..rng.below(4) {
            let _ = writeln!(out, "  {}", statement(rng, true, &mut line));
        }
        let _ = match rng.below(8) {
            0 => writeln!(out, "  return"),
            1 => writeln!(out, "  goto b{}", rng.below(n)),
            2 if b > 0 => writeln!(out, "  stop"),
            3..=5 => writeln!(out, "  branch {} then b{} else b{}", bool(rng, 2), rng.below(n), rng.below(n)),
            _ => writeln!(out, "  goto b{}, b{}, b{}", rng.below(n), rng.below(n), rng.below(n)),
        };
    }
    out.push_str("}\nproc helper(x: Int) -> (y: Int) {\ns:\n  y := (+ x g), g := (+ g 1)\n  return\n}\nentry main\n");
    out
}

//! Random programs that are correct, and spurious counterexamples of their abstractions.
#![allow(dead_code)] // each test uses a part

use std::fmt::Write as _;

use lariat_boogie::{
    analyze::Source,
    compile::{Options, compile},
    lower::entry_of,
};
use lariat_engine::Budget;
use lariat_localize::{Abstraction, Concrete, Path};
use lariat_program::{AssertId, Program, RegionId, extract_loops};
use lariat_smt::solvers;
use lariat_term::{Terms, Var};
use lariat_unfold::{CheckResult, Limits, StrategyKind, Target, Unfolding, check};
use rustc_hash::FxHashSet;

/// A small generator (splitmix64).
pub struct Random(pub u64);

impl Random {
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
}

/// A program of Boogie with loops as regions, and its procedure `main`.
pub fn program(text: &str) -> (Program, Terms, RegionId) {
    let compiled = compile([Source::new("test.bpl", text)], &Options::default());
    let (mut program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let entry = entry_of(&program, "main").expect("a procedure main");
    (program, terms, entry)
}

/// The globals with these names.
pub fn globals(program: &Program, terms: &Terms, names: &[&str]) -> FxHashSet<Var> {
    program.globals.iter().map(|d| d.var).filter(|&v| names.contains(&terms.var_name(v))).collect()
}

/// All assertions.
pub fn asserts(program: &Program) -> Vec<AssertId> {
    (0..program.assertions.len() as u32).map(AssertId).collect()
}

/// What unfolding says of an abstraction: a counterexample as a path of the program, or that there is none.
pub fn counterexample(program: &Program, terms: &mut Terms, entry: RegionId, tracked: &FxHashSet<Var>) -> Option<Path> {
    let abstraction = Abstraction::new(program, terms, tracked);
    let target = Target::Only(asserts(program));
    let open = || solvers::open("auto", None);
    let solver = open().expect("the linked solver");
    let mut unfolding =
        Unfolding::new(&abstraction.program, terms, solver, entry, target, Limits::default()).expect("an unfolding");
    let mut strategy = StrategyKind::Stratified.make(&open).expect("a strategy");
    let found = match check(&mut unfolding, &mut *strategy, &mut |_, _| {}).expect("an answer") {
        CheckResult::Safe => return None,
        CheckResult::Unsafe(model) => unfolding.execution(&model, &mut |_, _| None).expect("an execution"),
        other => panic!("{other:?}"),
    };
    drop(unfolding);
    Some(Path::new(program, terms, &found, &abstraction.origins).expect("a path of the program"))
}

/// A spurious counterexample.
pub struct Spurious {
    pub program: Program,
    pub terms: Terms,
    pub path: Path,
    pub tracked: FxHashSet<Var>,
}

/// Spurious counterexamples of random programs, with their seeds.
pub fn spurious_paths(count: usize) -> impl Iterator<Item = (u64, Spurious)> {
    (1..).filter_map(|seed| spurious(seed).map(|s| (seed, s))).take(count)
}

fn spurious(seed: u64) -> Option<Spurious> {
    let mut random = Random(seed);
    let text = correct_program(&mut random);
    let (program, mut terms, entry) = program(&text);
    let tracked: FxHashSet<Var> = program.globals.iter().map(|d| d.var).filter(|_| random.below(4) == 0).collect();
    let path = counterexample(&program, &mut terms, entry, &tracked)?;
    match Concrete::new(&program, &mut terms, &path, "auto", &Budget::default()).expect("the linked solver") {
        Concrete::Spurious => {}
        _ => panic!("seed {seed} is correct, but a path fails:\n{text}"),
    }
    Some(Spurious { program, terms, path, tracked })
}

/// A program that fails nothing: its assertions say what a run of it computes.
fn correct_program(random: &mut Random) -> String {
    let n = 2 + random.below(11);
    let mut values: Vec<i64> = vec![0; n];
    let mut body = String::new();
    for (g, value) in values.iter_mut().enumerate() {
        *value = random.below(9) as i64;
        let _ = writeln!(body, "  g{g} := {value};");
    }
    let mut element: Vec<i64> = vec![0; 4];
    let _ = writeln!(body, "  m[0] := 0; m[1] := 0; m[2] := 0; m[3] := 0;");
    for _ in 0..4 + random.below(14) {
        let [a, b, c] = [(); 3].map(|()| random.below(n));
        match random.below(7) {
            0 => {
                values[a] = values[b] + values[c];
                let _ = writeln!(body, "  g{a} := g{b} + g{c};");
            }
            1 => {
                let constant = random.below(7) as i64;
                values[a] = values[b] - constant;
                let _ = writeln!(body, "  x := g{b}; g{a} := x - {constant};");
            }
            2 => {
                // A value from outside that goes away again.
                values[a] = values[b];
                let _ = writeln!(body, "  havoc x; g{c} := x; g{a} := g{b} + x - g{c};");
                if a == c || b == c {
                    // What was just written is unknown: say what it is.
                    let _ = writeln!(body, "  g{c} := {}; g{a} := {};", values[c], values[a]);
                } else {
                    values[c] = 3;
                    let _ = writeln!(body, "  g{c} := 3;");
                }
            }
            3 => {
                let i = random.below(4);
                element[i] = values[a];
                let _ = writeln!(body, "  m[{i}] := g{a};");
            }
            4 => {
                let i = random.below(4);
                values[a] = element[i];
                let _ = writeln!(body, "  g{a} := m[{i}];");
            }
            5 => {
                let taken = values[a] < values[b];
                let (yes, no) = (random.below(9) as i64, random.below(9) as i64);
                values[c] = if taken { yes } else { no };
                let _ = writeln!(body, "  if (g{a} < g{b}) {{ g{c} := {yes}; }} else {{ g{c} := {no}; }}");
            }
            _ => {
                values[0] = values[a] + 1;
                let _ = writeln!(body, "  call x := next(g{a}); g0 := x;");
            }
        }
        if random.below(6) == 0 {
            let _ = writeln!(body, "  assert g{b} == {} || g{c} > {};", values[b], values[c]);
        }
    }
    let (a, b) = (random.below(n), random.below(n));
    let _ = writeln!(body, "  assert g{a} == {} && g{b} <= {};", values[a], values[b]);
    let names: Vec<String> = (0..n).map(|g| format!("g{g}")).collect();
    let declared: String = names.iter().map(|g| format!("var {g}: int; ")).collect();
    format!(
        "{declared}var m: [int]int; var calls: int;\n\
         procedure next(v: int) returns (r: int) modifies calls; {{ calls := calls + 1; r := v + 1; }}\n\
         procedure main() modifies m, calls, {}; {{\n  var x: int;\n  calls := 0;\n{body}}}\n",
        names.join(", ")
    )
}

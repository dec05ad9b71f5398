//! Random Boogie programs with procedures, loops, recursion, maps and globals, and what is asked about them.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use std::sync::Arc;

use lariat_boogie::{analyze::Source, compile::compile, lower::entry_of};
use lariat_engine::Budget;
use lariat_program::{
    Program, RegionId, extract_loops,
    interp::{Interpreter, Options as RunOptions, Outcome, Random, TraceLevel},
};
use lariat_term::Terms;
use lariat_verify::{Options, Report, Verdict, verify};

/// A small generator of numbers (an xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// One of these.
    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// What programs compute with. Expressions are over the variables `x`, `y` and `g` and the map `m`, up to a depth.
pub struct Language {
    /// What stands before the procedures; declares `g` and `m`.
    pub prelude: &'static str,
    /// The type of the variables.
    pub sort: &'static str,
    /// An expression of this type.
    pub value: fn(&mut Numbers, u32) -> String,
    /// A condition.
    pub condition: fn(&mut Numbers, u32) -> String,
}

impl Language {
    /// A program; `p0` is its first procedure.
    pub fn program(&self, numbers: &mut Numbers) -> String {
        let count = 1 + numbers.below(3);
        let mut out = String::from(self.prelude);
        let sort = self.sort;
        for i in 0..count {
            let header = format!("procedure p{i}(a: {sort}) returns (x: {sort}) modifies g, m;");
            _ = write!(out, "{header} {{ var y: {sort}; x := a; ");
            self.block(numbers, (i, count), 2, &mut out);
            out.push_str("}\n");
        }
        out
    }

    /// Statements of procedure number `own`, which may call itself and those with a higher number.
    fn block(&self, numbers: &mut Numbers, (own, count): (u64, u64), depth: u32, out: &mut String) {
        let &Language { value, condition, .. } = self;
        let guard = |numbers: &mut Numbers, n| if numbers.below(n) == 0 { "*".into() } else { condition(numbers, 1) };
        for _ in 0..1 + numbers.below(4) {
            match numbers.below(if depth == 0 { 6 } else { 10 }) {
                0 | 1 => _ = write!(out, "{} := {}; ", numbers.pick(&["x", "y", "g"]), value(numbers, 2)),
                2 => _ = write!(out, "m[{}] := {}; ", value(numbers, 1), value(numbers, 1)),
                3 => _ = write!(out, "havoc {}; ", numbers.pick(&["x", "g", "y"])),
                4 => _ = write!(out, "assert {}; ", condition(numbers, 1)),
                5 => _ = write!(out, "assume {}; ", condition(numbers, 1)),
                6 | 7 => {
                    _ = write!(out, "if ({}) {{ ", guard(numbers, 3));
                    self.block(numbers, (own, count), depth - 1, out);
                    out.push_str("} else { ");
                    self.block(numbers, (own, count), depth - 1, out);
                    out.push_str("} ");
                }
                8 => {
                    _ = write!(out, "while ({}) {{ ", guard(numbers, 2));
                    self.block(numbers, (own, count), depth - 1, out);
                    out.push_str("} ");
                }
                _ => {
                    let callee = own + numbers.below(count - own);
                    _ = write!(out, "call {} := p{callee}({}); ", numbers.pick(&["x", "y"]), value(numbers, 1));
                }
            }
        }
    }
}

/// A correct Boogie program, and its procedure of that name.
pub fn compiled(text: &str, entry: &str) -> (Program, Terms, RegionId) {
    let compiled = compile([Source::new("r.bpl", text)], &Default::default());
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let (mut program, mut terms) = (compiled.program.unwrap_or_else(|| panic!("{shown}\n{text}")), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let entry = entry_of(&program, entry).expect("the entry");
    (program, terms, entry)
}

/// Does one of so many random runs fail an assertion?
pub fn fails(program: &Program, terms: &Terms, entry: RegionId, runs: u64) -> bool {
    let run = RunOptions { steps: 2_000, trace: TraceLevel::Off, ..RunOptions::default() };
    let interpreter = Interpreter::new(program, terms, run).expect("a program that passes the verifier");
    let failed = |seed| interpreter.run(entry, &mut Random::new(seed)).outcome;
    (0..runs).any(|seed| matches!(failed(seed), Outcome::AssertionFailed { .. }))
}

/// What is known of a program within a small bound. No counterexample may fail to replay.
pub fn check(program: &Program, terms: &mut Terms, entry: RegionId, options: Options) -> Report {
    let deadline = Some(Instant::now() + Duration::from_secs(2));
    let budget = Budget { deadline, ..Budget::default() };
    let options = Options { entries: vec![entry], budget, bound: Some(3), eager_nodes: 100, ..options };
    let report = verify(&Arc::new(program.clone()), terms, &options, &mut |_| {});
    assert!(report.incidents.is_empty(), "{:?}\n{}", report.incidents, lariat_program::text::print(program, terms));
    report
}

/// Is the program safe, if that is known?
pub fn conclusive(report: &Report) -> Option<bool> {
    match report.verdict {
        Verdict::Safe => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Bounded { .. } | Verdict::Unknown(_) => None,
    }
}

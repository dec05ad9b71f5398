//! Random programs: what the interpreter runs into, no strategy may call safe; and strategies that
//! answer agree. (A bug that a strategy reports has been replayed, so it needs no further check.)

use std::fmt::Write;

use lariat_boogie::{analyze::Source, compile::compile, lower::entry_of};
use lariat_program::{
    AssertId,
    interp::{Interpreter, Options as RunOptions, Outcome, Random, TraceLevel},
};
use lariat_unfold::Limits;
use lariat_verify::{Correction, EngineKind, Fate, Options, StrategyKind, Targets, Verdict, verify};

/// A small generator of numbers (an xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// An integer expression over the variables in scope.
    fn int(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => self.pick(&["x", "y", "g"]).into(),
            1 => format!("{}", self.below(5)),
            2 => format!("({} + {})", self.int(depth - 1), self.int(depth - 1)),
            3 => format!("({} - {})", self.int(depth - 1), self.int(depth - 1)),
            4 => format!("(if {} then {} else {})", self.bool(depth - 1), self.int(depth - 1), self.int(depth - 1)),
            _ => format!("m[{}]", self.int(depth - 1)),
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        let (a, b) = (self.int(depth), self.int(depth));
        format!("({a} {} {b})", self.pick(&["==", "!=", "<", "<=", ">"]))
    }

    /// Statements of procedure number `own`, which may call itself and those with a higher number.
    fn block(&mut self, own: u64, count: u64, depth: u32, out: &mut String) {
        for _ in 0..1 + self.below(4) {
            match self.below(if depth == 0 { 6 } else { 10 }) {
                0 | 1 => _ = write!(out, "{} := {}; ", self.pick(&["x", "y", "g"]), self.int(2)),
                2 => _ = write!(out, "m[{}] := {}; ", self.int(1), self.int(1)),
                3 => _ = write!(out, "havoc {}; ", self.pick(&["x", "g", "y"])),
                4 => _ = write!(out, "assert {}; ", self.bool(1)),
                5 => _ = write!(out, "assume {}; ", self.bool(1)),
                6 | 7 => {
                    let guard = if self.below(3) == 0 { "*".into() } else { self.bool(1) };
                    _ = write!(out, "if ({guard}) {{ ");
                    self.block(own, count, depth - 1, out);
                    out.push_str("} else { ");
                    self.block(own, count, depth - 1, out);
                    out.push_str("} ");
                }
                8 => {
                    let guard = if self.below(2) == 0 { "*".into() } else { self.bool(1) };
                    _ = write!(out, "while ({guard}) {{ ");
                    self.block(own, count, depth - 1, out);
                    out.push_str("} ");
                }
                _ => {
                    let callee = own + self.below(count - own);
                    _ = write!(out, "call {} := p{callee}({}); ", self.pick(&["x", "y"]), self.int(1));
                }
            }
        }
    }

    fn program(&mut self) -> String {
        let count = 1 + self.below(3);
        let mut out = String::from("var g: int; var m: [int]int;\n");
        for i in 0..count {
            let name = format!("p{i}");
            _ = write!(out, "procedure {name}(a: int) returns (x: int) modifies g, m; {{ var y: int; x := a; ");
            self.block(i, count, 2, &mut out);
            out.push_str("}\n");
        }
        out
    }
}

#[test]
fn no_strategy_calls_a_program_safe_that_fails_when_it_runs() {
    let mut numbers = Numbers(0x5eed);
    let (mut failing, mut conclusive) = (0, 0);
    for _ in 0..120 {
        let text = numbers.program();
        let compiled = compile([Source::new("r.bpl", text.as_str())], &Default::default());
        let (program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
        let entry = entry_of(&program, "p0").expect("the first procedure");
        let options = RunOptions { steps: 2_000, trace: TraceLevel::Off, ..RunOptions::default() };
        let interpreter = Interpreter::new(&program, &terms, options).expect("a program that passes the verifier");
        let fails =
            |seed| matches!(interpreter.run(entry, &mut Random::new(seed)).outcome, Outcome::AssertionFailed { .. });
        let fails = (0..60).any(fails);
        failing += u32::from(fails);
        let mut answers = Vec::new();
        let others = [Correction::Linear, Correction::MaxSat].map(StrategyKind::Inertial);
        for strategy in StrategyKind::ALL.into_iter().chain(others) {
            let deadline = std::time::Instant::now() + std::time::Duration::from_secs(2);
            let limits = Limits { bound: Some(3), eager_nodes: 100, deadline: Some(deadline), ..Limits::default() };
            let options = Options {
                entries: vec![entry],
                targets: Targets::Any,
                engine: EngineKind::Portfolio,
                strategy,
                solver: "auto".into(),
                limits,
                reduce: true,
            };
            let report = verify(&program, &mut terms, &options, &mut |_| {});
            assert!(report.incidents.is_empty(), "{:?}\n{text}", report.incidents);
            match report.verdict {
                Verdict::Safe => answers.push(true),
                Verdict::Unsafe(_) => answers.push(false),
                Verdict::Bounded { .. } | Verdict::Unknown(_) => {}
            }
        }
        assert!(!(fails && answers.contains(&true)), "called safe, but it fails:\n{text}");
        assert!(answers.windows(2).all(|w| w[0] == w[1]), "the strategies disagree:\n{text}");
        conclusive += u32::from(!answers.is_empty());
    }
    println!("{failing} of 120 programs fail when they run, {conclusive} are decided");
    assert!(failing >= 20 && conclusive >= 40, "{failing} fail, {conclusive} are decided: too few to say much");
}

#[test]
fn the_reduced_program_fails_where_the_given_one_does() {
    let mut numbers = Numbers(0xcafe);
    let (mut safe, mut unsafe_, mut compared) = (0, 0, 0);
    for _ in 0..40 {
        let text = numbers.program();
        let compiled = compile([Source::new("r.bpl", text.as_str())], &Default::default());
        let (program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
        let entry = entry_of(&program, "p0").expect("the first procedure");
        let count = program.assertions.len() as u32;
        let only = (0..count.min(3)).map(|a| Targets::Only(vec![AssertId(a)]));
        for targets in [Targets::Any, Targets::Each].into_iter().chain(only) {
            let mut check = |reduce: bool| {
                let deadline = std::time::Instant::now() + std::time::Duration::from_secs(2);
                let limits = Limits { bound: Some(3), eager_nodes: 100, deadline: Some(deadline), ..Limits::default() };
                let options = Options {
                    entries: vec![entry],
                    targets: targets.clone(),
                    engine: EngineKind::Unfold,
                    strategy: StrategyKind::default(),
                    solver: "auto".into(),
                    limits,
                    reduce,
                };
                let report = verify(&program, &mut terms, &options, &mut |_| {});
                assert!(report.incidents.is_empty(), "{:?}\n{text}", report.incidents);
                report
            };
            let (given, reduced) = (check(false), check(true));
            let conclusive = |v: &Verdict| match v {
                Verdict::Safe => Some(true),
                Verdict::Unsafe(_) => Some(false),
                Verdict::Bounded { .. } | Verdict::Unknown(_) => None,
            };
            if let (Some(a), Some(b)) = (conclusive(&given.verdict), conclusive(&reduced.verdict)) {
                assert_eq!(a, b, "{targets:?}\n{text}");
                compared += 1;
                safe += u32::from(a);
                unsafe_ += u32::from(!a);
            }
            for (i, (a, b)) in given.assertions.iter().zip(&reduced.assertions).enumerate() {
                let opposite = [(Fate::Proved, Fate::Failed), (Fate::Failed, Fate::Proved)];
                assert!(targets != Targets::Each || !opposite.contains(&(*a, *b)), "#{i}: {a:?}, {b:?}\n{text}");
            }
        }
    }
    println!("{compared} compared: {safe} safe, {unsafe_} unsafe");
    assert!(safe >= 15 && unsafe_ >= 15, "{compared} compared: too few to say much");
}

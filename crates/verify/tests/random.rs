//! Random programs: what the interpreter runs into, no strategy may call safe; and strategies that
//! answer agree. (A bug that a strategy reports has been replayed, so it needs no further check.)

mod common;

use common::{Language, Numbers};
use lariat_boogie::{analyze::Source, compile::compile, lower::entry_of};
use lariat_program::{
    AssertId,
    interp::{Interpreter, Options as RunOptions, Outcome, Random, TraceLevel},
};
use lariat_unfold::Limits;
use lariat_verify::{Correction, EngineKind, Fate, Options, StrategyKind, Targets, Verdict, verify};

const INTEGERS: Language =
    Language { prelude: "var g: int; var m: [int]int;\n", sort: "int", value: int, condition: comparison };

fn int(n: &mut Numbers, depth: u32) -> String {
    match n.below(if depth == 0 { 2 } else { 6 }) {
        0 => n.pick(&["x", "y", "g"]).into(),
        1 => format!("{}", n.below(5)),
        2 => format!("({} + {})", int(n, depth - 1), int(n, depth - 1)),
        3 => format!("({} - {})", int(n, depth - 1), int(n, depth - 1)),
        4 => format!("(if {} then {} else {})", comparison(n, depth - 1), int(n, depth - 1), int(n, depth - 1)),
        _ => format!("m[{}]", int(n, depth - 1)),
    }
}

fn comparison(n: &mut Numbers, depth: u32) -> String {
    let (a, b) = (int(n, depth), int(n, depth));
    format!("({a} {} {b})", n.pick(&["==", "!=", "<", "<=", ">"]))
}

#[test]
fn no_strategy_calls_a_program_safe_that_fails_when_it_runs() {
    let mut numbers = Numbers(0x5eed);
    let (mut failing, mut conclusive) = (0, 0);
    for _ in 0..120 {
        let text = INTEGERS.program(&mut numbers);
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
        let text = INTEGERS.program(&mut numbers);
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

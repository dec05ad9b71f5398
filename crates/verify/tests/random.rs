//! Random programs: what the interpreter runs into, no strategy may call safe; and strategies that
//! answer agree. (A bug that a strategy reports has been replayed, so it needs no further check.)

mod common;

use common::{Language, Numbers, check, compiled, conclusive, fails};
use lariat_program::AssertId;
use lariat_verify::{Correction, Engines, Fate, Options, StrategyKind, Targets};

const PRELUDE: &str = "var g: int; var m: [int]int;\n";

const INTEGERS: Language = Language { prelude: PRELUDE, sort: "int", value, condition };

fn value(numbers: &mut Numbers, depth: u32) -> String {
    match numbers.below(if depth == 0 { 2 } else { 6 }) {
        0 => numbers.pick(&["x", "y", "g"]).into(),
        1 => format!("{}", numbers.below(5)),
        2 => format!("({} + {})", value(numbers, depth - 1), value(numbers, depth - 1)),
        3 => format!("({} - {})", value(numbers, depth - 1), value(numbers, depth - 1)),
        4 => {
            let guard = condition(numbers, depth - 1);
            format!("(if {guard} then {} else {})", value(numbers, depth - 1), value(numbers, depth - 1))
        }
        _ => format!("m[{}]", value(numbers, depth - 1)),
    }
}

fn condition(numbers: &mut Numbers, depth: u32) -> String {
    let (a, b) = (value(numbers, depth), value(numbers, depth));
    format!("({a} {} {b})", numbers.pick(&["==", "!=", "<", "<=", ">"]))
}

#[test]
fn no_strategy_calls_a_program_safe_that_fails_when_it_runs() {
    let mut numbers = Numbers(0x5eed);
    let (mut failing, mut decided) = (0, 0);
    for _ in 0..120 {
        let text = INTEGERS.program(&mut numbers);
        let (program, mut terms, entry) = compiled(&text, "p0");
        let fails = fails(&program, &terms, entry, 60);
        failing += u32::from(fails);
        let others = [Correction::Linear, Correction::MaxSat].map(StrategyKind::Inertial);
        let strategies = StrategyKind::ALL.into_iter().chain(others);
        let answers: Vec<bool> = strategies
            .filter_map(|strategy| {
                conclusive(&check(&program, &mut terms, entry, Options { strategy, ..Options::default() }))
            })
            .collect();
        assert!(!(fails && answers.contains(&true)), "called safe, but it fails:\n{text}");
        assert!(answers.windows(2).all(|w| w[0] == w[1]), "the strategies disagree:\n{text}");
        decided += u32::from(!answers.is_empty());
    }
    println!("{failing} of 120 programs fail when they run, {decided} are decided");
    assert!(failing >= 20 && decided >= 40, "{failing} fail, {decided} are decided: too few to say much");
}

#[test]
fn the_reduced_program_fails_where_the_given_one_does() {
    let mut numbers = Numbers(0xcafe);
    let (mut safe, mut unsafe_, mut compared) = (0, 0, 0);
    for _ in 0..40 {
        let text = INTEGERS.program(&mut numbers);
        let (program, mut terms, entry) = compiled(&text, "p0");
        let count = program.assertions.len() as u32;
        let only = (0..count.min(3)).map(|a| Targets::Only(vec![AssertId(a)]));
        for targets in [Targets::Any, Targets::Each].into_iter().chain(only) {
            let [given, reduced] = [false, true].map(|reduce| {
                let engines = Engines::unfold();
                let options = Options { targets: targets.clone(), engines, reduce, ..Options::default() };
                check(&program, &mut terms, entry, options)
            });
            if let (Some(a), Some(b)) = (conclusive(&given), conclusive(&reduced)) {
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

//! Random programs without a bound, with every prover, every strategy and the interpreter compared on each.
//!
//! The options are those of [`USAGE`].
//!
//! Prints the seed of each program on which two answers contradict each other, with the smallest version of it that
//! still does so, and at the end who proved and refuted how many. `--seed N --count 1` asks about one program again,
//! `--show` prints programs instead.

#[path = "../tests/provers/batch.rs"]
mod batch;
#[path = "../tests/provers/compare.rs"]
mod compare;
#[path = "../tests/provers/generator.rs"]
mod generator;

use std::{
    ops::Range,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use compare::Effort;

const USAGE: &str = "usage: random_programs [--count N] [--seed N] [--time MILLISECONDS] [--runs N] [--threads N] \
                     [--engine NAME] [--show]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let is_known = |option: &&String| USAGE.contains(&format!("[{option}")) || *option == "--child";
    if let Some(option) = args.iter().filter(|a| a.starts_with('-')).find(|a| !is_known(a)) {
        eprintln!("there is no option {option}\n{USAGE}");
        return ExitCode::from(2);
    }
    let after = |name: &str| args.iter().position(|a| a == name).and_then(|at| args.get(at + 1));
    let number = |name: &str, otherwise: u64| after(name).and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let seeds = number("--seed", 1)..number("--seed", 1) + number("--count", 1000);
    let (time, runs) = (number("--time", 60), number("--runs", 1000));
    let all = lariat_verify::engines();
    let engine = |name: &String| all.iter().map(|e| e.name()).find(|e| e == name).expect("the name of an engine");
    let only = after("--engine").map(engine);
    if args.iter().any(|a| a == "--show") {
        seeds.for_each(|seed| println!("// seed {seed}\n{}", generator::program(seed).text()));
        return ExitCode::SUCCESS;
    }
    if args.iter().any(|a| a == "--child") {
        batch::child(seeds, Effort { time: Duration::from_millis(time), runs, only });
        return ExitCode::SUCCESS;
    }
    let this = std::env::current_exe().expect("the path of this program");
    let command = |seeds: Range<u64>| {
        let mut command = Command::new(&this);
        let (seed, count) = (seeds.start.to_string(), (seeds.end - seeds.start).to_string());
        command.args(["--child", "--seed", &seed, "--count", &count]);
        command.args(["--time", &time.to_string(), "--runs", &runs.to_string()]);
        if let Some(engine) = only {
            command.args(["--engine", engine]);
        }
        command
    };
    let started = Instant::now();
    let totals = batch::parent(seeds.clone(), number("--threads", 2), &command);
    println!("{} programs in {:.0} s", seeds.end - seeds.start, started.elapsed().as_secs_f64());
    for (name, counts) in [("are", &totals.kinds), ("proved by", &totals.proved), ("refuted by", &totals.refuted)] {
        counts.iter().for_each(|(what, count)| println!("{count:6} {name} {what}"));
    }
    println!("{} contradictions", totals.defects.len());
    ExitCode::from(u8::from(!totals.defects.is_empty()))
}

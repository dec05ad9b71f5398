//! Random programs without a bound: what one prover proves, no run violates and nobody refutes.
//!
//! `cargo run --release -p lariat-verify --example random_programs -- --count 10000` does the same with more programs.

mod batch;
mod compare;
mod generator;

use std::{ops::Range, process::Command, time::Duration};

use compare::Effort;

/// With the first seed and the one behind the last, in the environment of a child process.
const SEEDS: &str = "LARIAT_TEST_SEEDS";
const TEST: &str = "no_prover_proves_what_a_run_violates";

#[test]
fn no_prover_proves_what_a_run_violates() {
    let seeds = std::env::var(SEEDS).ok();
    let seeds = seeds.and_then(|s| s.split_once(' ').and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?)));
    if let Some(seeds) = seeds {
        return batch::child(seeds, Effort { time: Duration::from_millis(50), runs: 300, only: None });
    }
    let this = std::env::current_exe().expect("the path of this test");
    let command = |seeds: Range<u64>| {
        let mut command = Command::new(&this);
        command.args(["--exact", TEST, "--nocapture"]).env(SEEDS, format!("{} {}", seeds.start, seeds.end));
        command
    };
    let totals = batch::parent(1..201, 2, &command);
    println!("{totals:#?}");
    assert!(totals.defects.is_empty(), "{}", totals.defects.join("\n"));
    let (proved, failing) = (totals.kinds["proved"], totals.kinds["failing"]);
    // Few are proved where the machine is busy.
    assert!(proved >= 20 && failing >= 30, "{proved} proved, {failing} failing: too few to say much");
}

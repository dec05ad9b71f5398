//! How long interpolators take for traces of many steps and of steps with many ways: `long_traces [SECONDS]`.

use std::time::{Duration, Instant};

use lariat_interpolate::interpolator;
use lariat_smt::{Interpolants, Limits, SolverError};
use lariat_term::Terms;

#[path = "../tests/common/mod.rs"]
mod common;

fn main() -> Result<(), SolverError> {
    let seconds = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(10);
    for name in ["proof", "core", "horn", "auto"] {
        for (steps, ways) in [(100, 1), (300, 1), (6, 4), (8, 4), (20, 4), (8, 2), (40, 2)] {
            let mut terms = Terms::new();
            let parts = common::blocks(&mut terms, steps, ways);
            let mut by = interpolator(name)?;
            by.set_limits(Limits::time(Duration::from_secs(seconds)));
            let start = Instant::now();
            let found = by.sequence(&mut terms, &parts)?;
            let took = start.elapsed().as_secs_f64();
            let what = match &found {
                Interpolants::Sequence(all) => terms.display(all[steps / 2]).to_string().chars().take(100).collect(),
                other => format!("{other:?}"),
            };
            println!("{name}, {steps} steps of {ways} ways: {took:.2} s, {what}");
        }
    }
    Ok(())
}

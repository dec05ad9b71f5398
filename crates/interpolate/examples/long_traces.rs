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
        for (steps, ways, bits) in [
            (100, 1, None),
            (300, 1, None),
            (6, 4, None),
            (20, 4, None),
            (40, 2, None),
            (50, 1, Some(32)),
            (6, 4, Some(32)),
            (20, 2, Some(32)),
        ] {
            let mut terms = Terms::new();
            let parts = common::blocks(&mut terms, steps, ways, bits);
            let mut by = interpolator(name)?;
            by.set_limits(Limits::time(Duration::from_secs(seconds)));
            let start = Instant::now();
            let found = by.sequence(&mut terms, &parts)?;
            let took = start.elapsed().as_secs_f64();
            let what = match &found {
                Interpolants::Sequence(all) => terms.display(all[steps / 2]).to_string().chars().take(100).collect(),
                other => format!("{other:?}"),
            };
            let of = if bits.is_some() { "bits" } else { "integers" };
            println!("{name}, {steps} steps of {ways} ways, {of}: {took:.2} s, {what}");
        }
    }
    Ok(())
}

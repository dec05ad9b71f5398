//! `lariat solvers`: which solvers are there.

use std::fmt::Write;

use lariat_smt::solvers;

use crate::{diag::Reporter, exit::Exit};

pub fn run(reporter: &Reporter) -> Exit {
    let found = solvers::detect();
    let mut text = String::new();
    for s in &found {
        let place = s.path.as_ref().map_or("in process".into(), |p| p.display().to_string());
        let _ = writeln!(text, "{:<8} {:<12} {place}", s.name, s.version);
    }
    reporter.write(text.as_bytes())
}

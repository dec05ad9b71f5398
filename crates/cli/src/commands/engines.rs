//! `lariat engines`: which engines there are.

use std::fmt::Write;

use crate::{diag::Reporter, exit::Exit};

pub fn run(reporter: &Reporter) -> Exit {
    let mut text = String::new();
    for engine in lariat_verify::engines() {
        let _ = writeln!(text, "{:<16} {}", engine.name(), engine.about());
    }
    reporter.write(text.as_bytes())
}

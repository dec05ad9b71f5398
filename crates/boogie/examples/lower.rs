//! Lowers Boogie files and prints how it went: one line a file, and a summary.
//!
//! `cargo run --release -p lariat-boogie --example lower -- [--modular] [--ir] FILE…`

use std::time::Instant;

use lariat_boogie::analyze::Source;
use lariat_boogie::compile::{Options, compile};
use lariat_boogie::lower::Mode;
use lariat_program::text;

fn main() {
    let mut options = Options::default();
    let (mut ir, mut files) = (false, Vec::new());
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--modular" => options.lower.mode = Mode::Modular,
            "--ir" => ir = true,
            _ => files.push(arg),
        }
    }
    let (mut bytes, mut seconds, mut accepted) = (0, 0.0, 0);
    for file in &files {
        let Ok(source) = std::fs::read_to_string(file) else {
            println!("{file}: cannot be read");
            continue;
        };
        let size = source.len();
        let start = Instant::now();
        let compiled = compile([Source::new(file.as_str(), source)], &options);
        let time = start.elapsed().as_secs_f64();
        (bytes, seconds) = (bytes + size, seconds + time);
        print!("{}", compiled.diagnostics.display(&compiled.sources));
        if let Some(program) = &compiled.program {
            accepted += 1;
            println!("{file}: {} regions, {} terms, {:.1} ms", program.regions.len(), compiled.terms.len(), time * 1e3);
            if ir {
                println!("{}", text::print(program, &compiled.terms));
            }
        }
    }
    let speed = bytes as f64 / 1e6 / seconds;
    println!("{accepted} of {} files accepted, {bytes} bytes, {speed:.1} MB/s", files.len());
}

//! Interpolants of many random problems, all checked: `random_interpolants [CONJUNCTIONS [STRUCTURED [SEED]]]`,
//! by default 10,000 refuted conjunctions and 1,000 refuted formulas with structure.

use std::time::Instant;

use lariat_interpolate::ProofInterpolator;

#[path = "../tests/common/mod.rs"]
mod common;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|a| a.parse::<usize>().ok());
    let (conjunctions, structured) = (args.next().unwrap_or(10_000), args.next().unwrap_or(1_000));
    let seed = args.next().unwrap_or(1) as u64;
    let mut by = ProofInterpolator::new();
    for (what, n, boolean, calls) in [
        ("conjunctions", conjunctions, false, false),
        ("with structure", structured, true, false),
        ("with calls", structured, false, true),
    ] {
        for kind in common::KINDS {
            let start = Instant::now();
            match common::run(&mut by, seed, n / common::KINDS.len(), boolean, calls, &[kind]) {
                Ok(counts) => println!("{what}, {kind:?}: {counts:?} in {:.1} s", start.elapsed().as_secs_f64()),
                Err(wrong) => {
                    eprintln!("{what}, {kind:?}: {wrong}");
                    std::process::exit(1);
                }
            }
        }
    }
}

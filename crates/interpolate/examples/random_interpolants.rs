//! Interpolants of many random problems, all checked: `random_interpolants [CONJUNCTIONS [STRUCTURED [SEED [KIND]]]]`,
//! by default 10,000 refuted conjunctions and 1,000 refuted formulas with structure, a fifth of each kind.

use std::time::Instant;

use lariat_interpolate::ProofInterpolator;

#[path = "../tests/common/mod.rs"]
mod common;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|a| a.parse::<usize>().ok());
    let (conjunctions, structured) = (args.next().unwrap_or(10_000), args.next().unwrap_or(1_000));
    let seed = args.next().unwrap_or(1) as u64;
    let only = std::env::args().nth(4);
    for (what, n, boolean, calls, own) in [
        ("conjunctions", conjunctions, false, false, true),
        ("with structure", structured, true, false, true),
        ("with structure, and a solver's help", structured, true, false, false),
        ("with calls", structured, false, true, true),
    ] {
        let mut by = if own { ProofInterpolator::rules_only() } else { ProofInterpolator::new() };
        for kind in common::KINDS.into_iter().filter(|k| only.as_ref().is_none_or(|o| format!("{k:?}") == *o)) {
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

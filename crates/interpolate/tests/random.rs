//! Random problems: decisions agree with Z3, and interpolants pass all checks. `examples/random_interpolants.rs` does many more.

mod common;

use common::{KINDS, run};
use lariat_interpolate::ProofInterpolator;

#[test]
fn conjunctions() {
    for kind in KINDS {
        let counts = run(&mut ProofInterpolator::rules_only(), 1, 40, false, false, &[kind])
            .unwrap_or_else(|e| panic!("{kind:?}: {e}"));
        println!("{kind:?}: {counts:?}");
    }
}

#[test]
fn boolean_structure() {
    for (mut by, calls) in
        [(ProofInterpolator::new(), false), (ProofInterpolator::rules_only(), false), (ProofInterpolator::new(), true)]
    {
        let counts = run(&mut by, 2, 40, true, calls, &KINDS).unwrap_or_else(|e| panic!("{e}"));
        println!("{counts:?}");
    }
}

#[test]
fn calls() {
    let counts = run(&mut ProofInterpolator::new(), 3, 80, false, true, &KINDS).unwrap_or_else(|e| panic!("{e}"));
    println!("{counts:?}");
}

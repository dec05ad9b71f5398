//! Long traces are no problem.

mod common;

use common::blocks;
use lariat_interpolate::{AutoInterpolator, ProofInterpolator};
use lariat_smt::{Interpolants, Interpolator};
use lariat_term::{Sort, Terms};

#[test]
fn a_long_path() {
    let mut t = Terms::new();
    let parts = blocks(&mut t, 100, 1);
    let Interpolants::Sequence(found) = ProofInterpolator::new().sequence(&mut t, &parts).unwrap() else { panic!() };
    let (x, y) = (t.var("x50", Sort::INT), t.var("y50", Sort::INT));
    assert_eq!(found[50], t.eq(x, y));
}

#[test]
fn blocks_with_many_ways() {
    let mut t = Terms::new();
    // One path after the other would take forever; Horn clauses go block by block.
    let parts = blocks(&mut t, 12, 4);
    let Interpolants::Sequence(found) = AutoInterpolator::new().sequence(&mut t, &parts).unwrap() else { panic!() };
    let (x, y) = (t.var("x6", Sort::INT), t.var("y6", Sort::INT));
    assert_eq!(found[6], t.eq(x, y));
}

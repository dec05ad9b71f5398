//! Long traces are no problem.

mod common;

use common::blocks;
use lariat_interpolate::{ProofInterpolator, interpolator};
use lariat_smt::{Interpolants, Interpolator};
use lariat_term::{Sort, Terms};

#[test]
fn a_long_path() {
    let mut t = Terms::new();
    let parts = blocks(&mut t, 100, 1, None);
    let Interpolants::Sequence(found) = ProofInterpolator::new().sequence(&mut t, &parts).unwrap() else { panic!() };
    let (x, y) = (t.var("x50", Sort::INT), t.var("y50", Sort::INT));
    assert_eq!(found[50], t.eq(x, y));
}

#[test]
fn blocks_with_many_ways() {
    let mut t = Terms::new();
    // One path after the other would take forever.
    for bits in [None, Some(32)] {
        let parts = blocks(&mut t, 12, 4, bits);
        let sort = bits.map_or(Sort::INT, |w| t.bv_sort(w));
        let (x, y) = (t.var("x6", sort), t.var("y6", sort));
        for name in ["proof", "auto"] {
            let mut by = interpolator(name).unwrap();
            let Interpolants::Sequence(found) = by.sequence(&mut t, &parts).unwrap() else { panic!("{name}") };
            assert_eq!(found[6], t.eq(x, y), "{}", t.display(found[6]));
        }
    }
}

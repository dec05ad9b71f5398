//! Equations over the integers: which of them have no solution together although they have one over the rationals.
//!
//! Out comes a rational combination of the equations whose coefficients are integers while its constant is none. It is found by
//! bringing the matrix into Hermite's form by steps on columns, which change neither a row's greatest common divisor nor which combinations have
//! integer coefficients.

use dashu_base::Abs;
use dashu_int::{IBig, ops::DivRem};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

use crate::linear::{Linear, Unknown};

/// Multiples of equations `linear = 0`, by their numbers, whose sum has integer coefficients and a constant that is not an integer.
pub fn refute(equations: &[Linear]) -> Option<Vec<(usize, RBig)>> {
    let mut columns: FxHashMap<Unknown, usize> = FxHashMap::default();
    let mut rows: Vec<Vec<IBig>> = Vec::new();
    let mut constants: Vec<RBig> = Vec::new();
    let mut combinations: Vec<FxHashMap<usize, RBig>> = Vec::new();
    for (i, e) in equations.iter().enumerate() {
        let factor = e.primitive_factor();
        let mut row = vec![IBig::ZERO; columns.len()];
        for (u, c) in &e.terms {
            let n = columns.len();
            let column = *columns.entry(*u).or_insert(n);
            if column >= row.len() {
                row.resize(column + 1, IBig::ZERO);
            }
            row[column] = (c * &factor).numerator().clone();
        }
        rows.push(row);
        constants.push(&e.constant * &factor);
        combinations.push([(i, factor)].into_iter().collect());
    }
    let width = columns.len();
    rows.iter_mut().for_each(|r| r.resize(width, IBig::ZERO));
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for i in 0..rows.len() {
        // What earlier rows say of their pivots.
        for &(j, column) in &pivots {
            if rows[i][column].is_zero() {
                continue;
            }
            let m = -RBig::from_parts_signed(rows[i][column].clone(), rows[j][column].clone());
            rows[i][column] = IBig::ZERO;
            let change = &constants[j] * &m;
            constants[i] += change;
            for (k, c) in combinations[j].clone() {
                *combinations[i].entry(k).or_default() += c * &m;
            }
        }
        // Euclid's algorithm on the columns leaves one entry in the row.
        let pivot = loop {
            let entries: Vec<usize> = (0..width).filter(|&k| !rows[i][k].is_zero()).collect();
            let Some(&least) = entries.iter().min_by_key(|&&k| (&rows[i][k]).abs()) else { break None };
            if entries.len() == 1 {
                break Some(least);
            }
            for &k in &entries {
                if k != least {
                    let (q, _) = (&rows[i][k]).div_rem(&rows[i][least]);
                    for row in &mut rows[i..] {
                        let change = &row[least] * &q;
                        row[k] -= change;
                    }
                }
            }
        };
        let divisor = match pivot {
            Some(k) => rows[i][k].clone(),
            None if constants[i].is_zero() => continue,
            // Not even rational: that is not our business.
            None => return None,
        };
        let share = &constants[i] / RBig::from(divisor.clone());
        if !share.is_int() {
            let by = RBig::from(divisor);
            let mut all: Vec<(usize, RBig)> = combinations[i].iter().map(|(k, c)| (*k, c / &by)).collect();
            all.retain(|(_, c)| !c.is_zero());
            all.sort_by_key(|(k, _)| *k);
            return Some(all);
        }
        if let Some(k) = pivot {
            pivots.push((i, k));
        }
    }
    None
}

/// The part of a combination that does not vanish modulo one: what it says of its unknowns is that this is an integer.
pub fn fraction(linear: &Linear) -> Linear {
    let part = |c: &RBig| c - RBig::from(c.floor());
    let terms = linear.terms.iter().map(|(u, c)| (*u, part(c))).filter(|(_, c)| !c.is_zero());
    Linear { terms: terms.collect(), constant: part(&linear.constant) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(terms: &[(Unknown, i32)], constant: i32) -> Linear {
        Linear { terms: terms.iter().map(|&(u, c)| (u, RBig::from(c))).collect(), constant: RBig::from(constant) }
    }

    #[test]
    fn even_and_odd() {
        // y = 2x, y = 2z + 1
        let all = [linear(&[(0, 2), (1, -1)], 0), linear(&[(1, -1), (2, 2)], 1)];
        let c = refute(&all).unwrap();
        let mut sum = Linear::default();
        c.iter().for_each(|(i, m)| sum.add(&all[*i], m));
        assert!(fraction(&sum).terms.is_empty() && !sum.constant.is_int());
        assert!(refute(&all[..1]).is_none());
        assert!(refute(&[linear(&[(0, 3), (1, 5)], 1), linear(&[(0, 1), (1, 1)], 7)]).is_none());
    }
}

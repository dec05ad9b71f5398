//! Affine relations between bit-vectors of one width: which linear equations, modulo a power of two, some points have in common.
//!
//! The domain of Müller-Olm and Seidl, made from points: at first each variable is what it is at the first point; each further point leaves those
//! combinations of the equations that it satisfies, too. Equations modulo a smaller power of two are kept only if that is small, so that few points are needed.

use dashu_int::UBig;
use lariat_term::{Op, Term, Terms};

/// Of how many bits, from the lowest one, an equation is kept that does not hold of all.
const LOW: u32 = 4;
/// The largest factor in an equation that is claimed.
const FACTOR: u64 = 64;

/// Equations `Σ factor · variable = constant`, modulo 2^width.
pub(crate) struct Affine {
    width: u32,
    first: Vec<u64>,
    equations: Vec<Vec<u64>>,
}

impl Affine {
    /// The equations of a single point.
    pub fn of(width: u32, point: Vec<u64>) -> Affine {
        let unit = |i: usize| (0..point.len()).map(|j| u64::from(i == j)).collect();
        Affine { width, equations: (0..point.len()).map(unit).collect(), first: point }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// Leaves what holds of this point, too.
    pub fn join(&mut self, point: &[u64]) {
        let mask = self.mask();
        let step: Vec<u64> = point.iter().zip(&self.first).map(|(a, b)| a.wrapping_sub(*b) & mask).collect();
        let off: Vec<u64> = self.equations.iter().map(|e| product(e, &step) & mask).collect();
        // The equation that is off by the smallest power of two makes up for the others.
        let worst = (0..off.len()).filter(|&i| off[i] != 0).min_by_key(|&i| off[i].trailing_zeros());
        let Some(worst) = worst else { return };
        let power = off[worst].trailing_zeros();
        let inverse = inverse(off[worst] >> power);
        let pivot = self.equations[worst].clone();
        for (equation, &off) in self.equations.iter_mut().zip(&off) {
            let times = (off >> power).wrapping_mul(inverse);
            for (factor, &p) in equation.iter_mut().zip(&pivot) {
                *factor = factor.wrapping_sub(times.wrapping_mul(p)) & mask;
            }
        }
        // Of that one itself, the lowest bits are left.
        let common = pivot.iter().filter(|&&p| p != 0).map(|p| p.trailing_zeros()).min().unwrap_or(0);
        self.equations[worst] = match power.saturating_sub(common) {
            1..=LOW => pivot.iter().map(|&p| p << (self.width - power) & mask).collect(),
            _ => Vec::new(),
        };
        self.equations.retain(|equation| equation.iter().any(|&f| f != 0));
    }

    /// The equations about these variables that are simple enough to be claimed.
    pub fn claims(&self, terms: &mut Terms, vars: &[Term]) -> Vec<Term> {
        self.equations.iter().filter_map(|equation| self.claim(terms, vars, equation)).collect()
    }

    fn claim(&self, terms: &mut Terms, vars: &[Term], equation: &[u64]) -> Option<Term> {
        let common = equation.iter().filter(|&&f| f != 0).map(|f| f.trailing_zeros()).min()?;
        let width = self.width - common;
        let signed = |f: u64| ((f >> common << (64 - width)) as i64) >> (64 - width);
        let mut sum = Vec::new();
        for (&factor, &var) in equation.iter().zip(vars) {
            let factor = signed(factor);
            if factor == 0 {
                continue;
            }
            if factor.unsigned_abs() > FACTOR {
                return None;
            }
            let var = if common == 0 { var } else { terms.extract(width - 1, 0, var) };
            let number = terms.bv(width, UBig::from(factor as u64 & (u64::MAX >> (64 - width))));
            sum.push(terms.mk(Op::BvMul, &[number, var]));
        }
        let constant = (product(equation, &self.first) & self.mask()) >> common;
        let constant = terms.bv(width, UBig::from(constant));
        let sum = if sum.len() == 1 { sum[0] } else { terms.mk(Op::BvAdd, &sum) };
        Some(terms.eq(sum, constant))
    }
}

fn product(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).fold(0, |sum, (&x, &y)| sum.wrapping_add(x.wrapping_mul(y)))
}

/// Of an odd number, modulo 2^64 (Newton).
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |i, _| i.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(i))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equations(width: u32, points: &[[u64; 3]]) -> Vec<Vec<u64>> {
        let mut affine = Affine::of(width, points[0].to_vec());
        points[1..].iter().for_each(|p| affine.join(p));
        let mask = affine.mask();
        for point in points {
            for e in &affine.equations {
                assert_eq!(product(e, point) & mask, product(e, &affine.first) & mask);
            }
        }
        affine.equations
    }

    #[test]
    fn factors_of_any_size_are_met() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(64);
        let vars = [terms.var("x", sort), terms.var("y", sort)];
        let half = 1 << 63;
        let affine = Affine { width: 64, first: vec![1, 2], equations: vec![vec![1, half], vec![half, 0]] };
        // The first has too large a factor; the second is about the lowest bit.
        assert_eq!(affine.claims(&mut terms, &vars).len(), 1);
    }

    #[test]
    fn what_points_have_in_common_is_left() {
        // x + y = n
        let all = equations(8, &[[0, 7, 7], [1, 6, 7], [0, 200, 200], [5, 250, 255]]);
        assert_eq!(all.len(), 1);
        let by = all[0][0].wrapping_mul(inverse(all[0][2])) & 255;
        assert_eq!((all[0][0], by), (all[0][1], 255));
        // x is even, y any number, z constant
        let all = equations(8, &[[0, 0, 9], [2, 1, 9], [6, 1, 9], [4, 6, 9], [2, 0, 9]]);
        assert_eq!(all.len(), 2);
        assert!(all.contains(&vec![0, 0, 1]) && all.contains(&vec![128, 0, 0]), "{all:?}");
        assert_eq!(equations(8, &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), Vec::<Vec<u64>>::new());
    }
}

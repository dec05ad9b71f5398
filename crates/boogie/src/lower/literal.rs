//! Literals.

use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use lariat_term::{Op, RoundingMode as TermMode, Term};

use super::Lower;
use crate::syntax::{FloatLit, FloatValue, Name, RoundingMode};
use lariat_source::{DiagnosticKind, Span};

/// How many digits or powers a literal may have, so that a short text cannot ask for a huge number.
const MAX_POWER: i64 = 100_000;

impl Lower<'_> {
    pub(super) fn int_literal(&mut self, digits: Name) -> Term {
        let text = self.ast.text(digits);
        let value = match i64::from_str(text) {
            Ok(small) => IBig::from(small),
            Err(_) => IBig::from_str(text).unwrap_or(IBig::ZERO),
        };
        self.terms.int(value)
    }

    pub(super) fn bv_literal(&mut self, digits: Name, width: u32, span: Span) -> Term {
        let value = UBig::from_str(self.ast.text(digits)).unwrap_or(UBig::ZERO);
        if width == 0 {
            self.unsupported(span, "bit-vectors of width 0 are not supported");
        }
        self.terms.bv(width.max(1), value)
    }

    /// `1.5`, `2e3`, `1.5e-3`
    pub(super) fn real_literal(&mut self, text: Name, span: Span) -> Term {
        let text = self.ast.text(text);
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let power = i64::from_str(power).ok().and_then(|power| power.checked_sub(fraction.len() as i64));
        let Some(power) = power.filter(|power| power.abs() <= MAX_POWER) else {
            let message = format!("this literal has an exponent above {MAX_POWER} or as many decimals");
            self.diags.error(DiagnosticKind::Limit, span, message);
            return self.terms.real(IBig::ZERO);
        };
        let digits = IBig::from_str(&format!("{integer}{fraction}")).unwrap_or(IBig::ZERO);
        let scale = UBig::from(10u8).pow(power.unsigned_abs() as usize);
        let value = match power < 0 {
            true => RBig::from_parts(digits, scale),
            false => RBig::from(digits * IBig::from(scale)),
        };
        self.terms.real(value)
    }

    /// A float by its bits; the value must be exactly representable.
    pub(super) fn float_literal(&mut self, text: Name, span: Span) -> Term {
        let Some(lit) = FloatLit::parse(self.ast.text(text)) else {
            self.diags.error(DiagnosticKind::Limit, span, "this float literal is too large");
            return self.dummy(lariat_term::Sort::REAL);
        };
        let (exp, sig) = (lit.exponent.max(2), lit.significand.max(2));
        if exp > 60 || sig > 10_000 {
            self.diags.error(DiagnosticKind::Limit, span, "this float format is too large");
            return self.dummy(lariat_term::Sort::REAL);
        }
        let bits = match lit.value {
            FloatValue::NaN => Some(all_ones(exp + 1) << (sig as usize - 2)),
            FloatValue::Infinity { negative } => Some(signed(negative, exp, sig, all_ones(exp) << (sig as usize - 1))),
            FloatValue::Finite { negative, integer, fraction, power } => {
                finite(exp, sig, integer, fraction, power).map(|bits| signed(negative, exp, sig, bits))
            }
        };
        let Some(bits) = bits else {
            let sizes = format!("float{}e{}", lit.significand, lit.exponent);
            self.diags.error(DiagnosticKind::Type, span, format!("this literal is not a value of type {sizes}"));
            return self.dummy(lariat_term::Sort::REAL);
        };
        let bits = self.terms.bv(exp + sig, bits);
        self.terms.mk(Op::FpFromBits { exp, sig }, &[bits])
    }

    pub(super) fn rounding(&mut self, mode: RoundingMode) -> Term {
        self.terms.rounding_mode(match mode {
            RoundingMode::Rne => TermMode::Rne,
            RoundingMode::Rna => TermMode::Rna,
            RoundingMode::Rtp => TermMode::Rtp,
            RoundingMode::Rtn => TermMode::Rtn,
            RoundingMode::Rtz => TermMode::Rtz,
        })
    }

    /// A string literal: a solver's own constant, by its SMT-LIB text.
    pub(super) fn string_literal(&mut self, text: Name) -> Term {
        let text = format!("\"{}\"", self.ast.text(text).replace('"', "\"\""));
        let sort = self.terms.builtin_sort("String");
        match self.terms.declare_func(&text, &[], sort, Some(&text)) {
            Ok(func) => self.terms.app(func, &[]),
            Err(_) => self.dummy(sort),
        }
    }
}

fn all_ones(width: u32) -> UBig {
    (UBig::ONE << width as usize) - UBig::ONE
}

fn signed(negative: bool, exp: u32, sig: u32, bits: UBig) -> UBig {
    match negative {
        true => bits | (UBig::ONE << (exp + sig - 1) as usize),
        false => bits,
    }
}

/// The bits of a positive number, or `None` if it is not a value of the format.
fn finite(exp: u32, sig: u32, integer: &str, fraction: &str, power: &str) -> Option<UBig> {
    use dashu_base::BitTest;
    let mut mantissa = UBig::from_str_radix(&format!("{integer}{fraction}"), 16).ok()?;
    let power = i64::from_str(power).ok().filter(|power| power.abs() <= 1 << 58)?;
    let mut scale = power.checked_mul(4)?.checked_sub(fraction.len() as i64 * 4)?;
    if mantissa == UBig::ZERO {
        return Some(UBig::ZERO);
    }
    // mantissa * 2^scale, with an odd mantissa.
    let zeros = mantissa.trailing_zeros()?;
    mantissa >>= zeros;
    scale += zeros as i64;
    let bias = (1i64 << (exp - 1)) - 1;
    let (smallest, largest) = (1 - bias, bias);
    let len = mantissa.bit_len() as i64;
    let top = scale + len - 1;
    let last = top.max(smallest) - (i64::from(sig) - 1);
    if top > largest || scale < last {
        return None;
    }
    let significand = mantissa << (scale - last) as usize;
    let exponent = if top < smallest { 0 } else { top + bias };
    let hidden = if exponent == 0 { UBig::ZERO } else { UBig::ONE << (sig as usize - 1) };
    Some((UBig::from(exponent as u64) << (sig as usize - 1)) + significand - hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> Option<u64> {
        let lit = FloatLit::parse(text)?;
        let FloatValue::Finite { integer, fraction, power, .. } = lit.value else { return None };
        finite(lit.exponent, lit.significand, integer, fraction, power).and_then(|bits| u64::try_from(bits).ok())
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(bits("0x1.0e0f24e8"), Some(u64::from(1f32.to_bits())));
        assert_eq!(bits("0x1.8e1f24e8"), Some(u64::from(24f32.to_bits())));
        assert_eq!(bits("0x0.8e0f53e11"), Some(0.5f64.to_bits()));
        assert_eq!(bits("0x0.0e0f24e8"), Some(0));
        // The smallest subnormal is 2^-149 = 8 * 16^-38.
        assert_eq!(bits("0x8.0e-38f24e8"), Some(1));
        assert_eq!(bits("0x4.0e-38f24e8"), None);
        assert_eq!(bits("0x1.0e32f24e8"), None);
        assert_eq!(bits("0xF.FFFFFe0f24e8"), Some(u64::from(15.999_999_f32.to_bits())));
        assert_eq!(bits("0x1.0000001e0f24e8"), None);
    }
}

//! The parts of a float literal.

use super::MAX_FLOAT_BITS;

/// A float literal taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLit<'a> {
    /// Bits of the significand, the hidden one included.
    pub significand: u32,
    /// Bits of the exponent.
    pub exponent: u32,
    /// The value.
    pub value: FloatValue<'a>,
}

/// The value of a float literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatValue<'a> {
    /// `0NaN24e8`
    NaN,
    /// `0+oo24e8`, `0-oo24e8`
    Infinity {
        /// The sign.
        negative: bool,
    },
    /// `-0xI.FeXf24e8`: the hexadecimal number `I.F` times **16** to the power of `X` (Boogie's
    /// exponent counts hexadecimal digits).
    Finite {
        /// The sign.
        negative: bool,
        /// Hexadecimal digits before the point.
        integer: &'a str,
        /// Hexadecimal digits after the point.
        fraction: &'a str,
        /// The decimal exponent of 16, maybe with a minus sign.
        power: &'a str,
    },
}

impl<'a> FloatLit<'a> {
    /// Takes the text of an [`ExprKind::Float`](super::ExprKind::Float) apart. `None` if it is not
    /// a float literal, or if one of its sizes does not fit 32 bits.
    ///
    /// ```
    /// use lariat_boogie::syntax::{FloatLit, FloatValue};
    /// let lit = FloatLit::parse("-0x1.8e-3f24e8").unwrap();
    /// assert_eq!((lit.significand, lit.exponent), (24, 8));
    /// let value = FloatValue::Finite { negative: true, integer: "1", fraction: "8", power: "-3" };
    /// assert_eq!(lit.value, value);
    /// assert_eq!(FloatLit::parse("0-oo11e5").unwrap().value, FloatValue::Infinity { negative: true });
    /// ```
    pub fn parse(text: &'a str) -> Option<FloatLit<'a>> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if let Some(hex) = unsigned.strip_prefix("0x") {
            let (integer, rest) = hex.split_once('.')?;
            let (rest, sizes) = rest.rsplit_once('f')?;
            // The last `e` is the exponent's: those before it are hexadecimal digits.
            let (fraction, power) = rest.rsplit_once('e')?;
            let value = FloatValue::Finite { negative, integer, fraction, power };
            return FloatLit::with_sizes(sizes, value);
        }
        for (prefix, value) in [
            ("0NaN", FloatValue::NaN),
            ("0nan", FloatValue::NaN),
            ("0+oo", FloatValue::Infinity { negative: false }),
            ("0-oo", FloatValue::Infinity { negative: true }),
        ] {
            if let Some(sizes) = text.strip_prefix(prefix) {
                return FloatLit::with_sizes(sizes, value);
            }
        }
        None
    }

    /// Why Boogie rejects the literal, if it does: the format must be one that exists, and a finite
    /// value must be one of its values exactly.
    pub fn problem(&self) -> Option<&'static str> {
        if self.significand < 2 || self.exponent < 2 {
            return Some("significand and exponent need at least two bits each");
        }
        if self.significand > MAX_FLOAT_BITS || self.exponent > MAX_FLOAT_BITS {
            return Some("its format is too large");
        }
        let FloatValue::Finite { integer, fraction, power, .. } = self.value else {
            return None;
        };
        let (Some(first), Some(last)) = (extreme_bit(integer, fraction, true), extreme_bit(integer, fraction, false))
        else {
            return None; // zero
        };
        // Saturate what no format that Lariat knows could hold, so that nothing overflows below.
        const FAR: i64 = 1 << 58;
        let power = match power.parse::<i64>() {
            Ok(power) => power.clamp(-FAR, FAR),
            Err(_) if power.starts_with('-') => -FAR,
            Err(_) => FAR,
        };
        let first = first + 4 * power;
        let last = last + 4 * power;
        let largest = (1i64 << (self.exponent.min(60) - 1)) - 1;
        let smallest = 1 - largest - (i64::from(self.significand) - 1);
        if first > largest {
            return Some("it is too large for its format");
        }
        if last < smallest {
            return Some("it is too small for its format");
        }
        if first - last >= i64::from(self.significand) {
            return Some("it has more digits than its format");
        }
        None
    }

    fn with_sizes(sizes: &str, value: FloatValue<'a>) -> Option<FloatLit<'a>> {
        let (significand, exponent) = parse_sizes(sizes)?;
        Some(FloatLit { significand, exponent, value })
    }
}

/// The position of the highest or lowest bit that is set in the hexadecimal number
/// `integer.fraction`, where the bit of value one has position 0; `None` for zero.
fn extreme_bit(integer: &str, fraction: &str, highest: bool) -> Option<i64> {
    let mut digits = integer.bytes().chain(fraction.bytes()).enumerate();
    let nonzero = |&(_, digit): &(usize, u8)| digit != b'0';
    let (index, digit) = match highest {
        true => digits.find(nonzero)?,
        false => digits.filter(nonzero).last()?,
    };
    let value = (digit as char).to_digit(16)?;
    let bit = match highest {
        true => value.ilog2(),
        false => value.trailing_zeros(),
    };
    Some(4 * (integer.len() as i64 - 1 - index as i64) + i64::from(bit))
}

/// Reads `24e8` as the pair (24, 8).
pub(super) fn parse_sizes(text: &str) -> Option<(u32, u32)> {
    let (significand, exponent) = text.split_once('e')?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(significand) || !digits(exponent) {
        return None;
    }
    Some((significand.parse().ok()?, exponent.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(text: &str) -> bool {
        FloatLit::parse(text).unwrap().problem().is_none()
    }

    #[test]
    fn a_literal_must_be_exactly_a_value_of_its_format() {
        assert!(fits("0x0.0e0f2e2") && !fits("0x0.0e0f1e2") && !fits("0x0.0e0f2e1"));
        // The smallest and largest single precision powers of two.
        assert!(fits("0x0.000008e-32f24e8") && !fits("0x0.000004e-32f24e8"));
        assert!(fits("0x0.8e32f24e8") && !fits("0x1.0e32f24e8"));
        // 24 bits of significand.
        assert!(fits("0x0.ffffffe0f24e8") && fits("-0x10.0fe0f24e8"));
        assert!(!fits("0x1.ffffffe0f24e8") && !fits("-0x1.ffffffe0f24e8"));
        assert!(fits("0NaN24e8") && fits("0+oo24e8") && !fits("0-oo1e8"));
        let huge = "99999999999999999999";
        assert!(fits(&format!("0x0.0e{huge}f24e8")) && !fits(&format!("0x1.0e{huge}f24e8")));
        assert!(!fits(&format!("0x1.0e-{huge}f24e99")));
        assert!(fits("0x1.0e137438953471f24e40") && !fits("0x1.0e137438953472f24e40"));
    }

    #[test]
    fn the_exponent_is_told_from_hexadecimal_digits() {
        let lit = FloatLit::parse("0xe.eee4f53e11").unwrap();
        let value = FloatValue::Finite { negative: false, integer: "e", fraction: "ee", power: "4" };
        assert_eq!(lit.value, value);
        assert_eq!((lit.significand, lit.exponent), (53, 11));
        assert_eq!(FloatLit::parse("0NaN24"), None);
        assert_eq!(FloatLit::parse("0NaN24e99999999999"), None);
        assert_eq!(FloatLit::parse("12"), None);
    }
}

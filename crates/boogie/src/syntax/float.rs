//! The parts of a float literal.

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

    fn with_sizes(sizes: &str, value: FloatValue<'a>) -> Option<FloatLit<'a>> {
        let (significand, exponent) = parse_sizes(sizes)?;
        Some(FloatLit { significand, exponent, value })
    }
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

//! Values as C writes them.

use dashu_int::{IBig, UBig, ops::BitTest};
use lariat_source::Raw;
use lariat_term::{BitVec, Float, Value};

use crate::module::{DebugType, DebugTypeId, DebugTypeKind};

use super::types::strip;

/// How many characters of a string literal are shown.
const MAX_TEXT: usize = 40;

/// A value that is no pointer, as its type says; without a type a signed number.
pub fn scalar(types: &[DebugType], value: &Value, ty: Option<DebugTypeId>) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Float(f) => float(f),
        Value::BitVec(bits) => integer(types, bits, ty),
        _ => "?".into(),
    }
}

fn integer(types: &[DebugType], bits: &BitVec, ty: Option<DebugTypeId>) -> String {
    let kind = ty.map(|ty| &types[strip(types, ty).index()].kind);
    match kind {
        Some(_) if ty.is_some_and(|ty| is_address(types, ty)) => format!("{:#x}", bits.bits()),
        Some(DebugTypeKind::Unsigned) => bits.bits().to_string(),
        Some(DebugTypeKind::Bool) if *bits.bits() <= UBig::ONE => (!bits.is_zero()).to_string(),
        Some(DebugTypeKind::Bool) => bits.bits().to_string(),
        Some(DebugTypeKind::Char { signed }) => {
            let number = if *signed { bits.to_signed() } else { IBig::from(bits.bits().clone()) };
            match u8::try_from(bits.bits()).ok().and_then(character) {
                Some(character) => format!("{number} '{character}'"),
                None => number.to_string(),
            }
        }
        Some(DebugTypeKind::Enum(constants)) => {
            let (signed, unsigned) = (bits.to_signed(), IBig::from(bits.bits().clone()));
            let found = constants.iter().find(|(_, v)| IBig::from(*v) == signed || IBig::from(*v) == unsigned);
            found.map_or_else(|| signed.to_string(), |(name, _)| name.clone())
        }
        Some(DebugTypeKind::Float) => pattern(bits),
        _ => bits.to_signed().to_string(),
    }
}

/// A value as a machine has it.
pub fn raw(types: &[DebugType], value: &Value, ty: Option<DebugTypeId>) -> Raw {
    let kind = ty.map(|ty| &types[strip(types, ty).index()].kind);
    match (value, kind) {
        (Value::Bool(b), _) => Raw::Integer { bits: 8, signed: false, value: u8::from(*b).to_string() },
        (Value::Float(f), _) => match (f.exp(), f.sig()) {
            (8, 24) | (11, 53) => Raw::Float { bits: f.exp() + f.sig(), pattern: f.bits().to_string() },
            _ => Raw::Other,
        },
        (Value::BitVec(b), Some(DebugTypeKind::Float)) => match b.width() {
            32 | 64 => Raw::Float { bits: b.width(), pattern: b.bits().to_string() },
            _ => Raw::Other,
        },
        (Value::BitVec(b), kind) if matches!(b.width(), 1..=64) => {
            let signed = match kind {
                Some(DebugTypeKind::Unsigned | DebugTypeKind::Bool | DebugTypeKind::Pointer(_)) => false,
                Some(DebugTypeKind::Char { signed }) => *signed,
                _ => true,
            };
            let value = if signed { b.to_signed().to_string() } else { b.bits().to_string() };
            Raw::Integer { bits: b.width(), signed, value }
        }
        _ => Raw::Other,
    }
}

/// The float of a bit pattern; of a NaN, also the sign and what else it carries.
fn pattern(bits: &BitVec) -> String {
    let raw = bits.bits();
    let (exp, sig, raw) = match bits.width() {
        16 => (5, 11, raw.clone()),
        32 => (8, 24, raw.clone()),
        64 => (11, 53, raw.clone()),
        // The first bit of the significand is written out.
        80 => (15, 64, ((raw >> 64usize) << 63usize) | (raw & UBig::ones(63))),
        128 => (15, 113, raw.clone()),
        _ => return format!("{raw:#x}"),
    };
    let value = Float::from_bits(exp, sig, raw.clone());
    if !value.is_nan() {
        return float(&value);
    }
    let sign = if raw.bit((exp + sig - 1) as usize) { "-" } else { "" };
    let (quiet, payload) = (raw.bit(sig as usize - 2), raw & UBig::ones(sig as usize - 2));
    match (quiet, payload.is_zero()) {
        (true, true) => format!("{sign}NaN"),
        (true, false) => format!("{sign}NaN({payload:#x})"),
        (false, _) => format!("{sign}sNaN({payload:#x})"),
    }
}

/// Is this type one of integers that hold addresses?
fn is_address(types: &[DebugType], mut ty: DebugTypeId) -> bool {
    for _ in 0..100 {
        let info = &types[ty.index()];
        if matches!(info.name.as_str(), "uintptr_t" | "intptr_t") {
            return true;
        }
        match info.kind {
            DebugTypeKind::Alias(Some(inner)) => ty = inner,
            _ => break,
        }
    }
    false
}

/// How a character is written between quotes, if it can be.
fn character(c: u8) -> Option<String> {
    Some(match c {
        0 => "\\0".into(),
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        b'\'' => "\\'".into(),
        b'\\' => "\\\\".into(),
        0x20..=0x7e => char::from(c).to_string(),
        _ => return None,
    })
}

/// A string literal, shortened.
pub fn literal(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let mut text = String::from("\"");
    for &c in bytes.iter().take(MAX_TEXT) {
        match character(c) {
            _ if c == b'"' => text.push_str("\\\""),
            _ if c == b'\'' => text.push('\''),
            Some(shown) => text.push_str(&shown),
            None => text.push_str(&format!("\\x{c:02x}")),
        }
    }
    text.push_str(if bytes.len() > MAX_TEXT { "…\"" } else { "\"" });
    text
}

/// The shortest decimal that reads back as the same number, for the formats of C's `float` and `double`;
/// for others, the nearest `double`'s.
fn float(value: &Float) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return format!("{sign}INFINITY");
    }
    let bits = value.bits();
    match (value.exp(), value.sig()) {
        (8, 24) => format!("{:?}f", f32::from_bits(u32::try_from(bits).unwrap_or(0))),
        (11, 53) => format!("{:?}", f64::from_bits(u64::try_from(bits).unwrap_or(0))),
        (exp, sig) if exp < 32 => {
            let fraction = bits & ((UBig::ONE << (sig as usize - 1)) - UBig::ONE);
            let biased = (bits >> (sig as usize - 1)) & ((UBig::ONE << exp as usize) - UBig::ONE);
            let biased = i64::try_from(&biased).unwrap_or(0);
            let mantissa = if biased > 0 { fraction + (UBig::ONE << (sig as usize - 1)) } else { fraction };
            let power = biased.max(1) - ((1i64 << (exp - 1)) - 1) - (i64::from(sig) - 1);
            // At most 64 bits of the mantissa matter; the power goes in two steps, since one may overflow.
            let cut = mantissa.bit_len().saturating_sub(64);
            let top = u64::try_from(&(mantissa >> cut)).unwrap_or(0) as f64;
            let power = (power + cut as i64).clamp(-100_000, 100_000) as i32;
            let result = top * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
            match (result == 0.0) != value.is_zero() || result.is_infinite() {
                true => format!("{bits:#x}"),
                false => format!("{sign}{result:?}"),
            }
        }
        _ => format!("{bits:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: u32, bits: u64, name: &str, kind: DebugTypeKind) -> String {
        let types = [DebugType { name: name.into(), kind, bits: width.into() }];
        scalar(&types, &Value::bv(width, bits), Some(DebugTypeId(0)))
    }

    #[test]
    fn numbers_are_shown_as_their_types_say() {
        assert_eq!(shown(32, 0xffff_fffb, "int", DebugTypeKind::Signed), "-5");
        assert_eq!(shown(32, 0xffff_fffb, "unsigned", DebugTypeKind::Unsigned), "4294967291");
        assert_eq!(shown(8, 97, "char", DebugTypeKind::Char { signed: true }), "97 'a'");
        assert_eq!(shown(8, 10, "char", DebugTypeKind::Char { signed: true }), "10 '\\n'");
        assert_eq!(shown(8, 0xfe, "char", DebugTypeKind::Char { signed: true }), "-2");
        assert_eq!(shown(8, 0xfe, "char", DebugTypeKind::Char { signed: false }), "254");
        assert_eq!(shown(8, 1, "_Bool", DebugTypeKind::Bool), "true");
        assert_eq!(shown(8, 7, "_Bool", DebugTypeKind::Bool), "7");
        assert_eq!(shown(64, 4096, "uintptr_t", DebugTypeKind::Unsigned), "0x1000");
        let color = || DebugTypeKind::Enum(vec![("RED".into(), 0), ("NONE".into(), -1)]);
        assert_eq!(shown(32, 0xffff_ffff, "color", color()), "NONE");
        assert_eq!(shown(32, 7, "color", color()), "7");
        assert_eq!(shown(32, 0x3fc0_0000, "float", DebugTypeKind::Float), "1.5f");
        assert_eq!(shown(32, 0xffc0_0000, "float", DebugTypeKind::Float), "-NaN");
        assert_eq!(shown(32, 0x7f80_0001, "float", DebugTypeKind::Float), "sNaN(0x1)");
        assert_eq!(shown(16, 0x3e00, "_Float16", DebugTypeKind::Float), "1.5");
        assert_eq!(scalar(&[], &Value::bv(32, 0xffff_ffffu32), None), "-1");
    }

    #[test]
    fn floats_are_decimal() {
        let double = |x: f64| float(&Float::from_bits(11, 53, x.to_bits().into()));
        assert_eq!((double(0.1), double(-2.5), double(1e300)), ("0.1".into(), "-2.5".into(), "1e300".into()));
        assert_eq!((double(f64::NAN), double(f64::NEG_INFINITY)), ("NaN".into(), "-INFINITY".into()));
        // `long double`: 1.5 is an exponent of 0x3fff and a fraction of one half.
        let long = |bits: UBig| float(&Float::from_bits(15, 64, bits));
        assert_eq!(long((UBig::from(0x3fffu32) << 63) | (UBig::ONE << 62)), "1.5");
        assert_eq!(long((UBig::from(0x4000u32) << 63) | (UBig::ONE << 78)), "-2.0");
        assert_eq!(long(UBig::ZERO), "0.0");
        assert!(long(UBig::from(0x7ffeu32) << 63).starts_with("0x"));
    }

    #[test]
    fn literals_are_quoted_and_short() {
        assert_eq!(literal(b"it's \"a\"\n\xff\0"), "\"it's \\\"a\\\"\\n\\xff\"");
        assert!(literal(&[b'x'; 100]).ends_with("x…\""));
    }
}

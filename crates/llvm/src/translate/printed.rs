//! How many characters `printf` and its relatives print: exactly, where the format is a literal whose conversions are plain numbers,
//! characters and literal strings, with flags and widths.

use lariat_term::{Op, Term};

use super::{
    body::Body,
    builtin::{is_modifier, text_of},
    call::Arg,
    value::Value,
};
use crate::module::{Module, Operand};

/// What a format prints.
pub(super) struct Printed {
    /// So many characters at least.
    pub least: Term,
    /// Are these all?
    pub exact: bool,
}

/// What stands between the percent sign and the letter of a conversion.
#[derive(Clone, Copy)]
struct Field {
    /// So many characters at least.
    width: u64,
    /// The number behind the point.
    precision: Option<u64>,
    /// The number of `l`s.
    longs: usize,
    /// A plus sign or a space stands before numbers that are not negative.
    signed: bool,
}

impl Field {
    /// `None` if there is anything else.
    fn read(modifiers: &[u8]) -> Option<Field> {
        let text = text_of(modifiers);
        let rest = text.trim_end_matches('l');
        let longs = text.len() - rest.len();
        let digits = rest.trim_start_matches(['-', '0', '+', ' ']);
        let (width, precision) = match digits.split_once('.') {
            Some((width, precision)) => (width, Some(precision)),
            None => (digits, None),
        };
        let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u64>().ok() };
        let small = |n: &u64| *n <= i32::MAX as u64;
        let precision = match precision {
            Some(text) => Some(number(text).filter(small)?),
            None => None,
        };
        let signed = rest[..rest.len() - digits.len()].contains(['+', ' ']);
        (longs <= 2).then_some(Field { width: number(width).filter(small)?, precision, longs, signed })
    }
}

/// An integer conversion: the base of its digits, and whether there may be a sign.
fn integer(letter: u8) -> Option<(u64, bool)> {
    match letter {
        b'd' | b'i' => Some((10, true)),
        b'u' => Some((10, false)),
        b'x' | b'X' => Some((16, false)),
        b'o' => Some((8, false)),
        _ => None,
    }
}

/// Whether a model that reads the format at run time would know no more of the number of characters than [`Body::printed`]:
/// it has the same answer, or none either.
pub(crate) fn counts_itself(module: &Module, args: &[Operand], format: usize, variadic: bool) -> bool {
    let Some(text) = args.get(format).and_then(|&format| module.literal(format)) else { return false };
    let mut rest = text.iter().copied().take_while(|&c| c != 0).peekable();
    let mut given = args.get(format + 1..).unwrap_or(&[]).iter().filter(|_| variadic);
    let mut own = true;
    while let Some(c) = rest.next() {
        if c != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let mut modifiers = Vec::new();
        while let Some(c) = rest.next_if(|&c| is_modifier(c)) {
            modifiers.push(c);
        }
        let (field, arg) = (Field::read(&modifiers), given.next());
        own &= match (rest.next(), field) {
            (Some(b'c'), Some(Field { precision: None, longs: 0, .. })) => arg.is_some(),
            (Some(b's'), Some(Field { longs: 0, .. })) => arg.is_some_and(|&arg| module.literal(arg).is_some()),
            (Some(b'd' | b'i' | b'u' | b'x' | b'X' | b'o'), Some(Field { precision: None, .. })) => arg.is_some(),
            (Some(b'c' | b's' | b'd' | b'i' | b'u' | b'x' | b'X' | b'o'), _) => false,
            // Digits of addresses and of floats.
            _ => return true,
        };
    }
    own
}

impl Body<'_, '_> {
    /// What the format among these arguments prints, as numbers of this width; `None` if the format is no literal.
    pub(super) fn printed(&mut self, args: &[Arg], format: usize, width: u32) -> Option<Printed> {
        let text = self.t.module.literal(args.get(format)?.operand)?.to_vec();
        let mut rest = text.iter().copied().take_while(|&c| c != 0).peekable();
        let mut given = args[format + 1..].iter();
        let (mut plain, mut exact) = (0u64, true);
        let mut lengths = Vec::new();
        while let Some(c) = rest.next() {
            if c != b'%' || rest.next_if_eq(&b'%').is_some() {
                plain += 1;
                continue;
            }
            let mut modifiers = Vec::new();
            while let Some(c) = rest.next_if(|&c| is_modifier(c)) {
                modifiers.push(c);
            }
            let letter = rest.next();
            // Behind a modifier that takes an argument, or another order of arguments, nothing is known.
            let arg = given.next().filter(|_| exact);
            let field = Field::read(&modifiers);
            let length = match (letter, field, arg) {
                (Some(b'c'), Some(Field { width, precision: None, longs: 0, .. }), _) => {
                    plain += width.max(1);
                    continue;
                }
                (Some(b's'), Some(field @ Field { longs: 0, .. }), Some(arg)) => self.literal_length(arg, field, width),
                (Some(letter), Some(field @ Field { precision: None, .. }), Some(arg)) => {
                    integer(letter).and_then(|kind| self.digits(arg, field, kind, width))
                }
                _ => None,
            };
            exact &= length.is_some();
            lengths.extend(length);
        }
        let mut least = self.t.terms.bv(width, plain);
        for length in lengths {
            least = self.t.terms.mk(Op::BvAdd, &[least, length]);
        }
        Some(Printed { least, exact })
    }

    fn literal_length(&mut self, arg: &Arg, field: Field, width: u32) -> Option<Term> {
        let end = self.t.module.literal(arg.operand)?.iter().position(|&c| c == 0)? as u64;
        let shown = field.precision.map_or(end, |most| most.min(end));
        Some(self.t.terms.bv(width, shown.max(field.width)))
    }

    /// How many characters an integer has that is passed as an `int`, or as a `long` or `long long`.
    fn digits(&mut self, arg: &Arg, field: Field, (base, signed): (u64, bool), width: u32) -> Option<Term> {
        let Value::Term(number) = arg.value else { return None };
        let bits = match field.longs {
            0 => 32,
            1 => self.t.module.pointer_bits,
            _ => 64,
        };
        self.t.terms.bv_width(number).filter(|&own| own == bits)?;
        let terms = &mut self.t.terms;
        let zero = terms.bv(bits, 0u32);
        let negative = if signed { terms.mk(Op::BvSlt, &[number, zero]) } else { terms.bool(false) };
        let opposite = terms.mk(Op::BvNeg, &[number]);
        let magnitude = terms.ite(negative, opposite, number);
        let [none, one] = [0u32, 1].map(|n| terms.bv(width, n));
        let sign = if signed && field.signed { one } else { terms.ite(negative, one, none) };
        let mut length = terms.mk(Op::BvAdd, &[one, sign]);
        let largest = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let powers = std::iter::successors(Some(base), |power| power.checked_mul(base));
        for power in powers.take_while(|&power| power <= largest) {
            let power = terms.bv(bits, power);
            let more = terms.mk(Op::BvUle, &[power, magnitude]);
            let digit = terms.ite(more, one, none);
            length = terms.mk(Op::BvAdd, &[length, digit]);
        }
        let least = terms.bv(width, field.width);
        let narrow = terms.mk(Op::BvUlt, &[length, least]);
        Some(terms.ite(narrow, least, length))
    }
}

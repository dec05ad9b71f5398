//! How many characters `printf` and its relatives print: exactly, where the format is a literal whose conversions are plain numbers,
//! characters and literal strings.

use lariat_term::{Op, Term};

use super::{
    body::Body,
    builtin::is_modifier,
    call::Arg,
    value::{self, Value},
};

/// What a format prints.
pub(super) struct Printed {
    /// So many characters at least.
    pub least: Term,
    /// Are these all?
    pub exact: bool,
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
            let length = match (letter, &modifiers[..], arg) {
                (Some(b'c'), [], _) => {
                    plain += 1;
                    continue;
                }
                (Some(b's'), [], Some(arg)) => self.literal_length(arg, width),
                (Some(letter), [] | [b'l'] | [b'l', b'l'], Some(arg)) => {
                    integer(letter).and_then(|kind| self.digits(arg, modifiers.len(), kind, width))
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

    fn literal_length(&mut self, arg: &Arg, width: u32) -> Option<Term> {
        let end = self.t.module.literal(arg.operand)?.iter().position(|&c| c == 0)?;
        Some(self.t.terms.bv(width, end as u64))
    }

    /// How many characters an integer has that is passed as an `int`, or as a `long` or `long long`.
    fn digits(&mut self, arg: &Arg, longs: usize, (base, signed): (u64, bool), width: u32) -> Option<Term> {
        let Value::Term(number) = arg.value else { return None };
        let bits = match longs {
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
        let sign = terms.ite(negative, one, none);
        let mut length = terms.mk(Op::BvAdd, &[one, sign]);
        let largest = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let powers = std::iter::successors(Some(base), |power| power.checked_mul(base));
        for power in powers.take_while(|&power| power <= largest) {
            let power = terms.bv(bits, power);
            let more = terms.mk(Op::BvUle, &[power, magnitude]);
            let digit = terms.ite(more, one, none);
            length = terms.mk(Op::BvAdd, &[length, digit]);
        }
        Some(value::resize(terms, length, width, false))
    }
}

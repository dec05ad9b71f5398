//! And-inverter graphs, and terms of bit-vectors as such circuits (bit-blasting).
//!
//! A [`Signal`] is a gate or its negation. Gates are hash-consed and constants folded, so equal circuits are one. Words are lists of signals, the lowest
//! bit first; a Boolean is a word of one.

use dashu_int::ops::BitTest;
use lariat_term::{Op, SortKind, Term, Terms, Var};
use rustc_hash::FxHashMap;

/// How many gates a circuit may have.
const GATES: usize = 4_000_000;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Signal(u32);

impl Signal {
    /// Never true.
    pub const FALSE: Signal = Signal(0);
    /// Always true.
    pub const TRUE: Signal = Signal(1);

    /// The index of the gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it the negation of its gate?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The constant.
    pub fn constant(value: bool) -> Signal {
        if value { Signal::TRUE } else { Signal::FALSE }
    }

    /// The signal, or its negation.
    pub fn with(self, value: bool) -> Signal {
        if value { self } else { !self }
    }
}

impl std::ops::Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// The lowest bit first.
pub type Word = Vec<Signal>;

/// What a gate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// False.
    Constant,
    /// Anything.
    Input,
    /// Both are true.
    And(Signal, Signal),
}

/// Gates, each after those that it is made of.
pub struct Circuit {
    gates: Vec<Gate>,
    ands: FxHashMap<(Signal, Signal), Signal>,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit { gates: vec![Gate::Constant], ands: FxHashMap::default() }
    }
}

impl Circuit {
    /// The gate of an index.
    pub fn gate(&self, index: usize) -> Gate {
        self.gates[index]
    }

    /// Has it more gates than it should?
    pub fn is_too_large(&self) -> bool {
        self.gates.len() > GATES
    }

    /// A new input.
    pub fn input(&mut self) -> Signal {
        self.gates.push(Gate::Input);
        Signal((self.gates.len() as u32 - 1) << 1)
    }

    /// New inputs.
    pub fn inputs(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// Both.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Signal::FALSE || a == !b {
            return Signal::FALSE;
        }
        if a == Signal::TRUE || a == b {
            return b;
        }
        let gates = &mut self.gates;
        *self.ands.entry((a, b)).or_insert_with(|| {
            gates.push(Gate::And(a, b));
            Signal((gates.len() as u32 - 1) << 1)
        })
    }

    /// One or both.
    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    fn all(&mut self, signals: &[Signal]) -> Signal {
        signals.iter().fold(Signal::TRUE, |all, &s| self.and(all, s))
    }

    /// One, but not both.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let (only_a, only_b) = (self.and(a, !b), self.and(!a, b));
        self.or(only_a, only_b)
    }

    fn mux(&mut self, condition: Signal, yes: Signal, no: Signal) -> Signal {
        if yes == no {
            return yes;
        }
        let (yes, no) = (self.and(condition, yes), self.and(!condition, no));
        self.or(yes, no)
    }

    fn choose(&mut self, condition: Signal, yes: &[Signal], no: &[Signal]) -> Word {
        yes.iter().zip(no).map(|(&y, &n)| self.mux(condition, y, n)).collect()
    }

    /// Are two words the same?
    pub fn equal(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let same: Word = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.all(&same)
    }

    /// The sum with a carry, and the carry that comes out.
    fn sum(&mut self, a: &[Signal], b: &[Signal], mut carry: Signal) -> (Word, Signal) {
        let mut sum = Word::new();
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let (both, passed) = (self.and(x, y), self.and(half, carry));
            carry = self.or(both, passed);
        }
        (sum, carry)
    }

    fn negated(&mut self, a: &[Signal]) -> Word {
        let (inverted, zero) = (inverted(a), vec![Signal::FALSE; a.len()]);
        self.sum(&inverted, &zero, Signal::TRUE).0
    }

    /// Is a below b, as unsigned numbers?
    fn below(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        !self.sum(a, &inverted(b), Signal::TRUE).1
    }

    fn below_signed(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        self.below(&flipped_sign(a), &flipped_sign(b))
    }

    fn product(&mut self, a: &[Signal], b: &[Signal]) -> Word {
        let width = a.len();
        // The factor with more constant bits says what is added.
        let constants = |w: &[Signal]| w.iter().filter(|s| s.gate() == 0).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let mut product = vec![Signal::FALSE; width];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == Signal::FALSE {
                continue;
            }
            let row: Word = a[..width - shift].iter().map(|&s| self.and(s, bit)).collect();
            let high = self.sum(&product[shift..], &row, Signal::FALSE).0;
            product.splice(shift.., high);
        }
        product
    }

    /// Quotient and remainder; all ones and the dividend where the divisor is 0.
    fn divided(&mut self, a: &[Signal], b: &[Signal]) -> (Word, Word) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(Signal::FALSE);
        let mut rest = vec![Signal::FALSE; width + 1];
        let mut quotient = vec![Signal::FALSE; width];
        for at in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[at]);
            let (less, fits) = self.sum(&rest, &inverted(&divisor), Signal::TRUE);
            quotient[at] = fits;
            rest = self.choose(fits, &less, &rest);
        }
        rest.pop();
        (quotient, rest)
    }

    fn absolute(&mut self, a: &[Signal]) -> (Signal, Word) {
        let sign = a[a.len() - 1];
        let negated = self.negated(a);
        (sign, self.choose(sign, &negated, a))
    }

    fn divided_signed(&mut self, a: &[Signal], b: &[Signal]) -> (Word, Word) {
        let ((a_sign, a), (b_sign, b)) = (self.absolute(a), self.absolute(b));
        let (quotient, rest) = self.divided(&a, &b);
        let (minus, signs) = (self.negated(&quotient), self.xor(a_sign, b_sign));
        let quotient = self.choose(signs, &minus, &quotient);
        let minus = self.negated(&rest);
        (quotient, self.choose(a_sign, &minus, &rest))
    }

    /// The remainder with the sign of the divisor.
    fn modulo(&mut self, a: &[Signal], b: &[Signal]) -> Word {
        let ((a_sign, a_abs), (b_sign, b_abs)) = (self.absolute(a), self.absolute(b));
        let rest = self.divided(&a_abs, &b_abs).1;
        let zero = vec![Signal::FALSE; rest.len()];
        let exact = self.equal(&rest, &zero);
        let minus = self.negated(&rest);
        let (minus_plus, plus_plus) = (self.sum(&minus, b, Signal::FALSE).0, self.sum(&rest, b, Signal::FALSE).0);
        let of_negative = self.choose(b_sign, &minus, &minus_plus);
        let of_positive = self.choose(b_sign, &plus_plus, &rest);
        let signed = self.choose(a_sign, &of_negative, &of_positive);
        self.choose(exact, &rest, &signed)
    }

    /// Shifted towards the higher bits (or the lower ones), with `fill` coming in.
    fn shifted(&mut self, a: &[Signal], by: &[Signal], up: bool, fill: Signal) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut too_far = Signal::FALSE;
        for (power, &bit) in by.iter().enumerate() {
            let distance = 1usize.checked_shl(power as u32).filter(|&d| d < width);
            let Some(distance) = distance else {
                too_far = self.or(too_far, bit);
                continue;
            };
            let moved: Word = (0..width)
                .map(|i| {
                    let from = if up { i.checked_sub(distance) } else { Some(i + distance).filter(|&f| f < width) };
                    from.map_or(fill, |f| word[f])
                })
                .collect();
            word = self.choose(bit, &moved, &word);
        }
        self.choose(too_far, &vec![fill; width], &word)
    }
}

fn inverted(a: &[Signal]) -> Word {
    a.iter().map(|&s| !s).collect()
}

fn flipped_sign(a: &[Signal]) -> Word {
    let mut word = a.to_vec();
    if let Some(sign) = word.last_mut() {
        *sign = !*sign;
    }
    word
}

/// How many bits a term has; nothing if it is neither a Boolean nor a bit-vector.
pub fn width(terms: &Terms, sort: lariat_term::Sort) -> Option<usize> {
    match terms.sort_kind(sort) {
        SortKind::Bool => Some(1),
        SortKind::BitVec(width) => Some(width as usize),
        _ => None,
    }
}

/// Terms as words, for given words of their variables.
#[derive(Default)]
pub struct Words {
    vars: FxHashMap<Var, Word>,
    words: FxHashMap<Term, Word>,
    /// Inputs that stand for variables without a word, and for what is no operation on bits.
    pub free: Vec<(Option<Var>, Word)>,
    /// Was something left open, since it is no operation on bits?
    pub open: bool,
}

impl Words {
    /// Says what a variable is.
    pub fn set(&mut self, v: Var, word: Word) {
        self.vars.insert(v, word);
    }

    /// Has it been said?
    pub fn has(&self, v: Var) -> bool {
        self.vars.contains_key(&v)
    }

    /// The word of a term. What is no operation on bits may be anything.
    pub fn word(&mut self, circuit: &mut Circuit, terms: &Terms, t: Term) -> Option<Word> {
        if let Some(word) = self.words.get(&t) {
            return Some(word.clone());
        }
        let mut stack = vec![t];
        while let Some(&t) = stack.last() {
            if self.words.contains_key(&t) {
                stack.pop();
                continue;
            }
            let missing = |a: &&Term| width(terms, terms.sort(**a)).is_some() && !self.words.contains_key(*a);
            let args = terms.args(t);
            let before = stack.len();
            if is_operation(terms, t) {
                stack.extend(args.iter().filter(missing));
            }
            if stack.len() > before {
                continue;
            }
            let word = self.make(circuit, terms, t)?;
            if circuit.is_too_large() {
                return None;
            }
            self.words.insert(t, word);
            stack.pop();
        }
        self.words.get(&t).cloned()
    }

    fn make(&mut self, circuit: &mut Circuit, terms: &Terms, t: Term) -> Option<Word> {
        let width = width(terms, terms.sort(t))?;
        let op = terms.op(t);
        if let Op::Var(v) = op {
            if let Some(word) = self.vars.get(&v) {
                return Some(word.clone());
            }
            let word = circuit.inputs(width);
            self.vars.insert(v, word.clone());
            self.free.push((Some(v), word.clone()));
            return Some(word);
        }
        if !is_operation(terms, t) {
            self.open = true;
            let word = circuit.inputs(width);
            self.free.push((None, word.clone()));
            return Some(word);
        }
        let args: Vec<&Word> = terms.args(t).iter().map(|a| &self.words[a]).collect();
        Some(operation(circuit, terms, op, &args, width))
    }
}

/// Is a term an operation on bits?
fn is_operation(terms: &Terms, t: Term) -> bool {
    let on_bits = || terms.args(t).iter().all(|&a| width(terms, terms.sort(a)).is_some());
    let known = matches!(
        terms.op(t),
        Op::True
            | Op::False
            | Op::Const(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::Distinct
            | Op::Ite
            | Op::Concat
            | Op::Extract { .. }
            | Op::ZeroExt(_)
            | Op::SignExt(_)
            | Op::BvNot
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
    );
    known && width(terms, terms.sort(t)).is_some() && on_bits()
}

/// An operation on two words.
type Binary = dyn Fn(&mut Circuit, &[Signal], &[Signal]) -> Word;

fn operation(circuit: &mut Circuit, terms: &Terms, op: Op, args: &[&Word], width: usize) -> Word {
    let fold =
        |circuit: &mut Circuit, f: &Binary| args[1..].iter().fold(args[0].clone(), |word, arg| f(circuit, &word, arg));
    let bitwise = |circuit: &mut Circuit, f: fn(&mut Circuit, Signal, Signal) -> Signal| {
        args[1..]
            .iter()
            .fold(args[0].clone(), |word, arg| word.iter().zip(arg.iter()).map(|(&a, &b)| f(circuit, a, b)).collect())
    };
    match op {
        Op::True => vec![Signal::TRUE],
        Op::False => vec![Signal::FALSE],
        Op::Const(c) => {
            let value = terms.const_value(c).as_bv();
            (0..width).map(|i| Signal::constant(value.is_some_and(|v| v.bits().bit(i)))).collect()
        }
        Op::Not | Op::BvNot => inverted(args[0]),
        Op::And | Op::BvAnd => bitwise(circuit, Circuit::and),
        Op::Or | Op::BvOr => bitwise(circuit, Circuit::or),
        Op::BvXor => bitwise(circuit, Circuit::xor),
        Op::Eq => vec![circuit.equal(args[0], args[1])],
        Op::Distinct => {
            let mut all = Signal::TRUE;
            for (i, a) in args.iter().enumerate() {
                for b in &args[i + 1..] {
                    let same = circuit.equal(a, b);
                    all = circuit.and(all, !same);
                }
            }
            vec![all]
        }
        Op::Ite => circuit.choose(args[0][0], args[1], args[2]),
        Op::Concat => args[1].iter().chain(args[0]).copied().collect(),
        Op::Extract { hi, lo } => args[0][lo as usize..=hi as usize].to_vec(),
        Op::ZeroExt(_) => args[0].iter().copied().chain(std::iter::repeat(Signal::FALSE)).take(width).collect(),
        Op::SignExt(_) => {
            let sign = args[0][args[0].len() - 1];
            args[0].iter().copied().chain(std::iter::repeat(sign)).take(width).collect()
        }
        Op::BvNeg => circuit.negated(args[0]),
        Op::BvAdd => fold(circuit, &|c, a, b| c.sum(a, b, Signal::FALSE).0),
        Op::BvMul => fold(circuit, &|c, a, b| c.product(a, b)),
        Op::BvUdiv => circuit.divided(args[0], args[1]).0,
        Op::BvUrem => circuit.divided(args[0], args[1]).1,
        Op::BvSdiv => circuit.divided_signed(args[0], args[1]).0,
        Op::BvSrem => circuit.divided_signed(args[0], args[1]).1,
        Op::BvSmod => circuit.modulo(args[0], args[1]),
        Op::BvShl => circuit.shifted(args[0], args[1], true, Signal::FALSE),
        Op::BvLshr => circuit.shifted(args[0], args[1], false, Signal::FALSE),
        Op::BvAshr => circuit.shifted(args[0], args[1], false, args[0][width - 1]),
        Op::BvUlt => vec![circuit.below(args[0], args[1])],
        Op::BvUle => vec![!circuit.below(args[1], args[0])],
        Op::BvSlt => vec![circuit.below_signed(args[0], args[1])],
        Op::BvSle => vec![!circuit.below_signed(args[1], args[0])],
        _ => unreachable!("`is_operation` lists the operations"),
    }
}

impl Circuit {
    /// The values of all gates for values of the inputs.
    pub fn values(&self, inputs: &FxHashMap<Signal, bool>) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for (at, gate) in self.gates.iter().enumerate() {
            let of = |s: Signal| values[s.gate()] != s.is_negated();
            values.push(match *gate {
                Gate::Constant => false,
                Gate::Input => inputs.get(&Signal((at as u32) << 1)).copied().unwrap_or(false),
                Gate::And(a, b) => of(a) && of(b),
            });
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use lariat_term::{Model, Value};

    use super::*;

    #[test]
    fn operations_on_words_are_those_of_the_evaluator() {
        let binary = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvSmod,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvUlt,
            Op::BvUle,
            Op::BvSlt,
            Op::BvSle,
            Op::Eq,
            Op::Distinct,
            Op::Concat,
        ];
        let unary = [Op::BvNot, Op::BvNeg, Op::ZeroExt(2), Op::SignExt(2), Op::Extract { hi: 2, lo: 1 }];
        for bits in [3u32, 4] {
            let mut terms = Terms::new();
            let sort = terms.bv_sort(bits);
            let (x, y) = (terms.var("x", sort), terms.var("y", sort));
            let (vx, vy) = (terms.as_var(x).unwrap(), terms.as_var(y).unwrap());
            let mut all: Vec<Term> = binary.iter().map(|&op| terms.intern(op, &[x, y])).collect();
            all.extend(unary.iter().map(|&op| terms.intern(op, &[x])));
            let (same, sum) = (terms.intern(Op::Eq, &[x, y]), terms.intern(Op::BvAdd, &[x, y, x]));
            all.push(terms.intern(Op::Ite, &[same, x, sum]));
            for t in all {
                let (mut circuit, mut words) = (Circuit::default(), Words::default());
                let (wx, wy) = (circuit.inputs(bits as usize), circuit.inputs(bits as usize));
                words.set(vx, wx.clone());
                words.set(vy, wy.clone());
                let word = words.word(&mut circuit, &terms, t).unwrap();
                assert!(!words.open);
                for (a, b) in (0..1u32 << bits).flat_map(|a| (0..1u32 << bits).map(move |b| (a, b))) {
                    let mut model = Model::new();
                    model.set(vx, Value::bv(bits, a));
                    model.set(vy, Value::bv(bits, b));
                    let expected = match terms.eval(t, &model).unwrap() {
                        Value::Bool(b) => vec![b],
                        v => {
                            let v = v.as_bv().unwrap().clone();
                            (0..v.width() as usize).map(|i| v.bits().bit(i)).collect()
                        }
                    };
                    let bit = |w: &Word, n: u32| -> Vec<_> {
                        w.iter().enumerate().map(|(i, &s)| (s, n >> i & 1 == 1)).collect()
                    };
                    let values = circuit.values(&bit(&wx, a).into_iter().chain(bit(&wy, b)).collect());
                    let got: Vec<bool> = word.iter().map(|s| values[s.gate()] != s.is_negated()).collect();
                    assert_eq!(got, expected, "{:?} of {a} and {b}", terms.op(t));
                }
            }
        }
    }
}

//! Values of re-execution, and what operators give for them.

use std::rc::Rc;

use lariat_term::{Op, SortKind, Terms, Value, fold};
use rpds::HashTrieMapSync;
use rustc_hash::FxBuildHasher;

use super::body::Operation;

/// A value, or any.
#[derive(Clone)]
pub(super) enum AbstractValue {
    /// Any value of its sort.
    Any,
    /// A Boolean (0 or 1), a bit-vector of up to 64 bits, or an integer that fits into 64 (two's complement). Such values are never told otherwise.
    Word(u64),
    /// An array.
    Array(Rc<Array>),
    /// Any other exact value.
    Exact(Rc<Value>),
}

/// An array: elements by their indices, which are words, and one for all other indices.
#[derive(Clone)]
pub(super) struct Array {
    others: AbstractValue,
    elements: HashTrieMapSync<u64, AbstractValue, FxBuildHasher>,
}

impl Array {
    fn of(others: AbstractValue) -> Array {
        Array { others, elements: HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher) }
    }

    fn at(&self, index: u64) -> &AbstractValue {
        self.elements.get(&index).unwrap_or(&self.others)
    }

    fn join(&self, other: &Array) -> Array {
        let mut joined = self.clone();
        joined.others.join(&other.others);
        for index in self.elements.keys().chain(other.elements.keys().filter(|&&i| !self.elements.contains_key(&i))) {
            let mut cell = self.at(*index).clone();
            if !cell.is_same(other.at(*index)) {
                cell.join(other.at(*index));
            }
            joined.elements.insert_mut(*index, cell);
        }
        joined
    }
}

impl AbstractValue {
    pub fn bool(b: bool) -> AbstractValue {
        AbstractValue::Word(u64::from(b))
    }

    pub fn of(value: Value) -> AbstractValue {
        let word = match &value {
            Value::Bool(b) => Some(u64::from(*b)),
            Value::BitVec(b) if b.width() <= 64 => u64::try_from(b.bits()).ok(),
            Value::Int(i) => i64::try_from(i).ok().map(|i| i as u64),
            Value::Array(_) => return AbstractValue::Any,
            _ => None,
        };
        word.map_or_else(|| AbstractValue::Exact(Rc::new(value)), AbstractValue::Word)
    }

    fn value(&self, kind: SortKind) -> Option<Value> {
        match (self, kind) {
            (AbstractValue::Word(w), SortKind::Bool) => Some(Value::Bool(*w != 0)),
            (AbstractValue::Word(w), SortKind::BitVec(width)) => Some(Value::bv(width, *w)),
            (AbstractValue::Word(w), SortKind::Int) => Some(Value::int(*w as i64)),
            (AbstractValue::Exact(value), _) => Some((**value).clone()),
            _ => None,
        }
    }

    pub fn word(&self) -> Option<u64> {
        match self {
            AbstractValue::Word(w) => Some(*w),
            _ => None,
        }
    }

    /// Are these known to stand for the same values? (Arrays that are different objects are not looked into.)
    pub fn is_same(&self, other: &AbstractValue) -> bool {
        match (self, other) {
            (AbstractValue::Any, AbstractValue::Any) => true,
            (AbstractValue::Word(a), AbstractValue::Word(b)) => a == b,
            (AbstractValue::Array(a), AbstractValue::Array(b)) => Rc::ptr_eq(a, b),
            (AbstractValue::Exact(a), AbstractValue::Exact(b)) => a == b,
            _ => false,
        }
    }

    /// Whatever either may be.
    pub fn join(&mut self, other: &AbstractValue) {
        if self.is_same(other) {
            return;
        }
        *self = match (&*self, other) {
            (AbstractValue::Array(a), AbstractValue::Array(b)) => AbstractValue::Array(Rc::new(a.join(b))),
            _ => AbstractValue::Any,
        };
    }

    fn element(&self, index: &AbstractValue) -> AbstractValue {
        match (self, index) {
            (AbstractValue::Array(array), AbstractValue::Word(index)) => array.at(*index).clone(),
            // Which index it is does not matter.
            (AbstractValue::Array(array), _) if array.elements.is_empty() => array.others.clone(),
            _ => AbstractValue::Any,
        }
    }

    /// The array with another element; whether it has a further one is counted.
    fn store(&self, index: &AbstractValue, element: AbstractValue, elements: &mut u64) -> AbstractValue {
        let Some(index) = index.word() else { return AbstractValue::Any };
        let mut array = match self {
            AbstractValue::Array(array) => (**array).clone(),
            _ => Array::of(AbstractValue::Any),
        };
        let before = array.elements.size();
        array.elements.insert_mut(index, element);
        *elements += (array.elements.size() - before) as u64;
        AbstractValue::Array(Rc::new(array))
    }
}

/// What an operator gives for the cells of its arguments.
pub(super) fn apply(
    terms: &Terms,
    operation: &Operation,
    registers: &[AbstractValue],
    elements: &mut u64,
) -> AbstractValue {
    let Operation { op, args, kinds } = operation;
    let arg = |i: usize| &registers[args[i]];
    match op {
        Op::And | Op::Or => {
            let decided = u64::from(*op == Op::Or);
            let mut all = true;
            for i in 0..args.len() {
                match arg(i).word() {
                    Some(w) if w == decided => return AbstractValue::Word(decided),
                    Some(_) => {}
                    None => all = false,
                }
            }
            if all { AbstractValue::Word(1 - decided) } else { AbstractValue::Any }
        }
        Op::Ite => match arg(0).word() {
            Some(0) => arg(2).clone(),
            Some(_) => arg(1).clone(),
            None if arg(1).is_same(arg(2)) => arg(1).clone(),
            None => AbstractValue::Any,
        },
        Op::Select => arg(0).element(arg(1)),
        Op::Store => arg(0).store(arg(1), arg(2).clone(), elements),
        Op::ConstArray(_) => AbstractValue::Array(Rc::new(Array::of(arg(0).clone()))),
        Op::Bound(..) | Op::Var(_) | Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => AbstractValue::Any,
        _ => on_words(*op, args, kinds, registers).unwrap_or_else(|| on_values(terms, *op, args, kinds, registers)),
    }
}

/// An operator on exact values.
fn on_values(terms: &Terms, op: Op, args: &[usize], kinds: &[SortKind], registers: &[AbstractValue]) -> AbstractValue {
    let values = args.iter().zip(kinds).map(|(&a, &kind)| registers[a].value(kind));
    let Some(values) = values.collect::<Option<Vec<Value>>>() else { return AbstractValue::Any };
    // Where the result is left open, it is any.
    fold::apply(terms, op, &values, &|_| None).map_or(AbstractValue::Any, AbstractValue::of)
}

fn ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The same for the most frequent operators on words.
fn on_words(op: Op, args: &[usize], kinds: &[SortKind], registers: &[AbstractValue]) -> Option<AbstractValue> {
    let word = |i: usize| registers[*args.get(i)?].word();
    let a = word(0)?;
    match *kinds.first()? {
        SortKind::Bool => match op {
            Op::Not => Some(AbstractValue::bool(a == 0)),
            Op::Eq => Some(AbstractValue::bool(a == word(1)?)),
            _ => None,
        },
        SortKind::Int => {
            let a = a as i64;
            let all = |f: fn(i64, i64) -> Option<i64>| {
                let result = (1..args.len()).try_fold(a, |x, i| f(x, word(i)? as i64))?;
                Some(AbstractValue::Word(result as u64))
            };
            match op {
                Op::Eq => Some(AbstractValue::bool(a == word(1)? as i64)),
                Op::Le => Some(AbstractValue::bool(a <= word(1)? as i64)),
                Op::Lt => Some(AbstractValue::bool(a < word(1)? as i64)),
                Op::Add => all(i64::checked_add),
                Op::Mul => all(i64::checked_mul),
                _ => None,
            }
        }
        SortKind::BitVec(width) if width <= 64 => {
            let all = |f: fn(u64, u64) -> u64| {
                let result = (1..args.len()).try_fold(a, |x, i| Some(f(x, word(i)?)))?;
                Some(AbstractValue::Word(result & ones(width)))
            };
            let signed = |w: u64| ((w << (64 - width)) as i64) >> (64 - width);
            match op {
                Op::BvAdd => all(u64::wrapping_add),
                Op::BvMul => all(u64::wrapping_mul),
                Op::BvAnd => all(|a, b| a & b),
                Op::BvOr => all(|a, b| a | b),
                Op::BvXor => all(|a, b| a ^ b),
                Op::BvNot => Some(AbstractValue::Word(!a & ones(width))),
                Op::BvNeg => Some(AbstractValue::Word(a.wrapping_neg() & ones(width))),
                Op::Eq => Some(AbstractValue::bool(a == word(1)?)),
                Op::BvUlt => Some(AbstractValue::bool(a < word(1)?)),
                Op::BvUle => Some(AbstractValue::bool(a <= word(1)?)),
                Op::BvSlt => Some(AbstractValue::bool(signed(a) < signed(word(1)?))),
                Op::BvSle => Some(AbstractValue::bool(signed(a) <= signed(word(1)?))),
                Op::BvShl => {
                    let by = word(1)?;
                    Some(AbstractValue::Word(if by < u64::from(width) { (a << by) & ones(width) } else { 0 }))
                }
                Op::BvLshr => {
                    let by = word(1)?;
                    Some(AbstractValue::Word(if by < u64::from(width) { a >> by } else { 0 }))
                }
                Op::BvAshr => {
                    let by = word(1)?.min(u64::from(width - 1));
                    Some(AbstractValue::Word((signed(a) >> by) as u64 & ones(width)))
                }
                Op::Extract { hi, lo } => Some(AbstractValue::Word((a >> lo) & ones(hi - lo + 1))),
                Op::ZeroExt(more) if width + more <= 64 => Some(AbstractValue::Word(a)),
                Op::SignExt(more) if width + more <= 64 => {
                    Some(AbstractValue::Word(signed(a) as u64 & ones(width + more)))
                }
                Op::Concat if args.len() == 2 => match kinds[1] {
                    SortKind::BitVec(low) if width + low <= 64 => Some(AbstractValue::Word((a << low) | word(1)?)),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use lariat_term::Terms;

    use super::*;

    /// What is computed on words is what the definition of the operator says.
    #[test]
    fn words_are_computed_as_values_are() {
        let terms = Terms::new();
        let mut compared = 0;
        let mut same = |op: Op, kinds: &[SortKind], words: &[u64]| {
            let registers: Vec<AbstractValue> = words.iter().map(|&w| AbstractValue::Word(w)).collect();
            let args: Vec<usize> = (0..words.len()).collect();
            if let Some(fast) = on_words(op, &args, kinds, &registers) {
                let exact = on_values(&terms, op, &args, kinds, &registers);
                assert!(fast.is_same(&exact), "{op:?} of {words:x?} ({kinds:?}): {:?}", fast.word());
                compared += 1;
            }
        };
        let two = [
            Op::BvAdd,
            Op::BvMul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::Eq,
            Op::BvUlt,
            Op::BvUle,
            Op::BvSlt,
            Op::BvSle,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::Concat,
        ];
        let one = [Op::BvNot, Op::BvNeg, Op::ZeroExt(0), Op::ZeroExt(7), Op::SignExt(0), Op::SignExt(7)];
        let patterns =
            [0, 1, 2, 5, 7, 31, 63, 64, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 1 << 63, u64::MAX - 1, u64::MAX];
        for width in [1, 3, 8, 32, 57, 63, 64] {
            let kind = SortKind::BitVec(width);
            for a in patterns.map(|w| w & ones(width)) {
                one.iter().for_each(|&op| same(op, &[kind], &[a]));
                for (hi, lo) in [(0, 0), (width - 1, 0), (width - 1, width - 1), (width - 1, width / 2)] {
                    same(Op::Extract { hi, lo }, &[kind], &[a]);
                }
                for b in patterns.map(|w| w & ones(width)) {
                    two.iter().for_each(|&op| same(op, &[kind; 2], &[a, b]));
                    same(Op::BvAdd, &[kind; 3], &[a, b, a]);
                }
            }
        }
        for a in patterns {
            for b in patterns {
                [Op::Eq, Op::Le, Op::Lt, Op::Add, Op::Mul]
                    .iter()
                    .for_each(|&op| same(op, &[SortKind::Int; 2], &[a, b]));
                same(Op::Eq, &[SortKind::Bool; 2], &[a & 1, b & 1]);
            }
            same(Op::Not, &[SortKind::Bool], &[a & 1]);
        }
        assert!(compared > 10_000);
    }
}

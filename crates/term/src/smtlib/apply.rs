//! Operators by their SMT-LIB names.
//!
//! [`Terms::apply_smt`] is the one table from names to operators: the term parser uses it, and so do
//! front ends whose programs name a solver's operator in an attribute. Names that the operators do
//! not have (`=>`, `bvsub`, `fp.gt`, `rotate_left` …) are reduced to those that they have.

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{
    op::{Op, RoundingMode},
    sort::{Sort, SortError, SortKind},
    store::{Term, Terms},
    value::{BitVec, Float, Value},
};

/// The widest bit-vector that text may ask for. Wider ones are surely mistakes, and must not cost
/// memory.
pub const MAX_WIDTH: u32 = 1 << 24;
const MAX_EXPONENT: u32 = 20;
const MAX_SIGNIFICAND: u32 = 1 << 12;

type Result<T> = std::result::Result<T, SortError>;

fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(SortError(message.into()))
}

impl Terms {
    /// The operator of this SMT-LIB name, with these indices, applied to arguments. The error says
    /// why it cannot be: an unknown name, wrong indices, arguments that do not fit.
    ///
    /// ```
    /// use lariat_term::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let s = t.bv_sort(8);
    /// let x = t.var("x", s);
    /// let low = t.apply_smt("extract", &[3, 0], &[x])?;
    /// assert_eq!(t.bv_width(low), Some(4));
    /// assert!(t.apply_smt("bvadd", &[], &[x, low]).is_err());
    /// # Ok::<(), lariat_term::SortError>(())
    /// ```
    pub fn apply_smt(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Result<Term> {
        let result = match indices {
            [] => self.apply_plain(name, args),
            _ => self.apply_indexed(name, indices, args),
        };
        result.map_err(|e| SortError(format!("`{name}`: {e}")))
    }

    fn apply_plain(&mut self, name: &str, args: &[Term]) -> Result<Term> {
        if let Some(op) = direct(name) {
            return self.direct(op, args);
        }
        if let Some(mode) = rounding_mode(name) {
            return if args.is_empty() { Ok(self.rounding_mode(mode)) } else { error("takes no arguments") };
        }
        match (name, args) {
            ("true", []) => Ok(self.bool(true)),
            ("false", []) => Ok(self.bool(false)),
            ("=>" | "implies", [rest @ .., last]) if !rest.is_empty() => {
                self.all_of(args, Sort::BOOL)?;
                Ok(rest.iter().rfold(*last, |acc, &a| self.implies(a, acc)))
            }
            ("xor", [first, rest @ ..]) if !rest.is_empty() => {
                self.all_of(args, Sort::BOOL)?;
                Ok(rest.iter().fold(*first, |acc, &a| self.ne(acc, a)))
            }
            ("iff" | "<=>", [_, _]) => {
                self.all_of(args, Sort::BOOL)?;
                self.try_mk(Op::Eq, args)
            }
            ("=", [_, _, ..]) => self.chain(Op::Eq, args, false),
            ("if", _) => self.direct(Op::Ite, args),
            ("<=", _) => self.chain(Op::Le, args, false),
            ("<", _) => self.chain(Op::Lt, args, false),
            (">=", _) => self.chain(Op::Le, args, true),
            (">", _) => self.chain(Op::Lt, args, true),
            ("-", [_, ..]) => self.minus(args),
            ("/", [_, _, ..]) => self.divide(args),
            ("div", [_, _, ..]) => self.fold_left(Op::IntDiv, args),
            ("abs", [a]) => self.abs(*a),
            ("bvsub", [_, _]) => self.same_bv(args).map(|_| self.bv_sub(args[0], args[1])),
            ("bvnand", [_, _]) => self.negated(Op::BvAnd, args),
            ("bvnor", [_, _]) => self.negated(Op::BvOr, args),
            ("bvxnor", [_, _]) => self.negated(Op::BvXor, args),
            ("bvugt", [a, b]) => self.try_mk(Op::BvUlt, &[*b, *a]),
            ("bvuge", [a, b]) => self.try_mk(Op::BvUle, &[*b, *a]),
            ("bvsgt", [a, b]) => self.try_mk(Op::BvSlt, &[*b, *a]),
            ("bvsge", [a, b]) => self.try_mk(Op::BvSle, &[*b, *a]),
            ("bvcomp", [a, b]) => {
                self.same_bv(args)?;
                let eq = self.eq(*a, *b);
                Ok(self.bit(eq))
            }
            ("bvredor" | "bvredand", [a]) => {
                let w = self.same_bv(args)?;
                let zero = self.bv(w, UBig::ZERO);
                let ones = self.mk(Op::BvNot, &[zero]);
                let other = if name == "bvredor" { zero } else { ones };
                let eq = self.eq(*a, other);
                let holds = if name == "bvredor" { self.not(eq) } else { eq };
                Ok(self.bit(holds))
            }
            ("ext_rotate_left" | "ext_rotate_right", [a, by]) => self.rotate_by(name == "ext_rotate_left", *a, *by),
            ("sbv_to_int", [a]) => {
                let w = self.same_bv(args)?;
                let nat = self.mk(Op::BvToNat, &[*a]);
                let zero = self.bv(w, UBig::ZERO);
                let negative = self.mk(Op::BvSlt, &[*a, zero]);
                let modulus = self.int(-(IBig::ONE << w as usize));
                let below = self.mk(Op::Add, &[nat, modulus]);
                Ok(self.ite(negative, below, nat))
            }
            ("concat", [first, rest @ ..]) if !rest.is_empty() => {
                let width: u64 = args.iter().map(|&a| u64::from(self.bv_width(a).unwrap_or(0))).sum();
                check_width(width)?;
                rest.iter().try_fold(*first, |acc, &a| self.try_mk(Op::Concat, &[acc, a]))
            }
            ("bvnego" | "bvuaddo" | "bvsaddo" | "bvumulo" | "bvsmulo" | "bvusubo" | "bvssubo" | "bvsdivo", _) => {
                self.overflow(name, args)
            }
            ("bvumul_noovfl", [_, _]) => self.overflow("bvumulo", args).map(|o| self.not(o)),
            ("fp", [s, e, m]) => {
                let widths = [*s, *e, *m].map(|t| self.bv_width(t));
                let [Some(1), Some(exp), Some(man)] = widths else {
                    return error("takes a sign bit, an exponent and a significand");
                };
                check_format(exp, man.saturating_add(1))?;
                let high = self.mk(Op::Concat, &[*s, *e]);
                let bits = self.mk(Op::Concat, &[high, *m]);
                match [*s, *e, *m].map(|t| self.bv_value(t).cloned()) {
                    [Some(s), Some(e), Some(m)] => {
                        let bits = (s << (exp + man) as usize) | (e << man as usize) | m;
                        Ok(self.number(Value::Float(float(exp, man + 1, bits))))
                    }
                    _ => self.try_mk(Op::FpFromBits { exp, sig: man + 1 }, &[bits]),
                }
            }
            ("fp.leq", _) => self.chain(Op::FpLe, args, false),
            ("fp.lt", _) => self.chain(Op::FpLt, args, false),
            ("fp.geq", _) => self.chain(Op::FpLe, args, true),
            ("fp.gt", _) => self.chain(Op::FpLt, args, true),
            ("fp.eq", _) => self.chain(Op::FpEq, args, false),
            _ => error(match args.len() {
                0 => "an unknown symbol".to_owned(),
                n => format!("no operator of this name takes {n} argument(s)"),
            }),
        }
    }

    fn apply_indexed(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Result<Term> {
        let one = || match args {
            [a] => Ok(*a),
            _ => error("takes one argument"),
        };
        let width_of = |terms: &Terms| match one().map(|a| (a, terms.bv_width(a))) {
            Ok((a, Some(w))) => Ok((a, w)),
            Ok(_) => error("takes a bit-vector"),
            Err(e) => Err(e),
        };
        match (name, indices) {
            ("extract", &[hi, lo]) => self.try_mk(Op::Extract { hi, lo }, args),
            ("zero_extend" | "sign_extend", &[n]) => {
                let (a, w) = width_of(self)?;
                check_width(u64::from(w) + u64::from(n))?;
                match n {
                    0 => Ok(a),
                    _ => self.try_mk(if name == "zero_extend" { Op::ZeroExt(n) } else { Op::SignExt(n) }, &[a]),
                }
            }
            ("rotate_left" | "rotate_right", &[n]) => {
                let (a, w) = width_of(self)?;
                let left = if name == "rotate_left" { n % w } else { (w - n % w) % w };
                if left == 0 {
                    return Ok(a);
                }
                let low = self.extract(w - left - 1, 0, a);
                let high = self.extract(w - 1, w - left, a);
                Ok(self.mk(Op::Concat, &[low, high]))
            }
            ("repeat", &[n]) => {
                let (a, w) = width_of(self)?;
                check_width(u64::from(w) * u64::from(n))?;
                (1..n).try_fold(a, |acc, _| self.try_mk(Op::Concat, &[acc, a]))
            }
            ("int2bv" | "int_to_bv" | "nat2bv", &[n]) => {
                check_width(u64::from(n))?;
                self.try_mk(Op::IntToBv(n), args)
            }
            ("divisible", &[n]) => {
                if n == 0 {
                    return error("needs a positive number");
                }
                let modulus = self.int(n);
                let rest = self.try_mk(Op::IntMod, &[one()?, modulus])?;
                let zero = self.int(0);
                Ok(self.eq(rest, zero))
            }
            ("fp.to_ubv" | "fp.to_sbv", &[n]) => {
                check_width(u64::from(n))?;
                self.try_mk(if name == "fp.to_ubv" { Op::FpToUbv(n) } else { Op::FpToSbv(n) }, args)
            }
            ("to_fp", &[exp, sig]) => self.float_from(exp, sig, args),
            ("to_fp_unsigned", &[exp, sig]) => {
                check_format(exp, sig)?;
                self.try_mk(Op::FpFromUbv { exp, sig }, args)
            }
            ("to_fp_bv", &[exp, sig]) => {
                check_format(exp, sig)?;
                self.try_mk(Op::FpFromBits { exp, sig }, args)
            }
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", &[exp, sig]) => {
                check_format(exp, sig)?;
                if !args.is_empty() {
                    return error("takes no arguments");
                }
                let ones = (UBig::ONE << exp as usize) - UBig::ONE;
                let magnitude = match name {
                    "NaN" => (ones << (sig - 1) as usize) | UBig::ONE,
                    "+oo" | "-oo" => ones << (sig - 1) as usize,
                    _ => UBig::ZERO,
                };
                let sign = if name.starts_with('-') { UBig::ONE << (exp + sig - 1) as usize } else { UBig::ZERO };
                Ok(self.number(Value::Float(float(exp, sig, sign | magnitude))))
            }
            (_, &[width]) if name.strip_prefix("bv").is_some_and(|d| d.starts_with(|c: char| c.is_ascii_digit())) => {
                check_width(u64::from(width))?;
                match UBig::from_str_radix(&name[2..], 10) {
                    Ok(value) if value.bit_len() <= width as usize && args.is_empty() => Ok(self.bv(width, value)),
                    _ => error("not a numeral of that width"),
                }
            }
            _ => error("no operator of this name takes these indices"),
        }
    }

    /// Operators that are ours as they are, for as many arguments as they take.
    fn direct(&mut self, op: Op, args: &[Term]) -> Result<Term> {
        match (op, args) {
            (Op::And | Op::Or, []) => Ok(self.bool(op == Op::And)),
            (Op::And | Op::Or, [a]) => self.all_of(args, Sort::BOOL).map(|()| *a),
            (Op::Add | Op::Mul, [a]) if [Sort::INT, Sort::REAL].contains(&self.sort(*a)) => Ok(*a),
            (Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul, [a]) => self.same_bv(args).map(|_| *a),
            (Op::Add | Op::Mul | Op::Pow | Op::Ite | Op::Distinct, _) => {
                let (head, same) = args.split_at(usize::from(op == Op::Ite && !args.is_empty()));
                let args = [head, &self.one_number_sort(same)].concat();
                self.try_mk(op, &args)
            }
            _ => self.try_mk(op, args),
        }
    }

    fn all_of(&self, args: &[Term], sort: Sort) -> Result<()> {
        if args.iter().all(|&a| self.sort(a) == sort) { Ok(()) } else { error("takes Booleans") }
    }

    /// Integers among reals become reals, as solvers take them.
    fn one_number_sort(&mut self, args: &[Term]) -> Vec<Term> {
        let mixed = args.iter().any(|&a| self.sort(a) == Sort::REAL) && args.iter().any(|&a| self.sort(a) == Sort::INT);
        if mixed { self.as_reals(args) } else { args.to_vec() }
    }

    fn as_reals(&mut self, args: &[Term]) -> Vec<Term> {
        let mut out = Vec::with_capacity(args.len());
        for &a in args {
            out.push(match self.numeral(a) {
                Some(Value::Int(v)) => {
                    let v = RBig::from(v.clone());
                    self.real(v)
                }
                _ if self.sort(a) == Sort::INT => self.mk(Op::ToReal, &[a]),
                _ => a,
            });
        }
        out
    }

    fn numeral(&self, t: Term) -> Option<&Value> {
        match self.op(t) {
            Op::Const(c) => Some(self.const_value(c)),
            _ => None,
        }
    }

    fn bv_value(&self, t: Term) -> Option<&UBig> {
        match self.numeral(t) {
            Some(Value::BitVec(b)) => Some(b.bits()),
            _ => None,
        }
    }

    /// A relation of each argument with the next, with its sides swapped or not.
    fn chain(&mut self, op: Op, args: &[Term], swap: bool) -> Result<Term> {
        if args.len() < 2 {
            return error("takes at least two arguments");
        }
        let args = self.one_number_sort(args);
        let mut links = Vec::with_capacity(args.len() - 1);
        for w in args.windows(2) {
            links.push(self.try_mk(op, &if swap { [w[1], w[0]] } else { [w[0], w[1]] })?);
        }
        Ok(self.and(&links))
    }

    fn fold_left(&mut self, op: Op, args: &[Term]) -> Result<Term> {
        let (&first, rest) = args.split_first().ok_or_else(|| SortError("takes arguments".into()))?;
        rest.iter().try_fold(first, |acc, &a| self.try_mk(op, &[acc, a]))
    }

    fn minus(&mut self, args: &[Term]) -> Result<Term> {
        let args = self.one_number_sort(args);
        if !args.iter().all(|&a| [Sort::INT, Sort::REAL].contains(&self.sort(a))) {
            return error("takes integers, or reals");
        }
        match *args.as_slice() {
            // A negative numeral is one term, whether or not products of numerals are folded.
            [a] => Ok(match self.numeral(a) {
                Some(Value::Int(v)) => {
                    let v = -v.clone();
                    self.int(v)
                }
                Some(Value::Real(v)) => {
                    let v = -v.clone();
                    self.real(v)
                }
                _ => self.neg(a),
            }),
            _ => {
                let (first, rest) = (args[0], &args[1..]);
                Ok(rest.iter().fold(first, |acc, &a| self.sub(acc, a)))
            }
        }
    }

    fn divide(&mut self, args: &[Term]) -> Result<Term> {
        let args = self.as_reals(args);
        if let [a, b] = args[..]
            && let (Some(Value::Real(x)), Some(Value::Real(y))) = (self.numeral(a), self.numeral(b))
            && *y != RBig::ZERO
        {
            let quotient = x / y;
            return Ok(self.real(quotient));
        }
        self.fold_left(Op::RealDiv, &args)
    }

    fn abs(&mut self, a: Term) -> Result<Term> {
        let zero = match self.sort(a) {
            Sort::INT => self.int(0),
            Sort::REAL => self.real(RBig::ZERO),
            _ => return error("takes an integer or a real"),
        };
        let negative = self.lt(a, zero);
        let minus = self.neg(a);
        Ok(self.ite(negative, minus, a))
    }

    /// The one width of some bit-vectors.
    fn same_bv(&self, args: &[Term]) -> Result<u32> {
        let widths: Vec<_> = args.iter().map(|&a| self.bv_width(a)).collect();
        match widths.first() {
            Some(&Some(w)) if widths.iter().all(|&v| v == Some(w)) => Ok(w),
            _ => error("takes bit-vectors of one width"),
        }
    }

    fn negated(&mut self, op: Op, args: &[Term]) -> Result<Term> {
        let t = self.try_mk(op, args)?;
        Ok(self.mk(Op::BvNot, &[t]))
    }

    /// One bit: whether a Boolean holds.
    fn bit(&mut self, holds: Term) -> Term {
        let (one, zero) = (self.bv(1, UBig::ONE), self.bv(1, UBig::ZERO));
        self.ite(holds, one, zero)
    }

    fn rotate_by(&mut self, left: bool, a: Term, by: Term) -> Result<Term> {
        let w = self.same_bv(&[a, by])?;
        if w == 1 {
            return Ok(a);
        }
        // Widths fit their own numbers for every width above one.
        let width = self.bv(w, UBig::from(w));
        let n = self.mk(Op::BvUrem, &[by, width]);
        let back = self.bv_sub(width, n);
        let (shift, other) = if left { (Op::BvShl, Op::BvLshr) } else { (Op::BvLshr, Op::BvShl) };
        let x = self.mk(shift, &[a, n]);
        let y = self.mk(other, &[a, back]);
        Ok(self.mk(Op::BvOr, &[x, y]))
    }

    /// Does the exact result leave the range? Computed one way for all: in a width that it fits.
    fn overflow(&mut self, name: &str, args: &[Term]) -> Result<Term> {
        let w = self.same_bv(args)?;
        if args.len() != if name == "bvnego" { 1 } else { 2 } {
            return error("takes another number of arguments");
        }
        if name == "bvusubo" {
            return self.try_mk(Op::BvUlt, args);
        }
        let min = self.bv(w, UBig::ONE << (w - 1) as usize);
        if name == "bvnego" {
            return Ok(self.eq(args[0], min));
        }
        if name == "bvsdivo" {
            let zero = self.bv(w, UBig::ZERO);
            let minus_one = self.mk(Op::BvNot, &[zero]);
            let (a, b) = (self.eq(args[0], min), self.eq(args[1], minus_one));
            return Ok(self.and(&[a, b]));
        }
        let signed = name.starts_with("bvs");
        let product = name.ends_with("mulo");
        let more = if product { w } else { 1 };
        check_width(u64::from(w) + u64::from(more))?;
        let extend = if signed { Op::SignExt(more) } else { Op::ZeroExt(more) };
        let (a, b) = (self.mk(extend, &[args[0]]), self.mk(extend, &[args[1]]));
        let exact = match name {
            "bvssubo" => self.bv_sub(a, b),
            _ => self.mk(if product { Op::BvMul } else { Op::BvAdd }, &[a, b]),
        };
        let low = self.extract(w - 1, 0, exact);
        let again = self.mk(extend, &[low]);
        Ok(self.ne(again, exact))
    }

    /// `to_fp` means four things, told apart by the arguments.
    fn float_from(&mut self, exp: u32, sig: u32, args: &[Term]) -> Result<Term> {
        check_format(exp, sig)?;
        match *args {
            [bits] => self.try_mk(Op::FpFromBits { exp, sig }, &[bits]),
            [mode, a] => {
                let a = self.as_reals(&[a])[0];
                let op = match self.sort_kind(self.sort(a)) {
                    SortKind::Real => Op::FpFromReal { exp, sig },
                    SortKind::BitVec(_) => Op::FpFromSbv { exp, sig },
                    _ => Op::FpFromFp { exp, sig },
                };
                self.try_mk(op, &[mode, a])
            }
            _ => error("takes one or two arguments"),
        }
    }

    /// The sort `(_ name indices)`.
    pub(crate) fn indexed_sort(&mut self, name: &str, indices: &[u32]) -> Result<Option<Sort>> {
        Ok(match (name, indices) {
            ("BitVec", &[w]) => {
                check_width(u64::from(w))?;
                Some(self.bv_sort(w))
            }
            ("FloatingPoint", &[exp, sig]) => {
                check_format(exp, sig)?;
                Some(self.float_sort(exp, sig))
            }
            _ => None,
        })
    }
}

fn check_width(width: u64) -> Result<()> {
    if (1..=u64::from(MAX_WIDTH)).contains(&width) {
        Ok(())
    } else {
        error(format!("bit-vectors are 1 to {MAX_WIDTH} bits wide, not {width}"))
    }
}

fn check_format(exp: u32, sig: u32) -> Result<()> {
    if (2..=MAX_EXPONENT).contains(&exp) && (2..=MAX_SIGNIFICAND).contains(&sig) {
        Ok(())
    } else {
        error(format!("floats have 2 to {MAX_EXPONENT} exponent bits and 2 to {MAX_SIGNIFICAND} significand bits"))
    }
}

/// The float with these bits; every NaN is the one NaN.
fn float(exp: u32, sig: u32, bits: UBig) -> Float {
    Float::from_bits(exp, sig, bits)
}

/// A bit-vector numeral of the digits' width.
pub(crate) fn bv_literal(digits: &str, radix: u32) -> Option<BitVec> {
    let width = u32::try_from(digits.len()).ok()?.checked_mul(if radix == 16 { 4 } else { 1 })?;
    check_width(u64::from(width)).ok()?;
    Some(BitVec::new(width, UBig::from_str_radix(digits, radix).ok()?))
}

/// The rounding mode of this name, long or short.
fn rounding_mode(name: &str) -> Option<RoundingMode> {
    Some(match name {
        "roundNearestTiesToEven" | "RNE" => RoundingMode::Rne,
        "roundNearestTiesToAway" | "RNA" => RoundingMode::Rna,
        "roundTowardPositive" | "RTP" => RoundingMode::Rtp,
        "roundTowardNegative" | "RTN" => RoundingMode::Rtn,
        "roundTowardZero" | "RTZ" => RoundingMode::Rtz,
        _ => return None,
    })
}

/// The operators whose name, arguments and meaning are SMT-LIB's.
fn direct(name: &str) -> Option<Op> {
    Some(match name {
        "not" => Op::Not,
        "and" => Op::And,
        "or" => Op::Or,
        "distinct" => Op::Distinct,
        "ite" => Op::Ite,
        "+" => Op::Add,
        "*" => Op::Mul,
        "mod" => Op::IntMod,
        "to_real" => Op::ToReal,
        "to_int" => Op::ToInt,
        "is_int" => Op::IsInt,
        "^" => Op::Pow,
        "bvnot" => Op::BvNot,
        "bvneg" => Op::BvNeg,
        "bvand" => Op::BvAnd,
        "bvor" => Op::BvOr,
        "bvxor" => Op::BvXor,
        "bvadd" => Op::BvAdd,
        "bvmul" => Op::BvMul,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvsmod" => Op::BvSmod,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bvult" => Op::BvUlt,
        "bvule" => Op::BvUle,
        "bvslt" => Op::BvSlt,
        "bvsle" => Op::BvSle,
        "bv2nat" | "bv2int" | "ubv_to_int" => Op::BvToNat,
        "fp.to_real" => Op::FpToReal,
        "fp.to_bits" | "fp.to_ieee_bv" => Op::FpToBits,
        "fp.abs" => Op::FpAbs,
        "fp.neg" => Op::FpNeg,
        "fp.add" => Op::FpAdd,
        "fp.sub" => Op::FpSub,
        "fp.mul" => Op::FpMul,
        "fp.div" => Op::FpDiv,
        "fp.fma" => Op::FpFma,
        "fp.sqrt" => Op::FpSqrt,
        "fp.rem" => Op::FpRem,
        "fp.roundToIntegral" => Op::FpRoundToIntegral,
        "fp.min" => Op::FpMin,
        "fp.max" => Op::FpMax,
        "fp.isNormal" => Op::FpIsNormal,
        "fp.isSubnormal" => Op::FpIsSubnormal,
        "fp.isZero" => Op::FpIsZero,
        "fp.isInfinite" => Op::FpIsInfinite,
        "fp.isNaN" => Op::FpIsNan,
        "fp.isNegative" => Op::FpIsNegative,
        "fp.isPositive" => Op::FpIsPositive,
        "select" => Op::Select,
        "store" => Op::Store,
        _ => return None,
    })
}

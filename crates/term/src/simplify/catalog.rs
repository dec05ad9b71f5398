//! For every rule terms on which it fires, so that tests can evaluate and prove both sides.
//!
//! Each term is built without simplification; [`rebuild`] is the other side.

use dashu_int::IBig;

use super::Rule;
use crate::{
    op::{Op, RoundingMode},
    sort::Sort,
    store::{Term, Terms},
    walk::TermMap,
};

/// A term on which a rule fires.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// The rule.
    pub rule: Rule,
    /// The term as it is.
    pub raw: Term,
    /// The term built again through [`Terms::mk`].
    pub simplified: Term,
    /// Whether the rule fired while building it.
    pub fired: bool,
}

/// Builds a term again, bottom up, through [`Terms::mk`].
pub fn rebuild(t: &mut Terms, root: Term) -> Term {
    let mut done = TermMap::new();
    for s in t.post_order(&[root]) {
        let args: Vec<Term> = t.args(s).iter().filter_map(|&a| done.get(a).map(Term)).collect();
        let new = t.mk(t.op(s), &args);
        done.insert(s, new.0);
    }
    done.get(root).map_or(root, Term)
}

/// Instances of every rule.
pub fn instances(t: &mut Terms) -> Vec<Instance> {
    let mut list = Vec::new();
    core(t, &mut list);
    equality(t, &mut list);
    arith(t, &mut list);
    for width in [1, 8, 33] {
        bit_vectors(t, &mut list, width);
    }
    bit_parts(t, &mut list);
    floats(t, &mut list);
    arrays(t, &mut list);
    datatypes(t, &mut list);
    binders(t, &mut list);
    list.into_iter()
        .map(|(rule, raw)| {
            let before = t.rule_count(rule);
            let simplified = rebuild(t, raw);
            Instance { rule, raw, simplified, fired: t.rule_count(rule) > before }
        })
        .collect()
}

type List = Vec<(Rule, Term)>;

fn vars<const N: usize>(t: &mut Terms, names: [&str; N], sort: Sort) -> [Term; N] {
    names.map(|n| t.var(n, sort))
}

fn core(t: &mut Terms, list: &mut List) {
    let [p, q, r, s, e] = vars(t, ["p", "q", "r", "s", "e"], Sort::BOOL);
    let [x, y] = vars(t, ["x", "y"], Sort::INT);
    let bv = t.bv_sort(8);
    let [a, b] = vars(t, ["a8", "b8"], bv);
    let (yes, no) = (t.bool(true), t.bool(false));
    let (one, two) = (t.int(1), t.int(2));
    let not_p = t.intern(Op::Not, &[p]);
    let not_q = t.intern(Op::Not, &[q]);
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::ConstFold, Op::Not, &[yes]);
    add(Rule::ConstFold, Op::Lt, &[one, two]);
    add(Rule::Commute, Op::And, &[q, p]);
    add(Rule::NotNot, Op::Not, &[not_p]);
    for (op, neutral, absorbing, rules) in [
        (Op::And, yes, no, [Rule::AndNeutral, Rule::AndAbsorb, Rule::AndDuplicate, Rule::AndComplement]),
        (Op::Or, no, yes, [Rule::OrNeutral, Rule::OrAbsorb, Rule::OrDuplicate, Rule::OrComplement]),
    ] {
        add(rules[0], op, &[p, neutral, q]);
        add(rules[0], op, &[neutral, neutral]);
        add(rules[1], op, &[p, absorbing, q]);
        add(rules[2], op, &[p, q, p]);
        add(rules[3], op, &[not_q, p, q]);
    }
    add(Rule::IteConst, Op::Ite, &[yes, x, y]);
    add(Rule::IteConst, Op::Ite, &[no, x, y]);
    add(Rule::IteSame, Op::Ite, &[p, x, x]);
    add(Rule::IteNot, Op::Ite, &[not_p, x, y]);
    for (a, b) in [(yes, no), (no, yes), (yes, q), (no, q), (q, yes), (q, no)] {
        add(Rule::IteBool, Op::Ite, &[p, a, b]);
    }
    add(Rule::IteCond, Op::Ite, &[p, p, q]);
    add(Rule::IteCond, Op::Ite, &[p, q, p]);
    let inner = t.intern(Op::Ite, &[p, x, y]);
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::IteNested, Op::Ite, &[p, inner, two]);
    add(Rule::IteNested, Op::Ite, &[p, two, inner]);
    for (x, y) in [(x, y), (a, b)] {
        let eq = t.intern(Op::Eq, &[x, y]);
        list.push((Rule::IteEq, t.intern(Op::Ite, &[eq, x, y])));
        list.push((Rule::IteEq, t.intern(Op::Ite, &[eq, y, x])));
    }
    let nots = [
        (Rule::NotLe, Op::Le, x, y),
        (Rule::NotLt, Op::Lt, x, y),
        (Rule::NotBvCompare, Op::BvUlt, a, b),
        (Rule::NotBvCompare, Op::BvUle, a, b),
        (Rule::NotBvCompare, Op::BvSlt, a, b),
        (Rule::NotBvCompare, Op::BvSle, a, b),
    ];
    for (rule, op, x, y) in nots {
        let compare = t.intern(op, &[x, y]);
        list.push((rule, t.intern(Op::Not, &[compare])));
    }
    for (rule, op) in [(Rule::AndFlatten, Op::And), (Rule::OrFlatten, Op::Or)] {
        let inner = t.intern(op, &[p, q]);
        let other = t.intern(op, &[r, s]);
        list.push((rule, t.intern(op, &[inner, e, other])));
    }
    let (seven, nine) = (t.bv(8, 7u8), t.bv(8, 9u8));
    let choice = t.intern(Op::Ite, &[p, seven, nine]);
    for op in [Op::BvNot, Op::BvNeg, Op::ZeroExt(3), Op::SignExt(3), Op::Extract { hi: 3, lo: 1 }, Op::BvToNat] {
        list.push((Rule::IteUnary, t.intern(op, &[choice])));
    }
}

fn equality(t: &mut Terms, list: &mut List) {
    let [p, q, r] = vars(t, ["p", "q", "r"], Sort::BOOL);
    let [x, y, z] = vars(t, ["x", "y", "z"], Sort::INT);
    let [u, v] = vars(t, ["u", "v"], Sort::REAL);
    let (yes, no) = (t.bool(true), t.bool(false));
    let [one, two, three] = [1, 2, 3].map(|i| t.int(i));
    let (not_p, not_q) = (t.intern(Op::Not, &[p]), t.intern(Op::Not, &[q]));
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::EqReflexive, Op::Eq, &[x, x]);
    add(Rule::ConstFold, Op::Eq, &[one, two]);
    add(Rule::Commute, Op::Eq, &[y, x]);
    add(Rule::Commute, Op::Eq, &[one, x]);
    add(Rule::EqTrue, Op::Eq, &[p, yes]);
    add(Rule::EqTrue, Op::Eq, &[yes, p]);
    add(Rule::EqFalse, Op::Eq, &[p, no]);
    add(Rule::EqComplement, Op::Eq, &[p, not_p]);
    add(Rule::EqComplement, Op::Eq, &[not_p, p]);
    add(Rule::EqNots, Op::Eq, &[not_p, not_q]);
    add(Rule::DistinctTwo, Op::Distinct, &[x, y]);
    add(Rule::DistinctDuplicate, Op::Distinct, &[x, y, x]);
    add(Rule::DistinctBool, Op::Distinct, &[p, q, r]);
    add(Rule::ConstFold, Op::Distinct, &[one, two, three]);
    for value in [one, two, three] {
        let ite = t.intern(Op::Ite, &[p, one, two]);
        list.push((Rule::EqIteValues, t.intern(Op::Eq, &[ite, value])));
    }
    let same = t.intern(Op::Ite, &[p, one, one]);
    list.push((Rule::IteSame, t.intern(Op::Eq, &[same, one])));
    let (half, more) = (t.real(IBig::from(1)), t.real(IBig::from(3)));
    let (c, d) = (t.bv(8, 250u8), t.bv(8, 9u8));
    let bv = t.bv_sort(8);
    let [a, b] = vars(t, ["a8", "b8"], bv);
    for (sum, x, y, c, d) in [(Op::Add, x, y, two, three), (Op::Add, u, v, half, more), (Op::BvAdd, a, b, c, d)] {
        let (xc, xd) = (t.intern(sum, &[c, x]), t.intern(sum, &[d, x]));
        let xyc = t.intern(sum, &[c, x, y]);
        list.push((Rule::EqOffset, t.intern(Op::Eq, &[xc, d])));
        list.push((Rule::EqOffset, t.intern(Op::Eq, &[xyc, d])));
        list.push((Rule::EqSameBase, t.intern(Op::Eq, &[xc, xd])));
        list.push((Rule::EqSameBase, t.intern(Op::Eq, &[xc, x])));
    }
    for op in [Op::ZeroExt(5), Op::SignExt(5)] {
        let (ea, eb) = (t.intern(op, &[a]), t.intern(op, &[b]));
        list.push((Rule::EqExt, t.intern(Op::Eq, &[ea, eb])));
    }
    let wide = t.intern(Op::ZeroExt(5), &[a]);
    for c in [17u32, 255, 256, 4097] {
        let c = t.bv(13, c);
        list.push((Rule::EqExtConst, t.intern(Op::Eq, &[wide, c])));
    }
    list.push((Rule::Commute, t.intern(Op::Distinct, &[z, y, x])));
}

fn arith(t: &mut Terms, list: &mut List) {
    for (sort, names) in [(Sort::INT, ["x", "y", "z", "w"]), (Sort::REAL, ["u", "v", "ru", "rv"])] {
        let [x, y, z, w] = vars(t, names, sort);
        let num = |t: &mut Terms, n: i32| if sort == Sort::INT { t.int(n) } else { t.real(IBig::from(n)) };
        let [zero, one, two, three, minus, minus_two] = [0, 1, 2, 3, -1, -2].map(|n| num(t, n));
        let minus_x = t.intern(Op::Mul, &[minus, x]);
        let (two_x, minus_two_x) = (t.intern(Op::Mul, &[two, x]), t.intern(Op::Mul, &[minus_two, x]));
        let (xy, zw) = (t.intern(Op::Add, &[x, y]), t.intern(Op::Add, &[z, w]));
        let (x_times_y, zw_product) = (t.intern(Op::Mul, &[x, y]), t.intern(Op::Mul, &[z, w]));
        let offset = t.intern(Op::Add, &[three, x]);
        let offset2 = t.intern(Op::Add, &[two, x]);
        let long = t.intern(Op::Add, &[three, x, y]);
        let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
        add(Rule::ConstFold, Op::Add, &[two, three, minus]);
        add(Rule::Commute, Op::Add, &[y, x]);
        add(Rule::Commute, Op::Mul, &[y, x]);
        add(Rule::AddFlatten, Op::Add, &[xy, zw]);
        add(Rule::AddFlatten, Op::Add, &[offset, two]);
        add(Rule::AddConsts, Op::Add, &[two, x, three]);
        add(Rule::AddConsts, Op::Add, &[offset, two]);
        add(Rule::AddZero, Op::Add, &[x, zero]);
        add(Rule::AddZero, Op::Add, &[minus, x, one]);
        add(Rule::AddLike, Op::Add, &[x, minus_x]);
        add(Rule::AddLike, Op::Add, &[x, two_x, y]);
        add(Rule::AddLike, Op::Add, &[two_x, minus_x]);
        add(Rule::AddLike, Op::Add, &[two_x, minus_two_x, three]);
        add(Rule::AddLike, Op::Add, &[x_times_y, z, x_times_y]);
        add(Rule::MulFlatten, Op::Mul, &[x_times_y, zw_product]);
        add(Rule::MulConsts, Op::Mul, &[two, x, three]);
        add(Rule::MulConsts, Op::Mul, &[two_x, three]);
        add(Rule::MulZero, Op::Mul, &[x, zero, y]);
        add(Rule::MulOne, Op::Mul, &[x, one]);
        add(Rule::MulOverOffset, Op::Mul, &[minus_two, offset]);
        add(Rule::LeReflexive, Op::Le, &[x, x]);
        add(Rule::LtIrreflexive, Op::Lt, &[x, x]);
        add(Rule::PowOne, Op::Pow, &[x, one]);
        for op in [Op::Le, Op::Lt] {
            add(Rule::CompareOffset, op, &[offset, two]);
            add(Rule::CompareOffset, op, &[two, long]);
            add(Rule::CompareSameBase, op, &[offset, offset2]);
            add(Rule::CompareSameBase, op, &[x, offset2]);
        }
    }
    let [x, y] = vars(t, ["x", "y"], Sort::INT);
    let [u] = vars(t, ["u"], Sort::REAL);
    let [one, five, minus_five] = [1, 5, -5].map(|n| t.int(n));
    let (two, minus_two) = (t.real(IBig::from(2)), t.real(IBig::from(-2)));
    let modulo = t.intern(Op::IntMod, &[x, five]);
    let modulo2 = t.intern(Op::IntMod, &[x, minus_five]);
    let real = t.intern(Op::ToReal, &[x]);
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::ConstFold, Op::IntDiv, &[minus_five, five]);
    add(Rule::ConstFold, Op::IntMod, &[minus_five, five]);
    add(Rule::DivOne, Op::IntDiv, &[x, one]);
    add(Rule::ModOne, Op::IntMod, &[x, one]);
    add(Rule::ModMod, Op::IntMod, &[modulo, five]);
    add(Rule::ModMod, Op::IntMod, &[modulo2, minus_five]);
    add(Rule::RealDivConst, Op::RealDiv, &[u, two]);
    add(Rule::RealDivConst, Op::RealDiv, &[u, minus_two]);
    add(Rule::IntStrict, Op::Lt, &[x, five]);
    add(Rule::IntStrict, Op::Lt, &[five, y]);
    add(Rule::ToIntToReal, Op::ToInt, &[real]);
    add(Rule::IsIntToReal, Op::IsInt, &[real]);
}

fn bit_vectors(t: &mut Terms, list: &mut List, width: u32) {
    let sort = t.bv_sort(width);
    let names = ["a", "b", "c", "d"].map(|n| format!("{n}{width}"));
    let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| t.var(&names[i], sort));
    let num = |t: &mut Terms, n: u64| t.bv(width, n);
    let all = (1u64 << width) - 1;
    let top = 1u64 << (width - 1);
    let [zero, one, ones, least, greatest] = [0, 1, all, top, top - 1].map(|n| num(t, n));
    let [k, l, out] = [5, 3, u64::from(width)].map(|n| num(t, n & all));
    let (not_a, neg_a) = (t.intern(Op::BvNot, &[a]), t.intern(Op::BvNeg, &[a]));
    for op in [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul] {
        let (ab, cd) = (t.intern(op, &[a, b]), t.intern(op, &[c, d]));
        list.push((Rule::BvFlatten, t.intern(op, &[ab, cd])));
        list.push((Rule::BvConsts, t.intern(op, &[k, a, l])));
        list.push((Rule::Commute, t.intern(op, &[b, a])));
        list.push((Rule::ConstFold, t.intern(op, &[k, l, k])));
        let neutral = match op {
            Op::BvAnd => ones,
            Op::BvMul => one,
            _ => zero,
        };
        list.push((Rule::BvNeutral, t.intern(op, &[a, neutral])));
    }
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::BvNotNot, Op::BvNot, &[not_a]);
    add(Rule::BvNegNeg, Op::BvNeg, &[neg_a]);
    add(Rule::BvAbsorb, Op::BvAnd, &[a, zero]);
    add(Rule::BvAbsorb, Op::BvMul, &[a, zero]);
    add(Rule::BvAbsorb, Op::BvOr, &[a, ones]);
    for op in [Op::BvAnd, Op::BvOr] {
        add(Rule::BvDuplicate, op, &[a, b, a]);
        add(Rule::BvComplement, op, &[not_a, b, a]);
    }
    add(Rule::BvXorSame, Op::BvXor, &[a, a]);
    add(Rule::BvXorSame, Op::BvXor, &[a, b, a, a]);
    add(Rule::BvXorOnes, Op::BvXor, &[a, ones]);
    add(Rule::BvAddCancel, Op::BvAdd, &[a, neg_a]);
    add(Rule::BvAddCancel, Op::BvAdd, &[b, neg_a, one, a, a]);
    for op in [Op::BvUdiv, Op::BvSdiv] {
        add(Rule::BvDivOne, op, &[a, one]);
    }
    for op in [Op::BvUrem, Op::BvSrem, Op::BvSmod] {
        add(Rule::BvRemOne, op, &[a, one]);
    }
    for op in [Op::BvUdiv, Op::BvUrem] {
        add(Rule::BvDivZero, op, &[a, zero]);
        if width > 1 {
            add(Rule::BvDivPow2, op, &[a, least]);
        }
    }
    for op in [Op::BvShl, Op::BvLshr, Op::BvAshr] {
        add(Rule::BvShiftZero, op, &[a, zero]);
        add(Rule::BvShiftZero, op, &[zero, a]);
        if op != Op::BvAshr {
            add(Rule::BvShiftOut, op, &[a, out]);
            add(Rule::BvShiftOut, op, &[a, ones]);
        }
    }
    for op in [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
        add(Rule::BvCompareSame, op, &[a, a]);
        let unsigned = matches!(op, Op::BvUlt | Op::BvUle);
        let (least, greatest) = if unsigned { (zero, ones) } else { (least, greatest) };
        add(Rule::BvCompareBound, op, &[a, if matches!(op, Op::BvUlt | Op::BvSlt) { least } else { greatest }]);
        add(Rule::BvCompareBound, op, &[if matches!(op, Op::BvUlt | Op::BvSlt) { greatest } else { least }, a]);
        if matches!(op, Op::BvUle | Op::BvSle) {
            add(Rule::BvCompareBound, op, &[a, least]);
            add(Rule::BvCompareBound, op, &[greatest, a]);
        }
    }
    add(Rule::BvCompareBound, Op::BvUlt, &[a, one]);
}

fn bit_parts(t: &mut Terms, list: &mut List) {
    let (s8, s4) = (t.bv_sort(8), t.bv_sort(4));
    let [a, b] = vars(t, ["a8", "b8"], s8);
    let [n] = vars(t, ["n4"], s4);
    let [x] = vars(t, ["x"], Sort::INT);
    let (zero, five, six) = (t.bv(4, 0u8), t.bv(4, 5u8), t.bv(4, 6u8));
    let (mask, mask13) = (t.bv(8, 0x3cu8), t.bv(8, 0x0fu8));
    let extract = |hi, lo| Op::Extract { hi, lo };
    let (high, low) = (t.intern(extract(6, 4), &[a]), t.intern(extract(3, 1), &[a]));
    let (head, tail) = (t.intern(Op::Concat, &[five, n]), t.intern(Op::Concat, &[n, five]));
    let both = t.intern(Op::Concat, &[n, b]);
    let (zext, sext) = (t.intern(Op::ZeroExt(4), &[n]), t.intern(Op::SignExt(4), &[n]));
    let masked = t.intern(Op::BvAnd, &[mask, a]);
    let int = t.intern(Op::BvToNat, &[a]);
    let bv = t.intern(Op::IntToBv(8), &[x]);
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::ConcatExtracts, Op::Concat, &[high, low]);
    add(Rule::ConcatConsts, Op::Concat, &[six, head]);
    add(Rule::ConcatConsts, Op::Concat, &[tail, six]);
    add(Rule::ConcatZero, Op::Concat, &[zero, n]);
    add(Rule::ExtractAll, extract(7, 0), &[a]);
    add(Rule::ExtractExtract, extract(1, 1), &[high]);
    add(Rule::ExtractExtract, extract(1, 0), &[low]);
    add(Rule::ExtractConcat, extract(10, 9), &[both]);
    add(Rule::ExtractConcat, extract(11, 8), &[both]);
    add(Rule::ExtractConcat, extract(6, 1), &[both]);
    for ext in [zext, sext] {
        add(Rule::ExtractExt, extract(2, 1), &[ext]);
        add(Rule::ExtractExt, extract(5, 0), &[ext]);
    }
    add(Rule::ExtractExt, extract(6, 5), &[zext]);
    add(Rule::ExtractMask, extract(5, 2), &[masked]);
    add(Rule::ExtractMask, extract(4, 3), &[masked]);
    add(Rule::ExtZero, Op::ZeroExt(0), &[a]);
    add(Rule::ExtZero, Op::SignExt(0), &[a]);
    add(Rule::ExtExt, Op::ZeroExt(2), &[zext]);
    add(Rule::ExtExt, Op::SignExt(2), &[sext]);
    add(Rule::ExtExt, Op::SignExt(2), &[zext]);
    add(Rule::BvAndMaskExt, Op::BvAnd, &[mask13, zext]);
    add(Rule::BvToNatIntToBv, Op::BvToNat, &[bv]);
    for n in [3, 8, 11] {
        add(Rule::IntToBvBvToNat, Op::IntToBv(n), &[int]);
    }
}

fn floats(t: &mut Terms, list: &mut List) {
    for (exp, sig) in [(3, 4), (5, 11)] {
        let sort = t.float_sort(exp, sig);
        let names = ["f", "g", "h"].map(|n| format!("{n}{sig}"));
        let [f, g, h] = [0, 1, 2].map(|i: usize| t.var(&names[i], sort));
        let [m, m2] = vars(t, ["rm", "rm2"], Sort::ROUNDING_MODE);
        let rne = t.rounding_mode(RoundingMode::Rne);
        let (neg, abs) = (t.intern(Op::FpNeg, &[f]), t.intern(Op::FpAbs, &[f]));
        let bits = t.intern(Op::FpToBits, &[f]);
        let wide = t.intern(Op::FpFromFp { exp: exp + 1, sig: sig + 2 }, &[m, f]);
        let choice = t.var("which", Sort::BOOL);
        let width = t.bv_sort(exp + sig);
        let other = t.var(&format!("bits{sig}"), width);
        let either = t.intern(Op::Ite, &[choice, other, bits]);
        let (sign, payload) = (t.bv_sort(1), t.bv_sort(sig - 2));
        let (sign, payload) = (t.var("sign", sign), t.var(&format!("payload{sig}"), payload));
        let ones = t.bv(exp + 1, (1u32 << (exp + 1)) - 1);
        let (upper, lower) = (t.intern(Op::Concat, &[sign, ones]), t.intern(Op::Concat, &[ones, payload]));
        let quiet = [t.intern(Op::Concat, &[upper, payload]), t.intern(Op::Concat, &[sign, lower])];
        let nan = t.value_term(&crate::Value::Float(crate::Float::nan(exp, sig)));
        let is_nan = t.intern(Op::FpIsNan, &[f]);
        let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
        add(Rule::FpFromBitsIte, Op::FpFromBits { exp, sig }, &[either]);
        for quiet in quiet {
            add(Rule::FpFromBitsNan, Op::FpFromBits { exp, sig }, &[quiet]);
        }
        add(Rule::IteNan, Op::Ite, &[is_nan, nan, f]);
        add(Rule::FpNegNeg, Op::FpNeg, &[neg]);
        add(Rule::FpAbsSign, Op::FpAbs, &[neg]);
        add(Rule::FpAbsSign, Op::FpAbs, &[abs]);
        for op in [Op::FpIsNormal, Op::FpIsSubnormal, Op::FpIsZero, Op::FpIsInfinite, Op::FpIsNan] {
            add(Rule::FpClassSign, op, &[neg]);
            add(Rule::FpClassSign, op, &[abs]);
        }
        add(Rule::FpClassSign, Op::FpIsNegative, &[neg]);
        add(Rule::FpClassSign, Op::FpIsPositive, &[neg]);
        add(Rule::FpClassSign, Op::FpIsNegative, &[abs]);
        add(Rule::FpFromBitsToBits, Op::FpFromBits { exp, sig }, &[bits]);
        add(Rule::FpFromFpSame, Op::FpFromFp { exp, sig }, &[m, f]);
        add(Rule::FpWidenNarrow, Op::FpFromFp { exp, sig }, &[m2, wide]);
        add(Rule::FpLtSame, Op::FpLt, &[f, f]);
        add(Rule::FpMinSame, Op::FpMin, &[f, f]);
        add(Rule::FpMinSame, Op::FpMax, &[f, f]);
        add(Rule::Commute, Op::FpEq, &[g, f]);
        if sig < 8 {
            add(Rule::Commute, Op::FpAdd, &[m, g, f]);
            add(Rule::Commute, Op::FpMul, &[rne, g, f]);
            add(Rule::Commute, Op::FpFma, &[rne, g, f, h]);
        }
    }
}

fn arrays(t: &mut Terms, list: &mut List) {
    let bv = t.bv_sort(2);
    let [c] = vars(t, ["p"], Sort::BOOL);
    for (index, tag) in [(Sort::INT, "i"), (bv, "b")] {
        let sort = t.array_sort(index, Sort::INT);
        let m = t.var(&format!("m{tag}"), sort);
        let other = t.var(&format!("n{tag}"), sort);
        let [i, j] = ["i", "j"].map(|n| t.var(&format!("{n}{tag}"), index));
        let [v, w] = vars(t, ["x", "y"], Sort::INT);
        let num = |t: &mut Terms, n: u8| if index == Sort::INT { t.int(n) } else { t.bv(2, n) };
        let [one, two, three] = [1, 2, 3].map(|n| num(t, n));
        let sum = if index == Sort::INT { Op::Add } else { Op::BvAdd };
        let next = t.intern(sum, &[one, i]);
        let store = |t: &mut Terms, a, i, v| t.intern(Op::Store, &[a, i, v]);
        let at_i = store(t, m, i, v);
        let at_next = store(t, m, next, v);
        let at_one = store(t, m, one, v);
        let (at_two, at_three) = (store(t, at_one, two, w), store(t, m, three, v));
        let at_three = store(t, at_three, two, w);
        let constant = t.intern(Op::ConstArray(sort), &[v]);
        let written = store(t, constant, three, w);
        let (same, other_i) = (t.intern(Op::Select, &[m, i]), store(t, other, i, w));
        let choice = t.intern(Op::Ite, &[c, at_i, other_i]);
        let choice2 = t.intern(Op::Ite, &[c, constant, at_i]);
        let bound = t.bound(0, index);
        let element = t.intern(Op::Select, &[m, bound]);
        let body = t.intern(Op::Add, &[element, v]);
        let k = t.symbol("k");
        let binder = t.intern_binder(crate::op::Binder { vars: vec![(k, index)], triggers: Vec::new(), weight: None });
        let lambda = t.intern(Op::Lambda(binder), &[body]);
        let passed_constant = t.intern(Op::Select, &[at_one, two]);
        let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
        add(Rule::SelectStoreSame, Op::Select, &[at_i, i]);
        add(Rule::SelectStoreOther, Op::Select, &[at_next, i]);
        add(Rule::SelectStoreOther, Op::Select, &[at_two, one]);
        add(Rule::SelectStoreOther, Op::Select, &[at_two, three]);
        add(Rule::SelectConst, Op::Select, &[constant, j]);
        add(Rule::SelectIte, Op::Select, &[choice, i]);
        add(Rule::SelectIte, Op::Select, &[choice2, i]);
        add(Rule::SelectLambda, Op::Select, &[lambda, j]);
        add(Rule::StoreOverwrite, Op::Store, &[at_i, i, w]);
        add(Rule::StoreOverwrite, Op::Store, &[at_two, one, w]);
        add(Rule::StoreSelf, Op::Store, &[m, i, same]);
        add(Rule::StoreSelf, Op::Store, &[at_one, two, passed_constant]);
        add(Rule::StoreConst, Op::Store, &[constant, i, v]);
        add(Rule::StoreConst, Op::Store, &[written, two, v]);
        add(Rule::StoreOrder, Op::Store, &[at_three, one, w]);
        add(Rule::LambdaEta, Op::Lambda(binder), &[element]);
        add(Rule::LambdaConst, Op::Lambda(binder), &[v]);
    }
}

fn datatypes(t: &mut Terms, list: &mut List) {
    let d = t.declare_datatype("Catalog.Pair");
    let pair = t.add_ctor(d, "pair", &[("first", Sort::INT), ("second", Sort::BOOL)]);
    let pair_sort = t.datatype_sort(d);
    let d = t.declare_datatype("Catalog.List");
    let list_sort = t.datatype_sort(d);
    let nil = t.add_ctor(d, "nil", &[]);
    let cons = t.add_ctor(d, "cons", &[("head", Sort::INT), ("tail", list_sort)]);
    let [x, y] = vars(t, ["x", "y"], Sort::INT);
    let [p, q] = vars(t, ["p", "q"], Sort::BOOL);
    let [xs, ys] = vars(t, ["xs", "ys"], list_sort);
    let [c] = vars(t, ["pair!"], pair_sort);
    let empty = t.intern(Op::Ctor(nil), &[]);
    let (l1, l2) = (t.intern(Op::Ctor(cons), &[x, xs]), t.intern(Op::Ctor(cons), &[y, ys]));
    let (deep1, deep2) = (t.intern(Op::Ctor(cons), &[y, l1]), t.intern(Op::Ctor(cons), &[x, l2]));
    let short = t.intern(Op::Ctor(cons), &[y, empty]);
    let (c1, c2) = (t.intern(Op::Ctor(pair), &[x, p]), t.intern(Op::Ctor(pair), &[y, q]));
    let (first, second) = (t.intern(Op::Selector(pair, 0), &[c]), t.intern(Op::Selector(pair, 1), &[c]));
    let mut add = |rule, op, args: &[Term]| list.push((rule, t.intern(op, args)));
    add(Rule::EqCtor, Op::Eq, &[l1, l2]);
    add(Rule::EqCtor, Op::Eq, &[c1, c2]);
    add(Rule::EqCtor, Op::Eq, &[deep1, deep2]);
    add(Rule::EqCtorClash, Op::Eq, &[l1, empty]);
    add(Rule::EqCtorClash, Op::Eq, &[deep1, short]);
    add(Rule::SelectorCtor, Op::Selector(cons, 0), &[l1]);
    add(Rule::SelectorCtor, Op::Selector(cons, 1), &[deep1]);
    add(Rule::TesterCtor, Op::Tester(cons), &[l1]);
    add(Rule::TesterCtor, Op::Tester(nil), &[l1]);
    add(Rule::TesterSingle, Op::Tester(pair), &[c]);
    add(Rule::CtorSelectors, Op::Ctor(pair), &[first, second]);
}

fn binders(t: &mut Terms, list: &mut List) {
    let [p] = vars(t, ["p"], Sort::BOOL);
    let vars = vec![(t.symbol("n"), Sort::INT), (t.symbol("b"), Sort::BOOL)];
    let b = t.intern_binder(crate::op::Binder { vars, triggers: Vec::new(), weight: None });
    let (yes, no) = (t.bool(true), t.bool(false));
    for op in [Op::Forall(b), Op::Exists(b)] {
        list.push((Rule::QuantConst, t.intern(op, &[yes])));
        list.push((Rule::QuantConst, t.intern(op, &[no])));
        list.push((Rule::QuantUnused, t.intern(op, &[p])));
    }
}

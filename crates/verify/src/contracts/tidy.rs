//! Makes claims of proofs readable: the same said shorter. Nothing is weakened or strengthened here, each result is equivalent to what was given.

use lariat_term::{Op, Quantifier, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::conjuncts;

/// What claims say together, as claims without a conjunction inside: quantifiers over conjunctions are taken apart, variables that a clause
/// fixes are replaced by their values, and two bounds that meet are an equation.
pub(super) fn clauses(terms: &mut Terms, claims: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for &claim in claims {
        match terms.open(claim) {
            Some(opened) if opened.quantifier == Quantifier::Forall => {
                for part in conjuncts(terms, opened.body) {
                    let part = one_point(terms, part, &opened.vars);
                    let free: FxHashSet<Var> = terms.free_vars(&[part]).into_iter().collect();
                    let vars: Vec<Var> = opened.vars.iter().copied().filter(|v| free.contains(v)).collect();
                    found.push(Clause { vars, body: part, given: (opened.body, claim) });
                }
            }
            _ => found.push(Clause { vars: Vec::new(), body: claim, given: (claim, claim) }),
        }
    }
    let found = meet(terms, found);
    let mut seen = FxHashSet::default();
    let mut claims: Vec<Term> = found
        .into_iter()
        .map(|Clause { vars, body, given: (whole, claim) }| match body == whole {
            true => claim,
            false if vars.is_empty() => body,
            false => terms.forall(&vars, &[], body),
        })
        .collect();
    claims.retain(|&t| terms.op(t) != Op::True && seen.insert(t));
    claims
}

/// A formula for all values of variables.
struct Clause {
    vars: Vec<Var>,
    body: Term,
    /// What the claim that it is from says for all values, and that claim.
    given: (Term, Term),
}

fn disjuncts(terms: &Terms, t: Term) -> Vec<Term> {
    if terms.op(t) == Op::Or { terms.args(t).to_vec() } else { vec![t] }
}

/// `v != e || P(v)`, for all `v`, is `P(e)`.
fn one_point(terms: &mut Terms, mut t: Term, vars: &[Var]) -> Term {
    let value = |terms: &Terms, part: Term| {
        let (Op::Not, &[equal]) = (terms.op(part), terms.args(part)) else { return None };
        let (Op::Eq, &[a, b]) = (terms.op(equal), terms.args(equal)) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(v, e)| {
            let v = terms.as_var(v).filter(|v| vars.contains(v))?;
            (!terms.free_vars(&[e]).contains(&v)).then_some((v, e))
        })
    };
    for _ in vars {
        let parts = disjuncts(terms, t);
        let Some((at, (v, e))) = parts.iter().enumerate().find_map(|(i, &p)| Some((i, value(terms, p)?))) else {
            break;
        };
        let rest: Vec<Term> = parts.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, &p)| p).collect();
        let rest = terms.or(&rest);
        t = terms.substitute(rest, &FxHashMap::from_iter([(v, e)]));
    }
    t
}

/// `C || a <= b` and `C || b <= a` are `C || a == b`.
fn meet(terms: &mut Terms, clauses: Vec<Clause>) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    for clause in clauses {
        let parts = disjuncts(terms, clause.body);
        let met = found.iter().enumerate().find_map(|(i, other)| {
            let others = disjuncts(terms, other.body);
            let new: Vec<Term> = parts.iter().copied().filter(|p| !others.contains(p)).collect();
            let old: Vec<Term> = others.iter().copied().filter(|p| !parts.contains(p)).collect();
            let (&[a], &[b], true) = (&new[..], &old[..], other.vars == clause.vars) else { return None };
            let equal = equation(terms, a, b)?;
            Some((i, parts.iter().map(|&p| if p == a { equal } else { p }).collect::<Vec<Term>>()))
        });
        match met {
            Some((i, parts)) => found[i].body = terms.or(&parts),
            None => found.push(clause),
        }
    }
    found
}

/// The equation that two opposite bounds make.
fn equation(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (op, &[x, y]) = (terms.op(a), terms.args(a)) else { return None };
    if !matches!(op, Op::Le | Op::BvSle | Op::BvUle) || op != terms.op(b) {
        return None;
    }
    (terms.args(b) == [y, x]).then(|| terms.eq(x, y))
}

/// A formula in which bit-vectors that were only made wider to be compared are compared as they are, and elements of maps instead of whole ones.
pub(super) fn shorter(terms: &mut Terms, t: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for t in terms.post_order(&[t]) {
        let args: Vec<Term> = terms.args(t).iter().map(|a| done.get(a).copied().unwrap_or(*a)).collect();
        let op = terms.op(t);
        let narrow = match (op, &args[..]) {
            (Op::Eq, &[a, b]) if stored(terms, a, b).is_some() => stored(terms, a, b),
            (Op::Eq | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt, &[a, b]) => narrow(terms, op, a, b),
            _ => None,
        };
        let changed = args != terms.args(t);
        let new = narrow.unwrap_or_else(|| if changed { terms.mk(op, &args) } else { t });
        done.insert(t, new);
    }
    done[&t]
}

/// A map is what it is after a store if the element was there already.
fn stored(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let store = |map: Term, other: Term| match (terms.op(map), terms.args(map)) {
        (Op::Store, &[before, index, value]) if before == other => Some((before, index, value)),
        _ => None,
    };
    let (map, index, value) = store(a, b).or_else(|| store(b, a))?;
    let element = terms.select(map, index);
    Some(terms.eq(element, value))
}

/// A comparison of two numbers of which one was, and the other was or could have been, extended from the same width.
fn narrow(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let extended = |terms: &Terms, t: Term| match (terms.op(t), terms.args(t)) {
        (Op::SignExt(by), &[inner]) if by > 0 => Some((inner, true)),
        (Op::ZeroExt(by), &[inner]) if by > 0 => Some((inner, false)),
        _ => None,
    };
    let (inner, signed) = extended(terms, a).or_else(|| extended(terms, b))?;
    let (wide, width) = (terms.bv_width(a)?, terms.bv_width(inner)?);
    let mut part = |t: Term| match extended(terms, t) {
        Some((inner, sign)) => (sign == signed && terms.bv_width(inner) == Some(width)).then_some(inner),
        None if terms.is_value(t) => {
            let low = terms.extract(width - 1, 0, t);
            let by = wide - width;
            let again = terms.mk(if signed { Op::SignExt(by) } else { Op::ZeroExt(by) }, &[low]);
            (again == t).then_some(low)
        }
        None => None,
    };
    let (a, b) = (part(a)?, part(b)?);
    // What was extended by zeros has no sign; both orders of what was extended by its sign are kept as they are.
    let op = match (op, signed) {
        (Op::BvSle, false) => Op::BvUle,
        (Op::BvSlt, false) => Op::BvUlt,
        _ => op,
    };
    Some(terms.mk(op, &[a, b]))
}

#[cfg(test)]
mod tests {
    use lariat_term::{Op, Sort, Terms};

    use super::{clauses, shorter};

    #[test]
    fn claims_are_said_shorter() {
        let mut t = Terms::new();
        let ints = t.array_sort(Sort::INT, Sort::INT);
        let (a, n) = (t.var("a", ints), t.var("n", Sort::INT));
        let k = t.variable("k", Sort::INT);
        let place = t.var_term(k);
        let (read, zero) = (t.select(a, place), t.int(0));
        let (here, above, below) = (t.eq(place, n), t.le(zero, read), t.le(read, zero));
        let elsewhere = t.not(here);
        let (one, other) = (t.or(&[elsewhere, above]), t.or(&[below, elsewhere]));
        let both = t.and(&[one, other]);
        let all = t.forall(&[k], &[], both);
        let element = t.select(a, n);
        let expected = t.eq(element, zero);
        assert_eq!(clauses(&mut t, &[all]), [expected]);
        // What is not fixed stays for all values.
        let bounded = t.forall(&[k], &[], above);
        assert_eq!(clauses(&mut t, &[bounded]), [bounded]);
    }

    #[test]
    fn maps_are_compared_by_elements() {
        let mut t = Terms::new();
        let ints = t.array_sort(Sort::INT, Sort::INT);
        let (a, n, zero) = (t.var("a", ints), t.var("n", Sort::INT), t.int(0));
        let stored = t.intern(Op::Store, &[a, n, zero]);
        let same = t.intern(Op::Eq, &[a, stored]);
        let other = t.not(same);
        let element = t.select(a, n);
        let equal = t.eq(element, zero);
        let expected = t.not(equal);
        assert_eq!(shorter(&mut t, other), expected);
    }

    #[test]
    fn what_was_made_wider_is_compared_as_it_is() {
        let mut t = Terms::new();
        let word = t.bv_sort(8);
        let (x, y) = (t.var("x", word), t.var("y", word));
        let [wide_x, wide_y] = [x, y].map(|v| t.mk(Op::SignExt(2), &[v]));
        let [long_x, long_y] = [x, y].map(|v| t.mk(Op::ZeroExt(2), &[v]));
        for (a, b, op, expected) in [
            (wide_x, wide_y, Op::BvSlt, Some((x, y, Op::BvSlt))),
            (wide_x, wide_y, Op::BvUle, Some((x, y, Op::BvUle))),
            (long_x, long_y, Op::BvSle, Some((x, y, Op::BvUle))),
            (wide_x, long_y, Op::BvSle, None),
        ] {
            let given = t.intern(op, &[a, b]);
            let expected = expected.map_or(given, |(a, b, op)| t.mk(op, &[a, b]));
            assert_eq!(shorter(&mut t, given), expected);
        }
        // 200 is no number of eight bits with a sign.
        let (minus, large) = (t.bv(10, 1023u32), t.bv(10, 200u32));
        let (given, other) = (t.intern(Op::BvSle, &[wide_x, minus]), t.intern(Op::BvSle, &[wide_x, large]));
        let narrow = t.bv(8, 255u32);
        let expected = t.mk(Op::BvSle, &[x, narrow]);
        assert_eq!(shorter(&mut t, given), expected);
        assert_eq!(shorter(&mut t, other), other);
    }
}

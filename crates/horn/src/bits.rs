//! Claims about integers as claims about the bit-vectors that they stand for.
//!
//! A bit-vector is extended to one so wide that sums and products of the claim do not wrap around there. Nothing depends on that being so:
//! what comes out is checked.

use lariat_certify::{
    Certificate,
    Event::{Choice, Entry, Exit, Havoc, Left, Result},
};
use lariat_program::integers::Integers;
use lariat_term::{Op, Quantifier, Sort, SortKind, Term, TermMap, Terms, Value, Var};
use rustc_hash::FxHashMap;

/// The certificate about the program that was read over integers; `None` if a term has no counterpart.
pub(crate) fn over_bits(terms: &mut Terms, integers: &Integers, certificate: &Certificate) -> Option<Certificate> {
    let originals = integers.originals();
    let mut mapped = lariat_certify::map_back(certificate, &integers.program, &integers.origins, &[])?;
    // A region may hand a global on that it does not mention itself.
    for (_, symbol) in &mut mapped.symbols {
        if let Entry(v) | Exit(v) | Havoc(_, v) | Result(_, v) = &mut symbol.event {
            *v = originals.get(v).map_or(*v, |(original, _)| *original);
        }
    }
    let width = |v: Var| width_in(terms, terms.var_sort(originals.get(&event_var(certificate, v)?)?.0));
    let widths: FxHashMap<Var, u32> = mapped.symbols.iter().filter_map(|&(v, _)| Some((v, width(v)?))).collect();
    let contracts = mapped.trees.iter().filter_map(|t| t.contract).flat_map(|c| [c.requires, c.ensures]);
    let invariants = mapped.trees.iter().flat_map(|t| &t.instances).filter_map(|i| i.treatment.invariant());
    let claims: Vec<Term> = contracts.chain(invariants).collect();
    let width = enough(terms, &claims, &widths);
    let mut bits = Bits { width, leaves: FxHashMap::default(), done: TermMap::new(), results: Vec::new() };
    for (v, _) in &mut mapped.symbols {
        let Some(event) = event_var(certificate, *v) else { continue };
        let Some(&(original, signed)) = originals.get(&event).filter(|(o, _)| *o != event) else { continue };
        let (name, sort) = (terms.var_name(*v).to_owned(), terms.var_sort(original));
        let symbol = terms.fresh_var(&name, sort);
        bits.leaves.insert(*v, (symbol, signed));
        *v = terms.as_var(symbol)?;
    }
    for constant in &integers.program.constants {
        if let Some(&(original, signed)) = originals.get(&constant.var).filter(|(o, _)| *o != constant.var) {
            bits.leaves.insert(constant.var, (terms.var_term(original), signed));
        }
    }
    for tree in &mut mapped.trees {
        if let Some(contract) = &mut tree.contract {
            contract.requires = bits.formula(terms, contract.requires)?;
            contract.ensures = bits.formula(terms, contract.ensures)?;
        }
        for instance in &mut tree.instances {
            if let Some(t) = instance.treatment.invariant_mut() {
                *t = bits.formula(terms, *t)?;
            }
        }
    }
    Some(mapped)
}

/// How wide bit-vectors have to be so that nothing wraps around in these claims, if these are the widths of variables.
fn enough(terms: &Terms, claims: &[Term], of_vars: &FxHashMap<Var, u32>) -> u32 {
    let mut widths = TermMap::new();
    let widest = of_vars.values().copied().max().unwrap_or(32);
    let mut most = widest + 1;
    for t in terms.post_order(claims) {
        let args: Vec<u32> = terms.args(t).iter().map(|&a| widths.get(a).unwrap_or(0)).collect();
        let largest = args.iter().copied().max().unwrap_or(0);
        let width = match terms.op(t) {
            Op::Const(c) => match terms.const_value(c) {
                // A digit is less than ten thirds of a bit.
                Value::Int(n) => (n.to_string().len() as u32 * 10).div_ceil(3) + 1,
                _ => 0,
            },
            Op::Add => largest + args.len().next_power_of_two().trailing_zeros(),
            Op::Mul => args.iter().sum(),
            Op::Ite | Op::IntDiv | Op::IntMod => largest,
            Op::IntToBv(width) => width,
            Op::Var(v) if terms.sort(t) == Sort::INT => of_vars.get(&v).copied().unwrap_or(widest) + 1,
            _ if terms.sort(t) == Sort::INT => widest + 1,
            _ => 0,
        };
        widths.insert(t, width);
        most = most.max(width);
    }
    // Differences of the two sides of a comparison do not matter, but a bit is cheap.
    (most + 1).min(4 * widest + 16)
}

/// The variable of the program whose value a symbol is.
fn event_var(certificate: &Certificate, v: Var) -> Option<Var> {
    let (_, symbol) = certificate.symbols.iter().find(|(s, _)| *s == v)?;
    match symbol.event {
        Entry(v) | Exit(v) | Havoc(_, v) | Result(_, v) => Some(v),
        Left(_) | Choice(..) => None,
    }
}

/// The widest bit-vector of a sort.
fn width_in(terms: &Terms, sort: Sort) -> Option<u32> {
    match terms.sort_kind(sort) {
        SortKind::BitVec(width) => Some(width),
        SortKind::Array(index, element) => width_in(terms, index).max(width_in(terms, element)),
        _ => None,
    }
}

struct Bits {
    /// What integers are.
    width: u32,
    /// What the variables stand for, and whether they are read as signed numbers.
    leaves: FxHashMap<Var, (Term, bool)>,
    done: TermMap,
    results: Vec<Term>,
}

impl Bits {
    /// A claim, which may be one about all places of maps.
    fn formula(&mut self, terms: &mut Terms, root: Term) -> Option<Term> {
        if terms.op(root) == Op::And {
            let mut parts = Vec::new();
            for t in terms.args(root).to_vec() {
                parts.push(self.formula(terms, t)?);
            }
            return Some(terms.and(&parts));
        }
        let Some(opened) = terms.open(root) else { return self.ground(terms, root) };
        if opened.quantifier != Quantifier::Forall {
            return None;
        }
        let mut places = Vec::new();
        for &v in &opened.vars {
            if terms.var_sort(v) != Sort::INT {
                places.push(v);
                continue;
            }
            // What is no place of a map may be any number.
            let width = self.index_width(terms, opened.body, v).unwrap_or(self.width);
            let (name, sort) = (terms.var_name(v).to_owned(), terms.bv_sort(width));
            let place = terms.fresh_var(&name, sort);
            self.leaves.insert(v, (place, width == self.width));
            places.push(terms.as_var(place)?);
        }
        let body = self.ground(terms, opened.body)?;
        Some(terms.forall(&places, &[], body))
    }

    /// The width of the indices of maps that a variable is an index of, the largest one.
    fn index_width(&self, terms: &Terms, root: Term, index: Var) -> Option<u32> {
        let mut widest = None;
        for t in terms.post_order(&[root]) {
            if let (Op::Select, &[map, at]) = (terms.op(t), terms.args(t))
                && terms.as_var(at) == Some(index)
                && let Some((sort, _)) = self.map(terms, map)
                && let SortKind::Array(key, _) = terms.sort_kind(sort)
                && let SortKind::BitVec(width) = terms.sort_kind(key)
            {
                widest = widest.max(Some(width));
            }
        }
        widest
    }

    /// What sort a map, or one that is an element of another one, has over bit-vectors, and whether its elements are signed.
    fn map(&self, terms: &Terms, mut t: Term) -> Option<(Sort, bool)> {
        let mut depth = 0;
        while terms.op(t) == Op::Select {
            (t, depth) = (terms.args(t)[0], depth + 1);
        }
        let &(leaf, signed) = self.leaves.get(&terms.as_var(t)?)?;
        let mut sort = terms.sort(leaf);
        for _ in 0..depth {
            let SortKind::Array(_, element) = terms.sort_kind(sort) else { return None };
            sort = element;
        }
        Some((sort, signed))
    }

    fn ground(&mut self, terms: &mut Terms, root: Term) -> Option<Term> {
        for t in terms.post_order(&[root]) {
            if !self.done.contains(t) {
                let result = self.term(terms, t)?;
                self.done.insert(t, self.results.len() as u32);
                self.results.push(result);
            }
        }
        let result = self.result(root)?;
        (terms.sort(result) == Sort::BOOL).then_some(result)
    }

    fn result(&self, t: Term) -> Option<Term> {
        self.done.get(t).map(|i| self.results[i as usize])
    }

    /// A term whose arguments are done: wide, where it was an integer.
    fn term(&self, terms: &mut Terms, t: Term) -> Option<Term> {
        let mut args = Vec::new();
        for &a in terms.args(t) {
            args.push(self.result(a)?);
        }
        let is_int = |terms: &Terms, t: Term| terms.sort(t) == Sort::INT;
        let of_ints = terms.args(t).iter().any(|&a| is_int(terms, a));
        Some(match terms.op(t) {
            Op::Var(v) => match self.leaves.get(&v) {
                Some(&(leaf, signed)) => match terms.bv_width(leaf) {
                    Some(_) => self.wide(terms, leaf, signed),
                    None => leaf,
                },
                None if is_int(terms, t) => return None,
                None => t,
            },
            Op::Const(_) if is_int(terms, t) => terms.mk(Op::IntToBv(self.width), &[t]),
            Op::Add => self.chain(terms, Op::BvAdd, &args)?,
            Op::Mul => self.chain(terms, Op::BvMul, &args)?,
            Op::Le if of_ints => terms.mk(Op::BvSle, &args),
            Op::Lt if of_ints => terms.mk(Op::BvSlt, &args),
            // Euclidean, for a positive divisor.
            Op::IntMod => terms.mk(Op::BvSmod, &args),
            Op::IntDiv => {
                let rest = terms.mk(Op::BvSmod, &args);
                let multiple = terms.bv_sub(args[0], rest);
                terms.mk(Op::BvSdiv, &[multiple, args[1]])
            }
            Op::Select => {
                let (map, index) = (args[0], args[1]);
                let SortKind::Array(key, element) = terms.sort_kind(terms.sort(map)) else { return None };
                let index = match (terms.sort_kind(key), terms.bv_width(index)) {
                    (SortKind::BitVec(width), Some(_)) => terms.extract(width - 1, 0, index),
                    _ => index,
                };
                let signed = self.map(terms, terms.args(t)[0]).is_some_and(|m| m.1);
                let value = terms.try_mk(Op::Select, &[map, index]).ok()?;
                match terms.sort_kind(element) {
                    SortKind::BitVec(_) => self.wide(terms, value, signed),
                    _ => value,
                }
            }
            Op::BvToNat => self.wide(terms, args[0], false),
            Op::IntToBv(width) if width <= self.width => terms.extract(width - 1, 0, args[0]),
            op @ (Op::True
            | Op::False
            | Op::Const(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::Distinct
            | Op::Ite) => terms.try_mk(op, &args).ok()?,
            _ => return None,
        })
    }

    fn wide(&self, terms: &mut Terms, t: Term, signed: bool) -> Term {
        let by = self.width - terms.bv_width(t).unwrap_or(self.width).min(self.width);
        terms.mk(if signed { Op::SignExt(by) } else { Op::ZeroExt(by) }, &[t])
    }

    fn chain(&self, terms: &mut Terms, op: Op, args: &[Term]) -> Option<Term> {
        let (&first, rest) = args.split_first()?;
        Some(rest.iter().fold(first, |sum, &t| terms.mk(op, &[sum, t])))
    }
}

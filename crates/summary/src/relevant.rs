//! Which axioms matter to an entry.
//!
//! An axiom is left out if no chain of shared constants and functions connects it with the code
//! that the entry can reach. Fewer axioms never make a wrong proof; and an error found without them
//! is an error with them, provided that what was left out is consistent, as it shares no symbol
//! with the rest. Whoever reports an error asks a solver about that first.

use lariat_program::{Program, RegionId};
use lariat_term::{Func, Op, PostOrder, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// All terms of the regions that an entry can reach.
pub fn code(program: &Program, entry: RegionId) -> Vec<Term> {
    let mut terms = Vec::new();
    for r in program.reached(entry) {
        program.regions[r.index()].blocks.iter().for_each(|block| block.for_each_term(|t| terms.push(t)));
    }
    terms
}

/// A symbol that axioms speak about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Var(Var),
    Func(Func),
}

fn symbols(terms: &Terms, roots: &[Term]) -> Vec<Symbol> {
    let mut found = FxHashSet::default();
    let mut order = PostOrder::new(roots);
    let mut list = Vec::new();
    while let Some(t) = order.next(terms) {
        let symbol = match terms.op(t) {
            Op::Var(v) => Symbol::Var(v),
            Op::App(f) => Symbol::Func(f),
            _ => continue,
        };
        if found.insert(symbol) {
            list.push(symbol);
        }
    }
    list
}

/// Whether each axiom is connected with the code.
pub fn relevant(terms: &Terms, code: &[Term], axioms: &[Term]) -> Vec<bool> {
    let of_axiom: Vec<Vec<Symbol>> = axioms.iter().map(|&a| symbols(terms, &[a])).collect();
    let mut users: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
    // An axiom without symbols is about nothing in particular, so it is kept.
    let mut kept: Vec<bool> = of_axiom.iter().map(Vec::is_empty).collect();
    for (i, list) in of_axiom.iter().enumerate() {
        for &s in list {
            users.entry(s).or_default().push(i);
        }
    }
    let mut work = symbols(terms, code);
    let mut seen: FxHashSet<Symbol> = work.iter().copied().collect();
    while let Some(s) = work.pop() {
        for &i in users.get(&s).map_or(&[][..], Vec::as_slice) {
            if !std::mem::replace(&mut kept[i], true) {
                work.extend(of_axiom[i].iter().copied().filter(|&s| seen.insert(s)));
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_term::Sort;

    #[test]
    fn only_connected_axioms_are_kept() {
        let mut t = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|n| t.var(n, Sort::INT));
        let (ab, bc, dd) = (t.lt(a, b), t.lt(b, c), t.int(3));
        let d3 = t.lt(d, dd);
        assert_eq!(relevant(&t, &[a], &[bc, d3, ab]), [true, false, true]);
        assert_eq!(relevant(&t, &[], &[bc, d3, ab]), [false; 3]);
    }
}

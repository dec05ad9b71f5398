//! Which values the arguments of a relation take after one step, by splitting cases instead of asking a solver.
//!
//! Where most of a row is given, what is left of a clause are a few decisions about inputs: comparisons of a variable with constants.
//! They are decided one after the other, each both ways, and the rest is simplified; how far values of a variable are
//! constrained by that is a set of intervals, so it is known exactly which cases are possible. Anything else is a question for the solver.

mod values;

use lariat_term::{Op, Sort, SortKind, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use self::values::{Decided, Values, before, decided, source};
use crate::{
    explicit_values::Row,
    partial::Partial,
    successors::{OpenArgument, STEP, few},
};

/// How many cases there may be before a solver is the better choice.
const CASES: usize = 200;

/// What is left to decide, and what is known of the variables in it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Case {
    condition: Term,
    args: Vec<Term>,
    /// In the order of the variables; each has a value.
    known: Vec<(Var, Values)>,
    /// Equations between variables that do not hold.
    apart: Vec<Term>,
}

/// The values that open arguments take together under a condition; those that take too many stay open, and become
/// `wide`. `None` if that is not decided so; then it is said whether it was `tried`.
pub(crate) fn successors(
    terms: &mut Terms,
    condition: Term,
    open: &[OpenArgument],
    wide: &mut [bool],
    tried: &mut bool,
) -> Option<Vec<Row>> {
    loop {
        let mut case = Case { condition, args: Vec::new(), known: Vec::new(), apart: Vec::new() };
        let mut search = CaseSplit {
            open: open.iter().map(|o| (wide[o.at], few(terms, o.arg))).collect(),
            many: vec![false; open.len()],
            rows: Vec::new(),
            cases: Vec::new(),
            seen: FxHashSet::default(),
        };
        for (o, &(wide, few)) in open.iter().zip(&search.open) {
            case.args.push(if wide && !few { listed(terms, o.arg) } else { o.arg });
        }
        if terms.op(condition) != Op::False {
            case.prepare(terms)?;
            search.add(terms, case.clone());
        }
        *tried = true;
        while let Some(case) = search.cases.pop() {
            if search.seen.len() > CASES {
                return None;
            }
            search.split(terms, &case)?;
        }
        let mut again = false;
        for (i, o) in open.iter().enumerate() {
            let (listed, few) = search.open[i];
            let values: FxHashSet<Term> = search.rows.iter().filter_map(|row| row[i]).collect();
            if !listed && !few && (search.many[i] || values.len() > STEP) {
                // In all rows of the relation, not only in some of these.
                wide[o.at] = true;
                again = true;
            }
        }
        if !again {
            return Some(search.rows);
        }
    }
}

/// A term that chooses the values that another one chooses among, and elsewhere is something that is no value.
fn listed(terms: &mut Terms, t: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let other = terms.var("any value%", terms.sort(t));
    let mut stack = vec![t];
    while let Some(&t) = stack.last() {
        let result = if terms.op(t) == Op::Ite {
            let [condition, yes, no] = [0, 1, 2].map(|i| terms.args(t)[i]);
            match (done.get(&yes), done.get(&no)) {
                (Some(&yes), Some(&no)) => terms.ite(condition, yes, no),
                (first, _) => {
                    stack.push(if first.is_none() { yes } else { no });
                    continue;
                }
            }
        } else if terms.is_value(t) {
            t
        } else {
            other
        };
        done.insert(t, result);
        stack.pop();
    }
    done[&t]
}

/// Can a condition hold? `None` if that is not decided so.
pub(crate) fn possible(terms: &mut Terms, condition: Term) -> Option<bool> {
    successors(terms, condition, &[], &mut [], &mut false).map(|rows| !rows.is_empty())
}

struct CaseSplit {
    /// Of each argument: do its values not matter, and are they few?
    open: Vec<(bool, bool)>,
    /// Which arguments were found to have too many values.
    many: Vec<bool>,
    rows: Vec<Row>,
    cases: Vec<Case>,
    seen: FxHashSet<Case>,
}

impl CaseSplit {
    /// Adds a case, if it is new.
    fn add(&mut self, terms: &Terms, mut case: Case) {
        case.forget(terms);
        if self.seen.insert(case.clone()) {
            self.cases.push(case);
        }
    }

    /// Adds what a case becomes where a term has a value, or a variable is another term.
    fn add_where(&mut self, terms: &mut Terms, mut case: Case, term: Term, value: Term) -> Option<()> {
        let mut work = vec![(term, value)];
        while let Some((term, value)) = work.pop() {
            let mut partial = Partial::default();
            partial.decide(term, value);
            case.condition = partial.apply(terms, case.condition);
            if terms.op(case.condition) == Op::False {
                return Some(());
            }
            case.args.iter_mut().for_each(|t| *t = partial.apply(terms, *t));
            for equal in std::mem::take(&mut case.apart) {
                let equal = partial.apply(terms, equal);
                let equal = solved(terms, equal).unwrap_or(equal);
                match terms.op(equal) {
                    Op::True => return Some(()),
                    Op::False => {}
                    _ if ends(terms, equal).is_some() => case.apart.push(equal),
                    _ => {
                        let Decided { var, no, .. } = decided(terms, equal)?;
                        let [no] = &no[..] else { return None };
                        let values = case.known(terms, var)?.intersection(no);
                        if values.is_empty() {
                            return Some(());
                        }
                        if let Some(value) = values.only() {
                            work.push((terms.var_term(var), number(terms, var, value)?));
                        }
                        case.set(var, values);
                    }
                }
            }
        }
        self.add(terms, case);
        Some(())
    }

    /// Decides one thing more, or adds the row of a case.
    fn split(&mut self, terms: &mut Terms, case: &Case) -> Option<()> {
        let mut undecided = std::iter::once(case.condition).chain(case.args.iter().copied());
        let Some(atom) = undecided.find_map(|t| undecided_atom(terms, t)) else { return self.leaf(terms, case) };
        let [no, yes] = [false, true].map(|b| terms.bool(b));
        if terms.as_var(atom).is_some() {
            self.add_where(terms, case.clone(), atom, no)?;
            return self.add_where(terms, case.clone(), atom, yes);
        }
        if let Some(decided) = decided(terms, atom) {
            let before = case.known(terms, decided.var)?;
            for (sets, holds) in [(decided.no, no), (decided.yes, yes)] {
                for values in sets.iter().map(|set| before.intersection(set)) {
                    if let Some(value) = values.only() {
                        let (var, value) = (terms.var_term(decided.var), number(terms, decided.var, value)?);
                        self.add_where(terms, case.clone(), var, value)?;
                    } else if !values.is_empty() {
                        let mut case = case.clone();
                        case.set(decided.var, values);
                        self.add_where(terms, case, atom, holds)?;
                    }
                }
            }
            return Some(());
        }
        if let Some(equal) = solved(terms, atom) {
            return self.add_where(terms, case.clone(), atom, equal);
        }
        // Variables that are equal are one.
        let (v, other) = ends(terms, atom)?;
        let mut equal = case.clone();
        let values = equal.known.iter().find(|(w, _)| *w == v).map(|(_, values)| values.clone());
        let mut possible = true;
        if let Some(values) = values {
            let (w, values) = before(terms, other, values)?;
            let values = equal.known(terms, w)?.intersection(&values);
            possible = !values.is_empty();
            equal.set(w, values);
        }
        if possible {
            let v = terms.var_term(v);
            self.add_where(terms, equal, v, other)?;
        }
        let mut different = case.clone();
        let at = different.apart.partition_point(|&t| t < atom);
        different.apart.insert(at, atom);
        // The atom itself is to stay as it is.
        let mut partial = Partial::default();
        partial.decide(atom, no);
        different.condition = partial.apply(terms, different.condition);
        different.args.iter_mut().for_each(|t| *t = partial.apply(terms, *t));
        if terms.op(different.condition) != Op::False {
            self.add(terms, different);
        }
        Some(())
    }

    /// A case in which all decisions are made: arguments that are no values take those of a variable.
    fn leaf(&mut self, terms: &mut Terms, case: &Case) -> Option<()> {
        let mut row = Row::new();
        for (i, &arg) in case.args.iter().enumerate() {
            let (wide, few) = self.open[i];
            if terms.is_value(arg) {
                row.push(Some(arg));
                continue;
            }
            if wide && !few {
                row.push(None);
                continue;
            }
            let v = source(terms, arg)?;
            let values = case.known(terms, v)?;
            if few || !values.more_than(STEP) {
                // Each is a case of its own.
                let var = terms.var_term(v);
                for value in values.iter() {
                    let value = number(terms, v, value)?;
                    self.add_where(terms, case.clone(), var, value)?;
                }
                return Some(());
            }
            self.many[i] = true;
            row.push(None);
        }
        // Whatever is chosen for the others, each variable has a value that is none of those it is not equal to.
        let mut different: Vec<(Var, usize)> = Vec::new();
        for &equal in &case.apart {
            let (v, other) = ends(terms, equal)?;
            for v in [v, source(terms, other)?] {
                match different.iter_mut().find(|(w, _)| *w == v) {
                    Some((_, times)) => *times += 1,
                    None => different.push((v, 1)),
                }
            }
        }
        for (v, times) in different {
            case.known(terms, v)?.more_than(times).then_some(())?;
        }
        if !self.rows.contains(&row) {
            self.rows.push(row);
        }
        Some(())
    }
}

impl Case {
    /// Looks at all terms: `None` if some are beyond what can be decided here. Multiples by powers of two of variables that are
    /// nowhere else are variables with known bits.
    fn prepare(&mut self, terms: &mut Terms) -> Option<()> {
        let roots: Vec<Term> = self.args.iter().copied().chain([self.condition]).collect();
        let mut multiples: Vec<(Term, Term, u32)> = Vec::new();
        let mut elsewhere: FxHashSet<Term> = roots.iter().copied().collect();
        for t in terms.post_order(&roots) {
            let args = terms.args(t);
            match (terms.op(t), args) {
                (Op::BvMul, &[a, b]) => {
                    let ((x, by), (y, factor)) = ((a, power_of_two(terms, b)), (b, power_of_two(terms, a)));
                    let (x, by) = by.map(|by| (x, by)).or_else(|| factor.map(|by| (y, by)))?;
                    terms.as_var(x)?;
                    multiples.push((t, x, by));
                    continue;
                }
                (
                    Op::True
                    | Op::False
                    | Op::Const(_)
                    | Op::Var(_)
                    | Op::Not
                    | Op::And
                    | Op::Or
                    | Op::Eq
                    | Op::Ite
                    | Op::Extract { .. }
                    | Op::ZeroExt(_)
                    | Op::SignExt(_)
                    | Op::BvNot
                    | Op::BvNeg
                    | Op::BvAnd
                    | Op::BvAdd
                    | Op::BvUlt
                    | Op::BvUle
                    | Op::BvSlt
                    | Op::BvSle,
                    _,
                ) => {}
                // Other terms may be chosen, as long as nothing is asked about them.
                (Op::BvOr | Op::BvXor | Op::Concat, _) if terms.sort(t) != Sort::BOOL => {}
                _ => return None,
            }
            elsewhere.extend(args);
        }
        for (i, &(multiple, x, by)) in multiples.iter().enumerate() {
            if elsewhere.contains(&x) || multiples[..i].iter().any(|m| m.1 == x) {
                return None;
            }
            let v = terms.as_var(x)?;
            let mut partial = Partial::default();
            partial.decide(multiple, x);
            self.condition = partial.apply(terms, self.condition);
            self.args.iter_mut().for_each(|t| *t = partial.apply(terms, *t));
            self.set(v, Values::multiples(terms, v, by)?);
        }
        Some(())
    }

    /// Forgets what no longer matters.
    fn forget(&mut self, terms: &Terms) {
        if self.known.is_empty() && self.apart.is_empty() {
            return;
        }
        let roots: Vec<Term> = self.args.iter().copied().chain([self.condition]).collect();
        let mut vars: FxHashSet<Var> = terms.free_vars(&roots).into_iter().collect();
        // A variable that is nowhere else is different from the others, whatever they are.
        let most = self.apart.len();
        let free = |v: Var| !vars.contains(&v) && self.known(terms, v).is_some_and(|values| values.more_than(most));
        let matters: Vec<bool> = self
            .apart
            .iter()
            .map(|&equal| {
                ends(terms, equal).is_none_or(|(v, other)| !free(v) && source(terms, other).is_none_or(|w| !free(w)))
            })
            .collect();
        let mut matters = matters.into_iter();
        self.apart.retain(|_| matters.next().unwrap_or(true));
        vars.extend(terms.free_vars(&self.apart));
        self.known.retain(|(v, _)| vars.contains(v));
    }

    /// Which values a variable may have; `None` if it is no bit-vector that words can hold.
    fn known(&self, terms: &Terms, v: Var) -> Option<Values> {
        let known = self.known.iter().find(|(w, _)| *w == v).map(|(_, values)| values.clone());
        known.or_else(|| Values::all(terms, v))
    }

    /// Says which values a variable has.
    fn set(&mut self, v: Var, values: Values) {
        self.known.retain(|(w, _)| *w != v);
        let at = self.known.partition_point(|(w, _)| *w < v);
        self.known.insert(at, (v, values));
    }
}

/// Which power of two a number is.
fn power_of_two(terms: &Terms, t: Term) -> Option<u32> {
    let value = values::number(terms, t).filter(|n| n.is_power_of_two())?;
    Some(value.trailing_zeros())
}

/// A value of a variable.
fn number(terms: &mut Terms, v: Var, value: u128) -> Option<Term> {
    let SortKind::BitVec(width) = terms.sort_kind(terms.var_sort(v)) else { return None };
    Some(terms.bv(width, value))
}

/// An equation of two sums with numbers, as one with a variable alone on one side.
fn solved(terms: &mut Terms, equation: Term) -> Option<Term> {
    let (Op::Eq, &[a, b]) = (terms.op(equation), terms.args(equation)) else { return None };
    let ((x, c), (y, d)) = (sum(terms, a)?, sum(terms, b)?);
    let difference = terms.bv_sub(d, c);
    let other = terms.mk(Op::BvAdd, &[y, difference]);
    Some(terms.eq(x, other))
}

/// The variable and the number that a sum is made of.
fn sum(terms: &Terms, t: Term) -> Option<(Term, Term)> {
    let (Op::BvAdd, &[a, b]) = (terms.op(t), terms.args(t)) else { return None };
    match (terms.as_var(a), terms.as_var(b)) {
        (Some(_), None) if terms.is_value(b) => Some((a, b)),
        (None, Some(_)) if terms.is_value(a) => Some((b, a)),
        _ => None,
    }
}

/// The variable and the term of an equation of the two, if that has a value for each of another variable.
fn ends(terms: &Terms, equation: Term) -> Option<(Var, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(equation), terms.args(equation)) else { return None };
    let end = |a, b| {
        let v = terms.as_var(a)?;
        let w = source(terms, b).filter(|w| *w != v)?;
        (terms.var_sort(v) == terms.sort(b) && Values::all(terms, w).is_some() && Values::all(terms, v).is_some())
            .then_some((v, b))
    };
    end(a, b).or_else(|| end(b, a))
}

/// A condition that decides something of a term, without connectives and choices inside; `None` if nothing is left to decide.
fn undecided_atom(terms: &Terms, mut t: Term) -> Option<Term> {
    loop {
        if terms.is_value(t) {
            return None;
        }
        let args = terms.args(t);
        let is_condition = terms.sort(t) == Sort::BOOL;
        if is_condition && terms.binds(t) == 0 && args.first().is_some_and(|&a| terms.sort(a) == Sort::BOOL) {
            match args.iter().find(|&&a| !terms.is_value(a)) {
                Some(&next) => t = next,
                None => return Some(t),
            }
        } else {
            match choice(terms, t) {
                Some(condition) => t = condition,
                None => return is_condition.then_some(t),
            }
        }
    }
}

/// The condition of a choice in a term.
fn choice(terms: &Terms, root: Term) -> Option<Term> {
    let (mut seen, mut stack) = (FxHashSet::default(), vec![root]);
    while let Some(t) = stack.pop() {
        if terms.binds(t) > 0 || !seen.insert(t) {
            continue;
        }
        if terms.op(t) == Op::Ite {
            return Some(terms.args(t)[0]);
        }
        stack.extend(terms.args(t));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n
        }

        fn one_of(&mut self, all: &[Term]) -> Term {
            all[self.below(all.len())]
        }
    }

    /// A comparison of some kind that is decided here.
    fn atom(terms: &mut Terms, numbers: &mut Numbers, vars: &[Term], multiple: Term, flag: Term) -> Term {
        let [x, y] = [0, 1].map(|_| numbers.one_of(vars));
        let c = terms.bv(3, numbers.below(8) as u32);
        let d = terms.bv(3, numbers.below(8) as u32);
        let sum = terms.mk(Op::BvAdd, &[x, d]);
        let sides = if numbers.below(2) == 0 { [sum, c] } else { [c, sum] };
        let compare = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][numbers.below(5)];
        match numbers.below(10) {
            0 => flag,
            1 | 2 => terms.mk(compare, &sides),
            3 => {
                let some = terms.mk(Op::BvAnd, &[x, d]);
                terms.eq(some, c)
            }
            4 => terms.eq(sum, y),
            5 => {
                let other = terms.mk(Op::BvAdd, &[y, c]);
                terms.eq(sum, other)
            }
            6 => {
                let low = terms.mk(Op::Extract { hi: 1, lo: 0 }, &[x]);
                let cut = terms.mk(Op::ZeroExt(1), &[low]);
                terms.eq(cut, x)
            }
            7 => {
                let (negated, wider) = (terms.mk(Op::BvNeg, &[x]), terms.bv(5, numbers.below(32) as u32));
                let extended = [Op::SignExt(2), Op::ZeroExt(2)][numbers.below(2)];
                let extended = terms.mk(extended, &[negated]);
                terms.mk(compare, &[extended, wider])
            }
            8 => terms.mk(compare, &[multiple, c]),
            _ => {
                let (some, bits) = (terms.mk(Op::Extract { hi: 2, lo: 1 }, &[x]), terms.bv(2, numbers.below(4) as u32));
                terms.eq(some, bits)
            }
        }
    }

    fn condition(terms: &mut Terms, numbers: &mut Numbers, atoms: &[Term]) -> Term {
        let mut found = numbers.one_of(atoms);
        for _ in 0..numbers.below(5) {
            let (other, third) = (numbers.one_of(atoms), numbers.one_of(atoms));
            found = match numbers.below(4) {
                0 => terms.and(&[found, other]),
                1 => terms.or(&[found, other]),
                2 => terms.ite(other, found, third),
                _ => terms.not(found),
            };
        }
        found
    }

    #[test]
    fn rows_are_those_of_all_values_of_the_variables() {
        let mut numbers = Numbers(7);
        let mut solved = 0;
        for _ in 0..100 {
            let mut terms = Terms::new();
            let sort = terms.bv_sort(3);
            let [x, y, z, hidden] = ["x", "y", "z", "hidden"].map(|name| terms.var(name, sort));
            let flag = terms.var("flag", Sort::BOOL);
            let (two, vars) = (terms.bv(3, 2_u32), [x, y, z]);
            let multiple = terms.mk(Op::BvMul, &[two, hidden]);
            let atoms: Vec<Term> = (0..5).map(|_| atom(&mut terms, &mut numbers, &vars, multiple, flag)).collect();
            let holds = condition(&mut terms, &mut numbers, &atoms);
            let choice = condition(&mut terms, &mut numbers, &atoms);
            let (c, d) = (terms.bv(3, numbers.below(8) as u32), numbers.one_of(&vars));
            let args = [terms.ite(choice, c, d), numbers.one_of(&vars), condition(&mut terms, &mut numbers, &atoms)];
            let no = terms.bool(false);
            let open: Vec<OpenArgument> =
                args.iter().enumerate().map(|(at, &arg)| OpenArgument { at, arg, free: no }).collect();
            let Some(rows) = successors(&mut terms, holds, &open, &mut [false; 3], &mut false) else { continue };
            solved += 1;
            let mut expected = FxHashSet::default();
            for n in 0..8 * 8 * 8 * 8 * 2_u32 {
                let mut map = FxHashMap::default();
                for (i, t) in [x, y, z, hidden].into_iter().enumerate() {
                    map.insert(terms.as_var(t).unwrap(), terms.bv(3, n >> (3 * i) & 7));
                }
                map.insert(terms.as_var(flag).unwrap(), terms.bool(n >> 12 == 1));
                if terms.substitute(holds, &map) == terms.bool(true) {
                    expected.insert(terms.substitute_all(&args, &map).into_iter().map(Some).collect::<Row>());
                }
            }
            let found: FxHashSet<Row> = rows.iter().cloned().collect();
            assert_eq!(found.len(), rows.len());
            assert_eq!(found, expected, "{}", terms.display(holds));
        }
        assert!(solved > 50, "{solved}");
    }

    #[test]
    fn what_takes_too_many_values_is_left_open() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(32);
        let (x, y) = (terms.var("x", sort), terms.var("y", sort));
        let [one, two, three, hundred] = [1_u32, 2, 3, 100].map(|n| terms.bv(32, n));
        let (small, is_three, other) = (terms.mk(Op::BvUlt, &[x, hundred]), terms.eq(x, three), terms.ne(x, y));
        let holds = terms.and(&[small, other]);
        let arg = terms.ite(is_three, one, two);
        let no = terms.bool(false);
        let open: Vec<OpenArgument> =
            [x, arg, y].into_iter().enumerate().map(|(at, arg)| OpenArgument { at, arg, free: no }).collect();
        let mut wide = [false; 3];
        let mut rows = successors(&mut terms, holds, &open, &mut wide, &mut false).unwrap();
        rows.sort_unstable();
        let mut expected = vec![vec![None, Some(one), None], vec![None, Some(two), None]];
        expected.sort_unstable();
        assert_eq!(rows, expected);
        assert_eq!(wide, [true, false, true]);
        // What is any number in an array is a question for the solver.
        let array = terms.array_sort(sort, sort);
        let memory = terms.var("memory", array);
        let read = terms.select(memory, x);
        let holds = terms.eq(read, three);
        assert_eq!(possible(&mut terms, holds), None);
    }
}

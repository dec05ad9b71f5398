//! Parts as clauses over atoms that the theories read.
//!
//! In: parts, and the tree they hang in. Out: clauses, each of one part. Conditional terms and divisions by numbers become fresh variables of
//! their part. Subformulas get names (Tseitin), again each of its part, and only in the direction that is needed. Whatever operator the
//! theories do not know is an uninterpreted function: a refutation holds all the same, a model does not ([`Problem::exact`]).
//!
//! What always holds: the symbols of an atom have a common node in their scopes, so that no atom mixes the two sides of a cut.

use std::collections::BTreeSet;

use dashu_base::Abs;
use dashu_ratio::RBig;
use lariat_term::{Func, Op, Sort, SortKind, Term, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    linear::{Constraint, Linear, Relation, Unknown},
    sat::{Lit, Origin, Sat},
    tree::{NodeSet, Tree},
};

/// What a variable of the search stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// A subformula of one part.
    Gate,
    /// A Boolean term that is no connective.
    Proposition(Term),
    /// A linear constraint, in normal form, with its opposite.
    Linear(Constraint, Constraint),
    /// Two terms, neither Boolean nor numbers, are equal.
    Same(Term, Term),
}

/// A symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A free variable.
    Var(Var),
    /// A declared function.
    Func(Func),
}

/// The clauses with what their variables mean.
pub struct Problem {
    /// How the parts hang together.
    pub tree: Tree,
    /// The clauses and the search.
    pub sat: Sat,
    /// The atoms by variable.
    pub atoms: Vec<Atom>,
    /// For each, a node that all its symbols are in scope of.
    pub places: Vec<usize>,
    atom_ids: FxHashMap<Atom, usize>,
    /// The terms that are unknowns of arithmetic.
    pub unknowns: Vec<Term>,
    unknown_ids: FxHashMap<Term, Unknown>,
    /// Which of them are integers.
    pub integer: Vec<bool>,
    /// Applications of uninterpreted functions.
    pub applications: Vec<Term>,
    known: FxHashSet<Term>,
    scopes: FxHashMap<Symbol, NodeSet>,
    term_scopes: FxHashMap<Term, NodeSet>,
    gates: FxHashMap<(usize, Term), usize>,
    emitted: FxHashSet<(usize, Term, bool)>,
    /// Would a model of the clauses be one of the parts?
    pub exact: bool,
}

impl Problem {
    /// No parts, in a chain of this length.
    pub fn empty(nodes: usize) -> Problem {
        Problem {
            tree: Tree::sequence(nodes),
            sat: Sat::new(),
            atoms: Vec::new(),
            places: Vec::new(),
            atom_ids: FxHashMap::default(),
            unknowns: Vec::new(),
            unknown_ids: FxHashMap::default(),
            integer: Vec::new(),
            applications: Vec::new(),
            known: FxHashSet::default(),
            scopes: FxHashMap::default(),
            term_scopes: FxHashMap::default(),
            gates: FxHashMap::default(),
            emitted: FxHashSet::default(),
            exact: true,
        }
    }

    /// Reads the parts, one for each node.
    pub fn new(terms: &mut Terms, parts: &[Term], tree: Tree) -> Problem {
        let mut p = Problem { tree, ..Problem::empty(0) };
        let flat: Vec<Vec<Term>> = parts.iter().map(|&t| flatten(terms, t)).collect();
        let mut occurrences: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        for (i, formulas) in flat.iter().enumerate() {
            for s in symbols(terms, formulas) {
                occurrences.entry(s).or_default().push(i);
            }
        }
        for (s, nodes) in occurrences {
            let scope = p.tree.scope(&nodes);
            p.scopes.insert(s, scope);
        }
        for (i, formulas) in flat.iter().enumerate() {
            for &f in formulas {
                p.assert(terms, i, f);
            }
        }
        p
    }

    /// The nodes where all symbols of a term are in scope.
    pub fn scope(&mut self, terms: &Terms, t: Term) -> NodeSet {
        if let Some(s) = self.term_scopes.get(&t) {
            return s.clone();
        }
        let mut scope = NodeSet::all(self.tree.len());
        for s in symbols(terms, &[t]) {
            if let Some(nodes) = self.scopes.get(&s) {
                scope.intersect(nodes);
            }
        }
        self.term_scopes.insert(t, scope.clone());
        scope
    }

    /// The nodes where all symbols of a linear form are in scope.
    pub fn linear_scope(&mut self, terms: &Terms, linear: &Linear) -> NodeSet {
        let mut scope = NodeSet::all(self.tree.len());
        for (u, _) in &linear.terms {
            let t = self.unknowns[*u as usize];
            scope.intersect(&self.scope(terms, t));
        }
        scope
    }

    /// Adds a formula of a part.
    fn assert(&mut self, terms: &mut Terms, part: usize, formula: Term) {
        let mut pending: Vec<(Term, bool)> = Vec::new();
        let mut stack = vec![(formula, true)];
        while let Some((t, positive)) = stack.pop() {
            match (terms.op(t), positive) {
                (Op::Not, _) => stack.push((terms.args(t)[0], !positive)),
                (Op::And, true) | (Op::Or, false) => stack.extend(terms.args(t).iter().rev().map(|&a| (a, positive))),
                (Op::Or, true) | (Op::And, false) => {
                    let args = terms.args(t).to_vec();
                    let mut lits = Vec::new();
                    for a in args {
                        let l = self.literal(terms, part, a, positive, &mut pending);
                        lits.push(l);
                    }
                    self.clause(part, lits);
                }
                _ => {
                    let l = self.literal(terms, part, t, positive, &mut pending);
                    self.clause(part, vec![l]);
                }
            }
        }
        while let Some((t, positive)) = pending.pop() {
            self.define(terms, part, t, positive, &mut pending);
        }
    }

    /// Adds a clause of a part, `None` being a literal that is true.
    fn clause(&mut self, part: usize, lits: Vec<Result<Lit, bool>>) {
        let mut out = Vec::new();
        for l in lits {
            match l {
                Ok(l) => out.push(l),
                Err(true) => return,
                Err(false) => {}
            }
        }
        self.sat.add(out, Origin::Part(part));
    }

    /// The literal of a formula, or of its negation; names that are still to be defined are added.
    fn literal(
        &mut self,
        terms: &mut Terms,
        part: usize,
        mut t: Term,
        mut positive: bool,
        pending: &mut Vec<(Term, bool)>,
    ) -> Result<Lit, bool> {
        while terms.op(t) == Op::Not {
            t = terms.args(t)[0];
            positive = !positive;
        }
        let args = terms.args(t);
        let connective = match terms.op(t) {
            Op::True => return Err(positive),
            Op::False => return Err(!positive),
            Op::And | Op::Or | Op::Ite | Op::Distinct => true,
            Op::Eq => terms.sort(args[0]) == Sort::BOOL,
            _ => false,
        };
        if !connective {
            let lit = self.atom(terms, t, Some(part)).map_err(|truth| truth == positive)?;
            return Ok(if positive { lit } else { !lit });
        }
        if self.emitted.insert((part, t, positive)) {
            pending.push((t, positive));
        }
        let var = match self.gates.get(&(part, t)) {
            Some(&v) => v,
            None => {
                let v = self.variable(Atom::Gate, part);
                self.gates.insert((part, t), v);
                v
            }
        };
        Ok(Lit::new(var, positive))
    }

    /// The clauses that let a name imply its formula (or the negated name the negated formula).
    fn define(&mut self, terms: &mut Terms, part: usize, t: Term, positive: bool, pending: &mut Vec<(Term, bool)>) {
        let name = Ok(Lit::new(self.gates[&(part, t)], !positive));
        let args = terms.args(t).to_vec();
        let mut lit = |p: &mut Problem, terms: &mut Terms, a: Term, s: bool| p.literal(terms, part, a, s, pending);
        match terms.op(t) {
            op @ (Op::And | Op::Or) => {
                if (op == Op::And) == positive {
                    for a in args {
                        let l = lit(self, terms, a, positive);
                        self.clause(part, vec![name, l]);
                    }
                } else {
                    let mut lits = vec![name];
                    for a in args {
                        lits.push(lit(self, terms, a, positive));
                    }
                    self.clause(part, lits);
                }
            }
            Op::Eq => {
                for s in [true, false] {
                    let a = lit(self, terms, args[0], s);
                    let b = lit(self, terms, args[1], s != positive);
                    self.clause(part, vec![name, a, b]);
                }
            }
            Op::Ite => {
                let c = lit(self, terms, args[0], false);
                let a = lit(self, terms, args[1], positive);
                self.clause(part, vec![name, c, a]);
                let c = lit(self, terms, args[0], true);
                let b = lit(self, terms, args[2], positive);
                self.clause(part, vec![name, c, b]);
            }
            Op::Distinct => {
                let mut some_equal = vec![name];
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[i + 1..] {
                        let eq = terms.eq(a, b);
                        let l = lit(self, terms, eq, !positive);
                        match positive {
                            true => self.clause(part, vec![name, l]),
                            false => some_equal.push(l),
                        }
                    }
                }
                if !positive {
                    self.clause(part, some_equal);
                }
            }
            _ => {}
        }
    }

    fn variable(&mut self, atom: Atom, place: usize) -> usize {
        let phase = false;
        self.atoms.push(atom);
        self.places.push(place);
        self.sat.variable(phase)
    }

    /// The literal of a Boolean term that is no connective; its truth, if that is known. `None` for the part: anywhere where its symbols are in scope.
    pub fn atom(&mut self, terms: &mut Terms, t: Term, part: Option<usize>) -> Result<Lit, bool> {
        let args = terms.args(t).to_vec();
        let place = part.or_else(|| self.scope(terms, t).min()).unwrap_or(0);
        match terms.op(t) {
            Op::True => Err(true),
            Op::False => Err(false),
            Op::Eq if !is_number(terms, args[0]) => self.same(terms, args[0], args[1], place),
            op @ (Op::Eq | Op::Le | Op::Lt) => {
                let (a, b) = (self.linear(terms, args[0]), self.linear(terms, args[1]));
                let relation = match op {
                    Op::Eq => Relation::Eq,
                    Op::Le => Relation::Le,
                    _ => Relation::Lt,
                };
                self.constraint(Constraint { linear: a.minus(&b), relation }, place)
            }
            _ => {
                self.leaf(terms, t);
                let atom = Atom::Proposition(t);
                Ok(Lit::new(self.intern(atom, place), true))
            }
        }
    }

    /// Two terms that are neither Boolean nor numbers are equal.
    pub fn same(&mut self, terms: &Terms, a: Term, b: Term, place: usize) -> Result<Lit, bool> {
        if a == b {
            return Err(true);
        }
        if terms.is_value(a) && terms.is_value(b) {
            return Err(false);
        }
        self.leaf(terms, a);
        self.leaf(terms, b);
        Ok(Lit::new(self.intern(Atom::Same(a.min(b), a.max(b)), place), true))
    }

    /// The literal of a constraint.
    pub fn constraint(&mut self, c: Constraint, place: usize) -> Result<Lit, bool> {
        let integers = self.integers(&c.linear);
        let c = c.normal(integers)?;
        let opposite = c.negated().normal(integers)?;
        let positive = match c.relation {
            Relation::Eq => true,
            Relation::Ne => false,
            _ => !c.linear.leads_negative(),
        };
        let atom = if positive { Atom::Linear(c, opposite) } else { Atom::Linear(opposite, c) };
        Ok(Lit::new(self.intern(atom, place), positive))
    }

    fn intern(&mut self, atom: Atom, place: usize) -> usize {
        if let Some(&v) = self.atom_ids.get(&atom) {
            return v;
        }
        let v = self.variable(atom.clone(), place);
        self.atom_ids.insert(atom, v);
        v
    }

    /// Are all unknowns of a form integers?
    pub fn integers(&self, linear: &Linear) -> bool {
        linear.terms.iter().all(|(u, _)| self.integer[*u as usize])
    }

    /// What a literal says of numbers.
    pub fn meaning(&self, l: Lit) -> Option<&Constraint> {
        match &self.atoms[l.var()] {
            Atom::Linear(c, opposite) => Some(if l.is_positive() { c } else { opposite }),
            _ => None,
        }
    }

    /// A number as a linear form.
    pub fn linear(&mut self, terms: &Terms, t: Term) -> Linear {
        let form = read(terms, t, &mut |s| Some(self.unknown(terms, s)));
        form.unwrap_or_default()
    }

    /// A number as a linear form over unknowns that are there.
    pub fn known_linear(&self, terms: &Terms, t: Term) -> Option<Linear> {
        if !is_number(terms, t) {
            return None;
        }
        read(terms, t, &mut |s| self.unknown_ids.get(&s).copied())
    }

    /// The unknown that a number is.
    fn unknown(&mut self, terms: &Terms, t: Term) -> Unknown {
        if let Some(&u) = self.unknown_ids.get(&t) {
            return u;
        }
        let u = self.unknowns.len() as Unknown;
        self.unknowns.push(t);
        self.integer.push(terms.sort(t) == Sort::INT);
        self.unknown_ids.insert(t, u);
        self.leaf(terms, t);
        u
    }

    /// Notes the applications in a term that no theory looks into from above.
    pub(crate) fn leaf(&mut self, terms: &Terms, t: Term) {
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if !self.known.insert(t) {
                continue;
            }
            let kind = terms.sort_kind(terms.sort(t));
            self.exact &= matches!(kind, SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Uninterpreted(_));
            match terms.op(t) {
                Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => self.exact = false,
                op => {
                    let args = terms.args(t);
                    stack.extend(args);
                    let linear = matches!(op, Op::Add | Op::ToReal)
                        || op == Op::Mul && args.iter().filter(|&&a| !terms.is_value(a)).count() <= 1;
                    if !args.is_empty() && !linear {
                        self.exact &= matches!(op, Op::App(f) if terms.func_decl(f).builtin.is_none());
                        self.exact &= args.iter().all(|&a| terms.sort(a) != Sort::BOOL);
                        self.applications.push(t);
                    }
                }
            }
        }
    }

    /// A linear form as a term of this sort.
    pub fn number(&self, terms: &mut Terms, linear: &Linear, sort: Sort) -> Term {
        let mut sum = Vec::new();
        for (u, c) in &linear.terms {
            let mut t = self.unknowns[*u as usize];
            if terms.sort(t) != sort && sort == Sort::REAL {
                t = terms.mk(Op::ToReal, &[t]);
            }
            sum.push(match c == &RBig::ONE {
                true => t,
                false => {
                    let c = numeral(terms, c, sort);
                    terms.mul(&[c, t])
                }
            });
        }
        if !linear.constant.is_zero() || sum.is_empty() {
            sum.push(numeral(terms, &linear.constant, sort));
        }
        terms.add(&sum)
    }

    /// A constraint as a term: what is positive on the left, what is negative and the constant on the right.
    pub fn term(&self, terms: &mut Terms, c: Constraint) -> Term {
        let integers = self.integers(&c.linear);
        let mut c = match c.normal(integers) {
            Ok(c) => c,
            Err(truth) => return terms.bool(truth),
        };
        let sort = if integers { Sort::INT } else { Sort::REAL };
        let zero = RBig::ZERO;
        // Nothing on the left reads badly: a ≤ −x is x ≥ −a.
        let flip = c.linear.terms.iter().all(|(_, k)| k < &zero);
        if flip {
            c.linear = c.linear.times(&RBig::from(-1));
        }
        let (left, right): (Vec<_>, Vec<_>) = c.linear.terms.into_iter().partition(|(_, k)| k > &zero);
        let left = Linear { terms: left, constant: RBig::ZERO };
        let right = Linear { terms: right, constant: c.linear.constant }.times(&RBig::from(-1));
        let (left, right) = (self.number(terms, &left, sort), self.number(terms, &right, sort));
        match (c.relation, flip) {
            (Relation::Le, false) => terms.le(left, right),
            (Relation::Le, true) => terms.ge(left, right),
            (Relation::Lt, false) => terms.lt(left, right),
            (Relation::Lt, true) => terms.gt(left, right),
            (Relation::Eq, _) => terms.eq(left, right),
            (Relation::Ne, _) => terms.ne(left, right),
        }
    }

    /// A literal as a term.
    pub fn literal_term(&self, terms: &mut Terms, l: Lit) -> Option<Term> {
        let t = match &self.atoms[l.var()] {
            Atom::Gate => return None,
            Atom::Linear(..) => {
                let c = self.meaning(l)?.clone();
                return Some(self.term(terms, c));
            }
            Atom::Proposition(t) => *t,
            Atom::Same(a, b) => {
                let (a, b) = (*a, *b);
                terms.eq(a, b)
            }
        };
        Some(if l.is_positive() { t } else { terms.not(t) })
    }
}

/// A number as a linear form; what arithmetic does not look into is an unknown.
fn read(terms: &Terms, t: Term, unknown: &mut dyn FnMut(Term) -> Option<Unknown>) -> Option<Linear> {
    let mut done: FxHashMap<Term, Linear> = FxHashMap::default();
    let mut stack = vec![t];
    while let Some(&t) = stack.last() {
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        let args = terms.args(t);
        let inside = matches!(terms.op(t), Op::Add | Op::Mul | Op::ToReal | Op::RealDiv);
        if inside && args.iter().any(|a| !done.contains_key(a)) {
            stack.extend(args);
            continue;
        }
        let parts: Vec<&Linear> = if inside { args.iter().map(|a| &done[a]).collect() } else { Vec::new() };
        let known = match terms.op(t) {
            Op::Const(c) => match terms.const_value(c) {
                Value::Int(i) => Some(Linear::constant(RBig::from(i.clone()))),
                Value::Real(r) => Some(Linear::constant(r.clone())),
                _ => None,
            },
            Op::Add => {
                let mut sum = Linear::default();
                parts.iter().for_each(|p| sum.add(p, &RBig::ONE));
                Some(sum)
            }
            Op::ToReal => parts.first().map(|p| (*p).clone()),
            Op::Mul if parts.iter().filter(|p| !p.is_constant()).count() <= 1 => {
                let factor = parts.iter().filter(|p| p.is_constant()).fold(RBig::ONE, |f, p| f * &p.constant);
                let rest = parts.iter().find(|p| !p.is_constant());
                Some(rest.map_or_else(|| Linear::constant(factor.clone()), |p| (*p).clone().times(&factor)))
            }
            Op::RealDiv if parts[1].is_constant() && !parts[1].constant.is_zero() => {
                Some(parts[0].clone().times(&(RBig::ONE / &parts[1].constant)))
            }
            _ => None,
        };
        let form = match known {
            Some(form) => form,
            None => Linear::unknown(unknown(t)?),
        };
        done.insert(t, form);
        stack.pop();
    }
    done.remove(&t)
}

fn numeral(terms: &mut Terms, r: &RBig, sort: Sort) -> Term {
    if sort == Sort::INT { terms.int(r.numerator().clone()) } else { terms.real(r.clone()) }
}

/// Is the term an integer or a real?
pub fn is_number(terms: &Terms, t: Term) -> bool {
    matches!(terms.sort(t), Sort::INT | Sort::REAL)
}

/// The symbols of terms.
pub fn symbols(terms: &Terms, roots: &[Term]) -> BTreeSet<Symbol> {
    let vars = terms.free_vars(roots).into_iter().map(Symbol::Var);
    let funcs = terms.used_funcs(roots).into_iter().filter(|&f| terms.func_decl(f).builtin.is_none());
    vars.chain(funcs.map(Symbol::Func)).collect()
}

/// Are the parts conjunctions of literals?
pub fn is_path(terms: &Terms, parts: &[Term]) -> bool {
    let mut stack = parts.to_vec();
    while let Some(t) = stack.pop() {
        match terms.op(t) {
            Op::And => stack.extend(terms.args(t)),
            Op::Not => {
                let a = terms.args(t)[0];
                if terms.op(a) == Op::And {
                    return false;
                }
                if terms.op(a) != Op::Or {
                    stack.push(a);
                }
            }
            Op::Or | Op::Ite | Op::Distinct => return false,
            Op::Eq if terms.sort(terms.args(t)[0]) == Sort::BOOL => return false,
            _ => {}
        }
    }
    true
}

/// A formula without conditional terms and without divisions by numbers, and what defines the fresh variables in their place.
fn flatten(terms: &mut Terms, t: Term) -> Vec<Term> {
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut out = Vec::new();
    let mut quotients: FxHashMap<(Term, Term), Term> = FxHashMap::default();
    for s in terms.post_order(&[t]) {
        let op = terms.op(s);
        let binder = matches!(op, Op::Forall(_) | Op::Exists(_) | Op::Lambda(_));
        if binder || terms.loose(s) > 0 {
            map.insert(s, s);
            continue;
        }
        let args: Vec<Term> = terms.args(s).iter().map(|a| map[a]).collect();
        let divisor = args.get(1).copied().and_then(|d| match terms.op(d) {
            Op::Const(c) => match terms.const_value(c) {
                Value::Int(k) if !k.is_zero() => Some(k.clone()),
                _ => None,
            },
            _ => None,
        });
        let new = match (op, divisor) {
            (Op::Ite, _) if terms.sort(s) != Sort::BOOL => {
                let v = terms.fresh_var("ite", terms.sort(s));
                for (branch, condition) in [(args[1], true), (args[2], false)] {
                    let eq = terms.eq(v, branch);
                    let unless = if condition { terms.not(args[0]) } else { args[0] };
                    out.push(terms.or(&[unless, eq]));
                }
                v
            }
            (Op::IntDiv | Op::IntMod, Some(k)) => {
                let q = match quotients.get(&(args[0], args[1])) {
                    Some(&q) => q,
                    None => {
                        let q = terms.fresh_var("div", Sort::INT);
                        let last = terms.int(k.clone().abs() - dashu_int::IBig::ONE);
                        let low = terms.mul(&[args[1], q]);
                        let high = terms.add(&[low, last]);
                        out.extend([terms.le(low, args[0]), terms.le(args[0], high)]);
                        quotients.insert((args[0], args[1]), q);
                        q
                    }
                };
                if op == Op::IntDiv {
                    q
                } else {
                    let product = terms.mul(&[args[1], q]);
                    terms.sub(args[0], product)
                }
            }
            _ if args == terms.args(s) => s,
            _ => terms.mk(op, &args),
        };
        map.insert(s, new);
    }
    out.push(map[&t]);
    out
}

//! Binding by name: quantifiers and lambdas over free variables, and back.
//!
//! In: a body over free variables, and which of them to bind. Out: a term in which they
//! are de Bruijn indices. [`Terms::open`] goes the other way, with fresh variables. Neither can
//! capture: indices that were loose before refer to the same binders after.

use crate::{
    op::{Binder, Op, Trigger},
    sort::Sort,
    store::{Symbol, Term, Terms, Var},
    subst::{Memo, Rewrite, Step, mark_users, rewrite},
    walk::TermMap,
};

/// Which binder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// For all values.
    Forall,
    /// For some values.
    Exists,
    /// The array of the body's values.
    Lambda,
}

/// A quantifier under construction, for those with more than variables and plain triggers.
///
/// ```
/// use lariat_term::{BinderBuilder, Sort, Terms};
/// let mut t = Terms::new();
/// let x = t.variable("x", Sort::INT);
/// let f = t.declare_func("f", &[Sort::INT], Sort::BOOL, None)?;
/// let xt = t.var_term(x);
/// let body = t.app(f, &[xt]);
/// let all = BinderBuilder::forall(&[x]).trigger(vec![body]).weight(3).bind(&mut t, body);
/// assert_eq!(t.loose(all), 0);
/// assert!(t.free_vars(&[all]).is_empty());
/// # Ok::<(), lariat_term::SortError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BinderBuilder {
    quantifier: Quantifier,
    vars: Vec<Var>,
    triggers: Vec<(Vec<Term>, bool)>,
    weight: Option<u32>,
}

/// A binder taken apart by [`Terms::open`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Which binder it was.
    pub quantifier: Quantifier,
    /// Fresh variables in place of the bound ones, outermost first.
    pub vars: Vec<Var>,
    /// The body over these.
    pub body: Term,
    /// The trigger terms over these, and whether the trigger is negative.
    pub triggers: Vec<(Vec<Term>, bool)>,
    /// The instantiation weight, if any.
    pub weight: Option<u32>,
}

impl BinderBuilder {
    fn new(quantifier: Quantifier, vars: &[Var]) -> BinderBuilder {
        BinderBuilder { quantifier, vars: vars.to_vec(), triggers: Vec::new(), weight: None }
    }

    /// For all values of these variables.
    pub fn forall(vars: &[Var]) -> BinderBuilder {
        BinderBuilder::new(Quantifier::Forall, vars)
    }

    /// For some values of these variables.
    pub fn exists(vars: &[Var]) -> BinderBuilder {
        BinderBuilder::new(Quantifier::Exists, vars)
    }

    /// Adds a trigger: all of its terms together. An empty one is ignored.
    pub fn trigger(mut self, terms: Vec<Term>) -> BinderBuilder {
        if !terms.is_empty() {
            self.triggers.push((terms, false));
        }
        self
    }

    /// Adds a negative trigger: a term that the solver must not choose as one.
    pub fn no_trigger(mut self, term: Term) -> BinderBuilder {
        self.triggers.push((vec![term], true));
        self
    }

    /// Sets the instantiation weight.
    pub fn weight(mut self, weight: u32) -> BinderBuilder {
        self.weight = Some(weight);
        self
    }

    /// The quantifier over a Boolean body. Without variables it is the body itself; if one variable
    /// is listed twice, the later one counts.
    pub fn bind(self, terms: &mut Terms, body: Term) -> Term {
        if self.vars.is_empty() {
            return body;
        }
        let mut args = vec![body];
        args.extend(self.triggers.iter().flat_map(|(ts, _)| ts));
        let args = terms.abstract_vars(&args, &self.vars);
        let groups = self.triggers.iter().map(|(ts, negative)| Trigger { len: ts.len() as u32, negative: *negative });
        let binder = Binder {
            vars: self.vars.iter().map(|&v| terms.var_symbol(v)).collect(),
            triggers: groups.collect(),
            weight: self.weight,
        };
        let b = terms.intern_binder(binder);
        let op = match self.quantifier {
            Quantifier::Forall => Op::Forall(b),
            Quantifier::Exists => Op::Exists(b),
            Quantifier::Lambda => Op::Lambda(b),
        };
        terms.mk(op, &args)
    }
}

impl Terms {
    /// The free variable of this name and sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Var {
        let name = self.symbol(name);
        self.intern_var(name, sort)
    }

    fn var_symbol(&mut self, v: Var) -> (Symbol, Sort) {
        let name = self.var_name(v).to_owned();
        (self.symbol(&name), self.var_sort(v))
    }

    /// `forall` over free variables of the body, with triggers.
    pub fn forall(&mut self, vars: &[Var], triggers: &[Vec<Term>], body: Term) -> Term {
        triggers.iter().fold(BinderBuilder::forall(vars), |c, t| c.trigger(t.clone())).bind(self, body)
    }

    /// `exists` over free variables of the body, with triggers.
    pub fn exists(&mut self, vars: &[Var], triggers: &[Vec<Term>], body: Term) -> Term {
        triggers.iter().fold(BinderBuilder::exists(vars), |c, t| c.trigger(t.clone())).bind(self, body)
    }

    /// The array whose element at each value of the variable is the body.
    pub fn lambda(&mut self, var: Var, body: Term) -> Term {
        BinderBuilder::new(Quantifier::Lambda, &[var]).bind(self, body)
    }

    /// The terms as bodies of a binder of these variables: each variable becomes its index (the
    /// last one 0), and indices that were loose grow by the number of variables.
    pub fn abstract_vars(&mut self, ts: &[Term], vars: &[Var]) -> Vec<Term> {
        let mut users = TermMap::new();
        for &t in ts {
            mark_users(self, &mut users, t, |_, v| vars.contains(&v));
        }
        let mut memo = Memo::default();
        let mut step = Abstract { vars, users: &users };
        let mut result = Vec::with_capacity(ts.len());
        for &t in ts {
            result.push(rewrite(self, &mut memo, t, 0, &mut step));
        }
        result
    }

    /// A quantifier or lambda with fresh variables for the bound ones; `None` for other terms.
    pub fn open(&mut self, t: Term) -> Option<Opened> {
        let (quantifier, b) = match self.op(t) {
            Op::Forall(b) => (Quantifier::Forall, b),
            Op::Exists(b) => (Quantifier::Exists, b),
            Op::Lambda(b) => (Quantifier::Lambda, b),
            _ => return None,
        };
        let binder = self.binder(b).clone();
        let mut fresh = Vec::with_capacity(binder.vars.len());
        for &(name, sort) in &binder.vars {
            let name = self.name(name).to_owned();
            fresh.push(self.fresh_var(&name, sort));
        }
        let args = self.args(t).to_vec();
        let args = self.instantiate_all(&args, &fresh);
        let vars = fresh.iter().filter_map(|&v| self.as_var(v)).collect();
        let (&body, mut rest) = args.split_first()?;
        let mut triggers = Vec::with_capacity(binder.triggers.len());
        for group in &binder.triggers {
            let (terms, others) = rest.split_at(group.len as usize);
            triggers.push((terms.to_vec(), group.negative));
            rest = others;
        }
        Some(Opened { quantifier, vars, body, triggers, weight: binder.weight })
    }
}

impl Opened {
    /// The binder again, over another body and other triggers or the same.
    pub fn bind(self, terms: &mut Terms) -> Term {
        let Opened { quantifier, vars, body, triggers, weight } = self;
        BinderBuilder { quantifier, vars, triggers, weight }.bind(terms, body)
    }
}

struct Abstract<'a> {
    vars: &'a [Var],
    users: &'a TermMap,
}

impl Rewrite for Abstract<'_> {
    fn step(&mut self, terms: &mut Terms, t: Term, depth: u32) -> Step {
        if self.users.get(t) != Some(1) && terms.loose(t) <= depth {
            return Step::Done(t);
        }
        let n = self.vars.len() as u32;
        match terms.op(t) {
            Op::Bound(i, s) => Step::Done(terms.bound(i + n, s)),
            Op::Var(v) => match self.vars.iter().rposition(|&w| w == v) {
                Some(i) => Step::Done(terms.bound(depth + n - 1 - i as u32, terms.var_sort(v))),
                None => Step::Done(t),
            },
            _ => Step::EnterAtDepth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> (Terms, [Var; 3], crate::Func) {
        let mut t = Terms::new();
        let vars = ["x", "y", "z"].map(|n| t.variable(n, Sort::INT));
        let f = t.declare_func("f", &[Sort::INT, Sort::INT, Sort::INT], Sort::BOOL, None).unwrap();
        (t, vars, f)
    }

    #[test]
    fn last_variable_is_index_zero() {
        let (mut t, [x, y, z], f) = setup();
        let args = [x, y, z].map(|v| t.var_term(v));
        let body = t.app(f, &args);
        let q = t.forall(&[x, y], &[vec![body]], body);
        let (b1, b0) = (t.bound(1, Sort::INT), t.bound(0, Sort::INT));
        let inner = t.app(f, &[b1, b0, args[2]]);
        assert_eq!(t.args(q), [inner, inner]);
        assert_eq!(t.free_vars(&[q]), [z]);
    }

    #[test]
    fn nested_binders_do_not_capture() {
        let (mut t, [x, y, z], f) = setup();
        let [xt, yt, zt] = [x, y, z].map(|v| t.var_term(v));
        // binding one after the other is binding by nesting
        let body = t.app(f, &[xt, yt, zt]);
        let inner = t.exists(&[y], &[], body);
        let outer = t.forall(&[x], &[], inner);
        // the variable bound outside meets an inner binder of its own name
        let opened = t.open(outer).unwrap();
        let fresh = t.var_term(opened.vars[0]);
        let want = t.app(f, &[fresh, yt, zt]);
        let want = t.exists(&[y], &[], want);
        assert_eq!(opened.body, want);
        // substituting the inner variable's name from outside is no capture
        let m = [(z, yt)].into_iter().collect();
        let moved = t.substitute(outer, &m);
        assert_eq!(t.free_vars(&[moved]), [y]);
    }

    #[test]
    fn loose_indices_keep_their_binder() {
        let (mut t, [x, _, _], f) = setup();
        let xt = t.var_term(x);
        let b0 = t.bound(0, Sort::INT);
        let body = t.app(f, &[xt, b0, b0]);
        let q = t.forall(&[x], &[], body);
        assert_eq!(t.loose(q), 1);
        let b1 = t.bound(1, Sort::INT);
        let want = t.app(f, &[b0, b1, b1]);
        assert_eq!(t.args(q), [want]);
    }

    #[test]
    fn open_then_close_is_the_same_up_to_names() {
        let (mut t, [x, y, z], f) = setup();
        let args = [x, y, z].map(|v| t.var_term(v));
        let body = t.app(f, &args);
        let q = BinderBuilder::forall(&[x, y]).trigger(vec![body]).no_trigger(args[0]).weight(7).bind(&mut t, body);
        let o = t.open(q).unwrap();
        assert_eq!((o.weight, o.triggers.len(), o.triggers[1].1), (Some(7), 2, true));
        let again = o.clone().bind(&mut t);
        assert_eq!(t.args(again), t.args(q));
        let o2 = t.open(again).unwrap();
        let back = o.vars.iter().zip(&o2.vars).map(|(&v, &w)| (w, t.var_term(v))).collect();
        assert_eq!(t.substitute(o2.body, &back), o.body);
    }

    #[test]
    fn lambda_is_an_array() {
        let (mut t, [x, ..], _) = setup();
        let xt = t.var_term(x);
        let one = t.int(1);
        let sum = t.add(&[xt, one]);
        let l = t.lambda(x, sum);
        let arr = t.array_sort(Sort::INT, Sort::INT);
        assert_eq!(t.sort(l), arr);
        assert_eq!(t.open(l).unwrap().quantifier, Quantifier::Lambda);
        assert!(t.open(sum).is_none());
    }

    #[test]
    fn deep_body() {
        let (mut t, [x, ..], _) = setup();
        let g = t.declare_func("g", &[Sort::INT], Sort::INT, None).unwrap();
        let xt = t.var_term(x);
        let mut a = xt;
        for _ in 0..1_000_000 {
            a = t.app(g, &[a]);
        }
        let l = t.lambda(x, a);
        assert!(t.free_vars(&[l]).is_empty());
        let body = t.args(l)[0];
        assert_eq!(t.instantiate(body, &[xt]), a);
    }
}

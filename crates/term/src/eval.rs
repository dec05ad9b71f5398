//! Evaluation of terms under an interpretation: memoised, linear in the graph, with its own stack.
//!
//! `and`, `or` and `ite` need only what decides them: a part without a value does no harm if it does
//! not matter. Quantifiers are decided by enumeration where the domain is finite and small, or where
//! the body does not need the variable. A lambda becomes an array value under the same conditions;
//! a selection from a lambda (also under stores and ites) just evaluates the body.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    fold::{self, NotFixed},
    model::Interpretation,
    op::Op,
    sort::SortKind,
    store::{Func, Term, Terms, Var},
    value::{ArrayValue, Domain, Value},
};

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvalError {
    /// The interpretation does not know the variable.
    Var(Var),
    /// The interpretation does not know the function at the arguments.
    Func(Func),
    /// The interpretation does not decide a corner that SMT-LIB leaves open.
    Open(Op),
    /// The value is too big to be computed.
    TooBig(Op),
    /// A quantifier over too large a domain.
    Quantifier(Term),
    /// A lambda over too large a domain is used as a value.
    Lambda(Term),
    /// A bound variable outside its binder.
    Bound(u32),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::Var(_) => f.write_str("a variable has no value"),
            EvalError::Func(_) => f.write_str("a function has no value at some arguments"),
            EvalError::Open(op) => write!(f, "the result of {op:?} is not fixed for some arguments"),
            EvalError::TooBig(op) => write!(f, "the result of {op:?} is too big"),
            EvalError::Quantifier(_) => f.write_str("a quantifier ranges over too many values"),
            EvalError::Lambda(_) => f.write_str("a lambda over too many indices is used as a value"),
            EvalError::Bound(_) => f.write_str("a bound variable is used outside its binder"),
        }
    }
}

impl std::error::Error for EvalError {}

type EvalResult = Result<Value, EvalError>;

/// How many instances of quantifier and lambda bodies an evaluator tries unless told otherwise.
const INSTANCES: u64 = 1 << 16;

impl Terms {
    /// The value of a term. For several terms under one interpretation use one [`Evaluator`].
    pub fn eval(&self, t: Term, interpretation: &dyn Interpretation) -> Result<Value, EvalError> {
        Evaluator::new(self, interpretation).eval(t)
    }
}

/// Evaluates terms under one interpretation and remembers the values of shared parts.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    interpretation: &'a dyn Interpretation,
    /// Values of closed terms.
    memo: FxHashMap<Term, EvalResult>,
    /// The binders that are being evaluated, innermost last.
    scopes: Vec<Scope>,
    /// The variables that they bind, outermost first; `None`: it may be anything. One stack for all
    /// scopes, since a copy for each would be quadratic in the depth of binders.
    bound: Vec<Option<Value>>,
    instances: u64,
}

/// The inside of a binder, for one choice of the bound variables.
struct Scope {
    /// How many variables are bound outside of it.
    outer: usize,
    /// Values of terms with loose bound variables.
    memo: FxHashMap<Term, EvalResult>,
}

enum Task {
    /// Evaluate a term.
    Visit(Term),
    /// The arguments are evaluated.
    Apply(Term),
    /// A conjunction or disjunction, from this argument on; what went wrong before it.
    Lazy(Term, usize, Option<EvalError>),
    /// The condition is evaluated.
    Ite(Term),
    /// A body is evaluated for one choice of the bound variables.
    Bind(Box<Binding>),
    /// Selection from this array, which is no value (but perhaps a lambda inside).
    Walk(Term, Term),
    /// The body of the lambda that is selected from is evaluated.
    Beta(Term, Term),
}

/// A binder that is being enumerated.
struct Binding {
    term: Term,
    body: Term,
    domains: SmallVec<[Arc<Domain>; 2]>,
    /// How many choices there are; `None`: too many, so the variables are left open.
    total: Option<u64>,
    next: u64,
    error: Option<EvalError>,
    array: Option<ArrayValue>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator.
    pub fn new(terms: &'a Terms, interpretation: &'a dyn Interpretation) -> Evaluator<'a> {
        Evaluator {
            terms,
            interpretation,
            memo: FxHashMap::default(),
            scopes: Vec::new(),
            bound: Vec::new(),
            instances: INSTANCES,
        }
    }

    /// Sets how many instances of quantifier and lambda bodies may be tried in all.
    pub fn limit_instances(mut self, instances: u64) -> Self {
        self.instances = instances;
        self
    }

    /// The value of a term.
    pub fn eval(&mut self, t: Term) -> Result<Value, EvalError> {
        let mut tasks = vec![Task::Visit(t)];
        while let Some(task) = tasks.pop() {
            self.step(task, &mut tasks);
        }
        self.outcome(t).cloned().unwrap_or(Err(EvalError::Bound(0)))
    }

    fn memo(&mut self, t: Term) -> &mut FxHashMap<Term, EvalResult> {
        match self.scopes.last_mut() {
            Some(scope) if self.terms.loose(t) > 0 => &mut scope.memo,
            _ => &mut self.memo,
        }
    }

    fn outcome(&self, t: Term) -> Option<&EvalResult> {
        match self.scopes.last() {
            Some(scope) if self.terms.loose(t) > 0 => scope.memo.get(&t),
            _ => self.memo.get(&t),
        }
    }

    fn known(&self, t: Term) -> EvalResult {
        self.outcome(t).cloned().unwrap_or(Err(EvalError::Bound(0)))
    }

    fn set(&mut self, t: Term, v: EvalResult) {
        self.memo(t).insert(t, v);
    }

    /// Goes inside a binder.
    fn enter(&mut self, variables: impl IntoIterator<Item = Option<Value>>) {
        self.scopes.push(Scope { outer: self.bound.len(), memo: FxHashMap::default() });
        self.bound.extend(variables);
    }

    /// Leaves the innermost binder.
    fn leave(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.bound.truncate(scope.outer);
        }
    }

    fn step(&mut self, task: Task, tasks: &mut Vec<Task>) {
        let terms = self.terms;
        match task {
            Task::Visit(t) => self.visit(t, tasks),
            Task::Apply(t) => self.apply(t, tasks),
            Task::Lazy(t, first, mut error) => {
                let absorbing = terms.op(t) == Op::Or;
                for (i, &a) in terms.args(t).iter().enumerate().skip(first) {
                    match self.outcome(a) {
                        None => {
                            tasks.push(Task::Lazy(t, i, error));
                            tasks.push(Task::Visit(a));
                            return;
                        }
                        Some(Ok(Value::Bool(b))) if *b == absorbing => {
                            self.set(t, Ok(Value::Bool(absorbing)));
                            return;
                        }
                        Some(Ok(_)) => {}
                        Some(Err(e)) => error = error.or(Some(*e)),
                    }
                }
                self.set(t, error.map_or(Ok(Value::Bool(!absorbing)), Err));
            }
            Task::Ite(t) => {
                let [c, a, b] = *terms.args(t) else { return };
                let branch = match self.known(c) {
                    Ok(Value::Bool(true)) => a,
                    Ok(_) => b,
                    Err(e) => return self.set(t, Err(e)),
                };
                match self.outcome(branch).cloned() {
                    Some(v) => self.set(t, v),
                    None => tasks.extend([Task::Ite(t), Task::Visit(branch)]),
                }
            }
            Task::Bind(binding) => self.bound(binding, tasks),
            Task::Walk(t, array) => self.walk(t, array, tasks),
            Task::Beta(t, body) => {
                let v = self.known(body);
                self.leave();
                self.set(t, v);
            }
        }
    }

    fn visit(&mut self, t: Term, tasks: &mut Vec<Task>) {
        if self.outcome(t).is_some() {
            return;
        }
        let terms = self.terms;
        match terms.op(t) {
            Op::Var(v) => {
                let value = self.interpretation.var(terms, v).ok_or(EvalError::Var(v));
                self.set(t, value);
            }
            Op::Bound(i, _) => {
                let value = self.bound.iter().rev().nth(i as usize).cloned().flatten();
                self.set(t, value.ok_or(EvalError::Bound(i)));
            }
            Op::And | Op::Or => tasks.push(Task::Lazy(t, 0, None)),
            Op::Ite => tasks.extend([Task::Ite(t), Task::Visit(terms.args(t)[0])]),
            Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => self.bind(t, tasks),
            _ => {
                tasks.push(Task::Apply(t));
                tasks.extend(terms.args(t).iter().rev().map(|&a| Task::Visit(a)));
            }
        }
    }

    fn apply(&mut self, t: Term, tasks: &mut Vec<Task>) {
        let terms = self.terms;
        let op = terms.op(t);
        let mut args: SmallVec<[Value; 4]> = SmallVec::new();
        for &a in terms.args(t) {
            match self.known(a) {
                Ok(v) => args.push(v),
                Err(_) if op == Op::Select && a == terms.args(t)[0] => return tasks.push(Task::Walk(t, a)),
                Err(e) => return self.set(t, Err(e)),
            }
        }
        let interpretation = self.interpretation;
        let value = match op {
            Op::App(f) => interpretation.func(terms, f, &args).ok_or(EvalError::Func(f)),
            _ => match fold::apply(terms, op, &args, &|s| interpretation.universe(s)) {
                Ok(v) => Ok(v),
                Err(NotFixed::Unspecified) => interpretation.open(terms, op, &args).ok_or(EvalError::Open(op)),
                Err(NotFixed::TooBig) => Err(EvalError::TooBig(op)),
                Err(NotFixed::NoValue) => Err(EvalError::Open(op)),
            },
        };
        self.set(t, value);
    }

    /// Selection from an array without a value, one step down towards the lambda in it.
    fn walk(&mut self, t: Term, array: Term, tasks: &mut Vec<Task>) {
        let terms = self.terms;
        let index = match self.known(terms.args(t)[1]) {
            Ok(v) => v,
            Err(e) => return self.set(t, Err(e)),
        };
        match (terms.op(array), terms.args(array)) {
            (Op::Store, &[inner, i, v]) => match self.known(i) {
                Ok(i) if i == index => {
                    let v = self.known(v);
                    self.set(t, v);
                }
                Ok(_) => tasks.push(Task::Walk(t, inner)),
                Err(e) => self.set(t, Err(e)),
            },
            (Op::Ite, &[c, a, b]) => match self.known(c) {
                Ok(Value::Bool(true)) => tasks.push(Task::Walk(t, a)),
                Ok(_) => tasks.push(Task::Walk(t, b)),
                Err(e) => self.set(t, Err(e)),
            },
            (Op::Lambda(_), &[body]) => {
                self.enter([Some(index)]);
                tasks.extend([Task::Beta(t, body), Task::Visit(body)]);
            }
            (Op::ConstArray(_), &[v]) => {
                let v = self.known(v);
                self.set(t, v);
            }
            _ => {
                let v = match self.known(array) {
                    Ok(Value::Array(a)) => Ok(a.get(&index).clone()),
                    Ok(_) => Err(EvalError::Open(Op::Select)),
                    Err(e) => Err(e),
                };
                self.set(t, v);
            }
        }
    }

    /// Starts the enumeration of a binder.
    fn bind(&mut self, t: Term, tasks: &mut Vec<Task>) {
        let terms = self.terms;
        let (Op::Forall(b) | Op::Exists(b) | Op::Lambda(b)) = terms.op(t) else { return };
        let interpretation = self.interpretation;
        let vars = &terms.binder(b).vars;
        let domains: SmallVec<[Arc<Domain>; 2]> =
            vars.iter().map(|&(_, s)| terms.domain(s, &|s| interpretation.universe(s))).collect();
        let body = terms.args(t)[0];
        // A body without the variable is evaluated once, whatever the domain.
        let total = if terms.loose(body) == 0 {
            None
        } else {
            domains.iter().try_fold(1u64, |n, d| n.checked_mul(d.size()?)).filter(|&n| n <= self.instances)
        };
        self.instances -= total.unwrap_or(0);
        self.enter(domains.iter().map(|_| None));
        self.choose(Box::new(Binding { term: t, body, domains, total, next: 0, error: None, array: None }), tasks);
    }

    /// Evaluates the body for the next choice, or finishes.
    fn choose(&mut self, binding: Box<Binding>, tasks: &mut Vec<Task>) {
        if binding.total.is_some_and(|total| binding.next >= total) {
            let v = match (self.terms.op(binding.term), binding.error, binding.array) {
                (_, Some(e), _) => Err(e),
                (Op::Lambda(_), None, Some(a)) => Ok(Value::array(a)),
                (Op::Lambda(_), None, None) => Err(EvalError::Lambda(binding.term)),
                (op, None, _) => Ok(Value::Bool(matches!(op, Op::Forall(_)))),
            };
            self.leave();
            return self.set(binding.term, v);
        }
        if binding.total.is_some()
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.memo.clear();
            let mut n = binding.next;
            for (slot, d) in self.bound[scope.outer..].iter_mut().zip(&binding.domains) {
                let size = d.size().unwrap_or(1);
                *slot = d.nth(n % size);
                n /= size;
            }
        }
        let body = binding.body;
        tasks.extend([Task::Bind(binding), Task::Visit(body)]);
    }

    /// The body is evaluated for one choice.
    fn bound(&mut self, mut binding: Box<Binding>, tasks: &mut Vec<Task>) {
        let (t, op) = (binding.term, self.terms.op(binding.term));
        let v = self.known(binding.body);
        let finish = match (binding.total, op, v) {
            (None, Op::Lambda(_), Ok(v)) => Some(self.constant(t, v)),
            (None, Op::Lambda(_), Err(EvalError::Bound(_))) => Some(Err(EvalError::Lambda(t))),
            (None, _, Err(EvalError::Bound(_))) => Some(Err(EvalError::Quantifier(t))),
            (None, _, v) => Some(v),
            (Some(_), Op::Lambda(_), Ok(v)) => {
                let index = self.bound.last().cloned().flatten();
                match (index, &mut binding.array) {
                    (Some(i), Some(a)) => a.set(i, v),
                    (_, array) => match self.constant(t, v) {
                        Ok(Value::Array(a)) => *array = Some(Arc::unwrap_or_clone(a)),
                        _ => binding.error = Some(EvalError::Lambda(t)),
                    },
                }
                None
            }
            (Some(_), Op::Lambda(_), Err(e)) => Some(Err(e)),
            (Some(_), _, Ok(v)) => (v == Value::Bool(matches!(op, Op::Exists(_)))).then_some(Ok(v)),
            (Some(_), _, Err(e)) => {
                binding.error = binding.error.or(Some(e));
                None
            }
        };
        match finish {
            Some(v) => {
                self.leave();
                self.set(t, v);
            }
            None => {
                binding.next += 1;
                self.choose(binding, tasks);
            }
        }
    }

    fn constant(&self, lambda: Term, element: Value) -> EvalResult {
        let sort = self.terms.sort(lambda);
        let interpretation = self.interpretation;
        match self.terms.sort_kind(sort) {
            SortKind::Array(..) => {
                fold::apply(self.terms, Op::ConstArray(sort), &[element], &|s| interpretation.universe(s))
                    .map_err(|_| EvalError::TooBig(Op::ConstArray(sort)))
            }
            _ => Err(EvalError::Lambda(lambda)),
        }
    }
}

//! Z3 in this process.
//!
//! In: terms. Out: answers with models as tables. Each solver has a Z3 context of its own, so
//! solvers on different threads do not disturb each other; the models of a solver share its context
//! and take turns with it.

mod horn;
mod model;
mod raw;
mod translate;
mod values;

pub use horn::{HornAnswer, Z3Horn};
pub use raw::{catch_crashes, crash, exit_at_once};

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use lariat_term::{Func, Op, Sort, Term, Terms, Var};
use rustc_hash::FxHashMap;

use self::{
    raw::{Ast, Decl, Engine, Operator, SortRef, Verdict, Z3Error},
    translate::Translator,
};
use crate::{
    Answer, Declaration, Interrupter, Limits, Logic, Model, Reason, Soft, Solver, SolverError, Stats, base::Base,
};

/// The seed of every solver: the same query gives the same answer.
const SEED: u32 = 0;

/// The parts of a solver that its models need, too.
struct Inner {
    engine: Engine,
    translator: Translator,
}

impl Inner {
    fn translate(&mut self, terms: &Terms, t: Term) -> Result<Ast, SolverError> {
        self.translator.term(&mut self.engine, terms, t).map_err(unsupported)
    }

    fn var(&mut self, terms: &Terms, v: Var) -> Result<Ast, SolverError> {
        self.translator.var(&mut self.engine, terms, v).map_err(unsupported)
    }

    fn sort(&mut self, terms: &Terms, s: Sort) -> Result<SortRef, SolverError> {
        self.translator.sort(&mut self.engine, terms, s).map_err(unsupported)
    }

    fn function(&mut self, terms: &Terms, f: Func) -> Result<Option<Decl>, SolverError> {
        self.translator.declared(&mut self.engine, terms, f).map_err(unsupported)
    }
}

/// A panic while the lock was held leaves tables that are still in order.
fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(e: Z3Error) -> SolverError {
    SolverError::Failed { solver: "z3".into(), message: e.0 }
}

fn unsupported(e: Z3Error) -> SolverError {
    SolverError::Unsupported { solver: "z3".into(), what: e.0 }
}

/// How many S-expressions a text has; `None` if it is not a sequence of whole ones.
fn sexpr_count(text: &str) -> Option<usize> {
    crate::query::sexpr_count(text)
}

/// Z3, linked in.
///
/// ```
/// use lariat_smt::{Answer, Solver, Z3Solver};
/// use lariat_term::{Sort, Terms, Value};
///
/// let mut t = Terms::new();
/// let x = t.var("x", Sort::INT);
/// let (five, seven) = (t.int(5), t.int(7));
/// let (low, high) = (t.gt(x, five), t.lt(x, seven));
///
/// let mut z3 = Z3Solver::new(None)?;
/// z3.assert(&t, low)?;
/// let Answer::Sat(model) = z3.check(&t, &[high])? else { panic!("6 lies between 5 and 7") };
/// assert_eq!(model.value(&t, x)?, Value::int(6));
///
/// let equal = t.eq(x, five);
/// let Answer::Unsat(core) = z3.check(&t, &[high, equal])? else { panic!("5 is not above 5") };
/// assert_eq!(core, [equal]);
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub struct Z3Solver {
    inner: Arc<Mutex<Inner>>,
    base: Base,
    logic: Option<Logic>,
    version: String,
    interrupter: Interrupter,
    /// Stand-ins of assumptions that are not literals, by assumption.
    proxies: FxHashMap<Term, Ast>,
    proxy_order: Vec<Term>,
    /// How many stand-ins were made in all; their names.
    proxy_names: u32,
    /// How many elements of each uninterpreted sort are asserted to be different.
    distinct: FxHashMap<Sort, usize>,
    scopes: Vec<(usize, FxHashMap<Sort, usize>)>,
    candidate: Option<Model>,
    /// Was a check cut short? Solvers for one logic then may have atoms that they have not finished with, and
    /// what they say from there on is wrong.
    spoiled: bool,
}

impl Z3Solver {
    /// A solver for a logic, or for everything.
    pub fn new(logic: Option<Logic>) -> Result<Z3Solver, SolverError> {
        let mut engine = Engine::new(logic.as_ref().map(Logic::name)).map_err(failed)?;
        engine.set(&[("random_seed", SEED)]).map_err(failed)?;
        let handle = engine.interrupt_handle();
        Ok(Z3Solver {
            inner: Arc::new(Mutex::new(Inner { engine, translator: Translator::default() })),
            base: Base::new(),
            logic,
            version: version(),
            interrupter: Interrupter::new(move || handle.interrupt()),
            proxies: FxHashMap::default(),
            proxy_order: Vec::new(),
            proxy_names: 0,
            distinct: FxHashMap::default(),
            scopes: Vec::new(),
            candidate: None,
            spoiled: false,
        })
    }

    /// A solver for everything that instantiates quantifiers by their triggers alone, and splits cases late, as suits conditions of programs with many axioms.
    pub fn with_triggers() -> Result<Z3Solver, SolverError> {
        let solver = Z3Solver::new(None)?;
        {
            let engine = &mut lock(&solver.inner).engine;
            engine
                .set_flags(&[("auto_config", false), ("smt.mbqi", false), ("smt.delay_units", true)])
                .map_err(failed)?;
            engine.set(&[("smt.case_split", 3)]).map_err(failed)?;
            engine.set_numbers(&[("smt.qi.eager_threshold", 100.0)]).map_err(failed)?;
        }
        Ok(solver)
    }

    /// Asserts everything again in a new solver.
    fn renew(&mut self, terms: &Terms) -> Result<(), SolverError> {
        let mut inner = lock(&self.inner);
        inner.engine.renew(self.logic.as_ref().map(Logic::name)).map_err(failed)?;
        inner.engine.set(&[("random_seed", SEED)]).map_err(failed)?;
        self.proxies.clear();
        self.proxy_order.clear();
        self.distinct.clear();
        self.scopes.clear();
        let mut scopes = self.base.scope_starts().iter().map(|&(assertions, _)| assertions).peekable();
        for (i, &t) in self.base.assertions.iter().enumerate() {
            while scopes.next_if_eq(&i).is_some() {
                inner.engine.push().map_err(failed)?;
                self.scopes.push((0, FxHashMap::default()));
            }
            let a = inner.translate(terms, t)?;
            inner.engine.assert(a).map_err(failed)?;
        }
        for _ in scopes {
            inner.engine.push().map_err(failed)?;
            self.scopes.push((0, FxHashMap::default()));
        }
        self.spoiled = false;
        self.base.stats.restarts += 1;
        Ok(())
    }

    /// The literal that stands for an assumption.
    fn literal(&mut self, terms: &Terms, t: Term) -> Result<Ast, SolverError> {
        let atom = match terms.op(t) {
            Op::Not => terms.args(t)[0],
            _ => t,
        };
        let mut inner = lock(&self.inner);
        if terms.as_var(atom).is_some() {
            return inner.translate(terms, t);
        }
        if let Some(&p) = self.proxies.get(&t) {
            return Ok(p);
        }
        let a = inner.translate(terms, t)?;
        let sort = inner.sort(terms, Sort::BOOL)?;
        let e = &mut inner.engine;
        let proxy = e.declare(&format!("assume@{}", self.proxy_names), &[], sort).map_err(failed)?;
        let proxy = e.app(proxy, &[]).map_err(failed)?;
        let meaning = e.apply(Operator::IMPLIES, &[proxy, a]).map_err(failed)?;
        e.assert(meaning).map_err(failed)?;
        self.proxy_names += 1;
        self.proxies.insert(t, proxy);
        self.proxy_order.push(t);
        Ok(proxy)
    }

    /// Asserts that the elements of uninterpreted sorts are different, as far as that is new.
    fn separate_elements(&mut self) -> Result<(), SolverError> {
        let mut inner = lock(&self.inner);
        let Inner { engine, translator } = &mut *inner;
        for (sort, elems) in &translator.elems {
            let covered = self.distinct.entry(*sort).or_insert(1);
            if *covered < elems.len() {
                let all: Vec<Ast> = elems.iter().map(|x| x.1).collect();
                let distinct = engine.apply(Operator::DISTINCT, &all).map_err(failed)?;
                engine.assert(distinct).map_err(failed)?;
                *covered = elems.len();
            }
        }
        Ok(())
    }

    /// The expressions for all assertions and assumptions, without stand-ins.
    fn expressions(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Vec<Ast>, SolverError> {
        let mut inner = lock(&self.inner);
        let roots = self.base.roots(assumptions);
        let mut all = roots.into_iter().map(|t| inner.translate(terms, t)).collect::<Result<Vec<_>, _>>()?;
        let Inner { engine, translator } = &mut *inner;
        for (_, elems) in translator.elems.iter().filter(|(_, elems)| elems.len() > 1) {
            let elems: Vec<Ast> = elems.iter().map(|x| x.1).collect();
            all.push(engine.apply(Operator::DISTINCT, &elems).map_err(failed)?);
        }
        Ok(all)
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term], goal: Option<&[Soft]>) -> Result<Answer, SolverError> {
        let assumptions = match self.base.assumptions(terms, assumptions)? {
            Ok(all) => all,
            Err(is_false) => return Ok(Answer::Unsat(vec![is_false])),
        };
        if self.spoiled {
            self.renew(terms)?;
        }
        let (mut literals, mut hard, mut soft) = (Vec::new(), Vec::new(), Vec::new());
        match goal {
            None => literals = assumptions.iter().map(|&t| self.literal(terms, t)).collect::<Result<_, _>>()?,
            Some(goal) => {
                for &(t, weight) in goal {
                    self.base.accepts(terms, t)?;
                    soft.push((lock(&self.inner).translate(terms, t)?, weight));
                }
                hard = self.expressions(terms, &assumptions)?;
            }
        }
        self.separate_elements()?;
        let limits = self.base.limits;
        if limits.time.is_some_and(|t| t.is_zero()) {
            return Ok(Answer::Unknown(Reason::Timeout));
        }
        let mut inner = lock(&self.inner);
        inner.engine.set(&options(limits)).map_err(failed)?;
        let running = self.interrupter.running();
        let start = Instant::now();
        let (verdict, optimum) = loop {
            if self.interrupter.is_interrupted() {
                return Ok(Answer::Unknown(Reason::Interrupted));
            }
            let (verdict, optimum) = match goal {
                None => (inner.engine.solve(&literals).map_err(failed)?, None),
                Some(_) => inner.engine.optimize(&hard, &soft, &options(limits)[..2]).map_err(failed)?,
            };
            // A late echo of an interruption that was reset is none of this check's business.
            let echo = matches!(&verdict, Verdict::Unknown(why) if is_cancelled(why))
                && !self.interrupter.is_interrupted()
                && limits.resource.is_none()
                && limits.time.is_none_or(|t| start.elapsed() + Duration::from_millis(1) < t);
            if !echo {
                break (verdict, optimum);
            }
            if self.logic.is_some() && goal.is_none() {
                drop((running, inner));
                self.spoiled = true;
                return self.solve(terms, &assumptions, goal);
            }
        };
        drop(running);
        let soft = goal.unwrap_or_default().iter().map(|&(t, _)| t);
        let roots: Vec<Term> = assumptions.iter().copied().chain(soft).collect();
        let model = |model| {
            Model::new(model::Z3Model {
                inner: self.inner.clone(),
                model,
                roots: self.base.roots(&roots),
                declared: self.base.declared.clone(),
            })
        };
        match verdict {
            Verdict::Sat if goal.is_some() => match optimum {
                Some(found) => Ok(Answer::Sat(model(found))),
                None => Err(SolverError::Failed { solver: "z3".into(), message: "no optimum".into() }),
            },
            Verdict::Unsat if goal.is_some() => Ok(Answer::Unsat(assumptions)),
            Verdict::Sat => inner.engine.model().map(|m| Answer::Sat(model(m))).map_err(failed),
            Verdict::Unsat => {
                let core = inner.engine.core(&literals).map_err(failed)?;
                Ok(Answer::Unsat(core.into_iter().map(|i| assumptions[i]).collect()))
            }
            Verdict::Unknown(why) => {
                let reason = self.reason(why, start.elapsed());
                if let (Reason::Incomplete(_), None) = (&reason, goal) {
                    let candidate = inner.engine.model().ok().map(model);
                    drop(inner);
                    self.candidate = candidate;
                }
                Ok(Answer::Unknown(reason))
            }
        }
    }

    fn answer(&mut self, terms: &Terms, assumptions: &[Term], goal: Option<&[Soft]>) -> Result<Answer, SolverError> {
        let start = Instant::now();
        self.candidate = None;
        let logic = self.logic.clone();
        let answer = self.solve(terms, assumptions, goal);
        // Z3 does not always say why it stopped: whatever is no answer counts as cut short.
        let answered = matches!(answer, Ok(Answer::Sat(_) | Answer::Unsat(_)));
        self.spoiled |= logic.is_some() && goal.is_none() && !answered;
        let answer =
            answer.and_then(|a| self.base.checked(terms, "z3", assumptions, a, || Ok(Box::new(Z3Solver::new(logic)?))));
        self.base.count(start, &answer);
        answer
    }

    fn reason(&self, why: String, elapsed: Duration) -> Reason {
        let limits = self.base.limits;
        if self.interrupter.is_interrupted() {
            Reason::Interrupted
        } else if why.contains("timeout") {
            Reason::Timeout
        } else if why.contains("memory") {
            Reason::MemoryLimit
        } else if why.contains("resource") {
            Reason::ResourceLimit
        } else if is_cancelled(&why) {
            match limits.time {
                Some(t) if elapsed + Duration::from_millis(1) >= t => Reason::Timeout,
                _ => Reason::ResourceLimit,
            }
        } else {
            Reason::Incomplete(why)
        }
    }
}

fn is_cancelled(why: &str) -> bool {
    why.contains("cancel") || why.contains("interrupt")
}

/// The version of the Z3 that is linked in, such as `5.4.0`.
pub fn version() -> String {
    let full = raw::version();
    full.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(&full).to_owned()
}

fn options(limits: Limits) -> [raw::Limit; 3] {
    let none = u32::MAX;
    let time = limits.time.map_or(none, |t| u32::try_from(t.as_millis()).unwrap_or(none).max(1));
    // For Z3, zero resources mean that there is no limit.
    let resource = limits.resource.map_or(0, |r| u32::try_from(r).unwrap_or(none).max(1));
    [("timeout", time), ("rlimit", resource), ("max_memory", limits.memory.unwrap_or(none))]
}

impl Solver for Z3Solver {
    fn name(&self) -> &str {
        "z3"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn declare(&mut self, terms: &Terms, symbol: Declaration) -> Result<(), SolverError> {
        let mut inner = lock(&self.inner);
        match symbol {
            Declaration::Var(v) => {
                inner.var(terms, v)?;
            }
            Declaration::Func(f) => {
                inner.function(terms, f)?;
            }
        }
        self.base.declared.push(symbol);
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.base.accepts(terms, t)?;
        let mut inner = lock(&self.inner);
        let a = inner.translate(terms, t)?;
        inner.engine.assert(a).map_err(failed)?;
        self.base.assertions.push(t);
        self.base.stats.asserted += 1;
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        lock(&self.inner).engine.push().map_err(failed)?;
        self.base.push();
        self.scopes.push((self.proxy_order.len(), self.distinct.clone()));
        Ok(())
    }

    fn pop(&mut self, n: u32) -> Result<(), SolverError> {
        self.base.can_pop(n)?;
        lock(&self.inner).engine.pop(n).map_err(failed)?;
        self.base.pop(n);
        for _ in 0..n {
            if let Some((proxies, distinct)) = self.scopes.pop() {
                for t in self.proxy_order.drain(proxies..) {
                    self.proxies.remove(&t);
                }
                self.distinct = distinct;
            }
        }
        Ok(())
    }

    fn depth(&self) -> u32 {
        self.base.depth()
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.answer(terms, assumptions, None)
    }

    fn optimize(&mut self, terms: &Terms, assumptions: &[Term], soft: &[Soft]) -> Result<Answer, SolverError> {
        self.answer(terms, assumptions, Some(soft))
    }

    fn candidate(&mut self) -> Option<Model> {
        self.candidate.take()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.base.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn statistics(&self) -> Stats {
        Stats { own: lock(&self.inner).engine.counters(), ..self.base.stats.clone() }
    }

    fn set_checking(&mut self, on: bool) {
        self.base.checking = on;
    }
}

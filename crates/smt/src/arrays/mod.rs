//! Arrays by lemmas on demand, over a solver that knows no arrays.
//!
//! In: what any [`Solver`] takes. Inside, every read from an array is resolved as far as indices
//! decide it; the others are variables of an array-free query for a solver that is made for its logic
//! (bit-vectors, as a rule), and what arrays mean is told to it when a model gets it wrong (Brummayer
//! and Biere, *Lemmas on demand for the extensional theory of arrays*; here without extensionality).
//! Nested arrays are read with a path of indices. An assertion `variable = array` is a definition.
//!
//! What always holds:
//! - a model satisfies the query with its arrays: every read that an assertion speaks about has been
//!   compared with the arrays of the model;
//! - every lemma is a consequence of the assertions, so an unsatisfiable inner query is one of the
//!   caller's;
//! - a check that takes the solver for bit-vectors long is given to a general solver as well, in turns with growing
//!   budgets: neither is good at everything;
//! - the first term that has something else (integers, quantifiers, equations of arrays that define
//!   nothing …) sends the whole query, then and for good, to a general solver.

mod graph;
mod inside;
mod model;
mod names;
mod refine;
mod translate;
mod turns;
mod values;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use lariat_term::{Term, TermMap, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use self::{
    model::LazyModel,
    names::Names,
    refine::{Refined, refine},
    translate::{Obstacle, Translation},
    values::Values,
};
use crate::{
    Answer, Declaration, Interrupter, Limits, Logic, Model, Reason, Soft, Solver, SolverError, Stats, Z3Solver,
    base::Base,
};

/// What a solver inside must be able to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fragment {
    /// Booleans and bit-vectors without quantifiers and functions.
    Bits,
    /// The same with floats.
    Floats,
    /// Booleans, bit-vectors and arrays of them, without quantifiers and functions.
    Arrays,
    /// Everything.
    All,
    /// Everything, by a solver that instantiates quantifiers at terms that fit their triggers, and otherwise not. It refutes, and finds no models.
    Triggers,
}

type OpenInner = Box<dyn Fn(Fragment) -> Result<Box<dyn Solver>, SolverError> + Send>;

/// A solver that picks the inner solver by what the query has, and does arrays itself where that
/// pays. See the module documentation.
///
/// ```
/// use lariat_smt::{LazyArrays, Solver};
/// use lariat_term::{Sort, Terms};
///
/// let mut t = Terms::new();
/// let byte = t.bv_sort(8);
/// let memory = t.array_sort(byte, byte);
/// let (m, i, j, v) = (t.var("m", memory), t.var("i", byte), t.var("j", byte), t.var("v", byte));
/// let written = t.store(m, i, v);
/// let (read, before) = (t.select(written, j), t.select(m, j));
/// let (changed, elsewhere) = (t.ne(read, before), t.ne(i, j));
///
/// let mut solver = LazyArrays::new()?;
/// solver.assert(&t, changed)?;
/// assert!(solver.check(&t, &[])?.is_sat());
/// assert!(solver.check(&t, &[elsewhere])?.is_unsat());
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub struct LazyArrays {
    base: Base,
    open: OpenInner,
    fragment: Fragment,
    inner: Box<dyn Solver>,
    /// Another solver for checks that take long, and how many of the assertions it has.
    other: Option<(Box<dyn Solver>, usize)>,
    quantified: Quantified,
    /// The array-free query, unless the fragment is [`Fragment::All`].
    translation: Arc<Mutex<Translation>>,
    /// Inner terms that were looked through for reads.
    marked: FxHashSet<Term>,
    /// What parts of asserted terms are called inside.
    names: Names,
    /// A scope was closed: what is inside must be built again.
    stale: bool,
    interrupter: Interrupter,
    /// Interrupts the inner solver of the moment.
    current: Arc<Mutex<Interrupter>>,
    version: String,
    rounds: u64,
    lemmas: u64,
    /// Of inner solvers that are no more.
    checked: u64,
}

/// Whether some assertion has, or had, a quantifier.
#[derive(Default)]
struct Quantified {
    found: bool,
    /// How many assertions, and which terms, were looked at.
    looked_at: usize,
    seen: TermMap,
}

/// Why the query must be moved to another solver.
enum Stop {
    Obstacle(Obstacle),
    Error(SolverError),
}

impl From<Obstacle> for Stop {
    fn from(o: Obstacle) -> Stop {
        Stop::Obstacle(o)
    }
}

impl From<SolverError> for Stop {
    fn from(e: SolverError) -> Stop {
        Stop::Error(e)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while the lock was held leaves tables that are still in order.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LazyArrays {
    /// Over Z3: one for bit-vectors as long as the query has only these, and a general one.
    pub fn new() -> Result<LazyArrays, SolverError> {
        LazyArrays::over(|fragment| {
            Ok(Box::new(match fragment {
                Fragment::Bits => Z3Solver::new(Some(Logic::QF_BV))?,
                Fragment::Arrays => Z3Solver::new(Some(Logic::QF_AUFBV))?,
                Fragment::Floats | Fragment::All => Z3Solver::new(None)?,
                Fragment::Triggers => Z3Solver::with_triggers()?,
            }))
        })
    }

    /// Over other solvers: `open` makes one for a fragment.
    pub fn over(
        open: impl Fn(Fragment) -> Result<Box<dyn Solver>, SolverError> + Send + 'static,
    ) -> Result<LazyArrays, SolverError> {
        let mut inner = open(Fragment::Bits)?;
        inner.set_checking(false);
        let current = Arc::new(Mutex::new(inner.interrupter()));
        let watched = current.clone();
        Ok(LazyArrays {
            base: Base::new(),
            open: Box::new(open),
            fragment: Fragment::Bits,
            version: inner.version().to_owned(),
            inner,
            other: None,
            quantified: Quantified::default(),
            translation: Arc::new(Mutex::new(Translation::new(false))),
            marked: FxHashSet::default(),
            names: Names::default(),
            stale: false,
            interrupter: Interrupter::new(move || lock(&watched).interrupt()),
            current,
            rounds: 0,
            lemmas: 0,
            checked: 0,
        })
    }

    /// What the query is known to need so far.
    pub fn fragment(&self) -> Fragment {
        self.fragment
    }

    /// Starts again with a solver for this fragment and the assertions so far.
    fn restart(&mut self, terms: &Terms, mut fragment: Fragment) -> Result<(), SolverError> {
        loop {
            let mut inner = (self.open)(fragment)?;
            inner.set_checking(fragment == Fragment::All && self.base.checking);
            *lock(&self.current) = inner.interrupter();
            self.checked += std::mem::replace(&mut self.inner, inner).statistics().checked;
            self.fragment = fragment;
            self.other = None;
            // Models keep the old one.
            self.translation = Arc::new(Mutex::new(Translation::new(fragment == Fragment::Floats)));
            self.marked = FxHashSet::default();
            self.names = Names::default();
            match self.replay(terms) {
                Ok(()) => break,
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Obstacle(o)) => fragment = next(fragment, o),
            }
        }
        self.stale = false;
        Ok(())
    }

    fn replay(&mut self, terms: &Terms) -> Result<(), Stop> {
        let starts: Vec<(usize, usize)> = self.base.scope_starts().to_vec();
        let (assertions, declared) = (self.base.assertions.clone(), self.base.declared.clone());
        if self.fragment != Fragment::All {
            declared.iter().try_for_each(|&d| self.declare_inside(terms, d))?;
            return assertions.iter().try_for_each(|&t| self.assert_inside(terms, t));
        }
        let (mut a, mut d) = (0, 0);
        for (i, (to_a, to_d)) in starts.iter().copied().chain([(assertions.len(), declared.len())]).enumerate() {
            declared[d..to_d].iter().try_for_each(|&x| self.inner.declare(terms, x))?;
            assertions[a..to_a].iter().try_for_each(|&x| self.inner.assert(terms, x))?;
            if i < starts.len() {
                self.inner.push()?;
            }
            (a, d) = (to_a, to_d);
        }
        Ok(())
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term], goal: Option<&[Soft]>) -> Result<Answer, Stop> {
        let assumptions = match self.base.assumptions(terms, assumptions)? {
            Ok(all) => all,
            Err(is_false) => return Ok(Answer::Unsat(vec![is_false])),
        };
        let start = Instant::now();
        // In this order: an interruption that comes before the reset has left its mark outside.
        let _running = self.interrupter.running();
        self.inner.interrupter().reset();
        let translation = self.translation.clone();
        let mut translation = lock(&translation);
        let mut images = Vec::with_capacity(assumptions.len());
        let mut of: FxHashMap<Term, Term> = FxHashMap::default();
        if self.fragment != Fragment::All {
            for &t in &assumptions {
                let image = self.image(&mut translation, terms, t)?;
                of.entry(image).or_insert(t);
                images.push(image);
            }
        }
        let mut soft = Vec::new();
        let translated = if self.fragment == Fragment::All { None } else { goal };
        for &(t, weight) in translated.unwrap_or_default() {
            self.base.accepts(terms, t)?;
            soft.push((self.image(&mut translation, terms, t)?, weight));
        }
        let resource = self.base.limits.resource.map(|r| (r, self.spent()));
        loop {
            if self.interrupter.is_interrupted() {
                return Ok(Answer::Unknown(Reason::Interrupted));
            }
            let mut limits = self.base.limits;
            limits.time = limits.time.map(|t| t.saturating_sub(start.elapsed()));
            if let Some((all, before)) = resource {
                let left = all.saturating_sub(self.spent().saturating_sub(before));
                if left == 0 {
                    return Ok(Answer::Unknown(Reason::ResourceLimit));
                }
                limits.resource = Some(left);
            }
            self.inner.set_limits(limits);
            if self.fragment == Fragment::All {
                return Ok(match goal {
                    None => self.inner.check(terms, &assumptions)?,
                    Some(soft) => self.inner.optimize(terms, &assumptions, soft)?,
                });
            }
            self.rounds += 1;
            // What lemmas rule out only makes an optimum worse: one that satisfies them all is one.
            let inside = &translation.graph.terms;
            let answer = match goal {
                None => self.inner.check(inside, &images)?,
                Some(_) => self.inner.optimize(inside, &images, &soft)?,
            };
            let inner = match answer {
                Answer::Sat(model) => model,
                Answer::Unsat(core) => {
                    // In the order of the assumptions, as the inner core is in that of the images.
                    return Ok(Answer::Unsat(core.iter().filter_map(|t| of.get(t).copied()).collect()));
                }
                Answer::Unknown(reason) => return Ok(Answer::Unknown(reason)),
            };
            match refine(&mut translation.graph, &mut Values::new(&inner))? {
                Refined::Model(elements) => {
                    let model = LazyModel {
                        translation: self.translation.clone(),
                        inner,
                        elements,
                        scalars: translation.scalars.len(),
                        arrays: translation.arrays.len(),
                        definitions: translation.graph.definition_count(),
                    };
                    return Ok(Answer::Sat(Model::new(model)));
                }
                Refined::Lemmas(lemmas) => {
                    self.lemmas += lemmas.len() as u64;
                    lemmas.into_iter().try_for_each(|l| self.tell(&mut translation, l))?;
                }
            }
        }
    }

    fn answer(&mut self, terms: &Terms, assumptions: &[Term], goal: Option<&[Soft]>) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let name = self.inner.name().to_owned();
        let answer =
            self.attempt(terms, |this| this.turns(terms, assumptions, goal)).and_then(|answer| match self.fragment {
                Fragment::All => Ok(answer),
                _ => {
                    let open = &self.open;
                    self.base.checked(terms, &name, assumptions, answer, || open(Fragment::All))
                }
            });
        self.base.count(start, &answer);
        answer
    }

    /// Resources that the inner solver has used, in its own unit.
    fn spent(&self) -> u64 {
        let own = self.inner.statistics().own;
        own.iter().find(|(name, _)| name == "rlimit count").map_or(0, |&(_, n)| n as u64)
    }

    /// Does something, in another solver if the present one cannot.
    fn attempt<T>(
        &mut self,
        terms: &Terms,
        mut what: impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, SolverError> {
        if self.stale {
            self.restart(terms, self.fragment)?;
        }
        loop {
            match what(self) {
                Ok(done) => return Ok(done),
                Err(Stop::Obstacle(o)) => self.restart(terms, next(self.fragment, o))?,
                Err(Stop::Error(e)) => {
                    // Part of it may have been asserted.
                    self.stale = self.fragment != Fragment::All;
                    return Err(e);
                }
            }
        }
    }
}

/// The fragment to try after an obstacle.
fn next(fragment: Fragment, obstacle: Obstacle) -> Fragment {
    match (fragment, obstacle) {
        (Fragment::Bits, Obstacle::Floats) => Fragment::Floats,
        _ => Fragment::All,
    }
}

impl Solver for LazyArrays {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn declare(&mut self, terms: &Terms, symbol: Declaration) -> Result<(), SolverError> {
        self.attempt(terms, |this| this.declare_inside(terms, symbol))?;
        if let Some((other, _)) = &mut self.other {
            other.declare(terms, symbol)?;
        }
        self.base.declared.push(symbol);
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.base.accepts(terms, t)?;
        self.attempt(terms, |this| this.assert_inside(terms, t))?;
        self.base.assertions.push(t);
        self.base.stats.asserted += 1;
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        if self.fragment == Fragment::All && !self.stale {
            self.inner.push()?;
        }
        self.base.push();
        Ok(())
    }

    fn pop(&mut self, n: u32) -> Result<(), SolverError> {
        self.base.can_pop(n)?;
        self.other = None;
        match self.fragment {
            Fragment::All if !self.stale => self.inner.pop(n)?,
            // A definition may be gone, and much depends on it.
            _ => self.stale |= n > 0,
        }
        self.base.pop(n);
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
        // Inside, an array-free proposal says nothing about arrays.
        if self.fragment == Fragment::All { self.inner.candidate() } else { None }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.base.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn statistics(&self) -> Stats {
        let inner = self.inner.statistics();
        let mut stats = self.base.stats.clone();
        stats.checked += self.checked + inner.checked;
        stats.own = inner.own;
        let reads = lock(&self.translation).graph.reads().len();
        for (name, n) in [("array reads", reads as u64), ("array lemmas", self.lemmas), ("array rounds", self.rounds)] {
            stats.own.push((name.into(), n as f64));
        }
        stats
    }

    fn set_checking(&mut self, on: bool) {
        self.base.checking = on;
        self.inner.set_checking(on && self.fragment == Fragment::All);
    }
}

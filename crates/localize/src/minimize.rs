//! Minimisers: which variables must be tracked so that a spurious path is refuted?
//!
//! All of them return a *minimal* set: without any variable of it that was not tracked before, the path is possible again. They differ in how many questions they
//! ask, and in what a question costs.

use lariat_engine::Budget;
use lariat_program::Program;
use lariat_smt::SolverError;
use lariat_term::{Terms, Var};

use crate::{
    encode::{Parameterized, Reencoded},
    path::Path,
};

/// Questions about a path and sets of tracked variables, which are numbered here. Tracking more never makes it possible.
pub trait Check {
    /// How many variables there are.
    fn variables(&self) -> usize;

    /// Is the path impossible if these are tracked? `None` if the solver cannot tell.
    fn refutes(&mut self, tracked: &[bool]) -> Result<Option<bool>, SolverError>;
}

/// A minimal set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimal {
    /// By variable: is it in the set?
    pub tracked: Vec<bool>,
    /// How many questions were asked.
    pub checks: u64,
    /// Were all of them decided? If not, the set refutes the path, but need not be minimal.
    pub sure: bool,
}

/// A way to find a minimal set.
pub trait Minimizer {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// A minimal set that refutes the path, with all that are tracked already. Tracking everything must refute it.
    fn minimize(&self, check: &mut dyn Check, tracked: &[bool]) -> Result<Minimal, SolverError>;
}

/// STORM's refinement: everything is tracked, and one variable after the other is given up if the path stays impossible.
pub struct Linear;

impl Minimizer for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn minimize(&self, check: &mut dyn Check, tracked: &[bool]) -> Result<Minimal, SolverError> {
        let mut asked = Asked { check, checks: 0, sure: true };
        let mut kept = vec![true; tracked.len()];
        for v in (0..tracked.len()).filter(|&v| !tracked[v]) {
            kept[v] = false;
            kept[v] = !asked.refutes(&kept)?;
        }
        Ok(Minimal { tracked: kept, checks: asked.checks, sure: asked.sure })
    }
}

/// Hierarchical refinement (CORRAL, algorithm 1): divide and conquer, each question with a new formula. At most
/// `max(2 |G - T| - 1, 0)` questions, and `O(k log |G - T|)` where k further variables are needed (lemma 1).
pub struct HRefine;

impl Minimizer for HRefine {
    fn name(&self) -> &'static str {
        "hrefine"
    }

    fn minimize(&self, check: &mut dyn Check, tracked: &[bool]) -> Result<Minimal, SolverError> {
        hierarchical(check, tracked)
    }
}

/// The same questions in one solver (CORRAL, algorithm 2): the formula has a Boolean for each variable, and questions are assumptions about these.
pub struct VcRefine;

impl Minimizer for VcRefine {
    fn name(&self) -> &'static str {
        "vcrefine"
    }

    fn minimize(&self, check: &mut dyn Check, tracked: &[bool]) -> Result<Minimal, SolverError> {
        hierarchical(check, tracked)
    }
}

/// The minimisers by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MinimizerKind {
    /// [`Linear`]
    Linear,
    /// [`HRefine`]
    HRefine,
    /// [`VcRefine`]
    #[default]
    VcRefine,
}

impl MinimizerKind {
    /// All of them.
    pub const ALL: [MinimizerKind; 3] = [MinimizerKind::Linear, MinimizerKind::HRefine, MinimizerKind::VcRefine];

    /// The minimiser.
    pub fn get(self) -> &'static dyn Minimizer {
        match self {
            MinimizerKind::Linear => &Linear,
            MinimizerKind::HRefine => &HRefine,
            MinimizerKind::VcRefine => &VcRefine,
        }
    }

    /// A minimal superset of the tracked variables, of these globals, that refutes a path of a program.
    pub fn refine(
        self,
        program: &Program,
        terms: &mut Terms,
        path: &Path,
        (globals, tracked): (&[Var], &[bool]),
        solver: &str,
        budget: &Budget,
    ) -> Result<Minimal, SolverError> {
        let mut check: Box<dyn Check + '_> = match self {
            MinimizerKind::Linear | MinimizerKind::HRefine => {
                Box::new(Reencoded::new(program, terms, path, globals, solver, budget))
            }
            MinimizerKind::VcRefine => Box::new(Parameterized::new(program, terms, path, globals, solver, budget)?),
        };
        let minimal = self.get().minimize(&mut *check, tracked)?;
        if cfg!(debug_assertions) && minimal.sure && budget.used_up().is_none() {
            let proved = is_minimal(&mut *check, tracked, &minimal.tracked)?;
            assert!(proved || budget.used_up().is_some(), "{} gives a set that is not minimal", self.get().name());
        }
        Ok(minimal)
    }
}

/// Does the set refute the path, and no set without one of its new variables? Questions that are not decided count for it.
pub fn is_minimal(check: &mut dyn Check, tracked: &[bool], set: &[bool]) -> Result<bool, SolverError> {
    if check.refutes(set)? == Some(false) || tracked.iter().zip(set).any(|(t, s)| *t && !s) {
        return Ok(false);
    }
    for v in (0..set.len()).filter(|&v| set[v] && !tracked[v]) {
        let mut fewer = set.to_vec();
        fewer[v] = false;
        if check.refutes(&fewer)? == Some(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Counts questions.
struct Asked<'a> {
    check: &'a mut dyn Check,
    checks: u64,
    sure: bool,
}

impl Asked<'_> {
    fn refutes(&mut self, tracked: &[bool]) -> Result<bool, SolverError> {
        self.checks += 1;
        let answer = self.check.refutes(tracked)?;
        self.sure &= answer.is_some();
        Ok(answer == Some(true))
    }
}

fn hierarchical(check: &mut dyn Check, tracked: &[bool]) -> Result<Minimal, SolverError> {
    let mut asked = Asked { check, checks: 0, sure: true };
    let open: Vec<usize> = (0..tracked.len()).filter(|&v| !tracked[v]).collect();
    let tracked = refine(&mut asked, tracked.to_vec(), &open)?;
    Ok(Minimal { tracked, checks: asked.checks, sure: asked.sure })
}

/// Which of the `open` variables must be tracked besides `tracked`; those that are neither need not be. The depth is logarithmic.
fn refine(asked: &mut Asked<'_>, tracked: Vec<bool>, open: &[usize]) -> Result<Vec<bool>, SolverError> {
    // Tracking all that are open refutes the path, so with none there is nothing to ask.
    if open.is_empty() || asked.refutes(&tracked)? {
        return Ok(tracked);
    }
    if let [only] = *open {
        let mut tracked = tracked;
        tracked[only] = true;
        return Ok(tracked);
    }
    let (first, second) = open.split_at(open.len() / 2);
    let mut with_second = tracked.clone();
    second.iter().for_each(|&v| with_second[v] = true);
    let found = refine(asked, with_second, first)?;
    let mut tracked = tracked;
    first.iter().for_each(|&v| tracked[v] = found[v]);
    refine(asked, tracked, second)
}

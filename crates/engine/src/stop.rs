//! A signal that stops engines from another thread, solver calls included.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lariat_smt::{Interrupter, Reason, WeakInterrupter};

/// A handle that ends runs from another thread, solver calls included.
#[derive(Clone, Default)]
pub struct Stop(Arc<StopState>);

#[derive(Default)]
struct StopState {
    /// Ends these runs, too.
    above: Option<Stop>,
    why: OnceLock<Reason>,
    /// Of solvers that may be gone.
    running: Mutex<Vec<WeakInterrupter>>,
}

impl Stop {
    /// A handle for some of the runs that this one ends.
    pub fn below(&self) -> Stop {
        Stop(Arc::new(StopState { above: Some(self.clone()), ..StopState::default() }))
    }

    /// Ends all runs that have this handle, now and later.
    pub fn stop(&self) {
        self.stop_because(Reason::Interrupted);
    }

    /// The same, with a reason. The first one counts.
    pub fn stop_because(&self, why: Reason) {
        let _ = self.0.why.set(why);
        let running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.iter().filter_map(WeakInterrupter::upgrade).for_each(|solver| solver.interrupt());
    }

    /// Was [`Stop::stop`] called?
    pub fn is_stopped(&self) -> bool {
        self.handles().any(|stop| stop.0.why.get().is_some())
    }

    /// Why runs are to end, if they are. What comes from above counts more.
    pub fn cause(&self) -> Option<Reason> {
        self.handles().filter_map(|stop| stop.0.why.get()).last().cloned()
    }

    /// Has a solver interrupted by [`Stop::stop`], as long as it is there; at once, if that was called before.
    pub fn watch(&self, solver: Interrupter) {
        for stop in self.handles() {
            let mut running = stop.0.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.retain(|other| other.upgrade().is_some());
            running.push(solver.downgrade());
        }
        if self.is_stopped() {
            solver.interrupt();
        }
    }

    /// This one and those above it.
    fn handles(&self) -> impl Iterator<Item = &Stop> {
        std::iter::successors(Some(self), |stop| stop.0.above.as_ref())
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stop").field(&self.is_stopped()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_that_comes_late_is_interrupted() {
        let stop = Stop::default();
        stop.stop();
        let solver = lariat_smt::solvers::open("z3", None).expect("the linked solver");
        stop.below().watch(solver.interrupter());
        assert!(solver.interrupter().is_interrupted());
    }

    #[test]
    fn the_reason_from_above_counts() {
        let all = Stop::default();
        let one = all.below();
        assert_eq!((one.is_stopped(), one.cause()), (false, None));
        one.stop();
        assert_eq!((one.cause(), all.cause()), (Some(Reason::Interrupted), None));
        all.stop_because(Reason::MemoryLimit);
        all.stop_because(Reason::Timeout);
        assert_eq!((one.cause(), all.cause()), (Some(Reason::MemoryLimit), Some(Reason::MemoryLimit)));
    }
}

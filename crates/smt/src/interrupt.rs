//! Stopping a check from another thread.

use std::{
    fmt,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

/// A handle that stops a solver's checks; see [`Solver::interrupter`](crate::Solver::interrupter).
///
/// An interruption stays until [`Interrupter::reset`]: a check that starts after it ends at once.
/// So it does not matter whether it comes just before or just after the start of a check.
#[derive(Clone)]
pub struct Interrupter(Arc<State>);

struct State {
    interrupted: AtomicBool,
    /// Odd while a check runs; grows with each start and each end.
    run: AtomicU64,
    stop: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupter").field("interrupted", &self.is_interrupted()).finish_non_exhaustive()
    }
}

impl Interrupter {
    /// A handle that calls `stop`, perhaps more than once, to stop a running check.
    pub fn new(stop: impl Fn() + Send + Sync + 'static) -> Interrupter {
        Interrupter(Arc::new(State {
            interrupted: AtomicBool::new(false),
            run: AtomicU64::new(0),
            stop: Box::new(stop),
        }))
    }

    /// Stops the running check, if any, and all later ones until [`Interrupter::reset`].
    pub fn interrupt(&self) {
        self.0.interrupted.store(true, SeqCst);
        let run = self.0.run.load(SeqCst);
        if run.is_multiple_of(2) {
            return;
        }
        (self.0.stop)();
        // A solver that has announced its check but has not begun yet does not hear the call. The
        // caller must not wait for that, so another thread repeats it while this very check runs.
        let this = self.clone();
        let repeat = move || {
            let mut pause = Duration::from_millis(1);
            while this.0.run.load(SeqCst) == run && this.is_interrupted() {
                (this.0.stop)();
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(50));
            }
        };
        // Without a thread the first call must do.
        let _ = std::thread::Builder::new().name("interrupt".into()).spawn(repeat);
    }

    /// The same handle, without keeping the solver's memory: for who watches many solvers.
    pub fn downgrade(&self) -> WeakInterrupter {
        WeakInterrupter(Arc::downgrade(&self.0))
    }

    /// Allows checks again.
    pub fn reset(&self) {
        self.0.interrupted.store(false, SeqCst);
    }

    /// Is there an interruption that was not reset?
    pub fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(SeqCst)
    }

    /// Announces a check; its end is the drop of the result.
    pub fn running(&self) -> Running {
        self.0.run.fetch_add(1, SeqCst);
        Running(self.clone())
    }
}

/// An [`Interrupter`] of a solver that may be gone.
#[derive(Clone)]
pub struct WeakInterrupter(Weak<State>);

impl WeakInterrupter {
    /// The interrupter, if its solver is still there.
    pub fn upgrade(&self) -> Option<Interrupter> {
        self.0.upgrade().map(Interrupter)
    }
}

/// A check that runs; see [`Interrupter::running`].
pub struct Running(Interrupter);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.run.fetch_add(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weak_handle_keeps_nothing() {
        let memory = Arc::new(());
        let held = memory.clone();
        let handle = Interrupter::new(move || _ = &held);
        let weak = handle.downgrade();
        weak.upgrade().expect("the solver is there").interrupt();
        assert!(handle.is_interrupted());
        drop(handle);
        assert!(weak.upgrade().is_none());
        assert_eq!(Arc::strong_count(&memory), 1);
    }
}

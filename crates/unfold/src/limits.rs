//! What an engine may use, and a handle that ends it from outside.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use lariat_smt::{Interrupter, WeakInterrupter};

/// A handle that ends runs from another thread, solver calls included.
#[derive(Clone, Default)]
pub struct Stop(Arc<StopState>);

#[derive(Default)]
struct StopState {
    /// Ends these runs, too.
    above: Option<Stop>,
    stopped: AtomicBool,
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
        self.0.stopped.store(true, Ordering::SeqCst);
        let running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.iter().filter_map(WeakInterrupter::upgrade).for_each(|solver| solver.interrupt());
    }

    /// Was [`Stop::stop`] called?
    pub fn is_stopped(&self) -> bool {
        self.handles().any(|stop| stop.0.stopped.load(Ordering::SeqCst))
    }

    /// Has a solver interrupted by [`Stop::stop`], as long as it is there.
    pub fn watch(&self, solver: Interrupter) {
        for stop in self.handles() {
            let mut running = stop.0.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.retain(|other| other.upgrade().is_some());
            running.push(solver.downgrade());
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

/// What is expanded without a query because it is certainly reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unasked {
    /// Loops and procedures.
    #[default]
    All,
    /// Loops only: how often they run is then known.
    Loops,
}

/// What an engine may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// To give up at once.
    pub stop: Stop,
    /// Memory of the solver, in megabytes.
    pub memory: Option<u32>,
    /// How many nodes may be expanded without a query each time that one is asked for.
    pub eager_nodes: u32,
    /// Which nodes are expanded so.
    pub unasked: Unasked,
    /// No node of a higher cost is ever expanded.
    pub bound: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            deadline: None,
            stop: Stop::default(),
            memory: None,
            eager_nodes: 20_000,
            unasked: Unasked::All,
            bound: None,
        }
    }
}

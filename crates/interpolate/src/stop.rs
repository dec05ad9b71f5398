//! When a call has to end: its time is over, or somebody interrupts it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use lariat_smt::{Interrupter, Limits, Running, WeakInterrupter};

/// What every interpolator keeps for limits and interruptions.
pub(crate) struct Control {
    /// The limits of each call.
    pub(crate) limits: Limits,
    interrupter: Interrupter,
    /// The solvers at work.
    users: Arc<Mutex<Vec<WeakInterrupter>>>,
}

impl Control {
    pub(crate) fn new() -> Control {
        let users: Arc<Mutex<Vec<WeakInterrupter>>> = Arc::default();
        let all = users.clone();
        let interrupter = Interrupter::new(move || {
            for user in all.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                if let Some(user) = user.upgrade() {
                    user.interrupt();
                }
            }
        });
        Control { limits: Limits::default(), interrupter, users }
    }

    pub(crate) fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    /// The end of a call that starts now.
    pub(crate) fn start(&self) -> Stop {
        let deadline = self.limits.time.map(|t| Instant::now() + t);
        Stop {
            deadline,
            limits: self.limits,
            interrupter: Some(self.interrupter.clone()),
            users: self.users.clone(),
            _running: Some(Arc::new(self.interrupter.running())),
        }
    }
}

/// The end of a call.
#[derive(Clone)]
pub struct Stop {
    deadline: Option<Instant>,
    limits: Limits,
    interrupter: Option<Interrupter>,
    users: Arc<Mutex<Vec<WeakInterrupter>>>,
    /// An interruption is passed on as long as this is there.
    _running: Option<Arc<Running>>,
}

impl Stop {
    /// There is none.
    #[cfg(test)]
    pub fn never() -> Stop {
        Stop { deadline: None, limits: Limits::default(), interrupter: None, users: Arc::default(), _running: None }
    }

    /// Is the time over, or the call interrupted?
    pub fn is_over(&self) -> bool {
        self.interrupter.as_ref().is_some_and(Interrupter::is_interrupted)
            || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// The time that is left.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// The limits of a solver's check that starts now.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.left(), ..self.limits }
    }

    /// From now on an interruption goes to this solver, too.
    pub(crate) fn watch(&self, user: &Interrupter) {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        users.retain(|u| u.upgrade().is_some());
        users.push(user.downgrade());
        drop(users);
        if self.interrupter.as_ref().is_some_and(Interrupter::is_interrupted) {
            user.interrupt();
        }
    }
}

//! The portfolio: engines work side by side until one of them has an answer.
//!
//! Each engine has a thread of its own, and the operating system shares the processors among them by their weights
//! (niceness). Where more
//! engines want to work than there may be threads at a time (`jobs`), they take turns: whoever has used the least, for
//! its weight, is next, with a slice as long as all it had before. So an engine that begins anew each time loses half
//! of its time at most, and no slice depends on the time limit.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use lariat_engine::{Answer, Budget, Task};

use crate::{
    schedule::{AHEAD, Engines, Row},
    validate::{Means, Validated, Validator},
};

/// The shortest slice.
const SLICE: Duration = Duration::from_millis(20);

/// The stack of an engine's thread.
const STACK: usize = 1 << 28;

/// What engines are to work on, and with what.
pub(crate) struct Portfolio<'a> {
    pub task: Task<'a>,
    pub rows: &'a [&'static Row],
    pub validator: Validator<'a>,
    /// How many engines work at a time.
    pub jobs: usize,
}

/// An answer, and whose it is.
pub(crate) type Given = (String, Validated);

impl Portfolio<'_> {
    /// Lets the engines work until one has an answer or the budget is used up; `first` works in this thread, until it
    /// has an answer or says that it has none. Gives all answers that came, that of `first` at the beginning.
    pub fn run(&self, budget: &Budget, first: Option<&mut dyn FnMut(&Budget) -> Validated>) -> Vec<Given> {
        let all = Budget { stop: budget.stop.below(), ..budget.clone() };
        let turns = Turns::new(self.jobs, self.rows, first.is_some());
        let answers = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for (i, row) in self.rows.iter().enumerate() {
                let (turns, all, answers) = (&turns, &all, &answers);
                // Solvers recurse deeply; memory that is not used is not taken.
                let thread = std::thread::Builder::new().name(row.name()).stack_size(STACK);
                let work = move || {
                    turns.enter(i + 1);
                    let validated = self.member(i + 1, row, turns, all);
                    turns.leave(i + 1);
                    let conclusive = validated.is_conclusive();
                    answers.lock().unwrap_or_else(PoisonError::into_inner).push((row.name(), validated));
                    if conclusive {
                        all.stop.stop();
                        turns.end();
                    }
                };
                if thread.spawn_scoped(scope, work).is_err() {
                    turns.leave(i + 1);
                }
            }
            scope.spawn(|| turns.demote());
            if let Some(first) = first {
                turns.enter(0);
                let validated = turns.work(0, &all, |budget| {
                    let validated = first(budget);
                    let paused = budget.used_up().is_some() && all.used_up().is_none();
                    (!paused || validated.is_conclusive()).then_some(validated)
                });
                turns.leave(0);
                let validated = validated.unwrap_or_else(|| Validated::Nothing(why(&all)));
                if validated.is_conclusive() {
                    all.stop.stop();
                    turns.end();
                }
                answers.lock().unwrap_or_else(PoisonError::into_inner).insert(0, ("unfold".into(), validated));
            }
        });
        answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of one engine.
    fn member(&self, i: usize, row: &Row, turns: &Turns, all: &Budget) -> Validated {
        let task = Task { reading: row.reading, stop: &all.stop, ..self.task };
        // A check ends, too, where another engine has an answer.
        let means = Means { budget: all, ..self.validator.means };
        let validator = Validator { means, ..self.validator };
        let mut session = None;
        let validated = turns.work(i, all, |budget| {
            if session.is_none() {
                session = row.is_for(&task).then(|| row.engine.start(&task)).flatten();
            }
            let Some(session) = &mut session else { return Some(Validated::Nothing("not for this program".into())) };
            match session.run(budget) {
                Answer::Paused(_) => None,
                answer => Some(validator.validate(answer, session.terms())),
            }
        });
        validated.unwrap_or_else(|| Validated::Nothing(why(all)))
    }
}

/// Why engines were ended.
fn why(all: &Budget) -> String {
    all.used_up().map_or_else(|| "another engine has an answer".into(), |reason| reason.to_string())
}

/// Which thread this is, for [`lower`].
#[cfg(target_os = "linux")]
fn this_thread() -> Option<Thread> {
    Some(rustix::thread::gettid())
}

#[cfg(not(target_os = "linux"))]
fn this_thread() -> Option<Thread> {
    None
}

/// Gives a thread the share of its weight, against those that are ahead, whose priority is that of the process.
#[cfg(target_os = "linux")]
fn lower(thread: Thread, weight: u32) {
    use rustix::process::{getpid, getpriority_process, setpriority_process};
    // A level of niceness is a factor of 1.25.
    let level = (f64::from(AHEAD) / f64::from(weight.max(1))).ln() / 1.25_f64.ln();
    let ahead = getpriority_process(Some(getpid())).unwrap_or(0);
    // Where it cannot be lowered, shares are equal.
    let _ = setpriority_process(Some(thread), ahead + level.round().clamp(0.0, 19.0) as i32);
}

#[cfg(not(target_os = "linux"))]
fn lower((): Thread, _: u32) {}

#[cfg(target_os = "linux")]
type Thread = rustix::process::Pid;
#[cfg(not(target_os = "linux"))]
type Thread = ();

/// Who works now.
struct Turns {
    jobs: usize,
    started: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    members: Vec<Member>,
    /// How many work.
    working: usize,
    over: bool,
}

struct Member {
    starts: Duration,
    /// When its priority is lowered.
    demoted: Duration,
    thread: Option<Thread>,
    weight: u32,
    used: Duration,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waits,
    Works,
    Left,
}

impl Turns {
    fn new(jobs: usize, rows: &[&Row], begins: bool) -> Turns {
        let member = |row: &Row| Member {
            starts: row.starts(),
            demoted: row.demoted(),
            thread: None,
            weight: row.weight,
            used: Duration::ZERO,
            phase: Phase::Waits,
        };
        let all = [Engines::unfolding()].into_iter().chain(rows.iter().copied());
        let mut members: Vec<Member> = all.map(member).collect();
        if !begins {
            members[0].phase = Phase::Left;
        }
        let state = Mutex::new(State { members, working: 0, over: false });
        Turns { jobs: jobs.max(1), started: Instant::now(), state, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a member work in its turns until it has something, or all is over.
    fn work<T>(&self, i: usize, all: &Budget, mut turn: impl FnMut(&Budget) -> Option<T>) -> Option<T> {
        while let Some(slice) = self.take(i, all) {
            let now = Instant::now();
            let end = slice.map(|slice| now + slice);
            let deadline = [end, all.deadline].into_iter().flatten().min();
            let found = turn(&Budget { deadline, ..all.clone() });
            self.give(i, now.elapsed());
            if found.is_some() {
                return found;
            }
            if all.used_up().is_some() {
                return None;
            }
        }
        None
    }

    /// Waits for a turn: for how long, if that is limited. `None` if all is over.
    fn take(&self, i: usize, all: &Budget) -> Option<Option<Duration>> {
        let mut state = self.lock();
        loop {
            if state.over || all.used_up().is_some() {
                return None;
            }
            let now = self.started.elapsed();
            if state.working < self.jobs && state.next(now) == Some(i) {
                state.members[i].phase = Phase::Works;
                state.working += 1;
                let more = state.members.iter().filter(|m| m.phase != Phase::Left).count() > self.jobs;
                self.changed.notify_all();
                return Some(more.then(|| state.members[i].used.max(SLICE)));
            }
            let wait = state.members[i].starts.saturating_sub(now);
            let wait = if wait.is_zero() { Duration::from_millis(100) } else { wait };
            state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends a turn.
    fn give(&self, i: usize, used: Duration) {
        let mut state = self.lock();
        state.members[i].used += used;
        state.members[i].phase = Phase::Waits;
        state.working -= 1;
        self.changed.notify_all();
    }

    /// A member begins, in this thread.
    fn enter(&self, i: usize) {
        self.lock().members[i].thread = this_thread();
    }

    /// Lowers the priorities of members when their time has come, until all is over.
    fn demote(&self) {
        let mut state = self.lock();
        loop {
            let now = self.started.elapsed();
            for member in state.members.iter_mut().filter(|m| m.demoted <= now) {
                if let Some(thread) = member.thread {
                    lower(thread, member.weight);
                    member.demoted = Duration::MAX;
                }
            }
            if state.over || state.members.iter().all(|m| m.phase == Phase::Left || m.demoted == Duration::MAX) {
                return;
            }
            let next = state.members.iter().map(|m| m.demoted).min().unwrap_or(Duration::MAX).saturating_sub(now);
            let wait = next.clamp(Duration::from_millis(1), Duration::from_millis(500));
            state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A member has nothing more to do.
    fn leave(&self, i: usize) {
        self.lock().members[i].phase = Phase::Left;
        self.changed.notify_all();
    }

    /// Nobody has.
    fn end(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }
}

impl State {
    /// Who is next: of those whose time has come, whoever had the least for its weight. Where nobody works, nobody
    /// needs to wait.
    fn next(&self, now: Duration) -> Option<usize> {
        let waiting = || self.members.iter().enumerate().filter(|(_, m)| m.phase == Phase::Waits);
        let ready = waiting().filter(|(_, m)| m.starts <= now);
        let least = ready.min_by_key(|(i, m)| (m.used.as_nanos() / u128::from(m.weight.max(1)), *i));
        let early = || waiting().min_by_key(|(i, m)| (m.starts, *i)).filter(|_| self.working == 0);
        least.or_else(early).map(|(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(starts: u64, weight: u32, used: u64, phase: Phase) -> Member {
        let [starts, used] = [starts, used].map(Duration::from_millis);
        Member { starts, demoted: Duration::MAX, thread: None, weight, used, phase }
    }

    #[test]
    fn whoever_had_the_least_is_next() {
        use Phase::{Left, Waits, Works};
        let after = |members: Vec<Member>, now| {
            let working = members.iter().filter(|m| m.phase == Works).count();
            State { members, working, over: false }.next(Duration::from_millis(now))
        };
        let all = |first, second| vec![member(0, 2, 100, first), member(0, 1, 60, second), member(500, 1, 0, Waits)];
        // 50 for its weight against 60; the third one comes later.
        assert_eq!(after(all(Waits, Waits), 100), Some(0));
        assert_eq!(after(all(Works, Waits), 100), Some(1));
        assert_eq!(after(all(Waits, Waits), 500), Some(2));
        assert_eq!(after(all(Works, Left), 100), None);
        // Nobody works, so that it comes at once.
        assert_eq!(after(all(Left, Left), 100), Some(2));
    }
}

//! The portfolio: engines work side by side until one of them has an answer.
//!
//! Each engine has a thread of its own, and the operating system shares the processors among them by their weights
//! (niceness). Where more
//! engines want to work than there may be threads at a time (`jobs`), they take turns: whoever has used the least, for
//! its weight, is next, with a slice as long as all it had before. So an engine that begins anew each time loses half
//! of its time at most, and no slice depends on the time limit.
//!
//! While a proof is checked, the others are stopped: most proofs hold, and then they would have worked in vain. If one does not hold, they begin
//! anew.
//!
//! An engine that is in a solver's code which does not listen is left behind: all that it works on is its own or shared.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use lariat_engine::{Answer, Budget, Stop, Task};

use crate::{
    schedule::{Engines, LARGEST, Row},
    validate::{Validated, Validator},
};

/// The shortest slice.
const SLICE: Duration = Duration::from_millis(20);

/// How often it is looked at what engines have used.
const LOOK: Duration = Duration::from_millis(20);

/// How long engines are waited for that may be just about to answer, too: two answers must not contradict each other.
const LEAVE: Duration = Duration::from_millis(40);

/// The stack of an engine's thread.
const STACK: usize = 1 << 28;

/// What engines are to work on, and with what.
pub(crate) struct Portfolio<'a> {
    pub task: Task,
    pub rows: &'a [&'static Row],
    pub validator: Validator,
    /// How many engines work at a time.
    pub jobs: usize,
    /// Are engines waited for that cannot be interrupted?
    pub wait: bool,
}

/// An answer, and whose it is.
pub(crate) type Given = (String, Validated);

/// Has a proof checked, without others working beside it.
pub(crate) type Alone<'a> = &'a dyn Fn(&mut dyn FnMut() -> Validated) -> Validated;

/// The engine that works in the caller's thread.
pub(crate) type First<'a> = &'a mut dyn FnMut(&Budget, Alone<'_>) -> Validated;

impl Portfolio<'_> {
    /// Lets the engines work until one has an answer or the budget is used up; `first` works in this thread, until it
    /// has an answer or says that it has none. Gives all answers that came, that of `first` at the beginning.
    pub fn run(&self, budget: &Budget, first: Option<First<'_>>) -> Vec<Given> {
        let all = Budget { stop: budget.stop.below(), ..budget.clone() };
        let turns = Arc::new(Turns::new(self.jobs, self.rows, first.is_some()));
        for (i, &row) in self.rows.iter().enumerate() {
            let member = Work {
                number: i + 1,
                row,
                task: Task { reading: row.reading, stop: all.stop.clone(), ..self.task.clone() },
                // A check ends, too, where another engine has an answer.
                validator: Validator { budget: all.clone(), ..self.validator.clone() },
                turns: turns.clone(),
                all: all.clone(),
            };
            // Solvers recurse deeply; memory that is not used is not taken.
            let thread = std::thread::Builder::new().name(row.name()).stack_size(STACK);
            if thread.spawn(move || member.run()).is_err() {
                turns.leave(i + 1);
            }
        }
        let watched = turns.clone();
        std::thread::spawn(move || watched.demote());
        if let Some(first) = first {
            turns.enter(0);
            let check = |check: &mut dyn FnMut() -> Validated| turns.alone(0, self.validator.check_until(), check);
            let validated = turns.work(0, &all, |budget| {
                let validated = first(budget, &check);
                let paused = budget.used_up().is_some() && all.used_up().is_none();
                (!paused || validated.is_conclusive()).then_some(validated)
            });
            let validated = validated.unwrap_or_else(|| Validated::Nothing(why(&all)));
            turns.answer(0, "unfold".into(), validated, &all);
        }
        turns.answers(&all, self.wait)
    }
}

/// The work of one engine.
struct Work {
    number: usize,
    row: &'static Row,
    task: Task,
    validator: Validator,
    turns: Arc<Turns>,
    all: Budget,
}

impl Work {
    fn run(self) {
        let Work { number, row, mut task, validator, turns, all } = self;
        turns.enter(number);
        let mut session = None;
        let validated = turns.work(number, &all, |budget| {
            if session.is_none() {
                task.stop = turns.stop(number, &all);
                session = row.is_for(&task).then(|| row.engine.start(&task)).flatten();
            }
            let Some(engine) = &mut session else { return Some(Validated::Nothing("not for this program".into())) };
            match engine.run(&Budget { stop: task.stop.clone(), ..budget.clone() }) {
                // Solvers that were stopped say nothing more: it begins anew.
                Answer::Paused(_) | Answer::Nothing(_) if task.stop.is_stopped() => {
                    session = None;
                    None
                }
                Answer::Paused(_) => None,
                Answer::Proof(proof) => {
                    let (mut proof, terms) = (Some(proof), engine.terms());
                    let mut check = || match proof.take() {
                        Some(proof) => validator.validate(Answer::Proof(proof), terms),
                        None => Validated::Nothing(String::new()),
                    };
                    Some(turns.alone(number, validator.check_until(), &mut check))
                }
                answer => Some(validator.validate(answer, engine.terms())),
            }
        });
        let validated = validated.unwrap_or_else(|| Validated::Nothing(why(&all)));
        turns.answer(number, row.name(), validated, &all);
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

/// What a thread has used of the processors.
#[cfg(target_os = "linux")]
fn used(thread: Thread) -> Option<Duration> {
    let path = format!("/proc/self/task/{}/schedstat", thread.as_raw_nonzero());
    let text = std::fs::read_to_string(path).ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(not(target_os = "linux"))]
fn used((): Thread) -> Option<Duration> {
    None
}

/// Gives a thread the share of its weight; that of the largest, or more, has the priority of the process.
#[cfg(target_os = "linux")]
fn lower(thread: Thread, weight: u32, largest: u32) {
    use rustix::process::{getpid, getpriority_process, setpriority_process};
    // A level of niceness is a factor of 1.25.
    let level = (f64::from(largest) / f64::from(weight.max(1))).ln() / 1.25_f64.ln();
    let process = getpriority_process(Some(getpid())).unwrap_or(0);
    // Where it cannot be lowered, shares are equal.
    let _ = setpriority_process(Some(thread), process + level.round().clamp(0.0, 19.0) as i32);
}

#[cfg(not(target_os = "linux"))]
fn lower((): Thread, _: u32, _: u32) {}

#[cfg(target_os = "linux")]
type Thread = rustix::process::Pid;
#[cfg(not(target_os = "linux"))]
type Thread = ();

/// Who works now.
struct Turns {
    jobs: usize,
    /// The weight of the priority of the process.
    largest: u32,
    started: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    members: Vec<Member>,
    /// How many work.
    working: usize,
    answers: Vec<Given>,
    /// Until when others wait for the check of a proof.
    alone: Option<Instant>,
    over: bool,
}

struct Member {
    starts: Duration,
    thread: Option<Thread>,
    /// Stops what it does.
    stop: Option<Stop>,
    /// Its weight at first, and after how much work of the processor it is lowered.
    first: u32,
    demoted: Duration,
    weight: u32,
    used: Duration,
    phase: Phase,
}

/// The weight of the priority of the process. Where all members have the same weight, as the rows of one engine do, nobody has to stand back.
fn largest(members: &[Member]) -> u32 {
    let mut weights = members.iter().filter(|m| m.phase != Phase::Left).map(|m| m.weight);
    match weights.next() {
        Some(weight) if weights.all(|w| w == weight) => weight,
        _ => LARGEST,
    }
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
            thread: None,
            stop: None,
            first: row.first,
            demoted: row.demoted(),
            weight: row.weight,
            used: Duration::ZERO,
            phase: Phase::Waits,
        };
        let all = [Engines::unfolding()].into_iter().chain(rows.iter().copied());
        let mut members: Vec<Member> = all.map(member).collect();
        if !begins {
            members[0].phase = Phase::Left;
        }
        let largest = largest(&members);
        let state = Mutex::new(State { members, working: 0, answers: Vec::new(), alone: None, over: false });
        Turns { jobs: jobs.max(1), largest, started: Instant::now(), state, changed: Condvar::new() }
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
            if state.alone.is_none_or(|end| Instant::now() >= end)
                && state.working < self.jobs
                && state.next(now) == Some(i)
            {
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
        let member = &mut self.lock().members[i];
        member.thread = this_thread();
        member.thread.into_iter().for_each(|thread| lower(thread, member.first, self.largest));
    }

    /// Lowers the priorities of members that have used the time for which they go ahead, until all is over.
    fn demote(&self) {
        let mut state = self.lock();
        loop {
            let now = self.started.elapsed();
            for member in state.members.iter_mut().filter(|m| m.phase != Phase::Left && m.demoted < Duration::MAX) {
                let Some(thread) = member.thread else { continue };
                // Where that cannot be told, all of the time was its own.
                if used(thread).unwrap_or(now) >= member.demoted {
                    lower(thread, member.weight, self.largest);
                    member.demoted = Duration::MAX;
                }
            }
            if state.over || state.members.iter().all(|m| m.phase == Phase::Left || m.demoted == Duration::MAX) {
                return;
            }
            state = self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A member has nothing more to do.
    fn leave(&self, i: usize) {
        self.lock().members[i].phase = Phase::Left;
        self.changed.notify_all();
    }

    /// A member has an answer, or none. One that is an answer ends the work of all.
    fn answer(&self, i: usize, name: String, validated: Validated, all: &Budget) {
        let conclusive = validated.is_conclusive();
        let mut state = self.lock();
        let at = if i == 0 { 0 } else { state.answers.len() };
        state.answers.insert(at, (name, validated));
        state.members[i].phase = Phase::Left;
        state.over |= conclusive;
        drop(state);
        if conclusive {
            all.stop.stop();
        }
        self.changed.notify_all();
    }

    /// A handle that stops what a member does from now on.
    fn stop(&self, i: usize, all: &Budget) -> Stop {
        let stop = all.stop.below();
        self.lock().members[i].stop = Some(stop.clone());
        stop
    }

    /// Checks a member's proof while nobody else works; after `until`, they work again.
    fn alone(&self, i: usize, until: Option<Instant>, check: &mut dyn FnMut() -> Validated) -> Validated {
        {
            let mut state = self.lock();
            state.alone = until;
            for (_, other) in state.members.iter().enumerate().filter(|&(j, m)| j != i && m.phase != Phase::Left) {
                other.stop.iter().for_each(Stop::stop);
                other.thread.into_iter().for_each(|thread| lower(thread, 1, LARGEST));
            }
            state.members[i].thread.into_iter().for_each(|thread| lower(thread, LARGEST, LARGEST));
        }
        let validated = check();
        let mut state = self.lock();
        state.alone = None;
        for member in state.members.iter().filter(|m| m.phase != Phase::Left) {
            member.thread.into_iter().for_each(|thread| lower(thread, member.weight, self.largest));
        }
        drop(state);
        self.changed.notify_all();
        validated
    }

    /// The answers, once all is over: when everybody has left, or a moment after there is nothing more to wait for.
    fn answers(&self, all: &Budget, wait: bool) -> Vec<Given> {
        let mut state = self.lock();
        let mut end = None;
        while state.members.iter().any(|m| m.phase != Phase::Left) {
            if !wait && (state.over || all.used_up().is_some()) {
                let end = *end.get_or_insert_with(|| Instant::now() + LEAVE);
                if Instant::now() >= end {
                    break;
                }
            }
            state = self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.over = true;
        // Whoever is left behind shall not be in the way.
        for member in state.members.iter().filter(|m| m.phase != Phase::Left) {
            member.thread.into_iter().for_each(|thread| lower(thread, 1, LARGEST));
        }
        self.changed.notify_all();
        std::mem::take(&mut state.answers)
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
        Member { starts, thread: None, stop: None, first: weight, demoted: Duration::MAX, weight, used, phase }
    }

    #[test]
    fn whoever_had_the_least_is_next() {
        use Phase::{Left, Waits, Works};
        let after = |members: Vec<Member>, now| {
            let working = members.iter().filter(|m| m.phase == Works).count();
            State { members, working, answers: Vec::new(), alone: None, over: false }.next(Duration::from_millis(now))
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

    #[test]
    fn an_engine_that_works_alone_has_the_priority_of_the_process() {
        use Phase::{Left, Waits};
        assert_eq!(largest(&[member(0, 12, 0, Left), member(0, 1, 0, Waits), member(9, 1, 0, Waits)]), 1);
        assert_eq!(largest(&[member(0, 12, 0, Waits), member(0, 1, 0, Waits)]), LARGEST);
    }
}

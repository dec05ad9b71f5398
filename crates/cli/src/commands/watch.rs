//! Ends a check that does not end by itself: at its deadline, at its limit of memory, when a solver crashes, or at Ctrl-C.
//!
//! First the engine is told to stop, which it does at its next look or when its solver gives up. If that takes too
//! long, or too much memory, this ends the process, with what is known by then.

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use lariat_engine::Stop;
use lariat_program::{Program, RegionTracer};
use lariat_smt::{Reason, crash, exit_at_once};
use lariat_term::Terms;
use lariat_verify::{Fate, Progress, Report, Verdict};

use super::{
    live::{self, INTERVAL, Live, QUIET},
    reached::Reached,
    result::{Extra, Style},
};
use crate::{
    args::{CheckArgs, Common},
    console,
    exit::Exit,
    memory::{Usage, megabytes},
    page,
    trace::View,
};

/// How late the engine may notice that its time is over.
const GRACE: Duration = Duration::from_millis(200);

/// How long an engine that was told to stop may take.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often the memory is looked at, and whether a solver has crashed: a process can take some megabytes in that time.
const POLL: Duration = Duration::from_millis(5);

/// How often a check says how far it is.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Watches one check.
#[derive(Clone)]
pub struct Watch {
    stop: Stop,
    program: Arc<Program>,
    style: Style,
    start: Instant,
    known: Arc<Mutex<Report>>,
    /// How far the check is.
    reached: Arc<Mutex<Reached>>,
    deadline: Option<Instant>,
    /// Say now and then how far the check is.
    heartbeat: bool,
    /// Show it all the time, on a terminal.
    live: Option<Arc<Live>>,
    /// Where the result is to be written as SARIF and as a page, too.
    sarif: Option<PathBuf>,
    html: Option<PathBuf>,
    /// The result is being written; whoever sets it does that.
    ended: Arc<AtomicBool>,
}

impl Watch {
    pub fn new(
        stop: Stop,
        program: Arc<Program>,
        style: Style,
        (start, deadline): (Instant, Option<Instant>),
    ) -> Watch {
        let report = Report {
            verdict: Verdict::Unknown(String::new()),
            assertions: vec![Fate::NotChecked; program.assertions.len()],
            stats: Default::default(),
            time: Duration::ZERO,
            engines: Vec::new(),
            replayed: (0, 0),
            specifications: Vec::new(),
            incidents: Vec::new(),
            certificates: Vec::new(),
            explorations: Vec::new(),
            rejected: Vec::new(),
            tracking: Vec::new(),
            contradiction: false,
            vacuous: Vec::new(),
        };
        let (known, ended) = (Arc::new(Mutex::new(report)), Arc::default());
        Watch {
            stop,
            program,
            style,
            start,
            known,
            reached: Arc::default(),
            deadline,
            heartbeat: false,
            live: None,
            sarif: None,
            html: None,
            ended,
        }
    }

    /// The same, with a live view on a terminal, or elsewhere, if more is to be said, with a line every few seconds.
    pub fn telling(self, common: &Common) -> Watch {
        let live = (!common.quiet && console::is_terminal()).then(|| Arc::new(Live::new()));
        Watch { heartbeat: common.verbose > 0 && live.is_none(), live, ..self }
    }

    /// The same, with files that are written even where the process has to be ended.
    pub fn writing(self, args: &CheckArgs) -> Watch {
        Watch { sarif: args.sarif.clone(), html: args.html.clone(), ..self }
    }

    /// The live view: time and memory, the search, the engines.
    fn view(&self, memory: u64) -> Vec<String> {
        let mut lines = vec![self.time_and_memory(memory), self.search()];
        if !self.program.regions.is_empty() {
            lines.extend(live::engines());
        }
        lines
    }

    /// One line about how far the check is.
    fn beat(&self, memory: u64) -> String {
        format!("{}: {}\n", self.time_and_memory(memory), self.search())
    }

    fn time_and_memory(&self, memory: u64) -> String {
        let seconds = self.start.elapsed().as_secs();
        let left = self.deadline.map_or(String::new(), |deadline| {
            format!(", {} s left", deadline.saturating_duration_since(Instant::now()).as_secs())
        });
        format!("{seconds} s{left}, {} MB", memory >> 20)
    }

    fn search(&self) -> String {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.program.regions.is_empty(), self.reached().bound) {
            (true, _) => "translating".to_owned(),
            (false, 0) => "preparing".to_owned(),
            (false, bound) => format!(
                "bound {bound}, {} calls and rounds explored in {} regions, {} open, {} queries",
                known.stats.expanded,
                known.stats.distinct_regions(),
                known.stats.open,
                known.stats.all_queries()
            ),
        }
    }

    /// Takes note of what is known so far.
    pub fn note(&self, p: &Progress<'_>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.stats = p.stats.clone();
        known.stats.open = p.open as u64;
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).bound = p.bound;
        known.replayed = p.replayed;
        // Whether an assertion is not reached is known at the end only.
        let fate = |f: &Fate| if *f == Fate::NotReached { Fate::NotChecked } else { *f };
        known.assertions = p.assertions.iter().map(fate).collect();
    }

    /// Stops at Ctrl-C. Without a handler, Ctrl-C ends the process, which loses only the partial result.
    pub fn interrupts(&self) {
        let this = self.clone();
        let _ = ctrlc::set_handler(move || {
            this.reached.lock().unwrap_or_else(PoisonError::into_inner).interrupted = true;
            this.stop(Reason::Interrupted, || false);
        });
    }

    /// Stops at a deadline, if the engine does not see it in time, when so many megabytes are in use, and when a solver crashes.
    pub fn limits(&self, memory: Option<u32>) {
        let (this, deadline) = (self.clone(), self.deadline);
        let watch = move || {
            let end = deadline.map(|d| d + GRACE);
            let limit = memory.map_or(u64::MAX, megabytes);
            let mut usage = Usage::default();
            let (mut last, mut drawn) = (Instant::now(), Instant::now() + QUIET);
            while !this.ended.load(Ordering::SeqCst) {
                if end.is_some_and(|end| Instant::now() >= end) {
                    return this.stop(Reason::Timeout, || false);
                }
                // Some is left for those who are about to stop, and for the report.
                if memory.is_some() && usage.now() > limit - limit / 16 {
                    return this.stop(Reason::MemoryLimit, || usage.now() > limit);
                }
                if this.heartbeat && last.elapsed() >= HEARTBEAT {
                    last = Instant::now();
                    console::print(&this.beat(usage.now()));
                }
                if let Some(live) = &this.live
                    && Instant::now() >= drawn
                {
                    drawn = Instant::now() + INTERVAL;
                    live.draw(&this.view(usage.now()));
                }
                if let Some(signal) = crash() {
                    // Nobody can be waited for: the thread that crashed may hold what the others need.
                    return this.stop(Reason::Incomplete(format!("it crashed (signal {signal})")), || true);
                }
                let left = end.map_or(POLL, |end| end.saturating_duration_since(Instant::now()));
                std::thread::sleep(left.min(POLL));
            }
        };
        // Without a thread the engine's own limits must do.
        let _ = std::thread::Builder::new().name("watch".into()).spawn(watch);
    }

    /// The check has ended by itself.
    pub fn end(&self) {
        self.live.iter().for_each(|live| live.end());
        if self.ended.swap(true, Ordering::SeqCst) {
            // The other thread is about to end the process.
            loop {
                std::thread::sleep(PATIENCE);
            }
        }
    }

    /// Tells the engine to stop, and ends the process if that takes too long or is too much to ask.
    fn stop(&self, why: Reason, mut too_much: impl FnMut() -> bool) {
        self.stop.stop_because(why.clone());
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end && !too_much() && !self.ended.load(Ordering::SeqCst) {
            std::thread::sleep(POLL);
        }
        if self.ended.swap(true, Ordering::SeqCst) {
            return;
        }
        self.live.iter().for_each(|live| live.end());
        let mut out = std::io::stdout();
        let _ = out.write_all(self.unknown(&why).as_bytes()).and_then(|()| out.flush());
        exit_at_once(Exit::Unknown.code());
    }

    /// What is known so far, with this reason why it is not more.
    pub fn unknown(&self, why: &Reason) -> String {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.verdict = Verdict::Unknown(why.to_string());
        known.time = self.start.elapsed();
        // There is no trace to show.
        let terms = Terms::new();
        let view = View { program: &self.program, terms: &terms, tracer: &RegionTracer, assumptions: None };
        let extra = Extra { reached: self.reached(), ..Extra::default() };
        // Nothing can be said about a file that cannot be written: the process ends.
        if let Some(path) = &self.sarif {
            let _ = fs::write(path, format!("{:#}\n", self.style.sarif(view, &known, &extra)));
        }
        if let Some(path) = &self.html {
            let _ = fs::write(path, page::html(view, &known, &[], &self.style.text(view, &known, &extra)));
        }
        self.style.show(view, &known, &extra)
    }

    /// How far the check is.
    pub fn reached(&self) -> Reached {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        Reached { late, ..*self.reached.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

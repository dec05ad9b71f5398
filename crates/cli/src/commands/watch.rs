//! Ends a check that does not end by itself: at its deadline, or at Ctrl-C.
//!
//! First the engine is told to stop, which it does at its next look or when its solver gives up. If
//! that takes too long, this ends the process, with what is known by then.

use std::{
    io::Write as _,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use lariat_program::Program;
use lariat_term::Terms;
use lariat_unfold::Stop;
use lariat_verify::{Fate, Progress, Report, Verdict};

use super::result::Style;
use crate::{exit::Exit, trace::View};

/// How late the engine may notice that its time is over.
const GRACE: Duration = Duration::from_millis(200);

/// How long an engine that was told to stop may take.
const PATIENCE: Duration = Duration::from_millis(700);

/// Watches one check.
#[derive(Clone)]
pub struct Watch {
    stop: Stop,
    program: Arc<Program>,
    style: Style,
    start: Instant,
    known: Arc<Mutex<Report>>,
    /// The result is being written; whoever sets it does that.
    ended: Arc<AtomicBool>,
}

impl Watch {
    pub fn new(stop: Stop, program: Arc<Program>, style: Style, start: Instant) -> Watch {
        let report = Report {
            verdict: Verdict::Unknown(String::new()),
            assertions: vec![Fate::NotChecked; program.assertions.len()],
            stats: Default::default(),
            time: Duration::ZERO,
            replayed: (0, 0),
            specifications: Vec::new(),
            incidents: Vec::new(),
        };
        let (known, ended) = (Arc::new(Mutex::new(report)), Arc::default());
        Watch { stop, program, style, start, known, ended }
    }

    /// Takes note of what is known so far.
    pub fn note(&self, p: &Progress<'_>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.stats = p.stats.clone();
        known.replayed = p.replayed;
        // Whether an assertion is not reached is known at the end only.
        let fate = |f: &Fate| if *f == Fate::NotReached { Fate::NotChecked } else { *f };
        known.assertions = p.assertions.iter().map(fate).collect();
    }

    /// Stops at Ctrl-C. Without a handler, Ctrl-C ends the process, which loses only the partial result.
    pub fn interrupts(&self) {
        let this = self.clone();
        let _ = ctrlc::set_handler(move || this.stop("interrupted"));
    }

    /// Stops at a deadline, if the engine does not see it in time.
    pub fn deadline(&self, deadline: Instant) {
        let this = self.clone();
        std::thread::spawn(move || {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()) + GRACE);
            this.stop("time limit reached");
        });
    }

    /// The check has ended by itself.
    pub fn end(&self) {
        if self.ended.swap(true, Ordering::SeqCst) {
            // The other thread is about to end the process.
            loop {
                std::thread::sleep(PATIENCE);
            }
        }
    }

    fn stop(&self, why: &str) {
        self.stop.stop();
        std::thread::sleep(PATIENCE);
        if self.ended.swap(true, Ordering::SeqCst) {
            return;
        }
        let _ = std::io::stdout().write_all(self.unknown(why).as_bytes());
        std::process::exit(i32::from(Exit::Unknown.code()));
    }

    /// What is known so far, with this reason why it is not more.
    pub fn unknown(&self, why: &str) -> String {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.verdict = Verdict::Unknown(why.into());
        known.time = self.start.elapsed();
        // There is no trace to show.
        let view = View { program: &self.program, terms: &Terms::new(), legend: None };
        self.style.show(view, &known, &[])
    }
}

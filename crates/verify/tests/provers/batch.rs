//! Many programs, some of them in each child process: a solver that is interrupted leaks, and one that crashes takes its
//! process with it.

use std::{
    collections::BTreeMap,
    ops::Range,
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    compare::{Effort, compare},
    generator::{Arithmetic, Source, program},
};

/// Programs that a child process is given.
const BATCH: u64 = 20;
/// For how long a program with a defect is made smaller.
const SHRINK: Duration = Duration::from_secs(30);
/// How long a child may take for a program, also on a busy machine. An engine that goes on longer has missed its deadline.
const LATE: Duration = Duration::from_secs(300);

/// What came out of all programs: how often it was what, and who proved and refuted how many.
#[derive(Default, Debug)]
pub struct Totals {
    pub kinds: BTreeMap<String, u32>,
    pub proved: BTreeMap<String, u32>,
    pub refuted: BTreeMap<String, u32>,
    /// What was wrong, with seeds and programs.
    pub defects: Vec<String>,
}

/// Compares the answers on the programs of these seeds, and prints one line for each, and defects.
pub fn child(seeds: Range<u64>, effort: Effort) {
    let done = Arc::new(AtomicU64::new(0));
    let watched = done.clone();
    std::thread::spawn(move || {
        loop {
            let before = watched.load(Ordering::Relaxed);
            let start = Instant::now();
            while watched.load(Ordering::Relaxed) == before {
                if start.elapsed() > LATE {
                    eprintln!("there is no answer after {} s", LATE.as_secs());
                    // The parent asks again, and takes it for a defect then.
                    std::process::abort();
                }
                std::thread::sleep(Duration::from_millis(200));
            }
        }
    });
    for seed in seeds {
        println!("\nseed {seed}");
        let source = program(seed);
        let results = compare(&source.text(), seed, effort);
        let fails = !results.failing.is_empty() || !results.refuted.is_empty();
        let kinds = [
            ("integers", source.arithmetic() == Arithmetic::Integers),
            ("proved", !results.proved.is_empty()),
            ("proved and all inputs tried", results.exhausted),
            ("failing", fails),
            ("undecided", results.proved.is_empty() && !fails),
        ];
        kinds.iter().filter(|k| k.1).for_each(|k| println!("is {}", k.0));
        results.proved.iter().for_each(|p| println!("proved by {p}"));
        results.refuted.iter().for_each(|p| println!("refuted by {p}"));
        if !results.defects.is_empty() {
            let small = shrunk(source, seed, effort).text();
            println!("defect {}\n{small}", results.defects.join("; "));
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    println!("\ndone");
}

/// Deletes statements as long as the program has a defect of the same kind.
fn shrunk(mut source: Source, seed: u64, effort: Effort) -> Source {
    let until = Instant::now() + SHRINK;
    let kind = |text: &str| -> Option<String> {
        let defects = compare(text, seed, effort).defects;
        defects.into_iter().next().map(|d| d.chars().filter(|c| !c.is_ascii_digit()).collect())
    };
    let wanted = kind(&source.text());
    'again: while wanted.is_some() {
        for smaller in source.smaller() {
            if Instant::now() > until {
                break 'again;
            }
            if kind(&smaller.text()) == wanted {
                source = smaller;
                continue 'again;
            }
        }
        break;
    }
    source
}

/// Lets children compare the answers on the programs of these seeds; `command` makes the one for some of them.
pub fn parent(seeds: Range<u64>, threads: u64, command: &(dyn Fn(Range<u64>) -> Command + Sync)) -> Totals {
    let (totals, next) = (Mutex::new(Totals::default()), AtomicU64::new(seeds.start));
    let work = || {
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= seeds.end {
                return;
            }
            let mut batch = start..seeds.end.min(start + BATCH);
            let mut crashed = None;
            while let Ok(done) = run(command(batch.clone()), &totals) {
                // A solver's crash is no answer. Whatever crashes again is a defect.
                let Some(Crash { seed, how }) = done else { break };
                println!("seed {seed}: {how}");
                if crashed == Some(seed) {
                    totals.lock().expect("no thread panics").defects.push(format!("seed {seed}: {how}"));
                    batch.start = seed + 1;
                } else {
                    batch.start = seed;
                }
                crashed = Some(seed);
                if batch.is_empty() {
                    break;
                }
            }
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    totals.into_inner().expect("no thread panicked")
}

/// A child that did not come to its end.
struct Crash {
    seed: u64,
    how: String,
}

/// Runs a child and adds what it printed; `Err` if there is no going on.
fn run(mut command: Command, totals: &Mutex<Totals>) -> Result<Option<Crash>, ()> {
    let done = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let mut totals = totals.lock().expect("no thread panics");
    let done = done.map_err(|error| totals.defects.push(error.to_string()))?;
    let said = String::from_utf8_lossy(&done.stdout);
    totals.add(&said);
    if said.contains("\ndone\n") {
        return Ok(None);
    }
    let how = format!("{}\n{}", done.status, String::from_utf8_lossy(&done.stderr));
    let seed = said.lines().rev().find_map(|l| l.strip_prefix("seed ")?.parse().ok());
    // A panic is a defect of ours.
    match seed {
        Some(seed) if done.status.code().is_none() => Ok(Some(Crash { seed, how })),
        _ => {
            totals.defects.push(format!("seed {seed:?}: {how}"));
            Err(())
        }
    }
}

impl Totals {
    /// Adds what a child printed.
    fn add(&mut self, said: &str) {
        for program in said.split("\nseed ").skip(1) {
            let (seed, rest) = program.split_once('\n').unwrap_or((program, ""));
            for line in rest.lines() {
                let counted =
                    [("is ", &mut self.kinds), ("proved by ", &mut self.proved), ("refuted by ", &mut self.refuted)];
                for (mark, counts) in counted {
                    if let Some(what) = line.strip_prefix(mark) {
                        *counts.entry(what.to_owned()).or_default() += 1;
                    }
                }
            }
            if let Some((_, defect)) = rest.split_once("defect ") {
                let defect = format!("seed {seed}: {}", defect.trim_end().trim_end_matches("done"));
                println!("{defect}");
                self.defects.push(defect);
            }
        }
    }
}

//! Speed of the front end without clang: from bitcode to a program of regions.
//!
//! ```text
//! cargo bench -p lariat-llvm --bench frontend [-- [-m32] FILE.c …]
//! ```
//!
//! Measures generated programs of different sizes, which shows that time grows with size, and the given files. Per
//! program: the best time of each stage, and the instructions of LLVM per second of all of them. Time is that of the
//! processor, so that other work on the machine does not count.

// The clock that counts processor time is one of the C library.
#![allow(unsafe_code)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lariat_llvm::driver::Clang;
use lariat_llvm::memory::Memory;
use lariat_llvm::read;
use lariat_llvm::translate::{Options, Properties, reachable, translate};
use lariat_term::Terms;

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!(
        "{:<32} {:>7} {:>12} {:>10} {:>10} {:>10} {:>10} {:>14}",
        "program", "lines", "instructions", "read", "memory", "translate", "all", "instructions/s"
    );
    for lines in [1_000, 5_000, 20_000] {
        let path = directory.path().join(format!("generated-{lines}.c"));
        std::fs::write(&path, generated(lines)).expect("a new file");
        measure(&path, directory.path(), &[]);
    }
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let (flags, files): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|a| a.starts_with('-'));
    for file in files {
        measure(Path::new(file), directory.path(), &flags);
    }
}

/// A program of about so many lines: records, lists, tables, pointers, loops and calls.
fn generated(lines: usize) -> String {
    const HEAD: &str = include_str!("../../../benches/c/generated/head.c");
    const STEP: &str = include_str!("../../../benches/c/generated/step.c");
    const MAIN: &str = include_str!("../../../benches/c/generated/main.c");
    let count = (lines / STEP.lines().count()).max(1);
    let mut text = String::from(HEAD);
    for i in 0..count {
        let callee = if i == 0 { "x".to_string() } else { format!("step{}(n, x - 1)", i - 1) };
        text.push_str(&STEP.replace("@I@", &i.to_string()).replace("@CALLEE@", &callee));
    }
    text + &MAIN.replace("@LAST@", &(count - 1).to_string())
}

fn measure(path: &Path, directory: &Path, flags: &[&String]) {
    let output = directory.join("out.bc");
    let clang = Clang::find().expect("clang");
    let status = Command::new(clang.path())
        .args(["-g", "-w", "-O1", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers"])
        .args(["-Wno-error=incompatible-function-pointer-types", "-Wno-error=int-conversion"])
        .args(["-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=return-mismatch"])
        .args(["-emit-llvm", "-c", "-o"])
        .args([&output, path])
        .args(flags)
        .status()
        .expect("clang runs");
    assert!(status.success(), "{} does not compile", path.display());
    let lines = std::fs::read_to_string(path).map_or(0, |text| text.lines().count());
    let bytes = std::fs::read(&output).expect("clang's output");
    let (mut best, mut insts) = ([Duration::MAX; 3], 0);
    let options = Options {
        entries: vec!["main".into()],
        properties: Properties::assert(),
        malloc_may_fail: false,
        volatile_input: false,
        registers: Vec::new(),
        undefined: lariat_llvm::translate::Undefined::Any,
    };
    for _ in 0..3 {
        let mut times = [Duration::ZERO; 3];
        let module = timed(&mut times[0], || read::module(&bytes, "bench").expect("a valid module"));
        let main = module.function("main").expect("a program with `main`");
        let (reached, memory) = timed(&mut times[1], || {
            let reached = reachable(&module, &[main]);
            let memory = Memory::new(&module, &reached);
            (reached, memory)
        });
        let mut terms = Terms::new();
        let translated = timed(&mut times[2], || translate(&module, &memory, &reached, &mut terms, &options));
        assert!(translated.is_ok(), "{} cannot be translated", path.display());
        best.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
        insts = module.functions.iter().map(|f| f.insts.len()).sum::<usize>();
    }
    let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    let all: Duration = best.iter().sum();
    let speed = insts as f64 / all.as_secs_f64();
    let [read, memory, translate] = best;
    println!(
        "{name:<32} {lines:>7} {insts:>12} {read:>10.1?} {memory:>10.1?} {translate:>10.1?} {all:>10.1?} {speed:>14.0}"
    );
}

fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = processor_time();
    let result = work();
    *time = processor_time() - start;
    result
}

/// What this process has used of the processor so far.
fn processor_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes to our variable only.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

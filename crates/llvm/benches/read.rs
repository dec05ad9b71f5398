//! Speed of the reader: from bitcode to a module of ours.
//!
//! ```text
//! cargo bench -p lariat-llvm --bench read [-- FILE.c …]
//! ```
//!
//! Measures generated programs of different sizes, which shows that time grows with size, and the given files. Per
//! program: the best time of the reader (LLVM's part included) and the instructions that makes per second. Time is
//! that of the processor, so that other work on the machine does not count.

// The clock that counts processor time is one of the C library.
#![allow(unsafe_code)]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lariat_llvm::driver::Clang;
use lariat_llvm::read;

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!("{:<40} {:>12} {:>10} {:>14}", "program", "instructions", "read", "instructions/s");
    for functions in [10, 100, 1_000, 10_000] {
        let path = directory.path().join(format!("generated-{functions}.c"));
        std::fs::write(&path, generated(functions)).expect("a new file");
        measure(&path, directory.path());
    }
    for argument in std::env::args().skip(1).filter(|a| !a.starts_with("--")) {
        measure(Path::new(&argument), directory.path());
    }
}

/// A program of about ten lines per function.
fn generated(functions: usize) -> String {
    let mut text = String::from("struct node { int value; struct node *next; char name[16]; };\nint table[64];\n");
    for i in 0..functions {
        write!(
            text,
            "int f{i}(struct node *n, int x) {{\n  int sum = {i};\n  for (int i = 0; i < x; i++) {{\n    \
             if (n && n->value > table[i & 63])\n      sum += n->name[i % 16] * {i};\n    else\n      sum -= x;\n  }}\n  \
             return sum;\n}}\n"
        )
        .expect("a string takes everything");
    }
    text
}

fn measure(path: &Path, directory: &Path) {
    let output = directory.join("out.bc");
    let clang = Clang::find().expect("clang");
    let status = Command::new(clang.path())
        .args(["-g", "-w", "-O0", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o"])
        .args([&output, path])
        .status()
        .expect("clang runs");
    assert!(status.success(), "{} does not compile", path.display());
    let bytes = std::fs::read(&output).expect("clang's output");
    let mut best = Duration::MAX;
    let mut insts = 0;
    for _ in 0..5 {
        let start = processor_time();
        let module = read::module(&bytes, "bench").expect("a valid module");
        best = best.min(processor_time() - start);
        insts = module.functions.iter().map(|f| f.insts.len()).sum::<usize>();
    }
    let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    let speed = insts as f64 / best.as_secs_f64();
    println!("{name:<40} {insts:>12} {best:>10.1?} {speed:>14.0}");
}

/// What this process has used of the processor so far.
fn processor_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes to our variable only.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

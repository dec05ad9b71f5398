//! The `lariat` command line: parse the arguments, run the command, end with its exit code.
//!
//! Each step is a short file: `args` says what can be asked for, `load` reads the input files and
//! runs the front end, `diag` shows what is wrong with them, `commands` has one file a command,
//! and `exit` is the one place where exit codes are decided.

mod annotate;
mod args;
mod brief;
mod c;
mod commands;
mod config;
mod console;
mod diag;
mod exit;
mod expr;
mod flags;
mod formula;
mod harness;
mod inputs;
mod load;
mod memory;
mod page;
mod sarif;
mod sha256;
mod source_trace;
mod stdin;
mod trace;
mod witness;

use std::{io::Write, thread};

use clap::Parser;

use exit::Exit;

/// For LLVM and the solver, too: terms, states and instructions are many small objects.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Lariat itself does not recurse without bound, but solvers do: over chains of writes, one for each round of a loop.
/// Memory that is not used is not taken.
const STACK: usize = 1 << 30;

fn main() {
    let large = thread::Builder::new().name("main".into()).stack_size(STACK);
    let exit = match large.spawn(run).map(thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // It has said why.
        Ok(Err(_)) => Exit::Internal,
        // Without so much address space it must do with less.
        Err(_) => run(),
    };
    // Engines that were left behind may still be in a solver's code, which must not be cleared away under them.
    let _ = std::io::stdout().flush();
    lariat_smt::exit_at_once(exit.code())
}

fn run() -> Exit {
    let arguments = match config::with_defaults(flags::rewrite(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(message) => {
            console::print(&format!("error: {message}\n"));
            return Exit::Usage;
        }
    };
    match args::Args::try_parse_from(arguments) {
        Ok(args) => commands::run(args),
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Success };
            // Nothing can be done if the terminal is gone.
            let _ = error.print();
            exit
        }
    }
}

//! The `lariat` command line: parse the arguments, run the command, end with its exit code.
//!
//! Each step is a short file: `args` says what can be asked for, `load` reads the input files and
//! runs the front end, `diag` shows what is wrong with them, `commands` has one file a command,
//! and `exit` is the one place where exit codes are decided.

mod args;
mod c;
mod commands;
mod diag;
mod exit;
mod expr;
mod inputs;
mod load;
mod story;
mod trace;

use std::process::ExitCode;

use clap::Parser;

use exit::Exit;

fn main() -> ExitCode {
    match args::Args::try_parse() {
        Ok(args) => commands::run(args).into(),
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Success };
            // Nothing can be done if the terminal is gone.
            let _ = error.print();
            exit.into()
        }
    }
}

//! One file a command; this one picks the command and stands guard over panics.

mod check;
mod engines;
mod houdini;
mod incidents;
mod live;
mod lsp;
mod native;
mod options;
mod parse;
mod predicates;
mod reached;
mod result;
mod run;
mod show;
mod solvers;
mod specs;
mod stats;
mod summarize;
mod verify_certificate;
mod watch;

use std::io::Write as _;

use clap::CommandFactory;

use crate::{
    args::{Args, Command},
    config,
    diag::Reporter,
    exit::Exit,
};

/// Runs what the command line asks for. A panic is a defect of Lariat; it is reported as such and
/// never as a result.
pub fn run(args: Args) -> Exit {
    let reporter = Reporter::new(&args.common);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| dispatch(&args, &reporter)));
    outcome.unwrap_or_else(|_| {
        reporter.error_with_hint("internal error: Lariat failed on this input", "please report it with the input file");
        Exit::Internal
    })
}

fn dispatch(args: &Args, reporter: &Reporter) -> Exit {
    match &args.command {
        Command::Check(check) => check::run(check, &args.common, reporter, false),
        Command::Replay(check) => check::run(check, &args.common, reporter, true),
        Command::VerifyCertificate(verify) => verify_certificate::run(verify, reporter),
        Command::Summarize(summarize) => summarize::run(summarize, reporter),
        Command::Houdini(houdini) => houdini::run(houdini, reporter),
        Command::Parse(parse) => parse::run(parse, reporter),
        Command::Show(show) => show::run(show, reporter),
        Command::Run(run) => run::run(run, &args.common, reporter),
        Command::Init => init(reporter),
        Command::Lsp(args) => lsp::run(args),
        Command::Engines => engines::run(reporter),
        Command::Solvers => solvers::run(reporter),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "lariat", &mut script);
            reporter.write(&script)
        }
        Command::Man { command } => man(command.as_deref(), reporter),
    }
}

/// Writes a file with defaults, never over another one.
fn init(reporter: &Reporter) -> Exit {
    let written = std::fs::OpenOptions::new().write(true).create_new(true).open(config::NAME);
    match written.and_then(|mut file| file.write_all(config::TEMPLATE.as_bytes())) {
        Ok(()) => Exit::Success,
        Err(error) => {
            reporter.error(&format!("cannot write {}: {error}", config::NAME));
            Exit::Input
        }
    }
}

fn man(command: Option<&str>, reporter: &Reporter) -> Exit {
    let mut root = Args::command();
    root.build();
    let page = match command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(sub) => sub.clone(),
            None => {
                reporter.error(&format!("there is no command `{name}`"));
                return Exit::Usage;
            }
        },
    };
    let mut text = Vec::new();
    match clap_mangen::Man::new(page).render(&mut text) {
        Ok(()) => reporter.write(&text),
        Err(error) => {
            reporter.error(&format!("cannot render the manual page: {error}"));
            Exit::Internal
        }
    }
}

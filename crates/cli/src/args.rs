//! What can be asked for on the command line.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use lariat_smt::solvers;
use lariat_verify::{Engines, Track};

mod input;

pub use input::{CInput, Input, Language, Lib, Model, Modifies, Undefined, Volatile};

const EXIT_CODES: &str = "\
Exit codes:
  0   safe: no execution can fail; other commands: done
  1   the command line is wrong
  2   the input is wrong (a diagnostic says where)
  3   internal error
  10  unsafe: an assertion fails
  11  bounded: no assertion fails within the bound
  12  unknown: no answer: a limit was reached, or something is not supported";

/// Lariat decides whether an assertion in a program can fail.
///
/// It reads C programs (.c, .i, and LLVM IR: .ll, .bc), Boogie programs (.bpl) and its own textual
/// program form (.lir).
#[derive(Parser, Debug)]
#[command(name = "lariat", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(ClapArgs, Debug, Clone)]
pub struct Common {
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,

    /// Say more (repeat for still more)
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,

    /// Say only what was asked for: no warnings, no notes
    #[arg(short, long, conflicts_with = "verbose", global = true)]
    pub quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Even where the output is no terminal
    Always,
    /// Not at all
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether an assertion can fail
    ///
    /// The last line of the output is the verdict: `safe` (no execution fails, whatever its length),
    /// `unsafe` (an assertion fails; the trace was replayed by the interpreter), `bounded` (no
    /// execution fails that stays within the bound; the loops and calls that were cut are named) or
    /// `unknown` (and why).
    Check(CheckArgs),

    /// Check a C program as `check` does, and run it natively on the inputs of the failure that is found
    ///
    /// Builds the program together with a C file that supplies the reported inputs, with the sanitizers of clang or gcc where
    /// they are installed, and runs it: the failure is `confirmed by execution`, or what happened instead is said.
    Replay(CheckArgs),

    /// Check that a certificate proves a program, without any engine (exit code 0 if it does, 10 if not)
    VerifyCertificate(VerifyCertificateArgs),

    /// Print a program with the loop invariants of its proof
    ///
    /// Looks for a proof as `check` does, and prints the source with what the proof needs at each loop: checked, and no more than
    /// is needed. What cannot be told in the source's language is left out, and said. In Boogie, procedures that are called are marked for inlining, so
    /// that modular verification knows what they do.
    Summarize(SummarizeArgs),

    /// Find the largest set of `{:existential}` constants of a Boogie program that may be true (Houdini)
    ///
    /// Such a constant stands before clauses of contracts and invariants, as in `ensures b ==> x > 0`. Procedures are checked one by one;
    /// a constant before a clause that does not hold becomes false. Prints the assignment and the assertions that fail with it (exit code 10 if there are any).
    Houdini(HoudiniArgs),

    /// Check that programs are well-formed
    ///
    /// Reads, resolves, type-checks and translates the files as one program. Silent if all is well;
    /// otherwise shows what is wrong, with its place in the source, and exits with code 2.
    Parse(ParseArgs),

    /// Show a program in one of its forms
    ///
    /// `bpl` is the program as Boogie text; `ir` is the translated program, which every command
    /// reads as a .lir file; `regions` lists procedures and the loops inside them with their sizes;
    /// `dot` is the graph of regions and boxes for Graphviz; `art` is the abstract reachability tree that predicate
    /// abstraction explores, with the traces that were refuted, for Graphviz.
    Show(ShowArgs),

    /// Execute a program concretely
    ///
    /// Runs the entry procedure, choosing a value wherever the program leaves one open: from
    /// --inputs while it lasts, then pseudo-random from --seed. Prints the trace, or the assertion
    /// that failed (exit code 10). An execution that an assume statement blocks ends normally.
    #[command(after_help = INPUTS_HELP)]
    Run(RunArgs),

    /// Write a file with defaults for the programs in this folder (.lariat.toml), unless there is one
    Init,

    /// Be a language server for editors, over standard input and output
    ///
    /// Checks C and Boogie files when they are opened and saved, as `check` does: failures are diagnostics with the trace as related
    /// information, loop invariants of a proof are inlay hints, and a code action replays a failure natively (docs/editors.md).
    Lsp(LspArgs),

    /// List the engines, with what each does
    Engines,

    /// List the SMT solvers that are there, with their versions
    Solvers,

    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },

    /// Print the manual page of lariat or of one of its commands
    Man {
        /// The command; without it, lariat's own page
        command: Option<String>,
    },
}

const INPUTS_HELP: &str = "\
Inputs file:
  {
    \"initial\": { \"x\": 5, \"m\": { \"default\": 0, \"entries\": [[1, 7]] } },
    \"havoc\":   [ 3, true, \"0x1f\" ],
    \"choices\": [ 0, 1 ]
  }
  initial  values of globals, constants and parameters of the entry, by name
  havoc    values for havoc and uninitialised variables, in the order of their use
  choices  which target each nondeterministic goto takes, in order, counted from 0
  All parts are optional. Integers may be strings (any size), reals \"1/3\", bit-vectors
  numbers or \"0x..\" strings, floats their bits in the same way, rounding modes \"RNE\" and
  so on, datatypes {\"Cons\": [1, \"Nil\"]}, elements of other types their number.";

/// The input files and how to read them.
#[derive(ClapArgs, Debug)]
pub struct VerifyCertificateArgs {
    /// What `lariat check --certificate` wrote
    #[arg(value_name = "CERTIFICATE")]
    pub certificate_file: PathBuf,

    #[command(flatten)]
    pub check: CheckArgs,
}

#[derive(ClapArgs, Debug)]
pub struct LspArgs {
    /// Further arguments of each check: options of `lariat check`, and files that belong to the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    pub arguments: Vec<std::ffi::OsString>,
}

#[derive(ClapArgs, Debug)]
pub struct SummarizeArgs {
    /// How invariants are written [default: contracts for Boogie, invariants for C]
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<ContractForm>,

    #[command(flatten)]
    pub check: CheckArgs,
}

#[derive(ClapArgs, Debug)]
pub struct HoudiniArgs {
    /// Give up after this time (as 500ms, 60s, 5m; 0 for never)
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub timeout: Duration,

    /// The solver: `auto`, `z3`, `cvc5`, …
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub solver: String,

    /// Replace calls by the bodies of what is called, so many levels deep
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub inline_depth: u32,

    #[command(flatten)]
    pub input: Input,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContractForm {
    /// `invariant` clauses of Boogie
    Contracts,
    /// `__LARIAT_invariant`, as `check` reads it
    Invariants,
    /// ACSL comments
    Acsl,
    /// Assertions at the beginning of loop bodies
    Asserts,
}

#[derive(ClapArgs, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: Input,

    /// The procedure to start in (repeatable; `*` stands for any text)
    /// [default: the only one marked {:entrypoint}, or the only one, or `main`; with --modular all]
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,

    /// Loops and recursive calls are followed at most N deep [default: without limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub bound: Option<u32>,

    /// The unfolding gives up after N queries (0: where it would ask the first one)
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub queries: Option<u64>,

    /// Give up after this time (as 500ms, 60s, 5m; 0 for never)
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub timeout: Duration,

    /// Give up when this much memory is used, in megabytes (0 for no limit) [default: three quarters of what is free]
    #[arg(long, value_name = "MB")]
    pub memory: Option<u32>,

    /// The engines that may answer, with commas between them (`lariat engines` lists them), or all of them: portfolio
    #[arg(long, value_name = "NAME,…", default_value = "portfolio", value_parser = engines)]
    pub engine: Engines,

    /// How many engines may work at a time [default: all]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// What bit-vectors are while the program is unfolded
    #[arg(long, value_name = "KIND", default_value = "bv")]
    pub arith: ArithName,

    /// How to choose which calls and loops to look into next
    #[arg(long, value_name = "NAME", default_value = "stratified")]
    pub strategy: Strategy,

    /// How `--strategy inertial` finds its minimal sets
    #[arg(long, value_name = "NAME", default_value = "cheapest", hide_short_help = true)]
    pub mcs: Mcs,

    /// Which globals variable abstraction tracks at first: auto (those that the assertions read), all (no abstraction), none, or
    /// names with commas between them, in which `*` stands for any text; with none and names, only variable abstraction answers
    #[arg(long, value_name = "auto|all|none|NAME,…", default_value = "auto", value_parser = track)]
    pub track: Track,

    /// How variable abstraction finds out which variables refute a spurious counterexample
    #[arg(long, value_name = "NAME", default_value = "vcrefine", hide_short_help = true)]
    pub minimizer: MinimizerName,

    /// The solver: auto (Z3, as each query needs it), z3 (as it is), cvc5, or smtlib:COMMAND
    #[arg(long, value_name = "SOLVER", default_value = "auto", value_parser = solver)]
    pub solver: String,

    /// Give the engines the program as it is, with what no assertion depends on
    #[arg(long)]
    pub no_reduce: bool,

    /// Check the program against the rules of its form after every pass; a broken one is an internal error
    #[arg(long)]
    pub paranoid: bool,

    /// Give each assertion its own verdict
    #[arg(long, conflicts_with = "assertion")]
    pub all_assertions: bool,

    /// Check only the assertion with this number (#3) or on this line (17)
    #[arg(long, value_name = "#ID|LINE")]
    pub assertion: Option<String>,

    /// What counts as a failure
    #[arg(long, value_name = "WHAT", default_value = "assertions", conflicts_with = "assertion")]
    pub target: TargetKind,

    /// How much of a trace to print
    #[arg(long, value_name = "WHAT", default_value = "brief")]
    pub trace: Trace,

    /// Where to describe counterexamples that do not replay [default: lariat-incidents in the
    /// system's folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub incidents: Option<PathBuf>,

    /// Write the proof of a safe program as a certificate, checked, to this file
    #[arg(long, value_name = "FILE", conflicts_with = "all_assertions")]
    pub certificate: Option<PathBuf>,

    /// Have the certificate checked with another solver, too (cvc5, or smtlib:COMMAND)
    #[arg(long, value_name = "SOLVER", value_parser = solver)]
    pub second_opinion: Option<String>,

    /// For C: write a harness with the inputs of the failure to this folder, build it with the program and run it natively
    #[arg(long, value_name = "DIR")]
    pub harness: Option<PathBuf>,

    /// Write the result as SARIF 2.1.0 to this file, too
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// For C: write a verification witness to this file: a violation, or loop invariants. Format 2.0 (YAML); format 1.0 if the name ends in .graphml
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Write the result as a page of HTML to this file, too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// The form of the result
    #[arg(long, default_value = "text")]
    pub format: Format,

    /// Print counters
    #[arg(long)]
    pub stats: bool,

    /// Print the loop invariants of a proof, as far as they can be told in terms of the source
    #[arg(long)]
    pub show_invariants: bool,

    /// Print what `--strategy infer` used of each call
    #[arg(long)]
    pub show_specs: bool,

    #[command(flatten)]
    pub predicates: PredicateArgs,
}

/// How predicate abstraction works, and what it shows.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Predicate abstraction (--engine predicate)")]
pub struct PredicateArgs {
    /// Track these predicates from the start (what `--save-predicates` wrote for another version of the program)
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Write the predicates that were tracked to this file
    #[arg(long, value_name = "FILE")]
    pub save_predicates: Option<PathBuf>,

    /// Print the source with the predicates that are tracked at each place
    #[arg(long)]
    pub show_predicates: bool,

    /// Where a new predicate is tracked
    #[arg(long, value_name = "SCOPE", default_value = "local", hide_short_help = true)]
    pub predicate_scope: PredicateScope,

    /// Where there are abstract states
    #[arg(long, value_name = "BLOCKS", default_value = "large", hide_short_help = true)]
    pub predicate_blocks: PredicateBlocks,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateBlocks {
    /// At loop heads, after loops, and where recursive procedures are entered and return
    Large,
    /// At each statement
    Statements,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateScope {
    /// Where the interpolant put it
    Local,
    /// At all places that have its variables, for comparison
    Global,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithName {
    /// Bit-vectors
    Bv,
    /// Integers with explicit wrap-around; bugs are replayed on the bit-vectors
    Int,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Expand the calls on the path that the solver proposes; raise the bound step by step
    Stratified,
    /// Expand everything within the bound before asking
    Eager,
    /// Expand every call and loop that the error condition mentions
    Naive,
    /// Expand one call or loop that matters to the solver's model
    Dcr,
    /// Expand all calls and loops that matter to the solver's model
    #[value(name = "dcr+")]
    DcrPlus,
    /// Expand only a minimal set without which there can be no error
    Inertial,
    /// Take from each call only the part that refutes what the solver's model claims of it
    Infer,
    /// Expand everything where that is little; else step by step, by what gets on
    Auto,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mcs {
    /// The first one, trying one call or loop at a time
    Linear,
    /// The first one, asking for any that can be left out at once
    Clause,
    /// The cheapest of some that are found so, by the size of what is in them
    Cheapest,
    /// The cheapest of all, by the solver's weighted MaxSAT
    Maxsat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinimizerName {
    /// One variable after the other
    Linear,
    /// Divide and conquer, each question with a new formula
    Hrefine,
    /// Divide and conquer, all questions with one formula
    Vcrefine,
    /// All of them, to compare what they do (in the JSON); the last one decides
    Each,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetKind {
    /// An assertion, precondition, postcondition or invariant that does not hold
    Assertions,
    /// The end of the entry procedure is reached
    Exit,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people
    Text,
    /// For programs; the fields are in docs/json.md
    Json,
    /// For editors and code hosts: SARIF 2.1.0
    Sarif,
}

/// Whoever means longer than this means `0`.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| "expected a number and a unit, as in 60s".to_owned())?;
    let time = match &text[digits..] {
        "ms" => Duration::from_millis(number),
        "" | "s" => Duration::from_secs(number),
        "m" => Duration::from_secs(number.saturating_mul(60)),
        "h" => Duration::from_secs(number.saturating_mul(3600)),
        unit => return Err(format!("unknown unit `{unit}`; there are ms, s, m and h")),
    };
    if time > LONGEST { Err("at most 100 years, or 0 for never".into()) } else { Ok(time) }
}

fn engines(text: &str) -> Result<Engines, String> {
    if text == "portfolio" {
        return Ok(Engines::Portfolio);
    }
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    Engines::named(&names).map_err(|unknown| {
        let all: Vec<&str> = lariat_verify::engines().iter().map(|engine| engine.name()).collect();
        format!("there is no engine `{unknown}`; there are portfolio, {}", all.join(", "))
    })
}

fn track(text: &str) -> Result<Track, String> {
    Ok(match text {
        "auto" => Track::Auto,
        "all" => Track::All,
        "none" => Track::None,
        names => {
            let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
            if names.iter().any(String::is_empty) {
                return Err("expected auto, all, none, or names of globals with commas between them".into());
            }
            Track::Names(names)
        }
    })
}

fn solver(text: &str) -> Result<String, String> {
    if solvers::is_name(text) { Ok(text.into()) } else { Err("there are auto, z3, cvc5 and smtlib:COMMAND".into()) }
}

#[derive(ClapArgs, Debug)]
pub struct ParseArgs {
    #[command(flatten)]
    pub input: Input,
}

#[derive(ClapArgs, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    pub input: Input,

    /// The form [default: bpl; for C: ir]
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,

    /// Show what is left for the engines: what no assertion depends on is left out (not bpl)
    #[arg(long)]
    pub reduced: bool,

    /// Leave out source positions (ir only)
    #[arg(long)]
    pub no_locations: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Pretty-printed Boogie
    Bpl,
    /// The translated program as text
    Ir,
    /// The tree of regions
    Regions,
    /// The graph of regions and boxes
    Dot,
    /// The abstract reachability tree of predicate abstraction, for Graphviz
    Art,
}

#[derive(ClapArgs, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: Input,

    /// The procedure to start in [default: the only one marked {:entrypoint}, or the only one, or `main`]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Seed of the pseudo-random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Values to use first
    #[arg(long, value_name = "FILE.json")]
    pub inputs: Option<PathBuf>,

    /// Stop after so many statements
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,

    /// How much of the trace to print
    #[arg(long, value_name = "WHAT", default_value = "changes")]
    pub trace: Trace,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    /// Only how the execution ended
    None,
    /// Calls and changed variables, as much as fits on one screen
    Brief,
    /// Calls and changed variables
    Changes,
    /// Every statement
    Full,
}

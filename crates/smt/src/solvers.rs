//! Which solvers there are, and opening one by name.

use std::path::{Path, PathBuf};

use crate::{Command, LazyArrays, Logic, ProcessSolver, Solver, SolverError, Z3Solver, z3_version};

/// How a solver is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    /// Linked in.
    Linked,
    /// A program.
    Process,
}

/// A solver that can be used on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverInfo {
    /// What [`open`] takes.
    pub name: String,
    /// How it is reached.
    pub kind: SolverKind,
    /// Its version; empty if it does not say.
    pub version: String,
    /// Where its program is.
    pub path: Option<PathBuf>,
}

/// The solvers that are there.
///
/// ```
/// let all = lariat_smt::solvers::detect();
/// assert_eq!(all[0].name, "z3");
/// assert!(!all[0].version.is_empty());
/// ```
pub fn detect() -> Vec<SolverInfo> {
    let mut all = vec![SolverInfo { name: "z3".into(), kind: SolverKind::Linked, version: z3_version(), path: None }];
    for (program, command) in [("z3", Command::z3 as fn(&str) -> Command), ("cvc5", Command::cvc5)] {
        let Some(path) = find(program) else { continue };
        // A program of that name that does not behave like a solver is none.
        let Ok(solver) = ProcessSolver::new(command(&path.to_string_lossy()), None) else { continue };
        let name = if program == "z3" { format!("smtlib:{} -in -smt2", path.display()) } else { program.into() };
        all.push(SolverInfo { name, kind: SolverKind::Process, version: solver.version().into(), path: Some(path) });
    }
    all
}

/// Opens a solver: `auto` ([`LazyArrays`]: the linked Z3 as the query needs it; the logic is found by
/// itself), `z3` (linked in, as it is), `cvc5`, or `smtlib:COMMAND ARGUMENT…` for any program that reads
/// SMT-LIB from its standard input.
///
/// ```
/// assert_eq!(lariat_smt::solvers::open("z3", None)?.name(), "z3");
/// assert_eq!(lariat_smt::solvers::open("auto", None)?.name(), "z3");
/// assert!(lariat_smt::solvers::open("smtlib:no-such-solver", None).is_err());
/// assert!(lariat_smt::solvers::open("best", None).is_err());
/// # Ok::<(), lariat_smt::SolverError>(())
/// ```
pub fn open(spec: &str, logic: Option<Logic>) -> Result<Box<dyn Solver>, SolverError> {
    match spec {
        "auto" => Ok(Box::new(LazyArrays::new()?)),
        "z3" => Ok(Box::new(Z3Solver::new(logic)?)),
        _ => {
            let unknown = || {
                let what = format!("`{spec}`: a solver is `auto`, `z3`, `cvc5` or `smtlib:COMMAND`");
                SolverError::Unsupported { solver: "Lariat".into(), what }
            };
            Ok(Box::new(ProcessSolver::new(command(spec).ok_or_else(unknown)?, logic)?))
        }
    }
}

/// Does a text say what [`open`] is to open? That does not mean that it is there.
pub fn is_name(spec: &str) -> bool {
    matches!(spec, "auto" | "z3") || command(spec).is_some()
}

fn command(spec: &str) -> Option<Command> {
    if spec == "cvc5" {
        return Some(Command::cvc5("cvc5"));
    }
    let words: Vec<String> = spec.strip_prefix("smtlib:")?.split_whitespace().map(Into::into).collect();
    let (program, args) = words.split_first()?;
    Some(Command::other(program, args))
}

/// A program in `PATH`.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|p| is_executable(p))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

//! How to start the solvers that are known.

use lariat_term::smtlib::Dialect;

/// How to start a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The program: a path, or a name to be looked for in `PATH`.
    pub program: String,
    /// Its arguments. It must read commands from the standard input.
    pub args: Vec<String>,
    /// The language it speaks where the standard says nothing.
    pub dialect: Dialect,
}

impl Command {
    /// The Z3 program.
    pub fn z3(program: &str) -> Command {
        Command { program: program.into(), args: vec!["-in".into(), "-smt2".into()], dialect: Dialect::Z3 }
    }

    /// The cvc5 program.
    pub fn cvc5(program: &str) -> Command {
        let args = ["--lang=smt2", "--incremental", "--produce-models", "--produce-unsat-assumptions", "-"];
        Command { program: program.into(), args: args.map(Into::into).into(), dialect: Dialect::Cvc5 }
    }

    /// Another solver that reads SMT-LIB. A program whose file name begins with `z3` is taken for
    /// Z3.
    pub fn other(program: &str, args: &[String]) -> Command {
        let file = std::path::Path::new(program).file_name().unwrap_or_default().to_string_lossy();
        let dialect = if file.starts_with("z3") { Dialect::Z3 } else { Dialect::Cvc5 };
        Command { program: program.into(), args: args.to_vec(), dialect }
    }
}

//! `lariat houdini`: the largest assignment of `{:existential}` constants.

use std::{fmt::Write, time::Instant};

use lariat_boogie::{
    analyze::Analysis,
    compile::compile_analysis,
    lower::{LowerOptions, Mode},
    syntax::DeclKind,
};
use lariat_engine::Budget;
use lariat_program::{AssertId, Program, RegionId};
use lariat_term::{Terms, Var};
use lariat_verify::{Assignment, Options, existential};

use crate::{args::HoudiniArgs, c, console, diag::Reporter, exit::Exit, load, trace};

pub fn run(args: &HoudiniArgs, reporter: &Reporter) -> Exit {
    console::silence_solvers();
    if args.input.files.iter().any(|path| c::is_c(path) || load::is_textual(path)) {
        reporter.error("`houdini` reads Boogie programs");
        return Exit::Usage;
    }
    let analysis = match load::boogie(&args.input, reporter) {
        Ok(analysis) => analysis,
        Err(exit) => return exit,
    };
    let mut terms = Terms::new();
    let options = LowerOptions { mode: Mode::Modular, inline_depth: args.inline_depth };
    let (program, diagnostics) = compile_analysis(&analysis, &mut terms, &options);
    let Some(program) = program else {
        reporter.diagnostics(&diagnostics, &analysis.sources);
        return Exit::Input;
    };
    let names = names(&analysis);
    let declared = program.constants.iter().filter_map(|d| Some((d.source.as_deref()?, d.var)));
    let by_name: std::collections::HashMap<&str, Var> = declared.collect();
    let constants: Vec<Var> = names.iter().filter_map(|name| by_name.get(name.as_str()).copied()).collect();
    let deadline = (!args.timeout.is_zero()).then(|| Instant::now() + args.timeout);
    let budget = Budget { deadline, ..Budget::default() };
    let options = Options { solver: args.solver.clone(), budget, ..Options::default() };
    let Some(found) = existential(&program, &mut terms, &constants, &options) else {
        reporter.error("time limit reached: there is no assignment yet (--timeout gives more time)");
        return Exit::Unknown;
    };
    let written = reporter.write(printed(&program, &terms, &found).as_bytes());
    match () {
        () if written != Exit::Success => written,
        () if !found.errors.is_empty() => Exit::Unsafe,
        () if !found.undecided.is_empty() => Exit::Unknown,
        () => Exit::Success,
    }
}

/// The names of the constants, in the order of the source.
fn names(analysis: &Analysis) -> Vec<String> {
    let ast = &analysis.ast;
    let mut names = Vec::new();
    for (_, decl) in ast.decls.iter() {
        if let DeclKind::Const { vars, .. } = decl.kind
            && ast.flag(decl.attrs, "existential")
        {
            names.extend(ast[vars].iter().map(|v| ast.text(v.name.name).to_owned()));
        }
    }
    names
}

fn printed(program: &Program, terms: &Terms, found: &Assignment) -> String {
    let mut text = String::from("Assignment computed by Houdini:\n");
    for &(v, value) in &found.values {
        let _ = writeln!(text, "{} = {}", terms.var_name(v), if value { "True" } else { "False" });
    }
    for &v in &found.given_up {
        let _ = writeln!(text, "not decided: a clause behind {}, which is taken to be false", terms.var_name(v));
    }
    let mut lines = |list: &[(RegionId, AssertId)], what: &str| {
        for &(entry, a) in list {
            let assertion = &program.assertions[a.index()];
            let place = trace::place(program, assertion.loc);
            let _ = writeln!(
                text,
                "{place}: {what}: {} ({})",
                trace::what(assertion.kind),
                load::procedure(program, entry)
            );
        }
    };
    lines(&found.errors, "failed");
    lines(&found.undecided, "not decided");
    let bad = |e: &&RegionId| found.errors.iter().chain(&found.undecided).any(|(of, _)| of == *e);
    let errors = program.entries.iter().filter(bad).count();
    let _ = writeln!(text, "{} verified, {} with errors", program.entries.len() - errors, errors);
    text
}

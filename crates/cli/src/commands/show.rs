//! `lariat show`: a program in one of its forms.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_boogie::syntax;
use lariat_engine::{Budget, Engine};
use lariat_predicate::{PredicateAbstraction, Settings};
use lariat_program::{
    AssertId,
    reduce::{Boxes, reduce},
    text,
};

use lariat_verify::{Engines, Options, verify};

use crate::{
    args::{Form, ShowArgs},
    c, console,
    diag::Reporter,
    exit::Exit,
    load,
};

/// How long a tree may take.
const TREE: Duration = Duration::from_secs(60);

pub fn run(args: &ShowArgs, reporter: &Reporter) -> Exit {
    let form = match args.form {
        Some(form) => form,
        None if args.reduced || args.input.files.iter().any(|path| c::is_c(path)) => Form::Ir,
        None => Form::Bpl,
    };
    if form == Form::Bpl {
        if args.input.files.iter().any(|path| load::is_textual(path) || c::is_c(path)) {
            reporter.error_with_hint("this program cannot be shown as Boogie", "use --as ir, regions or dot");
            return Exit::Usage;
        }
        return match load::boogie(&args.input, reporter) {
            Ok(analysis) => reporter.write(syntax::print(&analysis.ast).as_bytes()),
            Err(exit) => exit,
        };
    }
    let mut loaded = match load::program(&args.input, &[], None, reporter) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    if form == Form::Art {
        return art(loaded, reporter);
    }
    if args.reduced {
        let entries = match load::entries(&loaded.program, None) {
            Ok(entries) => entries,
            Err((message, hint)) => {
                reporter.error_with_hint(&message, &hint);
                return Exit::Usage;
            }
        };
        // There is at least one entry, or else a message.
        if let Some(&entry) = entries.first() {
            let program = &loaded.program;
            let counts = |a: AssertId| program.assertions[a.index()].kind.fails();
            let reduced = reduce(program, &mut loaded.terms, entry, &counts, Boxes::Inline);
            loaded.program = reduced.rotated(&mut loaded.terms, entry).program;
        }
    }
    if args.no_locations {
        loaded.program.strip_locations();
    }
    let text = match form {
        Form::Regions => text::tree(&loaded.program),
        Form::Dot => text::dot(&loaded.program),
        Form::Ir | Form::Bpl | Form::Art => text::print(&loaded.program, &loaded.terms),
    };
    reporter.write(text.as_bytes())
}

/// The abstract reachability tree of the program's entry.
fn art(loaded: load::Loaded, reporter: &Reporter) -> Exit {
    console::silence_solvers();
    let load::Loaded { program, mut terms, .. } = loaded;
    let entries = match load::entries(&program, None) {
        Ok(entries) => entries,
        Err((message, hint)) => {
            reporter.error_with_hint(&message, &hint);
            return Exit::Usage;
        }
    };
    let options = Options {
        entries,
        engines: Engines::Only(vec![PredicateAbstraction.name().to_owned()]),
        predicates: Settings { report: true, ..Settings::default() },
        budget: Budget { deadline: Some(Instant::now() + TREE), ..Budget::default() },
        ..Options::default()
    };
    let report = verify(&Arc::new(program), &mut terms, &options, &mut |_| {});
    let drawn: String = report.explorations.iter().map(|(_, _, explored)| explored.drawing.as_str()).collect();
    if drawn.is_empty() {
        reporter.note("the program has no clauses to explore");
    }
    reporter.write(drawn.as_bytes())
}

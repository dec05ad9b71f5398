//! `lariat show`: a program in one of its forms.

use lariat_boogie::syntax;
use lariat_program::{
    AssertId,
    reduce::{Boxes, reduce},
    text,
};

use crate::{
    args::{Form, ShowArgs},
    c,
    diag::Reporter,
    exit::Exit,
    load,
};

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
        Form::Ir | Form::Bpl => text::print(&loaded.program, &loaded.terms),
    };
    reporter.write(text.as_bytes())
}

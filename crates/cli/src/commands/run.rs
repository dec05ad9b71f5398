//! `lariat run`: one concrete execution.

use lariat_program::interp::{Interpreter, Options, Outcome, TraceLevel};

use crate::{
    args::{Common, RunArgs, Trace},
    diag::Reporter,
    exit::Exit,
    inputs::Inputs,
    load, trace,
};

pub fn run(args: &RunArgs, common: &Common, reporter: &Reporter) -> Exit {
    let loaded = match load::program(&args.input, args.entry.as_slice(), None, reporter) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let (program, terms) = (&loaded.program, &loaded.terms);
    let entry = match load::entries(program, args.entry.as_deref()) {
        Ok(entries) => entries[0],
        Err((message, hint)) => {
            reporter.error_with_hint(&message, &hint);
            return Exit::Usage;
        }
    };
    let mut inputs = match inputs(args) {
        Ok(inputs) => inputs,
        Err(message) => {
            reporter.error(&message);
            return Exit::Input;
        }
    };
    let options = Options {
        steps: args.steps,
        trace: match args.trace {
            // What a failure means shows in what has happened, also where no trace is printed.
            Trace::None | Trace::Brief | Trace::Changes => TraceLevel::Changes,
            Trace::Full => TraceLevel::Full,
        },
        ..Options::default()
    };
    let interpreter = match Interpreter::new(program, terms, options) {
        Ok(interpreter) => interpreter,
        Err(violations) => {
            violations.iter().for_each(|v| reporter.error(&v.to_string()));
            return Exit::Internal;
        }
    };
    let run = interpreter.run(entry, &mut inputs);
    if let Some(problem) = &inputs.problem {
        reporter.error(problem);
        return Exit::Input;
    }
    for unused in inputs.unused() {
        reporter.note(&unused);
    }
    if !run.unchecked_axioms.is_empty() && common.verbose > 0 {
        reporter.note(&format!("{} axioms could not be evaluated", run.unchecked_axioms.len()));
    }
    let view = trace::View { program, terms, tracer: &*loaded.tracer, assumptions: None };
    match reporter.write(trace::run(view, &run, args.trace).as_bytes()) {
        Exit::Success => {}
        failed => return failed,
    }
    match run.outcome {
        Outcome::Completed | Outcome::Stopped | Outcome::AssumeFailed { .. } => Exit::Success,
        Outcome::AssertionFailed { .. } => Exit::Unsafe,
        Outcome::StepLimit | Outcome::Stuck { .. } => Exit::Unknown,
    }
}

fn inputs(args: &RunArgs) -> Result<Inputs, String> {
    let Some(path) = &args.inputs else { return Ok(Inputs::random(args.seed)) };
    let text = load::read_text(path).map_err(|e| e.to_string())?;
    Inputs::parse(&path.display().to_string(), &text, args.seed)
}

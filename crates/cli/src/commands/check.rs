//! `lariat check`: can an assertion fail?

use std::{path::Path, sync::Arc, time::Instant};

use lariat_engine::Stop;
use lariat_program::{AssertId, Program, Stage, be_paranoid, check_pass};
use lariat_smt::{Reason, catch_crashes};
use lariat_verify::{Certified, Rejection, Report, Verdict, verify};

use super::{
    incidents, native,
    options::options,
    predicates,
    result::{Extra, Style},
    summarize, verify_certificate,
    watch::Watch,
};
use crate::{
    args::{CheckArgs, Common},
    c, console,
    diag::Reporter,
    exit::Exit,
    formula::Language,
    load::{self, Loaded},
    memory, page,
    trace::{View, place},
    witness::{self, Invariant},
};

/// Checks a program; if it is to be replayed, also runs it natively.
pub fn run(args: &CheckArgs, common: &Common, reporter: &Reporter, replay: bool) -> Exit {
    let start = Instant::now();
    if common.verbose == 0 {
        console::silence_solvers();
    }
    if args.paranoid {
        be_paranoid();
    }
    catch_crashes();
    let memory = memory::limit(args.memory);
    let deadline = (!args.timeout.is_zero()).then(|| start + args.timeout);
    let style = Style::of(args, start);
    // Nothing is known yet, but the time may be over before it is.
    let watch = Watch::new(Stop::default(), Arc::default(), style, (start, deadline)).telling(common).writing(args);
    watch.limits(memory);
    let loaded = load::program(&args.input, &args.entry, deadline, reporter);
    watch.end();
    let Loaded { mut terms, mut program, tracer, assumptions, compiler } = match loaded {
        Ok(loaded) => loaded,
        Err(Exit::Unknown) => {
            return match reporter.write(watch.unknown(&Reason::Timeout).as_bytes()) {
                Exit::Success => Exit::Unknown,
                failed => failed,
            };
        }
        Err(exit) => return exit,
    };
    let front_end = (start.elapsed(), compiler);
    let options = match options(args, &mut program, &mut terms, deadline, memory) {
        Ok(options) => options,
        Err((message, hint)) => {
            reporter.error_with_hint(&message, &hint);
            return Exit::Usage;
        }
    };
    check_pass("options", &program, &terms, Stage::Regions);
    let program = Arc::new(program);
    let style = style.after_front_end(front_end);
    let watch = Watch::new(options.budget.stop.clone(), program.clone(), style, (start, deadline))
        .telling(common)
        .writing(args);
    watch.interrupts();
    watch.limits(memory);
    let mut report = verify(&program, &mut terms, &options, &mut |p| watch.note(&p));
    watch.end();
    for &(candidate, why) in &report.rejected {
        reporter.note(&rejection(&program, candidate, why));
    }
    let mut saved = Vec::new();
    for incident in &report.incidents {
        reporter.note(&incident.message);
        let text = incidents::text(&program, &terms, args, incident);
        match incidents::save(args, &text) {
            Ok(path) => {
                reporter.note(&format!("the incident is described in {}", path.display()));
                saved.push(Some(path));
            }
            Err(why) => {
                reporter.note(&format!("the incident could not be saved: {why}"));
                saved.push(None);
            }
        }
    }
    if let Err(why) = certificates(args, &program, &mut report, reporter) {
        reporter.error(&why);
        return Exit::Input;
    }
    if let Err(why) = predicates::save(args, &report, reporter) {
        reporter.error(&why);
        return Exit::Input;
    }
    let assumptions = assumptions.as_ref();
    let view = View { program: &program, terms: &terms, tracer: &*tracer, assumptions };
    let native = match &report.verdict {
        Verdict::Unsafe(bug) if replay || args.harness.is_some() => {
            Some(native::replay(&args.input, args.harness.as_deref(), view, bug))
        }
        _ => None,
    };
    let wanted = args.show_invariants || args.html.is_some() || args.witness.is_some();
    let invariants = match (&report.verdict, wanted, args.input.files.iter().all(|file| c::is_c(file))) {
        (Verdict::Safe, true, true) => summarize::invariants((&program, &*tracer), &report, Language::C, &options),
        (Verdict::Safe, true, false) => {
            summarize::invariants((&program, &*tracer), &report, Language::Boogie, &options)
        }
        _ => Vec::new(),
    };
    if let Some(path) = &args.witness
        && let Err(why) = write_witness(path, args, view, &report, &invariants)
    {
        reporter.error(&why);
        return Exit::Input;
    }
    let extra = Extra { saved: &saved, reached: watch.reached(), native: native.as_ref(), invariants: &invariants };
    let files = [
        (&args.sarif, &(|| format!("{:#}\n", style.sarif(view, &report, &extra))) as &dyn Fn() -> String),
        (&args.html, &|| page::html(view, &report, &invariants, &style.text(view, &report, &extra))),
    ];
    for (path, text) in files {
        if let Some(path) = path
            && let Err(error) = std::fs::write(path, text())
        {
            reporter.error(&format!("cannot write {}: {error}", path.display()));
            return Exit::Input;
        }
    }
    match reporter.write(style.show(view, &report, &extra).as_bytes()) {
        Exit::Success => exit(&report),
        failed => failed,
    }
}

/// Why a candidate for a loop invariant was of no use.
fn rejection(program: &Program, candidate: AssertId, why: Rejection) -> String {
    let why = match why {
        Rejection::Entered => "may not hold where the loop is entered",
        Rejection::NotKept => "is not inductive: a round of the loop may not keep it",
        Rejection::Unknown => "could not be decided",
    };
    let place = place(program, program.assertions[candidate.index()].loc);
    format!("{place}: this candidate for a loop invariant {why}")
}

/// Tells what the checker says of the certificates, and writes those that it accepts.
fn certificates(args: &CheckArgs, program: &Program, report: &mut Report, reporter: &Reporter) -> Result<(), String> {
    if !matches!(report.verdict, Verdict::Safe) {
        // What is proved of a part of the program only.
        report.certificates.clear();
    }
    let wanted = args.certificate.is_some() || args.second_opinion.is_some();
    for certified in report.certificates.iter().filter(|_| wanted) {
        reporter.note(&verify_certificate::note(program, certified, args.second_opinion.as_deref()));
    }
    let Some(path) = &args.certificate else { return Ok(()) };
    let accepted = |c: &&mut Certified| c.is_accepted();
    let accepted = report.certificates.iter_mut().filter(accepted);
    let mut accepted: Vec<_> = accepted.filter_map(|c| c.certificate.as_mut()).map(|(terms, c)| (terms, &*c)).collect();
    if accepted.is_empty() {
        return Ok(());
    }
    std::fs::write(path, lariat_certify::write(program, &mut accepted))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Writes a witness of a violation or a proof of a C program.
fn write_witness(
    path: &Path,
    args: &CheckArgs,
    view: View<'_>,
    report: &Report,
    invariants: &[Invariant],
) -> Result<(), String> {
    let format = witness::Format::of(path);
    let text = match &report.verdict {
        Verdict::Unsafe(bug) => witness::violation(format, &args.input, view, bug)?,
        Verdict::Safe => witness::correctness(format, &args.input, view.program, invariants)?,
        Verdict::Bounded { .. } | Verdict::Unknown(_) => return Ok(()),
    };
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn exit(report: &Report) -> Exit {
    match report.verdict {
        _ if report.contradiction => Exit::Internal,
        Verdict::Safe => Exit::Success,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Bounded { .. } => Exit::Bounded,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

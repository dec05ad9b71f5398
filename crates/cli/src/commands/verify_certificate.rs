//! `lariat verify-certificate`: is a certificate a proof of this program?

use std::time::Instant;

use lariat_certify::Checked;
use lariat_engine::{Budget, Stop};
use lariat_program::{AssertId, AssertKind, Program};
use lariat_verify::{Certified, Report, Targets, Verdict};
use serde_json::{Value, json};

use super::options::options;
use crate::{
    args::VerifyCertificateArgs,
    console,
    diag::Reporter,
    exit::Exit,
    load::{self, Loaded},
    memory,
};

pub fn run(args: &VerifyCertificateArgs, reporter: &Reporter) -> Exit {
    console::silence_solvers();
    let check = &args.check;
    let deadline = (!check.timeout.is_zero()).then(|| Instant::now() + check.timeout);
    let text = match std::fs::read_to_string(&args.certificate_file) {
        Ok(text) => text,
        Err(error) => {
            reporter.error(&format!("cannot read {}: {error}", args.certificate_file.display()));
            return Exit::Input;
        }
    };
    let loaded = load::program(&check.input, &check.entry, deadline, reporter);
    let Loaded { mut terms, mut program, .. } = match loaded {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let memory = memory::limit(check.memory);
    let options = match options(check, &mut program, &mut terms, deadline, memory) {
        Ok(options) => options,
        Err((message, hint)) => {
            reporter.error_with_hint(&message, &hint);
            return Exit::Usage;
        }
    };
    let certificates = match lariat_certify::read(&program, &mut terms, &text) {
        Ok(certificates) => certificates,
        Err(error) => {
            let hint = "is it of this program, with the same options?";
            reporter.error_with_hint(&format!("{}: {error}", args.certificate_file.display()), hint);
            return Exit::Input;
        }
    };
    let counts = |a: AssertId| match (&options.targets, program.assertions[a.index()].kind) {
        (_, kind) if !kind.fails() => false,
        (_, AssertKind::Unsupported) | (Targets::Any | Targets::Each, _) => true,
        (Targets::Only(list), _) => list.contains(&a),
    };
    let budget = Budget { deadline, stop: Stop::default(), memory };
    let solver = if check.solver == "auto" { "z3" } else { &check.solver };
    let mut worst = Exit::Success;
    let mut lines = String::new();
    for &entry in &options.entries {
        let name = &program.regions[entry.index()].name;
        let Some(certificate) = certificates.iter().find(|c| c.trees.first().is_some_and(|t| t.region == entry)) else {
            lines.push_str(&format!("{name}: rejected: there is no certificate for it\n"));
            worst = Exit::Unsafe;
            continue;
        };
        let mut open = |logic| budget.open_for(solver, logic);
        let stopped = || budget.used_up().is_some();
        let checked = lariat_certify::check(&program, &mut terms, entry, &counts, certificate, &mut open, &stopped);
        let checked = checked.unwrap_or_else(|error| Checked::Unknown(error.to_string()));
        match &checked {
            Checked::Proved => {}
            Checked::Unknown(_) if worst == Exit::Success => worst = Exit::Unknown,
            Checked::Unknown(_) => {}
            Checked::Fails(_) | Checked::Malformed(_) => worst = Exit::Unsafe,
        }
        lines.push_str(&format!("{name}: {}\n", checked.said(&program)));
    }
    match reporter.write(lines.as_bytes()) {
        Exit::Success => worst,
        failed => failed,
    }
}

/// What there is to say about the certificate of a proof.
pub fn note(program: &Program, certified: &Certified, second: Option<&str>) -> String {
    let name = &program.regions[certified.entry.index()].name;
    let size = match &certified.certificate {
        Some((_, c)) if c.by_execution => " (by execution)".to_owned(),
        Some((_, c)) => format!(" ({} invariants, {} instances)", c.invariants(), c.instances()),
        None => String::new(),
    };
    let mut text = format!("certificate of {name}{size}: {}", certified.checked.said(program));
    if let (Some(checked), Some(solver)) = (&certified.second, second) {
        text.push_str(&format!("; {solver}: {}", checked.said(program)));
    }
    text
}

/// Says of a safe verdict that its proof, or a part of it, has no certificate that was accepted, and why; nothing if all is well.
pub fn not_certified(program: &Program, report: &Report) -> Option<String> {
    if !matches!(report.verdict, Verdict::Safe) {
        return None;
    }
    let open: Vec<&Certified> = report.certificates.iter().filter(|c| !c.is_accepted()).collect();
    let first = open.first()?;
    let why = match &first.checked {
        Checked::Unknown(why) => why.clone(),
        other => other.said(program),
    };
    let of = match (open.len(), report.certificates.len()) {
        (_, 1) => String::new(),
        (some, all) => format!(", {some} of {all} parts"),
    };
    Some(format!("proof: not certified{of} ({}: {why})", first.engine))
}

/// The same as an object; the fields are in docs/json.md.
pub fn as_json(program: &Program, certified: &Certified) -> Value {
    let result = |checked: &Checked| match checked {
        Checked::Proved => "accepted",
        Checked::Fails(_) | Checked::Malformed(_) => "rejected",
        Checked::Unknown(_) if certified.certificate.is_none() => "none",
        Checked::Unknown(_) => "unknown",
    };
    let sizes = certified.certificate.as_ref().map(|(_, c)| (c.invariants(), c.instances()));
    json!({
        "entry": program.regions[certified.entry.index()].name,
        "engine": certified.engine,
        "result": result(&certified.checked),
        "reason": (!certified.is_accepted()).then(|| certified.checked.said(program)),
        "second_opinion": certified.second.as_ref().map(result),
        "invariants": sizes.map(|s| s.0),
        "instances": sizes.map(|s| s.1),
        "making_seconds": certified.making.as_secs_f64(),
        "checking_seconds": certified.checking.as_secs_f64(),
    })
}

//! Files that describe counterexamples which did not replay, and proofs that were not accepted.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use lariat_program::{Detail, Program, RegionTracer, Tracer};
use lariat_term::Terms;
use lariat_verify::Incident;

use crate::{
    args::{CheckArgs, Trace},
    source_trace, trace,
};

/// The description of an incident: all that is known of it, for people.
pub fn text(program: &Program, terms: &Terms, args: &CheckArgs, incident: &Incident) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "Lariat {}: {}", env!("CARGO_PKG_VERSION"), incident.message);
    let words: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let _ = writeln!(out, "\ncommand: {}", words.join(" "));
    for file in &args.input.files {
        let _ = writeln!(out, "file: {}", file.display());
    }
    let _ = writeln!(out, "entry: {}", program.regions[incident.entry.index()].name);
    let is_certificate = matches!(&incident.values[..], [(name, _)] if name == "certificate");
    match &incident.run {
        Some(run) => {
            let replay = RegionTracer.trace(program, terms, run, Detail { all: true, repeated: false });
            let _ = writeln!(out, "\nThe replay:\n{}", source_trace::text(program, &replay, Trace::Full));
            let _ = writeln!(out, "{}", trace::outcome(program, run, &Default::default()));
        }
        None if is_certificate => {}
        None => out.push_str("\nThe replay did not start.\n"),
    }
    out.push_str(if is_certificate { "\n" } else { "\nThe values that the solver gave:\n" });
    for (name, value) in &incident.values {
        let _ = writeln!(out, "{name} = {value}");
    }
    out
}

/// Saves a description under a name that is not taken yet.
pub fn save(args: &CheckArgs, text: &str) -> io::Result<PathBuf> {
    let dir = args.incidents.clone().unwrap_or_else(|| std::env::temp_dir().join("lariat-incidents"));
    fs::create_dir_all(&dir)?;
    let stem = args.input.files.first().and_then(|f| f.file_stem()).map(|s| s.to_string_lossy().into_owned());
    let stem = stem.filter(|s| s != "-").unwrap_or_else(|| "program".into());
    for n in 1.. {
        let path = dir.join(format!("{stem}-{n}.txt"));
        match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && n < MAX_FILES => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// More files than this for one program are not written.
const MAX_FILES: usize = 10_000;

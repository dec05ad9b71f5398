//! The programs of `tests/c`: each is proved right in every respect, and each seeded
//! bug of `mutants.txt` is found, by the check and at the line that the list names. The programs of
//! `pointers` and `loops` were made by `benches/c/pointers.py` and `loops.py`, with what the sanitizers say of them in the
//! first line. Those of `library` were made by `benches/c/library.py`: calls of library functions with their native results.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

use common::Dir;

/// A program with one changed line.
struct Mutant {
    file: String,
    original: String,
    changed: String,
    /// The properties whose checks may find it.
    checks: Vec<String>,
    /// The line where it fails; empty: the changed one.
    place: String,
}

fn main() {
    let args = Arguments::from_args();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let names = programs(&folder);
    let mutants = mutants(&fs::read_to_string(folder.join("mutants.txt")).expect("the list of mutants"));
    let mut trials = Vec::new();
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).expect("a program");
        trials.push(Trial::test(name.clone(), move || correct(&name, &text)));
    }
    for mutant in mutants {
        let text = fs::read_to_string(folder.join(&mutant.file)).expect("the program of a mutant");
        let name = format!("{}: {}", mutant.file, mutant.changed);
        trials.push(Trial::test(name, move || found(&mutant, &text)));
    }
    let pointers = folder.join("pointers");
    for name in programs(&pointers) {
        let text = fs::read_to_string(pointers.join(&name)).expect("a program");
        let folder = pointers.clone();
        trials.push(Trial::test(format!("pointers/{name}"), move || as_native(&name, &text, &folder)));
    }
    let loops = folder.join("loops");
    for name in programs(&loops) {
        let text = fs::read_to_string(loops.join(&name)).expect("a program");
        trials.push(Trial::test(format!("loops/{name}"), move || as_all_runs(&name, &text)));
    }
    let library = folder.join("library");
    for name in programs(&library) {
        let text = fs::read_to_string(library.join(&name)).expect("a program");
        trials.push(Trial::test(format!("library/{name}"), move || as_all_runs(&name, &text)));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// The names of the C programs of a folder.
fn programs(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the folder with the programs")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".c"))
        .collect();
    names.sort();
    names
}

/// The verdict is that of the first line (`// DATA MODEL: safe`, or the classes of failures), and a safe program
/// fails if the checksum that it expects is another one.
fn as_native(name: &str, text: &str, folder: &Path) -> Result<(), Failed> {
    let first = text.lines().next().and_then(|line| line.strip_prefix("// ")?.split_once(": "));
    let (model, expected) = first.ok_or("the first line does not name the verdict")?;
    let check = |text: &str, properties: &str| -> Result<(Option<i32>, Value, String), Failed> {
        let dir = Dir::with(name, text);
        let run = dir.run(&[
            "check",
            name,
            "--property",
            properties,
            "--data-model",
            model,
            "--timeout",
            "120s",
            "--format",
            "json",
            "-I",
            &folder.display().to_string(),
        ]);
        let said = format!("{}\n{}", run.stdout, run.stderr);
        Ok((run.code, serde_json::from_str(&run.stdout).map_err(|_| said.clone())?, said))
    };
    let (code, report, said) = check(text, "memsafety,unreach-call")?;
    if expected != "safe" {
        let kind = failure(&report).0.map(|(kind, _)| kind).unwrap_or_default();
        return match code {
            Some(10) if expected.split('|').any(|class| class == kind) => Ok(()),
            _ => Err(format!("{}, {kind}, but natively {expected}\n{}", report["verdict"], shortened(&said)).into()),
        };
    }
    if code != Some(0) {
        return Err(format!("{}\n{}", report["verdict"], shortened(&said)).into());
    }
    // Another first digit makes another number.
    let (before, after) = text.split_once("expected[").ok_or("no checksum")?;
    let (size, numbers) = after.split_once("] = {").ok_or("no checksum")?;
    let digit = if numbers.starts_with('1') { 2 } else { 1 };
    let other = format!("{before}expected[{size}] = {{{digit}{}", numbers.get(1..).unwrap_or_default());
    match check(&other, "unreach-call")? {
        (Some(10), ..) => Ok(()),
        (_, report, said) => {
            Err(format!("{}, but the checksum differs\n{}", report["verdict"], shortened(&said)).into())
        }
    }
}

/// The verdict is that of all native runs (`// natively: nothing`, or the classes of what fails first in one of them), and what
/// fails is in one of these classes.
fn as_all_runs(name: &str, text: &str) -> Result<(), Failed> {
    let first = text.lines().next().and_then(|line| line.strip_prefix("// natively: "));
    let natively = first.ok_or("the first line does not name the verdict")?;
    let dir = Dir::with(name, text);
    let run = dir.run(&["check", name, "--property", "all", "--timeout", "120s", "--format", "json"]);
    let said = format!("{}\n{}", run.stdout, run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).map_err(|_| said.clone())?;
    let kind = failure(&report).0.map(|(kind, _)| kind).unwrap_or_default();
    let class = match kind.as_str() {
        "division" | "shift" => "division or shift",
        "deref" => "bounds",
        other => other,
    };
    match run.code {
        Some(0) if natively == "nothing" => Ok(()),
        Some(10) if natively.split(", ").any(|c| c == class) => Ok(()),
        _ => Err(format!("{}, {kind}, but natively {natively}\n{}", report["verdict"], shortened(&said)).into()),
    }
}

/// Reads the list.
fn mutants(text: &str) -> Vec<Mutant> {
    let mut list: Vec<Mutant> = Vec::new();
    for line in text.lines() {
        let Some((mark, rest)) = line.split_once(' ') else { continue };
        let last = list.last_mut();
        match (mark, last) {
            ("==", _) => list.push(Mutant {
                file: rest.to_owned(),
                original: String::new(),
                changed: String::new(),
                checks: Vec::new(),
                place: String::new(),
            }),
            ("-", Some(mutant)) => mutant.original = rest.trim().to_owned(),
            ("+", Some(mutant)) => mutant.changed = rest.trim().to_owned(),
            ("!", Some(mutant)) => {
                let (checks, place) = rest.split_once(' ').unwrap_or((rest, ""));
                mutant.checks = checks.split('|').map(str::to_owned).collect();
                mutant.place = place.to_owned();
            }
            _ => {}
        }
    }
    list
}

/// The number of the only line with this text.
fn line(text: &str, wanted: &str) -> Result<usize, Failed> {
    let mut lines = text.lines().zip(1..).filter(|(line, _)| line.trim() == wanted);
    match (lines.next(), lines.next()) {
        (Some((_, number)), None) => Ok(number),
        _ => Err(format!("`{wanted}` does not occur exactly once").into()),
    }
}

/// The exit code of `lariat` on a program, what it found, and what it said.
fn check(name: &str, text: &str) -> Result<(Option<i32>, Value, String), Failed> {
    let dir = Dir::with(name, text);
    let run = dir.run(&["check", name, "--property", "all,uninit", "--timeout", "120s", "--format", "json"]);
    let said = format!("{}\n{}", run.stdout, run.stderr);
    Ok((run.code, serde_json::from_str(&run.stdout).map_err(|_| said.clone())?, said))
}

fn correct(name: &str, text: &str) -> Result<(), Failed> {
    let (code, report, said) = check(name, text)?;
    match code {
        Some(0) => Ok(()),
        _ => Err(format!("{}, {}\n{}", report["verdict"], failure(&report).1, shortened(&said)).into()),
    }
}

fn found(mutant: &Mutant, text: &str) -> Result<(), Failed> {
    let changed = line(text, &mutant.original)?;
    let text: String = text
        .lines()
        .zip(1..)
        .map(|(line, number)| format!("{}\n", if number == changed { &mutant.changed } else { line }))
        .collect();
    let expected = if mutant.place.is_empty() { changed } else { line(&text, &mutant.place)? };
    let (code, report, said) = check(&mutant.file, &text)?;
    if code != Some(10) {
        return Err(format!("{}, but a bug is in line {expected}\n{}", report["verdict"], shortened(&said)).into());
    }
    let (found, shown) = failure(&report);
    let at_line = found.is_some_and(|(kind, line)| mutant.checks.contains(&property(&kind)) && line == expected);
    if at_line { Ok(()) } else { Err(format!("expected {:?} in line {expected}: {shown}", mutant.checks).into()) }
}

/// The kind of the assertion that fails and the line of the program where it does: of the last call from
/// it, if it fails in the model of a library function; where it was allocated, if memory is lost.
fn failure(report: &Value) -> (Option<(String, usize)>, String) {
    let Some(id) = report["failed"].as_u64() else { return (None, "nothing fails".to_owned()) };
    let assertion = &report["assertions"][id as usize];
    let ours = |location: &Value| location["file"].as_str().is_some_and(|file| !file.contains("<models>"));
    let place = if ours(&assertion["location"]) { Some(&assertion["location"]) } else { Some(&report["called_at"]) };
    let lost = report["failure"]["class"] == "memory-leak";
    let place = if lost { Some(&report["failure"]["related"][0]["location"]) } else { place };
    let number = place.and_then(|place| place["line"].as_u64()).unwrap_or(0);
    let kind = assertion["kind"].as_str().unwrap_or("?").to_owned();
    let shown = format!("{kind} in line {number}: {assertion}");
    (Some((kind, number as usize)), shown)
}

/// The property to which a kind of assertion belongs.
fn property(kind: &str) -> String {
    let name = match kind {
        "deref" => "valid-deref",
        "free" => "valid-free",
        "leak" => "valid-memtrack",
        "overflow" => "no-overflow",
        "division" => "div-by-zero",
        other => other,
    };
    name.to_owned()
}

fn shortened(text: &str) -> String {
    text.chars().take(1500).collect()
}

//! The models of the C library, compiled: the table tells the truth about the files, and on random
//! arguments the models do what the C library of this machine does.

#[path = "../../../tests/needs.rs"]
mod needs;

use lariat_llvm::library::{
    Semantics,
    models::{MODELS, Model, OUTPUT, Variant, unit},
    named,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A clang, if there is one.
fn clang() -> Option<&'static str> {
    let found = ["clang-19", "clang"].into_iter().find(|name| {
        let run = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    });
    if found.is_none() {
        needs::skipped("no clang");
    }
    found
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("the folder of the tests can be written");
    path
}

/// Runs a command and returns what it printed; it must succeed.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}\n{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The names after `@` in the lines of LLVM text that start with one of these words.
fn names(text: &str, starts: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let name = |line: &'_ str| -> Option<usize> { line.find('@') };
    text.lines()
        .filter(|line| starts(line))
        .filter_map(|line| {
            let rest = &line[name(line)? + 1..];
            Some(rest[..rest.find(['(', ' '])?].to_owned())
        })
        .collect()
}

#[test]
fn the_table_names_what_the_files_define() {
    let Some(clang) = clang() else { return };
    let folder = folder("models-table");
    for model in MODELS.iter().chain([&OUTPUT]) {
        for (target, unsized_wide) in [("-m32", false), ("-m64", false), ("-m32", true)] {
            let source = folder.join(format!("{}.c", model.name));
            let variant = Variant { unsized_wide, output_reads: true, strings: !unsized_wide, ..Variant::default() };
            let defines: Vec<String> = model.defines().collect();
            let text = unit(defines.iter().map(String::as_str), variant);
            std::fs::write(&source, text.expect("a unit")).expect("written");
            let mut command = Command::new(clang);
            command.args([target, "-std=gnu17", "-O0", "-fno-builtin", "-Wall", "-Wextra", "-Werror"]);
            let text = run(command.args(["-S", "-emit-llvm", "-o", "-"]).arg(&source));
            let mut defined = names(&text, |l| l.starts_with("define weak") || l.contains(" = weak "));
            // Messages are output.
            let output = (model.name == "error").then_some(&OUTPUT);
            let needs = model.needs.iter().map(|need| MODELS.iter().find(|m| m.name == *need).expect("it exists"));
            for other in needs.chain(output) {
                assert!(other.needs.iter().all(|further| model.needs.contains(further)));
                defined = &defined - &other.defines().collect();
            }
            assert_eq!(defined, model.defines().collect(), "{} {target}", model.name);
            for used in names(&text, |l| l.starts_with("declare")) {
                let built_in = named(&used).is_some_and(|row| matches!(row.semantics, Semantics::Builtin(_)));
                let known = built_in || ["__VERIFIER_", "llvm."].iter().any(|p| used.starts_with(p));
                assert!(known, "{} uses {used}", model.name);
            }
        }
    }
}

#[test]
fn the_models_do_what_the_library_does() {
    agree("models", 3000);
}

#[test]
fn the_models_of_the_system_do_what_the_library_does() {
    agree("models_system", 3000);
}

#[test]
fn the_models_of_floats_do_what_the_library_does() {
    agree("models_reals", 20_000);
}

/// The harness of this name compares models with the library, in so many rounds.
fn agree(harness: &str, rounds: u32) {
    let Some(clang) = clang() else { return };
    if !cfg!(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")) {
        eprintln!("skipped: no glibc to compare with");
        return;
    }
    let folder = folder(&format!("{harness}-library"));
    let all: Vec<String> = MODELS.iter().flat_map(Model::defines).collect();
    let mut text: String = all.iter().map(|name| format!("#define {name} model_{name}\n")).collect();
    text.push_str(&unit(all.iter().map(String::as_str), Variant::default()).expect("a unit"));
    let models = folder.join("prefixed.c");
    std::fs::write(&models, text).expect("written");
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{harness}.c"));
    let program = folder.join("models");
    // Sanitizers are wanted, but not every clang has them.
    let build = |sanitize: &[&str]| {
        let mut command = Command::new(clang);
        command.args(["-g", "-O1", "-w", "-fno-builtin", "-frounding-math"]).args(sanitize);
        command.args([&models, &harness]).arg("-lm").arg("-o").arg(&program);
        command
    };
    // The models have types of their own for what handlers are given.
    let checked = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=function"];
    if !build(&checked).output().expect("clang starts").status.success() {
        eprintln!("without sanitizers");
        run(&mut build(&[]));
    }
    assert_eq!(run(Command::new(&program).arg(rounds.to_string())), format!("{rounds} rounds agree\n"));
}

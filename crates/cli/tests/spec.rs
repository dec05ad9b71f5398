//! Runs the console blocks of `tests/spec/*.md`, `docs/*.md` and `README.md`: the specification is the test.
//!
//! A fenced block with a file name after its language (`boogie a.bpl`) is a file in the directory
//! where the commands of the document run; a later block with the same name replaces it. A fenced
//! `console` block has commands (`$ lariat …`), each with all that it prints: first standard output,
//! then standard error, then `[exit code N]` unless it is 0. A line `...` stands for any lines.
//!
//! A command that does not say otherwise has ten minutes. With `LARIAT_SPEC=update` in the environment the blocks are
//! rewritten to what the commands print.

mod common;

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use common::{Dir, Output};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = root.join("README.md");
    let mut trials = vec![Trial::test("README.md", move || check(&readme))];
    for folder in ["tests/spec", "docs"] {
        for path in documents(&root.join(folder)) {
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            trials.push(Trial::test(name, move || check(&path)));
        }
    }
    assert!(trials.len() > 5, "the specification is missing");
    libtest_mimic::run(&args, trials).exit()
}

/// The Markdown files of a folder, by name.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files
}

/// Runs a document: its new text is what it should be.
fn check(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let dir = Dir::new();
    // A debug build on a busy machine takes longer than the time limit of a user.
    dir.write(".lariat.toml", "[check]\ntimeout = \"10m\"\n");
    let mut new = String::new();
    let mut wrong = String::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        new += line;
        new.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let block = match info.split_once(' ') {
            Some((_, name)) => {
                dir.write(name, block.join("\n") + "\n");
                block.join("\n") + "\n"
            }
            None if info == "console" => {
                let printed = session(&dir, &block)?;
                if printed != block {
                    let _ = writeln!(wrong, "{}:{}: expected\n{}", path.display(), number + 1, block.join("\n"));
                    let _ = writeln!(wrong, "but it is\n{}\n", printed.join("\n"));
                }
                printed.join("\n") + "\n"
            }
            None => block.iter().flat_map(|line| [line, "\n"]).collect(),
        };
        new += &block;
        new += "```\n";
    }
    if std::env::var_os("LARIAT_SPEC").is_some_and(|what| what == "update") {
        fs::write(path, new)?;
        return Ok(());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// The block as it should be: each command with what it prints, wildcards kept where they fit.
fn session(dir: &Dir, block: &[&str]) -> Result<Vec<String>, Failed> {
    let mut printed = Vec::new();
    let mut rest = block;
    while let [command, after @ ..] = rest {
        let Some(words) = command.strip_prefix("$ lariat") else {
            return Err(format!("expected a command, found: {command}").into());
        };
        let end = after.iter().position(|line| line.starts_with("$ ")).unwrap_or(after.len());
        let (expected, next) = after.split_at(end);
        rest = next;
        let words: Vec<&str> = words.split_whitespace().collect();
        let lines = transcript(&dir.run(&words));
        printed.push(command.to_string());
        if matches(expected, &lines) {
            printed.extend(expected.iter().map(ToString::to_string));
        } else {
            printed.extend(lines);
        }
    }
    Ok(printed)
}

fn transcript(output: &Output) -> Vec<String> {
    let text = format!("{}{}", output.stdout, output.stderr);
    // Whether there is the time to check a certificate depends on the machine.
    let certified = |line: &&str| !line.starts_with("proof: not certified");
    let mut lines: Vec<String> =
        text.trim_end().lines().filter(certified).map(|line| line.trim_end().to_string()).collect();
    match output.code {
        Some(0) => {}
        code => lines.push(format!("[exit code {}]", code.unwrap_or(-1))),
    }
    lines
}

/// Whether the lines are as expected; `...` stands for any number of lines.
fn matches(expected: &[&str], lines: &[String]) -> bool {
    let Some(at) = expected.iter().position(|line| *line == "...") else {
        return expected.iter().eq(lines.iter());
    };
    let Some(rest) = lines.get(at..).filter(|_| expected[..at].iter().eq(lines[..at].iter())) else { return false };
    (0..=rest.len()).any(|skipped| matches(&expected[at + 1..], &rest[skipped..]))
}

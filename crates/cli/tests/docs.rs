//! The pages of the documentation against what they are about: links, options, examples, the book's contents.

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use common::run_in;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder with this ending, by name.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join(folder)).expect("the folder is there");
    let files = folder.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The text without what stands in fenced blocks and between backticks.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let kept: Vec<&str> = line.split('`').step_by(2).collect();
            out += &kept.join("x");
            out.push('\n');
        }
    }
    out
}

/// What links of a page lead to.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    let after = text.split("](").skip(1);
    after.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The anchors of a page: its headings, as web pages name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut all = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if let (false, Some(heading)) =
            (fenced, line.starts_with('#').then(|| line.trim_start_matches('#').trim()))
        {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            all.insert(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect());
        }
    }
    all
}

#[test]
fn links_lead_somewhere() {
    let mut pages = files("docs", "md");
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    let mut wrong = Vec::new();
    for page in &pages {
        let text = read(page);
        let folder = page.parent().expect("pages are in folders");
        for link in links(&text) {
            if ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            let there = target.exists();
            let found = there && (anchor.is_empty() || anchors(&read(&target)).contains(anchor));
            if !found {
                wrong.push(format!("{}: {link}", name(page)));
            }
        }
    }
    assert!(wrong.is_empty(), "dead links:\n{}", wrong.join("\n"));
}

#[test]
fn the_book_has_all_pages() {
    let contents: BTreeSet<String> = links(&read(&root().join("docs/SUMMARY.md"))).into_iter().collect();
    for page in files("docs", "md") {
        let page = name(&page);
        assert!(page == "SUMMARY.md" || contents.contains(&page), "docs/SUMMARY.md has no {page}");
    }
}

/// A page of the book may not link to files outside of docs/: they are not a part of the book.
#[test]
fn pages_of_the_book_stay_in_it() {
    for page in files("docs", "md") {
        let outside: Vec<String> = links(&read(&page)).into_iter().filter(|link| link.starts_with("..")).collect();
        assert!(outside.is_empty(), "{}: {outside:?}", name(&page));
    }
}

/// The long options that `--help` names, by command.
fn options() -> BTreeMap<String, BTreeSet<String>> {
    let help = |command: &str| run_in(&root(), &[command, "--help"], "").stdout;
    let first = run_in(&root(), &["--help"], "").stdout;
    let commands = first.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands = commands.take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    let option = |line: &str| {
        let line = line.trim_start();
        let long =
            if line.starts_with("--") { line } else { line.split_once(", ").filter(|_| line.starts_with('-'))?.1 };
        let end = long.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(long.len());
        long.starts_with("--").then(|| long[..end].to_owned())
    };
    let of = |command: &str| (command.to_owned(), help(command).lines().filter_map(option).collect());
    commands.filter(|command| *command != "help").map(of).collect()
}

#[test]
fn every_option_is_on_the_page_of_the_command_line() {
    let page = read(&root().join("docs/command-line.md"));
    let all = options();
    assert!(all.len() > 10 && all["check"].len() > 40, "{all:?}");
    for (command, options) in &all {
        assert!(page.contains(&format!("`{command}")) || page.contains(&format!("lariat {command}")), "no `{command}`");
        for option in options {
            let known = page
                .match_indices(option.as_str())
                .any(|(at, _)| !page[at + option.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'));
            assert!(known, "docs/command-line.md does not have {option} (of `{command}`)");
        }
    }
}

/// The rows of a table whose first cell is a file in backticks.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect();
    text.lines().filter(|line| line.starts_with("| `")).map(cells).collect()
}

#[test]
fn examples_do_as_the_page_says() {
    let mut listed = BTreeSet::new();
    for row in rows(&read(&root().join("docs/examples.md"))) {
        let [file, _, command, last] = &row[..] else { panic!("{row:?}") };
        assert!(read(&root().join("examples").join(file)).starts_with("// "), "{file} says what it teaches");
        let mut words: Vec<&str> = command.split_whitespace().skip(1).collect();
        // A debug build on a busy machine takes longer than the time limit of a user.
        words.extend((words[0] == "check").then_some("--timeout=10m"));
        let output = run_in(&root().join("examples"), &words, "");
        let line = output.stdout.lines().last().unwrap_or_default();
        assert!(line.starts_with(last.as_str()), "{command}: {line}\n{}", output.stderr);
        listed.insert(file.clone());
    }
    for file in files("examples", "c").into_iter().chain(files("examples", "bpl")) {
        assert!(listed.contains(&name(&file)), "docs/examples.md does not have {}", name(&file));
    }
    assert!(listed.len() >= 10);
}

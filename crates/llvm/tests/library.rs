//! The table of the C library: `docs/c.md` lists its rows, and no other source looks for its functions by name.
//!
//! `LARIAT_DOCS=update` writes the list.

use std::fs;
use std::path::{Path, PathBuf};

use lariat_llvm::library::{Operation, Returns, Row, Semantics, TABLE, named};

const START: &str = "<!-- The rows of the table; written by the tests of lariat-llvm. -->\n";
const END: &str = "<!-- The end of the table. -->\n";

/// What a call does, in words.
fn words(row: &Row) -> String {
    let mut words = match row.semantics {
        Semantics::Builtin(Operation::Exit { .. }) => "ends the program".to_owned(),
        Semantics::Builtin(Operation::Abort) => "ends the execution".into(),
        Semantics::Builtin(Operation::AssertionFails) => "a failed assertion".into(),
        Semantics::Builtin(_) | Semantics::Model(_) => "modelled".into(),
        Semantics::Output(_) => "reads what it prints".into(),
        Semantics::Effectless => "changes nothing".into(),
        Semantics::Approximate => "any value; errors behind it are not reported".into(),
        Semantics::Unsupported => "not supported".into(),
    };
    words += &match row.returns {
        Returns::Any => String::new(),
        Returns::STATUS => "; 0 or -1".into(),
        Returns::COUNT => "; at least -1".into(),
        Returns::NATURAL => "; at least 0".into(),
        Returns::FAILURE => "; -1, if it returns".into(),
        Returns::Between(least, i64::MAX) => format!("; at least {least}"),
        Returns::Between(least, most) => format!("; {least} to {most}"),
        Returns::Printed => "; the number of characters, or negative".into(),
        Returns::Character(_) => "; the character, or `EOF`".into(),
    };
    if let Some(assumes) = row.assumes {
        words += &format!("; assumed: {assumes}");
    }
    words
}

/// The names of a row, as a text shows them.
fn names(row: &Row) -> Vec<String> {
    let families = row.families().filter(|name| !name.starts_with("__lariat_"));
    families.map(|name| if row.is_typed() { format!("`{name}`…") } else { format!("`{name}`") }).collect()
}

fn list() -> String {
    let mut text = String::from("| header | functions | a call |\n|---|---|---|\n");
    for header in TABLE {
        let mut seen: Vec<(String, Vec<String>)> = Vec::new();
        for row in header.rows {
            let words = words(row);
            match seen.iter_mut().find(|(other, _)| *other == words) {
                Some((_, all)) => all.extend(names(row)),
                None => seen.push((words, names(row))),
            }
        }
        let mut first = header.name;
        for (words, mut names) in seen.into_iter().filter(|(_, names)| !names.is_empty()) {
            names.sort_by_key(|name| name.split('`').nth(1).map(str::to_owned));
            text += &format!("| {first} | {} | {words} |\n", names.join(" "));
            first = "";
        }
    }
    text
}

#[test]
fn the_documentation_lists_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c.md");
    let text = fs::read_to_string(&path).expect("docs/c.md is there");
    let (before, rest) = text.split_once(START).expect("where the list starts");
    let (_, after) = rest.split_once(END).expect("where the list ends");
    let new = format!("{before}{START}\n{}\n{END}{after}", list());
    if std::env::var_os("LARIAT_DOCS").is_some_and(|what| what == "update") {
        fs::write(&path, new).expect("docs/c.md can be written");
    } else {
        assert!(text == new, "docs/c.md is not what the table says: run this test with LARIAT_DOCS=update");
    }
}

/// All files of Rust below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are there").flatten() {
        let path = entry.path();
        match path.extension() {
            _ if path.is_dir() => sources(&path, found),
            Some(ending) if ending == "rs" => found.push(path),
            _ => {}
        }
    }
}

/// Whoever wants to know something of a function asks the table, and matches on what that says.
#[test]
fn no_other_source_looks_for_a_name() {
    // LLVM's words, and those of verifiers, are other names; so are those of tests.
    let other = ["library", "intrinsics.rs", "vectors.rs", "verifier.rs", "tests.rs"];
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    for path in files.iter().filter(|path| !path.components().any(|c| other.iter().any(|o| c.as_os_str() == *o))) {
        let text = fs::read_to_string(path).expect("a file");
        let parts: Vec<&str> = text.split("#[cfg(test)]").next().unwrap_or("").split('"').collect();
        for part in parts.windows(3) {
            let [before, literal, after] = part else { continue };
            let (before, after) = (before.trim_end(), after.trim_start());
            let compared = ["==", "!=", "|"].iter().any(|op| before.ends_with(op))
                || ["=>", "|"].iter().any(|op| after.starts_with(op));
            assert!(!compared || named(literal).is_none(), "{}: {literal} belongs to the table", path.display());
        }
    }
}

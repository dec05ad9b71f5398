//! Defaults from `.lariat.toml`: options that are put in front of those of the command line.
//!
//! The file is looked for in the working folder and those above it, up to the root of the repository. It is the part of TOML
//! that options need: tables, keys with strings, numbers, Booleans and arrays of them, and comments.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

pub const NAME: &str = ".lariat.toml";

/// What `lariat init` writes.
pub const TEMPLATE: &str = "\
# Defaults of Lariat for this folder and those below it: the long options of the command line without their hyphens.
# What the command line says counts instead.

[program]                          # all commands that read programs
# property = [\"assert\", \"memsafety\"]
# data-model = \"LP64\"
# cflags = \"-std=c11 -Iinclude\"
# compile-commands = \"compile_commands.json\"

[check]                            # check, replay and summarize
# timeout = \"5m\"
# trace = \"brief\"
";

/// The tables that apply to a command.
fn tables(command: &str) -> &'static [&'static str] {
    match command {
        "check" | "replay" | "summarize" | "verify-certificate" => &["program", "check"],
        "parse" | "show" => &["program"],
        "run" => &["program", "run"],
        _ => &[],
    }
}

/// The arguments with the defaults of the nearest file, or what is wrong with that.
pub fn with_defaults(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    // Options of the whole program may stand before the command.
    let command = arguments.iter().skip(1).position(|word| !word.to_string_lossy().starts_with('-')).map(|at| at + 1);
    let Some(at) = command else { return Ok(arguments) };
    let tables = tables(&arguments[at].to_string_lossy());
    let found = if tables.is_empty() { None } else { std::env::current_dir().ok().and_then(|dir| nearest(&dir)) };
    let Some(path) = found else { return Ok(arguments) };
    let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let entries = parse(&text).map_err(|(line, why)| format!("{}:{line}: {why}", path.display()))?;
    let (before, after) = arguments.split_at(at + 1);
    let given = |option: &str| {
        let is = |word: &OsString| {
            let word = word.to_string_lossy();
            word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
        };
        after.iter().any(is)
    };
    let mut all = before.to_vec();
    for Entry { key, values, .. } in entries.iter().filter(|entry| tables.contains(&entry.table.as_str())) {
        let option = format!("--{key}");
        if given(&option) {
            continue;
        }
        for value in values {
            match value.as_str() {
                "true" => all.push(option.clone().into()),
                "false" => {}
                value => all.push(format!("{option}={value}").into()),
            }
        }
    }
    all.extend(after.iter().cloned());
    Ok(all)
}

/// The file that holds for a folder.
pub fn nearest(from: &Path) -> Option<PathBuf> {
    for folder in from.ancestors() {
        let file = folder.join(NAME);
        if file.is_file() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// A key of a table with its values.
#[derive(Debug, PartialEq)]
struct Entry {
    table: String,
    key: String,
    values: Vec<String>,
}

fn parse(text: &str) -> Result<Vec<Entry>, (usize, String)> {
    let (mut entries, mut table) = (Vec::new(), String::new());
    for (number, line) in text.lines().enumerate() {
        let wrong = |why: &str| (number + 1, why.to_owned());
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            if !["program", "check", "run"].contains(&name.trim()) {
                return Err(wrong("there are the tables [program], [check] and [run]"));
            }
            table = name.trim().to_owned();
            continue;
        }
        let (key, value) = line.split_once('=').ok_or_else(|| wrong("expected `key = value`"))?;
        if table.is_empty() {
            return Err(wrong("a key stands in a table: [program], [check] or [run]"));
        }
        let values = match value.trim().strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
            Some(Some(list)) => items(list).iter().map(|item| scalar(item)).collect::<Option<Vec<_>>>(),
            Some(None) => None,
            None => scalar(value.trim()).map(|value| vec![value]),
        };
        let values =
            values.ok_or_else(|| wrong("expected a string, a number, a Boolean, or an array of them in one line"))?;
        entries.push(Entry { table: table.clone(), key: key.trim().to_owned(), values });
    }
    Ok(entries)
}

/// A line up to its comment.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (i, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..i],
            _ => {}
        }
    }
    line
}

/// The parts between commas that are not in quotes.
fn items(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut quoted) = (Vec::new(), 0, false);
    for (i, c) in list.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                items.push(list[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    items.push(list[start..].trim());
    items.retain(|item| !item.is_empty());
    items
}

fn scalar(text: &str) -> Option<String> {
    if let Some(inner) = text.strip_prefix('"') {
        return inner.strip_suffix('"').filter(|inner| !inner.contains(['"', '\\'])).map(str::to_owned);
    }
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c));
    plain.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(table: &str, key: &str, values: &[&str]) -> Entry {
        let values = values.iter().map(ToString::to_string).collect();
        Entry { table: table.into(), key: key.into(), values }
    }

    #[test]
    fn tables_keys_and_values() {
        let text = "# all\n[program]\nproperty = [\"assert\", \"no-overflow\"] # two\ncflags = \"-DX=#1 -Iy\"\n[check]\nbound = 3\nstats = true\n";
        let expected = [
            entry("program", "property", &["assert", "no-overflow"]),
            entry("program", "cflags", &["-DX=#1 -Iy"]),
            entry("check", "bound", &["3"]),
            entry("check", "stats", &["true"]),
        ];
        assert_eq!(parse(text).unwrap(), expected);
        assert_eq!(parse(TEMPLATE), Ok(Vec::new()));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        assert_eq!(parse("[program]\nx\n").unwrap_err().0, 2);
        assert!(parse("x = 1\n").unwrap_err().1.contains("table"));
        assert!(
            parse("[other]\n").is_err() && parse("[check]\nx = [1\n").is_err() && parse("[check]\nx = \"\n").is_err()
        );
    }
}

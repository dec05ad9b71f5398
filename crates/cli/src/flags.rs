//! Options of C compilers on the command line: those that compilers share are taken as they are, and everything after `--`
//! goes to clang.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value as Json;

/// The option that carries one argument for clang.
const CARRIER: &str = "--cflag";

/// Options that one more argument belongs to.
const WITH_ARGUMENT: [&str; 6] = ["-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-U"];

/// Is this an option of compilers that changes what a program means, or that is harmless?
fn is_compiler_option(word: &str) -> bool {
    let prefixes = [
        "-std=",
        "-U",
        "-W",
        "-f",
        "-O",
        "-march=",
        "-mtune=",
        "-include",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-imacros",
    ];
    let words = [
        "-m32",
        "-m64",
        "-ansi",
        "-pedantic",
        "-pedantic-errors",
        "-pthread",
        "-g",
        "-w",
        "-nostdinc",
        "-trigraphs",
        "-undef",
    ];
    words.contains(&word) || prefixes.iter().any(|prefix| word.starts_with(prefix))
}

/// The arguments with compilers' options as values of an option of ours.
pub fn rewrite(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    let carry = |out: &mut Vec<OsString>, word: &OsStr| {
        let mut carried = OsString::from(format!("{CARRIER}="));
        carried.push(word);
        out.push(carried);
    };
    let mut arguments = arguments;
    out.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let word = argument.to_string_lossy().into_owned();
        if word == "--" {
            arguments.by_ref().for_each(|rest| carry(&mut out, &rest));
        } else if word == "--cflags" {
            out.push(argument);
            out.extend(arguments.next());
        } else if is_compiler_option(&word) {
            carry(&mut out, &argument);
            if WITH_ARGUMENT.contains(&word.as_str())
                && let Some(next) = arguments.next()
            {
                carry(&mut out, &next);
            }
        } else {
            out.push(argument);
        }
    }
    out
}

/// Splits a text into words as a shell does: blanks, quotes and backslashes.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('"'), '\\') | (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => found.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word);
    found
}

/// The options of some files in a compilation database; they must be the same for all of them.
pub fn of_database(database: &Path, files: &[PathBuf]) -> Result<Vec<String>, String> {
    let name = database.display();
    let text = fs::read_to_string(database).map_err(|error| format!("cannot read {name}: {error}"))?;
    let json: Json = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    let commands = json.as_array().ok_or_else(|| format!("{name}: expected an array of commands"))?;
    let mut found: Option<Vec<String>> = None;
    for file in files {
        let wanted = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        let options = commands.iter().find_map(|command| options_of(command, &wanted));
        let options = options.ok_or_else(|| format!("{name} has no command for {}", file.display()))?;
        match &found {
            Some(others) if *others != options => {
                return Err(format!(
                    "{name}: the options of {} differ from those of the files before it",
                    file.display()
                ));
            }
            _ => found = Some(options),
        }
    }
    Ok(found.unwrap_or_default())
}

/// The options of a command, if it compiles this file.
fn options_of(command: &Json, wanted: &Path) -> Option<Vec<String>> {
    let directory = Path::new(command["directory"].as_str().unwrap_or("."));
    let file = directory.join(command["file"].as_str()?);
    let same = |path: &Path| fs::canonicalize(path).is_ok_and(|path| path == wanted);
    if !same(&file) {
        return None;
    }
    let arguments: Vec<String> = match &command["arguments"] {
        Json::Array(list) => list.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        _ => words(command["command"].as_str()?),
    };
    let mut options = Vec::new();
    let mut arguments = arguments.into_iter().skip(1);
    while let Some(word) = arguments.next() {
        let absolute = |path: &str| directory.join(path).to_string_lossy().into_owned();
        match word.as_str() {
            "-c" | "-S" | "-E" | "-MD" | "-MMD" | "-MP" | "--" => {}
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" => _ = arguments.next(),
            "-I" | "-isystem" | "-iquote" | "-idirafter" | "-include" | "-imacros" => {
                let path = arguments.next()?;
                options.extend([word, absolute(&path)]);
            }
            _ if word.starts_with("-I") => options.push(format!("-I{}", absolute(&word[2..]))),
            _ if word.starts_with("-o") || same(&directory.join(&word)) => {}
            _ => options.push(word),
        }
    }
    Some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(line: &str) -> Vec<String> {
        let all = rewrite(line.split(' ').map(OsString::from));
        all.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn compilers_options_are_carried() {
        let line =
            "lariat check a.c -std=c99 -I inc -include x.h -m32 -Wall -U NAME -v --cflags -fno-common -- -DX=1 b";
        let expected = [
            "lariat",
            "check",
            "a.c",
            "--cflag=-std=c99",
            "-I",
            "inc",
            "--cflag=-include",
            "--cflag=x.h",
            "--cflag=-m32",
            "--cflag=-Wall",
            "--cflag=-U",
            "--cflag=NAME",
            "-v",
            "--cflags",
            "-fno-common",
            "--cflag=-DX=1",
            "--cflag=b",
        ];
        assert_eq!(rewritten(line), expected);
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(words(r#"-DA="x y"  -DB='a b' c\ d ''"#), ["-DA=x y", "-DB=a b", "c d", ""]);
    }

    #[test]
    fn a_database_has_the_options_of_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let (file, database) = (dir.path().join("a.c"), dir.path().join("compile_commands.json"));
        fs::write(&file, "").unwrap();
        let entry = serde_json::json!([{ "directory": dir.path(), "file": "a.c",
            "command": "cc -Iinc -DX=\\\"y\\\" -c a.c -o a.o -MF a.d -std=c11" }]);
        fs::write(&database, entry.to_string()).unwrap();
        let options = of_database(&database, &[file]).unwrap();
        let include = format!("-I{}", dir.path().join("inc").display());
        assert_eq!(options, [include.as_str(), "-DX=\"y\"", "-std=c11"]);
        assert!(of_database(&database, &[dir.path().join("b.c")]).unwrap_err().contains("no command for"));
    }
}

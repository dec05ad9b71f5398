//! Runs the `lariat` binary on files in a directory of their own.

#![allow(dead_code)] // each test file uses a part of it

use std::{
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A directory for the files of a test, where commands are run; it is removed at the end.
pub struct Dir(tempfile::TempDir);

/// What a command did.
#[derive(Debug)]
pub struct Output {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Dir {
    /// An empty directory.
    pub fn new() -> Dir {
        Dir(tempfile::tempdir().expect("a temporary directory"))
    }

    /// A directory with one file.
    pub fn with(name: &str, text: impl AsRef<[u8]>) -> Dir {
        let dir = Dir::new();
        dir.write(name, text);
        dir
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and makes the folders that it is in.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
        fs::write(&path, text).expect("the file can be written");
        path
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("the file can be read")
    }

    /// Runs `lariat` here.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        self.run_with(args, "")
    }

    /// Runs `lariat` here with these environment variables.
    pub fn run_where<S: AsRef<OsStr>>(&self, args: &[S], variables: &[(&str, &str)]) -> Output {
        run(self.path(), args, "", variables)
    }

    /// Runs `lariat` here with this standard input.
    pub fn run_with<S: AsRef<OsStr>>(&self, args: &[S], stdin: &str) -> Output {
        run_in(self.path(), args, stdin)
    }
}

/// As many as are too many.
pub const MANY: usize = 100_000;

/// What `lariat parse` says of a text in a file of this name.
pub fn parse(name: &str, text: impl AsRef<[u8]>) -> Output {
    Dir::with(name, text).run(&["parse", name])
}

/// `lariat parse` has nothing to say of a text.
#[track_caller]
pub fn accepted(name: &str, text: impl AsRef<[u8]>) {
    let output = parse(name, text);
    output.code(0);
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
}

/// One error with this message at this place.
#[track_caller]
pub fn rejected(name: &str, text: impl AsRef<[u8]>, place: &str, message: &str) {
    let output = parse(name, text);
    output.code(2).says(message).points_at(&format!("{name}:{place}"));
    assert_eq!((output.errors(), output.stdout.as_str()), (1, ""), "{:.2000}", output.stderr);
}

/// Runs `lariat` in a directory.
pub fn run_in<S: AsRef<OsStr>>(dir: &Path, args: &[S], stdin: &str) -> Output {
    run(dir, args, stdin, &[])
}

fn run<S: AsRef<OsStr>>(dir: &Path, args: &[S], stdin: &str, variables: &[(&str, &str)]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(args)
        .current_dir(dir)
        .env_remove("RUST_BACKTRACE")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR")
        .env("COLUMNS", "100")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat can be started");
    // A command that does not read its input closes it early, which is fine.
    let _ = child.stdin.take().expect("piped").write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("lariat can be waited for");
    let result = Output {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the messages are UTF-8"),
    };
    assert!(!result.stderr.contains("panicked"), "a panic:\n{}", result.stderr);
    assert!(!result.stderr.contains("error: internal error"), "{}", result.stderr);
    assert_ne!(result.code, None, "a signal ended lariat: {:?}\n{}", output.status, result.stderr);
    result
}

impl Output {
    /// Checks the exit code, and that nothing else was said if it is 0.
    #[track_caller]
    pub fn code(&self, code: i32) -> &Output {
        let head = |text: &str| text.chars().take(2000).collect::<String>();
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", head(&self.stdout), head(&self.stderr));
        self
    }

    /// How many errors were shown.
    pub fn errors(&self) -> usize {
        self.stderr.lines().filter(|line| line.starts_with("error")).count()
    }

    /// Checks that standard error says something.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Output {
        let head: String = self.stderr.chars().take(2000).collect();
        assert!(self.stderr.contains(text), "expected {text:?} in:\n{head}");
        self
    }

    /// Checks that a diagnostic is at a place, with the line and a caret below.
    #[track_caller]
    pub fn points_at(&self, place: &str) -> &Output {
        let mut lines = self.stderr.lines().skip_while(|line| !line.ends_with(&format!("--> {place}")));
        let head: String = self.stderr.chars().take(2000).collect();
        assert!(lines.next().is_some(), "no diagnostic at {place}:\n{head}");
        assert!(lines.take(3).any(|line| line.contains('^')), "no caret for {place}:\n{head}");
        self
    }
}

//! Reads input files, with limits, so that a huge or odd file gets a clear message.

use std::{
    fmt::{self, Write},
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lariat_boogie::{
    analyze::{self, Analysis, Library, Source, analyze},
    check::{self, ModifiesMode},
    compile::compile_analysis,
    lower::{LowerOptions, Mode, entry_of},
};
use lariat_llvm::assumptions::Assumptions;
use lariat_program::{
    Program, RegionId, RegionTracer, Stage, Tracer, Violation, check_pass, extract_loops, name_matches, text, verify,
};
use lariat_source::{DiagnosticKind, Diagnostics, SourceMap, Span};
use lariat_term::Terms;

use crate::{
    args::{Input, Lib, Modifies},
    c,
    diag::Reporter,
    exit::Exit,
};

/// A program that is ready to be shown or run.
pub struct Loaded {
    /// Its terms.
    pub terms: Terms,
    /// The program, with loops as regions (or cut, in modular mode).
    pub program: Program,
    /// What shows its runs in terms of the source.
    pub tracer: Box<dyn Tracer>,
    /// For C: what was assumed about its environment.
    pub assumptions: Option<Assumptions>,
    /// How long a compiler took.
    pub compiler: Duration,
}

/// Reads, checks and translates the files of the command line, shows what is wrong with them, and makes regions of loops.
/// For C, execution starts in the functions that `entries` names (`main` if none is named), and the compiler has time
/// until the deadline.
pub fn program(
    input: &Input,
    entries: &[String],
    deadline: Option<Instant>,
    reporter: &Reporter,
) -> Result<Loaded, Exit> {
    let mut loaded = translated(input, entries, deadline, reporter)?;
    let Loaded { program, terms, .. } = &mut loaded;
    // Where procedures of Boogie are checked on their own, loops were cut at their invariants.
    let cut = input.modular && !input.files.iter().any(|path| is_textual(path));
    if !cut {
        extract_loops(program, terms);
    }
    check_pass("loops", program, terms, Stage::Regions);
    Ok(loaded)
}

/// What a front end makes of the files.
fn translated(
    input: &Input,
    entries: &[String],
    deadline: Option<Instant>,
    reporter: &Reporter,
) -> Result<Loaded, Exit> {
    if let Some(message) = input.files.iter().find_map(|path| c::foreign(path)) {
        reporter.error(&message);
        return Err(Exit::Usage);
    }
    options_fit(input, reporter)?;
    if c::is_given(input) || input.files.iter().any(|path| c::is_c(path)) {
        return c::program(input, entries, deadline, reporter);
    }
    if input.files.iter().any(|path| is_textual(path)) {
        let [path] = &input.files[..] else {
            reporter.error("a .lir file is a whole program: it cannot be combined with other files");
            return Err(Exit::Usage);
        };
        return textual(path, reporter);
    }
    let analysis = analyzed(input, reporter)?;
    let mode = if input.modular { Mode::Modular } else { Mode::Reach };
    let mut terms = Terms::new();
    let (program, diagnostics) = compile_analysis(&analysis, &mut terms, &LowerOptions { mode, ..Default::default() });
    reporter.diagnostics(&diagnostics, &analysis.sources);
    match program {
        Some(program) => {
            Ok(Loaded { terms, program, tracer: Box::new(RegionTracer), assumptions: None, compiler: Duration::ZERO })
        }
        None => Err(Exit::Input),
    }
}

/// Whether a file holds a program in the textual form.
pub fn is_textual(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "lir")
}

/// An option that says nothing about these files is an error: whoever gives it expects it to count.
fn options_fit(input: &Input, reporter: &Reporter) -> Result<(), Exit> {
    let c = &input.c;
    let (others, language) = if c::is_given(input) || input.files.iter().any(|path| c::is_c(path)) {
        let boogie = vec![
            ("--lib", !input.lib.is_empty()),
            ("--modifies", input.modifies != Modifies::Auto),
            ("--modular", input.modular),
        ];
        (boogie, "Boogie")
    } else {
        let c = vec![
            ("--property", !c.property.is_empty()),
            ("--data-model", c.data_model.is_some()),
            ("-I", !c.include.is_empty()),
            ("-D", !c.define.is_empty()),
            ("--cflags", !c.cflags.is_empty()),
            ("--compile-commands", c.compile_commands.is_some()),
            ("--clang", c.clang.is_some()),
            ("--malloc-may-fail", c.malloc_may_fail),
            ("--volatile", c.volatile.is_some()),
            ("--mmio", !c.mmio.is_empty()),
            ("--undefined", c.undefined.is_some()),
        ];
        (c, "C")
    };
    match others.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            reporter.error(&format!("{option} is for {language} programs"));
            Err(Exit::Usage)
        }
        None => Ok(()),
    }
}

/// Reads and checks the Boogie files of the command line, and shows what is wrong with them.
pub fn boogie(input: &Input, reporter: &Reporter) -> Result<Analysis, Exit> {
    options_fit(input, reporter)?;
    let analysis = analyzed(input, reporter)?;
    reporter.diagnostics(&analysis.diagnostics, &analysis.sources);
    if analysis.is_ok() { Ok(analysis) } else { Err(Exit::Input) }
}

/// Reads and checks the Boogie files; errors in them are part of the result.
fn analyzed(input: &Input, reporter: &Reporter) -> Result<Analysis, Exit> {
    let mut sources = Vec::new();
    let mut failed = false;
    for path in &input.files {
        match read_text(path) {
            Ok(text) if path == Path::new("-") && looks_like_c(&text) && input.c.language.is_none() => {
                reporter
                    .error_with_hint("standard input looks like C, and is read as Boogie", "say -x c, or -x boogie");
                failed = true;
            }
            Ok(text) => sources.push(Source::new(path.display().to_string(), text)),
            Err(error) => {
                reporter.error(&error.to_string());
                failed = true;
            }
        }
    }
    if failed {
        return Err(Exit::Input);
    }
    let library = |lib: &Lib| match lib {
        Lib::Base => Library::Base,
        Lib::Node => Library::Node,
        Lib::SetSize => Library::SetSize,
    };
    let modifies = match input.modifies {
        Modifies::Auto => ModifiesMode::Auto,
        Modifies::Check => ModifiesMode::Check,
        Modifies::Infer => ModifiesMode::Infer,
    };
    let libraries = input.lib.iter().map(library).collect();
    Ok(analyze(sources, &analyze::Options { libraries, check: check::Options { modifies } }))
}

/// Whether a text is more likely C than Boogie.
fn looks_like_c(text: &str) -> bool {
    let c =
        |line: &str| ["#include", "#define", "int main(", "extern ", "typedef "].iter().any(|p| line.starts_with(p));
    text.lines().map(str::trim_start).any(c)
}

/// The regions to start in (at least one), or a message and a hint: the named procedure, else the
/// only entry of the program (one that is marked, or the only procedure with a body), else `main`.
pub fn entries(program: &Program, name: Option<&str>) -> Result<Vec<RegionId>, (String, String)> {
    if let Some(name) = name {
        let missing = || (format!("there is no procedure `{name}` with a body"), procedures(program));
        let caller = || entry_of(program, c::FUZZ_CALLER).filter(|_| name == c::FUZZ_ENTRY);
        return caller().or_else(|| entry_of(program, name)).map(|e| vec![e]).ok_or_else(missing);
    }
    match (&program.entries[..], entry_of(program, "main")) {
        ([only], _) => Ok(vec![*only]),
        (_, Some(main)) => Ok(vec![main]),
        _ => Err(("which procedure to start in? use --entry NAME".into(), procedures(program))),
    }
}

/// The entries whose procedures have names that fit a pattern (at least one), or a message and a hint.
pub fn matching(program: &Program, pattern: &str) -> Result<Vec<RegionId>, (String, String)> {
    let fits = |e: &RegionId| name_matches(pattern, procedure(program, *e));
    let found: Vec<RegionId> = program.entries.iter().copied().filter(fits).collect();
    if found.is_empty() {
        return Err((format!("no procedure is called {pattern}"), procedures(program)));
    }
    Ok(found)
}

/// The name of the procedure that an entry starts.
pub fn procedure(program: &Program, entry: RegionId) -> &str {
    let name = program.regions[entry.index()].name.as_str();
    name.strip_suffix("@entry").unwrap_or(name)
}

/// The first procedures that can be an entry, for messages.
pub fn procedures(program: &Program) -> String {
    let names: Vec<&str> = program.entries.iter().map(|&e| procedure(program, e)).take(10).collect();
    if names.is_empty() {
        "no procedure has a body".into()
    } else {
        format!("procedures with a body: {}", names.join(", "))
    }
}

fn textual(path: &Path, reporter: &Reporter) -> Result<Loaded, Exit> {
    let source = read_text(path).map_err(|error| {
        reporter.error(&error.to_string());
        Exit::Input
    })?;
    let mut terms = Terms::new();
    let name = path.display();
    match text::parse(&source, &mut terms) {
        Ok(program) => {
            verify(&program, &terms, Stage::Graph).map_err(|violations| {
                violations.iter().for_each(|v| reporter.error(&format!("{name}: {}", violation(&program, v))));
                Exit::Input
            })?;
            Ok(Loaded { terms, program, tracer: Box::new(RegionTracer), assumptions: None, compiler: Duration::ZERO })
        }
        Err(errors) => {
            let mut map = SourceMap::new();
            let file = map.add(name.to_string(), source).ok().map(|id| map.file(id).clone());
            let mut diagnostics = Diagnostics::new();
            for e in errors {
                let offset = file.as_ref().map_or(0, |f| f.offset(e.line, e.column));
                diagnostics.error(DiagnosticKind::Parse, Span::new(offset, offset + 1), e.message);
            }
            reporter.diagnostics(&diagnostics, &map);
            Err(Exit::Input)
        }
    }
}

/// A broken rule and where, in the names of the program.
fn violation(program: &Program, violation: &Violation) -> String {
    let mut text = violation.message.clone();
    let Some(region) = violation.place.region.and_then(|region| program.regions.get(region.index())) else {
        return text;
    };
    if let Some(stmt) = violation.place.stmt {
        let _ = write!(text, ", in statement {}", stmt + 1);
    }
    if let Some(block) = violation.place.block.and_then(|block| region.blocks.get(block.index())) {
        let _ = write!(text, ", in block `{}`", block.label);
    }
    let _ = write!(text, " of `{}`", region.name);
    text
}

/// Files above this size are refused: the front end would need gigabytes for them.
pub const MAX_FILE: u64 = 128 << 20;

/// Why a file cannot be read as text.
#[derive(Debug)]
pub enum LoadError {
    /// The system says no.
    Io(PathBuf, io::Error),
    /// A directory where a file is wanted.
    Directory(PathBuf),
    /// Above [`MAX_FILE`].
    TooLarge(PathBuf),
    /// Not UTF-8; the offset, line and column of the first bad byte.
    NotUtf8(PathBuf, usize, usize, usize),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            LoadError::Directory(path) => write!(f, "cannot read {}: it is a directory", path.display()),
            LoadError::TooLarge(path) => {
                write!(f, "{} is too large: the limit is {} MiB", path.display(), MAX_FILE >> 20)
            }
            LoadError::NotUtf8(path, offset, line, column) => {
                let path = path.display();
                write!(f, "{path}:{line}:{column}: not a text file: the byte at offset {offset} is not UTF-8")
            }
        }
    }
}

/// The text of a file, or of standard input for `-`.
pub fn read_text(path: &Path) -> Result<String, LoadError> {
    let io = |error| LoadError::Io(path.to_owned(), error);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io)?;
    } else {
        let file = File::open(path).map_err(io)?;
        let meta = file.metadata().map_err(io)?;
        if meta.is_dir() {
            return Err(LoadError::Directory(path.to_owned()));
        }
        if meta.len() > MAX_FILE {
            return Err(LoadError::TooLarge(path.to_owned()));
        }
        bytes.reserve_exact(meta.len() as usize + 1);
        // A device or a growing file may hold more than its size says.
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io)?;
    }
    if bytes.len() as u64 > MAX_FILE {
        return Err(LoadError::TooLarge(path.to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = at - before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1) + 1;
        LoadError::NotUtf8(path.to_owned(), at, line, column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(path: &Path) -> String {
        read_text(path).unwrap_err().to_string()
    }

    #[test]
    fn odd_files_get_clear_messages() {
        let dir = tempfile::tempdir().unwrap();
        assert!(message(dir.path()).ends_with("it is a directory"));
        assert!(message(&dir.path().join("none")).starts_with("cannot read "));
        let bad = dir.path().join("bad");
        std::fs::write(&bad, b"ab\ncd\xff").unwrap();
        assert!(message(&bad).contains(":2:3: not a text file: the byte at offset 5"));
        let large = dir.path().join("large");
        File::create(&large).unwrap().set_len(MAX_FILE + 1).unwrap();
        assert!(message(&large).ends_with("is too large: the limit is 128 MiB"));
        let good = dir.path().join("good");
        std::fs::write(&good, "λ").unwrap();
        assert_eq!(read_text(&good).unwrap(), "λ");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_endless_device_is_too_large() {
        assert!(message(Path::new("/dev/zero")).contains("too large"));
    }
}

//! Native replay of C programs: the program is built with its inputs as they were reported, with sanitizers where there are
//! any, and run.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use lariat_llvm::driver::{Clang, put_headers};
use lariat_program::{AssertKind, Detail};
use lariat_source::{SourceTrace, Step, StepKind};
use lariat_verify::Bug;
use serde_json::{Value as Json, json};

use crate::{
    args::{Input, Model},
    c::FUZZ_CALLER,
    harness::{self, Harness},
    load, stdin,
    trace::{self, View},
};

/// How long a program may run, and how long a compiler.
const RUN: Duration = Duration::from_secs(10);
const BUILD: Duration = Duration::from_secs(120);

const SANITIZERS: [&str; 3] = [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=undefined,float-cast-overflow",
    "-fno-common",
];

/// What a native execution has shown.
pub struct Native {
    pub confirmed: bool,
    /// One line for people.
    pub text: String,
    /// Where the harness is, if it was to be kept.
    pub folder: Option<PathBuf>,
}

impl Native {
    /// The result as JSON.
    pub fn as_json(&self) -> Json {
        json!({ "confirmed": self.confirmed, "message": self.text, "folder": self.folder.as_ref().map(|f| f.to_string_lossy()) })
    }
}

/// Builds and runs the program with the inputs of a bug, in a folder that is kept or a temporary one.
pub fn replay(input: &Input, keep: Option<&Path>, view: View<'_>, bug: &Bug) -> Native {
    let not = |text: String| Native { confirmed: false, text, folder: keep.map(Path::to_path_buf) };
    let temporary = match keep {
        Some(folder) => fs::create_dir_all(folder).map(|()| None),
        None => tempfile::Builder::new().prefix("lariat-").tempdir().map(Some),
    };
    let temporary = match temporary {
        Ok(temporary) => temporary,
        Err(error) => return not(format!("not executed: the folder cannot be made: {error}")),
    };
    let folder = temporary.as_ref().map_or_else(|| keep.unwrap_or(Path::new(".")), |t| t.path());
    match build_and_run(input, folder, view, bug) {
        Ok(native) => Native { folder: keep.map(Path::to_path_buf), ..native },
        Err(why) => not(format!("not executed: {why}")),
    }
}

fn build_and_run(input: &Input, folder: &Path, view: View<'_>, bug: &Bug) -> Result<Native, String> {
    let source = |path: &PathBuf| path.extension().is_some_and(|e| e == "c" || e == "i");
    if let Some(other) = input.files.iter().find(|path| !source(path)) {
        return Err(format!("{} is no C", other.display()));
    }
    let trace = view.tracer.trace(view.program, view.terms, &bug.run, Detail { all: false, repeated: false });
    let assertion = &view.program.assertions[bug.assertion.index()];
    let failure = trace::failed(assertion, &trace);
    let entry = load::procedure(view.program, bug.entry);
    let absolute = |path: &PathBuf| fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()));
    let files: Vec<PathBuf> = input.files.iter().map(absolute).collect::<Result<_, _>>()?;
    let include = match &files[..] {
        [only] if entry != "main" && entry != FUZZ_CALLER => Some(only.to_string_lossy().into_owned()),
        _ => None,
    };
    let headers = folder.join("headers");
    fs::create_dir_all(&headers).map_err(|error| error.to_string())?;
    put_headers(&headers).map_err(|error| error.to_string())?;
    write(&folder.join("stdin.txt"), stdin::bytes(&trace))?;
    let mut stubs: Vec<String> = Vec::new();
    let mut last = String::from("there is no C compiler");
    for way in ways(input, assertion.kind) {
        // Functions that nothing defines are known by what the linker says.
        for _ in 0..2 {
            let harness = Harness { trace: &trace, failure: &failure, entry, include: include.clone(), stubs: &stubs };
            write(&folder.join("inputs.c"), harness::inputs(&harness))?;
            write(&folder.join("main.c"), harness::main(&harness))?;
            let built = build(input, &files, folder, &way, (entry, include.is_some()), Unset::Any);
            match built {
                Ok(()) => {
                    let mut native = judge(assertion.kind, &run(folder, Unset::Any)?, way.sanitized);
                    if !native.confirmed {
                        native = with_fills(input, &files, folder, &way, (entry, include.is_some()), assertion.kind)
                            .unwrap_or(native);
                    }
                    if !native.confirmed {
                        native.text.extend(doubts(&trace, assertion.kind, &native.text));
                    }
                    if way.wide {
                        native.text.push_str(" (built with 64 bits: there is no library for 32)");
                    }
                    return Ok(native);
                }
                Err(why) => {
                    let missing = undefined_symbols(&why);
                    last = why.lines().next().unwrap_or("the compiler failed").to_owned();
                    if missing.is_empty() || !stubs.is_empty() {
                        break;
                    }
                    stubs = missing;
                }
            }
        }
    }
    Err(last)
}

/// Once more, with memory that is never set being zero, and then a pattern: it may have any value, so this shows the failure, too.
fn with_fills(
    input: &Input,
    files: &[PathBuf],
    folder: &Path,
    way: &Way,
    entry: (&str, bool),
    kind: AssertKind,
) -> Option<Native> {
    [Unset::Zero, Unset::Pattern].into_iter().find_map(|unset| {
        build(input, files, folder, way, entry, unset).ok()?;
        let mut native = judge(kind, &run(folder, unset).ok()?, way.sanitized);
        let held = if unset == Unset::Zero { "is zero" } else { "has some pattern" };
        native.text.push_str(&format!(" (where memory that is never set {held})"));
        native.confirmed.then_some(native)
    })
}

/// Why an execution may not show what the reported one does.
fn doubts(trace: &SourceTrace, kind: AssertKind, said: &str) -> Option<&'static str> {
    let unset = |step: &Step| matches!(step.kind, StepKind::Unset { .. });
    let address = |input: &lariat_source::Input| input.value.starts_with(['&', '"']) || input.value.starts_with("0x");
    Some(if trace.steps.iter().any(unset) {
        " (the program reads what was never set)"
    } else if trace.inputs.iter().any(address) {
        " (an input is a pointer, whose value is another one natively)"
    } else if trace.dropped > 0 {
        " (the execution is long: the inputs may not be all)"
    } else if kind == AssertKind::User && said.contains("signal ") {
        " (before the failure, the program accesses memory that is not there: --property memsafety asks about that)"
    } else {
        return None;
    })
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What memory that is never set holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unset {
    Any,
    Zero,
    Pattern,
}

/// A way to build a program.
struct Way {
    compiler: PathBuf,
    sanitized: bool,
    /// With 64 bits, though 32 are asked for.
    wide: bool,
}

/// The ways in the order in which they are tried: with as many bits as asked for first, and with sanitizers where these are to
/// see the failure. An assertion fails without them, and they would end the program at something else.
fn ways(input: &Input, kind: AssertKind) -> Vec<Way> {
    let clang = Clang::find_named(input.c.clang.as_deref()).ok().map(|clang| clang.path().to_path_buf());
    let all: Vec<PathBuf> = clang.into_iter().chain(["gcc".into(), "cc".into()]).collect();
    let narrow = input.c.data_model == Some(Model::Ilp32) || crate::c::cflags(&input.c).iter().any(|f| f == "-m32");
    let mut ways = Vec::new();
    for wide in if narrow { &[false, true][..] } else { &[false] } {
        for sanitized in if kind == AssertKind::User { [false, true] } else { [true, false] } {
            ways.extend(all.iter().map(|compiler| Way { compiler: compiler.clone(), sanitized, wide: *wide }));
        }
    }
    ways
}

/// Options of the command line that other compilers know, too.
fn options(input: &Input, way: &Way) -> Vec<String> {
    let c = &input.c;
    let mut options: Vec<String> = ["-g", "-O0", "-w", "-fno-builtin"].map(String::from).to_vec();
    let ignored =
        ["LARIAT_invariant", "CPROVER_loop_invariant", "CPROVER_requires", "CPROVER_ensures", "CPROVER_assigns"];
    options.extend(ignored.map(|name| format!("-D__{name}(...)=")));
    options.extend(c.include.iter().map(|dir| format!("-I{}", dir.display())));
    options.extend(c.define.iter().map(|define| format!("-D{define}")));
    options.extend(crate::c::cflags(c));
    if c.data_model == Some(Model::Ilp32) {
        options.push("-m32".into());
    }
    options.retain(|option| !(way.wide && option == "-m32"));
    // Sanitizers see the bounds of variables only where these are not common.
    match way.sanitized {
        true => options.extend(SANITIZERS.map(String::from)),
        false => options.push("-fcommon".into()),
    }
    options
}

fn build(
    input: &Input,
    files: &[PathBuf],
    folder: &Path,
    way: &Way,
    (entry, included): (&str, bool),
    unset: Unset,
) -> Result<(), String> {
    let mut options = options(input, way);
    options.extend(match unset {
        Unset::Any => None,
        Unset::Zero => Some("-ftrivial-auto-var-init=zero".to_owned()),
        Unset::Pattern => Some("-ftrivial-auto-var-init=pattern".to_owned()),
    });
    // Headers of other verifiers, where the program has none of its own.
    options.extend(["-idirafter".to_owned(), folder.join("headers").to_string_lossy().into_owned()]);
    let mut objects: Vec<PathBuf> = Vec::new();
    let compile = |file: &Path, object: &Path, more: &[&str]| {
        let mut command = Command::new(&way.compiler);
        command.args(&options).args(more).args(["-x", "c", "-c"]).arg(file).arg("-o").arg(object);
        step(command, folder)
    };
    for (i, file) in files.iter().enumerate().filter(|_| !included) {
        let object = folder.join(format!("program{i}.o"));
        let renamed: &[&str] = if entry == "main" { &["-Dmain=lariat_program_main"] } else { &[] };
        compile(file, &object, renamed)?;
        objects.push(object);
    }
    for name in ["inputs", "main"] {
        let object = folder.join(format!("{name}.o"));
        compile(&folder.join(format!("{name}.c")), &object, &[])?;
        objects.push(object);
    }
    // That `reach_error` is called is what counts, whatever the program does then.
    for object in objects.iter().filter(|object| !object.ends_with("inputs.o")) {
        let mut command = Command::new("objcopy");
        command.arg("--weaken-symbol=reach_error").arg(object);
        let _ = step(command, folder);
    }
    let mut command = Command::new(&way.compiler);
    command.args(&options).args(&objects).arg("-o").arg(folder.join("program")).arg("-lm");
    step(command, folder)
}

/// Runs one tool; what it says is the error.
fn step(command: Command, folder: &Path) -> Result<(), String> {
    let mut command = command;
    command.stdin(Stdio::null());
    let (status, said) = limited(command, folder, BUILD).map_err(|error| error.to_string())?;
    if status.is_some_and(|status| status.success()) { Ok(()) } else { Err(said) }
}

/// Runs a command for at most so long; its status (nothing if it had to be ended) and what it wrote to standard error.
fn limited(mut command: Command, folder: &Path, time: Duration) -> io::Result<(Option<ExitStatus>, String)> {
    let log = folder.join("stderr.txt");
    command.stdout(Stdio::null()).stderr(File::create(&log)?);
    let mut child = command.spawn()?;
    let end = Instant::now() + time;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = fs::read(&log)?;
    Ok((status, String::from_utf8_lossy(&said[..said.len().min(1 << 20)]).into_owned()))
}

/// The symbols that a linker does not find.
fn undefined_symbols(said: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in said.lines() {
        let Some((_, rest)) = line.split_once("undefined reference to ") else { continue };
        let name = rest.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if !name.is_empty()
            && !name.starts_with("__asan")
            && !name.starts_with("__ubsan")
            && !found.iter().any(|f| f == name)
        {
            found.push(name.to_owned());
        }
    }
    found
}

fn run(folder: &Path, unset: Unset) -> Result<(Option<ExitStatus>, String), String> {
    // In a folder of its own: what the program does to files is not the user's doing.
    let folder = &fs::canonicalize(folder).map_err(|error| error.to_string())?;
    let files = folder.join("files");
    fs::create_dir_all(&files).map_err(|error| error.to_string())?;
    let mut command = Command::new(folder.join("program"));
    command.current_dir(files);
    let mut sanitizer = String::from("detect_leaks=1:detect_stack_use_after_return=1");
    // The C library fills blocks with the complement of the byte that it is given.
    let fill = match unset {
        Unset::Any => None,
        Unset::Zero => Some((0, 0xff)),
        Unset::Pattern => Some((0xaa, 0x55)),
    };
    if let Some((byte, complement)) = fill {
        sanitizer.push_str(&format!(":max_malloc_fill_size=1073741824:malloc_fill_byte={byte}"));
        command.env("MALLOC_PERTURB_", format!("{complement}"));
    }
    let text = File::open(folder.join("stdin.txt")).map_err(|error| error.to_string())?;
    command.stdin(text).env("ASAN_OPTIONS", sanitizer).env("UBSAN_OPTIONS", "print_stacktrace=0");
    limited(command, folder, RUN).map_err(|error| error.to_string())
}

/// What an execution has shown about a failure of some kind.
fn judge(kind: AssertKind, (status, said): &(Option<ExitStatus>, String), sanitized: bool) -> Native {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.and_then(|status| status.signal());
    let starts = ["ERROR: ", "runtime error: ", "Assertion ", harness::FAILED, "AddressSanitizer"];
    let line = starts.iter().find_map(|start| {
        let line = said.lines().find(|line| line.contains(start))?;
        line.find(start).map(|at| line[at..].to_owned())
    });
    let shown = |line: String| {
        let line = line.trim_start_matches("ERROR: ").trim_start_matches(harness::FAILED);
        line.split(" on ").next().unwrap_or(line).trim().to_owned()
    };
    let what = line.map(shown).or_else(|| signal.map(|signal| format!("signal {signal}")));
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    const ABORT: i32 = 6;
    let confirmed = match kind {
        AssertKind::User => has(&["Assertion", harness::FAILED]) || signal == Some(ABORT),
        AssertKind::Leak => has(&["LeakSanitizer"]),
        _ => has(&["AddressSanitizer", "runtime error"]) || signal.is_some_and(|signal| signal != ABORT),
    };
    let text = match (confirmed, what, status) {
        (true, what, _) => format!("confirmed by execution: {}", what.unwrap_or_default()),
        (_, _, None) => format!("not confirmed: the program was still running after {} s", RUN.as_secs()),
        _ if said.contains(harness::BLOCKED) => "not confirmed: in the execution, an assumption does not hold".into(),
        (_, Some(what), _) => format!("not confirmed: the execution failed otherwise: {what}"),
        (_, None, Some(status)) => {
            let why = if sanitized || kind == AssertKind::User { "" } else { ", and no sanitizers could be linked" };
            format!("not confirmed: the execution ended with {status}{why}")
        }
    };
    Native { confirmed, text, folder: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_functions_are_found_in_what_linkers_say() {
        let said = "x.o: in function `main':\nx.c:3: undefined reference to `sensor'\nundefined reference to `sensor'\n\
                    undefined reference to `__asan_init'\n";
        assert_eq!(undefined_symbols(said), ["sensor"]);
    }

    #[test]
    fn an_execution_confirms_what_it_shows() {
        let seen = (None, "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc\n".to_owned());
        let native = judge(AssertKind::Deref, &seen, true);
        assert_eq!(
            (native.confirmed, native.text.as_str()),
            (true, "confirmed by execution: AddressSanitizer: heap-use-after-free")
        );
        assert!(!judge(AssertKind::Leak, &seen, true).confirmed);
        assert!(!judge(AssertKind::User, &(None, String::new()), true).confirmed);
    }
}

//! Loads C programs.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use lariat_llvm::{
    compile::{CompileError, Compiled, Options, compile},
    driver::{self, DataModel, DriverError},
    translate::{self, Properties, TranslateError},
};
use lariat_term::Terms;

use crate::{
    args::{CInput, Input, Language, Model, Undefined, Volatile},
    console,
    diag::Reporter,
    exit::Exit,
    flags,
    load::{self, Loaded},
};

/// Whether a file is C or LLVM IR.
pub fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["c", "i", "ll", "bc"].iter().any(|known| e == *known))
}

/// Whether the command line says that standard input is C.
pub fn is_given(input: &Input) -> bool {
    input.c.language == Some(Language::C)
}

/// Compiles and translates the files of the command line, and shows what is wrong with them.
pub fn program(
    input: &Input,
    entries: &[String],
    deadline: Option<Instant>,
    reporter: &Reporter,
) -> Result<Loaded, Exit> {
    let other = |path: &&PathBuf| !(is_c(path) || is_given(input) && path.as_path() == Path::new("-"));
    if let Some(other) = input.files.iter().find(other) {
        reporter.error(&format!("{} cannot be combined with C programs", other.display()));
        return Err(Exit::Usage);
    }
    let options = options(input, entries, deadline).map_err(|message| {
        reporter.error(&message);
        Exit::Usage
    })?;
    let folder = tempfile::Builder::new().prefix("lariat-").tempdir().ok();
    let folder = folder.as_ref().map(|folder| folder.path());
    let files = on_disk(input, folder, reporter)?;
    let mut terms = Terms::new();
    let fuzzed = |terms: &mut Terms| fuzz_target(&files, folder, input.c.input_size, terms, &options);
    let compiled = match entries {
        [only] if only == FUZZ_ENTRY => fuzzed(&mut terms),
        _ => match compile(&files, &mut terms, &options) {
            // A program for LibFuzzer has no `main` of its own.
            Err(CompileError::Translate(TranslateError::NoEntry(_, functions)))
                if entries.is_empty() && functions.iter().any(|f| f == FUZZ_ENTRY) =>
            {
                terms = Terms::new();
                fuzzed(&mut terms)
            }
            other => other,
        },
    };
    match compiled {
        Ok(compiled) => {
            let Compiled { program, assumptions, legend, misplaced, notes, clang } = compiled;
            notes.iter().for_each(|note| reporter.note(note));
            for loc in misplaced {
                let file = program.files.get(loc.file.index()).map_or("", String::as_str);
                reporter.note(&format!(
                    "{file}:{}:{}: this candidate for a loop invariant is not used: it stands in no loop, calls functions, or speaks \
                     about what this round has changed",
                    loc.line, loc.column
                ));
            }
            let assumptions = Some(assumptions);
            Ok(Loaded { terms, program, tracer: Box::new(legend), assumptions, compiler: clang })
        }
        Err(CompileError::Driver(DriverError::Compile { diagnostics, .. })) => {
            console::print(&format!("{}\n", diagnostics.trim_end()));
            Err(Exit::Input)
        }
        // Not the input's fault; whoever set the deadline tells it.
        Err(CompileError::Driver(DriverError::Timeout(_))) => Err(Exit::Unknown),
        Err(CompileError::Translate(TranslateError::NoEntry(name, functions))) => {
            let hint = match &functions[..] {
                [] => "the files define no function".to_owned(),
                all => format!(
                    "start elsewhere with --entry NAME, or --entry '*' for each function; there are {}",
                    all.join(", ")
                ),
            };
            reporter.error_with_hint(&format!("there is no function `{name}` with a body"), &hint);
            Err(Exit::Input)
        }
        Err(error) => {
            reporter.error(&error.to_string());
            Err(Exit::Input)
        }
    }
}

/// The function that LibFuzzer calls, and the one that calls it here.
pub const FUZZ_ENTRY: &str = "LLVMFuzzerTestOneInput";
pub const FUZZ_CALLER: &str = "lariat_fuzz_target";

/// Compiles the files with a function that calls LibFuzzer's entry with any block of at most so many bytes.
fn fuzz_target(
    files: &[PathBuf],
    folder: Option<&Path>,
    size: u32,
    terms: &mut Terms,
    options: &Options,
) -> Result<Compiled, CompileError> {
    let io = |path: &Path, error| DriverError::Io { path: path.to_owned(), error };
    let folder = folder.ok_or_else(|| io(&std::env::temp_dir(), std::io::ErrorKind::NotFound.into()))?;
    let path = folder.join("fuzz_target.c");
    let text = format!(
        "#line 1 \"<fuzz target>\"\n\
         extern int {FUZZ_ENTRY}(const unsigned char *, __SIZE_TYPE__);\n\
         extern void *malloc(__SIZE_TYPE__);\n\
         extern void free(void *);\n\
         extern __SIZE_TYPE__ __VERIFIER_nondet_size_t(void);\n\
         extern void __VERIFIER_assume(int);\n\
         extern void __VERIFIER_nondet_memory(void *, __SIZE_TYPE__);\n\
         void {FUZZ_CALLER}(void) {{\n  \
           __SIZE_TYPE__ size = __VERIFIER_nondet_size_t();\n  \
           __VERIFIER_assume(size <= {size});\n  \
           unsigned char *data = malloc(size);\n  \
           __VERIFIER_assume(data != 0);\n  \
           __VERIFIER_nondet_memory(data, size);\n  \
           {FUZZ_ENTRY}(data, size);\n  \
           free(data);\n}}\n"
    );
    std::fs::write(&path, text).map_err(|error| io(&path, error))?;
    let files = [files, &[path]].concat();
    let translate = translate::Options { entries: vec![FUZZ_CALLER.into()], ..options.translate.clone() };
    compile(&files, terms, &Options { driver: options.driver.clone(), translate })
}

/// The files, with standard input in a file of its own.
fn on_disk(input: &Input, folder: Option<&Path>, reporter: &Reporter) -> Result<Vec<PathBuf>, Exit> {
    let mut files = input.files.clone();
    for file in files.iter_mut().filter(|file| *file == Path::new("-")) {
        let written = load::read_text(file).map_err(|error| error.to_string()).and_then(|text| {
            let path = folder.ok_or("there is no folder for temporary files")?.join("stdin.c");
            std::fs::write(&path, format!("#line 1 \"<stdin>\"\n{text}")).map_err(|error| error.to_string())?;
            Ok(path)
        });
        *file = written.map_err(|message| {
            reporter.error(&message);
            Exit::Input
        })?;
    }
    Ok(files)
}

/// The options for clang that are given one by one or in a text, and those of a compilation database.
pub fn cflags(c: &CInput) -> Vec<String> {
    let texts = c.cflags.iter().flat_map(|flags| flags::words(flags));
    texts.chain(c.cflag.iter().cloned()).collect()
}

/// What is wrong with a file that is neither C nor Boogie, as far as its name tells.
pub fn foreign(path: &Path) -> Option<String> {
    let name = path.display();
    match path.extension()?.to_str()? {
        "cc" | "cpp" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" => Some(format!(
            "{name} is C++, which Lariat does not read; it reads C (.c, .i), LLVM IR (.ll, .bc) and Boogie (.bpl)"
        )),
        "h" => Some(format!("{name} is a header: give a .c file that includes it")),
        "o" | "a" | "so" => Some(format!("{name} is compiled: give the .c files, or LLVM IR (clang -emit-llvm)")),
        "java" | "rs" | "go" | "py" | "js" | "ts" => {
            Some(format!("{name} is in a language that Lariat does not read; it reads C, LLVM IR and Boogie"))
        }
        _ => None,
    }
}

fn options(input: &Input, entries: &[String], deadline: Option<Instant>) -> Result<Options, String> {
    let c = &input.c;
    let mut properties = Properties::default();
    // What property files say; `--entry` counts more.
    let mut start: Option<String> = None;
    let mut prp = false;
    for name in c.property.iter().flat_map(|names| names.split(',')) {
        if name.ends_with(".prp") {
            prp = true;
            let text = load::read_text(Path::new(name)).map_err(|error| error.to_string())?;
            let named = properties.add_file(&text).map_err(|message| format!("{name}: {message}"))?;
            match &start {
                Some(other) if entries.is_empty() && *other != named => {
                    return Err(format!("{name}: the entry is `{named}`, and `{other}` in another property file"));
                }
                _ => _ = start.get_or_insert(named),
            }
        } else {
            properties.add(name)?;
        }
    }
    if c.property.is_empty() {
        properties.add("all")?;
    }
    let mut cflags = match &c.compile_commands {
        Some(database) => flags::of_database(database, &input.files)?,
        None => Vec::new(),
    };
    cflags.extend(self::cflags(c));
    let asked = cflags.iter().rev().find_map(|flag| match flag.as_str() {
        "-m32" => Some(Model::Ilp32),
        "-m64" => Some(Model::Lp64),
        _ => None,
    });
    let data_model = c.data_model.or(asked).map(|model| match model {
        Model::Ilp32 => DataModel::Ilp32,
        Model::Lp64 => DataModel::Lp64,
    });
    Ok(Options {
        driver: driver::Options {
            data_model,
            include_dirs: c.include.clone(),
            defines: c.define.clone(),
            cflags,
            clang: c.clang.clone(),
            replaced: Vec::new(),
            traps: properties.traps(),
            value_names: properties.pointer_subtract,
            deadline,
        },
        translate: translate::Options {
            entries: match entries {
                [] => vec![start.unwrap_or_else(|| "main".into())],
                entries => entries.to_vec(),
            },
            properties,
            malloc_may_fail: c.malloc_may_fail,
            volatile_input: c.volatile == Some(Volatile::Input),
            registers: c.mmio.clone(),
            undefined: match c.undefined {
                Some(Undefined::Havoc) => translate::Undefined::Havoc,
                Some(Undefined::Any) => translate::Undefined::Any,
                Some(Undefined::Error) => translate::Undefined::Error,
                // The rule of the competition.
                None if prp => translate::Undefined::Any,
                None => translate::Undefined::Havoc,
            },
        },
    })
}

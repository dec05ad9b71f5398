//! Loads C programs.

use std::{path::Path, time::Instant};

use lariat_llvm::{
    compile::{CompileError, Compiled, Options, compile},
    driver::{self, DataModel, DriverError},
    translate::{self, Properties},
};
use lariat_term::Terms;

use crate::{
    args::{Input, Model, Undefined, Volatile},
    console,
    diag::Reporter,
    exit::Exit,
    load::{self, Loaded},
};

/// Whether a file is C or LLVM IR.
pub fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["c", "i", "ll", "bc"].iter().any(|known| e == *known))
}

/// Compiles and translates the files of the command line, and shows what is wrong with them.
pub fn program(
    input: &Input,
    entries: &[String],
    deadline: Option<Instant>,
    reporter: &Reporter,
) -> Result<Loaded, Exit> {
    if let Some(other) = input.files.iter().find(|path| !is_c(path)) {
        reporter.error(&format!("{} cannot be combined with C programs", other.display()));
        return Err(Exit::Usage);
    }
    let options = options(input, entries, deadline).map_err(|message| {
        reporter.error(&message);
        Exit::Usage
    })?;
    let mut terms = Terms::new();
    match compile(&input.files, &mut terms, &options) {
        Ok(compiled) => {
            let Compiled { program, assumptions, legend, misplaced, clang } = compiled;
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
        Err(error) => {
            reporter.error(&error.to_string());
            Err(Exit::Input)
        }
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
    let data_model = c.data_model.map(|model| match model {
        Model::Ilp32 => DataModel::Ilp32,
        Model::Lp64 => DataModel::Lp64,
    });
    Ok(Options {
        driver: driver::Options {
            data_model,
            include_dirs: c.include.clone(),
            defines: c.define.clone(),
            cflags: c.cflags.iter().flat_map(|flags| flags.split_whitespace()).map(str::to_owned).collect(),
            traps: properties.traps(),
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

//! The facade: C files in, a program out.

use std::{fs, path::PathBuf, time::Duration};

use lariat_program::{Loc, Program};
use lariat_term::Terms;
use tempfile::TempDir;

use crate::{
    acsl,
    assumptions::Assumptions,
    counted,
    driver::{self, DriverError},
    floats, jumps,
    library::{
        self, EXIT_HANDLERS, READ_STRING, Semantics,
        models::{self, Variant},
    },
    memory::{Memory, Outside},
    module::{Callee, Const, Function, InstKind, Module, TypeKind},
    quantifiers::{self, Unreadable, Unrolled},
    trace::Legend,
    translate::{self, TranslateError, Translated, asks_size, changing, is_known, reachable, translate, undefined},
};

/// How to compile and translate.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to compile.
    pub driver: driver::Options,
    /// How to translate.
    pub translate: translate::Options,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The files cannot be compiled or read.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The module cannot be translated.
    #[error(transparent)]
    Translate(#[from] TranslateError),
}

/// What became of the files.
#[derive(Debug)]
pub struct Compiled {
    /// The program, with the loops of the source ([`lariat_program::extract_loops`] makes regions of them).
    pub program: Program,
    /// What a verdict about it rests on.
    pub assumptions: Assumptions,
    /// What the program's variables stand for in the source.
    pub legend: Legend,
    /// Candidates for loop invariants that cannot be told at the head of a loop.
    pub misplaced: Vec<Loc>,
    /// What is to be said of annotations in comments that are not used.
    pub notes: Vec<String>,
    /// How long clang took.
    pub clang: Duration,
}

/// Compiles files, links the models of library functions that they use, and translates the whole.
pub fn compile(files: &[PathBuf], terms: &mut Terms, options: &Options) -> Result<Compiled, CompileError> {
    let entries = |module: &Module| translate::entries(module, &options.translate.entries);
    let further = |module: &Module| {
        // That there is none is said below.
        let mut names = undefined(module, &reachable(module, &entries(module).ok()?));
        if !module.destructors.is_empty() {
            names.push(EXIT_HANDLERS.to_owned());
        }
        let reads = options.translate.properties.reads();
        let strings = |f: &Function| library::handed(module, f).iter().any(|handed| !handed.stream);
        if reads && names.iter().filter_map(|name| module.function(name)).any(|f| strings(&module.functions[f.index()]))
        {
            names.push(READ_STRING.to_owned());
        }
        let properties = &options.translate.properties;
        // Only what the program itself says is about such numbers: where memory alone is checked, any will do.
        if properties.asserts || !properties.error_calls.is_empty() || !properties.labels.is_empty() {
            names.extend(counted::needed(module));
        }
        // The library's variables have their values at the start.
        let variables = module.globals.iter().filter(|global| global.init.is_none());
        names.extend(variables.map(|global| global.name.clone()).filter(|name| library::is_variable(name)));
        let wide = |name: &String| {
            library::named(name).is_some_and(|row| row.semantics == Semantics::Model(models::WIDE_FORMAT))
        };
        // What a call means depends on the declaration, so there must be one.
        names.retain(|name| !wide(name) || second_is_pointer(module, name).is_some());
        let unsized_wide = names.iter().any(|name| wide(name) && second_is_pointer(module, name) == Some(true));
        let strings = options.translate.properties.strings;
        let one_variable = looks_once(module, &names);
        let variant = Variant { unsized_wide, output_reads: reads, strings, one_variable };
        models::unit(names.iter().map(String::as_str), variant)
    };
    let mut comments = Comments::read(files)?;
    let with_comments = driver::Options { replaced: comments.replaced.clone(), ..options.driver.clone() };
    let compiled = match driver::compile_with(files, &with_comments, further) {
        Err(DriverError::Compile { diagnostics, .. }) if !comments.replaced.is_empty() && !comments.needed => {
            let compiled = driver::compile_with(files, &options.driver, further)?;
            let why = diagnostics.lines().find(|line| line.contains("error:")).unwrap_or("it is no expression of C");
            comments.notes.push(format!("loop invariants in comments are not used: {why}"));
            Ok(compiled)
        }
        Err(DriverError::Compile { path, diagnostics }) if diagnostics.contains("__CPROVER_") => {
            Err(comments.unreadable().unwrap_or(DriverError::Compile { path, diagnostics }))
        }
        other => other,
    };
    let (mut module, clang) = compiled?;
    let provided: Vec<bool> = module.functions.iter().map(|f| is_known(&module, f)).collect();
    module.resolve_weak(&provided, |variable| library::named(variable).is_some());
    counted::redirect(&mut module);
    jumps::lower(&mut module);
    let entries = entries(&module)?;
    let reachable = reachable(&module, &entries);
    let mut translate_options = options.translate.clone();
    let called = module.functions.iter().zip(&reachable).filter(|(_, reached)| **reached);
    translate_options.properties.asks_sizes = called.map(|(f, _)| f).any(|f| asks_size(&module, f));
    let lifetimes = translate_options.properties.sizes();
    let outside = Outside { entries: &entries, changing: &changing(&module, &options.translate) };
    let memory = Memory::with_outside(&module, &reachable, outside, lifetimes);
    module.float_bits = floats::bits_seen(&module, &memory, &reachable);
    let Translated { program, assumptions, legend, misplaced } =
        translate(&module, &memory, &reachable, terms, &translate_options)?;
    Ok(Compiled { program, assumptions, legend, misplaced, notes: comments.notes, clang })
}

/// Files whose comments state loop invariants ([`acsl`]), or that have quantifiers ([`quantifiers`]).
struct Comments {
    /// Which files are replaced by which.
    replaced: Vec<(PathBuf, PathBuf)>,
    notes: Vec<String>,
    /// Without the replacement, a file is no C.
    needed: bool,
    /// Quantifiers that cannot be read.
    quantifiers: Vec<(PathBuf, Unreadable)>,
    /// Holds the files while they are needed.
    _folder: Option<TempDir>,
}

impl Comments {
    fn read(files: &[PathBuf]) -> Result<Comments, DriverError> {
        let (mut replaced, mut notes, mut needed, mut folder) = (Vec::new(), Vec::new(), false, None);
        let mut quantifiers = Vec::new();
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "c" || e == "i")) {
            // What cannot be read is the compiler's to complain about.
            let Ok(text) = fs::read_to_string(file) else { continue };
            let Unrolled { text: unrolled, unreadable } = match file.extension().is_some_and(|e| e == "c") {
                true => quantifiers::unrolled(&text),
                // Macros count only where a preprocessor runs.
                false => Unrolled::default(),
            };
            quantifiers.extend(unreadable.into_iter().rev().map(|quantifier| (file.clone(), quantifier)));
            needed |= unrolled.is_some();
            let found = match text.contains("loop") && text.contains("invariant") {
                true => acsl::annotated(unrolled.as_ref().unwrap_or(&text)),
                false => acsl::Annotated::default(),
            };
            let skipped = found.skipped.iter();
            notes.extend(
                skipped.map(|(line, why)| format!("{}:{line}: this loop invariant is not used: {why}", file.display())),
            );
            let Some(text) = found.text.or(unrolled) else { continue };
            let failed = |error| DriverError::Io { path: file.clone(), error };
            let folder = match &mut folder {
                Some(folder) => folder,
                none => none.insert(tempfile::Builder::new().prefix("lariat-").tempdir().map_err(failed)?),
            };
            let to = folder.path().join(format!("{}.c", replaced.len()));
            fs::write(&to, text).map_err(failed)?;
            replaced.push((file.clone(), to));
        }
        Ok(Comments { replaced, notes, needed, quantifiers, _folder: folder })
    }

    /// The first quantifier that cannot be read, as clang would say it.
    fn unreadable(&self) -> Option<DriverError> {
        let (path, Unreadable { line, column, why }) = self.quantifiers.first()?;
        let place = format!("{}:{line}:{column}", path.display());
        let diagnostics = format!("{place}: error: this quantifier is not supported: {why}\n");
        Some(DriverError::Compile { path: path.clone(), diagnostics })
    }
}

/// Whether a program with these library functions looks for variables of the environment at one place only, always for the same one,
/// and sets none.
fn looks_once(module: &Module, names: &[String]) -> bool {
    let of_environment = |name: &&String| {
        *name == library::ENVIRONMENT
            || library::named(name).is_some_and(|row| row.semantics == Semantics::Model(models::VARIABLES))
    };
    let Some(look) = module.function(library::LOOK) else { return false };
    if names.iter().filter(of_environment).any(|name| name != library::LOOK)
        || module.constants.iter().any(|c| matches!(c, Const::Function(f) if *f == look))
    {
        return false;
    }
    let mut calls = module.functions.iter().flat_map(|f| &f.insts).filter_map(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Function(callee), args, .. } if *callee == look => Some(args),
        _ => None,
    });
    let constant = calls.next().and_then(|args| args.first()).is_some_and(|&name| module.is_literal(name));
    constant && calls.next().is_none()
}

/// Whether the second parameter of a function is a pointer, if it has one.
fn second_is_pointer(module: &Module, name: &str) -> Option<bool> {
    let function = &module.functions[module.function(name)?.index()];
    function.params.get(1).map(|param| module.ty(param.ty).kind == TypeKind::Ptr)
}

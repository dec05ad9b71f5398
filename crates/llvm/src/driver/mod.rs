//! From C files to a module: finds clang, compiles each file, reads and links what comes out.
//!
//! In: `.c` and `.i` (compiled with debug information and without any optimisation), `.ll` and `.bc` (read as
//! they are). Out: one linked [`Module`], or an error with clang's own words.
//!
//! No shell is involved, and the only files written are the headers of `headers/`, in a temporary directory
//! that goes away with the driver's last step, and the `cache` of models. clang is stopped when the time is up.

mod builtins;
mod cache;
mod clang;
mod folded;
mod ignored;
mod process;
mod undeclared;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use tempfile::TempDir;

pub use clang::{Clang, Traps, put_headers};

use crate::module::Module;
use crate::read::{self, ReadError, Source};

/// How wide the types of C are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The data model; `None`: the host's.
    pub data_model: Option<DataModel>,
    /// Where to look for headers (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Macros (`-D`): `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Other options for clang, each one argument. They can not switch optimisation on.
    pub cflags: Vec<String>,
    /// Files whose contents are to be those of other files; positions keep the name of the first.
    pub replaced: Vec<(PathBuf, PathBuf)>,
    /// The traps that clang may put where LLVM IR does not show that something is undefined: where a signed value is
    /// shifted to the left, which looks like the shift of an unsigned one; at all shifts of files with a distance that
    /// is wider than what is shifted; and at all operations of files where clang itself computes a constant that is
    /// undefined.
    pub traps: Traps,
    /// Values keep the names that clang gives them, which tell what they are for.
    pub value_names: bool,
    /// The clang to use; `None`: what is found.
    pub clang: Option<PathBuf>,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// No file was given.
    #[error("no input file")]
    NoInput,
    /// There is no clang that we can use; the message says what to do.
    #[error("{0}")]
    NoClang(String),
    /// A file that is neither C nor LLVM IR.
    #[error("{}: unknown kind of file (known: .c, .i, .ll, .bc)", .0.display())]
    UnknownKind(PathBuf),
    /// A file cannot be read, or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// clang rejects a file; these are its words.
    #[error("{}", .diagnostics.trim_end())]
    Compile {
        /// The file.
        path: PathBuf,
        /// What clang printed.
        diagnostics: String,
    },
    /// clang crashed or did something else than compile.
    #[error("{}: {message}", .path.display())]
    Clang {
        /// The file.
        path: PathBuf,
        /// What happened.
        message: String,
    },
    /// The time is up.
    #[error("{}: out of time while compiling", .0.display())]
    Timeout(PathBuf),
    /// A file is made for another data model than asked for.
    #[error("{}: made for {found}-bit pointers, but {wanted}-bit pointers are asked for", .path.display())]
    DataModel {
        /// The file.
        path: PathBuf,
        /// Its pointers.
        found: u32,
        /// The ones asked for.
        wanted: u32,
    },
    /// LLVM rejects a module.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Compiles, reads and links files.
pub fn compile(inputs: &[PathBuf], options: &Options) -> Result<Module, DriverError> {
    compile_with(inputs, options, |_| None).map(|(module, _)| module)
}

/// The same, with a further unit of C (such as models of library functions) that depends on what the
/// files define. No macros, include directories or other options apply to that unit. Also says how long clang took.
pub fn compile_with(
    inputs: &[PathBuf],
    options: &Options,
    further: impl FnOnce(&Module) -> Option<String> + Send,
) -> Result<(Module, Duration), DriverError> {
    let Some(first) = inputs.first() else { return Err(DriverError::NoInput) };
    let mut compiler = Compiler { options, tools: None, clang: Duration::ZERO, undefined: Vec::new() };
    let mut linker = Linker { first, further: Some(further), linked: false, again: None };
    let mut linked = linker.link(&compiler.all(inputs)?, &mut compiler);
    let common = Options { cflags: [&["-fcommon".into()], &options.cflags[..]].concat(), ..options.clone() };
    // Tentative definitions of one variable in several files are one, as compilers long had it.
    if !linker.linked && matches!(linked, Err(DriverError::Read(ReadError::Link { .. }))) {
        compiler = Compiler { options: &common, undefined: Vec::new(), ..compiler };
        linked = linker.link(&compiler.all(inputs)?, &mut compiler);
    }
    if let Some(Again { own, mut undeclared }) = linker.again.take() {
        let options = compiler.options;
        let parts = loop {
            let declarations = undeclared.iter().map(undeclared::Input::option);
            // The declarations are macros, which count in preprocessed files, too, if clang takes these for C.
            let preprocess = (!undeclared.is_empty()).then(|| "-xc".to_string());
            let cflags = options.cflags.iter().chain(&own).cloned().chain(preprocess).chain(declarations).collect();
            match compiler.all_with(&Options { cflags, ..options.clone() }, inputs) {
                Ok(parts) => break parts,
                // The program has declarations of its own.
                Err(DriverError::Compile { diagnostics, .. }) if !undeclared.is_empty() => {
                    undeclared::without_declared(&mut undeclared, &diagnostics);
                }
                Err(error) => return Err(error),
            }
        };
        linked = linker.link(&parts, &mut compiler);
    }
    Ok((linked?, compiler.clang))
}

/// Links files with the unit that depends on them.
struct Linker<'i, F> {
    first: &'i Path,
    further: Option<F>,
    /// Could the files be linked?
    linked: bool,
    /// Must the files be compiled anew? Then the module is of no use.
    again: Option<Again>,
}

/// With which further options files must be compiled.
struct Again {
    /// What clang is to forget of functions that the files define.
    own: Vec<String>,
    /// Inputs that need a declaration.
    undeclared: Vec<undeclared::Input>,
}

impl<F: FnOnce(&Module) -> Option<String> + Send> Linker<'_, F> {
    fn link(&mut self, parts: &[Part<'_>], compiler: &mut Compiler<'_>) -> Result<Module, DriverError> {
        let sources: Vec<Source<'_>> = parts.iter().map(Part::source).collect();
        let undefined = std::mem::take(&mut compiler.undefined);
        let mut module = read::linked_with(&sources, |module| {
            if !std::mem::replace(&mut self.linked, true) {
                let again = Again { own: builtins::forget(module), undeclared: undeclared::inputs(module) };
                if !again.own.is_empty() || !again.undeclared.is_empty() {
                    self.again = Some(again);
                    return Ok(None);
                }
            }
            let bits = module.pointer_bits;
            if let Some(wanted) = compiler.options.data_model.map(DataModel::pointer_bits).filter(|&w| w != bits) {
                return Err(DriverError::DataModel { path: self.first.to_path_buf(), found: bits, wanted });
            }
            module.undefined_constants = folded::functions(module, &undefined);
            let text = self.further.take().and_then(|further| further(module));
            text.map(|text| compiler.further(&text, bits)).transpose()
        })?;
        module.undefined_constants = folded::functions(&module, &undefined);
        Ok(module)
    }
}

/// The bitcode of a file.
struct Part<'i> {
    bytes: Vec<u8>,
    name: Cow<'i, str>,
    /// Has clang just written it?
    compiled: bool,
}

impl Part<'_> {
    fn source(&self) -> Source<'_> {
        Source { bytes: &self.bytes, name: &self.name, compiled: self.compiled }
    }
}

enum Kind {
    C,
    Ir,
}

fn kind(path: &Path) -> Result<Kind, DriverError> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("c" | "i") => Ok(Kind::C),
        Some("ll" | "bc") => Ok(Kind::Ir),
        _ => Err(DriverError::UnknownKind(path.to_path_buf())),
    }
}

/// Loads a file of LLVM IR that somebody else made, after making sure that LLVM can bear it.
fn load(path: &Path, options: &Options) -> Result<Vec<u8>, DriverError> {
    let bytes = fs::read(path).map_err(|error| DriverError::Io { path: path.to_path_buf(), error })?;
    let source = Source { bytes: &bytes, name: &path.to_string_lossy(), compiled: false };
    read::untrusted(source, options.deadline)?;
    Ok(bytes)
}

/// Compiles C files; looks for clang when the first one comes.
struct Compiler<'o> {
    options: &'o Options,
    tools: Option<(Clang, TempDir)>,
    /// How long clang has run.
    clang: Duration,
    /// Where clang has computed a constant that is undefined and that the code does not show.
    undefined: Vec<folded::WarningLoc>,
}

impl Compiler<'_> {
    fn all<'i>(&mut self, inputs: &'i [PathBuf]) -> Result<Vec<Part<'i>>, DriverError> {
        let mut parts = Vec::with_capacity(inputs.len());
        for input in inputs {
            let (bytes, compiled) = match kind(input)? {
                Kind::C => (self.compile(input)?, true),
                Kind::Ir => (load(input, self.options)?, false),
            };
            parts.push(Part { bytes, name: input.to_string_lossy(), compiled });
        }
        Ok(parts)
    }

    /// The same with other options, from the start.
    fn all_with<'i>(&mut self, options: &Options, inputs: &'i [PathBuf]) -> Result<Vec<Part<'i>>, DriverError> {
        let mut other = Compiler { options, tools: self.tools.take(), clang: self.clang, undefined: Vec::new() };
        let parts = other.all(inputs);
        let Compiler { tools, clang, undefined, .. } = other;
        (self.tools, self.clang) = (tools, clang);
        if parts.is_ok() {
            self.undefined = undefined;
        }
        parts
    }

    fn compile(&mut self, path: &Path) -> Result<Vec<u8>, DriverError> {
        // clang would say it too, but only after other things have gone wrong.
        let readable = fs::File::open(path).and_then(|f| f.metadata());
        let io_error = |error| DriverError::Io { path: path.to_path_buf(), error };
        if !readable.map_err(io_error)?.is_file() {
            return Err(io_error(io::Error::new(io::ErrorKind::InvalidInput, "not a file")));
        }
        self.run(path)
    }

    fn run(&mut self, path: &Path) -> Result<Vec<u8>, DriverError> {
        let wanted = self.options.traps;
        if wanted == Traps::NONE {
            return Ok(self.run_with(path, wanted)?.0);
        }
        let (checked, messages) = self.run_with(path, wanted)?;
        let source = Source { bytes: &checked, name: &path.to_string_lossy(), compiled: true };
        let module = read::linked(&[source])?;
        let visible = folded::visible(&module);
        self.undefined.extend(folded::warnings(&messages).into_iter().filter(|place| !visible.contains(place)));
        if !visible.is_empty() {
            return Ok(checked);
        }
        // Without need, traps only make the code larger.
        let shift_exponent = wanted.shift_exponent && folded::has_wide_shift(&module);
        let Traps { shift_base, array_length, .. } = wanted;
        let needed = Traps { shift_base, shift_exponent, array_length, ..Traps::NONE };
        // Where clang has put no trap, there is none to be left out.
        let same = needed == wanted || !folded::has_traps(&module);
        if same { Ok(checked) } else { Ok(self.run_with(path, needed)?.0) }
    }

    /// Bitcode and warnings.
    fn run_with(&mut self, path: &Path, traps: Traps) -> Result<(Vec<u8>, String), DriverError> {
        let options = self.options;
        let start = Instant::now();
        let (clang, headers) = self.tools()?;
        let output = clang.compile(path, headers.path(), options, traps);
        self.clang += start.elapsed();
        output
    }

    fn tools(&mut self) -> Result<&(Clang, TempDir), DriverError> {
        Ok(match &mut self.tools {
            Some(tools) => tools,
            none => none.insert((
                Clang::find_named(self.options.clang.as_deref()).map_err(DriverError::NoClang)?,
                clang::write_headers()?,
            )),
        })
    }

    /// Compiles a further unit, for pointers of so many bits and without traps (so nothing is read for it).
    fn further(&mut self, text: &str, pointer_bits: u32) -> Result<Vec<u8>, DriverError> {
        let model = if pointer_bits == 32 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let plain = Options {
            data_model: Some(model),
            cflags: vec!["-fno-builtin".into()],
            clang: self.options.clang.clone(),
            deadline: self.options.deadline,
            ..Options::default()
        };
        let tools = self.tools.take();
        let mut compiler = Compiler { options: &plain, tools, clang: self.clang, undefined: Vec::new() };
        let compiled = compiler.compile_text(text);
        (self.tools, self.clang) = (compiler.tools, compiler.clang);
        compiled
    }

    fn compile_text(&mut self, text: &str) -> Result<Vec<u8>, DriverError> {
        let options = self.options;
        let (clang, directory) = self.tools()?;
        let path = directory.path().join("models.c");
        // The temporary directory has another name each time.
        let arguments = clang::arguments(Path::new("models.c"), Path::new("headers"), options, options.traps);
        let entry = cache::Entry::new(clang.path(), &arguments, text);
        if let Some(bitcode) = entry.as_ref().and_then(cache::Entry::load) {
            return Ok(bitcode);
        }
        fs::write(&path, text).map_err(|error| DriverError::Io { path: path.clone(), error })?;
        let bitcode = self.run(&path)?;
        if let Some(entry) = entry {
            entry.store(&bitcode);
        }
        Ok(bitcode)
    }
}

#[cfg(test)]
mod tests;

//! Finds clang and calls it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use tempfile::TempDir;

use super::ignored;
use super::process::{self, ProcessResult};
use super::{DataModel, DriverError, Options};

/// The variable that names the clang to use.
const VARIABLE: &str = "LARIAT_CLANG";
/// The version that Lariat is tested with, and the newest whose output its LLVM reads.
const NEWEST: u32 = 19;
/// The oldest version that takes the options below.
const OLDEST: u32 = 14;

/// A clang that we can use.
///
/// Looked for in this order: what the environment variable `LARIAT_CLANG` names (and then nothing else),
/// `clang-19`, Debian's `/usr/lib/llvm-19/bin/clang`, `clang` if it is version 14 to 19, `clang-18` down to
/// `clang-14`.
#[derive(Clone, Debug)]
pub struct Clang {
    path: PathBuf,
}

impl Clang {
    /// Finds it. The error is a message for the user.
    pub fn find() -> Result<Clang, String> {
        Clang::find_in(env::var_os(VARIABLE), env::var_os("PATH").as_deref())
    }

    /// The one at a path or of a name, if one is wanted, or else what is found.
    pub fn find_named(wanted: Option<&Path>) -> Result<Clang, String> {
        let Some(wanted) = wanted else { return Clang::find() };
        let found = in_path(wanted, env::var_os("PATH").as_deref()).map(|path| Clang { path });
        found.ok_or_else(|| format!("--clang names {}, which is not there", wanted.display()))
    }

    pub(super) fn find_in(wanted: Option<OsString>, search: Option<&OsStr>) -> Result<Clang, String> {
        let find = |name: &str| in_path(Path::new(name), search);
        if let Some(wanted) = wanted.filter(|w| !w.is_empty()) {
            return match in_path(Path::new(&wanted), search) {
                Some(path) => Ok(Clang { path }),
                None => Err(format!("{VARIABLE} names {}, which is not there", Path::new(&wanted).display())),
            };
        }
        let named = |version: u32| find(&format!("clang-{version}"));
        let found = named(NEWEST)
            .or_else(|| find(&format!("/usr/lib/llvm-{NEWEST}/bin/clang")))
            .or_else(|| find("clang").filter(|path| version(path).is_some_and(|v| (OLDEST..=NEWEST).contains(&v))))
            .or_else(|| (OLDEST..NEWEST).rev().find_map(named));
        found.map(|path| Clang { path }).ok_or_else(|| {
            format!(
                "no clang to compile C with (version {OLDEST} to {NEWEST}; {NEWEST} is best)\n\
                 on Debian and Ubuntu:  sudo apt-get install clang-{NEWEST}\n\
                 one that is elsewhere:  --clang PATH, or set {VARIABLE} to its path"
            )
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Compiles a file to bitcode; also gives the warnings, if there are any.
    pub(super) fn compile(
        &self,
        file: &Path,
        headers: &Path,
        options: &Options,
        traps: Traps,
    ) -> Result<(Vec<u8>, String), DriverError> {
        if let Some(diagnostics) = ignored::option_error(&options.cflags) {
            return Err(DriverError::Compile { path: file.to_path_buf(), diagnostics });
        }
        allow_deep_recursion();
        let mut outcome = self.run(file, headers, options, traps, &[])?;
        if let Some(warnings) = ignored::promoted(&outcome.2) {
            // A pragma of the program makes warnings errors.
            let (status, output, messages) = self.run(file, headers, options, traps, &["-w"])?;
            outcome = (status, output, warnings + &messages);
        }
        let (status, output, messages) = outcome;
        let fail = |message: String| DriverError::Clang { path: file.to_path_buf(), message };
        if !status.success() {
            return Err(match status.code() {
                Some(1) if !messages.is_empty() => {
                    DriverError::Compile { path: file.to_path_buf(), diagnostics: ignored::without_warnings(&messages) }
                }
                _ => fail(format!("{} failed ({status})\n{}", self.path.display(), messages.trim_end())),
            });
        }
        if let Some(diagnostics) = ignored::errors(&messages) {
            return Err(DriverError::Compile { path: file.to_path_buf(), diagnostics });
        }
        if !output.starts_with(b"BC\xc0\xde") {
            return Err(fail("clang wrote no bitcode; do the options for it ask for something else?".to_string()));
        }
        Ok((output, messages))
    }

    /// Runs clang once: how it ended, its output and its messages.
    fn run(
        &self,
        file: &Path,
        headers: &Path,
        options: &Options,
        traps: Traps,
        further: &[&str],
    ) -> Result<(ExitStatus, Vec<u8>, String), DriverError> {
        let mut command = Command::new(&self.path);
        if mentions_variable(file) {
            command.arg("-include").arg(headers.join("variables.h"));
        }
        command.args(arguments(file, headers, options, traps)).args(further);
        match process::run(command, options.deadline) {
            Ok(ProcessResult::Ended { status, output, messages }) => Ok((status, output, messages)),
            Ok(ProcessResult::Timeout) => Err(DriverError::Timeout(file.to_path_buf())),
            Err(error) => Err(DriverError::Io { path: self.path.clone(), error }),
        }
    }
}

/// Whether a file may use a variable of another verifier, which has no declaration there.
fn mentions_variable(file: &Path) -> bool {
    const VARIABLE: &[u8] = b"_rounding_mode";
    fs::read(file).is_ok_and(|text| text.windows(VARIABLE.len()).any(|word| word == VARIABLE))
}

/// clang recurses over nested expressions: its stack may grow to 1 GiB, if the system allows it. The limit is that of this
/// process, and of those that it starts.
fn allow_deep_recursion() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Stack);
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(1 << 30);
    if limit.current.is_some_and(|current| current < wanted) {
        // A program that needs it is rejected by clang if this fails.
        let _ = setrlimit(Resource::Stack, Rlimit { current: Some(wanted), maximum: limit.maximum });
    }
}

/// Where clang puts traps.
///
/// Two checks of one operation would share a trap. So the second ones of shifts and divisions call a function of the
/// (minimal) runtime library instead: which of the two fails is known by what the branch leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traps {
    /// Wherever a signed result overflows; with warnings of those in constants.
    pub overflow: bool,
    /// Where the left shift of a signed value is undefined.
    pub shift_base: bool,
    /// Where the distance of a shift is negative or too large.
    pub shift_exponent: bool,
    /// Where an integer is divided by zero.
    pub division: bool,
    /// Where a float becomes an integer that cannot hold it.
    pub float_cast: bool,
    /// Where the length of a variable-length array is zero or negative.
    pub array_length: bool,
}

impl Traps {
    /// No traps.
    pub const NONE: Traps = Traps {
        overflow: false,
        shift_base: false,
        shift_exponent: false,
        division: false,
        float_cast: false,
        array_length: false,
    };

    /// The warnings of undefined constants; the rest of clang's warnings is of no use here.
    fn warnings(self) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        if self.overflow {
            warnings.extend(["-Winteger-overflow", "-Wshift-overflow", "-Wshift-negative-value"]);
        }
        if self.shift_exponent {
            warnings.extend(["-Wshift-count-negative", "-Wshift-count-overflow"]);
        }
        warnings
    }

    /// The options for clang.
    fn options(self) -> Vec<String> {
        let names = |all: &[(bool, &str)]| {
            let names: Vec<&str> = all.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| *name).collect();
            names.join(",")
        };
        let traps = names(&[
            (self.overflow, "signed-integer-overflow"),
            (self.shift_base, "shift-base"),
            (self.float_cast, "float-cast-overflow"),
            (self.array_length, "vla-bound"),
        ]);
        let calls = names(&[(self.shift_exponent, "shift-exponent"), (self.division, "integer-divide-by-zero")]);
        let mut options = Vec::new();
        if !traps.is_empty() {
            options.extend([format!("-fsanitize={traps}"), format!("-fsanitize-trap={traps}")]);
        }
        if !calls.is_empty() {
            options.extend([format!("-fsanitize={calls}"), format!("-fno-sanitize-recover={calls}")]);
            options.push("-fsanitize-minimal-runtime".into());
        }
        options
    }
}

/// A candidate for a loop invariant, as the beginning of a statement: after the loop's head, where CBMC has it, or as a statement of
/// its own. The formula is code that is never run; what is translated puts it at the head of the loop.
/// Both functions are declared by being used.
const CANDIDATE: &str = "if(__LARIAT_candidate())__LARIAT_holds((_Bool)(__VA_ARGS__));else";

/// What GCC, CBMC and ESBMC have without a declaration and that is no function of `int`s.
const MACROS: [(&str, &str); 52] = [
    // Contracts of functions and of loops, as CBMC has them: neither checked nor believed.
    ("__CPROVER_requires(...)", ""),
    ("__CPROVER_ensures(...)", ""),
    ("__CPROVER_assigns(...)", ""),
    ("__CPROVER_frees(...)", ""),
    ("__CPROVER_requires_contract(...)", ""),
    ("__CPROVER_ensures_contract(...)", ""),
    ("__CPROVER_loop_assigns(...)", ""),
    ("__CPROVER_loop_frees(...)", ""),
    ("__CPROVER_decreases(...)", ""),
    ("__builtin_add_overflow_p(a,b,c)", "__LARIAT_overflows(add,a,b,__typeof__(c))"),
    ("__builtin_sub_overflow_p(a,b,c)", "__LARIAT_overflows(sub,a,b,__typeof__(c))"),
    ("__builtin_mul_overflow_p(a,b,c)", "__LARIAT_overflows(mul,a,b,__typeof__(c))"),
    ("__CPROVER_overflow_plus(a,b)", "__LARIAT_overflows(add,a,b,__typeof__((a)+(b)))"),
    ("__CPROVER_overflow_minus(a,b)", "__LARIAT_overflows(sub,a,b,__typeof__((a)-(b)))"),
    ("__CPROVER_overflow_mult(a,b)", "__LARIAT_overflows(mul,a,b,__typeof__((a)*(b)))"),
    ("__CPROVER_overflow_unary_minus(a)", "__LARIAT_overflows(sub,0,a,__typeof__(-(a)))"),
    (
        "__LARIAT_overflows(op,a,b,type)",
        "__extension__({type __lariat_result;__builtin_##op##_overflow(a,b,&__lariat_result);})",
    ),
    // Quantifiers (see `quantifiers`): is there a number in a range for which a formula holds?
    ("__LARIAT_forall(type,i,low,upper,range,formula)", "__LARIAT_search(type,i,low,upper,(range)&&!(formula),0)"),
    ("__LARIAT_exists(type,i,low,upper,range,formula)", "__LARIAT_search(type,i,low,upper,(range)&&(formula),1)"),
    (
        "__LARIAT_search(type,i,low,upper,found,answer)",
        "__extension__({_Bool __lariat_answer=!answer;type i=(type)(low);\
         extern void __lariat_unsupported(const char*);\
         if(i!=(low))__lariat_unsupported(\"a bound of a quantifier that is no value of its variable's type\");\
         while(upper){if(found){__lariat_answer=answer;break;}\
         if(i==((type)-1>0?(type)-1:(type)(((1ull<<(sizeof(type)*8-2))-1)*2+1)))break;i++;}__lariat_answer;})",
    ),
    ("__CPROVER_abs", "__builtin_abs"),
    ("__CPROVER_labs", "__builtin_labs"),
    ("__CPROVER_llabs", "__builtin_llabs"),
    ("__CPROVER_fabs", "__builtin_fabs"),
    ("__CPROVER_fabsf", "__builtin_fabsf"),
    ("__CPROVER_fabsl", "__builtin_fabsl"),
    ("__CPROVER_inf", "__builtin_inf"),
    ("__CPROVER_inff", "__builtin_inff"),
    ("__CPROVER_allocate(n,z)", "((z)?__builtin_calloc(1,n):__builtin_malloc(n))"),
    ("__CPROVER_thread_local", "__thread"),
    // Contracts, which a program that is run does not look at.
    ("__CPROVER_requires(...)", ""),
    ("__CPROVER_ensures(...)", ""),
    ("__CPROVER_assigns(...)", ""),
    ("__CPROVER_frees(...)", ""),
    ("__CPROVER_decreases(...)", ""),
    ("__ESBMC_r_ok(p,...)", "__CPROVER_r_ok(p,##__VA_ARGS__)"),
    ("__ESBMC_w_ok(p,...)", "__CPROVER_w_ok(p,##__VA_ARGS__)"),
    ("__ESBMC_rw_ok(p,...)", "__CPROVER_rw_ok(p,##__VA_ARGS__)"),
    ("__ESBMC_same_object", "__CPROVER_same_object"),
    ("__CPROVER_size_t", "__SIZE_TYPE__"),
    ("__CPROVER_ssize_t", "__PTRDIFF_TYPE__"),
    ("__CPROVER_bool", "_Bool"),
    ("__CPROVER_OBJECT_SIZE(p)", "__LARIAT_OBJECT_SIZE(p)"),
    ("__ESBMC_get_object_size(p)", "__LARIAT_OBJECT_SIZE(p)"),
    ("__CPROVER_POINTER_OFFSET(p)", "__LARIAT_POINTER_OFFSET(p)"),
    ("__ESBMC_POINTER_OFFSET(p)", "__LARIAT_POINTER_OFFSET(p)"),
    (
        "__LARIAT_OBJECT_SIZE(p)",
        "__extension__({extern __SIZE_TYPE__ __LARIAT_object_size(const void*);__LARIAT_object_size(p);})",
    ),
    (
        "__LARIAT_POINTER_OFFSET(p)",
        "__extension__({extern __PTRDIFF_TYPE__ __LARIAT_pointer_offset(const void*);__LARIAT_pointer_offset(p);})",
    ),
    // Without a size, that of what the pointer points to is meant.
    ("__CPROVER_r_ok(p,...)", "__LARIAT_r_ok(p,__LARIAT_bytes(p,##__VA_ARGS__,sizeof*(p),0))"),
    ("__CPROVER_w_ok(p,...)", "__LARIAT_w_ok(p,__LARIAT_bytes(p,##__VA_ARGS__,sizeof*(p),0))"),
    ("__LARIAT_bytes(p,n,...)", "n"),
    ("__CPROVER_rw_ok(p,...)", "__LARIAT_rw_ok(p,__LARIAT_bytes(p,##__VA_ARGS__,sizeof*(p),0))"),
];

/// The macros that state candidates for loop invariants.
const CANDIDATES: [&str; 2] = ["__LARIAT_invariant", "__CPROVER_loop_invariant"];

fn states_candidates(file: &Path) -> bool {
    fs::read(file)
        .is_ok_and(|text| CANDIDATES.iter().any(|name| text.windows(name.len()).any(|part| part == name.as_bytes())))
}

/// What clang is told.
pub(super) fn arguments(file: &Path, headers: &Path, options: &Options, traps: Traps) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    // Files keep the names that they are given by: clang would shorten those that have a folder in common with the current one.
    add(&["-std=gnu17", "-g", "-fdebug-compilation-dir=."]);
    // Older C is full of what newer versions of clang reject.
    add(&[
        "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=int-conversion",
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int",
        "-Wno-error=return-mismatch",
    ]);
    // Programs nest deeper than clang's usual limit, generated ones in particular.
    add(&["-fbracket-depth=1000000"]);
    // Each operation on floats is rounded by itself.
    add(&["-ffp-contract=off"]);
    for name in CANDIDATES {
        arguments.extend(["-D".into(), format!("{name}(...)={CANDIDATE}").into()]);
    }
    // Macros count in preprocessed files, too, if clang takes these for C.
    let replaced = options.replaced.iter().find(|(from, _)| from == file).map_or(file, |(_, to)| to);
    if file.extension().is_some_and(|e| e == "i") && states_candidates(replaced) {
        arguments.push("-xc".into());
    }
    for (name, meaning) in MACROS {
        arguments.extend(["-D".into(), format!("{name}={meaning}").into()]);
    }
    for directory in &options.include_dirs {
        arguments.extend(["-I".into(), directory.into()]);
    }
    for define in &options.defines {
        arguments.extend(["-D".into(), define.into()]);
    }
    for (from, to) in options.replaced.iter().filter(|(from, _)| from == file) {
        let mut pair = from.clone().into_os_string();
        pair.push(";");
        pair.push(to);
        arguments.extend(["-Xclang".into(), "-remap-file".into(), "-Xclang".into(), pair]);
    }
    // Without warnings, what clang ignores would pass in silence.
    let silent = |option: &str| matches!(option, "-w" | "--no-warnings");
    arguments.extend(options.cflags.iter().filter(|option| !silent(option)).map(OsString::from));
    // What comes now has the last word.
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    add(&["-Wno-everything", "-Wno-error", "-fno-color-diagnostics", "-fcaret-diagnostics"]);
    add(&ignored::WARNINGS);
    add(&traps.warnings());
    if let Some(model) = options.data_model {
        add(&[target(model)]);
    }
    // No pass runs: optimisations may exploit undefined behaviour. The level is not 0 because clang then drops the
    // bodies of functions that are `inline` and neither `static` nor `extern`; the rest looks as it does at level 0.
    add(&["-O1", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers"]);
    arguments.extend(traps.options().into_iter().map(OsString::from));
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    if options.value_names {
        add(&["-fno-discard-value-names"]);
    }
    add(&["-U__OPTIMIZE__", "-D__NO_INLINE__=1", "-emit-llvm", "-c"]);
    // Where headers for 32 bits are not installed, clang finds no system headers of its own accord. The 64-bit
    // ones of glibc serve both (they look at the target), but for one file, which is among ours.
    add(&["-idirafter", "/usr/include/x86_64-linux-gnu", "-idirafter"]);
    arguments.push(headers.into());
    arguments.extend(["-o".into(), "-".into()]);
    arguments.push(if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(file).into_os_string()
    } else {
        file.into()
    });
    arguments
}

/// The option for a data model. C programs with a data model in mind are written for x86.
fn target(model: DataModel) -> &'static str {
    match (model, cfg!(any(target_arch = "x86_64", target_arch = "x86"))) {
        (DataModel::Ilp32, true) => "-m32",
        (DataModel::Lp64, true) => "-m64",
        (DataModel::Ilp32, false) => "--target=i386-linux-gnu",
        (DataModel::Lp64, false) => "--target=x86_64-linux-gnu",
    }
}

/// Puts our headers into a directory of their own.
pub(super) fn write_headers() -> Result<TempDir, DriverError> {
    let io_error = |path: PathBuf| move |error| DriverError::Io { path, error };
    let directory = tempfile::Builder::new().prefix("lariat-").tempdir().map_err(io_error(env::temp_dir()))?;
    put_headers(directory.path())?;
    Ok(directory)
}

/// Puts our headers into a directory that is there.
pub fn put_headers(directory: &Path) -> Result<(), DriverError> {
    const HEADERS: [(&str, &str); 4] = [
        ("lariat.h", include_str!("../../headers/lariat.h")),
        ("variables.h", include_str!("../../headers/variables.h")),
        ("smack.h", include_str!("../../headers/smack.h")),
        ("gnu/stubs-32.h", include_str!("../../headers/gnu/stubs-32.h")),
    ];
    let io_error = |path: PathBuf| move |error| DriverError::Io { path, error };
    let gnu = directory.join("gnu");
    fs::create_dir_all(&gnu).map_err(io_error(gnu.clone()))?;
    for (name, text) in HEADERS {
        let path = directory.join(name);
        fs::write(&path, text).map_err(io_error(path.clone()))?;
    }
    Ok(())
}

/// The program of this name, or at this path.
fn in_path(name: &Path, search: Option<&OsStr>) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return is_program(name).then(|| name.to_path_buf());
    }
    env::split_paths(search?).map(|directory| directory.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// The major version that a clang says it is.
fn version(path: &Path) -> Option<u32> {
    let output = Command::new(path).arg("--version").output().ok()?;
    parse_version(&String::from_utf8_lossy(&output.stdout))
}

pub(super) fn parse_version(text: &str) -> Option<u32> {
    let rest = text.split_once("clang version ")?.1;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

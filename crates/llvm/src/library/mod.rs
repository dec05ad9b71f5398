//! The C library: one table of what is known of its functions.
//!
//! A row of [`table::TABLE`] says how a call of a function without a body is translated ([`Semantics`]), what it
//! returns ([`Returns`]), and whether it sets `errno` where it fails. The memory analysis, the translation, the linking
//! of models and the assumptions of a verdict ask this table, and match on what it says; names of library functions
//! occur nowhere else. `docs/c.md` lists its rows; a test writes and compares them.
//!
//! A function that is neither defined nor here is unknown: see [`crate::translate::Undefined`]. A row counts only for a
//! declaration that fits what the function takes, so that a program's own `error()` is not taken for the library's.

pub mod models;
mod operation;
mod table;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::{
    module::{Function, Module, TypeKind},
    trace::is_model,
};
pub use operation::{Block, FloatFunction, JumpStep, Operation, Parameter, Reach};
pub use table::TABLE;

/// What runs the handlers that the program has registered, if it has.
pub const EXIT_HANDLERS: &str = "__lariat_exit_handlers";
/// The variable `errno`, for programs that declare it themselves (`extern int errno;`).
pub const ERRNO: &str = "errno";
/// What gives `errno` any positive value, if its argument says so. It is there where the program may look at `errno`.
pub const SET_ERRNO: &str = "__lariat_set_errno";
/// What is said of a string with [`READ_STRING`]: it may be null; it matters where it ends.
pub const OPTIONAL: u32 = 1;
/// See [`OPTIONAL`].
pub const MEASURED: u32 = 2;
/// The variable of the environment.
pub const ENVIRONMENT: &str = "environ";
/// What looks for a variable of the environment, and does nothing else.
pub const LOOK: &str = "getenv";

/// The error that a descriptor is none.
pub const EBADF: i64 = 9;

/// The error that there is no memory.
pub const ENOMEM: i64 = 12;

/// The error that an argument is outside of the domain of a function.
pub const EDOM: i64 = 33;

/// What reads a string to its end. It is there where it matters what is read, and a function is given one.
pub const READ_STRING: &str = "__lariat_read_string";
/// What is called before a function uses a stream, where streams use memory of the program.
pub const STREAM_USED: &str = "__lariat_stream_used";
/// The objects of the streams that are open at the start.
pub const STREAMS: [&str; 3] = ["lariat_stdin_file", "lariat_stdout_file", "lariat_stderr_file"];

/// The functions of a header.
#[derive(Debug)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// Functions that behave alike.
    pub rows: &'static [Row],
}

/// Functions (or variables) that behave alike.
#[derive(Debug)]
pub struct Row {
    /// Their names, with spaces between them; each with its parameters, where a declaration must fit: `p` for a pointer,
    /// `n` for a number, `…` for more; `v` says that it is a variable. A pointer that is a string, which is read to its
    /// end, is `s`; an open stream is `f`; in upper case, it may be null.
    names: &'static str,
    /// Each name is one of three, with the suffixes of the types `double`, `float` and `long double`.
    typed: bool,
    /// How a call is translated.
    pub semantics: Semantics,
    /// What a call returns.
    pub returns: Returns,
    /// Where a call fails, it sets `errno`. (Models do so themselves.)
    pub errno: bool,
    /// The first argument is a descriptor: if it is negative, the call fails with `EBADF`.
    pub descriptor: bool,
    /// What a proof takes for granted that uses it.
    pub assumes: Option<&'static str>,
}

/// How a call is translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semantics {
    /// The translation does it.
    Builtin(Operation),
    /// This file of models in C defines it.
    Model(&'static str),
    /// It changes nothing, but reads the strings that it prints, as the file [`models::OUTPUT`] does it. The position
    /// of the format, if it has one of plain characters.
    Output(Option<usize>),
    /// It changes nothing that a program sees.
    Effectless,
    /// It changes nothing that a program sees, but what it returns, or what other functions return later, depends on
    /// its arguments in a way that no model covers.
    Approximate,
    /// It has effects or results that no model covers.
    Unsupported,
}

/// What a pointer that a function is given has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handed {
    /// The number of the argument.
    pub argument: usize,
    /// It may also be null.
    pub optional: bool,
    /// A stream that is open, or else a string, which is read to its end.
    pub stream: bool,
}

/// What a call returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// Any value of its type, or nothing.
    Any,
    /// A number from the first to the second; a negative one where it fails.
    Between(i64, i64),
    /// The number of characters that it has printed, or a negative number where it fails.
    Printed,
    /// The argument of this number as an unsigned character, or `EOF` where it fails.
    Character(usize),
}

impl Returns {
    /// 0, or -1 where it fails.
    pub const STATUS: Returns = Returns::Between(-1, 0);
    /// At least 0, or -1 where it fails.
    pub const COUNT: Returns = Returns::Between(-1, i64::MAX);
    /// At least 0: a number, or that of an error.
    pub const NATURAL: Returns = Returns::Between(0, i64::MAX);
    /// -1, if it returns at all.
    pub const FAILURE: Returns = Returns::Between(-1, -1);
}

impl Row {
    const fn new(names: &'static str, semantics: Semantics) -> Row {
        Row { names, typed: false, semantics, returns: Returns::Any, errno: false, descriptor: false, assumes: None }
    }

    /// The functions, each with what it takes, if that is stated.
    pub fn functions(&self) -> impl Iterator<Item = (String, Option<&'static str>)> {
        let suffixes: &[&str] = if self.typed { &["", "f", "l"] } else { &[""] };
        self.names.split_ascii_whitespace().flat_map(move |text| {
            let (name, takes) = match text.split_once('(') {
                Some((name, takes)) => (name, Some(takes.trim_end_matches(')'))),
                None => (text, None),
            };
            suffixes.iter().map(move |suffix| (format!("{name}{suffix}"), takes))
        })
    }

    /// The names as the table has them: of functions for several types only that for `double`.
    pub fn families(&self) -> impl Iterator<Item = &'static str> {
        self.names.split_ascii_whitespace().map(|text| text.split('(').next().unwrap_or(text))
    }

    /// Whether each name is one of three, with the suffixes of the types `double`, `float` and `long double`.
    pub fn is_typed(&self) -> bool {
        self.typed
    }

    /// The file of models that defines the functions, where it is linked.
    pub fn model(&self) -> Option<&'static str> {
        match self.semantics {
            Semantics::Model(file) => Some(file),
            Semantics::Output(_) => Some(models::OUTPUT.name),
            // Defined where handlers are registered.
            Semantics::Builtin(Operation::Exit { handlers: true }) => Some("exit"),
            _ => None,
        }
    }
}

/// What stands at the name of a variable, in place of what a function takes.
const VARIABLE: &str = "v";
/// The letters of strings and streams.
const HANDED: [char; 4] = ['s', 'S', 'f', 'F'];

/// What a name stands for.
struct Entry {
    row: &'static Row,
    takes: Option<&'static str>,
}

static INDEX: LazyLock<FxHashMap<String, Entry>> = LazyLock::new(|| {
    let rows = TABLE.iter().flat_map(|header| header.rows);
    rows.flat_map(|row| row.functions().map(move |(name, takes)| (name, Entry { row, takes }))).collect()
});

fn entry(name: &str) -> Option<&'static Entry> {
    // What the compiler at hand does not know as a builtin is the function.
    INDEX.get(name.strip_prefix("__builtin_").unwrap_or(name))
}

/// What is known of a function or variable of this name.
pub fn named(name: &str) -> Option<&'static Row> {
    entry(name).map(|entry| entry.row)
}

/// Whether this is the name of a variable of the C library that a model defines.
pub fn is_variable(name: &str) -> bool {
    INDEX.get(name).is_some_and(|entry| entry.takes == Some(VARIABLE))
}

/// What is known of a function of the C library, if this is a declaration of it.
pub fn of(module: &Module, function: &Function) -> Option<&'static Row> {
    let entry = entry(&function.name)?;
    entry.takes.is_none_or(|takes| fits(module, function, takes)).then_some(entry.row)
}

/// The strings and streams that a function of the C library takes.
pub fn handed(module: &Module, function: &Function) -> Vec<Handed> {
    let own = || !is_model(module.files.get(function.loc.file as usize).map_or("", String::as_str));
    let takes = entry(&function.name).and_then(|entry| entry.takes).filter(|takes| takes.contains(HANDED));
    let Some(takes) = takes.filter(|takes| fits(module, function, takes) && !(function.is_defined() && own())) else {
        return Vec::new();
    };
    let letters = takes.bytes().enumerate().filter(|&(_, letter)| HANDED.contains(&char::from(letter)));
    letters
        .map(|(argument, letter)| Handed {
            argument,
            optional: letter.is_ascii_uppercase(),
            stream: letter.eq_ignore_ascii_case(&b'f'),
        })
        .collect()
}

/// The operation of a function without a body that the translation does itself: of the C library, or of LLVM.
pub fn operation(module: &Module, function: &Function) -> Option<Operation> {
    if function.is_defined() {
        return None;
    }
    match function.name.strip_prefix("llvm.") {
        Some(intrinsic) => Operation::of_intrinsic(intrinsic),
        None => match of(module, function)?.semantics {
            Semantics::Builtin(operation) => Some(operation),
            _ => None,
        },
    }
}

/// Whether a declaration fits what a function takes.
fn fits(module: &Module, function: &Function, takes: &str) -> bool {
    if takes == VARIABLE {
        return false;
    }
    let (fixed, more) = match takes.strip_suffix('…') {
        Some(fixed) => (fixed, true),
        None => (takes, false),
    };
    // Without a prototype.
    if function.varargs && function.params.is_empty() {
        return true;
    }
    let pointer = |param: &crate::module::Param| module.ty(param.ty).kind == TypeKind::Ptr && param.byval.is_none();
    // What takes more may be declared with what it is given.
    let declared = function.params.len();
    let enough = match (function.varargs, more) {
        (true, false) => false,
        (false, true) => declared >= fixed.len(),
        _ => declared == fixed.len(),
    };
    enough && function.params.iter().zip(fixed.bytes()).all(|(param, kind)| pointer(param) == (kind != b'n'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{models::MODELS, *};

    #[test]
    fn no_name_stands_twice() {
        let mut seen = BTreeSet::new();
        for row in TABLE.iter().flat_map(|header| header.rows) {
            for (name, takes) in row.functions() {
                let letters = takes.filter(|&takes| takes != VARIABLE).unwrap_or("");
                assert!(letters.chars().all(|c| "pn…".contains(c) || HANDED.contains(&c)), "what {name} takes");
                assert!(seen.insert(name.clone()), "{name} stands twice");
            }
        }
    }

    #[test]
    fn each_model_has_a_file_and_each_file_a_row() {
        let rows = || TABLE.iter().flat_map(|header| header.rows);
        for file in rows().filter_map(Row::model) {
            assert!(file == models::OUTPUT.name || MODELS.iter().any(|model| model.name == file), "no file {file}");
        }
        for model in MODELS {
            assert!(rows().any(|row| row.model() == Some(model.name)), "no row for {}", model.name);
        }
    }

    /// Models set `errno` themselves, and what prints says what it returns by its format.
    #[test]
    fn columns_agree() {
        for row in TABLE.iter().flat_map(|header| header.rows) {
            let names = row.names;
            match row.semantics {
                Semantics::Model(_) | Semantics::Unsupported => {
                    assert!(!row.errno && row.returns == Returns::Any, "{names}");
                }
                Semantics::Output(format) => {
                    assert!(row.returns != Returns::Printed || format.is_some(), "{names}");
                }
                Semantics::Builtin(Operation::Allocate(sizes, _) | Operation::Reallocate(sizes)) => {
                    assert!((1..=2).contains(&sizes.len()), "{names}");
                }
                _ => assert_ne!(row.returns, Returns::Printed, "{names}"),
            }
        }
    }

    #[test]
    fn names_are_found() {
        assert_eq!(named("printf").map(|row| row.semantics), Some(Semantics::Output(Some(0))));
        assert_eq!(named("vfprintf").map(|row| row.semantics), Some(Semantics::Output(Some(1))));
        assert_eq!(named("sinl").map(|row| row.semantics), Some(Semantics::Model("transcendental")));
        assert_eq!(named("__builtin_fabsf").map(|row| row.semantics), named("fabs").map(|row| row.semantics));
        assert!(named("my_function").is_none());
    }
}

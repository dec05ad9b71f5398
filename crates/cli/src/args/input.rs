//! What a program is read from, and how: the options that all commands share which read one.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use lariat_llvm::translate::Registers;

#[derive(ClapArgs, Debug, Clone)]
pub struct Input {
    /// The files of one program (- for standard input)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Add a library, as Boogie's /lib does (repeatable)
    #[arg(long, value_name = "NAME")]
    pub lib: Vec<Lib>,

    /// What to do with a global that is assigned but not in the modifies clause
    #[arg(long, value_name = "RULE", default_value = "auto")]
    pub modifies: Modifies,

    /// Each procedure on its own: calls by contract, loops by invariant
    #[arg(long)]
    pub modular: bool,

    #[command(flatten)]
    pub c: CInput,
}

/// How to read C programs.
#[derive(ClapArgs, Debug, Clone)]
#[command(next_help_heading = "C programs")]
pub struct CInput {
    /// What to check: unreach-call, assert, error-label, memsafety (or valid-deref, valid-free,
    /// valid-memtrack), valid-memcleanup, no-overflow, div-by-zero, shift, bounds, null, uninit, all (but
    /// error-label, valid-memcleanup and uninit), or a .prp file (repeatable) [default: all]
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,

    /// The width of types [default: that of this machine]
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<Model>,

    /// Look for headers here (repeatable)
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Further options for clang, separated by blanks, quoted as in a shell (repeatable); all arguments after `--` are such
    /// options, too, and -std=, -U, -include, -isystem, -m32, -W… and -f… are taken as they are
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// One option for clang.
    #[arg(long, hide = true, allow_hyphen_values = true)]
    pub cflag: Vec<String>,

    /// Take the options of the files from this compilation database (compile_commands.json)
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,

    /// The clang to use [default: $LARIAT_CLANG, or what is found, 19 first]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// The language of standard input and of files with other endings
    #[arg(short = 'x', value_name = "LANGUAGE")]
    pub language: Option<Language>,

    /// How many bytes the input of a LibFuzzer entry (LLVMFuzzerTestOneInput) has at most
    #[arg(long, value_name = "BYTES", default_value_t = 64)]
    pub input_size: u32,

    /// Allocation may fail and give a null pointer
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// What a read of a volatile variable gives [default: memory]
    #[arg(long, value_name = "WHAT")]
    pub volatile: Option<Volatile>,

    /// Registers of a device are at these addresses, below 4 GiB: each read there gives any value, and writes
    /// are dropped (repeatable)
    #[arg(long, value_name = "ADDR+SIZE", value_parser = registers)]
    pub mmio: Vec<Registers>,

    /// What a call of an undefined function is [default: havoc; any with a .prp file]
    #[arg(long, value_name = "WHAT")]
    pub undefined: Option<Undefined>,
}

/// Reads a range of addresses.
fn registers(text: &str) -> Result<Registers, String> {
    let number = |text: &str| match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let (start, size) = text.split_once('+').ok_or("not of the form ADDR+SIZE, such as 0x40000000+0x1000")?;
    let read = |text: &str| number(text).ok_or(format!("`{text}` is no number, such as 4096 or 0x1000"));
    let (start, size) = (read(start)?, read(size)?);
    match start.checked_add(size) {
        _ if size == 0 => Err("the range is empty".into()),
        _ if start == 0 => Err("the address 0 is the null pointer".into()),
        Some(end) if end <= 1 << 32 => Ok(Registers { start, size }),
        _ => Err("the range does not end below 4 GiB".into()),
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// int, long and pointers have 32 bits
    #[value(name = "ILP32", alias = "ilp32")]
    Ilp32,
    /// long and pointers have 64 bits
    #[value(name = "LP64", alias = "lp64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volatile {
    /// What was written last
    Memory,
    /// Any value, each time
    Input,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// It returns any value and may change what it is given
    Havoc,
    /// It returns any value and changes nothing
    Any,
    /// It is a failure
    Error,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lib {
    /// Options, vectors, sequences, sets and maps
    Base,
    /// Linked lists (needs base)
    Node,
    /// Sizes of sets (needs base)
    #[value(name = "set_size")]
    SetSize,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modifies {
    /// An error where clauses are given, inferred where they are absent
    Auto,
    /// Always an error
    Check,
    /// Always inferred
    Infer,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C
    C,
    /// Boogie
    Boogie,
}

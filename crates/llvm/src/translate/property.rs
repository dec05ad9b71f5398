//! What is checked: properties by name or from a property file.

use crate::driver::Traps;

/// The checks to make.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties {
    /// Functions whose call is a failure.
    pub error_calls: Vec<String>,
    /// Failed assertions (`assert`, `__assert_fail` …) are failures.
    pub asserts: bool,
    /// Labels that must not be reached.
    pub labels: Vec<String>,
    /// Accesses to memory that is not there.
    pub deref: bool,
    /// Freeing what is not an allocated block.
    pub free: bool,
    /// Allocated memory that is lost.
    pub leak: bool,
    /// Allocated memory that is not freed at the end.
    pub cleanup: bool,
    /// Dereferenced null pointers.
    pub null: bool,
    /// Array indices outside the bounds of their array type.
    pub bounds: bool,
    /// Signed overflow.
    pub overflow: bool,
    /// Division by zero.
    pub division: bool,
    /// Shift distances.
    pub shift: bool,
    /// Use of values that were never set.
    pub uninit: bool,
    /// Floats that the integer type cannot hold.
    pub float_cast: bool,
    /// Addresses that are not aligned.
    pub alignment: bool,
    /// Pointers into different objects that are subtracted.
    pub pointer_subtract: bool,
    /// Pointers into different objects that are compared with `<` or its like.
    pub pointer_compare: bool,
    /// Other undefined behaviour: builtins outside of their domain, `__builtin_unreachable`, overlapping `memcpy`,
    /// a result that a function does not return.
    pub undefined: bool,
    /// Strings and blocks that do not fit what library functions are given.
    pub strings: bool,
    /// No failure: the program asks for the sizes of objects.
    pub asks_sizes: bool,
}

const ERROR_CALLS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// The names that `--property` takes.
pub const NAMES: &str = "unreach-call, assert, error-label, memsafety, valid-deref, valid-free, valid-memtrack, \
                         valid-memcleanup, no-overflow, div-by-zero, shift, float-cast, bounds, strings, null, alignment, \
                         pointer-subtract, pointer-compare, undefined, uninit, all, or a .prp file";

/// The parts of `all`.
const ALL: [&str; 12] = [
    "assert",
    "memsafety",
    "no-overflow",
    "div-by-zero",
    "shift",
    "float-cast",
    "bounds",
    "strings",
    "null",
    "alignment",
    "pointer-subtract",
    "undefined",
];

impl Properties {
    /// Assertions and calls of the error functions.
    pub fn assert() -> Properties {
        let error_calls = ERROR_CALLS.map(String::from).to_vec();
        Properties { error_calls, asserts: true, ..Properties::default() }
    }

    /// Whether object lifetimes have to be followed.
    pub fn memory(&self) -> bool {
        self.sizes() || self.free || self.watches()
    }

    /// Whether it matters what is allocated at the end.
    pub fn watches(&self) -> bool {
        self.leak || self.cleanup
    }

    /// Whether the sizes of objects have to be known.
    pub fn sizes(&self) -> bool {
        self.deref || self.strings || self.asks_sizes
    }

    /// Whether it matters what is read.
    pub fn reads(&self) -> bool {
        self.deref || self.strings || self.null || self.uninit
    }

    /// The traps that clang has to put where LLVM IR alone does not show what went wrong.
    pub fn traps(&self) -> Traps {
        Traps {
            overflow: self.overflow,
            shift_base: self.overflow,
            shift_exponent: self.shift,
            division: self.division,
            float_cast: self.float_cast,
            array_length: self.bounds,
        }
    }

    /// Adds a property by its name.
    pub fn add(&mut self, name: &str) -> Result<(), String> {
        match name {
            "unreach-call" => self.error_calls.extend(ERROR_CALLS.map(String::from)),
            "assert" => {
                self.error_calls.extend(ERROR_CALLS.map(String::from));
                self.asserts = true;
            }
            "error-label" => self.labels.push("ERROR".into()),
            "memsafety" | "valid-memsafety" => (self.deref, self.free, self.leak) = (true, true, true),
            "valid-deref" => self.deref = true,
            "valid-free" => self.free = true,
            "valid-memtrack" => self.leak = true,
            "valid-memcleanup" => self.cleanup = true,
            "no-overflow" => self.overflow = true,
            "div-by-zero" => self.division = true,
            "shift" => self.shift = true,
            "bounds" => self.bounds = true,
            "strings" => self.strings = true,
            "null" => self.null = true,
            "uninit" => self.uninit = true,
            "float-cast" => self.float_cast = true,
            "alignment" => self.alignment = true,
            "pointer-subtract" => self.pointer_subtract = true,
            "pointer-compare" => self.pointer_compare = true,
            "undefined" => self.undefined = true,
            // What is checked if nothing is asked for, too: a `safe` without memory or overflow would say too little.
            // `ERROR` is a convention of some test suites only, many programs take what was never set as inputs, and
            // many order pointers to see whether one is into a block.
            "all" => {
                for part in ALL {
                    self.add(part)?;
                }
            }
            _ => return Err(format!("unknown property `{name}`; there are {NAMES}")),
        }
        Ok(())
    }

    /// Adds the properties of a property file, as the software verification competition writes them,
    /// and gives the entry function that the file names.
    pub fn add_file(&mut self, text: &str) -> Result<String, String> {
        let mut entry: Option<String> = None;
        for line in text.lines() {
            let line: String = line.split("//").next().unwrap_or("").chars().filter(|c| !c.is_whitespace()).collect();
            if line.is_empty() {
                continue;
            }
            let unknown = || format!("this property is not supported: {}", line);
            let rest = line.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))")).ok_or_else(unknown)?;
            let (start, formula) = rest.split_once("()),LTL(").ok_or_else(unknown)?;
            match &entry {
                Some(old) if old != start => return Err("the property file names two entry functions".into()),
                _ => entry = Some(start.into()),
            }
            match formula {
                "Gvalid-free" => self.free = true,
                "Gvalid-deref" => self.deref = true,
                "Gvalid-memtrack" => self.leak = true,
                "Gvalid-memcleanup" => self.cleanup = true,
                "G!overflow" => self.overflow = true,
                _ => {
                    let call = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
                    let label = formula.strip_prefix("G!label(").and_then(|rest| rest.strip_suffix(")"));
                    match (call, label) {
                        (Some(name), _) if is_name(name) => self.error_calls.push(name.into()),
                        (_, Some(name)) if is_name(name) => self.labels.push(name.into()),
                        _ => return Err(unknown()),
                    }
                }
            }
        }
        entry.ok_or_else(|| "the property file has no property".into())
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_are_read_exactly() {
        let mut p = Properties::default();
        let text = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n";
        assert_eq!(p.add_file(text), Ok("main".into()));
        assert_eq!(p, Properties { free: true, deref: true, ..Properties::default() });
        let mut p = Properties::default();
        assert_eq!(p.add_file("CHECK( init(main()), LTL(G ! call(reach_error())) )"), Ok("main".into()));
        assert_eq!(p.error_calls, ["reach_error"]);
        let mut p = Properties::default();
        assert_eq!(p.add_file("CHECK( init(main()), LTL(G ! overflow) )"), Ok("main".into()));
        assert!(p.overflow);
        let mut p = Properties::default();
        assert_eq!(p.add_file("CHECK( init(main()), LTL(G valid-memcleanup) )"), Ok("main".into()));
        assert_eq!(p, Properties { cleanup: true, ..Properties::default() });
        for bad in [
            "",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G ! call(f(x))) )",
            "CHECK( init(main()), LTL(G ! data-race) )",
            "G valid-free",
        ] {
            assert!(Properties::default().add_file(bad).is_err(), "{bad}");
        }
    }
}

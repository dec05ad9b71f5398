//! Models of library functions in C, which are compiled and linked on demand.
//!
//! All definitions are weak: what the program defines goes before them. Each file stands alone, except for the files it
//! names, and never uses a public function of another model. So the files that are needed make one translation unit, for
//! one run of the compiler. What a file defines is in the [table](super::TABLE).

use std::fmt::Write;

use super::{ENVIRONMENT, ERRNO, Semantics, TABLE, named};

/// What every translation unit of models starts with.
const PRELUDE: &str = include_str!("../../models/prelude.h");
/// What models include, with other macros each time.
const HEADERS: [(&str, &str); 6] = [
    ("complex.h", include_str!("../../models/complex.h")),
    ("decimal.h", include_str!("../../models/decimal.h")),
    ("format.h", include_str!("../../models/format.h")),
    ("number.h", include_str!("../../models/number.h")),
    ("reals.h", include_str!("../../models/reals.h")),
    ("strtod.h", include_str!("../../models/strtod.h")),
];

/// A file of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// Its name, without the ending.
    pub name: &'static str,
    /// Its text, without the prelude.
    pub text: &'static str,
    /// The models that it uses.
    pub needs: &'static [&'static str],
}

impl Model {
    /// The functions and variables that it defines.
    pub fn defines(&self) -> impl Iterator<Item = String> {
        let rows = TABLE.iter().flat_map(|header| header.rows).filter(|row| row.model() == Some(self.name));
        rows.flat_map(|row| row.functions().map(|(name, _)| name))
    }
}

macro_rules! model {
    ($name:literal, [$($needs:literal),*]) => {
        Model {
            name: $name,
            text: include_str!(concat!("../../models/", $name, ".c")),
            needs: &[$($needs),*],
        }
    };
}

/// The file whose functions depend on how the program declares them.
pub const WIDE_FORMAT: &str = "wformat";

/// The file of the variables of the environment.
pub const VARIABLES: &str = "getenv";

/// All models but that of output; what a model needs stands before it.
pub static MODELS: &[Model] = &[
    model!("alloc", ["errno"]),
    model!("bits", []),
    model!("calendar", ["errno"]),
    model!("charset", ["errno"]),
    model!("complex", ["errno"]),
    model!("counted", ["errno"]),
    model!("ctype", []),
    model!("ctype_tables", []),
    model!("dirent", ["errno"]),
    model!("environ", []),
    model!("errno", []),
    model!("error", []),
    model!("exit", []),
    model!("fenv", []),
    model!("files", ["errno"]),
    model!("format", []),
    model!("chk", ["format"]),
    model!("getenv", ["errno"]),
    model!("getopt", []),
    model!("gettext", []),
    model!("inet", ["errno"]),
    model!("libgen", []),
    model!("locale", ["errno"]),
    model!("zone", []),
    model!("localtime", ["calendar", "errno", "zone"]),
    model!("math", []),
    model!("memory", []),
    model!("netdb", ["errno"]),
    model!("number", ["errno"]),
    model!("paths", ["errno"]),
    model!("poll", ["errno"]),
    model!("process", ["errno"]),
    model!("fork", ["errno", "process"]),
    model!("program", []),
    model!("random", ["errno"]),
    model!("reals", ["errno"]),
    model!("regex", []),
    model!("scan", []),
    model!("search", ["errno"]),
    model!("semaphore", ["errno"]),
    model!("signal", ["errno", "process"]),
    // It knows the mask of blocked signals, where there is one.
    model!("jump", []),
    model!("sockets", ["errno"]),
    model!("sort", []),
    model!("stdio", ["errno"]),
    model!("backing", ["errno", "stdio"]),
    model!("stdlib", []),
    model!("strdup", []),
    model!("streams", []),
    model!("strerror", []),
    model!("string", []),
    model!("strtod", ["errno"]),
    model!("sscan", ["errno", "strtod"]),
    model!("strverscmp", []),
    model!("system", ["errno"]),
    model!("text", []),
    model!("threads", []),
    model!("time", ["errno"]),
    model!("transcendental", ["errno"]),
    model!("trigonometry", []),
    model!("unistd", ["errno"]),
    model!("users", ["errno"]),
    model!("wchar", []),
    model!("wctype", []),
    model!("wnumber", ["errno", "strtod"]),
    model!("wformat", []),
];

/// Output, for where it matters what is read.
pub static OUTPUT: Model = model!("print", []);

/// What depends on the program and on what is asked of it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Variant {
    /// `swprintf` and `vswprintf` take no size, as Microsoft's did.
    pub unsized_wide: bool,
    /// It matters what output reads.
    pub output_reads: bool,
    /// It matters how far functions go in the arrays that they are given.
    pub strings: bool,
    /// Only one variable of the environment matters, and nobody sets it.
    pub one_variable: bool,
}

/// One translation unit with the models of the names that have one, and what these need; `None` if
/// none of them has. Debug information names the files `<models>/string.c` and so on. To be compiled
/// with `-fno-builtin`, so that no loop of a model is taken for the function it models.
pub fn unit<'a>(names: impl IntoIterator<Item = &'a str>, variant: Variant) -> Option<String> {
    let mut wanted = vec![false; MODELS.len()];
    let (mut output, mut errno, mut environment) = (false, false, false);
    for name in names {
        errno |= name == ERRNO;
        environment |= name == ENVIRONMENT;
        match named(name).map(|row| row.semantics) {
            Some(Semantics::Model(file)) => {
                let needs = MODELS.iter().find(|model| model.name == file).map_or(&[][..], |model| model.needs);
                for (index, other) in MODELS.iter().enumerate() {
                    wanted[index] |= other.name == file || needs.contains(&other.name);
                }
                // Messages are output, too.
                output |= file == "error" && variant.output_reads;
            }
            Some(Semantics::Output(_)) => output |= variant.output_reads,
            _ => {}
        }
    }
    if !output && !wanted.contains(&true) {
        return None;
    }
    let mut text = String::new();
    if variant.strings {
        text.push_str("#define LARIAT_STRINGS\n");
    }
    let _ = write!(text, "# 1 \"<models>/prelude.h\"\n{PRELUDE}");
    if variant.unsized_wide {
        text.push_str("#define LARIAT_UNSIZED\n");
    }
    if errno {
        text.push_str("#define LARIAT_ERRNO_VARIABLE\n");
    }
    if variant.one_variable {
        text.push_str("#define LARIAT_ONE_VARIABLE\n");
    }
    if environment {
        text.push_str("#define LARIAT_ENVIRON\n");
    }
    if variant.output_reads {
        text.push_str("#define LARIAT_OUTPUT_READS\n");
    }
    let wanted = MODELS.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(model, _)| model);
    for Model { name, text: own, .. } in wanted.chain(output.then_some(&OUTPUT)) {
        let _ = writeln!(text, "# 1 \"<models>/{name}.c\"");
        for (number, line) in own.lines().enumerate() {
            let header = HEADERS.iter().find(|(header, _)| line == format!("#include \"{header}\""));
            let _ = match header {
                Some((header, own)) => {
                    write!(text, "# 1 \"<models>/{header}\"\n{own}# {} \"<models>/{name}.c\"\n", number + 2)
                }
                None => writeln!(text, "{line}"),
            };
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_has_what_is_needed() {
        assert_eq!(unit(["printf", "dlopen", "my_function"], Variant::default()), None);
        let reads = Variant { output_reads: true, ..Variant::default() };
        assert!(unit(["printf"], reads).is_some_and(|text| text.contains("<models>/print.c")));
        let text = unit(["strtol", "printf"], Variant::default()).expect("strtol has a model");
        assert!(text.contains("<models>/number.c") && text.contains("<models>/errno.c"));
        assert!(!text.contains("<models>/string.c"));
    }
}

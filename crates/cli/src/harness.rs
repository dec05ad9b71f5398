//! Native harnesses: a C file that supplies the inputs of a reported execution, so that a compiler's own program can be
//! run on them.

use std::fmt::Write;

use lariat_source::{Input, Raw, SourceTrace, StepKind};

use crate::c::{FUZZ_CALLER, FUZZ_ENTRY};

/// Library functions whose results are inputs of a program.
const ANSWERS: [(&str, &str); 4] = [("rand", "int"), ("random", "long"), ("lrand48", "long"), ("mrand48", "long")];

/// So many arguments of `main` have a place; the number that the program is told may be larger.
const MAX_ARGUMENTS: u32 = 1 << 16;

/// What a harness is made from.
pub struct Harness<'a> {
    pub trace: &'a SourceTrace,
    /// What goes wrong, in words.
    pub failure: &'a str,
    /// The function where the execution starts.
    pub entry: &'a str,
    /// A file to include, so that a function that only this file sees can be called.
    pub include: Option<String>,
    /// Functions that nothing defines, and that are of no interest.
    pub stubs: &'a [String],
}

/// What a program prints where a function that must not be called is called, an assertion fails or an assumption does not hold.
pub const FAILED: &str = "lariat: failed: ";
pub const BLOCKED: &str = "lariat: an assumption does not hold";

/// Definitions that a program may have itself.
const VERIFIER: &str = r#"
#define WEAK __attribute__((weak))
static void lariat_fail(const char *what) { fprintf(stderr, "lariat: failed: %s\n", what); abort(); }
static void lariat_assume(int holds) {
  if (!holds) { fprintf(stderr, "lariat: an assumption does not hold\n"); _Exit(77); }
}
void reach_error(void) { lariat_fail("reach_error is called"); }
WEAK void __VERIFIER_error(void) { lariat_fail("__VERIFIER_error is called"); }
WEAK void __VERIFIER_assume(int holds) { lariat_assume(holds); }
WEAK void __CPROVER_assume(int holds) { lariat_assume(holds); }
WEAK void __ESBMC_assume(int holds) { lariat_assume(holds); }
WEAK void __VERIFIER_assert(int holds) { if (!holds) lariat_fail("an assertion"); }
WEAK void __CPROVER_assert(int holds, const char *what) { if (!holds) lariat_fail(what); }
WEAK void __ESBMC_assert(int holds, const char *what) { if (!holds) lariat_fail(what); }
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}
"#;

/// The text of the harness; the functions that it supplies are in a file of their own where it includes the program.
pub fn inputs(harness: &Harness<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "/* The inputs of an execution that fails: {}. */", harness.failure.replace("*/", "* /"));
    out.push_str("#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    out.push_str(VERIFIER);
    for stub in harness.stubs {
        let _ = writeln!(out, "long {stub}() {{ return 0; }}");
    }
    let mut functions: Vec<(&str, Vec<&Raw>)> = Vec::new();
    for Input { what, raw, .. } in &harness.trace.inputs {
        let Some(name) = what.strip_suffix("()") else { continue };
        match functions.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(raw),
            None => functions.push((name, vec![raw])),
        }
    }
    for (name, values) in functions {
        let Some(ty) = values.iter().find_map(|raw| c_type(raw)) else { continue };
        let list: Vec<String> = values.iter().map(|raw| literal(raw)).collect();
        supply(&mut out, name, ty, &list);
    }
    for (name, ty) in ANSWERS {
        let list = answers(harness.trace, name);
        if !list.is_empty() {
            supply(&mut out, name, ty, &list);
        }
    }
    out
}

/// A function that gives one value after the other.
fn supply(out: &mut String, name: &str, ty: &str, list: &[String]) {
    let float = matches!(ty, "float" | "double");
    let (element, give) = match ty {
        "float" => ("uint32_t", "float result; memcpy(&result, &bits, sizeof result); return result;"),
        "double" => ("uint64_t", "double result; memcpy(&result, &bits, sizeof result); return result;"),
        ty => (ty, "return bits;"),
    };
    let _ = writeln!(out, "\n{ty} {name}(void) {{");
    let _ = writeln!(out, "  static const {element} values[] = {{ {} }};", list.join(", "));
    let _ = writeln!(out, "  static unsigned next;");
    let _ = writeln!(out, "  {element} bits = next < {} ? values[next++] : 0;", list.len());
    let _ = writeln!(out, "  {give}{}\n}}", if float { " /* by its bits */" } else { "" });
}

/// What calls of a library function have returned.
fn answers(trace: &SourceTrace, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        let StepKind::Call { function, .. } = &step.kind else { continue };
        let end = trace.steps[i + 1..].iter().find(|later| later.depth <= step.depth + 1);
        if let (true, Some(StepKind::Return { value: Some(value) })) = (function == name, end.map(|s| &s.kind))
            && value.parse::<i64>().is_ok()
        {
            found.push(value.clone());
        }
    }
    found
}

/// The bytes that a LibFuzzer entry is given.
fn fuzzed(trace: &SourceTrace) -> Vec<String> {
    let size = trace.inputs.first().and_then(|input| input.value.parse::<usize>().ok()).unwrap_or(0);
    let mut bytes = vec![String::from("0"); size.min(1 << 20)];
    for step in trace.steps.iter().filter(|step| step.function == FUZZ_CALLER) {
        let StepKind::Set { place, value } = &step.kind else { continue };
        let index = place.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']')?.parse::<usize>().ok());
        if let Some(byte) = index.and_then(|index| bytes.get_mut(index)) {
            *byte = value.split(' ').next().unwrap_or("0").to_owned();
        }
    }
    bytes
}

/// The function that calls the entry.
pub fn main(harness: &Harness<'_>) -> String {
    let arguments: Vec<&Input> =
        harness.trace.inputs.iter().filter(|i| !i.what.contains('(') && !i.what.contains(' ')).collect();
    let values: Vec<String> = arguments.iter().map(|input| literal(&input.raw)).collect();
    let types: Vec<&str> = arguments.iter().map(|input| c_type(&input.raw).unwrap_or("void *")).collect();
    let mut out = String::from("#include <stdint.h>\n#include <stdlib.h>\n");
    match (harness.entry, &harness.include) {
        ("main", _) => {
            // The number of arguments counts; what they are is not known.
            let count = arguments.iter().find(|i| i.what == "argc").map_or("argc".to_owned(), |i| literal(&i.raw));
            out.push_str("int lariat_program_main();\n\nint main(int argc, char **argv) {\n");
            let _ = writeln!(out, "  int count = {count};");
            let _ = writeln!(out, "  int places = count < 0 ? 0 : count < {MAX_ARGUMENTS} ? count : {MAX_ARGUMENTS};");
            out.push_str("  char **list = calloc((size_t)places + 1, sizeof *list);\n");
            // So many arguments that they do not fit in memory are not told.
            let _ = writeln!(out, "  for (int i = 0; i < places; i++) list[i] = i < argc ? argv[i] : \"\";");
            out.push_str("  int result = lariat_program_main(count, list, list + places);\n");
            out.push_str("  free(list);\n  return result;\n}\n");
        }
        (FUZZ_CALLER, _) => {
            let bytes = fuzzed(harness.trace);
            let _ = writeln!(out, "int {FUZZ_ENTRY}(const uint8_t *, size_t);\n\nint main(void) {{");
            let _ = writeln!(
                out,
                "  static const uint8_t bytes[] = {{ {} }};",
                [&bytes[..], &["0".into()]].concat().join(", ")
            );
            let _ = writeln!(out, "  uint8_t *data = malloc({});", bytes.len());
            let _ = writeln!(out, "  for (size_t i = 0; i < {}; i++) data[i] = bytes[i];", bytes.len());
            let _ = writeln!(out, "  {FUZZ_ENTRY}(data, {});\n  free(data);\n  return 0;\n}}", bytes.len());
        }
        (entry, include) => {
            match include {
                Some(file) => _ = writeln!(out, "#include \"{file}\""),
                None => _ = writeln!(out, "void {entry}({});", types.join(", ")),
            }
            let _ = writeln!(out, "\nint main(void) {{\n  {entry}({});\n  return 0;\n}}", values.join(", "));
        }
    }
    out
}

fn c_type(raw: &Raw) -> Option<&'static str> {
    Some(match raw {
        Raw::Integer { bits, signed: true, .. } => match bits {
            ..=8 => "int8_t",
            ..=16 => "int16_t",
            ..=32 => "int32_t",
            _ => "int64_t",
        },
        Raw::Integer { bits, signed: false, .. } => match bits {
            ..=8 => "uint8_t",
            ..=16 => "uint16_t",
            ..=32 => "uint32_t",
            _ => "uint64_t",
        },
        Raw::Float { bits: 32, .. } => "float",
        Raw::Float { .. } => "double",
        Raw::Other => return None,
    })
}

/// A value as C writes it; that of a float is its bit pattern.
fn literal(raw: &Raw) -> String {
    match raw {
        Raw::Integer { value, .. } if value == "-9223372036854775808" => "-9223372036854775807LL - 1".into(),
        Raw::Integer { value, bits: 33.., signed } => format!("{value}{}", if *signed { "LL" } else { "ULL" }),
        Raw::Integer { value, .. } if value == "-2147483648" => "-2147483647 - 1".into(),
        Raw::Integer { value, signed: true, .. } => value.clone(),
        Raw::Integer { value, .. } => format!("{value}U"),
        Raw::Float { pattern, .. } => format!("{pattern}U"),
        Raw::Other => "0".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_source::{Loc, Step};

    fn input(what: &str, raw: Raw) -> Input {
        Input { what: what.into(), value: String::new(), loc: Loc::NONE, function: "main".into(), raw }
    }

    fn int(bits: u32, value: &str) -> Raw {
        Raw::Integer { bits, signed: true, value: value.into() }
    }

    #[test]
    fn inputs_are_given_in_order() {
        let inputs =
            vec![input("f()", int(32, "7")), input("g()", int(64, "-1")), input("f()", int(32, "-2147483648"))];
        let step = |depth, kind| Step { loc: Loc::NONE, depth, function: String::new(), kind };
        let steps = vec![
            step(1, StepKind::Call { function: "rand".into(), arguments: Vec::new() }),
            step(2, StepKind::Return { value: Some("5".into()) }),
        ];
        let trace = SourceTrace { inputs, steps, ..SourceTrace::default() };
        let harness = Harness { trace: &trace, failure: "x */", entry: "main", include: None, stubs: &["h".into()] };
        let text = super::inputs(&harness);
        assert!(text.contains("int32_t f(void)") && text.contains("{ 7, -2147483647 - 1 }"), "{text}");
        assert!(text.contains("int64_t g(void)") && text.contains("{ -1LL }"), "{text}");
        assert!(text.contains("int rand(void)") && text.contains("{ 5 }") && text.contains("long h()"), "{text}");
        assert!(text.contains("x * /"));
    }

    #[test]
    fn entries_are_called_with_their_arguments() {
        let inputs = vec![input("level", int(32, "-3")), input("f()", int(32, "1"))];
        let trace = SourceTrace { inputs, ..SourceTrace::default() };
        let harness = Harness { trace: &trace, failure: "", entry: "start", include: None, stubs: &[] };
        let text = main(&harness);
        assert!(text.contains("void start(int32_t);") && text.contains("start(-3);"), "{text}");
    }
}

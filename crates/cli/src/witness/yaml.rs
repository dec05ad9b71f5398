//! Format 2.0: `violation_sequence` and `invariant_set` in YAML.

use std::fmt::Write;

use super::{SourcePosition, Task, Violation, utc};
use crate::sha256;

pub(super) fn violation(task: &Task, violation: &Violation) -> String {
    let mut out = head("violation_sequence", task);
    out.push_str("  content:\n");
    for result in &violation.results {
        out.push_str("  - segment:\n    - waypoint:\n        type: \"function_return\"\n        action: \"follow\"\n");
        let value = format!("\\result == {}", result.value);
        let _ = writeln!(out, "        constraint:\n          value: {}", quoted(&value));
        out.push_str("          format: \"ext_c_expression\"\n");
        place(&mut out, "        ", &result.end);
    }
    out.push_str("  - segment:\n    - waypoint:\n        type: \"target\"\n        action: \"follow\"\n");
    place(&mut out, "        ", &violation.target);
    out
}

pub(super) fn correctness(task: &Task, invariants: &[(SourcePosition, &str)]) -> String {
    let mut out = head("invariant_set", task);
    out.push_str(if invariants.is_empty() { "  content: []\n" } else { "  content:\n" });
    for (at, formula) in invariants {
        out.push_str("  - invariant:\n      type: \"loop_invariant\"\n");
        place(&mut out, "      ", at);
        let _ = writeln!(out, "      value: {}\n      format: \"c_expression\"", quoted(formula));
    }
    out
}

fn head(kind: &str, task: &Task) -> String {
    let Task { files, specification, narrow, command, created } = task;
    let seed = format!("{created} {} {command} {files:?}", std::process::id());
    let model = if *narrow { "ILP32" } else { "LP64" };
    let mut out = String::new();
    let _ = writeln!(out, "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"2.0\"");
    let _ = writeln!(out, "    uuid: \"{}\"", uuid(&sha256::hex(seed.as_bytes())));
    let _ = writeln!(out, "    creation_time: \"{}\"", utc(*created));
    let _ = writeln!(out, "    producer:\n      name: \"Lariat\"\n      version: \"{}\"", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "      command_line: {}", quoted(command));
    out.push_str("    task:\n      input_files:\n");
    files.iter().for_each(|(name, _)| _ = writeln!(out, "      - {}", quoted(name)));
    out.push_str("      input_file_hashes:\n");
    files.iter().for_each(|(name, hash)| _ = writeln!(out, "        {}: \"{hash}\"", quoted(name)));
    let _ = writeln!(out, "      specification: {}", quoted(specification));
    let _ = writeln!(out, "      data_model: \"{model}\"\n      language: \"C\"");
    out
}

fn place(out: &mut String, indent: &str, place: &SourcePosition) {
    let _ = writeln!(out, "{indent}location:\n{indent}  file_name: {}", quoted(&place.file));
    let _ = writeln!(out, "{indent}  line: {}", place.line);
    if place.column != 0 {
        let _ = writeln!(out, "{indent}  column: {}", place.column);
    }
    let _ = writeln!(out, "{indent}  function: {}", quoted(&place.function));
}

/// A string of YAML in double quotes, which are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A random UUID (version 4), from the digits of a hash.
fn uuid(hash: &str) -> String {
    format!("{}-{}-4{}-a{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_have_their_form() {
        let id = uuid(&sha256::hex(b"x"));
        assert_eq!(id.len(), 36);
        assert_eq!((&id[14..15], &id[19..20]), ("4", "a"));
    }
}

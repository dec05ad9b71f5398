//! Machine formats of results: JSON against its schema, SARIF, witnesses, the page of HTML; and native replay.

mod common;

use common::Dir;
use serde_json::Value as Json;

const BUG: &str = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
                   char *p = malloc(11);\n  if (n == 11) p[n] = 1;\n  free(p);\n  return 0;\n}\n";
const GOOD: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
                    int i = 0;\n  while (i < n) i++;\n  assert(n < 0 || i == n);\n  return 0;\n}\n";

/// Is a value as a schema says? Only what the schemas here use is known.
fn valid(schema: &Json, root: &Json, value: &Json, path: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).ok_or(format!("no {name}"))?;
        return valid(target, root, value, path);
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema has a type {other}"),
    };
    let fits = match &schema["type"] {
        Json::String(name) => is(name),
        Json::Array(names) => names.iter().filter_map(Json::as_str).any(is),
        _ => true,
    };
    if !fits {
        return Err(format!("{path} is {value}, not {}", schema["type"]));
    }
    if let Some(list) = schema["enum"].as_array()
        && !list.contains(value)
    {
        return Err(format!("{path} is {value}, not one of {list:?}"));
    }
    if let Some(all) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if !all.contains_key(name) {
                return Err(format!("{path} has no {name}"));
            }
        }
        for (name, part) in all {
            match schema["properties"].get(name) {
                Some(inner) => valid(inner, root, part, &format!("{path}.{name}"))?,
                None if schema["additionalProperties"] == Json::Bool(false) => {
                    return Err(format!("{path}.{name} is not in the schema"));
                }
                None => {}
            }
        }
    }
    for (i, part) in value.as_array().into_iter().flatten().enumerate() {
        if !schema["items"].is_null() {
            valid(&schema["items"], root, part, &format!("{path}[{i}]"))?;
        }
    }
    Ok(())
}

fn schema() -> Json {
    serde_json::from_str(include_str!("../../../docs/check.schema.json")).unwrap()
}

#[test]
fn json_is_as_its_schema_says() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    dir.write("good.c", GOOD);
    dir.write(
        "loop.bpl",
        "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != 9; }\n",
    );
    let schema = schema();
    let cases: [&[&str]; 6] = [
        &["bug.c"],
        &["bug.c", "--trace", "full"],
        &["good.c"],
        &["loop.bpl"],
        &["loop.bpl", "--bound", "2"],
        &["loop.bpl", "--queries", "0", "--engine", "unfold"],
    ];
    for case in cases {
        let output = dir.run(&[&["check", "--format", "json"], case].concat());
        let json: Json = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(valid(&schema, &schema, &json, "result"), Ok(()), "{case:?}");
        assert_eq!(json["format_version"], "1.0");
    }
}

#[test]
fn a_schema_is_checked_at_all() {
    let schema = schema();
    let wrong = serde_json::json!({ "verdict": "perhaps" });
    assert!(valid(&schema, &schema, &wrong, "result").is_err());
}

#[test]
fn sarif_has_rules_results_and_flows() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    let output = dir.run(&["check", "bug.c", "--sarif", "out.sarif", "--format", "sarif"]);
    let log: Json = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(log, serde_json::from_str::<Json>(&dir.read("out.sarif")).unwrap());
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let index = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.starts_with("heap buffer overflow: write of 1 byte at offset 11 of the 11-byte block"), "{text}");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
    assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 5);
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert!(flow.len() > 2 && flow.last().unwrap()["location"]["message"]["text"] == text);
}

#[test]
fn witnesses_of_violations_and_proofs() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    dir.write("good.c", GOOD);
    dir.run(&["check", "bug.c", "--witness", "bug.yml"]);
    let witness = dir.read("bug.yml");
    for part in [
        "entry_type: \"violation_sequence\"",
        "format_version: \"2.0\"",
        "value: \"\\\\result == 11\"",
        "column: 33",
        // The start of `p[n] = 1`, not the operator that clang names.
        "column: 16",
        "type: \"target\"",
        "line: 6",
        "G valid-deref",
        "\"bug.c\": \"",
    ] {
        assert!(witness.contains(part), "no {part} in\n{witness}");
    }
    dir.run(&["check", "good.c", "--witness", "good.yml"]);
    let witness = dir.read("good.yml");
    assert!(witness.contains("entry_type: \"invariant_set\"") && witness.contains("content:"), "{witness}");
}

/// An element of XML: its name, its attributes, its text, and what is in it.
#[derive(Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// The value of a data element.
    fn data(&self, key: &str) -> Option<&str> {
        self.named("data").find(|d| d.attribute("key") == key).map(|d| d.text.as_str())
    }
}

/// Parses XML, as far as witnesses need it; panics where it is not well-formed.
fn parse_xml(text: &str) -> Element {
    let plain = |text: &str| {
        let mut rest = text.to_owned();
        for (name, c) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
            rest = rest.replace(name, c);
        }
        rest
    };
    let mut open = vec![Element::default()];
    let mut rest = text.split_once("?>").expect("a declaration").1;
    while let Some((before, after)) = rest.split_once('<') {
        open.last_mut().expect("an element").text.push_str(&plain(before));
        let (tag, after) = after.split_once('>').expect("a closed tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let done = open.pop().expect("an element");
            assert_eq!(done.name, name);
            open.last_mut().expect("a root").children.push(done);
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let parts: Vec<&str> = attributes.split('"').collect();
        let pairs = parts.chunks_exact(2).map(|pair| (pair[0].trim().trim_end_matches('=').to_owned(), plain(pair[1])));
        open.push(Element { name: name.into(), attributes: pairs.collect(), ..Element::default() });
    }
    assert_eq!(open.len(), 1, "all tags are closed");
    open.pop().and_then(|root| root.children.into_iter().next()).expect("a root")
}

/// Checks what the format asks of every witness, and gives the graph.
fn graph(text: &str) -> Element {
    let root = parse_xml(text);
    assert_eq!(root.name, "graphml");
    let keys: Vec<(String, String)> =
        root.named("key").map(|k| (k.attribute("id").to_owned(), k.attribute("for").to_owned())).collect();
    let graph = root.children.into_iter().find(|c| c.name == "graph").expect("a graph");
    for key in [
        "witness-type",
        "sourcecodelang",
        "producer",
        "specification",
        "programfile",
        "programhash",
        "architecture",
        "creationtime",
    ] {
        assert!(graph.data(key).is_some_and(|value| !value.is_empty()), "{key}");
    }
    assert_eq!(graph.attribute("edgedefault"), "directed");
    let nodes: Vec<&str> = graph.named("node").map(|n| n.attribute("id")).collect();
    assert_eq!(graph.named("node").filter(|n| n.data("entry") == Some("true")).count(), 1);
    for edge in graph.named("edge") {
        assert!(nodes.contains(&edge.attribute("source")) && nodes.contains(&edge.attribute("target")));
    }
    for element in graph.children.iter().chain([&graph]) {
        for data in element.named("data") {
            let key = (data.attribute("key").to_owned(), element.name.clone());
            assert!(keys.contains(&key), "{key:?} is not declared");
        }
    }
    graph
}

#[test]
fn witnesses_are_graphs_where_the_name_asks_for_it() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    dir.write("good.c", GOOD);
    dir.run(&["check", "bug.c", "--witness", "bug.graphml"]);
    let bug = graph(&dir.read("bug.graphml"));
    assert_eq!(bug.data("witness-type"), Some("violation_witness"));
    assert_eq!(bug.data("specification"), Some("CHECK( init(main()), LTL(G valid-deref) )"));
    let input = bug.named("edge").find(|e| e.data("assumption").is_some()).expect("an input");
    assert_eq!(input.data("assumption"), Some("\\result == 11;"));
    assert_eq!(input.data("assumption.resultfunction"), Some("__VERIFIER_nondet_int"));
    assert_eq!(input.data("startline"), Some("4"));
    let violation = bug.named("node").find(|n| n.data("violation") == Some("true")).expect("a violation");
    let last = bug.named("edge").find(|e| e.attribute("target") == violation.attribute("id")).expect("an edge");
    assert_eq!(last.data("startline"), Some("6"));
    dir.run(&["check", "good.c", "--property", "assert", "--witness", "good.graphml"]);
    let good = graph(&dir.read("good.graphml"));
    assert_eq!(good.data("witness-type"), Some("correctness_witness"));
    for node in good.named("node").filter(|n| n.data("invariant").is_some()) {
        assert_eq!(node.data("invariant.scope"), Some("main"));
        let entered = good.named("edge").find(|e| e.attribute("target") == node.attribute("id")).expect("an edge");
        assert_eq!((entered.data("enterLoopHead"), entered.data("startline")), (Some("true"), Some("6")));
    }
}

#[test]
fn the_page_holds_everything() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    dir.run(&["check", "bug.c", "--html", "out.html"]);
    let page = dir.read("out.html");
    assert!(page.contains("heap buffer overflow") && page.contains("char *p = malloc(11);"));
    assert!(!page.contains("/*DATA*/null") && !page.contains("src="));
}

#[test]
fn failures_are_confirmed_natively() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    dir.write(
        "entry.c",
        "extern long sensor(int);\nextern void reach_error(void);\nstatic int start(int level) {\n  \
         if (level == -3 && sensor(1) == 4000000000) reach_error();\n  return 0;\n}\n\
         int other(int x) { return start(x); }\n",
    );
    let output = dir.run(&["replay", "bug.c", "--trace", "none"]);
    assert_eq!(output.code, Some(10));
    // Without the runtime of a sanitizer, nothing need be seen.
    assert!(output.stdout.contains("confirmed"), "{}", output.stdout);
    let output = dir.run(&["replay", "entry.c", "--entry", "other", "--harness", "kept", "--trace", "none"]);
    assert!(output.stdout.contains("confirmed by execution: reach_error is called"), "{}", output.stdout);
    assert!(dir.read("kept/inputs.c").contains("4000000000"));
    assert!(dir.read("kept/main.c").contains("other(-3)"));
}

/// What the program does to files happens in a folder of its own.
#[test]
fn a_native_execution_leaves_files_alone() {
    let dir = Dir::new();
    dir.write("notes.txt", "kept");
    dir.write(
        "writes.c",
        "#include <stdio.h>\n#include <assert.h>\nint main(int argc, char **argv) {\n  \
         FILE *f = fopen(\"notes.txt\", \"w\");\n  if (f) fputs(\"gone\", f);\n  if (f) fclose(f);\n  \
         assert(argc != 2);\n  return 0;\n}\n",
    );
    let output = dir.run(&["replay", "writes.c", "--property", "assert", "--harness", "kept", "--trace", "none"]);
    assert!(output.code(10).stdout.contains("confirmed by execution"), "{}", output.stdout);
    assert_eq!(dir.read("notes.txt"), "kept");
    assert_eq!(dir.read("kept/files/notes.txt"), "gone");
}

/// What a program reads, the arguments that it counts and what it never sets are a part of the execution.
#[test]
fn a_native_execution_has_its_input() {
    let dir = Dir::new();
    dir.write(
        "read.c",
        "#include <stdio.h>\n#include <assert.h>\nint main(int argc, char **argv) {\n  char line[8], word[8];\n  int n, m = 0;\n  \
         if (argc < 100000 || !fgets(line, sizeof line, stdin)) return 1;\n  \
         if (scanf(\"%d,%x %7s\", &n, (unsigned *)&m, word) != 3) return 2;\n  \
         assert(line[0] != 'G' || line[1] != '\\n' || n != -77 || m != 0xab || word[0] != 'q' || getchar() != '\\n');\n  return 0;\n}\n",
    );
    dir.write(
        "unset.c",
        "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n  int *p = malloc(400);\n  assert(p[50] != 0);\n  \
         free(p);\n  return 0;\n}\n",
    );
    dir.write(
        "foreign.c",
        "#include \"smack.h\"\nextern double __VERIFIER_nondet_double(void);\nextern void reach_error(void);\n\
         union both { double number; long bits; };\nint main(void) {\n  union both u;\n  \
         u.number = __VERIFIER_nondet_double();\n  if (__SMACK_nondet() == 5 && u.bits == 0x4004000000000000) reach_error();\n  \
         return 0;\n}\n",
    );
    for file in ["read.c", "unset.c", "foreign.c"] {
        let output = dir.run(&["replay", file, "--property", "assert", "--trace", "none"]);
        assert!(output.code(10).stdout.contains("confirmed by execution"), "{file}: {}", output.stdout);
    }
    assert!(
        dir.run(&["check", "foreign.c", "--property", "assert"]).stdout.contains("__VERIFIER_nondet_double() = 2.5")
    );
}

#[test]
fn a_reported_execution_runs_again() {
    let dir = Dir::new();
    dir.write("bug.c", BUG);
    let leak = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                int level, *p = malloc(4);\n  if (level == 7 && __VERIFIER_nondet_int() == 3) p = 0;\n  free(p);\n  return 0;\n}\n";
    dir.write("leak.c", leak);
    for file in ["bug.c", "leak.c"] {
        let report = dir.run(&["check", file, "--format", "json"]);
        report.code(10);
        dir.write("report.json", &report.stdout);
        let output = dir.run(&["run", file, "--inputs", "report.json", "--trace", "none"]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(10), ""), "{}", output.stdout);
        let what = if file == "bug.c" { "heap buffer overflow" } else { "memory leak" };
        assert!(output.stdout.contains(what), "{}", output.stdout);
    }
    // What is not remembered is not made up.
    let long = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4), sum = 0;\n  free(p);\n  \
                for (int i = 0; i < 200000; i++) sum ^= i;\n  return *p + sum;\n}\n";
    dir.write("long.c", long);
    let output = dir.run(&["run", "long.c", "--steps", "100000000", "--trace", "none"]);
    assert!(output.stdout.contains("invalid memory access") || output.stdout.contains("use after free"), "{output:?}");
    dir.write("report.json", "{ \"verdict\": \"safe\" }");
    let output = dir.run(&["run", "bug.c", "--inputs", "report.json"]);
    output.code(2).says("no execution to run again");
}

#[test]
fn defaults_come_from_a_file() {
    let dir = Dir::new();
    dir.write("a.c", "int main(void) { return LIMIT; }\n");
    dir.run(&["init"]).code(0);
    assert!(dir.read(".lariat.toml").contains("[program]"));
    dir.run(&["init"]).code(2);
    dir.write(".lariat.toml", "[program]\ncflags = \"-DLIMIT=1\"\n[check]\nformat = \"json\"\n");
    assert!(dir.run(&["check", "a.c"]).stdout.starts_with('{'));
    assert_eq!(dir.run(&["check", "a.c", "--format", "text"]).stdout, "safe\n");
    dir.run(&["parse", "a.c"]).code(0);
    dir.write(".lariat.toml", "[program]\nno-such-option = 1\n");
    dir.run(&["check", "a.c"]).code(1).says("no-such-option");
    dir.write(".lariat.toml", "oops\n");
    dir.run(&["check", "a.c"]).code(1).says(".lariat.toml:1: ");
}

/// A program that was copied finds its libraries, as one that `cargo install` has put elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn a_copy_of_the_program_runs() {
    let dir = Dir::with("a.bpl", "procedure main() { assert true; }\n");
    let copy = dir.path().join("lariat");
    std::fs::copy(env!("CARGO_BIN_EXE_lariat"), &copy).unwrap();
    let output = std::process::Command::new(&copy)
        .args(["check", "a.bpl"])
        .current_dir(dir.path())
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

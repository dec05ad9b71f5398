//! Each command as a user meets it: what goes to standard output, what to standard error, and the
//! exit code.

mod common;

use common::{Dir, Output};

const SWAP: &str = "\
var x: int;

procedure swap(a: int, b: int) returns (c: int, d: int)
  ensures c == b && d == a;
{
  c, d := b, a;
}

procedure {:entrypoint} main()
  modifies x;
{
  var y: int;
  havoc y;
  call x, y := swap(x, y);
  while (x > 0) {
    x := x - 1;
  }
  assert y != 7;
}
";

fn dir() -> Dir {
    Dir::with("a.bpl", SWAP)
}

/// The output of a command that is to succeed without a word on standard error.
#[track_caller]
fn out(output: Output) -> String {
    output.code(0);
    assert_eq!(output.stderr, "");
    output.stdout
}

const COMMANDS: [&str; 7] = ["parse", "show", "run", "check", "solvers", "completions", "man"];

#[test]
fn help_and_version() {
    let dir = Dir::new();
    let help = out(dir.run(&["--help"]));
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command}")), "{command} is missing:\n{help}");
        let long = out(dir.run(&[command, "--help"]));
        assert!(long.contains(&format!("Usage: lariat {command}")), "{long}");
        assert_eq!(long, out(dir.run(&["help", command])));
        assert!(out(dir.run(&[command, "-h"])).contains("Usage:"));
    }
    for code in ["0 ", "1 ", "2 ", "3 ", "10", "12"] {
        assert!(help.contains(&format!("\n  {code}  ")), "exit code {code} is missing:\n{help}");
    }
    assert_eq!(out(dir.run(&["--version"])), format!("lariat {}\n", env!("CARGO_PKG_VERSION")));
    assert!(out(dir.run(&["run", "--help"])).contains("\"initial\": {"));
}

#[test]
fn wrong_command_lines() {
    let dir = dir();
    dir.write("none.bpl", "procedure p();");
    dir.write("a.c", "int main(void) { return 0; }");
    dir.write("main.prp", "CHECK( init(main()), LTL(G valid-free) )");
    dir.write("other.prp", "CHECK( init(other()), LTL(G valid-deref) )");
    for (args, message) in [
        (&[][..], "Usage: lariat"),
        (&["frobnicate"], "unrecognized subcommand 'frobnicate'"),
        (&["parse"], "<FILE>..."),
        (&["parse", "--frob", "a.bpl"], "unexpected argument '--frob'"),
        (&["show", "a.bpl", "--as", "pdf"], "possible values: bpl, ir, regions, dot"),
        (&["run", "a.bpl", "--seed", "x"], "invalid value 'x' for '--seed <N>'"),
        (&["run", "a.bpl", "--steps", "-1"], "unexpected argument '-1'"),
        (&["parse", "-q", "-v", "a.bpl"], "cannot be used with"),
        (&["parse", "--color", "blue", "a.bpl"], "possible values: auto, always, never"),
        (&["parse", "--modifies", "x", "a.bpl"], "possible values: auto, check, infer"),
        (&["completions", "csh"], "invalid value 'csh'"),
        (&["man", "frob"], "there is no command `frob`"),
        (&["run", "a.bpl", "--entry", "nope"], "there is no procedure `nope` with a body"),
        (&["parse", "a.bpl", "b.lir"], "a .lir file is a whole program"),
        (&["check", "a.bpl", "--timeout", "18446744073709551615"], "at most 100 years"),
        (&["check", "a.bpl", "--timeout", "18446744073709551615h"], "at most 100 years"),
        (&["check", "a.bpl", "--solver", "smtlib:"], "there are auto, z3, cvc5 and smtlib:COMMAND"),
        (&["check", "a.bpl", "--solver", "best"], "there are auto, z3, cvc5 and smtlib:COMMAND"),
        (&["check", "a.bpl", "--target", "exit", "--assertion", "3"], "cannot be used with"),
        (&["run", "none.bpl"], "no procedure has a body"),
        // An option that would say nothing.
        (&["check", "a.bpl", "--property", "memsafety"], "--property is for C programs"),
        (&["run", "a.bpl", "--data-model", "LP64"], "--data-model is for C programs"),
        (&["parse", "a.bpl", "-I", "."], "-I is for C programs"),
        (&["parse", "a.bpl", "-DX"], "-D is for C programs"),
        (&["parse", "a.bpl", "--cflags", "-w"], "--cflags is for C programs"),
        (&["show", "a.bpl", "--malloc-may-fail"], "--malloc-may-fail is for C programs"),
        (&["show", "a.bpl", "--as", "ir", "--undefined", "error"], "--undefined is for C programs"),
        (&["check", "a.c", "--lib", "base"], "--lib is for Boogie programs"),
        (&["check", "a.c", "--modifies", "infer"], "--modifies is for Boogie programs"),
        (&["check", "a.c", "--modular"], "--modular is for Boogie programs"),
        (&["check", "a.c", "--property", "main.prp,other.prp"], "the entry is `other`, and `main` in another"),
    ] {
        let output = dir.run(args);
        output.code(1).says(message);
        assert_eq!(output.stdout, "", "{args:?}");
    }
}

#[test]
fn parse_is_silent_if_all_is_well() {
    let dir = dir();
    assert_eq!(out(dir.run(&["parse", "a.bpl"])), "");
    assert_eq!(out(dir.run(&["parse", "a.bpl", "--modular"])), "");
    assert_eq!(out(dir.run_with(&["parse", "-"], SWAP)), "");
    dir.run_with(&["parse", "-"], "axiom 1;").code(2).points_at("-:1:1");
    // Several files are one program.
    dir.write("b.bpl", "procedure other() { call main(); }");
    assert_eq!(out(dir.run(&["parse", "a.bpl", "b.bpl"])), "");
    dir.run(&["parse", "b.bpl"]).code(2).says("`main` is not declared").points_at("b.bpl:1:21");
    dir.write("c.bpl", "procedure P(v: Vec int) { assert Vec_Len(v) >= 0; }");
    dir.run(&["parse", "c.bpl"]).code(2);
    assert_eq!(out(dir.run(&["parse", "c.bpl", "--lib", "base"])), "");
}

#[test]
fn colours_only_where_wanted() {
    let dir = Dir::with("a.bpl", "axiom 1;");
    let escape = '\x1b';
    assert!(!dir.run(&["parse", "a.bpl"]).code(2).stderr.contains(escape));
    assert!(!dir.run(&["parse", "a.bpl", "--color", "never"]).stderr.contains(escape));
    let coloured = dir.run(&["parse", "a.bpl", "--color", "always"]);
    assert!(coloured.code(2).stderr.contains(escape));
    assert!(dir.run(&["--color=always", "parse", "a.bpl"]).stderr.contains(escape));
}

#[test]
fn quiet_leaves_out_warnings_and_notes() {
    let text = "type C a; function f<a>(x: a): int; function g<a>(x: a): C a;
        axiom (forall<a> x: a :: f(g(x)) == f(x)); procedure main() { assert f(1) == f(1); }";
    let dir = Dir::with("a.bpl", text);
    dir.run(&["parse", "a.bpl"]).code(0).says("warning: this type quantifier is instantiated for some types only");
    assert_eq!(out(dir.run(&["parse", "-q", "a.bpl"])), "");
    dir.write("in.json", "{\"havoc\": [1]}");
    dir.run(&["run", "a.bpl", "--inputs", "in.json"]).code(0).says("note: the last value in `havoc`");
    assert_eq!(dir.run(&["run", "-q", "a.bpl", "--inputs", "in.json"]).code(0).stderr, "");
}

#[test]
fn show_prints_boogie_that_means_the_same() {
    let dir = dir();
    let bpl = out(dir.run(&["show", "a.bpl"]));
    assert_eq!(bpl, out(dir.run(&["show", "a.bpl", "--as", "bpl"])));
    assert!(bpl.contains("procedure swap(a: int, b: int) returns (c: int, d: int)"));
    dir.write("b.bpl", &bpl);
    assert_eq!(out(dir.run(&["show", "b.bpl"])), bpl);
    let ir = |file| out(dir.run(&["show", file, "--as", "ir", "--no-locations"])).replace("b.bpl", "a.bpl");
    assert_eq!(ir("a.bpl"), ir("b.bpl"));
}

#[test]
fn show_prints_a_textual_form_that_can_be_read() {
    let dir = dir();
    for modular in [&[][..], &["--modular"]] {
        let ir = out(dir.run(&[&["show", "a.bpl", "--as", "ir"], modular].concat()));
        assert!(ir.starts_with("file \"a.bpl\"\n") && ir.contains("proc main") && ir.contains("entry main"), "{ir}");
        dir.write("a.lir", &ir);
        assert_eq!(out(dir.run(&["show", "a.lir", "--as", "ir"])), ir);
    }
    let bare = out(dir.run(&["show", "a.bpl", "--as", "ir", "--no-locations"]));
    assert!(!bare.contains('@'), "{bare}");
    dir.run(&["show", "a.lir", "--as", "bpl"]).code(1).says("cannot be shown as Boogie");
}

#[test]
fn show_prints_regions_and_graphs() {
    let dir = dir();
    let regions = out(dir.run(&["show", "a.bpl", "--as", "regions"]));
    assert!(regions.contains("entry main (a.bpl:9:25)"), "{regions}");
    assert!(regions.contains("\n  loop main/while (a.bpl:"), "{regions}");
    assert!(regions.contains("1 assertion"), "{regions}");
    let dot = out(dir.run(&["show", "a.bpl", "--as", "dot"]));
    assert!(dot.starts_with("digraph") && dot.contains("label=\"swap\"") && dot.trim_end().ends_with('}'), "{dot}");
}

#[test]
fn run_prints_the_trace_and_the_outcome() {
    let dir = dir();
    dir.write("in.json", "{\"initial\": {\"x\": 7}, \"havoc\": [2]}");
    let failed = dir.run(&["run", "a.bpl", "--inputs", "in.json"]);
    assert_eq!(
        failed.code(10).stdout,
        "\
a.bpl:9:25           call main
a.bpl:13:3             y := 2
a.bpl:14:3             call swap
a.bpl:14:3               a := 7
a.bpl:14:3               b := 2
a.bpl:6:8                c := 2
a.bpl:6:8                d := 7
-                      return from swap
a.bpl:14:3             x := 2
a.bpl:14:3             y := 7
a.bpl:16:7             loop main/while
a.bpl:16:7               x := 1
-                        again main/while
a.bpl:16:7               x := 0
-                        again main/while
a.bpl:18:3: failed: the assertion does not hold
"
    );
    let last = dir.run(&["run", "a.bpl", "--inputs", "in.json", "--trace", "none"]);
    assert_eq!(last.code(10).stdout, "a.bpl:18:3: failed: the assertion does not hold\n");
    let full = dir.run(&["run", "a.bpl", "--inputs", "in.json", "--trace", "full"]);
    assert!(full.code(10).stdout.lines().count() > failed.stdout.lines().count());
}

#[test]
fn runs_are_determined_by_the_seed() {
    let dir = Dir::with("a.bpl", "procedure main() { var x: int; havoc x; assert x != 1; }");
    let mut codes = Vec::new();
    let mut outputs = Vec::new();
    for seed in 0..30 {
        let seed = seed.to_string();
        let run = dir.run(&["run", "a.bpl", "--seed", &seed]);
        assert_eq!(run.stdout, dir.run(&["run", "a.bpl", "--seed", &seed]).stdout);
        codes.push(run.code.unwrap());
        outputs.push(run.stdout);
    }
    assert!(codes.contains(&0) && codes.contains(&10), "{codes:?}");
    assert_eq!(outputs[0], dir.run(&["run", "a.bpl"]).stdout);
}

#[test]
fn where_a_run_starts() {
    let dir = Dir::with("a.bpl", "procedure P() { assert false; } procedure Q() { }");
    dir.run(&["run", "a.bpl"]).code(1).says("use --entry NAME").says("procedures with a body: P, Q");
    dir.run(&["run", "a.bpl", "--entry", "P"]).code(10);
    dir.run(&["run", "a.bpl", "--entry", "Q"]).code(0);
    dir.write("one.bpl", "procedure P() { assert false; }");
    dir.run(&["run", "one.bpl"]).code(10);
    dir.write("main.bpl", "procedure P() { assert false; } procedure main() { }");
    dir.run(&["run", "main.bpl"]).code(0);
    dir.write("marked.bpl", "procedure {:entrypoint} P() { assert false; } procedure main() { }");
    dir.run(&["run", "marked.bpl"]).code(10);
}

#[test]
fn how_a_run_ends() {
    let dir = Dir::new();
    for (body, code, last) in [
        ("assert true;", 0, "completed: the execution ended normally"),
        ("assume false; assert false;", 0, "a.bpl:1:20: blocked: an assumption does not hold, so this is no execution"),
        ("assert {:msg \"no luck\"} false;", 10, "a.bpl:1:20: failed: the assertion does not hold: no luck"),
        ("while (true) { }", 12, "unknown: the limit of 50 steps was reached"),
        ("assert (forall i: int :: i * i >= 0);", 12, "a.bpl:1:20: unknown: a quantifier ranges over too many values"),
    ] {
        dir.write("a.bpl", format!("procedure main() {{ {body} }}"));
        let output = dir.run(&["run", "a.bpl", "--steps", "50"]);
        output.code(code);
        assert_eq!(output.stdout.lines().last(), Some(last), "{body}");
    }
}

#[test]
fn solvers_are_listed() {
    let dir = Dir::new();
    let list = out(dir.run(&["solvers"]));
    assert!(list.lines().any(|line| line.starts_with("z3 ") && line.ends_with("in process")), "{list}");
}

#[test]
fn completions_and_manual_pages() {
    let dir = Dir::new();
    for (shell, sign) in [("bash", "_lariat()"), ("zsh", "#compdef lariat"), ("fish", "complete -c lariat")] {
        let script = out(dir.run(&["completions", shell]));
        assert!(script.contains(sign), "{shell}");
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
    }
    let page = out(dir.run(&["man"]));
    assert!(page.contains(".TH lariat 1") && page.contains("Exit codes"), "{page}");
    for command in COMMANDS {
        let page = out(dir.run(&["man", command]));
        assert!(page.contains(&format!(".TH lariat-{command} 1")), "{command}: {page:.300}");
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_no_success() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["completions", "bash"])
        .stdout(full)
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn incidents_are_described_in_files() {
    let dir = Dir::with("a.bpl", "procedure main(x: real) {\n  assume x * x == 2.0;\n  assert false;\n}\n");
    for n in 1..=2 {
        let output = dir.run(&["check", "a.bpl", "--incidents", "found/here"]);
        output.code(12);
        assert!(output.stderr.contains(&format!("a-{n}.txt")), "{}", output.stderr);
        assert!(
            output.stdout.ends_with("has no value\n") && output.stdout.starts_with("unknown: "),
            "{}",
            output.stdout
        );
        let text = std::fs::read_to_string(dir.path().join(format!("found/here/a-{n}.txt"))).unwrap();
        assert!(text.contains("did not replay") && text.contains("entry: main") && text.contains("file: a.bpl"));
    }
    // A folder that cannot be made costs the file, not the answer.
    let output = dir.run(&["check", "a.bpl", "--incidents", "a.bpl/x", "--format", "json"]);
    output.code(12);
    assert!(output.stderr.contains("could not be saved"), "{}", output.stderr);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((&json["verdict"], &json["incidents"][0]["file"]), (&"unknown".into(), &serde_json::Value::Null));
}

/// A question that no solver answers soon, after one that every solver answers at once.
#[cfg(unix)]
const SLOW: &str = "procedure main(a: int, b: int, c: int) {
  assert a + b == b + a;
  assume a > 2 && b > 2 && c > 2;
  assert a * a * a * a * a + b * b * b * b * b != c * c * c * c * c;
}
";

#[cfg(unix)]
#[test]
fn a_check_that_gets_a_signal_says_what_it_knows() {
    let dir = Dir::with("a.bpl", SLOW);
    let crash = "the solver gave up: it crashed (signal 11)";
    for (signal, why) in [("-INT", "interrupted by the user"), ("-SEGV", crash)] {
        for format in ["text", "json"] {
            let child = std::process::Command::new(env!("CARGO_BIN_EXE_lariat"))
                .args(["check", "a.bpl", "--timeout", "0", "--format", format])
                .current_dir(dir.path())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_secs(2));
            let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
            assert!(sent.success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(12));
            let text = String::from_utf8(output.stdout).unwrap();
            if format == "text" {
                assert_eq!(text.lines().last(), Some(format!("unknown: {why}").as_str()));
            } else {
                let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &why.into()));
                assert_eq!(json["assertions"].as_array().unwrap().len(), 2);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_check_without_time_left_is_a_json_document_too() {
    let dir = Dir::with("a.bpl", SLOW);
    let output = dir.run(&["check", "a.bpl", "--timeout", "1s", "--format", "json", "--all-assertions"]);
    output.code(12);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((&json["verdict"], &json["assertions"][0]["result"]), (&"unknown".into(), &"proved".into()));
}

#[test]
fn a_trace_of_a_c_program_is_json_in_terms_of_the_source() {
    let dir = Dir::with(
        "a.c",
        "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
         int f(int n) { int *p = malloc(8); p[1] = n; return p[1]; }\n\
         int main(void) { if (f(__VERIFIER_nondet_int()) == -5) reach_error(); return 0; }\n",
    );
    let output = dir.run(&["check", "a.c", "--property", "assert", "--format", "json"]);
    output.code(10);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let place = |line: u32, column: u32| serde_json::json!({ "file": "a.c", "line": line, "column": column });
    let input = serde_json::json!({ "number": 1, "what": "__VERIFIER_nondet_int()", "value": "-5",
        "function": "main", "location": place(5, 24), "raw": { "bits": 32, "signed": true, "integer": "-5" } });
    assert_eq!(json["inputs"], serde_json::json!([input]));
    assert_eq!(json["objects"], serde_json::json!([{ "name": "malloc#1", "location": place(4, 25) }]));
    let steps = json["trace"].as_array().unwrap();
    let step = |event: &str| steps.iter().filter(|s| s["event"] == event).collect::<Vec<_>>();
    assert_eq!(step("call")[1]["arguments"], serde_json::json!([{ "name": "n", "value": "-5" }]));
    assert_eq!((&step("return")[0]["region"], &step("return")[0]["value"]), (&"f".into(), &"-5".into()));
    let set: Vec<_> = step("set").iter().map(|s| format!("{}={}", s["variable"], s["value"])).collect();
    assert_eq!(set, ["\"p\"=\"&malloc#1 (at a.c:4)\"", "\"malloc#1[1]\"=\"-5\""]);
    assert!(step("set").iter().all(|s| s["function"] == "f" && s["location"]["line"] == 4 && s["depth"] == 2));
}

#[test]
fn a_trace_of_a_c_program_shows_models_and_initialisers_if_all_is_wanted() {
    let dir = Dir::with(
        "a.c",
        "#include <assert.h>\n#include <string.h>\nint g = 3;\n\
         int main(void) { const char *t = \"ab\"; g++; assert(strlen(t) != 2); return 0; }\n",
    );
    let short = dir.run(&["check", "a.c"]);
    assert!(
        short.code(10).stdout.contains("g = 4") && short.stdout.contains("call strlen(s = \"ab\")"),
        "{}",
        short.stdout
    );
    let full = dir.run(&["check", "a.c", "--trace", "full"]);
    for line in ["g = 3", "g = 4", "call strlen(s = \"ab\")", "return 2", "<models>/string.c"] {
        assert!(full.code(10).stdout.contains(line), "no {line} in:\n{}", full.stdout);
    }
    // A run is told in the same way.
    let run = dir.run(&["run", "a.c"]);
    assert!(run.code(10).stdout.contains("g = 4"), "{}", run.stdout);
}

/// Fails by way of a call; the loop does not matter.
const NEGATE: &str = "\
procedure neg(a: int) returns (r: int) { if (a > 0) { r := 0 - a; } else { r := a; } }
procedure {:entrypoint} main(x: int, b: bool) {
  var y: int;
  if (b) { call y := neg(x); } else { y := 0; }
  assert y >= 0;
}
";

#[test]
fn counters_as_text_and_as_json() {
    let dir = Dir::with("a.bpl", NEGATE);
    let check = |more: &[&str]| {
        let args = ["check", "a.bpl", "--trace", "none", "--stats"];
        let args: Vec<&str> = args.iter().chain(more).copied().collect();
        let output = dir.run(&args);
        output.code(10);
        output.stdout
    };
    for mcs in ["linear", "clause", "cheapest", "maxsat"] {
        let text = check(&["--strategy", "inertial", "--mcs", mcs]);
        assert!(text.contains("\nnodes 2: 2 expanded (0 unasked, 2 regions), 0 open\n"), "{text}");
        assert!(text.contains("correction sets: 1, with 1 nodes in all, at most 1\n"), "{text}");
        assert!(text.contains("queries: under 1 sat, 1 unsat; over 1 sat"), "{text}");
        assert!(text.contains("\nterms: ") && text.contains("; solver "), "{text}");
        assert!(text.contains("\nbugs replayed: 1 of 1\n"), "{text}");
        let json = check(&["--strategy", "inertial", "--mcs", mcs, "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let s = &json["statistics"];
        let numbers = ["nodes", "expanded", "unasked", "regions", "open"].map(|f| s[f].as_u64().unwrap());
        assert_eq!(numbers, [2, 2, 0, 2, 0]);
        assert_eq!(s["correction_sets"], serde_json::json!([1]));
        assert_eq!(s["queries"]["under"], serde_json::json!({ "sat": 1, "unsat": 1, "unknown": 0 }));
        assert_eq!(s["queries"]["over"], serde_json::json!({ "sat": 1, "unsat": 0, "unknown": 0 }));
        let asked = s["queries"]["correction"].as_object().unwrap();
        let asked: u64 = asked.values().filter_map(serde_json::Value::as_u64).sum();
        assert!(asked > 0 || mcs == "clause" || mcs == "cheapest", "{mcs}: {s}");
        assert_eq!(s["queries"]["claim"]["sat"], 0);
        assert!(s["terms"].as_u64().unwrap() > 10 && s["solver_seconds"].as_f64().unwrap() > 0.0);
    }
    let json = check(&["--strategy", "infer", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["statistics"]["queries"]["claim"]["sat"].as_u64().unwrap() > 0, "{json}");
    assert_eq!(json["specifications"], serde_json::Value::Null);
}

#[test]
fn what_is_used_of_a_call_as_json() {
    let dir = Dir::with("a.bpl", NEGATE.replace("y >= 0", "y <= 0"));
    let output = dir.run(&["check", "a.bpl", "--strategy", "infer", "--show-specs", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&output.code(0).stdout).unwrap();
    let specs = json["specifications"].as_array().unwrap();
    assert_eq!(specs.len(), 1, "{json}");
    assert_eq!((&specs[0]["region"], &specs[0]["expanded"]), (&"neg".into(), &false.into()));
    assert_eq!(specs[0]["location"]["line"], 4);
    let conjuncts: Vec<&str> = specs[0]["conjuncts"].as_array().unwrap().iter().filter_map(|c| c.as_str()).collect();
    assert!(!conjuncts.is_empty());
    for c in conjuncts {
        let words: Vec<&str> = c.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        assert!(words.iter().all(|w| ["a", "r"].contains(w) || w.parse::<u32>().is_ok()), "{c}");
    }
}

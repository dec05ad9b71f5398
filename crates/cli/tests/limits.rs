//! Limits hold, and say that they do: memory, time, Ctrl-C; and what a solver writes to standard error stays there.
#![cfg(target_os = "linux")]

mod common;

use std::{
    fmt::Write as _,
    fs,
    process::{Command, Stdio},
    time::Duration,
};

use common::Dir;

/// The exit code and standard output of a check, and the most megabytes that it had in memory.
fn peak(dir: &Dir, args: &[&str]) -> (Option<i32>, String, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .arg("check")
        .args(args)
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("lariat can be started");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("lariat can be waited for").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        most = most.max(line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0) >> 10);
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("lariat has ended");
    (output.status.code(), String::from_utf8(output.stdout).expect("the output is UTF-8"), most)
}

/// Functions that each call the next one twice.
fn chain() -> String {
    let mut text = String::from("procedure main(x: int) { var y: int; call y := f0(x); assert y != 17; }\n");
    for i in 0..60 {
        let next = i + 1;
        let body = format!("call y := f{next}(x); call y := f{next}(y);");
        let _ = writeln!(text, "procedure f{i}(x: int) returns (y: int) {{ {body} }}");
    }
    text + "procedure f60(x: int) returns (y: int) { if (x > 5) { y := x + 1; } else { y := x - 1; } }\n"
}

/// A vector that doubles twenty times.
fn wide() -> String {
    let (mut variables, mut code) = (String::from("var v0: bv8; "), String::from("v0 := x; "));
    for i in 1..21 {
        let _ = write!(variables, "var v{i}: bv{}; ", 8 << i);
        let _ = write!(code, "v{i} := v{0} ++ v{0}; ", i - 1);
    }
    format!("procedure main(x: bv8) {{ {variables} {code} assert v20 != 0bv{}; }}\n", 8 << 20)
}

#[test]
fn the_whole_process_keeps_to_its_memory() {
    for (text, limit) in [(chain(), 150), (chain(), 400), (wide(), 200)] {
        let dir = Dir::with("a.bpl", text);
        let (code, output, most) = peak(&dir, &["a.bpl", "--timeout", "0", "--memory", &limit.to_string()]);
        assert_eq!((code, output.lines().last()), (Some(12), Some("unknown: memory limit reached")));
        assert!(output.contains("the search") && output.contains("a larger --memory"), "{output}");
        assert!(most <= limit + limit / 8 + 50, "{most} MB with a limit of {limit} MB");
    }
}

#[test]
fn partial_results_survive_the_limit_of_memory() {
    let text = chain().replace("assert y != 17;", "assert x == x; assert y != 17;");
    let dir = Dir::with("a.bpl", text.replace("call y := f0(x);", "assert x < x + 1; call y := f0(x);"));
    let args = ["a.bpl", "--timeout", "0", "--memory", "200", "--all-assertions", "--format", "json"];
    let (code, output, _) = peak(&dir, &args);
    let json: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!((code, &json["reason"]), (Some(12), &"memory limit reached".into()));
    assert_eq!(json["assertions"].as_array().map(Vec::len), Some(3));
}

/// Slow for solvers, and for all who look for proofs: the factors of a large prime number. Solvers never give bit-vectors up.
const SLOW: &str = "function {:bvbuiltin \"bvmul\"} mul(bv128, bv128): bv128;
function {:bvbuiltin \"bvult\"} less(bv128, bv128): bool;
function {:bvbuiltin \"bvadd\"} add(bv128, bv128): bv128;
procedure main(a: bv128, b: bv128, n: bv128) {
  var i: bv128;
  assume less(1bv128, a) && less(a, 1152921504606846976bv128) && less(1bv128, b) && less(b, 1152921504606846976bv128);
  i := 0bv128;
  while (less(i, n)) {
    i := add(i, 1bv128);
    assert mul(a, b) != 162259276829213363391578010288127bv128;
  }
}
";

#[test]
fn the_reason_is_the_limit() {
    let dir = Dir::with("a.bpl", SLOW);
    for time in ["300ms", "700ms", "1500ms"] {
        let output = dir.run(&["check", "a.bpl", "--timeout", time]);
        assert_eq!((output.code, output.stdout.lines().last()), (Some(12), Some("unknown: time limit reached")));
        assert!(output.stdout.contains("the search") && output.stdout.contains("a longer --timeout"), "{output:?}");
    }
}

/// The library that is linked in writes there when something is wrong in it.
#[test]
fn standard_error_is_not_for_solvers() {
    let dir = Dir::with("a.bpl", SLOW);
    for (verbose, silent) in [(&[][..], true), (&["-v"], false)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["check", "a.bpl", "--timeout", "5s"])
            .args(verbose)
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lariat can be started");
        let descriptor = format!("/proc/{}/fd/2", child.id());
        let is_silent = || fs::read_link(&descriptor).is_ok_and(|to| to.as_os_str() == "/dev/null");
        let mut seen = false;
        while !seen && child.try_wait().expect("lariat can be waited for").is_none() {
            seen = is_silent();
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(seen, silent);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// No engine proves or refutes this within seconds.
const ENDLESS: &str = "procedure main(n: int) { var x, y: int; x, y := 1, 2; \
                       while (*) { x := x * x + y * n; y := y * x - n; } assert x * y != 77777 || x + y == n; }\n";

/// On a terminal a check shows how far it is and who works, and takes that away at the end. `script` makes a terminal.
#[test]
fn a_terminal_has_a_live_view() {
    let dir = Dir::with("long.bpl", ENDLESS);
    let command = format!("{} check long.bpl --timeout 6s", env!("CARGO_BIN_EXE_lariat"));
    let ran = Command::new("script").args(["-qec", &command, "typescript"]).current_dir(dir.path()).output();
    let Ok(output) = ran else { return eprintln!("skipped: there is no `script`") };
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [" MB", " s left, ", "queries", "of the processor", "\x1b[J"] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(text.contains("  unfold "), "{text}");
    // Nothing is left of it behind the verdict.
    let last = text.rsplit("\x1b[J").next().unwrap_or_default();
    assert!(last.contains("unknown: time limit reached") && !last.contains("of the processor"), "{last}");
}

/// Without a terminal, `-v` says every ten seconds how far the check is.
#[test]
fn a_heartbeat_is_told_with_verbose() {
    let dir = Dir::with("long.bpl", ENDLESS);
    let output = dir.run(&["check", "long.bpl", "--timeout", "13s", "-v"]);
    let beat = output.code(12).stderr.lines().find(|line| line.contains(" MB")).unwrap_or_default().to_owned();
    assert!(beat.contains("s left, ") && (beat.contains("bound ") || beat.contains("preparing")), "{output:?}");
    assert_eq!(output.stdout.lines().last(), Some("unknown: time limit reached"));
    let quiet = dir.run(&["check", "long.bpl", "--timeout", "11s"]);
    assert!(!quiet.stderr.contains(" MB"), "{quiet:?}");
}

/// How far a check came, and what to try, for the kinds of program that take long.
#[test]
fn a_limit_says_how_far_the_check_came() {
    let dir = Dir::new();
    let text = |body: &str| {
        format!("#include <assert.h>\n#include <stdio.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n{body}\n")
    };
    let cases = [
        // A loop: its place, its rounds, and what is excluded.
        (
            "loop.c",
            text(
                "int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), x = 1, y = 3;\n  \
                         for (unsigned i = 0; i < n; i++) { x = x * x + y * 7 + i; y = y * x ^ i; }\n  \
                         assert(x != 123456789 || y != 5);\n}",
            ),
            &[
                "excluded: failures of executions with fewer than",
                "most of it: the loop in main at loop.c:6:",
                "an invariant at the loop",
            ][..],
        ),
        // Recursion.
        (
            "calls.c",
            text(
                "unsigned f(unsigned n, unsigned x) { return n == 0 ? x : f(n - 1, x * x + n * 7) ^ f(n / 2, x + 1); }\n\
                          int main(void) { assert(f(__VERIFIER_nondet_uint(), 3) != 123456789); }",
            ),
            &["most of it: the function f at calls.c:4", "calls)"],
        ),
        // A model of a library function: the call of the program counts.
        (
            "lines.c",
            text(
                "int main(void) {\n  char line[64];\n  unsigned s = 1, n = 0;\n  \
                          while (fgets(line, sizeof line, stdin)) { n++; for (char *p = line; *p; p++) s = s * s * 31 + *p * s; }\n  \
                          assert(s != 123456 || n < 30);\n}",
            ),
            &["no failure found; the search was at bound"],
        ),
        // Arithmetic alone: nothing is left to explore.
        (
            "factors.c",
            text(
                "int main(void) {\n  unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n  \
                            if (a < 2 || b < 2 || a >> 31 || b >> 31) return 0;\n  assert(a * b != 2305843009213693951ul);\n}",
            ),
            &["nothing is left to explore: the time went into the solver's question", "another --solver"],
        ),
        // Floats.
        (
            "floats.c",
            text(
                "extern double __VERIFIER_nondet_double(void);\nint main(void) {\n  \
                           double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), c = __VERIFIER_nondet_double();\n  \
                           if (!(a > 1 && a < 1e10 && b > 1 && b < 1e10 && c > 1 && c < 1e10)) return 0;\n  \
                           double r = a * b * c, s = a * (b * c);\n  assert((r > s ? r - s : s - r) <= r * 3e-16);\n}",
            ),
            &["the time went into the solver's question"],
        ),
        // An array.
        (
            "array.c",
            text(
                "static unsigned a[1000000];\nint main(void) {\n  for (int i = 0; i < 1000000; i++) a[i] = __VERIFIER_nondet_uint();\n  \
                          for (int i = 0; i < 999999; i++) if (a[i] > a[i + 1]) a[i + 1] = a[i] * a[i + 1];\n  \
                          for (int i = 0; i < 999999; i++) assert(a[i] <= a[i + 1] || i < 77777);\n}",
            ),
            &["most of it: the loop in main at array.c:"],
        ),
        // Quantifiers.
        (
            "all.bpl",
            "function f(int): int;\naxiom (forall x: int :: f(f(x)) == x * x - 2);\nprocedure main(n: int) {\n  \
                     var i, s: int;\n  i, s := 0, 0;\n  while (i < n) { s := s + f(i * s); i := i + 1; }\n  \
                     assert (exists k: int :: f(k) * f(k) == s * s + 2) ==> s >= 0;\n}\n"
                .to_owned(),
            &["most of it: the loop in main at all.bpl:6:"],
        ),
    ];
    for (name, text, wanted) in cases {
        dir.write(name, text);
        // A debug build on a busy machine needs some time until the search begins.
        let output = dir.run(
            &["check", name, "--timeout", "12s", "--property", "assert"][..if name.ends_with(".c") { 6 } else { 4 }],
        );
        assert_eq!(
            (output.code, output.stdout.lines().last()),
            (Some(12), Some("unknown: time limit reached")),
            "{name}"
        );
        for part in wanted.iter().chain(&["to try: ", "a longer --timeout"]) {
            assert!(output.stdout.contains(part), "{name}: no {part:?} in\n{}", output.stdout);
        }
    }
}

/// Files are written, too, where the time is over, be it before the program is read.
#[test]
fn files_are_written_at_the_limit() {
    let dir = Dir::with("a.bpl", SLOW);
    for time in ["1ms", "1500ms"] {
        dir.run(&["check", "a.bpl", "--timeout", time, "--sarif", "a.sarif", "--html", "a.html"]).code(12);
        assert!(dir.read("a.sarif").contains("unknown: time limit reached"));
        assert!(dir.read("a.html").contains("time limit reached"));
        let _ = (fs::remove_file(dir.path().join("a.sarif")), fs::remove_file(dir.path().join("a.html")));
    }
}

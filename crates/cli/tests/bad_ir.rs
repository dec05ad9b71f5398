//! The same as for Boogie files, for the textual form of programs and for the inputs of a run.

mod common;

use common::{Dir, MANY, Output};

fn parse(text: impl AsRef<[u8]>) -> Output {
    common::parse("a.lir", text)
}

#[track_caller]
fn accepted(text: impl AsRef<[u8]>) {
    common::accepted("a.lir", text);
}

#[track_caller]
fn rejected(text: impl AsRef<[u8]>, place: &str, message: &str) {
    common::rejected("a.lir", text, place, message);
}

/// A program that assigns a term to `x`.
fn assigning(sort: &str, term: &str) -> String {
    format!("function f (Int) Int\nglobal x: {sort}\nproc main() {{\na:\n  x := {term}\n  return\n}}\nentry main\n")
}

fn nested(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(MANY), close.repeat(MANY))
}

#[test]
fn deep_terms_are_read_and_run() {
    for text in [
        assigning("Bool", &nested("(not ", "x", ")")),
        assigning("Int", &nested("(+ 1 ", "x", ")")),
        assigning("Int", &nested("(- ", "x", ")")),
        assigning("Int", &nested("(f ", "x", ")")),
        assigning("Int", &nested("(let ((y x)) ", "x", ")")),
        assigning("Bool", &nested("(forall ((y Int)) (and (< y 0) ", "true", "))")),
        format!("global y: {}\n{}", nested("(Array Int ", "Int", ")"), assigning("Int", "1")),
    ] {
        let dir = Dir::with("a.lir", &text);
        dir.run(&["parse", "a.lir"]).code(0);
        let code = dir.run(&["run", "a.lir", "--trace", "none"]).code;
        assert!(code == Some(0) || code == Some(12), "{code:?} for {text:.100}");
    }
    let output = parse(assigning("Int", &nested("(", "x", ")")));
    output.code(2).points_at("a.lir:5:9");
    assert_eq!(output.errors(), 1);
}

#[test]
fn mistakes_have_places() {
    rejected("global x: (_ BitVec 0)\n", "1:11", "bit-vectors are 1 to 16777216 bits wide, not 0");
    rejected("global x: (_ BitVec 99999999999999999999)\n", "1:21", "too large a number");
    rejected("global x: (_ FloatingPoint 60000 60000)\n", "1:11", "floats have");
    rejected(assigning("(_ BitVec 8)", "((_ repeat 1000000000) x)"), "5:8", "`repeat`");
    rejected("global x: Int\nproc p() {\na:\n  x := (and true", "4:8", "expected a term");
    rejected("file \"abc", "1:6", "expected a file name");
    rejected("proc p() {\na:\n}\n", "3:1", "expected a name");
    rejected("proc p() {\na:\n  goto b\n}\n", "3:8", "there is no block `b`");
    rejected("proc p() {\na:\n  return\n}\nentry q\n", "5:7", "there is no region `q`");
    rejected("proc p() {\na:\n  assert #4294967296 true\n  return\n}\n", "3:10", "2^32");
    rejected("global x: Int @0:1\n", "1:15", "expected `@file:line:column`");
    rejected("global x: Int\n\0\x01\x1b[31m\n", "2:1", "expected a declaration");
    rejected("xyz\n".repeat(MANY), "1:1", "`xyz` does not start a declaration");
    rejected(") ( { } x := ".repeat(MANY * 10), "1:1", "expected a declaration");
    parse("global x: Int\n\u{ff}").code(2).points_at("a.lir:2:1");
    parse(b"global x: Int\n\xff").code(2).says("a.lir:2:1: not a text file");
    assert_eq!(parse("global x: Foo\n".repeat(MANY)).code(2).errors(), 100);
    let twice = parse("proc p() {\na:\n  return\na:\n  return\n}\nproc p() {\na:\n  return\n}\n");
    assert_eq!(twice.code(2).points_at("a.lir:4:1").points_at("a.lir:7:6").errors(), 2);
}

#[test]
fn what_breaks_a_rule_is_refused() {
    for text in [
        "proc p() {\n}\n",
        "proc p() {\na:\n  assert #7 true\n  return\n}\n",
        "global x: Int\nglobal x: Int\n",
        "global x: Int\nproc p() {\na:\n  assume x\n  return\n}\n",
        "proc p() {\na:\n  return\n}\nloop q in p () {\na:\n  return\n}\nentry q\n",
    ] {
        let output = parse(text);
        assert!(output.code(2).errors() >= 1, "{text}");
        output.says("a.lir");
    }
}

#[test]
fn large_programs_are_fine() {
    let regions: String = (0..MANY).map(|i| format!("proc p{i}() {{\na:\n  return\n}}\n")).collect();
    accepted(regions);
    let blocks: String = (0..MANY).map(|i| format!("a{i}:\n  goto a{}\n", i + 1)).collect();
    accepted(format!("proc p() {{\n{blocks}a{MANY}:\n  return\n}}\n"));
    accepted(format!("axiom (and{})\n", " true".repeat(2_000_000)));
    let output = parse(format!("axiom (and{} y)\n", " true".repeat(2_000_000)));
    output.code(2).points_at("a.lir:1:10000012");
    accepted("");
    accepted(";".repeat(1_000_000));
    accepted(assigning("Int", &"1".repeat(1_000_000)));
}

#[test]
fn endless_programs_stop() {
    for text in [
        "proc p() {\na:\n  goto a\n}\nentry p\n".to_string(),
        "proc p() {\na:\n  box p()\n  return\n}\nentry p\n".to_string(),
    ] {
        let dir = Dir::with("a.lir", text);
        let output = dir.run(&["run", "a.lir", "--steps", "1000", "--trace", "none"]);
        assert_eq!(output.code(12).stdout, "unknown: the limit of 1000 steps was reached\n");
    }
    let text = assigning("Int", "(f 1)").replace("global", "define f (n: Int) := (f n)\nglobal");
    let output = Dir::with("a.lir", text).run(&["run", "a.lir", "--trace", "none"]);
    assert_eq!(output.code(12).stdout, "-: unknown: the value of a function depends on itself\n");
}

#[test]
fn wrong_inputs_are_explained() {
    let dir = Dir::with(
        "a.bpl",
        "datatype D { A(), B(v: int) } var x: int; var m: [int]int; var b: bv8; var d: D;
         procedure main() { x := x + m[0]; b := b; d := d; if (*) { havoc x; } assert x != 7; }",
    );
    let run = |json: &str| {
        dir.write("in.json", json);
        dir.run(&["run", "a.bpl", "--trace", "none", "--inputs", "in.json"])
    };
    for (json, message) in [
        ("", "in.json:1:0: EOF while parsing a value"),
        ("{\"initial\": {", "in.json:1:13: EOF while parsing an object"),
        ("{\n  \"initial\": {\"x\": NaN}}", "in.json:2:20: expected value"),
        ("[]", "in.json: expected an object"),
        ("{\"initial\": 5}", "in.json: `initial` must be an object"),
        ("{\"havoc\": {}}", "in.json: `havoc` must be an array"),
        ("{\"choices\": [\"a\"]}", "in.json: `choices` must be numbers"),
        ("{\"inital\": {}}", "in.json: unknown key `inital`; there are `initial`, `havoc` and `choices`"),
        ("{\"initial\": {\"x\": \"abc\"}}", "the value for `x` does not fit: expected an integer, found \"abc\""),
        ("{\"initial\": {\"x\": 1.5}}", "expected an integer, found 1.5"),
        ("{\"initial\": {\"m\": 5}}", "expected an object with `default` and `entries`, found 5"),
        ("{\"initial\": {\"m\": {\"entries\": [1]}}}", "expected [index, value], found 1"),
        ("{\"initial\": {\"b\": 256}}", "256 does not fit into 8 bits"),
        ("{\"initial\": {\"d\": \"C\"}}", "has no constructor `C`"),
        ("{\"choices\": [9]}", "there is no target 9 among 2"),
        ("{\"choices\": [0], \"havoc\": [true]}", "the value for `x` does not fit: expected an integer, found true"),
    ] {
        let output = run(json);
        assert_eq!(output.code(2).says(message).errors(), 1, "{json}");
        assert_eq!(output.stdout, "", "{json}");
    }
    run(&format!("{{\"initial\": {{\"m\": {}{}}}}}", "[".repeat(MANY), "]".repeat(MANY)))
        .code(2)
        .says("recursion limit exceeded");
    let long = run(&format!("{{\"initial\": {{\"m\": \"{}\"}}}}", "x".repeat(1_000_000)));
    assert!(long.code(2).stderr.len() < 10_000);
    run(&format!("{{\"initial\": {{\"x\": \"{}\", \"m\": {{\"default\": 0}}}}, \"choices\": [1]}}", "9".repeat(MANY)))
        .code(0);
    let unused = run("{\"initial\": {\"y\": 1}, \"choices\": [0, 1], \"havoc\": [7, 8]}");
    unused.code(10).says("note: the value for `y` was not used");
    unused.says("note: the last value in `havoc` was not used").says("the last value in `choices`");
    dir.run(&["run", "a.bpl", "--inputs", "none.json"]).code(2).says("cannot read none.json");
}

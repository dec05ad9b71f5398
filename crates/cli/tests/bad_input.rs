//! Bad, odd and huge Boogie files: a diagnostic with a place and exit code 2 (or acceptance, where the
//! program is in fact a program), one message for one mistake, and never a crash.

mod common;

use common::{Dir, MANY, Output};

fn parse(text: impl AsRef<[u8]>) -> Output {
    common::parse("a.bpl", text)
}

#[track_caller]
fn accepted(text: impl AsRef<[u8]>) {
    common::accepted("a.bpl", text);
}

#[track_caller]
fn rejected(text: impl AsRef<[u8]>, place: &str, message: &str) {
    common::rejected("a.bpl", text, place, message);
}

fn nested(before: &str, open: &str, middle: &str, close: &str, after: &str) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(MANY), close.repeat(MANY))
}

fn listed(before: &str, after: &str, item: impl Fn(usize) -> String) -> String {
    let mut text = before.to_string();
    (0..MANY).for_each(|i| text += &item(i));
    text + after
}

#[test]
fn files_that_are_no_text() {
    let dir = Dir::new();
    dir.run(&["parse", "none.bpl"]).code(2).says("error: cannot read none.bpl: No such file");
    dir.run(&["parse", "."]).code(2).says("error: cannot read .: it is a directory");
    dir.write("a.bpl", b"var x: int;\n  \xff\xfe");
    dir.run(&["parse", "a.bpl"]).code(2).says("a.bpl:2:3: not a text file: the byte at offset 14 is not UTF-8");
    // Both problems are told.
    let both = dir.run(&["parse", "none.bpl", "a.bpl"]);
    assert_eq!(both.code(2).errors(), 2);
    std::fs::File::create(dir.path().join("large.bpl")).unwrap().set_len(200 << 20).unwrap();
    dir.run(&["parse", "large.bpl"]).code(2).says("large.bpl is too large: the limit is 128 MiB");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    let path = dir.write("a.bpl", "");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    dir.run(&["parse", "a.bpl"]).code(2).says("cannot read a.bpl: Permission denied");
}

#[test]
fn files_with_nothing_in_them() {
    for text in ["", "\n\n  ", "// nothing", "\u{feff}", "\u{feff}var x: int;\r\n"] {
        accepted(text);
    }
}

#[test]
fn deep_nesting_is_one_diagnostic() {
    let message = "nested more than 2000 levels deep";
    for text in [
        nested("axiom ", "(", "true", ")", ";"),
        nested("procedure P() { ", "if (*) {", "", "}", " }"),
        nested("procedure P() { ", "while (*) {", "", "}", " }"),
        nested("var x: ", "[int]", "int", "", ";"),
        nested("var x: ", "[", "int", "]int", ";"),
        nested("type C a; var x: ", "C (", "int", ")", ";"),
        nested("axiom ", "(forall x: int :: ", "true", ")", ";"),
        nested("axiom ", "(lambda x: int :: ", "1", ")", " == 0;"),
        nested("axiom ", "(var x := 1; ", "true", ")", ";"),
        nested("var g: int; procedure P() ensures ", "old(", "g", ")", " == 0; {}"),
        nested("axiom {:a ", "(", "1", ")", "} true;"),
        nested("const m: [int]int; axiom ", "m[", "0", "]", " == 0;"),
        nested("function f(int): int; axiom ", "f(", "0", ")", " == 0;"),
        nested("axiom ", "if true then ", "true", " else false", ";"),
        nested("axiom ", "|{ A: return ", "true", "; }|", ";"),
    ] {
        let output = parse(&text);
        output.code(2).says(message);
        assert_eq!(output.errors(), 1, "{text:.80}: {:.400}", output.stderr);
        output.says("--> a.bpl:1:").says("  ^");
    }
    rejected(nested("axiom ", "(", "true", ")", ";"), "1:2007", message);
    rejected(nested("procedure P() { ", "{", "", "}", " }"), "1:17", "expected a statement");
}

#[test]
fn long_chains_are_no_nesting() {
    let b = "const x: bool; axiom x";
    for text in [
        format!("const x: int; axiom x{} == 0;", " + x".repeat(MANY)),
        format!("{b}{};", " && x".repeat(MANY)),
        format!("{b}{};", " ==> x".repeat(MANY)),
        format!("{b}{};", " <==> x".repeat(MANY)),
        format!("axiom {}1 == 0;", "- ".repeat(MANY)),
        format!("axiom {}true;", "!".repeat(MANY)),
        format!("axiom {}true;", "{:a 1} ".repeat(MANY)),
        format!("axiom ({}2) == 2;", "if true then 1 else ".repeat(MANY)),
        format!("const m: [int]int; const k: int; axiom m{}[0] == 0;", "[k := 1]".repeat(MANY)),
        format!("procedure P() {{ var x: int; if (x == 0) {{ }} {} }}", "else if (x == 1) { x := 2; }".repeat(MANY)),
    ] {
        accepted(text);
    }
}

#[test]
fn what_is_not_closed() {
    rejected("axiom true; /* open", "1:13", "this comment is not closed");
    rejected("/*".repeat(MANY), "1:1", "this comment is not closed");
    rejected("procedure {:a \"abc} P() {}\n", "1:15", "this string is not closed");
    rejected("procedure P() {", "1:16", "end of the file");
}

#[test]
fn odd_characters() {
    rejected("axiom true;\0 var x: int;", "1:12", "unexpected character `\\0`");
    rejected("/* \u{202e} */ var \u{202e}x: int;", "1:13", "unexpected character `\\u{202e}`");
    // What would move the cursor of a terminal is not passed on.
    let output = parse("axiom \x1b[31mtrue;");
    output.code(2).says("unexpected character `\\u{1b}`");
    assert!(!output.stderr.contains('\x1b'));
    rejected("/* 漢字漢字 */ var x: int; /* 漢字 */ var x: int;", "1:37", "more than once");
    rejected("var x: int;\r\nvar x: int;\r\n", "2:5", "more than once");
}

#[test]
fn duplicates_and_cycles() {
    let output = parse(
        "var x: int; const x: int;\nprocedure P(); procedure P();\ntype T; type T;\nfunction f(): int; function f(): int;",
    );
    assert_eq!(output.code(2).errors(), 4);
    output.says("it is first declared here").points_at("a.bpl:1:19").points_at("a.bpl:4:29");
    rejected("type T = T;", "1:6", "the type synonym `T` is defined in terms of itself");
    assert_eq!(parse("type A = B; type B = [int]A; var x: A;").code(2).errors(), 2);
    rejected("function {:inline} f(x: int): int { f(x) }", "1:20", "defined in terms of itself");
    rejected("datatype D { C(d: D) }", "1:10", "the datatype `D` has no finite value");
    assert_eq!(parse("datatype D { C(e: E) } datatype E { F(d: D) }").code(2).errors(), 2);
    accepted("datatype D { Nil(), C(e: E) } datatype E { F(d: D) }");
    accepted("function f(x: int): int { f(x) }");
}

#[test]
fn chains_of_definitions() {
    let last = format!("type T{MANY} = int; var x: T0;");
    accepted(listed("", &last, |i| format!("type T{i} = T{};", i + 1)));
    let last = format!("function f{MANY}(x: int): int; axiom f0(1) == 1;");
    let inlined = listed("", &last, |i| format!("function {{:inline}} f{i}(x: int): int {{ f{}(x) }}\n", i + 1));
    parse(inlined).code(2).says("inlined functions call each other too deeply");
    // Each synonym doubles the type.
    let doubled: String = (0..200).map(|i| format!("type T{i} = [T{j}]T{j};\n", j = i + 1)).collect();
    rejected(format!("{doubled}type T200 = int;\nvar x: T0;"), "202:5", "this type is too large");
}

#[test]
fn absurd_numbers() {
    rejected("var x: bv99999999999999;", "1:8", "bit-vectors have at most 16777216 bits");
    rejected("axiom 1bv99999999 == x;", "1:7", "bit-vectors have at most 16777216 bits");
    rejected("var x: bv0;", "1:5", "bit-vectors of width 0 are not supported");
    rejected("const x: bv8; axiom x[9:3] == 0bv6;", "1:22", "at least 9 bits");
    rejected("axiom 1e99999999 == 0.0;", "1:7", "exponent");
    rejected(format!("axiom 1.{} == 0.0;", "1".repeat(MANY * 10)), "1:7", "decimals");
    rejected(format!("axiom {} == 0;", "1".repeat(2_000_000)), "1:7", "more than 1048576 characters");
    accepted(format!("axiom {} == 0;", "1".repeat(1_000_000)));
    // Wide vectors are allowed, so they must work.
    let dir = Dir::with(
        "wide.bpl",
        "procedure main() { var x, y: bv1000000; havoc x; y := x; assert x[1000000:999999] == y[1000000:999999]; }",
    );
    for seed in 0..10 {
        dir.run(&["run", "wide.bpl", "--seed", &seed.to_string()]).code(0);
    }
}

#[test]
fn many_errors_are_counted() {
    for line in ["axiom 1 == true;\n", "axiom ;\n", "axiom x;\n"] {
        let output = parse(line.repeat(MANY));
        output.code(2).says("note: 99900 more errors or warnings are not shown");
        assert_eq!(output.errors(), 100);
    }
}

#[test]
fn many_declarations() {
    accepted(listed("", "", |i| format!("procedure P{i}() {{ assert true; }}\n")));
    accepted(listed("procedure P() {\n", "}", |i| format!("L{i}: assert true;\n")));
    accepted(listed("", "procedure main() { assert c0 != c1; }", |i| format!("const unique c{i}: int; ")));
    accepted(listed("procedure P(", "y: int) {}", |i| format!("x{i}: int, ")));
    accepted(listed("datatype D { ", "E() }", |i| format!("C{i}(), ")));
    let targets = listed("procedure P() { goto ", "L0; ", |i| format!("L{i}, "));
    accepted(listed(&targets, "}", |i| format!("L{i}: assert true; return; ")));
}

#[test]
fn very_long_lines() {
    let spaces = " ".repeat(10_000_000);
    rejected(format!("{spaces}axiom 1;"), "1:10000001", "an axiom must be of type bool, not int");
    accepted(format!("axiom {}true;", "true && ".repeat(1_250_000)));
    let name = "x".repeat(10_000_000);
    let output = parse(format!("axiom {name};"));
    output.code(2).says("is not declared").points_at("a.bpl:1:7");
    assert!(output.stderr.len() < 10_000);
}

#[test]
fn twenty_megabytes_of_junk() {
    let output = parse("x := 1 + { } ; if ".repeat(20_000_000 / 18));
    output.code(2).points_at("a.bpl:1:1");
    let output = parse("procedure P() { x := 1 + ; }\n".repeat(20_000_000 / 29));
    assert_eq!(output.code(2).errors(), 100);
}

#[test]
fn control_flow_that_would_explode() {
    let jumps: String = (0..1000).map(|i| format!("L{i}: goto L{}, L{};\n", i * 7919 % 1000, i + 1)).collect();
    let dir = Dir::with("a.bpl", format!("procedure P() {{\n{jumps}L1000: return; }}"));
    let output = dir.run(&["check", "a.bpl"]);
    assert!(output.code(12).stdout.contains("in `P` has several entries"), "{}", output.stdout);
    let grows = "type C a; procedure P<a>(x: a) { var c: C a; call P(c); } procedure main() { call P(1); }";
    let dir = Dir::with("a.bpl", grows);
    let code = dir.run(&["run", "a.bpl", "--entry", "main", "--trace", "none"]).code;
    assert!(code == Some(2) || code == Some(12), "{code:?}");
}

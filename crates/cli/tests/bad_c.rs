//! Bad, odd and huge C files and LLVM modules: a diagnostic and exit code 2, or a verdict (unknown with its reason, where
//! something is not supported or too large), within the time limit; never a crash, never a wrong verdict.

mod common;
#[path = "../../../tests/needs.rs"]
mod needs;

use common::{Dir, MANY, Output};

fn check(name: &str, text: impl AsRef<[u8]>, options: &[&str]) -> Output {
    let mut args = vec!["check", name, "--trace", "none"];
    if !options.contains(&"--timeout") {
        args.extend(["--timeout", "60s"]);
    }
    args.extend(options);
    Dir::with(name, text).run(&args)
}

/// An error that says this, and no verdict.
#[track_caller]
fn rejected(name: &str, text: impl AsRef<[u8]>, message: &str) {
    let output = check(name, text, &[]);
    assert_eq!(output.code(2).says(message).stdout, "");
}

/// The last line of standard output, with its exit code.
#[track_caller]
fn verdict(output: &Output, code: i32, verdict: &str) {
    assert_eq!(output.code(code).stdout.lines().last(), Some(verdict), "{}\n{}", output.stdout, output.stderr);
}

/// An error was found, but only behind something that is approximated.
fn approximate(output: &Output) {
    assert!(output.code(12).stdout.contains("only after what is approximated"), "{}", output.stdout);
}

/// Nesting beyond what clang takes by itself.
#[test]
fn deep_nesting() {
    let deep = format!("int main(void) {{ return {}0{}; }}", "(".repeat(MANY), ")".repeat(MANY));
    verdict(&check("a.c", deep, &[]), 0, "safe");
}

/// A module in which `reach_error` is called unless a condition holds.
fn module(code: &str) -> String {
    format!(
        "define i32 @main() {{\n{code}\n  br i1 %good, label %end, label %bad\nbad:\n  call void @reach_error()\n  \
         unreachable\nend:\n  ret i32 0\n}}\ndeclare void @reach_error()\n"
    )
}

#[test]
fn what_does_not_compile() {
    rejected("a.c", "int main(void) { return y; }\n", "a.c:1:25: error: use of undeclared identifier 'y'");
    rejected("a.c", "#include \"nowhere.h\"\n", "a.c:1:10: fatal error: 'nowhere.h' file not found");
    rejected("a.c", "int main(void) { return 0; }\n\0\u{ff}", "error");
    rejected("a.c", "#include \"a.c\"\n", "nested too deeply");
    rejected("a.c", "int a[1L << 62][1L << 62]; int main(void) { return 0; }", "array is too large");
}

/// An integer of 32 bits has room for 4,095 objects.
#[test]
fn more_objects_than_integers_have_room_for() {
    const COUNT: usize = 4200;
    let mut text = String::from("extern void reach_error(void);\n");
    text.extend((0..COUNT).map(|i| format!("static int g{i};\n")));
    text.push_str("union { int *pointer; unsigned number; } all[] = {\n");
    text.extend((0..COUNT).map(|i| format!("  {{&g{i}}},\n")));
    let (last, other) = (COUNT - 1, COUNT - 1 - 4096);
    text.push_str(&format!(
        "}};\nint main(void) {{\n  if (all[{last}].number == all[{other}].number) reach_error();\n  return 0;\n}}\n"
    ));
    let output = check("many.c", text, &["--data-model", "ILP32"]);
    let said = &output.code(12).stdout;
    assert!(said.contains("an initialiser with the address of one of so many objects as an integer"), "{said}");
}

#[test]
fn what_has_no_entry() {
    for text in ["", "\n", "extern int x; int f(void); typedef int t;", "int f(void) { return 0; }", "int main(void);"]
    {
        rejected("a.c", text, "there is no function `main` with a body");
    }
    rejected("a.ll", "", "there is no function `main` with a body");
    rejected("a.ll", "declare i32 @main()", "there is no function `main` with a body");
    rejected("a.ll", "@main = global i32 0", "there is no function `main` with a body");
    let output = check("a.c", "int main(void) { return 0; }", &["--entry", "other"]);
    output.code(2).says("there is no function `other` with a body");
}

#[test]
fn files_that_do_not_fit_together() {
    let dir = Dir::new();
    dir.write("a.c", "int main(void) { return 0; }\n");
    dir.write("b.c", "int main(void) { return 1; }\n");
    dir.write("a.bpl", "");
    dir.write("64.ll", "target datalayout = \"e-p:64:64\"\ndefine i32 @main() { ret i32 0 }\n");
    dir.run(&["check", "a.c", "b.c"]).code(2).says("b.c: cannot be linked").says("'main'");
    dir.run(&["check", "a.c", "a.bpl"]).code(1).says("a.bpl cannot be combined with C programs");
    dir.run(&["check", "64.ll", "--data-model", "ILP32"]).code(2).says("64.ll: made for 64-bit pointers, but 32-bit");
    dir.run(&["check", "none.c"]).code(2).says("none.c: No such file");
    dir.run(&["check", "a.c", "none.c"]).code(2).says("none.c: No such file");
    std::fs::create_dir(dir.path().join("dir.c")).unwrap();
    dir.run(&["check", "dir.c"]).code(2).says("dir.c: not a file");
}

#[test]
fn declarations_that_do_not_agree() {
    let dir = Dir::new();
    let run = |one: &str, two: &str| {
        dir.write("a.c", one);
        dir.write("b.c", two);
        dir.run(&["check", "a.c", "b.c", "--property", "assert", "--trace", "none", "--timeout", "60s"])
    };
    // A variable of other types: the bytes are the same.
    let bytes =
        "extern int x; int get(void); int main(void) { x = 0x01020304; if (get() != 4) reach_error(); return 0; }";
    verdict(&run(bytes, "unsigned char x[4]; int get(void) { return x[0]; }"), 0, "safe");
    // Too many arguments do not matter.
    let more = "int f(int, int); int main(void) { if (f(1, 2) != 1) reach_error(); return 0; }";
    verdict(&run(more, "int f(int x) { return x; }"), 0, "safe");
    // What a function gets instead of a float may be anything: errors behind it are not certain.
    let other = "int f(int); int main(void) { if (f(1) == 7) reach_error(); return 0; }";
    approximate(&run(other, "int f(double x) { return x == 7.0 ? 7 : 0; }"));
    verdict(&run(other, "int f(double x) { return 0; }"), 0, "safe");
    // A number that is not given may be any.
    let fewer = "int f(); int main(void) { if (f() == 7) reach_error(); return 0; }";
    verdict(&run(fewer, "int f(int x) { return x == 7 ? 7 : 0; }"), 10, "unsafe");
    // A structure for an integer is not supported.
    let code = run(other, "struct s { double x; int y[9]; }; struct s f(struct s x) { return x; }").code;
    assert!(code == Some(12) || code == Some(10), "{code:?}");
}

#[test]
fn no_compiler() {
    let dir = Dir::with("a.c", "int main(void) { return 0; }\n");
    let output = dir.run_where(&["check", "a.c"], &[("LARIAT_CLANG", "no-such-clang")]);
    output.code(2).says("LARIAT_CLANG names no-such-clang, which is not there");
    // Debian's clang is found in its own place, too.
    let output = dir.run_where(&["check", "a.c"], &[("PATH", "")]);
    if output.code != Some(0) {
        output.code(2).says("no clang to compile C with").says("apt-get install clang-19");
    }
    // Something that is no compiler.
    let output = dir.run_where(&["check", "a.c"], &[("LARIAT_CLANG", "/bin/true")]);
    output.code(2).says("clang wrote no bitcode");
    let output = dir.run_where(&["check", "a.c"], &[("LARIAT_CLANG", "/bin/false")]);
    output.code(2).says("/bin/false failed");
}

#[test]
fn endless_recursion() {
    let text = "extern void reach_error(void); int f(int x) { return f(x + 1) + 1; }\n\
                int main(void) { if (f(0) == 5) reach_error(); return 0; }\n";
    // No execution comes to the error.
    let code = check("a.c", text, &["--timeout", "10s", "--bound", "20"]).code;
    assert!(matches!(code, Some(0 | 11 | 12)), "{code:?}");
    let output = Dir::with("a.c", text).run(&["run", "a.c", "--trace", "none", "--steps", "100000"]);
    verdict(&output, 12, "unknown: the limit of 100000 steps was reached");
}

#[test]
fn huge_objects() {
    let all = ["--property", "all"];
    let global = "int a[1 << 30]; int main(void) { a[5] = 1; a[1 << 29] = 2; if (a[5] != 1 || a[7]) reach_error(); }";
    verdict(&check("a.c", global, &all), 0, "safe");
    let wrong = "int a[1 << 30]; int main(void) { a[1 << 29] = 2; if (a[1 << 29]) reach_error(); }";
    verdict(&check("a.c", wrong, &all), 10, "unsafe");
    let local = "int main(void) { char b[1L << 40]; int a[1 << 28]; a[3] = 1; b[1L << 39] = 2;\n\
                 if (a[3] != 1 || b[1L << 39] != 2) reach_error(); }";
    verdict(&check("a.c", local, &all), 0, "safe");
    let outside = "int main(void) { int a[1 << 28]; a[1 << 28] = 1; return 0; }";
    verdict(&check("a.c", outside, &["--property", "valid-deref"]), 10, "unsafe");
    let copied = "struct s { int x[1 << 20]; } g[100] = {{{1}}}; int main(void) { struct s l = g[1]; l.x[3] = 2;\n\
                  struct s k = l; if (k.x[3] != 2) reach_error(); }";
    verdict(&check("a.c", copied, &[]), 0, "safe");
}

#[test]
fn odd_allocations() {
    let text = "#include <stdlib.h>\nint main(void) { char *p = malloc(-1); if (!p) return 0; p[5] = 2;\n\
                if (p[5] != 2) reach_error(); free(p); return 0; }\n";
    verdict(&check("a.c", text, &["--property", "all"]), 0, "safe");
    let nothing = "#include <stdlib.h>\nint main(void) { char *p = malloc(0); *p = 1; free(p); return 0; }\n";
    verdict(&check("a.c", nothing, &["--property", "valid-deref"]), 10, "unsafe");
    let wraps =
        "#include <stdlib.h>\nint main(void) { int *p = malloc((1UL << 62) * 4 + 4); p[1] = 1; free(p); return 0; }\n";
    verdict(&check("a.c", wraps, &["--property", "valid-deref"]), 10, "unsafe");
}

#[test]
fn long_files() {
    let functions: String = (0..MANY).map(|i| format!("int f{i}(int x) {{ return x + {i}; }}\n")).collect();
    let text = format!("{functions}int main(void) {{ if (f7(1) != 8) reach_error(); return 0; }}\n");
    let output = check("a.c", text, &["--timeout", "20s"]);
    if output.code != Some(0) {
        verdict(&output, 12, "unknown: time limit reached");
    }
    let mut text = String::from("int main(void) { int x = 0;\n");
    (0..MANY).for_each(|i| text += &format!("if (x > {i}) x -= {i};\n"));
    let output = check("a.c", text + "return 0; }\n", &["--timeout", "5s"]);
    if output.code != Some(0) {
        verdict(&output, 12, "unknown: time limit reached");
    }
    // As a document, too.
    let slow = "#define A(x) x x x x x x x x x x\nint main(void) { int x = 0; A(A(A(A(A(x++;))))) return 0; }\n";
    let output = check("a.c", slow, &["--timeout", "1s", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("a JSON document");
    assert!(json["verdict"] == "unknown" && output.code == Some(12) || output.code == Some(0), "{json:.500}");
}

#[test]
fn odd_types() {
    let wide = "  %p = alloca i999\n  store i999 5, ptr %p\n  %v = load i999, ptr %p\n  %good = icmp eq i999 %v, 5";
    verdict(&check("a.ll", module(wide), &[]), 0, "safe");
    verdict(&check("a.ll", module(&wide.replace("%v, 5", "%v, 6")), &[]), 10, "unsafe");
    let narrow = "  %a = add i3 7, 2\n  %b = zext i3 %a to i17\n  %good = icmp eq i17 %b, 1";
    verdict(&check("a.ll", module(narrow), &[]), 0, "safe");
    let vector = "  %g = getelementptr i32, <2 x ptr> zeroinitializer, <2 x i64> <i64 0, i64 1>\n  \
                  %p = extractelement <2 x ptr> %g, i32 0\n  %good = icmp eq ptr %p, null";
    check("a.ll", module(vector), &[]).code(12);
    let scalable = "  %v = alloca <vscale x 4 x i32>\n  %x = load <vscale x 4 x i32>, ptr %v\n  \
                    %e = extractelement <vscale x 4 x i32> %x, i32 0\n  %good = icmp eq i32 %e, 0";
    check("a.ll", module(scalable), &[]).code(12);
    let entry = "define void @main(<4 x i17> %x, { i3, [2 x ptr] } %y, i1000 %z) { ret void }\n";
    verdict(&check("a.ll", entry, &[]), 0, "safe");
    rejected(
        "a.ll",
        "target datalayout = \"E\"\ndefine i32 @main() { ret i32 0 }\n",
        "most significant byte comes first",
    );
    rejected("a.ll", "target datalayout = \"e-p:16:16\"\ndefine i32 @main() { ret i32 0 }\n", "pointers have 16 bits");
}

#[test]
fn control_flow_that_c_does_not_have() {
    let invoke = "declare void @f()\ndeclare i32 @personality(...)\n\
                  define i32 @main() personality ptr @personality {\n  invoke void @f() to label %ok unwind label %bad\n\
                  bad:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\nok:\n  ret i32 0\n}\n";
    verdict(
        &check("a.ll", invoke, &[]),
        12,
        "unknown: an execution reaches what is not supported: the instruction invoke",
    );
    let coroutine = "define i32 @main() {\n  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)\n  \
                     %h = call ptr @llvm.coro.begin(token %id, ptr null)\n  ret i32 0\n}\n\
                     declare token @llvm.coro.id(i32, ptr, ptr, ptr)\ndeclare ptr @llvm.coro.begin(token, ptr)\n";
    let output = check("a.ll", coroutine, &[]);
    verdict(&output, 12, "unknown: an execution reaches what is not supported: the intrinsic coro.id");
    // What is not reached does not matter.
    let dead =
        module("  %good = icmp eq i32 1, 1").replace("call void @reach_error()", "%x = call i32 asm \"\", \"=r\"()");
    verdict(&check("a.ll", dead, &[]), 0, "safe");
}

#[test]
fn broken_modules() {
    let good = module("  %good = icmp eq i32 1, 1");
    for end in [10, 50, 100, good.len() - 30] {
        let output = check("a.ll", &good[..end], &[]);
        output.code(2).says("a.ll: not a valid LLVM module");
    }
    rejected("a.ll", "define i32 @main() { ret i32 %x }", "not a valid LLVM module");
    rejected("a.ll", "define i32 @main() { ret i64 0 }", "not a valid LLVM module");
    rejected("a.ll", "hello", "not a valid LLVM module");
    rejected("a.bc", b"BC\xc0\xde", "a.bc: not a valid LLVM module");
    rejected("a.bc", b"\x7fELF\x02\x01\x01", "a.bc: not a valid LLVM module");
    let circle = "@a = alias i32, ptr @b\n@b = alias i32, ptr @a\ndefine i32 @main() { ret i32 0 }\n";
    rejected("a.ll", circle, "not a valid LLVM module");
}

#[test]
fn corrupted_bitcode() {
    let dir = Dir::with("a.c", "int g[3] = {1, 2, 3};\nint main(void) { int x = g[1]; return x; }\n");
    let clang =
        ["/usr/bin/clang-19", "/usr/lib/llvm-19/bin/clang"].into_iter().find(|c| std::path::Path::new(c).exists());
    let Some(clang) = clang else {
        needs::skipped("no clang to make bitcode with");
        return;
    };
    let made = std::process::Command::new(clang)
        .args(["-c", "-g", "-emit-llvm", "a.c", "-o", "good.bc"])
        .current_dir(dir.path())
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    dir.run(&["check", "good.bc"]).code(0);
    let good = std::fs::read(dir.path().join("good.bc")).unwrap();
    // A generator of numbers that is always the same.
    let mut state = 1u64;
    let mut random = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    for _ in 0..20 {
        let mut bad = good.clone();
        for _ in 0..10 {
            let at = random(bad.len());
            bad[at] = random(256) as u8;
        }
        dir.write("bad.bc", &bad);
        let output = dir.run(&["check", "bad.bc", "--timeout", "10s", "--trace", "none"]);
        assert!(matches!(output.code, Some(0 | 2 | 12)), "{:?}: {}{}", output.code, output.stdout, output.stderr);
    }
    for part in 1..8 {
        dir.write("bad.bc", &good[..good.len() * part / 8]);
        dir.run(&["check", "bad.bc"]).code(2).says("bad.bc: not a valid LLVM module");
    }
}

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::*;
use crate::module::{Callee, InstKind, Operand, TypeKind};

/// Files in a directory that goes away.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a temporary directory"))
    }

    fn add(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).expect("a new file");
        path
    }
}

fn ilp32() -> Options {
    Options { data_model: Some(DataModel::Ilp32), ..Options::default() }
}

fn lp64() -> Options {
    Options { data_model: Some(DataModel::Lp64), ..Options::default() }
}

/// The name and size of each global.
fn sizes(module: &Module) -> Vec<(String, u64)> {
    module.globals.iter().map(|g| (g.name.clone(), module.ty(g.ty).size)).collect()
}

fn function<'m>(module: &'m Module, name: &str) -> &'m crate::module::Function {
    &module.functions[module.function(name).unwrap_or_else(|| panic!("no function {name}")).index()]
}

fn error(inputs: &[PathBuf], options: &Options) -> String {
    compile(inputs, options).expect_err("it must not compile").to_string()
}

#[test]
fn data_models_differ_in_long_and_pointers() {
    let files = Files::new();
    let file = files.add("a.c", "long l; int *p; long long ll; struct { char c; long long d; } s;");
    let expect = |sizes: [u64; 4]| ["l", "p", "ll", "s"].map(String::from).into_iter().zip(sizes).collect::<Vec<_>>();
    assert_eq!(sizes(&compile(std::slice::from_ref(&file), &ilp32()).unwrap()), expect([4, 4, 8, 12]));
    assert_eq!(sizes(&compile(&[file], &lp64()).unwrap()), expect([8, 8, 8, 16]));
}

/// Sizes that glibc has on a 32-bit x86 machine, with or without the headers for it being installed.
#[test]
fn system_headers_tell_the_truth_about_32_bits() {
    let files = Files::new();
    let file = files.add(
        "a.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <limits.h>\n#include <stdint.h>\n\
         #include <pthread.h>\n#include <setjmp.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <math.h>\n\
         _Static_assert(sizeof(size_t) == 4 && sizeof(time_t) == 4 && sizeof(off_t) == 4, \"\");\n\
         _Static_assert(sizeof(intptr_t) == 4 && sizeof(intmax_t) == 8 && LONG_MAX == 2147483647L, \"\");\n\
         _Static_assert(sizeof(struct stat) == 88 && sizeof(jmp_buf) == 156, \"\");\n\
         _Static_assert(sizeof(pthread_mutex_t) == 24, \"\");\n\
         int main(void) { return 0; }\n",
    );
    let module = compile(&[file], &ilp32()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(module.pointer_bits, 32);
}

#[test]
fn old_c_compiles() {
    let files = Files::new();
    let file = files.add("a.c", "f(x) { return g(x); }\nint *p = 5;\nvoid h(void) { return 1; }\nmain() { f(1, 2); }");
    let module = compile(&[file], &lp64()).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.functions[module.function("main").unwrap().index()].is_defined());
    assert!(!module.functions[module.function("g").unwrap().index()].is_defined());
}

#[test]
fn include_directories_defines_and_flags_reach_clang() {
    let files = Files::new();
    fs::create_dir(files.0.path().join("inc")).unwrap();
    files.add("inc/mine.h", "#define SIZE (A + B)");
    let file = files.add("a.c", "#include <mine.h>\nchar x[SIZE];");
    let options = Options {
        include_dirs: vec![files.0.path().join("inc")],
        defines: vec!["A=3".to_string()],
        cflags: vec!["-DB=4".to_string()],
        ..lp64()
    };
    assert_eq!(sizes(&compile(&[file], &options).unwrap()), [("x".to_string(), 7)]);
}

#[test]
fn flags_cannot_optimise() {
    let files = Files::new();
    let text = "static __attribute__((always_inline)) inline int g(int x) { int y = x; return y + 1; }\n\
                int f(int x) { int y = x; return g(y + 1) > y; }";
    let file = files.add("a.c", text);
    let optimised = Options { cflags: vec!["-O3".to_string()], ..lp64() };
    let module = compile(&[file], &optimised).unwrap();
    let f = &module.functions[module.function("f").unwrap().index()];
    assert!(f.insts.iter().any(|i| matches!(i.kind, InstKind::Alloca { .. })));
    assert!(f.insts.iter().any(|i| matches!(&i.kind, InstKind::Call { callee: Callee::Function(_), .. })));
}

/// Without its body, a function would be one that does nothing.
#[test]
fn inline_functions_keep_their_bodies() {
    let files = Files::new();
    let a = "inline int f(int x) { return x + 1; }\nextern inline int g(int x) { return x; }\n\
             static inline int h(int x) { return x; }\n\
             extern inline __attribute__((gnu_inline)) int k(int x) { return x; }\n\
             #ifdef __OPTIMIZE__\n#error not optimised\n#endif\nint main(void) { return f(g(h(k(1)))); }";
    let a = files.add("a.c", a);
    let module = compile(std::slice::from_ref(&a), &lp64()).unwrap_or_else(|e| panic!("{e}"));
    for name in ["f", "g", "h", "k"] {
        assert!(function(&module, name).is_defined(), "{name}");
    }
    // A definition elsewhere is the one that counts.
    let b = files.add("b.c", "int f(int x) { return 5; }");
    let module = compile(&[a, b], &lp64()).unwrap_or_else(|e| panic!("{e}"));
    let returned = &function(&module, "f").insts.last().unwrap().kind;
    assert!(matches!(returned, InstKind::Return(Operand::Const(_))), "{returned:?}");
}

#[test]
fn variables_are_not_marked_with_their_lifetimes() {
    let files = Files::new();
    let file = files.add(
        "a.c",
        "int g(int *); int f(int x) { while (x) { int y = 1; const int t[2] = {x, 2}; switch (g(&y)) { case 1: break; default: x--; } } return 0; }",
    );
    let module = compile(&[file], &lp64()).unwrap();
    assert!(module.functions.iter().all(|f| !f.name.starts_with("llvm.lifetime")));
}

#[test]
fn several_files_are_linked() {
    let files = Files::new();
    let a = files.add("a.c", "extern int shared; int f(void); int main(void) { return f() + shared; }");
    let b = files.add("b.c", "int shared = 7; static int hidden; int f(void) { return hidden; }");
    let c = files.add("c.ll", "define void @from_text() {\n  ret void\n}\n");
    let module = compile(&[a.clone(), b.clone()], &lp64()).unwrap();
    for name in ["main", "f"] {
        assert!(module.functions[module.function(name).unwrap().index()].is_defined(), "{name}");
    }
    let shared = module.globals.iter().find(|g| g.name == "shared").unwrap();
    assert!(shared.init.is_some());
    assert_eq!(module.files.len(), 2);
    assert!(compile(&[a, b.clone(), c], &lp64()).unwrap().function("from_text").is_some());
    let twice = files.add("twice.c", "int shared = 8;");
    let message = error(&[b, twice], &lp64());
    assert!(message.contains("cannot be linked") && message.contains("shared"), "{message}");
}

#[test]
fn compile_errors_are_clangs_own() {
    let files = Files::new();
    let file = files.add("bad.c", "int main(void) {\n  return x;\n}\n");
    let message = error(std::slice::from_ref(&file), &lp64());
    let place = format!("{}:2:10: error: use of undeclared identifier 'x'", file.display());
    assert!(message.starts_with(&place), "{message}");
    let file = files.add("missing.c", "#include <no/such/header.h>\n");
    assert!(error(&[file], &lp64()).contains("'no/such/header.h' file not found"));
}

#[test]
fn wrong_files_are_named() {
    let files = Files::new();
    assert!(matches!(compile(&[], &lp64()), Err(DriverError::NoInput)));
    let absent = files.0.path().join("absent.c");
    assert!(error(std::slice::from_ref(&absent), &lp64()).contains("absent.c: No such file"));
    let python = files.add("a.py", "");
    assert!(error(&[python], &lp64()).contains("a.py: unknown kind of file"));
    fs::create_dir(files.0.path().join("dir.c")).unwrap();
    assert!(error(&[files.0.path().join("dir.c")], &lp64()).contains("not a file"));
    let text = files.add("broken.ll", "define i32 @f() { ret i32 }");
    assert!(error(&[text], &lp64()).contains("broken.ll: not a valid LLVM module"));
    let bitcode = files.add("broken.bc", b"BC\xc0\xdenonsense");
    assert!(error(&[bitcode], &lp64()).contains("broken.bc"));
    let flags = Options { cflags: vec!["-fsyntax-only".to_string()], ..lp64() };
    assert!(error(&[files.add("a.c", "")], &flags).contains("no bitcode"));
}

#[test]
fn a_file_for_another_data_model_is_rejected() {
    let files = Files::new();
    let text = "target datalayout = \"e-p:32:32\"\n@x = global ptr null\n";
    let file = files.add("a.ll", text);
    assert!(error(std::slice::from_ref(&file), &lp64()).contains("32-bit pointers, but 64-bit"));
    assert_eq!(compile(std::slice::from_ref(&file), &ilp32()).unwrap().pointer_bits, 32);
    let other = files.add("b.ll", "target datalayout = \"e-p:64:64\"\n@y = global ptr null\n");
    assert!(error(&[file, other], &Options::default()).contains("pointers have 64 bits, but 32"));
}

#[test]
fn time_runs_out() {
    let files = Files::new();
    let file = files.add("a.c", "#include \"a.c\"\n");
    let slow = Options { deadline: Some(Instant::now()), ..lp64() };
    assert!(matches!(compile(&[file], &slow), Err(DriverError::Timeout(_))));
    let slow = Options { deadline: Some(Instant::now() + Duration::from_secs(100)), ..lp64() };
    assert!(compile(&[files.add("b.c", "")], &slow).is_ok());
}

#[test]
fn harness_headers_are_there() {
    let files = Files::new();
    let text = "#include \"smack.h\"\n#include <assert.h>\ntypedef unsigned short wchar_t;\n\
                int main(void) { int x = __VERIFIER_nondet_int(); assume(x > 0); assert(x); __VERIFIER_assert(x);\n\
                __SMACK_top_decl(\"function F(x: int): int;\"); __SMACK_code(\"@ := F(@);\", x, x); return 0; }";
    for options in [ilp32(), lp64()] {
        let module = compile(&[files.add("a.c", text)], &options).unwrap_or_else(|e| panic!("{e}"));
        for name in ["__VERIFIER_assume", "__VERIFIER_assert", "__assert_fail", "__VERIFIER_nondet_int"] {
            assert!(module.function(name).is_some(), "{name}");
        }
        let main = &module.functions[module.function("main").unwrap().index()];
        let asm = |i: &crate::module::Inst| matches!(&i.kind, InstKind::Call { callee: Callee::Asm(..), .. });
        assert_eq!(main.insts.iter().filter(|i| asm(i)).count(), 1);
    }
}

#[test]
fn floats_are_rounded_after_each_operation() {
    let files = Files::new();
    let file = files.add("a.c", "double f(double a, double b, double c) { return a * b + c; }");
    let module = compile(&[file], &lp64()).unwrap();
    assert!(module.functions.iter().all(|f| !f.name.starts_with("llvm.fmuladd")));
}

#[test]
fn a_name_that_looks_like_an_option_is_a_file() {
    let files = Files::new();
    files.add("-x.c", "int x;");
    // Relative to here, so the name starts with a dash only inside `arguments`; look at that directly.
    let arguments = clang::arguments(Path::new("-x.c"), Path::new("h"), &lp64(), Traps::NONE);
    assert_eq!(arguments.last().unwrap(), "./-x.c");
}

#[test]
fn clang_is_looked_for_where_it_is_said() {
    let nowhere = Clang::find_in(Some("/no/such/clang".into()), None).unwrap_err();
    assert!(nowhere.contains("LARIAT_CLANG names /no/such/clang"), "{nowhere}");
    let files = Files::new();
    let other = files.add("clang-19", "#!/bin/sh\n");
    // Not yet a program.
    assert!(Clang::find_in(Some("clang-19".into()), Some(files.0.path().as_os_str())).is_err());
    make_program(&other);
    let found = Clang::find_in(None, Some(files.0.path().as_os_str())).unwrap();
    assert_eq!(found.path(), other);
    assert_eq!(clang::parse_version("Debian clang version 19.1.7 (3)\nTarget: x"), Some(19));
    assert_eq!(clang::parse_version("clang version 14.0.6"), Some(14));
    assert_eq!(clang::parse_version("gcc (Debian) 12"), None);
}

fn make_program(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn types_are_those_of_the_program() {
    let files = Files::new();
    let file = files.add("a.i", "# 1 \"original.c\"\nint f(int x) {\n  return x;\n}\n");
    let module = compile(&[file], &lp64()).unwrap();
    assert_eq!(module.files, ["original.c"]);
    let f = &module.functions[module.function("f").unwrap().index()];
    assert_eq!(f.loc.line, 1);
    assert!(matches!(module.ty(f.params[0].ty).kind, TypeKind::Int(32)));
}

#[test]
fn expressions_are_nested_deeper_than_clang_allows_by_itself() {
    let files = Files::new();
    let depth = 5000;
    let text = format!("int f(int x) {{ return {}x{}; }}", "(".repeat(depth), ")".repeat(depth));
    let file = files.add("a.c", &text);
    assert!(function(&compile(&[file], &lp64()).unwrap(), "f").is_defined());
}

/// Only what the program defines itself loses its meaning.
#[test]
fn own_functions_are_not_those_of_the_library() {
    let files = Files::new();
    let file = files.add("a.c", "int abs(int x) { return x; }\nint f(void) { char *p = malloc(4); return abs(*p); }");
    let module = compile(&[file], &lp64()).unwrap();
    assert!(module.function("llvm.abs.i32").is_none());
    let malloc = &module.functions[module.function("malloc").unwrap().index()];
    assert!(
        matches!(module.ty(malloc.ty).kind, TypeKind::Function(result, ..) if module.ty(result).kind == TypeKind::Ptr)
    );
}

use super::*;
use crate::module::*;

fn text(text: &str) -> Module {
    module(text.as_bytes(), "test.ll").unwrap_or_else(|e| panic!("{e}"))
}

/// Compiles C for a 64-bit machine.
fn c(text: &str) -> Module {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("test.c");
    std::fs::write(&path, text).expect("a new file");
    let options = crate::driver::Options {
        data_model: Some(crate::driver::DataModel::Lp64),
        ..crate::driver::Options::default()
    };
    crate::driver::compile(&[path], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn global<'m>(module: &'m Module, name: &str) -> &'m Global {
    module.globals.iter().find(|g| g.name == name).unwrap_or_else(|| panic!("no global {name}"))
}

fn init(module: &Module, name: &str) -> String {
    module.show_const(global(module, name).init.expect("an initial value")).to_string()
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    &module.functions[module.function(name).unwrap_or_else(|| panic!("no function {name}")).index()]
}

/// The instructions of a function, shown.
fn body(module: &Module, name: &str) -> Vec<String> {
    let shown = module.show_function(function(module, name)).to_string();
    shown.lines().filter(|l| l.starts_with("  ")).map(|l| l.split(" ; ").next().unwrap().trim().to_string()).collect()
}

fn rejects(bytes: &[u8]) -> String {
    module(bytes, "bad.ll").expect_err("a broken module").to_string()
}

const LAYOUT_32: &str = "target datalayout = \"e-m:e-p:32:32-i64:32-f64:32:64-f80:32-n8:16:32-S128\"\n";

#[test]
fn types_have_llvms_layout() {
    let module = text(
        "%packed = type <{ i8, i32 }>\n%plain = type { i8, i32, [3 x i16] }\n\
         @a = global %packed zeroinitializer\n@b = global %plain zeroinitializer\n@c = global [5 x %plain] zeroinitializer\n\
         @d = global <3 x i32> zeroinitializer\n@e = global i17 0\n@f = global x86_fp80 0xK00000000000000000000\n\
         @g = global [0 x i32] zeroinitializer\n@h = external global ptr\n",
    );
    let layout = |name: &str| {
        let ty = module.ty(global(&module, name).ty);
        (ty.size, ty.store_size, ty.align)
    };
    assert_eq!(layout("a"), (5, 5, 1));
    assert_eq!(layout("b"), (16, 16, 4));
    assert_eq!(layout("c"), (80, 80, 4));
    assert_eq!(layout("d"), (16, 12, 16));
    assert_eq!(layout("e"), (4, 3, 4));
    assert_eq!(layout("f"), (16, 10, 16));
    assert_eq!(layout("g"), (0, 0, 4));
    assert_eq!(layout("h"), (8, 8, 8));
    let TypeKind::Struct(members) = &module.ty(global(&module, "b").ty).kind else { panic!("a structure") };
    assert_eq!(members.iter().map(|m| m.1).collect::<Vec<_>>(), [0, 4, 8]);
    assert!(global(&module, "h").init.is_none());
}

#[test]
fn each_type_is_there_once() {
    let module =
        text("%a = type { i32, ptr }\n%b = type { i32, ptr }\n@x = external global %a\n@y = external global %b\n");
    assert_eq!(global(&module, "x").ty, global(&module, "y").ty);
    for (i, ty) in module.types.iter().enumerate() {
        assert!(!module.types[..i].contains(ty), "{ty:?}");
    }
}

#[test]
fn types_without_a_size_are_named() {
    let module = text(
        "%opaque = type opaque\n@x = external global %opaque\n@y = external global [9223372036854775807 x [4 x i64]]\n\
         define void @f(<vscale x 4 x i32> %v) {\n  ret void\n}\n",
    );
    assert_eq!(module.show_type(global(&module, "x").ty).to_string(), "<an opaque structure>");
    assert_eq!(module.show_type(global(&module, "y").ty).to_string(), "<an array of more than 2^62 bytes>");
    assert_eq!(module.show_type(function(&module, "f").params[0].ty).to_string(), "<a vector of unknown length>");
}

#[test]
fn constants() {
    let module = text(
        "@int = global i32 -1\n@bool = global i1 true\n@wide = global i128 -5\n@huge = global i200 803469022129495137770981046170581301261101496891396417650688\n\
         @float = global float 0x3FB99999A0000000\n@double = global double -0.0\n@nan = global float 0x7FF0000020000000\n@half = global half 0xH3C00\n\
         @quad = global fp128 0xL00000000000000003FFF000000000000\n@null = global ptr null\n@undef = global i8 undef\n@poison = global i8 poison\n\
         @zero = global [3 x i32] zeroinitializer\n@string = global [3 x i8] c\"a\\00\\FF\"\n@words = global [3 x i16] [i16 1, i16 2, i16 3]\n\
         @vector = global <2 x float> <float 1.0, float 2.0>\n@struct = global { i8, ptr } { i8 7, ptr @int }\n@code = global ptr @f\n\
         @number = global i64 ptrtoint (ptr @int to i64)\n@cut = global i32 trunc (i64 ptrtoint (ptr @int to i64) to i32)\n\
         @distance = global i64 sub (i64 ptrtoint (ptr @int to i64), i64 ptrtoint (ptr @bool to i64))\n\
         declare void @f()\n",
    );
    for (name, shown) in [
        ("int", "i32 4294967295"),
        ("bool", "i1 1"),
        ("wide", "i128 0xfffffffffffffffffffffffffffffffb"),
        ("huge", "i200 0x0000000000000080000000000000000000000000000000000000000000000000"),
        ("float", "float 0x000000003dcccccd"),
        ("double", "double 0x8000000000000000"),
        // A signalling NaN keeps its payload.
        ("nan", "float 0x000000007f800001"),
        ("half", "half 0x0000000000003c00"),
        ("quad", "fp128 0x3fff0000000000000000000000000000"),
        ("null", "null"),
        ("undef", "i8 undef"),
        ("poison", "i8 poison"),
        ("zero", "[3 x i32] zero"),
        ("string", "\"a\\x00\\xff\""),
        ("words", "{i16 1, i16 2, i16 3}"),
        ("vector", "{float 0x000000003f800000, float 0x0000000040000000}"),
        ("struct", "{i8 7, @int}"),
        ("code", "@f"),
        ("number", "ptrtoint(@int to i64)"),
        ("cut", "ptrtoint(@int to i32)"),
        ("distance", "sub(ptrtoint(@int to i64), ptrtoint(@bool to i64))"),
    ] {
        assert_eq!(init(&module, name), shown, "{name}");
    }
}

#[test]
fn addresses_are_sums() {
    let module = text(
        "%s = type { i32, [4 x i16], ptr }\n@s = global [2 x %s] zeroinitializer\n\
         @start = global ptr getelementptr inbounds ([2 x %s], ptr @s, i64 0, i64 0)\n\
         @field = global ptr getelementptr inbounds ([2 x %s], ptr @s, i64 0, i64 1, i32 1, i64 2)\n\
         @before = global ptr getelementptr (i8, ptr @s, i64 -3)\n\
         @nested = global ptr getelementptr (i16, ptr getelementptr (i8, ptr @s, i64 5), i64 2)\n\
         @open = global ptr getelementptr (i32, ptr getelementptr (i8, ptr @s, i64 1), i64 ptrtoint (ptr @s to i64))\n\
         define ptr @f(ptr %p, i64 %i, i32 %j) {\n\
         %a = getelementptr inbounds %s, ptr %p, i64 %i, i32 1, i32 %j\n\
         %b = getelementptr %s, ptr %p, i32 -1, i32 2\n\
         %c = getelementptr [0 x i32], ptr %p, i64 0, i64 %i\n\
         %d = getelementptr {}, ptr %p, i64 %i\n\
         ret ptr %a\n}\n\
         define <2 x ptr> @g(<2 x ptr> %p) {\n  %v = getelementptr i8, <2 x ptr> %p, i64 1\n  ret <2 x ptr> %v\n}\n",
    );
    assert_eq!(init(&module, "start"), "@s");
    assert_eq!(init(&module, "field"), "address inbounds(@s + 32)");
    assert_eq!(init(&module, "before"), "address(@s + -3)");
    assert_eq!(init(&module, "nested"), "address(@s + 9)");
    assert_eq!(init(&module, "open"), "address(@s + 1 + ptrtoint(@s to i64)*4)");
    assert_eq!(
        body(&module, "f")[..4],
        [
            "%0: ptr = address inbounds($0 + 4 + $1*24 + $2*2[4])",
            "%1: ptr = address($0 + -8)",
            "%2: ptr = address($0 + $1*4)",
            "%3: ptr = address($0)",
        ]
    );
    assert_eq!(body(&module, "g")[0], "%0: <2 x ptr> = unsupported getelementptr []");
}

#[test]
fn offsets_wrap_at_the_width_of_a_pointer() {
    let module = text(&format!(
        "{LAYOUT_32}@x = global i8 0\ndefine ptr @f(ptr %p) {{\n  %a = getelementptr i32, ptr %p, i32 1073741823\n  ret ptr %a\n}}\n"
    ));
    assert_eq!(module.pointer_bits, 32);
    assert_eq!(body(&module, "f")[0], "%0: ptr = address($0 + -4)");
}

#[test]
fn aliases_are_what_they_stand_for() {
    let module = text(
        "@x = global [4 x i32] zeroinitializer\n@a = alias i32, getelementptr ([4 x i32], ptr @x, i64 0, i64 1)\n@b = alias i32, ptr @a\n\
         @p = global ptr @b\n@g = alias void (), ptr @f\n@chosen = ifunc void (), ptr @resolver\n\
         define void @f() {\n  call void @g()\n  call void @chosen()\n  store i32 1, ptr @b\n  ret void\n}\n\
         define ptr @resolver() {\n  ret ptr @f\n}\n",
    );
    assert_eq!(init(&module, "p"), "address(@x + 4)");
    assert_eq!(body(&module, "f")[..3], ["call @f()", "call @chosen()", "store i32 i32 1, address(@x + 4)"]);
    // What is chosen at the start is called through a variable.
    assert_eq!(body(&module, "chosen"), ["%0: ptr = load @chosen.chosen", "call %0()", "return _"]);
    assert_eq!(body(&module, "chosen.resolve")[0], "%0: ptr = call @resolver()");
    assert_eq!(module.constructors, [module.function("chosen.resolve").unwrap()]);
}

#[test]
fn instructions() {
    let module = text(
        "declare i32 @ext(i32, ...)\n\
         define i32 @f(i32 %a, i32 %b, double %d, ptr %p, i1 %c, <4 x i32> %v) {\n\
         entry:\n\
         %0 = add nuw nsw i32 %a, %b\n  %1 = sdiv exact i32 %a, %b\n  %2 = fadd double %d, 1.0\n  %3 = fneg double %d\n\
         %4 = icmp sle i32 %a, %b\n  %5 = fcmp une double %d, %2\n  %6 = zext i32 %a to i64\n  %7 = select i1 %c, i32 %a, i32 %b\n\
         %8 = alloca i32, i32 %a\n  %9 = load volatile i32, ptr %p\n  store atomic i32 %9, ptr %p seq_cst, align 4\n\
         %10 = call i32 (i32, ...) @ext(i32 1, i32 %b)\n  %11 = call i32 %p(i32 %a)\n  call void asm sideeffect \"nop\", \"~{memory}\"()\n\
         %12 = insertvalue { i32, i8 } undef, i32 %a, 0\n  %13 = extractvalue { i32, i8 } %12, 0\n\
         %14 = extractelement <4 x i32> %v, i32 1\n  %15 = insertelement <4 x i32> %v, i32 %a, i32 %b\n\
         %16 = shufflevector <4 x i32> %v, <4 x i32> %15, <2 x i32> <i32 7, i32 poison>\n  %17 = freeze i32 %a\n\
         %18 = va_arg ptr %p, i32\n  %19 = atomicrmw umax ptr %p, i32 %a seq_cst\n  %20 = cmpxchg ptr %p, i32 %a, i32 %b seq_cst seq_cst\n  fence seq_cst\n\
         switch i32 %a, label %other [\n i32 1, label %one\n i32 -2, label %two\n ]\n\
         one:\n  br label %two\n\
         two:\n  %phi = phi i32 [ %later, %other ], [ 5, %one ], [ %a, %entry ]\n  ret i32 %phi\n\
         other:\n  %later = sub i32 0, %a\n  br i1 %c, label %two, label %end\n\
         end:\n  indirectbr ptr blockaddress(@f, %one), [label %one, label %stop]\n\
         stop:\n  unreachable\n}\n",
    );
    let expected = [
        "%0: i32 = add nuw nsw $0, $1",
        "%1: i32 = sdiv exact $0, $1",
        "%2: double = fadd $2, double 0x3ff0000000000000",
        "%3: double = fneg $2",
        "%4: i1 = sle $0, $1",
        "%5: i1 = fcmp u<> $2, %2",
        "%6: i64 = zext $0",
        "%7: i32 = select $4, $0, $1",
        "%8: ptr = alloca i32 x $0",
        "%9: i32 = load volatile $3",
        "store atomic i32 %9, $3",
        "%11: i32 = call @ext(i32 1, $1)",
        "%12: i32 = call $3($0)",
        "call asm \"nop\" \"~{memory}\"()",
        "%14: {0: i32, 4: i8} = insertvalue {0: i32, 4: i8} undef, $0 [0]",
        "%15: i32 = extractvalue %14 [0]",
        "%16: i32 = extractelement $5, i32 1",
        "%17: <4 x i32> = insertelement $5, $0, $1",
        "%18: <2 x i32> = shufflevector $5, %17 [7, _]",
        "%19: i32 = freeze $0",
        "%20: i32 = va_arg $3",
        "%21: i32 = atomic umax $3, $0",
        "%22: {0: i32, 4: i1} = cmpxchg $3, $0, $1",
        "fence",
        "switch $0 [i32 1: b1, i32 4294967294: b2] else b3",
        "jump b2",
        "%26: i32 = phi b3: %28, b1: i32 5, b0: $0",
        "return %26",
        "%28: i32 = sub i32 0, $0",
        "branch $4 ? b2 : b4",
        "jump * @f:b1 [b1, b5]",
        "unreachable",
    ];
    for (shown, expected) in body(&module, "f").iter().zip(expected) {
        assert_eq!(shown, expected);
    }
    assert_eq!(body(&module, "f").len(), expected.len());
    let ext = function(&module, "ext");
    assert!(ext.varargs && !ext.is_defined());
}

#[test]
fn what_is_not_supported_is_named() {
    let module = text(
        "declare i32 @personality(...)\ndeclare void @g()\ndefine void @f() personality ptr @personality {\n\
         invoke void @g() to label %ok unwind label %bad\n\
         ok:\n  ret void\nbad:\n  %p = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %p\n}\n",
    );
    let shown = body(&module, "f");
    assert_eq!(shown[0], "unsupported invoke [b1, b2]");
    assert_eq!(shown[2], "%2: {0: ptr, 8: i32} = unsupported landingpad []");
    assert_eq!(shown[3], "unsupported resume []");
}

#[test]
fn parameters_say_how_they_are_passed() {
    let module = c("struct big { long a[5]; };\n\
                    struct big f(struct big x, short s) { return x; }\n\
                    long g(struct big x) { return f(x, 1).a[0]; }\n\
                    void stop(void) __attribute__((noreturn));\nvoid h(void) { stop(); }");
    let f = function(&module, "f");
    let big = |t: Option<TypeId>| t.map(|t| module.ty(t).size);
    assert_eq!(f.params.iter().map(|p| big(p.sret)).collect::<Vec<_>>(), [Some(40), None, None]);
    assert_eq!(f.params.iter().map(|p| big(p.byval)).collect::<Vec<_>>(), [None, Some(40), None]);
    assert_eq!(f.params.iter().map(|p| p.signed).collect::<Vec<_>>(), [false, false, true]);
    let call = function(&module, "g").insts.iter().find_map(|i| match &i.kind {
        InstKind::Call { byval, .. } => Some(byval.iter().map(|t| big(*t)).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(call.unwrap(), [None, Some(40), None]);
    assert!(function(&module, "stop").noreturn && !f.noreturn);
}

#[test]
fn debug_information_has_names_types_and_places() {
    let module = c("typedef unsigned char byte;\n\
                    enum color { RED, GREEN = 5, BLUE = -1 };\n\
                    struct node { const int value; struct node *next; enum color color; };\n\
                    union u { int i; float f; };\n\
                    static byte grid[2][3];\n\
                    int f(struct node *n, _Bool flag) {\n\
                    \tunion u local;\n\
                    \tlong double x = 1; char c = 'c';\n\
                    \treturn n->value + grid[1][flag] + (local.i = 2);\n}\n");
    let var =
        |name: &str| module.debug_vars.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no variable {name}"));
    let ty = |name: &str| &module.debug_types[var(name).ty.unwrap().index()];
    let shown = |name: &str| module.show_debug_type(var(name).ty.unwrap()).to_string();
    assert_eq!(global(&module, "grid").debug.map(|v| module.debug_vars[v.index()].name.as_str()), Some("grid"));
    assert_eq!((shown("grid"), ty("grid").bits, var("grid").loc.line), ("byte[2][3]".to_string(), 48, 5));
    assert_eq!((shown("n"), var("n").parameter, var("n").loc.line), ("struct node*".to_string(), true, 6));
    assert!(matches!(ty("flag").kind, DebugTypeKind::Bool));
    assert!(matches!(ty("x").kind, DebugTypeKind::Float));
    assert!(matches!(ty("c").kind, DebugTypeKind::Char { signed: true }));
    assert!(matches!(&ty("local").kind, DebugTypeKind::Union(m) if m.len() == 2) && !var("local").parameter);
    let DebugTypeKind::Pointer(Some(node)) = ty("n").kind else { panic!("a pointer") };
    let DebugTypeKind::Struct(members) = &module.debug_types[node.index()].kind else { panic!("a structure") };
    let members: Vec<(&str, u64)> = members.iter().map(|m| (m.name.as_str(), m.start)).collect();
    assert_eq!(members, [("value", 0), ("next", 64), ("color", 128)]);
    let color = module.debug_types.iter().find(|t| t.name == "color").unwrap();
    let DebugTypeKind::Enum(values) = &color.kind else { panic!("an enumeration") };
    assert_eq!(*values, [("RED".to_string(), 0), ("GREEN".to_string(), 5), ("BLUE".to_string(), -1)]);
    let byte = module.debug_types.iter().find(|t| t.name == "byte").unwrap();
    assert!(matches!(byte.kind, DebugTypeKind::Alias(Some(_))) && byte.bits == 8);
    let f = function(&module, "f");
    assert!(matches!(module.debug_types[f.result.unwrap().index()].kind, DebugTypeKind::Signed));
    assert!(module.files[f.loc.file as usize].ends_with("test.c") && f.loc.line == 6);
    let last = f.insts.last().unwrap();
    assert_eq!((last.loc.line, last.loc.column), (9, 2));
    // Each variable says where it lives.
    let named = f
        .insts
        .iter()
        .filter(|i| matches!(i.kind, InstKind::DebugValue { address: true, value: Operand::Inst(_), .. }));
    assert_eq!(named.count(), 5);
}

#[test]
fn labels_of_the_source_start_blocks() {
    let module = c("int f(int x) { if (x) goto ERROR; a: b: x++; unused: return x; ERROR: return -1; }");
    let labels: Vec<&str> = function(&module, "f").blocks.iter().filter_map(|b| b.source_label.as_deref()).collect();
    assert_eq!(labels, ["a", "b", "unused", "ERROR"]);
}

/// Where blocks were merged, a label in the middle of one splits it again.
#[test]
fn labels_in_the_middle_of_a_block_split_it() {
    let module = text(
        "define i32 @f(i1 %c) !dbg !4 {\nentry:\n  %a = add i32 1, 2\n  call void @llvm.dbg.label(metadata !7), !dbg !8\n  %b = add i32 %a, 3\n\
         call void @llvm.dbg.label(metadata !9), !dbg !8\n  br i1 %c, label %end, label %other\n\
         other:\n  br label %end\n\
         end:\n  %p = phi i32 [ %b, %entry ], [ 0, %other ]\n  ret i32 %p\n}\n\
         declare void @llvm.dbg.label(metadata)\n\
         !llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2, !3}\n\
         !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n\
         !2 = !{i32 7, !\"Dwarf Version\", i32 5}\n!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
         !4 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)\n\
         !5 = !DISubroutineType(types: !6)\n!6 = !{null}\n!7 = !DILabel(scope: !4, name: \"first\", file: !1, line: 2)\n\
         !8 = !DILocation(line: 2, column: 3, scope: !4)\n!9 = !DILabel(scope: !4, name: \"second\", file: !1, line: 3)\n",
    );
    let f = function(&module, "f");
    let labels: Vec<Option<&str>> = f.blocks.iter().map(|b| b.source_label.as_deref()).collect();
    assert_eq!(labels, [None, None, None, Some("first"), Some("second")]);
    assert_eq!(
        body(&module, "f"),
        [
            "%0: i32 = add i32 1, i32 2",
            "jump b3",
            "jump b2",
            "%3: i32 = phi b4: %5, b1: i32 0",
            "return %3",
            "%5: i32 = add %0, i32 3",
            "jump b4",
            "branch $0 ? b2 : b1",
        ]
    );
}

#[test]
fn computed_gotos_and_thread_locals() {
    let module = c(
        "__thread int t; int f(int x) { static void *table[] = { &&a, &&b }; goto *table[x]; a: return 1; b: return t; }",
    );
    assert!(global(&module, "t").thread_local);
    let table = init(&module, "f.table");
    assert!(table.starts_with("{@f:b") && table.matches("@f:b").count() == 2, "{table}");
    assert!(body(&module, "f").iter().any(|l| l.starts_with("jump * ")));
}

#[test]
fn broken_modules_are_errors() {
    for bytes in [
        &b"nonsense"[..],
        b"define i32 @f() { ret i32 }",
        b"define i32 @f() { ret i32 %x }",
        b"define void @f() {\n  br label %a\na:\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret void\n}\n",
        b"define void @f() {\n  %x = phi i32 [ 0, %nowhere ]\n  ret void\n}",
        b"@a = alias i32, ptr @b\n@b = alias i32, ptr @a\n",
        b"BC\xc0\xde",
        b"BC\xc0\xde\x35\x14\x00\x00\x05\x00\x00\x00",
    ] {
        let message = rejects(bytes);
        assert!(message.starts_with("bad.ll: not a valid LLVM module: "), "{message}");
    }
    let broken_debug =
        b"!llvm.module.flags = !{!0}\n!llvm.dbg.cu = !{!1}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
        !1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)\n!2 = !{}\n";
    assert!(rejects(broken_debug).contains("invalid file"));
    assert!(rejects(b"define i32 @f() { ret i32 %x }").contains("use of undefined value '%x'"));
    // Nothing at all is a module without anything.
    assert!(module(b"", "empty.ll").is_ok_and(|m| m.functions.is_empty()));
}

#[test]
fn machines_that_count_bytes_differently_are_errors() {
    assert!(rejects(b"target datalayout = \"E-p:64:64\"\n").contains("most significant byte"));
    assert!(rejects(b"target datalayout = \"e-p:16:16\"\n").contains("16 bits"));
}

#[test]
fn cut_bitcode_does_not_end_the_process() {
    let directory = tempfile::tempdir().unwrap();
    let (source, output) = (directory.path().join("a.c"), directory.path().join("a.bc"));
    std::fs::write(&source, "int x[3] = {1,2,3}; int f(int i) { return x[i] + f(i - 1); }").unwrap();
    let clang = crate::driver::Clang::find().unwrap();
    let status = std::process::Command::new(clang.path())
        .args(["-c", "-g", "-emit-llvm", "-o"])
        .args([&output, &source])
        .status()
        .unwrap();
    assert!(status.success());
    let bytes = std::fs::read(&output).unwrap();
    assert!(untrusted(Source { bytes: &bytes, name: "a.bc", compiled: false }, None).is_ok());
    for cut in (0..bytes.len()).step_by(bytes.len() / 20) {
        let mut broken = bytes[..cut].to_vec();
        broken.resize(bytes.len(), 0x5a);
        if untrusted(Source { bytes: &broken, name: "cut.bc", compiled: false }, None).is_ok() {
            // Whatever it says, it says it here too.
            drop(module(&broken, "cut.bc"));
        }
    }
}

#[test]
fn a_reader_that_crashes_or_hangs_is_an_error() {
    let abort = || -> () { std::process::abort() };
    assert_eq!(raw::survives(abort, None).unwrap(), Err("crashes (signal 6)".to_string()));
    let hang = || std::thread::sleep(std::time::Duration::from_secs(1000));
    let soon = Instant::now() + std::time::Duration::from_millis(20);
    assert_eq!(raw::survives(hang, Some(soon)).unwrap(), Err("takes too long".to_string()));
    assert_eq!(raw::survives(|| (), None).unwrap(), Ok(()));
}

/// Nesting is no danger, in types or constants.
#[test]
fn deep_nesting_is_read() {
    const DEPTH: usize = 20_000;
    let mut ty = "i32".to_string();
    for _ in 0..DEPTH {
        ty = format!("[1 x {ty}]");
    }
    let module = text(&format!("@x = external global {ty}\n"));
    assert_eq!(module.ty(global(&module, "x").ty).size, 4);
    let mut constant = "i64 0".to_string();
    for _ in 0..2000 {
        constant = format!("i64 sub (i64 1, i64 xor (i64 ptrtoint (ptr @x to i64), {constant}))");
    }
    let module = text(&format!("@x = global i32 0\n@y = global {constant}\n"));
    assert!(module.constants.len() > 2000);
}

#[test]
fn the_text_is_readable() {
    let module = text("@x = global i32 5\ndefine i32 @f(i32 %a) {\n  %r = add nsw i32 %a, 1\n  ret i32 %r\n}\n");
    let expected = "pointers 64\n@x: global i32 = i32 5\n\ndefine i32 @f(i32) { ; ?:0\nb0: ; \n  %0: i32 = add nsw $0, i32 1\n  return %0\n}\n";
    assert_eq!(module.to_string(), expected);
}

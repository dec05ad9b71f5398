//! The textual form: what is printed is read back as it was, and what is wrong is reported.

mod common;

use common::{Rng, random_program, read};
use lariat_program::{
    AssertKind, Axiom, BlockId, FileId, FuncDef, Loc, Program, Stage, StmtKind, Terminator, VarDecl, extract_loops,
    text, verify,
};
use lariat_term::{Sort, Terms};

/// Prints, reads into another store and prints again.
fn again(program: &Program, terms: &Terms) -> (String, Program, Terms) {
    let one = text::print(program, terms);
    let mut fresh = Terms::new();
    let read = text::parse(&one, &mut fresh).unwrap_or_else(|e| panic!("{e:?}\n{one}"));
    let two = text::print(&read, &fresh);
    assert_eq!(one, two);
    (one, read, fresh)
}

const ALL: &str = r#"file "a.bpl"
file "dir/with \"quotes\" and \\ and \n.bpl"
sort Ref
sort |a sort|
datatype List { nil, cons(hd: Int, tl: List) }
datatype Pair { pair(fst: Ref, snd: (Array Int |a sort|)) }
function f (Int Ref) Bool
function g () Int
function |h h| ((_ BitVec 8)) List
function length (Int) Int builtin "str.len"
const N: Int "N" @0:1:7
const |in|: Ref
global x: Int
global |odd name|: (_ BitVec 8) "odd\u{9}name" @1:2:3
global l: List
global p: Pair
global fl: (_ FloatingPoint 8 24)
global m: (Array Int (Array Ref Bool))
define g () := (length N) @0:2:1
define |h h| (b: (_ BitVec 8)) := (ite (= b #x00) (as nil List) (cons 1 (|h h| (bvsub b #x01))))
axiom (forall ((n Int) (r Ref)) (! (=> (f n r) (> n g)) :pattern ((f n r)))) @0:3:1
axiom (exists ((n Int)) (= n N))
assertion #0 user "x is \"small\"" @0:9:3
assertion #1 requires
assertion #2 ensures @0:0:7
assertion #3 invariant
assertion #4 unsupported "not yet"
proc main(a: Int "a" @0:5:9, b: Bool) -> (r: Int, a: Int "a" @0:5:9) @0:5:1 {
  local t: Int
start:
  x := (+ x 1), t := a @0:6:3
  :=
  havoc ()
  assume (f x |in|)
  box other(t, (not b)) -> (r) @0:7:3
  branch b then |goto| else exit
|goto|:
  havoc x, |odd name|
  assume ((_ is cons) l)
  assume (= m (lambda ((i Int)) ((as const (Array Ref Bool)) (> i t))))
  goto |goto|, exit, |goto|
exit:
  assert #0 (< x 10) @0:9:3
  return
}
proc other(c: Int, d: Bool) -> (e: Int) {
|0|:
  stop
}
proc ~ () {
|0|:
  box ~()
  return
}
loop main/exit in main (a: Int "a", b: Bool) -> (r: Int) {
|x y|:
  return
}
entry other
entry main
"#;

#[test]
fn everything_round_trips() {
    let mut terms = Terms::new();
    let program = text::parse(ALL, &mut terms).unwrap_or_else(|e| panic!("{e:?}"));
    let (printed, read, _) = again(&program, &terms);
    assert_eq!(read.files, program.files);
    assert_eq!(read.files[1], "dir/with \"quotes\" and \\ and \n.bpl");
    assert_eq!(read.assertions, program.assertions);
    assert_eq!(read.assertions[2].loc, Loc { file: FileId(0), line: 0, column: 7 });
    assert_eq!(read.assertions[4].kind, AssertKind::Unsupported);
    assert_eq!(read.entries, program.entries);
    assert_eq!(read.globals[1].source.as_deref(), Some("odd\tname"));
    assert_eq!(read.regions[0].blocks[1].next, Terminator::Goto(vec![BlockId(1), BlockId(2), BlockId(1)]));
    assert!(printed.contains("|goto|:") && printed.contains("datatype ~List { ~nil, ~cons(hd: Int, tl: ~List) }"));
}

/// Names as bad as they come.
#[test]
fn any_name_round_trips() {
    let names =
        ["", " ", "|", "\\", "~", "a~b", "goto", "and", "1", "@3", "\n", "é", "a|b\\c", "x:", "->", "?1", "Int"];
    let mut terms = Terms::new();
    let mut program = Program::default();
    let (base, _) = read("proc p() { a: return }");
    for (i, name) in names.iter().enumerate() {
        let v = terms.var(name, Sort::INT);
        let decl = |var| VarDecl { var, source: Some(name.to_string()), loc: Loc::NONE };
        let var = terms.as_var(v).unwrap();
        if i % 2 == 0 {
            program.globals.push(decl(var));
        } else {
            program.constants.push(decl(var));
        }
        let f = terms.declare_func(&format!("{name}f"), &[Sort::INT], Sort::INT, None).unwrap();
        let param = terms.var(&format!("{name}p"), Sort::INT);
        let body = terms.app(f, &[param]);
        program.functions.push(FuncDef { func: f, params: vec![terms.as_var(param).unwrap()], body, loc: Loc::NONE });
        let app = terms.app(f, &[v]);
        let term = terms.le(app, v);
        if i % 2 == 1 {
            program.axioms.push(Axiom { term, loc: Loc::NONE });
        }
        program.files.push(name.to_string());
        let mut region = base.regions[0].clone();
        region.name = name.to_string();
        region.blocks[0].label = name.to_string();
        region.blocks[0].stmts.push(lariat_program::Stmt { kind: StmtKind::Assume(term), loc: Loc::NONE });
        region.blocks[0].next = Terminator::Goto(vec![BlockId(0)]);
        program.regions.push(region);
    }
    verify(&program, &terms, Stage::Graph).unwrap();
    let (_, back, fresh) = again(&program, &terms);
    assert_eq!(back.files, program.files);
    for (a, b) in back.regions.iter().zip(&program.regions) {
        assert_eq!((&a.name, &a.blocks[0].label), (&b.name, &b.blocks[0].label));
    }
    for (a, b) in back.globals.iter().zip(&program.globals) {
        assert_eq!(fresh.var_name(a.var), terms.var_name(b.var));
        assert_eq!(a.source, b.source);
    }
}

#[test]
fn random_programs_round_trip() {
    for seed in 0..300 {
        let (mut program, mut terms) = read(&random_program(&mut Rng(seed)));
        again(&program, &terms);
        extract_loops(&mut program, &mut terms);
        again(&program, &terms);
    }
}

#[test]
fn the_text_does_not_depend_on_the_store() {
    let source = random_program(&mut Rng(5));
    let (program, terms) = read(&source);
    let mut used = Terms::new();
    // Things of other programs, in another order.
    used.uninterpreted_sort("Other");
    used.declare_func("other", &[Sort::INT], Sort::BOOL, None).unwrap();
    for name in ["j", "i", "g", "a"] {
        let v = used.var(name, Sort::INT);
        let one = used.int(1);
        used.add(&[one, v]);
    }
    let same = text::parse(&source, &mut used).unwrap();
    assert_eq!(text::print(&program, &terms), text::print(&same, &used));
}

fn errors(source: &str) -> Vec<String> {
    text::parse(source, &mut Terms::new()).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn first_error(source: &str) -> String {
    errors(source).into_iter().next().unwrap_or_default()
}

#[test]
fn mistakes_are_reported_where_they_are() {
    assert!(first_error("global x Int").starts_with("1:10: expected `:`"));
    assert!(first_error("global x: In").starts_with("1:11: "));
    assert!(first_error("file a").starts_with("1:6: "));
    assert!(first_error("nonsense").starts_with("1:1: `nonsense`"));
    assert!(first_error("proc p() {\n a: goto b }").starts_with("2:10: there is no block `b`"));
    assert!(first_error("proc p() { a: box q() return }").contains("there is no region `q`"));
    assert!(first_error("proc p() { a: return a: return }").contains("two blocks"));
    assert!(first_error("proc p() { a: return } proc p() { a: return }").contains("two regions"));
    assert!(first_error("proc p() {\na: x := 1 return }").starts_with("2:4: there is no variable `x`"));
    assert!(first_error("proc p() { a: assume (+ 1 return }").contains("expected a term"));
    assert!(first_error("proc p() {\na: assume (and true 1) return }").starts_with("2:"));
    assert!(first_error("proc p() { a: assume y return }").starts_with("1:22"));
    assert!(first_error("axiom true @1:2").contains("@file:line:column"));
    assert!(first_error("assertion #1 user").contains("`#0`"));
    assert!(first_error("assertion #0 strange").contains("kind"));
    assert!(first_error("file \"\\q\"").contains("escape"));
    assert!(first_error("file \"\\u{110000}\"").contains("character"));
    assert!(first_error("define f () := 1").contains("no function"));
    assert!(first_error("datatype T { a } datatype T { b }").contains("twice"));
    assert!(first_error("function f (Int) Int function f (Bool) Int").contains("twice"));
    assert!(first_error("loop l (x: Int) { a: return }").contains("`in`"));
    assert!(first_error("proc p() {").contains("expected a name"));
    assert!(first_error("file \"open").starts_with("1:6"));
    assert!(first_error("global |x").starts_with("1:8"));
    assert!(first_error("é").starts_with("1:1"));
    assert!(first_error("global é: Int").starts_with("1:8"));
    assert!(first_error("global x~y: Int").contains("tilde"));
    assert!(errors("").is_empty());
}

#[test]
fn datatypes_may_use_each_other() {
    let text = "datatype A { a(b: B) }
datatype B { b, c(a: A) }
global x: A
proc p() {
|0|:
  x := (a b)
  return
}
";
    let mut terms = Terms::new();
    let program = text::parse(text, &mut terms).unwrap_or_else(|e| panic!("{e:?}"));
    again(&program, &terms);
    assert_eq!(errors("datatype A { a }\ndatatype B { b }\ndatatype A { c }\n").len(), 1);
    assert_eq!(errors("datatype A { a }\nsort S\ndatatype B { b }\ndatatype A { c }\n").len(), 1);
    assert_eq!(errors("datatype A { a(b: B) }\nsort S\ndatatype B { b }\n").len(), 1);
}

#[test]
fn several_mistakes_in_one_run() {
    let found = errors(
        "global x: Nope
global y: Int
proc p() {
a:
  assume (< y)
  y := z
  assume q
  return
}
bad
global z: Alas
",
    );
    let lines: Vec<&str> = found.iter().map(|e| e.split(':').next().unwrap()).collect();
    assert_eq!(lines, ["1", "5", "6", "7", "10", "11"]);
}

#[test]
fn deep_and_long_inputs_are_no_problem() {
    let deep = 100_000;
    let nested = format!("axiom {}true{}", "(not ".repeat(deep), ")".repeat(deep));
    assert_eq!(errors(&nested), Vec::<String>::new());
    assert!(!errors(&"(".repeat(deep)).is_empty());
    assert!(!errors(&format!("axiom {}", "(".repeat(deep))).is_empty());
    assert!(!errors(&"proc p() { ".repeat(deep)).is_empty());
    assert!(errors(&"bad\n".repeat(deep)).len() <= 200);
    assert!(!errors(&format!("file \"{}", "\\\"".repeat(deep))).is_empty());
    let sorts = format!("global x: {}Int{}", "(Array Int ".repeat(deep), ")".repeat(deep));
    assert!(errors(&sorts).is_empty());
}

#[test]
fn overviews() {
    let (mut p, mut terms) = read(
        "file \"a.bpl\" assertion #0 user
         proc main(n: Int) @0:3:1 { local i: Int
         a: i := 0 goto h
         h: assert #0 (<= i n) @0:5:3 branch (< i n) then b else c
         b: i := (+ i 1) box q() box q() goto h
         c: return }
         proc q() { a: return }
         entry main",
    );
    extract_loops(&mut p, &mut terms);
    let expected = "\
entry main (a.bpl:3:1): 3 blocks, 2 statements; boxes main/h
  loop main/h (a.bpl:5:3): 4 blocks, 5 statements; boxes q ×2, itself; 1 assertion (user line 5)
procedure q: 1 block, 0 statements
";
    assert_eq!(text::tree(&p), expected);
    let dot = text::dot(&p);
    assert!(dot.contains("r2 [label=\"main/h\", shape=ellipse];"), "{dot}");
    assert!(dot.contains("r0 -> r2;") && dot.contains("r2 -> r1 [label=\"2\"];") && dot.contains("r2 -> r2;"), "{dot}");
}

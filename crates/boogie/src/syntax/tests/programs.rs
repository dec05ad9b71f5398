//! Correct programs: what the parser makes of them, and that printing keeps them.

use super::super::{BinOp, DeclKind, ExprKind, SpecKind, Step, StmtKind, TypeKind};
use super::{check_round_trip, expr, good};
use crate::syntax::{ExprWalk, print, print_decl, print_type};

/// Reads, checks the round trip, and prints.
fn through(text: &str) -> String {
    let ast = good(text);
    check_round_trip(&ast).unwrap();
    print(&ast)
}

/// Programs that the printer writes as they are.
#[track_caller]
fn same(text: &str) {
    assert_eq!(through(text), text);
}

#[track_caller]
fn structure(text: &str, expected: &str) {
    assert_eq!(expr(text).1, expected, "for {text}");
}

#[test]
fn operators_bind_as_in_boogie() {
    structure("a && b && c", "((a && b) && c)");
    structure("a ==> b ==> c", "(a ==> (b ==> c))");
    structure("a <== b <== c", "((a <== b) <== c)");
    structure("a <==> b <==> c", "((a <==> b) <==> c)");
    structure("a || b ==> c <==> d", "(((a || b) ==> c) <==> d)");
    structure("a == b && c != d", "((a == b) && (c != d))");
    structure("x + y * z - w", "((x + (y * z)) - w)");
    structure("x ++ y + z ++ w", "((x ++ (y + z)) ++ w)");
    structure("x div y mod z / w", "(((x div y) mod z) / w)");
    structure("x ** y ** z * w", "((x ** (y ** z)) * w)");
    structure("- x ** y", "((-x) ** y)");
    structure("!a == b", "((!a) == b)");
    structure("! - x is C ** y", "(((!(-x)) is C) ** y)");
    structure("-m[i]->f", "(-((m[i])->f))");
    structure("x: int + y: int", "((x: int) + (y: int))");
    structure("-x: int", "(-(x: int))");
    structure("if a then b else c + d", "(if a then b else (c + d))");
    structure("x % y", "(x mod y)");
}

#[test]
fn parentheses_are_printed_only_where_needed() {
    for text in [
        "(a || b) && (c || d)",
        "(a ==> b) ==> c",
        "(a <== b) ==> c",
        "a == (b == c)",
        "(a == b) == c",
        "x - (y - z) - w",
        "(x ** y) ** z",
        "!(a && b) && !c",
        "-(x + y)",
        "(x is C) is D",
        "(if a then b else c) + d",
        "(if a then b else c)[i]",
        "if a then b else if c then d else e",
        "(x: T) < y",
        "(-m)[i]",
        "m[i := v][j, k]->f->(g := w)[:= u][]",
        "b[8:4][2:0]",
        "- 0x1.8e0f24e8->f",
        "-0x1.8e0f24e8 - 0x1.8e0f24e8",
        "- x - -y",
    ] {
        let printed = expr(text).0;
        assert_eq!(printed.replace("- x", "-x"), text.replace("- x", "-x"));
    }
}

#[test]
fn atoms() {
    for text in [
        "true",
        "12",
        "5bv32",
        "1.50",
        "2e3",
        "1.5e-3",
        "0x1.8e3f24e8",
        "0NaN24e8",
        "0+oo24e8",
        "0-oo24e8",
        "\"a \\\" b\"",
        "RNE",
        "RTZ",
        "f()",
        "f#C(x, y)",
        "old(x)",
        "int(x)",
        "real(x)",
        "(forall x, y: int :: {f(x), g(y)} {h(x, y)} {:nopats k(x)} p(x))",
        "(exists <a, b> x: a, {:w 1} y: b :: {:q \"s\", 2, x} x == x)",
        "(forall <a> :: p())",
        "(lambda x: <b>[b]int :: x[0])",
        "(var x, {:a} y := 1, 2; {:b} x + y)",
    ] {
        assert_eq!(expr(text).0, text);
    }
    assert_eq!(expr("roundNearestTiesToAway").0, "RNA");
    assert_eq!(expr("(((x)))").0, "x");
}

#[test]
fn unicode_operators() {
    let (printed, _) = expr(
        "(∀ x: int • ¬(x ≤ 1 ∧ x ≠ 2 ∨ (∃ y: int :: x ≥ y)) ⇒ (λ z: int • z)[x] == 1 ⇔ true ⇐ p)"
            .replace("∧ x ≠ 2 ∨", "∧ x ≠ 2 ∧")
            .as_str(),
    );
    assert_eq!(
        printed,
        "(forall x: int :: !(x <= 1 && x != 2 && (exists y: int :: x >= y)) ==> \
         (lambda z: int :: z)[x] == 1 <==> true <== p)"
    );
}

#[test]
fn types() {
    let ast = good(
        "var a: bv32; var b: float24e8; var c: rmode; var d: string; var e: regex;
         var f: <x, y>[x, (C y)][]T int bool (D real) [int]E; var g: \\bv7; var h: bv; var i: bv3x;",
    );
    let types: Vec<String> = (ast.decls.iter())
        .map(|(_, decl)| match decl.kind {
            DeclKind::Var(vars) => print_type(&ast, ast[vars][0].ty),
            _ => unreachable!(),
        })
        .collect();
    let map = "<x, y>[x, C y][]T int bool (D real) ([int]E)";
    let expected = ["bv32", "float24e8", "rmode", "string", "regex", map, "bv7", "bv", "bv3x"];
    assert_eq!(types, expected);
    let kind = |index: usize| match ast.decls.iter().nth(index).unwrap().1.kind {
        DeclKind::Var(vars) => ast[ast[vars][0].ty].kind,
        _ => unreachable!(),
    };
    assert_eq!(kind(0), TypeKind::Bv(32));
    assert_eq!(kind(6), TypeKind::Bv(7));
    let (significand, exponent) = (24, 8);
    assert_eq!(kind(1), TypeKind::Float { significand, exponent });
    check_round_trip(&ast).unwrap();
}

#[test]
fn declarations() {
    same("type {:a} T;\ntype C a _ b;\ntype S a = [a]C a a int;\n");
    assert_eq!(through("type A, B x, S = int;"), "type A;\ntype B x;\ntype S = int;\n");
    same("datatype {:d} Pair<A, B> {\n  Pair(a: A, b: B),\n  None()\n}\n");
    same("const {:c 1} unique a, b: int;\n");
    same("const c: T uses {\n  axiom c == c;\n  hideable axiom {:x} p(c);\n}\n");
    same("revealed function {:inline} f<a>(x: a, {:p} y: int): int { y + 1 }\n");
    same("function f(int, T) returns (r: bool) { true } uses {\n  axiom true;\n}\n");
    same("function f(int): bool;\n");
    same("function f() returns ({:a} int);\n");
    same("var {:v} x, y: int where x < y, z: T;\n");
    same("hideable axiom {:a} true;\n");
    assert_eq!(through("function f(x, y: int, z: bool) returns (int);"), "function f(x: int, y: int, z: bool): int;\n");
    assert_eq!(through("function f(bv8: int, T: bv8): bool;"), "function f(bv8: int, T: bv8): bool;\n");
}

#[test]
fn procedures() {
    same(
        "pure procedure {:p} P<T>({:i} x, y: T where x == y, z: int) returns (r: int where r > 0)
  requires {:a} x == y;
  free requires true;
  modifies g, h;
  modifies;
  ensures r == 1;
  free ensures {:b} true;
  preserves g > 0;
  free preserves true;
  measure {:m} z, r;
{
  var {:l} a: int where a > 0;
  var b: [int]int;
  a := 1;
}
",
    );
    same("procedure P();\n  requires true;\n");
    same("implementation {:i} P<T>(x: T) returns (r: int)\n{\n  return;\n}\n");
}

#[test]
fn statements() {
    same(
        "procedure P()
{
  start:
  assert {:a 1} x == 1;
  assume false;
  havoc x, y;
  x := {:a} 1;
  x, m[i, j][k], r->f[0]->g, n[] := 1, 2, 3, 4;
  Pair(a, b) := {:u} p;
  call P();
  call {:c} x, y := Q(1, x);
  free call P();
  async call P();
  async free call x := P();
  reveal f;
  reveal *;
  hide f;
  hide *;
  push;
  pop;
  measure {:m} x, y;
  if {:i} (x > 1) {
    break;
  } else if (*) {
    break start;
  } else {
  }
  while (*) {
  }
  while (x > 1)
    invariant x > 0;
    free invariant {:f} true;
    measure x, y;
  {
    goto {:g} start, end;
  }
  end:
  return {:r};
}
",
    );
}

#[test]
fn code_expressions() {
    let text = "procedure P()
{
  assert |{
    var x: int;
    A:
    x := 1;
    goto B, C;
    B:
    return {:r} x == 1;
    C:
    return |{
      D:
      return false;
    }|;
  }|;
}
";
    same(text);
}

#[test]
fn contextual_keywords_are_names_elsewhere() {
    let text = "var yield, action, par, async, left, uses, datatype: int;
        procedure pure(push: int) returns (pop: int) {
          var reveal, measure: [int]int;
          yield := 1; par, async := action, left; push: reveal[1] := 2; measure[hide] := 3;
          call pop := pure(revealed); goto push;
        }";
    let printed = through(text);
    assert!(printed.contains("\\yield := 1;") && printed.contains("var \\yield, \\action"));
    assert!(printed.contains(", left, "));
}

#[test]
fn escaped_and_odd_names() {
    let printed = through("var \\old, \\int, x', ~y, $z#1, ^w, `v, u.t, ?s, \\plain: int;");
    assert_eq!(printed, "var \\old, \\int, x', ~y, $z#1, ^w, `v, u.t, ?s, plain: int;\n");
    assert!(through("var x: int; procedure P() { \\#if := 1; #y := 2; }").contains("  \\#if := 1;"));
}

#[test]
fn comments_pragmas_and_conditionals_are_skipped() {
    let ast = good(
        "\u{feff}#line 10 some file\n/* a /* b */ // c */ var x: int; // var y: int;\n\
         #line 3\n#if A\nerror here\n#if B\n#else\n#endif\n#elsif !A\nvar z: int;\n\
         #else\nerror\n#endif\n  #if ! ! A\nerror\n  #else\nvar w: int;\n  #endif\n",
    );
    let names: Vec<String> = ast.decls.iter().map(|(id, _)| print_decl(&ast, id)).collect();
    assert_eq!(names, ["var x: int;\n", "var z: int;\n", "var w: int;\n"]);
}

#[test]
fn spans_are_the_tokens_that_boogie_names() {
    let text = "axiom f(x + y)[z] == (forall q: int :: q -> r is C);";
    let mut map = lariat_source::SourceMap::new();
    let file = map.add("a", text).unwrap();
    let (mut ast, mut diags) = (crate::syntax::Ast::new(), lariat_source::Diagnostics::new());
    crate::syntax::parse(&mut ast, &map, file, &mut diags);
    let Some((_, decl)) = ast.decls.iter().next() else { panic!() };
    let DeclKind::Axiom(axiom) = decl.kind else { panic!() };
    let mut walk = ExprWalk::new(axiom.cond);
    let mut seen = Vec::new();
    while let Some(step) = walk.next(&ast) {
        if let Step::Leave(id) = step {
            seen.push(map.text(ast[id].span));
        }
    }
    let expected = ["x", "y", "+", "f", "z", "[", "q", "-> r", "is C", "forall", "=="];
    assert_eq!(seen, expected);
    let extent = map.text(ast.extent(axiom.cond));
    assert_eq!(extent, "f(x + y)[z] == (forall q: int :: q -> r is C");
}

#[test]
fn operands_come_before_operators() {
    let ast = good("axiom (var x := if a then f(b)[c] else d; (forall y: int :: {g(y)} x ==> y == -y));");
    for (id, _) in ast.exprs.iter() {
        let mut walk = ExprWalk::new(id);
        while let Some(step) = walk.next(&ast) {
            if let Step::Enter(inner) = step {
                assert!(inner <= id);
            }
        }
    }
}

#[test]
fn several_files_make_one_program() {
    let mut map = lariat_source::SourceMap::new();
    let a = map.add("a", "var x: int;").unwrap();
    let b = map.add("b", "procedure P() modifies x; { x := 1; }").unwrap();
    let (mut ast, mut diags) = (crate::syntax::Ast::new(), lariat_source::Diagnostics::new());
    crate::syntax::parse(&mut ast, &map, a, &mut diags);
    crate::syntax::parse(&mut ast, &map, b, &mut diags);
    assert!(diags.is_empty());
    assert_eq!(ast.decls.len(), 2);
    let DeclKind::Procedure(id) = ast.decls.iter().nth(1).unwrap().1.kind else { panic!() };
    let procedure = ast[id];
    assert_eq!(map.text(procedure.name.span), "P");
    assert!(matches!(ast[procedure.specs][0].kind, SpecKind::Modifies(_)));
    let body = procedure.body.unwrap();
    assert_eq!(map.text(body.end), "}");
    let StmtKind::Assign { rhs, .. } = ast[body.stmts][0].kind else { panic!() };
    assert!(matches!(ast[ast[rhs][0]].kind, ExprKind::Int(_)));
}

#[test]
fn flags_follow_boogie() {
    let ast = good("axiom {:a} {:b true} {:c} {:c false} {:d 1} {:e false} true;");
    let attrs = ast.decls.iter().next().unwrap().1.attrs;
    let set: Vec<&str> = ["a", "b", "c", "d", "e", "f"].into_iter().filter(|name| ast.flag(attrs, name)).collect();
    assert_eq!(set, ["a", "b"]);
    assert!(ast.attr(attrs, "d").is_some() && ast.attr(attrs, "z").is_none());
}

#[test]
fn levels_are_those_of_the_grammar() {
    assert!(BinOp::Implies.is_right_associative() && !BinOp::Explies.is_right_associative());
    assert_eq!(BinOp::And.level(), BinOp::Or.level());
}

//! Large and deep programs: long chains work, deep nesting is one diagnostic, nothing overflows.

use super::{check_round_trip, good, read};
use crate::syntax::{ExprWalk, MAX_DEPTH, MAX_LITERAL_LEN};
use lariat_source::{DiagnosticKind, Diagnostics};

const LONG: usize = 100_000;

/// On a small stack, so that recursion per link of a chain would overflow.
fn on_small_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    thread.spawn(test).unwrap().join().unwrap();
}

fn chain(text: &str, operator: &str) -> String {
    let links: Vec<&str> = vec![text; LONG];
    format!("axiom {};", links.join(operator))
}

#[test]
fn long_chains_of_expressions() {
    on_small_stack(|| {
        for program in [
            chain("a", " && "),
            chain("a", " ==> "),
            chain("a", " <== "),
            chain("x", " + "),
            chain("x", " ** "),
            format!("axiom {}a;", "!".repeat(LONG)),
            format!("axiom m{};", "[i]".repeat(LONG)),
            format!("axiom m{};", "[i := v]".repeat(LONG)),
            format!("axiom r{};", "->f".repeat(LONG)),
            format!("axiom {}c;", "if a then b else ".repeat(LONG)),
            format!("axiom x{};", ": int".repeat(LONG)),
            format!("axiom f({}1);", "1, ".repeat(LONG)),
        ] {
            let ast = good(&program);
            check_round_trip(&ast).unwrap();
            let (root, _) = ast.exprs.iter().next_back().unwrap();
            let mut walk = ExprWalk::new(root);
            let mut steps = 0;
            while walk.next(&ast).is_some() {
                steps += 1;
            }
            assert_eq!(steps, 2 * ast.exprs.len());
        }
    });
}

#[test]
fn long_lists_of_statements() {
    on_small_stack(|| {
        let else_ifs = format!("procedure P() {{ if (a) {{ x := 1; }} {} }}", "else if (b) { x := 2; } ".repeat(LONG));
        let statements = format!("procedure P() {{ {} }}", "L: x := 1; ".repeat(LONG));
        let path = format!("procedure P() {{ x{} := 1; }}", "[i]->f".repeat(LONG));
        for program in [else_ifs, statements, path] {
            check_round_trip(&good(&program)).unwrap();
        }
    });
}

#[test]
fn nesting_up_to_the_limit_works_and_beyond_it_is_one_diagnostic() {
    let nest = |open: &str, middle: &str, close: &str, depth: usize| {
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    type Make = fn(&str) -> String;
    let shapes: [(&str, &str, &str, Make, usize); 8] = [
        ("(", "x", ")", |e| format!("axiom {e};"), 1),
        ("f(", "x", ")", |e| format!("axiom {e};"), 1),
        ("m[", "x", "]", |e| format!("axiom {e};"), 1),
        ("(forall x: int :: ", "x", ")", |e| format!("axiom {e};"), 1),
        ("[int]", "int", "", |t| format!("var x: {t};"), 1),
        ("(", "int", ")", |t| format!("var x: {t};"), 1),
        ("if (*) {", "x := 1;", "}", |s| format!("procedure P() {{ {s} }}"), 1),
        ("|{ A: return ", "x", "; }|", |e| format!("axiom {e};"), 2),
    ];
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            for (open, middle, close, make, levels) in shapes {
                let allowed = MAX_DEPTH / levels - 5;
                check_round_trip(&good(&make(&nest(open, middle, close, allowed)))).unwrap();
                let outcome = read(&make(&nest(open, middle, close, LONG)));
                assert_eq!(outcome.kinds(), [DiagnosticKind::Limit], "for {open}");
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn absurd_literals_and_widths() {
    let digits = "1".repeat(MAX_LITERAL_LEN + 1);
    for program in [
        "var x: bv16777217;".to_owned(),
        "var x: bv99999999999999999999;".to_owned(),
        "var x: float99999e8;".to_owned(),
        "axiom 1bv4294967296 == x;".to_owned(),
        "axiom 1e100001 == x;".to_owned(),
        "axiom 1e-99999999999999 == x;".to_owned(),
        "axiom x[99999999999:0] == x;".to_owned(),
        format!("axiom {digits} == x;"),
        format!("axiom {digits}.5 == x;"),
    ] {
        let outcome = read(&program);
        assert_eq!(outcome.kinds(), [DiagnosticKind::Limit], "{program:.60}");
    }
    good("var x: bv16777216; axiom 1bv16777216 == x && 1e100000 == y;");
}

#[test]
fn many_errors_are_counted() {
    let outcome = read(&"axiom;\n".repeat(LONG));
    assert_eq!(outcome.diags.len(), Diagnostics::LIMIT);
    assert_eq!(outcome.diags.error_count(), LONG);
    // Garbage of every kind ends, and is reported.
    for garbage in ["{", "}", "(", ")", "\"", "\\", "#", "|{", "/* ", "if ", "@", "\0", "const ", "x:"] {
        for prefix in ["", "procedure P() {", "axiom ", "var x: "] {
            let outcome = read(&format!("{prefix}{}", garbage.repeat(10_000)));
            assert!(outcome.diags.has_errors(), "{prefix}{garbage}");
        }
    }
}

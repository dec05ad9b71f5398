//! Random expressions survive printing; random tokens do no harm.

use proptest::prelude::*;

use super::{check_round_trip, good, read};

/// The text of a random expression with parentheses around every operand.
fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "x",
        "true",
        "12",
        "5bv8",
        "1.5",
        "0x1.8e0f24e8",
        "-0x1.8e0f24e8",
        "\"s\"",
        "RNE",
        "\\old",
        "left",
        "#if",
        "f()",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(6, 40, 3, |inner| {
        let binary = prop::sample::select(vec![
            "<==>", "==>", "<==", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "++", "+", "-", "*", "div", "mod", "/",
            "**",
        ]);
        prop_oneof![
            (inner.clone(), binary, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("(- {a})")),
            inner.clone().prop_map(|a| format!("(!{a})")),
            inner.clone().prop_map(|a| format!("({a} is C)")),
            inner.clone().prop_map(|a| format!("(({a}): T)")),
            inner.clone().prop_map(|a| format!("({a}[8:2])")),
            inner.clone().prop_map(|a| format!("({a}->f)")),
            inner.clone().prop_map(|a| format!("old({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}[{b}])")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}[:= {b}])")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}->(f := {b}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(var x := {a}; {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(forall x: int :: {{:a {a}}} {{{a}}} {b})")),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("(if {a} then {b} else {c})")),
        ]
    })
}

/// A few words of the language, in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "procedure",
        "P",
        "(",
        ")",
        "{",
        "}",
        "{:",
        "x",
        ":",
        ":=",
        ";",
        ",",
        "int",
        "bv8",
        "[",
        "]",
        "if",
        "else",
        "while",
        "*",
        "invariant",
        "call",
        "async",
        "goto",
        "return",
        "|{",
        "}|",
        "assert",
        "1",
        "+",
        "-",
        "==",
        "&&",
        "||",
        "==>",
        "<==",
        "forall",
        "::",
        "(forall",
        "var",
        "const",
        "type",
        "datatype",
        "function",
        "axiom",
        "uses",
        "yield",
        "action",
        "atomic",
        "implementation",
        "requires",
        "free",
        "\"s\"",
        "\"",
        "/*",
        "*/",
        "\n",
        "#if",
        "\n#endif\n",
        "@",
        "->",
        "is",
        "old",
        "then",
        "<",
        ">",
        "measure",
        "where",
        "modifies",
        "reveal",
        "par",
        "|",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_expressions_survive_printing(text in expressions()) {
        let ast = good(&format!("axiom {text};").replace("#if", "\\#if"));
        check_round_trip(&ast).unwrap();
    }

    #[test]
    fn random_words_are_accepted_or_reported(text in words()) {
        let outcome = read(&text);
        if outcome.diags.is_empty() {
            check_round_trip(&outcome.ast).unwrap();
        }
    }

    #[test]
    fn random_text_does_no_harm(text in "\\PC{0,80}") {
        let outcome = read(&text);
        prop_assert!(!outcome.messages().is_empty() || check_round_trip(&outcome.ast).is_ok());
    }
}

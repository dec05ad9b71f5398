//! Lambdas, and constant arrays of terms that are no values, for solvers that have none.
//!
//! They become a new array with a definition: `forall x. select(array, x) = body`.

use lariat_term::{
    SortKind, Term, Terms,
    smtlib::{Printer, SExpr, SExprs},
};

/// Declares and defines `symbol` as the closed lambda or constant array, and lets the printer write
/// it by that name. Those inside must have their names already. False if that cannot be done.
pub(super) fn define(printer: &mut Printer, terms: &Terms, array: Term, symbol: &str, script: &mut String) -> bool {
    let sort = printer.sort(terms, terms.sort(array), script);
    let index = match terms.sort_kind(terms.sort(array)) {
        SortKind::Array(index, _) => printer.sort(terms, index, script),
        _ => return false,
    };
    let text = printer.term(terms, array, script);
    if text.starts_with("?~") {
        // It has a name, from an enclosing scope.
        return true;
    }
    let Some(definition) =
        SExprs::read(&text).ok().and_then(|all| all.single().ok().and_then(|e| quantified(e, symbol, &index)))
    else {
        return false;
    };
    *script += &format!("(declare-fun {symbol} () {sort})\n(assert {definition})\n");
    printer.name_term(array, symbol);
    true
}

/// `(let (…) (lambda ((x S)) body))` as `(let (…) (forall ((x S)) (= (select symbol x) body)))`, and
/// `((as const …) element)` likewise.
fn quantified(e: SExpr<'_>, symbol: &str, index: &str) -> Option<String> {
    let (mut e, mut before, mut lets) = (e, String::new(), 0);
    while e.head() == Some("let") {
        let [_, bindings, body] = e.list()?;
        before += &format!("(let {} ", bindings.text());
        lets += 1;
        e = body;
    }
    let (vars, var, body) = match e.list() {
        Some([keyword, vars, body]) if keyword.text() == "lambda" => {
            (vars.text().to_owned(), vars.items().next()?.items().next()?.text(), body)
        }
        _ => {
            let [constant, element] = e.list()?;
            if constant.head() != Some("as") {
                return None;
            }
            (format!("((?~i {index}))"), "?~i", element)
        }
    };
    let read = format!("(select {symbol} {var})");
    let body = format!("(forall {vars} (! (= {read} {}) :pattern ({read})))", body.text());
    Some(before + &body + &")".repeat(lets))
}

//! Lambdas for solvers that have none.
//!
//! A lambda becomes a new array with a definition: `forall x. select(array, x) = body`.

use lariat_term::{
    Term, Terms,
    smtlib::{Printer, SExpr, SExprs},
};

/// Declares and defines `symbol` as the closed lambda, and lets the printer write it by that name.
/// Lambdas inside must have their names already. False if that cannot be done.
pub(super) fn define(printer: &mut Printer, terms: &Terms, lambda: Term, symbol: &str, script: &mut String) -> bool {
    let sort = printer.sort(terms, terms.sort(lambda), script);
    let text = printer.term(terms, lambda, script);
    if text.starts_with("?~") {
        // It has a name, from an enclosing scope.
        return true;
    }
    let Some(definition) =
        SExprs::read(&text).ok().and_then(|all| all.single().ok().and_then(|e| quantified(e, symbol)))
    else {
        return false;
    };
    *script += &format!("(declare-fun {symbol} () {sort})\n(assert {definition})\n");
    printer.name_term(lambda, symbol);
    true
}

/// `(let (…) (lambda ((x S)) body))` as `(let (…) (forall ((x S)) (= (select symbol x) body)))`.
fn quantified(e: SExpr<'_>, symbol: &str) -> Option<String> {
    let (mut e, mut before, mut lets) = (e, String::new(), 0);
    while e.head() == Some("let") {
        let [_, bindings, body] = e.list()?;
        before += &format!("(let {} ", bindings.text());
        lets += 1;
        e = body;
    }
    let [keyword, vars, body] = e.list()?;
    if keyword.text() != "lambda" {
        return None;
    }
    let var = vars.items().next()?.items().next()?.text();
    let read = format!("(select {symbol} {var})");
    let body = format!("(forall {} (! (= {read} {}) :pattern ({read})))", vars.text(), body.text());
    Some(before + &body + &")".repeat(lets))
}

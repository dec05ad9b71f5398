//! Clauses as a script for Spacer, and its answer as a certificate.

use std::time::Duration;

use lariat_smt::{SolverError, Z3Script};
use lariat_term::{
    Term, Terms, Var,
    smtlib::{Definition, Dialect, Entity, Parser, Printer, Resolver, SExprs},
};
use rustc_hash::FxHashMap;

use crate::{
    Goal,
    certificate::{Certificate, Claim},
    clauses::{Clauses, Relations},
};

/// Bounds are widened and lemmas generalised together, without which Spacer counts up to the bound of a
/// loop one by one. Relations are neither inlined nor sliced away: of those Z3 does not remember what they are.
const SETTINGS: &str = "\
(set-option :fp.xform.inline_eager false)
(set-option :fp.xform.inline_linear false)
(set-option :fp.xform.slice false)
(set-option :fp.spacer.global true)
(set-option :fp.spacer.expand_bnd true)
(set-logic HORN)
";

/// Looks for a certificate. `None` if there is none or it was not found in time. It is not checked.
pub fn prove(
    goal: &Goal<'_>,
    terms: &mut Terms,
    z3: &mut Z3Script,
    time: Option<Duration>,
) -> Result<Option<Certificate>, SolverError> {
    let clauses = Clauses::new(goal, terms)?;
    let mut printer = Printer::new(Dialect::Z3);
    let mut script = String::from(SETTINGS);
    if let Some(time) = time {
        script.push_str(&format!("(set-option :timeout {})\n", time.as_millis().max(1)));
    }
    for r in clauses.relations.iter().flatten() {
        printer.declare_func(terms, r.fails, &mut script);
        printer.declare_func(terms, r.returns, &mut script);
    }
    for &clause in &clauses.formulas {
        printer.assert(terms, clause, &mut script);
    }
    script.push_str("(check-sat)\n(get-model)\n");
    let answer = z3.run(&script)?;
    let Some(model) = answer.trim_start().strip_prefix("sat") else { return Ok(None) };
    let Some(definitions) = definitions(terms, &mut printer, model) else { return Ok(None) };
    let claims = clauses.relations.iter().map(|r| Some(claim(terms, r.as_ref()?, &definitions))).collect();
    Ok(Some(Certificate { claims }))
}

/// The relations that a model defines; `None` where it cannot be read.
fn definitions(
    terms: &mut Terms,
    printer: &mut Printer,
    model: &str,
) -> Option<FxHashMap<lariat_term::Func, Definition>> {
    let expressions = SExprs::read(model).ok()?;
    let mut found = FxHashMap::default();
    for e in expressions.single().ok()?.items() {
        let definition = Parser::new(printer).definition(terms, e).ok()?;
        if let Some(Entity::Func(f)) = printer.symbol(terms, &definition.symbol, None, &[]) {
            found.insert(f, definition);
        }
    }
    Some(found)
}

fn claim(terms: &mut Terms, r: &Relations, definitions: &FxHashMap<lariat_term::Func, Definition>) -> Claim {
    let mut args = vec![terms.bool(true)];
    args.extend(r.params.iter().map(|&v| terms.var_term(v)));
    let fails = says(terms, r.fails, &args, definitions);
    let mut values: Vec<Var> = Vec::new();
    for &sort in &r.values {
        let t = terms.fresh_var("value", sort);
        values.extend(terms.as_var(t));
        args.push(t);
    }
    let returns = says(terms, r.returns, &args, definitions);
    Claim { fails, returns, values }
}

/// What a relation says of some arguments: nothing, where the model does not define it.
fn says(
    terms: &mut Terms,
    f: lariat_term::Func,
    args: &[Term],
    definitions: &FxHashMap<lariat_term::Func, Definition>,
) -> Term {
    match definitions.get(&f) {
        Some(d) if d.params.len() == args.len() => terms.instantiate(d.body, args),
        _ => terms.bool(true),
    }
}

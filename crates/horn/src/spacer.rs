//! Clauses as text for Spacer, and its answer as a solution.

use std::time::Duration;

use lariat_smt::{HornAnswer, SolverError, Z3Horn};
use lariat_term::{
    Func, Sort, Term, Terms, Var,
    smtlib::{Definition, Dialect, Entity, Parser, Printer, Resolver, SExprs},
};
use rustc_hash::FxHashMap;

use crate::{
    clauses::{Atom, System},
    solution::{Claim, Solution},
};

/// Relations are neither inlined nor sliced away: of those Z3 does not remember what they are.
const OPTIONS: [(&str, bool); 3] =
    [("xform.inline_eager", false), ("xform.inline_linear", false), ("xform.slice", false)];

/// How Spacer looks for claims; neither way is the better one for all programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpacerMode {
    /// Each lemma for itself: fast where many cases are to be told apart.
    Local,
    /// Bounds are widened and lemmas generalised together, without which Spacer counts up to the bound of a
    /// loop one by one.
    Global,
}

impl SpacerMode {
    /// A solver that searches so.
    pub fn open(self) -> Result<Z3Horn, SolverError> {
        let mut options = OPTIONS.to_vec();
        if self == SpacerMode::Global {
            options.extend([("spacer.global", true), ("spacer.expand_bnd", true)]);
        }
        Z3Horn::new(&options)
    }
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub enum SpacerAnswer {
    /// Claims that should satisfy the clauses. They are not checked.
    Solution(Solution),
    /// The clauses cannot be satisfied.
    Nothing,
    /// It is not known, or not in time.
    Unknown,
}

/// Looks for claims that satisfy the clauses.
pub fn prove(
    system: &System,
    terms: &mut Terms,
    z3: &mut Z3Horn,
    time: Option<Duration>,
) -> Result<SpacerAnswer, SolverError> {
    let mut printer = Printer::new(Dialect::Z3);
    let mut script = String::new();
    let mut relations = Vec::new();
    // Relations of another system in the same store have other names.
    let first = terms.funcs().count();
    for (i, sorts) in system.relations.iter().enumerate() {
        let relation = declare(terms, &format!("point!{}", first + i), sorts)?;
        printer.declare_func(terms, relation, &mut script);
        relations.push(relation);
    }
    for clause in &system.clauses {
        let mut body = vec![clause.condition];
        body.extend(clause.body.iter().map(|a| applied(terms, &relations, a)));
        let head = clause.head.as_ref().map(|a| applied(terms, &relations, a));
        let head = head.unwrap_or_else(|| terms.bool(false));
        let body = terms.and(&body);
        let clause = terms.implies(body, head);
        let vars = terms.free_vars(&[clause]);
        let closed = if vars.is_empty() { clause } else { terms.forall(&vars, &[], clause) };
        printer.assert(terms, closed, &mut script);
    }
    let model = match z3.solve(&script, time)? {
        HornAnswer::Sat(model) => model,
        HornAnswer::Unsat => return Ok(SpacerAnswer::Nothing),
        HornAnswer::Unknown => return Ok(SpacerAnswer::Unknown),
    };
    let Some(definitions) = definitions(terms, &mut printer, &model) else { return Ok(SpacerAnswer::Unknown) };
    let claims = relations.iter().zip(&system.relations);
    let claims = claims.map(|(f, sorts)| claim(terms, sorts, definitions.get(f))).collect();
    Ok(SpacerAnswer::Solution(Solution { claims }))
}

fn declare(terms: &mut Terms, name: &str, sorts: &[Sort]) -> Result<Func, SolverError> {
    let unsupported = |e: lariat_term::SortError| SolverError::Unsupported { solver: "z3".into(), what: e.to_string() };
    terms.declare_func(name, sorts, Sort::BOOL, None).map_err(unsupported)
}

fn applied(terms: &mut Terms, relations: &[Func], atom: &Atom) -> Term {
    terms.app(relations[atom.relation], &atom.args)
}

/// The relations that a model defines; `None` where it cannot be read.
fn definitions(terms: &mut Terms, printer: &mut Printer, model: &str) -> Option<FxHashMap<Func, Definition>> {
    let expressions = SExprs::read(model).ok()?;
    let mut found = FxHashMap::default();
    for e in expressions.iter() {
        let definition = Parser::new(printer).definition(terms, e).ok()?;
        if let Some(Entity::Func(f)) = printer.symbol(terms, &definition.symbol, None, &[]) {
            found.insert(f, definition);
        }
    }
    Some(found)
}

/// What a definition says of some variables: nothing, where there is none.
fn claim(terms: &mut Terms, sorts: &[Sort], definition: Option<&Definition>) -> Claim {
    let args: Vec<Term> = sorts.iter().map(|&s| terms.fresh_var("arg", s)).collect();
    let params: Vec<Var> = args.iter().filter_map(|&t| terms.as_var(t)).collect();
    let holds = match definition {
        Some(d) if d.params.len() == args.len() => terms.instantiate(d.body, &args),
        _ => terms.bool(true),
    };
    Claim { params, holds }
}

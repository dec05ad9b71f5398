//! Interpolants as solutions of Horn clauses, by Spacer: a relation for each cut, over the variables that cross it.
//!
//! Robust where the proofs of [`crate::ProofInterpolator`] do not reach (bit-vectors, arrays), but what comes out is what Spacer happened to
//! learn. Functions are no variables: parts with declared functions are refused.

use lariat_smt::{HornAnswer, Interpolants, Interpolator, Interrupter, Limits, Nesting, SolverError, Z3Horn};
use lariat_term::{
    Func, Sort, Term, Terms, Var,
    smtlib::{Definition, Dialect, Entity, Parser, Printer, Resolver, SExprs},
};
use rustc_hash::FxHashMap;

use crate::{
    check,
    problem::{Symbol, symbols},
    simplify,
    stop::{Control, Stop},
    tree::Tree,
};

/// Relations are neither inlined nor sliced away: of those Z3 does not remember what they are.
const OPTIONS: [(&str, bool); 3] =
    [("xform.inline_eager", false), ("xform.inline_linear", false), ("xform.slice", false)];

/// Interpolants by Spacer.
pub struct HornInterpolator {
    control: Control,
}

impl Default for HornInterpolator {
    fn default() -> Self {
        HornInterpolator::new()
    }
}

impl HornInterpolator {
    /// One without limits.
    pub fn new() -> HornInterpolator {
        HornInterpolator { control: Control::new() }
    }

    fn solve(&mut self, terms: &mut Terms, parts: &[Term], tree: &Tree) -> Result<Interpolants, SolverError> {
        check::accept(terms, parts)?;
        let stop = self.control.start();
        let found = interpolants(terms, parts, tree, &stop)?;
        if let (true, Interpolants::Sequence(found)) = (cfg!(debug_assertions), &found) {
            check::refuse_wrong(self.name(), terms, parts, tree, found)?;
        }
        Ok(found)
    }
}

/// Interpolants of parts along a tree.
pub fn interpolants(terms: &mut Terms, parts: &[Term], tree: &Tree, stop: &Stop) -> Result<Interpolants, SolverError> {
    let Some(shared) = shared(terms, parts, tree) else {
        return Ok(Interpolants::Unknown("declared functions in Horn clauses".into()));
    };
    let mut printer = Printer::new(Dialect::Z3);
    let mut script = String::new();
    let mut relations: Vec<Func> = Vec::new();
    for (i, vars) in shared.iter().enumerate() {
        let sorts: Vec<Sort> = vars.iter().map(|&v| terms.var_sort(v)).collect();
        // The same name for the same sorts, so that the store does not grow with every call.
        let kinds: Vec<String> = sorts.iter().map(|s| s.index().to_string()).collect();
        let f = terms.declare_func(&format!("cut!{i}!{}", kinds.join("!")), &sorts, Sort::BOOL, None);
        let f = f.map_err(|e| SolverError::Unsupported { solver: "z3".into(), what: e.to_string() })?;
        printer.declare_func(terms, f, &mut script);
        relations.push(f);
    }
    let applied: Vec<Term> = (0..relations.len())
        .map(|i| {
            let args: Vec<Term> = shared[i].iter().map(|&v| terms.var_term(v)).collect();
            terms.app(relations[i], &args)
        })
        .collect();
    let mut below: Vec<Vec<Term>> = vec![Vec::new(); parts.len()];
    for i in 0..parts.len() {
        let mut body = std::mem::take(&mut below[i]);
        body.push(parts[i]);
        let above = tree.parent(i);
        let head = match tree.cuts().get(i) {
            Some(Some(_)) => applied[i],
            Some(None) => {
                below[above].extend(body);
                continue;
            }
            None => terms.bool(false),
        };
        if above != i {
            below[above].push(head);
        }
        let body = terms.and(&body);
        let clause = terms.implies(body, head);
        let vars = terms.free_vars(&[clause]);
        let closed = if vars.is_empty() { clause } else { terms.forall(&vars, &[], clause) };
        printer.assert(terms, closed, &mut script);
    }
    let mut z3 = Z3Horn::new(&OPTIONS)?;
    stop.watch(&z3.interrupter());
    let model = match z3.solve(&script, stop.left())? {
        HornAnswer::Sat(model) => model,
        HornAnswer::Unsat => return Ok(Interpolants::Satisfiable),
        HornAnswer::Unknown => return Ok(Interpolants::Unknown("Spacer does not know".into())),
    };
    let unreadable = || Ok(Interpolants::Unknown("Spacer's answer cannot be read".into()));
    let Some(definitions) = definitions(terms, &mut printer, &model) else { return unreadable() };
    let mut found = Vec::new();
    for (i, f) in relations.iter().enumerate() {
        let args: Vec<Term> = shared[i].iter().map(|&v| terms.var_term(v)).collect();
        found.push(match definitions.get(f) {
            Some(d) if d.params.len() == args.len() => terms.instantiate(d.body, &args),
            _ => terms.bool(true),
        });
    }
    Ok(Interpolants::Sequence(simplify::tidy(terms, found)))
}

/// For each cut, the variables that both sides have; `None` if a function is on both sides.
fn shared(terms: &Terms, parts: &[Term], tree: &Tree) -> Option<Vec<Vec<Var>>> {
    let all: Vec<_> = parts.iter().map(|&t| symbols(terms, &[t])).collect();
    if all.iter().flatten().any(|s| matches!(s, Symbol::Func(_))) {
        return None;
    }
    let cut = |node: Option<usize>| {
        let Some(node) = node else { return Vec::new() };
        let side = |first: bool| (0..parts.len()).filter(move |&j| tree.is_below(j, node) == first);
        let mut vars: Vec<Var> = Vec::new();
        for s in side(true).flat_map(|j| &all[j]) {
            if let Symbol::Var(v) = *s
                && side(false).any(|j| all[j].contains(s))
            {
                vars.push(v);
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    };
    Some(tree.cuts().iter().map(|&c| cut(c)).collect())
}

/// What a model says of the relations; `None` where it cannot be read.
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

impl Interpolator for HornInterpolator {
    fn name(&self) -> &str {
        "horn"
    }

    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError> {
        let tree = check::tree(parts, nesting)?;
        self.solve(terms, parts, &tree)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.control.interrupter()
    }
}

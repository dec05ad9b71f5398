//! Houdini on candidates that the source writes: Boogie's `{:existential}` constants.
//!
//! Such a constant stands before clauses of contracts and invariants, `b ==> φ`: whether the clause is there. Sought is the largest set of constants
//! that may be true so that all these clauses hold, each procedure checked on its own.

use std::sync::Arc;

use lariat_program::{AssertId, Axiom, Loc, Program, RegionId, StmtKind};
use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Engines, Fate, Options, Targets, verify};

/// Which of the constants may be true.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// In the order in which the constants were given.
    pub values: Vec<(Var, bool)>,
    /// Assertions that no constant stands before and that fail, by procedure.
    pub errors: Vec<(RegionId, AssertId)>,
    /// Assertions that no constant stands before and that were not decided.
    pub undecided: Vec<(RegionId, AssertId)>,
    /// Constants that are false only because a clause that they stand before was not decided: a larger assignment may exist.
    pub given_up: Vec<Var>,
    /// How often a procedure was checked.
    pub checks: u64,
}

/// The largest assignment, for a program in modular reading; `None` if the budget of the options is used up.
pub fn existential(program: &Program, terms: &mut Terms, constants: &[Var], options: &Options) -> Option<Assignment> {
    let candidates = guards(program, terms, constants);
    let mut values: FxHashMap<Var, bool> = constants.iter().map(|&v| (v, true)).collect();
    let entries = program.entries.clone();
    let about: Vec<FxHashSet<Var>> = entries.iter().map(|&e| mentioned(program, terms, e, constants)).collect();
    let mut found = Assignment::default();
    let mut failed: Vec<Vec<(AssertId, bool)>> = vec![Vec::new(); entries.len()];
    let mut pending: std::collections::BTreeSet<usize> = (0..entries.len()).collect();
    while let Some(i) = pending.pop_first() {
        if options.budget.used_up().is_some() {
            return None;
        }
        found.checks += 1;
        let fixed = Arc::new(with_values(program, terms, &values));
        let options = Options {
            entries: vec![entries[i]],
            targets: Targets::Each,
            engines: Engines::unfold(),
            certify: false,
            ..options.clone()
        };
        let report = verify(&fixed, terms, &options, &mut |_| {});
        let mut dropped = Vec::new();
        failed[i].clear();
        let reached = asserts(program, entries[i]);
        for (n, fate) in report.assertions.iter().enumerate() {
            let a = AssertId(n as u32);
            if !reached.contains(&a) || matches!(fate, Fate::Proved) || !program.assertions[n].kind.fails() {
                continue;
            }
            match candidates.get(&a).into_iter().flatten().find(|v| values.get(v) == Some(&true)) {
                Some(&v) => {
                    dropped.push(v);
                    if !matches!(fate, Fate::Failed) {
                        found.given_up.push(v);
                    }
                }
                None => failed[i].push((a, matches!(fate, Fate::Failed))),
            }
        }
        if options.budget.used_up().is_some() {
            return None;
        }
        for v in dropped {
            values.insert(v, false);
            pending.extend((0..entries.len()).filter(|&e| about[e].contains(&v)));
        }
    }
    for (i, failed) in failed.into_iter().enumerate() {
        for (a, surely) in failed {
            if surely { &mut found.errors } else { &mut found.undecided }.push((entries[i], a));
        }
    }
    found.values = constants.iter().map(|&v| (v, values[&v])).collect();
    Some(found)
}

/// The constants that stand before the condition of an assertion, by assertion.
fn guards(program: &Program, terms: &Terms, constants: &[Var]) -> FxHashMap<AssertId, Vec<Var>> {
    let mut found: FxHashMap<AssertId, Vec<Var>> = FxHashMap::default();
    for stmt in program.regions.iter().flat_map(|r| &r.blocks).flat_map(|b| &b.stmts) {
        let StmtKind::Assert { id, cond } = stmt.kind else { continue };
        let parts: &[Term] = if terms.op(cond) == Op::Or { terms.args(cond) } else { std::slice::from_ref(&cond) };
        let negated = parts.iter().filter(|&&t| terms.op(t) == Op::Not).filter_map(|&t| terms.as_var(terms.args(t)[0]));
        found.entry(id).or_default().extend(negated.filter(|v| constants.contains(v)));
    }
    found
}

fn asserts(program: &Program, entry: RegionId) -> FxHashSet<AssertId> {
    let regions = program.reached(entry);
    let stmts = regions.iter().flat_map(|r| &program.regions[r.index()].blocks).flat_map(|b| &b.stmts);
    stmts.filter_map(|s| if let StmtKind::Assert { id, .. } = s.kind { Some(id) } else { None }).collect()
}

/// The constants that the code of an entry mentions.
fn mentioned(program: &Program, terms: &Terms, entry: RegionId, constants: &[Var]) -> FxHashSet<Var> {
    let mut roots = Vec::new();
    for r in program.reached(entry) {
        program.regions[r.index()].blocks.iter().for_each(|block| block.for_each_term(|t| roots.push(t)));
    }
    terms.free_vars(&roots).into_iter().filter(|v| constants.contains(v)).collect()
}

/// The program with the constants fixed.
fn with_values(program: &Program, terms: &mut Terms, values: &FxHashMap<Var, bool>) -> Program {
    let mut fixed = program.clone();
    let mut all: Vec<(Var, bool)> = values.iter().map(|(&v, &b)| (v, b)).collect();
    all.sort_unstable();
    for (v, value) in all {
        let t = terms.var_term(v);
        let term = if value { t } else { terms.not(t) };
        fixed.axioms.push(Axiom { term, loc: Loc::NONE });
    }
    fixed
}

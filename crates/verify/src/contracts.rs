//! Contracts out: the invariants of a proof in terms of the program's own variables, and no more of them than are needed.
//!
//! A certificate speaks about values at moments of instances. Each is told as the variable that it was a value of; that this variable still holds it at the
//! head of the loop is a guess. So what comes out are candidates, which are checked as those of a person are
//! ([`lariat_horn::engines::needed`]): what is not inductive is left out, and so is what the proof does not need.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_certify::{Certificate, Event, Symbol, Treatment, Tree};
use lariat_engine::{Reading, Task};
use lariat_horn::engines::needed;
use lariat_program::{AssertId, AssertKind, Assertion, Loc, Program, RegionId, Stmt, StmtKind, VarDecl};
use lariat_term::{Op, Sort, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::options::Options;

/// How long it may take to find what is needed.
const TIME: Duration = Duration::from_secs(30);

/// What a proof says of loops.
pub struct Contracts {
    /// The store of the terms.
    pub terms: Terms,
    /// By loop, what holds at the start of each round, over the program's variables.
    pub loops: Vec<(RegionId, Vec<Term>)>,
    /// How many parts of the proof cannot be told in terms of variables of the source.
    pub left_out: usize,
    /// Do the invariants exclude every failure, together with what the program does?
    pub proof: bool,
}

/// Those of a certificate for the program as it was given. `says` tells whether a formula can be written down in the source's language.
pub fn contracts(
    program: &Program,
    (terms, certificate): (&Terms, &Certificate),
    asserts: &[AssertId],
    options: &Options,
    says: &dyn Fn(&Terms, Term) -> bool,
) -> Option<Contracts> {
    let mut terms = terms.clone();
    let (found, left_out) = told(program, &mut terms, certificate, says);
    if found.is_empty() {
        return Some(Contracts { terms, loops: Vec::new(), left_out, proof: false });
    }
    let (annotated, candidates) = annotate(program, &mut terms, &found);
    let first = certificate.trees.first()?;
    let task = Task {
        given: Arc::new(program.clone()),
        program: Arc::new(annotated),
        terms: Arc::new(terms.clone()),
        entry: first.region,
        asserts: asserts.into(),
        reading: Reading::Bits,
        solver: options.solver.as_str().into(),
        shared: Arc::default(),
        stop: options.budget.stop.clone(),
    };
    let needed = needed(&task, Instant::now() + TIME).ok().flatten();
    let (asserts, proof) = needed.map_or((Vec::new(), false), |n| (n.asserts, n.proof));
    let mut loops: BTreeMap<RegionId, Vec<Term>> = BTreeMap::new();
    for (id, region, claim) in candidates {
        if asserts.contains(&id) {
            loops.entry(region).or_default().push(claim);
        }
    }
    Some(Contracts { terms, loops: loops.into_iter().collect(), left_out, proof })
}

/// The conjuncts of all invariants, by loop, over the program's variables; and how many there are that cannot be told.
fn told(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
    says: &dyn Fn(&Terms, Term) -> bool,
) -> (BTreeMap<RegionId, Vec<Term>>, usize) {
    let symbols: FxHashMap<Var, Symbol> = certificate.symbols.iter().copied().collect();
    let (mut found, mut left_out): (BTreeMap<RegionId, Vec<Term>>, usize) = (BTreeMap::new(), 0);
    for tree in &certificate.trees {
        left_out += usize::from(tree.contract.is_some());
        for (region, invariant) in invariants(program, tree) {
            for conjunct in conjuncts(terms, invariant) {
                let claim = over_variables(terms, &symbols, conjunct);
                let claim = claim.filter(|&t| is_visible(program, terms, region, t) && says(terms, t));
                match claim {
                    Some(claim) => found.entry(region).or_default().push(claim),
                    None => left_out += 1,
                }
            }
        }
    }
    for &(region, fact) in &certificate.facts {
        if is_visible(program, terms, region, fact) && says(terms, fact) {
            found.entry(region).or_default().push(fact);
        }
    }
    for claims in found.values_mut() {
        let mut seen = rustc_hash::FxHashSet::default();
        claims.retain(|&t| t != terms.bool(true) && seen.insert(t));
    }
    found.retain(|_, claims| !claims.is_empty());
    (found, left_out)
}

/// The loops of a tree with their invariants.
fn invariants(program: &Program, tree: &Tree) -> Vec<(RegionId, Term)> {
    let (mut regions, mut found): (Vec<Option<RegionId>>, Vec<(RegionId, Term)>) = (Vec::new(), Vec::new());
    for instance in &tree.instances {
        let region = match instance.boxed {
            None => Some(tree.region),
            Some((parent, site)) => {
                let parent = regions.get(parent.index()).copied().flatten();
                parent.and_then(|parent| program.callee(parent, site.block, site.stmt))
            }
        };
        regions.push(region);
        if let (Some(region), Treatment::Invariant(t)) = (region, instance.treatment) {
            found.push((region, t));
        }
    }
    found
}

fn conjuncts(terms: &Terms, t: Term) -> Vec<Term> {
    let (mut found, mut work) = (Vec::new(), vec![t]);
    while let Some(t) = work.pop() {
        match terms.op(t) {
            Op::And => work.extend(terms.args(t).iter().rev()),
            _ => found.push(t),
        }
    }
    found
}

/// A formula with variables in the place of the values that they had at some moment.
fn over_variables(terms: &mut Terms, symbols: &FxHashMap<Var, Symbol>, t: Term) -> Option<Term> {
    let mut map = FxHashMap::default();
    for v in terms.free_vars(&[t]) {
        let Some(symbol) = symbols.get(&v) else { continue };
        let (Event::Entry(of) | Event::Exit(of) | Event::Havoc(_, of) | Event::Result(_, of)) = symbol.event else {
            return None;
        };
        if terms.var_sort(of) != terms.var_sort(v) {
            return None;
        }
        map.insert(v, terms.var_term(of));
    }
    Some(terms.substitute(t, &map))
}

/// Is a formula about variables that the source has a name for at the head of a loop?
fn is_visible(program: &Program, terms: &Terms, region: RegionId, t: Term) -> bool {
    let own = program.regions[region.index()].inputs.iter().chain(&program.globals).chain(&program.constants);
    let named: Vec<&VarDecl> = own.filter(|d| d.source.is_some()).collect();
    terms.free_vars(&[t]).iter().all(|v| named.iter().any(|d| d.var == *v))
}

/// The program with candidates at the heads of its loops, and which is which.
fn annotate(
    program: &Program,
    terms: &mut Terms,
    found: &BTreeMap<RegionId, Vec<Term>>,
) -> (Program, Vec<(AssertId, RegionId, Term)>) {
    let mut program = program.clone();
    let mut candidates = Vec::new();
    for (&region, claims) in found {
        let mut stmts = Vec::new();
        for &claim in claims {
            let id = AssertId(program.assertions.len() as u32);
            program.assertions.push(Assertion { kind: AssertKind::Candidate, message: None, loc: Loc::NONE });
            candidates.push((id, region, claim));
            let any = terms.fresh_var("any", Sort::BOOL);
            let Some(var) = terms.as_var(any) else { continue };
            program.regions[region.index()].locals.push(VarDecl { var, source: None, loc: Loc::NONE });
            let cond = terms.or(&[any, claim]);
            let kinds = [StmtKind::Havoc(vec![var]), StmtKind::Assert { id, cond }];
            stmts.extend(kinds.map(|kind| Stmt { kind, loc: Loc::NONE }));
        }
        if let Some(block) = program.regions[region.index()].blocks.first_mut() {
            block.stmts.splice(0..0, stmts);
        }
    }
    (program, candidates)
}

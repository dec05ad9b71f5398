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

use lariat_certify::{Certificate, Checked, Event, Symbol, Treatment, Tree};
use lariat_engine::{Budget, Reading, Task};
use lariat_horn::engines::needed;
use lariat_program::{AssertId, AssertKind, Assertion, Loc, Program, RegionId, RegionKind, Stmt, StmtKind, VarDecl};
use lariat_term::{Op, Sort, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::options::Options;

/// How long it may take to find what is needed.
const TIME: Duration = Duration::from_secs(30);

/// What a recursive procedure needs and gives, over the program's variables.
pub struct Procedure {
    /// The procedure.
    pub region: RegionId,
    /// Holds wherever it is entered.
    pub requires: Vec<Term>,
    /// Holds wherever it returns.
    pub ensures: Vec<Term>,
}

/// What a proof says of loops and of recursive procedures.
pub struct Contracts {
    /// The store of the terms.
    pub terms: Terms,
    /// By loop, what holds at the start of each round, over the program's variables.
    pub loops: Vec<(RegionId, Vec<Term>)>,
    /// By recursive procedure, its contract, if all that it requires can be told.
    pub procedures: Vec<Procedure>,
    /// Variables of contracts for what globals were where the procedure was entered.
    pub old: Vec<(Var, Var)>,
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
    let (found, mut left_out) = told(program, &mut terms, certificate, says);
    let mut old = Vec::new();
    let procedures = procedures(program, &mut terms, certificate, asserts, says, &mut old, &mut left_out);
    if found.is_empty() {
        let (loops, proof) = (Vec::new(), !procedures.is_empty() && left_out == 0);
        return Some(Contracts { terms, loops, procedures, old, left_out, proof });
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
    Some(Contracts { terms, loops: loops.into_iter().collect(), procedures, old, left_out, proof })
}

/// The contracts of recursive procedures, without what the checker does not need.
fn procedures(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
    asserts: &[AssertId],
    says: &dyn Fn(&Terms, Term) -> bool,
    old: &mut Vec<(Var, Var)>,
    left_out: &mut usize,
) -> Vec<Procedure> {
    let symbols: FxHashMap<Var, Symbol> = certificate.symbols.iter().copied().collect();
    let Some(smaller) = without_needless(program, terms, certificate, asserts) else {
        *left_out += certificate.trees.iter().filter(|t| t.contract.is_some()).count();
        return Vec::new();
    };
    let mut found = Vec::new();
    for tree in &smaller.trees {
        let Some(contract) = tree.contract else { continue };
        let region = &program.regions[tree.region.index()];
        let seen = |terms: &mut Terms, t: Term, exits: bool| {
            let claim = over_variables(terms, &symbols, t)?;
            let outputs = if exits { &region.outputs[..] } else { &[] };
            let visible = is_visible(program, terms, tree.region, outputs, claim) && says(terms, claim);
            visible.then_some(claim)
        };
        let requires = conjuncts(terms, contract.requires);
        let told: Option<Vec<Term>> = requires.into_iter().map(|t| seen(terms, t, false)).collect();
        // Without all that it requires, what it ensures need not hold.
        let (Some(mut requires), RegionKind::Procedure) = (told, region.kind) else {
            *left_out += 1;
            continue;
        };
        let mut ensures = Vec::new();
        for t in conjuncts(terms, contract.ensures) {
            if seen(terms, t, true).is_none() {
                *left_out += 1;
                continue;
            }
            let mut before = FxHashMap::default();
            for v in terms.free_vars(&[t]) {
                if let Some(Symbol { event: Event::Entry(of), .. }) = symbols.get(&v)
                    && program.globals.iter().any(|d| d.var == *of)
                {
                    let was = terms.fresh_var("old", terms.var_sort(*of));
                    old.extend(terms.as_var(was).map(|was| (was, *of)));
                    before.insert(v, was);
                }
            }
            let t = terms.substitute(t, &before);
            ensures.extend(over_variables(terms, &symbols, t));
        }
        let yes = terms.bool(true);
        requires.retain(|&t| t != yes);
        ensures.retain(|&t| t != yes);
        found.push(Procedure { region: tree.region, requires, ensures });
    }
    found
}

/// The certificate without conjuncts of contracts that it is a proof without; `None` if it has no contracts, or is not known to be one at all.
fn without_needless(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
    asserts: &[AssertId],
) -> Option<Certificate> {
    let entry = certificate.trees.first()?.region;
    certificate.trees.iter().find(|t| t.contract.is_some())?;
    let budget = Budget { deadline: Some(Instant::now() + TIME / 3), ..Budget::default() };
    let counts = |a: AssertId| asserts.contains(&a);
    let is_proof = |terms: &mut Terms, certificate: &Certificate| {
        let mut open = |logic| budget.open_for("z3", logic);
        let checked = lariat_certify::check(program, terms, entry, &counts, certificate, &mut open);
        matches!(checked, Ok(Checked::Proved))
    };
    if !is_proof(terms, certificate) {
        return None;
    }
    let mut smaller = certificate.clone();
    for tree in 0..smaller.trees.len() {
        let Some(contract) = smaller.trees[tree].contract else { continue };
        for ensures in [true, false] {
            let mut parts = conjuncts(terms, if ensures { contract.ensures } else { contract.requires });
            for part in parts.clone() {
                let rest: Vec<Term> = parts.iter().copied().filter(|&t| t != part).collect();
                let holds = terms.and(&rest);
                let mut without = smaller.clone();
                if let Some(contract) = &mut without.trees[tree].contract {
                    *(if ensures { &mut contract.ensures } else { &mut contract.requires }) = holds;
                }
                if is_proof(terms, &without) {
                    (smaller, parts) = (without, rest);
                }
            }
        }
    }
    Some(smaller)
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
        for (region, invariant) in invariants(program, tree) {
            for conjunct in conjuncts(terms, invariant) {
                let claim = over_variables(terms, &symbols, conjunct);
                let claim = claim.filter(|&t| is_visible(program, terms, region, &[], t) && says(terms, t));
                match claim {
                    Some(claim) => found.entry(region).or_default().push(claim),
                    None => left_out += 1,
                }
            }
        }
    }
    for &(region, fact) in &certificate.facts {
        if is_visible(program, terms, region, &[], fact) && says(terms, fact) {
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

/// Is a formula about variables that the source has a name for at the start of a region, or about these others?
fn is_visible(program: &Program, terms: &Terms, region: RegionId, others: &[VarDecl], t: Term) -> bool {
    let own = program.regions[region.index()].inputs.iter().chain(&program.globals).chain(&program.constants);
    let named: Vec<&VarDecl> = own.chain(others).filter(|d| d.source.is_some()).collect();
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

//! Contracts out: the invariants of a proof in terms of the program's own variables, and no more of them than are needed.
//!
//! A certificate speaks about values at moments of instances. Each is told as the variable that it was a value of; that this variable still holds it at the
//! head of the loop is a guess. So what comes out are candidates, which are checked as those of a person are
//! ([`lariat_horn::engines::needed`]): what is not inductive is left out, and so is what the proof does not need. `guesses` adds candidates in the form
//! that people write; what the engine found stays only where they are not enough.

mod guesses;
mod tidy;

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
use rustc_hash::{FxHashMap, FxHashSet};

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

/// What the source's language can say.
pub struct Source<'a> {
    /// Whether a formula can be written down.
    pub says: &'a dyn Fn(&Terms, Term) -> bool,
    /// Whether a variable is a number with a sign, if it is a number of the source.
    pub signed: &'a dyn Fn(Var) -> Option<bool>,
    /// Whether a variable is in scope at a loop.
    pub sees: &'a dyn Fn(RegionId, &VarDecl) -> bool,
}

/// Those of a certificate for the program as it was given.
pub fn contracts(
    program: &Program,
    (terms, certificate): (&Terms, &Certificate),
    asserts: &[AssertId],
    options: &Options,
    source: &Source<'_>,
) -> Option<Contracts> {
    let mut terms = terms.clone();
    let (found, mut left_out) = told(program, &mut terms, certificate, source);
    let guessed = guessed(program, &mut terms, certificate, source);
    let mut old = Vec::new();
    let procedures = procedures(program, &mut terms, certificate, asserts, source, &mut old, &mut left_out);
    if found.is_empty() && guessed.is_empty() {
        let (loops, proof) = (Vec::new(), !procedures.is_empty() && left_out == 0);
        return Some(Contracts { terms, loops, procedures, old, left_out, proof });
    }
    let entry = certificate.trees.first()?.region;
    // What people would write is tried by itself: what engines find is hard to read, and may be hard to decide.
    let mut best = (BTreeMap::new(), false);
    if !guessed.is_empty() {
        best = of_candidates(program, &mut terms, entry, asserts, options, &[&guessed]);
    }
    if !best.1 {
        best = of_candidates(program, &mut terms, entry, asserts, options, &[&guessed, &found]);
    }
    let (loops, proof) = best;
    Some(Contracts { terms, loops: loops.into_iter().collect(), procedures, old, left_out, proof })
}

/// The candidates of these kinds that are inductive together and needed, and whether they are a proof. If they are none, those of the first kind are left out.
fn of_candidates(
    program: &Program,
    terms: &mut Terms,
    entry: RegionId,
    asserts: &[AssertId],
    options: &Options,
    kinds: &[&BTreeMap<RegionId, Vec<Term>>],
) -> (BTreeMap<RegionId, Vec<Term>>, bool) {
    // What is not needed is dropped from the end.
    let (mut annotated, mut candidates) = (program.clone(), Vec::new());
    let mut first = None;
    for kind in kinds {
        let (more, others) = annotate(&annotated, terms, kind);
        annotated = more;
        candidates.extend(others);
        first = first.or(Some(candidates.len()));
    }
    let task = Task {
        given: Arc::new(program.clone()),
        program: Arc::new(annotated),
        terms: Arc::new(terms.clone()),
        entry,
        asserts: asserts.into(),
        reading: Reading::Bits,
        solver: options.solver.as_str().into(),
        shared: Arc::default(),
        stop: options.budget.stop.clone(),
    };
    let needed = needed(&task, Instant::now() + TIME).ok().flatten();
    let (asserts, proof) = needed.map_or((Vec::new(), false), |n| (n.asserts, n.proof));
    let mut loops: BTreeMap<RegionId, Vec<Term>> = BTreeMap::new();
    for (i, (id, region, claim)) in candidates.into_iter().enumerate() {
        // Guesses that are no proof tell nothing.
        if asserts.contains(&id) && (proof || first.is_some_and(|first| i >= first)) {
            loops.entry(region).or_default().push(claim);
        }
    }
    (loops, proof)
}

/// The contracts of recursive procedures, without what the checker does not need.
fn procedures(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
    asserts: &[AssertId],
    source: &Source<'_>,
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
            let visible = is_visible(program, terms, tree.region, outputs, claim, source);
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
        let checked = lariat_certify::check(program, terms, entry, &counts, certificate, &mut open, &|| {
            budget.used_up().is_some()
        });
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
    source: &Source<'_>,
) -> (BTreeMap<RegionId, Vec<Term>>, usize) {
    let symbols: FxHashMap<Var, Symbol> = certificate.symbols.iter().copied().collect();
    let (mut found, mut left_out): (BTreeMap<RegionId, Vec<Term>>, usize) = (BTreeMap::new(), 0);
    for tree in &certificate.trees {
        for (region, invariant) in invariants(program, tree) {
            let (mut claims, mut untold) = (Vec::new(), 0);
            for conjunct in conjuncts(terms, invariant) {
                match over_variables(terms, &symbols, conjunct) {
                    Some(claim) => claims.push(claim),
                    None => untold += 1,
                }
            }
            let mut claims = tidy::clauses(terms, &claims);
            let number = claims.len();
            claims.retain(|&t| is_visible(program, terms, region, &[], t, source));
            left_out += untold + number - claims.len();
            found.entry(region).or_default().extend(claims);
        }
    }
    for &(region, fact) in &certificate.facts {
        if is_visible(program, terms, region, &[], fact, source) {
            found.entry(region).or_default().push(fact);
        }
    }
    for claims in found.values_mut() {
        let mut seen = FxHashSet::default();
        // Over the variables of the moment, a claim about earlier values may be false.
        claims.retain(|&t| !matches!(terms.op(t), Op::True | Op::False) && seen.insert(t));
    }
    found.retain(|_, claims| !claims.is_empty());
    (found, left_out)
}

/// By loop, what is guessed of it.
fn guessed(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
    source: &Source<'_>,
) -> BTreeMap<RegionId, Vec<Term>> {
    let symbols: FxHashMap<Var, Symbol> = certificate.symbols.iter().copied().collect();
    let claims: Vec<(RegionId, Term)> = certificate.trees.iter().flat_map(|tree| invariants(program, tree)).collect();
    let mut found = BTreeMap::new();
    for (i, own) in program.regions.iter().enumerate() {
        let region = RegionId(i as u32);
        if !matches!(own.kind, RegionKind::Loop { .. }) {
            continue;
        }
        let around = around(program, region);
        let decls = own.inputs.iter().chain(&program.globals).chain(around);
        let seen = decls.filter(|d| d.source.is_some() && (source.sees)(region, d));
        let visible: Vec<Var> = seen.map(|d| d.var).collect();
        let mut guesses = guesses::guesses(program, terms, region, &visible, source.signed);
        for &(_, invariant) in claims.iter().filter(|(r, _)| *r == region) {
            for conjunct in conjuncts(terms, invariant) {
                if let Some(claim) = over_variables(terms, &symbols, conjunct) {
                    guesses.extend(guesses::equations(terms, claim));
                }
            }
        }
        let mut seen = FxHashSet::default();
        guesses.retain(|&t| {
            !matches!(terms.op(t), Op::True | Op::False)
                && seen.insert(t)
                && is_visible(program, terms, region, &[], t, source)
        });
        if !guesses.is_empty() {
            found.insert(region, guesses);
        }
    }
    found
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
    let t = terms.substitute(t, &map);
    Some(tidy::shorter(terms, t))
}

/// Can a formula be written, and is it about variables that the source has a name for at the start of a region, or about these others?
fn is_visible(
    program: &Program,
    terms: &Terms,
    region: RegionId,
    others: &[VarDecl],
    t: Term,
    source: &Source<'_>,
) -> bool {
    let own = program.regions[region.index()].inputs.iter().chain(&program.globals).chain(&program.constants);
    let own = own.chain(others).chain(around(program, region));
    let named: Vec<&VarDecl> = own.filter(|d| d.source.is_some()).collect();
    let seen = |v: &Var| named.iter().any(|d| d.var == *v && (source.sees)(region, d));
    terms.free_vars(&[t]).iter().all(seen) && (source.says)(terms, t)
}

/// The variables of what a loop stands in that it neither reads nor writes.
fn around(program: &Program, region: RegionId) -> Vec<&VarDecl> {
    let own = &program.regions[region.index()];
    let used: FxHashSet<Var> = own.inputs.iter().chain(&own.outputs).chain(&own.locals).map(|d| d.var).collect();
    let (mut found, mut at): (Vec<&VarDecl>, RegionId) = (Vec::new(), region);
    while let RegionKind::Loop { parent } = program.regions[at.index()].kind {
        at = parent;
        let outer = &program.regions[at.index()];
        for decl in outer.inputs.iter().chain(&outer.locals) {
            if !used.contains(&decl.var) && !found.iter().any(|d| d.var == decl.var) {
                found.push(decl);
            }
        }
    }
    found
}

/// Hands a variable on to a loop that has not used it, from what the loop stands in.
fn hand_on(program: &mut Program, terms: &mut Terms, mut region: RegionId, decl: &VarDecl) {
    while let RegionKind::Loop { parent } = program.regions[region.index()].kind {
        let own = &mut program.regions[region.index()];
        if own.inputs.iter().any(|d| d.var == decl.var) {
            break;
        }
        own.locals.retain(|d| d.var != decl.var);
        own.inputs.push(decl.clone());
        for stmt in program.regions.iter_mut().flat_map(|r| &mut r.blocks).flat_map(|b| &mut b.stmts) {
            if let StmtKind::Box { callee, args, .. } = &mut stmt.kind
                && *callee == region
            {
                args.push(terms.var_term(decl.var));
            }
        }
        region = parent;
    }
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
        let vars = terms.free_vars(claims);
        let outer: Vec<VarDecl> =
            around(&program, region).into_iter().filter(|d| vars.contains(&d.var)).cloned().collect();
        outer.iter().for_each(|decl| hand_on(&mut program, terms, region, decl));
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

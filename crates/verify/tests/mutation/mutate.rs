//! Certificates of small programs, changed at random, and what the checker and the enumeration of all states say of them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lariat_boogie::{analyze::Source, compile::compile, lower::entry_of};
use lariat_certify::{Certificate, Checked, Event, InstanceId, Symbol, Treatment, check};
use lariat_engine::Budget;
use lariat_program::{Program, RegionId, RegionKind, extract_loops};
use lariat_smt::solvers;
use lariat_term::{Op, Term, Terms, Var};
use lariat_verify::{Engines, Options, Verdict, verify};

use crate::small::{Claimed, Numbers, Small, State, is_proof};

/// How many certificates were looked at, and how many of them are proofs.
#[derive(Default, Debug)]
pub struct Count {
    pub programs: usize,
    pub changed: usize,
    pub proofs: usize,
}

/// A certificate whose invariants are over one pair of variables for each loop.
#[derive(Clone)]
struct Case {
    small: Small,
    program: Arc<Program>,
    terms: Terms,
    entry: RegionId,
    /// The regions of the two loops, in order.
    loops: [RegionId; 2],
    /// The variables of the invariants.
    vars: [Var; 2],
    /// By loop: what is claimed of it; nothing if it is not listed.
    claims: [Option<Treatment>; 2],
    facts: Vec<(RegionId, Term)>,
}

const ENGINES: [&str; 3] = ["spacer-local", "k-induction", "explicit-values"];

/// Makes certificates of random programs and changes each of them a few times, until there are as many changed ones as that. Panics where the
/// checker and the enumeration disagree.
pub fn run(seed: u64, wanted: usize) -> Count {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut count = Count::default();
    while count.changed < wanted {
        let small = Small::random(&mut numbers);
        if !small.is_safe() {
            continue;
        }
        let engine = ENGINES[numbers.below(ENGINES.len() as u64) as usize];
        let Some(case) = Case::new(&small, engine) else { continue };
        count.programs += 1;
        assert!(case.agree(), "a certificate of {engine} is not accepted");
        for _ in 0..8 {
            let mut changed = case.clone();
            for _ in 0..1 + numbers.below(2) {
                changed.change(&mut numbers);
            }
            count.changed += 1;
            count.proofs += usize::from(changed.agree());
        }
    }
    count
}

/// Has the executions of random programs followed by the checker: how many are proved so, and how many fail. Panics where the enumeration says something else.
pub fn by_execution(seed: u64, programs: usize) -> (usize, usize) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut proved, mut failing) = (0, 0);
    for _ in 0..programs {
        let small = Small::random(&mut numbers);
        let compiled = compile([Source::new("small.bpl", small.text())], &Default::default());
        let (mut program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
        extract_loops(&mut program, &mut terms);
        let entry = entry_of(&program, "main").expect("the entry");
        let certificate = Certificate { by_execution: true, ..Certificate::new(entry) };
        let asked = std::cell::Cell::new(0);
        let stopped = || asked.replace(asked.get() + 1) > 10;
        let mut open = |logic| solvers::open("z3", logic);
        let said = check(&program, &mut terms, entry, &|_| true, &certificate, &mut open, &stopped);
        match said.expect("no solver is asked") {
            Checked::Proved => {
                assert!(!small.fails(), "accepted:\n{}", small.text());
                proved += 1;
            }
            Checked::Fails(_) => {
                assert!(small.fails(), "rejected:\n{}", small.text());
                failing += 1;
            }
            _ => failing += usize::from(small.fails()),
        }
    }
    (proved, failing)
}

impl Case {
    /// The certificate of an engine; nothing if it finds none soon, or one that is about more than the start of rounds.
    fn new(small: &Small, engine: &str) -> Option<Case> {
        let compiled = compile([Source::new("small.bpl", small.text())], &Default::default());
        let (mut program, mut terms) = (compiled.program.expect("a correct program"), compiled.terms);
        extract_loops(&mut program, &mut terms);
        let program = Arc::new(program);
        let entry = entry_of(&program, "main").expect("the entry");
        let options = Options {
            entries: vec![entry],
            engines: Engines::named(&[engine]).expect("an engine"),
            budget: Budget { deadline: Some(Instant::now() + Duration::from_secs(2)), ..Budget::default() },
            ..Options::default()
        };
        let report = verify(&program, &mut terms, &options, &mut |_| {});
        assert!(report.incidents.is_empty(), "{:?}\n{}", report.incidents, small.text());
        if !matches!(report.verdict, Verdict::Safe) {
            return None;
        }
        let certified = report.certificates.into_iter().next()?;
        let (mut terms, certificate) = certified.certificate?;
        let loops: Vec<RegionId> = (0..program.regions.len() as u32)
            .map(RegionId)
            .filter(|r| matches!(program.regions[r.index()].kind, RegionKind::Loop { .. }))
            .collect();
        let line = |r: &RegionId| program.regions[r.index()].loc.line;
        let mut loops: [RegionId; 2] = loops.try_into().ok()?;
        loops.sort_by_key(line);
        // A variable that a loop sets before it looks at it is none of its inputs.
        let has = |r: &RegionId| program.regions[r.index()].inputs.iter().filter(|d| d.source.is_some()).count() == 2;
        if !loops.iter().all(has) {
            return None;
        }
        let sort = terms.bv_sort(3);
        let vars = ["x", "y"].map(|name| terms.fresh_var(name, sort));
        let vars = [terms.as_var(vars[0])?, terms.as_var(vars[1])?];
        let mut claims = [None, None];
        for (i, instance) in certificate.trees[0].instances.iter().enumerate().skip(1) {
            let (parent, site) = instance.boxed?;
            let region = program.callee(certificate.trees[0].region, site.block, site.stmt)?;
            let at = loops.iter().position(|&l| l == region).filter(|_| parent == InstanceId(0))?;
            let mut treatment = instance.treatment;
            if let Some(t) = treatment.invariant_mut() {
                *t = over(&program, &mut terms, &certificate, i, *t, vars)?;
            } else {
                return None;
            }
            claims[at] = Some(treatment);
        }
        if certificate.trees.len() > 1 {
            return None;
        }
        let small = small.clone();
        Some(Case { small, program, terms, entry, loops, vars, claims, facts: certificate.facts })
    }

    /// The variable of a region.
    fn var(&self, region: RegionId, name: &str) -> Option<Var> {
        self.program.regions[region.index()].inputs.iter().find(|d| d.source.as_deref() == Some(name)).map(|d| d.var)
    }

    fn certificate(&mut self) -> Option<Certificate> {
        let mut certificate = Certificate::new(self.entry);
        for at in 0..2 {
            let Some(mut treatment) = self.claims[at] else { continue };
            let main = &self.program.regions[self.entry.index()];
            let site = main.blocks.iter().enumerate().find_map(|(b, block)| {
                let boxes = |s: &lariat_program::Stmt| {
                    matches!(s.kind, lariat_program::StmtKind::Box { callee, .. } if callee == self.loops[at])
                };
                let stmt = block.stmts.iter().position(boxes)?;
                Some(lariat_certify::Site { block: lariat_program::BlockId(b as u32), stmt: stmt as u32 })
            })?;
            let instance = InstanceId(certificate.trees[0].instances.len() as u32);
            let mut map = rustc_hash::FxHashMap::default();
            for (v, name) in self.vars.into_iter().zip(["x", "y"]) {
                let own = self.terms.fresh_var(name, self.terms.var_sort(v));
                let event = Event::Entry(self.var(self.loops[at], name)?);
                certificate.symbols.push((self.terms.as_var(own)?, Symbol { tree: 0, instance, event }));
                map.insert(v, own);
            }
            if let Some(t) = treatment.invariant_mut() {
                *t = self.terms.substitute(*t, &map);
            }
            let boxed = Some((InstanceId(0), site));
            certificate.trees[0].instances.push(lariat_certify::Instance { boxed, treatment });
        }
        certificate.facts.clone_from(&self.facts);
        Some(certificate)
    }

    /// Is the certificate a proof? The checker and the enumeration have to say the same.
    fn agree(&self) -> bool {
        let mut case = self.clone();
        let certificate = case.certificate().expect("loops are boxed by the entry");
        let mut open = |logic| solvers::open("z3", logic);
        let said = check(&case.program, &mut case.terms, case.entry, &|_| true, &certificate, &mut open, &|| false);
        let said = said.expect("a solver");
        let claims = [0, 1].map(|at| self.claimed(at));
        let expected = is_proof(&self.small, &claims);
        let shown: Vec<String> = self
            .claims
            .iter()
            .map(|c| c.map_or("-".into(), |c| format!("{c:?} {}", self.terms.display(c.invariant().expect("a claim")))))
            .chain(self.facts.iter().map(|&(r, t)| format!("{r:?}: {}", self.terms.display(t))))
            .collect();
        assert!(
            matches!(said, Checked::Proved) == expected && !matches!(said, Checked::Unknown(_)),
            "the checker: {said:?}; by enumeration: {expected}\n{}\n{}",
            self.small.text(),
            shown.join("\n")
        );
        expected
    }

    fn claimed(&self, at: usize) -> Claimed {
        let mut terms = self.terms.clone();
        let listed = self.claims[at].map(|c| if let Treatment::Induction(k, _) = c { k } else { 0 });
        let region = self.loops[at];
        let own = ["x", "y"].map(|name| self.var(region, name));
        let facts: Vec<Term> = self.facts.iter().filter(|(r, _)| *r == region).map(|f| f.1).collect();
        let claims: Vec<Term> = self.claims[at].and_then(|c| c.invariant()).into_iter().chain(facts).collect();
        let claim = terms.and(&claims);
        let vars = self.vars;
        let table: Vec<bool> = crate::small::states()
            .map(|(x, y)| {
                let values = [terms.bv(3, u32::from(x)), terms.bv(3, u32::from(y))];
                let both = vars.into_iter().zip(values).chain(own.into_iter().flatten().zip(values));
                let result = terms.substitute(claim, &both.collect());
                result == terms.bool(true)
            })
            .collect();
        let holds = Box::new(move |(x, y): State| table[usize::from(x * 8 + y)]);
        Claimed { listed, holds }
    }

    /// Changes something.
    fn change(&mut self, n: &mut Numbers) {
        let at = n.below(2) as usize;
        match n.below(9) {
            0 => self.claims[at] = None,
            1 => self.claims.swap(0, 1),
            2 => {
                let fact = n.below(self.facts.len().max(1) as u64) as usize;
                if fact < self.facts.len() {
                    self.facts.remove(fact);
                }
            }
            3 => {
                let k = n.below(4) as u32;
                if let Some(t) = self.claims[at].and_then(|c| c.invariant()) {
                    self.claims[at] = Some(if k == 0 { Treatment::Invariant(t) } else { Treatment::Induction(k, t) });
                }
            }
            _ => {
                let Some(mut treatment) = self.claims[at] else { return };
                if let Some(t) = treatment.invariant_mut() {
                    *t = self.changed(*t, n);
                }
                self.claims[at] = Some(treatment);
            }
        }
    }

    /// An invariant with a part left out, negated, or with another relation or constant; or with one more part.
    fn changed(&mut self, t: Term, n: &mut Numbers) -> Term {
        let terms = &mut self.terms;
        let parts = if terms.op(t) == Op::And { terms.args(t).to_vec() } else { vec![t] };
        let at = n.below(parts.len() as u64) as usize;
        let mut parts = parts;
        match n.below(5) {
            0 => _ = parts.remove(at),
            1 => parts[at] = terms.not(parts[at]),
            2 => {
                let v = terms.var_term(self.vars[n.below(2) as usize]);
                let c = terms.bv(3, n.below(8) as u32);
                let op = [Op::BvUle, Op::BvUlt, Op::Eq, Op::Distinct][n.below(4) as usize];
                parts.push(terms.mk(op, &[v, c]));
            }
            _ => {
                let inside = terms.post_order(&[t]);
                let can =
                    |t: &Term| terms.bv_width(*t).is_some() && terms.is_value(*t) || relation(terms.op(*t)).is_some();
                let places: Vec<Term> = inside.iter().copied().filter(can).collect();
                if places.is_empty() {
                    return terms.not(t);
                }
                let place = places[n.below(places.len() as u64) as usize];
                let new = match (relation(terms.op(place)), terms.bv_width(place)) {
                    (Some(op), _) => {
                        let args = terms.args(place).to_vec();
                        terms.mk(op, &args)
                    }
                    (None, Some(width)) => terms.bv(width, n.below(1 << width.min(3)) as u32),
                    (None, None) => place,
                };
                return replaced(terms, t, place, new);
            }
        }
        terms.and(&parts)
    }
}

/// An invariant over the given pair of variables; nothing if it is about anything else than the start of its rounds.
fn over(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
    instance: usize,
    t: Term,
    vars: [Var; 2],
) -> Option<Term> {
    let mut map = rustc_hash::FxHashMap::default();
    for v in terms.free_vars(&[t]) {
        let (_, symbol) = certificate.symbols.iter().find(|(s, _)| *s == v)?;
        let Event::Entry(of) = symbol.event else { return None };
        if symbol.instance.index() != instance {
            return None;
        }
        let decls = program.regions.iter().flat_map(|r| &r.inputs);
        let name = decls.filter(|d| d.var == of).find_map(|d| d.source.as_deref())?;
        map.insert(v, terms.var_term(vars[["x", "y"].iter().position(|n| *n == name)?]));
    }
    Some(terms.substitute(t, &map))
}

/// Another relation in the place of this one.
fn relation(op: Op) -> Option<Op> {
    Some(match op {
        Op::BvUle => Op::BvUlt,
        Op::BvUlt => Op::BvUle,
        Op::BvSle => Op::BvSlt,
        Op::BvSlt => Op::BvSle,
        Op::Eq => Op::Distinct,
        Op::Distinct => Op::Eq,
        Op::And => Op::Or,
        Op::Or => Op::And,
        _ => return None,
    })
}

/// The term with another one in the place of a part of it.
fn replaced(terms: &mut Terms, t: Term, place: Term, new: Term) -> Term {
    let mut done: rustc_hash::FxHashMap<Term, Term> = rustc_hash::FxHashMap::from_iter([(place, new)]);
    for part in terms.post_order(&[t]) {
        if !done.contains_key(&part) {
            let args: Vec<Term> = terms.args(part).to_vec();
            let changed: Vec<Term> = args.iter().map(|a| done[a]).collect();
            let result = if changed == args { part } else { terms.mk(terms.op(part), &changed) };
            done.insert(part, result);
        }
    }
    done[&t]
}

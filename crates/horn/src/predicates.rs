//! Predicates that explicit-value analysis tracks beside the values of arguments, found by refinement of spurious error paths.
//!
//! An argument that takes too many values is left open in a table; but whether it is zero may matter all the same.
//! Such a fact is a further [column](Predicates) of the table. Which facts matter is learnt from [`Path`]s of rows that
//! end in an error and that no execution takes.

use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Op, Sort, Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    clauses::{Atom, Clause, System},
    explicit_values::Step,
};

/// How many facts about a relation there may be, and how large they may be.
const FACTS: usize = 24;
const SIZE: usize = 24;
/// How many choices of branches are looked into for a fact about arguments that are choices.
const CHOICES: usize = 64;

/// Facts about the arguments of each relation.
#[derive(Clone, Debug)]
pub(crate) struct Predicates {
    /// What stands for the arguments in the facts.
    formals: Vec<Vec<Var>>,
    facts: Vec<Vec<Term>>,
}

impl Predicates {
    /// No facts.
    pub fn new(system: &System, terms: &mut Terms) -> Predicates {
        let mut formal = |&s: &Sort| {
            let t = terms.fresh_var("argument", s);
            terms.as_var(t).expect("a fresh variable is a variable")
        };
        let formals: Vec<Vec<Var>> = system.relations.iter().map(|r| r.iter().map(&mut formal).collect()).collect();
        Predicates { facts: vec![Vec::new(); formals.len()], formals }
    }

    /// The variables that facts about a relation are over.
    pub fn formals(&self, relation: usize) -> &[Var] {
        &self.formals[relation]
    }

    /// The facts about a relation.
    pub fn facts(&self, relation: usize) -> &[Term] {
        &self.facts[relation]
    }

    /// The clauses with each fact as a further argument. If some relations satisfy these, then those of the
    /// arguments of which they hold together with the facts satisfy the given clauses.
    pub fn extend(&self, system: &System, terms: &mut Terms) -> System {
        let mut with = |atom: &Atom| {
            let facts = &self.facts[atom.relation];
            let mut args = atom.args.clone();
            if !facts.is_empty() {
                let formals = self.formals[atom.relation].iter().copied();
                let mut given = Substituter::new(terms, formals.zip(atom.args.iter().copied()).collect());
                args.extend(given.apply_all(terms, facts));
            }
            Atom { relation: atom.relation, args }
        };
        let clauses = system.clauses.iter().map(|c| Clause {
            body: c.body.iter().map(&mut with).collect(),
            condition: c.condition,
            head: c.head.as_ref().map(&mut with),
        });
        let clauses = clauses.collect();
        let sorts = |(sorts, facts): (&Vec<Sort>, &Vec<Term>)| {
            sorts.iter().copied().chain(facts.iter().map(|_| Sort::BOOL)).collect()
        };
        System {
            relations: system.relations.iter().zip(&self.facts).map(sorts).collect(),
            clauses,
            ..System::default()
        }
    }

    /// Adds what should be known to see that no execution takes a path through the extended clauses.
    pub fn refine(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        path: &Path<'_>,
    ) -> Result<Refined, SolverError> {
        solver.push()?;
        let taken = path.taken(terms, solver, &self.formals);
        solver.pop(1)?;
        let needed = match taken? {
            Taken::Never(needed) => needed,
            Taken::Sometimes => return Ok(Refined::Hopeless),
            Taken::Unknown => return Ok(Refined::Nothing),
        };
        let mut new = false;
        // What should be known after the step, from the last one back.
        let mut goals: Vec<Term> = Vec::new();
        for &(clause, row) in path.steps.iter().rev() {
            let Some(body) = clause.body.first() else { break };
            let mut step = Step::new(terms, clause, row);
            let mut roots = vec![step.condition];
            if let Some(head) = &clause.head {
                let args: Vec<Term> = head.args.iter().map(|&t| step.partial.apply(terms, t)).collect();
                roots.extend(&args);
                for goal in goals.drain(..) {
                    roots.extend(before(terms, goal, &self.formals[head.relation], &args));
                }
            }
            let formals = &self.formals[body.relation];
            let mut map = FxHashMap::default();
            for (i, (&arg, &formal)) in body.args.iter().zip(formals).enumerate() {
                if let Some(v) = terms.as_var(arg)
                    && needed.contains(&(body.relation, i))
                    && row[i].is_none()
                {
                    map.insert(v, terms.var_term(formal));
                }
            }
            goals = atoms(terms, &roots, &map);
            let mut formal = Substituter::new(terms, map);
            goals.iter_mut().for_each(|t| *t = formal.apply(terms, *t));
            let facts = &mut self.facts[body.relation];
            for &goal in &goals {
                let negated = terms.not(goal);
                if !facts.contains(&goal) && !facts.contains(&negated) && terms.as_var(goal).is_none() {
                    facts.push(goal);
                    new = true;
                }
            }
            if facts.len() > FACTS {
                return Ok(Refined::Nothing);
            }
        }
        Ok(if new { Refined::Predicates } else { Refined::Nothing })
    }
}

/// What a path that ends in an error taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refined {
    /// There are new columns.
    Predicates,
    /// Nothing.
    Nothing,
    /// There is an execution that takes it, so no claims satisfy the clauses.
    Hopeless,
}

/// Is there an execution that takes a path?
enum Taken {
    Sometimes,
    /// Since open arguments (of which relation, and which) keep their values from step to step.
    Never(FxHashSet<(usize, usize)>),
    Unknown,
}

/// Clauses of an extended system, each with the row that it was applied to: from a start to an error.
pub(crate) struct Path<'a> {
    pub steps: Vec<(&'a Clause, &'a [Option<Term>])>,
}

impl Path<'_> {
    /// Is there an execution that takes it? If not, the open arguments to blame are as few as leave no one out.
    fn taken(&self, terms: &mut Terms, solver: &mut dyn Solver, formals: &[Vec<Var>]) -> Result<Taken, SolverError> {
        let mut kept: Vec<((usize, usize), Vec<Term>)> = Vec::new();
        let mut index: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        let mut given: Vec<Term> = Vec::new();
        for &(clause, row) in &self.steps {
            let mut step = Step::new(terms, clause, row);
            let body = clause.body.iter().flat_map(|a| &a.args);
            let head = clause.head.iter().flat_map(|a| &a.args);
            let (body, head): (Vec<Term>, Vec<Term>) = (body.copied().collect(), head.copied().collect());
            let mut all: Vec<Term> = body.iter().chain(&head).map(|&t| step.partial.apply(terms, t)).collect();
            all.push(step.condition);
            let mut fresh = FxHashMap::default();
            for v in terms.free_vars(&all) {
                fresh.insert(v, terms.fresh_var("step", terms.var_sort(v)));
            }
            let all = Substituter::new(terms, fresh).apply_all(terms, &all);
            solver.assert(terms, all[all.len() - 1])?;
            if let Some(relation) = clause.body.first().map(|a| a.relation) {
                for (i, (&before, &here)) in given.iter().zip(&all).enumerate() {
                    match row[i] {
                        Some(value) => {
                            let same = terms.eq(before, value);
                            solver.assert(terms, same)?;
                        }
                        None if i < formals[relation].len() => {
                            let at = *index.entry((relation, i)).or_insert(kept.len());
                            if at == kept.len() {
                                kept.push(((relation, i), Vec::new()));
                            }
                            kept[at].1.push(terms.eq(before, here));
                        }
                        None => {}
                    }
                }
            }
            given = all[body.len()..all.len() - 1].to_vec();
        }
        let mut kept: Vec<((usize, usize), Term)> = kept.into_iter().map(|(i, same)| (i, terms.and(&same))).collect();
        let assumed: Vec<Term> = kept.iter().map(|k| k.1).collect();
        let core = match solver.check(terms, &assumed)? {
            Answer::Unsat(core) => core,
            Answer::Sat(_) => return Ok(Taken::Sometimes),
            Answer::Unknown(_) => return Ok(Taken::Unknown),
        };
        kept.retain(|k| core.contains(&k.1));
        // Those that are not necessary are left out, one after the other.
        let mut necessary = 0;
        while necessary < kept.len() {
            let i = kept.len() - necessary - 1;
            let assumed: Vec<Term> = kept[..i].iter().chain(&kept[i + 1..]).map(|k| k.1).collect();
            match solver.check(terms, &assumed)? {
                Answer::Unsat(core) => kept.retain(|k| core.contains(&k.1)),
                _ => necessary += 1,
            }
        }
        Ok(Taken::Never(kept.into_iter().map(|k| k.0).collect()))
    }
}

/// What should be known of the variables of a step for a fact about the arguments that it leads to: the fact, and if
/// arguments are choices, the fact about each branch.
fn before(terms: &mut Terms, fact: Term, formals: &[Var], args: &[Term]) -> Vec<Term> {
    let vars = terms.free_vars(&[fact]);
    let mut maps = vec![FxHashMap::default()];
    for v in vars {
        let Some(i) = formals.iter().position(|&f| f == v) else { continue };
        let branches = branches(terms, args[i]);
        if maps.len() * branches.len() > CHOICES {
            return Vec::new();
        }
        let with = |map: &FxHashMap<Var, Term>, &branch: &Term| {
            let mut map = map.clone();
            map.insert(v, branch);
            map
        };
        maps = maps.iter().flat_map(|m| branches.iter().map(move |b| with(m, b))).collect();
    }
    maps.into_iter().map(|m| terms.substitute(fact, &m)).collect()
}

/// What a term chooses among.
fn branches(terms: &Terms, t: Term) -> Vec<Term> {
    let (mut seen, mut stack, mut all) = (FxHashSet::default(), vec![t], Vec::new());
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.op(t) {
            Op::Ite => stack.extend(&terms.args(t)[1..]),
            _ => all.push(t),
        }
    }
    all
}

/// The small facts that terms are made of and that are about these variables alone.
fn atoms(terms: &Terms, roots: &[Term], about: &FxHashMap<Var, Term>) -> Vec<Term> {
    let (mut seen, mut stack, mut all) = (FxHashSet::default(), roots.to_vec(), Vec::new());
    while let Some(t) = stack.pop() {
        if !seen.insert(t) || terms.binds(t) > 0 {
            continue;
        }
        let args = terms.args(t);
        let is_bool = |t: Term| terms.sort(t) == Sort::BOOL;
        let connective = args.iter().any(|&a| is_bool(a));
        if is_bool(t) && !connective && !terms.is_value(t) && plain(terms, t, about) {
            all.push(t);
        } else {
            stack.extend(args);
        }
    }
    all
}

/// Is a term small, without choices, and about these variables alone?
fn plain(terms: &Terms, t: Term, about: &FxHashMap<Var, Term>) -> bool {
    let (mut stack, mut size) = (vec![t], 0);
    while let Some(t) = stack.pop() {
        size += 1;
        let known = terms.as_var(t).is_none_or(|v| about.contains_key(&v));
        if size > SIZE || !known || terms.op(t) == Op::Ite || terms.binds(t) > 0 {
            return false;
        }
        stack.extend(terms.args(t));
    }
    true
}

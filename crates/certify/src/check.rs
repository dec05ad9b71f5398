//! The check of a certificate: one question for the start of each tree and for each loop with an invariant; where it says that executions
//! show it, these are followed first ([`follow`](crate::paths::follow)), which asks no question.
//!
//! A question asks whether something that must not happen happens after its start and before the next loop with an invariant is
//! entered. What is assumed of a loop is that it was reached, that the invariants of it and of the loops around it hold, and that
//! what they never change is as it was; with k-induction, also that k rounds have gone before. Later loops have not been left yet. Earlier ones
//! have been left or not, at first with any values, and where these are too many, by some round of which the invariant held.

use lariat_program::{AssertId, Loc, Program, RegionId};
use lariat_smt::{Answer, Logic, Solver, SolverError};
use lariat_term::{Op, Sort, SortKind, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    certificate::{Certificate, Event, InstanceId, Symbol, Treatment, Tree},
    execute::{Execution, Executor, TooLarge},
    paths::{Followed, follow},
};

/// How many rounds k-induction may take.
const ROUNDS: u32 = 1_000;

/// What must not happen, or what must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The assertion holds.
    Assertion(AssertId, Loc),
    /// The box of this region, which the certificate leaves out and in which something may fail, is not reached.
    LeftOut(RegionId, Loc),
    /// The invariant of this loop holds where it is entered.
    Entered(RegionId, Loc),
    /// The invariant of this loop holds at the start of the next round.
    Kept(RegionId, Loc),
    /// What this procedure requires holds at a box.
    Requires(RegionId, Loc),
    /// What this procedure ensures holds where it returns.
    Ensures(RegionId),
}

/// What a check came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No execution fails an assertion that counts.
    Proved,
    /// The certificate is no proof: this may not hold.
    Fails(Goal),
    /// The certificate is none for this program.
    Malformed(String),
    /// It is not known, and why.
    Unknown(String),
}

impl Checked {
    /// In words.
    pub fn said(&self, program: &Program) -> String {
        match self {
            Checked::Proved => "accepted".into(),
            Checked::Malformed(why) => format!("rejected: {why}"),
            Checked::Unknown(why) => format!("unknown: {why}"),
            Checked::Fails(goal) => format!("rejected: {}", goal.unmet(program)),
        }
    }
}

impl Goal {
    /// What it means that the goal is not met.
    fn unmet(self, program: &Program) -> String {
        let name = |r: RegionId| &program.regions[r.index()].name;
        let at = |loc: Loc| match program.files.get(loc.file.index()) {
            Some(file) if loc.line > 0 => format!(" ({file}:{}:{})", loc.line, loc.column),
            _ => String::new(),
        };
        match self {
            Goal::Assertion(_, loc) => format!("it does not exclude that the assertion{} fails", at(loc)),
            Goal::LeftOut(r, loc) => {
                format!("it says nothing about `{}`{}, where something may fail", name(r), at(loc))
            }
            Goal::Entered(r, loc) => {
                format!("the invariant of `{}` need not hold where it is entered{}", name(r), at(loc))
            }
            Goal::Kept(r, loc) => format!("the invariant of `{}` need not hold after a round{}", name(r), at(loc)),
            Goal::Requires(r, loc) => format!("what `{}` requires need not hold{}", name(r), at(loc)),
            Goal::Ensures(r) => format!("what `{}` ensures need not hold", name(r)),
        }
    }
}

/// Opens a fresh solver, for a logic if the question is one of it.
pub type OpenSolver<'a> = &'a mut dyn FnMut(Option<Logic>) -> Result<Box<dyn Solver>, SolverError>;

/// Checks that a certificate proves that no execution from `entry` fails an assertion that counts. Solvers come from `open`, one for each
/// question. Executions are followed until `stopped` says so.
pub fn check(
    program: &Program,
    terms: &mut Terms,
    entry: RegionId,
    counts: &dyn Fn(AssertId) -> bool,
    certificate: &Certificate,
    open: OpenSolver<'_>,
    stopped: &dyn Fn() -> bool,
) -> Result<Checked, SolverError> {
    if let Err(why) = well_formed(program, terms, entry, certificate) {
        return Ok(Checked::Malformed(why));
    }
    if certificate.by_execution {
        match follow(program, terms, entry, counts, stopped) {
            Followed::Safe => return Ok(Checked::Proved),
            Followed::Fails(id, loc) => return Ok(Checked::Fails(Goal::Assertion(id, loc))),
            Followed::Unknown(why) => {
                // What is not listed may be missing because executions show it.
                let rest = questions(program, terms, counts, certificate, open)?;
                return Ok(if rest == Checked::Proved { rest } else { Checked::Unknown(why.into()) });
            }
        }
    }
    questions(program, terms, counts, certificate, open)
}

/// Asks the questions, until one has another answer than it should.
fn questions(
    program: &Program,
    terms: &mut Terms,
    counts: &dyn Fn(AssertId) -> bool,
    certificate: &Certificate,
    open: OpenSolver<'_>,
) -> Result<Checked, SolverError> {
    let mut executor = Executor::new(program, terms, certificate, counts);
    let axioms = executor.axioms();
    for (i, tree) in certificate.trees.iter().enumerate() {
        let execution = match executor.run(i) {
            Ok(execution) => execution,
            Err(TooLarge) => return Ok(Checked::Unknown("there are too many instances".into())),
        };
        let requires = tree.contract.map(|c| executor.claimed(c.requires));
        let starts = std::iter::once(None).chain((0..execution.cuts.len()).map(Some));
        for start in starts {
            let question = Question::new(executor.terms, &execution, start, requires);
            match question.ask(executor.terms, &execution, &axioms, open)? {
                Checked::Proved => {}
                other => return Ok(other),
            }
        }
    }
    Ok(Checked::Proved)
}

struct Question {
    assumed: Vec<Term>,
    /// The loops before the start, by position: none of them is around it.
    earlier: Vec<usize>,
    /// Positions of targets.
    targets: Vec<usize>,
}

impl Question {
    fn new(terms: &mut Terms, execution: &Execution, start: Option<usize>, requires: Option<Term>) -> Question {
        // The loops around the start, itself first.
        let around: Vec<usize> = std::iter::successors(start, |&cut| execution.cuts[cut].owner).collect();
        let mut assumed: Vec<Term> = requires.into_iter().collect();
        for &i in &around {
            let cut = &execution.cuts[i];
            assumed.extend([cut.guard, cut.invariant]);
            assumed.extend(cut.kept.iter().chain(&cut.history));
            assumed.push(terms.eq(cut.left, cut.exit));
            for &(symbol, value) in &cut.results {
                let same = terms.eq(symbol, value);
                assumed.push(terms.implies(cut.exit, same));
            }
        }
        let later = start.map_or(0, |s| s + 1);
        for cut in &execution.cuts[later..] {
            assumed.push(terms.not(cut.left));
        }
        let first = start.map_or(0, |s| execution.cuts[s].first);
        let inside = |owner: Option<usize>| owner.is_none_or(|o| around.contains(&o));
        let targets = (first..execution.targets.len()).filter(|&t| inside(execution.targets[t].owner)).collect();
        let earlier = (0..start.unwrap_or(0)).filter(|cut| !around.contains(cut)).collect();
        Question { assumed, earlier, targets }
    }

    fn ask(
        &self,
        terms: &mut Terms,
        execution: &Execution,
        axioms: &[Term],
        open: OpenSolver<'_>,
    ) -> Result<Checked, SolverError> {
        let bad: Vec<Term> = self.targets.iter().map(|&t| execution.targets[t].bad).collect();
        let any = terms.or(&bad);
        if any == terms.bool(false) {
            return Ok(Checked::Proved);
        }
        let mut question = [axioms, &self.assumed, &[any]].concat();
        let mut answer = answer_of(terms, &question, open)?;
        if matches!(answer, Answer::Sat(_)) && !self.earlier.is_empty() {
            question.extend(self.earlier.iter().map(|&cut| execution.cuts[cut].last_round(terms)));
            answer = answer_of(terms, &question, open)?;
        }
        Ok(match answer {
            Answer::Unsat(_) => Checked::Proved,
            Answer::Unknown(why) => Checked::Unknown(why.to_string()),
            Answer::Sat(model) => {
                let yes = terms.bool(true);
                let mut goal = None;
                for &t in &self.targets {
                    let target = &execution.targets[t];
                    if model.value(terms, target.bad).is_ok_and(|v| terms.value_term(&v) == yes) {
                        goal = Some(target.goal);
                        break;
                    }
                }
                goal.or_else(|| self.targets.first().map(|&t| execution.targets[t].goal))
                    .map_or_else(|| Checked::Unknown("a model without a goal".into()), Checked::Fails)
            }
        })
    }
}

/// What a fresh solver says of some assertions.
fn answer_of(terms: &Terms, question: &[Term], open: OpenSolver<'_>) -> Result<Answer, SolverError> {
    let mut solver = open(logic(terms, question))?;
    question.iter().try_for_each(|&t| solver.assert(terms, t))?;
    solver.check(terms, &[])
}

/// The logic of bit-vectors and arrays, if that is enough: solvers are better at it than at everything.
fn logic(terms: &Terms, question: &[Term]) -> Option<Logic> {
    let simple = |&s: &Sort| matches!(terms.sort_kind(s), SortKind::Bool | SortKind::BitVec(_) | SortKind::Array(..));
    let other = |&t: &Term| {
        matches!(terms.op(t), Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) | Op::ConstArray(_) | Op::App(_))
    };
    let fits = terms.used_sorts(question).iter().all(simple) && !terms.post_order(question).iter().any(other);
    fits.then_some(Logic::QF_AUFBV)
}

/// Does the certificate say what a certificate may say? A value that is fixed anew in each round of a loop must not be part of the
/// loop's invariant, and a contract is over what a procedure is given and gives.
fn well_formed(program: &Program, terms: &Terms, entry: RegionId, certificate: &Certificate) -> Result<(), String> {
    let Some(first) = certificate.trees.first() else { return Err("it has no tree".into()) };
    if first.region != entry || first.contract.is_some() {
        return Err("its first tree is not that of the entry".into());
    }
    let symbols: FxHashMap<Var, Symbol> = certificate.symbols.iter().copied().collect();
    let mut contracts = FxHashSet::default();
    for (number, tree) in certificate.trees.iter().enumerate() {
        if tree.region.index() >= program.regions.len() {
            return Err(format!("tree {number} is of a region that is not there"));
        }
        if number > 0 && (tree.contract.is_none() || !contracts.insert(tree.region)) {
            return Err(format!("tree {number} has no contract of its own"));
        }
        let symbols_in = |t: Term| {
            let vars = terms.free_vars(&[t]).into_iter();
            vars.filter_map(|v| symbols.get(&v)).filter(move |s| s.tree == number).copied().collect::<Vec<_>>()
        };
        for (t, exits) in tree.contract.iter().flat_map(|c| [(c.requires, false), (c.ensures, true)]) {
            for s in symbols_in(t) {
                let given = matches!(s.event, Event::Entry(_)) || exits && matches!(s.event, Event::Exit(_));
                if s.instance != Tree::FIRST || !given {
                    return Err(format!("the contract of tree {number} is about more than what is given and returned"));
                }
            }
        }
        let regions = regions(program, tree)?;
        for (i, instance) in tree.instances.iter().enumerate() {
            let Some(t) = instance.treatment.invariant() else { continue };
            if matches!(instance.treatment, Treatment::Induction(k, _) if k > ROUNDS) {
                return Err(format!("instance {i} of tree {number} has k-induction with more than {ROUNDS} rounds"));
            }
            let Some(region) = regions[i] else { continue };
            let inputs = program.regions[region.index()].inputs.iter().map(|d| d.var);
            let heads: FxHashSet<Var> = inputs.chain(program.globals.iter().map(|d| d.var)).collect();
            for s in symbols_in(t) {
                let own = s.instance.index() == i;
                let head = matches!(s.event, Event::Entry(v) if heads.contains(&v));
                if own && !head || !own && is_below(tree, s.instance, i) {
                    return Err(format!(
                        "the invariant of instance {i} of tree {number} is about values of a single round ({:?} of instance {})",
                        s.event, s.instance.0
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The region of each instance; nothing for boxes that are not there.
pub(crate) fn regions(program: &Program, tree: &Tree) -> Result<Vec<Option<RegionId>>, String> {
    let mut regions: Vec<Option<RegionId>> = Vec::new();
    let mut boxes = FxHashSet::default();
    for (i, instance) in tree.instances.iter().enumerate() {
        regions.push(match instance.boxed {
            None if i == 0 => Some(tree.region),
            Some((parent, site)) if parent.index() < i && boxes.insert((parent, site)) => {
                regions[parent.index()].and_then(|r| program.callee(r, site.block, site.stmt))
            }
            _ => return Err(format!("instance {i} is not boxed by an earlier one, or its box is listed twice")),
        });
    }
    Ok(regions)
}

/// Is an instance boxed, over some steps, by another one?
fn is_below(tree: &Tree, instance: InstanceId, above: usize) -> bool {
    let parent = |id: &InstanceId| tree.instances.get(id.index()).and_then(|i| i.boxed).map(|(p, _)| p);
    std::iter::successors(Some(instance), parent).skip(1).any(|p| p.index() == above)
}

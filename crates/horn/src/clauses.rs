//! A goal as Horn clauses.
//!
//! The entry is one long piece of straight code, cut at its loops ([`Inliner`]). After each box that is left
//! there is a *point*, a relation over the variables that are still needed; so is the head of each loop, with
//! what its surroundings need as further arguments. So clauses are linear, and a loop's relation is its
//! invariant. Recursive procedures alone have a relation for what they return.

use lariat_certify::{Event, Site};
use lariat_program::{AssertId, RegionId};
use lariat_summary::Summaries;
use lariat_term::{Sort, Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Goal,
    annotations::{conjuncts, stated_at_head},
    fragment::Fragment,
    inline::{Inlined, Inliner, Moment},
};

/// How many relations there may be.
const LIMIT: usize = 3_000;
/// How many clauses may come from putting the definitions of a point in its place, and how many there may be for that to go on.
const PRODUCT: usize = 64;
const CLAUSES: usize = 1_000;

/// A relation of some terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation's index.
    pub relation: usize,
    /// Of what.
    pub args: Vec<Term>,
}

/// For all values of its variables: if the atoms of the body and the condition hold, so does the head;
/// without a head, they do not all hold.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Atoms to be assumed.
    pub body: Vec<Atom>,
    /// What else is to be assumed.
    pub condition: Term,
    /// What follows.
    pub head: Option<Atom>,
}

impl Clause {
    /// All terms of the clause.
    pub(crate) fn roots(&self) -> Vec<Term> {
        let atoms = self.body.iter().chain(&self.head);
        atoms.flat_map(|a| &a.args).copied().chain([self.condition]).collect()
    }

    pub(crate) fn map(&self, mut f: impl FnMut(Term) -> Term) -> Clause {
        let mut atom = |a: &Atom| Atom { relation: a.relation, args: a.args.iter().map(|&t| f(t)).collect() };
        let (body, head) = (self.body.iter().map(&mut atom).collect(), self.head.as_ref().map(&mut atom));
        Clause { body, head, condition: f(self.condition) }
    }
}

/// Where a relation stands in the program.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub relation: usize,
    /// The recursive procedure that it is in; nothing for the entry.
    pub procedure: Option<RegionId>,
    pub point: Point,
    /// The arguments, over the variables of [`System::moments`] and those that are bound.
    pub args: Vec<Term>,
    /// What the relation is claimed of for all values of these.
    pub bound: Vec<Var>,
    /// Parameters of a loop that its rounds hand on, and what they are. The program as it was given may not plainly do so.
    pub kept: Vec<(Term, Term)>,
}

/// What a relation is about.
#[derive(Clone, Debug)]
pub(crate) enum Point {
    /// A loop, by the boxes that lead into it: the start of a round.
    Loop(Vec<Site>),
    /// Where a recursive procedure is entered.
    Entered,
    /// Where it returns.
    Returns,
}

/// Clauses and the sorts of their relations.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The sorts of each relation's arguments.
    pub relations: Vec<Vec<Sort>>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// Where relations stand in the program, as far as that is known.
    pub(crate) heads: Vec<Head>,
    /// Which values of the program the variables of heads stand for: in which recursive procedure, and when.
    pub(crate) moments: FxHashMap<Var, (Option<RegionId>, Moment)>,
    /// What the source claims of loop heads.
    pub(crate) stated: Vec<Stated>,
    /// The variables that the arguments of each relation were made from (a map for each of its cells); nothing where that is not known.
    pub(crate) arguments: Vec<Vec<Var>>,
    /// Relations that stand after a box: in which recursive procedure, and the boxes that lead into it.
    pub(crate) after: FxHashMap<usize, (Option<RegionId>, Vec<Site>)>,
    /// Relations that stand before a statement: in which recursive procedure, the boxes that lead to its region, and the statement.
    pub(crate) before: FxHashMap<usize, (Option<RegionId>, Vec<Site>, Site)>,
}

/// Something that the source claims of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    /// Where the claim stands; nothing where the program itself says it: what a loop only hands on is what it was given.
    pub assertion: Option<AssertId>,
    /// The claim does not hold: a clause without a head.
    pub fails: Clause,
}

impl System {
    /// The clauses of a goal: if some relations satisfy them, no execution fails. `None` if they are too many.
    pub fn new(goal: &Goal<'_>, terms: &mut Terms) -> Option<System> {
        System::made(goal, terms, false)
    }

    /// The same with quantifiers and functions without a definition as they are, for those who do not ask Spacer.
    pub(crate) fn whole(goal: &Goal<'_>, terms: &mut Terms) -> Option<System> {
        System::made(goal, terms, true)
    }

    fn made(goal: &Goal<'_>, terms: &mut Terms, whole: bool) -> Option<System> {
        let mut summaries = Summaries::new(goal.program, terms);
        let flats = Inliner::new(goal, terms, &mut summaries)?;
        let constants: FxHashSet<Var> = goal.program.constants.iter().map(|d| d.var).collect();
        let used = goal.program.reached(goal.entry).into_iter().filter_map(|r| flats.get(r));
        let roots: Vec<Term> = used.flat_map(|f| f.roots()).collect();
        let mut frame: Vec<Var> = terms.free_vars(&roots).into_iter().filter(|v| constants.contains(v)).collect();
        frame.sort_unstable();
        let mut builder = Builder {
            goal,
            flats,
            system: System::default(),
            procedures: FxHashMap::default(),
            constants: frame,
            work: Vec::new(),
            readable: (!whole).then(Fragment::default),
            axioms: terms.bool(true),
            stated: FxHashMap::default(),
        };
        for r in goal.program.reached(goal.entry) {
            let stated = stated_at_head(goal.program, terms, r).into_iter();
            let stated: Vec<_> = stated.map(|(id, claim)| (id, summaries.expand(terms, claim))).collect();
            builder.stated.insert(r, stated);
        }
        let mut axioms = summaries.axioms(goal.program, terms);
        if let Some(readable) = &mut builder.readable {
            axioms.retain(|&a| readable.reads(terms, a));
            builder.axioms = terms.and(&axioms);
            axioms.clear();
        }
        builder.entry(terms)?;
        while let Some(job) = builder.work.pop() {
            if builder.system.relations.len() > LIMIT || !(goal.go_on)() {
                return None;
            }
            builder.list(terms, job);
        }
        let Builder { mut system, constants, .. } = builder;
        system.compose(terms, goal.go_on, &constants)?;
        if system.stated.iter().any(|s| s.assertion.is_some()) {
            system.keep_heads(terms, goal.go_on, &constants)?;
        }
        // Quantifiers may be needed anywhere.
        let axioms = terms.and(&axioms);
        for clause in &mut system.clauses {
            clause.condition = terms.and(&[axioms, clause.condition]);
        }
        Some(system)
    }

    pub(crate) fn relation(&mut self, terms: &Terms, vars: &[Var]) -> usize {
        self.arguments.push(vars.to_vec());
        self.relations.push(vars.iter().map(|&v| terms.var_sort(v)).collect());
        self.relations.len() - 1
    }

    /// Puts the only clause that a relation follows from in the place of the relation.
    fn compose(&mut self, terms: &mut Terms, go_on: &dyn Fn() -> bool, constants: &[Var]) -> Option<()> {
        // What procedures need and give is their contract, if there is a proof.
        let of_procedure = |h: &&Head| matches!(h.point, Point::Entered | Point::Returns);
        let contracts: FxHashSet<usize> = self.heads.iter().filter(of_procedure).map(|h| h.relation).collect();
        for relation in (0..self.relations.len()).filter(|r| !contracts.contains(r)) {
            if !go_on() {
                return None;
            }
            let heads = |c: &Clause| c.head.as_ref().is_some_and(|a| a.relation == relation);
            let mut defining = self.clauses.iter().enumerate().filter(|(_, c)| heads(c)).map(|(i, _)| i);
            let (Some(first), None) = (defining.next(), defining.next()) else { continue };
            let recursive = self.clauses[first].body.iter().any(|a| a.relation == relation);
            let users = self.clauses.iter().filter(|c| c.body.iter().any(|a| a.relation == relation)).count();
            // What the source claims of a relation is to be kept there.
            if recursive
                || users > 4
                || self.stated.iter().any(|s| s.assertion.is_some() && s.fails.body[0].relation == relation)
            {
                continue;
            }
            let definition = self.clauses.swap_remove(first);
            for i in 0..self.clauses.len() {
                while let Some(at) = self.clauses[i].body.iter().position(|a| a.relation == relation) {
                    self.clauses[i] = resolve(terms, &mut self.moments, &self.clauses[i], at, &definition, constants);
                }
            }
        }
        let no = terms.bool(false);
        self.clauses.retain(|c| c.condition != no);
        Some(())
    }

    /// Puts the clauses that the points after loops follow from in the place of these points, as long as there are not too many: so what
    /// the source claims of loop heads alone may satisfy the clauses.
    fn keep_heads(&mut self, terms: &mut Terms, go_on: &dyn Fn() -> bool, constants: &[Var]) -> Option<()> {
        let kept: FxHashSet<usize> = self.heads.iter().map(|h| h.relation).collect();
        let no = terms.bool(false);
        for relation in (0..self.relations.len()).filter(|r| !kept.contains(r)) {
            if !go_on() {
                return None;
            }
            let heads = |c: &Clause| c.head.as_ref().is_some_and(|a| a.relation == relation);
            let uses = |c: &Clause| c.body.iter().position(|a| a.relation == relation);
            let defining: Vec<usize> = (0..self.clauses.len()).filter(|&i| heads(&self.clauses[i])).collect();
            let users: Vec<usize> = (0..self.clauses.len()).filter(|&i| uses(&self.clauses[i]).is_some()).collect();
            let recursive = defining.iter().any(|i| users.contains(i));
            if recursive || defining.len() * users.len() > PRODUCT || self.clauses.len() > CLAUSES {
                continue;
            }
            let mut made = Vec::new();
            for &user in &users {
                for &definition in &defining {
                    let (user, definition) = (&self.clauses[user], &self.clauses[definition]);
                    // Points come after loops, so they are the first atom of a body, and only that.
                    let Some(at) = uses(user) else { continue };
                    made.push(resolve(terms, &mut self.moments, user, at, definition, constants));
                }
            }
            made.retain(|c| c.condition != no);
            let mut old = 0..;
            self.clauses.retain(|_| old.next().is_none_or(|i| !defining.contains(&i) && !users.contains(&i)));
            self.clauses.extend(made);
        }
        Some(())
    }
}

/// The clause with an atom of its body, all of whose arguments are variables or whatever, replaced by what it
/// follows from.
fn resolve(
    terms: &mut Terms,
    moments: &mut FxHashMap<Var, (Option<RegionId>, Moment)>,
    clause: &Clause,
    at: usize,
    definition: &Clause,
    constants: &[Var],
) -> Clause {
    let mut map = FxHashMap::default();
    // Constants are the same everywhere.
    for v in terms.free_vars(&definition.roots()).into_iter().filter(|v| !constants.contains(v)) {
        let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
        let new = terms.fresh_var(&name, sort);
        map.insert(v, new);
        if let (Some(new), Some(moment)) = (terms.as_var(new), moments.get(&v).cloned()) {
            moments.insert(new, moment);
        }
    }
    let mut rename = Substituter::new(terms, map);
    let definition = definition.map(|t| rename.apply(terms, t));
    let given = definition.head.map(|a| a.args).unwrap_or_default();
    let (mut map, mut equal) = (FxHashMap::default(), vec![definition.condition]);
    for (&arg, value) in clause.body[at].args.iter().zip(given) {
        match terms.as_var(arg) {
            Some(v) if !map.contains_key(&v) => {
                map.insert(v, value);
            }
            _ => equal.push(terms.eq(arg, value)),
        }
    }
    let mut clause = clause.clone();
    clause.body.remove(at);
    equal.push(clause.condition);
    clause.condition = terms.and(&equal);
    let mut bind = Substituter::new(terms, map);
    let mut clause = clause.map(|t| bind.apply(terms, t));
    clause.body.extend(definition.body);
    clause
}

/// The relations of a recursive procedure.
#[derive(Clone, Copy)]
struct Procedure {
    /// It is entered with these parameters.
    entered: usize,
    /// From these parameters it may return these values.
    returns: usize,
}

/// Straight code whose clauses are still to be made.
struct Job {
    region: RegionId,
    /// The recursive procedure that it is in; nothing for the entry.
    procedure: Option<RegionId>,
    /// The boxes that lead to it from there.
    path: Vec<Site>,
    flat: Inlined,
    /// Where it starts: a relation of variables; nothing for the entry.
    start: Option<(usize, Vec<Var>)>,
    /// Variables to be kept until the end.
    frame: Vec<Var>,
    /// The positions of the parameters that follow the frame in `start`, for a loop.
    again: Vec<usize>,
    exit: Option<Exit>,
}

/// Where straight code leads if it returns.
struct Exit {
    relation: usize,
    args: Vec<Var>,
    /// Those of `args` that stand for π and for the values.
    returns: Option<Var>,
    values: Vec<Var>,
}

struct Builder<'a> {
    goal: &'a Goal<'a>,
    flats: Inliner,
    system: System,
    procedures: FxHashMap<RegionId, Procedure>,
    /// The constants of the program that are used anywhere.
    constants: Vec<Var>,
    work: Vec<Job>,
    /// Puts what Spacer reads in the place of terms, if clauses are for it.
    readable: Option<Fragment>,
    /// What holds of the constants.
    axioms: Term,
    /// What the source claims of the starts of loops.
    stated: FxHashMap<RegionId, Vec<(AssertId, Term)>>,
}

impl Builder<'_> {
    fn entry(&mut self, terms: &mut Terms) -> Option<()> {
        let region = self.goal.entry;
        let flat = self.flats.get(region)?;
        let params: Vec<Var> = flat.params.iter().map(|&v| fresh(terms, v)).collect();
        let args: Vec<Term> = params.iter().map(|&v| terms.var_term(v)).collect();
        self.entered(None, &[], &flat.params, &params);
        let flat = flat.instance(terms, &args);
        let frame = self.constants.clone();
        let (procedure, path) = (None, Vec::new());
        self.work.push(Job { region, procedure, path, flat, start: None, frame, again: Vec::new(), exit: None });
        Some(())
    }

    /// The clauses of straight code.
    fn list(&mut self, terms: &mut Terms, mut job: Job) {
        for (v, moment) in std::mem::take(&mut job.flat.values_of) {
            self.system.moments.insert(v, (job.procedure, moment.below(&job.path)));
        }
        let tail = self.flats.is_tail_loop(job.region);
        if tail {
            // Once a loop goes on with its next round, this one is over.
            let no = terms.bool(false);
            let own = job.flat.boxes.iter().filter(|b| b.callee == job.region);
            let map: FxHashMap<Var, Term> = own.map(|b| (b.returns, no)).collect();
            let mut over = Substituter::new(terms, map);
            job.flat.apply(|t| over.apply(terms, t));
        }
        if let Some(readable) = &mut self.readable {
            job.flat.apply(|t| readable.apply(terms, t));
        }
        let spans = Spans::new(terms, &job);
        let last = job.flat.boxes.len();
        let mut point = job.start.clone();
        let mut errors = job.flat.errors.clone();
        for (i, site) in job.flat.boxes.iter().enumerate() {
            errors = self.errors_at(terms, &spans, i, &point, errors);
            let next: Vec<Var> = spans.alive(i + 1);
            let after = self.system.relation(terms, &next);
            self.system.after.insert(after, (job.procedure, [&job.path[..], &site.path].concat()));
            let go = |this: &mut Self, terms: &mut Terms, condition: Term, returns: bool, extra: Option<Atom>| {
                let returns = terms.bool(returns);
                let value = |terms: &mut Terms, v: Var| if v == site.returns { returns } else { terms.var_term(v) };
                let args = next.iter().map(|&v| value(terms, v)).collect();
                this.clause(terms, &point, extra, condition, Some(Atom { relation: after, args }));
            };
            let not = terms.not(site.guard);
            go(self, terms, not, false, None);
            if tail && site.callee == job.region {
                let Some((head, _)) = job.start else { continue };
                let mut args: Vec<Term> = job.frame.iter().map(|&v| terms.var_term(v)).collect();
                args.extend(job.again.iter().map(|&p| site.args[p]));
                self.clause(terms, &point, None, site.guard, Some(Atom { relation: head, args }));
            } else if self.flats.is_tail_loop(site.callee) {
                let exit = Exit {
                    relation: after,
                    args: next.clone(),
                    returns: Some(site.returns),
                    values: site.values.clone(),
                };
                let own: FxHashSet<Var> = site.values.iter().copied().chain([site.returns]).collect();
                let frame = next.iter().copied().filter(|v| !own.contains(v)).collect();
                let place = (job.procedure, [&job.path[..], &site.path].concat());
                self.enter_loop(terms, site.callee, place, &site.args, site.guard, &point, frame, exit);
            } else if let Some(procedure) = self.procedure(terms, site.callee) {
                let mut args = site.args.clone();
                args.extend(self.constants.iter().map(|&v| terms.var_term(v)));
                let entered = Atom { relation: procedure.entered, args: args.clone() };
                self.clause(terms, &point, None, site.guard, Some(entered));
                args.extend(site.values.iter().map(|&v| terms.var_term(v)));
                go(self, terms, site.guard, true, Some(Atom { relation: procedure.returns, args }));
            }
            point = Some((after, next));
        }
        self.errors_at(terms, &spans, last, &point, errors);
        if let Some(exit) = &job.exit {
            let yes = terms.bool(true);
            let mut map: FxHashMap<Var, Term> =
                exit.values.iter().copied().zip(job.flat.values.iter().copied()).collect();
            map.extend(exit.returns.map(|v| (v, yes)));
            let value = |terms: &mut Terms, v: Var| map.get(&v).copied().unwrap_or_else(|| terms.var_term(v));
            let args = exit.args.iter().map(|&v| value(terms, v)).collect();
            self.clause(terms, &point, None, job.flat.returns, Some(Atom { relation: exit.relation, args }));
        }
    }

    /// Clauses for the errors that are decided at a point; the others are given back.
    fn errors_at(
        &mut self,
        terms: &mut Terms,
        spans: &Spans,
        at: usize,
        point: &Option<(usize, Vec<Var>)>,
        errors: Vec<Term>,
    ) -> Vec<Term> {
        let (now, later): (Vec<Term>, Vec<Term>) = errors.into_iter().partition(|&e| spans.decided(terms, e) <= at);
        for e in now {
            self.clause(terms, point, None, e, None);
        }
        later
    }

    #[allow(clippy::too_many_arguments)] // the parts of one box and of where it stands
    fn enter_loop(
        &mut self,
        terms: &mut Terms,
        region: RegionId,
        (procedure, path): (Option<RegionId>, Vec<Site>),
        args: &[Term],
        guard: Term,
        point: &Option<(usize, Vec<Var>)>,
        mut frame: Vec<Var>,
        exit: Exit,
    ) {
        let Some(flat) = self.flats.get(region) else { return };
        let own: Vec<&[Term]> = flat.boxes.iter().filter(|b| b.callee == region).map(|b| &b.args[..]).collect();
        let mut known: FxHashSet<Var> = frame.iter().copied().collect();
        for &c in &self.constants {
            if known.insert(c) {
                frame.push(c);
            }
        }
        let (mut params, mut again, mut fresh_params) = (Vec::new(), Vec::new(), Vec::new());
        let mut kept = Vec::new();
        let (mut handed_on, anything) = (Vec::new(), self.stated.values().any(|claims| !claims.is_empty()));
        for (i, (&p, &arg)) in flat.params.iter().zip(args).enumerate() {
            let itself = terms.var_term(p);
            let constant = own.iter().all(|a| a[i] == itself);
            if constant && (terms.is_value(arg) || terms.as_var(arg).is_some()) {
                if let Some(v) = terms.as_var(arg)
                    && known.insert(v)
                {
                    frame.push(v);
                }
                params.push(arg);
                let own = fresh(terms, p);
                self.entered(procedure, &path, &flat.params[i..=i], &[own]);
                kept.push((terms.var_term(own), arg));
                continue;
            }
            let p = fresh(terms, p);
            params.push(terms.var_term(p));
            // Where claims are about the one, the other may be what matters after the loop.
            if constant && anything {
                let own = terms.var_term(p);
                handed_on.push(terms.eq(own, arg));
            }
            self.entered(procedure, &path, &flat.params[i..=i], &[p]);
            again.push(i);
            fresh_params.push(p);
        }
        // What was decided before the loop, of values that it does not change, holds in it.
        if anything {
            handed_on.extend(conjuncts(terms, guard));
        }
        let vars: Vec<Var> = frame.iter().chain(&fresh_params).copied().collect();
        let relation = self.system.relation(terms, &vars);
        let point_of = Point::Loop(path.clone());
        let args_of = vars.iter().map(|&v| terms.var_term(v)).collect();
        self.system.heads.push(Head { relation, procedure, point: point_of, args: args_of, bound: Vec::new(), kept });
        let mut given: Vec<Term> = frame.iter().map(|&v| terms.var_term(v)).collect();
        given.extend(again.iter().map(|&i| args[i]));
        self.clause(terms, point, None, guard, Some(Atom { relation, args: given }));
        let map: FxHashMap<Var, Term> = flat.params.iter().copied().zip(params.iter().copied()).collect();
        for (assertion, claim) in self.stated.get(&region).cloned().unwrap_or_default() {
            let claim = terms.substitute(claim, &map);
            self.state(terms, Some(assertion), claim, relation, &vars);
        }
        handed_on.into_iter().for_each(|claim| self.state(terms, None, claim, relation, &vars));
        let flat = flat.instance(terms, &params);
        let start = Some((relation, vars));
        self.work.push(Job { region, procedure, path, flat, start, frame, again, exit: Some(exit) });
    }

    /// Notes what the source claims of a relation, if it is about its arguments.
    fn state(&mut self, terms: &mut Terms, assertion: Option<AssertId>, claim: Term, relation: usize, vars: &[Var]) {
        let about = terms.free_vars(&[claim]).iter().all(|v| vars.contains(v) || self.constants.contains(v));
        if about && self.readable.as_mut().is_none_or(|readable| readable.reads(terms, claim)) {
            let args = vars.iter().map(|&v| terms.var_term(v)).collect();
            let (body, condition) = (vec![Atom { relation, args }], terms.not(claim));
            self.system.stated.push(Stated { assertion, fails: Clause { body, condition, head: None } });
        }
    }

    /// Notes what variables stand for: parameters where an instance is entered.
    fn entered(&mut self, procedure: Option<RegionId>, path: &[Site], params: &[Var], vars: &[Var]) {
        for (&p, &v) in params.iter().zip(vars) {
            self.system.moments.insert(v, (procedure, Moment { path: path.to_vec(), event: Event::Entry(p) }));
        }
    }

    /// The relations of a recursive procedure, whose clauses will follow.
    fn procedure(&mut self, terms: &mut Terms, region: RegionId) -> Option<Procedure> {
        if let Some(&p) = self.procedures.get(&region) {
            return Some(p);
        }
        let flat = self.flats.get(region)?;
        let params: Vec<Var> = flat.params.iter().map(|&v| fresh(terms, v)).collect();
        let args: Vec<Term> = params.iter().map(|&v| terms.var_term(v)).collect();
        self.entered(Some(region), &[], &flat.params, &params);
        let flat = flat.instance(terms, &args);
        let frame: Vec<Var> = params.into_iter().chain(self.constants.iter().copied()).collect();
        let entered = self.system.relation(terms, &frame);
        let mut values = Vec::new();
        for &t in &flat.values {
            let v = terms.fresh_var("value", terms.sort(t));
            values.extend(terms.as_var(v));
        }
        for (&v, &given) in values.iter().zip(&flat.gives) {
            let moment = Moment { path: Vec::new(), event: Event::Exit(given) };
            self.system.moments.insert(v, (Some(region), moment));
        }
        let args: Vec<Var> = frame.iter().chain(&values).copied().collect();
        let returns = self.system.relation(terms, &args);
        for (relation, point, vars) in [(entered, Point::Entered, &frame), (returns, Point::Returns, &args)] {
            let args = vars.iter().map(|&v| terms.var_term(v)).collect();
            self.system.heads.push(Head {
                relation,
                procedure: Some(region),
                point,
                args,
                bound: Vec::new(),
                kept: Vec::new(),
            });
        }
        let exit = Exit { relation: returns, args, returns: None, values };
        let start = Some((entered, frame.clone()));
        let (procedure, path) = (Some(region), Vec::new());
        self.work.push(Job { region, procedure, path, flat, start, frame, again: Vec::new(), exit: Some(exit) });
        let procedure = Procedure { entered, returns };
        self.procedures.insert(region, procedure);
        Some(procedure)
    }

    fn clause(
        &mut self,
        terms: &mut Terms,
        point: &Option<(usize, Vec<Var>)>,
        extra: Option<Atom>,
        condition: Term,
        head: Option<Atom>,
    ) {
        if condition == terms.bool(false) {
            return;
        }
        let atom = |terms: &mut Terms, (relation, vars): &(usize, Vec<Var>)| Atom {
            relation: *relation,
            args: vars.iter().map(|&v| terms.var_term(v)).collect(),
        };
        let body: Vec<Atom> = point.as_ref().map(|p| atom(terms, p)).into_iter().chain(extra).collect();
        let condition = if point.is_none() { terms.and(&[self.axioms, condition]) } else { condition };
        self.system.clauses.push(Clause { body, condition, head });
    }
}

fn fresh(terms: &mut Terms, v: Var) -> Var {
    let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
    let t = terms.fresh_var(&name, sort);
    terms.as_var(t).expect("a fresh variable is a variable")
}

/// From which point on the variables of straight code have values, and up to which they are needed.
struct Spans {
    first: FxHashMap<Var, usize>,
    last: FxHashMap<Var, usize>,
    /// The variables in order.
    vars: Vec<Var>,
    /// The points after which placeholders have values.
    placeholders: FxHashMap<Var, usize>,
}

impl Spans {
    fn new(terms: &Terms, job: &Job) -> Spans {
        let end = job.flat.boxes.len();
        let mut spans = Spans {
            first: FxHashMap::default(),
            last: FxHashMap::default(),
            vars: Vec::new(),
            placeholders: FxHashMap::default(),
        };
        for (i, b) in job.flat.boxes.iter().enumerate() {
            for &v in b.values.iter().chain([&b.returns]) {
                spans.placeholders.insert(v, i + 1);
                spans.first.insert(v, i + 1);
            }
        }
        for &v in job.start.iter().flat_map(|(_, vars)| vars).chain(&job.frame) {
            spans.first.insert(v, 0);
        }
        for (i, b) in job.flat.boxes.iter().enumerate() {
            let roots: Vec<Term> = b.args.iter().copied().chain([b.guard]).collect();
            for v in terms.free_vars(&roots) {
                spans.first.entry(v).or_insert(i + 1);
                spans.need(v, i);
            }
        }
        for &e in &job.flat.errors {
            let at = spans.decided(terms, e);
            for v in terms.free_vars(&[e]) {
                spans.need(v, at);
            }
        }
        if job.exit.is_some() {
            let roots: Vec<Term> = job.flat.values.iter().copied().chain([job.flat.returns]).collect();
            terms.free_vars(&roots).into_iter().for_each(|v| spans.need(v, end));
            job.frame.iter().for_each(|&v| spans.need(v, end));
        }
        // The next round of a loop needs its frame.
        let again = job.flat.boxes.iter().rposition(|b| b.callee == job.region).unwrap_or(0);
        job.frame.iter().for_each(|&v| spans.need(v, again));
        spans.vars = spans.last.keys().copied().collect();
        spans.vars.sort_unstable();
        spans
    }

    fn need(&mut self, v: Var, at: usize) {
        let last = self.last.entry(v).or_insert(at);
        *last = (*last).max(at);
    }

    /// The first point at which a term has a value.
    fn decided(&self, terms: &Terms, t: Term) -> usize {
        terms.free_vars(&[t]).iter().filter_map(|v| self.placeholders.get(v)).copied().max().unwrap_or(0)
    }

    /// The variables that have a value before a point and are needed at it or later.
    fn alive(&self, point: usize) -> Vec<Var> {
        let begun = |v: &Var| self.first.get(v).is_some_and(|&f| f <= point);
        let alive = self.vars.iter().copied().filter(|v| self.last[v] >= point && begun(v));
        alive.collect()
    }
}

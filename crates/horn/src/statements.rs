//! A goal as Horn clauses with a relation at each statement, as *Abstractions from proofs* has locations.
//!
//! Relations are over the current values of variables. Loops are part of the procedure that they stand in: their relations also have what is around them. A procedure
//! has relations of its own, over its variables and what its parameters and globals were when it was called, so they say the same
//! for all callers; a call is a clause with two atoms. Nothing is put in place, and nothing is left out.

use lariat_certify::{Event, Site};
use lariat_program::{BlockId, Region, RegionId, Stmt, StmtKind, Terminator};
use lariat_summary::Summaries;
use lariat_term::{Sort, Substituter, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::{
    Goal,
    clauses::{Atom, Clause, Head, Point, System},
    fragment::Fragment,
    inline::{Moment, is_tail_loop},
};

/// How many relations there may be.
const LIMIT: usize = 20_000;

impl System {
    /// The clauses of a goal with a relation at each statement; `None` if they are too many. Solutions of these are not told as certificates.
    pub fn statements(goal: &Goal<'_>, terms: &mut Terms) -> Option<System> {
        let mut summaries = Summaries::new(goal.program, terms);
        let mut constants: Vec<Var> = goal.program.constants.iter().map(|d| d.var).collect();
        constants.sort_unstable();
        let mut readable = Fragment::default();
        let mut axioms = summaries.axioms(goal.program, terms);
        axioms.retain(|&a| readable.reads(terms, a));
        let axioms = terms.and(&axioms);
        let mut builder = Builder {
            goal,
            summaries,
            system: System::default(),
            constants,
            axioms,
            contexts: Vec::new(),
            procedures: FxHashMap::default(),
            points: FxHashMap::default(),
        };
        let entry = builder.context_of_procedure(terms, goal.entry, true);
        builder.start(terms, entry);
        let mut next = 0;
        while next < builder.contexts.len() {
            if builder.system.relations.len() > LIMIT || !(goal.go_on)() {
                return None;
            }
            builder.list(terms, next);
            next += 1;
        }
        let no = terms.bool(false);
        builder.system.clauses.retain(|c| c.condition != no);
        Some(builder.system)
    }
}

/// A procedure, or a loop in one.
struct Context {
    region: RegionId,
    /// The procedure; nothing for the entry.
    procedure: Option<RegionId>,
    /// The boxes that lead here from there.
    path: Vec<Site>,
    /// The arguments of all relations here: variables that stand for current values, and for those at the call.
    columns: Vec<Var>,
    /// Which column holds a variable of the program.
    env: FxHashMap<Var, Var>,
    exit: Exit,
}

#[derive(Clone)]
enum Exit {
    /// The run ends.
    End,
    /// What a procedure returns: over what it was given and what it gives back.
    Returns { relation: usize, given: Vec<Var> },
    /// Behind the box of a loop, in the context around it.
    Behind { context: usize, block: BlockId, stmt: usize, results: Vec<Var> },
}

/// The relations of a procedure.
#[derive(Clone)]
struct Procedure {
    entered: usize,
    returns: usize,
}

struct Builder<'a> {
    goal: &'a Goal<'a>,
    summaries: Summaries,
    system: System,
    constants: Vec<Var>,
    axioms: Term,
    contexts: Vec<Context>,
    procedures: FxHashMap<RegionId, Procedure>,
    points: FxHashMap<(usize, BlockId, usize), usize>,
}

impl Builder<'_> {
    fn region(&self, region: RegionId) -> &Region {
        &self.goal.program.regions[region.index()]
    }

    /// A variable for values of a variable of the program.
    fn column(&mut self, terms: &mut Terms, v: Var, moment: (Option<RegionId>, &[Site], Event)) -> Var {
        let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
        let t = terms.fresh_var(&name, sort);
        let column = terms.as_var(t).expect("a fresh variable is a variable");
        let (procedure, path, event) = moment;
        self.system.moments.insert(column, (procedure, Moment { path: path.to_vec(), event }));
        column
    }

    /// The globals that a procedure may touch.
    fn globals(&self, region: RegionId) -> Vec<Var> {
        let effects = self.summaries.effects(region);
        let mut all: Vec<Var> = effects.uses.iter().chain(&effects.modifies).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn own(&self, region: RegionId) -> Vec<Var> {
        let r = self.region(region);
        let mut all: Vec<Var> = r.inputs.iter().chain(&r.outputs).chain(&r.locals).map(|d| d.var).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn context_of_procedure(&mut self, terms: &mut Terms, region: RegionId, entry: bool) -> usize {
        let procedure = (!entry).then_some(region);
        let mut env = FxHashMap::default();
        let mut columns = self.constants.clone();
        let globals = self.globals(region);
        let mut exit = Exit::End;
        if !entry {
            // What was given stays known.
            let inputs: Vec<Var> = self.region(region).inputs.iter().map(|d| d.var).collect();
            let given: Vec<Var> = inputs.into_iter().chain(globals.iter().copied()).collect();
            let kept: Vec<Var> =
                given.iter().map(|&v| self.column(terms, v, (procedure, &[], Event::Entry(v)))).collect();
            columns.extend(&kept);
            let relation = self.procedures[&region].returns;
            exit = Exit::Returns { relation, given: kept };
        }
        for v in self.own(region).into_iter().chain(globals) {
            let column = self.column(terms, v, (procedure, &[], Event::Entry(v)));
            env.insert(v, column);
            columns.push(column);
        }
        self.contexts.push(Context { region, procedure, path: Vec::new(), columns, env, exit });
        self.contexts.len() - 1
    }

    /// The relations of a procedure, whose clauses will follow.
    fn procedure(&mut self, terms: &mut Terms, region: RegionId) -> Procedure {
        if let Some(known) = self.procedures.get(&region) {
            return known.clone();
        }
        let inputs: Vec<Var> = self.region(region).inputs.iter().map(|d| d.var).collect();
        let given: Vec<Var> = inputs.into_iter().chain(self.globals(region)).collect();
        let outputs: Vec<Var> = self.region(region).outputs.iter().map(|d| d.var).collect();
        let gives: Vec<Var> = outputs.into_iter().chain(self.globals(region)).collect();
        let at = Some(region);
        let before: Vec<Var> = given.iter().map(|&v| self.column(terms, v, (at, &[], Event::Entry(v)))).collect();
        let after: Vec<Var> = gives.iter().map(|&v| self.column(terms, v, (at, &[], Event::Exit(v)))).collect();
        let mut args = before.clone();
        args.extend(&self.constants);
        let entered = self.system.relation(terms, &args);
        self.place(terms, entered, at, Point::Entered, &args);
        let mut args: Vec<Var> = after;
        args.extend(&before);
        args.extend(&self.constants);
        let returns = self.system.relation(terms, &args);
        self.place(terms, returns, at, Point::Returns, &args);
        let procedure = Procedure { entered, returns };
        self.procedures.insert(region, procedure.clone());
        let context = self.context_of_procedure(terms, region, false);
        self.start(terms, context);
        procedure
    }

    fn place(&mut self, terms: &mut Terms, relation: usize, procedure: Option<RegionId>, point: Point, args: &[Var]) {
        let args = args.iter().map(|&v| terms.var_term(v)).collect();
        self.system.heads.push(Head { relation, procedure, point, args, bound: Vec::new(), kept: Vec::new() });
    }

    /// The clause that enters a procedure: what it is given, all else arbitrary.
    fn start(&mut self, terms: &mut Terms, context: usize) {
        let Context { region, exit, .. } = &self.contexts[context];
        let (region, exit) = (*region, exit.clone());
        let first = self.point(terms, context, BlockId(0), 0);
        let (mut body, mut values) = (Vec::new(), FxHashMap::default());
        let mut condition = terms.bool(true);
        match exit {
            Exit::Returns { given, .. } => {
                let mut args: Vec<Term> = given.iter().map(|&v| terms.var_term(v)).collect();
                let inputs: Vec<Var> = self.region(region).inputs.iter().map(|d| d.var).collect();
                for (v, &t) in inputs.into_iter().chain(self.globals(region)).zip(&args) {
                    values.insert(v, t);
                }
                args.extend(self.constants.iter().map(|&v| terms.var_term(v)));
                body.push(Atom { relation: self.procedures[&region].entered, args });
            }
            _ => condition = self.axioms,
        }
        let head = self.atom(terms, context, first, &values);
        self.system.clauses.push(Clause { body, condition, head: Some(head) });
    }

    /// The relation before a statement, or before the end of a block.
    fn point(&mut self, terms: &mut Terms, context: usize, block: BlockId, stmt: usize) -> usize {
        if let Some(&known) = self.points.get(&(context, block, stmt)) {
            return known;
        }
        let Context { procedure, path, columns, .. } = &self.contexts[context];
        let (procedure, path, columns) = (*procedure, path.clone(), columns.clone());
        let relation = self.system.relation(terms, &columns);
        if (block, stmt) == (BlockId(0), 0) && !path.is_empty() {
            self.place(terms, relation, procedure, Point::Loop(path), &columns);
        } else {
            let site = Site { block, stmt: stmt as u32 };
            self.system.before.insert(relation, (procedure, path, site));
        }
        self.points.insert((context, block, stmt), relation);
        relation
    }

    /// The atom of a relation in a context where some variables of the program have other values.
    fn atom(&self, terms: &mut Terms, context: usize, relation: usize, values: &FxHashMap<Var, Term>) -> Atom {
        let Context { columns, env, .. } = &self.contexts[context];
        let changed: FxHashMap<Var, Term> = values.iter().filter_map(|(v, &t)| Some((*env.get(v)?, t))).collect();
        let args = columns.iter().map(|c| changed.get(c).copied().unwrap_or_else(|| terms.var_term(*c))).collect();
        Atom { relation, args }
    }

    /// A term of the program over the columns of a context.
    fn term(&mut self, terms: &mut Terms, context: usize, t: Term) -> Term {
        let t = self.summaries.expand(terms, t);
        let env = &self.contexts[context].env;
        let map = env.iter().map(|(&v, &column)| (v, terms.var_term(column))).collect();
        Substituter::new(terms, map).apply(terms, t)
    }

    fn clause(&mut self, terms: &mut Terms, from: Atom, extra: Option<Atom>, condition: Term, head: Option<Atom>) {
        // What Spacer does not read may be anything, step by step.
        let mut readable = Fragment::default();
        let clause = Clause { body: [from].into_iter().chain(extra).collect(), condition, head };
        self.system.clauses.push(clause.map(|t| readable.apply(terms, t)));
    }

    /// An arbitrary value of a variable, decided at a moment.
    fn any(&mut self, terms: &mut Terms, context: usize, v: Var, event: Event) -> Term {
        let Context { procedure, path, .. } = &self.contexts[context];
        let (procedure, path) = (*procedure, path.clone());
        let v = self.column(terms, v, (procedure, &path, event));
        terms.var_term(v)
    }

    fn list(&mut self, terms: &mut Terms, context: usize) {
        let program = self.goal.program;
        let region = &program.regions[self.contexts[context].region.index()];
        let nothing = FxHashMap::default();
        for (b, block) in region.blocks.iter().enumerate() {
            let b = BlockId(b as u32);
            for (i, stmt) in block.stmts.iter().enumerate() {
                let point = self.point(terms, context, b, i);
                let from = self.atom(terms, context, point, &nothing);
                self.statement(terms, context, (b, i), stmt, from);
            }
            let end = self.point(terms, context, b, block.stmts.len());
            let from = self.atom(terms, context, end, &nothing);
            match &block.next {
                Terminator::Return => self.leave(terms, context, from),
                Terminator::Branch { cond, yes, no } => {
                    let cond = self.term(terms, context, *cond);
                    let not = terms.not(cond);
                    for (to, cond) in [(*yes, cond), (*no, not)] {
                        self.go(terms, context, from.clone(), (to, 0), cond, &nothing);
                    }
                }
                Terminator::Goto(to) => {
                    for (way, &target) in to.iter().enumerate() {
                        let mut condition = terms.bool(true);
                        if way + 1 < to.len() {
                            // Says which way an execution goes.
                            let taken = terms.fresh_var("goto", Sort::BOOL);
                            if let Some(v) = terms.as_var(taken) {
                                condition = self.any(terms, context, v, Event::Choice(b, way as u32));
                            }
                        }
                        self.go(terms, context, from.clone(), (target, 0), condition, &nothing);
                    }
                }
            }
        }
    }

    /// A step to another point of the same context.
    fn go(
        &mut self,
        terms: &mut Terms,
        context: usize,
        from: Atom,
        (block, stmt): (BlockId, usize),
        condition: Term,
        values: &FxHashMap<Var, Term>,
    ) {
        let to = self.point(terms, context, block, stmt);
        let head = self.atom(terms, context, to, values);
        self.clause(terms, from, None, condition, Some(head));
    }

    fn statement(&mut self, terms: &mut Terms, context: usize, (b, i): (BlockId, usize), stmt: &Stmt, from: Atom) {
        let yes = terms.bool(true);
        let next = (b, i + 1);
        let site = Site { block: b, stmt: i as u32 };
        match &stmt.kind {
            StmtKind::Assume(cond) => {
                let cond = self.term(terms, context, *cond);
                self.go(terms, context, from, next, cond, &FxHashMap::default());
            }
            StmtKind::Assert { id, cond } => {
                let cond = self.term(terms, context, *cond);
                if (self.goal.counts)(*id) {
                    let fails = terms.not(cond);
                    self.clause(terms, from.clone(), None, fails, None);
                }
                self.go(terms, context, from, next, cond, &FxHashMap::default());
            }
            StmtKind::Assign(list) => {
                let values = list.iter().map(|&(v, t)| (v, self.term(terms, context, t))).collect();
                self.go(terms, context, from, next, yes, &values);
            }
            StmtKind::Havoc(vars) => {
                let values = vars.iter().map(|&v| (v, self.any(terms, context, v, Event::Havoc(site, v)))).collect();
                self.go(terms, context, from, next, yes, &values);
            }
            StmtKind::Box { callee, args, results } => {
                let args: Vec<Term> = args.iter().map(|&t| self.term(terms, context, t)).collect();
                let Context { region, path, .. } = &self.contexts[context];
                if *callee == *region && !path.is_empty() && is_tail_loop(self.goal.program, *callee) {
                    self.enter(terms, from, context, &args);
                } else if is_tail_loop(self.goal.program, *callee) {
                    let inner = self.context_of_loop(terms, context, *callee, site, next, results);
                    self.enter(terms, from, inner, &args);
                } else {
                    self.call(terms, context, from, *callee, args, results, next);
                }
            }
        }
    }

    /// A loop in a context: all that is around it is kept.
    fn context_of_loop(
        &mut self,
        terms: &mut Terms,
        around: usize,
        region: RegionId,
        site: Site,
        (block, stmt): (BlockId, usize),
        results: &[Var],
    ) -> usize {
        let Context { procedure, path, columns, env, .. } = &self.contexts[around];
        let (procedure, mut path, mut columns, mut env) = (*procedure, path.clone(), columns.clone(), env.clone());
        path.push(site);
        let outputs: Vec<Var> = self.region(region).outputs.iter().map(|d| d.var).collect();
        for v in self.own(region) {
            // A variable that the loop gives back to where it came from has one column.
            let back = outputs.iter().position(|&o| o == v).is_some_and(|at| results[at] == v);
            if back && env.contains_key(&v) {
                continue;
            }
            let column = self.column(terms, v, (procedure, &path, Event::Entry(v)));
            env.insert(v, column);
            columns.push(column);
        }
        let exit = Exit::Behind { context: around, block, stmt, results: results.to_vec() };
        self.contexts.push(Context { region, procedure, path, columns, env, exit });
        self.contexts.len() - 1
    }

    /// Starts a round of a loop.
    fn enter(&mut self, terms: &mut Terms, from: Atom, to: usize, args: &[Term]) {
        let region = self.contexts[to].region;
        let inputs: Vec<Var> = self.region(region).inputs.iter().map(|d| d.var).collect();
        let mut values: FxHashMap<Var, Term> = inputs.into_iter().zip(args.iter().copied()).collect();
        for v in self.own(region) {
            values.entry(v).or_insert_with(|| self.any(terms, to, v, Event::Entry(v)));
        }
        let first = self.point(terms, to, BlockId(0), 0);
        let head = self.atom(terms, to, first, &values);
        let yes = terms.bool(true);
        self.clause(terms, from, None, yes, Some(head));
    }

    /// The end of a region.
    fn leave(&mut self, terms: &mut Terms, context: usize, from: Atom) {
        let Context { region, env, exit, .. } = &self.contexts[context];
        let (region, env, exit) = (*region, env.clone(), exit.clone());
        let outputs: Vec<Var> = self.region(region).outputs.iter().map(|d| d.var).collect();
        let yes = terms.bool(true);
        let current = |terms: &mut Terms, v: &Var| env.get(v).map(|&c| terms.var_term(c));
        match exit {
            Exit::End => {}
            Exit::Returns { relation, given } => {
                let gives: Vec<Var> = outputs.into_iter().chain(self.globals(region)).collect();
                let mut args: Vec<Term> = gives.iter().filter_map(|v| current(terms, v)).collect();
                args.extend(given.iter().chain(&self.constants).map(|&v| terms.var_term(v)));
                self.clause(terms, from, None, yes, Some(Atom { relation, args }));
            }
            Exit::Behind { context: around, block, stmt, results } => {
                let mut values = FxHashMap::default();
                for (result, output) in results.iter().zip(&outputs) {
                    values.extend(current(terms, output).map(|t| (*result, t)));
                }
                let to = self.point(terms, around, block, stmt);
                let head = self.atom(terms, around, to, &values);
                self.clause(terms, from, None, yes, Some(head));
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // the parts of one call and of where it stands
    fn call(
        &mut self,
        terms: &mut Terms,
        context: usize,
        from: Atom,
        callee: RegionId,
        mut args: Vec<Term>,
        results: &[Var],
        (block, stmt): (BlockId, usize),
    ) {
        let procedure = self.procedure(terms, callee);
        let yes = terms.bool(true);
        let globals = self.globals(callee);
        for v in &globals {
            let column = self.contexts[context].env.get(v).copied().unwrap_or(*v);
            args.push(terms.var_term(column));
        }
        args.extend(self.constants.iter().map(|&v| terms.var_term(v)));
        let entered = Atom { relation: procedure.entered, args: args.clone() };
        self.clause(terms, from.clone(), None, yes, Some(entered));
        let outputs: Vec<Var> = self.region(callee).outputs.iter().map(|d| d.var).collect();
        let (mut given, mut values) = (Vec::new(), FxHashMap::default());
        for (v, to) in outputs.iter().zip(results).chain(globals.iter().zip(&globals)) {
            let name = terms.var_name(*v).to_owned();
            let value = terms.fresh_var(&name, terms.var_sort(*v));
            given.push(value);
            values.insert(*to, value);
        }
        given.extend(args);
        let returned = Atom { relation: procedure.returns, args: given };
        let to = self.point(terms, context, block, stmt);
        let head = self.atom(terms, context, to, &values);
        self.clause(terms, from, Some(returned), yes, Some(head));
    }
}

//! Summaries as Horn clauses.
//!
//! The relations of a region have a flag as their first argument: with `false` they hold of
//! everything. So the body of a clause can name the relations of all boxes, each with its
//! placeholder π or ε as the flag, and paths that do not meet a box do not care.

use lariat_program::{Components, RegionId};
use lariat_smt::SolverError;
use lariat_summary::{Summaries, Summary};
use lariat_term::{Func, Op, Sort, Term, TermMap, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Goal, certificate::fails};

/// The relations of a region.
pub(crate) struct Relations {
    /// Of a flag and the parameters.
    pub fails: Func,
    /// Of a flag, the parameters and the values.
    pub returns: Func,
    /// Inputs, used globals and used constants.
    pub params: Vec<Var>,
    /// The sorts of the outputs and of the globals that the region may change.
    pub values: Vec<Sort>,
}

/// The clauses of a goal.
pub(crate) struct Clauses {
    /// By region; `None` where no execution gets.
    pub relations: Vec<Option<Relations>>,
    /// Closed formulas; the last one says that the entry does not fail.
    pub formulas: Vec<Term>,
}

impl Clauses {
    pub fn new(goal: &Goal<'_>, terms: &mut Terms) -> Result<Clauses, SolverError> {
        let mut summaries = Summaries::new(goal.program, terms);
        let regions = goal.program.reached(goal.entry);
        let constants = constants(goal, terms, &mut summaries, &regions);
        let mut relations: Vec<Option<Relations>> = goal.program.regions.iter().map(|_| None).collect();
        for &r in &regions {
            let region = &goal.program.regions[r.index()];
            let effects = summaries.effects(r);
            let params: Vec<Var> = region.inputs.iter().map(|d| d.var).chain(effects.uses.iter().copied()).collect();
            let values = region.outputs.iter().map(|d| d.var).chain(effects.modifies.iter().copied());
            let values: Vec<Sort> = values.map(|v| terms.var_sort(v)).collect();
            let params: Vec<Var> = params.into_iter().chain(constants[r.index()].iter().copied()).collect();
            let mut sorts = vec![Sort::BOOL];
            sorts.extend(params.iter().map(|&v| terms.var_sort(v)));
            let fails = declare(terms, &format!("fails!{}", r.0), &sorts)?;
            sorts.extend(&values);
            let returns = declare(terms, &format!("returns!{}", r.0), &sorts)?;
            relations[r.index()] = Some(Relations { fails, returns, params, values });
        }
        let mut clauses = Clauses { relations, formulas: Vec::new() };
        for &r in &regions {
            clauses.region(goal, terms, &mut summaries, r);
        }
        clauses.query(goal, terms, &mut summaries);
        Ok(clauses)
    }

    fn region(&mut self, goal: &Goal<'_>, terms: &mut Terms, summaries: &mut Summaries, r: RegionId) {
        let Some(own) = &self.relations[r.index()] else { return };
        let summary = summaries.get(goal.program, terms, r);
        let params: Vec<Term> = own.params.iter().map(|&v| terms.var_term(v)).collect();
        let (yes, no) = (terms.bool(true), terms.bool(false));
        let any: Vec<Term> = own.values.iter().map(|&s| terms.fresh_var("value", s)).collect();
        let (fails_func, returns_func) = (own.fails, own.returns);
        let head = |terms: &mut Terms, f: Func, flag: Term, values: &[Term]| {
            let args: Vec<Term> = [flag].iter().chain(&params).chain(values).copied().collect();
            terms.app(f, &args)
        };
        let idle = [head(terms, fails_func, no, &[]), head(terms, returns_func, no, &any)];
        for head in idle {
            self.clause(terms, &[], head);
        }
        let failing = fails(goal, terms, &summary);
        if failing != no {
            let head = head(terms, fails_func, yes, &[]);
            self.with_boxes(terms, &summary, failing, &[], |_, _| head);
        }
        if summary.returns != no {
            let values: Vec<Term> = summary.outputs.iter().chain(&summary.globals).copied().collect();
            self.with_boxes(terms, &summary, summary.returns, &values, |terms, values| {
                head(terms, returns_func, yes, values)
            });
        }
    }

    /// A clause whose body is a condition of a summary and what it needs to know of the boxes.
    fn with_boxes(
        &mut self,
        terms: &mut Terms,
        summary: &Summary,
        condition: Term,
        values: &[Term],
        head: impl FnOnce(&mut Terms, &[Term]) -> Term,
    ) {
        let mut readable = Readable::default();
        let condition = readable.apply(terms, condition);
        let values: Vec<Term> = values.iter().map(|&t| readable.apply(terms, t)).collect();
        let mut roots: Vec<Term> = values.iter().copied().chain([condition]).collect();
        let mut needed: FxHashSet<Var> = terms.free_vars(&roots).into_iter().collect();
        let mut body = vec![condition];
        for site in summary.boxes.iter().rev() {
            let Some(callee) = &self.relations[site.callee.index()] else { continue };
            let fails = site.fails.filter(|v| needed.contains(v));
            let returns = needed.contains(&site.returns) || site.values.iter().any(|v| needed.contains(v));
            if fails.is_none() && !returns {
                continue;
            }
            let mut args: Vec<Term> = Vec::new();
            for &t in site.args.iter().chain(&site.globals) {
                args.push(readable.apply(terms, t));
            }
            args.extend(callee.params[args.len()..].iter().map(|&v| terms.var_term(v)));
            roots.clone_from(&args);
            needed.extend(terms.free_vars(&roots));
            if let Some(flag) = fails {
                let flag = terms.var_term(flag);
                let all: Vec<Term> = [flag].iter().chain(&args).copied().collect();
                body.push(terms.app(callee.fails, &all));
            }
            if returns {
                let flag = terms.var_term(site.returns);
                let mut all: Vec<Term> = [flag].iter().chain(&args).copied().collect();
                all.extend(site.values.iter().map(|&v| terms.var_term(v)));
                body.push(terms.app(callee.returns, &all));
            }
        }
        let head = head(terms, &values);
        self.clause(terms, &body, head);
    }

    /// The entry does not fail, given what the axioms say about constants.
    fn query(&mut self, goal: &Goal<'_>, terms: &mut Terms, summaries: &mut Summaries) {
        let Some(entry) = &self.relations[goal.entry.index()] else { return };
        let mut args = vec![terms.bool(true)];
        args.extend(entry.params.iter().map(|&v| terms.var_term(v)));
        let mut body = vec![terms.app(entry.fails, &args)];
        let mut readable = Readable::default();
        for axiom in summaries.axioms(goal.program, terms) {
            if readable.reads(terms, axiom) {
                body.push(axiom);
            }
        }
        let no = terms.bool(false);
        self.clause(terms, &body, no);
    }

    fn clause(&mut self, terms: &mut Terms, body: &[Term], head: Term) {
        let body = terms.and(body);
        let clause = terms.implies(body, head);
        let vars = terms.free_vars(&[clause]);
        let closed = if vars.is_empty() { clause } else { terms.forall(&vars, &[], clause) };
        self.formulas.push(closed);
    }
}

fn declare(terms: &mut Terms, name: &str, sorts: &[Sort]) -> Result<Func, SolverError> {
    let unsupported = |e: lariat_term::SortError| SolverError::Unsupported { solver: "z3".into(), what: e.to_string() };
    terms.declare_func(name, sorts, Sort::BOOL, None).map_err(unsupported)
}

/// The constants that each region or what it boxes mentions, in the order of their declarations.
fn constants(goal: &Goal<'_>, terms: &mut Terms, summaries: &mut Summaries, regions: &[RegionId]) -> Vec<Vec<Var>> {
    let number: FxHashMap<Var, usize> = goal.program.constants.iter().enumerate().map(|(i, c)| (c.var, i)).collect();
    let Components { order, component, count } = Components::new(goal.program);
    let mut of_component: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut reached = vec![false; goal.program.regions.len()];
    regions.iter().for_each(|r| reached[r.index()] = true);
    for r in order.into_iter().filter(|r| reached[r.index()]) {
        let own = component[r.index()] as usize;
        let summary = summaries.get(goal.program, terms, r);
        let mut roots: Vec<Term> = vec![summary.returns];
        roots.extend(summary.outputs.iter().chain(&summary.globals));
        roots.extend(summary.errors.iter().map(|e| e.condition));
        for site in &summary.boxes {
            roots.push(site.guard);
            roots.extend(site.args.iter().chain(&site.globals));
        }
        let mut found = std::mem::take(&mut of_component[own]);
        found.extend(terms.free_vars(&roots).iter().filter_map(|v| number.get(v)));
        for callee in goal.program.regions[r.index()].callees() {
            let of_callee = component[callee.index()] as usize;
            if of_callee != own {
                found.extend_from_slice(&of_component[of_callee]);
            }
        }
        found.sort_unstable();
        found.dedup();
        of_component[own] = found;
    }
    let vars = |c: &u32| of_component[*c as usize].iter().map(|&i| goal.program.constants[i].var).collect();
    component.iter().map(vars).collect()
}

/// Puts fresh variables in the place of what Spacer does not read: the same one for the same term.
#[derive(Default)]
struct Readable {
    done: TermMap,
    results: Vec<Term>,
}

impl Readable {
    fn apply(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut stack = vec![(root, false)];
        while let Some((t, entered)) = stack.pop() {
            if self.done.contains(t) {
                continue;
            }
            let args = terms.args(t).to_vec();
            let result = if unreadable(terms, t) {
                let sort = terms.sort(t);
                terms.fresh_var("any", sort)
            } else if args.is_empty() {
                t
            } else if !entered {
                stack.push((t, true));
                stack.extend(args.iter().map(|&a| (a, false)));
                continue;
            } else {
                let new: Vec<Term> = args.iter().map(|&a| self.result(a)).collect();
                if new == args { t } else { terms.mk(terms.op(t), &new) }
            };
            self.done.insert(t, self.results.len() as u32);
            self.results.push(result);
        }
        self.result(root)
    }

    fn result(&self, t: Term) -> Term {
        self.done.get(t).map_or(t, |i| self.results[i as usize])
    }

    /// Is there nothing to be replaced?
    fn reads(&mut self, terms: &mut Terms, t: Term) -> bool {
        self.apply(terms, t) == t
    }
}

fn unreadable(terms: &Terms, t: Term) -> bool {
    match terms.op(t) {
        Op::App(f) => terms.func_decl(f).builtin.is_none(),
        Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => true,
        _ => false,
    }
}

//! A path as a formula: symbolic execution along its steps.
//!
//! Three encodings: everything tracked, to look for a bug ([`Concrete`]); a set of variables tracked, made anew for each question ([`Reencoded`]); and one
//! formula with a Boolean `b_v` for each variable that says whether `v` is tracked (figure 5), which is made once ([`Parameterized`]). There, an atom
//! that reads `u` and `v` is `ite(b_u && b_v, atom, anything)`; values of untracked variables are computed, but nobody looks at them.

use lariat_engine::{Budget, Execution};
use lariat_program::{BlockId, Program, RegionId};
use lariat_smt::{Answer, Model, Reason, Solver, SolverError};
use lariat_summary::Summaries;
use lariat_term::{Evaluator, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    atoms::{Mentions, replace_atoms},
    minimize::Check,
    path::{Path, Step},
};

/// What becomes of atoms that read globals.
enum Reading<'a> {
    /// They are what they are, unless they read one of these.
    Without(&'a FxHashSet<Var>),
    /// They are what they are if these Booleans say so.
    Selected(&'a FxHashMap<Var, Term>),
}

/// A value that an execution takes from nowhere.
#[derive(Clone, Copy, Debug)]
enum Source {
    Havoc(BlockId, u32, Var),
    Local(Var),
}

/// The formula of a path: satisfiable if the path can be taken and fails.
struct Formula {
    parts: Vec<Term>,
    /// The free variables that stand for what havocs and uninitialised locals of instances are.
    open: Vec<(usize, Source, Term)>,
}

struct Encoder<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    summaries: &'a mut Summaries,
    regions: &'a [RegionId],
    globals: FxHashMap<Var, Term>,
    constants: FxHashSet<Var>,
    own: Vec<FxHashMap<Var, Term>>,
    formula: Formula,
}

impl<'a> Encoder<'a> {
    fn new(program: &'a Program, terms: &'a mut Terms, summaries: &'a mut Summaries, path: &'a Path) -> Encoder<'a> {
        let globals = program.globals.iter().map(|d| (d.var, terms.var_term(d.var))).collect();
        let mut own = vec![FxHashMap::default(); path.regions.len()];
        for d in path.regions.first().map_or(&[][..], |r| &program.regions[r.index()].inputs) {
            own[0].insert(d.var, terms.var_term(d.var));
        }
        Encoder {
            program,
            terms,
            summaries,
            regions: &path.regions,
            globals,
            constants: program.constants.iter().map(|d| d.var).collect(),
            own,
            formula: Formula { parts: Vec::new(), open: Vec::new() },
        }
    }

    fn run(mut self, steps: &[(usize, Step)], reading: &Reading<'_>) -> Formula {
        let none = FxHashSet::default();
        let cut: FxHashSet<Var> = match reading {
            Reading::Without(vars) => (*vars).clone(),
            Reading::Selected(vars) => vars.keys().copied().collect(),
        };
        let mut mentions = Mentions::new(if cut.is_empty() { &none } else { &cut });
        // Which instance each was entered from.
        let mut above: FxHashMap<usize, usize> = FxHashMap::default();
        for (i, step) in steps {
            let i = *i;
            match step {
                Step::Assume(t) => {
                    let t = self.eval(i, &[*t], reading, &mut mentions);
                    self.formula.parts.extend(t);
                }
                Step::Assert(t) => {
                    let t = self.eval(i, &[*t], reading, &mut mentions);
                    for t in t {
                        let fails = self.terms.not(t);
                        self.formula.parts.push(fails);
                    }
                }
                Step::Assign(pairs) => {
                    let values: Vec<Term> = pairs.iter().map(|&(_, t)| t).collect();
                    let values = self.eval(i, &values, reading, &mut mentions);
                    for ((v, _), value) in pairs.iter().zip(values) {
                        self.set(i, *v, value);
                    }
                }
                Step::Havoc(block, stmt, vars) => {
                    for &v in vars {
                        let value = self.open(i, v, Source::Havoc(*block, *stmt, v));
                        self.set(i, v, value);
                    }
                }
                Step::Enter(to, args) => {
                    let values = self.eval(i, args, reading, &mut mentions);
                    let inputs = &self.program.regions[self.regions[*to].index()].inputs;
                    self.own[*to] = inputs.iter().map(|d| d.var).zip(values).collect();
                    above.insert(*to, i);
                }
                Step::Return(results) => {
                    let outputs = &self.program.regions[self.regions[i].index()].outputs;
                    let values: Vec<Term> = outputs.iter().map(|d| self.value(i, d.var)).collect();
                    let to = above.get(&i).copied().unwrap_or(0);
                    for (&v, value) in results.iter().zip(values) {
                        self.set(to, v, value);
                    }
                }
            }
        }
        self.formula
    }

    fn open(&mut self, instance: usize, like: Var, source: Source) -> Term {
        let (name, sort) = (self.terms.var_name(like).to_owned(), self.terms.var_sort(like));
        let made = self.terms.fresh_var(&name, sort);
        self.formula.open.push((instance, source, made));
        made
    }

    fn set(&mut self, instance: usize, v: Var, value: Term) {
        let scope = if self.globals.contains_key(&v) { &mut self.globals } else { &mut self.own[instance] };
        scope.insert(v, value);
    }

    fn value(&mut self, instance: usize, v: Var) -> Term {
        if let Some(&t) = self.globals.get(&v).or_else(|| self.own[instance].get(&v)) {
            return t;
        }
        if self.constants.contains(&v) {
            return self.terms.var_term(v);
        }
        let initial = self.open(instance, v, Source::Local(v));
        self.own[instance].insert(v, initial);
        initial
    }

    /// The values of the terms of one statement.
    fn eval(&mut self, instance: usize, ts: &[Term], reading: &Reading<'_>, mentions: &mut Mentions<'_>) -> Vec<Term> {
        let mut replaced = FxHashMap::default();
        let mut cut: Vec<(Var, Term)> = Vec::new();
        let mut values = Vec::with_capacity(ts.len());
        for &t in ts {
            let t = replace_atoms(self.terms, mentions, &mut replaced, t, &mut |terms, atom| {
                let made = terms.fresh_var("untracked", terms.sort(atom));
                cut.extend(terms.as_var(made).map(|v| (v, atom)));
                made
            });
            values.push(t);
        }
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        for (v, atom) in cut {
            let any = self.terms.var_term(v);
            let value = match reading {
                Reading::Without(_) => any,
                Reading::Selected(tracked) => {
                    let read = self.terms.free_vars(&[atom]);
                    let all: Vec<Term> = read.iter().filter_map(|v| tracked.get(v).copied()).collect();
                    let all = self.terms.and(&all);
                    let value = self.plain(instance, atom, &FxHashMap::default());
                    self.terms.ite(all, value, any)
                }
            };
            map.insert(v, value);
        }
        values.into_iter().map(|t| self.plain(instance, t, &map)).collect()
    }

    /// The value of a term in the current state, with values for some variables that are in no state.
    fn plain(&mut self, instance: usize, t: Term, known: &FxHashMap<Var, Term>) -> Term {
        let t = self.summaries.expand(self.terms, t);
        let vars = self.terms.free_vars(&[t]);
        let map = vars.into_iter().map(|v| match known.get(&v) {
            Some(&value) => (v, value),
            None => (v, self.value(instance, v)),
        });
        let map = map.collect();
        self.terms.substitute(t, &map)
    }
}

/// The axioms that matter to a path from the entry, and all others, by position; then the definitions that are recursive.
struct Axioms {
    relevant: Vec<Term>,
    others: Vec<Term>,
}

impl Axioms {
    fn new(program: &Program, terms: &mut Terms, summaries: &mut Summaries, entry: RegionId) -> Axioms {
        let all = summaries.axioms(program, terms);
        let kept = summaries.relevant(program, terms, entry, &all);
        let pick = |wanted: bool| all.iter().zip(&kept).filter(|(_, k)| **k == wanted).map(|(t, _)| *t).collect();
        Axioms { relevant: pick(true), others: pick(false) }
    }
}

/// A path of a program, with the means to ask about it.
struct Question<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    path: &'a Path,
    summaries: Summaries,
    axioms: Axioms,
    solver: &'a str,
    budget: &'a Budget,
}

impl<'a> Question<'a> {
    fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        path: &'a Path,
        solver: &'a str,
        budget: &'a Budget,
    ) -> Question<'a> {
        let mut summaries = Summaries::new(program, terms);
        let entry = path.regions.first().copied().unwrap_or(RegionId(0));
        let axioms = Axioms::new(program, terms, &mut summaries, entry);
        Question { program, terms, path, summaries, axioms, solver, budget }
    }

    fn formula(&mut self, reading: &Reading<'_>) -> Formula {
        Encoder::new(self.program, self.terms, &mut self.summaries, self.path).run(&self.path.steps, reading)
    }

    /// A solver that has been told a formula and the axioms that matter.
    fn told(&self, formula: &Formula) -> Result<Box<dyn Solver>, SolverError> {
        let mut solver = self.budget.open(self.solver)?;
        for &t in self.axioms.relevant.iter().chain(&formula.parts) {
            solver.assert(self.terms, t)?;
        }
        Ok(solver)
    }
}

/// What becomes of a path with everything tracked.
pub enum Concrete {
    /// It is an execution of the program: its decisions, and the values that it takes from a model.
    Bug(Execution, lariat_term::Model),
    /// No execution takes it and fails.
    Spurious,
    /// The solver cannot tell.
    Unknown(Reason),
    /// The axioms of the program contradict each other.
    Contradiction,
}

impl Concrete {
    /// Asks whether a path is one of the program.
    pub fn new(
        program: &Program,
        terms: &mut Terms,
        path: &Path,
        solver: &str,
        budget: &Budget,
    ) -> Result<Concrete, SolverError> {
        let mut question = Question::new(program, terms, path, solver, budget);
        let formula = question.formula(&Reading::Without(&FxHashSet::default()));
        let mut told = question.told(&formula)?;
        let mut answer = told.check(question.terms, &[])?;
        if answer.is_sat() && !question.axioms.others.is_empty() {
            // Whatever the others are about, they must not contradict each other.
            for &t in &question.axioms.others {
                told.assert(question.terms, t)?;
            }
            told.set_limits(budget.solver_limits());
            answer = told.check(question.terms, &[])?;
            if answer.is_unsat() {
                return Ok(Concrete::Contradiction);
            }
        }
        Ok(match answer {
            Answer::Unsat(_) => Concrete::Spurious,
            Answer::Unknown(reason) => Concrete::Unknown(reason),
            Answer::Sat(model) => {
                let (execution, model) = execution(question.terms, path, &formula, &model)?;
                Concrete::Bug(execution, model)
            }
        })
    }
}

/// The execution that a model of a path's formula describes.
fn execution(
    terms: &Terms,
    path: &Path,
    formula: &Formula,
    model: &Model,
) -> Result<(Execution, lariat_term::Model), SolverError> {
    let values = model.get(terms)?;
    let mut evaluator = Evaluator::new(terms, values);
    let mut execution = path.execution.clone();
    for &(instance, source, t) in &formula.open {
        // What the formula does not mention may be anything.
        let Ok(value) = evaluator.eval(t) else { continue };
        let instance = &mut execution.instances[instance];
        match source {
            Source::Havoc(block, stmt, v) => instance.havoc.insert((block, stmt, v), value),
            Source::Local(v) => instance.locals.insert(v, value),
        };
    }
    drop(evaluator);
    Ok((execution, values.clone()))
}

/// Encodes the path anew for each question: what `linear` and `hrefine` ask.
pub struct Reencoded<'a> {
    question: Question<'a>,
    globals: Vec<Var>,
}

impl<'a> Reencoded<'a> {
    /// A path, and the variables that can be tracked; all others are.
    pub fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        path: &'a Path,
        globals: &[Var],
        solver: &'a str,
        budget: &'a Budget,
    ) -> Reencoded<'a> {
        Reencoded { question: Question::new(program, terms, path, solver, budget), globals: globals.to_vec() }
    }
}

impl Check for Reencoded<'_> {
    fn variables(&self) -> usize {
        self.globals.len()
    }

    fn refutes(&mut self, tracked: &[bool]) -> Result<Option<bool>, SolverError> {
        let cut = self.globals.iter().zip(tracked).filter(|(_, t)| !**t).map(|(v, _)| *v).collect();
        let formula = self.question.formula(&Reading::Without(&cut));
        let mut solver = self.question.told(&formula)?;
        let answer = solver.check(self.question.terms, &[])?;
        Ok(decided(&answer))
    }
}

/// Encodes the path once, with a Boolean for each variable: what `vcrefine` asks.
pub struct Parameterized<'a> {
    question: Question<'a>,
    selectors: Vec<Term>,
    solver: Box<dyn Solver>,
}

impl<'a> Parameterized<'a> {
    /// A path, and the variables that can be tracked; all others are.
    pub fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        path: &'a Path,
        globals: &[Var],
        solver: &'a str,
        budget: &'a Budget,
    ) -> Result<Parameterized<'a>, SolverError> {
        let mut question = Question::new(program, terms, path, solver, budget);
        let selectors: Vec<Term> = globals.iter().map(|_| question.terms.fresh_var("tracked", Sort::BOOL)).collect();
        let map = globals.iter().copied().zip(selectors.iter().copied()).collect();
        let formula = question.formula(&Reading::Selected(&map));
        let solver = question.told(&formula)?;
        Ok(Parameterized { question, selectors, solver })
    }
}

impl Check for Parameterized<'_> {
    fn variables(&self) -> usize {
        self.selectors.len()
    }

    fn refutes(&mut self, tracked: &[bool]) -> Result<Option<bool>, SolverError> {
        let terms = &mut *self.question.terms;
        let chosen = self.selectors.iter().zip(tracked);
        let assumptions: Vec<Term> = chosen.map(|(&s, &t)| if t { s } else { terms.not(s) }).collect();
        self.solver.set_limits(self.question.budget.solver_limits());
        Ok(decided(&self.solver.check(terms, &assumptions)?))
    }
}

fn decided(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Unsat(_) => Some(true),
        Answer::Sat(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

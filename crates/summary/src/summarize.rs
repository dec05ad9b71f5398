//! LocSummarize: one forward pass over a region's blocks.

use std::{rc::Rc, sync::Arc};

use lariat_program::{
    AssertId, AssertKind, BlockId, Effects, Program, Region, RegionEffects, RegionId, RegionKind, StmtKind, Terminator,
    reverse_postorder,
};
use lariat_term::{Persist, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    define::Definitions,
    path::{Arrival, PathCondition, Paths},
    rounds::Counter,
};

/// What a region does, as terms over its inputs, the globals it uses ([`RegionEffects::uses`]), its
/// [`ChoiceVar`] choices and the placeholders of its boxes.
#[derive(Debug)]
pub struct Summary {
    /// ψ: the region returns.
    pub returns: Term,
    /// σ on the region's outputs, in their order, where it returns.
    pub outputs: Vec<Term>,
    /// σ on the globals it may change ([`RegionEffects::modifies`]), in their order, where it returns.
    pub globals: Vec<Term>,
    /// Φ: one for each assertion statement of the region itself.
    pub errors: Vec<ErrorCondition>,
    /// The boxes, in an order in which each depends on earlier ones only.
    pub boxes: Vec<BoxSite>,
    /// Where the program leaves a value open.
    pub open: Vec<ChoiceVar>,
    /// How each block decides where to go on; by block.
    pub decisions: Vec<Decision>,
    /// What may decide how often a loop goes round.
    pub counters: Vec<Counter>,
}

impl Summary {
    /// An output, or a global behind them, by its position in [`BoxSite::values`] of a box of the region.
    pub fn value(&self, i: usize) -> Term {
        self.outputs.get(i).copied().unwrap_or_else(|| self.globals[i - self.outputs.len()])
    }

    /// All its terms but the outputs and globals: what decides about executions, and what boxes are given.
    pub fn conditions(&self) -> Vec<Term> {
        let mut found = vec![self.returns];
        found.extend(self.errors.iter().map(|e| e.condition));
        for b in &self.boxes {
            found.push(b.guard);
            found.extend(b.args.iter().chain(&b.globals));
        }
        for d in &self.decisions {
            match d {
                Decision::None => {}
                Decision::Branch(t) => found.push(*t),
                Decision::Goto(ts) => found.extend(ts),
            }
        }
        found
    }
}

/// The condition under which one assertion statement fails.
#[derive(Clone, Debug)]
pub struct ErrorCondition {
    /// The assertion.
    pub assertion: AssertId,
    /// The block of the statement.
    pub block: BlockId,
    /// The statement's position in its block.
    pub stmt: usize,
    /// The path condition and the negated assertion.
    pub condition: Term,
}

/// A box with its placeholders.
#[derive(Clone, Debug)]
pub struct BoxSite {
    /// The boxed region.
    pub callee: RegionId,
    /// The block of the box statement.
    pub block: BlockId,
    /// The statement's position in its block.
    pub stmt: usize,
    /// The box is reached.
    pub guard: Term,
    /// The callee's inputs.
    pub args: Vec<Term>,
    /// The values, at the box, of the globals that the callee uses.
    pub globals: Vec<Term>,
    /// π: the callee returns.
    pub returns: Var,
    /// ε: an assertion fails inside; `None` if there is none.
    pub fails: Option<Var>,
    /// λ: the callee's outputs, then the globals it may change. The placeholders of all boxes together ascend.
    pub values: Vec<Var>,
}

/// A variable of the summary for a value that the program leaves open.
#[derive(Clone, Debug)]
pub struct ChoiceVar {
    /// The summary's variable.
    pub var: Var,
    /// What it stands for.
    pub choice: Choice,
}

/// What is left open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The value of a local variable at the region's entry.
    Initial(Var),
    /// What a havoc statement gives a variable.
    Havoc {
        /// The block of the statement.
        block: BlockId,
        /// Its position in the block.
        stmt: usize,
        /// The variable.
        var: Var,
    },
    /// Which way a nondeterministic goto takes.
    Goto(BlockId),
}

/// How a block decides where to go on.
#[derive(Clone, Debug)]
pub enum Decision {
    /// There is no choice, or the block cannot be reached.
    None,
    /// `yes` if the condition holds.
    Branch(Term),
    /// The first successor whose variable is true, else the last one.
    Goto(Vec<Term>),
}

/// The summaries of a program's regions, each made when first asked for.
pub struct Summaries {
    effects: Vec<Arc<RegionEffects>>,
    definitions: Definitions,
    summaries: Vec<Option<Rc<Summary>>>,
}

impl Summaries {
    /// Computes the side effects; summaries follow on demand.
    pub fn new(program: &Program, terms: &mut Terms) -> Summaries {
        Summaries {
            effects: Effects::lists(program, terms),
            definitions: Definitions::new(program, terms),
            summaries: (0..program.regions.len()).map(|_| None).collect(),
        }
    }

    /// What holds of the program's constants and functions, in the terms that summaries use: first
    /// the axioms of the program in their order, then the definitions that are recursive.
    pub fn axioms(&mut self, program: &Program, terms: &mut Terms) -> Vec<Term> {
        let stated: Vec<Term> = program.axioms.iter().map(|a| self.definitions.expand(terms, a.term)).collect();
        let defined = self.definitions.axioms(program, terms);
        stated.into_iter().chain(defined).collect()
    }

    /// A term of the program, in the terms that summaries use.
    pub fn expand(&mut self, terms: &mut Terms, t: Term) -> Term {
        self.definitions.expand(terms, t)
    }

    /// Which of [`Summaries::axioms`] speak about what executions from `entry` can meet. The others
    /// share no symbol with these or with the code, not even through further axioms.
    pub fn relevant(&mut self, program: &Program, terms: &mut Terms, entry: RegionId, axioms: &[Term]) -> Vec<bool> {
        let code = crate::relevant::code(program, entry);
        let code: Vec<Term> = code.into_iter().map(|t| self.definitions.expand(terms, t)).collect();
        crate::relevant::relevant(terms, &code, axioms)
    }

    /// The side effects of a region.
    pub fn effects(&self, region: RegionId) -> &RegionEffects {
        &self.effects[region.index()]
    }

    /// The summary of a region, if it was asked for before.
    pub fn ready(&self, region: RegionId) -> Option<&Summary> {
        self.summaries[region.index()].as_deref()
    }

    /// The summary of a region.
    pub fn get(&mut self, program: &Program, terms: &mut Terms, region: RegionId) -> Rc<Summary> {
        if let Some(summary) = &self.summaries[region.index()] {
            return summary.clone();
        }
        let pass = Pass::new(program, &self.effects, &mut self.definitions, terms, region);
        let mut summary = pass.run();
        let own = &program.regions[region.index()];
        if matches!(own.kind, RegionKind::Loop { .. }) {
            summary.counters = Counter::of(terms, region, own, self.effects(region), &summary);
        }
        let summary = Rc::new(summary);
        self.summaries[region.index()] = Some(summary.clone());
        summary
    }
}

struct Pass<'a> {
    program: &'a Program,
    region: &'a Region,
    effects: &'a [Arc<RegionEffects>],
    definitions: &'a mut Definitions,
    own: &'a RegionEffects,
    terms: &'a mut Terms,
    /// The positions of variables in the state.
    index: FxHashMap<Var, usize>,
    paths: Paths,
    summary: Summary,
    /// Arrivals at each block, and at the return as last element.
    pending: Vec<Vec<Arrival>>,
}

impl<'a> Pass<'a> {
    fn new(
        program: &'a Program,
        effects: &'a [Arc<RegionEffects>],
        definitions: &'a mut Definitions,
        terms: &'a mut Terms,
        region: RegionId,
    ) -> Pass<'a> {
        let own = &effects[region.index()];
        let region = &program.regions[region.index()];
        let mut index = FxHashMap::default();
        let decls = region.inputs.iter().chain(&region.outputs).chain(&region.locals).map(|d| d.var);
        for v in decls.chain(own.uses.iter().copied()) {
            let next = index.len();
            index.entry(v).or_insert(next);
        }
        let no = terms.bool(false);
        let paths = Paths::new(terms);
        let blocks = region.blocks.len();
        let summary = Summary {
            returns: no,
            outputs: Vec::new(),
            globals: Vec::new(),
            errors: Vec::new(),
            boxes: Vec::new(),
            open: Vec::new(),
            decisions: vec![Decision::None; blocks],
            counters: Vec::new(),
        };
        let pending = (0..=blocks).map(|_| Vec::new()).collect();
        Pass { program, region, effects, definitions, own, terms, index, paths, summary, pending }
    }

    fn run(mut self) -> Summary {
        let mut state = Persist::new(self.index.len());
        for (&v, &i) in &self.index {
            let t = self.terms.var_term(v);
            state.set(i, t);
        }
        let initial = state.clone();
        if !self.region.blocks.is_empty() {
            self.pending[0].push(Arrival { path: self.paths.start(), state });
        }
        let successors = |b: usize| self.region.blocks[b].next.successors().map(BlockId::index);
        for block in reverse_postorder(self.region.blocks.len(), successors) {
            let block = BlockId(block as u32);
            let arrivals = std::mem::take(&mut self.pending[block.index()]);
            if let Some(arrival) = self.paths.join(self.terms, arrivals) {
                self.block(block, arrival);
            }
        }
        let arrivals = self.pending.pop().unwrap_or_default();
        // Where no path returns, the values do not matter: take those of the entry.
        let end = self.paths.join(self.terms, arrivals);
        if let Some(end) = &end {
            self.summary.returns = self.paths.whole(end.path);
        }
        let state = end.map_or(initial, |end| end.state);
        let outputs = self.region.outputs.iter().map(|d| d.var);
        self.summary.outputs = outputs.map(|v| self.value(&state, v)).collect();
        self.summary.globals = self.own.modifies.iter().map(|&v| self.value(&state, v)).collect();
        self.initial_values();
        self.summary
    }

    fn block(&mut self, id: BlockId, arrival: Arrival) {
        let Arrival { mut path, mut state } = arrival;
        let block = &self.region.blocks[id.index()];
        let no = self.terms.bool(false);
        for (i, stmt) in block.stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Assume(t) => {
                    let t = self.eval(&state, *t);
                    path = self.paths.push(self.terms, path, t);
                }
                // What the source only proposes does nothing.
                StmtKind::Assert { id, .. } if self.program.assertions[id.index()].kind == AssertKind::Candidate => {}
                StmtKind::Assert { id: assertion, cond } => {
                    let cond = self.eval(&state, *cond);
                    let not = self.terms.not(cond);
                    let condition = self.terms.and(&[self.paths.whole(path), not]);
                    self.summary.errors.push(ErrorCondition { assertion: *assertion, block: id, stmt: i, condition });
                    path = self.paths.push(self.terms, path, cond);
                }
                StmtKind::Assign(pairs) => {
                    let values: Vec<Term> = pairs.iter().map(|&(_, t)| self.eval(&state, t)).collect();
                    for ((v, _), value) in pairs.iter().zip(values) {
                        self.set(&mut state, *v, value);
                    }
                }
                StmtKind::Havoc(vars) => {
                    for &var in vars {
                        let t = self.open(Choice::Havoc { block: id, stmt: i, var }, self.terms.var_sort(var));
                        self.set(&mut state, var, t);
                    }
                }
                StmtKind::Box { callee, args, results } => {
                    path = self.place_box(id, i, *callee, args, results, path, &mut state);
                }
            }
            if self.paths.whole(path) == no {
                return;
            }
        }
        self.leave(id, &block.next, path, state);
    }

    #[allow(clippy::too_many_arguments)] // the parts of one statement and the state it works on
    fn place_box(
        &mut self,
        block: BlockId,
        stmt: usize,
        callee: RegionId,
        args: &[Term],
        results: &[Var],
        path: PathCondition,
        state: &mut Persist,
    ) -> PathCondition {
        let effects = &self.effects[callee.index()];
        let args = args.iter().map(|&t| self.eval(state, t)).collect();
        let globals = effects.uses.iter().map(|&v| self.value(state, v)).collect();
        let name = &self.program.regions[callee.index()].name;
        let returns = self.placeholder(&format!("π.{name}"), Sort::BOOL);
        let fails = effects.asserts.then(|| self.placeholder(&format!("ε.{name}"), Sort::BOOL));
        let mut values = Vec::new();
        for &v in results.iter().chain(&effects.modifies) {
            let name = format!("λ.{name}.{}", self.terms.var_name(v));
            values.push(self.placeholder(&name, self.terms.var_sort(v)));
        }
        // A result variable may itself be a global that the callee changes: the results come last.
        let (of_results, of_globals) = values.split_at(results.len());
        for (&v, &value) in effects.modifies.iter().zip(of_globals).chain(results.iter().zip(of_results)) {
            let value = self.terms.var_term(value);
            self.set(state, v, value);
        }
        let guard = self.paths.whole(path);
        self.summary.boxes.push(BoxSite { callee, block, stmt, guard, args, globals, returns, fails, values });
        let returns = self.terms.var_term(returns);
        self.paths.push(self.terms, path, returns)
    }

    fn leave(&mut self, id: BlockId, next: &Terminator, path: PathCondition, state: Persist) {
        let last = self.pending.len() - 1;
        match next {
            Terminator::Return => self.pending[last].push(Arrival { path, state }),
            Terminator::Branch { cond, yes, no } => {
                let cond = self.eval(&state, *cond);
                self.summary.decisions[id.index()] = Decision::Branch(cond);
                let not = self.terms.not(cond);
                self.go(*yes, path, cond, state.clone());
                self.go(*no, path, not, state);
            }
            Terminator::Goto(to) => {
                let Some((&last, others)) = to.split_last() else { return };
                let (mut path, mut choices) = (path, Vec::new());
                for &b in others {
                    let taken = self.open(Choice::Goto(id), Sort::BOOL);
                    choices.push(taken);
                    self.go(b, path, taken, state.clone());
                    let not = self.terms.not(taken);
                    path = self.paths.fork(self.terms, path, not);
                }
                if !choices.is_empty() {
                    self.summary.decisions[id.index()] = Decision::Goto(choices);
                }
                self.pending[last.index()].push(Arrival { path, state });
            }
        }
    }

    fn go(&mut self, to: BlockId, path: PathCondition, condition: Term, state: Persist) {
        let path = self.paths.fork(self.terms, path, condition);
        if self.paths.whole(path) != self.terms.bool(false) {
            self.pending[to.index()].push(Arrival { path, state });
        }
    }

    fn value(&self, state: &Persist, v: Var) -> Term {
        // Every variable that the verifier lets a region use is in the state from the start.
        state.get(self.index[&v]).expect("a variable of the region")
    }

    fn set(&self, state: &mut Persist, v: Var, value: Term) {
        state.set(self.index[&v], value);
    }

    /// A program term in a state. Constants of the program stay as they are.
    fn eval(&mut self, state: &Persist, t: Term) -> Term {
        let t = self.definitions.expand(self.terms, t);
        let vars = self.terms.free_vars(&[t]);
        let known = vars.into_iter().filter_map(|v| Some((v, state.get(*self.index.get(&v)?)?)));
        let map: FxHashMap<Var, Term> = known.collect();
        self.terms.substitute(t, &map)
    }

    fn placeholder(&mut self, name: &str, sort: Sort) -> Var {
        let t = self.terms.fresh_var(name, sort);
        self.terms.as_var(t).expect("a fresh variable is a variable")
    }

    fn open(&mut self, choice: Choice, sort: Sort) -> Term {
        let name = match choice {
            Choice::Initial(v) | Choice::Havoc { var: v, .. } => self.terms.var_name(v).to_owned(),
            Choice::Goto(_) => "goto".to_owned(),
        };
        let var = self.placeholder(&name, sort);
        self.summary.open.push(ChoiceVar { var, choice });
        self.terms.var_term(var)
    }

    /// Locals that are read before they are written stand for themselves; they are open as well.
    fn initial_values(&mut self) {
        let s = &self.summary;
        let mut roots: Vec<Term> = [s.returns].into_iter().chain(s.outputs.iter().copied()).collect();
        roots.extend(s.globals.iter().copied());
        roots.extend(s.conditions());
        let inputs = self.region.inputs.iter().map(|d| d.var);
        let given: FxHashSet<Var> = inputs.chain(self.own.uses.iter().copied()).collect();
        for v in self.terms.free_vars(&roots) {
            if self.index.contains_key(&v) && !given.contains(&v) {
                self.summary.open.push(ChoiceVar { var: v, choice: Choice::Initial(v) });
            }
        }
    }
}

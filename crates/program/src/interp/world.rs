//! The state of a run, and the evaluation of terms in it.
//!
//! Everything the program leaves open is asked for when it is first needed and then kept. Values of
//! defined functions (and of constants that an axiom defines) are computed as goals on an explicit
//! stack: an evaluation that needs one stops, the goal is solved, and the evaluation starts again.

use std::{cell::RefCell, rc::Rc};

use lariat_term::{EvalError, Evaluator, Func, Interpretation, NotFixed, Op, Sort, Term, Terms, Value, Var, fold};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Reason,
    code::{Code, Compiler, Instr, Slot},
    source::{Asked, At, Query, ValueSource, fits},
};
use crate::ir::{BlockId, Loc, Program, RegionId};

/// What must be computed before an evaluation can go on.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Goal {
    Function(Func, Vec<Value>),
    Constant(u32),
}

/// Why an evaluation did not end with a value.
enum Miss {
    /// This must be computed first.
    Goal(Goal),
    /// The fast code found no value; the evaluator may.
    NoValue,
    Stuck(Reason),
}

/// The body of a defined function, or the value of a defined constant.
struct Body {
    code: Code,
    vars: FxHashMap<Var, Slot>,
}

pub(super) struct World<'a> {
    pub program: &'a Program,
    pub terms: &'a Terms,
    pub source: &'a mut dyn ValueSource,
    pub shared: &'a FxHashMap<Var, Slot>,
    pub globals: Vec<Option<Value>>,
    constants: Vec<Option<Value>>,
    /// The slots of all frames.
    pub stack: Vec<Option<Value>>,
    functions: FxHashMap<Func, FxHashMap<Vec<Value>, Value>>,
    function_values: usize,
    open: FxHashMap<Op, FxHashMap<Vec<Value>, Value>>,
    /// Defined functions, by their position in the program.
    definitions: FxHashMap<Func, usize>,
    bodies: FxHashMap<Func, Rc<Body>>,
    /// Constants that an axiom says to be equal to a term.
    constant_terms: FxHashMap<u32, Term>,
    /// Operands of the fast code.
    values: Vec<Value>,
    /// What the evaluator asked for in vain.
    missed: Option<Miss>,
    /// What is running.
    pub at: At,
    pub steps: u64,
    pub max_steps: u64,
    pub instances: u64,
    /// Variables that were read before they were set, with the values that they were given; if wanted.
    pub found: Option<Vec<(Var, Value)>>,
}

/// More values of functions than this are not kept, and a run that needs them is stuck.
const MAX_FUNCTION_VALUES: usize = 1 << 22;

impl<'a> World<'a> {
    pub fn new(
        program: &'a Program,
        terms: &'a Terms,
        shared: &'a FxHashMap<Var, Slot>,
        source: &'a mut dyn ValueSource,
    ) -> World<'a> {
        World {
            program,
            terms,
            source,
            shared,
            globals: vec![None; program.globals.len()],
            constants: vec![None; program.constants.len()],
            stack: Vec::new(),
            functions: FxHashMap::default(),
            function_values: 0,
            open: FxHashMap::default(),
            definitions: program.functions.iter().enumerate().map(|(i, d)| (d.func, i)).collect(),
            bodies: FxHashMap::default(),
            constant_terms: defined_constants(program, terms, shared),
            values: Vec::new(),
            missed: None,
            at: At { region: RegionId(0), instance: 0, block: BlockId(0), stmt: 0, loc: Loc::NONE },
            steps: 0,
            max_steps: u64::MAX,
            instances: 1 << 16,
            found: None,
        }
    }

    // Questions

    fn ask(&mut self, asked: Asked, name: &str, sort: Sort) -> Result<Value, Reason> {
        let query = Query { asked, name, sort, at: self.at };
        match self.source.value(self.terms, &query) {
            None => Err(Reason::NoAnswer { name: name.to_string() }),
            Some(v) if !fits(self.terms, &v, sort) => Err(Reason::WrongSort { name: name.to_string() }),
            Some(v) => Ok(v),
        }
    }

    /// A value for a variable of the program or of the running region.
    pub fn ask_var(&mut self, asked: Asked, slot: Slot, var: Var) -> Result<Value, Reason> {
        let program = self.program;
        let decl = match slot {
            Slot::Global(i) => program.globals.get(i as usize),
            Slot::Constant(i) => program.constants.get(i as usize),
            Slot::Own(_) => program
                .regions
                .get(self.at.region.index())
                .and_then(|r| r.inputs.iter().chain(&r.outputs).chain(&r.locals).find(|d| d.var == var)),
        };
        let source = decl.and_then(|d| d.source.as_deref());
        self.ask(asked, source.unwrap_or(self.terms.var_name(var)), self.terms.var_sort(var))
    }

    fn read(&mut self, slot: Slot, var: Var, base: usize) -> Result<Value, Miss> {
        let (known, asked) = match slot {
            Slot::Own(i) => (&self.stack[base + i as usize], Asked::Local(var)),
            Slot::Global(i) => (&self.globals[i as usize], Asked::Global(var)),
            Slot::Constant(i) => (&self.constants[i as usize], Asked::Constant(var)),
        };
        if let Some(v) = known {
            return Ok(v.clone());
        }
        if let Slot::Constant(i) = slot
            && self.constant_terms.contains_key(&i)
        {
            return Err(Miss::Goal(Goal::Constant(i)));
        }
        let v = self.ask_var(asked, slot, var).map_err(Miss::Stuck)?;
        let place = match slot {
            Slot::Own(i) => &mut self.stack[base + i as usize],
            Slot::Global(i) => &mut self.globals[i as usize],
            Slot::Constant(i) => &mut self.constants[i as usize],
        };
        *place = Some(v.clone());
        if let (Some(found), Slot::Own(_) | Slot::Global(_)) = (&mut self.found, slot) {
            found.push((var, v.clone()));
        }
        Ok(v)
    }

    fn apply_function(&mut self, f: Func, args: &[Value]) -> Result<Value, Miss> {
        if let Some(v) = self.functions.get(&f).and_then(|t| t.get(args)) {
            return Ok(v.clone());
        }
        if self.definitions.contains_key(&f) {
            return Err(Miss::Goal(Goal::Function(f, args.to_vec())));
        }
        let decl = self.terms.func_decl(f);
        if decl.builtin.is_some() {
            // A solver's own function: its meaning is fixed, but not known here.
            return Err(Miss::Stuck(Reason::Builtin { name: self.terms.name(decl.name).to_string() }));
        }
        let v = self.ask(Asked::Function(f, args), self.terms.name(decl.name), decl.result).map_err(Miss::Stuck)?;
        self.keep(f, args.to_vec(), v.clone()).map_err(Miss::Stuck)?;
        Ok(v)
    }

    fn keep(&mut self, f: Func, args: Vec<Value>, v: Value) -> Result<(), Reason> {
        self.function_values += 1;
        if self.function_values > MAX_FUNCTION_VALUES {
            return Err(Reason::TooManyFunctionValues);
        }
        self.functions.entry(f).or_default().insert(args, v);
        Ok(())
    }

    fn apply_open(&mut self, op: Op, args: &[Value]) -> Result<Value, Miss> {
        if let Some(v) = self.open.get(&op).and_then(|t| t.get(args)) {
            return Ok(v.clone());
        }
        let sort = match (op, args) {
            (Op::Selector(c, i), _) => self.terms.ctor_fields(c).get(i as usize).map(|f| f.sort),
            (Op::IntDiv | Op::IntMod, _) => Some(Sort::INT),
            (Op::RealDiv | Op::FpToReal, _) => Some(Sort::REAL),
            (Op::Pow, [Value::Int(_), ..]) => Some(Sort::INT),
            (Op::Pow, _) => Some(Sort::REAL),
            _ => None,
        };
        let v = match sort {
            Some(sort) => self.ask(Asked::Unspecified(op, args), "", sort).map_err(Miss::Stuck)?,
            // Out of range conversions and signed zeros: sorts that the store may not have, or a
            // choice between two: the fixed default serves.
            None => lariat_term::open_default(self.terms, op, args).ok_or(Miss::NoValue)?,
        };
        self.open.entry(op).or_default().insert(args.to_vec(), v.clone());
        Ok(v)
    }

    // Evaluation

    /// The value of a term over the variables `vars` in the frame at `base`. What cannot be
    /// evaluated is given to the source.
    pub fn eval(&mut self, code: &Code, vars: &FxHashMap<Var, Slot>, base: usize) -> Result<Value, Reason> {
        match self.evaluate(code, vars, base) {
            Err(why @ (Reason::Eval(_) | Reason::Builtin { .. })) => {
                let mut values = FxHashMap::default();
                for v in self.variables(code.term) {
                    // Without a value it may be anything, which makes the question harder, not wrong.
                    if let Ok(value) = self.evaluate_var(v, vars, base) {
                        values.insert(v, value);
                    }
                }
                let found = self.source.compute(self.terms, code.term, &values);
                found.filter(|v| fits(self.terms, v, self.terms.sort(code.term))).ok_or(why)
            }
            known => known,
        }
    }

    /// The free variables of a term and of the definitions that it uses.
    fn variables(&self, t: Term) -> Vec<Var> {
        let mut vars = self.terms.free_vars(&[t]);
        let mut funcs = self.terms.used_funcs(&[t]);
        let mut seen: FxHashSet<Func> = funcs.iter().copied().collect();
        while let Some(f) = funcs.pop() {
            let Some(d) = self.definitions.get(&f).map(|&i| &self.program.functions[i]) else { continue };
            vars.extend(self.terms.free_vars(&[d.body]).into_iter().filter(|v| !d.params.contains(v)));
            funcs.extend(self.terms.used_funcs(&[d.body]).into_iter().filter(|&f| seen.insert(f)));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn evaluate_var(&mut self, v: Var, vars: &FxHashMap<Var, Slot>, base: usize) -> Result<Value, Reason> {
        let Some(slot) = vars.get(&v).or_else(|| self.shared.get(&v)).copied() else {
            return Err(Reason::Eval(EvalError::Var(v)));
        };
        loop {
            match self.read(slot, v, base) {
                Ok(value) => return Ok(value),
                Err(Miss::Goal(goal)) => self.solve(goal)?,
                Err(Miss::Stuck(reason)) => return Err(reason),
                Err(Miss::NoValue) => return Err(Reason::Eval(EvalError::Var(v))),
            }
        }
    }

    /// The value of a term over the variables `vars` in the frame at `base`, by evaluation.
    pub fn evaluate(&mut self, code: &Code, vars: &FxHashMap<Var, Slot>, base: usize) -> Result<Value, Reason> {
        loop {
            match self.attempt(code, vars, base) {
                Ok(v) => return Ok(v),
                Err(Miss::Goal(goal)) => self.solve(goal)?,
                Err(Miss::Stuck(reason)) => return Err(reason),
                Err(Miss::NoValue) => return Err(Reason::Eval(EvalError::Bound(0))),
            }
        }
    }

    fn attempt(&mut self, code: &Code, vars: &FxHashMap<Var, Slot>, base: usize) -> Result<Value, Miss> {
        if let Some(instrs) = &code.instrs {
            let height = self.values.len();
            let result = self.run(instrs, base);
            self.values.truncate(height);
            match result {
                Err(Miss::NoValue) => {}
                Err(Miss::Stuck(_)) if code_may_skip(instrs) => {}
                done => return done,
            }
        }
        let (terms, instances) = (self.terms, self.instances);
        let view = View { world: RefCell::new(self), vars, base };
        let result = Evaluator::new(terms, &view).limit_instances(instances).eval(code.term);
        let missed = self.missed.take();
        match (result, missed) {
            (Ok(v), _) => Ok(v),
            (Err(_), Some(miss)) => Err(miss),
            (Err(e), None) => Err(Miss::Stuck(Reason::Eval(e))),
        }
    }

    fn run(&mut self, instrs: &[Instr], base: usize) -> Result<Value, Miss> {
        let mut at = 0;
        while let Some(instr) = instrs.get(at) {
            at += 1;
            match instr {
                Instr::Push(v) => self.values.push(v.clone()),
                Instr::Read(slot, var) => {
                    let v = self.read(*slot, *var, base)?;
                    self.values.push(v);
                }
                Instr::Apply(op, n) => {
                    let from = self.values.len() - *n as usize;
                    let v = match fold::apply(self.terms, *op, &self.values[from..], &|s| self.source.universe(s)) {
                        Ok(v) => v,
                        Err(NotFixed::Unspecified) => {
                            let args: Vec<Value> = self.values[from..].to_vec();
                            self.apply_open(*op, &args)?
                        }
                        Err(_) => return Err(Miss::NoValue),
                    };
                    self.values.truncate(from);
                    self.values.push(v);
                }
                Instr::Call(f, n) => {
                    let args = self.values.split_off(self.values.len() - *n as usize);
                    let v = self.apply_function(*f, &args)?;
                    self.values.push(v);
                }
                Instr::Decide(b, to) => {
                    if self.values.last() == Some(&Value::Bool(*b)) {
                        at = *to as usize;
                    } else {
                        self.values.pop();
                    }
                }
                Instr::Unless(to) => {
                    if self.values.pop() == Some(Value::Bool(false)) {
                        at = *to as usize;
                    }
                }
                Instr::Jump(to) => at = *to as usize,
            }
        }
        self.values.pop().ok_or(Miss::NoValue)
    }

    /// Computes a goal and everything it needs.
    fn solve(&mut self, goal: Goal) -> Result<(), Reason> {
        let mut waiting: FxHashSet<Goal> = FxHashSet::from_iter([goal.clone()]);
        let mut goals = vec![goal];
        while let Some(goal) = goals.last().cloned() {
            if self.steps >= self.max_steps {
                return Err(Reason::Steps);
            }
            self.steps += 1;
            let result = match &goal {
                Goal::Constant(i) => match self.constant_terms.get(i) {
                    Some(&t) => self.attempt(&Code { term: t, instrs: None }, &FxHashMap::default(), self.stack.len()),
                    // Its definition turned out to be circular: it is asked for when it is read.
                    None => {
                        goals.pop();
                        continue;
                    }
                },
                Goal::Function(f, args) => {
                    let body = self.body(*f);
                    let base = self.stack.len();
                    self.stack.extend(args.iter().cloned().map(Some));
                    let result = self.attempt(&body.code, &body.vars, base);
                    self.stack.truncate(base);
                    result
                }
            };
            match result {
                Ok(v) => {
                    waiting.remove(&goal);
                    goals.pop();
                    match goal {
                        Goal::Constant(i) => self.constants[i as usize] = Some(v),
                        Goal::Function(f, args) => self.keep(f, args, v)?,
                    }
                }
                Err(Miss::Goal(next)) => {
                    if waiting.insert(next.clone()) {
                        goals.push(next);
                    } else if let Goal::Constant(i) = next {
                        self.constant_terms.remove(&i);
                    } else {
                        return Err(Reason::CircularFunction);
                    }
                }
                Err(Miss::Stuck(reason)) => return Err(reason),
                Err(Miss::NoValue) => return Err(Reason::Eval(EvalError::Bound(0))),
            }
        }
        Ok(())
    }

    fn body(&mut self, f: Func) -> Rc<Body> {
        if let Some(b) = self.bodies.get(&f) {
            return b.clone();
        }
        let d = &self.program.functions[self.definitions[&f]];
        let own = d.params.iter().enumerate().map(|(i, &v)| (v, Slot::Own(i as u32))).collect();
        let compiler = Compiler { terms: self.terms, shared: self.shared, own };
        let body = Rc::new(Body { code: compiler.code(d.body), vars: compiler.own });
        self.bodies.insert(f, body.clone());
        body
    }
}

/// A value that is missing may not matter to `and`, `or` and `ite`; the evaluator knows.
fn code_may_skip(instrs: &[Instr]) -> bool {
    instrs.iter().any(|i| matches!(i, Instr::Decide(..)))
}

/// Constants `c` for which an axiom says `c = t` (or a conjunction does), as their terms.
fn defined_constants(program: &Program, terms: &Terms, shared: &FxHashMap<Var, Slot>) -> FxHashMap<u32, Term> {
    let mut found = FxHashMap::default();
    let mut work: Vec<Term> = program.axioms.iter().rev().map(|a| a.term).collect();
    while let Some(t) = work.pop() {
        match (terms.op(t), terms.args(t)) {
            (Op::And, args) => work.extend(args.iter().rev()),
            (Op::Eq, &[a, b]) => {
                for (c, t) in [(a, b), (b, a)] {
                    if let Some(Slot::Constant(i)) = terms.as_var(c).and_then(|v| shared.get(&v)) {
                        found.entry(*i).or_insert(t);
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The world as the evaluator sees it: reading may ask, which changes the world.
struct View<'v, 'a> {
    world: RefCell<&'v mut World<'a>>,
    vars: &'v FxHashMap<Var, Slot>,
    base: usize,
}

impl View<'_, '_> {
    fn answer(&self, ask: impl FnOnce(&mut World) -> Result<Value, Miss>) -> Option<Value> {
        let mut world = self.world.borrow_mut();
        match ask(&mut world) {
            Ok(v) => Some(v),
            Err(miss) => {
                world.missed.get_or_insert(miss);
                None
            }
        }
    }
}

impl Interpretation for View<'_, '_> {
    fn var(&self, _terms: &Terms, v: Var) -> Option<Value> {
        self.answer(|w| match self.vars.get(&v).or_else(|| w.shared.get(&v)).copied() {
            Some(slot) => w.read(slot, v, self.base),
            None => Err(Miss::NoValue),
        })
    }

    fn func(&self, _terms: &Terms, f: Func, args: &[Value]) -> Option<Value> {
        self.answer(|w| w.apply_function(f, args))
    }

    fn open(&self, _terms: &Terms, op: Op, args: &[Value]) -> Option<Value> {
        self.answer(|w| w.apply_open(op, args))
    }

    fn universe(&self, sort: Sort) -> Option<u32> {
        self.world.borrow().source.universe(sort)
    }
}

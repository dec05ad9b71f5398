//! Derivations of an error from clauses as executions of the program.
//!
//! The values of the variables of each clause say what is chosen at each moment that the clauses know. The interpreter runs the program and asks for
//! these choices, which gives the execution instance by instance, and shows at once whether it fails.

use lariat_certify::{Event, Site};
use lariat_engine::{Candidate, Execution, Instance, Task, map_back};
use lariat_program::{
    Program, RegionKind,
    interp::{Asked, At, Axioms, Interpreter, Options, Outcome, Query, TraceLevel, ValueSource},
};
use lariat_smt::Reason;
use lariat_term::{Model as Values, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Position, engines::Clauses};

/// Steps that the run may take.
const STEPS: u64 = 10_000_000;

/// A moment of an execution: the boxes that lead to an instance, what is decided in it, and which time the innermost loop
/// around it was entered.
type Moment = (Vec<Site>, Event, u64);

/// A clause that an execution takes, and values of its variables.
pub type Taken = (usize, Vec<(Var, Value)>);

/// The execution that takes these clauses one after the other, that of the error last, if the program has one.
pub fn candidate(task: &Task, clauses: &Clauses, terms: &Terms, steps: &[Taken]) -> Option<Candidate> {
    if !clauses.exact {
        return None;
    }
    let program = clauses.integers().map_or(&*task.program, |i| &i.program);
    let source = Guided::new(program, clauses, steps, task)?;
    let (execution, model) = source.run(terms, task)?;
    let (execution, model) = match clauses.integers() {
        Some(i) => (map_back(terms, &model, &execution, &i.origins), i.model(terms, &model)),
        None => (execution, model),
    };
    // Of functions and axioms the clauses know little: the replay alone is the evidence.
    let doubtful = !task.given.axioms.is_empty() || !task.given.functions.is_empty();
    let doubt = doubtful.then(|| Reason::Incomplete("functions may be anything".into()));
    let axioms = (0..task.given.axioms.len()).collect();
    Some(Candidate { execution: Ok(execution), model, axioms, left_out: false, doubt })
}

/// Answers with what was chosen, and notes it.
struct Guided<'a> {
    program: &'a Program,
    /// Loops that have a relation.
    loops: FxHashSet<Vec<Site>>,
    values: FxHashMap<Moment, Value>,
    constants: FxHashMap<Var, Value>,
    /// How often each loop was entered so far.
    entered: FxHashMap<Vec<Site>, u64>,
    /// The boxes that lead to each instance.
    paths: Vec<Vec<Site>>,
    execution: Execution,
    model: Values,
}

impl<'a> Guided<'a> {
    fn new(program: &'a Program, clauses: &Clauses, steps: &[Taken], task: &Task) -> Option<Guided<'a>> {
        let system = &clauses.system;
        let mut loops = FxHashSet::default();
        for head in system.clauses.iter().filter_map(|c| c.head.as_ref()) {
            if let (None, Position::Loop(path)) = system.position(head.relation) {
                loops.insert(path.to_vec());
            }
        }
        let constants: FxHashSet<Var> = program.constants.iter().map(|d| d.var).collect();
        let mut guided = Guided {
            program,
            loops,
            values: FxHashMap::default(),
            constants: FxHashMap::default(),
            entered: FxHashMap::default(),
            paths: vec![Vec::new()],
            execution: Execution { instances: vec![Instance::new(task.entry)], ..Execution::default() },
            model: Values::default(),
        };
        for (clause, values) in steps {
            for (v, value) in values {
                if constants.contains(v) {
                    guided.constants.insert(*v, value.clone());
                    continue;
                }
                let Some(origin) = system.origin(*v) else { continue };
                if origin.procedure.is_some() {
                    return None;
                }
                let moment = guided.moment(origin.path, origin.event);
                guided.values.entry(moment).or_insert_with(|| value.clone());
            }
            let head = system.clauses[*clause].head.as_ref();
            if let Some((None, Position::Loop(path))) = head.map(|h| system.position(h.relation)) {
                *guided.entered.entry(path.to_vec()).or_default() += 1;
            }
        }
        guided.entered.clear();
        Some(guided)
    }

    /// A moment in the round that the innermost loop around it is in now.
    fn moment(&self, path: &[Site], event: Event) -> Moment {
        let around = (1..=path.len()).rev().map(|n| &path[..n]).find(|p| self.loops.contains(*p));
        let round = around.and_then(|p| self.entered.get(p)).copied().unwrap_or(0);
        (path.to_vec(), event, round)
    }

    fn chosen(&self, at: At, event: Event) -> Option<Value> {
        let path = self.paths.get(usize::try_from(at.instance).ok()?)?;
        self.values.get(&self.moment(path, event)).cloned()
    }

    fn instance(&mut self, at: At) -> Option<&mut Instance> {
        usize::try_from(at.instance).ok().and_then(|i| self.execution.instances.get_mut(i))
    }

    /// Runs the program; what was chosen, if that fails an assertion that counts.
    fn run(mut self, terms: &Terms, task: &Task) -> Option<(Execution, Values)> {
        let options = Options {
            steps: STEPS,
            trace: TraceLevel::Off,
            look_ahead: false,
            settle_outputs: true,
            axioms: Axioms::Only(Vec::new()),
            compute_axioms: false,
            ..Options::default()
        };
        let interpreter = Interpreter::new(self.program, terms, options).ok()?;
        let Outcome::AssertionFailed { id, .. } = interpreter.run(task.entry, &mut self).outcome else { return None };
        if task.asserts.binary_search(&id).is_err() {
            return None;
        }
        self.execution.assertion = Some(id);
        Some((self.execution, self.model))
    }
}

impl ValueSource for Guided<'_> {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let (at, sort) = (query.at, query.sort);
        let or_default = |value: Option<Value>| value.or_else(|| terms.default_value(sort));
        match query.asked {
            Asked::Havoc(v) => {
                let site = Site { block: at.block, stmt: at.stmt };
                let value = or_default(self.chosen(at, Event::Havoc(site, v)))?;
                self.instance(at)?.havoc.insert((at.block, at.stmt, v), value.clone());
                Some(value)
            }
            Asked::Local(v) => {
                let value = or_default(self.chosen(at, Event::Entry(v)))?;
                self.instance(at)?.locals.insert(v, value.clone());
                Some(value)
            }
            Asked::Global(v) | Asked::Input(v) => {
                let known = self.values.get(&(Vec::new(), Event::Entry(v), 0)).cloned();
                let value = or_default(known)?;
                self.model.set(v, value.clone());
                Some(value)
            }
            Asked::Constant(v) => {
                let value = or_default(self.constants.get(&v).cloned())?;
                self.model.set(v, value.clone());
                Some(value)
            }
            Asked::Function(..) | Asked::Unspecified(..) => terms.default_value(sort),
        }
    }

    fn choose(&mut self, among: usize, at: At) -> Option<usize> {
        let taken = |way: &usize| self.chosen(at, Event::Choice(at.block, *way as u32)) == Some(Value::Bool(true));
        let way = (0..among.checked_sub(1)?).find(taken).unwrap_or(among - 1);
        self.instance(at)?.choices.insert(at.block, way);
        Some(way)
    }

    fn enter(&mut self, from: At) {
        let callee = self.program.callee(from.region, from.block, from.stmt);
        let parent = usize::try_from(from.instance).unwrap_or(usize::MAX);
        let mut path = self.paths.get(parent).cloned().unwrap_or_default();
        let region = callee.unwrap_or(from.region);
        let is_loop = matches!(self.program.regions[region.index()].kind, RegionKind::Loop { .. });
        // A further round of a loop is at the same place.
        if callee != Some(from.region) || !is_loop {
            path.push(Site { block: from.block, stmt: from.stmt });
        }
        if self.loops.contains(&path) {
            *self.entered.entry(path.clone()).or_default() += 1;
        }
        self.paths.push(path);
        let number = self.execution.instances.len();
        self.execution.instances.push(Instance::new(region));
        if let Some(parent) = self.execution.instances.get_mut(parent) {
            parent.boxes.insert((from.block, from.stmt), number);
        }
    }
}

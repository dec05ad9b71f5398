//! The main loop: frames, statements and jumps.

use std::rc::Rc;

use lariat_term::{Value, Var};
use rustc_hash::FxHashMap;

use super::{
    Axioms, Interpreter, Options, Outcome, Reason, Run, Stopped,
    code::{Action, Assignment, Code, Next, Prepared, Slot, Target, prepare},
    source::{Asked, ValueSource},
    trace::{Event, Trace, TraceLevel},
    world::World,
};
use crate::ir::{AssertId, AssertKind, BlockId, Loc, RegionId};

/// An instance of a region that is running.
struct Frame {
    region: RegionId,
    instance: u64,
    code: Rc<Prepared>,
    /// Its slots start here in [`World::stack`].
    base: usize,
    block: u32,
    stmt: u32,
}

struct Machine<'a, 'i> {
    interpreter: &'i Interpreter<'a>,
    options: &'i Options,
    world: World<'i>,
    frames: Vec<Frame>,
    prepared: Vec<Option<Rc<Prepared>>>,
    trace: Trace,
    unchecked_axioms: Vec<usize>,
    approximated: Option<AssertId>,
    /// How many instances were entered so far.
    entered: u64,
}

/// How a variable gets its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// It has a value now; if it is the one that it had, nothing has happened.
    Value,
    /// A value is assigned, be it the one that it had.
    Assigned,
    /// Elements of an array are assigned.
    Elements,
    /// It is havocked.
    Any,
}

/// The end of a run.
type Step<T> = Result<T, Outcome>;

pub(super) fn run(interpreter: &Interpreter, entry: RegionId, source: &mut dyn ValueSource) -> Run {
    let options = &interpreter.options;
    let program = interpreter.program;
    let mut world = World::new(program, interpreter.terms, &interpreter.shared, source);
    world.max_steps = options.steps;
    world.instances = options.instances;
    world.found = (options.trace >= TraceLevel::Changes).then(Vec::new);
    let mut m = Machine {
        interpreter,
        options,
        world,
        frames: Vec::new(),
        prepared: vec![None; program.regions.len()],
        trace: Trace::new(options.trace, options.trace_events),
        unchecked_axioms: Vec::new(),
        approximated: None,
        entered: 0,
    };
    let outcome = match m.start(entry) {
        Ok(()) => loop {
            if let Err(outcome) = m.step() {
                break outcome;
            }
        },
        Err(outcome) => outcome,
    };
    let globals = program.globals.iter().map(|d| d.var).zip(std::mem::take(&mut m.world.globals)).collect();
    let locals = m.frames.last().map_or_else(Vec::new, |f| own_values(f, &m.world.stack));
    let mut outputs = Vec::new();
    if let (Outcome::Completed, Some(f)) = (&outcome, m.frames.first()) {
        let values = f.code.outputs.iter().map(|&o| m.world.stack[f.base + o as usize].clone());
        outputs = program.regions[entry.index()].outputs.iter().map(|d| d.var).zip(values).collect();
    }
    Run {
        outcome,
        trace: m.trace,
        steps: m.world.steps,
        globals,
        locals,
        outputs,
        unchecked_axioms: m.unchecked_axioms,
        approximated: m.approximated,
    }
}

/// The variables of a frame that have a value.
fn own_values(frame: &Frame, stack: &[Option<Value>]) -> Vec<(Var, Value)> {
    let own = frame.code.vars.iter().filter_map(|(&var, &slot)| match slot {
        Slot::Own(at) => Some((var, stack.get(frame.base + at as usize)?.clone()?)),
        _ => None,
    });
    let mut own: Vec<(Var, Value)> = own.collect();
    own.sort_unstable_by_key(|(var, _)| *var);
    own
}

impl Machine<'_, '_> {
    fn start(&mut self, entry: RegionId) -> Step<()> {
        let Some(region) = self.interpreter.program.regions.get(entry.index()) else {
            return Err(Outcome::Stuck { reason: Reason::NoRegion, loc: Loc::NONE });
        };
        self.world.at.region = entry;
        match &self.options.axioms {
            Axioms::All => self.check_axioms(0..self.interpreter.program.axioms.len())?,
            Axioms::Only(list) => self.check_axioms(list.iter().copied())?,
        }
        self.world.at.loc = region.loc;
        self.enter(entry, region.loc)?;
        for (i, d) in region.inputs.iter().enumerate() {
            let v = self.world.ask_var(Asked::Input(d.var), Slot::Own(i as u32), d.var);
            let v = v.map_err(|r| self.stuck(r))?;
            self.set(&Target { slot: Slot::Own(i as u32), var: d.var }, Some(v), Change::Value)?;
        }
        Ok(())
    }

    fn check_axioms(&mut self, which: impl Iterator<Item = usize>) -> Step<()> {
        for i in which {
            let Some(a) = self.interpreter.program.axioms.get(i) else { continue };
            self.world.at.loc = a.loc;
            let code = Code { term: a.term, instrs: None };
            let value = match self.options.compute_axioms {
                true => self.world.eval(&code, &FxHashMap::default(), 0),
                false => self.world.evaluate(&code, &FxHashMap::default(), 0),
            };
            match value {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err(Outcome::AssumeFailed { loc: a.loc }),
                Err(Reason::Steps) => return Err(Outcome::StepLimit),
                Err(_) => self.unchecked_axioms.push(i),
            }
        }
        Ok(())
    }

    fn stuck(&self, reason: Reason) -> Outcome {
        match reason {
            Reason::Steps => Outcome::StepLimit,
            reason => Outcome::Stuck { reason, loc: self.world.at.loc },
        }
    }

    /// Pushes a frame in which nothing has a value yet.
    fn enter(&mut self, region: RegionId, loc: Loc) -> Step<()> {
        let code = match &self.prepared[region.index()] {
            Some(code) => code.clone(),
            None => {
                let i = self.interpreter;
                let code = Rc::new(prepare(i.program, i.terms, &i.shared, region));
                self.prepared[region.index()] = Some(code.clone());
                code
            }
        };
        let base = self.world.stack.len();
        // A frame without variables costs something too.
        if base + code.slots as usize + self.frames.len() > self.options.stack {
            return Err(self.stuck(Reason::StackTooBig));
        }
        self.world.stack.resize(base + code.slots as usize, None);
        self.world.at.instance = self.entered;
        self.entered += 1;
        self.frames.push(Frame { region, instance: self.world.at.instance, code, base, block: 0, stmt: 0 });
        self.world.at.region = region;
        self.trace.add(TraceLevel::Changes, Event::Enter { region, loc });
        Ok(())
    }

    fn eval(&mut self, code: &Code, frame: &Prepared, base: usize) -> Step<Value> {
        let value = self.world.eval(code, &frame.vars, base).map_err(|r| self.stuck(r));
        if let Some(found) = &mut self.world.found
            && !found.is_empty()
        {
            let (region, loc) = (self.world.at.region, self.world.at.loc);
            for (var, value) in found.drain(..) {
                self.trace.add(TraceLevel::Changes, Event::Found { region, var, value, loc });
            }
        }
        value
    }

    fn holds(&mut self, code: &Code, frame: &Prepared, base: usize) -> Step<bool> {
        Ok(self.eval(code, frame, base)? == Value::Bool(true))
    }

    /// Sets a variable of the running frame, or a global, in one of these ways.
    fn set(&mut self, target: &Target, value: Option<Value>, change: Change) -> Step<()> {
        if let Some(Value::Array(a)) = &value
            && a.len() > self.options.array_entries
        {
            return Err(self.stuck(Reason::ArrayTooBig));
        }
        let base = self.frames.last().map_or(0, |f| f.base);
        let place = match target.slot {
            Slot::Own(i) => self.world.stack.get_mut(base + i as usize),
            Slot::Global(i) => self.world.globals.get_mut(i as usize),
            Slot::Constant(_) => None,
        };
        let Some(place) = place else { return Ok(()) };
        if self.trace.wants(TraceLevel::Changes)
            && (change != Change::Value || *place != value)
            && let Some(value) = value.clone()
        {
            let (region, var, loc) = (self.world.at.region, target.var, self.world.at.loc);
            let event = match change {
                Change::Any => Event::Havoc { region, var, value, loc },
                Change::Value | Change::Assigned | Change::Elements => {
                    Event::Set { region, var, value, old: place.take(), loc }
                }
            };
            self.trace.add(TraceLevel::Changes, event);
        }
        *place = value;
        Ok(())
    }

    fn step(&mut self) -> Step<()> {
        let stopped = |stopped: &Stopped| self.world.steps.is_multiple_of(64) && (stopped.0)();
        if self.world.steps >= self.options.steps || self.options.stopped.as_ref().is_some_and(stopped) {
            return Err(Outcome::StepLimit);
        }
        self.world.steps += 1;
        let Some(frame) = self.frames.last_mut() else { return Err(Outcome::Completed) };
        let (code, base) = (frame.code.clone(), frame.base);
        let (actions, next) = &code.blocks[frame.block as usize];
        (self.world.at.block, self.world.at.stmt) = (BlockId(frame.block), frame.stmt);
        let Some((action, loc)) = actions.get(frame.stmt as usize) else {
            return self.jump(&code, next, base);
        };
        self.world.at.loc = *loc;
        if self.trace.wants(TraceLevel::Full) {
            let (region, block, stmt) = (frame.region, BlockId(frame.block), frame.stmt);
            self.trace.add(TraceLevel::Full, Event::Stmt { region, block, stmt, loc: *loc });
        }
        match action {
            Action::Assume(c) => {
                if !self.holds(c, &code, base)? {
                    return Err(Outcome::AssumeFailed { loc: *loc });
                }
            }
            Action::Assert(id, c) => {
                let assertions = &self.interpreter.program.assertions;
                let kind = assertions[id.index()].kind;
                // What is only proposed need not even have a value.
                if kind != AssertKind::Candidate && !self.holds(c, &code, base)? {
                    return Err(Outcome::AssertionFailed { id: *id, loc: *loc });
                }
                if self.approximated.is_none() && kind == AssertKind::Approximate {
                    self.approximated = Some(*id);
                }
            }
            Action::Assign(pairs) => {
                if let [one] = &pairs[..] {
                    let v = self.eval(&one.code, &code, base)?;
                    let kind = self.writes(one, &code, base);
                    self.set(&one.target, Some(v), kind)?;
                } else {
                    let mut values = Vec::with_capacity(pairs.len());
                    for one in pairs {
                        let value = self.eval(&one.code, &code, base)?;
                        values.push((value, self.writes(one, &code, base)));
                    }
                    for (one, (v, kind)) in pairs.iter().zip(values) {
                        self.set(&one.target, Some(v), kind)?;
                    }
                }
            }
            Action::Havoc(targets) => {
                for t in targets {
                    let v = self.world.ask_var(Asked::Havoc(t.var), t.slot, t.var).map_err(|r| self.stuck(r))?;
                    self.set(t, Some(v), Change::Any)?;
                }
            }
            Action::Box { callee, args, tail, .. } => {
                let args: Vec<Value> = args.iter().map(|c| self.eval(c, &code, base)).collect::<Step<_>>()?;
                return self.call(*callee, args, *tail, *loc);
            }
        }
        self.advance();
        Ok(())
    }

    /// Records the elements that an assignment updates.
    fn writes(&mut self, one: &Assignment, code: &Prepared, base: usize) -> Change {
        if one.writes.is_empty() || !self.trace.wants(TraceLevel::Changes) {
            return if one.fresh { Change::Assigned } else { Change::Value };
        }
        for path in &one.writes {
            let path: Step<Vec<Value>> = path.iter().map(|c| self.eval(c, code, base)).collect();
            // What cannot be computed did not matter.
            let Ok(path) = path else { continue };
            let (region, loc) = (self.world.at.region, self.world.at.loc);
            self.trace.add(TraceLevel::Changes, Event::Write { region, var: one.target.var, path, loc });
        }
        Change::Elements
    }

    fn advance(&mut self) {
        if let Some(f) = self.frames.last_mut() {
            f.stmt += 1;
        }
    }

    fn call(&mut self, callee: RegionId, args: Vec<Value>, tail: bool, loc: Loc) -> Step<()> {
        self.world.source.enter(self.world.at);
        let base = match self.frames.last_mut() {
            Some(f) if tail => {
                (f.block, f.stmt) = (0, 0);
                f.instance = self.entered;
                self.world.at.instance = self.entered;
                self.entered += 1;
                let base = f.base;
                self.world.stack[base..].fill(None);
                self.trace.add(TraceLevel::Changes, Event::Again { region: callee, rounds: 1 });
                base
            }
            _ => {
                self.enter(callee, loc)?;
                self.frames.last().map_or(0, |f| f.base)
            }
        };
        if self.trace.wants(TraceLevel::Changes) {
            let inputs = &self.interpreter.program.regions[callee.index()].inputs;
            for (d, v) in inputs.iter().zip(&args) {
                let set = Event::Set { region: callee, var: d.var, value: v.clone(), old: None, loc };
                self.trace.add(TraceLevel::Changes, set);
            }
        }
        for (place, v) in self.world.stack[base..].iter_mut().zip(args) {
            *place = Some(v);
        }
        Ok(())
    }

    fn goto(&mut self, to: BlockId) {
        if let Some(f) = self.frames.last_mut() {
            (f.block, f.stmt) = (to.0, 0);
        }
    }

    fn jump(&mut self, code: &Prepared, next: &Next, base: usize) -> Step<()> {
        match next {
            Next::Branch(c, yes, no) => {
                let to = if self.holds(c, code, base)? { *yes } else { *no };
                self.goto(to);
            }
            Next::Goto(to) => match to[..] {
                [] => return Err(Outcome::Stopped),
                [to] => self.goto(to),
                _ => self.choose(code, to, base)?,
            },
            Next::Return => return self.leave(code, base),
        }
        Ok(())
    }

    fn choose(&mut self, code: &Prepared, to: &[BlockId], base: usize) -> Step<()> {
        let mut open: Vec<BlockId> = to.to_vec();
        if self.options.look_ahead {
            open.retain(|b| !self.blocked(code, *b, base));
        }
        let target = match open[..] {
            // All are blocked: go to the first, and the failure is found where it is.
            [] => to[0],
            [only] => only,
            _ => {
                let choice = self.world.source.choose(open.len(), self.world.at);
                let Some(&target) = choice.and_then(|c| open.get(c)) else { return Err(self.stuck(Reason::NoTarget)) };
                let (region, loc) = (self.world.at.region, self.world.at.loc);
                self.trace.add(TraceLevel::Changes, Event::Choice { region, target, loc });
                target
            }
        };
        self.goto(target);
        Ok(())
    }

    /// Does one of the block's leading assumptions fail? What cannot be told is not.
    fn blocked(&mut self, code: &Prepared, block: BlockId, base: usize) -> bool {
        for (action, _) in &code.blocks[block.index()].0 {
            let Action::Assume(c) = action else { return false };
            match self.world.eval(c, &code.vars, base) {
                Ok(Value::Bool(false)) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        false
    }

    fn leave(&mut self, code: &Prepared, base: usize) -> Step<()> {
        let region = self.world.at.region;
        self.trace.add(TraceLevel::Changes, Event::Leave { region });
        if self.frames.len() <= 1 {
            return Err(Outcome::Completed);
        }
        if self.options.settle_outputs {
            let outputs = &self.interpreter.program.regions[region.index()].outputs;
            for (&o, d) in code.outputs.iter().zip(outputs) {
                if self.world.stack[base + o as usize].is_none() {
                    let v = self.world.ask_var(Asked::Local(d.var), Slot::Own(o), d.var);
                    self.world.stack[base + o as usize] = Some(v.map_err(|r| self.stuck(r))?);
                }
            }
        }
        let values: Vec<Option<Value>> =
            code.outputs.iter().map(|&o| self.world.stack[base + o as usize].take()).collect();
        self.frames.pop();
        self.world.stack.truncate(base);
        let Some(caller) = self.frames.last() else { return Err(Outcome::Completed) };
        self.world.at.region = caller.region;
        self.world.at.instance = caller.instance;
        let code = caller.code.clone();
        if let Some((Action::Box { results, .. }, loc)) = code.blocks[caller.block as usize].0.get(caller.stmt as usize)
        {
            self.world.at.loc = *loc;
            for (t, v) in results.iter().zip(values) {
                self.set(t, v, Change::Value)?;
            }
        }
        self.advance();
        Ok(())
    }
}

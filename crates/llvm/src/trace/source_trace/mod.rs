//! The source trace of a run: its events as steps of the C program.
//!
//! What always holds: a step is shown only if it changes something, and values are read from what the
//! events before it say, so a run whose oldest events are missing is shown as far as it is known.

mod changes;
mod objects;

use lariat_program::{
    Detail, Loc, Program, RegionId, RegionKind, Tracer,
    interp::{Event, Outcome, Run},
};
use lariat_source::{Input, Notation, SourceTrace, Step, StepKind};
use lariat_term::{Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lives::Lives;
use super::{DISPATCH, Legend, Meaning, Where, is_model, leaves, strip, values};
use crate::{
    library::{READ_STRING, SET_ERRNO, STREAM_USED},
    module::{DebugTypeId, DebugTypeKind},
};
use changes::Waiting;
pub(super) use changes::changes;
use objects::Made;
pub(super) use objects::number;

impl Tracer for Legend {
    /// What happens inside models of library functions (but for what they change of the program's memory) and before the
    /// program starts is shown only if all is wanted.
    fn trace(&self, program: &Program, terms: &Terms, run: &Run, detail: Detail) -> SourceTrace {
        let mut builder = Builder {
            legend: self,
            program,
            all: detail.all,
            trace: SourceTrace { notation: Notation::C, dropped: run.trace.dropped(), ..SourceTrace::default() },
            globals: FxHashMap::default(),
            frames: Vec::new(),
            waiting: Vec::new(),
            written: Vec::new(),
            known: FxHashSet::default(),
            at: Loc::NONE,
            any: None,
            made: FxHashMap::default(),
            copies: FxHashMap::default(),
            heap: 0,
            lives: Lives::default(),
        };
        run.trace.events().for_each(|event| builder.event(event));
        builder.flush();
        builder.open_call();
        builder.trace.called_at = builder.hidden_call().map(|f| f.loc);
        let called = builder.hidden_call().map(|f| f.function.clone());
        builder.trace.called = called.filter(|name| !name.trim_start_matches('_').starts_with("lariat"));
        if let Outcome::AssertionFailed { id, .. } = run.outcome {
            builder.trace.failure = builder.failure(terms, run, id);
        }
        builder.trace
    }

    fn signed(&self, var: Var) -> Option<bool> {
        let ty = match self.vars.get(&var)? {
            Meaning::Cell(cell, 0) => {
                let cell = &self.cells[*cell];
                let (Where::Scalar { object, offset }, 1, false) = (cell.place, cell.vars.len(), cell.units) else {
                    return None;
                };
                let (start, bits) = (offset * 8, cell.size * 8);
                let thing = &self.things[*self.objects.get(&object)?];
                let leaf = leaves(&self.types, thing.ty?, start..start + bits).into_iter().next()?;
                (leaf.start == start && leaf.bits == bits).then_some(leaf.ty)?
            }
            Meaning::Param { ty, half: None, .. } => (*ty)?,
            _ => return None,
        };
        match self.types[strip(&self.types, ty).index()].kind {
            DebugTypeKind::Signed => Some(true),
            DebugTypeKind::Unsigned | DebugTypeKind::Bool => Some(false),
            DebugTypeKind::Char { signed } => Some(signed),
            _ => None,
        }
    }
}

/// A source trace while it grows, and the state of the run.
pub(super) struct Builder<'a> {
    pub legend: &'a Legend,
    pub program: &'a Program,
    all: bool,
    pub trace: SourceTrace,
    globals: FxHashMap<Var, Value>,
    frames: Vec<Frame>,
    /// Elements that the statement at hand assigns.
    waiting: Vec<Waiting>,
    /// Elements that the value which comes next for a variable was given.
    written: Vec<(Var, Vec<Value>)>,
    /// Elements that were assigned: objects and offsets.
    known: FxHashSet<(u64, u64)>,
    at: Loc,
    /// The last value that may be any and is no input, and where: what memory or a variable then has is nobody's choice.
    any: Option<(Value, Loc)>,
    /// Objects by number.
    made: FxHashMap<u64, Made>,
    /// How many objects each thing has had.
    copies: FxHashMap<usize, u32>,
    heap: u32,
    pub lives: Lives,
}

/// A call that is running.
struct Frame {
    function: String,
    /// What happens in it is not shown.
    hidden: bool,
    /// That it is called is shown.
    shown: bool,
    /// Where it was called.
    loc: Loc,
    depth: usize,
    values: FxHashMap<Var, Value>,
    /// Its parameters as they come in; taken when the call is shown.
    arguments: Option<Vec<Argument>>,
    /// Parameters that have not been put where they live.
    parameters: Vec<String>,
    result: Argument,
    /// Where the result is given.
    end: Loc,
    /// The loops that it is in.
    loops: Vec<Loop>,
}

/// A parameter or a result: a value, or the halves of a pointer.
#[derive(Clone, Default)]
struct Argument {
    name: String,
    ty: Option<DebugTypeId>,
    parts: Vec<Value>,
}

struct Loop {
    round: u32,
    /// The round is shown with the first step in it.
    shown: bool,
    loc: Loc,
}

impl Builder<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Enter { region, loc } => {
                self.flush();
                self.open_call();
                self.enter(*region, *loc);
            }
            Event::Leave { region } => {
                self.flush();
                self.open_call();
                self.leave(*region);
            }
            Event::Again { region, rounds } => {
                self.flush();
                let loc = self.program.regions[region.index()].loc;
                if let Some(current) = self.frames.last_mut().and_then(|f| f.loops.last_mut()) {
                    *current = Loop { round: current.round + rounds, shown: false, loc };
                }
            }
            Event::Found { var, value, loc, .. } => self.find(*var, value, *loc),
            Event::Write { var, path, loc, .. } => self.write(*var, path, *loc),
            Event::Set { var, value, old, loc, .. } => self.set(*var, value, old.as_ref(), *loc),
            Event::Havoc { var, value, loc, .. } => {
                if let Some(Meaning::Input { what, ty }) = self.legend.vars.get(var) {
                    self.flush();
                    self.open_call();
                    self.input(what, *ty, value, *loc);
                }
                // Variables are havocked where their block ends: what was assigned before is shown with its value.
                if matches!(self.legend.vars.get(var), Some(Meaning::Cell(..))) {
                    self.flush();
                }
                if !self.legend.vars.contains_key(var) {
                    self.any = Some((value.clone(), *loc));
                }
                self.store(*var, value);
            }
            Event::Stmt { .. } | Event::Choice { .. } => {}
        }
    }

    fn enter(&mut self, region: RegionId, loc: Loc) {
        let region = &self.program.regions[region.index()];
        if let (RegionKind::Loop { .. }, Some(frame)) = (region.kind, self.frames.last_mut()) {
            frame.loops.push(Loop { round: 1, shown: false, loc });
            return;
        }
        let inside = self.inside();
        let depth = self.visible().map_or(0, |i| self.frames[i].depth + 1 + self.frames[i].loops.len() + inside);
        let loc = self.seen_at(loc);
        let internal = self.program.files.get(region.loc.file.index()).is_some_and(|f| is_model(f));
        let dispatches = region.name.starts_with(DISPATCH);
        let hidden = !self.all && (internal || dispatches || region.name.ends_with("@entry"));
        // Of the calls inside a library function, only the first is one of the program.
        let called = self.frames.last().is_some_and(|f| !f.hidden)
            && ![SET_ERRNO, READ_STRING, STREAM_USED].contains(&region.name.as_str());
        let shown = !hidden || internal && called;
        self.frames.push(Frame {
            function: self.legend.renamed.get(&region.name).unwrap_or(&region.name).clone(),
            hidden,
            shown,
            loc,
            depth,
            values: FxHashMap::default(),
            arguments: Some(Vec::new()),
            parameters: Vec::new(),
            result: Argument::default(),
            end: Loc::NONE,
            loops: Vec::new(),
        });
    }

    /// Shows the call of the running function, if that has not been done.
    pub(in crate::trace) fn open_call(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(arguments) = frame.arguments.take() else { return };
        frame.parameters = arguments.iter().map(|a| a.name.clone()).collect();
        if !frame.shown {
            return;
        }
        let (loc, function, count) = (frame.loc, frame.function.clone(), self.frames.len());
        let mut shown = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = self.text(&argument.parts, argument.ty);
            shown.push((argument.name, value));
        }
        // The round that the caller is in, first.
        let caller = (0..count - 1).rev().find(|&i| !self.frames[i].hidden);
        if let Some(caller) = caller {
            self.add_rounds(caller);
        }
        let depth = self.frames[count - 1].depth;
        let caller = caller.map_or(String::new(), |i| self.frames[i].function.clone());
        let kind = StepKind::Call { function, arguments: shown };
        self.trace.steps.push(Step { loc, depth, function: caller, kind });
    }

    fn leave(&mut self, region: RegionId) {
        if let RegionKind::Loop { .. } = self.program.regions[region.index()].kind {
            if let Some(frame) = self.frames.last_mut() {
                frame.loops.pop();
            }
            return;
        }
        let Some(Argument { ty, parts, .. }) = self.frames.last_mut().map(|f| std::mem::take(&mut f.result)) else {
            return;
        };
        let shown = self.frames.last().is_some_and(|f| f.shown);
        let value = (shown && !parts.is_empty()).then(|| self.text(&parts, ty));
        let Some(frame) = self.frames.pop() else { return };
        if shown {
            let loc = if frame.hidden { frame.loc } else { frame.end };
            let kind = StepKind::Return { value };
            self.trace.steps.push(Step { loc, depth: frame.depth + 1, function: frame.function, kind });
        }
    }

    /// Shows which rounds of its loops a call is in.
    fn add_rounds(&mut self, frame: usize) {
        let frame = &mut self.frames[frame];
        for (i, current) in frame.loops.iter_mut().enumerate() {
            if !std::mem::replace(&mut current.shown, true) {
                let depth = frame.depth + 1 + i;
                let function = frame.function.clone();
                let kind = StepKind::Round { name: String::new(), number: current.round, further: 1 };
                self.trace.steps.push(Step { loc: current.loc, depth, function, kind });
            }
        }
    }

    /// The innermost call that is shown.
    pub(in crate::trace) fn visible(&self) -> Option<usize> {
        self.frames.iter().rposition(|f| !f.hidden)
    }

    /// Where what happens here is shown: what happens in a hidden call, where that was called.
    pub(in crate::trace) fn seen_at(&self, loc: Loc) -> Loc {
        self.hidden_call().map_or(loc, |f| f.loc)
    }

    /// The outermost of the hidden calls that are running on behalf of one that is shown.
    fn hidden_call(&self) -> Option<&Frame> {
        self.frames.get(self.visible()? + 1)
    }

    /// Is a model of a library function running?
    fn in_model(&self) -> bool {
        self.hidden_call().is_some_and(|f| !f.function.starts_with(DISPATCH))
    }

    /// How much deeper than in the innermost call that is shown things are shown: those of a library function stand
    /// below its call, and dispatch regions are part of the calls that go through them.
    fn inside(&self) -> usize {
        usize::from(self.in_model())
    }

    pub(in crate::trace) fn add(&mut self, loc: Loc, kind: StepKind) {
        let Some(visible) = self.visible() else { return };
        let loc = self.seen_at(loc);
        self.add_rounds(visible);
        let frame = &self.frames[visible];
        let inside = self.inside();
        let (depth, function) = (frame.depth + 1 + frame.loops.len() + inside, frame.function.clone());
        self.trace.steps.push(Step { loc, depth, function, kind });
    }

    fn input(&mut self, what: &str, ty: Option<DebugTypeId>, value: &Value, loc: Loc) {
        // What a model leaves open is no input of the program: it shows in what the function returns or changes.
        if !self.all && self.in_model() {
            return;
        }
        let raw = values::raw(&self.legend.types, value, ty);
        let value = self.text(std::slice::from_ref(value), ty);
        let function = self.visible().or(self.frames.len().checked_sub(1));
        let function = function.map_or(String::new(), |i| self.frames[i].function.clone());
        self.trace.inputs.push(Input { what: what.to_owned(), value, loc: self.seen_at(loc), function, raw });
        let number = self.trace.inputs.len() - 1;
        self.add(loc, StepKind::Input(number));
    }
}

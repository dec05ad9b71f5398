//! The events of a run as steps of the source program.
//!
//! What always holds: a step is told only if it changes something, and values are read from what the
//! events before it say, so a run whose oldest events are missing is told as far as it is known.

use std::collections::BTreeSet;

use dashu_int::UBig;
use lariat_program::{
    AssertKind, Loc, Program, RegionId, RegionKind,
    interp::{Event, Outcome, Run},
};
use lariat_term::{ArrayValue, BitVec, Value, Var};
use rustc_hash::FxHashMap;

use super::{
    Half, Legend, Meaning, ThingKind, Where, is_model,
    types::{self, leaves, strip},
    values,
};
use crate::{
    library::{READ_STRING, SET_ERRNO, STREAM_USED},
    module::{DebugTypeId, DebugTypeKind},
};

/// How many changes of one statement are told.
const MAX_CHANGES: usize = 32;

/// A run in terms of the source.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// The inputs, in order.
    pub inputs: Vec<Input>,
    /// Objects without a name in the source, by the names that values use, and where they were made.
    pub objects: Vec<Named>,
    /// If the run ends in a library function: where the program called it.
    pub called_at: Option<Loc>,
    /// If allocated memory is lost: which, and where it was allocated.
    pub lost: Option<Named>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where.
    pub loc: Loc,
    /// How deep in calls and loops.
    pub depth: usize,
    /// The function that is running.
    pub function: String,
    /// What.
    pub kind: StepKind,
}

/// The kinds of step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A function is called.
    Call {
        /// Its name.
        function: String,
        /// Its parameters and their values.
        arguments: Vec<(String, String)>,
    },
    /// The function that is running returns.
    Return {
        /// What, if it is one value.
        value: Option<String>,
    },
    /// A loop is entered (round 1), or goes on.
    Round(u32),
    /// Something gets a value.
    Set {
        /// A variable, a member or an element.
        place: String,
        /// The value.
        value: String,
    },
    /// A variable that was never set is read; the place is that of its declaration.
    Unset {
        /// The variable or member.
        place: String,
        /// The value that it has.
        value: String,
    },
    /// One statement changes more than is told.
    More(usize),
    /// An input, by its position in [`Story::inputs`].
    Input(usize),
}

/// An input: a value that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// How the program asks for it: a call or a parameter.
    pub what: String,
    /// The value.
    pub value: String,
    /// Where it asks.
    pub loc: Loc,
    /// The function that asks.
    pub function: String,
}

/// An object with a made-up name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Where it was made.
    pub loc: Loc,
}

/// Tells a run. What happens inside models of library functions (but for what they change of the program's
/// memory) and before the program starts is told only if all is wanted.
pub fn story(legend: &Legend, program: &Program, run: &Run, all: bool) -> Story {
    let mut teller = Teller {
        legend,
        program,
        all,
        story: Story::default(),
        globals: FxHashMap::default(),
        frames: Vec::new(),
        waiting: Vec::new(),
        written: Vec::new(),
        at: Loc::NONE,
        made: FxHashMap::default(),
        copies: FxHashMap::default(),
        heap: 0,
    };
    run.trace.events().for_each(|event| teller.event(event));
    teller.flush();
    teller.open_call();
    teller.story.called_at = teller.hidden_call().map(|f| f.loc);
    if let Outcome::AssertionFailed { id, .. } = run.outcome
        && program.assertions[id.index()].kind == AssertKind::Leak
    {
        teller.story.lost = teller.lost();
    }
    teller.story
}

struct Teller<'a> {
    legend: &'a Legend,
    program: &'a Program,
    all: bool,
    story: Story,
    globals: FxHashMap<Var, Value>,
    frames: Vec<Frame>,
    /// Elements that the statement at hand assigns.
    waiting: Vec<Waiting>,
    /// Elements that the value which comes next for a variable was given.
    written: Vec<(Var, Vec<Value>)>,
    at: Loc,
    /// Objects by number.
    made: FxHashMap<u64, Made>,
    /// How many objects each thing has had.
    copies: FxHashMap<usize, u32>,
    heap: u32,
}

/// An element of a cell that is assigned.
struct Waiting {
    cell: usize,
    object: u64,
    offset: u64,
    /// What it was, if that is known.
    old: Option<Value>,
    /// It is not assigned, but read without having been.
    unset: bool,
}

/// A call that is running.
struct Frame {
    function: String,
    /// What happens in it is not told.
    hidden: bool,
    /// That it is called is told.
    told: bool,
    /// Where it was called.
    loc: Loc,
    depth: usize,
    values: FxHashMap<Var, Value>,
    /// Its parameters as they come in; taken when the call is told.
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
    /// The round is told with the first step in it.
    told: bool,
    loc: Loc,
}

/// An object that a pointer of the run points to.
#[derive(Clone)]
struct Made {
    thing: usize,
    name: String,
    /// The type of its content: for allocated memory, that of the first pointer to it that has one.
    ty: Option<DebugTypeId>,
    loc: Loc,
    /// The name was told together with its origin.
    told: bool,
}

impl Teller<'_> {
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
                    *current = Loop { round: current.round + rounds, told: false, loc };
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
                self.store(*var, value);
            }
            Event::Stmt { .. } | Event::Choice { .. } => {}
        }
    }

    fn enter(&mut self, region: RegionId, loc: Loc) {
        let region = &self.program.regions[region.index()];
        if let (RegionKind::Loop { .. }, Some(frame)) = (region.kind, self.frames.last_mut()) {
            frame.loops.push(Loop { round: 1, told: false, loc });
            return;
        }
        let inside = usize::from(self.hidden_call().is_some());
        let depth = self.visible().map_or(0, |i| self.frames[i].depth + 1 + self.frames[i].loops.len() + inside);
        let loc = self.seen_at(loc);
        let internal = self.program.files.get(region.loc.file.index()).is_some_and(|f| is_model(f));
        let hidden = !self.all && (internal || region.name.ends_with("@entry"));
        // Of the calls inside a library function, only the first is one of the program.
        let called = self.frames.last().is_some_and(|f| !f.hidden)
            && ![SET_ERRNO, READ_STRING, STREAM_USED].contains(&region.name.as_str());
        let told = !hidden || internal && called;
        self.frames.push(Frame {
            function: self.legend.renamed.get(&region.name).unwrap_or(&region.name).clone(),
            hidden,
            told,
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

    /// Tells the call of the running function, if that has not been done.
    fn open_call(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(arguments) = frame.arguments.take() else { return };
        frame.parameters = arguments.iter().map(|a| a.name.clone()).collect();
        if !frame.told {
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
            self.tell_rounds(caller);
        }
        let depth = self.frames[count - 1].depth;
        let caller = caller.map_or(String::new(), |i| self.frames[i].function.clone());
        let kind = StepKind::Call { function, arguments: shown };
        self.story.steps.push(Step { loc, depth, function: caller, kind });
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
        let told = self.frames.last().is_some_and(|f| f.told);
        let value = (told && !parts.is_empty()).then(|| self.text(&parts, ty));
        let Some(frame) = self.frames.pop() else { return };
        if told {
            let loc = if frame.hidden { frame.loc } else { frame.end };
            let kind = StepKind::Return { value };
            self.story.steps.push(Step { loc, depth: frame.depth + 1, function: frame.function, kind });
        }
    }

    /// Tells which rounds of its loops a call is in.
    fn tell_rounds(&mut self, frame: usize) {
        let frame = &mut self.frames[frame];
        for (i, current) in frame.loops.iter_mut().enumerate() {
            if !std::mem::replace(&mut current.told, true) {
                let depth = frame.depth + 1 + i;
                let function = frame.function.clone();
                let kind = StepKind::Round(current.round);
                self.story.steps.push(Step { loc: current.loc, depth, function, kind });
            }
        }
    }

    /// The innermost call that is told.
    fn visible(&self) -> Option<usize> {
        self.frames.iter().rposition(|f| !f.hidden)
    }

    /// Where what happens here is told: what happens in a hidden call, where that was called.
    fn seen_at(&self, loc: Loc) -> Loc {
        self.hidden_call().map_or(loc, |f| f.loc)
    }

    /// The outermost of the hidden calls that are running on behalf of one that is told.
    fn hidden_call(&self) -> Option<&Frame> {
        self.frames.get(self.visible()? + 1)
    }

    fn tell(&mut self, loc: Loc, kind: StepKind) {
        let Some(visible) = self.visible() else { return };
        let loc = self.seen_at(loc);
        self.tell_rounds(visible);
        let frame = &self.frames[visible];
        let inside = usize::from(self.hidden_call().is_some());
        let (depth, function) = (frame.depth + 1 + frame.loops.len() + inside, frame.function.clone());
        self.story.steps.push(Step { loc, depth, function, kind });
    }

    fn input(&mut self, what: &str, ty: Option<DebugTypeId>, value: &Value, loc: Loc) {
        let value = self.text(std::slice::from_ref(value), ty);
        let function = self.visible().or(self.frames.len().checked_sub(1));
        let function = function.map_or(String::new(), |i| self.frames[i].function.clone());
        self.story.inputs.push(Input { what: what.to_owned(), value, loc: self.seen_at(loc), function });
        let number = self.story.inputs.len() - 1;
        self.tell(loc, StepKind::Input(number));
    }

    // Variables

    fn store(&mut self, var: Var, value: &Value) -> Option<Value> {
        let own = !self.legend.globals.contains(&var);
        let table = match self.frames.last_mut() {
            Some(frame) if own => &mut frame.values,
            _ => &mut self.globals,
        };
        table.insert(var, value.clone())
    }

    fn value(&self, var: Var) -> Option<&Value> {
        match self.frames.last() {
            Some(frame) if !self.legend.globals.contains(&var) => frame.values.get(&var),
            _ => self.globals.get(&var),
        }
    }

    /// A variable has a value that was never assigned.
    fn find(&mut self, var: Var, value: &Value, loc: Loc) {
        self.move_to(loc);
        self.store(var, value);
        if let Some(&Meaning::Cell(cell, part)) = self.legend.vars.get(&var)
            && let Where::Scalar { object, offset } = self.legend.cells[cell].place
            && self.hidden_call().is_none()
        {
            if self.waiting.iter().any(|w| !w.unset) {
                self.flush();
            }
            let legend = &self.legend.cells[cell];
            let offset = if legend.units { offset + part as u64 * legend.size } else { offset };
            self.wait_for(cell, object, offset, None);
            self.waiting.iter_mut().filter(|w| w.cell == cell).for_each(|w| w.unset = true);
        }
    }

    fn set(&mut self, var: Var, value: &Value, old: Option<&Value>, loc: Loc) {
        self.move_to(loc);
        if self.waiting.iter().any(|w| w.unset) {
            self.flush();
        }
        let before = self.store(var, value);
        let written: Vec<Vec<Value>> = self.written.extract_if(.., |w| w.0 == var).map(|w| w.1).collect();
        if written.is_empty() && before.as_ref() == Some(value) {
            return;
        }
        let before = before.or_else(|| old.cloned());
        match self.legend.vars.get(&var) {
            Some(&Meaning::Cell(cell, _)) if self.are_elements(cell, &written) => {
                self.change_at(cell, &written, value, before.as_ref());
            }
            Some(&Meaning::Cell(cell, part)) => self.change(cell, part, value, before),
            Some(&Meaning::Made(thing)) => self.make(thing, value, loc),
            Some(Meaning::Param { name, ty, half }) => {
                if let Some(arguments) = self.frames.last_mut().and_then(|f| f.arguments.as_mut()) {
                    match (half, arguments.last_mut()) {
                        (Some(Half::Offset), Some(last)) => last.parts.push(value.clone()),
                        _ => {
                            arguments.push(Argument { name: name.clone(), ty: *ty, parts: vec![value.clone()] });
                        }
                    }
                }
            }
            Some(Meaning::Result { ty, half }) => {
                if let Some(frame) = self.frames.last_mut() {
                    if *half != Some(Half::Offset) {
                        frame.result = Argument { ty: *ty, ..Argument::default() };
                    }
                    frame.result.parts.push(value.clone());
                    frame.end = loc;
                }
            }
            Some(Meaning::Input { .. }) | None => {}
        }
    }

    /// Takes note of an element that is assigned.
    fn write(&mut self, var: Var, path: &[Value], loc: Loc) {
        self.move_to(loc);
        let Some(&Meaning::Cell(cell, _)) = self.legend.vars.get(&var) else { return };
        self.written.push((var, path.to_vec()));
        // Of what models do, only changes matter.
        if self.hidden_call().is_some() {
            return;
        }
        let path: Option<Vec<u64>> = path.iter().map(number).collect();
        match (self.legend.cells[cell].place, path.as_deref()) {
            (Where::Object(object), Some(&[offset])) | (Where::Map, Some(&[object, offset])) => {
                self.wait_for(cell, object, offset, None);
            }
            _ => {}
        }
    }

    /// What comes is of the statement at this place.
    fn move_to(&mut self, loc: Loc) {
        if loc != self.at {
            self.flush();
        }
        self.at = loc;
    }

    fn wait_for(&mut self, cell: usize, object: u64, offset: u64, old: Option<Value>) {
        let same = |w: &Waiting| (w.cell, w.object, w.offset) == (cell, object, offset);
        match self.waiting.iter().position(same) {
            Some(i) => self.waiting[i].old = self.waiting[i].old.take().or(old),
            // Initialisers may change very much.
            None if self.waiting.len() > 16 * MAX_CHANGES => {}
            None => self.waiting.push(Waiting { cell, object, offset, old, unset: false }),
        }
    }

    /// Do these paths lead to elements of a cell?
    fn are_elements(&self, cell: usize, paths: &[Vec<Value>]) -> bool {
        let depth = match self.legend.cells[cell].place {
            Where::Scalar { .. } => 0,
            Where::Object(_) => 1,
            Where::Map => 2,
        };
        !paths.is_empty() && paths.iter().all(|p| p.len() == depth)
    }

    /// Takes note of those of some elements of a cell that change.
    fn change_at(&mut self, cell: usize, paths: &[Vec<Value>], new: &Value, old: Option<&Value>) {
        for path in paths {
            let (Some(old), Some(new)) = (old.and_then(|v| inside(v, path)), inside(new, path)) else { continue };
            let numbers: Option<Vec<u64>> = path.iter().map(number).collect();
            if old == new {
                continue;
            }
            if let (Where::Object(object), Some(&[offset])) | (Where::Map, Some(&[object, offset])) =
                (self.legend.cells[cell].place, numbers.as_deref())
            {
                let old = old.clone();
                self.wait_for(cell, object, offset, Some(old));
            }
        }
    }

    /// Takes note of the elements of a cell that change.
    fn change(&mut self, cell: usize, part: usize, value: &Value, old: Option<Value>) {
        let legend = &self.legend.cells[cell];
        let mut found = Vec::new();
        match legend.place {
            Where::Scalar { object, offset } => {
                let offset = if legend.units { offset + part as u64 * legend.size } else { offset };
                found.push((object, offset, old));
            }
            Where::Object(object) => {
                if let (Value::Array(new), Some(Value::Array(old))) = (value, old) {
                    let changed = changes(&old, new).into_iter();
                    found.extend(changed.filter_map(|i| Some((object, number(&i)?, Some(old.get(&i).clone())))));
                }
            }
            Where::Map => {
                if let (Value::Array(new), Some(Value::Array(old))) = (value, old) {
                    for object in changes(&old, new) {
                        let (Value::Array(new), Value::Array(old)) = (new.get(&object), old.get(&object)) else {
                            continue;
                        };
                        let Some(object) = number(&object) else { continue };
                        // All of a new object at once is no news.
                        if old.default() != new.default() {
                            continue;
                        }
                        let changed = changes(old, new).into_iter();
                        found.extend(changed.filter_map(|i| Some((object, number(&i)?, Some(old.get(&i).clone())))));
                    }
                }
            }
        }
        for (object, offset, old) in found {
            self.wait_for(cell, object, offset, old);
        }
    }

    /// The values of an element of a cell, one for each variable that has it.
    fn element(&self, cell: usize, object: u64, offset: u64) -> Option<Vec<Value>> {
        let legend = &self.legend.cells[cell];
        let index = |width: u32, n: u64| Value::bv(width, n);
        let at = |var: &Var| -> Option<Value> {
            match (legend.place, self.value(*var)?) {
                (Where::Scalar { .. }, value) => Some(value.clone()),
                (Where::Object(_), Value::Array(map)) => {
                    Some(map.get(&index(self.legend.pointer_bits, offset)).clone())
                }
                (Where::Map, Value::Array(map)) => match map.get(&index(32, object)) {
                    Value::Array(map) => Some(map.get(&index(self.legend.pointer_bits, offset)).clone()),
                    _ => None,
                },
                _ => None,
            }
        };
        match legend.place {
            Where::Scalar { offset: start, .. } if legend.units => {
                let unit = usize::try_from(offset.checked_sub(start)? / legend.size).ok()?;
                Some(vec![at(legend.vars.get(unit)?)?])
            }
            _ => legend.vars.iter().map(at).collect(),
        }
    }

    /// Tells what the statement at hand has changed.
    fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|w| (w.object, w.offset));
        self.open_call();
        waiting.retain(|w| self.is_told(w.object) && !self.stores_parameter(w));
        let mut seen: BTreeSet<(u64, u64)> = BTreeSet::new();
        let (loc, mut told, mut more) = (self.at, 0, 0);
        for Waiting { cell, object, offset, old, unset } in waiting {
            for (start, place, value) in self.change_texts(cell, object, offset, old) {
                if !seen.insert((object, start)) {
                    continue;
                }
                if told < MAX_CHANGES {
                    match unset {
                        // Conditions have no place of their own, but variables have.
                        true => {
                            let loc = self.thing(object).map_or(loc, |t| self.legend.things[t].loc);
                            self.tell(loc, StepKind::Unset { place, value });
                        }
                        false => self.tell(loc, StepKind::Set { place, value }),
                    }
                    told += 1;
                } else {
                    more += 1;
                }
            }
        }
        if more > 0 {
            self.tell(loc, StepKind::More(more));
        }
    }

    /// Is it told that an object changes? What models and the compiler need for themselves is not.
    fn is_told(&self, object: u64) -> bool {
        if self.all {
            return true;
        }
        let Some(thing) = self.thing(object).map(|t| &self.legend.things[t]) else { return self.visible().is_some() };
        // Memory that no pointer leads to yet is just being made.
        let known = thing.kind != ThingKind::Heap || self.made.get(&object).is_some_and(|m| m.told);
        let hidden = |function: &String| self.frames.iter().any(|f| f.hidden && f.function == *function);
        let file = self.program.files.get(thing.loc.file.index()).filter(|_| thing.loc != Loc::NONE);
        known
            && self.visible().is_some()
            && thing.kind != ThingKind::Other
            && !thing.function.as_ref().is_some_and(hidden)
            && !file.is_some_and(|f| is_model(f))
    }

    /// Does the running function only put a parameter where it lives?
    fn stores_parameter(&mut self, waiting: &Waiting) -> bool {
        let Some(thing) = self.thing(waiting.object).map(|t| &self.legend.things[t]) else { return false };
        let Some(frame) = self.frames.last_mut().filter(|f| thing.function.as_ref() == Some(&f.function)) else {
            return false;
        };
        let found = frame.parameters.iter().position(|p| *p == thing.name && waiting.offset == 0);
        found.map(|i| frame.parameters.swap_remove(i)).is_some()
    }

    /// The parts of an object that a changed element has: the first bit, the part as C writes it, and its value.
    fn change_texts(
        &mut self,
        cell: usize,
        object: u64,
        offset: u64,
        old: Option<Value>,
    ) -> Vec<(u64, String, String)> {
        let legend = &self.legend.cells[cell];
        let (size, units) = (legend.size, legend.units);
        let heap = self.thing(object).is_some_and(|t| self.legend.things[t].kind == ThingKind::Heap);
        let Some(element) = self.element(cell, object, offset) else { return Vec::new() };
        let (name, ty) = self.place(object);
        let start = offset * 8;
        let mut found = Vec::new();
        // Allocated memory may be an array of what a pointer to it says.
        let (base, prefix) = match ty.map(|ty| (ty, types::bits(&self.legend.types, ty))) {
            Some((ty, bits)) if heap && bits > 0 && !types::is_open(&self.legend.types, ty) => {
                let record = matches!(
                    self.legend.types[strip(&self.legend.types, ty).index()].kind,
                    DebugTypeKind::Struct(_) | DebugTypeKind::Union(_)
                );
                let index = start / bits;
                (index * bits, if record && index == 0 { String::new() } else { format!("[{index}]") })
            }
            _ => (0, String::new()),
        };
        let parts = ty.map(|ty| leaves(&self.legend.types, ty, start - base..start - base + size * 8));
        for leaf in parts.unwrap_or_default() {
            let first = base + leaf.start;
            let place = format!("{name}{prefix}{}", leaf.path);
            let value = match &element[..] {
                [Value::BitVec(_)] => {
                    let new = self.bits(cell, object, offset, first, leaf.bits);
                    let Some(new) = new else { continue };
                    // Of a unit that bit-fields share, only those that change.
                    if let (Some(Value::BitVec(old)), false) = (&old, units)
                        && first >= start
                        && first + leaf.bits <= start + size * 8
                        && extract(old, first - start, leaf.bits) == new
                    {
                        continue;
                    }
                    self.text(&[Value::BitVec(new)], Some(leaf.ty))
                }
                _ if first == start => self.text(&element, Some(leaf.ty)),
                _ => continue,
            };
            found.push((first, place, value));
        }
        if found.is_empty() && (ty.is_none() || units) {
            let value = self.text(&element, None);
            let place = if offset == 0 && ty.is_none() { format!("*{name}") } else { format!("*({name}+{offset})") };
            found.push((start, place, value));
        }
        found
    }

    /// Bits of an object, from the elements of a cell.
    fn bits(&self, cell: usize, object: u64, offset: u64, first: u64, bits: u64) -> Option<BitVec> {
        let legend = &self.legend.cells[cell];
        let unit = legend.size * 8;
        let width = u32::try_from(bits).ok().filter(|&w| (1..=4096).contains(&w))?;
        if !legend.units {
            let [Value::BitVec(element)] = &self.element(cell, object, offset)?[..] else { return None };
            let from = first.checked_sub(offset * 8)?;
            return (from + bits <= u64::from(element.width())).then(|| extract(element, from, bits));
        }
        // Units lie at multiples of their size from the one at hand.
        let start = offset * 8;
        let back = start.saturating_sub(first).div_ceil(unit);
        let mut at = start.checked_sub(back * unit)?;
        let skip = first.checked_sub(at)?;
        let (mut all, mut have) = (UBig::ZERO, 0u64);
        while have < skip + bits {
            let [Value::BitVec(part)] = &self.element(cell, object, at / 8)?[..] else { return None };
            all |= part.bits().clone() << have as usize;
            have += unit;
            at += unit;
        }
        Some(BitVec::new(width, all >> skip as usize))
    }

    // Objects

    fn make(&mut self, thing: usize, object: &Value, loc: Loc) {
        // What is not made in this execution has no number.
        if let Some(object) = number(object).filter(|&n| n != 0) {
            let copy = self.copies.entry(thing).or_insert(0);
            *copy += 1;
            let copy = *copy;
            self.name(object, thing, copy, loc);
        }
    }

    /// Gives an object its name.
    fn name(&mut self, object: u64, thing: usize, copy: u32, loc: Loc) {
        let info = &self.legend.things[thing];
        // Memory that a model allocates is known by whoever called the model.
        let (loc, allocator) = match self.hidden_call() {
            Some(frame) => (frame.loc, frame.function.clone()),
            None => (if info.loc == Loc::NONE { loc } else { info.loc }, info.name.clone()),
        };
        let name = match (info.kind, &info.function) {
            (ThingKind::Heap, _) => {
                self.heap += 1;
                let name = format!("{allocator}#{}", self.heap);
                self.story.objects.push(Named { name: name.clone(), loc });
                name
            }
            (ThingKind::Variable, Some(function)) if copy > 1 => format!("{function}::{}#{copy}", info.name),
            (ThingKind::Variable, Some(function)) => format!("{function}::{}", info.name),
            _ => info.name.clone(),
        };
        let told = info.kind != ThingKind::Heap;
        self.made.insert(object, Made { thing, name, ty: info.ty, loc, told });
    }

    /// What an object is.
    fn thing(&self, object: u64) -> Option<usize> {
        self.made.get(&object).map(|m| m.thing).or_else(|| self.legend.objects.get(&object).copied())
    }

    /// The object that is watched for leaks.
    fn lost(&mut self) -> Option<Named> {
        let watched = number(self.globals.get(&self.legend.watched?)?)?;
        self.object(watched).map(|made| Named { name: made.name.clone(), loc: made.loc })
    }

    fn object(&mut self, object: u64) -> Option<&mut Made> {
        if !self.made.contains_key(&object) {
            let thing = *self.legend.objects.get(&object)?;
            self.name(object, thing, 1, self.at);
        }
        self.made.get_mut(&object)
    }

    /// An object as what is assigned to, and the type of its content. A variable of the running function has
    /// its plain name.
    fn place(&mut self, object: u64) -> (String, Option<DebugTypeId>) {
        let Some(made) = self.object(object).cloned() else { return (format!("object{object}"), None) };
        let info = &self.legend.things[made.thing];
        let running = self.visible().map(|i| &self.frames[i].function);
        let own = info.function.is_some() && running == info.function.as_ref();
        let name = if own && info.kind == ThingKind::Variable { info.name.clone() } else { made.name };
        (name, made.ty)
    }

    /// A value as its type says: one value, or the halves of a pointer.
    fn text(&mut self, parts: &[Value], ty: Option<DebugTypeId>) -> String {
        let types = &self.legend.types;
        let target = ty.map(|ty| &types[strip(types, ty).index()].kind).and_then(|kind| match kind {
            DebugTypeKind::Pointer(target) => Some(*target),
            _ => None,
        });
        match parts {
            [Value::BitVec(object), Value::BitVec(offset)] if object.width() == 32 => {
                let offset = i64::try_from(offset.to_signed()).unwrap_or(0);
                self.pointer(u64::try_from(object.bits()).unwrap_or(0), offset, target.flatten())
            }
            [Value::BitVec(bits)] if target.is_some() && bits.width() == self.legend.pointer_bits => {
                let split = self.legend.offset_bits as usize;
                let object = u64::try_from(&(bits.bits().clone() >> split)).unwrap_or(0);
                let offset = extract(bits, 0, split as u64);
                let offset = if bits.width() == 64 { offset.to_signed() } else { offset.bits().clone().into() };
                self.pointer(object, i64::try_from(offset).unwrap_or(0), target.flatten())
            }
            [value] => values::scalar(types, value, ty),
            _ => {
                let parts: Vec<String> = parts.iter().map(|part| values::scalar(types, part, None)).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    fn pointer(&mut self, object: u64, offset: i64, target: Option<DebugTypeId>) -> String {
        let shift = self.legend.offset_bits;
        let types = &self.legend.types;
        let is_char = |ty: DebugTypeId| matches!(types[strip(types, ty).index()].kind, DebugTypeKind::Char { .. });
        let content = target.filter(|&ty| types::bits(types, ty) > 0);
        let things = &self.legend.things;
        let place = self.program.files.as_slice();
        let Some(made) = self.object(object) else {
            return match (object, offset) {
                (0, 0) => "NULL".into(),
                _ => format!("{:#x}", (object << shift).wrapping_add(offset as u64)),
            };
        };
        // Characters may be just bytes, until something better is known.
        if made.ty.is_none_or(is_char) && offset == 0 && things[made.thing].kind == ThingKind::Heap {
            made.ty = content.or(made.ty);
        }
        let and = if things[made.thing].kind == ThingKind::Literal { "" } else { "&" };
        let mut text = match offset {
            0 => format!("{and}{}", made.name),
            _ => format!("{and}{}{offset:+}", made.name),
        };
        if !std::mem::replace(&mut made.told, true)
            && let Some(file) = place.get(made.loc.file.index())
        {
            text.push_str(&format!(" (at {file}:{})", made.loc.line));
        }
        text
    }
}

/// The element at a path of indices.
fn inside<'a>(mut value: &'a Value, path: &[Value]) -> Option<&'a Value> {
    for index in path {
        let Value::Array(array) = value else { return None };
        value = array.get(index);
    }
    Some(value)
}

/// The indices at which two arrays differ.
fn changes(old: &ArrayValue, new: &ArrayValue) -> Vec<Value> {
    let mut found = BTreeSet::new();
    let (mut a, mut b) = (old.entries().peekable(), new.entries().peekable());
    loop {
        let (index, differs) = match (a.peek(), b.peek()) {
            (Some((i, x)), Some((j, y))) if i == j => {
                let pair = ((*i).clone(), x != y);
                a.next();
                b.next();
                pair
            }
            (Some((i, x)), other) if other.is_none_or(|(j, _)| i < j) => {
                let pair = ((*i).clone(), *x != new.default());
                a.next();
                pair
            }
            (_, Some((j, y))) => {
                let pair = ((*j).clone(), *y != old.default());
                b.next();
                pair
            }
            _ => break,
        };
        if differs {
            found.insert(index);
        }
    }
    found.into_iter().collect()
}

fn number(value: &Value) -> Option<u64> {
    u64::try_from(value.as_bv()?.bits()).ok()
}

fn extract(bits: &BitVec, from: u64, count: u64) -> BitVec {
    BitVec::new(count as u32, bits.bits().clone() >> from as usize)
}

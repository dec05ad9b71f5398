//! Runs as source traces.
//!
//! A front end knows what the regions and variables of its programs stand for in the source: it gives a [`Tracer`]
//! with each program. Where they are just regions and variables with a name in the source, as in Boogie and in the
//! textual form, that is [`RegionTracer`].

use std::fmt::Debug;

use lariat_source::{Notation, SourceTrace, Step, StepKind};
use lariat_term::{Terms, Value, Var};
use rustc_hash::FxHashMap;

use crate::{
    interp::{Event, Run},
    ir::{Loc, Program, RegionId, RegionKind, StmtKind},
};

/// How much of a run a source trace shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// Also what happens outside of the program's own files, and each statement.
    pub all: bool,
    /// Also what tells a reader nothing new: values that a variable has already, and the ends of loops.
    pub repeated: bool,
}

/// Shows runs of a program in terms of its source.
pub trait Tracer: Debug + Send + Sync {
    /// The source trace of a run.
    fn trace(&self, program: &Program, terms: &Terms, run: &Run, detail: Detail) -> SourceTrace;

    /// Whether the integers of a variable have a sign in the source; `None` if it is not one of an integer type.
    fn signed(&self, _var: Var) -> Option<bool> {
        None
    }
}

/// Shows regions, and variables that have a name in the source.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegionTracer;

impl Tracer for RegionTracer {
    fn trace(&self, program: &Program, terms: &Terms, run: &Run, detail: Detail) -> SourceTrace {
        let trace = SourceTrace { notation: Notation::Boogie, dropped: run.trace.dropped(), ..SourceTrace::default() };
        let mut builder = Builder { program, terms, detail, trace, known: Known::default(), running: Vec::new() };
        run.trace.events().for_each(|event| builder.event(event));
        builder.trace
    }
}

struct Builder<'a> {
    program: &'a Program,
    terms: &'a Terms,
    detail: Detail,
    trace: SourceTrace,
    known: Known<'a>,
    /// The regions that are running, each with its round.
    running: Vec<(RegionId, u32)>,
}

impl<'a> Builder<'a> {
    fn event(&mut self, event: &'a Event) {
        if !self.known.is_news(self.program, event) && !self.detail.repeated {
            return;
        }
        match event {
            Event::Enter { region, loc } => {
                let name = self.name(*region);
                let kind = match is_loop(self.program, *region) {
                    true => StepKind::Round { name, number: 1, further: 1 },
                    false => StepKind::Call { function: name, arguments: Vec::new() },
                };
                self.add(*loc, kind);
                self.running.push((*region, 1));
            }
            Event::Leave { region } => {
                self.running.pop();
                if !is_loop(self.program, *region) || self.detail.repeated {
                    let function = self.name(*region);
                    let (depth, kind) = (self.running.len(), StepKind::Return { value: None });
                    self.trace.steps.push(Step { loc: Loc::NONE, depth, function, kind });
                }
            }
            Event::Again { region, rounds } => {
                let number = self.running.last_mut().map_or(1 + rounds, |(_, round)| {
                    *round += rounds;
                    *round
                });
                let kind = StepKind::Round { name: self.name(*region), number, further: *rounds };
                self.add(Loc::NONE, kind);
            }
            Event::Stmt { region, block, stmt, loc } if self.detail.all => {
                let block = &self.program.regions[region.index()].blocks[block.index()];
                self.add(*loc, StepKind::Statement(statement(&block.stmts[*stmt as usize].kind)));
            }
            Event::Set { region, var, value, loc, .. } | Event::Havoc { region, var, value, loc } => {
                if let Some(variable) = source_name(self.program, *region, *var) {
                    let (place, value) = (variable.to_owned(), value.display(self.terms).to_string());
                    self.add(*loc, StepKind::Set { place, value });
                }
            }
            Event::Choice { region, target, loc } => {
                let label = &self.program.regions[region.index()].blocks[target.index()].label;
                self.add(*loc, StepKind::Goto(label.clone()));
            }
            Event::Stmt { .. } | Event::Write { .. } | Event::Found { .. } => {}
        }
    }

    fn add(&mut self, loc: Loc, kind: StepKind) {
        let function = self.running.iter().rev().find(|(region, _)| !is_loop(self.program, *region));
        let function = function.map_or(String::new(), |&(region, _)| self.name(region));
        self.trace.steps.push(Step { loc, depth: self.running.len(), function, kind });
    }

    fn name(&self, region: RegionId) -> String {
        self.program.regions[region.index()].name.clone()
    }
}

/// The values that a reader of the trace knows. A loop is a region that gets its variables and gives
/// them back; where that changes nothing, it is no news.
#[derive(Default)]
struct Known<'a> {
    globals: FxHashMap<Var, &'a Value>,
    /// One table per call of a procedure, whose loops use the same variables.
    calls: Vec<FxHashMap<Var, &'a Value>>,
}

impl<'a> Known<'a> {
    /// Follows an event, and says whether it should be shown.
    fn is_news(&mut self, program: &Program, event: &'a Event) -> bool {
        match event {
            Event::Enter { region, .. } if !is_loop(program, *region) => self.calls.push(FxHashMap::default()),
            Event::Leave { region } if !is_loop(program, *region) => {
                self.calls.pop();
            }
            Event::Set { var, value, .. } | Event::Havoc { var, value, .. } => {
                let global = program.globals.iter().any(|decl| decl.var == *var);
                let table = if global { Some(&mut self.globals) } else { self.calls.last_mut() };
                return table.is_none_or(|table| table.insert(*var, value) != Some(value));
            }
            _ => {}
        }
        true
    }
}

fn is_loop(program: &Program, region: RegionId) -> bool {
    matches!(program.regions[region.index()].kind, RegionKind::Loop { .. })
}

/// The variable's name in the source; what the front end made up is not shown.
fn source_name(program: &Program, region: RegionId, var: Var) -> Option<&str> {
    let region = &program.regions[region.index()];
    let own = region.locals.iter().chain(&region.outputs).chain(&region.inputs);
    own.chain(&program.globals).find(|d| d.var == var)?.source.as_deref()
}

fn statement(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Assume(_) => "assume",
        StmtKind::Assert { .. } => "assert",
        StmtKind::Assign(_) => "assign",
        StmtKind::Havoc(_) => "havoc",
        StmtKind::Box { .. } => "box",
    }
}

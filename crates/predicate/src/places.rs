//! Where relations stand in the program, and what their arguments are called there.

use lariat_certify::{Event, Site};
use lariat_horn::{Position, System};
use lariat_program::{Loc, Program, RegionId};
use lariat_term::Var;

/// Where a relation stands, for readers of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which place it is: the names of the procedures and loops that lead there, which stay the same where other parts of the
    /// program change.
    pub name: String,
    /// What it is about.
    pub region: RegionId,
    /// Where that begins.
    pub loc: Loc,
}

/// The place of a relation in a program that starts at `entry`.
pub fn place(program: &Program, entry: RegionId, system: &System, relation: usize) -> Place {
    let (procedure, position) = system.position(relation);
    let start = procedure.unwrap_or(entry);
    let mut region = start;
    let mut name = program.regions[start.index()].name.clone();
    let mut lead = |path: &[Site]| {
        for site in path {
            let Some(callee) = program.callee(region, site.block, site.stmt) else { break };
            region = callee;
            name.push('/');
            name.push_str(&program.regions[callee.index()].name);
        }
    };
    let what = match position {
        Position::Loop(path) => {
            lead(path);
            "head of"
        }
        Position::After(path) => {
            lead(path);
            "after"
        }
        Position::Entered => "entry of",
        Position::Returns => "return of",
    };
    Place { name: format!("{what} {name}"), region, loc: program.regions[region.index()].loc }
}

/// The variables of the program that the arguments of a relation are values of, as far as that is known.
pub(crate) fn variables(system: &System, relation: usize) -> Vec<Option<Var>> {
    let named = |&v: &Var| match system.origin(v)?.event {
        Event::Entry(of) | Event::Exit(of) | Event::Havoc(_, of) | Event::Result(_, of) => Some(of),
        Event::Left(_) | Event::Choice(..) => None,
    };
    system.arguments(relation).iter().map(named).collect()
}

//! Where relations stand in the program, and what their arguments are called there.

use lariat_certify::{Event, Site};
use lariat_horn::{Position, System};
use lariat_program::{Loc, Program, RegionId};
use lariat_term::{Terms, Var};
use rustc_hash::FxHashMap;

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

/// The places of all relations of a program that starts at `entry`; no two have the same name.
pub(crate) fn places(program: &Program, entry: RegionId, system: &System) -> Vec<Place> {
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    let mut all = Vec::new();
    for relation in 0..system.relations.len() {
        let mut place = place(program, entry, system, relation);
        let number = seen.entry(place.name.clone()).or_default();
        *number += 1;
        if *number > 1 {
            place.name.push_str(&format!(" #{number}"));
        }
        all.push(place);
    }
    all
}

fn place(program: &Program, entry: RegionId, system: &System, relation: usize) -> Place {
    let (procedure, position) = system.position(relation);
    let start = procedure.unwrap_or(entry);
    let mut region = start;
    let mut calls: Vec<&str> = Vec::new();
    let mut statement = None;
    let mut lead = |path: &[Site]| {
        for site in path {
            let Some(callee) = program.callee(region, site.block, site.stmt) else { break };
            calls.push(&program.regions[region.index()].name);
            region = callee;
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
        Position::Before(path, site) => {
            lead(path);
            statement = Some(site);
            "before"
        }
        Position::Entered => "entry of",
        Position::Returns => "return of",
    };
    let own = &program.regions[region.index()];
    // The name of a loop begins with that of its parent.
    calls.retain(|caller| !own.name.starts_with(&format!("{caller}/")));
    let mut name = format!("{what} {}", own.name);
    if !calls.is_empty() {
        name.push_str(&format!(" from {}", calls.join(", ")));
    }
    let mut loc = own.loc;
    if let Some(Site { block, stmt }) = statement {
        let block = &own.blocks[block.index()];
        // The end of a block stands where its last statement does.
        let at = block.stmts.get(stmt as usize).or(block.stmts.last());
        loc = at.map_or(loc, |s| s.loc);
        name.push_str(&format!(", {}:{stmt}", block.label));
    }
    Place { name, region, loc }
}

/// The variables of the program that the arguments of a relation are values of, as far as that is known.
pub(crate) fn variables(system: &System, relation: usize) -> Vec<Option<Var>> {
    let named = |&v: &Var| match system.origin(v)?.event {
        Event::Entry(of) | Event::Exit(of) | Event::Havoc(_, of) | Event::Result(_, of) => Some(of),
        Event::Left(_) | Event::Choice(..) => None,
    };
    system.arguments(relation).iter().map(named).collect()
}

/// The names of all variables in the source.
pub(crate) fn source_names(program: &Program) -> FxHashMap<Var, &str> {
    let regions = program.regions.iter().flat_map(|r| [&r.inputs, &r.outputs, &r.locals]);
    let decls = [&program.globals, &program.constants].into_iter().chain(regions).flatten();
    decls.filter_map(|d| Some((d.var, d.source.as_deref()?))).collect()
}

/// What the arguments of a relation are called, each otherwise than the others: as in the source, or else as in the translated program; nothing for what
/// is no value of a variable.
pub(crate) fn names(terms: &Terms, system: &System, relation: usize, of: &FxHashMap<Var, &str>) -> Vec<Option<String>> {
    let variables = variables(system, relation);
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut name = |v: &Option<Var>| {
        let v = (*v)?;
        let name = of.get(&v).copied().unwrap_or_else(|| terms.var_name(v));
        let number = seen.entry(name).or_default();
        *number += 1;
        // What a variable was before, or one of another procedure.
        Some(if *number == 1 { name.to_owned() } else { format!("{name}@{number}") })
    };
    // What is closest comes last.
    let mut names: Vec<Option<String>> = variables.iter().rev().map(&mut name).collect();
    names.reverse();
    names
}

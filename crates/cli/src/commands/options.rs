//! From the command line of a check to the options of the verifier.

use std::{num::NonZeroUsize, time::Instant};

use lariat_engine::{Budget, Stop};
use lariat_predicate::{Blocks, Scope, Settings as PredicateSettings};
use lariat_program::{AssertId, AssertKind, Assertion, Loc, Program, RegionId, Stmt, StmtKind, Terminator};
use lariat_term::Terms;
use lariat_verify::{Arith, Correction, Engines, MinimizerKind, Options, StrategyKind, Targets, Track};

use crate::{
    args::{
        ArithName, CheckArgs, Mcs, MinimizerName, PredicateArgs, PredicateBlocks, PredicateScope, Strategy, TargetKind,
    },
    load,
};

/// What to ask the verifier: entries, targets, strategy and limits. With `--target exit` the program gets assertions that
/// fail at the ends of its entries. Otherwise a message and a hint.
pub fn options(
    args: &CheckArgs,
    program: &mut Program,
    terms: &mut Terms,
    deadline: Option<Instant>,
    memory: Option<u32>,
) -> Result<Options, (String, String)> {
    let mut entries = Vec::new();
    match &args.entry[..] {
        [] if args.input.modular => entries.clone_from(&program.entries),
        [] => entries = load::entries(program, None)?,
        names => {
            for name in names {
                let mut found = match args.input.modular || name.contains('*') {
                    true => load::matching(program, name)?,
                    false => load::entries(program, Some(name))?,
                };
                found.retain(|e| !entries.contains(e));
                entries.extend(found);
            }
        }
    }
    let targets = match (args.target, &args.assertion) {
        (TargetKind::Exit, _) => Targets::Only(entries.iter().map(|&e| add_exit(program, terms, e)).collect()),
        (_, Some(which)) => Targets::Only(find_assertions(program, which)?),
        _ if args.all_assertions => Targets::Each,
        _ => Targets::Any,
    };
    let arith = match args.arith {
        ArithName::Bv => Arith::Bits,
        ArithName::Int => Arith::Integers,
    };
    let correction = match args.mcs {
        Mcs::Linear => Correction::Linear,
        Mcs::Clause => Correction::ClauseD,
        Mcs::Cheapest => Correction::Cheapest,
        Mcs::Maxsat => Correction::MaxSat,
    };
    let strategy = match args.strategy {
        Strategy::Stratified => StrategyKind::Stratified,
        Strategy::Eager => StrategyKind::Eager,
        Strategy::Naive => StrategyKind::Naive,
        Strategy::Dcr => StrategyKind::Dcr,
        Strategy::DcrPlus => StrategyKind::DcrPlus,
        Strategy::Inertial => StrategyKind::Inertial(correction),
        Strategy::Infer => StrategyKind::Infer,
        Strategy::Auto => StrategyKind::Auto,
    };
    let minimizer = match args.minimizer {
        MinimizerName::Linear => MinimizerKind::Linear,
        MinimizerName::Hrefine => MinimizerKind::HRefine,
        MinimizerName::Vcrefine | MinimizerName::Each => MinimizerKind::VcRefine,
    };
    args.track.named(program, terms).map_err(|unknown| (unknown.to_string(), track_hint(program, terms)))?;
    let budget = Budget { deadline, stop: Stop::default(), memory };
    let (solver, reduce, bound) = (args.solver.clone(), !args.no_reduce, args.bound);
    let defaults = Options::default();
    let engines = match (&args.engine, &args.track) {
        // Whoever says what is tracked wants an abstraction.
        (Engines::Portfolio, Track::None | Track::Names(_)) => Engines::Only(vec!["localize".into()]),
        (engines, _) => engines.clone(),
    };
    let (track, jobs) = (args.track.clone(), args.jobs.map_or(defaults.jobs, NonZeroUsize::get));
    let certificates_wanted = args.certificate.is_some() || args.second_opinion.is_some() || args.witness.is_some();
    let second_opinion = args.second_opinion.as_deref().map(Into::into);
    let predicates = predicate_settings(args)?;
    Ok(Options {
        predicates,
        entries,
        targets,
        engines,
        jobs,
        arith,
        strategy,
        track,
        minimizer,
        compare_minimizers: args.minimizer == MinimizerName::Each,
        solver,
        budget,
        bound,
        queries: args.queries,
        reduce,
        wait: false,
        certificates_wanted,
        second_opinion,
        ..defaults
    })
}

/// The names of some globals.
fn track_hint(program: &Program, terms: &Terms) -> String {
    let names = program.globals.iter().map(|d| d.source.as_deref().unwrap_or_else(|| terms.var_name(d.var)));
    let some: Vec<&str> = names.take(8).collect();
    match (some.len(), program.globals.len()) {
        (_, 0) => "`--track none` and `--track all` are the same here".into(),
        (shown, all) if shown == all => format!("its globals are {}", some.join(", ")),
        _ => format!("its globals are {}, …; `lariat show --as regions` lists them", some.join(", ")),
    }
}

fn predicate_settings(args: &CheckArgs) -> Result<PredicateSettings, (String, String)> {
    let PredicateArgs { predicates, save_predicates, show_predicates, predicate_scope, predicate_blocks } =
        &args.predicates;
    let saved = match predicates {
        Some(path) => match std::fs::read_to_string(path) {
            Ok(text) => Some(text.into()),
            Err(error) => {
                let hint = "`lariat check --save-predicates FILE` writes such a file";
                return Err((format!("cannot read {}: {error}", path.display()), hint.into()));
            }
        },
        None => None,
    };
    let scope = match predicate_scope {
        PredicateScope::Local => Scope::Local,
        PredicateScope::Global => Scope::Global,
    };
    let blocks = match predicate_blocks {
        PredicateBlocks::Large => Blocks::Large,
        PredicateBlocks::Statements => Blocks::Statements,
    };
    Ok(PredicateSettings { scope, blocks, saved, report: save_predicates.is_some() || *show_predicates })
}

/// An assertion that fails where a region returns.
fn add_exit(program: &mut Program, terms: &mut Terms, entry: RegionId) -> AssertId {
    let id = AssertId(program.assertions.len() as u32);
    let region = &mut program.regions[entry.index()];
    let message = Some(format!("the end of {} is reached", region.name));
    program.assertions.push(Assertion { kind: AssertKind::User, message, loc: region.loc });
    for block in &mut region.blocks {
        if block.next == Terminator::Return {
            let kind = StmtKind::Assert { id, cond: terms.bool(false) };
            block.stmts.push(Stmt { kind, loc: region.loc });
        }
    }
    id
}

fn find_assertions(program: &Program, which: &str) -> Result<Vec<AssertId>, (String, String)> {
    // What is only approximated does not fail.
    let fails = |a: &Assertion| a.kind.fails();
    let found: Vec<AssertId> = match which.strip_prefix('#') {
        Some(number) => {
            let id = number.parse().ok().filter(|&n: &u32| program.assertions.get(n as usize).is_some_and(fails));
            id.map(AssertId).into_iter().collect()
        }
        None => {
            let line: Option<u32> = which.parse().ok();
            let on_line = |loc: Loc| loc.line != 0 && Some(loc.line) == line;
            let mut ids = Vec::new();
            for stmt in program.regions.iter().flat_map(|r| &r.blocks).flat_map(|b| &b.stmts) {
                if let StmtKind::Assert { id, .. } = stmt.kind
                    && fails(&program.assertions[id.index()])
                    && (on_line(stmt.loc) || on_line(program.assertions[id.index()].loc))
                {
                    ids.push(id);
                }
            }
            ids.sort_unstable();
            ids.dedup();
            ids
        }
    };
    if found.is_empty() {
        return Err((format!("there is no assertion {which}"), "`lariat show --as regions` lists them".into()));
    }
    Ok(found)
}

//! How far a check came that has no answer, and what to try next.

use lariat_program::{Loc, Program, RegionKind, StmtKind};
use lariat_verify::{Report, Verdict};
use serde_json::{Value as Json, json};

use crate::trace::place;

/// A function that was called more often than this is named; a loop is always.
const OFTEN: u64 = 2;

/// How far a check came.
#[derive(Clone, Copy, Default, Debug)]
pub struct Reached {
    /// The bound that the search was at; 0 if it had not begun.
    pub bound: u32,
    /// The user has ended the run.
    pub interrupted: bool,
    /// Its time was over.
    pub late: bool,
}

/// What was asked.
#[derive(Clone, Copy, Default, Debug)]
pub struct Asked {
    /// Only some engines were.
    pub selected: bool,
    /// It is one question, so that what was excluded is excluded for all of it.
    pub one: bool,
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Why there is no answer: that solvers were interrupted is nobody's reason, unless the user did it.
pub fn reason(why: &str, reached: Reached) -> String {
    match why {
        "interrupted" if reached.interrupted => "interrupted by the user".into(),
        "interrupted" if reached.late => "time limit reached".into(),
        "interrupted" => "no engine has found an answer".into(),
        why => why.into(),
    }
}

/// Did a limit end the run, so that more time or another engine may help?
fn by_limit(why: &str) -> bool {
    why.ends_with("limit reached")
        || why.starts_with("interrupted")
        || why.starts_with("no engine")
        || why.starts_with("the solver gave up")
}

/// Is it the solver that has no answer?
fn by_solver(why: &str) -> bool {
    why.starts_with("the solver gave up")
}

/// The region that was expanded most often: where the time went.
fn most_expanded(program: &Program, report: &Report) -> Option<(usize, u64)> {
    let counted = report.stats.regions.iter().copied().enumerate().filter(|&(i, _)| i < program.regions.len());
    let least = |i: usize| if is_loop(program, i) { 0 } else { OFTEN };
    // Of equals, a loop, and then the first.
    counted
        .filter(|&(i, count)| count > least(i))
        .max_by_key(|&(i, count)| (count, is_loop(program, i), std::cmp::Reverse(i)))
}

fn is_loop(program: &Program, region: usize) -> bool {
    matches!(program.regions[region].kind, RegionKind::Loop { .. })
}

/// A place where the program calls a library function, the name of that function, and in how many places more calls lead to it.
struct Called {
    function: String,
    at: Loc,
    more: usize,
}

/// For a region of the models of library functions: by which calls of the program it runs.
fn called(program: &Program, region: usize) -> Option<Called> {
    let is_model =
        |i: usize| program.files.get(program.regions[i].loc.file.index()).is_some_and(|f| f.starts_with("<models>/"));
    if !is_model(region) {
        return None;
    }
    let (mut known, mut open) = (vec![false; program.regions.len()], vec![region]);
    known[region] = true;
    let mut calls: Vec<(Loc, usize)> = Vec::new();
    while let Some(callee) = open.pop() {
        for (caller, body) in program.regions.iter().enumerate() {
            let boxes = body.blocks.iter().flat_map(|block| &block.stmts);
            for stmt in boxes.filter(|s| matches!(s.kind, StmtKind::Box { callee: c, .. } if c.index() == callee)) {
                if !is_model(caller) {
                    calls.push((stmt.loc, callee));
                } else if !std::mem::replace(&mut known[caller], true) {
                    open.push(caller);
                }
            }
        }
    }
    calls.sort_by_key(|(loc, _)| (loc.file.index(), loc.line, loc.column));
    calls.dedup_by_key(|(loc, _)| *loc);
    let &(at, callee) = calls.first()?;
    Some(Called { function: program.regions[callee].name.clone(), at, more: calls.len() - 1 })
}

/// What to try where a construct is in the way.
fn instead(why: &str) -> &'static str {
    let about = why.split_once(": ").map_or(why, |(_, about)| about);
    if about.contains("pthread") || about.contains("thrd_") || about.contains("thread") {
        "to try: threads are not followed: the function of each thread alone, with --entry"
    } else if about.starts_with("the function") {
        "to try: a definition of that function in a further file, as simple as the check allows (docs/harnesses.md)"
    } else {
        "to try: other code in its place for the check, behind #ifdef, or another function as the --entry (docs/harnesses.md)"
    }
}

/// What a region is called: a loop by the function that it is in.
pub fn named(program: &Program, region: usize) -> String {
    let name = &program.regions[region].name;
    match name.split_once('/') {
        Some((function, _)) if is_loop(program, region) => format!("the loop in {function}"),
        _ => name.clone(),
    }
}

/// Is the reason a construct of the program, which it names?
fn by_construct(why: &str) -> bool {
    why.starts_with("an execution reaches") || why.starts_with("an assertion may fail")
}

/// Lines that say how far the check came, if it ended at a limit, and what to try.
pub fn text(program: &Program, report: &Report, reached: Reached, asked: Asked) -> Vec<String> {
    let selected = asked.selected;
    let Verdict::Unknown(why) = &report.verdict else { return Vec::new() };
    let why = &reason(why, reached);
    if !by_limit(why) {
        // Another engine may have an answer where this one has none.
        return match (by_construct(why), selected) {
            (true, _) => vec![instead(why).to_owned()],
            (false, true) => vec!["to try: all engines, without --engine".to_owned()],
            (false, false) => Vec::new(),
        };
    }
    let mut lines = Vec::new();
    match (program.regions.is_empty(), reached.bound) {
        (true, _) => lines.push("the time was over before the program was translated".to_owned()),
        (false, 0) if selected => {
            lines.push("the engines that were asked have found neither a failure nor a proof".to_owned())
        }
        (false, 0) => lines.push("the search had not begun".to_owned()),
        (false, bound) => {
            let (expanded, open) = (report.stats.expanded, report.stats.open);
            let open = if open == 0 { String::new() } else { format!(", {open} not yet") };
            lines.push(format!(
                "no failure found; the search was at bound {bound}: {} explored{open}",
                count(expanded, "call or round of a loop", "calls and rounds of loops")
            ));
            // At a bound, all that is within the one before is excluded. That a loop is left may take an instance of its own.
            if asked.one && bound > 1 {
                let n = u64::from(bound) - 1;
                lines.push(format!(
                    "excluded: failures of executions with fewer than {} of each loop and at most {} of each function at a time",
                    count(n, "round", "rounds"),
                    count(n, "call", "calls")
                ));
            }
        }
    }
    let most = most_expanded(program, report);
    let in_loop = most.is_some_and(|(i, _)| is_loop(program, i));
    let model = most.and_then(|(i, _)| called(program, i));
    if let Some((i, count)) = most {
        let (what, times) = if in_loop { ("", "round") } else { ("the function ", "call") };
        let plural = if count == 1 { "" } else { "s" };
        match &model {
            Some(Called { function, at, more }) => {
                let more = if *more == 0 { String::new() } else { format!(" and at {more} more places") };
                let at = place(program, *at);
                lines.push(format!(
                    "most of it: the model of `{function}`, called at {at}{more} ({count} {times}{plural})"
                ));
            }
            None => {
                let at = match place(program, program.regions[i].loc) {
                    // The textual form has no positions.
                    at if at == "-" => String::new(),
                    at => format!(" at {at}"),
                };
                lines.push(format!("most of it: {what}{}{at} ({count} {times}{plural})", named(program, i)));
            }
        }
    }
    // Nothing is left to look into: the solver has taken the time.
    let solver = reached.bound > 0 && report.stats.open == 0 && !by_solver(why);
    if solver {
        lines.push("nothing is left to explore: the time went into the solver's question about all of it".to_owned());
    }
    let mut tries = Vec::new();
    if reached.bound > 1 {
        tries.push(format!("--bound {} for an answer within a bound", reached.bound - 1));
    }
    match why.as_str() {
        "time limit reached" => tries.push("a longer --timeout".into()),
        "memory limit reached" => tries.push("a larger --memory".into()),
        "resource limit reached" => tries.push("more --queries".into()),
        _ => {}
    }
    if model.is_some() {
        tries.push("shorter strings and blocks, by an assumption (docs/harnesses.md)".into());
    } else if in_loop {
        tries.push("an invariant at the loop (docs/helping-proofs.md)".into());
    }
    if program.assertions.len() > 1 {
        tries.push("--assertion or --property to check less at a time".into());
    }
    if solver || by_solver(why) {
        tries.push("another --solver (`lariat solvers`), or simpler arithmetic and fewer quantifiers".into());
    }
    if selected && (why.starts_with("no engine") || reached.bound == 0) {
        tries.push("all engines, without --engine".into());
    }
    if !tries.is_empty() {
        lines.push(format!("to try: {}", tries.join("; ")));
    }
    lines
}

/// The same as JSON.
pub fn as_json(program: &Program, report: &Report, reached: Reached) -> Json {
    let most = most_expanded(program, report).map(|(i, count)| {
        let region = &program.regions[i];
        json!({ "region": region.name, "location": place(program, region.loc), "expanded": count })
    });
    json!({ "bound": reached.bound, "expanded": report.stats.expanded, "open": report.stats.open, "most_expanded": most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_interrupted_unless_the_user_did() {
        let user = Reached { interrupted: true, ..Reached::default() };
        assert_eq!(reason("interrupted", user), "interrupted by the user");
        assert_eq!(reason("interrupted", Reached { late: true, ..Reached::default() }), "time limit reached");
        assert_eq!(reason("interrupted", Reached::default()), "no engine has found an answer");
        assert_eq!(reason("memory limit reached", user), "memory limit reached");
    }

    #[test]
    fn only_limits_are_explained() {
        assert!(by_limit("time limit reached") && by_limit("no engine has found an answer"));
        assert!(!by_limit("an execution reaches what is not supported: x"));
        assert!(by_construct("an execution reaches what is not supported: x"));
    }
}

//! How far a check came that has no answer, and what to try next.

use lariat_program::{Program, RegionKind};
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

/// Lines that say how far the check came, if it ended at a limit, and what to try; `selected` says whether only some engines were asked.
pub fn text(program: &Program, report: &Report, reached: Reached, selected: bool) -> Vec<String> {
    let Verdict::Unknown(why) = &report.verdict else { return Vec::new() };
    let why = &reason(why, reached);
    if !by_limit(why) {
        // Another engine may have an answer where this one has none.
        let other = selected && !by_construct(why);
        return if other { vec!["to try: all engines, without --engine".to_owned()] } else { Vec::new() };
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
                "no failure found; the search was at bound {bound}: {expanded} calls and rounds of loops explored{open}"
            ));
        }
    }
    let most = most_expanded(program, report);
    let in_loop = most.is_some_and(|(i, _)| is_loop(program, i));
    if let Some((i, count)) = most {
        let (what, times) = if in_loop { ("", "round") } else { ("the function ", "call") };
        let plural = if count == 1 { "" } else { "s" };
        let at = match place(program, program.regions[i].loc) {
            // The textual form has no positions.
            at if at == "-" => String::new(),
            at => format!(" at {at}"),
        };
        lines.push(format!("most of it: {what}{}{at} ({count} {times}{plural})", named(program, i)));
    }
    // Nothing is left to look into: the solver has taken the time.
    let asked = reached.bound > 0 && report.stats.open == 0 && !by_solver(why);
    if asked {
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
    if in_loop {
        tries.push("an invariant at the loop (docs/helping-proofs.md)".into());
    }
    if program.assertions.len() > 1 {
        tries.push("--assertion or --property to check less at a time".into());
    }
    if asked || by_solver(why) {
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

//! Brief traces: what fits on one screen.
//!
//! A short trace stays as it is. Of a longer one, first the rounds of loops between the first and the last are left out, then
//! what happens inside of calls that have returned, and then what is neither at the start nor near the end. Calls that
//! are running at the end stay.

use std::collections::BTreeMap;

use lariat_program::Program;
use lariat_source::{SourceTrace, Step, StepKind};

use crate::{source_trace::whole_input, trace::place};

/// The lines of a screen that are for steps and inputs.
pub const LINES: usize = 34;

/// How many calls that are running stay in the middle of a trace.
const RUNNING: usize = 4;

/// Fewer inputs than this are shown one by one.
const FEW_INPUTS: usize = 10;

/// The lines for inputs, and the inputs in a line.
const INPUT_LINES: usize = 12;
const INPUTS_IN_LINE: usize = 16;

/// A line of a brief trace.
pub enum Line<'a> {
    /// A step.
    Step(&'a Step),
    /// What stands for steps that are left out.
    Folded {
        /// In words.
        text: String,
        /// How deep.
        depth: usize,
    },
}

/// Steps that are left out, with the lines that stand for them.
struct Folds {
    dropped: Vec<bool>,
    lines: BTreeMap<usize, (String, usize)>,
}

impl Folds {
    fn count(&self) -> usize {
        self.dropped.iter().filter(|dropped| !**dropped).count() + self.lines.len()
    }

    fn fold(&mut self, range: std::ops::Range<usize>, text: String, depth: usize) {
        self.dropped[range.clone()].fill(true);
        let inside: Vec<usize> = self.lines.range(range.clone()).map(|(&i, _)| i).collect();
        inside.iter().for_each(|i| _ = self.lines.remove(i));
        self.lines.insert(range.start, (text, depth));
    }
}

/// The steps in about so many lines.
pub fn steps<'a>(steps: &[&'a Step], limit: usize) -> Vec<Line<'a>> {
    let limit = limit.max(8);
    let mut folds = Folds { dropped: vec![false; steps.len()], lines: BTreeMap::new() };
    if folds.count() > limit {
        fold_rounds(steps, &mut folds);
    }
    if folds.count() > limit {
        fold_calls(steps, &mut folds);
    }
    if folds.count() > limit {
        fold_middle(steps, &mut folds, limit);
    }
    let mut lines = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        if let Some((text, depth)) = folds.lines.get(&i) {
            lines.push(Line::Folded { text: text.clone(), depth: *depth });
        }
        if !folds.dropped[i] {
            lines.push(Line::Step(step));
        }
    }
    lines
}

/// Leaves out the rounds of loops between the first and the last.
fn fold_rounds(steps: &[&Step], folds: &mut Folds) {
    for (start, step) in steps.iter().enumerate() {
        let StepKind::Round { number: 1, .. } = step.kind else { continue };
        if folds.dropped[start] {
            continue;
        }
        let mut rounds: Vec<(usize, u32)> = Vec::new();
        for (i, later) in steps.iter().enumerate().skip(start + 1) {
            match later.kind {
                StepKind::Round { number: number @ 2.., .. } if later.depth == step.depth => rounds.push((i, number)),
                _ if later.depth <= step.depth => break,
                _ => {}
            }
        }
        if let [(first, from), .., (_, to), (last, _)] = rounds[..] {
            folds.fold(first..last, format!("… rounds {from} to {to}"), step.depth);
        }
    }
}

/// Where what belongs to a call ends, if the call has returned.
fn end_of_call(steps: &[&Step], call: usize) -> Option<usize> {
    let depth = steps[call].depth;
    steps.iter().skip(call + 1).position(|later| later.depth <= depth).map(|at| call + 1 + at)
}

/// Leaves out what happens in calls that have returned, but for what they return and inputs.
fn fold_calls(steps: &[&Step], folds: &mut Folds) {
    for (call, step) in steps.iter().enumerate() {
        let (StepKind::Call { .. }, false) = (&step.kind, folds.dropped[call]) else { continue };
        let Some(mut end) = end_of_call(steps, call) else { continue };
        if matches!(steps[end - 1].kind, StepKind::Return { .. }) {
            end -= 1;
        }
        let asks = (call + 1..end).any(|i| matches!(steps[i].kind, StepKind::Input(_)));
        if end > call + 3 && !asks {
            folds.fold(call + 1..end, format!("… {} steps", end - call - 1), step.depth + 1);
        }
    }
}

/// Leaves out what is neither at the start nor near the end, but for the innermost calls that are running at the end.
fn fold_middle(steps: &[&Step], folds: &mut Folds, limit: usize) {
    let shown: Vec<usize> = (0..steps.len()).filter(|&i| !folds.dropped[i] || folds.lines.contains_key(&i)).collect();
    let runs = |i: &usize| matches!(steps[*i].kind, StepKind::Call { .. }) && end_of_call(steps, *i).is_none();
    let mut running: Vec<usize> = (0..steps.len()).filter(runs).collect();
    running.drain(..running.len().saturating_sub(RUNNING));
    // Each of them may stand between lines for what is left out.
    let limit = limit.saturating_sub(2 * running.len() + 1).max(8);
    let (head, tail) = (limit / 4, limit - limit / 4);
    let (Some(&from), Some(&to)) = (shown.get(head), shown.get(shown.len().saturating_sub(tail))) else { return };
    let mut start = from;
    for i in from..=to {
        if i == to || running.contains(&i) {
            if start < i {
                let depth = steps[start..i].iter().map(|step| step.depth).min().unwrap_or(0);
                folds.fold(start..i, format!("… {} steps", i - start), depth);
            }
            start = i + 1;
        }
    }
}

/// The inputs, with those that the same place asks for one after the other in one line.
pub fn inputs(program: &Program, trace: &SourceTrace) -> Vec<String> {
    let all = &trace.inputs;
    if all.len() <= FEW_INPUTS {
        return all.iter().enumerate().map(|(i, input)| whole_input(program, i, input)).collect();
    }
    let mut lines = Vec::new();
    let mut first = 0;
    while first < all.len() && lines.len() < INPUT_LINES {
        let same = |input: &&lariat_source::Input| input.what == all[first].what && input.loc == all[first].loc;
        let count = all[first..].iter().take_while(same).take(INPUTS_IN_LINE).count();
        if count == 1 {
            lines.push(whole_input(program, first, &all[first]));
        } else {
            let values: Vec<&str> = all[first..first + count].iter().map(|input| input.value.as_str()).collect();
            let at = place(program, all[first].loc);
            let what = &all[first].what;
            lines.push(format!("inputs {}–{}: {what} = {} at {at}", first + 1, first + count, values.join(", ")));
        }
        first += count;
    }
    if first < all.len() {
        lines.push(format!("… {} more inputs (--format json has all)", all.len() - first));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_source::Loc;

    fn step(depth: usize, kind: StepKind) -> Step {
        Step { loc: Loc::NONE, depth, function: "main".into(), kind }
    }

    fn set(depth: usize, value: usize) -> Step {
        step(depth, StepKind::Set { place: "x".into(), value: value.to_string() })
    }

    fn call(depth: usize) -> Step {
        step(depth, StepKind::Call { function: "f".into(), arguments: Vec::new() })
    }

    fn round(depth: usize, number: u32) -> Step {
        step(depth, StepKind::Round { name: String::new(), number, further: 1 })
    }

    fn folded(all: &[Step], limit: usize) -> Vec<String> {
        let all: Vec<&Step> = all.iter().collect();
        let shown = |line: Line<'_>| match line {
            Line::Step(step) => format!("{:?}", step.kind).chars().take_while(|c| c.is_alphabetic()).collect(),
            Line::Folded { text, .. } => text,
        };
        steps(&all, limit).into_iter().map(shown).collect()
    }

    #[test]
    fn short_traces_stay() {
        let all = [call(0), round(1, 1), set(2, 1), round(1, 2), set(2, 2), round(1, 3), set(2, 3), round(1, 4)];
        assert_eq!(folded(&all, 8).len(), 8);
    }

    #[test]
    fn rounds_in_the_middle_are_left_out() {
        let mut all = vec![call(0)];
        (1..=20).for_each(|number| all.extend([round(1, number), set(2, number as usize)]));
        let lines = folded(&all, 10);
        assert_eq!(lines, ["Call", "Round", "Set", "… rounds 2 to 19", "Round", "Set"]);
    }

    #[test]
    fn calls_that_have_returned_are_left_out() {
        let mut all = vec![call(0), call(1)];
        all.extend((0..30).map(|i| set(2, i)));
        all.extend([step(2, StepKind::Return { value: Some("1".into()) }), set(1, 1)]);
        assert_eq!(folded(&all, 10), ["Call", "Call", "… 30 steps", "Return", "Set"]);
    }

    #[test]
    fn calls_that_run_stay() {
        let mut all = vec![call(0)];
        all.extend((0..100).map(|i| set(1, i)));
        all.push(call(1));
        all.extend((0..100).map(|i| set(2, i)));
        let lines = folded(&all, 12);
        assert_eq!(lines.iter().filter(|line| *line == "Call").count(), 2);
        assert!(lines.len() <= 16, "{lines:?}");
    }
}

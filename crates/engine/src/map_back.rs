//! Maps counterexamples back: from an execution of a program that a pass made to one of the program that the pass was given.

use lariat_program::{
    integers::Integers,
    origins::{Origins, StmtOrigin},
};
use lariat_term::{Interpretation, Model, Terms, Value, Var};

use crate::{Execution, Instance};

/// The same decisions at the places where they come from, with the values that they stand for there. Nothing is said
/// about what was left out.
pub fn map_back(terms: &Terms, model: &Model, execution: &Execution, origins: &[Origins]) -> Execution {
    let universe = |s| model.universe(s);
    let back = |v: Var, value: &Value| Integers::value(terms, &universe, terms.var_sort(v), value);
    let mut lift = Lift { origins, frames: vec![Vec::new(); execution.instances.len()], out: Vec::new() };
    for (k, instance) in execution.instances.iter().enumerate() {
        let from = &origins[instance.region.index()];
        if k == 0 {
            let root = lift.add(Instance::new(instance.region));
            lift.frames[0] = vec![Some(root)];
        }
        for (&v, value) in &instance.locals {
            let (frame, v) = from.var(v);
            let at = lift.frame(instance, k, frame);
            lift.out[at].locals.extend(back(v, value).map(|value| (v, value)));
        }
        for (&(block, stmt, v), value) in &instance.havoc {
            let StmtOrigin { frame, block, stmt } = from.blocks[block.index()].stmts[stmt as usize];
            let at = lift.frame(instance, k, frame);
            let v = from.var(v).1;
            lift.out[at].havoc.extend(back(v, value).map(|value| ((block, stmt, v), value)));
        }
        for (&block, &choice) in &instance.choices {
            let StmtOrigin { frame, block, .. } = from.blocks[block.index()].next;
            let at = lift.frame(instance, k, frame);
            lift.out[at].choices.insert(block, choice);
        }
        for (&(block, stmt), &child) in &instance.boxes {
            let StmtOrigin { frame, block, stmt } = from.blocks[block.index()].stmts[stmt as usize];
            let at = lift.frame(instance, k, frame);
            let entered = lift.add(Instance::new(execution.instances[child].region));
            lift.frames[child] = vec![Some(entered)];
            lift.out[at].boxes.insert((block, stmt), entered);
        }
    }
    Execution { assertion: execution.assertion, instances: lift.out, end: None }
}

struct Lift<'a> {
    origins: &'a [Origins],
    /// By instance of the made program and by frame, the instance of the given program.
    frames: Vec<Vec<Option<usize>>>,
    out: Vec<Instance>,
}

impl Lift<'_> {
    fn add(&mut self, instance: Instance) -> usize {
        self.out.push(instance);
        self.out.len() - 1
    }

    /// The instance that stands for a frame; it is entered where that is not said yet.
    fn frame(&mut self, instance: &Instance, k: usize, frame: u32) -> usize {
        let frames = &self.origins[instance.region.index()].frames;
        self.frames[k].resize(frames.len(), None);
        // From the frame up to one that is known, and down again.
        let mut missing = Vec::new();
        let mut at = frame as usize;
        let mut known = loop {
            match (self.frames[k][at], frames[at].site) {
                (Some(known), _) => break known,
                (None, Some(site)) => {
                    missing.push((at, site));
                    at = site.frame as usize;
                }
                // Parents come before their children, so the first frame is known.
                (None, None) => break 0,
            }
        };
        while let Some((at, site)) = missing.pop() {
            let entered = self.add(Instance::new(frames[at].region));
            self.out[known].boxes.insert((site.block, site.stmt), entered);
            self.frames[k][at] = Some(entered);
            known = entered;
        }
        known
    }
}

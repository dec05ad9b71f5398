//! Smaller programs that fail the same assertions.
//!
//! In: a program whose regions are acyclic, an entry, and which assertions count. Out: a [`Reduced`] program
//! with the same regions by number and name (those that nothing needs are stubs), and the [`Origins`] of what
//! is left in them. The passes, one file each:
//! - `consts`: constants that variables are known to hold take their place; branches that these decide go;
//! - `slice`: what can influence no assertion that counts goes, with the inputs, outputs, globals and boxes
//!   that only served it;
//! - `inline`: small procedures take the place of their boxes, and the passes above run again;
//! - `rotate`, for those who unfold loops ([`Reduced::rotated`]): they are boxed under the condition at their head;
//! - `tidy`: blocks that only pass control on.
//!
//! What always holds:
//! - an execution that fails a counting assertion has a counterpart in the reduced program that fails the same
//!   one: a proof about the reduced program is one about the given program;
//! - the other way round, too, but for one thing: a loop or recursion that was left out might not end. So a
//!   failure is one only after a replay on the given program; the origins say how to make that.

mod consts;
mod inline;
mod places;
mod rotate;
mod slice;
mod tidy;

use lariat_term::{Term, Terms, Var};

use crate::{
    ir::{AssertId, Block, Program, Region, RegionId, Terminator},
    origins::Origins,
    verify::{Stage, check_pass},
    walk::FreeVars,
};

/// A smaller program, and where its parts come from.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The program.
    pub program: Program,
    /// By region.
    pub origins: Vec<Origins>,
    /// Constants that variables of the given program hold wherever a loop starts a round, if it may change them.
    pub known: Vec<(RegionId, Var, Term)>,
}

/// What to do about boxes of small procedures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boxes {
    /// Leave them to the engine.
    Keep,
    /// Put the procedures in place.
    Inline,
}

/// Reduces what executions from `entry` can meet, if these assertions count.
pub fn reduce(
    program: &Program,
    terms: &mut Terms,
    entry: RegionId,
    counts: &dyn Fn(AssertId) -> bool,
    boxes: Boxes,
) -> Reduced {
    let mut reduced = empty(program, entry);
    let vars = &mut FreeVars::default();
    let check = |pass: &str, reduced: &Reduced, terms: &Terms| {
        check_pass(pass, &reduced.program, terms, Stage::Regions);
    };
    consts::propagate(program, None, terms, vars, entry, &mut reduced);
    check("constants", &reduced, terms);
    slice::slice(&mut reduced, terms, vars, entry, counts);
    check("slice", &reduced, terms);
    if boxes == Boxes::Inline && inline::inline(&mut reduced, terms, entry) {
        check("inline", &reduced, terms);
        // What is known at one box need not be known at all of them.
        let grown = std::mem::replace(&mut reduced, empty(program, entry));
        reduced.program.globals.clone_from(&grown.program.globals);
        reduced.known = grown.known;
        consts::propagate(&grown.program, Some(&grown.origins), terms, vars, entry, &mut reduced);
        check("constants again", &reduced, terms);
        slice::slice(&mut reduced, terms, vars, entry, counts);
        check("slice again", &reduced, terms);
    }
    reduced
}

impl Reduced {
    /// The same with its loops rotated: boxed under the condition at their head, so that one whose rounds are known has no instance after
    /// the last one.
    pub fn rotated(&self, terms: &mut Terms, entry: RegionId) -> Reduced {
        let mut rotated = self.clone();
        rotate::rotate(&mut rotated, terms, entry);
        check_pass("rotate", &rotated.program, terms, Stage::Regions);
        rotated
    }
}

/// The program with stubs for its regions.
fn empty(program: &Program, entry: RegionId) -> Reduced {
    Reduced {
        program: Program {
            files: program.files.clone(),
            globals: program.globals.clone(),
            constants: program.constants.clone(),
            functions: program.functions.clone(),
            axioms: program.axioms.clone(),
            regions: program.regions.iter().map(stub).collect(),
            assertions: program.assertions.clone(),
            entries: vec![entry],
        },
        origins: vec![Origins::default(); program.regions.len()],
        known: Vec::new(),
    }
}

/// A region that only stops.
fn stub(region: &Region) -> Region {
    let block = Block { label: "stop".into(), stmts: Vec::new(), next: Terminator::Goto(Vec::new()) };
    let (name, kind, loc) = (region.name.clone(), region.kind, region.loc);
    Region { name, kind, loc, inputs: Vec::new(), outputs: Vec::new(), locals: Vec::new(), blocks: vec![block] }
}

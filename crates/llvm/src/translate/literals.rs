//! String literals that may lie in each other: a compiler or linker may keep one copy of two equal literals, or keep `"bc"` as the end of
//! `"abc"`.
//!
//! Each literal is an object of its own, so pointers into two of them would always differ. A ghost variable says whether the
//! literals of this execution are merged, all of them or none; it is there only if the program compares pointers to such literals.

use lariat_program::Loc;
use lariat_term::{Op, Sort, Term, Var};
use rustc_hash::FxHashSet;

use super::{Translator, body::Body, reuse::instructions, value::Pointer};
use crate::{
    memory::{Maker, Memory},
    module::{Const, FuncId, GlobalId, InstId, InstKind, Module, Operand},
};

/// So many literals are looked at one by one in a comparison.
const MANY: usize = 32;

/// A literal that may be the end of another one.
#[derive(Clone, Copy)]
struct Tail {
    object: u32,
    /// The literal that it may lie in, and where it starts there.
    whole: u32,
    start: i64,
}

/// What is known of string literals.
#[derive(Default)]
pub(super) struct Literals {
    /// Whether they are merged.
    merged: Option<Var>,
    tails: Vec<Tail>,
    /// The comparisons in which it matters.
    compared: FxHashSet<(FuncId, InstId)>,
}

/// The text of a literal, with its end.
fn text(module: &Module, g: GlobalId) -> Option<&[u8]> {
    let global = &module.globals[g.index()];
    match module.constant(global.init.filter(|_| global.unnamed && global.constant && global.debug.is_none())?) {
        Const::Bytes(_, text) if text.last() == Some(&0) => Some(text),
        _ => None,
    }
}

/// The literals that may be the end of another one, that one, and where they start there.
fn tails(module: &Module) -> Vec<(GlobalId, GlobalId, i64)> {
    let all = (0..module.globals.len() as u32).map(GlobalId);
    let mut texts: Vec<(Vec<u8>, GlobalId)> =
        all.filter_map(|g| Some((text(module, g)?.iter().rev().copied().collect(), g))).collect();
    // Read from their ends, a literal comes right before those that it is the end of.
    texts.sort();
    let mut found: Vec<(GlobalId, GlobalId, i64)> = Vec::new();
    let mut whole: Option<(&[u8], GlobalId)> = None;
    for (text, g) in texts.iter().rev() {
        match whole {
            Some((longest, within)) if longest.starts_with(text) => {
                found.push((*g, within, (longest.len() - text.len()) as i64));
            }
            _ => whole = Some((text.as_slice(), *g)),
        }
    }
    found
}

/// Whether an operand may be the address of one of these variables.
fn may_point(memory: &Memory, f: FuncId, operand: Operand, globals: &FxHashSet<GlobalId>) -> bool {
    if memory.address(f, operand).is_none() {
        return false;
    }
    let Some(target) = memory.target(f, operand) else { return true };
    memory.groups[target.group.index()].sites.iter().any(|site| match memory.sites[site.index()].maker {
        Maker::Global(g) => globals.contains(&g),
        _ => false,
    })
}

impl Translator<'_> {
    /// Finds the comparisons that matter, and declares the variable if there are any.
    pub(super) fn declare_literals(&mut self, reachable: &[bool]) {
        let (module, memory) = (self.module, self.memory);
        let tails = tails(module);
        if tails.is_empty() {
            return;
        }
        let globals: FxHashSet<GlobalId> = tails.iter().flat_map(|&(g, whole, _)| [g, whole]).collect();
        let null = |o: Operand| matches!(o, Operand::Const(c) if *module.constant(c) == Const::Null);
        for (f, i, kind) in instructions(module) {
            let &InstKind::IntCompare { lhs, rhs, .. } = kind else { continue };
            if reachable[f.index()] && [lhs, rhs].iter().all(|&o| !null(o) && may_point(memory, f, o, &globals)) {
                self.literals.compared.insert((f, i));
            }
        }
        if self.literals.compared.is_empty() {
            return;
        }
        for (g, whole, start) in tails {
            let [object, whole] = [g, whole].map(|g| self.object_of(Maker::Global(g)));
            if let (Some(object), Some(whole)) = (object, whole) {
                self.literals.tails.push(Tail { object, whole, start });
            }
        }
        self.literals.merged = Some(self.global("literals.merged", Sort::BOOL, None, Loc::NONE));
    }
}

impl Body<'_, '_> {
    /// Two pointers that are compared, as the places of literals are.
    pub fn merged_literals(&mut self, i: InstId, p: Pointer, q: Pointer) -> (Pointer, Pointer) {
        let (Some(f), Some(merged)) = (self.func, self.t.literals.merged) else { return (p, q) };
        if !self.t.literals.compared.contains(&(f, i)) {
            return (p, q);
        }
        let merged = self.term(merged);
        if self.t.literals.tails.len() > MANY {
            let differ = self.t.terms.ne(p.object, q.object);
            let last = self.t.object_term(self.t.last_constant);
            let literal = |body: &mut Self, object: Term| body.t.terms.mk(Op::BvUle, &[object, last]);
            let odd = [differ, merged, literal(self, p.object), literal(self, q.object)];
            let odd = self.t.terms.and(&odd);
            self.approximate_if(odd, "a comparison of string literals, which may share memory");
            // The one may lie anywhere in the other.
            let sort = self.t.offset_sort();
            let offset = self.fresh("literal", sort);
            let object = self.t.terms.ite(odd, q.object, p.object);
            let offset = self.t.terms.ite(odd, offset, p.offset);
            return (Pointer { object, offset }, q);
        }
        (self.merged_literal(p, merged), self.merged_literal(q, merged))
    }

    fn merged_literal(&mut self, p: Pointer, merged: Term) -> Pointer {
        let mut result = p;
        for k in 0..self.t.literals.tails.len() {
            let Tail { object, whole, start } = self.t.literals.tails[k];
            let [object, whole] = [object, whole].map(|object| self.t.object_term(object));
            let start = self.t.offset_term(start);
            let same = self.t.terms.eq(p.object, object);
            let inside = self.t.terms.and(&[same, merged]);
            let moved = self.t.terms.mk(Op::BvAdd, &[p.offset, start]);
            result.object = self.t.terms.ite(inside, whole, result.object);
            result.offset = self.t.terms.ite(inside, moved, result.offset);
        }
        result
    }
}

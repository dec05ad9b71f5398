//! Dangling pointers that are compared: a freed block may be given out again.
//!
//! Each block is an object of its own, and so a pointer to a freed block would differ from all pointers to newer ones. In
//! truth the newer one may lie at the same place. A ghost map `object.freed` says which objects were freed; it is there only
//! if the program may allocate after it has freed, and compares pointers to what it frees with pointers to blocks.

use lariat_program::Loc;
use lariat_term::{Op, Sort, Term};
use rustc_hash::FxHashSet;

use super::{Translator, blocks::all_successors, body::Body, value::Pointer};
use crate::{
    library::{self, EXIT_HANDLERS, Operation},
    memory::{GroupId, Maker, Memory},
    module::{Callee, Const, FuncId, Function, InstId, InstKind, Module, Operand},
};

/// What an instruction may do, or a function with all that it calls.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Effect {
    allocates: bool,
    frees: bool,
}

/// What the program frees.
#[derive(Default)]
struct Freed {
    groups: FxHashSet<GroupId>,
    /// It is not known what.
    anything: bool,
}

fn is_free(module: &Module, f: &Function) -> bool {
    library::operation(module, f).is_some_and(Operation::frees)
}

/// The functions that an instruction may call.
pub(super) fn callees<'a>(
    module: &'a Module,
    memory: &'a Memory,
    f: FuncId,
    i: InstId,
    kind: &'a InstKind,
) -> &'a [FuncId] {
    match kind {
        InstKind::Call { callee: Callee::Function(g), .. } => std::slice::from_ref(g),
        InstKind::Call { callee: Callee::Pointer(Operand::Const(c)), .. }
            if let Const::Function(g) = module.constant(*c) =>
        {
            std::slice::from_ref(g)
        }
        InstKind::Call { .. } => memory.callees(f, i),
        _ => &[],
    }
}

/// The instructions of a module, with their functions.
pub(super) fn instructions(module: &Module) -> impl Iterator<Item = (FuncId, InstId, &InstKind)> {
    module.functions.iter().enumerate().flat_map(|(f, function)| {
        let insts = function.insts.iter().enumerate();
        insts.map(move |(i, inst)| (FuncId(f as u32), InstId(i as u32), &inst.kind))
    })
}

/// Whether memory may be allocated after some has been freed.
fn allocates_again(module: &Module, memory: &Memory) -> bool {
    let own = |f: FuncId, i: InstId, kind: &InstKind| Effect {
        allocates: memory.site(Maker::Heap(f, i)).is_some(),
        frees: callees(module, memory, f, i, kind).iter().any(|g| is_free(module, &module.functions[g.index()])),
    };
    let mut effects = vec![Effect::default(); module.functions.len()];
    let mut callers = vec![Vec::new(); module.functions.len()];
    let mut work = Vec::new();
    for (f, i, kind) in instructions(module) {
        let Effect { allocates, frees } = own(f, i, kind);
        // `realloc` does both.
        if allocates && frees {
            return true;
        }
        if allocates || frees {
            effects[f.index()].allocates |= allocates;
            effects[f.index()].frees |= frees;
            work.push(f);
        }
        callees(module, memory, f, i, kind).iter().for_each(|g| callers[g.index()].push(f));
    }
    while let Some(g) = work.pop() {
        let new = effects[g.index()];
        for &f in &callers[g.index()] {
            let old = &mut effects[f.index()];
            let all = Effect { allocates: old.allocates || new.allocates, frees: old.frees || new.frees };
            if all != *old {
                *old = all;
                work.push(f);
            }
        }
    }
    let any = |which: fn(&Effect) -> bool| effects.iter().any(which);
    if !any(|e| e.frees) || !any(|e| e.allocates) {
        return false;
    }
    // Several functions run one after the other.
    if !module.constructors.is_empty() || !module.destructors.is_empty() || module.function(EXIT_HANDLERS).is_some() {
        return true;
    }
    module.functions.iter().enumerate().any(|(f, function)| {
        let Effect { allocates, frees } = effects[f];
        if !allocates || !frees {
            return false;
        }
        let f = FuncId(f as u32);
        let effect = |i: u32| {
            let kind = &function.insts[i as usize].kind;
            let mut effect = own(f, InstId(i), kind);
            for g in callees(module, memory, f, InstId(i), kind) {
                effect.allocates |= effects[g.index()].allocates;
                effect.frees |= effects[g.index()].frees;
            }
            effect
        };
        // Blocks that are reached after something was freed.
        let mut after = vec![false; function.blocks.len()];
        let mut work: Vec<usize> = Vec::new();
        let next = all_successors(function);
        for (b, block) in function.blocks.iter().enumerate() {
            let mut freed = false;
            for i in block.insts.clone() {
                let effect = effect(i);
                if freed && effect.allocates {
                    return true;
                }
                freed |= effect.frees;
            }
            if freed {
                work.extend(&next[b]);
            }
        }
        while let Some(b) = work.pop() {
            if std::mem::replace(&mut after[b], true) {
                continue;
            }
            if function.blocks[b].insts.clone().any(|i| effect(i).allocates) {
                return true;
            }
            work.extend(&next[b]);
        }
        false
    })
}

fn freed(module: &Module, memory: &Memory) -> Freed {
    let mut freed = Freed::default();
    for (f, i, kind) in instructions(module) {
        let InstKind::Call { args, .. } = kind else { continue };
        let frees = callees(module, memory, f, i, kind).iter().any(|g| is_free(module, &module.functions[g.index()]));
        let Some(&arg) = args.first().filter(|_| frees) else { continue };
        match memory.target(f, arg) {
            Some(target) => _ = freed.groups.insert(target.group),
            None => freed.anything |= memory.address(f, arg).is_some(),
        }
    }
    freed
}

/// Whether an operand may be the address of a block, and of one that the conditions hold for.
fn may_be_block(memory: &Memory, f: FuncId, operand: Operand, groups: Option<&FxHashSet<GroupId>>) -> bool {
    if memory.address(f, operand).is_none() {
        return false;
    }
    let Some(target) = memory.target(f, operand) else { return true };
    let sites = &memory.groups[target.group.index()].sites;
    groups.is_none_or(|groups| groups.contains(&target.group))
        && sites.iter().any(|site| matches!(memory.sites[site.index()].maker, Maker::Heap(..)))
}

impl Translator<'_> {
    /// Finds the comparisons that matter, and declares the map if there are any.
    pub(super) fn declare_freed(&mut self) {
        let (module, memory) = (self.module, self.memory);
        if !allocates_again(module, memory) {
            return;
        }
        let freed = freed(module, memory);
        let groups = Some(&freed.groups).filter(|_| !freed.anything);
        for (f, i, kind) in instructions(module) {
            let &InstKind::IntCompare { lhs, rhs, .. } = kind else { continue };
            let blocks = [lhs, rhs].iter().all(|&o| may_be_block(memory, f, o, None));
            if blocks && [lhs, rhs].iter().any(|&o| may_be_block(memory, f, o, groups)) {
                self.dangling.insert((f, i));
            }
        }
        if !self.dangling.is_empty() {
            let object = self.object_sort();
            let sort = self.terms.array_sort(object, Sort::BOOL);
            self.lifetimes.freed = Some(self.global("object.freed", sort, None, Loc::NONE));
        }
    }
}

impl Body<'_, '_> {
    /// The result of a comparison: either, if one of the objects was freed, and the other one may lie there now.
    pub fn compare_dangling(
        &mut self,
        i: InstId,
        (lhs, p): (Operand, Pointer),
        (rhs, q): (Operand, Pointer),
        result: Term,
    ) -> Term {
        let (Some(f), Some(var)) = (self.func, self.t.lifetimes.freed) else { return result };
        if !self.t.dangling.contains(&(f, i)) {
            return result;
        }
        let map = self.term(var);
        let none = self.t.object_term(0);
        // Where all blocks get rising numbers, only a newer one can lie at the place of an older one.
        let rising = self.rising(lhs) && self.rising(rhs);
        let mut gone = |old: Term, new: Term| {
            let mut parts = vec![self.t.terms.select(map, old)];
            if rising {
                parts.push(self.t.terms.mk(Op::BvUlt, &[old, new]));
            }
            self.t.terms.and(&parts)
        };
        let gone = [gone(p.object, q.object), gone(q.object, p.object)];
        let parts = [
            self.t.terms.ne(p.object, q.object),
            self.t.terms.ne(p.object, none),
            self.t.terms.ne(q.object, none),
            self.t.terms.or(&gone),
        ];
        let odd = self.t.terms.and(&parts);
        if odd == self.t.terms.bool(false) {
            return result;
        }
        // That the place was not given out again is always possible, and exact.
        let reused = self.fresh("reused", Sort::BOOL);
        let odd = self.t.terms.and(&[odd, reused]);
        // What was freed changes later on.
        let now = self.local("dangling", Sort::BOOL);
        self.assign(vec![(now, odd)]);
        let odd = self.term(now);
        self.approximate_if(odd, "a comparison with a pointer to memory that was freed");
        let other = self.t.terms.not(result);
        self.t.terms.ite(odd, other, result)
    }

    /// Whether all objects that an operand may lead to are blocks that get their numbers when they are allocated.
    fn rising(&self, operand: Operand) -> bool {
        self.target(operand).is_some_and(|target| {
            let sites = &self.t.memory.groups[target.group.index()].sites;
            sites.iter().all(|site| {
                let site = &self.t.memory.sites[site.index()];
                matches!(site.maker, Maker::Heap(..)) && !site.single && !site.local
            })
        })
    }
}

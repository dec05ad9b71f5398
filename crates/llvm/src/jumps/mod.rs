//! Non-local jumps: `setjmp` and `longjmp` as plain control flow, before memory is analysed.
//!
//! A *place* is a call of `setjmp` in one activation of its function; it has a number, which the model of `setjmp` puts
//! into the buffer. `longjmp` takes the number from there, and a jump is *under way*. Behind every call that a jump may
//! come out of, execution looks for one: it goes on behind the `setjmp` if that is a place of this activation, or else
//! leaves the function as a return does. The state of a jump is in the hands of the translation; the steps
//! ([`JumpStep`]) are calls here.
//!
//! In: a module with the models linked. Out: the same, where the functions that jumps pass are rewritten. A module in
//! which nothing jumps is left as it is.
//!
//! Which local variables keep their values is decided in `registers`.

mod code;
mod registers;
mod rewrite;

use rustc_hash::FxHashMap;

use crate::{
    library::{self, JumpStep, Operation},
    module::{Callee, Const, FuncId, Function, InstKind, Module, Operand},
};

/// What `__builtin_setjmp` and `__builtin_longjmp` call.
const SET_INTRINSIC: &str = "llvm.eh.sjlj.setjmp";
const JUMP_INTRINSIC: &str = "llvm.eh.sjlj.longjmp";

/// How a call matters for jumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It sets a place.
    Sets,
    /// The intrinsic for it.
    SetsItself,
    /// A jump may come out of it.
    Jumps,
    /// The intrinsic that begins one.
    JumpsItself,
}

/// Makes jumps plain control flow.
pub fn lower(module: &mut Module) {
    let calls = Calls::new(module);
    if !calls.roles.contains(&Some(Role::Jumps)) {
        return;
    }
    for f in 0..module.functions.len() {
        let insts = &module.functions[f].insts;
        let roles: Vec<Option<Role>> = insts.iter().map(|inst| calls.role(module, &inst.kind)).collect();
        if roles.iter().any(Option::is_some) {
            rewrite::function(module, FuncId(f as u32), &roles);
        }
    }
}

/// What calls of each function, and calls through pointers, do.
struct Calls {
    roles: Vec<Option<Role>>,
    /// A function whose address is taken jumps. Which pointers may lead to it is not known yet.
    through_pointers: bool,
}

impl Calls {
    fn new(module: &Module) -> Calls {
        let mut calls = Calls { roles: vec![None; module.functions.len()], through_pointers: false };
        for (role, f) in calls.roles.iter_mut().zip(&module.functions) {
            *role = match f.name.as_str() {
                SET_INTRINSIC => Some(Role::SetsItself),
                JUMP_INTRINSIC => Some(Role::JumpsItself),
                _ if library::operation(module, f) == Some(Operation::Jump(JumpStep::To)) => Some(Role::Jumps),
                _ => None,
            };
        }
        calls.find_setters(module);
        calls.find_jumpers(module);
        calls
    }

    /// The models of `setjmp`: those that ask for their place, themselves or through a function of their own.
    fn find_setters(&mut self, module: &Module) {
        let here = |f: &Function| library::operation(module, f) == Some(Operation::Jump(JumpStep::Here));
        let asks = |f: &Function| direct_callees(f).any(|g| here(&module.functions[g.index()]));
        for (role, f) in self.roles.iter_mut().zip(&module.functions) {
            let known = library::named(&f.name).is_some();
            if known && direct_callees(f).any(|g| asks(&module.functions[g.index()])) {
                *role = Some(Role::Sets);
            }
        }
    }

    /// The functions that a jump may come out of.
    fn find_jumpers(&mut self, module: &Module) {
        let taken: Vec<FuncId> = module.constants.iter().filter_map(address).collect();
        let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        let mut work = Vec::new();
        for (f, function) in module.functions.iter().enumerate() {
            let f = FuncId(f as u32);
            direct_callees(function).for_each(|callee| callers.entry(callee).or_default().push(f));
            if matches!(self.roles[f.index()], Some(Role::Jumps | Role::JumpsItself)) {
                work.push(f);
            }
        }
        while let Some(f) = work.pop() {
            let mut new: Vec<FuncId> = callers.get(&f).cloned().unwrap_or_default();
            if module.destructors.contains(&f) {
                let calls = |g: &&Function| library::operation(module, g) == Some(Operation::Destructors);
                let found = module.functions.iter().position(|g| calls(&g)).map(|g| FuncId(g as u32));
                new.extend(found);
            }
            if taken.contains(&f) && !self.through_pointers {
                self.through_pointers = true;
                let calls = |g: &Function| g.insts.iter().any(|inst| self.role(module, &inst.kind).is_some());
                new.extend(
                    (0..module.functions.len()).filter(|&g| calls(&module.functions[g])).map(|g| FuncId(g as u32)),
                );
            }
            for caller in new {
                if self.roles[caller.index()].is_none() {
                    self.roles[caller.index()] = Some(Role::Jumps);
                    work.push(caller);
                }
            }
        }
    }

    fn role(&self, module: &Module, kind: &InstKind) -> Option<Role> {
        let InstKind::Call { callee, .. } = kind else { return None };
        match callee {
            Callee::Function(f) => self.roles[f.index()],
            Callee::Pointer(Operand::Const(c)) if let Some(f) = address(module.constant(*c)) => self.roles[f.index()],
            Callee::Pointer(_) => self.through_pointers.then_some(Role::Jumps),
            Callee::Asm(..) => None,
        }
    }
}

fn address(constant: &Const) -> Option<FuncId> {
    match constant {
        Const::Function(f) => Some(*f),
        _ => None,
    }
}

fn direct_callees(f: &Function) -> impl Iterator<Item = FuncId> + '_ {
    f.insts.iter().filter_map(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Function(f), .. } => Some(f),
        _ => None,
    })
}

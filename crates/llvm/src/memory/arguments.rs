//! Variable arguments: where a call puts them, and where `va_start` says that they are.
//!
//! clang compiles `va_arg` to what the calling convention asks for; a call and `va_start` are still LLVM's. Both follow
//! one of two conventions here. Mostly, all arguments lie in memory, one behind the other, and `va_start` pretends that all
//! registers are used up: the *overflow area* of x86-64, and all that there is on i386. Where a program takes
//! arguments with an alignment of more than a word, that does not do on x86-64: a call passes an `__int128` as two words,
//! and only if these are in registers is it right that nobody aligns them. Then registers are used as the convention says,
//! and saved before the overflow area.

use crate::module::{Callee, Function, InstKind, Module, Param, TypeId, TypeKind};

/// How variable arguments are passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Convention {
    /// All in memory.
    #[default]
    Memory,
    /// The first ones in the registers of x86-64, which are saved.
    Registers,
}

/// A variable argument as LLVM passes it.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its type.
    pub ty: TypeId,
    /// Passed by a hidden copy of this type.
    pub byval: Option<TypeId>,
    /// The alignment of that copy.
    pub align: u32,
}

/// What `va_start` writes into a list, beside the address of the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// How many bytes of the saved integer registers are used up.
    pub integers: u32,
    /// The same for the saved floating-point registers, which lie behind.
    pub floats: u32,
    /// Where the overflow area starts.
    pub overflow: u64,
}

/// The sizes of the saved registers of x86-64: six of 8 bytes, eight of 16.
const INTEGERS: u32 = 48;
const FLOATS: u32 = 176;
/// Where the overflow area starts: aligned to whatever an argument may want.
const OVERFLOW: u64 = 256;

/// The places that arguments have been given so far.
struct Places {
    convention: Convention,
    word: u64,
    start: Start,
}

impl Convention {
    /// The convention that a module needs.
    pub fn new(module: &Module, reachable: &[bool]) -> Convention {
        let masks: Vec<bool> = module.functions.iter().map(|f| f.name.starts_with("llvm.ptrmask.")).collect();
        let aligns = |f: &Function| {
            f.insts.iter().any(|inst| match inst.kind {
                InstKind::Call { callee: Callee::Function(callee), .. } => masks[callee.index()],
                _ => false,
            })
        };
        let mut running = module.functions.iter().zip(reachable).filter(|(_, reached)| **reached).map(|(f, _)| f);
        match module.pointer_bits == 64 && masks.contains(&true) && running.any(aligns) {
            true => Convention::Registers,
            false => Convention::Memory,
        }
    }

    /// Where the variable arguments of a call of a function start.
    pub fn start(self, module: &Module, function: &Function) -> Start {
        self.named(module, function).start
    }

    /// Where the variable arguments of a call lie in their object ([`super::Maker::VarArgs`]), and how large it is.
    pub fn places(self, module: &Module, function: &Function, args: &[Variable]) -> (Vec<u64>, u64) {
        let mut places = self.named(module, function);
        let all = args.iter().map(|&arg| places.next(module, arg)).collect();
        (all, places.start.overflow)
    }

    fn named(self, module: &Module, function: &Function) -> Places {
        let word = u64::from(module.pointer_bits / 8).max(1);
        if self == Convention::Memory {
            let start = Start { integers: INTEGERS, floats: FLOATS, overflow: 0 };
            return Places { convention: self, word, start };
        }
        let start = Start { integers: 0, floats: INTEGERS, overflow: OVERFLOW };
        let mut places = Places { convention: self, word, start };
        for &Param { ty, byval, align, .. } in &function.params {
            places.next(module, Variable { ty, byval, align });
        }
        places
    }
}

impl Places {
    fn next(&mut self, module: &Module, arg: Variable) -> u64 {
        if arg.byval.is_none() && self.convention == Convention::Registers {
            let taken = match registers(module, arg.ty) {
                Some((count, true)) => take(&mut self.start.floats, count * 16, FLOATS),
                Some((count, false)) => take(&mut self.start.integers, count * 8, INTEGERS),
                None => None,
            };
            if let Some(at) = taken {
                return at;
            }
        }
        let ty = module.ty(arg.byval.unwrap_or(arg.ty));
        let align = match arg.byval {
            Some(_) => u64::from(arg.align),
            // On i386 only vectors are aligned.
            None if self.word == 8 || matches!(ty.kind, TypeKind::Vector(..)) => u64::from(ty.align),
            None => self.word,
        };
        let at = self.start.overflow.next_multiple_of(align.max(self.word));
        self.start.overflow = at + ty.size.max(ty.store_size).next_multiple_of(self.word);
        at
    }
}

/// Takes so many bytes of saved registers, if they are left.
fn take(used: &mut u32, bytes: u32, all: u32) -> Option<u64> {
    if *used + bytes > all {
        return None;
    }
    let at = *used;
    *used += bytes;
    Some(u64::from(at))
}

/// How many registers of x86-64 hold a value of a type, and whether they are those of floats; `None` if memory does.
fn registers(module: &Module, ty: TypeId) -> Option<(u32, bool)> {
    match module.ty(ty).kind {
        TypeKind::Ptr => Some((1, false)),
        TypeKind::Int(bits) if bits <= 64 => Some((1, false)),
        TypeKind::Int(bits) if bits <= 128 => Some((2, false)),
        TypeKind::Float(crate::module::FloatKind::X86Extended) => None,
        TypeKind::Float(_) => Some((1, true)),
        TypeKind::Vector(..) if module.ty(ty).size <= 16 => Some((1, true)),
        _ => None,
    }
}

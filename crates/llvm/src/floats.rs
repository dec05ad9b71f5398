//! Does a program see the bit patterns of floats?
//!
//! Numbers have one bit pattern each, NaN has many: with a sign, a payload, quiet and signalling. A value that only moves
//! keeps its pattern. As long as nothing looks at patterns, one NaN is as good as another, and a float can be a float of
//! the solver. A program looks at them where it reads memory as a float and as something else, casts bits, or asks for
//! the sign of what may be a NaN.

use crate::{
    library::{self, FloatFunction, Operation},
    memory::{Content, Maker, Memory, leaves},
    module::{Callee, CastOp, Const, FuncId, Function, InstKind, Module, Operand, TypeId, TypeKind},
};

/// Whether a module can tell the NaNs apart. Only functions that `reachable` says (by index) can run are looked at.
pub fn bits_seen(module: &Module, memory: &Memory, reachable: &[bool]) -> bool {
    let has_floats = module.types.iter().any(|ty| matches!(ty.kind, TypeKind::Float(_)));
    has_floats
        && (0..module.functions.len() as u32).map(FuncId).any(|f| {
            let function = &module.functions[f.index()];
            reachable[f.index()] && (asks_for_sign(module, function) || sees_bits(module, memory, f, function))
        })
}

fn asks_for_sign(module: &Module, function: &Function) -> bool {
    if ["__CPROVER_sign", "__ESBMC_sign"].iter().any(|prefix| function.name.starts_with(prefix)) {
        return true;
    }
    match function.name.strip_prefix("llvm.") {
        Some(intrinsic) => FloatFunction::of_intrinsic(intrinsic.split('.').next().unwrap_or("")),
        None => match library::operation(module, function) {
            Some(Operation::Float(function)) => Some(function),
            _ => None,
        },
    }
    .is_some_and(FloatFunction::sees_sign)
}

fn sees_bits(module: &Module, memory: &Memory, f: FuncId, function: &Function) -> bool {
    let type_of = |operand: Operand| match operand {
        Operand::Inst(inst) => Some(function.inst(inst).ty),
        Operand::Param(i) => function.params.get(i as usize).map(|param| param.ty),
        _ => None,
    };
    function.insts.iter().any(|inst| match &inst.kind {
        InstKind::Load { ptr, .. } => accesses_mixed(module, memory, f, *ptr, inst.ty),
        InstKind::Store { ptr, ty, .. } => accesses_mixed(module, memory, f, *ptr, *ty),
        InstKind::Cast { op: CastOp::Bitcast, value } => {
            type_of(*value).is_some_and(|from| floats(module, from) != floats(module, inst.ty))
        }
        InstKind::Call { callee: Callee::Function(callee), args, arg_types, .. } => {
            let callee_function = &module.functions[callee.index()];
            if callee_function.name.starts_with("llvm.is.fpclass.") {
                return tells_nans_apart(module, args);
            }
            let passed = arg_types.get(callee_function.params.len()..).unwrap_or_default();
            callee_function.varargs
                && passed.iter().any(|&ty| !floats(module, ty).is_empty())
                && mixed_arguments(memory, *callee)
        }
        InstKind::Call { callee: Callee::Pointer(_), ty, arg_types, .. } => {
            matches!(module.ty(*ty).kind, TypeKind::Function(_, _, true))
                && arg_types.iter().any(|&ty| !floats(module, ty).is_empty())
                && (0..module.functions.len() as u32).any(|callee| mixed_arguments(memory, FuncId(callee)))
        }
        _ => false,
    })
}

/// Whether a test of classes of floats asks for quiet or for signalling NaNs alone.
fn tells_nans_apart(module: &Module, args: &[Operand]) -> bool {
    let Some(&Operand::Const(mask)) = args.get(1) else { return true };
    match module.constant(mask) {
        Const::Int(_, words) => words.first().is_none_or(|word| matches!(word & 0b11, 1 | 2)),
        _ => true,
    }
}

/// The floats in a value of a type, with the bytes at which they start.
fn floats(module: &Module, ty: TypeId) -> Vec<(u64, TypeId)> {
    let all = leaves(module, ty).unwrap_or_default();
    all.into_iter().filter(|(_, leaf)| matches!(module.ty(*leaf).kind, TypeKind::Float(_))).collect()
}

/// Whether an access touches floats in memory that is accessed as something else, too.
fn accesses_mixed(module: &Module, memory: &Memory, f: FuncId, ptr: Operand, ty: TypeId) -> bool {
    let Some(target) = memory.target(f, ptr) else { return false };
    floats(module, ty).into_iter().any(|(at, leaf)| {
        let mut here = target;
        here.offset = here.offset.wrapping_add_unsigned(at);
        let cells = memory.cells(here, Some(module.ty(leaf).store_size));
        cells.iter().any(|cell| matches!(memory.cells[cell.index()].content, Content::Units(_)))
    })
}

/// Whether some variable arguments of a function are read as another type than they are passed.
fn mixed_arguments(memory: &Memory, f: FuncId) -> bool {
    let Some(site) = memory.site(Maker::VarArgs(f)) else { return false };
    let group = &memory.groups[memory.sites[site.index()].group.index()];
    group.cells.iter().any(|cell| matches!(memory.cells[cell.index()].content, Content::Units(_)))
}

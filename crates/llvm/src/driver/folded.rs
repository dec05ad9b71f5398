//! Undefined operations that LLVM IR does not show: in constants that clang computes, and in wide distances of shifts.
//!
//! The result of `2147483647 + 1` is a plain constant in LLVM IR. With traps for signed overflow it is not: clang then
//! leaves the operation to run time, at the place where it is executed. Only in an initialiser of a whole array or
//! structure it still computes it, with a warning; but it warns of what is never executed, too. `1 / 0` and `1 << 32`
//! are `poison`, and a distance of a shift is cut to the type of what is shifted.

use super::ignored;
use crate::module::{BinaryOp, Callee, CastOp, FuncId, InstKind, Loc, Module, Operand, TypeKind};

/// A place that clang names: the last part of the file's name, line and column.
pub(super) type WarningLoc = (String, u32, u32);

/// Whether the distance of a shift has been cut to the type of what is shifted, by clang or by the program.
pub(super) fn has_wide_shift(module: &Module) -> bool {
    module.functions.iter().any(|f| {
        f.insts.iter().any(|inst| match inst.kind {
            InstKind::Binary {
                op: BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, rhs: Operand::Inst(by), ..
            } => {
                matches!(f.inst(by).kind, InstKind::Cast { op: CastOp::Trunc, .. })
            }
            _ => false,
        })
    })
}

/// Whether clang has put a trap anywhere.
pub(super) fn has_traps(module: &Module) -> bool {
    module.functions.iter().any(|f| f.name.starts_with("llvm.ubsantrap"))
}

/// The places of a module with traps where an undefined operation does not depend on what the program computes.
pub(super) fn visible(module: &Module) -> Vec<WarningLoc> {
    let constant = |operand: &Operand| matches!(operand, Operand::Const(_));
    let all = module.functions.iter().flat_map(|f| &f.insts).filter(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Function(f), args, .. } => {
            let name = &module.functions[f.index()].name;
            name.starts_with("llvm.s") && name.contains(".with.overflow.") && args.iter().all(constant)
        }
        // For other operations the condition itself has been computed.
        InstKind::Branch { cond, .. } => constant(cond),
        _ => false,
    });
    all.map(|inst| place(module, inst.loc)).collect()
}

/// The places of clang's warnings.
pub(super) fn warnings(messages: &str) -> Vec<WarningLoc> {
    let place = |line: &str| {
        let mut parts = line.split_once(": warning: ")?.0.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        Some((last_part(file), line.parse().ok()?, column.parse().ok()?))
    };
    messages.lines().filter(|line| !ignored::is_warning(line)).filter_map(place).collect()
}

/// The functions around these places that may initialise a whole array or structure.
pub(super) fn functions(module: &Module, places: &[WarningLoc]) -> Vec<FuncId> {
    let whole = |kind: &InstKind| match kind {
        InstKind::Alloca { ty, .. } => matches!(module.ty(*ty).kind, TypeKind::Array(..) | TypeKind::Struct(_)),
        _ => false,
    };
    let around = |f: &FuncId| {
        let function = &module.functions[f.index()];
        let (file, first, _) = place(module, function.loc);
        let last = function.insts.iter().map(|inst| inst.loc.line).max().unwrap_or(0);
        places.iter().any(|place| place.0 == file && (first..=last).contains(&place.1))
            && function.insts.iter().any(|inst| whole(&inst.kind))
    };
    if places.is_empty() {
        return Vec::new();
    }
    (0..module.functions.len() as u32).map(FuncId).filter(around).collect()
}

fn place(module: &Module, loc: Loc) -> WarningLoc {
    (module.files.get(loc.file as usize).map_or(String::new(), |file| last_part(file)), loc.line, loc.column)
}

fn last_part(file: &str) -> String {
    file.rsplit('/').next().unwrap_or_default().to_owned()
}

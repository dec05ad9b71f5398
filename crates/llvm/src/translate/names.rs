//! Names of variables: unique in the program, and as in the source where there is one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    memory::{CellId, Content, Maker, Memory, Representation},
    module::{CastOp, DebugVarId, FuncId, InstId, InstKind, Loc, Module, Operand, TypeKind},
    trace::path,
};

/// Names in use and the source variables of stack slots.
pub struct Names {
    used: FxHashSet<String>,
    next: FxHashMap<String, u32>,
    slots: FxHashMap<(FuncId, InstId), DebugVarId>,
    params: FxHashMap<(FuncId, u32), DebugVarId>,
}

impl Names {
    /// Finds out which stack slots and parameters are variables of the source.
    pub fn new(module: &Module) -> Names {
        let (mut slots, mut params) = (FxHashMap::default(), FxHashMap::default());
        for (f, function) in module.functions.iter().enumerate() {
            let f = FuncId(f as u32);
            for inst in &function.insts {
                match inst.kind {
                    InstKind::DebugValue { var, value: Operand::Inst(slot), address: true } => {
                        slots.entry((f, slot)).or_insert(var);
                    }
                    InstKind::DebugValue { var, value: Operand::Param(i), .. } => {
                        params.entry((f, i)).or_insert(var);
                    }
                    _ => {}
                }
            }
            for inst in &function.insts {
                // A `_Bool` is made a byte before it is stored.
                let param = |value: Operand| match value {
                    Operand::Param(i) => Some(i),
                    Operand::Inst(made) => match function.insts[made.index()].kind {
                        InstKind::Cast { op: CastOp::ZExt, value: Operand::Param(i) } => Some(i),
                        _ => None,
                    },
                    _ => None,
                };
                if let InstKind::Store { ptr: Operand::Inst(slot), value, .. } = inst.kind
                    && let Some(i) = param(value)
                    && let Some(&var) = slots.get(&(f, slot))
                {
                    params.entry((f, i)).or_insert(var);
                }
            }
        }
        Names { used: FxHashSet::default(), next: FxHashMap::default(), slots, params }
    }

    /// The variable of the source that lives in a stack slot.
    pub fn slot(&self, f: FuncId, slot: InstId) -> Option<DebugVarId> {
        self.slots.get(&(f, slot)).copied()
    }

    /// The variable of the source that is a parameter.
    pub fn param(&self, f: FuncId, param: u32) -> Option<DebugVarId> {
        self.params.get(&(f, param)).copied()
    }

    /// The name itself if nothing has it, else the name with a number.
    pub fn unique(&mut self, name: &str) -> String {
        if self.used.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(1);
        loop {
            *next += 1;
            let candidate = format!("{name}.{next}");
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }

    /// The name of a variable of a cell, its name in the source, and where it is declared.
    pub fn cell(
        &self,
        module: &Module,
        memory: &Memory,
        cell: CellId,
        part: usize,
        parts: usize,
    ) -> (String, Option<String>, Loc) {
        let info = &memory.cells[cell.index()];
        let pointer = matches!(info.content, Content::Value(ty) if module.ty(ty).kind == TypeKind::Ptr);
        let suffix = match (pointer, part) {
            (true, 0) => ".object",
            (true, _) => ".offset",
            _ => "",
        };
        let (Representation::Scalar(site) | Representation::Object(site)) = info.place else {
            return (format!("memory{}.{}{suffix}", info.group.0, info.offset), None, Loc::default());
        };
        let (prefix, debug, symbol) = match memory.sites[site.index()].maker {
            Maker::Global(g) => {
                let global = &module.globals[g.index()];
                (String::new(), global.debug, global.name.clone())
            }
            Maker::Alloca(f, slot) => {
                let name = format!("slot{}", slot.0);
                (format!("{}.", module.functions[f.index()].name), self.slot(f, slot), name)
            }
            _ => (String::new(), None, format!("memory{}", info.group.0)),
        };
        let at = info.offset.saturating_sub(memory.sites[site.index()].start).max(0) as u64;
        let Some(debug) = debug.map(|d| &module.debug_vars[d.index()]) else {
            let offset = if at == 0 { String::new() } else { format!(".{at}") };
            return (format!("{prefix}{symbol}{offset}{suffix}"), None, Loc::default());
        };
        let path = match (info.place, info.content) {
            (Representation::Scalar(_), Content::Value(_)) => path(&module.debug_types, debug.ty, at),
            (Representation::Scalar(_), Content::Units(_)) if parts == 1 => path(&module.debug_types, debug.ty, at),
            (Representation::Scalar(_), Content::Units(bytes)) => {
                format!("{}", Bytes(at + part as u64 * u64::from(bytes)))
            }
            _ => {
                let member = path(&module.debug_types, debug.ty, at);
                if at == 0 || !member.starts_with('.') { String::new() } else { member }
            }
        };
        let source = format!("{}{path}", debug.name);
        (format!("{prefix}{source}{suffix}"), Some(format!("{source}{suffix}")), debug.loc)
    }
}

struct Bytes(u64);

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}", self.0)
    }
}

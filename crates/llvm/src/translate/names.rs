//! Names of variables: unique in the program, and as in the source where there is one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    memory::{CellId, Content, Maker, Memory, Place},
    module::{DebugTypeId, DebugTypeKind, DebugVarId, FuncId, InstId, InstKind, Loc, Module, Operand, TypeKind},
};

/// Names in use and the source variables of stack slots.
pub struct Names {
    used: FxHashSet<String>,
    next: FxHashMap<String, u32>,
    slots: FxHashMap<(FuncId, InstId), DebugVarId>,
}

impl Names {
    /// Finds out which stack slots are variables of the source.
    pub fn new(module: &Module) -> Names {
        let mut slots = FxHashMap::default();
        for (i, f) in module.functions.iter().enumerate() {
            for inst in &f.insts {
                if let InstKind::DebugValue { var, value: Operand::Inst(slot), address: true } = inst.kind {
                    slots.entry((FuncId(i as u32), slot)).or_insert(var);
                }
            }
        }
        Names { used: FxHashSet::default(), next: FxHashMap::default(), slots }
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
        let (Place::Scalar(site) | Place::Object(site)) = info.place else {
            return (format!("memory{}.{}{suffix}", info.group.0, info.offset), None, Loc::default());
        };
        let (prefix, debug, symbol) = match memory.sites[site.index()].maker {
            Maker::Global(g) => {
                let global = &module.globals[g.index()];
                (String::new(), global.debug, global.name.clone())
            }
            Maker::Alloca(f, slot) => {
                let name = format!("slot{}", slot.0);
                (format!("{}.", module.functions[f.index()].name), self.slots.get(&(f, slot)).copied(), name)
            }
            _ => (String::new(), None, format!("memory{}", info.group.0)),
        };
        let at = info.offset.saturating_sub(memory.sites[site.index()].start).max(0) as u64;
        let Some(debug) = debug.map(|d| &module.debug_vars[d.index()]) else {
            let offset = if at == 0 { String::new() } else { format!(".{at}") };
            return (format!("{prefix}{symbol}{offset}{suffix}"), None, Loc::default());
        };
        let path = match (info.place, info.content) {
            (Place::Scalar(_), Content::Value(_)) => path(module, debug.ty, at),
            (Place::Scalar(_), Content::Units(_)) if parts == 1 => path(module, debug.ty, at),
            (Place::Scalar(_), Content::Units(bytes)) => {
                format!("{}", Bytes(at + part as u64 * u64::from(bytes)))
            }
            _ => {
                let member = path(module, debug.ty, at);
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

/// The member of a type at a byte offset, as C writes it.
fn path(module: &Module, ty: Option<DebugTypeId>, offset: u64) -> String {
    let mut text = String::new();
    let mut rest = offset * 8;
    let mut ty = ty;
    for _ in 0..100 {
        let Some(id) = ty else { break };
        let debug = &module.debug_types[id.index()];
        match &debug.kind {
            DebugTypeKind::Alias(inner) => ty = *inner,
            DebugTypeKind::Struct(members) | DebugTypeKind::Union(members) => {
                let Some((name, inner, start)) = members.iter().rev().find(|(_, _, start)| *start <= rest) else {
                    break;
                };
                if !name.is_empty() {
                    text.push('.');
                    text.push_str(name);
                }
                rest -= start;
                ty = *inner;
            }
            DebugTypeKind::Array(inner, _) => {
                let size = inner.map_or(0, |inner| bits(module, inner));
                if size == 0 {
                    break;
                }
                text.push_str(&format!("[{}]", rest / size));
                rest %= size;
                ty = *inner;
            }
            _ => break,
        }
    }
    if rest >= 8 {
        text.push_str(&format!("@{}", rest / 8));
    }
    text
}

fn bits(module: &Module, ty: DebugTypeId) -> u64 {
    let mut ty = ty;
    for _ in 0..100 {
        let debug = &module.debug_types[ty.index()];
        match debug.kind {
            DebugTypeKind::Alias(Some(inner)) if debug.bits == 0 => ty = inner,
            _ => return debug.bits,
        }
    }
    0
}

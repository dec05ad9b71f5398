//! What the debug information says about the source: files, places, variables and their types.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Copier;
use super::raw::{Meta, MetaKind, MetaOperand};
use crate::module::{
    DebugType, DebugTypeId, DebugTypeKind, DebugVar, DebugVarId, Function, Gep, InstKind, Loc, Member, Operand, ScopeId,
};

/// What was seen so far.
#[derive(Default)]
pub(super) struct Debug<'s> {
    /// Files by scope or file node.
    files: FxHashMap<Meta<'s>, Option<u32>>,
    file_names: FxHashMap<String, u32>,
    vars: FxHashMap<Meta<'s>, DebugVarId>,
    types: FxHashMap<Meta<'s>, DebugTypeId>,
    scopes: FxHashMap<Meta<'s>, ScopeId>,
    last: Option<(Meta<'s>, Loc)>,
}

/// Kinds of type by DWARF's numbers.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUM: u16 = 0x04;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCT: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// The places of operands in nodes, as LLVM lays them out.
mod place {
    pub const TYPE_NAME: usize = 2;
    pub const TYPE_BASE: usize = 3;
    pub const TYPE_ELEMENTS: usize = 4;
    pub const BLOCK_SCOPE: usize = 1;
    pub const VARIABLE_SCOPE: usize = 0;
    pub const VARIABLE_NAME: usize = 1;
    pub const VARIABLE_TYPE: usize = 3;
    pub const LABEL_NAME: usize = 1;
    pub const SUBPROGRAM_NAME: usize = 2;
    pub const SUBPROGRAM_TYPE: usize = 4;
    pub const SUBROUTINE_TYPES: usize = 3;
    pub const SUBRANGE_COUNT: usize = 0;
    pub const ENUMERATOR_NAME: usize = 0;
}

impl<'s> Copier<'s> {
    /// Where something stands. The scope of a location is the innermost one: what is inlined is shown where it
    /// is written, not where it is called.
    pub(super) fn loc(&mut self, location: Meta<'s>) -> Loc {
        if let Some((last, loc)) = self.debug.last
            && last == location
        {
            return loc;
        }
        let Some((line, column, scope)) = location.location() else { return Loc::default() };
        let loc = match scope.and_then(|s| self.file(s)) {
            Some(file) => Loc { file, line, column, scope: scope.map_or(ScopeId::NONE, |s| self.scope(s)) },
            None => Loc::default(),
        };
        self.debug.last = Some((location, loc));
        loc
    }

    /// Where a subprogram or variable is declared.
    pub(super) fn declared_at(&mut self, node: Meta<'s>, file: Option<Meta<'s>>) -> Loc {
        match file.and_then(|f| self.file(f)) {
            Some(file) => Loc { file, line: node.line(), column: 0, scope: ScopeId::NONE },
            None => Loc::default(),
        }
    }

    /// The block that a scope is or lies in.
    fn scope(&mut self, scope: Meta<'s>) -> ScopeId {
        let mut waiting = Vec::new();
        let mut next = Some(scope);
        let mut outer = ScopeId::NONE;
        while let Some(node) = next {
            if !matches!(node.kind(), MetaKind::LexicalBlock | MetaKind::LexicalBlockFile) {
                break;
            }
            // A block that is met again while it waits lies in itself: wrong, and nothing is known of it.
            match self.debug.scopes.insert(node, ScopeId::NONE) {
                Some(known) => {
                    self.debug.scopes.insert(node, known);
                    outer = known;
                    break;
                }
                None => waiting.push(node),
            }
            next = meta(&node.operands(), place::BLOCK_SCOPE);
        }
        for node in waiting.into_iter().rev() {
            // A change of the file is no block of its own.
            if node.kind() == MetaKind::LexicalBlock {
                self.module.scopes.push(outer);
                outer = ScopeId(self.module.scopes.len() as u32);
            }
            self.debug.scopes.insert(node, outer);
        }
        outer
    }

    fn file(&mut self, scope: Meta<'s>) -> Option<u32> {
        if let Some(file) = self.debug.files.get(&scope) {
            return *file;
        }
        let node = if scope.kind() == MetaKind::File { Some(scope) } else { scope.scope_file() };
        let number = node.and_then(Meta::file_name).map(|name| {
            let files = &mut self.module.files;
            *self.debug.file_names.entry(name.clone()).or_insert_with(|| {
                files.push(name);
                files.len() as u32 - 1
            })
        });
        self.debug.files.insert(scope, number);
        number
    }

    /// A variable.
    pub(super) fn debug_var(&mut self, node: Meta<'s>) -> Option<DebugVarId> {
        if let Some(id) = self.debug.vars.get(&node) {
            return Some(*id);
        }
        if !matches!(node.kind(), MetaKind::LocalVariable | MetaKind::GlobalVariable) {
            return None;
        }
        let operands = node.operands();
        let name = string(&operands, place::VARIABLE_NAME);
        let ty = meta(&operands, place::VARIABLE_TYPE).map(|t| self.debug_type(t));
        let mut loc = self.declared_at(node, node.variable_file());
        if node.kind() == MetaKind::LocalVariable {
            loc.scope = meta(&operands, place::VARIABLE_SCOPE).map_or(ScopeId::NONE, |s| self.scope(s));
        }
        let id = DebugVarId(self.module.debug_vars.len() as u32);
        self.module.debug_vars.push(DebugVar { name, ty, loc, parameter: false });
        self.debug.vars.insert(node, id);
        Some(id)
    }

    /// The name of a label.
    pub(super) fn debug_label(&self, node: Meta<'s>) -> Option<String> {
        (node.kind() == MetaKind::Label).then(|| string(&node.operands(), place::LABEL_NAME))
    }

    /// The name of a subprogram.
    pub(super) fn subprogram_name(&self, node: Meta<'s>) -> Option<String> {
        (node.kind() == MetaKind::Subprogram).then(|| string(&node.operands(), place::SUBPROGRAM_NAME))
    }

    /// What a subprogram returns; `None` for nothing.
    pub(super) fn result_type(&mut self, node: Meta<'s>) -> Option<DebugTypeId> {
        if node.kind() != MetaKind::Subprogram {
            return None;
        }
        let ty = meta(&node.operands(), place::SUBPROGRAM_TYPE)?;
        let ty = self.debug_type(ty);
        match self.module.debug_types[ty.index()].kind {
            DebugTypeKind::Function(result) => result,
            _ => None,
        }
    }

    /// Marks the variables that are parameters. LLVM's interface has no question for it, but clang stores each
    /// parameter into its variable's place, or lets the variable live where the parameter points to.
    pub(super) fn mark_parameters(&mut self, function: &Function) {
        let mut filled = FxHashSet::default();
        for inst in &function.insts {
            if let InstKind::Store { ptr: Operand::Inst(mut place), value: Operand::Param(_), .. } = inst.kind {
                // A structure comes in pieces. Code that is never reached may go in circles, so only a few steps.
                for _ in 0..8 {
                    if let InstKind::Gep(Gep { base: Operand::Inst(base), .. }) = &function.inst(place).kind {
                        place = *base;
                    }
                }
                filled.insert(place);
            }
        }
        for inst in &function.insts {
            if let InstKind::DebugValue { var, value, .. } = inst.kind {
                let parameter = match value {
                    Operand::Param(_) => true,
                    Operand::Inst(place) => filled.contains(&place),
                    _ => false,
                };
                self.module.debug_vars[var.index()].parameter |= parameter;
            }
        }
    }

    /// A type. Types refer to each other in circles, so each gets its number before its parts are looked at.
    fn debug_type(&mut self, node: Meta<'s>) -> DebugTypeId {
        if let Some(id) = self.debug.types.get(&node) {
            return *id;
        }
        let id = self.reserve_type(node);
        let mut waiting = vec![(node, id)];
        while let Some((node, id)) = waiting.pop() {
            let ty = self.copy_debug_type(node, &mut waiting);
            self.module.debug_types[id.index()] = ty;
        }
        id
    }

    fn reserve_type(&mut self, node: Meta<'s>) -> DebugTypeId {
        let id = self.push_type(DebugType { name: String::new(), kind: DebugTypeKind::Other, bits: 0 });
        self.debug.types.insert(node, id);
        id
    }

    fn push_type(&mut self, ty: DebugType) -> DebugTypeId {
        let id = DebugTypeId(self.module.debug_types.len() as u32);
        self.module.debug_types.push(ty);
        id
    }

    fn copy_debug_type(&mut self, node: Meta<'s>, waiting: &mut Vec<(Meta<'s>, DebugTypeId)>) -> DebugType {
        let operands = node.operands();
        let name = string(&operands, place::TYPE_NAME);
        let (bits, _) = node.type_bits();
        let mut part = |copier: &mut Self, node: Option<Meta<'s>>| -> Option<DebugTypeId> {
            let node = node?;
            if let Some(id) = copier.debug.types.get(&node) {
                return Some(*id);
            }
            let id = copier.reserve_type(node);
            waiting.push((node, id));
            Some(id)
        };
        let base = meta(&operands, place::TYPE_BASE);
        let elements = || {
            meta(&operands, place::TYPE_ELEMENTS)
                .map_or_else(Vec::new, |e| e.operands().iter().filter_map(node_of).collect())
        };
        let kind = match (node.kind(), node.tag()) {
            (MetaKind::BasicType, _) => basic_kind(&node.text()),
            (MetaKind::DerivedType, tag::POINTER) => DebugTypeKind::Pointer(part(self, base)),
            (MetaKind::DerivedType, tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC) => {
                DebugTypeKind::Alias(part(self, base))
            }
            (MetaKind::CompositeType, tag @ (tag::STRUCT | tag::CLASS | tag::UNION)) => {
                let mut members = Vec::new();
                for member in elements() {
                    if member.kind() == MetaKind::DerivedType {
                        let operands = member.operands();
                        let ty = part(self, meta(&operands, place::TYPE_BASE));
                        let (bits, start) = member.type_bits();
                        members.push(Member { name: string(&operands, place::TYPE_NAME), ty, start, bits });
                    }
                }
                if tag == tag::UNION { DebugTypeKind::Union(members) } else { DebugTypeKind::Struct(members) }
            }
            (MetaKind::CompositeType, tag::ARRAY) => {
                // `int a[2][3]` is one node with two ranges; here it is an array of arrays.
                let counts: Vec<Option<u64>> = elements().into_iter().map(subrange_count).collect();
                let mut inner = part(self, base);
                let mut inner_bits = bits;
                for count in &counts {
                    inner_bits = inner_bits.checked_div(count.unwrap_or(0)).unwrap_or(0);
                }
                for count in counts.iter().skip(1).rev() {
                    inner_bits = inner_bits.saturating_mul(count.unwrap_or(0));
                    let kind = DebugTypeKind::Array(inner, *count);
                    inner = Some(self.push_type(DebugType { name: String::new(), kind, bits: inner_bits }));
                }
                DebugTypeKind::Array(inner, counts.first().copied().flatten())
            }
            (MetaKind::CompositeType, tag::ENUM) => {
                DebugTypeKind::Enum(elements().into_iter().filter_map(enumerator).collect())
            }
            (MetaKind::SubroutineType, _) => {
                // The result comes first; nothing stands there for void.
                let types = meta(&operands, place::SUBROUTINE_TYPES).map_or_else(Vec::new, |types| types.operands());
                DebugTypeKind::Function(part(self, meta(&types, 0)))
            }
            _ => DebugTypeKind::Other,
        };
        DebugType { name, kind, bits }
    }

    /// Gives names for types the sizes of what they stand for.
    /// What OpenMP makes of a loop (`.omp.iv`, private copies of variables) is read once more behind the block that it is declared in.
    pub(super) fn finish_debug(&mut self) {
        let module = &mut self.module;
        let loops = module.debug_vars.iter().filter(|var| var.name.starts_with(".omp.")).map(|var| var.loc.scope);
        let loops: Vec<ScopeId> = loops.filter(|&scope| scope != ScopeId::NONE).collect();
        for var in module.debug_vars.iter_mut().filter(|var| loops.contains(&var.loc.scope)) {
            var.loc.scope = module.scopes[var.loc.scope.0 as usize - 1];
        }
        let types = &mut self.module.debug_types;
        let mut chain = Vec::new();
        for start in 0..types.len() {
            let mut current = start;
            while let (DebugTypeKind::Alias(Some(next)), 0) = (&types[current].kind, types[current].bits) {
                chain.push(current);
                if chain.len() > types.len() {
                    break;
                }
                current = next.index();
            }
            let bits = types[current].bits;
            for link in chain.drain(..) {
                types[link].bits = bits;
            }
        }
    }
}

fn node_of<'s>(operand: &MetaOperand<'s>) -> Option<Meta<'s>> {
    match operand {
        MetaOperand::Meta(node) => Some(*node),
        _ => None,
    }
}

fn meta<'s>(operands: &[MetaOperand<'s>], index: usize) -> Option<Meta<'s>> {
    operands.get(index).and_then(node_of)
}

fn string(operands: &[MetaOperand<'_>], index: usize) -> String {
    meta(operands, index).and_then(Meta::string).unwrap_or_default()
}

fn subrange_count(node: Meta<'_>) -> Option<u64> {
    if node.kind() != MetaKind::Subrange {
        return None;
    }
    match node.operands().get(place::SUBRANGE_COUNT) {
        Some(MetaOperand::Value(v)) => u64::try_from(v.signed()?).ok(),
        _ => None,
    }
}

/// Name and value of a constant of an enumeration. Only the text has the value.
fn enumerator(node: Meta<'_>) -> Option<(String, i64)> {
    if node.kind() != MetaKind::Enumerator {
        return None;
    }
    let text = node.text();
    let digits = text.rsplit_once("value: ")?.1;
    let end = digits.find([',', ')']).unwrap_or(digits.len());
    let value = digits[..end].parse::<i128>().ok()? as i64;
    Some((string(&node.operands(), place::ENUMERATOR_NAME), value))
}

/// Only the text has the encoding.
fn basic_kind(text: &str) -> DebugTypeKind {
    let encoding = text.rsplit_once("encoding: DW_ATE_").map_or("", |(_, e)| e);
    let end = encoding.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(encoding.len());
    match &encoding[..end] {
        "signed" | "signed_fixed" => DebugTypeKind::Signed,
        "unsigned" | "unsigned_fixed" | "UTF" => DebugTypeKind::Unsigned,
        "signed_char" => DebugTypeKind::Char { signed: true },
        "unsigned_char" => DebugTypeKind::Char { signed: false },
        "boolean" => DebugTypeKind::Bool,
        "float" => DebugTypeKind::Float,
        _ => DebugTypeKind::Other,
    }
}

//! The body of a function while it is changed: instructions keep their numbers, new ones get higher ones, and blocks
//! list what they have.

use crate::module::{
    Block, BlockId, Callee, Const, ConstId, FuncId, Function, Inst, InstId, InstKind, Loc, Module, Operand, Param,
    ScopeId, Type, TypeId, TypeKind,
};

/// A function's body.
pub(super) struct Code {
    pub insts: Vec<Inst>,
    pub blocks: Vec<Piece>,
}

/// A block.
pub(super) struct Piece {
    pub insts: Vec<InstId>,
    label: String,
    source_label: Option<String>,
    label_scope: ScopeId,
}

impl Code {
    pub fn of(function: &Function) -> Code {
        let piece = |block: &Block| Piece {
            insts: block.insts.clone().map(InstId).collect(),
            label: block.label.clone(),
            source_label: block.source_label.clone(),
            label_scope: block.label_scope,
        };
        Code { insts: function.insts.clone(), blocks: function.blocks.iter().map(piece).collect() }
    }

    /// Puts the body back, with its instructions in the order of blocks.
    pub fn put(self, function: &mut Function) {
        let mut numbers = vec![None; self.insts.len()];
        let order = self.blocks.iter().flat_map(|piece| &piece.insts);
        for (new, old) in order.enumerate() {
            numbers[old.index()] = Some(InstId(new as u32));
        }
        let renumber = |operand: &mut Operand| {
            if let Operand::Inst(inst) = operand {
                *operand = numbers[inst.index()].map_or(Operand::None, Operand::Inst);
            }
        };
        let mut old: Vec<Option<Inst>> = self.insts.into_iter().map(Some).collect();
        (function.insts, function.blocks) = (Vec::new(), Vec::new());
        for Piece { insts, label, source_label, label_scope } in self.blocks {
            let start = function.insts.len() as u32;
            for id in insts {
                let Some(mut inst) = old[id.index()].take() else { continue };
                inst.kind.operands_mut(&mut { renumber });
                function.insts.push(inst);
            }
            let insts = start..function.insts.len() as u32;
            function.blocks.push(Block { label, source_label, label_scope, insts });
        }
    }

    /// A new block.
    pub fn block(&mut self, label: &str) -> BlockId {
        let (label, insts) = (label.to_owned(), Vec::new());
        self.blocks.push(Piece { insts, label, source_label: None, label_scope: ScopeId::NONE });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub fn piece(&mut self, block: BlockId) -> &mut Piece {
        &mut self.blocks[block.index()]
    }

    /// A new instruction that stands nowhere yet.
    pub fn inst(&mut self, kind: InstKind, ty: TypeId, loc: Loc) -> InstId {
        self.insts.push(Inst { kind, ty, loc });
        InstId(self.insts.len() as u32 - 1)
    }

    /// A new instruction at the end of a block.
    pub fn push(&mut self, block: BlockId, kind: InstKind, ty: TypeId, loc: Loc) -> Operand {
        let id = self.inst(kind, ty, loc);
        self.piece(block).insts.push(id);
        Operand::Inst(id)
    }

    pub fn kind(&self, id: InstId) -> &InstKind {
        &self.insts[id.index()].kind
    }

    pub fn loc(&self, id: InstId) -> Loc {
        self.insts[id.index()].loc
    }

    /// Puts instructions before another one.
    pub fn insert_before(&mut self, at: InstId, new: Vec<InstId>) {
        self.insert(at, 0, new);
    }

    /// Puts instructions behind another one.
    pub fn insert_after(&mut self, at: InstId, new: Vec<InstId>) {
        self.insert(at, 1, new);
    }

    fn insert(&mut self, at: InstId, behind: usize, new: Vec<InstId>) {
        for piece in &mut self.blocks {
            if let Some(i) = piece.insts.iter().position(|&id| id == at) {
                piece.insts.splice(i + behind..i + behind, new);
                return;
            }
        }
    }

    /// Puts instructions where the stack slots of the entry end.
    pub fn insert_behind_slots(&mut self, new: Vec<InstId>) {
        let entry = &self.blocks[0].insts;
        let slot = |id: &InstId| matches!(self.insts[id.index()].kind, InstKind::Alloca { .. });
        let at = entry.iter().position(|id| !slot(id)).unwrap_or(entry.len());
        self.blocks[0].insts.splice(at..at, new);
    }

    /// Uses one value in place of another.
    pub fn replace(&mut self, old: InstId, new: Operand) {
        for inst in &mut self.insts {
            inst.kind.operands_mut(&mut |operand| {
                if *operand == Operand::Inst(old) {
                    *operand = new;
                }
            });
        }
    }

    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        self.blocks[block.index()].insts.last().map_or_else(Vec::new, |&last| self.kind(last).successors())
    }

    /// The blocks that can be reached from these without entering one that is avoided, these included.
    pub fn reachable(&self, from: &[BlockId], avoided: Option<BlockId>) -> Vec<bool> {
        let mut seen = vec![false; self.blocks.len()];
        let mut stack = from.to_vec();
        while let Some(block) = stack.pop() {
            if Some(block) != avoided && !std::mem::replace(&mut seen[block.index()], true) {
                stack.extend(self.successors(block));
            }
        }
        seen
    }
}

// What a module has of types, numbers and functions that stand for steps

pub(super) fn type_of(module: &mut Module, kind: TypeKind) -> TypeId {
    if let Some(at) = module.types.iter().position(|ty| ty.kind == kind) {
        return TypeId(at as u32);
    }
    let bytes = match kind {
        TypeKind::Int(bits) => u64::from(bits.div_ceil(8)),
        TypeKind::Ptr => u64::from(module.pointer_bits / 8),
        _ => 0,
    };
    module.types.push(Type { kind, size: bytes, store_size: bytes, align: bytes.max(1) as u32 });
    TypeId(module.types.len() as u32 - 1)
}

pub(super) fn constant(module: &mut Module, constant: Const) -> Operand {
    module.constants.push(constant);
    Operand::Const(ConstId(module.constants.len() as u32 - 1))
}

pub(super) fn number(module: &mut Module, bits: u32, number: u64) -> Operand {
    let ty = type_of(module, TypeKind::Int(bits));
    constant(module, Const::Int(ty, vec![number]))
}

/// The function of this name, which is declared if it was not.
pub(super) fn declared(module: &mut Module, name: &str, result: TypeId, params: &[TypeId]) -> FuncId {
    if let Some(f) = module.function(name) {
        return f;
    }
    let ty = type_of(module, TypeKind::Function(result, params.to_vec(), false));
    let plain = |&ty: &TypeId| Param {
        ty,
        byval: None,
        align: 0,
        sret: None,
        name: String::new(),
        signed: false,
        defined: false,
    };
    module.functions.push(Function {
        name: name.to_owned(),
        source: name.to_owned(),
        ty,
        params: params.iter().map(plain).collect(),
        varargs: false,
        blocks: Vec::new(),
        insts: Vec::new(),
        loc: Loc::default(),
        result: None,
        noreturn: false,
        weak: false,
        result_defined: false,
    });
    FuncId(module.functions.len() as u32 - 1)
}

pub(super) fn call(module: &Module, f: FuncId, args: Vec<Operand>) -> InstKind {
    let function = &module.functions[f.index()];
    let arg_types = function.params.iter().map(|param| param.ty).collect();
    let (byval, aligns) = (vec![None; args.len()], vec![0; args.len()]);
    InstKind::Call { callee: Callee::Function(f), args, arg_types, byval, aligns, ty: function.ty }
}

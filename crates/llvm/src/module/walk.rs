//! Questions about a module, walks over operands and successors of instructions, and the resolution of weak references.

use super::{
    BlockId, Callee, Const, ConstId, FuncId, Function, Gep, GlobalId, Inst, InstId, InstKind, Module, Operand, ScopeId,
    Type, TypeId, TypeKind,
};

impl Module {
    /// Whether a block of the source lies in another one, or is it.
    pub fn is_within(&self, mut inner: ScopeId, outer: ScopeId) -> bool {
        // The outer blocks of a block have smaller numbers.
        while inner > outer {
            inner = self.scopes[inner.0 as usize - 1];
        }
        inner == outer
    }

    /// The innermost block of the source that two others lie in.
    pub fn common_scope(&self, mut a: ScopeId, mut b: ScopeId) -> ScopeId {
        while a != b {
            let outer = if a > b { &mut a } else { &mut b };
            *outer = self.scopes[outer.0 as usize - 1];
        }
        a
    }

    /// The size of the largest object: what a difference of two pointers can express. An allocation beyond it does
    /// not succeed, as with the C libraries of the platforms.
    pub fn largest_object(&self) -> u64 {
        (1 << (self.pointer_bits - 1)) - 1
    }

    /// The size of a global variable; `None` if it is declared without one (`extern int a[];`) and defined elsewhere.
    pub fn global_size(&self, global: GlobalId) -> Option<u64> {
        let global = &self.globals[global.index()];
        let size = self.ty(global.ty).size;
        (size > 0 || global.init.is_some()).then_some(size)
    }

    /// A type.
    pub fn ty(&self, t: TypeId) -> &Type {
        &self.types[t.index()]
    }

    /// A constant.
    pub fn constant(&self, c: ConstId) -> &Const {
        &self.constants[c.index()]
    }

    /// The function of this name, defined or declared.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(|i| FuncId(i as u32))
    }

    /// The text that an operand points to, if it is a constant.
    pub fn literal(&self, operand: Operand) -> Option<&[u8]> {
        let Operand::Const(c) = operand else { return None };
        let Const::Global(g) = self.constant(c) else { return None };
        let global = &self.globals[g.index()];
        match self.constant(global.init.filter(|_| global.constant)?) {
            Const::Bytes(_, text) => Some(text),
            // An empty string.
            Const::Zero(ty) => match self.ty(*ty).kind {
                TypeKind::Array(element, 1..) if self.ty(element).kind == TypeKind::Int(8) => Some(&[0]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an operand points to a constant string.
    pub fn is_literal(&self, operand: Operand) -> bool {
        self.literal(operand).is_some_and(|text| text.contains(&0))
    }

    /// Weak references to what neither a file nor the library defines become null: calls of such a function are calls
    /// through the null pointer. The library has `provided` functions (by index), and variables.
    pub fn resolve_weak(&mut self, provided: &[bool], variable: impl Fn(&str) -> bool) {
        let (functions, globals) = (&self.functions, &self.globals);
        let no_function = |f: &FuncId| {
            let function = &functions[f.index()];
            function.weak && !function.is_defined() && !provided[f.index()]
        };
        let missing = |c: &Const| match c {
            Const::Function(f) => no_function(f),
            Const::Global(g) => {
                let g = &globals[g.index()];
                g.weak && g.init.is_none() && !variable(&g.name)
            }
            _ => false,
        };
        self.constants.iter_mut().filter(|c| missing(c)).for_each(|c| *c = Const::Null);
        let gone: Vec<bool> = (0..functions.len() as u32).map(|f| no_function(&FuncId(f))).collect();
        if !gone.contains(&true) {
            return;
        }
        let null = ConstId(self.constants.len() as u32);
        self.constants.push(Const::Null);
        for inst in self.functions.iter_mut().flat_map(|f| &mut f.insts) {
            if let InstKind::Call { callee, .. } = &mut inst.kind
                && matches!(callee, Callee::Function(f) if gone[f.index()])
            {
                *callee = Callee::Pointer(Operand::Const(null));
            }
        }
    }
}

impl Function {
    /// Whether a stack slot is one that each activation has from its start. What the source itself allocates
    /// (`alloca`, variable-length arrays) has a place there.
    pub fn is_entry_slot(&self, slot: InstId) -> bool {
        let at_entry = self.blocks.first().is_some_and(|entry| entry.insts.contains(&slot.0));
        at_entry && self.inst(slot).loc.line == 0
    }

    /// Has a body?
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// An instruction.
    pub fn inst(&self, i: InstId) -> &Inst {
        &self.insts[i.index()]
    }

    /// The instructions of a block, in order.
    pub fn block_insts(&self, b: BlockId) -> impl Iterator<Item = (InstId, &Inst)> + '_ {
        self.blocks[b.index()].insts.clone().map(|i| (InstId(i), &self.insts[i as usize]))
    }
}

/// Walks over the values that an instruction uses, to read or to replace them.
macro_rules! walk_operands {
    ($kind:expr, $f:expr) => {
        match $kind {
            InstKind::Binary { lhs, rhs, .. }
            | InstKind::FloatBinary { lhs, rhs, .. }
            | InstKind::IntCompare { lhs, rhs, .. }
            | InstKind::FloatCompare { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each($f),
            InstKind::FloatNeg(value)
            | InstKind::Cast { value, .. }
            | InstKind::Freeze(value)
            | InstKind::VaArg(value)
            | InstKind::ExtractValue { value, .. }
            | InstKind::DebugValue { value, .. }
            | InstKind::Switch { value, .. }
            | InstKind::Return(value) => $f(value),
            InstKind::Select { cond, yes, no } => [cond, yes, no].into_iter().for_each($f),
            InstKind::Phi(incoming) => incoming.into_iter().for_each(|(_, operand)| $f(operand)),
            InstKind::Alloca { count, .. } => $f(count),
            InstKind::Load { ptr, .. } => $f(ptr),
            InstKind::Store { ptr, value, .. } | InstKind::AtomicUpdate { ptr, value, .. } => {
                [ptr, value].into_iter().for_each($f);
            }
            InstKind::Gep(Gep { base, terms, .. }) => {
                $f(base);
                terms.into_iter().for_each(|(index, _)| $f(index));
            }
            InstKind::Call { callee, args, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    $f(pointer);
                }
                args.into_iter().for_each($f);
            }
            InstKind::InsertValue { value, member, .. } => [value, member].into_iter().for_each($f),
            InstKind::ExtractElement { vector, index, .. } => [vector, index].into_iter().for_each($f),
            InstKind::InsertElement { vector, element, index } => [vector, element, index].into_iter().for_each($f),
            InstKind::ShuffleVector { first, second, .. } => [first, second].into_iter().for_each($f),
            InstKind::CompareExchange { ptr, expected, new } => [ptr, expected, new].into_iter().for_each($f),
            InstKind::Branch { cond, .. } => $f(cond),
            InstKind::IndirectJump { address, .. } => $f(address),
            InstKind::Fence | InstKind::Jump(_) | InstKind::Unreachable | InstKind::Unsupported { .. } => {}
        }
    };
}

impl InstKind {
    /// Calls `f` for each value that the instruction uses.
    pub fn operands(&self, f: &mut dyn FnMut(Operand)) {
        let mut each = |operand: &Operand| f(*operand);
        walk_operands!(self, &mut each);
    }

    /// Calls `f` for each value that the instruction uses, to replace it.
    pub fn operands_mut(&mut self, f: &mut dyn FnMut(&mut Operand)) {
        walk_operands!(self, &mut *f);
    }

    /// Where control may go on after it, if it ends a block.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            InstKind::Jump(to) => vec![*to],
            InstKind::Branch { yes, no, .. } => vec![*yes, *no],
            InstKind::Switch { cases, default, .. } => {
                cases.iter().map(|(_, to)| *to).chain(std::iter::once(*default)).collect()
            }
            InstKind::IndirectJump { targets, .. } | InstKind::Unsupported { targets, .. } => targets.clone(),
            _ => Vec::new(),
        }
    }
}

//! The code of functions.

use rustc_hash::FxHashMap;

use super::Copier;
use super::constants::{binary_op, cast_op};
use super::raw::{Block as RawBlock, Intrinsics, Meta, Opcode, Value, ValueKind};
use crate::assembly::Assembly;
use crate::module::{
    BinaryOp, Block, BlockId, Callee, CastOp, FloatOp, FloatPredicate, Function, Inst, InstId, InstKind, IntPredicate,
    Loc, Operand, ScopeId, TypeKind,
};

/// The values of one function that are no constants.
type Values<'s> = FxHashMap<Value<'s>, Operand>;

/// A block to be: one of LLVM's, or a part of one if a label of the source stands in the middle of it.
struct Piece<'s> {
    label: String,
    source_label: Option<String>,
    /// The instruction that marks the label.
    marker: Option<Value<'s>>,
    code: Vec<(Value<'s>, Opcode)>,
    /// The next part of the same block of LLVM.
    next: Option<BlockId>,
}

/// The blocks to be of a function: first those that are, or start, a block of LLVM, with the same numbers;
/// then the other parts.
struct Pieces<'s> {
    pieces: Vec<Piece<'s>>,
    /// For blocks of several parts: the last one, which control comes out of.
    last: FxHashMap<BlockId, BlockId>,
}

impl<'s> Copier<'s> {
    /// Copies the code of a function. `values` is only scratch space.
    pub(super) fn body(&mut self, value: Value<'s>, function: &mut Function, values: &mut Values<'s>) {
        values.clear();
        values.extend(value.params().zip(0..).map(|(p, i)| (p, Operand::Param(i))));
        let intrinsics = self.session.intrinsics();
        let Pieces { pieces, last } = self.pieces(value, intrinsics);
        // Numbers first: a phi, or a block that stands before its dominator, uses what comes later.
        let mut next = 0;
        for piece in &pieces {
            for (instruction, _) in &piece.code {
                values.insert(*instruction, Operand::Inst(InstId(next)));
                next += 1;
            }
            next += u32::from(piece.next.is_some());
        }
        function.insts.reserve(next as usize);
        let void = self.ty_or_void(None);
        for piece in pieces {
            let start = function.insts.len() as u32;
            for (instruction, opcode) in piece.code {
                let mut kind = self.instruction(instruction, opcode, intrinsics, values);
                if let InstKind::Phi(entries) = &mut kind {
                    entries.iter_mut().for_each(|(from, _)| *from = *last.get(from).unwrap_or(from));
                }
                let ty = self.ty(instruction.ty());
                let loc = instruction.location().map_or(Loc::default(), |l| self.loc(l));
                function.insts.push(Inst { kind, ty, loc });
            }
            if let Some(next) = piece.next {
                function.insts.push(Inst { kind: InstKind::Jump(next), ty: void, loc: Loc::default() });
            }
            let insts = start..function.insts.len() as u32;
            let label = piece.marker.and_then(Value::location).map(|l| self.loc(l).scope);
            let label_scope = label.unwrap_or(ScopeId::NONE);
            function.blocks.push(Block { label: piece.label, source_label: piece.source_label, label_scope, insts });
        }
        self.mark_parameters(function);
    }

    fn pieces(&self, function: Value<'s>, intrinsics: Intrinsics) -> Pieces<'s> {
        let blocks: Vec<RawBlock<'s>> = function.blocks().collect();
        let (mut first, mut others, mut last) = (Vec::with_capacity(blocks.len()), Vec::new(), FxHashMap::default());
        for (block, number) in blocks.iter().zip(0..) {
            let mut piece = Piece {
                label: block.label(self.session),
                source_label: None,
                marker: None,
                code: Vec::new(),
                next: None,
            };
            let mut done = None;
            let mut fresh = true;
            for instruction in block.instructions(self.session) {
                let opcode = instruction.opcode().unwrap_or(Opcode::Unknown);
                let intrinsic = called_intrinsic(instruction, opcode);
                if intrinsic != 0
                    && intrinsic == intrinsics.label
                    && let Some(name) = instruction.operand(0).and_then(Value::meta).and_then(|m| self.debug_label(m))
                {
                    if !fresh {
                        let id = BlockId((blocks.len() + others.len() + usize::from(done.is_some())) as u32);
                        piece.next = Some(id);
                        let next = Piece {
                            label: String::new(),
                            source_label: None,
                            marker: None,
                            code: Vec::new(),
                            next: None,
                        };
                        let before = std::mem::replace(&mut piece, next);
                        match done {
                            None => done = Some(before),
                            Some(_) => others.push(before),
                        }
                        last.insert(BlockId(number), id);
                    }
                    piece.source_label = Some(name);
                    piece.marker = Some(instruction);
                    fresh = false;
                    continue;
                }
                fresh &= intrinsic != 0 && (intrinsic == intrinsics.declare || intrinsic == intrinsics.value);
                piece.code.push((instruction, opcode));
            }
            match done {
                None => first.push(piece),
                Some(start) => {
                    first.push(start);
                    others.push(piece);
                }
            }
        }
        first.extend(others);
        Pieces { pieces: first, last }
    }

    /// An operand of an instruction.
    fn value(&mut self, value: Option<Value<'s>>, values: &Values<'s>) -> Operand {
        use ValueKind::*;
        let Some(value) = value else { return Operand::None };
        match value.kind() {
            Instruction | Argument => values.get(&value).copied().unwrap_or(Operand::None),
            MetadataAsValue | InlineAsm | BasicBlock | Unknown => Operand::None,
            _ => Operand::Const(self.constant(value)),
        }
    }

    fn block(&self, block: Option<&RawBlock<'s>>) -> Option<BlockId> {
        block.and_then(|b| self.blocks.get(b)).copied()
    }

    fn instruction(
        &mut self,
        instruction: Value<'s>,
        opcode: Opcode,
        intrinsics: Intrinsics,
        values: &Values<'s>,
    ) -> InstKind {
        self.supported(instruction, opcode, intrinsics, values).unwrap_or_else(|| InstKind::Unsupported {
            opcode: format!("{opcode:?}").to_lowercase(),
            targets: instruction.successors().iter().filter_map(|b| self.block(Some(b))).collect(),
        })
    }

    fn supported(
        &mut self,
        i: Value<'s>,
        opcode: Opcode,
        intrinsics: Intrinsics,
        values: &Values<'s>,
    ) -> Option<InstKind> {
        let operand = |copier: &mut Self, n: u32| copier.value(i.operand(n), values);
        if let Some(op) = binary_op(opcode) {
            let (lhs, rhs) = (operand(self, 0), operand(self, 1));
            // What clang calls it: nothing else tells it from the difference of two pointers that were cast to integers.
            let distance = op == BinaryOp::Sub && i.name().starts_with("sub.ptr.sub");
            let (nsw, nuw, exact) = (i.nsw(), i.nuw(), i.exact());
            return Some(InstKind::Binary { op, lhs, rhs, nsw, nuw, exact, distance });
        }
        if let Some(op) = float_op(opcode) {
            return Some(InstKind::FloatBinary { op, lhs: operand(self, 0), rhs: operand(self, 1) });
        }
        if let Some(op) = cast_op(opcode) {
            return Some(InstKind::Cast { op, value: operand(self, 0) });
        }
        Some(match opcode {
            Opcode::FNeg => InstKind::FloatNeg(operand(self, 0)),
            Opcode::ICmp => {
                let op = int_predicate(i.int_predicate()?)?;
                InstKind::IntCompare { op, lhs: operand(self, 0), rhs: operand(self, 1) }
            }
            Opcode::FCmp => {
                let op = float_predicate(i.float_predicate()?)?;
                InstKind::FloatCompare { op, lhs: operand(self, 0), rhs: operand(self, 1) }
            }
            Opcode::Select => InstKind::Select { cond: operand(self, 0), yes: operand(self, 1), no: operand(self, 2) },
            Opcode::Phi => {
                let incoming = i.incoming();
                let mut entries = Vec::with_capacity(incoming.len());
                for (block, value) in incoming {
                    entries.push((self.block(Some(&block))?, self.value(Some(value), values)));
                }
                InstKind::Phi(entries)
            }
            Opcode::Alloca => {
                InstKind::Alloca { ty: self.ty(i.allocated()?), count: operand(self, 0), align: i.alignment() }
            }
            Opcode::Load => InstKind::Load {
                ptr: operand(self, 0),
                volatile: i.is_volatile(),
                atomic: i.is_atomic(),
                align: i.alignment(),
            },
            Opcode::Store => InstKind::Store {
                value: operand(self, 0),
                ptr: operand(self, 1),
                ty: self.ty(i.operand(0)?.ty()),
                volatile: i.is_volatile(),
                atomic: i.is_atomic(),
                align: i.alignment(),
            },
            Opcode::GetElementPtr => {
                let ty = self.ty(i.ty());
                if self.module.ty(ty).kind != TypeKind::Ptr {
                    return None;
                }
                InstKind::Gep(self.gep(i, |copier, n| Some(copier.value(i.operand(n), values)))?)
            }
            Opcode::Call => self.call(i, intrinsics, values)?,
            Opcode::ExtractValue => InstKind::ExtractValue {
                value: operand(self, 0),
                ty: self.ty(i.operand(0)?.ty()),
                path: i.member_path(),
            },
            Opcode::InsertValue => {
                InstKind::InsertValue { value: operand(self, 0), member: operand(self, 1), path: i.member_path() }
            }
            Opcode::ExtractElement => InstKind::ExtractElement {
                vector: operand(self, 0),
                ty: self.ty(i.operand(0)?.ty()),
                index: operand(self, 1),
            },
            Opcode::InsertElement => {
                InstKind::InsertElement { vector: operand(self, 0), element: operand(self, 1), index: operand(self, 2) }
            }
            Opcode::ShuffleVector => InstKind::ShuffleVector {
                first: operand(self, 0),
                second: operand(self, 1),
                ty: self.ty(i.operand(0)?.ty()),
                mask: i.shuffle_mask().into_iter().map(|m| u32::try_from(m).ok()).collect(),
            },
            Opcode::Freeze => InstKind::Freeze(operand(self, 0)),
            Opcode::VaArg => InstKind::VaArg(operand(self, 0)),
            Opcode::AtomicRmw => InstKind::AtomicUpdate {
                op: atomic_name(i.atomic_operation()?)?.to_string(),
                ptr: operand(self, 0),
                value: operand(self, 1),
            },
            Opcode::CompareExchange => {
                InstKind::CompareExchange { ptr: operand(self, 0), expected: operand(self, 1), new: operand(self, 2) }
            }
            Opcode::Fence => InstKind::Fence,
            Opcode::Br => {
                let targets = i.successors();
                match targets.len() {
                    1 => InstKind::Jump(self.block(targets.first())?),
                    2 => InstKind::Branch {
                        cond: operand(self, 0),
                        yes: self.block(targets.first())?,
                        no: self.block(targets.get(1))?,
                    },
                    _ => return None,
                }
            }
            Opcode::Switch => {
                let targets = i.successors();
                let default = self.block(targets.first())?;
                let mut cases = Vec::with_capacity(targets.len() - 1);
                for (target, n) in targets.iter().zip(0..).skip(1) {
                    cases.push((self.constant(i.operand(2 * n)?), self.block(Some(target))?));
                }
                InstKind::Switch { value: operand(self, 0), cases, default }
            }
            Opcode::IndirectBr => InstKind::IndirectJump {
                address: operand(self, 0),
                targets: i.successors().iter().map(|b| self.block(Some(b))).collect::<Option<_>>()?,
            },
            // Assembly that executes nothing does not jump.
            Opcode::CallBr => {
                let (template, constraints) = i.callee()?.assembly()?;
                let assembly = Assembly::new(&template, &constraints);
                if !assembly.empty || !assembly.outputs.is_empty() {
                    return None;
                }
                InstKind::Jump(self.block(i.successors().first())?)
            }
            Opcode::Ret => InstKind::Return(operand(self, 0)),
            Opcode::Unreachable => InstKind::Unreachable,
            _ => return None,
        })
    }

    fn call(&mut self, i: Value<'s>, intrinsics: Intrinsics, values: &Values<'s>) -> Option<InstKind> {
        let called = self.resolve(i.callee()?);
        let intrinsic = called.intrinsic();
        if intrinsic != 0 && [intrinsics.declare, intrinsics.value, intrinsics.assign].contains(&intrinsic) {
            return self.debug_value(i, intrinsic == intrinsics.declare, values);
        }
        if intrinsic != 0
            && let Some(operation) = called.name().strip_prefix("llvm.experimental.constrained.")
            && let Some(kind) = self.constrained(i, operation, values)?
        {
            return Some(kind);
        }
        let callee = match called.kind() {
            ValueKind::InlineAsm => {
                let (text, constraints) = called.assembly()?;
                Callee::Asm(text, constraints)
            }
            _ => match self.functions.get(&called) {
                Some(function) => Callee::Function(*function),
                None => Callee::Pointer(self.value(Some(called), values)),
            },
        };
        let (ty, count) = i.call_type()?;
        let ty = self.ty(ty);
        let capacity = count as usize;
        let (mut args, mut arg_types) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        let (mut byval, mut aligns) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        for n in 0..count {
            let argument = i.operand(n)?;
            args.push(self.value(Some(argument), values));
            arg_types.push(self.ty(argument.ty()));
            let there = if matches!(callee, Callee::Asm(..)) { i.element_type(n) } else { i.byval(n) };
            byval.push(there.map(|t| self.ty(t)));
            aligns.push(i.align(n));
        }
        Some(InstKind::Call { callee, args, arg_types, byval, aligns, ty })
    }

    /// An operation on floats where the program looks at the rounding mode: the same as elsewhere, if it rounds as
    /// the mode says. Nothing if it stays a call.
    fn constrained(&mut self, i: Value<'s>, operation: &str, values: &Values<'s>) -> Option<Option<InstKind>> {
        let (_, count) = i.call_type()?;
        let words: Vec<String> = (0..count).filter_map(|n| i.operand(n)?.meta()?.string()).collect();
        if words.iter().any(|word| word.starts_with("round.") && word != "round.dynamic") {
            return None;
        }
        let mut operand = |n: u32| self.value(i.operand(n), values);
        let operation = operation.split('.').next().unwrap_or_default();
        let binary = match operation {
            "fadd" => Some(FloatOp::Add),
            "fsub" => Some(FloatOp::Sub),
            "fmul" => Some(FloatOp::Mul),
            "fdiv" => Some(FloatOp::Div),
            "frem" => Some(FloatOp::Rem),
            _ => None,
        };
        if let Some(op) = binary {
            return Some(Some(InstKind::FloatBinary { op, lhs: operand(0), rhs: operand(1) }));
        }
        let converted = match operation {
            "fptosi" => Some(CastOp::FpToSi),
            "fptoui" => Some(CastOp::FpToUi),
            "sitofp" => Some(CastOp::SiToFp),
            "uitofp" => Some(CastOp::UiToFp),
            "fptrunc" => Some(CastOp::FpTrunc),
            "fpext" => Some(CastOp::FpExt),
            _ => None,
        };
        if let Some(op) = converted {
            return Some(Some(InstKind::Cast { op, value: operand(0) }));
        }
        if operation == "fcmp" || operation == "fcmps" {
            let number = FLOAT_PREDICATES.iter().position(|name| words.first().is_some_and(|word| word == name))?;
            let op = float_predicate(number as u32)?;
            return Some(Some(InstKind::FloatCompare { op, lhs: operand(0), rhs: operand(1) }));
        }
        Some(None)
    }

    fn debug_value(&mut self, i: Value<'s>, address: bool, values: &Values<'s>) -> Option<InstKind> {
        let meta = |n: u32| i.operand(n).and_then(Value::meta);
        let var = self.debug_var(meta(1)?)?;
        // What is computed from the value in some other way is not shown.
        let plain = meta(2).is_some_and(Meta::is_plain_expression);
        let value = if plain { meta(0).and_then(Meta::wrapped) } else { None };
        Some(InstKind::DebugValue { var, value: self.value(value, values), address })
    }
}

/// The intrinsic that an instruction calls; 0 if none.
fn called_intrinsic(instruction: Value<'_>, opcode: Opcode) -> u32 {
    if opcode == Opcode::Call { instruction.callee().map_or(0, Value::intrinsic) } else { 0 }
}

fn float_op(opcode: Opcode) -> Option<FloatOp> {
    Some(match opcode {
        Opcode::FAdd => FloatOp::Add,
        Opcode::FSub => FloatOp::Sub,
        Opcode::FMul => FloatOp::Mul,
        Opcode::FDiv => FloatOp::Div,
        Opcode::FRem => FloatOp::Rem,
        _ => return None,
    })
}

fn int_predicate(number: u32) -> Option<IntPredicate> {
    use IntPredicate::*;
    [Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle].get(usize::try_from(number.checked_sub(32)?).ok()?).copied()
}

/// How LLVM writes the comparisons of floats, by number.
const FLOAT_PREDICATES: [&str; 16] =
    ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"];

/// LLVM's numbers are bit sets: equal, greater, less, unordered.
fn float_predicate(number: u32) -> Option<FloatPredicate> {
    (number < 16).then_some(FloatPredicate {
        equal: number & 1 != 0,
        greater: number & 2 != 0,
        less: number & 4 != 0,
        unordered: number & 8 != 0,
    })
}

fn atomic_name(number: u32) -> Option<&'static str> {
    const NAMES: [&str; 17] = [
        "xchg",
        "add",
        "sub",
        "and",
        "nand",
        "or",
        "xor",
        "max",
        "min",
        "umax",
        "umin",
        "fadd",
        "fsub",
        "fmax",
        "fmin",
        "uinc_wrap",
        "udec_wrap",
    ];
    NAMES.get(number as usize).copied()
}

//! Constants and address computations.

use super::Copier;
use super::raw::{Opcode, Ty, Value, ValueKind};
use crate::module::{BinaryOp, CastOp, Const, ConstId, Gep, Overrun, Part, TypeId, TypeKind, Within};

impl<'s> Copier<'s> {
    /// A constant. Parts come before the whole, without recursion.
    pub(super) fn constant(&mut self, value: Value<'s>) -> ConstId {
        if let Some(id) = self.constants.get(&value) {
            return *id;
        }
        let mut stack = vec![(value, false)];
        while let Some((value, parts_done)) = stack.pop() {
            if self.constants.contains_key(&value) {
                continue;
            }
            let parts = parts(value);
            if !parts_done && !parts.is_empty() {
                stack.push((value, true));
                stack.extend(parts.into_iter().map(|p| (p, false)));
                continue;
            }
            let parts: Vec<ConstId> = parts.iter().map(|p| self.constants[p]).collect();
            let id = self.copy_constant(value, parts);
            self.constants.insert(value, id);
        }
        self.constants[&value]
    }

    pub(super) fn intern(&mut self, constant: Const) -> ConstId {
        if let Some(id) = self.interned.get(&constant) {
            return *id;
        }
        let id = ConstId(self.module.constants.len() as u32);
        self.module.constants.push(constant.clone());
        // Large tables are compared by LLVM already; hashing them again would only cost.
        if !matches!(constant, Const::Bytes(..) | Const::Aggregate(..)) {
            self.interned.insert(constant, id);
        }
        id
    }

    fn copy_constant(&mut self, value: Value<'s>, parts: Vec<ConstId>) -> ConstId {
        use ValueKind::*;
        let ty = self.ty(value.ty());
        let constant = match value.kind() {
            ConstantInt if self.is_int(ty) => value.words().map(|w| Const::Int(ty, w)),
            ConstantFp => value.float_bits().and_then(Value::words).map(|w| Const::Float(ty, w)),
            NullPointer => Some(Const::Null),
            AggregateZero => Some(Const::Zero(ty)),
            Poison if self.is_int(ty) => Some(Const::Poison(ty)),
            Undef | Poison => Some(Const::Undef(ty)),
            ConstantArray | ConstantStruct | ConstantVector | DataVector => Some(Const::Aggregate(ty, parts)),
            DataArray => Some(match value.bytes() {
                Some(bytes) => Const::Bytes(ty, bytes),
                None => Const::Aggregate(ty, parts),
            }),
            GlobalVariable => self.globals.get(&value).map(|g| Const::Global(*g)),
            Function | IFunc => self.functions.get(&value).map(|f| Const::Function(*f)),
            // An alias is what it stands for.
            Alias => match parts.first() {
                Some(target) => return *target,
                None => None,
            },
            BlockAddress => value.label().and_then(|(function, block)| {
                Some(Const::Label(*self.functions.get(&function)?, *self.blocks.get(&block)?))
            }),
            ConstantExpr => match self.expression(value, ty, &parts) {
                Some(Expression::Same(id)) => return id,
                Some(Expression::New(constant)) => Some(constant),
                None => None,
            },
            _ => None,
        };
        let constant = constant.unwrap_or_else(|| Const::Other(ty, describe(value)));
        self.intern(constant)
    }

    fn expression(&mut self, value: Value<'s>, ty: TypeId, parts: &[ConstId]) -> Option<Expression> {
        let opcode = value.opcode()?;
        let new = |constant| Some(Expression::New(constant));
        if let Some(op) = binary_op(opcode) {
            return new(Const::Binary(op, *parts.first()?, *parts.get(1)?));
        }
        if let Some(op) = cast_op(opcode) {
            return new(Const::Cast(op, *parts.first()?, ty));
        }
        if opcode != Opcode::GetElementPtr || self.module.types[ty.index()].kind != TypeKind::Ptr {
            return None;
        }
        let mut gep = self.gep(value, |_, i| parts.get(i as usize).copied())?;
        if let Const::Gep(inner) = self.module.constant(gep.base) {
            // Addresses of addresses become one.
            gep.base = inner.base;
            gep.offset = self.wrap(gep.offset.wrapping_add(inner.offset));
            gep.inbounds &= inner.inbounds;
            gep.terms.splice(0..0, inner.terms.iter().copied());
            gep.lengths.splice(0..0, inner.lengths.iter().copied());
            gep.overrun = gep.overrun.max(inner.overrun);
            if gep.within == Within::Base {
                gep.within =
                    moved(inner.within, gep.offset.wrapping_sub(inner.offset), gep.terms.len() - inner.terms.len());
            }
        }
        if gep.offset == 0 && gep.terms.is_empty() && gep.overrun == Overrun::None {
            return Some(Expression::Same(gep.base));
        }
        new(Const::Gep(gep))
    }

    /// An address computation, constant indices added up. `None` if it computes several addresses at once or
    /// indexes something without a layout.
    pub(super) fn gep<V>(
        &mut self,
        value: Value<'s>,
        mut operand: impl FnMut(&mut Self, u32) -> Option<V>,
    ) -> Option<Gep<V>> {
        let (indexed, inbounds) = value.gep()?;
        let element = self.ty(indexed);
        let (terms, lengths, overrun) = (Vec::new(), Vec::new(), Overrun::None);
        let within = Within::Base;
        let mut gep = Gep { base: operand(self, 0)?, offset: 0, terms, inbounds, element, lengths, overrun, within };
        let mut current = element;
        let mut parts = Parts::default();
        // The last member of a structure may be an array of one element that stands for more (as in older C).
        let mut last_member = value.operand(0).is_some_and(|base| self.is_last_member(base));
        for i in 1..value.operand_count() {
            let index = value.operand(i)?;
            let (inside, length) = if i == 1 {
                (current, None)
            } else {
                match &self.module.ty(current).kind {
                    TypeKind::Array(inside, length) => {
                        let open = *length == 0 || *length == 1 && last_member;
                        parts.enter((!open).then_some(self.module.ty(current).size), gep.offset, gep.terms.len());
                        (*inside, (!open).then_some(*length))
                    }
                    TypeKind::Vector(inside, length) => (*inside, Some(*length)),
                    TypeKind::Struct(members) => {
                        let at = usize::try_from(index.low_word()?).ok()?;
                        let (inside, offset) = *members.get(at)?;
                        gep.offset = gep.offset.wrapping_add(offset as i64);
                        last_member = at + 1 == members.len();
                        current = inside;
                        parts = Parts { selected: true, ..Parts::default() };
                        continue;
                    }
                    _ => return None,
                }
            };
            // The first index stays in what the base points to; another one selects an element.
            last_member &= i == 1;
            current = inside;
            if matches!(self.module.ty(inside).kind, TypeKind::Void | TypeKind::Function(..) | TypeKind::Other(_)) {
                return None;
            }
            let scale = self.module.ty(inside).size as i64;
            match index.kind() {
                ValueKind::ConstantInt => {
                    let index = index.signed()?;
                    gep.offset = gep.offset.wrapping_add(index.wrapping_mul(scale));
                    gep.overrun = gep.overrun.max(match (length, u64::try_from(index)) {
                        (None, _) => Overrun::None,
                        (Some(length), Ok(index)) if index < length => Overrun::None,
                        (Some(length), Ok(index)) if index == length => Overrun::End,
                        _ => Overrun::Beyond,
                    });
                }
                _ if scale == 0 => {}
                _ => {
                    gep.terms.push((operand(self, i)?, scale));
                    gep.lengths.push(length);
                }
            }
        }
        match self.module.ty(current).kind {
            // An array that constant addresses select without its first element.
            TypeKind::Array(_, length) if parts.selected => {
                let open = length == 0 || length == 1 && last_member;
                parts.enter((!open).then_some(self.module.ty(current).size), gep.offset, gep.terms.len());
            }
            TypeKind::Int(8) if parts.selected && parts.inner.is_none() => parts.character(gep.offset, gep.terms.len()),
            _ => {}
        }
        gep.offset = self.wrap(gep.offset);
        gep.within = parts.seen_from(gep.offset, gep.terms.len());
        Some(gep)
    }

    /// Whether an address is that of the last member of a structure.
    fn is_last_member(&mut self, value: Value<'s>) -> bool {
        let Some((indexed, _)) = value.gep() else { return false };
        let mut current = self.ty(indexed);
        let mut last = false;
        for i in 2..value.operand_count() {
            let index = value.operand(i).and_then(Value::low_word);
            (current, last) = match (&self.module.ty(current).kind, index) {
                (TypeKind::Array(inside, _) | TypeKind::Vector(inside, _), _) => (*inside, false),
                (TypeKind::Struct(members), Some(at)) => match members.get(at as usize) {
                    Some(&(inside, _)) => (inside, at as usize + 1 == members.len()),
                    None => return false,
                },
                _ => return false,
            };
        }
        last
    }

    /// Offsets are counted modulo the width of a pointer.
    fn wrap(&self, offset: i64) -> i64 {
        if self.module.pointer_bits == 32 { i64::from(offset as i32) } else { offset }
    }
}

/// The arrays that an address computation has entered since the last member of a structure.
#[derive(Default)]
struct Parts {
    /// A member or an element has been selected.
    selected: bool,
    /// One of them has no end of its own.
    open: bool,
    /// The size of the innermost one, and where it starts: the offset and the number of terms there.
    inner: Option<(u64, i64, usize)>,
    outer: Option<(u64, i64, usize)>,
}

impl Parts {
    fn enter(&mut self, bytes: Option<u64>, offset: i64, terms: usize) {
        self.selected = true;
        self.open |= bytes.is_none();
        let array = bytes.map(|bytes| (bytes, offset, terms));
        self.inner = array;
        self.outer = self.outer.or(array);
    }

    /// A member that is a single character: strings end there, blocks go on.
    fn character(&mut self, offset: i64, terms: usize) {
        self.inner = Some((1, offset, terms));
    }

    /// What they are for an address with this offset and so many terms.
    fn seen_from(&self, offset: i64, terms: usize) -> Within {
        let part = |(bytes, start, first): (u64, i64, usize)| Part {
            bytes,
            offset: offset.wrapping_sub(start),
            terms: terms - first,
        };
        match self.inner {
            _ if !self.selected => Within::Base,
            Some(inner) if !self.open => Within::Part { inner: part(inner), outer: self.outer.map(part) },
            _ => Within::Object,
        }
    }
}

/// The part of an object that lies so far behind an address.
fn moved(within: Within, by: i64, terms: usize) -> Within {
    let further = |part: Part| Part { offset: part.offset.wrapping_add(by), terms: part.terms + terms, ..part };
    match within {
        Within::Part { inner, outer } => Within::Part { inner: further(inner), outer: outer.map(further) },
        other => other,
    }
}

enum Expression {
    Same(ConstId),
    New(Const),
}

/// The constants that a constant is made of.
fn parts(value: Value<'_>) -> Vec<Value<'_>> {
    use ValueKind::*;
    match value.kind() {
        ConstantArray | ConstantStruct | ConstantVector | ConstantExpr => {
            (0..value.operand_count()).filter_map(|i| value.operand(i)).collect()
        }
        Alias => value.aliasee().into_iter().collect(),
        DataArray if value.bytes().is_some() => Vec::new(),
        DataArray | DataVector => {
            (0..Ty::len(value.ty())).map_while(|i| value.element(u32::try_from(i).ok()?)).collect()
        }
        _ => Vec::new(),
    }
}

/// What a constant is that has no form of its own here. Not its text: that may be exponentially long.
fn describe(value: Value<'_>) -> String {
    match value.opcode() {
        Some(opcode) => format!("constant {opcode:?}").to_lowercase(),
        None => format!("{:?}", value.kind()).to_lowercase(),
    }
}

pub(super) fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::Add => BinaryOp::Add,
        Opcode::Sub => BinaryOp::Sub,
        Opcode::Mul => BinaryOp::Mul,
        Opcode::UDiv => BinaryOp::UDiv,
        Opcode::SDiv => BinaryOp::SDiv,
        Opcode::URem => BinaryOp::URem,
        Opcode::SRem => BinaryOp::SRem,
        Opcode::Shl => BinaryOp::Shl,
        Opcode::LShr => BinaryOp::LShr,
        Opcode::AShr => BinaryOp::AShr,
        Opcode::And => BinaryOp::And,
        Opcode::Or => BinaryOp::Or,
        Opcode::Xor => BinaryOp::Xor,
        _ => return None,
    })
}

pub(super) fn cast_op(opcode: Opcode) -> Option<CastOp> {
    Some(match opcode {
        Opcode::Trunc => CastOp::Trunc,
        Opcode::ZExt => CastOp::ZExt,
        Opcode::SExt => CastOp::SExt,
        Opcode::FpToUi => CastOp::FpToUi,
        Opcode::FpToSi => CastOp::FpToSi,
        Opcode::UiToFp => CastOp::UiToFp,
        Opcode::SiToFp => CastOp::SiToFp,
        Opcode::FpTrunc => CastOp::FpTrunc,
        Opcode::FpExt => CastOp::FpExt,
        Opcode::PtrToInt => CastOp::PtrToInt,
        Opcode::IntToPtr => CastOp::IntToPtr,
        Opcode::BitCast => CastOp::Bitcast,
        Opcode::AddrSpaceCast => CastOp::AddrSpace,
        _ => return None,
    })
}

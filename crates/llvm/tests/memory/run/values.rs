//! Values: constants, operands, and their bytes in memory.

use lariat_llvm::module::*;

use super::{End, Frame, Machine, Value, mask, signed, stop};

impl Machine<'_> {
    pub(super) fn get(&self, address: u64, ty: TypeId) -> Result<Value, End> {
        let t = self.module.ty(ty);
        Ok(match &t.kind {
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => {
                let size = self.module.ty(*e).size;
                Value::Parts((0..*n).map(|k| self.get(address + k * size, *e)).collect::<Result<_, _>>()?)
            }
            TypeKind::Struct(members) => {
                Value::Parts(members.iter().map(|m| self.get(address + m.1, m.0)).collect::<Result<_, _>>()?)
            }
            _ => {
                let (object, start) = self.find(address, t.store_size)?;
                let bytes = &self.objects[object].bytes[start..start + t.store_size as usize];
                let bits = bytes.iter().rev().fold(0, |v, b| v << 8 | u128::from(*b));
                match t.kind {
                    TypeKind::Int(w) => Value::Bits(mask(w, bits)),
                    _ => Value::Bits(bits),
                }
            }
        })
    }

    pub(super) fn put(&mut self, address: u64, ty: TypeId, value: &Value) -> Result<(), End> {
        let t = self.module.ty(ty);
        let zero = Value::Bits(0);
        let part = |k: usize| match value {
            Value::Parts(p) => p.get(k).unwrap_or(&zero),
            _ => &zero,
        };
        match &t.kind {
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => {
                let size = self.module.ty(*e).size;
                (0..*n).try_for_each(|k| self.put(address + k * size, *e, part(k as usize)))
            }
            TypeKind::Struct(members) => {
                members.iter().enumerate().try_for_each(|(k, m)| self.put(address + m.1, m.0, part(k)))
            }
            _ => {
                let (object, start) = self.find(address, t.store_size)?;
                let bits = value.bits();
                for k in 0..t.store_size as usize {
                    self.objects[object].bytes[start + k] = (bits >> (8 * k)) as u8;
                }
                Ok(())
            }
        }
    }

    pub(super) fn constant(&self, c: ConstId, ty: TypeId) -> Result<Value, End> {
        let module = self.module;
        let words = |w: &[u64]| w.iter().rev().take(2).fold(0u128, |v, x| v << 64 | u128::from(*x));
        Ok(match module.constant(c) {
            Const::Int(_, w) => Value::Bits(words(w)),
            Const::Float(t, w) => match module.ty(*t).kind {
                TypeKind::Float(FloatKind::X86Extended) => Value::Bits(u128::from(extended(words(w)).to_bits())),
                _ => Value::Bits(words(w)),
            },
            Const::Null | Const::Zero(_) | Const::Undef(_) | Const::Label(..) => self.zero(ty),
            Const::Aggregate(t, members) => {
                let member = |k: usize| match &module.ty(*t).kind {
                    TypeKind::Struct(m) => m[k].0,
                    TypeKind::Array(e, _) | TypeKind::Vector(e, _) => *e,
                    _ => *t,
                };
                let parts = members.iter().enumerate().map(|(k, m)| self.constant(*m, member(k)));
                Value::Parts(parts.collect::<Result<_, _>>()?)
            }
            Const::Bytes(_, b) => Value::Parts(b.iter().map(|b| Value::Bits(u128::from(*b))).collect()),
            Const::Global(g) => Value::Bits(u128::from(self.globals[g])),
            Const::Function(f) => Value::Bits(u128::from(self.functions[f])),
            Const::Gep(gep) => {
                let mut at = self.constant(gep.base, ty)?.bits() as i64 + gep.offset;
                for (index, scale) in &gep.terms {
                    let Const::Int(t, _) = module.constant(*index) else { return stop("index") };
                    let TypeKind::Int(w) = module.ty(*t).kind else { return stop("index") };
                    at += signed(w, self.constant(*index, *t)?.bits()) as i64 * scale;
                }
                Value::Bits(mask(module.pointer_bits, at as u128))
            }
            Const::Cast(CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast, inner, _) => {
                self.constant(*inner, ty)?
            }
            Const::Binary(op, a, b) => {
                let (a, b) = (self.constant(*a, ty)?.bits(), self.constant(*b, ty)?.bits());
                Value::Bits(binary(*op, module.pointer_bits, a, b))
            }
            other => return stop(format!("constant {other:?}")),
        })
    }

    pub(super) fn zero(&self, ty: TypeId) -> Value {
        match &self.module.ty(ty).kind {
            TypeKind::Array(e, n) | TypeKind::Vector(e, n) => Value::Parts(vec![self.zero(*e); *n as usize]),
            TypeKind::Struct(m) => Value::Parts(m.iter().map(|m| self.zero(m.0)).collect()),
            _ => Value::Bits(0),
        }
    }

    pub(super) fn value(&self, frame: &Frame, op: Operand, ty: TypeId) -> Result<Value, End> {
        Ok(match op {
            Operand::Inst(i) => frame.values[i.index()].clone(),
            Operand::Param(k) => frame.params[k as usize].clone(),
            Operand::Const(c) => self.constant(c, ty)?,
            Operand::None => Value::Bits(0),
        })
    }

    pub(super) fn bits(&self, frame: &Frame, op: Operand) -> Result<u128, End> {
        Ok(self.value(frame, op, TypeId(0))?.bits())
    }

    pub(super) fn type_of(&self, frame: &Frame, op: Operand) -> Result<TypeId, End> {
        let function = &self.module.functions[frame.function.index()];
        match op {
            Operand::Inst(i) => Ok(function.inst(i).ty),
            Operand::Param(k) => Ok(function.params[k as usize].ty),
            Operand::Const(c) => match self.module.constant(c) {
                Const::Int(t, _)
                | Const::Float(t, _)
                | Const::Zero(t)
                | Const::Undef(t)
                | Const::Aggregate(t, _)
                | Const::Bytes(t, _)
                | Const::Cast(_, _, t) => Ok(*t),
                _ => {
                    let ptr = self.module.types.iter().position(|t| t.kind == TypeKind::Ptr);
                    ptr.map_or_else(|| stop("no pointers"), |p| Ok(TypeId(p as u32)))
                }
            },
            Operand::None => stop("no operand"),
        }
    }

    pub(super) fn width(&self, ty: TypeId) -> u32 {
        match self.module.ty(ty).kind {
            TypeKind::Int(w) => w,
            TypeKind::Ptr => self.module.pointer_bits,
            _ => 128,
        }
    }

    pub(super) fn float(&self, frame: &Frame, op: Operand, ty: TypeId) -> Result<f64, End> {
        let bits = self.bits(frame, op)?;
        match self.module.ty(ty).kind {
            TypeKind::Float(FloatKind::Single) => Ok(f32::from_bits(bits as u32).into()),
            TypeKind::Float(FloatKind::Double | FloatKind::X86Extended) => Ok(f64::from_bits(bits as u64)),
            _ => stop("float format"),
        }
    }

    pub(super) fn to_value(&self, ty: TypeId, v: f64) -> Value {
        match self.module.ty(ty).kind {
            TypeKind::Float(FloatKind::Single) => Value::Bits((v as f32).to_bits().into()),
            _ => Value::Bits(v.to_bits().into()),
        }
    }
}

/// The value of an 80-bit number, roughly.
fn extended(bits: u128) -> f64 {
    let mantissa = (bits as u64) as f64 / 2f64.powi(63);
    let exponent = ((bits >> 64) & 0x7fff) as i32 - 16383;
    let value = mantissa * 2f64.powi(exponent);
    if bits >> 79 & 1 == 1 { -value } else { value }
}

/// What C leaves undefined has some result.
pub(super) fn binary(op: BinaryOp, w: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(w, a), signed(w, b));
    let by = (b % u128::from(w.max(1))) as u32;
    mask(
        w,
        match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::UDiv => a.checked_div(b).unwrap_or(0),
            BinaryOp::SDiv => sa.checked_div(sb).unwrap_or(0) as u128,
            BinaryOp::URem => a.checked_rem(b).unwrap_or(0),
            BinaryOp::SRem => sa.checked_rem(sb).unwrap_or(0) as u128,
            BinaryOp::Shl => a << by,
            BinaryOp::LShr => a >> by,
            BinaryOp::AShr => (sa >> by) as u128,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
        },
    )
}

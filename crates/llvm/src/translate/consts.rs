//! Constants as values, and the bytes of initialisers.

use lariat_term::{BitVec, Op, Term};
use rustc_hash::FxHashMap;

use super::{
    Translator, arithmetic,
    body::Body,
    cast,
    value::{self, Pointer, Value},
};
use crate::{
    memory::Maker,
    module::{BlockId, CastOp, Const, ConstId, FuncId, TypeId, TypeKind},
};

/// Little-endian words as a number.
fn words(words: &[u64]) -> dashu_int::UBig {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    dashu_int::UBig::from_le_bytes(&bytes)
}

impl<'a> Translator<'a> {
    fn object_pointer(&mut self, maker: Maker) -> Option<Pointer> {
        let object = self.object_of(maker)?;
        Some(Pointer { object: self.object_term(object), offset: self.offset_term(0) })
    }

    /// A constant that is one value; `None` if it is undefined or not supported.
    pub(super) fn known_constant(&mut self, c: ConstId) -> Option<Value> {
        Some(match self.module.constant(c) {
            Const::Int(ty, bits) => {
                let TypeKind::Int(width) = self.module.ty(*ty).kind else { return None };
                match width {
                    1 => Value::Term(self.terms.bool(bits.first().is_some_and(|word| word & 1 == 1))),
                    _ => Value::Term(self.terms.bv(width, words(bits))),
                }
            }
            Const::Float(ty, bits) => {
                let width = (self.module.ty(*ty).store_size * 8) as u32;
                let bits = self.terms.bv(width, words(bits));
                return value::from_bits(self.module, self.terms, bits, *ty);
            }
            Const::Null => Value::Ptr(Pointer { object: self.object_term(0), offset: self.offset_term(0) }),
            Const::Zero(ty) => {
                let mut sorts = Vec::new();
                value::sorts(self.module, self.terms, *ty, &mut sorts)?;
                let leaves: Vec<Term> = sorts.into_iter().map(|sort| value::zero(self.terms, sort)).collect();
                return value::build(self.module, *ty, &mut leaves.into_iter());
            }
            Const::Undef(_) | Const::Poison(_) | Const::Other(..) => return None,
            Const::Aggregate(_, members) => {
                let members: Option<Vec<Value>> = members.iter().map(|&member| self.known_constant(member)).collect();
                Value::Many(members?)
            }
            Const::Bytes(_, bytes) => {
                Value::Many(bytes.iter().map(|&byte| Value::Term(self.terms.bv(8, byte))).collect())
            }
            Const::Global(g) => Value::Ptr(self.object_pointer(Maker::Global(*g))?),
            Const::Function(f) => Value::Ptr(self.object_pointer(Maker::Function(*f))?),
            Const::Label(f, block) => Value::Ptr(self.label_pointer(*f, *block)),
            Const::Gep(gep) => {
                let Value::Ptr(base) = self.known_constant(gep.base)? else { return None };
                let mut offset = self.offset_term(gep.offset);
                for &(index, scale) in &gep.terms {
                    let Value::Term(index) = self.known_constant(index)? else { return None };
                    let index = value::resize(self.terms, index, self.module.pointer_bits, true);
                    let scale = self.offset_term(scale);
                    let part = self.terms.mk(Op::BvMul, &[index, scale]);
                    offset = self.terms.mk(Op::BvAdd, &[offset, part]);
                }
                let offset = self.terms.mk(Op::BvAdd, &[base.offset, offset]);
                Value::Ptr(Pointer { object: base.object, offset })
            }
            Const::Cast(op, value, ty) => {
                let value = self.known_constant(*value)?;
                return self.constant_cast(*op, value, *ty);
            }
            Const::Binary(op, lhs, rhs) => {
                let (Value::Term(lhs), Value::Term(rhs)) = (self.known_constant(*lhs)?, self.known_constant(*rhs)?)
                else {
                    return None;
                };
                Value::Term(arithmetic::binary(self.terms, *op, lhs, rhs))
            }
        })
    }

    fn constant_cast(&mut self, op: CastOp, value: Value, ty: TypeId) -> Option<Value> {
        match (op, value) {
            (CastOp::PtrToInt, Value::Ptr(pointer)) => {
                let TypeKind::Int(width) = self.module.ty(ty).kind else { return None };
                let fits = value::has_integer(self.module, self.terms, pointer);
                if fits != (self.terms.bool(true), self.terms.bool(true)) {
                    return None;
                }
                let bits = value::pointer_to_int(self.module, self.terms, pointer);
                Some(Value::Term(value::resize(self.terms, bits, width, false)))
            }
            (CastOp::IntToPtr, Value::Term(term)) => {
                let bits = value::resize(self.terms, term, self.module.pointer_bits, false);
                Some(Value::Ptr(value::int_to_pointer(self.module, self.terms, bits)))
            }
            (CastOp::Bitcast | CastOp::AddrSpace, value @ Value::Ptr(_)) => Some(value),
            (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, Value::Term(term)) => {
                let TypeKind::Int(width) = self.module.ty(ty).kind else { return None };
                Some(Value::Term(cast::int_cast(self.terms, op, term, width)))
            }
            _ => None,
        }
    }

    /// The address of a block: the object of its function's labels, and the block's number.
    pub(super) fn label_pointer(&mut self, f: FuncId, block: BlockId) -> Pointer {
        let next = &mut self.next_object;
        let object = *self.labels.entry(f).or_insert_with(|| {
            *next += 1;
            *next - 1
        });
        Pointer { object: self.object_term(object), offset: self.offset_term(i64::from(block.0)) }
    }
}

impl Body<'_, '_> {
    pub fn label(&mut self, f: FuncId, block: BlockId) -> Pointer {
        self.t.label_pointer(f, block)
    }

    /// A constant as a value; what is undefined in it is any value.
    pub fn constant(&mut self, c: ConstId) -> Value {
        if let Some(value) = self.t.known_constant(c) {
            return value;
        }
        match self.t.module.constant(c) {
            Const::Undef(ty) => self.any(*ty),
            Const::Poison(ty) => {
                // In C files there is a check before it.
                let properties = &self.t.options.properties;
                if properties.division || properties.shift || properties.float_cast {
                    self.unsupported("a constant division, shift or conversion without a result");
                }
                self.any(*ty)
            }
            Const::Aggregate(_, members) => {
                let part = |body: &mut Self, member| match body.t.module.constant(member) {
                    // A place that is filled later.
                    Const::Poison(ty) => body.any(*ty),
                    _ => body.constant(member),
                };
                Value::Many(members.iter().map(|&member| part(self, member)).collect())
            }
            Const::Other(ty, text) => {
                self.unsupported(&format!("the constant {text}"));
                self.any(*ty)
            }
            Const::Gep(_) | Const::Global(_) | Const::Function(_) => {
                self.unsupported("an address of an object without a number");
                let (object, offset) = (self.t.object_sort(), self.t.offset_sort());
                let (object, offset) = (self.fresh("any", object), self.fresh("any", offset));
                Value::Ptr(Pointer { object, offset })
            }
            Const::Cast(_, _, ty) => {
                self.unsupported("a constant expression");
                self.any(*ty)
            }
            Const::Binary(_, lhs, _) => {
                self.unsupported("a constant expression");
                let like = self.constant(*lhs);
                self.any_like(&like)
            }
            Const::Zero(ty) | Const::Int(ty, _) | Const::Float(ty, _) | Const::Bytes(ty, _) => self.any(*ty),
            Const::Null | Const::Label(..) => Value::Void,
        }
    }
}

/// The content of an initialiser: what is not zero in it.
#[derive(Default)]
pub(super) struct Image {
    /// Bytes that are not zero, by offset.
    pub bytes: FxHashMap<u64, u8>,
    /// Addresses, by offset.
    pub pointers: FxHashMap<u64, Pointer>,
    /// Something in it is not supported.
    pub incomplete: bool,
}

impl Image {
    /// `size` bytes at an offset, as a bit-vector, lowest byte first; `None` if an address is there.
    pub fn bits(&self, t: &mut Translator<'_>, offset: u64, size: u64) -> Option<Term> {
        let pointer = u64::from(t.module.pointer_bits / 8);
        let from = offset.saturating_sub(pointer - 1);
        if !self.pointers.is_empty() && (from..offset + size).any(|at| self.pointers.contains_key(&at)) {
            return None;
        }
        let bytes: Vec<u8> = (offset..offset + size).map(|at| self.bytes.get(&at).copied().unwrap_or(0)).collect();
        Some(t.terms.bv((size * 8) as u32, dashu_int::UBig::from_le_bytes(&bytes)))
    }

    /// Bits at an offset where addresses may be.
    pub fn mixed_bits(&self, t: &mut Translator<'_>, offset: u64, size: u64) -> Term {
        if let Some(bits) = self.bits(t, offset, size) {
            return bits;
        }
        let pointer = u64::from(t.module.pointer_bits / 8);
        let mut all: Option<Term> = None;
        for at in offset..offset + size {
            let from = at.saturating_sub(pointer - 1);
            let covering = (from..=at).find_map(|start| self.pointers.get(&start).map(|p| (start, *p)));
            let byte = match covering {
                Some((start, p)) => {
                    let fits = value::has_integer(t.module, t.terms, p);
                    t.misfits |= fits != (t.terms.bool(true), t.terms.bool(true));
                    let bits = value::pointer_to_int(t.module, t.terms, p);
                    let low = ((at - start) * 8) as u32;
                    t.terms.extract(low + 7, low, bits)
                }
                None => t.terms.bv(8, self.bytes.get(&at).copied().unwrap_or(0)),
            };
            all = Some(match all {
                Some(low) => t.terms.mk(Op::Concat, &[byte, low]),
                None => byte,
            });
        }
        all.unwrap_or_else(|| t.terms.bv(8, 0u32))
    }
}

impl Translator<'_> {
    /// Adds a constant at an offset to an image.
    pub(super) fn add_to_image(&mut self, image: &mut Image, c: ConstId, offset: u64) {
        let module = self.module;
        match module.constant(c) {
            Const::Null | Const::Zero(_) | Const::Undef(_) | Const::Poison(_) => {}
            Const::Bytes(_, bytes) => {
                for (i, &byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                    image.bytes.insert(offset + i as u64, byte);
                }
            }
            Const::Aggregate(ty, members) => match &module.ty(*ty).kind {
                TypeKind::Struct(fields) => {
                    for (&member, &(_, at)) in members.iter().zip(fields) {
                        self.add_to_image(image, member, offset + at);
                    }
                }
                TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                    let size = module.ty(*element).size;
                    for (i, &member) in members.iter().enumerate() {
                        self.add_to_image(image, member, offset + i as u64 * size);
                    }
                }
                _ => image.incomplete = true,
            },
            Const::Int(ty, bits) | Const::Float(ty, bits) => {
                let size = module.ty(*ty).store_size as usize;
                let bytes = bits.iter().flat_map(|word| word.to_le_bytes()).take(size);
                for (i, byte) in bytes.enumerate().filter(|(_, byte)| *byte != 0) {
                    image.bytes.insert(offset + i as u64, byte);
                }
            }
            Const::Other(..) => image.incomplete = true,
            Const::Global(_)
            | Const::Function(_)
            | Const::Label(..)
            | Const::Gep(_)
            | Const::Cast(..)
            | Const::Binary(..) => match self.known_constant(c) {
                Some(Value::Ptr(pointer)) => {
                    image.pointers.insert(offset, pointer);
                }
                Some(Value::Term(term)) => match self.terms.op(term) {
                    Op::Const(id) => {
                        let bits = self.terms.const_value(id).as_bv().map(|bv: &BitVec| bv.bits().to_le_bytes());
                        for (i, &byte) in bits.iter().flat_map(|b| b.iter()).enumerate().filter(|(_, b)| **b != 0) {
                            image.bytes.insert(offset + i as u64, byte);
                        }
                    }
                    _ => image.incomplete = true,
                },
                _ => image.incomplete = true,
            },
        }
    }
}

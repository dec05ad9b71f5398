//! Types with their layout.

use rustc_hash::FxHashMap;

use super::Copier;
use super::raw::{Ty, TyKind};
use crate::module::{FloatKind, Type, TypeId, TypeKind};

/// The types seen so far.
#[derive(Default)]
pub(super) struct Types<'s> {
    seen: FxHashMap<Ty<'s>, TypeId>,
    interned: FxHashMap<Type, TypeId>,
}

/// No object is larger than this, so sizes never overflow.
const LARGEST: u64 = 1 << 62;

impl<'s> Copier<'s> {
    /// A type. Parts come before the whole, without recursion.
    pub(super) fn ty(&mut self, ty: Ty<'s>) -> TypeId {
        if let Some(id) = self.types.seen.get(&ty) {
            return *id;
        }
        let mut stack = vec![(ty, false)];
        while let Some((ty, parts_done)) = stack.pop() {
            if self.types.seen.contains_key(&ty) {
                continue;
            }
            let parts = ty.parts();
            if !parts_done && !parts.is_empty() {
                stack.push((ty, true));
                stack.extend(parts.into_iter().map(|p| (p, false)));
                continue;
            }
            let parts: Vec<TypeId> = parts.iter().map(|p| self.types.seen[p]).collect();
            let copy = self.copy_type(ty, parts);
            let id = self.intern_type(copy);
            self.types.seen.insert(ty, id);
        }
        self.types.seen[&ty]
    }

    /// The type, or `void` where LLVM has none.
    pub(super) fn ty_or_void(&mut self, ty: Option<Ty<'s>>) -> TypeId {
        match ty {
            Some(ty) => self.ty(ty),
            None => self.intern_type(unsized_type(TypeKind::Void)),
        }
    }

    /// The type of a function without parameters and result.
    pub(super) fn procedure_type(&mut self) -> TypeId {
        let void = self.ty_or_void(None);
        self.intern_type(unsized_type(TypeKind::Function(void, Vec::new(), false)))
    }

    /// Is it an integer type?
    pub(super) fn is_int(&self, id: TypeId) -> bool {
        matches!(self.module.types[id.index()].kind, TypeKind::Int(_))
    }

    fn intern_type(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.types.interned.get(&ty) {
            return *id;
        }
        let id = TypeId(self.module.types.len() as u32);
        self.module.types.push(ty.clone());
        self.types.interned.insert(ty, id);
        id
    }

    fn copy_type(&self, ty: Ty<'s>, parts: Vec<TypeId>) -> Type {
        let part = |i: usize| &self.module.types[parts[i].index()];
        let kind = match ty.kind() {
            TyKind::Void => return unsized_type(TypeKind::Void),
            TyKind::Function => {
                return unsized_type(TypeKind::Function(parts[0], parts[1..].to_vec(), ty.is_varargs()));
            }
            TyKind::Integer => TypeKind::Int(ty.int_bits().unwrap_or(0)),
            TyKind::Half => TypeKind::Float(FloatKind::Half),
            TyKind::BFloat => TypeKind::Float(FloatKind::BFloat),
            TyKind::Single => TypeKind::Float(FloatKind::Single),
            TyKind::Double => TypeKind::Float(FloatKind::Double),
            TyKind::X86Extended => TypeKind::Float(FloatKind::X86Extended),
            TyKind::Quad => TypeKind::Float(FloatKind::Quad),
            TyKind::PpcPair => TypeKind::Float(FloatKind::PpcPair),
            TyKind::Pointer => TypeKind::Ptr,
            TyKind::Array | TyKind::Vector | TyKind::Struct if (0..parts.len()).any(|i| !has_size(part(i))) => {
                return other("an aggregate of parts without a fixed size");
            }
            TyKind::Array => {
                // Not asked of LLVM, which would look through all of a nested array each time.
                let (element, len) = (part(0), ty.len());
                let Some(size) = element.size.checked_mul(len).filter(|s| *s <= LARGEST) else {
                    return other("an array of more than 2^62 bytes");
                };
                let align = element.align;
                return Type { kind: TypeKind::Array(parts[0], len), size, store_size: size, align };
            }
            TyKind::Vector => TypeKind::Vector(parts[0], ty.len()),
            TyKind::Struct if ty.is_opaque() => return other("an opaque structure"),
            TyKind::Struct => {
                let total = (0..parts.len()).try_fold(0u64, |sum, i| sum.checked_add(part(i).size));
                if total.is_none_or(|t| t > LARGEST) {
                    return other("a structure of more than 2^62 bytes");
                }
                TypeKind::Struct(parts.into_iter().zip(0..).map(|(t, i)| (t, ty.member_offset(i))).collect())
            }
            TyKind::Label => return other("label"),
            TyKind::Metadata => return other("metadata"),
            TyKind::Token => return other("token"),
            TyKind::X86Mmx => return other("x86_mmx"),
            TyKind::X86Amx => return other("x86_amx"),
            TyKind::ScalableVector => return other("a vector of unknown length"),
            TyKind::TargetExtension => return other("a type of one machine"),
            TyKind::Unknown => return other("an unknown type"),
        };
        match ty.layout() {
            Some((size, store_size, align)) => Type { kind, size, store_size, align },
            None => other("a type without a size"),
        }
    }
}

/// Does a type have a size (possibly 0) that the rest can count with?
fn has_size(ty: &Type) -> bool {
    !matches!(ty.kind, TypeKind::Void | TypeKind::Function(..) | TypeKind::Other(_))
}

fn unsized_type(kind: TypeKind) -> Type {
    Type { kind, size: 0, store_size: 0, align: 1 }
}

fn other(name: &str) -> Type {
    unsized_type(TypeKind::Other(name.to_string()))
}

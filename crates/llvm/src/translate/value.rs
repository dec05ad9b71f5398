//! Values of LLVM as terms, and their conversion to and from the bits that memory holds.
//!
//! An `i1` is a Boolean, another integer a bit-vector, a float a float of its format, a pointer a
//! pair of object and offset, and a vector, array or structure the list of its members. Where the program can see the bit
//! patterns of NaNs ([`Module::float_bits`]), a float is the bit-vector of its pattern instead (see `float`).

use lariat_term::{Op, Sort, SortKind, Term, Terms};

use crate::module::{FloatKind, Module, TypeId, TypeKind};

/// The width of the number of an object.
pub const OBJECT_BITS: u32 = 32;

/// What an LLVM value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// No value (`void`).
    Void,
    /// A Boolean, an integer or a float.
    Term(Term),
    /// A pointer.
    Ptr(Pointer),
    /// The members of a vector, an array or a structure.
    Many(Vec<Value>),
}

/// A pointer: an object and a (signed) byte offset in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The number of the object; 0 for the null pointer.
    pub object: Term,
    /// The offset.
    pub offset: Term,
}

impl Value {
    /// All terms of the value, in order.
    pub fn leaves(&self, out: &mut Vec<Term>) {
        match self {
            Value::Void => {}
            Value::Term(term) => out.push(*term),
            Value::Ptr(pointer) => out.extend([pointer.object, pointer.offset]),
            Value::Many(members) => members.iter().for_each(|member| member.leaves(out)),
        }
    }

    /// The same value with other terms, in the order of [`Value::leaves`].
    pub fn with_leaves(&self, terms: &mut impl Iterator<Item = Term>) -> Value {
        let mut next = |old: Term| terms.next().unwrap_or(old);
        match self {
            Value::Void => Value::Void,
            Value::Term(term) => Value::Term(next(*term)),
            Value::Ptr(p) => Value::Ptr(Pointer { object: next(p.object), offset: next(p.offset) }),
            Value::Many(members) => Value::Many(members.iter().map(|member| member.with_leaves(terms)).collect()),
        }
    }
}

/// Exponent and significand bits of a format with IEEE semantics.
pub fn float_format(kind: FloatKind) -> Option<(u32, u32)> {
    Some(match kind {
        FloatKind::Half => (5, 11),
        FloatKind::BFloat => (8, 8),
        FloatKind::Single => (8, 24),
        FloatKind::Double => (11, 53),
        FloatKind::X86Extended => (15, 64),
        FloatKind::Quad => (15, 113),
        FloatKind::PpcPair => return None,
    })
}

/// How many bits a float of a format has in memory.
pub fn float_width(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Single => 32,
        FloatKind::Double => 64,
        FloatKind::X86Extended => 80,
        FloatKind::Quad | FloatKind::PpcPair => 128,
    }
}

/// The bit pattern of a float. That of a NaN is the quiet one without sign and payload.
pub fn encode_float(terms: &mut Terms, number: Term, kind: FloatKind) -> Term {
    let bits = terms.mk(Op::FpToBits, &[number]);
    if kind != FloatKind::X86Extended {
        return bits;
    }
    // The first bit of the significand is written out.
    let (high, low) = (terms.extract(78, 63, bits), terms.extract(62, 0, bits));
    let exponent = terms.extract(77, 63, bits);
    let none = terms.bv(15, 0u32);
    let normal = terms.ne(exponent, none);
    let integer = bool_to_bv(terms, normal, 1);
    let high = terms.mk(Op::Concat, &[high, integer]);
    terms.mk(Op::Concat, &[high, low])
}

/// The float of a bit pattern.
pub fn decode_float(terms: &mut Terms, bits: Term, kind: FloatKind) -> Option<Term> {
    let (exp, sig) = float_format(kind)?;
    if kind != FloatKind::X86Extended {
        return Some(terms.mk(Op::FpFromBits { exp, sig }, &[bits]));
    }
    let (sign, exponent) = (terms.extract(79, 79, bits), terms.extract(78, 64, bits));
    let (integer, fraction) = (terms.extract(63, 63, bits), terms.extract(62, 0, bits));
    let (none, one) = (terms.bv(15, 0u32), terms.bv(15, 1u32));
    let (small, set) = (terms.eq(exponent, none), bv_to_bool(terms, integer));
    // With the smallest exponent the first bit is worth what it is worth with the next one. With any other, it must be
    // there: the processor takes the rest as NaN.
    let denormal = terms.and(&[small, set]);
    let effective = terms.ite(denormal, one, exponent);
    let high = terms.mk(Op::Concat, &[sign, effective]);
    let pattern = terms.mk(Op::Concat, &[high, fraction]);
    let number = terms.mk(Op::FpFromBits { exp, sig }, &[pattern]);
    let all = terms.bv(exp + sig, dashu_int::UBig::ones((exp + sig) as usize));
    let nan = terms.mk(Op::FpFromBits { exp, sig }, &[all]);
    let valid = terms.or(&[small, set]);
    Some(terms.ite(valid, number, nan))
}

/// The sorts of the leaves of a type; `None` if it has no values that we know.
pub fn sorts(module: &Module, terms: &mut Terms, ty: TypeId, out: &mut Vec<Sort>) -> Option<()> {
    match &module.ty(ty).kind {
        TypeKind::Void => {}
        TypeKind::Int(1) => out.push(Sort::BOOL),
        TypeKind::Int(bits) => out.push(terms.bv_sort(*bits)),
        TypeKind::Float(kind) => {
            let (exp, sig) = float_format(*kind)?;
            out.push(match module.float_bits {
                true => terms.bv_sort(float_width(*kind)),
                false => terms.float_sort(exp, sig),
            });
        }
        TypeKind::Ptr => {
            out.push(terms.bv_sort(OBJECT_BITS));
            out.push(terms.bv_sort(module.pointer_bits));
        }
        TypeKind::Array(element, count) | TypeKind::Vector(element, count) => {
            if *count > MAX_MEMBERS {
                return None;
            }
            for _ in 0..*count {
                sorts(module, terms, *element, out)?;
            }
        }
        TypeKind::Struct(members) => {
            for &(member, _) in members {
                sorts(module, terms, member, out)?;
            }
        }
        TypeKind::Function(..) | TypeKind::Other(_) => return None,
    }
    Some(())
}

/// Arrays with more members are not values (only memory).
pub const MAX_MEMBERS: u64 = 4096;

/// A value of a type whose leaves are these terms.
pub fn build(module: &Module, ty: TypeId, leaves: &mut impl Iterator<Item = Term>) -> Option<Value> {
    Some(match &module.ty(ty).kind {
        TypeKind::Void => Value::Void,
        TypeKind::Int(_) | TypeKind::Float(_) => Value::Term(leaves.next()?),
        TypeKind::Ptr => Value::Ptr(Pointer { object: leaves.next()?, offset: leaves.next()? }),
        TypeKind::Array(element, count) | TypeKind::Vector(element, count) => {
            let members: Option<Vec<Value>> = (0..*count).map(|_| build(module, *element, leaves)).collect();
            Value::Many(members?)
        }
        TypeKind::Struct(members) => {
            let members: Option<Vec<Value>> = members.iter().map(|&(m, _)| build(module, m, leaves)).collect();
            Value::Many(members?)
        }
        TypeKind::Function(..) | TypeKind::Other(_) => return None,
    })
}

/// The all-zero value of a sort.
pub fn zero(terms: &mut Terms, sort: Sort) -> Term {
    match terms.sort_kind(sort) {
        SortKind::Bool => terms.bool(false),
        SortKind::BitVec(width) => terms.bv(width, 0u32),
        SortKind::Float { exp, sig } => {
            let bits = terms.bv(exp + sig, 0u32);
            terms.mk(Op::FpFromBits { exp, sig }, &[bits])
        }
        SortKind::Array(_, element) => {
            let element = zero(terms, element);
            terms.const_array(sort, element)
        }
        _ => terms.int(0),
    }
}

/// A Boolean as a bit-vector.
pub fn bool_to_bv(terms: &mut Terms, value: Term, width: u32) -> Term {
    let (one, zero) = (terms.bv(width, 1u32), terms.bv(width, 0u32));
    terms.ite(value, one, zero)
}

/// Whether the lowest bit of a bit-vector is set.
pub fn bv_to_bool(terms: &mut Terms, value: Term) -> Term {
    let bit = terms.extract(0, 0, value);
    let one = terms.bv(1, 1u32);
    terms.eq(bit, one)
}

/// Makes a bit-vector wider (by zeros or by its sign) or narrower.
pub fn resize(terms: &mut Terms, value: Term, width: u32, signed: bool) -> Term {
    let Some(old) = terms.bv_width(value) else { return value };
    match width.cmp(&old) {
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Less => terms.extract(width - 1, 0, value),
        std::cmp::Ordering::Greater if signed => terms.mk(Op::SignExt(width - old), &[value]),
        std::cmp::Ordering::Greater => terms.mk(Op::ZeroExt(width - old), &[value]),
    }
}

/// A pointer as an integer of the pointer's width.
pub fn pointer_to_int(module: &Module, terms: &mut Terms, p: Pointer) -> Term {
    let (object, offset) = split(module);
    let high = terms.extract(object - 1, 0, p.object);
    let low = terms.extract(offset - 1, 0, p.offset);
    terms.mk(Op::Concat, &[high, low])
}

/// Whether object and offset of a pointer have room in an integer, so that it stands for this pointer.
pub fn has_integer(module: &Module, terms: &mut Terms, p: Pointer) -> (Term, Term) {
    let bits = pointer_to_int(module, terms, p);
    let back = int_to_pointer(module, terms, bits);
    (terms.eq(back.object, p.object), terms.eq(back.offset, p.offset))
}

/// The pointer that an integer of the pointer's width stands for.
pub fn int_to_pointer(module: &Module, terms: &mut Terms, value: Term) -> Pointer {
    let (object, offset) = split(module);
    let high = terms.extract(object + offset - 1, offset, value);
    let low = terms.extract(offset - 1, 0, value);
    let object = resize(terms, high, OBJECT_BITS, false);
    let offset = resize(terms, low, module.pointer_bits, module.pointer_bits == 64);
    Pointer { object, offset }
}

/// How many bits of a pointer as an integer are the object and the offset.
pub fn split(module: &Module) -> (u32, u32) {
    if module.pointer_bits == 64 { (32, 32) } else { (12, 20) }
}

/// The first and the last number of objects that come from outside. The program's own have smaller ones, and
/// those of negative integers are larger.
pub fn outside(module: &Module) -> (u32, u32) {
    if module.pointer_bits == 64 { (1 << 30, (1 << 31) - 1) } else { (0xc00, 0xffe) }
}

/// The bits that a value takes in memory: `8 * store_size` of them.
pub fn to_bits(module: &Module, terms: &mut Terms, value: &Value, ty: TypeId) -> Option<Term> {
    let width = (module.ty(ty).store_size * 8) as u32;
    match (&module.ty(ty).kind, value) {
        (TypeKind::Int(1), Value::Term(term)) => Some(bool_to_bv(terms, *term, width)),
        (TypeKind::Int(_), Value::Term(term)) => Some(resize(terms, *term, width, false)),
        (TypeKind::Float(kind), Value::Term(term)) => Some(match module.float_bits {
            true => *term,
            false => encode_float(terms, *term, *kind),
        }),
        (TypeKind::Ptr, Value::Ptr(pointer)) => Some(pointer_to_int(module, terms, *pointer)),
        (TypeKind::Vector(element, _) | TypeKind::Array(element, _), Value::Many(members)) => {
            let mut all: Option<Term> = None;
            for member in members {
                let bits = match (&module.ty(*element).kind, member) {
                    (TypeKind::Int(1), Value::Term(bit)) => bool_to_bv(terms, *bit, 1),
                    (TypeKind::Int(_), Value::Term(bits)) => *bits,
                    _ => to_bits(module, terms, member, *element)?,
                };
                all = Some(match all {
                    Some(low) => terms.mk(Op::Concat, &[bits, low]),
                    None => bits,
                });
            }
            all
        }
        _ => None,
    }
}

/// The value of a type that such bits mean.
pub fn from_bits(module: &Module, terms: &mut Terms, bits: Term, ty: TypeId) -> Option<Value> {
    Some(match &module.ty(ty).kind {
        TypeKind::Int(1) => Value::Term(bv_to_bool(terms, bits)),
        TypeKind::Int(width) => Value::Term(resize(terms, bits, *width, false)),
        TypeKind::Float(kind) => Value::Term(match module.float_bits {
            true => bits,
            false => decode_float(terms, bits, *kind)?,
        }),
        TypeKind::Ptr => Value::Ptr(int_to_pointer(module, terms, bits)),
        TypeKind::Vector(element, count) => {
            let total = terms.bv_width(bits)?;
            let width = total / u32::try_from(*count).ok()?;
            let mut members = Vec::new();
            for i in 0..*count as u32 {
                let part = terms.extract((i + 1) * width - 1, i * width, bits);
                members.push(from_bits(module, terms, part, *element)?);
            }
            Value::Many(members)
        }
        _ => return None,
    })
}

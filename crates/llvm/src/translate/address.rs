//! Symbolic addresses: what a program sees of an address beyond identity.
//!
//! A pointer is a pair of object and offset, and an integer made of it is an *encoding* of that pair, which
//! is copied, moved by numbers and cast back exactly. Where a program looks at more (the order of two
//! objects, bits that alignment does not fix, a product), the encoding is replaced by the *address*: the
//! place of the object, from a ghost map `object.address` that nobody writes, plus the offset. The map is
//! there only if something looks. Places are in the range and of the alignment that the platform gives; that
//! objects do not overlap is not said, so a look is approximate where that could matter.

use lariat_term::{Op, Term};
use rustc_hash::FxHashSet;

use super::{
    arithmetic,
    body::Body,
    value::{self, OBJECT_BITS, Pointer},
};
use crate::{
    memory::{GroupId, Maker, SiteId},
    module::{BinaryOp, CastOp, FuncId, InstKind, Operand},
};

/// No object lies below.
pub(super) const LOWEST: u64 = 1 << 16;
/// So far it is followed where an integer comes from.
const DEPTH: u32 = 8;

/// An integer or pointer that may be an address.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// It is the address of an object: of a number that an object has.
    pub is_address: Term,
    /// The number of the object.
    pub object: Term,
    /// The offset in it.
    pub offset: Term,
    /// Its place.
    pub place: Term,
    /// What a machine has there: the place and the offset, or the plain number.
    pub value: Term,
    /// It is no number that only looks like an address.
    pub certain: bool,
}

/// Whether objects have bytes without an integer as their address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FarInside {
    Never,
    /// Memory of 2 GiB does not come from outside.
    Assumed,
    Unsupported,
}

/// An access to an unknown object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nowhere {
    /// It gives any value.
    Read,
    /// It may change anything.
    Write,
}

impl Body<'_, '_> {
    /// What objects to which an operand may lead are aligned to; `None` if it carries no address.
    pub fn address(&self, operand: Operand) -> Option<u32> {
        self.t.memory.address(self.func?, operand)
    }

    /// Whether an object has this number.
    fn exists(&mut self, object: Term) -> Term {
        let counter = self.t.counter();
        let next = self.term(counter);
        let none = self.t.object_term(0);
        let some = self.t.terms.ne(object, none);
        let mut made = self.t.terms.mk(Op::BvUlt, &[object, next]);
        if self.t.memory.outside {
            let outside = self.is_outside(object);
            made = self.t.terms.or(&[made, outside]);
        }
        if let Some(given) = self.t.given_objects() {
            let given = self.is_between(object, given);
            made = self.t.terms.or(&[made, given]);
        }
        self.t.terms.and(&[some, made])
    }

    /// Whether a number is one of objects from outside.
    fn is_outside(&mut self, object: Term) -> Term {
        self.is_between(object, value::outside(self.t.module))
    }

    fn is_between(&mut self, object: Term, (first, last): (u32, u32)) -> Term {
        let (first, last) = (self.t.object_term(first), self.t.object_term(last));
        let parts = [self.t.terms.mk(Op::BvUle, &[first, object]), self.t.terms.mk(Op::BvUle, &[object, last])];
        self.t.terms.and(&parts)
    }

    /// The place of an object that is aligned to `align`, if `exists` holds.
    fn place(&mut self, object: Term, exists: Term, align: u32) -> Term {
        let width = self.t.module.pointer_bits;
        let var = self.t.places();
        let places = self.term(var);
        let place = self.t.terms.select(places, object);
        // No address of 64 bits is negative. The encoding of an object's start is always one of its possible places.
        let highest = if width == 64 { 1u64 << 63 } else { 0xffff_0000 };
        let (low, high) = (self.t.terms.bv(width, LOWEST), self.t.terms.bv(width, highest));
        let mut facts = vec![self.t.terms.mk(Op::BvUle, &[low, place]), self.t.terms.mk(Op::BvUlt, &[place, high])];
        if align > 1 {
            let bits = align.trailing_zeros();
            let (low, zero) = (self.t.terms.extract(bits - 1, 0, place), self.t.terms.bv(bits, 0u32));
            facts.push(self.t.terms.eq(low, zero));
        }
        let facts = self.t.terms.and(&facts);
        let none = self.t.terms.not(exists);
        let facts = self.t.terms.or(&[none, facts]);
        self.assume(facts);
        place
    }

    /// A pointer as a machine sees it.
    pub fn seen_pointer(&mut self, p: Pointer, align: u32) -> Seen {
        let is_address = self.exists(p.object);
        let place = self.place(p.object, is_address, align);
        let address = self.t.terms.mk(Op::BvAdd, &[place, p.offset]);
        let number = value::pointer_to_int(self.t.module, self.t.terms, p);
        let value = self.t.terms.ite(is_address, address, number);
        Seen { is_address, object: p.object, offset: p.offset, place, value, certain: true }
    }

    /// An integer, at least as wide as a pointer, as a machine sees it.
    pub(super) fn seen(&mut self, operand: Operand, term: Term) -> Seen {
        let Some(align) = self.address(operand) else {
            let (never, none) = (self.t.terms.bool(false), self.t.object_term(0));
            return Seen { is_address: never, object: none, offset: term, place: term, value: term, certain: true };
        };
        let pointer_bits = self.t.module.pointer_bits;
        let width = self.t.terms.bv_width(term).unwrap_or(pointer_bits);
        let low = value::resize(self.t.terms, term, pointer_bits, false);
        let p = value::int_to_pointer(self.t.module, self.t.terms, low);
        let seen = Seen { certain: self.is_certain(operand, DEPTH), ..self.seen_pointer(p, align) };
        if width <= pointer_bits {
            // The number itself, not what is left of it in a pointer.
            let value = self.t.terms.ite(seen.is_address, seen.value, term);
            return Seen { value, ..seen };
        }
        // An address that was made wider, in one of the two ways.
        let mut value = term;
        let mut any = Vec::new();
        for signed in [false, true] {
            let same = value::resize(self.t.terms, low, width, signed);
            let same = self.t.terms.eq(same, term);
            let is = self.t.terms.and(&[seen.is_address, same]);
            let wide = value::resize(self.t.terms, seen.value, width, signed);
            value = self.t.terms.ite(is, wide, value);
            any.push(is);
        }
        let is_address = self.t.terms.or(&any);
        let place = value::resize(self.t.terms, seen.place, width, false);
        Seen { is_address, place, value, ..seen }
    }

    /// Whether an integer is a converted pointer, or one that was moved by a constant, so that a number does not only look like an
    /// address.
    fn is_certain(&self, operand: Operand, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let constant = |o: Operand| matches!(o, Operand::Const(_)) && self.address(o).is_none();
        match operand {
            Operand::Inst(i) => match self.function().map(|f| &f.inst(i).kind) {
                Some(InstKind::Cast { op: CastOp::PtrToInt, .. }) => true,
                Some(InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, value } | InstKind::Freeze(value)) => {
                    self.is_certain(*value, depth)
                }
                Some(InstKind::Binary {
                    op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or,
                    lhs,
                    rhs,
                    ..
                }) => constant(*rhs) && self.is_certain(*lhs, depth),
                Some(InstKind::Select { yes, no, .. }) => self.is_certain(*yes, depth) && self.is_certain(*no, depth),
                _ => false,
            },
            Operand::Const(_) => true,
            Operand::Param(_) | Operand::None => false,
        }
    }

    /// A constant near 0 is no address, but a number or an error code.
    pub(super) fn is_small(&self, term: Term) -> bool {
        let width = self.t.terms.bv_width(term).unwrap_or(64).min(64);
        let signed = |n: u64| ((n << (64 - width)) as i64) >> (64 - width);
        self.number(term).is_some_and(|n| (-4096..LOWEST as i64).contains(&signed(n)))
    }

    /// From here on there may be more executions than the program has, if the condition holds.
    pub fn approximate_if(&mut self, cond: Term, what: &str) {
        let never = self.t.terms.bool(false);
        self.approximate_if_unless(cond, never, what);
    }

    /// The same, but those for which `exact` holds are executions of the program.
    pub(super) fn approximate_if_unless(&mut self, cond: Term, exact: Term, what: &str) {
        if cond == self.t.terms.bool(false) {
            return;
        }
        let (odd, on) = (self.block("approximate"), self.block("exact"));
        self.branch(cond, odd, on);
        self.current = odd;
        self.approximate_unless(exact, what);
        self.goto(on);
        self.current = on;
    }

    /// From here on the bits of these addresses matter, if the condition holds. Nothing says that objects do not overlap, but
    /// where each lies in a part of the memory that its number gives it they do not.
    fn approximate_bits(&mut self, cond: Term, seen: &[Seen]) {
        let exact: Vec<Term> = seen.iter().map(|&seen| self.lies_apart(seen)).collect();
        let exact = self.t.terms.and(&exact);
        self.approximate_if_unless(cond, exact, WHAT);
    }

    /// Whether an object lies in the part of the memory that its number gives it, near neither end of it.
    pub(super) fn lies_apart(&mut self, seen: Seen) -> Term {
        let (object_bits, bits) = value::split(self.t.module);
        let terms = &mut self.t.terms;
        let (part, low) =
            (terms.extract(object_bits + bits - 1, bits, seen.place), terms.extract(bits - 1, 0, seen.place));
        let object = value::resize(terms, seen.object, object_bits, false);
        let (first, end) = (terms.bv(bits, 1u64 << (bits / 2)), terms.bv(bits, 1u64 << (bits - 2)));
        let parts = [terms.eq(part, object), terms.mk(Op::BvUle, &[first, low]), terms.mk(Op::BvUlt, &[low, end])];
        let apart = terms.and(&parts);
        let plain = terms.not(seen.is_address);
        if seen.certain { terms.or(&[plain, apart]) } else { plain }
    }

    /// An access through a pointer to no object that the points-to analysis knows. Null leads nowhere, and so does
    /// what was never set; a number may be the address of anything.
    pub fn nowhere(&mut self, p: Pointer, access: Nowhere) {
        let no = self.t.offset_term(1);
        self.nowhere_if(p, access, no);
    }

    /// The same for an access of so many bytes.
    pub fn nowhere_if(&mut self, p: Pointer, access: Nowhere, bytes: Term) {
        let number = value::pointer_to_int(self.t.module, self.t.terms, p);
        let width = self.t.module.pointer_bits;
        let (lowest, zero) = (self.t.terms.bv(width, LOWEST), self.t.offset_term(0));
        let null = self.t.terms.mk(Op::BvUlt, &[number, lowest]);
        let nothing = self.t.terms.eq(bytes, zero);
        let harmless = self.t.terms.or(&[null, nothing]);
        let what = "an access through a pointer that was made of a number";
        match access {
            Nowhere::Write => self.supported_if(harmless, what),
            Nowhere::Read => {
                let somewhere = self.t.terms.not(harmless);
                self.approximate_if(somewhere, what);
            }
        }
    }

    /// An integer whose bits matter: any, if it may be a part of an address as memory holds it.
    pub fn part_seen(&mut self, operand: Operand, term: Term) -> Term {
        if !self.func.is_some_and(|f| self.t.memory.part(f, operand)) || self.t.terms.bv_width(term).is_none() {
            return term;
        }
        self.approximate("a part of an address");
        let sort = self.t.terms.sort(term);
        self.fresh("part", sort)
    }

    /// An integer whose bits matter: the address, if it is one.
    pub fn looked_at(&mut self, operand: Operand, term: Term) -> Term {
        let term = self.part_seen(operand, term);
        let align = self.address(operand);
        let width = self.t.terms.bv_width(term).unwrap_or(0);
        if align.is_none() || width < self.t.module.pointer_bits || self.is_small(term) {
            return term;
        }
        let seen = self.seen(operand, term);
        self.approximate_bits(seen.is_address, &[seen]);
        seen.value
    }

    /// A pointer as an integer that is narrower.
    pub fn looked_at_pointer(&mut self, p: Pointer, align: u32) -> Term {
        let seen = self.seen_pointer(p, align);
        self.approximate_bits(seen.is_address, &[seen]);
        seen.value
    }

    /// The operands of an operation other than `+` and `-`: encodings where the result is right for them,
    /// addresses where it would not be.
    pub fn looked_at_operands(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand, a: Term, b: Term) -> (Term, Term) {
        let (left, right) = (self.address(lhs), self.address(rhs));
        let width = self.t.terms.bv_width(a).unwrap_or(0);
        if left.is_none() && right.is_none() || width < self.t.module.pointer_bits {
            return (a, b);
        }
        let always = self.t.terms.bool(true);
        let by_left = left.map_or(always, |align| self.within_alignment(op, b, align, false));
        let by_right = right.map_or(always, |align| self.within_alignment(op, a, align, true));
        if by_left == always && by_right == always && (left.is_none() || right.is_none()) {
            return (a, b);
        }
        let (x, y) = (self.seen(lhs, a), self.seen(rhs, b));
        let (plain_x, plain_y) = (self.t.terms.not(x.is_address), self.t.terms.not(y.is_address));
        let left = self.t.terms.or(&[plain_x, by_left]);
        let right = self.t.terms.or(&[plain_y, by_right]);
        let one = self.t.terms.or(&[plain_x, plain_y]);
        let exact = self.t.terms.and(&[left, right, one]);
        let more = self.t.terms.not(exact);
        self.approximate_bits(more, &[x, y]);
        (self.t.terms.ite(exact, a, x.value), self.t.terms.ite(exact, b, y.value))
    }

    /// An address with some bits set, cleared or changed by a constant, whatever its alignment: it is still an address of the same
    /// object if it is not far away, and else a number. `None` if that does not apply.
    pub fn masked_address(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand, a: Term, b: Term) -> Option<Term> {
        let (align, operand, term, mask) = match (self.address(lhs), self.address(rhs)) {
            (Some(align), None) if self.number(b).is_some() => (align, lhs, a, b),
            (None, Some(align)) if self.number(a).is_some() => (align, rhs, b, a),
            _ => return None,
        };
        let applies = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
            && self.t.terms.bv_width(a) == Some(self.t.module.pointer_bits);
        if !applies || self.within_alignment(op, mask, align, false) == self.t.terms.bool(true) {
            return None;
        }
        let seen = self.seen(operand, term);
        let plain = arithmetic::binary(self.t.terms, op, a, b);
        let value = arithmetic::binary(self.t.terms, op, seen.value, mask);
        let offset = self.t.terms.bv_sub(value, seen.place);
        let moved = Pointer { object: seen.object, offset };
        let (_, near) = value::has_integer(self.t.module, self.t.terms, moved);
        let lowest = self.t.terms.bv(self.t.module.pointer_bits, LOWEST);
        let high = self.t.terms.mk(Op::BvUle, &[lowest, value]);
        let near = self.t.terms.and(&[near, high]);
        let far = self.t.terms.not(near);
        let odd = self.t.terms.and(&[seen.is_address, far]);
        self.approximate_bits(odd, &[seen]);
        let moved = value::pointer_to_int(self.t.module, self.t.terms, moved);
        let value = self.t.terms.ite(near, moved, value);
        Some(self.t.terms.ite(seen.is_address, value, plain))
    }

    /// An integer that becomes a pointer. If it was computed from bits of an address, it is not known which object it leads
    /// to, unless it leads nowhere.
    pub fn address_again(&mut self, operand: Operand, bits: Term) {
        if !self.func.is_some_and(|f| self.t.memory.derived(f, operand)) {
            return;
        }
        let p = value::int_to_pointer(self.t.module, self.t.terms, bits);
        let exists = self.exists(p.object);
        let lowest = self.t.terms.bv(self.t.module.pointer_bits, LOWEST);
        let low = self.t.terms.mk(Op::BvUlt, &[bits, lowest]);
        let known = self.t.terms.or(&[exists, low]);
        self.supported_if(known, "a pointer that was computed from the bits of an address");
        self.approximate_if(exists, "a pointer that was computed from the bits of an address");
    }

    /// Whether an operation of an address with this number changes or shows only bits that alignment fixes.
    fn within_alignment(&mut self, op: BinaryOp, number: Term, align: u32, swapped: bool) -> Term {
        let terms = &mut self.t.terms;
        let Some(width) = terms.bv_width(number) else { return terms.bool(false) };
        let limit = terms.bv(width, align);
        let low = terms.mk(Op::BvUlt, &[number, limit]);
        match op {
            // A test of low bits, or rounding down.
            BinaryOp::And => {
                let others = terms.mk(Op::BvNot, &[number]);
                let high = terms.mk(Op::BvUlt, &[others, limit]);
                terms.or(&[low, high])
            }
            // A tag.
            BinaryOp::Or | BinaryOp::Xor => low,
            BinaryOp::URem | BinaryOp::SRem if !swapped => {
                let divides = self.number(number).is_some_and(|n| n.is_power_of_two() && n <= u64::from(align));
                self.t.terms.bool(divides)
            }
            _ => terms.bool(false),
        }
    }

    /// The sum or difference of integers of which at least one may be an address; `None` if none can. An address that is
    /// moved by a number stays one.
    pub fn moved_address(
        &mut self,
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
        a: Term,
        b: Term,
    ) -> Option<(Term, Term)> {
        let (left, right) = (self.address(lhs), self.address(rhs));
        let width = self.t.terms.bv_width(a)?;
        if left.is_none() && right.is_none() || width < self.t.module.pointer_bits {
            return None;
        }
        let plus = op == BinaryOp::Add;
        let plain = arithmetic::binary(self.t.terms, op, a, b);
        if width > self.t.module.pointer_bits {
            let (x, y) = (self.seen(lhs, a), self.seen(rhs, b));
            let some = self.t.terms.or(&[x.is_address, y.is_address]);
            self.approximate_bits(some, &[x, y]);
            return Some((arithmetic::binary(self.t.terms, op, x.value, y.value), some));
        }
        let is_address = |body: &mut Self, term: Term, align: Option<u32>| match align {
            Some(_) => {
                let p = value::int_to_pointer(body.t.module, body.t.terms, term);
                body.exists(p.object)
            }
            None => body.t.terms.bool(false),
        };
        let (x, y) = (is_address(self, a, left), is_address(self, b, right));
        let mut result = plain;
        // One address and a number.
        if left.is_some() {
            let other = self.t.terms.not(y);
            let alone = self.t.terms.and(&[x, other]);
            let moved = self.shifted((lhs, a), b, op, alone);
            result = self.t.terms.ite(alone, moved, result);
        }
        if right.is_some() && plus {
            let other = self.t.terms.not(x);
            let alone = self.t.terms.and(&[y, other]);
            let moved = self.shifted((rhs, b), a, op, alone);
            result = self.t.terms.ite(alone, moved, result);
        }
        // Two addresses, or a number less an address.
        if right.is_some() && (left.is_some() || !plus) {
            let (p, q) = (self.seen(lhs, a), self.seen(rhs, b));
            let both = if plus { self.t.terms.and(&[x, y]) } else { y };
            let mut odd = both;
            let mut value = arithmetic::binary(self.t.terms, op, p.value, q.value);
            if !plus {
                let same = self.t.terms.eq(p.object, q.object);
                let near = self.t.terms.and(&[x, same]);
                let distance = self.t.terms.bv_sub(p.offset, q.offset);
                value = self.t.terms.ite(near, distance, value);
                let far = self.t.terms.not(near);
                odd = self.t.terms.and(&[both, far]);
            }
            self.approximate_bits(odd, &[p, q]);
            result = self.t.terms.ite(both, value, result);
        }
        let some = self.t.terms.or(&[x, y]);
        Some((result, some))
    }

    /// An address (if `is_address` holds) moved by a number.
    fn shifted(&mut self, (operand, address): (Operand, Term), by: Term, op: BinaryOp, is_address: Term) -> Term {
        let p = value::int_to_pointer(self.t.module, self.t.terms, address);
        let offset = arithmetic::binary(self.t.terms, op, p.offset, by);
        let moved = Pointer { object: p.object, offset };
        let (_, fits) = value::has_integer(self.t.module, self.t.terms, moved);
        let encoded = value::pointer_to_int(self.t.module, self.t.terms, moved);
        match self.far_inside(operand) {
            FarInside::Never => {}
            FarInside::Assumed if !self.is_certain(operand, DEPTH) => self.t.limits_outside = true,
            FarInside::Assumed => {
                self.t.limits_outside = true;
                let none = self.t.terms.not(is_address);
                let fits = self.t.terms.or(&[none, fits]);
                self.assume(fits);
                return encoded;
            }
            FarInside::Unsupported => {
                let none = self.t.terms.not(is_address);
                let fits = self.t.terms.or(&[none, fits]);
                self.supported_if(fits, "the address of a byte so far inside an object as an integer");
                return encoded;
            }
        }
        // Far outside of its object anything may be.
        let misfit = self.t.terms.not(fits);
        let odd = self.t.terms.and(&[is_address, misfit]);
        self.approximate_if(odd, WHAT);
        let sort = self.t.offset_sort();
        let any = self.fresh("number", sort);
        self.t.terms.ite(fits, encoded, any)
    }

    /// Whether the objects that an operand may point to have bytes so far inside that no integer is their address. With 32
    /// bits blocks whose size is no constant have none: see [`Body::check_block_has_integers`].
    fn far_inside(&self, operand: Operand) -> FarInside {
        let wide = self.t.module.pointer_bits == 64;
        let end = 1u64 << (value::split(self.t.module).1 - u32::from(wide));
        // Without a target it is not used for an access.
        let sites = self.target(operand).map_or(&[][..], |t| &self.t.memory.groups[t.group.index()].sites);
        let sites = sites.iter().map(|site| &self.t.memory.sites[site.index()]);
        let mut large = sites.filter(|site| site.size.map_or(wide, |size| size >= end)).peekable();
        if large.peek().is_none() {
            FarInside::Never
        } else if wide && large.all(|site| site.maker == Maker::Outside) {
            FarInside::Assumed
        } else {
            FarInside::Unsupported
        }
    }

    /// With 32 bits, blocks whose addresses are moved as integers are not larger than the offsets of integers.
    pub fn check_block_has_integers(&mut self, site: SiteId, bytes: Term, fails: Term) {
        let group = self.t.memory.sites[site.index()].group;
        if self.t.module.pointer_bits == 64 || !self.t.moved_groups().contains(&group) {
            return;
        }
        let (_, bits) = value::split(self.t.module);
        let end = self.t.offset_term(1 << bits);
        let small = self.t.terms.mk(Op::BvUlt, &[bytes, end]);
        let small = self.t.terms.or(&[small, fails]);
        self.supported_if(small, "a large block whose address is moved as an integer");
    }
}

const WHAT: &str = "the bits of an address";

impl super::Translator<'_> {
    /// The groups with addresses that are moved as integers.
    fn moved_groups(&mut self) -> &FxHashSet<GroupId> {
        let (module, memory) = (self.module, &self.memory);
        self.moved.get_or_insert_with(|| {
            let mut groups = FxHashSet::default();
            for (f, function) in module.functions.iter().enumerate() {
                let f = FuncId(f as u32);
                for inst in &function.insts {
                    if let InstKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs, .. } = inst.kind {
                        let addresses = [lhs, rhs].into_iter().filter(|&o| memory.address(f, o).is_some());
                        groups.extend(addresses.filter_map(|o| memory.target(f, o)).map(|target| target.group));
                    }
                }
            }
            groups
        })
    }

    /// The ghost map from objects to their places.
    pub(super) fn places(&mut self) -> lariat_term::Var {
        if let Some(var) = self.places {
            return var;
        }
        let (object, offset) = (self.terms.bv_sort(OBJECT_BITS), self.offset_sort());
        let sort = self.terms.array_sort(object, offset);
        let var = self.global("object.address", sort, None, lariat_program::Loc::NONE);
        self.places = Some(var);
        var
    }
}

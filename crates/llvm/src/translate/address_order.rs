//! The order and the distance of symbolic addresses, also of pointers from nowhere (numbers) and from outside.

use lariat_term::{Op, Sort, Term};

use super::{
    address::{LOWEST, Seen},
    body::Body,
    comparison::compare,
    value::{self, Pointer},
};
use crate::{
    memory::{GroupId, Maker},
    module::{IntPredicate, Operand},
};

impl Body<'_, '_> {
    /// The difference of two pointers, if they are not in the same object: any number.
    pub fn far_difference(&mut self, p: Pointer, q: Pointer, same: Term) -> Term {
        let sort = self.t.offset_sort();
        let distance = self.fresh("distance", sort);
        let (x, y) = (self.seen_pointer(p, 1), self.seen_pointer(q, 1));
        let difference = self.t.terms.bv_sub(x.value, y.value);
        let exact = [self.t.terms.eq(distance, difference), self.lies_apart(x), self.lies_apart(y)];
        let exact = self.t.terms.and(&exact);
        let apart = self.t.terms.not(same);
        self.approximate_if_unless(apart, exact, "the distance of two objects");
        distance
    }

    /// A comparison of integers of which at least one may be an address; `None` if none can.
    pub fn compare_addresses(
        &mut self,
        op: IntPredicate,
        lhs: Operand,
        rhs: Operand,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        let (left, right) = (self.address(lhs), self.address(rhs));
        let width = self.t.terms.bv_width(a)?;
        if left.is_none() && right.is_none() || width < self.t.module.pointer_bits {
            return None;
        }
        let equality = matches!(op, IntPredicate::Eq | IntPredicate::Ne);
        if equality && (self.is_small(a) || self.is_small(b)) {
            return None;
        }
        let (x, y) = (self.seen(lhs, a), self.seen(rhs, b));
        Some(self.compare_seen(op, x, y, |terms| compare(terms, op, a, b)))
    }

    /// A number that was not made of an address has memory of its own. Where it is compared with an address, or with another
    /// such number, it may turn out to lead to the same memory, which is not supported.
    pub fn check_wild(&mut self, op: IntPredicate, lhs: (Operand, Pointer), rhs: (Operand, Pointer), result: Term) {
        let Some(f) = self.func else { return };
        let wild = [lhs, rhs].map(|(operand, _)| self.t.memory.wild(f, operand));
        let groups = [lhs, rhs].map(|(operand, _)| self.target(operand).map(|target| target.group));
        let known = |side: usize| groups[side].is_some();
        let leads = match wild {
            [false, false] => false,
            [true, false] => known(1) && self.address(rhs.0).is_some(),
            [false, true] => known(0) && self.address(lhs.0).is_some(),
            [true, true] => known(0) && known(1),
        };
        if !leads || groups[0] == groups[1] {
            return;
        }
        let p = if wild[0] { lhs.1 } else { rhs.1 };
        let number = value::pointer_to_int(self.t.module, self.t.terms, p);
        let width = self.t.module.pointer_bits;
        let lowest = self.t.terms.bv(width, LOWEST);
        let (codes, zero) = (self.t.terms.bv(width, 4096u32), self.t.terms.bv(width, 0u32));
        let codes = self.t.terms.bv_sub(zero, codes);
        let mut fine =
            vec![self.t.terms.mk(Op::BvUlt, &[number, lowest]), self.t.terms.mk(Op::BvUle, &[codes, number])];
        match op {
            IntPredicate::Eq => fine.push(self.t.terms.not(result)),
            IntPredicate::Ne => fine.push(result),
            _ => {}
        }
        let fine = self.t.terms.or(&fine);
        self.supported_if(fine, "a number as a pointer that is compared with an address");
    }

    /// Whether two pointers lead to memory that is kept apart, some of it from outside.
    pub fn shares_no_memory(&self, lhs: Operand, rhs: Operand) -> bool {
        let (Some(a), Some(b)) = (self.target(lhs), self.target(rhs)) else { return false };
        let outside = |group: GroupId| {
            let sites = &self.t.memory.groups[group.index()].sites;
            sites.iter().any(|site| self.t.memory.sites[site.index()].maker == Maker::Outside)
        };
        a.group != b.group && (outside(a.group) || outside(b.group))
    }

    /// What shares no memory differs: two such pointers are equal only as null or as the same number, which leads nowhere.
    /// `result` is the comparison of their pairs.
    pub fn compare_strangers(&mut self, op: IntPredicate, result: Term, p: Pointer) -> Term {
        let number = self.is_plain_number(p);
        let equal = if op == IntPredicate::Eq { result } else { self.t.terms.not(result) };
        let equal = self.t.terms.and(&[equal, number]);
        let null = self.is_null(p);
        let some = self.t.terms.not(null);
        let odd = self.t.terms.and(&[equal, some]);
        self.approximate_if(odd, "two equal numbers as pointers from outside");
        if op == IntPredicate::Eq { equal } else { self.t.terms.not(equal) }
    }

    /// Whether a pointer is null or another number that no object has: a small one or an error code.
    pub(super) fn is_plain_number(&mut self, p: Pointer) -> Term {
        let last = if self.t.module.pointer_bits == 64 { u32::MAX - 1 } else { value::outside(self.t.module).1 };
        let (none, last) = (self.t.object_term(0), self.t.object_term(last));
        let parts = [self.t.terms.eq(p.object, none), self.t.terms.mk(Op::BvUlt, &[last, p.object])];
        self.t.terms.or(&parts)
    }

    fn is_null(&mut self, p: Pointer) -> Term {
        let (none, zero) = (self.t.object_term(0), self.t.offset_term(0));
        let parts = [self.t.terms.eq(p.object, none), self.t.terms.eq(p.offset, zero)];
        self.t.terms.and(&parts)
    }

    /// A pointer that is given to the entry and used for accesses is null or leads to memory.
    pub fn assume_null_or_memory(&mut self, p: Pointer) {
        let number = self.is_plain_number(p);
        let memory = self.t.terms.not(number);
        let null = self.is_null(p);
        let fact = self.t.terms.or(&[null, memory]);
        self.assume(fact);
    }

    /// A comparison of a pointer and a number.
    pub fn compare_number(&mut self, op: IntPredicate, p: Pointer, q: Pointer, aligns: (u32, u32)) -> Term {
        let (x, y) = (self.seen_pointer(p, aligns.0), self.seen_pointer(q, aligns.1));
        let (a, b) = (x.value, y.value);
        self.compare_seen(op, x, y, |terms| compare(terms, op, a, b))
    }

    /// The order of two pointers into different objects: that of their places, with null before all.
    pub fn compare_far(&mut self, op: IntPredicate, p: Pointer, q: Pointer) -> Term {
        let var = self.t.places();
        let places = self.term(var);
        let mut key = |object: Term| {
            let none = self.t.object_term(0);
            let some = self.t.terms.ne(object, none);
            let some = value::bool_to_bv(self.t.terms, some, 1);
            let place = self.t.terms.select(places, object);
            let key = self.t.terms.mk(Op::Concat, &[some, place]);
            self.t.terms.mk(Op::Concat, &[key, object])
        };
        let (x, y) = (key(p.object), key(q.object));
        compare(self.t.terms, op, x, y)
    }

    /// `plain` compares encodings: right for two numbers, and whether two addresses are equal.
    fn compare_seen(
        &mut self,
        op: IntPredicate,
        x: Seen,
        y: Seen,
        plain: impl FnOnce(&mut lariat_term::Terms) -> Term,
    ) -> Term {
        let plain = plain(self.t.terms);
        let never = self.t.terms.bool(false);
        let mixed = compare(self.t.terms, op, x.value, y.value);
        if x.is_address == never && y.is_address == never {
            return plain;
        }
        let both = self.t.terms.and(&[x.is_address, y.is_address]);
        let one = self.t.terms.or(&[x.is_address, y.is_address]);
        let mixed = self.number_or_address(x, y, mixed, plain);
        let result = self.t.terms.ite(one, mixed, plain);
        if both == never {
            return result;
        }
        let far = match op {
            IntPredicate::Eq | IntPredicate::Ne => plain,
            _ => {
                // The places of two objects differ.
                let same = self.t.terms.eq(x.object, y.object);
                let apart = self.t.terms.ne(x.place, y.place);
                let apart = self.t.terms.or(&[same, apart]);
                let none = self.t.terms.not(both);
                let apart = self.t.terms.or(&[none, apart]);
                self.assume(apart);
                let near = compare(self.t.terms, op.signed(), x.offset, y.offset);
                let order = compare(self.t.terms, op, x.place, y.place);
                self.t.terms.ite(same, near, order)
            }
        };
        self.t.terms.ite(both, far, result)
    }

    /// The comparison of an address and a number. If what looks like an address may be a number as well, both results are possible.
    fn number_or_address(&mut self, x: Seen, y: Seen, mixed: Term, plain: Term) -> Term {
        let mut odd = Vec::new();
        for (address, other) in [(x, y), (y, x)] {
            if !address.certain {
                // No address is so small.
                if self.is_small(other.value) {
                    return plain;
                }
                let number = self.t.terms.not(other.is_address);
                odd.push(self.t.terms.and(&[address.is_address, number]));
            }
        }
        if odd.is_empty() || mixed == plain {
            return mixed;
        }
        let some = self.t.terms.or(&odd);
        let differ = self.t.terms.ne(mixed, plain);
        let odd = self.t.terms.and(&[some, differ]);
        self.approximate_if(odd, "a number that looks like an address");
        let either = self.fresh("number", Sort::BOOL);
        let as_number = self.t.terms.and(&[odd, either]);
        self.t.terms.ite(as_number, plain, mixed)
    }
}

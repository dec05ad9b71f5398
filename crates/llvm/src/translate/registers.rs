//! Memory-mapped registers of devices: ranges of addresses where each read is an input and writes are dropped.
//!
//! All ranges lie below 4 GiB. With 64 bits a pointer that was made of such a number has the object 0, which is none of
//! the program. With 32 bits it has the number of an object that the program might have as well: if it does, this is not
//! supported. Only loads and stores of numbers know registers; copies of blocks and atomic updates do not.

use lariat_term::{Op, Term, Var};

use super::{
    Registers,
    body::Body,
    value::{self, Pointer, Value},
};
use crate::{
    memory::Target,
    module::{InstId, Operand, TypeId, TypeKind},
};

impl Body<'_, '_> {
    /// Whether all of so many bytes are registers of one range.
    pub fn in_registers(&mut self, p: Pointer, target: Option<Target>, bytes: Term) -> Term {
        let mut inside = Vec::new();
        if self.is_own_slot(target) {
            return self.t.terms.bool(false);
        }
        for Registers { start, size } in self.t.options.registers.clone() {
            let size = self.t.terms.bv(self.t.module.pointer_bits, size);
            let fits = self.t.terms.mk(Op::BvUle, &[bytes, size]);
            let room = self.t.terms.bv_sub(size, bytes);
            for distance in self.distances(p, start) {
                let near = self.t.terms.mk(Op::BvUle, &[distance, room]);
                inside.push(self.t.terms.and(&[fits, near]));
            }
        }
        self.made_of_number(p, &inside)
    }

    /// Whether some of so many bytes are registers; `None` if that is never so.
    pub fn at_register(&mut self, p: Pointer, target: Option<Target>, bytes: Term) -> Option<Term> {
        if self.t.options.registers.is_empty() || self.is_own_slot(target) {
            return None;
        }
        let mut overlaps = Vec::new();
        let zero = self.t.offset_term(0);
        let some = self.t.terms.ne(bytes, zero);
        for Registers { start, size } in self.t.options.registers.clone() {
            let size = self.t.terms.bv(self.t.module.pointer_bits, size);
            for distance in self.distances(p, start) {
                // It starts inside, or the range does.
                let back = self.t.terms.bv_sub(zero, distance);
                let starts =
                    [self.t.terms.mk(Op::BvUlt, &[distance, size]), self.t.terms.mk(Op::BvUlt, &[back, bytes])];
                let starts = self.t.terms.or(&starts);
                overlaps.push(self.t.terms.and(&[some, starts]));
            }
        }
        let device = self.made_of_number(p, &overlaps);
        (device != self.t.terms.bool(false)).then_some(device)
    }

    /// These bytes must not be registers.
    pub fn no_register(&mut self, p: Pointer, target: Option<Target>, bytes: Term) {
        if let Some(device) = self.at_register(p, target, bytes) {
            let other = self.t.terms.not(device);
            self.supported_if(other, "an access to registers of a device that is neither a load nor a store");
        }
    }

    /// Whether a pointer leads to a stack slot that only its function uses. Such objects have no number.
    fn is_own_slot(&self, target: Option<Target>) -> bool {
        let site = target.and_then(|target| self.only_site(target));
        site.is_some_and(|site| self.t.memory.sites[site.index()].local)
    }

    /// How far a pointer is from an address below 4 GiB, if it is a number: in the ways that its offset may be written.
    fn distances(&mut self, p: Pointer, start: u64) -> Vec<Term> {
        let width = self.t.module.pointer_bits;
        let first = self.t.terms.bv(width, start);
        if width == 64 {
            // The offset of a number from 2 GiB on is negative.
            let wrap = self.t.terms.bv(width, 1u64 << 32);
            let wrapped = self.t.terms.mk(Op::BvAdd, &[p.offset, wrap]);
            return vec![self.t.terms.bv_sub(p.offset, first), self.t.terms.bv_sub(wrapped, first)];
        }
        let low = self.t.offset_term(0);
        let base = value::pointer_to_int(self.t.module, self.t.terms, Pointer { object: p.object, offset: low });
        let number = self.t.terms.mk(Op::BvAdd, &[base, p.offset]);
        vec![self.t.terms.bv_sub(number, first)]
    }

    /// Whether one of these holds and the pointer was made of a number.
    fn made_of_number(&mut self, p: Pointer, any: &[Term]) -> Term {
        if any.is_empty() {
            return self.t.terms.bool(false);
        }
        let any = self.t.terms.or(any);
        let none = self.t.object_term(0);
        let null = self.t.terms.eq(p.object, none);
        if self.t.module.pointer_bits == 64 {
            return self.t.terms.and(&[null, any]);
        }
        let made = match self.number(p.object) {
            Some(object) => self.t.terms.bool(self.t.site_of_object(object).is_some()),
            None => {
                let counter = self.t.counter();
                let next = self.term(counter);
                self.t.terms.mk(Op::BvUlt, &[p.object, next])
            }
        };
        let number = self.t.terms.not(made);
        let number = self.t.terms.or(&[null, number]);
        let device = self.t.terms.and(&[number, any]);
        // An object of the program with such a number, and not one that an offset leads from to such a number.
        let mut distinct = vec![number];
        for Registers { start, size } in self.t.options.registers.clone() {
            let object = |address: u64| (address >> value::split(self.t.module).1) as u32;
            let (first, last) = (object(start), object(start + size - 1));
            let (first, last) = (self.t.object_term(first), self.t.object_term(last));
            let outside =
                [self.t.terms.mk(Op::BvUlt, &[p.object, first]), self.t.terms.mk(Op::BvUlt, &[last, p.object])];
            distinct.push(self.t.terms.or(&outside));
        }
        let other = self.t.terms.not(any);
        let apart = self.t.terms.and(&distinct[1..]);
        let fine = self.t.terms.or(&[distinct[0], apart, other]);
        if fine != self.t.terms.bool(true) {
            self.supported_if(fine, "an object with the number of a register of a device");
        }
        device
    }

    /// A load that reads a register, if the condition holds: any value.
    pub fn register_read(&mut self, id: InstId, ptr: Operand, p: Pointer, ty: TypeId, device: Term) -> Value {
        let number = matches!(self.t.module.ty(ty).kind, TypeKind::Int(_) | TypeKind::Float(_));
        if !number || self.address(Operand::Inst(id)).is_some() {
            let other = self.t.terms.not(device);
            self.supported_if(other, "a read of an address or a structure from a register of a device");
            return self.memory_read(id, ptr, p, ty);
        }
        if device == self.t.terms.bool(true) {
            return self.register_input(ty);
        }
        let mut sorts = Vec::new();
        if value::sorts(self.t.module, self.t.terms, ty, &mut sorts).is_none() {
            self.unsupported("a value of a type that is not supported");
            return Value::Void;
        }
        let results: Vec<Var> = sorts.into_iter().map(|sort| self.local("read", sort)).collect();
        let (register, memory, join) = (self.block("register"), self.block("memory"), self.block("read"));
        self.branch(device, register, memory);
        for block in [register, memory] {
            self.current = block;
            let value = if block == register { self.register_input(ty) } else { self.memory_read(id, ptr, p, ty) };
            let mut leaves = Vec::new();
            value.leaves(&mut leaves);
            if leaves.len() == results.len() {
                self.assign(results.iter().copied().zip(leaves).collect());
            }
            self.goto(join);
        }
        self.current = join;
        // What a register gives counts as set.
        self.settled.moved.remove(&id);
        let leaves: Vec<Term> = results.into_iter().map(|var| self.term(var)).collect();
        value::build(self.t.module, ty, &mut leaves.into_iter()).unwrap_or(Value::Void)
    }

    fn register_input(&mut self, ty: TypeId) -> Value {
        self.input(ty, "input", "a register", None)
    }

    /// A store that is dropped, if the condition holds.
    pub fn register_write(
        &mut self,
        p: Pointer,
        target: Option<Target>,
        value: &Value,
        ty: TypeId,
        state: Option<Term>,
        device: Term,
    ) {
        if device == self.t.terms.bool(true) {
            return;
        }
        match target {
            Some(target) => self.store_unless(device, p, target, value, ty, state),
            None => {
                let (on, join) = (self.block("memory"), self.block("written"));
                self.branch(device, join, on);
                self.current = on;
                self.store_moved(p, None, value, ty, state);
                self.goto(join);
                self.current = join;
            }
        }
    }
}

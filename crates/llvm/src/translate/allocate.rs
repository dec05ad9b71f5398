//! Allocation on the heap: `malloc` and its relatives.
//!
//! A block that is larger than a difference of pointers can express is not there: the result is null, as glibc has it. Sizes that
//! are bounded by their types need no such branch. Where accesses are not checked, one through such a null pointer ends the
//! execution: it would on a machine, and what was written there must not be seen through another failed block.

use lariat_term::{Op, Sort, Term};
use rustc_hash::FxHashSet;

use super::{
    Translator,
    body::Body,
    call::Arg,
    lifetimes::Storage,
    value::{self, Pointer, Value},
};
use crate::{
    library::{self, Block, Operation, Row},
    memory::{GroupId, Maker, Target},
    module::{BinaryOp, Callee, CastOp, Const, FuncId, Function, Inst, InstId, InstKind, Module, Operand, TypeKind},
    trace::is_model,
};

/// What a new object holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fresh {
    /// Nothing that a program may use.
    Unset,
    /// Whatever it is, it may be used.
    Any,
    /// Zeros.
    Zero,
}

impl Body<'_, '_> {
    /// A new object of a program, whose size is the product of these arguments.
    pub fn allocation(&mut self, row: &Row, args: &[Arg], sizes: &[usize], block: Block, id: InstId) -> Value {
        let (storage, content) = match block {
            Block::Heap => (Storage::Heap, Fresh::Unset),
            Block::Zeroed => (Storage::Heap, Fresh::Zero),
            Block::Stack => (Storage::Stack, Fresh::Unset),
            Block::Outside => (Storage::Stack, Fresh::Any),
        };
        let (bytes, fails) = self.product(args, sizes, storage, id);
        let block = self.allocate(id, bytes, storage, content, fails);
        let never = self.t.terms.bool(false);
        self.out_of_memory(row, &block, fails != never, never, id);
        block
    }

    /// The product of these arguments, and whether there is no object of that size.
    fn product(&mut self, args: &[Arg], sizes: &[usize], storage: Storage, id: InstId) -> (Term, Term) {
        let (never, most) = (self.t.terms.bool(false), self.t.module.largest_object());
        let may_exceed = self.function().is_some_and(|f| may_exceed(self.t.module, f, &f.insts[id.index()]));
        match *sizes {
            [one] => {
                let bytes = self.size_arg(args, one);
                if storage == Storage::Heap && may_exceed {
                    let limit = self.t.terms.bv(self.t.module.pointer_bits, most);
                    return (bytes, self.t.terms.mk(Op::BvUlt, &[limit, bytes]));
                }
                self.assume_at_most(bytes, most);
                (bytes, never)
            }
            [a, b] => {
                let (a, b) = (self.size_arg(args, a), self.size_arg(args, b));
                let fails = if may_exceed { self.product_overflows(a, b) } else { never };
                (self.t.terms.mk(Op::BvMul, &[a, b]), fails)
            }
            _ => unreachable!("the table has no such row"),
        }
    }

    /// Whether the product of two sizes is none that an object can have.
    fn product_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.t.module.pointer_bits;
        let most = self.t.module.largest_object();
        for (known, other) in [(a, b), (b, a)] {
            if let Some(number) = self.number(known) {
                let limit = self.t.terms.bv(width, most.checked_div(number).unwrap_or(2 * most + 1));
                return self.t.terms.mk(Op::BvUlt, &[limit, other]);
            }
        }
        let wide = |body: &mut Self, term| value::resize(body.t.terms, term, 2 * width, false);
        let (a, b) = (wide(self, a), wide(self, b));
        let product = self.t.terms.mk(Op::BvMul, &[a, b]);
        let limit = self.t.terms.bv(2 * width, most);
        self.t.terms.mk(Op::BvUlt, &[limit, product])
    }

    /// Where there is no block because there is no memory (and not because none was asked for), `errno` says so.
    fn out_of_memory(&mut self, row: &Row, block: &Value, may_fail: bool, unasked: Term, id: InstId) {
        let may_fail = self.t.options.malloc_may_fail || may_fail;
        if row.errno
            && may_fail
            && let Value::Ptr(block) = block
        {
            let null = self.t.object_term(0);
            let parts = [self.t.terms.eq(block.object, null), self.t.terms.not(unasked)];
            let none = self.t.terms.and(&parts);
            self.set_errno(none, Some(library::ENOMEM), id);
        }
    }

    /// A new object, or null if `fails` says so (or any allocation may fail).
    fn allocate(&mut self, id: InstId, bytes: Term, storage: Storage, content: Fresh, fails: Term) -> Value {
        let Some(func) = self.func else { return Value::Void };
        let maker = Maker::Heap(func, id);
        let may_fail = self.t.options.malloc_may_fail && storage == Storage::Heap;
        self.t.allocates |= storage == Storage::Heap;
        let mut fails = fails;
        let site = self.t.memory.site(maker);
        let number = site.map_or(0, |site| self.t.objects[site.index()]);
        let pointer = if number != 0 {
            let object = self.t.object_term(number);
            self.live(object, bytes, storage);
            Pointer { object, offset: self.t.offset_term(0) }
        } else {
            let thing = self.t.thing(maker);
            self.new_object(bytes, storage, thing)
        };
        if let Some(site) = site {
            self.check_block_has_integers(site, bytes, fails);
            let target = self.t.memory.start(site);
            self.mark_object(target, pointer.object, content != Fresh::Unset);
            if content == Fresh::Zero {
                self.clear_object(Some(target), pointer.object);
            }
        }
        if may_fail {
            let too = self.fresh("malloc.fails", Sort::BOOL);
            fails = self.t.terms.or(&[fails, too]);
        }
        if fails != self.t.terms.bool(false) {
            self.not_allocated_if(fails, pointer.object);
            let null = Pointer { object: self.t.object_term(0), offset: self.t.offset_term(0) };
            return self.select(&Value::Term(fails), &Value::Ptr(null), &Value::Ptr(pointer));
        }
        Value::Ptr(pointer)
    }

    /// A new object for an old one, which stays if there is none.
    pub fn reallocation(&mut self, row: &Row, args: &[Arg], sizes: &[usize], id: InstId) -> Value {
        let (bytes, fails) = self.product(args, sizes, Storage::Heap, id);
        let Some(Value::Ptr(old)) = args.first().map(|arg| arg.value.clone()) else { return Value::Void };
        let Value::Ptr(old) = self.frozen(&Value::Ptr(old)) else { return Value::Void };
        let (Value::Term(bytes), Value::Term(fails)) =
            (self.frozen(&Value::Term(bytes)), self.frozen(&Value::Term(fails)))
        else {
            return Value::Void;
        };
        self.check_free(old);
        // With the size 0, the C library frees the block and makes no new one.
        let (null, zero) = (self.t.object_term(0), self.t.offset_term(0));
        let possible = self.t.terms.not(fails);
        let freed = [self.t.terms.eq(bytes, zero), self.t.terms.ne(old.object, null), possible];
        let freed = self.t.terms.and(&freed);
        let none = self.t.terms.or(&[fails, freed]);
        let Value::Ptr(new) = self.allocate(id, bytes, Storage::Heap, Fresh::Unset, none) else { return Value::Void };
        let may_fail = fails != self.t.terms.bool(false);
        self.out_of_memory(row, &Value::Ptr(new), may_fail, freed, id);
        let (Value::Ptr(new), old_size) = (self.frozen(&Value::Ptr(new)), self.block_size(old)) else {
            return Value::Void;
        };
        // The old block stays if there is no memory for a new one.
        let done = self.t.terms.ne(new.object, null);
        let done = self.t.terms.or(&[done, freed]);
        self.release(old, done);
        let site = self.func.and_then(|f| self.t.memory.site(Maker::Heap(f, id)));
        if let Some(site) = site {
            let target = self.t.memory.start(site);
            self.move_block(target, (new, bytes), (old, old_size));
        }
        Value::Ptr(new)
    }

    /// The size of an allocated block, if sizes are known.
    fn block_size(&mut self, p: Pointer) -> Option<Term> {
        let sizes = self.t.lifetimes.size?;
        let sizes = self.term(sizes);
        let size = self.t.terms.select(sizes, p.object);
        match self.frozen(&Value::Term(size)) {
            Value::Term(size) => Some(size),
            _ => None,
        }
    }

    /// A new block holds what the old one does, and any values behind the end of the shorter one. Behind the end of a block are any
    /// values already, so that all of it can be copied at once, unless it was zero from the start or is longer.
    fn move_block(&mut self, target: Target, (new, bytes): (Pointer, Term), (old, old_size): (Pointer, Option<Term>)) {
        let Some(old_size) = old_size else { return self.copy_object(Some(target), new.object, old.object) };
        let zeroed = self.t.memory.groups[target.group.index()].sites.iter().any(|site| {
            let Maker::Heap(f, i) = self.t.memory.sites[site.index()].maker else { return false };
            is_zeroed(self.t.module, self.t.module.functions[f.index()].inst(i))
        });
        let shrinks = self.t.terms.mk(Op::BvUlt, &[bytes, old_size]);
        let grows = self.t.terms.mk(Op::BvUlt, &[old_size, bytes]);
        let precise = if zeroed { self.t.terms.or(&[shrinks, grows]) } else { shrinks };
        let null = self.t.object_term(0);
        let parts = [precise, self.t.terms.ne(old.object, null), self.t.terms.ne(new.object, null)];
        let precise = self.t.terms.and(&parts);
        let length = self.t.terms.ite(shrinks, bytes, old_size);
        if precise == self.t.terms.bool(true) {
            return self.copy(new, Some(target), old, Some(target), length);
        }
        if precise == self.t.terms.bool(false) {
            return self.copy_object(Some(target), new.object, old.object);
        }
        let (part, whole, on) = (self.block("realloc.part"), self.block("realloc.whole"), self.block("realloc.done"));
        self.save(|t, var| t.mutable.contains(&var));
        self.branch(precise, part, whole);
        self.current = part;
        self.copy(new, Some(target), old, Some(target), length);
        self.goto(on);
        self.current = whole;
        self.copy_object(Some(target), new.object, old.object);
        self.goto(on);
        self.current = on;
    }

    pub fn free(&mut self, args: &[Arg]) {
        if let Some(Value::Ptr(pointer)) = args.first().map(|arg| arg.value.clone()) {
            self.check_free(pointer);
            let always = self.t.terms.bool(true);
            self.release(pointer, always);
        }
    }

    /// Memory is accessed, which is not checked: an execution ends at a block that is not there, or at a null argument.
    pub fn ends_at_null(&mut self, p: Pointer, target: Option<Target>, bytes: Term, device: Term) {
        let Some(target) = target else { return };
        if self.number(p.object).is_some_and(|object| object != 0) || !self.t.nullable_groups().contains(&target.group)
        {
            return;
        }
        let (null, zero) = (self.t.object_term(0), self.t.offset_term(0));
        let parts = [self.t.terms.ne(p.object, null), self.t.terms.eq(bytes, zero), device];
        let goes_on = self.t.terms.or(&parts);
        self.assume(goes_on);
    }
}

impl Translator<'_> {
    /// The groups of blocks that may not be there, and of the memory that arguments of an entry may lead to.
    fn nullable_groups(&mut self) -> &FxHashSet<GroupId> {
        let (module, memory, any) = (self.module, &self.memory, self.options.malloc_may_fail);
        let given = self.given_pointers;
        self.nullable.get_or_insert_with(|| {
            let outside = memory.sites.iter().filter(|site| given && site.maker == Maker::Outside);
            let mut groups: FxHashSet<GroupId> = outside.map(|site| site.group).collect();
            for (f, function) in module.functions.iter().enumerate() {
                for (i, inst) in function.insts.iter().enumerate() {
                    if may_exceed(module, function, inst)
                        || heap_call(module, inst).is_some_and(|call| any || call.may_free)
                    {
                        let site = memory.site(Maker::Heap(FuncId(f as u32), InstId(i as u32)));
                        groups.extend(site.map(|site| memory.sites[site.index()].group));
                    }
                }
            }
            groups
        })
    }
}

/// A call that allocates a block: the numbers of the arguments whose product is its size, and all arguments.
struct HeapCall<'a> {
    sizes: &'static [usize],
    args: &'a [Operand],
    /// It frees a block instead, if the size is 0.
    may_free: bool,
}

fn heap_call<'a>(module: &Module, inst: &'a Inst) -> Option<HeapCall<'a>> {
    let InstKind::Call { callee: Callee::Function(callee), args, .. } = &inst.kind else { return None };
    match library::operation(module, &module.functions[callee.index()])? {
        Operation::Allocate(sizes, Block::Heap | Block::Zeroed) => Some(HeapCall { sizes, args, may_free: false }),
        Operation::Reallocate(sizes) => {
            let constant = |&i: &usize| matches!(args.get(i), Some(Operand::Const(_)));
            Some(HeapCall { sizes, args, may_free: !sizes.iter().all(constant) })
        }
        _ => None,
    }
}

/// Whether this call allocates a block of zeros.
fn is_zeroed(module: &Module, inst: &Inst) -> bool {
    let InstKind::Call { callee: Callee::Function(callee), .. } = &inst.kind else { return false };
    matches!(library::operation(module, &module.functions[callee.index()]), Some(Operation::Allocate(_, Block::Zeroed)))
}

/// Whether this call may ask for a block that is larger than an object can be. Models ask for the sizes of what is there
/// already, or look at the size themselves.
fn may_exceed(module: &Module, function: &Function, inst: &Inst) -> bool {
    let Some(HeapCall { sizes, args, .. }) = heap_call(module, inst) else { return false };
    if module.files.get(function.loc.file as usize).is_some_and(|file| is_model(file)) {
        return false;
    }
    let most = |&i: &usize| args.get(i).and_then(|&arg| most(module, function, arg, DEPTH));
    let product = sizes.iter().map(most).try_fold(1u64, |product, size| product.checked_mul(size?));
    product.is_none_or(|product| product > module.largest_object())
}

/// How deep a computation of a size is looked into.
const DEPTH: usize = 8;

/// The largest value that an integer can have, as far as types and constants say so.
fn most(module: &Module, function: &Function, operand: Operand, depth: usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let of = |operand| most(module, function, operand, depth);
    let not_zero = |operand| of(operand).filter(|&most| most > 0 && matches!(operand, Operand::Const(_)));
    match operand {
        Operand::Const(c) => match module.constant(c) {
            Const::Int(_, words) if words.iter().skip(1).all(|&word| word == 0) => words.first().copied(),
            Const::Zero(_) => Some(0),
            _ => None,
        },
        Operand::Inst(id) => {
            let inst = &function.insts[id.index()];
            let by_type = match module.ty(inst.ty).kind {
                TypeKind::Int(bits) if bits < 64 => Some((1 << bits) - 1),
                _ => None,
            };
            let by_value = match inst.kind {
                InstKind::Cast { op: CastOp::ZExt, value } => of(value),
                InstKind::Binary { op, lhs, rhs, .. } => match op {
                    BinaryOp::Add => of(lhs).zip(of(rhs)).and_then(|(a, b)| a.checked_add(b)),
                    BinaryOp::Mul => of(lhs).zip(of(rhs)).and_then(|(a, b)| a.checked_mul(b)),
                    BinaryOp::And => of(lhs).into_iter().chain(of(rhs)).min(),
                    // A quotient or remainder by zero may be anything.
                    BinaryOp::UDiv => not_zero(rhs).and_then(|_| of(lhs)),
                    BinaryOp::URem => not_zero(rhs),
                    _ => None,
                },
                InstKind::Select { yes, no, .. } => of(yes).zip(of(no)).map(|(a, b)| a.max(b)),
                _ => None,
            };
            // What exceeds the type has wrapped around.
            match (by_value, by_type) {
                (Some(value), Some(limit)) => Some(value.min(limit)),
                (value, limit) => value.or(limit),
            }
        }
        Operand::Param(i) => match module.ty(function.params.get(i as usize)?.ty).kind {
            TypeKind::Int(bits) if bits < 64 => Some((1 << bits) - 1),
            _ => None,
        },
        Operand::None => None,
    }
}

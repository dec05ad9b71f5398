//! Alignment: whether an address is a multiple of what an access relies on.
//!
//! Objects lie at multiples of their alignment: that of the stack slot or global variable, 16 for allocated blocks,
//! enough for everything else. More is not known of their addresses, so an access that needs more than its object has
//! may be misaligned, wherever in the object it is. Most accesses are aligned by what the points-to analysis knows of their offsets, and
//! need no check.

use lariat_program::{AssertKind, Loc, StmtKind};
use lariat_term::{Op, Term, Var};

use super::{Translator, body::Body, value::Pointer};
use crate::{
    library::{self, Block, Operation},
    memory::{Maker, SiteId, reduce},
    module::{BinaryOp, Callee, FuncId, InstKind, Operand},
    trace::is_model,
};

/// What `malloc` aligns to on x86.
const HEAP: u32 = 16;
/// The width of an alignment in the map of objects that are made while the program runs.
const BITS: u32 = 16;

impl Translator<'_> {
    /// The alignment of the objects of a site.
    fn alignment(&self, site: SiteId) -> u32 {
        match self.memory.sites[site.index()].maker {
            Maker::Global(g) => self.module.globals[g.index()].align,
            Maker::Alloca(f, slot) => match self.module.functions[f.index()].inst(slot).kind {
                InstKind::Alloca { align, .. } => align,
                _ => u32::MAX,
            },
            // Models of `aligned_alloc` and its like do not say what is asked for.
            Maker::Heap(f, call) => {
                let f = &self.module.functions[f.index()];
                let plain = |callee: &Callee| match callee {
                    Callee::Function(g) => match library::operation(self.module, &self.module.functions[g.index()]) {
                        Some(Operation::Allocate(_, block)) => matches!(block, Block::Heap | Block::Zeroed),
                        operation => matches!(operation, Some(Operation::Reallocate(_))),
                    },
                    _ => false,
                };
                let model = self.module.files.get(f.loc.file as usize).is_some_and(|file| is_model(file));
                match &f.inst(call).kind {
                    InstKind::Call { callee, .. } if !model && plain(callee) => HEAP,
                    _ => u32::MAX,
                }
            }
            _ => u32::MAX,
        }
    }

    /// Whether the number of the objects of a site is known while the program runs only.
    fn is_dynamic(&self, site: SiteId) -> bool {
        self.objects[site.index()] == 0
    }

    /// A map of the alignments of objects, if stack slots that are made again and again share groups with other objects.
    pub(super) fn declare_alignments(&mut self, reachable: &[bool]) {
        if !self.options.properties.alignment {
            return;
        }
        let mixed = self.memory.groups.iter().any(|group| {
            let slot = |site: &SiteId| matches!(self.memory.sites[site.index()].maker, Maker::Alloca(..));
            let low = |site: &SiteId| slot(site) && self.is_dynamic(*site) && self.alignment(*site) < HEAP;
            group.sites.len() > 1 && group.sites.iter().any(low)
        });
        if mixed {
            let (object, align) = (self.object_sort(), self.terms.bv_sort(BITS));
            let sort = self.terms.array_sort(object, align);
            self.alignments = Some(self.global("object.align", sort, None, Loc::NONE));
        }
        self.masks = self.has_masks(reachable);
    }

    /// Whether the program looks at the low bits of an address, as for aligning one.
    fn has_masks(&self, reachable: &[bool]) -> bool {
        let address = |f: FuncId, operand: Operand| self.memory.target(f, operand).is_some();
        let masks = |f: FuncId, kind: &InstKind| match kind {
            InstKind::Binary { op: BinaryOp::And | BinaryOp::URem | BinaryOp::SRem, lhs, rhs, .. } => {
                address(f, *lhs) || address(f, *rhs)
            }
            InstKind::Call { callee: Callee::Function(g), .. } => {
                self.module.functions[g.index()].name.starts_with("llvm.ptrmask")
            }
            _ => false,
        };
        let mut functions = self.module.functions.iter().zip(reachable).enumerate();
        functions.any(|(i, (f, reached))| *reached && f.insts.iter().any(|inst| masks(FuncId(i as u32), &inst.kind)))
    }
}

impl Body<'_, '_> {
    /// The alignments of objects at the start.
    pub fn initial_alignments(&mut self) {
        let Some(var) = self.t.alignments else { return };
        let sort = self.t.terms.var_sort(var);
        let most = self.t.terms.bv(BITS, u64::from(u16::MAX));
        let all = self.t.terms.const_array(sort, most);
        self.push(StmtKind::Assign(vec![(var, all)]));
    }

    /// A stack slot with a new number has been made.
    pub fn new_slot(&mut self, site: SiteId, object: Term) {
        let align = self.t.alignment(site);
        if let (Some(var), true) = (self.t.alignments, align < HEAP) {
            let (all, align) = (self.term(var), self.t.terms.bv(BITS, align));
            let all = self.t.terms.store(all, object, align);
            self.assign(vec![(var, all)]);
        }
    }

    /// Checks that an access is aligned.
    pub fn check_alignment(&mut self, operand: Operand, p: Pointer, align: u32) {
        // Functions of the library take what they are given.
        let model = self.function().is_some_and(|f| self.is_model(f));
        if !self.t.options.properties.alignment || align <= 1 || model {
            return;
        }
        let target = self.target(operand);
        let sites = target.map_or(&[][..], |target| &self.t.memory.groups[target.group.index()].sites);
        // Objects that are less aligned than the access needs.
        let low: Vec<SiteId> = sites.iter().copied().filter(|&site| self.t.alignment(site) < align).collect();
        let multiple = target.is_some_and(|target| {
            let modulus = self.t.memory.groups[target.group.index()].modulus;
            let starts = |site: &SiteId| self.t.memory.sites[site.index()].start;
            let aligned = |at: i64| reduce(at, modulus) % i64::from(align) == 0;
            modulus.is_multiple_of(u64::from(align))
                && sites.iter().all(|site| aligned(target.offset.wrapping_sub(starts(site))))
        });
        let low = self.is_one_of(&low, low.len() == sites.len(), p, align);
        if !multiple {
            let mask = self.t.offset_term(i64::from(align) - 1);
            let rest = self.t.terms.mk(Op::BvAnd, &[p.offset, mask]);
            let zero = self.t.offset_term(0);
            let mut aligned = self.t.terms.eq(rest, zero);
            if self.t.masks {
                aligned = self.t.terms.or(&[aligned, low]);
            }
            self.check(AssertKind::Alignment, None, aligned);
        }
        let high = self.t.terms.not(low);
        if self.t.masks {
            self.supported_if(high, "an address that is more aligned than its object");
        } else {
            self.check(AssertKind::Alignment, None, high);
        }
    }

    /// Whether a pointer points to an object of one of these sites, of a group that has no others if they are `all`.
    fn is_one_of(&mut self, sites: &[SiteId], all: bool, p: Pointer, align: u32) -> Term {
        let null = self.t.object_term(0);
        if sites.is_empty() {
            return self.t.terms.bool(false);
        }
        if all {
            let local = matches!(sites, [site] if self.t.memory.sites[site.index()].local);
            return if local { self.t.terms.bool(true) } else { self.t.terms.ne(p.object, null) };
        }
        let mut any = Vec::new();
        for &site in sites {
            if !self.t.is_dynamic(site) {
                let object = self.t.object_term(self.t.objects[site.index()]);
                any.push(self.t.terms.eq(p.object, object));
            }
        }
        if let (Some(var), true) = (self.t.alignments, sites.iter().any(|&site| self.t.is_dynamic(site))) {
            let (map, needed): (Var, _) = (var, self.t.terms.bv(BITS, align));
            let map = self.term(map);
            let found = self.t.terms.select(map, p.object);
            any.push(self.t.terms.mk(Op::BvUlt, &[found, needed]));
        }
        self.t.terms.or(&any)
    }
}

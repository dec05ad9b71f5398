//! Leaks: what is still allocated where the program ends, and whether a variable leads to it.
//!
//! Any one of the allocated objects is *watched*: if it is still there at the end and nothing leads to it, it is lost.
//! Whether a chain of blocks leads to it is not decided here; where there may be one, the answer is unknown.
//!
//! Where `main` returns, the variables that are left are the global ones. Where `exit` ends the program, those of all
//! activations are there as well. A stack slot that only its own function uses is a variable of its region, which no
//! other region sees: so every function that may end the program is told what the slots of the activations below it
//! lead to ([`Held`]).

use lariat_program::{AssertKind, VarDecl};
use lariat_term::{Sort, Term};
use rustc_hash::FxHashMap;

use super::{Translator, body::Body, reuse};
use crate::{
    library::{self, Operation},
    memory::{Cell, CellId, Content, Maker, Representation, Site, SiteId, reduce},
    module::{FuncId, TypeKind},
};

/// Arrays of pointers with more elements are not searched for the watched object.
const MAX_ROOTS: u64 = 64;

/// What the slots of the activations below lead to.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// The object that was watched at the call, if one of them points to it, or 0.
    object: Term,
    /// One of them may lead to other objects through blocks.
    through: Term,
}

/// Where pointers to blocks may be.
#[derive(Default)]
pub(super) struct Holders {
    /// The functions that may end the program in the middle, if it matters what their callers hold then.
    exits: Vec<bool>,
    /// The cells of slots that only their own function uses.
    own: FxHashMap<FuncId, Vec<CellId>>,
    /// The cells of other variables.
    shared: Vec<CellId>,
    /// An allocated block may hold an address.
    chains: bool,
}

/// A pointer in a variable.
struct Root {
    object: Term,
    /// The variable is there; `None` if that is not known.
    there: Option<Term>,
}

/// Which variables count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variables {
    Global,
    /// Slots that only the function at hand uses.
    Own,
    /// All that are seen here.
    All,
}

impl Translator<'_> {
    /// Where pointers to blocks may be.
    pub(super) fn find_holders(&self) -> Holders {
        let mut holders = Holders { exits: vec![false; self.module.functions.len()], ..Holders::default() };
        if !self.options.properties.leak || self.options.properties.cleanup {
            return holders;
        }
        for (index, cell) in self.memory.cells.iter().enumerate() {
            // What is never written holds no address of a block. Integers that may hold one do not count.
            let number = |ty| self.module.ty(ty).kind != TypeKind::Ptr;
            if !cell.written || cell.constant || matches!(cell.content, Content::Value(ty) if number(ty)) {
                continue;
            }
            let id = CellId(index as u32);
            let sites = &self.memory.groups[cell.group.index()].sites;
            for site in sites.iter().map(|site| &self.memory.sites[site.index()]) {
                match (site.maker, maker(site)) {
                    (Maker::Heap(..), _) => holders.chains = true,
                    (_, Some(f)) if site.local => holders.own.entry(f).or_default().push(id),
                    (Maker::Global(_), _) | (_, Some(_)) => holders.shared.push(id),
                    _ => {}
                }
            }
        }
        holders.shared.dedup();
        holders.exits = self.find_exits();
        holders
    }

    /// The functions that may end the program in the middle.
    fn find_exits(&self) -> Vec<bool> {
        let mut exits = vec![false; self.module.functions.len()];
        let is_exit = |f: &FuncId| {
            let operation = library::operation(self.module, &self.module.functions[f.index()]);
            matches!(operation, Some(Operation::Exit { .. }))
        };
        let mut callers = vec![Vec::new(); exits.len()];
        let mut work = Vec::new();
        for (f, i, kind) in reuse::instructions(self.module) {
            for g in reuse::callees(self.module, self.memory, f, i, kind) {
                callers[g.index()].push(f);
                if is_exit(g) {
                    work.push(f);
                }
            }
        }
        while let Some(f) = work.pop() {
            if !std::mem::replace(&mut exits[f.index()], true) {
                work.extend(&callers[f.index()]);
            }
        }
        exits
    }

    /// The parameters that tell a function what its callers hold.
    pub(super) fn held_params(&mut self, f: FuncId) -> Vec<VarDecl> {
        if !self.holders.exits[f.index()] {
            return Vec::new();
        }
        let function = &self.module.functions[f.index()];
        let (name, loc) = (format!("{}.held", function.name), super::location(function.loc));
        let sorts = [self.object_sort(), Sort::BOOL];
        sorts.into_iter().map(|sort| VarDecl { var: self.variable(&name, sort), source: None, loc }).collect()
    }
}

impl Body<'_, '_> {
    /// Takes what the callers hold from the last parameters.
    pub fn take_held(&mut self, leaves: &mut Vec<Term>) {
        if self.func.is_some_and(|f| self.t.holders.exits[f.index()])
            && let (Some(through), Some(object)) = (leaves.pop(), leaves.pop())
        {
            self.held = Some(Held { object, through });
        }
    }

    /// What this activation and those below it hold, for a function that asks for it.
    pub fn pass_held(&mut self, f: FuncId) -> Vec<Term> {
        let (Some(watched), true) = (self.t.lifetimes.watched, self.t.holders.exits[f.index()]) else {
            return Vec::new();
        };
        let watched = self.term(watched);
        let below = self.held();
        let roots = self.roots(Variables::Own);
        let (direct, mut through) = self.lead_to(watched, roots.as_deref());
        through.push(below.through);
        let (direct, through) = (self.t.terms.or(&direct), self.t.terms.or(&through));
        vec![self.t.terms.ite(direct, watched, below.object), through]
    }

    /// What the activations below hold.
    fn held(&mut self) -> Held {
        // Nothing is below the start of the execution.
        let unknown = self.func.is_some();
        self.held.unwrap_or(Held { object: self.t.object_term(0), through: self.t.terms.bool(unknown) })
    }

    /// The program ends where its entry returns: nothing that was allocated is lost.
    pub fn check_leaks(&mut self) {
        self.check_watched(Variables::Global);
    }

    /// The program ends in the middle.
    pub fn check_leaks_at_exit(&mut self) {
        self.check_watched(Variables::All);
    }

    fn check_watched(&mut self, variables: Variables) {
        let Some(watched) = self.t.lifetimes.watched else { return };
        let watched = self.term(watched);
        let none = self.t.object_term(0);
        let released = self.t.terms.eq(watched, none);
        if self.t.options.properties.cleanup {
            self.check(AssertKind::Leak, Some("it is not freed".into()), released);
            return;
        }
        let roots = self.roots(variables);
        let (mut direct, mut through) = self.lead_to(watched, roots.as_deref());
        direct.push(released);
        if variables == Variables::All {
            let below = self.held();
            direct.push(self.t.terms.eq(below.object, watched));
            through.push(below.through);
        }
        let (tracked, through) = (self.t.terms.or(&direct), self.t.terms.or(&through));
        let not_lost = self.t.terms.or(&[tracked, through]);
        self.check(AssertKind::Leak, None, not_lost);
        let clear = self.t.terms.not(through);
        let decided = self.t.terms.or(&[tracked, clear]);
        let end = if variables == Variables::All { "exit" } else { "the end" };
        self.supported_if(decided, &format!("whether allocated memory is still reachable at {end}"));
    }

    /// When these roots point to the watched object, and when they may lead to it in other ways.
    fn lead_to(&mut self, watched: Term, roots: Option<&[Root]>) -> (Vec<Term>, Vec<Term>) {
        let (Some(heap), Some(roots)) = (self.t.lifetimes.heap, roots) else {
            return (Vec::new(), vec![self.t.terms.bool(true)]);
        };
        let heap = self.term(heap);
        let chains = self.t.holders.chains;
        let (mut direct, mut through) = (Vec::new(), Vec::new());
        for &Root { object, there } in roots {
            let same = self.t.terms.eq(object, watched);
            match there {
                Some(there) => direct.push(self.t.terms.and(&[there, same])),
                None => through.push(same),
            }
            if chains {
                let block = self.t.terms.select(heap, object);
                through.push(there.map_or(block, |there| self.t.terms.and(&[there, block])));
            }
        }
        (direct, through)
    }

    /// The objects that pointers in variables point to; `None` if they cannot be listed.
    fn roots(&mut self, variables: Variables) -> Option<Vec<Root>> {
        let holders = &self.t.holders;
        let own = self.func.and_then(|f| holders.own.get(&f)).filter(|_| variables != Variables::Global);
        let shared = Some(&holders.shared).filter(|_| variables != Variables::Own);
        let cells: Vec<CellId> = own.into_iter().chain(shared).flatten().copied().collect();
        let memory = self.t.memory;
        let mut roots = Vec::new();
        for id in cells {
            let cell = &memory.cells[id.index()];
            let sites = &memory.groups[cell.group.index()].sites;
            let sites: Vec<SiteId> = sites.iter().copied().filter(|&site| self.counts(site, variables)).collect();
            if sites.is_empty() {
                continue;
            }
            if let Content::Units(_) = cell.content {
                return None;
            }
            self.roots_in(id, cell, &sites, &mut roots)?;
        }
        Some(roots)
    }

    /// Whether the variables of this site count.
    fn counts(&self, site: SiteId, variables: Variables) -> bool {
        let site = &self.t.memory.sites[site.index()];
        match maker(site) {
            None => matches!(site.maker, Maker::Global(_)) && variables != Variables::Own,
            // The slots of the activations below have been told.
            Some(f) if site.local => Some(f) == self.func && variables != Variables::Global,
            Some(_) => variables == Variables::All,
        }
    }

    /// The pointers that these objects have in a cell.
    fn roots_in(&mut self, id: CellId, cell: &Cell, sites: &[SiteId], roots: &mut Vec<Root>) -> Option<()> {
        let memory = self.t.memory;
        let modulus = memory.groups[cell.group.index()].modulus;
        let &var = self.cell_vars(id).vars.first()?;
        let content = self.term(var);
        for &site in sites {
            let many = !memory.sites[site.index()].single && !memory.sites[site.index()].local;
            if many {
                return None;
            }
            let there = self.is_there(site);
            if let Representation::Scalar(_) = cell.place {
                roots.push(Root { object: content, there });
                continue;
            }
            let (size, start) = (memory.sites[site.index()].size?, memory.sites[site.index()].start);
            let first = u64::try_from(reduce(cell.offset.wrapping_sub(start), modulus)).ok()?;
            let count = if modulus == 0 { 1 } else { size.saturating_sub(first).div_ceil(modulus) };
            if count > MAX_ROOTS {
                return None;
            }
            let inner = match cell.place {
                Representation::Map => {
                    let object = self.t.objects[site.index()];
                    let object = self.t.object_term(object);
                    self.t.terms.select(content, object)
                }
                _ => content,
            };
            for k in 0..count {
                let offset = self.t.offset_term((first + k * modulus) as i64);
                roots.push(Root { object: self.t.terms.select(inner, offset), there });
            }
        }
        Some(())
    }

    /// Whether the variable of this site is there; `None` if that is not known.
    fn is_there(&mut self, site: SiteId) -> Option<Term> {
        let info = &self.t.memory.sites[site.index()];
        if info.local || matches!(info.maker, Maker::Global(_)) {
            return Some(self.t.terms.bool(true));
        }
        let sizes = self.t.lifetimes.size?;
        let object = self.t.objects[site.index()];
        let (object, zero) = (self.t.object_term(object), self.t.offset_term(0));
        let sizes = self.term(sizes);
        let size = self.t.terms.select(sizes, object);
        Some(self.t.terms.ne(size, zero))
    }
}

/// The function that makes these objects, if they are its variables.
fn maker(site: &Site) -> Option<FuncId> {
    match site.maker {
        Maker::Alloca(f, _) | Maker::Copy(f, _) | Maker::VarArgs(f) => Some(f),
        Maker::Global(_) | Maker::Function(_) | Maker::Heap(..) | Maker::Outside => None,
    }
}

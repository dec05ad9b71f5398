//! Functions without a body and without a model: what a call of one may change. The same for inline assembly that may
//! access more than its operands.
//!
//! Such a function may change every object that its arguments lead to, and the global variables whose addresses such
//! functions have been given before; what it stores is any value. The objects are followed exactly, as far as they can
//! be named: an argument's own object, and those of pointers that are stored in an object at a known offset. From
//! there on (arrays of pointers, lists) all objects that such a pointer may point to change, and since that may be too
//! many, errors behind the call are not reported. Constants do not change, nothing is freed, and a function whose
//! address is given away might be called, which is not supported.

use std::collections::BTreeSet;

use lariat_program::Loc;
use lariat_term::{Sort, Term, Var};

use super::{
    CellVars, Translator, Undefined,
    access::Updates,
    body::Body,
    call::Arg,
    value::{self, Pointer, Value},
};
use crate::{
    memory::{CellId, GroupId, Maker, Representation, SiteId, Target},
    module::{FuncId, Function, Module, TypeKind},
};

/// So many objects are followed exactly at a call.
const MAX_OBJECTS: usize = 32;
/// So many pointers lead from an argument to an object that is followed exactly.
const MAX_DEPTH: u32 = 3;

/// Which functions of a module (by index) may change what they are given.
pub fn changing(module: &Module, options: &super::Options) -> Vec<bool> {
    let changes = |f: &Function| {
        options.undefined == Undefined::Havoc
            && !f.is_defined()
            && !super::is_known(module, f)
            && !options.properties.error_calls.contains(&f.name)
    };
    module.functions.iter().map(changes).collect()
}

/// What changes memory.
#[derive(Clone, Copy)]
pub enum Changer<'a> {
    /// A function without a body.
    Function(&'a str),
    /// Inline assembly, which may call functions or not.
    Assembly { calls: bool },
}

impl Changer<'_> {
    fn name(self) -> String {
        match self {
            Changer::Function(name) => name.to_owned(),
            Changer::Assembly { .. } => "inline assembly".to_owned(),
        }
    }
}

/// An object that may change.
#[derive(Clone, Copy)]
struct Object {
    number: Term,
    group: GroupId,
    /// Only if this holds.
    cond: Term,
    /// It is not changed itself; only what it leads to.
    copied: bool,
    depth: u32,
}

/// What a call may change.
#[derive(Default)]
struct Reach {
    objects: Vec<Object>,
    /// Groups of which it is not known which objects.
    groups: BTreeSet<GroupId>,
}

impl Body<'_, '_> {
    /// A function that nothing is known of has been called: what it may have changed.
    pub fn undefined_call(&mut self, f: FuncId, args: &[Arg]) {
        let function = &self.t.module.functions[f.index()];
        match self.t.options.undefined {
            Undefined::Havoc => self.change_reachable(Changer::Function(&function.name), args),
            // Only the result, if the caller says where it goes.
            Undefined::Any | Undefined::Error => {
                let result = args.iter().zip(&function.params).find(|(_, param)| param.sret.is_some());
                if let Some((arg, _)) = result
                    && let (Value::Ptr(p), Some(target)) = (&arg.value, self.target(arg.operand))
                {
                    self.change_object(*p, target);
                }
            }
        }
        if function.noreturn {
            self.stop();
        }
    }

    /// The whole object that a pointer points to may be anything.
    pub fn change_object(&mut self, pointer: Pointer, target: Target) {
        let cond = self.t.terms.bool(true);
        let object = Object { number: pointer.object, group: target.group, cond, copied: false, depth: 0 };
        self.change(&Reach { objects: vec![object], groups: BTreeSet::new() });
    }

    /// What these arguments lead to may be known to assembly from now on.
    pub fn give_away(&mut self, args: &[Arg]) {
        if args.iter().all(|arg| self.target(arg.operand).is_none()) || self.t.escape_flags().is_empty() {
            return;
        }
        let mut reach = self.given("inline assembly", args);
        self.follow(&mut reach);
        self.globals_escape(&reach);
    }

    /// Everything that these arguments lead to may be anything.
    pub fn change_reachable(&mut self, changer: Changer, args: &[Arg]) {
        let name = changer.name();
        let mut reach = self.given(&name, args);
        self.escaped_globals(&mut reach);
        self.follow(&mut reach);
        match changer {
            Changer::Function(name) => self.callbacks(&format!("{name}, which is not defined"), &reach),
            Changer::Assembly { calls: true } => self.callbacks("inline assembly", &reach),
            Changer::Assembly { calls: false } => {}
        }
        self.globals_escape(&reach);
        self.change(&reach);
        if reach.groups.iter().any(|group| !self.t.changing_cells(*group).is_empty()) {
            self.approximate(&format!("what {name} may change through pointers in memory"));
        }
    }

    /// The objects that arguments point to.
    fn given(&mut self, name: &str, args: &[Arg]) -> Reach {
        let mut reach = Reach::default();
        let always = self.t.terms.bool(true);
        for arg in args {
            let pointer = match &arg.value {
                Value::Ptr(p) => *p,
                Value::Term(term) if self.t.terms.bv_width(*term) == Some(self.t.module.pointer_bits) => {
                    value::int_to_pointer(self.t.module, self.t.terms, *term)
                }
                Value::Many(_) if self.holds_addresses(arg) => {
                    self.unsupported(&format!("a structure with addresses that is passed to {name}"));
                    continue;
                }
                _ => continue,
            };
            let Some(target) = self.target(arg.operand) else { continue };
            let copied = arg.byval.is_some();
            let number = pointer.object;
            reach.objects.push(Object { number, group: target.group, cond: always, copied, depth: 0 });
        }
        reach
    }

    /// Whether a structure that is passed as a value may hold addresses.
    fn holds_addresses(&self, arg: &Arg) -> bool {
        let leaves = crate::memory::leaves(self.t.module, arg.ty).unwrap_or_default();
        leaves.iter().any(|&(_, ty)| match self.t.module.ty(ty).kind {
            TypeKind::Ptr => true,
            TypeKind::Int(bits) => bits >= self.t.module.pointer_bits,
            _ => false,
        })
    }

    /// Follows the pointers that are stored in objects.
    fn follow(&mut self, reach: &mut Reach) {
        let pointer_type = self.t.type_named(&TypeKind::Ptr);
        let bytes = u64::from(self.t.module.pointer_bits / 8);
        let mut next = 0;
        while let Some(&object) = reach.objects.get(next) {
            next += 1;
            let group = &self.t.memory.groups[object.group.index()];
            let mut starts = group.sites.iter().map(|s| &self.t.memory.sites[s.index()]);
            let start = starts.next().map(|site| site.start).filter(|&start| starts.all(|s| s.start == start));
            let exact = group.modulus == 0 && object.depth < MAX_DEPTH;
            for stored in group.stored.clone() {
                let to = stored.target.group;
                if self.t.memory.groups[to.index()].sites.is_empty() || reach.groups.contains(&to) {
                    continue;
                }
                let (Some(start), Some(ty), true) = (start, pointer_type, exact && stored.bytes == bytes) else {
                    reach.groups.insert(to);
                    continue;
                };
                let at = Target { group: object.group, offset: stored.offset };
                if reach.objects.len() >= MAX_OBJECTS || self.t.memory.cells(at, Some(bytes)).len() > 1 {
                    reach.groups.insert(to);
                    continue;
                }
                let offset = self.t.offset_term(stored.offset.wrapping_sub(start));
                let value = match self.t.memory.cells(at, Some(bytes)).is_empty() {
                    // Nothing reads it, so nobody knows what is there.
                    true => None,
                    false => Some(self.load(Pointer { object: object.number, offset }, Some(at), ty)),
                };
                match value {
                    Some(Value::Ptr(p)) => reach.objects.push(Object {
                        number: p.object,
                        group: to,
                        cond: object.cond,
                        copied: false,
                        depth: object.depth + 1,
                    }),
                    _ => _ = reach.groups.insert(to),
                }
            }
        }
        let mut work: Vec<GroupId> = reach.groups.iter().copied().collect();
        while let Some(group) = work.pop() {
            for stored in &self.t.memory.groups[group.index()].stored {
                if reach.groups.insert(stored.target.group) {
                    work.push(stored.target.group);
                }
            }
        }
    }

    /// A function that is given away may be called.
    fn callbacks(&mut self, name: &str, reach: &Reach) {
        let said = |f: &Function| format!("a call of {} by {name}", f.name);
        for object in &reach.objects {
            for f in self.functions_in(object.group).filter(|_| !object.copied).collect::<Vec<_>>() {
                let Some(number) = self.t.object_of(Maker::Function(f)) else { continue };
                let number = self.t.object_term(number);
                let other = [self.t.terms.ne(object.number, number), self.t.terms.not(object.cond)];
                let other = self.t.terms.or(&other);
                self.supported_if(other, &said(&self.t.module.functions[f.index()]));
            }
        }
        for &group in &reach.groups {
            let first = self.functions_in(group).next();
            if let Some(f) = first {
                self.unsupported(&said(&self.t.module.functions[f.index()]));
            }
        }
    }

    /// The functions in a group whose call would matter.
    fn functions_in(&self, group: GroupId) -> impl Iterator<Item = FuncId> {
        let sites = self.t.memory.groups[group.index()].sites.iter();
        sites.filter_map(|site| match self.t.memory.sites[site.index()].maker {
            Maker::Function(f) => {
                let function = &self.t.module.functions[f.index()];
                let matters = function.is_defined() || self.t.options.properties.error_calls.contains(&function.name);
                matters.then_some(f)
            }
            _ => None,
        })
    }

    /// The objects of constants in a group.
    fn constants_in(&mut self, group: GroupId) -> Vec<Term> {
        let sites = self.t.memory.groups[group.index()].sites.clone();
        let sites: Vec<SiteId> = sites.into_iter().filter(|&site| self.t.constant_global(site)).collect();
        sites.into_iter().map(|site| self.t.object_term(self.t.objects[site.index()])).collect()
    }

    /// The memory of these objects and groups may be anything, and counts as set.
    fn change(&mut self, reach: &Reach) {
        let mut updates = Updates::default();
        for &Object { number, group, cond, copied, .. } in &reach.objects {
            if copied || reach.groups.contains(&group) {
                continue;
            }
            let constants = self.constants_in(group);
            for cell in self.t.changing_cells(group) {
                let place = self.t.memory.cells[cell.index()].place;
                let (mut guard, each) = match place {
                    Representation::Scalar(site) | Representation::Object(site) => {
                        let own = self.t.object_term(self.t.objects[site.index()]);
                        (vec![cond, self.t.terms.eq(number, own)], false)
                    }
                    Representation::Map => (vec![cond], true),
                };
                if each {
                    guard.extend(constants.iter().map(|&constant| self.t.terms.ne(number, constant)));
                }
                let guard = self.t.terms.and(&guard);
                let CellVars { vars, states } = self.cell_vars(cell);
                for (var, state) in
                    vars.into_iter().map(|var| (var, false)).chain(states.into_iter().map(|s| (s, true)))
                {
                    let old = updates.get(self, var);
                    let inner = if each { self.t.terms.select(old, number) } else { old };
                    let sort = self.t.terms.sort(inner);
                    let new = if state { self.t.everywhere(sort, true) } else { self.fresh("changed", sort) };
                    let new = self.t.terms.ite(guard, new, inner);
                    let new = if each { self.t.terms.store(old, number, new) } else { new };
                    updates.set(var, new);
                }
            }
        }
        for &group in &reach.groups {
            let constants = self.constants_in(group);
            for cell in self.t.changing_cells(group) {
                let each = self.t.memory.cells[cell.index()].place == Representation::Map;
                let CellVars { vars, states } = self.cell_vars(cell);
                for (var, state) in
                    vars.into_iter().map(|var| (var, false)).chain(states.into_iter().map(|s| (s, true)))
                {
                    let old = updates.get(self, var);
                    let sort = self.t.terms.sort(old);
                    let mut new = if state { self.t.everywhere(sort, true) } else { self.fresh("changed", sort) };
                    for &constant in constants.iter().filter(|_| each) {
                        let inner = self.t.terms.select(old, constant);
                        new = self.t.terms.store(new, constant, inner);
                    }
                    updates.set(var, new);
                }
            }
        }
        self.assign(updates.pairs());
    }

    /// Global variables that undefined functions know from earlier calls: one flag for each that may be given away.
    fn escaped_globals(&mut self, reach: &mut Reach) {
        for (site, flag) in self.t.escape_flags() {
            let group = self.t.memory.sites[site.index()].group;
            let number = self.t.object_term(self.t.objects[site.index()]);
            let cond = self.term(flag);
            if reach.objects.len() >= MAX_OBJECTS {
                reach.groups.insert(group);
            } else {
                reach.objects.push(Object { number, group, cond, copied: false, depth: 1 });
            }
        }
    }

    /// The global variables among what has been given away are known to undefined functions from now on.
    fn globals_escape(&mut self, reach: &Reach) {
        let mut pairs = Vec::new();
        for (site, flag) in self.t.escape_flags() {
            let group = self.t.memory.sites[site.index()].group;
            let own = self.t.object_term(self.t.objects[site.index()]);
            let mut given = vec![self.term(flag)];
            if reach.groups.contains(&group) {
                given.push(self.t.terms.bool(true));
            }
            for object in reach.objects.iter().filter(|object| object.group == group && !object.copied) {
                let same = self.t.terms.eq(object.number, own);
                given.push(self.t.terms.and(&[same, object.cond]));
            }
            pairs.push((flag, self.t.terms.or(&given)));
        }
        self.assign(pairs);
    }
}

impl Translator<'_> {
    fn constant_global(&self, site: SiteId) -> bool {
        matches!(self.memory.sites[site.index()].maker, Maker::Global(g) if self.module.globals[g.index()].constant)
    }

    /// The cells of a group that can change.
    fn changing_cells(&self, group: GroupId) -> Vec<CellId> {
        let cells = self.memory.groups[group.index()].cells.iter().copied();
        let changes = |cell: &CellId| {
            let cell = &self.memory.cells[cell.index()];
            let fixed = matches!(cell.place, Representation::Scalar(site) | Representation::Object(site) if self.constant_global(site));
            !cell.constant && !fixed
        };
        cells.filter(changes).collect()
    }

    /// The global variables that may be given to undefined functions, each with a variable that says whether it has
    /// been.
    fn escape_flags(&mut self) -> Vec<(SiteId, Var)> {
        if let Some(flags) = &self.escaped {
            return flags.clone();
        }
        let mut flags = Vec::new();
        for (i, site) in self.memory.sites.iter().enumerate() {
            let id = SiteId(i as u32);
            if let Maker::Global(g) = site.maker
                && self.memory.groups[site.group.index()].escaped
                && !self.constant_global(id)
                && !self.changing_cells(site.group).is_empty()
            {
                let name = format!("{}.escaped", self.module.globals[g.index()].name);
                flags.push((id, self.global(&name, Sort::BOOL, None, Loc::NONE)));
            }
        }
        self.escaped.insert(flags).clone()
    }
}

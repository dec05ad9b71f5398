//! The types of a program, hash-consed: equal types are equal numbers.
//!
//! In go the types that a program writes, with synonyms expanded by the caller; out come [`Ty`]s
//! that can be compared with `==`, copied freely and used as keys.
//!
//! What always holds:
//!
//! - Two map types are the same [`Ty`] exactly if Boogie takes them as equal: bound type variables
//!   have no names, and their order does not matter. (They are numbered in the order in which they
//!   first occur in the map's arguments.)
//! - A type is stored once however often it occurs, so a chain of synonyms each of which mentions
//!   the one before twice takes linear space. No operation here looks at a shared part twice.
//! - No type is deeper than [`Types::MAX_DEPTH`]. What would be deeper becomes [`Ty::ERROR`], and
//!   [`Types::take_overflow`] says so.
//! - The types in a finished [`Typed`](crate::typed::Typed) contain no [`TyKind::Proxy`].

use std::fmt;
use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::syntax::{DeclId, Id, Ident};
use crate::typed::DatatypeId;

mod display;

pub use display::TypeNames;

/// A type; [`Types::kind`] says which one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

impl Ty {
    /// The type of what has no type because of an error that was reported.
    pub const ERROR: Ty = Ty(0);
    /// `bool`
    pub const BOOL: Ty = Ty(1);
    /// `int`
    pub const INT: Ty = Ty(2);
    /// `real`
    pub const REAL: Ty = Ty(3);
    /// `rmode`
    pub const RMODE: Ty = Ty(4);
    /// `string`
    pub const STRING: Ty = Ty(5);
    /// `regex`
    pub const REGEX: Ty = Ty(6);

    /// The number of the type, counted from 0 without gaps.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ty{}", self.0)
    }
}

/// A type variable: the identifier that declares it, in the type parameters of a function,
/// procedure, implementation, quantifier, lambda, type or datatype.
pub type TyVar = Id<Ident>;

/// A list of types inside a [`Types`]; [`Types::list`] gives the elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TyList {
    start: u32,
    len: u32,
}

impl TyList {
    /// The list without elements.
    pub const EMPTY: TyList = TyList { start: 0, len: 0 };

    /// How many elements there are.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is no element.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TyKind {
    /// After an error that was reported.
    Error,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `bvN`
    Bv(u32),
    /// `floatSeE`
    Float {
        /// Bits of the significand, the hidden one included.
        significand: u32,
        /// Bits of the exponent.
        exponent: u32,
    },
    /// The type of rounding modes.
    RMode,
    /// `string`
    String,
    /// `regex`
    RegEx,
    /// An uninterpreted type `C t …`.
    Ctor {
        /// Its declaration.
        decl: DeclId,
        /// Its arguments.
        args: TyList,
    },
    /// A datatype, in whichever syntax it was declared.
    Data {
        /// Which one.
        data: DatatypeId,
        /// Its arguments.
        args: TyList,
    },
    /// A type variable of an enclosing declaration, quantifier or lambda.
    Var(TyVar),
    /// A type parameter of an enclosing [`TyKind::Map`].
    Bound {
        /// How many map types lie between this place and the map that binds the parameter.
        binder: u32,
        /// Which parameter of that map.
        index: u32,
    },
    /// A map `<…>[args]result`; see [`Types::instantiate_map`].
    Map {
        /// How many type parameters it has.
        params: u32,
        /// The types of the indices.
        args: TyList,
        /// The type of the values.
        result: Ty,
    },
    /// Only while types are inferred: a type that is not known yet.
    Proxy(u32),
}

/// What is remembered with each type, to cut walks short.
#[derive(Clone, Copy, Default, Debug)]
struct Facts {
    /// How many enclosing maps are needed before no [`TyKind::Bound`] is loose.
    loose: u32,
    depth: u32,
    /// How many types it mentions beside itself, each counted as often as it is written.
    parts: u32,
    has_var: bool,
    has_proxy: bool,
}

impl Facts {
    fn add(&mut self, part: Facts, under: u32) {
        self.loose = self.loose.max(part.loose.saturating_sub(under));
        self.depth = self.depth.max(part.depth + 1);
        self.parts = self.parts.saturating_add(part.parts).saturating_add(1);
        self.has_var |= part.has_var;
        self.has_proxy |= part.has_proxy;
    }
}

/// The table of types.
#[derive(Clone, Debug)]
pub struct Types {
    kinds: Vec<TyKind>,
    facts: Vec<Facts>,
    lists: Vec<Ty>,
    table: HashTable<u32>,
    overflow: bool,
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

impl Types {
    /// How deep a type may nest.
    pub const MAX_DEPTH: u32 = 4000;

    /// How deep a type nests: 0 for a type without parts.
    pub fn depth(&self, ty: Ty) -> u32 {
        self.facts[ty.index()].depth
    }

    /// A table with the basic types.
    pub fn new() -> Types {
        let mut types =
            Types { kinds: Vec::new(), facts: Vec::new(), lists: Vec::new(), table: HashTable::new(), overflow: false };
        // In the order of the constants of `Ty`.
        for kind in
            [TyKind::Error, TyKind::Bool, TyKind::Int, TyKind::Real, TyKind::RMode, TyKind::String, TyKind::RegEx]
        {
            types.intern(kind, &[]);
        }
        types
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no type; never, since the basic types are always there.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What type it is.
    pub fn kind(&self, ty: Ty) -> TyKind {
        self.kinds[ty.index()]
    }

    /// The elements of a list.
    pub fn list(&self, list: TyList) -> &[Ty] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Whether a type variable occurs in the type.
    pub fn has_var(&self, ty: Ty) -> bool {
        self.facts[ty.index()].has_var
    }

    /// Whether a proxy occurs in the type.
    pub fn has_proxy(&self, ty: Ty) -> bool {
        self.facts[ty.index()].has_proxy
    }

    /// Whether a parameter of a map that is not part of this type occurs in it.
    pub fn has_loose_bound(&self, ty: Ty) -> bool {
        self.facts[ty.index()].loose > 0
    }

    /// How many types the type consists of if it is written out, each counted as often as it occurs.
    pub fn written_size(&self, ty: Ty) -> u32 {
        self.facts[ty.index()].parts.saturating_add(1)
    }

    /// Whether a type had to be cut off since the last time somebody asked.
    pub fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflow)
    }

    /// `bvN`
    pub fn bv(&mut self, width: u32) -> Ty {
        self.intern(TyKind::Bv(width), &[])
    }

    /// `floatSeE`
    pub fn float(&mut self, significand: u32, exponent: u32) -> Ty {
        let kind = TyKind::Float { significand, exponent };
        self.intern(kind, &[])
    }

    /// An uninterpreted type.
    pub fn ctor(&mut self, decl: DeclId, args: &[Ty]) -> Ty {
        let empty = TyList::EMPTY;
        self.intern(TyKind::Ctor { decl, args: empty }, args)
    }

    /// A datatype.
    pub fn data(&mut self, data: DatatypeId, args: &[Ty]) -> Ty {
        let empty = TyList::EMPTY;
        self.intern(TyKind::Data { data, args: empty }, args)
    }

    /// A type variable.
    pub fn var(&mut self, var: TyVar) -> Ty {
        self.intern(TyKind::Var(var), &[])
    }

    /// A proxy.
    pub fn proxy(&mut self, number: u32) -> Ty {
        self.intern(TyKind::Proxy(number), &[])
    }

    /// A map type. The variables `params` that occur in `args` and `result` become its parameters.
    pub fn map(&mut self, params: &[TyVar], args: &[Ty], result: Ty) -> Ty {
        if params.is_empty() || !args.iter().chain([&result]).any(|&ty| self.has_var(ty)) {
            return self.raw_map(0, args, result);
        }
        let mut order: Vec<TyVar> = Vec::new();
        let mut memo = FxHashMap::default();
        let mut bind = |types: &mut Types, ty: Ty, kind: TyKind, binder: u32| match kind {
            TyKind::Var(var) if params.contains(&var) => {
                let index = order.iter().position(|&other| other == var);
                let index = index.unwrap_or_else(|| {
                    order.push(var);
                    order.len() - 1
                }) as u32;
                types.intern(TyKind::Bound { binder, index }, &[])
            }
            _ => ty,
        };
        let wanted = |facts: Facts, _| facts.has_var;
        let mut new_args = Vec::with_capacity(args.len());
        for &arg in args {
            new_args.push(self.rewrite(arg, 0, &wanted, &mut bind, &mut memo));
        }
        let result = self.rewrite(result, 0, &wanted, &mut bind, &mut memo);
        let params = order.len() as u32;
        self.raw_map(params, &new_args, result)
    }

    /// The map type `<a, …, r>[a, …]r` with so many indices.
    pub(crate) fn most_polymorphic_map(&mut self, arity: u32) -> Ty {
        let bound = |index| TyKind::Bound { binder: 0, index };
        let args: Vec<Ty> = (0..arity).map(|index| self.intern(bound(index), &[])).collect();
        let result = self.intern(bound(arity), &[]);
        self.raw_map(arity + 1, &args, result)
    }

    fn raw_map(&mut self, params: u32, args: &[Ty], result: Ty) -> Ty {
        let kind = TyKind::Map { params, args: TyList::EMPTY, result };
        self.intern(kind, args)
    }

    /// The index types and the value type of a map type, with these types for its parameters.
    /// `None` if it is no map type or has another number of parameters.
    pub fn instantiate_map(&mut self, map: Ty, insts: &[Ty]) -> Option<(Vec<Ty>, Ty)> {
        let TyKind::Map { params, args, result } = self.kind(map) else {
            return None;
        };
        if params as usize != insts.len() {
            return None;
        }
        let mut args = self.list(args).to_vec();
        if insts.is_empty() {
            return Some((args, result));
        }
        let mut memo = FxHashMap::default();
        let mut open = |_: &mut Types, ty: Ty, kind: TyKind, level: u32| match kind {
            TyKind::Bound { binder, index } if binder == level => insts[index as usize],
            _ => ty,
        };
        let wanted = |facts: Facts, level| facts.loose > level;
        for arg in &mut args {
            *arg = self.rewrite(*arg, 0, &wanted, &mut open, &mut memo);
        }
        let result = self.rewrite(result, 0, &wanted, &mut open, &mut memo);
        Some((args, result))
    }

    /// The type with type variables replaced: `vars[i]` by `by[i]`.
    pub fn subst(&mut self, ty: Ty, vars: &[TyVar], by: &[Ty]) -> Ty {
        if vars.is_empty() || !self.has_var(ty) {
            return ty;
        }
        self.subst_with(ty, &mut |var| {
            let at = vars.iter().position(|&other| other == var)?;
            by.get(at).copied()
        })
    }

    /// The type with each type variable replaced by what `by` says; `None` keeps it. The
    /// replacements have no loose parameters of maps.
    pub fn subst_with(&mut self, ty: Ty, by: &mut dyn FnMut(TyVar) -> Option<Ty>) -> Ty {
        let mut memo = FxHashMap::default();
        let mut replace = |_: &mut Types, ty: Ty, kind: TyKind, _| match kind {
            TyKind::Var(var) => by(var).unwrap_or(ty),
            _ => ty,
        };
        self.rewrite(ty, 0, &|facts, _| facts.has_var, &mut replace, &mut memo)
    }

    /// The type with each proxy replaced, all the way down, by what `find` says it stands for; an
    /// answer `None` keeps the proxy. `done` remembers the proxies that were replaced, and may be
    /// kept as long as the answers of `find` stay the same.
    pub fn resolve_proxies(&mut self, ty: Ty, find: &dyn Fn(u32) -> Option<Ty>, done: &mut FxHashMap<u32, Ty>) -> Ty {
        if !self.has_proxy(ty) {
            return ty;
        }
        let mut memo = FxHashMap::default();
        let mut replace = |types: &mut Types, ty: Ty, kind: TyKind, _| {
            let TyKind::Proxy(number) = kind else {
                return ty;
            };
            if let Some(&known) = done.get(&number) {
                return known;
            }
            let Some(found) = find(number) else {
                return ty;
            };
            let known = types.resolve_proxies(found, find, done);
            done.insert(number, known);
            known
        };
        self.rewrite(ty, 0, &|facts, _| facts.has_proxy, &mut replace, &mut memo)
    }

    /// Calls `visit` for every type variable of the type, once per shared part.
    pub fn for_each_var(&self, ty: Ty, visit: &mut dyn FnMut(TyVar)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            if !self.has_var(ty) || !seen.insert(ty) {
                continue;
            }
            match self.kind(ty) {
                TyKind::Var(var) => visit(var),
                TyKind::Ctor { args, .. } | TyKind::Data { args, .. } => {
                    stack.extend_from_slice(self.list(args));
                }
                TyKind::Map { args, result, .. } => {
                    stack.push(result);
                    stack.extend_from_slice(self.list(args));
                }
                _ => {}
            }
        }
    }

    /// Rebuilds a type bottom-up with its leaves replaced; parts that `wanted` rejects stay as
    /// they are. The recursion is bounded by [`Types::MAX_DEPTH`].
    fn rewrite(
        &mut self,
        ty: Ty,
        level: u32,
        wanted: &dyn Fn(Facts, u32) -> bool,
        leaf: &mut dyn FnMut(&mut Types, Ty, TyKind, u32) -> Ty,
        memo: &mut FxHashMap<(Ty, u32), Ty>,
    ) -> Ty {
        if !wanted(self.facts[ty.index()], level) {
            return ty;
        }
        let kind = self.kind(ty);
        let (args, result) = match kind {
            TyKind::Ctor { args, .. } | TyKind::Data { args, .. } => (args, None),
            TyKind::Map { args, result, .. } => (args, Some(result)),
            _ => return leaf(self, ty, kind, level),
        };
        // Remembering pays only where parts may be shared over and over.
        let deep = self.facts[ty.index()].depth > 3;
        if deep && let Some(&done) = memo.get(&(ty, level)) {
            return done;
        }
        let new = stacker::maybe_grow(32 * 1024, 512 * 1024, || {
            let inner = level + u32::from(result.is_some());
            let mut parts: SmallVec<[Ty; 4]> = SmallVec::with_capacity(args.len());
            for index in 0..args.len() {
                let arg = self.list(args)[index];
                parts.push(self.rewrite(arg, inner, wanted, leaf, memo));
            }
            let kind = match (kind, result) {
                (TyKind::Map { params, args, .. }, Some(result)) => {
                    TyKind::Map { params, args, result: self.rewrite(result, inner, wanted, leaf, memo) }
                }
                _ => kind,
            };
            self.intern(kind, &parts)
        });
        if deep {
            memo.insert((ty, level), new);
        }
        new
    }

    /// Finds or adds a type. The argument list inside `kind` is ignored; `args` counts.
    fn intern(&mut self, kind: TyKind, args: &[Ty]) -> Ty {
        let hash = hash_of(kind, args);
        let (kinds, lists) = (&self.kinds, &self.lists);
        let same = |&at: &u32| same_type(kinds, lists, at, kind, args);
        if let Some(&found) = self.table.find(hash, same) {
            return Ty(found);
        }
        let mut facts = Facts::default();
        let under = u32::from(matches!(kind, TyKind::Map { .. }));
        for &arg in args {
            facts.add(self.facts[arg.index()], under);
        }
        match kind {
            TyKind::Map { result, .. } => facts.add(self.facts[result.index()], under),
            TyKind::Bound { binder, .. } => facts.loose = binder + 1,
            TyKind::Var(_) => facts.has_var = true,
            TyKind::Proxy(_) => facts.has_proxy = true,
            _ => {}
        }
        if facts.depth > Types::MAX_DEPTH {
            self.overflow = true;
            return Ty::ERROR;
        }
        let list = match args.len() {
            0 => TyList::EMPTY,
            len => TyList { start: self.lists.len() as u32, len: len as u32 },
        };
        self.lists.extend_from_slice(args);
        self.kinds.push(with_args(kind, list));
        self.facts.push(facts);
        let id = self.kinds.len() as u32 - 1;
        let (kinds, lists) = (&self.kinds, &self.lists);
        self.table.insert_unique(hash, id, |&at| {
            let kind = kinds[at as usize];
            hash_of(kind, args_of(kind, lists))
        });
        Ty(id)
    }
}

fn args_of(kind: TyKind, lists: &[Ty]) -> &[Ty] {
    match kind {
        TyKind::Ctor { args, .. } | TyKind::Data { args, .. } | TyKind::Map { args, .. } => {
            &lists[args.start as usize..(args.start + args.len) as usize]
        }
        _ => &[],
    }
}

fn with_args(kind: TyKind, list: TyList) -> TyKind {
    match kind {
        TyKind::Ctor { decl, .. } => TyKind::Ctor { decl, args: list },
        TyKind::Data { data, .. } => TyKind::Data { data, args: list },
        TyKind::Map { params, result, .. } => TyKind::Map { params, args: list, result },
        _ => kind,
    }
}

fn same_type(kinds: &[TyKind], lists: &[Ty], at: u32, kind: TyKind, args: &[Ty]) -> bool {
    let other = kinds[at as usize];
    with_args(other, TyList::EMPTY) == with_args(kind, TyList::EMPTY) && args_of(other, lists) == args
}

fn hash_of(kind: TyKind, args: &[Ty]) -> u64 {
    let (tag, a, b): (u32, u32, u32) = match kind {
        TyKind::Error => (0, 0, 0),
        TyKind::Bool => (1, 0, 0),
        TyKind::Int => (2, 0, 0),
        TyKind::Real => (3, 0, 0),
        TyKind::RMode => (4, 0, 0),
        TyKind::String => (5, 0, 0),
        TyKind::RegEx => (6, 0, 0),
        TyKind::Bv(width) => (7, width, 0),
        TyKind::Float { significand, exponent } => (8, significand, exponent),
        TyKind::Ctor { decl, .. } => (9, decl.index() as u32, 0),
        TyKind::Data { data, .. } => (10, data.index() as u32, 0),
        TyKind::Var(var) => (11, var.index() as u32, 0),
        TyKind::Bound { binder, index } => (12, binder, index),
        TyKind::Map { params, result, .. } => (13, params, result.0),
        TyKind::Proxy(number) => (14, number, 0),
    };
    let mut hasher = FxHasher::default();
    (tag, a, b).hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Ast;

    fn vars(n: usize) -> Vec<TyVar> {
        (0..n).map(Id::from_index).collect()
    }

    fn show(types: &Types, ty: Ty) -> String {
        let ast = Ast::new();
        let names = TypeNames { ast: &ast, datatypes: &[], limit: 40 };
        types.display(ty, &names).to_string()
    }

    #[test]
    fn maps_are_equal_up_to_names_and_order_of_parameters() {
        let mut t = Types::new();
        let v = vars(4);
        let tys: Vec<Ty> = v.iter().map(|&v| t.var(v)).collect();
        let one = t.map(&[v[0], v[1]], &[tys[0], tys[1]], tys[1]);
        let two = t.map(&[v[2], v[3]], &[tys[3], tys[2]], tys[2]);
        let three = t.map(&[v[0], v[1]], &[tys[0], tys[1]], tys[0]);
        assert_eq!(one, two);
        assert_ne!(one, three);
        assert!(!t.has_var(one) && !t.has_loose_bound(one));
        assert_eq!(show(&t, one), "<a, b>[a, b]b");
        let plain = t.map(&[], &[Ty::INT], Ty::BOOL);
        assert_ne!(plain, t.map(&[], &[Ty::INT], Ty::INT));
        assert_eq!(plain, t.map(&[v[0]], &[Ty::INT], Ty::BOOL));
    }

    #[test]
    fn instantiating_goes_under_inner_binders() {
        let mut t = Types::new();
        let v = vars(2);
        let (a, b) = (t.var(v[0]), t.var(v[1]));
        let inner = t.map(&[v[1]], &[a, b], a);
        let outer = t.map(&[v[0]], &[a, inner], inner);
        assert_eq!(show(&t, outer), "<a>[a, <b>[a, b]a]<b>[a, b]a");
        let expected = t.map(&[v[1]], &[Ty::INT, b], Ty::INT);
        let (args, result) = t.instantiate_map(outer, &[Ty::INT]).unwrap();
        assert_eq!(args, [Ty::INT, expected]);
        assert_eq!(result, expected);
        assert_eq!(t.instantiate_map(outer, &[]), None);
        assert_eq!(t.subst(inner, &[v[0]], &[Ty::INT]), expected);
    }

    #[test]
    fn doubling_synonyms_stay_small_and_deep_types_are_cut_off() {
        let mut t = Types::new();
        let v = vars(1);
        let mut ty = t.var(v[0]);
        for _ in 0..1000 {
            ty = t.map(&[], &[ty], ty);
        }
        assert!(t.len() < 1020);
        let ground = t.subst(ty, &v, &[Ty::INT]);
        assert!(t.len() < 2040 && !t.has_var(ground));
        assert!(show(&t, ground).len() < 100);
        assert_eq!(t.written_size(ground), u32::MAX);
        let map = t.map(&[], &[Ty::INT], Ty::BOOL);
        assert_eq!((t.written_size(Ty::INT), t.written_size(map)), (1, 3));
        assert!(!t.take_overflow());
        for _ in 0..Types::MAX_DEPTH {
            ty = t.map(&[], &[ty], ty);
        }
        assert!(t.take_overflow() && !t.take_overflow());
    }
}

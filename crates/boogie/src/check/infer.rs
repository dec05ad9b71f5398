//! Types that are not known yet: proxies, and unification over them.
//!
//! A proxy stands for the instantiation of a type parameter until the context decides it. Proxies
//! live for one *unit*, that is, one statement or one formula; at its end what is still open gets a
//! default, so that every expression has a type.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::types::{Ty, TyKind, TyVar, Types};

/// What is known about a proxy.
#[derive(Clone, Copy, Debug)]
enum Proxy {
    /// Nothing.
    Free,
    /// It is a bit-vector of at least this many bits.
    Bv(u32),
    /// It is a map, maybe polymorphic, about whose uses this entry of `Infer::maps` tells.
    Map(u32),
    /// It stands for this type.
    Is(Ty),
}

/// What is known about a map from how it is used: the types of its indices and of the value, once
/// per use. Since the map may be polymorphic, the uses need not agree.
#[derive(Default, Debug)]
struct MapUses {
    arity: usize,
    uses: Vec<(Vec<Ty>, Ty)>,
}

/// The proxies of a unit.
#[derive(Default, Debug)]
pub(super) struct Infer {
    proxies: Vec<Proxy>,
    maps: Vec<MapUses>,
    /// Concatenations whose widths are not known: operands and result.
    concats: Vec<(Ty, Ty, Ty)>,
    /// Reused by `unify`.
    stack: Vec<(Ty, Ty)>,
}

impl Infer {
    /// A type about which nothing is known.
    pub(super) fn fresh(&mut self, types: &mut Types) -> Ty {
        self.proxies.push(Proxy::Free);
        types.proxy(self.proxies.len() as u32 - 1)
    }

    /// A bit-vector type of at least `min` bits.
    pub(super) fn fresh_bv(&mut self, types: &mut Types, min: u32) -> Ty {
        self.proxies.push(Proxy::Bv(min));
        types.proxy(self.proxies.len() as u32 - 1)
    }

    /// Whether there is any proxy.
    pub(super) fn is_empty(&self) -> bool {
        self.proxies.is_empty()
    }

    /// Forgets all proxies.
    pub(super) fn clear(&mut self) {
        self.proxies.clear();
        self.concats.clear();
        self.maps.clear();
    }

    /// The type that a proxy stands for, as far as its outermost constructor is known.
    pub(super) fn shallow(&mut self, types: &Types, ty: Ty) -> Ty {
        if self.proxies.is_empty() {
            return ty;
        }
        let mut end = ty;
        while let TyKind::Proxy(number) = types.kind(end) {
            match self.proxies[number as usize] {
                Proxy::Is(next) => end = next,
                _ => break,
            }
        }
        // Shorten the chain for the next time.
        let mut at = ty;
        while at != end {
            let TyKind::Proxy(number) = types.kind(at) else {
                break;
            };
            let Proxy::Is(next) = self.proxies[number as usize] else {
                break;
            };
            self.proxies[number as usize] = Proxy::Is(end);
            at = next;
        }
        end
    }

    /// The type with all that is known about proxies put in.
    pub(super) fn deep(&self, types: &mut Types, ty: Ty) -> Ty {
        self.close(types, ty, &mut FxHashMap::default())
    }

    /// The same after [`Infer::finish`], with what is remembered from call to call.
    pub(super) fn close(&self, types: &mut Types, ty: Ty, done: &mut FxHashMap<u32, Ty>) -> Ty {
        let find = |number: u32| match self.proxies[number as usize] {
            Proxy::Is(ty) => Some(ty),
            _ => None,
        };
        types.resolve_proxies(ty, &find, done)
    }

    /// Makes two types equal if that is possible.
    pub(super) fn unify(&mut self, types: &mut Types, a: Ty, b: Ty) -> bool {
        a == b || self.unify_with(types, a, b, None)
    }

    /// Whether two types can be made equal by some choice of the type variables in them. Proxies
    /// are bound as by [`Infer::unify`], type variables are not.
    pub(super) fn unifiable(&mut self, types: &mut Types, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        let mut vars = FxHashMap::default();
        self.unify_with(types, a, b, Some(&mut vars))
    }

    fn unify_with(&mut self, types: &mut Types, a: Ty, b: Ty, mut vars: Option<&mut FxHashMap<TyVar, Ty>>) -> bool {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((a, b));
        // Types are graphs: without this a pair might be met exponentially often.
        let mut seen = FxHashSet::default();
        let mut steps = 0;
        let mut ok = true;
        while let Some((a, b)) = stack.pop() {
            let (a, b) = (self.follow(types, a, &vars), self.follow(types, b, &vars));
            if a == b || a == Ty::ERROR || b == Ty::ERROR {
                continue;
            }
            steps += 1;
            if steps > 32 && !seen.insert((a, b)) {
                continue;
            }
            let done = match (types.kind(a), types.kind(b)) {
                // A map or bit-vector of unknown type is no type variable, but may be the value of
                // one.
                (TyKind::Proxy(p), TyKind::Var(v)) if vars.is_some() && self.is_constrained(p) => {
                    self.bind_var(types, v, a, &mut vars)
                }
                (TyKind::Var(v), TyKind::Proxy(p)) if vars.is_some() && self.is_constrained(p) => {
                    self.bind_var(types, v, b, &mut vars)
                }
                (TyKind::Proxy(p), _) => self.bind(types, p, b, &vars, &mut stack),
                (_, TyKind::Proxy(p)) => self.bind(types, p, a, &vars, &mut stack),
                (TyKind::Var(v), _) if vars.is_some() => self.bind_var(types, v, b, &mut vars),
                (_, TyKind::Var(v)) if vars.is_some() => self.bind_var(types, v, a, &mut vars),
                (TyKind::Ctor { decl: c, args: x }, TyKind::Ctor { decl: d, args: y }) => {
                    c == d && push_pairs(types, &mut stack, x, y)
                }
                (TyKind::Data { data: c, args: x }, TyKind::Data { data: d, args: y }) => {
                    c == d && push_pairs(types, &mut stack, x, y)
                }
                (TyKind::Map { params: m, args: x, result: r }, TyKind::Map { params: n, args: y, result: s }) => {
                    stack.push((r, s));
                    m == n && push_pairs(types, &mut stack, x, y)
                }
                _ => false,
            };
            if !done {
                ok = false;
                break;
            }
        }
        stack.clear();
        self.stack = stack;
        ok
    }

    fn follow(&mut self, types: &Types, ty: Ty, vars: &Option<&mut FxHashMap<TyVar, Ty>>) -> Ty {
        let mut ty = self.shallow(types, ty);
        if let Some(vars) = vars {
            while let TyKind::Var(var) = types.kind(ty) {
                match vars.get(&var) {
                    Some(&next) => ty = self.shallow(types, next),
                    None => break,
                }
            }
        }
        ty
    }

    fn bind(
        &mut self,
        types: &mut Types,
        proxy: u32,
        ty: Ty,
        vars: &Option<&mut FxHashMap<TyVar, Ty>>,
        stack: &mut Vec<(Ty, Ty)>,
    ) -> bool {
        if types.has_loose_bound(ty) || self.occurs(types, Leaf::Proxy(proxy), ty, vars) {
            return false;
        }
        let before = self.proxies[proxy as usize];
        if let TyKind::Proxy(other) = types.kind(ty) {
            self.proxies[other as usize] = match (before, self.proxies[other as usize]) {
                (Proxy::Free | Proxy::Is(_), known) => known,
                (known, Proxy::Free | Proxy::Is(_)) => known,
                (Proxy::Bv(m), Proxy::Bv(n)) => Proxy::Bv(m.max(n)),
                (Proxy::Map(m), Proxy::Map(n)) => {
                    let from = std::mem::take(&mut self.maps[m as usize]);
                    let into = &mut self.maps[n as usize];
                    if from.arity != into.arity {
                        return false;
                    }
                    into.uses.extend(from.uses);
                    Proxy::Map(n)
                }
                _ => return false,
            };
            self.proxies[proxy as usize] = Proxy::Is(ty);
            return true;
        }
        match (before, types.kind(ty)) {
            (Proxy::Free | Proxy::Is(_), _) => {}
            (Proxy::Bv(min), TyKind::Bv(width)) if width >= min => {}
            (Proxy::Map(entry), TyKind::Map { params, .. }) => {
                let MapUses { arity, uses } = std::mem::take(&mut self.maps[entry as usize]);
                for (index, value) in uses {
                    let insts: Vec<Ty> = (0..params).map(|_| self.fresh(types)).collect();
                    match types.instantiate_map(ty, &insts) {
                        Some((args, result)) if args.len() == arity => {
                            stack.extend(args.into_iter().zip(index));
                            stack.push((result, value));
                        }
                        _ => return false,
                    }
                }
            }
            _ => return false,
        }
        self.proxies[proxy as usize] = Proxy::Is(ty);
        true
    }

    /// The type of the value of a map about which nothing more is known, at these indices; `None`
    /// if it is known to be no such map.
    pub(super) fn access(&mut self, types: &mut Types, map: Ty, index: &[Ty]) -> Option<Ty> {
        let result = self.fresh(types);
        let TyKind::Proxy(number) = types.kind(self.shallow(types, map)) else {
            return None;
        };
        let entry = match self.proxies[number as usize] {
            Proxy::Map(entry) => entry,
            Proxy::Free => {
                let arity = index.len();
                self.maps.push(MapUses { arity, uses: Vec::new() });
                self.maps.len() as u32 - 1
            }
            _ => return None,
        };
        self.proxies[number as usize] = Proxy::Map(entry);
        let uses = &mut self.maps[entry as usize];
        if uses.arity != index.len() {
            return None;
        }
        uses.uses.push((index.to_vec(), result));
        Some(result)
    }

    fn bind_var(
        &mut self,
        types: &mut Types,
        var: TyVar,
        ty: Ty,
        vars: &mut Option<&mut FxHashMap<TyVar, Ty>>,
    ) -> bool {
        if types.has_loose_bound(ty) || self.occurs(types, Leaf::Var(var), ty, vars) {
            return false;
        }
        if let Some(vars) = vars {
            vars.insert(var, ty);
        }
        true
    }

    fn occurs(&mut self, types: &Types, leaf: Leaf, ty: Ty, vars: &Option<&mut FxHashMap<TyVar, Ty>>) -> bool {
        if !types.has_proxy(ty) && (vars.is_none() || !types.has_var(ty)) {
            return false;
        }
        let mut seen = FxHashSet::default();
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            let ty = self.follow(types, ty, vars);
            if !types.has_proxy(ty) && !types.has_var(ty) || !seen.insert(ty) {
                continue;
            }
            match types.kind(ty) {
                TyKind::Proxy(number) if leaf == Leaf::Proxy(number) => return true,
                TyKind::Var(var) if leaf == Leaf::Var(var) => return true,
                TyKind::Ctor { args, .. } | TyKind::Data { args, .. } => {
                    stack.extend_from_slice(types.list(args));
                }
                TyKind::Map { args, result, .. } => {
                    stack.push(result);
                    stack.extend_from_slice(types.list(args));
                }
                _ => {}
            }
        }
        false
    }

    /// The type of the concatenation of two bit-vectors; `None` if they are not bit-vectors.
    pub(super) fn concat(&mut self, types: &mut Types, a: Ty, b: Ty) -> Option<Ty> {
        for ty in [a, b] {
            if !matches!(types.kind(self.shallow(types, ty)), TyKind::Bv(_)) {
                let bv = self.fresh_bv(types, 0);
                if !self.unify(types, ty, bv) {
                    return None;
                }
            }
        }
        let (a, b) = (self.shallow(types, a), self.shallow(types, b));
        match (types.kind(a), types.kind(b)) {
            (TyKind::Bv(m), TyKind::Bv(n)) => Some(types.bv(m.saturating_add(n))),
            _ => {
                let least = self.least(types, a).saturating_add(self.least(types, b));
                let result = self.fresh_bv(types, least);
                self.concats.push((a, b, result));
                Some(result)
            }
        }
    }

    fn is_constrained(&self, proxy: u32) -> bool {
        matches!(self.proxies[proxy as usize], Proxy::Bv(_) | Proxy::Map(_))
    }

    /// How many bits a bit-vector has at least.
    fn least(&self, types: &Types, ty: Ty) -> u32 {
        match types.kind(ty) {
            TyKind::Bv(width) => width,
            TyKind::Proxy(number) => match self.proxies[number as usize] {
                Proxy::Bv(min) => min,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Decides all that is still open; `false` if the widths of some concatenation do not add up.
    pub(super) fn finish(&mut self, types: &mut Types) -> bool {
        if self.concats.is_empty() {
            return self.finish_with(types, 1);
        }
        // Widths that are open become 1 if possible, and 0 only if need be.
        let (proxies, concats) = (self.proxies.clone(), self.concats.clone());
        if self.finish_with(types, 1) {
            return true;
        }
        (self.proxies, self.concats) = (proxies, concats);
        self.finish_with(types, 0)
    }

    fn finish_with(&mut self, types: &mut Types, least: u32) -> bool {
        let mut ok = true;
        let mut guesses = 0;
        loop {
            let mut open = std::mem::take(&mut self.concats);
            let before = open.len();
            open.retain(|&(a, b, result)| {
                let width = |infer: &mut Infer, types: &Types, ty| match types.kind(infer.shallow(types, ty)) {
                    TyKind::Bv(width) => Some(width),
                    _ => None,
                };
                let known = [a, b, result].map(|ty| width(self, types, ty));
                let (target, bits) = match known {
                    [Some(m), Some(n), _] => (result, m.checked_add(n)),
                    [Some(m), None, Some(r)] => (b, r.checked_sub(m)),
                    [None, Some(n), Some(r)] => (a, r.checked_sub(n)),
                    _ => return true,
                };
                ok &= bits.is_some_and(|bits| {
                    let bv = types.bv(bits);
                    self.unify(types, target, bv)
                });
                false
            });
            let progress = open.len() < before;
            self.concats = open;
            if progress {
                continue;
            }
            // Let one width be the smallest possible, and see what follows from it. When that
            // happens too often, stop being careful: such expressions are not written by hand.
            let Some(&first) = self.concats.first() else {
                break;
            };
            guesses += 1;
            let open = if guesses < 64 { vec![first] } else { self.concats.clone() };
            for (a, b, _) in open {
                let operands = [a, b].map(|ty| types.kind(self.shallow(types, ty)));
                let unknown = operands.iter().find_map(|&kind| match kind {
                    TyKind::Proxy(number) => Some(number),
                    _ => None,
                });
                if let Some(number) = unknown {
                    self.decide(types, number, least);
                }
            }
        }
        // Deciding about a map may add proxies.
        let mut number = 0;
        while number < self.proxies.len() {
            if !matches!(self.proxies[number], Proxy::Is(_)) {
                self.decide(types, number as u32, least);
            }
            number += 1;
        }
        ok
    }

    fn decide(&mut self, types: &mut Types, number: u32, least: u32) {
        let ty = match self.proxies[number as usize] {
            Proxy::Bv(min) => types.bv(min.max(least)),
            Proxy::Map(entry) => return self.decide_map(types, number, entry),
            _ => Ty::INT,
        };
        self.proxies[number as usize] = Proxy::Is(ty);
    }
}

impl Infer {
    /// A map that is used once is not polymorphic; one with several uses is as polymorphic as can
    /// be, so that all of them fit.
    fn decide_map(&mut self, types: &mut Types, number: u32, entry: u32) {
        let MapUses { arity, uses } = &self.maps[entry as usize];
        let arity = *arity;
        if let [(index, value)] = &uses[..] {
            let (index, value) = (index.clone(), *value);
            let ty = types.map(&[], &index, value);
            if !self.occurs(types, Leaf::Proxy(number), ty, &None) {
                self.proxies[number as usize] = Proxy::Is(ty);
                return;
            }
        }
        let ty = types.most_polymorphic_map(arity as u32);
        self.proxies[number as usize] = Proxy::Is(ty);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Leaf {
    Proxy(u32),
    Var(TyVar),
}

fn push_pairs(types: &Types, stack: &mut Vec<(Ty, Ty)>, x: crate::types::TyList, y: crate::types::TyList) -> bool {
    let (x, y) = (types.list(x), types.list(y));
    stack.extend(x.iter().copied().zip(y.iter().copied()));
    x.len() == y.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unification_binds_proxies_and_checks_cycles() {
        let (mut t, mut i) = (Types::new(), Infer::default());
        let (p, q) = (i.fresh(&mut t), i.fresh(&mut t));
        let m = t.map(&[], &[p], q);
        let n = t.map(&[], &[Ty::INT], p);
        assert!(i.unify(&mut t, m, n));
        let expected = t.map(&[], &[Ty::INT], Ty::INT);
        assert_eq!(i.deep(&mut t, m), expected);
        let r = i.fresh(&mut t);
        let cycle = t.map(&[], &[r], Ty::INT);
        assert!(!i.unify(&mut t, r, cycle));
        assert!(!i.unify(&mut t, Ty::INT, Ty::BOOL));
    }

    #[test]
    fn type_variables_are_open_only_for_comparison() {
        let (mut t, mut i) = (Types::new(), Infer::default());
        let a = t.var(crate::syntax::Id::from_index(0));
        assert!(!i.unify(&mut t, a, Ty::INT));
        assert!(i.unifiable(&mut t, a, Ty::INT));
        let (x, y) = (t.map(&[], &[a], a), t.map(&[], &[Ty::INT], Ty::BOOL));
        assert!(!i.unifiable(&mut t, x, y));
    }

    #[test]
    fn widths_of_concatenations_follow_from_each_other() {
        let (mut t, mut i) = (Types::new(), Infer::default());
        let (p, b8, b32) = (i.fresh(&mut t), t.bv(8), t.bv(32));
        let c = i.concat(&mut t, p, b8).unwrap();
        assert!(i.unify(&mut t, c, b32));
        assert!(i.finish(&mut t));
        let b24 = t.bv(24);
        assert_eq!(i.deep(&mut t, p), b24);
        assert!(i.concat(&mut t, Ty::INT, b8).is_none());
    }

    #[test]
    fn doubling_proxies_resolve_in_linear_time() {
        let (mut t, mut i) = (Types::new(), Infer::default());
        let first = i.fresh(&mut t);
        let mut last = first;
        for _ in 0..200 {
            let next = i.fresh(&mut t);
            let map = t.map(&[], &[next], next);
            assert!(i.unify(&mut t, last, map));
            last = next;
        }
        assert!(i.finish(&mut t));
        let ty = i.deep(&mut t, first);
        assert!(!t.has_proxy(ty) && t.len() < 2000);
    }
}

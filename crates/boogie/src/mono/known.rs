//! Which instances of polymorphic things a program uses, and matching types against them.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::syntax::{DeclId, Function, Id};
use crate::typed::DatatypeId;
use crate::types::{Ty, TyKind, TyVar, Types};

/// A polymorphic thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Head {
    /// A function.
    Function(Id<Function>),
    /// An uninterpreted type.
    Type(DeclId),
    /// A datatype.
    Data(DatatypeId),
    /// A ground polymorphic map type.
    Map(Ty),
}

/// The instances in the order of their first use.
#[derive(Clone, Default, Debug)]
pub(crate) struct Known {
    heads: FxHashMap<Head, Instances>,
    /// All instances: the thing, and which of its instances.
    order: Vec<(Head, u32)>,
}

/// The instances of one thing.
#[derive(Clone, Default, Debug)]
struct Instances {
    list: Vec<Box<[Ty]>>,
    seen: FxHashSet<Box<[Ty]>>,
}

impl Known {
    /// Notes an instance; things without type arguments are not noted.
    pub fn add(&mut self, head: Head, tys: &[Ty]) {
        if tys.is_empty() {
            return;
        }
        let instances = self.heads.entry(head).or_default();
        if !instances.seen.contains(tys) {
            self.order.push((head, instances.list.len() as u32));
            instances.seen.insert(tys.into());
            instances.list.push(tys.into());
        }
    }

    /// The instances of a thing.
    pub fn instances(&self, head: Head) -> &[Box<[Ty]>] {
        self.heads.get(&head).map_or(&[], |instances| instances.list.as_slice())
    }

    /// How many instances there are of all things together.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// How many instances there are of the things that patterns are about. As long as this stays the
    /// same, so does what [`Known::ways`] finds.
    pub fn count(&self, patterns: &[(Head, Vec<Ty>)]) -> usize {
        patterns.iter().map(|(head, _)| self.instances(*head).len()).sum()
    }

    /// The instance that was noted as the `at`-th of all.
    pub fn nth(&self, at: usize) -> Option<(Head, &[Ty])> {
        let &(head, index) = self.order.get(at)?;
        Some((head, self.heads.get(&head)?.list.get(index as usize)?))
    }
}

/// A partial assignment of types to type variables.
pub(crate) type Match = Vec<(TyVar, Ty)>;

/// Matches a type that mentions the variables `params` against a ground type, and adds what it
/// learns to `found`. Returns whether they fit.
pub(crate) fn match_ty(types: &Types, params: &[TyVar], pattern: Ty, ground: Ty, found: &mut Match) -> bool {
    let mut work: SmallVec<[(Ty, Ty); 8]> = smallvec![(pattern, ground)];
    while let Some((pattern, ground)) = work.pop() {
        if !types.has_var(pattern) {
            if pattern != ground {
                return false;
            }
            continue;
        }
        match (types.kind(pattern), types.kind(ground)) {
            (TyKind::Var(var), _) if params.contains(&var) => {
                // A type that mentions the parameter of a map it is cut out of means nothing here.
                if types.has_loose_bound(ground) {
                    return false;
                }
                match found.iter().find(|(other, _)| *other == var) {
                    Some(&(_, bound)) if bound != ground => return false,
                    Some(_) => {}
                    None => found.push((var, ground)),
                }
            }
            (TyKind::Ctor { decl, args }, TyKind::Ctor { decl: other, args: others }) if decl == other => {
                work.extend(types.list(args).iter().copied().zip(types.list(others).iter().copied()));
            }
            (TyKind::Data { data, args }, TyKind::Data { data: other, args: others }) if data == other => {
                work.extend(types.list(args).iter().copied().zip(types.list(others).iter().copied()));
            }
            (TyKind::Map { params: n, args, result }, TyKind::Map { params: m, args: others, result: other })
                if n == m && args.len() == others.len() =>
            {
                work.extend(types.list(args).iter().copied().zip(types.list(others).iter().copied()));
                work.push((result, other));
            }
            _ if pattern == ground => {}
            _ => return false,
        }
    }
    true
}

impl Known {
    /// All ways to choose the variables `params` so that each pattern that decides some of them is
    /// an instance that is known.
    ///
    /// If one pattern mentions all variables, every match of such a pattern is a way. Otherwise the
    /// ways are all combinations of what the patterns say of each variable. The second part of the
    /// result is false if a variable is mentioned by no pattern, or if there were more than `limit`
    /// ways; there are then fewer ways than there should be.
    pub fn ways(
        &self,
        types: &Types,
        params: &[TyVar],
        patterns: &[(Head, Vec<Ty>)],
        limit: usize,
    ) -> (Vec<Match>, bool) {
        let mut full: Vec<Match> = Vec::new();
        let mut seen_full: FxHashSet<Vec<Ty>> = FxHashSet::default();
        let mut single: Vec<Vec<Ty>> = vec![Vec::new(); params.len()];
        let mut seen: FxHashSet<(usize, Ty)> = FxHashSet::default();
        let mut mentioned = vec![false; params.len()];
        let mut covered = false;
        for (head, pattern) in patterns {
            let mut vars = Vec::new();
            for &ty in pattern {
                types.for_each_var(ty, &mut |var| vars.push(var));
            }
            for (at, param) in params.iter().enumerate() {
                mentioned[at] |= vars.contains(param);
            }
            covered |= params.iter().all(|param| vars.contains(param));
            for instance in self.instances(*head) {
                let mut found = Match::new();
                let pairs = pattern.iter().zip(instance.iter());
                if !pairs.fold(true, |ok, (&p, &g)| ok && match_ty(types, params, p, g, &mut found)) {
                    continue;
                }
                for &(var, ty) in &found {
                    let at = params.iter().position(|&param| param == var);
                    if let Some(at) = at.filter(|&at| seen.insert((at, ty))) {
                        single[at].push(ty);
                    }
                }
                if found.len() == params.len() {
                    found.sort_by_key(|(var, _)| params.iter().position(|param| param == var));
                    if seen_full.insert(found.iter().map(|&(_, ty)| ty).collect()) {
                        full.push(found);
                    }
                }
            }
        }
        if covered {
            let complete = full.len() <= limit;
            full.truncate(limit);
            return (full, complete);
        }
        let mut ways: Vec<Match> = vec![Vec::new()];
        let mut complete = mentioned.iter().all(|&mentioned| mentioned);
        for (at, &param) in params.iter().enumerate() {
            let mut next = Vec::new();
            for way in &ways {
                for &ty in &single[at] {
                    if next.len() >= limit {
                        complete = false;
                        break;
                    }
                    let mut way = way.clone();
                    way.push((param, ty));
                    next.push(way);
                }
            }
            ways = next;
        }
        (ways, complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_covers_all_variables_decides_them_together() {
        let mut types = Types::new();
        let vars: Vec<TyVar> = (0..2).map(Id::from_index).collect();
        let pattern: Vec<Ty> = vars.iter().map(|&var| types.var(var)).collect();
        let head = Head::Function(Id::from_index(0));
        let mut known = Known::default();
        known.add(head, &[Ty::INT, Ty::BOOL]);
        known.add(head, &[Ty::REAL, Ty::REAL]);
        known.add(head, &[Ty::INT, Ty::BOOL]);
        assert_eq!(known.len(), 2);
        let (ways, complete) = known.ways(&types, &vars, &[(head, pattern.clone())], 10);
        assert!(complete);
        let expected = [vec![(vars[0], Ty::INT), (vars[1], Ty::BOOL)], vec![(vars[0], Ty::REAL), (vars[1], Ty::REAL)]];
        assert_eq!(ways, expected);
        let other = Head::Type(Id::from_index(3));
        known.add(other, &[Ty::INT]);
        known.add(other, &[Ty::BOOL]);
        let patterns = [(other, vec![pattern[0]]), (other, vec![pattern[1]])];
        let (ways, complete) = known.ways(&types, &vars, &patterns, 3);
        assert_eq!((ways.len(), complete), (3, false));
    }
}

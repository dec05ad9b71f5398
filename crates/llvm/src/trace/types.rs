//! Types of the source: what lies at which bits of an object, as C writes it.

use crate::module::{DebugType, DebugTypeId, DebugTypeKind, Member};

/// Types nested deeper than this are not looked into; names for types may go in circles.
const DEPTH: u32 = 100;

/// The elements of an array that are named at most, where all change at once.
const MAX_ELEMENTS: u64 = 64;

/// A part of an object that has no parts: a member, an element, or the object itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// How C gets there from the object: `.next`, `[3].x`, or nothing.
    pub path: String,
    /// Its type.
    pub ty: DebugTypeId,
    /// The bit of the object at which it starts.
    pub start: u64,
    /// Its size in bits.
    pub bits: u64,
}

/// A type without the names for it and its qualifiers.
pub fn strip(types: &[DebugType], mut ty: DebugTypeId) -> DebugTypeId {
    for _ in 0..DEPTH {
        match types[ty.index()].kind {
            DebugTypeKind::Alias(Some(inner)) => ty = inner,
            _ => break,
        }
    }
    ty
}

/// The size of a type in bits; 0 if it has none.
pub fn bits(types: &[DebugType], ty: DebugTypeId) -> u64 {
    match types[ty.index()].bits {
        0 => types[strip(types, ty).index()].bits,
        bits => bits,
    }
}

fn is_flexible(types: &[DebugType], member: &Member) -> bool {
    let kind = member.ty.map(|ty| &types[strip(types, ty).index()].kind);
    member.bits == 0 && matches!(kind, Some(DebugTypeKind::Array(..)))
}

/// Does a structure end with an array of any length?
pub fn is_open(types: &[DebugType], ty: DebugTypeId) -> bool {
    match &types[strip(types, ty).index()].kind {
        DebugTypeKind::Struct(members) => members.last().is_some_and(|m| is_flexible(types, m)),
        _ => false,
    }
}

/// The parts of a type that lie at these bits, in order.
pub fn leaves(types: &[DebugType], ty: DebugTypeId, range: std::ops::Range<u64>) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut stack = vec![(Leaf { path: String::new(), ty, start: 0, bits: bits(types, ty) }, 0)];
    while let Some((place, depth)) = stack.pop() {
        let at = |member: &Member| place.start + member.start;
        let inside = |start: u64, bits: u64| start < range.end && range.start < start.saturating_add(bits);
        let sub = |member: &Member, ty| {
            let dot = if member.name.is_empty() { "" } else { "." };
            (
                Leaf { path: format!("{}{dot}{}", place.path, member.name), ty, start: at(member), bits: member.bits },
                depth + 1,
            )
        };
        match &types[strip(types, place.ty).index()].kind {
            _ if depth > DEPTH => {}
            DebugTypeKind::Struct(members) => {
                for member in members.iter().rev() {
                    // A flexible array goes on and on.
                    let bits = if is_flexible(types, member) { u64::MAX / 2 } else { member.bits };
                    if inside(at(member), bits)
                        && let Some(ty) = member.ty
                    {
                        let (leaf, depth) = sub(member, ty);
                        stack.push((Leaf { bits, ..leaf }, depth));
                    }
                }
            }
            DebugTypeKind::Union(members) => {
                // Which member is meant, nothing says: the smallest that has all these bits, else the largest.
                let whole = |m: &&Member| at(m) <= range.start && range.end <= at(m) + m.bits;
                let fits = members.iter().filter(whole).min_by_key(|m| m.bits);
                let member = fits.or_else(|| members.iter().rev().max_by_key(|m| m.bits));
                stack.extend(member.and_then(|m| Some(sub(m, m.ty?))));
            }
            DebugTypeKind::Array(Some(element), _) if bits(types, *element) > 0 => {
                let size = bits(types, *element);
                let first = range.start.saturating_sub(place.start) / size;
                let end = range.end.min(place.start.saturating_add(place.bits.max(size))).saturating_sub(place.start);
                let last = end.div_ceil(size).min(first + MAX_ELEMENTS);
                for i in (first..last).rev() {
                    let path = format!("{}[{i}]", place.path);
                    stack.push((Leaf { path, ty: *element, start: place.start + i * size, bits: size }, depth + 1));
                }
            }
            _ => found.push(place),
        }
    }
    found
}

/// The part of a type at a byte, as C writes it; `@n` for a byte that is not the first of its part.
pub fn path(types: &[DebugType], ty: Option<DebugTypeId>, offset: u64) -> String {
    let at = offset.saturating_mul(8);
    let leaf = ty.and_then(|ty| leaves(types, ty, at..at.saturating_add(1)).into_iter().next());
    match leaf {
        Some(leaf) if at - leaf.start < 8 => leaf.path,
        Some(leaf) => format!("{}@{}", leaf.path, (at - leaf.start) / 8),
        None if offset == 0 => String::new(),
        None => format!("@{offset}"),
    }
}

/// The part of an object that starts at a byte, as C writes it: the one of the type that is wanted, else the innermost.
/// Allocated memory is an array of its type.
pub fn part(
    types: &[DebugType],
    mut ty: DebugTypeId,
    offset: u64,
    wanted: Option<DebugTypeId>,
    heap: bool,
) -> Option<String> {
    let (mut rest, mut path) = (offset.checked_mul(8)?, String::new());
    let size = bits(types, ty);
    if heap && size > 0 && !is_open(types, ty) {
        if rest >= size {
            path = format!("[{}]", rest / size);
        }
        rest %= size;
    }
    let wanted = wanted.map(|ty| strip(types, ty));
    let mut found = None;
    for _ in 0..DEPTH {
        let own = strip(types, ty);
        if rest == 0 {
            found = Some(path.clone());
            if wanted == Some(own) {
                break;
            }
        }
        match &types[own.index()].kind {
            DebugTypeKind::Struct(members) => {
                let holds = |m: &&Member| m.start <= rest && (rest < m.start + m.bits || is_flexible(types, m));
                let Some((member, inner)) = members.iter().rfind(holds).and_then(|m| Some((m, m.ty?))) else { break };
                let dot = if member.name.is_empty() { "" } else { "." };
                path.push_str(&format!("{dot}{}", member.name));
                (ty, rest) = (inner, rest - member.start);
            }
            DebugTypeKind::Array(Some(element), _) if bits(types, *element) > 0 => {
                let size = bits(types, *element);
                path.push_str(&format!("[{}]", rest / size));
                (ty, rest) = (*element, rest % size);
            }
            _ => break,
        }
    }
    found.filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(name: &str, kind: DebugTypeKind, bits: u64) -> DebugType {
        DebugType { name: name.into(), kind, bits }
    }

    fn member(name: &str, ty: u32, start: u64, bits: u64) -> Member {
        Member { name: name.into(), ty: Some(DebugTypeId(ty)), start, bits }
    }

    /// `struct s { int x : 3; int y : 5; union { int i; char b[4]; } u; struct s *a[2]; }`
    fn types() -> Vec<DebugType> {
        vec![
            ty("int", DebugTypeKind::Signed, 32),
            ty("char", DebugTypeKind::Char { signed: true }, 8),
            ty("", DebugTypeKind::Array(Some(DebugTypeId(1)), Some(4)), 32),
            ty("", DebugTypeKind::Union(vec![member("i", 0, 0, 32), member("b", 2, 0, 32)]), 32),
            ty("", DebugTypeKind::Pointer(Some(DebugTypeId(7))), 64),
            ty("", DebugTypeKind::Array(Some(DebugTypeId(4)), Some(2)), 128),
            ty(
                "s",
                DebugTypeKind::Struct(vec![
                    member("x", 0, 0, 3),
                    member("y", 0, 3, 5),
                    member("u", 3, 32, 32),
                    member("a", 5, 64, 128),
                ]),
                192,
            ),
            ty("t", DebugTypeKind::Alias(Some(DebugTypeId(6))), 0),
        ]
    }

    #[test]
    fn parts_are_found_by_their_bits() {
        let types = types();
        let names = |range| -> Vec<String> {
            leaves(&types, DebugTypeId(7), range).into_iter().map(|l| format!("{}:{}", l.path, l.bits)).collect()
        };
        assert_eq!(names(0..8), [".x:3", ".y:5"]);
        assert_eq!(names(32..64), [".u.i:32"]);
        assert_eq!(names(128..192), [".a[1]:64"]);
        assert_eq!(names(0..192), [".x:3", ".y:5", ".u.i:32", ".a[0]:64", ".a[1]:64"]);
        assert_eq!(names(8..32), [""; 0]);
        assert_eq!(names(500..508), [""; 0]);
    }

    #[test]
    fn a_byte_has_a_path() {
        let types = types();
        let at = |offset| path(&types, Some(DebugTypeId(6)), offset);
        assert_eq!((at(0), at(4), at(16), at(20)), (".x".into(), ".u.i".into(), ".a[1]".into(), ".a[1]@4".into()));
        assert_eq!((at(99), path(&types, None, 0), path(&types, None, 3)), ("@99".into(), "".into(), "@3".into()));
    }

    #[test]
    fn a_part_has_the_type_that_is_wanted() {
        let types = types();
        let at = |offset, wanted: Option<u32>| part(&types, DebugTypeId(6), offset, wanted.map(DebugTypeId), false);
        assert_eq!(at(8, Some(5)), Some(".a".into()));
        assert_eq!(at(8, None), Some(".a[0]".into()));
        assert_eq!(at(16, Some(4)), Some(".a[1]".into()));
        assert_eq!(at(17, None), None);
        let heap = |offset, wanted| part(&types, DebugTypeId(0), offset, Some(DebugTypeId(wanted)), true);
        assert_eq!((heap(8, 0), heap(9, 1)), (Some("[2]".into()), None));
    }

    #[test]
    fn circles_end() {
        let circle = [ty("a", DebugTypeKind::Alias(Some(DebugTypeId(0))), 0)];
        assert_eq!(bits(&circle, DebugTypeId(0)), 0);
        let own = [ty("s", DebugTypeKind::Struct(vec![member("s", 0, 0, 8)]), 8)];
        assert!(leaves(&own, DebugTypeId(0), 0..8).is_empty());
    }
}

//! The arrays of a query as a graph, and the reads from them.
//!
//! In: array terms node by node, and indices. Out: for each read an array-free term of the inner
//! store. What the indices decide is resolved at once; a read that meets a write to an index that may
//! or may not be its own, or a variable, becomes a variable of the inner store (a [`Read`]).

use lariat_term::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// More writes than this to one inner array are not copied to read it at another index.
const MAX_REINDEXED: usize = 64;

/// A number of an array in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ArrayId(u32);

impl ArrayId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The indices of a read from nested arrays, outermost first: an interned list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Path(u32);

/// A number of a read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ReadId(u32);

impl ReadId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an array holds at an index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element {
    /// A term of the inner store.
    Scalar(Term),
    /// An array in an array.
    Array(ArrayId),
}

/// How an array is made. Terms are of the inner store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Array {
    Var,
    Store {
        base: ArrayId,
        index: Term,
        element: Element,
    },
    Ite {
        condition: Term,
        then: ArrayId,
        other: ArrayId,
    },
    Const(Element),
    /// The array that an array of arrays holds at an index.
    Select {
        base: ArrayId,
        index: Term,
    },
}

#[derive(Clone, Copy)]
struct Node {
    array: Array,
    /// The sort in the caller's store.
    sort: Sort,
    /// The sort of the innermost elements in the inner store.
    leaf: Sort,
    /// The only variable that the array is made from without definitions, if there is just one.
    sole: Sole,
}

/// Which variables an array is made from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sole {
    None,
    One(ArrayId),
    Many,
}

impl Sole {
    fn join(self, other: Sole) -> Sole {
        match (self, other) {
            (Sole::None, x) | (x, Sole::None) => x,
            (a, b) if a == b => a,
            _ => Sole::Many,
        }
    }
}

/// A read that is a variable of the inner store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) array: ArrayId,
    pub(super) path: Path,
    /// The variable.
    pub(super) var: Term,
    /// What it equals, once that is asserted.
    pub(super) meaning: Option<Term>,
    /// Does an asserted term speak about it?
    pub(super) used: bool,
}

/// The graph. Arrays, reads and definitions are only ever added.
pub(super) struct Graph {
    /// The inner store.
    pub(super) terms: Terms,
    nodes: Vec<Node>,
    paths: Vec<(Term, Option<Path>)>,
    path_ids: FxHashMap<(Term, Option<Path>), Path>,
    reads: Vec<Read>,
    read_of: FxHashMap<Term, ReadId>,
    /// Reads of variables, by array.
    var_reads: FxHashMap<ArrayId, Vec<ReadId>>,
    memo: FxHashMap<(ArrayId, Path), Term>,
    /// Made by [`Graph::reindexed`].
    reindexed: FxHashMap<(ArrayId, Term), ArrayId>,
    /// What variables are defined to be, and when.
    definitions: FxHashMap<ArrayId, (ArrayId, usize)>,
    /// Arrays whose terms were listed, by [`Graph::terms_of`].
    listed: Vec<bool>,
    /// For walks: the number of the walk that saw an array last.
    seen: Vec<u32>,
    walks: u32,
}

/// Where the decided part of a read ends.
enum End {
    Term(Term),
    Split(ArrayId, Path),
}

enum Task {
    Visit(ArrayId, Path),
    Alias((ArrayId, Path), (ArrayId, Path)),
    Join(ArrayId, Path),
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph {
            terms: Terms::new(),
            nodes: Vec::new(),
            paths: Vec::new(),
            path_ids: FxHashMap::default(),
            reads: Vec::new(),
            read_of: FxHashMap::default(),
            var_reads: FxHashMap::default(),
            memo: FxHashMap::default(),
            reindexed: FxHashMap::default(),
            definitions: FxHashMap::default(),
            listed: Vec::new(),
            seen: Vec::new(),
            walks: 0,
        }
    }

    /// Adds an array of a sort of the caller's store, with innermost elements of a sort of the inner one.
    pub(super) fn add(&mut self, array: Array, sort: Sort, leaf: Sort) -> ArrayId {
        let id = ArrayId(self.nodes.len() as u32);
        let of = |a: ArrayId| self.nodes[a.index()].sole;
        let inside = |e: Element| match e {
            Element::Scalar(_) => Sole::None,
            Element::Array(a) => of(a),
        };
        let sole = match array {
            Array::Var => Sole::One(id),
            Array::Store { base, element, .. } => of(base).join(inside(element)),
            Array::Ite { then, other, .. } => of(then).join(of(other)),
            Array::Const(element) => inside(element),
            Array::Select { base, .. } => of(base),
        };
        self.nodes.push(Node { array, sort, leaf, sole });
        self.listed.push(false);
        self.seen.push(0);
        id
    }

    pub(super) fn array(&self, a: ArrayId) -> Array {
        self.nodes[a.index()].array
    }

    pub(super) fn sort(&self, a: ArrayId) -> Sort {
        self.nodes[a.index()].sort
    }

    pub(super) fn definition_count(&self) -> usize {
        self.definitions.len()
    }

    /// What a variable is defined to be by one of the first `count` definitions.
    pub(super) fn definition(&self, a: ArrayId, count: usize) -> Option<ArrayId> {
        self.definitions.get(&a).filter(|d| d.1 < count).map(|d| d.0)
    }

    pub(super) fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// The reads there are now.
    pub(super) fn read_ids(&self) -> impl Iterator<Item = ReadId> + use<> {
        (0..self.reads.len() as u32).map(ReadId)
    }

    /// The read that a variable of the inner store is.
    pub(super) fn read_of(&self, var: Term) -> Option<ReadId> {
        self.read_of.get(&var).copied()
    }

    pub(super) fn mark_used(&mut self, r: ReadId) {
        self.reads[r.index()].used = true;
    }

    pub(super) fn path(&mut self, head: Term, tail: Option<Path>) -> Path {
        let next = Path(self.paths.len() as u32);
        let id = *self.path_ids.entry((head, tail)).or_insert(next);
        if id == next {
            self.paths.push((head, tail));
        }
        id
    }

    /// The first index of a path, and the others.
    pub(super) fn split(&self, p: Path) -> (Term, Option<Path>) {
        self.paths[p.0 as usize]
    }

    /// The indices of a path.
    pub(super) fn indices(&self, p: Path) -> impl Iterator<Item = Term> + '_ {
        let mut rest = Some(p);
        std::iter::from_fn(move || {
            let (head, tail) = self.split(rest?);
            rest = tail;
            Some(head)
        })
    }

    /// Is the read one of a variable that is not defined?
    pub(super) fn is_free(&self, r: ReadId) -> bool {
        let a = self.reads[r.index()].array;
        matches!(self.array(a), Array::Var) && !self.definitions.contains_key(&a)
    }

    /// The array that a variable is defined to be, through any number of definitions.
    fn resolve(&self, mut a: ArrayId) -> ArrayId {
        while let Some(&(d, _)) = self.definitions.get(&a) {
            a = d;
        }
        a
    }

    /// Makes two arrays equal by defining a variable; `None` if neither is an undefined variable that
    /// the other one is not made from. Out: the used reads of the variable so far with their
    /// meanings, which are to be asserted.
    pub(super) fn define(&mut self, a: ArrayId, b: ArrayId) -> Option<Vec<(ReadId, Term)>> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return Some(Vec::new());
        }
        let is_var = |a: ArrayId| matches!(self.array(a), Array::Var);
        let (var, meaning) = match (is_var(a), is_var(b)) {
            (true, _) if !self.made_from(b, a) => (a, b),
            (_, true) if !self.made_from(a, b) => (b, a),
            _ => return None,
        };
        self.definitions.insert(var, (meaning, self.definitions.len()));
        let mut reads = self.var_reads.remove(&var).unwrap_or_default();
        reads.retain(|r| self.reads[r.index()].used);
        Some(reads.into_iter().map(|r| (r, self.expand(r))).collect())
    }

    /// Is an array made from a variable, definitions included?
    fn made_from(&mut self, a: ArrayId, var: ArrayId) -> bool {
        self.walks += 1;
        let mut stack = vec![a];
        while let Some(a) = stack.pop() {
            let a = match self.nodes[a.index()].sole {
                Sole::None => continue,
                Sole::One(v) => v,
                Sole::Many => a,
            };
            if a == var {
                return true;
            }
            if std::mem::replace(&mut self.seen[a.index()], self.walks) == self.walks {
                continue;
            }
            let mut inside = |e: Element| match e {
                Element::Scalar(_) => {}
                Element::Array(a) => stack.push(a),
            };
            match self.nodes[a.index()].array {
                Array::Var => stack.extend(self.definitions.get(&a).map(|d| d.0)),
                Array::Store { base, element, .. } => {
                    inside(element);
                    stack.push(base);
                }
                Array::Ite { then, other, .. } => stack.extend([then, other]),
                Array::Const(element) => inside(element),
                Array::Select { base, .. } => stack.push(base),
            }
        }
        false
    }

    /// The terms of the inner store that an array is made with, without those that were listed before.
    pub(super) fn terms_of(&mut self, a: ArrayId) -> Vec<Term> {
        let (mut stack, mut out) = (vec![a], Vec::new());
        while let Some(a) = stack.pop() {
            if std::mem::replace(&mut self.listed[a.index()], true) {
                continue;
            }
            let mut inside = |e: Element| match e {
                Element::Scalar(t) => out.push(t),
                Element::Array(a) => stack.push(a),
            };
            match self.nodes[a.index()].array {
                Array::Var => {}
                Array::Store { base, index, element } => {
                    inside(element);
                    stack.push(base);
                    out.push(index);
                }
                Array::Ite { condition, then, other } => {
                    stack.extend([then, other]);
                    out.push(condition);
                }
                Array::Const(element) => inside(element),
                Array::Select { base, index } => {
                    stack.push(base);
                    out.push(index);
                }
            }
        }
        out
    }

    /// What is in an array at a path.
    pub(super) fn read(&mut self, array: ArrayId, path: Path) -> Term {
        let mut tasks = vec![Task::Visit(array, path)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(a, p) => {
                    if self.memo.contains_key(&(a, p)) {
                        continue;
                    }
                    match self.follow(a, p) {
                        End::Term(t) => _ = self.memo.insert((a, p), t),
                        End::Split(b, q) => {
                            if (a, p) != (b, q) {
                                tasks.push(Task::Alias((a, p), (b, q)));
                            }
                            tasks.push(Task::Join(b, q));
                            if let Array::Ite { then, other, .. } = self.array(b) {
                                tasks.extend([Task::Visit(other, q), Task::Visit(then, q)]);
                            }
                        }
                    }
                }
                Task::Alias(key, from) => {
                    let t = self.memo[&from];
                    self.memo.insert(key, t);
                }
                Task::Join(a, p) => {
                    if let Array::Ite { condition, then, other } = self.array(a) {
                        let t = self.terms.ite(condition, self.memo[&(then, p)], self.memo[&(other, p)]);
                        self.memo.insert((a, p), t);
                    }
                }
            }
        }
        self.memo[&(array, path)]
    }

    /// Follows a read as far as there is one way only.
    fn follow(&mut self, mut a: ArrayId, mut p: Path) -> End {
        loop {
            if let Some(&t) = self.memo.get(&(a, p)) {
                return End::Term(t);
            }
            match self.array(a) {
                Array::Var => match self.definitions.get(&a) {
                    Some(&(d, _)) => a = d,
                    None => {
                        let r = self.new_read(a, p);
                        self.var_reads.entry(a).or_default().push(r);
                        return End::Term(self.reads[r.index()].var);
                    }
                },
                Array::Select { base, index } => {
                    p = self.path(index, Some(p));
                    a = base;
                }
                Array::Const(element) => match self.inside(element, p) {
                    Ok(t) => return End::Term(t),
                    Err(next) => (a, p) = next,
                },
                Array::Store { base, index, element } => {
                    let hit = self.terms.eq(self.split(p).0, index);
                    match self.terms.op(hit) {
                        Op::True => match self.inside(element, p) {
                            Ok(t) => return End::Term(t),
                            Err(next) => (a, p) = next,
                        },
                        Op::False => a = base,
                        _ => {
                            let r = self.new_read(a, p);
                            return End::Term(self.reads[r.index()].var);
                        }
                    }
                }
                Array::Ite { condition, then, other } => match self.terms.op(condition) {
                    Op::True => a = then,
                    Op::False => a = other,
                    _ => return End::Split(a, p),
                },
            }
        }
    }

    /// An element, at the rest of a path if it is an array.
    fn inside(&self, element: Element, p: Path) -> Result<Term, (ArrayId, Path)> {
        match (element, self.split(p).1) {
            (Element::Array(x), Some(rest)) => Err((x, rest)),
            (Element::Scalar(v), _) => Ok(v),
            // Sorts rule this out: an array is read with as many indices as it is nested.
            (Element::Array(x), None) => Err((x, p)),
        }
    }

    fn new_read(&mut self, array: ArrayId, path: Path) -> ReadId {
        let sort = self.nodes[array.index()].leaf;
        let id = ReadId(self.reads.len() as u32);
        let var = self.terms.var(&format!("r{}", id.0), sort);
        self.reads.push(Read { array, path, var, meaning: None, used: false });
        self.read_of.insert(var, id);
        self.memo.insert((array, path), var);
        id
    }

    /// An array that equals `a` if the indices `from` and `to` are equal: what it takes out of an array
    /// of arrays at `from` is taken out at `to`. So an update `m[from][j] := v`, which reads `m[from]`,
    /// is looked through with the indices of the read, and chains of updates do not multiply paths.
    fn reindexed(&mut self, a: ArrayId, from: Term, to: Term) -> ArrayId {
        // The writes on top of the array that is taken out, last one first.
        let (mut writes, mut below) = (Vec::new(), a);
        while let Array::Store { base, .. } = self.array(below) {
            if writes.len() == MAX_REINDEXED {
                return a;
            }
            writes.push(below);
            below = base;
        }
        let Array::Select { base, index } = self.array(below) else { return a };
        if index != from {
            return a;
        }
        if let Some(&known) = self.reindexed.get(&(a, to)) {
            return known;
        }
        let Node { sort, leaf, .. } = self.nodes[a.index()];
        let mut copy = self.add(Array::Select { base, index: to }, sort, leaf);
        for write in writes.into_iter().rev() {
            if let Array::Store { index, element, .. } = self.array(write) {
                copy = self.add(Array::Store { base: copy, index, element }, sort, leaf);
            }
        }
        self.reindexed.insert((a, to), copy);
        copy
    }

    /// What a read equals, one step on. Asserted once, it is a read that needs no further care.
    pub(super) fn expand(&mut self, r: ReadId) -> Term {
        let Read { array, path, meaning, var, .. } = self.reads[r.index()];
        if let Some(t) = meaning {
            return t;
        }
        let t = match self.array(array) {
            Array::Store { base, index, element } => {
                let hit = self.terms.eq(self.split(path).0, index);
                let written = match self.inside(element, path) {
                    Ok(t) => t,
                    Err((a, p)) => {
                        // Where this matters the two indices are equal, so one may stand for the other.
                        let a = self.reindexed(a, index, self.split(path).0);
                        self.read(a, p)
                    }
                };
                let below = self.read(base, path);
                self.terms.ite(hit, written, below)
            }
            Array::Var => match self.definitions.get(&array) {
                Some(&(d, _)) => self.read(d, path),
                None => var,
            },
            // Reads of other arrays are never variables.
            Array::Ite { .. } | Array::Const(_) | Array::Select { .. } => var,
        };
        self.reads[r.index()].meaning = Some(t);
        t
    }
}

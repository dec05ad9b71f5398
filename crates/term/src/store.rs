//! The store: interned names, sorts, declarations and hash-consed nodes.
//!
//! Everything is an index into a flat vector, so a store is cheap to clone (an engine on another
//! thread takes a copy) and nothing is ever dropped or walked recursively.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::{
    names::Names,
    op::{Binder, BinderId, ConstId, Op},
    simplify::RuleCounts,
    sort::{CtorId, DatatypeId, Field, Sort, SortError, SortKind},
    table::Table,
    value::Value,
};

/// A hash-consed term: equal terms of one store have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The position of this term in its store. Arguments have smaller indices than their users.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// A free variable: a name and a sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(crate) u32);

/// A declared function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Func(pub(crate) u32);

impl Var {
    /// The position of this variable in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Func {
    /// The position of this function in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a declared function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncDecl {
    /// Its name.
    pub name: Symbol,
    /// Argument sorts.
    pub params: Vec<Sort>,
    /// Result sort.
    pub result: Sort,
    /// A solver's own function that Lariat passes through by this SMT-LIB name, such as `seq.len`.
    pub builtin: Option<Symbol>,
}

#[derive(Clone)]
struct DatatypeData {
    name: Symbol,
    sort: Sort,
    ctors: Vec<CtorId>,
}

#[derive(Clone)]
struct CtorData {
    name: Symbol,
    datatype: DatatypeId,
    fields: Vec<Field>,
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    args: u32,
    len: u32,
    /// One more than the largest loose bound index (0: closed) in the low bits; [`VALUE`] on top.
    info: u32,
}

/// Set on nodes that denote one value: two different ones of a sort are never equal.
const VALUE: u32 = 1 << 31;

/// The store of all terms. See the crate documentation.
#[derive(Clone)]
pub struct Terms {
    names: Names,
    sorts: Vec<SortKind>,
    sort_ids: FxHashMap<SortKind, Sort>,
    vars: Vec<(Symbol, Sort)>,
    var_ids: FxHashMap<(Symbol, Sort), Var>,
    funcs: Vec<FuncDecl>,
    func_ids: FxHashMap<Symbol, Func>,
    datatypes: Vec<DatatypeData>,
    ctors: Vec<CtorData>,
    consts: Vec<Value>,
    const_ids: HashTable<u32>,
    binders: Vec<Binder>,
    binder_ids: FxHashMap<Binder, BinderId>,
    nodes: Vec<Node>,
    args: Vec<Term>,
    /// Every node by its hash.
    table: Table,
    fresh: u32,
    pub(crate) rules: RuleCounts,
    /// How many calls of [`Terms::mk`] are inside one another now.
    pub(crate) simplify_depth: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

#[inline]
fn node_hash(op: Op, args: &[Term]) -> u32 {
    let mut h = FxHasher::default();
    op.hash(&mut h);
    for a in args {
        h.write_u32(a.0);
    }
    let h = h.finish();
    (h ^ (h >> 32)) as u32
}

impl Terms {
    /// An empty store: it knows the four fixed sorts and the terms `true` and `false`.
    pub fn new() -> Terms {
        let mut t = Terms {
            names: Names::new(),
            sorts: Vec::new(),
            sort_ids: FxHashMap::default(),
            vars: Vec::new(),
            var_ids: FxHashMap::default(),
            funcs: Vec::new(),
            func_ids: FxHashMap::default(),
            datatypes: Vec::new(),
            ctors: Vec::new(),
            consts: Vec::new(),
            const_ids: HashTable::new(),
            binders: Vec::new(),
            binder_ids: FxHashMap::default(),
            nodes: Vec::new(),
            args: Vec::new(),
            table: Table::new(),
            fresh: 0,
            rules: RuleCounts::new(),
            simplify_depth: 0,
        };
        for kind in [SortKind::Bool, SortKind::Int, SortKind::Real, SortKind::RoundingMode] {
            t.intern_sort(kind);
        }
        t.intern(Op::False, &[]);
        t.intern(Op::True, &[]);
        t
    }

    // Names

    /// Interns a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.names.intern(name)
    }

    /// The text of a name.
    pub fn name(&self, s: Symbol) -> &str {
        self.names.text(s)
    }

    // Sorts

    pub(crate) fn intern_sort(&mut self, kind: SortKind) -> Sort {
        if let Some(&s) = self.sort_ids.get(&kind) {
            return s;
        }
        let s = Sort(self.sorts.len() as u32);
        self.sorts.push(kind);
        self.sort_ids.insert(kind, s);
        s
    }

    /// What a sort is.
    pub fn sort_kind(&self, s: Sort) -> SortKind {
        self.sorts[s.index()]
    }

    /// All sorts, in the order of their creation.
    pub fn sorts(&self) -> impl Iterator<Item = Sort> + use<> {
        (0..self.sorts.len() as u32).map(Sort)
    }

    /// Bit-vectors of a width of at least one.
    pub fn bv_sort(&mut self, width: u32) -> Sort {
        debug_assert!(width > 0);
        self.intern_sort(SortKind::BitVec(width))
    }

    /// Floating point with these exponent and significand bits (at least two of each).
    pub fn float_sort(&mut self, exp: u32, sig: u32) -> Sort {
        debug_assert!(exp > 1 && sig > 1);
        self.intern_sort(SortKind::Float { exp, sig })
    }

    /// Arrays.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        self.intern_sort(SortKind::Array(index, element))
    }

    /// The uninterpreted sort of this name.
    pub fn uninterpreted_sort(&mut self, name: &str) -> Sort {
        let name = self.symbol(name);
        self.intern_sort(SortKind::Uninterpreted(name))
    }

    /// A solver's own sort, by its SMT-LIB text.
    pub fn builtin_sort(&mut self, text: &str) -> Sort {
        let text = self.symbol(text);
        self.intern_sort(SortKind::Builtin(text))
    }

    // Datatypes

    /// Declares a datatype without constructors; add them with [`Terms::add_ctor`]. In two steps,
    /// so that datatypes can be mutually recursive. Each call makes a new datatype.
    pub fn declare_datatype(&mut self, name: &str) -> DatatypeId {
        let name = self.symbol(name);
        let id = DatatypeId(self.datatypes.len() as u32);
        let sort = self.intern_sort(SortKind::Datatype(id));
        self.datatypes.push(DatatypeData { name, sort, ctors: Vec::new() });
        id
    }

    /// Adds a constructor to a datatype.
    pub fn add_ctor(&mut self, datatype: DatatypeId, name: &str, fields: &[(&str, Sort)]) -> CtorId {
        let name = self.symbol(name);
        let fields = fields.iter().map(|&(n, sort)| Field { name: self.symbol(n), sort }).collect();
        let id = CtorId(self.ctors.len() as u32);
        self.ctors.push(CtorData { name, datatype, fields });
        self.datatypes[datatype.0 as usize].ctors.push(id);
        id
    }

    /// All datatypes, in the order of their declaration.
    pub fn datatypes(&self) -> impl Iterator<Item = DatatypeId> + use<> {
        (0..self.datatypes.len() as u32).map(DatatypeId)
    }

    /// A datatype's name.
    pub fn datatype_name(&self, d: DatatypeId) -> &str {
        self.name(self.datatypes[d.0 as usize].name)
    }

    /// A datatype's sort.
    pub fn datatype_sort(&self, d: DatatypeId) -> Sort {
        self.datatypes[d.0 as usize].sort
    }

    /// A datatype's constructors.
    pub fn ctors(&self, d: DatatypeId) -> &[CtorId] {
        &self.datatypes[d.0 as usize].ctors
    }

    /// A constructor's name.
    pub fn ctor_name(&self, c: CtorId) -> &str {
        self.name(self.ctors[c.0 as usize].name)
    }

    /// The datatype a constructor belongs to.
    pub fn ctor_datatype(&self, c: CtorId) -> DatatypeId {
        self.ctors[c.0 as usize].datatype
    }

    /// A constructor's fields.
    pub fn ctor_fields(&self, c: CtorId) -> &[Field] {
        &self.ctors[c.0 as usize].fields
    }

    // Variables and functions

    /// The free variable of this name and sort, as a term.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let name = self.symbol(name);
        let v = self.intern_var(name, sort);
        self.intern(Op::Var(v), &[])
    }

    /// A free variable whose name, `prefix!n`, is in use nowhere else in this store.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> Term {
        let name = self.names.fresh(prefix, &mut self.fresh);
        let v = self.intern_var(name, sort);
        self.intern(Op::Var(v), &[])
    }

    pub(crate) fn intern_var(&mut self, name: Symbol, sort: Sort) -> Var {
        if let Some(&v) = self.var_ids.get(&(name, sort)) {
            return v;
        }
        let v = Var(self.vars.len() as u32);
        self.vars.push((name, sort));
        self.var_ids.insert((name, sort), v);
        v
    }

    /// A variable as a term.
    pub fn var_term(&mut self, v: Var) -> Term {
        self.intern(Op::Var(v), &[])
    }

    /// A variable's name.
    pub fn var_name(&self, v: Var) -> &str {
        self.name(self.vars[v.index()].0)
    }

    /// A variable's sort.
    pub fn var_sort(&self, v: Var) -> Sort {
        self.vars[v.index()].1
    }

    /// The variable that a term is, if it is one.
    pub fn as_var(&self, t: Term) -> Option<Var> {
        match self.op(t) {
            Op::Var(v) => Some(v),
            _ => None,
        }
    }

    /// All variables, in the order of their creation.
    pub fn vars(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.vars.len() as u32).map(Var)
    }

    /// Declares a function. A second declaration of the name must be the same.
    pub fn declare_func(
        &mut self,
        name: &str,
        params: &[Sort],
        result: Sort,
        builtin: Option<&str>,
    ) -> Result<Func, SortError> {
        let name = self.symbol(name);
        let builtin = builtin.map(|b| self.symbol(b));
        let decl = FuncDecl { name, params: params.to_vec(), result, builtin };
        if let Some(&f) = self.func_ids.get(&name) {
            if self.funcs[f.index()] == decl {
                return Ok(f);
            }
            return Err(SortError(format!("function `{}` is declared twice with different types", self.name(name))));
        }
        let f = Func(self.funcs.len() as u32);
        self.funcs.push(decl);
        self.func_ids.insert(name, f);
        Ok(f)
    }

    /// The function of this name, if declared.
    pub fn func(&self, name: &str) -> Option<Func> {
        self.func_ids.get(&self.names.known(name)?).copied()
    }

    /// A function's declaration.
    pub fn func_decl(&self, f: Func) -> &FuncDecl {
        &self.funcs[f.index()]
    }

    /// All declared functions, in the order of their declaration.
    pub fn funcs(&self) -> impl Iterator<Item = Func> + use<> {
        (0..self.funcs.len() as u32).map(Func)
    }

    // Numerals and binders

    pub(crate) fn intern_const(&mut self, v: Value) -> ConstId {
        let consts = &self.consts;
        let hash = FxBuildHasher.hash_one(&v);
        if let Some(&c) = self.const_ids.find(hash, |&c| consts[c as usize] == v) {
            return ConstId(c);
        }
        let c = self.consts.len() as u32;
        self.consts.push(v);
        let consts = &self.consts;
        self.const_ids.insert_unique(hash, c, |&c| FxBuildHasher.hash_one(&consts[c as usize]));
        ConstId(c)
    }

    /// The value of a numeral: an Int, Real, BitVec or Float.
    pub fn const_value(&self, c: ConstId) -> &Value {
        &self.consts[c.0 as usize]
    }

    /// Interns binder data for [`Op::Forall`], [`Op::Exists`] and [`Op::Lambda`].
    pub fn intern_binder(&mut self, b: Binder) -> BinderId {
        if let Some(&id) = self.binder_ids.get(&b) {
            return id;
        }
        let id = BinderId(self.binders.len() as u32);
        self.binders.push(b.clone());
        self.binder_ids.insert(b, id);
        id
    }

    /// What a quantifier or lambda binds.
    pub fn binder(&self, b: BinderId) -> &Binder {
        &self.binders[b.0 as usize]
    }

    // Nodes

    /// A term's operator.
    #[inline]
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    /// A term's sort.
    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].sort
    }

    /// A term's arguments.
    #[inline]
    pub fn args(&self, t: Term) -> &[Term] {
        let n = &self.nodes[t.index()];
        &self.args[n.args as usize..(n.args + n.len) as usize]
    }

    /// One more than the largest bound index that is not bound inside the term; 0 if it is closed.
    #[inline]
    pub fn loose(&self, t: Term) -> u32 {
        self.nodes[t.index()].info & !VALUE
    }

    /// Does the term denote one value? Two different such terms of a sort are never equal.
    /// (Numerals, elements, rounding modes, and constructors applied to such; not arrays.)
    #[inline]
    pub fn is_value(&self, t: Term) -> bool {
        self.nodes[t.index()].info & VALUE != 0
    }

    /// How many terms the store holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a store holds at least `true` and `false`.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Makes the node as it is, without simplification. The operator must fit the arguments
    /// (checked in debug builds); [`Terms::mk`] is what you want almost always.
    pub fn intern(&mut self, op: Op, args: &[Term]) -> Term {
        let hash = node_hash(op, args);
        let (nodes, all_args) = (&self.nodes, &self.args);
        let found = self.table.find(hash, |i| {
            let n = &nodes[i as usize];
            n.op == op && n.len as usize == args.len() && &all_args[n.args as usize..(n.args + n.len) as usize] == args
        });
        if let Some(i) = found {
            return Term(i);
        }
        debug_assert!(self.check_app(op, args).is_ok(), "{:?}", self.check_app(op, args));
        let sort = self.sort_of_app(op, args);
        let info = self.node_info(op, args);
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id < u32::MAX);
        let id = id.expect("a store holds fewer than 2^32 terms");
        let start = u32::try_from(self.args.len()).expect("a store holds fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, args: start, len: args.len() as u32, info });
        self.table.insert(hash, id);
        Term(id)
    }

    fn node_info(&self, op: Op, args: &[Term]) -> u32 {
        let inner = args.iter().map(|&a| self.loose(a)).max().unwrap_or(0);
        let loose = match op {
            Op::Bound(i, _) => i + 1,
            Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => inner.saturating_sub(self.binder(b).vars.len() as u32),
            _ => inner,
        };
        let value = match op {
            Op::True | Op::False | Op::Const(_) | Op::RoundingMode(_) | Op::Elem(..) => true,
            Op::Ctor(_) => args.iter().all(|&a| self.is_value(a)),
            _ => false,
        };
        loose | if value { VALUE } else { 0 }
    }
}

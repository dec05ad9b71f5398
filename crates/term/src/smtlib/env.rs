//! What the symbols of a text mean.
//!
//! The parser knows the theories and the names that the text itself binds; everything else it asks
//! a [`Resolver`]. [`Env`] is the usual one. A reader of solver answers brings its own, because
//! there the printer chose the symbols.

use rustc_hash::FxHashMap;

use crate::{
    op::Op,
    smtlib::names::{decode_name, encode_name},
    sort::{CtorId, DatatypeId, Sort, SortKind},
    store::{Func, Term, Terms, Var},
};

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entity {
    /// A term: a variable, say.
    Term(Term),
    /// A declared function.
    Func(Func),
    /// A constructor.
    Ctor(CtorId),
    /// A field of a constructor, by its number.
    Selector(CtorId, u32),
}

/// Gives meaning to symbols that are neither of a theory nor bound in the text. Symbols come
/// without bars, and as they are written: [`decode_name`] gives the name.
pub trait Resolver {
    /// The meaning of a symbol applied to arguments (none: it stands alone), of a sort where the
    /// text gives one by `(as symbol sort)`.
    fn symbol(&mut self, terms: &mut Terms, symbol: &str, sort: Option<Sort>, args: &[Term]) -> Option<Entity>;

    /// The constructor of this name; of this datatype, where that is known.
    fn ctor(&mut self, terms: &mut Terms, symbol: &str, datatype: Option<Sort>) -> Option<CtorId>;

    /// The sort of this name.
    fn sort(&mut self, terms: &mut Terms, symbol: &str) -> Option<Sort>;
}

/// A [`Resolver`] by name: variables, sorts and datatypes that were added, and all functions of the
/// store. Variables, functions without parameters and constructors without fields share one name
/// space, in this order; variables of one name and different sorts are told apart by `(as x sort)`.
///
/// Elements of uninterpreted sorts in a solver's spelling (`(as @a_0 T)`, `T!val!0`) are numbered as
/// they come.
#[derive(Clone, Debug, Default)]
pub struct Env {
    terms: FxHashMap<String, Vec<Term>>,
    funcs: FxHashMap<String, Func>,
    sorts: FxHashMap<String, Sort>,
    ctors: FxHashMap<String, Vec<CtorId>>,
    selectors: FxHashMap<String, Vec<(CtorId, u32)>>,
    elements: FxHashMap<(Sort, String), u32>,
    counts: FxHashMap<Sort, u32>,
}

impl Env {
    /// Knows the functions of the store only.
    pub fn new() -> Env {
        Env::default()
    }

    /// Knows everything that is in the store.
    pub fn of(terms: &mut Terms) -> Env {
        let mut env = Env::new();
        for v in terms.vars() {
            env.add_var(terms, v);
        }
        for s in terms.sorts() {
            env.add_sort(terms, s);
        }
        env
    }

    /// Adds a variable.
    pub fn add_var(&mut self, terms: &mut Terms, v: Var) {
        let t = terms.var_term(v);
        let name = terms.var_name(v).to_owned();
        self.bind(&name, t);
    }

    /// Gives a term a name.
    pub fn bind(&mut self, name: &str, t: Term) {
        let all = self.terms.entry(encode_name(name)).or_default();
        if !all.contains(&t) {
            all.push(t);
        }
    }

    /// Adds an uninterpreted sort, or a datatype with its constructors and fields; others need no
    /// name.
    pub fn add_sort(&mut self, terms: &Terms, s: Sort) {
        match terms.sort_kind(s) {
            SortKind::Uninterpreted(name) => _ = self.sorts.insert(encode_name(terms.name(name)), s),
            SortKind::Datatype(d) => self.add_datatype(terms, d),
            _ => {}
        }
    }

    /// Adds a datatype with its constructors and fields.
    pub fn add_datatype(&mut self, terms: &Terms, d: DatatypeId) {
        self.sorts.insert(encode_name(terms.datatype_name(d)), terms.datatype_sort(d));
        for &c in terms.ctors(d) {
            self.ctors.entry(encode_name(terms.ctor_name(c))).or_default().push(c);
            for (i, field) in terms.ctor_fields(c).iter().enumerate() {
                self.selectors.entry(encode_name(terms.name(field.name))).or_default().push((c, i as u32));
            }
        }
    }

    fn func(&mut self, terms: &Terms, symbol: &str) -> Option<Func> {
        if let Some(&f) = self.funcs.get(symbol) {
            return Some(f);
        }
        let f = match decode_name(symbol)? {
            (name, None) if encode_name(&name) == symbol => terms.func(&name)?,
            _ => return None,
        };
        self.funcs.insert(symbol.to_owned(), f);
        Some(f)
    }

    fn selector(&self, terms: &Terms, symbol: &str, of: Term) -> Option<(CtorId, u32)> {
        let SortKind::Datatype(d) = terms.sort_kind(terms.sort(of)) else {
            return None;
        };
        let mine = |s: &str| self.selectors.get(s).into_iter().flatten().filter(|(c, _)| terms.ctor_datatype(*c) == d);
        if let Some(&found) = mine(symbol).next() {
            return Some(found);
        }
        let (field, number) = symbol.rsplit_once('~')?;
        let ctor = *terms.ctors(d).get(number.parse::<usize>().ok()?)?;
        mine(field).find(|(c, _)| *c == ctor).copied()
    }

    fn element(&mut self, terms: &mut Terms, symbol: &str, sort: Option<Sort>) -> Option<Term> {
        let sort = match sort {
            Some(s) if symbol.starts_with('@') => s,
            _ => *self.sorts.get(symbol.split_once("!val!")?.0)?,
        };
        if !matches!(terms.sort_kind(sort), SortKind::Uninterpreted(_)) {
            return None;
        }
        let count = self.counts.entry(sort).or_default();
        let n = *self.elements.entry((sort, symbol.to_owned())).or_insert_with(|| {
            *count += 1;
            *count - 1
        });
        Some(terms.intern(Op::Elem(sort, n), &[]))
    }
}

impl Resolver for Env {
    fn symbol(&mut self, terms: &mut Terms, symbol: &str, sort: Option<Sort>, args: &[Term]) -> Option<Entity> {
        let fits = |terms: &Terms, params: &[Sort]| {
            params.len() == args.len() && params.iter().zip(args).all(|(&p, &a)| terms.sort(a) == p)
        };
        if args.is_empty()
            && let Some(all) = self.terms.get(symbol)
        {
            let found = match sort {
                Some(s) => all.iter().find(|&&t| terms.sort(t) == s),
                None => all.first(),
            };
            if let Some(&t) = found {
                return Some(Entity::Term(t));
            }
        }
        let func = self.func(terms, symbol);
        if let Some(f) = func
            && fits(terms, &terms.func_decl(f).params)
        {
            return Some(Entity::Func(f));
        }
        if let Some(all) = self.ctors.get(symbol) {
            let of_sort = |c: CtorId| sort.is_none_or(|s| terms.datatype_sort(terms.ctor_datatype(c)) == s);
            let field_sorts = |c: CtorId| terms.ctor_fields(c).iter().map(|f| f.sort).collect::<Vec<_>>();
            let found = all.iter().find(|&&c| of_sort(c) && fits(terms, &field_sorts(c))).or(all.first());
            return found.map(|&c| Entity::Ctor(c));
        }
        if let [a] = args
            && let Some((c, i)) = self.selector(terms, symbol, *a)
        {
            return Some(Entity::Selector(c, i));
        }
        // A function whose parameters do not fit: applying it says why.
        if let Some(f) = func {
            return Some(Entity::Func(f));
        }
        if args.is_empty() { self.element(terms, symbol, sort).map(Entity::Term) } else { None }
    }

    fn ctor(&mut self, terms: &mut Terms, symbol: &str, datatype: Option<Sort>) -> Option<CtorId> {
        let all = self.ctors.get(symbol)?;
        all.iter().find(|&&c| datatype.is_none_or(|s| terms.datatype_sort(terms.ctor_datatype(c)) == s)).copied()
    }

    fn sort(&mut self, _: &mut Terms, symbol: &str) -> Option<Sort> {
        self.sorts.get(symbol).copied()
    }
}

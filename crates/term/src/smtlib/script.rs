//! Scripts for solvers: declarations, each once, and assertions.
//!
//! In: terms to assert, one after the other. Out: script text, to be sent in that order. What a term
//! needs (sorts, datatypes, functions, variables, elements) is declared before its first use, under
//! a symbol that nothing else has; [`Printer::push`] and [`Printer::pop`] follow the solver's scopes.
//! The printer is also the [`Resolver`] for the solver's answers, since it knows whose symbols
//! those are.
//!
//! Over a long script, the text is linear in the term graph too: a subterm that comes again and
//! again gets a name by `define-fun`.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    op::Op,
    smtlib::{
        env::{Entity, Resolver},
        names::quote_symbol,
        print::{Plan, Writer},
        text::{Dialect, NameTable, Thing, plain_symbol, write_sort},
    },
    sort::{CtorId, DatatypeId, Sort, SortKind},
    store::{Func, Term, Terms, Var},
    walk::{SortWalk, TermMap},
};

/// Writes a script; see the module documentation.
///
/// ```
/// use lariat_term::{smtlib::{Dialect, Printer}, Sort, Terms};
/// let mut t = Terms::new();
/// let p = t.var("p", Sort::BOOL);
/// let mut printer = Printer::new(Dialect::Z3);
/// let mut script = String::new();
/// printer.assert(&t, p, &mut script);
/// let not_p = t.not(p);
/// printer.assert(&t, not_p, &mut script);
/// assert_eq!(script, "(declare-fun p () Bool)\n(assert p)\n(assert (not p))\n");
/// ```
#[derive(Clone, Debug)]
pub struct Printer {
    dialect: Dialect,
    names: NameTable,
    /// Whose symbol (without bars) it is.
    owners: FxHashMap<String, Thing>,
    /// Sorts that are declared or need not be.
    sorts: FxHashSet<Sort>,
    elements: FxHashMap<Sort, Vec<u32>>,
    /// What was declared, in order, and how much of it at each push.
    log: Vec<Thing>,
    marks: Vec<usize>,
    /// How often a term was written out.
    written: TermMap,
}

impl Printer {
    /// A script without declarations yet.
    pub fn new(dialect: Dialect) -> Printer {
        Printer {
            dialect,
            names: NameTable::default(),
            owners: FxHashMap::default(),
            sorts: FxHashSet::default(),
            elements: FxHashMap::default(),
            log: Vec::new(),
            marks: Vec::new(),
            written: TermMap::new(),
        }
    }

    /// Writes the declarations that the term needs, and its assertion.
    pub fn assert(&mut self, terms: &Terms, t: Term, script: &mut String) {
        let plan = self.prepare(terms, t, script);
        script.push_str("(assert ");
        Writer::new(terms, &self.names, self.dialect, script).write(t, &plan);
        script.push_str(")\n");
    }

    /// Writes the declarations that the term needs, and returns its text, for commands other than
    /// `assert`.
    pub fn term(&mut self, terms: &Terms, t: Term, script: &mut String) -> String {
        let plan = self.prepare(terms, t, script);
        let mut out = String::new();
        Writer::new(terms, &self.names, self.dialect, &mut out).write(t, &plan);
        out
    }

    /// Writes the declaration of a sort where it needs one, and returns its text.
    pub fn sort(&mut self, terms: &Terms, s: Sort, script: &mut String) -> String {
        self.declare_sorts(terms, &[s], script);
        let mut out = String::new();
        write_sort(terms, &self.names, s, &mut out);
        out
    }

    /// Writes the declaration of a variable, unless it is declared.
    pub fn declare_var(&mut self, terms: &Terms, v: Var, script: &mut String) {
        if self.names.symbols.contains_key(&Thing::Var(v)) {
            return;
        }
        self.declare_sorts(terms, &[terms.var_sort(v)], script);
        self.declare_fun(terms, Thing::Var(v), &[], terms.var_sort(v), script);
    }

    /// Writes the declaration of a function, unless it is declared or the solver's own.
    pub fn declare_func(&mut self, terms: &Terms, f: Func, script: &mut String) {
        let decl = terms.func_decl(f);
        let own = decl.builtin.is_some() && self.dialect != Dialect::Standard;
        let sorts: Vec<Sort> = decl.params.iter().copied().chain([decl.result]).collect();
        self.declare_sorts(terms, &sorts, script);
        if !own && !self.names.symbols.contains_key(&Thing::Func(f)) {
            self.declare_fun(terms, Thing::Func(f), &decl.params, decl.result, script);
        }
    }

    /// Writes a closed term as this symbol from now on, until the scope is closed. The caller
    /// declares the symbol; it must begin with `?~`, as no other symbol does.
    pub fn name_term(&mut self, t: Term, symbol: &str) {
        self.owners.insert(symbol.to_owned(), Thing::Shared(t));
        self.names.symbols.insert(Thing::Shared(t), symbol.to_owned());
        self.log.push(Thing::Shared(t));
    }

    /// The solver has opened a scope (`push 1`).
    pub fn push(&mut self) {
        self.marks.push(self.log.len());
    }

    /// The solver has closed a scope (`pop 1`): what was declared inside is forgotten.
    pub fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for thing in self.log.drain(mark..) {
            match thing {
                Thing::Sort(s) => _ = self.sorts.remove(&s),
                Thing::Elem(s, n) => {
                    if let Some(all) = self.elements.get_mut(&s) {
                        all.retain(|&m| m != n);
                    }
                }
                _ => {}
            }
            if let Some(symbol) = self.names.symbols.remove(&thing) {
                let bare = symbol.trim_matches('|');
                self.owners.remove(bare);
                self.names.taken.remove(bare);
            }
        }
    }

    /// Gives a thing a symbol that nothing else has.
    fn name(&mut self, terms: &Terms, thing: Thing) -> &str {
        let plain = plain_symbol(terms, thing);
        let mut symbol = plain.clone();
        let stem = match plain.rsplit_once('~') {
            Some((stem, n)) if !stem.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) && !n.is_empty() => stem,
            _ => &plain,
        };
        let mut n = 0;
        while self.owners.contains_key(&symbol) {
            n += 1;
            symbol = format!("{stem}~{n}");
        }
        self.owners.insert(symbol.clone(), thing);
        self.names.taken.insert(symbol.clone());
        self.log.push(thing);
        self.names.symbols.entry(thing).or_insert(quote_symbol(&symbol))
    }

    fn declare_fun(&mut self, terms: &Terms, thing: Thing, params: &[Sort], result: Sort, script: &mut String) {
        let _ = write!(script, "(declare-fun {} (", self.name(terms, thing));
        for (i, &p) in params.iter().enumerate() {
            if i > 0 {
                script.push(' ');
            }
            write_sort(terms, &self.names, p, script);
        }
        script.push_str(") ");
        write_sort(terms, &self.names, result, script);
        script.push_str(")\n");
    }

    fn declare_sorts(&mut self, terms: &Terms, sorts: &[Sort], script: &mut String) {
        let mut walk = SortWalk::default();
        sorts.iter().filter(|s| !self.sorts.contains(s)).for_each(|&s| walk.add(terms, s));
        let mut datatypes = Vec::new();
        for s in walk.order {
            if !self.sorts.insert(s) {
                continue;
            }
            match terms.sort_kind(s) {
                SortKind::Uninterpreted(_) => {
                    let _ = writeln!(script, "(declare-sort {} 0)", self.name(terms, Thing::Sort(s)));
                }
                SortKind::Datatype(d) => {
                    self.name(terms, Thing::Sort(s));
                    datatypes.push(d);
                }
                _ => self.log.push(Thing::Sort(s)),
            }
        }
        if !datatypes.is_empty() {
            self.declare_datatypes(terms, &datatypes, script);
        }
    }

    /// All that may be mutually recursive go into one command.
    fn declare_datatypes(&mut self, terms: &Terms, datatypes: &[DatatypeId], script: &mut String) {
        script.push_str("(declare-datatypes (");
        for (i, &d) in datatypes.iter().enumerate() {
            script.push_str(if i > 0 { " (" } else { "(" });
            self.names.write(terms, Thing::Sort(terms.datatype_sort(d)), script);
            script.push_str(" 0)");
        }
        script.push_str(") (");
        for &d in datatypes {
            script.push('(');
            for &c in terms.ctors(d) {
                let _ = write!(script, "({}", self.name(terms, Thing::Ctor(c)));
                for (i, field) in terms.ctor_fields(c).iter().enumerate() {
                    let _ = write!(script, " ({} ", self.name(terms, Thing::Selector(c, i as u32)));
                    write_sort(terms, &self.names, field.sort, script);
                    script.push(')');
                }
                script.push(')');
            }
            script.push(')');
        }
        script.push_str("))\n");
    }

    /// Declares all that the term needs, and names what was written often.
    fn prepare(&mut self, terms: &Terms, root: Term, script: &mut String) -> Plan {
        let plan = Plan::new(terms, &self.names, root);
        let mut new_elements: FxHashSet<Sort> = FxHashSet::default();
        for &t in &plan.order {
            match terms.op(t) {
                Op::Var(v) => self.declare_var(terms, v, script),
                Op::App(f) if !self.names.symbols.contains_key(&Thing::Func(f)) => self.declare_func(terms, f, script),
                Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => {
                    let sorts: Vec<_> = terms.binder(b).vars.iter().map(|v| v.1).collect();
                    self.declare_sorts(terms, &sorts, script);
                }
                Op::ConstArray(s) | Op::Bound(_, s) => self.declare_sorts(terms, &[s], script),
                Op::Ctor(c) | Op::Selector(c, _) | Op::Tester(c) => {
                    self.declare_sorts(terms, &[terms.datatype_sort(terms.ctor_datatype(c))], script);
                }
                Op::Elem(s, n) => {
                    self.declare_sorts(terms, &[s], script);
                    let thing = Thing::Elem(s, n);
                    if self.dialect != Dialect::Standard && !self.names.symbols.contains_key(&thing) {
                        self.declare_fun(terms, thing, &[], s, script);
                        self.elements.entry(s).or_default().push(n);
                        new_elements.insert(s);
                    }
                }
                _ => {}
            }
        }
        for s in new_elements {
            let all = &self.elements[&s];
            if all.len() > 1 {
                script.push_str("(assert (distinct");
                for &n in all {
                    script.push(' ');
                    self.names.write(terms, Thing::Elem(s, n), script);
                }
                script.push_str("))\n");
            }
        }
        self.name_repeated(terms, plan, script)
    }

    /// Defines names for subterms that earlier text has written out already. The largest such
    /// subterms get one at their second time, all others at their third, so that each is written a
    /// few times at most however many terms come.
    fn name_repeated(&mut self, terms: &Terms, plan: Plan, script: &mut String) -> Plan {
        let mut below_written = TermMap::new();
        let mut repeated = Vec::new();
        for &t in plan.order.iter().rev() {
            if terms.args(t).is_empty() || self.names.symbols.contains_key(&Thing::Shared(t)) {
                continue;
            }
            let before = self.written.get(t).unwrap_or(0);
            self.written.insert(t, before.saturating_add(1).min(3));
            let closed = terms.loose(t) == 0;
            if closed && (before >= 2 || before == 1 && !below_written.contains(t)) {
                repeated.push(t);
            }
            if before > 0 {
                terms.args(t).iter().for_each(|&a| _ = below_written.insert(a, 0));
            }
        }
        if repeated.is_empty() {
            return plan;
        }
        // Those shared within this term are named as well, since the definitions may need them.
        let mut wanted = TermMap::new();
        repeated.iter().copied().chain(plan.shared()).for_each(|t| _ = wanted.insert(t, 0));
        for &t in &plan.order {
            // cvc5 has neither lambdas (outside of higher-order logic) nor constant arrays of terms that
            // are no values, so none may get into a definition.
            let missing = self.dialect == Dialect::Cvc5 && matches!(terms.op(t), Op::Lambda(_) | Op::ConstArray(_));
            let named = missing || self.names.symbols.contains_key(&Thing::Shared(t));
            if named || !wanted.contains(t) || terms.args(t).len() == 1 && terms.args(terms.args(t)[0]).is_empty() {
                continue;
            }
            let mut text = String::new();
            Writer::new(terms, &self.names, self.dialect, &mut text).write_definition(t);
            let symbol = format!("?~s{}", t.index());
            let _ = write!(script, "(define-fun {symbol} () ");
            write_sort(terms, &self.names, terms.sort(t), script);
            let _ = writeln!(script, " {text})");
            self.owners.insert(symbol.clone(), Thing::Shared(t));
            self.names.symbols.insert(Thing::Shared(t), symbol);
            self.log.push(Thing::Shared(t));
        }
        plan.without_groups()
    }
}

impl Resolver for Printer {
    fn symbol(&mut self, terms: &mut Terms, symbol: &str, _: Option<Sort>, _: &[Term]) -> Option<Entity> {
        Some(match *self.owners.get(symbol)? {
            Thing::Var(v) => Entity::Term(terms.var_term(v)),
            Thing::Func(f) => Entity::Func(f),
            Thing::Ctor(c) => Entity::Ctor(c),
            Thing::Selector(c, i) => Entity::Selector(c, i),
            Thing::Elem(s, n) => Entity::Term(terms.intern(Op::Elem(s, n), &[])),
            Thing::Shared(t) => Entity::Term(t),
            Thing::Sort(_) => return None,
        })
    }

    fn ctor(&mut self, _: &mut Terms, symbol: &str, _: Option<Sort>) -> Option<CtorId> {
        match self.owners.get(symbol)? {
            Thing::Ctor(c) => Some(*c),
            _ => None,
        }
    }

    fn sort(&mut self, _: &mut Terms, symbol: &str) -> Option<Sort> {
        match self.owners.get(symbol)? {
            Thing::Sort(s) => Some(*s),
            _ => None,
        }
    }
}

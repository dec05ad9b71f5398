//! Terms as SMT-LIB text, with `let` for what is shared.
//!
//! The text is as long as the term graph, not as its unfolding. Shared closed subterms are bound
//! around the whole term, those that can be bound together in one `let`. A shared subterm with loose
//! indices is bound inside its innermost binder (a subterm that several binders share is written in
//! each, since it speaks of other variables there). Patterns are terms of their own.
//!
//! A bound variable has its own name unless a name of that scope is the same; then `~n` is added,
//! which the parser drops again.

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

use crate::{
    op::{BinderId, Op},
    smtlib::{
        names::{encode_name, quote_symbol},
        text::{Dialect, NameTable, Thing, nan_bits, plain_symbol, write_bits, write_head, write_sort, write_value},
    },
    sort::{Sort, SortKind},
    store::{Term, Terms, Var},
    walk::TermMap,
};

/// A term as text; see [`Terms::display`].
#[derive(Clone, Copy)]
pub struct Display<'a> {
    terms: &'a Terms,
    what: What,
    dialect: Dialect,
}

#[derive(Clone, Copy)]
enum What {
    Term(Term),
    Sort(Sort),
}

impl Terms {
    /// The term as text that [`Terms::parse_term`] reads back. Variables of the same name are told
    /// apart by `(as x sort)`.
    pub fn display(&self, t: Term) -> Display<'_> {
        Display { terms: self, what: What::Term(t), dialect: Dialect::Standard }
    }

    /// The sort as text that [`Terms::parse_sort`] reads back.
    pub fn display_sort(&self, s: Sort) -> Display<'_> {
        Display { terms: self, what: What::Sort(s), dialect: Dialect::Standard }
    }
}

impl Display<'_> {
    /// The same in another dialect.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        match self.what {
            What::Sort(s) => write_sort(self.terms, &NameTable::default(), s, &mut out),
            What::Term(t) => {
                let plan = Plan::new(self.terms, &NameTable::default(), t);
                let names = plain_names(self.terms, &plan);
                Writer::new(self.terms, &names, self.dialect, &mut out).write(t, &plan);
            }
        }
        f.write_str(&out)
    }
}

/// Names by which nothing is confused: variables of one name get their sort with them.
fn plain_names(terms: &Terms, plan: &Plan) -> NameTable {
    let mut table = NameTable::default();
    let mut vars: FxHashMap<String, Vec<Var>> = FxHashMap::default();
    let mut ctors = false;
    for &t in &plan.order {
        match terms.op(t) {
            Op::Var(v) => vars.entry(plain_symbol(terms, Thing::Var(v))).or_default().push(v),
            Op::App(f) => _ = table.taken.insert(plain_symbol(terms, Thing::Func(f))),
            Op::Ctor(c) => {
                ctors = true;
                table.taken.insert(plain_symbol(terms, Thing::Ctor(c)));
            }
            Op::Selector(c, i) => _ = table.taken.insert(plain_symbol(terms, Thing::Selector(c, i))),
            _ => {}
        }
    }
    let with_sort = |symbol: &str, sort: Sort| {
        let mut text = format!("(as {} ", quote_symbol(symbol));
        write_sort(terms, &NameTable::default(), sort, &mut text);
        text + ")"
    };
    for (symbol, of_name) in vars {
        for &v in &of_name {
            let alone = of_name.len() == 1;
            let text = if alone { quote_symbol(&symbol) } else { with_sort(&symbol, terms.var_sort(v)) };
            table.symbols.insert(Thing::Var(v), text);
        }
        table.taken.insert(symbol);
    }
    if ctors {
        let mut count: FxHashMap<String, u32> = FxHashMap::default();
        let all: Vec<_> = terms.datatypes().flat_map(|d| terms.ctors(d).iter().copied()).collect();
        for &c in &all {
            *count.entry(plain_symbol(terms, Thing::Ctor(c))).or_default() += 1;
        }
        for &c in &all {
            let symbol = plain_symbol(terms, Thing::Ctor(c));
            if count[&symbol] > 1 && terms.ctor_fields(c).is_empty() {
                let sort = terms.datatype_sort(terms.ctor_datatype(c));
                table.symbols.insert(Thing::Ctor(c), with_sort(&symbol, sort));
            }
        }
    }
    table
}

/// Which subterms of a term get a name.
pub(crate) struct Plan {
    /// All subterms, arguments first, but for those below a term that a script has named.
    pub(crate) order: Vec<Term>,
    /// The closed shared ones, in groups: each uses those of earlier groups only.
    groups: Vec<Vec<Term>>,
}

/// Terms as short as a name: naming them would not help.
fn is_short(terms: &Terms, t: Term) -> bool {
    match terms.args(t) {
        [] => true,
        [a] => terms.args(*a).is_empty() && terms.binds(t) == 0,
        _ => false,
    }
}

/// Post-order over the subterms of `root` that `enter` lets it see the arguments of, with the
/// position of each.
fn order_below(
    terms: &Terms,
    root: Term,
    enter: impl Fn(Term) -> bool,
    keep: impl Fn(Term) -> bool,
) -> (Vec<Term>, TermMap) {
    let (mut order, mut position) = (Vec::new(), TermMap::new());
    let mut stack = vec![(root, false)];
    while let Some((t, done)) = stack.pop() {
        if position.contains(t) {
            continue;
        }
        if done || terms.args(t).is_empty() || !enter(t) {
            position.insert(t, order.len() as u32);
            order.push(t);
            continue;
        }
        stack.push((t, true));
        stack.extend(terms.args(t).iter().rev().filter(|&&a| keep(a)).map(|&a| (a, false)));
    }
    (order, position)
}

/// Groups the named terms by how many layers of named terms are below them.
fn layers(
    terms: &Terms,
    order: &[Term],
    position: &TermMap,
    enter: impl Fn(Term) -> bool,
    named: impl Fn(usize) -> bool,
) -> Vec<Vec<Term>> {
    let mut layer = vec![0u32; order.len()];
    let mut groups: Vec<Vec<Term>> = Vec::new();
    for (i, &t) in order.iter().enumerate() {
        if enter(t) {
            let below = terms.args(t).iter().filter_map(|&a| position.get(a));
            layer[i] = below.map(|p| layer[p as usize] + u32::from(named(p as usize))).max().unwrap_or(0);
        }
        if named(i) {
            let l = layer[i] as usize;
            if groups.len() <= l {
                groups.resize(l + 1, Vec::new());
            }
            groups[l].push(t);
        }
    }
    groups
}

impl Plan {
    pub(crate) fn new(terms: &Terms, names: &NameTable, root: Term) -> Plan {
        let shared = !names.symbols.is_empty();
        let enter = |t: Term| !(shared && names.symbols.contains_key(&Thing::Shared(t)));
        let (order, position) = order_below(terms, root, enter, |_| true);
        // Users before what they use. A term with loose indices that has several users may be
        // written several times, so all closed terms below it count as shared.
        let mut uses = vec![0u32; order.len()];
        let mut repeated = vec![false; order.len()];
        for (i, &t) in order.iter().enumerate().rev() {
            let loose = terms.loose(t) > 0;
            let again = loose && (repeated[i] || uses[i] > 1);
            if !enter(t) {
                continue;
            }
            for p in terms.args(t).iter().filter_map(|&a| position.get(a)) {
                uses[p as usize] += 1 + u32::from(again);
                repeated[p as usize] |= again;
            }
        }
        let named =
            |i: usize| uses[i] > 1 && terms.loose(order[i]) == 0 && !is_short(terms, order[i]) && enter(order[i]);
        let groups = layers(terms, &order, &position, enter, named);
        Plan { order, groups }
    }

    /// The closed shared subterms, each after those it uses.
    pub(crate) fn shared(&self) -> impl Iterator<Item = Term> + '_ {
        self.groups.iter().flatten().copied()
    }

    /// The plan without names for the shared subterms, which a script has named by now.
    pub(crate) fn without_groups(self) -> Plan {
        Plan { order: self.order, groups: Vec::new() }
    }
}

enum Work {
    Term(Term),
    /// The term itself, even if it has a name.
    Define(Term),
    /// The body or a pattern of a binder, or the whole.
    Scope(Term),
    EndScope,
    /// Bound variables go out of scope: their symbols, and the numbers to restore.
    EndBinder(Vec<(String, Option<u32>)>),
    LetName(u32),
    Text(&'static str),
    Weight(u32),
    /// `fp.to_ieee_bv` of the term with this `let` name.
    Bits(u32, Term),
}

/// Writes terms.
pub(crate) struct Writer<'a> {
    terms: &'a Terms,
    names: &'a NameTable,
    dialect: Dialect,
    out: &'a mut String,
    work: Vec<Work>,
    /// Names of closed shared terms.
    lets: TermMap,
    /// Names of shared terms with loose indices, for each binder around; only the last holds.
    scopes: Vec<FxHashMap<Term, u32>>,
    bound: Vec<String>,
    /// The number to try next for a symbol that is in scope.
    suffixes: FxHashMap<String, u32>,
    count: u32,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(terms: &'a Terms, names: &'a NameTable, dialect: Dialect, out: &'a mut String) -> Writer<'a> {
        Writer {
            terms,
            names,
            dialect,
            out,
            work: Vec::new(),
            lets: TermMap::new(),
            scopes: Vec::new(),
            bound: Vec::new(),
            suffixes: FxHashMap::default(),
            count: 0,
        }
    }

    pub(crate) fn write(&mut self, root: Term, plan: &Plan) {
        let mut work = Vec::new();
        for group in &plan.groups {
            work.push(Work::Text("(let ("));
            for &t in group {
                self.count += 1;
                self.lets.insert(t, self.count);
                work.extend([Work::LetName(self.count), Work::Define(t), Work::Text(")")]);
            }
            work.push(Work::Text(") "));
        }
        work.push(Work::Scope(root));
        work.extend(plan.groups.iter().map(|_| Work::Text(")")));
        self.work.extend(work.into_iter().rev());
        self.run();
    }

    /// The term itself; its shared closed subterms have names already.
    pub(crate) fn write_definition(&mut self, t: Term) {
        self.scopes.push(FxHashMap::default());
        self.work.push(Work::Define(t));
        self.run();
    }

    fn run(&mut self) {
        while let Some(next) = self.work.pop() {
            match next {
                Work::Text(s) => self.out.push_str(s),
                Work::LetName(n) => _ = write!(self.out, "(?{n} "),
                Work::Weight(n) => _ = write!(self.out, " :weight {n}"),
                Work::Term(t) => self.term(t),
                Work::Define(t) => self.define(t),
                Work::Scope(t) => self.scope(t),
                Work::EndScope => _ = self.scopes.pop(),
                Work::EndBinder(restore) => {
                    for (symbol, before) in restore.into_iter().rev() {
                        self.bound.pop();
                        match before {
                            Some(n) => _ = self.suffixes.insert(symbol, n),
                            None => _ = self.suffixes.remove(&symbol),
                        }
                    }
                }
                Work::Bits(n, t) => {
                    let _ = write!(self.out, ")) (ite (fp.isNaN ?{n}) ");
                    if let SortKind::Float { exp, sig } = self.terms.sort_kind(self.terms.sort(t)) {
                        write_bits(exp + sig, &nan_bits(exp, sig), self.out);
                    }
                    let _ = write!(self.out, " (fp.to_ieee_bv ?{n})))");
                }
            }
        }
    }

    fn term(&mut self, t: Term) {
        if self.terms.args(t).is_empty() {
            return self.define(t);
        }
        if !self.names.symbols.is_empty()
            && let Some(s) = self.names.symbols.get(&Thing::Shared(t))
        {
            self.out.push_str(s);
            return;
        }
        let name = if self.terms.loose(t) == 0 {
            self.lets.get(t)
        } else {
            self.scopes.last().and_then(|s| s.get(&t)).copied()
        };
        match name {
            Some(n) => _ = write!(self.out, "?{n}"),
            None => self.define(t),
        }
    }

    fn scope(&mut self, root: Term) {
        self.work.push(Work::EndScope);
        if self.terms.loose(root) == 0 {
            self.scopes.push(FxHashMap::default());
            self.work.push(Work::Term(root));
            return;
        }
        let terms = self.terms;
        let enter = |t: Term| terms.binds(t) == 0;
        let (order, position) = order_below(terms, root, enter, |t| terms.loose(t) > 0);
        let mut uses = vec![0u32; order.len()];
        for &t in order.iter().filter(|&&t| enter(t)) {
            for p in terms.args(t).iter().filter_map(|&a| position.get(a)) {
                uses[p as usize] += 1;
            }
        }
        let named = |i: usize| uses[i] > 1 && !is_short(terms, order[i]);
        let groups = layers(terms, &order, &position, enter, named);
        let mut local = FxHashMap::default();
        let mut work = Vec::new();
        for group in &groups {
            work.push(Work::Text("(let ("));
            for &t in group {
                self.count += 1;
                local.insert(t, self.count);
                work.extend([Work::LetName(self.count), Work::Define(t), Work::Text(")")]);
            }
            work.push(Work::Text(") "));
        }
        work.push(Work::Term(root));
        work.extend(groups.iter().map(|_| Work::Text(")")));
        self.work.extend(work.into_iter().rev());
        self.scopes.push(local);
    }

    fn define(&mut self, t: Term) {
        let terms = self.terms;
        match terms.op(t) {
            Op::Const(c) => write_value(terms.const_value(c), self.out),
            Op::Var(v) => self.names.write(terms, Thing::Var(v), self.out),
            Op::Bound(i, s) => match self.bound.len().checked_sub(i as usize + 1) {
                Some(at) => self.out.push_str(&self.bound[at]),
                None => {
                    let _ = write!(self.out, "(as @bound!{} ", i as usize - self.bound.len());
                    write_sort(terms, self.names, s, self.out);
                    self.out.push(')');
                }
            },
            Op::Elem(s, n) if self.dialect == Dialect::Standard => {
                let _ = write!(self.out, "(as @elem!{n} ");
                write_sort(terms, self.names, s, self.out);
                self.out.push(')');
            }
            Op::Elem(s, n) => self.names.write(terms, Thing::Elem(s, n), self.out),
            Op::Forall(b) | Op::Exists(b) | Op::Lambda(b) => self.binder(t, b),
            Op::FpToBits if self.dialect == Dialect::Z3 => {
                // Z3 leaves the bits of NaN open; ours are the canonical ones.
                self.count += 1;
                let _ = write!(self.out, "(let ((?{} ", self.count);
                let a = terms.args(t)[0];
                self.work.extend([Work::Bits(self.count, a), Work::Term(a)]);
            }
            op => {
                let args = terms.args(t);
                if args.is_empty() {
                    return write_head(terms, self.names, self.dialect, op, self.out);
                }
                self.out.push('(');
                write_head(terms, self.names, self.dialect, op, self.out);
                self.work.push(Work::Text(")"));
                for &a in args.iter().rev() {
                    self.work.extend([Work::Term(a), Work::Text(" ")]);
                }
            }
        }
    }

    fn binder(&mut self, t: Term, b: BinderId) {
        let terms = self.terms;
        let binder = terms.binder(b);
        self.out.push('(');
        write_head(terms, self.names, self.dialect, terms.op(t), self.out);
        self.out.push_str(" (");
        let mut restore = Vec::with_capacity(binder.vars.len());
        for (i, &(name, sort)) in binder.vars.iter().enumerate() {
            let symbol = encode_name(terms.name(name));
            let text = self.fresh_symbol(&symbol, &mut restore);
            if i > 0 {
                self.out.push(' ');
            }
            let _ = write!(self.out, "({text} ");
            write_sort(terms, self.names, sort, self.out);
            self.out.push(')');
            self.bound.push(text);
        }
        self.out.push_str(") ");
        let args = terms.args(t);
        let attributes = !binder.triggers.is_empty() || binder.weight.is_some();
        let mut work = Vec::new();
        work.extend(attributes.then_some(Work::Text("(! ")));
        work.push(Work::Scope(args[0]));
        let mut at = 1;
        // Solvers take either kind, not both; where there is a pattern, no other will be chosen.
        let positive = self.dialect != Dialect::Standard && binder.triggers.iter().any(|g| !g.negative);
        for trigger in &binder.triggers {
            if positive && trigger.negative {
                at += trigger.len as usize;
                continue;
            }
            work.push(Work::Text(if trigger.negative { " :no-pattern " } else { " :pattern (" }));
            for i in 0..trigger.len as usize {
                work.extend((i > 0).then_some(Work::Text(" ")));
                work.push(Work::Scope(args[at + i]));
            }
            at += trigger.len as usize;
            work.extend((!trigger.negative).then_some(Work::Text(")")));
        }
        work.extend(binder.weight.map(Work::Weight));
        work.extend(attributes.then_some(Work::Text(")")));
        work.extend([Work::EndBinder(restore), Work::Text(")")]);
        self.work.extend(work.into_iter().rev());
    }

    /// The symbol as written, with a number if a name in scope is the same.
    fn fresh_symbol(&mut self, symbol: &str, restore: &mut Vec<(String, Option<u32>)>) -> String {
        let before = self.suffixes.get(symbol).copied();
        let mut n = before.unwrap_or(0);
        let text = loop {
            let text = if n == 0 { symbol.to_owned() } else { format!("{symbol}~{n}") };
            n += 1;
            if !self.names.taken.contains(&text) {
                break text;
            }
        };
        self.suffixes.insert(symbol.to_owned(), n);
        restore.push((symbol.to_owned(), before));
        quote_symbol(&text)
    }
}

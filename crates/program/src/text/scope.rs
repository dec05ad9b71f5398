//! What names mean while a program is read: its sorts, datatypes and functions, the shared variables, and
//! the variables of the region or function at hand (which win over shared ones of the same name).

use lariat_term::{
    CtorId, DatatypeId, Sort, Term, Terms, Var,
    smtlib::{Entity, Env, Resolver, SyntaxError, decode_name, encode_name},
};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub(super) struct Scope {
    env: Env,
    shared: FxHashMap<String, Var>,
    own: FxHashMap<String, Var>,
    datatypes: FxHashMap<String, DatatypeId>,
    /// Those of them that are still to be declared.
    announced: FxHashSet<String>,
}

impl Scope {
    pub fn add(&mut self, name: String, var: Var, own: bool) {
        if own { &mut self.own } else { &mut self.shared }.insert(name, var);
    }

    /// Forgets the variables of the region or function.
    pub fn leave_region(&mut self) {
        self.own.clear();
    }

    pub fn var(&self, name: &str) -> Option<Var> {
        self.own.get(name).or_else(|| self.shared.get(name)).copied()
    }

    pub fn add_sort(&mut self, terms: &mut Terms, name: &str) {
        let sort = terms.uninterpreted_sort(name);
        self.env.add_sort(terms, sort);
    }

    /// A datatype of this name will follow; sorts may mention it from now on.
    pub fn announce_datatype(&mut self, terms: &mut Terms, name: &str) {
        if !self.datatypes.contains_key(name) {
            self.datatypes.insert(name.to_string(), terms.declare_datatype(name));
            self.announced.insert(name.to_string());
        }
    }

    /// The announced datatype of this name, or `None` if it was declared before.
    pub fn start_datatype(&mut self, name: &str) -> Option<DatatypeId> {
        self.announced.remove(name).then(|| self.datatypes[name])
    }

    /// Makes constructors and fields known.
    pub fn finish_datatype(&mut self, terms: &Terms, d: DatatypeId) {
        self.env.add_datatype(terms, d);
    }

    pub fn term(&mut self, terms: &mut Terms, text: &str) -> Result<Term, SyntaxError> {
        terms.parse_term(text, self)
    }

    pub fn sort(&mut self, terms: &mut Terms, text: &str) -> Result<Sort, SyntaxError> {
        terms.parse_sort(text, self)
    }
}

impl Resolver for Scope {
    fn symbol(&mut self, terms: &mut Terms, symbol: &str, sort: Option<Sort>, args: &[Term]) -> Option<Entity> {
        if args.is_empty()
            && let Some((name, None)) = decode_name(symbol)
            && let Some(v) = self.var(&name).filter(|&v| sort.is_none_or(|s| terms.var_sort(v) == s))
        {
            return Some(Entity::Term(terms.var_term(v)));
        }
        let found = self.env.symbol(terms, symbol, sort, args);
        found.or_else(|| self.env.symbol(terms, &written_out(symbol)?, sort, args))
    }

    fn ctor(&mut self, terms: &mut Terms, symbol: &str, datatype: Option<Sort>) -> Option<CtorId> {
        let found = self.env.ctor(terms, symbol, datatype);
        found.or_else(|| self.env.ctor(terms, &written_out(symbol)?, datatype))
    }

    fn sort(&mut self, terms: &mut Terms, symbol: &str) -> Option<Sort> {
        match decode_name(symbol) {
            Some((name, None)) if self.datatypes.contains_key(&name) => {
                Some(terms.datatype_sort(self.datatypes[&name]))
            }
            _ => {
                let found = self.env.sort(terms, symbol);
                found.or_else(|| self.env.sort(terms, &written_out(symbol)?))
            }
        }
    }
}

/// The printer renames what some solver reserves (`nil`, say); whoever writes by hand need not.
fn written_out(symbol: &str) -> Option<String> {
    let renamed = encode_name(symbol);
    (renamed != symbol && !symbol.contains('~')).then_some(renamed)
}

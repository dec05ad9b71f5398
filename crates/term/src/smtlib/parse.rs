//! From S-expressions to terms and sorts.
//!
//! In: S-expressions, and a [`Resolver`] for the names that the text does not bind itself. Out:
//! terms built by [`Terms::mk`], or an error with the place and the reason. The parser keeps its own
//! stack, so no nesting can overflow it.
//!
//! Beyond the standard it reads what solvers print in models (`(_ as-array f)`, `(lambda …)`,
//! `(_ bv5 8)`), and Lariat's own `(as @elem!n S)`, element `n` of an uninterpreted sort, and
//! `(as @bound!n S)`, the index `n` of a variable that is bound outside of the text.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

use crate::{
    op::{Binder, Op, Trigger},
    smtlib::{
        apply::bv_literal,
        env::{Entity, Resolver},
        lexer::{SExpr, SExprs, SyntaxError, TokenKind},
        names::decode_name,
    },
    sort::{Sort, SortError, SortKind},
    store::{Symbol, Term, Terms},
    value::Value,
};

type Result<T> = std::result::Result<T, SyntaxError>;

/// A term parser over a [`Resolver`].
pub struct Parser<'r, R: Resolver> {
    resolver: &'r mut R,
    /// What the names bound in the text mean: a term, and the binding depth where it is right.
    scope: FxHashMap<String, Vec<(Term, u32)>>,
    /// What the caller bound, right at depth 0.
    given: FxHashMap<String, Term>,
    depth: u32,
}

/// A function given by its body, as solvers give it in models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The symbol, without bars.
    pub symbol: String,
    /// The parameters' sorts.
    pub params: Vec<Sort>,
    /// The result's sort.
    pub result: Sort,
    /// The body, in which the last parameter is the bound variable 0, the one before it 1 …; it has
    /// the result's sort.
    pub body: Term,
}

impl Terms {
    /// The term that a text says.
    ///
    /// ```
    /// use lariat_term::{smtlib::Env, Sort, Terms};
    /// let mut t = Terms::new();
    /// let x = t.var("x", Sort::INT);
    /// let mut env = Env::of(&mut t);
    /// let got = t.parse_term("(let ((y (+ x 1))) (* y y))", &mut env)?;
    /// let one = t.int(1);
    /// let y = t.add(&[x, one]);
    /// assert_eq!(got, t.mul(&[y, y]));
    /// assert_eq!(t.parse_term("(+ x", &mut env).unwrap_err().offset, 0);
    /// # Ok::<(), lariat_term::smtlib::SyntaxError>(())
    /// ```
    pub fn parse_term(&mut self, text: &str, resolver: &mut impl Resolver) -> Result<Term> {
        Parser::new(resolver).term(self, SExprs::read(text)?.single()?)
    }

    /// The sort that a text says.
    pub fn parse_sort(&mut self, text: &str, resolver: &mut impl Resolver) -> Result<Sort> {
        Parser::new(resolver).sort(self, SExprs::read(text)?.single()?)
    }
}

/// Bound variables: their symbols as written, and their names and sorts.
type SortedVars<'a> = (Vec<&'a str>, Vec<(Symbol, Sort)>);

/// What is applied to the arguments.
enum Head<'a> {
    Symbol(&'a str),
    Indexed(&'a str, Vec<u32>),
    Is(&'a str),
    As(&'a str, Sort),
}

enum Work<'a> {
    Eval(SExpr<'a>),
    /// Apply to that many values.
    Apply(Head<'a>, usize, SExpr<'a>),
    /// Bind that many values to names, then go on with the body.
    Let(Vec<&'a str>, SExpr<'a>),
    EndLet(Vec<&'a str>),
    EndBinder(Quantified<'a>, SExpr<'a>),
}

struct Quantified<'a> {
    keyword: &'a str,
    names: Vec<&'a str>,
    binder: Binder,
}

impl<'r, R: Resolver> Parser<'r, R> {
    /// A parser without local names.
    pub fn new(resolver: &'r mut R) -> Parser<'r, R> {
        Parser { resolver, scope: FxHashMap::default(), given: FxHashMap::default(), depth: 0 }
    }

    /// Makes a symbol mean a term in what is parsed from now on.
    pub fn give(&mut self, symbol: &str, t: Term) {
        self.given.insert(symbol.to_owned(), t);
    }

    fn bind(&mut self, symbol: &str, t: Term) {
        self.scope.entry(symbol.to_owned()).or_default().push((t, self.depth));
    }

    fn unbind(&mut self, symbol: &str) {
        if let Some(all) = self.scope.get_mut(symbol) {
            all.pop();
            if all.is_empty() {
                self.scope.remove(symbol);
            }
        }
    }

    /// The sort that an expression says.
    pub fn sort(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Sort> {
        // Arrays are the only sorts made of sorts: `None` stands for "make one of the last two".
        let mut work = vec![Some(e)];
        let mut done: Vec<Sort> = Vec::new();
        while let Some(next) = work.pop() {
            let Some(e) = next else {
                if let (Some(element), Some(index)) = (done.pop(), done.pop()) {
                    done.push(terms.array_sort(index, element));
                }
                continue;
            };
            if e.head() == Some("Array") {
                let [_, index, element] = e.list().ok_or_else(|| e.error("`Array` takes two sorts"))?;
                work.extend([None, Some(element), Some(index)]);
            } else {
                done.push(self.simple_sort(terms, e)?);
            }
        }
        done.pop().ok_or_else(|| e.error("a sort is missing"))
    }

    fn simple_sort(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Sort> {
        if let Some(symbol) = e.symbol() {
            if let Some(s) = self.resolver.sort(terms, symbol) {
                return Ok(s);
            }
            return Ok(match symbol {
                "Bool" => Sort::BOOL,
                "Int" => Sort::INT,
                "Real" => Sort::REAL,
                "RoundingMode" => Sort::ROUNDING_MODE,
                "Float16" => terms.float_sort(5, 11),
                "Float32" => terms.float_sort(8, 24),
                "Float64" => terms.float_sort(11, 53),
                "Float128" => terms.float_sort(15, 113),
                "String" | "RegLan" => terms.builtin_sort(symbol),
                _ => return Err(e.error(format!("no sort is called `{symbol}`"))),
            });
        }
        match e.head() {
            Some("_") => {
                let (name, indices) = self.indexed(e)?;
                match terms.indexed_sort(name, &indices).map_err(|error| at(e, error))? {
                    Some(s) => Ok(s),
                    None => Ok(terms.builtin_sort(e.text())),
                }
            }
            // Sorts of a solver that Lariat knows by their text only.
            Some(_) => Ok(terms.builtin_sort(e.text())),
            None => Err(e.error("a sort is expected here")),
        }
    }

    /// The name and the numbers of `(_ name n …)`.
    fn indexed<'a>(&mut self, e: SExpr<'a>) -> Result<(&'a str, Vec<u32>)> {
        let mut items = e.items().skip(1);
        let name = items.next().and_then(SExpr::symbol).ok_or_else(|| e.error("a name is missing after `_`"))?;
        let number = |i: SExpr<'_>| match i.kind() {
            TokenKind::Numeral => i.text().parse::<u32>().map_err(|_| i.error("too large a number")),
            _ => Err(i.error("a number is expected here")),
        };
        Ok((name, items.map(number).collect::<Result<_>>()?))
    }

    /// The term that an expression says.
    pub fn term(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Term> {
        let depth = self.depth;
        let result = self.run(terms, e);
        if result.is_err() {
            // Names that were in scope at the error must not linger.
            self.scope.clear();
            self.depth = depth;
        }
        result
    }

    /// Like [`Parser::term`], with the sort it must have. An integer numeral will do for a real.
    pub fn term_of_sort(&mut self, terms: &mut Terms, e: SExpr<'_>, sort: Sort) -> Result<Term> {
        let t = self.term(terms, e)?;
        let t = real_if_wanted(terms, t, sort);
        if terms.sort(t) == sort {
            return Ok(t);
        }
        Err(e.error(format!("a term of sort {} is expected here", terms.display_sort(sort))))
    }

    /// A `(define-fun name ((x S) …) S body)`.
    pub fn definition(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Definition> {
        let [keyword, name, params, result, body] =
            e.list().ok_or_else(|| e.error("a definition has a name, parameters, a sort and a body"))?;
        if !matches!(keyword.text(), "define-fun" | "define-fun-rec") {
            return Err(keyword.error("`define-fun` is expected here"));
        }
        let symbol = name.symbol().ok_or_else(|| name.error("a name is expected here"))?;
        let (names, vars) = self.sorted_vars(terms, params)?;
        let result = self.sort(terms, result)?;
        let outer = std::mem::take(&mut self.scope);
        self.enter_binder(terms, &names, &vars);
        let body = self.term_of_sort(terms, body, result);
        self.depth -= vars.len() as u32;
        self.scope = outer;
        let params = vars.iter().map(|v| v.1).collect();
        Ok(Definition { symbol: symbol.to_owned(), params, result, body: body? })
    }

    fn sorted_vars<'a>(&mut self, terms: &mut Terms, list: SExpr<'a>) -> Result<SortedVars<'a>> {
        if !list.is_list() {
            return Err(list.error("a list of variables is expected here"));
        }
        let (mut names, mut vars) = (Vec::new(), Vec::new());
        for e in list.items() {
            let [name, sort] = e.list().ok_or_else(|| e.error("a variable and its sort are expected here"))?;
            let symbol = name.symbol().ok_or_else(|| name.error("a name is expected here"))?;
            let (plain, _) = decode_name(symbol).unwrap_or_else(|| (symbol.to_owned(), None));
            names.push(symbol);
            vars.push((terms.symbol(&plain), self.sort(terms, sort)?));
        }
        Ok((names, vars))
    }

    fn enter_binder(&mut self, terms: &mut Terms, names: &[&str], vars: &[(Symbol, Sort)]) {
        self.depth += vars.len() as u32;
        for (i, (name, &(_, sort))) in names.iter().zip(vars).enumerate() {
            let b = terms.bound((vars.len() - 1 - i) as u32, sort);
            self.bind(name, b);
        }
    }

    fn run(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Term> {
        let mut work = vec![Work::Eval(e)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Eval(e) if e.is_list() => {
                    if let Some(t) = self.list(terms, e, &mut work)? {
                        values.push(t);
                    }
                }
                Work::Eval(e) => values.push(self.atom(terms, e)?),
                Work::Apply(head, n, e) => {
                    let start = values.len() - n;
                    let t = self.apply(terms, head, &values[start..], e)?;
                    values.truncate(start);
                    values.push(t);
                }
                Work::Let(names, body) => {
                    let start = values.len() - names.len();
                    for (name, t) in names.iter().zip(values.drain(start..)) {
                        self.bind(name, t);
                    }
                    work.push(Work::EndLet(names));
                    work.push(Work::Eval(body));
                }
                Work::EndLet(names) => names.iter().for_each(|n| self.unbind(n)),
                Work::EndBinder(q, e) => {
                    q.names.iter().for_each(|n| self.unbind(n));
                    self.depth -= q.names.len() as u32;
                    let n = 1 + q.binder.triggers.iter().map(|t| t.len as usize).sum::<usize>();
                    let start = values.len() - n;
                    let b = terms.intern_binder(q.binder);
                    let op = match q.keyword {
                        "forall" => Op::Forall(b),
                        "exists" => Op::Exists(b),
                        _ => Op::Lambda(b),
                    };
                    let t = terms.try_mk(op, &values[start..]).map_err(|error| at(e, error))?;
                    values.truncate(start);
                    values.push(t);
                }
            }
        }
        values.pop().ok_or_else(|| e.error("a term is missing"))
    }

    fn atom(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Term> {
        let text = e.text();
        let bad = || e.error("not a numeral");
        match e.kind() {
            TokenKind::Numeral => Ok(terms.int(IBig::from_str_radix(text, 10).map_err(|_| bad())?)),
            TokenKind::Decimal => {
                let (whole, part) = text.split_once('.').ok_or_else(bad)?;
                let digits = UBig::from_str_radix(&format!("{whole}{part}"), 10).map_err(|_| bad())?;
                let scale = UBig::from(10u8).pow(part.len());
                Ok(terms.real(RBig::from_parts(IBig::from(digits), scale)))
            }
            TokenKind::Hex | TokenKind::Binary => {
                let radix = if e.kind() == TokenKind::Hex { 16 } else { 2 };
                let v = bv_literal(&text[2..], radix).ok_or_else(|| e.error("too wide a bit-vector"))?;
                Ok(terms.number(Value::BitVec(v)))
            }
            TokenKind::Symbol | TokenKind::Quoted => {
                let symbol = e.symbol().unwrap_or(text);
                self.apply(terms, Head::Symbol(symbol), &[], e)
            }
            TokenKind::String => Err(e.error("strings are not supported")),
            TokenKind::Keyword | TokenKind::Open | TokenKind::Close => Err(e.error("a term is expected here")),
        }
    }

    /// Begins a list: either its term at once, or work that leads to it.
    fn list<'a>(&mut self, terms: &mut Terms, e: SExpr<'a>, work: &mut Vec<Work<'a>>) -> Result<Option<Term>> {
        let mut items = e.items();
        let Some(head) = items.next() else {
            return Err(e.error("an empty list is no term"));
        };
        match e.head() {
            Some("let") => {
                let [_, bindings, body] = e.list().ok_or_else(|| e.error("`let` takes bindings and a body"))?;
                let mut names = Vec::new();
                let mut terms_of_names = Vec::new();
                for b in bindings.items() {
                    let [name, t] = b.list().ok_or_else(|| b.error("a name and a term are expected here"))?;
                    names.push(name.symbol().ok_or_else(|| name.error("a name is expected here"))?);
                    terms_of_names.push(Work::Eval(t));
                }
                work.push(Work::Let(names, body));
                work.extend(terms_of_names.into_iter().rev());
                return Ok(None);
            }
            Some(keyword @ ("forall" | "exists" | "lambda")) => {
                self.binder(terms, keyword, e, work)?;
                return Ok(None);
            }
            Some("!") => {
                let t = items.next().ok_or_else(|| e.error("a term is missing after `!`"))?;
                work.push(Work::Eval(t));
                return Ok(None);
            }
            Some("_" | "as") => {
                if e.items().nth(1).and_then(SExpr::symbol) == Some("as-array") {
                    return self.as_array(terms, e).map(Some);
                }
                let head = self.head(terms, e)?;
                return self.apply(terms, head, &[], e).map(Some);
            }
            Some("match") => return Err(e.error("`match` is not supported")),
            _ => {}
        }
        let head = self.head(terms, head)?;
        let args: Vec<_> = items.map(Work::Eval).collect();
        work.push(Work::Apply(head, args.len(), e));
        work.extend(args.into_iter().rev());
        Ok(None)
    }

    fn head<'a>(&mut self, terms: &mut Terms, e: SExpr<'a>) -> Result<Head<'a>> {
        if let Some(symbol) = e.symbol() {
            return Ok(Head::Symbol(symbol));
        }
        match e.head() {
            Some("_") => match e.list::<3>() {
                Some([_, is, ctor]) if is.text() == "is" => {
                    let c = if ctor.is_list() { ctor.items().next().unwrap_or(ctor) } else { ctor };
                    Ok(Head::Is(c.symbol().ok_or_else(|| ctor.error("a constructor is expected here"))?))
                }
                _ => self.indexed(e).map(|(name, indices)| Head::Indexed(name, indices)),
            },
            Some("as") => {
                let [_, name, sort] = e.list().ok_or_else(|| e.error("`as` takes a name and a sort"))?;
                let symbol = name.symbol().ok_or_else(|| name.error("a name is expected here"))?;
                Ok(Head::As(symbol, self.sort(terms, sort)?))
            }
            _ => Err(e.error("a function is expected here")),
        }
    }

    fn binder<'a>(
        &mut self,
        terms: &mut Terms,
        keyword: &'a str,
        e: SExpr<'a>,
        work: &mut Vec<Work<'a>>,
    ) -> Result<()> {
        let [_, vars, mut body] = e.list().ok_or_else(|| e.error(format!("`{keyword}` takes variables and a body")))?;
        let (names, vars) = self.sorted_vars(terms, vars)?;
        if vars.is_empty() {
            return Err(e.error(format!("`{keyword}` binds no variable")));
        }
        let mut binder = Binder { vars, triggers: Vec::new(), weight: None };
        let mut patterns = Vec::new();
        while body.head() == Some("!") && keyword != "lambda" {
            let mut items = body.items().skip(1);
            let inner = items.next().ok_or_else(|| body.error("a term is missing after `!`"))?;
            while let Some(key) = items.next() {
                let value = items.next().filter(|v| v.kind() != TokenKind::Keyword);
                match (key.text(), value) {
                    (":pattern", Some(group)) => {
                        let start = patterns.len();
                        patterns.extend(group.items().map(Work::Eval));
                        if patterns.len() == start {
                            return Err(group.error("a pattern has at least one term"));
                        }
                        binder.triggers.push(Trigger { len: (patterns.len() - start) as u32, negative: false });
                    }
                    (":no-pattern", Some(t)) => {
                        patterns.push(Work::Eval(t));
                        binder.triggers.push(Trigger { len: 1, negative: true });
                    }
                    (":weight", Some(n)) => {
                        binder.weight = Some(n.text().parse().map_err(|_| n.error("a number is expected here"))?);
                    }
                    (_, Some(_)) if key.kind() == TokenKind::Keyword => {}
                    _ => return Err(key.error("an attribute and its value are expected here")),
                }
            }
            body = inner;
        }
        self.enter_binder(terms, &names, &binder.vars);
        work.push(Work::EndBinder(Quantified { keyword, names, binder }, e));
        work.extend(patterns.into_iter().rev());
        work.push(Work::Eval(body));
        Ok(())
    }

    /// `(_ as-array f)`: the array that is the function `f`.
    fn as_array(&mut self, terms: &mut Terms, e: SExpr<'_>) -> Result<Term> {
        let symbol = e.list().and_then(|[_, _, f]: [SExpr<'_>; 3]| f.symbol());
        let symbol = symbol.ok_or_else(|| e.error("`as-array` takes a function"))?;
        match self.resolver.symbol(terms, symbol, None, &[]) {
            Some(Entity::Func(f)) => {
                let &[param] = terms.func_decl(f).params.as_slice() else {
                    return Err(e.error("only functions of one parameter are arrays"));
                };
                let x = terms.bound(0, param);
                let body = terms.app(f, &[x]);
                Ok(terms.lambda_bound(("x", param), body))
            }
            Some(Entity::Term(t)) if matches!(terms.sort_kind(terms.sort(t)), SortKind::Array(..)) => Ok(t),
            _ => Err(e.error(format!("`{symbol}` is no function"))),
        }
    }

    fn apply(&mut self, terms: &mut Terms, head: Head<'_>, args: &[Term], e: SExpr<'_>) -> Result<Term> {
        let result = match head {
            Head::Symbol(symbol) => {
                let local = self.scope.get(symbol).and_then(|all| all.last()).copied();
                if let Some((t, depth)) = local.or_else(|| self.given.get(symbol).map(|&t| (t, 0))) {
                    if args.is_empty() {
                        return Ok(terms.shift(t, self.depth - depth));
                    }
                    return Err(e.error(format!("`{symbol}` is no function here")));
                }
                match self.resolver.symbol(terms, symbol, None, args) {
                    Some(entity) => apply_entity(terms, entity, args),
                    None => terms.apply_smt(symbol, &[], args),
                }
            }
            Head::Indexed(name, indices) => terms.apply_smt(name, &indices, args),
            Head::Is(ctor) => {
                let datatype = args.first().map(|&a| terms.sort(a));
                match self.resolver.ctor(terms, ctor, datatype) {
                    Some(c) => terms.try_mk(Op::Tester(c), args),
                    None => Err(SortError(format!("`{ctor}` is no constructor of that datatype"))),
                }
            }
            Head::As("const", sort) => match *args {
                [a] => {
                    let element = match terms.sort_kind(sort) {
                        SortKind::Array(_, element) => element,
                        _ => return Err(e.error("a constant array has an array sort")),
                    };
                    let a = real_if_wanted(terms, a, element);
                    terms.try_mk(Op::ConstArray(sort), &[a])
                }
                _ => Err(SortError("a constant array takes one element".into())),
            },
            Head::As(symbol, sort) => {
                let own = |prefix| symbol.strip_prefix(prefix).and_then(|n: &str| n.parse::<u32>().ok());
                match (own("@elem!"), own("@bound!")) {
                    (Some(n), _) if matches!(terms.sort_kind(sort), SortKind::Uninterpreted(_)) && args.is_empty() => {
                        return Ok(terms.intern(Op::Elem(sort, n), &[]));
                    }
                    (_, Some(n)) if args.is_empty() => {
                        let index = n.checked_add(self.depth).filter(|&i| i < 1 << 30);
                        return Ok(terms.bound(index.ok_or_else(|| e.error("too large an index"))?, sort));
                    }
                    _ => {}
                }
                let t = match self.resolver.symbol(terms, symbol, Some(sort), args) {
                    Some(entity) => apply_entity(terms, entity, args),
                    None => terms.apply_smt(symbol, &[], args),
                };
                match t {
                    Ok(t) if terms.sort(t) != sort => Err(SortError(format!("`{symbol}` has another sort"))),
                    other => other,
                }
            }
        };
        result.map_err(|error| at(e, error))
    }
}

fn real_if_wanted(terms: &mut Terms, t: Term, sort: Sort) -> Term {
    match terms.op(t) {
        Op::Const(c) if sort == Sort::REAL => match terms.const_value(c) {
            Value::Int(v) => {
                let v = RBig::from(v.clone());
                terms.real(v)
            }
            _ => t,
        },
        _ => t,
    }
}

fn apply_entity(terms: &mut Terms, entity: Entity, args: &[Term]) -> std::result::Result<Term, SortError> {
    match entity {
        Entity::Term(t) if args.is_empty() => Ok(t),
        Entity::Term(_) => Err(SortError("this is no function".into())),
        Entity::Func(f) => terms.try_mk(Op::App(f), args),
        Entity::Ctor(c) => terms.try_mk(Op::Ctor(c), args),
        Entity::Selector(c, i) => terms.try_mk(Op::Selector(c, i), args),
    }
}

fn at(e: SExpr<'_>, error: SortError) -> SyntaxError {
    e.error(error.0)
}

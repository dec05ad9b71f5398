//! Terms and sorts as Z3's expressions and sorts.
//!
//! In: terms of one store. Out: handles of one [`Engine`]. Each term and each sort is translated
//! once in the life of a translator; walks are iterative, so depth does not matter.
//!
//! Names carry a suffix with the id of what they name (`x@3`), so that a variable, a function, a
//! constructor and a name that Z3 invents (`x!3`) never meet.

use lariat_term::{Binder, CtorId, Func, Op, RoundingMode, Sort, SortKind, Term, TermMap, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    raw::{Ast, ConvertedFn, CtorDecls, Decl, Engine, IndexedFn, Operator, RoundedFn, SortRef, Z3Error, Z3Result},
    sexpr_count,
};

/// A function of Z3 that a declared function stands for.
#[derive(Clone)]
enum Meaning {
    Declared(Decl),
    /// An expression over parameters, for names that Z3 expands.
    Template(Ast, Vec<Ast>),
}

/// What has been translated so far.
#[derive(Default)]
pub(super) struct Translator {
    memo: TermMap,
    sorts: FxHashMap<Sort, SortRef>,
    vars: FxHashMap<Var, Ast>,
    funcs: FxHashMap<Func, Meaning>,
    ctors: FxHashMap<CtorId, CtorDecls>,
    /// For names of constructors that no other datatype has.
    fresh: u32,
    /// The constructors by Z3's handle, for reading values.
    pub(super) ctor_of: FxHashMap<Decl, CtorId>,
    /// The elements of uninterpreted sorts that terms mention, by sort and in order of appearance.
    pub(super) elems: Vec<(Sort, Vec<(u32, Ast)>)>,
}

impl Translator {
    /// A term as an expression, which stays valid as long as the engine.
    pub(super) fn term(&mut self, e: &mut Engine, terms: &Terms, root: Term) -> Z3Result<Ast> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.memo.contains(t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(t).iter().rev().copied().filter(|&a| !self.memo.contains(a)));
            if stack.len() > before {
                continue;
            }
            let args: Vec<Ast> = terms.args(t).iter().filter_map(|&a| self.memo.get(a)).map(Ast).collect();
            let ast = self.node(e, terms, t, &args)?;
            self.memo.insert(t, ast.0);
            stack.pop();
        }
        self.memo.get(root).map(Ast).ok_or_else(|| Z3Error("the term was not translated".into()))
    }

    fn node(&mut self, e: &mut Engine, terms: &Terms, t: Term, args: &[Ast]) -> Z3Result<Ast> {
        let op = terms.op(t);
        if let Some(operator) = plain(op) {
            return e.apply(operator, args);
        }
        let sort = terms.sort(t);
        match (op, args) {
            (Op::Const(c), []) => self.constant(e, terms, terms.const_value(c), sort),
            (Op::Elem(s, n), []) => self.elem(e, terms, s, n),
            (Op::Var(v), []) => self.var(e, terms, v),
            (Op::Bound(i, s), []) => {
                let s = self.sort(e, terms, s)?;
                e.bound(i, s)
            }
            (Op::App(f), _) => match self.func(e, terms, f)? {
                Meaning::Declared(d) => e.app(d, args),
                Meaning::Template(body, params) => {
                    let pairs: Vec<(Ast, Ast)> = params.into_iter().zip(args.iter().copied()).collect();
                    e.substitute(body, &pairs)
                }
            },
            (Op::Extract { hi, lo }, &[a]) => e.extract(hi, lo, a),
            (Op::ZeroExt(n), &[a]) => e.indexed(IndexedFn::ZERO_EXT, n, a),
            (Op::SignExt(n), &[a]) => e.indexed(IndexedFn::SIGN_EXT, n, a),
            (Op::IntToBv(n), &[a]) => e.indexed(IndexedFn::INT_TO_BV, n, a),
            (Op::BvToNat, &[a]) => e.bv_to_nat(a),
            (Op::FpFromBits { .. }, &[a]) => {
                let s = self.sort(e, terms, sort)?;
                e.float_from_bits(a, s)
            }
            (Op::FpFromFp { .. }, &[rm, a]) => self.float_from(e, terms, ConvertedFn::FROM_FP, rm, a, sort),
            (Op::FpFromReal { .. }, &[rm, a]) => self.float_from(e, terms, ConvertedFn::FROM_REAL, rm, a, sort),
            (Op::FpFromSbv { .. }, &[rm, a]) => self.float_from(e, terms, ConvertedFn::FROM_SIGNED, rm, a, sort),
            (Op::FpFromUbv { .. }, &[rm, a]) => self.float_from(e, terms, ConvertedFn::FROM_UNSIGNED, rm, a, sort),
            (Op::FpToUbv(n), &[rm, a]) => e.float_to_bv(RoundedFn::TO_UBV, rm, a, n),
            (Op::FpToSbv(n), &[rm, a]) => e.float_to_bv(RoundedFn::TO_SBV, rm, a, n),
            (Op::FpToBits, &[a]) => self.float_bits(e, terms, a, terms.sort(terms.args(t)[0]), sort),
            (Op::ConstArray(s), &[a]) => match terms.sort_kind(s) {
                SortKind::Array(index, _) => {
                    let index = self.sort(e, terms, index)?;
                    e.const_array(index, a)
                }
                _ => Err(Z3Error("a constant array without an array sort".into())),
            },
            (Op::Ctor(c), _) => {
                let d = self.ctor(e, terms, c)?.make;
                e.app(d, args)
            }
            (Op::Selector(c, i), _) => {
                let d = self.ctor(e, terms, c)?.fields.get(i as usize).copied();
                e.app(d.ok_or_else(|| Z3Error("no such field".into()))?, args)
            }
            (Op::Tester(c), _) => {
                let d = self.ctor(e, terms, c)?.test;
                e.app(d, args)
            }
            (Op::Forall(b), [body, triggers @ ..]) => self.quantifier(e, terms, true, terms.binder(b), *body, triggers),
            (Op::Exists(b), [body, triggers @ ..]) => {
                self.quantifier(e, terms, false, terms.binder(b), *body, triggers)
            }
            (Op::Lambda(b), &[body]) => {
                let (name, s) = terms.binder(b).vars[0];
                let s = self.sort(e, terms, s)?;
                e.lambda(terms.name(name), s, body)
            }
            _ => Err(Z3Error(format!("operator {op:?} with {} arguments", args.len()))),
        }
    }

    /// A variable.
    pub(super) fn var(&mut self, e: &mut Engine, terms: &Terms, v: Var) -> Z3Result<Ast> {
        if let Some(&a) = self.vars.get(&v) {
            return Ok(a);
        }
        let sort = self.sort(e, terms, terms.var_sort(v))?;
        let d = e.declare(&format!("{}@{}", terms.var_name(v), v.index()), &[], sort)?;
        let a = e.app(d, &[])?;
        self.vars.insert(v, a);
        Ok(a)
    }

    fn elem(&mut self, e: &mut Engine, terms: &Terms, s: Sort, n: u32) -> Z3Result<Ast> {
        let sort = self.sort(e, terms, s)?;
        let d = e.declare(&format!("element {n}@{}", s.index()), &[], sort)?;
        let a = e.app(d, &[])?;
        match self.elems.iter_mut().find(|x| x.0 == s) {
            Some((_, known)) => known.push((n, a)),
            None => self.elems.push((s, vec![(n, a)])),
        }
        Ok(a)
    }

    fn constant(&mut self, e: &mut Engine, terms: &Terms, v: &Value, sort: Sort) -> Z3Result<Ast> {
        let s = self.sort(e, terms, sort)?;
        match v {
            Value::Int(i) => e.number(&i.to_string(), s),
            Value::Real(r) => e.number(&r.to_string(), s),
            Value::BitVec(b) => e.number(&b.bits().to_string(), s),
            Value::Float(f) => {
                let width = f.exp() + f.sig();
                if f.is_nan() {
                    return e.nan(s);
                }
                let bits = e.bv_sort(width)?;
                let bits = e.number(&f.bits().to_string(), bits)?;
                let a = e.float_from_bits(bits, s)?;
                // A numeral, rather than a conversion: Z3 recognises it in triggers and models.
                e.simplify(a)
            }
            _ => Err(Z3Error("a constant of a sort without numerals".into())),
        }
    }

    /// The bits of a float; for NaN, where Z3's choice varies, those that Lariat means.
    fn float_bits(&mut self, e: &mut Engine, terms: &Terms, a: Ast, float: Sort, bits: Sort) -> Z3Result<Ast> {
        let SortKind::Float { exp, sig } = terms.sort_kind(float) else {
            return Err(Z3Error("the bits of something that is no float".into()));
        };
        let quiet = Value::Float(lariat_term::Float::nan(exp, sig));
        let Value::Float(quiet) = &quiet else { return Err(Z3Error("no NaN".into())) };
        let bits = self.sort(e, terms, bits)?;
        let quiet = e.number(&quiet.bits().to_string(), bits)?;
        let is_nan = e.apply(Operator::FP_IS_NAN, &[a])?;
        let pattern = e.apply(Operator::FP_TO_BITS, &[a])?;
        e.apply(Operator::ITE, &[is_nan, quiet, pattern])
    }

    fn float_from(
        &mut self,
        e: &mut Engine,
        terms: &Terms,
        f: ConvertedFn,
        rm: Ast,
        a: Ast,
        sort: Sort,
    ) -> Z3Result<Ast> {
        let s = self.sort(e, terms, sort)?;
        e.float_from(f, rm, a, s)
    }

    fn quantifier(
        &mut self,
        e: &mut Engine,
        terms: &Terms,
        forall: bool,
        binder: &Binder,
        body: Ast,
        terms_of_triggers: &[Ast],
    ) -> Z3Result<Ast> {
        let mut vars = Vec::new();
        for &(name, sort) in &binder.vars {
            vars.push((terms.name(name).to_owned(), self.sort(e, terms, sort)?));
        }
        let (mut triggers, mut negative, mut rest) = (Vec::new(), Vec::new(), terms_of_triggers);
        for t in &binder.triggers {
            let (these, others) = rest.split_at((t.len as usize).min(rest.len()));
            rest = others;
            match t.negative {
                true => negative.extend_from_slice(these),
                false => triggers.push(these.to_vec()),
            }
        }
        let weight = binder.weight.unwrap_or(1);
        let whole = e.quantifier(forall, weight, &vars, &triggers, &negative, body);
        if whole.is_ok() || (triggers.is_empty() && negative.is_empty()) {
            return whole;
        }
        // Triggers are advice: one that Z3 cannot use (it lacks a variable, say) is left out.
        triggers.retain(|t| e.quantifier(forall, weight, &vars, std::slice::from_ref(t), &[], body).is_ok());
        e.quantifier(forall, weight, &vars, &triggers, &negative, body)
            .or_else(|_| e.quantifier(forall, weight, &vars, &triggers, &[], body))
    }

    // Functions

    /// Makes a function known, and gives its declaration if the model can have a table of it.
    pub(super) fn declared(&mut self, e: &mut Engine, terms: &Terms, f: Func) -> Z3Result<Option<Decl>> {
        Ok(match self.func(e, terms, f)? {
            Meaning::Declared(d) if terms.func_decl(f).builtin.is_none() => Some(d),
            _ => None,
        })
    }

    fn func(&mut self, e: &mut Engine, terms: &Terms, f: Func) -> Z3Result<Meaning> {
        if let Some(m) = self.funcs.get(&f) {
            return Ok(m.clone());
        }
        let decl = terms.func_decl(f);
        let mut params = Vec::new();
        for &p in &decl.params {
            params.push(self.sort(e, terms, p)?);
        }
        let result = self.sort(e, terms, decl.result)?;
        let meaning = match decl.builtin {
            None => {
                Meaning::Declared(e.declare(&format!("{}@f{}", terms.name(decl.name), f.index()), &params, result)?)
            }
            Some(text) => self.builtin(e, terms, terms.name(text), &params, result)?,
        };
        self.funcs.insert(f, meaning.clone());
        Ok(meaning)
    }

    /// A function of Z3's own, by its text: Z3's reader says what it means.
    fn builtin(
        &mut self,
        e: &mut Engine,
        terms: &Terms,
        text: &str,
        params: &[SortRef],
        result: SortRef,
    ) -> Z3Result<Meaning> {
        if sexpr_count(text).is_none_or(|n| n == 0) {
            return Err(Z3Error(format!("`{text}` is not SMT-LIB")));
        }
        let mut sorts = self.named_sorts(terms);
        let mut query = String::new();
        let mut call = String::new();
        for (i, &p) in params.iter().enumerate() {
            sorts.push((format!("parameter@{i}"), p));
            query += &format!("(declare-const |argument@{i}| |parameter@{i}|)");
            call += &format!(" |argument@{i}|");
        }
        sorts.push(("result@".into(), result));
        let call = if params.is_empty() { text.to_owned() } else { format!("({text}{call})") };
        query += "(declare-const |value@| |result@|)";
        for i in 0..params.len() {
            query += &format!("(assert (= |argument@{i}| |argument@{i}|))");
        }
        query += &format!("(assert (= |value@| {call}))");
        let asserted = e.parse(&query, &sorts)?;
        let side = |e: &mut Engine, a: Ast, i: usize| match e.shape(a)? {
            super::raw::Shape::App { args, .. } if args.len() == 2 => Ok(args[i]),
            _ => Err(Z3Error(format!("`{text}` is not a function"))),
        };
        let [arguments @ .., value] = asserted.as_slice() else {
            return Err(Z3Error(format!("`{text}` is not a function")));
        };
        let mut names = Vec::new();
        for &a in arguments {
            names.push(side(e, a, 0)?);
        }
        let body = side(e, *value, 1)?;
        Ok(Meaning::Template(body, names))
    }

    // Sorts

    fn named_sorts(&self, terms: &Terms) -> Vec<(String, SortRef)> {
        let mut named: Vec<(Sort, String, SortRef)> = Vec::new();
        for (&s, &r) in &self.sorts {
            match terms.sort_kind(s) {
                SortKind::Uninterpreted(name) => named.push((s, terms.name(name).to_owned(), r)),
                SortKind::Datatype(d) => named.push((s, terms.datatype_name(d).to_owned(), r)),
                _ => {}
            }
        }
        named.sort_by_key(|n| n.0);
        named.into_iter().map(|(_, name, r)| (name, r)).collect()
    }

    /// The uninterpreted sorts so far, in order.
    pub(super) fn uninterpreted(&self, terms: &Terms) -> Vec<Sort> {
        let is = |s: &Sort| matches!(terms.sort_kind(*s), SortKind::Uninterpreted(_));
        let mut all: Vec<Sort> = self.sorts.keys().copied().filter(is).collect();
        all.sort_unstable();
        all
    }

    /// A sort.
    pub(super) fn sort(&mut self, e: &mut Engine, terms: &Terms, root: Sort) -> Z3Result<SortRef> {
        let mut stack = vec![root];
        while let Some(&s) = stack.last() {
            if self.sorts.contains_key(&s) {
                stack.pop();
                continue;
            }
            let r = match terms.sort_kind(s) {
                SortKind::Bool => e.bool_sort()?,
                SortKind::Int => e.int_sort()?,
                SortKind::Real => e.real_sort()?,
                SortKind::RoundingMode => e.rounding_mode_sort()?,
                SortKind::BitVec(w) => e.bv_sort(w)?,
                SortKind::Float { exp, sig } => e.float_sort(exp, sig)?,
                SortKind::Array(i, x) => match (self.sorts.get(&i), self.sorts.get(&x)) {
                    (Some(&i), Some(&x)) => e.array_sort(i, x)?,
                    _ => {
                        stack.extend([i, x]);
                        continue;
                    }
                },
                SortKind::Uninterpreted(name) => {
                    e.uninterpreted_sort(&format!("{}@{}", terms.name(name), s.index()))?
                }
                SortKind::Builtin(text) => self.builtin_sort(e, terms, terms.name(text))?,
                SortKind::Datatype(_) => {
                    let group = self.datatype_group(terms, s);
                    let missing = group.leaves.iter().find(|l| !self.sorts.contains_key(l));
                    if let Some(&leaf) = missing {
                        stack.push(leaf);
                    } else {
                        self.datatypes(e, terms, &group)?;
                    }
                    continue;
                }
            };
            self.sorts.insert(s, r);
            stack.pop();
        }
        self.sorts.get(&root).copied().ok_or_else(|| Z3Error("the sort was not translated".into()))
    }

    fn builtin_sort(&mut self, e: &mut Engine, terms: &Terms, text: &str) -> Z3Result<SortRef> {
        if sexpr_count(text) != Some(1) {
            return Err(Z3Error(format!("`{text}` is not a sort")));
        }
        let query = format!("(declare-const |value@| {text})(assert (= |value@| |value@|))");
        let asserted = e.parse(&query, &self.named_sorts(terms))?;
        match asserted.as_slice() {
            &[a] => match e.shape(a)? {
                super::raw::Shape::App { args, .. } if args.len() == 2 => e.sort_of(args[0]),
                _ => Err(Z3Error(format!("`{text}` is not a sort"))),
            },
            _ => Err(Z3Error(format!("`{text}` is not a sort"))),
        }
    }

    /// The datatypes that a new datatype needs, as far as they are new too.
    fn datatype_group(&self, terms: &Terms, root: Sort) -> Group {
        let mut group = Group { datatypes: Vec::new(), leaves: Vec::new() };
        let mut seen = FxHashSet::default();
        let mut todo = vec![root];
        while let Some(s) = todo.pop() {
            if !seen.insert(s) {
                continue;
            }
            match terms.sort_kind(s) {
                SortKind::Datatype(d) if !self.sorts.contains_key(&s) => {
                    group.datatypes.push(s);
                    todo.extend(terms.ctors(d).iter().flat_map(|&c| terms.ctor_fields(c)).map(|f| f.sort));
                }
                SortKind::Array(i, x) => todo.extend([i, x]),
                _ => group.leaves.push(s),
            }
        }
        group
    }

    /// Declares datatypes that may mention each other, directly and inside arrays.
    fn datatypes(&mut self, e: &mut Engine, terms: &Terms, group: &Group) -> Z3Result<()> {
        let sort_name = |s: Sort| format!("|sort@{}|", s.index());
        let (mut heads, mut bodies, mut tail) = (String::new(), String::new(), String::new());
        for &s in &group.datatypes {
            let SortKind::Datatype(d) = terms.sort_kind(s) else { continue };
            heads += &format!("({} 0)", sort_name(s));
            bodies += "(";
            for &c in terms.ctors(d) {
                let c_name = format!("{}@{}", self.fresh, terms.ctor_name(c).replace(['|', '\\'], "?"));
                self.fresh += 1;
                bodies += &format!("(|{c_name}|");
                for (i, field) in terms.ctor_fields(c).iter().enumerate() {
                    bodies += &format!(" (|{c_name}.{i}| ");
                    write_sort(terms, field.sort, &mut bodies, &sort_name);
                    bodies += ")";
                }
                bodies += ")";
            }
            bodies += ")";
            tail += &format!(
                "(declare-const |value@{0}| {1})(assert (= |value@{0}| |value@{0}|))",
                s.index(),
                sort_name(s)
            );
        }
        let known: Vec<(String, SortRef)> =
            group.leaves.iter().map(|&l| (format!("sort@{}", l.index()), self.sorts[&l])).collect();
        let asserted = e.parse(&format!("(declare-datatypes ({heads}) ({bodies})){tail}"), &known)?;
        if asserted.len() != group.datatypes.len() {
            return Err(Z3Error("a datatype that has no finite value".into()));
        }
        for (&s, a) in group.datatypes.iter().zip(asserted) {
            let SortKind::Datatype(d) = terms.sort_kind(s) else { continue };
            let super::raw::Shape::App { args, .. } = e.shape(a)? else {
                return Err(Z3Error("a datatype was not declared".into()));
            };
            let r = e.sort_of(args[0])?;
            let decls = e.constructors(r)?;
            if decls.len() != terms.ctors(d).len() {
                return Err(Z3Error("a datatype lost a constructor".into()));
            }
            for (&c, decls) in terms.ctors(d).iter().zip(decls) {
                self.ctor_of.insert(decls.make, c);
                self.ctors.insert(c, decls);
            }
            self.sorts.insert(s, r);
        }
        Ok(())
    }

    fn ctor(&mut self, e: &mut Engine, terms: &Terms, c: CtorId) -> Z3Result<&CtorDecls> {
        self.sort(e, terms, terms.datatype_sort(terms.ctor_datatype(c)))?;
        self.ctors.get(&c).ok_or_else(|| Z3Error("a constructor was added after the datatype's first use".into()))
    }
}

/// Datatypes to be declared together, and the other sorts that their fields mention.
struct Group {
    datatypes: Vec<Sort>,
    leaves: Vec<Sort>,
}

fn write_sort(terms: &Terms, s: Sort, out: &mut String, name: &impl Fn(Sort) -> String) {
    enum Step {
        Sort(Sort),
        Text(&'static str),
    }
    let mut todo = vec![Step::Sort(s)];
    while let Some(step) = todo.pop() {
        match step {
            Step::Text(t) => out.push_str(t),
            Step::Sort(s) => match terms.sort_kind(s) {
                SortKind::Array(i, x) => {
                    todo.extend([
                        Step::Text(")"),
                        Step::Sort(x),
                        Step::Text(" "),
                        Step::Sort(i),
                        Step::Text("(Array "),
                    ]);
                }
                _ => out.push_str(&name(s)),
            },
        }
    }
}

/// The operators that need nothing but their arguments.
fn plain(op: Op) -> Option<Operator> {
    Some(match op {
        Op::True => Operator::TRUE,
        Op::False => Operator::FALSE,
        Op::RoundingMode(RoundingMode::Rne) => Operator::RNE,
        Op::RoundingMode(RoundingMode::Rna) => Operator::RNA,
        Op::RoundingMode(RoundingMode::Rtp) => Operator::RTP,
        Op::RoundingMode(RoundingMode::Rtn) => Operator::RTN,
        Op::RoundingMode(RoundingMode::Rtz) => Operator::RTZ,
        Op::Not => Operator::NOT,
        Op::And => Operator::AND,
        Op::Or => Operator::OR,
        Op::Eq => Operator::EQ,
        Op::Distinct => Operator::DISTINCT,
        Op::Ite => Operator::ITE,
        Op::Add => Operator::ADD,
        Op::Mul => Operator::MUL,
        Op::IntDiv | Op::RealDiv => Operator::DIV,
        Op::IntMod => Operator::MOD,
        Op::Le => Operator::LE,
        Op::Lt => Operator::LT,
        Op::ToReal => Operator::TO_REAL,
        Op::ToInt => Operator::TO_INT,
        Op::IsInt => Operator::IS_INT,
        Op::Pow => Operator::POWER,
        Op::Concat => Operator::CONCAT,
        Op::BvNot => Operator::BV_NOT,
        Op::BvNeg => Operator::BV_NEG,
        Op::BvAnd => Operator::BV_AND,
        Op::BvOr => Operator::BV_OR,
        Op::BvXor => Operator::BV_XOR,
        Op::BvAdd => Operator::BV_ADD,
        Op::BvMul => Operator::BV_MUL,
        Op::BvUdiv => Operator::BV_UDIV,
        Op::BvUrem => Operator::BV_UREM,
        Op::BvSdiv => Operator::BV_SDIV,
        Op::BvSrem => Operator::BV_SREM,
        Op::BvSmod => Operator::BV_SMOD,
        Op::BvShl => Operator::BV_SHL,
        Op::BvLshr => Operator::BV_LSHR,
        Op::BvAshr => Operator::BV_ASHR,
        Op::BvUlt => Operator::BV_ULT,
        Op::BvUle => Operator::BV_ULE,
        Op::BvSlt => Operator::BV_SLT,
        Op::BvSle => Operator::BV_SLE,
        Op::FpToReal => Operator::FP_TO_REAL,
        Op::FpAbs => Operator::FP_ABS,
        Op::FpNeg => Operator::FP_NEG,
        Op::FpAdd => Operator::FP_ADD,
        Op::FpSub => Operator::FP_SUB,
        Op::FpMul => Operator::FP_MUL,
        Op::FpDiv => Operator::FP_DIV,
        Op::FpFma => Operator::FP_FMA,
        Op::FpSqrt => Operator::FP_SQRT,
        Op::FpRem => Operator::FP_REM,
        Op::FpRoundToIntegral => Operator::FP_ROUND,
        Op::FpMin => Operator::FP_MIN,
        Op::FpMax => Operator::FP_MAX,
        Op::FpLe => Operator::FP_LE,
        Op::FpLt => Operator::FP_LT,
        Op::FpEq => Operator::FP_EQ,
        Op::FpIsNormal => Operator::FP_IS_NORMAL,
        Op::FpIsSubnormal => Operator::FP_IS_SUBNORMAL,
        Op::FpIsZero => Operator::FP_IS_ZERO,
        Op::FpIsInfinite => Operator::FP_IS_INFINITE,
        Op::FpIsNan => Operator::FP_IS_NAN,
        Op::FpIsNegative => Operator::FP_IS_NEGATIVE,
        Op::FpIsPositive => Operator::FP_IS_POSITIVE,
        Op::Select => Operator::SELECT,
        Op::Store => Operator::STORE,
        _ => return None,
    })
}

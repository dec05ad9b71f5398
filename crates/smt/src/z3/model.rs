//! A model of Z3 as tables.

use std::sync::{Arc, Mutex};

use lariat_term::{FuncTable, Model as TermModel, NotFixed, Op, SortKind, Term, Terms, Value, fold};

use super::{Inner, failed, lock, raw::ModelRef, values::Reader};
use crate::{
    Declaration, SolverError,
    model::{Source, may_be_open},
};

/// A model that Z3 keeps, and the terms that it must be able to evaluate.
pub(super) struct Z3Model {
    pub(super) inner: Arc<Mutex<Inner>>,
    pub(super) model: ModelRef,
    pub(super) roots: Vec<Term>,
    pub(super) declared: Vec<Declaration>,
}

impl Source for Z3Model {
    fn build(&self, terms: &Terms) -> Result<TermModel, SolverError> {
        let mut inner = lock(&self.inner);
        // Translation first: what it makes must survive the release.
        for &t in &self.roots {
            inner.translate(terms, t)?;
        }
        for &d in &self.declared {
            match d {
                Declaration::Var(v) => drop(inner.var(terms, v)?),
                Declaration::Func(f) => drop(inner.function(terms, f)?),
            }
        }
        let mark = inner.engine.mark();
        let built = self.tables(&mut inner, terms);
        inner.engine.release(mark);
        built
    }

    fn quick(&self, terms: &Terms, t: Term) -> Option<Value> {
        if !matches!(terms.op(t), Op::Var(_)) {
            return None;
        }
        let simple = matches!(
            terms.sort_kind(terms.sort(t)),
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::BitVec(_) | SortKind::Float { .. }
        );
        if !simple {
            return None;
        }
        let mut inner = lock(&self.inner);
        let a = inner.translate(terms, t).ok()?;
        let mark = inner.engine.mark();
        let Inner { engine, translator, .. } = &mut *inner;
        let value = Reader::new(terms, &self.model, &translator.ctor_of).eval(engine, a, terms.sort(t)).ok();
        engine.release(mark);
        value
    }
}

impl Z3Model {
    fn tables(&self, inner: &mut Inner, terms: &Terms) -> Result<TermModel, SolverError> {
        let (model, roots) = (&self.model, self.roots.as_slice());
        // What needs a value: variables, and applications whose meaning only the solver knows. Those
        // with loose bound variables have no value of their own.
        let needed: Vec<Term> = terms
            .post_order(roots)
            .into_iter()
            .filter(|&t| match terms.op(t) {
                Op::Var(_) => true,
                Op::App(_) => terms.loose(t) == 0,
                op => terms.loose(t) == 0 && may_be_open(op),
            })
            .collect();
        // Z3 completes a model while it evaluates; only then are all elements of its sorts known.
        for &t in &needed {
            for part in std::iter::once(t).chain(terms.args(t).iter().copied()) {
                let a = inner.translate(terms, part)?;
                inner.engine.eval(model, a).map_err(failed)?;
            }
        }
        let mut vars = Vec::new();
        let mut funcs = terms.used_funcs(roots);
        for &d in &self.declared {
            match d {
                Declaration::Var(v) => {
                    let a = inner.var(terms, v)?;
                    inner.engine.eval(model, a).map_err(failed)?;
                    vars.push((v, a));
                }
                Declaration::Func(f) if !funcs.contains(&f) => funcs.push(f),
                Declaration::Func(_) => {}
            }
        }
        let mut sorts = Vec::new();
        for s in inner.translator.uninterpreted(terms) {
            sorts.push((s, inner.sort(terms, s)?));
        }
        let mut decls = Vec::new();
        for f in funcs {
            decls.push((f, inner.function(terms, f)?));
        }
        let mut asts = Vec::new();
        for &t in &needed {
            let args = terms.args(t).iter().map(|&a| inner.translate(terms, a)).collect::<Result<Vec<_>, _>>()?;
            asts.push((t, inner.translate(terms, t)?, args));
        }

        let Inner { engine, translator, .. } = inner;
        let mut reader = Reader::new(terms, model, &translator.ctor_of);
        let mut out = TermModel::new();
        for (s, handle) in sorts {
            let universe = engine.universe(model, handle).map_err(failed)?;
            let mentioned = translator.elems.iter().find(|x| x.0 == s).map_or(&[][..], |x| &x.1);
            reader.set_universe(engine, s, &universe, mentioned)?;
        }
        for (s, n) in reader.universes() {
            out.set_universe(s, n);
        }
        let mut complete = true;

        // Functions: the solver's table, as far as it is finite.
        for (f, decl) in decls {
            let Some(decl) = decl else {
                complete = false;
                continue;
            };
            let declared = terms.func_decl(f);
            let mut table = FuncTable::default();
            match engine.interpretation(model, decl).map_err(failed)? {
                None => table.default = terms.default_value_in(declared.result, &|s| reader.universe(s)),
                Some(interp) => {
                    for (args, value) in interp.entries {
                        let args =
                            args.iter().zip(&declared.params).map(|(&a, &s)| reader.read(engine, a, s)).collect();
                        let value = reader.read(engine, value, declared.result);
                        match (args, value) {
                            (Ok(args), Ok(value)) => {
                                table.entries.insert(args, value);
                            }
                            (args, value) => unless_no_value(args.and(value), &mut complete)?,
                        }
                    }
                    let default = interp.otherwise.map(|a| reader.read(engine, a, declared.result)).transpose();
                    match default {
                        Ok(d) => table.default = d,
                        Err(e) => unless_no_value::<()>(Err(e), &mut complete)?,
                    }
                }
            }
            complete &= table.default.is_some();
            out.set_func(f, table);
        }

        for (t, a, args) in asts {
            let value = reader.eval(engine, a, terms.sort(t));
            let args: Result<Vec<Value>, SolverError> =
                args.iter().zip(terms.args(t)).map(|(&a, &t)| reader.eval(engine, a, terms.sort(t))).collect();
            let (value, args) = match (value, args) {
                (Ok(v), Ok(a)) => (v, a),
                (v, a) => {
                    unless_no_value(a.and(v), &mut complete)?;
                    continue;
                }
            };
            match terms.op(t) {
                Op::Var(v) => out.set(v, value),
                Op::App(f) => {
                    out.func_mut(f).entries.insert(args, value);
                }
                op => {
                    if let Err(NotFixed::Unspecified) = fold::apply(terms, op, &args, &|s| reader.universe(s)) {
                        out.set_open(op, args, value);
                    }
                }
            }
        }
        for (v, a) in vars {
            match reader.eval(engine, a, terms.var_sort(v)) {
                Ok(value) => out.set(v, value),
                Err(e) => unless_no_value::<()>(Err(e), &mut complete)?,
            }
        }
        out.set_complete(complete);
        Ok(out)
    }
}

/// Notes that a value is missing; other errors are errors.
fn unless_no_value<T>(r: Result<T, SolverError>, complete: &mut bool) -> Result<(), SolverError> {
    match r {
        Err(SolverError::NoValue { .. }) => {
            *complete = false;
            Ok(())
        }
        Err(e) => Err(e),
        Ok(_) => Ok(()),
    }
}

//! A process's model as tables: what is asked for, and what the answers mean.

use lariat_term::{FuncTable, Model as TermModel, NotFixed, Op, Term, Terms, fold, smtlib::SExprs};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ProcessSolver, values::ValueReader};
use crate::{
    Answer, Model, SolverError,
    model::{Source, may_be_open},
    query::excerpt,
};

/// A model that is there already.
struct Fixed(TermModel);

impl Source for Fixed {
    fn build(&self, _: &Terms) -> Result<TermModel, SolverError> {
        Ok(self.0.clone())
    }
}

impl ProcessSolver {
    /// What the model must have the values of: variables, elements, applications whose meaning only
    /// the solver knows, and their arguments.
    pub(super) fn wanted(&self, terms: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut wanted = Vec::new();
        let mut seen = FxHashSet::default();
        for t in terms.post_order(roots) {
            let closed = terms.loose(t) == 0;
            let (itself, args) = match terms.op(t) {
                Op::Var(_) | Op::Elem(..) => (true, false),
                Op::App(_) => (closed, closed),
                op => (closed && may_be_open(op), closed && may_be_open(op)),
            };
            let args = if args { terms.args(t) } else { &[] };
            for &needed in args.iter().chain(itself.then_some(&t)) {
                if seen.insert(needed) {
                    wanted.push(needed);
                }
            }
        }
        wanted
    }

    pub(super) fn model(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        wanted: &[Term],
        get_value: &str,
    ) -> Result<Answer, SolverError> {
        if wanted.is_empty() {
            return Ok(Answer::Sat(Model::new(Fixed(TermModel::complete()))));
        }
        let text = match self.one(&format!("(get-value ({get_value}))\n"))? {
            Ok(text) => text,
            Err(reason) => return Ok(Answer::Unknown(reason)),
        };
        let wrong = |what: &str| self.nonsense(format!("{what}: {}", excerpt(&text)));
        let parsed = SExprs::read(&text).map_err(|e| wrong(&e.to_string()))?;
        let list = parsed.single().map_err(|e| wrong(&e.to_string()))?;
        let mut pairs = Vec::new();
        for pair in list.items() {
            let [_, value] = pair.list().ok_or_else(|| wrong("not a list of values"))?;
            pairs.push(value);
        }
        if pairs.len() != wanted.len() {
            return Err(wrong("not as many values as were asked for"));
        }
        let mut reader = ValueReader::new(terms, &mut self.printer);
        for (&t, &e) in wanted.iter().zip(&pairs) {
            if let Op::Elem(s, n) = terms.op(t)
                && !reader.element(e, s, n)
            {
                return Err(SolverError::Nonsense {
                    solver: self.name.clone(),
                    message: "two elements are one".into(),
                });
            }
        }
        let mut values = FxHashMap::default();
        for (&t, &e) in wanted.iter().zip(&pairs) {
            if let Some(v) = reader.read(e, terms.sort(t)) {
                values.insert(t, v);
            }
        }
        let roots = self.base.roots(assumptions);
        // What no quantifier speaks of may be anything where the query does not ask.
        let plain = !terms.post_order(&roots).iter().any(|&t| matches!(terms.op(t), Op::Forall(_) | Op::Exists(_)));
        let mut model = TermModel::new();
        let mut complete = plain && values.len() == wanted.len();
        for f in terms.used_funcs(&roots) {
            let default = plain.then(|| terms.default_value(terms.func_decl(f).result)).flatten();
            complete &= default.is_some();
            model.set_func(f, FuncTable { default, ..FuncTable::default() });
        }
        for &t in wanted {
            let Some(value) = values.get(&t) else { continue };
            let args: Option<Vec<_>> = terms.args(t).iter().map(|a| values.get(a).cloned()).collect();
            match (terms.op(t), args) {
                (Op::Var(v), _) => model.set(v, value.clone()),
                (Op::App(f), Some(args)) => _ = model.func_mut(f).entries.insert(args, value.clone()),
                (op, Some(args)) if may_be_open(op) => {
                    if let Err(NotFixed::Unspecified) = fold::apply(terms, op, &args, &|_| None) {
                        model.set_open(op, args, value.clone());
                    }
                }
                _ => {}
            }
        }
        model.set_complete(complete);
        Ok(Answer::Sat(Model::new(Fixed(model))))
    }
}

//! What the inner solver is told: the caller's terms without arrays, in small named parts.

use lariat_term::{Op, SortKind, Term, Terms};

use super::{
    Fragment, LazyArrays, Stop, lock,
    translate::{Obstacle, Translation},
};
use crate::{Declaration, SolverError};

impl LazyArrays {
    /// Makes a symbol of the caller known to the inner solver.
    pub(super) fn declare_inside(&mut self, terms: &Terms, symbol: Declaration) -> Result<(), Stop> {
        match symbol {
            _ if self.fragment == Fragment::All => self.inner.declare(terms, symbol)?,
            Declaration::Var(v) => _ = lock(&self.translation).var(terms, v)?,
            Declaration::Func(_) => return Err(Obstacle::Other.into()),
        }
        Ok(())
    }

    /// Asserts a term of the caller in the inner solver.
    pub(super) fn assert_inside(&mut self, terms: &Terms, t: Term) -> Result<(), Stop> {
        if self.fragment == Fragment::All {
            return Ok(self.inner.assert(terms, t)?);
        }
        let translation = self.translation.clone();
        let mut translation = lock(&translation);
        let mut conjuncts = vec![t];
        while let Some(t) = conjuncts.pop() {
            match (terms.op(t), terms.args(t)) {
                (Op::And, args) => conjuncts.extend(args.iter().rev()),
                (Op::Eq, &[a, b]) if matches!(terms.sort_kind(terms.sort(a)), SortKind::Array(..)) => {
                    let (a, b) = (translation.array(terms, a)?, translation.array(terms, b)?);
                    let reads = translation.graph.define(a, b).ok_or(Obstacle::Other)?;
                    for (read, meaning) in reads {
                        let var = translation.graph.reads()[read.index()].var;
                        let lemma = translation.graph.terms.eq(var, meaning);
                        self.tell(&mut translation, lemma)?;
                    }
                    // A model gives the variable the value of the array, so all of that matters.
                    for t in translation.graph.terms_of(a).into_iter().chain(translation.graph.terms_of(b)) {
                        self.mark(&mut translation, t);
                    }
                }
                _ => {
                    let inner = translation.scalar(terms, t)?;
                    self.tell(&mut translation, inner)?;
                }
            }
        }
        Ok(())
    }

    /// Asserts a term of the inner store.
    pub(super) fn tell(&mut self, translation: &mut Translation, t: Term) -> Result<(), SolverError> {
        self.mark(translation, t);
        let terms = &mut translation.graph.terms;
        let mut conjuncts = vec![t];
        while let Some(t) = conjuncts.pop() {
            let mut new = Vec::new();
            let named = match (terms.op(t), terms.args(t)) {
                (Op::And, args) => {
                    conjuncts.extend(args.iter().rev());
                    continue;
                }
                (Op::Eq, &[a, b]) if terms.as_var(a).is_some() => {
                    let b = self.names.define(terms, a, b, &mut new);
                    terms.eq(a, b)
                }
                (Op::Eq, &[a, b]) if terms.as_var(b).is_some() => {
                    let a = self.names.define(terms, b, a, &mut new);
                    terms.eq(a, b)
                }
                _ => self.names.name(terms, t, &mut new),
            };
            new.push(named);
            new.into_iter().try_for_each(|t| self.inner.assert(terms, t))?;
        }
        Ok(())
    }

    /// What stands inside for a Boolean term of the caller that is not asserted.
    pub(super) fn image(&mut self, translation: &mut Translation, terms: &Terms, t: Term) -> Result<Term, Stop> {
        let image = translation.scalar(terms, t)?;
        self.mark(translation, image);
        let inside = &mut translation.graph.terms;
        let mut new = Vec::new();
        let named = self.names.name(inside, image, &mut new);
        new.into_iter().try_for_each(|d| self.inner.assert(inside, d))?;
        Ok(named)
    }

    /// Notes which reads a term of the inner store speaks about.
    fn mark(&mut self, translation: &mut Translation, t: Term) {
        let graph = &mut translation.graph;
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if !self.marked.insert(t) {
                continue;
            }
            if let Some(r) = graph.read_of(t) {
                graph.mark_used(r);
            }
            stack.extend(graph.terms.args(t));
        }
    }
}

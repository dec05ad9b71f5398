//! Axioms: those without type parameters once, the others for each type that turns up.

use lariat_program::Axiom;
use lariat_term::Term;
use rustc_hash::FxHashSet;

use super::Lower;
use super::polarity::Polarity;
use super::quant::MAX_WAYS;
use crate::syntax::{self, Ast, DeclKind, ExprId, ExprKind, Id, Quant, QuantKind, VarId};
use crate::types::Ty;
use lariat_source::Span;

/// An axiom that is a universal type quantifier, and the instances that it already has.
pub(super) struct PolyAxiom {
    quant: Id<Quant>,
    span: Span,
    done: FxHashSet<Vec<Ty>>,
    /// How many instances there were to choose from the last time.
    among: Option<usize>,
}

/// All axioms, those of `uses` clauses included, in the order of the source.
fn axioms(ast: &Ast) -> Vec<syntax::Axiom> {
    let mut all = Vec::new();
    for (_, decl) in ast.decls.iter() {
        match decl.kind {
            DeclKind::Axiom(axiom) => all.push(axiom),
            DeclKind::Const { uses, .. } => all.extend_from_slice(&ast[uses]),
            DeclKind::Function(function) => all.extend_from_slice(&ast[ast[function].uses]),
            _ => {}
        }
    }
    all
}

/// The universal type quantifier that a formula is.
fn root_quant(ast: &Ast, mut cond: ExprId) -> Option<Id<Quant>> {
    loop {
        match ast[cond].kind {
            ExprKind::Coerce { arg, .. } => cond = arg,
            ExprKind::Quant(quant) => {
                let poly = ast[quant].kind == QuantKind::Forall && !ast[quant].type_params.is_empty();
                return poly.then_some(quant);
            }
            _ => return None,
        }
    }
}

/// The type quantifiers that are whole axioms.
pub(super) fn root_quants(ast: &Ast) -> FxHashSet<Id<Quant>> {
    axioms(ast).iter().filter_map(|axiom| root_quant(ast, axiom.cond)).collect()
}

impl Lower<'_> {
    /// Lowers the axioms without type parameters and returns the others.
    pub(super) fn plain_axioms(&mut self) -> Vec<PolyAxiom> {
        let mut poly = Vec::new();
        for axiom in axioms(self.ast) {
            match root_quant(self.ast, axiom.cond) {
                Some(quant) => {
                    poly.push(PolyAxiom { quant, span: axiom.span, done: FxHashSet::default(), among: None })
                }
                None => {
                    let term = self.expr(axiom.cond, Polarity::Assumed);
                    self.add_axiom(term, axiom.span);
                }
            }
        }
        poly
    }

    fn add_axiom(&mut self, term: Term, span: Span) {
        let loc = self.locs.of(span);
        self.program.axioms.push(Axiom { term, loc });
    }

    /// Instantiates the axioms with type parameters until no instance is missing. An instance may
    /// use new instances of functions and types, which is why it takes rounds.
    pub(super) fn poly_axioms(&mut self, axioms: &mut [PolyAxiom]) {
        loop {
            let mut changed = false;
            for axiom in &mut *axioms {
                let patterns = self.patterns(axiom.quant);
                let among = Some(self.mono.known.count(&patterns));
                if std::mem::replace(&mut axiom.among, among) == among {
                    continue;
                }
                for way in self.ways(axiom.quant, false) {
                    let key: Vec<Ty> = way.iter().map(|&(_, ty)| ty).collect();
                    if axiom.done.len() >= MAX_WAYS || !axiom.done.insert(key) {
                        continue;
                    }
                    changed = true;
                    let term = self.instance(axiom.quant, &way, Polarity::Assumed, false);
                    self.add_axiom(term, axiom.span);
                }
            }
            self.definitions();
            if !changed {
                break;
            }
        }
    }

    /// `unique` constants of one type are pairwise different.
    pub(super) fn unique_constants(&mut self) {
        let mut groups: Vec<(Ty, Vec<VarId>, Span)> = Vec::new();
        let mut at = rustc_hash::FxHashMap::default();
        for (_, decl) in self.ast.decls.iter() {
            let DeclKind::Const { unique: true, vars, .. } = decl.kind else { continue };
            for var in vars.ids() {
                let ty = self.typed.var_ty(self.ast, var);
                let group = *at.entry(ty).or_insert_with(|| {
                    groups.push((ty, Vec::new(), decl.span));
                    groups.len() - 1
                });
                groups[group].1.push(var);
            }
        }
        for (_, vars, span) in groups {
            if vars.len() > 1 {
                let vars: Vec<Term> = vars.iter().filter_map(|&var| self.variable(var)).collect();
                let term = self.terms.distinct(&vars);
                self.add_axiom(term, span);
            }
        }
    }
}

//! Lambdas with type parameters: bundles given by one array per instantiation.
//!
//! The field that stands for all other instantiations depends on whatever the lambda captures, and
//! on nothing else: it is a function, about which nothing else is known, of the captured values.

use lariat_term::Term;
use rustc_hash::FxHashSet;

use super::Lower;
use super::polarity::Polarity;
use crate::mono::{Match, match_ty};
use crate::syntax::{ExprId, ExprKind, ExprWalk, Id, LetVar, Quant, Step, VarId};
use crate::typed::NameRef;
use crate::types::TyVar;

impl Lower<'_> {
    pub(super) fn poly_lambda(&mut self, id: ExprId, quant: Id<Quant>, old: bool) -> Term {
        let (ty, span) = (self.ty(id), self.ast[id].span);
        let sort = self.sort(id);
        let Some(bundle) = self.mono.bundle(ty).cloned() else {
            // No type parameter is left in the type of the map.
            return self.instance(quant, &Match::new(), Polarity::Mixed, old);
        };
        let captured = self.captured(quant, old);
        let params: Vec<TyVar> = self.ast[quant].type_params.ids().collect();
        let rest = self.terms.ctor_fields(bundle.ctor)[0].sort;
        let mut fields = vec![self.unknown_function("lambda", &captured, rest)];
        for inst in &bundle.insts {
            let Some((args, _)) = self.mono.types.instantiate_map(ty, inst) else { continue };
            let mut way = Match::new();
            let vars = self.ast[quant].vars.ids();
            for (var, arg) in vars.zip(args) {
                let pattern = self.typed.var_ty(self.ast, var);
                let pattern = self.mono.ground(pattern);
                if !match_ty(&self.mono.types, &params, pattern, arg, &mut way) {
                    self.unsupported(span, "the type parameters of this lambda cannot be instantiated");
                    return self.dummy(sort);
                }
            }
            fields.push(self.instance(quant, &way, Polarity::Mixed, old));
        }
        self.terms.ctor(bundle.ctor, &fields)
    }

    /// The values that the body of a lambda gets from outside.
    fn captured(&mut self, quant: Id<Quant>, old: bool) -> Vec<Term> {
        let mut own: FxHashSet<VarId> = self.ast[quant].vars.ids().collect();
        let mut own_lets: FxHashSet<Id<LetVar>> = FxHashSet::default();
        let mut names = Vec::new();
        let mut depth = u32::from(old);
        let mut walk = ExprWalk::new(self.ast[quant].body);
        while let Some(step) = walk.next(self.ast) {
            let (Step::Enter(id) | Step::LetBody(id) | Step::Leave(id)) = step;
            match (step, self.ast[id].kind) {
                (Step::Enter(_), ExprKind::Quant(inner)) => own.extend(self.ast[inner].vars.ids()),
                (Step::Enter(_), ExprKind::Let(inner)) => own_lets.extend(self.ast[inner].vars.ids()),
                (Step::Enter(_), ExprKind::Old(_)) => depth += 1,
                (Step::Leave(_), ExprKind::Old(_)) => depth -= 1,
                (Step::Leave(id), ExprKind::Var(_)) => names.push((id, depth > 0)),
                _ => {}
            }
        }
        let mut seen = FxHashSet::default();
        let mut captured = Vec::new();
        for (id, old) in names {
            let outside = match self.typed.reference(id) {
                NameRef::Global(_) | NameRef::Local(_) | NameRef::Param(_) => true,
                NameRef::Bound(var) => !own.contains(&var),
                NameRef::Let(var) => !own_lets.contains(&var),
                _ => false,
            };
            if outside {
                let term = self.name(id, old);
                if seen.insert(term) {
                    captured.push(term);
                }
            }
        }
        captured
    }
}

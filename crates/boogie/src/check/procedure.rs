//! Procedures, implementations and their bodies.

use super::{Checker, Context, State};
use crate::syntax::{Body, DeclId, Id, Ident, Implementation, Procedure, Slice, SpecKind, Var};
use crate::typed::NameRef;
use crate::types::{Ty, TyVar};

impl Checker<'_> {
    /// Checks a procedure with its contract and, if it is given right there, its body.
    pub(super) fn procedure(&mut self, decl: DeclId, id: Id<Procedure>) {
        let ast = self.ast;
        let node = &ast[id];
        let span = ast[decl].span;
        let specs = &ast[node.specs];
        for spec in specs {
            if let SpecKind::Modifies(list) = spec.kind {
                if node.pure && !list.is_empty() {
                    self.name_error(span, "a pure procedure cannot have a modifies clause");
                    continue;
                }
                self.modifies_clause(id, list, span);
            }
        }
        self.bind_type_vars(node.type_params, false);
        self.vars.push();
        let one = match node.pure {
            true => State::None,
            false => State::One,
        };
        self.state = one;
        self.formals(node.ins, true);
        self.wheres(node.ins);
        let mut measures = 0;
        for spec in specs {
            match spec.kind {
                SpecKind::Requires { cond, .. } => {
                    self.formula(cond, spec.span, "a precondition");
                }
                SpecKind::Preserves { cond, .. } => {
                    self.formula(cond, spec.span, "a preserved condition");
                }
                SpecKind::Measure(exprs) => {
                    measures += 1;
                    if measures == 2 {
                        let message = "the procedure has more than one measure";
                        self.type_error(spec.span, message);
                    }
                    self.measure(exprs, spec.span);
                }
                SpecKind::Ensures { .. } | SpecKind::Modifies(_) => continue,
            }
            self.attrs(spec.attrs);
        }
        self.formals(node.outs, false);
        self.wheres(node.outs);
        if !node.pure {
            self.state = State::Two;
        }
        for spec in specs {
            if let SpecKind::Ensures { cond, .. } = spec.kind {
                self.formula(cond, spec.span, "a postcondition");
                self.attrs(spec.attrs);
            }
        }
        self.state = State::One;
        self.attrs(ast[decl].attrs);
        if let Some(body) = node.body {
            self.body(body, Some(id), node.pure);
        }
        self.vars.pop();
        self.unbind_type_vars(node.type_params);
    }

    fn modifies_clause(&mut self, id: Id<Procedure>, list: Slice<Ident>, span: lariat_source::Span) {
        for item in list.ids() {
            let ident = self.ast[item];
            let what = self.variable(ident.name, ident.span);
            self.out.ident_ref[item.index()] = what;
            match what {
                NameRef::Global(var) => self.out.procedures[id.index()].modifies.push(var),
                NameRef::None => {}
                _ => {
                    let text = self.text(ident.name);
                    let message = format!("the constant `{text}` cannot be modified");
                    self.type_error(span, message);
                }
            }
        }
    }

    fn formals(&mut self, formals: Slice<Var>, fixed: bool) {
        for id in formals.ids() {
            self.declare_local(id);
            self.fixed[id.index()] = fixed;
            self.attrs(self.ast[id].attrs);
        }
    }

    /// Checks a separate implementation.
    pub(super) fn implementation(&mut self, decl: DeclId, id: Id<Implementation>) {
        let ast = self.ast;
        let node = &ast[id];
        let procedure = self.procedures[node.name.name.index()];
        let span = ast[decl].span;
        match procedure {
            Some(procedure) => {
                self.out.implementations[id.index()].procedure = Some(procedure);
                self.out.procedures[procedure.index()].implementations.push(id);
                self.match_signature(decl, id, procedure);
            }
            None => self.unknown(span, "the procedure", node.name.name, |checker, other| {
                checker.procedures[other.index()].is_some()
            }),
        }
        self.bind_type_vars(node.type_params, false);
        self.vars.push();
        self.state = State::One;
        self.formals(node.ins, true);
        self.formals(node.outs, false);
        self.attrs(ast[decl].attrs);
        let pure = procedure.is_some_and(|procedure| ast[procedure].pure);
        self.body(node.body, procedure, pure);
        self.vars.pop();
        self.unbind_type_vars(node.type_params);
    }

    /// Parameters and results must have the same types, up to the names of type parameters.
    fn match_signature(&mut self, decl: DeclId, id: Id<Implementation>, proc: Id<Procedure>) {
        let ast = self.ast;
        let (own, its) = (&ast[id], &ast[proc]);
        let span = ast[decl].span;
        let text = self.text(own.name.name);
        if own.type_params.len() != its.type_params.len() {
            let message = format!(
                "the implementation of `{text}` has {} type parameters, the procedure {}",
                own.type_params.len(),
                its.type_params.len()
            );
            self.type_error(span, message);
            return;
        }
        for (own, its, what) in [(own.ins, its.ins, "parameters"), (own.outs, its.outs, "results")] {
            if own.len() != its.len() {
                let message =
                    format!("the implementation of `{text}` has {} {what}, the procedure {}", own.len(), its.len());
                self.type_error(span, message);
                return;
            }
        }
        // Type parameters correspond in the order in which the signature mentions them.
        let from = self.type_vars_of([own.ins, own.outs], own.type_params);
        let to = self.type_vars_of([its.ins, its.outs], its.type_params);
        if from.len() == to.len() && !from.is_empty() {
            let ordered = its.type_params.ids().filter_map(|var| {
                let at = to.iter().position(|&other| other == var)?;
                Some(from[at])
            });
            let ordered = ordered.collect();
            self.out.impl_vars.insert(id, ordered);
        }
        let by: Vec<Ty> = to.iter().map(|&var| self.out.types.var(var)).collect();
        for (own, its, what) in [(own.ins, its.ins, "parameter"), (own.outs, its.outs, "result")] {
            for (own, its) in ast[own].iter().zip(&ast[its]) {
                let a = self.out.type_ty[own.ty.index()];
                let a = self.out.types.subst(a, &from, &by);
                let b = self.out.type_ty[its.ty.index()];
                if a != b && a != Ty::ERROR && b != Ty::ERROR {
                    let message = format!(
                        "the {what} `{}` of the implementation of `{text}` is of type {}, that of \
                         the procedure of type {}",
                        self.text(own.name.name),
                        self.show(a),
                        self.show(b)
                    );
                    self.type_error(span, message);
                }
            }
        }
    }

    /// The type variables of a signature in the order in which it mentions them.
    fn type_vars_of(&self, lists: [Slice<Var>; 2], params: Slice<Ident>) -> Vec<TyVar> {
        let mut order = Vec::new();
        if params.is_empty() {
            return order;
        }
        for var in lists.iter().flat_map(|&list| &self.ast[list]) {
            let ty = self.out.type_ty[var.ty.index()];
            self.out.types.for_each_var(ty, &mut |var| {
                if !order.contains(&var) {
                    order.push(var);
                }
            });
        }
        order
    }

    fn body(&mut self, body: Body, procedure: Option<Id<Procedure>>, pure: bool) {
        self.locals(body.locals);
        self.context = Context { procedure, pure };
        self.enter_frame(procedure);
        self.state = match pure {
            true => State::None,
            false => State::Two,
        };
        self.collect_labels(body.stmts);
        self.stmts(body.stmts);
        self.state = State::One;
        self.context = Context { procedure: None, pure: false };
    }
}

//! Which instances of polymorphic things a program is going to need, found without lowering it.
//!
//! In goes a checked program, out comes a [`Known`] that most programs need nothing else than, so that
//! their first lowering is their last. It is a guess: what is missing makes for another round of
//! lowering. What it must not do is to note what no lowering would ask for, since axioms are
//! instantiated for everything that is known.

use rustc_hash::FxHashSet;

use super::quant::{MAX_TYPE_DEPTH, MAX_WAYS, Pattern};
use super::{Lower, MAX_KNOWN};
use crate::mono::{Head, Known, TyEnv};
use crate::syntax::{Ast, ExprId, ExprKind, Function, Id, Quant, QuantKind};
use crate::typed::{NameRef, Typed};
use crate::types::{Ty, TyKind, TyVar};

/// Notes the instances that are there without instantiating anything.
pub(super) fn seed(ast: &Ast, typed: &Typed, known: &mut Known) {
    let ground = |tys: &[Ty]| !tys.iter().any(|&ty| typed.types.has_var(ty));
    let mut exprs: Vec<ExprId> = typed.expr_inst.keys().copied().collect();
    exprs.sort_unstable();
    for id in exprs {
        let inst = typed.inst(id);
        if !ground(inst) {
            continue;
        }
        match (ast[id].kind, typed.reference(id)) {
            (_, NameRef::Function(function)) => known.add(Head::Function(function), inst),
            (ExprKind::Select { map, .. } | ExprKind::Store { map, .. }, _) if ground(&[typed.ty(map)]) => {
                known.add(Head::Map(typed.ty(map)), inst);
            }
            _ => {}
        }
    }
    for (lhs, target) in ast.lhss.iter() {
        let (NameRef::Global(var) | NameRef::Local(var)) = typed.lhs(lhs) else { continue };
        let mut ty = typed.var_ty(ast, var);
        for step in target.path.ids() {
            let inst = typed.inst_of_step(step);
            if !inst.is_empty() && ground(inst) && ground(&[ty]) {
                known.add(Head::Map(ty), inst);
            }
            ty = typed.step_ty[step.index()];
        }
    }
}

/// A type quantifier, and the instances that have been looked at.
struct Scope {
    quant: Id<Quant>,
    params: Vec<TyVar>,
    patterns: std::rc::Rc<Vec<Pattern>>,
    done: FxHashSet<Vec<Ty>>,
    /// How many instances there were to choose from the last time.
    among: Option<usize>,
}

impl Lower<'_> {
    /// Notes what follows from what is known: type quantifiers are instantiated with known types, and
    /// their bodies then use further instances.
    ///
    /// Left out is what depends on the types of several nested quantifiers at once, or on bodies of
    /// functions and procedures.
    pub(super) fn foresee(&mut self) {
        let quants = self.ast.quants.iter();
        let quants = quants.filter(|(_, quant)| !quant.type_params.is_empty() && quant.kind != QuantKind::Lambda);
        let quants: Vec<Id<Quant>> = quants.map(|(id, _)| id).collect();
        let mut scopes = Vec::with_capacity(quants.len());
        for quant in quants {
            let params = self.ast[quant].type_params.ids().collect();
            let patterns = self.patterns(quant);
            scopes.push(Scope { quant, params, patterns, done: FxHashSet::default(), among: None });
        }
        let (mut next, mut sorts) = (0, FxHashSet::default());
        loop {
            while let Some((head, tys)) = self.mono.known.nth(next) {
                let tys = tys.to_vec();
                next += 1;
                match head {
                    Head::Function(function) => self.foresee_signature(function, &tys, &mut sorts),
                    Head::Map(map) => {
                        let Some((args, result)) = self.mono.types.instantiate_map(map, &tys) else { continue };
                        for ty in args.into_iter().chain([result]) {
                            self.foresee_sort(ty, &mut sorts);
                        }
                    }
                    Head::Type(_) | Head::Data(_) => {}
                }
                if self.mono.known.len() > MAX_KNOWN {
                    return;
                }
            }
            for scope in &mut scopes {
                self.foresee_scope(scope, &mut sorts);
            }
            if next == self.mono.known.len() {
                return;
            }
        }
    }

    /// A function with these type arguments declares the sorts of its parameters and result.
    fn foresee_signature(&mut self, function: Id<Function>, tys: &[Ty], sorts: &mut FxHashSet<Ty>) {
        let func = self.ast[function];
        let params: Vec<TyVar> = func.type_params.ids().collect();
        let written = self.ast[func.params].iter().map(|param| self.typed.type_of(param.ty));
        for ty in written.chain([self.typed.function(function).result]) {
            let ty = self.mono.types.subst(ty, &params, tys);
            self.foresee_sort(ty, sorts);
        }
    }

    fn foresee_scope(&mut self, scope: &mut Scope, sorts: &mut FxHashSet<Ty>) {
        let among = Some(self.mono.known.count(&scope.patterns));
        if std::mem::replace(&mut scope.among, among) == among {
            return;
        }
        let (ways, _) = self.mono.known.ways(&self.mono.types, &scope.params, &scope.patterns, MAX_WAYS);
        for way in ways {
            if way.iter().any(|&(_, ty)| self.mono.types.depth(ty) > MAX_TYPE_DEPTH) {
                continue;
            }
            let tys: Vec<Ty> = way.iter().map(|&(_, ty)| ty).collect();
            if !scope.done.insert(tys) {
                continue;
            }
            self.mono.env = TyEnv::default().extended(&way);
            for var in self.ast[scope.quant].vars.ids() {
                let ty = self.mono.ground(self.typed.var_ty(self.ast, var));
                self.foresee_sort(ty, sorts);
            }
            for (head, tys) in scope.patterns.iter() {
                if matches!(head, Head::Function(_) | Head::Map(_)) {
                    let tys = self.mono.ground_all(tys);
                    if !tys.iter().any(|&ty| self.mono.types.has_var(ty)) {
                        self.mono.known.add(*head, &tys);
                    }
                }
            }
        }
        self.mono.env = TyEnv::default();
    }

    /// What making the sort of a type notes.
    fn foresee_sort(&mut self, ty: Ty, sorts: &mut FxHashSet<Ty>) {
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            // A datatype may use itself at ever larger types.
            let types = &self.mono.types;
            if types.has_var(ty) || types.depth(ty) > MAX_TYPE_DEPTH || !sorts.insert(ty) {
                continue;
            }
            match types.kind(ty) {
                TyKind::Ctor { decl, args } => {
                    let args = self.mono.types.list(args).to_vec();
                    self.mono.known.add(Head::Type(decl), &args);
                }
                TyKind::Data { data, args } => {
                    let args = self.mono.types.list(args).to_vec();
                    self.mono.known.add(Head::Data(data), &args);
                    let info = self.typed.datatype(data);
                    let params: Vec<TyVar> = info.params.ids().collect();
                    for &field in &info.fields {
                        stack.push(self.mono.types.subst(self.typed.field(field).ty, &params, &args));
                    }
                }
                TyKind::Map { params: 0, args, result } => {
                    stack.push(result);
                    stack.extend_from_slice(self.mono.types.list(args));
                }
                _ => {}
            }
        }
    }
}

//! Quantifiers and lambdas, and the instances of type quantifiers.

use std::rc::Rc;

use lariat_term::{Binder, Op, Sort, Symbol, Term, Trigger as TermTrigger};

use super::polarity::Polarity;
use super::{Lower, Slot};
use crate::mono::{Head, Match};
use crate::syntax::{AttrArg, ExprId, ExprKind, ExprWalk, Id, Quant, QuantKind, Step};
use crate::typed::NameRef;
use crate::types::{Ty, TyKind, TyVar};
use lariat_source::{Diagnostic, DiagnosticKind};

/// How many instances one type quantifier may have.
pub(super) const MAX_WAYS: usize = 1000;

/// A place in the body of a type quantifier that decides some of its type variables: an instance of
/// this thing, whose type arguments mention them.
pub(super) type Pattern = (Head, Vec<Ty>);

/// A question for the instances of a type quantifier, and how many there were.
pub(super) struct Asked {
    params: Vec<TyVar>,
    patterns: Vec<Pattern>,
    answers: usize,
    /// How many instances there were to choose from.
    among: usize,
}

impl Lower<'_> {
    /// Whether an instance turned up after it was needed, so that the run must be repeated.
    pub(super) fn missed_instances(&self) -> bool {
        let known = &self.mono.known;
        let grown = |asked: &Asked| {
            if known.count(&asked.patterns) == asked.among {
                return false;
            }
            let (ways, _) = known.ways(&self.mono.types, &asked.params, &asked.patterns, MAX_WAYS);
            ways.len() != asked.answers
        };
        self.mono.incomplete || self.asked.iter().any(grown)
    }

    /// Enters the scope of a quantifier without type parameters.
    pub(super) fn bind(&mut self, quant: Id<Quant>) {
        for var in self.ast[quant].vars.ids() {
            let sort = self.var_sort(var);
            self.slots[var.index()] = Slot::Bound { level: self.depth, sort };
            self.depth += 1;
        }
    }

    /// Leaves the scope: the patterns of the triggers and the body are on the stack.
    pub(super) fn close(&mut self, quant: Id<Quant>) {
        let quant = self.ast[quant];
        let body = self.pop();
        let patterns: usize = self.ast[quant.triggers].iter().map(|trigger| trigger.patterns.len()).sum();
        let patterns = self.pop_n(patterns);
        self.depth -= quant.vars.len() as u32;
        let mut vars: Vec<(Symbol, Sort)> = Vec::with_capacity(quant.vars.len());
        for var in quant.vars.ids() {
            let name = self.terms.symbol(self.ast.text(self.ast[var].name.name));
            let Slot::Bound { sort, .. } = self.slots[var.index()] else { continue };
            vars.push((name, sort));
        }
        let term = self.binder(&quant, vars, body, &patterns);
        self.values.push(term);
    }

    fn binder(&mut self, quant: &Quant, vars: Vec<(Symbol, Sort)>, body: Term, patterns: &[Term]) -> Term {
        if quant.kind == QuantKind::Lambda {
            return vars.into_iter().rev().fold(body, |body, var| {
                let binder = Binder { vars: vec![var], triggers: Vec::new(), weight: None };
                let binder = self.terms.intern_binder(binder);
                self.terms.mk(Op::Lambda(binder), &[body])
            });
        }
        if vars.is_empty() {
            return body;
        }
        let triggers = self.ast[quant.triggers].iter();
        let triggers =
            triggers.map(|trigger| TermTrigger { len: trigger.patterns.len() as u32, negative: trigger.negated });
        let binder = Binder { vars, triggers: triggers.collect(), weight: self.weight(quant) };
        let binder = self.terms.intern_binder(binder);
        let op = match quant.kind {
            QuantKind::Exists => Op::Exists(binder),
            _ => Op::Forall(binder),
        };
        let mut args = Vec::with_capacity(1 + patterns.len());
        args.push(body);
        args.extend_from_slice(patterns);
        self.terms.mk(op, &args)
    }

    fn weight(&self, quant: &Quant) -> Option<u32> {
        let attr = self.ast.attr(quant.attrs, "weight")?;
        let [AttrArg::Expr(arg)] = self.ast[attr.args] else { return None };
        match self.ast[arg].kind {
            ExprKind::Int(digits) => self.ast.text(digits).parse().ok(),
            _ => None,
        }
    }

    /// A quantifier with type parameters: its instances, joined.
    pub(super) fn type_quantifier(&mut self, id: ExprId, quant: Id<Quant>, role: Polarity, old: bool) -> Term {
        if self.ast[quant].kind == QuantKind::Lambda {
            return self.poly_lambda(id, quant, old);
        }
        self.roles_seen += 1;
        let exists = self.ast[quant].kind == QuantKind::Exists;
        let mut ways = self.ways(quant, true);
        // Where the quantifier is to be shown (or refuted), an unknown type stands for all others.
        let only_given = if exists { Polarity::Goal } else { Polarity::Assumed };
        if role != only_given {
            let params: Vec<TyVar> = self.ast[quant].type_params.ids().collect();
            let any: Match = params.iter().map(|&param| (param, self.mono.types.var(param))).collect();
            ways.push(any);
        }
        let mut parts = Vec::with_capacity(ways.len());
        for way in ways {
            parts.push(self.instance(quant, &way, role, old));
        }
        if exists { self.terms.or(&parts) } else { self.terms.and(&parts) }
    }

    /// The quantifier with these types for its type parameters.
    pub(super) fn instance(&mut self, quant: Id<Quant>, way: &Match, role: Polarity, old: bool) -> Term {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let env = self.mono.env.extended(way);
            let outer = std::mem::replace(&mut self.mono.env, env);
            self.bind(quant);
            for trigger in &self.ast[self.ast[quant].triggers] {
                for &pattern in &self.ast[trigger.patterns] {
                    let term = self.expr_in(pattern, Polarity::Mixed, old);
                    self.values.push(term);
                }
            }
            let body = self.expr_in(self.ast[quant].body, role, old);
            self.values.push(body);
            self.close(quant);
            self.mono.env = outer;
            self.pop()
        })
    }

    /// The types for the type parameters of a quantifier that the program gives reason to look at.
    /// Says so once if these are not all that there are.
    /// With `note`, what was asked is noted, to be asked again at the end of the run.
    pub(super) fn ways(&mut self, quant: Id<Quant>, note: bool) -> Vec<Match> {
        let params: Vec<TyVar> = self.ast[quant].type_params.ids().collect();
        let patterns = self.patterns(quant);
        let mut grounded = Vec::with_capacity(patterns.len());
        for (head, tys) in patterns.iter() {
            // Type variables of enclosing scopes are known here; those of the quantifier are not.
            grounded.push((*head, self.mono.ground_all(tys).into_vec()));
        }
        let (ways, complete) = self.mono.known.ways(&self.mono.types, &params, &grounded, MAX_WAYS);
        let depth = |way: &Match| !way.iter().any(|&(_, ty)| self.mono.types.depth(ty) > MAX_TYPE_DEPTH);
        let shallow: Vec<Match> = ways.iter().filter(|way| depth(way)).cloned().collect();
        if note {
            let among = self.mono.known.count(&grounded);
            self.asked.push(Asked { params, patterns: grounded, answers: ways.len(), among });
        }
        if !(complete && shallow.len() == ways.len()) && self.warned.insert(quant) {
            let span = self.ast[self.ast[quant].body].span;
            self.diags.push(
                Diagnostic::warning(
                    DiagnosticKind::Limit,
                    span,
                    "this type quantifier is instantiated for some types only",
                )
                .with_hint("what depends on other types can then not be proved"),
            );
        }
        shallow
    }

    pub(super) fn patterns(&mut self, quant: Id<Quant>) -> Rc<Vec<Pattern>> {
        if let Some(patterns) = self.patterns.get(&quant) {
            return patterns.clone();
        }
        let params: Vec<TyVar> = self.ast[quant].type_params.ids().collect();
        let mut found: Vec<Pattern> = Vec::new();
        let mut add = |lower: &Self, head: Head, tys: &[Ty]| {
            let mut mentions = false;
            for &ty in tys {
                lower.mono.types.for_each_var(ty, &mut |var| mentions |= params.contains(&var));
            }
            let pattern = (head, tys.to_vec());
            if mentions && !found.contains(&pattern) {
                found.push(pattern);
            }
        };
        for var in self.ast[quant].vars.ids() {
            let mut stack = vec![self.typed.var_ty(self.ast, var)];
            while let Some(ty) = stack.pop() {
                match self.mono.types.kind(ty) {
                    TyKind::Ctor { decl, args } => {
                        let args = self.mono.types.list(args).to_vec();
                        add(self, Head::Type(decl), &args);
                        stack.extend(args);
                    }
                    TyKind::Data { data, args } => {
                        let args = self.mono.types.list(args).to_vec();
                        add(self, Head::Data(data), &args);
                        stack.extend(args);
                    }
                    _ => {}
                }
            }
        }
        let mut walk = ExprWalk::new(self.ast[quant].body);
        let mut roots: Vec<ExprId> =
            self.ast[self.ast[quant].triggers].iter().flat_map(|t| self.ast[t.patterns].to_vec()).collect();
        loop {
            while let Some(step) = walk.next(self.ast) {
                let Step::Leave(id) = step else { continue };
                let inst = self.typed.inst(id);
                if inst.is_empty() {
                    continue;
                }
                match (self.ast[id].kind, self.typed.reference(id)) {
                    (_, NameRef::Function(func)) => add(self, Head::Function(func), inst),
                    (_, NameRef::Ctor(ctor)) => add(self, Head::Data(self.typed.ctor(ctor).datatype), inst),
                    (ExprKind::Select { map, .. } | ExprKind::Store { map, .. }, _) => {
                        let ty = self.typed.ty(map);
                        if !self.mono.types.has_var(ty) {
                            add(self, Head::Map(ty), inst);
                        }
                    }
                    _ => {}
                }
            }
            match roots.pop() {
                Some(root) => walk.restart(root),
                None => break,
            }
        }
        let found = Rc::new(found);
        self.patterns.insert(quant, found.clone());
        found
    }
}

/// How deep the types are for which type quantifiers are instantiated: a type that grows with each
/// instance would never come to an end.
pub(super) const MAX_TYPE_DEPTH: u32 = 6;

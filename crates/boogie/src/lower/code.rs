//! Code expressions `|{ … }|`: a formula over the paths of an acyclic piece of code.
//!
//! Where it is to be shown, the formula says that every path returns true: the weakest precondition
//! in which locals and `havoc` are universal. Where it is given, it says that some path does: the
//! dual, in which they are existential and `assume` is a conjunction. Where both matter, the code
//! must be deterministic, so that the two are the same.

use lariat_term::{Substituter, Term, Var};
use rustc_hash::FxHashMap;

use super::polarity::Polarity;
use super::{Lower, Slot};
use crate::syntax::{Call, Code, Id, SpecKind, Stmt, StmtKind, VarId};
use crate::typed::NameRef;
use lariat_source::Span;

/// What to say where a code expression with a choice is used as a value.
pub(super) const CHOICE: &str = "a code expression with a choice must be shown or assumed, not used as a value";

/// Where a block goes, and its statements.
struct CodeBlock {
    label: Id<Stmt>,
    stmts: std::ops::Range<usize>,
}

impl Lower<'_> {
    pub(super) fn code(&mut self, code: Id<Code>, role: Polarity, span: Span, old: bool) -> Term {
        self.roles_seen += 1;
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match role {
            Polarity::Goal => self.code_formula(code, true, span, old),
            Polarity::Assumed => self.code_formula(code, false, span, old),
            Polarity::Mixed => {
                let all = self.code_formula(code, true, span, old);
                let some = self.code_formula(code, false, span, old);
                if all != some {
                    self.unsupported(span, CHOICE);
                }
                all
            }
        })
    }

    fn code_formula(&mut self, code: Id<Code>, all: bool, span: Span, old: bool) -> Term {
        let code = self.ast[code];
        let mut locals = Vec::new();
        for var in code.locals.ids() {
            let sort = self.var_sort(var);
            let name = self.mono.names.unique(&format!("code.{}", self.ast.text(self.ast[var].name.name)));
            let id = self.terms.variable(&name, sort);
            self.slots[var.index()] = Slot::Term(self.terms.var_term(id));
            locals.push(id);
        }
        let ids: Vec<Id<Stmt>> = code.stmts.ids().collect();
        let mut blocks: Vec<CodeBlock> = Vec::new();
        for (at, &id) in ids.iter().enumerate() {
            if matches!(self.ast[id].kind, StmtKind::Label(_)) {
                blocks.push(CodeBlock { label: id, stmts: at + 1..at + 1 });
            } else if let Some(block) = blocks.last_mut() {
                block.stmts.end = at + 1;
            }
        }
        let at: FxHashMap<Id<Stmt>, usize> = blocks.iter().enumerate().map(|(at, block)| (block.label, at)).collect();
        let Some(order) = self.successors_first(&ids, &blocks, &at) else {
            self.unsupported(span, "code expressions with loops are not supported");
            return self.terms.bool(true);
        };
        let mut done: Vec<Option<Term>> = vec![None; blocks.len()];
        for block in order {
            let stmts = blocks[block].stmts.clone();
            let mut formula = None;
            for &id in ids[stmts].iter().rev() {
                formula = Some(self.code_stmt(id, formula, all, &at, &done, old));
            }
            done[block] = formula;
        }
        let mut formula = match done.first() {
            Some(&Some(formula)) => formula,
            _ => self.terms.bool(all),
        };
        // Where clauses of the locals hold from the start.
        for var in code.locals.ids().rev() {
            if let Some(cond) = self.ast[var].wher {
                let cond = self.expr_in(cond, Polarity::Mixed, old);
                formula = self.guard(cond, formula, all);
            }
        }
        self.quantify(&locals, formula, all)
    }

    fn guard(&mut self, cond: Term, formula: Term, all: bool) -> Term {
        if all { self.terms.implies(cond, formula) } else { self.terms.and(&[cond, formula]) }
    }

    fn quantify(&mut self, vars: &[Var], formula: Term, all: bool) -> Term {
        let free = self.terms.free_vars(&[formula]);
        let vars: Vec<Var> = vars.iter().copied().filter(|var| free.contains(var)).collect();
        if all { self.terms.forall(&vars, &[], formula) } else { self.terms.exists(&vars, &[], formula) }
    }

    /// The formula before a statement from the one after it.
    fn code_stmt(
        &mut self,
        id: Id<Stmt>,
        after: Option<Term>,
        all: bool,
        at: &FxHashMap<Id<Stmt>, usize>,
        done: &[Option<Term>],
        old: bool,
    ) -> Term {
        let span = self.ast[id].span;
        let after_or = |lower: &mut Self| after.unwrap_or_else(|| lower.terms.bool(all));
        match self.ast[id].kind {
            StmtKind::Return { value: Some(value), .. } => {
                self.expr_in(value, if all { Polarity::Goal } else { Polarity::Assumed }, old)
            }
            StmtKind::Goto { labels, .. } => {
                let mut parts = Vec::new();
                for label in labels.ids() {
                    if let NameRef::Label(label) = self.typed.ident(label) {
                        parts.extend(at.get(&label).and_then(|&block| done[block]));
                    }
                }
                if all { self.terms.and(&parts) } else { self.terms.or(&parts) }
            }
            StmtKind::Assume { cond, .. } => {
                let cond = self.expr_in(cond, Polarity::Mixed, old);
                let after = after_or(self);
                self.guard(cond, after, all)
            }
            StmtKind::Assert { cond, .. } => {
                let cond = self.expr_in(cond, Polarity::Mixed, old);
                let after = after_or(self);
                self.terms.and(&[cond, after])
            }
            StmtKind::Assign { lhs, rhs, .. } => {
                let assigns = self.assignments(lhs, rhs, old);
                let after = after_or(self);
                let map: FxHashMap<Var, Term> = assigns.into_iter().collect();
                Substituter::new(self.terms, map).apply(self.terms, after)
            }
            StmtKind::Havoc(vars) => {
                let mut formula = after_or(self);
                let mut targets = Vec::new();
                for var in vars.ids() {
                    let (NameRef::Local(var) | NameRef::Global(var)) = self.typed.ident(var) else { continue };
                    if let Some(cond) = self.ast[var].wher {
                        let cond = self.expr_in(cond, Polarity::Mixed, old);
                        formula = self.guard(cond, formula, all);
                    }
                    if let Some(Slot::Term(term)) = self.slots.get(var.index()).copied() {
                        targets.extend(self.terms.as_var(term));
                    }
                }
                self.quantify(&targets, formula, all)
            }
            StmtKind::Call(call) => {
                let after = after_or(self);
                self.code_call(call, after, all, old).unwrap_or_else(|| {
                    self.unsupported(
                        span,
                        "only calls of simple inlined procedures are supported in a code expression",
                    );
                    self.terms.bool(true)
                })
            }
            _ => {
                self.unsupported(span, "this statement is not supported in a code expression");
                self.terms.bool(true)
            }
        }
    }

    /// The formula before the call of an inlined procedure without a contract whose body is straight;
    /// `None` for any other.
    fn code_call(&mut self, call: Id<Call>, after: Term, all: bool, old: bool) -> Option<Term> {
        let (proc, call) = (self.typed.call_proc[call.index()]?, self.ast[call]);
        let procedure = self.ast[proc];
        let body = match self.bodies(proc)[..] {
            [only] if procedure.body.is_some() => only.body,
            _ => return None,
        };
        let is_simple = |kind: &StmtKind| {
            use StmtKind::*;
            matches!(kind, Label(_) | Assign { .. } | Assume { .. } | Assert { .. } | Havoc(_))
        };
        let contract = self.ast[procedure.specs].iter().any(|spec| !matches!(spec.kind, SpecKind::Modifies(_)));
        if call.is_async
            || contract
            || !procedure.type_params.is_empty()
            || !self.is_inlined(proc)
            || !self.ast[body.stmts].iter().all(|stmt| is_simple(&stmt.kind))
        {
            return None;
        }
        let vars: Vec<VarId> = procedure.ins.ids().chain(procedure.outs.ids()).chain(body.locals.ids()).collect();
        if vars.iter().any(|&var| self.ast[var].wher.is_some()) {
            return None;
        }
        // All that belongs to the caller comes before the callee's variables get their own.
        let args = self.ast[call.args].to_vec();
        let args: Vec<Term> = args.into_iter().map(|arg| self.expr_in(arg, Polarity::Mixed, old)).collect();
        let targets: Vec<VarId> = call.outs.ids().filter_map(|out| self.target_var(self.typed.ident(out))).collect();
        let targets: Vec<Var> = targets.into_iter().filter_map(|var| self.term_var(var)).collect();
        let slots: Vec<Slot> = vars.iter().map(|var| self.slots[var.index()]).collect();
        let own: Vec<Var> = vars.iter().map(|&var| self.declare(var, "code").var).collect();
        let (ins, rest) = own.split_at(procedure.ins.ids().count());
        let results: FxHashMap<Var, Term> =
            targets.into_iter().zip(rest.iter().map(|&out| self.terms.var_term(out))).collect();
        let mut formula = Substituter::new(self.terms, results).apply(self.terms, after);
        let stmts: Vec<Id<Stmt>> = body.stmts.ids().collect();
        for id in stmts.into_iter().rev().filter(|&id| !matches!(self.ast[id].kind, StmtKind::Label(_))) {
            formula = self.code_stmt(id, Some(formula), all, &FxHashMap::default(), &[], old);
        }
        formula = self.quantify(rest, formula, all);
        let inputs: FxHashMap<Var, Term> = ins.iter().copied().zip(args).collect();
        formula = Substituter::new(self.terms, inputs).apply(self.terms, formula);
        for (var, slot) in vars.into_iter().zip(slots) {
            self.slots[var.index()] = slot;
        }
        Some(formula)
    }

    /// The blocks that can be reached, each after all blocks it goes to; `None` if there is a loop.
    fn successors_first(
        &self,
        ids: &[Id<Stmt>],
        blocks: &[CodeBlock],
        at: &FxHashMap<Id<Stmt>, usize>,
    ) -> Option<Vec<usize>> {
        let successors = |block: usize| -> Vec<usize> {
            let mut list = Vec::new();
            for &id in &ids[blocks[block].stmts.clone()] {
                if let StmtKind::Goto { labels, .. } = self.ast[id].kind {
                    for label in labels.ids() {
                        if let NameRef::Label(label) = self.typed.ident(label) {
                            list.extend(at.get(&label).copied());
                        }
                    }
                }
            }
            list
        };
        let mut order = Vec::new();
        // 0: not seen, 1: on the path, 2: done
        let mut state = vec![0u8; blocks.len()];
        let mut stack = vec![(0usize, Vec::new(), true)];
        if blocks.is_empty() {
            return Some(order);
        }
        while let Some((block, todo, new)) = stack.last_mut() {
            let block = *block;
            if *new {
                *new = false;
                state[block] = 1;
                *todo = successors(block);
            }
            match todo.pop() {
                Some(next) if state[next] == 1 => return None,
                Some(next) if state[next] == 2 => {}
                Some(next) => stack.push((next, Vec::new(), true)),
                None => {
                    state[block] = 2;
                    order.push(block);
                    stack.pop();
                }
            }
        }
        Some(order)
    }
}

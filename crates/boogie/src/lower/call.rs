//! Calls: as boxes, or replaced by the contract of what is called.

use lariat_program::{AssertKind, Loc, StmtKind, VarDecl};
use lariat_term::{Substituter, Term, Var};
use rustc_hash::FxHashMap;

use super::body::Builder;
use super::polarity::Polarity;
use super::proc::ProcInst;
use super::{Lower, Mode};
use crate::syntax::{Call, Id, VarId};
use lariat_source::Span;

impl Lower<'_> {
    pub(super) fn call(&mut self, builder: &mut Builder, id: Id<Call>, span: Span) {
        let call = self.ast[id];
        if call.is_async {
            self.unsupported(span, "asynchronous calls are not supported");
            return;
        }
        let Some(proc) = self.typed.call_proc[id.index()] else { return };
        let tys = self.mono.ground_all(self.typed.inst_of_call(id));
        let inst = self.callee(proc, &tys);
        let mut args = Vec::with_capacity(call.args.len());
        for &arg in &self.ast[call.args] {
            args.push(self.expr(arg, Polarity::Mixed));
        }
        let outs: Vec<VarId> = call.outs.ids().filter_map(|ident| self.target_var(self.typed.ident(ident))).collect();
        let loc = self.locs.of(span);
        self.check_requires(builder, inst, &args, call.is_free, loc);
        let body =
            if self.mode == Mode::Reach || self.is_inlined(proc) { Some(inst) } else { self.called_body(proc, &tys) };
        if let Some(body) = body {
            let callee = self.region_id(body);
            let results = outs.iter().filter_map(|&var| self.term_var(var)).collect();
            builder.push(StmtKind::Box { callee, args, results }, loc);
        } else {
            self.by_contract(builder, inst, args, &outs, span, loc);
        }
    }

    fn formals(&self, inst: &ProcInst, args: &[Term]) -> FxHashMap<Var, Term> {
        inst.ins.iter().map(|decl| decl.var).zip(args.iter().copied()).collect()
    }

    fn check_requires(&mut self, builder: &mut Builder, inst: u32, args: &[Term], is_free: bool, loc: Loc) {
        let inst = &self.insts[inst as usize];
        if is_free || inst.requires.iter().all(|clause| clause.free) {
            return;
        }
        let mut map = self.formals(inst, args);
        let (requires, olds) = (inst.requires.clone(), inst.olds.clone());
        // In the state before the call, the old value of a global is its value.
        for (var, decl) in olds {
            if let Some(now) = self.variable(var) {
                map.insert(decl.var, now);
            }
        }
        let mut substituter = Substituter::new(self.terms, map);
        for clause in requires.iter().filter(|clause| !clause.free) {
            let cond = substituter.apply(self.terms, clause.goal);
            let id = self.assertion(AssertKind::Requires, clause.attrs, clause.span);
            builder.push(StmtKind::Assert { id, cond }, loc);
        }
    }

    /// The effect of a call as the contract describes it: modified globals and results get
    /// arbitrary values for which the postcondition holds.
    fn by_contract(&mut self, builder: &mut Builder, inst: u32, args: Vec<Term>, outs: &[VarId], span: Span, loc: Loc) {
        let inst = self.insts[inst as usize].clone();
        let modified = self.typed.procedure(inst.proc).modifies.clone();
        let mut changed: Vec<Var> = modified.iter().filter_map(|&var| self.term_var(var)).collect();
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        // Results that go to globals take a detour, since the contract speaks of both.
        let mut detours: Vec<(Var, Term)> = Vec::new();
        let mut results: Vec<Var> = Vec::new();
        for (formal, &out) in inst.outs.iter().zip(outs) {
            let Some(mut target) = self.term_var(out) else { continue };
            if self.typed.globals.binary_search(&out).is_ok() {
                let temp = self.temporary(builder, formal);
                detours.push((target, self.terms.var_term(temp)));
                target = temp;
            }
            results.push(target);
            map.insert(formal.var, self.terms.var_term(target));
        }
        changed.extend(&results);
        // What the contract says of the state before the call is about values that are about to
        // change: keep them.
        let mut kept: Vec<(Var, Term)> = Vec::new();
        if !inst.ensures.is_empty() || !inst.out_wheres.is_empty() {
            for (formal, arg) in inst.ins.iter().zip(args) {
                let stays = !self.terms.free_vars(&[arg]).iter().any(|var| changed.contains(var));
                let arg = match stays {
                    true => arg,
                    false => {
                        let temp = self.temporary(builder, formal);
                        kept.push((temp, arg));
                        self.terms.var_term(temp)
                    }
                };
                map.insert(formal.var, arg);
            }
            for (var, decl) in &inst.olds {
                let Some(now) = self.variable(*var) else { continue };
                let temp = self.temporary(builder, decl);
                kept.push((temp, now));
                map.insert(decl.var, self.terms.var_term(temp));
            }
        }
        if !kept.is_empty() {
            builder.push(StmtKind::Assign(kept), loc);
        }
        if !changed.is_empty() {
            builder.push(StmtKind::Havoc(changed), loc);
        }
        for var in modified {
            self.assume_where(builder, var, span);
        }
        let mut substituter = Substituter::new(self.terms, map);
        let conds: Vec<Term> = inst.out_wheres.iter().map(|&(_, cond)| cond).collect();
        let ensures = inst.ensures.iter().map(|clause| clause.given);
        for cond in conds.into_iter().chain(ensures) {
            let cond = substituter.apply(self.terms, cond);
            builder.push(StmtKind::Assume(cond), loc);
        }
        if !detours.is_empty() {
            builder.push(StmtKind::Assign(detours), loc);
        }
    }

    /// A local variable of the caller that holds the value of a formal of what it calls.
    fn temporary(&mut self, builder: &mut Builder, formal: &VarDecl) -> Var {
        let sort = self.terms.var_sort(formal.var);
        let name = format!("{}.call.{}", builder.name, formal.source.as_deref().unwrap_or(""));
        let decl = self.made_up(&name, sort);
        let var = decl.var;
        builder.locals.push(decl);
        var
    }
}

//! Procedures: instances, their contracts, and the regions they become.

use lariat_program::{
    AssertKind, Block, BlockId, Loc, Region, RegionId, RegionKind, Stmt, StmtKind, Terminator, VarDecl,
};
use lariat_term::{Term, Var};

use super::body::{Builder, trim};
use super::polarity::Polarity;
use super::{Lower, Mode, Slot};
use crate::mono::TyEnv;
use crate::syntax::{Attr, Body, DeclId, ExprId, Id, Implementation, Procedure, Slice, SpecKind, Var as AstVar, VarId};
use crate::types::Ty;
use lariat_source::Span;

/// A clause of a contract over the formals of an instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    pub free: bool,
    /// The condition where it is to be shown.
    pub goal: Term,
    /// The condition where it is given.
    pub given: Term,
    pub attrs: Slice<Attr>,
    pub span: Span,
}

/// A procedure with types for its type parameters, and one of its bodies or its contract alone.
#[derive(Clone, Debug)]
pub(super) struct ProcInst {
    pub proc: Id<Procedure>,
    pub(super) tys: Box<[Ty]>,
    /// Which body, or [`CONTRACT`].
    which: u32,
    /// How many levels of calls in it are replaced by bodies.
    pub levels: u32,
    pub name: String,
    region: Option<RegionId>,
    pub ins: Vec<VarDecl>,
    pub outs: Vec<VarDecl>,
    /// The values of globals at the entry, for those that occur in `old`.
    pub olds: Vec<(VarId, VarDecl)>,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    /// Where clauses of parameters and results, with their places.
    pub in_wheres: Vec<(VarId, Term)>,
    pub out_wheres: Vec<(VarId, Term)>,
}

/// In place of the number of a body: the procedure as callers see it, if that is not its only body.
const CONTRACT: u32 = u32::MAX;

/// A body of a procedure with what belongs to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyOf {
    pub body: Body,
    implementation: Option<Id<Implementation>>,
    /// The declaration that carries the attributes of this body.
    pub decl: DeclId,
}

impl Lower<'_> {
    /// The bodies of a procedure: its own, or those of its implementations.
    pub(super) fn bodies(&self, proc: Id<Procedure>) -> Vec<BodyOf> {
        let info = self.typed.procedure(proc);
        let own = self.ast[proc].body.map(|body| BodyOf { body, implementation: None, decl: info.decl });
        let separate = info.implementations.iter().map(|&id| BodyOf {
            body: self.ast[id].body,
            implementation: Some(id),
            decl: self.typed.implementation(id).decl,
        });
        own.into_iter().chain(separate).collect()
    }

    /// How many bodies a procedure has.
    fn body_count(&self, proc: Id<Procedure>) -> usize {
        usize::from(self.ast[proc].body.is_some()) + self.typed.procedure(proc).implementations.len()
    }

    /// A procedure for any types: its type parameters stand for themselves.
    pub(super) fn own_types(&mut self, proc: Id<Procedure>) -> Vec<Ty> {
        let params: Vec<_> = self.ast[proc].type_params.ids().collect();
        params.into_iter().map(|param| self.mono.types.var(param)).collect()
    }

    /// The instance that a call of the procedure means.
    pub(super) fn callee(&mut self, proc: Id<Procedure>, tys: &[Ty]) -> u32 {
        let which = if self.body_count(proc) == 1 { 0 } else { CONTRACT };
        self.proc_inst(proc, tys, which)
    }

    /// The body of a procedure in the place of a call by what is lowered now, if there are levels left for that.
    pub(super) fn called_body(&mut self, proc: Id<Procedure>, tys: &[Ty]) -> Option<u32> {
        let levels = self.insts[self.current? as usize].levels.checked_sub(1)?;
        (self.body_count(proc) == 1).then(|| self.leveled_inst(proc, tys, 0, levels))
    }

    pub(super) fn proc_inst(&mut self, proc: Id<Procedure>, tys: &[Ty], which: u32) -> u32 {
        self.leveled_inst(proc, tys, which, self.levels)
    }

    fn leveled_inst(&mut self, proc: Id<Procedure>, tys: &[Ty], which: u32, levels: u32) -> u32 {
        match self.inst_ids.get(&(proc, Box::from(tys), which, levels)) {
            Some(&id) => id,
            None => self.new_inst(proc, tys, which, levels),
        }
    }

    fn new_inst(&mut self, proc: Id<Procedure>, tys: &[Ty], which: u32, levels: u32) -> u32 {
        let procedure = self.ast[proc];
        let own = self.own_types(proc);
        let text = self.ast.text(procedure.name.name);
        let mut name = if own == tys { text.to_owned() } else { self.mono.instance_name(text, tys) };
        if which != CONTRACT && self.body_count(proc) > 1 {
            name = format!("{name}#{}", which + 1);
        }
        if levels != self.levels {
            name = format!("{name}@{levels}");
        }
        let id = self.insts.len() as u32;
        self.inst_ids.insert((proc, tys.into(), which, levels), id);
        self.insts.push(ProcInst {
            proc,
            tys: tys.into(),
            which,
            levels,
            name: name.clone(),
            region: None,
            ins: Vec::new(),
            outs: Vec::new(),
            olds: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            in_wheres: Vec::new(),
            out_wheres: Vec::new(),
        });
        // Another instance of the same procedure may be in the middle of its body.
        let formals: Vec<VarId> = procedure.ins.ids().chain(procedure.outs.ids()).collect();
        let slots: Vec<Slot> = formals.iter().map(|var| self.slots[var.index()]).collect();
        let env = TyEnv::new(procedure.type_params.ids(), tys);
        let outer = std::mem::replace(&mut self.mono.env, env);
        let current = self.current.replace(id);
        let ins: Vec<VarDecl> = procedure.ins.ids().map(|var| self.declare(var, &name)).collect();
        let outs: Vec<VarDecl> = procedure.outs.ids().map(|var| self.declare(var, &name)).collect();
        (self.insts[id as usize].ins, self.insts[id as usize].outs) = (ins, outs);
        self.insts[id as usize].in_wheres = self.formal_wheres(procedure.ins);
        self.insts[id as usize].out_wheres = self.formal_wheres(procedure.outs);
        for spec in &self.ast[procedure.specs] {
            let (pre, post, free, cond) = match spec.kind {
                SpecKind::Requires { free, cond } => (true, false, free, cond),
                SpecKind::Ensures { free, cond } => (false, true, free, cond),
                SpecKind::Preserves { free, cond } => (true, true, free, cond),
                SpecKind::Modifies(_) | SpecKind::Measure(_) => continue,
            };
            let (goal, given) = self.both_roles(cond);
            let clause = Clause { free, goal, given, attrs: spec.attrs, span: spec.span };
            if pre {
                self.insts[id as usize].requires.push(clause);
            }
            if post {
                self.insts[id as usize].ensures.push(clause);
            }
        }
        self.current = current;
        self.mono.env = outer;
        for (var, slot) in formals.into_iter().zip(slots) {
            self.slots[var.index()] = slot;
        }
        id
    }

    /// A condition where it is to be shown and where it is given.
    pub(super) fn both_roles(&mut self, cond: ExprId) -> (Term, Term) {
        let before = self.roles_seen;
        let goal = self.expr(cond, Polarity::Goal);
        let given = if self.roles_seen == before { goal } else { self.expr(cond, Polarity::Assumed) };
        (goal, given)
    }

    fn formal_wheres(&mut self, vars: Slice<AstVar>) -> Vec<(VarId, Term)> {
        let mut wheres = Vec::new();
        for var in vars.ids() {
            if let Some(cond) = self.ast[var].wher {
                wheres.push((var, self.expr(cond, Polarity::Assumed)));
            }
        }
        wheres
    }

    /// The value of a global at the entry of the procedure that is being lowered.
    pub(super) fn old_value(&mut self, var: VarId) -> Term {
        let now = self.variable(var).unwrap_or_else(|| self.dummy(lariat_term::Sort::BOOL));
        let Some(current) = self.current else { return now };
        let inst = &self.insts[current as usize];
        if self.typed.procedure(inst.proc).modifies.binary_search(&var).is_err() {
            return now;
        }
        if let Some((_, decl)) = inst.olds.iter().find(|(old, _)| *old == var) {
            let var = decl.var;
            return self.terms.var_term(var);
        }
        let text = self.ast.text(self.ast[var].name.name);
        let name = format!("{}.old({text})", inst.name);
        let sort = self.terms.sort(now);
        let mut decl = self.made_up(&name, sort);
        decl.source = Some(format!("old({text})"));
        decl.loc = self.locs.of(self.ast[var].name.span);
        let term = self.terms.var_term(decl.var);
        self.insts[current as usize].olds.push((var, decl));
        term
    }

    /// The region of an instance; its body is lowered later.
    pub(super) fn region_id(&mut self, id: u32) -> RegionId {
        if let Some(region) = self.insts[id as usize].region {
            return region;
        }
        let region = RegionId(self.program.regions.len() as u32);
        let inst = &mut self.insts[id as usize];
        inst.region = Some(region);
        self.program.regions.push(Region {
            name: inst.name.clone(),
            kind: RegionKind::Procedure,
            loc: Loc::NONE,
            inputs: inst.ins.clone(),
            outputs: inst.outs.clone(),
            locals: Vec::new(),
            blocks: Vec::new(),
        });
        self.region_queue.push_back(id);
        region
    }

    /// Lowers the body of an instance into its region.
    pub(super) fn region(&mut self, id: u32) {
        let inst = &self.insts[id as usize];
        let (proc, tys, which) = (inst.proc, inst.tys.clone(), inst.which);
        let procedure = self.ast[proc];
        let bodies = self.bodies(proc);
        let mut env = TyEnv::new(procedure.type_params.ids(), &tys);
        let body = bodies.get(which as usize).copied();
        if let Some(implementation) = body.and_then(|body| body.implementation) {
            let params: Vec<_> = self.ast[implementation].type_params.ids().zip(tys.iter().copied()).collect();
            env = env.extended(&params);
        }
        self.mono.env = env;
        self.current = Some(id);
        let span = match body.and_then(|body| body.implementation) {
            Some(implementation) => self.ast[implementation].name.span,
            None => procedure.name.span,
        };
        let (blocks, locals) = match body {
            Some(body) => self.body_blocks(id, body),
            None if bodies.is_empty() => self.contract_blocks(id, span),
            None => self.choice_blocks(id, bodies.len() as u32, span),
        };
        self.current = None;
        self.mono.env = TyEnv::default();
        if let Some(region) = self.insts[id as usize].region {
            let region = &mut self.program.regions[region.index()];
            region.loc = self.locs.of(span);
            region.blocks = blocks;
            region.locals = locals;
            lariat_program::remove_unreachable(region);
            lariat_program::merge_straight_lines(region);
            trim(&mut region.blocks);
        }
    }

    /// Whether the implementation is checked against its contract, for all states that satisfy its
    /// precondition; otherwise it runs in the state of its caller.
    fn is_checked_alone(&self, proc: Id<Procedure>) -> bool {
        self.mode == Mode::Modular && !self.is_inlined(proc)
    }

    fn body_blocks(&mut self, id: u32, body: BodyOf) -> (Vec<Block>, Vec<VarDecl>) {
        // Taken out for as long as nothing asks for this instance: copying all names would cost more.
        let inst = &mut self.insts[id as usize];
        let (proc, name) = (inst.proc, inst.name.clone());
        let (ins, outs) = (std::mem::take(&mut inst.ins), std::mem::take(&mut inst.outs));
        let (requires, in_wheres, out_wheres) =
            (inst.requires.clone(), inst.in_wheres.clone(), inst.out_wheres.clone());
        let procedure = self.ast[proc];
        let (mut in_ids, mut out_ids) = (procedure.ins, procedure.outs);
        self.bind_formals(in_ids, &ins);
        self.bind_formals(out_ids, &outs);
        for &(var, term) in in_wheres.iter().chain(&out_wheres) {
            self.note_where(var, term);
        }
        if let Some(implementation) = body.implementation {
            let implementation = self.ast[implementation];
            (in_ids, out_ids) = (implementation.ins, implementation.outs);
            self.bind_formals(in_ids, &ins);
            self.bind_formals(out_ids, &outs);
            let own = procedure.ins.ids().chain(procedure.outs.ids());
            for (own, other) in own.zip(in_ids.ids().chain(out_ids.ids())) {
                if let Some(&term) = self.wheres.get(&own) {
                    self.wheres.insert(other, term);
                }
            }
        }
        (self.insts[id as usize].ins, self.insts[id as usize].outs) = (ins, outs);
        let mut builder = Builder::new(&name);
        for var in body.body.locals.ids() {
            let decl = self.declare(var, &name);
            builder.locals.push(decl);
        }
        for var in body.body.locals.ids() {
            self.where_clause(var);
        }
        let alone = self.is_checked_alone(proc);
        if alone {
            self.assume_global_wheres(&mut builder);
            self.assume_wheres(&mut builder, &in_wheres);
        }
        self.assume_wheres(&mut builder, &out_wheres);
        for var in body.body.locals.ids() {
            self.assume_where(&mut builder, var, self.ast[var].name.span);
        }
        for clause in requires.iter().filter(|clause| clause.free || alone) {
            builder.push(StmtKind::Assume(clause.given), self.locs.of(clause.span));
        }
        self.statements(&mut builder, body.body.stmts);
        self.leave_procedure(&mut builder, body.body.end);
        self.finish(id, builder)
    }

    fn bind_formals(&mut self, vars: Slice<AstVar>, decls: &[VarDecl]) {
        for (var, decl) in vars.ids().zip(decls) {
            self.slots[var.index()] = Slot::Term(self.terms.var_term(decl.var));
        }
    }

    /// Puts the snapshots of globals before everything else.
    fn finish(&mut self, id: u32, mut builder: Builder) -> (Vec<Block>, Vec<VarDecl>) {
        let olds = self.insts[id as usize].olds.clone();
        if !olds.is_empty() {
            let mut snapshot = Vec::with_capacity(olds.len());
            for (var, decl) in &olds {
                if let Some(now) = self.variable(*var) {
                    snapshot.push((decl.var, now));
                }
            }
            let stmt = Stmt { kind: StmtKind::Assign(snapshot), loc: Loc::NONE };
            builder.blocks[0].stmts.insert(0, stmt);
            builder.locals.extend(olds.into_iter().map(|(_, decl)| decl));
        }
        (builder.blocks, builder.locals)
    }

    /// Ends a path through a procedure: the postcondition is checked.
    pub(super) fn leave_procedure(&mut self, builder: &mut Builder, span: Span) {
        let Some(current) = self.current else { return };
        let loc = self.locs.of(span);
        // In the place of a call, the body is not checked again.
        let checked = self.insts[current as usize].levels == self.levels;
        for clause in self.insts[current as usize].ensures.clone() {
            let kind = match clause.free || !checked {
                true => StmtKind::Assume(clause.given),
                false => {
                    let id = self.assertion(AssertKind::Ensures, clause.attrs, clause.span);
                    StmtKind::Assert { id, cond: clause.goal }
                }
            };
            builder.push(kind, loc);
        }
        builder.end(Terminator::Return);
    }

    pub(super) fn assume_global_wheres(&mut self, builder: &mut Builder) {
        for &var in &self.typed.globals {
            self.assume_where(builder, var, self.ast[var].name.span);
        }
    }

    fn assume_wheres(&mut self, builder: &mut Builder, wheres: &[(VarId, Term)]) {
        for &(var, cond) in wheres {
            builder.push(StmtKind::Assume(cond), self.locs.of(self.ast[var].name.span));
        }
    }

    /// Assumes the where clause of a variable if it has one.
    pub(super) fn assume_where(&mut self, builder: &mut Builder, var: VarId, span: Span) {
        if let Some(&cond) = self.wheres.get(&var) {
            builder.push(StmtKind::Assume(cond), self.locs.of(span));
        }
    }

    /// A procedure without a body: any effect that its contract allows.
    fn contract_blocks(&mut self, id: u32, span: Span) -> (Vec<Block>, Vec<VarDecl>) {
        let inst = &self.insts[id as usize];
        let (proc, name, requires) = (inst.proc, inst.name.clone(), inst.requires.clone());
        let (ensures, out_wheres) = (inst.ensures.clone(), inst.out_wheres.clone());
        let mut builder = Builder::new(&name);
        let loc = self.locs.of(span);
        for clause in requires.iter().filter(|clause| clause.free) {
            builder.push(StmtKind::Assume(clause.given), self.locs.of(clause.span));
        }
        let modified = self.typed.procedure(proc).modifies.clone();
        let mut targets: Vec<Var> = Vec::new();
        for &var in &modified {
            if let Some(Slot::Term(term)) = self.slots.get(var.index()).copied() {
                targets.extend(self.terms.as_var(term));
            }
        }
        if !targets.is_empty() {
            builder.push(StmtKind::Havoc(targets), loc);
        }
        for var in modified {
            self.assume_where(&mut builder, var, span);
        }
        self.assume_wheres(&mut builder, &out_wheres);
        for clause in ensures {
            builder.push(StmtKind::Assume(clause.given), self.locs.of(clause.span));
        }
        builder.end(Terminator::Return);
        self.finish(id, builder)
    }

    /// A procedure with several bodies: any one of them runs.
    fn choice_blocks(&mut self, id: u32, count: u32, span: Span) -> (Vec<Block>, Vec<VarDecl>) {
        let ProcInst { proc, tys, name, ins, outs, .. } = self.insts[id as usize].clone();
        let mut builder = Builder::new(&name);
        let loc = self.locs.of(span);
        let choices: Vec<BlockId> = (0..count).map(|at| builder.block(&format!("body{}", at + 1))).collect();
        builder.end(Terminator::Goto(choices.clone()));
        for (at, block) in choices.into_iter().enumerate() {
            let body = self.proc_inst(proc, &tys, at as u32);
            let callee = self.region_id(body);
            builder.go_on_at(block);
            let args = ins.iter().map(|decl| self.terms.var_term(decl.var)).collect();
            let results = outs.iter().map(|decl| decl.var).collect();
            builder.push(StmtKind::Box { callee, args, results }, loc);
            builder.end(Terminator::Return);
        }
        self.finish(id, builder)
    }
}

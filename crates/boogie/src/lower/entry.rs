//! Where execution may start.
//!
//! With [`Mode::Reach`], a procedure relies on its caller for its precondition. Where there is no
//! caller, a thin region `P@entry` assumes the precondition and the `where` clauses of parameters
//! and globals, and boxes the procedure. It exists for every procedure with a body and something to
//! assume; [`entry_of`] finds the region to start from.

use lariat_program::{Loc, Program, Region, RegionId, RegionKind, StmtKind, Terminator, VarDecl};
use lariat_term::{Substituter, Term, Var};
use rustc_hash::FxHashMap;

use super::body::{Builder, trim};
use super::{Lower, Mode};
use crate::syntax::{AttrArg, DeclKind, ExprKind, Id, Procedure};

/// The region at which an execution of this procedure starts.
pub fn entry_of(program: &Program, procedure: &str) -> Option<RegionId> {
    let wrapper = format!("{procedure}@entry");
    let find = |name: &str| {
        let mut regions = program.regions.iter();
        let at = regions.position(|region| region.kind == RegionKind::Procedure && region.name == name);
        at.map(|at| RegionId(at as u32))
    };
    find(&wrapper).or_else(|| find(procedure))
}

impl Lower<'_> {
    /// Requests the regions of all procedures with bodies, and lists the entries.
    pub(super) fn entries(&mut self) {
        let mut all = Vec::new();
        let mut marked = Vec::new();
        for (_, decl) in self.ast.decls.iter() {
            let DeclKind::Procedure(proc) = decl.kind else { continue };
            let bodies = self.bodies(proc);
            if bodies.is_empty() {
                continue;
            }
            let tys = self.own_types(proc);
            match self.mode {
                Mode::Reach => {
                    let inst = self.callee(proc, &tys);
                    let region = self.entry_region(inst);
                    all.push(region);
                    let mut decls = bodies.iter().map(|body| body.decl).chain([self.typed.procedure(proc).decl]);
                    if decls.any(|decl| self.ast.attr(self.ast[decl].attrs, "entrypoint").is_some()) {
                        marked.push(region);
                    }
                }
                Mode::Modular if self.is_inlined(proc) => {}
                Mode::Modular => {
                    for (which, body) in bodies.iter().enumerate() {
                        let own = self.typed.procedure(proc).decl;
                        if [own, body.decl].iter().any(|&decl| self.is_off(decl, "verify")) {
                            continue;
                        }
                        let inst = self.proc_inst(proc, &tys, which as u32);
                        all.push(self.region_id(inst));
                    }
                }
            }
        }
        self.program.entries = if marked.is_empty() { all } else { marked };
    }

    /// Whether a flag is explicitly set to false, as in `{:verify false}`.
    fn is_off(&self, decl: crate::syntax::DeclId, flag: &str) -> bool {
        let Some(attr) = self.ast.attr(self.ast[decl].attrs, flag) else { return false };
        match self.ast[attr.args] {
            [AttrArg::Expr(arg)] => self.ast[arg].kind == ExprKind::Bool(false),
            _ => false,
        }
    }

    /// Whether calls of the procedure are replaced by its body: `{:inline n}` with `n > 0`.
    pub(super) fn is_inlined(&self, proc: Id<Procedure>) -> bool {
        let bodies = self.bodies(proc);
        if bodies.is_empty() {
            return false;
        }
        let mut decls = bodies.iter().map(|body| body.decl).chain([self.typed.procedure(proc).decl]);
        decls.any(|decl| {
            let Some(attr) = self.ast.attr(self.ast[decl].attrs, "inline") else { return false };
            match self.ast[attr.args] {
                [AttrArg::Expr(arg)] => match self.ast[arg].kind {
                    ExprKind::Int(digits) => self.ast.text(digits).bytes().any(|digit| digit != b'0'),
                    _ => false,
                },
                _ => false,
            }
        })
    }

    fn entry_region(&mut self, id: u32) -> RegionId {
        let callee = self.region_id(id);
        let inst = self.insts[id as usize].clone();
        let checked: Vec<_> = inst.requires.iter().filter(|clause| !clause.free).collect();
        let globals = self.typed.globals.iter().any(|var| self.wheres.contains_key(var));
        if checked.is_empty() && inst.in_wheres.is_empty() && !globals {
            return callee;
        }
        let name = format!("{}@entry", inst.name);
        let mut builder = Builder::new(&name);
        let copy = |lower: &mut Self, decl: &VarDecl| {
            let text = decl.source.clone().unwrap_or_default();
            let sort = lower.terms.var_sort(decl.var);
            VarDecl { source: decl.source.clone(), loc: decl.loc, ..lower.made_up(&format!("{name}.{text}"), sort) }
        };
        let ins: Vec<VarDecl> = inst.ins.iter().map(|decl| copy(self, decl)).collect();
        let outs: Vec<VarDecl> = inst.outs.iter().map(|decl| copy(self, decl)).collect();
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        for (formal, decl) in inst.ins.iter().zip(&ins) {
            map.insert(formal.var, self.terms.var_term(decl.var));
        }
        // At the entry the old value of a global is its value.
        for (var, decl) in &inst.olds {
            if let Some(now) = self.variable(*var) {
                map.insert(decl.var, now);
            }
        }
        let mut substituter = Substituter::new(self.terms, map);
        self.assume_global_wheres(&mut builder);
        for &(var, cond) in &inst.in_wheres {
            let cond = substituter.apply(self.terms, cond);
            builder.push(StmtKind::Assume(cond), self.locs.of(self.ast[var].name.span));
        }
        for clause in checked {
            let cond = substituter.apply(self.terms, clause.given);
            builder.push(StmtKind::Assume(cond), self.locs.of(clause.span));
        }
        let args = ins.iter().map(|decl| self.terms.var_term(decl.var)).collect();
        let results = outs.iter().map(|decl| decl.var).collect();
        let loc = self.locs.of(self.ast[inst.proc].name.span);
        builder.push(StmtKind::Box { callee, args, results }, Loc { ..loc });
        builder.end(Terminator::Return);
        let mut blocks = builder.blocks;
        trim(&mut blocks);
        let region = RegionId(self.program.regions.len() as u32);
        self.program.regions.push(Region {
            name,
            kind: RegionKind::Procedure,
            loc,
            inputs: ins,
            outputs: outs,
            locals: builder.locals,
            blocks,
        });
        region
    }
}

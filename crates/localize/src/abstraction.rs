//! The abstract program (CORRAL, figure 3), as a pass with origins.

use lariat_program::{
    Block, BlockId, Loc, Program, Region, RegionId, Stage, Stmt, StmtKind, Terminator, VarDecl, check_pass,
    origins::{BlockOrigins, Frame, Origins, StmtOrigin},
};
use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::atoms::{Mentions, replace_atoms};

/// What is left of a program if only some of its globals are tracked: same regions and blocks by number, and every execution of the program
/// is one here, with the same assertions failing.
///
/// - An assignment, havoc or result of a box to an untracked global goes.
/// - An atom that reads one is a new local, which is havocked just before the statement: so a condition may hold or not. An assertion
///   may fail *or hold*, unlike the `assert false` of figure 3: where its failure does not count, execution must go on.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The program. Its globals are the tracked ones.
    pub program: Program,
    /// By region, where its parts come from.
    pub origins: Vec<Origins>,
}

impl Abstraction {
    /// Abstracts a program whose loops are regions.
    pub fn new(program: &Program, terms: &mut Terms, tracked: &FxHashSet<Var>) -> Abstraction {
        let untracked: FxHashSet<Var> =
            program.globals.iter().map(|d| d.var).filter(|v| !tracked.contains(v)).collect();
        let mut pass = Pass { terms, untracked: &untracked, mentions: Mentions::new(&untracked), locals: Vec::new() };
        let mut made = Program {
            files: program.files.clone(),
            globals: program.globals.iter().filter(|d| !untracked.contains(&d.var)).cloned().collect(),
            constants: program.constants.clone(),
            functions: program.functions.clone(),
            axioms: program.axioms.clone(),
            regions: Vec::with_capacity(program.regions.len()),
            assertions: program.assertions.clone(),
            entries: program.entries.clone(),
        };
        let mut origins = Vec::with_capacity(program.regions.len());
        for (i, region) in program.regions.iter().enumerate() {
            let (region, from) = pass.region(RegionId(i as u32), region);
            made.regions.push(region);
            origins.push(from);
        }
        check_pass("variable abstraction", &made, terms, Stage::Regions);
        Abstraction { program: made, origins }
    }
}

struct Pass<'a> {
    terms: &'a mut Terms,
    untracked: &'a FxHashSet<Var>,
    mentions: Mentions<'a>,
    /// The locals that were made for the current region.
    locals: Vec<VarDecl>,
}

/// The statements of a block, and where each comes from.
#[derive(Default)]
struct Code {
    stmts: Vec<Stmt>,
    origins: Vec<StmtOrigin>,
}

impl Code {
    fn push(&mut self, kind: StmtKind, loc: Loc, at: StmtOrigin) {
        self.stmts.push(Stmt { kind, loc });
        self.origins.push(at);
    }
}

impl Pass<'_> {
    fn region(&mut self, id: RegionId, region: &Region) -> (Region, Origins) {
        let mut origins = Origins { frames: vec![Frame { region: id, site: None }], ..Origins::default() };
        let mut blocks = Vec::with_capacity(region.blocks.len());
        for (b, block) in region.blocks.iter().enumerate() {
            let place = |stmt: usize| StmtOrigin { frame: 0, block: BlockId(b as u32), stmt: stmt as u32 };
            let mut code = Code::default();
            for (i, stmt) in block.stmts.iter().enumerate() {
                self.stmt(stmt, place(i), &mut code);
            }
            let end = place(block.stmts.len());
            let loc = block.stmts.last().map_or(region.loc, |s| s.loc);
            let next = match &block.next {
                Terminator::Branch { cond, yes, no } => {
                    let mut any = Any::default();
                    let cond = self.term(*cond, &mut any);
                    any.havoc(loc, end, &mut code);
                    Terminator::Branch { cond, yes: *yes, no: *no }
                }
                other => other.clone(),
            };
            blocks.push(Block { label: block.label.clone(), stmts: code.stmts, next });
            origins.blocks.push(BlockOrigins { stmts: code.origins, next: end });
        }
        let mut locals = region.locals.clone();
        locals.append(&mut self.locals);
        let (inputs, outputs) = (region.inputs.clone(), region.outputs.clone());
        let (name, kind, loc) = (region.name.clone(), region.kind, region.loc);
        (Region { name, kind, loc, inputs, outputs, locals, blocks }, origins)
    }

    fn stmt(&mut self, stmt: &Stmt, at: StmtOrigin, code: &mut Code) {
        let loc = stmt.loc;
        let mut any = Any::default();
        let kind = match &stmt.kind {
            StmtKind::Assume(t) => {
                let cond = self.term(*t, &mut any);
                // A conjunct that may be anything says nothing.
                let free = |t: &Term| self.terms.as_var(*t).is_some_and(|v| any.vars.contains(&v));
                let parts = if self.terms.op(cond) == Op::And { self.terms.args(cond).to_vec() } else { vec![cond] };
                let kept: Vec<Term> = parts.into_iter().filter(|t| !free(t)).collect();
                if kept.is_empty() {
                    return;
                }
                let cond = self.terms.and(&kept);
                let read: FxHashSet<Var> = self.terms.free_vars(&[cond]).into_iter().collect();
                any.vars.retain(|v| read.contains(v));
                StmtKind::Assume(cond)
            }
            StmtKind::Assert { id, cond } => StmtKind::Assert { id: *id, cond: self.term(*cond, &mut any) },
            StmtKind::Assign(pairs) => {
                let kept = pairs.iter().filter(|(v, _)| !self.untracked.contains(v));
                let pairs: Vec<(Var, Term)> = kept.map(|&(v, t)| (v, t)).collect();
                let pairs: Vec<(Var, Term)> = pairs.into_iter().map(|(v, t)| (v, self.term(t, &mut any))).collect();
                if pairs.is_empty() {
                    return;
                }
                StmtKind::Assign(pairs)
            }
            StmtKind::Havoc(vars) => {
                let vars: Vec<Var> = vars.iter().copied().filter(|v| !self.untracked.contains(v)).collect();
                if vars.is_empty() {
                    return;
                }
                StmtKind::Havoc(vars)
            }
            StmtKind::Box { callee, args, results } => {
                let args = args.iter().map(|&t| self.term(t, &mut any)).collect();
                // Somewhere the result must go.
                let results = results.iter().map(|&v| if self.untracked.contains(&v) { self.local(v) } else { v });
                StmtKind::Box { callee: *callee, args, results: results.collect() }
            }
        };
        any.havoc(loc, at, code);
        code.push(kind, loc, at);
    }

    fn term(&mut self, t: Term, any: &mut Any) -> Term {
        let Any { vars, replaced } = any;
        let locals = &mut self.locals;
        replace_atoms(self.terms, &mut self.mentions, replaced, t, &mut |terms, atom| {
            let made = terms.fresh_var("untracked", terms.sort(atom));
            if let Some(var) = terms.as_var(made) {
                locals.push(VarDecl { var, source: None, loc: Loc::NONE });
                vars.push(var);
            }
            made
        })
    }

    /// A new local like this variable.
    fn local(&mut self, like: Var) -> Var {
        let made = self.terms.fresh_var("untracked", self.terms.var_sort(like));
        let var = self.terms.as_var(made).unwrap_or(like);
        self.locals.push(VarDecl { var, source: None, loc: Loc::NONE });
        var
    }
}

/// What may be anything in one statement.
#[derive(Default)]
struct Any {
    vars: Vec<Var>,
    replaced: FxHashMap<Term, Term>,
}

impl Any {
    fn havoc(&self, loc: Loc, at: StmtOrigin, code: &mut Code) {
        if !self.vars.is_empty() {
            code.push(StmtKind::Havoc(self.vars.clone()), loc, at);
        }
    }
}

//! Statements to blocks.

use lariat_program::{AssertKind, Block, BlockId, Loc, Stmt, StmtKind, Terminator, VarDecl};
use lariat_term::Var;
use rustc_hash::{FxHashMap, FxHashSet};

use super::polarity::Polarity;
use super::{Lower, Slot};
use crate::mono::Names;
use crate::syntax::{self, ExprId, Id, If, Slice, VarId, While};
use crate::typed::NameRef;

/// The blocks of a region under construction.
pub(super) struct Builder {
    pub blocks: Vec<Block>,
    pub locals: Vec<VarDecl>,
    /// The name of the region, for variables that belong to it.
    pub name: String,
    current: BlockId,
    labels: Names,
    targets: FxHashMap<Id<syntax::Stmt>, BlockId>,
    breaks: FxHashMap<Id<syntax::Stmt>, BlockId>,
}

/// Gives back room that is not needed.
pub(super) fn trim(blocks: &mut Vec<Block>) {
    for block in &mut *blocks {
        block.stmts.shrink_to_fit();
    }
    blocks.shrink_to_fit();
}

impl Builder {
    /// A region with an empty entry block.
    pub fn new(name: &str) -> Builder {
        let mut builder = Builder {
            blocks: Vec::new(),
            locals: Vec::new(),
            name: name.to_owned(),
            current: BlockId(0),
            labels: Names::default(),
            targets: FxHashMap::default(),
            breaks: FxHashMap::default(),
        };
        builder.block("entry");
        builder
    }

    /// A new block; statements still go to the current one.
    pub fn block(&mut self, label: &str) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        let label = self.labels.unique(label);
        self.blocks.push(Block { label, stmts: Vec::new(), next: Terminator::Goto(Vec::new()) });
        id
    }

    /// Statements go to this block from now on.
    pub fn go_on_at(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Adds a statement.
    pub fn push(&mut self, kind: StmtKind, loc: Loc) {
        self.blocks[self.current.index()].stmts.push(Stmt { kind, loc });
    }

    /// Ends the current block. What follows without a label cannot be reached.
    pub fn end(&mut self, next: Terminator) {
        let dead = BlockId(self.blocks.len() as u32);
        self.end_and_go_on(next, dead);
        self.block("dead");
    }

    /// Ends the current block and goes on at another.
    pub fn end_and_go_on(&mut self, next: Terminator, block: BlockId) {
        let ended = &mut self.blocks[self.current.index()];
        ended.next = next;
        // Most blocks have fewer statements than a vector has room for at first.
        ended.stmts.shrink_to_fit();
        self.current = block;
    }

    fn fall_into(&mut self, block: BlockId) {
        self.end_and_go_on(Terminator::Goto(vec![block]), block);
    }
}

impl Lower<'_> {
    /// Lowers a list of statements.
    pub(super) fn statements(&mut self, builder: &mut Builder, stmts: Slice<syntax::Stmt>) {
        // Statements nest at most `MAX_DEPTH` deep.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            for id in stmts.ids() {
                self.statement(builder, id);
            }
        });
    }

    fn statement(&mut self, builder: &mut Builder, id: Id<syntax::Stmt>) {
        use syntax::StmtKind as Ast;
        let span = self.ast[id].span;
        match self.ast[id].kind {
            Ast::Label(_) => {
                let block = self.target(builder, id);
                builder.fall_into(block);
            }
            Ast::Assert { attrs, cond } => {
                let cond = self.expr(cond, Polarity::Goal);
                let id = self.assertion(AssertKind::User, attrs, span);
                builder.push(StmtKind::Assert { id, cond }, self.locs.of(span));
            }
            Ast::Assume { cond, .. } => {
                let cond = self.expr(cond, Polarity::Assumed);
                builder.push(StmtKind::Assume(cond), self.locs.of(span));
            }
            Ast::Havoc(idents) => {
                let vars: Vec<VarId> =
                    idents.ids().filter_map(|ident| self.target_var(self.typed.ident(ident))).collect();
                self.havoc(builder, &vars, span);
            }
            Ast::Assign { lhs, rhs, .. } => {
                let assigns = self.assignments(lhs, rhs, false);
                builder.push(StmtKind::Assign(assigns), self.locs.of(span));
            }
            Ast::Unpack(unpack) => self.unpack(builder, unpack, span),
            Ast::Call(call) => self.call(builder, call, span),
            Ast::If(cond) => self.if_stmt(builder, id, cond),
            Ast::While(while_id) => self.while_stmt(builder, id, while_id),
            Ast::Break(_) => {
                let target = self.typed.break_target.get(&id).and_then(|target| builder.breaks.get(target));
                match target {
                    Some(&block) => builder.end(Terminator::Goto(vec![block])),
                    None => self.unsupported(span, "this break statement has no target"),
                }
            }
            Ast::Goto { labels, .. } => {
                let mut targets: Vec<BlockId> = Vec::with_capacity(labels.len());
                let mut seen = FxHashSet::default();
                for label in labels.ids() {
                    if let NameRef::Label(label) = self.typed.ident(label) {
                        let block = self.target(builder, label);
                        if seen.insert(block) {
                            targets.push(block);
                        }
                    }
                }
                builder.end(Terminator::Goto(targets));
            }
            Ast::Return { .. } => self.leave_procedure(builder, span),
            // They guide a prover, or state that the program terminates.
            Ast::Reveal(_) | Ast::Hide(_) | Ast::Measure { .. } | Ast::Push | Ast::Pop | Ast::Error => {}
        }
    }

    /// The block of a label.
    fn target(&mut self, builder: &mut Builder, label: Id<syntax::Stmt>) -> BlockId {
        if let Some(&block) = builder.targets.get(&label) {
            return block;
        }
        let text = match self.ast[label].kind {
            syntax::StmtKind::Label(name) => self.ast.text(name),
            _ => "label",
        };
        let block = builder.block(text);
        builder.targets.insert(label, block);
        block
    }

    /// The variable that a statement changes.
    pub(super) fn target_var(&self, reference: NameRef) -> Option<VarId> {
        match reference {
            NameRef::Global(var) | NameRef::Local(var) => Some(var),
            _ => None,
        }
    }

    /// The variable of the term store that a variable of the program is.
    pub(super) fn term_var(&self, var: VarId) -> Option<Var> {
        match self.slots[var.index()] {
            Slot::Term(term) => self.terms.as_var(term),
            _ => None,
        }
    }

    /// `havoc`, and the where clauses that hold after it.
    pub(super) fn havoc(&mut self, builder: &mut Builder, vars: &[VarId], span: lariat_source::Span) {
        let mut seen = FxHashSet::default();
        let targets = vars.iter().filter_map(|&var| self.term_var(var));
        let targets: Vec<Var> = targets.filter(|&target| seen.insert(target)).collect();
        if targets.is_empty() {
            return;
        }
        builder.push(StmtKind::Havoc(targets), self.locs.of(span));
        for &var in vars {
            self.assume_where(builder, var, span);
        }
    }

    fn branch(&mut self, guard: Option<ExprId>, yes: BlockId, no: BlockId) -> Terminator {
        match guard {
            None => Terminator::Goto(vec![yes, no]),
            Some(guard) => Terminator::Branch { cond: self.expr(guard, Polarity::Mixed), yes, no },
        }
    }

    fn if_stmt(&mut self, builder: &mut Builder, id: Id<syntax::Stmt>, cond: Id<If>) {
        let If { arms, els } = self.ast[cond];
        let join = builder.block("join");
        builder.breaks.insert(id, join);
        for arm in &self.ast[arms] {
            let (then, next) = (builder.block("then"), builder.block("else"));
            let branch = self.branch(arm.guard, then, next);
            builder.end_and_go_on(branch, then);
            self.statements(builder, arm.body);
            builder.end_and_go_on(Terminator::Goto(vec![join]), next);
        }
        if let Some(els) = els {
            self.statements(builder, els);
        }
        builder.fall_into(join);
    }

    fn while_stmt(&mut self, builder: &mut Builder, id: Id<syntax::Stmt>, while_id: Id<While>) {
        let While { guard, invariants, body, .. } = self.ast[while_id];
        let head = builder.block("while");
        builder.fall_into(head);
        for invariant in &self.ast[invariants] {
            let loc = self.locs.of(invariant.span);
            // Checked at the head and relied on from there, so both roles count.
            if invariant.free {
                let cond = self.expr(invariant.cond, Polarity::Assumed);
                builder.push(StmtKind::Assume(cond), loc);
            } else {
                let cond = self.expr(invariant.cond, Polarity::Goal);
                let id = self.assertion(AssertKind::Invariant, invariant.attrs, invariant.span);
                builder.push(StmtKind::Assert { id, cond }, loc);
            }
        }
        let (inside, done) = (builder.block("body"), builder.block("done"));
        builder.breaks.insert(id, done);
        let branch = self.branch(guard, inside, done);
        builder.end_and_go_on(branch, inside);
        self.statements(builder, body);
        builder.end_and_go_on(Terminator::Goto(vec![head]), done);
    }
}

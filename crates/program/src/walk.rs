//! Small views of statements and terms that several passes share.
//!
//! What a statement reads (terms) and changes (variables), and the free variables of terms. Each
//! root term is walked once per [`FreeVars`], however many statements mention it.

use std::num::NonZeroU32;

use lariat_term::{Op, Term, Terms, Var};

use crate::ir::{Block, StmtKind, Terminator};

impl StmtKind {
    /// The terms the statement reads, in order.
    pub fn for_each_term(&self, mut f: impl FnMut(Term)) {
        match self {
            StmtKind::Assume(t) | StmtKind::Assert { cond: t, .. } => f(*t),
            StmtKind::Assign(pairs) => pairs.iter().for_each(|&(_, t)| f(t)),
            StmtKind::Havoc(_) => {}
            StmtKind::Box { args, .. } => args.iter().copied().for_each(f),
        }
    }

    /// The variables the statement itself gives a new value (not what a boxed region changes).
    pub fn for_each_target(&self, mut f: impl FnMut(Var)) {
        match self {
            StmtKind::Assume(_) | StmtKind::Assert { .. } => {}
            StmtKind::Assign(pairs) => pairs.iter().for_each(|&(v, _)| f(v)),
            StmtKind::Havoc(vars) => vars.iter().copied().for_each(f),
            StmtKind::Box { results, .. } => results.iter().copied().for_each(f),
        }
    }
}

impl Block {
    /// All terms of the block, the branch condition last.
    pub fn for_each_term(&self, mut f: impl FnMut(Term)) {
        for s in &self.stmts {
            s.kind.for_each_term(&mut f);
        }
        if let Terminator::Branch { cond, .. } = self.next {
            f(cond);
        }
    }
}

impl Terminator {
    /// Replaces each successor.
    pub(crate) fn map_successors(&mut self, mut f: impl FnMut(crate::BlockId) -> crate::BlockId) {
        match self {
            Terminator::Goto(to) => to.iter_mut().for_each(|b| *b = f(*b)),
            Terminator::Branch { yes, no, .. } => {
                *yes = f(*yes);
                *no = f(*no);
            }
            Terminator::Return => {}
        }
    }
}

/// Free variables of terms, remembered per root.
#[derive(Default)]
pub(crate) struct FreeVars {
    stamp: u32,
    seen: Vec<u32>,
    stack: Vec<Term>,
    pool: Vec<Var>,
    /// By root: where its variables are in the pool.
    cache: Vec<Option<(u32, NonZeroU32)>>,
}

impl FreeVars {
    /// The free variables of a term, each once.
    pub fn of(&mut self, terms: &Terms, root: Term) -> &[Var] {
        if let Some(&Some((from, end))) = self.cache.get(root.index()) {
            return &self.pool[from as usize..end.get() as usize - 1];
        }
        self.stamp += 1;
        if self.seen.len() <= root.index() {
            self.seen.resize(terms.len(), 0);
            self.cache.resize(terms.len(), None);
        }
        let from = self.pool.len();
        self.stack.push(root);
        while let Some(t) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[t.index()], self.stamp) == self.stamp {
                continue;
            }
            match terms.op(t) {
                Op::Var(v) => self.pool.push(v),
                _ => self.stack.extend_from_slice(terms.args(t)),
            }
        }
        let to = self.pool.len();
        self.cache[root.index()] = NonZeroU32::new(to as u32 + 1).map(|end| (from as u32, end));
        &self.pool[from..to]
    }
}

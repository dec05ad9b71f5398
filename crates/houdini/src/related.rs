//! Which numbers a variable has to do with: those that it, or a variable that it is copied to or from, is set to or compared with.

use lariat_program::{Program, StmtKind, Terminator};
use lariat_term::{Op, Term, Terms, Var};
use rustc_hash::FxHashMap;

/// How many numbers a variable may have to do with.
const NUMBERS: usize = 8;

/// The numbers by variable. Variables that are copied into each other, by assignments and boxes, share them.
pub(crate) struct Related {
    parent: FxHashMap<Var, Var>,
    numbers: FxHashMap<Var, Vec<Term>>,
}

impl Related {
    pub fn new(program: &Program, terms: &Terms) -> Related {
        let mut related = Related { parent: FxHashMap::default(), numbers: FxHashMap::default() };
        let mut roots = Vec::new();
        let mut set = Vec::new();
        for region in &program.regions {
            for block in &region.blocks {
                for stmt in &block.stmts {
                    match &stmt.kind {
                        StmtKind::Assume(t) | StmtKind::Assert { cond: t, .. } => roots.push(*t),
                        StmtKind::Assign(pairs) => {
                            for &(v, t) in pairs {
                                related.flows(terms, v, t, &mut set);
                                roots.push(t);
                            }
                        }
                        StmtKind::Havoc(_) => {}
                        StmtKind::Box { callee, args, results } => {
                            let callee = &program.regions[callee.index()];
                            for (d, &t) in callee.inputs.iter().zip(args) {
                                related.flows(terms, d.var, t, &mut set);
                                roots.push(t);
                            }
                            for (d, &v) in callee.outputs.iter().zip(results) {
                                related.unite(d.var, v);
                            }
                        }
                    }
                }
                if let Terminator::Branch { cond, .. } = &block.next {
                    roots.push(*cond);
                }
            }
        }
        for t in terms.post_order(&roots) {
            if matches!(terms.op(t), Op::Eq | Op::Le | Op::Lt | Op::BvUle | Op::BvUlt | Op::BvSle | Op::BvSlt)
                && let &[a, b] = terms.args(t)
            {
                for (a, b) in [(a, b), (b, a)] {
                    if terms.is_value(b) {
                        set.extend(terms.as_var(a).map(|v| (v, b)));
                    }
                    if let (Some(a), Some(b), Op::Eq) = (terms.as_var(a), terms.as_var(b), terms.op(t)) {
                        related.unite(a, b);
                    }
                }
            }
        }
        for (v, number) in set {
            let root = related.root(v);
            let known = related.numbers.entry(root).or_default();
            if known.len() < NUMBERS && !known.contains(&number) {
                known.push(number);
            }
        }
        related
    }

    /// A variable gets this value, or one of these values.
    fn flows(&mut self, terms: &Terms, v: Var, t: Term, set: &mut Vec<(Var, Term)>) {
        let mut work = vec![t];
        let mut steps = 0;
        while let Some(t) = work.pop() {
            steps += 1;
            if steps > 16 {
                return;
            }
            if let Some(from) = terms.as_var(t) {
                self.unite(v, from);
            } else if terms.is_value(t) {
                set.push((v, t));
            } else if let (Op::Ite, &[_, yes, no]) = (terms.op(t), terms.args(t)) {
                work.extend([yes, no]);
            }
        }
    }

    fn root(&self, mut v: Var) -> Var {
        while let Some(&up) = self.parent.get(&v) {
            v = up;
        }
        v
    }

    fn unite(&mut self, a: Var, b: Var) {
        let (from, to) = (self.root(a), self.root(b));
        if from != to {
            self.parent.insert(from, to);
        }
        // Keeps the ways short.
        for v in [a, b] {
            if v != to {
                self.parent.insert(v, to);
            }
        }
    }

    /// The numbers that a variable has to do with.
    pub fn numbers(&self, v: Var) -> &[Term] {
        self.numbers.get(&self.root(v)).map_or(&[], Vec::as_slice)
    }
}

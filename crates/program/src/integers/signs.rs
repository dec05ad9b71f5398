//! Which variables are better read as signed numbers.
//!
//! Terms between which values flow unchanged are in one class and are read the same way; comparisons,
//! extensions and divisions vote. For maps the class decides how their elements are read: it must be one
//! class where whole maps flow, since a map cannot be converted. Indices are always unsigned.

use lariat_term::{Func, Op, SortKind, Term, TermMap, Terms, Var};
use rustc_hash::FxHashMap;

use super::sorts::has_bits;
use crate::ir::{Program, RegionId, StmtKind};

/// The classes and their votes.
#[derive(Default)]
pub(super) struct Signs {
    nodes: TermMap,
    funcs: FxHashMap<Func, u32>,
    parent: Vec<u32>,
    size: Vec<u32>,
    /// Positive: signed.
    votes: Vec<i64>,
}

impl Signs {
    /// The classes of a program's terms.
    pub fn of(program: &Program, terms: &mut Terms) -> Signs {
        let mut signs = Signs::default();
        let mut roots: Vec<Term> = program.axioms.iter().map(|a| a.term).collect();
        roots.extend(program.functions.iter().map(|f| f.body));
        for block in program.regions.iter().flat_map(|r| &r.blocks) {
            block.for_each_term(|t| roots.push(t));
        }
        signs.terms(terms, &roots);
        for stmt in program.regions.iter().flat_map(|r| &r.blocks).flat_map(|b| &b.stmts) {
            match &stmt.kind {
                StmtKind::Assign(pairs) => pairs.iter().for_each(|&(v, t)| signs.flow(terms, v, t)),
                StmtKind::Box { callee, args, results } => {
                    let RegionId(callee) = callee;
                    let callee = &program.regions[*callee as usize];
                    callee.inputs.iter().zip(args).for_each(|(d, &t)| signs.flow(terms, d.var, t));
                    for (d, &v) in callee.outputs.iter().zip(results) {
                        let v = terms.var_term(v);
                        signs.flow(terms, d.var, v);
                    }
                }
                StmtKind::Assume(_) | StmtKind::Assert { .. } | StmtKind::Havoc(_) => {}
            }
        }
        // Functions take and give unsigned numbers.
        for f in &program.functions {
            signs.func(f.func);
            let params: Vec<Term> = f.params.iter().map(|&p| terms.var_term(p)).collect();
            signs.vote(&params, i64::MIN / 2);
        }
        signs
    }

    /// Adds terms.
    pub fn terms(&mut self, terms: &Terms, roots: &[Term]) {
        for t in terms.post_order(roots) {
            self.term(terms, t);
        }
    }

    /// Has the program such a function?
    pub fn has(&self, f: Func) -> bool {
        self.funcs.contains_key(&f)
    }

    /// Is the variable, element or result better signed?
    pub fn signed(&self, terms: &Terms, t: Term) -> bool {
        let width = width(terms, t);
        if width == 1 {
            return false;
        }
        let votes = self.nodes.get(t).map_or(0, |n| self.votes[self.find(n) as usize]);
        if votes == 0 { width >= 8 } else { votes > 0 }
    }

    fn flow(&mut self, terms: &mut Terms, v: Var, t: Term) {
        let v = terms.var_term(v);
        self.union(terms, v, t);
    }

    fn term(&mut self, terms: &Terms, t: Term) {
        let args = terms.args(t);
        match terms.op(t) {
            Op::Ite => {
                self.union(terms, t, args[1]);
                self.union(terms, t, args[2]);
            }
            Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNeg | Op::BvNot => {
                args.iter().for_each(|&a| self.union(terms, t, a));
            }
            Op::BvShl => self.union(terms, t, args[0]),
            Op::BvSlt | Op::BvSle | Op::BvSdiv | Op::BvSrem | Op::BvSmod => self.vote(args, 2),
            Op::BvUlt | Op::BvUle | Op::BvUdiv | Op::BvUrem => self.vote(args, -2),
            Op::BvAshr | Op::SignExt(_) | Op::FpFromSbv { .. } => {
                self.vote(args, 2);
                self.vote(&[t], 1);
            }
            Op::BvLshr | Op::ZeroExt(_) | Op::FpFromUbv { .. } | Op::BvToNat => self.vote(args, -2),
            Op::Select => {
                self.union(terms, t, args[0]);
                self.vote(&args[1..], -1);
            }
            Op::Store => {
                self.union(terms, t, args[0]);
                self.union(terms, t, args[2]);
                self.vote(&args[1..2], -1);
            }
            Op::ConstArray(_) => self.union(terms, t, args[0]),
            Op::App(f) => {
                let (n, f) = (self.node(t), self.func(f));
                self.join(n, f);
            }
            _ => {}
        }
    }

    fn vote(&mut self, of: &[Term], votes: i64) {
        for &t in of {
            let n = self.node(t);
            let root = self.find(n) as usize;
            self.votes[root] = self.votes[root].saturating_add(votes);
        }
    }

    fn node(&mut self, t: Term) -> u32 {
        if let Some(n) = self.nodes.get(t) {
            return n;
        }
        let n = self.fresh(0);
        self.nodes.insert(t, n);
        n
    }

    fn func(&mut self, f: Func) -> u32 {
        if let Some(&n) = self.funcs.get(&f) {
            return n;
        }
        let n = self.fresh(i64::MIN / 2);
        self.funcs.insert(f, n);
        n
    }

    fn fresh(&mut self, votes: i64) -> u32 {
        let n = self.parent.len() as u32;
        self.parent.push(n);
        self.size.push(1);
        self.votes.push(votes);
        n
    }

    fn union(&mut self, terms: &Terms, a: Term, b: Term) {
        // A numeral is whatever it has to be.
        let plain = |t| matches!(terms.op(t), Op::Const(_)) || !has_bits(terms, terms.sort(t));
        if !plain(a) && !plain(b) {
            let (a, b) = (self.node(a), self.node(b));
            self.join(a, b);
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (mut a, mut b) = (self.find(a) as usize, self.find(b) as usize);
        if a == b {
            return;
        }
        if self.size[a] < self.size[b] {
            std::mem::swap(&mut a, &mut b);
        }
        self.parent[b] = a as u32;
        self.size[a] += self.size[b];
        self.votes[a] = self.votes[a].saturating_add(self.votes[b]);
    }

    fn find(&self, mut n: u32) -> u32 {
        while self.parent[n as usize] != n {
            n = self.parent[n as usize];
        }
        n
    }
}

/// The width of the numbers that a term is or, at last, holds; 0 if they are none.
fn width(terms: &Terms, t: Term) -> u32 {
    let mut sort = terms.sort(t);
    loop {
        match terms.sort_kind(sort) {
            SortKind::Array(_, e) => sort = e,
            SortKind::BitVec(w) => return w,
            _ => return 0,
        }
    }
}

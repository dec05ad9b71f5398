//! Loop invariants that the source states as candidates: from code that is never run to formulas at loop heads.
//!
//! A front end marks a candidate by a branch on the *marker*, a constant that nothing else mentions. On one side of the branch
//! stands the code that computes the formula and ends in an assertion of kind [`AssertKind::Candidate`]; the other side is the program.
//! [`place_candidates`] cuts that branch, so that the program does nothing else than without the candidate, and tells the
//! formula at the head of the loop around it, as the loop's first statements:
//!
//! ```text
//! havoc any;  assert any || formula   // the kind says that it does not count
//! ```
//!
//! Whatever `any` is, execution can go on: passes and engines that know nothing of candidates need not leave anything out. Nothing
//! depends on the formula being what was meant, since whoever uses a candidate checks it.

use std::collections::VecDeque;

use lariat_term::{Sort, Substituter, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::forest::{Forest, NONE};
use crate::{
    clean::remove_unreachable_with,
    ir::{AssertId, AssertKind, Assertion, Block, BlockId, Loc, Program, Region, Stmt, StmtKind, Terminator, VarDecl},
};

/// How many blocks the code of one candidate may pass, over all ways through it.
const STEPS: usize = 4096;
/// How many branches it may nest.
const DEPTH: usize = 64;

/// Places the candidates of a program whose loops are still in its graphs. Gives the positions of those that cannot be told at the head
/// of a loop: they stand in none, or compute with calls or with what the loop has changed before.
pub fn place_candidates(program: &mut Program, terms: &mut Terms, marker: Var) -> Vec<Loc> {
    let mut lost = Vec::new();
    let Program { regions, assertions, .. } = program;
    for region in regions {
        if !region.blocks.iter().any(|b| side(terms, &b.next, marker).is_some()) {
            continue;
        }
        let cfg = remove_unreachable_with(region);
        let forest = Forest::new(&cfg).ok();
        let mut placed: Vec<(u32, Stmt)> = Vec::new();
        for at in 0..region.blocks.len() {
            let Some((code, program_side)) = side(terms, &region.blocks[at].next, marker) else { continue };
            let found = forest.as_ref().and_then(|forest| {
                let l = forest.innermost[at];
                let head = (l != NONE).then(|| forest.header[l as usize])?;
                let mut walk = Walk { region, assertions, terms, unknown: FxHashSet::default(), steps: STEPS };
                let env = walk.to(forest, l, head, at, marker)?;
                let (cond, id, loc) = walk.formula(code, env, DEPTH).ok()??;
                let unknown = walk.unknown;
                let known = terms.free_vars(&[cond]).iter().all(|v| !unknown.contains(v));
                known.then_some((head, Stmt { kind: StmtKind::Assert { id, cond }, loc }))
            });
            match found {
                Some(candidate) => placed.push(candidate),
                None => lost.push(position(region, assertions, code)),
            }
            region.blocks[at].next = Terminator::Goto(vec![program_side]);
        }
        // Those of one loop stay in their order.
        for (head, mut stmt) in placed.into_iter().rev() {
            let any = terms.fresh_var(&format!("{}/any", region.name), Sort::BOOL);
            let (StmtKind::Assert { cond, .. }, Some(var)) = (&mut stmt.kind, terms.as_var(any)) else { continue };
            *cond = terms.or(&[any, *cond]);
            region.locals.push(VarDecl { var, source: None, loc: Loc::NONE });
            let havoc = Stmt { kind: StmtKind::Havoc(vec![var]), loc: stmt.loc };
            region.blocks[head as usize].stmts.splice(0..0, [havoc, stmt]);
        }
    }
    never(program, terms, marker);
    lost
}

/// Makes the marker false: the code of candidates is never run, whether it was understood or not.
fn never(program: &mut Program, terms: &mut Terms, marker: Var) {
    let map = FxHashMap::from_iter([(marker, terms.bool(false))]);
    let mut no = Substituter::new(terms, map);
    for block in program.regions.iter_mut().flat_map(|r| &mut r.blocks) {
        for stmt in &mut block.stmts {
            match &mut stmt.kind {
                StmtKind::Assume(t) | StmtKind::Assert { cond: t, .. } => *t = no.apply(terms, *t),
                StmtKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, t)| *t = no.apply(terms, *t)),
                StmtKind::Box { args, .. } => args.iter_mut().for_each(|t| *t = no.apply(terms, *t)),
                StmtKind::Havoc(_) => {}
            }
        }
        if let Terminator::Branch { cond, .. } = &mut block.next {
            *cond = no.apply(terms, *cond);
        }
    }
    program.constants.retain(|d| d.var != marker);
}

/// The formula of a candidate that [`place_candidates`] has placed, from the two statements that it is.
pub fn candidate(terms: &mut Terms, havoc: &Stmt, assert: &Stmt) -> Option<Term> {
    let (StmtKind::Havoc(any), StmtKind::Assert { cond, .. }) = (&havoc.kind, &assert.kind) else { return None };
    let no = terms.bool(false);
    let map = any.iter().filter(|&&v| terms.var_sort(v) == Sort::BOOL).map(|&v| (v, no)).collect();
    Some(terms.substitute(*cond, &map))
}

/// The two sides of a branch on the marker: the candidate's code, and the program.
fn side(terms: &mut Terms, next: &Terminator, marker: Var) -> Option<(BlockId, BlockId)> {
    let Terminator::Branch { cond, yes, no } = *next else { return None };
    if terms.free_vars(&[cond]) != [marker] {
        return None;
    }
    let set = FxHashMap::from_iter([(marker, terms.bool(true))]);
    let taken = terms.substitute(cond, &set);
    match taken {
        t if t == terms.bool(true) => Some((yes, no)),
        t if t == terms.bool(false) => Some((no, yes)),
        _ => None,
    }
}

/// Where a candidate stands: the first position in its code.
fn position(region: &Region, assertions: &[Assertion], code: BlockId) -> Loc {
    let mut at = code;
    for _ in 0..STEPS {
        let block = &region.blocks[at.index()];
        for stmt in &block.stmts {
            if matches!(stmt.kind, StmtKind::Assert { id, .. } if is_candidate(assertions, id)) || stmt.loc.line != 0 {
                return stmt.loc;
            }
        }
        let Some(next) = block.next.successors().next() else { break };
        at = next;
    }
    region.loc
}

fn is_candidate(assertions: &[Assertion], id: AssertId) -> bool {
    assertions[id.index()].kind == AssertKind::Candidate
}

/// The values of variables that differ from those at the head of the loop.
type Env = FxHashMap<Var, Term>;

struct Walk<'a> {
    region: &'a Region,
    assertions: &'a [Assertion],
    terms: &'a mut Terms,
    /// Variables for values that nothing is known of.
    unknown: FxHashSet<Var>,
    steps: usize,
}

impl Walk<'_> {
    /// The values at the end of a block of a loop, on a shortest way from the head.
    fn to(&mut self, forest: &Forest, l: u32, head: u32, block: usize, marker: Var) -> Option<Env> {
        let blocks = &self.region.blocks;
        let mut from = FxHashMap::from_iter([(head, head)]);
        let mut queue = VecDeque::from([head]);
        while let Some(b) = queue.pop_front() {
            let code = side(self.terms, &blocks[b as usize].next, marker).map(|(code, _)| code);
            for next in blocks[b as usize].next.successors().filter(|&n| Some(n) != code) {
                if forest.contains(l, next.0) && !from.contains_key(&next.0) {
                    from.insert(next.0, b);
                    queue.push_back(next.0);
                }
            }
        }
        let mut way = vec![block as u32];
        while let Some(&b) = way.last().filter(|&&b| b != head) {
            way.push(*from.get(&b)?);
        }
        let mut env = Env::default();
        for &b in way.iter().rev() {
            self.statements(&self.region.blocks[b as usize], &mut env)?;
        }
        Some(env)
    }

    /// The formula that the code from a block on computes, if it gets there; an error if it is not one.
    fn formula(&mut self, mut at: BlockId, mut env: Env, depth: usize) -> Result<Option<(Term, AssertId, Loc)>, ()> {
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(())?;
            let block = &self.region.blocks[at.index()];
            let is_end = |s: &Stmt| matches!(s.kind, StmtKind::Assert { id, .. } if is_candidate(self.assertions, id));
            if let Some(end) = block.stmts.iter().position(is_end) {
                let before =
                    Block { label: String::new(), stmts: block.stmts[..end].to_vec(), next: Terminator::Return };
                self.statements(&before, &mut env).ok_or(())?;
                let StmtKind::Assert { id, cond } = block.stmts[end].kind else { return Err(()) };
                return Ok(Some((self.terms.substitute(cond, &env), id, block.stmts[end].loc)));
            }
            self.statements(block, &mut env).ok_or(())?;
            match &block.next {
                Terminator::Return => return Ok(None),
                Terminator::Goto(to) => match to.as_slice() {
                    [] => return Ok(None),
                    [one] => at = *one,
                    _ => return Err(()),
                },
                Terminator::Branch { cond, yes, no } => {
                    let depth = depth.checked_sub(1).ok_or(())?;
                    let cond = self.terms.substitute(*cond, &env);
                    let yes = self.formula(*yes, env.clone(), depth)?;
                    let no = self.formula(*no, env, depth)?;
                    return Ok(match (yes, no) {
                        (Some((a, id, loc)), Some((b, ..))) => Some((self.terms.ite(cond, a, b), id, loc)),
                        (one, None) | (None, one) => one,
                    });
                }
            }
        }
    }

    /// What the statements of a block leave; `None` for calls. What is checked or assumed on the way does not matter.
    fn statements(&mut self, block: &Block, env: &mut Env) -> Option<()> {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assume(_) | StmtKind::Assert { .. } => {}
                StmtKind::Assign(pairs) => {
                    let (vars, values): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
                    let values = self.terms.substitute_all(&values, env);
                    env.extend(vars.into_iter().zip(values));
                }
                StmtKind::Havoc(vars) => {
                    for &v in vars {
                        let (name, sort) = (self.terms.var_name(v).to_owned(), self.terms.var_sort(v));
                        let any = self.terms.fresh_var(&name, sort);
                        self.unknown.extend(self.terms.as_var(any));
                        env.insert(v, any);
                    }
                }
                StmtKind::Box { .. } => return None,
            }
        }
        Some(())
    }
}

//! The path of a counterexample: what one execution does, without its branches.
//!
//! In: an execution of the abstract program. Out: the statements of the *given* program on its way, up to the assertion that fails. A branch that is taken
//! is an assumption; an assertion that does not fail is one, too.

use lariat_engine::Execution;
use lariat_program::{AssertKind, BlockId, Program, RegionId, StmtKind, Terminator, origins::Origins};
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

/// What happens at one place of a path. Terms are over the globals, the constants and the variables of the instance.
#[derive(Clone, Debug)]
pub enum Step {
    /// Goes on only if the term holds.
    Assume(Term),
    /// Parallel assignment.
    Assign(Vec<(Var, Term)>),
    /// Variables get any values, at this statement.
    Havoc(BlockId, u32, Vec<Var>),
    /// An instance is entered: its number, and the values of its inputs.
    Enter(usize, Vec<Term>),
    /// The instance returns to the one that it was entered from, into these variables.
    Return(Vec<Var>),
    /// The path ends here: does the term hold?
    Assert(Term),
}

/// A path through a program.
#[derive(Clone, Debug)]
pub struct Path {
    /// The execution, by places of the given program; without values.
    pub execution: Execution,
    /// The steps, each with the instance in which it is made.
    pub steps: Vec<(usize, Step)>,
    /// The regions of the instances.
    pub regions: Vec<RegionId>,
}

impl Path {
    /// The path of an execution of a program that has the blocks of this one by number. `None` if the execution does not fit.
    pub fn new(program: &Program, terms: &mut Terms, found: &Execution, origins: &[Origins]) -> Option<Path> {
        let mut execution = Execution { assertion: found.assertion, instances: Vec::new(), end: None };
        for instance in &found.instances {
            let from = origins.get(instance.region.index())?;
            let mut mapped = lariat_engine::Instance::new(instance.region);
            mapped.choices.clone_from(&instance.choices);
            mapped.branches.clone_from(&instance.branches);
            for (&(block, stmt), &entered) in &instance.boxes {
                let place = from.blocks.get(block.index())?.stmts.get(stmt as usize)?;
                mapped.boxes.insert((place.block, place.stmt), entered);
            }
            execution.instances.push(mapped);
        }
        let (last, block, stmt) = found.end?;
        let from = origins.get(found.instances.get(last)?.region.index())?;
        let place = from.blocks.get(block.index())?.stmts.get(stmt as usize)?;
        execution.end = Some((last, place.block, place.stmt));
        let regions = execution.instances.iter().map(|i| i.region).collect();
        let mut path = Path { execution, steps: Vec::new(), regions };
        path.walk(program, terms)?;
        Some(path)
    }

    fn walk(&mut self, program: &Program, terms: &mut Terms) -> Option<()> {
        let mut stack = vec![(0usize, BlockId(0), 0usize)];
        while let Some(at) = stack.last_mut() {
            let (instance, block, stmt) = *at;
            let region = &program.regions[self.regions[instance].index()];
            let code = region.blocks.get(block.index())?;
            if let Some(s) = code.stmts.get(stmt) {
                at.2 += 1;
                match &s.kind {
                    StmtKind::Assume(t) => self.steps.push((instance, Step::Assume(*t))),
                    StmtKind::Assert { cond, .. } if self.execution.end == Some((instance, block, stmt as u32)) => {
                        self.steps.push((instance, Step::Assert(*cond)));
                        return Some(());
                    }
                    StmtKind::Assert { id, .. } if program.assertions[id.index()].kind == AssertKind::Candidate => {}
                    StmtKind::Assert { cond, .. } => self.steps.push((instance, Step::Assume(*cond))),
                    StmtKind::Assign(pairs) => self.steps.push((instance, Step::Assign(pairs.clone()))),
                    StmtKind::Havoc(vars) => {
                        self.steps.push((instance, Step::Havoc(block, stmt as u32, vars.clone())));
                    }
                    StmtKind::Box { args, .. } => {
                        let entered = *self.execution.instances[instance].boxes.get(&(block, stmt as u32))?;
                        self.regions.get(entered)?;
                        self.steps.push((instance, Step::Enter(entered, args.clone())));
                        stack.push((entered, BlockId(0), 0));
                    }
                }
                continue;
            }
            let decided = &self.execution.instances[instance];
            match &code.next {
                Terminator::Branch { cond, yes, no } => {
                    let holds = *decided.branches.get(&block)?;
                    let taken = if holds { *cond } else { terms.not(*cond) };
                    self.steps.push((instance, Step::Assume(taken)));
                    *at = (instance, if holds { *yes } else { *no }, 0);
                }
                Terminator::Goto(to) => {
                    let taken = decided.choices.get(&block).copied().unwrap_or(0);
                    *at = (instance, *to.get(taken)?, 0);
                }
                Terminator::Return => {
                    stack.pop();
                    let &(above, block, next) = stack.last()?;
                    let region = &program.regions[self.regions[above].index()];
                    let boxed = &region.blocks.get(block.index())?.stmts.get(next.checked_sub(1)?)?.kind;
                    let StmtKind::Box { results, .. } = boxed else { return None };
                    self.steps.push((instance, Step::Return(results.clone())));
                }
            }
        }
        None
    }

    /// The globals that the path reads, in the program's order.
    pub fn globals(&self, program: &Program, terms: &Terms) -> Vec<Var> {
        let mut roots = Vec::new();
        for (_, step) in &self.steps {
            match step {
                Step::Assume(t) | Step::Assert(t) => roots.push(*t),
                Step::Assign(pairs) => roots.extend(pairs.iter().map(|(_, t)| *t)),
                Step::Enter(_, args) => roots.extend(args),
                Step::Havoc(..) | Step::Return(_) => {}
            }
        }
        let read: FxHashMap<Var, ()> = terms.free_vars(&roots).into_iter().map(|v| (v, ())).collect();
        program.globals.iter().map(|d| d.var).filter(|v| read.contains_key(v)).collect()
    }
}

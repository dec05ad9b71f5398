//! How many objects of a site exist at a time, and who knows them.

use lariat_program::on_cycles;

use crate::module::{BlockId, FuncId, Function, InstId, InstKind, Module, Operand};

use crate::library::{EXIT_HANDLERS, Operation};
use crate::module::{Callee, CastOp};

/// What the call graph says about functions.
pub(super) struct Calls {
    /// May be active twice at a time.
    pub recursive: Vec<bool>,
    /// Runs at most once.
    pub once: Vec<bool>,
    /// By function: which of its blocks may run more than once in one activation.
    pub repeated: Vec<Vec<bool>>,
    /// Who calls each function, and where.
    callers: Vec<Vec<(usize, InstId)>>,
}

impl Calls {
    /// `calls` are the calls of each function, with the instruction that calls.
    pub fn new(module: &Module, calls: &[Vec<(InstId, FuncId)>]) -> Calls {
        let count = module.functions.len();
        let graph: Vec<Vec<u32>> = calls.iter().map(|calls| calls.iter().map(|c| c.1.0).collect()).collect();
        let recursive = on_cycles(&graph);
        let repeated: Vec<Vec<bool>> = module.functions.iter().map(repeated_blocks).collect();
        let mut callers = vec![Vec::new(); count];
        for (f, calls) in calls.iter().enumerate() {
            for &(i, g) in calls {
                callers[g.index()].push((f, i));
            }
        }
        // Start-up and the end of the program call functions, too, some of which the program may call itself.
        let mut starts = vec![0; count];
        module.constructors.iter().chain(&module.destructors).for_each(|f| starts[f.index()] += 1);
        let started = starts.iter().any(|&n| n > 0) || module.function(EXIT_HANDLERS).is_some();
        // A function runs once if nobody calls it, or if its only caller does so once.
        let mut known = vec![None; count];
        for f in 0..count {
            let mut chain = vec![f];
            let once = loop {
                let f = chain[chain.len() - 1];
                if let Some(once) = known[f] {
                    break once;
                }
                match callers[f][..] {
                    _ if recursive[f] => break false,
                    [] => break starts[f] <= 1,
                    _ if started => break false,
                    [(caller, i)] => match block_of(&module.functions[caller], i) {
                        Some(b) if !repeated[caller][b.index()] => chain.push(caller),
                        _ => break false,
                    },
                    _ => break false,
                }
            };
            chain.pop().into_iter().chain(chain).for_each(|f| known[f] = known[f].or(Some(once)));
        }
        let once = known.into_iter().map(|o| o == Some(true)).collect();
        Calls { recursive, once, repeated, callers }
    }

    /// The functions that may be active while this one is called, by index.
    pub fn callers_of(&self, f: FuncId) -> Vec<bool> {
        let mut found = vec![false; self.callers.len()];
        let mut work = vec![f.index()];
        while let Some(f) = work.pop() {
            for &(caller, _) in &self.callers[f] {
                if !std::mem::replace(&mut found[caller], true) {
                    work.push(caller);
                }
            }
        }
        found
    }

    /// May the instruction run more than once in one activation of its function?
    pub fn repeats(&self, module: &Module, f: FuncId, i: InstId) -> bool {
        block_of(&module.functions[f.index()], i).is_none_or(|b| self.repeated[f.index()][b.index()])
    }
}

/// Which stack slots only loads, stores and block operations of their own function use.
pub(super) fn unescaped(module: &Module, function: &Function) -> Vec<bool> {
    let mut escaped = vec![false; function.insts.len()];
    // Addresses that one address is made from, and the other way round.
    let mut parent: Vec<u32> = (0..function.insts.len() as u32).collect();
    fn find(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    for (i, inst) in function.insts.iter().enumerate() {
        let mut derive = |op: &Operand| {
            if let Operand::Inst(o) = op {
                let (a, b) = (find(&mut parent, i as u32), find(&mut parent, o.0));
                parent[a as usize] = b;
            }
        };
        let mut escape = |op: &Operand| {
            if let Operand::Inst(o) = op {
                escaped[o.index()] = true;
            }
        };
        match &inst.kind {
            InstKind::Gep(gep) => {
                derive(&gep.base);
                gep.terms.iter().for_each(|t| escape(&t.0));
            }
            InstKind::Cast { op: CastOp::Bitcast | CastOp::AddrSpace, value } | InstKind::Freeze(value) => {
                derive(value)
            }
            InstKind::Select { cond, yes, no } => {
                escape(cond);
                derive(yes);
                derive(no);
            }
            InstKind::Phi(incoming) => incoming.iter().for_each(|x| derive(&x.1)),
            InstKind::Load { .. } | InstKind::DebugValue { .. } => {}
            InstKind::Store { value, .. } => escape(value),
            InstKind::Call { callee: Callee::Function(g), args, byval, .. } => {
                let callee = &module.functions[g.index()];
                let harmless = callee.name.starts_with("llvm.lifetime.")
                    || callee.name.starts_with("llvm.")
                        && matches!(
                            Operation::of_intrinsic(&callee.name["llvm.".len()..]),
                            Some(Operation::Copy { .. } | Operation::Fill)
                        );
                if !harmless {
                    for (k, a) in args.iter().enumerate() {
                        if !byval.get(k).is_some_and(Option::is_some) {
                            escape(a);
                        }
                    }
                }
            }
            other => other.operands(&mut |o| escape(&o)),
        }
    }
    let mut class_escaped = vec![false; function.insts.len()];
    for i in 0..function.insts.len() as u32 {
        if escaped[i as usize] {
            class_escaped[find(&mut parent, i) as usize] = true;
        }
    }
    (0..function.insts.len() as u32).map(|i| !class_escaped[find(&mut parent, i) as usize]).collect()
}

fn block_of(function: &Function, i: InstId) -> Option<BlockId> {
    let b = function.blocks.partition_point(|b| b.insts.end <= i.0);
    // Blocks lie one behind the other; if they do not, nothing is known.
    function.blocks.get(b).filter(|b| b.insts.contains(&i.0)).map(|_| BlockId(b as u32))
}

pub(crate) fn successors(function: &Function, block: usize) -> Vec<BlockId> {
    let range = &function.blocks[block].insts;
    let Some(last) = range.clone().last().and_then(|i| function.insts.get(i as usize)) else { return Vec::new() };
    last.kind.successors()
}

/// Which blocks of a function lie on a cycle.
pub(crate) fn repeated_blocks(function: &Function) -> Vec<bool> {
    let next = |b: usize| successors(function, b).iter().map(|to| to.0).collect();
    let graph: Vec<Vec<u32>> = (0..function.blocks.len()).map(next).collect();
    on_cycles(&graph)
}

//! Functions: blocks, phis and jumps.

use lariat_program::{AssertKind, BlockId, Loc, Region, RegionKind, Terminator, VarDecl, reverse_postorder};
use lariat_term::{Term, Var};

use super::{
    Translator,
    body::Body,
    value::{self, Pointer, Value},
};
use crate::{
    memory::successors,
    module::{self, FuncId, Function, InstId, InstKind, Operand, TypeId},
};

impl<'a> Translator<'a> {
    /// The region of a function, without its blocks.
    pub(super) fn signature(&mut self, id: FuncId) -> Region {
        let f = &self.module.functions[id.index()];
        let loc = super::location(f.loc);
        let mut inputs = Vec::new();
        for (i, param) in f.params.iter().enumerate() {
            let name = if param.name.is_empty() {
                format!("{}.param{i}", f.name)
            } else {
                format!("{}.{}", f.name, param.name)
            };
            let first = inputs.len();
            self.decls(&name, param.ty, loc, &mut inputs);
            self.note_param(id, i as u32, param.ty, &inputs[first..]);
        }
        if f.varargs {
            for (name, sort) in [("object", self.object_sort()), ("offset", self.offset_sort())] {
                let var = self.variable(&format!("{}.varargs.{name}", f.name), sort);
                inputs.push(VarDecl { var, source: None, loc });
            }
        }
        let mut outputs = Vec::new();
        if let Some(ty) = self.result_type(id) {
            self.decls(&format!("{}.result", f.name), ty, loc, &mut outputs);
            self.note_result(id, ty, &outputs);
        }
        let carried = self.carried[id.index()].clone();
        for (decls, sizes) in [(&mut inputs, &carried.params[..]), (&mut outputs, &[carried.result][..])] {
            for &bytes in sizes.iter().filter(|&&bytes| bytes != 0) {
                let sort = self.terms.bv_sort(bytes as u32);
                let var = self.variable(&format!("{}.set", f.name), sort);
                decls.push(VarDecl { var, source: None, loc });
            }
        }
        inputs.extend(self.held_params(id));
        if let Some(var) = self.returned_var(id) {
            outputs.push(VarDecl { var, source: None, loc });
        }
        let name = f.name.clone();
        Region { name, kind: RegionKind::Procedure, loc, inputs, outputs, locals: Vec::new(), blocks: Vec::new() }
    }

    fn decls(&mut self, name: &str, ty: TypeId, loc: Loc, out: &mut Vec<VarDecl>) {
        let mut sorts = Vec::new();
        if value::sorts(self.module, self.terms, ty, &mut sorts).is_none() {
            return;
        }
        for sort in sorts {
            out.push(VarDecl { var: self.variable(name, sort), source: None, loc });
        }
    }

    /// The type of what a function returns, unless it is void.
    pub(super) fn result_type(&self, id: FuncId) -> Option<TypeId> {
        match &self.module.ty(self.module.functions[id.index()].ty).kind {
            module::TypeKind::Function(result, ..) => Some(*result),
            _ => None,
        }
    }

    /// Translates the body of a function.
    pub(super) fn function(&mut self, id: FuncId) {
        let Some(region) = self.regions[id.index()] else { return };
        let f = &self.module.functions[id.index()];
        let (inputs, outputs, loc) = {
            let region = &self.program.regions[region.index()];
            let vars = |decls: &[VarDecl]| decls.iter().map(|d| d.var).collect::<Vec<Var>>();
            (vars(&region.inputs), vars(&region.outputs), region.loc)
        };
        let mut body = Body::new(self, Some(id), f.name.clone());
        body.loc = loc;
        body.outputs = outputs;
        let mut leaves: Vec<Term> = inputs.iter().map(|&var| body.term(var)).collect();
        body.take_held(&mut leaves);
        let carried = body.t.carried[id.index()].params.clone();
        let count = carried.iter().filter(|&&bytes| bytes != 0).count();
        let mut states = leaves.split_off(leaves.len() - count).into_iter();
        body.settled.params = carried.iter().map(|&bytes| if bytes == 0 { None } else { states.next() }).collect();
        if f.varargs
            && let (Some(offset), Some(object)) = (leaves.pop(), leaves.pop())
        {
            body.varargs = Some(Pointer { object, offset });
        }
        let mut leaves = leaves.into_iter();
        for param in &f.params {
            let value = value::build(body.t.module, param.ty, &mut leaves).unwrap_or(Value::Void);
            body.params.push(value);
        }
        body.find_uses(f);
        body.graph(f, loc);
        let mut region_data = std::mem::replace(
            &mut body.t.program.regions[region.index()],
            Region {
                name: String::new(),
                kind: RegionKind::Procedure,
                loc,
                inputs: Vec::new(),
                outputs: Vec::new(),
                locals: Vec::new(),
                blocks: Vec::new(),
            },
        );
        let Body { blocks, locals, t, .. } = body;
        (region_data.blocks, region_data.locals) = (blocks, locals);
        t.program.regions[region.index()] = region_data;
    }
}

impl<'a> Body<'_, 'a> {
    fn find_uses(&mut self, f: &Function) {
        let mut home = vec![u32::MAX; f.insts.len()];
        for (b, block) in f.blocks.iter().enumerate() {
            block.insts.clone().for_each(|i| home[i as usize] = b as u32);
        }
        for (b, block) in f.blocks.iter().enumerate() {
            for i in block.insts.clone() {
                let kind = &f.insts[i as usize].kind;
                match kind {
                    InstKind::DebugValue { .. } => {}
                    InstKind::Phi(incoming) => {
                        for &(from, operand) in incoming {
                            let end = f.blocks[from.index()].insts.end;
                            self.note_use(operand, from.0, end, &home);
                        }
                    }
                    _ => {
                        kind.operands(&mut |operand| self.note_use(operand, b as u32, i + 1, &home));
                        for operand in self.place_operands(kind) {
                            self.note_use(operand, b as u32, i + 1, &home);
                        }
                    }
                }
            }
        }
    }

    fn note_use(&mut self, operand: Operand, block: u32, position: u32, home: &[u32]) {
        let Operand::Inst(inst) = operand else { return };
        let i = inst.index();
        if home[i] == block && i < position as usize {
            self.last_use[i] = self.last_use[i].max(position);
        } else {
            self.crosses[i] = true;
        }
    }

    /// All blocks, those that dominate others first.
    fn graph(&mut self, f: &Function, loc: Loc) {
        let next = all_successors(f);
        let order = reverse_postorder(next.len(), |b| next[b].iter().copied());
        self.find_scopes(f, &order, &next);
        self.find_settled(f, &order, &next);
        self.find_accessed(f);
        // The first block has no predecessor in LLVM, but ours is a fresh one anyway.
        let starts: Vec<usize> = f.blocks.iter().map(|block| self.block(&block.label)).collect();
        let mut phis: Vec<Vec<(InstId, Vec<Var>)>> = vec![Vec::new(); f.blocks.len()];
        for &b in &order {
            for i in f.blocks[b].insts.clone() {
                let inst = &f.insts[i as usize];
                if !matches!(inst.kind, InstKind::Phi(_)) {
                    break;
                }
                let id = InstId(i);
                let mut sorts = Vec::new();
                if value::sorts(self.t.module, self.t.terms, inst.ty, &mut sorts).is_none() {
                    sorts.clear();
                }
                let vars: Vec<Var> = sorts.into_iter().map(|sort| self.local("phi", sort)).collect();
                let terms: Vec<Term> = vars.iter().map(|&var| self.term(var)).collect();
                let value = value::build(self.t.module, inst.ty, &mut terms.into_iter());
                self.values[i as usize] = Some(value.unwrap_or(Value::Void));
                phis[b].push((id, vars));
            }
        }
        if self.func.is_some_and(|f| self.t.module.undefined_constants.contains(&f)) {
            self.unsupported("an undefined operation in a constant that clang computes for an array or structure");
        }
        if let Some(f) = self.func {
            self.unreadable(f);
        }
        self.frame_begins();
        self.nothing_returned();
        self.find_dereferenced(f);
        self.goto(starts[0]);
        for &b in &order {
            self.current = starts[b];
            self.temps.clear();
            self.loc = self.first_loc(f, b, loc);
            if let Some(label) = &f.blocks[b].source_label
                && self.t.options.properties.labels.contains(label)
            {
                let never = self.t.terms.bool(false);
                self.check(AssertKind::User, Some(format!("label {label} is reached")), never);
            }
            // CBMC takes what follows for a thread.
            if f.blocks[b].source_label.as_ref().is_some_and(|label| label.starts_with("__CPROVER_ASYNC_")) {
                self.unsupported("a thread that starts at a label");
            }
            self.position = f.blocks[b].insts.start;
            self.block_starts(b);
            for i in f.blocks[b].insts.clone() {
                let inst = &f.insts[i as usize];
                self.position = i;
                if inst.loc.line != 0 {
                    self.loc = super::location(inst.loc);
                }
                self.instruction_starts(i, b);
                self.check_constant_indices(InstId(i), inst);
                match &inst.kind {
                    InstKind::Phi(_) => {}
                    InstKind::DebugValue { .. } => self.declared(&inst.kind, b),
                    InstKind::Jump(_)
                    | InstKind::Branch { .. }
                    | InstKind::Switch { .. }
                    | InstKind::IndirectJump { .. }
                    | InstKind::Return(_)
                    | InstKind::Unreachable => self.terminator(f, b, inst, &starts, &phis),
                    InstKind::Unsupported { opcode, .. } => {
                        self.unsupported(&format!("the instruction {opcode}"));
                        if i + 1 == f.blocks[b].insts.end {
                            self.end(Terminator::Goto(Vec::new()));
                        } else {
                            let value = self.any(inst.ty);
                            self.define(InstId(i), value);
                        }
                    }
                    _ => self.instruction(InstId(i), inst),
                }
            }
        }
    }

    /// Where a block starts in the source.
    fn first_loc(&self, f: &Function, block: usize, otherwise: Loc) -> Loc {
        let locs = f.blocks[block].insts.clone().map(|i| f.insts[i as usize].loc);
        locs.into_iter().find(|loc| loc.line != 0).map_or(otherwise, super::location)
    }

    fn terminator(
        &mut self,
        f: &Function,
        from: usize,
        inst: &module::Inst,
        starts: &[usize],
        phis: &[Vec<(InstId, Vec<Var>)>],
    ) {
        let edge = |body: &mut Self, to: module::BlockId| body.edge(f, from, to, starts, phis);
        match &inst.kind {
            InstKind::Jump(to) => {
                let to = edge(self, *to);
                self.goto(to);
            }
            InstKind::Branch { cond, yes, no } if let Some(kind) = self.trap_block(f, *no) => {
                // Here, since several branches may share one trap.
                let about = self.trapped_operation(f, *cond, *yes);
                let cond = self.scalar(*cond).unwrap_or_else(|| self.t.terms.bool(true));
                self.check_about(kind, None, cond, about);
                let yes = edge(self, *yes);
                self.goto(yes);
            }
            InstKind::Branch { cond, yes, no } => {
                let cond = self.scalar(*cond).unwrap_or_else(|| self.t.terms.bool(true));
                let (yes, no) = (edge(self, *yes), edge(self, *no));
                self.branch(cond, yes, no);
            }
            InstKind::Switch { value, cases, default } => {
                let operand = *value;
                let value = self.scalar(operand).map(|term| self.looked_at(operand, term));
                for &(case, to) in cases {
                    let case = self.scalar(Operand::Const(case));
                    let (Some(value), Some(case)) = (value, case) else { continue };
                    let cond = self.t.terms.eq(value, case);
                    let (yes, no) = (edge(self, to), self.block("case"));
                    self.branch(cond, yes, no);
                    self.current = no;
                }
                let to = edge(self, *default);
                self.goto(to);
            }
            InstKind::IndirectJump { address, targets } => {
                let address = self.pointer(*address);
                for &to in targets {
                    let (Some(address), Some(func)) = (address, self.func) else { continue };
                    let Pointer { object, offset } = self.label(func, to);
                    let same = [self.t.terms.eq(address.object, object), self.t.terms.eq(address.offset, offset)];
                    let cond = self.t.terms.and(&same);
                    let (yes, no) = (edge(self, to), self.block("case"));
                    self.branch(cond, yes, no);
                    self.current = no;
                }
                self.unsupported("a jump to an unknown label");
                self.end(Terminator::Goto(Vec::new()));
            }
            // A jump leaves the function: nobody looks at its result.
            InstKind::Return(Operand::None) if !self.outputs.is_empty() => {
                self.no_result();
                self.slots_die(f);
                self.end(Terminator::Return);
            }
            InstKind::Return(value) => {
                let carried = self.func.map_or(0, |f| self.t.carried[f.index()].result);
                let state = self.carried_state(*value, carried);
                let value = self.value(*value);
                let mut leaves = Vec::new();
                value.leaves(&mut leaves);
                leaves.extend(state);
                if leaves.len() == self.result_outputs() {
                    let pairs: Vec<(Var, Term)> = self.outputs.clone().into_iter().zip(leaves).collect();
                    self.assign(pairs);
                }
                self.slots_die(f);
                self.end(Terminator::Return);
            }
            InstKind::Unreachable => {
                self.reach_unreachable();
                self.end(Terminator::Goto(Vec::new()));
            }
            _ => self.end(Terminator::Goto(Vec::new())),
        }
    }

    /// The block to go to for an edge: one that sets the phis first, if there are any.
    fn edge(
        &mut self,
        f: &Function,
        from: usize,
        to: module::BlockId,
        starts: &[usize],
        phis: &[Vec<(InstId, Vec<Var>)>],
    ) -> usize {
        let start = starts[to.index()];
        if phis[to.index()].is_empty() {
            return start;
        }
        let mut pairs = Vec::new();
        for (phi, vars) in &phis[to.index()] {
            let InstKind::Phi(incoming) = &f.inst(*phi).kind else { continue };
            let Some(&(_, operand)) = incoming.iter().find(|(block, _)| block.index() == from) else { continue };
            let value = self.value(operand);
            let mut leaves = Vec::new();
            value.leaves(&mut leaves);
            if leaves.len() == vars.len() {
                pairs.extend(vars.iter().copied().zip(leaves));
            }
        }
        let back = self.current;
        self.current = self.block("edge");
        let block = self.current;
        if !pairs.is_empty() {
            self.push(lariat_program::StmtKind::Assign(pairs));
        }
        self.end(Terminator::Goto(vec![BlockId(start as u32)]));
        self.current = back;
        block
    }
}

/// Where execution may go after each block.
pub(super) fn all_successors(f: &Function) -> Vec<Vec<usize>> {
    (0..f.blocks.len()).map(|b| successors(f, b).into_iter().map(|to| to.index()).collect()).collect()
}

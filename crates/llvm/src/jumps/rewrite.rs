//! One function: places are numbered, and calls are followed by a look for a jump.

use super::{
    Role,
    code::{Code, call, constant, declared, number, type_of},
    registers,
};
use crate::{
    library::JumpStep,
    module::{
        BinaryOp, BlockId, Callee, Const, FuncId, Gep, InstId, InstKind, IntPredicate, Loc, Module, Operand, Overrun,
        TypeId, TypeKind,
    },
};

/// A call of `setjmp`.
pub(super) struct Site {
    /// The block that goes on behind it, and which a jump goes to.
    pub behind: BlockId,
    /// The block in which a jump arrives.
    pub arrival: BlockId,
    /// The last instruction before the call.
    pub set: InstId,
    pub loc: Loc,
    /// All registers are saved: `__builtin_setjmp`.
    pub saves_registers: bool,
}

/// A place in the code where a jump may come out of a call: what ends with the call, and what goes on.
struct Exit {
    block: BlockId,
    behind: BlockId,
    loc: Loc,
}

struct Rewrite<'m> {
    module: &'m mut Module,
    code: Code,
    word: TypeId,
    sites: Vec<Site>,
    exits: Vec<Exit>,
    /// The first number of the places of the activation.
    first: Operand,
}

/// Rewrites a function; `roles` says how its instructions matter.
pub(super) fn function(module: &mut Module, f: FuncId, roles: &[Option<Role>]) {
    let code = Code::of(&module.functions[f.index()]);
    let word = type_of(module, TypeKind::Int(module.pointer_bits));
    let mut rewrite = Rewrite { module, code, word, sites: Vec::new(), exits: Vec::new(), first: Operand::None };
    let places = roles.iter().filter(|role| matches!(role, Some(Role::Sets | Role::SetsItself))).count();
    if places > 0 {
        rewrite.begin(places);
        rewrite.end_at_returns(places);
    }
    rewrite.cut(roles);
    let open = rewrite.sites_behind();
    let indeterminate = registers::indeterminate(rewrite.module, &mut rewrite.code, &rewrite.sites);
    rewrite.arrive(&indeterminate);
    rewrite.leave(places, &open);
    let Rewrite { mut code, module, .. } = rewrite;
    registers::spill(module, &mut code);
    code.put(&mut module.functions[f.index()]);
}

impl Rewrite<'_> {
    fn step(&mut self, step: JumpStep, args: Vec<Operand>) -> (InstKind, TypeId) {
        let (word, int) = (self.word, type_of(self.module, TypeKind::Int(32)));
        let void = type_of(self.module, TypeKind::Void);
        let (result, params) = match step {
            JumpStep::Begin => (word, vec![word]),
            JumpStep::Set | JumpStep::End => (void, vec![word]),
            JumpStep::To => (void, vec![word, int]),
            JumpStep::Here | JumpStep::Target => (word, Vec::new()),
            JumpStep::Arrive => (int, Vec::new()),
            JumpStep::EndAll => (void, Vec::new()),
        };
        let f = declared(self.module, step.name(), result, &params);
        (call(self.module, f, args), result)
    }

    fn word(&mut self, value: u64) -> Operand {
        number(self.module, self.module.pointer_bits, value)
    }

    /// The number of a place, computed by a new instruction.
    fn place(&mut self, site: usize, loc: Loc) -> InstId {
        let (lhs, rhs) = (self.first, self.word(site as u64));
        let kind =
            InstKind::Binary { op: BinaryOp::Add, lhs, rhs, nsw: false, nuw: false, exact: false, distance: false };
        self.code.inst(kind, self.word, loc)
    }

    /// The activation has numbers for its places.
    fn begin(&mut self, places: usize) {
        let count = self.word(places as u64);
        let (kind, ty) = self.step(JumpStep::Begin, vec![count]);
        let id = self.code.inst(kind, ty, Loc::default());
        self.first = Operand::Inst(id);
        self.code.insert_behind_slots(vec![id]);
    }

    /// Where a function returns, its places end.
    fn end_at_returns(&mut self, places: usize) {
        for i in 0..self.code.insts.len() as u32 {
            if let InstKind::Return(_) = self.code.kind(InstId(i)) {
                let ends = self.ends(places, self.code.loc(InstId(i)));
                self.code.insert_before(InstId(i), ends);
            }
        }
    }

    fn ends(&mut self, places: usize, loc: Loc) -> Vec<InstId> {
        let mut new = Vec::new();
        for site in 0..places {
            let place = self.place(site, loc);
            let (kind, ty) = self.step(JumpStep::End, vec![Operand::Inst(place)]);
            new.extend([place, self.code.inst(kind, ty, loc)]);
        }
        new
    }

    /// Cuts blocks behind the calls that matter.
    fn cut(&mut self, roles: &[Option<Role>]) {
        let void = type_of(self.module, TypeKind::Void);
        for b in 0..self.code.blocks.len() as u32 {
            let first = BlockId(b);
            let mut block = first;
            let all = std::mem::take(&mut self.code.piece(first).insts);
            for id in all {
                let Some(role) = roles.get(id.index()).copied().flatten() else {
                    self.code.piece(block).insts.push(id);
                    continue;
                };
                let behind = self.code.block("behind");
                match role {
                    Role::Sets | Role::SetsItself => self.set(block, behind, id, role),
                    Role::Jumps | Role::JumpsItself => self.jump(block, behind, id, role),
                }
                let loc = self.code.loc(id);
                // Later there is a look for a jump.
                self.code.push(block, InstKind::Jump(behind), void, loc);
                block = behind;
            }
            if block != first {
                self.rename_origin(first, block);
            }
        }
    }

    /// What came from one block comes from another one.
    fn rename_origin(&mut self, old: BlockId, new: BlockId) {
        for to in self.code.successors(new) {
            for id in self.code.blocks[to.index()].insts.clone() {
                let InstKind::Phi(incoming) = &mut self.code.insts[id.index()].kind else { break };
                incoming.iter_mut().filter(|(from, _)| *from == old).for_each(|(from, _)| *from = new);
            }
        }
    }

    /// A call of `setjmp`: its result is 0, or what a jump brings.
    fn set(&mut self, block: BlockId, behind: BlockId, id: InstId, role: Role) {
        let (loc, ty) = (self.code.loc(id), self.code.insts[id.index()].ty);
        let place = self.place(self.sites.len(), loc);
        let (kind, void) = self.step(JumpStep::Set, vec![Operand::Inst(place)]);
        let set = self.code.inst(kind, void, loc);
        self.code.piece(block).insts.extend([place, set]);
        let result = match role {
            Role::Sets => {
                self.code.piece(block).insts.push(id);
                Operand::Inst(id)
            }
            _ => self.set_itself(block, id, place),
        };
        let arrival = self.code.block("arrival");
        // What a jump brings is filled in where it arrives.
        let phi = self.code.inst(InstKind::Phi(Vec::new()), ty, loc);
        self.code.replace(id, Operand::Inst(phi));
        let InstKind::Phi(incoming) = &mut self.code.insts[phi.index()].kind else { return };
        incoming.push((block, result));
        self.code.piece(behind).insts.push(phi);
        let saves_registers = role == Role::SetsItself;
        self.sites.push(Site { behind, arrival, set, loc, saves_registers });
    }

    /// `__builtin_setjmp`: the number goes to the second word of the buffer. What clang has put into the others is of no
    /// use here.
    fn set_itself(&mut self, block: BlockId, id: InstId, place: InstId) -> Operand {
        let loc = self.code.loc(id);
        let InstKind::Call { args, .. } = self.code.kind(id).clone() else { return Operand::None };
        let ptr = self.second_word(block, args[0], loc);
        let align = self.module.pointer_bits / 8;
        let (value, ty) = (Operand::Inst(place), self.word);
        let void = type_of(self.module, TypeKind::Void);
        self.code.push(block, InstKind::Store { ptr, value, ty, volatile: false, atomic: false, align }, void, loc);
        self.forget_stack(args[0]);
        number(self.module, 32, 0)
    }

    fn second_word(&mut self, block: BlockId, base: Operand, loc: Loc) -> Operand {
        let pointer = type_of(self.module, TypeKind::Ptr);
        let element = type_of(self.module, TypeKind::Int(8));
        let offset = i64::from(self.module.pointer_bits / 8);
        let (terms, lengths, overrun) = (Vec::new(), Vec::new(), Overrun::None);
        let within = crate::module::Within::Object;
        let gep = Gep { base, offset, terms, inbounds: true, element, lengths, overrun, within };
        self.code.push(block, InstKind::Gep(gep), pointer, loc)
    }

    /// clang stores the addresses of the frame and of the stack into the buffer before `__builtin_setjmp`: null will do.
    fn forget_stack(&mut self, buffer: Operand) {
        let null = constant(self.module, Const::Null);
        let words: Vec<Operand> = self
            .code
            .insts
            .iter()
            .enumerate()
            .filter_map(|(i, inst)| match &inst.kind {
                InstKind::Gep(gep) if gep.base == buffer => Some(Operand::Inst(InstId(i as u32))),
                _ => None,
            })
            .chain([buffer])
            .collect();
        for i in 0..self.code.insts.len() as u32 {
            let InstKind::Store { ptr, value: Operand::Inst(value), .. } = *self.code.kind(InstId(i)) else { continue };
            let InstKind::Call { callee: Callee::Function(f), .. } = self.code.kind(value) else { continue };
            let name = &self.module.functions[f.index()].name;
            let stack = ["llvm.frameaddress", "llvm.stacksave"].iter().any(|stack| name.starts_with(stack));
            if !stack || !words.contains(&ptr) {
                continue;
            }
            if let InstKind::Store { value, .. } = &mut self.code.insts[i as usize].kind {
                *value = null;
            }
            self.code.blocks.iter_mut().for_each(|piece| piece.insts.retain(|&id| id != value));
        }
    }

    /// A call that a jump may come out of.
    fn jump(&mut self, block: BlockId, behind: BlockId, id: InstId, role: Role) {
        let loc = self.code.loc(id);
        match (role, self.code.kind(id).clone()) {
            (Role::JumpsItself, InstKind::Call { args, .. }) => {
                let ptr = self.second_word(block, args[0], loc);
                let align = self.module.pointer_bits / 8;
                let load = InstKind::Load { ptr, volatile: false, atomic: false, align };
                let place = self.code.push(block, load, self.word, loc);
                let one = number(self.module, 32, 1);
                let (kind, ty) = self.step(JumpStep::To, vec![place, one]);
                self.code.push(block, kind, ty, loc);
            }
            _ => self.code.piece(block).insts.push(id),
        }
        self.exits.push(Exit { block, behind, loc });
    }

    /// For each call that a jump may come out of: the places that may have been set by then.
    fn sites_behind(&self) -> Vec<Vec<usize>> {
        let mut open = vec![Vec::new(); self.exits.len()];
        let all: Vec<BlockId> = self.sites.iter().map(|site| site.behind).collect();
        for (k, site) in self.sites.iter().enumerate() {
            let mut seen = self.code.reachable(&[site.behind], None);
            if self.exits.iter().any(|exit| seen[exit.block.index()]) {
                // A jump may go to any other place from there.
                let further = self.code.reachable(&all, None);
                seen.iter_mut().zip(further).for_each(|(seen, further)| *seen |= further);
            }
            let exits = open.iter_mut().zip(&self.exits).filter(|(_, exit)| seen[exit.block.index()]);
            exits.for_each(|(open, _)| open.push(k));
        }
        open
    }

    /// The blocks in which jumps arrive.
    fn arrive(&mut self, indeterminate: &[Vec<registers::Flagged>]) {
        let void = type_of(self.module, TypeKind::Void);
        for (k, variables) in indeterminate.iter().enumerate() {
            let Site { behind, arrival, loc, .. } = self.sites[k];
            let (kind, ty) = self.step(JumpStep::Arrive, Vec::new());
            let value = self.code.push(arrival, kind, ty, loc);
            let mut last = arrival;
            for variable in variables {
                last = registers::forget(self.module, &mut self.code, last, variable, loc);
            }
            self.code.push(last, InstKind::Jump(behind), void, loc);
            let phi = self.code.piece(behind).insts[0];
            if let InstKind::Phi(incoming) = &mut self.code.insts[phi.index()].kind {
                incoming.push((last, value));
            }
        }
    }

    /// Behind each call: if a jump is under way, it goes to a place of this activation, or leaves it.
    fn leave(&mut self, places: usize, open: &[Vec<usize>]) {
        let (void, truth) = (type_of(self.module, TypeKind::Void), type_of(self.module, TypeKind::Int(1)));
        if self.exits.is_empty() {
            return;
        }
        let out = self.code.block("leave");
        let ends = self.ends(places, Loc::default());
        self.code.piece(out).insts.extend(ends);
        self.code.push(out, InstKind::Return(Operand::None), void, Loc::default());
        let none = self.word(0);
        for (e, open) in open.iter().enumerate() {
            let Exit { block, behind, loc } = self.exits[e];
            self.code.piece(block).insts.pop();
            let (kind, ty) = self.step(JumpStep::Target, Vec::new());
            let target = self.code.push(block, kind, ty, loc);
            let same = |rhs| InstKind::IntCompare { op: IntPredicate::Eq, lhs: target, rhs };
            let cond = self.code.push(block, same(none), truth, loc);
            let mut from = block;
            let mut branch = (cond, behind);
            for &k in open {
                let next = self.code.block("jump");
                let (cond, yes) = branch;
                self.code.push(from, InstKind::Branch { cond, yes, no: next }, void, loc);
                let place = self.place(k, loc);
                self.code.piece(next).insts.push(place);
                branch = (self.code.push(next, same(Operand::Inst(place)), truth, loc), self.sites[k].arrival);
                from = next;
            }
            let (cond, yes) = branch;
            self.code.push(from, InstKind::Branch { cond, yes, no: out }, void, loc);
        }
    }
}

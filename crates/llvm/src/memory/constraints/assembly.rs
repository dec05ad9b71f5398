//! Inline assembly: what its outputs and the memory that it writes may point to.

use super::super::unify::{ALIGNED, ARBITRARY, FlowKind, Ptr, USED};
use super::Constraints;
use crate::assembly::{Assembly, Write};
use crate::module::{FuncId, InstId, InstKind, Operand, TypeKind};

impl Constraints<'_> {
    /// Inline assembly: what an operand holds before, if nothing is executed; else anything, also what the assembly was
    /// given.
    pub(super) fn assembly(&mut self, f: FuncId, i: InstId, assembly: &Assembly) {
        let module = self.module;
        let inst = module.functions[f.index()].inst(i);
        let InstKind::Call { args, byval, .. } = &inst.kind else { return };
        let result = self.value(f, Operand::Inst(i));
        let members = match &module.ty(inst.ty).kind {
            TypeKind::Struct(members) => Some(members),
            _ => None,
        };
        let mut member = 0;
        let given = assembly.computes().then(|| self.give_to_assembly(f, i, assembly));
        for output in &assembly.outputs {
            let before = output.before.filter(|_| assembly.empty).and_then(|k| args.get(k).copied());
            let value = before.and_then(|before| self.value(f, before));
            match output.place {
                Some(k) => {
                    if let (Some(&place), Some(&Some(ty))) = (args.get(k), byval.get(k))
                        && let Some(at) = self.value(f, place)
                    {
                        self.store(at, ty, value);
                    }
                }
                None => {
                    let ty = members.map_or(Some(inst.ty), |members| members.get(member).map(|member| member.0));
                    let to = match (members.map(|members| members.get(member)), result) {
                        (Some(Some(&(ty, offset))), Some(result)) => {
                            Some(self.nodes.slot(result.plus(offset as i64), module.ty(ty).store_size).written)
                        }
                        (None, result) => result,
                        _ => None,
                    };
                    member += 1;
                    match (to, before) {
                        (Some(to), Some(_)) => value.into_iter().for_each(|value| self.nodes.flow(value, to, 0)),
                        (Some(to), None) => {
                            self.nodes.flag(to, ARBITRARY);
                            if let (Some(given), Some(ty)) = (given, ty) {
                                self.computed(given, to, module.ty(ty).store_size);
                            }
                        }
                        (None, _) => {}
                    }
                }
            }
        }
        let Some(given) = given else { return };
        for (k, &place) in args.iter().enumerate().filter(|&(k, _)| assembly.places.get(k) == Some(&true)) {
            let (Some(at), Some(&Some(ty))) = (self.value(f, place), byval.get(k)) else { continue };
            match assembly.write(k, module.ty(ty).store_size) {
                Write::No => {}
                Write::Bytes(_) => {
                    self.store(at, ty, None);
                    for (bytes, slot) in self.slots(at, ty) {
                        self.computed(given, slot.written, bytes);
                    }
                }
                Write::Object => {
                    self.nodes.flag(at, USED);
                    self.nodes.change(at);
                }
            }
        }
    }

    /// What instructions may compute with: arguments, and what is stored in operands. If they access other memory, too,
    /// they may change whatever they are given and all that it leads to.
    fn give_to_assembly(&mut self, f: FuncId, i: InstId, assembly: &Assembly) -> Ptr {
        let nodes = &mut self.nodes;
        let number = match assembly.accesses_memory() {
            true => *self.assembly_function.get_or_insert_with(|| nodes.undefined_function(true)),
            false => nodes.undefined_function(false),
        };
        let given = self.nodes.given(number);
        let InstKind::Call { args, arg_types, byval, .. } = &self.module.functions[f.index()].inst(i).kind else {
            return given;
        };
        for (k, &arg) in args.iter().enumerate() {
            let Some(p) = self.value(f, arg) else { continue };
            let place = assembly.places.get(k) == Some(&true);
            if place && let Some(&Some(ty)) = byval.get(k) {
                self.nodes.flag(p, USED);
                for (_, slot) in self.slots(p, ty) {
                    self.nodes.flow(slot.read, given, 0);
                }
            }
            // The address of a place may come out, too.
            if !place || assembly.accesses_memory() {
                self.nodes.flow(p, given, 0);
            }
            if !place && self.module.ty(arg_types[k]).store_size >= self.word() {
                self.given_to_assembly.push(p);
            }
            if assembly.accesses_memory() && (!place || assembly.memory) {
                self.nodes.escape(p, number);
            }
        }
        given
    }

    /// Assembly makes a value of so many bytes of what it was given: an address, or a part of one.
    fn computed(&mut self, given: Ptr, to: Ptr, bytes: u64) {
        match bytes >= self.word() {
            true => self.nodes.flow(given, to, ALIGNED),
            false => self.nodes.flow_as(given, to, 1, FlowKind::Number),
        }
    }
}

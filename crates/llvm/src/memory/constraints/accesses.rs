//! Loads, stores and block operations.

use super::super::leaves;
use super::super::unify::{FlowKind, Ptr, Slot, USED};
use super::{Access, Block, Constraints, is_aggregate};
use crate::module::{TypeId, TypeKind};

impl Constraints<'_> {
    pub(super) fn access(&mut self, at: Ptr, ty: TypeId, write: bool) {
        self.nodes.flag(at, USED);
        self.accesses.push(Access { at, ty, write });
    }

    /// Reads a value of a type; returns what it points to.
    pub(super) fn load(&mut self, at: Ptr, ty: TypeId) -> Option<Ptr> {
        let module = self.module;
        let parts = leaves(module, ty)?;
        for &(offset, part) in &parts {
            self.access(at.plus(offset as i64), part, false);
        }
        if is_aggregate(module, ty) {
            let value = self.nodes.fresh();
            self.nodes.copy(value, at, Some(module.ty(ty).size));
            return Some(value);
        }
        if let [(0, part)] = parts[..] {
            let slot = self.nodes.slot(at, module.ty(part).store_size);
            return Some(match module.ty(part).kind {
                TypeKind::Int(bits) if bits >= module.pointer_bits => {
                    let value = self.nodes.fresh();
                    self.nodes.load_integer(slot.read, value, at);
                    value
                }
                _ => slot.read,
            });
        }
        let value = self.nodes.fresh();
        for (offset, part) in parts {
            let slot = self.nodes.slot(at.plus(offset as i64), module.ty(part).store_size);
            self.nodes.flow(slot.read, value, 0);
        }
        Some(value)
    }

    pub(super) fn store(&mut self, at: Ptr, ty: TypeId, value: Option<Ptr>) {
        let module = self.module;
        let Some(parts) = leaves(module, ty) else { return };
        for &(offset, part) in &parts {
            self.access(at.plus(offset as i64), part, true);
        }
        let Some(value) = value else { return };
        if is_aggregate(module, ty) {
            self.nodes.copy(at, value, Some(module.ty(ty).size));
            return;
        }
        for (offset, part) in parts {
            let slot = self.nodes.slot(at.plus(offset as i64), module.ty(part).store_size);
            let kind = match module.ty(part).kind {
                TypeKind::Ptr => FlowKind::PointerStored,
                TypeKind::Int(_) => FlowKind::IntegerStored,
                _ => FlowKind::Address,
            };
            self.nodes.flow_as(value, slot.written, 0, kind);
        }
    }

    pub(super) fn block(&mut self, to: Option<Ptr>, from: Option<Ptr>, bytes: Option<u64>) {
        for p in to.iter().chain(&from) {
            self.nodes.flag(*p, USED);
        }
        let (Some(to), Some(from)) = (to, from) else { return };
        self.nodes.copy(to, from, bytes);
        self.blocks.push(Block { to, from: Some(from), bytes });
    }

    /// A value of a type becomes another one.
    pub(super) fn pass(&mut self, ty: TypeId, from: Option<Ptr>, to: Option<Ptr>) {
        let (Some(from), Some(to)) = (from, to) else { return };
        if is_aggregate(self.module, ty) {
            self.nodes.unify(from, to);
        } else {
            self.nodes.flow(from, to, 0);
        }
    }

    /// The parts of a value of a type in memory, with their sizes.
    pub(super) fn slots(&mut self, at: Ptr, ty: TypeId) -> Vec<(u64, Slot)> {
        let module = self.module;
        let parts = leaves(module, ty).unwrap_or_default().into_iter();
        let parts = parts.map(|(offset, part)| (offset, module.ty(part).store_size));
        parts.map(|(offset, bytes)| (bytes, self.nodes.slot(at.plus(offset as i64), bytes))).collect()
    }
}

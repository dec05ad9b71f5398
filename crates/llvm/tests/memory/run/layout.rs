//! Compares accesses with the layout that the analysis gave.

use lariat_llvm::memory::{CellId, Content, Representation, Target, leaves};
use lariat_llvm::module::*;

use super::{End, Frame, Machine};

impl Machine<'_> {
    /// A load or store through an operand.
    pub(super) fn check(
        &mut self,
        frame: &Frame,
        at: Operand,
        address: u64,
        ty: TypeId,
        write: bool,
    ) -> Result<(), End> {
        let target = self.memory.target(frame.function, at);
        self.check_at(frame, target, address, ty, write).map_err(|e| self.explain(frame, e))
    }

    pub(super) fn explain(&self, frame: &Frame, end: End) -> End {
        match end {
            End::Wrong(w) => End::Wrong(format!("{}: {w}", self.module.functions[frame.function.index()].name)),
            end => end,
        }
    }

    pub(super) fn check_at(
        &mut self,
        frame: &Frame,
        target: Option<Target>,
        address: u64,
        ty: TypeId,
        write: bool,
    ) -> Result<(), End> {
        for (offset, part) in leaves(self.module, ty).unwrap_or_default() {
            let bytes = self.module.ty(part).store_size;
            let (object, start) = self.find(address + offset, bytes)?;
            let mut target = target.ok_or_else(|| End::Wrong("access without target".into()))?;
            target.offset += offset as i64;
            self.check_place(target, object, start)?;
            let cells = self.memory.cells(target, Some(bytes));
            let [cell] = cells[..] else { return Err(End::Wrong(format!("cells {cells:?}"))) };
            self.check_cell(frame, cell, object, start, bytes as usize, write)?;
            match self.memory.cells[cell.index()].content {
                Content::Value(t) if t != part => return Err(End::Wrong("another type".into())),
                Content::Units(u) if !start.is_multiple_of(u as usize) || !bytes.is_multiple_of(u64::from(u)) => {
                    return Err(End::Wrong(format!("{bytes} bytes at {start} in units of {u}")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_place(&self, target: Target, object: usize, start: usize) -> Result<(), End> {
        let site = self.objects[object].site.ok_or_else(|| End::Wrong("object without site".into()))?;
        let site = &self.memory.sites[site.index()];
        if site.group != target.group {
            return Err(End::Wrong(format!("{site:?} is not in {:?}", target.group)));
        }
        let modulus = self.memory.groups[target.group.index()].modulus as i64;
        let distance = start as i64 + site.start - target.offset;
        if if modulus == 0 { distance != 0 } else { distance.rem_euclid(modulus) != 0 } {
            return Err(End::Wrong(format!("offset {start} of {site:?} is not {target:?} modulo {modulus}")));
        }
        Ok(())
    }

    fn check_cell(
        &mut self,
        frame: &Frame,
        id: CellId,
        object: usize,
        start: usize,
        bytes: usize,
        write: bool,
    ) -> Result<(), End> {
        self.checked += 1;
        let cell = &self.memory.cells[id.index()];
        if write && cell.constant {
            return Err(End::Wrong("constant is written".into()));
        }
        let o = &mut self.objects[object];
        if let Representation::Scalar(s) | Representation::Object(s) = cell.place {
            let site = &self.memory.sites[s.index()];
            if o.site != Some(s) || self.of_site[&s] != object && !site.local || site.local && o.frame != frame.id {
                return Err(End::Wrong(format!("{:?} is accessed as {site:?}", o.site)));
            }
        }
        for known in &mut o.cells[start..start + bytes] {
            match known {
                Some(k) if *k != id => return Err(End::Wrong(format!("bytes of {k:?} and {id:?}"))),
                _ => *known = Some(id),
            }
        }
        Ok(())
    }

    /// A block operation: all cells that it meets lie in the right place and are not cut.
    pub(super) fn check_block(
        &mut self,
        frame: &Frame,
        target: Option<Target>,
        address: u64,
        bytes: u64,
        constant: Option<u64>,
        write: bool,
    ) -> Result<(), End> {
        if bytes == 0 {
            return Ok(());
        }
        let (object, start) = self.find(address, bytes)?;
        let target = target.ok_or_else(|| End::Wrong("block without target".into()))?;
        self.check_place(target, object, start)?;
        let group = &self.memory.groups[target.group.index()];
        let cells = self.memory.cells(target, constant);
        for byte in 0..bytes {
            let offset = target.offset + byte as i64;
            let at = Target { group: target.group, offset };
            for id in self.memory.cells(at, Some(1)) {
                if !cells.contains(&id) {
                    return Err(End::Wrong(format!("block meets {id:?}")));
                }
                self.check_cell(frame, id, object, start + byte as usize, 1, write)?;
                // With a constant length, values are copied whole and units, too.
                let cell = &self.memory.cells[id.index()];
                let size = match cell.content {
                    Content::Value(t) => self.module.ty(t).store_size,
                    Content::Units(u) => u64::from(u),
                } as i64;
                let mut inner = match cell.content {
                    Content::Value(_) => offset - cell.offset,
                    Content::Units(_) => (start + byte as usize) as i64,
                };
                if group.modulus != 0 && matches!(cell.content, Content::Value(_)) {
                    inner = inner.rem_euclid(group.modulus as i64);
                }
                let first = byte as i64 - inner.rem_euclid(size);
                if constant.is_some() && (first < 0 || first + size > bytes as i64) {
                    return Err(End::Wrong(format!("block of {bytes} cuts {cell:?} at byte {byte}")));
                }
            }
        }
        Ok(())
    }
}

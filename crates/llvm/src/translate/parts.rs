//! Parts of objects: the array that an address lies in, as the types of the address computation say it (the closest
//! surrounding subobject of `__builtin_object_size`).
//!
//! Types are known only as far as the address is computed in sight: through members, elements and pointer arithmetic.
//! So are they through a variable of the function that is set once, and whose address nobody takes. What other pointers in
//! variables lead to has no part, and counts as a whole.

use crate::{
    module::{
        CastOp, Const, DebugType, DebugTypeId, DebugTypeKind, DebugVarId, FuncId, Function, GlobalId, InstKind, Module,
        Operand, Part, TypeKind, Within,
    },
    trace::types::{bits, strip},
    translate::names::Names,
};

/// Through so many variables an address is followed.
const VARIABLES: usize = 4;
/// Address computations longer than this are not followed, nor types nested deeper.
const DEPTH: usize = 64;

/// An array, seen from an address in it.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub bytes: u64,
    /// Constant bytes from its start to the address.
    pub offset: i64,
    /// What else lies between: indices, and how many bytes one of each is.
    pub terms: Vec<(Operand, i64)>,
}

/// The arrays that an address lies in.
#[derive(Clone, Debug)]
pub(super) struct EnclosingArrays {
    /// The innermost one: where a string has to end. `None` if that is the whole object.
    pub inner: Option<Array>,
    /// The outermost array of arrays: where a block has to end. `None` if that is the whole object.
    pub outer: Option<Array>,
    /// The innermost one as the source writes it.
    pub name: Option<String>,
}

/// An address computation, constant or not.
struct Step {
    base: Operand,
    offset: i64,
    terms: Vec<(Operand, i64)>,
    within: Within,
    /// It starts from an array.
    from_array: bool,
}

/// Finds the arrays that addresses of one function lie in.
pub(super) struct Parts<'a> {
    pub module: &'a Module,
    pub names: &'a Names,
    pub func: FuncId,
}

impl<'a> Parts<'a> {
    fn function(&self) -> &'a Function {
        &self.module.functions[self.func.index()]
    }

    /// The arrays that an address lies in.
    pub fn find(&self, address: Operand) -> Option<EnclosingArrays> {
        self.find_through(address, VARIABLES)
    }

    /// The same, through so many variables.
    fn find_through(&self, address: Operand, variables: usize) -> Option<EnclosingArrays> {
        let (mut operand, mut offset, mut terms) = (address, 0i64, Vec::new());
        for _ in 0..DEPTH {
            let Some(step) = self.step(operand) else {
                if let Some(stored) = self.only_value(operand).filter(|_| variables > 0) {
                    // The whole of a global variable may be meant, and a variable is more likely to mean it than an argument.
                    if self.is_constant(stored) {
                        return None;
                    }
                    return moved(self.find_through(stored, variables - 1)?, offset, &terms);
                }
                return self.of_variable(operand, offset, terms);
            };
            let Within::Part { inner, outer } = step.within else {
                offset = offset.wrapping_add(step.offset);
                terms.extend(step.terms);
                match step.within {
                    Within::Base => operand = step.base,
                    // The type of a constant address does not say which of its first members is meant.
                    _ => return self.of_variable(step.base, offset, terms).filter(|_| self.is_constant(operand)),
                }
                continue;
            };
            let seen = |part: Part| Array {
                bytes: part.bytes,
                offset: offset.wrapping_add(part.offset),
                terms: terms.iter().chain(&step.terms[step.terms.len() - part.terms..]).copied().collect(),
            };
            let starts = |part: Part| (step.terms.len() == part.terms).then_some(step.offset.wrapping_sub(part.offset));
            let whole = |part: Part| starts(part) == Some(0) && self.size(step.base) == Some(part.bytes);
            let name = starts(inner).and_then(|start| self.name(step.base, start, inner.bytes));
            let outer = match outer {
                Some(_) if step.from_array => {
                    let all = step.offset.wrapping_add(offset);
                    let further: Vec<_> = terms.iter().chain(&step.terms).copied().collect();
                    self.outermost(step.base, all, further).unwrap_or_else(|| outer.filter(|o| !whole(*o)).map(seen))
                }
                _ => outer.filter(|outer| !whole(*outer)).map(seen),
            };
            let inner = Some(inner).filter(|inner| !whole(*inner)).map(seen);
            return (inner.is_some() || outer.is_some()).then_some(EnclosingArrays { inner, outer, name });
        }
        None
    }

    /// The array of arrays that an address is a row of; `None` if it is none.
    fn outermost(&self, row: Operand, offset: i64, terms: Vec<(Operand, i64)>) -> Option<Option<Array>> {
        let step = self.step(row)?;
        let Within::Part { outer: Some(part), .. } = step.within else { return None };
        if step.from_array
            && let Some(found) = {
                let further: Vec<_> = terms.iter().chain(&step.terms).copied().collect();
                // A row of rows: as deep as arrays are nested.
                self.outermost(step.base, offset.wrapping_add(step.offset), further)
            }
        {
            return Some(found);
        }
        let start = step.offset.wrapping_sub(part.offset);
        if step.terms.len() == part.terms && start == 0 && self.size(step.base) == Some(part.bytes) {
            return Some(None);
        }
        let own = &step.terms[step.terms.len() - part.terms..];
        Some(Some(Array {
            bytes: part.bytes,
            offset: offset.wrapping_add(part.offset),
            terms: terms.iter().chain(own).copied().collect(),
        }))
    }

    /// One step of the computation of an address.
    fn step(&self, mut operand: Operand) -> Option<Step> {
        let is_array = |ty| matches!(self.module.ty(ty).kind, TypeKind::Array(..));
        for _ in 0..DEPTH {
            match operand {
                Operand::Inst(i) => match &self.function().inst(i).kind {
                    InstKind::Gep(gep) => {
                        return Some(Step {
                            base: gep.base,
                            offset: gep.offset,
                            terms: gep.terms.clone(),
                            within: gep.within,
                            from_array: is_array(gep.element),
                        });
                    }
                    InstKind::Cast { op: CastOp::Bitcast | CastOp::AddrSpace, value } => operand = *value,
                    _ => return None,
                },
                Operand::Const(c) => match self.module.constant(c) {
                    Const::Gep(gep) => {
                        return Some(Step {
                            base: Operand::Const(gep.base),
                            offset: gep.offset,
                            terms: gep.terms.iter().map(|&(c, scale)| (Operand::Const(c), scale)).collect(),
                            within: gep.within,
                            from_array: is_array(gep.element),
                        });
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// The value of a variable of the function that is set once, and that nobody else can set.
    fn only_value(&self, operand: Operand) -> Option<Operand> {
        let Operand::Inst(i) = operand else { return None };
        let InstKind::Load { ptr: slot @ Operand::Inst(made), .. } = self.function().inst(i).kind else { return None };
        let InstKind::Alloca { .. } = self.function().inst(made).kind else { return None };
        let mut found = None;
        for inst in &self.function().insts {
            match inst.kind {
                InstKind::Load { ptr, .. } if ptr == slot => {}
                InstKind::DebugValue { .. } => {}
                InstKind::Store { ptr, value, .. } if ptr == slot && value != slot && found.is_none() => {
                    found = Some(value);
                }
                _ => {
                    let mut used = false;
                    inst.kind.operands(&mut |operand| used |= operand == slot);
                    if used {
                        return None;
                    }
                }
            }
        }
        found
    }

    fn is_constant(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Const(_))
    }

    fn global(&self, operand: Operand) -> Option<GlobalId> {
        let Operand::Const(c) = operand else { return None };
        match self.module.constant(c) {
            Const::Global(g) => Some(*g),
            _ => None,
        }
    }

    /// The size of the variable at an address, if it is the address of one.
    fn size(&self, operand: Operand) -> Option<u64> {
        if let Some(g) = self.global(operand) {
            return Some(self.module.ty(self.module.globals[g.index()].ty).size);
        }
        let Operand::Inst(i) = operand else { return None };
        match self.function().inst(i).kind {
            InstKind::Alloca { ty, .. } if self.function().is_entry_slot(i) => Some(self.module.ty(ty).size),
            _ => None,
        }
    }

    /// The variable of the source at an address, and whether it is a pointer that leads there.
    fn variable(&self, operand: Operand) -> Option<(DebugVarId, bool)> {
        if let Some(g) = self.global(operand) {
            return Some((self.module.globals[g.index()].debug?, false));
        }
        let Operand::Inst(i) = operand else { return None };
        match self.function().inst(i).kind {
            InstKind::Alloca { .. } => Some((self.names.slot(self.func, i)?, false)),
            InstKind::Load { ptr, .. } => match self.variable_at(ptr)? {
                (var, false) => Some((var, true)),
                _ => None,
            },
            _ => None,
        }
    }

    fn variable_at(&self, slot: Operand) -> Option<(DebugVarId, bool)> {
        match slot {
            Operand::Inst(i) if matches!(self.function().inst(i).kind, InstKind::Load { .. }) => None,
            other => self.variable(other),
        }
    }

    /// The array of characters at a constant place of a global variable. A constant address of the first member of
    /// something is the address of that itself, so only its type in the source tells.
    fn of_variable(&self, operand: Operand, offset: i64, terms: Vec<(Operand, i64)>) -> Option<EnclosingArrays> {
        let g = self.global(operand)?;
        let var = &self.module.debug_vars[self.module.globals[g.index()].debug?.index()];
        let ty = var.ty?;
        let types = &self.module.debug_types;
        let at = if terms.is_empty() { u64::try_from(offset).ok()? } else { 0 };
        let (start, bytes, path) = characters(types, ty, at)?;
        if bytes * 8 == bits(types, ty) {
            return None;
        }
        let inner = Array { bytes, offset: offset.wrapping_sub(start as i64), terms };
        Some(EnclosingArrays { inner: Some(inner), outer: None, name: Some(format!("{}{path}", var.name)) })
    }

    /// An array of so many bytes as the source writes it.
    fn name(&self, mut operand: Operand, mut start: i64, bytes: u64) -> Option<String> {
        for _ in 0..DEPTH {
            let Some(step) = self.step(operand).filter(|step| step.terms.is_empty()) else { break };
            (operand, start) = (step.base, start.wrapping_add(step.offset));
        }
        let (var, pointer) = self.variable(operand)?;
        let var = &self.module.debug_vars[var.index()];
        let types = &self.module.debug_types;
        let ty = match (pointer, &types[strip(types, var.ty?).index()].kind) {
            (true, &DebugTypeKind::Pointer(Some(inside))) => inside,
            (true, _) => return None,
            (false, _) => var.ty?,
        };
        let path = array_at(types, ty, u64::try_from(start).ok()?, bytes)?;
        Some(match path.strip_prefix('.') {
            Some(member) if pointer => format!("{}->{member}", var.name),
            _ if pointer => return None,
            _ => format!("{}{path}", var.name),
        })
    }
}

/// The same arrays, seen from further on. Indices of the time when the address was stored may have changed since.
fn moved(place: EnclosingArrays, offset: i64, terms: &[(Operand, i64)]) -> Option<EnclosingArrays> {
    let further = |array: Array| {
        let offset = array.offset.wrapping_add(offset);
        array.terms.is_empty().then(|| Array { offset, terms: terms.to_vec(), ..array })
    };
    let (inner, outer) = (place.inner.and_then(further), place.outer.and_then(further));
    (inner.is_some() || outer.is_some()).then_some(EnclosingArrays { inner, outer, name: place.name })
}

/// Where the arrays of a type that hold a byte start, how many bytes they have, whether they are characters, and how the
/// source writes them, from the outermost to the innermost. Unions end it: nothing says which member is meant.
fn arrays(types: &[DebugType], ty: DebugTypeId, at: u64) -> Vec<(u64, u64, bool, String)> {
    let mut found = Vec::new();
    let (mut ty, mut start, mut path, mut last) = (ty, 0, String::new(), false);
    for _ in 0..DEPTH {
        ty = strip(types, ty);
        match &types[ty.index()].kind {
            DebugTypeKind::Struct(members) => {
                let holds = |first: u64, bits: u64| first.is_multiple_of(8) && at * 8 >= first && at * 8 < first + bits;
                let member = members.iter().position(|m| holds(start * 8 + m.start, m.bits));
                let Some((i, member)) = member.map(|i| (i, &members[i])) else { break };
                let Some(inside) = member.ty else { break };
                path = if member.name.is_empty() { path } else { format!("{path}.{}", member.name) };
                (ty, start, last) = (inside, start + member.start / 8, i + 1 == members.len());
            }
            DebugTypeKind::Array(Some(element), count) => {
                let size = bits(types, *element) / 8;
                let count = count.unwrap_or(0);
                if size == 0 || count == 0 || count == 1 && last {
                    break;
                }
                let is_char =
                    size == 1 && matches!(types[strip(types, *element).index()].kind, DebugTypeKind::Char { .. });
                found.push((start, size * count, is_char, path.clone()));
                let index = (at - start) / size;
                path = format!("{path}[{index}]");
                (ty, start, last) = (*element, start + index * size, false);
            }
            _ => break,
        }
    }
    found
}

/// The array of characters of a type that holds a byte.
fn characters(types: &[DebugType], ty: DebugTypeId, at: u64) -> Option<(u64, u64, String)> {
    arrays(types, ty, at).into_iter().find(|array| array.2).map(|(start, bytes, _, path)| (start, bytes, path))
}

/// The array of so many bytes that starts at a byte of a type.
fn array_at(types: &[DebugType], ty: DebugTypeId, at: u64, bytes: u64) -> Option<String> {
    arrays(types, ty, at).into_iter().find(|array| (array.0, array.1) == (at, bytes)).map(|array| array.3)
}

//! The effect of inline assembly; see [`Assembly`].

use super::{body::Body, call::Arg, value::Value};
use crate::{
    assembly::Assembly,
    module::{TypeId, TypeKind},
};

impl Body<'_, '_> {
    /// What inline assembly changes, and its result.
    pub fn assembly(&mut self, assembly: &Assembly, args: &[Arg], ty: TypeId) -> Value {
        if !assembly.empty && !assembly.harmless {
            self.approximate("inline assembly");
            let address = |(arg, place): (&Arg, &bool)| {
                !place && (matches!(arg.value, Value::Ptr(_)) || self.target(arg.operand).is_some())
            };
            if assembly.memory || args.iter().zip(&assembly.places).any(address) {
                self.unsupported("inline assembly that may change memory");
            }
        }
        let mut results = Vec::new();
        let mut members = match &self.t.module.ty(ty).kind {
            TypeKind::Struct(members) => members.iter().map(|member| member.0).collect(),
            TypeKind::Void => Vec::new(),
            _ => vec![ty],
        }
        .into_iter();
        for output in &assembly.outputs {
            let before = output.before.filter(|_| assembly.empty).and_then(|k| args.get(k));
            match output.place.and_then(|k| args.get(k)) {
                Some(place) => self.assembly_writes(assembly, place, before),
                None => {
                    let Some(ty) = members.next() else { continue };
                    results.push(match before {
                        Some(before) => self.as_passed(before, ty),
                        None => {
                            if assembly.empty || assembly.harmless {
                                self.approximate("inline assembly");
                            }
                            self.any(ty)
                        }
                    });
                }
            }
        }
        match self.t.module.ty(ty).kind {
            TypeKind::Void => Value::Void,
            TypeKind::Struct(_) => Value::Many(results),
            _ => results.pop().unwrap_or(Value::Void),
        }
    }

    /// An output in memory: what its register held before, or anything. Without instructions, a place that has no
    /// register stays as it is.
    fn assembly_writes(&mut self, assembly: &Assembly, place: &Arg, before: Option<&Arg>) {
        let (Value::Ptr(pointer), Some(ty)) = (place.value.clone(), place.byval) else {
            self.unsupported("inline assembly that writes to memory");
            return;
        };
        if assembly.empty && before.is_none() {
            return;
        }
        let bytes = self.access_size(ty);
        self.check_write(place.operand, pointer, bytes);
        let value = match before {
            Some(before) => self.as_passed(before, ty),
            None => self.any(ty),
        };
        self.store(pointer, self.target(place.operand), &value, ty);
    }
}

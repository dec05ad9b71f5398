//! The effect of inline assembly; see [`Assembly`].

use super::{body::Body, call::Arg, undefined::Changer, value::Value};
use crate::{
    assembly::{Assembly, Write},
    module::{Function, TypeId, TypeKind},
};

impl Body<'_, '_> {
    /// What inline assembly changes, and its result.
    pub fn assembly(&mut self, assembly: &Assembly, args: &[Arg], ty: TypeId) -> Value {
        if assembly.computes() {
            self.approximate("inline assembly");
            self.assembly_accesses(assembly, args);
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

    /// What instructions read and write beyond their outputs.
    fn assembly_accesses(&mut self, assembly: &Assembly, args: &[Arg]) {
        let module = self.t.module;
        let variable = module.globals.iter().find(|global| !global.constant && assembly.mentions(&global.name));
        let called = |f: &&Function| {
            let matters = f.is_defined() || self.t.options.properties.error_calls.contains(&f.source);
            matters && (assembly.mentions(&f.name) || assembly.mentions(&f.source))
        };
        let function = module.functions.iter().find(called).map(|f| &f.name);
        if let Some(symbol) = variable.map(|global| &global.name).or(function) {
            self.unsupported(&format!("inline assembly that mentions {symbol}"));
        }
        let places = || args.iter().enumerate().filter(|(k, _)| assembly.places.get(*k) == Some(&true));
        let outputs: Vec<usize> = assembly.outputs.iter().filter_map(|output| output.place).collect();
        for (_, place) in places().filter(|(k, _)| !outputs.contains(k)) {
            if let (Value::Ptr(pointer), Some(ty)) = (&place.value, place.byval) {
                let bytes = self.access_size(ty);
                self.check_access(place.operand, *pointer, bytes);
                self.no_register(*pointer, self.target(place.operand), bytes);
            }
        }
        for (k, place) in places() {
            let (Value::Ptr(pointer), Some(ty)) = (&place.value, place.byval) else { continue };
            match (assembly.write(k, module.ty(ty).store_size), self.target(place.operand)) {
                (Write::Object, Some(target)) => self.change_object(*pointer, target),
                (Write::Bytes(_), _) if !outputs.contains(&k) => self.assembly_writes(assembly, place, None),
                _ => {}
            }
        }
        let given = args.iter().enumerate().filter(|(k, _)| {
            let place = assembly.places.get(*k) == Some(&true);
            !place || assembly.memory && assembly.accesses_memory()
        });
        let given: Vec<Arg> = given.map(|(_, arg)| Arg { byval: None, ..arg.clone() }).collect();
        if !assembly.accesses_memory() {
            return self.give_away(&given);
        }
        let address = |arg: &Arg| matches!(arg.value, Value::Ptr(_)) || self.target(arg.operand).is_some();
        if assembly.memory || given.iter().any(address) {
            self.change_reachable(Changer::Assembly { calls: assembly.calls }, &given);
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
        self.no_register(pointer, self.target(place.operand), bytes);
        let value = match before {
            Some(before) => self.as_passed(before, ty),
            None => self.any(ty),
        };
        self.store(pointer, self.target(place.operand), &value, ty);
    }
}

//! Dispatch regions: calls through pointers that share their branches.
//!
//! A call through a pointer is one branch for each function that it may call. Where m calls may each call the same n
//! functions, as with the handlers of an interpreter or a server, that would be m·n boxes; with a region for the
//! branches that all these calls box, it is m + n. The region is given the pointer and the arguments, and returns what
//! the function returns and whether there was one.
//!
//! Only functions of the program take part whose parameters and result are as the call has them: all else needs
//! code at the call, which stays there.

use lariat_program::{Loc, Region, RegionId, RegionKind, StmtKind, Terminator, VarDecl};
use lariat_term::{Sort, Term, Var};
use rustc_hash::FxHashMap;

use super::{Translator, body::Body, call::Arg, value::Pointer};
use crate::{
    library,
    memory::Maker,
    module::{Callee, FuncId, InstId, InstKind, TypeId},
    trace::DISPATCH,
};

/// With fewer boxes than this, each call has its own branches: more is known of the pointer there.
const FEWEST_BOXES: usize = 1000;
/// The same for the functions of one call.
const FEWEST_FUNCTIONS: usize = 16;

/// The regions so far, and how many calls there are of the same functions.
#[derive(Default)]
pub(super) struct Dispatchers<'a> {
    calls: FxHashMap<&'a [FuncId], usize>,
    /// By functions and type of the result.
    regions: FxHashMap<(Vec<FuncId>, TypeId), RegionId>,
}

impl<'a> Translator<'a> {
    /// Counts the calls through pointers.
    pub(super) fn count_calls(&mut self, functions: &[FuncId]) {
        let (module, memory) = (self.module, self.memory);
        for &f in functions {
            let insts = &module.functions[f.index()].insts;
            for (i, inst) in insts.iter().enumerate() {
                if !matches!(inst.kind, InstKind::Call { callee: Callee::Pointer(_), .. }) {
                    continue;
                }
                let callees = memory.callees(f, InstId(i as u32));
                if callees.len() >= FEWEST_FUNCTIONS {
                    *self.dispatchers.calls.entry(callees).or_default() += 1;
                }
            }
        }
    }

    /// The region that calls the one of some functions that a pointer points to. It is where its first call is.
    fn dispatcher(&mut self, functions: &[FuncId], ty: TypeId, args: &[Sort], results: &[Sort], loc: Loc) -> RegionId {
        let key = (functions.to_vec(), ty);
        if let Some(&region) = self.dispatchers.regions.get(&key) {
            return region;
        }
        let name = format!("{DISPATCH}{}", self.dispatchers.regions.len() + 1);
        let (object, offset) = (self.object_sort(), self.offset_sort());
        let mut body = Body::new(self, None, name.clone());
        body.loc = loc;
        let [object, offset] = [body.local("object", object), body.local("offset", offset)];
        let args: Vec<Var> = args.iter().map(|&sort| body.local("argument", sort)).collect();
        let results: Vec<Var> = results.iter().map(|&sort| body.local("result", sort)).collect();
        let found = body.local("found", Sort::BOOL);
        let (inputs, outputs) = ([&[object, offset], &args[..]].concat(), [&results[..], &[found]].concat());
        body.branches(functions, object, offset, &args, &results, found);
        let declared = |vars: Vec<Var>| vars.into_iter().map(|var| VarDecl { var, source: None, loc }).collect();
        let (inputs, outputs) = (declared(inputs), declared(outputs));
        let (kind, locals, blocks) = (RegionKind::Procedure, Vec::new(), body.blocks);
        let id = RegionId(self.program.regions.len() as u32);
        self.program.regions.push(Region { name, kind, loc, inputs, outputs, locals, blocks });
        self.dispatchers.regions.insert(key, id);
        id
    }
}

impl Body<'_, '_> {
    /// The code of a dispatch region.
    fn branches(&mut self, functions: &[FuncId], object: Var, offset: Var, args: &[Var], results: &[Var], found: Var) {
        let pointer = Pointer { object: self.term(object), offset: self.term(offset) };
        let args: Vec<Term> = args.iter().map(|&var| self.term(var)).collect();
        let (yes, no) = (self.t.terms.bool(true), self.t.terms.bool(false));
        for &f in functions {
            let (Some(callee), Some(cond)) = (self.t.regions[f.index()], self.points_to(pointer, f)) else { continue };
            let (call, other) = (self.block("callee"), self.block("other"));
            self.branch(cond, call, other);
            self.current = call;
            self.push(StmtKind::Box { callee, args: args.clone(), results: results.to_vec() });
            self.assign(vec![(found, yes)]);
            self.end(Terminator::Return);
            self.current = other;
        }
        self.assign(vec![(found, no)]);
        self.end(Terminator::Return);
    }

    /// Whether a pointer is that to a function.
    pub fn points_to(&mut self, pointer: Pointer, f: FuncId) -> Option<Term> {
        let object = self.t.object_of(Maker::Function(f))?;
        let (object, zero) = (self.t.object_term(object), self.t.offset_term(0));
        let same = [self.t.terms.eq(pointer.object, object), self.t.terms.eq(pointer.offset, zero)];
        Some(self.t.terms.and(&same))
    }

    /// Calls those of some functions that can share their branches with other calls, if the pointer is to one of them.
    /// Gives the other functions, and goes on where the pointer is to none of the former.
    pub fn dispatch(
        &mut self,
        callees: Vec<FuncId>,
        pointer: Pointer,
        args: &[Arg],
        ty: TypeId,
        results: &[Var],
        join: usize,
    ) -> Vec<FuncId> {
        let calls = self.t.dispatchers.calls.get(&callees[..]).copied().unwrap_or(0);
        // Of a constant, the branches at the call leave one function.
        if calls * callees.len() < FEWEST_BOXES || self.t.terms.is_value(pointer.object) {
            return callees;
        }
        let mut terms = Vec::new();
        args.iter().for_each(|arg| arg.value.leaves(&mut terms));
        let given: Vec<Sort> = terms.iter().map(|&term| self.t.terms.sort(term)).collect();
        let returned: Vec<Sort> = results.iter().map(|&var| self.t.terms.var_sort(var)).collect();
        let (plain, others): (Vec<FuncId>, Vec<FuncId>) =
            callees.iter().partition(|&&f| self.is_plain(f, args, &given, ty, &returned));
        if plain.len() < FEWEST_FUNCTIONS {
            return callees;
        }
        let callee = self.t.dispatcher(&plain, ty, &given, &returned, self.loc);
        let found = self.local("found", Sort::BOOL);
        let args = [&[pointer.object, pointer.offset], &terms[..]].concat();
        self.push(StmtKind::Box { callee, args, results: [results, &[found]].concat() });
        let (found, other) = (self.term(found), self.block("other"));
        self.branch(found, join, other);
        self.current = other;
        others
    }

    /// Is a call of a function a box with these arguments and results, and nothing else?
    fn is_plain(&mut self, f: FuncId, args: &[Arg], given: &[Sort], ty: TypeId, returned: &[Sort]) -> bool {
        let module = self.t.module;
        let function = &module.functions[f.index()];
        let Some(region) = self.t.regions[f.index()] else { return false };
        let carried = &self.t.carried[f.index()];
        let same = |a: TypeId, b: TypeId| module.ty(a).kind == module.ty(b).kind;
        let fits = !function.varargs
            && function.params.len() == args.len()
            && function.params.iter().zip(args).all(|(param, arg)| {
                param.byval.is_none() && arg.byval.is_none() && arg.room.is_none() && same(param.ty, arg.ty)
            })
            && self.t.result_type(f).is_some_and(|result| same(result, ty));
        let special = self.t.options.properties.error_calls.contains(&function.source)
            || library::of(module, function).is_some()
            || self.is_model(function)
            || carried.result != 0
            || carried.params.iter().any(|&bytes| bytes != 0)
            || self.t.missing_returns[f.index()].is_some();
        let sorts = |decls: &[VarDecl]| decls.iter().map(|d| self.t.terms.var_sort(d.var)).collect::<Vec<Sort>>();
        let region = &self.t.program.regions[region.index()];
        fits && !special && sorts(&region.inputs) == given && sorts(&region.outputs) == returned
    }
}

//! Calls of `printf` and its relatives whose number of characters is used, and which the translation cannot count by itself
//! (the format is no literal, or prints strings that are none): such a call goes to a model that counts at run time,
//! `__lariat_counted_NAME`. Other calls do not pay for that.

use crate::{
    library::{self, Returns, Semantics},
    module::{Callee, FuncId, Function, InstKind, Module, Operand},
    trace::is_model,
    translate::counts_itself,
};

/// What stands before the name of a function that counts.
const PREFIX: &str = "__lariat_counted_";

/// The name of the function that counts, for one of the C library.
fn counting(name: &str) -> String {
    format!("{PREFIX}{}", name.trim_start_matches('_'))
}

/// The calls that are to be counted: function and instruction, and who is called.
fn calls(module: &Module) -> Vec<(usize, usize, FuncId)> {
    let formats: Vec<Option<usize>> = module.functions.iter().map(|f| format_of(module, f)).collect();
    if formats.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (f, function) in module.functions.iter().enumerate() {
        let mut used = vec![false; function.insts.len()];
        for inst in &function.insts {
            inst.kind.operands(&mut |operand| {
                if let Operand::Inst(i) = operand {
                    used[i.index()] = true;
                }
            });
        }
        for (i, inst) in function.insts.iter().enumerate().filter(|(i, _)| used[*i]) {
            if let InstKind::Call { callee: Callee::Function(callee), args, .. } = &inst.kind
                && let Some(format) = formats[callee.index()]
                && !counts_itself(module, args, format, module.functions[callee.index()].varargs)
            {
                found.push((f, i, *callee));
            }
        }
    }
    found
}

/// The position of the format, if a function of the C library tells how many characters it prints.
fn format_of(module: &Module, function: &Function) -> Option<usize> {
    let row = library::of(module, function).filter(|row| row.returns == Returns::Printed)?;
    let Semantics::Output(format) = row.semantics else { return None };
    // Declared with its parameters, as the model is.
    let format = format?;
    let own = function.is_defined() && !is_model(module.files.get(function.loc.file as usize)?);
    (!own && function.params.len() == format + if function.varargs { 1 } else { 2 }).then_some(format)
}

/// The names of the models that are needed.
pub(crate) fn needed(module: &Module) -> Vec<String> {
    let mut names: Vec<String> =
        calls(module).iter().map(|(.., callee)| counting(&module.functions[callee.index()].name)).collect();
    names.sort();
    names.dedup();
    names
}

/// Lets the calls go to the models that count, where these are linked; in traces they keep their names.
pub(crate) fn redirect(module: &mut Module) {
    for (f, i, callee) in calls(module) {
        let source = module.functions[callee.index()].name.clone();
        let Some(model) = module.function(&counting(&source)) else { continue };
        module.functions[model.index()].source = source;
        if let InstKind::Call { callee, .. } = &mut module.functions[f].insts[i].kind {
            *callee = Callee::Function(model);
        }
    }
}

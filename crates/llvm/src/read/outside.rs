//! What belongs to the program and has no form in LLVM IR: assembly outside of functions, bodies that are assembly, symbols
//! that the linker makes.

use super::Copier;
use super::raw::Value;
use crate::assembly;
use crate::module::FuncId;

/// What linkers define where they have put everything.
const LINKER: [&str; 13] = [
    "etext",
    "_etext",
    "__etext",
    "edata",
    "_edata",
    "end",
    "_end",
    "__bss_start",
    "__executable_start",
    "__ehdr_start",
    "__dso_handle",
    "_DYNAMIC",
    "_GLOBAL_OFFSET_TABLE_",
];
/// How the names begin of the start and the end of a section, or of a table in it.
const BOUNDS: [&str; 5] = ["__start_", "__stop_", "__init_array_", "__fini_array_", "__preinit_array_"];
/// Where the code or its address lies that runs at the start or the end.
const START: [&str; 7] = [".init", ".fini", ".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors"];

impl<'s> Copier<'s> {
    /// Finds it; globals and functions have been copied.
    pub(super) fn outside_of_functions(&mut self, functions: &[Value<'s>]) {
        let text = assembly::without_comments(&self.session.inline_assembly());
        let words = words(&text);
        if START.iter().any(|section| words.iter().any(|word| word == section)) {
            self.module.unreadable.push("assembly that runs at the start or the end of the program".into());
        }
        let module = &mut self.module;
        for global in module.globals.iter().filter(|global| global.init.is_none()) {
            let name = global.name.as_str();
            if words.contains(&name) {
                module.unreadable.push(format!("the variable {name}, which assembly outside of functions mentions"));
            } else if LINKER.contains(&name) || BOUNDS.iter().any(|start| name.starts_with(start)) {
                module.unreadable.push(format!("the symbol {name} of the linker"));
            }
        }
        /// Variable arguments are found elsewhere.
        const WIN64: u32 = 79;
        for (value, (function, id)) in functions.iter().zip(module.functions.iter().zip(0..)) {
            let name = &function.name;
            let what = if !function.is_defined() && words.contains(&name.as_str()) {
                format!("the function {name}, which assembly outside of functions mentions")
            } else if value.is_naked() {
                format!("the assembly of {name}, a naked function")
            } else if function.is_defined() && function.varargs && value.calling_convention() == WIN64 {
                format!("variable arguments of {name}, which has the calling convention of Windows")
            } else {
                continue;
            };
            module.unreadable_functions.push((FuncId(id), what));
        }
    }
}

/// The names in assembly, but for those that are only given versions.
fn words(text: &str) -> Vec<&str> {
    let lines = text.split(['\n', ';']).filter(|line| !line.trim_start().starts_with(".symver"));
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    lines.flat_map(|line| line.split(|c| !in_name(c))).filter(|word| !word.is_empty()).collect()
}

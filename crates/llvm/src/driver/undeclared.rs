//! Inputs that a program asks for without a declaration.
//!
//! `double x = __VERIFIER_nondet_double();` alone makes C take the function for one of `int`s, and `x` would never be 0.5. Whoever
//! writes so means the type that the name says, so such files are compiled again with macros that declare it. Those that clang
//! rejects have a declaration in the program.

use crate::module::{Function, Module, TypeKind};

/// What names of inputs start with.
const PREFIXES: [&str; 2] = ["__VERIFIER_nondet_", "nondet_"];

/// What follows, and the type that it says: those that are no `int`.
const TYPES: [(&str, &str); 52] = [
    ("bool", "_Bool"),
    ("_Bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("signed_char", "signed char"),
    ("int8", "signed char"),
    ("int8_t", "signed char"),
    ("s8", "signed char"),
    ("uchar", "unsigned char"),
    ("unsigned_char", "unsigned char"),
    ("uint8", "unsigned char"),
    ("uint8_t", "unsigned char"),
    ("u8", "unsigned char"),
    ("short", "short"),
    ("int16", "short"),
    ("int16_t", "short"),
    ("s16", "short"),
    ("ushort", "unsigned short"),
    ("unsigned_short", "unsigned short"),
    ("uint16", "unsigned short"),
    ("uint16_t", "unsigned short"),
    ("u16", "unsigned short"),
    ("uint", "unsigned"),
    ("unsigned", "unsigned"),
    ("unsigned_int", "unsigned"),
    ("uint32", "unsigned"),
    ("uint32_t", "unsigned"),
    ("u32", "unsigned"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("unsigned_long", "unsigned long"),
    ("size_t", "__SIZE_TYPE__"),
    ("ptrdiff_t", "__PTRDIFF_TYPE__"),
    ("intptr_t", "__INTPTR_TYPE__"),
    ("uintptr_t", "__UINTPTR_TYPE__"),
    ("longlong", "long long"),
    ("long_long", "long long"),
    ("int64", "long long"),
    ("int64_t", "long long"),
    ("s64", "long long"),
    ("ulonglong", "unsigned long long"),
    ("unsigned_long_long", "unsigned long long"),
    ("uint64", "unsigned long long"),
    ("uint64_t", "unsigned long long"),
    ("u64", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("long_double", "long double"),
    ("pointer", "void*"),
    ("ptr", "void*"),
    ("int128", "__int128"),
    ("uint128", "unsigned __int128"),
];

/// An input that looks as if it had no declaration, and the type that it should have.
pub(super) struct Input {
    name: String,
    ty: &'static str,
}

impl Input {
    /// The option that declares it: a macro, which does not expand again in itself.
    pub fn option(&self) -> String {
        let Input { name, ty } = self;
        format!("-D{name}()=__extension__({{extern {ty} {name}();{name}();}})")
    }
}

/// The inputs of a module that look so.
pub(super) fn inputs(module: &Module) -> Vec<Input> {
    let is_int = |f: &Function| match &module.ty(f.ty).kind {
        TypeKind::Function(result, ..) => module.ty(*result).kind == TypeKind::Int(32),
        _ => false,
    };
    let looks_undeclared = |f: &&Function| !f.is_defined() && f.varargs && f.params.is_empty() && is_int(f);
    let typed = module.functions.iter().filter(looks_undeclared).filter_map(|f| {
        let what = PREFIXES.iter().find_map(|prefix| f.name.strip_prefix(prefix))?;
        let (_, ty) = TYPES.iter().find(|(name, _)| *name == what)?;
        Some(Input { name: f.name.clone(), ty })
    });
    typed.collect()
}

/// Leaves out those whose macros clang complains about; all of them, if there are none.
pub(super) fn without_declared(inputs: &mut Vec<Input>, diagnostics: &str) {
    let before = inputs.len();
    inputs.retain(|input| !diagnostics.contains(&format!("'{}'", input.name)));
    if inputs.len() == before {
        inputs.clear();
    }
}

//! Reads LLVM modules: bitcode or text in, the plain data of [`crate::module`] out.
//!
//! LLVM's own reader does the work; its verifier then looks at every module, so what is copied is well
//! formed. One pass over the module copies types, constants, globals, functions and debug information,
//! each thing once. LLVM's data is not kept.
//!
//! LLVM's reader is made for files that LLVM wrote. On others it may end the process, however hard one
//! looks first, so [`untrusted`] tries a file in a child process before it reads it in this one.

mod constants;
mod debug;
mod function;
mod outside;
mod raw;
mod start;
mod types;

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::module::{ConstId, FuncId, Function, Global, GlobalId, Loc, Module, Operand, Param};
use raw::{LinkOrder, Session, Value, ValueKind};

/// Why a module could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// LLVM's reader, verifier or linker rejects it; its message follows.
    #[error("{name}: not a valid LLVM module: {message}")]
    Invalid {
        /// The file.
        name: String,
        /// LLVM's message.
        message: String,
    },
    /// Modules do not fit together.
    #[error("{name}: cannot be linked: {message}")]
    Link {
        /// The file that does not fit with those before it.
        name: String,
        /// LLVM's message.
        message: String,
    },
    /// A machine that is not supported.
    #[error("{name}: made for a machine that is not supported: {message}")]
    Machine {
        /// The file.
        name: String,
        /// What is special about it.
        message: String,
    },
    /// LLVM's reader crashed or did not end.
    #[error("{name}: LLVM cannot read this file: its reader {message}")]
    Crash {
        /// The file.
        name: String,
        /// How it ended.
        message: String,
    },
    /// The operating system does not let us work.
    #[error("cannot read LLVM modules: {0}")]
    System(String),
}

/// A file to read: its content and its name for messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Bitcode or text.
    pub bytes: &'a [u8],
    /// The name for messages.
    pub name: &'a str,
    /// Has clang written it just now? Then it is enough to verify what it is linked into.
    pub compiled: bool,
}

/// Reads a module from bitcode or text that a compiler wrote.
pub fn module(bytes: &[u8], name: &str) -> Result<Module, ReadError> {
    linked(&[Source { bytes, name, compiled: false }])
}

/// Reads several modules that a compiler wrote and links them, in this order.
pub fn linked(sources: &[Source<'_>]) -> Result<Module, ReadError> {
    on_large_stack(|| read(sources).map(|(module, _)| module))
}

/// The same, and then links the bitcode of a further unit that depends on the result, if there is one. What was read is not read
/// again. Nothing else may be read in the meantime.
pub fn linked_with<E: From<ReadError> + Send>(
    sources: &[Source<'_>],
    further: impl FnOnce(&mut Module) -> Result<Option<Vec<u8>>, E> + Send,
) -> Result<Module, E> {
    on_large_stack(|| {
        let (mut module, mut session) = read(sources)?;
        let Some(unit) = further(&mut module)? else { return Ok(module) };
        drop(module);
        let name = || "models".to_string();
        session.reopen();
        session.add(&unit, "models", true).map_err(|message| ReadError::Invalid { name: name(), message })?;
        let linked = session.link(LinkOrder::OneByOne, true).and_then(|()| session.finish(false));
        linked.map_err(|message| ReadError::Link { name: name(), message })?;
        Ok(Copier::new(&session).copy())
    })
}

/// Makes sure that reading a file of unknown origin does not end this process: reads it in a child
/// first. After this, [`module`] and [`linked`] are safe to call on the same bytes.
pub fn untrusted(source: Source<'_>, deadline: Option<Instant>) -> Result<(), ReadError> {
    let outcome = on_large_stack(|| raw::survives(|| drop(read(&[source])), deadline).map_err(|e| system(&e)))?;
    outcome.map_err(|message| ReadError::Crash { name: source.name.to_string(), message })
}

fn system(error: &io::Error) -> ReadError {
    ReadError::System(error.to_string())
}

/// LLVM's reader and verifier recurse over nested types and constants, so they get a large stack. It is
/// only reserved: memory is used as far as the recursion goes.
///
/// One thread at a time: a child process must not inherit a lock of LLVM that another thread holds.
fn on_large_stack<T: Send, E: From<ReadError> + Send>(work: impl FnOnce() -> Result<T, E> + Send) -> Result<T, E> {
    const STACK: usize = 512 << 20;
    static LLVM: Mutex<()> = Mutex::new(());
    let _alone = LLVM.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("llvm".into()).stack_size(STACK).spawn_scoped(scope, work);
        match thread.map_err(|e| system(&e))?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn read(sources: &[Source<'_>]) -> Result<(Module, Session), ReadError> {
    let Some(first) = sources.first() else {
        return Err(ReadError::System("no module is given".to_string()));
    };
    let session = match session(sources, LinkOrder::Balanced) {
        Err(ReadError::Link { .. }) => session(sources, LinkOrder::OneByOne)?,
        session => session?,
    };
    let unfit = |message: String| ReadError::Machine { name: first.name.to_string(), message };
    if !session.is_little_endian() {
        return Err(unfit("the most significant byte comes first".to_string()));
    }
    if !matches!(session.pointer_bits(), 32 | 64) {
        return Err(unfit(format!("pointers have {} bits", session.pointer_bits())));
    }
    let module = Copier::new(&session).copy();
    Ok((module, session))
}

/// LLVM's data: the modules, linked.
fn session(sources: &[Source<'_>], order: LinkOrder) -> Result<Session, ReadError> {
    let mut session = Session::new();
    for (i, source) in sources.iter().enumerate() {
        let name = || source.name.to_string();
        // What is linked is verified as a whole.
        let check = !source.compiled || sources.len() == 1;
        session
            .add(source.bytes, source.name, check)
            .map_err(|message| ReadError::Invalid { name: name(), message })?;
        let last = i + 1 == sources.len();
        let linked = session.link(order, last).and_then(|()| if last { session.finish(i > 0) } else { Ok(()) });
        linked.map_err(|message| ReadError::Link { name: name(), message })?;
    }
    Ok(session)
}

/// Copies one module.
struct Copier<'s> {
    session: &'s Session,
    module: Module,
    types: types::Types<'s>,
    constants: FxHashMap<Value<'s>, ConstId>,
    interned: FxHashMap<crate::module::Const, ConstId>,
    globals: FxHashMap<Value<'s>, GlobalId>,
    functions: FxHashMap<Value<'s>, FuncId>,
    blocks: FxHashMap<raw::Block<'s>, crate::module::BlockId>,
    debug: debug::Debug<'s>,
}

impl<'s> Copier<'s> {
    fn new(session: &'s Session) -> Copier<'s> {
        Copier {
            session,
            module: Module { pointer_bits: session.pointer_bits(), ..Module::default() },
            types: types::Types::default(),
            constants: FxHashMap::default(),
            interned: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            blocks: FxHashMap::default(),
            debug: debug::Debug::default(),
        }
    }

    fn copy(mut self) -> Module {
        let globals: Vec<Value<'s>> = self.session.globals().collect();
        let ifuncs: Vec<Value<'s>> = self.session.ifuncs().collect();
        let functions: Vec<Value<'s>> = self.session.functions().chain(ifuncs.iter().copied()).collect();
        // Numbers first: initialisers and code refer to what comes later.
        self.globals.extend(globals.iter().zip(0..).map(|(v, i)| (*v, GlobalId(i))));
        self.functions.extend(functions.iter().zip(0..).map(|(v, i)| (*v, FuncId(i))));
        for function in &functions {
            self.blocks.extend(function.blocks().zip(0..).map(|(b, i)| (b, crate::module::BlockId(i))));
        }
        for global in &globals {
            let copy = self.global(*global);
            self.module.globals.push(copy);
        }
        let mut values = FxHashMap::default();
        for function in &functions {
            let copy = self.function(*function, &mut values);
            self.module.functions.push(copy);
        }
        for ifunc in ifuncs {
            self.ifunc(ifunc, self.functions[&ifunc]);
        }
        self.start_and_end(&globals);
        self.outside_of_functions(&functions);
        self.finish_debug();
        self.module
    }

    fn global(&mut self, value: Value<'s>) -> Global {
        let ty = self.ty_or_void(value.content_type());
        let init = value.initializer().map(|v| self.constant(v));
        let variable = value.global_meta().into_iter().find_map(raw::Meta::global_variable);
        // A string literal has a variable without a name.
        let debug =
            variable.and_then(|v| self.debug_var(v)).filter(|v| !self.module.debug_vars[v.index()].name.is_empty());
        Global {
            name: value.name(),
            ty,
            init,
            constant: value.is_constant_global(),
            align: Some(value.alignment()).filter(|&align| align != 0).unwrap_or(self.module.ty(ty).align),
            thread_local: value.is_thread_local(),
            weak: value.is_weak_reference(),
            debug,
            unnamed: value.is_unnamed(),
        }
    }

    fn function(&mut self, value: Value<'s>, values: &mut FxHashMap<Value<'s>, Operand>) -> Function {
        let content = value.content_type();
        let mut params = Vec::new();
        for (param, i) in value.params().zip(0..) {
            let byval = value.byval(i).map(|t| self.ty(t));
            let sret = value.sret(i).map(|t| self.ty(t));
            let align = value.align(i);
            let (ty, signed) = (self.ty(param.ty()), value.is_signext(i));
            let defined = value.is_noundef(Some(i));
            params.push(Param { ty, byval, align, sret, name: param.name(), signed, defined });
        }
        let subprogram = value.subprogram();
        let loc = subprogram.map_or(Loc::default(), |s| self.declared_at(s, s.scope_file()));
        let result = subprogram.and_then(|s| self.result_type(s));
        let name = value.name();
        let source = subprogram.and_then(|s| self.subprogram_name(s)).filter(|source| is_renamed(&name, source));
        let mut function = Function {
            source: source.unwrap_or_else(|| name.clone()),
            name,
            ty: self.ty_or_void(content),
            params,
            varargs: content.is_some_and(raw::Ty::is_varargs),
            blocks: Vec::new(),
            insts: Vec::new(),
            loc,
            result,
            noreturn: value.is_noreturn(),
            weak: value.is_weak_reference(),
            result_defined: value.is_noundef(None),
        };
        self.body(value, &mut function, values);
        function
    }

    /// What an alias stands for in the end; another value stands for itself.
    fn resolve(&self, value: Value<'s>) -> Value<'s> {
        let mut value = value;
        // The verifier has excluded circles.
        while let Some(aliasee) = if value.kind() == ValueKind::Alias { value.aliasee() } else { None } {
            value = aliasee;
        }
        value
    }
}

/// Is a symbol what the linker makes of a local name that another file has, too: numbers behind it, one for each time
/// that it was linked with such a file?
fn is_renamed(symbol: &str, name: &str) -> bool {
    let numbers = symbol.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|numbers| numbers.split('.').all(number))
}

#[cfg(test)]
mod tests;

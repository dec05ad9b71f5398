//! The one place that calls Z3's C interface: a memory-safe wrapper of one context and one solver.
//!
//! In: handles ([`Ast`], [`SortRef`], [`Decl`], [`ModelRef`]) and plain data. Out: the same, or a
//! [`Z3Error`]. Z3's error handler is off, so no error ever ends the process: each call's outcome
//! is looked at here.
//!
//! What always holds:
//! - a handle is an index into a table of this context. A table entry owns one reference count, so
//!   no handle can reach freed memory: a stale one gives an error or another living node;
//! - a context is used by one thread at a time (`Engine` is `Send`, not `Sync`), except for
//!   [`InterruptHandle::interrupt`], which Z3 allows from any thread.
#![allow(unsafe_code)] // the calls of the C interface; each block says why it is sound

mod build;
mod ops;
mod solve;

use std::{
    ffi::{CStr, CString, c_int, c_uint},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI32, Ordering::SeqCst},
    },
};

pub(crate) use ops::{ConvertedFn, IndexedFn, Operator, RoundedFn};
pub(crate) use solve::{FuncInterp, Limit, ModelRef, Shape, Verdict, op_kind};
use z3_sys::*;

unsafe extern "C" {
    // Declared anew because the binding crate returns Rust enums: a kind it does not know would be
    // undefined behaviour. An integer takes every answer of every version.
    #[link_name = "Z3_get_error_code"]
    fn error_code(c: Z3_context) -> c_uint;
    #[link_name = "Z3_get_decl_kind"]
    fn decl_kind(c: Z3_context, d: Z3_func_decl) -> c_uint;
    #[link_name = "Z3_get_ast_kind"]
    fn ast_kind(c: Z3_context, a: Z3_ast) -> c_uint;
    #[link_name = "Z3_get_error_msg"]
    fn error_message(c: Z3_context, code: c_uint) -> Z3_string;
    fn _exit(code: c_int) -> !;
}

/// Ends the process at once. The usual way out would destroy Z3's global data under threads that are still solving.
pub fn exit_at_once(code: u8) -> ! {
    // SAFETY: nothing of this process is used any more.
    unsafe { _exit(code.into()) }
}

/// The signal of the first crash; 0 as long as there was none.
static CRASH: AtomicI32 = AtomicI32::new(0);

/// How long a thread that crashed waits for somebody to end the process, in seconds.
const CRASH_WAIT: u32 = 2;

/// From now on, a thread that crashes in a solver's code (or overflows its stack there) does not end the process at once: it stands
/// still, and [`crash`] tells. Whoever asks that has to end the process soon; nothing that needs the solver can be trusted any more.
pub fn catch_crashes() {
    let handler: extern "C" fn(c_int) = stand_still;
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
        // SAFETY: the handler stays for ever and does only what is allowed in one; all fields of the action are given.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            // The usual stack may be the reason.
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// The signal of a crash that was caught.
pub fn crash() -> Option<i32> {
    Some(CRASH.load(SeqCst)).filter(|&signal| signal != 0)
}

extern "C" fn stand_still(signal: c_int) {
    let _ = CRASH.compare_exchange(0, signal, SeqCst, SeqCst);
    // SAFETY: both are allowed in a handler.
    unsafe {
        libc::sleep(CRASH_WAIT);
        // Nobody has heard of it.
        _exit(128 + signal)
    }
}

/// An error that Z3 reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Z3Error(pub String);

pub(crate) type Z3Result<T> = Result<T, Z3Error>;

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ast(pub(crate) u32);

/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SortRef(u32);

/// A function declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decl(u32);

/// A constructor of a datatype: itself, its tester, its selectors.
#[derive(Clone, Debug)]
pub(crate) struct CtorDecls {
    pub make: Decl,
    pub test: Decl,
    pub fields: Vec<Decl>,
}

struct ContextPtr(Z3_context);

// SAFETY: a Z3 context has no ties to the thread that made it. The pointer is shared with
// `InterruptHandle` only, which calls nothing but `Z3_interrupt`.
unsafe impl Send for ContextPtr {}
// SAFETY: through a shared reference only `Z3_interrupt` is ever called (see `InterruptHandle`).
unsafe impl Sync for ContextPtr {}

impl Drop for ContextPtr {
    fn drop(&mut self) {
        // SAFETY: the last owner of the context drops it; every reference that the engine counted
        // was let go before (`Engine`'s own drop runs first) or belongs to this context alone.
        unsafe { Z3_del_context(self.0) }
    }
}

/// Stops what a context is doing, from any thread.
#[derive(Clone)]
pub(crate) struct InterruptHandle(Arc<ContextPtr>);

impl InterruptHandle {
    /// Asks the running check, if any, to stop.
    pub(crate) fn interrupt(&self) {
        // SAFETY: the context lives as long as `self`, and `Z3_interrupt` may be called at any time
        // from any thread.
        unsafe { Z3_interrupt(self.0.0) }
    }
}

/// One context with one solver.
pub(crate) struct Engine {
    context: Arc<ContextPtr>,
    solver: Z3_solver,
    asts: Vec<Z3_ast>,
    sorts: Vec<Z3_sort>,
    decls: Vec<Z3_func_decl>,
    models: Vec<Option<Z3_model>>,
    dropped: Arc<Mutex<Vec<usize>>>,
}

// SAFETY: all pointers belong to the one context, which may move between threads as a whole.
unsafe impl Send for Engine {}

impl Drop for Engine {
    fn drop(&mut self) {
        let c = self.context.0;
        // SAFETY: every table entry owns one reference count, given back exactly once here.
        unsafe {
            for m in self.models.drain(..).flatten() {
                Z3_model_dec_ref(c, m);
            }
            for a in self.asts.drain(..) {
                Z3_dec_ref(c, a);
            }
            Z3_solver_dec_ref(c, self.solver);
        }
    }
}

/// Copies a string of Z3, which is valid until the next call only.
///
/// # Safety
/// `s` is null or points to a C string.
unsafe fn copy(s: Z3_string) -> String {
    if s.is_null() {
        return String::new();
    }
    // SAFETY: the caller says so.
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}

fn c_string(s: &str) -> CString {
    // A name with a NUL byte cannot be given to C; distinct names are made distinct by the callers' suffix.
    CString::new(s.replace('\0', "\\0")).unwrap_or_default()
}

/// Z3's version.
pub(crate) fn version() -> String {
    // SAFETY: returns a static string.
    unsafe { copy(Z3_get_full_version()) }
}

/// A solver for a logic, whose reference the caller owns.
///
/// # Safety
/// The context is alive.
unsafe fn new_solver(c: Z3_context, logic: Option<&str>) -> Z3Result<Z3_solver> {
    // SAFETY: the caller says so, and the reference is counted.
    unsafe {
        let solver = match logic {
            Some(l) => Z3_mk_string_symbol(c, c_string(l).as_ptr()).and_then(|l| Z3_mk_solver_for_logic(c, l)),
            None => Z3_mk_solver(c),
        };
        let Some(solver) = solver else { return Err(last_error(c)) };
        Z3_solver_inc_ref(c, solver);
        Ok(solver)
    }
}

impl Engine {
    /// A context and a solver for a logic.
    pub(crate) fn new(logic: Option<&str>) -> Z3Result<Engine> {
        // SAFETY: plain creation; the configuration is deleted right after its only use, the error
        // handler is cleared before anything can fail, and the solver's reference is counted.
        unsafe {
            Z3_toggle_warning_messages(false);
            let config = Z3_mk_config().ok_or_else(|| Z3Error("no configuration".into()))?;
            let context = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let c = context.ok_or_else(|| Z3Error("no context".into()))?;
            Z3_set_error_handler(c, None);
            let context = Arc::new(ContextPtr(c));
            let solver = new_solver(c, logic)?;
            Ok(Engine {
                context,
                solver,
                asts: Vec::new(),
                sorts: Vec::new(),
                decls: Vec::new(),
                models: Vec::new(),
                dropped: Arc::default(),
            })
        }
    }

    /// Puts a new solver in the place of the old one, without its assertions. Expressions stay as they are.
    pub(crate) fn renew(&mut self, logic: Option<&str>) -> Z3Result<()> {
        let c = self.c();
        // SAFETY: the context is alive; the old solver's reference is given back once, the new one's is owned.
        unsafe {
            let solver = new_solver(c, logic)?;
            Z3_solver_dec_ref(c, self.solver);
            self.solver = solver;
        }
        Ok(())
    }

    pub(crate) fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle(self.context.clone())
    }

    fn c(&self) -> Z3_context {
        self.context.0
    }

    /// The error of the last call, if there was one.
    fn check(&self) -> Z3Result<()> {
        // SAFETY: the context is alive.
        if unsafe { error_code(self.c()) } == 0 { Ok(()) } else { Err(last_error(self.c())) }
    }

    fn keep(&mut self, a: Option<Z3_ast>) -> Z3Result<Ast> {
        let Some(a) = a else { return Err(last_error(self.c())) };
        let id = u32::try_from(self.asts.len()).map_err(|_| Z3Error("too many expressions".into()))?;
        // SAFETY: `a` was just returned by this context and is alive until its next call.
        unsafe { Z3_inc_ref(self.c(), a) };
        self.asts.push(a);
        Ok(Ast(id))
    }

    fn keep_sort(&mut self, s: Option<Z3_sort>) -> Z3Result<SortRef> {
        let Some(s) = s else { return Err(last_error(self.c())) };
        if let Some(i) = self.sorts.iter().rposition(|&e| e == s) {
            return Ok(SortRef(i as u32));
        }
        // SAFETY: `s` was just returned by this context. The count is never given back: sorts are
        // few and live as long as the context.
        unsafe { Z3_sort_to_ast(self.c(), s).map(|a| Z3_inc_ref(self.c(), a)) };
        self.sorts.push(s);
        Ok(SortRef(self.sorts.len() as u32 - 1))
    }

    fn keep_decl(&mut self, d: Option<Z3_func_decl>) -> Z3Result<Decl> {
        let Some(d) = d else { return Err(last_error(self.c())) };
        // Models mention the same few declarations again and again.
        if let Some(i) = self.decls.iter().rposition(|&e| e == d) {
            return Ok(Decl(i as u32));
        }
        // SAFETY: as for sorts.
        unsafe { Z3_func_decl_to_ast(self.c(), d).map(|a| Z3_inc_ref(self.c(), a)) };
        self.decls.push(d);
        Ok(Decl(self.decls.len() as u32 - 1))
    }

    fn ast(&self, a: Ast) -> Z3Result<Z3_ast> {
        self.asts.get(a.0 as usize).copied().ok_or_else(|| Z3Error("stale expression".into()))
    }

    fn sort(&self, s: SortRef) -> Z3Result<Z3_sort> {
        self.sorts.get(s.0 as usize).copied().ok_or_else(|| Z3Error("stale sort".into()))
    }

    fn decl(&self, d: Decl) -> Z3Result<Z3_func_decl> {
        self.decls.get(d.0 as usize).copied().ok_or_else(|| Z3Error("stale declaration".into()))
    }

    fn all(&self, args: &[Ast]) -> Z3Result<Vec<Z3_ast>> {
        args.iter().map(|&a| self.ast(a)).collect()
    }

    fn symbol(&self, name: &str) -> Z3Result<Z3_symbol> {
        // SAFETY: the string outlives the call; symbols live as long as the context.
        unsafe { Z3_mk_string_symbol(self.c(), c_string(name).as_ptr()) }.ok_or_else(|| last_error(self.c()))
    }

    /// How many expressions are kept; to be given to [`Engine::release`].
    pub(crate) fn mark(&self) -> usize {
        self.asts.len()
    }

    /// Lets go of all expressions made since the mark.
    pub(crate) fn release(&mut self, mark: usize) {
        for a in self.asts.drain(mark.min(self.asts.len())..) {
            // SAFETY: the entry owned one count and is gone now.
            unsafe { Z3_dec_ref(self.context.0, a) };
        }
    }
}

fn last_error(c: Z3_context) -> Z3Error {
    // SAFETY: the context is alive; the message is copied before the next call.
    unsafe {
        let code = error_code(c);
        Z3Error(if code == 0 { "no result".into() } else { copy(error_message(c, code)) })
    }
}

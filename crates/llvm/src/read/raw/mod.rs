//! The one place that calls LLVM's C interface: a memory-safe view of one module, for reading only.
//!
//! In: bytes (bitcode or text). Out: handles ([`Value`], [`Ty`], [`Block`], [`Meta`]) and plain data.
//!
//! What always holds:
//! - LLVM trusts its caller: a question about the wrong kind of value is undefined behaviour. So each
//!   method looks at the kind first and answers `None`, zero or nothing where the question makes no sense;
//! - a handle borrows from its [`Session`]. While handles exist nothing in the module is changed, and
//!   nothing is freed before the session ends;
//! - a session is used by one thread; LLVM keeps everything of it in a context of its own.
#![allow(unsafe_code)] // the calls of the C interface; each block says why it is sound

mod meta;
mod probe;
mod value;

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::Once;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::target::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMModule, LLVMOpaqueMetadata, LLVMType, LLVMUnnamedAddr, LLVMValue};
pub(crate) use meta::MetaOperand;
pub(crate) use probe::survives;

unsafe extern "C" {
    // Declared anew because the binding crate returns Rust enums: a number that it does not know would
    // be undefined behaviour. An integer takes every answer of every version.
    #[link_name = "LLVMGetValueKind"]
    fn value_kind(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetTypeKind"]
    fn type_kind(t: LLVMTypeRef) -> c_uint;
    #[link_name = "LLVMGetInstructionOpcode"]
    fn instruction_opcode(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetConstOpcode"]
    fn constant_opcode(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetICmpPredicate"]
    fn icmp_predicate(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetFCmpPredicate"]
    fn fcmp_predicate(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetMetadataKind"]
    fn metadata_kind(m: LLVMMetadataRef) -> c_uint;
    #[link_name = "LLVMGetLinkage"]
    fn linkage(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetOrdering"]
    fn ordering(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetAtomicRMWBinOp"]
    fn rmw_operation(v: LLVMValueRef) -> c_uint;
    #[link_name = "LLVMGetDiagInfoSeverity"]
    fn diagnostic_severity(d: LLVMDiagnosticInfoRef) -> c_uint;
}

/// A table of numbers of the C interface: an enum of our own, and the way to it.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $number:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum $name { $($variant,)* Unknown }

        impl $name {
            fn from_number(n: c_uint) -> $name {
                match n { $($number => $name::$variant,)* _ => $name::Unknown }
            }
        }
    };
}

numbered!(
    /// What a value is.
    ValueKind {
        Argument = 0, BasicBlock = 1, Function = 5, Alias = 6, IFunc = 7, GlobalVariable = 8, BlockAddress = 9, ConstantExpr = 10,
        ConstantArray = 11, ConstantStruct = 12, ConstantVector = 13, Undef = 14, AggregateZero = 15, DataArray = 16,
        DataVector = 17, ConstantInt = 18, ConstantFp = 19, NullPointer = 20, TokenNone = 21, MetadataAsValue = 22,
        InlineAsm = 23, Instruction = 24, Poison = 25, TargetNone = 26, PtrAuth = 27,
    }
);

numbered!(
    /// What a type is.
    TyKind {
        Void = 0, Half = 1, Single = 2, Double = 3, X86Extended = 4, Quad = 5, PpcPair = 6, Label = 7, Integer = 8,
        Function = 9, Struct = 10, Array = 11, Pointer = 12, Vector = 13, Metadata = 14, X86Mmx = 15, Token = 16,
        ScalableVector = 17, BFloat = 18, X86Amx = 19, TargetExtension = 20,
    }
);

numbered!(
    /// What an instruction or a constant expression does.
    Opcode {
        Ret = 1, Br = 2, Switch = 3, IndirectBr = 4, Invoke = 5, Unreachable = 7, Add = 8, FAdd = 9, Sub = 10, FSub = 11,
        Mul = 12, FMul = 13, UDiv = 14, SDiv = 15, FDiv = 16, URem = 17, SRem = 18, FRem = 19, Shl = 20, LShr = 21,
        AShr = 22, And = 23, Or = 24, Xor = 25, Alloca = 26, Load = 27, Store = 28, GetElementPtr = 29, Trunc = 30,
        ZExt = 31, SExt = 32, FpToUi = 33, FpToSi = 34, UiToFp = 35, SiToFp = 36, FpTrunc = 37, FpExt = 38, PtrToInt = 39,
        IntToPtr = 40, BitCast = 41, ICmp = 42, FCmp = 43, Phi = 44, Call = 45, Select = 46, VaArg = 49,
        ExtractElement = 50, InsertElement = 51, ShuffleVector = 52, ExtractValue = 53, InsertValue = 54, Fence = 55,
        CompareExchange = 56, AtomicRmw = 57, Resume = 58, LandingPad = 59, AddrSpaceCast = 60, CleanupRet = 61,
        CatchRet = 62, CatchPad = 63, CleanupPad = 64, CatchSwitch = 65, FNeg = 66, CallBr = 67, Freeze = 68,
    }
);

numbered!(
    /// What a node of the debug information is.
    MetaKind {
        String = 0, Constant = 1, Local = 2, Placeholder = 3, Tuple = 4, Location = 5, Expression = 6,
        GlobalVariableExpression = 7, Subrange = 9, Enumerator = 10, BasicType = 11, DerivedType = 12, CompositeType = 13,
        SubroutineType = 14, File = 15, CompileUnit = 16, Subprogram = 17, LexicalBlock = 18, LexicalBlockFile = 19,
        Namespace = 20, Module = 21, GlobalVariable = 24, LocalVariable = 25, Label = 26, CommonBlock = 31,
        StringType = 32, ArgList = 34,
    }
);

/// A module that LLVM holds, and all that belongs to it.
pub(crate) struct Session {
    context: LLVMContextRef,
    module: *mut LLVMModule,
    /// Modules that are not linked yet, in order, each with the number of files that it is made of.
    parts: Vec<(u32, *mut LLVMModule)>,
    layout: LLVMTargetDataRef,
    attributes: Attributes,
    /// The expression without operations; LLVM has it once.
    plain_expression: *mut LLVMOpaqueMetadata,
    messages: *mut Vec<String>,
}

/// The numbers of the attributes that matter.
#[derive(Clone, Copy)]
struct Attributes {
    byval: c_uint,
    align: c_uint,
    elementtype: c_uint,
    sret: c_uint,
    signext: c_uint,
    noundef: c_uint,
    noreturn: c_uint,
    naked: c_uint,
}

/// What `llvm.dbg.…` and other intrinsics are told apart by.
#[derive(Clone, Copy)]
pub(crate) struct Intrinsics {
    pub declare: u32,
    pub value: u32,
    pub label: u32,
    pub assign: u32,
}

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // SAFETY: LLVM passes a living diagnostic, and the pointer that `Session::new` gave it: a vector that
    // lives as long as the context and that nobody else borrows during a call into LLVM.
    unsafe {
        const ERROR: c_uint = 0;
        if diagnostic_severity(info) == ERROR {
            let text = take_message(LLVMGetDiagInfoDescription(info));
            (*messages.cast::<Vec<String>>()).push(text);
        }
    }
}

/// Takes over a message that LLVM allocated.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: by the caller's promise a NUL-terminated string that we own.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// Copies a string of LLVM that is given by its start and its length.
unsafe fn copy_text(start: *const c_char, length: usize) -> String {
    if start.is_null() || length == 0 {
        return String::new();
    }
    // SAFETY: by the caller's promise `length` readable bytes.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }).into_owned()
}

/// Sets LLVM's options, which are there once in a process.
///
/// Debug information that is broken would be reported on standard error and then left out, and names and labels
/// with it; `Session::check` finds it too, and says so to the caller.
fn set_options() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let arguments = [c"lariat".as_ptr(), c"-disable-auto-upgrade-debug-info".as_ptr()];
        // SAFETY: two strings that live forever, and their number.
        unsafe { LLVMParseCommandLineOptions(arguments.len() as c_int, arguments.as_ptr(), ptr::null()) };
    });
}

fn attribute(name: &str) -> c_uint {
    // SAFETY: a name with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// In which order modules are linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkOrder {
    /// Pairs, then pairs of pairs: LLVM looks at all of the first module each time.
    Balanced,
    /// Each with all before it, so that an error names the first one that does not fit.
    OneByOne,
}

impl Session {
    pub(crate) fn new() -> Session {
        set_options();
        // SAFETY: the context is new; the handler's argument is a leaked vector, freed after the context.
        unsafe {
            let context = LLVMContextCreate();
            let messages: *mut Vec<String> = Box::into_raw(Box::default());
            LLVMContextSetDiagnosticHandler(context, Some(on_diagnostic), messages.cast());
            let attributes = Attributes {
                byval: attribute("byval"),
                align: attribute("align"),
                elementtype: attribute("elementtype"),
                sret: attribute("sret"),
                signext: attribute("signext"),
                noundef: attribute("noundef"),
                noreturn: attribute("noreturn"),
                naked: attribute("naked"),
            };
            Session {
                context,
                module: ptr::null_mut(),
                parts: Vec::new(),
                layout: ptr::null_mut(),
                attributes,
                plain_expression: ptr::null_mut(),
                messages,
            }
        }
    }

    /// The assembly outside of functions.
    pub(crate) fn inline_assembly(&self) -> String {
        let mut length = 0;
        // SAFETY: a living module; LLVM keeps the text and says how long it is.
        unsafe {
            let start = LLVMGetModuleInlineAsm(self.module, &mut length);
            copy_text(start, length)
        }
    }

    /// Reads bitcode or text, and checks it; or leaves that to the end, if LLVM wrote it just now.
    pub(crate) fn add(&mut self, bytes: &[u8], name: &str, check: bool) -> Result<(), String> {
        let part = self.parse_part(bytes, name, check)?;
        self.parts.push((1, part));
        Ok(())
    }

    /// Links the last parts as far as the order wants it now; all of them at the end.
    pub(crate) fn link(&mut self, order: LinkOrder, end: bool) -> Result<(), String> {
        while let [.., (count, into), (others, part)] = self.parts[..] {
            if !end && order == LinkOrder::Balanced && count != others {
                break;
            }
            self.parts.pop();
            // SAFETY: both modules live in this context, and no handle exists, since `self` is borrowed mutably. The
            // second one is no longer among the parts: it is disposed of, or linking takes it over.
            unsafe {
                let pointer = |module| LLVMPointerSize(LLVMGetModuleDataLayout(module));
                let (bits, others) = (pointer(into), pointer(part));
                if bits != others {
                    LLVMDisposeModule(part);
                    return Err(format!("pointers have {} bits, but {} in the files before", 8 * others, 8 * bits));
                }
                if LLVMLinkModules2(into, part) != 0 || self.has_errors() {
                    return Err(self.error_text(String::new()));
                }
            }
            if let Some((count, _)) = self.parts.last_mut() {
                *count += others;
            }
        }
        Ok(())
    }

    /// Lets further modules be added to one that was finished. No handle exists any more, since `self` is borrowed mutably.
    pub(crate) fn reopen(&mut self) {
        let module = std::mem::replace(&mut self.module, ptr::null_mut());
        if !module.is_null() {
            self.parts.push((1, module));
        }
    }

    /// Makes the linked module the one that is looked at, after a last check of it if one is due.
    pub(crate) fn finish(&mut self, check: bool) -> Result<(), String> {
        let Some((_, module)) = self.parts.pop() else { return Err("no module is given".into()) };
        self.module = module;
        // SAFETY: the module is there, and its layout lives as long as it does; the expression as long as the
        // context. The builder adds nothing else.
        unsafe {
            if check {
                self.check(module)?;
            }
            self.layout = LLVMGetModuleDataLayout(module);
            let builder = LLVMCreateDIBuilder(module);
            self.plain_expression = LLVMDIBuilderCreateExpression(builder, ptr::null_mut(), 0);
            LLVMDisposeDIBuilder(builder);
        }
        Ok(())
    }

    fn parse_part(&mut self, bytes: &[u8], name: &str, check: bool) -> Result<*mut LLVMModule, String> {
        let name = CString::new(name.replace('\0', " ")).unwrap_or_default();
        // SAFETY: LLVM copies the bytes (and ends them with a NUL, as its parser wants), owns the buffer
        // from the call on, and sets one of the two results. The module belongs to this context.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
            let failed = LLVMParseIRInContext(self.context, buffer, &mut module, &mut message) != 0;
            let message = take_message(message);
            if failed || module.is_null() {
                return Err(self.error_text(message));
            }
            let checked = if check { self.check(module) } else { Ok(()) };
            if let Err(error) = checked {
                LLVMDisposeModule(module);
                return Err(error);
            }
            // Debug records become calls again, the form that the C interface can read in full.
            LLVMSetIsNewDbgInfoFormat(module, 0);
            Ok(module)
        }
    }

    /// Is what LLVM has a proper module? All else here relies on it.
    unsafe fn check(&mut self, module: *mut LLVMModule) -> Result<(), String> {
        let mut message = ptr::null_mut();
        // SAFETY: a living module; LLVM allocates the message.
        let (broken, message) = unsafe {
            let broken = LLVMVerifyModule(module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) != 0;
            (broken, take_message(message))
        };
        if broken || self.has_errors() { Err(self.error_text(message)) } else { Ok(()) }
    }

    fn has_errors(&self) -> bool {
        // SAFETY: our vector, borrowed for this moment.
        unsafe { !(*self.messages).is_empty() }
    }

    fn error_text(&mut self, first: String) -> String {
        // SAFETY: our vector, borrowed for this moment.
        let others = unsafe { std::mem::take(&mut *self.messages) };
        let mut parts: Vec<String> = std::iter::once(first).chain(others).map(|m| m.trim().to_string()).collect();
        parts.retain(|m| !m.is_empty());
        if parts.is_empty() { "LLVM gives no reason".to_string() } else { parts.join("\n") }
    }

    fn value(&self, raw: *mut LLVMValue) -> Option<Value<'_>> {
        (!raw.is_null()).then_some(Value { raw, session: self })
    }

    fn list(
        &self,
        first: unsafe extern "C" fn(LLVMModuleRef) -> LLVMValueRef,
        next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
    ) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the list functions of a living module, called with what they returned.
        let first = self.value(unsafe { first(self.module) });
        std::iter::successors(first, move |v| self.value(unsafe { next(v.raw) }))
    }

    /// The global variables.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        self.list(LLVMGetFirstGlobal, LLVMGetNextGlobal)
    }

    /// The functions, defined or declared.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        self.list(LLVMGetFirstFunction, LLVMGetNextFunction)
    }

    /// The functions whose code is chosen when the program starts.
    pub(crate) fn ifuncs(&self) -> impl Iterator<Item = Value<'_>> {
        self.list(LLVMGetFirstGlobalIFunc, LLVMGetNextGlobalIFunc)
    }

    /// Pointer width in bits.
    pub(crate) fn pointer_bits(&self) -> u32 {
        // SAFETY: the layout of the living module.
        unsafe { 8 * LLVMPointerSize(self.layout) }
    }

    /// Least significant byte first?
    pub(crate) fn is_little_endian(&self) -> bool {
        const LITTLE: c_uint = 1;
        // SAFETY: the layout of the living module.
        unsafe { LLVMByteOrder(self.layout) as c_uint == LITTLE }
    }

    /// How the debug intrinsics are numbered.
    pub(crate) fn intrinsics(&self) -> Intrinsics {
        // SAFETY: a name with its length.
        let find = |name: &str| unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
        Intrinsics {
            declare: find("llvm.dbg.declare"),
            value: find("llvm.dbg.value"),
            label: find("llvm.dbg.label"),
            assign: find("llvm.dbg.assign"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: created by this session, freed once; the handler's argument goes last.
        unsafe {
            for (_, part) in self.parts.drain(..) {
                LLVMDisposeModule(part);
            }
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
            drop(Box::from_raw(self.messages));
        }
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($raw:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name<'s> {
            raw: *mut $raw,
            session: &'s Session,
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.raw == other.raw
            }
        }

        impl Eq for $name<'_> {}

        impl std::hash::Hash for $name<'_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.raw.hash(state);
            }
        }
    };
}

handle!(
    /// A value of the module: a constant, a global, an instruction, …
    Value(LLVMValue)
);
handle!(
    /// A type of the module.
    Ty(LLVMType)
);
handle!(
    /// A node of the debug information.
    Meta(LLVMOpaqueMetadata)
);

/// A block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'s> {
    raw: LLVMBasicBlockRef,
    session: PhantomData<&'s ()>,
}

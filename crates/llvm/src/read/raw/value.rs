//! Questions about values, types and blocks. See the module above for what makes the calls sound.

use super::*;

impl<'s> Value<'s> {
    fn other(&self, raw: *mut LLVMValue) -> Option<Value<'s>> {
        self.session.value(raw)
    }

    /// What it is.
    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: a living value.
        ValueKind::from_number(unsafe { value_kind(self.raw) })
    }

    /// Its type.
    pub(crate) fn ty(self) -> Ty<'s> {
        // SAFETY: a living value; every value has a type.
        Ty { raw: unsafe { LLVMTypeOf(self.raw) }, session: self.session }
    }

    /// Its name, possibly empty.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: a living value; LLVM gives start and length of its name.
        unsafe {
            let start = LLVMGetValueName2(self.raw, &mut length);
            copy_text(start, length)
        }
    }

    /// The same value as a debug-information node, if it is one.
    pub(crate) fn meta(self) -> Option<Meta<'s>> {
        if self.kind() != ValueKind::MetadataAsValue {
            return None;
        }
        // SAFETY: a living value that wraps a node.
        self.session.meta(unsafe { LLVMValueAsMetadata(self.raw) })
    }

    fn has_operands(self) -> bool {
        use ValueKind::*;
        !matches!(self.kind(), Argument | BasicBlock | MetadataAsValue | InlineAsm | Unknown)
    }

    /// How many operands it has.
    pub(crate) fn operand_count(self) -> u32 {
        if !self.has_operands() {
            return 0;
        }
        // SAFETY: a living value with operands; their number is never negative.
        u32::try_from(unsafe { LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    /// An operand.
    pub(crate) fn operand(self, index: u32) -> Option<Value<'s>> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: a living value that has this operand.
        self.other(unsafe { LLVMGetOperand(self.raw, index) })
    }

    // ---- Constants ----

    /// The low 64 bits of an integer constant.
    pub(crate) fn low_word(self) -> Option<u64> {
        // SAFETY: a living integer constant of at most 64 bits; wider ones go by their text.
        match self.int_bits()? {
            0..=64 => Some(unsafe { LLVMConstIntGetZExtValue(self.raw) }),
            _ => self.words().map(|w| w[0]),
        }
    }

    /// The value of an integer constant with its sign, cut to 64 bits.
    pub(crate) fn signed(self) -> Option<i64> {
        let (bits, word) = (self.int_bits()?, self.low_word()?);
        if bits >= 64 {
            return Some(word as i64);
        }
        Some(if bits == 0 { 0 } else { ((word << (64 - bits)) as i64) >> (64 - bits) })
    }

    fn int_bits(self) -> Option<u32> {
        if self.kind() != ValueKind::ConstantInt { None } else { self.ty().int_bits() }
    }

    /// An integer constant, as little-endian words.
    pub(crate) fn words(self) -> Option<Vec<u64>> {
        let bits = self.int_bits()?;
        if bits <= 64 {
            return Some(vec![self.low_word()?]);
        }
        // The C interface has no other way to a wide number than its text: `i128 -5`.
        let text = self.text();
        let digits = text.rsplit(' ').next()?;
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, digits),
        };
        let mut words = vec![0u64; bits.div_ceil(64) as usize];
        for digit in digits.bytes() {
            let mut carry = u128::from(digit.checked_sub(b'0').filter(|d| *d < 10)?);
            for word in &mut words {
                carry += u128::from(*word) * 10;
                *word = carry as u64;
                carry >>= 64;
            }
        }
        if negative {
            let mut carry = true;
            for word in &mut words {
                (*word, carry) = (!*word).overflowing_add(u64::from(carry));
            }
        }
        if bits % 64 != 0 {
            *words.last_mut()? &= (1 << (bits % 64)) - 1;
        }
        Some(words)
    }

    /// A floating-point constant as an integer constant with the same bits.
    pub(crate) fn float_bits(self) -> Option<Value<'s>> {
        if self.kind() != ValueKind::ConstantFp {
            return None;
        }
        let bits = match self.ty().kind() {
            TyKind::Half | TyKind::BFloat => 16,
            TyKind::Single => 32,
            TyKind::Double => 64,
            TyKind::X86Extended => 80,
            TyKind::Quad => 128,
            _ => return None,
        };
        // SAFETY: a living constant and a type of the same width in the same context: a valid conversion,
        // which LLVM carries out at once. It adds to the context and changes nothing.
        let cast = unsafe { LLVMConstBitCast(self.raw, LLVMIntTypeInContext(self.session.context, bits)) };
        self.other(cast).filter(|v| v.kind() == ValueKind::ConstantInt)
    }

    /// A member of a constant array, vector or structure.
    pub(crate) fn element(self, index: u32) -> Option<Value<'s>> {
        use ValueKind::*;
        match self.kind() {
            ConstantArray | ConstantStruct | ConstantVector => self.operand(index),
            DataArray | DataVector if u64::from(index) < self.ty().len() => {
                // SAFETY: a living packed constant that has this element.
                self.other(unsafe { LLVMGetAggregateElement(self.raw, index) })
            }
            _ => None,
        }
    }

    /// The bytes of a constant array of bytes.
    pub(crate) fn bytes(self) -> Option<Vec<u8>> {
        // SAFETY: a living packed array of bytes; LLVM gives start and length of its data.
        unsafe {
            if self.kind() != ValueKind::DataArray || LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetAsString(self.raw, &mut length);
            Some(if length == 0 { Vec::new() } else { std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec() })
        }
    }

    /// The function and the block of a label's address.
    pub(crate) fn label(self) -> Option<(Value<'s>, Block<'s>)> {
        if self.kind() != ValueKind::BlockAddress {
            return None;
        }
        // SAFETY: a living label address.
        let (function, block) =
            unsafe { (LLVMGetBlockAddressFunction(self.raw), LLVMGetBlockAddressBasicBlock(self.raw)) };
        Some((self.other(function)?, Block::new(block)?))
    }

    /// What LLVM prints for it. Only for things that are small.
    fn text(self) -> String {
        // SAFETY: a living value; the text is ours.
        unsafe { take_message(LLVMPrintValueToString(self.raw)) }
    }

    // ---- Globals and functions ----

    fn is_global(self) -> bool {
        use ValueKind::*;
        matches!(self.kind(), Function | Alias | IFunc | GlobalVariable)
    }

    /// The type of what a global holds; a function's own type.
    pub(crate) fn content_type(self) -> Option<Ty<'s>> {
        // SAFETY: a living global.
        self.is_global().then(|| Ty { raw: unsafe { LLVMGlobalGetValueType(self.raw) }, session: self.session })
    }

    /// What an alias stands for.
    pub(crate) fn aliasee(self) -> Option<Value<'s>> {
        // SAFETY: a living alias.
        if self.kind() == ValueKind::Alias { self.other(unsafe { LLVMAliasGetAliasee(self.raw) }) } else { None }
    }

    /// The initial value of a global variable.
    pub(crate) fn initializer(self) -> Option<Value<'s>> {
        // SAFETY: a living global variable.
        if self.kind() == ValueKind::GlobalVariable {
            self.other(unsafe { LLVMGetInitializer(self.raw) })
        } else {
            None
        }
    }

    /// Is this global variable never written?
    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: a living global variable.
        self.kind() == ValueKind::GlobalVariable && unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Is a global only referred to, and may be missing?
    pub(crate) fn is_weak_reference(self) -> bool {
        const EXTERNAL_WEAK: c_uint = 12;
        // SAFETY: a living global.
        self.is_global() && unsafe { linkage(self.raw) == EXTERNAL_WEAK }
    }

    /// The section that a global variable is put into, or nothing.
    pub(crate) fn section(self) -> String {
        if self.kind() != ValueKind::GlobalVariable {
            return String::new();
        }
        // SAFETY: a living global; LLVM keeps the text, or gives null.
        unsafe {
            let start = LLVMGetSection(self.raw);
            if start.is_null() { String::new() } else { CStr::from_ptr(start).to_string_lossy().into_owned() }
        }
    }

    /// The function that chooses what an `ifunc` stands for.
    pub(crate) fn resolver(self) -> Option<Value<'s>> {
        // SAFETY: a living `ifunc`.
        if self.kind() == ValueKind::IFunc { self.other(unsafe { LLVMGetGlobalIFuncResolver(self.raw) }) } else { None }
    }

    /// Does each thread have its own?
    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: a living global variable.
        self.kind() == ValueKind::GlobalVariable && unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// May it share its address with another constant?
    pub(crate) fn is_unnamed(self) -> bool {
        // SAFETY: a living global variable.
        self.kind() == ValueKind::GlobalVariable
            && unsafe { LLVMGetUnnamedAddress(self.raw) } == LLVMUnnamedAddr::LLVMGlobalUnnamedAddr
    }

    /// The debug information that hangs on a global.
    pub(crate) fn global_meta(self) -> Vec<Meta<'s>> {
        if !self.is_global() {
            return Vec::new();
        }
        const DEBUG: c_uint = 0;
        // SAFETY: a living global; the entries are ours, and each index is below their number.
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &mut count);
            let mut result = Vec::new();
            for i in 0..u32::try_from(count).unwrap_or(0) {
                if LLVMValueMetadataEntriesGetKind(entries, i) == DEBUG {
                    result.extend(self.session.meta(LLVMValueMetadataEntriesGetMetadata(entries, i)));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            result
        }
    }

    fn is_function(self) -> bool {
        self.kind() == ValueKind::Function
    }

    /// The number of an intrinsic function; 0 for others.
    pub(crate) fn intrinsic(self) -> u32 {
        // SAFETY: a living function.
        if self.is_function() { unsafe { LLVMGetIntrinsicID(self.raw) } } else { 0 }
    }

    /// The parameters of a function.
    pub(crate) fn params(self) -> impl Iterator<Item = Value<'s>> {
        // SAFETY: a living function, and indices below the number of its parameters.
        let count = if self.is_function() { unsafe { LLVMCountParams(self.raw) } } else { 0 };
        (0..count).filter_map(move |i| self.other(unsafe { LLVMGetParam(self.raw, i) }))
    }

    /// The blocks of a function, the entry first.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block<'s>> {
        // SAFETY: a living function, and blocks that LLVM returned.
        let first = if self.is_function() { Block::new(unsafe { LLVMGetFirstBasicBlock(self.raw) }) } else { None };
        std::iter::successors(first, |b| Block::new(unsafe { LLVMGetNextBasicBlock(b.raw) }))
    }

    /// The subprogram that describes a function.
    pub(crate) fn subprogram(self) -> Option<Meta<'s>> {
        // SAFETY: a living function.
        if self.is_function() { self.session.meta(unsafe { LLVMGetSubprogram(self.raw) }) } else { None }
    }

    fn function_attribute(self, index: c_uint, kind: c_uint) -> Option<LLVMAttributeRef> {
        // SAFETY: a living function; LLVM answers null for an attribute that is not there.
        let found = if self.is_function() {
            unsafe { LLVMGetEnumAttributeAtIndex(self.raw, index, kind) }
        } else if self.is_call() {
            // SAFETY: a living call.
            unsafe { LLVMGetCallSiteEnumAttribute(self.raw, index, kind) }
        } else {
            return None;
        };
        (!found.is_null()).then_some(found)
    }

    fn type_attribute(self, param: u32, kind: c_uint) -> Option<Ty<'s>> {
        let found = self.function_attribute(param + 1, kind)?;
        // SAFETY: a living attribute that carries a type.
        unsafe {
            (LLVMIsTypeAttribute(found) != 0)
                .then(|| Ty { raw: LLVMGetTypeAttributeValue(found), session: self.session })
                .filter(|t| !t.raw.is_null())
        }
    }

    /// The type of the hidden copy that a parameter (of a function or call) is passed by.
    pub(crate) fn byval(self, param: u32) -> Option<Ty<'s>> {
        self.type_attribute(param, self.session.attributes.byval)
    }

    /// The alignment of the place that a parameter points to, if it is said.
    pub(crate) fn align(self, param: u32) -> u32 {
        let found = self.function_attribute(param + 1, self.session.attributes.align);
        // SAFETY: a living attribute that carries a number.
        found.map_or(0, |found| unsafe { LLVMGetEnumAttributeValue(found) } as u32)
    }

    /// The type of what is at the place that a parameter points to.
    pub(crate) fn element_type(self, param: u32) -> Option<Ty<'s>> {
        self.type_attribute(param, self.session.attributes.elementtype)
    }

    /// The type of the result that a parameter points to the place of.
    pub(crate) fn sret(self, param: u32) -> Option<Ty<'s>> {
        self.type_attribute(param, self.session.attributes.sret)
    }

    /// Is a parameter extended with its sign?
    pub(crate) fn is_signext(self, param: u32) -> bool {
        self.function_attribute(param + 1, self.session.attributes.signext).is_some()
    }

    /// Is a parameter never undefined? The result is, if no parameter is named.
    pub(crate) fn is_noundef(self, param: Option<u32>) -> bool {
        let index = param.map_or(0, |param| param + 1);
        self.function_attribute(index, self.session.attributes.noundef).is_some()
    }

    /// Is a function declared never to return?
    pub(crate) fn is_noreturn(self) -> bool {
        self.function_attribute(LLVMAttributeFunctionIndex, self.session.attributes.noreturn).is_some()
    }

    /// Is the body of a function nothing but assembly?
    pub(crate) fn is_naked(self) -> bool {
        self.function_attribute(LLVMAttributeFunctionIndex, self.session.attributes.naked).is_some()
    }

    /// The number of a function's calling convention, or 0.
    pub(crate) fn calling_convention(self) -> u32 {
        if self.kind() != ValueKind::Function {
            return 0;
        }
        // SAFETY: a living function.
        unsafe { LLVMGetFunctionCallConv(self.raw) }
    }

    // ---- Instructions and constant expressions ----

    /// What an instruction or a constant expression does.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        match self.kind() {
            // SAFETY: a living instruction.
            ValueKind::Instruction => Some(Opcode::from_number(unsafe { instruction_opcode(self.raw) })),
            // SAFETY: a living constant expression.
            ValueKind::ConstantExpr => Some(Opcode::from_number(unsafe { constant_opcode(self.raw) })),
            _ => None,
        }
    }

    fn is(self, opcode: Opcode) -> bool {
        self.opcode() == Some(opcode)
    }

    fn is_instruction(self, opcodes: &[Opcode]) -> bool {
        self.kind() == ValueKind::Instruction && self.opcode().is_some_and(|o| opcodes.contains(&o))
    }

    /// Where an instruction stands in the source.
    pub(crate) fn location(self) -> Option<Meta<'s>> {
        if self.kind() != ValueKind::Instruction {
            return None;
        }
        // SAFETY: a living instruction.
        self.session.meta(unsafe { LLVMInstructionGetDebugLoc(self.raw) })
    }

    /// Signed overflow is undefined.
    pub(crate) fn nsw(self) -> bool {
        use Opcode::*;
        // SAFETY: a living instruction that has the flag.
        self.is_instruction(&[Add, Sub, Mul, Shl]) && unsafe { LLVMGetNSW(self.raw) != 0 }
    }

    /// Unsigned overflow is undefined.
    pub(crate) fn nuw(self) -> bool {
        use Opcode::*;
        // SAFETY: a living instruction that has the flag.
        self.is_instruction(&[Add, Sub, Mul, Shl]) && unsafe { LLVMGetNUW(self.raw) != 0 }
    }

    /// A remainder is undefined.
    pub(crate) fn exact(self) -> bool {
        use Opcode::*;
        // SAFETY: a living instruction that has the flag.
        self.is_instruction(&[UDiv, SDiv, LShr, AShr]) && unsafe { LLVMGetExact(self.raw) != 0 }
    }

    /// The predicate of an integer comparison, by its number.
    pub(crate) fn int_predicate(self) -> Option<u32> {
        // SAFETY: a living comparison.
        self.is_instruction(&[Opcode::ICmp]).then(|| unsafe { icmp_predicate(self.raw) })
    }

    /// The predicate of a float comparison, by its number.
    pub(crate) fn float_predicate(self) -> Option<u32> {
        // SAFETY: a living comparison.
        self.is_instruction(&[Opcode::FCmp]).then(|| unsafe { fcmp_predicate(self.raw) })
    }

    /// May a memory access be seen from outside, or change by itself?
    pub(crate) fn is_volatile(self) -> bool {
        use Opcode::*;
        // SAFETY: a living access of memory.
        self.is_instruction(&[Load, Store, AtomicRmw, CompareExchange]) && unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// The alignment of a stack slot, of a global variable or that a load or store relies on; 0 if none is given.
    pub(crate) fn alignment(self) -> u32 {
        use Opcode::*;
        let known = self.is_instruction(&[Alloca, Load, Store]) || self.kind() == ValueKind::GlobalVariable;
        // SAFETY: a living value that has an alignment.
        if known { unsafe { LLVMGetAlignment(self.raw) } } else { 0 }
    }

    /// Is a load or store atomic?
    pub(crate) fn is_atomic(self) -> bool {
        // SAFETY: a living load or store.
        self.is_instruction(&[Opcode::Load, Opcode::Store]) && unsafe { ordering(self.raw) != 0 }
    }

    /// The operation of an atomic update, by its number.
    pub(crate) fn atomic_operation(self) -> Option<u32> {
        // SAFETY: a living atomic update.
        self.is_instruction(&[Opcode::AtomicRmw]).then(|| unsafe { rmw_operation(self.raw) })
    }

    /// The element type of an `alloca`.
    pub(crate) fn allocated(self) -> Option<Ty<'s>> {
        self.is_instruction(&[Opcode::Alloca])
            // SAFETY: a living allocation.
            .then(|| Ty { raw: unsafe { LLVMGetAllocatedType(self.raw) }, session: self.session })
    }

    /// The type that an address computation indexes, and whether it must stay inside the object.
    pub(crate) fn gep(self) -> Option<(Ty<'s>, bool)> {
        if !self.is(Opcode::GetElementPtr) {
            return None;
        }
        // SAFETY: a living address computation, instruction or constant.
        unsafe {
            let element = Ty { raw: LLVMGetGEPSourceElementType(self.raw), session: self.session };
            Some((element, LLVMIsInBounds(self.raw) != 0))
        }
    }

    fn is_call(self) -> bool {
        self.is_instruction(&[Opcode::Call, Opcode::Invoke, Opcode::CallBr])
    }

    /// Whom a call calls.
    pub(crate) fn callee(self) -> Option<Value<'s>> {
        // SAFETY: a living call.
        if self.is_call() { self.other(unsafe { LLVMGetCalledValue(self.raw) }) } else { None }
    }

    /// The type of function that a call assumes, and the number of arguments.
    pub(crate) fn call_type(self) -> Option<(Ty<'s>, u32)> {
        // SAFETY: a living call.
        self.is_call().then(|| unsafe {
            let ty = Ty { raw: LLVMGetCalledFunctionType(self.raw), session: self.session };
            (ty, LLVMGetNumArgOperands(self.raw))
        })
    }

    /// Text and constraints of inline assembly. In Intel's syntax it starts with the directive that says so.
    pub(crate) fn assembly(self) -> Option<(String, String)> {
        if self.kind() != ValueKind::InlineAsm {
            return None;
        }
        // SAFETY: living inline assembly; LLVM gives start and length of both.
        unsafe {
            let mut length = 0;
            let start = LLVMGetInlineAsmAsmString(self.raw, &mut length);
            let mut text = copy_text(start, length);
            let intel = LLVMGetInlineAsmDialect(self.raw) == llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel;
            if intel && !text.trim().is_empty() {
                text.insert_str(0, ".intel_syntax\n");
            }
            let start = LLVMGetInlineAsmConstraintString(self.raw, &mut length);
            Some((text, copy_text(start, length)))
        }
    }

    /// The incoming values of a phi.
    pub(crate) fn incoming(self) -> Vec<(Block<'s>, Value<'s>)> {
        if !self.is_instruction(&[Opcode::Phi]) {
            return Vec::new();
        }
        // SAFETY: a living phi, and indices below the number of its entries.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .filter_map(|i| {
                    let block = Block::new(LLVMGetIncomingBlock(self.raw, i))?;
                    Some((block, self.other(LLVMGetIncomingValue(self.raw, i))?))
                })
                .collect()
        }
    }

    /// The path to a member (`extractvalue`, `insertvalue`).
    pub(crate) fn member_path(self) -> Vec<u32> {
        if !self.is_instruction(&[Opcode::ExtractValue, Opcode::InsertValue]) {
            return Vec::new();
        }
        // SAFETY: a living instruction with a path; LLVM gives start and length.
        unsafe {
            let length = LLVMGetNumIndices(self.raw) as usize;
            if length == 0 { Vec::new() } else { std::slice::from_raw_parts(LLVMGetIndices(self.raw), length).to_vec() }
        }
    }

    /// The mask of a shuffle; negative numbers are undefined.
    pub(crate) fn shuffle_mask(self) -> Vec<c_int> {
        if !self.is_instruction(&[Opcode::ShuffleVector]) {
            return Vec::new();
        }
        // SAFETY: a living shuffle, and indices below the length of its mask.
        unsafe { (0..LLVMGetNumMaskElements(self.raw)).map(|i| LLVMGetMaskValue(self.raw, i)).collect() }
    }

    /// Does it end a block?
    pub(crate) fn is_terminator(self) -> bool {
        // SAFETY: a living value of any kind.
        self.kind() == ValueKind::Instruction && unsafe { !LLVMIsATerminatorInst(self.raw).is_null() }
    }

    /// Where control may go on after a terminator.
    pub(crate) fn successors(self) -> Vec<Block<'s>> {
        if !self.is_terminator() {
            return Vec::new();
        }
        // SAFETY: a living terminator, and indices below the number of its successors.
        unsafe {
            (0..LLVMGetNumSuccessors(self.raw)).filter_map(|i| Block::new(LLVMGetSuccessor(self.raw, i))).collect()
        }
    }
}

impl<'s> Block<'s> {
    fn new(raw: LLVMBasicBlockRef) -> Option<Block<'s>> {
        (!raw.is_null()).then_some(Block { raw, session: PhantomData })
    }

    /// Its label, possibly empty.
    pub(crate) fn label(self, session: &'s Session) -> String {
        // SAFETY: a living block, seen as a value.
        session.value(unsafe { LLVMBasicBlockAsValue(self.raw) }).map_or_else(String::new, Value::name)
    }

    /// Its instructions.
    pub(crate) fn instructions(self, session: &'s Session) -> impl Iterator<Item = Value<'s>> {
        // SAFETY: a living block, and instructions that LLVM returned.
        let first = session.value(unsafe { LLVMGetFirstInstruction(self.raw) });
        std::iter::successors(first, move |i| session.value(unsafe { LLVMGetNextInstruction(i.raw) }))
    }
}

impl<'s> Ty<'s> {
    /// What it is.
    pub(crate) fn kind(self) -> TyKind {
        // SAFETY: a living type.
        TyKind::from_number(unsafe { type_kind(self.raw) })
    }

    /// The width of an integer type.
    pub(crate) fn int_bits(self) -> Option<u32> {
        // SAFETY: a living integer type.
        (self.kind() == TyKind::Integer).then(|| unsafe { LLVMGetIntTypeWidth(self.raw) })
    }

    /// The number of elements of an array or vector, of members of a structure.
    pub(crate) fn len(self) -> u64 {
        // SAFETY: a living type of the kind that the question is for.
        unsafe {
            match self.kind() {
                TyKind::Array => LLVMGetArrayLength2(self.raw),
                TyKind::Vector => u64::from(LLVMGetVectorSize(self.raw)),
                TyKind::Struct => u64::from(LLVMCountStructElementTypes(self.raw)),
                _ => 0,
            }
        }
    }

    /// The types it is made of: elements, members, or result and parameters of a function.
    pub(crate) fn parts(self) -> Vec<Ty<'s>> {
        let wrap = |raw| Ty { raw, session: self.session };
        // SAFETY: a living type of the kind that the question is for; the buffers have the asked-for length.
        unsafe {
            match self.kind() {
                TyKind::Array | TyKind::Vector | TyKind::ScalableVector => vec![wrap(LLVMGetElementType(self.raw))],
                TyKind::Struct if LLVMIsOpaqueStruct(self.raw) == 0 => {
                    let mut parts = vec![ptr::null_mut(); LLVMCountStructElementTypes(self.raw) as usize];
                    LLVMGetStructElementTypes(self.raw, parts.as_mut_ptr());
                    parts.into_iter().map(wrap).collect()
                }
                TyKind::Function => {
                    let mut parts = vec![ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
                    LLVMGetParamTypes(self.raw, parts.as_mut_ptr());
                    std::iter::once(LLVMGetReturnType(self.raw)).chain(parts).map(wrap).collect()
                }
                _ => Vec::new(),
            }
        }
    }

    /// Is it a function type with variable arguments?
    pub(crate) fn is_varargs(self) -> bool {
        // SAFETY: a living function type.
        self.kind() == TyKind::Function && unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    /// Is it a structure whose members are not known?
    pub(crate) fn is_opaque(self) -> bool {
        // SAFETY: a living structure type.
        self.kind() == TyKind::Struct && unsafe { LLVMIsOpaqueStruct(self.raw) != 0 }
    }

    /// Size in an array, size of a store, alignment, all in bytes. `None` for a type without a fixed size.
    ///
    /// The caller has found all parts of the type to have a fixed size; LLVM would end the process over a
    /// scalable vector.
    pub(crate) fn layout(self) -> Option<(u64, u64, u32)> {
        use TyKind::*;
        if matches!(self.kind(), ScalableVector | TargetExtension | X86Amx | Unknown) {
            return None;
        }
        // SAFETY: a living type with a size, and the layout of its module.
        unsafe {
            (LLVMTypeIsSized(self.raw) != 0).then(|| {
                let layout = self.session.layout;
                (
                    LLVMABISizeOfType(layout, self.raw),
                    LLVMStoreSizeOfType(layout, self.raw),
                    LLVMABIAlignmentOfType(layout, self.raw),
                )
            })
        }
    }

    /// The byte at which a member of a structure starts. The structure must have a [`Ty::layout`].
    pub(crate) fn member_offset(self, index: u32) -> u64 {
        if self.kind() != TyKind::Struct || u64::from(index) >= self.len() {
            return 0;
        }
        // SAFETY: a living structure type that has this member.
        unsafe { LLVMOffsetOfElement(self.session.layout, self.raw, index) }
    }
}

//! Questions about debug information. See the module above for what makes the calls sound.

use super::*;

/// An operand of a node.
#[derive(Clone, Copy)]
pub(crate) enum MetaOperand<'s> {
    /// Another node.
    Meta(Meta<'s>),
    /// A value of the program.
    Value(Value<'s>),
    /// Nothing.
    Nothing,
}

impl Session {
    pub(super) fn meta(&self, raw: *mut LLVMOpaqueMetadata) -> Option<Meta<'_>> {
        (!raw.is_null()).then_some(Meta { raw, session: self })
    }
}

impl<'s> Meta<'s> {
    /// What it is.
    pub(crate) fn kind(self) -> MetaKind {
        // SAFETY: a living node.
        MetaKind::from_number(unsafe { metadata_kind(self.raw) })
    }

    fn as_value(self) -> LLVMValueRef {
        // SAFETY: a living node of this context.
        unsafe { LLVMMetadataAsValue(self.session.context, self.raw) }
    }

    /// Its operands.
    pub(crate) fn operands(self) -> Vec<MetaOperand<'s>> {
        use MetaKind::*;
        if matches!(self.kind(), String | Placeholder | ArgList | Unknown) {
            return Vec::new();
        }
        let value = self.as_value();
        // SAFETY: a living node with operands (or the wrapping of one value), and a buffer of the asked-for
        // length, in which LLVM leaves null where there is nothing.
        let raw = unsafe {
            let mut raw = vec![ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, raw.as_mut_ptr());
            raw
        };
        raw.into_iter()
            .map(|raw| match self.session.value(raw) {
                None => MetaOperand::Nothing,
                Some(v) => v.meta().map_or(MetaOperand::Value(v), MetaOperand::Meta),
            })
            .collect()
    }

    /// The value that it wraps.
    pub(crate) fn wrapped(self) -> Option<Value<'s>> {
        if !matches!(self.kind(), MetaKind::Constant | MetaKind::Local) {
            return None;
        }
        match self.operands().first() {
            Some(MetaOperand::Value(v)) => Some(*v),
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn string(self) -> Option<String> {
        if self.kind() != MetaKind::String {
            return None;
        }
        let mut length = 0;
        // SAFETY: a living string; LLVM gives start and length.
        unsafe {
            let start = LLVMGetMDString(self.as_value(), &mut length);
            Some(copy_text(start, length as usize))
        }
    }

    /// What LLVM prints for a basic type or a constant of an enumeration. For nodes that instructions use, LLVM
    /// would look through the whole module first.
    pub(crate) fn text(self) -> String {
        if !matches!(self.kind(), MetaKind::BasicType | MetaKind::Enumerator) {
            return String::new();
        }
        // SAFETY: a living value; the text is ours.
        unsafe { take_message(LLVMPrintValueToString(self.as_value())) }
    }

    /// Is it the expression that changes nothing about the value it comes with?
    pub(crate) fn is_plain_expression(self) -> bool {
        self.raw == self.session.plain_expression
    }

    /// Line, column and scope of a location.
    pub(crate) fn location(self) -> Option<(u32, u32, Option<Meta<'s>>)> {
        if self.kind() != MetaKind::Location {
            return None;
        }
        // SAFETY: a living location.
        unsafe {
            let scope = self.session.meta(LLVMDILocationGetScope(self.raw));
            Some((LLVMDILocationGetLine(self.raw), LLVMDILocationGetColumn(self.raw), scope))
        }
    }

    fn is_type(self) -> bool {
        use MetaKind::*;
        matches!(self.kind(), BasicType | DerivedType | CompositeType | SubroutineType | StringType)
    }

    /// The file of a scope.
    pub(crate) fn scope_file(self) -> Option<Meta<'s>> {
        use MetaKind::*;
        let is_scope = self.is_type()
            || matches!(
                self.kind(),
                File | CompileUnit | Subprogram | LexicalBlock | LexicalBlockFile | Namespace | Module | CommonBlock
            );
        // SAFETY: a living scope.
        if is_scope { self.session.meta(unsafe { LLVMDIScopeGetFile(self.raw) }) } else { None }
    }

    /// The name of a file.
    pub(crate) fn file_name(self) -> Option<String> {
        if self.kind() != MetaKind::File {
            return None;
        }
        let mut length = 0;
        // SAFETY: a living file node; LLVM gives start and length.
        unsafe {
            let start = LLVMDIFileGetFilename(self.raw, &mut length);
            Some(copy_text(start, length as usize))
        }
    }

    /// The line on which a subprogram or a variable is declared.
    pub(crate) fn line(self) -> u32 {
        // SAFETY: living nodes of the kind that the question is for.
        unsafe {
            match self.kind() {
                MetaKind::Subprogram => LLVMDISubprogramGetLine(self.raw),
                MetaKind::LocalVariable | MetaKind::GlobalVariable => LLVMDIVariableGetLine(self.raw),
                _ => 0,
            }
        }
    }

    /// The file of a variable.
    pub(crate) fn variable_file(self) -> Option<Meta<'s>> {
        if !matches!(self.kind(), MetaKind::LocalVariable | MetaKind::GlobalVariable) {
            return None;
        }
        // SAFETY: a living variable.
        self.session.meta(unsafe { LLVMDIVariableGetFile(self.raw) })
    }

    /// The variable of a global's description.
    pub(crate) fn global_variable(self) -> Option<Meta<'s>> {
        match self.kind() {
            MetaKind::GlobalVariable => Some(self),
            // SAFETY: a living description.
            MetaKind::GlobalVariableExpression => {
                self.session.meta(unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.raw) })
            }
            _ => None,
        }
    }

    /// DWARF's number of the kind of type.
    pub(crate) fn tag(self) -> u16 {
        // SAFETY: a living type.
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.raw) } } else { 0 }
    }

    /// Size and offset of a type in bits.
    pub(crate) fn type_bits(self) -> (u64, u64) {
        // SAFETY: a living type.
        if self.is_type() {
            unsafe { (LLVMDITypeGetSizeInBits(self.raw), LLVMDITypeGetOffsetInBits(self.raw)) }
        } else {
            (0, 0)
        }
    }
}

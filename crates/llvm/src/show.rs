//! Modules as text, for tests and for looking at them: close to LLVM's own, with our numbers.
//!
//! `%3` is the third instruction of the function, `$1` its second parameter, `@x` a global or function.
//! Locations stand behind `;` as `line:column`.

use std::fmt::{self, Display, Formatter, Write};

use crate::module::*;

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "pointers {}", self.pointer_bits)?;
        for global in &self.globals {
            let word = if global.constant { "constant" } else { "global" };
            write!(
                f,
                "@{}: {word}{} {}",
                global.name,
                if global.thread_local { " thread_local" } else { "" },
                self.show_type(global.ty)
            )?;
            if let Some(init) = global.init {
                write!(f, " = {}", self.show_const(init))?;
            }
            if let Some(var) = global.debug {
                write!(f, " ; {}", self.show_var(var))?;
            }
            writeln!(f)?;
        }
        for function in &self.functions {
            write!(f, "\n{}", self.show_function(function))?;
        }
        Ok(())
    }
}

/// Something of a module, shown.
struct Show<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Show<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

fn list<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut show: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        show(f, item)?;
    }
    Ok(())
}

/// Nested types and constants are shown to this depth.
const DEPTH: u32 = 8;
/// Aggregates are shown to this length.
const LENGTH: usize = 32;

impl Module {
    /// A type, shown.
    pub fn show_type(&self, ty: TypeId) -> impl Display + '_ {
        Show(move |f: &mut Formatter<'_>| self.write_type(f, ty, DEPTH))
    }

    fn write_type(&self, f: &mut Formatter<'_>, ty: TypeId, depth: u32) -> fmt::Result {
        if depth == 0 {
            return f.write_str("…");
        }
        match &self.ty(ty).kind {
            TypeKind::Void => f.write_str("void"),
            TypeKind::Int(bits) => write!(f, "i{bits}"),
            TypeKind::Float(kind) => f.write_str(match kind {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Single => "float",
                FloatKind::Double => "double",
                FloatKind::X86Extended => "x86_fp80",
                FloatKind::Quad => "fp128",
                FloatKind::PpcPair => "ppc_fp128",
            }),
            TypeKind::Ptr => f.write_str("ptr"),
            TypeKind::Array(element, len) => {
                write!(f, "[{len} x ")?;
                self.write_type(f, *element, depth - 1)?;
                f.write_char(']')
            }
            TypeKind::Vector(element, len) => {
                write!(f, "<{len} x ")?;
                self.write_type(f, *element, depth - 1)?;
                f.write_char('>')
            }
            TypeKind::Struct(members) => {
                f.write_char('{')?;
                list(f, members, |f, (member, offset)| {
                    write!(f, "{offset}: ")?;
                    self.write_type(f, *member, depth - 1)
                })?;
                f.write_char('}')
            }
            TypeKind::Function(result, params, varargs) => {
                self.write_type(f, *result, depth - 1)?;
                f.write_str(" (")?;
                list(f, params, |f, p| self.write_type(f, *p, depth - 1))?;
                f.write_str(if *varargs { ", ...)" } else { ")" })
            }
            TypeKind::Other(name) => write!(f, "<{name}>"),
        }
    }

    /// A constant, shown.
    pub fn show_const(&self, constant: ConstId) -> impl Display + '_ {
        Show(move |f: &mut Formatter<'_>| self.write_const(f, constant, DEPTH))
    }

    fn write_const(&self, f: &mut Formatter<'_>, constant: ConstId, depth: u32) -> fmt::Result {
        if depth == 0 {
            return f.write_str("…");
        }
        match self.constant(constant) {
            Const::Int(ty, words) => {
                write!(f, "{} ", self.show_type(*ty))?;
                match words[..] {
                    [word] => write!(f, "{word}"),
                    _ => write_hex(f, words),
                }
            }
            Const::Float(ty, words) => {
                write!(f, "{} ", self.show_type(*ty))?;
                write_hex(f, words)
            }
            Const::Null => f.write_str("null"),
            Const::Zero(ty) => write!(f, "{} zero", self.show_type(*ty)),
            Const::Undef(ty) => write!(f, "{} undef", self.show_type(*ty)),
            Const::Poison(ty) => write!(f, "{} poison", self.show_type(*ty)),
            Const::Aggregate(_, parts) => {
                f.write_char('{')?;
                list(f, &parts[..parts.len().min(LENGTH)], |f, p| self.write_const(f, *p, depth - 1))?;
                f.write_str(if parts.len() > LENGTH { ", …}" } else { "}" })
            }
            Const::Bytes(_, bytes) => {
                let shown = &bytes[..bytes.len().min(LENGTH)];
                write!(f, "\"{}\"{}", shown.escape_ascii(), if bytes.len() > LENGTH { "…" } else { "" })
            }
            Const::Global(global) => write!(f, "@{}", self.globals[global.index()].name),
            Const::Function(function) => write!(f, "@{}", self.functions[function.index()].name),
            Const::Label(function, block) => write!(f, "@{}:b{}", self.functions[function.index()].name, block.0),
            Const::Gep(gep) => self.write_gep(f, gep, |f, c| self.write_const(f, *c, depth - 1)),
            Const::Cast(op, value, ty) => {
                write!(f, "{}(", lower(op))?;
                self.write_const(f, *value, depth - 1)?;
                write!(f, " to {})", self.show_type(*ty))
            }
            Const::Binary(op, left, right) => {
                write!(f, "{}(", lower(op))?;
                self.write_const(f, *left, depth - 1)?;
                f.write_str(", ")?;
                self.write_const(f, *right, depth - 1)?;
                f.write_char(')')
            }
            Const::Other(ty, text) => write!(f, "{} <{text}>", self.show_type(*ty)),
        }
    }

    fn write_gep<V>(
        &self,
        f: &mut Formatter<'_>,
        gep: &Gep<V>,
        mut value: impl FnMut(&mut Formatter<'_>, &V) -> fmt::Result,
    ) -> fmt::Result {
        f.write_str(if gep.inbounds { "address inbounds(" } else { "address(" })?;
        value(f, &gep.base)?;
        if gep.offset != 0 {
            write!(f, " + {}", gep.offset)?;
        }
        for ((index, scale), length) in gep.terms.iter().zip(&gep.lengths) {
            f.write_str(" + ")?;
            value(f, index)?;
            write!(f, "*{scale}")?;
            if let Some(length) = length {
                write!(f, "[{length}]")?;
            }
        }
        f.write_str(match gep.overrun {
            Overrun::None => "",
            Overrun::End => " at the end",
            Overrun::Beyond => " out of bounds",
        })?;
        f.write_char(')')
    }

    fn show_var(&self, var: DebugVarId) -> impl Display + '_ {
        Show(move |f: &mut Formatter<'_>| {
            let var = &self.debug_vars[var.index()];
            write!(f, "{}{}", if var.parameter { "parameter " } else { "" }, var.name)?;
            var.ty.map_or(Ok(()), |ty| write!(f, ": {}", self.show_debug_type(ty)))
        })
    }

    /// A type of the source, shown as far as its name or shape tells it.
    pub fn show_debug_type(&self, ty: DebugTypeId) -> impl Display + '_ {
        Show(move |f: &mut Formatter<'_>| self.write_debug_type(f, Some(ty), DEPTH))
    }

    fn write_debug_type(&self, f: &mut Formatter<'_>, ty: Option<DebugTypeId>, depth: u32) -> fmt::Result {
        let Some(ty) = ty.map(|t| &self.debug_types[t.index()]) else { return f.write_str("void") };
        let word = match &ty.kind {
            _ if depth == 0 => "…",
            DebugTypeKind::Pointer(target) => {
                self.write_debug_type(f, *target, depth - 1)?;
                return f.write_char('*');
            }
            DebugTypeKind::Array(element, len) => {
                let mut element = *element;
                // The outermost length comes first: `int[2][3]`.
                let mut lengths = vec![*len];
                while let Some(DebugTypeKind::Array(inner, len)) = element.map(|e| &self.debug_types[e.index()].kind) {
                    if lengths.len() > DEPTH as usize {
                        break;
                    }
                    lengths.push(*len);
                    element = *inner;
                }
                self.write_debug_type(f, element, depth - 1)?;
                return lengths.iter().try_for_each(|len| match len {
                    Some(len) => write!(f, "[{len}]"),
                    None => f.write_str("[]"),
                });
            }
            DebugTypeKind::Alias(target) if ty.name.is_empty() => return self.write_debug_type(f, *target, depth - 1),
            DebugTypeKind::Struct(_) => "struct ",
            DebugTypeKind::Union(_) => "union ",
            DebugTypeKind::Enum(_) => "enum ",
            DebugTypeKind::Function(_) => "function",
            _ => "",
        };
        write!(f, "{word}{}", ty.name)
    }

    /// A function, shown.
    pub fn show_function<'a>(&'a self, function: &'a Function) -> impl Display + 'a {
        Show(move |f: &mut Formatter<'_>| self.write_function(f, function))
    }

    fn write_function(&self, f: &mut Formatter<'_>, function: &Function) -> fmt::Result {
        f.write_str(if function.is_defined() { "define " } else { "declare " })?;
        match &self.ty(function.ty).kind {
            TypeKind::Function(result, ..) => write!(f, "{}", self.show_type(*result))?,
            _ => write!(f, "{}", self.show_type(function.ty))?,
        }
        write!(f, " @{}(", function.name)?;
        list(f, &function.params, |f, p| {
            write!(f, "{}", self.show_type(p.ty))?;
            p.byval.map_or(Ok(()), |t| write!(f, " byval({})", self.show_type(t)))?;
            p.sret.map_or(Ok(()), |t| write!(f, " sret({})", self.show_type(t)))
        })?;
        f.write_str(if function.varargs { ", ...)" } else { ")" })?;
        if function.noreturn {
            f.write_str(" noreturn")?;
        }
        if !function.is_defined() {
            return writeln!(f);
        }
        writeln!(f, " {{ ; {}:{}", self.file_name(function.loc), function.loc.line)?;
        for (block, number) in function.blocks.iter().zip(0..) {
            write!(f, "b{number}: ; {}", block.label)?;
            match &block.source_label {
                Some(label) => writeln!(f, " {label}:")?,
                None => writeln!(f)?,
            }
            for (id, inst) in function.block_insts(BlockId(number)) {
                f.write_str("  ")?;
                if self.ty(inst.ty).kind != TypeKind::Void {
                    write!(f, "%{}: {} = ", id.0, self.show_type(inst.ty))?;
                }
                self.write_inst(f, &inst.kind)?;
                if inst.loc.line > 0 {
                    write!(f, " ; {}:{}", inst.loc.line, inst.loc.column)?;
                }
                writeln!(f)?;
            }
        }
        writeln!(f, "}}")
    }

    fn file_name(&self, loc: Loc) -> &str {
        self.files.get(loc.file as usize).map_or("?", String::as_str)
    }

    fn write_operand(&self, f: &mut Formatter<'_>, operand: Operand) -> fmt::Result {
        match operand {
            Operand::Inst(i) => write!(f, "%{}", i.0),
            Operand::Param(p) => write!(f, "${p}"),
            Operand::Const(c) => write!(f, "{}", self.show_const(c)),
            Operand::None => f.write_char('_'),
        }
    }

    /// `word a, b, …`
    fn write_plain(&self, f: &mut Formatter<'_>, word: &str, operands: &[Operand]) -> fmt::Result {
        write!(f, "{word} ")?;
        list(f, operands, |f, o| self.write_operand(f, *o))
    }

    fn write_inst(&self, f: &mut Formatter<'_>, kind: &InstKind) -> fmt::Result {
        let flag = |set: bool, word: &'static str| if set { word } else { "" };
        match kind {
            InstKind::Binary { op, lhs, rhs, nsw, nuw, exact, .. } => {
                let word =
                    format!("{}{}{}{}", lower(op), flag(*nuw, " nuw"), flag(*nsw, " nsw"), flag(*exact, " exact"));
                self.write_plain(f, &word, &[*lhs, *rhs])
            }
            InstKind::FloatBinary { op, lhs, rhs } => self.write_plain(f, &format!("f{}", lower(op)), &[*lhs, *rhs]),
            InstKind::FloatNeg(value) => self.write_plain(f, "fneg", &[*value]),
            InstKind::IntCompare { op, lhs, rhs } => self.write_plain(f, &lower(op), &[*lhs, *rhs]),
            InstKind::FloatCompare { op, lhs, rhs } => {
                let letters = [(op.unordered, 'u'), (op.less, '<'), (op.equal, '='), (op.greater, '>')];
                let word: String = letters.iter().filter(|(set, _)| *set).map(|(_, c)| c).collect();
                self.write_plain(f, &format!("fcmp {word}"), &[*lhs, *rhs])
            }
            InstKind::Cast { op, value } => self.write_plain(f, &lower(op), &[*value]),
            InstKind::Select { cond, yes, no } => self.write_plain(f, "select", &[*cond, *yes, *no]),
            InstKind::Phi(entries) => {
                f.write_str("phi ")?;
                list(f, entries, |f, (block, value)| {
                    write!(f, "b{}: ", block.0)?;
                    self.write_operand(f, *value)
                })
            }
            InstKind::Alloca { ty, count, .. } => {
                self.write_plain(f, &format!("alloca {} x", self.show_type(*ty)), &[*count])
            }
            InstKind::Load { ptr, volatile, atomic, .. } => {
                let word = format!("load{}{}", flag(*volatile, " volatile"), flag(*atomic, " atomic"));
                self.write_plain(f, &word, &[*ptr])
            }
            InstKind::Store { ptr, value, ty, volatile, atomic, .. } => {
                let flags = [flag(*volatile, " volatile"), flag(*atomic, " atomic")].concat();
                self.write_plain(f, &format!("store{flags} {}", self.show_type(*ty)), &[*value, *ptr])
            }
            InstKind::Gep(gep) => self.write_gep(f, gep, |f, o| self.write_operand(f, *o)),
            InstKind::Call { callee, args, byval, .. } => {
                match callee {
                    Callee::Function(function) => write!(f, "call @{}(", self.functions[function.index()].name)?,
                    Callee::Pointer(pointer) => {
                        self.write_plain(f, "call", &[*pointer])?;
                        f.write_char('(')?;
                    }
                    Callee::Asm(text, constraints) => write!(f, "call asm {text:?} {constraints:?}(")?,
                }
                let args: Vec<(Operand, Option<TypeId>)> = args.iter().copied().zip(byval.iter().copied()).collect();
                list(f, &args, |f, (arg, byval)| {
                    self.write_operand(f, *arg)?;
                    byval.map_or(Ok(()), |t| write!(f, " byval({})", self.show_type(t)))
                })?;
                f.write_char(')')
            }
            InstKind::ExtractValue { value, path, .. } => {
                self.write_plain(f, "extractvalue", &[*value])?;
                write!(f, " {path:?}")
            }
            InstKind::InsertValue { value, member, path } => {
                self.write_plain(f, "insertvalue", &[*value, *member])?;
                write!(f, " {path:?}")
            }
            InstKind::ExtractElement { vector, index, .. } => self.write_plain(f, "extractelement", &[*vector, *index]),
            InstKind::InsertElement { vector, element, index } => {
                self.write_plain(f, "insertelement", &[*vector, *element, *index])
            }
            InstKind::ShuffleVector { first, second, mask, .. } => {
                self.write_plain(f, "shufflevector", &[*first, *second])?;
                f.write_str(" [")?;
                list(f, mask, |f, m| match m {
                    Some(m) => write!(f, "{m}"),
                    None => f.write_char('_'),
                })?;
                f.write_char(']')
            }
            InstKind::Freeze(value) => self.write_plain(f, "freeze", &[*value]),
            InstKind::VaArg(value) => self.write_plain(f, "va_arg", &[*value]),
            InstKind::AtomicUpdate { op, ptr, value } => self.write_plain(f, &format!("atomic {op}"), &[*ptr, *value]),
            InstKind::CompareExchange { ptr, expected, new } => {
                self.write_plain(f, "cmpxchg", &[*ptr, *expected, *new])
            }
            InstKind::Fence => f.write_str("fence"),
            InstKind::DebugValue { var, value, address } => {
                write!(f, "debug {} {} ", self.show_var(*var), if *address { "at" } else { "is" })?;
                self.write_operand(f, *value)
            }
            InstKind::Jump(target) => write!(f, "jump b{}", target.0),
            InstKind::Branch { cond, yes, no } => {
                self.write_plain(f, "branch", &[*cond])?;
                write!(f, " ? b{} : b{}", yes.0, no.0)
            }
            InstKind::Switch { value, cases, default } => {
                self.write_plain(f, "switch", &[*value])?;
                f.write_str(" [")?;
                list(f, cases, |f, (case, block)| write!(f, "{}: b{}", self.show_const(*case), block.0))?;
                write!(f, "] else b{}", default.0)
            }
            InstKind::IndirectJump { address, targets } => {
                self.write_plain(f, "jump *", &[*address])?;
                self.write_targets(f, targets)
            }
            InstKind::Return(value) => self.write_plain(f, "return", &[*value]),
            InstKind::Unreachable => f.write_str("unreachable"),
            InstKind::Unsupported { opcode, targets } => {
                write!(f, "unsupported {opcode}")?;
                self.write_targets(f, targets)
            }
        }
    }

    fn write_targets(&self, f: &mut Formatter<'_>, targets: &[BlockId]) -> fmt::Result {
        f.write_str(" [")?;
        list(f, targets, |f, b| write!(f, "b{}", b.0))?;
        f.write_char(']')
    }
}

fn write_hex(f: &mut Formatter<'_>, words: &[u64]) -> fmt::Result {
    f.write_str("0x")?;
    words.iter().rev().try_for_each(|w| write!(f, "{w:016x}"))
}

fn lower(name: &impl fmt::Debug) -> String {
    format!("{name:?}").to_lowercase()
}

//! The names that declarations introduce, before anything is resolved.

use super::{Checker, TypeEntry};
use crate::syntax::{Ast, Attr, DeclId, DeclKind, Ident, Slice, VarId};
use crate::typed::{DatatypeId, FunctionInfo, ImplementationInfo, NameRef, ProcedureInfo, Typed};
use crate::types::Ty;
use lariat_source::{Diagnostic, DiagnosticKind, Span};

/// Fills the tables of functions, procedures and implementations with empty entries.
pub(super) fn empty_tables(ast: &Ast, out: &mut Typed) {
    // Every function, procedure and implementation of the tree belongs to one declaration, so the
    // placeholders are all replaced.
    let none = DeclId::from_index(0);
    let function = FunctionInfo { decl: none, result: Ty::ERROR, body: true, ctor: None };
    out.functions = vec![function; ast.functions.len()];
    let procedure = ProcedureInfo { decl: none, modifies: Vec::new(), implementations: Vec::new() };
    out.procedures = vec![procedure; ast.procedures.len()];
    let implementation = ImplementationInfo { decl: none, procedure: None };
    out.implementations = vec![implementation; ast.implementations.len()];
    for (id, decl) in ast.decls.iter() {
        match decl.kind {
            DeclKind::Function(function) => out.functions[function.index()].decl = id,
            DeclKind::Procedure(procedure) => out.procedures[procedure.index()].decl = id,
            DeclKind::Implementation(it) => out.implementations[it.index()].decl = id,
            _ => {}
        }
    }
}

/// What to do with a second declaration of a name.
enum Second {
    /// The first is `{:extern}`: the second takes its place.
    Replaces,
    /// The second is `{:extern}`, or an error was reported: the first stays.
    Ignored,
}

impl Checker<'_> {
    /// Registers the names of all top-level declarations.
    pub(super) fn register(&mut self) {
        let ast = self.ast;
        for (id, decl) in ast.decls.iter() {
            match decl.kind {
                DeclKind::Type { .. } | DeclKind::Datatype { .. } => self.register_type(id),
                DeclKind::Const { vars, .. } => {
                    for var in vars.ids() {
                        self.register_global(id, var, NameRef::Const(var), decl.attrs);
                    }
                }
                DeclKind::Var(vars) => {
                    for var in vars.ids() {
                        self.register_global(id, var, NameRef::Global(var), decl.attrs);
                    }
                }
                DeclKind::Function(function) => {
                    let name = ast[function].name;
                    self.register_function(id, name, NameRef::Function(function));
                }
                DeclKind::Procedure(procedure) => {
                    let name = ast[procedure].name;
                    let slot = self.procedures[name.name.index()];
                    let first = slot.map(|first| self.out.procedures[first.index()].decl);
                    if self.admit(id, first, name, "procedure") {
                        self.procedures[name.name.index()] = Some(procedure);
                    }
                }
                DeclKind::Axiom(_) | DeclKind::Implementation(_) => {}
            }
        }
    }

    /// Decides whether a declaration gets its name, given the one that has it.
    fn admit(&mut self, id: DeclId, first: Option<DeclId>, name: Ident, what: &str) -> bool {
        let Some(first) = first else {
            return true;
        };
        let attrs = |decl: DeclId| self.ast[decl].attrs;
        let (a, b) = (attrs(first), attrs(id));
        match self.second(a, b, self.ast[first].span, name, what) {
            Second::Replaces => {
                self.out.ignored.insert(first);
                true
            }
            Second::Ignored => {
                self.out.ignored.insert(id);
                false
            }
        }
    }

    fn second(&mut self, first: Slice<Attr>, second: Slice<Attr>, place: Span, name: Ident, what: &str) -> Second {
        if self.flag(second, "extern") {
            return Second::Ignored;
        }
        if self.flag(first, "extern") {
            return Second::Replaces;
        }
        self.twice(name, place, what);
        Second::Ignored
    }

    /// Reports a name that is declared more than once.
    pub(super) fn twice(&mut self, name: Ident, first: Span, what: &str) {
        let text = self.text(name.name);
        let message = format!("the {what} `{text}` is declared more than once");
        let diagnostic = Diagnostic::error(DiagnosticKind::Resolve, name.span, message);
        self.names.push(diagnostic.with_note(first, "it is first declared here"));
    }

    fn register_type(&mut self, id: DeclId) {
        let decl = &self.ast[id];
        let (name, entry) = match decl.kind {
            DeclKind::Type { name, synonym: Some(_), .. } => (name, TypeEntry::Synonym(id)),
            DeclKind::Type { name, params, .. } if !self.flag(decl.attrs, "datatype") => {
                let arity = params.len() as u32;
                (name, TypeEntry::Ctor { decl: id, arity })
            }
            DeclKind::Type { name, params, .. } | DeclKind::Datatype { name, params, .. } => {
                let data = DatatypeId(self.datatype_decls.len() as u32);
                self.datatype_decls.push(id);
                let arity = params.len() as u32;
                (name, TypeEntry::Data { data, arity })
            }
            _ => return,
        };
        let text = self.text(name.name);
        let digits = text.strip_prefix("bv").unwrap_or_default();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.name_error(name.span, format!("`{text}` is a type of bit-vectors"));
        }
        if let TypeEntry::Data { .. } = entry {
            self.register_datatype(id);
        }
        let first = match self.type_names[name.name.index()] {
            TypeEntry::None => None,
            TypeEntry::Ctor { decl, .. } | TypeEntry::Synonym(decl) => Some(decl),
            TypeEntry::Data { data, .. } => Some(self.datatype_decls[data.index()]),
        };
        if self.admit(id, first, name, "type") {
            self.type_names[name.name.index()] = entry;
        }
    }

    fn register_global(&mut self, id: DeclId, var: VarId, what: NameRef, attrs: Slice<Attr>) {
        let ident = self.ast[var].name;
        if let Some(first) = self.vars.declare(ident.name, what) {
            let (NameRef::Global(first) | NameRef::Const(first)) = first else {
                return;
            };
            // The attributes of a list of variables stand either before the list or at each.
            let place = self.ast[first].name.span;
            let own = match self.ast[var].attrs.is_empty() {
                true => attrs,
                false => self.ast[var].attrs,
            };
            let extern_first = self.extern_globals.contains(&first);
            match (self.flag(own, "extern"), extern_first) {
                (true, _) => {
                    self.out.ignored.insert(id);
                    return;
                }
                (false, true) => {
                    self.vars.redeclare(ident.name, what);
                    self.out.globals.retain(|&global| global != first);
                    self.out.constants.retain(|&constant| constant != first);
                }
                (false, false) => {
                    self.twice(ident, place, "variable");
                    return;
                }
            }
        }
        if self.flag(attrs, "extern") || self.flag(self.ast[var].attrs, "extern") {
            self.extern_globals.insert(var);
        }
        match what {
            NameRef::Global(_) => self.out.globals.push(var),
            _ => self.out.constants.push(var),
        }
    }

    /// Registers a function, or a constructor of a datatype.
    pub(super) fn register_function(&mut self, id: DeclId, name: Ident, what: NameRef) {
        let first = match self.functions[name.name.index()] {
            NameRef::None => None,
            NameRef::Function(first) => Some(self.out.functions[first.index()].decl),
            NameRef::Ctor(first) => {
                let data = self.out.ctors[first.index()].datatype;
                Some(self.datatype_decls[data.index()])
            }
            // Selectors and testers of the old syntax give way.
            _ => None,
        };
        match what {
            // A datatype is not ignored because one of its constructors has a taken name.
            NameRef::Ctor(_) => match first {
                Some(first) => self.twice(name, self.ast[first].span, "function"),
                None => self.functions[name.name.index()] = what,
            },
            _ => {
                if self.admit(id, first, name, "function") {
                    self.functions[name.name.index()] = what;
                }
            }
        }
    }
}

//! Name resolution and type checking: an [`Ast`] in, a [`Typed`] and diagnostics out.
//!
//! The rules are those of Boogie. One walk over the program resolves names and infers types at
//! once; it never recurses over expressions, and every table is indexed by the ids of the tree.
//!
//! As in Boogie, a problem hides those of the stages after it: errors in the structure of bodies
//! (labels, `break`) hide those in names, and errors in names hide those in types. So whoever reads
//! the list is not misled by consequences of the first problem.
//!
//! **Modifies clauses.** Boogie rejects an assignment to a global that the procedure's modifies
//! clauses do not list. Several tools leave modifies clauses out and let the verifier infer them.
//! [`ModifiesMode`] says what to do. By default a procedure without any modifies clause, and a global
//! that no modifies clause of the program lists, are left to inference. All else is checked: a
//! procedure with modifies clauses must not assign a global that some procedure's clauses list but
//! its own do not; nor may it call a procedure that declares to modify such a global, unless the
//! program relies on inference, that is, some procedure without modifies clauses assigns a global.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::{
    Ast, Attr, AttrArg, DeclId, ExprId, Id, Ident, LetVar, Lhs, LhsStep, Name, Procedure, Slice, Stmt, VarId,
};
use crate::typed::{CtorId, DatatypeId, FieldId, NameRef, Typed};
use crate::types::{Ty, TyKind, TyVar, TypeNames, Types};
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, Span};

mod attr;
mod call;
mod datatype;
mod decl;
mod expr;
mod infer;
mod modifies;
mod op;
mod procedure;
mod recursion;
mod register;
mod scope;
mod stmt;
mod ty;

#[cfg(test)]
mod tests;

use infer::Infer;
use scope::Scopes;

/// What to do about modifies clauses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ModifiesMode {
    /// As [`ModifiesMode::Infer`] for procedures without a modifies clause and for globals that no
    /// modifies clause lists, and as [`ModifiesMode::Check`] for the others.
    #[default]
    Auto,
    /// Every global that a procedure modifies must be listed.
    Check,
    /// What the bodies modify is added to what is listed.
    Infer,
}

/// How to check a program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// What to do about modifies clauses.
    pub modifies: ModifiesMode,
}

/// Resolves and checks a program. The result is complete only if no error was reported.
pub fn check(ast: &Ast, options: &Options) -> (Typed, Diagnostics) {
    let mut checker = Checker::new(ast, options);
    checker.program();
    let Checker { mut early, names, types, out, .. } = checker;
    for later in [names, types] {
        if early.has_errors() {
            break;
        }
        early.append(&later);
    }
    (out, early)
}

/// Which states of the program an expression may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// None: no global variables, no `old`.
    None,
    /// The current one: no `old`.
    One,
    /// The current one and the one at the start of the procedure.
    Two,
}

/// What a type name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TypeEntry {
    None,
    Ctor { decl: DeclId, arity: u32 },
    Synonym(DeclId),
    Data { data: DatatypeId, arity: u32 },
}

/// A statement that encloses the current one, for `break`.
#[derive(Clone, Copy, Debug)]
struct Enclosing {
    stmt: Id<Stmt>,
    /// The label right before it.
    label: Option<Name>,
    is_loop: bool,
}

/// The procedure or implementation whose body is being checked.
#[derive(Clone, Copy, Debug)]
struct Context {
    procedure: Option<Id<Procedure>>,
    pure: bool,
}

/// Where a map is accessed.
#[derive(Clone, Copy, Debug)]
enum Access {
    Expr(ExprId),
    Step(Id<LhsStep>),
}

/// What is in progress.
struct Checker<'a> {
    ast: &'a Ast,
    out: Typed,
    /// Errors in the structure of declarations and bodies.
    early: Diagnostics,
    /// Errors in names.
    names: Diagnostics,
    /// Errors in types.
    types: Diagnostics,
    vars: Scopes,
    /// By name: a function, constructor, selector or tester.
    functions: Vec<NameRef>,
    /// By name.
    procedures: Vec<Option<Id<Procedure>>>,
    /// By name.
    type_names: Vec<TypeEntry>,
    /// By name.
    type_vars: Vec<Option<TyVar>>,
    synonyms: FxHashMap<DeclId, (Slice<Ident>, Ty)>,
    /// The declaration of each datatype, for messages.
    datatype_decls: Vec<DeclId>,
    field_by_name: FxHashMap<(DatatypeId, Name), FieldId>,
    ctor_by_name: FxHashMap<(DatatypeId, Name), CtorId>,
    infer: Infer,
    /// How many units are open; proxies live until the outermost ends.
    units: u32,
    unit_span: Span,
    unit_insts: usize,
    open_exprs: Vec<ExprId>,
    open_lets: Vec<Id<LetVar>>,
    open_lhss: Vec<Id<Lhs>>,
    open_steps: Vec<Id<LhsStep>>,
    /// Accesses to maps of unknown type: the map, its indices and the value.
    open_maps: Vec<(Ty, Vec<Ty>, Ty)>,
    /// Which expressions and steps they belong to, by the position above plus one.
    open_accesses: Vec<(Access, u32)>,
    walk: Vec<expr::Step>,
    state: State,
    in_trigger: bool,
    /// By variable: the number of the last trigger that mentions it.
    mentioned: Vec<u32>,
    triggers: u32,
    /// By variable: whether it is a parameter that nobody may assign to.
    fixed: Vec<bool>,
    labels: FxHashMap<Name, Id<Stmt>>,
    enclosing: Vec<Enclosing>,
    context: Context,
    /// By variable: the last procedure (plus one) whose modifies clauses list it.
    frame: Vec<u32>,
    modifies: ModifiesMode,
    infer_frame: bool,
    /// The globals that some modifies clause lists.
    listed: FxHashSet<VarId>,
    effects: modifies::Effects,
    statement_ids: FxHashSet<Name>,
    extern_globals: FxHashSet<VarId>,
    globals_by_name: FxHashMap<Name, NameRef>,
    assumed: FxHashSet<VarId>,
    in_code: bool,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, options: &Options) -> Checker<'a> {
        let names = ast.names.len();
        let mut out = Typed {
            types: Types::new(),
            expr_ty: vec![Ty::ERROR; ast.exprs.len()],
            expr_ref: vec![NameRef::None; ast.exprs.len()],
            type_ty: vec![Ty::ERROR; ast.types.len()],
            let_ty: vec![Ty::ERROR; ast.let_vars.len()],
            ident_ref: vec![NameRef::None; ast.idents.len()],
            lhs_ref: vec![NameRef::None; ast.lhss.len()],
            lhs_ty: vec![Ty::ERROR; ast.lhss.len()],
            step_ref: vec![NameRef::None; ast.lhs_steps.len()],
            step_ty: vec![Ty::ERROR; ast.lhs_steps.len()],
            call_proc: vec![None; ast.calls.len()],
            unpack_ctor: vec![None; ast.unpacks.len()],
            ..Typed::default()
        };
        register::empty_tables(ast, &mut out);
        Checker {
            ast,
            out,
            early: Diagnostics::new(),
            names: Diagnostics::new(),
            types: Diagnostics::new(),
            vars: Scopes::new(names),
            functions: vec![NameRef::None; names],
            procedures: vec![None; names],
            type_names: vec![TypeEntry::None; names],
            type_vars: vec![None; names],
            synonyms: FxHashMap::default(),
            datatype_decls: Vec::new(),
            field_by_name: FxHashMap::default(),
            ctor_by_name: FxHashMap::default(),
            infer: Infer::default(),
            units: 0,
            unit_span: Span::default(),
            unit_insts: 0,
            open_exprs: Vec::new(),
            open_lets: Vec::new(),
            open_lhss: Vec::new(),
            open_steps: Vec::new(),
            open_maps: Vec::new(),
            open_accesses: Vec::new(),
            walk: Vec::new(),
            state: State::One,
            in_trigger: false,
            mentioned: vec![0; ast.vars.len()],
            triggers: 0,
            fixed: vec![false; ast.vars.len()],
            labels: FxHashMap::default(),
            enclosing: Vec::new(),
            context: Context { procedure: None, pure: false },
            frame: vec![0; ast.vars.len()],
            modifies: options.modifies,
            infer_frame: false,
            listed: FxHashSet::default(),
            effects: modifies::Effects::default(),
            statement_ids: FxHashSet::default(),
            extern_globals: FxHashSet::default(),
            globals_by_name: FxHashMap::default(),
            assumed: FxHashSet::default(),
            in_code: false,
        }
    }

    fn program(&mut self) {
        self.register();
        self.resolve_type_decls();
        self.resolve_datatypes();
        self.resolve_signatures();
        self.check_inhabited();
        self.check_decls();
        self.check_recursion();
        self.finish_modifies();
    }

    fn structure_error(&mut self, span: Span, message: impl Into<String>) {
        self.early.error(DiagnosticKind::Resolve, span, message);
    }

    fn name_error(&mut self, span: Span, message: impl Into<String>) {
        self.names.error(DiagnosticKind::Resolve, span, message);
    }

    fn type_error(&mut self, span: Span, message: impl Into<String>) {
        self.types.error(DiagnosticKind::Type, span, message);
    }

    fn unsupported(&mut self, span: Span, message: &str, hint: &str) {
        let diagnostic = Diagnostic::error(DiagnosticKind::Unsupported, span, message);
        self.early.push(diagnostic.with_hint(hint));
    }

    /// Reports an unknown name, with the most similar one that `known` accepts.
    fn unknown(&mut self, span: Span, what: &str, name: Name, known: impl Fn(&Self, Name) -> bool) {
        let text = self.ast.text(name);
        let message = format!("{what} `{text}` is not declared");
        let mut diagnostic = Diagnostic::error(DiagnosticKind::Resolve, span, message);
        // Looking for a similar name takes time, and later ones are often the same mistake.
        if self.names.len() < 20 {
            let found = |other: Name| known(self, other);
            if let Some(other) = similar(self.ast, name, found) {
                diagnostic = diagnostic.with_hint(format!("did you mean `{other}`?"));
            }
        }
        self.names.push(diagnostic);
    }

    /// A type as text.
    fn show(&mut self, ty: Ty) -> String {
        let ty = self.infer.deep(&mut self.out.types, ty);
        let names = TypeNames { ast: self.ast, datatypes: &self.datatype_decls, limit: 100 };
        self.out.types.display(ty, &names).to_string()
    }

    fn text(&self, name: Name) -> &'a str {
        self.ast.text(name)
    }

    /// Whether a flag such as `{:inline}` is set.
    fn flag(&self, attrs: Slice<Attr>, name: &str) -> bool {
        !attrs.is_empty() && self.ast.flag(attrs, name)
    }

    /// The text of the first attribute `{:name "text"}`.
    fn string_attr(&self, attrs: Slice<Attr>, name: &str) -> Option<Name> {
        if attrs.is_empty() {
            return None;
        }
        let name = self.ast.names.get(name)?;
        self.ast[attrs].iter().find_map(|attr| match (attr.name.name == name, &self.ast[attr.args]) {
            (true, &[AttrArg::Str(text)]) => Some(text),
            _ => None,
        })
    }

    /// Runs `work` as (part of) a unit of type inference.
    fn unit<R>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> R) -> R {
        if self.units == 0 {
            self.unit_span = span;
            self.unit_insts = self.out.insts.len();
        }
        self.units += 1;
        let result = work(self);
        self.units -= 1;
        if self.units == 0 {
            self.finish_unit();
        }
        result
    }

    fn finish_unit(&mut self) {
        if !self.infer.is_empty() {
            let mut widths = self.infer.finish(&mut self.out.types);
            if !self.open_accesses.is_empty() {
                self.close_accesses();
                widths &= self.infer.finish(&mut self.out.types);
            }
            self.open_maps.clear();
            let Checker { infer, out, .. } = self;
            let mut done = FxHashMap::default();
            let mut close = |ty: &mut Ty| *ty = infer.close(&mut out.types, *ty, &mut done);
            out.insts[self.unit_insts..].iter_mut().for_each(&mut close);
            for expr in self.open_exprs.drain(..) {
                close(&mut out.expr_ty[expr.index()]);
            }
            for var in self.open_lets.drain(..) {
                close(&mut out.let_ty[var.index()]);
            }
            for lhs in self.open_lhss.drain(..) {
                close(&mut out.lhs_ty[lhs.index()]);
            }
            for step in self.open_steps.drain(..) {
                close(&mut out.step_ty[step.index()]);
            }
            infer.clear();
            if !widths {
                self.type_error(
                    self.unit_span,
                    "the widths of the operands of `++` do not add up to that of its result",
                );
            }
        }
        self.check_overflow(self.unit_span);
    }

    /// Instantiates the accesses to maps whose types were not known at first.
    fn close_accesses(&mut self) {
        let maps = std::mem::take(&mut self.open_maps);
        for (access, position) in std::mem::take(&mut self.open_accesses) {
            let Some((map, index, value)) = maps.get(position as usize - 1) else {
                continue;
            };
            let map = self.infer.shallow(&self.out.types, *map);
            let TyKind::Map { params: params @ 1.., .. } = self.out.types.kind(map) else {
                continue;
            };
            let fresh = (0..params).map(|_| self.infer.fresh(&mut self.out.types));
            let insts: Vec<Ty> = fresh.collect();
            if let Some((args, result)) = self.out.types.instantiate_map(map, &insts) {
                // They fit: that was checked when the type of the map became known.
                for (&a, &b) in args.iter().zip(index).chain([(&result, value)]) {
                    self.unify(a, b);
                }
            }
            let range = self.add_insts(&insts);
            match access {
                Access::Expr(expr) => self.out.expr_inst.insert(expr, range),
                Access::Step(step) => self.out.step_inst.insert(step, range),
            };
        }
    }

    /// Remembers how an access to a map is instantiated.
    fn set_access(&mut self, access: Access, range: (u32, u32)) {
        if range.1 == u32::MAX {
            self.open_accesses.push((access, u32::MAX - range.0));
        } else if range.0 < range.1 {
            match access {
                Access::Expr(expr) => self.out.expr_inst.insert(expr, range),
                Access::Step(step) => self.out.step_inst.insert(step, range),
            };
        }
    }

    /// Reports types that were too deep.
    fn check_overflow(&mut self, span: Span) {
        if self.out.types.take_overflow() {
            let message = format!("a type here nests deeper than {} levels", Types::MAX_DEPTH);
            self.types.error(DiagnosticKind::Limit, span, message);
        }
    }

    /// Remembers an instantiation and says where.
    fn add_insts(&mut self, insts: &[Ty]) -> (u32, u32) {
        let start = self.out.insts.len() as u32;
        self.out.insts.extend_from_slice(insts);
        (start, self.out.insts.len() as u32)
    }

    /// The type parameters of a declaration with a fresh type for each.
    fn fresh_for(&mut self, params: Slice<Ident>) -> (Vec<TyVar>, Vec<Ty>) {
        let vars: Vec<TyVar> = params.ids().collect();
        let fresh = vars.iter().map(|_| self.infer.fresh(&mut self.out.types));
        let fresh = fresh.collect();
        (vars, fresh)
    }
}

/// The declared name that looks most like a wrong one.
fn similar(ast: &Ast, wrong: Name, known: impl Fn(Name) -> bool) -> Option<&str> {
    let text = ast.text(wrong);
    if text.len() > 64 || ast.names.len() > 20_000 {
        return None;
    }
    let limit = (text.len() / 3).max(1);
    let candidates = ast.names.iter().filter(|&(name, _)| name != wrong && known(name));
    let scored = candidates.filter_map(|(_, other)| {
        let near = other.len().abs_diff(text.len()) <= limit;
        let distance = if near { distance(text, other) } else { usize::MAX };
        (distance <= limit).then_some((distance, other))
    });
    scored.min_by_key(|&(distance, _)| distance).map(|(_, other)| other)
}

/// How many bytes must be inserted, removed or replaced to turn one text into the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

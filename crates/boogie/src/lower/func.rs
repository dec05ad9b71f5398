//! Functions: declared on first use, inlined, or handed to the solver by name.

use lariat_program::FuncDef;
use lariat_term::{Func, Sort, Substituter, Term, Var};
use rustc_hash::FxHashMap;

use super::Lower;
use super::builtin::Builtin;
use super::polarity::Polarity;
use crate::mono::{Head, TyEnv};
use crate::syntax::{AttrArg, ExprKind, Function, Id, Param};
use crate::types::Ty;
use lariat_source::{DiagnosticKind, Span};

/// An instance of a function.
#[derive(Clone, Debug)]
pub(super) struct FuncInst {
    function: Id<Function>,
    tys: Box<[Ty]>,
    pub params: Vec<Sort>,
    pub result: Sort,
    pub kind: FuncKind,
}

impl FuncInst {
    /// Whether the function has type parameters.
    pub fn is_instance(&self) -> bool {
        !self.tys.is_empty()
    }
}

/// What becomes of an application.
#[derive(Clone, Debug)]
pub(super) enum FuncKind {
    /// A function of the term store, maybe with a definition.
    Declared(Func),
    /// Replaced by its body: where it is to be shown, and where it is given.
    Inline { params: Vec<Var>, goal: Term, given: Term },
    /// An operator or a solver's own function.
    Builtin(Builtin),
    /// Its body is being lowered right now.
    Open,
}

/// How deep inlined functions may call each other.
const MAX_INLINE_DEPTH: u32 = 10_000;

impl Lower<'_> {
    /// A function applied to arguments.
    pub(super) fn apply(
        &mut self,
        function: Id<Function>,
        tys: &[Ty],
        args: &[Term],
        span: Span,
        role: &mut dyn FnMut(&Self) -> Polarity,
    ) -> Term {
        let id = self.func_inst(function, tys, span);
        let inst = &self.funcs[id as usize];
        match &inst.kind {
            FuncKind::Declared(func) => {
                let func = *func;
                self.terms.app(func, args)
            }
            FuncKind::Inline { params, goal, given } => {
                let map: FxHashMap<Var, Term> = params.iter().copied().zip(args.iter().copied()).collect();
                let (goal, given) = (*goal, *given);
                let mut body = goal;
                if goal != given {
                    self.roles_seen += 1;
                    match role(self) {
                        Polarity::Goal => {}
                        Polarity::Assumed => body = given,
                        Polarity::Mixed => self.unsupported(span, super::code::CHOICE),
                    }
                }
                if map.is_empty() {
                    return body;
                }
                Substituter::new(self.terms, map).apply(self.terms, body)
            }
            FuncKind::Builtin(builtin) => {
                let (builtin, result) = (builtin.clone(), inst.result);
                self.builtin(&builtin, id, args, result, span)
            }
            FuncKind::Open => {
                let result = inst.result;
                let name = self.ast.text(self.ast[function].name.name).to_owned();
                self.unsupported(span, format!("the inlined function {name} is recursive"));
                self.dummy(result)
            }
        }
    }

    fn func_inst(&mut self, function: Id<Function>, tys: &[Ty], span: Span) -> u32 {
        let known = match tys.is_empty() {
            true => self.plain_funcs[function.index()],
            false => self.poly_funcs.get(&function).and_then(|insts| insts.get(tys)).copied(),
        };
        match known {
            Some(id) => id,
            None => self.new_func_inst(function, tys, span),
        }
    }

    fn new_func_inst(&mut self, function: Id<Function>, tys: &[Ty], span: Span) -> u32 {
        self.mono.known.add(Head::Function(function), tys);
        let func = self.ast[function];
        let env = TyEnv::new(func.type_params.ids(), tys);
        let outer = std::mem::replace(&mut self.mono.env, env);
        let mut params = Vec::with_capacity(func.params.len());
        for param in &self.ast[func.params] {
            params.push(self.sort_of(self.typed.type_of(param.ty), self.ast[param.ty].span));
        }
        let info = *self.typed.function(function);
        let result = self.sort_of(info.result, func.name.span);
        let id = self.funcs.len() as u32;
        let inst = FuncInst { function, tys: tys.into(), params, result, kind: FuncKind::Open };
        self.funcs.push(inst);
        match tys.is_empty() {
            true => self.plain_funcs[function.index()] = Some(id),
            false => {
                self.poly_funcs.entry(function).or_default().insert(tys.into(), id);
            }
        }
        let attrs = self.ast[info.decl].attrs;
        // A body of the wrong type is ignored (the checker warned), one that never ends is an error.
        let wanted = info.body && !self.mono.grows_forever(&mut self.diags, func.name, tys);
        let body = func.body.filter(|_| wanted);
        let kind = if let Some(text) = self.builtin_text(function) {
            let map_ty = self.mono.ground(info.result);
            FuncKind::Builtin(Builtin::parse(&text, map_ty))
        } else if let (true, Some(body)) = (self.ast.flag(attrs, "inline"), body) {
            let vars = self.bind_params(function, id);
            let (depth, current) = (std::mem::take(&mut self.depth), self.current.take());
            self.inline_depth += 1;
            let (goal, given) = if self.inline_depth > MAX_INLINE_DEPTH {
                self.diags.error(DiagnosticKind::Limit, span, "inlined functions call each other too deeply");
                let dummy = self.dummy(result);
                (dummy, dummy)
            } else {
                stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.both_roles(body))
            };
            self.inline_depth -= 1;
            (self.depth, self.current) = (depth, current);
            FuncKind::Inline { params: vars, goal, given }
        } else {
            let name = self.mono.instance_name(self.ast.text(func.name.name), tys);
            let func = self.declare_function(&name, id, None);
            if body.is_some() {
                self.func_queue.push(id);
            }
            FuncKind::Declared(func)
        };
        self.funcs[id as usize].kind = kind;
        self.mono.env = outer;
        id
    }

    /// Declares a function of the sorts of an instance under a name that nothing else has.
    pub(super) fn declare_function(&mut self, wish: &str, id: u32, builtin: Option<&str>) -> Func {
        loop {
            let name = self.mono.names.unique(wish);
            let inst = &self.funcs[id as usize];
            // The store may come with functions of other programs.
            if self.terms.func(&name).is_some() {
                continue;
            }
            if let Ok(func) = self.terms.declare_func(&name, &inst.params, inst.result, builtin) {
                return func;
            }
        }
    }

    /// An application of a new function about which nothing is known.
    pub(super) fn unknown_function(&mut self, wish: &str, args: &[Term], result: Sort) -> Term {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
        loop {
            let name = self.mono.names.unique(wish);
            if self.terms.func(&name).is_some() {
                continue;
            }
            if let Ok(func) = self.terms.declare_func(&name, &sorts, result, None) {
                return self.terms.app(func, args);
            }
        }
    }

    /// The name of a function, for what is derived from it.
    pub(super) fn func_name(&self, id: u32) -> String {
        let inst = &self.funcs[id as usize];
        self.mono.instance_name(self.ast.text(self.ast[inst.function].name.name), &inst.tys)
    }

    fn bind_params(&mut self, function: Id<Function>, id: u32) -> Vec<Var> {
        let name = self.func_name(id);
        let sorts = self.funcs[id as usize].params.clone();
        let mut vars = Vec::with_capacity(sorts.len());
        let params: Vec<Id<Param>> = self.ast[function].params.ids().collect();
        for (param, sort) in params.into_iter().zip(sorts) {
            let text = self.ast[param].name.map_or("_", |ident| self.ast.text(ident.name));
            let unique = self.mono.names.unique(&format!("{name}.{text}"));
            let var = self.terms.variable(&unique, sort);
            self.params[param.index()] = Some(self.terms.var_term(var));
            vars.push(var);
        }
        vars
    }

    /// Lowers the definitions of all functions that are used.
    pub(super) fn definitions(&mut self) {
        while let Some(id) = self.func_queue.pop() {
            let FuncInst { function, tys, .. } = self.funcs[id as usize].clone();
            let func = self.ast[function];
            let (FuncKind::Declared(declared), Some(body)) = (&self.funcs[id as usize].kind, func.body) else {
                continue;
            };
            let declared = *declared;
            let env = TyEnv::new(func.type_params.ids(), &tys);
            let outer = std::mem::replace(&mut self.mono.env, env);
            let params = self.bind_params(function, id);
            let body = self.expr(body, Polarity::Mixed);
            self.mono.env = outer;
            let loc = self.locs.of(func.name.span);
            self.program.functions.push(FuncDef { func: declared, params, body, loc });
        }
    }

    /// The text of `{:builtin "…"}` or `{:bvbuiltin "…"}`, with the numbers of `{:indices n, …}`.
    fn builtin_text(&self, function: Id<Function>) -> Option<String> {
        let attrs = self.ast[self.typed.function(function).decl].attrs;
        let attr = self.ast.attr(attrs, "bvbuiltin").or_else(|| self.ast.attr(attrs, "builtin"))?;
        let [AttrArg::Str(text)] = self.ast[attr.args] else { return None };
        let mut text = self.ast.text(text).to_owned();
        let indices = self.ast.attr(attrs, "indices").map_or(&[][..], |attr| &self.ast[attr.args]);
        for index in indices {
            if let AttrArg::Expr(index) = *index
                && let ExprKind::Int(digits) = self.ast[index].kind
            {
                text = format!("{text} {}", self.ast.text(digits));
            }
        }
        Some(text)
    }
}

//! Solving, and looking into models.
//!
//! SAFETY of every block here: arguments come from this context's tables, hence are alive; slices
//! outlive the call and are passed with their lengths; results are kept (or copied) at once.

use std::{
    ffi::c_uint,
    sync::{Arc, Mutex},
};

use z3_sys::*;

use super::{Ast, Decl, Engine, SortRef, Z3Error, Z3Result, ast_kind, c_string, copy, decl_kind, last_error};

/// What an expression in a model looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A number; ask [`Engine::numeral`].
    Numeral,
    /// An application; the kind is a `Z3_OP_…` number (see [`op_kind`]).
    App { decl: Decl, kind: u32, args: Vec<Ast> },
    /// A bound variable, by its de Bruijn index.
    Bound(u32),
    /// A lambda with this many variables.
    Lambda { vars: u32, body: Ast },
    /// Something else, such as a quantifier.
    Other,
}

/// The numbers of the `Z3_OP_…` kinds that models consist of: only those that no version changed.
pub(crate) mod op_kind {
    pub(crate) const TRUE: u32 = 0x100;
    pub(crate) const FALSE: u32 = 0x101;
    pub(crate) const EQ: u32 = 0x102;
    pub(crate) const ITE: u32 = 0x104;
    pub(crate) const STORE: u32 = 0x300;
    pub(crate) const CONST_ARRAY: u32 = 0x302;
    pub(crate) const DT_CONSTRUCTOR: u32 = 0x800;
    pub(crate) const RNE: u32 = 0xb000;
    pub(crate) const RTZ: u32 = 0xb004;
}

/// The interpretation of a function in a model: rows and what holds elsewhere.
pub(crate) struct FuncInterp {
    pub entries: Vec<(Vec<Ast>, Ast)>,
    pub otherwise: Option<Ast>,
}

/// A model, kept alive until dropped.
pub(crate) struct ModelRef {
    id: usize,
    /// Where the drop is noted; the engine lets go of the model at its next call.
    dropped: Arc<Mutex<Vec<usize>>>,
}

impl Drop for ModelRef {
    fn drop(&mut self) {
        if let Ok(mut d) = self.dropped.lock() {
            d.push(self.id);
        }
    }
}

/// The outcome of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    /// With Z3's reason.
    Unknown(String),
}

/// A limit or option of the solver, by Z3's name.
pub(crate) type Limit = (&'static str, u32);

impl Engine {
    /// Sets options of the solver. Signals are none of its business: it would catch Ctrl-C for itself
    /// while it works, and nobody else would hear of it.
    pub(crate) fn set(&mut self, options: &[Limit]) -> Z3Result<()> {
        let (c, p) = (self.c(), self.params(options)?);
        let signals = self.symbol("ctrl_c").map(|name| unsafe { Z3_params_set_bool(c, p, name, false) });
        unsafe {
            Z3_solver_set_params(c, self.solver, p);
            Z3_params_dec_ref(c, p);
        }
        signals.and_then(|()| self.check())
    }

    /// Options as a set of parameters, whose reference the caller owns.
    fn params(&self, options: &[Limit]) -> Z3Result<Z3_params> {
        let c = self.c();
        let names = options.iter().map(|&(name, value)| Ok((self.symbol(name)?, value)));
        let names = names.collect::<Z3Result<Vec<_>>>()?;
        let Some(p) = (unsafe { Z3_mk_params(c) }) else { return Err(last_error(c)) };
        unsafe { Z3_params_inc_ref(c, p) };
        for (name, value) in names {
            unsafe { Z3_params_set_uint(c, p, name, value) };
        }
        Ok(p)
    }

    pub(crate) fn assert(&mut self, a: Ast) -> Z3Result<()> {
        let a = self.ast(a)?;
        unsafe { Z3_solver_assert(self.c(), self.solver, a) };
        self.check()
    }

    pub(crate) fn push(&mut self) -> Z3Result<()> {
        unsafe { Z3_solver_push(self.c(), self.solver) };
        self.check()
    }

    pub(crate) fn pop(&mut self, n: u32) -> Z3Result<()> {
        unsafe { Z3_solver_pop(self.c(), self.solver, n) };
        self.check()
    }

    /// Checks the assertions under these literals.
    pub(crate) fn solve(&mut self, assumptions: &[Ast]) -> Z3Result<Verdict> {
        self.collect_models();
        let assumptions = self.all(assumptions)?;
        let answer = unsafe {
            Z3_solver_check_assumptions(self.c(), self.solver, assumptions.len() as c_uint, assumptions.as_ptr())
        };
        Ok(match answer {
            1 => Verdict::Sat,
            -1 => Verdict::Unsat,
            _ => {
                let failed = self.check();
                let reason = unsafe { copy(Z3_solver_get_reason_unknown(self.c(), self.solver)) };
                Verdict::Unknown(known_reason(reason, failed))
            }
        })
    }

    /// A model of all these expressions, and of none else, that violates soft ones of the least total
    /// weight. The model is there if the verdict is [`Verdict::Sat`].
    pub(crate) fn optimize(
        &mut self,
        hard: &[Ast],
        soft: &[(Ast, u64)],
        options: &[Limit],
    ) -> Z3Result<(Verdict, Option<ModelRef>)> {
        self.collect_models();
        let hard = self.all(hard)?;
        let soft = soft.iter().map(|&(a, w)| Ok((self.ast(a)?, w))).collect::<Z3Result<Vec<_>>>()?;
        let c = self.c();
        let Some(o) = (unsafe { Z3_mk_optimize(c) }) else { return Err(last_error(c)) };
        unsafe { Z3_optimize_inc_ref(c, o) };
        let answer = self.optimize_in(o, &hard, &soft, options);
        unsafe { Z3_optimize_dec_ref(c, o) };
        answer
    }

    fn optimize_in(
        &mut self,
        o: Z3_optimize,
        hard: &[Z3_ast],
        soft: &[(Z3_ast, u64)],
        options: &[Limit],
    ) -> Z3Result<(Verdict, Option<ModelRef>)> {
        let c = self.c();
        let p = self.params(options)?;
        unsafe {
            Z3_optimize_set_params(c, o, p);
            Z3_params_dec_ref(c, p);
        }
        self.check()?;
        for &a in hard {
            unsafe { Z3_optimize_assert(c, o, a) };
            self.check()?;
        }
        for &(a, weight) in soft {
            let weight = c_string(&weight.to_string());
            unsafe { Z3_optimize_assert_soft(c, o, a, weight.as_ptr(), None) };
            self.check()?;
        }
        Ok(match unsafe { Z3_optimize_check(c, o, 0, std::ptr::null()) } {
            1 => {
                let model = unsafe { Z3_optimize_get_model(c, o) };
                (Verdict::Sat, Some(self.keep_model(model)?))
            }
            -1 => (Verdict::Unsat, None),
            _ => {
                let failed = self.check();
                let reason = unsafe { copy(Z3_optimize_get_reason_unknown(c, o)) };
                (Verdict::Unknown(known_reason(reason, failed)), None)
            }
        })
    }

    /// Sets options that are switched on or off.
    pub(crate) fn set_flags(&mut self, options: &[(&'static str, bool)]) -> Z3Result<()> {
        let (c, p) = (self.c(), self.params(&[])?);
        let set = options.iter().try_for_each(|&(name, value)| {
            let name = self.symbol(name)?;
            unsafe { Z3_params_set_bool(c, p, name, value) };
            Ok(())
        });
        unsafe {
            Z3_solver_set_params(c, self.solver, p);
            Z3_params_dec_ref(c, p);
        }
        set.and_then(|()| self.check())
    }

    /// Sets options that are numbers with a point.
    pub(crate) fn set_numbers(&mut self, options: &[(&'static str, f64)]) -> Z3Result<()> {
        let (c, p) = (self.c(), self.params(&[])?);
        let set = options.iter().try_for_each(|&(name, value)| {
            let name = self.symbol(name)?;
            unsafe { Z3_params_set_double(c, p, name, value) };
            Ok(())
        });
        unsafe {
            Z3_solver_set_params(c, self.solver, p);
            Z3_params_dec_ref(c, p);
        }
        set.and_then(|()| self.check())
    }

    /// Asserts what declarations and assertions of SMT-LIB say.
    pub(crate) fn assert_text(&mut self, text: &str) -> Z3Result<()> {
        let (c, text) = (self.c(), c_string(text));
        let (none, names, sorts, decls) = (0, std::ptr::null(), std::ptr::null(), std::ptr::null());
        let parsed = unsafe { Z3_parse_smtlib2_string(c, text.as_ptr(), none, names, sorts, none, names, decls) };
        let failed = self.check();
        let Some(parsed) = parsed else { return failed.and(Err(last_error(c))) };
        unsafe {
            Z3_ast_vector_inc_ref(c, parsed);
            for i in 0..Z3_ast_vector_size(c, parsed) {
                if let Some(a) = Z3_ast_vector_get(c, parsed, i) {
                    Z3_solver_assert(c, self.solver, a);
                }
            }
            Z3_ast_vector_dec_ref(c, parsed);
        }
        failed.and_then(|()| self.check())
    }

    /// The model of the last satisfiable check as definitions of SMT-LIB.
    pub(crate) fn model_text(&mut self) -> Z3Result<String> {
        let model = self.model()?;
        let (c, m) = (self.c(), self.model_ptr(&model)?);
        let text = unsafe {
            Z3_set_ast_print_mode(c, AstPrintMode::Smtlib2Compliant);
            copy(Z3_model_to_string(c, m))
        };
        self.check()?;
        Ok(text)
    }

    /// Which of the assumptions (by position) the last unsatisfiable check used.
    pub(crate) fn core(&mut self, assumptions: &[Ast]) -> Z3Result<Vec<usize>> {
        let c = self.c();
        let all = self.all(assumptions)?;
        let Some(v) = (unsafe { Z3_solver_get_unsat_core(c, self.solver) }) else { return Err(last_error(c)) };
        unsafe { Z3_ast_vector_inc_ref(c, v) };
        let n = unsafe { Z3_ast_vector_size(c, v) };
        let mut used: Vec<Z3_ast> = (0..n).filter_map(|i| unsafe { Z3_ast_vector_get(c, v, i) }).collect();
        used.sort_unstable();
        let core = (0..all.len()).filter(|&i| used.binary_search(&all[i]).is_ok()).collect::<Vec<_>>();
        unsafe { Z3_ast_vector_dec_ref(c, v) };
        used.dedup();
        if core.len() < used.len() {
            return Err(Z3Error("the core names something that was not assumed".into()));
        }
        Ok(core)
    }

    /// The model of the last satisfiable check.
    pub(crate) fn model(&mut self) -> Z3Result<ModelRef> {
        let c = self.c();
        let model = unsafe { Z3_solver_get_model(c, self.solver) };
        self.keep_model(model)
    }

    fn keep_model(&mut self, m: Option<Z3_model>) -> Z3Result<ModelRef> {
        let c = self.c();
        let Some(m) = m else { return Err(last_error(c)) };
        unsafe { Z3_model_inc_ref(c, m) };
        let id = match self.models.iter().position(Option::is_none) {
            Some(free) => {
                self.models[free] = Some(m);
                free
            }
            None => {
                self.models.push(Some(m));
                self.models.len() - 1
            }
        };
        Ok(ModelRef { id, dropped: self.dropped.clone() })
    }

    /// Lets go of models that nobody holds any more.
    fn collect_models(&mut self) {
        let ids = self.dropped.lock().map(|mut d| std::mem::take(&mut *d)).unwrap_or_default();
        for id in ids {
            if let Some(m) = self.models.get_mut(id).and_then(Option::take) {
                unsafe { Z3_model_dec_ref(self.c(), m) };
            }
        }
    }

    fn model_ptr(&self, m: &ModelRef) -> Z3Result<Z3_model> {
        let known = Arc::ptr_eq(&m.dropped, &self.dropped);
        self.models.get(m.id).copied().flatten().filter(|_| known).ok_or_else(|| Z3Error("stale model".into()))
    }

    /// The value of an expression; what the model leaves open is fixed from now on.
    pub(crate) fn eval(&mut self, m: &ModelRef, a: Ast) -> Z3Result<Ast> {
        let (m, a) = (self.model_ptr(m)?, self.ast(a)?);
        let mut out: Option<Z3_ast> = None;
        // `Option<NonNull>` has the layout of a pointer that may be null.
        let ok = unsafe { Z3_model_eval(self.c(), m, a, true, (&raw mut out).cast()) };
        if !ok {
            self.check()?;
            return Err(Z3Error("the model gives no value".into()));
        }
        self.keep(out)
    }

    /// A function's interpretation; `None` if the model leaves it open.
    pub(crate) fn interpretation(&mut self, m: &ModelRef, d: Decl) -> Z3Result<Option<FuncInterp>> {
        let (c, m, d) = (self.c(), self.model_ptr(m)?, self.decl(d)?);
        if !unsafe { Z3_model_has_interp(c, m, d) } {
            return Ok(None);
        }
        let Some(f) = (unsafe { Z3_model_get_func_interp(c, m, d) }) else { return Ok(None) };
        unsafe { Z3_func_interp_inc_ref(c, f) };
        let result = self.rows(f);
        unsafe { Z3_func_interp_dec_ref(c, f) };
        result.map(Some)
    }

    fn rows(&mut self, f: Z3_func_interp) -> Z3Result<FuncInterp> {
        let c = self.c();
        let mut entries = Vec::new();
        for i in 0..unsafe { Z3_func_interp_get_num_entries(c, f) } {
            let Some(e) = (unsafe { Z3_func_interp_get_entry(c, f, i) }) else { return Err(last_error(c)) };
            unsafe { Z3_func_entry_inc_ref(c, e) };
            let n = unsafe { Z3_func_entry_get_num_args(c, e) };
            let mut args = Vec::new();
            for j in 0..n {
                let a = unsafe { Z3_func_entry_get_arg(c, e, j) };
                args.push(self.keep(a));
            }
            let value = unsafe { Z3_func_entry_get_value(c, e) };
            let value = self.keep(value);
            unsafe { Z3_func_entry_dec_ref(c, e) };
            entries.push((args.into_iter().collect::<Z3Result<Vec<_>>>()?, value?));
        }
        let otherwise = unsafe { Z3_func_interp_get_else(c, f) };
        let otherwise = otherwise.map(|a| self.keep(Some(a))).transpose()?;
        Ok(FuncInterp { entries, otherwise })
    }

    /// The elements of an uninterpreted sort, where the model fixes them.
    pub(crate) fn universe(&mut self, m: &ModelRef, s: SortRef) -> Z3Result<Vec<Ast>> {
        let (c, m, s) = (self.c(), self.model_ptr(m)?, self.sort(s)?);
        let Some(v) = (unsafe { Z3_model_get_sort_universe(c, m, s) }) else { return Ok(Vec::new()) };
        unsafe { Z3_ast_vector_inc_ref(c, v) };
        let mut out = Vec::new();
        for i in 0..unsafe { Z3_ast_vector_size(c, v) } {
            let a = unsafe { Z3_ast_vector_get(c, v, i) };
            out.push(self.keep(a));
        }
        unsafe { Z3_ast_vector_dec_ref(c, v) };
        out.into_iter().collect()
    }

    /// The function behind an array value that is a function's graph.
    pub(crate) fn as_array(&mut self, a: Ast) -> Z3Result<Option<Decl>> {
        let (c, a) = (self.c(), self.ast(a)?);
        if !unsafe { Z3_is_as_array(c, a) } {
            return Ok(None);
        }
        let d = unsafe { Z3_get_as_array_func_decl(c, a) };
        self.keep_decl(d).map(Some)
    }

    /// What an expression looks like.
    pub(crate) fn shape(&mut self, a: Ast) -> Z3Result<Shape> {
        let (c, a) = (self.c(), self.ast(a)?);
        Ok(match unsafe { ast_kind(c, a) } {
            0 => Shape::Numeral,
            1 => {
                let Some(app) = (unsafe { Z3_to_app(c, a) }) else { return Err(last_error(c)) };
                let mut args = Vec::new();
                for i in 0..unsafe { Z3_get_app_num_args(c, app) } {
                    let arg = unsafe { Z3_get_app_arg(c, app, i) };
                    args.push(self.keep(arg)?);
                }
                let Some(d) = (unsafe { Z3_get_app_decl(c, app) }) else { return Err(last_error(c)) };
                let kind = unsafe { decl_kind(c, d) };
                Shape::App { decl: self.keep_decl(Some(d))?, kind, args }
            }
            2 => Shape::Bound(unsafe { Z3_get_index_value(c, a) }),
            3 if unsafe { Z3_is_lambda(c, a) } => {
                let vars = unsafe { Z3_get_quantifier_num_bound(c, a) };
                let body = unsafe { Z3_get_quantifier_body(c, a) };
                Shape::Lambda { vars, body: self.keep(body)? }
            }
            _ => Shape::Other,
        })
    }

    /// The kind of an application, of numerals too; 0 (which is no kind) for others.
    pub(crate) fn kind(&mut self, a: Ast) -> Z3Result<u32> {
        let (c, a) = (self.c(), self.ast(a)?);
        if unsafe { ast_kind(c, a) } > 1 {
            return Ok(0);
        }
        let Some(app) = (unsafe { Z3_to_app(c, a) }) else { return Err(last_error(c)) };
        let Some(d) = (unsafe { Z3_get_app_decl(c, app) }) else { return Err(last_error(c)) };
        Ok(unsafe { decl_kind(c, d) })
    }

    /// The text of a rational or bit-vector numeral (`12`, `-3`, `1/3`); `None` for others, such as
    /// irrational numbers.
    pub(crate) fn numeral(&mut self, a: Ast) -> Z3Result<Option<String>> {
        let (c, a) = (self.c(), self.ast(a)?);
        if !unsafe { Z3_is_numeral_ast(c, a) } {
            return Ok(None);
        }
        let text = unsafe { copy(Z3_get_numeral_string(c, a)) };
        self.check()?;
        Ok(Some(text))
    }

    /// A number that is the same for equal expressions that are alive.
    pub(crate) fn id(&self, a: Ast) -> Z3Result<u32> {
        let a = self.ast(a)?;
        Ok(unsafe { Z3_get_ast_id(self.c(), a) })
    }

    /// The printed form, for messages.
    pub(crate) fn text(&self, a: Ast) -> String {
        self.ast(a).map(|a| unsafe { copy(Z3_ast_to_string(self.c(), a)) }).unwrap_or_default()
    }

    /// The solver's own counters.
    pub(crate) fn counters(&self) -> Vec<(String, f64)> {
        let c = self.c();
        let Some(s) = (unsafe { Z3_solver_get_statistics(c, self.solver) }) else { return Vec::new() };
        unsafe { Z3_stats_inc_ref(c, s) };
        let n = unsafe { Z3_stats_size(c, s) };
        let counters = (0..n)
            .map(|i| unsafe {
                let value = if Z3_stats_is_uint(c, s, i) {
                    f64::from(Z3_stats_get_uint_value(c, s, i))
                } else {
                    Z3_stats_get_double_value(c, s, i)
                };
                (copy(Z3_stats_get_key(c, s, i)), value)
            })
            .collect();
        unsafe { Z3_stats_dec_ref(c, s) };
        counters
    }
}

/// Why a check has no answer: an exception inside it (out of memory, say) has its text in the error only.
fn known_reason(reason: String, failed: Z3Result<()>) -> String {
    match failed {
        Err(e) if reason.is_empty() || reason == "unknown" => e.0,
        _ => reason,
    }
}

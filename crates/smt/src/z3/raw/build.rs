//! Making sorts and expressions.
//!
//! SAFETY of every block here: arguments come from this context's tables, hence are alive; slices
//! outlive the call and are passed with their lengths; results are kept at once.

use std::ffi::c_uint;

use z3_sys::*;

use super::{
    Ast, ConvertedFn, CtorDecls, Decl, Engine, IndexedFn, Operator, RoundedFn, SortRef, Z3Error, Z3Result, c_string,
    last_error,
};

impl Engine {
    pub(crate) fn bool_sort(&mut self) -> Z3Result<SortRef> {
        let s = unsafe { Z3_mk_bool_sort(self.c()) };
        self.keep_sort(s)
    }

    pub(crate) fn int_sort(&mut self) -> Z3Result<SortRef> {
        let s = unsafe { Z3_mk_int_sort(self.c()) };
        self.keep_sort(s)
    }

    pub(crate) fn real_sort(&mut self) -> Z3Result<SortRef> {
        let s = unsafe { Z3_mk_real_sort(self.c()) };
        self.keep_sort(s)
    }

    pub(crate) fn rounding_mode_sort(&mut self) -> Z3Result<SortRef> {
        let s = unsafe { Z3_mk_fpa_rounding_mode_sort(self.c()) };
        self.keep_sort(s)
    }

    pub(crate) fn bv_sort(&mut self, width: u32) -> Z3Result<SortRef> {
        let s = unsafe { Z3_mk_bv_sort(self.c(), width) };
        self.keep_sort(s)
    }

    pub(crate) fn float_sort(&mut self, exp: u32, sig: u32) -> Z3Result<SortRef> {
        let s = unsafe { Z3_mk_fpa_sort(self.c(), exp, sig) };
        self.keep_sort(s)
    }

    pub(crate) fn array_sort(&mut self, index: SortRef, element: SortRef) -> Z3Result<SortRef> {
        let (i, e) = (self.sort(index)?, self.sort(element)?);
        let s = unsafe { Z3_mk_array_sort(self.c(), i, e) };
        self.keep_sort(s)
    }

    pub(crate) fn uninterpreted_sort(&mut self, name: &str) -> Z3Result<SortRef> {
        let name = self.symbol(name)?;
        let s = unsafe { Z3_mk_uninterpreted_sort(self.c(), name) };
        self.keep_sort(s)
    }

    pub(crate) fn sort_of(&mut self, a: Ast) -> Z3Result<SortRef> {
        let a = self.ast(a)?;
        let s = unsafe { Z3_get_sort(self.c(), a) };
        self.keep_sort(s)
    }

    /// The constructors of a datatype sort.
    pub(crate) fn constructors(&mut self, s: SortRef) -> Z3Result<Vec<CtorDecls>> {
        let (c, s) = (self.c(), self.sort(s)?);
        let n = unsafe { Z3_get_datatype_sort_num_constructors(c, s) };
        self.check()?;
        let mut out = Vec::new();
        for i in 0..n {
            let make = unsafe { Z3_get_datatype_sort_constructor(c, s, i) };
            let make = self.keep_decl(make)?;
            let test = unsafe { Z3_get_datatype_sort_recognizer(c, s, i) };
            let test = self.keep_decl(test)?;
            let arity = unsafe { Z3_get_domain_size(c, self.decl(make)?) };
            let mut fields = Vec::new();
            for j in 0..arity {
                let field = unsafe { Z3_get_datatype_sort_constructor_accessor(c, s, i, j) };
                fields.push(self.keep_decl(field)?);
            }
            out.push(CtorDecls { make, test, fields });
        }
        Ok(out)
    }

    // Expressions

    pub(crate) fn declare(&mut self, name: &str, params: &[SortRef], result: SortRef) -> Z3Result<Decl> {
        let name = self.symbol(name)?;
        let params = params.iter().map(|&s| self.sort(s)).collect::<Z3Result<Vec<_>>>()?;
        let result = self.sort(result)?;
        let d = unsafe { Z3_mk_func_decl(self.c(), name, params.len() as c_uint, params.as_ptr(), result) };
        self.keep_decl_new(d)
    }

    /// As [`Engine::keep_decl`], without the search: the callers make each declaration once.
    fn keep_decl_new(&mut self, d: Option<Z3_func_decl>) -> Z3Result<Decl> {
        let Some(d) = d else { return Err(last_error(self.c())) };
        unsafe { Z3_func_decl_to_ast(self.c(), d).map(|a| Z3_inc_ref(self.c(), a)) };
        self.decls.push(d);
        Ok(Decl(self.decls.len() as u32 - 1))
    }

    pub(crate) fn app(&mut self, d: Decl, args: &[Ast]) -> Z3Result<Ast> {
        let (d, args) = (self.decl(d)?, self.all(args)?);
        let a = unsafe { Z3_mk_app(self.c(), d, args.len() as c_uint, args.as_ptr()) };
        self.keep(a)
    }

    /// An operator applied; binary ones associate to the left.
    pub(crate) fn apply(&mut self, op: Operator, args: &[Ast]) -> Z3Result<Ast> {
        let c = self.c();
        let wrong = || Err(Z3Error("wrong number of arguments".into()));
        let a = match (op, args) {
            (Operator::Nullary(f), []) => unsafe { f.0(c) },
            (Operator::One(f), &[a]) => {
                let a = self.ast(a)?;
                unsafe { f.0(c, a) }
            }
            (Operator::Two(f), &[a, b]) => {
                let (a, b) = (self.ast(a)?, self.ast(b)?);
                unsafe { f.0(c, a, b) }
            }
            (Operator::Two(_), &[a, b, ..]) => {
                let first = self.apply(op, &[a, b])?;
                return args[2..].iter().try_fold(first, |left, &right| self.apply(op, &[left, right]));
            }
            (Operator::Three(f), &[a, b, d]) => {
                let (a, b, d) = (self.ast(a)?, self.ast(b)?, self.ast(d)?);
                unsafe { f.0(c, a, b, d) }
            }
            (Operator::Four(f), &[a, b, d, e]) => {
                let (a, b, d, e) = (self.ast(a)?, self.ast(b)?, self.ast(d)?, self.ast(e)?);
                unsafe { f.0(c, a, b, d, e) }
            }
            (Operator::Many(f), args) => {
                let args = self.all(args)?;
                unsafe { f.0(c, args.len() as c_uint, args.as_ptr()) }
            }
            _ => return wrong(),
        };
        self.keep(a)
    }

    pub(crate) fn indexed(&mut self, f: IndexedFn, n: u32, a: Ast) -> Z3Result<Ast> {
        let a = self.ast(a)?;
        let a = unsafe { f.0(self.c(), n, a) };
        self.keep(a)
    }

    pub(crate) fn extract(&mut self, hi: u32, lo: u32, a: Ast) -> Z3Result<Ast> {
        let a = self.ast(a)?;
        let a = unsafe { Z3_mk_extract(self.c(), hi, lo, a) };
        self.keep(a)
    }

    pub(crate) fn bv_to_nat(&mut self, a: Ast) -> Z3Result<Ast> {
        let a = self.ast(a)?;
        let a = unsafe { Z3_mk_bv2int(self.c(), a, false) };
        self.keep(a)
    }

    /// A float of this sort from its bits.
    pub(crate) fn float_from_bits(&mut self, a: Ast, sort: SortRef) -> Z3Result<Ast> {
        let (a, s) = (self.ast(a)?, self.sort(sort)?);
        let a = unsafe { Z3_mk_fpa_to_fp_bv(self.c(), a, s) };
        self.keep(a)
    }

    pub(crate) fn nan(&mut self, sort: SortRef) -> Z3Result<Ast> {
        let s = self.sort(sort)?;
        let a = unsafe { Z3_mk_fpa_nan(self.c(), s) };
        self.keep(a)
    }

    /// A number (by rounding mode and argument) as a float of this sort.
    pub(crate) fn float_from(&mut self, f: ConvertedFn, rm: Ast, a: Ast, sort: SortRef) -> Z3Result<Ast> {
        let (rm, a, s) = (self.ast(rm)?, self.ast(a)?, self.sort(sort)?);
        let a = unsafe { f.0(self.c(), rm, a, s) };
        self.keep(a)
    }

    /// A float (by rounding mode and argument) as a bit-vector.
    pub(crate) fn float_to_bv(&mut self, f: RoundedFn, rm: Ast, a: Ast, width: u32) -> Z3Result<Ast> {
        let (rm, a) = (self.ast(rm)?, self.ast(a)?);
        let a = unsafe { f.0(self.c(), rm, a, width) };
        self.keep(a)
    }

    pub(crate) fn const_array(&mut self, index: SortRef, element: Ast) -> Z3Result<Ast> {
        let (s, e) = (self.sort(index)?, self.ast(element)?);
        let a = unsafe { Z3_mk_const_array(self.c(), s, e) };
        self.keep(a)
    }

    /// A numeral of an integer, real or bit-vector sort from its text (`12`, `-3`, `1/3`).
    pub(crate) fn number(&mut self, text: &str, sort: SortRef) -> Z3Result<Ast> {
        let (s, text) = (self.sort(sort)?, c_string(text));
        let a = unsafe { Z3_mk_numeral(self.c(), text.as_ptr(), s) };
        self.keep(a)
    }

    pub(crate) fn bound(&mut self, index: u32, sort: SortRef) -> Z3Result<Ast> {
        let s = self.sort(sort)?;
        let a = unsafe { Z3_mk_bound(self.c(), index, s) };
        self.keep(a)
    }

    pub(crate) fn lambda(&mut self, name: &str, sort: SortRef, body: Ast) -> Z3Result<Ast> {
        let (name, s, body) = (self.symbol(name)?, self.sort(sort)?, self.ast(body)?);
        let a = unsafe { Z3_mk_lambda(self.c(), 1, &s, &name, body) };
        self.keep(a)
    }

    /// A quantifier. The last variable is bound index 0. Fails for triggers that Z3 cannot use.
    pub(crate) fn quantifier(
        &mut self,
        forall: bool,
        weight: u32,
        vars: &[(String, SortRef)],
        triggers: &[Vec<Ast>],
        negative: &[Ast],
        body: Ast,
    ) -> Z3Result<Ast> {
        let c = self.c();
        let sorts = vars.iter().map(|v| self.sort(v.1)).collect::<Z3Result<Vec<_>>>()?;
        let names = vars.iter().map(|v| self.symbol(&v.0)).collect::<Z3Result<Vec<_>>>()?;
        let none = self.symbol("q")?;
        let (negative, body) = (self.all(negative)?, self.ast(body)?);
        let mut patterns = Vec::new();
        let mark = self.mark();
        for trigger in triggers {
            let terms = self.all(trigger)?;
            let p = unsafe { Z3_mk_pattern(c, terms.len() as c_uint, terms.as_ptr()) };
            let Some(p) = p else { return Err(last_error(c)) };
            let a = unsafe { Z3_pattern_to_ast(c, p) };
            self.keep(a)?;
            patterns.push(p);
        }
        let a = unsafe {
            Z3_mk_quantifier_ex(
                c,
                forall,
                weight,
                none,
                none,
                patterns.len() as c_uint,
                patterns.as_ptr(),
                negative.len() as c_uint,
                negative.as_ptr(),
                vars.len() as c_uint,
                sorts.as_ptr(),
                names.as_ptr(),
                body,
            )
        };
        let a = self.keep(a);
        if a.is_err() {
            self.release(mark);
        }
        a
    }

    /// `a` with each first expression replaced by the second.
    pub(crate) fn substitute(&mut self, a: Ast, pairs: &[(Ast, Ast)]) -> Z3Result<Ast> {
        let from = pairs.iter().map(|p| self.ast(p.0)).collect::<Z3Result<Vec<_>>>()?;
        let to = pairs.iter().map(|p| self.ast(p.1)).collect::<Z3Result<Vec<_>>>()?;
        let a = self.ast(a)?;
        let a = unsafe { Z3_substitute(self.c(), a, from.len() as c_uint, from.as_ptr(), to.as_ptr()) };
        self.keep(a)
    }

    pub(crate) fn simplify(&mut self, a: Ast) -> Z3Result<Ast> {
        let a = self.ast(a)?;
        let a = unsafe { Z3_simplify(self.c(), a) };
        self.keep(a)
    }

    /// The assertions of an SMT-LIB text in which these names of sorts are known.
    pub(crate) fn parse(&mut self, text: &str, sorts: &[(String, SortRef)]) -> Z3Result<Vec<Ast>> {
        let c = self.c();
        let names = sorts.iter().map(|s| self.symbol(&s.0)).collect::<Z3Result<Vec<_>>>()?;
        let sorts = sorts.iter().map(|s| self.sort(s.1)).collect::<Z3Result<Vec<_>>>()?;
        let text = c_string(text);
        let v = unsafe {
            Z3_parse_smtlib2_string(
                c,
                text.as_ptr(),
                sorts.len() as c_uint,
                names.as_ptr(),
                sorts.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            )
        };
        let Some(v) = v else { return Err(last_error(c)) };
        unsafe { Z3_ast_vector_inc_ref(c, v) };
        let mut out = self.check().map(|()| Vec::new());
        let n = unsafe { Z3_ast_vector_size(c, v) };
        for i in 0..n {
            let a = unsafe { Z3_ast_vector_get(c, v, i) };
            let a = self.keep(a);
            out = out.and_then(|mut o| a.map(|a| o.push(a)).map(|()| o));
        }
        unsafe { Z3_ast_vector_dec_ref(c, v) };
        out
    }
}

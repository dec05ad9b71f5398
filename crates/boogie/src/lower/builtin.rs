//! Functions with `{:builtin "…"}` or `{:bvbuiltin "…"}`.
//!
//! Names of SMT-LIB become operators of the term store. The pointwise map operations (`MapAdd` and
//! so on) become lambdas, `MapConst` a constant array. Whatever else there is passes through to the
//! solver by its text.

use lariat_term::{Op, Sort, SortKind, Term};

use super::Lower;
use super::func::FuncKind;
use crate::syntax::BinOp;
use crate::types::Ty;
use lariat_source::Span;

/// What the text of an attribute stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// An operator `(_ name indices)`, with arguments that come before those of the program.
    Smt { name: String, indices: Vec<u32>, first: Vec<String>, text: String },
    /// An operation on maps of this type.
    Map { name: String, ty: Ty },
}

impl Builtin {
    /// Takes the text apart; `result` is the ground type of the function's result.
    pub fn parse(text: &str, result: Ty) -> Builtin {
        let text = text.trim();
        if text.starts_with("Map") && text[3..].chars().all(char::is_alphanumeric) {
            return Builtin::Map { name: text.to_owned(), ty: result };
        }
        let (head, rest) = match text.strip_prefix("(_ ").and_then(|inner| inner.split_once(')')) {
            Some((inner, rest)) => (inner, rest),
            None => (text, ""),
        };
        let mut words = head.split_whitespace();
        let name = words.next().unwrap_or("").to_owned();
        let (mut indices, mut first) = (Vec::new(), Vec::new());
        for word in words.chain(rest.split_whitespace()) {
            match word.parse() {
                Ok(index) => indices.push(index),
                Err(_) => first.push(word.to_owned()),
            }
        }
        // The form `zero_extend 8` of old programs is what solvers know as `(_ zero_extend 8)`.
        let text = match (text.starts_with('('), indices.is_empty()) {
            (false, false) => format!("(_ {name} {})", words_of(&indices)),
            _ => text.to_owned(),
        };
        Builtin::Smt { name, indices, first, text }
    }
}

fn words_of(indices: &[u32]) -> String {
    let words: Vec<String> = indices.iter().map(u32::to_string).collect();
    words.join(" ")
}

impl Lower<'_> {
    /// A builtin applied to arguments; `id` is the function that it belongs to.
    pub(super) fn builtin(&mut self, builtin: &Builtin, id: u32, args: &[Term], result: Sort, span: Span) -> Term {
        match builtin {
            Builtin::Map { name, ty } => match self.map_builtin(name, *ty, args, result, span) {
                Some(term) if self.terms.sort(term) == result => term,
                _ => {
                    self.unsupported(span, format!("the operation {name} is not supported for these types"));
                    self.dummy(result)
                }
            },
            Builtin::Smt { name, indices, first, text } => {
                let leading: Result<Vec<Term>, _> =
                    first.iter().map(|word| self.terms.apply_smt(word, &[], &[])).collect();
                if let Ok(mut all) = leading {
                    all.extend_from_slice(args);
                    let term = self.terms.apply_smt(name, indices, &all).ok();
                    if let Some(term) = term.filter(|&term| self.terms.sort(term) == result) {
                        return term;
                    }
                }
                self.pass_through(id, text, args)
            }
        }
    }

    /// From now on the function is one that the solver knows by this text.
    fn pass_through(&mut self, id: u32, text: &str, args: &[Term]) -> Term {
        let name = self.func_name(id);
        // A constant of a parametric sort needs its sort, such as `seq.empty`.
        let inst = &self.funcs[id as usize];
        let text = match inst.params.is_empty() && inst.is_instance() {
            true => format!("(as {text} {})", self.terms.display_sort(inst.result)),
            false => text.to_owned(),
        };
        let func = self.declare_function(&name, id, Some(&text));
        self.funcs[id as usize].kind = FuncKind::Declared(func);
        self.terms.app(func, args)
    }

    fn map_builtin(&mut self, name: &str, ty: Ty, args: &[Term], result: Sort, span: Span) -> Option<Term> {
        let crate::types::TyKind::Map { params: 0, args: index, .. } = self.mono.types.kind(ty) else {
            return None;
        };
        // The array sorts from the outside in.
        let mut sorts = Vec::with_capacity(index.len());
        let mut inner = result;
        for _ in 0..index.len() {
            let SortKind::Array(index, element) = self.terms.sort_kind(inner) else { return None };
            sorts.push((inner, index));
            inner = element;
        }
        if name == "MapConst" {
            let &[value] = args else { return None };
            if self.terms.sort(value) != inner {
                return None;
            }
            return Some(sorts.iter().rev().fold(value, |value, &(sort, _)| self.terms.const_array(sort, value)));
        }
        let depth = sorts.len() as u32;
        let mut elements = Vec::with_capacity(args.len());
        for &arg in args {
            let mut element = self.terms.shift(arg, depth);
            for (at, &(_, index)) in sorts.iter().enumerate() {
                let sort = self.terms.sort(element);
                if !matches!(self.terms.sort_kind(sort), SortKind::Array(i, _) if i == index) {
                    return None;
                }
                let bound = self.terms.bound(depth - 1 - at as u32, index);
                element = self.terms.select(element, bound);
            }
            elements.push(element);
        }
        let body = self.pointwise(name, &elements, span)?;
        Some(sorts.iter().rev().fold(body, |body, &(_, index)| self.terms.lambda_bound(("i", index), body)))
    }

    fn pointwise(&mut self, name: &str, args: &[Term], span: Span) -> Option<Term> {
        let op = match (name, args) {
            ("MapNot", &[a]) if self.terms.sort(a) == Sort::BOOL => return Some(self.terms.not(a)),
            ("MapIte", &[..]) => return self.terms.try_mk(Op::Ite, args).ok(),
            ("MapAdd", _) => BinOp::Add,
            ("MapSub", _) => BinOp::Sub,
            ("MapMul", _) => BinOp::Mul,
            ("MapDiv", &[a, _]) if self.terms.sort(a) == Sort::INT => BinOp::Div,
            ("MapDiv", _) => BinOp::RealDiv,
            ("MapMod", _) => BinOp::Mod,
            ("MapEq", _) => BinOp::Eq,
            ("MapIff", _) => BinOp::Iff,
            ("MapGt", _) => BinOp::Gt,
            ("MapGe", _) => BinOp::Ge,
            ("MapLt", _) => BinOp::Lt,
            ("MapLe", _) => BinOp::Le,
            ("MapAnd", _) => BinOp::And,
            ("MapOr", _) => BinOp::Or,
            ("MapImp", _) => BinOp::Implies,
            _ => {
                self.unsupported(span, format!("the map operation {name} is not known"));
                return None;
            }
        };
        let &[a, b] = args else { return None };
        let (sort, other) = (self.terms.sort(a), self.terms.sort(b));
        let boolean = matches!(op, BinOp::And | BinOp::Or | BinOp::Implies | BinOp::Iff);
        let number = sort == Sort::INT || sort == Sort::REAL;
        let fits = sort == other
            && match op {
                BinOp::Eq => true,
                BinOp::Mod => sort == Sort::INT,
                _ if boolean => sort == Sort::BOOL,
                _ => number,
            };
        fits.then(|| self.binary(op, a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let parse = |text: &str| match Builtin::parse(text, Ty::INT) {
            Builtin::Smt { name, indices, first, text } => (name, indices, first, text),
            Builtin::Map { name, .. } => (name, Vec::new(), Vec::new(), "map".to_owned()),
        };
        let strings = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(parse("bvadd"), ("bvadd".into(), vec![], vec![], "bvadd".into()));
        let text = "(_ to_fp 8 24) RNE";
        assert_eq!(parse(text), ("to_fp".into(), vec![8, 24], strings(&["RNE"]), text.into()));
        let expected = ("zero_extend".into(), vec![8], vec![], "(_ zero_extend 8)".into());
        assert_eq!(parse("zero_extend 8"), expected);
        assert_eq!(parse("fp.add RNA"), ("fp.add".into(), vec![], strings(&["RNA"]), "fp.add RNA".into()));
        assert_eq!(parse("MapConst").3, "map");
    }
}

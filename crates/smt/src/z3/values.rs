//! Z3's values as [`Value`]s.
//!
//! In: expressions that a model's evaluation gave. Out: the values they denote, or
//! [`SolverError::NoValue`] where Lariat has none (irrational numbers, arrays that are no finite
//! table, sorts of Z3's own): never an approximation. Iterative, so depth does not matter.

use std::{collections::hash_map::Entry, sync::Arc};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use lariat_term::{ArrayValue, BitVec, CtorId, Domain, Float, RoundingMode, Sort, SortKind, Terms, Value};
use rustc_hash::FxHashMap;

use super::{
    failed,
    raw::{Ast, Decl, Engine, FuncInterp, ModelRef, Operator, Shape, op_kind},
};
use crate::SolverError;

/// Reads values of one model.
pub(super) struct Reader<'a> {
    pub(super) terms: &'a Terms,
    pub(super) model: &'a ModelRef,
    pub(super) ctors: &'a FxHashMap<Decl, CtorId>,
    /// The elements of uninterpreted sorts, by their expressions.
    elements: FxHashMap<u32, (Sort, u32)>,
    universes: FxHashMap<Sort, u32>,
    domains: FxHashMap<Sort, Arc<Domain>>,
    memo: FxHashMap<(u32, Sort), Value>,
}

/// How a value is made of others.
enum Plan {
    Done(Value),
    Data(CtorId, Vec<(Ast, Sort)>),
    /// Index and element by turns, the outermost change first, and the default last.
    Array(Vec<(Ast, Sort)>),
}

fn no_value(e: &Engine, a: Ast) -> SolverError {
    SolverError::NoValue { what: e.text(a) }
}

impl<'a> Reader<'a> {
    pub(super) fn new(terms: &'a Terms, model: &'a ModelRef, ctors: &'a FxHashMap<Decl, CtorId>) -> Reader<'a> {
        Reader {
            terms,
            model,
            ctors,
            elements: FxHashMap::default(),
            universes: FxHashMap::default(),
            domains: FxHashMap::default(),
            memo: FxHashMap::default(),
        }
    }

    /// Numbers the elements of an uninterpreted sort: those that terms mention keep their numbers.
    /// To be called before any value is read.
    pub(super) fn set_universe(
        &mut self,
        e: &mut Engine,
        sort: Sort,
        universe: &[Ast],
        mentioned: &[(u32, Ast)],
    ) -> Result<(), SolverError> {
        let mut taken = Vec::new();
        for &(n, a) in mentioned {
            let v = e.eval(self.model, a).map_err(failed)?;
            self.elements.insert(e.id(v).map_err(failed)?, (sort, n));
            taken.push(n);
        }
        let mut free = (0..).filter(|n| !taken.contains(n));
        let mut top = taken.iter().max().map_or(0, |&m| m.saturating_add(1));
        for &a in universe {
            let id = e.id(a).map_err(failed)?;
            if let Entry::Vacant(new) = self.elements.entry(id) {
                let n = free.next().unwrap_or(u32::MAX);
                new.insert((sort, n));
                top = top.max(n.saturating_add(1));
            }
        }
        if top > 0 {
            self.universes.insert(sort, top);
        }
        Ok(())
    }

    pub(super) fn universe(&self, sort: Sort) -> Option<u32> {
        self.universes.get(&sort).copied()
    }

    pub(super) fn universes(&self) -> impl Iterator<Item = (Sort, u32)> {
        self.universes.iter().map(|(&s, &n)| (s, n))
    }

    /// The value of a term's expression in the model.
    pub(super) fn eval(&mut self, e: &mut Engine, a: Ast, sort: Sort) -> Result<Value, SolverError> {
        let v = e.eval(self.model, a).map_err(failed)?;
        self.read(e, v, sort)
    }

    /// The value that an expression denotes.
    pub(super) fn read(&mut self, e: &mut Engine, root: Ast, sort: Sort) -> Result<Value, SolverError> {
        let root_key = (e.id(root).map_err(failed)?, sort);
        // A plan is made once: its expressions stay alive until the whole extraction is released.
        let mut stack: Vec<(Ast, Sort, Option<Plan>)> = vec![(root, sort, None)];
        while let Some((a, s, plan)) = stack.pop() {
            let key = (e.id(a).map_err(failed)?, s);
            if self.memo.contains_key(&key) {
                continue;
            }
            let plan = match plan {
                Some(p) => p,
                None => self.plan(e, a, s)?,
            };
            let parts = match &plan {
                Plan::Done(_) => &[][..],
                Plan::Data(_, parts) | Plan::Array(parts) => parts,
            };
            let mut missing = Vec::new();
            for &(part, part_sort) in parts {
                if !self.memo.contains_key(&(e.id(part).map_err(failed)?, part_sort)) {
                    missing.push((part, part_sort, None));
                }
            }
            if !missing.is_empty() {
                stack.push((a, s, Some(plan)));
                stack.extend(missing);
                continue;
            }
            let value = match plan {
                Plan::Done(v) => v,
                Plan::Data(c, parts) => Value::data(c, self.known(e, &parts)?),
                Plan::Array(parts) => self.array(e, a, s, &parts)?,
            };
            self.memo.insert(key, value);
        }
        self.memo.get(&root_key).cloned().ok_or_else(|| no_value(e, root))
    }

    fn known(&self, e: &Engine, parts: &[(Ast, Sort)]) -> Result<Vec<Value>, SolverError> {
        parts
            .iter()
            .map(|&(a, s)| {
                let id = e.id(a).map_err(failed)?;
                self.memo.get(&(id, s)).cloned().ok_or_else(|| no_value(e, a))
            })
            .collect()
    }

    fn array(&mut self, e: &Engine, a: Ast, sort: Sort, parts: &[(Ast, Sort)]) -> Result<Value, SolverError> {
        let SortKind::Array(index, _) = self.terms.sort_kind(sort) else { return Err(no_value(e, a)) };
        let mut values = self.known(e, parts)?;
        let default = values.pop().ok_or_else(|| no_value(e, a))?;
        let domain = match self.domains.get(&index) {
            Some(d) => d.clone(),
            None => {
                let d = self.terms.domain(index, &|s| self.universes.get(&s).copied());
                self.domains.insert(index, d.clone());
                d
            }
        };
        let mut array = ArrayValue::constant(sort, domain, default);
        while let (Some(element), Some(index)) = (values.pop(), values.pop()) {
            array.set(index, element);
        }
        Ok(Value::array(array))
    }

    fn plan(&mut self, e: &mut Engine, a: Ast, sort: Sort) -> Result<Plan, SolverError> {
        let terms = self.terms;
        Ok(match terms.sort_kind(sort) {
            SortKind::Bool => match e.kind(a).map_err(failed)? {
                op_kind::TRUE => Plan::Done(Value::Bool(true)),
                op_kind::FALSE => Plan::Done(Value::Bool(false)),
                _ => return Err(no_value(e, a)),
            },
            SortKind::Int => Plan::Done(Value::Int(self.number::<IBig>(e, a)?)),
            SortKind::Real => Plan::Done(Value::Real(self.number::<RBig>(e, a)?)),
            SortKind::BitVec(w) => Plan::Done(Value::BitVec(BitVec::new(w, self.number::<UBig>(e, a)?))),
            SortKind::Float { exp, sig } => Plan::Done(Value::Float(self.float(e, a, exp, sig)?)),
            SortKind::RoundingMode => match e.kind(a).map_err(failed)? {
                kind @ op_kind::RNE..=op_kind::RTZ => {
                    Plan::Done(Value::RoundingMode(RoundingMode::ALL[(kind - op_kind::RNE) as usize]))
                }
                _ => return Err(no_value(e, a)),
            },
            SortKind::Uninterpreted(_) => {
                let id = e.id(a).map_err(failed)?;
                // Z3 may complete a model with an element of a sort that it knows nothing else of.
                let open = !self.universes.contains_key(&sort)
                    && matches!(e.shape(a).map_err(failed)?, Shape::App { args, .. } if args.is_empty());
                let next = self.elements.values().filter(|x| x.0 == sort).count() as u32;
                match self.elements.get(&id) {
                    Some(&(s, n)) if s == sort => Plan::Done(Value::Elem(s, n)),
                    None if open => {
                        self.elements.insert(id, (sort, next));
                        Plan::Done(Value::Elem(sort, next))
                    }
                    _ => return Err(no_value(e, a)),
                }
            }
            SortKind::Datatype(_) => match e.shape(a).map_err(failed)? {
                Shape::App { decl, kind: op_kind::DT_CONSTRUCTOR, args } => {
                    let Some(&c) = self.ctors.get(&decl) else { return Err(no_value(e, a)) };
                    let fields = terms.ctor_fields(c);
                    if fields.len() != args.len() {
                        return Err(no_value(e, a));
                    }
                    Plan::Data(c, args.into_iter().zip(fields.iter().map(|f| f.sort)).collect())
                }
                _ => return Err(no_value(e, a)),
            },
            SortKind::Array(i, x) => Plan::Array(self.array_parts(e, a, i, x)?),
            SortKind::Builtin(_) => return Err(no_value(e, a)),
        })
    }

    fn number<N: std::str::FromStr>(&mut self, e: &mut Engine, a: Ast) -> Result<N, SolverError> {
        let text = e.numeral(a).map_err(failed)?.ok_or_else(|| no_value(e, a))?;
        text.parse().map_err(|_| no_value(e, a))
    }

    fn float(&mut self, e: &mut Engine, a: Ast, exp: u32, sig: u32) -> Result<Float, SolverError> {
        let nan = e.apply(Operator::FP_IS_NAN, &[a]).and_then(|n| e.simplify(n)).map_err(failed)?;
        match e.kind(nan).map_err(failed)? {
            op_kind::TRUE => return Ok(Float::nan(exp, sig)),
            op_kind::FALSE => {}
            _ => return Err(no_value(e, a)),
        }
        let bits = e.apply(Operator::FP_TO_BITS, &[a]).and_then(|n| e.simplify(n)).map_err(failed)?;
        Ok(Float::from_bits(exp, sig, self.number::<UBig>(e, bits)?))
    }

    /// The changes and the default of an array, if it is a finite table.
    fn array_parts(
        &mut self,
        e: &mut Engine,
        root: Ast,
        index: Sort,
        element: Sort,
    ) -> Result<Vec<(Ast, Sort)>, SolverError> {
        let mut parts = Vec::new();
        let mut a = root;
        loop {
            if let Some(f) = e.as_array(a).map_err(failed)? {
                let interp = e.interpretation(self.model, f).map_err(failed)?.ok_or_else(|| no_value(e, root))?;
                let FuncInterp { entries, otherwise } = interp;
                for (args, value) in entries {
                    let [i] = args.as_slice() else { return Err(no_value(e, root)) };
                    parts.extend([(*i, index), (value, element)]);
                }
                let otherwise = otherwise.ok_or_else(|| no_value(e, root))?;
                self.cases(e, otherwise, index, element, &mut parts)?;
                return Ok(parts);
            }
            match e.shape(a).map_err(failed)? {
                Shape::App { kind: op_kind::STORE, args, .. } if args.len() == 3 => {
                    parts.extend([(args[1], index), (args[2], element)]);
                    a = args[0];
                }
                Shape::App { kind: op_kind::CONST_ARRAY, args, .. } if args.len() == 1 => {
                    parts.push((args[0], element));
                    return Ok(parts);
                }
                Shape::Lambda { vars: 1, body } => {
                    self.cases(e, body, index, element, &mut parts)?;
                    return Ok(parts);
                }
                _ => return Err(no_value(e, root)),
            }
        }
    }

    /// A definition by cases `ite(x = c, v, …)` as changes and a default. A case that still mentions
    /// the variable has no value, which is found when it is read.
    fn cases(
        &mut self,
        e: &mut Engine,
        body: Ast,
        index: Sort,
        element: Sort,
        parts: &mut Vec<(Ast, Sort)>,
    ) -> Result<(), SolverError> {
        let mut body = body;
        loop {
            let (condition, then, rest) = match e.shape(body).map_err(failed)? {
                Shape::App { kind: op_kind::ITE, args, .. } if args.len() == 3 => (args[0], args[1], args[2]),
                _ => {
                    parts.push((body, element));
                    return Ok(());
                }
            };
            let case = match e.shape(condition).map_err(failed)? {
                Shape::App { kind: op_kind::EQ, args, .. } if args.len() == 2 => {
                    match (e.shape(args[0]).map_err(failed)?, e.shape(args[1]).map_err(failed)?) {
                        (Shape::Bound(0), _) => args[1],
                        (_, Shape::Bound(0)) => args[0],
                        _ => return Err(no_value(e, condition)),
                    }
                }
                _ => return Err(no_value(e, condition)),
            };
            parts.extend([(case, index), (then, element)]);
            body = rest;
        }
    }
}

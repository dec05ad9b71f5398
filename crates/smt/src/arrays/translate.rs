//! From the caller's terms to array-free terms of the inner store.

use lariat_term::{Op, Sort, SortKind, Term, TermMap, Terms, Var};
use rustc_hash::FxHashMap;

use super::graph::{Array, ArrayId, Element, Graph};

/// Why a term cannot be translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Obstacle {
    /// It has floats, and the inner solver is one for bit-vectors.
    Floats,
    /// It has something else than bit-vectors, floats, Booleans and reads from arrays of them.
    Other,
}

/// What a term of the caller became.
#[derive(Clone, Copy)]
pub(super) enum Image {
    Scalar(Term),
    Array(ArrayId),
}

/// The translation so far.
pub(super) struct Translation {
    pub(super) graph: Graph,
    floats: bool,
    /// Translated terms: positions in `images`.
    map: TermMap,
    images: Vec<Image>,
    /// Scalar variables of the caller.
    pub(super) scalars: Vec<(Var, Term)>,
    /// Array variables of the caller.
    pub(super) arrays: Vec<(Var, ArrayId)>,
    vars: FxHashMap<Var, Image>,
    leaves: FxHashMap<Sort, Result<Sort, Obstacle>>,
}

impl Translation {
    pub(super) fn new(floats: bool) -> Translation {
        Translation {
            graph: Graph::new(),
            floats,
            map: TermMap::new(),
            images: Vec::new(),
            scalars: Vec::new(),
            arrays: Vec::new(),
            vars: FxHashMap::default(),
            leaves: FxHashMap::default(),
        }
    }

    /// Are there operators whose results only the inner solver knows?
    pub(super) fn has_open(&self) -> bool {
        self.floats
    }

    /// The inner variable of a scalar variable.
    pub(super) fn scalar_var(&self, v: Var) -> Option<Term> {
        match self.vars.get(&v)? {
            Image::Scalar(x) => Some(*x),
            Image::Array(_) => None,
        }
    }

    fn image(&self, t: Term) -> Option<Image> {
        self.map.get(t).map(|i| self.images[i as usize])
    }

    /// The image of a Boolean term.
    pub(super) fn scalar(&mut self, terms: &Terms, t: Term) -> Result<Term, Obstacle> {
        match self.term(terms, t)? {
            Image::Scalar(t) => Ok(t),
            Image::Array(_) => Err(Obstacle::Other),
        }
    }

    /// The image of an array.
    pub(super) fn array(&mut self, terms: &Terms, t: Term) -> Result<ArrayId, Obstacle> {
        match self.term(terms, t)? {
            Image::Array(a) => Ok(a),
            Image::Scalar(_) => Err(Obstacle::Other),
        }
    }

    fn term(&mut self, terms: &Terms, root: Term) -> Result<Image, Obstacle> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.map.contains(t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(t).iter().filter(|&&a| !self.map.contains(a)));
            if stack.len() == before {
                stack.pop();
                let image = self.node(terms, t)?;
                self.map.insert(t, self.images.len() as u32);
                self.images.push(image);
            }
        }
        self.image(root).ok_or(Obstacle::Other)
    }

    /// The image of a variable, which may be declared before it occurs in a term.
    pub(super) fn var(&mut self, terms: &Terms, v: Var) -> Result<Image, Obstacle> {
        if let Some(&image) = self.vars.get(&v) {
            return Ok(image);
        }
        let sort = terms.var_sort(v);
        let leaf = self.leaf(terms, sort)?;
        let image = if let SortKind::Array(..) = terms.sort_kind(sort) {
            let a = self.graph.add(Array::Var, sort, leaf);
            self.arrays.push((v, a));
            Image::Array(a)
        } else {
            // The number makes the name unique; reads have names with another first letter.
            let x = self.graph.terms.var(&format!("x{}", v.index()), leaf);
            self.scalars.push((v, x));
            Image::Scalar(x)
        };
        self.vars.insert(v, image);
        Ok(image)
    }

    /// The image of a term whose arguments have images.
    fn node(&mut self, terms: &Terms, t: Term) -> Result<Image, Obstacle> {
        let (op, sort) = (terms.op(t), terms.sort(t));
        if let Op::Var(v) = op {
            return self.var(terms, v);
        }
        let leaf = self.leaf(terms, sort)?;
        let images: Option<Vec<Image>> = terms.args(t).iter().map(|&a| self.image(a)).collect();
        let images = images.ok_or(Obstacle::Other)?;
        let element = |i: Image| match i {
            Image::Scalar(t) => Element::Scalar(t),
            Image::Array(a) => Element::Array(a),
        };
        let is_array = matches!(terms.sort_kind(sort), SortKind::Array(..));
        let array = match (op, images.as_slice()) {
            (Op::Select, &[Image::Array(base), Image::Scalar(index)]) if !is_array => {
                let path = self.graph.path(index, None);
                return Ok(Image::Scalar(self.graph.read(base, path)));
            }
            (Op::Select, &[Image::Array(base), Image::Scalar(index)]) => Array::Select { base, index },
            (Op::Store, &[Image::Array(base), Image::Scalar(index), e]) => {
                Array::Store { base, index, element: element(e) }
            }
            (Op::Ite, &[Image::Scalar(condition), Image::Array(then), Image::Array(other)]) => {
                Array::Ite { condition, then, other }
            }
            (Op::ConstArray(_), &[e]) => Array::Const(element(e)),
            _ => {
                let scalar = |i: &Image| match *i {
                    Image::Scalar(t) => Ok(t),
                    Image::Array(_) => Err(Obstacle::Other),
                };
                let args = images.iter().map(scalar).collect::<Result<Vec<Term>, Obstacle>>()?;
                return self.operator(terms, op, &args).map(Image::Scalar);
            }
        };
        Ok(Image::Array(self.graph.add(array, sort, leaf)))
    }

    /// An operator on scalars, with a scalar result of a sort that is known to fit.
    fn operator(&mut self, terms: &Terms, op: Op, args: &[Term]) -> Result<Term, Obstacle> {
        match op {
            Op::Const(c) => Ok(self.graph.terms.number(terms.const_value(c).clone())),
            // These name things of the caller's store.
            Op::Elem(..)
            | Op::Bound(..)
            | Op::App(_)
            | Op::Ctor(_)
            | Op::Selector(..)
            | Op::Tester(_)
            | Op::Forall(_)
            | Op::Exists(_)
            | Op::Lambda(_)
            | Op::Select
            | Op::Store
            | Op::ConstArray(_)
            | Op::Var(_) => Err(Obstacle::Other),
            _ => Ok(self.graph.terms.mk(op, args)),
        }
    }

    /// The sort in the inner store of a scalar, or of the innermost elements of an array.
    fn leaf(&mut self, terms: &Terms, sort: Sort) -> Result<Sort, Obstacle> {
        if let Some(&known) = self.leaves.get(&sort) {
            return known;
        }
        let mut inner = sort;
        let leaf = loop {
            let store = &mut self.graph.terms;
            match terms.sort_kind(inner) {
                SortKind::Bool => break Ok(Sort::BOOL),
                SortKind::BitVec(w) => break Ok(store.bv_sort(w)),
                SortKind::Float { exp, sig } if self.floats => break Ok(store.float_sort(exp, sig)),
                SortKind::RoundingMode if self.floats => break Ok(Sort::ROUNDING_MODE),
                SortKind::Float { .. } | SortKind::RoundingMode => break Err(Obstacle::Floats),
                // The recursion is one deep: an index that is an array is out of the question.
                SortKind::Array(index, element) => match terms.sort_kind(index) {
                    SortKind::Array(..) => break Err(Obstacle::Other),
                    _ => match self.leaf(terms, index) {
                        Ok(_) => inner = element,
                        Err(e) => break Err(e),
                    },
                },
                SortKind::Int
                | SortKind::Real
                | SortKind::Uninterpreted(_)
                | SortKind::Builtin(_)
                | SortKind::Datatype(_) => break Err(Obstacle::Other),
            }
        };
        self.leaves.insert(sort, leaf);
        leaf
    }
}

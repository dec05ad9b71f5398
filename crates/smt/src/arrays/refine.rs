//! Lemmas that an inner model violates.
//!
//! A read that is a variable of the inner store may have any value there. Here each is compared with
//! what the arrays hold: its way through writes and choices is followed by the values of the model.
//! It ends at an element, which the read must equal, or at a variable, where two reads at the same
//! indices must agree. Where that fails, the steps of the way are asserted (read over write), and that
//! equal indices give equal elements (congruence).

use lariat_term::{Op, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    graph::{Array, ArrayId, Element, Graph, Read, ReadId},
    values::Values,
};
use crate::SolverError;

/// The elements of array variables at the indices that matter to a model.
pub(super) type Elements = FxHashMap<ArrayId, FxHashMap<Vec<Value>, Value>>;

/// What became of a model.
pub(super) enum Refined {
    /// It satisfies everything; array variables have these elements.
    Model(Elements),
    /// It violates these.
    Lemmas(Vec<Term>),
}

/// Where a read ends in a model.
enum Resolved {
    Element(Term),
    Free(ArrayId, Vec<Value>),
}

/// Looks for lemmas that a model violates.
pub(super) fn refine(graph: &mut Graph, values: &mut Values<'_>) -> Result<Refined, SolverError> {
    let mut elements: FxHashMap<(ArrayId, Vec<Value>), (Value, ReadId)> = FxHashMap::default();
    let mut lemmas = Vec::new();
    let mut done = vec![false; graph.reads().len()];
    let mut work: Vec<ReadId> = graph.read_ids().filter(|r| graph.reads()[r.index()].used).collect();
    loop {
        // What has been evaluated on the way matters, too.
        let touched = values.touched().filter_map(|var| graph.read_of(var));
        work.extend(touched);
        let Some(r) = work.pop() else { break };
        // Those made in this round are for the next one.
        let read = graph.reads()[r.index()];
        if done.get(r.index()).is_none_or(|&d| d) || read.meaning.is_some() {
            continue;
        }
        done[r.index()] = true;
        let value = values.get(&graph.terms, read.var)?.clone();
        match find(graph, values, read)? {
            Resolved::Element(t) => {
                if *values.get(&graph.terms, t)? != value {
                    follow(graph, values, r, &mut lemmas)?;
                }
            }
            Resolved::Free(array, indices) => match elements.entry((array, indices)) {
                std::collections::hash_map::Entry::Vacant(e) => _ = e.insert((value, r)),
                std::collections::hash_map::Entry::Occupied(e) => {
                    let (other, s) = e.get();
                    if *other != value {
                        let ends = (follow(graph, values, r, &mut lemmas)?, follow(graph, values, *s, &mut lemmas)?);
                        if let (Some(a), Some(b)) = ends
                            && a != b
                            && graph.reads()[a.index()].array == graph.reads()[b.index()].array
                        {
                            lemmas.push(congruence(graph, a, b));
                        }
                    }
                }
            },
        }
    }
    if !lemmas.is_empty() {
        return Ok(Refined::Lemmas(lemmas));
    }
    let mut out = Elements::default();
    for ((array, indices), (value, _)) in elements {
        out.entry(array).or_default().insert(indices, value);
    }
    Ok(Refined::Model(out))
}

/// Follows a read through the arrays by the values of the model.
fn find(graph: &Graph, values: &mut Values<'_>, read: Read) -> Result<Resolved, SolverError> {
    let terms = &graph.terms;
    let mut a = read.array;
    // The indices, innermost first.
    let mut path = Vec::new();
    for i in graph.indices(read.path) {
        path.push(values.get(terms, i)?.clone());
    }
    path.reverse();
    loop {
        let element = match graph.array(a) {
            Array::Var => match graph.definition(a, usize::MAX) {
                Some(d) => {
                    a = d;
                    continue;
                }
                None => {
                    path.reverse();
                    return Ok(Resolved::Free(a, path));
                }
            },
            Array::Store { base, index, element } => {
                if path.last() != Some(values.get(terms, index)?) {
                    a = base;
                    continue;
                }
                path.pop();
                element
            }
            Array::Ite { condition, then, other } => {
                a = if values.is_true(terms, condition)? { then } else { other };
                continue;
            }
            Array::Const(element) => {
                path.pop();
                element
            }
            Array::Select { base, index } => {
                path.push(values.get(terms, index)?.clone());
                a = base;
                continue;
            }
        };
        match element {
            Element::Scalar(t) => return Ok(Resolved::Element(t)),
            Element::Array(x) => a = x,
        }
    }
}

/// Asserts the steps of a read along the way that it takes in the model. Out: the read of a variable
/// where it ends, if it does.
fn follow(
    graph: &mut Graph,
    values: &mut Values<'_>,
    mut r: ReadId,
    lemmas: &mut Vec<Term>,
) -> Result<Option<ReadId>, SolverError> {
    // An element may be a read of the same array, and that read lead back here.
    let mut seen = FxHashSet::default();
    while seen.insert(r) {
        if graph.is_free(r) {
            return Ok(Some(r));
        }
        let Read { var, meaning, .. } = graph.reads()[r.index()];
        let mut t = graph.expand(r);
        if meaning.is_none() {
            lemmas.push(graph.terms.eq(var, t));
        }
        while let (Op::Ite, &[c, x, y]) = (graph.terms.op(t), graph.terms.args(t)) {
            t = if values.is_true(&graph.terms, c)? { x } else { y };
        }
        match graph.read_of(t) {
            Some(next) => r = next,
            None => break,
        }
    }
    Ok(None)
}

/// Two reads of one variable are equal if their indices are.
fn congruence(graph: &mut Graph, a: ReadId, b: ReadId) -> Term {
    let (a, b) = (graph.reads()[a.index()], graph.reads()[b.index()]);
    let indices: Vec<(Term, Term)> = graph.indices(a.path).zip(graph.indices(b.path)).collect();
    let mut parts = vec![graph.terms.eq(a.var, b.var)];
    for (i, j) in indices {
        parts.push(graph.terms.ne(i, j));
    }
    graph.terms.or(&parts)
}

//! Terms per second: making, substituting, binding, printing and parsing graphs of 10^5 and 10^6
//! nodes. Run with `cargo bench -p lariat-term`; the two sizes side by side show that all is linear.

use divan::{Bencher, black_box, counter::ItemsCount};
use lariat_term::{
    Func, Op, Sort, Substituter, Term, Terms, Var,
    smtlib::{Dialect, Env, Printer},
};

const SIZES: [usize; 2] = [100_000, 1_000_000];

fn main() {
    divan::main();
}

/// `f(f(… x …))`: as deep as it has nodes.
fn chain(t: &mut Terms, f: Func, x: Term, nodes: usize) -> Term {
    (0..nodes).fold(x, |a, _| t.app(f, &[a]))
}

/// Each node uses the two before it: as shared as can be.
fn dag(t: &mut Terms, g: Func, x: Term, nodes: usize) -> Term {
    let (mut a, mut b) = (x, x);
    for _ in 0..nodes {
        (a, b) = (t.app(g, &[b, a]), a);
    }
    a
}

/// Steps of a program: bit-vector updates of a few variables under conditions.
fn steps(t: &mut Terms, vars: &[Term], nodes: usize) -> Term {
    let mut state = vars.to_vec();
    let n = state.len();
    for i in 0..nodes / 5 {
        let (a, b) = (state[i % n], state[(i + 1) % n]);
        let sum = t.mk(Op::BvAdd, &[a, b]);
        let product = t.mk(Op::BvXor, &[sum, b]);
        let less = t.mk(Op::BvUlt, &[a, product]);
        let c = t.bv(32, i as u64);
        let other = t.mk(Op::BvMul, &[sum, c]);
        state[i % n] = t.ite(less, product, other);
    }
    state[0]
}

struct World {
    terms: Terms,
    f: Func,
    g: Func,
    x: Var,
    y: Var,
    words: Vec<Term>,
}

fn world() -> World {
    let mut terms = Terms::new();
    let f = terms.declare_func("f", &[Sort::INT], Sort::INT, None).expect("new");
    let g = terms.declare_func("g", &[Sort::INT, Sort::INT], Sort::INT, None).expect("new");
    let (x, y) = (terms.variable("x", Sort::INT), terms.variable("y", Sort::INT));
    let s = terms.bv_sort(32);
    let words = ["a", "b", "c", "d"].map(|n| terms.var(n, s)).to_vec();
    World { terms, f, g, x, y, words }
}

/// The three graphs.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Chain,
    Dag,
    Steps,
}

const CASES: [(Shape, usize); 6] = [
    (Shape::Chain, SIZES[0]),
    (Shape::Chain, SIZES[1]),
    (Shape::Dag, SIZES[0]),
    (Shape::Dag, SIZES[1]),
    (Shape::Steps, SIZES[0]),
    (Shape::Steps, SIZES[1]),
];

fn make(w: &mut World, shape: Shape, nodes: usize) -> Term {
    let x = w.terms.var_term(w.x);
    match shape {
        Shape::Chain => chain(&mut w.terms, w.f, x, nodes),
        Shape::Dag => dag(&mut w.terms, w.g, x, nodes),
        Shape::Steps => steps(&mut w.terms, &w.words, nodes),
    }
}

fn cases() -> impl Iterator<Item = String> {
    CASES.iter().map(|(s, n)| format!("{s:?} {n}"))
}

fn case(name: &str) -> (Shape, usize) {
    let (shape, nodes) = name.split_once(' ').expect("made by cases()");
    let shape = match shape {
        "Chain" => Shape::Chain,
        "Dag" => Shape::Dag,
        _ => Shape::Steps,
    };
    (shape, nodes.parse().expect("made by cases()"))
}

/// Nodes made, through the simplifying constructors, in an empty store.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn construct(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    make(&mut w, shape, nodes);
    bencher
        .counter(ItemsCount::new(w.terms.len()))
        .with_inputs(world)
        .bench_local_values(|mut w| (black_box(make(&mut w, shape, nodes)), w));
}

/// The same nodes asked for again: all are found.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn construct_again(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    make(&mut w, shape, nodes);
    bencher.counter(ItemsCount::new(w.terms.len())).bench_local(|| black_box(make(&mut w, shape, nodes)));
}

/// A variable replaced by another everywhere.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn substitute(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    let t = make(&mut w, shape, nodes);
    let nodes = w.terms.dag_size(&[t]);
    bencher
        .counter(ItemsCount::new(nodes))
        .with_inputs(|| {
            let mut terms = w.terms.clone();
            let (y, b) = (terms.var_term(w.y), w.words[1]);
            let a = terms.as_var(w.words[0]).expect("a variable");
            let s = Substituter::new(&terms, [(w.x, y), (a, b)].into_iter().collect());
            (terms, s)
        })
        .bench_local_values(|(mut terms, mut s)| (black_box(s.apply(&mut terms, t)), terms));
}

/// A variable bound.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn bind(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    let t = make(&mut w, shape, nodes);
    let nodes = w.terms.dag_size(&[t]);
    let v = w.terms.free_vars(&[t])[0];
    bencher
        .counter(ItemsCount::new(nodes))
        .with_inputs(|| w.terms.clone())
        .bench_local_values(|mut terms| (black_box(terms.lambda(v, t)), terms));
}

/// Free variables found.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn walk(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    let t = make(&mut w, shape, nodes);
    let nodes = w.terms.dag_size(&[t]);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| black_box(w.terms.free_vars(&[t])));
}

/// Text with `let`.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn print(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    let t = make(&mut w, shape, nodes);
    let nodes = w.terms.dag_size(&[t]);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| black_box(w.terms.display(t).to_string()));
}

/// An assertion with its declarations, of a term that no assertion had before.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn script(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    let t = make(&mut w, shape, nodes);
    let nodes = w.terms.dag_size(&[t]);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        let (mut printer, mut script) = (Printer::new(Dialect::Z3), String::new());
        printer.term(&w.terms, t, &mut script)
    });
}

/// The text read back, in a store that has the terms.
#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn parse(bencher: Bencher<'_, '_>, name: &str) {
    let (shape, nodes) = case(name);
    let mut w = world();
    let t = make(&mut w, shape, nodes);
    let nodes = w.terms.dag_size(&[t]);
    let text = w.terms.display(t).to_string();
    let mut env = Env::of(&mut w.terms);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        let again = w.terms.parse_term(&text, &mut env);
        assert_eq!(again, Ok(t));
    });
}

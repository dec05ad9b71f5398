//! Queries over arrays as the engine asks them (definitions of placeholders, checks under
//! assumptions): plain Z3 beside [`LazyArrays`]. Run with `cargo bench -p lariat-smt`, with part of a
//! name to run only those queries. Times are those of the processor, of one run: read the last column,
//! the ratio.

use std::time::{Duration, Instant};

use lariat_smt::{Answer, LazyArrays, Limits, Logic, Solver, Z3Solver};
use lariat_term::{Op, Sort, Term, Terms};

/// The time for one query, by the clock.
const LIMIT: Duration = Duration::from_secs(60);

/// The processor time of this thread, or the time by the clock where the system does not tell.
fn used(start: Instant) -> f64 {
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let own = own.and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    own.map_or(start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

enum Step {
    Assert(Term),
    /// Assumptions, and whether they are satisfiable.
    Check(Vec<Term>, bool),
}

struct Query {
    terms: Terms,
    steps: Vec<Step>,
}

impl Query {
    fn new() -> Query {
        Query { terms: Terms::new(), steps: Vec::new() }
    }

    fn assert(&mut self, t: Term) {
        self.steps.push(Step::Assert(t));
    }

    fn check(&mut self, assumptions: &[Term], sat: bool) {
        self.steps.push(Step::Check(assumptions.to_vec(), sat));
    }

    fn bits(&mut self, name: &str, width: u32) -> Term {
        let sort = self.terms.bv_sort(width);
        self.terms.var(name, sort)
    }

    fn memory(&mut self, name: &str, index: u32, element: u32) -> Term {
        let (index, element) = (self.terms.bv_sort(index), self.terms.bv_sort(element));
        let sort = self.terms.array_sort(index, element);
        self.terms.var(name, sort)
    }

    /// The seconds for all steps, and whether the solver got through.
    fn run(&self, solver: &mut dyn Solver) -> (f64, bool) {
        solver.set_checking(false);
        let start = Instant::now();
        let before = used(start);
        let done = self.steps(solver, start).is_some();
        (used(start) - before, done)
    }

    fn steps(&self, solver: &mut dyn Solver, start: Instant) -> Option<()> {
        for step in &self.steps {
            match step {
                Step::Assert(t) => solver.assert(&self.terms, *t).ok()?,
                Step::Check(assumptions, sat) => {
                    solver.set_limits(Limits::time(LIMIT.saturating_sub(start.elapsed())));
                    match solver.check(&self.terms, assumptions).ok()? {
                        Answer::Sat(_) if *sat => {}
                        Answer::Unsat(_) if !*sat => {}
                        Answer::Unknown(_) => return None,
                        _ => panic!("a wrong answer"),
                    }
                }
            }
        }
        Some(())
    }
}

/// How a program gets at the i-th element.
#[derive(Clone, Copy)]
enum Addressing {
    Constant,
    /// From an unknown address on.
    Offset,
    /// In an unknown object.
    Nested,
}

struct Memory {
    place: Addressing,
    base: Term,
    memory: Term,
}

impl Memory {
    fn new(q: &mut Query, place: Addressing) -> Memory {
        let base = q.bits("base", 32);
        let memory = match place {
            Addressing::Constant | Addressing::Offset => q.memory("m", 32, 32),
            Addressing::Nested => {
                let flat = q.memory("m", 32, 32);
                let (object, flat) = (q.terms.bv_sort(32), q.terms.sort(flat));
                let sort = q.terms.array_sort(object, flat);
                q.terms.var("m", sort)
            }
        };
        Memory { place, base, memory }
    }

    fn index(&self, t: &mut Terms, i: Term) -> Term {
        match self.place {
            Addressing::Constant | Addressing::Nested => i,
            Addressing::Offset => t.mk(Op::BvAdd, &[self.base, i]),
        }
    }

    fn get(&self, t: &mut Terms, i: Term) -> Term {
        let i = self.index(t, i);
        match self.place {
            Addressing::Nested => {
                let object = t.select(self.memory, self.base);
                t.select(object, i)
            }
            _ => t.select(self.memory, i),
        }
    }

    fn set(&mut self, t: &mut Terms, i: Term, v: Term) {
        let i = self.index(t, i);
        self.memory = match self.place {
            Addressing::Nested => {
                let object = t.select(self.memory, self.base);
                let object = t.store(object, i, v);
                t.store(self.memory, self.base, object)
            }
            _ => t.store(self.memory, i, v),
        };
    }
}

/// Bubble sort, unrolled, with a placeholder after each pass; the result is in order.
fn sort(n: u32, place: Addressing) -> Query {
    let mut q = Query::new();
    let mut m = Memory::new(&mut q, place);
    for pass in 0..n {
        for i in 0..n - 1 - pass {
            let t = &mut q.terms;
            let (i, j) = (t.bv(32, i), t.bv(32, i + 1));
            let (a, b) = (m.get(t, i), m.get(t, j));
            let swap = t.mk(Op::BvUlt, &[b, a]);
            let before = m.memory;
            m.set(t, i, b);
            m.set(t, j, a);
            m.memory = t.ite(swap, m.memory, before);
        }
        let sort = q.terms.sort(m.memory);
        let placeholder = q.terms.fresh_var("after", sort);
        let definition = q.terms.eq(placeholder, m.memory);
        q.assert(definition);
        m.memory = placeholder;
    }
    let mut wrong = Vec::new();
    for i in 0..n - 1 {
        let t = &mut q.terms;
        let (i, j) = (t.bv(32, i), t.bv(32, i + 1));
        let (a, b) = (m.get(t, i), m.get(t, j));
        wrong.push(t.mk(Op::BvUlt, &[b, a]));
    }
    let any = q.terms.or(&wrong);
    let fails = q.terms.var("fails", Sort::BOOL);
    let definition = q.terms.eq(fails, any);
    q.assert(definition);
    q.check(&[fails], false);
    q
}

/// `(A + B)ᵀ = Aᵀ + Bᵀ` through three matrices in one memory.
fn matrix(n: u32) -> Query {
    let mut q = Query::new();
    let mut m = Memory::new(&mut q, Addressing::Offset);
    let at = |t: &mut Terms, k: u32, i: u32, j: u32| t.bv(32, k * n * n + i * n + j);
    let mut wrong = Vec::new();
    let input = m.memory;
    let t = &mut q.terms;
    for i in 0..n {
        for j in 0..n {
            let (a, b, c) = (at(t, 0, i, j), at(t, 1, i, j), at(t, 2, j, i));
            let (x, y) = (m.get(t, a), m.get(t, b));
            let sum = t.mk(Op::BvAdd, &[x, y]);
            m.set(t, c, sum);
        }
    }
    let (k, one, size) = (t.var("k", t.sort(m.base)), t.bv(32, n), t.bv(32, n * n));
    let (row, column) = (t.mk(Op::BvUdiv, &[k, one]), t.mk(Op::BvUrem, &[k, one]));
    let down = t.mk(Op::BvMul, &[column, one]);
    let turned = t.mk(Op::BvAdd, &[down, row]);
    let start = Memory { place: Addressing::Offset, base: m.base, memory: input };
    let (x, other) = (start.get(t, turned), t.mk(Op::BvAdd, &[turned, size]));
    let y = start.get(t, other);
    let sum = t.mk(Op::BvAdd, &[x, y]);
    let twice = t.bv(32, 2 * n * n);
    let result = t.mk(Op::BvAdd, &[k, twice]);
    let result = m.get(t, result);
    let less = t.mk(Op::BvUlt, &[k, size]);
    let differs = t.ne(result, sum);
    wrong.push(less);
    wrong.push(differs);
    let all = q.terms.and(&wrong);
    q.assert(all);
    q.check(&[], false);
    q
}

/// A list of n objects, linked in an unknown order from an unknown head, then walked.
fn list(n: u32) -> Query {
    let mut q = Query::new();
    let (mut next, mut data) = (q.memory("next", 32, 32), q.memory("data", 32, 32));
    let zero = q.terms.bv(32, 0u8);
    let mut head = zero;
    for i in 1..=n {
        let front = q.terms.var(&format!("front {i}"), Sort::BOOL);
        let t = &mut q.terms;
        let (object, value) = (t.bv(32, i), t.bv(32, i * i));
        data = t.store(data, object, value);
        // To the front, or behind the head.
        let second = t.select(next, head);
        let empty = t.eq(head, zero);
        let front = t.or(&[front, empty]);
        let to_front = t.store(next, object, head);
        let behind = t.store(next, object, second);
        let behind = t.store(behind, head, object);
        next = t.ite(front, to_front, behind);
        head = t.ite(front, object, head);
        let sort = t.sort(next);
        let placeholder = t.fresh_var("next", sort);
        let definition = t.eq(placeholder, next);
        next = placeholder;
        q.assert(definition);
    }
    let t = &mut q.terms;
    let (mut at, mut sum) = (head, zero);
    for _ in 0..n {
        let value = t.select(data, at);
        let more = t.mk(Op::BvAdd, &[sum, value]);
        let end = t.eq(at, zero);
        sum = t.ite(end, sum, more);
        let following = t.select(next, at);
        at = t.ite(end, zero, following);
    }
    let expected = t.bv(32, (1..=n).map(|i| i * i).sum::<u32>());
    let wrong = t.ne(sum, expected);
    q.assert(wrong);
    q.check(&[], false);
    q
}

/// Counting bits step by step and by the parallel trick.
fn popcount(width: u32) -> Query {
    let mut q = Query::new();
    let x = q.bits("x", width);
    let t = &mut q.terms;
    let (mut count, mut rest) = (t.bv(width, 0u8), x);
    let one = t.bv(width, 1u8);
    for _ in 0..width {
        let zero = t.bv(width, 0u8);
        let done = t.eq(rest, zero);
        let less = t.bv_sub(rest, one);
        let cleared = t.mk(Op::BvAnd, &[rest, less]);
        let more = t.mk(Op::BvAdd, &[count, one]);
        count = t.ite(done, count, more);
        rest = t.ite(done, rest, cleared);
    }
    let mut parallel = x;
    let mut shift = 1;
    while shift < width {
        let mask = (0..width).filter(|b| (b / shift) % 2 == 0).fold(0u64, |m, b| m | 1 << b);
        let (mask, by) = (t.bv(width, mask), t.bv(width, shift));
        let low = t.mk(Op::BvAnd, &[parallel, mask]);
        let high = t.mk(Op::BvLshr, &[parallel, by]);
        let high = t.mk(Op::BvAnd, &[high, mask]);
        parallel = t.mk(Op::BvAdd, &[low, high]);
        shift *= 2;
    }
    let wrong = t.ne(count, parallel);
    q.assert(wrong);
    q.check(&[], false);
    q
}

/// Writes to unknown objects and offsets; what was written last is there.
fn objects(n: u32) -> Query {
    let mut q = Query::new();
    let flat = q.memory("flat", 64, 8);
    let (word, flat) = (q.terms.bv_sort(32), q.terms.sort(flat));
    let nested = q.terms.array_sort(word, flat);
    let mut m = q.terms.var("m", nested);
    let places: Vec<(Term, Term, Term, Term)> = (0..n)
        .map(|i| {
            let c = q.terms.var(&format!("c{i}"), Sort::BOOL);
            (q.bits(&format!("o{i}"), 32), q.bits(&format!("f{i}"), 64), q.bits(&format!("v{i}"), 8), c)
        })
        .collect();
    for &(o, f, v, c) in &places {
        let t = &mut q.terms;
        let object = t.select(m, o);
        let object = t.store(object, f, v);
        let written = t.store(m, o, object);
        let after = t.ite(c, written, m);
        m = t.fresh_var("m", nested);
        let definition = t.eq(m, after);
        q.assert(definition);
    }
    let (o, f, v, c) = places[0];
    let t = &mut q.terms;
    let object = t.select(m, o);
    let last = t.select(object, f);
    let changed = t.ne(last, v);
    q.assert(changed);
    q.check(&[c], true);
    let mut elsewhere = vec![c];
    for (i, &(p, g, w, _)) in places.iter().enumerate().skip(1) {
        let t = &mut q.terms;
        let other = match i % 3 {
            0 => t.ne(o, p),
            1 => t.ne(f, g),
            _ => t.eq(w, v),
        };
        elsewhere.push(other);
    }
    q.check(&elsewhere, false);
    q
}

/// `for (i = 0; i < n; i++) a[i] = i; assert a[k] == k`, unrolled step by step with a query each.
fn fill(n: u32) -> Query {
    let mut q = Query::new();
    let a = q.memory("a", 32, 32);
    let sort = q.terms.sort(a);
    let (limit, k) = (q.bits("n", 32), q.bits("k", 32));
    let inside = q.terms.mk(Op::BvUlt, &[k, limit]);
    // The memory and the return of the loop that is still open.
    let mut open = (q.terms.fresh_var("a", sort), q.terms.fresh_var("returns", Sort::BOOL));
    let last = q.terms.select(open.0, k);
    let differs = q.terms.ne(last, k);
    let fails = q.terms.and(&[inside, differs, open.1]);
    q.assert(fails);
    let mut memory = a;
    for i in 0..n {
        let t = &mut q.terms;
        let i = t.bv(32, i);
        let again = t.mk(Op::BvUlt, &[i, limit]);
        let written = t.store(memory, i, i);
        let next = (t.fresh_var("a", sort), t.fresh_var("returns", Sort::BOOL));
        let after = t.ite(again, next.0, memory);
        let stop = t.not(again);
        let returns = t.or(&[stop, next.1]);
        let definitions = [t.eq(open.0, after), t.eq(open.1, returns)];
        let blocked = t.not(next.1);
        definitions.into_iter().for_each(|d| q.assert(d));
        q.check(&[blocked], false);
        q.check(&[], true);
        (memory, open) = (written, next);
    }
    q
}

type Make = fn() -> Query;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let queries: [(&str, Make); 15] = [
        ("sort 5, constant indices", || sort(5, Addressing::Constant)),
        ("sort 6, constant indices", || sort(6, Addressing::Constant)),
        ("sort 7, constant indices", || sort(7, Addressing::Constant)),
        ("sort 6, unknown address", || sort(6, Addressing::Offset)),
        ("sort 6, unknown object", || sort(6, Addressing::Nested)),
        ("matrix 4", || matrix(4)),
        ("matrix 8", || matrix(8)),
        ("list 4", || list(4)),
        ("list 6", || list(6)),
        ("popcount 16", || popcount(16)),
        ("popcount 32", || popcount(32)),
        ("objects 8", || objects(8)),
        ("objects 30", || objects(30)),
        ("fill 20", || fill(20)),
        ("fill 60", || fill(60)),
    ];
    println!(
        "{:<26} {:>9} {:>9} {:>9} {:>8} {:>7} {:>7}",
        "seconds", "z3", "QF_AUFBV", "lazy", "z3/lazy", "lemmas", "rounds"
    );
    for (name, make) in queries {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.contains(w.as_str())) {
            continue;
        }
        let query = make();
        let open = |which: usize| -> Result<Box<dyn Solver>, lariat_smt::SolverError> {
            Ok(match which {
                0 => Box::new(Z3Solver::new(None)?),
                1 => Box::new(Z3Solver::new(Some(Logic::QF_AUFBV))?),
                _ => Box::new(LazyArrays::new()?),
            })
        };
        let mut times = Vec::new();
        let mut counters = Vec::new();
        for which in 0..3 {
            let Ok(mut solver) = open(which) else { continue };
            times.push(query.run(&mut *solver));
            counters = solver.statistics().own;
        }
        let counter = |name: &str| counters.iter().find(|c| c.0 == name).map_or(0.0, |c| c.1);
        let shown = |(t, done): (f64, bool)| format!("{}{t:.3}", if done { "" } else { "> " });
        let ratio = match (times[0], times[2]) {
            ((a, true), (b, true)) => format!("{:.1}", a / b),
            ((a, false), (b, true)) => format!("> {:.1}", a / b),
            _ => "–".into(),
        };
        println!(
            "{name:<26} {:>9} {:>9} {:>9} {ratio:>8} {:>7} {:>7}",
            shown(times[0]),
            shown(times[1]),
            shown(times[2]),
            counter("array lemmas"),
            counter("array rounds")
        );
    }
}

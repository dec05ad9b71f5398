//! Definitions of functions: those that are not recursive are put in place of their applications,
//! so that no quantifier is needed for them; the others become axioms.

use lariat_program::Program;
use lariat_term::{BinderBuilder, Func, Op, Term, TermMap, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The definitions of a program, ready to be put in place.
pub struct Definitions {
    /// Parameters and body, in which no definition of this map is left.
    bodies: FxHashMap<Func, (Vec<Var>, Term)>,
    /// What became of terms so far.
    done: Vec<Term>,
    memo: TermMap,
}

impl Definitions {
    /// Orders the definitions so that each is put in place into the ones that use it.
    pub fn new(program: &Program, terms: &mut Terms) -> Definitions {
        let mut definitions = Definitions { bodies: FxHashMap::default(), done: Vec::new(), memo: TermMap::new() };
        let position: FxHashMap<Func, usize> = program.functions.iter().enumerate().map(|(i, d)| (d.func, i)).collect();
        let uses: Vec<Vec<usize>> = program
            .functions
            .iter()
            .map(|d| terms.used_funcs(&[d.body]).iter().filter_map(|f| position.get(f).copied()).collect())
            .collect();
        let mut state = vec![State::New; uses.len()];
        for root in 0..uses.len() {
            let mut work = vec![(root, 0)];
            while let Some(&mut (i, ref mut next)) = work.last_mut() {
                if *next == 0 {
                    if state[i] != State::New {
                        work.pop();
                        continue;
                    }
                    state[i] = State::Active;
                }
                if let Some(&j) = uses[i].get(*next) {
                    *next += 1;
                    match state[j] {
                        State::New => work.push((j, 0)),
                        // A cycle: everything from `j` on is recursive.
                        State::Active => {
                            let from = work.iter().position(|&(k, _)| k == j).unwrap_or(0);
                            work[from..].iter().for_each(|&(k, _)| state[k] = State::Recursive);
                        }
                        State::Recursive | State::Done => {}
                    }
                    continue;
                }
                work.pop();
                if state[i] == State::Active {
                    let d = &program.functions[i];
                    let body = definitions.expand(terms, d.body);
                    definitions.bodies.insert(d.func, (d.params.clone(), body));
                    definitions.memo = TermMap::new();
                    definitions.done.clear();
                    state[i] = State::Done;
                }
            }
        }
        definitions
    }

    /// The term with definitions in place of the functions they define.
    pub fn expand(&mut self, terms: &mut Terms, t: Term) -> Term {
        if self.bodies.is_empty() {
            return t;
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.memo.contains(top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(top).iter().copied().filter(|&a| !self.memo.contains(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let old = terms.args(top).to_vec();
            let new: Vec<Term> = old.iter().map(|&a| self.get(a)).collect();
            let result = match terms.op(top) {
                Op::App(f) if self.bodies.contains_key(&f) => {
                    let (params, body) = &self.bodies[&f];
                    let map = params.iter().copied().zip(new).collect();
                    terms.substitute(*body, &map)
                }
                _ if old == new => top,
                op => terms.mk(op, &new),
            };
            self.memo.insert(top, self.done.len() as u32);
            self.done.push(result);
        }
        self.get(t)
    }

    fn get(&self, t: Term) -> Term {
        self.memo.get(t).map_or(t, |i| self.done[i as usize])
    }

    /// The definitions that cannot be put in place, as axioms over all arguments.
    pub fn axioms(&mut self, program: &Program, terms: &mut Terms) -> Vec<Term> {
        let mut axioms = Vec::new();
        let mut seen = FxHashSet::default();
        for d in &program.functions {
            if self.bodies.contains_key(&d.func) || !seen.insert(d.func) {
                continue;
            }
            let body = self.expand(terms, d.body);
            let args: Vec<Term> = d.params.iter().map(|&v| terms.var_term(v)).collect();
            let applied = terms.app(d.func, &args);
            let equal = terms.eq(applied, body);
            axioms.push(match args.is_empty() {
                true => equal,
                false => BinderBuilder::forall(&d.params).trigger(vec![applied]).bind(terms, equal),
            });
        }
        axioms
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Active,
    Recursive,
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_program::{FuncDef, Loc};
    use lariat_term::Sort;

    #[test]
    fn definitions_are_put_in_place_unless_they_are_recursive() {
        let mut t = Terms::new();
        let x = t.var("x", Sort::INT);
        let v = t.as_var(x).unwrap();
        let func = |t: &mut Terms, n: &str| t.declare_func(n, &[Sort::INT], Sort::INT, None).unwrap();
        let (f, g, h) = (func(&mut t, "f"), func(&mut t, "g"), func(&mut t, "h"));
        let one = t.int(1);
        let (gx, hx) = (t.app(g, &[x]), t.app(h, &[x]));
        let f_body = t.add(&[gx, hx]);
        let g_body = t.add(&[x, one]);
        let define = |func, body| FuncDef { func, params: vec![v], body, loc: Loc::NONE };
        let functions = vec![define(f, f_body), define(g, g_body), define(h, hx)];
        let program = Program { functions, ..Program::default() };
        let mut d = Definitions::new(&program, &mut t);
        let five = t.int(5);
        let f5 = t.app(f, &[five]);
        let (six, h5) = (t.int(6), t.app(h, &[five]));
        let expected = t.add(&[six, h5]);
        assert_eq!(d.expand(&mut t, f5), expected);
        assert_eq!(d.axioms(&program, &mut t).len(), 1);
    }
}

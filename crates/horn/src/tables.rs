//! Claims that list values: which constants the variables have at each point.
//!
//! Many programs are machines whose state is a few variables with a few values, among others that do not matter.
//! For these it is enough to follow the values, clause by clause, from where executions start: a [`Row`] says what
//! some of the arguments of a relation are, and leaves the others open. An argument that takes too many
//! values is left open in all rows of its relation. When no clause gives a new row and none without a head can
//! be applied, the rows of each relation are what can be claimed of it.

use std::collections::VecDeque;

use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{Op, SortKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    clauses::{Atom, Clause, System},
    partial::Partial,
};

/// How many values an argument may take in one step, and in all rows of a relation, before it is left open.
const STEP: usize = 16;
const ALL: [usize; 2] = [64, 4_000];
/// In how many steps it may take too many before nobody asks again how many they are.
const WIDE: usize = 2;
/// How many rows there may be in one step and altogether.
const SUCCESSORS: usize = 2_000;
const ROWS: usize = 50_000;

/// The values of a relation's arguments, as far as they are given.
type Row = Vec<Option<Term>>;

/// A list of rows for each relation: it holds of what fits one of them.
#[derive(Clone, Debug)]
pub struct Tables {
    tables: Vec<Vec<Row>>,
}

impl Tables {
    /// Follows the values that the clauses lead to. `None` if an error is in reach of the rows, if there are too
    /// many of them, or if the solver or `go_on` does not go on.
    pub fn find(
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<Tables>, SolverError> {
        if system.clauses.iter().any(|c| c.body.len() > 1) {
            return Ok(None);
        }
        for most in ALL {
            let mut search = Search::new(system, terms, most);
            if search.run(system, terms, solver, go_on)? {
                let tables = search.tables.into_iter().map(|t| t.rows.into_iter().collect());
                return Ok(Some(Tables { tables: tables.collect() }));
            }
            // With more values it may do.
            if !search.widened {
                break;
            }
        }
        Ok(None)
    }

    /// Do the tables satisfy the clauses? One question for each clause and row at which it may start.
    pub fn check(&self, system: &System, terms: &mut Terms, solver: &mut dyn Solver) -> Result<bool, SolverError> {
        let anywhere = [Row::new()];
        for clause in &system.clauses {
            let rows = match &clause.body[..] {
                [] => &anywhere[..],
                [atom] => &self.tables[atom.relation],
                _ => return Ok(false),
            };
            for row in rows {
                let mut step = Step::new(terms, clause, row);
                if step.condition == terms.bool(false) {
                    continue;
                }
                let mut facts = vec![step.condition];
                if let Some(head) = &clause.head {
                    let args: Vec<Term> = head.args.iter().map(|&t| step.partial.apply(terms, t)).collect();
                    for row in &self.tables[head.relation] {
                        if may_fit(terms, row, &args) {
                            let fits = fits(terms, row, &args);
                            facts.push(terms.not(fits));
                        }
                    }
                }
                let question = terms.and(&facts);
                if question == terms.bool(false) {
                    continue;
                }
                solver.push()?;
                solver.assert(terms, question)?;
                let holds = solver.check(terms, &[])?.is_unsat();
                solver.pop(1)?;
                if !holds {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The clauses that start at each relation, those for errors first.
fn clauses_of(system: &System) -> Vec<Vec<&Clause>> {
    let mut of = vec![Vec::new(); system.relations.len()];
    let (errors, others): (Vec<&Clause>, Vec<&Clause>) = system.clauses.iter().partition(|c| c.head.is_none());
    for clause in errors.into_iter().chain(others) {
        clause.body.iter().for_each(|a: &Atom| of[a.relation].push(clause));
    }
    of
}

/// Might the arguments have the values of a row?
fn may_fit(terms: &Terms, row: &Row, args: &[Term]) -> bool {
    row.iter().zip(args).all(|(value, &arg)| value.is_none_or(|v| v == arg || !terms.is_value(arg)))
}

fn fits(terms: &mut Terms, row: &[Option<Term>], args: &[Term]) -> Term {
    let equal: Vec<Term> = row.iter().zip(args).filter_map(|(v, &a)| Some(terms.eq(a, (*v)?))).collect();
    terms.and(&equal)
}

/// A clause whose body is given by a row.
struct Step {
    partial: Partial,
    condition: Term,
}

impl Step {
    fn new(terms: &mut Terms, clause: &Clause, row: &[Option<Term>]) -> Step {
        let mut partial = Partial::default();
        let mut conditions = Vec::new();
        for (&arg, value) in clause.body.iter().flat_map(|a| &a.args).zip(row) {
            let Some(value) = *value else { continue };
            match terms.as_var(arg) {
                Some(v) if partial.known(v).is_none() => partial.bind(v, value),
                _ => conditions.push(terms.eq(arg, value)),
            }
        }
        conditions.push(clause.condition);
        let condition = terms.and(&conditions);
        let condition = partial.apply(terms, condition);
        Step { partial, condition }
    }
}

/// The rows of a relation that were found.
#[derive(Default)]
struct Table {
    rows: FxHashSet<Row>,
    /// The values of each argument; `None` if it is left open.
    values: Vec<Option<FxHashSet<Term>>>,
    /// How often each argument took too many values in one step.
    wide: Vec<usize>,
}

struct Search {
    tables: Vec<Table>,
    work: VecDeque<(usize, Row)>,
    /// How many values an argument may take.
    most: usize,
    /// Was an argument left open because of that?
    widened: bool,
}

impl Search {
    fn new(system: &System, terms: &Terms, most: usize) -> Search {
        let listed = |s| matches!(terms.sort_kind(s), SortKind::Bool | SortKind::Int | SortKind::BitVec(_));
        let table = |sorts: &Vec<_>| Table {
            rows: FxHashSet::default(),
            values: sorts.iter().map(|&s| listed(s).then(FxHashSet::default)).collect(),
            wide: vec![0; sorts.len()],
        };
        Search { tables: system.relations.iter().map(table).collect(), work: VecDeque::new(), most, widened: false }
    }

    /// Follows all clauses; `false` if that leads to an error, or nowhere.
    fn run(
        &mut self,
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<bool, SolverError> {
        for clause in system.clauses.iter().filter(|c| c.body.is_empty()) {
            if !self.follow(terms, solver, go_on, clause, &[])? {
                return Ok(false);
            }
        }
        let of = clauses_of(system);
        while let Some((relation, row)) = self.work.pop_front() {
            if !self.tables[relation].rows.contains(&row) {
                continue;
            }
            if !go_on() || self.tables.iter().map(|t| t.rows.len()).sum::<usize>() > ROWS {
                return Ok(false);
            }
            for &clause in &of[relation] {
                if !self.follow(terms, solver, go_on, clause, &row)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Adds the rows that a clause leads to from one of its body. `false` if that is an error, or nobody knows.
    fn follow(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
        clause: &Clause,
        row: &[Option<Term>],
    ) -> Result<bool, SolverError> {
        let mut step = Step::new(terms, clause, row);
        if step.condition == terms.bool(false) {
            return Ok(true);
        }
        let Some(head) = &clause.head else {
            solver.push()?;
            solver.assert(terms, step.condition)?;
            let holds = solver.check(terms, &[])?.is_unsat();
            solver.pop(1)?;
            return Ok(holds);
        };
        let listed: Vec<usize> = {
            let values = &self.tables[head.relation].values;
            (0..values.len()).filter(|&i| values[i].is_some()).collect()
        };
        let mut first: Row = vec![None; head.args.len()];
        let mut open = Vec::new();
        for i in listed {
            let arg = step.partial.apply(terms, head.args[i]);
            if terms.is_value(arg) {
                first[i] = Some(arg);
            } else {
                open.push((i, arg));
            }
        }
        let constrained: FxHashSet<_> = terms.free_vars(&[step.condition]).into_iter().collect();
        // What nothing is said about takes all values.
        open.retain(|&(_, t)| terms.as_var(t).is_none_or(|v| constrained.contains(&v)));
        let wide = &self.tables[head.relation].wide;
        open.retain(|&(i, t)| wide[i] <= WIDE || few(terms, t));
        let before: Vec<usize> = open.iter().map(|&(i, _)| i).collect();
        let Some(found) = successors(terms, solver, go_on, step.condition, first, &mut open)? else { return Ok(false) };
        for i in before.into_iter().filter(|i| open.iter().all(|(o, _)| o != i)) {
            self.tables[head.relation].wide[i] += 1;
        }
        for row in found {
            self.add(head.relation, row);
        }
        Ok(true)
    }

    fn add(&mut self, relation: usize, mut row: Row) {
        let table = &mut self.tables[relation];
        let mut widened = false;
        for (value, known) in row.iter_mut().zip(&mut table.values) {
            let Some(values) = known else {
                *value = None;
                continue;
            };
            values.extend(*value);
            if values.len() > self.most {
                (*known, *value, widened) = (None, None, true);
            }
        }
        if widened {
            self.widened = true;
            for mut old in std::mem::take(&mut table.rows) {
                old.iter_mut().zip(&table.values).filter(|(_, known)| known.is_none()).for_each(|(v, _)| *v = None);
                if table.rows.insert(old.clone()) {
                    self.work.push_back((relation, old));
                }
            }
        }
        if table.rows.insert(row.clone()) {
            self.work.push_back((relation, row));
        }
    }
}

/// The rows that open arguments lead to under a condition; those that take too many values stay open. `None` if
/// there are too many rows or the solver does not know.
fn successors(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    go_on: &dyn Fn() -> bool,
    condition: Term,
    first: Row,
    open: &mut Vec<(usize, Term)>,
) -> Result<Option<Vec<Row>>, SolverError> {
    if open.is_empty() && condition == terms.bool(true) {
        return Ok(Some(vec![first]));
    }
    solver.push()?;
    let found = enumerate(terms, solver, go_on, condition, first, open);
    solver.pop(1)?;
    found
}

fn enumerate(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    go_on: &dyn Fn() -> bool,
    condition: Term,
    first: Row,
    open: &mut Vec<(usize, Term)>,
) -> Result<Option<Vec<Row>>, SolverError> {
    solver.assert(terms, condition)?;
    if !leave_wide(terms, solver, open)? {
        return Ok(None);
    }
    let mut rows = Vec::new();
    loop {
        let model = match solver.check(terms, &[])? {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Ok(Some(rows)),
            Answer::Unknown(_) => return Ok(None),
        };
        let mut row = first.clone();
        for &(i, t) in &*open {
            let value = model.value(terms, t)?;
            row[i] = Some(terms.value_term(&value));
        }
        let here: (Row, Vec<Term>) = open.iter().map(|&(i, t)| (row[i], t)).unzip();
        rows.push(row);
        if open.is_empty() {
            return Ok(Some(rows));
        }
        if rows.len() > SUCCESSORS || !go_on() {
            return Ok(None);
        }
        let again = fits(terms, &here.0, &here.1);
        let another = terms.not(again);
        solver.assert(terms, another)?;
    }
}

/// Takes out the arguments that take too many values. In each round all that are left of them get new values at
/// once; which of them cannot is in the core. `false` if the solver does not know.
fn leave_wide(terms: &mut Terms, solver: &mut dyn Solver, open: &mut Vec<(usize, Term)>) -> Result<bool, SolverError> {
    let mut wide: Vec<(usize, Term)> = open.iter().copied().filter(|&(_, t)| !few(terms, t)).collect();
    let mut seen: FxHashMap<usize, Vec<Term>> = FxHashMap::default();
    while !wide.is_empty() && seen.get(&wide[0].0).is_none_or(|values| values.len() <= STEP) {
        let mut new = Vec::new();
        for &(i, t) in &wide {
            let known = seen.get(&i).into_iter().flatten();
            let other: Vec<Term> = known.map(|&v| terms.ne(t, v)).collect();
            new.push(terms.and(&other));
        }
        match solver.check(terms, &new)? {
            Answer::Sat(model) => {
                for &(i, t) in &wide {
                    let value = model.value(terms, t)?;
                    let value = terms.value_term(&value);
                    seen.entry(i).or_default().push(value);
                }
            }
            Answer::Unsat(core) => {
                let before = wide.len();
                let mut new = new.into_iter();
                wide.retain(|_| new.next().is_none_or(|n| !core.contains(&n)));
                if wide.len() == before {
                    wide.clear();
                }
            }
            Answer::Unknown(_) => return Ok(false),
        }
    }
    open.retain(|(i, _)| wide.iter().all(|(w, _)| w != i));
    Ok(true)
}

/// Is it plain to see that a term has few values? Its sort has few, or it chooses among a few.
fn few(terms: &Terms, t: Term) -> bool {
    match terms.sort_kind(terms.sort(t)) {
        SortKind::Bool => return true,
        SortKind::BitVec(width) if 1usize.checked_shl(width).is_some_and(|n| n <= STEP) => return true,
        _ => {}
    }
    let (mut values, mut seen, mut stack) = (0, FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if terms.op(t) == Op::Ite {
            stack.extend(&terms.args(t)[1..]);
        } else if terms.is_value(t) && values < STEP {
            values += 1;
        } else {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use lariat_smt::solvers;
    use lariat_term::Sort;

    use super::*;

    /// A machine that goes round 0, 1, 2, 0 … and counts; an error if it ever is in state 3.
    fn machine(terms: &mut Terms) -> System {
        let sorts = vec![Sort::INT, Sort::INT];
        let (s, n) = (terms.var("s", Sort::INT), terms.var("n", Sort::INT));
        let [zero, one, two, three] = [0, 1, 2, 3].map(|i| terms.int(i));
        let yes = terms.bool(true);
        let at = |args: Vec<Term>| Atom { relation: 0, args };
        let last = terms.eq(s, two);
        let next = terms.add(&[s, one]);
        let (next, more) = (terms.ite(last, zero, next), terms.add(&[n, one]));
        let error = terms.eq(s, three);
        let clauses = vec![
            Clause { body: vec![], condition: yes, head: Some(at(vec![zero, n])) },
            Clause { body: vec![at(vec![s, n])], condition: yes, head: Some(at(vec![next, more])) },
            Clause { body: vec![at(vec![s, n])], condition: error, head: None },
        ];
        System { relations: vec![sorts], clauses }
    }

    #[test]
    fn all_states_are_listed_and_what_is_any_number_is_not() {
        let mut terms = Terms::new();
        let system = machine(&mut terms);
        let mut solver = solvers::open("z3", None).unwrap();
        let tables = Tables::find(&system, &mut terms, &mut *solver, &|| true).unwrap().expect("three states");
        let mut states: Vec<String> = Vec::new();
        for row in &tables.tables[0] {
            assert_eq!(row[1], None);
            states.extend(row[0].map(|v| terms.display(v).to_string()));
        }
        states.sort();
        assert_eq!(states, ["0", "1", "2"]);
        assert!(tables.check(&system, &mut terms, &mut *solver).unwrap());
    }

    #[test]
    fn tables_that_leave_something_out_or_let_an_error_in_do_not_pass() {
        let mut terms = Terms::new();
        let system = machine(&mut terms);
        let mut solver = solvers::open("z3", None).unwrap();
        let values: Vec<Option<Term>> = (0..4).map(|i| Some(terms.int(i))).collect();
        let mut passes = |states: &[usize]| {
            let rows = states.iter().map(|&i| vec![values[i], None]).collect();
            Tables { tables: vec![rows] }.check(&system, &mut terms, &mut *solver).unwrap()
        };
        assert!(passes(&[0, 1, 2]));
        assert!(!passes(&[0, 1]));
        assert!(!passes(&[1, 2]));
        assert!(!passes(&[0, 1, 2, 3]));
        assert!(!Tables { tables: vec![vec![vec![None, None]]] }.check(&system, &mut terms, &mut *solver).unwrap());
    }

    #[test]
    fn an_error_in_reach_is_no_proof() {
        let mut terms = Terms::new();
        let mut system = machine(&mut terms);
        let (two, s) = (terms.int(2), terms.var("s", Sort::INT));
        system.clauses[2].condition = terms.eq(s, two);
        let mut solver = solvers::open("z3", None).unwrap();
        assert!(Tables::find(&system, &mut terms, &mut *solver, &|| true).unwrap().is_none());
    }

    #[test]
    fn what_counts_up_is_left_open_after_a_while() {
        // Both count, one from zero: no table can be finished that lists the values.
        let mut terms = Terms::new();
        let mut system = machine(&mut terms);
        let zero = terms.int(0);
        if let Some(head) = &mut system.clauses[0].head {
            head.args[1] = zero;
        }
        let mut solver = solvers::open("z3", None).unwrap();
        let tables = Tables::find(&system, &mut terms, &mut *solver, &|| true).unwrap().expect("three states");
        assert_eq!(tables.tables[0].len(), 3);
        assert!(tables.check(&system, &mut terms, &mut *solver).unwrap());
    }
}

//! Explicit-value analysis: which constants the variables have at each point, with predicates where values are too many.
//!
//! Many programs are machines whose state is a few variables with a few values, among others that do not matter.
//! For these it is enough to follow the values, clause by clause, from where executions start: a [`Row`] says what
//! some of the arguments of a relation are, and leaves the others open. An argument that takes too many
//! values is left open in all rows of its relation. When no clause gives a new row and none without a head can
//! be applied, the rows of each relation are what can be claimed of it. If an error is reached on a path that no
//! execution takes, since something matters of an argument that is left open, tables get columns for that ([`Predicates`])
//! and the search begins anew.

use std::collections::VecDeque;

use lariat_smt::{Answer, Solver, SolverError};
use lariat_term::{SortKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    case_splits,
    clauses::{Atom, Clause, System},
    partial::Partial,
    predicates::{Path, Predicates, Refined},
    solution::{Claim, Solution},
    successors::{OpenArgument, successors},
};

/// How many values an argument may take in all rows of a relation before it is left open.
const ALL: [usize; 2] = [64, 4_000];
/// How many rows there may be.
const ROWS: usize = 50_000;
/// How often there may be new columns.
const ROUNDS: usize = 40;

/// The values of a relation's arguments, as far as they are given.
pub(crate) type Row = Vec<Option<Term>>;

/// A list of rows for each relation: it holds of what fits one of them, with facts about it.
#[derive(Clone, Debug)]
pub struct Tables {
    columns: Predicates,
    tables: Vec<Vec<Row>>,
}

/// A search for tables that can be interrupted and goes on with what it has learnt.
pub struct Analysis {
    columns: Predicates,
    memory: Memory,
    /// Which of [`ALL`] is the limit now, and how often columns were added under it.
    limit: usize,
    rounds: usize,
}

/// What a search came to.
pub enum Analyzed {
    /// No error is in reach of these.
    Proof(Tables),
    /// An error is in reach, or there are too many rows.
    Nothing,
    /// The solver or `go_on` did not go on.
    Stopped,
}

impl Analysis {
    /// A search that has not begun; `None` if clauses are not linear.
    pub fn new(system: &System, terms: &mut Terms) -> Option<Analysis> {
        if system.clauses.iter().any(|c| c.body.len() > 1) {
            return None;
        }
        let memory = Memory { wide: vec![Vec::new(); system.relations.len()], ..Memory::default() };
        Some(Analysis { columns: Predicates::new(system, terms), memory, limit: 0, rounds: 0 })
    }

    /// Follows the values that the clauses lead to.
    pub fn run(
        &mut self,
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Analyzed, SolverError> {
        while let Some(&most) = ALL.get(self.limit) {
            let extended = self.columns.extend(system, terms);
            let mut search = Exploration::new(&extended, terms, most, &mut self.memory);
            match search.run(&extended, terms, solver, go_on)? {
                Explored::Done => {
                    let tables = search.tables.into_iter().map(|t| t.rows.into_keys().collect()).collect();
                    return Ok(Analyzed::Proof(Tables { columns: self.columns.clone(), tables }));
                }
                Explored::Error(end) => {
                    let path = search.path(&extended, &end);
                    match self.columns.refine(terms, solver, &path)? {
                        Refined::Predicates => {
                            self.rounds += 1;
                            if self.rounds < ROUNDS {
                                continue;
                            }
                        }
                        Refined::Nothing => {}
                        Refined::Hopeless => return Ok(Analyzed::Nothing),
                    }
                }
                Explored::Lost => {}
            }
            if !go_on() {
                return Ok(Analyzed::Stopped);
            }
            // With more values it may do.
            if !search.widened {
                return Ok(Analyzed::Nothing);
            }
            (self.limit, self.rounds) = (self.limit + 1, 0);
        }
        Ok(Analyzed::Nothing)
    }
}

impl Tables {
    /// Do the tables satisfy the clauses? One question for each clause and row at which it may start.
    pub fn check(&self, system: &System, terms: &mut Terms, solver: &mut dyn Solver) -> Result<bool, SolverError> {
        let system = self.columns.extend(system, terms);
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

impl Tables {
    /// What the tables claim of each relation: one of its rows fits.
    pub(crate) fn solution(&self, terms: &mut Terms) -> Solution {
        let mut claims = Vec::new();
        for (relation, rows) in self.tables.iter().enumerate() {
            let params = self.columns.formals(relation).to_vec();
            let mut args: Vec<Term> = params.iter().map(|&v| terms.var_term(v)).collect();
            args.extend(self.columns.facts(relation));
            let mut rows: Vec<Term> = rows.iter().map(|row| fits(terms, row, &args)).collect();
            rows.sort_unstable();
            claims.push(Claim { params, holds: terms.or(&rows) });
        }
        Solution { claims }
    }
}

/// The clauses that start at each relation, those for errors first.
fn clauses_of(system: &System) -> Vec<Vec<usize>> {
    let mut of = vec![Vec::new(); system.relations.len()];
    let (errors, others): (Vec<usize>, Vec<usize>) =
        (0..system.clauses.len()).partition(|&c| system.clauses[c].head.is_none());
    for clause in errors.into_iter().chain(others) {
        system.clauses[clause].body.iter().for_each(|a: &Atom| of[a.relation].push(clause));
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
pub(crate) struct Step {
    pub partial: Partial,
    pub condition: Term,
}

impl Step {
    pub fn new(terms: &mut Terms, clause: &Clause, row: &[Option<Term>]) -> Step {
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

/// Can a condition hold? `None` if the solver does not know.
fn possible(terms: &mut Terms, solver: &mut dyn Solver, condition: Term) -> Result<Option<bool>, SolverError> {
    if let Some(possible) = case_splits::possible(terms, condition) {
        return Ok(Some(possible));
    }
    solver.push()?;
    solver.assert(terms, condition)?;
    let answer = solver.check(terms, &[])?;
    solver.pop(1)?;
    Ok(match answer {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    })
}

/// The rows of a relation that were found.
#[derive(Default)]
struct Table {
    /// Each with its number among those found.
    rows: FxHashMap<Row, usize>,
    /// The values of each argument; `None` if it is left open.
    values: Vec<Option<FxHashSet<Term>>>,
}

/// A row that was found, by which clause, and from which row.
#[derive(Clone)]
struct DerivedRow {
    row: Row,
    clause: usize,
    from: Option<usize>,
}

/// How a search ended.
enum Explored {
    /// No clause gives a new row, and no error is in reach.
    Done,
    /// A clause without a head may apply to a row.
    Error(End),
    /// There are too many rows, or the solver does not know.
    Lost,
}

/// A clause without a head, and the row that it may apply to.
struct End {
    clause: usize,
    from: Option<usize>,
}

/// What searches have found out.
#[derive(Default)]
struct Memory {
    /// Which arguments of each relation took too many values in a step. Nobody asks again whether they do.
    wide: Vec<Vec<bool>>,
    /// How often in succession cases were split in vain for a clause.
    too_hard: FxHashMap<usize, usize>,
    /// Conditions that cannot hold.
    impossible: FxHashSet<Term>,
    /// The values of open arguments under a condition.
    steps: FxHashMap<(Term, Vec<OpenArgument>), Vec<Row>>,
}

struct Exploration<'w> {
    memory: &'w mut Memory,
    tables: Vec<Table>,
    found: Vec<DerivedRow>,
    /// Rows to be followed: a relation, and the row's number.
    work: VecDeque<(usize, usize)>,
    /// How many values an argument may take.
    most: usize,
    /// Was an argument left open because of that?
    widened: bool,
}

impl<'w> Exploration<'w> {
    fn new(system: &System, terms: &Terms, most: usize, memory: &'w mut Memory) -> Exploration<'w> {
        let listed = |s| matches!(terms.sort_kind(s), SortKind::Bool | SortKind::Int | SortKind::BitVec(_));
        let table = |sorts: &Vec<_>| Table {
            rows: FxHashMap::default(),
            values: sorts.iter().map(|&s| listed(s).then(FxHashSet::default)).collect(),
        };
        memory.wide.iter_mut().zip(&system.relations).for_each(|(w, sorts)| w.resize(sorts.len(), false));
        let tables = system.relations.iter().map(table).collect();
        Exploration { memory, tables, found: Vec::new(), work: VecDeque::new(), most, widened: false }
    }

    /// Follows all clauses.
    fn run(
        &mut self,
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Explored, SolverError> {
        for clause in (0..system.clauses.len()).filter(|&c| system.clauses[c].body.is_empty()) {
            if let Some(end) = self.follow(system, terms, solver, go_on, clause, None)? {
                return Ok(end);
            }
        }
        let of = clauses_of(system);
        while let Some((relation, at)) = self.work.pop_front() {
            if self.tables[relation].rows.get(&self.found[at].row) != Some(&at) {
                continue;
            }
            if !go_on() || self.tables.iter().map(|t| t.rows.len()).sum::<usize>() > ROWS {
                return Ok(Explored::Lost);
            }
            for &clause in &of[relation] {
                if let Some(end) = self.follow(system, terms, solver, go_on, clause, Some(at))? {
                    return Ok(end);
                }
            }
        }
        Ok(Explored::Done)
    }

    /// How a search came to an error.
    fn path<'a>(&'a self, system: &'a System, end: &End) -> Path<'a> {
        let (mut clause, mut from) = (end.clause, end.from);
        let mut steps = Vec::new();
        while let Some(at) = from {
            let found = &self.found[at];
            steps.push((&system.clauses[clause], &found.row[..]));
            (clause, from) = (found.clause, found.from);
        }
        steps.push((&system.clauses[clause], &[]));
        steps.reverse();
        Path { steps }
    }

    /// Adds the rows that a clause leads to from one of its body. What it gives ends the search.
    fn follow(
        &mut self,
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
        number: usize,
        from: Option<usize>,
    ) -> Result<Option<Explored>, SolverError> {
        let clause = &system.clauses[number];
        let mut step = Step::new(terms, clause, from.map_or(&[], |at| &self.found[at].row));
        if step.condition == terms.bool(false) || self.memory.impossible.contains(&step.condition) {
            return Ok(None);
        }
        let Some(head) = &clause.head else {
            return Ok(match possible(terms, solver, step.condition)? {
                Some(false) => {
                    self.memory.impossible.insert(step.condition);
                    None
                }
                Some(true) => Some(Explored::Error(End { clause: number, from })),
                None => Some(Explored::Lost),
            });
        };
        let listed: Vec<usize> = {
            let values = &self.tables[head.relation].values;
            (0..values.len()).filter(|&i| values[i].is_some()).collect()
        };
        let mut first: Row = vec![None; head.args.len()];
        let mut open = Vec::new();
        let constrained: FxHashSet<_> = terms.free_vars(&[step.condition]).into_iter().collect();
        for i in listed {
            let arg = step.partial.apply(terms, head.args[i]);
            if terms.is_value(arg) {
                first[i] = Some(arg);
            // What nothing is said about takes all values.
            } else if terms.as_var(arg).is_none_or(|v| constrained.contains(&v)) {
                open.push(OpenArgument { at: i, arg, free: terms.bool(false) });
            }
        }
        let key = (step.condition, open);
        if !self.memory.steps.contains_key(&key) {
            let wide = &mut self.memory.wide[head.relation];
            let too_hard = self.memory.too_hard.entry(number).or_default();
            let Some(found) = successors(terms, solver, go_on, step.condition, &key.1, wide, too_hard)? else {
                return Ok(Some(Explored::Lost));
            };
            self.memory.steps.insert(key.clone(), found);
        }
        let found: Vec<Row> = self.memory.steps[&key]
            .iter()
            .map(|values| {
                let mut row = first.clone();
                key.1.iter().zip(values).for_each(|(o, &value)| row[o.at] = value);
                row
            })
            .collect();
        for row in found {
            self.add(head.relation, DerivedRow { row, clause: number, from });
        }
        Ok(None)
    }

    fn add(&mut self, relation: usize, mut found: DerivedRow) {
        let table = &mut self.tables[relation];
        let mut widened = false;
        for (value, known) in found.row.iter_mut().zip(&mut table.values) {
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
            let open: Vec<bool> = table.values.iter().map(Option::is_none).collect();
            let mut rows: Vec<usize> = std::mem::take(&mut table.rows).into_values().collect();
            rows.sort_unstable();
            for at in rows {
                let DerivedRow { mut row, clause, from } = self.found[at].clone();
                row.iter_mut().zip(&open).filter(|(_, open)| **open).for_each(|(v, _)| *v = None);
                self.insert(relation, DerivedRow { row, clause, from });
            }
        }
        self.insert(relation, found);
    }

    fn insert(&mut self, relation: usize, found: DerivedRow) {
        let rows = &mut self.tables[relation].rows;
        if !rows.contains_key(&found.row) {
            rows.insert(found.row.clone(), self.found.len());
            self.work.push_back((relation, self.found.len()));
            self.found.push(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use lariat_smt::solvers;
    use lariat_term::Sort;

    use super::*;

    fn find(
        system: &System,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<Tables>, SolverError> {
        let Some(mut analysis) = Analysis::new(system, terms) else { return Ok(None) };
        let found = analysis.run(system, terms, solver, go_on)?;
        Ok(if let Analyzed::Proof(tables) = found { Some(tables) } else { None })
    }

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
        System { relations: vec![sorts], clauses, ..System::default() }
    }

    #[test]
    fn all_states_are_listed_and_what_is_any_number_is_not() {
        let mut terms = Terms::new();
        let system = machine(&mut terms);
        let mut solver = solvers::open("z3", None).unwrap();
        let tables = find(&system, &mut terms, &mut *solver, &|| true).unwrap().expect("three states");
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
        let columns = Predicates::new(&system, &mut terms);
        let values: Vec<Option<Term>> = (0..4).map(|i| Some(terms.int(i))).collect();
        let mut passes = |states: &[usize]| {
            let rows = states.iter().map(|&i| vec![values[i], None]).collect();
            Tables { columns: columns.clone(), tables: vec![rows] }.check(&system, &mut terms, &mut *solver).unwrap()
        };
        assert!(passes(&[0, 1, 2]));
        assert!(!passes(&[0, 1]));
        assert!(!passes(&[1, 2]));
        assert!(!passes(&[0, 1, 2, 3]));
        assert!(
            !Tables { columns: columns.clone(), tables: vec![vec![vec![None, None]]] }
                .check(&system, &mut terms, &mut *solver)
                .unwrap()
        );
    }

    #[test]
    fn an_error_in_reach_is_no_proof() {
        let mut terms = Terms::new();
        let mut system = machine(&mut terms);
        let (two, s) = (terms.int(2), terms.var("s", Sort::INT));
        system.clauses[2].condition = terms.eq(s, two);
        let mut solver = solvers::open("z3", None).unwrap();
        assert!(find(&system, &mut terms, &mut *solver, &|| true).unwrap().is_none());
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
        let tables = find(&system, &mut terms, &mut *solver, &|| true).unwrap().expect("three states");
        assert_eq!(tables.tables[0].len(), 3);
        assert!(tables.check(&system, &mut terms, &mut *solver).unwrap());
    }

    /// A machine of which something is asked in state 0 that takes it to state 1 or 2, and is forgotten by nobody:
    /// `hit` is any number, and in state 1 it is positive. An error if that is `wrong`.
    fn remembers(terms: &mut Terms, wrong: bool) -> System {
        let (s, hit) = (terms.var("s", Sort::INT), terms.var("hit", Sort::INT));
        let [zero, one, two] = [0, 1, 2].map(|i| terms.int(i));
        let yes = terms.bool(true);
        let at = |args: Vec<Term>| Atom { relation: 0, args };
        let (asks, positive) = (terms.eq(s, zero), terms.lt(zero, hit));
        let next = terms.ite(positive, one, two);
        let next = terms.ite(asks, next, zero);
        let (first, other) = (terms.eq(s, one), terms.bool(wrong));
        let other = terms.eq(positive, other);
        let error = terms.and(&[first, other]);
        let clauses = vec![
            Clause { body: vec![], condition: yes, head: Some(at(vec![zero, hit])) },
            Clause { body: vec![at(vec![s, hit])], condition: yes, head: Some(at(vec![next, hit])) },
            Clause { body: vec![at(vec![s, hit])], condition: error, head: None },
        ];
        System { relations: vec![vec![Sort::INT, Sort::INT]], clauses, ..System::default() }
    }

    #[test]
    fn what_matters_of_an_open_argument_gets_a_column() {
        let mut terms = Terms::new();
        let system = remembers(&mut terms, false);
        let mut solver = solvers::open("z3", None).unwrap();
        let tables = find(&system, &mut terms, &mut *solver, &|| true).unwrap().expect("positive or not");
        assert_eq!(tables.tables[0].len(), 4);
        assert!(tables.tables[0].iter().all(|row| row.len() == 3 && row[1].is_none() && row[2].is_some()));
        assert!(tables.check(&system, &mut terms, &mut *solver).unwrap());
        // Neither with a row less, nor with a fact turned round, nor for another machine.
        for i in 0..4 {
            let mut less = tables.clone();
            less.tables[0].remove(i);
            assert!(!less.check(&system, &mut terms, &mut *solver).unwrap());
            let mut turned = tables.clone();
            let fact = turned.tables[0][i][2].unwrap();
            turned.tables[0][i][2] = Some(terms.not(fact));
            assert!(!turned.check(&system, &mut terms, &mut *solver).unwrap());
        }
        let wrong = remembers(&mut terms, true);
        assert!(!tables.check(&wrong, &mut terms, &mut *solver).unwrap());
    }

    #[test]
    fn no_column_hides_an_error() {
        let mut terms = Terms::new();
        let system = remembers(&mut terms, true);
        let mut solver = solvers::open("z3", None).unwrap();
        assert!(find(&system, &mut terms, &mut *solver, &|| true).unwrap().is_none());
    }

    #[test]
    fn what_is_any_number_in_some_branch_is_listed_in_the_others() {
        let mut terms = Terms::new();
        let mut system = remembers(&mut terms, false);
        // From state 0 to state 1 with 7, or to state 2 with what it was.
        let (s, hit, set) = (terms.var("s", Sort::INT), terms.var("hit", Sort::INT), terms.var("set", Sort::BOOL));
        let [zero, one, two, seven] = [0, 1, 2, 7].map(|i| terms.int(i));
        let next = terms.ite(set, one, two);
        system.clauses[1].condition = terms.eq(s, zero);
        if let Some(head) = &mut system.clauses[1].head {
            head.args = vec![next, terms.ite(set, seven, hit)];
        }
        let (first, other) = (terms.eq(s, one), terms.ne(hit, seven));
        system.clauses[2].condition = terms.and(&[first, other]);
        let mut solver = solvers::open("z3", None).unwrap();
        let tables = find(&system, &mut terms, &mut *solver, &|| true).unwrap().expect("three states");
        let mut rows = tables.tables[0].clone();
        rows.sort_unstable();
        let mut expected = vec![vec![Some(zero), None], vec![Some(one), Some(seven)], vec![Some(two), None]];
        expected.sort_unstable();
        assert_eq!(rows, expected);
        assert!(tables.check(&system, &mut terms, &mut *solver).unwrap());
    }
}

//! Cell abstraction: clauses over a few cells of each map in the place of whole maps.
//!
//! Maps that flow into each other share the constant places at which they are read or written. All maps with
//! the same sorts of indices share *distinguished* places, as many as the conditions of errors read. These are any
//! places, the same in all clauses; so a claim about one is a claim about all places, as a quantifier would make
//! it, and what an error reads is there. A read elsewhere may give anything. So what holds of the cells holds of
//! the maps.

use lariat_term::{Op, Sort, SortKind, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::clauses::{Atom, Clause, Head, Stated, System};

/// How many constant places and how many distinguished ones a map may have.
const CONSTANT: usize = 8;
const DISTINGUISHED: usize = 2;
/// How many reads of terms there may be in a clause.
const LIMIT: usize = 50_000;

/// The clauses over cells; `None` if there are no maps, or clauses grow too large.
pub(crate) fn cells(terms: &mut Terms, system: &System, go_on: &dyn Fn() -> bool) -> Option<System> {
    let maps = system.relations.iter().flatten().any(|&s| is_map(terms, s));
    if !maps {
        return None;
    }
    // What the source claims is read as errors are.
    let mut given = system.clone();
    given.clauses.extend(system.stated.iter().map(|s| s.fails.clone()));
    let system = &given;
    let mut classes = Classes::new(terms, system);
    classes.find_places(terms, system)?;
    classes.name_places(terms);
    let mut result = System::default();
    for (relation, sorts) in system.relations.iter().enumerate() {
        let mut new: Vec<Sort> = classes.distinguished.iter().map(|&t| terms.sort(t)).collect();
        // Each cell is told by its map.
        let mut vars: Vec<Var> = classes.distinguished.iter().filter_map(|&t| terms.as_var(t)).collect();
        let known = system.arguments(relation).len() == sorts.len() && vars.len() == new.len();
        for (i, &sort) in sorts.iter().enumerate() {
            let places = match classes.of_slot(relation, i) {
                Some(class) => {
                    let places = classes.places[&class].len();
                    new.extend(std::iter::repeat_n(element(terms, sort).1, places));
                    places
                }
                None => {
                    new.push(sort);
                    1
                }
            };
            vars.extend(system.arguments(relation).get(i).into_iter().flat_map(|&v| std::iter::repeat_n(v, places)));
        }
        result.relations.push(new);
        result.arguments.push(if known { vars } else { Vec::new() });
    }
    for clause in &system.clauses {
        if !go_on() {
            return None;
        }
        let clause = Reader::new(&classes).clause(terms, clause)?;
        result.clauses.push(clause);
    }
    let claims = result.clauses.split_off(result.clauses.len() - system.stated.len());
    let stated = system.stated.iter().zip(claims);
    result.stated = stated.map(|(s, fails)| Stated { assertion: s.assertion, fails }).collect();
    result.moments.clone_from(&system.moments);
    result.after.clone_from(&system.after);
    result.heads = system.heads.iter().map(|head| classes.head(terms, head)).collect();
    Some(result)
}

fn is_map(terms: &Terms, sort: Sort) -> bool {
    matches!(terms.sort_kind(sort), SortKind::Array(..))
}

/// The sorts of the indices of a map (of maps…), and of what it finally holds.
fn element(terms: &Terms, mut sort: Sort) -> (Vec<Sort>, Sort) {
    let mut keys = Vec::new();
    while let SortKind::Array(index, element) = terms.sort_kind(sort) {
        keys.push(index);
        sort = element;
    }
    (keys, sort)
}

/// The classes of maps that flow into each other, each with its places.
struct Classes {
    /// Union-find; first the slots of relations, then variables.
    parent: Vec<usize>,
    slots: Vec<usize>,
    vars: FxHashMap<Var, usize>,
    /// By representative.
    places: FxHashMap<usize, Vec<Vec<Term>>>,
    sorts: FxHashMap<usize, Sort>,
    /// How many distinguished places there are for these sorts of indices.
    wanted: FxHashMap<Vec<Sort>, usize>,
    named: FxHashMap<Vec<Sort>, Vec<Vec<Term>>>,
    /// The variables of all distinguished places, in order.
    distinguished: Vec<Term>,
}

impl Classes {
    /// A head with cells in the place of maps, at all distinguished places.
    fn head(&self, terms: &mut Terms, head: &Head) -> Head {
        let mut args = self.distinguished.clone();
        for (i, &arg) in head.args.iter().enumerate() {
            match self.of_slot(head.relation, i) {
                Some(class) => {
                    for place in &self.places[&class] {
                        args.push(place.iter().fold(arg, |map, &index| terms.select(map, index)));
                    }
                }
                None => args.push(arg),
            }
        }
        let bound = self.distinguished.iter().filter_map(|&t| terms.as_var(t)).collect();
        Head { args, bound, ..head.clone() }
    }

    fn new(terms: &Terms, system: &System) -> Classes {
        let mut classes = Classes {
            parent: Vec::new(),
            slots: Vec::new(),
            vars: FxHashMap::default(),
            places: FxHashMap::default(),
            sorts: FxHashMap::default(),
            wanted: FxHashMap::default(),
            named: FxHashMap::default(),
            distinguished: Vec::new(),
        };
        for sorts in &system.relations {
            classes.slots.push(classes.parent.len());
            for _ in sorts {
                classes.parent.push(classes.parent.len());
            }
        }
        for clause in &system.clauses {
            for atom in clause.body.iter().chain(&clause.head) {
                for (i, &t) in atom.args.iter().enumerate().filter(|(_, t)| is_map(terms, terms.sort(**t))) {
                    let slot = classes.slots[atom.relation] + i;
                    classes.join(terms, slot, t);
                }
            }
            for t in terms.post_order(&clause.roots()) {
                let args = terms.args(t);
                if terms.op(t) == Op::Ite && is_map(terms, terms.sort(t)) {
                    let bases: Vec<Var> = args[1..].iter().flat_map(|&a| bases(terms, a)).collect();
                    classes.join_all(&bases);
                }
            }
        }
        for (relation, sorts) in system.relations.iter().enumerate() {
            for (i, &sort) in sorts.iter().enumerate().filter(|(_, s)| is_map(terms, **s)) {
                let class = classes.find(classes.slots[relation] + i);
                classes.sorts.insert(class, sort);
                classes.places.entry(class).or_default();
            }
        }
        let vars: Vec<(Var, usize)> = classes.vars.iter().map(|(&v, &n)| (v, n)).collect();
        for (v, n) in vars {
            let class = classes.find(n);
            classes.sorts.insert(class, terms.var_sort(v));
            classes.places.entry(class).or_default();
        }
        classes
    }

    fn find(&self, mut n: usize) -> usize {
        while self.parent[n] != n {
            n = self.parent[n];
        }
        n
    }

    fn node(&mut self, v: Var) -> usize {
        let next = self.parent.len();
        let n = *self.vars.entry(v).or_insert(next);
        if n == next {
            self.parent.push(next);
        }
        n
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller one stays: what the classes are does not depend on the order of hash maps.
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
    }

    fn join(&mut self, terms: &Terms, slot: usize, t: Term) {
        for v in bases(terms, t) {
            let n = self.node(v);
            self.unite(slot, n);
        }
    }

    fn join_all(&mut self, vars: &[Var]) {
        let nodes: Vec<usize> = vars.iter().map(|&v| self.node(v)).collect();
        nodes.windows(2).for_each(|w| self.unite(w[0], w[1]));
    }

    fn of_slot(&self, relation: usize, i: usize) -> Option<usize> {
        let class = self.find(self.slots[relation] + i);
        self.places.contains_key(&class).then_some(class)
    }

    fn of_var(&self, v: Var) -> Option<usize> {
        self.vars.get(&v).map(|&n| self.find(n))
    }

    /// The constant places of each class, and how many distinguished ones errors want.
    fn find_places(&mut self, terms: &mut Terms, system: &System) -> Option<()> {
        let mut found: FxHashMap<usize, Vec<Vec<Term>>> = FxHashMap::default();
        for clause in &system.clauses {
            let mut reader = Reader::new(self);
            reader.clause(terms, clause)?;
            let reads = reader.reads;
            if clause.head.is_none() {
                for (sorts, keys) in by_sorts(terms, &reads) {
                    let wanted = self.wanted.entry(sorts).or_default();
                    *wanted = (*wanted).max(keys.len()).min(DISTINGUISHED);
                }
            }
            for (class, keys) in reads {
                found.entry(class).or_default().push(keys);
            }
            for t in terms.post_order(&clause.roots()) {
                if terms.op(t) == Op::Store {
                    let (map, key) = (terms.args(t)[0], terms.args(t)[1]);
                    // A write to a map of maps names a place only together with what is written.
                    if let (1, Some(v)) = (element(terms, terms.sort(map)).0.len(), bases(terms, map).first())
                        && let Some(class) = self.of_var(*v)
                    {
                        found.entry(class).or_default().push(vec![key]);
                    }
                }
            }
        }
        for (class, mut keys) in found {
            keys.retain(|k| k.iter().all(|&t| terms.is_value(t)));
            keys.sort_unstable();
            keys.dedup();
            keys.truncate(CONSTANT);
            self.places.insert(class, keys);
        }
        Some(())
    }

    fn name_places(&mut self, terms: &mut Terms) {
        let mut wanted: Vec<(Vec<Sort>, usize)> = self.wanted.iter().map(|(s, &n)| (s.clone(), n)).collect();
        wanted.sort_unstable();
        for (sorts, n) in wanted {
            let name = |_| sorts.iter().map(|&s| terms.fresh_var("place", s)).collect();
            let places: Vec<Vec<Term>> = (0..n).map(name).collect();
            self.distinguished.extend(places.iter().flatten());
            self.named.insert(sorts, places);
        }
        for (class, places) in &mut self.places {
            let (sorts, _) = element(terms, self.sorts[class]);
            places.extend(self.named.get(&sorts).into_iter().flatten().cloned());
        }
    }
}

/// The keys that are not constant, by their sorts.
fn by_sorts(terms: &Terms, reads: &[(usize, Vec<Term>)]) -> Vec<(Vec<Sort>, Vec<Vec<Term>>)> {
    let mut found: Vec<(Vec<Sort>, Vec<Vec<Term>>)> = Vec::new();
    for (_, keys) in reads.iter().filter(|(_, keys)| !keys.iter().all(|&t| terms.is_value(t))) {
        let sorts: Vec<Sort> = keys.iter().map(|&t| terms.sort(t)).collect();
        match found.iter_mut().find(|(s, _)| *s == sorts) {
            Some((_, list)) if list.contains(keys) => {}
            Some((_, list)) => list.push(keys.clone()),
            None => found.push((sorts, vec![keys.clone()])),
        }
    }
    found
}

/// The variables that a map term changes or chooses from.
fn bases(terms: &Terms, t: Term) -> Vec<Var> {
    let (mut found, mut stack, mut seen) = (Vec::new(), vec![t], lariat_term::TermMap::new());
    while let Some(t) = stack.pop() {
        if !seen.insert(t, 1) {
            continue;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Var(v) => found.push(v),
            Op::Store => stack.push(args[0]),
            Op::Ite => stack.extend(&args[1..]),
            _ => {}
        }
    }
    found
}

/// Something to be computed.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Task {
    /// A term without maps, in terms of cells.
    Plain(Term),
    /// What a map holds at some (rewritten) keys.
    At(Term, Vec<Term>),
}

/// Rewrites one clause.
struct Reader<'a> {
    classes: &'a Classes,
    done: FxHashMap<Task, Term>,
    cells: FxHashMap<Var, Vec<Term>>,
    /// Where maps of each class are read, apart from their places.
    reads: Vec<(usize, Vec<Term>)>,
}

impl<'a> Reader<'a> {
    fn new(classes: &'a Classes) -> Reader<'a> {
        Reader { classes, done: FxHashMap::default(), cells: FxHashMap::default(), reads: Vec::new() }
    }

    fn clause(&mut self, terms: &mut Terms, clause: &Clause) -> Option<Clause> {
        let mut condition = vec![self.compute(terms, Task::Plain(clause.condition))?];
        if clause.head.is_none() {
            for (sorts, keys) in by_sorts(terms, &self.reads) {
                for (k, p) in keys.iter().zip(self.classes.named.get(&sorts).into_iter().flatten()) {
                    condition.push(equal(terms, k, p));
                }
            }
        }
        let atom = |this: &mut Self, terms: &mut Terms, a: &Atom| -> Option<Atom> {
            let mut args = this.classes.distinguished.clone();
            for (i, &t) in a.args.iter().enumerate() {
                match this.classes.of_slot(a.relation, i) {
                    Some(class) => {
                        for place in &this.classes.places[&class] {
                            args.push(this.compute(terms, Task::At(t, place.clone()))?);
                        }
                    }
                    None => args.push(this.compute(terms, Task::Plain(t))?),
                }
            }
            Some(Atom { relation: a.relation, args })
        };
        let mut body = Vec::new();
        for a in &clause.body {
            body.push(atom(self, terms, a)?);
        }
        let head = match &clause.head {
            Some(a) => Some(atom(self, terms, a)?),
            None => None,
        };
        Some(Clause { body, condition: terms.and(&condition), head })
    }

    /// `None` if there is too much to compute.
    fn compute(&mut self, terms: &mut Terms, task: Task) -> Option<Term> {
        let mut stack = vec![task.clone()];
        while let Some(task) = stack.last() {
            if self.done.contains_key(task) {
                stack.pop();
                continue;
            }
            if self.done.len() > LIMIT {
                return None;
            }
            let task = task.clone();
            match self.step(terms, &task) {
                Ok(t) => {
                    self.done.insert(task, t);
                    stack.pop();
                }
                Err(needed) => stack.extend(needed),
            }
        }
        self.done.get(&task).copied()
    }

    /// The result, or what must be computed first.
    fn step(&mut self, terms: &mut Terms, task: &Task) -> Result<Term, Vec<Task>> {
        match task {
            Task::Plain(t) => self.plain(terms, *t),
            Task::At(t, keys) => self.at(terms, *t, keys),
        }
    }

    fn all(&self, needed: Vec<Task>) -> Result<Vec<Term>, Vec<Task>> {
        let missing: Vec<Task> = needed.iter().filter(|t| !self.done.contains_key(t)).cloned().collect();
        if missing.is_empty() { Ok(needed.iter().map(|t| self.done[t]).collect()) } else { Err(missing) }
    }

    fn plain(&mut self, terms: &mut Terms, t: Term) -> Result<Term, Vec<Task>> {
        let args = terms.args(t).to_vec();
        if args.is_empty() {
            return Ok(t);
        }
        if terms.op(t) == Op::Select {
            let key = self.all(vec![Task::Plain(args[1])])?;
            return Ok(self.all(vec![Task::At(args[0], key)])?[0]);
        }
        // Of whole maps nothing is known.
        if args.iter().any(|&a| is_map(terms, terms.sort(a))) {
            let sort = terms.sort(t);
            return Ok(terms.fresh_var("any", sort));
        }
        let new = self.all(args.iter().map(|&a| Task::Plain(a)).collect())?;
        Ok(if new == args { t } else { terms.mk(terms.op(t), &new) })
    }

    fn at(&mut self, terms: &mut Terms, t: Term, keys: &[Term]) -> Result<Term, Vec<Task>> {
        let args = terms.args(t).to_vec();
        let below = |a: Term| match keys {
            [_] => Task::Plain(a),
            _ => Task::At(a, keys[1..].to_vec()),
        };
        match terms.op(t) {
            Op::Var(v) => Ok(self.read(terms, v, keys)),
            Op::Store => {
                let key = self.all(vec![Task::Plain(args[1])])?[0];
                let hit = terms.eq(key, keys[0]);
                let (yes, no) = (terms.bool(true), terms.bool(false));
                if hit == yes {
                    return Ok(self.all(vec![below(args[2])])?[0]);
                }
                let rest = Task::At(args[0], keys.to_vec());
                if hit == no {
                    return Ok(self.all(vec![rest])?[0]);
                }
                let both = self.all(vec![below(args[2]), rest])?;
                Ok(terms.ite(hit, both[0], both[1]))
            }
            Op::Ite => {
                let parts = [Task::At(args[1], keys.to_vec()), Task::At(args[2], keys.to_vec())];
                let [a, b] = parts;
                let all = self.all(vec![Task::Plain(args[0]), a, b])?;
                Ok(terms.ite(all[0], all[1], all[2]))
            }
            Op::ConstArray(_) => Ok(self.all(vec![below(args[0])])?[0]),
            Op::Select => {
                let key = self.all(vec![Task::Plain(args[1])])?;
                let keys = key.into_iter().chain(keys.iter().copied()).collect();
                Ok(self.all(vec![Task::At(args[0], keys)])?[0])
            }
            _ => {
                let sort = element(terms, terms.sort(t)).1;
                Ok(terms.fresh_var("any", sort))
            }
        }
    }

    /// What a variable that stands for a map holds at some keys.
    fn read(&mut self, terms: &mut Terms, v: Var, keys: &[Term]) -> Term {
        let sort = element(terms, terms.var_sort(v)).1;
        let Some(class) = self.classes.of_var(v) else { return terms.fresh_var("any", sort) };
        let places = &self.classes.places[&class];
        let cells = self.cells.entry(v).or_insert_with(|| {
            let name = terms.var_name(v).to_owned();
            places.iter().map(|_| terms.fresh_var(&name, sort)).collect()
        });
        let cells = cells.clone();
        if let Some(i) = places.iter().position(|p| p == keys) {
            return cells[i];
        }
        self.reads.push((class, keys.to_vec()));
        let mut result = terms.fresh_var("elsewhere", sort);
        for (place, &cell) in places.iter().zip(&cells).rev() {
            let here = equal(terms, keys, place);
            result = terms.ite(here, cell, result);
        }
        result
    }
}

fn equal(terms: &mut Terms, a: &[Term], b: &[Term]) -> Term {
    let equal: Vec<Term> = a.iter().zip(b).map(|(&a, &b)| terms.eq(a, b)).collect();
    terms.and(&equal)
}

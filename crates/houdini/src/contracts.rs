//! Contracts of regions as data, and how certificates state them.

use lariat_certify::{Certificate, Contract, Event, Symbol, Tree};
use lariat_program::{Program, RegionEffects, RegionId, recursive_regions};
use lariat_term::{Term, Terms, Var};
use rustc_hash::FxHashMap;

/// What is claimed of a region.
#[derive(Clone, Debug, Default)]
pub struct RegionContract {
    /// Each of these holds wherever the region is entered: over its inputs and the globals.
    pub requires: Vec<Term>,
    /// Each of these holds wherever it returns: over its inputs and the globals as they were, and the exit variables.
    pub ensures: Vec<Term>,
    /// Where one of these holds as the region is entered, nothing fails in it.
    pub safe: Vec<Term>,
}

impl RegionContract {
    /// How many claims there are.
    pub fn len(&self) -> usize {
        self.requires.len() + self.ensures.len() + self.safe.len()
    }

    /// Is nothing claimed?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The contracts of a program's regions.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    /// By region.
    pub regions: Vec<RegionContract>,
    /// The variable for what an output or a global is where a region returns.
    pub exits: FxHashMap<Var, Var>,
}

impl Contracts {
    /// Contracts that claim nothing, with an exit variable for whatever a region may change.
    pub fn new(program: &Program, terms: &mut Terms) -> Contracts {
        let mut exits = FxHashMap::default();
        let outputs = program.regions.iter().flat_map(|r| &r.outputs);
        for d in program.globals.iter().chain(outputs) {
            exits.entry(d.var).or_insert_with(|| {
                let name = format!("{}'", terms.var_name(d.var));
                let exit = terms.fresh_var(&name, terms.var_sort(d.var));
                terms.as_var(exit).expect("a fresh variable is a variable")
            });
        }
        Contracts { regions: vec![RegionContract::default(); program.regions.len()], exits }
    }

    /// How many claims there are altogether.
    pub fn len(&self) -> usize {
        self.regions.iter().map(RegionContract::len).sum()
    }

    /// Is nothing claimed?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the variables of a region's contract stand for at a box: values of its inputs, of the globals that it uses, and those that it leaves in
    /// its outputs and in the globals that it may change.
    pub fn at_box(
        &self,
        program: &Program,
        effects: &RegionEffects,
        region: RegionId,
        args: &[Term],
        globals: &[Term],
        values: &[Term],
    ) -> FxHashMap<Var, Term> {
        let region = &program.regions[region.index()];
        let inputs = region.inputs.iter().map(|d| d.var).zip(args.iter().copied());
        let used = effects.uses.iter().copied().zip(globals.iter().copied());
        let changed = region.outputs.iter().map(|d| d.var).chain(effects.modifies.iter().copied());
        let left = changed.filter_map(|v| self.exits.get(&v).copied()).zip(values.iter().copied());
        inputs.chain(used).chain(left).collect()
    }

    /// Adds the contracts of recursive procedures and loops to a certificate: whatever is not recursive is expanded there anyway. One in which something
    /// may fail, and never surely nothing, has none: it must not be reached without being listed.
    pub fn state(
        &self,
        program: &Program,
        terms: &mut Terms,
        entry: RegionId,
        may_fail: &dyn Fn(RegionId) -> bool,
        certificate: &mut Certificate,
    ) {
        let recursive = recursive_regions(program);
        for r in program.reached(entry).into_iter().filter(|&r| r != entry && recursive[r.index()]) {
            let RegionContract { requires, ensures, safe } = &self.regions[r.index()];
            let mut requires = requires.clone();
            if may_fail(r) {
                if safe.is_empty() {
                    continue;
                }
                requires.push(terms.or(safe));
            }
            let tree = certificate.trees.len();
            let (requires, ensures) = (terms.and(&requires), terms.and(ensures));
            let exits: FxHashMap<Var, Var> = self.exits.iter().map(|(&v, &exit)| (exit, v)).collect();
            let mut map = FxHashMap::default();
            for v in terms.free_vars(&[requires, ensures]) {
                if program.constants.iter().any(|d| d.var == v) {
                    continue;
                }
                let event = exits.get(&v).map_or(Event::Entry(v), |&v| Event::Exit(v));
                let name = terms.var_name(v).to_owned();
                let symbol = terms.fresh_var(&name, terms.var_sort(v));
                map.insert(v, symbol);
                let of = terms.as_var(symbol).expect("a fresh variable is a variable");
                certificate.symbols.push((of, Symbol { tree, instance: Tree::FIRST, event }));
            }
            let [requires, ensures] = [requires, ensures].map(|t| terms.substitute(t, &map));
            certificate.trees.push(Tree { contract: Some(Contract { requires, ensures }), ..Tree::new(r) });
        }
    }
}

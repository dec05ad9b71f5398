//! What was asserted about call sites without looking into them, with the names that a reader knows.

use std::collections::BTreeMap;

use lariat_program::{Loc, RegionId, VarDecl};
use lariat_summary::{Choice, Summary};
use lariat_term::{Term, Var};
use rustc_hash::FxHashMap;

use crate::{
    instance::{NodeId, State},
    unfolding::Unfolding,
};

/// What was asserted about one open node.
#[derive(Clone, Debug)]
pub(crate) struct Specified {
    pub node: NodeId,
    /// The variables for π, ε and λ.
    pub results: Vec<Var>,
    pub conjuncts: Vec<Term>,
}

/// What is used of the callee at a call site: the specification that was inferred.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The call.
    pub loc: Loc,
    /// What is called.
    pub region: RegionId,
    /// Was the callee looked into? Then all that it does is used.
    pub expanded: bool,
    /// Facts about inputs and results.
    pub conjuncts: Vec<Term>,
    /// What their variables are called: inputs by their names in the source, `old(x)` where the region changes `x`;
    /// results by their names, or `result`; `f.x` is a result of a call of `f` inside.
    pub names: FxHashMap<Var, String>,
}

impl Specification {
    fn new(&(loc, region): &(Loc, RegionId)) -> Specification {
        Specification { loc, region, expanded: false, conjuncts: Vec::new(), names: FxHashMap::default() }
    }
}

impl Unfolding<'_> {
    /// What is used of the callee at each call site that was looked into or specified, in the order of the source.
    pub fn specifications(&self) -> Vec<Specification> {
        let mut sites: BTreeMap<(Loc, RegionId), Specification> = BTreeMap::new();
        let key = |node: NodeId| (self.box_loc(node), self.node(node).region);
        for s in &self.specified {
            let found = sites.entry(key(s.node)).or_insert_with_key(Specification::new);
            for &c in &s.conjuncts {
                if !found.conjuncts.contains(&c) {
                    found.conjuncts.push(c);
                }
            }
            if found.names.is_empty() {
                found.names = self.names(self.node(s.node).region, &s.results);
            }
        }
        for (i, node) in self.nodes.iter().enumerate().skip(1) {
            if node.state == State::Expanded {
                let key = key(NodeId(i as u32));
                sites.entry(key).or_insert_with_key(Specification::new).expanded = true;
            }
        }
        sites.into_values().collect()
    }

    /// The names of a region's variables in a specification.
    fn names(&self, region: RegionId, results: &[Var]) -> FxHashMap<Var, String> {
        let mut names = FxHashMap::default();
        let after = self.result_names(region);
        let before = |name: String| if after.contains(&name) { format!("old({name})") } else { name };
        let inputs = self.program.regions[region.index()].inputs.iter().map(|d| d.var);
        for v in inputs.chain(self.summaries.effects(region).uses.iter().copied()) {
            names.insert(v, before(self.source_name(region, v)));
        }
        let own = ["returns".to_owned(), "fails".to_owned()].into_iter().chain(after.iter().cloned());
        names.extend(results.iter().copied().zip(own));
        if let Some(summary) = self.summaries.ready(region) {
            self.inner_names(region, summary, &mut names);
        }
        names
    }

    /// Names for what the boxes of a region do, and for what it leaves open.
    fn inner_names(&self, region: RegionId, summary: &Summary, names: &mut FxHashMap<Var, String>) {
        let mut times: FxHashMap<RegionId, u32> = FxHashMap::default();
        for site in &summary.boxes {
            let time = times.entry(site.callee).or_default();
            *time += 1;
            let callee = &self.program.regions[site.callee.index()].name;
            let call = if *time == 1 { callee.clone() } else { format!("{callee}#{time}") };
            names.insert(site.returns, format!("{call}.returns"));
            names.extend(site.fails.map(|v| (v, format!("{call}.fails"))));
            let values = self.result_names(site.callee);
            names.extend(site.values.iter().copied().zip(values.iter().map(|name| format!("{call}.{name}"))));
        }
        for open in &summary.open {
            let name = match open.choice {
                Choice::Initial(v) | Choice::Havoc { var: v, .. } => format!("any({})", self.source_name(region, v)),
                Choice::Goto(_) => "choice".into(),
            };
            names.insert(open.var, name);
        }
    }

    /// The names of the outputs of a region and of the globals that it may change.
    fn result_names(&self, region: RegionId) -> Vec<String> {
        let outputs = self.program.regions[region.index()].outputs.iter();
        let outputs = outputs.map(|d| d.source.clone().unwrap_or_else(|| "result".into()));
        let globals = self.summaries.effects(region).modifies.iter().map(|&v| self.source_name(region, v));
        outputs.chain(globals).collect()
    }

    fn source_name(&self, region: RegionId, v: Var) -> String {
        let region = &self.program.regions[region.index()];
        let own = region.inputs.iter().chain(&region.outputs).chain(&region.locals);
        let mut all = own.chain(&self.program.globals);
        let source = all.find(|d: &&VarDecl| d.var == v).and_then(|d| d.source.clone());
        source.unwrap_or_else(|| self.terms.var_name(v).to_owned())
    }
}

//! A program with a certificate that is written by hand.

#![allow(dead_code, reason = "each test uses a part of it")]

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::entry_of,
};
use lariat_certify::{Certificate, Checked, Event, Instance, InstanceId, OpenSolver, Site, Symbol, Treatment, check};
use lariat_program::{AssertId, BlockId, Program, RegionId, RegionKind, StmtKind, extract_loops};
use lariat_smt::{Logic, SolverError, solvers};
use lariat_term::{Term, Terms, Var};

pub struct Case {
    pub program: Program,
    pub terms: Terms,
    pub certificate: Certificate,
}

impl Case {
    pub fn new(text: &str) -> Case {
        let compiled = compile([Source::new("test.bpl", text)], &compile::Options::default());
        let (mut program, mut terms) = (compiled.program.expect("a program"), compiled.terms);
        extract_loops(&mut program, &mut terms);
        let entry = entry_of(&program, "main").expect("a procedure main");
        Case { program, terms, certificate: Certificate::new(entry) }
    }

    pub fn region(&self, name: &str) -> RegionId {
        let at = self.program.regions.iter().position(|r| r.name == name);
        RegionId(at.unwrap_or_else(|| panic!("no region {name}")) as u32)
    }

    /// The region of an instance of the first tree.
    pub fn region_of(&self, instance: InstanceId) -> RegionId {
        match self.certificate.trees[0].instances[instance.index()].boxed {
            None => self.certificate.trees[0].region,
            Some((parent, site)) => self.callee(self.region_of(parent), site),
        }
    }

    pub fn callee(&self, region: RegionId, site: Site) -> RegionId {
        let block = &self.program.regions[region.index()].blocks[site.block.index()];
        match block.stmts[site.stmt as usize].kind {
            StmtKind::Box { callee, .. } => callee,
            _ => panic!("no box"),
        }
    }

    /// The boxes of loops in a region, in the order of the blocks.
    pub fn loops(&self, region: RegionId) -> Vec<Site> {
        let mut found = Vec::new();
        for (b, block) in self.program.regions[region.index()].blocks.iter().enumerate() {
            for (s, stmt) in block.stmts.iter().enumerate() {
                if let StmtKind::Box { callee, .. } = stmt.kind
                    && matches!(self.program.regions[callee.index()].kind, RegionKind::Loop { .. })
                {
                    found.push(Site { block: BlockId(b as u32), stmt: s as u32 });
                }
            }
        }
        found
    }

    /// Lists the n-th loop of an instance.
    pub fn list(&mut self, parent: InstanceId, nth: usize) -> InstanceId {
        let site = self.loops(self.region_of(parent))[nth];
        let instances = &mut self.certificate.trees[0].instances;
        instances.push(Instance { boxed: Some((parent, site)), treatment: Treatment::Expand });
        InstanceId(instances.len() as u32 - 1)
    }

    pub fn variable(&self, region: RegionId, name: &str) -> Var {
        let region = &self.program.regions[region.index()];
        let mut all = region.inputs.iter().chain(&region.outputs).chain(&region.locals).chain(&self.program.globals);
        all.find(|d| d.source.as_deref() == Some(name)).unwrap_or_else(|| panic!("no variable {name}")).var
    }

    /// The value of a variable at an event.
    pub fn symbol(&mut self, tree: usize, instance: InstanceId, v: Var, event: Event) -> Term {
        let t = self.terms.fresh_var("symbol", self.terms.var_sort(v));
        let var = self.terms.as_var(t).expect("a variable");
        self.certificate.symbols.push((var, Symbol { tree, instance, event }));
        t
    }

    /// A variable at the start of a round.
    pub fn at_start(&mut self, instance: InstanceId, name: &str) -> Term {
        let v = self.variable(self.region_of(instance), name);
        self.symbol(0, instance, v, Event::Entry(v))
    }

    pub fn invariant(&mut self, instance: InstanceId, holds: Term) {
        self.certificate.trees[0].instances[instance.index()].treatment = Treatment::Invariant(holds);
    }

    /// k-induction with an invariant.
    pub fn induction(&mut self, instance: InstanceId, k: u32, holds: Term) {
        self.certificate.trees[0].instances[instance.index()].treatment = Treatment::Induction(k, holds);
    }

    /// Lists the loop that is in another one.
    pub fn list_inner(&mut self, outer: InstanceId) -> InstanceId {
        let region = self.region_of(outer);
        let nth = self.loops(region).iter().position(|&s| self.callee(region, s) != region);
        self.list(outer, nth.expect("a loop in the loop"))
    }

    pub fn check(&mut self) -> Checked {
        let entry = self.certificate.trees[0].region;
        self.check_from(entry)
    }

    pub fn check_from(&mut self, entry: RegionId) -> Checked {
        self.check_some(entry, &|_| true)
    }

    /// What following the executions of a program shows; no solver may be asked.
    pub fn by_execution(text: &str) -> Checked {
        Case::new(text).check_by_execution(&|_| true)
    }

    /// The same, of these assertions.
    pub fn check_by_execution(&mut self, counts: &dyn Fn(AssertId) -> bool) -> Checked {
        self.certificate.by_execution = true;
        let mut none = |_: Option<Logic>| Err(SolverError::Missing { command: "none".into(), message: String::new() });
        let entry = self.certificate.trees[0].region;
        self.asked(entry, counts, &mut none).unwrap_or_else(|error| Checked::Unknown(error.to_string()))
    }

    pub fn check_some(&mut self, entry: RegionId, counts: &dyn Fn(AssertId) -> bool) -> Checked {
        self.asked(entry, counts, &mut |logic| solvers::open("z3", logic)).expect("a solver")
    }

    fn asked(
        &mut self,
        entry: RegionId,
        counts: &dyn Fn(AssertId) -> bool,
        open: OpenSolver<'_>,
    ) -> Result<Checked, SolverError> {
        // What has no end is cut off.
        let asked = std::cell::Cell::new(0);
        let stopped = || asked.replace(asked.get() + 1) > 200;
        check(&self.program, &mut self.terms.clone(), entry, counts, &self.certificate, open, &stopped)
    }
}

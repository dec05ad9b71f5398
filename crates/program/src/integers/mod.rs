//! The reading of a program in which bit-vectors are integers.
//!
//! In: a program whose regions are acyclic. Out: the same regions, blocks, boxes and assertions over integers
//! with explicit wrap-around ([`Integers`]), and the [`Origins`] of its statements. Each variable has one twin; that of a bit-vector holds its signed or
//! unsigned number, whichever suits its uses. Maps of bit-vectors are maps of integers.
//!
//! What always holds:
//! - every execution of the program is one of the integer program, step by step, when each value is replaced by
//!   its number; so what is proved of the integer program holds of the program;
//! - conversely, values of an execution of the integer program go back to values of the program
//!   ([`Integers::value`], [`Integers::model`]): what is arbitrary in the program is assumed to be in its range where
//!   it is read;
//! - axioms keep their positions; ranges of constants come after them.
//!
//! Wraps are left out where intervals show that none happens. They come from the ranges of variables, and from
//! the branches and assumptions on the way to a statement.
//!
//! The only statements that are added are assumptions. They repeat the ranges of inputs and results where
//! arithmetic depends on them, so that proofs need not find them again.

mod arithmetic;
mod back;
mod interval;
mod ranges;
mod signs;
mod sorts;
#[cfg(test)]
mod tests;
mod translate;

use lariat_term::{Func, Term, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use self::{
    interval::Interval,
    ranges::{join, live_in, order, refine, sensitive},
    signs::Signs,
    translate::{Facts, Translator, bounds},
};
use crate::{
    effects::Effects,
    ir::{Axiom, Block, BlockId, FuncDef, Loc, Program, Region, RegionId, Stmt, StmtKind, Terminator, VarDecl},
    origins::{BlockOrigins, Frame, Origins, StmtOrigin},
    verify::{Stage, check_pass},
    walk::FreeVars,
};

/// What cannot be read over integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Untranslatable(pub &'static str);

/// A program over integers, and the way back.
pub struct Integers {
    /// The program.
    pub program: Program,
    /// By region, where its parts come from.
    pub origins: Vec<Origins>,
    /// How many terms had to stay terms of bit-vectors between conversions: the fewer the better.
    pub conversions: usize,
    twins: FxHashMap<Var, Var>,
    funcs: FxHashMap<Func, Func>,
    /// Variables that are read as signed numbers, or whose elements are.
    signed: FxHashSet<Var>,
}

impl Integers {
    /// Reads a program over integers; executions may start at the entries.
    pub fn new(program: &Program, terms: &mut Terms, entries: &[RegionId]) -> Result<Integers, Untranslatable> {
        let signs = Signs::of(program, terms);
        let pass = Pass {
            source: program,
            effects: Effects::new(program),
            translator: Translator::new(terms, &signs, taken(program, terms)),
            free: FreeVars::default(),
            windows: FxHashMap::default(),
            origins: Origins::default(),
            at: START,
            out: Vec::new(),
            places: Vec::new(),
        };
        let integers = pass.run(entries)?;
        check_pass("integers", &integers.program, terms, Stage::Regions);
        Ok(integers)
    }
}

/// The names of variables that keep their sort.
fn taken(program: &Program, terms: &Terms) -> FxHashSet<String> {
    let regions = program.regions.iter().flat_map(|r| [&r.inputs, &r.outputs, &r.locals]);
    let decls = [&program.globals, &program.constants].into_iter().chain(regions).flatten().map(|d| d.var);
    let params = program.functions.iter().flat_map(|f| f.params.iter().copied());
    let plain = decls.chain(params).filter(|&v| !sorts::has_bits(terms, terms.var_sort(v)));
    plain.map(|v| terms.var_name(v).to_owned()).collect()
}

const START: StmtOrigin = StmtOrigin { frame: 0, block: BlockId(0), stmt: 0 };

struct Pass<'a> {
    source: &'a Program,
    effects: Effects,
    translator: Translator<'a>,
    free: FreeVars,
    /// The ranges of twins.
    windows: Facts,
    /// Where the parts of the current region come from.
    origins: Origins,
    /// The statement of the program that is being read.
    at: StmtOrigin,
    /// The statements of the current block, and where they come from.
    out: Vec<Stmt>,
    places: Vec<StmtOrigin>,
}

impl Pass<'_> {
    fn run(mut self, entries: &[RegionId]) -> Result<Integers, Untranslatable> {
        let source = self.source;
        let mut program = Program {
            files: source.files.clone(),
            globals: self.decls(&source.globals)?,
            constants: self.decls(&source.constants)?,
            functions: Vec::new(),
            axioms: Vec::new(),
            regions: Vec::new(),
            assertions: source.assertions.clone(),
            entries: source.entries.clone(),
        };
        for f in &source.functions {
            let mut params = Vec::new();
            for &p in &f.params {
                params.push(self.translator.twin(p)?);
            }
            let func = self.translator.func(f.func)?;
            let body = self.translator.term(f.body)?;
            let body = match self.translator.terms.bv_width(f.body) {
                Some(w) => self.translator.unsigned(w, &body).term,
                None => body.term,
            };
            if self.translator.take_reads().is_some() {
                return Err(Untranslatable("a function that reads a map"));
            }
            program.functions.push(FuncDef { func, params, body, loc: f.loc });
        }
        for a in &source.axioms {
            let stated = self.translator.term(a.term)?.term;
            let parts: Vec<Term> = self.translator.take_reads().into_iter().chain([stated]).collect();
            program.axioms.push(Axiom { term: self.translator.terms.and(&parts), loc: a.loc });
        }
        for d in &source.constants {
            let range = self.ranges(&[d.var])?;
            program.axioms.extend(range.map(|term| Axiom { term, loc: d.loc }));
        }
        let mut origins = Vec::with_capacity(source.regions.len());
        for (i, region) in source.regions.iter().enumerate() {
            let id = RegionId(i as u32);
            self.origins = Origins { frames: vec![Frame { region: id, site: None }], ..Origins::default() };
            let region = self.region(region, entries.contains(&id))?;
            program.regions.push(region);
            origins.push(std::mem::take(&mut self.origins));
        }
        let conversions = self.translator.conversions;
        let (signed, twins, funcs) = self.translator.finish();
        Ok(Integers { program, origins, conversions, twins, funcs, signed })
    }

    fn decls(&mut self, decls: &[VarDecl]) -> Result<Vec<VarDecl>, Untranslatable> {
        let mut twins = Vec::with_capacity(decls.len());
        for d in decls {
            let var = self.twin(d.var)?;
            twins.push(VarDecl { var, source: d.source.clone(), loc: d.loc });
        }
        Ok(twins)
    }

    fn twin(&mut self, v: Var) -> Result<Var, Untranslatable> {
        let twin = self.translator.twin(v)?;
        if twin != v {
            self.origins.vars.insert(twin, (0, v));
        }
        if let Some(window) = self.translator.window_of(v) {
            let t = self.translator.terms.var_term(twin);
            self.windows.insert(t, window);
        }
        Ok(twin)
    }

    /// The condition that these variables are in their ranges, if there is any.
    fn ranges(&mut self, vars: &[Var]) -> Result<Option<Term>, Untranslatable> {
        let mut parts = Vec::new();
        for &v in vars {
            if let Some(range) = self.translator.window_of(v) {
                let twin = self.twin(v)?;
                let t = self.translator.terms.var_term(twin);
                parts.push(bounds(self.translator.terms, t, &range));
            }
        }
        Ok((!parts.is_empty()).then(|| self.translator.terms.and(&parts)))
    }

    fn region(&mut self, region: &Region, entry: bool) -> Result<Region, Untranslatable> {
        let sensitive = sensitive(region, self.translator.terms);
        let mut assumed = live_in(region, self.translator.terms, &mut self.free);
        let globals = self.source.globals.iter().map(|d| d.var);
        let given = region.inputs.iter().map(|d| d.var).chain(globals);
        assumed.extend(given.filter(|v| entry || sensitive.contains(v)));
        let start = self.ranges(&assumed)?;
        let blocks = &region.blocks;
        let mut arriving: Vec<Option<Facts>> = vec![None; blocks.len()];
        let mut done: Vec<Option<(Block, BlockOrigins)>> = vec![None; blocks.len()];
        let order = order(region).ok_or(Untranslatable("a cycle of blocks"))?;
        for b in order {
            let block = &blocks[b];
            self.translator.facts = arriving[b].take().unwrap_or_default();
            self.translator.forget();
            self.at = StmtOrigin { block: BlockId(b as u32), ..START };
            if b == 0 {
                self.assume(start, region.loc);
            }
            let tail = block.next == Terminator::Return;
            for (i, stmt) in block.stmts.iter().enumerate() {
                let last = tail && i + 1 == block.stmts.len();
                self.at.stmt = i as u32;
                self.stmt(stmt, last, &sensitive)?;
            }
            let next = self.leave(&block.next, &mut arriving)?;
            let stmts = std::mem::take(&mut self.out);
            let places = BlockOrigins { stmts: std::mem::take(&mut self.places), next: self.at };
            done[b] = Some((Block { label: block.label.clone(), stmts, next }, places));
        }
        let (blocks, origins) = done.into_iter().flatten().unzip();
        self.origins.blocks = origins;
        Ok(Region {
            name: region.name.clone(),
            kind: region.kind,
            loc: region.loc,
            inputs: self.decls(&region.inputs)?,
            outputs: self.decls(&region.outputs)?,
            locals: self.decls(&region.locals)?,
            blocks,
        })
    }

    /// Adds a statement.
    fn push(&mut self, kind: StmtKind, loc: Loc) {
        self.out.push(Stmt { kind, loc });
        self.places.push(self.at);
    }

    /// Adds an assumption, if there is one.
    fn assume(&mut self, range: Option<Term>, loc: Loc) {
        if let Some(range) = range {
            self.push(StmtKind::Assume(range), loc);
        }
    }

    /// Adds an assumption about what was just read.
    fn assume_reads(&mut self, loc: Loc) {
        let reads = self.translator.take_reads();
        self.assume(reads, loc);
    }

    fn stmt(&mut self, stmt: &Stmt, last: bool, sensitive: &FxHashSet<Var>) -> Result<(), Untranslatable> {
        let loc = stmt.loc;
        let mut after = None;
        let kind = match &stmt.kind {
            StmtKind::Assume(t) => {
                let t = self.translator.term(*t)?.term;
                self.learn(t);
                StmtKind::Assume(t)
            }
            StmtKind::Assert { id, cond } => {
                let cond = self.translator.term(*cond)?.term;
                self.learn(cond);
                StmtKind::Assert { id: *id, cond }
            }
            StmtKind::Assign(pairs) => {
                let mut new = Vec::with_capacity(pairs.len());
                let mut facts = Vec::new();
                for &(v, t) in pairs {
                    let (twin, value) = (self.twin(v)?, self.translator.held(v, t)?);
                    new.push((twin, value.term));
                    facts.push((twin, value.range));
                }
                self.assume_reads(loc);
                self.changed(new.iter().map(|&(v, _)| v));
                for (v, range) in facts {
                    let t = self.translator.terms.var_term(v);
                    if self.windows.get(&t).is_some_and(|w| *w != range) {
                        self.translator.facts.insert(t, range);
                    }
                }
                StmtKind::Assign(new)
            }
            StmtKind::Havoc(vars) => {
                let twins = vars.iter().map(|&v| self.twin(v)).collect::<Result<Vec<Var>, _>>()?;
                self.changed(twins.iter().copied());
                after = self.ranges(vars)?;
                StmtKind::Havoc(twins)
            }
            StmtKind::Box { callee, args, results } => {
                let inputs = &self.source.regions[callee.index()].inputs;
                let mut new = Vec::with_capacity(args.len());
                for (d, &t) in inputs.iter().zip(args) {
                    new.push(self.translator.held(d.var, t)?.term);
                }
                self.assume_reads(loc);
                let twins = results.iter().map(|&v| self.twin(v)).collect::<Result<Vec<Var>, _>>()?;
                let mut changed = results.clone();
                changed.extend(self.effects.of(*callee));
                let mut all = twins.clone();
                for v in self.effects.of(*callee).collect::<Vec<_>>() {
                    all.push(self.twin(v)?);
                }
                self.changed(all.into_iter());
                if !last {
                    changed.retain(|v| sensitive.contains(v));
                    after = self.ranges(&changed)?;
                }
                StmtKind::Box { callee: *callee, args: new, results: twins }
            }
        };
        self.assume_reads(loc);
        self.push(kind, loc);
        self.assume(after, loc);
        Ok(())
    }

    /// A condition holds from here on.
    fn learn(&mut self, condition: Term) {
        refine(self.translator.terms, &self.windows, &mut self.translator.facts, condition, true);
        self.translator.forget();
    }

    /// What is known of these variables, and of what is read with them, holds no longer.
    fn changed(&mut self, vars: impl Iterator<Item = Var>) {
        let changed: FxHashSet<Var> = vars.collect();
        let terms = &*self.translator.terms;
        self.translator.facts.retain(|&t, _| terms.as_var(t).is_some_and(|v| !changed.contains(&v)));
        self.translator.forget();
    }

    fn leave(&mut self, next: &Terminator, arriving: &mut [Option<Facts>]) -> Result<Terminator, Untranslatable> {
        Ok(match next {
            Terminator::Return => Terminator::Return,
            Terminator::Goto(to) => {
                for b in to {
                    join(&mut arriving[b.index()], &self.windows, self.translator.facts.clone());
                }
                Terminator::Goto(to.clone())
            }
            Terminator::Branch { cond, yes, no } => {
                let cond = self.translator.term(*cond)?.term;
                self.assume_reads(Loc::NONE);
                for (to, holds) in [(yes, true), (no, false)] {
                    let mut facts = self.translator.facts.clone();
                    refine(self.translator.terms, &self.windows, &mut facts, cond, holds);
                    join(&mut arriving[to.index()], &self.windows, facts);
                }
                Terminator::Branch { cond, yes: *yes, no: *no }
            }
        })
    }
}

/// What is known of a term of the integer program: its interval, if it is more than nothing.
fn interval_of(terms: &Terms, windows: &Facts, facts: &Facts, t: Term) -> Interval {
    if let lariat_term::Op::Const(c) = terms.op(t)
        && let Value::Int(i) = terms.const_value(c)
    {
        return Interval::point(i.clone());
    }
    facts.get(&t).or_else(|| windows.get(&t)).cloned().unwrap_or(Interval::ALL)
}

//! Inlining for clauses: regions with all that they box spliced in, except loops and recursion.
//!
//! What is left are the boxes of regions that may run without bound. Everything else is terms: a program
//! without loops and recursion is one condition.

use std::rc::Rc;

use lariat_certify::{Event, Site};
use lariat_program::{BlockId, Components, Program, RegionId, RegionKind, StmtKind, Terminator};
use lariat_summary::{BoxSite, Choice, Summaries, Summary};
use lariat_term::{Substituter, Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::Goal;

/// How many region instances may be spliced in altogether.
const LIMIT: usize = 20_000;

/// By how many terms a region may grow.
const TERMS: usize = 3_000_000;

/// What a region does. All variables are its own: an [`instance`](Inlined::instance) has others.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    /// Inputs and used globals.
    pub params: Vec<Var>,
    /// What the program leaves open, and what the boxes that are left give: variables, and which values they stand for.
    pub values_of: Vec<(Var, Moment)>,
    /// The boxes that are left, in an order in which each depends on earlier ones only.
    pub boxes: Vec<CallSite>,
    /// The conditions under which an assertion that counts fails.
    pub errors: Vec<Term>,
    /// The region returns.
    pub returns: Term,
    /// Outputs and changed globals, where it returns.
    pub values: Vec<Term>,
    /// The variables of the program that these are the values of.
    pub gives: Vec<Var>,
}

/// A moment at which a value is fixed: the boxes that lead to an instance, and the event in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    pub path: Vec<Site>,
    pub event: Event,
}

/// A box that is left.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub callee: RegionId,
    /// The boxes that lead into it, itself last.
    pub path: Vec<Site>,
    /// The box is reached.
    pub guard: Term,
    /// The callee's inputs and used globals.
    pub args: Vec<Term>,
    /// π: it returns.
    pub returns: Var,
    /// λ: the callee's outputs and changed globals.
    pub values: Vec<Var>,
}

impl Inlined {
    /// All terms.
    pub fn roots(&self) -> Vec<Term> {
        let of_boxes = self.boxes.iter().flat_map(|b| b.args.iter().chain([&b.guard]));
        let rest = self.errors.iter().chain(&self.values).chain([&self.returns]);
        of_boxes.chain(rest).copied().collect()
    }

    /// Changes all terms.
    pub fn apply(&mut self, mut f: impl FnMut(Term) -> Term) {
        let of_boxes = self.boxes.iter_mut().flat_map(|b| b.args.iter_mut().chain([&mut b.guard]));
        let rest = self.errors.iter_mut().chain(&mut self.values).chain([&mut self.returns]);
        of_boxes.chain(rest).for_each(|t| *t = f(*t));
    }

    /// A copy with its own variables and these parameters.
    pub fn instance(&self, terms: &mut Terms, params: &[Term]) -> Inlined {
        let mut map: FxHashMap<Var, Term> = self.params.iter().copied().zip(params.iter().copied()).collect();
        let mut fresh = |terms: &mut Terms, v: Var| {
            let (name, sort) = (terms.var_name(v).to_owned(), terms.var_sort(v));
            let t = terms.fresh_var(&name, sort);
            map.insert(v, t);
            terms.as_var(t).expect("a fresh variable is a variable")
        };
        let values_of = self.values_of.iter().map(|(v, moment)| (fresh(terms, *v), moment.clone())).collect();
        let mut boxes = self.boxes.clone();
        let renamed = |terms: &Terms, v: Var| map.get(&v).and_then(|&t| terms.as_var(t)).unwrap_or(v);
        for b in &mut boxes {
            b.returns = renamed(terms, b.returns);
            b.values.iter_mut().for_each(|v| *v = renamed(terms, *v));
        }
        let mut rename = Substituter::new(terms, map);
        for b in &mut boxes {
            b.guard = rename.apply(terms, b.guard);
            b.args = rename.apply_all(terms, &b.args);
        }
        Inlined {
            params: self.params.clone(),
            values_of,
            boxes,
            errors: rename.apply_all(terms, &self.errors),
            returns: rename.apply(terms, self.returns),
            values: rename.apply_all(terms, &self.values),
            gives: self.gives.clone(),
        }
    }
}

/// The flat regions of a goal.
pub(crate) struct Inliner {
    regions: Vec<Option<Rc<Inlined>>>,
    recursive: Vec<bool>,
    /// Loops whose boxes of themselves are the last thing that they do.
    tail: Vec<bool>,
}

impl Inliner {
    /// `None` if that would be too large.
    pub fn new(goal: &Goal<'_>, terms: &mut Terms, summaries: &mut Summaries) -> Option<Inliner> {
        let program = goal.program;
        let recursive = lariat_program::recursive_regions(program);
        let tail = (0..program.regions.len() as u32).map(|r| is_tail_loop(program, RegionId(r))).collect();
        let mut flats = Inliner { regions: vec![None; program.regions.len()], recursive, tail };
        let mut reached = vec![false; program.regions.len()];
        program.reached(goal.entry).iter().for_each(|r| reached[r.index()] = true);
        let mut sizes = vec![0usize; program.regions.len()];
        for r in Components::new(program).order.into_iter().filter(|r| reached[r.index()]) {
            let spliced = program.regions[r.index()].callees().filter(|c| !flats.recursive[c.index()]);
            sizes[r.index()] = spliced.fold(1, |n, c| n.saturating_add(sizes[c.index()]));
            if sizes[r.index()] > LIMIT {
                return None;
            }
            let flat = flats.flatten(goal, terms, summaries, r)?;
            flats.regions[r.index()] = Some(Rc::new(flat));
        }
        Some(flats)
    }

    /// The flat form of a region that executions reach.
    pub fn get(&self, region: RegionId) -> Option<Rc<Inlined>> {
        self.regions[region.index()].clone()
    }

    /// Is this a loop whose boxes of itself are the last thing that it does?
    pub fn is_tail_loop(&self, region: RegionId) -> bool {
        self.tail[region.index()]
    }

    fn flatten(&self, goal: &Goal<'_>, terms: &mut Terms, summaries: &mut Summaries, r: RegionId) -> Option<Inlined> {
        let most = terms.len() + TERMS;
        let summary = summaries.get(goal.program, terms, r);
        let inputs = goal.program.regions[r.index()].inputs.iter().map(|d| d.var);
        let params = inputs.chain(summaries.effects(r).uses.iter().copied()).collect();
        let no = terms.bool(false);
        let values_of = open_values(&summary);
        let mut flat = Inlined {
            params,
            values_of,
            boxes: Vec::new(),
            errors: Vec::new(),
            returns: no,
            values: Vec::new(),
            gives: Vec::new(),
        };
        let mut spliced = Substituter::new(terms, FxHashMap::default());
        for site in &summary.boxes {
            if !(goal.go_on)() || terms.len() > most {
                return None;
            }
            let guard = spliced.apply(terms, site.guard);
            let mut args = spliced.apply_all(terms, &site.args);
            args.extend(spliced.apply_all(terms, &site.globals));
            let path = vec![at(site)];
            if self.recursive[site.callee.index()] {
                let (returns, values) = (site.returns, site.values.clone());
                flat.values_of.extend(box_values(goal.program, summaries, r, site));
                flat.boxes.push(CallSite { callee: site.callee, path, guard, args, returns, values });
                continue;
            }
            // Callees come first, so theirs is ready.
            let Some(callee) = &self.regions[site.callee.index()] else { continue };
            let inner = callee.instance(terms, &args);
            flat.values_of.extend(inner.values_of.into_iter().map(|(v, m)| (v, m.below(&path))));
            for mut b in inner.boxes {
                b.guard = terms.and(&[guard, b.guard]);
                b.path.splice(0..0, path.iter().copied());
                flat.boxes.push(b);
            }
            for e in inner.errors {
                flat.errors.push(terms.and(&[guard, e]));
            }
            spliced.bind(terms, site.returns, inner.returns);
            for (&v, t) in site.values.iter().zip(inner.values) {
                spliced.bind(terms, v, t);
            }
        }
        for e in summary.errors.iter().filter(|e| (goal.counts)(e.assertion)) {
            flat.errors.push(spliced.apply(terms, e.condition));
        }
        flat.errors.retain(|&e| e != no);
        flat.boxes.retain(|b| b.guard != no);
        flat.returns = spliced.apply(terms, summary.returns);
        flat.values = spliced.apply_all(terms, &summary.outputs);
        flat.values.extend(spliced.apply_all(terms, &summary.globals));
        let outputs = goal.program.regions[r.index()].outputs.iter().map(|d| d.var);
        flat.gives = outputs.chain(summaries.effects(r).modifies.iter().copied()).collect();
        Some(flat)
    }
}

impl Moment {
    /// The same moment, told from where these boxes lead to.
    pub fn below(mut self, path: &[Site]) -> Moment {
        self.path.splice(0..0, path.iter().copied());
        self
    }
}

fn at(site: &BoxSite) -> Site {
    Site { block: site.block, stmt: site.stmt as u32 }
}

/// The values that a region leaves open.
fn open_values(summary: &Summary) -> Vec<(Var, Moment)> {
    let mut ways: FxHashMap<BlockId, u32> = FxHashMap::default();
    let moment = |choice: Choice| match choice {
        Choice::Initial(v) => Event::Entry(v),
        Choice::Havoc { block, stmt, var } => Event::Havoc(Site { block, stmt: stmt as u32 }, var),
        Choice::Goto(block) => {
            let way = ways.entry(block).or_default();
            *way += 1;
            Event::Choice(block, *way - 1)
        }
    };
    let events: Vec<Event> = summary.open.iter().map(|o| o.choice).map(moment).collect();
    summary.open.iter().zip(events).map(|(o, event)| (o.var, Moment { path: Vec::new(), event })).collect()
}

/// The placeholders of a box.
fn box_values(program: &Program, summaries: &Summaries, region: RegionId, site: &BoxSite) -> Vec<(Var, Moment)> {
    let stmt = &program.regions[region.index()].blocks[site.block.index()].stmts[site.stmt];
    let results = if let StmtKind::Box { results, .. } = &stmt.kind { &results[..] } else { &[] };
    let given = results.iter().chain(&summaries.effects(site.callee).modifies).map(|&v| Event::Result(at(site), v));
    let values = site.values.iter().copied().zip(given).chain([(site.returns, Event::Left(at(site)))]);
    values.map(|(v, event)| (v, Moment { path: Vec::new(), event })).collect()
}

/// Is a region a loop whose boxes of itself are the last thing that it does?
pub(crate) fn is_tail_loop(program: &Program, r: RegionId) -> bool {
    let region = &program.regions[r.index()];
    if !matches!(region.kind, RegionKind::Loop { .. }) {
        return false;
    }
    let outputs: Vec<Var> = region.outputs.iter().map(|d| d.var).collect();
    region.blocks.iter().all(|block| {
        block.stmts.iter().enumerate().all(|(i, s)| match &s.kind {
            StmtKind::Box { callee, results, .. } if *callee == r => {
                i + 1 == block.stmts.len() && *results == outputs && ends(program, r, &block.next)
            }
            _ => true,
        })
    })
}

/// Does control only return from here?
fn ends(program: &Program, r: RegionId, next: &Terminator) -> bool {
    let blocks = &program.regions[r.index()].blocks;
    let mut next = next;
    // Regions are acyclic; the number of blocks bounds the walk even so.
    for _ in 0..=blocks.len() {
        match next {
            Terminator::Return => return true,
            Terminator::Goto(to) => match to.as_slice() {
                [b] if blocks[b.index()].stmts.is_empty() => next = &blocks[b.index()].next,
                _ => return false,
            },
            Terminator::Branch { .. } => return false,
        }
    }
    false
}

//! Loops become regions that box themselves at their end (F-Soft, section III).
//!
//! Each natural loop of a region becomes a region of kind [`RegionKind::Loop`], nested as the loops
//! are:
//! - inputs are the variables that are live at its header and mentioned in it, outputs those it may
//!   change and that are live at an exit (so one can be both); they are the parent's own variables.
//!   Globals are shared and not passed;
//! - the back edges meet in one block that boxes the loop itself and returns;
//! - in the parent, a block with the header's label boxes the loop and goes on at its exit;
//! - with several exits (a return of the procedure is one), a number as an output, one variable per
//!   procedure, says which, and the parent branches on it. It is a bit-vector in programs of
//!   bit-vectors without an integer, so that their queries stay in that theory. A branch to a block that only fails an
//!   assertion is that assertion, and no exit.
//!
//! Blocks keep their labels and statements their locations and assertion ids.

use lariat_term::{Sort, SortKind, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    IrreducibleError, Labels, SPLIT_LIMIT,
    forest::{Forest, NONE},
    live::{Interface, Interfaces, RETURN},
    loop_locs, prepare,
};
use crate::{
    clean::fail_at_branches,
    ir::{
        AssertId, AssertKind, Assertion, Block, BlockId, Loc, Program, Region, RegionId, RegionKind, Stmt, StmtKind,
        Terminator, VarDecl,
    },
    walk::FreeVars,
};

/// Makes every region acyclic by turning loops into regions; new regions follow the old ones, a
/// parent before its inner loops. Regions that are acyclic already only lose unreachable blocks. A
/// region with a loop of several entries that would need too many copies is not supported: reaching it makes the
/// verdict unknown. So all front ends leave their loops as they are, and whoever loads a program calls this once.
pub fn extract_loops(program: &mut Program, terms: &mut Terms) {
    let mut budget = SPLIT_LIMIT;
    let mut free = FreeVars::default();
    let mut names: Option<Names> = None;
    for r in 0..program.regions.len() {
        let region = &mut program.regions[r];
        fail_at_branches(region, terms);
        let (cfg, forest, labels) = match prepare(region, &mut budget) {
            Ok(prepared) => prepared,
            Err(error) => {
                give_up(program, r, &error, terms);
                continue;
            }
        };
        if forest.len() == 0 {
            continue;
        }
        let interfaces = Interfaces::new(region, &cfg, &forest, terms, &mut free);
        let names = names.get_or_insert_with(|| Names::new(program));
        let exits = interfaces.loops.iter().map(|l| l.exits.len()).max().unwrap_or(0);
        let exit = (exits > 1).then(|| names.exit_variable(program, &program.regions[r].name, exits, terms));
        let base = program.regions.len() as u32;
        let region_names: Vec<String> = forest
            .header
            .iter()
            .map(|&h| names.region(&program.regions[r].name, &program.regions[r].blocks[h as usize].label))
            .collect();
        let mut cutter = Cutter {
            source: &mut program.regions[r],
            forest: &forest,
            interfaces: &interfaces,
            labels,
            names: region_names,
            region: RegionId(r as u32),
            base,
            exit,
            own: Vec::new(),
            call: Vec::new(),
            terms,
        };
        let loops = cutter.run();
        program.regions.extend(loops);
    }
}

/// A region that cannot be made reducible does nothing but reach what is not supported.
fn give_up(program: &mut Program, r: usize, error: &IrreducibleError, terms: &mut Terms) {
    let id = AssertId(program.assertions.len() as u32);
    let (loc, message) = (error.loc, Some(error.to_string()));
    program.assertions.push(Assertion { kind: AssertKind::Unsupported, message, loc });
    let stmt = Stmt { kind: StmtKind::Assert { id, cond: terms.bool(false) }, loc };
    let label = program.regions[r].blocks[0].label.clone();
    program.regions[r].blocks = vec![Block { label, stmts: vec![stmt], next: Terminator::Goto(Vec::new()) }];
}

/// Names in use, so that new ones depend on the program alone.
struct Names {
    regions: FxHashSet<String>,
    /// Those of variables, and whether the program has bit-vectors and no integers; only once a variable
    /// is to be named.
    vars: Option<(FxHashSet<String>, bool)>,
}

impl Names {
    fn new(program: &Program) -> Names {
        Names { regions: program.regions.iter().map(|r| r.name.clone()).collect(), vars: None }
    }

    fn vars(program: &Program, terms: &Terms) -> (FxHashSet<String>, bool) {
        let own = program.regions.iter().flat_map(|r| r.inputs.iter().chain(&r.outputs).chain(&r.locals));
        let vars = program.globals.iter().chain(&program.constants).chain(own);
        let (mut names, mut sorts) = (FxHashSet::default(), FxHashSet::default());
        for d in vars {
            names.insert(terms.var_name(d.var).to_string());
            sorts.insert(terms.var_sort(d.var));
        }
        let (mut integers, mut bits) = (false, false);
        let mut work: Vec<Sort> = sorts.into_iter().collect();
        while let Some(s) = work.pop() {
            match terms.sort_kind(s) {
                SortKind::Int => integers = true,
                SortKind::BitVec(_) => bits = true,
                SortKind::Array(i, e) => work.extend([i, e]),
                _ => {}
            }
        }
        (names, bits && !integers)
    }

    fn unused(used: &mut FxHashSet<String>, mut name: String) -> String {
        while !used.insert(name.clone()) {
            name.push('+');
        }
        name
    }

    fn region(&mut self, procedure: &str, label: &str) -> String {
        Names::unused(&mut self.regions, format!("{procedure}/{label}"))
    }

    /// A variable for the numbers of `exits` exits.
    fn exit_variable(&mut self, program: &Program, procedure: &str, exits: usize, terms: &mut Terms) -> Exit {
        let (vars, bits) = self.vars.get_or_insert_with(|| Names::vars(program, terms));
        let name = Names::unused(vars, format!("{procedure}/exit"));
        let width = bits.then(|| exits.next_power_of_two().trailing_zeros().max(1));
        let sort = width.map_or(Sort::INT, |w| terms.bv_sort(w));
        let term = terms.var(&name, sort);
        match terms.as_var(term) {
            Some(var) => Exit { var, term, width },
            None => unreachable!("a variable is a variable"),
        }
    }
}

/// The exit selector of a procedure.
#[derive(Clone, Copy)]
struct Exit {
    var: Var,
    term: Term,
    /// Of a bit-vector; an integer has none.
    width: Option<u32>,
}

impl Exit {
    fn number(self, terms: &mut Terms, n: usize) -> Term {
        match self.width {
            Some(w) => terms.bv(w, n as u64),
            None => terms.int(n as u64),
        }
    }
}

/// Takes one region apart. `source` keeps what is in no loop.
struct Cutter<'a> {
    source: &'a mut Region,
    forest: &'a Forest,
    interfaces: &'a Interfaces,
    labels: Labels,
    names: Vec<String>,
    region: RegionId,
    base: u32,
    exit: Option<Exit>,
    /// The position of each block in the region it ends up in.
    own: Vec<BlockId>,
    /// The position of the block that boxes the loop with this header, in the parent.
    call: Vec<BlockId>,
    terms: &'a mut Terms,
}

/// The part of a region that is being built.
struct Part {
    /// The loop, or [`NONE`] for what is left of the procedure.
    l: u32,
    /// Where the loop or the procedure stands.
    loc: Loc,
    blocks: Vec<Block>,
    /// Blocks made on demand: for the back edges, for exits, for a return.
    made: FxHashMap<u32, BlockId>,
    /// The part reads or sets the exit selector.
    uses_exit: bool,
}

impl Cutter<'_> {
    fn run(&mut self) -> Vec<Region> {
        let k = self.forest.len();
        // What each part consists of: blocks by their old number, with the header of an inner loop
        // standing for the block that boxes it. The last is the procedure's.
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); k + 1];
        let slot = |l: u32| if l == NONE { k } else { l as usize };
        for (l, &h) in self.forest.header.iter().enumerate() {
            members[l].push(h);
        }
        self.own = vec![BlockId(0); self.source.blocks.len()];
        self.call = vec![BlockId(0); self.source.blocks.len()];
        for b in 0..self.source.blocks.len() as u32 {
            let mut part = self.forest.innermost[b as usize];
            let mut place = &mut self.own;
            if let Some(l) = self.forest.headed_by(b) {
                // `own` is 0, set above: the header opens its loop.
                part = self.forest.parent[l as usize];
                place = &mut self.call;
            }
            let list = &mut members[slot(part)];
            place[b as usize] = BlockId(list.len() as u32);
            list.push(b);
        }
        let locs = loop_locs(self.source, self.forest);
        let mut old: Vec<Option<Block>> = std::mem::take(&mut self.source.blocks).into_iter().map(Some).collect();
        let header_labels: Vec<String> = self
            .forest
            .header
            .iter()
            .map(|&h| old[h as usize].as_ref().map(|b| b.label.clone()).unwrap_or_default())
            .collect();
        let mut regions = Vec::with_capacity(k);
        for l in (0..k as u32).chain([NONE]) {
            let list = std::mem::take(&mut members[slot(l)]);
            let mut part = Part {
                l,
                loc: locs.get(l as usize).copied().unwrap_or(self.source.loc),
                blocks: Vec::with_capacity(list.len()),
                made: FxHashMap::default(),
                uses_exit: false,
            };
            // Blocks made on demand come after all of these.
            let mut mentioned: Vec<u32> = Vec::new();
            let mut ends = Vec::with_capacity(list.len());
            for &b in &list {
                match self.forest.headed_by(b) {
                    Some(inner) if inner != l => {
                        part.blocks.push(self.boxing(
                            inner,
                            header_labels[inner as usize].clone(),
                            locs[inner as usize],
                        ));
                        let i = &self.interfaces.loops[inner as usize];
                        mentioned.extend(i.inputs.iter().chain(&i.outputs));
                        ends.push(End::Dispatch(inner));
                    }
                    _ => {
                        let mut block = old[b as usize].take().unwrap_or(Block {
                            label: String::new(),
                            stmts: Vec::new(),
                            next: Terminator::Return,
                        });
                        mentioned.extend(&self.interfaces.mentioned[b as usize]);
                        ends.push(End::Own(std::mem::replace(&mut block.next, Terminator::Return)));
                        part.blocks.push(block);
                    }
                }
            }
            for (at, end) in ends.into_iter().enumerate() {
                match end {
                    End::Own(next) => self.redirect(&mut part, at, next),
                    End::Dispatch(inner) => self.dispatch(&mut part, at, inner),
                }
            }
            mentioned.sort_unstable();
            mentioned.dedup();
            if l == NONE {
                self.finish_procedure(part, &mentioned);
            } else {
                regions.push(self.finish_loop(part, &mentioned));
            }
        }
        regions
    }

    fn vars(&self, list: &[u32]) -> Vec<Var> {
        list.iter().map(|&v| self.interfaces.decls[v as usize].var).collect()
    }

    fn decls(&self, list: &[u32]) -> Vec<VarDecl> {
        list.iter().map(|&v| self.interfaces.decls[v as usize].clone()).collect()
    }

    /// The selector of a loop that needs one.
    fn selector(&self, l: u32) -> Option<Exit> {
        (self.interface(l).exits.len() > 1).then_some(self.exit).flatten()
    }

    fn interface(&self, l: u32) -> &Interface {
        &self.interfaces.loops[l as usize]
    }

    /// A block that boxes a loop; its end is set later.
    fn boxing(&mut self, l: u32, label: String, loc: Loc) -> Block {
        let interfaces = self.interfaces;
        let i = &interfaces.loops[l as usize];
        let mut results = self.vars(&i.outputs);
        results.extend(self.selector(l).map(|e| e.var));
        let args = self.vars(&i.inputs).into_iter().map(|v| self.terms.var_term(v)).collect();
        let kind = StmtKind::Box { callee: RegionId(self.base + l), args, results };
        Block { label, stmts: vec![Stmt { kind, loc }], next: Terminator::Return }
    }

    /// What a block does to leave loop `l` to `target`, before it returns.
    fn leave(&mut self, part: &mut Part, target: u32) -> Option<Stmt> {
        let exit = self.selector(part.l)?;
        part.uses_exit = true;
        // A missing target cannot be: every exit was collected.
        let number = self.interface(part.l).exits.binary_search(&target).unwrap_or_default();
        let value = exit.number(self.terms, number);
        Some(Stmt { kind: StmtKind::Assign(vec![(exit.var, value)]), loc: Loc::NONE })
    }

    fn leaves(&self, part: &Part, target: u32) -> bool {
        target == RETURN || (part.l != NONE && !self.forest.contains(part.l, target))
    }

    /// Gives a block of the part its old end, with the targets it has now.
    fn redirect(&mut self, part: &mut Part, at: usize, mut next: Terminator) {
        let only = match &next {
            Terminator::Return => Some(RETURN),
            Terminator::Goto(to) if to.len() == 1 => Some(to[0].0),
            _ => None,
        };
        if let Some(target) = only.filter(|&t| self.leaves(part, t)) {
            if part.l != NONE {
                let stmt = self.leave(part, target);
                part.blocks[at].stmts.extend(stmt);
            }
            part.blocks[at].next = Terminator::Return;
            return;
        }
        next.map_successors(|s| self.resolve(part, s.0));
        part.blocks[at].next = next;
    }

    /// Sends a block that boxes an inner loop on to where that loop was left to.
    fn dispatch(&mut self, part: &mut Part, at: usize, inner: u32) {
        let interfaces = self.interfaces;
        let exits = &interfaces.loops[inner as usize].exits;
        let Some((&last, others)) = exits.split_last() else {
            part.blocks[at].next = Terminator::Goto(Vec::new());
            return;
        };
        let Some(exit) = self.selector(inner) else {
            self.redirect(
                part,
                at,
                if last == RETURN { Terminator::Return } else { Terminator::Goto(vec![BlockId(last)]) },
            );
            return;
        };
        part.uses_exit = true;
        let label = part.blocks[at].label.clone();
        let mut at = at;
        for (number, &target) in others.iter().enumerate() {
            let value = exit.number(self.terms, number);
            let cond = self.terms.eq(exit.term, value);
            let yes = self.resolve(part, target);
            let no = if number + 1 == others.len() {
                self.resolve(part, last)
            } else {
                let label = self.labels.fresh(&label);
                push(part, Block { label, stmts: Vec::new(), next: Terminator::Return })
            };
            part.blocks[at].next = Terminator::Branch { cond, yes, no };
            at = no.index();
        }
    }

    /// Where an edge of the part to an old block leads now.
    fn resolve(&mut self, part: &mut Part, target: u32) -> BlockId {
        if let Some(&b) = part.made.get(&target) {
            return b;
        }
        let made = if target == RETURN && part.l == NONE {
            let label = self.labels.wish("return");
            Block { label, stmts: Vec::new(), next: Terminator::Return }
        } else if self.leaves(part, target) {
            let label = self.labels.wish("exit");
            let stmts = self.leave(part, target).into_iter().collect();
            Block { label, stmts, next: Terminator::Return }
        } else if part.l != NONE && target == self.forest.header[part.l as usize] {
            let label = self.labels.wish("again");
            self.boxing(part.l, label, part.loc)
        } else if self.forest.headed_by(target).is_some() {
            return self.call[target as usize];
        } else {
            return self.own[target as usize];
        };
        let b = push(part, made);
        part.made.insert(target, b);
        b
    }

    fn exit_decl(&self) -> Option<VarDecl> {
        self.exit.map(|e| VarDecl { var: e.var, source: None, loc: Loc::NONE })
    }

    fn finish_loop(&mut self, part: Part, mentioned: &[u32]) -> Region {
        let interfaces = self.interfaces;
        let i = &interfaces.loops[part.l as usize];
        let passed: FxHashSet<u32> = i.inputs.iter().chain(&i.outputs).copied().collect();
        let rest: Vec<u32> = mentioned.iter().copied().filter(|v| !passed.contains(v)).collect();
        let (mut outputs, mut locals) = (self.decls(&i.outputs), self.decls(&rest));
        if self.selector(part.l).is_some() {
            outputs.extend(self.exit_decl());
        } else if part.uses_exit {
            locals.extend(self.exit_decl());
        }
        let parent = match self.forest.parent[part.l as usize] {
            NONE => self.region,
            p => RegionId(self.base + p),
        };
        Region {
            name: std::mem::take(&mut self.names[part.l as usize]),
            kind: RegionKind::Loop { parent },
            loc: part.loc,
            inputs: self.decls(&i.inputs),
            outputs,
            locals,
            blocks: part.blocks,
        }
    }

    fn finish_procedure(&mut self, part: Part, mentioned: &[u32]) {
        let kept: FxHashSet<Var> = self.vars(mentioned).into_iter().collect();
        self.source.locals.retain(|d| kept.contains(&d.var));
        if part.uses_exit {
            let exit = self.exit_decl();
            self.source.locals.extend(exit);
        }
        self.source.blocks = part.blocks;
    }
}

/// How a block of a part will end.
enum End {
    /// As it did.
    Own(Terminator),
    /// On the exit of the inner loop it boxes.
    Dispatch(u32),
}

fn push(part: &mut Part, block: Block) -> BlockId {
    let id = BlockId(part.blocks.len() as u32);
    part.blocks.push(block);
    id
}

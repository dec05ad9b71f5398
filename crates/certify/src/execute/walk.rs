//! The walk over the blocks of an instance: states, statements and boxes.

use lariat_program::{BlockId, Loc, Region, RegionId, RegionKind, StmtKind, Terminator};
use lariat_term::{Persist, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cut, Executor, Exit, TooLarge};
use crate::{
    certificate::{Event, InstanceId, Site, Symbol, Treatment, Tree},
    check::Goal,
};

/// A place in an instance.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub id: RegionId,
    pub region: &'a Region,
    /// Nothing for an instance that the certificate does not list.
    pub instance: Option<InstanceId>,
    pub owner: Option<usize>,
    pub round: Option<Round>,
    /// Is this an instance of a recursive procedure that the certificate does not list, or below one?
    pub unlisted: bool,
}

/// What an instance is a round of, so that its box of itself is not entered.
#[derive(Clone, Copy)]
pub(super) enum Round {
    /// A loop with an invariant.
    Cut(usize),
    /// A loop of which a number of rounds is executed, one by one.
    Numbered,
}

/// The values of all variables on some paths.
#[derive(Clone)]
pub(super) struct State {
    pub guard: Term,
    pub globals: Persist,
    pub own: Persist,
}

/// What the start of a round of a loop with an invariant is over.
#[derive(Default)]
struct Heads {
    inputs: Vec<Term>,
    globals: Vec<(usize, Term)>,
    /// By symbol: has every round so far handed it on as it was?
    kept: FxHashMap<Var, bool>,
}

/// The walk over the blocks of one instance.
pub(super) struct Walk<'a> {
    pub here: Here<'a>,
    /// The positions of the region's own variables.
    own: FxHashMap<Var, usize>,
    arrivals: Vec<Vec<State>>,
    exits: Vec<State>,
    heads: Heads,
    /// Where a numbered round goes on; the region's inputs are the variables.
    pub nexts: Vec<State>,
}

impl<'a> Walk<'a> {
    fn get(&self, x: &Executor<'_>, state: &State, v: Var) -> Option<Term> {
        match self.own.get(&v) {
            Some(&i) => state.own.get(i),
            None => x.globals.get(&v).and_then(|&i| state.globals.get(i)),
        }
    }

    pub(super) fn set(&self, x: &Executor<'_>, state: &mut State, v: Var, value: Term) {
        match self.own.get(&v) {
            Some(&i) => state.own.set(i, value),
            None => x.globals.get(&v).into_iter().for_each(|&i| state.globals.set(i, value)),
        }
    }

    /// A term of the region, with the values of its variables. Constants of the program stand for themselves.
    fn value(&self, x: &mut Executor<'_>, state: &State, t: Term) -> Term {
        let t = x.definitions.expand(x.terms, t);
        let vars = x.terms.free_vars(&[t]);
        let map = vars.into_iter().filter_map(|v| Some((v, self.get(x, state, v)?))).collect();
        x.terms.substitute(t, &map)
    }

    pub fn new(here: Here<'a>) -> Walk<'a> {
        let mut own = FxHashMap::default();
        for d in here.region.inputs.iter().chain(&here.region.outputs).chain(&here.region.locals) {
            let next = own.len();
            own.entry(d.var).or_insert(next);
        }
        let mut arrivals = Vec::new();
        arrivals.resize_with(here.region.blocks.len(), Vec::new);
        Walk { here, own, arrivals, exits: Vec::new(), heads: Heads::default(), nexts: Vec::new() }
    }

    pub fn run(
        &mut self,
        x: &mut Executor<'_>,
        guard: Term,
        globals: Persist,
        inputs: &[Term],
    ) -> Result<Exit, TooLarge> {
        stacker::maybe_grow(256 << 10, 8 << 20, || self.blocks(x, guard, globals, inputs))
    }

    fn blocks(
        &mut self,
        x: &mut Executor<'_>,
        guard: Term,
        globals: Persist,
        inputs: &[Term],
    ) -> Result<Exit, TooLarge> {
        x.left = x.left.checked_sub(1).ok_or(TooLarge)?;
        let mut own = Persist::new(self.own.len());
        let region = self.here.region;
        for d in region.outputs.iter().chain(&region.locals) {
            let value = x.symbol(self.here.instance, Event::Entry(d.var), d.var);
            own.set(self.own[&d.var], value);
        }
        for (d, &t) in region.inputs.iter().zip(inputs) {
            own.set(self.own[&d.var], t);
        }
        self.arrivals[0].push(State { guard, globals, own });
        for b in topological(region) {
            let arrivals = std::mem::take(&mut self.arrivals[b.index()]);
            let Some(state) = join(x.terms, arrivals) else { continue };
            self.block(x, b, state)?;
        }
        let exits = std::mem::take(&mut self.exits);
        let no = x.terms.bool(false);
        Ok(match join(x.terms, exits) {
            Some(state) => {
                let outputs = region.outputs.iter().filter_map(|d| state.own.get(self.own[&d.var])).collect();
                Exit { returns: state.guard, outputs, globals: state.globals }
            }
            None => Exit { returns: no, outputs: Vec::new(), globals: Persist::new(x.program.globals.len()) },
        })
    }

    fn block(&mut self, x: &mut Executor<'_>, b: BlockId, mut state: State) -> Result<(), TooLarge> {
        let no = x.terms.bool(false);
        let block = &self.here.region.blocks[b.index()];
        for (i, s) in block.stmts.iter().enumerate() {
            if state.guard == no {
                return Ok(());
            }
            let site = Site { block: b, stmt: i as u32 };
            self.statement(x, site, &s.kind, s.loc, &mut state)?;
        }
        match &block.next {
            Terminator::Return => self.exits.push(state),
            Terminator::Branch { cond, yes, no } => {
                let cond = self.value(x, &state, *cond);
                let not = x.terms.not(cond);
                self.go(x, &state, cond, *yes);
                self.go(x, &state, not, *no);
            }
            Terminator::Goto(to) => {
                let mut none_before = x.terms.bool(true);
                for (i, &block) in to.iter().enumerate() {
                    if i + 1 == to.len() {
                        self.go(x, &state, none_before, block);
                        break;
                    }
                    let event = Event::Choice(b, i as u32);
                    let chosen = x.symbol_of(self.here.instance, event, "choice", Sort::BOOL);
                    let this = x.terms.and(&[none_before, chosen]);
                    self.go(x, &state, this, block);
                    let not = x.terms.not(chosen);
                    none_before = x.terms.and(&[none_before, not]);
                }
            }
        }
        Ok(())
    }

    fn go(&mut self, x: &mut Executor<'_>, state: &State, condition: Term, to: BlockId) {
        let guard = x.terms.and(&[state.guard, condition]);
        if guard != x.terms.bool(false) {
            self.arrivals[to.index()].push(State { guard, ..state.clone() });
        }
    }

    fn statement(
        &mut self,
        x: &mut Executor<'_>,
        site: Site,
        kind: &StmtKind,
        loc: Loc,
        state: &mut State,
    ) -> Result<(), TooLarge> {
        match kind {
            StmtKind::Assume(t) => {
                let holds = self.value(x, state, *t);
                state.guard = x.terms.and(&[state.guard, holds]);
            }
            StmtKind::Assert { id, cond } => {
                let holds = self.value(x, state, *cond);
                if (x.counts)(*id) {
                    x.target(state.guard, holds, self.here.owner, Goal::Assertion(*id, loc));
                }
                state.guard = x.terms.and(&[state.guard, holds]);
            }
            StmtKind::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|&(_, t)| self.value(x, state, t)).collect();
                pairs.iter().zip(values).for_each(|(&(v, _), t)| self.set(x, state, v, t));
            }
            StmtKind::Havoc(vars) => {
                for &v in vars {
                    let value = x.symbol(self.here.instance, Event::Havoc(site, v), v);
                    self.set(x, state, v, value);
                }
            }
            StmtKind::Box { callee, args, results } => {
                let args: Vec<Term> = args.iter().map(|&t| self.value(x, state, t)).collect();
                self.boxed(x, site, *callee, &args, results, loc, state)?;
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "a box has that many parts")]
    fn boxed(
        &mut self,
        x: &mut Executor<'_>,
        site: Site,
        callee: RegionId,
        args: &[Term],
        results: &[Var],
        loc: Loc,
        state: &mut State,
    ) -> Result<(), TooLarge> {
        if callee == self.here.id && self.here.round.is_some() {
            self.again(x, args, loc, state);
            return Ok(());
        }
        let region = &x.program.regions[callee.index()];
        let listed = self.here.instance.and_then(|i| x.by_box.get(&(i, site)).copied());
        // An instance that is listed is looked into, though its region may have a contract.
        if let (None, Some(&tree)) = (listed, x.contracts.get(&callee)) {
            let before = state.globals.clone();
            self.any_results(x, site, callee, results, state);
            self.contract(x, tree, args, results, &before, loc, state);
            return Ok(());
        }
        let treatment = listed.map(|i| x.certificate.trees[x.tree].instances[i.index()].treatment);
        match treatment {
            Some(Treatment::Invariant(invariant)) if matches!(region.kind, RegionKind::Loop { .. }) => {
                self.cut(x, site, callee, listed, (0, invariant), args, results, loc, state)
            }
            Some(Treatment::Induction(k, invariant)) if matches!(region.kind, RegionKind::Loop { .. }) => {
                self.induction(x, site, callee, listed, (k, invariant), args, results, loc, state)
            }
            Some(_) => self.expand(x, site, callee, listed, args, results, state),
            // What cannot go on without end, and the first round of a loop that is not listed, or one more than are listed.
            None if !x.recursive[callee.index()] => self.expand(x, site, callee, None, args, results, state),
            None if self.is_loop(x, callee) => self.expand(x, site, callee, None, args, results, state),
            // Of the rounds after it, only that one of them leaves the loop.
            None if self.is_own_loop(x, callee) => {
                let anything = x.terms.bool(true);
                self.cut(x, site, callee, None, (0, anything), args, results, loc, state)
            }
            // One instance of a recursive procedure: it may end there.
            None if x.fails[callee.index()] && !self.here.unlisted => {
                self.expand(x, site, callee, None, args, results, state)
            }
            None => {
                if x.fails[callee.index()] {
                    let no = x.terms.bool(false);
                    x.target(state.guard, no, self.here.owner, Goal::LeftOut(callee, loc));
                }
                if !x.returns[callee.index()] {
                    state.guard = x.terms.bool(false);
                }
                self.any_results(x, site, callee, results, state);
                Ok(())
            }
        }
    }

    /// Is this a loop, unless it is its own next round in one that is not listed?
    fn is_loop(&self, x: &Executor<'_>, callee: RegionId) -> bool {
        matches!(x.program.regions[callee.index()].kind, RegionKind::Loop { .. }) && !self.is_own_loop(x, callee)
    }

    /// Is this the next round of a loop that is not listed?
    fn is_own_loop(&self, x: &Executor<'_>, callee: RegionId) -> bool {
        let is_loop = matches!(x.program.regions[callee.index()].kind, RegionKind::Loop { .. });
        is_loop && callee == self.here.id && self.here.instance.is_none()
    }

    /// The region's body in the place of the box.
    #[expect(clippy::too_many_arguments, reason = "a box has that many parts")]
    fn expand(
        &mut self,
        x: &mut Executor<'_>,
        site: Site,
        callee: RegionId,
        instance: Option<InstanceId>,
        args: &[Term],
        results: &[Var],
        state: &mut State,
    ) -> Result<(), TooLarge> {
        let region = &x.program.regions[callee.index()];
        let unlisted = self.here.unlisted
            || instance.is_none() && x.recursive[callee.index()] && matches!(region.kind, RegionKind::Procedure);
        let here = Here { id: callee, region, instance, owner: self.here.owner, round: None, unlisted };
        let exit = x.execute(here, state.guard, state.globals.clone(), args)?;
        state.guard = exit.returns;
        if exit.returns != x.terms.bool(false) {
            state.globals = exit.globals;
            results.iter().zip(exit.outputs).for_each(|(&v, t)| self.set(x, state, v, t));
            self.returned(x, site, callee, results, exit.returns, state);
        }
        Ok(())
    }

    /// A box has returned under this condition with the values of the state: that is what claims about it are about.
    pub(super) fn returned(
        &self,
        x: &mut Executor<'_>,
        site: Site,
        callee: RegionId,
        results: &[Var],
        returns: Term,
        state: &State,
    ) {
        let Some(instance) = self.here.instance else { return };
        let mut values = vec![(Event::Left(site), returns)];
        let globals = x.changed(callee).into_iter().filter_map(|(v, i)| Some((v, state.globals.get(i)?)));
        values.extend(globals.map(|(v, t)| (Event::Result(site, v), t)));
        let own = results.iter().filter_map(|&v| Some((v, self.get(x, state, v)?)));
        values.extend(own.map(|(v, t)| (Event::Result(site, v), t)));
        x.fix(instance, &values);
    }

    /// What the box may change gets any value.
    fn any_results(&mut self, x: &mut Executor<'_>, site: Site, callee: RegionId, results: &[Var], state: &mut State) {
        for (v, i) in x.changed(callee) {
            let value = x.symbol(self.here.instance, Event::Result(site, v), v);
            state.globals.set(i, value);
        }
        for &v in results {
            let value = x.symbol(self.here.instance, Event::Result(site, v), v);
            self.set(x, state, v, value);
        }
    }

    /// A procedure with a contract, whose results are any values by now.
    #[expect(clippy::too_many_arguments, reason = "a box has that many parts")]
    fn contract(
        &mut self,
        x: &mut Executor<'_>,
        tree: usize,
        args: &[Term],
        results: &[Var],
        before: &Persist,
        loc: Loc,
        state: &mut State,
    ) {
        let Tree { region: callee, contract: Some(contract), .. } = x.certificate.trees[tree] else { return };
        let region = &x.program.regions[callee.index()];
        let mut map = FxHashMap::default();
        let mut bind = |x: &Executor<'_>, event: Event, value: Option<Term>| {
            let symbol = x.symbols.get(&Symbol { tree, instance: Tree::FIRST, event });
            map.extend(symbol.and_then(|&s| x.terms.as_var(s)).zip(value));
        };
        for (d, &t) in region.inputs.iter().zip(args) {
            bind(x, Event::Entry(d.var), Some(t));
        }
        for (i, d) in x.program.globals.iter().enumerate() {
            bind(x, Event::Entry(d.var), before.get(i));
            bind(x, Event::Exit(d.var), state.globals.get(i));
        }
        for (d, &v) in region.outputs.iter().zip(results) {
            bind(x, Event::Exit(d.var), self.get(x, state, v));
        }
        let (requires, ensures) = (x.claimed(contract.requires), x.claimed(contract.ensures));
        let (requires, ensures) = (x.terms.substitute(requires, &map), x.terms.substitute(ensures, &map));
        x.target(state.guard, requires, self.here.owner, Goal::Requires(callee, loc));
        state.guard = x.terms.and(&[state.guard, ensures]);
    }

    /// A loop with an invariant: a round from any state of which the invariant holds, after k others.
    #[expect(clippy::too_many_arguments, reason = "a box has that many parts")]
    pub(super) fn cut(
        &mut self,
        x: &mut Executor<'_>,
        site: Site,
        callee: RegionId,
        instance: Option<InstanceId>,
        (k, claim): (u32, Term),
        args: &[Term],
        results: &[Var],
        loc: Loc,
        state: &mut State,
    ) -> Result<(), TooLarge> {
        let region = &x.program.regions[callee.index()];
        let history = self.history(x, callee, instance, (k, claim), loc, &state.globals)?;
        let mut heads = Heads::default();
        let mut entered: Vec<(Var, Term)> = Vec::new();
        for (d, &t) in region.inputs.iter().zip(args) {
            let head = x.symbol(instance, Event::Entry(d.var), d.var);
            heads.inputs.push(head);
            entered.extend(x.terms.as_var(head).map(|h| (h, t)));
        }
        let mut globals = state.globals.clone();
        for (v, i) in x.changed(callee) {
            let head = x.symbol(instance, Event::Entry(v), v);
            heads.globals.push((i, head));
            entered.extend(x.terms.as_var(head).zip(state.globals.get(i)));
            globals.set(i, head);
        }
        if let Some(instance) = instance {
            // Other globals stay what they were.
            let changed: FxHashSet<usize> = heads.globals.iter().map(|g| g.0).collect();
            let others = x.program.globals.iter().enumerate().filter(|(i, _)| !changed.contains(i));
            let kept: Vec<(Event, Term)> =
                others.filter_map(|(i, d)| Some((Event::Entry(d.var), globals.get(i)?))).collect();
            x.fix(instance, &kept);
        }
        let invariant = x.claimed(claim);
        let invariant = with_facts(x, callee, invariant, &heads.inputs, &globals);
        heads.kept.extend(entered.iter().map(|&(h, _)| (h, true)));
        let map: FxHashMap<Var, Term> = entered.iter().copied().collect();
        let first = x.terms.substitute(invariant, &map);
        let goal = if k == 0 { Goal::Entered(callee, loc) } else { Goal::Kept(callee, loc) };
        x.target(state.guard, first, self.here.owner, goal);

        let left = x.symbol_of(self.here.instance, Event::Left(site), "left", Sort::BOOL);
        let at = x.found.cuts.len();
        let no = x.terms.bool(false);
        x.found.cuts.push(Cut {
            owner: self.here.owner,
            guard: state.guard,
            invariant,
            kept: Vec::new(),
            history: history.leads_to(x.terms, heads.inputs.iter().copied().chain(heads.globals.iter().map(|g| g.1))),
            first: x.found.targets.len(),
            left,
            exit: no,
            results: Vec::new(),
        });
        let here = Here {
            id: callee,
            region,
            instance,
            owner: Some(at),
            round: Some(Round::Cut(at)),
            unlisted: self.here.unlisted,
        };
        let inputs = heads.inputs.clone();
        let mut round = Walk::new(here);
        round.heads = heads;
        let exit = round.run(x, state.guard, globals, &inputs)?;
        for (i, (h, t)) in entered.into_iter().enumerate() {
            if round.heads.kept.get(&h) == Some(&true) {
                let h = x.terms.var_term(h);
                for h in history.start.get(i).copied().into_iter().chain([h]) {
                    let same = x.terms.eq(h, t);
                    x.found.cuts[at].kept.push(same);
                }
            }
        }
        self.any_results(x, site, callee, results, state);
        let mut values = Vec::new();
        if exit.returns != no {
            for (_, i) in x.changed(callee) {
                values.extend(state.globals.get(i).zip(exit.globals.get(i)));
            }
            // Where a result is a global that changes, the result counts.
            for (&v, &t) in results.iter().zip(&exit.outputs) {
                let symbol = self.get(x, state, v);
                values.retain(|&(s, _)| Some(s) != symbol);
                values.extend(symbol.map(|s| (s, t)));
            }
        }
        let cut = &mut x.found.cuts[at];
        (cut.exit, cut.results) = (exit.returns, values);
        x.terms.as_var(left).into_iter().for_each(|v| _ = x.not_left.remove(&v));
        state.guard = x.terms.and(&[state.guard, left]);
        Ok(())
    }

    /// The loop goes on with another round.
    fn again(&mut self, x: &mut Executor<'_>, args: &[Term], loc: Loc, state: &mut State) {
        let round = match self.here.round {
            Some(Round::Cut(round)) => round,
            Some(Round::Numbered) => {
                let mut own = Persist::new(args.len());
                args.iter().enumerate().for_each(|(i, &t)| own.set(i, t));
                self.nexts.push(State { own, ..state.clone() });
                state.guard = x.terms.bool(false);
                return;
            }
            None => return,
        };
        let heads = &mut self.heads;
        let mut map = FxHashMap::default();
        let next = heads.inputs.iter().copied().zip(args.iter().copied());
        let globals = heads.globals.iter().filter_map(|&(i, h)| Some((h, state.globals.get(i)?)));
        for (head, value) in next.chain(globals) {
            if let Some(v) = x.terms.as_var(head) {
                map.insert(v, value);
                if value != head {
                    heads.kept.insert(v, false);
                }
            }
        }
        let invariant = x.found.cuts[round].invariant;
        let next = x.terms.substitute(invariant, &map);
        x.target(state.guard, next, self.here.owner, Goal::Kept(self.here.id, loc));
        state.guard = x.terms.bool(false);
    }
}

/// An invariant together with what holds of all rounds of a loop.
pub(super) fn with_facts(
    x: &mut Executor<'_>,
    callee: RegionId,
    invariant: Term,
    inputs: &[Term],
    globals: &Persist,
) -> Term {
    let Some(facts) = x.facts.get(&callee) else { return invariant };
    let all = x.terms.and(&[&facts[..], &[invariant]].concat());
    let program = x.program;
    let mut map: FxHashMap<Var, Term> =
        program.globals.iter().enumerate().filter_map(|(i, d)| Some((d.var, globals.get(i)?))).collect();
    let own = program.regions[callee.index()].inputs.iter().map(|d| d.var);
    map.extend(own.zip(inputs.iter().copied()));
    x.terms.substitute(all, &map)
}

/// The blocks in an order in which each comes after those that lead to it.
pub(crate) fn topological(region: &Region) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut entered = vec![false; region.blocks.len()];
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    let open = |b: BlockId| (b, region.blocks[b.index()].next.successors().collect::<Vec<_>>());
    entered[0] = true;
    stack.push(open(BlockId(0)));
    while let Some((b, next)) = stack.last_mut() {
        match next.pop() {
            Some(n) if !std::mem::replace(&mut entered[n.index()], true) => stack.push(open(n)),
            Some(_) => {}
            None => {
                order.push(*b);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// One state for several whose conditions exclude each other; nothing for none.
pub(super) fn join(terms: &mut Terms, mut states: Vec<State>) -> Option<State> {
    let mut all = states.pop()?;
    while let Some(one) = states.pop() {
        let guard = one.guard;
        let mut pick = |a: Term, b: Term| terms.ite(guard, a, b);
        let globals = one.globals.merge(&all.globals, &mut pick);
        let own = one.own.merge(&all.own, &mut pick);
        all = State { guard: terms.or(&[guard, all.guard]), globals, own };
    }
    Some(all)
}

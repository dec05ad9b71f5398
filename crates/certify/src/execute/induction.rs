//! Loops with k-induction.
//!
//! The first k rounds are executed one by one from where the loop is entered (base). A later round is any one whose state comes from k rounds
//! before it in which nothing failed (step); at the start of each of them the invariant holds, and that it does is checked of all rounds. Boxes in those rounds are what
//! the certificate says of boxes in any round; each round has symbols of its own.

use lariat_program::{Loc, RegionId};
use lariat_term::{Persist, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Executor, Exit, TooLarge,
    walk::{Here, Round, State, Walk, join, with_facts},
};
use crate::{
    certificate::{Event, InstanceId, Site, Symbol},
    check::Goal,
};

/// The rounds that have gone before one.
#[derive(Default)]
pub(super) struct History {
    /// Any values, at the start of the first of them: inputs, then globals that the loop changes.
    pub start: Vec<Term>,
    /// What there is to know of these rounds.
    facts: Vec<Term>,
    /// The same values after the last one.
    end: Vec<Term>,
}

impl History {
    /// What there is to know of a round that starts with these values.
    pub fn leads_to(&self, terms: &mut Terms, heads: impl Iterator<Item = Term>) -> Vec<Term> {
        let mut facts = self.facts.clone();
        facts.extend(self.end.iter().zip(heads).map(|(&t, h)| terms.eq(t, h)));
        facts
    }
}

/// What symbols stood for before a part of the tree was given others.
struct Saved {
    symbols: FxHashMap<Symbol, Term>,
    named: FxHashMap<Var, Term>,
}

impl Executor<'_> {
    /// Gives an instance and all below it symbols of their own, and the instance these values at its start.
    fn rename(&mut self, instance: InstanceId, start: Vec<(Var, Term)>) -> Saved {
        let certificate = self.certificate;
        let mut below = FxHashSet::from_iter([instance]);
        for (i, one) in certificate.trees[self.tree].instances.iter().enumerate() {
            if one.boxed.is_some_and(|(parent, _)| below.contains(&parent)) {
                below.insert(InstanceId(i as u32));
            }
        }
        let saved = Saved { symbols: self.symbols.clone(), named: self.named.clone() };
        let tree = self.tree;
        let inside = |s: &Symbol| s.tree == tree && below.contains(&s.instance);
        self.symbols.retain(|s, _| !inside(s));
        for (v, value) in start {
            self.symbols.insert(Symbol { tree, instance, event: Event::Entry(v) }, value);
        }
        for &(var, symbol) in certificate.symbols.iter().filter(|(_, s)| inside(s)) {
            self.name(var, symbol);
        }
        saved
    }

    fn restore(&mut self, saved: Saved) {
        (self.symbols, self.named) = (saved.symbols, saved.named);
    }
}

/// Where a round starts.
struct Start {
    guard: Term,
    globals: Persist,
    inputs: Vec<Term>,
}

impl Walk<'_> {
    /// A loop with k-induction.
    #[expect(clippy::too_many_arguments, reason = "a box has that many parts")]
    pub(super) fn induction(
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
        let no = x.terms.bool(false);
        let mut exits = Vec::new();
        let mut start = Start { guard: state.guard, globals: state.globals.clone(), inputs: args.to_vec() };
        for round in 0..k {
            let goal = if round == 0 { Goal::Entered(callee, loc) } else { Goal::Kept(callee, loc) };
            let Some(instance) = instance else { break };
            let (exit, next, _) = self.round(x, callee, instance, claim, goal, start)?;
            if exit.returns != no {
                let mut left = State { guard: exit.returns, globals: exit.globals, ..state.clone() };
                results.iter().zip(exit.outputs).for_each(|(&v, t)| self.set(x, &mut left, v, t));
                exits.push(left);
            }
            let Some(next) = next else {
                *state = join(x.terms, exits).unwrap_or_else(|| State { guard: no, ..state.clone() });
                self.returned(x, site, callee, results, state.guard, state);
                return Ok(());
            };
            start = next;
        }
        (state.guard, state.globals) = (start.guard, start.globals);
        self.cut(x, site, callee, instance, (k, claim), &start.inputs, results, loc, state)?;
        exits.push(state.clone());
        *state = join(x.terms, exits).unwrap_or_else(|| state.clone());
        self.returned(x, site, callee, results, state.guard, state);
        Ok(())
    }

    /// The rounds before one of a loop with k-induction, from any state.
    pub(super) fn history(
        &self,
        x: &mut Executor<'_>,
        callee: RegionId,
        instance: Option<InstanceId>,
        (k, claim): (u32, Term),
        loc: Loc,
        globals: &Persist,
    ) -> Result<History, TooLarge> {
        let Some(instance) = instance.filter(|_| k > 0) else { return Ok(History::default()) };
        let any = |x: &mut Executor<'_>, v: Var| {
            let (name, sort) = (x.terms.var_name(v).to_owned(), x.terms.var_sort(v));
            x.terms.fresh_var(&name, sort)
        };
        let inputs: Vec<Term> = x.program.regions[callee.index()].inputs.iter().map(|d| any(x, d.var)).collect();
        let mut history = History { start: inputs.clone(), ..History::default() };
        let mut globals = globals.clone();
        for (v, i) in x.changed(callee) {
            let value = any(x, v);
            globals.set(i, value);
            history.start.push(value);
        }
        // What happened in these rounds was all right: that is for questions about other rounds.
        let found = std::mem::take(&mut x.found);
        let mut start = Some(Start { guard: x.terms.bool(true), globals, inputs });
        for _ in 0..k {
            let Some(from) = start else { break };
            let (_, next, invariant) = self.round(x, callee, instance, claim, Goal::Kept(callee, loc), from)?;
            history.facts.push(invariant);
            start = next;
        }
        match start {
            Some(Start { guard, globals, inputs }) => {
                history.facts.push(guard);
                history.end = inputs;
                history.end.extend(x.changed(callee).into_iter().filter_map(|(_, i)| globals.get(i)));
            }
            None => history.facts.push(x.terms.bool(false)),
        }
        let inside = std::mem::replace(&mut x.found, found).cuts;
        history.facts.extend(inside.iter().map(|cut| cut.last_round(x.terms)));
        Ok(history)
    }

    /// One round: how it leaves the loop, where it goes on, and the invariant at its start.
    fn round(
        &self,
        x: &mut Executor<'_>,
        callee: RegionId,
        instance: InstanceId,
        claim: Term,
        goal: Goal,
        start: Start,
    ) -> Result<(Exit, Option<Start>, Term), TooLarge> {
        let region = &x.program.regions[callee.index()];
        let mut heads: Vec<(Var, Term)> = region.inputs.iter().zip(&start.inputs).map(|(d, &t)| (d.var, t)).collect();
        let globals = x.program.globals.iter().enumerate();
        heads.extend(globals.filter_map(|(i, d)| Some((d.var, start.globals.get(i)?))));
        let saved = x.rename(instance, heads);
        let invariant = x.claimed(claim);
        let invariant = with_facts(x, callee, invariant, &start.inputs, &start.globals);
        // Before the round: questions about what is in it do not ask for this.
        x.target(start.guard, invariant, self.here.owner, goal);
        let here = Here {
            id: callee,
            region,
            instance: Some(instance),
            owner: self.here.owner,
            round: Some(Round::Numbered),
            unlisted: self.here.unlisted,
        };
        let mut walk = Walk::new(here);
        let exit = walk.run(x, start.guard, start.globals, &start.inputs)?;
        x.restore(saved);
        let next = join(x.terms, std::mem::take(&mut walk.nexts)).map(|state| {
            let inputs = (0..region.inputs.len()).filter_map(|i| state.own.get(i)).collect();
            Start { guard: state.guard, globals: state.globals, inputs }
        });
        Ok((exit, next, invariant))
    }
}

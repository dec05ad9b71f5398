//! Counters of a run.

use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

use lariat_smt::Answer;

/// How often questions of one kind were asked, by their answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Queries {
    /// Satisfiable ones.
    pub sat: u64,
    /// Unsatisfiable ones.
    pub unsat: u64,
    /// Undecided ones.
    pub unknown: u64,
}

impl Queries {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    /// Counts an answer.
    pub(crate) fn count(&mut self, answer: &Answer) {
        *match answer {
            Answer::Sat(_) => &mut self.sat,
            Answer::Unsat(_) => &mut self.unsat,
            Answer::Unknown(_) => &mut self.unknown,
        } += 1;
    }
}

impl AddAssign for Queries {
    fn add_assign(&mut self, more: Queries) {
        self.sat += more.sat;
        self.unsat += more.unsat;
        self.unknown += more.unknown;
    }
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// Is there an error that needs no open node?
    Under,
    /// May there be an error, whatever the open nodes do?
    Over,
    /// On the way to a minimal correction set.
    Correction,
    /// Does a region do what a model claims of it?
    Claim,
}

impl QueryKind {
    /// All kinds.
    pub const ALL: [QueryKind; 4] = [QueryKind::Under, QueryKind::Over, QueryKind::Correction, QueryKind::Claim];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            QueryKind::Under => "under",
            QueryKind::Over => "over",
            QueryKind::Correction => "correction",
            QueryKind::Claim => "claim",
        }
    }
}

/// Counters of a run.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Nodes ever made.
    pub nodes: u64,
    /// Nodes expanded: what the papers call #R, refined regions.
    pub expanded: u64,
    /// Nodes open at the end.
    pub open: u64,
    /// How often each region was expanded, by its number.
    pub regions: Vec<u64>,
    /// Of the expanded nodes, the ones that needed no query because their box is certainly reached, or because
    /// every error needs them.
    pub unasked: u64,
    /// Questions to the solver, by [`QueryKind`].
    queries: [Queries; QueryKind::ALL.len()],
    /// The sizes of the correction sets, in order.
    pub correction_sizes: Vec<u32>,
    /// Parts of summaries asserted for nodes that stayed open.
    pub specified: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// When the solver was asked for the first time.
    pub first_query: Option<Instant>,
    /// How many different terms there are, the program's own included.
    pub terms: u64,
}

impl Stats {
    /// The questions of one kind.
    pub fn queries(&self, kind: QueryKind) -> Queries {
        self.queries[kind as usize]
    }

    /// How many questions were asked.
    pub fn all_queries(&self) -> u64 {
        self.queries.iter().map(Queries::total).sum()
    }

    /// How many different regions were expanded.
    pub fn distinct_regions(&self) -> usize {
        self.regions.iter().filter(|&&n| n > 0).count()
    }

    pub(crate) fn count(&mut self, kind: QueryKind, answer: &Answer, time: Duration) {
        self.queries[kind as usize].count(answer);
        self.solver_time += time;
    }

    /// Adds the counters of another run on the same program.
    pub fn add(&mut self, more: &Stats) {
        self.nodes += more.nodes;
        self.expanded += more.expanded;
        self.open += more.open;
        self.unasked += more.unasked;
        self.queries.iter_mut().zip(more.queries).for_each(|(t, m)| *t += m);
        self.correction_sizes.extend(&more.correction_sizes);
        self.specified += more.specified;
        self.solver_time += more.solver_time;
        self.first_query = self.first_query.into_iter().chain(more.first_query).min();
        self.terms = self.terms.max(more.terms);
        self.regions.resize(self.regions.len().max(more.regions.len()), 0);
        self.regions.iter_mut().zip(&more.regions).for_each(|(t, m)| *t += m);
    }
}

//! Where the relations of clauses stand in the program, and what their variables stand for.

use lariat_certify::{Event, Site};
use lariat_program::RegionId;
use lariat_term::{Sort, Var};

use crate::{
    clauses::{Clause, Head, Point, System},
    inline::Moment,
};

/// What a variable of clauses stands for.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The recursive procedure that the value is fixed in; nothing for the entry.
    pub procedure: Option<RegionId>,
    /// The boxes that lead there.
    pub path: &'a [Site],
    /// When it is fixed.
    pub event: Event,
}

/// Where a relation stands in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position<'a> {
    /// At the head of a loop, by the boxes that lead into it.
    Loop(&'a [Site]),
    /// Where a recursive procedure is entered.
    Entered,
    /// Where it returns.
    Returns,
    /// After a box, by the boxes that lead into it.
    After(&'a [Site]),
    /// Before a statement or the end of a block, and the boxes that lead there.
    Before(&'a [Site], Site),
}

impl System {
    /// Some clauses that come from no program.
    pub fn of_clauses(relations: Vec<Vec<Sort>>, clauses: Vec<Clause>) -> System {
        System { relations, clauses, ..System::default() }
    }

    /// What a variable of the clauses stands for, if it is a value that the program fixes.
    pub fn origin(&self, v: Var) -> Option<Origin<'_>> {
        let (procedure, Moment { path, event }) = self.moments.get(&v)?;
        Some(Origin { procedure: *procedure, path, event: *event })
    }

    /// The variables that the arguments of a relation were made from; none where that is not known.
    pub fn arguments(&self, relation: usize) -> &[Var] {
        self.arguments.get(relation).map_or(&[], |vars| vars)
    }

    /// Where a relation stands, and in which recursive procedure.
    pub fn position(&self, relation: usize) -> (Option<RegionId>, Position<'_>) {
        match self.heads.iter().find(|h| h.relation == relation) {
            Some(Head { procedure, point: Point::Loop(path), .. }) => (*procedure, Position::Loop(path)),
            Some(Head { procedure, point: Point::Entered, .. }) => (*procedure, Position::Entered),
            Some(Head { procedure, point: Point::Returns, .. }) => (*procedure, Position::Returns),
            None => match (self.after.get(&relation), self.before.get(&relation)) {
                (Some((procedure, path)), _) => (*procedure, Position::After(path)),
                (None, Some((procedure, path, site))) => (*procedure, Position::Before(path, *site)),
                (None, None) => (None, Position::After(&[])),
            },
        }
    }
}

//! An answer for each assertion of an entry, from one unfolding.

use std::time::Instant;

use lariat_program::{AssertId, RegionId};

use crate::{
    run::{Answer, Lost, Run, SLICE, Show, part, share},
    search::Search,
    unsupported::Behind,
};

/// Where the answers come from.
pub(crate) struct Each<'a, 'e> {
    pub search: &'a mut Search<'e>,
    pub entry: RegionId,
    pub behind: &'a Behind,
    pub progress: Show<'a>,
}

impl Each<'_, '_> {
    /// Asks whether one of these (sorted) assertions fails.
    fn ask(&mut self, run: &mut Run<'_>, which: &[AssertId], deadline: Option<Instant>) -> Answer {
        self.search.select(which);
        run.answer(self.search, self.entry, which, deadline, self.progress)
    }
}

/// By how much slices for one assertion are shorter than those for all.
const SHORTER: u32 = 4;

/// The union, sorted.
fn both(a: &[AssertId], b: &[AssertId]) -> Vec<AssertId> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all
}

impl Run<'_> {
    /// An answer for each assertion. They are asked about together as long as that finds failures or
    /// proves the rest, and then one by one, in the same unfolding. None may keep the others waiting for long: what
    /// takes longer than its slice is asked about again, with a longer one, when these have had theirs.
    ///
    /// Unsupported constructs are asked about with each question. Once an execution is known to reach one, what may come
    /// behind it can only be shown to fail.
    ///
    /// Gives the reason if something fails, but only after something that is approximated.
    pub(crate) fn each(&mut self, mut each: Each<'_, '_>, covered: &[AssertId]) -> Result<Option<String>, Lost> {
        let mut approximated = None;
        // Those that are not known to be reached, or not to be.
        let (mut unsupported, mut left): (Vec<_>, Vec<_>) = covered.iter().partition(|&&a| self.is_unsupported(a));
        let mut reached = None;
        let mut slice = SLICE;
        while !left.is_empty() {
            while left.len() > 1 {
                let asked = both(&left, &unsupported);
                match each.ask(self, &asked, part(share(self.deadline, 2), slice)) {
                    Answer::Lost => return Err(Lost(asked)),
                    Answer::Unsafe(a) if left.contains(&a) => {
                        left.retain(|&b| b != a);
                        self.record(&[a], Answer::Unsafe(a));
                    }
                    Answer::Unsupported(why) => self.reach(&mut unsupported, &mut reached, why),
                    Answer::Safe => {
                        self.record(&unsupported, Answer::Safe);
                        for &a in &left {
                            self.record(&[a], known(Answer::Safe, !each.behind.contains(a), reached.as_ref()));
                        }
                        return Ok(None);
                    }
                    Answer::Unsafe(_) | Answer::Bounded(..) | Answer::Approximate(_) | Answer::Unknown(_) => break,
                }
            }
            let mut later = Vec::new();
            let alone = left.len() == 1;
            for i in 0..left.len() {
                let a = left[i];
                let early = !each.behind.contains(a);
                let mine = share(self.deadline, left.len() - i);
                let deadline = if alone { self.deadline } else { part(mine, slice / SHORTER) };
                let with = if early { &[][..] } else { &unsupported };
                let mut answer = each.ask(self, &both(&[a], with), deadline);
                if let Answer::Unsupported(why) = answer {
                    self.reach(&mut unsupported, &mut reached, why);
                    answer = each.ask(self, &[a], deadline);
                } else if matches!(answer, Answer::Safe) && !early {
                    self.record(&std::mem::take(&mut unsupported), Answer::Safe);
                }
                if matches!(answer, Answer::Lost) {
                    later.extend(&left[i..]);
                    return Err(Lost(both(&later, &unsupported)));
                }
                if let Answer::Approximate(why) = &answer {
                    approximated.get_or_insert(why.clone());
                }
                let over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
                if matches!(answer, Answer::Unknown(_)) && over(deadline) && !over(self.deadline) && !self.is_stopped()
                {
                    later.push(a);
                } else {
                    self.record(&[a], known(answer, early, reached.as_ref()));
                }
            }
            (left, slice) = (later, slice * 2);
        }
        if !unsupported.is_empty() {
            let answer = each.ask(self, &unsupported, self.deadline);
            if matches!(answer, Answer::Lost) {
                return Err(Lost(unsupported));
            }
            self.record(&unsupported, answer);
        }
        Ok(approximated)
    }

    /// An execution reaches one of these.
    fn reach(&mut self, unsupported: &mut Vec<AssertId>, reached: &mut Option<String>, why: String) {
        self.record(&std::mem::take(unsupported), Answer::Unsupported(why.clone()));
        *reached = Some(why);
    }
}

/// What an answer says about an assertion if an execution reaches what is unsupported, unless the assertion comes before it.
fn known(answer: Answer, early: bool, reached: Option<&String>) -> Answer {
    match (answer, reached) {
        (Answer::Safe | Answer::Bounded(..), Some(why)) if !early => Answer::Unsupported(why.clone()),
        (answer, _) => answer,
    }
}

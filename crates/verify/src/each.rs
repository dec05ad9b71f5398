//! An answer for each assertion of an entry, from one unfolding.

use lariat_program::{AssertId, RegionId};
use lariat_unfold::Engine;

use crate::{
    run::{Answer, Lost, Run, Show, share},
    unsupported::Behind,
    view::View,
};

/// Where the answers come from.
pub(crate) struct Each<'a, 'e> {
    pub view: View<'a>,
    pub engine: &'a mut Engine<'e>,
    pub entry: RegionId,
    pub behind: &'a Behind,
    pub progress: Show<'a>,
}

impl Each<'_, '_> {
    /// Asks whether one of these (sorted) assertions fails.
    fn ask(&mut self, run: &mut Run<'_>, which: &[AssertId]) -> Answer {
        self.engine.select(which);
        run.answer(self.view, self.engine, self.entry, which, self.progress)
    }
}

/// The union, sorted.
fn both(a: &[AssertId], b: &[AssertId]) -> Vec<AssertId> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all
}

impl Run<'_> {
    /// An answer for each assertion. They are asked about together as long as that finds failures or
    /// proves the rest, and then one by one, in the same unfolding. None may use up the time of all.
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
        each.engine.set_deadline(share(self.deadline, 2));
        while left.len() > 1 {
            let asked = both(&left, &unsupported);
            match each.ask(self, &asked) {
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
        for i in 0..left.len() {
            let a = left[i];
            let early = !each.behind.contains(a);
            each.engine.set_deadline(share(self.deadline, left.len() - i));
            let with = if early { &[][..] } else { &unsupported };
            let mut answer = each.ask(self, &both(&[a], with));
            if let Answer::Unsupported(why) = answer {
                self.reach(&mut unsupported, &mut reached, why);
                answer = each.ask(self, &[a]);
            } else if matches!(answer, Answer::Safe) && !early {
                self.record(&std::mem::take(&mut unsupported), Answer::Safe);
            }
            if matches!(answer, Answer::Lost) {
                return Err(Lost(both(&left[i..], &unsupported)));
            }
            if let Answer::Approximate(why) = &answer {
                approximated.get_or_insert(why.clone());
            }
            self.record(&[a], known(answer, early, reached.as_ref()));
        }
        if !unsupported.is_empty() {
            each.engine.set_deadline(self.deadline);
            let answer = each.ask(self, &unsupported);
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

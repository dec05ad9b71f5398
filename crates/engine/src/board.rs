//! What engines have proved on their way, for the others.
//!
//! Engines post facts that hold of all executions (invariants at loop heads, say) and look for those of others when they begin.
//! A fact comes with its proof: whoever builds on it makes it part of the proof that it gives, where it is checked with the rest. So nobody
//! has to believe the board.

use std::{
    any::{Any, TypeId},
    sync::{Arc, Mutex, PoisonError},
};

use rustc_hash::FxHashMap;

use crate::Reading;

/// The latest facts by their type and by the reading that they are about.
#[derive(Default)]
pub struct Board(Mutex<FxHashMap<(TypeId, Reading), Arc<dyn Any + Send + Sync>>>);

impl Board {
    /// Posts facts about a reading, in the place of earlier ones of the same type.
    pub fn post<T: Any + Send + Sync>(&self, reading: Reading, facts: T) {
        let key = (TypeId::of::<T>(), reading);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::new(facts));
    }

    /// The facts of this type about a reading, if there are any yet.
    pub fn facts<T: Any + Send + Sync>(&self, reading: Reading) -> Option<Arc<T>> {
        let key = (TypeId::of::<T>(), reading);
        let facts = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        facts.and_then(|f| f.downcast().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_facts_of_a_reading_are_there() {
        let board = Board::default();
        assert_eq!(board.facts::<u32>(Reading::Bits), None);
        board.post(Reading::Bits, 1u32);
        board.post(Reading::Bits, 2u32);
        assert_eq!(board.facts::<u32>(Reading::Bits).as_deref(), Some(&2));
        assert_eq!(board.facts::<u32>(Reading::Cells), None);
        assert_eq!(board.facts::<String>(Reading::Bits), None);
    }
}

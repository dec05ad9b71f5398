//! What engines derive from a program, made once for all of them, and what they have proved.

use std::{
    any::{Any, TypeId},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rustc_hash::FxHashMap;

use crate::{Board, Reading};

type Slot = Arc<OnceLock<Arc<dyn Any + Send + Sync>>>;

/// Values by their type and by the reading that they are of.
#[derive(Default)]
pub struct Shared {
    /// What engines have proved.
    pub board: Board,
    /// What single engines are asked to do otherwise than they would, by the type of their options.
    pub options: Board,
    derived: Mutex<FxHashMap<(TypeId, Reading), Slot>>,
}

impl Shared {
    /// The value of this type for a reading. The first that asks makes it; the others wait for that.
    pub fn get<T: Any + Send + Sync>(&self, reading: Reading, make: impl FnOnce() -> T) -> Arc<T> {
        let key = (TypeId::of::<T>(), reading);
        let slot = self.derived.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        let mut made = None;
        let found = slot.get_or_init(|| {
            let value = Arc::new(make());
            made = Some(value.clone());
            value
        });
        // The slot is that of the type.
        made.unwrap_or_else(|| found.clone().downcast().unwrap_or_else(|_| unreachable!("a slot has one type")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once() {
        let shared = Shared::default();
        assert_eq!(*shared.get(Reading::Bits, || 1), 1);
        assert_eq!(*shared.get(Reading::Bits, || 2), 1);
        assert_eq!(*shared.get(Reading::Cells, || 3), 3);
        assert_eq!(*shared.get(Reading::Bits, || "another type"), "another type");
    }
}

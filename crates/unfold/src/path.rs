//! The way that a model takes through the unfolding.

use lariat_smt::Model;
use lariat_term::{Evaluator, Term, Value};

use crate::{
    engine::{Engine, EngineError},
    instance::{NodeId, State},
};

impl Engine<'_> {
    /// The open nodes that the model's execution enters, in order. Where the model cannot be
    /// evaluated (quantifiers), all open nodes that may be entered.
    pub fn open_on_path(&self, model: &Model) -> Result<Vec<NodeId>, EngineError> {
        let values = model.get(self.terms)?;
        let mut evaluator = Evaluator::new(self.terms, values);
        let mut holds = |t: Term| match evaluator.eval(t) {
            Ok(Value::Bool(b)) => b,
            _ => true,
        };
        let mut found = Vec::new();
        let mut stack = vec![self.root()];
        while let Some(n) = stack.pop() {
            let node = self.node(n);
            match node.state {
                State::Open => found.push(n),
                State::Expanded => {
                    let entered = node.children.iter().filter(|c| holds(self.node(**c).guard));
                    stack.extend(entered);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}

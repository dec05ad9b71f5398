//! Running a whole script, for commands that the [`Solver`](crate::Solver) trait has no word for.

use std::time::{Duration, Instant};

use super::child::{Child, Trouble};
use crate::{Command, Interrupter, SolverError};

impl Command {
    /// Starts the program, gives it a script and returns its answers; `None` if the time is over or the run is interrupted.
    pub fn run(
        &self,
        script: &str,
        time: Option<Duration>,
        interrupter: &Interrupter,
    ) -> Result<Option<Vec<String>>, SolverError> {
        let mut child = Child::start(&self.program, &self.args)?;
        let solver = self.program.clone();
        match child.ask(script, time.map(|t| Instant::now() + t), interrupter) {
            Ok(answers) => Ok(Some(answers)),
            Err(Trouble::Timeout | Trouble::Interrupted) => Ok(None),
            Err(Trouble::Died(message)) => Err(SolverError::Died { solver, message }),
            Err(Trouble::Nonsense(message)) => Err(SolverError::Nonsense { solver, message }),
        }
    }
}

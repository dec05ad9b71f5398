//! The exit codes, decided in this one place.

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The command did what was asked; for an execution: it ended without failing.
    Success,
    /// The command line is wrong.
    Usage,
    /// The input is wrong; a diagnostic says where.
    Input,
    /// Lariat itself failed.
    Internal,
    /// An assertion failed.
    Unsafe,
    /// No assertion fails within the bound.
    Bounded,
    /// No answer: a limit was reached or something is not supported.
    Unknown,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Usage => 1,
            Exit::Input => 2,
            Exit::Internal => 3,
            Exit::Unsafe => 10,
            Exit::Bounded => 11,
            Exit::Unknown => 12,
        }
    }
}

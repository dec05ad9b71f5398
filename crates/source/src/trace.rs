//! The source trace: an execution in terms of the source, as data.

use crate::loc::Loc;

/// How steps are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As in C: `x = 1`, calls with their arguments.
    C,
    /// As in Boogie: `x := 1`, procedures and loops by their names.
    #[default]
    Boogie,
}

/// An execution in terms of the source.
#[derive(Clone, Debug, Default)]
pub struct SourceTrace {
    /// How its steps are written.
    pub notation: Notation,
    /// How many events before the first step are missing.
    pub dropped: u64,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// The inputs, in order.
    pub inputs: Vec<Input>,
    /// Objects without a name in the source, by the names that values use, and where they were made.
    pub objects: Vec<Named>,
    /// If the run ends in a library function: where the program called it.
    pub called_at: Option<Loc>,
    /// The library function that the run ends in, and the program has called there.
    pub called: Option<String>,
    /// If the run fails and its end says more than the failed assertion: what has gone wrong.
    pub failure: Option<Failure>,
}

/// What has gone wrong, from the state at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// The kind of failure, in words with hyphens: `heap-buffer-overflow`.
    pub class: &'static str,
    /// A sentence without a full stop.
    pub text: String,
    /// Other places that matter, such as the one where memory was freed, with a word about each.
    pub related: Vec<Named>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where.
    pub loc: Loc,
    /// How deep in calls and loops.
    pub depth: usize,
    /// The function that is running.
    pub function: String,
    /// What.
    pub kind: StepKind,
}

/// The kinds of step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// An allocated block is freed.
    Free {
        /// The block.
        block: String,
    },
    /// A function is called.
    Call {
        /// Its name.
        function: String,
        /// Its parameters and their values.
        arguments: Vec<(String, String)>,
    },
    /// The function that is running returns.
    Return {
        /// What, if it is one value.
        value: Option<String>,
    },
    /// A loop is entered (round 1), or goes on.
    Round {
        /// The name of the loop, if it has one.
        name: String,
        /// Which round it is.
        number: u32,
        /// How many rounds after the last one that is shown.
        further: u32,
    },
    /// A statement is executed: its kind in one word.
    Statement(&'static str),
    /// One of several ways is taken, to this label.
    Goto(String),
    /// Something gets a value.
    Set {
        /// A variable, a member or an element.
        place: String,
        /// The value.
        value: String,
    },
    /// A variable that was never set is read; the place is that of its declaration.
    Unset {
        /// The variable or member.
        place: String,
        /// The value that it has.
        value: String,
    },
    /// One statement changes more than is shown.
    More(usize),
    /// An input, by its position in [`SourceTrace::inputs`].
    Input(usize),
}

/// An input: a value that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// How the program asks for it: a call or a parameter.
    pub what: String,
    /// The value.
    pub value: String,
    /// Where it asks.
    pub loc: Loc,
    /// The function that asks.
    pub function: String,
    /// The value as a machine has it.
    pub raw: Raw,
}

/// A value as a machine has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Raw {
    /// An integer.
    Integer {
        /// How many bits it has.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
        /// The number, in decimal.
        value: String,
    },
    /// A binary floating-point number by its bit pattern.
    Float {
        /// How many bits it has.
        bits: u32,
        /// The pattern, in decimal.
        pattern: String,
    },
    /// Anything else.
    Other,
}

/// An object with a made-up name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Where it was made.
    pub loc: Loc,
}

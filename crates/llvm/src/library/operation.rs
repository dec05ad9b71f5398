//! The operations that the translation does itself, as terms.

/// What a call does that the translation knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Returns a new object; its size is the product of these arguments.
    Allocate(&'static [usize], Block),
    /// Returns a new object with what the first argument points to, which is freed; its size is the product of these
    /// arguments.
    Reallocate(&'static [usize]),
    /// Frees what the first argument points to.
    Free,
    /// Ends the life of the stream that the first argument points to.
    Close,
    /// Copies from the second argument to the first, as many bytes as the third says; returns the first. The two may
    /// overlap, or not.
    Copy {
        /// They may.
        overlap: bool,
    },
    /// Writes the second argument to the first, as many bytes as the third says; returns the first.
    Fill,
    /// Returns the argument of this number.
    Argument(usize),
    /// A model has gone so far in the argument of the number that is its first argument: the second says how many bytes.
    Extent(Reach),
    /// Checks that two blocks (address and size, twice) do not overlap.
    Apart,
    /// Checks that as many bytes can be read at the first argument as the second says.
    Readable,
    /// Returns how many bytes there are from the first argument to the end of its object; 0 if sizes are not known.
    Room,
    /// Returns how many bytes there are from the first argument to where a string of unknown text ended when a model made it,
    /// the terminator included; 0 if nothing is known. (A guess: the program may have changed the string since.)
    Terminator,
    /// A string has its terminator as many bytes behind the first argument as the second says.
    Terminated {
        /// Its text comes from outside of the program.
        unknown: bool,
    },
    /// Returns the byte that the first argument points to, which is known to be there.
    Peek,
    /// Gives the memory at the first argument any values, as many bytes as the second says.
    Havoc,
    /// Gives the whole object that the first argument points to any values.
    HavocObject,
    /// Ends the program, whose memory is looked at then.
    Exit {
        /// After what was registered for that.
        handlers: bool,
    },
    /// Ends the execution.
    Abort,
    /// Is called where an assertion has failed.
    AssertionFails,
    /// A function on floats.
    Float(FloatFunction),
    /// Returns the rounding mode.
    GetRounding,
    /// Sets the rounding mode.
    SetRounding,
    /// Calls the destructors.
    Destructors,
    /// A step of `setjmp` or `longjmp`.
    Jump(JumpStep),
    /// What follows covers more than there is, for the reason that its argument gives: errors behind it are not reported.
    Approximate,
    /// Makes the verdict unknown, for the reason that its argument gives.
    Unsupported,
}

/// What a function reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// A string: it ends in its own array.
    String,
    /// A block, which may be an array of arrays.
    Block,
}

/// A new object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// Allocated, with no value yet.
    Heap,
    /// Allocated, and zero.
    Zeroed,
    /// On the stack.
    Stack,
    /// Memory of the C library or of the system: of any value, and nobody's leak.
    Outside,
}

/// The steps of jumps from one function to another (see `crate::jumps`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JumpStep {
    /// An activation begins that may be jumped to: returns the first of as many new numbers of places as its argument says.
    Begin,
    /// The place of this number can be jumped to, and is the next that [`JumpStep::Here`] gives.
    Set,
    /// The place of this number can not be jumped to any more.
    End,
    /// No place can be jumped to any more.
    EndAll,
    /// Returns the number of the place that is being set.
    Here,
    /// A jump to the place of this number begins, with this value.
    To,
    /// Returns where the jump that is under way goes, or 0.
    Target,
    /// The jump has arrived: returns its value.
    Arrive,
}

impl JumpStep {
    /// The function that stands for it.
    pub const fn name(self) -> &'static str {
        match self {
            JumpStep::Begin => "__lariat_jump_begin",
            JumpStep::Set => "__lariat_jump_set",
            JumpStep::End => "__lariat_jump_end",
            JumpStep::EndAll => "__lariat_jump_end_all",
            JumpStep::Here => "__lariat_jump_here",
            JumpStep::To => "__lariat_jump_to",
            JumpStep::Target => "__lariat_jump_target",
            JumpStep::Arrive => "__lariat_jump_arrive",
        }
    }
}

/// What a function expects as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// An address.
    Pointer,
    /// An integer.
    Number,
}

impl Operation {
    /// What an operation on memory expects, whatever the program declares.
    pub fn parameters(self) -> Vec<Parameter> {
        use Parameter::{Number, Pointer};
        let numbers = |arguments: &[usize]| arguments.iter().max().map_or(0, |last| last + 1);
        match self {
            Operation::Allocate(sizes, _) => vec![Number; numbers(sizes)],
            Operation::Reallocate(sizes) => {
                let mut all = vec![Number; numbers(sizes)];
                all[0] = Pointer;
                all
            }
            Operation::Free
            | Operation::Close
            | Operation::HavocObject
            | Operation::Room
            | Operation::Terminator
            | Operation::Peek => vec![Pointer],
            Operation::Havoc | Operation::Readable | Operation::Terminated { .. } => vec![Pointer, Number],
            Operation::Extent(_) => vec![Number, Number],
            Operation::Apart => vec![Pointer, Number, Pointer, Number],
            Operation::Copy { .. } => vec![Pointer, Pointer, Number],
            Operation::Fill => vec![Pointer, Number, Number],
            Operation::Jump(JumpStep::Begin | JumpStep::Set | JumpStep::End) => vec![Number],
            Operation::Jump(JumpStep::To) => vec![Number, Number],
            _ => Vec::new(),
        }
    }

    /// Whether it reads or writes blocks of memory that it is given.
    pub fn is_block(self) -> bool {
        matches!(self, Operation::Copy { .. } | Operation::Fill)
    }

    /// Whether it ends the life of an allocated block.
    pub fn frees(self) -> bool {
        matches!(self, Operation::Free | Operation::Reallocate(_))
    }

    /// What an intrinsic of LLVM does with memory and pointers (by its name without `llvm.`), as far as the analysis
    /// of memory has to know it.
    pub fn of_intrinsic(name: &str) -> Option<Operation> {
        const INTRINSICS: [(&str, Operation); 8] = [
            ("memcpy.", Operation::Copy { overlap: false }),
            ("memmove.", Operation::Copy { overlap: true }),
            ("memset.", Operation::Fill),
            ("expect.", Operation::Argument(0)),
            ("ptr.annotation.", Operation::Argument(0)),
            ("launder.", Operation::Argument(0)),
            ("strip.", Operation::Argument(0)),
            ("ssa.copy.", Operation::Argument(0)),
        ];
        INTRINSICS.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, operation)| operation)
    }
}

/// A function on floats whose result is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FloatFunction {
    Abs,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    Rint,
    Sqrt,
    Min,
    Max,
    CopySign,
    MulAdd,
    /// Rounds once.
    FusedMulAdd,
    IsNan,
    IsInf,
    IsFinite,
    IsNormal,
    SignBit,
    Classify,
}

impl FloatFunction {
    /// The function of an intrinsic, by the first word of its name.
    pub fn of_intrinsic(name: &str) -> Option<FloatFunction> {
        use FloatFunction::*;
        Some(match name {
            "fabs" => Abs,
            "floor" => Floor,
            "ceil" => Ceil,
            "trunc" => Trunc,
            "round" => Round,
            "roundeven" => RoundEven,
            "rint" | "nearbyint" => Rint,
            "sqrt" => Sqrt,
            "minnum" => Min,
            "maxnum" => Max,
            "copysign" => CopySign,
            "fma" => FusedMulAdd,
            "fmuladd" => MulAdd,
            _ => return None,
        })
    }

    /// The function that a reduction of a vector applies, by the last word of its name.
    pub fn of_reduction(name: &str) -> Option<FloatFunction> {
        match name {
            "fmax" => Some(FloatFunction::Max),
            "fmin" => Some(FloatFunction::Min),
            _ => None,
        }
    }

    /// Whether it sees the sign of a NaN.
    pub fn sees_sign(self) -> bool {
        matches!(self, FloatFunction::CopySign | FloatFunction::SignBit)
    }
}

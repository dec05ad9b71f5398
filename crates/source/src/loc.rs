//! Positions in source files.

/// A source file of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

impl FileId {
    /// The position in the list of files.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position in a source file; line and column count from one, line 0 means "nowhere".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// The line, or 0.
    pub line: u32,
    /// The column, or 0.
    pub column: u32,
}

impl Loc {
    /// No position: what it is of has no counterpart in the source.
    pub const NONE: Loc = Loc { file: FileId(0), line: 0, column: 0 };
}

//! Source files, positions in them, diagnostics about them, and source traces.
//!
//! No front end owns these: each of them makes them, and the command line shows them. Nothing here reads files or
//! prints.
//!
//! - [`SourceMap`]: the text of the files of a program; a [`Span`] is a range of it, a [`Loc`] a line and a column.
//! - [`Diagnostics`]: errors and warnings, each with its place.
//! - [`SourceTrace`]: an execution in terms of the source.

mod diagnostics;
mod files;
mod loc;
mod trace;

pub use diagnostics::{Diagnostic, DiagnosticKind, Diagnostics, Severity, counted};
pub use files::{Location, SourceFile, SourceMap, SourceTooLarge, Span};
pub use loc::{FileId, Loc};
pub use trace::{Failure, Input, Named, Notation, Raw, SourceTrace, Step, StepKind};

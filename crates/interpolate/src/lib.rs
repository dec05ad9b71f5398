//! Craig interpolants.

//! The engine alone, on Boogie programs.

mod common;
mod figures;
mod verdicts;

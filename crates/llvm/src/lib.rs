//! The C front end: clang compiles to LLVM IR, and that becomes a program of regions.
//!
//! Four stages, which [`compile`](mod@compile) runs in this order: [`driver`] (finds clang, compiles, links),
//! [`read`] (LLVM's own reader; copies what we need into the plain data of [`module`]; `jumps` makes `longjmp` plain
//! control flow there), [`memory`]
//! (points-to analysis: which objects a pointer may point to, and how their memory is laid out in maps; then [`floats`] knows whether bit
//! patterns of floats are seen) and [`translate`] (instructions as statements and terms). [`trace`] shows runs of the result in terms of the source.
//! [`module`] is the data between the stages, [`library`] the table of library functions.

mod acsl;
mod assembly;
pub mod assumptions;
pub mod compile;
mod counted;
pub mod driver;
pub mod floats;
mod jumps;
pub mod library;
pub mod memory;
pub mod module;
mod quantifiers;
pub mod read;
mod show;
pub mod trace;
pub mod translate;

//! Boogie programs for the tests.

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::{LowerOptions, Mode, entry_of},
};
use lariat_program::{Program, RegionId};
use lariat_term::Terms;

/// A program with a procedure `main`, its terms, and that procedure.
pub fn program(source: &str) -> (Program, Terms, RegionId) {
    let options = compile::Options { lower: LowerOptions { mode: Mode::Reach }, ..Default::default() };
    let compiled = compile([Source::new("a.bpl", source)], &options);
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let program = compiled.program.unwrap_or_else(|| panic!("{shown}"));
    let entry = entry_of(&program, "main").expect("a procedure main");
    (program, compiled.terms, entry)
}

//! Boogie programs for the tests.

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::{LowerOptions, Mode, entry_of},
};
use lariat_program::{Program, RegionId, extract_loops};
use lariat_term::Terms;

/// A program with a procedure `main`, its terms, and that procedure.
pub fn program(source: &str) -> (Program, Terms, RegionId) {
    let options =
        compile::Options { lower: LowerOptions { mode: Mode::Reach, ..Default::default() }, ..Default::default() };
    let compiled = compile([Source::new("a.bpl", source)], &options);
    let shown = compiled.diagnostics.display(&compiled.sources).to_string();
    let (mut program, mut terms) = (compiled.program.unwrap_or_else(|| panic!("{shown}")), compiled.terms);
    extract_loops(&mut program, &mut terms);
    let entry = entry_of(&program, "main").expect("a procedure main");
    (program, terms, entry)
}

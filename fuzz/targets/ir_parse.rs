//! The textual form: no input makes the parser panic; what it accepts prints to a text that is read back to the
//! same text, and what the verifier accepts goes through loop extraction and runs.
#![no_main]

use lariat_program::{
    RegionId, Stage, extract_loops,
    interp::{Interpreter, Options, Random},
    text, verify,
};
use lariat_term::Terms;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else { return };
    let mut terms = Terms::new();
    let Ok(mut program) = text::parse(source, &mut terms) else { return };
    if verify(&program, &terms, Stage::Graph).is_err() {
        return;
    }
    let printed = text::print(&program, &terms);
    let mut fresh = Terms::new();
    match text::parse(&printed, &mut fresh) {
        Ok(again) => assert_eq!(printed, text::print(&again, &fresh)),
        Err(e) => panic!("{}\n{printed}", e[0]),
    }
    if extract_loops(&mut program, &mut terms).is_err() {
        return;
    }
    if let Err(v) = verify(&program, &terms, Stage::Regions) {
        panic!("{}\n{printed}", v[0]);
    }
    let options = Options { steps: 1000, instances: 100, ..Options::default() };
    if let Ok(interpreter) = Interpreter::new(&program, &terms, options) {
        interpreter.run(RegionId(0), &mut Random::new(1));
    }
});

//! What the tests of lowering share. Each of them uses some of it.
#![allow(dead_code)]

use lariat_boogie::analyze::Source;
use lariat_boogie::compile::{Compiled, Options, compile};
use lariat_boogie::lower::Mode;
use lariat_program::{extract_loops, text};

/// Compiles one text; its loops become regions, or are cut.
pub fn compile_text(text: &str, mode: Mode) -> Compiled {
    let mut options = Options::default();
    options.lower.mode = mode;
    let mut compiled = compile([Source::new("a.bpl", text)], &options);
    if let (Some(program), Mode::Reach) = (&mut compiled.program, mode) {
        extract_loops(program, &mut compiled.terms);
    }
    compiled
}

/// The textual form of a compiled program without source positions.
pub fn ir(compiled: &Compiled) -> String {
    let Some(program) = &compiled.program else {
        return compiled.diagnostics.display(&compiled.sources).to_string();
    };
    without_places(&text::print(program, &compiled.terms))
}

/// Takes ` @file:line:column` out of a textual program.
pub fn without_places(ir: &str) -> String {
    let mut out = String::with_capacity(ir.len());
    let mut rest = ir;
    while let Some(at) = rest.find(" @") {
        let tail = &rest[at + 2..];
        let len = tail.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(tail.len());
        let is_place = tail[..len].bytes().filter(|&b| b == b':').count() == 2;
        out.push_str(&rest[..at]);
        if !is_place {
            out.push_str(&rest[at..at + 2 + len]);
        }
        rest = &tail[len..];
    }
    out + rest
}

//! Any text: the Boogie lexer and parser return, diagnostics have places in the text, and a program
//! without errors is printed as a text that parses to the same program.
#![no_main]

use lariat_boogie::diag::Diagnostics;
use lariat_boogie::span::SourceMap;
use lariat_boogie::syntax::{Ast, parse, print};

fn read(text: &str) -> (Ast, Diagnostics) {
    let mut map = SourceMap::new();
    let file = map.add("fuzz.bpl", text).expect("the input is small");
    let (mut ast, mut diags) = (Ast::new(), Diagnostics::new());
    parse(&mut ast, &map, file, &mut diags);
    for diagnostic in &diags {
        assert!(diagnostic.span.start <= diagnostic.span.end);
        assert!(diagnostic.span.end as usize <= text.len());
        let _ = diagnostic.display(&map).to_string();
    }
    (ast, diags)
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (ast, diags) = read(&text);
    if diags.is_empty() {
        let printed = print(&ast);
        let (again, diags) = read(&printed);
        assert!(diags.is_empty(), "{printed}");
        assert_eq!(print(&again), printed);
    }
});

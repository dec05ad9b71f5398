//! Lowering against the programs of `../shared/corpus`: every program that is accepted lowers, the
//! IR verifier accepts the result (debug builds check it on the way), and the pretty-printed program
//! lowers to the same IR. Prints the figures:
//!
//! ```text
//! cargo test --release -p lariat-boogie --test lower_corpus -- --nocapture
//! ```
//!
//! Where the corpus is absent there is nothing to do, and the test says so.

mod common;
#[path = "../../../tests/needs.rs"]
mod needs;

use std::fs;
use std::path::{Path, PathBuf};

use lariat_boogie::analyze::{Source, analyze};
use lariat_boogie::compile::{Options, compile_analysis};
use lariat_boogie::lower::Mode;
use lariat_boogie::syntax;
use lariat_program::{Stage, extract_loops, text, verify};
use lariat_term::Terms;

fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = [root.join("../shared/corpus"), root.join("../../shared/corpus")];
    places.into_iter().find(|place| place.join("boogie/manifest.tsv").is_file())
}

/// Who has the folder where the corpus belongs is to have the corpus.
fn no_corpus() {
    match Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").exists() {
        true => needs::skipped("there is no ../shared/corpus"),
        false => eprintln!("skipped: there is no ../shared"),
    }
}

/// The programs, each as one file.
fn programs(corpus: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(corpus.join("boogie/manifest.tsv")).unwrap();
    text.lines().skip(1).filter_map(|line| Some(corpus.join("boogie").join(line.split('\t').next()?))).collect()
}

#[test]
fn accepted_programs_lower_and_survive_printing() {
    let Some(corpus) = corpus() else {
        no_corpus();
        return;
    };
    let (mut accepted, mut warned, mut bytes) = (0, 0, 0);
    let mut unsupported = Vec::new();
    let mut wrong = Vec::new();
    for path in programs(&corpus) {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        let analysis = analyze([Source::new("a.bpl", source.as_str())], &Options::default().analyze);
        if !analysis.is_ok() {
            continue;
        }
        accepted += 1;
        bytes += source.len();
        let printed = syntax::print(&analysis.ast);
        let again = analyze([Source::new("a.bpl", printed)], &Options::default().analyze);
        for mode in [Mode::Reach, Mode::Modular] {
            let mut options = Options::default();
            options.lower.mode = mode;
            let mut terms = Terms::new();
            let (program, diagnostics) = compile_analysis(&analysis, &mut terms, &options.lower);
            let Some(mut program) = program else {
                unsupported.push(diagnostics.display(&analysis.sources).to_string());
                continue;
            };
            warned += usize::from(diagnostics.len() > analysis.diagnostics.len());
            extract_loops(&mut program, &mut terms);
            if let Err(violations) = verify(&program, &terms, Stage::Regions) {
                wrong.push(format!("{}: {}", path.display(), violations[0]));
                continue;
            }
            let mut other_terms = Terms::new();
            let (other, _) = compile_analysis(&again, &mut other_terms, &options.lower);
            let ir = common::without_places(&text::print(&program, &terms));
            let other = other.map(|mut other| {
                extract_loops(&mut other, &mut other_terms);
                other
            });
            let other = other.map(|other| common::without_places(&text::print(&other, &other_terms)));
            if other.as_deref() != Some(&ir) {
                wrong.push(format!("{}: {mode:?}: printed and read again it is another program", path.display()));
            }
        }
    }
    println!("{accepted} programs ({bytes} bytes) accepted by the checker");
    println!("{} lowerings refused, {warned} with warnings", unsupported.len());
    for text in &unsupported {
        print!("{text}");
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(accepted > 1000 && unsupported.len() * 100 <= accepted, "too few programs are lowered");
}

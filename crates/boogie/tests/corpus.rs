//! The front end against the programs of `../shared/corpus`, whose verdicts by the Boogie tool are
//! known. Prints the figures:
//!
//! ```text
//! cargo test --release -p lariat-boogie --test corpus -- --nocapture
//! ```
//!
//! Where the corpus is absent there is nothing to do, and the test says so.

#[path = "../../../tests/needs.rs"]
mod needs;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lariat_boogie::analyze::{Analysis, Library, Options, Source, analyze};
use lariat_boogie::check::ModifiesMode;
use lariat_source::Severity;

struct Row {
    path: String,
    kind: String,
    options: String,
    features: String,
}

/// The corpus, if it is there.
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

fn rows(corpus: &Path) -> Vec<Row> {
    let text = fs::read_to_string(corpus.join("boogie/manifest.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let column: Vec<&str> = line.split('\t').collect();
        Row {
            path: column[0].to_owned(),
            kind: column[4].to_owned(),
            options: column[7].to_owned(),
            features: column[9].to_owned(),
        }
    });
    rows.collect()
}

fn run(corpus: &Path, row: &Row) -> Analysis {
    let path = corpus.join("boogie").join(&row.path);
    let mut files = vec![path.clone()];
    // Further files that the recorded command names, beside the first.
    let command = row.options.split('|').next().unwrap_or_default();
    for word in command.split(['"', ' ']) {
        let other = word.strip_prefix("/concat:").unwrap_or(word);
        let other = path.with_file_name(other);
        if word.ends_with(".bpl") && other.is_file() && !files.contains(&other) {
            files.push(other);
        }
    }
    let sources = files.iter().map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Source::new(name, fs::read_to_string(file).unwrap())
    });
    let mut options = Options::default();
    for word in command.split(['"', ' ']) {
        if let Some((_, name)) = word.split_once("lib:") {
            options.libraries.extend(Library::find(name));
        }
    }
    if row.options.contains("inferModifies") {
        options.check.modifies = ModifiesMode::Infer;
    }
    analyze(sources, &options)
}

/// The lines of the errors in the row's own file.
fn lines(analysis: &Analysis, row: &Row) -> BTreeSet<u32> {
    let own = row.path.rsplit('/').next().unwrap_or_default();
    let mut lines = BTreeSet::new();
    for diagnostic in &analysis.diagnostics {
        let Some(at) = analysis.sources.locate(diagnostic.span.start) else {
            continue;
        };
        if diagnostic.severity == Severity::Error && at.file.name() == own {
            lines.insert(at.line);
        }
    }
    lines
}

/// What is kept of an analysis.
struct Analyzed {
    ok: bool,
    lines: BTreeSet<u32>,
    /// The first diagnostics as text.
    first: String,
}

/// Analyzes all rows on as many threads as there are cores.
fn run_all(corpus: &Path) -> Vec<(Row, Analyzed)> {
    let rows = rows(corpus);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let one = |row: &Row| {
        let analysis = run(corpus, row);
        let all = analysis.diagnostics.display(&analysis.sources).to_string();
        let first: Vec<String> = all.lines().take(3).map(|line| format!("  {line}")).collect();
        Analyzed { ok: analysis.is_ok(), lines: lines(&analysis, row), first: first.join("\n") }
    };
    let outcomes: Vec<Analyzed> = std::thread::scope(|scope| {
        let chunks = rows.chunks(rows.len().div_ceil(threads).max(1));
        let work = chunks.map(|chunk| scope.spawn(move || chunk.iter().map(one).collect::<Vec<_>>()));
        let work: Vec<_> = work.collect();
        work.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    rows.into_iter().zip(outcomes).collect()
}

/// The lines that the Boogie tool names, by path.
fn recorded() -> Vec<(String, BTreeSet<u32>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path.join("../../benches/boogie/frontend-errors.tsv")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let rows = rows.map(|line| {
        let column: Vec<&str> = line.split('\t').collect();
        let lines = match column[3] {
            "-" => column[2],
            physical => physical,
        };
        let lines = lines.split(',').filter_map(|line| line.parse().ok());
        (column[0].to_owned(), lines.collect())
    });
    rows.collect()
}

#[test]
fn programs_are_accepted_and_rejected_as_by_boogie() {
    let Some(corpus) = corpus() else {
        no_corpus();
        return;
    };
    let recorded = recorded();
    let (mut valid, mut accepted) = (0, 0);
    let (mut wrong, mut rejected, mut exact) = (0, 0, 0);
    for (row, Analyzed { ok, lines, first }) in run_all(&corpus) {
        if row.kind != "frontend-error" {
            let concurrent = row.features.split(',').any(|feature| feature == "async");
            if concurrent {
                continue;
            }
            valid += 1;
            accepted += usize::from(ok);
            if !ok {
                println!("not accepted: {}\n{first}", row.path);
            }
            continue;
        }
        wrong += 1;
        let expected = recorded.iter().find(|(path, _)| *path == row.path);
        let expected = expected.map(|(_, lines)| lines.clone()).unwrap_or_default();
        // Where the tool names no line, any error will do.
        let right = match expected.is_empty() {
            true => !ok,
            false => lines.intersection(&expected).next().is_some(),
        };
        rejected += usize::from(right);
        if lines == expected || expected.is_empty() && right {
            exact += 1;
        } else {
            let missing: Vec<_> = expected.difference(&lines).collect();
            let extra: Vec<_> = lines.difference(&expected).collect();
            let verdict = if right { "rejected" } else { "NOT REJECTED" };
            println!("{verdict}: {}: missing {missing:?}, extra {extra:?}", row.path);
        }
    }
    println!("accepted {accepted} of {valid} correct programs");
    println!("rejected {rejected} of {wrong} wrong programs at a recorded line, {exact} at exactly the recorded lines");
    assert!(accepted * 100 >= valid * 98);
    assert!(rejected * 100 >= wrong * 95);
}

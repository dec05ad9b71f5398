//! Speed and memory of the front end: from the text to a program whose regions are acyclic.
//!
//! ```text
//! cargo bench -p lariat-boogie --bench frontend
//! cargo bench -p lariat-boogie --bench frontend -- Seq auction   # only what has such a name
//! ```
//!
//! Measures the largest programs of `../shared/corpus` (where it is absent there is nothing to do, and
//! the benchmark says so) and a few generated ones. Per program: the best time of each stage (parse;
//! resolve and check; lower and extract loops), what that makes in MB/s of source text, and the most
//! heap memory in use at any time of [`compile`], counted with the text and the result, as a multiple of
//! the text's size.

// A global allocator can only be implemented with `unsafe`.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{env, fs};

use lariat_boogie::analyze::{Analysis, Library, Source};
use lariat_boogie::check::{ModifiesMode, check};
use lariat_boogie::compile::{Options, compile, compile_analysis};
use lariat_boogie::syntax::{self, Ast};
use lariat_source::{Diagnostics, SourceMap};
use lariat_term::Terms;

/// The system's allocator, which also counts.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    let now = IN_USE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(now, Relaxed);
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the rules of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the rules of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new exist at the same time if the block has to move; assume that it has not, as
        // large blocks are remapped.
        if size > layout.size() {
            grown(size - layout.size());
        } else {
            IN_USE.fetch_sub(layout.size() - size, Relaxed);
        }
        // SAFETY: the caller keeps the rules of `realloc`.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A program to measure.
struct Case {
    name: String,
    /// Names and texts.
    files: Vec<(String, String)>,
    options: Options,
}

impl Case {
    fn generated(name: &str, text: String) -> Case {
        let name = format!("(generated) {name}");
        Case { files: vec![(name.clone(), text)], name, options: Options::default() }
    }

    fn bytes(&self) -> usize {
        let libraries = self.options.analyze.libraries.iter().map(|library| library.text().len());
        self.files.iter().map(|(_, text)| text.len()).chain(libraries).sum()
    }
}

/// How many programs of the corpus are measured.
const LARGEST: usize = 12;

/// The largest programs of the corpus, with what their recorded commands ask for; `None` without it.
fn corpus() -> Option<Vec<Case>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut places = [root.join("../shared/corpus"), root.join("../../shared/corpus")].into_iter();
    let boogie = places.find(|place| place.join("boogie/manifest.tsv").is_file())?.join("boogie");
    let manifest = fs::read_to_string(boogie.join("manifest.tsv")).ok()?;
    let rows = manifest.lines().skip(1).filter_map(|line| {
        let column: Vec<&str> = line.split('\t').collect();
        let path = boogie.join(column.first()?);
        Some((fs::metadata(&path).ok()?.len(), path, column.get(7).copied()?))
    });
    let mut rows: Vec<(u64, PathBuf, &str)> = rows.collect();
    rows.sort_by(|a, b| (b.0, &a.1).cmp(&(a.0, &b.1)));
    rows.dedup_by(|a, b| a.1 == b.1);
    Some(rows.into_iter().take(LARGEST).map(|(_, path, options)| case(&boogie, path, options)).collect())
}

fn case(boogie: &Path, path: PathBuf, recorded: &str) -> Case {
    let name = path.strip_prefix(boogie).unwrap_or(&path).display().to_string();
    let mut options = Options::default();
    let mut paths = vec![path.clone()];
    let command = recorded.split('|').next().unwrap_or_default();
    for word in command.split(['"', ' ']) {
        let other = path.with_file_name(word.strip_prefix("/concat:").unwrap_or(word));
        if word.ends_with(".bpl") && other.is_file() && !paths.contains(&other) {
            paths.push(other);
        }
        if let Some((_, name)) = word.split_once("lib:") {
            options.analyze.libraries.extend(Library::find(name));
        }
    }
    if recorded.contains("inferModifies") {
        options.analyze.check.modifies = ModifiesMode::Infer;
    }
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    Case { files: paths.iter().map(|path| (path.display().to_string(), text(path))).collect(), name, options }
}

/// How large generated programs are.
const GENERATED: usize = 2_000_000;

/// One procedure with many statements.
fn long_procedure() -> String {
    let mut out =
        String::from("var g: int;\nvar m: [int]int;\nprocedure P(n: int) modifies g, m;\n{\n  var x, y: int;\n");
    let mut at = 0;
    while out.len() < GENERATED {
        let _ = writeln!(out, "  x := x + {at} * y;");
        let _ = writeln!(out, "  m[x] := m[y] + g;");
        let _ = writeln!(out, "  if (x < m[{at}]) {{ g := g + 1; }} else {{ assume y != {at}; havoc y; }}");
        if at % 16 == 0 {
            let _ = writeln!(out, "  while (y < n) invariant y <= n + {at}; {{ y := y + 1; }}");
        }
        let _ = writeln!(out, "  assert x + y >= {at} || g > 0;");
        at += 1;
    }
    out.push_str("}\n");
    out
}

/// Many procedures with contracts that call one another.
fn many_procedures() -> String {
    let mut out = String::from(
        "type Ref;\nvar heap: [Ref]int;\nfunction f(x: int): int;\naxiom (forall x: int :: {f(x)} f(x) > x);\n",
    );
    let mut at = 0;
    while out.len() < GENERATED {
        let _ = writeln!(out, "procedure P{at}(r: Ref, n: int) returns (result: int)");
        let _ = writeln!(out, "  requires n > {at};\n  modifies heap;\n  ensures result == old(heap[r]) + n;\n{{");
        let _ = writeln!(out, "  var i: int;\n  i := 0;\n  result := heap[r] + n;");
        let _ = writeln!(
            out,
            "  while (i < n)\n    invariant 0 <= i && i <= n;\n  {{\n    heap[r] := f(heap[r]);\n    i := i + 1;\n  }}"
        );
        if at > 0 {
            let _ = writeln!(out, "  if (n > {}) {{ call i := P{}(r, n - 1); }}", 2 * at, at - 1);
        }
        out.push_str("}\n");
        at += 1;
    }
    out
}

/// What was measured of a program.
struct Measured {
    parse: Duration,
    check: Duration,
    lower: Duration,
    peak: usize,
    nodes: usize,
}

/// Runs a case until it has had its share of time; at least five times, for there is noise.
fn measure(case: &Case) -> Result<Measured, String> {
    let (nodes, peak) = measure_memory(case)?;
    let mut best = Measured { parse: Duration::MAX, check: Duration::MAX, lower: Duration::MAX, peak, nodes };
    let started = Instant::now();
    let mut runs = 0;
    while runs < 5 || started.elapsed() < Duration::from_millis(1500) {
        let mut sources = SourceMap::new();
        let mut ast = Ast::new();
        let mut diagnostics = Diagnostics::new();
        let start = Instant::now();
        for Source { name, text } in texts(case) {
            let file = sources.add(name, text).map_err(|error| error.to_string())?;
            syntax::parse(&mut ast, &sources, file, &mut diagnostics);
        }
        best.parse = best.parse.min(start.elapsed());
        let start = Instant::now();
        let (typed, _) = check(&ast, &case.options.analyze.check);
        best.check = best.check.min(start.elapsed());
        let analysis = Analysis { sources, ast, typed: Some(typed), diagnostics };
        let mut terms = Terms::new();
        let start = Instant::now();
        let result = compile_analysis(&analysis, &mut terms, &case.options.lower);
        best.lower = best.lower.min(start.elapsed());
        drop(result);
        runs += 1;
    }
    Ok(best)
}

/// The texts of a case; those of libraries last.
fn texts(case: &Case) -> impl Iterator<Item = Source> {
    let libraries = case.options.analyze.libraries.iter().map(|library| Source::new(library.name(), library.text()));
    case.files.iter().map(|(name, text)| Source::new(name.as_str(), text.as_str())).chain(libraries)
}

/// The number of terms of the result, and the most memory that was in use.
fn measure_memory(case: &Case) -> Result<(usize, usize), String> {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let files: Vec<Source> = case.files.iter().map(|(name, text)| Source::new(name.as_str(), text.as_str())).collect();
    let compiled = compile(files, &case.options);
    let peak = PEAK.load(Relaxed) - before;
    if compiled.program.is_none() {
        return Err(compiled.diagnostics.display(&compiled.sources).to_string());
    }
    Ok((compiled.terms.len(), peak))
}

fn main() {
    // Cargo passes options of its own, such as `--bench`.
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let mut cases = corpus().unwrap_or_else(|| {
        println!("../shared/corpus is not there: only generated programs are measured");
        Vec::new()
    });
    cases.push(Case::generated("a long procedure", long_procedure()));
    cases.push(Case::generated("many procedures", many_procedures()));
    cases.retain(|case| wanted.is_empty() || wanted.iter().any(|part| case.name.contains(part)));
    println!(
        "{:>6} {:>8} {:>8} {:>8} {:>8} {:>7} {:>8}",
        "MB", "parse ms", "check ms", "lower ms", "MB/s", "memory", "terms"
    );
    for case in &cases {
        let measured = match measure(case) {
            Ok(measured) => measured,
            Err(error) => {
                println!("not accepted: {}\n{error}", case.name);
                continue;
            }
        };
        let Measured { parse, check, lower, peak, nodes } = measured;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let bytes = case.bytes() as f64;
        let speed = bytes / 1e6 / (parse + check + lower).as_secs_f64();
        let memory = format!("{:.1}x", peak as f64 / bytes);
        println!(
            "{:6.2} {:8.1} {:8.1} {:8.1} {speed:8.1} {memory:>7} {nodes:8}  {}",
            bytes / 1e6,
            ms(parse),
            ms(check),
            ms(lower),
            case.name
        );
    }
}

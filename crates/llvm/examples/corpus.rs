//! Compiles and reads every C program of lists such as `../shared/corpus/c/sample.tsv`, and says what failed, how
//! long it took, and how fast the reader is: `cargo run --release -p lariat-llvm --example corpus LIST.tsv…`.
//!
//! A list has a heading line with the columns `path` and `data_model`; paths are relative to it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lariat_llvm::driver::{self, DataModel, Options};

fn main() -> ExitCode {
    let mut tasks = BTreeSet::new();
    for list in std::env::args().skip(1) {
        match read_list(Path::new(&list)) {
            Some(rows) => tasks.extend(rows),
            None => {
                eprintln!("{list}: not a list");
                return ExitCode::FAILURE;
            }
        }
    }
    let (mut failures, mut insts, mut times) = (0, 0, Vec::new());
    for (path, is_32) in &tasks {
        let model = if *is_32 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let options = Options {
            data_model: Some(model),
            deadline: Some(Instant::now() + Duration::from_secs(20)),
            ..Options::default()
        };
        let start = Instant::now();
        match driver::compile(std::slice::from_ref(path), &options) {
            Ok(module) => insts += module.functions.iter().map(|f| f.insts.len()).sum::<usize>(),
            Err(error) => {
                failures += 1;
                println!("{}: {}", path.display(), error.to_string().lines().next().unwrap_or_default());
            }
        }
        times.push((start.elapsed(), path));
    }
    times.sort();
    let total: Duration = times.iter().map(|(t, _)| *t).sum();
    println!("{} programs, {failures} failures, {insts} instructions, {total:.2?}", tasks.len());
    if let (Some(median), Some((longest, path))) = (times.get(times.len() / 2), times.last()) {
        println!("median {:.1?}, longest {longest:.1?} ({})", median.0, path.display());
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_list(list: &Path) -> Option<Vec<(PathBuf, bool)>> {
    let text = std::fs::read_to_string(list).ok()?;
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next()?.split('\t').collect();
    let path = heading.iter().position(|h| *h == "path")?;
    let model = heading.iter().position(|h| *h == "data_model")?;
    let directory = list.parent()?;
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Some((directory.join(cells.get(path)?), *cells.get(model)? == "ILP32"))
        })
        .collect()
}

//! Every Boogie file of `../shared/corpus` (relative to the workspace): no panic, and those that
//! parse are the same after printing. Skipped, with a message, where the corpus is absent.

use std::path::{Path, PathBuf};

use super::{check_round_trip, read};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "bpl") {
            found.push(path);
        }
    }
}

#[test]
fn printing_keeps_every_program_of_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/boogie");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    if paths.is_empty() {
        println!("skipped: there is no corpus in ../shared/corpus/boogie");
        return;
    }
    paths.sort();
    let check = move |paths: &[PathBuf]| {
        let mut wrong = Vec::new();
        let mut kept = 0;
        for path in paths {
            let Ok(bytes) = std::fs::read(path) else {
                continue;
            };
            let outcome = read(&String::from_utf8_lossy(&bytes));
            if outcome.diags.is_empty() {
                match check_round_trip(&outcome.ast) {
                    Ok(()) => kept += 1,
                    Err(why) => wrong.push(format!("{}: {why:.400}", path.display())),
                }
            }
        }
        (wrong, kept)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut wrong, mut kept) = (Vec::new(), 0);
    std::thread::scope(|scope| {
        let parts = paths.chunks(paths.len().div_ceil(threads));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || check(part))).collect();
        for worker in workers {
            let (more_wrong, more_kept) = worker.join().unwrap();
            wrong.extend(more_wrong);
            kept += more_kept;
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kept * 100 >= paths.len() * 95, "{kept} of {}", paths.len());
}

//! The live view of a check on a terminal: how far the search is, and which engines work.
//!
//! It stands on standard error and is drawn anew in place; when the check ends, nothing is left of it.

use std::{
    fmt::Write as _,
    fs,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::console;

/// How often the view is drawn.
pub const INTERVAL: Duration = Duration::from_millis(250);

/// A check that ends sooner shows nothing.
pub const QUIET: Duration = Duration::from_millis(500);

/// Longer lines are cut: one that the terminal breaks would be two.
const WIDTH: usize = 79;

/// The view. `None` is one that has ended; otherwise, so many lines of it are on the terminal.
pub struct Live(Mutex<Option<usize>>);

impl Live {
    pub fn new() -> Live {
        Live(Mutex::new(Some(0)))
    }

    /// Draws the view in place of the one before.
    pub fn draw(&self, lines: &[String]) {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(drawn) = &mut *drawn {
            let mut text = back(*drawn);
            for line in lines {
                text.extend(line.chars().take(WIDTH));
                text.push('\n');
            }
            console::print(&text);
            *drawn = lines.len();
        }
    }

    /// Takes the view away, for good.
    pub fn end(&self) {
        if let Some(drawn @ 1..) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            console::print(&back(drawn));
        }
    }
}

/// Goes back over so many lines, and clears them.
fn back(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\r\x1b[J") }
}

/// The engines that work, with the time of the processor that each has used, most first: one line for each.
pub fn engines() -> Vec<String> {
    let known: Vec<&str> = lariat_verify::engines().iter().map(|engine| engine.name()).collect();
    let mut all: Vec<(&str, Duration)> = Vec::new();
    for (thread, used) in threads() {
        // The system keeps the first 15 letters of a name. Unfolding is the work of the main thread.
        let fits = |name: &&&str| thread.starts_with(&name[..name.len().min(15)]);
        let engine = if thread == "main" { Some(&"unfold") } else { known.iter().filter(fits).max_by_key(|n| n.len()) };
        let Some(engine) = engine else { continue };
        match all.iter_mut().find(|(name, _)| name == engine) {
            // Two readings of the program are the work of one engine.
            Some((_, sum)) => *sum += used,
            None => all.push((engine, used)),
        }
    }
    all.sort_by_key(|&(name, used)| (std::cmp::Reverse(used), name));
    let mut lines = Vec::new();
    for (name, used) in all {
        let mut line = String::new();
        let _ = write!(line, "  {name:<16} {:>7.1} s of the processor", used.as_secs_f64());
        lines.push(line);
    }
    lines
}

/// The threads of this process, by name, with the time of the processor that they have used. Only Linux tells.
fn threads() -> Vec<(String, Duration)> {
    let folders = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let one = |folder: fs::DirEntry| {
        let name = fs::read_to_string(folder.path().join("comm")).ok()?;
        let used = fs::read_to_string(folder.path().join("schedstat")).ok()?;
        let used = used.split(' ').next()?.parse().ok().map(Duration::from_nanos)?;
        Some((name.trim_end().to_owned(), used))
    };
    folders.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_that_has_ended_stays_away() {
        let live = Live::new();
        live.end();
        live.draw(&["x".into()]);
        assert!(live.0.lock().unwrap().is_none());
        assert_eq!(back(3), "\x1b[3A\r\x1b[J");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn engines_are_known_by_their_threads() {
        let (ready, wait) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::Builder::new().name("spacer-local (integers)".into());
        let thread = thread.spawn(move || {
            ready.send(()).unwrap();
            let _ = ended.recv();
        });
        wait.recv().unwrap();
        assert!(engines().iter().any(|line| line.starts_with("  spacer-local ")), "{:?}", engines());
        drop(end);
        thread.unwrap().join().unwrap();
    }
}

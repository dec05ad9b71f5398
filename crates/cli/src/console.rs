//! Standard error, for Lariat alone.
//!
//! Solvers that are linked in write there, too, when something is wrong in them. That is no concern of who reads
//! diagnostics: what it means for the result is said there.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    fs::{File, OpenOptions},
    io::{self, IsTerminal, Write},
    sync::OnceLock,
};

use anstream::{AutoStream, ColorChoice};

/// Standard error as it was, if the descriptor now leads elsewhere.
static OWN: OnceLock<File> = OnceLock::new();

/// Writes as it is. Nothing can be done if standard error is gone.
pub fn print(text: &str) {
    let _ = match OWN.get() {
        Some(mut own) => own.write_all(text.as_bytes()),
        None => io::stderr().write_all(text.as_bytes()),
    };
}

/// Writes text with colours, or without them where they are not wanted.
pub fn print_styled(text: &str, color: ColorChoice) {
    let _ = match OWN.get().map(File::try_clone) {
        Some(Ok(own)) => AutoStream::new(own, color).write_all(text.as_bytes()),
        _ => AutoStream::new(io::stderr(), color).write_all(text.as_bytes()),
    };
}

/// Do messages go to a terminal?
pub fn is_terminal() -> bool {
    OWN.get().map_or_else(|| io::stderr().is_terminal(), IsTerminal::is_terminal)
}

/// From now on, only what is printed here is seen.
pub fn silence_solvers() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        let own = io::stderr().as_fd().try_clone_to_owned().map(File::from);
        let (Ok(own), Ok(nowhere)) = (own, OpenOptions::new().write(true).open("/dev/null")) else { return };
        if OWN.set(own).is_ok() && rustix::stdio::dup2_stderr(&nowhere).is_ok() {
            std::panic::set_hook(Box::new(|panic| {
                let trace = Backtrace::capture();
                let wanted = trace.status() == BacktraceStatus::Captured;
                print(&if wanted { format!("{panic}\n{trace}\n") } else { format!("{panic}\n") });
            }));
        }
    }
}

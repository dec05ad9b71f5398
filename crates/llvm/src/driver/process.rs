//! Runs a program until it ends or the time is up.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// How it went.
pub(super) enum ProcessResult {
    /// The program ended by itself.
    Ended {
        /// How.
        status: ExitStatus,
        /// What it wrote to standard output.
        output: Vec<u8>,
        /// What it wrote to standard error.
        messages: String,
    },
    /// The time was up, and the program was stopped.
    Timeout,
}

/// Runs a program without input. Its two outputs are read side by side, so that neither can fill up and stop it.
pub(super) fn run(mut command: Command, deadline: Option<Instant>) -> io::Result<ProcessResult> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (sender, receiver) = mpsc::channel();
    let drain = |stream: Option<Box<dyn Read + Send>>, is_output: bool| {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let result = stream.map_or(Ok(0), |mut s| s.read_to_end(&mut bytes));
            // The receiver is gone if the time was up.
            let _ = sender.send((is_output, result.map(|_| bytes)));
        });
    };
    drain(child.stdout.take().map(|s| Box::new(s) as Box<dyn Read + Send>), true);
    drain(child.stderr.take().map(|s| Box::new(s) as Box<dyn Read + Send>), false);
    let (mut output, mut messages) = (Vec::new(), Vec::new());
    let stop = |mut child: std::process::Child| {
        // It may have ended in this very moment.
        let _ = child.kill();
        child.wait()
    };
    for _ in 0..2 {
        let received = match deadline {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match received {
            Ok((true, Ok(bytes))) => output = bytes,
            Ok((false, Ok(bytes))) => messages = bytes,
            Ok((_, Err(error))) => {
                stop(child)?;
                return Err(error);
            }
            Err(RecvTimeoutError::Timeout) => {
                stop(child)?;
                return Ok(ProcessResult::Timeout);
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait()?;
    Ok(ProcessResult::Ended { status, output, messages: String::from_utf8_lossy(&messages).into_owned() })
}

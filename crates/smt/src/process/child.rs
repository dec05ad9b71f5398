//! A solver's process: sending text, and reading answers within a time limit.
//!
//! Three threads of its own do what can block: one writes, one reads answers, one reads the error
//! output. So no behaviour of the process (it hangs, does not read, floods, dies) can block the
//! caller beyond the deadline. Dropping it kills the process and waits for its end.

use std::{
    io::{Read, Write},
    process::{Child as Process, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use lariat_term::smtlib::Balance;

use crate::{Interrupter, SolverError, query::excerpt};

/// The longest answer that is read.
const MAX_ANSWER: usize = 64 << 20;
/// How much of the error output is kept for messages.
const MAX_ERRORS: usize = 2000;
/// How many answers wait at most before the reader pauses.
const QUEUE: usize = 256;
/// How often a waiting caller looks whether it was interrupted.
const POLL: Duration = Duration::from_millis(5);
/// How often a caller looks whether a process that closed its output has ended: a second, on a busy machine.
const LAST_WORDS: u32 = 200;

enum Event {
    Answer(String),
    TooLong(String),
    Closed,
}

/// Why there is no answer.
pub(super) enum Trouble {
    /// The deadline has passed.
    Timeout,
    Interrupted,
    /// The process ended or closed its output.
    Died(String),
    Nonsense(String),
}

/// A running process.
pub(super) struct Child {
    process: Process,
    input: Sender<Vec<u8>>,
    answers: Receiver<Event>,
    errors: Arc<Mutex<String>>,
    /// Reads the error output to its end.
    listener: Option<JoinHandle<()>>,
    markers: u64,
}

impl Drop for Child {
    fn drop(&mut self) {
        // Both fail only if the process is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Child {
    pub(super) fn start(command: &str, args: &[String]) -> Result<Child, SolverError> {
        let missing = |message: String| SolverError::Missing { command: command.to_owned(), message };
        let mut process = Command::new(command)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| missing(e.to_string()))?;
        let (input, to_write) = mpsc::channel();
        let (to_read, answers) = mpsc::sync_channel(QUEUE);
        let errors = Arc::new(Mutex::new(String::new()));
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        // From here on the process is killed whatever happens.
        let mut child = Child { process, input, answers, errors: errors.clone(), listener: None, markers: 0 };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { return Err(missing("no pipes".into())) };
        let spawn = |name: &str, f: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(name.into()).spawn(f).map_err(|e| missing(e.to_string()))
        };
        spawn("solver input", Box::new(move || write_all(stdin, to_write)))?;
        spawn("solver output", Box::new(move || read_answers(stdout, to_read)))?;
        child.listener = Some(spawn("solver errors", Box::new(move || read_errors(stderr, &errors)))?);
        Ok(child)
    }

    /// Sends commands, and gives all answers to them.
    pub(super) fn ask(
        &mut self,
        commands: &str,
        deadline: Option<Instant>,
        interrupter: &Interrupter,
    ) -> Result<Vec<String>, Trouble> {
        self.markers += 1;
        let marker = format!("end-of-answer-{}", self.markers);
        let text = format!("{commands}(echo \"{marker}\")\n");
        // A writer that has ended shows in the answers, too.
        let _ = self.input.send(text.into_bytes());
        let mut answers = Vec::new();
        loop {
            let answer = match self.next(deadline, interrupter) {
                // Some solvers say what was wrong and leave: what they said matters more.
                Err(Trouble::Died(_)) if answers.iter().any(|a: &String| a.starts_with("(error")) => {
                    return Ok(answers);
                }
                other => other?,
            };
            match answer {
                answer if answer.trim_matches('"') == marker => return Ok(answers),
                _ if answers.len() > QUEUE => return Err(Trouble::Nonsense("too many answers".into())),
                answer => answers.push(answer),
            }
        }
    }

    fn next(&mut self, deadline: Option<Instant>, interrupter: &Interrupter) -> Result<String, Trouble> {
        loop {
            if interrupter.is_interrupted() {
                return Err(Trouble::Interrupted);
            }
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left.is_some_and(|l| l.is_zero()) {
                return Err(Trouble::Timeout);
            }
            match self.answers.recv_timeout(left.unwrap_or(POLL).min(POLL)) {
                Ok(Event::Answer(a)) => return Ok(a),
                Ok(Event::TooLong(start)) => {
                    return Err(Trouble::Nonsense(format!("an endless answer: {}", excerpt(&start))));
                }
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Died(self.last_words()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the process ended, and what it complained about.
    fn last_words(&mut self) -> String {
        // The end of the output comes a moment before the end of the process and of its error output.
        let mut status = String::new();
        for _ in 0..LAST_WORDS {
            if let Ok(Some(s)) = self.process.try_wait() {
                status = s.to_string();
            }
            if !status.is_empty() && self.listener.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            std::thread::sleep(POLL);
        }
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        [status.as_str(), errors.trim()].iter().filter(|s| !s.is_empty()).copied().collect::<Vec<_>>().join("; ")
    }
}

fn write_all(mut stdin: ChildStdin, texts: Receiver<Vec<u8>>) {
    for text in texts {
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_answers(mut stdout: impl Read, answers: SyncSender<Event>) {
    let mut balance = Balance::new();
    let mut current: Vec<u8> = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    loop {
        let n = match stdout.read(&mut buffer) {
            Ok(n) if n > 0 => n,
            _ => {
                let rest = text(&current);
                if !rest.is_empty() && balance.feed(b"\n").is_some() {
                    let _ = answers.send(Event::Answer(rest));
                }
                let _ = answers.send(Event::Closed);
                return;
            }
        };
        let mut rest = &buffer[..n];
        while let Some(end) = balance.feed(rest) {
            current.extend_from_slice(&rest[..end]);
            let answer = text(&current);
            current.clear();
            rest = &rest[end..];
            if !answer.is_empty() && answers.send(Event::Answer(answer)).is_err() {
                return;
            }
        }
        current.extend_from_slice(rest);
        if current.len() > MAX_ANSWER {
            let _ = answers.send(Event::TooLong(text(&current[..1000])));
            return;
        }
    }
}

fn read_errors(mut stderr: impl Read, errors: &Mutex<String>) {
    let mut buffer = [0; 1024];
    while let Ok(n) = stderr.read(&mut buffer) {
        if n == 0 {
            return;
        }
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.len() < MAX_ERRORS {
            errors.push_str(&String::from_utf8_lossy(&buffer[..n]));
        }
    }
}

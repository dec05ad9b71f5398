//! A command of Lariat that runs beside the server, in a process of its own, and can be cancelled at any time.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How often it is looked whether the process has ended.
const POLL: Duration = Duration::from_millis(20);

/// How a process ended, with what it has said.
pub struct Finished {
    /// The exit code; none if it was cancelled or could not run.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A process that is cancelled when this is dropped.
pub struct Job {
    child: Arc<Mutex<Child>>,
}

impl Job {
    /// Starts `lariat` in a folder, and calls `done` when it has ended.
    pub fn start(
        folder: &Path,
        arguments: &[OsString],
        done: impl FnOnce(Finished) + Send + 'static,
    ) -> io::Result<Job> {
        // Output goes to files: a pipe that nobody reads would block the process.
        let kept = tempfile::Builder::new().prefix("lariat-lsp-").tempdir()?;
        let (stdout, stderr) = (kept.path().join("stdout"), kept.path().join("stderr"));
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        command.stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = Arc::new(Mutex::new(command.spawn()?));
        let waited = child.clone();
        let wait = move || {
            let ended = loop {
                // Not in the condition of the loop: there it would be locked while this sleeps.
                let state = waited.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
                match state {
                    Ok(None) => std::thread::sleep(POLL),
                    Ok(Some(status)) => break status.code(),
                    Err(_) => break None,
                }
            };
            let text = |path: &Path| fs::read(path).map_or(String::new(), |b| String::from_utf8_lossy(&b).into_owned());
            let outcome = Finished { code: ended, stdout: text(&stdout), stderr: text(&stderr) };
            drop(kept);
            done(outcome);
        };
        std::thread::Builder::new().name("job".into()).spawn(wait)?;
        Ok(Job { child })
    }
}

impl Job {
    /// Has the process not ended yet?
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait(), Ok(None))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // A process that has ended is left alone: its number may be that of another by now.
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        // The compiler and solvers that it has started are in its group.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
            && rustix::process::kill_process_group(group, rustix::process::Signal::TERM).is_ok()
        {
            return;
        }
        let _ = child.kill();
    }
}

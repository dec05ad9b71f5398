//! Work that may end the process, tried in a child first.

use std::io;
use std::time::{Duration, Instant};

/// Does `work` come to its end? Done in a copy of this process, which is then thrown away. The inner result
/// says how the copy ended if it did not end well; the outer one whether there could be a copy.
pub(crate) fn survives(work: impl FnOnce(), deadline: Option<Instant>) -> io::Result<Result<(), String>> {
    // SAFETY: the child runs on this thread alone. It takes no lock that another thread may have held while it was
    // copied: it allocates memory (the C library makes that safe after a fork) and calls LLVM on data of its
    // own, from which the caller keeps other threads out. It ends without running destructors of the parent.
    unsafe {
        let child = libc::fork();
        if child < 0 {
            return Err(io::Error::last_os_error());
        }
        if child == 0 {
            silence();
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_ok();
            libc::_exit(if done { 0 } else { 1 });
        }
        wait(child, deadline)
    }
}

/// Sends what a crashing LLVM says to nowhere, and leaves no core file.
unsafe fn silence() {
    // SAFETY: plain system calls of the child.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for stream in 0..3 {
            libc::dup2(nowhere, stream);
        }
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
    }
}

unsafe fn wait(child: libc::pid_t, deadline: Option<Instant>) -> io::Result<Result<(), String>> {
    let mut pause = Duration::from_micros(200);
    loop {
        let mut status = 0;
        let options = if deadline.is_some() { libc::WNOHANG } else { 0 };
        // SAFETY: our own child, not reaped yet.
        let ended = unsafe { libc::waitpid(child, &mut status, options) };
        if ended < 0 {
            let error = io::Error::last_os_error();
            if error.kind() == io::ErrorKind::Interrupted {
                continue;
            }
            return Err(error);
        }
        if ended == child {
            return Ok(if libc::WIFSIGNALED(status) {
                Err(format!("crashes (signal {})", libc::WTERMSIG(status)))
            } else if libc::WEXITSTATUS(status) != 0 {
                Err(format!("ends with code {}", libc::WEXITSTATUS(status)))
            } else {
                Ok(())
            });
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            // SAFETY: our own child, not reaped yet.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &mut status, 0);
            }
            return Ok(Err("takes too long".to_string()));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

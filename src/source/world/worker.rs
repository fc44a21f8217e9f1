//! Starts this program again to do one piece of work in another process.
//!
//! Only a process can be stopped at any point of its work, with all of its memory. Questions and
//! answers go through pipes, because arguments are limited in size, and other users of the machine
//! can see them.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A process of this program that waits for its question on standard input.
#[derive(Debug)]
pub struct Worker {
    process: Mutex<Child>,
}

impl Worker {
    /// Starts this program with `arguments`.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn start(arguments: &[&str]) -> io::Result<Worker> {
        let process = Command::new(std::env::current_exe()?)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        Ok(Worker {
            process: Mutex::new(process),
        })
    }

    /// Writes a question and returns the answer: everything that the process prints, up to `most`
    /// bytes.
    ///
    /// # Errors
    /// A process that ended without success, or whose answer is longer. Calling [`end`](Self::end)
    /// on another thread has the same effect.
    pub fn ask(&self, question: &[u8], most: usize) -> io::Result<Vec<u8>> {
        let (input, output) = {
            let mut process = self.process();
            (process.stdin.take(), process.stdout.take())
        };
        let (Some(mut input), Some(output)) = (input, output) else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        input.write_all(question)?;
        // This closes the pipe, because the process reads to the end of its input.
        drop(input);
        let mut answer = Vec::new();
        let limit = u64::try_from(most).unwrap_or(u64::MAX);
        output.take(limit).read_to_end(&mut answer)?;
        if answer.len() >= most {
            self.end();
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // The process has closed its output, so it is about to end.
        match self.process().wait()?.success() {
            true => Ok(answer),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Kills the process immediately.
    pub fn end(&self) {
        // An error means that the process has already ended.
        let _ = self.process().kill();
    }

    fn process(&self) -> MutexGuard<'_, Child> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut process = self.process();
        let _ = process.kill();
        // Otherwise the process would stay in the system's table of processes as a zombie.
        let _ = process.wait();
    }
}

/// A process of this program that answers messages while its input is open.
#[derive(Debug)]
pub struct PipedWorker {
    process: Child,
}

impl PipedWorker {
    /// Starts this program with its own arguments and one more.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn again_with(argument: &str) -> io::Result<PipedWorker> {
        let process = Command::new(std::env::current_exe()?)
            .args(std::env::args_os().skip(1))
            .arg(argument)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        Ok(PipedWorker { process })
    }

    /// Returns the input and the output of the process.
    ///
    /// # Errors
    /// The pipes were taken before.
    pub fn pipes(&mut self) -> io::Result<(impl Write + use<>, impl Read + use<>)> {
        match (self.process.stdin.take(), self.process.stdout.take()) {
            (Some(input), Some(output)) => Ok((input, output)),
            _ => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Waits for the end of the process, and returns its exit code. `None` if a signal ended it.
    pub fn wait(mut self) -> Option<i32> {
        self.process.wait().ok()?.code()
    }
}

impl Drop for PipedWorker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Opens an address in the user's browser.
///
/// # Errors
/// The error if no program can open the address.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut opener = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // The program may run as long as the browser does.
    std::thread::spawn(move || opener.wait());
    Ok(())
}

//! This program, started again to do one piece of work.
//!
//! Only a process can be ended in the middle of its work, whatever it is doing, with all of its
//! memory. What it reads and what it answers goes through pipes: arguments are limited in size, and
//! other users of the machine can see them.

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

    /// Writes a question, and returns the answer: everything that the process prints, but not more
    /// than `most` bytes.
    ///
    /// # Errors
    /// The process ended without success, or answered more. [`end`](Self::end), called on another
    /// thread, is such an ending.
    pub fn ask(&self, question: &[u8], most: usize) -> io::Result<Vec<u8>> {
        let (input, output) = {
            let mut process = self.process();
            (process.stdin.take(), process.stdout.take())
        };
        let (Some(mut input), Some(output)) = (input, output) else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        input.write_all(question)?;
        // Closes the pipe: the process reads to the end of its input.
        drop(input);
        let mut answer = Vec::new();
        let limit = u64::try_from(most).unwrap_or(u64::MAX);
        output.take(limit).read_to_end(&mut answer)?;
        if answer.len() >= most {
            self.end();
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // It has closed its output, so it is about to end.
        match self.process().wait()?.success() {
            true => Ok(answer),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Ends the process immediately, whatever it is doing.
    pub fn end(&self) {
        // An error means that it has ended already.
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
        // Without this, the ended process would stay in the table of processes.
        let _ = process.wait();
    }
}

/// A process of this program that answers messages for as long as its input is open.
#[derive(Debug)]
pub struct PipedWorker {
    process: Child,
}

impl PipedWorker {
    /// Starts this program with the arguments that it was started with, and one more.
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

    /// Returns its input and its output.
    ///
    /// # Errors
    /// They were taken before.
    pub fn pipes(&mut self) -> io::Result<(impl Write + use<>, impl Read + use<>)> {
        match (self.process.stdin.take(), self.process.stdout.take()) {
            (Some(input), Some(output)) => Ok((input, output)),
            _ => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Waits for its end, and returns its exit code; `None` if a signal ended it.
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
/// No program that opens addresses was found.
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
    // The opener may run as long as the browser does.
    std::thread::spawn(move || opener.wait());
    Ok(())
}

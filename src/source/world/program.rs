//! Runs the programs of a build: plugins of a kustomization.

use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::source::Limit;

/// A program to run.
pub struct ProgramCall<'c> {
    /// The path of the program.
    pub program: &'c Path,
    /// The arguments. The path of `file` comes before them.
    pub arguments: &'c [String],
    /// Environment variables in addition to those of this process.
    pub variables: &'c [(String, String)],
    /// The content of a temporary file, whose path is the first argument.
    pub file: Option<&'c str>,
    /// The working folder.
    pub folder: &'c Path,
    /// Its standard input.
    pub input: &'c str,
}

/// The result of a program.
pub struct ProgramOutput {
    /// Whether it exited with 0.
    pub is_success: bool,
    /// The exit status, for people.
    pub status: String,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub errors: Vec<u8>,
}

/// Runs a program until it ends.
///
/// # Errors
/// A program that cannot be started, or whose output cannot be read or is longer than
/// [`Limit::Output`]. In the last two cases the program is killed.
pub(super) fn run(call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
    let mut command = Command::new(call.program);
    let mut file = None;
    if let Some(content) = call.file {
        // Programs recognize the file by the name that kustomize uses.
        let mut named = tempfile::Builder::new()
            .prefix("kust-plugin-config-")
            .tempfile()?;
        named.write_all(content.as_bytes())?;
        command.arg(named.path());
        file = Some(named);
    }
    let mut child = command
        .args(call.arguments)
        .envs(call.variables.iter().map(|(name, value)| (name, value)))
        .current_dir(call.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let printed = printed(&mut child, call.input);
    if printed.is_err() {
        // The program may print endlessly. If it has already ended, this does nothing.
        let _ = child.kill();
    }
    let status = child.wait()?;
    drop(file);
    let (output, errors) = printed?;
    Ok(ProgramOutput {
        is_success: status.success(),
        status: status.to_string(),
        output,
        errors,
    })
}

/// Passes the input to a program, and returns its standard output and its standard error.
fn printed(child: &mut Child, input: &str) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let most = Limit::Output.size();
    let stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // In separate threads, because a program may print before it has read all of its input, and
        // then all pipes would be full.
        scope.spawn(move || {
            // A program that needs no input may close it.
            let _ = stdin.map(|mut pipe| pipe.write_all(input.as_bytes()));
        });
        let errors = scope.spawn(move || read_bounded(stderr, most));
        let output = read_bounded(stdout, most);
        if output.is_err() {
            // The other pipes end only when the program ends.
            let _ = child.kill();
        }
        let errors = errors
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((output?, errors?))
    })
}

/// Reads a pipe to its end. After an error the pipe is closed, so a program that continues to print
/// fails.
fn read_bounded(pipe: Option<impl Read>, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(most as u64 + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() > most {
        let message = format!("it printed more than {most} bytes; `--limit output=…` allows more");
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_no_more_than_the_limit() {
        let endless = || Some(io::repeat(b'x'));
        let error = read_bounded(endless(), 3)
            .err()
            .map(|error| error.to_string());
        let expected = "it printed more than 3 bytes; `--limit output=…` allows more";
        assert_eq!(error.as_deref(), Some(expected));
        let read = read_bounded(endless().map(|pipe| pipe.take(3)), 3);
        assert_eq!(read.ok().as_deref(), Some(&b"xxx"[..]));
    }
}

//! Programs that a build runs: plugins of a kustomization.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program to run.
pub struct ProgramCall<'c> {
    /// The path of the program.
    pub program: &'c Path,
    /// The arguments. A file for the program comes before them.
    pub arguments: &'c [String],
    /// Variables beside those of this process.
    pub variables: &'c [(String, String)],
    /// The content of a temporary file, whose path is the first argument.
    pub file: Option<&'c str>,
    /// The working folder.
    pub folder: &'c Path,
    /// Its standard input.
    pub input: &'c str,
}

/// What a program left.
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
/// The program cannot be started, or its output cannot be read.
pub(super) fn run(call: &ProgramCall<'_>) -> io::Result<ProgramOutput> {
    let mut command = Command::new(call.program);
    let mut file = None;
    if let Some(content) = call.file {
        // Programs recognize the name that kustomize gives to the file.
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
    let input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // In a thread of its own: a program may print before it has read everything, and both pipes
        // would be full.
        scope.spawn(move || {
            // A program that needs no input may close it.
            let _ = input.map(|mut pipe| pipe.write_all(call.input.as_bytes()));
        });
        child.wait_with_output()
    })?;
    drop(file);
    Ok(ProgramOutput {
        is_success: output.status.success(),
        status: output.status.to_string(),
        output: output.stdout,
        errors: output.stderr,
    })
}

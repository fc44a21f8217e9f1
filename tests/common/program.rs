//! Runs the built program as a user would.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use libtest_mimic::Failed;
use tempfile::TempDir;

/// One call of the program.
#[derive(Default)]
pub(crate) struct Call {
    /// The arguments after the program's name.
    pub(crate) arguments: Vec<String>,
    /// Variables added to the environment.
    pub(crate) environment: Vec<(String, String)>,
    /// The text on standard input.
    pub(crate) input: String,
}

/// The outcome of a call.
pub(crate) struct Answer {
    /// The exit code; `None` if a signal ended the program.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) errors: String,
}

/// Environment variables of exec plugins, which would change the meaning of a call.
const PLUGIN_VARIABLES: [&str; 2] = [
    "KUSTOMIZE_PLUGIN_CONFIG_ROOT",
    "KUSTOMIZE_PLUGIN_CONFIG_STRING",
];

impl Call {
    /// Creates a call with these arguments, no added variables and no input.
    pub(crate) fn new(arguments: &[&str]) -> Call {
        Call {
            arguments: arguments.iter().map(ToString::to_string).collect(),
            ..Call::default()
        }
    }

    /// Runs the program in `folder`.
    pub(crate) fn run_in(self, folder: &Path) -> Result<Answer, Failed> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_inlay"));
        for variable in PLUGIN_VARIABLES {
            command.env_remove(variable);
        }
        let mut child = command
            .args(&self.arguments)
            .envs(self.environment)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // The program may exit without reading its input, so a broken pipe does not fail the test.
        let writer = child
            .stdin
            .take()
            .map(|mut pipe| thread::spawn(move || pipe.write_all(self.input.as_bytes())));
        let output = child.wait_with_output()?;
        if let Some(Ok(Err(error))) = writer.map(thread::JoinHandle::join)
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(error.into());
        }
        Ok(Answer {
            code: output.status.code(),
            output: String::from_utf8(output.stdout)?,
            errors: String::from_utf8(output.stderr)?,
        })
    }
}

impl Answer {
    /// Fails, with the output of the program, if the exit code is not `expected`.
    pub(crate) fn ended_with(&self, expected: i32) -> Result<(), Failed> {
        if self.code == Some(expected) {
            return Ok(());
        }
        let found = self
            .code
            .map_or("a signal".to_owned(), |code| code.to_string());
        Err(format!(
            "exit code {expected} expected, found {found}; standard error:\n{}",
            self.errors
        )
        .into())
    }
}

#[allow(dead_code, reason = "only suites of recorded cases copy files")]
/// Creates a temporary folder with copies of `files`, at the same relative paths as below `origin`.
pub(crate) fn working_copy(origin: &Path, files: &[PathBuf]) -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    for file in files {
        let copy = folder.path().join(file.strip_prefix(origin)?);
        fs::create_dir_all(copy.parent().unwrap_or(folder.path()))?;
        fs::copy(file, copy)?;
    }
    Ok(folder)
}

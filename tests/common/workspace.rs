//! A working folder that looks like the checkout, and a shell that runs there and finds `inlay`.

#![allow(dead_code, reason = "some tests need only the shell")]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the folder of the checkout.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Creates a folder that looks like the checkout to a user: it contains the examples and the
/// installed plugin. Commands may change it.
pub(crate) fn workspace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old workspace can be removed");
    }
    for part in ["examples", "kustomization-examples", "plugin"] {
        copy_folder(&repository().join(part), &folder.join(part));
    }
    fs::create_dir(folder.join("home")).expect("a workspace can be written");
    folder
}

/// Copies a folder with all its content.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder of the repository can be read") {
        let path = entry.expect("an entry can be read").path();
        let copy = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else if is_program(&path) {
            // A program that is written while another test starts a process cannot be run for a
            // moment ("text file busy"), so it is linked and not copied.
            fs::hard_link(&path, &copy)
                .or_else(|_| fs::copy(&path, &copy).map(|_| ()))
                .expect("a program can be linked");
        } else {
            fs::copy(&path, &copy).expect("a file can be copied");
        }
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_program(_: &Path) -> bool {
    false
}

/// The outcome of a command.
pub(crate) struct Outcome {
    /// The exit code. If a signal ended a command, it is 128 plus the signal's number; if a signal
    /// ended the shell itself, it is 128.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a shell command line in `folder`, which is inside a [`workspace`]. `inlay` is the program
/// under test, even if another one is on `PATH`. The home folder is the workspace's own, and the
/// caller's settings for kustomize's plugins and for colors have no effect.
pub(crate) fn shell(workspace: &Path, folder: &Path, line: &str) -> Outcome {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path_with_inlay())
        .env("HOME", workspace.join("home"))
        .env("NO_COLOR", "1")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("KUSTOMIZE_PLUGIN_HOME")
        .env_remove("KUSTOMIZE_PLUGIN_CONFIG_ROOT")
        .stdin(Stdio::null())
        .output()
        .expect("a shell can be started");
    Outcome {
        code: output.status.code().unwrap_or(128),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs a line as [`shell`] does, and returns standard output and standard error combined in
/// `stdout`, as a terminal shows them.
///
/// The stages of a pipeline print in no fixed order, so a line whose messages come from a stage
/// before the last passes on one machine and fails on another. A pipeline that does not end in
/// `inlay` and prints to both therefore fails here.
pub(crate) fn terminal(workspace: &Path, folder: &Path, line: &str) -> Outcome {
    match last_stage(line) {
        Some(stage) if !stage.trim_start().starts_with("inlay") => {}
        _ => return shell(workspace, folder, &format!("exec 2>&1\n{line}")),
    }
    let mut outcome = shell(workspace, folder, line);
    assert!(
        outcome.stdout.is_empty() || outcome.stderr.is_empty(),
        "`{line}` prints to standard output and to standard error, in an order that is not fixed; redirect one of them:\n{}",
        outcome.stderr
    );
    outcome.stdout += &std::mem::take(&mut outcome.stderr);
    outcome
}

/// Returns the text after the last `|` outside quotes, if there is one.
fn last_stage(line: &str) -> Option<&str> {
    let mut quote = None;
    let mut previous = ' ';
    let mut stage = None;
    for (at, character) in line.char_indices() {
        match quote {
            Some(open) if character == open => quote = None,
            Some(_) => {}
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None => {
                let rest = &line[at + character.len_utf8()..];
                let is_operator = matches!(previous, '|' | '>') || rest.starts_with('|');
                if character == '|' && !is_operator {
                    stage = Some(rest);
                }
            }
        }
        previous = character;
    }
    stage
}

fn path_with_inlay() -> OsString {
    let inlay = Path::new(env!("CARGO_BIN_EXE_inlay"))
        .parent()
        .expect("a program is in a folder")
        .to_path_buf();
    let rest = env::var_os("PATH").unwrap_or_default();
    env::join_paths(std::iter::once(inlay).chain(env::split_paths(&rest)))
        .expect("PATH can be put together")
}

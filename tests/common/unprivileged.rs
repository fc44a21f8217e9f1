//! Runs the program as a user without the privileges of root.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

/// The user and group ID of `nobody` on most systems.
const NOBODY: u32 = 65534;

/// Returns a command that runs a copy of `program` in `folder`, and makes the command's user the
/// owner of the folder. Returns `None` if the test runs as root and cannot switch to another user.
pub(crate) fn command(program: &str, folder: &Path) -> Option<Command> {
    let is_root = fs::metadata("/proc/self").map_or(true, |own| own.uid() == 0);
    if !is_root {
        let mut command = Command::new(program);
        command.current_dir(folder);
        return Some(command);
    }
    // The program may be in a folder that other users cannot enter.
    let copy = folder.join("program-under-test");
    fs::copy(program, &copy).ok()?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).ok()?;
    give(folder)?;
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&copy)
        .current_dir(folder);
    let mut probe = Command::new("setpriv");
    probe
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&copy)
        .arg("version");
    probe.output().ok()?.status.success().then_some(command)
}

/// Makes `nobody` the owner of a folder and everything in it.
fn give(place: &Path) -> Option<()> {
    chown(place, Some(NOBODY), Some(NOBODY)).ok()?;
    if place.is_dir() {
        for entry in fs::read_dir(place).ok()? {
            give(&entry.ok()?.path())?;
        }
    }
    Some(())
}

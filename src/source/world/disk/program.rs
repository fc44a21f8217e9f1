//! Finds other programs and reads what they print about themselves.

use std::env::consts::EXE_SUFFIX;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum time for a program to print its version.
const TIME: Duration = Duration::from_secs(10);

/// The maximum number of bytes of its output that are read.
const SIZE: u64 = 64 << 10;

/// Returns the path of a program that a shell would run. On Windows, the name may omit `.exe`.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return program_at(PathBuf::from(name));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).find_map(|folder| program_at(folder.join(name)))
}

fn program_at(place: PathBuf) -> Option<PathBuf> {
    let mut whole = place.clone().into_os_string();
    whole.push(EXE_SUFFIX);
    [place, whole.into()]
        .into_iter()
        .find(|place| is_program(place))
}

/// Runs a program without input, and returns the start of its standard output. A program that takes
/// too long is killed.
///
/// # Errors
/// A program that cannot be started, fails, or takes too long.
pub(super) fn ask(program: &Path, arguments: &[&str]) -> io::Result<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    // A thread reads the output, so that a full pipe cannot block a program that prints a lot.
    let output = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(output) = output {
            // The output before an error is enough to show.
            let _ = output.take(SIZE).read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let started = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if started.elapsed() > TIME => {
                child.kill()?;
                child.wait()?;
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not end"));
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    if !status.success() {
        return Err(io::Error::other(format!("it ends with {status}")));
    }
    Ok(reader.join().unwrap_or_default())
}

#[cfg(unix)]
fn is_program(place: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(place)
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(place: &Path) -> bool {
    place.is_file()
}

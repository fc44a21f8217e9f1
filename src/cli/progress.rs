//! A line on the terminal that shows that a long-running command is working.
//!
//! It appears after a second and is erased before anything else is printed. It never appears in
//! logs, because it requires a terminal, and that the variable `CI` is not set.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::arguments::GlobalArguments;
use crate::source::limits::read_so_far;
use crate::source::world::World;
use crate::source::{DiagnosticFormat, visible_line};
use crate::yaml::documents_parsed;

/// The time after which the line appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between updates of the line.
const PERIOD: Duration = Duration::from_millis(250);

/// Whether the line may be written. It is never set again after the first output.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether a wait for a folder is shown.
static SHOWS_WAITS: AtomicBool = AtomicBool::new(false);

/// Whether the line is on the terminal. The lock is held while it is written, so that no output is
/// printed in between.
static IS_SHOWN: Mutex<bool> = Mutex::new(false);

/// Allows the line to appear, if this is a terminal and the user wants it.
pub(super) fn start(world: &dyn World, global: &GlobalArguments) {
    SHOWS_WAITS.store(
        global.diagnostics == DiagnosticFormat::Human,
        Ordering::Relaxed,
    );
    let is_set = |name: &str| world.variable(name).is_some_and(|value| !value.is_empty());
    let is_dumb = world.variable("TERM").as_deref() == Some("dumb");
    if global.quiet || is_set("CI") || is_dumb || !io::stderr().is_terminal() {
        return;
    }
    IS_ON.store(true, Ordering::Relaxed);
    // The thread ends with the process, or after the first output.
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        while show() {
            thread::sleep(PERIOD);
        }
    });
}

/// Writes a line on standard error that says which folder the command waits for, unless a program
/// reads the diagnostics.
pub(super) fn show_wait(folder: &Path) {
    end();
    if SHOWS_WAITS.load(Ordering::Relaxed) {
        let folder = visible_line(&folder.to_string_lossy());
        write(&format!(
            "waiting for the folder `{folder}`: another process has locked it (flock)\n"
        ));
    }
}

/// Erases the line permanently, because output follows.
pub(super) fn end() {
    if !IS_ON.swap(false, Ordering::Relaxed) {
        return;
    }
    let mut is_shown = IS_SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *is_shown) {
        write("\r\x1b[K");
    }
}

/// Writes the line. Returns false if it must not be written any more.
fn show() -> bool {
    let mut is_shown = IS_SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if !IS_ON.load(Ordering::Relaxed) {
        return false;
    }
    let read = read_so_far();
    let documents = documents_parsed();
    write(&format!(
        "\r\x1b[Kread {} files, {documents} documents",
        read.files
    ));
    *is_shown = true;
    true
}

fn write(text: &str) {
    let mut errors = io::stderr().lock();
    // Ignore the error: a closed terminal needs no line.
    let _ = errors.write_all(text.as_bytes());
    let _ = errors.flush();
}

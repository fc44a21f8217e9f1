//! The message about a bug in Inlay itself.
//!
//! No input should ever cause it. If one does, the message says that it is not the user's mistake
//! and what to report, instead of showing a backtrace. Scripts can recognize it by the exit code.

use std::panic::{self, PanicHookInfo};
use std::process;

use super::ending::BUG;
use crate::source::world::remove_temporaries;

/// Makes every panic of this process end it with a message and exit code 70.
pub fn report_faults() {
    panic::set_hook(Box::new(|panic| {
        eprintln!("{}", panic_message(panic));
        remove_temporaries();
        process::exit(i32::from(BUG));
    }));
}

/// Describes a panic.
fn panic_message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    // `panic!("text")` has a `&str` as its payload, `panic!("{x}")` a `String`.
    let text = match payload.downcast_ref::<&str>() {
        Some(text) => text,
        None => payload
            .downcast_ref::<String>()
            .map_or("no message", String::as_str),
    };
    match panic.location() {
        Some(place) => message(&format!("{text} ({}:{})", place.file(), place.line())),
        None => message(text),
    }
}

/// Returns the message about a bug, which `text` describes.
pub(super) fn message(text: &str) -> String {
    format!(
        "error[internal]: this is a bug in inlay, not a mistake in your files: {text}
 = note: the version is {}
 = help: please report it, with the command and, if possible, its input",
        env!("CARGO_PKG_VERSION"),
    )
}

//! The message about a bug in Inlay itself.
//!
//! No input should ever lead here. If one does, the user reads that it is not their mistake and
//! what to report, instead of a backtrace. Scripts can recognize it by the exit code.

use std::panic::{self, PanicHookInfo};
use std::process;

use super::ending::BUG;

/// Makes every panic of this process end it with a message and exit code 70.
pub fn report_faults() {
    panic::set_hook(Box::new(|panic| {
        eprintln!("{}", message(panic));
        process::exit(BUG);
    }));
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = match payload.downcast_ref::<&str>() {
        Some(text) => text,
        None => payload
            .downcast_ref::<String>()
            .map_or("no message", String::as_str),
    };
    let place = match panic.location() {
        Some(place) => format!(" ({}:{})", place.file(), place.line()),
        None => String::new(),
    };
    format!(
        "error[internal]: this is a bug in inlay, not a mistake in your files: {text}{place}
 = note: the version is {}
 = help: please report it, with the command and, if possible, its input",
        env!("CARGO_PKG_VERSION"),
    )
}

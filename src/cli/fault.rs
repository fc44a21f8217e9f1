//! What is said when the program itself is at fault.
//!
//! No input should ever lead here. If one does, the user learns that it is not their mistake and what to send, instead
//! of reading a backtrace, and a script can tell the fault from an error by the exit code.

use std::panic::{self, PanicHookInfo};
use std::process;

/// `EX_SOFTWARE` of `sysexits.h`.
const EXIT_CODE: i32 = 70;

/// From now on, ends the process with a message and exit code 70 where it would panic.
pub fn report_faults() {
    panic::set_hook(Box::new(|fault| {
        eprintln!("{}", message(fault));
        process::exit(EXIT_CODE);
    }));
}

fn message(fault: &PanicHookInfo<'_>) -> String {
    let payload = fault.payload();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message");
    let place = fault
        .location()
        .map(|place| format!(" ({}:{})", place.file(), place.line()))
        .unwrap_or_default();
    format!(
        "error[internal]: this is a fault in inlay, not in your files: {text}{place}
 = note: the version is {}
 = help: please report it, with the command and, if you can, its input",
        env!("CARGO_PKG_VERSION"),
    )
}

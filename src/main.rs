//! The `inlay` program: see [`inlay::cli`].
//!
//! One thing must happen before `main`: checking standard output. A caller may have closed it
//! (`inlay … >&-`), and the standard library replaces it with `/dev/null` when the process starts,
//! so that all output would be lost without an error.

#![allow(
    unsafe_code,
    reason = "`ctor` marks functions that run before `main`; nothing else here is unsafe"
)]

use std::sync::atomic::{AtomicBool, Ordering};

/// A tree consists of many small objects. This allocator creates and frees them in less than half
/// the time of the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Whether the caller closed standard output.
static IS_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Checks standard output. This runs before the standard library starts, so it does not use it.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look_at_output() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    IS_OUTPUT_CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}

fn main() {
    inlay::cli::main(IS_OUTPUT_CLOSED.load(Ordering::Relaxed))
}

//! The behavior of the program after a fault of its own.

#![cfg(test)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "the test panics on purpose"
)]

use std::env;
use std::process::Command;

#[test]
fn a_fault_ends_with_70_and_asks_for_a_report() {
    let output = Command::new(env::current_exe().expect("a test knows its program"))
        .args(["--exact", "panics", "--ignored", "--nocapture"])
        .output()
        .expect("the program can be started again");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(70), "{errors}");
    assert!(
        errors.contains("this is a bug in inlay, not a mistake in your files: on purpose"),
        "{errors}"
    );
    assert!(
        errors.contains(env!("CARGO_PKG_VERSION")) && errors.contains("please report"),
        "{errors}"
    );
    assert!(!errors.contains("backtrace"), "{errors}");
}

#[test]
#[ignore = "run by the other test, in a process of its own"]
fn panics() {
    inlay::cli::report_faults();
    panic!("on purpose");
}

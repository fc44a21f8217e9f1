//! The line that shows the progress of a long command: it appears on a terminal only, and is
//! removed before the output.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::process::{Command, Stdio};

/// Runs a command that waits for its input for some seconds, on its own terminal. Returns `None` if
/// there is no program that creates one. The line appears after one second. The input comes after
/// six, because a busy machine takes some seconds to start the command.
fn on_terminal(flags: &str, ci: &str) -> Option<String> {
    let line = format!(
        "(sleep 6; echo 'a: 1') | {} -f - {flags}",
        env!("CARGO_BIN_EXE_inlay")
    );
    let run = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("CI", ci)
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output();
    match run {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            eprintln!("note: skipped what needs the program `script`");
            None
        }
    }
}

#[test]
fn a_long_command_shows_a_line_and_erases_it() {
    let Some(shown) = on_terminal("", "") else {
        return;
    };
    let line = shown
        .find("\r\x1b[Kread 0 files, 0 documents")
        .expect("a line");
    let erased = shown.rfind("\r\x1b[K").expect("an erased line");
    let output = shown.find("a: 1").expect("the output");
    assert!(line < erased && erased < output, "{shown:?}");
}

#[test]
fn there_is_none_in_ci_with_quiet_and_without_a_terminal() {
    for (flags, ci) in [("--quiet", ""), ("", "true"), ("2>/dev/null", "")] {
        let Some(shown) = on_terminal(flags, ci) else {
            return;
        };
        assert_eq!(shown, "a: 1\r\n", "{flags} {ci}");
    }
}

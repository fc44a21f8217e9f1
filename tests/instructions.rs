//! Twice the input takes about twice the instructions, where the work is in a crate.
//!
//! `tests/scale.rs` counts steps and allocated bytes, which do not show what the `starlark` crate
//! does with the values that it gets. Instructions do, and are the same in every run.
//!
//! The test runs if valgrind is on `PATH`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "common"]
mod common {
    pub(crate) mod clients;
}

use std::fs;
use std::process::{Command, Stdio};

use common::clients::lacks_a_client;

/// The maximum factor, as in `tests/scale.rs`.
const MOST: f64 = 2.3;

/// Returns the instructions of a build with data values.
fn instructions(values: &str) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.yml"), "a: 1\n").expect("a file");
    fs::write(folder.path().join("values.yml"), values).expect("a file");
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(env!("CARGO_BIN_EXE_inlay"))
        .args(["--threads", "1", "-f", "a.yml"])
        .args(["--data-values-file", "values.yml"])
        .current_dir(folder.path())
        // Cargo sets this variable, and the loader would search the folders in it.
        .env_remove("LD_LIBRARY_PATH")
        .stdin(Stdio::null())
        .output()
        .expect("valgrind can be started");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}");
    let count = report
        .lines()
        .find_map(|line| line.split_once("refs:"))
        .map(|(_, count)| count.trim().replace(',', ""));
    let count = count.and_then(|count| count.parse().ok());
    count.unwrap_or_else(|| panic!("valgrind reports no instructions: {report}"))
}

#[test]
fn texts_of_eight_bytes_in_data_values() {
    if lacks_a_client("valgrind") {
        return;
    }
    let values = |size: usize| {
        let items: Vec<String> = (1_000..1_000 + size)
            .map(|at| format!("- item{at}\n"))
            .collect();
        format!("l: &l\n{}m: [*l, *l, *l]\n", items.concat())
    };
    let fixed = instructions(&values(1));
    let (once, twice) = (instructions(&values(1_500)), instructions(&values(3_000)));
    let ratio = (twice - fixed) as f64 / (once - fixed) as f64;
    println!("x{ratio:.2}");
    assert!(ratio < MOST, "x{ratio:.2}");
}

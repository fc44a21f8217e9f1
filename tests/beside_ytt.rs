//! The examples of ytt, rendered by ytt and by Inlay: the output has to be the same, byte for byte.
//! The test needs `ytt` on `PATH`.
//!
//! The lists of the corpus name the cases that differ on purpose and those that are not implemented
//! yet.

#[allow(dead_code, reason = "each test uses what it needs of them")]
mod common {
    pub(crate) mod clients;
    pub(crate) mod corpus_folder;
    pub(crate) mod differences;
    pub(crate) mod program;
}

use std::path::Path;
use std::process::Command;

use common::clients::lacks_a_client;
use common::corpus_folder::{files_below, find};
use common::differences::read_table;
use common::program::{Call, working_copy};
use libtest_mimic::Failed;
use serde_json::Value;

/// The suite whose inputs are rendered.
const SUITE: &str = "ytt/examples";

#[test]
fn every_example_renders_to_the_bytes_that_ytt_prints() -> Result<(), String> {
    if lacks_a_client("ytt") {
        return Ok(());
    }
    let Some(corpus) = find("beside_ytt") else {
        return Ok(());
    };
    let lists = ["tests/corpus-differences.txt", "tests/corpus-suites.txt"].map(read_table);
    let lists: Vec<_> = lists
        .into_iter()
        .collect::<Result<_, Failed>>()
        .map_err(said)?;
    let mut wrong = Vec::new();
    let mut compared = 0;
    for file in files_below(&corpus.join(SUITE)).map_err(|error| error.to_string())? {
        let (true, Some(folder)) = (file.ends_with("case.json"), file.parent()) else {
            continue;
        };
        let name = folder
            .strip_prefix(&corpus)
            .map_err(|error| error.to_string())?
            .to_string_lossy()
            .into_owned();
        if lists.iter().any(|list| list.contains_key(&name)) {
            continue;
        }
        compared += 1;
        if let Err(failure) = compare(folder) {
            wrong.push(format!("{name}: {}", said(failure)));
        }
    }
    assert!(compared > 0, "expected examples in the corpus, found none");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    Ok(())
}

fn said(failure: Failed) -> String {
    failure.message().unwrap_or("failed").to_owned()
}

/// Renders one example with both programs.
fn compare(case: &Path) -> Result<(), Failed> {
    let recording: Value = serde_json::from_str(&std::fs::read_to_string(case.join("case.json"))?)?;
    let arguments = recording["args"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let arguments: Vec<String> = arguments.map(str::to_owned).collect();
    let origin = case.join("in");
    let folder = working_copy(&origin, &files_below(&origin)?)?;
    let theirs = Command::new("ytt")
        .args(&arguments)
        .current_dir(folder.path())
        .output()?;
    let ours = Call {
        arguments,
        ..Call::default()
    }
    .run_in(folder.path())?;
    if !theirs.status.success() {
        return if ours.code == Some(0) {
            Err("ytt fails, and inlay does not".into())
        } else {
            Ok(())
        };
    }
    ours.ended_with(0)?;
    if theirs.stdout == ours.output.as_bytes() {
        return Ok(());
    }
    Err(format!(
        "ytt prints\n{}\ninlay prints\n{}",
        String::from_utf8_lossy(&theirs.stdout),
        ours.output
    )
    .into())
}

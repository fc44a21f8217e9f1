//! Cases that are folders: `case.json` (arguments, environment, input, exit code), `in/`, and
//! `stdout` or `stderr`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use serde::Deserialize;

use crate::Case;
use crate::common::compare::same_text;
use crate::common::corpus_folder::files_below;
use crate::common::named_lines::named_lines;
use crate::common::program::{Answer, Call, working_copy};

/// The folders of the corpus that contain suites of recorded cases.
const GROUPS: [&str; 3] = ["documents", "packages", "ytt"];

/// The content of `case.json`.
#[derive(Deserialize)]
struct Recording {
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    stdin: String,
    exit: i32,
}

/// Returns all recorded cases of the corpus.
pub(crate) fn cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let mut cases = Vec::new();
    for group in GROUPS {
        for file in files_below(&corpus.join(group))?
            .iter()
            .filter(|file| file.ends_with("case.json"))
        {
            let Some(folder) = file.parent() else {
                continue;
            };
            let name = folder.strip_prefix(corpus)?.to_string_lossy().into_owned();
            let (suite, name) = name.rsplit_once('/').ok_or("a case outside of a suite")?;
            let folder = folder.to_path_buf();
            let (suite, name) = (suite.to_owned(), name.to_owned());
            cases.push(Case {
                suite,
                name,
                lacks_a_client: false,
                run: Box::new(move || run(&folder)),
            });
        }
    }
    Ok(cases)
}

fn run(case: &Path) -> Result<(), Failed> {
    let recording: Recording = serde_json::from_str(&fs::read_to_string(case.join("case.json"))?)?;
    let origin = case.join("in");
    let files = files_below(&origin)?;
    let folder = working_copy(&origin, &files)?;
    let call = Call {
        arguments: recording.args,
        environment: recording.env.into_iter().collect(),
        input: recording.stdin,
    };
    let answer = call.run_in(folder.path())?;
    if recording.exit == 0 {
        answer.ended_with(0)?;
        return same_text(
            "standard output",
            &fs::read_to_string(case.join("stdout"))?,
            &answer.output,
        );
    }
    failed_like(&fs::read_to_string(case.join("stderr"))?, &answer, &files)
}

/// Fails unless the program failed and named at least the places that the recorded message names.
fn failed_like(recorded: &str, answer: &Answer, files: &[PathBuf]) -> Result<(), Failed> {
    if answer.code == Some(0) {
        return Err(format!("a failure expected, found exit code 0; recorded:\n{recorded}").into());
    }
    let files: BTreeSet<String> = files
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()))
        .collect();
    let found = named_lines(&answer.errors, &files);
    let missing: Vec<String> = named_lines(recorded, &files)
        .difference(&found)
        .cloned()
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let errors = &answer.errors;
    Err(format!(
        "places not named: {}; standard error:\n{errors}\nrecorded:\n{recorded}",
        missing.join(", ")
    )
    .into())
}

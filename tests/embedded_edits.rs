//! Edits inside strings, as a specification in folders: `testdata/embedded-edits`.
//!
//! A case has `config.yaml`, `resources.yaml`, and either `expected.yaml`, which is standard output
//! to the byte, or `error.txt`, which is standard error with `--diagnostics short`. Where one line
//! cannot show enough, `places.txt` lists the places that the human-readable form must show.
//! `UPDATE=1` records the current results, but no `places.txt`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

mod common {
    pub(crate) mod compare;
    pub(crate) mod named_lines;
    pub(crate) mod program;
}

use common::compare::same_text;
use common::named_lines::named_lines;
use common::program::{Answer, Call, working_copy};

const CASES: &str = "testdata/embedded-edits";
const INPUTS: [&str; 2] = ["config.yaml", "resources.yaml"];
const EXPECTED: &str = "expected.yaml";
const ERROR: &str = "error.txt";
const PLACES: &str = "places.txt";

fn main() -> ExitCode {
    let update = env::var_os("UPDATE").is_some_and(|value| value == "1");
    match case_folders() {
        Ok(folders) => {
            let trials = folders
                .into_iter()
                .map(|folder| trial(folder, update))
                .collect();
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
        Err(error) => {
            eprintln!("embedded_edits: {CASES}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn case_folders() -> io::Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let mut folders = fs::read_dir(root)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    folders.sort();
    Ok(folders)
}

fn trial(folder: PathBuf, update: bool) -> Trial {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Trial::test(name, move || {
        let answer = answer(&folder, "short")?;
        if update {
            record(&folder, &answer)
        } else {
            check(&folder, &answer)
        }
    })
}

fn answer(folder: &Path, diagnostics: &str) -> Result<Answer, Failed> {
    let copy = working_copy(folder, &INPUTS.map(|file| folder.join(file)))?;
    Call::new(&[
        "run",
        "--diagnostics",
        diagnostics,
        "config.yaml",
        "resources.yaml",
    ])
    .run_in(copy.path())
}

fn check(folder: &Path, answer: &Answer) -> Result<(), Failed> {
    let (expected, error) = (folder.join(EXPECTED), folder.join(ERROR));
    match (expected.exists(), error.exists()) {
        (true, false) => {
            answer.ended_with(0)?;
            same_text(
                "standard output",
                &fs::read_to_string(expected)?,
                &answer.output,
            )
        }
        (false, true) => {
            answer.ended_with(1)?;
            same_text("standard output of a failure", "", &answer.output)?;
            same_text(
                "standard error",
                &fs::read_to_string(error)?,
                &answer.errors,
            )?;
            shows_places(folder)
        }
        _ => Err(format!("a case has either {EXPECTED} or {ERROR}").into()),
    }
}

/// Fails unless the human-readable form shows every place in `places.txt`, if that file exists.
fn shows_places(folder: &Path) -> Result<(), Failed> {
    let list = folder.join(PLACES);
    if !list.exists() {
        return Ok(());
    }
    let expected: BTreeSet<String> = fs::read_to_string(list)?
        .lines()
        .map(str::to_owned)
        .collect();
    let errors = answer(folder, "human")?.errors;
    let found = named_lines(&errors, &INPUTS.map(str::to_owned).into());
    if expected.is_subset(&found) {
        return Ok(());
    }
    Err(
        format!("places expected: {expected:?}, found: {found:?}; standard error:\n{errors}")
            .into(),
    )
}

fn record(folder: &Path, answer: &Answer) -> Result<(), Failed> {
    let (keep, text, drop) = match answer.code {
        Some(0) => (EXPECTED, &answer.output, ERROR),
        Some(1) => (ERROR, &answer.errors, EXPECTED),
        _ => return answer.ended_with(0),
    };
    fs::write(folder.join(keep), text)?;
    match fs::remove_file(folder.join(drop)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

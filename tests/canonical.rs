//! Canonical printing compared with the corpus, byte for byte: plain YAML files are printed as ytt
//! prints them, and the output of ytt is printed unchanged.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inlay::source::Source;
use inlay::yaml::{Node, canonical, parse};
use serde_json::Value;

/// A successful case of the corpus.
struct Case {
    folder: PathBuf,
    args: Vec<String>,
    stdout: String,
}

/// Returns the cases under `INLAY_CORPUS`, or `shared/corpus` beside the checkout; `None` if there
/// is no corpus.
fn cases() -> Option<Vec<Case>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let corpus = std::env::var_os("INLAY_CORPUS").map_or(beside, PathBuf::from);
    if !corpus.is_dir() {
        println!("left out: no corpus beside the checkout and no INLAY_CORPUS");
        return None;
    }
    let mut folders = Vec::new();
    case_folders(&corpus.join("ytt"), &mut folders);
    Some(
        folders
            .iter()
            .filter_map(|folder| read_case(folder))
            .collect(),
    )
}

fn case_folders(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("case.json").is_file() {
        found.push(folder.to_owned());
        return;
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    entries
        .iter()
        .filter(|path| path.is_dir())
        .for_each(|path| case_folders(path, found));
}

fn read_case(folder: &Path) -> Option<Case> {
    let case: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("case.json")).unwrap()).unwrap();
    let args = case["args"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let stdout = std::fs::read_to_string(folder.join("stdout")).ok()?;
    (case["exit"] == 0).then(|| Case {
        folder: folder.to_owned(),
        args,
        stdout,
    })
}

/// Returns the inputs of a case that only prints YAML files: its arguments are `-f` and files
/// without templates.
fn plain_inputs(case: &Case) -> Option<Vec<String>> {
    let pairs = case.args.chunks(2);
    if case.args.is_empty()
        || !pairs
            .clone()
            .all(|pair| matches!(pair, [flag, _] if flag == "-f"))
    {
        return None;
    }
    pairs
        .map(|pair| plain_input(&case.folder.join("in"), pair.get(1)?))
        .collect()
}

fn plain_input(folder: &Path, file: &str) -> Option<String> {
    let (name, path) = file.split_once('=').unwrap_or((file, file));
    let text = std::fs::read_to_string(folder.join(path)).ok()?;
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    (is_yaml && !text.contains("#@") && !text.contains("#!")).then_some(text)
}

fn print(inputs: &[String]) -> Result<String, String> {
    let mut roots: Vec<Arc<Node>> = Vec::new();
    for input in inputs {
        let source =
            Source::new("input.yml", input.as_str()).map_err(|length| format!("{length} bytes"))?;
        let stream = parse(&source).map_err(|diagnostic| diagnostic.message)?;
        roots.extend(stream.documents.into_iter().map(|document| document.root));
    }
    canonical(&roots).map_err(|diagnostic| diagnostic.message)
}

/// Prints the inputs of a case and compares the output; adds a failure to `wrong`.
fn compare(case: &Case, inputs: &[String], wrong: &mut Vec<String>) {
    match print(inputs) {
        Ok(printed) if printed == case.stdout => {}
        Ok(printed) => {
            wrong.push(format!(
                "{}: expected\n{}\nfound\n{printed}",
                case.folder.display(),
                case.stdout
            ));
        }
        Err(message) => wrong.push(format!("{}: {message}", case.folder.display())),
    }
}

#[test]
fn plain_yaml_is_printed_as_ytt_prints_it() {
    let Some(cases) = cases() else { return };
    let (mut compared, mut wrong) = (0, Vec::new());
    for case in &cases {
        let Some(inputs) = plain_inputs(case) else {
            continue;
        };
        compared += 1;
        compare(case, &inputs, &mut wrong);
    }
    println!("compared {compared} of {} cases", cases.len());
    assert!(
        compared > 0,
        "expected plain cases in the corpus, found none"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_ytt_printed_is_printed_the_same_again() {
    let Some(cases) = cases() else { return };
    let mut wrong = Vec::new();
    // The output of `fmt` keeps the layout of its input, and JSON has another layout.
    let is_canonical = |case: &&Case| !case.args.iter().any(|arg| arg == "fmt" || arg == "json");
    for case in cases.iter().filter(is_canonical) {
        compare(case, std::slice::from_ref(&case.stdout), &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "{} wrong of {}\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n\n")
    );
}

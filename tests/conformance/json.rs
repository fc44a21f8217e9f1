//! JSONTestSuite: texts named `y_` must be accepted, `n_` rejected, and `i_` may be either. An
//! accepted text is printed unchanged, byte for byte.

use std::fs;
use std::path::Path;

use inlay::source::Source;
use inlay::yaml::{faithful, parse_json};
use libtest_mimic::Failed;

use super::SuiteCase;
use super::corpus_folder::files_below;

pub(super) fn cases(folder: &Path) -> Result<Vec<SuiteCase>, Failed> {
    let mut cases = Vec::new();
    for path in files_below(folder)? {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let bytes = fs::read(&path)?;
        let verdict = name.clone();
        cases.push(SuiteCase::new("json", &name, move || {
            check(&verdict, &bytes)
        }));
    }
    Ok(cases)
}

fn check(name: &str, bytes: &[u8]) -> Result<(), Failed> {
    let accepted = match std::str::from_utf8(bytes) {
        Ok(text) => is_read_and_printed_unchanged(text)?,
        // Such files are rejected before they reach a parser.
        Err(_) => false,
    };
    match (name.split('_').next(), accepted) {
        (Some("y"), false) => Err("valid JSON was refused".into()),
        (Some("n"), true) => Err("invalid JSON was read".into()),
        _ => Ok(()),
    }
}

fn is_read_and_printed_unchanged(text: &str) -> Result<bool, Failed> {
    let source =
        Source::new("case.json", text).map_err(|bytes| format!("too long: {bytes} bytes"))?;
    let Ok(stream) = parse_json(&source) else {
        return Ok(false);
    };
    let roots: Vec<_> = stream
        .documents
        .iter()
        .map(|document| document.root.clone())
        .collect();
    if faithful::print(&stream, &roots) != text {
        return Err("a text that was not edited was printed differently".into());
    }
    Ok(true)
}

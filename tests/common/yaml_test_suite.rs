//! The YAML project's own test suite, in its source form.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use serde::Deserialize;

/// The verdict of the suite on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A parser has to accept it.
    Valid,
    /// A parser has to reject it.
    Invalid,
    /// The suite itself skips it: it is valid, but will not be in the next version of YAML.
    Undecided,
}

/// One text of the suite.
pub(crate) struct SuiteCase {
    /// The name of the file and the index within it: `2G84/0`.
    pub(crate) name: String,
    /// The YAML text.
    pub(crate) text: String,
    /// The suite's verdict.
    pub(crate) verdict: Verdict,
}

/// A case as its file declares it. A field that a case omits has the value of the first case in the
/// file.
#[derive(Deserialize)]
struct Written {
    yaml: String,
    #[serde(default)]
    fail: bool,
    #[serde(default)]
    skip: bool,
}

/// Reads every case of the suite in `folder`.
pub(crate) fn read(folder: &Path) -> Result<Vec<SuiteCase>, Failed> {
    let mut files = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let written: Vec<Written> = yaml_serde::from_str(&fs::read_to_string(&file)?)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let skipped = written.first().is_some_and(|case| case.skip);
        for (index, case) in written.into_iter().enumerate() {
            let verdict = match (skipped, case.fail) {
                (true, _) => Verdict::Undecided,
                (false, true) => Verdict::Invalid,
                (false, false) => Verdict::Valid,
            };
            cases.push(SuiteCase {
                name: format!("{stem}/{index}"),
                text: invisible(&case.yaml),
                verdict,
            });
        }
    }
    Ok(cases)
}

/// Replaces the visible stand-ins that the suite uses for invisible characters: `␣` is a space, `»`
/// a tab with any dashes before it, `↵` a line end that is present anyway, `←` a carriage return,
/// `⇔` a byte order mark, and `∎` no final newline.
fn invisible(shown: &str) -> String {
    let shown = shown.strip_suffix("∎\n").unwrap_or(shown);
    let mut text = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '␣' => text.push(' '),
            '»' => {
                text.truncate(text.trim_end_matches('—').len());
                text.push('\t');
            }
            '↵' => {}
            '←' => text.push('\r'),
            '⇔' => text.push('\u{feff}'),
            other => text.push(other),
        }
    }
    text
}

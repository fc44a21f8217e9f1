//! Deliberate differences: lists with a reason for each, which cannot become outdated.
//!
//! A case that fails must be listed, and a listed case must fail: a change that fixes it has to
//! remove it from the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use libtest_mimic::Failed;

/// A list with one `case | reason` per line. Lines that start with `#` are comments.
pub(crate) struct Differences {
    file: &'static str,
    reasons: BTreeMap<String, String>,
}

impl Differences {
    /// Reads the list at `file`, a path in the repository.
    pub(crate) fn read(file: &'static str) -> Result<Differences, Failed> {
        Ok(Differences {
            file,
            reasons: read_table(file)?,
        })
    }

    /// Creates a list from entries that were read from `file`.
    #[allow(
        dead_code,
        reason = "not every test that has differences has cases that wait"
    )]
    pub(crate) fn new(file: &'static str, reasons: BTreeMap<String, String>) -> Differences {
        Differences { file, reasons }
    }

    /// Returns the number of listed cases.
    #[allow(
        dead_code,
        reason = "not every test that has differences has cases that wait"
    )]
    pub(crate) fn count(&self) -> usize {
        self.reasons.len()
    }

    /// Returns whether `case` is listed.
    #[allow(dead_code, reason = "only suites that print totals ask")]
    pub(crate) fn lists(&self, case: &str) -> bool {
        self.reasons.contains_key(case)
    }

    /// Converts the outcome of a case into the outcome of its test: a listed case has to fail, and
    /// every other has to pass.
    pub(crate) fn judge(&self, case: &str, outcome: Result<(), Failed>) -> Result<(), Failed> {
        match (outcome, self.reasons.get(case)) {
            (outcome, None) => outcome,
            (Err(_), Some(_)) => Ok(()),
            (Ok(()), Some(reason)) => Err(format!(
                "{} lists this case ({reason}), but there is no difference: take it off",
                self.file
            )
            .into()),
        }
    }

    /// Fails on a listed case that does not exist.
    pub(crate) fn all_exist(&self, cases: &BTreeSet<String>) -> Result<(), Failed> {
        let unknown: Vec<_> = self
            .reasons
            .keys()
            .filter(|case| !cases.contains(*case))
            .map(String::as_str)
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        Err(format!(
            "{} lists cases that do not exist: {}",
            self.file,
            unknown.join(", ")
        )
        .into())
    }
}

/// Reads lines of the form `name | text`.
pub(crate) fn read_table(file: &str) -> Result<BTreeMap<String, String>, Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut table = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
    {
        let (name, rest) = line
            .split_once('|')
            .ok_or_else(|| format!("{file}: no `|` in: {line}"))?;
        let (name, rest) = (name.trim(), rest.trim());
        if name.is_empty() || rest.is_empty() {
            return Err(format!("{file}: a name and a text expected in: {line}").into());
        }
        if table.insert(name.to_owned(), rest.to_owned()).is_some() {
            return Err(format!("{file}: {name} is listed twice").into());
        }
    }
    Ok(table)
}

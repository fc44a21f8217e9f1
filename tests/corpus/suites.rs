//! The suites of the corpus that have to pass, and their cases that are not implemented yet.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Failed;

use crate::common::differences::{Differences, read_table};

const FILE: &str = "tests/corpus-suites.txt";

/// The list. A line is `suite | on` or `suite | later: reason`; for a single case of a suite that
/// is on, it is `suite/case | later: reason`.
pub(crate) struct Suites {
    demanded: BTreeMap<String, bool>,
    waiting: BTreeMap<String, String>,
}

impl Suites {
    /// Reads the list.
    pub(crate) fn read() -> Result<Suites, Failed> {
        let (mut demanded, mut waiting) = (BTreeMap::new(), BTreeMap::new());
        for (name, state) in read_table(FILE)? {
            let is_case = name.split('/').count() > 2;
            match state.split_once(':') {
                None if state == "on" && !is_case => _ = demanded.insert(name, true),
                Some(("later", reason)) if !reason.trim().is_empty() => match is_case {
                    true => _ = waiting.insert(name, reason.trim().to_owned()),
                    false => _ = demanded.insert(name, false),
                },
                _ => {
                    return Err(format!(
                        "{FILE}: `on` or `later: reason` expected for {name}, found {state}"
                    )
                    .into());
                }
            }
        }
        let on = |case: &&String| {
            case.rsplit_once('/')
                .is_none_or(|(suite, _)| demanded.get(suite) != Some(&true))
        };
        match waiting.keys().find(on) {
            Some(case) => Err(format!("{FILE} lists {case}, whose suite is not on").into()),
            None => Ok(Suites { demanded, waiting }),
        }
    }

    /// Returns the postponed cases. They are known differences until then, so one that passes has
    /// to be removed from the list.
    pub(crate) fn waiting(&self) -> Differences {
        Differences::new(FILE, self.waiting.clone())
    }

    /// Returns whether the cases of `suite` must pass.
    pub(crate) fn demands(&self, suite: &str) -> bool {
        self.demanded.get(suite).copied().unwrap_or(false)
    }

    /// Fails unless the list names exactly the suites of the corpus.
    pub(crate) fn all_listed<'a>(
        &self,
        suites: impl Iterator<Item = &'a str>,
    ) -> Result<(), Failed> {
        let listed: BTreeSet<&str> = self.demanded.keys().map(String::as_str).collect();
        let found: BTreeSet<&str> = suites.collect();
        let wrong: Vec<&str> = listed.symmetric_difference(&found).copied().collect();
        if wrong.is_empty() {
            return Ok(());
        }
        Err(format!("{FILE} and the corpus disagree on: {}", wrong.join(", ")).into())
    }
}

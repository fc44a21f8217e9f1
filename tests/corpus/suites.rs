//! Which suites of the corpus are demanded.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Failed;

use crate::common::differences::read_table;

const FILE: &str = "tests/corpus-suites.txt";

/// The list of suites: `suite | on`, or `suite | later: reason`.
pub(crate) struct Suites {
    demanded: BTreeMap<String, bool>,
}

impl Suites {
    /// Reads the list.
    pub(crate) fn read() -> Result<Suites, Failed> {
        let mut demanded = BTreeMap::new();
        for (suite, state) in read_table(FILE)? {
            let on = match state.split_once(':') {
                None if state == "on" => true,
                Some(("later", reason)) if !reason.trim().is_empty() => false,
                _ => return Err(format!("{FILE}: `on` or `later: reason` expected for {suite}, found {state}").into()),
            };
            demanded.insert(suite, on);
        }
        Ok(Suites { demanded })
    }

    /// Whether the cases of `suite` must pass.
    pub(crate) fn demands(&self, suite: &str) -> bool {
        self.demanded.get(suite).copied().unwrap_or(false)
    }

    /// Fails unless the list names just the suites that the corpus has.
    pub(crate) fn all_listed<'a>(&self, suites: impl Iterator<Item = &'a str>) -> Result<(), Failed> {
        let listed: BTreeSet<&str> = self.demanded.keys().map(String::as_str).collect();
        let found: BTreeSet<&str> = suites.collect();
        let wrong: Vec<&str> = listed.symmetric_difference(&found).copied().collect();
        if wrong.is_empty() {
            return Ok(());
        }
        Err(format!("{FILE} and the corpus disagree on: {}", wrong.join(", ")).into())
    }
}

//! The recorded corpus: the output of ytt and kustomize for their own inputs, and the behavior that
//! the documents describe.
//!
//! `corpus-suites.txt` lists the suites that have to pass, and the cases of them that are not
//! implemented yet; `corpus-differences.txt` lists the cases that differ on purpose. Nothing is
//! left out silently: postponed cases are counted, and a postponed case that passes, or a suite
//! that no list names, fails the run.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "../common"]
mod common {
    pub(crate) mod clients;
    pub(crate) mod compare;
    pub(crate) mod corpus_folder;
    pub(crate) mod differences;
    pub(crate) mod named_lines;
    pub(crate) mod program;
}

mod builds;
mod by_value;
mod generators;
mod harness;
mod kustomization;
mod recorded;
mod replacements;
mod suites;

use common::corpus_folder;
use common::differences::Differences;
use suites::Suites;

/// A case of any suite: its name and a function that runs it.
pub(crate) struct Case {
    suite: String,
    name: String,
    /// Whether the case needs a client that is missing. It is then ignored.
    lacks_a_client: bool,
    run: Box<dyn FnOnce() -> Result<(), Failed> + Send>,
}

fn main() -> ExitCode {
    match trials() {
        Ok(trials) => libtest_mimic::run(&Arguments::from_args(), trials).exit_code(),
        Err(failure) => {
            eprintln!("corpus: {}", failure.message().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Failed> {
    let mut trials = harness::trials();
    let Some(folder) = corpus_folder::find("corpus") else {
        return Ok(trials);
    };
    let suites = Suites::read()?;
    let differences = Arc::new(Differences::read("tests/corpus-differences.txt")?);

    let mut cases = recorded::cases(&folder)?;
    cases.extend(replacements::cases(&folder)?);
    cases.extend(generators::cases(&folder)?);
    cases.extend(builds::cases(&folder)?);
    suites.all_listed(cases.iter().map(|case| case.suite.as_str()))?;
    let names: BTreeSet<String> = cases.iter().map(Case::full_name).collect();
    if names.len() < cases.len() {
        return Err("two cases have the same name".into());
    }
    differences.all_exist(&names)?;
    let single = Arc::new(suites.waiting());
    single.all_exist(&names)?;

    let (demanded, waiting): (Vec<Case>, Vec<Case>) = cases
        .into_iter()
        .partition(|case| suites.demands(&case.suite));
    if !waiting.is_empty() {
        let suites: BTreeSet<&str> = waiting.iter().map(|case| case.suite.as_str()).collect();
        let (cases, suites) = (waiting.len(), suites.len());
        let single = single.count();
        eprintln!(
            "corpus: {cases} cases of {suites} suites, and {single} of other suites, wait for later parts (tests/corpus-suites.txt)"
        );
    }
    trials.extend(
        demanded
            .into_iter()
            .map(|case| case.into_trial(Arc::clone(&single), Arc::clone(&differences))),
    );
    Ok(trials)
}

impl Case {
    fn full_name(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }

    /// Creates the trial of a case. A postponed case has to fail, and so does one that differs on
    /// purpose.
    fn into_trial(self, waiting: Arc<Differences>, differences: Arc<Differences>) -> Trial {
        let name = self.full_name();
        let case = name.clone();
        let ignored = self.lacks_a_client;
        Trial::test(name, move || {
            differences.judge(&case, waiting.judge(&case, (self.run)()))
        })
        .with_ignored_flag(ignored)
    }
}

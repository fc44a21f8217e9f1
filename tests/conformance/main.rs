//! Public conformance suites: JSONPath, JSON Patch, JSON and TOML.
//!
//! The suites are data of the corpus and not part of the repository. Each case is a trial.
//! `conformance-differences.txt` lists the cases in which Inlay differs, each with its reason: a
//! case that differs has to be listed, and a listed case has to differ. The list can therefore only
//! shrink, unless a new difference is justified.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "../common/corpus_folder.rs"]
mod corpus_folder;
#[path = "../common/differences.rs"]
mod differences;
mod json;
mod json_patch;
mod json_path;
mod toml;

#[path = "../common/program.rs"]
mod program;

use differences::Differences;

const DIFFERENCES: &str = "tests/conformance-differences.txt";

/// One case of a suite.
struct SuiteCase {
    /// `suite/case`.
    name: String,
    check: Box<dyn Fn() -> Result<(), Failed> + Send>,
}

impl SuiteCase {
    fn new(
        suite: &str,
        name: &str,
        check: impl Fn() -> Result<(), Failed> + Send + 'static,
    ) -> SuiteCase {
        // In the list of differences, `|` separates the name from the reason.
        let name = name.replace('|', "/").replace(['\n', '\r'], " ");
        SuiteCase {
            name: format!("{suite}/{}", name.trim()),
            check: Box::new(check),
        }
    }
}

fn main() -> ExitCode {
    match trials() {
        Ok(trials) => libtest_mimic::run(&Arguments::from_args(), trials).exit_code(),
        Err(failure) => {
            eprintln!("conformance: {}", failure.message().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Failed> {
    let Some(corpus) = corpus_folder::find("conformance") else {
        return Ok(Vec::new());
    };
    let suites = corpus.join("suites");
    let mut cases = json_path::cases(&suites.join("jsonpath"))?;
    cases.extend(json_patch::cases(&suites.join("json-patch"))?);
    cases.extend(json::cases(&suites.join("json"))?);
    cases.extend(toml::cases(&suites.join("toml"))?);
    number_equal_names(&mut cases);

    let differences = Arc::new(Differences::read(DIFFERENCES)?);
    let names: BTreeSet<String> = cases.iter().map(|case| case.name.clone()).collect();
    differences.all_exist(&names)?;
    print_totals(&names, &differences);
    Ok(cases
        .into_iter()
        .map(|case| trial(case, &differences))
        .collect())
}

fn trial(case: SuiteCase, differences: &Arc<Differences>) -> Trial {
    let differences = Arc::clone(differences);
    let SuiteCase { name, check } = case;
    Trial::test(name.clone(), move || differences.judge(&name, check()))
}

/// Appends a number to names that occur more than once, so that each case can be listed.
fn number_equal_names(cases: &mut [SuiteCase]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases {
        let count = seen.entry(case.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            case.name = format!("{} #{count}", case.name);
        }
    }
}

/// Prints `suite: passed/total` for each suite. A case that is not listed as a difference must
/// pass.
fn print_totals(names: &BTreeSet<String>, differences: &Differences) {
    let mut totals: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for name in names {
        let suite = name.split('/').next().unwrap_or_default();
        let (passed, total) = totals.entry(suite).or_default();
        *total += 1;
        *passed += usize::from(!differences.lists(name));
    }
    for (suite, (passed, total)) in totals {
        println!("conformance: {suite}: {passed}/{total}");
    }
}

/// Reads a file of a suite.
fn read(path: &Path) -> Result<String, Failed> {
    Ok(std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?)
}

//! kustomize's own replacement tests: `kustomize/replacements.json`.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use serde::Deserialize;
use tempfile::TempDir;

use crate::Case;
use crate::by_value::same_documents;
use crate::common::compare::same_text;
use crate::common::program::Call;

/// The tests that edit documents inside strings. They assert that upstream re-formats the text, so
/// they are compared by value.
const STRUCTURED: &str = "TestValueInlineStructuredData";

/// Other tests whose expected text upstream has re-formatted: lists that are indented in the input
/// are compact in the output.
const REFORMATTED: [&str; 3] = [
    "multiple field paths in target",
    "issue4761 - path not in target with create: true",
    "issue4761 - wildcard solution",
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    suite: String,
    name: String,
    input: String,
    replacements: String,
    expected: String,
    expected_err: String,
}

/// Returns all replacement tests.
pub(crate) fn cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let text = fs::read_to_string(corpus.join("kustomize/replacements.json"))?;
    let tests: Vec<Replacement> = serde_json::from_str(&text)?;
    Ok(tests.into_iter().map(Replacement::into_case).collect())
}

impl Replacement {
    fn into_case(self) -> Case {
        let suite = "kustomize/replacements".to_owned();
        Case {
            suite,
            name: self.name.clone(),
            lacks_a_client: false,
            run: Box::new(move || self.run()),
        }
    }

    fn run(&self) -> Result<(), Failed> {
        let folder = TempDir::new()?;
        fs::write(folder.path().join("resources.yaml"), &self.input)?;
        fs::write(folder.path().join("config.yaml"), self.config())?;
        let answer = Call::new(&["run", "config.yaml", "resources.yaml"]).run_in(folder.path())?;
        if self.expected_err.is_empty() {
            answer.ended_with(0)?;
            return self.compare(&answer.output);
        }
        answer.ended_with(1)?;
        says_key_phrases(&self.expected_err, &answer.errors)
    }

    /// Returns a configuration of Inlay's own kind with the replacements.
    fn config(&self) -> String {
        let mut config =
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: case\nspec:\n"
                .to_owned();
        for line in self.replacements.lines() {
            config.extend(["  ", line, "\n"]);
        }
        config
    }

    /// Compares as upstream's own tests do, which ignore the blank lines around texts.
    fn compare(&self, output: &str) -> Result<(), Failed> {
        if self.suite == STRUCTURED || REFORMATTED.contains(&self.name.as_str()) {
            return same_documents(&self.expected, output);
        }
        same_text("standard output", self.expected.trim(), output.trim())
    }
}

/// Fails unless `errors` contains every phrase of `expected`.
fn says_key_phrases(expected: &str, errors: &str) -> Result<(), Failed> {
    let missing: Vec<String> = key_phrases(expected)
        .into_iter()
        .filter(|phrase| !errors.contains(phrase.as_str()))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(
        format!("not said: {missing:?}; standard error:\n{errors}\nkustomize says:\n{expected}")
            .into(),
    )
}

/// Returns the pieces of an error text that any equivalent message has to contain: the parts
/// between quotes, without kustomize's notation for an object
/// (`Deployment.[noVer].[noGrp]/[noName].[noNs]`).
fn key_phrases(error: &str) -> Vec<String> {
    let mut phrases = Vec::new();
    for piece in error.split(['`', '"']) {
        let words: Vec<&str> = piece.split_whitespace().collect();
        let runs = words.split(|word| word.contains(".[no"));
        phrases.extend(runs.map(|words| words.join(" ").trim_end_matches(':').to_owned()));
    }
    phrases.retain(|phrase| phrase.len() > 1);
    phrases
}

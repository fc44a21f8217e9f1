//! The YAML layer over every text of the corpus: the YAML project's own suite, and every YAML file.
//!
//! A valid text is parsed, each of its scalars can be traced to its bytes, and it is printed
//! unchanged; an invalid one is rejected. `yaml-suite-differences.txt` lists the exceptions. For
//! files, libyaml decides which are valid, because ytt and kustomize use its parser.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use inlay::source::Source;
use inlay::yaml::{Content, Node, Stream, faithful, parse, spelling};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde::de::IgnoredAny;

mod common {
    pub(crate) mod compare;
    pub(crate) mod corpus_folder;
    pub(crate) mod differences;
    pub(crate) mod yaml_test_suite;
}

use common::compare::same_text;
use common::corpus_folder;
use common::differences::Differences;
use common::yaml_test_suite::{self, Verdict};

/// A text, and the verdict on whether it has to parse.
struct Case {
    name: String,
    text: String,
    verdict: Verdict,
}

fn main() -> ExitCode {
    match trials() {
        Ok(trials) => libtest_mimic::run(&Arguments::from_args(), trials).exit_code(),
        Err(failure) => {
            eprintln!("yaml_suite: {}", failure.message().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Failed> {
    let Some(folder) = corpus_folder::find("yaml_suite") else {
        return Ok(Vec::new());
    };
    let differences = Arc::new(Differences::read("tests/yaml-suite-differences.txt")?);
    let mut cases = suite_cases(&folder)?;
    cases.extend(file_cases(&folder)?);
    differences.all_exist(
        &cases
            .iter()
            .map(|case| case.name.clone())
            .collect::<BTreeSet<_>>(),
    )?;
    let trial = |case: Case| {
        let differences = Arc::clone(&differences);
        Trial::test(case.name.clone(), move || {
            differences.judge(&case.name, check(&case))
        })
    };
    Ok(cases.into_iter().map(trial).collect())
}

fn suite_cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let suite = yaml_test_suite::read(&corpus.join("yaml-test-suite"))?;
    let case = |case: yaml_test_suite::SuiteCase| {
        let name = format!("yaml-test-suite/{}", case.name);
        Case {
            name,
            text: case.text,
            verdict: case.verdict,
        }
    };
    Ok(suite.into_iter().map(case).collect())
}

/// Returns every YAML file of the corpus that is UTF-8.
fn file_cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let mut cases = Vec::new();
    for path in corpus_folder::files_below(corpus)? {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("yml" | "yaml")) {
            continue;
        }
        let Ok(text) = String::from_utf8(fs::read(&path)?) else {
            continue;
        };
        let name = format!("files/{}", path.strip_prefix(corpus)?.display());
        let verdict = if libyaml_accepts(&text) {
            Verdict::Valid
        } else {
            Verdict::Undecided
        };
        cases.push(Case {
            name,
            text,
            verdict,
        });
    }
    Ok(cases)
}

fn libyaml_accepts(text: &str) -> bool {
    yaml_serde::Deserializer::from_str(text)
        .all(|document| IgnoredAny::deserialize(document).is_ok())
}

fn check(case: &Case) -> Result<(), Failed> {
    let source = Source::new(case.name.as_str(), case.text.as_str())
        .map_err(|size| format!("{size} bytes"))?;
    match (parse(&source), case.verdict) {
        (Ok(_), Verdict::Invalid) => {
            Err(format!("a refusal expected, but it parses:\n{}", case.text).into())
        }
        (Ok(stream), _) => check_stream(&stream),
        (Err(_), Verdict::Invalid | Verdict::Undecided) => Ok(()),
        (Err(diagnostic), Verdict::Valid) => {
            Err(format!("refused: {}\n{}", diagnostic.message, case.text).into())
        }
    }
}

fn check_stream(stream: &Stream) -> Result<(), Failed> {
    let roots: Vec<Arc<Node>> = stream
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect();
    same_text(
        "the text printed without an edit",
        stream.source.text(),
        &faithful::print(stream, &roots),
    )?;
    let mut untraced = Vec::new();
    for document in &stream.documents {
        collect_untraced(&document.root, &mut untraced);
    }
    if untraced.is_empty() {
        return Ok(());
    }
    Err(format!(
        "scalars that cannot be traced to their bytes:\n{}",
        untraced.join("\n")
    )
    .into())
}

/// Collects descriptions of the scalars whose text, decoded from their own bytes, differs from the
/// parser's result. The parser limits the depth.
fn collect_untraced(node: &Node, untraced: &mut Vec<String>) {
    match &node.content {
        Content::Scalar(scalar) => {
            if spelling::decode(node).is_none() {
                let place = node.location().map(|location| location.line_column());
                untraced.push(format!(
                    "{place:?} {:?} read as {:?}",
                    scalar.style,
                    node.text()
                ));
            }
        }
        Content::Sequence(sequence) => {
            sequence
                .items
                .iter()
                .for_each(|item| collect_untraced(&item.value, untraced));
        }
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                collect_untraced(&entry.key, untraced);
                collect_untraced(&entry.value, untraced);
            }
        }
        Content::Alias(_) => {}
    }
}

//! The JSONPath compliance test suite of RFC 9535.
//!
//! In Inlay, a path that matches nothing is an error on purpose (a build must not silently do
//! nothing), so an empty result in the suite corresponds to that error.

use std::path::Path;

use inlay::edit::{EditOptions, FieldPath, find};
use inlay::source::Source;
use inlay::yaml::{Node, canonical_json, parse_json};
use libtest_mimic::Failed;
use serde_json::Value;

use super::json_patch::is_equal;
use super::{SuiteCase, read};

pub(super) fn cases(folder: &Path) -> Result<Vec<SuiteCase>, Failed> {
    let suite: Value = serde_json::from_str(&read(&folder.join("cts.json"))?)?;
    let tests = suite["tests"].as_array().cloned().unwrap_or_default();
    let mut cases = Vec::new();
    for case in tests {
        let name = case["name"].as_str().unwrap_or_default().to_owned();
        cases.push(SuiteCase::new("jsonpath", &name, move || check(&case)));
    }
    Ok(cases)
}

fn check(case: &Value) -> Result<(), Failed> {
    let selector = case["selector"].as_str().unwrap_or_default();
    let path = FieldPath::parse(selector);
    if case["invalid_selector"] == true {
        // A text without `$` is a path of kustomize's language.
        return match path {
            Ok(_) if selector.starts_with('$') => Err("an invalid path was accepted".into()),
            _ => Ok(()),
        };
    }
    let path = path.map_err(|error| format!("a valid path was refused: {error:?}"))?;
    let source = Source::new("document.json", case["document"].to_string())
        .map_err(|bytes| format!("too long: {bytes} bytes"))?;
    let stream = parse_json(&source).map_err(|error| error.message)?;
    let found = match find(&stream.documents[0].root, &path, &EditOptions::default()) {
        Ok(found) => found
            .iter()
            .map(|found| value(&found.node))
            .collect::<Result<Vec<_>, _>>()?,
        Err(failure) if failure.is_absent() => Vec::new(),
        Err(failure) => {
            return Err(failure
                .diagnostic(|| "the path leads nowhere".to_owned())
                .message
                .into());
        }
    };
    let found = Value::Array(found);
    let accepted = match case.get("result") {
        Some(result) => vec![result.clone()],
        None => case["results"].as_array().cloned().unwrap_or_default(),
    };
    if accepted.iter().any(|expected| is_equal(&found, expected)) {
        return Ok(());
    }
    Err(format!("expected {}, found {found}", accepted[0]).into())
}

fn value(node: &std::sync::Arc<Node>) -> Result<Value, Failed> {
    let text = canonical_json(node).map_err(|error| error.message)?;
    Ok(serde_json::from_str(&text)?)
}

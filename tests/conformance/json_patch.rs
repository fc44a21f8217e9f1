//! json-patch-tests: each patch is applied to the field `doc` of an object, so that any document
//! can be patched.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use serde_json::{Value, json};

use super::{SuiteCase, program, read};

pub(super) fn cases(folder: &Path) -> Result<Vec<SuiteCase>, Failed> {
    let mut cases = Vec::new();
    for file in ["tests.json", "spec_tests.json"] {
        let suite: Vec<Value> = serde_json::from_str(&read(&folder.join(file))?)?;
        for (index, case) in suite.into_iter().enumerate() {
            if case.get("disabled").is_some() || case.get("patch").is_none() {
                continue;
            }
            let comment = case
                .get("comment")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let name = format!("{file} {index} {comment}");
            cases.push(SuiteCase::new("json-patch", &name, move || check(&case)));
        }
    }
    Ok(cases)
}

fn check(case: &Value) -> Result<(), Failed> {
    let object = json!({
        "apiVersion": "example.com/v1",
        "kind": "Case",
        "metadata": {"name": "case"},
        "doc": case["doc"],
    });
    let configuration = json!({
        "apiVersion": "inlay.dev/v1alpha1",
        "kind": "Inlay",
        "metadata": {"name": "case"},
        "spec": {"patches": [{
            "target": {"kind": "Case"},
            "patch": below_doc(&case["patch"]).to_string(),
        }]},
    });
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("inlay.yaml"), configuration.to_string())?;
    fs::write(folder.path().join("object.json"), object.to_string())?;
    let call = program::Call::new(&["run", "inlay.yaml", "object.json"]);
    let answer = call.run_in(folder.path())?;

    let Some(expected) = case.get("expected") else {
        let succeeded = answer.code == Some(0);
        return match case.get("error") {
            Some(error) if succeeded => Err(format!("expected to fail: {error}").into()),
            _ => Ok(()),
        };
    };
    answer.ended_with(0)?;
    let found: Value = serde_json::from_str(&answer.output)?;
    if !is_equal(&found["doc"], expected) {
        return Err(format!("expected {expected}, found {}", found["doc"]).into());
    }
    Ok(())
}

/// Returns the patch with `/doc` in front of every pointer.
fn below_doc(patch: &Value) -> Value {
    let mut patch = patch.clone();
    for operation in patch.as_array_mut().into_iter().flatten() {
        for field in ["path", "from"] {
            if let Some(Value::String(pointer)) = operation.get_mut(field)
                && (pointer.is_empty() || pointer.starts_with('/'))
            {
                pointer.insert_str(0, "/doc");
            }
        }
    }
    patch
}

/// Compares values as JSON Patch does: numbers are equal if their values are equal, and members
/// have no order.
pub(super) fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_member =
                |(key, value)| other.get(key).is_some_and(|other| is_equal(value, other));
            one.len() == other.len() && one.iter().all(is_member)
        }
        _ => one == other,
    }
}

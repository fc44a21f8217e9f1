//! toml-test: valid texts are read with the values that the suite expects, and printed unchanged;
//! invalid ones are rejected.

use std::fs;
use std::path::Path;

use inlay::formats::{DocumentFormat, Documents};
use inlay::source::Source;
use inlay::yaml::Node;
use libtest_mimic::Failed;
use serde_json::Value;

use super::{SuiteCase, read};

/// The list of cases for the supported version of TOML.
const LIST: &str = "files-toml-1.1.0";

pub(super) fn cases(folder: &Path) -> Result<Vec<SuiteCase>, Failed> {
    let mut cases = Vec::new();
    for name in read(&folder.join(LIST))?.lines() {
        let Some(stem) = name.strip_suffix(".toml") else {
            continue;
        };
        let bytes = fs::read(folder.join(name))?;
        let expected: Option<Value> = match stem.starts_with("valid/") {
            true => Some(serde_json::from_str(&read(
                &folder.join(format!("{stem}.json")),
            )?)?),
            false => None,
        };
        cases.push(SuiteCase::new("toml", stem, move || {
            check(&bytes, expected.as_ref())
        }));
    }
    Ok(cases)
}

fn check(bytes: &[u8], expected: Option<&Value>) -> Result<(), Failed> {
    let documents = std::str::from_utf8(bytes)
        .map_err(|error| error.to_string())
        .and_then(|text| {
            let source = Source::new("case.toml", text)
                .map_err(|bytes| format!("too long: {bytes} bytes"))?;
            Documents::read(&source, DocumentFormat::named("toml")).map_err(|error| error.message)
        });
    let (documents, expected) = match (documents, expected) {
        (Err(_), None) => return Ok(()),
        (Ok(_), None) => return Err("an invalid text was read".into()),
        (Err(message), Some(_)) => {
            return Err(format!("a valid text was refused: {message}").into());
        }
        (Ok(documents), Some(expected)) => (documents, expected),
    };
    let roots = documents.roots();
    let (printed, _) = documents.print(&roots);
    if printed.as_bytes() != bytes {
        return Err("a text that was not edited was printed differently".into());
    }
    compare(&roots[0], expected, "$")
}

/// Compares a tree with the suite's tagged values: `{"type": "integer", "value": "1"}`.
fn compare(node: &Node, expected: &Value, path: &str) -> Result<(), Failed> {
    let differs = || Err(format!("{path}: expected {expected}, found {:?}", node.text()).into());
    match expected {
        Value::Array(expected) => {
            let Some(sequence) = node.as_sequence() else {
                return differs();
            };
            if sequence.items.len() != expected.len() {
                return differs();
            }
            for (index, (item, expected)) in sequence.items.iter().zip(expected).enumerate() {
                compare(&item.value, expected, &format!("{path}[{index}]"))?;
            }
            Ok(())
        }
        Value::Object(expected) if is_tagged(expected) => {
            let text = node.text().unwrap_or_default();
            let value = expected["value"].as_str().unwrap_or_default();
            let is_same = match expected["type"].as_str().unwrap_or_default() {
                "string" => node.as_str() == Some(value),
                "integer" => integer(text) == value.parse().ok(),
                "float" => is_same_float(text, value),
                "bool" => text == value,
                // Dates and times keep their spelling; the suite has one of several possible
                // spellings.
                _ => spelled_as_time(text) == spelled_as_time(value),
            };
            if is_same { Ok(()) } else { differs() }
        }
        Value::Object(expected) => {
            let Some(mapping) = node.as_mapping() else {
                return differs();
            };
            if mapping.entries.len() != expected.len() {
                return differs();
            }
            for entry in &mapping.entries {
                let key = entry.key.text().unwrap_or_default();
                let Some(expected) = expected.get(key) else {
                    return differs();
                };
                compare(&entry.value, expected, &format!("{path}.{key}"))?;
            }
            Ok(())
        }
        _ => differs(),
    }
}

fn is_tagged(object: &serde_json::Map<String, Value>) -> bool {
    object.len() == 2
        && object.get("type").is_some_and(Value::is_string)
        && object.get("value").is_some_and(Value::is_string)
}

fn integer(text: &str) -> Option<i64> {
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0o") => (&text[2..], 8),
        Some("0b") => (&text[2..], 2),
        _ => (text.as_str(), 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

fn is_same_float(text: &str, expected: &str) -> bool {
    let parse = |text: &str| {
        text.replace('_', "")
            .trim_start_matches('.')
            .replace("-.", "-")
            .parse::<f64>()
    };
    match (parse(text), parse(expected)) {
        (Ok(found), Ok(expected)) => found == expected || (found.is_nan() && expected.is_nan()),
        _ => false,
    }
}

/// Normalizes a date or time: `T` in the middle, `Z` at the end, seconds, and no trailing zeros in
/// a fraction.
fn spelled_as_time(text: &str) -> String {
    let text = text.to_uppercase().replace(' ', "T");
    let text = text.replace("+00:00", "Z").replace("-00:00", "Z");
    let (time, zone) = match text
        .rfind(['Z', '+'])
        .or_else(|| text.rfind('-').filter(|at| *at > 10))
    {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    let mut time = time.to_owned();
    let clock = time.rsplit('T').next().unwrap_or_default();
    if clock.matches(':').count() == 1 {
        time.push_str(":00");
    }
    if time.contains('.') {
        time = time.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{time}{zone}")
}

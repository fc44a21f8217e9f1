//! The strict subset of YAML: plain scalars that have the same value for every reader.
//!
//! `yes`, `010`, `~` and dates have different values for YAML 1.1, for YAML 1.2 and for people. In
//! the strict subset, a plain scalar must have the same value by YAML 1.1 and by the few forms that
//! JSON knows.

use std::sync::Arc;

use super::merge_key::is_merge;
use super::node::Stream;
use super::node::{Content, Node, ScalarStyle};
use super::value::{Value, is_timestamp, resolve};
use super::{is_json_number, json_string};
use crate::source::{Code, Diagnostic};

/// Returns an error for each scalar of a text that is not in the strict subset.
pub fn strict_faults(stream: &Stream) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for document in &stream.documents {
        check(&document.root, &mut faults);
    }
    faults
}

/// Checks a parsed tree, whose depth is bounded. The target of an alias is checked at its anchor.
fn check(node: &Arc<Node>, faults: &mut Vec<Diagnostic>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                // Readers of YAML 1.1 take `<<` for a merge key, and readers of YAML 1.2 take it
                // for a string, but people agree on its meaning.
                if !is_merge(&entry.key) {
                    check(&entry.key, faults);
                }
                check(&entry.value, faults);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                check(&item.value, faults);
            }
        }
        Content::Alias(_) => {}
        Content::Scalar(scalar) => {
            // Quotes and tags leave no doubt about the type.
            if scalar.style == ScalarStyle::Plain
                && node.tag().is_none()
                && let Some(message) = fault(node.text().unwrap_or_default())
            {
                faults.push(
                    *Diagnostic::error(Code::Strict, message)
                        .at(node.location(), "not in the strict subset of YAML")
                        .help(fix(node)),
                );
            }
        }
    }
}

/// Returns the message about a plain scalar that is not strict.
fn fault(text: &str) -> Option<String> {
    let value = resolve(text, true, None);
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Int(_) | Value::UInt(_) | Value::Float(_) => "a number",
        Value::String(text) if is_timestamp(text) => "a date",
        Value::String(_) => return string_fault(text),
    };
    // The forms of JSON have the same meaning in all versions of YAML, and so does an empty value.
    let agrees = text.is_empty() || matches!(text, "true" | "false") || is_json_number(text);
    if agrees {
        return None;
    }
    Some(format!(
        "expected a value that is the same to every reader, found `{text}`, a string or {kind}"
    ))
}

/// Returns the message about a plain string that is not a single word.
fn string_fault(text: &str) -> Option<String> {
    let what = if text.contains(char::is_whitespace) {
        "white space"
    } else if text.contains(':') {
        "a colon"
    } else if text.contains("---") {
        "three dashes"
    } else {
        return None;
    };
    Some(format!(
        "expected quotes around a string with {what}, found `{text}` without"
    ))
}

/// Returns the edit that makes a plain scalar strict.
fn fix(node: &Node) -> String {
    let text = node.text().unwrap_or_default();
    let quoted = json_string(text);
    match node.value() {
        Some(Value::String(_)) => format!("write {quoted}"),
        Some(Value::Null) => format!("leave the value out for null, or write {quoted}"),
        Some(Value::Bool(value)) => format!("write {value}, or {quoted} for a string"),
        _ => format!("write the number in decimal, or {quoted} for a string"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn faults(text: &str) -> usize {
        strict_faults(&parse(&Source::new("test.yml", text).unwrap()).unwrap()).len()
    }

    #[test]
    fn accepts_what_all_readers_agree_on() {
        let accepted = [
            "", "true", "false", "0", "-0", "12", "-1.5", "1e3", "1.0E-2", "word", "a-b", "a/b.c",
            "v1.0", "1.2.3",
        ];
        for text in accepted {
            assert_eq!(faults(&format!("a: {text}\n")), 0, "{text}");
        }
    }

    #[test]
    fn refuses_what_readers_differ_on() {
        let refused = [
            "yes",
            "no",
            "on",
            "y",
            "True",
            "~",
            "null",
            "Null",
            ".5",
            ".inf",
            ".nan",
            "010",
            "0x1",
            "0b1",
            "1_0",
            "+5",
            "1.",
            "08",
            "2001-01-01",
            "b c",
            "b:c",
            "12:30",
            "a---x",
        ];
        for text in refused {
            assert_eq!(faults(&format!("a: {text}\n")), 1, "{text}");
            assert_eq!(faults(&format!("a: \"{text}\"\n")), 0, "{text} in quotes");
            assert_eq!(faults(&format!("{text}: a\n")), 1, "{text} as a key");
        }
    }

    #[test]
    fn finds_all_faults_of_a_text_and_accepts_merge_keys_and_tags() {
        assert_eq!(
            faults("a: &x [yes, {no: 1}]\nb: *x\n---\n<<: {c: off}\n"),
            3
        );
        assert_eq!(faults("!!str yes: !!str no\n"), 0, "a tag decides the type");
    }
}

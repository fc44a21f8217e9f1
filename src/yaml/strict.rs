//! The strict subset of YAML: plain scalars that every reader takes for the same value.
//!
//! `yes`, `010`, `~` and dates are something else to readers of YAML 1.1, of YAML 1.2 and to people. In the strict
//! subset a plain scalar is read in two ways, by YAML 1.1 and by the few forms that JSON knows, and both must agree.

use std::sync::Arc;

use super::merge_key::is_merge;
use super::node::Stream;
use super::node::{Content, Node, ScalarStyle};
use super::value::{Value, is_timestamp, resolve};
use super::{is_json_number, json_string};
use crate::source::{Code, Diagnostic};

/// The scalars of a text that are not in the strict subset; an empty list where all are.
pub fn strict_faults(stream: &Stream) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    stream
        .documents
        .iter()
        .for_each(|document| check(&document.root, &mut faults));
    faults
}

/// The depth is that of a parsed tree. What an alias stands for is checked where it is written.
fn check(node: &Arc<Node>, faults: &mut Vec<Diagnostic>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                if !is_merge(&entry.key) {
                    check(&entry.key, faults);
                }
                check(&entry.value, faults);
            }
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .for_each(|item| check(&item.value, faults)),
        Content::Alias(_) => {}
        Content::Scalar(scalar) => {
            if scalar.style == ScalarStyle::Plain && node.tag().is_none() {
                faults.extend(fault(node.text().unwrap_or_default()).map(|message| {
                    *Diagnostic::error(Code::Strict, message)
                        .at(node.location(), "not in the strict subset of YAML")
                        .help(remedy(node))
                }));
            }
        }
    }
}

/// What is wrong with a plain scalar.
fn fault(text: &str) -> Option<String> {
    let value = resolve(text, true, None);
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Int(_) | Value::UInt(_) | Value::Float(_) => "a number",
        Value::String(text) if is_timestamp(text) => "a date",
        Value::String(_) => return string_fault(text),
    };
    let agrees = text.is_empty() || matches!(text, "true" | "false") || is_json_number(text);
    (!agrees).then(|| {
        format!(
            "expected a value that is the same to every reader, found `{text}`, a string or {kind}"
        )
    })
}

/// A plain string is a single word.
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

fn remedy(node: &Node) -> String {
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
    fn what_all_readers_agree_on_is_strict() {
        let accepted = [
            "", "true", "false", "0", "-0", "12", "-1.5", "1e3", "1.0E-2", "word", "a-b", "a/b.c",
            "v1.0", "1.2.3",
        ];
        for text in accepted {
            assert_eq!(faults(&format!("a: {text}\n")), 0, "{text}");
        }
    }

    #[test]
    fn what_readers_differ_on_is_not() {
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
    fn all_faults_of_a_text_are_found_and_merge_keys_are_none() {
        assert_eq!(
            faults("a: &x [yes, {no: 1}]\nb: *x\n---\n<<: {c: off}\n"),
            3
        );
        assert_eq!(
            faults("!!str yes: !!str no\n"),
            0,
            "a tag says what is meant"
        );
    }
}

//! `@ytt:yaml`.

use std::collections::HashMap;
use std::sync::Arc;

use super::call::Call;
use super::yaml_errors::as_in_libyaml;
use crate::script::fragments::PartKey;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{
    Content, Mapping, Node, ScalarStyle, TagMismatch, canonical, canonical_node, expand,
    parse_data, tag_mismatch,
};

pub(super) const MODULE: NativeModule =
    NativeModule::new("yaml", &[("yaml.encode", encode), ("yaml.decode", decode)]);

/// `encode(value)`: a value as YAML. `None` becomes an empty text.
fn encode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [value] = call.positional()?;
    if value.is_none() || value.is_empty_fragment() {
        return Ok(caller.text(""));
    }
    let printed = match value.as_documents() {
        Some(documents) => {
            let roots = documents.iter().map(|document| Arc::clone(&document.root));
            canonical(&roots.collect::<Vec<_>>())
        }
        None => {
            let node = caller.encodable_node(value);
            canonical_node(&node.map_err(|error| call.library_error(error))?)
        }
    };
    let text = printed.map_err(|diagnostic| call.diagnosed(diagnostic))?;
    Ok(caller.text(&text))
}

/// `decode(text)`: the value of a YAML text, which must contain at most one document.
fn decode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let source = call.one_source(caller)?;
    let stream = parse_data(&source).map_err(|error| {
        let caught = as_in_libyaml(&source, &error);
        call.diagnosed(error.caught_as(caught))
    })?;
    let root = match stream.documents.as_slice() {
        // The text has no content. `yaml.encode(None)` writes such a text, so it is read back as
        // None.
        [] => return Ok(Value::none()),
        [document] => &document.root,
        _ => return Err(call.failure("Expected to find exactly one YAML document")),
    };
    // Check before expanding, which silently keeps only the last of equal keys.
    let expanded = check(root).and_then(|()| expand(root).map_err(as_unmerged));
    let root = expanded.map_err(|diagnostic| call.diagnosed(diagnostic))?;
    caller.plain_value(&root)
}

/// Adds ytt's message to the error of a merge key.
fn as_unmerged(error: Box<Diagnostic>) -> Box<Diagnostic> {
    match error.message.starts_with("expected a mapping to merge") {
        true => error.caught_as("yaml: map merge requires map or sequence of maps as the value"),
        false => error,
    }
}

/// Rejects nodes without a Starlark value: keys that a dictionary cannot have, and bytes that are
/// not UTF-8. This is recursive; the parser limits the depth.
fn check(node: &Node) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => {
            check_mapping(mapping)?;
            mapping
                .entries
                .iter()
                .try_for_each(|entry| check(&entry.value))
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .try_for_each(|item| check(&item.value)),
        Content::Scalar(_) => check_scalar(node),
        Content::Alias(_) => Ok(()),
    }
}

fn check_scalar(node: &Node) -> Result<()> {
    let refused =
        |code, message: String| Err(Diagnostic::error(code, message).at(node.location(), ""));
    let mismatch = node
        .tag()
        .and_then(|tag| tag_mismatch(node.text().unwrap_or_default(), tag));
    if let Some(mismatch) = mismatch {
        let message = format!("expected {}, found {}", mismatch.expected, mismatch.found);
        let text = node.text().unwrap_or_default();
        return refused(Code::Tag, message)
            .map_err(|error| error.caught_as(caught_message(mismatch, text)));
    }
    if node
        .binary()
        .is_some_and(|bytes| String::from_utf8(bytes).is_err())
    {
        return refused(
            Code::ValueDoesNotFit,
            "expected UTF-8 text, found other bytes".to_owned(),
        );
    }
    Ok(())
}

/// Returns ytt's message for a text that does not fit its tag.
fn caught_message(mismatch: TagMismatch, text: &str) -> String {
    let tag = |words: &str| match words.rsplit(' ').next().unwrap_or_default() {
        "boolean" => "!!bool",
        "integer" => "!!int",
        "float" => "!!float",
        "null" => "!!null",
        "timestamp" => "!!timestamp",
        _ => "!!str",
    };
    match mismatch.expected {
        "base64" => "yaml: !!binary value contains invalid base64 data".to_owned(),
        expected => format!(
            "yaml: cannot decode {} `{text}` as a {}",
            tag(mismatch.found),
            tag(expected)
        ),
    }
}

fn check_mapping(mapping: &Mapping) -> Result<()> {
    let mut places = HashMap::with_capacity(mapping.entries.len());
    // `expand` checks merge keys, because it implements the rules of merging.
    for entry in mapping.entries.iter().filter(|entry| !is_merge(&entry.key)) {
        let Some(key) = PartKey::of(&entry.key) else {
            let message = format!(
                "expected a key that is a scalar, found {}",
                entry.key.described()
            );
            return Err(
                Diagnostic::error(Code::ValueDoesNotFit, message).at(entry.key.location(), "")
            );
        };
        if let Some(first) = places.insert(key, &entry.key) {
            let name = entry.key.text().unwrap_or_default();
            return Err(Diagnostic::error(
                Code::DuplicateKey,
                format!("expected each key once, found `{name}` twice"),
            )
            .at(entry.key.location(), "")
            .at(first.location(), "first here")
            .help("remove one of the two entries"));
        }
    }
    Ok(())
}

/// Returns whether a key is a plain `<<`, which may occur more than once.
fn is_merge(key: &Node) -> bool {
    key.text() == Some("<<")
        && key
            .as_scalar()
            .is_some_and(|scalar| scalar.style == ScalarStyle::Plain)
}

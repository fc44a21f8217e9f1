//! Values that the configuration itself contains.

use std::sync::Arc;

use super::model::{GeneratedPair, GeneratedValue};
use crate::source::{Code, Diagnostic, OffsetMap, Outer, Result, Source, Span};
use crate::yaml::Node;
use crate::yaml::spelling::text_source;

/// How a literal may be written.
const HELP: &str = "write `key=value`, or `key: value`";

/// Returns the pairs of one literal: `key=value`, or a mapping as in kustomize's proposal on
/// structured data.
///
/// The value of `key=value` loses quotes if the same one is on both sides. The values of a mapping
/// are taken as they are.
///
/// # Errors
/// [`Code::Config`] for a text without a key or an equals sign, and for a key or a value that is
/// not a string.
pub(super) fn pairs(node: &Arc<Node>) -> Result<Vec<GeneratedPair>> {
    let node = node.resolved();
    if let Some(mapping) = node.as_mapping() {
        return mapping
            .entries
            .iter()
            .map(|entry| entry_pair(&entry.key, &entry.value))
            .collect();
    }
    let Some(text) = node.as_str() else {
        return Err(not_a_string(node));
    };
    let (key, value) = match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => (key, value),
        _ => {
            let message = format!("invalid literal source {text}, expected key=value");
            return Err(Diagnostic::error(Code::Config, message)
                .at(node.location(), "")
                .help(HELP));
        }
    };
    // `key="a b"` -> the bytes between the quotes, as a slice of the scalar's text.
    let quotes = usize::from(is_quoted(value));
    let span = Span::new(key.len() + 1 + quotes, text.len() - quotes);
    let whole = text_source(node);
    let outer = Outer {
        source: Arc::clone(&whole),
        span,
        map: OffsetMap::identity(span.start(), span.end() - span.start()),
    };
    Ok(vec![GeneratedPair {
        key: key.to_owned(),
        value: GeneratedValue::Text(Source::embedded(whole.slice(span), outer)),
        place: node.location(),
    }])
}

fn entry_pair(key: &Arc<Node>, value: &Arc<Node>) -> Result<GeneratedPair> {
    let Some(name) = key.resolved().as_str() else {
        return Err(not_a_string(key.resolved()));
    };
    if value.resolved().as_str().is_none() {
        return Err(not_a_string(value.resolved()));
    }
    Ok(GeneratedPair {
        key: name.to_owned(),
        value: GeneratedValue::Text(text_source(value.resolved())),
        place: key.location(),
    })
}

fn not_a_string(node: &Node) -> Box<Diagnostic> {
    let found = node.described();
    let help = if node.as_scalar().is_some() {
        "put it in quotes"
    } else {
        HELP
    };
    Diagnostic::error(Code::Config, format!("expected a string, found {found}"))
        .at(node.location(), "")
        .help(help)
}

/// Returns whether a text begins and ends with the same quote.
fn is_quoted(value: &str) -> bool {
    for quote in ['"', '\''] {
        if value.len() >= 2 && value.starts_with(quote) && value.ends_with(quote) {
            return true;
        }
    }
    false
}

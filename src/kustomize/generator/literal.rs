//! Values that stand in the configuration itself.

use std::sync::Arc;

use super::pairs::{Bytes, Pair};
use crate::source::{Code, Diagnostic, OffsetMap, Outer, Result, Source, Span};
use crate::yaml::Node;
use crate::yaml::spelling::text_source;

/// The pairs of one literal: `key=value`, or a mapping of keys and values as kustomize's proposal on structured data
/// writes them.
///
/// The value of `key=value` loses quotes if the same ones stand on both sides; that of a mapping is what it is.
///
/// # Errors
/// [`Code::Config`] for a text without a key or an equals sign, and for a key or a value that is not a string.
pub(super) fn pairs(node: &Arc<Node>) -> Result<Vec<Pair>> {
    let node = node.resolved();
    if let Some(mapping) = node.as_mapping() {
        return mapping
            .entries
            .iter()
            .map(|entry| mapped(&entry.key, &entry.value))
            .collect();
    }
    let Some(text) = node.as_str() else {
        return Err(not_a_literal(node));
    };
    let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.is_empty()) else {
        return Err(Diagnostic::error(
            Code::Config,
            format!("invalid literal source {text}, expected key=value"),
        )
        .at(node.location(), "")
        .help("write `key=value`, or `key: value`"));
    };
    let start = key.len() + 1;
    let quotes = usize::from(is_quoted(value));
    let span = Span::new(start + quotes, text.len() - quotes);
    let whole = text_source(node);
    let map = OffsetMap::identity(span.start(), span.end() - span.start());
    let source = Source::embedded(
        whole.slice(span),
        Outer {
            source: Arc::clone(&whole),
            span,
            map,
        },
    );
    Ok(vec![Pair {
        key: key.to_owned(),
        value: Bytes::Text(source),
        place: node.location(),
    }])
}

fn mapped(key: &Arc<Node>, value: &Arc<Node>) -> Result<Pair> {
    let (Some(name), Some(_)) = (key.resolved().as_str(), value.resolved().as_str()) else {
        let wrong = if key.resolved().as_str().is_none() {
            key
        } else {
            value
        };
        return Err(not_a_literal(wrong.resolved()));
    };
    Ok(Pair {
        key: name.to_owned(),
        value: Bytes::Text(text_source(value.resolved())),
        place: key.location(),
    })
}

fn not_a_literal(node: &Node) -> Box<Diagnostic> {
    let found = node.described();
    let help = if node.as_scalar().is_some() {
        "put it in quotes"
    } else {
        "write `key=value`, or `key: value`"
    };
    Diagnostic::error(Code::Config, format!("expected a string, found {found}"))
        .at(node.location(), "")
        .help(help)
}

/// Whether the same quotes stand on both sides of a text.
fn is_quoted(value: &str) -> bool {
    ['"', '\'']
        .iter()
        .any(|quote| value.len() >= 2 && value.starts_with(*quote) && value.ends_with(*quote))
}

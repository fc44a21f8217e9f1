//! Tests which texts the parser accepts, which it refuses and with which message, and the positions
//! that it reports.

mod accepted;
mod faults;
mod properties;
mod refused;
mod tree;

use std::sync::Arc;

use super::parse_json;
use crate::source::{Diagnostic, Source};
use crate::yaml::{Content, Node, ScalarStyle, Stream};

fn source(text: &str) -> Arc<Source> {
    Source::new("test.json", text).unwrap()
}

fn parsed(text: &str) -> Stream {
    parse_json(&source(text)).unwrap_or_else(|error| panic!("{text:?}: {error:?}"))
}

fn refused(text: &str) -> Box<Diagnostic> {
    match parse_json(&source(text)) {
        Err(diagnostic) => diagnostic,
        Ok(stream) => panic!("{text:?} was taken: {:?}", stream.documents),
    }
}

/// Returns the content of a node by the rules of JSON alone.
fn content(node: &Node) -> serde_json::Value {
    match &node.content {
        Content::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            entries
                .map(|entry| (entry.key.text().unwrap().to_owned(), content(&entry.value)))
                .collect()
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .map(|item| content(&item.value))
            .collect(),
        Content::Scalar(scalar) if scalar.style == ScalarStyle::Plain => {
            serde_json::from_str(node.text().unwrap()).unwrap()
        }
        Content::Scalar(_) => node.text().unwrap().into(),
        Content::Alias(alias) => panic!("JSON has no alias `{}`", alias.name),
    }
}

/// Returns the contents of all documents of a text.
fn contents(text: &str) -> Vec<serde_json::Value> {
    parsed(text)
        .documents
        .iter()
        .map(|document| content(&document.root))
        .collect()
}

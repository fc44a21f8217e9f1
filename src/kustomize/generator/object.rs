//! The object that an entry makes, as kustomize prints it: every mapping in the order of its keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::pairs::{Bytes, Pair};
use super::{Generator, Kind};
use crate::yaml::{Entry, Node};

/// The `type` of a Secret that asks for none.
const OPAQUE: &str = "Opaque";

/// Longer base64 is broken into lines of this length.
const LINE: usize = 70;

/// The mappings of an object that hold values.
pub(super) struct Data {
    pub(super) data: BTreeMap<String, Arc<Node>>,
    pub(super) binary: BTreeMap<String, Arc<Node>>,
}

/// The values of an object of the kind given.
pub(super) fn data(kind: Kind, pairs: &[Pair]) -> Data {
    let mut all = Data {
        data: BTreeMap::new(),
        binary: BTreeMap::new(),
    };
    for Pair { key, value, .. } in pairs {
        let (section, text) = match (kind, value) {
            (Kind::ConfigMap, Bytes::Text(source)) => (&mut all.data, source.text().to_owned()),
            (Kind::ConfigMap, Bytes::Binary(bytes)) => (&mut all.binary, base64(bytes)),
            (Kind::Secret, Bytes::Text(source)) => {
                (&mut all.data, base64(source.text().as_bytes()))
            }
            (Kind::Secret, Bytes::Binary(bytes)) => (&mut all.data, base64(bytes)),
        };
        section.insert(key.clone(), Node::string(text));
    }
    all
}

/// A new object with the annotations given beside its own.
pub(super) fn object(generator: &Generator, pairs: &[Pair], more: &[(&str, &str)]) -> Arc<Node> {
    let Data { data, binary } = data(generator.kind, pairs);
    let mut entries = vec![Entry::new("apiVersion", Node::string("v1"))];
    if !binary.is_empty() {
        entries.push(Entry::new("binaryData", mapping(binary)));
    }
    if !data.is_empty() || generator.kind == Kind::Secret {
        entries.push(Entry::new("data", mapping(data)));
    }
    if generator.options.immutable {
        entries.push(Entry::new("immutable", Node::plain("true")));
    }
    entries.push(Entry::new("kind", Node::string(generator.kind.name())));
    entries.push(Entry::new("metadata", metadata(generator, more)));
    if generator.kind == Kind::Secret {
        let secret_type = generator.secret_type.as_deref().unwrap_or(OPAQUE);
        entries.push(Entry::new("type", Node::string(secret_type)));
    }
    Node::mapping(entries)
}

fn metadata(generator: &Generator, more: &[(&str, &str)]) -> Arc<Node> {
    let mut annotations = texts(&generator.options.annotations);
    annotations.extend(
        more.iter()
            .map(|(key, text)| ((*key).to_owned(), Node::string(*text))),
    );
    let labels = texts(&generator.options.labels);
    let mut entries = Vec::new();
    if !annotations.is_empty() {
        entries.push(Entry::new("annotations", mapping(annotations)));
    }
    if !labels.is_empty() {
        entries.push(Entry::new("labels", mapping(labels)));
    }
    entries.push(Entry::new("name", Node::string(&*generator.name.value)));
    if !generator.namespace.is_empty() {
        entries.push(Entry::new("namespace", Node::string(&*generator.namespace)));
    }
    Node::mapping(entries)
}

pub(super) fn texts(texts: &BTreeMap<String, String>) -> BTreeMap<String, Arc<Node>> {
    texts
        .iter()
        .map(|(key, text)| (key.clone(), Node::string(&**text)))
        .collect()
}

pub(super) fn mapping(values: BTreeMap<String, Arc<Node>>) -> Arc<Node> {
    Node::mapping(
        values
            .into_iter()
            .map(|(key, value)| Entry::new(&key, value))
            .collect(),
    )
}

/// A generated object that was edited, with its mappings in the order of their keys again.
pub(super) fn sorted(node: &Arc<Node>) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let entry = |entry: &Entry| Entry {
        key: Arc::clone(&entry.key),
        value: sorted(&entry.value),
    };
    let mut entries: Vec<Entry> = mapping.entries.iter().map(entry).collect();
    entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    node.with_entries(entries)
}

/// Base64 as kustomize spells it: in lines where it is long, the last of which ends with a line break too.
pub(super) fn base64(bytes: &[u8]) -> String {
    let encoded = STANDARD.encode(bytes);
    if encoded.len() < LINE {
        return encoded;
    }
    let mut lines = String::with_capacity(encoded.len() + encoded.len() / LINE + 1);
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(LINE));
        lines.push_str(line);
        lines.push('\n');
        rest = after;
    }
    lines
}

//! A ConfigMap as a configuration: what kpt makes of `kpt fn eval … -- key=value` and of `configMap:` in a Kptfile.
//!
//! Keys that end in the extension of a file are files; all others are data values, which are strings as all that a
//! ConfigMap holds. A dot in such a key leads into a mapping, as in `--data-value`.

use std::sync::Arc;

use serde::Deserialize;

use super::files;
use crate::pipeline::{Build, Configuration};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::de::{RawNode, read};
use crate::yaml::{Entry, Node};

/// The endings of keys that are files.
const ENDINGS: [&str; 7] = ["yml", "yaml", "star", "txt", "json", "toml", "md"];

/// The whole object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ConfigMap {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    data: Option<RawNode>,
}

/// Reads what can be read of an object, and tells every mistake in it.
pub(super) fn config_map(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Configuration> {
    let ConfigMap { data, .. } = read(node, diagnostics)?;
    let Some(RawNode(data)) = data else { return Some(Configuration::default()) };
    let Some(mapping) = data.as_mapping() else {
        let error = Diagnostic::error(Code::Config, format!("expected a mapping, found {}", data.described()));
        diagnostics.push(error.at(data.location(), "").note("in `data`"));
        return None;
    };
    let (mut held, mut values) = (Vec::new(), Vec::new());
    for entry in &mapping.entries {
        match is_file(entry) {
            true => held.extend(diagnostics.take(files::file(entry))),
            false => diagnostics.take(value(entry, &mut values)).unwrap_or_default(),
        }
    }
    let values = (!values.is_empty()).then(|| Node::mapping(values));
    Some(Configuration { build: Build { values, files: held, ..Build::default() }, ..Configuration::default() })
}

fn is_file(entry: &Entry) -> bool {
    let ending = entry.key.resolved().text().and_then(|key| key.rsplit_once('.')).map(|(_, ending)| ending);
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Puts a data value where its key leads to in `values`.
fn value(entry: &Entry, values: &mut Vec<Entry>) -> Result<()> {
    let value = entry.value.resolved();
    let key = entry.key.resolved().text().filter(|key| !key.split('.').any(str::is_empty)).ok_or_else(|| {
        Diagnostic::error(Code::Config, "expected the name of a data value as key, found none")
            .at(entry.key.location(), "")
            .note("a dot in a key leads into a mapping")
    })?;
    if value.as_str().is_none() {
        let message = format!("expected a string as the data value `{key}`, found {}", value.described());
        return Err(Diagnostic::error(Code::Config, message)
            .at(value.location(), "")
            .note("all that a ConfigMap holds is a string")
            .help("write it in quotes, or use a configuration of kind Inlay, whose `spec.values` have types"));
    }
    let parts: Vec<&str> = key.split('.').collect();
    match put(values, &parts, entry) {
        true => Ok(()),
        false => {
            Err(Diagnostic::error(Code::Config, format!("expected one value for each key, found two for `{key}`"))
                .at(entry.key.location(), "this leads to or into another value"))
        }
    }
}

/// Puts the value of `entry` at the end of the keys; `false` where another value is in the way.
fn put(values: &mut Vec<Entry>, keys: &[&str], entry: &Entry) -> bool {
    let Some((first, rest)) = keys.split_first() else { return false };
    let place = values.iter().position(|known| known.key.text() == Some(*first));
    match (place.and_then(|place| values.get_mut(place)), rest) {
        (None, []) => {
            let key = if keys.len() == 1 && entry.key.text() == Some(*first) {
                Arc::clone(entry.key.resolved())
            } else {
                Node::string(*first)
            };
            values.push(Entry { key, value: Arc::clone(entry.value.resolved()) });
            true
        }
        (None, _) => {
            let mut inner = Vec::new();
            let fits = put(&mut inner, rest, entry);
            values.push(Entry::new(first, Node::mapping(inner)));
            fits
        }
        (Some(known), _) => {
            let Some(mapping) = known.value.as_mapping() else { return false };
            let mut inner = mapping.entries.to_vec();
            let fits = put(&mut inner, rest, entry);
            known.value = Node::mapping(inner);
            fits
        }
    }
}

//! A ConfigMap as a configuration: what kpt makes of `kpt fn eval … -- key=value` and of `configMap:` in a Kptfile.
//!
//! Keys that end in the extension of a file are files; all others are data values, which are strings as all that a
//! ConfigMap holds. A dot in such a key leads into a mapping, as in `--data-value`.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use super::files;
use crate::pipeline::{Build, Configuration};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::typed::{RawNode, read};
use crate::yaml::{Entry, NESTING_LIMIT, Node};

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
    let ConfigMap { data, .. } = read(node, diagnostics).ok()?;
    let Some(RawNode(data)) = data else {
        return Some(Configuration::default());
    };
    let Some(mapping) = data.as_mapping() else {
        let error = Diagnostic::error(
            Code::Config,
            format!("expected a mapping, found {}", data.described()),
        );
        diagnostics.push(error.at(data.location(), "").note("in `data`"));
        return None;
    };
    let (mut held, mut values) = (Vec::new(), Values::default());
    for entry in &mapping.entries {
        match is_file(entry) {
            true => held.extend(diagnostics.take(files::file(entry))),
            false => diagnostics
                .take(value(entry, &mut values))
                .unwrap_or_default(),
        }
    }
    let values = (!values.entries.is_empty()).then(|| values.finish());
    Some(Configuration {
        build: Build {
            values,
            files: held,
            ..Build::default()
        },
        ..Configuration::default()
    })
}

fn is_file(entry: &Entry) -> bool {
    let ending = entry
        .key
        .resolved()
        .text()
        .and_then(|key| key.rsplit_once('.'))
        .map(|(_, ending)| ending);
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Puts a data value where its key leads to in `values`.
fn value(entry: &Entry, values: &mut Values) -> Result<()> {
    let value = entry.value.resolved();
    let key = entry
        .key
        .resolved()
        .text()
        .filter(|key| !key.split('.').any(str::is_empty))
        .ok_or_else(|| {
            Diagnostic::error(
                Code::Config,
                "expected the name of a data value as key, found none",
            )
            .at(entry.key.location(), "")
            .note("a dot in a key leads into a mapping")
        })?;
    if value.as_str().is_none() {
        let message = format!(
            "expected a string as the data value `{key}`, found {}",
            value.described()
        );
        return Err(Diagnostic::error(Code::Config, message)
            .at(value.location(), "")
            .note("all that a ConfigMap holds is a string")
            .help("write it in quotes, or use a configuration of kind Inlay, whose `spec.values` have types"));
    }
    let depth = key.split('.').count();
    if depth > NESTING_LIMIT {
        let message = format!(
            "expected at most {NESTING_LIMIT} keys on the way to a data value, found {depth}"
        );
        return Err(Diagnostic::error(Code::Limit, message).at(entry.key.location(), ""));
    }
    match values.put(key, entry) {
        Some(()) => Ok(()),
        None => Err(Diagnostic::error(
            Code::Config,
            format!("expected one value for each key, found two for `{key}`"),
        )
        .at(entry.key.location(), "this leads to or into another value")),
    }
}

/// A mapping of data values that grows.
#[derive(Default)]
struct Values {
    entries: Vec<(Arc<Node>, Slot)>,
    /// Where each key stands.
    places: HashMap<Box<str>, usize>,
}

enum Slot {
    Value(Arc<Node>),
    Mapping(Values),
}

impl Values {
    /// Puts the value of `entry` at the end of the keys in `way`; `None` where another value is in the way.
    fn put(&mut self, way: &str, entry: &Entry) -> Option<()> {
        let mut at = self;
        let mut rest = way;
        while let Some((first, below)) = rest.split_once('.') {
            at = match at.slot(first, || {
                (Node::string(first), Slot::Mapping(Values::default()))
            }) {
                Slot::Mapping(inner) => inner,
                Slot::Value(_) => return None,
            };
            rest = below;
        }
        let is_new = !at.places.contains_key(rest);
        let is_whole = rest.len() == way.len();
        // A key that is written as it is stands where it was written.
        let key = || {
            if is_whole {
                Arc::clone(entry.key.resolved())
            } else {
                Node::string(rest)
            }
        };
        at.slot(rest, || {
            (key(), Slot::Value(Arc::clone(entry.value.resolved())))
        });
        is_new.then_some(())
    }

    /// What stands at a key; `new` is put there if nothing does.
    fn slot(&mut self, key: &str, new: impl FnOnce() -> (Arc<Node>, Slot)) -> &mut Slot {
        let place = *self.places.entry(key.into()).or_insert(self.entries.len());
        if place == self.entries.len() {
            self.entries.push(new());
        }
        &mut self.entries[place].1
    }

    /// Calls itself for each level, of which [`value`] allows so many.
    fn finish(self) -> Arc<Node> {
        let value = |slot| match slot {
            Slot::Value(value) => value,
            Slot::Mapping(values) => values.finish(),
        };
        Node::mapping(
            self.entries
                .into_iter()
                .map(|(key, slot)| Entry {
                    key,
                    value: value(slot),
                })
                .collect(),
        )
    }
}

//! A ConfigMap as a configuration. kpt passes one for `kpt fn eval … -- key=value` and for
//! `configMap:` in a Kptfile.
//!
//! A key with a file extension is a file. All other keys are data values, which are always strings.
//! A dot in such a key separates the field names of nested mappings, as in `--data-value`:
//!
//! ```text
//! data: {db.host: a, db.port: "1", x.yml: "…"}  ->  values {db: {host: a, port: "1"}}, file x.yml
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use super::files;
use crate::pipeline::{Configuration, TemplateBuild};
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, collect_all};
use crate::typed::{RawNode, documented_object, read};
use crate::yaml::{Entry, NESTING_LIMIT, Node};

/// The extensions of keys that are files.
const FILE_EXTENSIONS: [&str; 7] = ["yml", "yaml", "star", "txt", "json", "toml", "md"];

documented_object! {
    /// The whole object.
    pub(super) struct ConfigMapConfig {
        /// Files, by names with an extension such as `config.yml`, and data values by all other
        /// keys.
        data: Option<RawNode>,
    }
}

/// Reads a ConfigMap, and reports every mistake in it.
pub(super) fn read_config_map(
    node: &Arc<Node>,
    _: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let ConfigMapConfig { data, .. } = read(node, diagnostics)?;
    let build = match data {
        Some(RawNode(data)) => read_data(&data, diagnostics),
        None => Ok(TemplateBuild::default()),
    };
    // `read` returns the readable part of a faulty configuration, so check for reported mistakes
    // here.
    diagnostics.outcome()?;
    Ok(Configuration {
        build: build?,
        ..Configuration::default()
    })
}

fn read_data(data: &Arc<Node>, diagnostics: &mut Diagnostics) -> Result<TemplateBuild, Reported> {
    let Some(mapping) = data.as_mapping() else {
        let message = format!("expected a mapping, found {}", data.described());
        return Err(diagnostics.report(
            Diagnostic::error(Code::Config, message)
                .at(data.location(), "")
                .note("in `data`"),
        ));
    };
    let (files, values): (Vec<&Entry>, Vec<&Entry>) =
        mapping.entries.iter().partition(|entry| is_file(entry));
    let mut tree = DataValueTree::default();
    let values = collect_all(
        values
            .into_iter()
            .map(|entry| diagnostics.check(add_value(entry, &mut tree))),
    );
    let files = collect_all(
        files
            .into_iter()
            .map(|entry| diagnostics.check(files::read_file(entry))),
    );
    values?;
    Ok(TemplateBuild {
        values: if tree.entries.is_empty() {
            None
        } else {
            Some(tree.into_node())
        },
        files: files?,
        ..TemplateBuild::default()
    })
}

fn is_file(entry: &Entry) -> bool {
    let Some(key) = entry.key.resolved().text() else {
        return false;
    };
    match key.rsplit_once('.') {
        Some((_, extension)) => FILE_EXTENSIONS.contains(&extension),
        None => false,
    }
}

/// Adds a data value to `tree`, at the path in its key.
fn add_value(entry: &Entry, tree: &mut DataValueTree) -> Result<()> {
    let key = match entry.key.resolved().text() {
        Some(key) if !key.split('.').any(str::is_empty) => key,
        _ => {
            let message = "expected the name of a data value as key, found none";
            return Err(Diagnostic::error(Code::Config, message)
                .at(entry.key.location(), "")
                .note("a dot in a key means a field of a mapping"));
        }
    };
    let value = entry.value.resolved();
    if value.as_str().is_none() {
        let found = value.described();
        let message = format!("expected a string as the data value `{key}`, found {found}");
        return Err(Diagnostic::error(Code::Config, message)
            .at(value.location(), "")
            .note("all values of a ConfigMap are strings")
            .help("write it in quotes, or use a configuration of kind Inlay, whose `spec.values` have types"));
    }
    let depth = key.split('.').count();
    if depth > NESTING_LIMIT {
        let message = format!(
            "expected at most {NESTING_LIMIT} keys on the way to a data value, found {depth}"
        );
        return Err(Diagnostic::error(Code::Limit, message).at(entry.key.location(), ""));
    }
    if tree.insert(key, entry) {
        return Ok(());
    }
    let message = format!("expected one value for each key, found two for `{key}`");
    Err(Diagnostic::error(Code::Config, message).at(
        entry.key.location(),
        "this key or a part of it already has a value",
    ))
}

/// A mapping of data values under construction, in the order in which keys first occur.
#[derive(Default)]
struct DataValueTree {
    entries: Vec<(Arc<Node>, DataValueNode)>,
    /// The index of each key in `entries`.
    indices: HashMap<Box<str>, usize>,
}

enum DataValueNode {
    Value(Arc<Node>),
    Mapping(DataValueTree),
}

impl DataValueTree {
    /// Inserts the value of `entry` at the path `path`, whose keys are separated by dots. Returns
    /// false if another value is at this path or on the way to it.
    fn insert(&mut self, path: &str, entry: &Entry) -> bool {
        let mut tree = self;
        let mut rest = path;
        while let Some((first, below)) = rest.split_once('.') {
            if !tree.indices.contains_key(first) {
                let mapping = DataValueNode::Mapping(DataValueTree::default());
                tree.push(first, Node::string(first), mapping);
            }
            let index = tree.indices[first];
            tree = match &mut tree.entries[index].1 {
                DataValueNode::Mapping(inner) => inner,
                DataValueNode::Value(_) => return false,
            };
            rest = below;
        }
        if tree.indices.contains_key(rest) {
            return false;
        }
        // A key without dots keeps its place in the file, which diagnostics show.
        let key = if rest == path {
            Arc::clone(entry.key.resolved())
        } else {
            Node::string(rest)
        };
        let value = DataValueNode::Value(Arc::clone(entry.value.resolved()));
        tree.push(rest, key, value);
        true
    }

    fn push(&mut self, name: &str, key: Arc<Node>, value: DataValueNode) {
        self.indices.insert(name.into(), self.entries.len());
        self.entries.push((key, value));
    }

    /// Returns the tree as a node. The recursion is safe because [`add_value`] limits the depth.
    fn into_node(self) -> Arc<Node> {
        let mut entries = Vec::with_capacity(self.entries.len());
        for (key, value) in self.entries {
            let value = match value {
                DataValueNode::Value(value) => value,
                DataValueNode::Mapping(tree) => tree.into_node(),
            };
            entries.push(Entry { key, value });
        }
        Node::mapping(entries)
    }
}

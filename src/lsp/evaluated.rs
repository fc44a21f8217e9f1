//! Collects the values that code returned, to show them next to the code.
//!
//! ```yaml
//! replicas: #@ data.values.replicas     = 3
//! ```
//!
//! A value that code created has no place in a file, but its key is a node of the template. So the
//! output of a build shows the key of each of these values.

use std::collections::HashSet;
use std::sync::Arc;

use crate::source::Location;
use crate::workspace::Rendered;
use crate::yaml::{Content, Node, canonical_node};

/// A value that code returned.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedValue {
    /// The place of its key in the template.
    pub(super) key: Location,
    /// The value in one line of YAML.
    pub(super) text: String,
}

/// The maximum number of values that are collected from one build.
const VALUE_LIMIT: usize = 20_000;

/// The maximum number of characters of a value that are shown.
const TEXT_LIMIT: usize = 60;

/// Returns the values that code returned in a build, in the order of the output. A loop returns
/// several values for one key.
pub(super) fn evaluated_values(rendered: &Rendered) -> Vec<EvaluatedValue> {
    let mut collector = Collector {
        found: Vec::new(),
        visited: HashSet::new(),
    };
    for file in &rendered.yaml {
        // A file without code cannot have any.
        if file.plain.is_none() {
            for root in &file.documents {
                collector.visit(root);
            }
        }
    }
    collector.found
}

struct Collector {
    found: Vec<EvaluatedValue>,
    /// The collections that were visited: documents share nodes.
    visited: HashSet<*const Node>,
}

impl Collector {
    /// Recursive: the build bounds how deep its documents nest.
    fn visit(&mut self, node: &Arc<Node>) {
        if node.as_scalar().is_some() || !self.visited.insert(Arc::as_ptr(node)) {
            return;
        }
        match &node.content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    if self.found.len() < VALUE_LIMIT
                        && entry.value.origin.is_none()
                        && let Some(key) = entry.key.location()
                    {
                        let text = one_line(&entry.value);
                        self.found
                            .extend(text.map(|text| EvaluatedValue { key, text }));
                    }
                    self.visit(&entry.value);
                }
            }
            Content::Sequence(sequence) => {
                for item in &sequence.items {
                    self.visit(&item.value);
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
    }
}

/// Returns a scalar as YAML; `None` for a collection, whose parts are shown instead.
pub(super) fn one_line(value: &Arc<Node>) -> Option<String> {
    value.as_scalar()?;
    let text = canonical_node(value).ok()?;
    let mut lines = text.trim_end().lines();
    let first = lines.next().unwrap_or_default();
    let shown: String = first.chars().take(TEXT_LIMIT).collect();
    let is_cut = shown.len() < first.len() || lines.next().is_some();
    Some(if is_cut {
        format!("{shown} …")
    } else {
        shown
    })
}

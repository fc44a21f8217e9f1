//! The steps that a walk took from the root of a tree to one value.
//!
//! A [`FieldPath`] may lead to many values, and to different ones in another version of the tree.
//! Steps lead to one value: the keys of mappings and the indices of lists, also inside strings.
//!
//! ```text
//! containers.*.image      leads to       containers, 0, image      and       containers, 1, image
//! ```

use std::sync::Arc;

use super::types::{FieldPath, PathSegment};
use crate::yaml::Node;

/// One step from a collection, or from a string with several documents, to a value in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// The value of a key.
    Key(Box<str>),
    /// The item of a list at an index, or one of several documents in a string.
    Index(usize),
}

impl PathStep {
    /// Returns the step to the value of an entry.
    pub(in crate::edit) fn of_key(key: &Arc<Node>) -> PathStep {
        PathStep::Key(key.resolved().text().unwrap_or_default().into())
    }
}

impl FieldPath {
    /// Returns the path along `steps`. Its text can be parsed again.
    ///
    /// ```text
    /// data, app.json, items, 2     ->    data.app\.json.items.2
    /// ```
    pub fn of_steps(steps: &[PathStep]) -> FieldPath {
        let mut text = String::new();
        let mut segments = Vec::with_capacity(steps.len());
        let mut ends = Vec::with_capacity(steps.len());
        for step in steps {
            if !text.is_empty() {
                text.push('.');
            }
            match step {
                PathStep::Key(key) => {
                    text.push_str(&spelled_key(key));
                    segments.push(PathSegment::Key(key.clone()));
                }
                PathStep::Index(index) => {
                    let index = index.to_string();
                    text.push_str(&index);
                    segments.push(PathSegment::Name(index.into()));
                }
            }
            ends.push(text.len());
        }
        FieldPath::new(&text, segments, ends)
    }
}

impl FieldPath {
    /// Returns the path to the whole document in the string that this path leads to.
    pub fn document(self) -> FieldPath {
        self.opened()
    }
}

/// Returns a key as a path spells it: in brackets if it would otherwise have another meaning, and
/// with dots escaped.
pub fn spelled_key(key: &str) -> String {
    let is_special = key.is_empty()
        || matches!(key, "*" | "-")
        || key.starts_with(['[', '$', '@'])
        || key.contains('\\')
        || key.bytes().all(|byte| byte.is_ascii_digit());
    match is_special {
        true => format!("[{key}]"),
        false => key.replace('.', "\\."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_steps_as_a_path_that_leads_along_them() {
        let table: [(&[&str], &str); 5] = [
            (&["spec", "replicas"], "spec.replicas"),
            (&["data", "app.json", "a"], "data.app\\.json.a"),
            (&["a", "0"], "a.[0]"),
            (&["a", "*"], "a.[*]"),
            (&["a", ""], "a.[]"),
        ];
        for (keys, text) in table {
            let steps: Vec<PathStep> = keys
                .iter()
                .map(|key| PathStep::Key((*key).into()))
                .collect();
            let path = FieldPath::of_steps(&steps);
            assert_eq!(path.to_string(), text);
            let parsed = FieldPath::parse(text).unwrap();
            let parsed: Vec<_> = parsed.segments().iter().map(PathSegment::as_key).collect();
            assert_eq!(parsed, keys.iter().copied().map(Some).collect::<Vec<_>>());
        }
        let indexed = FieldPath::of_steps(&[PathStep::Key("a".into()), PathStep::Index(3)]);
        assert_eq!(indexed.to_string(), "a.3");
    }
}

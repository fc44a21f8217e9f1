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

    fn in_field_path(&self) -> Option<String> {
        match self {
            PathStep::Key(key) => segment_of_key(key),
            PathStep::Index(index) => Some(index.to_string()),
        }
    }

    fn in_json_path(&self) -> String {
        match self {
            PathStep::Key(key) => json_path_segment(key),
            PathStep::Index(index) => format!("[{index}]"),
        }
    }
}

impl FieldPath {
    /// Returns the path along `steps`. Its text can be parsed again: it is a JSONPath if a field
    /// path cannot spell one of the keys.
    ///
    /// ```text
    /// data, app.json, items, 2     ->    data.app\.json.items.2
    /// data, [a=b], 2               ->    $['data']['[a=b]'][2]
    /// ```
    pub fn of_steps(steps: &[PathStep]) -> FieldPath {
        let spelled: Option<Vec<String>> = steps.iter().map(PathStep::in_field_path).collect();
        let (start, separator, spelled) = match spelled {
            Some(spelled) => ("", ".", spelled),
            None => ("$", "", steps.iter().map(PathStep::in_json_path).collect()),
        };
        let mut text = start.to_owned();
        let mut segments = Vec::with_capacity(steps.len());
        let mut ends = Vec::with_capacity(steps.len());
        for (step, spelled) in steps.iter().zip(spelled) {
            if !text.is_empty() {
                text.push_str(separator);
            }
            text.push_str(&spelled);
            segments.push(match step {
                PathStep::Key(key) => PathSegment::Key(key.clone()),
                PathStep::Index(index) => PathSegment::Name(index.to_string().into()),
            });
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
/// with dots escaped. A key that [`segment_of_key`] cannot spell is shown in brackets too.
pub fn spelled_key(key: &str) -> String {
    segment_of_key(key).unwrap_or_else(|| format!("[{key}]"))
}

/// Returns a key as a segment of a field path. `None` for a key that none can spell, such as
/// `[a=b]`, which would be read as a condition on an item; a JSONPath can.
pub(in crate::edit) fn segment_of_key(key: &str) -> Option<String> {
    let is_special = matches!(key, "" | "*" | "-")
        || key.starts_with(['[', '$', '@'])
        || key.bytes().all(|byte| byte.is_ascii_digit());
    let plain = (!is_special).then(|| key.replace('.', "\\."));
    let spellings = plain.into_iter().chain([format!("[{key}]")]);
    // Dots, brackets and backslashes have many meanings together.
    spellings.into_iter().find(|spelling| {
        let path = FieldPath::parse(&format!("{spelling}.x"));
        path.is_ok_and(|path| match path.segments() {
            [PathSegment::Name(found) | PathSegment::Key(found), _] => **found == *key,
            _ => false,
        })
    })
}

/// Returns a key as a segment of a JSONPath: `['a.b']`.
pub(in crate::edit) fn json_path_segment(key: &str) -> String {
    let mut text = "['".to_owned();
    for character in key.chars() {
        match character {
            '\\' | '\'' => text.extend(['\\', character]),
            character if character < ' ' => {
                text.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            character => text.push(character),
        }
    }
    text.push_str("']");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::path::QuerySelector;

    /// Returns the key that a segment of a field path or of a JSONPath addresses.
    fn key_of(segment: &PathSegment) -> Option<&str> {
        match segment {
            PathSegment::Query(query) => match &query.selectors[..] {
                [QuerySelector::Name(name)] => Some(name),
                _ => None,
            },
            segment => segment.as_key(),
        }
    }

    #[test]
    fn spells_steps_as_a_path_that_leads_along_them() {
        let table: [(&[&str], &str); 9] = [
            (&["spec", "replicas"], "spec.replicas"),
            (&["data", "app.json", "a"], "data.app\\.json.a"),
            (&["a", "0"], "a.[0]"),
            (&["a", "*"], "a.[*]"),
            (&["a", ""], "a.[]"),
            (&["[a.b]", "c"], "[[a.b]].c"),
            (&["a\\", "c\\.d"], "[a\\].[c\\.d]"),
            (&["a", "[b=c]"], "$['a']['[b=c]']"),
            (&["[a].b", "'\\"], "$['[a].b']['\\'\\\\']"),
        ];
        for (keys, text) in table {
            let steps: Vec<PathStep> = keys
                .iter()
                .map(|key| PathStep::Key((*key).into()))
                .collect();
            let path = FieldPath::of_steps(&steps);
            assert_eq!(path.to_string(), text);
            let parsed = FieldPath::parse(text).unwrap();
            let parsed: Vec<_> = parsed.segments().iter().map(key_of).collect();
            assert_eq!(parsed, keys.iter().copied().map(Some).collect::<Vec<_>>());
        }
        let indexed = FieldPath::of_steps(&[PathStep::Key("a".into()), PathStep::Index(3)]);
        assert_eq!(indexed.to_string(), "a.3");
    }
}

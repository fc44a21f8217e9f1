//! Paths of changed fields, in the notation that `inlay get` accepts.

use std::fmt;

use crate::edit::spelled_key;
use crate::source::visible_line;

/// A step from a collection to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A key of a mapping.
    Key(String),
    /// The item with this name.
    Named(String),
    /// The item at this index of a list, or the document at this index of a string.
    Index(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => f.write_str(&spelled_key(&visible_line(key))),
            Step::Named(name) => write!(f, "[name={}]", visible_line(name)),
            Step::Index(index) => write!(f, "{index}"),
        }
    }
}

/// Returns the path with these steps.
pub(super) fn spell(steps: &[Step]) -> String {
    let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
    steps.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_a_path_reads_otherwise_are_in_brackets() {
        let cases = [
            ("app.json", "app\\.json"),
            ("*", "[*]"),
            ("$ref", "[$ref]"),
            ("0", "[0]"),
            ("", "[]"),
        ];
        for (key, expected) in cases {
            assert_eq!(spell(&[Step::Key(key.to_owned())]), expected, "{key}");
        }
    }
}

//! The path of a data value, for messages: `databases[0].name`.

use std::fmt;

use crate::yaml::Node;

/// A path from the root of the data values. It is a chain on the stack, which costs nothing until a
/// message shows the path.
#[derive(Clone, Copy)]
pub(super) struct ValuePath<'a> {
    parent: Option<&'a ValuePath<'a>>,
    step: ValueStep<'a>,
}

#[derive(Clone, Copy)]
enum ValueStep<'a> {
    Root,
    Key(&'a Node),
    Index(usize),
    /// Any item of an array, or any value of an open map.
    Each,
}

impl<'a> ValuePath<'a> {
    /// Returns the path of the root of the data values.
    pub(super) fn root() -> ValuePath<'static> {
        ValuePath {
            parent: None,
            step: ValueStep::Root,
        }
    }

    /// Returns the path of an entry.
    pub(super) fn key(&'a self, key: &'a Node) -> ValuePath<'a> {
        ValuePath {
            parent: Some(self),
            step: ValueStep::Key(key),
        }
    }

    /// Returns the path of an item.
    pub(super) fn index(&'a self, index: usize) -> ValuePath<'a> {
        ValuePath {
            parent: Some(self),
            step: ValueStep::Index(index),
        }
    }

    /// Returns the path of any item of an array, or of any value of an open map.
    pub(super) fn each(&'a self) -> ValuePath<'a> {
        ValuePath {
            parent: Some(self),
            step: ValueStep::Each,
        }
    }
}

impl fmt::Display for ValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else {
            return f.write_str("(document)");
        };
        // The root is printed only if it is the whole path. Before a key it would be noise.
        let is_first = parent.parent.is_none();
        if !is_first {
            parent.fmt(f)?;
        }
        match self.step {
            ValueStep::Root => Ok(()),
            ValueStep::Key(key) => {
                f.write_str(if is_first { "" } else { "." })?;
                f.write_str(key_text(key))
            }
            ValueStep::Index(index) => write!(f, "[{index}]"),
            ValueStep::Each => f.write_str("[]"),
        }
    }
}

/// Returns a key as it is written.
pub(super) fn key_text(key: &Node) -> &str {
    match &key.content {
        crate::yaml::Content::Alias(alias) => key_text(&alias.target),
        _ => key.text().unwrap_or("(collection)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_like_code() {
        let (root, a, b) = (ValuePath::root(), Node::string("a"), Node::string("b"));
        assert_eq!(root.to_string(), "(document)");
        assert_eq!(root.index(1).to_string(), "[1]");
        let a = root.key(&a);
        assert_eq!(a.index(0).key(&b).to_string(), "a[0].b");
        assert_eq!(a.each().to_string(), "a[]");
    }
}

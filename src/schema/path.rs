//! Where a value stands among the data values: `databases[0].name`.

use std::fmt;

use crate::yaml::Node;

/// The way from the root to a value, as a chain on the stack.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a Node),
    Index(usize),
    /// Any item of an array, or any value of an open map.
    Each,
}

impl<'a> Path<'a> {
    pub(super) fn root() -> Path<'static> {
        Path {
            parent: None,
            step: Step::Root,
        }
    }

    pub(super) fn key(&'a self, key: &'a Node) -> Path<'a> {
        Path {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    pub(super) fn index(&'a self, index: usize) -> Path<'a> {
        Path {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    pub(super) fn each(&'a self) -> Path<'a> {
        Path {
            parent: Some(self),
            step: Step::Each,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else {
            return f.write_str("(document)");
        };
        let is_first = parent.parent.is_none();
        if !is_first {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Key(key) => {
                f.write_str(if is_first { "" } else { "." })?;
                f.write_str(key_text(key))
            }
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Each => f.write_str("[]"),
        }
    }
}

/// A key as it is written.
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
    fn a_path_reads_like_code() {
        let (root, a, b) = (Path::root(), Node::string("a"), Node::string("b"));
        assert_eq!(root.to_string(), "(document)");
        assert_eq!(root.index(1).to_string(), "[1]");
        let a = root.key(&a);
        assert_eq!(a.index(0).key(&b).to_string(), "a[0].b");
        assert_eq!(a.each().to_string(), "a[]");
    }
}

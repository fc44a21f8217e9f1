//! The levels of a document that overlays work on, and what ytt calls them in messages.

/// What a part of an overlay is, and so what it is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Document,
    /// An entry of a mapping. ytt calls it a map item.
    Entry,
    /// An item of a list. ytt calls it an array item.
    Item,
    /// A value by itself, which has no annotations: the root of an overlay without documents, or
    /// the result of a function.
    Value,
}

impl ElementKind {
    /// Returns the name that messages use, as ytt does.
    pub(super) fn singular(self) -> &'static str {
        match self {
            ElementKind::Document => "document",
            ElementKind::Entry => "map item",
            ElementKind::Item => "array item",
            ElementKind::Value => "value",
        }
    }

    /// Returns the name of several of them.
    pub(super) fn plural(self) -> &'static str {
        match self {
            ElementKind::Document => "documents",
            ElementKind::Entry => "map items",
            ElementKind::Item => "array items",
            ElementKind::Value => "values",
        }
    }

    /// Returns the name with its article.
    pub(super) fn with_article(self) -> &'static str {
        match self {
            ElementKind::Document => "a document",
            ElementKind::Entry => "a map item",
            ElementKind::Item => "an array item",
            ElementKind::Value => "a value",
        }
    }
}

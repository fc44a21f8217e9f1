//! The levels of a document that overlays work on, and their names in ytt's messages.

/// The kind of an overlay part, and of the elements that it is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Document,
    /// An entry of a mapping. ytt calls it a map item.
    Entry,
    /// An item of a list. ytt calls it an array item.
    Item,
    /// A value without annotations: the root of an overlay without documents, or the result of a
    /// function.
    Value,
}

impl ElementKind {
    /// Returns the singular name for messages, which is the name that ytt uses.
    pub(super) fn singular(self) -> &'static str {
        match self {
            ElementKind::Document => "document",
            ElementKind::Entry => "map item",
            ElementKind::Item => "array item",
            ElementKind::Value => "value",
        }
    }

    /// Returns the plural name for messages.
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

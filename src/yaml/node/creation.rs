//! Creates new nodes, and next versions of nodes.
//!
//! Nothing is changed in place: a function that changes a node returns another one, which shares
//! the unchanged children.

use std::sync::Arc;

use super::{
    CollectionStyle, Content, Entry, Item, Mapping, Node, Origin, Properties, Scalar, ScalarStyle,
    ScalarTyping, Sequence, Text,
};
use crate::source::Location;
use crate::yaml::elements::Elements;

impl Node {
    /// Creates a node that has no place in a text.
    pub fn made(content: Content) -> Arc<Node> {
        Arc::new(Node {
            origin: None,
            properties: None,
            content,
        })
    }

    /// Creates a string. The printer chooses its quotes by its text and its neighbours.
    pub fn string(text: impl Into<Box<str>>) -> Arc<Node> {
        Node::made(Content::Scalar(Scalar {
            style: ScalarStyle::DoubleQuoted,
            text: Text::Owned(text.into()),
        }))
    }

    /// Creates a plain scalar: a number, `true`, `false` or `null`, in the spelling given.
    pub fn plain(text: impl Into<Box<str>>) -> Arc<Node> {
        Node::made(Content::Scalar(Scalar {
            style: ScalarStyle::Plain,
            text: Text::Owned(text.into()),
        }))
    }

    /// Creates a plain scalar like [`plain`](Self::plain), but without a settled type. kustomize
    /// writes names and replaced values this way, and some of its steps convert them to strings.
    pub fn untyped(text: impl Into<Box<str>>) -> Arc<Node> {
        Node::plain(text).with_typing(ScalarTyping::Untyped)
    }

    /// Returns a scalar with another type in kustomize.
    pub fn with_typing(&self, typing: ScalarTyping) -> Arc<Node> {
        let properties = self.properties.as_deref().cloned().unwrap_or_default();
        let properties = Properties {
            typing,
            ..properties
        };
        Arc::new(Node {
            origin: self.origin.clone(),
            properties: Some(Box::new(properties)),
            content: self.content.clone(),
        })
    }

    /// Creates a mapping. The printer chooses its layout by its neighbours.
    pub fn mapping(entries: Vec<Entry>) -> Arc<Node> {
        Node::created_mapping(entries, false)
    }

    /// Creates the mapping of a value that code computed: see [`Mapping::is_computed`].
    pub fn computed_mapping(entries: Vec<Entry>) -> Arc<Node> {
        Node::created_mapping(entries, true)
    }

    fn created_mapping(entries: Vec<Entry>, is_computed: bool) -> Arc<Node> {
        Node::made(Content::Mapping(Mapping {
            style: CollectionStyle::Block,
            entries: entries.into(),
            is_computed,
        }))
    }

    /// Creates a sequence. The printer chooses its layout by its neighbours.
    pub fn sequence(values: impl IntoIterator<Item = Arc<Node>>) -> Arc<Node> {
        Node::created_sequence(values, false)
    }

    /// Creates the sequence of a value that code computed: see [`Sequence::is_computed`].
    pub fn computed_sequence(values: impl IntoIterator<Item = Arc<Node>>) -> Arc<Node> {
        Node::created_sequence(values, true)
    }

    fn created_sequence(
        values: impl IntoIterator<Item = Arc<Node>>,
        is_computed: bool,
    ) -> Arc<Node> {
        let items = values
            .into_iter()
            .map(|value| Item { start: None, value })
            .collect();
        Node::made(Content::Sequence(Sequence {
            style: CollectionStyle::Block,
            items,
            is_computed,
        }))
    }

    /// Returns the next version of an edited node: it has other content, and the same origin and
    /// properties.
    pub fn with_content(&self, content: Content) -> Arc<Node> {
        Arc::new(Node {
            origin: self.origin.clone(),
            properties: self.properties.clone(),
            content,
        })
    }

    /// Returns the next version of a mapping, with other entries. A node of another kind becomes a
    /// mapping.
    pub fn with_entries(&self, entries: impl Into<Elements<Entry>>) -> Arc<Node> {
        let style = self
            .as_mapping()
            .map_or(CollectionStyle::Block, |mapping| mapping.style);
        self.with_content(Content::Mapping(Mapping {
            is_computed: false,
            style,
            entries: entries.into(),
        }))
    }

    /// Returns the next version of a sequence, with other items. A node of another kind becomes a
    /// sequence.
    pub fn with_items(&self, items: impl Into<Elements<Item>>) -> Arc<Node> {
        let style = self
            .as_sequence()
            .map_or(CollectionStyle::Block, |sequence| sequence.style);
        self.with_content(Content::Sequence(Sequence {
            is_computed: false,
            style,
            items: items.into(),
        }))
    }

    /// Returns a new collection with the same children and no place in a text, so that it is
    /// written on lines of its own. It keeps its anchor, which aliases may refer to. Other nodes are
    /// returned as they are.
    pub fn in_block_style(self: &Arc<Node>) -> Arc<Node> {
        let collection = match &self.content {
            Content::Mapping(mapping) => Node::mapping(mapping.entries.to_vec()),
            Content::Sequence(sequence) => {
                Node::sequence(sequence.items.iter().map(|item| Arc::clone(&item.value)))
            }
            Content::Scalar(_) | Content::Alias(_) => return Arc::clone(self),
        };
        collection.anchored(self.anchor())
    }

    /// Returns a collection in the given style. Its children keep their style. Other nodes are
    /// returned as they are.
    pub fn in_style(self: &Arc<Node>, style: CollectionStyle) -> Arc<Node> {
        let content = match &self.content {
            Content::Mapping(mapping) => Content::Mapping(Mapping {
                is_computed: mapping.is_computed,
                style,
                entries: mapping.entries.clone(),
            }),
            Content::Sequence(sequence) => Content::Sequence(Sequence {
                is_computed: sequence.is_computed,
                style,
                items: sequence.items.clone(),
            }),
            Content::Scalar(_) | Content::Alias(_) => return Arc::clone(self),
        };
        self.with_content(content)
    }

    /// Returns the node with the anchor given, or without one.
    ///
    /// A node that replaces another takes over its anchor, because aliases refer to it. A copy
    /// loses its own, because an anchor must not be defined twice.
    pub fn anchored(self: &Arc<Node>, anchor: Option<&str>) -> Arc<Node> {
        if self.anchor() == anchor {
            return Arc::clone(self);
        }
        // The span of the properties stays, so that the printer still finds the bytes that are
        // there now.
        let mut properties = self.properties.as_deref().cloned().unwrap_or_default();
        properties.anchor = anchor.map(Box::from);
        let is_empty = properties.tag.is_none()
            && properties.anchor.is_none()
            && properties.typing == ScalarTyping::Shown;
        Arc::new(Node {
            origin: self.origin.clone(),
            properties: (!is_empty).then(|| Box::new(properties)),
            content: self.content.clone(),
        })
    }

    /// Returns the node with another place.
    ///
    /// The text at the place is not the text of the node, so it must not be printed faithfully.
    pub fn at_place(&self, place: &Location) -> Arc<Node> {
        Arc::new(Node {
            origin: Some(Origin {
                source: Arc::clone(&place.source),
                span: place.span,
            }),
            properties: self.properties.clone(),
            content: self.content.clone(),
        })
    }
}

impl Entry {
    /// Creates an entry and its key.
    pub fn new(key: &str, value: Arc<Node>) -> Entry {
        Entry {
            key: Node::string(key),
            value,
        }
    }
}

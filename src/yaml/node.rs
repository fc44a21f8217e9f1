//! The tree: what a YAML or JSON text says, and where it says it.
//!
//! Nodes are immutable and shared. An edit makes a new node for the edited value and for each collection around it (a
//! new *spine*) and shares the rest, so a tree before and after an edit can be compared by identity: what is the same
//! `Arc` was not touched, and faithful printing copies its bytes.
//!
//! A node that was parsed knows its [`Origin`]; an edited collection keeps the origin of the one it came from; a node
//! that was made has none.

use std::sync::Arc;

use super::elements::Elements;
use super::value::{Tag, Value, decode_binary, resolve};
use crate::source::{Location, OffsetMap, Source, Span};

/// A value in the tree: a scalar, a sequence, a mapping, or an alias.
#[derive(Debug)]
pub struct Node {
    /// Where the node was parsed; `None` for a node that was made.
    pub origin: Option<Origin>,
    /// Tag and anchor, which few nodes have.
    pub properties: Option<Box<Properties>>,
    /// What the node is.
    pub content: Content,
}

/// Where a node was parsed.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The source it was parsed from.
    pub source: Arc<Source>,
    /// The bytes of the node itself, without its tag and anchor. A quoted scalar includes its quotes, a block scalar
    /// its header and all of its lines; a block collection runs from its first key or dash to the end of its last
    /// value; an empty (null) node is an empty span behind its
    /// dash or colon.
    pub span: Span,
}

/// Tag and anchor of a node.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// The tag, resolved: `tag:yaml.org,2002:str` for `!!str`, `!local` for `!local`.
    pub tag: Option<Box<str>>,
    /// The anchor's name, without `&`.
    pub anchor: Option<Box<str>>,
    /// The bytes of tag and anchor together, in the source of the node's origin.
    pub span: Span,
}

/// The kinds of node.
#[derive(Clone, Debug)]
pub enum Content {
    /// Text with a style.
    Scalar(Scalar),
    /// A list.
    Sequence(Sequence),
    /// Keys and values.
    Mapping(Mapping),
    /// `*name`, which stands for another node.
    Alias(Alias),
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes; the text decides the type.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`; also the style of every made string, whose final style the printer chooses.
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// How a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionStyle {
    /// One entry a line, nested by indentation.
    Block,
    /// In brackets or braces.
    Flow,
}

/// A scalar: its style and its text.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// How it is written.
    pub style: ScalarStyle,
    /// What it says.
    pub text: Text,
}

/// Where the text of a scalar is held.
#[derive(Clone, Debug)]
pub enum Text {
    /// In the source, as it stands there between the quotes. Most scalars are of this kind and need no memory.
    Verbatim,
    /// On its own.
    Owned(Box<str>),
    /// In an edited document inside the scalar.
    Derived(Arc<dyn DerivedText>),
}

/// The text of a scalar that holds a document which was edited.
///
/// The document keeps its own tree; its text is printed when it is first asked for, so any number of edits inside one
/// string costs one parse and one print.
pub trait DerivedText: std::fmt::Debug + Send + Sync {
    /// The scalar as it was before the edits.
    fn base(&self) -> &Arc<Node>;

    /// The whole text after the edits.
    fn text(&self) -> &str;

    /// Where the text of [`base`](Self::base) is spelled in its source; `None` where it cannot be traced.
    fn map(&self) -> Option<&OffsetMap>;

    /// The same as changes to the text of [`base`](Self::base), in order; `None` when the text has to be written
    /// whole (base64, another layout).
    fn edits(&self) -> Option<&[super::TextEdit]>;

    /// For the caller that made it, to find its own type again.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// A list.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Block or flow.
    pub style: CollectionStyle,
    /// The items in order.
    pub items: Elements<Item>,
}

/// An item of a sequence.
#[derive(Clone, Debug)]
pub struct Item {
    /// Where the item starts in the source of the sequence's origin: its dash in a block sequence, its value in a flow
    /// sequence. `None` for an item that was added. The faithful printer knows by it which item is which.
    pub start: Option<u32>,
    /// The value.
    pub value: Arc<Node>,
}

/// Keys and values in order; a key may stand more than once.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// Block or flow.
    pub style: CollectionStyle,
    /// The entries in order.
    pub entries: Elements<Entry>,
}

/// A key and its value. An entry whose value was edited keeps its key node, by which the faithful printer knows it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key; nearly always a scalar.
    pub key: Arc<Node>,
    /// The value.
    pub value: Arc<Node>,
}

/// `*name`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The anchor's name, without `*`.
    pub name: Box<str>,
    /// The node that it stands for.
    pub target: Arc<Node>,
}

impl Node {
    /// A node that was made, not parsed.
    pub fn made(content: Content) -> Arc<Node> {
        Arc::new(Node {
            origin: None,
            properties: None,
            content,
        })
    }

    /// A made string. The printer chooses quotes by need and by the neighbours.
    pub fn string(text: impl Into<Box<str>>) -> Arc<Node> {
        Node::made(Content::Scalar(Scalar {
            style: ScalarStyle::DoubleQuoted,
            text: Text::Owned(text.into()),
        }))
    }

    /// A made plain scalar: a number, `true`, `false` or `null`, in the spelling given.
    pub fn plain(text: impl Into<Box<str>>) -> Arc<Node> {
        Node::made(Content::Scalar(Scalar {
            style: ScalarStyle::Plain,
            text: Text::Owned(text.into()),
        }))
    }

    /// A made mapping with no style of its own yet: the printer follows its neighbours.
    pub fn mapping(entries: Vec<Entry>) -> Arc<Node> {
        Node::made(Content::Mapping(Mapping {
            style: CollectionStyle::Block,
            entries: entries.into(),
        }))
    }

    /// A made sequence with no style of its own yet: the printer follows its neighbours.
    pub fn sequence(values: impl IntoIterator<Item = Arc<Node>>) -> Arc<Node> {
        let items = values
            .into_iter()
            .map(|value| Item { start: None, value })
            .collect();
        Node::made(Content::Sequence(Sequence {
            style: CollectionStyle::Block,
            items,
        }))
    }

    /// The node with other content and the same origin and properties: the next version of an edited collection.
    pub fn with_content(&self, content: Content) -> Arc<Node> {
        Arc::new(Node {
            origin: self.origin.clone(),
            properties: self.properties.clone(),
            content,
        })
    }

    /// The next version of a mapping, with other entries; a node that is no mapping becomes one.
    pub fn with_entries(&self, entries: impl Into<Elements<Entry>>) -> Arc<Node> {
        let style = self
            .as_mapping()
            .map_or(CollectionStyle::Block, |mapping| mapping.style);
        self.with_content(Content::Mapping(Mapping {
            style,
            entries: entries.into(),
        }))
    }

    /// The next version of a sequence, with other items; a node that is no sequence becomes one.
    pub fn with_items(&self, items: impl Into<Elements<Item>>) -> Arc<Node> {
        let style = self
            .as_sequence()
            .map_or(CollectionStyle::Block, |sequence| sequence.style);
        self.with_content(Content::Sequence(Sequence {
            style,
            items: items.into(),
        }))
    }

    /// A made collection with the same children that wants lines of its own; any other node as it is.
    pub fn in_block_style(self: &Arc<Node>) -> Arc<Node> {
        match &self.content {
            Content::Mapping(mapping) => Node::mapping(mapping.entries.to_vec()),
            Content::Sequence(sequence) => {
                Node::sequence(sequence.items.iter().map(|item| Arc::clone(&item.value)))
            }
            _ => Arc::clone(self),
        }
    }

    /// The node with the anchor given, or with none: what takes the place of a node takes over its anchor, and a copy
    /// leaves its own behind.
    pub fn anchored(self: &Arc<Node>, anchor: Option<&str>) -> Arc<Node> {
        if self.anchor() == anchor {
            return Arc::clone(self);
        }
        let mut properties = self.properties.as_deref().cloned().unwrap_or_default();
        properties.anchor = anchor.map(Box::from);
        let properties =
            Some(Box::new(properties)).filter(|all| all.tag.is_some() || all.anchor.is_some());
        Arc::new(Node {
            origin: self.origin.clone(),
            properties,
            content: self.content.clone(),
        })
    }

    /// The place of the node, if it was parsed.
    pub fn location(&self) -> Option<Location> {
        self.origin
            .as_ref()
            .map(|origin| Location::new(&origin.source, origin.span))
    }

    /// The node that an alias stands for; the node itself otherwise.
    pub fn resolved(self: &Arc<Node>) -> &Arc<Node> {
        let mut node = self;
        while let Content::Alias(alias) = &node.content {
            node = &alias.target;
        }
        node
    }

    /// The tag, if one is written.
    pub fn tag(&self) -> Option<&str> {
        self.properties.as_ref()?.tag.as_deref()
    }

    /// The anchor, if one is written.
    pub fn anchor(&self) -> Option<&str> {
        self.properties.as_ref()?.anchor.as_deref()
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.content {
            Content::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The sequence, if it is one.
    pub fn as_sequence(&self) -> Option<&Sequence> {
        match &self.content {
            Content::Sequence(sequence) => Some(sequence),
            _ => None,
        }
    }

    /// The mapping, if it is one.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.content {
            Content::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The text of a scalar, with quotes and escapes undone; `None` for anything else.
    pub fn text(&self) -> Option<&str> {
        let scalar = self.as_scalar()?;
        Some(match &scalar.text {
            Text::Owned(text) => text,
            Text::Derived(derived) => derived.text(),
            Text::Verbatim => {
                let origin = self.origin.as_ref()?;
                let quotes = usize::from(matches!(
                    scalar.style,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted
                ));
                let Span { start, end } = origin.span;
                let (start, end) = (
                    start as usize + quotes,
                    (end as usize).saturating_sub(quotes),
                );
                origin.source.slice(Span::new(start.min(end), end))
            }
        })
    }

    /// The value of a scalar by YAML 1.1, as ytt and kustomize read it; `None` for a collection. An alias has the value of its target.
    pub fn value(&self) -> Option<Value<'_>> {
        let node = match &self.content {
            Content::Alias(alias) => alias.target.resolved(),
            _ => self,
        };
        let scalar = node.as_scalar()?;
        Some(resolve(
            node.text()?,
            scalar.style == ScalarStyle::Plain,
            node.tag(),
        ))
    }

    /// The text of a scalar that is a string: quoted, tagged `!!str`, or plain and read as nothing else.
    pub fn as_str(&self) -> Option<&str> {
        match self.value()? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes that a scalar with the tag `!!binary` spells; `None` for any other node.
    pub fn binary(&self) -> Option<Vec<u8>> {
        let is_binary = Tag::of(self.tag()?) == Tag::Binary;
        if is_binary {
            decode_binary(self.text()?)
        } else {
            None
        }
    }

    /// The value of the first entry whose key has the text `key`.
    pub fn get(&self, key: &str) -> Option<&Arc<Node>> {
        self.as_mapping()?.get(key)
    }

    /// The value at the end of a chain of keys.
    pub fn get_in(&self, keys: &[&str]) -> Option<&Arc<Node>> {
        let (first, rest) = keys.split_first()?;
        rest.iter()
            .try_fold(self.get(first)?, |node, key| node.get(key))
    }

    /// What a message says was found: the [`kind`](Self::kind) with its article, `null` without one.
    pub fn described(&self) -> &'static str {
        match self.kind() {
            "mapping" => "a mapping",
            "list" => "a list",
            "string" => "a string",
            "number" => "a number",
            "boolean" => "a boolean",
            _ => "null",
        }
    }

    /// A word for messages: `mapping`, `list`, `string`, `number`, `boolean` or `null`.
    pub fn kind(&self) -> &'static str {
        match &self.content {
            Content::Mapping(_) => "mapping",
            Content::Sequence(_) => "list",
            Content::Alias(alias) => alias.target.kind(),
            Content::Scalar(_) => match self.value() {
                None | Some(Value::Null) => "null",
                Some(Value::Bool(_)) => "boolean",
                Some(Value::String(_)) => "string",
                Some(_) => "number",
            },
        }
    }
}

impl Mapping {
    /// The value of the first entry whose key has the text `key`.
    pub fn get(&self, key: &str) -> Option<&Arc<Node>> {
        self.position(key)
            .and_then(|index| self.entries.at(index))
            .map(|entry| &entry.value)
    }

    /// The index of the first entry whose key has the text `key`.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.entries.position(None, key)
    }
}

impl Entry {
    /// An entry with a made key.
    pub fn new(key: &str, value: Arc<Node>) -> Entry {
        Entry {
            key: Node::string(key),
            value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn a_node_takes_little_memory() {
        // A tree is mostly nodes; one more word would make each a fifth larger in the allocator's steps.
        assert!(size_of::<Node>() <= 56, "{} bytes", size_of::<Node>());
    }
}

//! The tree: the values of a YAML or JSON text, and their places in it.
//!
//! A text parses into a [`Stream`] of documents; each document has a tree of [`Node`]s.
//!
//! Invariant: nodes are immutable and shared. An edit creates a new node for the edited value and
//! for each collection around it (a new *spine*) and shares everything else. Trees before and after
//! an edit can therefore be compared by identity: the same `Arc` means "unchanged", and faithful
//! printing copies the bytes of unchanged nodes.
//!
//! A parsed node knows its [`Origin`]. An edited collection keeps the origin of the collection it
//! was made from. A node that was created by code has none.

mod creation;

use std::sync::Arc;

use super::elements::{Difference, Elements};
use super::lenient_place::LenientPlace;
use super::value::{Tag, Value, decode_binary, resolve};
use crate::source::{Diagnostic, Location, OffsetMap, Source, Span, steps};

/// The grammar that a text was read with. It decides how new values are spelled in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// YAML, block or flow.
    #[default]
    Yaml,
    /// JSON: strings always in double quotes, numbers only as JSON spells them. Comments and
    /// trailing commas are accepted and kept.
    Json,
}

/// A parsed text: any number of documents.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The text.
    pub source: Arc<Source>,
    /// The grammar that the text was read with.
    pub syntax: Syntax,
    /// The documents in order. A text with nothing but blanks and comments has none.
    pub documents: Vec<Document>,
    /// Every comment, in order, from `#` (or `//`, `/*` in JSON) to the end of its text; empty if
    /// the text was read without them.
    pub comments: Vec<Span>,
    /// Whether any node is an alias, so that an edit of an anchored node changes more than its own
    /// bytes.
    pub has_aliases: bool,
    /// The places at which the text deviates from YAML 1.2 in a way that ytt and kustomize accept.
    pub lenient: Vec<LenientPlace>,
}

impl Stream {
    /// Returns a warning for each kind of place at which the text deviates from YAML 1.2.
    pub fn warnings(&self) -> Vec<Box<Diagnostic>> {
        let mut kinds = Vec::new();
        let mut warnings = Vec::new();
        for lenient in &self.lenient {
            // One example is enough: such a text is often full of them.
            if !kinds.contains(&lenient.kind) {
                kinds.push(lenient.kind);
                warnings.push(lenient.warning(&self.source));
            }
        }
        warnings
    }
}

/// One document of a stream.
#[derive(Clone, Debug)]
pub struct Document {
    /// The place of the `---` that starts it; `None` for a first document without one.
    pub marker: Option<Span>,
    /// The bytes from the marker (or the start of the text) to the start of the next document (or
    /// the end of the text).
    pub span: Span,
    /// The value; a null scalar for an empty document.
    pub root: Arc<Node>,
}

/// A value in the tree: a scalar, a sequence, a mapping, or an alias.
#[derive(Debug)]
pub struct Node {
    /// The place where the node was parsed; `None` for a node that was created.
    pub origin: Option<Origin>,
    /// Tag and anchor. Few nodes have any, so they are boxed to keep nodes small.
    pub properties: Option<Box<Properties>>,
    /// The value itself.
    pub content: Content,
}

/// The place where a node was parsed.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The source that the node was parsed from.
    pub source: Arc<Source>,
    /// The bytes of the node itself, without its tag and anchor:
    ///
    /// - a quoted scalar includes its quotes;
    /// - a block scalar starts at its header and includes all of its lines;
    /// - a block collection runs from its first key or dash to the end of its last value;
    /// - an empty (null) node is an empty span after its dash or colon.
    pub span: Span,
}

/// The tag and the anchor of a node, and other facts that few nodes have.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// The tag, resolved: `tag:yaml.org,2002:str` for `!!str`, `!local` for `!local`.
    pub tag: Option<Box<str>>,
    /// The anchor's name, without `&`.
    pub anchor: Option<Box<str>>,
    /// The bytes of tag and anchor together, in the source of the node's origin.
    pub span: Span,
    /// The type of a scalar in kustomize, if it is not the one that the scalar shows.
    pub typing: ScalarTyping,
}

/// The type of a scalar in kustomize, which keeps it apart from the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScalarTyping {
    /// The type that the scalar shows.
    #[default]
    Shown,
    /// An edit wrote the text of a plain scalar without deciding its type. The text decides the
    /// type, unless a step of kustomize makes it a string.
    Untyped,
    /// An edit wrote the scalar, and kustomize read it from JSON later. Its text is kept as written.
    FromJson,
    /// An edit wrote a text over a null, and kustomize still takes it for a null.
    Null,
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
    /// `*name`, a reference to another node.
    Alias(Alias),
}

/// The style in which a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes; the text decides the type.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`; also the style of every created string. The printer chooses the final style of those.
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

impl ScalarStyle {
    /// Returns whether the scalar is written in quotes.
    pub(super) fn is_quoted(self) -> bool {
        matches!(self, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
    }

    /// Returns whether the scalar is a header with lines below it.
    pub(super) fn is_block(self) -> bool {
        matches!(self, ScalarStyle::Literal | ScalarStyle::Folded)
    }
}

/// The style in which a collection is written.
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
    /// The style in which it is written.
    pub style: ScalarStyle,
    /// The text, with quotes and escapes resolved.
    pub text: Text,
}

/// The place where the text of a scalar is stored.
#[derive(Clone, Debug)]
pub enum Text {
    /// In the source: the bytes between the quotes are the text. Most scalars are of this kind and
    /// need no memory.
    Verbatim,
    /// In a separate string, because the source spells it differently (escapes, folding) or there
    /// is no source.
    Owned(Box<str>),
    /// In an edited document inside the scalar.
    Derived(Arc<dyn DerivedText>),
}

/// The text of a scalar that contains an edited document.
///
/// The document keeps its own tree. Its text is printed when it is first read, so any number
/// of edits inside one string costs one parse and one print.
pub trait DerivedText: std::fmt::Debug + Send + Sync {
    /// Returns the scalar as it was before the edits.
    fn base(&self) -> &Arc<Node>;

    /// Returns the whole text after the edits.
    fn text(&self) -> &str;

    /// Returns the approximate length of the text in bytes, without printing it.
    fn length(&self) -> usize;

    /// Returns the map from the text of [`base`](Self::base) to its source; `None` if it cannot be
    /// traced.
    fn map(&self) -> Option<&OffsetMap>;

    /// Returns the edits as changes to the text of [`base`](Self::base), in order; `None` if the
    /// text has to be written whole (base64, another layout).
    fn edits(&self) -> Option<&[super::TextEdit]>;

    /// Returns whether the text is certain to differ from `other`, decided from the documents
    /// alone. Comparing the texts would print both.
    fn is_certainly_other(&self, _other: &dyn DerivedText) -> bool {
        false
    }

    /// Returns the text as `Any`, so that the code that created it can get back its own type.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// A list.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Block or flow.
    pub style: CollectionStyle,
    /// The items in order.
    pub items: Elements<Item>,
    /// Whether it was created for a value that code computed, such as a list, a tuple or a set. An
    /// edited sequence no longer is that value.
    pub is_computed: bool,
}

/// An item of a sequence.
#[derive(Clone, Debug)]
pub struct Item {
    /// The start of the item in the source of the sequence's origin: its dash in a block sequence,
    /// its value in a flow sequence. `None` for an item that was added.
    ///
    /// Invariant: an edit of the value keeps it. The faithful printer identifies items by it.
    pub start: Option<u32>,
    /// The value.
    pub value: Arc<Node>,
}

/// Keys and values in order. A key can occur more than once.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// Block or flow.
    pub style: CollectionStyle,
    /// The entries in order.
    pub entries: Elements<Entry>,
    /// Whether it was created for a value that code computed, such as a dictionary. An edited
    /// mapping no longer is that value.
    pub is_computed: bool,
}

/// A key and its value.
///
/// Invariant: an edit of the value keeps the key node. The faithful printer identifies entries by
/// it.
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
    /// The node that it refers to.
    pub target: Arc<Node>,
}

impl Node {
    /// Returns whether the node is a collection in brackets or braces.
    pub fn is_flow(&self) -> bool {
        match &self.content {
            Content::Mapping(mapping) => mapping.style == CollectionStyle::Flow,
            Content::Sequence(sequence) => sequence.style == CollectionStyle::Flow,
            Content::Scalar(_) | Content::Alias(_) => false,
        }
    }

    /// Returns whether the node is a mapping or a sequence without children.
    pub fn is_empty_collection(&self) -> bool {
        match &self.content {
            Content::Mapping(mapping) => mapping.entries.is_empty(),
            Content::Sequence(sequence) => sequence.items.is_empty(),
            Content::Scalar(_) | Content::Alias(_) => false,
        }
    }

    /// Returns the children of a collection: the values of its entries, or of its items.
    pub fn children(&self) -> Vec<&Arc<Node>> {
        match &self.content {
            Content::Mapping(mapping) => mapping.entries.iter().map(|entry| &entry.value).collect(),
            Content::Sequence(sequence) => sequence.items.iter().map(|item| &item.value).collect(),
            Content::Scalar(_) | Content::Alias(_) => Vec::new(),
        }
    }

    /// Returns the place of the node, if it was parsed.
    pub fn location(&self) -> Option<Location> {
        self.origin
            .as_ref()
            .map(|origin| Location::new(&origin.source, origin.span))
    }

    /// Returns the offset of the first byte of a parsed node, its tag and anchor included.
    pub(super) fn full_start(&self) -> usize {
        let start = self.content_start();
        match &self.properties {
            // The span is empty if code gave the node its anchor.
            Some(properties) if !properties.span.is_empty() => properties.span.start().min(start),
            _ => start,
        }
    }

    /// Returns the offset of the first byte of a parsed node, after its tag and anchor.
    pub(super) fn content_start(&self) -> usize {
        self.origin.as_ref().map_or(0, |origin| origin.span.start())
    }

    /// Returns the offset after the last byte of a parsed node. An empty node with an anchor ends
    /// after the anchor.
    pub(super) fn full_end(&self) -> usize {
        let end = self.origin.as_ref().map_or(0, |origin| origin.span.end());
        match &self.properties {
            Some(properties) => properties.span.end().max(end),
            None => end,
        }
    }

    /// Follows aliases to the node that they refer to.
    pub fn resolved(self: &Arc<Node>) -> &Arc<Node> {
        // An alias can refer to another alias after edits. The loop ends, because parsing refuses
        // an anchor that contains itself.
        let mut node = self;
        while let Content::Alias(alias) = &node.content {
            node = &alias.target;
        }
        node
    }

    /// Returns the tag, if one is written.
    pub fn tag(&self) -> Option<&str> {
        self.properties.as_ref()?.tag.as_deref()
    }

    /// Returns the type of a scalar in kustomize.
    pub fn typing(&self) -> ScalarTyping {
        let properties = self.properties.as_ref();
        properties.map_or(ScalarTyping::Shown, |properties| properties.typing)
    }

    /// Returns whether the type of a scalar is not settled, as [`untyped`](Self::untyped) says.
    pub fn is_untyped(&self) -> bool {
        self.typing() == ScalarTyping::Untyped
    }

    /// Returns the anchor, if one is written.
    pub fn anchor(&self) -> Option<&str> {
        self.properties.as_ref()?.anchor.as_deref()
    }

    /// Returns the scalar, if it is one.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.content {
            Content::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the sequence, if it is one.
    pub fn as_sequence(&self) -> Option<&Sequence> {
        match &self.content {
            Content::Sequence(sequence) => Some(sequence),
            _ => None,
        }
    }

    /// Returns the mapping, if it is one.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.content {
            Content::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Returns the style of a collection; `None` for a scalar and an alias.
    pub fn collection_style(&self) -> Option<CollectionStyle> {
        match &self.content {
            Content::Mapping(mapping) => Some(mapping.style),
            Content::Sequence(sequence) => Some(sequence.style),
            Content::Scalar(_) | Content::Alias(_) => None,
        }
    }

    /// Returns whether the node is a literal or folded scalar.
    pub(super) fn is_block_scalar(&self) -> bool {
        self.as_scalar()
            .is_some_and(|scalar| scalar.style.is_block())
    }

    /// Returns whether both are mappings or both are sequences.
    pub(super) fn is_same_kind_of_collection(&self, other: &Node) -> bool {
        matches!(
            (&self.content, &other.content),
            (Content::Mapping(_), Content::Mapping(_))
                | (Content::Sequence(_), Content::Sequence(_))
        )
    }

    /// Returns the text of a scalar, with quotes and escapes undone; `None` for anything else.
    pub fn text(&self) -> Option<&str> {
        steps::count(1);
        let scalar = self.as_scalar()?;
        match &scalar.text {
            Text::Owned(text) => Some(text),
            Text::Derived(derived) => Some(derived.text()),
            Text::Verbatim => {
                let origin = self.origin.as_ref()?;
                let quotes = usize::from(scalar.style.is_quoted());
                let start = origin.span.start() + quotes;
                let end = origin.span.end().saturating_sub(quotes);
                Some(origin.source.slice(Span::new(start.min(end), end)))
            }
        }
    }

    /// Returns the value of a scalar by YAML 1.1, as ytt and kustomize read it; `None` for a
    /// collection. An alias has the value of its target.
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

    /// Returns the text of a scalar that is a string: quoted, tagged `!!str`, or plain and of no
    /// other type.
    pub fn as_str(&self) -> Option<&str> {
        match self.value()? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the bytes that a scalar with the tag `!!binary` spells; `None` for any other node.
    pub fn binary(&self) -> Option<Vec<u8>> {
        if Tag::of(self.tag()?) != Tag::Binary {
            return None;
        }
        decode_binary(self.text()?)
    }

    /// Returns the value of the first entry whose key has the text `key`.
    pub fn get(&self, key: &str) -> Option<&Arc<Node>> {
        self.as_mapping()?.get(key)
    }

    /// Returns the value at the end of a chain of keys.
    pub fn get_in(&self, keys: &[&str]) -> Option<&Arc<Node>> {
        let (first, rest) = keys.split_first()?;
        let mut node = self.get(first)?;
        for key in rest {
            node = node.get(key)?;
        }
        Some(node)
    }

    /// Returns the [`kind`](Self::kind) with its article, as messages describe a value: `a list`,
    /// but `null`.
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

    /// Returns a word for messages: `mapping`, `list`, `string`, `number`, `boolean` or `null`.
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
    /// Returns the value of the first entry whose key has the text `key`.
    pub fn get(&self, key: &str) -> Option<&Arc<Node>> {
        let index = self.position(key)?;
        Some(&self.entries.at(index)?.value)
    }

    /// Returns the index of the first entry whose key has the text `key`.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.entries.position(None, key)
    }

    /// Returns the entries that may differ from those of `before`, an earlier version of this
    /// mapping, or all entries if there is no earlier version.
    pub fn changed_since<'a>(&'a self, before: Option<&'a Mapping>) -> Difference<'a, Entry> {
        match before {
            Some(before) => self.entries.changed_since(&before.entries),
            None => Difference {
                before: Vec::new(),
                after: self.entries.iter().enumerate().collect(),
            },
        }
    }
}

impl Sequence {
    /// Returns the items that may differ from those of `before`, an earlier version of this list,
    /// or all items if there is no earlier version.
    pub fn changed_since<'a>(&'a self, before: Option<&'a Sequence>) -> Difference<'a, Item> {
        match before {
            Some(before) => self.items.changed_since(&before.items),
            None => Difference {
                before: Vec::new(),
                after: self.items.iter().enumerate().collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn a_node_takes_at_most_56_bytes() {
        // A tree consists mostly of nodes. One more word would make each of them a fifth larger,
        // due to the size classes of the allocator.
        assert!(size_of::<Node>() <= 56, "{} bytes", size_of::<Node>());
    }
}

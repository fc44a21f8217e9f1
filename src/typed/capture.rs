//! Values that remember the node they were read from.
//!
//! `serde` has no way to hand a node through its data model, so the deserializer and the two types here agree on a
//! newtype name: asked for a newtype of that name, the deserializer puts the node into a slot of the thread and calls
//! the visitor, whose first act is to empty the slot. A deserializer that does not know the name leaves the slot empty,
//! and then there is no node to remember.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::source::{Location, Span};
use crate::yaml::Node;

/// The newtype name that asks for the node.
const NAME: &str = "inlay::typed::capture";

thread_local! {
    static SLOT: Cell<Option<Arc<Node>>> = const { Cell::new(None) };
}

/// Puts `node` into the slot if the newtype `name` asks for it.
pub(super) fn offer(name: &str, node: &Arc<Node>) {
    if name == NAME {
        SLOT.set(Some(Arc::clone(node)));
    }
}

/// A part of a configuration that is kept as a tree.
#[derive(Clone, Debug)]
pub struct RawNode(pub Arc<Node>);

impl<'de> Deserialize<'de> for RawNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawNode, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, RawNodeVisitor)
    }
}

struct RawNodeVisitor;

impl<'de> Visitor<'de> for RawNodeVisitor {
    type Value = RawNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of a tree")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<RawNode, D::Error> {
        SLOT.take()
            .map(RawNode)
            .ok_or_else(|| D::Error::custom("a part of a tree can be read only from a tree"))
    }
}

/// A value of a configuration and the place where it stands, so that a later error can point at it.
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place; `None` if the value was made and not parsed.
    pub location: Option<Location>,
}

impl<T> Spanned<T> {
    /// A value that stands nowhere, such as a default.
    pub fn made(value: T) -> Spanned<T> {
        Spanned {
            value,
            location: None,
        }
    }
}

impl Spanned<String> {
    /// The place of the bytes `part` of the text; the place of the whole text if it is spelled with escapes or line
    /// breaks.
    pub fn location_of(&self, part: Span) -> Option<Location> {
        let whole = self.location.as_ref()?;
        let spelling = whole.source.slice(whole.span);
        let content = spelling
            .strip_prefix(['"', '\''])
            .and_then(|rest| rest.strip_suffix(['"', '\'']));
        let quotes = match content {
            _ if spelling == self.value => 0,
            Some(content) if content == self.value => 1,
            _ => return Some(whole.clone()),
        };
        let start = whole.span.start() + quotes;
        Some(Location::new(
            &whole.source,
            Span::new(start + part.start(), start + part.end()),
        ))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spanned<T>, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, SpannedVisitor(PhantomData))
    }
}

struct SpannedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
    type Value = Spanned<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Spanned<T>, D::Error> {
        let location = SLOT.take().and_then(|node| node.location());
        Ok(Spanned {
            value: T::deserialize(deserializer)?,
            location,
        })
    }
}

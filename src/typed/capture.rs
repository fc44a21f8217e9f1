//! Values that remember the node they were read from.
//!
//! serde cannot pass a node through its data model. [`RawNode`] and [`Spanned`] get it through a
//! side channel, a thread-local slot:
//!
//! ```text
//! Spanned::deserialize          requests a newtype struct with the name CAPTURE
//!   NodeDeserializer            recognizes the name, puts its node into SLOT, calls the visitor
//!     SpannedVisitor            takes the node out of SLOT first, then reads the value as usual
//! ```
//!
//! Invariant: nothing is read between filling and emptying the slot, so nested captures cannot mix
//! up their nodes. A foreign deserializer (such as serde_json's) does not know the name and leaves
//! the slot empty. Then a `Spanned` has no location, and a `RawNode` is an error.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::source::{Location, Span};
use crate::yaml::Node;

/// The newtype name that requests the node.
const CAPTURE: &str = "inlay::typed::capture";

thread_local! {
    static SLOT: Cell<Option<Arc<Node>>> = const { Cell::new(None) };
}

/// Puts `node` into the slot if a newtype struct with this `name` requests it.
pub(super) fn offer(name: &str, node: &Arc<Node>) {
    if name == CAPTURE {
        SLOT.set(Some(Arc::clone(node)));
    }
}

/// A part of a configuration that is kept as a tree, such as a patch.
#[derive(Clone, Debug)]
pub struct RawNode(pub Arc<Node>);

impl<'de> Deserialize<'de> for RawNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawNode, D::Error> {
        deserializer.deserialize_newtype_struct(CAPTURE, RawNodeVisitor)
    }
}

struct RawNodeVisitor;

impl<'de> Visitor<'de> for RawNodeVisitor {
    type Value = RawNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of a tree")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<RawNode, D::Error> {
        match SLOT.take() {
            Some(node) => Ok(RawNode(node)),
            None => Err(D::Error::custom("a raw node can be read only from a tree")),
        }
    }
}

/// A value of a configuration with its place, so that later checks can refer to it.
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The place of the value; `None` if it was not parsed.
    pub location: Option<Location>,
}

impl<T> Spanned<T> {
    /// Creates a value without a place, such as a default.
    pub fn made(value: T) -> Spanned<T> {
        Spanned {
            value,
            location: None,
        }
    }
}

impl Spanned<String> {
    /// Returns the place of the bytes `part` of the string `value`.
    ///
    /// If the string has escapes or several lines, its bytes differ from those in the file. Then
    /// the place of the whole string is returned.
    pub fn location_of(&self, part: Span) -> Option<Location> {
        let whole = self.location.as_ref()?;
        let written = whole.source.slice(whole.span);
        let unquoted = written
            .strip_prefix(['"', '\''])
            .and_then(|rest| rest.strip_suffix(['"', '\'']));
        let quote_length = if written == self.value {
            0
        } else if unquoted == Some(self.value.as_str()) {
            1
        } else {
            return Some(whole.clone());
        };
        let start = whole.span.start() + quote_length;
        let span = Span::new(start + part.start(), start + part.end());
        Some(Location::new(&whole.source, span))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spanned<T>, D::Error> {
        deserializer.deserialize_newtype_struct(CAPTURE, SpannedVisitor(PhantomData))
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
        // Empty the slot before the value is read, because reading may fill it for a nested
        // `Spanned`.
        let location = SLOT.take().and_then(|node| node.location());
        Ok(Spanned {
            value: T::deserialize(deserializer)?,
            location,
        })
    }
}

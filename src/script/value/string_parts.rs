//! The results of `x.elems()`, `x.codepoints()` and similar methods.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::starlark_simple_value;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};

use crate::golang::quote;

/// The crate's type name for the parts of a string.
pub(in crate::script) const STRING_PARTS: &str = "string.parts";

/// The parts of a string. They can be iterated over, but have no length and no index.
///
/// They are created when they are iterated over. Until then, a value takes no more memory than its
/// text, and one character as a string would take dozens of bytes.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(in crate::script) struct StringParts {
    text: String,
    kind: PartKind,
}
starlark_simple_value!(StringParts);

/// A method that returns the parts of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Allocative)]
pub(in crate::script) enum PartKind {
    /// One string per byte, as in ytt. A single byte of a multi-byte character is not text, so it
    /// becomes the character with its number (`é` gives `Ã` and `©`).
    Elems,
    /// The bytes as numbers.
    ElemOrds,
    /// One string per character.
    Codepoints,
    /// The characters as numbers.
    CodepointOrds,
}

impl PartKind {
    const ALL: [PartKind; 4] = [
        PartKind::Elems,
        PartKind::ElemOrds,
        PartKind::Codepoints,
        PartKind::CodepointOrds,
    ];

    /// Returns the kind of the parts that the method `name` returns, if it returns parts.
    pub(in crate::script) fn of(name: &str) -> Option<PartKind> {
        PartKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            PartKind::Elems => "elems",
            PartKind::ElemOrds => "elem_ords",
            PartKind::Codepoints => "codepoints",
            PartKind::CodepointOrds => "codepoint_ords",
        }
    }
}

impl StringParts {
    /// Creates the parts of `text`.
    pub(in crate::script) fn new(text: &str, kind: PartKind) -> StringParts {
        let text = text.to_owned();
        StringParts { text, kind }
    }

    /// Returns the result of `type(value)`: the name of the method, without its suffix `_ords`.
    pub(in crate::script) fn type_name(&self) -> &'static str {
        match self.kind {
            PartKind::Elems | PartKind::ElemOrds => "elems",
            PartKind::Codepoints | PartKind::CodepointOrds => "codepoints",
        }
    }
}

impl fmt::Display for StringParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}()", quote(self.text.as_bytes()), self.kind.name())
    }
}

#[starlark_value(type = STRING_PARTS)]
impl<'v> StarlarkValue<'v> for StringParts {
    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        let (bytes, characters) = (self.text.bytes(), self.text.chars());
        Ok(match self.kind {
            PartKind::Elems => bytes.map(|byte| heap.alloc(char::from(byte))).collect(),
            PartKind::ElemOrds => bytes.map(|byte| heap.alloc(u32::from(byte))).collect(),
            PartKind::Codepoints => characters.map(|c| heap.alloc(c)).collect(),
            PartKind::CodepointOrds => characters.map(|c| heap.alloc(u32::from(c))).collect(),
        })
    }
}

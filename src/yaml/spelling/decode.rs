//! Decodes a scalar: from the bytes in the file to its text, with a map back.
//!
//! The map makes embedded documents editable. An edit of the text becomes an edit of the bytes that
//! spell it, and a place in the document becomes a place in the file.

use std::sync::Arc;

use super::{block, flow};
use crate::source::{OffsetMap, Outer, Source, Span};
use crate::yaml::node::{Node, ScalarStyle};

/// The decoded text of a scalar.
#[derive(Debug, Default)]
pub struct DecodedText {
    /// The text.
    pub text: String,
    /// Maps the offsets of `text` to the source of the scalar, or to the raw bytes that were
    /// decoded.
    pub map: OffsetMap,
}

/// Decodes a parsed scalar and maps its text to the bytes of its source.
///
/// Returns `None` for a node that is not a parsed scalar.
///
/// Also returns `None` if the result differs from [`Node::text`]. That would be a bug here, and an
/// edit through a wrong map would destroy data; without a map, the scalar is written as a whole.
pub fn decode(node: &Node) -> Option<DecodedText> {
    let (origin, scalar, text) = (node.origin.as_ref()?, node.as_scalar()?, node.text()?);
    let raw = origin.source.slice(origin.span);
    let mut spelled = decode_raw(
        raw,
        scalar.style,
        origin.span.start(),
        content_indent(raw, scalar.style, text),
    )?;
    spelled.map.shrink();
    (spelled.text == text).then_some(spelled)
}

/// Decodes the raw bytes of a scalar. `base` is the offset of the first byte; `indent` is the
/// indentation of the content of a block scalar.
pub(super) fn decode_raw(
    raw: &str,
    style: ScalarStyle,
    base: usize,
    indent: usize,
) -> Option<DecodedText> {
    match style {
        ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
            flow::decode(raw, style, base)
        }
        ScalarStyle::Literal | ScalarStyle::Folded => Some(block::decode(raw, style, base, indent)),
    }
}

/// Returns the indentation of the content lines of the block scalar `raw` with the value `text`.
///
/// ```text
/// key: |2          the header counts from the parent's indentation, which is not known here
///      first       5 spaces in the file
///                  3 spaces in the value  =>  the content is indented by 2
/// ```
///
/// So the first line with text is compared in the file and in the value.
pub(crate) fn content_indent(raw: &str, style: ScalarStyle, text: &str) -> usize {
    if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
        return 0;
    }
    let outside = first_indent(raw.split('\n').skip(1));
    let inside = first_indent(text.split('\n'));
    outside.saturating_sub(inside)
}

/// Returns the number of spaces before the first line with text. Without such a line, returns the
/// largest number of spaces of any line: all of them are indentation.
fn first_indent<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    let mut most_spaces = 0;
    for line in lines {
        let text = line.trim_start_matches(' ');
        let spaces = line.len() - text.len();
        if !text.trim_end_matches('\r').trim_end_matches(' ').is_empty() {
            return spaces;
        }
        most_spaces = most_spaces.max(spaces);
    }
    most_spaces
}

/// Returns the text of a scalar as a separate source, mapped to the bytes that spell it.
///
/// A node that is not a scalar, or that was not parsed, has a source without a place.
pub fn text_source(node: &Node) -> Arc<Source> {
    mapped_source(
        node,
        decode(node).map(|spelled| spelled.map).unwrap_or_default(),
    )
}

/// Returns the text of a scalar as a source with a known map. Languages other than YAML and JSON
/// have escapes of their own, which the map of the scalar does not include.
pub fn mapped_source(node: &Node, map: OffsetMap) -> Arc<Source> {
    embedded(node, node.text().unwrap_or(""), map)
}

/// Returns a text that a scalar contains in an encoding (base64) as a source. Every place in it
/// maps to the whole scalar.
pub fn encoded_source(node: &Node, text: &str) -> Arc<Source> {
    embedded(node, text, OffsetMap::default())
}

fn embedded(node: &Node, text: &str, map: OffsetMap) -> Arc<Source> {
    let (source, span) = match &node.origin {
        Some(origin) => (Arc::clone(&origin.source), origin.span),
        None => (Source::empty(), Span::at(0)),
    };
    Source::embedded(text, Outer { source, span, map })
}

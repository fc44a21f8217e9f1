//! From a scalar's bytes to its text.

use super::{block, flow};
use crate::source::OffsetMap;
use crate::yaml::node::{Node, ScalarStyle};

/// A text and where it is spelled.
#[derive(Debug, Default)]
pub struct Spelled {
    /// What the scalar says.
    pub text: String,
    /// Where each byte of `text` stands, as offsets into the source of the scalar (or into the raw bytes given).
    pub map: OffsetMap,
}

/// Decodes a parsed scalar and maps its text onto the bytes of its source.
///
/// Returns `None` for a node that is not a parsed scalar, and for one whose text cannot be traced: a scalar that
/// [`Node::text`] reads differently, which would be a fault here, never leads to an edit in the wrong place.
pub fn decode(node: &Node) -> Option<Spelled> {
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

/// Decodes the raw bytes of a scalar. The map's outer offsets start at `base`.
pub(super) fn decode_raw(
    raw: &str,
    style: ScalarStyle,
    base: usize,
    indent: usize,
) -> Option<Spelled> {
    match style {
        ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
            flow::decode(raw, style, base)
        }
        ScalarStyle::Literal | ScalarStyle::Folded => Some(block::decode(raw, style, base, indent)),
    }
}

/// The indentation of the content lines of the block scalar `raw` that says `text`.
///
/// An indentation indicator counts from the parent's indentation, which the scalar itself does not know; but the first
/// line with text stands in both, and its extra white space tells the two apart.
pub(crate) fn content_indent(raw: &str, style: ScalarStyle, text: &str) -> usize {
    if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
        return 0;
    }
    let outside = first_indent(raw.split('\n').skip(1));
    let inside = first_indent(text.split('\n'));
    outside.saturating_sub(inside)
}

/// The number of spaces before the first line that holds more than spaces; where there is none, the most spaces that any
/// line has, since such lines are indentation up to that depth.
fn first_indent<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> usize {
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let holds_text = |line: &&str| !line.trim_end_matches('\r').trim_matches(' ').is_empty();
    lines
        .clone()
        .find(holds_text)
        .map(spaces)
        .unwrap_or_else(|| lines.map(spaces).max().unwrap_or(0))
}

//! Changes a part of the text of a scalar and keeps the bytes of the rest.
//!
//! ```text
//! bytes        "port: 80\n# \u2713 checked\n"      a double-quoted scalar is edited: 80 -> 8080
//! text         port: 80⏎# ✓ checked⏎
//! edit                ~~                            in the text, at 6..8
//! outer edit          ~~                            in the file, through the offset map
//! result       "port: 8080\n# \u2713 checked\n"    the other escapes are as the user wrote them
//! ```
//!
//! Encoding the whole text again would be simpler, but would change `\u2713` to `✓`, and the line
//! breaks of folded scalars.

use super::block;
use super::decode::{content_indent, decode_raw};
use super::double_quoted;
use crate::source::{Span, steps};
use crate::yaml::block_scalar;
use crate::yaml::character::is_printable;
use crate::yaml::node::{DerivedText, Node, ScalarStyle};
use crate::yaml::text_edit::{TextEdit, apply};
use crate::yaml::value::{PlainContext, is_plain_string};

/// Returns the edits of the source of `node` that change its text to that of `derived`.
///
/// Each edit of the text becomes one edit of the source, encoded in the style of the scalar.
///
/// Returns `None` if this style cannot express an edit, so that the scalar must be written as a
/// whole.
pub fn splice(node: &Node, derived: &dyn DerivedText, newline: &str) -> Option<Vec<TextEdit>> {
    let (origin, scalar) = (node.origin.as_ref()?, node.as_scalar()?);
    let (edits, map, text) = (derived.edits()?, derived.map()?, derived.text());
    let raw = origin.source.slice(origin.span);
    let indent = content_indent(raw, scalar.style, node.text()?);
    let base = origin.span.start();
    let block = RawBlock {
        raw,
        base,
        indent,
        newline,
    };
    let mut outer = Vec::with_capacity(edits.len());
    for edit in &joined(edits) {
        let span = map.outer_span(edit.span)?;
        outer.push(if scalar.style.is_block() {
            // A block scalar has no escapes for other characters.
            let fits = |c| matches!(c, '\t' | '\n') || is_printable(c);
            if !edit.text.chars().all(fits) {
                return None;
            }
            block.edit(span, &edit.text)
        } else {
            TextEdit::replace(span, spell(&edit.text, scalar.style)?)
        });
    }
    let mut relative = Vec::with_capacity(outer.len());
    for edit in &outer {
        let span = Span::new(edit.span.start() - base, edit.span.end() - base);
        relative.push(TextEdit::replace(span, edit.text.clone()));
    }
    let spelled = apply(raw, &relative);
    // Decode the result again: the styles have so many rules about neighbouring characters that
    // nothing else is certain. For example, an edit can put a `#` after a space. The text after a
    // block scalar must also stay at the start of its line.
    let ends_alike = raw.ends_with('\n') == spelled.ends_with('\n');
    let reads_back = ends_alike
        && decode_raw(&spelled, scalar.style, 0, indent)?.text == text
        && !(scalar.style.is_block() && is_indented_otherwise(&spelled, indent));
    let keeps_style =
        scalar.style != ScalarStyle::Plain || is_plain_string(text, PlainContext::Flow);
    (reads_back && keeps_style).then_some(outer)
}

/// Returns whether a reader would find another indentation than `indent` in a block scalar: a line
/// with too few spaces, where the scalar ends, or a first line with more of them:
///
/// ```text
/// |
///    a     without an indicator (`|2`), these are 3 spaces of indentation and no text
///   b
/// ```
///
/// A first line whose text begins with a tab needs an indicator, too: the tab could be indentation.
fn is_indented_otherwise(raw: &str, indent: usize) -> bool {
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut lines = raw.lines().skip(1);
    let is_cut_short = lines
        .clone()
        .any(|line| spaces(line) < indent && spaces(line) < line.len());
    let first = lines.find(|line| spaces(line) < line.len());
    let has_indicator = block_scalar::header(raw).indicator.is_some();
    let needs_indicator =
        first.is_some_and(|line| spaces(line) > indent || line[spaces(line)..].starts_with('\t'));
    is_cut_short || needs_indicator && !has_indicator
}

/// Joins edits that touch. Both of them could claim the indentation between two lines of a block
/// scalar.
fn joined(edits: &[TextEdit]) -> Vec<TextEdit> {
    let mut joined: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.span.end() == edit.span.start() => {
                last.span = Span::new(last.span.start(), edit.span.end());
                last.text.push_str(&edit.text);
            }
            _ => joined.push(edit.clone()),
        }
    }
    joined
}

/// Encodes a piece of text inside a flow scalar; `None` if the style cannot express it.
fn spell(text: &str, style: ScalarStyle) -> Option<String> {
    match style {
        ScalarStyle::DoubleQuoted => {
            let mut result = String::with_capacity(text.len());
            double_quoted::escape(text, &mut result);
            Some(result)
        }
        ScalarStyle::SingleQuoted | ScalarStyle::Plain if text.contains('\n') => None,
        ScalarStyle::SingleQuoted => Some(text.replace('\'', "''")),
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => Some(text.to_owned()),
    }
}

/// The bytes of a block scalar and their surroundings.
struct RawBlock<'b> {
    /// The bytes of the scalar, from the header on.
    raw: &'b str,
    /// The offset of these bytes in the file.
    base: usize,
    /// The indentation of its content.
    indent: usize,
    /// The line break of the file.
    newline: &'b str,
}

impl RawBlock<'_> {
    /// Returns the edit of the file that replaces `span` by `text`.
    ///
    /// ```text
    /// |              removing the text `b⏎` also removes the spaces before it in the file:
    ///   a
    ///   b⏎           ~~~~ replaced, instead of only ~~
    ///   c
    /// ```
    fn edit(&self, span: Span, text: &str) -> TextEdit {
        let RawBlock { raw, base, .. } = *self;
        let before = raw.get(..span.start() - base).unwrap_or_default();
        // Only the spaces before the edit are looked at and not the whole line, because thousands of
        // edits can be on one line.
        let spaces = before.bytes().rev().take(self.indent + 1);
        let spaces = spaces.take_while(|&byte| byte == b' ').count();
        steps::count(spaces);
        let line = before.len() - spaces;
        let is_indentation = spaces <= self.indent && before[..line].ends_with('\n');
        let until = raw.get(..span.end() - base).unwrap_or(raw);
        let ends_line = until.ends_with('\n') || until.len() == raw.len();
        // A blank line has no indentation to keep:
        //   a
        //                removing the text `⏎b⏎` puts `c` on the blank line, which needs its spaces
        //   b
        //   c
        let is_blank_line = spaces == 0;
        let starts_line = is_indentation && (ends_line || is_blank_line || text.starts_with('\n'));
        let start = if starts_line {
            base + line
        } else {
            span.start()
        };
        let text = block::piece(text, self.indent, self.newline, starts_line, ends_line);
        TextEdit::replace(Span::new(start, span.end()), text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_lines_that_need_another_header() {
        let table = [
            ("|\n  a\n\n   b\n", false),
            ("|\n\n  a\n", false),
            ("|\n   a\n  b\n", true),
            ("|2\n   a\n  b\n", false),
            ("|\n  a\n b\n", true),
            ("|\n  a\n\n \n", false),
            // libyaml takes the tab for indentation and refuses it.
            ("|\n  \ta\n  b\n", true),
            ("|2\n  \ta\n  b\n", false),
            ("|\n  a\n  \tb\n", false),
        ];
        for (raw, expected) in table {
            assert_eq!(is_indented_otherwise(raw, 2), expected, "{raw:?}");
        }
    }
}

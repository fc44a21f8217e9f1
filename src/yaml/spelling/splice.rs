//! Changing a part of a scalar's text and leaving the rest of its bytes as they are.

use super::block;
use super::decode::{content_indent, decode_raw};
use super::double_quoted::{self, Escapes};
use crate::source::Span;
use crate::yaml::node::{DerivedText, Node, ScalarStyle};
use crate::yaml::stream::Syntax;
use crate::yaml::text_edit::{TextEdit, apply};

/// The changes to the source of `node` that make its text that of `derived`, which is the present text with some changes.
///
/// Each edit becomes one edit of the source, spelled in the scalar's own style. The outcome is read back before it is
/// returned; `None` where a part cannot be spelled in this style, and the scalar has to be written whole.
pub fn splice(node: &Node, derived: &dyn DerivedText, syntax: Syntax, newline: &str) -> Option<Vec<TextEdit>> {
    let (origin, scalar) = (node.origin.as_ref()?, node.as_scalar()?);
    let (edits, map, text) = (derived.edits()?, derived.map()?, derived.text());
    let raw = origin.source.slice(origin.span);
    let indent = content_indent(raw, scalar.style, node.text()?);
    let base = origin.span.start();
    let mut outer = Vec::with_capacity(edits.len());
    for edit in edits {
        let span = map.outer_span(edit.span)?;
        let at_line_start = raw.get(..span.end() - base).is_some_and(|before| before.ends_with('\n'));
        outer.push(TextEdit::replace(span, spell(&edit.text, scalar.style, syntax, indent, newline, at_line_start)?));
    }
    let relative: Vec<TextEdit> = outer
        .iter()
        .map(|edit| TextEdit::replace(Span::new(edit.span.start() - base, edit.span.end() - base), edit.text.clone()))
        .collect();
    let spliced = apply(raw, &relative);
    // A block that loses all its lines would leave their indentation to the line after it.
    let ends_alike = spliced.ends_with('\n') == raw.ends_with('\n');
    let reads_back = ends_alike && decode_raw(&spliced, scalar.style, 0, indent)?.text == text;
    let keeps_style = scalar.style != ScalarStyle::Plain || crate::yaml::value::is_plain_string(text, true);
    (reads_back && keeps_style).then_some(outer)
}

/// Spells a piece of text within a scalar of the given style; `None` where the style has no spelling for it.
fn spell(
    text: &str,
    style: ScalarStyle,
    syntax: Syntax,
    indent: usize,
    newline: &str,
    at_line_start: bool,
) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    match style {
        ScalarStyle::DoubleQuoted => {
            let escapes = if syntax == Syntax::Json { Escapes::Json } else { Escapes::Yaml };
            double_quoted::escape(text, escapes, &mut result);
        }
        ScalarStyle::SingleQuoted if text.contains('\n') => return None,
        ScalarStyle::SingleQuoted => result.push_str(&text.replace('\'', "''")),
        ScalarStyle::Plain if text.contains('\n') => return None,
        ScalarStyle::Plain => result.push_str(text),
        ScalarStyle::Literal | ScalarStyle::Folded => {
            if at_line_start && !text.is_empty() {
                // The end of the block, or an empty line: there is no indentation before the piece, and none is wanted
                // after it.
                let lines = text.trim_start_matches('\n');
                (0..text.len() - lines.len()).for_each(|_| result.push_str(newline));
                if !lines.is_empty() {
                    result.extend(std::iter::repeat_n(' ', indent));
                    block::indent_lines(lines.strip_suffix('\n').unwrap_or(lines), indent, newline, &mut result);
                }
                if lines.ends_with('\n') {
                    result.push_str(newline);
                }
                return Some(result);
            }
            block::indent_lines(text, indent, newline, &mut result);
            // The piece ends a line in the middle of the block: what follows it stands at the indentation.
            if text.ends_with('\n') {
                result.extend(std::iter::repeat_n(' ', indent));
            }
        }
    }
    Some(result)
}

//! Changing a part of a scalar's text and leaving the rest of its bytes as they are.

use super::block;
use super::decode::{content_indent, decode_raw};
use super::double_quoted::{self, Escapes};
use crate::source::Span;
use crate::yaml::node::Syntax;
use crate::yaml::node::{DerivedText, Node, ScalarStyle};
use crate::yaml::text_edit::{TextEdit, apply};

/// The changes to the source of `node` that make its text that of `derived`, which is the present text with some changes.
///
/// Each edit becomes one edit of the source, spelled in the scalar's own style. The outcome is read back before it is
/// returned; `None` where a part cannot be spelled in this style, and the scalar has to be written whole.
pub fn splice(
    node: &Node,
    derived: &dyn DerivedText,
    syntax: Syntax,
    newline: &str,
) -> Option<Vec<TextEdit>> {
    let (origin, scalar) = (node.origin.as_ref()?, node.as_scalar()?);
    let (edits, map, text) = (derived.edits()?, derived.map()?, derived.text());
    let raw = origin.source.slice(origin.span);
    let indent = content_indent(raw, scalar.style, node.text()?);
    let base = origin.span.start();
    let mut outer = Vec::with_capacity(edits.len());
    for edit in &joined(edits) {
        let span = map.outer_span(edit.span)?;
        let is_block = matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded);
        outer.push(match is_block {
            true => block_edit(raw, base, span, &edit.text, indent, newline),
            false => TextEdit::replace(span, spell(&edit.text, scalar.style, syntax)?),
        });
    }
    let relative: Vec<TextEdit> = outer
        .iter()
        .map(|edit| {
            TextEdit::replace(
                Span::new(edit.span.start() - base, edit.span.end() - base),
                edit.text.clone(),
            )
        })
        .collect();
    let spelled = apply(raw, &relative);
    // Whatever follows a block has to stay at the start of its line.
    let ends_alike = raw.ends_with('\n') == spelled.ends_with('\n');
    let reads_back = ends_alike && decode_raw(&spelled, scalar.style, 0, indent)?.text == text;
    let keeps_style =
        scalar.style != ScalarStyle::Plain || crate::yaml::value::is_plain_string(text, true);
    (reads_back && keeps_style).then_some(outer)
}

/// The edits, with those that touch made one: what stands between two lines of a block belongs to both.
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

/// Spells a piece of text within a flow scalar of the given style; `None` where the style has no spelling for it.
fn spell(text: &str, style: ScalarStyle, syntax: Syntax) -> Option<String> {
    match style {
        ScalarStyle::DoubleQuoted => {
            let mut result = String::with_capacity(text.len());
            let escapes = if syntax == Syntax::Json {
                Escapes::Json
            } else {
                Escapes::Yaml
            };
            double_quoted::escape(text, escapes, &mut result);
            Some(result)
        }
        ScalarStyle::SingleQuoted | ScalarStyle::Plain if text.contains('\n') => None,
        ScalarStyle::SingleQuoted => Some(text.replace('\'', "''")),
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => Some(text.to_owned()),
    }
}

/// Puts `text` in the place of `span`, which lies in the block scalar `raw` that starts at `base`.
///
/// The indentation before the place goes too where no text is left on its line.
fn block_edit(
    raw: &str,
    base: usize,
    span: Span,
    text: &str,
    indent: usize,
    newline: &str,
) -> TextEdit {
    let before = raw.get(..span.start() - base).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let is_indentation = line > 0
        && before[line..].bytes().all(|byte| byte == b' ')
        && before.len() - line <= indent;
    let until = raw.get(..span.end() - base).unwrap_or(raw);
    let ends_line = until.ends_with('\n') || until.len() == raw.len();
    let starts_line = is_indentation && (ends_line || text.starts_with('\n'));
    let start = if starts_line {
        base + line
    } else {
        span.start()
    };
    let text = block::piece(text, indent, newline, starts_line, ends_line);
    TextEdit::replace(Span::new(start, span.end()), text)
}

//! Extracts documents and list items from a text, each with its own comments.
//!
//! ```text
//! # about a                 kind: List
//! a: 1                      items:
//! ---  # marker               # about a
//! # about b                   - a: 1  # one
//! b: 2                        - b: 2
//!
//! # about a                 # about a
//! a: 1                      a: 1  # one
//!
//! # marker                  b: 2
//! # about b
//! b: 2
//! ```

use std::sync::Arc;

use super::compare::edits;
use super::lines::SourceLines;
use crate::source::Span;
use crate::yaml::node::{CollectionStyle, Node, Sequence, Stream};
use crate::yaml::text_edit::{TextEdit, apply};

/// A text whose documents have new roots, and which is printed in parts.
pub struct SeparatedText<'s> {
    stream: &'s Stream,
    edits: Vec<TextEdit>,
}

impl<'s> SeparatedText<'s> {
    /// Compares the documents of `stream` with `roots`, one for each, in order.
    pub fn new(stream: &'s Stream, roots: &[Arc<Node>]) -> SeparatedText<'s> {
        SeparatedText {
            stream,
            edits: edits(stream, roots),
        }
    }

    /// Returns the text of a document without its markers; `None` if there is no such document.
    pub fn document(&self, number: usize) -> Option<String> {
        let document = self.stream.documents.get(number)?;
        let start = match document.marker {
            Some(marker) => marker.end(),
            None => document.span.start(),
        };
        let text = self.part(Span::new(start, document.span.end()));
        let text = text.trim_start_matches('\u{feff}');
        // Only a comment can follow on the line of the marker.
        let text = text.trim_start_matches([' ', '\t']);
        let text = text
            .strip_prefix("\r\n")
            .or(text.strip_prefix('\n'))
            .unwrap_or(text);
        Some(with_break(without_end_marker(text)))
    }

    /// Returns the text of the item `number` of `list`, which is a part of the documents before the
    /// edits; `None` if there is no such item.
    pub fn item(&self, list: &Sequence, number: usize) -> Option<String> {
        let item = list.items.at(number)?;
        let value = Span::new(item.value.full_start(), item.value.full_end());
        let text = self.stream.source.text();
        if list.style == CollectionStyle::Flow {
            return Some(with_break(&self.part(value)));
        }
        let dash = item.start? as usize;
        let start = comments_above(text, line_start(text, dash));
        let end = match list.items.at(number + 1).and_then(|next| next.start) {
            Some(next) => comments_above(text, line_start(text, next as usize)),
            None => line_end(text, value.end()),
        };
        // A list in a list begins on the line of the dash before it.
        let start = start.min(dash);
        let column = SourceLines::new(text).column(value.start());
        let part = self.part(Span::new(start, end.max(value.end())));
        let (above, own) = part.split_at_checked(dash - start)?;
        let mut result = String::with_capacity(part.len());
        push_at_margin(above.trim_end_matches(' '), column, &mut result);
        let own = own.strip_prefix('-')?.trim_start_matches(' ');
        let (first, rest) = own.split_once('\n').unwrap_or((own, ""));
        if !first.trim().is_empty() {
            result.push_str(first);
            result.push('\n');
        }
        push_at_margin(rest, column, &mut result);
        Some(with_break(&result))
    }

    /// Returns a part of the text after the edits.
    fn part(&self, span: Span) -> String {
        // An insertion at the start of a part belongs to the part before it.
        let first = self.edits.partition_point(|edit| {
            edit.span.start() < span.start()
                || (edit.span.start() == span.start() && edit.span.is_empty() && span.start() > 0)
        });
        let mut own = Vec::new();
        for edit in &self.edits[first..] {
            if edit.span.end() > span.end() {
                break;
            }
            let from = edit.span.start() - span.start();
            let to = edit.span.end() - span.start();
            own.push(TextEdit::replace(Span::new(from, to), edit.text.as_str()));
        }
        let text = self.stream.source.written_text();
        apply(text.get(span.range()).unwrap_or(""), &own)
    }
}

/// Adds lines without the first `column` spaces of each line.
fn push_at_margin(lines: &str, column: usize, result: &mut String) {
    for line in lines.split_inclusive('\n') {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        result.push_str(&line[spaces.min(column)..]);
    }
}

/// Returns the start of the comment lines directly above the line that starts at `start`.
fn comments_above(text: &str, start: usize) -> usize {
    let mut first = start;
    while first > 0 {
        let above = line_start(text, first - 1);
        if !text[above..first].trim_start().starts_with('#') {
            break;
        }
        first = above;
    }
    first
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    // A block scalar already ends after its last line break.
    if text[..at].ends_with('\n') {
        return at;
    }
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Removes the `...` that ends a document.
fn without_end_marker(text: &str) -> &str {
    let rest = text.trim_end();
    match rest.strip_suffix("...") {
        Some(before) if before.is_empty() || before.ends_with('\n') => before,
        _ => text,
    }
}

fn with_break(text: &str) -> String {
    if text.ends_with('\n') {
        text.to_owned()
    } else {
        format!("{text}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{Stream, parse};

    fn stream(text: &str) -> Stream {
        parse(&Source::new("test.yaml", text).unwrap()).unwrap()
    }

    fn documents(text: &str) -> Vec<String> {
        let stream = stream(text);
        let roots: Vec<_> = stream
            .documents
            .iter()
            .map(|document| Arc::clone(&document.root))
            .collect();
        let text = SeparatedText::new(&stream, &roots);
        (0..roots.len())
            .filter_map(|number| text.document(number))
            .collect()
    }

    fn items(text: &str) -> Vec<String> {
        let stream = stream(text);
        let root = &stream.documents[0].root;
        let list = root.get("items").unwrap().as_sequence().unwrap();
        let text = SeparatedText::new(&stream, std::slice::from_ref(root));
        (0..list.items.len())
            .filter_map(|number| text.item(list, number))
            .collect()
    }

    #[test]
    fn a_document_has_the_comments_up_to_the_next_marker() {
        let text = "# about a\na: 1\n# end\n--- # marker\n# about b\nb: 2";
        assert_eq!(
            documents(text),
            ["# about a\na: 1\n# end\n", "# marker\n# about b\nb: 2\n"]
        );
        assert_eq!(
            documents("---\na: 1\n...\n---\nb: 2\n"),
            ["a: 1\n", "b: 2\n"]
        );
    }

    #[test]
    fn an_item_has_the_comments_above_it() {
        let text = "items:\n  # about a\n  - a: 1  # one\n    s: |\n      x\n  -\n    # inside\n    b: 2\n";
        assert_eq!(
            items(text),
            ["# about a\na: 1  # one\ns: |\n  x\n", "# inside\nb: 2\n"]
        );
        assert_eq!(items("items: [{a: 1}, {b: 2}]\n"), ["{a: 1}\n", "{b: 2}\n"]);
    }

    #[test]
    fn each_part_has_its_own_edits() {
        let stream = stream("items:\n- a: 1  # one\n- b: 2\n---\nc: 3\n");
        let one = Node::mapping(vec![crate::yaml::Entry::new("d", Node::plain("4"))]);
        let root = stream.documents[1].root.with_entries({
            let mut entries = stream.documents[1]
                .root
                .as_mapping()
                .unwrap()
                .entries
                .to_vec();
            entries.push(crate::yaml::Entry::new("e", one));
            entries
        });
        let roots = [Arc::clone(&stream.documents[0].root), root];
        let text = SeparatedText::new(&stream, &roots);
        assert_eq!(text.document(1).unwrap(), "c: 3\ne:\n  d: 4\n");
        assert_eq!(text.document(0).unwrap(), "items:\n- a: 1  # one\n- b: 2\n");
    }
}

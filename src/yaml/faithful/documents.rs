//! Adds documents to a text and removes them.
//!
//! The text between a `---` and the next, including comments, belongs to the document. The text
//! before the first `---` belongs to the first document:
//!
//! ```text
//! # about a      ┐
//! a: 1           ┘ document 0
//! ---            ┐
//! # about b      │
//! b: 2           ┘ document 1
//! ```
//!
//! So a removed document takes its marker and all of its comments with it, and a new document is
//! inserted before the marker of the next.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::compare::edits;
use super::final_break::OpenScalar;
use super::layout::newline;
use crate::source::{Result, Source};
use crate::yaml::canonical::{canonical_node, is_empty};
use crate::yaml::node::{Node, Stream};
use crate::yaml::parse_data;
use crate::yaml::relink::unlink;
use crate::yaml::text_edit::{TextEdit, apply};

/// A mark at the start of a text that is not part of its first document.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A document to insert.
struct AddedDocument {
    /// The number of the document that it comes before; the number of documents, if it comes last.
    before: usize,
    /// The document without a marker.
    text: String,
}

/// Prints `stream` as [`print`](super::print) does, and removes the documents whose root is `None`.
pub fn print_kept(stream: &Stream, roots: &[Option<Arc<Node>>]) -> String {
    print_changed(stream, roots, &[])
}

/// Prints `stream` after its documents became `outcome`.
///
/// Documents of `stream`, edited or not, stay in their places. Other documents, and documents of
/// `stream` that are out of order, are printed as ytt prints them, before the next document that
/// stays. Documents of `stream` that are not in `outcome` are removed, except for empty ones, which
/// never are in `outcome`. If only one of several values that share an anchor was edited, the
/// others are written out.
///
/// # Errors
/// A value that YAML cannot spell.
pub fn print_documents(stream: &Stream, outcome: &[Arc<Node>]) -> Result<String> {
    let mut places = HashMap::with_capacity(stream.documents.len());
    let mut roots = Vec::with_capacity(stream.documents.len());
    for (place, document) in stream.documents.iter().enumerate() {
        if let Some(origin) = &document.root.origin {
            places.insert(origin.span.start(), place);
        }
        // ytt prints no empty documents, so a missing empty document was not removed by anybody.
        let is_empty = is_empty(document.root.resolved());
        roots.push(is_empty.then(|| Arc::clone(&document.root)));
    }
    let mut added = Vec::new();
    let mut next = 0;
    for root in outcome {
        // Documents keep the order of the text. One that now comes after a later one is removed and
        // printed again there.
        let place = own_place(root, stream, &places).filter(|place| *place >= next);
        match place {
            Some(place) => {
                roots[place] = Some(if stream.has_aliases {
                    unlink(root)
                } else {
                    Arc::clone(root)
                });
                next = place + 1;
            }
            None => added.push(AddedDocument {
                before: next,
                text: canonical_node(root)?,
            }),
        }
    }
    Ok(print_changed(stream, &roots, &added))
}

/// Returns the number of the document that `root` is a version of. `places` maps the start of each
/// root to the number of its document.
fn own_place(root: &Node, stream: &Stream, places: &HashMap<usize, usize>) -> Option<usize> {
    let origin = root.origin.as_ref()?;
    if !Arc::ptr_eq(&origin.source, &stream.source) {
        return None;
    }
    places.get(&origin.span.start()).copied()
}

/// Prints the text with the given roots, where `None` is a removed document, and with the added
/// documents, which are in order.
fn print_changed(stream: &Stream, roots: &[Option<Arc<Node>>], added: &[AddedDocument]) -> String {
    let mut kept = Vec::with_capacity(roots.len());
    let mut changes = Vec::new();
    for (document, root) in stream.documents.iter().zip(roots) {
        if root.is_none() {
            changes.push(TextEdit::replace(document.span, ""));
        }
        kept.push(Arc::clone(root.as_ref().unwrap_or(&document.root)));
    }
    changes.extend(edits(stream, &kept));
    let last = added.partition_point(|document| document.before < roots.len());
    for number in 0..last {
        changes.push(insertion(stream, roots, added, number));
    }
    // The sort is stable and puts an insertion before a removal that starts at the same place, so a
    // new document comes before the one that it replaces.
    changes.sort_by_key(|edit| edit.span);
    let mut text = apply(stream.source.written_text(), &changes);
    for document in &added[last..] {
        let document = with_breaks_of(stream.source.text(), &document.text);
        if text.trim_start_matches(BYTE_ORDER_MARK).is_empty() {
            text.push_str(&document);
        } else {
            add_documents(&mut text, &document);
        }
    }
    text
}

/// Returns a document with the line breaks of `text`.
fn with_breaks_of<'d>(text: &str, document: &'d str) -> Cow<'d, str> {
    match newline(text) {
        "\n" => Cow::Borrowed(document),
        other => Cow::Owned(document.replace('\n', other)),
    }
}

/// Returns the edit that inserts an added document, which is not the last one, with the markers that
/// it needs:
///
/// ```text
/// new: 0     before a document with a marker, at the start of the text
/// ---
/// a: 1
///
/// new: 0     before a document without one: the new document brings the marker of the next
/// ---        <- inserted
/// a: 1
///
/// a: 1       anywhere else: the new document brings its own marker
/// ---        <- inserted
/// new: 0
/// ---
/// b: 1
/// ```
fn insertion(
    stream: &Stream,
    roots: &[Option<Arc<Node>>],
    added: &[AddedDocument],
    number: usize,
) -> TextEdit {
    let AddedDocument { before, ref text } = added[number];
    let source = stream.source.text();
    let next = &stream.documents[before];
    let place = match next.span.start() {
        0 if source.starts_with(BYTE_ORDER_MARK) => BYTE_ORDER_MARK.len_utf8(),
        start => start,
    };
    let is_last_here = added
        .get(number + 1)
        .is_none_or(|next| next.before != before);
    let is_first_of_all = number == 0 && roots.iter().take(before).all(Option::is_none);

    let newline = newline(source);
    let mut written = String::new();
    if !is_first_of_all {
        written.extend(["---", newline]);
    }
    written.push_str(&with_breaks_of(source, text));
    if is_last_here && roots[before].is_some() && next.marker.is_none() {
        written.extend(["---", newline]);
    }
    TextEdit::insert(place, written)
}

/// Appends the documents of `more` to those of `text`, with a marker between them unless `more`
/// brings one.
pub fn add_documents(text: &mut String, more: &str) {
    if text.is_empty() {
        text.push_str(more);
        return;
    }
    if !text.ends_with('\n') {
        end_last_line(text);
    }
    if !starts_with_marker(more) {
        text.extend(["---", newline(text)]);
    }
    text.push_str(more.trim_start_matches(BYTE_ORDER_MARK));
}

/// Adds a line break to a text that ends without one. A block scalar at its end keeps its value.
fn end_last_line(text: &mut String) {
    let newline = newline(text);
    let last_document = text.rfind("\n---").map_or(0, |at| at + 1);
    let source = Source::new("", &text[last_document..]).ok();
    let stream = source.and_then(|source| parse_data(&source).ok());
    let scalar = stream.as_ref().and_then(OpenScalar::of);
    if let Some(scalar) = scalar {
        let mut edits = Vec::new();
        scalar.add_strip_indicator(&mut edits);
        text.replace_range(last_document.., &apply(&text[last_document..], &edits));
    }
    text.push_str(newline);
}

/// Returns whether a text begins with a `---`, or with directives, which may only come before one.
fn starts_with_marker(text: &str) -> bool {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    for line in text.lines() {
        if !line.trim_start().is_empty() && !line.starts_with('#') {
            return line == "---" || line.starts_with("--- ") || line.starts_with('%');
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# head\na: 1 # one\n# foot\n---\n# empty\n---\nb: 2\n--- # c\nc: 3";

    /// Prints the text after its documents became the documents with the given numbers, where
    /// `None` is a new one.
    fn outcome(text: &str, numbers: &[Option<usize>]) -> String {
        let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
        let new = Node::mapping(vec![crate::yaml::Entry::new("new", Node::plain("0"))]);
        let roots = numbers
            .iter()
            .map(|number| number.map_or(&new, |number| &stream.documents[number].root));
        print_documents(&stream, &roots.map(Arc::clone).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn keeps_documents_that_stay_byte_for_byte() {
        assert_eq!(outcome(TEXT, &[Some(0), Some(1), Some(2), Some(3)]), TEXT);
        assert_eq!(
            outcome(TEXT, &[Some(0), Some(2), Some(3)]),
            TEXT,
            "an empty one stays"
        );
        assert_eq!(outcome("# only\n", &[]), "# only\n");
    }

    #[test]
    fn removes_a_document_with_its_marker_and_its_comments() {
        assert_eq!(
            outcome(TEXT, &[Some(2), Some(3)]),
            "---\n# empty\n---\nb: 2\n--- # c\nc: 3"
        );
        assert_eq!(
            outcome(TEXT, &[Some(0), Some(2)]),
            "# head\na: 1 # one\n# foot\n---\n# empty\n---\nb: 2\n"
        );
        assert_eq!(outcome("a: 1\n", &[]), "");
    }

    #[test]
    fn inserts_a_new_document_before_the_next() {
        let text = "a: 1\n---\nb: 2";
        let table: [(&[Option<usize>], &str); 8] = [
            (&[None, Some(0), Some(1)], "new: 0\n---\na: 1\n---\nb: 2"),
            (&[Some(0), None, Some(1)], "a: 1\n---\nnew: 0\n---\nb: 2"),
            (&[Some(0), Some(1), None], "a: 1\n---\nb: 2\n---\nnew: 0\n"),
            (
                &[Some(0), None, None, Some(1)],
                "a: 1\n---\nnew: 0\n---\nnew: 0\n---\nb: 2",
            ),
            (&[None, Some(1)], "new: 0\n---\nb: 2"),
            (
                &[None, Some(0), Some(1), None],
                "new: 0\n---\na: 1\n---\nb: 2\n---\nnew: 0\n",
            ),
            (&[None], "new: 0\n"),
            (&[Some(0), None], "a: 1\n---\nnew: 0\n"),
        ];
        for (numbers, expected) in table {
            assert_eq!(outcome(text, numbers), expected, "{numbers:?}");
        }
        assert_eq!(
            outcome("---\na: 1\n", &[None, Some(0)]),
            "new: 0\n---\na: 1\n"
        );
        assert_eq!(
            outcome("\u{feff}a: 1\n", &[None, Some(0)]),
            "\u{feff}new: 0\n---\na: 1\n"
        );
        assert_eq!(outcome("", &[None]), "new: 0\n");
        assert_eq!(
            outcome("a: 1\r\n---\r\nb: 2", &[None, Some(0), Some(1), None]),
            "new: 0\r\n---\r\na: 1\r\n---\r\nb: 2\r\n---\r\nnew: 0\r\n"
        );
    }

    #[test]
    fn joins_texts_by_a_marker_unless_they_bring_one() {
        let join = |texts: &[&str]| {
            let mut joined = String::new();
            for text in texts {
                add_documents(&mut joined, text);
            }
            joined
        };
        assert_eq!(
            join(&["a: 1", "b: 2\n", "# c\n---\nc: 3\n"]),
            "a: 1\n---\nb: 2\n# c\n---\nc: 3\n"
        );
        assert_eq!(join(&["a: 1\r\n", "b: 2\n"]), "a: 1\r\n---\r\nb: 2\n");
        // The value of this scalar has no line break at its end, and gets none.
        assert_eq!(
            join(&["a: 1\n---\na: |\n  x", "b: 2\n"]),
            "a: 1\n---\na: |-\n  x\n---\nb: 2\n"
        );
        assert_eq!(join(&["a: 1\n", "\u{feff}--- {}\n"]), "a: 1\n--- {}\n");
    }
}

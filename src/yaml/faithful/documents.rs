//! Documents that come and go.
//!
//! What stands between a `---` and the next belongs to the document, comments too, and what stands before the first `---`
//! to the first document. So a document that is taken out goes with its marker and with the comments behind it, and a
//! new one is put before the marker of the next.

use std::collections::HashMap;
use std::sync::Arc;

use super::edits;
use crate::source::Result;
use crate::yaml::canonical::{canonical_node, is_empty};
use crate::yaml::node::Node;
use crate::yaml::node::Stream;
use crate::yaml::relink::unlink;
use crate::yaml::text_edit::{TextEdit, apply};

/// A mark at the start of a text that is no part of it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// As [`print`](super::print), where `None` stands for a document that is taken out.
pub fn print_kept(stream: &Stream, roots: &[Option<Arc<Node>>]) -> String {
    print_with(stream, roots, Vec::new())
}

/// The text of `stream` when its documents have become `outcome`: those of its own, edited or not, each where it stands,
/// others as ytt prints them, before the next of its own. A document of its own that is not there is taken out, but for
/// one that says nothing. Values that aliases share are told apart where only one of them was edited.
///
/// # Errors
/// A value that YAML cannot spell.
pub fn print_documents(stream: &Stream, outcome: &[Arc<Node>]) -> Result<String> {
    let start = |node: &Node| Some(node.origin.as_ref()?.span.start());
    let documents = || stream.documents.iter().map(|document| &document.root);
    let places: HashMap<usize, usize> = documents()
        .enumerate()
        .filter_map(|(place, root)| Some((start(root)?, place)))
        .collect();
    let mut roots: Vec<Option<Arc<Node>>> = documents()
        .map(|root| {
            Some(root)
                .filter(|root| is_empty(root.resolved()))
                .map(Arc::clone)
        })
        .collect();
    let mut added = Vec::new();
    let mut next = 0;
    for root in outcome {
        let origin = root
            .origin
            .as_ref()
            .filter(|origin| Arc::ptr_eq(&origin.source, &stream.source));
        let place = origin
            .and_then(|origin| places.get(&origin.span.start()).copied())
            .filter(|place| *place >= next);
        match place.and_then(|place| roots.get_mut(place)) {
            Some(own) => {
                *own = Some(if stream.has_aliases {
                    unlink(root)
                } else {
                    Arc::clone(root)
                });
                next = place.map_or(next, |place| place + 1);
            }
            None => added.push((next, canonical_node(root)?)),
        }
    }
    Ok(print_with(stream, &roots, added))
}

/// The text with the roots given and with new documents, each before the document that its number says.
fn print_with(stream: &Stream, roots: &[Option<Arc<Node>>], added: Vec<(usize, String)>) -> String {
    let text = stream.source.text();
    let documents = || stream.documents.iter().zip(roots);
    let kept =
        documents().map(|(document, root)| Arc::clone(root.as_ref().unwrap_or(&document.root)));
    let mut changes = edits(stream, &kept.collect::<Vec<_>>());
    let removed = documents().filter(|(_, root)| root.is_none());
    changes.extend(removed.map(|(document, _)| TextEdit::replace(document.span, "")));
    for (number, (before, document)) in added.iter().enumerate() {
        let is_first = number == 0 && roots.iter().take(*before).all(Option::is_none);
        let mut written = String::new();
        if !is_first {
            let place = stream
                .documents
                .get(*before)
                .map_or(text.len(), |next| next.span.start());
            if number == 0 && !text.get(..place).unwrap_or("").ends_with('\n') {
                written.push('\n');
            }
            written.push_str("---\n");
        }
        written.push_str(document);
        let is_last = added.get(number + 1).is_none_or(|(next, _)| next != before);
        let follows = stream
            .documents
            .get(*before)
            .filter(|_| roots.get(*before).is_some_and(Option::is_some));
        if is_last && follows.is_some_and(|next| next.marker.is_none()) {
            written.push_str("---\n");
        }
        let place = match stream.documents.get(*before) {
            Some(next) if next.span.start() == 0 && text.starts_with(BYTE_ORDER_MARK) => {
                BYTE_ORDER_MARK.len_utf8()
            }
            Some(next) => next.span.start(),
            None => text.len(),
        };
        changes.push(TextEdit::insert(place, written));
    }
    changes.sort_by_key(|edit| edit.span);
    apply(text, &changes)
}

/// Adds a text of documents to others.
pub fn add_documents(text: &mut String, more: &str) {
    if !text.is_empty() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        if !starts_with_marker(more) {
            text.push_str("---\n");
        }
    }
    text.push_str(if text.is_empty() {
        more
    } else {
        more.trim_start_matches(BYTE_ORDER_MARK)
    });
}

/// Whether a text brings its own `---` (or directives, which only may stand before one).
fn starts_with_marker(text: &str) -> bool {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let first = text
        .lines()
        .find(|line| !line.trim_start().is_empty() && !line.starts_with('#'))
        .unwrap_or("");
    first == "---" || first.starts_with("--- ") || first.starts_with('%')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse_data;

    const TEXT: &str = "# head\na: 1 # one\n# foot\n---\n# empty\n---\nb: 2\n--- # c\nc: 3";

    /// The text after its documents became those with the numbers given, where `None` is a new one.
    fn outcome(text: &str, numbers: &[Option<usize>]) -> String {
        let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
        let new = Node::mapping(vec![crate::yaml::Entry::new("new", Node::plain("0"))]);
        let roots = numbers
            .iter()
            .map(|number| number.map_or(&new, |number| &stream.documents[number].root));
        print_documents(&stream, &roots.map(Arc::clone).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn documents_that_stay_stay_byte_for_byte() {
        assert_eq!(outcome(TEXT, &[Some(0), Some(1), Some(2), Some(3)]), TEXT);
        assert_eq!(
            outcome(TEXT, &[Some(0), Some(2), Some(3)]),
            TEXT,
            "one that says nothing stays"
        );
        assert_eq!(outcome("# only\n", &[]), "# only\n");
    }

    #[test]
    fn a_document_goes_with_its_marker_and_its_comments() {
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
    fn a_new_document_stands_before_the_next() {
        let text = "a: 1\n---\nb: 2";
        let table: [(&[Option<usize>], &str); 7] = [
            (&[None, Some(0), Some(1)], "new: 0\n---\na: 1\n---\nb: 2"),
            (&[Some(0), None, Some(1)], "a: 1\n---\nnew: 0\n---\nb: 2"),
            (&[Some(0), Some(1), None], "a: 1\n---\nb: 2\n---\nnew: 0\n"),
            (
                &[Some(0), None, None, Some(1)],
                "a: 1\n---\nnew: 0\n---\nnew: 0\n---\nb: 2",
            ),
            (&[None, Some(1)], "new: 0\n---\nb: 2"),
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
    }

    #[test]
    fn texts_are_joined_by_a_marker_unless_they_bring_one() {
        let join = |texts: &[&str]| {
            let mut joined = String::new();
            texts
                .iter()
                .for_each(|text| add_documents(&mut joined, text));
            joined
        };
        assert_eq!(
            join(&["a: 1", "b: 2\n", "# c\n---\nc: 3\n"]),
            "a: 1\n---\nb: 2\n# c\n---\nc: 3\n"
        );
        assert_eq!(join(&["a: 1\n", "\u{feff}--- {}\n"]), "a: 1\n--- {}\n");
    }
}

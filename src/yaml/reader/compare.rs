//! Compares the fast reader with the parser crate, for tests and fuzzers.

use std::sync::Arc;

use super::read;
use crate::source::Source;
use crate::yaml::events::Comments;
use crate::yaml::node::{Content, Document, Node, Stream};
use crate::yaml::parse::read_completely;

/// Reads a text with both readers and describes the first difference. Returns `None` if they agree,
/// or if the fast reader gave up. Sets `handled` if it did not give up.
pub fn disagreement(source: &Arc<Source>, handled: &mut bool) -> Option<String> {
    *handled = false;
    let Ok(fast) = read(source, Comments::Listed) else {
        return None;
    };
    *handled = true;
    match read_completely(source, Comments::Listed) {
        Ok(complete) => streams(&fast, &complete).err(),
        Err(error) => Some(format!(
            "the parser crate refuses the text: {}",
            error.message
        )),
    }
}

fn streams(fast: &Stream, complete: &Stream) -> Result<(), String> {
    same("comments", &fast.comments, &complete.comments)?;
    same("has_aliases", fast.has_aliases, complete.has_aliases)?;
    same("documents", fast.documents.len(), complete.documents.len())?;
    for (fast, complete) in fast.documents.iter().zip(&complete.documents) {
        documents(fast, complete)?;
    }
    Ok(())
}

fn documents(fast: &Document, complete: &Document) -> Result<(), String> {
    same("marker", fast.marker, complete.marker)?;
    same("document span", fast.span, complete.span)?;
    nodes(&fast.root, &complete.root)
}

fn nodes(fast: &Node, complete: &Node) -> Result<(), String> {
    let span = |node: &Node| node.origin.as_ref().map(|origin| origin.span);
    let spans = (span(fast), span(complete));
    same(&format!("span of {:?}", complete.text()), spans.0, spans.1)?;
    same("anchor", fast.anchor(), complete.anchor())?;
    same("tag", fast.tag(), complete.tag())?;
    match (&fast.content, &complete.content) {
        (Content::Scalar(one), Content::Scalar(other)) => {
            same("style", one.style, other.style)?;
            same("text", fast.text(), complete.text())
        }
        (Content::Sequence(one), Content::Sequence(other)) => {
            same("style", one.style, other.style)?;
            same("number of items", one.items.len(), other.items.len())?;
            for (one, other) in one.items.iter().zip(other.items.iter()) {
                same("start of item", one.start, other.start)?;
                nodes(&one.value, &other.value)?;
            }
            Ok(())
        }
        (Content::Mapping(one), Content::Mapping(other)) => {
            same("style", one.style, other.style)?;
            same("number of entries", one.entries.len(), other.entries.len())?;
            for (one, other) in one.entries.iter().zip(other.entries.iter()) {
                nodes(&one.key, &other.key)?;
                nodes(&one.value, &other.value)?;
            }
            Ok(())
        }
        _ => Err(format!("kind: {} and {}", fast.kind(), complete.kind())),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, fast: T, complete: T) -> Result<(), String> {
    if fast == complete {
        return Ok(());
    }
    Err(format!(
        "{what}: {fast:?}, but the parser crate has {complete:?}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_documents_are_read_as_the_parser_crate_reads_them() {
        for text in [
            "---",
            "---\n",
            "--- \n",
            "---\n\n\n",
            "---\n# comment\n",
            "--- # comment\n---\na: 1\n",
            "---\n   \n---\n",
            "---\n  # comment\n\n---\n# comment\na: 1\n",
            "# comment\n---\n---",
            "a: 1\n---\n\n---\nb: 1\n",
            "a: 1\n---\n",
        ] {
            let source = Source::new("empty.yml", text).unwrap();
            let mut handled = false;
            assert_eq!(disagreement(&source, &mut handled), None, "{text:?}");
            assert!(handled, "{text:?}");
        }
    }
}

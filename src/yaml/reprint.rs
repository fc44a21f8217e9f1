//! Converts a text to its canonical form without building the tree of the whole text.
//!
//! A tree takes about ten times the memory of its text. If the values of a text are needed nowhere
//! else, it is read and printed in parts of a few documents each:
//!
//! ```text
//! text      ---         ---         ---         ---
//! part 1    [ read → tree → print → free ]
//! part 2                            [ read → tree → print → free ]
//! ```
//!
//! The output is that of [`canonical`](mod@super::canonical) printing. A text that the fast
//! [`reader`] does not handle has to be parsed like any other.
//!
//! Between reading and printing, each document may be edited, as overlays do.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::canonical::entries::repeated_keys;
use super::canonical::{CanonicalPrinter, is_empty};
use super::node::{Content, Node};
use super::parse::count_documents;
use super::reader;
use crate::source::{Source, parallel};

/// The approximate size of a part in bytes. The tree of a part of this size fits into the cache of
/// a processor.
const PART_LENGTH: usize = 128 * 1024;

/// The printed documents of a text, in parts, and the tallies of their edits.
#[derive(Debug)]
pub struct Reprinted<T> {
    /// The parts of the text. The line `---` comes before each document, including the first.
    pub parts: Vec<String>,
    /// The tally of each part that was edited.
    pub tallies: Vec<T>,
}

/// Returns the printed documents of a text, each of them after a line `---`. Empty documents are
/// left out. Returns `None` if the text, or a value in it, needs the complete parser and printer,
/// which report what is wrong with it. Also returns `None` if a mapping has equal keys, which need
/// a warning.
pub fn reprint(source: &Arc<Source>) -> Option<Vec<String>> {
    let unchanged = |root: &Arc<Node>, (): &mut ()| Some(Arc::clone(root));
    Some(reprint_edited(source, unchanged)?.parts)
}

/// Returns the documents of a text, printed after `edit`, as [`reprint`] does.
///
/// `edit` gets each document that is not empty, and the tally of its part, which starts with the
/// default. It returns the next version of the document. If it returns `None`, the text needs the
/// complete parser and printer.
pub fn reprint_edited<T: Default + Send>(
    source: &Arc<Source>,
    edit: impl Fn(&Arc<Node>, &mut T) -> Option<Arc<Node>> + Sync,
) -> Option<Reprinted<T>> {
    let length = source.text().len();
    let ranges = reader::parts(source.text().as_bytes(), length / PART_LENGTH);
    // If one part needs the complete parser, the other parts are wasted work.
    let has_failed = AtomicBool::new(false);
    let printed = parallel::map(&ranges, |range| {
        if has_failed.load(Ordering::Relaxed) {
            return None;
        }
        let part = reprint_part(source, range, &edit);
        has_failed.fetch_or(part.is_none(), Ordering::Relaxed);
        part
    });
    let mut reprinted = Reprinted {
        parts: Vec::with_capacity(printed.len()),
        tallies: Vec::with_capacity(printed.len()),
    };
    let mut documents = 0;
    for part in printed {
        let part = part?;
        documents += part.documents;
        reprinted.parts.push(part.text);
        reprinted.tallies.push(part.tally);
    }
    // Not earlier: a text that needs the complete parser is counted there.
    count_documents(documents);
    Some(reprinted)
}

/// A printed part of the text, with the number of its documents.
struct ReprintedPart<T> {
    text: String,
    tally: T,
    documents: usize,
}

fn reprint_part<T: Default>(
    source: &Arc<Source>,
    part: &Range<usize>,
    edit: impl Fn(&Arc<Node>, &mut T) -> Option<Arc<Node>>,
) -> Option<ReprintedPart<T>> {
    // The nodes of a part end with it, and are not part of a diagnostic.
    let documents = reader::read_part(&source.twin(), part).ok()?;
    let count = documents.len();
    let mut tally = T::default();
    // Reading drops little more than comments, and printing adds little more than quotes.
    let mut printer = CanonicalPrinter::with_capacity(part.len() + part.len() / 8);
    for document in documents {
        if is_empty(document.root.resolved()) {
            continue;
        }
        let root = edit(&document.root, &mut tally)?;
        // The printer detects equal keys, unless the edit removed them.
        if !Arc::ptr_eq(&root, &document.root) && has_repeated_keys(&document.root) {
            return None;
        }
        if !is_empty(root.resolved()) {
            printer.separate();
            printer.document(&root).ok()?;
        }
    }
    (!printer.has_repeated_keys()).then(|| ReprintedPart {
        text: printer.into_text(),
        tally,
        documents: count,
    })
}

/// Prints documents as [`reprint`] does, in one part. `None` if a value in them cannot be printed.
pub fn print_separated(documents: &[Arc<Node>]) -> Option<String> {
    let mut printer = CanonicalPrinter::with_capacity(0);
    for root in documents {
        if !is_empty(root.resolved()) {
            printer.separate();
            printer.document(root).ok()?;
        }
    }
    Some(printer.into_text())
}

/// Returns whether a mapping in a tree has equal keys.
fn has_repeated_keys(root: &Arc<Node>) -> bool {
    match &root.content {
        Content::Mapping(mapping) => {
            let mut values = mapping.entries.iter().map(|entry| &entry.value);
            !repeated_keys(mapping).is_empty() || values.any(has_repeated_keys)
        }
        Content::Sequence(sequence) => {
            let mut items = sequence.items.iter();
            items.any(|item| has_repeated_keys(&item.value))
        }
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{canonical, parse};

    fn source(text: &str) -> Arc<Source> {
        Source::new("test.yml", text).unwrap()
    }

    #[test]
    fn prints_what_parsing_and_printing_give() {
        let document = "# of the document\n---\na: {b: [1, 'two']}\nc: |\n  d\n---\n{}\n";
        let text = document.repeat(20_000);
        let source = source(&text);
        let printed = reprint(&source).unwrap();
        assert!(printed.len() > 2, "several parts");
        let roots = parse(&source).unwrap().documents;
        let roots: Vec<_> = roots.into_iter().map(|document| document.root).collect();
        assert_eq!(
            printed.concat().strip_prefix("---\n").unwrap(),
            canonical(&roots).unwrap()
        );
    }

    #[test]
    fn leaves_everything_that_is_not_plain_to_the_parser() {
        for text in [
            "a: 1\na: 2\n",
            "on: 1\nyes: 2\n",
            "a: &x 1\nb: *x\n",
            "a: [1\n",
            "<<: 1\n",
            "a: !!int x\n",
        ] {
            assert_eq!(reprint(&source(text)), None, "{text}");
        }
        assert_eq!(reprint(&source("# nothing\n")).unwrap().concat(), "");
    }
}

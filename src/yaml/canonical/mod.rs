//! Canonical printing: the bytes that ytt prints for a value, regardless of how the value was
//! written.
//!
//! Block style only, two spaces of indentation, sequences not indented under their key, no line
//! folded, no comment, anchor or tag. The style of a scalar follows from its value alone. Readers
//! that know only the value (`true` or `yes`, an alias or its target) see no difference;
//! the point is that two equal values have equal bytes.
//!
//! A string with a line separator (U+2028, U+2029) is deliberately printed differently from ytt: it
//! is double-quoted, because readers of YAML 1.1 and YAML 1.2 disagree on the meaning of these
//! characters in any other style.

mod ahead;
pub(in crate::yaml) mod entries;
mod printer;
pub(in crate::yaml) mod scalar;
pub(in crate::yaml) mod string;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::node::{Content, Node};
use super::value::Value;
use crate::source::limits::check_output;
use crate::source::{Result, parallel};
pub use ahead::{AheadPrinter, PrintedRun};
pub(super) use printer::CanonicalPrinter;
use printer::SEPARATOR;

/// Prints documents, each but the first after `---`. Empty documents (null, `{}`, `[]`) are left
/// out.
///
/// # Errors
/// See [`canonical_node`].
pub fn canonical(documents: &[Arc<Node>]) -> Result<String> {
    canonical_parts(documents, &[]).map(|parts| parts.concat())
}

/// Prints documents as [`canonical`] does, as a text in parts. Many documents are printed on
/// several threads, one part on each. `printed` are runs of documents that may be printed already.
///
/// # Errors
/// See [`canonical_node`].
pub fn canonical_parts<'a>(
    documents: &[Arc<Node>],
    printed: &'a [PrintedRun],
) -> Result<Vec<Cow<'a, str>>> {
    let mut full = Vec::with_capacity(documents.len());
    full.extend(documents.iter().filter(|root| !is_empty(root.resolved())));
    let sections = sections(&full, printed);
    // The documents before a section, and the number of bytes in all sections so far.
    let (mut before, mut bytes) = (0, 0);
    let mut parts = Vec::new();
    for section in sections {
        match section {
            Section::Printed(run) => {
                if before > 0 {
                    parts.push(Cow::Borrowed(SEPARATOR));
                }
                bytes += run.text.len();
                check_output(bytes)?;
                parts.push(Cow::Borrowed(run.text.as_str()));
                before += run.documents.len();
            }
            Section::Documents(documents) => {
                let texts = print_documents(documents, before == 0, &mut bytes)?;
                parts.extend(texts.into_iter().map(Cow::Owned));
                before += documents.len();
            }
        }
    }
    Ok(parts)
}

/// Documents that follow each other.
enum Section<'s, 'd, 'a> {
    Printed(&'a PrintedRun),
    Documents(&'s [&'d Arc<Node>]),
}

/// Divides documents into those that are printed already and the others.
fn sections<'s, 'd, 'a>(
    documents: &'s [&'d Arc<Node>],
    printed: &'a [PrintedRun],
) -> Vec<Section<'s, 'd, 'a>> {
    let first = |run: &'a PrintedRun| Some((Arc::as_ptr(run.documents.first()?), run));
    let runs: HashMap<*const Node, &PrintedRun> = printed.iter().filter_map(first).collect();
    let mut sections = Vec::new();
    // The documents from `start` up to `at` are not printed yet.
    let (mut start, mut at) = (0, 0);
    while let Some(document) = documents.get(at) {
        let run = runs.get(&Arc::as_ptr(document));
        let Some(run) = run.filter(|run| starts_with(&documents[at..], &run.documents)) else {
            at += 1;
            continue;
        };
        if start < at {
            sections.push(Section::Documents(&documents[start..at]));
        }
        sections.push(Section::Printed(run));
        at += run.documents.len();
        start = at;
    }
    if start < at {
        sections.push(Section::Documents(&documents[start..]));
    }
    sections
}

/// Returns whether the first documents are those of a run, unchanged.
fn starts_with(documents: &[&Arc<Node>], run: &[Arc<Node>]) -> bool {
    let mut pairs = documents.iter().zip(run);
    documents.len() >= run.len() && pairs.all(|(document, printed)| Arc::ptr_eq(document, printed))
}

/// Prints documents on several threads. `bytes` is the number of bytes printed so far.
fn print_documents(
    documents: &[&Arc<Node>],
    is_start: bool,
    bytes: &mut usize,
) -> Result<Vec<String>> {
    let parts = divide(documents, parallel::threads());
    // The number of bytes in all parts so far.
    let printed_bytes = AtomicUsize::new(*bytes);
    let printed = parallel::map(&parts, |part| {
        let mut printer = CanonicalPrinter::with_capacity(part.size.min(MAX_CAPACITY));
        for (index, document) in part.documents.iter().enumerate() {
            if index > 0 || !part.is_first || !is_start {
                printer.separate();
            }
            let bytes = printer.document(document)?;
            check_output(bytes + printed_bytes.fetch_add(bytes, Ordering::Relaxed))?;
        }
        Ok(printer.into_text())
    });
    let texts = printed.into_iter().collect();
    *bytes = printed_bytes.into_inner();
    texts
}

/// Prints one value as a whole document, with a line break at its end.
///
/// Aliases are written out, merge keys expanded, and of entries with equal keys the last is printed
/// in the place of the first.
///
/// # Errors
/// Aliases that expand to too many nodes, nesting deeper than
/// [`NESTING_LIMIT`](super::NESTING_LIMIT) with aliases written out, a tag that does not fit its
/// text, and a merge key whose value is not a mapping.
pub fn canonical_node(node: &Arc<Node>) -> Result<String> {
    let mut printer = CanonicalPrinter::with_capacity(0);
    let bytes = printer.document(node)?;
    check_output(bytes)?;
    Ok(printer.into_text())
}

/// Documents that one thread prints.
struct Part<'a> {
    documents: &'a [&'a Arc<Node>],
    is_first: bool,
    /// The approximate number of bytes that they are printed as.
    size: usize,
}

/// Divides documents into parts of about equal size: one part if they are small, otherwise several
/// for each thread, because some documents take longer than their size suggests.
fn divide<'a>(documents: &'a [&'a Arc<Node>], threads: usize) -> Vec<Part<'a>> {
    let sizes = documents.iter().map(|document| estimated_size(document));
    let total = sizes.fold(0, usize::saturating_add);
    let part_size = (total / (threads * PARTS_PER_THREAD)).max(MIN_PART_SIZE);
    let mut parts = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (index, document) in documents.iter().enumerate() {
        size = usize::saturating_add(size, estimated_size(document));
        if size >= part_size || index + 1 == documents.len() {
            parts.push(Part {
                documents: &documents[start..=index],
                is_first: start == 0,
                size,
            });
            (start, size) = (index + 1, 0);
        }
    }
    parts
}

/// Returns the approximate number of bytes that a document is printed as, estimated by the size of
/// its source text.
fn estimated_size(document: &Node) -> usize {
    let origin = document.origin.as_ref();
    origin.map_or(CREATED_SIZE, |origin| origin.span.len() + CREATED_SIZE / 16)
}

/// The assumed size of a document that has no place in a text.
const CREATED_SIZE: usize = 512;

/// The maximum number of bytes that are reserved for a part in advance. Documents that a template
/// creates in a loop all have the place, and therefore the size, of one text.
const MAX_CAPACITY: usize = 16 * 1024 * 1024;

/// The minimum number of bytes of a part. A smaller part is printed before a thread has started.
const MIN_PART_SIZE: usize = 128 * 1024;

const PARTS_PER_THREAD: usize = 4;

/// Returns whether a document is empty (null, `{}`, `[]`) and therefore not printed.
pub fn is_empty(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.is_empty(),
        Content::Sequence(sequence) => sequence.items.is_empty(),
        _ => matches!(node.value(), Some(Value::Null)),
    }
}

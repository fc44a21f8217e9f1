//! Repeated keys of a mapping.
//!
//! ytt silently uses the last one. Usually one of the two is a copy-and-paste mistake, so Inlay
//! also uses the last one, but warns.

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Content, Entry, Node, repeated_keys};

/// The maximum number of warnings for one document, which is enough to show the problem.
const MAX_SHOWN: usize = 10;

/// Adds a warning for each repeated key in the mappings of data values. The target of an alias is
/// checked where it is written.
pub fn report_repeated_keys(root: &Arc<Node>, diagnostics: &mut Diagnostics) {
    for warning in repeated_key_warnings(root, " in data values") {
        diagnostics.push(Box::new(warning));
    }
}

/// Returns a warning for each repeated key in the mappings of a document, as in
/// [`report_repeated_keys`]. `place` describes the document, with a space before it, or is empty.
pub(in crate::workspace) fn repeated_key_warnings(
    root: &Arc<Node>,
    place: &str,
) -> Vec<Diagnostic> {
    let mut repeated = Vec::new();
    collect(root, &mut repeated);
    let more = repeated.len().saturating_sub(MAX_SHOWN);
    let mut warnings = Vec::new();
    for (first, again) in repeated.into_iter().take(MAX_SHOWN) {
        warnings.push(*warning(first, again, place));
    }
    if let Some(last) = warnings.last_mut().filter(|_| more > 0) {
        let note = format!("{more} more keys of this document are given again");
        last.notes.push(note);
    }
    warnings
}

/// Adds the entries with repeated keys, each with the previous entry for the same key first.
fn collect<'n>(root: &'n Arc<Node>, repeated: &mut Vec<(&'n Entry, &'n Entry)>) {
    match &root.content {
        Content::Mapping(mapping) => {
            repeated.extend(repeated_keys(mapping));
            for entry in &mapping.entries {
                collect(&entry.value, repeated);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                collect(&item.value, repeated);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

fn warning(first: &Entry, again: &Entry, place: &str) -> Box<Diagnostic> {
    let text = |entry: &Entry| entry.key.resolved().text().unwrap_or_default().to_owned();
    let (one, other) = (text(first), text(again));
    let message = match one == other {
        true => format!("key `{one}` is given twice{place}, and the last one is used"),
        // `on` and `yes` are both `true`.
        false => format!("keys `{one}` and `{other}` are equal{place}, and the last one is used"),
    };
    let warning = Diagnostic::warning(Code::DuplicateKey, message)
        .at(again.key.location(), "given again here")
        .at(first.key.location(), "given first here");
    match one == other {
        true => warning.help("remove one of the two"),
        false => warning
            .note("YAML 1.1 reads both as the same value")
            .help("quote them, or remove one of the two"),
    }
}

//! Keys that plain data values have twice.
//!
//! ytt takes the last of them without a word. Most often one of the two is a mistake of copying, so
//! Inlay takes the last one too, and warns.

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Content, Entry, Mapping, Node, is_merge};

/// Adds a warning for each key that a mapping of a tree has again. The target of an alias is checked
/// where it is written.
pub fn report_repeated_keys(root: &Arc<Node>, diagnostics: &mut Diagnostics) {
    match &root.content {
        Content::Mapping(mapping) => {
            report_in(mapping, diagnostics);
            for entry in &mapping.entries {
                report_repeated_keys(&entry.value, diagnostics);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                report_repeated_keys(&item.value, diagnostics);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

fn report_in(mapping: &Mapping, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<(&str, &str), &Entry> = HashMap::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let key = entry.key.resolved();
        // `1` and `"1"` are two keys. Several merge keys are allowed.
        let Some(text) = key.text().filter(|_| !is_merge(&entry.key)) else {
            continue;
        };
        if let Some(first) = seen.insert((key.kind(), text), entry) {
            let message =
                format!("key `{text}` is given twice in data values, and the last counts");
            diagnostics.push(
                Diagnostic::warning(Code::DuplicateKey, message)
                    .at(entry.key.location(), "given again here")
                    .at(first.key.location(), "given first here")
                    .help("remove one of the two"),
            );
        }
    }
}

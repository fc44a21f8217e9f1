//! The inputs of a private library, in a form that can be compared.

use std::fmt::Write;
use std::sync::Arc;

use crate::script::fragments::Annotations;
use crate::workspace::library::FolderId;
use crate::workspace::phases::input::BuildOptions;
use crate::workspace::values::ValuesDocument;
use crate::yaml::{Content, Node};

/// Everything that the output of a library depends on.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct LibraryInputs {
    pub(super) root: FolderId,
    pub(super) options: BuildOptions,
    /// The documents that were passed in, as [`describe`] writes them.
    pub(super) passed: String,
}

/// Returns a text that is equal for documents with equal effects.
pub(super) fn describe(documents: &[ValuesDocument], annotations: &Annotations) -> String {
    let mut text = String::new();
    for document in documents {
        // Writing to a `String` cannot fail, here and below.
        let _ = write!(text, "{:?} {} ", document.merge, document.is_last);
        if !document.target.is_here() {
            let _ = write!(text, "{:?} ", document.target);
        }
        describe_node(&document.document.root, annotations, &mut text);
    }
    text
}

/// Writes the values of a node, so that style and place do not matter. The recursion is safe
/// because the parser limits the depth.
fn describe_node(node: &Arc<Node>, annotations: &Annotations, text: &mut String) {
    let node = node.resolved();
    match &node.content {
        Content::Mapping(mapping) => {
            text.push('{');
            for entry in &mapping.entries {
                describe_part(&entry.key, annotations, text);
                text.push(':');
                describe_node(&entry.value, annotations, text);
            }
            text.push('}');
        }
        Content::Sequence(sequence) => {
            text.push('[');
            for item in &sequence.items {
                describe_part(&item.value, annotations, text);
            }
            text.push(']');
        }
        Content::Scalar(_) | Content::Alias(_) => {
            // `{:?}` quotes strings, so that no text can be confused with the separators around it.
            let _ = write!(text, "{:?}{:?} ", node.tag(), node.value());
        }
    }
}

/// Writes a key or an item, which may have annotations. Annotations contain functions, which can
/// only be compared by identity, so a part with annotations is written with its address.
fn describe_part(part: &Arc<Node>, annotations: &Annotations, text: &mut String) {
    if annotations.of(part).is_some() {
        let _ = write!(text, "@{:p}", Arc::as_ptr(part));
    }
    describe_node(part, annotations, text);
}

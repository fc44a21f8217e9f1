//! Limits on the depth and the size of trees.
//!
//! A short text can expand to a huge tree, because aliases refer to parts that contain aliases
//! themselves. Each function that expands aliases, or copies parts of a tree into it, counts the
//! resulting nodes.

use std::sync::Arc;

use super::merge_key::no_mapping_to_merge;
use super::node::{Content, Mapping, Node, Scalar, Text};
use crate::source::limits::check_output;
use crate::source::{Code, Diagnostic, Limit, Location, Result, Source, Span};

/// The maximum nesting depth of collections in a text. It bounds every recursion over a tree.
pub const NESTING_LIMIT: usize = 255;

/// The number of bytes of text that count as one more node when an alias is expanded. This bounds
/// aliases of a long text too.
const BYTES_PER_NODE: usize = 64;

/// Returns the error for collections that nest deeper than [`NESTING_LIMIT`], with the place where
/// they do.
pub(super) fn too_deep(source: &Arc<Source>, offset: usize) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Limit,
        format!("collections nest deeper than {NESTING_LIMIT} levels"),
    )
    .at(
        Location::new(source, Span::at(offset)),
        "the limit is reached here",
    )
    .help("split the document, or put the inner part into a string")
}

/// Returns the error for aliases that expand to more than [`Limit::Nodes`].
pub(super) fn too_many_aliased(place: Option<Location>) -> Box<Diagnostic> {
    let limit = Limit::Nodes;
    let message = format!("aliases expand to more than {} nodes", limit.value());
    limit
        .exceeded(message)
        .at(place, "the limit is reached here")
        .help("write the repeated part once, or split the document")
}

/// Checks that `node`, inserted `depth` levels deep into another tree, stays within the limits of a
/// parsed tree. Returns the number of its nodes with aliases expanded. A long text counts as
/// several nodes.
///
/// Without this check, edits that copy a part of a tree into itself would double it each time.
///
/// # Errors
/// [`Code::Limit`] at the node.
pub fn measure(node: &Arc<Node>, depth: usize) -> Result<u64> {
    let mut count = 0;
    if fits(node, depth, &mut count) {
        return Ok(count);
    }
    let limit = Limit::Nodes.value();
    let error = if count > limit {
        Limit::Nodes.exceeded(format!("the value to copy has more than {limit} nodes"))
    } else {
        let message = format!("the copied value would nest deeper than {NESTING_LIMIT} levels");
        Diagnostic::error(Code::Limit, message)
    };
    Err(error.at(node.location(), "the value"))
}

fn fits(node: &Node, depth: usize, count: &mut u64) -> bool {
    // Checked before the children, so that the walk itself ends at the limit and not only the copy.
    *count += 1;
    if *count > Limit::Nodes.value() || depth > NESTING_LIMIT {
        return false;
    }
    match &node.content {
        Content::Scalar(scalar) => {
            *count += (text_length(node, &scalar.text) / BYTES_PER_NODE) as u64;
            *count <= Limit::Nodes.value()
        }
        // An alias is replaced by a copy of its target, which is not one level deeper.
        Content::Alias(alias) => fits(&alias.target, depth, count),
        Content::Sequence(sequence) => {
            let mut items = sequence.items.iter();
            items.all(|item| fits(&item.value, depth + 1, count))
        }
        // A key may be a collection too, and may be shared just as a value.
        Content::Mapping(mapping) => mapping.entries.iter().all(|entry| {
            fits(&entry.key, depth + 1, count) && fits(&entry.value, depth + 1, count)
        }),
    }
}

/// Returns the length of the text of a scalar in bytes, before it is printed.
///
/// # Errors
/// [`Limit::Output`] for a text that is still to be printed and is too long.
pub(super) fn printable_text(node: &Node) -> Result<usize> {
    let Content::Scalar(scalar) = &node.content else {
        return Ok(0);
    };
    check_derived_text(node)?;
    Ok(text_length(node, &scalar.text))
}

/// Checks the text of a scalar that is still to be printed.
///
/// # Errors
/// [`Limit::Output`] if it is too long.
pub(super) fn check_derived_text(node: &Node) -> Result<()> {
    match &node.content {
        Content::Scalar(Scalar {
            text: Text::Derived(derived),
            ..
        }) => check_output(derived.length()),
        _ => Ok(()),
    }
}

/// Returns the length of the text of a scalar in bytes. A text that is not printed yet is estimated
/// from its tree, because printing it may be the very thing to prevent.
fn text_length(node: &Node, text: &Text) -> usize {
    match text {
        Text::Derived(derived) => derived.length(),
        _ => node.text().map_or(0, str::len),
    }
}

/// Checks the total length of the texts of documents before they are printed as they are written.
/// Parts that documents share count each time.
///
/// ```text
/// a patch adds `note: <1 MB>` to each of 10,000 objects: one megabyte in memory, and ten thousand
/// in the output
/// ```
///
/// # Errors
/// [`Limit::Output`] if they are longer.
pub fn check_printable<'n>(roots: impl IntoIterator<Item = &'n Arc<Node>>) -> Result<()> {
    let most = Limit::Output.size();
    let mut bytes = 0;
    for root in roots {
        add_length(root, most, &mut bytes);
    }
    check_output(bytes)
}

/// Returns the length of all texts in a tree in bytes, at most a few more than [`Limit::Output`].
/// An alias counts as its name.
pub fn length_of_texts(root: &Arc<Node>) -> usize {
    let mut bytes = 0;
    add_length(root, Limit::Output.size(), &mut bytes);
    bytes
}

fn add_length(node: &Node, most: usize, bytes: &mut usize) {
    // A node is written as at least one byte. The walk ends when the limit is reached.
    *bytes = bytes.saturating_add(1);
    if *bytes > most {
        return;
    }
    match &node.content {
        Content::Scalar(scalar) => {
            *bytes = bytes.saturating_add(text_length(node, &scalar.text));
        }
        Content::Alias(_) => {}
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                add_length(&item.value, most, bytes);
            }
        }
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                add_length(&entry.key, most, bytes);
                add_length(&entry.value, most, bytes);
            }
        }
    }
}

/// Bounds a walk that expands aliases: counts the resulting nodes and the depth.
///
/// Only nodes inside an alias count. The rest is as large as the text that was read.
#[derive(Default)]
pub(super) struct AliasBudget {
    /// The number of collections and merged mappings that are open.
    depth: usize,
    /// The number of aliases that are open.
    aliases: usize,
    /// The number of nodes that aliases have expanded to.
    spent: u64,
}

/// A mapping whose entries replace a merge key.
pub(super) struct MergedMapping<'a> {
    pub(super) mapping: &'a Mapping,
    /// Whether it was reached through an alias.
    pub(super) is_alias: bool,
}

impl AliasBudget {
    /// Starts the mapping that the `value` of a merge key refers to.
    /// [`leave_merged`](Self::leave_merged) ends it.
    ///
    /// # Errors
    /// [`Code::MergeKey`] if the value is not a mapping, and the limit of [`enter`](Self::enter).
    pub(super) fn enter_merged<'a>(&mut self, value: &'a Arc<Node>) -> Result<MergedMapping<'a>> {
        let target = value.resolved();
        let Content::Mapping(mapping) = &target.content else {
            return Err(no_mapping_to_merge(value));
        };
        let is_alias = !Arc::ptr_eq(value, target);
        // Merged mappings nest without being collections of the result: `<<: {<<: {<<: …}}}`. They
        // count as levels because they are recursion all the same.
        self.enter(|| value.location())?;
        if is_alias {
            self.enter_alias();
        }
        Ok(MergedMapping { mapping, is_alias })
    }

    /// Ends a merged mapping.
    pub(super) fn leave_merged(&mut self, merged: &MergedMapping<'_>) {
        if merged.is_alias {
            self.leave_alias();
        }
        self.leave();
    }

    /// Starts the target of an alias. [`leave_alias`](Self::leave_alias) ends it.
    pub(super) fn enter_alias(&mut self) {
        self.aliases += 1;
    }

    /// Ends the target of the innermost alias.
    pub(super) fn leave_alias(&mut self) {
        self.aliases -= 1;
    }

    /// Returns whether an alias is open, so that the printed text may be a repetition.
    pub(super) fn is_in_alias(&self) -> bool {
        self.aliases > 0
    }

    /// Starts a collection. [`leave`](Self::leave) ends it.
    ///
    /// # Errors
    /// [`Code::Limit`] if it is nested too deep.
    pub(super) fn enter(&mut self, location: impl FnOnce() -> Option<Location>) -> Result<()> {
        if self.depth >= NESTING_LIMIT {
            return Err(Diagnostic::error(
                Code::Limit,
                format!("collections nest deeper than {NESTING_LIMIT} levels where aliases are written out"),
            )
            .at(location(), "the limit is reached here")
            .help("split the document, or put the inner part into a string"));
        }
        self.depth += 1;
        Ok(())
    }

    /// Ends the innermost collection.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts one node with this many bytes of text.
    ///
    /// # Errors
    /// [`Code::Limit`] if aliases expand to too much.
    pub(super) fn spend(
        &mut self,
        bytes: usize,
        location: impl FnOnce() -> Option<Location>,
    ) -> Result<()> {
        // Outside of aliases, a node costs the text that spells it.
        if self.aliases == 0 {
            return Ok(());
        }
        self.spent += 1 + (bytes / BYTES_PER_NODE) as u64;
        if self.spent > Limit::Nodes.value() {
            return Err(too_many_aliased(location()));
        }
        Ok(())
    }
}

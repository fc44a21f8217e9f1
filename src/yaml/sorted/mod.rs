//! Sorted printing: the bytes that `kustomize build` prints for a value, regardless of how the
//! value was written.
//!
//! kustomize passes each object through JSON and prints the result with Go's yaml.v2, as most tools
//! for Kubernetes do. So the form is that of [`canonical`](mod@super::canonical) printing with
//! these differences:
//!
//! - keys are sorted, in an order in which `a2` comes before `a10` ([`natural_order`]);
//! - long lines are folded at spaces after column 80 ([`fold`]);
//! - scalars are read by another schema ([`core_value`](super::core_value)): `yes` is a string, and
//!   a timestamp becomes a string;
//! - numbers are converted as for JSON ([`number`]): `1.0` is printed as `1`;
//! - kustomize misreads two spellings: some folded scalars ([`refold`]), and some plain scalars in
//!   flow collections;
//! - merged entries (`<<`) never replace written ones, and equal keys are an error.

mod entries;
mod fold;
mod natural_order;
mod number;
mod printer;
mod refold;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::node::Node;
use crate::source::Result;
use printer::SortedPrinter;

/// Adds one value as a whole document, with a line break at its end.
///
/// # Errors
/// Values that JSON cannot express (infinity, NaN, bytes that are not UTF-8, keys that are not
/// strings), equal keys, a tag that does not fit its text, a merge key whose value is not a
/// mapping, and the limits of [`canonical_node`](super::canonical_node). After an error, `output`
/// contains a part of the document.
pub fn push_sorted(node: &Arc<Node>, output: &mut String) -> Result<()> {
    SortedPrinter::new(output).document(node)
}

//! JSON patches (RFC 6902): operations in order, each at the place that a pointer names.
//!
//! [`PatchOperation::read_all`] parses and checks them, [`apply`] applies them to our tree, so that
//! what they do not name keeps its bytes. A pointer continues below a string that contains a
//! document.

mod apply;
mod negative_index;
mod operation;
#[cfg(test)]
mod tests;
mod yaml_1_1;

pub(super) use apply::JsonPatchRun;
pub(super) use operation::PatchOperation;
pub(super) use yaml_1_1::as_json;

//! Strategic merge patches: an object's shape with only the fields that change.
//!
//! Mappings merge, null removes a key, and lists are replaced, unless the
//! [table](crate::kubernetes::MergeKeys) of merge keys lists the fields that identify their items.
//! [Directives](directive) in the patch change that for one mapping or list. The result is that of
//! kustomize, including the order of list items; `docs/differences.md` lists the exceptions.
//!
//! A mapping or list over a string that contains a document is merged into the document.
//!
//! `merge` walks object and patch together. `mapping`, `list` and `string` implement it for one
//! kind of node each.

mod directive;
mod irregular;
mod item;
mod key_table;
mod list;
mod mapping;
mod merge;
mod merged_items;
mod settle;
mod string;
#[cfg(test)]
mod tests;

pub(super) use merge::{StrategicRules, is_quoted, merge};
pub(super) use settle::{rules_of_object, with_settled_values};

//! `template.replace(…)`: a value whose entries, items or documents replace the node that it is
//! assigned to.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::starlark_simple_value;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, ValueLike, starlark_value,
};

use super::to_node::found_documents;
use super::{Fragment, FragmentContent, SizedNode, to_sized_node};
use crate::script::failure::Failure;
use crate::script::fragments::Built;
use crate::yaml::Node;

/// The result of `template.replace`.
///
/// The value is converted at the call, so that its nodes can wait in a context without the heap.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(in crate::script) struct Replacement {
    #[allocative(skip)]
    pub(in crate::script) content: Arc<ReplacementContent>,
}
starlark_simple_value!(Replacement);

/// The nodes that replace a node.
#[derive(Debug)]
pub(in crate::script) enum ReplacementContent {
    /// The documents of a document set. They keep their annotations: a document with
    /// `@overlay/match` that a function returns is an overlay.
    Documents(Arc<[Built]>),
    /// A collection whose parts replace the node.
    Node {
        node: Arc<Node>,
        /// Whether its entries may override earlier ones, as the entries of a dictionary in ytt. An
        /// entry of a fragment was written as YAML and needs `#@yaml/map-key-override` itself.
        is_silent: bool,
    },
}

impl ReplacementContent {
    /// Returns the content for a value, and the approximate number of bytes that it takes.
    ///
    /// # Errors
    /// Fails for a value that YAML cannot represent.
    pub(in crate::script) fn of<'v>(
        value: Value<'v>,
        heap: Heap<'v>,
    ) -> starlark::Result<(ReplacementContent, usize)> {
        let fragment = value.downcast_ref::<Fragment>();
        // A document set cannot be converted to a node.
        if let Some(fragment) = fragment
            && let FragmentContent::Documents(documents) = &fragment.content
        {
            let documents = ReplacementContent::Documents(Arc::clone(documents));
            return Ok((documents, fragment.size()?));
        }
        let is_silent = fragment.is_none();
        let SizedNode { node, made, .. } = to_sized_node(value, heap)?;
        Ok((ReplacementContent::Node { node, is_silent }, made))
    }

    /// Returns the collection with the entries or items, and whether its entries may override
    /// earlier ones.
    ///
    /// # Errors
    /// Fails for documents.
    pub(in crate::script) fn collection(&self) -> Result<(&Arc<Node>, bool), Failure> {
        match self {
            ReplacementContent::Documents(_) => Err(found_documents()),
            ReplacementContent::Node { node, is_silent } => Ok((node, *is_silent)),
        }
    }
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("template.replace(...)")
    }
}

#[starlark_value(type = "@ytt:template.replacement")]
impl<'v> StarlarkValue<'v> for Replacement {}

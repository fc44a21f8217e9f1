//! Reading what a path leads to.

use std::sync::Arc;

use super::format::Format;
use super::path::FieldPath;
use super::update::{Failure, Options, update};
use crate::yaml::Node;

/// A value that a path leads to.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value, an alias followed.
    pub node: Arc<Node>,
    /// The format of the text that it stands in.
    pub format: Format,
}

/// Every value that `path` leads to from `root`, in the order of the text; at least one.
///
/// # Errors
/// [`Failure::Missing`] where the path leads to none.
pub fn find(root: &Arc<Node>, path: &FieldPath, options: &Options) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    update(root, path, &Options { create: false, ..*options }, &mut |target| {
        found.extend(target.current.map(|node| Found { node: Arc::clone(node), format: target.format }));
        Ok(None)
    })?;
    Ok(found)
}

//! Reading what a path leads to.

use std::collections::HashSet;
use std::sync::Arc;

use super::path::FieldPath;
use super::update::{Failure, Options};
use super::walk::Walk;
use crate::formats::Format;
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
    let options = Options {
        create: false,
        ..*options
    };
    Walk::new(root, path, &options, true, &mut |target| {
        found.extend(target.current.map(|node| Found {
            node: Arc::clone(node),
            format: target.format,
        }));
        Ok(None)
    })
    .run(root)?;
    if path.descents() > 1 {
        // Several ways may lead to one value.
        let mut seen = HashSet::new();
        found.retain(|found| seen.insert(Arc::as_ptr(&found.node)));
    }
    Ok(found)
}

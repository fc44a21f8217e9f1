//! How large a tree is when it is written out.

use std::sync::Arc;

use super::events::NESTING_LIMIT;
use super::node::{Content, Node};
use super::parse::ALIAS_LIMIT;
use crate::source::{Code, Diagnostic, Result};

/// Checks that `node`, put `depth` levels deep into another tree, keeps within the limits of a tree that is read:
/// nesting and the number of nodes, which it returns. Edits that copy a part of a tree into itself would else double it each time.
///
/// # Errors
/// [`Code::Limit`] at the node.
pub fn measure(node: &Arc<Node>, depth: usize) -> Result<u64> {
    let mut count = 0;
    let fits = walk(node, depth, &mut count);
    let message = match fits {
        true => return Ok(count),
        false if count > ALIAS_LIMIT => {
            format!("the value to copy has more than {ALIAS_LIMIT} nodes")
        }
        false => format!("the copied value would nest deeper than {NESTING_LIMIT} levels"),
    };
    Err(Diagnostic::error(Code::Limit, message).at(node.location(), "the value"))
}

fn walk(node: &Node, depth: usize, count: &mut u64) -> bool {
    *count += 1;
    if *count > ALIAS_LIMIT || depth > NESTING_LIMIT {
        return false;
    }
    match &node.content {
        Content::Scalar(_) => true,
        Content::Alias(alias) => walk(&alias.target, depth, count),
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .all(|item| walk(&item.value, depth + 1, count)),
        Content::Mapping(mapping) => mapping
            .entries
            .iter()
            .all(|entry| walk(&entry.value, depth + 1, count)),
    }
}

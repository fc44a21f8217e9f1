//! Restores the aliases of an object for the faithful form.
//!
//! A build writes out all aliases of a file when it loads it, because kustomize does so, and because
//! an edit of one place must not change another. After the build, an alias whose value and whose
//! anchor were not edited is put back:
//!
//! ```text
//! file                    after a patch of `b`     printed
//!
//! a: &x {k: 1}            a: &x {k: 1}             a: &x {k: 1}
//! b: *x                   b: {k: 2}                b: {k: 2}
//! c: *x                   c: {k: 1}                c: *x
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use crate::yaml::{Content, Node, is_equal};

/// Returns the object `after` with the aliases of `before`, its root in the file, that still have
/// the same value.
pub(super) fn with_aliases(before: &Arc<Node>, after: &Arc<Node>) -> Arc<Node> {
    let mut anchors = KeptAnchors::default();
    anchors.find(before, after);
    anchors
        .restored(before, after)
        .unwrap_or_else(|| Arc::clone(after))
}

/// The nodes of a file with an anchor that have the same value and the same place after the build.
#[derive(Default)]
struct KeptAnchors(HashSet<*const Node>);

impl KeptAnchors {
    /// Adds the anchors in `before`.
    fn find(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        if let Some(anchor) = before.anchor()
            && after.anchor() == Some(anchor)
            && is_equal(before, after)
        {
            self.0.insert(Arc::as_ptr(before));
        }
        for child in common_children(before, after) {
            self.find(child.before, child.after);
        }
    }

    /// Returns `after` with its aliases, or `None` if it stays as it is.
    fn restored(&self, before: &Arc<Node>, after: &Arc<Node>) -> Option<Arc<Node>> {
        if let Content::Alias(_) = before.content {
            let target = before.resolved();
            let is_kept = self.0.contains(&Arc::as_ptr(target)) && is_equal(target, after);
            return match is_kept {
                true => Some(Arc::clone(before)),
                // A copy of the value must not define the anchor again.
                false => after.anchor().map(|_| after.anchored(None)),
            };
        }
        let mut values = Vec::new();
        for child in common_children(before, after) {
            let restored = self.restored(child.before, child.after);
            values.extend(restored.map(|value| (child.position, value)));
        }
        after.with_values(values)
    }
}

/// A child that a collection has in the file and after the build.
struct CommonChild<'n> {
    /// The position in the collection after the build.
    position: usize,
    before: &'n Arc<Node>,
    after: &'n Arc<Node>,
}

/// Returns the children of `after` that have the place of a child of `before`: the values of equal
/// keys, and the items of a list that has as many as before.
fn common_children<'n>(before: &'n Node, after: &'n Node) -> Vec<CommonChild<'n>> {
    let mut children = Vec::new();
    match (&before.content, &after.content) {
        (Content::Mapping(before), Content::Mapping(after)) => {
            for (position, entry) in after.entries.iter().enumerate() {
                let key = entry.key.resolved().text();
                if let Some(old) = key.and_then(|key| before.get(key)) {
                    children.push(CommonChild {
                        position,
                        before: old,
                        after: &entry.value,
                    });
                }
            }
        }
        (Content::Sequence(before), Content::Sequence(after))
            if before.items.len() == after.items.len() =>
        {
            let items = before.items.iter().zip(after.items.iter());
            for (position, (old, new)) in items.enumerate() {
                children.push(CommonChild {
                    position,
                    before: &old.value,
                    after: &new.value,
                });
            }
        }
        _ => {}
    }
    children
}

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
        for (_, before, after) in same_places(before, after) {
            self.find(before, after);
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
        for (position, before, after) in same_places(before, after) {
            values.extend(self.restored(before, after).map(|value| (position, value)));
        }
        after.with_values(values)
    }
}

/// Returns the children of `after` that have the place of a child of `before`: the values of equal
/// keys, and the items of a list that has as many as before. Each has its position in `after`.
fn same_places<'n>(
    before: &'n Node,
    after: &'n Node,
) -> Vec<(usize, &'n Arc<Node>, &'n Arc<Node>)> {
    let mut pairs = Vec::new();
    match (&before.content, &after.content) {
        (Content::Mapping(before), Content::Mapping(after)) => {
            for (position, entry) in after.entries.iter().enumerate() {
                let key = entry.key.resolved().text();
                if let Some(old) = key.and_then(|key| before.get(key)) {
                    pairs.push((position, old, &entry.value));
                }
            }
        }
        (Content::Sequence(before), Content::Sequence(after))
            if before.items.len() == after.items.len() =>
        {
            let items = before.items.iter().zip(after.items.iter());
            for (position, (old, new)) in items.enumerate() {
                pairs.push((position, &old.value, &new.value));
            }
        }
        _ => {}
    }
    pairs
}

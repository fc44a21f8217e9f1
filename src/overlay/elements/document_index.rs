//! Finds documents by a scalar in them, such as their name.
//!
//! Overlays select documents with `overlay.subset({"kind": …, "metadata": {"name": …}})`. Without
//! an index, each overlay is compared with every document, so a thousand overlays on a thousand
//! documents need a million comparisons. With an index by one scalar of the subset, each overlay is
//! compared only with the few documents that have this scalar.
//!
//! Building the index takes longer than comparing all documents once, so the first overlay with a
//! path only registers the path, and the second one builds the index.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::overlay::key::KeyLookup;
use crate::script::fragments::PartKey;
use crate::yaml::{Content, Node};

/// The minimum number of documents for an index. Fewer documents are compared one by one.
const INDEXED_FROM: usize = 16;

/// The maximum number of paths with an index. Overlays rarely have subsets of more than this many
/// different forms.
const PATHS: usize = 4;

/// The indices of the documents, each by the scalar at one path.
#[derive(Debug, Default)]
pub(super) struct DocumentIndex {
    paths: Vec<PathIndex>,
}

#[derive(Debug)]
struct PathIndex {
    path: Vec<Arc<Node>>,
    /// Whether the index is built. It is built when its path is used for the second time.
    is_built: bool,
    /// The scalar of each document at the path; `None` if the document has none.
    scalars: Vec<Option<PartKey>>,
    documents: HashMap<PartKey, BTreeSet<usize>>,
}

impl DocumentIndex {
    /// Returns the positions of the documents that can contain all of `target`, in order.
    ///
    /// Returns `None` if every document must be compared. `root` returns the content of a document.
    pub(super) fn candidates<'a>(
        &mut self,
        target: &Arc<Node>,
        count: usize,
        root: impl Fn(usize) -> &'a Arc<Node>,
    ) -> Option<Vec<usize>> {
        if count < INDEXED_FROM {
            return None;
        }
        let (path, scalar) = chosen_scalar(target)?;
        let known = self
            .paths
            .iter()
            .position(|index| is_same(&index.path, &path));
        let at = match known {
            Some(at) => at,
            None => {
                if self.paths.len() < PATHS {
                    self.paths.push(PathIndex::of(path));
                }
                return None;
            }
        };
        let index = self.paths.get_mut(at)?;
        if !index.is_built {
            index.build((0..count).map(root));
        }
        let found = index.documents.get(&scalar);
        Some(
            found
                .map(|found| found.iter().copied().collect())
                .unwrap_or_default(),
        )
    }

    /// Records the new content of the document at `at`, which may be a new document at the end.
    pub(super) fn set(&mut self, at: usize, root: &Arc<Node>) {
        for index in &mut self.paths {
            index.set(at, root);
        }
    }

    /// Removes all indices, because the positions of documents changed.
    pub(super) fn clear(&mut self) {
        self.paths.clear();
    }
}

impl PathIndex {
    fn of(path: Vec<Arc<Node>>) -> PathIndex {
        PathIndex {
            path,
            is_built: false,
            scalars: Vec::new(),
            documents: HashMap::new(),
        }
    }

    fn build<'a>(&mut self, roots: impl Iterator<Item = &'a Arc<Node>>) {
        self.is_built = true;
        for (at, root) in roots.enumerate() {
            self.set(at, root);
        }
    }

    fn set(&mut self, at: usize, root: &Arc<Node>) {
        if !self.is_built {
            return;
        }
        let scalar = scalar_at(root, &self.path);
        if self.scalars.len() <= at {
            self.scalars.resize(at + 1, None);
        }
        let old = std::mem::replace(&mut self.scalars[at], scalar.clone());
        if old == scalar {
            return;
        }
        if let Some(old) = old
            && let Some(documents) = self.documents.get_mut(&old)
        {
            documents.remove(&at);
        }
        if let Some(scalar) = scalar {
            self.documents.entry(scalar).or_default().insert(at);
        }
    }
}

/// Returns the path of a scalar in `target` that few documents share, and the scalar: the name if
/// `target` has one, and otherwise the first scalar.
fn chosen_scalar(target: &Arc<Node>) -> Option<(Vec<Arc<Node>>, PartKey)> {
    let name = [Node::string("metadata"), Node::string("name")];
    if let Some(scalar) = scalar_at(target, &name) {
        return Some((name.to_vec(), scalar));
    }
    let mut path = Vec::new();
    let mut node = target.resolved();
    // An index by any scalar is correct, so the search need not be complete: it takes the first
    // scalar of a mapping, and enters a nested mapping only if that is the first value. @>107/
    // Updates the index entry of the document at `at`. Does nothing before the index is built.
    while let Content::Mapping(mapping) = &node.content {
        let entries = mapping.entries.iter();
        let scalar = entries
            .clone()
            .find(|entry| entry.value.resolved().as_scalar().is_some());
        let entry = scalar.or_else(|| mapping.entries.first())?;
        path.push(Arc::clone(&entry.key));
        node = entry.value.resolved();
    }
    let scalar = scalar_at(target, &path)?;
    (!path.is_empty()).then_some((path, scalar))
}

/// Returns the scalar at a path of keys, by the rules of the comparison.
fn scalar_at(root: &Arc<Node>, path: &[Arc<Node>]) -> Option<PartKey> {
    let mut node = root.resolved();
    for key in path {
        node = KeyLookup::new(node.as_mapping()?, 1).get(key)?.resolved();
    }
    PartKey::of(node)
}

fn is_same(one: &[Arc<Node>], other: &[Arc<Node>]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| PartKey::of(one) == PartKey::of(other))
}

//! Finds documents by a scalar in them, such as their name.
//!
//! Overlays select documents with `overlay.subset({"kind": …, "metadata": {"name": …}})`. One such
//! overlay compares itself with every document, and a thousand overlays on a thousand documents
//! compare a million times. With an index by one scalar of the subset, each compares itself with
//! the few documents that have this scalar. To build the index takes longer than to compare all
//! documents once, so the first overlay does not.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::overlay::key::KeyLookup;
use crate::script::fragments::PartKey;
use crate::yaml::{Content, Node};

/// Fewer documents than this are compared one by one.
const INDEXED_FROM: usize = 16;

/// The maximum number of paths with an index. Overlays with subsets of more different forms are
/// rare.
const PATHS: usize = 4;

/// The indices of the documents, each by the scalar at one path.
#[derive(Debug, Default)]
pub(super) struct DocumentIndex {
    paths: Vec<PathIndex>,
}

#[derive(Debug)]
struct PathIndex {
    path: Vec<Arc<Node>>,
    /// Whether the path was used twice. Before that, nothing is indexed.
    is_built: bool,
    /// The scalar of each document; `None` if it has none at the path.
    scalars: Vec<Option<PartKey>>,
    documents: HashMap<PartKey, BTreeSet<usize>>,
}

impl DocumentIndex {
    /// Returns the positions of the documents that can contain all of `target`, in order. `None` if
    /// each has to be asked. `root` returns the content of a document.
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

    /// Records the new content of a document, which can also be a new one at the end.
    pub(super) fn set(&mut self, at: usize, root: &Arc<Node>) {
        for index in &mut self.paths {
            index.set(at, root);
        }
    }

    /// Forgets everything, because the positions of documents changed.
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

/// Returns the path of the scalar in `target` that few documents share, and the scalar: the name if
/// there is one, else the first.
fn chosen_scalar(target: &Arc<Node>) -> Option<(Vec<Arc<Node>>, PartKey)> {
    let name = [Node::string("metadata"), Node::string("name")];
    if let Some(scalar) = scalar_at(target, &name) {
        return Some((name.to_vec(), scalar));
    }
    let mut path = Vec::new();
    let mut node = target.resolved();
    // The first scalar, and a mapping is entered only if it is the first value: an index of any
    // scalar is right, so the search need not be complete.
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

//! `yamlfragment`: a part of a document as a value.
//!
//! A fragment shares its nodes, and nodes never change. So no use of a fragment can affect another
//! one: a value that is passed to two places is not an alias, although nothing is copied.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use allocative::Allocative;
use starlark::starlark_simple_value;
use starlark::values::ValueLike;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};

use super::{KeyIndex, ScalarKey, from_built_node, from_node, is_equal, repr, type_name};
use crate::script::failure::Failure;
use crate::script::fragments::Built;
use crate::source::suggest::with_article;
use crate::yaml::{Content, Entry, NESTING_LIMIT, Node, expand};

/// The minimum number of bytes for writing a node with its key or dash.
const LEAST_NODE: usize = 8;

/// A part of a document. Derived data is computed when it is first needed, because most fragments
/// are only passed on.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(in crate::script) struct Fragment {
    #[allocative(skip)]
    pub(in crate::script) content: FragmentContent,
    /// Whether a template built it. Collections in it that code computed are read as the
    /// dictionaries and lists that they were. ytt converts those of all other fragments, such as
    /// the sides of an overlay, to nodes first.
    is_built: bool,
    /// The positions of the keys of a mapping.
    #[allocative(skip)]
    index: OnceLock<KeyIndex>,
    /// The content with merge keys expanded; `None` if there is nothing to expand.
    #[allocative(skip)]
    view: OnceLock<Option<Arc<Node>>>,
    /// The approximate number of bytes for writing it; `None` if it is nested too deeply.
    #[allocative(skip)]
    size: OnceLock<Option<usize>>,
}
starlark_simple_value!(Fragment);

/// The nodes of a fragment.
#[derive(Clone, Debug)]
pub(in crate::script) enum FragmentContent {
    /// A mapping or a sequence.
    Node(Arc<Node>),
    /// Documents.
    Documents(Arc<[Built]>),
    /// The result of a function that contains nodes but did not build one.
    Nothing,
}

impl Fragment {
    /// Creates a fragment of one node.
    pub(in crate::script) fn node(node: Arc<Node>) -> Fragment {
        Fragment::new(FragmentContent::Node(node))
    }

    /// Creates a fragment in which every collection is a fragment too.
    pub(in crate::script) fn new(content: FragmentContent) -> Fragment {
        Fragment::of(content, false)
    }

    /// Creates a fragment that a template has built.
    pub(in crate::script) fn built(content: FragmentContent) -> Fragment {
        Fragment::of(content, true)
    }

    /// Creates a fragment. Derived data is computed when it is first needed.
    fn of(content: FragmentContent, is_built: bool) -> Fragment {
        Fragment {
            content,
            is_built,
            index: OnceLock::new(),
            view: OnceLock::new(),
            size: OnceLock::new(),
        }
    }

    /// Returns the node in which values are looked up: with merge keys expanded, and only the last
    /// of equal keys. A mapping that cannot be expanded is used unchanged; printing it reports the
    /// error, with its place.
    fn view<'a>(&'a self, node: &'a Arc<Node>) -> &'a Arc<Node> {
        // Almost no mapping needs this, and expanding would copy the whole tree.
        let view = self.view.get_or_init(|| match needs_expansion(node) {
            true => expand(node).ok(),
            false => None,
        });
        view.as_ref().unwrap_or(node)
    }

    /// Returns the approximate number of bytes for writing the fragment.
    ///
    /// # Errors
    /// Fails if it is nested too deeply to be written.
    pub(in crate::script) fn size(&self) -> Result<usize, Failure> {
        let measured = || match &self.content {
            FragmentContent::Node(node) => size(node, 0),
            FragmentContent::Documents(documents) => documents
                .iter()
                .map(|document| size(&document.root, 0))
                .sum(),
            FragmentContent::Nothing => Some(0),
        };
        self.size.get_or_init(measured).ok_or_else(|| {
            Failure::limit(format!("values nest deeper than {NESTING_LIMIT} levels"))
                .help("does a function put what it gave into itself?")
        })
    }

    fn len(&self) -> usize {
        match &self.content {
            FragmentContent::Node(node) => match &self.view(node).content {
                Content::Mapping(mapping) => mapping.entries.len(),
                Content::Sequence(sequence) => sequence.items.len(),
                _ => 0,
            },
            FragmentContent::Documents(documents) => documents.len(),
            FragmentContent::Nothing => 0,
        }
    }

    /// Returns the node at an index: the value of a key, or the item or document at a position.
    fn lookup(&self, index: Value<'_>) -> Option<&Arc<Node>> {
        match &self.content {
            FragmentContent::Node(node) => match &self.view(node).content {
                Content::Mapping(mapping) => {
                    let places = self.index.get_or_init(|| KeyIndex::of(mapping));
                    let place = places.place(&ScalarKey::of_value(index)?)?;
                    mapping.entries.get(place).map(|entry| &entry.value)
                }
                Content::Sequence(sequence) => {
                    let place = usize::try_from(index.unpack_i32()?).ok()?;
                    sequence.items.get(place).map(|item| &item.value)
                }
                _ => None,
            },
            FragmentContent::Documents(documents) => {
                let place = usize::try_from(index.unpack_i32()?).ok()?;
                documents.get(place).map(|document| &document.root)
            }
            FragmentContent::Nothing => None,
        }
    }

    /// Returns the value of a node in the fragment.
    pub(super) fn inner<'v>(&self, node: &Arc<Node>, heap: Heap<'v>) -> Value<'v> {
        match self.is_built {
            true => from_built_node(node, heap),
            false => from_node(node, heap),
        }
    }

    /// Returns the nodes that an iteration visits: keys, items or documents.
    pub(in crate::script) fn parts(&self) -> Vec<&Arc<Node>> {
        match &self.content {
            FragmentContent::Node(node) => match &self.view(node).content {
                Content::Mapping(mapping) => {
                    mapping.entries.iter().map(|entry| &entry.key).collect()
                }
                Content::Sequence(sequence) => {
                    sequence.items.iter().map(|item| &item.value).collect()
                }
                _ => Vec::new(),
            },
            FragmentContent::Documents(documents) => {
                documents.iter().map(|document| &document.root).collect()
            }
            FragmentContent::Nothing => Vec::new(),
        }
    }

    /// Returns the entries, if it is a mapping.
    pub(in crate::script) fn entries(&self) -> Option<&[Entry]> {
        match &self.content {
            FragmentContent::Node(node) => self
                .view(node)
                .as_mapping()
                .map(|mapping| &*mapping.entries),
            _ => None,
        }
    }

    /// Returns whether it is the result of a function that did not build a node.
    pub(in crate::script) fn is_nothing(&self) -> bool {
        matches!(&self.content, FragmentContent::Nothing)
    }

    /// Returns whether it is a mapping.
    pub(in crate::script) fn is_mapping(&self) -> bool {
        matches!(&self.content, FragmentContent::Node(node) if node.as_mapping().is_some())
    }

    /// Returns the concatenation of this sequence and another one; `None` if one of them is not a
    /// sequence. If `is_first` is set, this sequence comes first.
    fn joined<'v>(
        &self,
        other: Value<'v>,
        is_first: bool,
        heap: Heap<'v>,
    ) -> Option<starlark::Result<Value<'v>>> {
        if self.is_mapping() {
            return None;
        }
        let mut own: Vec<Value<'v>> = self
            .parts()
            .into_iter()
            .map(|node| self.inner(node, heap))
            .collect();
        // The other value is a list or a sequence. Any other value is left to the crate, which
        // reports the types.
        let mut others: Vec<Value<'v>> =
            match (ListRef::from_value(other), other.downcast_ref::<Fragment>()) {
                (Some(list), _) => list.iter().collect(),
                (None, Some(fragment)) if !fragment.is_mapping() => fragment
                    .parts()
                    .into_iter()
                    .map(|node| fragment.inner(node, heap))
                    .collect(),
                _ => return None,
            };
        if is_first {
            own.append(&mut others);
            return Some(Ok(heap.alloc(AllocList(own))));
        }
        others.append(&mut own);
        Some(Ok(heap.alloc(AllocList(others))))
    }
}

/// Returns whether a mapping has merge keys or repeated keys.
fn needs_expansion(node: &Node) -> bool {
    node.as_mapping().is_some_and(|mapping| {
        let mut seen = HashSet::with_capacity(mapping.entries.len());
        mapping
            .entries
            .iter()
            .filter_map(|entry| entry.key.text())
            .any(|text| text == "<<" || !seen.insert(text))
    })
}

/// Returns the approximate number of bytes for writing a node; `None` if it is nested too deeply.
/// An alias counts each time; the parser limits their expansion.
fn size(node: &Arc<Node>, depth: usize) -> Option<usize> {
    let inner = match &node.resolved().content {
        _ if depth > NESTING_LIMIT => return None,
        Content::Mapping(mapping) => {
            let sizes = mapping
                .entries
                .iter()
                .map(|entry| Some(key_size(&entry.key) + size(&entry.value, depth + 1)?));
            sizes.sum::<Option<usize>>()?
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .map(|item| size(&item.value, depth + 1))
            .sum::<Option<usize>>()?,
        _ => node.text().map_or(0, str::len),
    };
    Some(LEAST_NODE.max(inner))
}

fn key_size(key: &Node) -> usize {
    key.text().map_or(0, str::len) + LEAST_NODE
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.content {
            // These are the names of Go types that ytt prints. Templates compare `str(value)`, so
            // the names are part of the interface.
            FragmentContent::Node(_) if self.is_mapping() => "*yamlmeta.Map",
            FragmentContent::Node(_) => "*yamlmeta.Array",
            FragmentContent::Documents(_) => "*yamlmeta.DocumentSet",
            FragmentContent::Nothing => "<nil>",
        };
        write!(f, "yamlfragment({kind})")
    }
}

#[starlark_value(type = "yamlfragment")]
impl<'v> StarlarkValue<'v> for Fragment {
    fn to_bool(&self) -> bool {
        self.len() > 0
    }

    fn length(&self) -> starlark::Result<i32> {
        Ok(i32::try_from(self.len()).unwrap_or(i32::MAX))
    }

    fn at(&self, index: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        if let Some(node) = self.lookup(index) {
            return Ok(self.inner(node, heap));
        }
        if !self.is_mapping() && index.unpack_i32().is_none() {
            let found = with_article(type_name(index));
            return Err(Failure::new(format!(
                "expected an integer as the index of a list, found {found}"
            ))
            .into());
        }
        // The key is missing. Suggest a similar one.
        let keys = self.parts();
        let keys = keys.iter().filter_map(|key| key.as_str());
        let help = index
            .unpack_str()
            .and_then(|key| crate::source::suggest::did_you_mean(key, keys));
        Err(
            Failure::new(format!("key {} not in yamlfragment", repr(index)))
                .help_if(help)
                .into(),
        )
    }

    fn slice(
        &self,
        start: Option<Value<'v>>,
        stop: Option<Value<'v>>,
        stride: Option<Value<'v>>,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        if self.is_mapping() {
            return Err(Failure::new("expected a list to take a slice of, found a mapping").into());
        }
        // The crate implements all forms of slices (negative bounds, strides), so create a list and
        // slice that.
        let values = self.parts().into_iter().map(|node| self.inner(node, heap));
        heap.alloc(AllocList(values.collect::<Vec<_>>()))
            .slice(start, stop, stride, heap)
    }

    fn is_in(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(self.lookup(other).is_some())
    }

    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        Ok(self
            .parts()
            .into_iter()
            .map(|node| self.inner(node, heap))
            .collect())
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        let Some(other) = other.downcast_ref::<Fragment>() else {
            return Ok(false);
        };
        Ok(match (&self.content, &other.content) {
            (FragmentContent::Node(left), FragmentContent::Node(right)) => is_equal(left, right),
            (FragmentContent::Documents(left), FragmentContent::Documents(right)) => {
                left.len() == right.len()
                    && left
                        .iter()
                        .zip(right.iter())
                        .all(|(l, r)| is_equal(&l.root, &r.root))
            }
            (FragmentContent::Nothing, FragmentContent::Nothing) => true,
            _ => false,
        })
    }

    fn add(&self, other: Value<'v>, heap: Heap<'v>) -> Option<starlark::Result<Value<'v>>> {
        self.joined(other, true, heap)
    }

    fn radd(&self, other: Value<'v>, heap: Heap<'v>) -> Option<starlark::Result<Value<'v>>> {
        self.joined(other, false, heap)
    }
}

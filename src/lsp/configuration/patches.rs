//! Completes and describes patches, in separate files and in the text of a kustomization.
//!
//! ```text
//! patches:
//! - path: web.yaml            kind: Deployment
//!                             metadata: {name: web}
//!                             spec: {repl|}              a key that the object has there
//! - target: {kind: Deployment}
//!   patch: |-
//!     - op: replace
//!       path: /spec/repl|                                the same, as a pointer
//! ```
//!
//! A patch is compared with its objects in the last build: those of its target, or the one that it
//! names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{CompletionItem, CompletionItemKind};

use super::cursor::{CursorPart, TreeCursor, TreeStep};
use super::paths::{PathLanguage, PathPlace};
use super::selected::{SelectorKind, selected};
use super::uses::documents;
use super::{complete_path, shown};
use crate::kubernetes::Resource;
use crate::lsp::completion::Items;
use crate::lsp::view::View;
use crate::source::world::cleaned;
use crate::yaml::{Entry, Node};

/// The fields of an operation of a JSON patch.
const OPERATION_FIELDS: [&str; 4] = ["op", "path", "value", "from"];

/// The operations of a JSON patch.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// A position in a patch.
pub(super) struct PatchPlace {
    pub(super) cursor: TreeCursor,
    /// The selectors of its entries. An entry without a selector applies to the object that the
    /// patch names.
    targets: Vec<Option<Arc<Node>>>,
}

/// Returns the position in a patch: in a file that a kustomization names as one, or in a text in
/// the kustomization.
pub(super) fn patch_at(view: &View<'_>, offset: usize) -> Option<PatchPlace> {
    let targets = targets_of_file(view);
    if !targets.is_empty() {
        let cursor = TreeCursor::at(view.text, offset)?;
        return Some(PatchPlace { cursor, targets });
    }
    let outer = TreeCursor::at(view.text, offset).filter(|outer| outer.part == CursorPart::Text)?;
    let target = match outer.last_names(3).as_slice() {
        ["patches" | "patchesJson6902", _, "patch"] => outer.holder(0)?.get("target").cloned(),
        [.., "patchesStrategicMerge", _] => None,
        _ => return None,
    };
    let text = only_block(view.text, &outer, offset)?;
    let cursor = TreeCursor::at(&text, offset)?;
    Some(PatchPlace {
        cursor,
        targets: vec![target],
    })
}

/// Returns a text with only the content of a block scalar, at the same offsets: a document may be
/// indented, and may follow blanks. `None` for a position before the content, such as at the `|`.
///
/// ```text
/// - patch: |-              ·········
///     - op: remove             - op: remove
/// - path: a.yaml           ············
/// ```
fn only_block(text: &str, cursor: &TreeCursor, offset: usize) -> Option<String> {
    let block = text.get(cursor.span.range())?;
    if !block.starts_with(['|', '>']) {
        return None;
    }
    let content = cursor.span.start() + block.find('\n')? + 1;
    if offset < content {
        return None;
    }
    let mut left = String::with_capacity(text.len());
    for byte in text[..content].bytes() {
        left.push(if byte == b'\n' { '\n' } else { ' ' });
    }
    left.push_str(&text[content..cursor.span.end()]);
    Some(left)
}

/// Returns the targets of the entries that name the file of the view as their patch.
fn targets_of_file(view: &View<'_>) -> Vec<Option<Arc<Node>>> {
    let analysis = view.analysis;
    let Some(file) = analysis.and_then(|analysis| analysis.edits_file.as_deref()) else {
        return Vec::new();
    };
    let named = named_patches(view.read, file).into_iter();
    named
        .filter(|named| named.place == view.path)
        .map(|named| named.target)
        .collect()
}

/// A patch in a separate file.
pub(super) struct NamedPatch {
    pub(super) place: PathBuf,
    /// The selector of the entry.
    pub(super) target: Option<Arc<Node>>,
}

/// Returns the patches that a kustomization names.
pub(super) fn named_patches(
    read: &dyn Fn(&Path) -> Option<Arc<str>>,
    file: &Path,
) -> Vec<NamedPatch> {
    let mut found = Vec::new();
    let documents = documents(read, file);
    let (Some(document), Some(folder)) = (documents.first(), file.parent()) else {
        return found;
    };
    for field in ["patches", "patchesJson6902", "patchesStrategicMerge"] {
        for entry in items_of(document.root.get(field)) {
            // An entry of the last is a path or a patch, and no patch is the path of a file.
            let path = entry.get("path").unwrap_or(entry);
            if let Some(path) = path.resolved().as_str() {
                found.push(NamedPatch {
                    place: cleaned(&folder.join(path)),
                    target: entry.get("target").cloned(),
                });
            }
        }
    }
    found
}

/// Returns the items of a list; none of any other value.
pub(super) fn items_of(node: Option<&Arc<Node>>) -> impl Iterator<Item = &Arc<Node>> {
    let items = node.and_then(|node| node.resolved().as_sequence());
    items
        .into_iter()
        .flat_map(|list| list.items.iter())
        .map(|item| &item.value)
}

/// Returns the objects that a merge patch names, ignoring its field `except`.
pub(super) fn named_by<'r>(
    patch: &Node,
    except: Option<&str>,
    objects: &'r [Resource],
) -> Vec<&'r Resource> {
    let mut entries = Vec::new();
    for (field, keys) in [
        ("kind", &["kind"][..]),
        ("name", &["metadata", "name"]),
        ("namespace", &["metadata", "namespace"]),
    ] {
        let value = patch.get_in(keys).and_then(|value| value.as_str());
        if let Some(value) = value.filter(|_| except != Some(field)) {
            entries.push(Entry::new(field, Node::string(value)));
        }
    }
    let selector = Node::mapping(entries);
    selected(SelectorKind::Source, &selector, None, objects)
}

impl PatchPlace {
    /// Returns the objects of the patch. Its field `except` is ignored, because it is being typed
    /// and is not complete.
    pub(super) fn objects<'r>(
        &self,
        except: Option<&str>,
        objects: &'r [Resource],
    ) -> Vec<&'r Resource> {
        let mut found: Vec<&Resource> = Vec::new();
        for target in &self.targets {
            let own = match (target, self.cursor.root()) {
                (Some(target), _) => selected(SelectorKind::Patch, target, None, objects),
                (None, Some(patch)) => named_by(patch, except, objects),
                (None, None) => Vec::new(),
            };
            for object in own {
                if !found.iter().any(|other| std::ptr::eq(*other, object)) {
                    found.push(object);
                }
            }
        }
        found
    }

    /// Returns the part of the object's id that the position is at.
    fn typed_identity(&self) -> Option<&'static str> {
        match self.cursor.last_names(usize::MAX).as_slice() {
            ["kind"] => Some("kind"),
            ["metadata", "name"] => Some("name"),
            ["metadata", "namespace"] => Some("namespace"),
            _ => None,
        }
    }

    /// Returns whether the position is in a field that names the object.
    pub(super) fn is_at_identity(&self) -> bool {
        self.typed_identity().is_some() && !self.is_json_patch()
    }

    /// Returns the pointer at the position of a JSON patch.
    pub(super) fn pointer<'r>(&self, objects: &'r [Resource]) -> Option<PathPlace<'r>> {
        let is_value = self.cursor.part == CursorPart::Value;
        match self.cursor.last_names(usize::MAX).as_slice() {
            ["*", "path" | "from"] if is_value => Some(PathPlace {
                language: PathLanguage::Pointer,
                objects: self.objects(None, objects),
                span: self.cursor.span,
                quote: self.cursor.quote,
            }),
            _ => None,
        }
    }

    /// Returns whether the patch is a list of operations.
    fn is_json_patch(&self) -> bool {
        let root = self.cursor.root();
        root.is_some_and(|root| root.as_sequence().is_some())
    }

    /// Returns the values that the objects of a merge patch have at the position.
    pub(super) fn values<'r>(&self, objects: &'r [Resource]) -> Vec<(&'r Resource, Arc<Node>)> {
        if self.is_json_patch() {
            return Vec::new();
        }
        self.values_after(&self.cursor.steps, None, objects)
    }

    /// Returns the values at the end of `steps` of the patch. An item of the patch leads to the
    /// items with the same name, or to all of them.
    fn values_after<'r>(
        &self,
        steps: &[TreeStep],
        except: Option<&str>,
        objects: &'r [Resource],
    ) -> Vec<(&'r Resource, Arc<Node>)> {
        let objects = self.objects(except, objects).into_iter();
        let mut found: Vec<_> = objects
            .map(|object| (object, Arc::clone(&object.node)))
            .collect();
        for (depth, step) in steps.iter().enumerate() {
            let name = self.item_name(depth);
            let mut next = Vec::new();
            for (object, node) in found {
                let values: Vec<&Arc<Node>> = match step {
                    TreeStep::Key(key) => node.resolved().get(key).into_iter().collect(),
                    TreeStep::Item(_) => items_of(Some(&node))
                        .filter(|item| name.is_none() || name == name_of_item(item))
                        .collect(),
                };
                next.extend(values.into_iter().map(|value| (object, Arc::clone(value))));
            }
            found = next;
        }
        found
    }

    /// Returns the name of the item of the patch that the step at `depth` leads to, unless the name
    /// is what is being typed.
    fn item_name(&self, depth: usize) -> Option<&str> {
        let TreeStep::Item(index) = self.cursor.steps[depth] else {
            return None;
        };
        let is_typed = self.cursor.steps[depth + 1..] == [TreeStep::Key("name".into())];
        let list = self.cursor.holder_before(depth)?.as_sequence()?;
        name_of_item(&list.items.at(index)?.value).filter(|_| !is_typed)
    }
}

fn name_of_item(item: &Arc<Node>) -> Option<&str> {
    item.resolved().get("name")?.as_str()
}

/// Returns the possible texts at a position of a patch.
pub(super) fn complete_patch(
    view: &View<'_>,
    place: &PatchPlace,
    offset: usize,
) -> Vec<CompletionItem> {
    if let Some(pointer) = place.pointer(view.objects()) {
        return complete_path(view, &pointer, offset);
    }
    if place.is_json_patch() {
        return complete_operation(view, &place.cursor);
    }
    let cursor = &place.cursor;
    let mut items = Items::new(view, cursor.span);
    match (cursor.part, cursor.steps.split_last(), cursor.holder(0)) {
        (CursorPart::Key, Some((last, outer)), Some(holder)) => {
            let present = super::keys_of(holder, Some(last));
            add_keys(
                &mut items,
                &place.values_after(outer, None, view.objects()),
                &present,
            );
        }
        (CursorPart::Value, ..) => {
            let except = place.typed_identity();
            let values = place.values_after(&cursor.steps, except, view.objects());
            add_values(&mut items, &values);
            // What is typed where a mapping belongs is its first key.
            add_keys(&mut items, &values, &BTreeSet::new());
        }
        _ => {}
    }
    items.found
}

fn complete_operation(view: &View<'_>, cursor: &TreeCursor) -> Vec<CompletionItem> {
    let mut items = Items::new(view, cursor.span);
    let present = match (cursor.part, cursor.holder(0)) {
        (CursorPart::Key, Some(holder)) => super::keys_of(holder, cursor.steps.last()),
        _ => BTreeSet::new(),
    };
    let names = cursor.last_names(usize::MAX);
    match (names.as_slice(), cursor.part) {
        (["*", _], CursorPart::Key) | (["*"], CursorPart::Value) => {
            for field in OPERATION_FIELDS {
                if !present.contains(field) {
                    items.add(field, CompletionItemKind::FIELD);
                }
            }
        }
        (["*", "op"], CursorPart::Value) => {
            for operation in OPERATIONS {
                items.add(operation, CompletionItemKind::ENUM_MEMBER);
            }
        }
        _ => {}
    }
    items.found
}

/// Adds the keys of mappings, each once.
fn add_keys(items: &mut Items<'_>, values: &[(&Resource, Arc<Node>)], present: &BTreeSet<&str>) {
    let mut seen = BTreeSet::new();
    for (_, node) in values {
        let mapping = node.resolved().as_mapping();
        for entry in mapping
            .into_iter()
            .flat_map(|mapping| mapping.entries.iter())
        {
            let Some(key) = entry.key.text() else {
                continue;
            };
            if !present.contains(key) && seen.insert(key) {
                let item = items.add(key, CompletionItemKind::FIELD);
                item.detail = Some(shown(entry.value.resolved()));
            }
        }
    }
}

/// Adds the values that are scalars, each once.
fn add_values(items: &mut Items<'_>, values: &[(&Resource, Arc<Node>)]) {
    let mut seen = BTreeSet::new();
    for (object, node) in values {
        let text = node.resolved().text();
        if let Some(text) = text.filter(|text| !text.contains('\n'))
            && seen.insert(text)
        {
            let item = items.add(text, CompletionItemKind::VALUE);
            item.detail = Some(super::name_of(object));
        }
    }
}

//! References between objects and the configurations that read or edit them.
//!
//! ```text
//! kind: Service               replacements:
//! metadata: {name: db}        - source: {kind: Service, fieldPath: metadata.name}
//!                                                                 ─────────────   reads it
//! kind: ConfigMap               targets:
//! data:                         - select: {kind: ConfigMap}
//!   host: localhost               fieldPaths: [data.host]
//!                                              ─────────                          writes it
//! ```
//!
//! The references of a part of an object are the paths that lead to it, into it, or to what it is
//! in. Those of an object as a whole, asked for at its kind or name, are also the selectors that
//! choose it and the patches that name it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cursor::{CursorPart, TreeCursor, TreeStep};
use super::patches::{items_of, named_by, named_patches, patch_at};
use super::paths::{find_in, path_at};
use super::schema_of;
use super::selected::{SelectorKind, kind_of, selected, selector_at, targets};
use crate::edit::FieldPath;
use crate::kubernetes::Resource;
use crate::lsp::analysis::Analysis;
use crate::lsp::code::line_around;
use crate::lsp::view::View;
use crate::source::world::cleaned;
use crate::source::{Location, Source, Span};
use crate::yaml::{Content, Document, Node, parse_data};

/// The path that a source without a path reads.
const DEFAULT_SOURCE: &str = "metadata.name";

/// An object or a part of it.
pub(super) struct ObjectPart<'r> {
    object: &'r Resource,
    /// The place of the part; `None` for the object as a whole.
    part: Option<Location>,
}

impl ObjectPart<'_> {
    /// Returns the place of the part, or that of the object's name.
    pub(super) fn place(&self) -> Option<Location> {
        self.part.clone().or_else(|| self.object.name_location())
    }
}

/// Returns the targets of a selector, a path or a field of a patch; none in other files.
pub(super) fn parts_at<'v>(view: &View<'v>, offset: usize) -> Vec<ObjectPart<'v>> {
    let objects = view.objects();
    if let Some(patch) = patch_at(view, offset) {
        if let Some(path) = patch.pointer(objects) {
            return parts_of(path.found(view.text));
        }
        if patch.is_at_identity() {
            return patch
                .objects(None, objects)
                .into_iter()
                .map(whole)
                .collect();
        }
        return parts_of(patch.values(objects));
    }
    let Some(cursor) = TreeCursor::at(view.text, offset) else {
        return Vec::new();
    };
    let schema = cursor.root().and_then(|root| schema_of(view, root));
    if schema.is_none() {
        return Vec::new();
    }
    if let Some(path) = path_at(&cursor, objects) {
        return parts_of(path.found(view.text));
    }
    let Some(selector) = selector_at(&cursor) else {
        return Vec::new();
    };
    let chosen = selected(selector.kind, selector.node, None, objects);
    chosen.into_iter().map(whole).collect()
}

fn whole(object: &Resource) -> ObjectPart<'_> {
    ObjectPart { object, part: None }
}

fn parts_of<'r>(found: Vec<(&'r Resource, Arc<Node>)>) -> Vec<ObjectPart<'r>> {
    let mut parts = Vec::new();
    for (object, node) in found {
        // Values that a generator created have no place in a file.
        let is_in_file = |place: &Location| !place.in_file().source.shown_name().is_empty();
        if let Some(place) = node.location().filter(is_in_file) {
            parts.push(ObjectPart {
                object,
                part: Some(place),
            });
        }
    }
    parts
}

/// Returns the element at a position, and every place that reads or edits it.
pub(in crate::lsp) fn references(view: &View<'_>, offset: usize) -> Vec<(PathBuf, Span)> {
    let mut parts = parts_at(view, offset);
    if parts.is_empty() {
        parts = own_parts(view, offset);
    }
    let mut found = Vec::new();
    for part in &parts {
        if let Some(place) = part.place().map(|place| place.in_file()) {
            found.push((PathBuf::from(place.source.shown_name()), place.span));
        }
    }
    for analysis in view.analyses {
        // Do not search uses of other objects: each use would apply its selectors to all of them.
        let own = analysis.objects.iter();
        let objects: Vec<Resource> = own
            .filter(|object| parts.iter().any(|part| is_same(object, part.object)))
            .cloned()
            .collect();
        for use_ in uses_of(view, analysis, &objects) {
            if parts.iter().any(|part| use_.is_of(part)) {
                found.push((use_.file, use_.span));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the part of an object at a position in the file with the object. It may be an input of
/// several kustomizations.
fn own_parts<'v>(view: &View<'v>, offset: usize) -> Vec<ObjectPart<'v>> {
    let Some(cursor) = TreeCursor::at(view.text, offset) else {
        return Vec::new();
    };
    let Some(root) = cursor.root() else {
        return Vec::new();
    };
    let names = cursor.last_names(usize::MAX);
    let is_whole = matches!(
        names.as_slice(),
        ["apiVersion" | "kind" | "metadata"] | ["metadata", "name" | "namespace"]
    );
    let mut parts = Vec::new();
    for analysis in view.analyses {
        for object in named_by(root, None, &analysis.objects) {
            if file_of(object).as_deref() != Some(view.path) {
                continue;
            }
            let part = match is_whole {
                true => None,
                false => match place_of(object, &cursor, view, offset) {
                    Some(place) => Some(place),
                    None => continue,
                },
            };
            parts.push(ObjectPart { object, part });
        }
    }
    parts
}

/// Returns the place in the built text of what the cursor is at. Of a text of several lines it is
/// the line of the position, as long as nothing was typed since the build.
fn place_of(
    object: &Resource,
    cursor: &TreeCursor,
    view: &View<'_>,
    offset: usize,
) -> Option<Location> {
    let mut node = &object.node;
    for step in &cursor.steps {
        node = match step {
            TreeStep::Key(key) => node.resolved().get(key)?,
            TreeStep::Item(index) => items_of(Some(node)).nth(*index)?,
        };
    }
    let place = node.location()?.in_file();
    if cursor.part == CursorPart::Text && place.source.text() == view.text {
        let line = line_around(view.text, offset);
        return Some(Location::new(&place.source, line));
    }
    Some(place)
}

/// Returns the file that an object is written in.
fn file_of(object: &Resource) -> Option<PathBuf> {
    let place = object.name_location()?.in_file();
    Some(PathBuf::from(place.source.shown_name()))
}

/// Returns whether these are the same object in two builds.
fn is_same(one: &Resource, other: &Resource) -> bool {
    one.original_id() == other.original_id() && file_of(one) == file_of(other)
}

/// A place that reads or edits an object.
struct ObjectUse<'r> {
    file: PathBuf,
    span: Span,
    object: &'r Resource,
    /// What its path leads to; `None` if it has no path.
    values: Option<Vec<Location>>,
}

impl ObjectUse<'_> {
    /// Returns whether it reads or edits a part of an object. The part may be of another build.
    fn is_of(&self, part: &ObjectPart<'_>) -> bool {
        let is_same_object = is_same(self.object, part.object);
        let Some(wanted) = part.part.as_ref().filter(|_| is_same_object) else {
            return is_same_object;
        };
        let wanted = wanted.in_file();
        let mut values = self.values.iter().flatten();
        values.any(|value| {
            let value = value.in_file();
            value.source.shown_name() == wanted.source.shown_name()
                && value.span.start() < wanted.span.end()
                && wanted.span.start() < value.span.end()
        })
    }
}

/// Returns every use of some objects of a kustomization or configuration.
fn uses_of<'r>(
    view: &View<'_>,
    analysis: &Analysis,
    objects: &'r [Resource],
) -> Vec<ObjectUse<'r>> {
    let Some(file) = analysis.edits_file.as_ref().filter(|_| !objects.is_empty()) else {
        return Vec::new();
    };
    let mut uses = Uses {
        read: view.read,
        file: file.clone(),
        is_named: false,
        objects,
        found: Vec::new(),
    };
    uses.visit_file();
    for patch in named_patches(view.read, file) {
        if patch.target.is_none() {
            uses.add_patch(&patch.place);
        }
    }
    uses.found
}

/// Collects the uses in a file.
struct Uses<'u, 'r> {
    read: &'u dyn Fn(&Path) -> Option<Arc<str>>,
    file: PathBuf,
    /// Whether a configuration names the file as one of replacements.
    is_named: bool,
    objects: &'r [Resource],
    found: Vec<ObjectUse<'r>>,
}

impl<'r> Uses<'_, 'r> {
    fn visit_file(&mut self) {
        for document in documents(self.read, &self.file) {
            self.visit(&document.root, &mut Vec::new());
        }
    }

    /// Looks for selectors in a value; `names` lead to it. The parser bounds the depth.
    fn visit(&mut self, node: &Arc<Node>, names: &mut Vec<Box<str>>) {
        let last: Vec<&str> = names.iter().map(|name| &**name).collect();
        match last.as_slice() {
            [.., "targets", "*"] => self.add_target(node),
            // Replacements in a file of their own.
            [.., "replacements", "*", "path"] => self.visit_other(node),
            names => match kind_of(names) {
                Some(SelectorKind::Source) => self.add_source(node),
                Some(SelectorKind::Patch) => {
                    let objects = selected(SelectorKind::Patch, node, None, self.objects);
                    self.add(head(node), objects, None);
                }
                _ => {}
            },
        }
        match &node.resolved().content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    names.push(entry.key.text().unwrap_or_default().into());
                    self.visit(&entry.value, names);
                    names.pop();
                }
            }
            Content::Sequence(_) => {
                names.push("*".into());
                for item in items_of(Some(node)) {
                    self.visit(item, names);
                }
                names.pop();
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
    }

    fn visit_other(&mut self, path: &Arc<Node>) {
        let (Some(path), Some(folder)) = (path.as_str(), self.file.parent()) else {
            return;
        };
        // A file of replacements names no others: one that named itself would have no end.
        if self.is_named {
            return;
        }
        let mut other = Uses {
            read: self.read,
            file: cleaned(&folder.join(path)),
            is_named: true,
            objects: self.objects,
            found: Vec::new(),
        };
        other.visit_file();
        self.found.append(&mut other.found);
    }

    fn add_source(&mut self, source: &Arc<Node>) {
        let objects = selected(SelectorKind::Source, source, None, self.objects);
        let path = source.get("fieldPath");
        let text = path.and_then(|path| path.as_str());
        let span = path.and_then(span_of).or_else(|| head(source));
        self.add(span, objects, Some(text.unwrap_or(DEFAULT_SOURCE)));
    }

    fn add_target(&mut self, target: &Arc<Node>) {
        let objects = targets(target, self.objects);
        let select = target.get("select").and_then(head);
        self.add(select, objects.clone(), None);
        for path in items_of(target.get("fieldPaths")) {
            if let Some(text) = path.as_str() {
                self.add(span_of(path), objects.clone(), Some(text));
            }
        }
    }

    /// Adds the objects that a merge patch names.
    fn add_patch(&mut self, file: &Path) {
        for document in documents(self.read, file) {
            let name = document.root.get_in(&["metadata", "name"]);
            if let Some(span) = name.and_then(span_of) {
                for object in named_by(&document.root, None, self.objects) {
                    self.found.push(ObjectUse {
                        file: file.to_owned(),
                        span,
                        object,
                        values: None,
                    });
                }
            }
        }
    }

    fn add(&mut self, span: Option<Span>, objects: Vec<&'r Resource>, path: Option<&str>) {
        let Some(span) = span else { return };
        let path = path.map(FieldPath::parse);
        for object in objects {
            let values = path.as_ref().map(|path| {
                let found = path.as_ref().map(|path| find_in(object, path));
                let found = found.unwrap_or_default().into_iter();
                found.filter_map(|node| node.location()).collect()
            });
            self.found.push(ObjectUse {
                file: self.file.clone(),
                span,
                object,
                values,
            });
        }
    }
}

/// Returns the documents of a file; none of one that does not parse at the moment.
pub(super) fn documents(read: &dyn Fn(&Path) -> Option<Arc<str>>, file: &Path) -> Vec<Document> {
    let source = read(file).and_then(|text| Source::new("", &*text).ok());
    let stream = source.and_then(|source| parse_data(&source).ok());
    stream.map(|stream| stream.documents).unwrap_or_default()
}

fn span_of(node: &Arc<Node>) -> Option<Span> {
    Some(node.origin.as_ref()?.span)
}

/// Returns the place of the first key of a mapping.
fn head(node: &Arc<Node>) -> Option<Span> {
    span_of(&node.as_mapping()?.entries.iter().next()?.key)
}

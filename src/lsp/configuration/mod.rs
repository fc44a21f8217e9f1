//! Kustomizations and configurations of edits: their fields, and the objects that they select.
//!
//! Fields come from the JSON Schema, which is generated from the types. Selectors and paths are
//! applied to the objects of the last build before the edits of the file, so that a path that does
//! not lead anywhere yet can be completed.

mod cursor;
mod fields;
mod files;
mod patches;
mod paths;
mod selected;
mod uses;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use lsp_types::{CompletionItem, CompletionItemKind};

pub(super) use self::cursor::{CursorPart, TreeCursor, TreeStep};
use self::fields::{choices_of, description_of, fields_of, schema_at, schema_of};
use self::files::{complete_file, define_file, file_at};
use self::patches::{PatchPlace, complete_patch, patch_at};
use self::paths::{PathPlace, path_at};
use self::selected::{
    SelectorKind, SelectorPlace, name_of, pairs_of, selected, selector_at, values_of,
};
use self::uses::parts_at;
pub(super) use self::uses::references;
use super::completion::{Items, markdown};
use super::evaluated::one_line;
use super::hover::{Definition, Description};
use super::view::View;
use crate::kubernetes::Resource;
use crate::source::Source;
use crate::yaml::{Content, Node, parse_data};

/// The maximum number of objects and values that a hover lists.
const LISTED: usize = 12;

/// Returns the possible texts at a position of a configuration; `None` in another file.
pub(super) fn complete(view: &View<'_>, offset: usize) -> Option<Vec<CompletionItem>> {
    if let Some(patch) = patch_at(view, offset) {
        return Some(complete_patch(view, &patch, offset));
    }
    let cursor = TreeCursor::at(view.text, offset)?;
    let schema = schema_of(view, cursor.root()?)?;
    if let Some(path) = path_at(&cursor, view.objects()) {
        return Some(complete_path(view, &path, offset));
    }
    if let Some(path) = file_at(view.text, &cursor) {
        return Some(complete_file(view, path));
    }
    let own = schema_at(&schema, &cursor.steps);
    if cursor.part == CursorPart::Value
        && let Some(selector) = selector_at(&cursor)
    {
        return Some(complete_selector(view, &selector, &cursor));
    }
    let mut items = Items::new(view, cursor.span);
    match cursor.part {
        CursorPart::Key => {
            let (_, outer) = cursor.steps.split_last()?;
            let present = keys_of(cursor.holder(0)?, cursor.steps.last());
            add_fields(&mut items, schema_at(&schema, outer)?, &present);
        }
        CursorPart::Value => {
            let own = own?;
            for choice in choices_of(own) {
                items.add(choice, CompletionItemKind::ENUM_MEMBER);
            }
            // What is typed where a mapping belongs is its first key.
            add_fields(&mut items, own, &BTreeSet::new());
        }
        CursorPart::Text => {}
    }
    Some(items.found)
}

/// Returns the keys of a mapping, without the one that is being typed.
fn keys_of<'n>(mapping: &'n Node, typed: Option<&TreeStep>) -> BTreeSet<&'n str> {
    let entries = mapping.as_mapping().map(|mapping| mapping.entries.iter());
    let keys = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.key.text());
    keys.filter(|key| typed != Some(&TreeStep::Key((*key).into())))
        .collect()
}

fn add_fields(items: &mut Items<'_>, schema: &serde_json::Value, present: &BTreeSet<&str>) {
    for field in fields_of(schema) {
        if !present.contains(field.name) {
            let item = items.add(field.name, CompletionItemKind::FIELD);
            item.detail = Some(field.type_name().to_owned());
            item.documentation = Some(markdown(field.description().to_owned()));
        }
    }
}

fn complete_selector(
    view: &View<'_>,
    selector: &SelectorPlace<'_>,
    cursor: &TreeCursor,
) -> Vec<CompletionItem> {
    let field = selector.field.unwrap_or_default();
    // `reject` excludes some of the objects that `select` has chosen.
    let kind = match selector.kind {
        SelectorKind::Reject => SelectorKind::Select,
        kind => kind,
    };
    let objects = selected(kind, selector.node, Some(field), view.objects());
    let mut items = Items::new(view, cursor.span);
    for value in values_of(field, &objects) {
        let named = objects
            .iter()
            .filter(|object| values_of(field, &[object]) == [value]);
        let names: Vec<String> = named.take(LISTED).map(|object| name_of(object)).collect();
        items.add(value, CompletionItemKind::VALUE).detail = Some(names.join(", "));
    }
    for pair in pairs_of(field, &objects) {
        items.add(&pair, CompletionItemKind::VALUE);
    }
    items.found
}

fn complete_path(view: &View<'_>, path: &PathPlace<'_>, offset: usize) -> Vec<CompletionItem> {
    let mut items = Items::new(view, path.part_span(view.text, offset));
    for part in path.next_parts(view.text, offset) {
        let spelled = path.quoted(&part.spelled);
        let kind = match &part.example.content {
            Content::Scalar(_) | Content::Alias(_) => CompletionItemKind::FIELD,
            Content::Mapping(_) | Content::Sequence(_) => CompletionItemKind::STRUCT,
        };
        items.add(&spelled, kind).detail = Some(shown(&part.example));
    }
    items.found
}

/// Returns a value in one line.
fn shown(node: &Arc<Node>) -> String {
    one_line(node).unwrap_or_else(|| node.described().to_owned())
}

/// Describes a field, a selector or a path.
pub(super) fn describe(view: &View<'_>, offset: usize) -> Option<Description> {
    if let Some(patch) = patch_at(view, offset) {
        return describe_patch(view, &patch);
    }
    let cursor = TreeCursor::at(view.text, offset)?;
    let schema = schema_of(view, cursor.root()?)?;
    let described = |text: String| {
        Some(Description {
            text,
            span: cursor.span,
        })
    };
    if let Some(path) = path_at(&cursor, view.objects()) {
        return Some(Description {
            text: describe_path(view, &path),
            span: path.span,
        });
    }
    let mut parts = Vec::new();
    if cursor.part == CursorPart::Key
        && let Some(own) = schema_at(&schema, &cursor.steps)
    {
        parts.extend(description_of(own).map(str::to_owned));
    }
    if let Some(selector) = selector_at(&cursor) {
        parts.push(describe_selector(view, &selector));
    }
    if parts.is_empty() {
        return None;
    }
    described(parts.join("\n\n"))
}

fn describe_selector(view: &View<'_>, selector: &SelectorPlace<'_>) -> String {
    let objects = selected(selector.kind, selector.node, None, view.objects());
    let verb = match selector.kind {
        SelectorKind::Reject => "Rejects",
        _ => "Selects",
    };
    let mut text = format!(
        "{verb} {} of {}",
        objects.len(),
        count(view.objects().len())
    );
    text.push_str(if objects.is_empty() { "." } else { ":" });
    for object in objects.iter().take(LISTED) {
        text.push_str(&format!("\n- {}", name_of(object)));
    }
    if objects.len() > LISTED {
        text.push_str(&format!("\n- and {} more", objects.len() - LISTED));
    }
    text
}

fn count(objects: usize) -> String {
    match objects {
        1 => "1 object".to_owned(),
        _ => format!("{objects} objects"),
    }
}

/// Describes the values at a pointer of a patch, or the values of the objects at a field of a merge
/// patch.
fn describe_patch(view: &View<'_>, patch: &PatchPlace) -> Option<Description> {
    if let Some(path) = patch.pointer(view.objects()) {
        return Some(Description {
            text: describe_path(view, &path),
            span: path.span,
        });
    }
    let values = patch.values(view.objects());
    (!values.is_empty()).then(|| Description {
        text: list_values(&values),
        span: patch.cursor.span,
    })
}

fn describe_path(view: &View<'_>, path: &PathPlace<'_>) -> String {
    let found = path.found(view.text);
    if found.is_empty() {
        let objects = count(path.objects.len());
        return format!("Leads to nothing in {objects}.");
    }
    list_values(&found)
}

/// Lists the values that objects have, a line for each.
fn list_values(found: &[(&Resource, Arc<Node>)]) -> String {
    let values = found.iter().take(LISTED);
    let lines = values.map(|(object, node)| format!("- {}: `{}`", name_of(object), shown(node)));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if found.len() > LISTED {
        text.push_str(&format!("\n- and {} more", found.len() - LISTED));
    }
    text
}

/// Returns the objects or values of a selector, a path or a field of a patch. For the path of a
/// file, returns the file.
pub(super) fn define(view: &View<'_>, offset: usize) -> Vec<Definition> {
    if let Some(file) = file_definition(view, offset) {
        return vec![file];
    }
    let parts = parts_at(view, offset).into_iter();
    let places = parts.filter_map(|part| part.place());
    places.map(Definition::Place).collect()
}

fn file_definition(view: &View<'_>, offset: usize) -> Option<Definition> {
    let cursor = TreeCursor::at(view.text, offset)?;
    let path = file_at(view.text, &cursor)?;
    schema_of(view, cursor.root()?)?;
    define_file(view, path)
}

/// Returns the number of objects of each selector in a part of a configuration, by the offset after
/// its key. Editors request only the visible lines, because each selector is applied to all
/// objects.
pub(super) fn notes(view: &View<'_>, shown: &RangeInclusive<usize>) -> Vec<(usize, String)> {
    let mut notes = Vec::new();
    if view.objects().is_empty() {
        return notes;
    }
    let Ok(source) = Source::new("", view.text) else {
        return notes;
    };
    let Ok(stream) = parse_data(&source) else {
        return notes;
    };
    for document in &stream.documents {
        if schema_of(view, &document.root).is_some() {
            add_notes(&document.root, view.objects(), shown, &mut notes);
        }
    }
    notes
}

/// Recursive: the parser bounds the depth.
fn add_notes(
    node: &Node,
    objects: &[Resource],
    shown: &RangeInclusive<usize>,
    notes: &mut Vec<(usize, String)>,
) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                let kind = match entry.key.text() {
                    Some("select") => Some(SelectorKind::Select),
                    Some("target") => Some(SelectorKind::Patch),
                    _ => None,
                };
                if let (Some(kind), Some(origin)) = (kind, &entry.key.origin)
                    && shown.contains(&origin.span.end())
                {
                    let found = selected(kind, &entry.value, None, objects);
                    notes.push((origin.span.end(), count(found.len())));
                }
                add_notes(&entry.value, objects, shown, notes);
            }
        }
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                add_notes(&item.value, objects, shown, notes);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

//! Paths of files and folders in configurations.
//!
//! ```yaml
//! resources: [../ba|]             the folders and files there
//! configMapGenerator:
//! - files: [app.json=con|]        the key is not part of the path
//! ```

use std::path::PathBuf;

use lsp_types::{CompletionItem, CompletionItemKind};

use super::cursor::{CursorPart, TreeCursor};
use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::lsp::completion::Items;
use crate::lsp::hover::Definition;
use crate::lsp::view::View;
use crate::source::Span;
use crate::source::world::cleaned;

/// Returns the span of the path that the cursor is at; `None` if the field contains something else.
pub(super) fn file_at(text: &str, cursor: &TreeCursor) -> Option<Span> {
    if cursor.part != CursorPart::Value {
        return None;
    }
    let has_key = match cursor.last_names(4).as_slice() {
        [
            ..,
            "bases"
            | "components"
            | "configurations"
            | "crds"
            | "generators"
            | "patchesStrategicMerge"
            | "paths"
            | "resources"
            | "transformers"
            | "validators"
            | "valuesFiles",
            "*",
        ]
        | [
            ..,
            "patches" | "patchesJson6902" | "replacements",
            "*",
            "path",
        ]
        | ["openapi", "path"] => false,
        [
            ..,
            "configMapGenerator" | "secretGenerator",
            "*",
            "files" | "envs",
            "*",
        ]
        | [.., "configMapGenerator" | "secretGenerator", "*", "env"] => true,
        _ => return None,
    };
    let written = text.get(cursor.span.range())?;
    let key = match written.split_once('=') {
        Some((key, _)) if has_key => key.len() + 1,
        _ => 0,
    };
    Some(Span::new(cursor.span.start() + key, cursor.span.end()))
}

/// Returns the files and folders that the path which is typed may go on with.
pub(super) fn complete_file(view: &View<'_>, path: Span) -> Vec<CompletionItem> {
    let mut items = Items::new(view, path);
    let typed = view.text.get(path.range()).unwrap_or_default();
    let folder = typed.rfind('/').map_or("", |slash| &typed[..=slash]);
    let Some(own) = view.path.parent() else {
        return items.found;
    };
    for entry in (view.list)(&cleaned(&own.join(folder))) {
        let Some(name) = entry.path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if entry.path == view.path || name.starts_with('.') {
            continue;
        }
        let kind = match entry.is_folder {
            true => CompletionItemKind::FOLDER,
            false => CompletionItemKind::FILE,
        };
        items.add(&format!("{folder}{name}"), kind);
    }
    items.found
}

/// Returns the file that a path leads to; of a folder, its kustomization.
pub(super) fn define_file(view: &View<'_>, path: Span) -> Option<Definition> {
    let written = view
        .text
        .get(path.range())
        .filter(|path| !path.is_empty())?;
    let place = cleaned(&view.path.parent()?.join(written));
    let names = KUSTOMIZATION_FILES.iter();
    let mut places: Vec<PathBuf> = names.map(|name| place.join(name)).collect();
    places.insert(0, place);
    let mut found = places.into_iter();
    let found = found.find(|place| (view.read)(place).is_some())?;
    Some(Definition::Span(found, Span::at(0)))
}

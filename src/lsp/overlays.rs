//! Shows the elements that the parts of an overlay match.
//!
//! ```yaml
//! #@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="1+"     3 matches
//! ---
//! spec:
//!   repl|           completed with the keys that the three documents have there
//! ```
//!
//! A build records the matches of each part, by the place of its marker, key or dash. The editor's
//! text may be newer than the build, so a part is used only if its line has not changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use lsp_types::{CompletionItem, CompletionItemKind};

use super::code::{line_around, lines};
use super::completion::Items;
use super::configuration::{CursorPart, TreeCursor, TreeStep};
use super::evaluated::one_line;
use super::view::View;
use crate::edit::{DocumentFormat, Encoding, StringDocument};
use crate::provenance::OverlayMatch;
use crate::source::{Location, Span};
use crate::yaml::{Content, Node};

/// An element that a part matches, and its place.
type Element = (Arc<Node>, Location);

const MATCH: &str = "#@overlay/match";

/// The maximum number of places that a hover lists.
const LISTED: usize = 12;

/// Returns the line of a part in the text of the editor, from 0; `None` if it is in another file or
/// has changed.
fn line_of(view: &View<'_>, lines: &[Span], part: &Location) -> Option<usize> {
    let place = part.in_file();
    if Path::new(place.source.shown_name()) != view.path {
        return None;
    }
    let line = place.source.line(place.span.start());
    let own = lines.get(line.checked_sub(1)?)?;
    let built = place.source.slice(place.source.line_span(line));
    (built == &view.text[own.range()]).then_some(line - 1)
}

/// Returns the line of the `@overlay/match` above a part: other annotations may be between them.
fn annotation_above(view: &View<'_>, lines: &[Span], part: usize) -> Option<usize> {
    for line in (0..part).rev() {
        let text = view.text[lines[line].range()].trim_start();
        if !text.starts_with('#') {
            return None;
        }
        if is_match(text) {
            return Some(line);
        }
    }
    None
}

/// Returns whether a line is an `@overlay/match`, and not `@overlay/match-child-defaults`.
fn is_match(line: &str) -> bool {
    line.trim_start()
        .strip_prefix(MATCH)
        .is_some_and(|rest| !rest.starts_with(['-', '/']))
}

/// Returns the number of matches of each `@overlay/match`, by the offset of its line.
pub(super) fn match_counts(view: &View<'_>) -> Vec<(usize, String)> {
    let lines: Vec<Span> = lines(view.text).collect();
    let mut counts = BTreeMap::new();
    for (line, found) in matches(view, &lines) {
        if let Some(annotation) = annotation_above(view, &lines, line) {
            *counts.entry(annotation).or_default() += found.count;
        }
    }
    let counts = counts.into_iter();
    counts
        .map(|(line, count)| (lines[line].end(), counted(count)))
        .collect()
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 match".to_owned(),
        _ => format!("{count} matches"),
    }
}

/// Returns the parts that are in the text of the editor, by their lines.
fn matches<'v>(view: &View<'v>, lines: &[Span]) -> Vec<(usize, &'v OverlayMatch)> {
    let all = view.analysis.map_or(&[][..], |analysis| &analysis.matches);
    let mut found = Vec::new();
    for own in all {
        if let Some(line) = line_of(view, lines, &own.part) {
            found.push((line, own));
        }
    }
    found
}

/// Returns the elements that the part below the annotation at `offset` matches, and their number.
fn below<'v>(view: &View<'v>, offset: usize) -> Option<(usize, Vec<&'v Element>)> {
    let lines: Vec<Span> = lines(view.text).collect();
    let annotation = lines
        .iter()
        .position(|line| (line.start()..=line.end()).contains(&offset))?;
    if !is_match(&view.text[lines[annotation].range()]) {
        return None;
    }
    let (mut count, mut elements) = (None, Vec::new());
    for (line, found) in matches(view, &lines) {
        if annotation_above(view, &lines, line) == Some(annotation) {
            *count.get_or_insert(0) += found.count;
            elements.extend(&found.elements);
        }
    }
    Some((count?, elements))
}

/// Describes the matches of the `@overlay/match` at a position; `None` for another annotation.
pub(super) fn describe_matches(view: &View<'_>, offset: usize) -> Option<String> {
    let (count, elements) = below(view, offset)?;
    let mut text = format!("In the last build: {}", counted(count));
    for (value, place) in elements.into_iter().take(LISTED) {
        let place = place.in_file();
        let name = Path::new(place.source.shown_name()).file_name();
        let name = name.unwrap_or_default().to_string_lossy();
        let line = place.source.line(place.span.start());
        let shown = object_name(value).unwrap_or_else(|| {
            let text = place.source.slice(place.source.line_span(line));
            format!("`{}`", text.trim())
        });
        text.push_str(&format!("\n- {shown} ({name}:{line})"));
    }
    if count > LISTED {
        text.push_str(&format!("\n- and {} more", count - LISTED));
    }
    Some(text)
}

/// Returns the short name of an object: `Deployment/web`.
fn object_name(value: &Node) -> Option<String> {
    let kind = value.get("kind")?.as_str()?;
    let name = value.get_in(&["metadata", "name"])?.as_str()?;
    Some(format!("{kind}/{name}"))
}

/// Returns the places that the `@overlay/match` at a position matches.
pub(super) fn matched_below(view: &View<'_>, offset: usize) -> Vec<Location> {
    let elements = below(view, offset).map(|(_, elements)| elements);
    let places = elements.into_iter().flatten();
    places.map(|(_, place)| place.in_file()).collect()
}

/// Returns the entries that the key at a position of an overlay matches.
pub(super) fn matched_by_key(view: &View<'_>, offset: usize) -> Vec<Location> {
    let lines: Vec<Span> = lines(view.text).collect();
    let own = matches(view, &lines).into_iter();
    own.filter(|(line, _)| (lines[*line].start()..=lines[*line].end()).contains(&offset))
        .flat_map(|(_, found)| &found.elements)
        .map(|(_, place)| place.in_file())
        .collect()
}

/// Returns the keys that the documents have at a position of an overlay; `None` anywhere else.
pub(super) fn complete_keys(view: &View<'_>, offset: usize) -> Option<Vec<CompletionItem>> {
    let merges = &view.analysis?.merges;
    if merges.is_empty() {
        return None;
    }
    let cursor = TreeCursor::at(view.text, offset).filter(|cursor| may_be_key(cursor, view))?;
    let left = left_values(view, &cursor)?;
    let mut items = Items::new(view, cursor.span);
    let mut seen = BTreeSet::new();
    for value in &left {
        let mapping = value.resolved().as_mapping();
        for entry in mapping
            .into_iter()
            .flat_map(|mapping| mapping.entries.iter())
        {
            if let Some(key) = entry.key.text()
                && seen.insert(key)
            {
                let item = items.add(key, CompletionItemKind::FIELD);
                item.detail = one_line(entry.value.resolved());
            }
        }
    }
    Some(items.found)
}

/// Returns whether a key may be at a position. The rest of a line after `key:` is a value.
fn may_be_key(cursor: &TreeCursor, view: &View<'_>) -> bool {
    match cursor.part {
        CursorPart::Key => true,
        CursorPart::Text => false,
        CursorPart::Value => {
            let steps = cursor.mapping_steps();
            let start = cursor.start_of_value(steps.len(), view.text);
            matches!(steps.last(), Some(TreeStep::Item(_)))
                || start.is_some_and(|start| {
                    let line = line_around(view.text, start);
                    !(line.start()..=line.end()).contains(&cursor.span.start())
                })
        }
    }
}

/// Returns the values that the mapping around a position of an overlay is merged into; `None`
/// outside of overlays.
///
/// A part without content is not merged with anything, so the search starts at the nearest part
/// around it that is merged:
///
/// ```text
/// #@overlay/match by=overlay.all
/// ---                               merged into each document
/// spec:                             not merged yet: it is `spec` of each document
///   |
/// ```
fn left_values(view: &View<'_>, cursor: &TreeCursor) -> Option<Vec<Arc<Node>>> {
    let lines: Vec<Span> = lines(view.text).collect();
    let mut merged: BTreeMap<usize, Vec<&Arc<Node>>> = BTreeMap::new();
    for merge in view.analysis.map_or(&[][..], |analysis| &analysis.merges) {
        if let Some(line) = line_of(view, &lines, &merge.part) {
            merged.entry(line).or_default().push(&merge.left);
        }
    }
    let steps = cursor.mapping_steps();
    for depth in (0..=steps.len()).rev() {
        let start = cursor.start_of_value(depth, view.text)?;
        let line = lines.partition_point(|line| line.end() < start);
        if let Some(left) = merged.get(&line) {
            let left = left.iter();
            return Some(
                left.flat_map(|left| values_at(left, &steps[depth..]))
                    .collect(),
            );
        }
    }
    None
}

/// Returns the values that steps lead to from a value, also into the documents in strings. An item
/// of an overlay may match any item.
fn values_at(value: &Arc<Node>, steps: &[TreeStep]) -> Vec<Arc<Node>> {
    let mut values = vec![Arc::clone(value)];
    for step in steps {
        let mut inner = Vec::new();
        for value in &values {
            match (step, &value.resolved().content) {
                (TreeStep::Key(key), Content::Mapping(_)) => {
                    let found = value.resolved().get(key);
                    inner.extend(found.map(|found| document_in(found, key)));
                }
                (TreeStep::Item(_), Content::Sequence(sequence)) => {
                    inner.extend(sequence.items.iter().map(|item| Arc::clone(&item.value)));
                }
                _ => {}
            }
        }
        values = inner;
    }
    values
}

/// Returns the root of the document in a string, or the value itself.
fn document_in(value: &Arc<Node>, key: &str) -> Arc<Node> {
    let is_string = value.resolved().as_str().is_some();
    let opened = is_string.then(|| {
        let holder = DocumentFormat::YAML;
        StringDocument::open(value, Encoding::Plain, holder, Some(key), None)
    });
    match opened {
        Some(Ok(document)) => Arc::clone(document.root()),
        _ => Arc::clone(value),
    }
}

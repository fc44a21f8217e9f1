//! Moves the values of old fields to the new ones.

use super::sections::{Section, Sections, span};
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{CollectionStyle, Node, TextEdit, apply};

/// A new field, and the old fields whose items are moved to it, in order.
struct Move {
    new: &'static str,
    old: &'static [&'static str],
}

const MOVES: [Move; 5] = [
    Move {
        new: "resources",
        old: &["bases"],
    },
    Move {
        new: "images",
        old: &["imageTags"],
    },
    Move {
        new: "helmCharts",
        old: &["helmChartInflationGenerator"],
    },
    Move {
        new: "patches",
        old: &["patchesJson6902", "patchesStrategicMerge"],
    },
    Move {
        new: "labels",
        old: &["commonLabels"],
    },
];

/// Returns the text with the new fields.
///
/// # Errors
/// The file is not lines of fields, or a label is given twice.
pub(super) fn fix(
    source: &std::sync::Arc<Source>,
    is_file: &dyn Fn(&str) -> bool,
) -> Result<String> {
    let file = Sections::read(source)?;
    refuse_equal_labels(&file)?;
    let mut edits = Vec::new();
    for fields in &MOVES {
        move_fields(&file, fields, is_file, &mut edits);
    }
    add_kind(&file, &mut edits);
    edits.sort_by_key(|edit: &TextEdit| edit.span);
    Ok(apply(file.text(), &edits))
}

/// Adds the edits that move the items of old fields to a new one:
///
/// - renames the field, if the new field does not exist and no item changes;
/// - otherwise replaces the first old field by the new one, or adds to the existing new field.
///
/// ```text
/// bases:            resources:      |     bases:            resources:
/// - ../base   ->    - ../base       |     - ../base   ->    - a.yaml
///                                   |     resources:        - ../base
///                                   |     - a.yaml
/// ```
fn move_fields(
    file: &Sections,
    fields: &Move,
    is_file: &dyn Fn(&str) -> bool,
    edits: &mut Vec<TextEdit>,
) {
    let old: Vec<&Section> = fields
        .old
        .iter()
        .filter_map(|name| file.find(name))
        .collect();
    let Some(first) = old.iter().min_by_key(|section| section.span) else {
        return;
    };
    let target = file.find(fields.new);
    let is_renamed = old.len() == 1
        && target.is_none()
        && !matches!(fields.old, ["commonLabels"])
        && !first.key.eq_ignore_ascii_case("patchesStrategicMerge");
    if is_renamed {
        edits.push(TextEdit::replace(span(&first.entry.key), fields.new));
        return;
    }
    let mut items = Vec::new();
    let text = file.text();
    for section in &old {
        let mut moved = new_items(file, section, is_file);
        let keeps_head = target.is_none() && section.span == first.span;
        // The comments on a field that is removed are about the items that move.
        if let Some(item) = moved.first_mut()
            && !keeps_head
        {
            let mut lines = section.comments_of_head(text);
            lines.push(std::mem::take(item));
            *item = lines.join("\n");
        }
        items.extend(moved);
    }
    match target {
        Some(target) => {
            for section in &old {
                edits.push(TextEdit::replace(section.span, ""));
            }
            add_items(file, target, &items, edits);
        }
        None => {
            for section in old.iter().filter(|section| section.span != first.span) {
                edits.push(TextEdit::replace(section.span, ""));
            }
            let indent = first.dash_column(text).unwrap_or(0);
            let start = span(&first.entry.key).start();
            let replaced = crate::source::Span::new(start, first.content_end);
            let comment = first.comment(text);
            let new = section_text(fields.new, comment, &items, indent);
            edits.push(TextEdit::replace(replaced, new));
        }
    }
}

/// Adds items to the end of an existing field. A list in brackets is written again as a block:
///
/// ```text
/// resources: [a.yaml]     ->     resources:
///                                - a.yaml
///                                - ../base
/// ```
pub(super) fn add_items(
    file: &Sections,
    target: &Section,
    items: &[String],
    edits: &mut Vec<TextEdit>,
) {
    if items.is_empty() {
        return;
    }
    let text = file.text();
    if let Some(indent) = target.dash_column(text) {
        let ends_line = text[..target.content_end].ends_with('\n');
        let line_break = if ends_line { "" } else { "\n" };
        let added = format!("{line_break}{}", list_text(items, indent));
        edits.push(TextEdit::insert(target.content_end, added));
        return;
    }
    // The field has a list in brackets, or no value.
    let mut all = file.items(target);
    all.extend_from_slice(items);
    let start = span(&target.entry.key).start();
    let replaced = crate::source::Span::new(start, target.content_end);
    let new = section_text(&target.key, target.comment(text), &all, 0);
    edits.push(TextEdit::replace(replaced, new));
}

/// Returns the items of an old field as the new field has them, at the left margin.
fn new_items(file: &Sections, section: &Section, is_file: &dyn Fn(&str) -> bool) -> Vec<String> {
    if section.key.eq_ignore_ascii_case("commonLabels") {
        return labels_item(file, section).into_iter().collect();
    }
    let items = file.items(section);
    if !section.key.eq_ignore_ascii_case("patchesStrategicMerge") {
        return items;
    }
    let values = section.entry.value.as_sequence();
    let values = values.into_iter().flat_map(|list| &list.items);
    let patches = items.iter().zip(values);
    patches
        .map(|(item, value)| {
            let text = value.value.resolved().text().unwrap_or_default();
            let key = if is_file(text) { "path" } else { "patch" };
            patch_item(item, key)
        })
        .collect()
}

/// Puts a key before the text of an item, after its comments. Further lines of the text move to
/// the right, because they now belong to the key:
///
/// ```text
/// # why                 # why
/// |-            ->      patch: |-
///   kind: A                 kind: A
/// ```
fn patch_item(item: &str, key: &str) -> String {
    let mut result = String::with_capacity(item.len() + 16);
    let mut is_value = false;
    for line in item.split_inclusive('\n') {
        if is_value {
            push_indented(line, 2, &mut result);
        } else if line.trim_start().starts_with('#') {
            result.push_str(line);
        } else {
            result.push_str(&format!("{key}: {line}"));
            is_value = true;
        }
    }
    result
}

/// Returns the item of `labels` that is equivalent to `commonLabels`; `None` if there are no
/// labels.
fn labels_item(file: &Sections, section: &Section) -> Option<String> {
    let labels = section.entry.value.as_mapping()?;
    let first = labels.entries.at(0)?;
    let text = file.text();
    let start = span(&section.entry.value).start();
    if labels.style == CollectionStyle::Flow {
        let value = text.get(start..section.content_end)?;
        return Some(format!("includeSelectors: true\npairs: {value}"));
    }
    // The lines below the key, with the comments between them.
    let key_line = super::sections::line_end(text, span(&section.entry.key).end());
    let lines = text.get(key_line..section.content_end)?;
    let line = text[..span(&first.key).start()]
        .rfind('\n')
        .map_or(0, |end| end + 1);
    let column = span(&first.key).start() - line;
    let mut item = String::from("includeSelectors: true\npairs:\n");
    for line in lines.split_inclusive('\n') {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        push_indented(&line[spaces.min(column)..], 2, &mut item);
    }
    Some(item)
}

/// Returns a field with items.
pub(super) fn section_text(key: &str, comment: &str, items: &[String], indent: usize) -> String {
    if items.is_empty() {
        return String::new();
    }
    format!("{key}:{comment}\n{}", list_text(items, indent))
}

/// Returns items as a list with its dashes at `indent`. Comments above an item are above its dash.
fn list_text(items: &[String], indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut result = String::new();
    for item in items {
        let mut is_value = false;
        for line in item.split_inclusive('\n') {
            if is_value {
                push_indented(line, indent + 2, &mut result);
            } else if line.trim_start().starts_with('#') {
                push_indented(line, indent, &mut result);
            } else {
                result.push_str(&format!("{margin}- {line}"));
                is_value = true;
            }
        }
        if !result.ends_with('\n') {
            result.push('\n');
        }
    }
    result
}

fn push_indented(line: &str, indent: usize, result: &mut String) {
    if !line.trim().is_empty() {
        result.extend(std::iter::repeat_n(' ', indent));
    }
    result.push_str(line);
}

/// Adds `apiVersion` and `kind`, if they are missing.
fn add_kind(file: &Sections, edits: &mut Vec<TextEdit>) {
    let Some(first) = file.sections.first() else {
        return;
    };
    let kind = file.find("kind");
    let is_component = kind.is_some_and(|kind| kind.entry.value.text() == Some("Component"));
    let version = if is_component { "v1alpha1" } else { "v1beta1" };
    let mut added = String::new();
    if file.find("apiVersion").is_none() {
        added.push_str(&format!("apiVersion: kustomize.config.k8s.io/{version}\n"));
    }
    if kind.is_none() {
        added.push_str("kind: Kustomization\n");
    }
    if !added.is_empty() {
        edits.insert(0, TextEdit::insert(first.span.start(), added));
    }
}

/// Reports a label that is in `commonLabels` and in `labels`.
fn refuse_equal_labels(file: &Sections) -> Result<()> {
    let (Some(common), Some(labels)) = (file.find("commonLabels"), file.find("labels")) else {
        return Ok(());
    };
    let Some(common) = common.entry.value.as_mapping() else {
        return Ok(());
    };
    let items = labels.entry.value.as_sequence();
    for item in items.into_iter().flat_map(|list| &list.items) {
        let Some(pairs) = item.value.get("pairs").map(Node::resolved) else {
            continue;
        };
        for entry in &common.entries {
            let name = entry.key.text().unwrap_or_default();
            if pairs.get(name).is_some() {
                let message = format!("label name '{name}' exists in both commonLabels and labels");
                return Err(Diagnostic::error(Code::Config, message)
                    .at(entry.key.location(), "")
                    .help("remove one of them"));
            }
        }
    }
    Ok(())
}

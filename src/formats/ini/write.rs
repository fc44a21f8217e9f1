//! Writes a tree as INI if there is no text to imitate yet.

use std::sync::Arc;

use super::syntax::{SEPARATOR, SYNTAX};
use crate::formats::key_values::LineStyle;
use crate::formats::language::is_whole_text;
use crate::yaml::{Mapping, Node, faithful};

/// Writes a new document: the keys without a section, and then the sections with a blank line
/// before each. The root is a mapping that INI can represent.
pub(super) fn write(root: &Arc<Node>) -> String {
    let Some(root) = root.resolved().as_mapping() else {
        return String::new();
    };
    let style = LineStyle::plain(SEPARATOR);
    let mut text = String::new();
    for line in lines(root, &style) {
        text.push_str(&line);
        text.push('\n');
    }
    for entry in &root.entries {
        let Some(section) = entry.value.resolved().as_mapping() else {
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        let name = entry.key.resolved().text().unwrap_or("");
        for line in section_lines(name, section, "", &style) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// Returns the lines of a new section, with `indentation` before its header.
pub(super) fn section_lines(
    name: &str,
    section: &Mapping,
    indentation: &str,
    style: &LineStyle<'_>,
) -> Vec<String> {
    let mut all = vec![format!("{indentation}[{name}]")];
    all.extend(lines(section, style));
    all
}

/// Returns the lines of the keys of a mapping, without its sections.
fn lines(mapping: &Mapping, style: &LineStyle<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in &mapping.entries {
        if let (Some(key), Some(value)) = (entry.key.resolved().text(), entry.value.text()) {
            lines.push(style.line(&SYNTAX, key, value));
        }
    }
    lines
}

/// Returns the source text of a value. A section is written as its keys alone, because its lines
/// may be scattered.
pub(super) fn excerpt(value: &Arc<Node>) -> String {
    match value.as_mapping() {
        Some(section) if !is_whole_text(value) => {
            let mut text = lines(section, &LineStyle::plain(SEPARATOR)).join("\n");
            text.push('\n');
            text
        }
        _ => faithful::excerpt(value),
    }
}

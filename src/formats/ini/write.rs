//! Writes a tree as INI if there is no text to imitate yet.

use std::sync::Arc;

use super::syntax::{SEPARATOR, SYNTAX};
use crate::formats::key_values::LineStyle;
use crate::formats::language::is_whole_text;
use crate::formats::moved_lines::MovedLines;
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
        text.push_str(&format!("[{name}]\n"));
        for line in lines(section, &style) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// Returns the lines of a new section, with `indentation` before its header. Lines that move into
/// it keep their bytes.
pub(super) fn section_lines(
    name: &str,
    section: &Mapping,
    indentation: &str,
    style: &LineStyle<'_>,
    moved: &MovedLines<'_>,
) -> Vec<String> {
    let mut lines = vec![format!("{indentation}[{name}]")];
    for entry in &section.entries {
        let value = entry.value.resolved();
        if let (Some(key), Some(text)) = (entry.key.resolved().text(), value.text()) {
            let moved = moved.line(key, value, style);
            lines.push(moved.unwrap_or_else(|| style.line(&SYNTAX, key, text)));
        }
    }
    lines
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

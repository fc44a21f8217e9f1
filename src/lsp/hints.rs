//! Inlay hints: the values behind code, at the ends of their lines.

use std::collections::BTreeMap;
use std::path::Path;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range};

use super::code::{code_in_line, is_starlark, lines};
use super::view::View;

/// Returns the hints of the lines in a range: `= 3` behind `replicas: #@ data.values.replicas`.
///
/// The values are those of the last build. A line that has changed since then gets no hint: it may be another one.
pub(super) fn hints(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let Some(analysis) = view.analysis else {
        return Vec::new();
    };
    // By line: the values that its code gave, without repetitions. A loop gives several.
    let mut by_line: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut built_text = None;
    for value in &analysis.evaluated {
        let place = value.key.in_file();
        if Path::new(place.source.shown_name()) == view.path {
            let values = by_line
                .entry(place.source.line(place.span.start()))
                .or_default();
            if !values.contains(&value.text.as_str()) {
                values.push(&value.text);
            }
            built_text = Some(place.source);
        }
    }
    let Some(built) = built_text else {
        return Vec::new();
    };
    let mut hints = Vec::new();
    for (index, line) in lines(view.text).enumerate() {
        let is_shown = (range.start.line as usize..=range.end.line as usize).contains(&index);
        let (true, Some(values)) = (is_shown, by_line.get(&(index + 1))) else {
            continue;
        };
        let is_same = built.slice(built.line_span(index + 1)) == &view.text[line.range()];
        if !is_same || code_in_line(is_starlark(view.path), view.text, line).is_none() {
            continue;
        }
        let label = match values.as_slice() {
            [value] => format!("= {value}"),
            [value, others @ ..] => format!("= {value}, and {} more", others.len()),
            [] => continue,
        };
        hints.push(InlayHint {
            position: view.lines.position(line.end()),
            label: InlayHintLabel::String(label),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    hints
}

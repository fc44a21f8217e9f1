//! Inlay hints at the ends of lines: the values behind code, the number of objects behind selectors
//! and of matches behind overlays.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Position, Range};

use super::code::{line_around, lines};
use super::configuration::notes;
use super::overlays::match_counts;
use super::view::View;

/// Returns the hints of the lines in a range: `= 3` behind `replicas: #@ data.values.replicas`.
///
/// The values are those of the last build. A line that has changed since then gets no hint: it may be another one.
pub(super) fn hints(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let mut hints = evaluated_hints(view, range);
    let line_of = |position| line_around(view.text, view.lines.offset(position));
    let shown = line_of(range.start).start()..=line_of(range.end).end();
    for (offset, label) in notes(view, &shown).into_iter().chain(match_counts(view)) {
        let line = line_around(view.text, offset);
        let position = view.lines.position(line.end());
        if (range.start.line..=range.end.line).contains(&position.line) {
            hints.push(hint(position, label));
        }
    }
    hints
}

/// Returns the values behind code.
fn evaluated_hints(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let Some(analysis) = view.analysis else {
        return Vec::new();
    };
    // By line: the values that its code gave, without repetitions. A loop gives several.
    let mut by_line: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut built_text = None;
    for value in &analysis.evaluated {
        let place = value.key.in_file();
        if Path::new(place.source.shown_name()) == view.path {
            let line = place.source.line(place.span.start());
            if seen.insert((line, value.text.as_str())) {
                by_line.entry(line).or_default().push(&value.text);
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
        if !is_same || view.code().in_line(view.text, line).is_none() {
            continue;
        }
        let label = match values.as_slice() {
            [value] => format!("= {value}"),
            [value, others @ ..] => format!("= {value}, and {} more", others.len()),
            [] => continue,
        };
        hints.push(hint(view.lines.position(line.end()), label));
    }
    hints
}

fn hint(position: Position, label: String) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

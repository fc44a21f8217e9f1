//! Inlay hints at the ends of lines: the values of code, the number of objects of a selector, and
//! the number of matches of an overlay.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Position, Range};

use super::code::{line_around, lines};
use super::configuration::notes;
use super::overlays::match_counts;
use super::view::View;
use crate::source::{Source, Span};

/// Returns the hints of the lines in a range: `= 3` after `replicas: #@ data.values.replicas`.
///
/// The values are from the last build. A line that has changed since then gets no hint, because its
/// value may be different.
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

/// Returns the hints that show the values of code after it.
fn evaluated_hints(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let built = BuiltValues::of(view);
    let mut hints = Vec::new();
    for (index, line) in lines(view.text).enumerate() {
        let is_shown = (range.start.line as usize..=range.end.line as usize).contains(&index);
        if is_shown && let Some(value) = built.in_line(view, index, line) {
            hints.push(hint(view.lines.position(line.end()), format!("= {value}")));
        }
    }
    hints
}

/// Returns the value of the code in the line of an offset, from the last build.
pub(super) fn value_of_line(view: &View<'_>, offset: usize) -> Option<String> {
    let index = view.lines.position(offset).line as usize;
    BuiltValues::of(view).in_line(view, index, line_around(view.text, offset))
}

/// The values of the code in a file, from the last build.
#[derive(Default)]
struct BuiltValues<'v> {
    /// The values by line, from 1, without duplicates. A loop has several.
    by_line: BTreeMap<usize, Vec<&'v str>>,
    /// The text that was built; `None` if its code returned no values.
    text: Option<Arc<Source>>,
}

impl<'v> BuiltValues<'v> {
    fn of(view: &View<'v>) -> BuiltValues<'v> {
        let mut built = BuiltValues::default();
        let Some(analysis) = view.analysis else {
            return built;
        };
        let mut seen = HashSet::new();
        for value in &analysis.evaluated {
            let place = value.key.in_file();
            if Path::new(place.source.shown_name()) == view.path {
                let line = place.source.line(place.span.start());
                if seen.insert((line, value.text.as_str())) {
                    built.by_line.entry(line).or_default().push(&value.text);
                }
                built.text = Some(place.source);
            }
        }
        built
    }

    /// Returns the value of the code in a line; `None` if the line has changed since the build.
    fn in_line(&self, view: &View<'_>, index: usize, line: Span) -> Option<String> {
        let values = self.by_line.get(&(index + 1))?;
        let text = self.text.as_ref()?;
        let is_same = text.slice(text.line_span(index + 1)) == &view.text[line.range()];
        if !is_same || view.code().in_line(view.text, line).is_none() {
            return None;
        }
        match values.as_slice() {
            [value] => Some((*value).to_owned()),
            [value, others @ ..] => Some(format!("{value}, and {} more", others.len())),
            [] => None,
        }
    }
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

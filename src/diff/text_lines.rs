//! The lines of a text in printable form, without the values of Secrets.

use std::sync::Arc;

use super::lines::lines_of;
use super::style::DiffStyle;
use crate::kubernetes::hide_secrets_of;
use crate::source::{Source, Span};

/// Returns the lines of a text in printable form.
pub(super) fn shown_lines(text: &str, style: DiffStyle) -> Vec<String> {
    let source = match Source::new("", text) {
        Ok(source) if !style.shows_secrets => source,
        _ => return lines_of(text).map(str::to_owned).collect(),
    };
    hide_secrets_of(&source);
    lines(&source)
}

fn lines(source: &Arc<Source>) -> Vec<String> {
    let hidden = source.hidden();
    let mut start = 0;
    let mut lines = Vec::new();
    for line in lines_of(source.text()) {
        let span = Span::new(start, start + line.len());
        // Most lines of most files have nothing to hide.
        lines.push(match hidden.is_empty() {
            true => line.to_owned(),
            false => source.shown(span).into_owned(),
        });
        start = span.end();
    }
    lines
}

//! Files of `key=value` lines.

use std::sync::Arc;

use super::model::{GeneratedPair, GeneratedValue};
use crate::source::{Code, Diagnostic, Location, OffsetMap, Outer, Result, Source, Span};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the pairs of a file.
///
/// The rules are kustomize's: white space before a line is ignored, a line that begins with `#` is
/// a comment, and everything after the first equals sign is the value, including blanks and quotes.
/// A line without an equals sign is a key with an empty value.
///
/// # Errors
/// [`Code::Config`] for a line without a key.
pub(super) fn pairs(source: &Arc<Source>) -> Result<Vec<GeneratedPair>> {
    let mut pairs = Vec::new();
    let mut start = 0;
    for line in source.text().split('\n') {
        let content = line.strip_suffix('\r').unwrap_or(line);
        pairs.extend(pair(source, start, content)?);
        start += line.len() + 1;
    }
    Ok(pairs)
}

/// Returns the pair of the line at `start`, or `None` for a blank line or a comment.
fn pair(source: &Arc<Source>, start: usize, line: &str) -> Result<Option<GeneratedPair>> {
    let mut text = line;
    if start == 0 {
        text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    }
    text = text.trim_start();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let end = start + line.len();
    let place = Location::new(source, Span::new(end - text.len(), end));
    if key.is_empty() {
        let message = format!("expected `key=value`, found `{text}`");
        return Err(Diagnostic::error(Code::Config, message).at(place, "the line has no key"));
    }
    // The value is a slice of the file, so an error inside its document is shown at the line of the
    // file.
    let span = Span::new(end - value.len(), end);
    let outer = Outer {
        source: Arc::clone(source),
        span,
        map: OffsetMap::identity(span.start(), value.len()),
    };
    Ok(Some(GeneratedPair {
        key: key.to_owned(),
        value: GeneratedValue::Text(Source::embedded(value, outer)),
        place: Some(place),
    }))
}

//! Files of `key=value` lines.

use std::sync::Arc;

use super::pairs::{Bytes, Pair, text_source};
use crate::source::{Code, Diagnostic, Location, OffsetMap, Outer, Result, Source, Span};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The pairs of a file with the name and the bytes given.
///
/// As in kustomize: white space before a line does not count, a line that starts with `#` is a comment, and everything
/// after the first equals sign is the value, blanks and quotes too. A line without one is a key with an empty value.
///
/// # Errors
/// [`Code::File`] for a line that is not UTF-8, [`Code::Config`] for one that has no key.
pub(super) fn pairs(name: &str, bytes: Vec<u8>) -> Result<Vec<Pair>> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error
            .as_bytes()
            .iter()
            .take(valid)
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        Diagnostic::error(
            Code::File,
            format!("line {line} of `{name}` has invalid utf8 bytes"),
        )
        .help("convert the file to UTF-8")
    })?;
    let source = text_source(name.to_owned(), text)?;
    let mut pairs = Vec::new();
    let mut start = 0;
    for line in source.text().split('\n') {
        pairs.extend(pair(
            &source,
            start,
            line.strip_suffix('\r').unwrap_or(line),
        )?);
        start += line.len() + 1;
    }
    Ok(pairs)
}

/// The pair of the line at `start`, if it has one.
fn pair(source: &Arc<Source>, start: usize, line: &str) -> Result<Option<Pair>> {
    let text = if start == 0 {
        line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)
    } else {
        line
    }
    .trim_start();
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
    let span = Span::new(end - value.len(), end);
    let map = OffsetMap::identity(span.start(), value.len());
    let value = Source::embedded(
        value,
        Outer {
            source: Arc::clone(source),
            span,
            map,
        },
    );
    Ok(Some(Pair {
        key: key.to_owned(),
        value: Bytes::Text(value),
        place: Some(place),
    }))
}

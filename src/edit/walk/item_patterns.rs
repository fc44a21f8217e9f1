//! Applies `[name=web]` as kustomize does in a target: as a pattern that may match anywhere in the
//! value.
//!
//! ```text
//! items           name: web    name: web-sidecar    name: "web"
//! [name=web]      chosen       chosen               chosen
//! [name=^web$]    chosen                            (kustomize compares the quotes, too)
//! ```

use std::sync::Arc;

use crate::edit::lookup;
use crate::edit::path::{PathSegment, is_pattern};
use crate::regexp;
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{Node, ScalarStyle, Sequence};

/// Items that a segment chooses only as a pattern and not as a text.
#[derive(Clone, Debug)]
pub struct LooseMatch {
    /// The message with the segment and the text of the first of these items.
    pub reason: String,
    /// The place of that item.
    pub location: Option<Location>,
}

/// Returns the indices of the items that a segment chooses as a pattern, and the first of them that
/// it would not choose as a text. `None` for a segment of another kind.
///
/// # Errors
/// The text is not a regular expression that Go accepts.
pub(super) fn chosen(
    sequence: &Sequence,
    segment: &PathSegment,
) -> Result<Option<(Vec<usize>, Option<LooseMatch>)>> {
    let (field, pattern) = match segment {
        PathSegment::Match { field, value } => (Some(&**field), &**value),
        PathSegment::Item(value) => (None, &**value),
        _ => return Ok(None),
    };
    let is_text = pattern
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | ':'));
    let regex = match is_text {
        true => None,
        false => Some(regexp::compile(pattern).map_err(|error| {
            Diagnostic::error(Code::PathSyntax, error.to_string()).help(format!(
                "`{segment}` is a pattern in the target of a kustomization"
            ))
        })?),
    };
    // The author of `^web$` or `web-.*` knows that it is a pattern.
    let means_pattern = is_pattern(pattern);
    let exact = lookup::items(sequence, segment);
    let (mut found, mut loose) = (Vec::new(), None);
    for (at, item) in sequence.items.iter().enumerate() {
        let item = item.value.resolved();
        let value = match field {
            Some(field) => item.get(field).map(Node::resolved),
            None => Some(item),
        };
        let Some(text) = value.and_then(as_written) else {
            continue;
        };
        let matches = match &regex {
            Some(regex) => regex.is_match(&text),
            None => text.contains(pattern),
        };
        if matches {
            found.push(at);
            if loose.is_none() && !means_pattern && !exact.contains(&at) {
                loose = Some(LooseMatch {
                    reason: format!("`{segment}` also chooses `{text}`"),
                    location: value.and_then(|value| value.location()),
                });
            }
        }
    }
    Ok(Some((found, loose)))
}

/// Returns the text of a scalar with its quotes.
fn as_written(value: &Arc<Node>) -> Option<String> {
    let scalar = value.as_scalar()?;
    let text = value.text()?;
    Some(match scalar.style {
        ScalarStyle::SingleQuoted => format!("'{text}'"),
        ScalarStyle::DoubleQuoted => format!("\"{text}\""),
        _ => text.to_owned(),
    })
}

//! JSON pointers (RFC 6901), such as `/data/app.json/log/level`, which continue into strings as
//! field paths do.

use std::fmt;

use super::types::{FieldPath, PathSegment};
use crate::source::{Code, Diagnostic, Result};

/// A place in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub(in crate::edit) path: FieldPath,
}

impl Pointer {
    /// Parses a pointer. The empty one leads to the whole tree.
    ///
    /// # Errors
    /// [`Code::PathSyntax`] for a text that does not begin with `/`, and for `~` that is neither
    /// `~0` nor `~1`.
    pub fn parse(text: &str) -> Result<Pointer> {
        if !text.is_empty() && !text.starts_with('/') {
            let message = format!("expected a JSON pointer, which begins with `/`, found `{text}`");
            return Err(Diagnostic::error(Code::PathSyntax, message).help(format!(
                "write it as `/{}`",
                text.trim_start_matches('.').replace('.', "/")
            )));
        }
        let (mut segments, mut ends) = (Vec::new(), Vec::new());
        let mut end = 0;
        for token in text.split('/').skip(1) {
            end += 1 + token.len();
            segments.push(segment(unescape(token, text)?));
            ends.push(end);
        }
        Ok(Pointer {
            path: FieldPath::new(text, segments, ends),
        })
    }

    /// Returns the place of the surrounding collection; `None` for the whole tree.
    pub fn parent(&self) -> Option<Pointer> {
        let text = self.to_string();
        let end = text.rfind('/')?;
        Pointer::parse(&text[..end]).ok()
    }

    /// Returns the number of steps from the root.
    pub fn depth(&self) -> usize {
        self.path.segments().len()
    }

    /// Returns the keys and indices from the root, as they are written.
    pub fn keys(&self) -> Vec<String> {
        let segments = self.path.segments().iter();
        segments
            .map(|segment| segment.as_key().unwrap_or_default().to_owned())
            .collect()
    }

    /// Returns whether `self` leads to `other` or to a collection around it.
    pub fn holds(&self, other: &Pointer) -> bool {
        other.path.segments().starts_with(self.path.segments())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

/// Returns the step that a token describes. An index has no leading zeros (RFC 6901), so `01` is
/// only a key.
fn segment(token: String) -> PathSegment {
    let is_padded = token.len() > 1 && token.starts_with('0');
    if is_padded && token.bytes().all(|byte| byte.is_ascii_digit()) {
        PathSegment::Key(token.into())
    } else {
        PathSegment::Name(token.into())
    }
}

/// Returns a token with `~1` replaced by `/` and `~0` by `~`.
fn unescape(token: &str, text: &str) -> Result<String> {
    let mut pieces = token.split('~');
    let mut unescaped = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        let (character, rest) = match piece.as_bytes().first() {
            Some(b'0') => ('~', &piece[1..]),
            Some(b'1') => ('/', &piece[1..]),
            _ => {
                let message = format!(
                    "expected `~0` or `~1` in a JSON pointer, found another `~` in `{text}`"
                );
                return Err(Diagnostic::error(Code::PathSyntax, message)
                    .help("write `~` as `~0`, and `/` as `~1`"));
            }
        };
        unescaped.push(character);
        unescaped.push_str(rest);
    }
    Ok(unescaped)
}

//! The error of a function that Go's libraries have too.

use std::fmt;

/// An error in Go's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoError(String);

/// The longest text that an encoder writes. Indentation and escapes can make a text many times
/// longer than its data.
const LENGTH_LIMIT: usize = 64 << 20;

impl GoError {
    /// Checks the length of a text that an encoder is writing.
    ///
    /// # Errors
    /// The text has more than 64 MiB.
    pub(super) fn if_too_long(text: &str) -> Result<(), GoError> {
        if text.len() <= LENGTH_LIMIT {
            return Ok(());
        }
        Err(GoError::new(
            "expected an output of at most 64 MiB, found more",
        ))
    }

    pub(super) fn new(message: impl Into<String>) -> GoError {
        GoError(message.into())
    }
}

impl fmt::Display for GoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GoError {}

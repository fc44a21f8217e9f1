//! The error type of functions that have a counterpart in Go's libraries.

use std::fmt;

use crate::source::Limit;

/// An error with Go's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoError(String);

impl GoError {
    /// Checks the length of a text during encoding. Indentation and escapes can make a text many
    /// times longer than its data.
    ///
    /// # Errors
    /// A text that is longer than [`Limit::ValueText`].
    pub(super) fn if_too_long(text: &str) -> Result<(), GoError> {
        let most = Limit::ValueText.size();
        if text.len() <= most {
            return Ok(());
        }
        let help = Limit::ValueText.help(Some(text.len() as u64));
        Err(GoError::new(format!(
            "expected an output of at most {most} bytes, found more ({help})"
        )))
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

//! Why a text was refused.

use std::fmt;

/// What Go says of a text that it cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

/// How long a text may get by its layout: indentation can make a text many times longer than what it says.
const LENGTH_LIMIT: usize = 64 << 20;

impl Error {
    /// # Errors
    /// When a text that is laid out has grown beyond all sense.
    pub(super) fn if_too_long(text: &str) -> Result<(), Error> {
        if text.len() <= LENGTH_LIMIT {
            return Ok(());
        }
        Err(Error::new(
            "expected an output of at most 64 MiB, found more",
        ))
    }

    pub(super) fn new(message: impl Into<String>) -> Error {
        Error(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

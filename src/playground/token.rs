//! The secret of a running server.

use std::fmt::Write;

use crate::source::{Code, Diagnostic, Result};

/// A secret that only the user who started the server knows: 128 random bits, in hexadecimal.
#[derive(Clone)]
pub(super) struct SessionToken(String);

impl SessionToken {
    /// Creates a token.
    ///
    /// # Errors
    /// Fails if the system provides no random bytes.
    pub(super) fn random() -> Result<SessionToken> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| {
            let message = format!("the system gives no random bytes: {error}");
            Diagnostic::error(Code::Internal, message)
        })?;
        let mut text = String::with_capacity(32);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(SessionToken(text))
    }

    /// Returns the token as text.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a text is the token. The time does not depend on the number of correct
    /// bytes, so that the token cannot be guessed byte by byte from the response time.
    pub(super) fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        if own.len() != other.len() {
            return false;
        }
        let mut difference = 0;
        for (own, other) in own.iter().zip(other) {
            difference |= own ^ other;
        }
        std::hint::black_box(difference) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_new_each_time_and_only_equal_to_itself() {
        let (one, other) = (
            SessionToken::random().unwrap(),
            SessionToken::random().unwrap(),
        );
        assert_eq!(one.as_str().len(), 32);
        assert!(one.is(one.as_str()));
        assert!(!one.is(other.as_str()));
        assert!(!one.is(""));
        assert!(!one.is(&one.as_str()[..31]));
    }
}

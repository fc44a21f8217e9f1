//! URLs as Go's `net/url` parses and prints them.
//!
//! Go follows RFC 3986 loosely and does not normalize: it adds no slash, keeps the case of the host
//! and the default port, and keeps valid escapes as they are written. Browsers change all of these,
//! and so do the crates that follow the WHATWG standard, so this is a separate implementation.

mod authority;
mod escape;
mod parse;
pub mod query;
#[cfg(test)]
mod tests;

use super::GoError;
pub use authority::User;
use escape::{UrlPart, escape, unescape};
pub use parse::parse;

/// A URL, absolute or relative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// The scheme in lower case; empty for a relative reference.
    scheme: String,
    /// The unchanged text after the scheme in a URL such as `mailto:joe@example.com`.
    opaque: String,
    user: Option<User>,
    /// The host with its port and the brackets of an IPv6 address, decoded.
    host: Vec<u8>,
    /// Whether the URL has no `//` after its scheme.
    omits_host: bool,
    /// The path as it is printed.
    path: String,
    /// The query as it was written; `Some("")` for a `?` at the end of the URL.
    query: Option<String>,
    /// The fragment as it is printed; empty if the URL has none.
    fragment: String,
}

impl Url {
    /// Returns the name and password before the host, if there is an `@`.
    pub fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    /// Returns the same URL without name and password.
    pub fn without_user(&self) -> Url {
        Url {
            user: None,
            ..self.clone()
        }
    }

    /// Returns the host without its port and without the brackets of an IPv6 address.
    pub fn hostname(&self) -> &[u8] {
        authority::without_port(&self.host)
    }
}

impl std::fmt::Display for Url {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if self.opaque.is_empty() {
            self.authority(f)?;
            if self.scheme.is_empty()
                && self.host.is_empty()
                && self.user.is_none()
                && begins_like_scheme(&self.path)
            {
                // Otherwise `a:b` would be read back as the scheme `a`.
                f.write_str("./")?;
            }
            f.write_str(&self.path)?;
        } else {
            f.write_str(&self.opaque)?;
        }
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        if !self.fragment.is_empty() {
            write!(f, "#{}", self.fragment)?;
        }
        Ok(())
    }
}

impl Url {
    /// Writes `//user@host`, or nothing if the URL has no authority.
    fn authority(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_bare = self.host.is_empty() && self.user.is_none();
        if is_bare && (self.scheme.is_empty() || self.omits_host || self.path.is_empty()) {
            return Ok(());
        }
        f.write_str("//")?;
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        f.write_str(&escape(&self.host, UrlPart::Host))
    }
}

/// Returns whether the first segment of a path would be read as a scheme.
fn begins_like_scheme(path: &str) -> bool {
    path.split('/')
        .next()
        .is_some_and(|segment| segment.contains(':'))
}

/// Encodes a text as one segment of a path.
pub fn path_segment_encode(text: &[u8]) -> String {
    escape(text, UrlPart::PathSegment)
}

/// Decodes a segment of a path.
///
/// # Errors
/// An invalid escape.
pub fn path_segment_decode(text: &str) -> Result<Vec<u8>, GoError> {
    unescape(text, UrlPart::PathSegment)
}

/// Encodes a text as the value of a query parameter; a space becomes `+`.
pub fn query_value_encode(text: &[u8]) -> String {
    escape(text, UrlPart::Query)
}

/// Decodes the value of a query parameter.
///
/// # Errors
/// An invalid escape.
pub fn query_value_decode(text: &str) -> Result<Vec<u8>, GoError> {
    unescape(text, UrlPart::Query)
}
